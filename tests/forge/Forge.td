// The forge dialect: in the forms of the oldest releases with -DINLINE, which MLIR 14 reads, and else in those of MLIR 16.
#ifndef FORGE_TD
#define FORGE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
#ifndef INLINE
include "mlir/IR/PatternBase.td"
#endif
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Forge_Dialect : Dialect {
  let name = "forge";
  let summary = "Iron in, tools out.";
  let cppNamespace = "::forge";
  let hasConstantMaterializer = 1;
#ifdef INLINE
  let emitAccessorPrefix = kEmitAccessorPrefix_Both;
#else
  let useFoldAPI = kEmitFoldAdaptorFolder;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
#endif
}

// ---- Enums, types and attributes

def Forge_Metal : I32EnumAttr<"Metal", "what is forged", [
    I32EnumAttrCase<"Iron", 0, "iron">, I32EnumAttrCase<"Steel", 1, "steel">, I32EnumAttrCase<"Brass", 4, "brass">,
  ]> {
  let cppNamespace = "::forge";
  let genSpecializedAttr = 0;
}
def Forge_MetalAttr : EnumAttr<Forge_Dialect, Forge_Metal, "metal">;

def Forge_Bar : TypeDef<Forge_Dialect, "Bar"> {
  let mnemonic = "bar";
  let summary = "a bar of metal";
  let parameters = (ins "int64_t":$length, "::mlir::StringAttr":$stamp);
  let assemblyFormat = "`<` $length `,` $stamp `>`";
}

#ifdef INLINE
// An enum kept in a text.
def Forge_Finish : StrEnumAttr<"Finish", "what is done last", [
    StrEnumAttrCase<"Rough">, StrEnumAttrCase<"Polished", -1, "polished">,
  ]> {
  let cppNamespace = "::forge";
}

// A dictionary with named entries.
def Forge_Size : StructAttr<"Size", Forge_Dialect, [
    StructFieldAttr<"width", I64Attr>, StructFieldAttr<"height", I64Attr>,
  ]>;
#endif

// ---- Operations

class Forge_Op<string mnemonic, list<Trait> traits = []> : Op<Forge_Dialect, mnemonic, traits>;

// Own parser, printer and verifier: code in the definition, or functions that flags ask for.
def Forge_HeatOp : Forge_Op<"heat"> {
  let summary = "Heat a bar";
#ifdef INLINE
  let arguments = (ins Forge_Bar:$bar, Confined<I32Attr, [IntMinValue<1>, IntMaxValue<90>]>:$minutes);
  let parser = [{ return ::forge::readHeat(parser, result); }];
  let printer = [{ ::forge::writeHeat(p, *this); }];
  let verifier = [{ return ::forge::checkHeat(*this); }];
#else
  let arguments = (ins Forge_Bar:$bar, ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<90>]>:$minutes);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
#endif
  let results = (outs Forge_Bar:$hot);
  let extraClassDeclaration = [{
    bool isLong() { return getMinutes() > 60; }
  }];
}

def Forge_MineOp : Forge_Op<"mine"> {
  let summary = "Metal from the mountain";
  let arguments = (ins Forge_MetalAttr:$metal, DefaultValuedAttr<I64Attr, "1">:$depth, UnitAttr:$deep);
  let results = (outs Forge_Bar:$bar);
  let assemblyFormat = "$metal (`deep` $deep^)? attr-dict `->` type($bar)";
}

def Forge_SellOp : Forge_Op<"sell", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<Forge_Bar>:$bars, Optional<I32>:$price, OptionalAttr<StrAttr>:$buyer);
  let assemblyFormat = "($bars^ `:` type($bars))? (`for` $price^)? (`to` $buyer^)? attr-dict";
}

#ifdef INLINE
// Attributes of the oldest kinds.
def Forge_GrindOp : Forge_Op<"grind"> {
  let arguments = (ins Forge_Bar:$bar, Forge_Finish:$finish, OptionalAttr<Forge_Size>:$size);
  let assemblyFormat = "$bar $finish (`size` $size^)? attr-dict `:` type($bar)";
}
#else
def Forge_GrindOp : Forge_Op<"grind"> {
  let arguments = (ins Forge_Bar:$bar, StrAttr:$finish, OptionalAttr<DictionaryAttr>:$size);
  let assemblyFormat = "$bar $finish (`size` $size^)? attr-dict `:` type($bar)";
}
#endif

def Forge_AskOp : Forge_Op<"ask"> {
  let results = (outs I32:$answer);
  let assemblyFormat = "attr-dict";
}

def Forge_WorkshopOp : Forge_Op<"workshop", [IsolatedFromAbove, Symbol, NoTerminator]> {
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

// ---- What is folded and rewritten

#ifdef INLINE
class Forge_PureOp<string mnemonic, list<Trait> traits = []> : Forge_Op<mnemonic, traits # [NoSideEffect]>;
#else
class Forge_PureOp<string mnemonic, list<Trait> traits = []> : Forge_Op<mnemonic, traits # [Pure]>;
#endif

def Forge_WeightOp : Forge_PureOp<"weight", [ConstantLike]> {
  let arguments = (ins I32Attr:$pounds);
  let results = (outs I32:$weight);
  let assemblyFormat = "$pounds attr-dict";
  let hasFolder = 1;
}

def Forge_AddOp : Forge_PureOp<"add", [Commutative, SameOperandsAndResultType]> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Forge_DoubleOp : Forge_PureOp<"double", [AllTypesMatch<["input", "output"]>]> {
  let arguments = (ins AnyType:$input, OptionalAttr<StrAttr>:$note);
  let results = (outs AnyType:$output);
  let assemblyFormat = "$input ($note^)? attr-dict `:` type($input)";
}

def Forge_NoText : NativeCodeCall<"::mlir::StringAttr()">;
def Forge_Noted : NativeCodeCall<"$_builder.getStringAttr(\"twice \" + $0.getValue())">;
def Forge_IsThere : Constraint<CPred<"$0">, "is there">;

def AddTwice : Pat<(Forge_AddOp $x, $x), (Forge_DoubleOp $x, (Forge_NoText))>;
def DoubleNoted : Pat<(Forge_DoubleOp (Forge_DoubleOp:$inner $x, $_), $note),
    (Forge_DoubleOp (Forge_DoubleOp $x, (Forge_NoText)), (Forge_Noted $note)),
    [(Forge_IsThere $note), (Constraint<CPred<"!$0.getValue().startswith(\"twice\")">> $note)], (addBenefit 2)>;

// ---- A pass

def ForgeRewrite : Pass<"forge-rewrite"> {
  let summary = "Apply the dialect's patterns";
  let constructor = "::forge::createForgeRewritePass()";
  let options = [Option<"rounds", "rounds", "unsigned", /*default=*/"1", "How often">];
}

#endif
