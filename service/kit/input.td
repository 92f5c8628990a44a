// Two operations, for the test of the generator.
include "mlir/IR/OpBase.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
}

def Toy_AddOp : Op<Toy_Dialect, "add"> {
  let summary = "adds \"two\" numbers";
}

def Toy_NopOp : Op<Toy_Dialect, "nop">;
