// Intrinsics of a hardware dialect: inputs and parameters that a generic call is checked for, and the operation that
// replaces it.
class Input<string type_, int width_ = 0, bit optional_ = 0> {
  string type = type_;
  int width = width_;
  bit optional = optional_;
}
def ClockInput : Input<"ClockType">;
def OptionalReset : Input<"ResetType", 0, 1>;
def Bit : Input<"UIntType", 1>;
class Word<int width> : Input<"UIntType", width>;

class Param<string kind_, string name_, bit optional_ = 0> {
  string kind = kind_;
  string name = name_;
  bit optional = optional_;
}
class IntParam<string name> : Param<"Int", name>;
class StrParam<string name> : Param<"String", name>;

class Intrinsic<string name_, string op_> {
  string name = name_;
  string op = op_;
  list<Input> inputs = [];
  list<Param> params = [];
  list<string> aliases = [];
  string result = ?;
  string doc = "";
}

def SizeOf : Intrinsic<"circt_sizeof", "SizeOfIntrinsicOp"> {
  let inputs = [Word<0>];
  let aliases = ["circt.sizeof"];
  let result = "UIntType";
  let doc = "The width of its input.";
}
def ClockGate : Intrinsic<"circt_clock_gate", "ClockGateIntrinsicOp"> {
  let inputs = [ClockInput, Bit, Input<"UIntType", 1, 1>];
  let aliases = ["circt.clock_gate"];
  let result = "ClockType";
  let doc = [{
    A clock that runs while its enable is 1.

    The third input enables it for tests.
  }];
}
def ClockDivider : Intrinsic<"circt_clock_div", "ClockDividerIntrinsicOp"> {
  let inputs = [ClockInput];
  let params = [IntParam<"POW_2">];
  let result = "ClockType";
}
def PlusArgs : Intrinsic<"circt_plusargs_test", "PlusArgsTestIntrinsicOp"> {
  let params = [StrParam<"FORMAT">];
  let aliases = ["circt.plusargs.test", "plusargs_test"];
  let result = "UIntType";
}
def HasBeenReset : Intrinsic<"circt_has_been_reset", "HasBeenResetIntrinsicOp"> {
  let inputs = [ClockInput, OptionalReset];
  let result = "UIntType";
}
def LTLDelay : Intrinsic<"circt_ltl_delay", "LTLDelayIntrinsicOp"> {
  let inputs = [Bit];
  let params = [IntParam<"delay">, Param<"Int", "length", 1>];
  let result = "UIntType";
}
def Assert : Intrinsic<"circt_verif_assert", "VerifAssertIntrinsicOp"> {
  let inputs = [Bit, Input<"UIntType", 1, 1>];
  let params = [Param<"String", "label", 1>];
}
