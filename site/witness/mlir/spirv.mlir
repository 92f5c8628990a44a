spirv.func @increment(%pointer: !spirv.ptr<i32, StorageBuffer>) -> i32 "None" {
  %old = spirv.AtomicIIncrement <Device> <None> %pointer : !spirv.ptr<i32, StorageBuffer>
  spirv.ReturnValue %old : i32
}
// -----
spirv.func @emit(%x: i32, %y: i32, %z: i32) "None" {
  spirv.EXT.EmitMeshTasks %x, %y, %z : i32, i32, i32
}
// -----
spirv.func @unreachable() "None" {
  spirv.Branch ^end
^end:
  spirv.Unreachable
}
// -----
spirv.func @loop(%count: i32) "None" {
  %zero = spirv.Constant 0 : i32
  %one = spirv.Constant 1 : i32
  spirv.mlir.loop {
    spirv.Branch ^header(%zero : i32)
  ^header(%i: i32):
    %more = spirv.SLessThan %i, %count : i32
    spirv.BranchConditional %more, ^body, ^merge
  ^body:
    spirv.Branch ^continue
  ^continue:
    %next = spirv.IAdd %i, %one : i32
    spirv.Branch ^header(%next : i32)
  ^merge:
    spirv.mlir.merge
  }
  spirv.Return
}
// -----
spirv.func @selection(%condition: i1) "None" {
  spirv.mlir.selection {
    spirv.BranchConditional %condition, ^then, ^merge
  ^then:
    spirv.Branch ^merge
  ^merge:
    spirv.mlir.merge
  }
  spirv.Return
}
