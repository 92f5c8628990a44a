//! Small definitions for the generators of single dialects. Their classes are defined here too, with the fields that
//! the generators read.

use super::definitions::{DIALECT, Definition, HEAD, of, swept};

/// Operations of LLVM IR.
const LLVM: &str = r#"class LLVM_OpBase<string mnemonic, list<Trait> traits = []> : Op<Swept, mnemonic, traits> {
  string llvmInstName = "Mul";
  string llvmBuilder = "";
  string mlirBuilder = "";
  list<int> llvmArgIndices = [];
}
class LLVM_IntrOpBase<string mnemonic, list<Trait> traits = []> : LLVM_OpBase<mnemonic, traits> {
  string llvmEnumName = "wash";
}
"#;

/// Enums of LLVM IR.
const LLVM_ENUMS: &str = r#"class LLVM_EnumAttrCase<string name, int number> : I64EnumAttrCase<name, number> {
  string llvmEnumerant = "LLVM" # name;
}
class LLVM_EnumAttr<string name, list<LLVM_EnumAttrCase> cases> : I64EnumAttr<name, "", cases> {
  string llvmClassName = "::llvm::" # name;
  list<LLVM_EnumAttrCase> unsupported = [];
}
class LLVM_CEnumAttr<string name, list<LLVM_EnumAttrCase> cases> : I64EnumAttr<name, "", cases> {
  string llvmClassName = "::llvm::" # name;
}
"#;

/// The availability classes of SPIR-V and TOSA, and definitions that require them.
const AVAILABILITY: &str = r#"class Availability {
  string cppNamespace = "::swept";
  string interfaceName = "QueryAge";
  string interfaceDescription = "Asks for the age.";
  string queryFnRetType = "unsigned";
  string queryFnName = "getAge";
  code mergeAction = "$overall = std::max($overall, $instance)";
  string initializer = "0";
  string instanceType = "unsigned";
  code instancePreparation = "";
  string instance = "1";
}
class Implied<string name, int value, list<I32EnumAttrCase> cases = []> : I32EnumAttrCase<name, value> {
  list<Availability> availability = [];
  list<I32EnumAttrCase> implies = cases;
}
class SPIRV_I32EnumAttr<EnumInfo info> : EnumAttr<Swept, info>;
class SPIRV_BitEnumAttr<EnumInfo info> : EnumAttr<Swept, info>;
class SPIRV_Op<string mnemonic, list<Trait> traits = []> : Op<Swept, mnemonic, traits> {
  list<Availability> availability = [];
  bit autogenAvailability = 1;
  bit autogenSerialization = 1;
  bit hasOpcode = 1;
  string spirvOpName = "Op" # mnemonic;
}
class SPIRV_ExtInstOp<string mnemonic, string set, int opcode> : SPIRV_Op<mnemonic> {
  let hasOpcode = 0;
  int extendedInstOpcode = opcode;
  string extendedInstSetName = set;
}
class Tosa_Op<string mnemonic, list<Trait> traits = []> : Op<Swept, mnemonic, traits> {
  list<Availability> availability = [];
  bit autogenAvailability = 1;
}
"#;

/// Clauses and directives.
const DIRECTIVES: &str = r#"class DirectiveLanguage { string name = ?; string cppNamespace = name; }
class Spelling<string text> { string spelling = text; int minVersion = 0; int maxVersion = 9; }
class EnumVal<string n, int v, bit user> {
  string name = n;
  list<Spelling> spellings = [Spelling<n>];
  int value = v;
  bit isUserValue = user;
  bit isDefault = 0;
}
class Clause { string enumClauseValue = ""; list<EnumVal> allowedClauseValues = []; }
"#;

/// The clauses of operations of OpenMP.
const OPENMP: &str = r#"class OpenMP_Clause {
  list<Trait> traits = [];
  bit ignoreArgs = 0;
  dag arguments = (ins);
  bit ignoreAsmFormat = 0;
  string assemblyFormat = "";
  string reqAssemblyFormat = "";
  string optAssemblyFormat = "";
  bit ignoreDesc = 0;
  string description = "A clause.";
  bit ignoreExtraDecl = 0;
  string extraClassDeclaration = "";
}
class OpenMP_Op<string mnemonic, list<OpenMP_Clause> clauses> : Op<Swept, mnemonic> {
  list<OpenMP_Clause> clauseList = clauses;
}
"#;

/// Bytecode is described with a library of its own.
const BYTECODE: &str = "include \"mlir/IR/BytecodeBase.td\"\ndef swept;\n";

/// The definitions.
pub(super) const DEFINITIONS: &[Definition] = &[
    of(
        "operation of LLVM IR",
        "MulOp",
        &[HEAD, DIALECT, LLVM],
        r#"def MulOp : LLVM_OpBase<"mul"> {
  let arguments = (ins I32:$left, I32:$right, I32Attr:$flags);
  let results = (outs I32:$product);
  let llvmBuilder = "$product = builder.CreateMul($left, $right, $flags);";
  let mlirBuilder = "$product = mul($_location, $left, $right, $_int_attr($flags));";
  let llvmArgIndices = [0, 1, -1];
  %
}
"#,
    ),
    of(
        "intrinsic of LLVM IR",
        "WashOp",
        &[HEAD, DIALECT, LLVM],
        r#"def WashOp : LLVM_IntrOpBase<"intr.wash"> {
  let arguments = (ins I32:$cloth);
  let llvmBuilder = "wash($cloth);";
  let mlirBuilder = "$_op = wash($cloth);";
  %
}
"#,
    ),
    of(
        "enum of LLVM IR",
        "Soap",
        &[HEAD, DIALECT, LLVM_ENUMS],
        r#"def Bar : LLVM_EnumAttrCase<"Bar", 1>;
def Foam : LLVM_EnumAttrCase<"Foam", 2>;
def Soap : LLVM_EnumAttr<"Soap", [Bar, Foam]> { let unsupported = [LLVM_EnumAttrCase<"Oil", 3>]; % }
"#,
    ),
    of(
        "enum of LLVM IR with plain numbers",
        "Brand",
        &[HEAD, DIALECT, LLVM_ENUMS],
        r#"def Brand : LLVM_CEnumAttr<"Brand", [LLVM_EnumAttrCase<"Own", 1>, LLVM_EnumAttrCase<"Other", 2>]> { % }
"#,
    ),
    of(
        "case of an enum of LLVM IR",
        "Hot",
        &[HEAD, DIALECT, LLVM_ENUMS],
        r#"def Hot : LLVM_EnumAttrCase<"Hot", 7> { % }
def Heat : LLVM_EnumAttr<"Heat", [LLVM_EnumAttrCase<"Cold", 1>, Hot]>;
def Class : LLVM_CEnumAttr<"Class", [Hot]>;
"#,
    ),
    of(
        "requirement",
        "Ten",
        &[HEAD, DIALECT, AVAILABILITY],
        r#"def Ten : Availability { let instance = "10"; % }
def Young : Implied<"Young", 0>;
def Old : Implied<"Old", 1> { let availability = [Ten]; }
def Ages : I32EnumAttr<"Ages", "", [Young, Old]> { let cppNamespace = "::swept"; let genSpecializedAttr = 0; }
def AgesAttr : SPIRV_I32EnumAttr<Ages>;
def VoteOp : SPIRV_Op<"vote"> { let availability = [Ten]; let arguments = (ins AgesAttr:$age); }
def CountOp : Tosa_Op<"count"> { let availability = [Ten]; let arguments = (ins AgesAttr:$age); }
"#,
    ),
    of(
        "operation with requirements",
        "VoteOp",
        &[HEAD, DIALECT, AVAILABILITY],
        r#"def Ten : Availability;
def Old : Implied<"Old", 1> { let availability = [Ten]; }
def Ages : I32EnumAttr<"Ages", "", [Implied<"Young", 0>, Old]> { let genSpecializedAttr = 0; }
def AgesAttr : SPIRV_I32EnumAttr<Ages>;
def VoteOp : SPIRV_Op<"vote"> {
  let availability = [Ten];
  let arguments = (ins I32:$voter, AgesAttr:$age, OptionalAttr<I32Attr>:$note, Optional<I32>:$proxy);
  let results = (outs I32:$voice);
  %
}
"#,
    ),
    of(
        "operation of TOSA",
        "CountOp",
        &[HEAD, DIALECT, AVAILABILITY],
        r#"def Ten : Availability;
def CountOp : Tosa_Op<"count"> {
  let availability = [Ten];
  let arguments = (ins I32:$voices);
  let results = (outs I32:$sum);
  %
}
"#,
    ),
    of(
        "instruction of an extended set",
        "SortOp",
        &[HEAD, DIALECT, AVAILABILITY],
        r#"def SortOp : SPIRV_ExtInstOp<"GL.sort", "GLSL.std.450", 5> {
  let arguments = (ins Variadic<I32>:$cards);
  let results = (outs I32:$first);
  %
}
def CloseOp : SPIRV_Op<"close"> { let hasOpcode = 0; let autogenSerialization = 0; }
"#,
    ),
    of(
        "case with requirements",
        "Old",
        &[HEAD, DIALECT, AVAILABILITY],
        r#"def Ten : Availability;
def Young : Implied<"Young", 0>;
def Old : Implied<"Old", 1, [Young]> { let availability = [Ten]; % }
def Capability : I32EnumAttr<"Capability", "", [Young, Old]> { let genSpecializedAttr = 0; }
def SPIRV_CapabilityAttr : SPIRV_I32EnumAttr<Capability>;
def VoteOp : SPIRV_Op<"vote"> { let arguments = (ins SPIRV_CapabilityAttr:$may); }
"#,
    ),
    of(
        "enum with requirements",
        "Ages",
        &[HEAD, DIALECT, AVAILABILITY],
        r#"def Old : Implied<"Old", 1> { let availability = [Availability<>]; }
def Ages : I32EnumAttr<"Ages", "ages", [Old]> { let cppNamespace = "::swept"; let genSpecializedAttr = 0; % }
def AgesAttr : SPIRV_I32EnumAttr<Ages>;
def VoteOp : SPIRV_Op<"vote"> { let arguments = (ins AgesAttr:$age); }
"#,
    ),
    of(
        "language of directives",
        "Prose",
        &[HEAD, DIALECT, DIRECTIVES],
        r#"def Prose : DirectiveLanguage { let name = "Prose"; % }
def Tone : Clause { let enumClauseValue = "ToneKind"; let allowedClauseValues = [EnumVal<"soft", 1, 1>]; }
"#,
    ),
    of(
        "clause of directives",
        "Tone",
        &[HEAD, DIALECT, DIRECTIVES],
        r#"def Prose : DirectiveLanguage { let name = "Prose"; }
def Soft : EnumVal<"soft", 1, 1>;
def Tone : Clause { let enumClauseValue = "ToneKind"; let allowedClauseValues = [Soft, EnumVal<"very loud", 2, 0>]; % }
"#,
    ),
    of(
        "value of a clause",
        "Soft",
        &[HEAD, DIALECT, DIRECTIVES],
        r#"def Prose : DirectiveLanguage { let name = "Prose"; }
def Soft : EnumVal<"soft", 1, 1> { % }
def Tone : Clause { let enumClauseValue = "ToneKind"; let allowedClauseValues = [EnumVal<"loud", 2, 1>, Soft]; }
"#,
    ),
    of(
        "spelling of a value",
        "Spelled",
        &[HEAD, DIALECT, DIRECTIVES],
        r#"def Prose : DirectiveLanguage { let name = "Prose"; }
def Spelled : Spelling<"so ft"> { % }
def Soft : EnumVal<"soft", 1, 1> { let name = ?; let spellings = [Spelling<"loud">, Spelled]; }
def Tone : Clause { let enumClauseValue = "ToneKind"; let allowedClauseValues = [Soft]; }
"#,
    ),
    of(
        "clause of OpenMP",
        "OpenMP_FirstClause",
        &[HEAD, DIALECT, OPENMP],
        r#"def OpenMP_FirstClause : OpenMP_Clause {
  let arguments = (ins I32:$one, I32Attr:$two);
  let assemblyFormat = "$one `,` $two";
  let reqAssemblyFormat = "$one";
  let optAssemblyFormat = "`two` `(` $two `)`";
  let extraClassDeclaration = "int one();";
  %
}
def OpenMP_OneOp : OpenMP_Op<"one", [OpenMP_FirstClause]> { let arguments = (ins I32:$one); }
"#,
    ),
    of(
        "operation of OpenMP",
        "OpenMP_OneOp",
        &[HEAD, DIALECT, OPENMP],
        r#"def OpenMP_FirstClause : OpenMP_Clause { let arguments = (ins I32:$one); let assemblyFormat = "$one"; }
def OpenMP_OneOp : OpenMP_Op<"one", [OpenMP_FirstClause]> {
  let arguments = (ins I32:$one);
  let description = "One.";
  let assemblyFormat = "$one attr-dict";
  %
}
"#,
    ),
    of(
        "attribute in bytecode",
        "NoteAttr",
        &[BYTECODE],
        r#"def NoteAttr : DialectAttribute<(attr VarInt:$pitch, Bool:$_sharp, Array<Attribute>:$chords)> { % }
def Music : DialectAttributes<"swept"> { let elems = [NoteAttr, ReservedOrDead]; }
def Sounds : DialectTypes<"swept"> { let elems = []; }
"#,
    ),
    of(
        "type in bytecode",
        "ToneType",
        &[BYTECODE],
        r#"def ToneType : DialectType<(type SignedVarInt:$pitch, Type:$of)> { let cBuilder = "tone($_args)"; % }
def Sounds : DialectTypes<"swept"> { let elems = [ToneType]; }
"#,
    ),
    of(
        "element in bytecode",
        "Pitch",
        &[BYTECODE],
        r#"def Pitch : WithType<"int", WithParser<"read($_reader, $_var)", WithPrinter<"write($_getter)", WithGetter<"$_attrType.get($_member)">>>> { % }
def NoteAttr : DialectAttribute<(attr Pitch:$pitch, Array<Pitch>:$others, List<Pitch>:$more)>;
def Music : DialectAttributes<"swept"> { let elems = [NoteAttr]; }
"#,
    ),
    of(
        "composite in bytecode",
        "Pair",
        &[BYTECODE],
        r#"def Pair : CompositeBytecode<"std::pair<int, int>"> { dag members = (attr VarInt:$first, SignedVarInt:$second); let cBuilder = "pair($_args)"; % }
def NoteAttr : DialectAttribute<(attr Pair:$both, Array<Pair>:$more)>;
def Music : DialectAttributes<"swept"> { let elems = [NoteAttr]; }
"#,
    ),
    of(
        "list of attributes in bytecode",
        "Music",
        &[BYTECODE],
        r#"def NoteAttr : DialectAttribute<(attr VarInt:$pitch)>;
def Music : DialectAttributes<"swept"> { let elems = [NoteAttr]; % }
"#,
    ),
    swept(
        "interface of dialects",
        "Warm",
        r#"def Warm : DialectInterface<"Warm"> {
  let description = "Warms.";
  let cppNamespace = "::swept";
  let methods = [
    InterfaceMethod<"Warms it.", "int", "warm", (ins "int":$by)>,
    InterfaceMethod<"", "int", "cool", (ins), "", "return 1;">
  ];
  %
}
"#,
    ),
];
