include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mem_Dialect : Dialect { let name = "mem"; let cppNamespace = "::mem"; let summary = "Buffers"; }
class Mem_Op<string mnemonic, list<Trait> traits = []> : Op<Mem_Dialect, mnemonic, traits>;
def Mem_DimOp : Mem_Op<"dim", [Pure]> {
  let summary = "size of a dimension";
  let arguments = (ins AnyMemRef:$of, Index:$at);
  let results = (outs Index:$size);
}
def Mem_RankOp : Mem_Op<"rank", [Pure]> {
  let summary = "number of dimensions";
  let arguments = (ins AnyMemRef:$of);
  let results = (outs Index:$rank);
}
def Mem_LoadOp : Mem_Op<"load"> {
  let summary = "reads an element";
  let arguments = (ins AnyMemRef:$from, Index:$at);
  let results = (outs AnyType:$value);
}
