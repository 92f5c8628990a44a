// The kiln dialect: all that is generated of it, and what its definitions leave to C++. It keeps to what the headers of
// every release have, and is compiled, not run.
#include "Directives.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// ---- Declarations

#include "KilnDialect.h.inc"
#include "KilnEnums.h.inc"

#include "KilnAttrInterfaces.h.inc"
#include "KilnOpInterfaces.h.inc"
#include "KilnTypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "KilnAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "KilnTypes.h.inc"
#define GET_OP_CLASSES
#include "KilnOps.h.inc"

// ---- Definitions

#include "KilnEnums.cpp.inc"

#include "KilnAttrInterfaces.cpp.inc"
#include "KilnOpInterfaces.cpp.inc"
#include "KilnTypeInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "KilnAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "KilnTypes.cpp.inc"
#define GET_OP_CLASSES
#include "KilnOps.cpp.inc"

#include "KilnDialect.cpp.inc"

using namespace kiln;

void KilnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "KilnAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "KilnTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "KilnOps.cpp.inc"
      >();
}

// ---- Types and attributes

Clay PotType::getClay() const { return getOf().getClay(); }

LogicalResult PotType::verify(function_ref<InFlightDiagnostic()> emitError, LumpType of, unsigned liters,
                              ArrayRef<int64_t> bands, StringAttr label) {
  if (bands.size() > liters)
    return emitError() << bands.size() << " bands on " << liters << " liters";
  return success();
}

int64_t MarkAttr::getWidth() const { return getText().size(); }

// #kiln.mark<"text" 1 2>
Attribute MarkAttr::parse(AsmParser &parser, Type) {
  std::string text;
  SmallVector<int64_t> at;
  if (parser.parseLess() || parser.parseString(&text))
    return {};
  while (failed(parser.parseOptionalGreater()))
    if (parser.parseInteger(at.emplace_back()))
      return {};
  return MarkAttr::get(parser.getContext(), text, at);
}

void MarkAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getText() << "\"";
  for (int64_t at : getAt())
    printer << " " << at;
  printer << ">";
}

// ---- Operations

void DigOp::getAsmResultNames(OpAsmSetValueNameFn name) { name(getLump(), "lump"); }

int64_t FireOp::getDegrees() { return getHours() * (isPlain() ? 400 : 300); }

LogicalResult FireOp::verify() {
  if (getDegrees() > 3000)
    return emitOpError("takes ") << getDegrees() << " degrees, which no kiln bears";
  return success();
}

LogicalResult ShardsOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(location, "no shards");
  types.push_back(adaptor.getInputs().front().getType());
  return success();
}

// `kiln.hand 5 fingers`
ParseResult HandOp::parse(OpAsmParser &parser, OperationState &state) {
  IntegerAttr fingers;
  if (parser.parseAttribute(fingers, parser.getBuilder().getI32Type(), "fingers", state.attributes) ||
      parser.parseKeyword("fingers"))
    return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void HandOp::print(OpAsmPrinter &printer) {
  printer << " " << getFingers() << " fingers";
  printer.printOptionalAttrDict((*this)->getAttrs(), {getFingersAttrName()});
}

LogicalResult PlanOp::verifyRegions() {
  if (llvm::hasSingleElement(getBody().front()))
    return emitOpError("has no step");
  return success();
}

LogicalResult FollowOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<PlanOp>(*this, getPlanAttr()))
    return emitOpError("follows ") << getPlan() << ", which is no plan";
  return success();
}

OpFoldResult WeighOp::fold(FoldAdaptor adaptor) { return adaptor.getGramsAttr(); }

LogicalResult ScaleOp::canonicalize(ScaleOp op, PatternRewriter &rewriter) {
  if (op.getFactor() != 1)
    return failure();
  rewriter.replaceOp(op, op.getInput());
  return success();
}

// ---- Patterns and passes

namespace kiln {

static ResultRange halves(OpBuilder &builder, Location loc, Value value) {
  OperationState state(loc, SplitOp::getOperationName());
  SplitOp::build(builder, state, builder.getI32Type(), builder.getI32Type(), value);
  return builder.create(state)->getResults();
}

#include "KilnPatterns.inc"

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddNothing, AddTwice>(context);
}

std::unique_ptr<Pass> createKilnLookPass();

#define GEN_PASS_DECL
#define GEN_PASS_DEF_KILNLOOK
#define GEN_PASS_DEF_KILNREWRITE
#include "KilnPasses.h.inc"

struct KilnRewrite : impl::KilnRewriteBase<KilnRewrite> {
  using KilnRewriteBase::KilnRewriteBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateWithGenerated(patterns);
    changed += rounds * only.size();
  }
};

struct KilnLook : impl::KilnLookBase<KilnLook> {
  void runOnOperation() override {
    getOperation()->walk([](FiredOpInterface op) {
      op->emitRemark() << op.getKeeper() << ": " << op.getDegrees() << " degrees, " << op.getDegreesAbove(20) << " above"
                       << (op.isHot() ? ", hot" : "");
    });
    getOperation()->walk([](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto clay = llvm::dyn_cast<ClayTypeInterface>(type))
          op->emitRemark() << stringifyClay(clay.getClay());
      for (NamedAttribute attribute : op->getAttrs())
        if (auto sized = llvm::dyn_cast<SizedAttrInterface>(attribute.getValue()))
          op->emitRemark() << attribute.getName() << " is " << sized.getWidth() << " wide";
    });
  }
};

std::unique_ptr<Pass> createKilnLookPass() { return std::make_unique<KilnLook>(); }

#define GEN_PASS_REGISTRATION
#include "KilnPasses.h.inc"

} // namespace kiln

// The calls of a program.
void registerKiln(DialectRegistry &registry) {
  registry.insert<KilnDialect>();
  registerKilnPasses();
}
