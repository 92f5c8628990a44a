include "stable.td"
include "mlir/Pass/PassBase.td"

def LegalizeToLinalg : Pass<"stable-legalize-to-linalg"> {
  let summary = "lowers portable operations to structured ones";
  let options = [Option<"primitive", "primitive", "bool", "false", "Only simple operations">];
  let dependentDialects = ["::stable::StableDialect"];
}
