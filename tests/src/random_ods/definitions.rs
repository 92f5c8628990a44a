//! Random types, attributes and constraints with C++ functions.

use super::{Tree, Writer};
use crate::older;

const NAMES: &[&str] = &[
    "value",
    "a",
    "b",
    "width",
    "elementType",
    "snake_case",
    "Upper",
    "shape",
    "self_1",
    "in",
    "_lead",
    "x2",
];
const RISKY_NAMES: &[&str] =
    &["context", "type", "parser", "odsParser", "name", "default", "printer", "impl"];
/// A parameter and whether it may be absent.
const PARAMETERS: &[(&str, bool)] = &[
    ("\"int\"", false),
    ("\"unsigned\"", false),
    ("\"::mlir::Type\"", false),
    ("\"::mlir::Attribute\"", false),
    ("\"bool\"", false),
    ("\"std::optional<int>\"", false),
    ("\"::fuzz::Thing<int, 3>\"", false),
    ("TypeParameter<\"::mlir::Type\", \"the `element`\">", false),
    ("AttrParameter<\"::mlir::IntegerAttr\", \"a number\", \"int64_t\">", false),
    ("OptionalParameter<\"::mlir::Type\">", true),
    ("OptionalParameter<\"std::optional<int>\", \"maybe\">", true),
    ("DefaultValuedParameter<\"int\", \"5\">", true),
    ("DefaultValuedParameter<\"::mlir::Type\", \"$_builder.getI32Type()\", \"a type\">", true),
    ("DefaultValuedParameter<\"::mlir::Type\", \"::mlir::NoneType::get($_ctxt)\">", true),
    ("StringRefParameter<\"a word\">", false),
    ("StringRefParameter<\"\", \"\\\"some\\\"\">", true),
    ("APIntParameter<\"\">", false),
    ("APFloatParameter<\"a float\">", false),
    ("ArrayRefParameter<\"int64_t\">", false),
    ("ArrayRefParameter<\"::mlir::Type\", \"types\">", false),
    ("OptionalArrayRefParameter<\"int\">", true),
    ("SelfAllocationParameter<\"::fuzz::Own\", \"own\">", false),
    ("ArrayRefOfSelfAllocationParameter<\"::fuzz::Own\", \"many\">", false),
    ("EnumParameter<Level>", false),
    ("EnumParameter<Rank3>", false),
    ("DefaultValuedParameter<\"::fuzz::ir::Level\", \"Level::High\">", true),
    ("Coded_Parameter", false),
    ("Mark", false),
    ("HeldOf", false),
    ("TypedParam<\"int\">", false),
];
const TYPE_TRAITS: &[&str] = &[
    "MutableType",
    "NativeTypeTrait<\"IsGood\">",
    "NativeTypeTrait<\"Coded\", \"int $cppClass_code();\", \"int $cppClass::code() {}\">",
    "ParamNativeTypeTrait<\"Counted\", \"4\">",
    "SizedType",
    "MemoryEffects<[MemRead]>",
    "RenamedType",
    "DeclareTypeInterfaceMethods<RenamedType>",
    "DeclareTypeInterfaceMethods<SizedType>",
    "DeclareTypeInterfaceMethods<SizedType, [\"isOdd\"]>",
    "DeclareTypeInterfaceMethods<OpAsmTypeInterface, [\"getAlias\"]>",
    "PredTypeTrait<\"be right\", CPred<\"right($_type)\">>",
    "ValueSemanticsTrait",
];
const ATTR_TRAITS: &[&str] = &[
    "NativeAttrTrait<\"IsGood\">",
    "ParamNativeAttrTrait<\"Counted\", \"4\">",
    "SizedAttr",
    "DeclareAttrInterfaceMethods<SizedAttr>",
    "DeclareAttrInterfaceMethods<SizedAttr, [\"half\"]>",
    "DeclareAttrInterfaceMethods<OpAsmAttrInterface>",
];
const LETS: &[&str] = &[
    "summary = \"A `thing`\"",
    "description = [{\n    Of several\n      lines.\n  }]",
    "genVerifyDecl = 1",
    "genStorageClass = 0",
    "hasStorageCustomConstructor = 1",
    "skipDefaultBuilders = 1",
    "genMnemonicAlias = 1",
    "extraClassDeclaration = [{\n    int $cppClass_more();\n  }]",
    "extraClassDefinition = [{\n    int $cppClass::more() { return 2; }\n  }]",
    "storageClass = \"OwnStorage\"",
    "storageNamespace = \"own\"",
    "cppClassName = \"Renamed\"",
];
const BUILDERS: &[&str] = &[
    "(ins \"int\":$n), [{ return $_get($_ctxt, n); }]",
    "(ins \"::mlir::Type\":$t, CArg<\"int\", \"3\">:$n), [{\n      return Base::get($_ctxt, t, n);\n    }]",
    "(ins)",
    "(ins CArg<\"bool\">:$b), \"\", \"::fuzz::Other\"",
];
const MNEMONICS: &[&str] = &["thing", "a.b", "snake_case", "if", "x1", "with-dash", "Upper"];
const PUNCTUATION: &[&str] =
    &[",", ":", "->", "=", "(", ")", "[", "]", "{", "}", "<", ">", "*", "+", "?", "x", "to"];
const BROKEN: &[&str] = &[
    "$nothing",
    "`bad key`",
    "`",
    "(`x`)?",
    "($",
    ")",
    "^",
    "unknown",
    "params",
    "struct(params)",
    "struct()",
    "struct($value, $value)",
    "qualified(params)",
    "ref($value)",
    "custom<X>()",
    "custom<X>(params)",
    "custom<X>(`x`)",
    "attr-dict",
    "type($value)",
    "functional-type($a, $b)",
    "oilist(`a`)",
    "` `",
    "`\\n`",
    "``",
];
const CONSTRAINTS: &[&str] = &[
    "Type<CPred<\"good($_self)\">, \"good \\\"type\\\"\">",
    "Type<Or<[CPred<\"a($_self)\">, And<[CPred<\"b($_self)\">, Neg<CPred<\"c\">>]>]>>",
    "ConfinedType<AnyTensor, [HasRankPred], \"ranked\">",
    "AnyTypeOf<[I32, AnyMemRef]>",
    "Type<Concat<\"f(\", SubstLeaves<\"$_self\", \"$_self.x()\", CPred<\"g($_self)\">>, \")\">, \"cut\">",
];

impl Writer<'_> {
    pub(super) fn definitions(&mut self) -> Tree {
        let mut parts = Vec::new();
        let mut names = Vec::new();
        for _ in 0..=self.below(4) {
            let part = match self.below(7) {
                0 => self.constraint(&mut names),
                1..=3 => self.definition(true, &mut names),
                _ => self.definition(false, &mut names),
            };
            parts.push(part);
        }
        Tree::block("", parts, "")
    }

    fn constraint(&mut self, names: &mut Vec<String>) -> Tree {
        let name = self.def_name(&["IsGood", "IsFew", "Wide", "Narrow"], names);
        let constraint = match self.below(4) {
            0 => format!("Attr<{}, {}>", self.predicate(3), self.text()),
            1 => format!("Type<{}, {}>", self.predicate(3), self.text()),
            _ => self.pick(CONSTRAINTS).to_owned(),
        };
        let mut parts = vec![Tree::leaf(format!("  let cppFunctionName = \"is{name}\";\n"))];
        parts.extend(self.lets(&["summary = \"own summary\""], 3));
        parts.extend(self.lets(&["description = \"Of\\n  more.\""], 3));
        Tree::block(format!("def {name} : {constraint} {{\n"), parts, "}\n")
    }

    fn definition(&mut self, is_type: bool, names: &mut Vec<String>) -> Tree {
        let name = self.def_name(&["One", "Two", "Three_3", "lower", "Fuzz_Four", "_Five", "Six"], names);
        let count = if self.one_in(5) { 0 } else { 1 + self.below(4) };
        let mut used = Vec::new();
        let mut parameters = Vec::new();
        let mut members: Vec<(String, bool)> = Vec::new();
        for _ in 0..count {
            let (mut text, mut is_optional) = *self.random.pick(PARAMETERS);
            while !older::is_readable(text) {
                (text, is_optional) = *self.random.pick(PARAMETERS);
            }
            let own = self.own.parameters.clone();
            let is_own = !own.is_empty() && self.one_in(3);
            let text = if is_own { self.random.pick(&own).clone() } else { text.to_owned() };
            let from = if self.one_in(40) || self.mistake() { RISKY_NAMES } else { NAMES };
            let is_optional = is_optional && !is_own;
            let member = self.name(from, &mut used);
            if !self.mistake() || !self.one_in(3) || !older::takes_unnamed_parameters() {
                parameters.push(Tree::leaf(format!("{text}:${member}")));
            } else {
                parameters.push(Tree::leaf(text));
            }
            members.push((member, is_optional));
        }
        if !is_type && self.one_in(6) {
            let text = self.pick(&[
                "AttributeSelfTypeParameter<\"\">:$type",
                "AttributeSelfTypeParameter<\"own\", \"::mlir::IntegerType\">:$own_type",
                "AttributeSelfTypeParameter<\"\", \"::mlir::Type\", \"$_builder.getI1Type()\">:$type",
            ]);
            parameters.push(Tree::leaf(text));
        }
        let mut lets = vec![Tree::list("  let parameters = (ins\n    ", parameters, ",\n    ", "\n  );\n")];
        if !self.one_in(6) {
            let mnemonic = self.pick(MNEMONICS);
            lets.push(Tree::leaf(format!("  let mnemonic = \"{mnemonic}\";\n")));
            match self.below(6) {
                0 => lets.push(Tree::leaf("  let hasCustomAssemblyFormat = 1;\n")),
                1 if members.is_empty() || self.mistake() => {}
                _ => lets.push(self.definition_format(&members)),
            }
        } else {
            let full_name = if is_type { "typeName" } else { "attrName" };
            lets.push(Tree::leaf(format!("  let {full_name} = \"fuzz.{}\";\n", name.to_lowercase())));
        }
        lets.extend(self.lets(LETS, 9));
        for field in [
            "extraClassDeclaration",
            "extraClassDefinition",
            "description",
            "summary",
            "builderCall",
            "cppType",
        ] {
            if self.one_in(20) {
                let value = match field {
                    "description" | "summary" => self.text(),
                    "cppType" => self.cpp_type(),
                    _ => self.code(),
                };
                lets.push(Tree::leaf(format!("  let {field} = {value};\n")));
            }
        }
        if lets.len() < 3 && self.one_in(9) {
            lets.push(Tree::leaf("  let genAccessors = 0;\n"));
        }
        if self.one_in(4) {
            let kind = if is_type { "TypeBuilder" } else { "AttrBuilder" };
            let inferred = if self.one_in(3) { "WithInferredContext" } else { "" };
            let mut builders = self.lets_of(BUILDERS, 3);
            if self.one_in(2) {
                let (parameter, default, body) = (self.cpp_type(), self.code(), self.code());
                builders.push(Tree::leaf(format!(
                    "(ins {parameter}:$x, CArg<{parameter}, {default}>:$y), {body}"
                )));
            }
            if self.mistake() {
                builders.push(Tree::leaf("(ins \"int\", \"long\":$named), \"return {};\""));
            }
            let builders = builders.into_iter();
            let builders = builders.map(|body| Tree::leaf(format!("{kind}{inferred}<{body}>"))).collect();
            lets.push(Tree::list("  let builders = [\n    ", builders, ",\n    ", "\n  ];\n"));
        }
        let count = if self.one_in(2) { 0 } else { 1 + self.below(2) };
        let from = if is_type { TYPE_TRAITS } else { ATTR_TRAITS };
        let traits = (0..count).map(|_| Tree::leaf(self.pick(from))).collect();
        let class = if is_type { "TypeDef" } else { "AttrDef" };
        let base = match (is_type, self.below(9)) {
            (_, 0) => "], \"::fuzz::Base\"> {\n",
            _ => "]> {\n",
        };
        let head = Tree::list(
            format!("def {name} : {class}<Fuzz, \"{}\", [", name.replace("Fuzz_", "")),
            traits,
            ", ",
            base,
        );
        let mut parts = vec![head];
        parts.append(&mut lets);
        Tree::block("", vec![Tree::block("", parts, "}\n")], "")
    }

    fn definition_format(&mut self, members: &[(String, bool)]) -> Tree {
        let mut elements = Vec::new();
        match self.below(5) {
            0 => elements.push(Tree::leaf("`<` params `>`")),
            1 => elements.push(Tree::leaf("`<` struct(params) `>`")),
            2 if members.len() > 1 => {
                let names: Vec<String> = members.iter().map(|(name, _)| format!("${name}")).collect();
                elements.push(Tree::list("struct(", Tree::leaves(names), ", ", ")"));
            }
            _ => {
                let mut separator = "";
                for (name, is_optional) in members {
                    let element = self.parameter(name, *is_optional, separator);
                    elements.push(element);
                    separator = if self.one_in(3) { "" } else { "`,` " };
                }
            }
        }
        for _ in 0..self.below(3) {
            let place = self.below(elements.len() + 1);
            let literal = self.definition_literal();
            elements.insert(place, Tree::leaf(literal));
        }
        if self.mistake() || self.mistake() {
            let place = self.below(elements.len() + 1);
            let broken = self.pick(BROKEN);
            elements.insert(place, Tree::leaf(broken));
        }
        Tree::list("  let assemblyFormat = [{\n    ", elements, " ", "\n  }];\n")
    }

    fn definition_literal(&mut self) -> String {
        match self.below(8) {
            0 => self.pick(&["` `", "``", "`\\n`"]).to_owned(),
            _ => format!("`{}`", self.pick(PUNCTUATION)),
        }
    }

    fn parameter(&mut self, name: &str, is_optional: bool, separator: &str) -> Tree {
        if is_optional && self.one_in(2) {
            let literal = self.definition_literal();
            let mut parts = Tree::leaves(vec![literal, format!("${name}^")]);
            if self.one_in(4) {
                parts.swap(0, 1);
            }
            let close = self.pick(&[")?", ")?", ") : (`else`)?"]);
            return Tree::list("(", parts, " ", close);
        }
        Tree::leaf(match self.below(8) {
            0 => format!("{separator}custom<Own>(${name})"),
            1 => format!("{separator}custom<Own>(${name}, ref(${name}), \"$_builder.x()\")"),
            2 => format!("{separator}qualified(${name})"),
            3 => format!("{separator}struct(${name})"),
            _ => format!("{separator}${name}"),
        })
    }
}
