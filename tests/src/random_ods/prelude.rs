//! What every random file begins with: the dialects and the constraints that it is about.

/// The beginning of every file.
pub const PRELUDE: &str = r#"include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Fuzz : Dialect {
  let name = "fuzz";
  let cppNamespace = "::fuzz::ir";
  let summary = "Random operations";
  let description = "The dialect of\n  random operations.";
}
def Plain : Dialect {
  let name = "plain";
  let cppNamespace = "plain";
  let usePropertiesForAttributes = 0;
}
class FuzzOp<string name, list<Trait> traits = []> : Op<Fuzz, name, traits>;
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
def SizedAttr : AttrInterface<"SizedAttr"> {
  let methods = [InterfaceMethod<"", "::mlir::Attribute", "half", (ins), [{ return $_attr.half(); }]>];
}
"#;
