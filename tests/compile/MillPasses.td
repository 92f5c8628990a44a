// Passes that use what is generated: the patterns and the interface of the mill dialect.
#ifndef MILL_PASSES_TD
#define MILL_PASSES_TD

include "mlir/Pass/PassBase.td"

def MillRewrite : Pass<"mill-rewrite"> {
  let summary = "Apply the dialect's patterns greedily";
  let options = [Option<"folds", "fold", "bool", /*default=*/"false", "Fold operations as well">];
  let statistics = [Statistic<"changed", "changed", "Operations in which something changed">];
}

def MillCost : Pass<"mill-cost"> {
  let summary = "Remark on the cost of every operation that has one";
}

#endif
