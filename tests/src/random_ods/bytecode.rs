//! Random readers and writers of bytecode.

use super::{Tree, Writer};

const BEGIN: &str = r#"include "mlir/IR/BytecodeBase.td"
def String : WithParser<"succeeded($_reader.readString($_var))", WithBuilder<"$_args", WithPrinter<"$_writer.writeOwnedString($_getter)", WithGetter<"$_attrType.getValue()", WithType<"StringRef">>>>>;
//
"#;
const MEMBERS: &[&str] = &[
    "Attribute",
    "Type",
    "VarInt",
    "SignedVarInt",
    "Blob",
    "Bool",
    "String",
    "KnownWidthAPInt<\"width\">",
    "KnownSemanticsAPFloat<\"$_x\">",
    "ResourceHandle<\"::fuzz::Handle\">",
    "Array<Attribute>",
    "Array<Type>",
    "Array<VarInt>",
    "Array<String>",
    "SignedVarIntList",
    "BoolList",
    "Array<SignedVarIntList>",
    "Array<BoolList>",
    "List<VarInt>",
    "WithGetter<\"$_attrType.x($_member, $_getMember)\", VarInt>",
    "WithGetter<\"$_getMember().y\", Type>",
    "WithType<\"FailureOr<T>\", Attribute>",
    "WithType<\"::fuzz::T\", WithGetter<\"$_attrType.get()\", VarInt>>",
    "WithParser<\"succeeded(parse($_reader, $_resultType, $_var))\", VarInt>",
    "WithParser<\"succeeded(other<$_resultType>($_reader, $_var))\", Attribute>",
    "WithPrinter<\"print($_writer, $_name, $_getter)\", VarInt>",
    "WithPrinter<\"\", VarInt>",
    "WithBuilder<\"make($_args)\", VarInt>",
];
const NAMES: &[&str] =
    &["value", "a", "b", "snake_case", "camelCase", "type", "shape", "x1", "Upper", "_lead", "elem_type"];
const DEFS: &[&str] = &["One", "Two", "Three_3", "lower", "Num10", "Num2", "_Six", "Seven"];

impl Writer<'_> {
    pub(super) fn bytecode(&mut self) -> (Tree, &'static [&'static [&'static str]]) {
        let mut parts = vec![Tree::leaf(String::new())];
        let mut used = Vec::new();
        let (mut composites, mut attributes, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.below(3) {
            let name = format!("{}Parts", self.def_name(DEFS, &mut used));
            let members = self.bytecode_members("attr", &composites);
            let ty = self.pick(&["", "::fuzz::Parts", "T"]);
            let mut lets = vec![Tree::list("  dag members = (attr ", members, ", ", ");\n")];
            lets.extend(self.bytecode_fields(&["cBuilder", "cGetter", "cParser", "cPrinter"]));
            parts.push(Tree::block(format!("def {name} : CompositeBytecode<\"{ty}\"> {{\n"), lets, "}\n"));
            composites.push(name);
        }
        for _ in 0..=self.below(5) {
            let is_type = self.one_in(2);
            let name = self.def_name(DEFS, &mut used);
            let (class, operator) =
                if is_type { ("DialectType", "type") } else { ("DialectAttribute", "attr") };
            let members = self.bytecode_members(operator, &composites);
            let head = Tree::list(format!("def {name} : {class}<({operator} "), members, ", ", ")> {\n");
            let mut lets = vec![head];
            lets.extend(self.bytecode_fields(&[
                "cBuilder",
                "cParser",
                "cPrinter",
                "cGetter",
                "cType",
                "printerPredicate",
                "postProcess",
            ]));
            parts.push(Tree::block("", lets, "}\n"));
            if is_type {
                types.push(name)
            } else {
                attributes.push(name)
            };
        }
        for (class, names) in [("DialectAttributes", attributes), ("DialectTypes", types)] {
            if names.is_empty() && !self.one_in(3) {
                continue;
            }
            let dialect = self.pick(&["Fuzz", "Fuzz", "Fuzz", "Other"]);
            let mut elements = names;
            if self.one_in(3) {
                let place = self.below(elements.len() + 1);
                elements.insert(place, "ReservedOrDead".to_owned());
            }
            if !elements.is_empty() && self.one_in(12) {
                elements.push(elements[0].clone());
            }
            let head = format!("def {}{class} : {class}<\"{dialect}\"> {{ let elems = [", self.tag);
            parts.push(Tree::list(head, Tree::leaves(elements), ", ", "]; }\n"));
        }
        (Tree::block("", parts, ""), super::BYTECODE)
    }

    /// The beginning of every file about bytecode.
    pub(super) fn bytecode_begin() -> Tree {
        Tree::leaf(BEGIN)
    }

    fn bytecode_members(&mut self, _operator: &str, composites: &[String]) -> Vec<Tree> {
        let mut used = Vec::new();
        let mut members = Vec::new();
        for _ in 0..self.below(5) {
            let ty = match self.below(9) {
                0 if !composites.is_empty() => self.random.pick(composites).clone(),
                1 if !composites.is_empty() => format!("Array<{}>", self.random.pick(composites)),
                2 => format!("LocalVar<{}, {}>", self.cpp_type(), self.code()),
                3 => format!("WithGetter<{}, {}>", self.code(), self.pick(MEMBERS)),
                4 => format!("WithParser<{}, {}>", self.code(), self.pick(MEMBERS)),
                _ => self.pick(MEMBERS).to_owned(),
            };
            let mut name = self.name(NAMES, &mut used);
            if ty.starts_with("Local") && !self.mistake() {
                name.insert(0, '_');
            }
            members.push(Tree::leaf(if self.mistake() { ty } else { format!("{ty}:${name}") }));
        }
        members
    }

    fn bytecode_fields(&mut self, fields: &[&str]) -> Vec<Tree> {
        let mut lets = Vec::new();
        for field in fields {
            if !self.one_in(7) {
                continue;
            }
            let text = match *field {
                "cBuilder" => self.pick(&[
                    "get<$_resultType>($_args)",
                    "make($_args)",
                    "if (x)\n  return get<$_resultType>(context, $_args);\nreturn {};",
                    "$_x",
                ]),
                "cParser" => self.pick(&[
                    "succeeded(own($_reader, $_var))",
                    "own<$_resultType>($_reader)",
                    "a &&\n  b($_var)",
                ]),
                "cPrinter" => self.pick(&[
                    "own($_writer, $_getter)",
                    "$_writer.own($_name)",
                    "a($_getter);\nb($_writer)",
                    "",
                ]),
                "cGetter" => self.pick(&["$_attrType.own()", "$_member", "$_attrType.$_getMember()"]),
                "cType" => self.pick(&["OneType", "::fuzz::Other", "FailureOr<T>"]),
                "printerPredicate" => self.pick(&["$_val.isSmall()", "!$_val", "x"]),
                _ => self.pick(&["if (!x)\n  return failure();", "done();", "  \n  a();\n\n  b();\n"]),
            };
            let literal = self.literal_of(text);
            lets.push(Tree::leaf(format!("  let {field} = {literal};\n")));
        }
        lets
    }
}
