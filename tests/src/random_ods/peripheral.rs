//! Random inputs of the generators that only parts of MLIR use: LLVM IR, SPIR-V, TOSA, OpenMP, directives.
//!
//! The classes that these generators look for are defined here, with the fields that they read.

use super::{Tree, Writer};
use crate::older;

type Runs = &'static [&'static [&'static str]];

/// The number of themes.
pub(super) const COUNT: usize = THEMES.len();

const THEMES: &[(Runs, &str)] = &[
    (
        &[
            &["--gen-llvmir-conversions"],
            &["--gen-op-from-llvmir-conversions"],
            &["--gen-intr-from-llvmir-conversions"],
            &["--gen-convertible-llvmir-intrinsics"],
        ],
        r#"class LLVM_OpBase<string mnemonic, list<Trait> traits = []> : Op<Fuzz, mnemonic, traits> {
  string llvmInstName = "Inst";
  string llvmBuilder = "";
  string mlirBuilder = "";
  list<int> llvmArgIndices = [];
}
class LLVM_IntrOpBase<string mnemonic, list<Trait> traits = []> : LLVM_OpBase<mnemonic, traits> {
  string llvmEnumName = mnemonic;
}
"#,
    ),
    (
        &[
            &["--gen-enum-to-llvmir-conversions"],
            &["--gen-enum-from-llvmir-conversions"],
            &["--gen-enum-decls"],
        ],
        r#"class LLVM_EnumAttrCase<string symbol, string llvm, int value> : I64EnumAttrCase<symbol, value> {
  string llvmEnumerant = llvm;
}
class LLVM_EnumAttr<string name, string llvm, list<LLVM_EnumAttrCase> cases> : I64EnumAttr<name, "", cases> {
  list<LLVM_EnumAttrCase> unsupported = [];
  string llvmClassName = llvm;
}
class LLVM_CEnumAttr<string name, string llvm, list<LLVM_EnumAttrCase> cases> : I64EnumAttr<name, "", cases> {
  string llvmClassName = llvm;
}
"#,
    ),
    (
        &[
            &["--gen-avail-interface-decls"],
            &["--gen-avail-interface-defs"],
            &["--gen-spirv-enum-avail-decls"],
            &["--gen-spirv-enum-avail-defs"],
            &["--gen-spirv-attr-utils"],
            &["--gen-spirv-avail-impls"],
            &["--gen-tosa-avail-impls"],
            &["--gen-spirv-serialization"],
            &["--gen-spirv-capability-implication"],
        ],
        r#"class Availability {
  string cppNamespace = ?;
  string interfaceName = ?;
  string interfaceDescription = "";
  string queryFnRetType = ?;
  string queryFnName = ?;
  code mergeAction = ?;
  string initializer = ?;
  string instanceType = ?;
  code instancePreparation = "";
  string instance = ?;
}
class Requirement<string name, string value> : Availability {
  let cppNamespace = "::fuzz";
  let interfaceName = "Query" # name;
  let queryFnRetType = name # "List";
  let queryFnName = "get" # name;
  let mergeAction = !if(!empty(value), "", "$overall.add($instance, $$)");
  let initializer = "{}";
  let instanceType = name;
  let instancePreparation = !if(!empty(value), "", "prepare();");
  let instance = value;
}
class Capability<string value> : Requirement<"Capability", value> { let interfaceDescription = "\n  About it.\n    More.\n"; }
class Extension<string value> : Requirement<"Extension", value>;
class MinVersion<string value> : Requirement<"MinVersion", value>;
class MaxVersion<string value> : Requirement<"MaxVersion", value>;
class Case<string name, int value, list<Availability> required = []> : I32EnumAttrCase<name, value> {
  list<Availability> availability = required;
}
class BitCase<string name, int position, list<Availability> required = []> : I32BitEnumAttrCaseBit<name, position> {
  list<Availability> availability = required;
}
class SPIRV_I32EnumAttr<EnumInfo info> : EnumAttr<Fuzz, info>;
class SPIRV_BitEnumAttr<EnumInfo info> : EnumAttr<Fuzz, info>;
def SPIRV_Kind : I32EnumAttr<"Kind", "", [Case<"A", 1, [MinVersion<"1">, Capability<"x">]>, Case<"B", 2>]> { let cppNamespace = "::fuzz::e"; }
def SPIRV_KindAttr : SPIRV_I32EnumAttr<SPIRV_Kind>;
def SPIRV_ScopeAttr : SPIRV_I32EnumAttr<SPIRV_Kind>;
def SPIRV_Mask : I32BitEnumAttr<"Mask", "", [BitCase<"F", 0, [Extension<"e">]>, BitCase<"G", 2>]> { let cppNamespace = "::fuzz::e"; }
def SPIRV_MaskAttr : SPIRV_BitEnumAttr<SPIRV_Mask>;
class SPIRV_Op<string mnemonic, list<Trait> traits = []> : Op<Fuzz, mnemonic, traits> {
  list<Availability> availability = [];
  bit autogenAvailability = 1;
  bit hasOpcode = 1;
  string spirvOpName = "Op" # mnemonic;
  bit autogenSerialization = 1;
}
class SPIRV_ExtInstOp<string mnemonic, string set, int opcode, list<Trait> traits = []> : SPIRV_Op<mnemonic, traits> {
  let hasOpcode = 0;
  int extendedInstOpcode = opcode;
  string extendedInstSetName = set;
}
class Tosa_Op<string mnemonic, list<Trait> traits = []> : Op<Fuzz, mnemonic, traits> {
  list<Availability> availability = [];
  bit autogenAvailability = 1;
}
"#,
    ),
    (
        &[&["--gen-openmp-clause-ops"], &["--verify-openmp-ops"]],
        r#"class OpenMP_Clause<bit skipArguments = 0, bit skipFormat = 0, bit skipDescription = 0, bit skipDeclaration = 0> {
  bit ignoreArgs = skipArguments;
  dag arguments = (ins);
  bit ignoreAsmFormat = skipFormat;
  string reqAssemblyFormat = "";
  string optAssemblyFormat = "";
  bit ignoreDesc = skipDescription;
  string description = "";
  bit ignoreExtraDecl = skipDeclaration;
  string extraClassDeclaration = "";
}
class OpenMP_Op<string mnemonic, list<OpenMP_Clause> clauses = [], list<Trait> traits = []> : Op<Fuzz, mnemonic, traits> {
  list<OpenMP_Clause> clauseList = clauses;
}
"#,
    ),
    (
        &[&["--gen-directive-decl", "-directives-dialect=fuzz"], &["--gen-directive-decl"]],
        r#"class DirectiveLanguage { string name = ?; string cppNamespace = name; }
class EnumVal<string n, bit user> { string name = n; bit isUserValue = user; }
class Clause { string enumClauseValue = ""; list<EnumVal> allowedClauseValues = []; }
def Lang : DirectiveLanguage { let name = "lang"; let cppNamespace = "l"; }
"#,
    ),
];

/// Fields of dialects that earlier releases have.
const EARLIER: &[&str] = &[
    "emitAccessorPrefix = kEmitAccessorPrefix_Raw",
    "emitAccessorPrefix = kEmitAccessorPrefix_Prefixed",
    "emitAccessorPrefix = kEmitAccessorPrefix_Both",
    "useFoldAPI = kEmitFoldAdaptorFolder",
    "useFoldAPI = kEmitRawAttributesFolder",
];

const OPS: &[&str] = &["One", "Two", "SPIRV_Three", "Num10", "Num2", "lower", "Fuzz_Six", "_Seven"];
const NAMES: &[&str] = &["a", "b", "snake_case", "camelCase", "x1", "Upper", "in", "value"];
const REQUIRED: &[&str] = &[
    "MinVersion<\"1\">",
    "MinVersion<\"2\">",
    "MaxVersion<\"3\">",
    "Extension<\"e\">",
    "Extension<\"\">",
    "Capability<\"p\">",
    "Capability<\"q\">",
    "Capability<\"\">",
];
const PLACEHOLDERS: &[&str] = &[
    "$_resultType",
    "$_numOperands",
    "$_hasResult",
    "$_location",
    "$_op",
    "$_builder",
    "$_qualCppClassName",
    "$$",
    "$",
    "$_int_attr($a)",
    "$_float_attr($b)",
    "$_var_attr($a)",
    "$_label_attr($a)",
    "$_roundingMode_attr($a)",
    "$_fpExceptionBehavior_attr($b)",
    "$a",
    "$b",
    "$r",
    "$snake_case",
    "$camelCase",
    "$x1",
    "f(",
    ")",
    ", ",
    "\n",
    "\n  ",
    ";",
    " ",
    "$_",
    "$res",
];

impl Writer<'_> {
    /// The beginning of every file of a theme, after the dialects.
    pub(super) fn peripheral_begin(theme: usize) -> Tree {
        Tree::leaf(THEMES[theme].1)
    }

    pub(super) fn peripheral(&mut self, theme: usize) -> (Tree, Runs) {
        let mut parts = Vec::new();
        let mut names = Vec::new();
        let mut clauses = Vec::new();
        for _ in 0..=self.below(4) {
            let name = self.def_name(OPS, &mut names);
            let part = match theme {
                0 => self.llvm_op(&name),
                1 => self.llvm_enum(&name),
                2 if self.one_in(5) => self.available_enum(&name),
                2 => self.spirv_op(&name),
                3 => self.openmp(&name, &mut clauses),
                _ => self.clause(&name),
            };
            parts.push(part);
        }
        (Tree::block("", parts, ""), THEMES[theme].0)
    }

    fn llvm_snippet(&mut self) -> String {
        let count = self.below(6);
        let text: String = (0..count).map(|_| self.pick(PLACEHOLDERS)).collect();
        self.literal_of(&text)
    }

    fn few(&mut self, texts: &[&'static str], open: &str, close: &'static str) -> Tree {
        let mut used = Vec::new();
        let count = self.below(5);
        let items: Vec<String> = (0..count)
            .map(|_| {
                let text = self.pick(texts);
                let name = self.name(NAMES, &mut used);
                if self.mistake() { text.to_owned() } else { format!("{text}:${name}") }
            })
            .collect();
        Tree::list(open, Tree::leaves(items), ", ", close)
    }

    fn llvm_op(&mut self, name: &str) -> Tree {
        const ARGUMENTS: &[&str] = &[
            "I32",
            "I32",
            "Variadic<I32>",
            "Optional<F32>",
            "I32Attr",
            "OptionalAttr<StrAttr>",
            "I32Prop",
            "UnitAttr",
            "AnyType",
        ];
        let class = self.pick(&["LLVM_OpBase", "LLVM_OpBase", "LLVM_IntrOpBase"]);
        let mnemonic = self.pick(&["op", "intr.two", "a_b", "Upper"]);
        let traits = if self.one_in(9) { ", [AttrSizedOperandSegments]" } else { "" };
        let mut lets = vec![self.few(ARGUMENTS, "  let arguments = (ins ", ");\n")];
        if self.one_in(2) {
            lets.push(Tree::leaf(self.pick(&[
                "  let results = (outs I32:$r);\n",
                "  let results = (outs I32:$res, I32:$r);\n",
                "  let results = (outs Variadic<I32>:$r);\n",
            ])));
        }
        for field in ["llvmBuilder", "mlirBuilder"] {
            if !self.one_in(3) {
                let value = self.llvm_snippet();
                lets.push(Tree::leaf(format!("  let {field} = {value};\n")));
            }
        }
        lets.extend(self.lets(
            &[
                "llvmInstName = \"Other\"",
                "cppNamespace = \"\"",
                "llvmArgIndices = [1, -1, 0]",
                "llvmArgIndices = [0]",
                "llvmArgIndices = [2, 1, 0, -1]",
            ],
            6,
        ));
        if class == "LLVM_IntrOpBase" {
            lets.extend(self.lets(&["llvmEnumName = \"some_thing\""], 2));
        }
        Tree::block(format!("def {name} : {class}<\"{mnemonic}\"{traits}> {{\n"), lets, "}\n")
    }

    fn llvm_enum(&mut self, name: &str) -> Tree {
        let class = self.pick(&["LLVM_EnumAttr", "LLVM_CEnumAttr"]);
        let mut used = Vec::new();
        let mut case = |writer: &mut Self| {
            let symbol = writer.name(&["A", "b", "Cee", "x_y", "_9", "X1"], &mut used);
            format!("LLVM_EnumAttrCase<\"{symbol}\", \"L{symbol}\", {}>", writer.below(9))
        };
        let cases: Vec<String> = (0..self.below(4)).map(|_| case(self)).collect();
        let unsupported: Vec<String> = (0..self.below(2)).map(|_| case(self)).collect();
        let llvm = self.pick(&["::llvm::X", "", "::llvm::Id::Y"]);
        let head = Tree::list(
            format!("def {name} : {class}<\"{name}\", \"{llvm}\", ["),
            Tree::leaves(cases),
            ", ",
            "]> {\n",
        );
        let mut lets = vec![head];
        lets.extend(self.lets(&["cppNamespace = \"::fuzz\"", "cppNamespace = \"fuzz::a\""], 3));
        if class == "LLVM_EnumAttr" && !unsupported.is_empty() {
            lets.push(Tree::list("  let unsupported = [", Tree::leaves(unsupported), ", ", "];\n"));
        }
        Tree::block("", lets, "}\n")
    }

    fn required(&mut self) -> String {
        let count = self.below(4);
        let required: Vec<&str> = (0..count).map(|_| self.pick(REQUIRED)).collect();
        format!("[{}]", required.join(", "))
    }

    fn available_enum(&mut self, name: &str) -> Tree {
        let is_bit = self.one_in(3);
        let (class, case) = if is_bit { ("I32BitEnumAttr", "BitCase") } else { ("I32EnumAttr", "Case") };
        let mut used = Vec::new();
        let mut cases = Vec::new();
        for index in 0..self.below(4) {
            let symbol = self.name(&["A", "Bee", "C_1", "x"], &mut used);
            cases.push(format!("{case}<\"{symbol}\", {index}, {}>", self.required()));
        }
        let class_name = self.pick(&["HTTPKind", "bitFlags", "Kind_2", "X"]);
        let head = format!("def {name} : {class}<\"{class_name}{}\", \"\", [", self.tag);
        let attr = if is_bit { "SPIRV_BitEnumAttr" } else { "SPIRV_I32EnumAttr" };
        let mut both =
            vec![Tree::list(head, Tree::leaves(cases), ", ", "]> { let cppNamespace = \"::fuzz::e\"; }\n")];
        if self.one_in(2) {
            both.push(Tree::leaf(format!("def {name}Attr : {attr}<{name}>;\n")));
        }
        Tree::block("", both, "")
    }

    fn spirv_op(&mut self, name: &str) -> Tree {
        const ARGUMENTS: &[&str] = &[
            "I32",
            "I32",
            "Variadic<I32>",
            "Optional<I32>",
            "I32Attr",
            "OptionalAttr<I32ArrayAttr>",
            "SPIRV_KindAttr",
            "SPIRV_ScopeAttr",
            "SPIRV_MaskAttr",
            "OptionalAttr<SPIRV_KindAttr>",
            "TypeAttrOf<I32>",
            "AnyType",
            "UnitAttr",
            "I32ArrayAttr",
            "StrAttr",
            "FlatSymbolRefAttr",
        ];
        let mnemonic = self.pick(&["Plain", "a", "Two", "x.y"]);
        let traits = if self.one_in(9) { ", [AttrSizedOperandSegments]" } else { "" };
        let head = match self.below(4) {
            0 => format!(
                "SPIRV_ExtInstOp<\"{mnemonic}\", \"{}\", {}{traits}>",
                self.pick(&["GL", "CL.x"]),
                self.below(4)
            ),
            1 => format!("Tosa_Op<\"{mnemonic}\"{traits}>"),
            _ => format!("SPIRV_Op<\"{mnemonic}\"{traits}>"),
        };
        let mut lets = vec![self.few(ARGUMENTS, "  let arguments = (ins ", ");\n")];
        if self.one_in(2) {
            lets.push(Tree::leaf(self.pick(&[
                "  let results = (outs I32:$r);\n",
                "  let results = (outs I32:$r);\n",
                "  let results = (outs Optional<I32>:$r);\n",
                "  let results = (outs I32:$q, I32:$r);\n",
            ])));
        }
        if self.one_in(2) {
            let required = self.required();
            lets.push(Tree::leaf(format!("  let availability = {required};\n")));
        }
        lets.extend(self.lets(&["autogenAvailability = 0"], 6));
        if !head.starts_with("Tosa") {
            lets.extend(self.lets(&["autogenSerialization = 0", "hasOpcode = 0"], 8));
        }
        Tree::block(format!("def {name} : {head} {{\n"), lets, "}\n")
    }

    fn openmp(&mut self, name: &str, clauses: &mut Vec<String>) -> Tree {
        const ARGUMENTS: &[&str] = &[
            "AnyType",
            "Variadic<AnyType>",
            "Optional<I32>",
            "I32Attr",
            "ArrayAttr",
            "StrArrayAttr",
            "OptionalAttr<DenseBoolArrayAttr>",
            "OptionalAttr<I64ArrayAttr>",
            "DenseI32ArrayAttr",
            "UnitAttr",
            "AnyAttr",
            "SymbolRefAttr",
            "ConfinedAttr<OptionalAttr<I64Attr>, [IntMinValue<0>]>",
            "DefaultValuedAttr<I32Attr, \"3\">",
        ];
        let texts = ["", "text", "  blanks ", "\n lines\n  of text\n"];
        if clauses.is_empty() || self.one_in(2) {
            let mut lets = vec![self.few(ARGUMENTS, "  let arguments = (ins ", ");\n")];
            for field in ["reqAssemblyFormat", "optAssemblyFormat", "description", "extraClassDeclaration"] {
                if self.one_in(3) {
                    let text = *self.random.pick(&texts);
                    let literal = self.literal_of(text);
                    lets.push(Tree::leaf(format!("  let {field} = {literal};\n")));
                }
            }
            let skips =
                self.pick(&["", "", "", "<1>", "<0, 1>", "<1, 1, 1, 1>", "<0, 0, 1>", "<0, 0, 0, 1>"]);
            if self.one_in(3) {
                let head = format!(
                    "class OpenMP_{name}ClauseSkip<bit a = 0, bit b = 0, bit c = 0, bit d = 0> : OpenMP_Clause<a, b, c, d> {{\n"
                );
                clauses
                    .push(format!("OpenMP_{name}ClauseSkip{}", if skips.is_empty() { "<>" } else { skips }));
                let def = Tree::leaf(format!("def OpenMP_{name}Clause : OpenMP_{name}ClauseSkip<>;\n"));
                return Tree::block("", vec![Tree::block(head, lets, "}\n"), def], "");
            }
            let suffix = self.pick(&["Clause", "Clause", "Clause", ""]);
            let prefix = self.pick(&["OpenMP_", "OpenMP_", ""]);
            clauses.push(format!("{prefix}{name}{suffix}"));
            return Tree::block(
                format!("def {prefix}{name}{suffix} : OpenMP_Clause{skips} {{\n"),
                lets,
                "}\n",
            );
        }
        let count = self.below(3);
        let own: Vec<String> = (0..=count).map(|_| self.random.pick(clauses).clone()).collect();
        let mut lets = vec![self.few(ARGUMENTS, "  let arguments = (ins ", ");\n")];
        if self.one_in(2) {
            let text = self.pick(&["text attr-dict", "$a text", "a  text b"]);
            lets.push(Tree::leaf(format!("  let assemblyFormat = \"{text}\";\n")));
        }
        lets.extend(self.lets(
            &[
                "description = \"text\"",
                "extraClassDeclaration = \"text\"",
                "description = \"more text\\n lines\\n  of text\\n\"",
            ],
            4,
        ));
        let traits = if self.one_in(2) { ", [AttrSizedOperandSegments]" } else { "" };
        let head = Tree::list(format!("def {name} : OpenMP_Op<\"op\", ["), Tree::leaves(own), ", ", "]");
        Tree::block("", vec![head, Tree::leaf(format!("{traits}> {{\n")), Tree::block("", lets, "}\n")], "")
    }

    fn clause(&mut self, name: &str) -> Tree {
        let mut values = Vec::new();
        for _ in 0..self.below(4) {
            let text = self.pick(&["one", "two words", "hidden", "X", "a-b", "", "_x"]);
            values.push(format!("EnumVal<\"{text}\", {}>", self.below(2)));
        }
        let kind = self.pick(&["TenKind", "", "kind", "X::Y"]);
        let mut lets = Vec::new();
        if !self.one_in(5) {
            lets.push(Tree::leaf(format!("  let enumClauseValue = \"{kind}\";\n")));
        }
        lets.push(Tree::list("  let allowedClauseValues = [", Tree::leaves(values), ", ", "];\n"));
        Tree::block(format!("def {name} : Clause {{\n"), lets, "}\n")
    }

    /// The dialects of a block of files.
    pub(super) fn dialects(&mut self) -> Tree {
        const FUZZ: &[&str] = &[
            "summary = \"Random operations\"",
            "description = \"The dialect of\\n  random operations.\"",
            "description = [{\n    # Heading\n    [TOC]\n    ## More\n\n    text\n  }]",
            "hasConstantMaterializer = 1",
            "hasNonDefaultDestructor = 1",
            "useDefaultAttributePrinterParser = 1",
            "useDefaultTypePrinterParser = 1",
            "isExtensible = 1",
            "hasCanonicalizer = 1",
            "dependentDialects = [\"::mlir::func::FuncDialect\"]",
            "discardableAttrs = (ins \"::mlir::IntegerAttr\":$size, \"::fuzz::Mark\":$mark_it)",
            "extraClassDeclaration = [{\n    int more();\n  }]",
        ];
        let mut lets = self.lets(FUZZ, 4);
        if self.one_in(6) {
            lets.push(Tree::leaf("  let usePropertiesForAttributes = 0;\n"));
        }
        if !older::is_newest() {
            lets.extend(self.lets(EARLIER, 3));
        }
        let namespace = self.pick(&["::fuzz::ir", "::fuzz::ir", "::fuzz::ir", "fuzz", "", "::a::b::c"]);
        let open =
            format!("def Fuzz : Dialect {{\n  let name = \"fuzz\";\n  let cppNamespace = \"{namespace}\";\n");
        let plain = Tree::leaf(
            "def Plain : Dialect {\n  let name = \"plain\";\n  let cppNamespace = \"plain\";\n  let usePropertiesForAttributes = 0;\n}\n",
        );
        Tree::block("", vec![Tree::block(open, lets, "}\n"), plain], "//\n")
    }
}
