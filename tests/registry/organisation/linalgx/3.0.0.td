include "base.td"

def LinalgX_Dialect : Dialect { let name = "linalgx"; let cppNamespace = "::linalgx"; let summary = "Structured operations"; }
class LinalgX_Op<string mnemonic, list<Trait> traits = []>
    : Op<LinalgX_Dialect, mnemonic, [DeclareOpInterfaceMethods<TilingInterface>] # traits>;
def LinalgX_MatmulOp : LinalgX_Op<"matmul"> {
  let summary = "matrix multiplication of two buffers";
  let arguments = (ins AnyMemRef:$lhs, AnyMemRef:$rhs, AnyMemRef:$out);
}
def LinalgX_GenericOp : LinalgX_Op<"generic"> {
  let summary = "any structured operation";
  let arguments = (ins Variadic<AnyShaped>:$inputs);
  let results = (outs Variadic<AnyTensor>:$results);
}
def LinalgX_FillOp : LinalgX_Op<"fill"> {
  let summary = "fills a buffer";
  let arguments = (ins AnyType:$value, AnyMemRef:$out);
  let assemblyFormat = "$value `,` $out attr-dict `:` type($value) `,` type($out)";
}
