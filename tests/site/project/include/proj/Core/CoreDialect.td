#ifndef PROJ_CORE_DIALECT
#define PROJ_CORE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def CoreDialect : Dialect {
  let name = "core";
  let summary = "Values, boxes and what is done with them";
  let description = [{
    Operations work on `!core.value` and `!core.box`, both of which are defined here.

    [TOC]

    See [the rationale](#not-there) and [the manual](https://example.org/core).
  }];
  let cppNamespace = "::proj::core";
  let dependentDialects = ["edge::EdgeDialect"];
}

// The operations need the types below, and the types are included by them.
include "proj/Core/CoreOps.td"

#endif
