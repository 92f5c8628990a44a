// mill-opt: MLIR's own driver with the mill dialect, and two passes: one applies the generated patterns, one asks the
// generated interface.
#include "Mill.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

// ---- Functions that the patterns call

namespace mill {

/// A mass with an even number of grams; `half` becomes the half.
static LogicalResult matchEvenGrams(Operation *op, Attribute &half) {
  auto mass = dyn_cast_if_present<MassOp>(op);
  if (!mass || mass.getGrams() % 2 != 0)
    return failure();
  half = IntegerAttr::get(mass.getType(), mass.getGrams() / 2);
  return success();
}

static Value sumOf(OpBuilder &builder, Location loc, ArrayRef<Value> values, StringAttr note) {
  auto sum = SumOp::create(builder, loc, values);
  sum->setAttr("note", note);
  return sum;
}

static ResultRange halves(OpBuilder &builder, Location loc, Value value) {
  return SplitOp::create(builder, loc, value)->getResults();
}

static void stamp(Value value, StringAttr text) { value.getDefiningOp()->setAttr("mill.stamp", text); }

} // namespace mill

#include "MillPatterns.inc"

void mill::AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddNothing, AddTwice>(context);
}

// ---- Passes

namespace mill {

#define GEN_PASS_DECL
#define GEN_PASS_DEF_MILLCOST
#define GEN_PASS_DEF_MILLREWRITE
#include "MillPasses.h.inc"

struct MillRewrite : impl::MillRewriteBase<MillRewrite> {
  using MillRewriteBase::MillRewriteBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateWithGenerated(patterns);
    // Each pattern is seen alone: nothing is folded, and what is dead stays.
    GreedyRewriteConfig config;
    config.enableFolding(folds).enableConstantCSE(folds);
    bool isChanged = false;
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config, &isChanged)))
      signalPassFailure();
    changed += isChanged;
  }
};

struct MillCost : impl::MillCostBase<MillCost> {
  void runOnOperation() override {
    getOperation()->walk([](CostOpInterface op) {
      op->emitRemark() << op.getWorker() << ": " << op.getMinutes() << " minutes, " << op.getMinutesFor(3)
                       << " for three" << (op.isShort() ? ", short" : "");
    });
    getOperation()->walk([](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto cereal = dyn_cast<CerealTypeInterface>(type))
          op->emitRemark() << stringifyCereal(cereal.getCereal()) << (cereal.keeps() ? " keeps" : " spoils")
                           << (isRyeLike(type) ? ", like rye" : "");
      for (NamedAttribute attribute : op->getAttrs())
        if (auto weighed = dyn_cast<WeighedAttrInterface>(attribute.getValue()))
          op->emitRemark() << attribute.getName() << " weighs " << weighed.getGrams()
                           << (isSmallWeight(attribute.getValue()) ? ", little" : "");
    });
  }
};

#define GEN_PASS_REGISTRATION
#include "MillPasses.h.inc"

} // namespace mill

int main(int argc, char **argv) {
  mill::registerMillPasses();
  registerTransformsPasses();
  DialectRegistry registry;
  registry.insert<mill::MillDialect>();
  return asMainReturnCode(MlirOptMain(argc, argv, "mill-opt\n", registry));
}
