// Parts that other projects share.
include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Base_Dialect : Dialect {
  let name = "base";
  let cppNamespace = "::base";
  let summary = "Parts that other dialects share";
}

def TilingInterface : OpInterface<"TilingInterface"> {
  let cppNamespace = "::base";
  let description = "Operations that can be tiled.";
  let methods = [InterfaceMethod<"Returns the types of the loops.", "int", "getLoopIteratorTypes", (ins)>];
}

def Base_Rounding : I32EnumAttr<"Rounding", "how numbers are rounded", [
  I32EnumAttrCase<"nearest", 0>, I32EnumAttrCase<"zero", 1>]> {
  let cppNamespace = "::base";
}

class Base_Op<string mnemonic, list<Trait> traits = []> : Op<Base_Dialect, mnemonic, traits>;
def Base_CastOp : Base_Op<"cast", [Pure]> {
  let summary = "changes the type of a number";
  let arguments = (ins AnyInteger:$from);
  let results = (outs AnyInteger:$to);
}
def Base_OldCastOp : Base_Op<"old_cast">, Deprecated<"use base.cast"> {
  let summary = "changes the type of a number";
  let arguments = (ins AnyInteger:$from);
}
