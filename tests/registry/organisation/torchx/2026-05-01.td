include "linalgx.td"
include "mlir/IR/PatternBase.td"

def TorchX_Dialect : Dialect { let name = "torchx"; let cppNamespace = "::torchx"; let summary = "Operations of a framework"; }
class TorchX_Op<string mnemonic> : Op<TorchX_Dialect, mnemonic, [Pure]> {
  let arguments = (ins AnyTensor:$self);
  let results = (outs AnyTensor:$result);
}
def TorchX_MmOp : TorchX_Op<"mm"> { let summary = "matrix multiplication as the framework has it"; }
def TorchX_ReluOp : TorchX_Op<"relu">;
def TorchX_TanhOp : TorchX_Op<"tanh">;
def LowerMm : Pat<(TorchX_MmOp $self), (LinalgX_GenericOp $self)>;
def LowerRelu : Pat<(TorchX_ReluOp $self), (LinalgX_GenericOp $self)>;
