//! `-op-include-regex`, `-op-exclude-regex`: which operations a generator is asked for.

use super::{Cx, OptionSpec, Options};
use crate::{
    diagnostic::Diagnostic,
    record::{Rec, name},
    regex::Regex,
    span::Span,
};

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

/// The records of the operations that the options ask for.
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

/// The two expressions; one that is not well formed finds nothing.
struct OpFilter {
    include: Option<Option<Regex>>,
    exclude: Option<Option<Regex>>,
}

impl OpFilter {
    fn new(options: &Options) -> Self {
        let regex = |name| options.get(name).filter(|text| !text.is_empty()).map(Regex::new);
        OpFilter { include: regex("op-include-regex"), exclude: regex("op-exclude-regex") }
    }

    /// Whether there is an expression at all.
    fn is_active(&self) -> bool {
        self.include.is_some() || self.exclude.is_some()
    }

    /// Whether an operation is asked for, by its full name.
    fn matches(&self, op: Rec<'_>) -> Result<bool, Diagnostic> {
        if !self.is_active() {
            return Ok(true);
        }
        let mnemonic = op.string(name!("opName"))?;
        let name = match op.def(name!("opDialect"))?.string(name!("name"))? {
            "" => mnemonic.to_owned(),
            dialect => format!("{dialect}.{mnemonic}"),
        };
        let finds = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(&name));
        Ok(self.include.as_ref().is_none_or(finds) && !self.exclude.as_ref().is_some_and(finds))
    }
}
