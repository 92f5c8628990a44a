// A dialect, and two operations of it. Change something: the right side follows.
include "mlir/IR/OpBase.td"

def Hello_Dialect : Dialect {
  let name = "hello";
  let summary = "Greetings as operations";
  let description = [{
    A *dialect* is a group of operations, types and attributes with a prefix of
    its own: all operations here begin with `hello.`.
  }];
  let cppNamespace = "::hello";
}

// What all operations of the dialect have in common.
class Hello_Op<string mnemonic, list<Trait> traits = []>
    : Op<Hello_Dialect, mnemonic, traits>;

def Hello_GreetOp : Hello_Op<"greet"> {
  let summary = "Greets somebody";
  let description = [{
    Gives how often somebody was greeted.

    ```mlir
    %n = hello.greet "Ada" 3 times
    ```
  }];
  let arguments = (ins StrAttr:$name, DefaultValuedAttr<I32Attr, "1">:$times);
  let results = (outs I32:$count);
  let assemblyFormat = "$name $times `times` attr-dict";
}

def Hello_SumOp : Hello_Op<"sum"> {
  let summary = "Adds two counts of greetings";
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}
