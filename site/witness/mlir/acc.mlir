func.func @read(%x: memref<i32>, %v: memref<i32>) {
  acc.atomic.read %v = %x : memref<i32>, memref<i32>, i32
  return
}
// -----
func.func @update(%x: memref<i32>, %expr: i32) {
  acc.atomic.update %x : memref<i32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %expr : i32
    acc.yield %new : i32
  }
  return
}
// -----
func.func @write(%x: memref<i32>, %expr: i32) {
  acc.atomic.write %x = %expr : memref<i32>, i32
  return
}
// -----
func.func @capture(%x: memref<i32>, %v: memref<i32>, %expr: i32) {
  acc.atomic.capture {
    acc.atomic.read %v = %x : memref<i32>, memref<i32>, i32
    acc.atomic.write %x = %expr : memref<i32>, i32
  }
  return
}
// -----
func.func @attach(%a: memref<10xf32>) {
  %attached = acc.attach varPtr(%a : memref<10xf32>) -> memref<10xf32>
  acc.detach accPtr(%attached : memref<10xf32>)
  return
}
// -----
func.func @cache(%a: memref<10xf32>) {
  %cached = acc.cache varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
func.func @copyin(%a: memref<10xf32>) {
  %device = acc.copyin varPtr(%a : memref<10xf32>) -> memref<10xf32>
  acc.delete accPtr(%device : memref<10xf32>) {dataClause = #acc<data_clause acc_copyin>}
  return
}
// -----
func.func @copyout(%a: memref<10xf32>) {
  %device = acc.create varPtr(%a : memref<10xf32>) -> memref<10xf32>
      {dataClause = #acc<data_clause acc_copyout>}
  acc.parallel dataOperands(%device : memref<10xf32>) {
    acc.yield
  }
  acc.copyout accPtr(%device : memref<10xf32>) to varPtr(%a : memref<10xf32>)
  return
}
// -----
func.func @create(%a: memref<10xf32>) {
  %device = acc.create varPtr(%a : memref<10xf32>) -> memref<10xf32>
  acc.delete accPtr(%device : memref<10xf32>) {dataClause = #acc<data_clause acc_create>}
  return
}
// -----
func.func @declare_device_resident(%a: memref<10xf32>) {
  %device = acc.declare_device_resident varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
func.func @declare_link(%a: memref<10xf32>) {
  %linked = acc.declare_link varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
func.func @deviceptr(%a: memref<10xf32>) {
  %device = acc.deviceptr varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
acc.firstprivate.recipe @copied : memref<10xf32> init {
^bb0(%original: memref<10xf32>):
  %copy = memref.alloca() : memref<10xf32>
  acc.yield %copy : memref<10xf32>
} copy {
^bb0(%original: memref<10xf32>, %copy: memref<10xf32>):
  memref.copy %original, %copy : memref<10xf32> to memref<10xf32>
  acc.yield
}
func.func @firstprivate(%a: memref<10xf32>) {
  %copy = acc.firstprivate varPtr(%a : memref<10xf32>) recipe(@copied) -> memref<10xf32>
  return
}
// -----
func.func @firstprivate_map(%a: memref<10xf32>) {
  %mapped = acc.firstprivate_map varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
func.func @getdeviceptr(%a: memref<10xf32>) {
  %device = acc.getdeviceptr varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
func.func @nocreate(%a: memref<10xf32>) {
  %device = acc.nocreate varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
func.func @present(%a: memref<10xf32>) {
  %device = acc.present varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
acc.private.recipe @own : memref<10xf32> init {
^bb0(%original: memref<10xf32>):
  %copy = memref.alloca() : memref<10xf32>
  acc.yield %copy : memref<10xf32>
}
func.func @private(%a: memref<10xf32>) {
  %own = acc.private varPtr(%a : memref<10xf32>) recipe(@own) -> memref<10xf32>
  return
}
// -----
acc.reduction.recipe @sum : memref<i32> reduction_operator <add> init {
^bb0(%original: memref<i32>):
  %copy = memref.alloca() : memref<i32>
  acc.yield %copy : memref<i32>
} combiner {
^bb0(%left: memref<i32>, %right: memref<i32>):
  acc.yield %left : memref<i32>
}
func.func @reduction(%sum: memref<i32>) {
  %own = acc.reduction varPtr(%sum : memref<i32>) recipe(@sum) -> memref<i32>
  return
}
// -----
func.func @update_device(%a: memref<10xf32>) {
  %device = acc.update_device varPtr(%a : memref<10xf32>) -> memref<10xf32>
  acc.update dataOperands(%device : memref<10xf32>)
  return
}
// -----
func.func @update_host(%a: memref<10xf32>) {
  %device = acc.getdeviceptr varPtr(%a : memref<10xf32>) -> memref<10xf32>
      {dataClause = #acc<data_clause acc_update_host>}
  acc.update dataOperands(%device : memref<10xf32>)
  acc.update_host accPtr(%device : memref<10xf32>) to varPtr(%a : memref<10xf32>)
  return
}
// -----
func.func @use_device(%a: memref<10xf32>) {
  %device = acc.use_device varPtr(%a : memref<10xf32>) -> memref<10xf32>
  return
}
// -----
acc.private.recipe @own_i32 : memref<i32> init {
^bb0(%original: memref<i32>):
  %copy = memref.alloca() : memref<i32>
  acc.yield %copy : memref<i32>
}
// -----
func.func @kernel_environment(%a: memref<10xf32>) {
  acc.kernel_environment {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%a : memref<10xf32>)
  }
  return
}
// -----
func.func @terminator(%a: memref<10xf32>) {
  %device = acc.create varPtr(%a : memref<10xf32>) -> memref<10xf32>
  acc.data dataOperands(%device : memref<10xf32>) {
    acc.terminator
  }
  return
}
