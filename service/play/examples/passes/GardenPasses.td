// Passes with options and statistics.
include "mlir/Pass/PassBase.td"

def WaterPass : Pass<"garden-water", "::mlir::ModuleOp"> {
  let summary = "Waters what is dry";
  let description = [{
    Goes over all beds and waters those that need it. Beds that are `shaded` get
    less.
  }];
  let options = [
    Option<"liters", "liters", "unsigned", /*default=*/"10", "How much each bed gets">,
    Option<"onlyShaded", "only-shaded", "bool", "false", "Leaves out beds in the sun">,
    ListOption<"beds", "beds", "std::string", "Names of beds; all, if there are none">
  ];
  let statistics = [
    Statistic<"numWatered", "num-watered", "Beds that were watered">
  ];
  let dependentDialects = ["::garden::GardenDialect"];
}

def PrunePass : InterfacePass<"garden-prune", "::mlir::FunctionOpInterface"> {
  let summary = "Cuts off what leads nowhere";
  let constructor = "::garden::createPrunePass()";
}
