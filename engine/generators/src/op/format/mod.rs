//! The bodies of `parse` and `print` that an operation's declarative assembly format describes.
//!
//! | file | what |
//! | --- | --- |
//! | [`declarations`] | the variables of the parser |
//! | [`parser`] | how each element is parsed |
//! | [`optional`] | how optional groups and `oilist` are parsed |
//! | [`attribute`] | how attributes and properties are parsed |
//! | [`legacy_attribute`] | the same before there were properties |
//! | [`custom`] | how `custom` is parsed |
//! | [`resolve`] | what the parser does when all is read: segment sizes, types, operands |
//! | [`printer`] | how each element is printed |
//! | [`presence`] | when an optional group or a clause of `oilist` is printed |
//! | [`dictionary`] | how `attr-dict` and `prop-dict` are printed |

mod attribute;
mod custom;
mod declarations;
mod dictionary;
mod legacy_attribute;
mod optional;
mod parser;
mod presence;
mod printer;
mod resolve;

use crate::cpp::{
    Writer,
    writer::{has_blanks, is_blank},
};
use odsmith_ods::{
    Attribute, Operation, Property, TypeConstraint,
    format::{Element, OpFormat, OptionalGroup, Variable, VariableKind},
};
use odsmith_release::Change;
use odsmith_tablegen::record::name;

/// Writes the text between the braces of `parse`.
pub(super) fn emit_parse_body(op: &Operation<'_>, format: &OpFormat<'_>, w: &mut Writer) {
    let cx = Cx { op, format };
    tidied(w, |w| {
        declarations::emit_declarations(cx, &format.elements, w);
        parser::emit_elements(cx, &format.elements, parser::Presence::AsDeclared, w);
        resolve::emit_resolution(cx, w);
        w.raw("  return ::mlir::success();\n");
    });
}

/// Writes the text between the braces of `print`.
pub(super) fn emit_print_body(op: &Operation<'_>, format: &OpFormat<'_>, w: &mut Writer) {
    if w.rules().has(Change::PrintedNames) {
        return tidied(w, |w| printer::emit_printer(Cx { op, format }, w));
    }
    // The printer had another name, and printed that of the operation.
    let start = w.position();
    let name = op.name();
    tidied(w, |w| {
        writeln!(w, "  p << \"{}\";", name.strip_prefix("std.").unwrap_or(&name));
        printer::emit_printer(Cx { op, format }, w);
    });
    let written = w.since(start).replace("_odsPrinter", "p");
    w.replace(start, &written);
}

/// Takes from what `body` writes the blank lines at its start, and the blanks on other lines that have nothing else.
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

/// The operation, and what its format means.
#[derive(Clone, Copy)]
struct Cx<'a, 'r> {
    op: &'a Operation<'r>,
    format: &'a OpFormat<'r>,
}

/// How many values there may be of an operand or result, or regions or successors of one.
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

    /// The type constraint of an operand or result.
    fn constraint(self, variable: Variable<'_>) -> TypeConstraint<'r> {
        match variable.kind {
            VariableKind::Result => self.op.results()[variable.index].constraint,
            _ => self.op.operands()[variable.index].constraint,
        }
    }

    /// How many there may be of an operand or result, region or successor.
    fn length(self, variable: Variable<'_>) -> Length {
        let variadic = |is_variadic| if is_variadic { Length::Variadic } else { Length::One };
        match variable.kind {
            VariableKind::Operand | VariableKind::Result => Length::of(self.constraint(variable)),
            VariableKind::Region => variadic(self.op.regions()[variable.index].is_variadic()),
            VariableKind::Successor => variadic(self.op.successors()[variable.index].is_variadic()),
            VariableKind::Attribute | VariableKind::Property | VariableKind::Parameter => Length::One,
        }
    }

    /// Whether the operation has a struct `Properties` that its inherent attributes are stored in.
    fn has_properties(self) -> bool {
        self.op.dialect().uses_properties_for_attributes() || !self.op.properties().is_empty()
    }

    /// Whether there is anything to be done for `prop-dict`.
    fn has_dictionary(self) -> bool {
        self.has_properties() || !self.op.rec().records().rules().has(Change::DictionaryNeedsProperties)
    }

    /// Whether attributes that are parsed become members of that struct.
    fn stores_in_properties(self) -> bool {
        match self.op.rec().records().rules().has(Change::StoredInProperties) {
            true => self.has_properties(),
            false => self.op.dialect().uses_properties_for_attributes(),
        }
    }

    /// Whether a trait of the library is there: `SingleBlock`, ….
    fn has_op_trait(self, name: &str) -> bool {
        self.op.traits().iter().any(|t| {
            let is_library = t.rec().optional_string(name!("cppNamespace")) == Some("::mlir::OpTrait");
            is_library && t.trait_name() == name
        })
    }

    /// Whether the one region's single block ends with a terminator that need not be written.
    fn has_implicit_terminator(self) -> bool {
        self.op.traits().iter().any(|t| t.trait_name().starts_with("SingleBlockImplicitTerminator"))
    }

    /// Whether an attribute or property says all by being there.
    fn is_unit(self, variable: Variable<'_>) -> bool {
        match variable.kind {
            VariableKind::Attribute => self.attribute(variable).is_unit(),
            VariableKind::Property => self.property(variable).is_unit(),
            _ => false,
        }
    }

    /// The anchor that is not written, as the rest of its group shows whether it is there.
    fn implied_anchor(self, group: &OptionalGroup<'r>) -> Option<Variable<'r>> {
        let variable = group.anchor()?.variable().filter(|variable| self.is_unit(*variable))?;
        // An element that is printed only counts as the first one, too.
        (group.anchor > 0).then_some(variable)
    }

    /// The only element of a clause of `oilist`, if its keyword already shows whether it is there.
    fn implied_in_clause(self, elements: &[Element<'r>]) -> Option<Variable<'r>> {
        match elements {
            [Element::Variable(variable)] => Some(*variable).filter(|variable| self.is_unit(*variable)),
            _ => None,
        }
    }
}

/// The call that makes the type of an attribute's value, if there is only one.
fn value_type_call<'r>(attribute: Attribute<'r>) -> Option<&'r str> {
    attribute.value_type()?.builder_call()
}
