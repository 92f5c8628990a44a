// The declarations of the generated files of the mill dialect, and the code that they need around them.
#ifndef MILL_H
#define MILL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

#include "MillDialect.h.inc"
#include "MillEnums.h.inc"

namespace mlir {
class PatternRewriter;
} // namespace mlir

namespace mill::detail {
/// Holds every operation with a cost to a day's work.
::llvm::LogicalResult verifyCost(::mlir::Operation *op);
} // namespace mill::detail

#include "MillAttrInterfaces.h.inc"
#include "MillOpInterfaces.h.inc"
#include "MillTypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "MillAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "MillTypes.h.inc"

namespace mill {
#include "MillAttrConstraints.h.inc"
#include "MillTypeConstraints.h.inc"
} // namespace mill

#define GET_OP_CLASSES
#include "MillOps.h.inc"

namespace mill {
/// The flour's grain may be asked for by interface.
inline bool isOfCereal(::mlir::Type type, Cereal cereal) {
  auto of = ::llvm::dyn_cast<CerealTypeInterface>(type);
  return of && of.getCereal() == cereal;
}
} // namespace mill

#endif
