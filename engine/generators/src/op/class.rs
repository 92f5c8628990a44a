//! The members of an operation's class, in order.

use super::{
    accessors, adaptor, attributes, blockwise_verifier, builders, bytecode,
    constraints::StaticVerifiers,
    conversions, effects,
    format::{self, key_values},
    inference,
    info::OpInfo,
    interfaces, properties, verifier,
};
use crate::cpp::{Access, Class, Method, Parameter, Writer, continued, substitute};
use odsmith_ods::{OpResult, TraitKind, TypeConstraint};
use odsmith_release::{Change, Rules, spellings};

/// Returns the class of an operation; `verifiers` are present if bodies are written.
pub(super) fn op_class<'a>(op: &'a OpInfo<'a>, verifiers: Option<&'a StaticVerifiers<'a>>) -> Class<'a> {
    let mut class = Class::new(op.class);
    class.is_dense = !op.rules().has(Change::SpacedMembers);
    class.bases.push(format!("public ::mlir::Op<{}>", template_arguments(op).join(", ")));

    add_names(op, &mut class);
    adaptor::add_operand_indices(op, &mut class);
    if op.rules().has(Change::ResultIndices) {
        accessors::add_result_indices(op, &mut class);
    }
    if op.has_properties {
        class.text("using Properties = FoldAdaptor::Properties;");
    }
    if op.rules().has(Change::InheritedInterfaceMethods) {
        interfaces::add_inherited(op, &mut class);
    }
    attributes::add_names(op, &mut class);
    if class.is_dense && verifiers.is_some() {
        attributes::add_name_lookup(op, &mut class);
        class.access(Access::Public);
    }
    if names_results(op) {
        add_result_names(op, &mut class);
    }
    let name = Method::new("::llvm::StringLiteral", "getOperationName").specifiers("static constexpr ");
    let margin = if class.is_dense { "" } else { "  " };
    class.method(name.inline(move |w| {
        w.line(format_args!("return ::llvm::StringLiteral(\"{}\");", continued(&op.name, margin)));
    }));

    accessors::add_operands(op, &mut class);
    accessors::add_results(op, &mut class);
    accessors::add_regions(op, &mut class);
    accessors::add_successors(op, &mut class);
    if op.has_properties {
        conversions::add_conversions(op, verifiers, &mut class);
        bytecode::add_bytecode(op, &mut class);
    }
    properties::add_getters(op, &mut class);
    properties::add_setters(op, &mut class);
    attributes::add_accessors(op, &mut class);
    builders::add_builders(op, &mut class);
    properties::add_defaults(op, &mut class);
    if !op.rules().has(Change::HooksAsFlags) {
        add_format_code(op, &mut class);
    } else if op.op.has_custom_assembly_format() && op.format.is_none() {
        add_custom_format(&mut class);
    }
    verifier::add_verifiers(op, verifiers, &mut class);
    add_canonicalizer(op, &mut class);
    if op.op.has_folder() {
        add_folder(op, &mut class);
    }
    inference::add_inference(op, &mut class);
    interfaces::add_methods(op, &mut class);
    add_format(op, &mut class);
    effects::add_effects(op, &mut class);

    if class.is_dense {
        add_verbatim_declarations(op, &mut class);
        if verifiers.is_none() {
            attributes::add_name_lookup(op, &mut class);
        }
        return class;
    }
    attributes::add_name_lookup(op, &mut class);
    if builders::divides_attributes(op) {
        builders::add_division(op, &mut class);
    }
    class.label(Access::Public);
    add_extra_declarations(op, &mut class);
    class
}

/// Returns the class itself and its traits: the numbers of regions, results, successors and operands; structural
/// traits; the one that calls the verifier; all others.
fn template_arguments(op: &OpInfo<'_>) -> Vec<String> {
    let mut arguments = vec![op.class.to_owned()];
    // In 13, a trait may have the name of the class.
    let first = usize::from(!op.rules().has(Change::ArgumentsOnce));
    let counted = |what: &str, count: usize, variadic: usize| counted(op.rules(), what, count, variadic);
    let mut add = |trait_name: String| {
        if !arguments[first..].contains(&trait_name) {
            arguments.push(trait_name);
        }
    };
    let regions = op.op.regions();
    add(counted("Region", regions.len(), regions.iter().filter(|region| region.is_variadic()).count()));
    add(counted("Result", op.op.results().len(), op.op.variable_length_results().count()));
    if let [OpResult { constraint, .. }] = op.op.results()
        && !constraint.is_variable_length()
    {
        add(format!("::mlir::OpTrait::OneTypedResult<{}>::Impl", constraint.cpp_type()));
    }
    let successors = op.op.successors();
    let variadic = successors.iter().filter(|successor| successor.is_variadic()).count();
    add(counted("Successor", successors.len(), variadic));
    add(counted("Operand", op.op.operands().len(), op.op.variable_length_operands().count()));

    let classes = || {
        let traits = op.op.traits().iter();
        traits.filter(|t| matches!(t.kind(), TraitKind::Native | TraitKind::Interface))
    };
    classes().filter(|t| t.is_structural()).for_each(|t| add(t.qualified_name()));
    if op.rules().has(Change::HooksAsFlags) {
        add("::mlir::OpTrait::OpInvariants".to_owned());
    }
    if op.has_stored_properties() {
        add("::mlir::BytecodeOpInterface::Trait".to_owned());
    }
    classes().filter(|t| !t.is_structural()).for_each(|t| add(t.qualified_name()));
    if op.rules().has(Change::TokenTraits) {
        let is_token = |constraint: TypeConstraint<'_>| constraint.cpp_type() == "::mlir::TokenType";
        if op.op.operands().iter().any(|operand| is_token(operand.constraint.base())) {
            add("::mlir::OpTrait::TokenConsumerTrait".to_owned());
        }
        if op.op.results().iter().any(|result| is_token(result.constraint.base())) {
            add("::mlir::OpTrait::TokenProducerTrait".to_owned());
        }
    }
    if names_results(op) {
        add(OP_ASM_INTERFACE.to_owned());
    }
    if !op.op.derived_attributes().is_empty() {
        add("::mlir::DerivedAttributeOpInterface::Trait".to_owned());
    }
    op.op.effect_interfaces().for_each(add);
    arguments
}

const OP_ASM_INTERFACE: &str = "::mlir::OpAsmOpInterface::Trait";

/// Returns the trait for a number of entities: `ZeroRegions`, `OneResult`, `NOperands<2>::Impl`,
/// `AtLeastNResults<1>::Impl`, `VariadicRegions`.
fn counted(rules: &Rules, what: &str, count: usize, variadic: usize) -> String {
    let name = match (count - variadic, variadic) {
        (0, 0) if what != "Operand" && !rules.has(Change::ZeroInPlural) => format!("Zero{what}"),
        (0, 0) => format!("Zero{what}s"),
        (1, 0) => format!("One{what}"),
        (_, 0) => format!("N{what}s<{count}>::Impl"),
        (0, _) => format!("Variadic{what}s"),
        (fixed, _) => format!("AtLeastN{what}s<{fixed}>::Impl"),
    };
    format!("::mlir::OpTrait::{name}")
}

fn add_names<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let has_generic_adaptor = op.rules().has(Change::GenericAdaptors);
    class.lines(move |w| {
        let name = op.class;
        w.line("using Op::Op;");
        w.line("using Op::print;");
        w.line(format_args!("using Adaptor = {name}Adaptor;"));
        if has_generic_adaptor {
            w.line("template <typename RangeT>");
            w.line(format_args!("using GenericAdaptor = {name}GenericAdaptor<RangeT>;"));
            w.line("using FoldAdaptor = GenericAdaptor<::llvm::ArrayRef<::mlir::Attribute>>;");
        }
    });
    if !has_generic_adaptor && !class.is_dense {
        class.label(Access::Public);
    }
}

/// Returns whether printed results get the names of the definition: there are several, and some have names.
fn names_results(op: &OpInfo<'_>) -> bool {
    let results = op.op.results();
    results.len() > 1
        && results.iter().any(|result| !result.name.is_empty())
        && !op.op.has_trait(OP_ASM_INTERFACE)
}

fn add_result_names<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let method = Method::new("void", "getAsmResultNames");
    class.method(method.parameter("::mlir::OpAsmSetValueNameFn", "setNameFn").defined(|w| {
        for (index, OpResult { name, .. }) in op.op.results().iter().enumerate() {
            w.line(format_args!("auto resultGroup{index} = getODSResults({index});"));
            let (begin, end) = (spellings::results_begin.of(w.rules()), spellings::results_end.of(w.rules()));
            w.line(format_args!("if (!{begin}resultGroup{index}{end})"));
            w.line(format_args!("  setNameFn(*resultGroup{index}.begin(), \"{name}\");"));
        }
    }));
}

/// Adds the parser and printer that the user writes.
fn add_custom_format(class: &mut Class<'_>) {
    class.method(parse_method());
    class.method(Method::new("void", "print").parameter("::mlir::OpAsmPrinter &", "p"));
}

/// Adds the parser and printer whose code is in the definition.
fn add_format_code<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if op.op.assembly_format().is_some() {
        return;
    }
    if let Some(code) = op.op.parser_code() {
        class.method(parse_method().defined(move |w| blockwise_verifier::emit_code(op, code, w)));
    }
    if let Some(code) = op.op.printer_code() {
        let method = Method::new("void", "print").parameter("::mlir::OpAsmPrinter &", "p");
        class.method(method.defined(move |w| blockwise_verifier::emit_code(op, code, w)));
    }
}

fn parse_method<'a>() -> Method<'a> {
    let method = Method::new("::mlir::ParseResult", "parse").as_static();
    method.parameter("::mlir::OpAsmParser &", "parser").parameter("::mlir::OperationState &", "result")
}

/// Adds the parser and printer of the declarative format, or the functions that the generic format needs.
fn add_format<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let Some(format) = &op.format else {
        // Nothing is generated from a malformed format.
        let is_parsed = op.rules().has(Change::ParsedProperties);
        if is_parsed && op.has_properties && op.op.assembly_format().is_none() {
            conversions::add_from_parsed_attribute(op, class);
        }
        return;
    };
    class.method(parse_method().defined(|w| w.outdented(|w| format::emit_parse_body(op.op, format, w))));
    let has_dictionary = op.has_properties || !op.rules().has(Change::DictionaryNeedsProperties);
    if has_dictionary && format.has_prop_dict && op.rules().has(Change::ElidedProperties) {
        conversions::add_from_parsed_attribute(op, class);
    }
    let lists_properties = op.lists_properties(format);
    if lists_properties {
        let parse = Method::new("::mlir::ParseResult", "parsePropertiesFromKeyValueList").as_static();
        let parse = parse.parameter("::mlir::OpAsmParser &", "parser");
        let parse = parse.parameter("::mlir::OperationState &", "result");
        class.method(parse.defined(|w| {
            w.outdented(|w| key_values::emit_parse_body(op.op, format, &op.segment_counts(), w));
        }));
    }
    let print = Method::new(spellings::print_result.of(op.rules()), "print")
        .parameter("::mlir::OpAsmPrinter &", spellings::printer.of(op.rules()));
    class.method(print.defined(|w| w.outdented(|w| format::emit_print_body(op.op, format, w))));
    if lists_properties && op.has_stored_properties() && !op.op.has_custom_properties_printer() {
        let print = Method::new("void", "_odsPrintPropertiesAsKeyValueList")
            .as_static()
            .parameter("::mlir::MLIRContext *", "_odsContext")
            .parameter("::mlir::OpAsmPrinter &", spellings::printer.of(op.rules()))
            .parameter("const Properties &", "prop")
            .parameter("::mlir::ArrayRef<::llvm::StringRef>", "elidedProps");
        class.method(print.defined(|w| {
            w.outdented(|w| key_values::emit_print_body(op.op, format, &op.segment_counts(), w));
        }));
    }
}

fn add_canonicalizer<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let has_method = op.op.has_canonicalize_method();
    if has_method {
        let method = Method::new(spellings::LogicalResult.of(op.rules()), "canonicalize").as_static();
        class.method(method.parameter(op.class, "op").parameter("::mlir::PatternRewriter &", "rewriter"));
    }
    let patterns = Method::new("void", "getCanonicalizationPatterns")
        .as_static()
        .parameter("::mlir::RewritePatternSet &", "results")
        .parameter("::mlir::MLIRContext *", "context");
    if op.op.has_canonicalization_patterns() {
        class.method(patterns);
    } else if has_method {
        class.method(patterns.defined(|w| w.line("results.add(canonicalize);")));
    }
}

fn add_folder<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let is_single =
        matches!(op.op.results(), [OpResult { constraint, .. }] if !constraint.is_variable_length());
    // An invalid choice has been reported before.
    let parameter = match op.op.dialect().folds_raw_attributes() {
        Ok(true) => Parameter::new("::llvm::ArrayRef<::mlir::Attribute>", "operands"),
        Ok(false) | Err(_) => Parameter::new("FoldAdaptor", "adaptor"),
    };
    class.method(if is_single {
        Method::new("::mlir::OpFoldResult", "fold").parameters([parameter])
    } else {
        Method::new(spellings::LogicalResult.of(op.rules()), "fold")
            .parameters([parameter])
            .parameter("::llvm::SmallVectorImpl<::mlir::OpFoldResult> &", "results")
    });
}

/// Adds the user's code for the class unchanged.
fn add_verbatim_declarations<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let text = op.op.extra_class_declaration();
    if !text.is_empty() {
        class.lines(move |w| {
            w.raw(text);
            w.raw("\n");
        });
    }
}

/// Adds the code of traits and of the user to the class.
fn add_extra_declarations<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    class.lines(|w| {
        let of_traits = op.op.traits().iter().map(|t| t.extra_declaration());
        w.code(&joined(of_traits, op.op.extra_class_declaration()));
    });
}

/// Writes the code of traits and of the user after the definitions of the members.
pub(super) fn emit_extra_definitions(op: &OpInfo<'_>, w: &mut Writer) {
    let of_traits = op.op.traits().iter().map(|t| t.extra_definition());
    let text = joined(of_traits, op.op.extra_class_definition());
    w.code(&substitute(&text, &[("cppClass", op.class)]).to_string());
}

/// Joins the code of traits and the user's code.
fn joined<'a>(of_traits: impl Iterator<Item = &'a str>, own: &str) -> String {
    let mut text = String::new();
    for part in of_traits.filter(|part| !part.is_empty()) {
        text.push_str(part);
        text.push('\n');
    }
    text + own
}
