//! Type constraints: class `TypeConstraint`, of operands and results.

use std::borrow::Cow;

use super::{Constraint, Dialect};
use odsmith_release::fields;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, Val, name},
};

/// A type constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeConstraint<'r>(Rec<'r>);

impl<'r> TypeConstraint<'r> {
    /// Wraps a record of class `TypeConstraint`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        TypeConstraint(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    reads! {
        self;
        /// Returns whether it is `Optional<…>`: none or one.
        is_optional: class name!("Optional");
        /// Returns whether it is `Variadic<…>`: any number.
        is_variadic: class name!("Variadic");
        /// Returns whether it is `VariadicOfVariadic<…>`: any number of segments.
        is_variadic_of_variadic: class name!("VariadicOfVariadic");
    }

    identity!();

    /// Returns the constraint as one of any kind.
    #[must_use]
    pub fn constraint(self) -> Constraint<'r> {
        Constraint::new(self.0)
    }

    /// Returns the one-line summary.
    #[must_use]
    pub fn summary(self) -> &'r str {
        self.constraint().summary()
    }

    /// Returns whether the number of values may differ from one.
    #[must_use]
    pub fn is_variable_length(self) -> bool {
        self.is_optional() || self.is_variadic()
    }

    /// Returns the attribute with the lengths of the segments, for `VariadicOfVariadic`.
    #[must_use]
    pub fn segment_attribute(self) -> Option<&'r str> {
        self.is_variadic_of_variadic().then(|| self.0.optional_string(name!("segmentAttrName"))).flatten()
    }

    /// Returns the type inside `Optional<…>` or `Variadic<…>`, or itself.
    #[must_use]
    pub fn base(self) -> TypeConstraint<'r> {
        let base =
            self.is_variable_length().then(|| self.0.get(name!("baseType")).and_then(Val::as_def)).flatten();
        base.map_or(self, TypeConstraint)
    }

    /// Checks that the C++ class of the type is set; the library of earlier releases has no such field.
    ///
    /// # Errors
    /// The field is missing or unset.
    pub fn check_cpp_type(self) -> Result<(), Diagnostic> {
        self.0.string(fields::CPP_TYPE.of(self.0.records().rules())).map(drop)
    }

    /// Returns the C++ class of the type.
    #[must_use]
    pub fn cpp_type(self) -> Cow<'r, str> {
        cpp_type(self.0).unwrap_or(Cow::Borrowed("::mlir::Type"))
    }

    /// Returns the C++ call that makes the type, if only one type satisfies the constraint.
    #[must_use]
    pub fn builder_call(self) -> Option<&'r str> {
        self.base().0.optional_string(name!("builderCall")).filter(|call| !call.is_empty())
    }

    /// Returns the dialect of a type that belongs to one.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect<'r>> {
        self.0.get(name!("dialect")).and_then(Val::as_def).map(Dialect::new)
    }
}

/// Returns the C++ class of a type, from the field that the release has for it. The class has its namespace; in old
/// releases it may be a bare name, to which the namespace of the dialect is added.
pub(super) fn cpp_type(rec: Rec<'_>) -> Option<Cow<'_, str>> {
    let rules = rec.records().rules();
    let field = fields::CPP_TYPE.of(rules);
    if field == "cppType" {
        return rec.optional_string(name!("cppType")).map(Cow::Borrowed);
    }
    let class = rec.optional_string(field)?;
    let dialect = rec.get(name!("dialect")).and_then(Val::as_def).filter(|_| !class.contains("::"));
    Some(match dialect {
        Some(dialect) => Cow::Owned(format!("{}::{class}", Dialect::new(dialect).cpp_namespace())),
        None => Cow::Borrowed(class),
    })
}
