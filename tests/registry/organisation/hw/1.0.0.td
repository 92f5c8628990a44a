include "mlir/IR/OpBase.td"

def HW_Dialect : Dialect {
  let name = "hw";
  let cppNamespace = "::hw";
  let summary = "Modules and wires";
}
def HW_NonInOutType : Type<Or<[AnyInteger.predicate, AnyFloat.predicate]>, "a type without directions">;
class HW_Op<string mnemonic> : Op<HW_Dialect, mnemonic>;
def HW_InstanceOp : HW_Op<"instance"> {
  let summary = "Create an instance of a module";
  let arguments = (ins StrAttr:$name, Variadic<HW_NonInOutType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
}
