shard.grid @grid(shape = 2x4)
func.func @shape() -> (index, index) {
  %sizes:2 = shard.grid_shape @grid : index, index
  return %sizes#0, %sizes#1 : index, index
}
// -----
shard.grid @grid(shape = 2x4)
func.func @index() -> (index, index) {
  %index:2 = shard.process_multi_index on @grid : index, index
  return %index#0, %index#1 : index, index
}
// -----
shard.grid @grid(shape = 2x4)
func.func @send(%input: tensor<2xi8>) -> tensor<2xi8> {
  %sent = shard.send %input on @grid grid_axes = [1] destination = [2] : (tensor<2xi8>)
      -> tensor<2xi8>
  return %sent : tensor<2xi8>
}
// -----
shard.grid @grid(shape = 2x4)
func.func @recv(%input: tensor<2xi8>) -> tensor<2xi8> {
  %got = shard.recv %input on @grid grid_axes = [1] source = [2] : (tensor<2xi8>) -> tensor<2xi8>
  return %got : tensor<2xi8>
}
// -----
shard.grid @grid(shape = 4x4)
func.func @update_halo(%input: tensor<12x12xi8>) -> tensor<12x12xi8> {
  %updated = shard.update_halo %input on @grid split_axes = [[0]] halo_sizes = [2, 2]
      : tensor<12x12xi8>
  return %updated : tensor<12x12xi8>
}
