// A few classes with the names and fields that the site reads; not MLIR's own.
def ins;
def outs;
def region;
def successor;
class Pred { string predExpr = "true"; }
class CPred<string condition> : Pred { let predExpr = "(" # condition # ")"; }
class PredCombinerKind;
def PredCombinerAnd : PredCombinerKind;
def PredCombinerNot : PredCombinerKind;
def PredCombinerSubstLeaves : PredCombinerKind;
class CombinedPred<PredCombinerKind k, list<Pred> all> : Pred { PredCombinerKind kind = k; list<Pred> children = all; }
class And<list<Pred> all> : CombinedPred<PredCombinerAnd, all>;
class Neg<Pred one> : CombinedPred<PredCombinerNot, [one]>;
class SubstLeaves<string old, string new, Pred one> : CombinedPred<PredCombinerSubstLeaves, [one]> {
  string pattern = old;
  string replacement = new;
}
class Constraint<string text> { string summary = text; string cppFunctionName = ""; Pred predicate = ?; }
class TypeConstraint<string text> : Constraint<text>;
class AttrConstraint<string text> : Constraint<text>;
class Attr<string text> : AttrConstraint<text> {
  string storageType = "::mlir::Attribute";
  string defaultValue = ?;
  bit isOptional = 0;
  Attr baseAttr = ?;
}
class RegionConstraint<string text> : Constraint<text>;
class SuccessorConstraint<string text> : Constraint<text>;
class Property<string ty, string text> : Constraint<text> { string interfaceType = ty; string defaultValue = ?; }
class Variadic<TypeConstraint ty> : TypeConstraint<ty.summary> { TypeConstraint baseType = ty; }
class Optional<TypeConstraint ty> : TypeConstraint<ty.summary> { TypeConstraint baseType = ty; }
class OptionalAttr<Attr attr> : Attr<attr.summary> { let baseAttr = attr; let isOptional = 1; }
class DefaultValuedAttr<Attr attr, string value> : Attr<attr.summary> { let baseAttr = attr; let defaultValue = value; }
class OpVariableDecorator;
class SideEffect<string name> : OpVariableDecorator {
  string effect = name; string resource = "::mlir::SideEffects::DefaultResource";
  string baseEffectName = "::mlir::MemoryEffects::Effect"; string cppNamespace = "::mlir";
  string interfaceTrait = "MemoryEffectOpInterface::Trait";
}
class MemEffect<string name> : SideEffect<name>;
def MemRead : MemEffect<"::mlir::MemoryEffects::Read">;
class OpVariable<Constraint c, string text, list<OpVariableDecorator> all> {
  Constraint constraint = c;
  string summary = text;
  list<OpVariableDecorator> decorators = all;
}
class Arg<Constraint c, string text = "", list<OpVariableDecorator> all = []> : OpVariable<c, text, all>;
class Trait;
class NativeTrait<string name> : Trait { string trait = name; string cppNamespace = "::mlir::OpTrait"; }
class PredTrait<string text, Pred pred> : Trait { string summary = text; Pred predicate = pred; }
class PredOpTrait<string text, Pred pred> : PredTrait<text, pred>;
class TraitList<list<Trait> all> : Trait { list<Trait> traits = all; }
class InterfaceMethod<string text, string ret, string method, dag params = (ins), string body_ = "", string default_ = ""> {
  string description = text; string returnType = ret; string name = method; dag arguments = params; string body = body_; string defaultBody = default_;
}
class Interface<string cls> : NativeTrait<cls> {
  string cppInterfaceName = cls; string description = ""; list<InterfaceMethod> methods = [];
  list<Interface> baseInterfaces = []; string verify = "";
}
class OpInterface<string cls> : Interface<cls>;
class SideEffectsTraitBase<OpInterface through, list<MemEffect> all> : NativeTrait<through.cppInterfaceName # "::Trait"> {
  let cppNamespace = through.cppNamespace;
  string baseEffectName = "::mlir::MemoryEffects::Effect";
  list<MemEffect> effects = all;
}
def MemoryEffectsOpInterface : OpInterface<"MemoryEffectOpInterface"> { let cppNamespace = "::mlir"; }
class MemoryEffects<list<MemEffect> all> : SideEffectsTraitBase<MemoryEffectsOpInterface, all>;
class Dialect { string name = ?; string summary = ?; string description = ?; string cppNamespace = ""; list<string> dependentDialects = []; }
class OpBuilder<dag p> { dag dagParams = p; string odsCppDeprecated = ""; }
class OpDocGroup { string summary = ""; string description = ""; }
class Op<Dialect d, string mnemonic, list<Trait> all = []> {
  Dialect opDialect = d; string opName = mnemonic; string cppNamespace = d.cppNamespace;
  string summary = ""; string description = "";
  dag arguments = (ins); dag results = (outs); dag regions = (region); dag successors = (successor);
  list<OpBuilder> builders = ?; string assemblyFormat = ?; bit hasCustomAssemblyFormat = 0;
  bit hasVerifier = 0; bit hasRegionVerifier = 0; bit hasCanonicalizer = 0; bit hasFolder = 0;
  list<Trait> traits = all; OpDocGroup opDocGroup = ?;
}
class AttrOrTypeDef<Dialect d, string cls, string short> {
  Dialect dialect = d; string cppClassName = cls; string mnemonic = short; string summary = ""; string description = "";
  dag parameters = (ins); string assemblyFormat = ?; bit hasCustomAssemblyFormat = 0; list<Trait> traits = [];
  list<OpBuilder> builders = ?;
}
class TypeDef<Dialect d, string cls, string short> : TypeConstraint<short>, AttrOrTypeDef<d, cls, short> { let summary = short; }
class AttrDef<Dialect d, string cls, string short> : Attr<short>, AttrOrTypeDef<d, cls, short> { let summary = short; }
class EnumCase<string sym, int val, string text = sym> { string symbol = sym; int value = val; string str = text; string summary = ""; }
class EnumInfo<string cls, string text, list<EnumCase> all> {
  string className = cls; string summary = text; string description = ""; string cppNamespace = "";
  list<EnumCase> enumerants = all; string underlyingType = "uint32_t";
  string stringToSymbolFnName = "symbolize" # cls; string symbolToStringFnName = "stringify" # cls;
  string underlyingToSymbolFnName = "symbolize" # cls;
}
class EnumAttr<Dialect d, EnumInfo info, string short> : AttrDef<d, info.className # "Attr", short> { EnumInfo enum = info; }

class Option<string cpp, string arg, string ty, string value, string text> {
  string cppName = cpp; string argument = arg; string type = ty; string defaultValue = value; string description = text;
  string additionalOptFlags = "";
}
class ListOption<string cpp, string arg, string ty, string text> : Option<cpp, arg, ty, "", text>;
class Statistic<string cpp, string stat, string text> { string cppName = cpp; string name = stat; string description = text; }
class PassBase<string arg, string base> {
  string argument = arg; string baseClass = base; string summary = ""; string description = ""; string constructor = "";
  list<string> dependentDialects = []; list<Option> options = []; list<Statistic> statistics = [];
}
class NativeCodeCall<string text> { string expression = text; int numReturns = 1; }
def addBenefit;
def replaceWithValue;
class Pattern<dag from, list<dag> to, list<dag> rules = []> {
  dag sourcePattern = from; list<dag> resultPatterns = to; list<dag> constraints = rules;
  list<dag> supplementalPatterns = []; dag benefitDelta = (addBenefit 0);
}
