module {
  wasmssa.table @table !wasmssa<tabletype !wasmssa.funcref [0:65536]>
}
