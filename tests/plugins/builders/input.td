// Operations of a tensor dialect, for which functions are generated that build them.
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tensor_Dialect : Dialect {
  let name = "ten";
  let cppNamespace = "::ten";
}
class Ten_Op<string mnemonic, list<Trait> traits = []> : Op<Tensor_Dialect, mnemonic, traits>;

def Ten_AddOp : Ten_Op<"add", [Pure, InferTypeOpInterface]> {
  let summary = "Adds two tensors";
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$result);
}
def Ten_ConvOp : Ten_Op<"convolution"> {
  let summary = "Convolves an image with a kernel";
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs, OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    I64Attr:$feature_group_count, DefaultValuedAttr<BoolAttr, "false">:$transposed);
  let results = (outs AnyTensor:$result);
}
def Ten_ConstantOp : Ten_Op<"constant", [InferTypeOpInterface]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyTensor:$output);
}
def Ten_SortOp : Ten_Op<"sort"> {
  let summary = "Sorts along a dimension";
  let arguments = (ins Variadic<AnyTensor>:$inputs, OptionalAttr<I64Attr>:$dimension, Optional<AnyType>:$token);
  let results = (outs Variadic<AnyTensor>:$sorted);
  let regions = (region SizedRegion<1>:$comparator);
}
def Ten_IfOp : Ten_Op<"if"> {
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$out);
  let regions = (region AnyRegion:$true_branch, AnyRegion:$false_branch);
}
def Ten_SplitOp : Ten_Op<"batch_norm_training"> {
  let arguments = (ins AnyTensor:$operand, F32Attr:$epsilon);
  let results = (outs AnyTensor:$output, AnyTensor:$batch_mean, AnyTensor:$batch_var);
}
def Ten_ReturnOp : Ten_Op<"return", [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$results);
}
def Ten_BranchOp : Ten_Op<"branch", [Terminator]> {
  let successors = (successor AnySuccessor:$dest);
}
def Ten_AfterAllOp : Ten_Op<"after_all", [InferTypeOpInterface]> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs AnyType:$result);
}
def Ten_CreateTokenOp : Ten_Op<"create_token", [InferTypeOpInterface]> {
  let results = (outs AnyType:$output);
}
