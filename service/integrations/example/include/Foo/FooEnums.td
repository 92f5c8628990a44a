// The ways in which a box is opened.
#ifndef FOO_ENUMS
#define FOO_ENUMS

include "mlir/IR/EnumAttr.td"

def Foo_Lid : I32EnumAttr<"Lid", "how a box is opened", [
    I32EnumAttrCase<"Hinged", 0, "hinged">,
    I32EnumAttrCase<"Loose", 1, "loose">,
]> {
  let cppNamespace = "::foo";
}

#endif
