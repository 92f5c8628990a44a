//! `parse` and `print` of an attribute or type, by its declarative format.
//!
//! [`parser`] and [`printer`] walk the same elements. What they share is here: the format itself and the values of
//! the placeholders in the users' snippets.

pub(super) mod legacy;
pub(super) mod parser;
pub(super) mod printer;

use std::cell::RefCell;

use crate::{Cx, cpp::substitute};
use odsmith_ods::{
    AttrOrTypeDef, Parameter,
    format::{DefFormat, Element},
};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::diagnostic::Diagnostic;

/// The checked format of a definition; nothing if it is wrong and the user tolerates that.
///
/// # Errors
/// A message about the record; what is wrong with the format is reported before.
pub(super) fn checked<'r>(
    def: &AttrOrTypeDef<'r>,
    text: &'r str,
    cx: &Cx<'r>,
) -> Result<Option<DefFormat<'r>>, Diagnostic> {
    match DefFormat::new(def, text) {
        Ok(format) => Ok(Some(format)),
        Err(mut errors) => {
            if !cx.tolerates_format_errors() {
                errors.push(def.rec().error("failed to parse assembly format"));
            }
            cx.report_format(errors).map(|()| None)
        }
    }
}

/// The values of the placeholders in the users' snippets.
struct Placeholders {
    known: Vec<(&'static str, &'static str)>,
    /// The value of `$_self`: the reference leaves it at the last value it was needed for.
    own: Option<String>,
    /// The values of parameters, `$name`, which the defaults of later ones may use.
    parsed: Vec<(String, String)>,
    /// The values of `$_lhs` and `$_rhs`: the reference leaves them at those of the last comparison.
    compared: RefCell<Option<(String, String)>>,
}

impl Placeholders {
    fn new(known: &[(&'static str, &'static str)]) -> Self {
        Placeholders { known: known.to_vec(), own: None, parsed: Vec::new(), compared: RefCell::default() }
    }

    /// Fills a snippet in which more names are known.
    fn fill(&self, snippet: &str, more: &[(&str, &str)]) -> String {
        self.fill_with(snippet, more, &[])
    }

    /// Fills a snippet in which more names, and `$0`, `$1` …, are known.
    fn fill_with(&self, snippet: &str, more: &[(&str, &str)], args: &[&str]) -> String {
        let compared = self.compared.borrow();
        let mut names: Vec<(&str, &str)> = more.to_vec();
        names.extend(self.own.as_deref().map(|own| ("_self", own)));
        names.extend(self.parsed.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        names.extend(&self.known);
        names.extend(compared.iter().flat_map(|(lhs, rhs)| [("_lhs", lhs.as_str()), ("_rhs", rhs.as_str())]));
        substitute(snippet, &names).args(args).to_string()
    }

    /// The condition that a value is not the default one.
    fn is_not_default(&self, parameter: &Parameter<'_>, value: &str) -> String {
        let is_marked =
            parameter.rec().is_some_and(|rec| !rec.records().rules().has(Change::OptionalByDefault));
        if is_marked {
            return self.is_there_and_not_default(parameter, value);
        }
        let default = self.fill(parameter.default_value().unwrap_or_default(), &[]);
        *self.compared.borrow_mut() = Some((value.to_owned(), default));
        format!("!({})", self.fill(parameter.comparator(), &[]))
    }
}

impl Placeholders {
    /// The same where optional parameters are tested themselves.
    fn is_there_and_not_default(&self, parameter: &Parameter<'_>, value: &str) -> String {
        let Some(default) = parameter.default_value() else { return format!("({value})") };
        let own = [("_self", value)];
        let default = self.fill_with(default, &own, &[]);
        *self.compared.borrow_mut() = Some((value.to_owned(), default));
        format!("({value} && !({}))", self.fill_with(parameter.comparator(), &own, &[]))
    }
}

/// The parameter of a variable.
fn parameter<'d, 'r>(def: &'d AttrOrTypeDef<'r>, element: &Element<'r>) -> Option<&'d Parameter<'r>> {
    match element {
        Element::Variable(variable) => def.parameters().get(variable.index),
        Element::Ref(element) => parameter(def, element),
        _ => None,
    }
}

/// The parameter that an element of a `struct` is about.
fn bound_parameter<'d, 'r>(def: &'d AttrOrTypeDef<'r>, element: &Element<'r>) -> Option<&'d Parameter<'r>> {
    match element {
        Element::Custom(custom) => custom.parameters.iter().find_map(|element| parameter(def, element)),
        element => parameter(def, element),
    }
}

/// What `params` means: all parameters but an attribute's own type.
fn listed<'d, 'r>(def: &'d AttrOrTypeDef<'r>) -> impl Iterator<Item = &'d Parameter<'r>> {
    def.parameters().iter().filter(|parameter| !parameter.is_self_type())
}

/// Whether brackets are around a parameter of a struct: a list would take the comma before the next one.
fn is_bracketed(
    parameter: &Parameter<'_>,
    element: Option<&Element<'_>>,
    is_last: bool,
    rules: &Rules,
) -> bool {
    rules.has(Change::BracketedLists)
        && !is_last
        && matches!(element, None | Some(Element::Variable(_)))
        && parameter.is_bare_list()
}
