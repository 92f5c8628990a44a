// The mill dialect, its enums, types, attributes and named constraints.
#ifndef MILL_TYPES_TD
#define MILL_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "MillInterfaces.td"

def Mill_Dialect : Dialect {
  let name = "mill";
  let summary = "Grain in, flour out.";
  let cppNamespace = "::mill";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let discardableAttrs = (ins "::mlir::StringAttr":$stamp);
  let extraClassDeclaration = [{
    static ::llvm::StringRef getMotto() { return "grind fine"; }
  }];
}

// ---- Enums

def Mill_Cereal : I32EnumAttr<"Cereal", "kinds of grain", [
    I32EnumAttrCase<"Rye", 0, "rye">,
    I32EnumAttrCase<"Wheat", 1, "wheat">,
    I32EnumAttrCase<"Oat", 4, "oat">,
  ]> {
  let cppNamespace = "::mill";
  let genSpecializedAttr = 0;
}
def Mill_CerealAttr : EnumAttr<Mill_Dialect, Mill_Cereal, "cereal">;

def Mill_Care : I32BitEnumAttr<"Care", "what to mind", [
    I32BitEnumAttrCaseNone<"None", "none">,
    I32BitEnumAttrCaseBit<"Dry", 0, "dry">,
    I32BitEnumAttrCaseBit<"Slow", 1, "slow">,
    I32BitEnumAttrCaseBit<"Cold", 2, "cold">,
    I32BitEnumAttrCaseGroup<"Gentle", [
      I32BitEnumAttrCaseBit<"Slow", 1, "slow">, I32BitEnumAttrCaseBit<"Cold", 2, "cold">
    ], "gentle">,
  ]> {
  let cppNamespace = "::mill";
  let genSpecializedAttr = 0;
  let separator = ", ";
}
def Mill_CareAttr : EnumAttr<Mill_Dialect, Mill_Care, "care"> {
  let assemblyFormat = "`[` $value `]`";
}

// An enum kept in an integer attribute.
def Mill_SeasonAttr : I64EnumAttr<"Season", "time of the year", [
    I64EnumAttrCase<"Summer", 1, "summer">,
    I64EnumAttrCase<"Winter", 2, "winter">,
  ]> {
  let cppNamespace = "::mill";
}

// ---- Types

class Mill_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Mill_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Mill_Grain : Mill_Type<"Grain", "grain", [Mill_CerealTypeInterface]> {
  let summary = "grain of one cereal";
  let parameters = (ins EnumParameter<Mill_Cereal>:$cereal);
  let assemblyFormat = "`<` $cereal `>`";
  let extraClassDeclaration = "bool keeps() const { return true; }";
}

def Mill_Flour : Mill_Type<"Flour", "flour", [Mill_CerealTypeInterface]> {
  let summary = "flour of one cereal";
  let parameters = (ins
    EnumParameter<Mill_Cereal>:$cereal,
    DefaultValuedParameter<"unsigned", "405", "ash grade">:$grade,
    OptionalArrayRefParameter<"int64_t", "mesh of each sieve">:$sieves
  );
  let assemblyFormat = "`<` $cereal (`,` `grade` `=` $grade^)? (`sieves` `[` $sieves^ `]`)? `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mill::GrainType":$grain), [{
      return $_get(grain.getContext(), grain.getCereal(), 405, ::llvm::ArrayRef<int64_t>());
    }]>
  ];
}

def Mill_Sack : Mill_Type<"Sack", "sack", [DeclareTypeInterfaceMethods<Mill_CerealTypeInterface, ["keeps"]>]> {
  let summary = "something in a sack";
  let parameters = (ins "::mlir::Type":$content, OptionalParameter<"::mlir::StringAttr">:$label);
  let assemblyFormat = "`<` custom<Content>($content) (`,` $label^ `(` custom<SameContent>(ref($content)) `)`)? `>`";
}

def Mill_Crate : Mill_Type<"Crate", "crate"> {
  let summary = "a box with inner measures";
  let parameters = (ins "int64_t":$width, "int64_t":$height, StringRefParameter<"wood", "\"fir\"">:$wood);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Mill_Ticket : Mill_Type<"Ticket", "ticket"> {
  let summary = "proof of delivery";
}

def Mill_Route : Mill_Type<"Route", "route"> {
  let summary = "where a cart goes";
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$stops);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = "static RouteType getBetween(::mlir::StringAttr from, ::mlir::StringAttr to);";
  let extraClassDefinition = [{
    $cppClass $cppClass::getBetween(::mlir::StringAttr from, ::mlir::StringAttr to) {
      return Base::get(from.getContext(), ::llvm::ArrayRef<::mlir::StringAttr>({from, to}));
    }
  }];
}

// ---- Attributes

class Mill_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Mill_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Mill_WeightAttr : Mill_Attr<"Weight", "weight", [TypedAttrInterface, Mill_WeighedAttrInterface]> {
  let parameters = (ins AttributeSelfTypeParameter<"">:$type, "int64_t":$grams);
  let assemblyFormat = "`<` $grams `>`";
  let builders = [AttrBuilderWithInferredContext<(ins "::mlir::Type":$type, "int64_t":$grams), [{
    return $_get(type.getContext(), type, grams);
  }]>];
}

def Mill_BatchAttr : Mill_Attr<"Batch", "batch", [DeclareAttrInterfaceMethods<Mill_WeighedAttrInterface>]> {
  let parameters = (ins
    "int64_t":$count,
    DefaultValuedParameter<"int64_t", "1000">:$each,
    OptionalParameter<"::mill::CerealAttr">:$cereal,
    StringRefParameter<"a remark">:$note
  );
  let assemblyFormat = "`<` $note `:` struct($count, $each, $cereal) `>`";
  let genVerifyDecl = 1;
}

def Mill_RangeAttr : Mill_Attr<"Range", "range"> {
  let parameters = (ins "int64_t":$low, "int64_t":$high);
  let hasCustomAssemblyFormat = 1;
  let genMnemonicAlias = 1;
}

// ---- Constraints with a function of their own

def Mill_RyeLike : Type<
    And<[CPred<"::llvm::isa<::mill::CerealTypeInterface>($_self)">,
         CPred<"::llvm::cast<::mill::CerealTypeInterface>($_self).getCereal() == ::mill::Cereal::Rye">]>,
    "something of rye"> {
  let cppFunctionName = "isRyeLike";
}
def Mill_SmallWeight : AttrConstraint<
    CPred<"::llvm::isa<::mill::WeightAttr>($_self) && ::llvm::cast<::mill::WeightAttr>($_self).getGrams() < 100">,
    "a weight below 100 grams"> {
  let cppFunctionName = "isSmallWeight";
}

#endif
