//! The constraints, attributes, properties, enums, traits, interfaces and effects that a file defines, with every field
//! of their classes.

use super::{Tree, Writer, words::ATTRIBUTES};
use crate::older;

/// The names of a file's own definitions, for its operations to use.
#[derive(Debug, Default)]
pub(super) struct OwnDefinitions {
    pub types: Vec<String>,
    pub attributes: Vec<String>,
    pub properties: Vec<String>,
    pub parameters: Vec<String>,
    pub traits: Vec<String>,
    pub effects: Vec<String>,
    pub regions: Vec<String>,
    pub groups: Vec<String>,
}

/// The kind of text that a field holds.
#[derive(Clone, Copy, Debug)]
enum Field {
    Code,
    Expression,
    Cpp,
    Bit,
    Text,
    OneOf(&'static [&'static str]),
}

type Fields = &'static [(&'static str, Field)];

use Field::{Bit, Code, Cpp, Expression, OneOf, Text};

const TYPE: Fields = &[
    (
        "builderCall",
        OneOf(&["\"\"", "\"$_builder.getX()\"", "\"X::get($_builder.getContext())\"", "\"get($_self)\""]),
    ),
    ("cppType", Cpp),
    ("cppFunctionName", OneOf(&["\"\"", "\"isOwn\""])),
    ("description", Text),
    ("summary", Text),
];
const ATTR: Fields = &[
    ("storageType", Cpp),
    ("storageType", Cpp),
    ("returnType", Cpp),
    ("returnType", Cpp),
    ("convertFromStorage", Expression),
    ("convertFromStorage", Code),
    (
        "constBuilderCall",
        OneOf(&["\"make($_builder, $0)\"", "\"$0\"", "\"make($_ctxt, $_self, $0)\"", "\"\""]),
    ),
    (
        "defaultValue",
        OneOf(&["\"\"", "\"3\"", "\"{}\"", "\"$_builder.x()\"", "\"{1, 2}\"", "\"\\\"s\\\"\"", "\"$_self\""]),
    ),
    ("valueType", OneOf(&["I32", "NoneType", "Made", "AnyType", "?"])),
    ("isOptional", Bit),
    ("baseAttr", OneOf(&["I32Attr", "StrAttr", "?"])),
    ("cppNamespace", OneOf(&["\"::fuzz\"", "\"fuzz\"", "\"\""])),
    ("cppFunctionName", OneOf(&["\"\"", "\"isOwnAttr\""])),
    ("description", Text),
    ("summary", Text),
];
const PROPERTY: Fields = &[
    ("summary", Text),
    ("description", Text),
    ("storageType", Cpp),
    ("interfaceType", Cpp),
    ("convertFromStorage", OneOf(&["\"$_storage\"", "\"f($_storage)\"", "\"$_storage.ref()\""])),
    (
        "assignToStorage",
        OneOf(&["\"$_storage = $_value\"", "\"$_storage.assign($_value.x())\"", "\"(void)$_value\""]),
    ),
    ("convertToAttribute", Code),
    ("convertFromAttribute", Code),
    ("hashProperty", OneOf(&["\"\"", "\"hash($_storage)\"", "\"llvm::hash($_self, $_storage)\""])),
    ("parser", Code),
    ("optionalParser", Code),
    ("printer", Code),
    ("writeToMlirBytecode", Code),
    ("readFromMlirBytecode", Code),
    ("defaultValue", OneOf(&["\"\"", "\"3\"", "\"{}\"", "\"$_x\"", "\"T{1, 2}\""])),
    ("storageTypeValueOverride", OneOf(&["\"\"", "\"S{}\""])),
    ("predicate", OneOf(&["CPred<\"$_self > 2\">", "And<[CPred<\"$_self\">, CPred<\"x($_self)\">]>"])),
    ("baseProperty", OneOf(&["?", "I64Prop"])),
];
const PARAMETER: Fields = &[
    ("allocator", Code),
    ("comparator", Code),
    ("cppType", Cpp),
    ("cppAccessorType", Cpp),
    ("cppStorageType", Cpp),
    ("convertFromStorage", Expression),
    ("summary", Text),
    ("syntax", Text),
    ("parser", Code),
    ("printer", Code),
    ("defaultValue", OneOf(&["\"\"", "\"3\"", "\"$_builder.x()\"", "\"T::get($_ctxt)\"", "\"{}\""])),
];
const ENUM: Fields = &[
    ("cppNamespace", OneOf(&["\"::fuzz::ir\"", "\"fuzz\"", "\"\"", "\"::\""])),
    ("summary", Text),
    ("description", Text),
    ("underlyingType", OneOf(&["\"uint16_t\"", "\"\"", "\"int64_t\""])),
    ("stringToSymbolFnName", OneOf(&["\"toEnum\"", "\"ConvertTo\""])),
    ("symbolToStringFnName", OneOf(&["\"toText\"", "\"name\""])),
    ("symbolToStringFnRetType", OneOf(&["\"std::string\"", "\"::llvm::StringRef\"", "\"const char *\""])),
    ("underlyingToSymbolFnName", OneOf(&["\"toSymbol\""])),
    ("maxEnumValFnName", OneOf(&["\"most\""])),
    ("className", OneOf(&["\"Renamed\""])),
    ("cppType", Cpp),
];
const BIT_ENUM: Fields = &[
    ("separator", OneOf(&["\"|\"", "\", \"", "\",\"", "\" | \"", "\"\"", "\" \"", "\"+\""])),
    ("printBitEnumPrimaryGroups", Bit),
    ("printBitEnumQuoted", Bit),
];
const ENUM_ATTR: Fields = &[
    ("genSpecializedAttr", Bit),
    ("specializedAttrClassName", OneOf(&["\"OwnAttr\""])),
    ("parameterParser", Code),
    ("parameterPrinter", Code),
    ("returnType", Cpp),
    ("storageType", Cpp),
    ("convertFromStorage", Expression),
    ("defaultValue", OneOf(&["\"E::A\"", "\"\""])),
];
const TRAIT: Fields = &[
    ("cppNamespace", OneOf(&["\"::fuzz::traits\"", "\"fuzz\"", "\"\"", "\"::mlir::OpTrait\""])),
    ("trait", OneOf(&["\"Other\"", "\"Wrap<3>::Impl\""])),
    ("extraConcreteClassDeclaration", Code),
    ("extraConcreteClassDefinition", Code),
    ("dependentTraits", OneOf(&["[]", "[SingleBlock]", "[Commutative, Wired]"])),
];

impl Writer<'_> {
    /// `let` statements for some of these fields.
    fn fields(&mut self, fields: Fields, n: usize) -> Vec<Tree> {
        let mut lets = Vec::new();
        for (name, field) in fields {
            if !self.one_in(n) || !older::is_field(name) {
                continue;
            }
            let value = match field {
                _ if self.mistake() => "?".to_owned(),
                Code => self.code(),
                Expression => self.expression(),
                Cpp => self.cpp_type(),
                Bit => self.pick(&["0", "1", "1"]).to_owned(),
                Text => self.text(),
                OneOf(values) => self.pick(values).to_owned(),
            };
            lets.push(Tree::leaf(format!("  let {name} = {value};\n")));
        }
        lets
    }

    /// A string literal for people to read.
    pub(super) fn text(&mut self) -> String {
        self.pick(&[
            "\"\"",
            "\"a `word`\"",
            "\"  blanks  \"",
            "\"two.\\nlines\"",
            "\"quote \\\" and \\\\ slash\"",
            "[{\n    Some\n      text.\n\n    * a list\n  }]",
            "[{\n\n    After a blank line.\n    # Heading\n    ## Another\n\n\n  }]",
            "[{one line}]",
            "[{\n  [TOC]\n  # One\n\n  text <b> & {0} $_self\n  }]",
            "\"Ends with a stop.\"",
            "\"%0 | table\"",
            "\"   \"",
            "\"\\n\"",
        ])
        .to_owned()
    }

    /// Some definitions in their order, and their names.
    pub(super) fn own(&mut self, tag: &str) -> (Vec<Tree>, OwnDefinitions) {
        let mut own = OwnDefinitions::default();
        let mut trees = Vec::new();
        for index in 0..self.below(7) {
            let name = format!("Own{tag}{index}");
            let tree = match self.below(13) {
                0 => self.own_type(&name, &mut own),
                1..=3 => self.own_attribute(&name, &mut own),
                4 | 5 => self.own_property(&name, &mut own),
                6 => {
                    own.parameters.push(name.clone());
                    let class = self.pick(&["AttrOrTypeParameter", "TypeParameter", "AttrParameter"]);
                    let head = format!("def {name} : {class}<{}, {}> {{\n", self.cpp_type(), self.text());
                    let lets = self.fields(PARAMETER, 4);
                    Tree::block(head, lets, "}\n")
                }
                7..=9 => self.own_enum(&name, &mut own),
                10 => self.own_trait(&name, &mut own),
                11 => self.own_effect(&name, &mut own),
                _ if self.one_in(2) => {
                    own.groups.push(name.clone());
                    let (summary, description) = (self.text(), self.text());
                    let lets = Tree::leaves(vec![
                        format!("  let summary = {summary};\n"),
                        format!("  let description = {description};\n"),
                    ]);
                    Tree::block(format!("def {name} : OpDocGroup {{\n"), lets, "}\n")
                }
                _ => {
                    own.regions.push(name.clone());
                    let predicate = self.predicate(2);
                    Tree::leaf(format!("def {name} : Region<{predicate}, {}>;\n", self.text()))
                }
            };
            trees.push(tree);
        }
        (trees, own)
    }

    fn own_type(&mut self, name: &str, own: &mut OwnDefinitions) -> Tree {
        own.types.push(name.to_owned());
        let (predicate, summary, cpp) = (self.predicate(3), self.text(), self.cpp_type());
        let class = self.pick(&["Type", "Type", "TypeConstraint", "DialectType"]);
        let (head, fields) = match class {
            "TypeConstraint" => (format!("TypeConstraint<{predicate}, {summary}, {cpp}>"), &TYPE[1..]),
            "DialectType" => (format!("DialectType<Fuzz, {predicate}, {summary}, {cpp}>"), TYPE),
            _ => (format!("Type<{predicate}, {summary}, {cpp}>"), TYPE),
        };
        let lets = self.fields(fields, 4);
        Tree::block(format!("def {name} : {head} {{\n"), lets, "}\n")
    }

    fn own_attribute(&mut self, name: &str, own: &mut OwnDefinitions) -> Tree {
        own.attributes.push(name.to_owned());
        let (predicate, summary) = (self.predicate(3), self.text());
        let head = match self.below(6) {
            0 => "ConfinedAttr<I64Attr, [IntMinValue<2>]>".to_owned(),
            1 => format!("DerivedAttr<{}, {}, {}>", self.cpp_type(), self.code(), self.expression()),
            2 => format!("DialectAttr<Fuzz, {predicate}, {summary}>"),
            3 => "TypedArrayAttrBase<I32Attr, \"words\">".to_owned(),
            4 | 5 if older::has_struct_attributes() => return self.own_earlier_attribute(name),
            _ => format!("Attr<{predicate}, {summary}>"),
        };
        // A derived attribute is a mistake as an argument; as a field it may have a conversion.
        if head.starts_with("Derived") && !self.mistake() {
            own.attributes.pop();
        }
        let lets = self.fields(ATTR, 4);
        Tree::block(format!("def {name} : {head} {{\n"), lets, "}\n")
    }

    /// An attribute of a kind that 15 dropped: a dictionary with known keys, or an enum of strings.
    fn own_earlier_attribute(&mut self, name: &str) -> Tree {
        let mut used = Vec::new();
        let count = self.below(4);
        if self.one_in(3) {
            let mut case = |writer: &mut Self| {
                let symbol = writer.name(&["A", "b", "Cee", "x_y", "_9"], &mut used);
                let number = writer.pick(&["", ", 3", ", 0"]);
                Tree::leaf(format!("StrEnumAttrCase<\"{symbol}\"{number}>"))
            };
            let cases = (0..count).map(|_| case(self)).collect();
            let head = format!("def {name} : StrEnumAttr<\"{name}\", {}, [", self.text());
            let cases = Tree::list(head, cases, ", ", "]> {\n");
            let lets = self.fields(ENUM, 8);
            return Tree::block("", [vec![cases], lets].concat(), "}\n");
        }
        let mut field = |writer: &mut Self| {
            let key = writer.name(&["a", "b", "snake_case", "camelCase", "Upper", "x1"], &mut used);
            let attribute = writer.pick_or(ATTRIBUTES, |own| &own.attributes);
            let attribute = match writer.below(4) {
                0 => format!("OptionalAttr<{attribute}>"),
                1 => format!("DefaultValuedAttr<{attribute}, \"3\">"),
                _ => attribute,
            };
            Tree::leaf(format!("StructFieldAttr<\"{key}\", {attribute}>"))
        };
        let fields = (0..count).map(|_| field(self)).collect();
        let fields =
            Tree::list(format!("def {name} : StructAttr<\"{name}\", Fuzz, ["), fields, ", ", "]> {\n");
        let lets = self.fields(&[("description", Text), ("summary", Text)], 3);
        Tree::block("", [vec![fields], lets].concat(), "}\n")
    }

    fn own_property(&mut self, name: &str, own: &mut OwnDefinitions) -> Tree {
        own.properties.push(name.to_owned());
        let head = match self.below(5) {
            0 => "IntProp<\"int16_t\">".to_owned(),
            1 => "StringProp".to_owned(),
            _ => format!("Property<{}, {}>", self.cpp_type(), self.text()),
        };
        let lets = self.fields(PROPERTY, 5);
        Tree::block(format!("def {name} : {head} {{\n"), lets, "}\n")
    }

    fn own_trait(&mut self, name: &str, own: &mut OwnDefinitions) -> Tree {
        own.traits.push(name.to_owned());
        let (declaration, definition) = (self.code(), self.code());
        let head = match self.below(7) {
            0 => format!("NativeOpTrait<\"Own\", [], {declaration}, {definition}>"),
            1 => "ParamNativeOpTrait<\"Own\", \"3, \\\"s\\\"\">".to_owned(),
            2 => "GenInternalOpTrait<\"Own\">".to_owned(),
            3 => format!("PredOpTrait<{}, {}>", self.text(), self.predicate(2)),
            4 => "TraitList<[SingleBlock, TraitList<[Wired, Commutative]>, Sized]>".to_owned(),
            5 => "NativeOpTrait<\"Own\">, StructuralOpTrait".to_owned(),
            _ => "NativeOpTrait<\"Own::Impl\", [SingleBlock]>".to_owned(),
        };
        let lets = if head.starts_with("Native") { self.fields(TRAIT, 5) } else { Vec::new() };
        Tree::block(format!("def {name} : {head} {{\n"), lets, "}\n")
    }

    fn own_effect(&mut self, name: &str, own: &mut OwnDefinitions) -> Tree {
        let head = match self.below(4) {
            0 => format!("Resource<{}>", self.cpp_type()),
            1 => "MemRead<Heap, 2, FullEffect>".to_owned(),
            2 => "MemWrite<DefaultResource>".to_owned(),
            _ => "MemFree<Heap>".to_owned(),
        };
        own.effects.push(if head.starts_with("Res") { format!("MemRead<{name}>") } else { name.to_owned() });
        Tree::leaf(format!("def {name} : {head};\n"))
    }

    /// An enum of any shape, and attributes and properties of it.
    pub(super) fn own_enum(&mut self, name: &str, own: &mut OwnDefinitions) -> Tree {
        let is_bit = self.one_in(2);
        let widths: &[usize] = if is_bit { &[32, 32, 64, 64, 8, 16] } else { &[32, 64] };
        let width = *self.random.pick(widths);
        let is_attr = self.one_in(3);
        let kind = match (is_bit, is_attr) {
            (true, true) => "BitEnumAttr",
            (true, false) => "BitEnum",
            (false, true) => "EnumAttr",
            (false, false) => "Enum",
        };
        let mut cases: Vec<String> = Vec::new();
        let mut symbols: Vec<String> = Vec::new();
        for _ in 0..self.below(6) {
            let symbol = self.name(
                &["A", "B", "Cee", "low", "snake_case", "X1", "_9", "None", "All", "Any"],
                &mut symbols,
            );
            let spelling = match self.below(3) {
                0 => format!(
                    ", \"{}\"",
                    self.pick(&["a", "b c", "x-y", "", "A", "quo\\\"te", "1", "or|and", "a,b", "true"])
                ),
                _ => String::new(),
            };
            let bits = if self.one_in(5) { width } else { 8 };
            let bit = self.below(bits);
            let case = match (is_bit, self.below(8)) {
                (true, 0) => format!("I{width}{kind}CaseNone<\"{symbol}\"{spelling}>"),
                (true, 1) => format!("I{width}{kind}Case<\"{symbol}\", {}{spelling}>", self.below(9)),
                (true, 2 | 3) if cases.len() > 1 => {
                    let members = cases[..2].join(", ");
                    match is_attr {
                        true => format!("I{width}BitEnumAttrCaseGroup<\"{symbol}\", [{members}]{spelling}>"),
                        false => format!("BitEnumCaseGroup<\"{symbol}\", [{members}]{spelling}>"),
                    }
                }
                (true, _) => format!("I{width}{kind}CaseBit<\"{symbol}\", {bit}{spelling}>"),
                (false, 0) => format!("I{width}{kind}Case<\"{symbol}\", -{}{spelling}>", self.below(9)),
                (false, 1) => format!("I{width}{kind}Case<\"{symbol}\", {}{spelling}>", 1_u64 << bit.min(62)),
                (false, 2) if self.mistake() => format!("I{width}{kind}Case<\"{symbol}\", 0{spelling}>"),
                (false, _) => format!("I{width}{kind}Case<\"{symbol}\", {}{spelling}>", cases.len()),
            };
            cases.push(case);
        }
        let mut lets = self.fields(ENUM, 8);
        if is_bit {
            lets.extend(self.fields(BIT_ENUM, 3));
        }
        if is_attr {
            lets.extend(self.fields(ENUM_ATTR, 9));
            own.attributes.push(name.to_owned());
            own.parameters.push(format!("EnumParameter<{name}>"));
        }
        let summary = self.text();
        let head = format!("def {name} : I{width}{kind}<\"{name}\", {summary}, [\n    ");
        let cases = Tree::list(head, Tree::leaves(cases), ",\n    ", "\n  ]> {\n");
        let mut both = vec![Tree::block("", [vec![cases], lets].concat(), "}\n")];
        if !is_attr {
            own.properties.push(format!("EnumProp<{name}>"));
            own.parameters.push(format!("EnumParameter<{name}>"));
        }
        if self.one_in(2) {
            let format = self.pick(&[
                ";",
                " { let assemblyFormat = \"`<` $value `>`\"; }",
                " { let hasCustomAssemblyFormat = 1; let assemblyFormat = ?; }",
            ]);
            both.push(Tree::leaf(format!(
                "def {name}W : EnumAttr<Fuzz, {name}, \"{}\">{format}\n",
                name.to_lowercase()
            )));
            own.attributes.push(format!("{name}W"));
            own.properties.push(format!("NamedEnumProp<{name}, \"{}\">", name.to_lowercase()));
            own.properties.push(format!("EnumPropWithAttrForm<{name}, {name}W>"));
            own.properties.push(format!("NamedEnumPropWithAttrForm<{name}, \"w\", {name}W>"));
        }
        Tree::block("", both, "")
    }
}
