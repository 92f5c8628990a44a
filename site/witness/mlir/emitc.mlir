func.func @yield(%a: i32, %b: i32) -> i32 {
  %sum = emitc.expression %a, %b : (i32, i32) -> i32 {
    %0 = emitc.add %a, %b : (i32, i32) -> i32
    emitc.yield %0 : i32
  }
  return %sum : i32
}
