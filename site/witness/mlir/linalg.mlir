func.func @abs(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.abs
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @ceil(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.ceil
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @erf(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.erf
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @exp(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.exp
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @floor(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.floor
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @log(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.log
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @negf(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.negf
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @reciprocal(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.reciprocal
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @round(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.round
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @rsqrt(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.rsqrt
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @sqrt(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.sqrt
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @square(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.square
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @tanh(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.tanh
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @copy(%input: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.copy
      ins(%input : tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @add(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.add
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @div(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.div
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @max(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.max
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @min(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.min
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @mul(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.mul
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @powf(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.powf
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @sub(%lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.sub
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @div_unsigned(%lhs: tensor<4x8xi32>, %rhs: tensor<4x8xi32>, %out: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %result = linalg.div_unsigned
      ins(%lhs, %rhs : tensor<4x8xi32>, tensor<4x8xi32>)
      outs(%out : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %result : tensor<4x8xi32>
}
// -----
func.func @select(%condition: tensor<4x8xi1>, %lhs: tensor<4x8xf32>, %rhs: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.select
      ins(%condition, %lhs, %rhs : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @dot(%lhs: tensor<8xf32>, %rhs: tensor<8xf32>, %out: tensor<f32>) -> tensor<f32> {
  %result = linalg.dot
      ins(%lhs, %rhs : tensor<8xf32>, tensor<8xf32>)
      outs(%out : tensor<f32>) -> tensor<f32>
  return %result : tensor<f32>
}
// -----
func.func @matvec(%lhs: tensor<4x8xf32>, %rhs: tensor<8xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %result = linalg.matvec
      ins(%lhs, %rhs : tensor<4x8xf32>, tensor<8xf32>)
      outs(%out : tensor<4xf32>) -> tensor<4xf32>
  return %result : tensor<4xf32>
}
// -----
func.func @vecmat(%lhs: tensor<4xf32>, %rhs: tensor<4x8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %result = linalg.vecmat
      ins(%lhs, %rhs : tensor<4xf32>, tensor<4x8xf32>)
      outs(%out : tensor<8xf32>) -> tensor<8xf32>
  return %result : tensor<8xf32>
}
// -----
func.func @batch_matvec(%lhs: tensor<2x4x8xf32>, %rhs: tensor<2x8xf32>, %out: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %result = linalg.batch_matvec
      ins(%lhs, %rhs : tensor<2x4x8xf32>, tensor<2x8xf32>)
      outs(%out : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %result : tensor<2x4xf32>
}
// -----
func.func @batch_vecmat(%lhs: tensor<2x4xf32>, %rhs: tensor<2x4x8xf32>, %out: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %result = linalg.batch_vecmat
      ins(%lhs, %rhs : tensor<2x4xf32>, tensor<2x4x8xf32>)
      outs(%out : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %result : tensor<2x8xf32>
}
// -----
func.func @mmt4d(%lhs: tensor<2x4x8x1xf32>, %rhs: tensor<3x4x8x1xf32>, %out: tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32> {
  %result = linalg.mmt4d
      ins(%lhs, %rhs : tensor<2x4x8x1xf32>, tensor<3x4x8x1xf32>)
      outs(%out : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  return %result : tensor<2x3x8x8xf32>
}
// -----
func.func @batch_mmt4d(%lhs: tensor<5x2x4x8x1xf32>, %rhs: tensor<5x3x4x8x1xf32>, %out: tensor<5x2x3x8x8xf32>) -> tensor<5x2x3x8x8xf32> {
  %result = linalg.batch_mmt4d
      ins(%lhs, %rhs : tensor<5x2x4x8x1xf32>, tensor<5x3x4x8x1xf32>)
      outs(%out : tensor<5x2x3x8x8xf32>) -> tensor<5x2x3x8x8xf32>
  return %result : tensor<5x2x3x8x8xf32>
}
// -----
func.func @quantized_matmul(%lhs: tensor<4x8xi8>, %rhs: tensor<8x16xi8>, %lhs_zp: i32, %rhs_zp: i32, %out: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %result = linalg.quantized_matmul
      ins(%lhs, %rhs, %lhs_zp, %rhs_zp : tensor<4x8xi8>, tensor<8x16xi8>, i32, i32)
      outs(%out : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %result : tensor<4x16xi32>
}
// -----
func.func @quantized_batch_matmul(%lhs: tensor<2x4x8xi8>, %rhs: tensor<2x8x16xi8>, %lhs_zp: i32, %rhs_zp: i32, %out: tensor<2x4x16xi32>) -> tensor<2x4x16xi32> {
  %result = linalg.quantized_batch_matmul
      ins(%lhs, %rhs, %lhs_zp, %rhs_zp : tensor<2x4x8xi8>, tensor<2x8x16xi8>, i32, i32)
      outs(%out : tensor<2x4x16xi32>) -> tensor<2x4x16xi32>
  return %result : tensor<2x4x16xi32>
}
// -----
func.func @fill(%value: f32, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.fill ins(%value : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @fill_rng_2d(%min: f64, %max: f64, %seed: i32, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %result = linalg.fill_rng_2d
      ins(%min, %max, %seed : f64, f64, i32)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %result : tensor<4x8xf32>
}
// -----
func.func @conv_1d(%input: tensor<8xf32>, %filter: tensor<3xf32>, %out: tensor<6xf32>) -> tensor<6xf32> {
  %result = linalg.conv_1d
      ins(%input, %filter : tensor<8xf32>, tensor<3xf32>)
      outs(%out : tensor<6xf32>) -> tensor<6xf32>
  return %result : tensor<6xf32>
}
// -----
func.func @conv_2d(%input: tensor<8x8xf32>, %filter: tensor<3x3xf32>, %out: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %result = linalg.conv_2d
      ins(%input, %filter : tensor<8x8xf32>, tensor<3x3xf32>)
      outs(%out : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %result : tensor<6x6xf32>
}
// -----
func.func @conv_3d(%input: tensor<8x8x8xf32>, %filter: tensor<3x3x3xf32>, %out: tensor<6x6x6xf32>) -> tensor<6x6x6xf32> {
  %result = linalg.conv_3d
      ins(%input, %filter : tensor<8x8x8xf32>, tensor<3x3x3xf32>)
      outs(%out : tensor<6x6x6xf32>) -> tensor<6x6x6xf32>
  return %result : tensor<6x6x6xf32>
}
// -----
func.func @conv_1d_ncw_fcw(%input: tensor<1x4x8xf32>, %filter: tensor<16x4x3xf32>, %out: tensor<1x16x6xf32>) -> tensor<1x16x6xf32> {
  %result = linalg.conv_1d_ncw_fcw
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %filter : tensor<1x4x8xf32>, tensor<16x4x3xf32>)
      outs(%out : tensor<1x16x6xf32>) -> tensor<1x16x6xf32>
  return %result : tensor<1x16x6xf32>
}
// -----
func.func @conv_1d_nwc_wcf(%input: tensor<1x8x4xf32>, %filter: tensor<3x4x16xf32>, %out: tensor<1x6x16xf32>) -> tensor<1x6x16xf32> {
  %result = linalg.conv_1d_nwc_wcf
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %filter : tensor<1x8x4xf32>, tensor<3x4x16xf32>)
      outs(%out : tensor<1x6x16xf32>) -> tensor<1x6x16xf32>
  return %result : tensor<1x6x16xf32>
}
// -----
func.func @conv_2d_nchw_fchw(%input: tensor<1x4x8x8xf32>, %filter: tensor<16x4x3x3xf32>, %out: tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32> {
  %result = linalg.conv_2d_nchw_fchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>)
      outs(%out : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  return %result : tensor<1x16x6x6xf32>
}
// -----
func.func @conv_2d_ngchw_gfchw(%input: tensor<1x2x4x8x8xf32>, %filter: tensor<2x16x4x3x3xf32>, %out: tensor<1x2x16x6x6xf32>) -> tensor<1x2x16x6x6xf32> {
  %result = linalg.conv_2d_ngchw_gfchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x2x4x8x8xf32>, tensor<2x16x4x3x3xf32>)
      outs(%out : tensor<1x2x16x6x6xf32>) -> tensor<1x2x16x6x6xf32>
  return %result : tensor<1x2x16x6x6xf32>
}
// -----
func.func @conv_2d_nhwc_fhwc(%input: tensor<1x8x8x4xf32>, %filter: tensor<16x3x3x4xf32>, %out: tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  %result = linalg.conv_2d_nhwc_fhwc
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>)
      outs(%out : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %result : tensor<1x6x6x16xf32>
}
// -----
func.func @conv_2d_nhwc_hwcf(%input: tensor<1x8x8x4xf32>, %filter: tensor<3x3x4x16xf32>, %out: tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  %result = linalg.conv_2d_nhwc_hwcf
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>)
      outs(%out : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %result : tensor<1x6x6x16xf32>
}
// -----
func.func @conv_2d_nhwgc_gfhwc(%input: tensor<1x8x8x2x4xf32>, %filter: tensor<2x16x3x3x4xf32>, %out: tensor<1x6x6x2x16xf32>) -> tensor<1x6x6x2x16xf32> {
  %result = linalg.conv_2d_nhwgc_gfhwc
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x8x8x2x4xf32>, tensor<2x16x3x3x4xf32>)
      outs(%out : tensor<1x6x6x2x16xf32>) -> tensor<1x6x6x2x16xf32>
  return %result : tensor<1x6x6x2x16xf32>
}
// -----
func.func @conv_3d_ndhwc_dhwcf(%input: tensor<1x8x8x8x4xf32>, %filter: tensor<3x3x3x4x16xf32>, %out: tensor<1x6x6x6x16xf32>) -> tensor<1x6x6x6x16xf32> {
  %result = linalg.conv_3d_ndhwc_dhwcf
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %filter : tensor<1x8x8x8x4xf32>, tensor<3x3x3x4x16xf32>)
      outs(%out : tensor<1x6x6x6x16xf32>) -> tensor<1x6x6x6x16xf32>
  return %result : tensor<1x6x6x6x16xf32>
}
// -----
func.func @depthwise_conv_2d_nhwc_hwc(%input: tensor<1x8x8x4xf32>, %filter: tensor<3x3x4xf32>, %out: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %result = linalg.depthwise_conv_2d_nhwc_hwc
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>)
      outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %result : tensor<1x6x6x4xf32>
}
// -----
func.func @depthwise_conv_2d_nhwc_hwcm(%input: tensor<1x8x8x4xf32>, %filter: tensor<3x3x4x2xf32>, %out: tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32> {
  %result = linalg.depthwise_conv_2d_nhwc_hwcm
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>)
      outs(%out : tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32>
  return %result : tensor<1x6x6x4x2xf32>
}
// -----
func.func @conv_2d_nchw_fchw_q(%input: tensor<1x4x8x8xi8>, %filter: tensor<16x4x3x3xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x16x6x6xi32>) -> tensor<1x16x6x6xi32> {
  %result = linalg.conv_2d_nchw_fchw_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp
          : tensor<1x4x8x8xi8>, tensor<16x4x3x3xi8>, i32, i32)
      outs(%out : tensor<1x16x6x6xi32>) -> tensor<1x16x6x6xi32>
  return %result : tensor<1x16x6x6xi32>
}
// -----
func.func @conv_2d_ngchw_gfchw_q(%input: tensor<1x2x4x8x8xi8>, %filter: tensor<2x16x4x3x3xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x2x16x6x6xi32>) -> tensor<1x2x16x6x6xi32> {
  %result = linalg.conv_2d_ngchw_gfchw_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp
          : tensor<1x2x4x8x8xi8>, tensor<2x16x4x3x3xi8>, i32, i32)
      outs(%out : tensor<1x2x16x6x6xi32>) -> tensor<1x2x16x6x6xi32>
  return %result : tensor<1x2x16x6x6xi32>
}
// -----
func.func @conv_2d_nhwc_fhwc_q(%input: tensor<1x8x8x4xi8>, %filter: tensor<16x3x3x4xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32> {
  %result = linalg.conv_2d_nhwc_fhwc_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp
          : tensor<1x8x8x4xi8>, tensor<16x3x3x4xi8>, i32, i32)
      outs(%out : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  return %result : tensor<1x6x6x16xi32>
}
// -----
func.func @conv_2d_nhwc_hwcf_q(%input: tensor<1x8x8x4xi8>, %filter: tensor<3x3x4x16xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32> {
  %result = linalg.conv_2d_nhwc_hwcf_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp
          : tensor<1x8x8x4xi8>, tensor<3x3x4x16xi8>, i32, i32)
      outs(%out : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32>
  return %result : tensor<1x6x6x16xi32>
}
// -----
func.func @conv_2d_nhwgc_gfhwc_q(%input: tensor<1x8x8x2x4xi8>, %filter: tensor<2x16x3x3x4xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x6x6x2x16xi32>) -> tensor<1x6x6x2x16xi32> {
  %result = linalg.conv_2d_nhwgc_gfhwc_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp
          : tensor<1x8x8x2x4xi8>, tensor<2x16x3x3x4xi8>, i32, i32)
      outs(%out : tensor<1x6x6x2x16xi32>) -> tensor<1x6x6x2x16xi32>
  return %result : tensor<1x6x6x2x16xi32>
}
// -----
func.func @conv_3d_ndhwc_dhwcf_q(%input: tensor<1x8x8x8x4xi8>, %filter: tensor<3x3x3x4x16xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x6x6x6x16xi32>) -> tensor<1x6x6x6x16xi32> {
  %result = linalg.conv_3d_ndhwc_dhwcf_q
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %filter, %input_zp, %filter_zp
          : tensor<1x8x8x8x4xi8>, tensor<3x3x3x4x16xi8>, i32, i32)
      outs(%out : tensor<1x6x6x6x16xi32>) -> tensor<1x6x6x6x16xi32>
  return %result : tensor<1x6x6x6x16xi32>
}
// -----
func.func @depthwise_conv_2d_nhwc_hwc_q(%input: tensor<1x8x8x4xi8>, %filter: tensor<3x3x4xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32> {
  %result = linalg.depthwise_conv_2d_nhwc_hwc_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp : tensor<1x8x8x4xi8>, tensor<3x3x4xi8>, i32, i32)
      outs(%out : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  return %result : tensor<1x6x6x4xi32>
}
// -----
func.func @depthwise_conv_2d_nhwc_hwcm_q(%input: tensor<1x8x8x4xi8>, %filter: tensor<3x3x4x2xi8>, %input_zp: i32, %filter_zp: i32, %out: tensor<1x6x6x4x2xi32>) -> tensor<1x6x6x4x2xi32> {
  %result = linalg.depthwise_conv_2d_nhwc_hwcm_q
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter, %input_zp, %filter_zp : tensor<1x8x8x4xi8>, tensor<3x3x4x2xi8>, i32, i32)
      outs(%out : tensor<1x6x6x4x2xi32>) -> tensor<1x6x6x4x2xi32>
  return %result : tensor<1x6x6x4x2xi32>
}
// -----
func.func @conv_2d_ngchw_fgchw(%input: tensor<1x2x4x8x8xf32>, %filter: tensor<16x2x4x3x3xf32>, %out: tensor<1x2x16x6x6xf32>) -> tensor<1x2x16x6x6xf32> {
  %result = linalg.conv_2d_ngchw_fgchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x2x4x8x8xf32>, tensor<16x2x4x3x3xf32>)
      outs(%out : tensor<1x2x16x6x6xf32>) -> tensor<1x2x16x6x6xf32>
  return %result : tensor<1x2x16x6x6xf32>
}
// -----
func.func @conv_3d_ncdhw_fcdhw(%input: tensor<1x4x8x8x8xf32>, %filter: tensor<16x4x3x3x3xf32>, %out: tensor<1x16x6x6x6xf32>) -> tensor<1x16x6x6x6xf32> {
  %result = linalg.conv_3d_ncdhw_fcdhw
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %filter : tensor<1x4x8x8x8xf32>, tensor<16x4x3x3x3xf32>)
      outs(%out : tensor<1x16x6x6x6xf32>) -> tensor<1x16x6x6x6xf32>
  return %result : tensor<1x16x6x6x6xf32>
}
// -----
func.func @depthwise_conv_1d_ncw_cw(%input: tensor<1x4x8xf32>, %filter: tensor<4x3xf32>, %out: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %result = linalg.depthwise_conv_1d_ncw_cw
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %filter : tensor<1x4x8xf32>, tensor<4x3xf32>)
      outs(%out : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  return %result : tensor<1x4x6xf32>
}
// -----
func.func @depthwise_conv_1d_nwc_wc(%input: tensor<1x8x4xf32>, %filter: tensor<3x4xf32>, %out: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %result = linalg.depthwise_conv_1d_nwc_wc
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %filter : tensor<1x8x4xf32>, tensor<3x4xf32>)
      outs(%out : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %result : tensor<1x6x4xf32>
}
// -----
func.func @depthwise_conv_1d_nwc_wcm(%input: tensor<1x8x4xf32>, %filter: tensor<3x4x2xf32>, %out: tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32> {
  %result = linalg.depthwise_conv_1d_nwc_wcm
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %filter : tensor<1x8x4xf32>, tensor<3x4x2xf32>)
      outs(%out : tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  return %result : tensor<1x6x4x2xf32>
}
// -----
func.func @depthwise_conv_2d_nchw_chw(%input: tensor<1x4x8x8xf32>, %filter: tensor<4x3x3xf32>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %result = linalg.depthwise_conv_2d_nchw_chw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %filter : tensor<1x4x8x8xf32>, tensor<4x3x3xf32>)
      outs(%out : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %result : tensor<1x4x6x6xf32>
}
// -----
func.func @depthwise_conv_3d_ncdhw_cdhw(%input: tensor<1x4x8x8x8xf32>, %filter: tensor<4x3x3x3xf32>, %out: tensor<1x4x6x6x6xf32>) -> tensor<1x4x6x6x6xf32> {
  %result = linalg.depthwise_conv_3d_ncdhw_cdhw
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %filter : tensor<1x4x8x8x8xf32>, tensor<4x3x3x3xf32>)
      outs(%out : tensor<1x4x6x6x6xf32>) -> tensor<1x4x6x6x6xf32>
  return %result : tensor<1x4x6x6x6xf32>
}
// -----
func.func @depthwise_conv_3d_ndhwc_dhwc(%input: tensor<1x8x8x8x4xf32>, %filter: tensor<3x3x3x4xf32>, %out: tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32> {
  %result = linalg.depthwise_conv_3d_ndhwc_dhwc
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %filter : tensor<1x8x8x8x4xf32>, tensor<3x3x3x4xf32>)
      outs(%out : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %result : tensor<1x6x6x6x4xf32>
}
// -----
func.func @depthwise_conv_3d_ndhwc_dhwcm(%input: tensor<1x8x8x8x4xf32>, %filter: tensor<3x3x3x4x2xf32>, %out: tensor<1x6x6x6x4x2xf32>) -> tensor<1x6x6x6x4x2xf32> {
  %result = linalg.depthwise_conv_3d_ndhwc_dhwcm
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %filter : tensor<1x8x8x8x4xf32>, tensor<3x3x3x4x2xf32>)
      outs(%out : tensor<1x6x6x6x4x2xf32>) -> tensor<1x6x6x6x4x2xf32>
  return %result : tensor<1x6x6x6x4x2xf32>
}
// -----
func.func @pooling_nchw_max(%input: tensor<1x4x8x8xf32>, %window: tensor<3x3xf32>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %result = linalg.pooling_nchw_max
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x4x8x8xf32>, tensor<3x3xf32>)
      outs(%out : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %result : tensor<1x4x6x6xf32>
}
// -----
func.func @pooling_ncw_max(%input: tensor<1x4x8xf32>, %window: tensor<3xf32>, %out: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %result = linalg.pooling_ncw_max
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x4x8xf32>, tensor<3xf32>)
      outs(%out : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  return %result : tensor<1x4x6xf32>
}
// -----
func.func @pooling_nchw_sum(%input: tensor<1x4x8x8xf32>, %window: tensor<3x3xf32>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %result = linalg.pooling_nchw_sum
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x4x8x8xf32>, tensor<3x3xf32>)
      outs(%out : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %result : tensor<1x4x6x6xf32>
}
// -----
func.func @pooling_ncw_sum(%input: tensor<1x4x8xf32>, %window: tensor<3xf32>, %out: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %result = linalg.pooling_ncw_sum
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x4x8xf32>, tensor<3xf32>)
      outs(%out : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  return %result : tensor<1x4x6xf32>
}
// -----
func.func @pooling_nhwc_max(%input: tensor<1x8x8x4xf32>, %window: tensor<3x3xf32>, %out: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %result = linalg.pooling_nhwc_max
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x8x8x4xf32>, tensor<3x3xf32>)
      outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %result : tensor<1x6x6x4xf32>
}
// -----
func.func @pooling_nwc_max(%input: tensor<1x8x4xf32>, %window: tensor<3xf32>, %out: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %result = linalg.pooling_nwc_max
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x8x4xf32>, tensor<3xf32>)
      outs(%out : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %result : tensor<1x6x4xf32>
}
// -----
func.func @pooling_ndhwc_max(%input: tensor<1x8x8x8x4xf32>, %window: tensor<3x3x3xf32>, %out: tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32> {
  %result = linalg.pooling_ndhwc_max
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %window : tensor<1x8x8x8x4xf32>, tensor<3x3x3xf32>)
      outs(%out : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %result : tensor<1x6x6x6x4xf32>
}
// -----
func.func @pooling_nhwc_sum(%input: tensor<1x8x8x4xf32>, %window: tensor<3x3xf32>, %out: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %result = linalg.pooling_nhwc_sum
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x8x8x4xf32>, tensor<3x3xf32>)
      outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %result : tensor<1x6x6x4xf32>
}
// -----
func.func @pooling_nwc_sum(%input: tensor<1x8x4xf32>, %window: tensor<3xf32>, %out: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %result = linalg.pooling_nwc_sum
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x8x4xf32>, tensor<3xf32>)
      outs(%out : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %result : tensor<1x6x4xf32>
}
// -----
func.func @pooling_ndhwc_sum(%input: tensor<1x8x8x8x4xf32>, %window: tensor<3x3x3xf32>, %out: tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32> {
  %result = linalg.pooling_ndhwc_sum
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %window : tensor<1x8x8x8x4xf32>, tensor<3x3x3xf32>)
      outs(%out : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %result : tensor<1x6x6x6x4xf32>
}
// -----
func.func @pooling_nhwc_min(%input: tensor<1x8x8x4xf32>, %window: tensor<3x3xf32>, %out: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %result = linalg.pooling_nhwc_min
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x8x8x4xf32>, tensor<3x3xf32>)
      outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %result : tensor<1x6x6x4xf32>
}
// -----
func.func @pooling_nwc_min(%input: tensor<1x8x4xf32>, %window: tensor<3xf32>, %out: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %result = linalg.pooling_nwc_min
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x8x4xf32>, tensor<3xf32>)
      outs(%out : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %result : tensor<1x6x4xf32>
}
// -----
func.func @pooling_ndhwc_min(%input: tensor<1x8x8x8x4xf32>, %window: tensor<3x3x3xf32>, %out: tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32> {
  %result = linalg.pooling_ndhwc_min
      {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%input, %window : tensor<1x8x8x8x4xf32>, tensor<3x3x3xf32>)
      outs(%out : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %result : tensor<1x6x6x6x4xf32>
}
// -----
func.func @pooling_nhwc_max_unsigned(%input: tensor<1x8x8x4xi32>, %window: tensor<3x3xi32>, %out: tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32> {
  %result = linalg.pooling_nhwc_max_unsigned
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x8x8x4xi32>, tensor<3x3xi32>)
      outs(%out : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  return %result : tensor<1x6x6x4xi32>
}
// -----
func.func @pooling_nwc_max_unsigned(%input: tensor<1x8x4xi32>, %window: tensor<3xi32>, %out: tensor<1x6x4xi32>) -> tensor<1x6x4xi32> {
  %result = linalg.pooling_nwc_max_unsigned
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x8x4xi32>, tensor<3xi32>)
      outs(%out : tensor<1x6x4xi32>) -> tensor<1x6x4xi32>
  return %result : tensor<1x6x4xi32>
}
// -----
func.func @pooling_nhwc_min_unsigned(%input: tensor<1x8x8x4xi32>, %window: tensor<3x3xi32>, %out: tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32> {
  %result = linalg.pooling_nhwc_min_unsigned
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%input, %window : tensor<1x8x8x4xi32>, tensor<3x3xi32>)
      outs(%out : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  return %result : tensor<1x6x6x4xi32>
}
// -----
func.func @pooling_nwc_min_unsigned(%input: tensor<1x8x4xi32>, %window: tensor<3xi32>, %out: tensor<1x6x4xi32>) -> tensor<1x6x4xi32> {
  %result = linalg.pooling_nwc_min_unsigned
      {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%input, %window : tensor<1x8x4xi32>, tensor<3xi32>)
      outs(%out : tensor<1x6x4xi32>) -> tensor<1x6x4xi32>
  return %result : tensor<1x6x4xi32>
}
// -----
func.func @softmax(%input: tensor<2x16x32xf32>, %out: tensor<2x16x32xf32>) -> tensor<2x16x32xf32> {
  %result = linalg.softmax dimension(2)
      ins(%input : tensor<2x16x32xf32>)
      outs(%out : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  return %result : tensor<2x16x32xf32>
}
// -----
func.func @filter(%filter: tensor<2x3x3x5xf32>, %out: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %result = linalg.winograd_filter_transform fmr(F_4_3)
      ins(%filter : tensor<2x3x3x5xf32>)
      outs(%out : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %result : tensor<6x6x5x2xf32>
}
// -----
func.func @input(%input: tensor<2x10x10x5xf32>, %out: tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32> {
  %result = linalg.winograd_input_transform fmr(F_4_3)
      ins(%input : tensor<2x10x10x5xf32>)
      outs(%out : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  return %result : tensor<6x6x2x2x2x5xf32>
}
// -----
func.func @output(%value: tensor<6x6x2x2x2x2xf32>, %out: tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32> {
  %result = linalg.winograd_output_transform fmr(F_4_3)
      ins(%value : tensor<6x6x2x2x2x2xf32>)
      outs(%out : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return %result : tensor<2x8x8x2xf32>
}
