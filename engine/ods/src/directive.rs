//! Directive languages (OpenMP, OpenACC), as LLVM describes them: classes `DirectiveLanguage`, `Clause`, `ClauseVal`.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// A directive language.
#[derive(Clone, Copy, Debug)]
pub struct DirectiveLanguage<'r>(Rec<'r>);

impl<'r> DirectiveLanguage<'r> {
    /// Wraps a record of class `DirectiveLanguage`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        DirectiveLanguage(rec)
    }

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    needed! {
        /// Returns the C++ namespace.
        cpp_namespace: string "cppNamespace" -> &'r str;
    }
}

/// A clause of a directive.
#[derive(Clone, Copy, Debug)]
pub struct DirectiveClause<'r>(Rec<'r>);

impl<'r> DirectiveClause<'r> {
    /// Wraps a record of class `Clause`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        DirectiveClause(rec)
    }

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    needed! {
        /// Returns the name of the enum of its values.
        enum_name: string "enumClauseValue" -> &'r str;
    }

    /// Returns the values that it allows.
    ///
    /// # Errors
    /// The field is no list of records.
    pub fn values(self) -> Result<Vec<ClauseValue<'r>>, Diagnostic> {
        Ok(self.0.defs("allowedClauseValues")?.into_iter().map(ClauseValue).collect())
    }
}

/// A value of a clause.
#[derive(Clone, Copy, Debug)]
pub struct ClauseValue<'r>(Rec<'r>);

impl<'r> ClauseValue<'r> {
    fn rec(&self) -> Rec<'r> {
        self.0
    }

    needed! {
        /// Returns whether users may write it.
        is_user_value: bit "isUserValue" -> bool;
    }

    /// Returns its text: the name, or the spelling of the earliest version.
    ///
    /// # Errors
    /// A field has no value.
    pub fn spelling(self) -> Result<&'r str, Diagnostic> {
        let is_named = self.0.get(name!("name")).is_some_and(|name| !name.is_unset());
        if is_named || !self.0.records().rules().has(Change::DirectiveSpellings) {
            return self.0.string(name!("name"));
        }
        let mut first = None;
        for spelling in self.0.defs("spellings")? {
            let text = spelling.string("spelling")?;
            let since = spelling.int("minVersion")?;
            spelling.int("maxVersion")?;
            if first.is_none_or(|(earliest, _)| since < earliest) {
                first = Some((since, text));
            }
        }
        Ok(first.map_or("not found", |(_, text)| text))
    }
}
