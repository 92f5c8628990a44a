//! Members that find operands, results, regions and successors. In this order: the position of a group of operands, the
//! group, each operand, each operand as a mutable range; the same of results; each region; each successor.
//!
//! The positions follow from the stored lengths of groups, or from the rule that all groups of variable length are
//! equally long.

use super::info::{OpInfo, Site};
use crate::cpp::{Class, Method, Parameter, Template, Writer, cast, continued, join};
use odsmith_ods::{Operand, TypeConstraint};
use odsmith_release::{Change, spellings};

pub(super) fn add_operands<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    class.method(operand_index_and_length(op, Site::Op));
    class.method(group(op, "operand"));
    for (index, operand) in named(op.op.operands(), |operand| operand.name) {
        for getter in op.op.getters(operand.name) {
            class.method(operand_getter(op, getter, index, operand));
        }
    }
    for (index, operand) in named(op.op.operands(), |operand| operand.name) {
        for getter in op.op.getters(operand.name) {
            class.method(mutable_operand_getter(op, getter, index, operand));
        }
    }
}

pub(super) fn add_results<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    class.method(result_index_and_length(op));
    class.method(group(op, "result"));
    for (index, result) in named(op.op.results(), |result| result.name) {
        for getter in op.op.getters(result.name) {
            class.method(value_getter(op, getter, "Results", index, result.constraint));
        }
    }
}

/// Returns the items that have a name, with their positions.
fn named<T>(all: &[T], name: fn(&T) -> &str) -> impl Iterator<Item = (usize, &T)> {
    all.iter().enumerate().filter(move |(_, item)| !name(item).is_empty())
}

/// Returns `getODSOperandIndexAndLength`, of the operation or of its adaptor. The adaptor's takes the number of
/// operands.
pub(super) fn operand_index_and_length<'a>(op: &'a OpInfo<'a>, site: Site) -> Method<'a> {
    let is_variadic = || op.op.operands().iter().map(|operand| operand.constraint.is_variable_length());
    let (total, more) = match site {
        Site::Op => ("getOperation()->getNumOperands()", None),
        Site::Adaptor if !op.rules().has(Change::GenericAdaptors) => ("odsOperands.size()", None),
        Site::Adaptor => ("odsOperandsSize", Some(Parameter::new("unsigned", "odsOperandsSize"))),
    };
    let method = index_and_length("getODSOperandIndexAndLength").parameters(more);
    if op.has_operand_segments {
        method.defined(move |w| emit_by_segments(op, op.operand_segments(), site, w))
    } else if is_variadic().any(|is| is) {
        method.defined(move |w| emit_by_same_size(is_variadic(), total, w))
    } else {
        op.short(method, |w| w.line("return {index, 1};"))
    }
}

/// Adds the position of each result that has a name.
pub(super) fn add_result_indices<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    class.lines(|w| {
        for (index, result) in named(op.op.results(), |result| result.name) {
            w.line(format_args!("static constexpr int odsIndex_{} = {index};", result.name));
        }
    });
}

fn result_index_and_length<'a>(op: &'a OpInfo<'a>) -> Method<'a> {
    let is_variadic = || op.op.results().iter().map(|result| result.constraint.is_variable_length());
    let method = index_and_length("getODSResultIndexAndLength");
    if op.has_result_segments {
        method.defined(|w| emit_by_segments(op, op.result_segments(), Site::Op, w))
    } else if is_variadic().any(|is| is) {
        method.defined(move |w| emit_by_same_size(is_variadic(), "getOperation()->getNumResults()", w))
    } else {
        op.short(method, |w| w.line("return {index, 1};"))
    }
}

fn index_and_length(name: &'static str) -> Method<'static> {
    Method::new("std::pair<unsigned, unsigned>", name).parameter("unsigned", "index")
}

fn emit_by_segments(op: &OpInfo<'_>, segments: &str, site: Site, w: &mut Writer) {
    match op.attribute(segments).filter(|_| !op.attributes_are_properties) {
        Some(attribute) => {
            let sizes = op.stored(attribute, site);
            if site == Site::Adaptor {
                match op.rules().has(Change::Properties) {
                    true => {
                        w.line(format_args!(r#"assert({sizes} && "missing segment size attribute for op");"#))
                    }
                    false => w.line(r#"assert(odsAttrs && "missing segment size attribute for op");"#),
                }
            }
            let ty = spellings::SegmentSizes.of(op.rules());
            let sizes = cast(op.rules(), "::llvm::cast", ty, sizes);
            let is_broken = site == Site::Op
                && op.rules().has(Change::SpacedMembers)
                && !op.rules().has(Change::SortedLookups);
            w.line(match is_broken {
                true => format!("auto sizeAttr =\n      {sizes};"),
                false => format!("auto sizeAttr = {sizes};"),
            });
        }
        None => w.line(format_args!("::llvm::ArrayRef<int32_t> sizeAttr = getProperties().{segments};")),
    }
    let is_array = op.rules().has(Change::SegmentsAsArrays);
    let may_be_splat = op.rules().has(Change::SplatSegments);
    w.fill(
        match (is_array, may_be_splat) {
            (true, _) => BY_SEGMENTS,
            (false, true) => BY_SEGMENT_ELEMENTS,
            (false, false) => BY_SEGMENT_VALUES,
        },
        &[],
    );
}

const BY_SEGMENTS: Template = Template(
    r#"

unsigned start = 0;
for (unsigned i = 0; i < index; ++i)
  start += sizeAttr[i];
return {start, sizeAttr[index]};
"#,
);

const BY_SEGMENT_VALUES: Template = Template(
    r#"

auto sizeAttrValues = sizeAttr.getValues<uint32_t>();
unsigned start = 0;
for (unsigned i = 0; i < index; ++i)
  start += *(sizeAttrValues.begin() + i);
unsigned size = *(sizeAttrValues.begin() + index);
return {start, size};
"#,
);

const BY_SEGMENT_ELEMENTS: Template = Template(
    r#"

const uint32_t *sizeAttrValueIt = &*sizeAttr.value_begin<uint32_t>();
if (sizeAttr.isSplat())
  return {*sizeAttrValueIt * index, *sizeAttrValueIt};

unsigned start = 0;
for (unsigned i = 0; i < index; ++i)
  start += sizeAttrValueIt[i];
return {start, sizeAttrValueIt[index]};
"#,
);

fn emit_by_same_size(is_variadic: impl Iterator<Item = bool> + Clone, total: &str, w: &mut Writer) {
    let variadic = is_variadic.clone().filter(|is| *is).count();
    let fixed = is_variadic.clone().count() - variadic;
    w.fill(
        BY_SAME_SIZE,
        &[
            ("is_variadic", &join(is_variadic, ", ")),
            ("total", &total),
            ("fixed", &fixed),
            ("variadic", &variadic),
        ],
    );
}

const BY_SAME_SIZE: Template = Template(
    r#"
bool isVariadic[] = {@is_variadic};
int prevVariadicCount = 0;
for (unsigned i = 0; i < index; ++i)
  if (isVariadic[i]) ++prevVariadicCount;

// Calculate how many dynamic values a static variadic operand corresponds to.
// This assumes all static variadic operands have the same dynamic value count.
int variadicSize = (@total - @fixed) / @variadic;
// `index` passed in as the parameter is the static index which counts each
// operand (variadic or not) as size 1. So here for each previous static variadic
// operand, we need to offset by (variadicSize - 1) to get where the dynamic
// value pack for this static operand starts.
int start = index + (variadicSize - 1) * prevVariadicCount;
int size = isVariadic[index] ? variadicSize : 1;
return {start, size};
"#,
);

/// Returns `getODSOperands` or `getODSResults`.
fn group<'a>(op: &OpInfo<'a>, kind: &'static str) -> Method<'a> {
    let (name, range, locate) = match kind {
        "operand" => {
            ("getODSOperands", "::mlir::Operation::operand_range", "getODSOperandIndexAndLength(index)")
        }
        _ => ("getODSResults", "::mlir::Operation::result_range", "getODSResultIndexAndLength(index)"),
    };
    let method = Method::new(range, name).parameter("unsigned", "index");
    op.short(method, move |w| {
        if kind == "operand" && w.rules().has(Change::SlicedOperands) {
            return w.fill(SLICE, &[("locate", &locate)]);
        }
        let begin = format_args!("getOperation()->{kind}_begin()");
        w.fill(GROUP, &[("locate", &locate), ("begin", &begin)]);
    })
}

pub(super) const GROUP: Template = Template(
    r#"
auto valueRange = @locate;
return {std::next(@begin, valueRange.first),
         std::next(@begin, valueRange.first + valueRange.second)};
"#,
);

const SLICE: Template = Template(
    r#"
auto [start, length] = @locate;
return getOperation()->getOperands().slice(start, length);
"#,
);

fn operand_getter<'a>(
    op: &'a OpInfo<'a>,
    getter: String,
    index: usize,
    operand: &'a Operand<'a>,
) -> Method<'a> {
    let constraint = operand.constraint;
    match constraint.segment_attribute() {
        Some(segments) => {
            let method = Method::new("::mlir::OperandRangeRange", getter);
            let margin = op.short_margin();
            op.short(method, move |w| {
                let sizes = continued(op.op.getter(segments), margin);
                w.line(format_args!("return getODSOperands({index}).split({sizes}Attr());"));
            })
        }
        None => value_getter(op, getter, "Operands", index, constraint),
    }
}

/// Returns the getter of an operand or result that is not a `VariadicOfVariadic`.
///
/// The reference indents the lines inside a C++ type by the class' indentation, and in a getter of an operand also by
/// the body's.
fn value_getter<'a>(
    op: &OpInfo<'a>,
    name: String,
    kind: &'static str,
    index: usize,
    constraint: TypeConstraint<'a>,
) -> Method<'a> {
    let (range, none, indent) = match kind {
        "Operands" => (
            "::mlir::Operation::operand_range",
            if op.rules().has(Change::TypedValues) { "{}" } else { "()" },
            "  ",
        ),
        _ => ("::mlir::Operation::result_range", "()", ""),
    };
    let indent = format!("{}{indent}", op.short_margin());
    // A class without its namespace could be any.
    let is_of_any = |ty: &str| ty == "::mlir::Type" || !ty.starts_with("::");
    let value = match &*constraint.cpp_type() {
        _ if !op.rules().has(Change::TypedValues) => "::mlir::Value".to_owned(),
        ty if is_of_any(ty) && !op.rules().has(Change::TypedValuesOfAnyType) => "::mlir::Value".to_owned(),
        ty => format!("::mlir::TypedValue<{ty}>"),
    };
    if constraint.is_optional() {
        op.short(Method::new(value.clone(), name), move |w| {
            let values = kind.to_ascii_lowercase();
            let value = continued(&value, &indent).to_string();
            w.line(format_args!("auto {values} = getODS{kind}({index});"));
            w.margin();
            match w.rules().has(Change::CastFunctions) {
                true => writeln!(
                    w,
                    "return {values}.empty() ? {value}{none} : ::llvm::cast<{value}>(*{values}.begin());"
                ),
                false => writeln!(w, "return {values}.empty() ? ::mlir::Value{none} : *{values}.begin();"),
            }
        })
    } else if constraint.is_variadic() {
        let method = Method::new(range, name);
        op.short(method, move |w| w.line(format_args!("return getODS{kind}({index});")))
    } else {
        op.short(Method::new(value.clone(), name), move |w| {
            let value = continued(&value, &indent);
            w.margin();
            match w.rules().has(Change::CastFunctions) {
                true => writeln!(w, "return ::llvm::cast<{value}>(*getODS{kind}({index}).begin());"),
                false => writeln!(w, "return *getODS{kind}({index}).begin();"),
            }
        })
    }
}

fn mutable_operand_getter<'a>(
    op: &'a OpInfo<'a>,
    getter: String,
    index: usize,
    operand: &'a Operand<'a>,
) -> Method<'a> {
    let name = getter + "Mutable";
    if !operand.constraint.is_variable_length() && op.rules().has(Change::SingleMutableOperands) {
        return op.short(Method::new("::mlir::OpOperand &", name), move |w| {
            w.line(format_args!("auto range = getODSOperandIndexAndLength({index});"));
            w.line("return getOperation()->getOpOperand(range.first);");
        });
    }
    let segments = operand.constraint.segment_attribute();
    let range = match segments {
        Some(_) => "::mlir::MutableOperandRangeRange",
        None => "::mlir::MutableOperandRange",
    };
    Method::new(range, name).defined(move |w| {
        w.line(format_args!("auto range = getODSOperandIndexAndLength({index});"));
        w.margin();
        let has_variable = op.rules().has(Change::SpacedMembers);
        w.raw(if has_variable { "auto mutableRange =" } else { "return" });
        w.raw(" ::mlir::MutableOperandRange(getOperation(), range.first, range.second");
        emit_operand_segment(op, index, w);
        w.raw(");\n");
        if !has_variable {
            return;
        }
        match segments {
            Some(segments) if op.rules().has(Change::DividedAttributes) => {
                let key = op.op.getter(segments);
                w.line(format_args!("return mutableRange.split({{{key}AttrName(), {key}Attr()}});"));
            }
            Some(segments) => {
                let key = op.op.getter(segments);
                w.line(format_args!(
                    "return mutableRange.split(*(*this)->getAttrDictionary().getNamed({key}AttrName()));"
                ));
            }
            None => w.line("return mutableRange;"),
        }
    })
}

/// Writes the argument with which a range keeps the lengths of groups up to date.
fn emit_operand_segment(op: &OpInfo<'_>, index: usize, w: &mut Writer) {
    if !op.has_operand_segments {
        return;
    }
    write!(w, ", ::mlir::MutableOperandRange::OperandSegment({index}u, ");
    match op.attribute(op.operand_segments()).filter(|_| !op.has_properties) {
        Some(attribute) => {
            let range = op.stored(attribute, Site::Op);
            match op.rules().has(Change::SortedLookups) {
                true => write!(w, "*::mlir::impl::getNamedAttrFromSortedRange({}))", range.range()),
                false => {
                    let key = op.attribute_key(op.operand_segments(), Site::Op);
                    write!(w, "*getOperation()->getAttrDictionary().getNamed({key}))");
                }
            }
        }
        None => w.raw(
            "{getOperandSegmentSizesAttrName(), \
             ::mlir::DenseI32ArrayAttr::get(getContext(), getProperties().operandSegmentSizes)})",
        ),
    }
}

pub(super) fn add_regions<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for (index, region) in named(op.op.regions(), |region| region.name) {
        for getter in op.op.getters(region.name) {
            class.method(if region.is_variadic() {
                let method = Method::new("::mlir::MutableArrayRef<::mlir::Region>", getter);
                op.short(method, move |w| {
                    w.line(format_args!("return (*this)->getRegions().drop_front({index});"));
                })
            } else {
                let method = Method::new("::mlir::Region &", getter);
                op.short(method, move |w| w.line(format_args!("return (*this)->getRegion({index});")))
            });
        }
    }
}

pub(super) fn add_successors<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for (index, successor) in named(op.op.successors(), |successor| successor.name) {
        for getter in op.op.getters(successor.name) {
            class.method(if successor.is_variadic() {
                op.short(Method::new("::mlir::SuccessorRange", getter), move |w| {
                    w.line(format_args!(
                        "return {{std::next((*this)->successor_begin(), {index}), (*this)->successor_end()}};"
                    ));
                })
            } else {
                let method = Method::new("::mlir::Block *", getter);
                op.short(method, move |w| w.line(format_args!("return (*this)->getSuccessor({index});")))
            });
        }
    }
}
