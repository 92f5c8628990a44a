func.func @atomic_yield(%buffer: memref<10xf32>, %i: index) {
  %old = memref.generic_atomic_rmw %buffer[%i] : memref<10xf32> {
  ^bb0(%current: f32):
    %one = arith.constant 1.0 : f32
    %next = arith.addf %current, %one : f32
    memref.atomic_yield %next : f32
  }
  return
}
// -----
func.func @assume_alignment(%memref: memref<64xf32>) {
  %result = memref.assume_alignment %memref, 16 : memref<64xf32>
  return
}
// -----
func.func @dma_wait(%tagMemRef: memref<64xf32>, %tagIndices: index, %numElements: index) {
  memref.dma_wait %tagMemRef[%tagIndices], %numElements : memref<64xf32>
  return
}
