// The dialect, and what all files of it need.
#ifndef BANK_DIALECT
#define BANK_DIALECT

include "mlir/IR/OpBase.td"

def Bank_Dialect : Dialect {
  let name = "bank";
  let summary = "A dialect of three files";
  let cppNamespace = "::bank";
  let useDefaultTypePrinterParser = 1;
}

class Bank_Op<string mnemonic, list<Trait> traits = []>
    : Op<Bank_Dialect, mnemonic, traits>;

#endif // BANK_DIALECT
