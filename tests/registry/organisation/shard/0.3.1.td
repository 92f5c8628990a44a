include "stable.td"
include "mlir/IR/PatternBase.td"
include "mlir/Pass/PassBase.td"

def Shard_Dialect : Dialect { let name = "shard"; let cppNamespace = "::shard"; let summary = "Where tensors are"; }
def Shard_DotOp : Op<Shard_Dialect, "dot", [Pure]> {
  let summary = "a dot on several devices";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs);
  let results = (outs HLO_Tensor:$result);
}
def ShardDot : Pat<(Stable_DotGeneralOp $lhs, $rhs, $precision), (Shard_DotOp $lhs, $rhs)>;
def ShardExport : Pass<"shard-export"> { let summary = "writes where tensors are"; let dependentDialects = ["::stable::StableDialect"]; }
