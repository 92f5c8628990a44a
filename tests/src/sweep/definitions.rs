//! One small definition of each kind, with a hole for a `let` statement.
//!
//! They are written with the names of 22; other releases read them through [`older`].

use crate::older;

/// A definition with a hole.
#[derive(Debug)]
pub(super) struct Definition {
    /// The name in reports.
    pub name: &'static str,
    /// The record whose fields are set.
    pub target: &'static str,
    /// The file's text before the definition.
    pub before: &'static [&'static str],
    /// The text of the definition.
    pub text: &'static str,
    /// Returns true if the release supports such definitions.
    pub is_there: fn() -> bool,
}

/// The includes of most files.
pub(super) const HEAD: &str = r#"include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/PatternBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"
def swept;
"#;

/// The dialect of most definitions.
pub(super) const DIALECT: &str = r#"def Swept : Dialect { let name = "swept"; let cppNamespace = "::swept"; }
"#;

/// A definition that every release has whose library can read its text.
pub(super) const fn of(
    name: &'static str,
    target: &'static str,
    before: &'static [&'static str],
    text: &'static str,
) -> Definition {
    Definition { name, target, before, text, is_there: || true }
}

/// A definition of the dialect that most files define.
pub(super) const fn swept(name: &'static str, target: &'static str, text: &'static str) -> Definition {
    of(name, target, &[HEAD, DIALECT], text)
}

/// The definitions.
pub(super) const DEFINITIONS: &[Definition] = &[
    swept(
        "attribute",
        "Tint",
        r#"def Tint : Attr<CPred<"isTint($_self)">, "a tint"> {
  let storageType = "::swept::TintAttr";
  let returnType = "::swept::Colour";
  let convertFromStorage = "$_self.colour()";
  let constBuilderCall = "tint($_builder, $0)";
  %
}
def PaintOp : Op<Swept, "paint"> {
  let arguments = (ins Tint:$first, OptionalAttr<Tint>:$second, DefaultValuedAttr<Tint, "white()">:$third);
  let assemblyFormat = "$first (`or` $second^)? `else` $third attr-dict";
}
"#,
    ),
    swept(
        "attribute with a value",
        "Depth",
        r#"def Depth : Attr<CPred<"isDepth($_self)">, "a depth"> {
  let storageType = "::swept::DepthAttr";
  let returnType = "int";
  let constBuilderCall = "depth($0)";
  let valueType = I32;
  let defaultValue = "7";
  %
}
def DiveOp : Op<Swept, "dive"> {
  let arguments = (ins Depth:$to);
  let assemblyFormat = "(`to` $to^)? attr-dict";
}
"#,
    ),
    swept(
        "attribute constraint",
        "Fair",
        r#"def Fair : AttrConstraint<CPred<"isFair($_self)">, "a fair one"> {
  let cppFunctionName = "isFairAttr";
  %
}
"#,
    ),
    swept(
        "type",
        "Cloth",
        r#"def Cloth : Type<CPred<"isCloth($_self)">, "a cloth", "::swept::ClothType"> {
  let builderCall = "cloth($_builder)";
  %
}
def SewOp : Op<Swept, "sew"> {
  let arguments = (ins Cloth:$front, Optional<Cloth>:$lining);
  let results = (outs Cloth:$coat);
  let assemblyFormat = "$front (`with` $lining^)? attr-dict";
}
def CutOp : Op<Swept, "cut"> {
  let arguments = (ins Cloth:$whole, Variadic<Cloth>:$more);
  let results = (outs Variadic<Cloth>:$pieces);
}
"#,
    ),
    swept(
        "type constraint",
        "Warm",
        r#"def Warm : TypeConstraint<CPred<"isWarm($_self)">, "a warm one"> {
  %
}
def HeatOp : Op<Swept, "heat"> { let arguments = (ins Warm:$one); let results = (outs Warm:$other); }
"#,
    ),
    swept(
        "type constraint with a function",
        "Cool",
        r#"def Cool : TypeConstraint<CPred<"isCool($_self)">, "a cool one"> {
  let cppFunctionName = "isCoolType";
  %
}
"#,
    ),
    of(
        "dialect",
        "Swept",
        &[HEAD],
        r#"def Swept : Dialect {
  let name = "swept";
  let cppNamespace = "::swept";
  let summary = "Sweeps.";
  let description = [{ Of floors. }];
  let dependentDialects = ["::dust::DustDialect"];
  let extraClassDeclaration = "int broom();";
  %
}
def MopOp : Op<Swept, "mop"> {
  let arguments = (ins I32:$floor, I32Attr:$times);
  let results = (outs I32:$clean);
  let hasFolder = 1;
}
def Bucket : TypeDef<Swept, "Bucket"> {
  let mnemonic = "bucket";
  let parameters = (ins "int":$size);
  let assemblyFormat = "`<` $size `>`";
}
"#,
    ),
    swept(
        "operation",
        "BakeOp",
        r#"def BakeOp : Op<Swept, "bake", [NoMemoryEffect]> {
  let summary = "Bakes.";
  let description = [{ For long. }];
  let arguments = (ins I32:$dough, I32Attr:$heat, Variadic<I32>:$spices);
  let results = (outs I32:$bread);
  let regions = (region AnyRegion:$oven);
  let successors = (successor AnySuccessor:$next);
  let builders = [OpBuilder<(ins "int":$loaves), "bake(loaves);">];
  let extraClassDeclaration = "int crust();";
  %
}
"#,
    ),
    swept(
        "operation with a format",
        "BrewOp",
        r#"def BrewOp : Op<Swept, "brew", [NoMemoryEffect]> {
  let arguments = (ins I32:$water, I32Attr:$leaves);
  let results = (outs I32:$tea);
  let assemblyFormat = "$water `,` $leaves attr-dict";
  %
}
"#,
    ),
    swept(
        "integer enum",
        "Size",
        r#"def Size : I32EnumAttr<"Size", "a size", [I32EnumAttrCase<"Small", 0>, I32EnumAttrCase<"Big", 5, "huge">]> {
  let cppNamespace = "::swept";
  %
}
def FoldOp : Op<Swept, "fold"> {
  let arguments = (ins Size:$from, DefaultValuedAttr<Size, "::swept::Size::Small">:$to);
  let assemblyFormat = "$from `,` $to attr-dict";
}
"#,
    ),
    swept(
        "bit enum",
        "Flags",
        r#"def Flags : I32BitEnumAttr<"Flags", "some flags", [
  I32BitEnumAttrCaseNone<"Plain">, I32BitEnumAttrCaseBit<"Red", 0>, I32BitEnumAttrCaseBit<"Blue", 3, "navy">
]> {
  let cppNamespace = "::swept";
  %
}
def HoistOp : Op<Swept, "hoist"> {
  let arguments = (ins Flags:$flags);
  let assemblyFormat = "$flags attr-dict";
}
"#,
    ),
    swept(
        "bit enum with groups",
        "Tools",
        r#"def Hammer : I32BitEnumAttrCaseBit<"Hammer", 0>;
def Saw : I32BitEnumAttrCaseBit<"Saw", 1>;
def Tools : I32BitEnumAttr<"Tools", "", [Hammer, Saw, I32BitEnumAttrCaseGroup<"Both", [Hammer, Saw]>]> {
  let genSpecializedAttr = 0;
  %
}
def ToolsAttr : EnumAttr<Swept, Tools, "tools">;
def BuildOp : Op<Swept, "build"> {
  let arguments = (ins ToolsAttr:$with);
  let assemblyFormat = "$with attr-dict";
}
"#,
    ),
    swept(
        "case of an integer enum",
        "Low",
        r#"def Low : I32EnumAttrCase<"Low", 0> { % }
def Level : I32EnumAttr<"Level", "a level", [Low, I32EnumAttrCase<"High", 5, "top">]> {
  let cppNamespace = "::swept";
}
def LiftOp : Op<Swept, "lift"> { let arguments = (ins Level:$to); let assemblyFormat = "$to attr-dict"; }
"#,
    ),
    swept(
        "case of a bit enum",
        "Wet",
        r#"def Wet : I32BitEnumAttrCaseBit<"Wet", 1, "damp"> { % }
def State : I32BitEnumAttr<"State", "a state", [I32BitEnumAttrCaseBit<"Hot", 0>, Wet]> {
  let cppNamespace = "::swept";
}
def DryOp : Op<Swept, "dry"> { let arguments = (ins State:$state); let assemblyFormat = "$state attr-dict"; }
"#,
    ),
    swept(
        "group of a bit enum",
        "Trip",
        r#"def Road : I32BitEnumAttrCaseBit<"Road", 0>;
def Rail : I32BitEnumAttrCaseBit<"Rail", 4>;
def Trip : I32BitEnumAttrCaseGroup<"Trip", [Road, Rail]> { % }
def Ways : I32BitEnumAttr<"Ways", "ways", [Road, Rail, Trip]>;
def GoOp : Op<Swept, "go"> { let arguments = (ins Ways:$by); }
"#,
    ),
    swept(
        "enum of plain C++",
        "Gear",
        r#"def Gear : I32Enum<"Gear", "a gear", [I32EnumCase<"First", 1>, I32EnumCase<"Rear", 9, "back">]> {
  let cppNamespace = "::swept";
  %
}
def GearParameter : EnumParameter<Gear>;
def Wheel : TypeDef<Swept, "Wheel"> {
  let mnemonic = "wheel";
  let parameters = (ins GearParameter:$gear);
  let assemblyFormat = "`<` $gear `>`";
}
"#,
    ),
    swept(
        "attribute of an enum",
        "MoodAttr",
        r#"def Mood : I32EnumAttr<"Mood", "a mood", [I32EnumAttrCase<"Good", 0>, I32EnumAttrCase<"Bad", 5, "sour">]> {
  let cppNamespace = "::swept";
  let genSpecializedAttr = 0;
}
def MoodAttr : EnumAttr<Swept, Mood, "mood"> { % }
def SingOp : Op<Swept, "sing"> { let arguments = (ins MoodAttr:$in); let assemblyFormat = "$in attr-dict"; }
"#,
    ),
    swept(
        "type definition",
        "Crate",
        r#"def Crate : TypeDef<Swept, "Crate"> {
  let mnemonic = "crate";
  let summary = "A crate.";
  let description = [{ Of wood. }];
  let parameters = (ins "int":$width, ArrayRefParameter<"int">:$slots, StringRefParameter<"what is in it">:$label);
  let builders = [TypeBuilder<(ins "int":$side), "return get(side);">];
  let extraClassDeclaration = "int boards();";
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` params `>`";
  %
}
def PackOp : Op<Swept, "pack"> { let arguments = (ins Crate:$crate); }
"#,
    ),
    swept(
        "type definition without parameters",
        "Empty",
        r#"def Empty : TypeDef<Swept, "Empty"> { let mnemonic = "empty"; % }
def FillOp : Op<Swept, "fill"> { let results = (outs Empty:$empty); let assemblyFormat = "attr-dict"; }
"#,
    ),
    swept(
        "attribute definition",
        "Label",
        r#"def Label : AttrDef<Swept, "Label"> {
  let mnemonic = "label";
  let parameters = (ins "int":$number, "::swept::Ink":$ink);
  let assemblyFormat = "`<` $number `,` $ink `>`";
  %
}
def PrintOp : Op<Swept, "print"> { let arguments = (ins Label:$label); let assemblyFormat = "$label attr-dict"; }
"#,
    ),
    swept(
        "parameter",
        "Weight",
        r#"def Weight : AttrOrTypeParameter<"::swept::Weight", "a weight"> { % }
def Sack : TypeDef<Swept, "Sack"> {
  let mnemonic = "sack";
  let parameters = (ins Weight:$weight, "int":$count);
  let assemblyFormat = "`<` $weight `,` $count `>`";
}
"#,
    ),
    swept(
        "parameter with a default",
        "Rest",
        r#"def Rest : DefaultValuedParameter<"::swept::Rest", "none()", "a rest"> { % }
def Break : AttrDef<Swept, "Break"> {
  let mnemonic = "break";
  let parameters = (ins Rest:$rest, OptionalParameter<"int">:$length);
  let assemblyFormat = "struct(params)";
}
"#,
    ),
    swept(
        "interface of operations",
        "Movable",
        r#"def Movable : OpInterface<"Movable"> {
  let cppNamespace = "::swept";
  let description = [{ Moves. }];
  let methods = [
    InterfaceMethod<"Moves it.", "int", "move", (ins "int":$by)>,
    StaticInterfaceMethod<"The best.", "int", "best", (ins), [{ return 1; }]>,
    InterfaceMethod<"", "int", "last", (ins), "", "return 2;">
  ];
  let extraClassDeclaration = "int own();";
  let extraSharedClassDeclaration = "int shared();";
  let verify = "return check($_op);";
  %
}
def PushOp : Op<Swept, "push", [Movable, DeclareOpInterfaceMethods<Movable>]>;
"#,
    ),
    swept(
        "interface of types",
        "Sized",
        r#"def Sized : TypeInterface<"Sized"> {
  let cppNamespace = "::swept";
  let methods = [InterfaceMethod<"", "int", "size", (ins "int":$unit)>];
  %
}
def Parcel : TypeDef<Swept, "Parcel", [DeclareTypeInterfaceMethods<Sized>]> { let mnemonic = "parcel"; }
"#,
    ),
    swept(
        "interface of attributes",
        "Named",
        r#"def Named : AttrInterface<"Named"> {
  let cppNamespace = "::swept";
  let methods = [InterfaceMethod<"", "int", "initial", (ins), "", "return $_attr.x();">];
  %
}
def Badge : AttrDef<Swept, "Badge", [DeclareAttrInterfaceMethods<Named>]> { let mnemonic = "badge"; }
"#,
    ),
    swept(
        "method",
        "Turn",
        r#"def Turn : InterfaceMethod<"Turns.", "int", "turn", (ins "int":$by), "return $_op.at(by);", "return by;"> { % }
def Turning : OpInterface<"Turning"> { let cppNamespace = "::swept"; let methods = [Turn]; }
def SpinOp : Op<Swept, "spin", [DeclareOpInterfaceMethods<Turning, ["turn"]>]>;
"#,
    ),
    swept(
        "static method",
        "Count",
        r#"def Count : StaticInterfaceMethod<"Counts.", "unsigned", "count", (ins "int":$from, "bool":$up)> { % }
def Counting : OpInterface<"Counting"> { let methods = [Count]; }
def TallyOp : Op<Swept, "tally", [DeclareOpInterfaceMethods<Counting>]>;
"#,
    ),
    swept(
        "pass",
        "Tidy",
        r#"def Tidy : Pass<"swept-tidy", "::mlir::ModuleOp"> {
  let summary = "Tidies up.";
  let description = [{ All of it. }];
  let options = [
    Option<"depth", "max-depth", "int", "1", "how deep">, ListOption<"rooms", "only-rooms", "int", "where">
  ];
  let statistics = [Statistic<"moved", "num-moved", "what was moved">];
  let dependentDialects = ["::dust::DustDialect"];
  %
}
"#,
    ),
    swept(
        "option",
        "Fast",
        r#"def Fast : Option<"fast", "go-fast", "bool", "false", "goes fast"> { % }
def Run : Pass<"swept-run"> { let summary = "Runs."; let options = [Fast]; }
"#,
    ),
    swept(
        "option of a list",
        "Stops",
        r#"def Stops : ListOption<"stops", "at-stops", "int", "where it stops"> { % }
def Ride : Pass<"swept-ride"> { let summary = "Rides."; let options = [Stops]; }
"#,
    ),
    swept(
        "statistic",
        "Miles",
        r#"def Miles : Statistic<"miles", "num-miles", "miles that were run"> { % }
def Race : Pass<"swept-race"> { let summary = "Races."; let statistics = [Miles]; }
"#,
    ),
    swept(
        "native trait",
        "Shiny",
        r#"def Shiny : NativeOpTrait<"Shiny"> { % }
def RubOp : Op<Swept, "rub", [Shiny]> { let arguments = (ins I32:$lamp); }
"#,
    ),
    swept(
        "trait with a predicate",
        "Alike",
        r#"def Alike : PredOpTrait<"both are alike", CPred<"alike($left, $right)">> { % }
def PairOp : Op<Swept, "pair", [Alike]> { let arguments = (ins I32:$left, I32:$right); }
"#,
    ),
    swept(
        "trait of generated code",
        "Trimmed",
        r#"def Trimmed : GenInternalOpTrait<"Trimmed"> { % }
def TrimOp : Op<Swept, "trim", [Trimmed]> { let arguments = (ins I32:$hedge); }
"#,
    ),
    swept(
        "trait of a type",
        "Soft",
        r#"def Soft : NativeTypeTrait<"Soft"> { % }
def Pillow : TypeDef<Swept, "Pillow", [Soft]> { let mnemonic = "pillow"; }
"#,
    ),
    swept(
        "side effect",
        "Stir",
        r#"def Pot : Resource<"::swept::Pot">;
def Stir : MemoryEffects<[MemRead<Pot>, MemWrite]> { % }
def CookOp : Op<Swept, "cook", [Stir]> { let arguments = (ins Arg<I32, "soup", [MemWrite]>:$soup); }
"#,
    ),
    swept(
        "argument",
        "Seed",
        r#"def Seed : Arg<I32, "a seed", [MemRead]> { % }
def SowOp : Op<Swept, "sow"> { let arguments = (ins Seed:$seed); let assemblyFormat = "$seed attr-dict"; }
"#,
    ),
    swept(
        "region",
        "Field",
        r#"def Field : Region<CPred<"isField($_self)">, "a field"> { % }
def PloughOp : Op<Swept, "plough"> {
  let regions = (region Field:$north, VariadicRegion<Field>:$others);
  let successors = (successor AnySuccessor:$next);
}
"#,
    ),
    swept(
        "successor",
        "Exit",
        r#"def Exit : Successor<CPred<"isExit($_self)">, "an exit"> { % }
def LeaveOp : Op<Swept, "leave"> { let successors = (successor Exit:$door, VariadicSuccessor<Exit>:$windows); }
"#,
    ),
    swept(
        "builder",
        "Made",
        r#"def Made : OpBuilder<(ins "int":$parts, CArg<"int", "3">:$screws), "make(parts);"> { % }
def MakeOp : Op<Swept, "make"> { let builders = [Made]; }
"#,
    ),
    swept(
        "builder of a type",
        "Cast",
        r#"def Cast : TypeBuilder<(ins "int":$metal, CArg<"int", "3">:$heat), "return $_get($_ctxt, metal);"> { % }
def Bell : TypeDef<Swept, "Bell"> {
  let mnemonic = "bell";
  let parameters = (ins "int":$metal);
  let builders = [Cast];
  let assemblyFormat = "`<` $metal `>`";
}
"#,
    ),
    swept(
        "argument of a builder",
        "Tries",
        r#"def Tries : CArg<"int", "3"> { % }
def TestOp : Op<Swept, "test"> { let builders = [OpBuilder<(ins Tries:$tries)>]; }
"#,
    ),
    swept(
        "property",
        "Speed",
        r#"def Speed : IntProp<"int64_t"> { % }
def DriveOp : Op<Swept, "drive"> {
  let arguments = (ins Speed:$speed, I32Attr:$road);
  let assemblyFormat = "$road `,` prop-dict attr-dict";
}
def FlyOp : Op<Swept, "fly"> { let arguments = (ins Speed:$speed, I32Attr:$height); }
"#,
    ),
    swept(
        "pattern",
        "Swap",
        r#"def SumOp : Op<Swept, "sum"> { let arguments = (ins I32:$left, I32Attr:$right); let results = (outs I32:$all); }
def Even : Constraint<CPred<"isEven($0)">, "an even one">;
def Swap : Pattern<(SumOp (SumOp $a, $b), $c), [(SumOp $a, $c)], [(Even $a)], [], (addBenefit 3)> { % }
"#,
    ),
    swept(
        "native call",
        "Half",
        r#"def SplitOp : Op<Swept, "split"> { let arguments = (ins I32:$one, I32Attr:$at); let results = (outs I32:$part); }
def Half : NativeCodeCall<"half($_builder, $0)"> { % }
def Smaller : Pat<(SplitOp $a, $b), (SplitOp $a, (Half $b))>;
"#,
    ),
    swept(
        "constraint of a pattern",
        "Sunny",
        r#"def WalkOp : Op<Swept, "walk"> { let arguments = (ins I32:$way, I32Attr:$pace); let results = (outs I32:$end); }
def Sunny : Constraint<CPred<"isSunny($0)">, "a sunny one"> { % }
def Stroll : Pat<(WalkOp $a, $b), (WalkOp $a, $b), [(Sunny $a)]>;
"#,
    ),
    swept(
        "predicate",
        "Ripe",
        r#"def Ripe : CPred<"isRipe($_self)"> { % }
def Fruit : Type<And<[Ripe, Neg<CPred<"isSour($_self)">>]>, "a ripe fruit">;
def PickOp : Op<Swept, "pick"> { let arguments = (ins Fruit:$fruit); }
"#,
    ),
    swept(
        "combined predicate",
        "Clean",
        r#"def Clean : And<[CPred<"isClean($_self)">, CPred<"isWhole($_self)">]> { % }
def Plate : Type<Clean, "a clean plate">;
def ServeOp : Op<Swept, "serve"> { let arguments = (ins Plate:$plate); }
"#,
    ),
    Definition {
        name: "struct attribute",
        target: "Point",
        before: &[HEAD, DIALECT],
        text: r#"def Point : StructAttr<"Point", Swept, [
  StructFieldAttr<"x", I32Attr>, StructFieldAttr<"name", OptionalAttr<StrAttr>>
]> { % }
def AimOp : Op<Swept, "aim"> { let arguments = (ins Point:$at); let assemblyFormat = "$at attr-dict"; }
"#,
        is_there: older::has_struct_attributes,
    },
    Definition {
        name: "string enum",
        target: "Tune",
        before: &[HEAD, DIALECT],
        text: r#"def Tune : StrEnumAttr<"Tune", "a tune", [StrEnumAttrCase<"Slow">, StrEnumAttrCase<"Quick", 2, "allegro">]> {
  let cppNamespace = "::swept";
  %
}
def PlayOp : Op<Swept, "play"> {
  let arguments = (ins Tune:$tune, OptionalAttr<Tune>:$next);
  let assemblyFormat = "$tune (`then` $next^)? attr-dict";
}
"#,
        is_there: older::has_struct_attributes,
    },
    Definition {
        name: "operation with inline code",
        target: "KnitOp",
        before: &[HEAD, DIALECT],
        text: r#"def KnitOp : Op<Swept, "knit"> {
  let arguments = (ins I32:$yarn, I32Attr:$rows);
  let results = (outs I32:$scarf);
  let verifier = [{ return verifyKnit(*this); }];
  let parser = [{ return parseKnit(parser, result); }];
  let printer = [{ return printKnit(p, *this); }];
  %
}
"#,
        is_there: || !older::is_newest() && older::is_field("verifier"),
    },
];
