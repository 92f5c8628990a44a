module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_conversion_patterns to %root {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"]} : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.op<"tensor.empty">) {
    %allocs = transform.bufferization.empty_tensor_to_alloc_tensor %target
        : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_add(%op: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %adds = transform.collect_matching @is_add in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_add(%op: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @print(%op: !transform.any_op {transform.readonly}) {
    transform.print %op : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %updated = transform.foreach_match in %root @is_add -> @print : (!transform.any_op)
        -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.foreach %root : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.print %op : !transform.any_op
    }
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%inputs: !transform.any_value, %outputs:
      !transform.any_value, %point: !transform.any_op) {
    %call = transform.func.cast_and_call @outlined(%inputs) -> %outputs before %point
        : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @print(%op: !transform.any_op {transform.readonly}) {
    transform.print %op : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @print failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matched = transform.irdl.collect_matching in %root : (!transform.any_op) -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      irdl.dialect @test {
        irdl.operation @some {
          %any = irdl.any
          irdl.results(result: %any)
        }
      }
    }
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.op<"scf.for">) {
    %peeled, %remainder = transform.loop.peel %target : (!transform.op<"scf.for">)
        -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.op<"scf.for">) {
    %pipelined = transform.loop.pipeline %target {iteration_interval = 1, read_latency = 5}
        : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.match.structured.body %op {reduction_position = 0} : !transform.any_op
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %batch, %m, %n, %k = transform.match.structured.classify_contraction_dims %op
          : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>,
          !transform.param<i64>, !transform.param<i64>)
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %batch, %image, %channel, %filter, %input, %depth, %strides, %dilations
          = transform.match.structured.classify_convolution_dims %op : (!transform.any_op)
          -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>,
          !transform.param<i64>, !transform.param<i64>, !transform.param<i64>,
          !transform.param<i64>, !transform.param<i64>)
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %extents = transform.match.structured.dim %op[all] : (!transform.any_op)
          -> !transform.param<i64>
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %init = transform.match.structured.init %op[0] : (!transform.any_op) -> !transform.any_value
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.match.structured.input %op[all] {projected_permutation} : !transform.any_op
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %count = transform.match.structured.num_inits %op : (!transform.any_op)
          -> !transform.param<i64>
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %count = transform.match.structured.num_inputs %op : (!transform.any_op)
          -> !transform.param<i64>
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %rank = transform.match.structured.rank %op : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_match(%root: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    %same = transform.match.structured failures(propagate) %root : (!transform.any_op)
        -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %result = transform.match.structured.result %op[0] {any} : (!transform.any_op)
          -> !transform.any_op
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield %same : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.op<"memref.alloc">) {
    %buffered = transform.memref.multibuffer %target {factor = 2 : i64}
        : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op {transform.readonly}) {
    %count = transform.num_associations %target : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%tile: !transform.param<i64>) {
    transform.smt.constrain_params(%tile) : (!transform.param<i64>) -> () {
    ^bb0(%size: !smt.int):
      %limit = smt.int.constant 8
      %fits = smt.int.cmp le %size, %limit
      smt.assert %fits
      smt.yield
    }
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.op<"linalg.pack">) {
    %pad, %expand, %transpose = transform.structured.lower_pack %target
        : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">,
        !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.op<"linalg.unpack">) {
    %empty, %transpose, %collapse, %slice = transform.structured.lower_unpack %target
        : (!transform.op<"linalg.unpack">)
        -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">,
        !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %packed = transform.structured.pack_greedily %target matmul_packed_sizes = [8, 16, 32]
        matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op)
        -> !transform.op<"linalg.generic">
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op, %op: !transform.any_op) {
    %packed, %pack, %unpack = transform.structured.pack_transpose %target with_compute_op(%op)
        outer_perm = [1, 0] inner_perm = [1, 0] : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %replacement = transform.structured.replace %target {
      builtin.module {
      }
    } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op {transform.readonly}) {
    %operand = transform.get_operand %target[0] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op {transform.readonly}) {
    %result = transform.get_result %target[0] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op {transform.readonly}) {
    %match = transform.sparse_tensor.match.sparse_inout %target : (!transform.any_op)
        -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %sizes, %chunks = transform.structured.continuous_tile_sizes %target
        {dimension = 0, target_size = 9} : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %generic = transform.structured.generalize %target : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %changed = transform.structured.interchange %target iterator_interchange = [1, 0]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %low, %high, %split = transform.structured.multitile_sizes %target
        {dimension = 0, target_size = 9} : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %promoted = transform.structured.promote %target {operands_to_promote = [0, 1]}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %scalar = transform.structured.scalarize %target : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %named = transform.structured.specialize %target : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %parts = transform.structured.split %target after 8 {dimension = 0} : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %tiled, %loops:2 = transform.structured.tile_using_for %target tile_sizes [4, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_value) {
    transform.xegpu.convert_layout %target input_sg_layout = [8, 4] input_sg_data = [32, 32]
        input_inst_data = [8, 16] target_sg_layout = [8, 4] target_sg_data = [32, 32]
        target_inst_data = [32, 16] : (!transform.any_value) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_value {transform.readonly}) {
    %prefetch = transform.xegpu.insert_prefetch %target nb_prefetch = 1 : (!transform.any_value)
        -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op) {
    %described = transform.xegpu.set_desc_layout %target sg_layout = [8, 4] sg_data = [32, 32]
        inst_data = [8, 16] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op {transform.readonly}) {
    transform.xegpu.set_gpu_launch_threads %target threads = [8, 4, 1] : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%target: !transform.any_op {transform.readonly}) {
    transform.xegpu.set_op_layout_attr %target result index = 0 sg_layout = [8, 4] sg_data = [32,
        64] inst_data = [8, 16] : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_small(%size: !transform.param<i64> {transform.readonly}) {
    %limit = transform.param.constant 64 : i64 -> !transform.param<i64>
    transform.match.param.cmpi lt %size, %limit : !transform.param<i64>
    transform.yield
  }
}
// -----
func.func @annotate(%target: !transform.any_op) {
  transform.annotate %target "checked" : !transform.any_op
  return
}
// -----
func.func @apply_cse(%target: !transform.any_op) {
  transform.apply_cse to %target : !transform.any_op
  return
}
// -----
func.func @apply_dce(%target: !transform.any_op) {
  transform.apply_dce to %target : !transform.any_op
  return
}
// -----
func.func @apply_licm(%target: !transform.any_op) {
  transform.apply_licm to %target : !transform.any_op
  return
}
// -----
func.func @apply_patterns(%target: !transform.any_op) {
  transform.apply_patterns to %target {
  } : !transform.any_op
  return
}
// -----
func.func @bufferization_buffer_loop_hoisting(%target: !transform.any_op) {
  transform.bufferization.buffer_loop_hoisting %target : !transform.any_op
  return
}
// -----
func.func @bufferization_eliminate_empty_tensors(%target: !transform.any_op) {
  transform.bufferization.eliminate_empty_tensors %target : !transform.any_op
  return
}
// -----
func.func @bufferization_one_shot_bufferize(%target: !transform.any_op) {
  %transformed = transform.bufferization.one_shot_bufferize %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @cast(%input: !transform.any_op) {
  %output = transform.cast %input : !transform.any_op to !transform.any_op
  return
}
// -----
func.func @debug_emit_param_as_remark(%param: !transform.param<i64>) {
  transform.debug.emit_param_as_remark %param : !transform.param<i64>
  return
}
// -----
func.func @debug_emit_remark_at(%at: !transform.any_op) {
  transform.debug.emit_remark_at %at, "matched" : !transform.any_op
  return
}
// -----
func.func @func_deduplicate_func_args(%module: !transform.any_op) {
  %transformed_module, %transformed_function = transform.func.deduplicate_func_args @f at %module
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @func_replace_func_signature(%module: !transform.any_op) {
  %transformed_module, %transformed_function = transform.func.replace_func_signature @f
      args_interchange = [1, 0] results_interchange = [] at %module : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @get_consumers_of_result(%target: !transform.any_op) {
  %consumers = transform.get_consumers_of_result %target[1] : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @get_defining_op(%target: !transform.any_value) {
  %result = transform.get_defining_op %target : (!transform.any_value) -> !transform.any_op
  return
}
// -----
func.func @get_parent_op(%target: !transform.any_op) {
  %parent = transform.get_parent_op %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @get_producer_of_operand(%target: !transform.any_op) {
  %producer = transform.get_producer_of_operand %target[1] : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @get_type(%value: !transform.any_value) {
  %type_param = transform.get_type %value : (!transform.any_value) -> !transform.param<i64>
  return
}
// -----
func.func @gpu_map_forall_to_blocks(%target: !transform.any_op) {
  %result = transform.gpu.map_forall_to_blocks %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @gpu_map_nested_forall_to_threads(%target: !transform.any_op) {
  %result = transform.gpu.map_nested_forall_to_threads %target block_dims = [32, 4, 1]
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @loop_coalesce(%target: !transform.any_op) {
  %transformed = transform.loop.coalesce %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @loop_forall_to_for(%target: !transform.any_op) {
  transform.loop.forall_to_for %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @loop_forall_to_parallel(%target: !transform.any_op) {
  transform.loop.forall_to_parallel %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @loop_fuse_sibling(%target: !transform.any_op, %source: !transform.any_op) {
  %fused_loop = transform.loop.fuse_sibling %target into %source
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @loop_hoist_loop_invariant_subsets(%target: !transform.any_op) {
  transform.loop.hoist_loop_invariant_subsets %target : !transform.any_op
  return
}
// -----
func.func @loop_outline(%target: !transform.any_op) {
  %function, %call = transform.loop.outline %target {func_name = "body"} : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @loop_parallel_for_to_nested_fors(%target: !transform.any_op) {
  transform.loop.parallel_for_to_nested_fors %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @loop_promote_if_one_iteration(%target: !transform.any_op) {
  transform.loop.promote_if_one_iteration %target : !transform.any_op
  return
}
// -----
func.func @loop_unroll(%target: !transform.any_op) {
  transform.loop.unroll %target {factor = 4} : !transform.any_op
  return
}
// -----
func.func @loop_unroll_and_jam(%target: !transform.any_op) {
  transform.loop.unroll_and_jam %target {factor = 4} : !transform.any_op
  return
}
// -----
func.func @match_operation_empty(%op: !transform.any_op) {
  transform.match.operation_empty %op : !transform.any_op
  return
}
// -----
func.func @match_structured_elemental_bitwidth(%op: !transform.any_value) {
  %result = transform.match.structured.elemental_bitwidth %op : (!transform.any_value)
      -> !transform.param<i64>
  return
}
// -----
func.func @memref_erase_dead_alloc_and_stores(%target: !transform.any_op) {
  transform.memref.erase_dead_alloc_and_stores %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @memref_make_loop_independent(%target: !transform.any_op) {
  %transformed = transform.memref.make_loop_independent %target {num_loops = 1}
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @merge_handles(%handles: !transform.any_op) {
  %result = transform.merge_handles %handles : !transform.any_op
  return
}
// -----
func.func @nvgpu_create_async_groups(%target: !transform.any_op) {
  %result = transform.nvgpu.create_async_groups %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @nvgpu_pipeline_shared_memory_copies(%for_op: !transform.any_op) {
  %result = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %for_op {depth = 4}
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @nvgpu_rewrite_copy_as_tma(%target: !transform.any_op) {
  transform.nvgpu.rewrite_copy_as_tma %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @nvgpu_rewrite_matmul_as_mma_sync(%target: !transform.any_op) {
  transform.nvgpu.rewrite_matmul_as_mma_sync %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @pdl_match(%root: !transform.any_op) {
  %matched = transform.pdl_match @pattern in %root : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @replicate(%pattern: !transform.any_op, %handles: !transform.any_op) {
  transform.replicate num(%pattern) %handles : !transform.any_op, !transform.any_op
  return
}
// -----
func.func @scf_take_assumed_branch(%target: !transform.any_op) {
  transform.scf.take_assumed_branch %target : (!transform.any_op) -> ()
  return
}
// -----
func.func @select(%target: !transform.any_op) {
  %result = transform.select "arith.addi" in %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @split_handle(%handle: !transform.any_op) {
  %first, %second = transform.split_handle %handle : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_bufferize_to_allocation(%target: !transform.any_op) {
  %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %target
      : !transform.any_op
  return
}
// -----
func.func @structured_convert_conv2d_to_img2col(%target: !transform.any_op) {
  %img2col_tensor, %transformed = transform.structured.convert_conv2d_to_img2col %target
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_convert_to_loops(%target: !transform.any_op) {
  %result = transform.structured.convert_to_loops %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_decompose(%target: !transform.any_op) {
  %transformed = transform.structured.decompose %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_decompose_interface(%target: !transform.any_op) {
  %transformed = transform.structured.decompose_interface %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_decompose_winograd_op(%target: !transform.any_op) {
  %transformed = transform.structured.decompose_winograd_op %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_eliminate_empty_tensors(%target: !transform.any_op) {
  transform.structured.eliminate_empty_tensors %target : !transform.any_op
  return
}
// -----
func.func @structured_flatten_elementwise(%target: !transform.any_op) {
  %transformed = transform.structured.flatten_elementwise %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_fuse(%target: !transform.any_op) {
  %transformed = transform.structured.fuse %target : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_fuse_into_containing_op(%producer_op: !transform.any_op, %containing_op: !transform.any_op) {
  %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %producer_op into
      %containing_op : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_gpu_map_copy_to_threads(%target: !transform.any_op) {
  %forall_op, %tiled_op = transform.structured.gpu.map_copy_to_threads %target total_num_threads
      = 32 desired_bit_alignment = 128 : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_hoist_pad_build_packing_loop_nest(%target: !transform.any_op, %loop: !transform.any_op) {
  %packing_loop = transform.structured.hoist_pad.build_packing_loop_nest %target above %loop
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_hoist_pad(%target: !transform.any_op) {
  %transformed = transform.structured.hoist_pad %target by 1 loops : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_hoist_redundant_vector_broadcasts(%target: !transform.any_op) {
  %transformed = transform.structured.hoist_redundant_vector_broadcasts %target
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_hoist_redundant_vector_transfers(%target: !transform.any_op) {
  %transformed = transform.structured.hoist_redundant_vector_transfers %target
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_insert_slice_to_copy(%target: !transform.any_op) {
  %transformed = transform.structured.insert_slice_to_copy %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_linalg_copy_to_memref(%target: !transform.any_op) {
  %transformed = transform.structured.linalg_copy_to_memref %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_match(%target: !transform.any_op) {
  %results = transform.structured.match ops{["linalg.matmul"]} in %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_pad(%target: !transform.any_op) {
  %padded, %pad, %copy = transform.structured.pad %target : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_pad_tiling_interface(%target: !transform.any_op) {
  %padded, %pad = transform.structured.pad_tiling_interface %target to padding_sizes [8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_promote_tensor(%tensor: !transform.any_value) {
  %promoted = transform.structured.promote_tensor %tensor : !transform.any_value
  return
}
// -----
func.func @structured_rewrite_in_destination_passing_style(%target: !transform.any_op) {
  %transformed = transform.structured.rewrite_in_destination_passing_style %target
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_split_reduction(%target: !transform.any_op) {
  %init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op
      = transform.structured.split_reduction %target : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_tile_reduction_using_for(%target: !transform.any_op) {
  %split_op, %combining_op, %for_op = transform.structured.tile_reduction_using_for %target by
      tile_sizes = [8] : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_tile_reduction_using_forall(%target: !transform.any_op) {
  %split_op, %combining_op, %forall_op = transform.structured.tile_reduction_using_forall %target
      by num_threads = [4] : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}
// -----
func.func @structured_transpose_conv2d(%target: !transform.any_op) {
  %transformed = transform.structured.transpose_conv2d %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_transpose_matmul(%target: !transform.any_op) {
  %transformed = transform.structured.transpose_matmul %target : (!transform.any_op)
      -> !transform.any_op
  return
}
// -----
func.func @structured_vectorize_children_and_apply_patterns(%target: !transform.any_op) {
  %transformed = transform.structured.vectorize_children_and_apply_patterns %target
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @structured_winograd_conv2d(%target: !transform.any_op) {
  %transformed = transform.structured.winograd_conv2d %target {fmr = 0 : i32}
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @tensor_make_loop_independent(%target: !transform.any_op) {
  %transformed = transform.tensor.make_loop_independent %target {num_loops = 1}
      : (!transform.any_op) -> !transform.any_op
  return
}
// -----
func.func @tune_alternatives() {
  transform.tune.alternatives<"order"> {
  }
  return
}
// -----
func.func @tune_knob() {
  %result = transform.tune.knob<"tile size"> options = [8, 16] -> !transform.param<i64>
  return
}
// -----
func.func @verify(%target: !transform.any_op) {
  transform.verify %target : !transform.any_op
  return
}
// -----
func.func @xegpu_get_desc_op(%target: !transform.any_value) {
  %descHandle = transform.xegpu.get_desc_op %target : (!transform.any_value) -> !transform.any_op
  return
}
