"""A pattern file like that of a large project, for the timings: patterns of each kind over a small dialect."""

HEAD = """include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_Dialect : Dialect {
  let name = "loom";
  let cppNamespace = "::loom";
}

class Loom_Op<string mnemonic> : Op<Loom_Dialect, mnemonic, [Pure]>;
"""

# The operations of each group of patterns.
OPS = """
def WarpOp{n} : Loom_Op<"warp{n}"> {{
  let arguments = (ins AnyType:$lhs, AnyType:$rhs, OptionalAttr<I32Attr>:$weight);
  let results = (outs AnyType:$woven);
}}
def WeftOp{n} : Loom_Op<"weft{n}"> {{
  let arguments = (ins AnyType:$yarn, I64Attr:$count, DefaultValuedAttr<StrAttr, "\\"plain\\"">:$kind);
  let results = (outs AnyType:$woven);
}}
def SpoolOp{n} : Loom_Op<"spool{n}"> {{
  let arguments = (ins Variadic<AnyType>:$yarns);
  let results = (outs AnyType:$first, AnyType:$second);
}}
def TwistOp{n} : Loom_Op<"twist{n}"> {{
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$woven);
}}
def KnotOp{n} : Loom_Op<"knot{n}"> {{
  let arguments = (ins AnyInteger:$yarn);
  let results = (outs AnyInteger:$tied);
}}
"""

PATTERNS = """
def Tied{n} : Constraint<CPred<"$0.getType() == $1.getType()">, "tied">;
def Longest{n} : NativeCodeCall<"longest($_builder, $_loc, $0, $1)">;

def : Pat<(WarpOp{n} $lhs, $rhs, $weight), (WarpOp{n} $rhs, $lhs, $weight), [(Tied{n} $lhs, $rhs)]>;
def : Pat<(WarpOp{n}:$outer (WarpOp{n}:$inner $a, $b, $w), $c, $_),
          (WarpOp{n} $a, (WarpOp{n} $b, $c, $w, (returnType $outer)), $w), [], [], (addBenefit 2)>;
def : Pat<(WeftOp{n} (WeftOp{n} $yarn, I64Attr:$a, $kind), I64Attr:$b, $_),
          (WeftOp{n} $yarn, (Longest{n} $a, $b), $kind)>;
def : Pat<(WeftOp{n} $yarn, ConstantAttr<I64Attr, "1">, $_), (replaceWithValue $yarn)>;
def : Pat<(KnotOp{n} (KnotOp{n} $yarn)), (KnotOp{n} $yarn, (location "fused"))>;
def : Pat<(TwistOp{n} (either (KnotOp{n} $yarn), AnyFloat:$other)), (TwistOp{n} $other, $yarn)>;
def : Pattern<(SpoolOp{n} (variadic $a, $b)), [(WarpOp{n} $a, $b, (NativeCodeCall<"IntegerAttr()">)),
                                               (KnotOp{n} $b)]>;
"""

# The number of patterns in each group.
EACH = 7


def write(path, patterns):
    """Writes a file with this many patterns, rounded up to whole groups."""
    groups = range(-(-patterns // EACH))
    path.write_text(HEAD + "".join(OPS.format(n=n) + PATTERNS.format(n=n) for n in groups))
