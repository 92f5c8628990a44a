func.func @apply(%f: !smt.func<(!smt.int, !smt.bool) !smt.bool>, %x: !smt.int, %y: !smt.bool) {
  %result = smt.apply_func %f(%x, %y) : !smt.func<(!smt.int, !smt.bool) !smt.bool>
  return
}
// -----
func.func @arrays(%value: !smt.bool, %index: !smt.int) {
  %array = smt.array.broadcast %value : !smt.array<[!smt.int -> !smt.bool]>
  %element = smt.array.select %array[%index] : !smt.array<[!smt.int -> !smt.bool]>
  %changed = smt.array.store %array[%index], %value : !smt.array<[!smt.int -> !smt.bool]>
  return
}
// -----
func.func @extract(%input: !smt.bv<32>) {
  %bits = smt.bv.extract %input from 8 : (!smt.bv<32>) -> !smt.bv<16>
  return
}
// -----
func.func @equal(%a: !smt.int, %b: !smt.int, %condition: !smt.bool) {
  %same = smt.eq %a, %b : !smt.int
  %differ = smt.distinct %a, %b : !smt.int
  %either = smt.ite %condition, %a, %b : !smt.int
  return
}
// -----
func.func @exists() {
  %result = smt.exists {
  ^bb0(%x: !smt.int, %y: !smt.int):
    %same = smt.eq %x, %y : !smt.int
    smt.yield %same : !smt.bool
  }
  return
}
// -----
func.func @forall() {
  %result = smt.forall ["x", "y"] {
  ^bb0(%x: !smt.int, %y: !smt.int):
    %same = smt.eq %x, %y : !smt.int
    smt.yield %same : !smt.bool
  }
  return
}
// -----
func.func @logic() {
  smt.solver() : () -> () {
    smt.set_logic "QF_BV"
    smt.yield
  }
  return
}
// -----
func.func @bv_concat(%lhs: !smt.bv<8>, %rhs: !smt.bv<8>) {
  %result = smt.bv.concat %lhs, %rhs : !smt.bv<8>, !smt.bv<8>
  return
}
