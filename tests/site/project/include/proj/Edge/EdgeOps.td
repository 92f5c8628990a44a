#ifndef PROJ_EDGE_OPS
#define PROJ_EDGE_OPS

include "proj/Core/CoreDialect.td"
include "proj/Core/CoreTypes.td"

def EdgeDialect : Dialect {
  let name = "edge";
  let summary = "The border of `core`";
  let cppNamespace = "::proj::edge";
  let useDefaultAttributePrinterParser = 1;
}

def Edge_RangeAttr : AttrDef<EdgeDialect, "Range"> {
  let mnemonic = "range";
  let summary = "a range in a mode";
  let parameters = (ins "int64_t":$from, "::proj::core::Mode":$mode, "core::ModeAttr":$also);
  let assemblyFormat = "`<` $from `,` $mode `,` $also `>`";
}
def Edge_GoAttr : AttrDef<EdgeDialect, "Go"> {
  let mnemonic = "go";
  let summary = "lets it go";
}

class Edge_Op<string name_, list<Trait> traits = []> : Op<EdgeDialect, name_, traits>;

def Edge_OpenOp : Edge_Op<"open", [HasParent<"core::BoxOp">]> {
  let summary = "opens a box, as [the manual `says`](https://example.org/open)";
  let arguments = (ins Core_BoxType:$box, Edge_RangeAttr:$range);
  let results = (outs Variadic<Core_ValueType>:$values);
  let assemblyFormat = "$box $range attr-dict `:` type($box) `->` type($values)";
}
def Edge_GoOp : Edge_Op<"go"> {
  let summary = "goes on";
  let arguments = (ins UnitAttr:$fast);
}

#endif
