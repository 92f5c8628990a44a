//! `parse` and `print` of an attribute or type, by its declarative format.
//!
//! [`parser`] and [`printer`] walk the same elements. This file has what both need: the format itself, and the values
//! of the placeholders in the users' snippets.

pub(super) mod parser;
pub(super) mod plain;
pub(super) mod printer;

use std::cell::RefCell;

use crate::{Cx, cpp::substitute};
use odsmith_ods::{
    AttrOrTypeDef, EnumInfo, Parameter,
    format::{DefFormat, Element},
};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::diagnostic::Diagnostic;

/// Returns the checked format of a definition; nothing if it is malformed and the user tolerates that.
///
/// # Errors
/// A message about the record. The mistakes in the format have been reported before.
pub(super) fn checked<'r>(
    def: &AttrOrTypeDef<'r>,
    text: &'r str,
    cx: &Cx<'r>,
) -> Result<Option<DefFormat<'r>>, Diagnostic> {
    match DefFormat::new(def, text) {
        Ok(format) => Ok(Some(format)),
        Err(mut errors) => {
            if !cx.tolerates_format_errors() {
                errors.push(def.definition().error("failed to parse assembly format"));
            }
            cx.report_format(errors).map(|()| None)
        }
    }
}

/// Checks the enums of all parameters that are fields of a `struct`.
///
/// # Errors
/// A parameter's enum cannot be found.
pub(super) fn check_fields(def: &AttrOrTypeDef<'_>, elements: &[Element<'_>]) -> Result<(), Diagnostic> {
    if !def.rules().has(Change::EnumsAsFields) {
        return Ok(());
    }
    for element in elements {
        match element {
            Element::Struct(elements) if matches!(elements[..], [Element::Params]) => {
                listed(def).try_for_each(|parameter| parameter.enum_info().map(drop))?;
            }
            Element::Struct(elements) => {
                let mut fields = elements.iter().filter_map(|element| parameter(def, element));
                fields.try_for_each(|parameter| parameter.enum_info().map(drop))?;
            }
            Element::Optional(group) => {
                check_fields(def, &group.then)?;
                check_fields(def, &group.otherwise)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the enum whose values a field of a `struct` has, rather than attributes.
fn enum_of_field<'r>(parameter: &Parameter<'r>, rules: &Rules) -> Option<EnumInfo<'r>> {
    rules.has(Change::EnumsAsFields).then(|| parameter.enum_info().ok())??
}

/// The values of the placeholders in the users' snippets.
struct Placeholders {
    known: Vec<(&'static str, &'static str)>,
    /// The value of `$_self`. The reference keeps the last value that was needed.
    own: Option<String>,
    /// The values of parameters, `$name`, which the defaults of later ones may use.
    parsed: Vec<(String, String)>,
    /// The values of `$_lhs` and `$_rhs`. The reference keeps those of the last comparison.
    compared: RefCell<Option<(String, String)>>,
}

impl Placeholders {
    fn new(known: &[(&'static str, &'static str)]) -> Self {
        Placeholders { known: known.to_vec(), own: None, parsed: Vec::new(), compared: RefCell::default() }
    }

    /// Fills a snippet that uses additional names.
    fn fill(&self, snippet: &str, more: &[(&str, &str)]) -> String {
        self.fill_with(snippet, more, &[])
    }

    /// Fills a snippet that uses additional names and `$0`, `$1` ….
    fn fill_with(&self, snippet: &str, more: &[(&str, &str)], args: &[&str]) -> String {
        let compared = self.compared.borrow();
        let mut names: Vec<(&str, &str)> = more.to_vec();
        names.extend(self.own.as_deref().map(|own| ("_self", own)));
        names.extend(self.parsed.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        names.extend(&self.known);
        names.extend(compared.iter().flat_map(|(lhs, rhs)| [("_lhs", lhs.as_str()), ("_rhs", rhs.as_str())]));
        substitute(snippet, &names).args(args).to_string()
    }

    /// Returns the condition that a value differs from the default.
    fn is_not_default(&self, parameter: &Parameter<'_>, value: &str) -> String {
        if parameter.may_be_marked_optional() {
            return self.is_there_and_not_default(parameter, value);
        }
        let default = self.fill(parameter.default_value().unwrap_or_default(), &[]);
        *self.compared.borrow_mut() = Some((value.to_owned(), default));
        format!("!({})", self.fill(parameter.comparator(), &[]))
    }
}

impl Placeholders {
    /// Returns the same condition in releases that test optional parameters themselves.
    fn is_there_and_not_default(&self, parameter: &Parameter<'_>, value: &str) -> String {
        let Some(default) = parameter.default_value() else { return format!("({value})") };
        let own = [("_self", value)];
        let default = self.fill_with(default, &own, &[]);
        *self.compared.borrow_mut() = Some((value.to_owned(), default));
        format!("({value} && !({}))", self.fill_with(parameter.comparator(), &own, &[]))
    }
}

/// Returns the parameter that an element refers to.
fn parameter<'d, 'r>(def: &'d AttrOrTypeDef<'r>, element: &Element<'r>) -> Option<&'d Parameter<'r>> {
    match element {
        Element::Variable(variable) => def.parameters().get(variable.index),
        Element::Ref(element) => parameter(def, element),
        _ => None,
    }
}

/// Returns the parameter that an element of a `struct` binds.
fn bound_parameter<'d, 'r>(def: &'d AttrOrTypeDef<'r>, element: &Element<'r>) -> Option<&'d Parameter<'r>> {
    match element {
        Element::Custom(custom) => custom.parameters.iter().find_map(|element| parameter(def, element)),
        element => parameter(def, element),
    }
}

/// Returns the parameters that `params` lists: all except an attribute's own type.
fn listed<'d, 'r>(def: &'d AttrOrTypeDef<'r>) -> impl Iterator<Item = &'d Parameter<'r>> {
    def.parameters().iter().filter(|parameter| !parameter.is_self_type())
}

/// Returns whether brackets enclose a parameter of a struct. A bare list would consume the comma after it.
fn is_bracketed(
    parameter: &Parameter<'_>,
    element: Option<&Element<'_>>,
    is_last: bool,
    rules: &Rules,
) -> bool {
    let has_commas = || {
        let bits = enum_of_field(parameter, rules).and_then(|info| info.bits);
        bits.is_some_and(|bits| !bits.is_quoted && bits.separator.trim_ascii() == ",")
    };
    rules.has(Change::BracketedLists)
        && !is_last
        && matches!(element, None | Some(Element::Variable(_)))
        && (parameter.is_bare_list() || has_commas())
}
