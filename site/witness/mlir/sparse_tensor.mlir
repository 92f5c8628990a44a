#COO = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed(nonunique), j : singleton(soa))}>
func.func @space(%tensor: tensor<4x8xf32, #COO>) {
  %space = sparse_tensor.extract_iteration_space %tensor lvls = 0 : tensor<4x8xf32, #COO>
      -> !sparse_tensor.iter_space<#COO, lvls = 0>
  return
}
// -----
func.func @add(%a: tensor<4xf64>, %x: f64, %y: f64) {
  %sum = sparse_tensor.binary %x, %y : f64, f64 to f64
    overlap = {
    ^bb0(%l: f64, %r: f64):
      %both = arith.addf %l, %r : f64
      sparse_tensor.yield %both : f64
    }
    left = identity
    right = identity
  return
}
