func.func @avx512_mask_compress(%k: vector<8xi1>, %a: vector<8xi32>) {
  %dst = x86vector.avx512.mask.compress %k, %a : vector<8xi32>
  return
}
// -----
func.func @avx512_mask_rndscale(%src: vector<8xf32>, %k: i32, %a: vector<8xf32>, %imm: i8, %rounding: i32) {
  %dst = x86vector.avx512.mask.rndscale %src, %k, %a, %imm, %rounding : vector<8xf32>
  return
}
// -----
func.func @avx512_mask_scalef(%src: vector<8xf32>, %a: vector<8xf32>, %b: vector<8xf32>, %k: i8, %rounding: i32) {
  %dst = x86vector.avx512.mask.scalef %src, %a, %b, %k, %rounding : vector<8xf32>
  return
}
// -----
func.func @avx512_vp2intersect(%a: vector<8xi32>, %b: vector<8xi32>) {
  %k1, %k2 = x86vector.avx512.vp2intersect %a, %b : vector<8xi32>
  return
}
