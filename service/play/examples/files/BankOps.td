// The operations: this file is the root, as no other includes it.
include "mlir/Interfaces/SideEffectInterfaces.td"
include "BankDialect.td"
include "BankTypes.td"

def Bank_AddOp : Bank_Op<"add", [Pure, Commutative, AllTypesMatch<["lhs", "rhs", "sum"]>]> {
  let summary = "Adds amounts of one currency";
  let arguments = (ins Bank_MoneyType:$lhs, Bank_MoneyType:$rhs);
  let results = (outs Bank_MoneyType:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($sum)";
}

def Bank_ExchangeOp : Bank_Op<"exchange", [Pure]> {
  let summary = "Exchanges an amount for one in another currency";
  let arguments = (ins Bank_MoneyType:$from, F64Attr:$rate);
  let results = (outs Bank_MoneyType:$to);
  let assemblyFormat = "$from `at` $rate attr-dict `:` type($from) `->` type($to)";
}
