include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Stable_Dialect : Dialect { let name = "stable"; let cppNamespace = "::stable"; let summary = "Portable operations"; }
def HLO_Tensor : TensorOf<[F32, I32]>;
def HLO_FpTensor : ConfinedType<HLO_Tensor, [CPred<"::hlo::isFloat($_self)">], "a tensor of floats">;
class Stable_Op<string mnemonic, list<Trait> traits = [Pure]> : Op<Stable_Dialect, mnemonic, traits>;
def Stable_DotGeneralOp : Stable_Op<"dot_general"> {
  let summary = "matrix multiplication in general";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs, OptionalAttr<StrAttr>:$precision);
  let results = (outs HLO_Tensor:$result);
}
def Stable_CompositeOp : Stable_Op<"composite", []> {
  let summary = "an operation made of others";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, SymbolRefAttr:$decomposition);
  let results = (outs Variadic<HLO_Tensor>:$results);
}
def Stable_ExpOp : Stable_Op<"exp"> {
  let summary = "exponential";
  let arguments = (ins HLO_FpTensor:$operand);
  let results = (outs HLO_FpTensor:$result);
}
