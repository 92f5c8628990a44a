// The types.
#ifndef BANK_TYPES
#define BANK_TYPES

include "mlir/IR/AttrTypeBase.td"
include "BankDialect.td"

def Bank_MoneyType : TypeDef<Bank_Dialect, "Money"> {
  let mnemonic = "money";
  let summary = "An amount in a currency";
  let parameters = (ins StringRefParameter<"the currency">:$currency);
  let assemblyFormat = "`<` $currency `>`";
}

#endif // BANK_TYPES
