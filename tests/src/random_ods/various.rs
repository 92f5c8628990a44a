//! Random enums, passes, interfaces and dialects.

use super::{OwnDefinitions, Tree, Writer};
use crate::older;

const SYMBOLS: &[&str] = &["A", "B", "Upper", "lower", "snake_case", "X1", "_9", "Default", "None", "All"];
const SPELLINGS: &[&str] = &["a", "b c", "x-y", "", "A", "quo\\\"te", "1", "or|and"];
const ENUM_LETS: &[&str] = &[
    "cppNamespace = \"::fuzz::ir\"",
    "cppNamespace = \"fuzz\"",
    "underlyingType = \"uint16_t\"",
    "stringToSymbolFnName = \"toEnum\"",
    "symbolToStringFnName = \"toString\"",
    "symbolToStringFnRetType = \"std::string\"",
    "maxEnumValFnName = \"most\"",
    "description = [{\n    Some enum.\n  }]",
];
const ENUM_ATTR_LETS: &[&str] = &["genSpecializedAttr = 0", "specializedAttrClassName = \"OwnAttr\""];
const BIT_LETS: &[&str] = &[
    "separator = \" | \"",
    "separator = \",\"",
    "printBitEnumPrimaryGroups = 1",
    "printBitEnumQuoted = 1",
    "printBitEnumQuoted = 0",
];
const OPTIONS: &[&str] = &[
    "Option<\"count\", \"count\", \"int\", \"3\", \"How many\">",
    "Option<\"isOn\", \"is-on\", \"bool\", /*default=*/\"\", \"On \\\"or\\\" off\">",
    "Option<\"word\", \"word\", \"std::string\", \"\\\"w\\\"\", \"A word\\nof two lines\">",
    "Option<\"kind\", \"kind\", \"::fuzz::Kind\", \"::fuzz::Kind::A\", \"A kind\", [{::llvm::cl::values(clEnumVal(A, \"a\"))}]>",
    "ListOption<\"list\", \"list\", \"int64_t\", \"Some\">",
    "ListOption<\"names\", \"names\", \"std::string\", \"Names\", \"::llvm::cl::ZeroOrMore\">",
];
const STATISTICS: &[&str] =
    &["Statistic<\"done\", \"num-done\", \"How many are done\">", "Statistic<\"more\", \"more\", \"\">"];
const PASS_LETS: &[&str] = &[
    "summary = \"Does `it` \\\"well\\\"\"",
    "description = [{\n    Long\n      text.\n\n    - and a list\n  }]",
    "constructor = \"::fuzz::createIt()\"",
    "dependentDialects = [\"::fuzz::ir::FuzzDialect\", \"plain::PlainDialect\"]",
];
const METHODS: &[&str] = &[
    "InterfaceMethod<\"Says.\", \"int\", \"size\", (ins)>",
    "InterfaceMethod<[{\n      Of\n        more lines.\n    }], \"bool\", \"isGood\", (ins \"int\":$a, \"const ::fuzz::X &\":$b)>",
    "InterfaceMethod<\"\", \"void\", \"act\", (ins \"::mlir::Type\":$type), [{ $_op.act(type); }]>",
    "InterfaceMethod<\"\", \"bool\", \"maybe\", (ins), [{}], [{ return true; }]>",
    "InterfaceMethod<\"\", \"int\", \"both\", (ins \"int\":$n), [{ return n; }], [{ return $_op.x(n) + $_self.y(); }]>",
    "StaticInterfaceMethod<\"Static.\", \"int\", \"make\", (ins \"::mlir::MLIRContext *\":$context)>",
    "StaticInterfaceMethod<\"\", \"std::string\", \"label\", (ins), [{ return ConcreteOp::x(); }]>",
    "StaticInterfaceMethod<\"\", \"unsigned\", \"weight\", (ins), \"\", [{ return 1; }]>",
    "InterfaceMethod<\"\", \"std::pair<int, int>\", \"two\", (ins \"int\", \"int\":$second)>",
];
const INTERFACE_LETS: &[&str] = &[
    "description = [{\n    Is an interface\n      of some kind.\n  }]",
    "cppNamespace = \"::fuzz::ir\"",
    "cppNamespace = \"plain\"",
    "cppInterfaceName = \"Renamed\"",
    "extraClassDeclaration = [{\n    int extra() const { return $_op.size(); }\n  }]",
    "extraSharedClassDeclaration = [{\n    int shared() { return $_op.size() + $_attr.x() + $_type.y(); }\n  }]",
    "extraClassOf = [{ return $_op.ok(); }]",
    "verify = [{ return ok($_op); }]",
    "verifyWithRegions = 1",
    "extraTraitClassDeclaration = [{ int trait() { return $_op.x(); } }]",
];
const DIALECT_LETS: &[&str] = &[
    "summary = \"A dialect\"",
    "description = [{\n    Of\n      lines.\n  }]",
    "cppNamespace = \"::vary::ir\"",
    "cppNamespace = \"\"",
    "dependentDialects = [\"::fuzz::ir::FuzzDialect\", \"::mlir::func::FuncDialect\"]",
    "extraClassDeclaration = [{\n    int more();\n  }]",
    "hasConstantMaterializer = 1",
    "hasNonDefaultDestructor = 1",
    "hasOperationAttrVerify = 1",
    "hasRegionArgAttrVerify = 1",
    "hasRegionResultAttrVerify = 1",
    "hasOperationInterfaceFallback = 1",
    "useDefaultAttributePrinterParser = 1",
    "useDefaultTypePrinterParser = 1",
    "hasCanonicalizer = 1",
    "isExtensible = 1",
    "discardableAttrs = (ins \"::mlir::IntegerAttr\":$size, \"::fuzz::Mark\":$mark_it)",
    "usePropertiesForAttributes = 0",
];

impl Writer<'_> {
    pub(super) fn various(&mut self) -> Tree {
        let mut names = Vec::new();
        let mut parts = vec![self.dialect()];
        for _ in 0..=self.below(5) {
            let name =
                self.def_name(&["One", "Two", "Three_3", "lower", "Fuzz_Four", "_Five", "Six"], &mut names);
            let part = match self.below(7) {
                0 => self.int_enum(&name),
                1 => self.bit_enum(&name),
                2 => self.own_enum(&name, &mut OwnDefinitions::default()),
                3 | 4 => self.pass(&name),
                _ => self.interface(&name),
            };
            parts.push(part);
        }
        Tree::block("", parts, "")
    }

    fn dialect(&mut self) -> Tree {
        let lets = self.lets(DIALECT_LETS, 4);
        let tag = if self.tag == "A" { String::new() } else { self.tag.clone() };
        let name = format!("vary{}", tag.to_lowercase());
        let mut parts = vec![Tree::leaf(format!("  let name = \"{name}\";\n"))];
        parts.extend(lets);
        for field in ["summary", "description", "extraClassDeclaration"] {
            if self.one_in(9) {
                let value = if field.starts_with("extra") { self.code() } else { self.text() };
                parts.push(Tree::leaf(format!("  let {field} = {value};\n")));
            }
        }
        let attributes = match self.one_in(4) {
            true => {
                format!("def Vary{tag}Attr : AttrDef<Vary{tag}, \"Some\"> {{ let mnemonic = \"some\"; }}\n")
            }
            false => format!("def Vary{tag}Op : Op<Vary{tag}, \"op\"> {{ let arguments = (ins I32:$x); }}\n"),
        };
        let dialect = Tree::block(format!("def Vary{tag} : Dialect {{\n"), parts, "}\n");
        Tree::block("", vec![dialect, Tree::leaf(attributes)], "")
    }

    fn spelling(&mut self) -> String {
        match self.below(3) {
            0 => format!(", \"{}\"", self.pick(SPELLINGS)),
            _ => String::new(),
        }
    }

    fn int_enum(&mut self, name: &str) -> Tree {
        let width = self.pick(&["I32", "I64"]);
        let kind = self.pick(&["Enum", "EnumAttr"]);
        let case = if self.one_in(20) { "I32" } else { width };
        let mut used = Vec::new();
        let mut cases = Vec::new();
        for index in 0..self.below(5) {
            let symbol = self.name(SYMBOLS, &mut used);
            let number = if self.one_in(3) { self.below(9) } else { index };
            let sign = if self.one_in(12) { "-" } else { "" };
            let spelling = self.spelling();
            cases.push(Tree::leaf(format!("{case}{kind}Case<\"{symbol}\", {sign}{number}{spelling}>")));
        }
        let mut lets = self.lets(ENUM_LETS, 8);
        if kind == "EnumAttr" {
            lets.extend(self.lets(ENUM_ATTR_LETS, 6));
        }
        let summary = self.pick(&["", "some \\\"enum\\\""]);
        let head = format!("def {name} : {width}{kind}<\"{name}\", \"{summary}\", [\n    ");
        self.finish_enum(name, Tree::list(head, cases, ",\n    ", "\n  ]> {\n"), lets)
    }

    fn bit_enum(&mut self, name: &str) -> Tree {
        let width = self.pick(&["I8", "I32", "I64"]);
        let kind = self.pick(&["BitEnum", "BitEnumAttr"]);
        let mut used = Vec::new();
        let mut cases = Vec::new();
        for _ in 0..self.below(5) {
            let symbol = self.name(SYMBOLS, &mut used);
            let bit = self.below(8);
            let spelling = self.spelling();
            cases.push(Tree::leaf(match self.below(8) {
                0 => format!("{width}{kind}CaseNone<\"{symbol}\"{spelling}>"),
                1 => format!("{width}{kind}Case<\"{symbol}\", {bit}{spelling}>"),
                2 if width == "I32" && kind == "BitEnumAttr" => format!(
                    "I32BitEnumAttrCaseGroup<\"{symbol}\", [I32BitEnumAttrCaseBit<\"G\", {bit}>, I32BitEnumAttrCaseBit<\"H\", 2>]{spelling}>"
                ),
                3 if kind == "BitEnum" => format!(
                    "BitEnumCaseGroup<\"{symbol}\", [{width}BitEnumCaseBit<\"G\", 0>, {width}BitEnumCaseBit<\"H\", {bit}>]{spelling}>"
                ),
                _ => format!("{width}{kind}CaseBit<\"{symbol}\", {bit}{spelling}>"),
            }));
        }
        let mut lets = self.lets(ENUM_LETS, 9);
        lets.extend(self.lets(BIT_LETS, 5));
        if kind == "BitEnumAttr" {
            lets.extend(self.lets(ENUM_ATTR_LETS, 6));
        }
        let head = format!("def {name} : {width}{kind}<\"{name}\", \"\", [\n    ");
        self.finish_enum(name, Tree::list(head, cases, ",\n    ", "\n  ]> {\n"), lets)
    }

    fn finish_enum(&mut self, name: &str, head: Tree, lets: Vec<Tree>) -> Tree {
        let mut parts = vec![head];
        parts.extend(lets);
        let mut both = vec![Tree::block("", parts, "}\n")];
        if self.one_in(4) {
            let format = self.pick(&[";", " { let assemblyFormat = \"`<` $value `>`\"; }"]);
            both.push(Tree::leaf(format!(
                "def {name}_Wrapped : EnumAttr<Fuzz, {name}, \"w{name}\">{format}\n"
            )));
        }
        Tree::block("", both, "")
    }

    fn pass(&mut self, name: &str) -> Tree {
        let argument = self.pick(&["do-it", "fuzz-run", "x", "a.b"]);
        let class = match self.below(4) {
            0 => format!("InterfacePass<\"{argument}\", \"::fuzz::Iface\">"),
            1 => format!("Pass<\"{argument}\", \"::fuzz::ir::FuncOp\">"),
            2 => format!("Pass<\"{argument}\", \"mlir::ModuleOp\">"),
            3 if older::has_struct_attributes() => format!("FunctionPass<\"{argument}\">"),
            _ => format!("Pass<\"{argument}\">"),
        };
        let mut parts = self.lets(PASS_LETS, 2);
        for field in ["summary", "description", "constructor"] {
            if self.one_in(9) {
                let value = if field == "constructor" { self.code() } else { self.text() };
                parts.push(Tree::leaf(format!("  let {field} = {value};\n")));
            }
        }
        if self.one_in(2) {
            let mut options = self.lets_of(OPTIONS, 3);
            if self.one_in(2) {
                let class = self.pick(&["Option", "ListOption"]);
                let default = if class == "Option" { format!("{}, ", self.code()) } else { String::new() };
                let (ty, text, more) = (self.cpp_type(), self.text(), self.code());
                options.push(Tree::leaf(format!(
                    "{class}<\"own\", \"own-one\", {ty}, {default}{text}, {more}>"
                )));
            }
            parts.push(Tree::list("  let options = [\n    ", options, ",\n    ", "\n  ];\n"));
        }
        if self.one_in(3) {
            let mut statistics = self.lets_of(STATISTICS, 2);
            if self.one_in(3) {
                statistics.push(Tree::leaf(format!("Statistic<\"own\", \"own\", {}>", self.text())));
            }
            parts.push(Tree::list("  let statistics = [\n    ", statistics, ",\n    ", "\n  ];\n"));
        }
        Tree::block(format!("def {name} : {class} {{\n"), parts, "}\n")
    }

    fn interface(&mut self, name: &str) -> Tree {
        let class = self.pick(&["OpInterface", "OpInterface", "TypeInterface", "AttrInterface"]);
        let base = match (self.below(5), class) {
            (0, "OpInterface") => "[Sized]",
            (1, "OpInterface") => "[Sized, DeclareOpInterfaceMethods<InferTypeOpInterface>]",
            (0 | 1, "TypeInterface") => "[SizedType]",
            (0 | 1, "AttrInterface") => "[SizedAttr]",
            _ => "",
        };
        let base = if base.is_empty() { String::new() } else { format!(", {base}") };
        let mut parts = Vec::new();
        if !self.one_in(6) {
            let mut methods = self.lets_of(METHODS, 3);
            for index in 0..self.below(3) {
                let class = self.pick(&["InterfaceMethod", "StaticInterfaceMethod"]);
                let (text, ty, one, two) = (self.text(), self.cpp_type(), self.cpp_type(), self.cpp_type());
                let (body, default) = (self.code(), self.code());
                let (body, default) = match self.below(4) {
                    0 => ("[{}]".to_owned(), default),
                    1 => (body, "[{}]".to_owned()),
                    2 => ("\"\"".to_owned(), "\"\"".to_owned()),
                    _ => (body, default),
                };
                let ins = self.pick(&["(ins)", "(ins ONE:$a)", "(ins ONE:$a, TWO:$in)", "(ins ONE)"]);
                let ins = ins.replace("ONE", &one).replace("TWO", &two);
                methods.push(Tree::leaf(format!(
                    "{class}<{text}, {ty}, \"own{index}\", {ins}, {body}, {default}>"
                )));
            }
            parts.push(Tree::list("  let methods = [\n    ", methods, ",\n    ", "\n  ];\n"));
        }
        let own = if class == "OpInterface" { INTERFACE_LETS } else { &INTERFACE_LETS[..7] };
        parts.extend(self.lets(own, 6));
        for field in ["extraClassDeclaration", "extraSharedClassDeclaration", "extraClassOf", "description"] {
            if self.one_in(12) {
                let value = if field == "description" { self.text() } else { self.code() };
                parts.push(Tree::leaf(format!("  let {field} = {value};\n")));
            }
        }
        Tree::block(format!("def {name} : {class}<\"{name}\"{base}> {{\n"), parts, "}\n")
    }
}
