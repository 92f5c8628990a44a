#ifndef PROJ_CORE_OPS
#define PROJ_CORE_OPS

include "proj/Core/CoreTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/IR/OpAsmInterface.td"

class Core_Op<string name_, list<Trait> traits = []> : Op<CoreDialect, name_, traits>;

def Core_Counting : OpDocGroup { let summary = "Counting"; let description = "Operations that count."; }

def Core_TakeOp : Core_Op<"take", [Pure]> {
  let summary = "takes a value out of a box";
  let description = [{
    The box is left as it was. `mode` says how.

    ```mlir
    %v = core.take %b fast : !core.box -> !core.value<width = 4>
    ```
  }];
  let arguments = (ins Core_BoxType:$box, Core_ModeAttr:$mode);
  let results = (outs Core_ValueType:$value);
  let assemblyFormat = "$box $mode attr-dict `:` type($box) `->` type($value)";
}

def Core_PutOp : Core_Op<"put", [Pure, MemoryEffects<[MemWrite]>]> {
  let summary = "puts values into a box";
  let arguments = (ins Core_BoxType:$box, Variadic<Core_Plane>:$values);
  let assemblyFormat = "$box `,` $values attr-dict `:` type($box) `,` type($values)";
}

def Core_MeetOp : Core_Op<"meet", [Pure, SameOperandsAndResultType]> {
  let summary = "what two values share";
  let description = [{ The result of `core.take` may be an operand. }];
  let arguments = (ins Core_Plane:$lhs, Core_Plane:$rhs, Core_Unsummed:$more, AnyTypeOf<[Core_ValueType, I32], "">:$any);
  let results = (outs Core_Plane:$result);
}

let opDocGroup = Core_Counting in {
def Core_CountOp : Core_Op<"count"> {
  let summary = "counts";
  let arguments = (ins Core_ValueOrBox:$of);
  let results = (outs Index:$number);
  let assemblyFormat = "$of attr-dict `:` type($of)";
}
def Core_CountAllOp : Core_Op<"count_all"> {
  let summary = "counts all";
  let arguments = (ins Variadic<Core_ValueOrBox>:$of);
  let results = (outs Index:$number);
}
}

def Core_BoxOp : Core_Op<"box_op", [NoTerminator, SingleBlock]> {
  let summary = "has a body";
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let description = [{
    Written by hand:

    ```
    operation ::= `core.box_op` region
    ```
  }];
}

#endif
