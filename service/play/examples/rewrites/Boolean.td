// Rewrites: patterns of operations, and what they become. C++ of a pattern is a class that does it.
include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Bool_Dialect : Dialect {
  let name = "boolean";
  let summary = "Logic, made shorter";
  let cppNamespace = "::boolean";
}

class Bool_Op<string mnemonic, list<Trait> traits = []>
    : Op<Bool_Dialect, mnemonic, !listconcat([Pure], traits)>;

def Bool_ConstantOp : Bool_Op<"constant"> {
  let summary = "True or false";
  let arguments = (ins BoolAttr:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict";
}

def Bool_NotOp : Bool_Op<"not"> {
  let summary = "The opposite";
  let arguments = (ins I1:$operand);
  let results = (outs I1:$result);
  let assemblyFormat = "$operand attr-dict";
}

class Bool_BinaryOp<string mnemonic> : Bool_Op<mnemonic, [Commutative]> {
  let arguments = (ins I1:$lhs, I1:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

def Bool_AndOp : Bool_BinaryOp<"and"> { let summary = "Whether both are true"; }
def Bool_OrOp : Bool_BinaryOp<"or"> { let summary = "Whether one is true"; }

// not not x = x
def : Pat<(Bool_NotOp (Bool_NotOp $x)), (replaceWithValue $x)>;

// x and x = x
def AndWithItself : Pat<(Bool_AndOp $x, $x), (replaceWithValue $x)>;

// not x and not y = not (x or y), where the nots have no other users.
def HasOneUse : Constraint<CPred<"$_self.hasOneUse()">, "has one use">;

def DeMorgan : Pat<
    (Bool_AndOp (Bool_NotOp:$left $x), (Bool_NotOp:$right $y)),
    (Bool_NotOp (Bool_OrOp $x, $y)),
    [(HasOneUse $left), (HasOneUse $right)]>;

// An attribute that is made by C++.
def Negated : NativeCodeCall<"$_builder.getBoolAttr(!$0.getValue())">;

def FoldNot : Pat<
    (Bool_NotOp (Bool_ConstantOp $value)),
    (Bool_ConstantOp (Negated $value))>;
