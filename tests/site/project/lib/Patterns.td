include "mlir/IR/PatternBase.td"
include "mlir/Dialect/Arith/IR/ArithOps.td"
include "proj/Core/CoreOps.td"

def : Pat<(Core_CountOp $of), (Core_CountOp (Core_CountOp $of))>;
def : Pat<(Core_CountOp (Core_CountOp $of)), (replaceWithValue $of)>;
def : Pat<(Arith_XOrIOp $x, $y, (NativeCodeCall<"1">)), (Core_CountOp $x)>;
def Named : Pat<(Core_MeetOp $a, $a, $b, $c), (replaceWithValue $a)>;
