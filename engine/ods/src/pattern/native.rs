//! Calls of native code: class `NativeCodeCall`.

use crate::snippet::substitute;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// A call of native code.
#[derive(Clone, Copy, Debug)]
pub struct NativeCall<'r> {
    /// The record.
    pub rec: Rec<'r>,
    /// The C++ expression with its placeholders.
    pub expression: &'r str,
    /// The number of values that it returns.
    pub returns: i64,
}

impl<'r> NativeCall<'r> {
    /// Wraps a record of class `NativeCodeCall`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        Ok(NativeCall {
            rec,
            expression: rec.string(name!("expression"))?,
            // The reference keeps 32 bits of it.
            returns: i64::from(rec.int(name!("numReturns"))? as i32),
        })
    }
}

/// The values of `$_self` and `$_loc`. The reference keeps one table for a whole pattern, in which an entry lasts until
/// it is replaced: a snippet may see the value that an earlier one left.
#[derive(Clone, Debug, Default)]
pub(super) struct Placeholders {
    entity: Option<String>,
    location: Option<String>,
}

impl Placeholders {
    pub(super) fn set_self(&mut self, text: impl Into<String>) {
        self.entity = Some(text.into());
    }

    pub(super) fn set_location(&mut self, text: impl Into<String>) {
        self.location = Some(text.into());
    }

    /// Fills the placeholders of a snippet.
    pub(super) fn fill(&self, snippet: &str, args: &[String]) -> String {
        let mut names = vec![("_builder", "rewriter")];
        names.extend(self.entity.as_deref().map(|text| ("_self", text)));
        names.extend(self.location.as_deref().map(|text| ("_loc", text)));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        substitute(snippet, &names).args(&args).to_string()
    }
}
