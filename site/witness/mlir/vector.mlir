func.func @yield(%buffer: memref<?xf32>, %i: index, %mask: vector<8xi1>, %other: f32) -> vector<8xf32> {
  %value = vector.mask %mask {
    %read = vector.transfer_read %buffer[%i], %other : memref<?xf32>, vector<8xf32>
    vector.yield %read : vector<8xf32>
  } : vector<8xi1> -> vector<8xf32>
  return %value : vector<8xf32>
}
