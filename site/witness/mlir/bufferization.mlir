func.func @materialize(%source: tensor<5xf32>, %dest: memref<5xf32>) {
  bufferization.materialize_in_destination %source in restrict writable %dest
      : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}
// -----
func.func @materialize_in_tensor(%source: tensor<5xf32>, %dest: tensor<5xf32>) -> tensor<5xf32> {
  %result = bufferization.materialize_in_destination %source in %dest
      : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %result : tensor<5xf32>
}
