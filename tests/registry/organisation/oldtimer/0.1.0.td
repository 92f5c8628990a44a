include "mlir/IR/OpBase.td"
def Oldtimer_Dialect : Dialect { let name = "oldtimer"; let cppNamespace = "::oldtimer"; }
def Oldtimer_TickOp : Op<Oldtimer_Dialect, "tick"> { let summary = "one tick"; }
