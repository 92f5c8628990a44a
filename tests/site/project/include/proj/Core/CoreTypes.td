#ifndef PROJ_CORE_TYPES
#define PROJ_CORE_TYPES

include "proj/Core/CoreDialect.td"

class Core_Type<string name, string mnemonic_, list<Trait> traits = []> : TypeDef<CoreDialect, name, traits> {
  let mnemonic = mnemonic_;
}

def Core_ValueType : Core_Type<"Value", "value"> {
  let summary = "A value of N*H*W elements, as `proj-opt` has it";
  let parameters = (ins "unsigned":$width, OptionalParameter<"core::ModeAttr">:$mode);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Core_BoxType : Core_Type<"Box", "box"> {
  let summary = "";
  let description = [{ Holds a `!core.value`. }];
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

// Memory remarks
def Core_ModeFast : I32EnumAttrCase<"Fast", 0, "fast">;
def Core_ModeSlow : I32EnumAttrCase<"Slow", 1, "slow">;
def Core_Mode : I32EnumAttr<"Mode", "how it is done", [Core_ModeFast, Core_ModeSlow]> {
  let cppNamespace = "::proj::core";
  let genSpecializedAttr = 0;
}
def Core_ModeAttr : EnumAttr<CoreDialect, Core_Mode, "mode">;

def Core_Plane : Type<Core_ValueType.predicate, "value of N*H*W elements, _not_ a box">;
def Core_ValueOrBox : AnyTypeOf<[Core_ValueType, Core_BoxType], "">;
def Core_Unsummed : Type<CPred<"::proj::core::isUnsummed($_self)">>;

#endif
