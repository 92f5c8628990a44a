func.func @convert_from_svbool(%svbool: vector<[16]xi1>) -> vector<[4]xi1> {
  %mask = "arm_sve.intr.convert.from.svbool"(%svbool) : (vector<[16]xi1>) -> vector<[4]xi1>
  return %mask : vector<[4]xi1>
}
// -----
func.func @convert_to_svbool(%mask: vector<[4]xi1>) -> vector<[16]xi1> {
  %svbool = "arm_sve.intr.convert.to.svbool"(%mask) : (vector<[4]xi1>) -> vector<[16]xi1>
  return %svbool : vector<[16]xi1>
}
// -----
func.func @psel(%p1: vector<[16]xi1>, %p2: vector<[4]xi1>, %index: i32) -> vector<[16]xi1> {
  %res = "arm_sve.intr.psel"(%p1, %p2, %index) : (vector<[16]xi1>, vector<[4]xi1>, i32)
      -> vector<[16]xi1>
  return %res : vector<[16]xi1>
}
// -----
func.func @whilelt(%base: i64, %n: i64) -> vector<[4]xi1> {
  %mask = "arm_sve.intr.whilelt"(%base, %n) : (i64, i64) -> vector<[4]xi1>
  return %mask : vector<[4]xi1>
}
