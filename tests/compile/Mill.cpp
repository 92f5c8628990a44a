// The mill dialect: its types, attributes, enums and interfaces.
#include "Mill.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mill;

// ---- Custom directives of types, before the parsers that call them

static ParseResult parseContent(AsmParser &parser, Type &content) { return parser.parseType(content); }
static void printContent(AsmPrinter &printer, Type content) { printer << content; }

// The content once more, which has to be the same.
static ParseResult parseSameContent(AsmParser &parser, Type content) {
  Type again;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(again))
    return failure();
  return again == content ? ParseResult(success()) : parser.emitError(loc, "the label is of another content");
}
static void printSameContent(AsmPrinter &printer, Type content) { printer << content; }

#include "MillEnums.cpp.inc"

#include "MillAttrInterfaces.cpp.inc"
#include "MillOpInterfaces.cpp.inc"
#include "MillTypeInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "MillAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "MillTypes.cpp.inc"

namespace mill {
#include "MillAttrConstraints.cpp.inc"
#include "MillTypeConstraints.cpp.inc"
} // namespace mill

#include "MillDialect.cpp.inc"

void MillDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "MillAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "MillTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "MillOps.cpp.inc"
      >();
}

Operation *MillDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto grams = dyn_cast<IntegerAttr>(value);
  return grams && grams.getType() == type ? MassOp::create(builder, loc, grams).getOperation() : nullptr;
}

LogicalResult MillDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == getStampAttrHelper().getName() && !isa<StringAttr>(attribute.getValue()))
    return op->emitOpError("has a stamp that is no text");
  return success();
}

// ---- Types

LogicalResult FlourType::verify(function_ref<InFlightDiagnostic()> emitError, Cereal cereal, unsigned grade,
                                ArrayRef<int64_t> sieves) {
  if (cereal == Cereal::Oat && grade != 405)
    return emitError() << "oat flour has no grade, but " << grade << " is given";
  return success();
}

Cereal SackType::getCereal() const {
  auto content = dyn_cast<CerealTypeInterface>(getContent());
  return content ? content.getCereal() : Cereal::Rye;
}

bool SackType::keeps() const {
  auto content = dyn_cast<CerealTypeInterface>(getContent());
  return content && content.keeps();
}

// !mill.route<"a" to "b" to "c">
Type RouteType::parse(AsmParser &parser) {
  SmallVector<StringAttr> stops;
  if (parser.parseLess())
    return {};
  do {
    if (parser.parseAttribute(stops.emplace_back()))
      return {};
  } while (succeeded(parser.parseOptionalKeyword("to")));
  if (parser.parseGreater())
    return {};
  if (stops.size() == 2)
    return getBetween(stops[0], stops[1]);
  return Base::get(parser.getContext(), ArrayRef<StringAttr>(stops));
}

void RouteType::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleave(getStops(), printer, [&](StringAttr stop) { printer << stop; }, " to ");
  printer << ">";
}

// ---- Attributes

int64_t BatchAttr::getGrams() const { return getCount() * getEach(); }

LogicalResult BatchAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t count, int64_t each,
                                CerealAttr cereal, StringRef note) {
  if (count < 1)
    return emitError() << "a batch of " << count;
  return success();
}

// #mill.range<1 up to 5>
Attribute RangeAttr::parse(AsmParser &parser, Type) {
  int64_t low, high;
  if (parser.parseLess() || parser.parseInteger(low) || parser.parseKeyword("up") || parser.parseKeyword("to") ||
      parser.parseInteger(high) || parser.parseGreater())
    return {};
  return RangeAttr::get(parser.getContext(), low, high);
}

void RangeAttr::print(AsmPrinter &printer) const { printer << "<" << getLow() << " up to " << getHigh() << ">"; }

// ---- Interfaces

LogicalResult mill::detail::verifyCost(Operation *op) {
  auto cost = cast<CostOpInterface>(op);
  if (cost.getMinutes() > 24 * 60)
    return op->emitOpError("takes ") << cost.getMinutes() << " minutes, more than a day";
  return success();
}
