// Reads files of random dialects, prints what it read, reads that again, and says where the two differ. `RANDOM_FILES`
// is the file that includes all that was generated.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

#include RANDOM_FILES

static std::string print(ModuleOp module, bool isGeneric) {
  std::string text;
  llvm::raw_string_ostream out(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(false);
  if (isGeneric)
    flags.printGenericOpForm();
  module.print(out, flags);
  return text;
}

int main(int argc, char **argv) {
  MLIRContext context;
  context.allowUnregisteredDialects();
  registerRandomDialects(context);
  int status = 0;
  for (int index = 1; index < argc; ++index) {
    OwningOpRef<ModuleOp> first = parseSourceFile<ModuleOp>(argv[index], &context);
    if (!first) {
      llvm::outs() << argv[index] << ": is not read\n";
      status = 1;
      continue;
    }
    std::string printed = print(*first, false);
    OwningOpRef<ModuleOp> second = parseSourceString<ModuleOp>(printed, &context);
    if (!second) {
      llvm::outs() << argv[index] << ": what is printed is not read:\n" << printed << "\n";
      status = 1;
      continue;
    }
    std::string again = print(*second, false);
    if (again != printed || print(*first, true) != print(*second, true)) {
      llvm::outs() << argv[index] << ": is printed otherwise the second time:\n" << printed << "\n" << again << "\n";
      status = 1;
    }
  }
  return status;
}
