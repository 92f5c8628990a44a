// The operations.
include "Foo/FooDialect.td"
include "Foo/FooEnums.td"

def Foo_PackOp : Foo_Op<"pack"> {
  let summary = "Puts a value into a box.";
  let arguments = (ins I32:$value, Foo_Lid:$lid);
  let results = (outs Foo_BoxType:$box);
}

def Foo_UnpackOp : Foo_Op<"unpack"> {
  let summary = "Takes the value out of a box.";
  let arguments = (ins Foo_BoxType:$box);
  let results = (outs I32:$value);
}
