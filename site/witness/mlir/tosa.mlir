func.func @add_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.add_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @div_ceil_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.div_ceil_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @div_floor_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.div_floor_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @max_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.max_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @min_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.min_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @mod_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.mod_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @mul_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.mul_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @sub_shape() {
  %a = tosa.const_shape {values = dense<[8, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c = tosa.sub_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @exp2_shape() {
  %a = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.exp2_shape %a : (!tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @log2_ceil_shape() {
  %a = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.log2_ceil_shape %a : (!tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @log2_floor_shape() {
  %a = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.log2_floor_shape %a : (!tosa.shape<2>) -> !tosa.shape<2>
  return
}
// -----
func.func @concat_shape() {
  %a = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %c = tosa.concat_shape %a, %b : (!tosa.shape<2>, !tosa.shape<1>) -> !tosa.shape<3>
  return
}
// -----
func.func @slice_shape() {
  %shape = tosa.const_shape {values = dense<[2, 3, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %start = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %size = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %part = tosa.slice_shape %shape, %start, %size : (!tosa.shape<3>, tensor<1xi32>, tensor<1xi32>)
      -> !tosa.shape<2>
  return
}
// -----
func.func @dim(%input: tensor<4x8xf32>) {
  %extent = tosa.dim %input {axis = 1 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  return
}
// -----
func.func @argmax(%input: tensor<4x8xf32>) {
  %output = tosa.argmax %input {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4xi32>
  return
}
// -----
func.func @avg_pool2d(%input: tensor<1x8x8x4xf32>, %input_zp: tensor<1xf32>, %output_zp: tensor<1xf32>) {
  %output = tosa.avg_pool2d %input, %input_zp, %output_zp
      {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride
      = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x4x4x4xf32>
  return
}
// -----
func.func @max_pool2d(%input: tensor<1x8x8x4xf32>) {
  %output = tosa.max_pool2d %input {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>,
      stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}
// -----
func.func @cast_from_block_scaled(%data: tensor<4x32xf8E5M2>, %scale: tensor<4x1xf8E8M0FNU>) {
  %output = tosa.cast_from_block_scaled %data, %scale {block_size = BLOCK_SIZE_32}
      : (tensor<4x32xf8E5M2>, tensor<4x1xf8E8M0FNU>) -> tensor<4x32xf32>
  return
}
// -----
func.func @cast_to_block_scaled(%input: tensor<4x32xf32>) {
  %data, %scale = tosa.cast_to_block_scaled %input {block_size = BLOCK_SIZE_32}
      : (tensor<4x32xf32>) -> (tensor<4x32xf8E5M2>, tensor<4x1xf8E8M0FNU>)
  return
}
// -----
func.func @clamp(%input: tensor<4x8xf32>) {
  %output = tosa.clamp %input {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return
}
// -----
func.func @concat(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %output = tosa.concat %a, %b {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xf32>)
      -> tensor<4x10xf32>
  return
}
// -----
func.func @cond_if(%condition: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) {
  %output = tosa.cond_if %condition : tensor<i1> -> tensor<4xf32> {
    tosa.yield %a : tensor<4xf32>
  } else {
    tosa.yield %b : tensor<4xf32>
  }
  return
}
// -----
func.func @conv2d(%input: tensor<1x8x8x4xf32>, %weight: tensor<16x3x3x4xf32>, %bias: tensor<16xf32>, %input_zp: tensor<1xf32>, %weight_zp: tensor<1xf32>) {
  %output = tosa.conv2d %input, %weight, %bias, %input_zp, %weight_zp
      {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation
          = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>)
          -> tensor<1x8x8x16xf32>
  return
}
// -----
func.func @conv3d(%input: tensor<1x8x8x8x4xf32>, %weight: tensor<16x3x3x3x4xf32>, %bias: tensor<16xf32>, %input_zp: tensor<1xf32>, %weight_zp: tensor<1xf32>) {
  %output = tosa.conv3d %input, %weight, %bias, %input_zp, %weight_zp
      {acc_type = f32, pad = array<i64: 1, 1, 1, 1, 1, 1>, stride = array<i64: 1, 1, 1>, dilation
          = array<i64: 1, 1, 1>}
      : (tensor<1x8x8x8x4xf32>, tensor<16x3x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>,
          tensor<1xf32>) -> tensor<1x8x8x8x16xf32>
  return
}
// -----
func.func @depthwise_conv2d(%input: tensor<1x8x8x4xf32>, %weight: tensor<3x3x4x2xf32>, %bias: tensor<8xf32>, %input_zp: tensor<1xf32>, %weight_zp: tensor<1xf32>) {
  %output = tosa.depthwise_conv2d %input, %weight, %bias, %input_zp, %weight_zp
      {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation
          = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>)
          -> tensor<1x8x8x8xf32>
  return
}
// -----
func.func @transpose_conv2d(%input: tensor<1x8x8x4xf32>, %weight: tensor<16x3x3x4xf32>, %bias: tensor<16xf32>, %input_zp: tensor<1xf32>, %weight_zp: tensor<1xf32>) {
  %output = tosa.transpose_conv2d %input, %weight, %bias, %input_zp, %weight_zp
      {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>)
          -> tensor<1x10x10x16xf32>
  return
}
// -----
func.func @matmul_t_block_scaled(%a: tensor<1x4x32xf8E5M2>, %a_scale: tensor<1x4x1xf8E8M0FNU>, %b: tensor<1x8x32xf8E5M2>, %b_scale: tensor<1x8x1xf8E8M0FNU>) {
  %output = tosa.matmul_t_block_scaled %a, %a_scale, %b, %b_scale {block_size = BLOCK_SIZE_32}
      : (tensor<1x4x32xf8E5M2>, tensor<1x4x1xf8E8M0FNU>, tensor<1x8x32xf8E5M2>,
          tensor<1x8x1xf8E8M0FNU>)
      -> tensor<1x4x8xf32>
  return
}
// -----
func.func @reduce_all(%input: tensor<4x8xi1>) {
  %output = tosa.reduce_all %input {axis = 1 : i32} : (tensor<4x8xi1>) -> tensor<4x1xi1>
  return
}
// -----
func.func @reduce_any(%input: tensor<4x8xi1>) {
  %output = tosa.reduce_any %input {axis = 1 : i32} : (tensor<4x8xi1>) -> tensor<4x1xi1>
  return
}
// -----
func.func @reduce_max(%input: tensor<4x8xf32>) {
  %output = tosa.reduce_max %input {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @reduce_min(%input: tensor<4x8xf32>) {
  %output = tosa.reduce_min %input {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @reduce_product(%input: tensor<4x8xf32>) {
  %output = tosa.reduce_product %input {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @reduce_sum(%input: tensor<4x8xf32>) {
  %output = tosa.reduce_sum %input {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @rescale(%input: tensor<4x8xi8>, %multiplier: tensor<1xi16>, %shift: tensor<1xi8>, %input_zp: tensor<1xi8>, %output_zp: tensor<1xi8>) {
  %output = tosa.rescale %input, %multiplier, %shift, %input_zp, %output_zp
      {rounding_mode = SINGLE_ROUND, scale32 = false, per_channel = false, input_unsigned = false,
          output_unsigned = false}
      : (tensor<4x8xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x8xi8>
  return
}
// -----
func.func @reshape(%input: tensor<4x8xf32>) {
  %shape = tosa.const_shape {values = dense<[2, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %output = tosa.reshape %input, %shape : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<2x16xf32>
  return
}
// -----
func.func @resize(%input: tensor<1x32x32x8xf32>) {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %output = tosa.resize %input, %scale, %offset, %border {mode = BILINEAR}
      : (tensor<1x32x32x8xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>)
          -> tensor<1x64x64x8xf32>
  return
}
// -----
func.func @reverse(%input: tensor<4x8xf32>) {
  %output = tosa.reverse %input {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @slice(%input: tensor<4x8xf32>) {
  %start = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %output = tosa.slice %input, %start, %size : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>)
      -> tensor<2x4xf32>
  return
}
// -----
func.func @tile(%input: tensor<4x8xf32>) {
  %multiples = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %output = tosa.tile %input, %multiples : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<12x8xf32>
  return
}
// -----
func.func @transpose(%input: tensor<4x8xf32>) {
  %output = tosa.transpose %input {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
tosa.variable @state = dense<0.0> : tensor<4xf32>
func.func @variable(%next: tensor<4xf32>) {
  %now = tosa.variable_read @state : tensor<4xf32>
  tosa.variable_write @state, %next : tensor<4xf32>
  return
}
// -----
func.func @while_loop(%i: tensor<i32>, %limit: tensor<i32>) {
  %result = tosa.while_loop (%x = %i) : (tensor<i32>) -> tensor<i32> {
    %more = tosa.greater %limit, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%y: tensor<i32>):
    %next = tosa.add %y, %y : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %next : tensor<i32>
  }
  return
}
// -----
func.func @apply_scale(%value: i32, %multiplier: i32, %shift: i8) -> i32 {
  %output = tosa.apply_scale %value, %multiplier, %shift {rounding_mode = DOUBLE_ROUND}
      : (i32, i32, i8) -> i32
  return %output : i32
}
// -----
func.func @extremes(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %larger = tosa.maximum %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %smaller = tosa.minimum %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @table(%input: tensor<4x8xi8>, %table: tensor<256xi8>) {
  %output = tosa.table %input, %table : (tensor<4x8xi8>, tensor<256xi8>) -> tensor<4x8xi8>
  return
}
// -----
func.func @arithmetic_right_shift(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.arithmetic_right_shift %a, %b {round = true} : (tensor<4x8xi32>, tensor<4x8xi32>)
      -> tensor<4x8xi32>
  return
}
// -----
func.func @bitwise_and(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @bitwise_not(%input: tensor<4x8xi32>) {
  %output = tosa.bitwise_not %input : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @bitwise_or(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.bitwise_or %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @bitwise_xor(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.bitwise_xor %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @cast(%input: tensor<4x8xf32>) {
  %output = tosa.cast %input : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @ceil(%input: tensor<4x8xf32>) {
  %output = tosa.ceil %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @clz(%input: tensor<4x8xi32>) {
  %output = tosa.clz %input : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @cos(%input: tensor<4x8xf32>) {
  %output = tosa.cos %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @equal(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %output = tosa.equal %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @erf(%input: tensor<4x8xf32>) {
  %output = tosa.erf %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @exp(%input: tensor<4x8xf32>) {
  %output = tosa.exp %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @floor(%input: tensor<4x8xf32>) {
  %output = tosa.floor %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @gather(%values: tensor<*xf32>, %indices: tensor<*xf32>) {
  %output = tosa.gather %values, %indices : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}
// -----
func.func @greater_equal(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %output = tosa.greater_equal %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @identity(%input: tensor<4x8xf32>) {
  %output = tosa.identity %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @intdiv(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.intdiv %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @log(%input: tensor<4x8xf32>) {
  %output = tosa.log %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @logical_and(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %output = tosa.logical_and %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @logical_left_shift(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.logical_left_shift %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @logical_not(%input: tensor<4x8xi1>) {
  %output = tosa.logical_not %input : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @logical_or(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %output = tosa.logical_or %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @logical_right_shift(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %output = tosa.logical_right_shift %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @logical_xor(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %output = tosa.logical_xor %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @matmul(%a: tensor<*xf32>, %b: tensor<*xf32>, %a_zp: tensor<*xf32>, %b_zp: tensor<*xf32>) {
  %output = tosa.matmul %a, %b, %a_zp, %b_zp
      : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}
// -----
func.func @mul(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %shift: tensor<1xi8>) {
  %output = tosa.mul %a, %b, %shift : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi8>)
      -> tensor<4x8xf32>
  return
}
// -----
func.func @negate(%input: tensor<4x8xf32>, %input_zp: tensor<*xf32>, %output_zp: tensor<*xf32>) {
  %output = tosa.negate %input, %input_zp, %output_zp
      : (tensor<4x8xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @pow(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %output = tosa.pow %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @reciprocal(%input: tensor<4x8xf32>) {
  %output = tosa.reciprocal %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @rsqrt(%input: tensor<4x8xf32>) {
  %output = tosa.rsqrt %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @scatter(%values_in: tensor<*xf32>, %indices: tensor<*xf32>, %input: tensor<*xf32>) {
  %values_out = tosa.scatter %values_in, %indices, %input
      : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}
// -----
func.func @select(%a: tensor<4x8xi1>, %b: tensor<4x8xf32>, %input3: tensor<4x8xf32>) {
  %output = tosa.select %a, %b, %input3 : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return
}
// -----
func.func @sigmoid(%input: tensor<4x8xf32>) {
  %output = tosa.sigmoid %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @sin(%input: tensor<4x8xf32>) {
  %output = tosa.sin %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @sub(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %output = tosa.sub %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @tanh(%input: tensor<4x8xf32>) {
  %output = tosa.tanh %input : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
