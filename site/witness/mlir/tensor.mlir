func.func @empty(%size: index) -> tensor<?x8xf32> {
  %result = tensor.empty(%size) : tensor<?x8xf32>
  return %result : tensor<?x8xf32>
}
// -----
func.func @yield(%size: index, %value: f32) -> tensor<?xf32> {
  %result = tensor.generate %size {
  ^bb0(%i: index):
    tensor.yield %value : f32
  } : tensor<?xf32>
  return %result : tensor<?xf32>
}
