//! Options that hold a regular expression, such as `-op-include-regex`.

use std::cell::Cell;

use super::Options;
use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic},
    regex::Regex,
    span::Span,
    text,
};

/// Maximum work of one option's expression in one output; only expressions with references to groups need much.
const FUEL: u64 = 20_000_000;

/// The expression of an option; a malformed one finds nothing.
pub(super) struct RegexOption {
    regex: Option<Regex>,
    fuel_left: Cell<u64>,
}

impl RegexOption {
    /// Returns the option's expression, if it is not empty.
    pub(super) fn of(options: &Options, name: &str) -> Option<Self> {
        let text = options.get(name).filter(|text| !text.is_empty())?;
        let regex = Regex::new(&text::decode(text.to_owned())).ok();
        Some(RegexOption { regex, fuel_left: Cell::new(FUEL) })
    }

    /// Returns whether the expression matches in this text.
    pub(super) fn finds(&self, text: &str) -> Result<bool, Diagnostic> {
        let Some(regex) = &self.regex else { return Ok(false) };
        regex.is_match(&text::decode(text.to_owned()), &mut |units| {
            let left = self.fuel_left.get().checked_sub(units).ok_or_else(|| {
                let message = format!("limit reached: regular expression (at most {FUEL} units of work)");
                Diagnostic::fatal(Span::NONE, message).code(Code::Limit)
            })?;
            self.fuel_left.set(left);
            Ok(())
        })
    }
}
