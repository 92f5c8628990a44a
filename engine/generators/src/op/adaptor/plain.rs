//! The adaptor of old releases: one class, for values.

use crate::cpp::{Access, Class, Method, Parameter, Template, Writer, continued};
use crate::op::{
    accessors, attributes,
    info::{OpInfo, Site},
    verifier,
};
use odsmith_ods::Operand;
use odsmith_release::{Change, spellings};

/// Returns the class `<Op>Adaptor`.
pub(in crate::op) fn class<'a>(op: &'a OpInfo<'a>) -> Class<'a> {
    let mut class = Class::new(format!("{}Adaptor", op.class));
    class.is_dense = !op.rules().has(Change::SpacedMembers);
    class.label(Access::Public);
    add_constructors(op, &mut class);
    class.method(Method::new("::mlir::ValueRange", "getOperands").defined(|w| w.line("return odsOperands;")));
    class.method(accessors::operand_index_and_length(op, Site::Adaptor));
    let group = Method::new("::mlir::ValueRange", "getODSOperands").parameter("unsigned", "index");
    class.method(group.defined(|w| {
        let holes: [(&str, &dyn std::fmt::Display); 2] =
            [("locate", &"getODSOperandIndexAndLength(index)"), ("begin", &"odsOperands.begin()")];
        w.fill(accessors::GROUP, &holes);
    }));
    for (index, operand) in op.op.operands().iter().enumerate().filter(|(_, it)| !it.name.is_empty()) {
        for getter in op.op.getters(operand.name) {
            class.method(operand_getter(op, getter, index, operand));
        }
    }
    class.method(
        Method::new("::mlir::DictionaryAttr", "getAttributes").defined(|w| w.line("return odsAttrs;")),
    );
    attributes::add_adaptor_getters(op, &mut class);
    add_regions(op, &mut class);
    let verify = Method::new(spellings::LogicalResult.of(op.rules()), "verify");
    class.method(
        verify
            .parameter("::mlir::Location", "loc")
            .defined(|w: &mut Writer| verifier::emit_adaptor_verifier(op, w)),
    );
    class.access(Access::Private);
    class.text("::mlir::ValueRange odsOperands;");
    class.text("::mlir::DictionaryAttr odsAttrs;");
    class.text("::mlir::RegionRange odsRegions;");
    if op.rules().has(Change::SortedLookups) {
        class.text(format!("{}<::mlir::OperationName> odsOpName;", spellings::optional.of(op.rules())));
    }
    class
}

fn add_constructors<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    let mut of_parts = Method::constructor(class.name.clone()).parameters([
        Parameter::new("::mlir::ValueRange", "values"),
        match op.has_operand_segments && class.is_dense {
            true => Parameter::new("::mlir::DictionaryAttr", "attrs"),
            false => Parameter::new("::mlir::DictionaryAttr", "attrs").default("nullptr"),
        },
        Parameter::new("::mlir::RegionRange", "regions").default("{}"),
    ]);
    of_parts.initializers = "odsOperands(values), odsAttrs(attrs), odsRegions(regions)".into();
    let has_name = op.rules().has(Change::SortedLookups);
    class.method(of_parts.defined(move |w| {
        if !has_name {
            return;
        }
        w.raw("  if (odsAttrs)\n");
        let name = continued(&op.name, "    ");
        w.line(format_args!("  odsOpName.emplace(\"{name}\", odsAttrs.getContext());"));
    }));
    let reference = match (has_name, class.is_dense) {
        (true, _) => "",
        (false, false) => " &",
        (false, true) => "&",
    };
    let mut of_op =
        Method::constructor(class.name.clone()).parameter(format!("{}{reference}", op.class), "op");
    let parts =
        "odsOperands(op->getOperands()), odsAttrs(op->getAttrDictionary()), odsRegions(op->getRegions())";
    let name = if has_name { ", odsOpName(op->getName())" } else { "" };
    of_op.initializers = format!("{parts}{name}").into();
    class.method(of_op.defined(|_| {}));
}

fn operand_getter<'a>(
    op: &'a OpInfo<'a>,
    getter: String,
    index: usize,
    operand: &'a Operand<'a>,
) -> Method<'a> {
    let constraint = operand.constraint;
    if let Some(segments) = constraint.segment_attribute() {
        return Method::new("::llvm::SmallVector<::mlir::ValueRange>", getter).defined(move |w| {
            w.fill(RUNS, &[("index", &index), ("sizes", &op.op.getter(segments))]);
        });
    }
    if constraint.is_optional() {
        Method::new("::mlir::Value", getter).defined(move |w| {
            w.line(format_args!("auto operands = getODSOperands({index});"));
            w.line("return operands.empty() ? ::mlir::Value() : *operands.begin();");
        })
    } else if constraint.is_variadic() {
        let method = Method::new("::mlir::ValueRange", getter);
        method.defined(move |w| w.line(format_args!("return getODSOperands({index});")))
    } else {
        let method = Method::new("::mlir::Value", getter);
        method.defined(move |w| w.line(format_args!("return *getODSOperands({index}).begin();")))
    }
}

const RUNS: Template = Template(
    r#"
auto tblgenTmpOperands = getODSOperands(@index);
auto sizeAttrValues = @sizes().getValues<uint32_t>();
auto sizeAttrIt = sizeAttrValues.begin();

::llvm::SmallVector<::mlir::ValueRange> tblgenTmpOperandGroups;
for (int i = 0, e = ::llvm::size(sizeAttrValues); i < e; ++i, ++sizeAttrIt) {
  tblgenTmpOperandGroups.push_back(tblgenTmpOperands.take_front(*sizeAttrIt));
  tblgenTmpOperands = tblgenTmpOperands.drop_front(*sizeAttrIt);
}
return tblgenTmpOperandGroups;
"#,
);

fn add_regions<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if !op.op.regions().is_empty() {
        class.method(
            Method::new("::mlir::RegionRange", "getRegions").defined(|w| w.line("return odsRegions;")),
        );
    }
    for (index, region) in op.op.regions().iter().enumerate().filter(|(_, it)| !it.name.is_empty()) {
        for getter in op.op.getters(region.name) {
            class.method(match region.is_variadic() {
                true => Method::new("::mlir::RegionRange", getter)
                    .defined(move |w| w.line(format_args!("return odsRegions.drop_front({index});"))),
                false => Method::new("::mlir::Region &", getter)
                    .defined(move |w| w.line(format_args!("return *odsRegions[{index}];"))),
            });
        }
    }
}
