// Four mistakes. All are underlined at once; mend them one after the other.
include "mlir/IR/OpBase.td"

def Odd_Dialect : Dialect {
  let name = "odd";
  let cppNamespace = "::odd";
}

class Odd_Op<string mnemonic, list<Trait> traits = []>
    : Op<Odd_Dialect, mnemonic, traits>;

// The type of the result cannot be inferred: `type($sum)` is missing.
def Odd_AddOp : Odd_Op<"add"> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs AnyInteger:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

// There is no operand of this name.
def Odd_NegateOp : Odd_Op<"negate"> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$valeu attr-dict";
}

// There is no such class.
def Odd_HalveOp : OddOp<"halve"> {
  let arguments = (ins I32:$value);
}

// There is no such field.
def Odd_DoubleOp : Odd_Op<"double"> {
  let argument = (ins I32:$value);
  let results = (outs I32:$result);
}
