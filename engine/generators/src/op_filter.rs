//! `-op-include-regex`, `-op-exclude-regex`: the selection of operations for a generator.

use super::{Cx, OptionSpec, Options, regex_option::RegexOption};
use odsmith_ods::Operation;
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec, span::Span};

pub(super) const EXCLUDE: OptionSpec = OptionSpec {
    name: "op-exclude-regex",
    value: Some("string"),
    about: "Regex of name of op's to exclude (no filter if empty)",
};

pub(super) const INCLUDE: OptionSpec = OptionSpec {
    name: "op-include-regex",
    value: Some("string"),
    about: "Regex of name of op's to include (no filter if empty)",
};

/// Returns the records of the operations that the options select.
pub(super) fn requested_records<'r>(cx: &Cx<'r>) -> Result<Vec<Rec<'r>>, Diagnostic> {
    if cx.records.class("Op").is_none() {
        return Err(Diagnostic::error(Span::NONE, "ERROR: Couldn't find the 'Op' class!\n"));
    }
    let filter = OpFilter::new(cx.options);
    let mut records = Vec::new();
    for rec in cx.model.operation_records() {
        if filter.matches(rec)? {
            records.push(rec);
        }
    }
    Ok(records)
}

/// The two expressions.
struct OpFilter {
    include: Option<RegexOption>,
    exclude: Option<RegexOption>,
}

impl OpFilter {
    fn new(options: &Options) -> Self {
        let regex = |option: OptionSpec| RegexOption::of(options, option.name);
        OpFilter { include: regex(INCLUDE), exclude: regex(EXCLUDE) }
    }

    /// Returns whether there is any expression.
    fn is_active(&self) -> bool {
        self.include.is_some() || self.exclude.is_some()
    }

    /// Returns whether the options select an operation, by its full name.
    fn matches(&self, op: Rec<'_>) -> Result<bool, Diagnostic> {
        if !self.is_active() {
            return Ok(true);
        }
        let name = Operation::name_of(op)?;
        let finds = |regex: &Option<RegexOption>| regex.as_ref().map(|regex| regex.finds(&name)).transpose();
        Ok(finds(&self.include)?.unwrap_or(true) && !finds(&self.exclude)?.unwrap_or(false))
    }
}
