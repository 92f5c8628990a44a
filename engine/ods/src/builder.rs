//! Custom builders: classes `OpBuilder` and `AttrOrTypeBuilder`.

use super::{definition::defs, lenient::Mistake};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
    span::Span,
};

/// A custom builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builder<'r> {
    /// The record.
    pub rec: Rec<'r>,
    /// Its parameters, in order.
    pub parameters: Vec<BuilderParameter<'r>>,
}

/// A parameter of a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuilderParameter<'r> {
    /// The name without `$`, if it has one.
    pub name: Option<&'r str>,
    /// The C++ type.
    pub cpp_type: &'r str,
    /// The default value in C++.
    pub default_value: Option<&'r str>,
}

impl<'r> Builder<'r> {
    /// Reads the record of a builder of `owner`.
    ///
    /// # Errors
    /// The dag's operator is not `ins`, or an argument is neither the name of a type nor a `CArg`.
    pub fn new(rec: Rec<'r>, owner: Rec<'r>) -> Result<Self, Diagnostic> {
        let must_be_named = rec.is_subclass_of(name!("AttrOrTypeBuilder"));
        let dag = rec.dag(name!("dagParams"))?;
        if dag.operator_def().is_none_or(|operator| operator.name() != "ins") {
            return Err(Diagnostic::error(rec.span(), "expected 'ins' in builders"));
        }
        let mut parameters = Vec::with_capacity(dag.len());
        let mut has_default = false;
        for (index, (value, name)) in dag.args().enumerate() {
            let (cpp_type, default_value) = match (value.as_str(), value.as_def()) {
                (Some(ty), _) => (ty, None),
                (None, Some(carg)) => {
                    let default =
                        carg.optional_string(name!("defaultValue")).filter(|value| !value.is_empty());
                    (carg.optional_string(name!("type")).unwrap_or_default(), default)
                }
                (None, None) => {
                    let message = format!("expected string or CArg argument #{index}");
                    return Err(Diagnostic::error(rec.span(), message));
                }
            };
            if must_be_named && name.is_none() {
                return Err(Diagnostic::error(owner.span(), "builder parameters must have a name"));
            }
            if has_default && default_value.is_none() {
                let message =
                    "expected an argument with default value after other arguments with default values";
                return Err(Diagnostic::error(owner.span(), message));
            }
            has_default |= default_value.is_some();
            parameters.push(BuilderParameter { name, cpp_type, default_value });
        }
        Ok(Builder { rec, parameters })
    }

    /// Checks that all parameters have a C++ type.
    ///
    /// # Errors
    /// A parameter has none.
    pub fn check_types(&self) -> Result<(), Diagnostic> {
        const UNTYPED: &str = "Builder DAG arguments must be either strings or defs which inherit from CArg";
        let records = self.rec.dag(name!("dagParams"))?.args().filter_map(|(value, _)| value.as_def());
        for parameter in records {
            if !parameter.is_subclass_of("CArg") {
                return Err(Diagnostic::error(Span::NONE, UNTYPED));
            }
            parameter.string(name!("type"))?;
        }
        Ok(())
    }

    /// Checks that a builder of an attribute or type says where the context comes from.
    ///
    /// # Errors
    /// The field is unset.
    pub fn check_context(&self) -> Result<(), Diagnostic> {
        self.rec.bit(name!("hasInferredContextParam")).map(drop)
    }

    /// Returns the C++ of the body. A builder without one is only declared.
    #[must_use]
    pub fn body(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("body")).filter(|body| !body.is_empty())
    }

    /// Returns the deprecation message for C++ callers.
    #[must_use]
    pub fn deprecated(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("odsCppDeprecated")).filter(|reason| !reason.is_empty())
    }

    /// Returns the return type of a builder of an attribute or type.
    #[must_use]
    pub fn return_type(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("returnType")).filter(|ty| !ty.is_empty())
    }

    /// Returns whether a builder of an attribute or type takes the context from a parameter.
    #[must_use]
    pub fn has_inferred_context(&self) -> bool {
        self.rec.is_set(name!("hasInferredContextParam"))
    }
}

/// Reads the field `builders` of a record without the builders that break a rule; empty if it is unset.
pub(super) fn builders<'r>(rec: Rec<'r>, mistake: &mut Mistake) -> Vec<Builder<'r>> {
    let all = defs(rec, name!("builders"));
    all.filter_map(|builder| mistake.keep(Builder::new(builder, rec).map(Some))).collect()
}
