func.func @atomic_rmw(%tensor: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %mask: vector<16xi1>, %value: vector<16xf32>) {
  %old = xegpu.atomic_rmw addf %tensor, %mask, %value
      : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32>
      -> vector<16xf32>
  return
}
