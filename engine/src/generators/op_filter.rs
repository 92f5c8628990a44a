//! `-op-include-regex`, `-op-exclude-regex`: which operations a generator is asked for.

use super::{OptionSpec, Options};
use crate::{diagnostic::Diagnostic, record::Rec, regex::Regex};

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

/// The two expressions; one that is not well formed finds nothing.
pub(super) struct OpFilter {
    include: Option<Option<Regex>>,
    exclude: Option<Option<Regex>>,
}

impl OpFilter {
    pub(super) fn new(options: &Options) -> Self {
        let regex = |name| options.get(name).filter(|text| !text.is_empty()).map(Regex::new);
        OpFilter { include: regex("op-include-regex"), exclude: regex("op-exclude-regex") }
    }

    /// Whether an operation is asked for, by its full name.
    pub(super) fn matches(&self, op: Rec<'_>) -> Result<bool, Diagnostic> {
        if self.include.is_none() && self.exclude.is_none() {
            return Ok(true);
        }
        let mnemonic = op.string("opName")?;
        let name = match op.def("opDialect")?.string("name")? {
            "" => mnemonic.to_owned(),
            dialect => format!("{dialect}.{mnemonic}"),
        };
        let finds = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(&name));
        Ok(self.include.as_ref().is_none_or(finds) && !self.exclude.as_ref().is_some_and(finds))
    }
}
