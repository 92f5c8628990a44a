// Regions, blocks, terminators and symbols.
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let summary = "Rivers and where they lead";
  let cppNamespace = "::flow";
}

class Flow_Op<string mnemonic, list<Trait> traits = []>
    : Op<Flow_Dialect, mnemonic, traits>;

def Flow_RiverOp : Flow_Op<"river", [Symbol, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"EndOp">]> {
  let summary = "A river with a name; its body is one block";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

def Flow_EndOp : Flow_Op<"end", [Pure, Terminator, HasParent<"RiverOp, LockOp">]> {
  let summary = "Where the water goes out";
  let arguments = (ins Variadic<AnyType>:$water);
  let assemblyFormat = "attr-dict ($water^ `:` type($water))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Flow_LockOp : Flow_Op<"lock", [RecursiveMemoryEffects, NoTerminator]> {
  let summary = "A lock: something for high water, perhaps something else for low";
  let arguments = (ins I1:$is_high);
  let results = (outs Variadic<AnyType>:$out);
  let regions = (region AnyRegion:$high, AnyRegion:$low);
  let hasVerifier = 1;
}

def Flow_ForkOp : Flow_Op<"fork", [Terminator]> {
  let summary = "Goes on at one of two blocks";
  let arguments = (ins I1:$condition);
  let successors = (successor AnySuccessor:$left, AnySuccessor:$right);
  let assemblyFormat = "$condition `,` $left `,` $right attr-dict";
}

def Flow_JoinOp : Flow_Op<"join", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Flows into a river, by its name";
  let arguments = (ins FlatSymbolRefAttr:$river, F32:$amount);
  let assemblyFormat = "$amount `into` $river attr-dict";
}
