// The kiln dialect: a small sibling of the mill in words that every release reads, to compile with the headers of each.
#ifndef KILN_TD
#define KILN_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Kiln_Dialect : Dialect {
  let name = "kiln";
  let summary = "Clay in, pots out.";
  let cppNamespace = "::kiln";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    static ::llvm::StringRef getMotto() { return "fire slowly"; }
  }];
}

// ---- Interfaces

def Kiln_FiredOpInterface : OpInterface<"FiredOpInterface"> {
  let cppNamespace = "::kiln";
  let description = "What goes through fire.";
  let methods = [
    InterfaceMethod<"Degrees that it needs.", "int64_t", "getDegrees", (ins), "", "return 1000;">,
    InterfaceMethod<"Degrees above those of a room.", "int64_t", "getDegreesAbove", (ins "int64_t":$room),
      "return $_op.getDegrees() - room;">,
    StaticInterfaceMethod<"Who minds it.", "::llvm::StringRef", "getKeeper", (ins), "", "return \"potter\";">,
  ];
  let extraSharedClassDeclaration = "bool isHot() { return $_op.getDegrees() > 1200; }";
}

def Kiln_ClayTypeInterface : TypeInterface<"ClayTypeInterface"> {
  let cppNamespace = "::kiln";
  let methods = [InterfaceMethod<"The clay.", "::kiln::Clay", "getClay">];
}

def Kiln_SizedAttrInterface : AttrInterface<"SizedAttrInterface"> {
  let cppNamespace = "::kiln";
  let methods = [InterfaceMethod<"How wide it is.", "int64_t", "getWidth">];
}

// ---- Enums

def Kiln_Clay : I32EnumAttr<"Clay", "kinds of clay", [
    I32EnumAttrCase<"Red", 0, "red">, I32EnumAttrCase<"White", 1, "white">, I32EnumAttrCase<"Stone", 4, "stone">,
  ]> {
  let cppNamespace = "::kiln";
  let genSpecializedAttr = 0;
}
def Kiln_ClayAttr : EnumAttr<Kiln_Dialect, Kiln_Clay, "clay">;

def Kiln_Finish : I32BitEnumAttr<"Finish", "what is done to the surface", [
    I32BitEnumAttrCaseNone<"None", "none">,
    I32BitEnumAttrCaseBit<"Glazed", 0, "glazed">,
    I32BitEnumAttrCaseBit<"Painted", 1, "painted">,
    I32BitEnumAttrCaseGroup<"Fine", [
      I32BitEnumAttrCaseBit<"Glazed", 0, "glazed">, I32BitEnumAttrCaseBit<"Painted", 1, "painted">
    ], "fine">,
  ]> {
  let cppNamespace = "::kiln";
  let genSpecializedAttr = 0;
  let separator = ", ";
}
def Kiln_FinishAttr : EnumAttr<Kiln_Dialect, Kiln_Finish, "finish"> {
  let assemblyFormat = "`[` $value `]`";
}

// An enum kept in an integer attribute.
def Kiln_ShelfAttr : I64EnumAttr<"Shelf", "where a pot is put", [
    I64EnumAttrCase<"Top", 1, "top">, I64EnumAttrCase<"Bottom", 2, "bottom">,
  ]> {
  let cppNamespace = "::kiln";
}

// ---- Types and attributes

class Kiln_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<Kiln_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Kiln_Lump : Kiln_Type<"Lump", "lump", [Kiln_ClayTypeInterface]> {
  let summary = "raw clay";
  let parameters = (ins EnumParameter<Kiln_Clay>:$clay);
  let assemblyFormat = "`<` $clay `>`";
}

def Kiln_Pot : Kiln_Type<"Pot", "pot", [DeclareTypeInterfaceMethods<Kiln_ClayTypeInterface>]> {
  let summary = "what comes out";
  let parameters = (ins
    "::kiln::LumpType":$of,
    DefaultValuedParameter<"unsigned", "1", "liters">:$liters,
    OptionalArrayRefParameter<"int64_t", "heights of its bands">:$bands,
    OptionalParameter<"::mlir::StringAttr">:$label
  );
  let assemblyFormat = "`<` $of (`,` `holds` $liters^)? (`bands` `[` $bands^ `]`)? (`label` $label^)? `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::kiln::LumpType":$of), [{
      return $_get(of.getContext(), of, 1, ::llvm::ArrayRef<int64_t>(), ::mlir::StringAttr());
    }]>
  ];
}

def Kiln_Tile : Kiln_Type<"Tile", "tile"> {
  let parameters = (ins "int64_t":$width, "int64_t":$height, StringRefParameter<"color", "\"plain\"">:$color);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Kiln_SizeAttr : AttrDef<Kiln_Dialect, "Size", [TypedAttrInterface, Kiln_SizedAttrInterface]> {
  let mnemonic = "size";
  let parameters = (ins AttributeSelfTypeParameter<"">:$type, "int64_t":$width);
  let assemblyFormat = "`<` $width `>`";
}

def Kiln_MarkAttr : AttrDef<Kiln_Dialect, "Mark", [DeclareAttrInterfaceMethods<Kiln_SizedAttrInterface>]> {
  let mnemonic = "mark";
  let parameters = (ins StringRefParameter<"letters">:$text, ArrayRefParameter<"int64_t">:$at);
  let hasCustomAssemblyFormat = 1;
}

// ---- Operations

class Kiln_Op<string mnemonic, list<Trait> traits = []> : Op<Kiln_Dialect, mnemonic, traits>;

def Kiln_DigOp : Kiln_Op<"dig", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Clay from the pit";
  let arguments = (ins DefaultValuedAttr<Kiln_ShelfAttr, "::kiln::Shelf::Top">:$shelf);
  let results = (outs Kiln_Lump:$lump);
  let assemblyFormat = "(`to` $shelf^)? attr-dict `:` type($lump)";
  let builders = [
    OpBuilder<(ins "::kiln::Clay":$clay, CArg<"bool", "false">:$low), [{
      auto shelf = low ? ::kiln::Shelf::Bottom : ::kiln::Shelf::Top;
      build($_builder, $_state, ::kiln::LumpType::get($_builder.getContext(), clay), shelf);
    }]>
  ];
}

def Kiln_FireOp : Kiln_Op<"fire", [
    DeclareOpInterfaceMethods<Kiln_FiredOpInterface, ["getDegrees"]>,
    TypesMatchWith<"the pot is of the lump", "lump", "pot", "::kiln::PotType::get(::llvm::cast<::kiln::LumpType>($_self))">,
  ]> {
  let summary = "Clay to pots";
  let arguments = (ins
    Kiln_Lump:$lump,
    Variadic<Kiln_Tile>:$tiles,
    DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<9>]>, "3">:$hours,
    DefaultValuedAttr<Kiln_FinishAttr, "::kiln::Finish::None">:$finish,
    OptionalAttr<StrAttr>:$minder,
    UnitAttr:$open
  );
  let results = (outs Kiln_Pot:$pot);
  let assemblyFormat = [{
    $lump oilist(`hours` `=` $hours | `open` $open | `by` $minder | `finish` $finish
                 | `on` `(` $tiles `:` type($tiles) `)`)
    attr-dict `:` qualified(type($lump))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "bool isPlain();";
  let extraClassDefinition = "bool $cppClass::isPlain() { return !getOpen() && !getMinder(); }";
}

def Kiln_SortOp : Kiln_Op<"sort", [AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let arguments = (ins Variadic<AnyType>:$from, Optional<Kiln_Lump>:$lump, UnitAttr:$quickly);
  let results = (outs Variadic<I32>:$rest, Optional<Kiln_Pot>:$best);
  let assemblyFormat = [{
    (`quickly` $quickly^)? `(` ($from^ `:` type($from))? `)` (`with` $lump^ `:` type($lump)):(`alone`)?
    (`->` `(` type($rest)^ `)`):(`off`)? (`best` type($best)^)? attr-dict
  }];
}

def Kiln_TradeOp : Kiln_Op<"trade", [SameVariadicOperandSize, AllTypesMatch<["left", "right"]>]> {
  let arguments = (ins AnyTypeOf<[Kiln_Pot, I32]>:$left, AnyType:$right, Variadic<AnyType>:$goods, Variadic<AnyType>:$papers);
  let results = (outs Variadic<AnyType>:$receipts);
}

def Kiln_ShardsOp : Kiln_Op<"shards", [InferTypeOpAdaptor]> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs AnyType:$output);
  let assemblyFormat = "`[` ($inputs^ `:` type($inputs))? `]` attr-dict";
}

def Kiln_NoteOp : Kiln_Op<"note", [NoTerminator]> {
  let arguments = (ins
    Kiln_MarkAttr:$mark, StrAttr:$text, OptionalAttr<I64Attr>:$size, OptionalAttr<DenseI64ArrayAttr>:$steps,
    OptionalAttr<Kiln_SizeAttr>:$wide, Variadic<AnyType>:$marks
  );
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    $mark custom<Text>($text, "\"<>\"") custom<Marks>($marks, type($marks), ref($text)) (`size` `(` $size^ `)`)?
    (`steps` $steps^):(`once`)? (`wide` qualified($wide)^)? $body attr-dict-with-keyword
  }];
}

def Kiln_HandOp : Kiln_Op<"hand"> {
  let arguments = (ins I32Attr:$fingers);
  let hasCustomAssemblyFormat = 1;
}

def Kiln_RestOp : Kiln_Op<"rest", [Terminator, Pure]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), "/* nothing is handed on */">];
}

def Kiln_PlanOp : Kiln_Op<"plan", [IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"::kiln::RestOp">]> {
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name (`is` $sym_visibility^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  // From 24 on, a symbol has to say these.
  let extraClassDeclaration = [{
    ::mlir::StringAttr getNameAttr() { return getSymNameAttr(); }
    ::mlir::SymbolTable::Visibility getVisibility() { return ::mlir::SymbolTable::Visibility::Public; }
    void setVisibility(::mlir::SymbolTable::Visibility) {}
  }];
}

def Kiln_FollowOp : Kiln_Op<"follow", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$plan);
  let assemblyFormat = "$plan attr-dict";
}

def Kiln_DecideOp : Kiln_Op<"decide", [Terminator]> {
  let arguments = (ins I1:$flag);
  let successors = (successor AnySuccessor:$yes, VariadicSuccessor<AnySuccessor>:$others);
  let assemblyFormat = "$flag `->` $yes `or` $others attr-dict";
}

// ---- Operations that the patterns rewrite

def Kiln_WeighOp : Kiln_Op<"weigh", [ConstantLike, Pure]> {
  let arguments = (ins I32Attr:$grams);
  let results = (outs I32:$mass);
  let assemblyFormat = "$grams attr-dict";
  let hasFolder = 1;
}

def Kiln_AddOp : Kiln_Op<"add", [Pure]> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasCanonicalizer = 1;
}

def Kiln_ScaleOp : Kiln_Op<"scale", [Pure]> {
  let arguments = (ins I32:$input, I32Attr:$factor, OptionalAttr<StrAttr>:$note);
  let results = (outs I32:$output);
  let assemblyFormat = "$input `by` $factor ($note^)? attr-dict";
  let hasCanonicalizeMethod = 1;
}

def Kiln_SplitOp : Kiln_Op<"split", [Pure]> {
  let arguments = (ins I32:$input);
  let results = (outs I32:$coarse, I32:$fine);
  let assemblyFormat = "operands attr-dict";
}

def Kiln_SumTwoOp : Kiln_Op<"sum_two", [Pure]> {
  let arguments = (ins I32:$first, I32:$second);
  let results = (outs I32:$total);
  let assemblyFormat = "operands attr-dict";
}

// ---- Patterns

class Grams<int grams> : ConstantAttr<I32Attr, !cast<string>(grams)>;
class Text<string text> : ConstantStrAttr<StrAttr, text>;

def AddNothing : Pat<(Kiln_AddOp $x, (Kiln_WeighOp Grams<0>)), (replaceWithValue $x)>;
def AddTwice : Pat<(Kiln_AddOp $x, $x), (Kiln_ScaleOp $x, Grams<2>, Text<"twice">)>;
def AddEither : Pat<(Kiln_AddOp (either $x, (Kiln_WeighOp:$mass Grams<1>))), (Kiln_SumTwoOp $mass, $x)>;

def Product : NativeCodeCall<"$_builder.getI32IntegerAttr($0.getInt() * $1.getInt())">;
def ProductFits : Constraint<CPred<"$0.getInt() * $1.getInt() < 1000">, "the product is small">;
def HasOneUse : Constraint<CPred<"$0.hasOneUse()">, "has one use">;
def ScaleScale : Pat<(Kiln_ScaleOp (Kiln_ScaleOp:$inner $x, $a, $_), $b, $note),
    (Kiln_ScaleOp $x, (Product $a, $b), $note), [(ProductFits $a, $b), (HasOneUse $inner)]> {
  let benefitDelta = (addBenefit 2);
}

def Halves : NativeCodeCall<"::kiln::halves($_builder, $_loc, $0)", 2>;
def SplitSum : Pattern<(Kiln_SplitOp (Kiln_SumTwoOp $a, $b)), [(Kiln_AddOp (Halves:$h__1 $a), $h__0), (replaceWithValue $b)]>;

def SumLocated : Pat<(Kiln_SumTwoOp:$sum $a, (Kiln_WeighOp Grams<0>)),
    (Kiln_AddOp $a, (Kiln_WeighOp Grams<0>, (location "nothing")), (location $sum)), [(I32 $a)]>;

// ---- Passes

def KilnRewrite : Pass<"kiln-rewrite"> {
  let summary = "Apply the dialect's patterns";
  let options = [
    Option<"rounds", "rounds", "unsigned", /*default=*/"1", "How often">,
    ListOption<"only", "only", "std::string", "Names of patterns to apply">,
  ];
  let statistics = [Statistic<"changed", "changed", "Operations in which something changed">];
}

def KilnLook : Pass<"kiln-look", "::mlir::ModuleOp"> {
  let summary = "Remark on what is fired";
  let constructor = "::kiln::createKilnLookPass()";
  let dependentDialects = ["::kiln::KilnDialect"];
}

#endif
