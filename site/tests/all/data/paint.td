// A dialect with one of everything that a page can show, and some texts that try to break it.
include "ods.td"

def Paint_Dialect : Dialect {
  let name = "paint";
  let summary = "Pictures & <strokes>";
  let description = [{
    Operations on pictures. See `paint.fill`, [fill](#paintfill-paintfillop), [elsewhere](../Rationale.md#x),
    [bad](javascript:alert(1)) and <script>alert(2)</script>.
  }];
  let cppNamespace = "::paint";
}

def AnyType : TypeConstraint<"any type"> { let predicate = CPred<"true">; }
// Holds for whatever <glows>.
def IsBright : CPred<"glows($_self) < 1">;
def Bright : TypeConstraint<"bright & <light>"> {
  let predicate = And<[CPred<"true">, SubstLeaves<"$_self", "inner($_self)", IsBright>, Neg<CPred<"$_self.isDark()">>]>;
  list<TypeConstraint> allowedTypes = [AnyType];
}
def I32Attr : Attr<"32-bit integer attribute">;
def AnyRegion : RegionConstraint<"any region">;
def AnySuccessor : SuccessorConstraint<"any successor">;

def Pure : TraitList<[NativeTrait<"NoMemoryEffect">]>;
// Draws the same, whatever comes first: "a then b" is `b then a`.
def Commutative : NativeTrait<"IsCommutative">;
def Drawable : OpInterface<"DrawableOpInterface"> {
  let cppNamespace = "::paint";
  let description = "Whatever can be drawn. <img src=x onerror=alert(3)>";
  let methods = [InterfaceMethod<"Draws it.", "void", "draw", (ins "int":$depth), "", "return a < b;">];
  let verify = "return check<T>($_op);";
}
def Sketchable : OpInterface<"SketchableOpInterface"> {
  let cppNamespace = "::paint";
  let baseInterfaces = [Drawable];
  let methods = [InterfaceMethod<"", "bool", "sketch">];
}

def Paint_Mode : EnumInfo<"Mode", "how colours mix", [EnumCase<"Over", 0, "over">, EnumCase<"Under", 1, "under">]> {
  let cppNamespace = "::paint";
}
def Paint_ModeAttr : EnumAttr<Paint_Dialect, Paint_Mode, "mode">;
def Paint_Colour : TypeDef<Paint_Dialect, "ColourType", "colour"> {
  let parameters = (ins "unsigned":$width, "::mlir::Type":$element);
  let assemblyFormat = "`<` $width `>`";
  let description = "```mlir\n%never = closed";
}

// What all operations
// of this dialect share.
class Paint_Op<string mnemonic, list<Trait> traits = []> : Op<Paint_Dialect, mnemonic, traits>;

def Paint_FillOp : Paint_Op<"fill", [Pure, Commutative, Drawable, PredOpTrait<"types of 'a' & \"b\" match <T>", CPred<"$a < $b">>]> {
  let summary = "fills an area with `<colour>`";
  let description = [{
    # Fills

    Uses <value> and `!paint.colour`. <a href="javascript:x" onclick="y">z</a>

    | a | b |
    |---|---|
    | 1 | <b>2</b> |

    ```mlir
    %0 = paint.fill %a : !paint.colour<8> // "</code><script>"
    ```
  }];
  let arguments = (ins Arg<AnyType, "what to fill", [MemRead]>:$area, Variadic<Paint_Colour>:$colours, AnyType,
    Paint_ModeAttr:$mode, DefaultValuedAttr<I32Attr, "\"<7>\"">:$depth, OptionalAttr<I32Attr>:$area2);
  let results = (outs Paint_Colour:$result, Optional<AnyType>:$area);
  let regions = (region AnyRegion:$body);
  let successors = (successor AnySuccessor:$next);
  let assemblyFormat = "$area `,` $colours attr-dict `:` type($area) `<` $mode `>`";
  let builders = [OpBuilder<(ins "Value":$area, "bool":$dry)>];
  let hasFolder = 1;
}
// Looks at the paint before it begins.
def LooksFirst : MemoryEffects<[MemRead]>;
def Paint_LookOp : Paint_Op<"look", [MemoryEffects<[MemRead]>]>;
def Paint_WaitOp : Paint_Op<"wait", [MemoryEffects<[]>]>;
def Paint_PeerOp : Paint_Op<"peer", [LooksFirst]>;
//
// Clearing
//
def Paint_WipeOp : Paint_Op<"wipe">;
// Only a comment tells what this one does.
def Paint_ClearOp : Paint_Op<"clear">;

def Paint_Clear2Op : Paint_Op<"Clear"> { let summary = "_Deprecated_ (use paint.clear)"; let hasCustomAssemblyFormat = 1; }
def Paint_OddOp : Paint_Op<"a/../\"><script>b"> { let summary = "# heading\n- list"; }

def Paint_MixOp : Paint_Op<"mix"> {
  let arguments = (ins Bright:$a, AnyType:$b, Paint_ModeAttr:$mode);
  let results = (outs Paint_Colour:$colour);
}
def Blend : NativeCodeCall<"blend($0, $1)">;
def Differ : Constraint<"are <different>"> { let predicate = CPred<"$0 != $1">; }
// Mixed twice with the same, once is enough: `mix` of <mix>.
def MixTwice : Pattern<(Paint_MixOp:$whole (Paint_MixOp $a, $b, $m), $b, $_), [(Paint_MixOp $a, $b, (Blend $m, $b))], [(Differ $a, $b)]>;

def : Pattern<(Paint_MixOp $a, $b, $_), [(replaceWithValue $a)]>;

def PaintDry : PassBase<"paint-dry", "::mlir::OperationPass<paint::FillOp>"> {
  let summary = "lets <paint> dry";
  let description = "See `paint.fill` and `-paint-wet`.";
  let constructor = "makeDry()";
  let dependentDialects = ["::paint::PaintDialect"];
  let options = [Option<"hours", "hours", "unsigned", "24", "how <long>">, ListOption<"only", "only", "std::string", "">];
  let statistics = [Statistic<"dried", "num-dried", "how many are dry">];
}
def PaintWet : PassBase<"paint-wet", "::mlir::OperationPass<>">;
