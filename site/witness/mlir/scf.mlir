func.func @condition(%init: f32, %limit: f32) -> f32 {
  %result = scf.while (%x = %init) : (f32) -> f32 {
    %more = arith.cmpf olt, %x, %limit : f32
    scf.condition(%more) %x : f32
  } do {
  ^bb0(%y: f32):
    %next = arith.mulf %y, %y : f32
    scf.yield %next : f32
  }
  return %result : f32
}
// -----
func.func @in_parallel(%source: tensor<1xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %result = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %source into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %result : tensor<8xf32>
}
