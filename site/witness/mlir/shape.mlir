func.func @shape_of(%arg: tensor<4x8xf32>) -> tensor<2xindex> {
  %shape = shape.shape_of %arg : tensor<4x8xf32> -> tensor<2xindex>
  return %shape : tensor<2xindex>
}
// -----
func.func @mul(%lhs: !shape.size, %rhs: !shape.size) -> !shape.size {
  %product = shape.mul %lhs, %rhs : !shape.size, !shape.size -> !shape.size
  return %product : !shape.size
}
// -----
func.func @yield(%shape: !shape.shape, %init: !shape.size) -> !shape.size {
  %last = "shape.reduce"(%shape, %init) ({
  ^bb0(%index: index, %extent: !shape.size, %before: !shape.size):
    shape.yield %extent : !shape.size
  }) : (!shape.shape, !shape.size) -> !shape.size
  return %last : !shape.size
}
// -----
func.func @assuming(%witness: !shape.witness, %value: tensor<4xf32>) -> tensor<4xf32> {
  %result = shape.assuming %witness -> tensor<4xf32> {
    shape.assuming_yield %value : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
// -----
shape.func @same(%arg: !shape.value_shape) -> !shape.shape {
  %shape = shape.shape_of %arg : !shape.value_shape -> !shape.shape
  shape.return %shape : !shape.shape
}
// -----
func.func @add(%lhs: index, %rhs: index) {
  %result = shape.add %lhs, %rhs : index, index -> index
  return
}
// -----
func.func @broadcast(%shapes: tensor<4xindex>) {
  %result = shape.broadcast %shapes : tensor<4xindex> -> tensor<4xindex>
  return
}
// -----
func.func @dim(%value: vector<4xf32>, %index: index) {
  %extent = shape.dim %value, %index : vector<4xf32>, index -> index
  return
}
// -----
func.func @div(%lhs: index, %rhs: index) {
  %result = shape.div %lhs, %rhs : index, index -> index
  return
}
// -----
func.func @get_extent(%shape: tensor<4xindex>, %dim: index) {
  %extent = shape.get_extent %shape, %dim : tensor<4xindex>, index -> index
  return
}
// -----
func.func @max(%lhs: !shape.shape, %rhs: !shape.shape) {
  %result = shape.max %lhs, %rhs : !shape.shape, !shape.shape -> !shape.shape
  return
}
// -----
func.func @min(%lhs: !shape.shape, %rhs: !shape.shape) {
  %result = shape.min %lhs, %rhs : !shape.shape, !shape.shape -> !shape.shape
  return
}
// -----
func.func @num_elements(%shape: tensor<4xindex>) {
  %result = shape.num_elements %shape : tensor<4xindex> -> index
  return
}
// -----
func.func @rank(%shape: tensor<4xindex>) {
  %rank = shape.rank %shape : tensor<4xindex> -> index
  return
}
// -----
func.func @size_to_index(%arg: index) {
  %result = shape.size_to_index %arg : index
  return
}
// -----
func.func @to_extent_tensor(%input: tensor<4xindex>) {
  %result = shape.to_extent_tensor %input : tensor<4xindex> -> tensor<4xindex>
  return
}
