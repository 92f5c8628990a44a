// Operations of the mill dialect. The first part is for verification, builders and the assembly format; the second is
// what the patterns of MillPatterns.td match and make.
#ifndef MILL_OPS_TD
#define MILL_OPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "MillTypes.td"

class Mill_Op<string mnemonic, list<Trait> traits = []> : Op<Mill_Dialect, mnemonic, traits>;

// ---- Types, attributes and oilist

def Mill_HarvestOp : Mill_Op<"harvest", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Grain from the field";
  let arguments = (ins DefaultValuedAttr<Mill_SeasonAttr, "::mill::Season::Summer">:$season);
  let results = (outs Mill_Grain:$grain);
  let assemblyFormat = "(`in` $season^)? attr-dict `:` type($grain)";
  let builders = [
    OpBuilder<(ins "::mill::Cereal":$cereal, CArg<"bool", "false">:$winter), [{
      auto season = winter ? ::mill::Season::Winter : ::mill::Season::Summer;
      build($_builder, $_state, ::mill::GrainType::get($_builder.getContext(), cereal), season);
    }]>
  ];
}

def Mill_GrindOp : Mill_Op<"grind", [
    DeclareOpInterfaceMethods<Mill_CostOpInterface, ["getMinutes"]>,
    TypesMatchWith<"the flour is of the grain", "grain", "flour",
                   "::mill::FlourType::get(::llvm::cast<::mill::GrainType>($_self))">,
  ]> {
  let summary = "Grain to flour";
  let arguments = (ins
    Mill_Grain:$grain,
    Variadic<Mill_Ticket>:$tickets,
    DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<9>]>, "3">:$passes,
    DefaultValuedAttr<Mill_CareAttr, "::mill::Care::None">:$care,
    OptionalAttr<StrAttr>:$miller,
    UnitAttr:$fine
  );
  let results = (outs Mill_Flour:$flour);
  let assemblyFormat = [{
    $grain oilist(`passes` `=` $passes | `fine` $fine | `by` $miller | `minding` $care | `for` `(` $tickets `)`)
    attr-dict `:` qualified(type($grain))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static unsigned getMaxPasses() { return 9; }
    bool isPlain();
  }];
  let extraClassDefinition = "bool $cppClass::isPlain() { return !getFine() && !getMiller(); }";
}

def Mill_TicketOp : Mill_Op<"ticket", [Pure]> {
  let results = (outs Mill_Ticket:$ticket);
  let assemblyFormat = "attr-dict";
}

// Parameters of each kind in attributes, with a type of their own or without.
def Mill_NoteOp : Mill_Op<"note"> {
  let arguments = (ins
    Mill_BatchAttr:$batch,
    Mill_CerealAttr:$cereal,
    TypedArrayAttrBase<Mill_RangeAttr, "ranges">:$ranges,
    OptionalAttr<Mill_WeightAttr>:$weight,
    OptionalAttr<AnyAttrOf<[StrAttr, I64Attr]>>:$extra,
    OptionalAttr<DenseI64ArrayAttr>:$steps,
    OptionalAttr<TypeAttrOf<Mill_Flour>>:$of
  );
  let assemblyFormat = [{
    $cereal `,` $batch $ranges (`weighs` qualified($weight)^)? (`extra` $extra^)? (`steps` $steps^):(`at` `once`)?
    (`of` $of^)? attr-dict-with-keyword
  }];
}

// ---- Properties

def Mill_PressOp : Mill_Op<"press", [
    SameOperandsAndResultType, DeclareOpInterfaceMethods<Mill_CostOpInterface, ["getMinutes"]>
  ]> {
  let arguments = (ins
    AnyType:$input,
    I64Prop:$turns,
    DefaultValuedProp<StringProp, "\"oak\"">:$wood,
    OptionalProp<I32Prop>:$limit,
    DefaultValuedProp<IntArrayProp<I64Prop>, "::llvm::ArrayRef<int64_t>{}", "::llvm::SmallVector<int64_t>{}">:$steps,
    UnitProp:$dry,
    DefaultValuedProp<EnumPropWithAttrForm<Mill_Cereal, Mill_CerealAttr>, "::mill::Cereal::Oat">:$cereal
  );
  let results = (outs AnyType:$output);
  let assemblyFormat = [{
    $input `turns` $turns (`dry` $dry^)? (`limit` `=` $limit^)? prop-dict attr-dict `:` type($input)
  }];
}

def Mill_GearOp : Mill_Op<"gear"> {
  let arguments = (ins
    ConfinedProp<I64Prop, CPred<"$_self > 2">, "more than two teeth">:$teeth,
    OptionalAttr<I32Attr>:$speed,
    DefaultValuedProp<NamedEnumProp<Mill_Care, "minding">, "::mill::Care::None">:$care
  );
  let assemblyFormat = "prop-dict attr-dict";
}

// ---- Segments, variadics, optional groups

def Mill_PourOp : Mill_Op<"pour", [AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let arguments = (ins
    Variadic<I32>:$from, Optional<Mill_Ticket>:$ticket, Variadic<AnyType>:$extras, UnitAttr:$slowly
  );
  let results = (outs Variadic<I32>:$rest, Optional<Mill_Grain>:$spill);
  let assemblyFormat = [{
    (`slowly` $slowly^)? `(` $from `)` (`on` $ticket^)? (`with` $extras^ `:` type($extras)):(`alone`)?
    (`->` `(` type($rest)^ `)`):(`off`)? (`spill` type($spill)^)? attr-dict
  }];
}

def Mill_StackOp : Mill_Op<"stack"> {
  let arguments = (ins
    I32:$base, VariadicOfVariadic<AnyType, "layers">:$rows, DenseI32ArrayAttr:$layers
  );
  let assemblyFormat = "$base `rows` $rows `:` type($rows) attr-dict";
}

def Mill_ShipOp : Mill_Op<"ship", [SameVariadicOperandSize]> {
  let arguments = (ins Variadic<AnyType>:$goods, Variadic<AnyType>:$papers);
  let results = (outs Variadic<AnyType>:$receipts);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Mill_MatchOp : Mill_Op<"match", [
    AllTypesMatch<["left", "right", "winner"]>,
    PredOpTrait<"left and right differ", CPred<"$_op.getOperand(0) != $_op.getOperand(1)">>,
  ]> {
  let arguments = (ins
    AnyTypeOf<[Mill_Flour, Mill_RyeLike, I32]>:$left, AnyType:$right, DefaultValuedOptionalAttr<I1Attr, "false">:$strict
  );
  let results = (outs AnyType:$winner);
  let assemblyFormat = "$left `,` $right attr-dict `:` type($left)";
}

def Mill_MeltOp : Mill_Op<"melt", [InferTypeOpAdaptor]> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs AnyType:$output);
  let assemblyFormat = "`[` ($inputs^ `:` type($inputs))? `]` attr-dict";
}

// ---- Custom formats

def Mill_LabelOp : Mill_Op<"label", [NoTerminator]> {
  let arguments = (ins
    StrAttr:$text, OptionalAttr<I64Attr>:$size, Variadic<AnyType>:$marks, I64Prop:$depth
  );
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    custom<Text>($text, "\"<>\"") custom<Marks>($marks, type($marks), ref($text)) `depth` custom<Depth>($depth)
    (`size` custom<Size>($size)^)? custom<Body>($body) attr-dict
  }];
}

def Mill_HandOp : Mill_Op<"hand"> {
  let arguments = (ins I32Attr:$fingers);
  let hasCustomAssemblyFormat = 1;
}

// ---- Regions, successors, symbols

def Mill_RestOp : Mill_Op<"rest", [Terminator, Pure]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), "/* nothing is handed on */">];
}

def Mill_RecipeOp : Mill_Op<"recipe", [
    IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"::mill::RestOp">
  ]> {
  let arguments = (ins
    SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<Mill_SeasonAttr>:$season
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name (`for` $season^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Mill_FollowOp : Mill_Op<"follow", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$recipe);
  let assemblyFormat = "$recipe attr-dict";
}

def Mill_WhenOp : Mill_Op<"when", [SingleBlockImplicitTerminator<"::mill::RestOp">, NoRegionArguments]> {
  let arguments = (ins I1:$flag);
  let regions = (region SizedRegion<1>:$then, AnyRegion:$otherwise);
  let assemblyFormat = "$flag $then (`else` $otherwise^)? attr-dict";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$flag)>];
}

def Mill_DayOp : Mill_Op<"day"> {
  let regions = (region MinSizedRegion<1>:$work, VariadicRegion<AnyRegion>:$breaks);
  let assemblyFormat = "$work (`breaks` $breaks^)? attr-dict";
}

def Mill_DecideOp : Mill_Op<"decide", [Terminator]> {
  let arguments = (ins I1:$flag);
  let successors = (successor AnySuccessor:$yes, VariadicSuccessor<AnySuccessor>:$others);
  let assemblyFormat = "$flag `->` $yes `or` $others attr-dict";
}

def Mill_HurryOp : Mill_Op<"hurry", [Terminator]> {
  let successors = (successor AnySuccessor:$target);
  let assemblyFormat = "`to` successors attr-dict";
}

// ---- Operations that the patterns rewrite

class Mill_Work<string mnemonic, list<Trait> traits = []> : Mill_Op<mnemonic, traits # [Pure]>;

def Mill_MassOp : Mill_Work<"mass", [ConstantLike]> {
  let arguments = (ins I32Attr:$grams);
  let results = (outs I32:$mass);
  let assemblyFormat = "$grams attr-dict";
  let hasFolder = 1;
}

def Mill_AddOp : Mill_Work<"add"> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Mill_ScaleOp : Mill_Work<"scale", [DeclareOpInterfaceMethods<Mill_CostOpInterface, ["getMinutes"]>]> {
  let arguments = (ins I32:$input, I32Attr:$factor);
  let results = (outs I32:$output);
  let assemblyFormat = "$input `by` $factor attr-dict";
  let hasCanonicalizeMethod = 1;
}

def Mill_MixOp : Mill_Work<"mix"> {
  let arguments = (ins I32:$first, I32:$second, DefaultValuedAttr<Mill_CerealAttr, "::mill::Cereal::Rye">:$cereal,
                       OptionalAttr<StrAttr>:$note);
  let results = (outs I32:$mixed);
  let assemblyFormat = "$first `,` $second (`of` $cereal^)? (`note` $note^)? attr-dict";
}

def Mill_JoinOp : Mill_Work<"join"> {
  let arguments = (ins I32:$first, I32:$second);
  let results = (outs I32:$joined);
  let assemblyFormat = "operands attr-dict";
}

def Mill_SplitOp : Mill_Work<"split"> {
  let arguments = (ins I32:$input);
  let results = (outs I32:$coarse, I32:$fine);
  let assemblyFormat = "$input attr-dict";
}

def Mill_SieveOp : Mill_Work<"sieve"> {
  let arguments = (ins I32:$input);
  let results = (outs I32:$top, I32:$middle, I32:$bottom);
  let assemblyFormat = "$input attr-dict";
}

def Mill_SumOp : Mill_Work<"sum"> {
  let arguments = (ins Variadic<I32>:$inputs);
  let results = (outs I32:$total);
  let assemblyFormat = "`(` $inputs `)` attr-dict";
}

def Mill_ConvertOp : Mill_Work<"convert"> {
  let arguments = (ins AnyType:$input, OptionalAttr<StrAttr>:$how);
  let results = (outs AnyType:$output);
  let assemblyFormat = "$input ($how^)? attr-dict `:` type($input) `to` type($output)";
}

def Mill_TurnOp : Mill_Work<"turn"> {
  let arguments = (ins I32:$input, I64Prop:$times);
  let results = (outs I32:$output);
  let assemblyFormat = "$input `times` $times attr-dict";
}

def Mill_LogOp : Mill_Op<"log"> {
  let arguments = (ins I32:$value, StrAttr:$text);
  let assemblyFormat = "$value $text attr-dict";
}

// The root of patterns of each kind, `mill.try "kind" ...`, so that no two patterns compete by accident.
def Mill_TryOp : Mill_Work<"try"> {
  let arguments = (ins StrAttr:$kind, Variadic<AnyType>:$inputs);
  let results = (outs I32:$output);
  let assemblyFormat = "$kind `(` ($inputs^ `:` type($inputs))? `)` attr-dict";
}

#endif
