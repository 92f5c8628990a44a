func.func @unrealized_conversion_cast() {
  %outputs = builtin.unrealized_conversion_cast to i32
  return
}
