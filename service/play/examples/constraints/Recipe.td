// Constraints: predicates in C++, combined, and rules between operands. The tab C++ has what is verified.
include "mlir/IR/OpBase.td"

def Recipe_Dialect : Dialect {
  let name = "recipe";
  let summary = "Amounts that must fit together";
  let cppNamespace = "::recipe";
}

// $_self is the type. A constraint has a condition and words for messages.
def Recipe_Byte : TypeConstraint<
    And<[CPred<"::llvm::isa<::mlir::IntegerType>($_self)">,
         CPred<"$_self.getIntOrFloatBitWidth() <= 8">]>,
    "an integer of at most a byte">;

def Recipe_Amount : AnyTypeOf<[F32, F64], "an amount">;

def Recipe_Cups : TypeConstraint<
    Or<[Recipe_Byte.predicate, Index.predicate]>, "a number of cups">;

// $_self is the attribute here.
def Recipe_HeatAttr : ConfinedAttr<I32Attr, [IntMinValue<50>, IntMaxValue<280>]>;

def Recipe_PositiveAttr : AttrConstraint<
    CPred<"::llvm::cast<::mlir::IntegerAttr>($_self).getValue().isStrictlyPositive()">,
    "which is more than zero">;

def Recipe_MinutesAttr : ConfinedAttr<I64Attr, [Recipe_PositiveAttr]>;

class Recipe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Recipe_Dialect, mnemonic, traits>;

def Recipe_MixOp : Recipe_Op<"mix", [AllTypesMatch<["flour", "dough"]>]> {
  let summary = "Mixes flour with water";
  let arguments = (ins Recipe_Amount:$flour, Recipe_Amount:$water);
  let results = (outs Recipe_Amount:$dough);
  let assemblyFormat = "$flour `and` $water attr-dict `:` type($flour) `,` type($water)";
}

def Recipe_BakeOp : Recipe_Op<"bake", [
    PredOpTrait<"it is baked longer where it is cooler",
                CPred<"getHeat() >= 100 || getMinutes() > 30">>]> {
  let summary = "Bakes a dough";
  let arguments = (ins
    Recipe_Amount:$dough,
    Recipe_Cups:$cups,
    Recipe_HeatAttr:$heat,
    Recipe_MinutesAttr:$minutes
  );
  let assemblyFormat = [{
    $dough `in` $cups `at` $heat `for` $minutes attr-dict `:` type($dough) `,` type($cups)
  }];
}
