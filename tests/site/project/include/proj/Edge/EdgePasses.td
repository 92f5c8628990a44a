include "mlir/Pass/PassBase.td"

def OpenBoxes : Pass<"edge-open-boxes", "core::BoxOp"> {
  let summary = "Opens all boxes";
  let description = [{ Each `core.box_op` becomes an `edge.open`; `!core.box` is gone. }];
  let dependentDialects = ["edge::EdgeDialect"];
}
def ConvertCoreToEdge : Pass<"convert-core-to-edge"> {
  let summary = "Lowers core to edge";
  let dependentDialects = ["::proj::edge::EdgeDialect"];
}
