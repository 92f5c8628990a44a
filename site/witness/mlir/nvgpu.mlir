func.func @rcp(%in: vector<32x16xf32>) -> vector<32x16xf32> {
  %out = nvgpu.rcp %in {rounding = approx, ftz} : vector<32x16xf32>
  return %out : vector<32x16xf32>
}
// -----
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none,
    oob = nan, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @async_load(%map: !map, %barriers: !barriers, %buffer: memref<32x32xf32, 3>, %i: index) {
  nvgpu.tma.async.load %map[%i, %i], %barriers[%i] to %buffer : !map, !barriers
      -> memref<32x32xf32, 3>
  return
}
// -----
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none,
    oob = zero, interleave = none>
func.func @async_store(%map: !map, %buffer: memref<32x32xf32, 3>, %i: index) {
  nvgpu.tma.async.store %buffer to %map[%i, %i] : memref<32x32xf32, 3> -> !map
  return
}
// -----
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none,
    oob = nan, interleave = none>
func.func @create(%device: memref<*xf32>, %rows: index, %columns: index) {
  %map = nvgpu.tma.create.descriptor %device box[%rows, %columns] : memref<*xf32> -> !map
  return
}
// -----
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none,
    oob = nan, interleave = none>
func.func @fence(%map: !map) {
  nvgpu.tma.fence.descriptor %map : !map
  nvgpu.tma.prefetch.descriptor %map : !map
  return
}
// -----
!map = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo
    = none, oob = zero, interleave = none>
func.func @generate(%tile: memref<128x64xf16, 3>, %map: !map) {
  %descriptor = nvgpu.warpgroup.generate.descriptor %tile, %map : memref<128x64xf16, 3>, !map
      -> <tensor = memref<128x64xf16, 3>>
  return
}
// -----
func.func @accumulator(%buffer: memref<128x128xf32, 3>) {
  %acc = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<128x128xf32>>
  nvgpu.warpgroup.mma.store %acc, %buffer
      : <fragmented = vector<128x128xf32>> to memref<128x128xf32, 3>
  return
}
