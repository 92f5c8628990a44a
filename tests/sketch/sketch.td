// A dialect with one operation for each rule of formats and examples; `expected.txt` holds what its pages say.
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Sketch_Dialect : Dialect {
  let name = "sketch";
  let cppNamespace = "::sketch";
}
class Sketch_Op<string mnemonic, list<Trait> traits = []> : Op<Sketch_Dialect, mnemonic, traits>;

def Sketch_Token : TypeDef<Sketch_Dialect, "Token"> { let mnemonic = "token"; }
def Sketch_Paper : TypeDef<Sketch_Dialect, "Paper"> {
  let mnemonic = "paper";
  let parameters = (ins "unsigned":$width, OptionalParameter<"unsigned">:$height);
  let assemblyFormat = "`<` $width (`x` $height^)? `>`";
}
def Sketch_Order : I32EnumAttr<"Order", "", [I32EnumAttrCase<"less", 0>, I32EnumAttrCase<"more", 1>]> {
  let cppNamespace = "::sketch";
}
def Sketch_Unknown : Type<CPred<"::sketch::isFine($_self)">, "something that C++ decides">;

// The types of all values are one; the attribute dictionary is optional.
def Sketch_AddOp : Sketch_Op<"add", [SameOperandsAndResultType]> {
  let arguments = (ins AnyFloat:$lhs, AnyFloat:$rhs);
  let results = (outs AnyFloat:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($sum)";
}
// The result's type is worked out, and the attribute is a case of an enum.
def Sketch_CompareOp : Sketch_Op<"compare", [AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"same shape", "lhs", "result", "::getI1SameShape($_self)">]> {
  let arguments = (ins Sketch_Order:$order, AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs);
  let results = (outs VectorOfNonZeroRankOf<[I1]>:$result);
  let assemblyFormat = "$order `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
}
// An optional group, one with an else, a flag, a default value and a list.
def Sketch_LoadOp : Sketch_Op<"load", [AttrSizedOperandSegments, TypesMatchWith<"element", "from", "value",
    "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let arguments = (ins MemRefOf<[I8]>:$from, Variadic<Index>:$indices, UnitAttr:$fast, Optional<I1>:$mask,
    OptionalAttr<StrAttr>:$note, DefaultValuedAttr<I64Attr, "8">:$align);
  let results = (outs I8:$value);
  let assemblyFormat = "$from `[` $indices `]` (`fast` $fast^)? (`mask` $mask^):(`unmasked`)? (`note` $note^)? (`align` $align^)? attr-dict `:` type($from)";
}
// Clauses in any order, and a region with its terminator.
def Sketch_YieldOp : Sketch_Op<"yield", [Terminator, HasParent<"LoopOp">]> { let assemblyFormat = "attr-dict"; }
def Sketch_LoopOp : Sketch_Op<"loop", [AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">]> {
  let arguments = (ins Optional<Index>:$from, Optional<Index>:$to, UnitAttr:$parallel, Variadic<AnyType>:$inits);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "oilist(`from` $from | `to` $to | `parallel` $parallel) (`init` `(` $inits^ `:` type($inits) `)`)? $body attr-dict";
}
// Blocks to go on in.
def Sketch_BranchOp : Sketch_Op<"branch", [Terminator]> {
  let arguments = (ins I1:$condition);
  let successors = (successor AnySuccessor:$then, AnySuccessor:$otherwise);
  let assemblyFormat = "$condition `,` $then `,` $otherwise attr-dict";
}
// A symbol, a reference to one, and types of the dialect's own.
def Sketch_DrawOp : Sketch_Op<"draw", [Symbol]> {
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$on, Sketch_Token:$after, Sketch_Paper:$paper,
    ConfinedAttr<I32Attr, [IntMinValue<3>]>:$copies);
  let assemblyFormat = "$sym_name `on` $on `after` $after `,` $paper `:` type($paper) `copies` $copies attr-dict";
}
// All types at once.
def Sketch_CallOp : Sketch_Op<"call"> {
  let arguments = (ins Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$outs);
  let assemblyFormat = "`(` $arguments `)` attr-dict `:` functional-type($arguments, $outs)";
}
// A directive in C++: there is no example of the custom form.
def Sketch_StrangeOp : Sketch_Op<"strange"> {
  let arguments = (ins I32:$value);
  let assemblyFormat = "custom<Strange>($value) attr-dict";
}
// Both forms are C++.
def Sketch_CustomOp : Sketch_Op<"custom"> {
  let arguments = (ins TensorRankOf<[F32], [3]>:$cube);
  let hasCustomAssemblyFormat = 1;
}
// It is unknown whether the type satisfies the constraint, so no page says so.
def Sketch_DecideOp : Sketch_Op<"decide"> {
  let arguments = (ins Sketch_Unknown:$what, I32:$number);
  let assemblyFormat = "$what `,` $number attr-dict `:` type($what)";
}
// No type can be both.
def Sketch_NeverOp : Sketch_Op<"never", [SameTypeOperands]> {
  let arguments = (ins I32:$a, F32:$b);
  let assemblyFormat = "$a `,` $b attr-dict";
}
