// Passes, patterns and derivatives of a project that differentiates programs.
class Derivative<string op_, list<string> rules_> {
  string op = op_;
  list<string> rules = rules_;
  bit inactive = 0;
}
def AddDerivative : Derivative<"AddOp", ["diffe(op)", "diffe(op)"]>;
def MulDerivative : Derivative<"MulOp", ["mul(diffe(op), rhs)", "mul(diffe(op), lhs)"]>;
def IotaDerivative : Derivative<"IotaOp", []> { let inactive = 1; }

class PatternGroup<string name_, list<string> patterns_> {
  string name = name_;
  list<string> patterns = patterns_;
  int benefit = 1;
}
def Slices : PatternGroup<"slice", ["SliceSlice", "SliceConcat"]>;
def Reshapes : PatternGroup<"reshape", ["ReshapeReshape"]> { let benefit = 4; }
