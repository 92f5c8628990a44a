//! Parsing of optional groups and `oilist`.

use super::{
    Cx, Length,
    attribute::emit_unit,
    custom,
    parser::{Presence, emit_element, emit_elements, emit_region_end},
};
use crate::{
    cpp::{Template, Writer},
    format::ParseLiteral,
};
use odsmith_ods::format::{Clause, Element, OptionalGroup, Variable, VariableKind};
use odsmith_release::{Change, spellings};

/// Writes the parser of an optional group: the presence of its first element decides.
pub(super) fn emit_group<'r>(cx: Cx<'_, 'r>, group: &OptionalGroup<'r>, w: &mut Writer) {
    let implied = cx.implied_anchor(group).filter(|_| !group.is_anchor_parsed_first());
    let first = group.first_parsed();
    if let Some(element) = group.then.get(first) {
        emit_decision(cx, element, w);
    }
    let rest = group.then.get(first + 1..).unwrap_or_default();
    emit_branch(cx, rest, implied.filter(|_| !group.is_inverted), Presence::Required, w);
    if !group.otherwise.is_empty() {
        w.raw("  } else {\n");
        let presence = match w.rules().has(Change::RequiredOtherwise) {
            true => Presence::Required,
            false => Presence::AsDeclared,
        };
        emit_branch(cx, &group.otherwise, implied.filter(|_| group.is_inverted), presence, w);
    }
    w.raw("  }\n");
}

/// Writes the elements of a branch after the one that selects it.
fn emit_branch<'r>(
    cx: Cx<'_, 'r>,
    elements: &[Element<'r>],
    implied: Option<Variable<'r>>,
    presence: Presence,
    w: &mut Writer,
) {
    if let Some(variable) = implied {
        emit_unit(cx, variable, false, w);
    }
    for element in elements {
        if implied.is_none() || element.variable() != implied {
            emit_element(cx, element, presence, w);
        }
    }
}

/// Writes the parser of the first element, and the start of the code for the case that it is present.
fn emit_decision<'r>(cx: Cx<'_, 'r>, element: &Element<'r>, w: &mut Writer) {
    match element {
        Element::Literal(literal) => {
            let call = ParseLiteral::optional(literal);
            writeln!(w, "  if ({}(parser.{call})) {{", spellings::succeeded.of(w.rules()));
        }
        Element::Variable(variable) => {
            emit_element(cx, element, Presence::Optional, w);
            emit_presence(cx, *variable, w);
        }
        Element::Custom(custom) => custom::emit_optional_custom(cx, custom, w),
        _ => {}
    }
}

fn emit_presence(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let name = variable.name;
    match variable.kind {
        VariableKind::Attribute => writeln!(w, "  if ({name}Attr) {{"),
        VariableKind::Operand => writeln!(w, "  if (!{name}Operands.empty()) {{"),
        VariableKind::Property => {
            let result = format_args!("{name}PropParseResult");
            writeln!(w, "if ({result}.has_value() && succeeded(*{result}))  {{");
        }
        VariableKind::Region if cx.length(variable) == Length::One => {
            // The reference indents the next text, even if it is only the next element.
            write!(w, "  if (!{name}Region->empty()) {{\n  ");
            emit_region_end(cx, name, w);
        }
        VariableKind::Region => writeln!(w, "  if (!{name}Regions.empty()) {{"),
        VariableKind::Result | VariableKind::Successor | VariableKind::Parameter => {}
    }
}

/// Writes the parser of an `oilist`: its clauses in any order, each at most once.
pub(super) fn emit_oilist<'r>(cx: Cx<'_, 'r>, clauses: &[Clause<'r>], w: &mut Writer) {
    for clause in clauses {
        writeln!(w, "  bool {}Clause = false;", clause.literal());
    }
    w.raw("  while(true) {\n");
    for clause in clauses {
        let literal = clause.literal();
        let call = ParseLiteral::optional(literal);
        w.fill(CLAUSE, &[("call", &call), ("name", &literal)]);
        match cx.implied_in_clause(&clause.elements) {
            Some(variable) => emit_unit(cx, variable, true, w),
            None => emit_elements(cx, &clause.elements, Presence::AsDeclared, w),
        }
        w.raw("    } else ");
    }
    w.raw(" {\n    break;\n  }\n}\n");
}

const CLAUSE: Template = Template(
    r#"
if (succeeded(parser.@call)) {

  if (@{name}Clause) {
    return parser.emitError(parser.getNameLoc())
          << "`@name` clause can appear at most once in the expansion of the "
             "oilist directive";
  }
  @{name}Clause = true;
"#,
);
