include "base.td"

def TensorX_Dialect : Dialect { let name = "tensorx"; let cppNamespace = "::tensorx"; let summary = "Tensors"; }
class TensorX_Op<string mnemonic, list<Trait> traits = []> : Op<TensorX_Dialect, mnemonic, traits>;
def TensorX_ExtractSliceOp : TensorX_Op<"extract_slice", [Pure, DeclareOpInterfaceMethods<TilingInterface>]> {
  let summary = "takes a part of a tensor";
  let arguments = (ins AnyTensor:$from, Variadic<Index>:$offsets);
  let results = (outs AnyTensor:$part);
}
def TensorX_InsertSliceOp : TensorX_Op<"insert_slice", [Pure]> {
  let summary = "puts a part into a tensor";
  let arguments = (ins AnyTensor:$part, AnyTensor:$into);
  let results = (outs AnyTensor:$whole);
}
def TensorX_MatmulOp : TensorX_Op<"matmul", [Pure]> {
  let summary = "matrix multiplication of two tensors";
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$product);
}
