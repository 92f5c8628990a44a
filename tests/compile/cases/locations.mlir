// The places that `location` gives, and the fused place of what was matched.
// RUN: -mill-rewrite -mlir-print-debuginfo -mlir-print-local-scope

mill.recipe @locations {
  %x = mill.ship : () -> i32 loc("ship")
  %0 = mill.scale %x by 3 loc("scale")
  %1 = mill.try "location"(%0 : i32) loc("root")
  %2 = mill.turn %x times 2 loc("inner")
  %3 = mill.turn %2 times 2 loc("outer")
  mill.rest %1, %3 : i32, i32 loc("rest")
} loc("recipe")
