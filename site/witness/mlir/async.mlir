func.func @load(%storage: !async.value<f32>) -> f32 {
  %value = async.runtime.load %storage : !async.value<f32>
  return %value : f32
}
// -----
func.func @store(%value: f32, %storage: !async.value<f32>) {
  async.runtime.store %value, %storage : !async.value<f32>
  return
}
// -----
func.func @yield(%x: f32) {
  %token, %later = async.execute -> !async.value<f32> {
    async.yield %x : f32
  }
  return
}
// -----
func.func @coro_suspend(%state: !async.coro.state) {
  async.coro.suspend %state, ^suspendDest, ^resumeDest, ^cleanupDest
^suspendDest:
  return
^resumeDest:
  return
^cleanupDest:
  return
}
// -----
func.func @runtime_num_worker_threads() {
  %result = async.runtime.num_worker_threads : index
  return
}
