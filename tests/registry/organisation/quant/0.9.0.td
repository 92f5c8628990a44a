include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"

def Quant_Dialect : Dialect { let name = "quant2"; let cppNamespace = "::quant2"; let summary = "Small numbers"; }
def Quant_RoundMode : I32EnumAttr<"RoundMode", "how numbers are rounded", [
  I32EnumAttrCase<"nearest", 0>, I32EnumAttrCase<"zero", 1>]> {
  let cppNamespace = "::quant2";
}
def Quant_AnyTensor : TensorOf<[F32, I32]>;
def Quant_ScaledType : TypeDef<Quant_Dialect, "Scaled"> {
  let mnemonic = "scaled";
  let summary = "a number with a scale";
  let parameters = (ins "::mlir::Attribute":$scale);
  let assemblyFormat = "`<` $scale `>`";
}
