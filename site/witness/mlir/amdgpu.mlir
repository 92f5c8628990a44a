func.func @dpp(%old: i32, %src: i32) -> i32 {
  %result = amdgpu.dpp %old %src row_shl (1 : i32) {row_mask = 10 : i32, bound_ctrl = true} : i32
  return %result : i32
}
// -----
func.func @fat_raw_buffer_cast(%source: memref<8xi32, strided<[1], offset: ?>>) {
  %buffer = amdgpu.fat_raw_buffer_cast %source resetOffset
      : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32,
      #amdgpu.address_space<fat_raw_buffer>>
  return
}
// -----
func.func @gather_to_lds(%i: index, %j: index, %src: memref<32x32xf16>, %dst: memref<32x32xf16, #gpu.address_space<workgroup>>) {
  amdgpu.gather_to_lds %src[%i, %j], %dst[%i, %j]
      : vector<2xf16>, memref<32x32xf16>, memref<32x32xf16, #gpu.address_space<workgroup>>
  return
}
// -----
func.func @make_gather_dma_descriptor(%base: !amdgpu.tdm_gather_base<i32, i32>, %indices: vector<4xi32>) {
  %desc = amdgpu.make_gather_dma_descriptor %base[%indices] globalSize [1] globalStride [1]
      sharedSize [1] : !amdgpu.tdm_gather_base<i32, i32>, vector<4xi32> -> !amdgpu.tdm_descriptor
  return
}
// -----
func.func @packed_scaled_trunc(%source: vector<1xf16>, %scale: f32) {
  %res = amdgpu.packed_scaled_trunc %source into undef[1], %scale
      : vector<1xf16> to vector<4xf8E5M2>
  return
}
// -----
func.func @packed_stoch_round_fp8(%source: f32, %stochiasticParam: i32) {
  %res = amdgpu.packed_stoch_round_fp8 %source + %stochiasticParam into undef[1]
      : f32 to vector<4xf8E4M3FN>
  return
}
// -----
func.func @packed_trunc_2xfp8(%sourceA: f32) {
  %res = amdgpu.packed_trunc_2xfp8 %sourceA, undef into undef[word 1] : f32 to vector<4xf8E4M3FN>
  return
}
// -----
func.func @raw_buffer_atomic_cmpswap(%src: i32, %cmp: i32, %memref: memref<64xi32>, %indices: i32) {
  %value = amdgpu.raw_buffer_atomic_cmpswap %src, %cmp -> %memref[%indices] : i32
      -> memref<64xi32>, i32
  return
}
// -----
func.func @raw_buffer_atomic_fadd(%value: f32, %memref: memref<64xf32>, %indices: i32) {
  amdgpu.raw_buffer_atomic_fadd %value -> %memref[%indices] : f32 -> memref<64xf32>, i32
  return
}
// -----
func.func @raw_buffer_atomic_fmax(%value: f32, %memref: memref<64xf32>, %indices: i32) {
  amdgpu.raw_buffer_atomic_fmax %value -> %memref[%indices] : f32 -> memref<64xf32>, i32
  return
}
// -----
func.func @raw_buffer_atomic_smax(%value: i32, %memref: memref<64xf32>, %indices: i32) {
  amdgpu.raw_buffer_atomic_smax %value -> %memref[%indices] : i32 -> memref<64xf32>, i32
  return
}
// -----
func.func @raw_buffer_atomic_umin(%value: i32, %memref: memref<64xf32>, %indices: i32) {
  amdgpu.raw_buffer_atomic_umin %value -> %memref[%indices] : i32 -> memref<64xf32>, i32
  return
}
// -----
func.func @raw_buffer_load(%memref: memref<64xf32>, %indices: i32) {
  %value = amdgpu.raw_buffer_load %memref[%indices] : memref<64xf32>, i32 -> f32
  return
}
// -----
func.func @raw_buffer_store(%value: i32, %memref: memref<64xi32>, %indices: i32) {
  amdgpu.raw_buffer_store %value -> %memref[%indices] : i32 -> memref<64xi32>, i32
  return
}
