include "mlir/IR/OpBase.td"
def TestDialect : Dialect { let name = "proj_test"; let cppNamespace = "::proj::test"; let summary = "For tests"; }
def Test_ProbeOp : Op<TestDialect, "probe"> { let summary = "probes"; }
