// Operations: operands, attributes and results, and what may be left out or come more than once.
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ledger_Dialect : Dialect {
  let name = "ledger";
  let summary = "Accounts and what moves between them";
  let cppNamespace = "::ledger";
}

class Ledger_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ledger_Dialect, mnemonic, traits>;

def Ledger_OpenOp : Ledger_Op<"open"> {
  let summary = "Opens an account";
  let arguments = (ins
    StrAttr:$owner,
    OptionalAttr<StrAttr>:$note,
    UnitAttr:$frozen
  );
  let results = (outs Index:$account);
  let assemblyFormat = "$owner (`note` $note^)? (`frozen` $frozen^)? attr-dict";
}

// With two operands of unknown number, an attribute says how many each has.
def Ledger_MoveOp : Ledger_Op<"move", [AttrSizedOperandSegments]> {
  let summary = "Moves an amount from one account to others";
  let description = [{
    The amount is shared equally. A `fee` may be taken, too.

    ```mlir
    ledger.move %amount from %a to %b, %c
    ledger.move %amount from %a to %b fee %f
    ```
  }];
  let arguments = (ins
    I64:$amount,
    Index:$source,
    Variadic<Index>:$targets,
    Optional<I64>:$fee
  );
  let assemblyFormat = [{
    $amount `from` $source `to` $targets (`fee` $fee^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Ledger_BalanceOp : Ledger_Op<"balance", [Pure]> {
  let summary = "What is in an account";
  let arguments = (ins Index:$account);
  let results = (outs I64:$amount);
  let assemblyFormat = "$account attr-dict";
  let hasFolder = 1;
}

def Ledger_SplitOp : Ledger_Op<"split", [Pure, AllTypesMatch<["amount", "half", "rest"]>]> {
  let summary = "Splits an amount into a half and the rest";
  let arguments = (ins SignlessIntegerLike:$amount);
  let results = (outs SignlessIntegerLike:$half, SignlessIntegerLike:$rest);
  let assemblyFormat = "$amount attr-dict `:` type($amount)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$amount, "int64_t":$times)>
  ];
}
