// RUN: proj-opt --convert-core-to-edge %s | FileCheck %s

// CHECK-LABEL: func.func @opens
// CHECK-SAME:    (%[[B:.*]]: !core.box)
func.func @opens(%b: !core.box) {
  // CHECK-NEXT: edge.open %[[B]] #edge.range<0, fast, slow> : !core.box ->
  core.put %b, %b : !core.box, !core.box
  // CHECK-NEXT: return
  return
}
