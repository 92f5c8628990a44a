// Patterns of each kind that the manual of rewrite rules names, over the second part of MillOps.td. Many start from
// `mill.try "kind"`, so that no two compete by accident; cases/rewrite.mlir has a test of each by its kind.
#ifndef MILL_PATTERNS_TD
#define MILL_PATTERNS_TD

include "mlir/IR/PatternBase.td"
include "MillOps.td"

class Kind<string name> : ConstantStrAttr<StrAttr, name>;
class Grams<int grams> : ConstantAttr<I32Attr, !cast<string>(grams)>;
class Text<string text> : ConstantStrAttr<StrAttr, text>;

// ---- Source patterns

// A nested operation, a constant attribute, `replaceWithValue`.
def AddNothing : Pat<(Mill_AddOp $x, (Mill_MassOp Grams<0>)), (replaceWithValue $x)>;

// The same symbol twice means equal operands.
def AddTwice : Pat<(Mill_AddOp $x, $x), (Mill_ScaleOp $x, Grams<2>)>;

// Attributes of two operations, computed on; a constraint on several entities; a bound inner result without other uses.
def Product : NativeCodeCall<"$_builder.getI32IntegerAttr($0.getInt() * $1.getInt())">;
def ProductFits : Constraint<CPred<"$0.getInt() * $1.getInt() < 1000">, "the product is small">;
def HasOneUse : Constraint<CPred<"$_self.hasOneUse()">, "has one use">;
def ScaleScale : Pat<(Mill_ScaleOp (Mill_ScaleOp:$inner $x, $a), $b), (Mill_ScaleOp $x, (Product $a, $b)),
    [(ProductFits $a, $b), (HasOneUse:$inner)]>;

// Operands in either order.
def JoinMass : Pat<(Mill_JoinOp (either $x, (Mill_MassOp:$mass $_))), (Mill_AddOp $x, $mass)>;

// Enum cases, a default-valued and an optional attribute.
def MixWheat : Pat<(Mill_MixOp $x, $y, ConstantEnumCase<Mill_CerealAttr, "wheat">, Text<"join">), (Mill_JoinOp $x, $y)>;
def MixOat : Pat<
    (Mill_MixOp $x, $y, ConstantEnumCase<Mill_CerealAttr, "oat">:$oat, $note),
    (Mill_MixOp $y, $x, ConstantEnumCase<Mill_CerealAttr, "rye">, $note)>;

// Native code in the source, which captures an attribute; and the library's own matcher of constants.
def EvenGrams : NativeCodeCall<"::mill::matchEvenGrams($_self, $0)">;
def NativeSource : Pat<(Mill_ConvertOp (EvenGrams I32Attr:$half), Text<"halved">), (Mill_MassOp $half)>;
def AsInteger : NativeCodeCall<"::llvm::cast<::mlir::IntegerAttr>($0)">;
def IsHuge : Constraint<CPred<"::llvm::cast<::mlir::IntegerAttr>($0).getInt() > 100000">, "is huge">;
def AnyConstant : Pat<
    (Mill_AddOp $x, (ConstantLikeMatcher I32Attr:$value)),
    (Mill_MixOp $x, (Mill_MassOp (AsInteger $value)), ConstantEnumCase<Mill_CerealAttr, "oat">, Text<"constant">),
    [(IsHuge $value)]>;

// Type constraints; whole variadic operands and their parts; the length of the variadic decides.
def Inputs2 : Pat<(Mill_TryOp Kind<"inputs">, (variadic:$all $a, $b)),
    (Mill_TryOp Text<"two">, (NativeCodeCall<"$0"> $all))>;
def Inputs3 : Pat<(Mill_TryOp Kind<"inputs">, (variadic $a, $b, $c)), (Mill_SumOp (variadic $c, $b, $a))>;

// The same sub-DAG in several patterns becomes one matcher.
def SharedOne : Pat<
    (Mill_TryOp Kind<"shared one">, (variadic (Mill_AddOp (Mill_ScaleOp $x, $f), (Mill_MassOp Grams<7>)))),
    (Mill_ScaleOp $x, $f)>;
def SharedTwo : Pat<
    (Mill_TryOp Kind<"shared two">, (variadic $_, (Mill_AddOp (Mill_ScaleOp $x, $f), (Mill_MassOp Grams<7>)))),
    (Mill_ScaleOp (Mill_ScaleOp $x, $f), Grams<70>)>;

// A property in the source and in the result.
def TurnOnce : Pat<(Mill_TurnOp $x, ConstantProp<I64Prop, "1">), (replaceWithValue $x)>;
def TurnTurn : Pat<
    (Mill_TurnOp (Mill_TurnOp $x, $a), $b),
    (Mill_TurnOp $x, (NativeCodeCall<"$0 + $1"> $a, $b)), [], [], (addBenefit 2)>;

// Constraints on types of bound results, negated ones, and ones with text.
def IsNarrow : Constraint<Neg<CPred<"$0.getType().isInteger(64)">>, "is not 64 bits wide">;
def ConvertAway : Pat<
    (Mill_ConvertOp:$outer (Mill_ConvertOp AnyType:$x, $_), Text<"away">), (replaceWithValue $x),
    [(I32 $outer), (I32 $x), (IsNarrow $x), (Constraint<CPred<"$0 != $1">, "differ"> $x, $outer)]>;

// ---- Result patterns

// A new operation is bound and used twice.
def BoundResult : Pat<(Mill_TryOp Kind<"bound result">, (variadic)),
    (Mill_MixOp (Mill_MassOp:$m Grams<5>), $m, ConstantEnumCase<Mill_CerealAttr, "rye">, Text<"both">)>;

// A whole operation built by native code; ranges of positional arguments; places.
def SumOf : NativeCodeCall<"::mill::sumOf($_builder, $_loc, {$1...}, $0)">;
def NativeBuild : Pat<(Mill_TryOp Kind<"native build">, (variadic $a, $b, $c)), (SumOf Text<"made">, $c, $b, $a)>;

// Native code with two results.
def Halves : NativeCodeCall<"::mill::halves($_builder, $_loc, $0)", 2>;
def NativeTwo : Pattern<(Mill_TryOp Kind<"native two">, (variadic $x)),
    [(Mill_AddOp (Halves:$h__1 $x), $h__0)]>;

// Operations beside the replacement, and native code without a result.
def Stamp : NativeCodeCallVoid<"::mill::stamp($0, $1)">;
def Auxiliary : Pattern<(Mill_TryOp Kind<"auxiliary">, (variadic $x)),
    [(Mill_LogOp $x, Text<"before">), (Mill_ScaleOp:$made $x, Grams<3>), (Stamp $made, Text<"auxiliary">),
     (Mill_LogOp $made, Text<"after">), (replaceWithValue $made)]>;

// A supplemental pattern runs once all replacements are built.
def Supplemental : Pattern<(Mill_TryOp Kind<"supplemental">, (variadic $x)),
    [(Mill_ScaleOp:$made $x, Grams<4>)], [], [(Stamp $made, Text<"supplemental">)]>;

// ---- Several results

def SplitSum : Pattern<(Mill_SplitOp (Mill_AddOp $a, $b)), [(replaceWithValue $a), (replaceWithValue $b)]>;

// One of the results is bound alone and constrained.
def SplitScale : Pattern<(Mill_SplitOp:$parts (Mill_ScaleOp $x, $f)),
    [(Mill_ScaleOp (Mill_SplitOp:$fresh__0 $x), $f), (Mill_ScaleOp $fresh__1, $f)],
    [(HasNoUseOf:$parts__1)]>;

// Three results by one and two.
def SieveAdd : Pattern<(Mill_SieveOp (Mill_AddOp $a, $b)),
    [(Mill_MixOp $a, $b, ConstantEnumCase<Mill_CerealAttr, "rye">, Text<"top">), (Mill_SplitOp $b)]>;

// Three results in another order, by a pattern without a name.
def : Pattern<(Mill_SieveOp (Mill_ScaleOp $x, $_)),
    [(Mill_SieveOp:$s__2 $x), (replaceWithValue $s__1), (replaceWithValue $s__0)]>;

// ---- Directives

// The three forms of a return type.
def ReturnType : Pat<(Mill_TryOp Kind<"return type">, (variadic $x, $y)),
    (Mill_TryOp Text<"typed">, (variadic
      (Mill_ConvertOp $x, Text<"literal">, (returnType "$_builder.getI64Type()")),
      (Mill_ConvertOp $x, Text<"value">, (returnType $y)),
      (Mill_ConvertOp $x, Text<"native">,
        (returnType (NativeCodeCall<"$_builder.getTupleType({$0.getType(), $1.getType()})"> $x, $y)))))>;

// The places of new operations: of a symbol, by name, of several.
def Locations : Pat<(Mill_TryOp:$root Kind<"location">, (variadic (Mill_ScaleOp:$scale $x, $f))),
    (Mill_AddOp
      (Mill_ScaleOp $x, $f, (location $scale)),
      (Mill_AddOp (Mill_MassOp Grams<1>, (location "measure")), $x, (location "both", $scale, $root)),
      (location $root))>;

// The greater benefit goes first.
def Modest : Pat<(Mill_TryOp Kind<"benefit">, (variadic $x)), (Mill_ScaleOp $x, Grams<1>)>;
def Eager : Pat<(Mill_TryOp Kind<"benefit">, (variadic $x)), (Mill_ScaleOp $x, Grams<100>), [], [], (addBenefit 10)>;

#endif
