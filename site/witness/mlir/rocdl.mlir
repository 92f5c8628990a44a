llvm.func @permlane(%old: i32, %src: i32) {
  %half = rocdl.permlane16.swap %old, %src, false, false : (i32, i32) -> !llvm.struct<(i32, i32)>
  %whole = rocdl.permlane32.swap %old, %src, false, false : (i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}
// -----
func.func @cluster_load_async_to_lds_b128(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>, %mask: i32) {
  rocdl.cluster.load.async.to.lds.b128 %globalPtr, %ldsPtr, 1, 1, %mask : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @cluster_load_async_to_lds_b32(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>, %mask: i32) {
  rocdl.cluster.load.async.to.lds.b32 %globalPtr, %ldsPtr, 1, 1, %mask : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @cluster_load_async_to_lds_b64(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>, %mask: i32) {
  rocdl.cluster.load.async.to.lds.b64 %globalPtr, %ldsPtr, 1, 1, %mask : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @cluster_load_async_to_lds_b8(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>, %mask: i32) {
  rocdl.cluster.load.async.to.lds.b8 %globalPtr, %ldsPtr, 1, 1, %mask : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @ds_atomic_async_barrier_arrive_b64(%barrierPtr: !llvm.ptr<3>) {
  rocdl.ds.atomic.async.barrier.arrive.b64 %barrierPtr : !llvm.ptr<3>
  return
}
// -----
func.func @ds_atomic_barrier_arrive_rtn_b64(%barrierPtr: !llvm.ptr<3>, %val: i64) {
  %res = rocdl.ds.atomic.barrier.arrive.rtn.b64 %barrierPtr, %val : !llvm.ptr<3>, i64 -> i64
  return
}
// -----
func.func @ds_load_tr16_b128(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.load.tr16.b128 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_load_tr4_b64(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.load.tr4.b64 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_load_tr6_b96(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.load.tr6.b96 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_load_tr8_b64(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.load.tr8.b64 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_read_tr16_b64(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.read.tr16.b64 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_read_tr4_b64(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.read.tr4.b64 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_read_tr6_b96(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.read.tr6.b96 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @ds_read_tr8_b64(%ptr: !llvm.ptr<3>) {
  %res = rocdl.ds.read.tr8.b64 %ptr : !llvm.ptr<3> -> i32
  return
}
// -----
func.func @flat_prefetch(%ptr: !llvm.ptr) {
  rocdl.flat.prefetch %ptr, scope 1 : !llvm.ptr
  return
}
// -----
func.func @global_load_async_to_lds_b128(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>) {
  rocdl.global.load.async.to.lds.b128 %globalPtr, %ldsPtr, 1, 1 : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @global_load_async_to_lds_b32(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>) {
  rocdl.global.load.async.to.lds.b32 %globalPtr, %ldsPtr, 1, 1 : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @global_load_async_to_lds_b64(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>) {
  rocdl.global.load.async.to.lds.b64 %globalPtr, %ldsPtr, 1, 1 : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @global_load_async_to_lds_b8(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>) {
  rocdl.global.load.async.to.lds.b8 %globalPtr, %ldsPtr, 1, 1 : !llvm.ptr<1>, !llvm.ptr<3>
  return
}
// -----
func.func @global_load_lds(%globalPtr: !llvm.ptr<1>, %ldsPtr: !llvm.ptr<3>) {
  rocdl.global.load.lds %globalPtr, %ldsPtr, 1, 1, 1
  return
}
// -----
func.func @global_load_tr_b128(%ptr: !llvm.ptr<1>) {
  %res = rocdl.global.load.tr.b128 %ptr : !llvm.ptr<1> -> i32
  return
}
// -----
func.func @global_load_tr_b64(%ptr: !llvm.ptr<1>) {
  %res = rocdl.global.load.tr.b64 %ptr : !llvm.ptr<1> -> i32
  return
}
// -----
func.func @global_load_tr4_b64(%ptr: !llvm.ptr<1>) {
  %res = rocdl.global.load.tr4.b64 %ptr : !llvm.ptr<1> -> i32
  return
}
// -----
func.func @global_load_tr6_b96(%ptr: !llvm.ptr<1>) {
  %res = rocdl.global.load.tr6.b96 %ptr : !llvm.ptr<1> -> i32
  return
}
// -----
func.func @global_prefetch(%ptr: !llvm.ptr<1>) {
  rocdl.global.prefetch %ptr, scope 1 : !llvm.ptr<1>
  return
}
// -----
func.func @load_to_lds(%globalPtr: !llvm.ptr, %ldsPtr: !llvm.ptr<3>) {
  rocdl.load.to.lds %globalPtr, %ldsPtr, 1, 1, 1 : !llvm.ptr
  return
}
// -----
func.func @raw_ptr_buffer_atomic_cmpswap(%src: i32, %cmp: i32, %rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  %res = rocdl.raw.ptr.buffer.atomic.cmpswap %src, %cmp, %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @raw_ptr_buffer_atomic_fadd(%vdata: i32, %rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  rocdl.raw.ptr.buffer.atomic.fadd %vdata, %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @raw_ptr_buffer_atomic_fmax(%vdata: i32, %rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  rocdl.raw.ptr.buffer.atomic.fmax %vdata, %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @raw_ptr_buffer_atomic_smax(%vdata: i32, %rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  rocdl.raw.ptr.buffer.atomic.smax %vdata, %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @raw_ptr_buffer_atomic_umin(%vdata: i32, %rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  rocdl.raw.ptr.buffer.atomic.umin %vdata, %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @raw_ptr_buffer_load(%rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  %res = rocdl.raw.ptr.buffer.load %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @raw_ptr_buffer_load_lds(%rsrc: !llvm.ptr<8>, %ldsPtr: !llvm.ptr<3>, %size: i32, %voffset: i32, %soffset: i32, %offset: i32, %aux: i32) {
  rocdl.raw.ptr.buffer.load.lds %rsrc, %ldsPtr, %size, %voffset, %soffset, %offset, %aux
  return
}
// -----
func.func @raw_ptr_buffer_store(%vdata: i32, %rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32, %aux: i32) {
  rocdl.raw.ptr.buffer.store %vdata, %rsrc, %offset, %soffset, %aux : i32
  return
}
// -----
func.func @tensor_load_to_lds_d2(%dgroup0: vector<4xi32>, %dgroup1: vector<8xi32>) {
  rocdl.tensor.load.to.lds.d2 %dgroup0, %dgroup1 cachepolicy 1 : vector<4xi32>, vector<8xi32>
  return
}
// -----
func.func @tensor_load_to_lds(%dgroup0: vector<4xi32>, %dgroup1: vector<8xi32>, %dgroup2: vector<4xi32>, %dgroup3: vector<4xi32>) {
  rocdl.tensor.load.to.lds %dgroup0, %dgroup1, %dgroup2, %dgroup3 cachepolicy 1
      : vector<4xi32>, vector<8xi32>
  return
}
// -----
func.func @tensor_store_from_lds_d2(%dgroup0: vector<4xi32>, %dgroup1: vector<8xi32>) {
  rocdl.tensor.store.from.lds.d2 %dgroup0, %dgroup1 cachepolicy 1 : vector<4xi32>, vector<8xi32>
  return
}
// -----
func.func @tensor_store_from_lds(%dgroup0: vector<4xi32>, %dgroup1: vector<8xi32>, %dgroup2: vector<4xi32>, %dgroup3: vector<4xi32>) {
  rocdl.tensor.store.from.lds %dgroup0, %dgroup1, %dgroup2, %dgroup3 cachepolicy 1
      : vector<4xi32>, vector<8xi32>
  return
}
