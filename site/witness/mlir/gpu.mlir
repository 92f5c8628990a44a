func.func @dynamic_shared_memory() {
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  return
}
// -----
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @square(%x: f32) -> f32 {
      %y = arith.mulf %x, %x : f32
      gpu.return %y : f32
    }
  }
}
// -----
func.func @launch(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in
      (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}
// -----
func.func @subgroup_broadcast(%src: i32) {
  %result = gpu.subgroup_broadcast %src, first_active_lane : i32
  return
}
