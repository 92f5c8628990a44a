ml_program.global private mutable @counter : i32
ml_program.subgraph @count(%value: i32, %token: !ml_program.token) -> !ml_program.token {
  %done = ml_program.global_store_graph @counter = %value ordering(%token -> !ml_program.token)
      : i32
  ml_program.output %done : !ml_program.token
}
// -----
ml_program.func @first(%x: i32, %y: i32) -> i32 {
  ml_program.return %x : i32
}
