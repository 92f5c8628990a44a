// The mill dialect's operations: what their definitions leave to C++.
#include "Directives.h"
#include "Mill.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mill;

// ---- Custom directives, before the parsers that call them

// custom<Depth>: a property, as so many stars.
static ParseResult parseDepth(OpAsmParser &parser, int64_t &depth) {
  for (depth = 0; succeeded(parser.parseOptionalStar());)
    ++depth;
  return success();
}
static void printDepth(OpAsmPrinter &printer, Operation *, int64_t depth) {
  for (; depth > 0; --depth)
    printer << "*";
}

// custom<Size>: an optional attribute within an optional group.
static ParseResult parseSize(OpAsmParser &parser, IntegerAttr &size) {
  return parser.parseAttribute(size, parser.getBuilder().getI64Type());
}
static void printSize(OpAsmPrinter &printer, Operation *, IntegerAttr size) { printer << size.getInt(); }

// custom<Body>: a region.
static ParseResult parseBody(OpAsmParser &parser, Region &body) { return parser.parseRegion(body); }
static void printBody(OpAsmPrinter &printer, Operation *, Region &body) { printer.printRegion(body); }

#define GET_OP_CLASSES
#include "MillOps.cpp.inc"

// ---- Names, costs, inference

void HarvestOp::getAsmResultNames(OpAsmSetValueNameFn name) {
  name(getGrain(), stringifyCereal(getGrain().getType().getCereal()));
}

int64_t GrindOp::getMinutes() { return getPasses() * (isPlain() ? 2 : 3); }

int64_t PressOp::getMinutes() { return getTurns() * 60; }

int64_t ScaleOp::getMinutes() { return getFactor() == 0 ? 0 : 2; }

LogicalResult MeltOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(location, "nothing to melt");
  types.push_back(adaptor.getInputs().front().getType());
  return success();
}

// ---- Builders

void WhenOp::build(OpBuilder &builder, OperationState &state, Value flag) {
  state.addOperands(flag);
  state.addRegion()->emplaceBlock();
  state.addRegion();
}

// ---- Verifiers

LogicalResult GrindOp::verify() {
  if (getFine() && getPasses() < 2)
    return emitOpError("grinds fine in ") << getPasses() << " pass";
  return success();
}

// Runs before what is inside is verified, so that it may look at the operation alone.
LogicalResult RecipeOp::verify() {
  return getSymName().empty() ? emitOpError("has no name") : LogicalResult(success());
}

LogicalResult RecipeOp::verifyRegions() {
  if (llvm::hasSingleElement(getBody().front()))
    return emitOpError("has no step");
  return success();
}

LogicalResult FollowOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<RecipeOp>(*this, getRecipeAttr()))
    return emitOpError("follows ") << getRecipe() << ", which is no recipe";
  return success();
}

// ---- Custom assembly: `mill.hand 5 fingers`

ParseResult HandOp::parse(OpAsmParser &parser, OperationState &state) {
  IntegerAttr fingers;
  if (parser.parseAttribute(fingers, parser.getBuilder().getI32Type()) || parser.parseKeyword("fingers"))
    return failure();
  state.getOrAddProperties<Properties>().fingers = fingers;
  return parser.parseOptionalAttrDict(state.attributes);
}

void HandOp::print(OpAsmPrinter &printer) {
  printer << " " << getFingers() << " fingers";
  printer.printOptionalAttrDict((*this)->getAttrs(), {getFingersAttrName()});
}

// ---- Folders and canonicalization

OpFoldResult MassOp::fold(FoldAdaptor adaptor) { return adaptor.getGramsAttr(); }

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  auto lhs = dyn_cast_if_present<IntegerAttr>(adaptor.getLhs());
  auto rhs = dyn_cast_if_present<IntegerAttr>(adaptor.getRhs());
  if (lhs && rhs)
    return IntegerAttr::get(getType(), lhs.getValue() + rhs.getValue());
  return {};
}

LogicalResult ScaleOp::canonicalize(ScaleOp op, PatternRewriter &rewriter) {
  if (op.getFactor() != 1)
    return failure();
  rewriter.replaceOp(op, op.getInput());
  return success();
}
