//! Conversions between classes of C++.

use std::fmt::Display;

use super::from_fn;
use odsmith_release::{Change, Rules};

/// Returns C++ that converts a value: `::llvm::cast<T>(value)`, or `value.cast<T>()` where classes have such members.
pub fn cast<'a>(
    rules: &Rules,
    function: &'a str,
    class: impl Display + 'a,
    value: impl Display + 'a,
) -> impl Display + 'a {
    let is_function = rules.has(Change::CastFunctions);
    let member = function.rsplit(':').next().unwrap_or(function);
    from_fn(move |f| match is_function {
        true => write!(f, "{function}<{class}>({value})"),
        false => write!(f, "{value}.{member}<{class}>()"),
    })
}
