func.func @extf(%in: f32) -> f64 {
  %out = arith.extf %in : f32 to f64
  return %out : f64
}
// -----
func.func @index_cast(%in: index) -> i64 {
  %out = arith.index_cast %in : index to i64
  return %out : i64
}
// -----
func.func @index_castui(%in: index) -> i64 {
  %out = arith.index_castui %in : index to i64
  return %out : i64
}
// -----
func.func @truncf(%in: f64) -> f32 {
  %out = arith.truncf %in : f64 to f32
  return %out : f32
}
// -----
func.func @casts(%x: f32, %i: i32) {
  %bits = arith.bitcast %x : f32 to i32
  %signed = arith.fptosi %x : f32 to i32
  %unsigned = arith.fptoui %x : f32 to i32
  %from_signed = arith.sitofp %i : i32 to f32
  %from_unsigned = arith.uitofp %i : i32 to f32
  return
}
