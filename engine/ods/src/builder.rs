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
    /// The view of a builder's record; `owner` is what it builds.
    ///
    /// # Errors
    /// The dag is not led by `ins`, or an argument is neither a type's name nor a `CArg`.
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

    /// Whether the C++ types of all parameters are known.
    ///
    /// # Errors
    /// One of them is not.
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

    /// Whether it says where the context comes from, as builders of attributes and types do.
    ///
    /// # Errors
    /// It does not.
    pub fn check_context(&self) -> Result<(), Diagnostic> {
        self.rec.bit(name!("hasInferredContextParam")).map(drop)
    }

    /// C++ of its body; only declared where there is none.
    #[must_use]
    pub fn body(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("body")).filter(|body| !body.is_empty())
    }

    /// Why C++ callers should not use it any more.
    #[must_use]
    pub fn deprecated(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("odsCppDeprecated")).filter(|reason| !reason.is_empty())
    }

    /// The return type, of a builder of an attribute or type.
    #[must_use]
    pub fn return_type(&self) -> Option<&'r str> {
        self.rec.optional_string(name!("returnType")).filter(|ty| !ty.is_empty())
    }

    /// Whether the context follows from a parameter, of a builder of an attribute or type.
    #[must_use]
    pub fn has_inferred_context(&self) -> bool {
        self.rec.is_set(name!("hasInferredContextParam"))
    }
}

/// The builders in a record's field `builders`, without those that break a rule; none where it is unset.
pub(super) fn builders<'r>(rec: Rec<'r>, mistake: &mut Mistake) -> Vec<Builder<'r>> {
    let all = defs(rec, name!("builders"));
    all.filter_map(|builder| mistake.keep(Builder::new(builder, rec).map(Some))).collect()
}
