//! The rewrite of a pattern: from captured variables to new operations.

use crate::cpp::{Writer, from_fn, join};
use odsmith_ods::{
    Argument, Operation, Pattern, cpp_name,
    pattern::{Creation, CreationArgument, ResultTypes, Step},
};
use odsmith_release::{Change, spellings};

/// Writes the body of a pattern's rewrite.
pub(super) fn emit(pattern: &Pattern<'_>, w: &mut Writer) {
    let rewrite = &pattern.rewrite;
    let locations =
        (0..pattern.matched_ops).map(|number| from_fn(move |f| write!(f, "tblgen_ops[{number}]->getLoc()")));
    w.line(format_args!("auto odsLoc = rewriter.getFusedLoc({{{}}}); (void)odsLoc;", join(locations, ", ")));
    emit_steps(&rewrite.auxiliary, w);
    let has_results = !pattern.root.results().is_empty();
    if has_results {
        w.line("::llvm::SmallVector<::mlir::Value, 4> tblgen_repl_values;");
    }
    for replacement in &rewrite.replacements {
        emit_steps(&replacement.steps, w);
        if replacement.ranges.is_empty() {
            w.blank();
        }
        for range in &replacement.ranges {
            w.blank();
            w.braces(format_args!("for (auto v: ::llvm::SmallVector<::mlir::Value, 4>{{ {range} }})"), |w| {
                w.line("tblgen_repl_values.push_back(v);");
            });
        }
    }
    emit_steps(&rewrite.supplemental, w);
    if has_results {
        w.blank();
        w.line("rewriter.replaceOp(op0, tblgen_repl_values);");
    } else {
        w.line("rewriter.eraseOp(op0);");
    }
}

fn emit_steps(steps: &[Step<'_>], w: &mut Writer) {
    for step in steps {
        match step {
            Step::Create(creation) => emit_creation(creation, w),
            Step::Call { variable: Some(variable), expression, .. } => {
                w.line(format_args!("auto {variable} = {expression}; (void){variable};"));
            }
            Step::Call { variable: None, expression, .. } => w.line(format_args!("{expression};")),
            Step::Pack { variable, values } => {
                w.line(format_args!("::llvm::SmallVector<::mlir::Value, 4> {variable};"));
                for value in values {
                    w.line(format_args!("{variable}.push_back({value});"));
                }
            }
        }
    }
}

fn emit_creation(creation: &Creation<'_>, w: &mut Writer) {
    let (class, variable) = (creation.op.qualified_cpp_class_name(), &creation.variable);
    w.line(format_args!("{class} {variable};"));
    w.block("{", "}", |w| match creation.types {
        ResultTypes::Builder => emit_separate_arguments(creation, &class, w),
        _ => emit_collected_arguments(creation, &class, w),
    });
}

/// Writes the call of a builder with a parameter for each argument.
fn emit_separate_arguments(creation: &Creation<'_>, class: &str, w: &mut Writer) {
    let mut parameters = Vec::with_capacity(creation.arguments.len());
    let mut operands = 0;
    for CreationArgument { argument, value, label, .. } in &creation.arguments {
        let parameter = match argument {
            Argument::Operand(operand) => {
                let number = operands;
                operands += 1;
                if creation.op.operands()[*operand].constraint.is_variadic() {
                    let variable = format!("tblgen_values_{number}");
                    let vector = spellings::pattern_vector.of(w.rules());
                    w.line(format_args!("{vector}<::mlir::Value, 4> {variable};"));
                    emit_values(value, &variable, w);
                    variable
                } else {
                    let variable = format!("tblgen_value_{number}");
                    w.line(format_args!("::mlir::Value {variable} = {value};"));
                    variable
                }
            }
            Argument::Attribute(_) | Argument::Property(_) => value.clone(),
        };
        parameters.push(match label.is_empty() {
            true => parameter,
            false => format!("/*{label}=*/{parameter}"),
        });
    }
    let Creation { variable, location, .. } = creation;
    let comma = if parameters.is_empty() { "" } else { "," };
    let create = w.create_call(class, "rewriter");
    w.block(format_args!("{variable} = {create}{location}{comma}"), ");", |w| {
        for (number, parameter) in parameters.iter().enumerate() {
            let comma = if number + 1 < parameters.len() { "," } else { "" };
            w.line(format_args!("{parameter}{comma}"));
        }
    });
}

fn emit_values(range: &str, target: &str, w: &mut Writer) {
    w.braces(format_args!("for (auto v: {range})"), |w| {
        w.line(format_args!("{target}.push_back(v);"));
    });
}

/// Returns whether patterns access an operation's attributes as properties.
pub(super) fn has_properties(op: &Operation<'_>) -> bool {
    op.rules().has(Change::PropertiesInPatterns) && op.dialect().uses_properties_for_attributes()
}

/// Writes the call of a builder with lists of result types, operands and attributes.
fn emit_collected_arguments(creation: &Creation<'_>, class: &str, w: &mut Writer) {
    let op = &creation.op;
    let has_properties = has_properties(op);
    let vector = spellings::pattern_vector.of(w.rules());
    w.line(format_args!("{vector}<::mlir::Value, 4> tblgen_values; (void)tblgen_values;"));
    let attributes = if has_properties {
        w.line(format_args!("{class}::Properties tblgen_props; (void)tblgen_props;"));
        "tblgen_props"
    } else {
        w.line(format_args!("{vector}<::mlir::NamedAttribute, 4> tblgen_attrs; (void)tblgen_attrs;"));
        "tblgen_attrs"
    };
    for CreationArgument { name, argument, value, .. } in &creation.arguments {
        match argument {
            Argument::Operand(operand) if op.operands()[*operand].constraint.is_variadic() => {
                emit_values(value, "tblgen_values", w);
            }
            Argument::Operand(_) => w.line(format_args!("tblgen_values.push_back({value});")),
            Argument::Attribute(_) if has_properties => w.line(format_args!(
                "tblgen_props.{name} = ::llvm::dyn_cast_if_present<decltype(tblgen_props.{name})>({value});"
            )),
            Argument::Attribute(_) => w.braces(format_args!("if (auto tmpAttr = {value})"), |w| {
                let make = spellings::pattern_name.of(w.rules());
                w.line(format_args!("tblgen_attrs.emplace_back(rewriter.{make}(\"{name}\"), tmpAttr);"));
            }),
            Argument::Property(_) if !w.rules().has(Change::PropertiesInPatterns) => {
                w.line(format_args!("tblgen_values.push_back({value});"));
            }
            Argument::Property(_) => {
                let setter = cpp_name::camel_case(name, true);
                w.line(format_args!("tblgen_props.set{setter}({value});"));
            }
        }
    }
    // The reference omits the sizes if only one operand is variadic and others are optional.
    let variadic = op.operands().iter().filter(|operand| operand.constraint.is_variadic()).count();
    let has_sizes = w.rules().has(Change::SegmentSizesInPatterns);
    if has_sizes && variadic > 1 && op.has_trait("::mlir::OpTrait::AttrSizedOperandSegments") {
        emit_segment_sizes(creation, has_properties, w);
    }
    let types = match &creation.types {
        ResultTypes::Builder | ResultTypes::CollectiveBuilder => "",
        ResultTypes::Root(first) => {
            w.line(format_args!("{vector}{TYPES}"));
            for result in *first..first + op.results().len() {
                w.braces(format_args!("for (auto v: castedOp0.getODSResults({result}))"), |w| {
                    w.line("tblgen_types.push_back(v.getType());");
                });
            }
            "tblgen_types, "
        }
        ResultTypes::Given(types) => {
            w.line(format_args!("{vector}{TYPES}"));
            for ty in types {
                emit_steps(&ty.steps, w);
                w.line(format_args!("tblgen_types.push_back({});", ty.expression));
            }
            "tblgen_types, "
        }
    };
    let Creation { variable, location, .. } = creation;
    let create = w.create_call(class, "rewriter");
    w.line(format_args!("{variable} = {create}{location}, {types}tblgen_values, {attributes});"));
}

const TYPES: &str = "<::mlir::Type, 4> tblgen_types; (void)tblgen_types;";

fn emit_segment_sizes(creation: &Creation<'_>, has_properties: bool, w: &mut Writer) {
    let sizes = creation.arguments.iter().filter_map(|argument| match argument.argument {
        Argument::Operand(operand) => {
            let is_variadic = creation.op.operands()[operand].constraint.is_variadic();
            Some(match is_variadic {
                true => format!("static_cast<int32_t>({}.size())", argument.value),
                false => "1".to_owned(),
            })
        }
        Argument::Attribute(_) | Argument::Property(_) => None,
    });
    let sizes: Vec<String> = sizes.collect();
    let sizes = join(&sizes, ", ");
    if has_properties {
        return w.line(format_args!("tblgen_props.operandSegmentSizes = {{ {sizes} }};"));
    }
    w.line("tblgen_attrs.emplace_back(rewriter.getStringAttr(\"operandSegmentSizes\"),");
    w.line(format_args!("  rewriter.getDenseI32ArrayAttr({{ {sizes} }}));"));
    // The reference indents the next text.
    w.raw("  ");
}
