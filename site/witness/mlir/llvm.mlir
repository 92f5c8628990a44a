llvm.func @atomicrmw(%ptr: !llvm.ptr, %val: i32) {
  %old = llvm.atomicrmw add %ptr, %val monotonic : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @call_intrinsic(%x: f32) -> f32 {
  %res = llvm.call_intrinsic "llvm.round"(%x) : (f32) -> f32
  llvm.return %res : f32
}
// -----
llvm.func @cmpxchg(%ptr: !llvm.ptr, %cmp: i32, %val: i32) {
  %res = llvm.cmpxchg %ptr, %cmp, %val acq_rel monotonic : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @extractvalue(%pair: !llvm.struct<(i32, f32)>) -> f32 {
  %second = llvm.extractvalue %pair[1] : !llvm.struct<(i32, f32)>
  llvm.return %second : f32
}
// -----
llvm.func @fence() {
  llvm.fence seq_cst
  llvm.return
}
// -----
llvm.func @insertvalue(%x: i32, %pair: !llvm.struct<(i32, f32)>) -> !llvm.struct<(i32, f32)> {
  %changed = llvm.insertvalue %x, %pair[0] : !llvm.struct<(i32, f32)>
  llvm.return %changed : !llvm.struct<(i32, f32)>
}
// -----
llvm.func @coro_begin(%token: !llvm.token, %mem: !llvm.ptr) {
  %handle = llvm.intr.coro.begin %token, %mem : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.return
}
// -----
llvm.func @coro_end(%handle: !llvm.ptr, %unwind: i1, %retvals: !llvm.token) {
  %res = llvm.intr.coro.end %handle, %unwind, %retvals : (!llvm.ptr, i1, !llvm.token) -> i1
  llvm.return
}
// -----
llvm.func @coro_free(%id: !llvm.token, %handle: !llvm.ptr) {
  %mem = llvm.intr.coro.free %id, %handle : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.return
}
// -----
llvm.func @coro_suspend(%save: !llvm.token, %final: i1) {
  %res = llvm.intr.coro.suspend %save, %final : i8
  llvm.return
}
// -----
#file = #llvm.di_file<"foo.c" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file,
    isOptimized = false, emissionKind = Full>
#type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding
    = DW_ATE_signed>
#subprogram = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "f", file = #file,
    subprogramFlags = Definition>
#variable = #llvm.di_local_variable<scope = #subprogram, name = "x", file = #file, line = 1, type
    = #type>
#label = #llvm.di_label<scope = #subprogram, name = "again", file = #file, line = 2>
llvm.func @debug(%addr: !llvm.ptr, %x: i32) {
  llvm.intr.dbg.declare #variable = %addr : !llvm.ptr
  llvm.intr.dbg.value #variable = %x : i32
  llvm.intr.dbg.label #label
  llvm.return
}
// -----
#domain = #llvm.alias_scope_domain<id = distinct[0]<>>
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>
llvm.func @noalias() {
  llvm.intr.experimental.noalias.scope.decl #scope
  llvm.return
}
// -----
llvm.func @masked_gather(%ptrs: vector<4x!llvm.ptr>, %mask: vector<4xi1>) {
  %res = llvm.intr.masked.gather %ptrs, %mask {alignment = 1 : i32}
      : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<4xf32>
  llvm.return
}
// -----
llvm.func @masked_scatter(%value: vector<4xf32>, %ptrs: vector<4x!llvm.ptr>, %mask: vector<4xi1>) {
  llvm.intr.masked.scatter %value, %ptrs, %mask {alignment = 1 : i32}
      : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  llvm.return
}
// -----
llvm.func @sincos(%val: f32) {
  %res = llvm.intr.sincos(%val) : (f32) -> !llvm.struct<(f32, f32)>
  llvm.return
}
// -----
llvm.func @interleave2(%vec1: vector<[4]xi32>, %vec2: vector<[4]xi32>) {
  %res = "llvm.intr.vector.interleave2"(%vec1, %vec2) : (vector<[4]xi32>, vector<[4]xi32>)
      -> vector<[8]xi32>
  llvm.return
}
// -----
llvm.func @vp_ptrtoint(%src: vector<4x!llvm.ptr>, %mask: vector<4xi1>, %evl: i32) {
  %res = "llvm.intr.vp.ptrtoint"(%src, %mask, %evl) : (vector<4x!llvm.ptr>, vector<4xi1>, i32)
      -> vector<4xi64>
  llvm.return
}
// -----
llvm.func @may_throw(i32) -> i32
llvm.func @personality(...) -> i32
llvm.func @invoke(%x: i32) -> i32 attributes {personality = @personality} {
  %zero = llvm.mlir.zero : !llvm.ptr
  %res = llvm.invoke @may_throw(%x) to ^normal unwind ^unwind : (i32) -> i32
^normal:
  llvm.return %res : i32
^unwind:
  %caught = llvm.landingpad cleanup (catch %zero : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}
// -----
module {
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
}
// -----
llvm.func @sext(%arg: i32) -> i64 {
  %res = llvm.sext %arg : i32 to i64
  llvm.return %res : i64
}
// -----
llvm.func @zext(%arg: i32) -> i64 {
  %res = llvm.zext %arg : i32 to i64
  llvm.return %res : i64
}
// -----
llvm.func @alloca(%count: i32) {
  %ptr = llvm.alloca %count x f64 : (i32) -> !llvm.ptr
  llvm.return
}
// -----
llvm.func @memory(%dst: !llvm.ptr, %src: !llvm.ptr, %len: i64, %byte: i8) {
  "llvm.intr.memcpy"(%dst, %src, %len) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy.inline"(%dst, %src) <{isVolatile = false, len = 16 : i64}>
      : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.intr.memmove"(%dst, %src, %len) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memset"(%dst, %byte, %len) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset.inline"(%dst, %byte) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, i8)
      -> ()
  llvm.return
}
// -----
llvm.func @shufflevector(%v1: vector<4xf32>, %v2: vector<4xf32>) {
  %res = llvm.shufflevector %v1, %v2 [0, 4, 1, 5] : vector<4xf32>
  llvm.return
}
// -----
llvm.func @switch(%value: i32) {
  llvm.switch %value : i32, ^other [
    0: ^zero
  ]
^zero:
  llvm.return
^other:
  llvm.return
}
// -----
llvm.func @bits(%x: f32, %address: i64) {
  %bits = llvm.bitcast %x : f32 to i32
  %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
  llvm.return
}
// -----
llvm.func @branches(%condition: i1) {
  llvm.cond_br %condition, ^then, ^end
^then:
  llvm.br ^end
^end:
  llvm.return
}
// -----
llvm.func @assembly(%x: i32) -> i32 {
  %res = llvm.inline_asm "bswap $0", "=r,r" %x : (i32) -> i32
  llvm.return %res : i32
}
// -----
llvm.func @parts(%whole: vector<8xf32>, %half: vector<4xf32>) {
  %high = llvm.intr.vector.extract %whole[4] : vector<4xf32> from vector<8xf32>
  %changed = llvm.intr.vector.insert %half, %whole[4] : vector<4xf32> into vector<8xf32>
  llvm.return
}
// -----
llvm.func @assume(%condition: i1, %pointer: !llvm.ptr, %alignment: i32) {
  llvm.intr.assume %condition ["align"(%pointer, %alignment : !llvm.ptr, i32)] : i1
  llvm.return
}
// -----
func.func @insertelement(%vector: vector<4xf32>, %value: f32, %position: i32) {
  %res = llvm.insertelement %value, %vector[%position : i32] : vector<4xf32>
  return
}
