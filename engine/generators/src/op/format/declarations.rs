//! The variables of the parser, in the order in which the format mentions their entities.

use super::{Cx, Length};
use crate::cpp::{Template, Writer};
use odsmith_ods::format::{Element, TypeOf, Variable, VariableKind};
use odsmith_release::{Change, spellings};

/// Writes the declaration of the storage that lists of operands share.
pub(super) fn emit_storage(cx: Cx<'_, '_>, w: &mut Writer) {
    if let Some(count) = shared_lists(cx) {
        writeln!(w, "  ::mlir::detail::OperandParserStorage<{count}> odsOperandVectors;");
    }
}

/// Returns the number of lists of operands in the shared storage; nothing if there is none.
fn shared_lists(cx: Cx<'_, '_>) -> Option<usize> {
    if !cx.op.rules().has(Change::SharedOperandStorage) || cx.format.has_all_operands {
        return None;
    }
    Some(cx.op.variable_length_operands().count()).filter(|count| *count > 1)
}

/// Writes the declarations for these elements and all inside them.
pub(super) fn emit_declarations<'r>(cx: Cx<'_, 'r>, elements: &[Element<'r>], w: &mut Writer) {
    for element in elements {
        match element {
            Element::Variable(variable) => emit_variable(cx, *variable, w),
            Element::Operands => w.fill(OPERANDS, &[("name", &"allOperands")]),
            Element::Regions => {
                w.raw("  ::llvm::SmallVector<std::unique_ptr<::mlir::Region>, 2> fullRegions;\n")
            }
            Element::Successors => w.raw("  ::llvm::SmallVector<::mlir::Block *, 2> fullSuccessors;\n"),
            Element::Type { of, .. } => emit_type(cx, *of, w),
            Element::FunctionalType { inputs, results } => {
                for of in [inputs, results] {
                    writeln!(w, "  ::llvm::ArrayRef<::mlir::Type> {}Types;", type_stem(*of));
                }
            }
            Element::Custom(custom) => emit_declarations(cx, &custom.parameters, w),
            Element::OiList(clauses) => {
                for clause in clauses {
                    if cx.implied_in_clause(&clause.elements).is_none() {
                        emit_declarations(cx, &clause.elements, w);
                    }
                }
            }
            Element::Optional(group) => {
                let implied = cx.implied_anchor(group).filter(|_| !group.is_inverted);
                for element in &group.then {
                    if implied.is_none() || element.variable() != implied {
                        emit_declarations(cx, std::slice::from_ref(element), w);
                    }
                }
                emit_declarations(cx, &group.otherwise, w);
            }
            Element::Literal(_)
            | Element::Whitespace(_)
            | Element::AttrDict { .. }
            | Element::PropDict
            | Element::Results
            | Element::Ref(_)
            | Element::Code(_)
            | Element::Params
            | Element::Struct(_) => {}
        }
    }
}

/// Returns the prefix of the names of the variables for types.
pub(super) fn type_stem<'r>(of: TypeOf<'r>) -> &'r str {
    match of {
        TypeOf::Variable(variable) => variable.name,
        TypeOf::Operands => "allOperand",
        TypeOf::Results => "allResult",
    }
}

fn emit_variable(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let Variable { name, .. } = variable;
    let is_one = cx.length(variable) == Length::One;
    match variable.kind {
        VariableKind::Operand => emit_operand(cx, variable, w),
        VariableKind::Attribute => writeln!(w, "  {} {name}Attr;", cx.attribute(variable).storage_type()),
        VariableKind::Region if is_one => writeln!(
            w,
            "  std::unique_ptr<::mlir::Region> {name}Region = std::make_unique<::mlir::Region>();"
        ),
        VariableKind::Region => {
            writeln!(w, "  ::llvm::SmallVector<std::unique_ptr<::mlir::Region>, 2> {name}Regions;")
        }
        VariableKind::Successor if is_one => writeln!(w, "  ::mlir::Block *{name}Successor = nullptr;"),
        VariableKind::Successor => {
            writeln!(w, "  ::llvm::SmallVector<::mlir::Block *, 2> {name}Successors;")
        }
        VariableKind::Property | VariableKind::Result | VariableKind::Parameter => {}
    }
}

fn emit_operand(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let (name, length) = (variable.name, cx.length(variable));
    if length == Length::One {
        w.fill(OPERAND, &[("name", &name)]);
    } else if shared_lists(cx).is_some() {
        let before = cx.op.operands().iter().take(variable.index);
        let index = before.filter(|operand| operand.constraint.is_variable_length()).count();
        writeln!(w, "  auto &{name}Operands = odsOperandVectors[{index}];");
    } else {
        w.fill(OPERANDS, &[("name", &format_args!("{name}Operands"))]);
    }
    if length == Length::VariadicOfVariadic {
        writeln!(w, "    llvm::SmallVector<int32_t> {name}OperandGroupSizes;");
    }
    writeln!(w, "  ::llvm::SMLoc {name}OperandsLoc;");
    writeln!(w, "  (void){name}OperandsLoc;");
}

const OPERANDS: Template = Template(
    r#"
  @SmallVector<@UnresolvedOperand, 4> @name;
"#,
);

// The reference continues on the same line.
const OPERAND: Template = Template(
    r#"
  @UnresolvedOperand @{name}RawOperand@raw_declared;
  ::llvm::ArrayRef<@UnresolvedOperand> @{name}Operands(@raw_address@{name}RawOperand@raw_listed);"#,
);

const TYPE: Template = Template(
    r#"
  ::mlir::Type @{name}RawType@raw_declared;
  ::llvm::ArrayRef<::mlir::Type> @{name}Types(@raw_address@{name}RawType@raw_listed);
"#,
);

fn emit_type(cx: Cx<'_, '_>, of: TypeOf<'_>, w: &mut Writer) {
    match of {
        TypeOf::Variable(variable) if cx.length(variable) == Length::One => {
            w.fill(TYPE, &[("name", &variable.name)]);
        }
        TypeOf::Variable(_) | TypeOf::Operands | TypeOf::Results => {
            let list = spellings::SmallVector.of(w.rules());
            writeln!(w, "  {list}<::mlir::Type, 1> {}Types;", type_stem(of));
        }
    }
}
