//! The adaptor of an operation: three classes, or one in old releases ([`plain`]).
//!
//! * `<Op>GenericAdaptorBase`: everything except operands. Properties, fields, constructors, positions of operands,
//!   getters of properties, attributes and regions;
//! * `<Op>GenericAdaptor<RangeT>`: adds operands of any kind;
//! * `<Op>Adaptor`: for values, with the verifier of attributes.

pub(super) mod plain;

use super::{
    accessors, attributes,
    info::{OpInfo, Site},
    properties, verifier,
};
use crate::cpp::{
    Access, Class, Method, Parameter, Template, Writer, continued,
    writer::{has_blanks, shared_indent},
};
use odsmith_ods::Operand;
use odsmith_release::{Change, spellings};

/// Returns the class `<Op>GenericAdaptorBase`.
pub(super) fn base_class<'a>(op: &'a OpInfo<'a>) -> Class<'a> {
    let name = format!("{}GenericAdaptorBase", op.class);
    let mut class = Class::new(name.clone());
    if op.rules().has(Change::Properties) {
        class.label(Access::Public);
    }
    if op.has_stored_properties() {
        class.lines(|w| realigned(w, |w| properties::emit_struct(op, w)));
    } else if op.has_properties {
        class.text("using Properties = ::mlir::EmptyProperties;");
    }
    class.access(Access::Protected);
    class.text("::mlir::DictionaryAttr odsAttrs;");
    let name_of_op = "::std::optional<::mlir::OperationName> odsOpName;";
    if op.rules().has(Change::Properties) {
        class.text(name_of_op);
    }
    if op.has_properties {
        class.text("Properties properties;");
    }
    class.text("::mlir::RegionRange odsRegions;");
    if !op.rules().has(Change::Properties) {
        class.text(name_of_op);
    }
    class.access(Access::Public);

    add_base_constructors(op, &name, &mut class);
    let operands_size = accessors::operand_index_and_length(op, Site::Adaptor);
    class.method(operands_size);
    if op.has_properties {
        class.method(
            Method::new("const Properties &", "getProperties").inline(|w| w.line("return properties;")),
        );
    }
    let attributes = Method::new("::mlir::DictionaryAttr", "getAttributes");
    class.method(op.short(attributes, |w| w.line("return odsAttrs;")));
    properties::add_getters(op, &mut class);
    attributes::add_adaptor_getters(op, &mut class);
    add_regions(op, &mut class);
    class
}

fn add_base_constructors<'a>(op: &'a OpInfo<'a>, name: &str, class: &mut Class<'a>) {
    let mut own = Method::constructor(name.to_owned()).parameters(attributes_properties_and_regions(op));
    own.initializers = if op.has_properties {
        "odsAttrs(attrs), properties(properties), odsRegions(regions)".into()
    } else {
        "odsAttrs(attrs), odsRegions(regions)".into()
    };
    class.method(op.short(own, |w| {
        w.raw("  if (odsAttrs)\n");
        let margin = format!("    {}", op.short_margin());
        let name = continued(&op.name, &margin);
        w.line(format_args!("  odsOpName.emplace(\"{name}\", odsAttrs.getContext());"));
    }));

    if !op.rules().has(Change::AdaptorsOfParts) {
        if op.rules().has(Change::AdaptorsOfOperations) {
            class.method(whole_constructor(op, name));
        }
        return;
    }
    let mut of_op = Method::constructor(name.to_owned());
    let common = "odsAttrs(op->getRawDictionaryAttrs()), odsOpName(op->getName())";
    if op.has_properties {
        of_op = of_op.parameter(op.class, "op");
        of_op.initializers =
            format!("{common}, properties(op.getProperties()), odsRegions(op->getRegions())").into();
        class.method(of_op.defined(|_| {}));
    } else {
        of_op = of_op.parameter("::mlir::Operation *", "op");
        of_op.initializers = format!("{common}, odsRegions(op->getRegions())").into();
        class.method(of_op.inline(|_| {}));
    }
}

/// Returns the constructor from an operation, which passes all parts to the other constructor.
fn whole_constructor<'a>(op: &OpInfo<'a>, name: &str) -> Method<'a> {
    let attributes = if op.has_properties { "getDiscardableAttrDictionary" } else { "getAttrDictionary" };
    let mut of_op = Method::constructor(name.to_owned()).parameter(op.class, "op");
    of_op.initializers = format!("{name}(op->{attributes}(), op.getProperties(), op->getRegions())").into();
    of_op.defined(|_| {})
}

/// Returns the parameters of the constructors.
fn attributes_properties_and_regions(op: &OpInfo<'_>) -> Vec<Parameter<'static>> {
    let attributes = Parameter::new("::mlir::DictionaryAttr", "attrs");
    let regions = Parameter::new("::mlir::RegionRange", "regions").default("{}");
    if !op.rules().has(Change::AdaptorsOfParts) {
        let properties =
            if op.has_properties { "const Properties &" } else { "const ::mlir::EmptyProperties &" };
        let properties = Parameter::new(properties, "properties").default("{}");
        // Operands cannot be found without the lengths of groups.
        let attributes = if op.has_operand_segments { attributes } else { attributes.default("nullptr") };
        if !op.rules().has(Change::Properties) {
            return vec![attributes, regions];
        }
        return vec![attributes, properties, regions];
    }
    if op.has_properties {
        vec![attributes, Parameter::new("const Properties &", "properties"), regions]
    } else {
        let none = Parameter::new("const ::mlir::EmptyProperties &", "properties").default("{}");
        vec![attributes.default("{}"), none, regions]
    }
}

fn add_regions<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for (index, region) in op.op.regions().iter().enumerate() {
        if region.name.is_empty() {
            continue;
        }
        let name = op.op.getter(region.name);
        class.method(if region.is_variadic() {
            let method = Method::new("::mlir::RegionRange", name);
            op.short(method, move |w| w.line(format_args!("return odsRegions.drop_front({index});")))
        } else {
            let method = Method::new("::mlir::Region &", name);
            op.short(method, move |w| w.line(format_args!("return *odsRegions[{index}];")))
        });
    }
    if !op.op.regions().is_empty() {
        let regions = Method::new("::mlir::RegionRange", "getRegions");
        class.method(op.short(regions, |w| w.line("return odsRegions;")));
    }
}

/// Returns the class `<Op>GenericAdaptor`.
pub(super) fn generic_class<'a>(op: &'a OpInfo<'a>) -> Class<'a> {
    let name = format!("{}GenericAdaptor", op.class);
    let mut class = Class::new(name.clone());
    class.template_head = Some("template <typename RangeT>");
    class.bases.push(format!("public detail::{name}Base"));
    class.access(Access::Private);
    class.text("using ValueT = ::llvm::detail::ValueOfRange<RangeT>;");
    class.text(format!("using Base = detail::{name}Base;"));
    add_operand_indices(op, &mut class);
    class.access(Access::Public);

    add_generic_constructors(op, &name, &mut class);
    let locate = Method::new("std::pair<unsigned, unsigned>", "getODSOperandIndexAndLength");
    class.method(locate.parameter("unsigned", "index").inline(|w| {
        w.line("return Base::getODSOperandIndexAndLength(index, odsOperands.size());");
    }));
    class.method(Method::new("RangeT", "getODSOperands").parameter("unsigned", "index").inline(|w| {
        let holes: [(&str, &dyn std::fmt::Display); 2] =
            [("locate", &"getODSOperandIndexAndLength(index)"), ("begin", &"odsOperands.begin()")];
        w.fill(accessors::GROUP, &holes);
    }));
    for (index, operand) in op.op.operands().iter().enumerate() {
        if !operand.name.is_empty() {
            class.method(operand_getter(op, index, operand));
        }
    }
    class.method(Method::new("RangeT", "getOperands").inline(|w| w.line("return odsOperands;")));
    class.access(Access::Private);
    class.text("RangeT odsOperands;");
    class
}

/// Adds the position of each operand that has a name.
pub(super) fn add_operand_indices<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if !op.rules().has(Change::OperandIndices) {
        return;
    }
    class.lines(|w| {
        for (index, Operand { name, .. }) in op.op.operands().iter().enumerate() {
            if !name.is_empty() {
                w.line(format_args!("static constexpr int odsIndex_{name} = {index};"));
            }
        }
    });
}

fn add_generic_constructors<'a>(op: &'a OpInfo<'a>, name: &str, class: &mut Class<'a>) {
    let constructor = |parameters: Vec<Parameter<'a>>, initializers: String| {
        let mut constructor = Method::constructor(name.to_owned());
        constructor = constructor.parameter("RangeT", "values").parameters(parameters);
        constructor.initializers = initializers.into();
        constructor.inline(|_| {})
    };
    let attributes = || Parameter::new("::mlir::DictionaryAttr", "attrs");
    let has_properties = op.rules().has(Change::Properties);
    let handed_over = if has_properties { "attrs, properties, regions" } else { "attrs, regions" };
    class.method(constructor(
        attributes_properties_and_regions(op),
        format!("Base({handed_over}), odsOperands(values)"),
    ));
    if !has_properties {
        return;
    }

    let properties = if op.has_properties { "Properties" } else { "::mlir::EmptyProperties" };
    class.method(constructor(
        vec![
            attributes(),
            Parameter::new(spellings::PropertyRef.of(op.rules()), "properties"),
            Parameter::new("::mlir::RegionRange", "regions").default("{}"),
        ],
        format!(
            "{name}(values, attrs, (properties ? *properties.as<{properties} *>() : {properties}{{}}), regions)"
        ),
    ));
    if op.has_properties && op.rules().has(Change::AdaptorsOfParts) {
        // Operands cannot be found without the lengths of groups.
        let attributes = if op.has_operand_segments { attributes() } else { attributes().default("nullptr") };
        class.method(constructor(vec![attributes], format!("{name}(values, attrs, Properties{{}}, {{}})")));
    }
    if op.rules().has(Change::AdaptorsFromBase) {
        class.method(constructor(
            vec![Parameter::new(format!("const {name}Base &"), "base")],
            "Base(base), odsOperands(values)".to_owned(),
        ));
    }

    if !op.rules().has(Change::AdaptorsOfOperations) {
        return;
    }
    let mut late =
        constructor(vec![Parameter::new("LateInst", "op")], "Base(op), odsOperands(values)".to_owned());
    late.template_head = Some(
        format!(
            "template <typename LateInst = {0}, typename = std::enable_if_t<std::is_same_v<LateInst, {0}>>>",
            op.class
        )
        .into(),
    );
    class.method(late);
}

fn operand_getter<'a>(op: &'a OpInfo<'a>, index: usize, operand: &'a Operand<'a>) -> Method<'a> {
    let Operand { name, constraint, .. } = operand;
    let name = op.op.getter(name);
    if let Some(segments) = constraint.segment_attribute() {
        return Method::new("::llvm::SmallVector<RangeT>", name).inline(move |w| {
            let sizes = continued(op.op.getter(segments), "  ");
            w.fill(RUNS, &[("index", &index), ("sizes", &sizes)]);
        });
    }
    if constraint.is_optional() {
        Method::new("ValueT", name).inline(move |w| {
            w.line(format_args!("auto operands = getODSOperands({index});"));
            let (open, close) = parentheses(w);
            w.line(format_args!("return operands.empty() ? ValueT{{}} : {open}*operands.begin(){close};"));
        })
    } else if constraint.is_variadic() {
        Method::new("RangeT", name).inline(move |w| w.line(format_args!("return getODSOperands({index});")))
    } else {
        Method::new("ValueT", name).inline(move |w| {
            let (open, close) = parentheses(w);
            w.line(format_args!("return {open}*getODSOperands({index}).begin(){close};"));
        })
    }
}

/// Returns the parentheses around a value that is found at the start of a range.
fn parentheses(w: &Writer) -> (&'static str, &'static str) {
    if w.rules().has(Change::CastFunctions) { ("(", ")") } else { ("", "") }
}

const RUNS: Template = Template(
    r#"
auto tblgenTmpOperands = getODSOperands(@index);
auto sizes = @sizes();

::llvm::SmallVector<RangeT> tblgenTmpOperandGroups;
for (int i = 0, e = sizes.size(); i < e; ++i) {
  tblgenTmpOperandGroups.push_back(tblgenTmpOperands.take_front(sizes[i]));
  tblgenTmpOperands = tblgenTmpOperands.drop_front(sizes[i]);
}
return tblgenTmpOperandGroups;
"#,
);

/// Returns the class `<Op>Adaptor`.
pub(super) fn value_class<'a>(op: &'a OpInfo<'a>) -> Class<'a> {
    let name = format!("{}Adaptor", op.class);
    let mut class = Class::new(name.clone());
    class.bases.push(format!("public {}GenericAdaptor<::mlir::ValueRange>", op.class));
    class.text(format!("using {0}GenericAdaptor::{0}GenericAdaptor;", op.class));
    let mut of_op = Method::constructor(name.clone()).parameter(op.class, "op");
    of_op.initializers = match op.rules().has(Change::AdaptorsOfOperations) {
        true => format!("{}GenericAdaptor(op->getOperands(), op)", op.class).into(),
        false => {
            let has_properties = op.rules().has(Change::Properties);
            let properties = if has_properties { "op.getProperties(), " } else { "" };
            let parts = "op->getOperands(), op->getAttrDictionary(), ";
            format!("{name}({parts}{properties}op->getRegions())").into()
        }
    };
    class.method(of_op.defined(|_| {}));
    let verify =
        Method::new(spellings::LogicalResult.of(op.rules()), "verify").parameter("::mlir::Location", "loc");
    class.method(verify.defined(|w: &mut Writer| verifier::emit_adaptor_verifier(op, w)));
    class
}

/// Writes lines whose indentation the users' code may break: if one is less deep than the margin, all move to the right
/// by the difference; a tab counts as one blank. Blank lines are emptied.
fn realigned(w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    let start = w.position();
    body(w);
    let margin = w.margin_width();
    let lines = w.since(start);
    if shared_indent(lines) < margin || lines.contains('\t') || has_blanks(lines) {
        let written = w.cut(start);
        w.reindented("", &written);
    }
}
