//! The beginning of random files: the includes and the constraints of ours that the rest uses.

use std::{collections::BTreeSet, sync::OnceLock};

use crate::{older, run};

/// Definitions for all files; each begins at the start of a line.
const PIECES: &str = r#"class FuzzOp<string name, list<Trait> traits = []> : Op<Fuzz, name, traits>;
class PlainOp<string name, list<Trait> traits = []> : Op<Plain, name, traits>;

def Low : I32EnumAttrCase<"Low", 0, "low">;
def High : I32EnumAttrCase<"High", 5>;
def Level : I32EnumAttr<"Level", "a level", [Low, High]> { let cppNamespace = "::fuzz::ir"; }
def Rank3 : I32Enum<"Rank3", "", [I32EnumCase<"One", 1>, I32EnumCase<"Two", 2, "t w o">]>;
def RankAttr : EnumAttr<Fuzz, Rank3, "rank"> { let assemblyFormat = "`<` $value `>`"; }
def Bits : I32BitEnumAttr<"Bits", "some bits", [I32BitEnumAttrCaseBit<"A", 0>, I32BitEnumAttrCaseBit<"B", 3, "b">]> {
  let cppNamespace = "fuzz";
  let separator = ", ";
  let genSpecializedAttr = 0;
}
def BitsAttr : EnumAttr<Fuzz, Bits, "bits">;
def LevelProp : EnumProp<Rank3>;
def NamedLevelProp : NamedEnumPropWithAttrForm<Rank3, "rank", RankAttr>;
def DocGroup : OpDocGroup { let summary = "A group"; let description = "Of\nsome kind."; }

def Even : TypeConstraint<CPred<"even($_self)">, "even \"type\"">;
def Odd : Type<Neg<CPred<"$_self.isEven()">>, "odd type", "::fuzz::OddType">;
def Made : Type<CPred<"::llvm::isa<MadeType>($_self)">, "made", "MadeType">, BuildableType<"$_builder.getMade()">;
def Held : TypeDef<Fuzz, "Held"> { let mnemonic = "held"; }
def HeldOf : TypeDef<Fuzz, "HeldOf"> {
  let mnemonic = "held_of";
  let parameters = (ins "int":$width);
  let assemblyFormat = "`<` $width `>`";
}
def Mark : AttrDef<Fuzz, "Mark"> {
  let mnemonic = "mark";
  let parameters = (ins "int":$number, OptionalParameter<"::mlir::Type">:$type);
  let assemblyFormat = "`<` $number (`,` $type^)? `>`";
}
def SmallAttr : AttrConstraint<CPred<"small($_self)">, "small attribute">;
def WordAttr : Attr<CPred<"word($_self)">, "word"> {
  let storageType = "::fuzz::Word";
  let returnType = "::fuzz::WordRef";
  let convertFromStorage = "$_self.ref()";
  let constBuilderCall = "word($_builder, $0)";
  let valueType = NoneType;
}
def PairProp : Property<"std::pair<int, int>", "a pair"> {
  let hashProperty = "hashPair($_storage)";
  let interfaceType = "Pair";
  let convertFromStorage = "Pair($_storage)";
  let assignToStorage = "$_storage = $_value.get()";
}
def FullRegion : Region<And<[CPred<"full($_self)">, Neg<CPred<"$_self.empty()">>]>, "full">;
def GoodSuccessor : Successor<CPred<"good($_self)">, "good block">;

def Wired : NativeOpTrait<"Wired", [SingleBlock]>, StructuralOpTrait { let cppNamespace = "::fuzz::traits"; }
def Coded : NativeOpTrait<"Coded", [], "int $cppClass_code();", "int $cppClass::code() { return 1; }">;
class Counted<int n> : ParamNativeOpTrait<"Counted", n # ", int">;
def Heap : Resource<"::fuzz::Heap">;
def Sized : OpInterface<"Sized"> {
  let description = "Has a size.";
  let cppNamespace = "::fuzz";
  let methods = [
    InterfaceMethod<"The size.", "int", "size", (ins "int":$unit)>,
    InterfaceMethod<"", "bool", "isBig", (ins), [{ return $_op.size(1) > 9; }]>,
    InterfaceMethod<"", "bool", "isOdd", (ins "const T &":$t), "", [{ return $_op.odd(t); }]>,
    StaticInterfaceMethod<"", "std::string", "unit", (ins)>
  ];
}
def Sized2 : OpInterface<"Sized2", [Sized]> {
  let cppInterfaceName = "SizedTwice";
  let methods = [
    InterfaceMethod<"", "int", "twice", (ins "int":$unit), [{}], [{ return 2 * $_op.size(unit); }]>,
    InterfaceMethod<"", "bool", "isEven", (ins), [{ return true; }]>
  ];
}
def SizedType : TypeInterface<"SizedType"> {
  let cppNamespace = "::fuzz";
  let methods = [
    InterfaceMethod<"The size.", "int", "size", (ins "int":$unit, "bool":$exact)>,
    InterfaceMethod<"", "bool", "isOdd", (ins), "", [{ return $_type.odd(); }]>,
    StaticInterfaceMethod<"", "int", "unit", (ins)>
  ];
}
def RenamedType : TypeInterface<"InterfaceOfType", [SizedType]> {
  let cppInterfaceName = "OtherNameOfType";
  let trait = "Traits::OfType";
  let methods = [InterfaceMethod<"", "int", "twice", (ins), "", [{ return 2; }]>];
}
def Coded_Parameter : AttrOrTypeParameter<"::fuzz::Coded", "coded"> {
  let allocator = "$_dst = $_self.copy($_allocator);";
  let comparator = "$_lhs.same($_rhs)";
  let cppStorageType = "::fuzz::CodedStorage";
  let convertFromStorage = "::fuzz::Coded($_self)";
  let syntax = "`coded` number";
  let parser = "parseCoded($_parser)";
  let printer = "printCoded($_printer, $_self)";
}
class TypedParam<string type> : TypeParameter<type, "typed"> { let cppAccessorType = "const " # type # " &"; }
def ValueSemanticsTrait : NativeTypeTrait<"ValueSemantics"> { let cppNamespace = "::mlir"; }
def SizedAttr : AttrInterface<"SizedAttr"> {
  let methods = [InterfaceMethod<"", "::mlir::Attribute", "half", (ins), [{ return $_attr.half(); }]>];
}
"#;

/// Pieces for earlier libraries; each replaces the piece of the same name if the library cannot read that.
const EARLIER: &[&str] = &[
    "def Wired : NativeOpTrait<\"Wired\"> { let cppNamespace = \"::fuzz::traits\"; }\n",
    "def Wired : NativeOpTrait<\"Wired\">;\n",
    "def Coded : NativeOpTrait<\"Coded\">;\n",
    r#"def Sized2 : OpInterface<"Sized2"> {
  let cppInterfaceName = "SizedTwice";
  let methods = [InterfaceMethod<"", "int", "twice", (ins "int":$unit), [{}], [{ return 2 * $_op.size(unit); }]>];
}
"#,
    r#"def Sized2 : OpInterface<"Sized2"> {
  let methods = [InterfaceMethod<"", "int", "twice", (ins "int":$unit), [{}], [{ return 2 * $_op.size(unit); }]>];
}
"#,
    r#"def RenamedType : TypeInterface<"InterfaceOfType"> {
  let cppInterfaceName = "OtherNameOfType";
  let methods = [InterfaceMethod<"", "int", "twice", (ins), "", [{ return 2; }]>];
}
"#,
    r#"def RenamedType : TypeInterface<"InterfaceOfType"> {
  let methods = [InterfaceMethod<"", "int", "twice", (ins), "", [{ return 2; }]>];
}
"#,
    r#"def HeldOf : TypeDef<Fuzz, "HeldOf"> {
  let mnemonic = "held_of";
  let parameters = (ins "int":$width);
}
"#,
    r#"def Mark : AttrDef<Fuzz, "Mark"> {
  let mnemonic = "mark";
  let parameters = (ins "int":$number);
  let assemblyFormat = "`<` $number `>`";
}
"#,
    r#"def Mark : AttrDef<Fuzz, "Mark"> {
  let mnemonic = "mark";
  let parameters = (ins "int":$number);
}
"#,
    r#"def Coded_Parameter : AttrOrTypeParameter<"::fuzz::Coded", "coded"> {
  let allocator = "$_dst = $_self.copy($_allocator);";
  let comparator = "$_lhs.same($_rhs)";
  let cppStorageType = "::fuzz::CodedStorage";
  let syntax = "`coded` number";
}
"#,
    r#"def Coded_Parameter : AttrOrTypeParameter<"::fuzz::Coded", "coded"> {
  let allocator = "$_dst = $_self.copy($_allocator);";
  let comparator = "$_lhs.same($_rhs)";
}
"#,
    "class TypedParam<string type> : TypeParameter<type, \"typed\">;\n",
    "def RankAttr : I32EnumAttr<\"RankAttr\", \"\", [I32EnumAttrCase<\"One\", 1>]>;\n",
    "def BitsAttr : I32EnumAttr<\"BitsAttr\", \"\", [I32EnumAttrCase<\"One\", 1>]>;\n",
    r#"def Bits : BitEnumAttr<"Bits", "some bits", [BitEnumAttrCase<"A", 1>, BitEnumAttrCase<"B", 8, "b">]> {
  let cppNamespace = "fuzz";
  let separator = ", ";
}
"#,
    "def ValueSemanticsTrait : NativeTrait<\"ValueSemantics\", \"Type\"> { let cppNamespace = \"::mlir\"; }\n",
];

/// The library's files, and the words that require them; `*Enum` matches any word that contains `Enum`.
const INCLUDES: &[(&str, &[&str])] = &[
    (
        "mlir/IR/BytecodeBase.td",
        &["DialectAttribute", "DialectAttributes", "DialectType", "DialectTypes", "WithParser"],
    ),
    (
        "mlir/IR/OpBase.td",
        &[
            "Op",
            "OpInterface",
            "TypeInterface",
            "AttrInterface",
            "Type",
            "Attr",
            "Property",
            "Region",
            "Dialect",
            "Pred",
            "CPred",
        ],
    ),
    ("mlir/IR/EnumAttr.td", &["*Enum"]),
    ("mlir/IR/OpAsmInterface.td", &["OpAsmOpInterface", "OpAsmTypeInterface", "OpAsmAttrInterface"]),
    (
        "mlir/IR/RegionKindInterface.td",
        &["RegionKindInterface", "HasOnlyGraphRegion", "GraphRegionNoTerminator"],
    ),
    ("mlir/IR/SymbolInterfaces.td", &["Symbol", "SymbolTable", "SymbolUserOpInterface"]),
    ("mlir/Interfaces/CallInterfaces.td", &["CallOpInterface", "CallableOpInterface"]),
    ("mlir/Interfaces/CastInterfaces.td", &["CastOpInterface"]),
    (
        "mlir/Interfaces/ControlFlowInterfaces.td",
        &["BranchOpInterface", "RegionBranchOpInterface", "ReturnLike"],
    ),
    ("mlir/Interfaces/FunctionInterfaces.td", &["FunctionOpInterface"]),
    ("mlir/Interfaces/InferIntRangeInterface.td", &["InferIntRangeInterface"]),
    (
        "mlir/Interfaces/InferTypeOpInterface.td",
        &[
            "InferTypeOpInterface",
            "InferTypeOpAdaptor",
            "InferTypeOpAdaptorWithIsCompatible",
            "InferShapedTypeOpAdaptor",
            "InferShapedTypeOpInterface",
            "InferTensorType",
            "ReifyRankedShapedTypeOpInterface",
            "SameOperandsAndResultType",
            "FirstAttrDerivedResultType",
            "AllTypesMatch",
            "TypesMatchWith",
        ],
    ),
    ("mlir/Interfaces/LoopLikeInterface.td", &["LoopLikeOpInterface"]),
    (
        "mlir/Interfaces/SideEffectInterfaces.td",
        &[
            "Pure",
            "MemRead",
            "MemWrite",
            "MemAlloc",
            "MemFree",
            "MemReadAt",
            "MemoryEffects",
            "MemoryEffectsOpInterface",
            "Resource",
            "DefaultResource",
            "RecursiveMemoryEffects",
            "RecursivelySpeculatable",
            "AlwaysSpeculatable",
            "ConditionallySpeculatable",
            "NoMemoryEffect",
        ],
    ),
    ("mlir/Pass/PassBase.td", &["Pass", "InterfacePass"]),
];

/// The dialects of the pieces.
const BEGIN: &str =
    "def Fuzz : Dialect { let name = \"fuzz\"; }\ndef Plain : Dialect { let name = \"plain\"; }\n";

/// A file of this body and everything that it uses, for the library of the release that files are compared for.
pub(super) fn before(body: &str) -> String {
    older::random_text(with_pieces(body))
}

fn with_pieces(body: &str) -> String {
    if body.starts_with("include") {
        return body.to_owned();
    }
    with(readable_pieces(), body)
}

/// The pieces that the library can read.
fn readable_pieces() -> &'static [&'static str] {
    static READABLE: OnceLock<Vec<&str>> = OnceLock::new();
    READABLE.get_or_init(|| {
        let all = split(PIECES);
        if older::is_newest() {
            return all;
        }
        let mut readable: Vec<&str> = Vec::new();
        for piece in all {
            let name = name_of(piece);
            let earlier = EARLIER.iter().copied().filter(|earlier| name_of(earlier) == name);
            let found = std::iter::once(piece).chain(earlier).find(|&piece| {
                let body = format!("{}//\n{piece}", BEGIN);
                run::first_error(&older::random_text(with(&readable, &body))).is_none()
            });
            readable.extend(found);
        }
        readable
    })
}

/// Splits a text into definitions, each of which begins at the start of a line.
fn split(text: &'static str) -> Vec<&'static str> {
    let starts = text.match_indices('\n').map(|(index, _)| index + 1);
    let is_start = |start: &usize| ["def ", "class "].iter().any(|word| text[*start..].starts_with(word));
    let mut starts: Vec<usize> = std::iter::once(0).chain(starts).filter(is_start).collect();
    starts.push(text.len());
    starts.windows(2).map(|range| &text[range[0]..range[1]]).collect()
}

fn name_of(piece: &str) -> &str {
    piece.split(|c: char| !c.is_alphanumeric() && c != '_').nth(1).unwrap_or_default()
}

/// The body after the pieces that it uses.
fn with(all: &[&str], body: &str) -> String {
    let mut words = BTreeSet::new();
    add_words(body, &mut words);
    let mut pieces: Vec<&str> = Vec::new();
    // Pieces are defined before the pieces that use them.
    for piece in all.iter().rev() {
        if words.contains(name_of(piece)) {
            add_words(piece, &mut words);
            pieces.push(piece);
        }
    }
    pieces.reverse();
    let mut text = String::new();
    for (path, needed_by) in INCLUDES {
        let is_used = |word: &&str| match word.strip_prefix('*') {
            Some(part) => words.iter().any(|used| used.contains(part)),
            None => words.contains(word),
        };
        if needed_by.iter().any(is_used) {
            text += &format!("include \"{path}\"\n");
        }
    }
    // Classes of operations name the dialects, so that these come first.
    let (dialects, rest) = body.split_once("//\n").unwrap_or(("", body));
    text + dialects + "\n" + &pieces.concat() + rest
}

fn add_words<'a>(text: &'a str, words: &mut BTreeSet<&'a str>) {
    words.extend(text.split(|c: char| !c.is_alphanumeric() && c != '_'));
}
