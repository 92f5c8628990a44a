// A copy of an operation of another project, with another shape.
include "mlir/IR/OpBase.td"

def Stable_Dialect : Dialect { let name = "stable"; let cppNamespace = "::stable"; }
def Stable_CompositeOp : Op<Stable_Dialect, "composite"> {
  let summary = "an operation made of others";
  let arguments = (ins Variadic<AnyTensor>:$inputs);
  let results = (outs Variadic<AnyTensor>:$results);
}
