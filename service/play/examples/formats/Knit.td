// Assembly formats: how operations are written, and what follows from it. See the tabs Page and Example IR.
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Knit_Dialect : Dialect {
  let name = "knit";
  let summary = "Yarn, written in many ways";
  let cppNamespace = "::knit";
}

class Knit_Op<string mnemonic, list<Trait> traits = []>
    : Op<Knit_Dialect, mnemonic, traits>;

def Knit_CastOnOp : Knit_Op<"cast_on"> {
  let summary = "Literals, an attribute and a type";
  let arguments = (ins I32Attr:$stitches);
  let results = (outs AnyTensor:$row);
  let assemblyFormat = "`(` $stitches `stitches` `)` attr-dict `:` type($row)";
}

def Knit_JoinOp : Knit_Op<"join", [AllTypesMatch<["left", "right", "row"]>]> {
  let summary = "One type says all three";
  let arguments = (ins AnyTensor:$left, AnyTensor:$right);
  let results = (outs AnyTensor:$row);
  let assemblyFormat = "$left `with` $right attr-dict `:` type($left)";
}

def Knit_RepeatOp : Knit_Op<"repeat"> {
  let summary = "Optional groups: what has ^ says whether a group is there";
  let arguments = (ins
    AnyTensor:$row,
    Variadic<I32>:$counts,
    OptionalAttr<StrAttr>:$pattern,
    UnitAttr:$tight
  );
  let results = (outs AnyTensor:$piece);
  let assemblyFormat = [{
    $row (`times` `[` $counts^ `]`)? (`in` $pattern^):(`plain`)? (`tight` $tight^)?
    attr-dict `:` type($row) `->` type($piece)
  }];
}

def Knit_FinishOp : Knit_Op<"finish", [AttrSizedOperandSegments]> {
  let summary = "Clauses in any order";
  let arguments = (ins
    Optional<I32>:$border,
    Optional<I32>:$wash,
    UnitAttr:$blocked
  );
  let assemblyFormat = [{
    oilist(`border` `(` $border `)` | `wash` `(` $wash `)` | `blocked` $blocked) attr-dict
  }];
}

def Knit_DyeOp : Knit_Op<"dye", [
    TypesMatchWith<"the colour is an element of the row", "row", "colour",
                   "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "A type that follows from another one is not written";
  let arguments = (ins AnyTensor:$row, AnyType:$colour);
  let assemblyFormat = "$row `with` $colour attr-dict `:` type($row)";
}
