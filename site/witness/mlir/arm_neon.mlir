func.func @sdot(%a: vector<4xi32>, %b: vector<16xi8>, %c: vector<16xi8>) -> vector<4xi32> {
  %res = arm_neon.intr.sdot %a, %b, %c : vector<16xi8>, vector<16xi8> to vector<4xi32>
  return %res : vector<4xi32>
}
// -----
func.func @smull(%a: vector<8xi8>, %b: vector<8xi8>) -> vector<8xi16> {
  %res = arm_neon.intr.smull %a, %b : vector<8xi8> to vector<8xi16>
  return %res : vector<8xi16>
}
// -----
func.func @sdot_2d(%a: vector<4xi32>, %b: vector<4x4xi8>, %c: vector<4x4xi8>) -> vector<4xi32> {
  %res = arm_neon.2d.sdot %a, %b, %c : vector<4x4xi8>, vector<4x4xi8> to vector<4xi32>
  return %res : vector<4xi32>
}
