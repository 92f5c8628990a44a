// The forge dialect with all that is generated of it, and a program that parses, checks, rewrites and prints files.
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
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#if LLVM_VERSION_MAJOR < 15
#include "mlir/Parser.h"
#else
#include "mlir/Parser/Parser.h"
#endif

using namespace mlir;

// ---- Declarations

namespace forge {
class HeatOp;
ParseResult readHeat(OpAsmParser &parser, OperationState &state);
void writeHeat(OpAsmPrinter &printer, HeatOp op);
LogicalResult checkHeat(HeatOp op);
std::unique_ptr<Pass> createForgeRewritePass();
} // namespace forge

#include "ForgeDialect.h.inc"
#include "ForgeEnums.h.inc"

#if LLVM_VERSION_MAJOR < 15
#include "ForgeStructs.h.inc"
#endif

#define GET_ATTRDEF_CLASSES
#include "ForgeAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ForgeTypes.h.inc"
#define GET_OP_CLASSES
#include "ForgeOps.h.inc"

// ---- Definitions

#include "ForgeEnums.cpp.inc"

#if LLVM_VERSION_MAJOR < 15
#include "ForgeStructs.cpp.inc"
#endif

#define GET_ATTRDEF_CLASSES
#include "ForgeAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ForgeTypes.cpp.inc"
#define GET_OP_CLASSES
#include "ForgeOps.cpp.inc"

#include "ForgeDialect.cpp.inc"

using namespace forge;

void ForgeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ForgeAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ForgeTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ForgeOps.cpp.inc"
      >();
}

Operation *ForgeDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return builder.create<WeightOp>(loc, type, value.cast<IntegerAttr>());
}

// ---- `forge.heat %bar for 5 : !forge.bar<…>`

#if LLVM_VERSION_MAJOR < 15
using Operand = OpAsmParser::OperandType;
#else
using Operand = OpAsmParser::UnresolvedOperand;
ParseResult HeatOp::parse(OpAsmParser &parser, OperationState &state) { return readHeat(parser, state); }
void HeatOp::print(OpAsmPrinter &printer) { writeHeat(printer, *this); }
LogicalResult HeatOp::verify() { return checkHeat(*this); }
#endif

ParseResult forge::readHeat(OpAsmParser &parser, OperationState &state) {
  Operand bar;
  Type type;
  IntegerAttr minutes;
  if (parser.parseOperand(bar) || parser.parseKeyword("for") ||
      parser.parseAttribute(minutes, parser.getBuilder().getI32Type(), "minutes", state.attributes) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(bar, type, state.operands))
    return failure();
  state.addTypes(type);
  return success();
}

void forge::writeHeat(OpAsmPrinter &printer, HeatOp op) {
  printer << " " << op.getBar() << " for " << op.getMinutes();
  printer.printOptionalAttrDict(op->getAttrs(), {"minutes"});
  printer << " : " << op.getBar().getType();
}

LogicalResult forge::checkHeat(HeatOp op) {
  if (op.getBar().getType() != op.getHot().getType())
    return op.emitOpError("makes another bar of a bar");
  if (op.isLong() && op.getBar().getType().cast<BarType>().getLength() < 10)
    return op.emitOpError("melts a short bar");
  return success();
}

// ---- Folding and patterns

#if LLVM_VERSION_MAJOR < 15
OpFoldResult WeightOp::fold(ArrayRef<Attribute>) { return getPoundsAttr(); }
OpFoldResult AddOp::fold(ArrayRef<Attribute> operands) {
  Attribute lhs = operands[0], rhs = operands[1];
#else
OpFoldResult WeightOp::fold(FoldAdaptor adaptor) { return adaptor.getPoundsAttr(); }
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  Attribute lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
#endif
  if (!lhs || !rhs)
    return {};
  return IntegerAttr::get(getType(), lhs.cast<IntegerAttr>().getValue() + rhs.cast<IntegerAttr>().getValue());
}

namespace {
#include "ForgePatterns.inc"

#if LLVM_VERSION_MAJOR < 16
#define GEN_PASS_CLASSES
#include "ForgePasses.h.inc"
#else
#define GEN_PASS_DECL
#define GEN_PASS_DEF_FORGEREWRITE
#include "ForgePasses.h.inc"
template <typename Derived> using ForgeRewriteBase = impl::ForgeRewriteBase<Derived>;
#endif

struct ForgeRewrite : ForgeRewriteBase<ForgeRewrite> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateWithGenerated(patterns);
    AddOp::getCanonicalizationPatterns(patterns, &getContext());
    for (unsigned round = 0; round < rounds; ++round)
      if (failed(applyPatternsAndFoldGreedily(getOperation(), FrozenRewritePatternSet(std::move(patterns)))))
        return signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> forge::createForgeRewritePass() { return std::make_unique<ForgeRewrite>(); }

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddTwice>(context);
}

namespace {
#define GEN_PASS_REGISTRATION
#include "ForgePasses.h.inc"
} // namespace

// forge-opt FILE [generic] [rewrite]: parses and checks, prints.
int main(int count, char **arguments) {
  bool isGeneric = false, rewrites = false;
  for (StringRef argument : llvm::makeArrayRef(arguments + 2, count - 2)) {
    isGeneric |= argument == "generic";
    rewrites |= argument == "rewrite";
  }
  registerForgePasses();
  MLIRContext context;
  context.loadDialect<ForgeDialect>();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(arguments[1], sources, &context);
  if (!module || failed(verify(*module)))
    return 1;
  if (rewrites) {
    PassManager passes(&context);
    passes.addPass(createForgeRewritePass());
    if (failed(passes.run(*module)))
      return 1;
  }
  OpPrintingFlags flags;
  if (isGeneric)
    flags.printGenericOpForm();
  module->print(llvm::outs(), flags);
  llvm::outs() << "\n";
  return 0;
}
