func.func @yield(%lb: index, %ub: index, %init: f32) -> f32 {
  %sum = affine.for %i = %lb to %ub iter_args(%acc = %init) -> (f32) {
    %next = arith.addf %acc, %acc : f32
    affine.yield %next : f32
  }
  return %sum : f32
}
