//! Random dialects whose C++ compiles, and their operations as text.
//!
//! Every name here exists in MLIR or is defined by the file itself, and formats print everything that a parser needs,
//! so that printed text is parsed to the same operation. Each dialect has a number, which is part of its names and its
//! namespace.

use std::fmt::Write as _;

use crate::random::Random;

/// The definitions of a dialect and operations in it.
#[derive(Clone, Debug)]
pub struct SoundDialect {
    /// The name of the dialect's definition and the prefix of its class: `S12`.
    pub name: String,
    /// The `.td` text.
    pub td: String,
    /// A module of operations in their generic form.
    pub mlir: String,
}

/// Values of the module's first operation: name and type.
const VALUES: &[(&str, &str)] = &[
    ("%v#0", "i32"),
    ("%v#1", "f32"),
    ("%v#2", "index"),
    ("%v#3", "tensor<2xf32>"),
    ("%v#4", "i1"),
    ("%v#5", "i64"),
];

/// Operands: the constraint, whether its type can be built without arguments, and the values that satisfy it.
const OPERANDS: &[(&str, bool, &[usize])] = &[
    ("I32", true, &[0]),
    ("F32", true, &[1]),
    ("Index", true, &[2]),
    ("I1", true, &[4]),
    ("AnyType", false, &[0, 1, 2, 3, 4, 5]),
    ("AnyInteger", false, &[0, 4, 5]),
    ("AnyTensor", false, &[3]),
    ("AnyTypeOf<[I32, F32]>", false, &[0, 1]),
    ("AnySignlessIntegerOrIndex", false, &[0, 2, 4, 5]),
];

/// Attributes: the constraint and some values.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("I32Attr", &["5 : i32", "-1 : i32"]),
    ("I64Attr", &["7 : i64"]),
    ("IndexAttr", &["3 : index"]),
    ("F32Attr", &["1.5 : f32"]),
    ("BoolAttr", &["true", "false"]),
    ("StrAttr", &["\"text\"", "\"\"", "\"with \\\"quotes\\\"\""]),
    ("TypeAttr", &["i32", "tensor<2xf32>"]),
    ("DenseI64ArrayAttr", &["array<i64: 1, 2>", "array<i64>"]),
    ("DenseBoolArrayAttr", &["array<i1: true, false>"]),
    ("ArrayAttr", &["[1 : i32, \"a\"]", "[]"]),
    ("I64ArrayAttr", &["[1, 2]"]),
    ("StrArrayAttr", &["[\"a\", \"b\"]"]),
    ("FlatSymbolRefAttr", &["@sym"]),
    ("SymbolRefAttr", &["@a::@b"]),
    ("DictionaryAttr", &["{a = 1 : i32}"]),
    ("AffineMapAttr", &["affine_map<(d0) -> (d0)>"]),
    ("ConfinedAttr<I64Attr, [IntPositive]>", &["4 : i64"]),
];

/// Properties: the constraint and some values as attributes.
const PROPERTIES: &[(&str, &[&str])] = &[
    ("I64Prop", &["5 : i64", "-2 : i64"]),
    ("I32Prop", &["5 : i32"]),
    ("StringProp", &["\"text\"", "\"\""]),
    ("BoolProp", &["true", "false"]),
    ("ArrayProp<I64Prop>", &["[1, 2]", "[]"]),
    ("ArrayProp<StringProp>", &["[\"a\"]", "[]"]),
    ("ConfinedProp<I64Prop, CPred<\"$_self > 2\">>", &["3 : i64"]),
];

/// Properties with a default: the constraint, and values other than the default.
const DEFAULTED_PROPERTIES: &[(&str, &[&str])] = &[
    ("DefaultValuedProp<I64Prop, \"5\">", &["6 : i64"]),
    ("DefaultValuedProp<StringProp, \"\\\"s\\\"\">", &["\"t\""]),
    ("OptionalProp<I64Prop>", &["[5]"]),
    ("OptionalProp<StringProp>", &["[\"s\"]"]),
];

/// Parameters of attributes and types: the declaration and a value as text.
const PARAMETERS: &[(&str, &str)] = &[
    ("\"int64_t\"", "5"),
    ("\"unsigned\"", "3"),
    ("\"bool\"", "true"),
    ("\"::mlir::Type\"", "i32"),
    ("\"::mlir::Attribute\"", "\"a\""),
    ("StringRefParameter<\"word\">", "\"word\""),
    ("\"::mlir::IntegerAttr\"", "4 : i8"),
];

/// An operation under construction.
#[derive(Default)]
struct Op {
    arguments: Vec<String>,
    /// Elements of its format, in any order.
    format: Vec<String>,
    operands: Vec<Operand>,
    entries: Vec<Entry>,
}

struct Operand {
    /// Indexes of the values that satisfy its constraint.
    values: &'static [usize],
    is_variable: bool,
    /// The largest number of values, if it varies.
    most: usize,
}

/// An attribute or a property.
struct Entry {
    name: String,
    values: Vec<String>,
    is_needed: bool,
}

struct Writer {
    random: Random,
    number: u64,
    td: String,
    mlir: String,
    /// Enums, with their values as attributes.
    enums: Vec<(String, Vec<String>)>,
    /// Attributes of the file, with their values.
    attributes: Vec<(String, Vec<String>)>,
    /// True if the file defines a type.
    has_type: bool,
}

/// The dialect for a number.
#[must_use]
pub fn sound(number: u64) -> SoundDialect {
    let random = Random::new(number ^ 0x50_04d);
    let mut writer = Writer {
        random,
        number,
        td: String::new(),
        mlir: String::new(),
        enums: Vec::new(),
        attributes: Vec::new(),
        has_type: false,
    };
    writer.file();
    SoundDialect { name: format!("S{number}"), td: writer.td, mlir: writer.mlir }
}

impl Writer {
    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.random.one_in(n)
    }

    fn file(&mut self) {
        let number = self.number;
        self.has_type = self.one_in(2);
        let flags = [("Attribute", true), ("Type", self.has_type)];
        let uses = flags.iter().filter(|(_, has)| *has);
        let uses: String =
            uses.map(|(kind, _)| format!("  let useDefault{kind}PrinterParser = 1;\n")).collect();
        self.td = format!(
            "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/AttrTypeBase.td\"\ninclude \"mlir/IR/EnumAttr.td\"\n\
             include \"mlir/Interfaces/InferTypeOpInterface.td\"\ninclude \"mlir/Interfaces/SideEffectInterfaces.td\"\n\
             def S{number}Dialect : Dialect {{\n  let name = \"s{number}\";\n  let cppNamespace = \"::sound::s{number}\";\n{uses}}}\n"
        );
        for index in 0..1 + self.below(2) {
            self.enumeration(index);
        }
        // There is always one, so that the list of attributes to register is not empty.
        let parameters = self.parameters("Mark", "mark", "AttrDef");
        self.attributes.push((format!("S{number}_Mark"), vec![format!("#s{number}.mark{parameters}")]));
        let mut types: Vec<String> = VALUES.iter().map(|(_, ty)| (*ty).to_owned()).collect();
        if self.has_type {
            let parameters = self.parameters("Box", "box", "TypeDef");
            types.push(format!("!s{number}.box{parameters}"));
        }
        self.mlir = format!("%v:{} = \"test.source\"() : () -> ({})\n", types.len(), types.join(", "));
        for index in 0..1 + self.below(3) {
            self.operation(index, &types);
        }
    }

    /// Defines an attribute or a type; returns its parameters as text.
    fn parameters(&mut self, name: &str, mnemonic: &str, class: &str) -> String {
        let number = self.number;
        let count = self.below(4);
        let chosen: Vec<(&str, &str)> = (0..count).map(|_| *self.random.pick(PARAMETERS)).collect();
        let declared: Vec<String> =
            chosen.iter().enumerate().map(|(index, (ty, _))| format!("{ty}:$p{index}")).collect();
        let names: Vec<String> = (0..count).map(|index| format!("$p{index}")).collect();
        let values: Vec<String> = chosen.iter().map(|(_, value)| (*value).to_owned()).collect();
        let (format, text) = match self.below(3) {
            _ if count == 0 => (String::new(), String::new()),
            0 => ("`<` params `>`".to_owned(), format!("<{}>", values.join(", "))),
            1 => {
                let named: Vec<String> =
                    values.iter().enumerate().map(|(index, value)| format!("p{index} = {value}")).collect();
                ("`<` struct(params) `>`".to_owned(), format!("<{}>", named.join(", ")))
            }
            _ => (format!("`<` {} `>`", names.join(" `,` ")), format!("<{}>", values.join(", "))),
        };
        let format =
            if count == 0 { String::new() } else { format!("  let assemblyFormat = \"{format}\";\n") };
        let _ = write!(
            self.td,
            "def S{number}_{name} : {class}<S{number}Dialect, \"{name}{number}\"> {{\n  let mnemonic = \"{mnemonic}\";\n  let parameters = (ins {});\n{format}}}\n",
            declared.join(", ")
        );
        text
    }

    fn enumeration(&mut self, index: usize) {
        let number = self.number;
        let name = format!("S{number}E{index}");
        let is_bit = self.one_in(2);
        let is_attribute = self.one_in(2);
        let bits = *self.random.pick(&[32, 64]);
        let kind = match (is_bit, is_attribute) {
            (true, true) => "BitEnumAttr",
            (true, false) => "BitEnum",
            (false, true) => "EnumAttr",
            (false, false) => "Enum",
        };
        let mut cases = Vec::new();
        let (mut values, mut spellings) = (Vec::new(), Vec::new());
        let count = 2 + self.below(3);
        for case in 0..count {
            let spelling = match self.below(4) {
                // Bit enums print their cases without quotes, so that these have to be keywords.
                0 if !is_bit => format!(", \"s {case}\""),
                0 | 1 => format!(", \"s{case}\""),
                _ => String::new(),
            };
            spellings.push(match spelling.strip_prefix(", ") {
                None => format!("C{case}"),
                Some(spelling) if spelling.contains(' ') => spelling.to_owned(),
                Some(spelling) => spelling.replace('"', ""),
            });
            if is_bit {
                cases.push(format!("I{bits}{kind}CaseBit<\"C{case}\", {case}{spelling}>"));
                values.push(1 << case);
            } else {
                let value = if self.one_in(4) { 10 * case as u64 } else { case as u64 };
                cases.push(format!("I{bits}{kind}Case<\"C{case}\", {value}{spelling}>"));
                values.push(value);
            }
        }
        let mut lets = String::new();
        if is_bit {
            if self.one_in(2) {
                let group = if is_attribute {
                    format!("I{bits}BitEnumAttrCaseGroup")
                } else {
                    "BitEnumCaseGroup".to_owned()
                };
                cases.push(format!("{group}<\"Both\", [{}, {}]>", cases[0], cases[1]));
                values.push(3);
            }
            if self.one_in(2) {
                cases.push(format!("I{bits}{kind}CaseNone<\"Zero\">"));
                values.push(0);
            }
            values.push(3);
            let separator = *self.random.pick(&["|", ", ", " | ", ","]);
            let _ = writeln!(lets, "  let separator = \"{separator}\";");
            for field in ["printBitEnumPrimaryGroups", "printBitEnumQuoted"] {
                if self.one_in(3) {
                    let _ = writeln!(lets, "  let {field} = {};", self.below(2));
                }
            }
        }
        let _ = write!(
            self.td,
            "def {name} : I{bits}{kind}<\"{name}\", \"\", [{}]> {{\n  let cppNamespace = \"::sound::s{number}\";\n{lets}}}\n",
            cases.join(", ")
        );
        if is_attribute {
            let texts = values.iter().map(|value| format!("{value} : i{bits}")).collect();
            self.attributes.push((name, texts));
            return;
        }
        if self.one_in(2) {
            let _ = writeln!(
                self.td,
                "def {name}A : EnumAttr<S{number}Dialect, {name}, \"e{index}\"> {{ let assemblyFormat = \"`<` $value `>`\"; }}"
            );
            let texts = spellings.iter().map(|spelling| format!("#s{number}.e{index}<{spelling}>")).collect();
            self.attributes.push((format!("{name}A"), texts));
        }
        self.enums.push((name, values.iter().map(|value| format!("{value} : i{bits}")).collect()));
    }

    fn operation(&mut self, index: usize, types: &[String]) {
        let number = self.number;
        let mut op = Op::default();
        for operand in 0..self.below(4) {
            self.operand(operand, &mut op);
        }
        for attribute in 0..self.below(4) {
            self.attribute(attribute, &mut op);
        }
        for property in 0..self.below(3) {
            self.property(property, &mut op);
        }
        self.random_order(&mut op.format);
        let result_types: &[(&str, &str, bool)] = &[
            ("I32", "i32", true),
            ("F32", "f32", true),
            ("AnyType", "i64", false),
            ("AnyTensor", "tensor<2xf32>", false),
        ];
        let mut results = Vec::new();
        let mut result_format = Vec::new();
        let mut result_text = Vec::new();
        for result in 0..self.below(3) {
            let (constraint, ty, is_buildable) = *self.random.pick(result_types);
            results.push(format!("{constraint}:$r{result}"));
            result_text.push(ty);
            if !is_buildable {
                result_format.push(format!("type($r{result})"));
            }
        }
        let has_region = self.one_in(6);
        let mut format = op.format.join(" ");
        if has_region {
            format += if self.one_in(2) { " $body" } else { " regions" };
        }
        format += *self.random.pick(&[" attr-dict", " attr-dict", " attr-dict-with-keyword"]);
        if !result_format.is_empty() {
            format += &format!(" `->` {}", result_format.join(" `,` "));
        }
        let variable = op.operands.iter().filter(|operand| operand.is_variable).count();
        let mut traits = Vec::new();
        if variable > 1 {
            traits.push("AttrSizedOperandSegments");
        }
        traits.extend(["Pure"].into_iter().filter(|_| !has_region && self.random.one_in(4)));
        let regions = if has_region { "  let regions = (region AnyRegion:$body);\n" } else { "" };
        let _ = write!(
            self.td,
            "def S{number}_O{index}Op : Op<S{number}Dialect, \"o{index}\", [{}]> {{\n  let arguments = (ins {});\n  let results = (outs {});\n{regions}  let assemblyFormat = [{{{format}}}];\n}}\n",
            traits.join(", "),
            op.arguments.join(", "),
            results.join(", "),
        );
        for _ in 0..3 {
            self.instance(index, &op, &result_text, has_region, types);
        }
    }

    fn random_order(&mut self, parts: &mut [String]) {
        for index in (1..parts.len()).rev() {
            let other = self.below(index + 1);
            parts.swap(index, other);
        }
    }

    fn operand(&mut self, index: usize, op: &mut Op) {
        let (constraint, is_buildable, values) = match self.has_type && self.one_in(5) {
            // Only the last value has the type of the file.
            true => (format!("S{}_Box", self.number), false, &[6][..]),
            false => {
                let (constraint, is_buildable, values) = *self.random.pick(OPERANDS);
                (constraint.to_owned(), is_buildable, values)
            }
        };
        let kind = *self.random.pick(&["", "", "", "Optional", "Variadic"]);
        let name = format!("v{index}");
        let typed = if is_buildable { String::new() } else { format!(" `:` type(${name})") };
        match kind {
            "" => {
                op.arguments.push(format!("{constraint}:${name}"));
                op.format.push(format!("`k{index}` ${name}{typed}"));
            }
            _ => {
                op.arguments.push(format!("{kind}<{constraint}>:${name}"));
                let other = if self.one_in(3) { format!(") : (`none{index}`)?") } else { ")?".to_owned() };
                op.format.push(format!("(`k{index}` ${name}^{typed}{other}"));
            }
        }
        op.operands.push(Operand {
            values,
            is_variable: !kind.is_empty(),
            most: if kind == "Variadic" { 3 } else { 1 },
        });
    }

    fn attribute(&mut self, index: usize, op: &mut Op) {
        let name = format!("a{index}");
        let (constraint, values) = match self.one_in(3) {
            true => {
                let attributes = self.attributes.clone();
                self.random.pick(&attributes).clone()
            }
            false => {
                let (constraint, values) = *self.random.pick(ATTRIBUTES);
                (constraint.to_owned(), values.iter().map(|value| (*value).to_owned()).collect())
            }
        };
        let (constraint, values, is_needed) = match self.below(8) {
            0 => ("UnitAttr".to_owned(), vec!["unit".to_owned()], false),
            1 => ("DefaultValuedAttr<I32Attr, \"7\">".to_owned(), vec!["8 : i32".to_owned()], false),
            2 => ("DefaultValuedOptionalStrAttr<StrAttr, \"s\">".to_owned(), vec!["\"t\"".to_owned()], false),
            3 | 4 => (format!("OptionalAttr<{constraint}>"), values, false),
            _ => (constraint, values, true),
        };
        match (constraint == "UnitAttr", is_needed) {
            // It stays in the attribute dictionary.
            _ if self.one_in(4) => {}
            (true, _) => op.format.push(format!("(`u{index}` ${name}^)?")),
            (_, true) => op.format.push(format!("`w{index}` `=` ${name}")),
            (_, false) => op.format.push(format!("(`w{index}` `=` ${name}^)?")),
        }
        op.arguments.push(format!("{constraint}:${name}"));
        op.entries.push(Entry { name, values, is_needed });
    }

    fn property(&mut self, index: usize, op: &mut Op) {
        let name = format!("p{index}");
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        let (constraint, values, is_needed) = match self.below(7) {
            0 => ("UnitProp".to_owned(), vec!["unit".to_owned()], false),
            1 | 2 => {
                let (constraint, values) = *self.random.pick(DEFAULTED_PROPERTIES);
                (constraint.to_owned(), owned(values), false)
            }
            3 | 4 if !self.enums.is_empty() => {
                let enums = self.enums.clone();
                let (name, values) = self.random.pick(&enums).clone();
                (format!("EnumProp<{name}>"), values, true)
            }
            _ => {
                let (constraint, values) = *self.random.pick(PROPERTIES);
                (constraint.to_owned(), owned(values), true)
            }
        };
        op.format.push(match (constraint == "UnitProp", is_needed) {
            (true, _) => format!("(`y{index}` ${name}^)?"),
            (_, true) => format!("`z{index}` `=` ${name}"),
            (_, false) => format!("(`z{index}` `=` ${name}^)?"),
        });
        op.arguments.push(format!("{constraint}:${name}"));
        op.entries.push(Entry { name, values, is_needed });
    }

    /// Writes one operation as text.
    fn instance(&mut self, index: usize, op: &Op, results: &[&str], has_region: bool, types: &[String]) {
        let (mut operands, mut operand_types, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for operand in &op.operands {
            let count = if operand.is_variable { self.below(operand.most + 1) } else { 1 };
            sizes.push(count.to_string());
            for _ in 0..count {
                let value = *self.random.pick(operand.values);
                operands.push(format!("%v#{value}"));
                operand_types.push(types[value].clone());
            }
        }
        let mut entries = Vec::new();
        for Entry { name, values, is_needed } in &op.entries {
            if *is_needed || self.one_in(2) {
                entries.push(format!("{name} = {}", self.random.pick(values)));
            }
        }
        if op.operands.iter().filter(|operand| operand.is_variable).count() > 1 {
            let sizes = if sizes.is_empty() { String::new() } else { format!(": {}", sizes.join(", ")) };
            entries.push(format!("operandSegmentSizes = array<i32{sizes}>"));
        }
        let entries =
            if entries.is_empty() { String::new() } else { format!(" <{{{}}}>", entries.join(", ")) };
        let discardable = if self.one_in(3) { " {more = 1 : i8}" } else { "" };
        let region = if has_region { " ({\n})" } else { "" };
        let _ = writeln!(
            self.mlir,
            "\"s{}.o{index}\"({}){entries}{region}{discardable} : ({}) -> ({})",
            self.number,
            operands.join(", "),
            operand_types.join(", "),
            results.join(", ")
        );
    }
}
