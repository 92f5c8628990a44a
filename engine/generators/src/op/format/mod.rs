//! The bodies of `parse` and `print` that an operation's declarative assembly format describes.
//!
//! | file | what |
//! | --- | --- |
//! | [`declarations`] | the variables of the parser |
//! | [`parser`] | parsing of each element, optional groups and `oilist` |
//! | [`attribute`] | parsing of attributes and properties |
//! | [`dictionary_attribute`] | the same in releases without properties |
//! | [`custom`] | parsing of `custom` |
//! | [`resolve`] | the end of the parser: segment sizes, types, operands |
//! | [`printer`] | printing of each element |
//! | [`presence`] | the conditions for printing an optional group or a clause of `oilist` |
//! | [`dictionary`] | printing of `attr-dict` and `prop-dict` |
//! | [`key_values`] | `prop-dict` as a list of keys and values |

mod attribute;
mod custom;
mod declarations;
mod dictionary;
mod dictionary_attribute;
pub(super) mod key_values;
mod parser;
mod presence;
mod printer;
mod resolve;

use crate::cpp::{
    Writer,
    writer::{has_blanks, is_blank},
};
use odsmith_ods::{
    Attribute, EnumInfo, Operation, Property, TypeConstraint,
    format::{Element, OpFormat, OptionalGroup, Variable, VariableKind},
};
use odsmith_release::Change;

/// Writes the text between the braces of `parse`.
pub(super) fn emit_parse_body(op: &Operation<'_>, format: &OpFormat<'_>, w: &mut Writer) {
    let cx = Cx { op, format };
    tidied(w, |w| {
        declarations::emit_storage(cx, w);
        declarations::emit_declarations(cx, &format.elements, w);
        parser::emit_elements(cx, &format.elements, Presence::AsDeclared, w);
        resolve::emit_resolution(cx, w);
        w.raw("  return ::mlir::success();\n");
    });
}

/// Writes the text between the braces of `print`.
pub(super) fn emit_print_body(op: &Operation<'_>, format: &OpFormat<'_>, w: &mut Writer) {
    if w.rules().has(Change::PrintedNames) {
        return tidied(w, |w| printer::emit_printer(Cx { op, format }, w));
    }
    // In old releases the printer has another name, and prints that of the operation.
    let start = w.position();
    let name = op.name();
    tidied(w, |w| {
        writeln!(w, "  p << \"{}\";", name.strip_prefix("std.").unwrap_or(&name));
        printer::emit_printer(Cx { op, format }, w);
    });
    let written = w.since(start).replace("_odsPrinter", "p");
    w.replace(start, &written);
}

/// Returns whether the parser computes lengths of groups, or of the segments of an operand, itself.
pub(super) fn computes_lengths(op: &Operation<'_>, format: &OpFormat<'_>, name: &str) -> bool {
    let cx = Cx { op, format };
    dictionary::elided_segments(cx).contains(&name) || dictionary::elided_runs(cx).contains(&name)
}

/// Removes blank lines at the start of the text that `body` writes, and blanks on other lines that have nothing else.
fn tidied(w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    let keeps_blanks = !w.rules().has(Change::SpacedMembers);
    let start = w.position();
    body(w);
    let written = w.since(start);
    if written.starts_with('\n') || !keeps_blanks && has_blanks(written) {
        let is_blank = |line: &&str| line.ends_with('\n') && is_blank(line);
        let lines = written.split_inclusive('\n').skip_while(is_blank);
        let kept: String =
            lines.map(|line| if is_blank(&line) && !keeps_blanks { "\n" } else { line }).collect();
        w.replace(start, &kept);
    }
}

/// The operation, and its format.
#[derive(Clone, Copy)]
struct Cx<'a, 'r> {
    op: &'a Operation<'r>,
    format: &'a OpFormat<'r>,
}

/// The number of values of an operand or result, or of regions or successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    One,
    Optional,
    Variadic,
    VariadicOfVariadic,
}

impl Length {
    fn of(constraint: TypeConstraint<'_>) -> Self {
        if constraint.is_optional() {
            Length::Optional
        } else if constraint.is_variadic_of_variadic() {
            Length::VariadicOfVariadic
        } else if constraint.is_variadic() {
            Length::Variadic
        } else {
            Length::One
        }
    }
}

impl<'r> Cx<'_, 'r> {
    fn class_name(self) -> &'r str {
        self.op.cpp_class_name()
    }

    fn attribute(self, variable: Variable<'_>) -> Attribute<'r> {
        self.op.attributes()[variable.index].attribute
    }

    fn property(self, variable: Variable<'_>) -> Property<'r> {
        self.op.properties()[variable.index].property
    }

    /// Returns the type constraint of an operand or result.
    fn constraint(self, variable: Variable<'_>) -> TypeConstraint<'r> {
        match variable.kind {
            VariableKind::Result => self.op.results()[variable.index].constraint,
            _ => self.op.operands()[variable.index].constraint,
        }
    }

    /// Returns the number of values of an operand or result, or of regions or successors.
    fn length(self, variable: Variable<'_>) -> Length {
        let variadic = |is_variadic| if is_variadic { Length::Variadic } else { Length::One };
        match variable.kind {
            VariableKind::Operand | VariableKind::Result => Length::of(self.constraint(variable)),
            VariableKind::Region => variadic(self.op.regions()[variable.index].is_variadic()),
            VariableKind::Successor => variadic(self.op.successors()[variable.index].is_variadic()),
            VariableKind::Attribute | VariableKind::Property | VariableKind::Parameter => Length::One,
        }
    }

    /// Returns whether the operation has a struct `Properties` that stores its inherent attributes.
    fn has_properties(self) -> bool {
        self.op.dialect().uses_properties_for_attributes() || !self.op.properties().is_empty()
    }

    /// Returns whether `prop-dict` has any effect.
    fn has_dictionary(self) -> bool {
        self.has_properties() || !self.op.rules().has(Change::DictionaryNeedsProperties)
    }

    /// Returns whether parsed attributes become members of that struct.
    fn stores_in_properties(self) -> bool {
        match self.op.rules().has(Change::StoredInProperties) {
            true => self.has_properties(),
            false => self.op.dialect().uses_properties_for_attributes(),
        }
    }

    /// Returns whether the operation has a trait of the library: `SingleBlock`, ….
    fn has_op_trait(self, name: &str) -> bool {
        self.op.traits().iter().any(|t| {
            let is_library = t.cpp_namespace() == "::mlir::OpTrait";
            is_library && t.trait_name() == name
        })
    }

    /// Returns whether the single block of its region ends with a terminator that may be omitted.
    fn has_implicit_terminator(self) -> bool {
        self.op.traits().iter().any(|t| t.trait_name().starts_with("SingleBlockImplicitTerminator"))
    }

    /// Returns whether an attribute or property has no value other than its presence.
    fn is_unit(self, variable: Variable<'_>) -> bool {
        match variable.kind {
            VariableKind::Attribute => self.attribute(variable).is_unit(),
            VariableKind::Property => self.property(variable).is_unit(),
            _ => false,
        }
    }

    /// Returns the anchor if it is not written, because the rest of its group shows its presence.
    fn implied_anchor(self, group: &OptionalGroup<'r>) -> Option<Variable<'r>> {
        let variable = group.anchor()?.variable().filter(|variable| self.is_unit(*variable))?;
        // An element that is only printed counts as the first one, too.
        (group.anchor > 0).then_some(variable)
    }

    /// Returns the only element of a clause of `oilist`, if the keyword already shows its presence.
    fn implied_in_clause(self, elements: &[Element<'r>]) -> Option<Variable<'r>> {
        match elements {
            [Element::Variable(variable)] => Some(*variable).filter(|variable| self.is_unit(*variable)),
            _ => None,
        }
    }
}

/// Returns the call that builds the type of an attribute's value, if there is only one such type.
fn value_type_call<'r>(attribute: Attribute<'r>) -> Option<&'r str> {
    attribute.value_type()?.builder_call()
}

/// The rule for whether an element may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// Its definition decides.
    AsDeclared,
    /// It is present, because an element before it in its group was.
    Required,
    /// It may be missing, because its group begins with it.
    Optional,
}

/// Returns the enum of an attribute that is written as one of its cases, by its class or by `enum(…)`.
fn enum_of<'r>(attribute: Attribute<'r>, variable: Variable<'_>) -> Option<EnumInfo<'r>> {
    let forced = || attribute.enum_info().filter(|_| variable.is_case).map(EnumInfo::lenient);
    attribute.written_as_case().or_else(forced)
}

/// Indents each line that `body` writes, unless it is empty, by a number of columns.
fn shifted(columns: usize, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    let start = w.position();
    body(w);
    for line in w.cut(start).split_inclusive('\n') {
        if line != "\n" {
            write!(w, "{:columns$}", "");
        }
        w.raw(line);
    }
}

/// Writes a call whose failure ends the parser.
fn emit_or_fail(call: impl std::fmt::Display, w: &mut Writer) {
    writeln!(w, "  if ({call})\n    return ::mlir::failure();");
}
