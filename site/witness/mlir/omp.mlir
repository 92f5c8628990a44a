llvm.func @atomic(%x: !llvm.ptr, %v: !llvm.ptr, %expr: i32) {
  omp.atomic.read %v = %x memory_order(acquire) : !llvm.ptr, !llvm.ptr, i32
  omp.atomic.write %x = %expr memory_order(release) : !llvm.ptr, i32
  omp.atomic.update %x : !llvm.ptr {
  ^bb0(%old: i32):
    %new = llvm.add %old, %expr : i32
    omp.yield(%new : i32)
  }
  llvm.return
}
// -----
llvm.func @cancel() {
  omp.parallel {
    omp.cancellation_point cancellation_construct_type(parallel)
    omp.cancel cancellation_construct_type(parallel)
    omp.terminator
  }
  llvm.return
}
// -----
omp.declare_reduction @add_f32 : f32 init {
^bb0(%original: f32):
  %zero = arith.constant 0.0 : f32
  omp.yield(%zero : f32)
} combiner {
^bb0(%left: f32, %right: f32):
  %sum = arith.addf %left, %right : f32
  omp.yield(%sum : f32)
}
// -----
func.func @ordered(%lb: i32, %ub: i32, %step: i32) {
  omp.wsloop ordered(1) {
    omp.loop_nest (%i) : i32 = (%lb) to (%ub) step (%step) {
      omp.ordered depend_type(dependsink) depend_vec(%i : i32) {doacross_num_loops = 1 : i64}
      omp.yield
    }
  }
  return
}
// -----
func.func @parallel(%count: i32) {
  omp.parallel num_threads(%count : i32) {
    omp.terminator
  }
  return
}
// -----
omp.declare_reduction @sum : i32 init {
^bb0(%original: i32):
  %zero = arith.constant 0 : i32
  omp.yield(%zero : i32)
} combiner {
^bb0(%left: i32, %right: i32):
  %sum = arith.addi %left, %right : i32
  omp.yield(%sum : i32)
}
func.func @scan(%lb: i32, %ub: i32, %step: i32, %x: memref<i32>) {
  omp.wsloop reduction(mod: inscan, @sum %x -> %own : memref<i32>) {
    omp.loop_nest (%i) : i32 = (%lb) to (%ub) step (%step) {
      omp.scan inclusive(%own : memref<i32>)
      omp.yield
    }
  }
  return
}
// -----
func.func @sections() {
  omp.sections nowait {
    omp.section {
      omp.terminator
    }
    omp.terminator
  }
  return
}
// -----
func.func @single() {
  omp.single nowait {
    omp.terminator
  }
  return
}
// -----
func.func @target(%device: i32) {
  omp.target device(%device : i32) nowait {
    omp.terminator
  }
  return
}
// -----
func.func @target_data(%x: memref<?xi32>) {
  %mapped = omp.map.info var_ptr(%x : memref<?xi32>, tensor<?xi32>) map_clauses(to) capture(ByRef)
      -> memref<?xi32> {name = ""}
  omp.target_data map_entries(%mapped : memref<?xi32>) {
    omp.terminator
  }
  return
}
// -----
func.func @task(%large: i1) {
  omp.task if(%large) {
    omp.terminator
  }
  return
}
// -----
func.func @teams(%lower: i32, %upper: i32) {
  omp.teams num_teams(%lower : i32 to %upper : i32) {
    omp.terminator
  }
  return
}
// -----
func.func @threadprivate(%address: !llvm.ptr) {
  %own = omp.threadprivate %address : !llvm.ptr -> !llvm.ptr
  return
}
// -----
func.func @tile(%count: i32, %size: i32) {
  %loop = omp.new_cli
  %grid = omp.new_cli
  %tile = omp.new_cli
  omp.canonical_loop(%loop) %i : i32 in range(%count) {
    omp.terminator
  }
  omp.tile (%grid, %tile) <- (%loop) sizes(%size : i32)
  return
}
// -----
func.func @workdistribute() {
  omp.teams {
    omp.workdistribute {
      omp.terminator
    }
    omp.terminator
  }
  return
}
// -----
func.func @wrapper(%lb: i32, %ub: i32, %step: i32) {
  omp.workshare {
    omp.workshare.loop_wrapper {
      omp.loop_nest (%i) : i32 = (%lb) to (%ub) step (%step) {
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
// -----
func.func @taskgroup() {
  omp.taskgroup {
    omp.task {
      omp.terminator
    }
    omp.terminator
  }
  return
}
// -----
omp.critical.declare @lock
func.func @critical() {
  omp.critical(@lock) {
    omp.terminator
  }
  return
}
// -----
omp.declare_mapper @mapper : !llvm.struct<(i32)> {
^bb0(%whole: !llvm.ptr):
  %entry = omp.map.info var_ptr(%whole : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef)
      -> !llvm.ptr
  omp.declare_mapper.info map_entries(%entry : !llvm.ptr)
}
// -----
func.func @masked(%filter: i32) {
  omp.masked filter(%filter : i32) {
    omp.terminator
  }
  omp.master {
    omp.terminator
  }
  return
}
// -----
func.func @region() {
  omp.ordered.region par_level_simd {
    omp.terminator
  }
  return
}
// -----
func.func @data(%x: memref<?xi32>) {
  %in = omp.map.info var_ptr(%x : memref<?xi32>, tensor<?xi32>) map_clauses(to) capture(ByRef)
      -> memref<?xi32>
  omp.target_enter_data map_entries(%in : memref<?xi32>)
  omp.target_update map_entries(%in : memref<?xi32>)
  %out = omp.map.info var_ptr(%x : memref<?xi32>, tensor<?xi32>) map_clauses(from) capture(ByRef)
      -> memref<?xi32>
  omp.target_exit_data map_entries(%out : memref<?xi32>)
  return
}
// -----
func.func @allocate_dir(%varList: i32) {
  omp.allocate_dir(%varList : i32)
  return
}
