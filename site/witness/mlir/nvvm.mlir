llvm.func @query(%response: i128) {
  %canceled = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %response : i1
  %x = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %response : i32
  llvm.return
}
// -----
llvm.func @to_small(%bf: vector<2xbf16>, %half: vector<2xf16>, %a: f32, %b: f32, %four: vector<4xf32>, %bits: i32) {
  %0 = nvvm.convert.bf16x2.to.f8x2 %bf {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16>
      -> i16 (f8E8M0FNU)
  %1 = nvvm.convert.f16x2.to.f8x2 %half : vector<2xf16> -> i16 (f8E4M3FN)
  %2 = nvvm.convert.f32x2.to.bf16x2 %a, %b {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
  %3 = nvvm.convert.f32x2.to.f16x2 %a, %b {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
  %4 = nvvm.convert.f32x2.to.f4x2 %a, %b : i8 (f4E2M1FN)
  %5 = nvvm.convert.f32x2.to.f6x2 %a, %b : i16 (f6E2M3FN)
  %6 = nvvm.convert.f32x2.to.f8x2 %a, %b {rnd = #nvvm.fp_rnd_mode<rn>, sat
      = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  %7 = nvvm.convert.f32x4.to.f4x4 %four, %bits : vector<4xf32> -> i16 (f4E2M1FN)
  %8 = nvvm.convert.f32x4.to.f6x4 %four, %bits : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
  %9 = nvvm.convert.f32x4.to.f8x4 %four, %bits : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
  llvm.return
}
// -----
llvm.func @from_small(%four: i8, %pair: vector<2xi8>) {
  %0 = nvvm.convert.f4x2.to.f16x2 %four : i8 (f4E2M1FN) -> vector<2xf16>
  %1 = nvvm.convert.f6x2.to.f16x2 %pair : vector<2xi8> (f6E2M3FN) -> vector<2xf16>
  %2 = nvvm.convert.f8x2.to.bf16x2 %pair : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
  %3 = nvvm.convert.f8x2.to.f16x2 %pair : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  llvm.return
}
// -----
llvm.func @tf32(%src: f32) -> i32 {
  %res = nvvm.convert.float.to.tf32 %src {rnd = #nvvm.fp_rnd_mode<rn>}
  llvm.return %res : i32
}
// -----
llvm.func @bulk(%dst: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %x: i32) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %dst, %map, %barrier, box[%x]
      : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}
// -----
llvm.func @copy(%dst: !llvm.ptr<3>, %src: !llvm.ptr<1>) {
  nvvm.cp.async.shared.global %dst, %src, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}
// -----
llvm.func @fence() {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
  llvm.return
}
// -----
llvm.func @pmevent() {
  nvvm.pmevent id = 10
  llvm.return
}
// -----
llvm.func @prefetch(%addr: !llvm.ptr) {
  nvvm.prefetch level = L1, %addr : !llvm.ptr
  llvm.return
}
// -----
llvm.func @prmt(%selector: i32, %lo: i32, %hi: i32) -> i32 {
  %res = nvvm.prmt <default> %selector, %lo, %hi : i32
  llvm.return %res : i32
}
// -----
llvm.func @registers() {
  nvvm.setmaxregister increase 232
  llvm.return
}
// -----
llvm.func @vote(%mask: i32, %pred: i1) -> i1 {
  %res = nvvm.vote.sync any %mask, %pred -> i1
  llvm.return %res : i1
}
// -----
llvm.func @wgmma(%a: i64, %b: i64, %acc: !llvm.struct<(f32, f32, f32, f32)>) {
  %res = nvvm.wgmma.mma_async %a, %b, %acc, <m = 64, n = 8, k = 16>, D [<f32>,
      #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<neg>, <row>], B [<f16>,
      #nvvm.wgmma_scale_in<neg>, <col>] : !llvm.struct<(f32, f32, f32, f32)>
      -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}
// -----
llvm.func @wmma_load(%ptr: !llvm.ptr, %stride: i32) {
  %res = nvvm.wmma.load %ptr, %stride {eltype = #nvvm.mma_type<tf32>, frag = #nvvm.mma_frag<a>, k
      = 8 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr)
      -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}
// -----
llvm.func @wmma_mma(%a: i32, %c: f32) {
  %res = nvvm.wmma.mma %a, %a, %a, %a, %a, %a, %a, %a, %c, %c, %c, %c, %c, %c, %c, %c
      {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8
      : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16
      : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32,
      f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.return
}
// -----
llvm.func @wmma_store(%ptr: !llvm.ptr, %stride: i32, %v: f32) {
  nvvm.wmma.store %ptr, %stride, %v, %v, %v, %v, %v, %v, %v, %v
      {eltype = #nvvm.mma_type<f32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16
      : i32, n = 16 : i32} : !llvm.ptr, f32, f32, f32, f32, f32, f32, f32, f32
  llvm.return
}
// -----
func.func @barrier() {
  nvvm.barrier
  return
}
// -----
func.func @cluster_arrive_relaxed() {
  nvvm.cluster.arrive.relaxed
  return
}
// -----
func.func @cluster_wait() {
  nvvm.cluster.wait
  return
}
// -----
func.func @clusterlaunchcontrol_try_cancel(%smemAddress: !llvm.ptr<3>, %mbarrier: !llvm.ptr<3>) {
  nvvm.clusterlaunchcontrol.try.cancel %smemAddress, %mbarrier
  return
}
// -----
func.func @cp_async_bulk_shared_cluster_global(%dstMem: !llvm.ptr<3>, %srcMem: !llvm.ptr<1>, %mbar: !llvm.ptr<3>, %size: i32) {
  nvvm.cp.async.bulk.shared.cluster.global %dstMem, %srcMem, %mbar, %size
      : !llvm.ptr<3>, !llvm.ptr<1>
  return
}
// -----
func.func @cp_async_bulk_tensor_global_shared_cta(%tmaDescriptor: !llvm.ptr, %srcMem: !llvm.ptr<3>, %coordinates: i32) {
  nvvm.cp.async.bulk.tensor.global.shared.cta %tmaDescriptor, %srcMem, box[%coordinates]
      : !llvm.ptr, !llvm.ptr<3>
  return
}
// -----
func.func @cp_async_bulk_tensor_prefetch(%tmaDescriptor: !llvm.ptr, %coordinates: i32) {
  nvvm.cp.async.bulk.tensor.prefetch %tmaDescriptor, box[%coordinates] : !llvm.ptr
  return
}
// -----
func.func @cp_async_bulk_tensor_reduce(%tmaDescriptor: !llvm.ptr, %srcMem: !llvm.ptr<3>, %coordinates: i32) {
  nvvm.cp.async.bulk.tensor.reduce %tmaDescriptor, %srcMem, box[%coordinates]
      {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
  return
}
// -----
func.func @cp_async_bulk_wait_group() {
  nvvm.cp.async.bulk.wait_group 2
  return
}
// -----
func.func @fence_proxy_acquire(%addr: !llvm.ptr, %size: i32) {
  nvvm.fence.proxy.acquire <cta> %addr, %size
  return
}
// -----
func.func @fence_proxy() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  return
}
// -----
func.func @fence_proxy_release() {
  nvvm.fence.proxy.release <cta>
  return
}
// -----
func.func @ldmatrix(%ptr: !llvm.ptr<3>) {
  %res = nvvm.ldmatrix %ptr {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape
      = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>}
      : (!llvm.ptr<3>) -> i32
  return
}
// -----
func.func @mapa(%a: !llvm.ptr, %b: i32) {
  %res = nvvm.mapa %a, %b : !llvm.ptr -> !llvm.ptr
  return
}
// -----
func.func @match_sync(%thread_mask: i32, %val: i32) {
  %res = nvvm.match.sync any %thread_mask, %val : i32 -> i32
  return
}
// -----
func.func @mbarrier_arrive_expect_tx(%addr: !llvm.ptr, %txcount: i32) {
  nvvm.mbarrier.arrive.expect_tx %addr, %txcount : !llvm.ptr, i32
  return
}
// -----
func.func @mbarrier_arrive(%addr: !llvm.ptr) {
  nvvm.mbarrier.arrive %addr : !llvm.ptr
  return
}
// -----
func.func @mbarrier_arrive_drop_expect_tx(%addr: !llvm.ptr, %txcount: i32) {
  nvvm.mbarrier.arrive_drop.expect_tx %addr, %txcount : !llvm.ptr, i32
  return
}
// -----
func.func @mbarrier_arrive_drop(%addr: !llvm.ptr) {
  nvvm.mbarrier.arrive_drop %addr : !llvm.ptr
  return
}
// -----
func.func @mbarrier_complete_tx(%addr: !llvm.ptr<3>, %txcount: i32) {
  nvvm.mbarrier.complete_tx %addr, %txcount : !llvm.ptr<3>, i32
  return
}
// -----
func.func @mbarrier_expect_tx(%addr: !llvm.ptr<3>, %txcount: i32) {
  nvvm.mbarrier.expect_tx %addr, %txcount : !llvm.ptr<3>, i32
  return
}
// -----
func.func @mbarrier_test_wait(%addr: !llvm.ptr, %stateOrPhase: i32) {
  %res = nvvm.mbarrier.test.wait %addr, %stateOrPhase : !llvm.ptr, i32 -> i1
  return
}
// -----
func.func @mbarrier_try_wait(%addr: !llvm.ptr, %stateOrPhase: i32) {
  %res = nvvm.mbarrier.try_wait %addr, %stateOrPhase : !llvm.ptr, i32 -> i1
  return
}
// -----
func.func @read_ptx_sreg_aggr_smem_size() {
  %res = nvvm.read.ptx.sreg.aggr.smem.size : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_ctaid_x() {
  %res = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_ctaid_y() {
  %res = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_ctaid_z() {
  %res = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_ctarank() {
  %res = nvvm.read.ptx.sreg.cluster.ctarank : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_nctaid_x() {
  %res = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_nctaid_y() {
  %res = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_nctaid_z() {
  %res = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_cluster_nctarank() {
  %res = nvvm.read.ptx.sreg.cluster.nctarank : i32
  return
}
// -----
func.func @read_ptx_sreg_clusterid_x() {
  %res = nvvm.read.ptx.sreg.clusterid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_clusterid_y() {
  %res = nvvm.read.ptx.sreg.clusterid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_clusterid_z() {
  %res = nvvm.read.ptx.sreg.clusterid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_ctaid_x() {
  %res = nvvm.read.ptx.sreg.ctaid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_ctaid_y() {
  %res = nvvm.read.ptx.sreg.ctaid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_ctaid_z() {
  %res = nvvm.read.ptx.sreg.ctaid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_gridid() {
  %res = nvvm.read.ptx.sreg.gridid : i32
  return
}
// -----
func.func @read_ptx_sreg_laneid() {
  %res = nvvm.read.ptx.sreg.laneid : i32
  return
}
// -----
func.func @read_ptx_sreg_nclusterid_x() {
  %res = nvvm.read.ptx.sreg.nclusterid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_nclusterid_y() {
  %res = nvvm.read.ptx.sreg.nclusterid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_nclusterid_z() {
  %res = nvvm.read.ptx.sreg.nclusterid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_nctaid_x() {
  %res = nvvm.read.ptx.sreg.nctaid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_nctaid_y() {
  %res = nvvm.read.ptx.sreg.nctaid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_nctaid_z() {
  %res = nvvm.read.ptx.sreg.nctaid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_nsmid() {
  %res = nvvm.read.ptx.sreg.nsmid : i32
  return
}
// -----
func.func @read_ptx_sreg_ntid_x() {
  %res = nvvm.read.ptx.sreg.ntid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_ntid_y() {
  %res = nvvm.read.ptx.sreg.ntid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_ntid_z() {
  %res = nvvm.read.ptx.sreg.ntid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_nwarpid() {
  %res = nvvm.read.ptx.sreg.nwarpid : i32
  return
}
// -----
func.func @read_ptx_sreg_smid() {
  %res = nvvm.read.ptx.sreg.smid : i32
  return
}
// -----
func.func @read_ptx_sreg_tid_x() {
  %res = nvvm.read.ptx.sreg.tid.x : i32
  return
}
// -----
func.func @read_ptx_sreg_tid_y() {
  %res = nvvm.read.ptx.sreg.tid.y : i32
  return
}
// -----
func.func @read_ptx_sreg_tid_z() {
  %res = nvvm.read.ptx.sreg.tid.z : i32
  return
}
// -----
func.func @read_ptx_sreg_warpid() {
  %res = nvvm.read.ptx.sreg.warpid : i32
  return
}
// -----
func.func @read_ptx_sreg_warpsize() {
  %res = nvvm.read.ptx.sreg.warpsize : i32
  return
}
// -----
func.func @redux_sync(%val: i32, %mask_and_clamp: i32) {
  %res = nvvm.redux.sync add %val, %mask_and_clamp : i32 -> i32
  return
}
// -----
func.func @shfl_sync(%thread_mask: i32, %val: i32, %offset: i32, %mask_and_clamp: i32) {
  %res = nvvm.shfl.sync bfly %thread_mask, %val, %offset, %mask_and_clamp : i32 -> i32
  return
}
// -----
func.func @st_bulk(%addr: !llvm.ptr, %size: i64) {
  nvvm.st.bulk %addr, size = %size : !llvm.ptr
  return
}
// -----
func.func @stmatrix(%ptr: !llvm.ptr<3>, %sources: i32) {
  nvvm.stmatrix %ptr, %sources {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m
      = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
  return
}
// -----
func.func @tcgen05_alloc(%addr: !llvm.ptr, %nCols: i32) {
  nvvm.tcgen05.alloc %addr, %nCols : !llvm.ptr, i32
  return
}
// -----
func.func @tcgen05_commit(%addr: !llvm.ptr) {
  nvvm.tcgen05.commit %addr : !llvm.ptr
  return
}
// -----
func.func @tcgen05_dealloc(%taddr: !llvm.ptr<6>, %nCols: i32) {
  nvvm.tcgen05.dealloc %taddr, %nCols : !llvm.ptr<6>, i32
  return
}
// -----
func.func @tcgen05_fence() {
  nvvm.tcgen05.fence <before>
  return
}
// -----
func.func @tcgen05_mma_block_scale(%matrixD: !llvm.ptr<6>, %matrixA: i64, %matrixB: i64, %idesc: i32, %enableInputD: i1, %scaleA: !llvm.ptr<6>, %scaleB: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.block_scale %matrixD, %matrixA, %matrixB, %idesc, %enableInputD, %scaleA,
      %scaleB {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>}
      : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  return
}
// -----
func.func @tcgen05_mma(%matrixD: !llvm.ptr<6>, %matrixA: i64, %matrixB: i64, %idesc: i32, %enableInputD: i1) {
  nvvm.tcgen05.mma %matrixD, %matrixA, %matrixB, %idesc, %enableInputD
      {kind = #nvvm.tcgen05_mma_kind<f8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>}
      : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}
// -----
func.func @tcgen05_mma_sp_block_scale(%matrixD: !llvm.ptr<6>, %matrixA: i64, %matrixB: i64, %idesc: i32, %enableInputD: i1, %sparseMetadata: !llvm.ptr<6>, %scaleA: !llvm.ptr<6>, %scaleB: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.sp.block_scale %matrixD, %matrixA, %matrixB, %idesc, %enableInputD,
      %sparseMetadata, %scaleA, %scaleB {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup
      = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>,
      !llvm.ptr<6>)
  return
}
// -----
func.func @tcgen05_mma_sp(%matrixD: !llvm.ptr<6>, %matrixA: i64, %matrixB: i64, %idesc: i32, %enableInputD: i1, %sparseMetadata: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.sp %matrixD, %matrixA, %matrixB, %idesc, %enableInputD, %sparseMetadata
      {kind = #nvvm.tcgen05_mma_kind<f8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>}
      : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  return
}
// -----
func.func @tcgen05_mma_ws(%matrixD: !llvm.ptr<6>, %matrixA: i64, %matrixB: i64, %idesc: i32, %enableInputD: i1) {
  nvvm.tcgen05.mma.ws %matrixD, %matrixA, %matrixB, %idesc, %enableInputD
      {kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}
// -----
func.func @tcgen05_mma_ws_sp(%matrixD: !llvm.ptr<6>, %matrixA: i64, %matrixB: i64, %idesc: i32, %enableInputD: i1, %sparseMetadata: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.ws.sp %matrixD, %matrixA, %matrixB, %idesc, %enableInputD, %sparseMetadata
      {kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  return
}
// -----
func.func @tcgen05_relinquish_alloc_permit() {
  nvvm.tcgen05.relinquish_alloc_permit
  return
}
// -----
func.func @tcgen05_shift(%taddr: !llvm.ptr<6>) {
  nvvm.tcgen05.shift %taddr : !llvm.ptr<6>
  return
}
// -----
func.func @tcgen05_wait() {
  nvvm.tcgen05.wait <load>
  return
}
// -----
func.func @wgmma_commit_group_sync_aligned() {
  nvvm.wgmma.commit.group.sync.aligned
  return
}
// -----
func.func @wgmma_fence_aligned() {
  nvvm.wgmma.fence.aligned
  return
}
// -----
func.func @wgmma_wait_group_sync_aligned() {
  nvvm.wgmma.wait.group.sync.aligned 1
  return
}
