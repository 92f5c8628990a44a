//! Random operations.

use super::{
    Tree, Writer,
    words::{
        ATTRIBUTES, BUILDABLE, BUILDERS, DEF_NAMES, DEFAULTED, DEFAULTED_PROPERTIES, DERIVED, EFFECTS, LETS,
        NAMES, OP_NAMES, OTHER_TYPES, PROPERTIES, REGIONS, RISKY_NAMES, SUCCESSORS, TRAITS,
    },
};
use crate::older;

/// Formats written in C++, from the time when the code was in the definition.
const EARLIER_FORMATS: &[&str] = &[
    "parser = [{ return parse$cppClass(parser, result); }]",
    "printer = [{ return ::print(p, *this); }]",
    "parser = [{\n    return ::parse(parser, result); }]",
    "printer = [{\n      p << \"x\";\n\n    print(*this, p);\n  }]",
];

/// The parts of an operation that its traits and its format use.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub operands: Vec<Member>,
    pub results: Vec<Member>,
    pub attributes: Vec<Member>,
    pub properties: Vec<Member>,
    pub regions: Vec<Member>,
    pub successors: Vec<Member>,
    /// True if a trait determines the types of the results.
    pub infers_results: bool,
    /// Operands and results whose types follow from a trait.
    pub inferred: Vec<String>,
}

/// An operand, a result, an attribute, a property, a region or a successor.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub name: String,
    pub kind: Kind,
    /// True if its type can be built without arguments.
    pub is_buildable: bool,
}

/// The multiplicity of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Single,
    Optional,
    Variadic,
    Nested,
    Unit,
}

impl Writer<'_> {
    pub(super) fn operations(&mut self) -> Tree {
        let mut names = Vec::new();
        let mut ops = Vec::new();
        for _ in 0..=self.below(3) {
            let name = self.def_name(DEF_NAMES, &mut names);
            ops.push(self.operation(&name));
        }
        Tree::block("", ops, "")
    }

    fn operation(&mut self, def: &str) -> Tree {
        let mut shape = Shape::default();
        let mut used = Vec::new();
        let mut lets = Vec::new();
        let arguments = self.arguments(&mut shape, &mut used);
        let results = self.results(&mut shape, &mut used);
        lets.push(Tree::list("  let arguments = (ins\n    ", arguments, ",\n    ", "\n  );\n"));
        lets.push(Tree::list("  let results = (outs ", results, ", ", ");\n"));
        if self.one_in(4) {
            let kinds = self.members(REGIONS, "VariadicRegion", &mut used, &mut shape.regions);
            lets.push(Tree::list("  let regions = (region ", kinds, ", ", ");\n"));
        }
        if self.one_in(6) {
            let kinds = self.members(SUCCESSORS, "VariadicSuccessor", &mut used, &mut shape.successors);
            lets.push(Tree::list("  let successors = (successor ", kinds, ", ", ");\n"));
        }
        let traits = self.traits(&mut shape);
        lets.extend(self.lets(LETS, 9));
        if !older::is_field("hasVerifier") && self.one_in(5) {
            let code = self.code();
            let plain = "[{ return verify(*this); }]".to_owned();
            let code = if self.one_in(2) || code.len() < 5 { plain } else { code };
            lets.push(Tree::leaf(format!("  let verifier = {code};\n")));
        }
        if self.one_in(5) {
            let builders = self.lets_of(BUILDERS, 2);
            if (!builders.is_empty() || self.mistake()) && self.one_in(3) {
                lets.push(Tree::leaf("  let skipDefaultBuilders = 1;\n"));
            }
            lets.push(Tree::list("  let builders = [\n    ", builders, ",\n    ", "\n  ];\n"));
        }
        match self.below(8) {
            0 if older::is_field("hasCustomAssemblyFormat") => {
                lets.push(Tree::leaf("  let hasCustomAssemblyFormat = 1;\n"))
            }
            0 => {
                let hooks = self.lets(EARLIER_FORMATS, 2);
                lets.extend(hooks);
            }
            1..=5 => lets.push(self.assembly(&shape)),
            _ => {}
        }
        let derived = self.derived(&mut used);
        lets.extend(derived);
        if !self.own.groups.is_empty() && self.one_in(2) {
            let groups = self.own.groups.clone();
            lets.push(Tree::leaf(format!("  let opDocGroup = {};\n", self.random.pick(&groups))));
        }
        for field in
            ["extraClassDeclaration", "extraClassDefinition", "description", "summary", "cppNamespace"]
        {
            if self.one_in(25) {
                let code = if field.starts_with("extra") { self.code() } else { self.text() };
                lets.push(Tree::leaf(format!("  let {field} = {code};\n")));
            }
        }
        let class = if self.one_in(5) { "PlainOp" } else { "FuzzOp" };
        let name = self.pick(OP_NAMES);
        let head = Tree::list(format!("def {def} : {class}<\"{name}\", ["), traits, ", ", "]> {\n");
        let mut parts = vec![head];
        parts.append(&mut lets);
        Tree::block("", vec![Tree::block("", parts, "}\n")], "")
    }

    fn member_name(&mut self, used: &mut Vec<String>) -> String {
        let names = if self.one_in(60) || self.mistake() { RISKY_NAMES } else { NAMES };
        self.name(names, used)
    }

    fn arguments(&mut self, shape: &mut Shape, used: &mut Vec<String>) -> Vec<Tree> {
        let mut arguments = Vec::new();
        for _ in 0..self.below(6) {
            let (text, mut member) = match self.below(9) {
                0..=4 => self.value(used, &mut arguments),
                5 if older::has_properties() => self.property(used),
                _ => self.attribute(used),
            };
            let (kind, text) = text;
            let described = match self.below(14) {
                0 => format!("Arg<{text}, \"the \\\"{}\\\" one\">", member.name),
                1 if kind == "operand" || self.one_in(4) => {
                    let effects = self.effects();
                    format!("Arg<{text}, \"\", {effects}>")
                }
                2 if self.one_in(2) => format!("Arg<{text}, {}>", self.text()),
                _ => text,
            };
            if (kind == "operand" && self.one_in(30)) || self.mistake() {
                arguments.push(Tree::leaf(described));
                member.name.clear();
            } else {
                arguments.push(Tree::leaf(format!("{described}:${}", member.name)));
            }
            match kind {
                "operand" => shape.operands.push(member),
                "property" => shape.properties.push(member),
                _ => shape.attributes.push(member),
            }
        }
        arguments
    }

    fn value(
        &mut self,
        used: &mut Vec<String>,
        arguments: &mut Vec<Tree>,
    ) -> ((&'static str, String), Member) {
        let (text, is_buildable) = self.value_type();
        let name = self.member_name(used);
        let (text, kind) = match self.below(12) {
            0 | 1 => (format!("Variadic<{text}>"), Kind::Variadic),
            2 | 3 => (format!("Optional<{text}>"), Kind::Optional),
            4 if self.one_in(3) => {
                let segments = format!("{}_segments", name.to_lowercase());
                arguments.push(Tree::leaf(format!("DenseI32ArrayAttr:${segments}")));
                (format!("VariadicOfVariadic<{text}, \"{segments}\">"), Kind::Nested)
            }
            5 if !is_buildable => ("Even".to_owned(), Kind::Single),
            _ => (text, Kind::Single),
        };
        (("operand", text), Member { name, kind, is_buildable })
    }

    fn value_type(&mut self) -> (String, bool) {
        let is_buildable = self.one_in(2);
        let text = match is_buildable {
            true => self.pick(BUILDABLE).to_owned(),
            false => self.pick_or(OTHER_TYPES, |own| &own.types),
        };
        let is_complex = text.starts_with("Complex");
        (text, is_buildable && !is_complex)
    }

    fn property(&mut self, used: &mut Vec<String>) -> ((&'static str, String), Member) {
        let name = self.member_name(used);
        let (text, kind) = match self.below(7) {
            0 => ("UnitProp".to_owned(), Kind::Unit),
            1 | 2 => (self.pick(DEFAULTED_PROPERTIES).to_owned(), Kind::Optional),
            3 => (format!("OptionalProp<{}>", self.own_property_name()), Kind::Optional),
            4 => {
                let value = self.pick(&["3", "{}", "E::A", "\\\"s\\\"", "$_x"]);
                (format!("DefaultValuedProp<{}, \"{value}\">", self.own_property_name()), Kind::Optional)
            }
            5 if self.one_in(2) => (format!("ArrayProp<{}>", self.own_property_name()), Kind::Single),
            _ => (self.own_property_name(), Kind::Single),
        };
        (("property", text), Member { name, kind, is_buildable: false })
    }

    fn own_property_name(&mut self) -> String {
        self.pick_or(PROPERTIES, |own| &own.properties)
    }

    fn own_attribute_name(&mut self) -> String {
        self.pick_or(ATTRIBUTES, |own| &own.attributes)
    }

    /// A list of effects.
    fn effects(&mut self) -> String {
        if !self.own.effects.is_empty() && self.one_in(2) {
            let own = self.own.effects.clone();
            return format!("[{}]", self.random.pick(&own));
        }
        self.pick(EFFECTS).to_owned()
    }

    fn attribute(&mut self, used: &mut Vec<String>) -> ((&'static str, String), Member) {
        let name = self.member_name(used);
        let (text, kind) = match self.below(9) {
            0 => ("UnitAttr".to_owned(), Kind::Unit),
            1 => (self.pick(DEFAULTED).to_owned(), Kind::Optional),
            2 | 3 => (format!("OptionalAttr<{}>", self.own_attribute_name()), Kind::Optional),
            4 => {
                let value =
                    self.pick(&["3", "{}", "E::A", "\\\"s\\\"", "$_builder.x()", "$_self", "$x", "{1, 2}"]);
                let class =
                    self.pick(&["DefaultValuedAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr"]);
                (format!("{class}<{}, \"{value}\">", self.own_attribute_name()), Kind::Optional)
            }
            5 => (
                format!(
                    "ConfinedAttr<{}, [AttrConstraint<{}, {}>]>",
                    self.own_attribute_name(),
                    self.predicate(1),
                    self.text()
                ),
                Kind::Single,
            ),
            6 if self.mistake() => ("SmallAttr".to_owned(), Kind::Single),
            6 if self.mistake() => ("DerivedTypeAttr<\"return type();\">".to_owned(), Kind::Single),
            _ => (self.own_attribute_name(), Kind::Single),
        };
        (("attribute", text), Member { name, kind, is_buildable: false })
    }

    /// Derived attributes, which are fields.
    fn derived(&mut self, used: &mut Vec<String>) -> Vec<Tree> {
        let mut fields = Vec::new();
        for _ in 0..2 {
            if self.one_in(9) {
                let value = match self.one_in(2) {
                    true => self.pick(DERIVED).to_owned(),
                    false => {
                        format!("DerivedAttr<{}, {}, {}>", self.cpp_type(), self.code(), self.conversion())
                    }
                };
                // Unlike in a dag, a keyword cannot be a name here.
                let name = self.name(&["derived", "kind_of", "Shape", "_rank"], used);
                let class = if value.starts_with("DerivedT") { "DerivedTypeAttr" } else { "DerivedAttr" };
                fields.push(Tree::leaf(format!("  {class} {name} = {value};\n")));
            }
        }
        fields
    }

    /// The conversion of a derived attribute.
    fn conversion(&mut self) -> String {
        let text = self.pick(&[
            "",
            "$_builder.get($_self)",
            "convert($_self, $_ctxt)",
            "$_builder.attr($_ctxt, $_self, $_self)",
            "attr()",
            "$_op.x($_self)",
            "$_builder.get($0)",
            "$_builder.get($_selfish, $$, $x)",
        ]);
        self.literal_of(text)
    }

    fn results(&mut self, shape: &mut Shape, used: &mut Vec<String>) -> Vec<Tree> {
        let count = *self.random.pick(&[0, 1, 1, 1, 2, 3]);
        let mut results = Vec::new();
        for _ in 0..count {
            let ((_, text), mut member) = self.value(used, &mut Vec::new());
            let text = if self.one_in(14) {
                let effects = self.effects();
                format!("Res<{text}, \"what came\", {effects}>")
            } else {
                text
            };
            if member.kind == Kind::Nested {
                continue;
            }
            if self.one_in(9) {
                member.name.clear();
                results.push(Tree::leaf(text));
            } else {
                results.push(Tree::leaf(format!("{text}:${}", member.name)));
            }
            shape.results.push(member);
        }
        results
    }

    /// Regions or successors, the last one sometimes variadic.
    fn members(
        &mut self,
        kinds: &[&'static str],
        variadic: &str,
        used: &mut Vec<String>,
        members: &mut Vec<Member>,
    ) -> Vec<Tree> {
        let count = 1 + self.below(3);
        let mut trees = Vec::new();
        for index in 0..count {
            let text = match kinds.contains(&"AnyRegion") {
                true => self.pick_or(kinds, |own| &own.regions),
                false => self.pick(kinds).to_owned(),
            };
            let name = self.member_name(used);
            let is_variadic = (index + 1 == count || self.mistake()) && self.one_in(3);
            let (text, kind) = match is_variadic {
                true => (format!("{variadic}<{text}>"), Kind::Variadic),
                false => (text, Kind::Single),
            };
            trees.push(Tree::leaf(format!("{text}:${name}")));
            members.push(Member { name, kind, is_buildable: false });
        }
        trees
    }

    fn traits(&mut self, shape: &mut Shape) -> Vec<Tree> {
        let mut traits = Vec::new();
        let is_variadic = |member: &&Member| !matches!(member.kind, Kind::Single | Kind::Unit);
        let operands = shape.operands.iter().filter(is_variadic).count();
        let results = shape.results.iter().filter(is_variadic).count();
        let is_nested = shape.operands.iter().any(|member| member.kind == Kind::Nested);
        if (operands > 1 || is_nested || self.one_in(15)) && !self.mistake() {
            traits.push(match is_nested || self.one_in(2) {
                true => "AttrSizedOperandSegments".to_owned(),
                false => "SameVariadicOperandSize".to_owned(),
            });
            if self.mistake() {
                traits.push("SameVariadicOperandSize".to_owned());
            }
        }
        if (results > 1 || self.one_in(15)) && !self.mistake() {
            traits.push(self.pick(&["AttrSizedResultSegments", "SameVariadicResultSize"]).to_owned());
        }
        for _ in 0..self.below(4) {
            match self.below(3) {
                0 => {
                    let inferring = self.inferring_trait(shape);
                    traits.extend(inferring);
                }
                1 if self.one_in(4) => {
                    let (text, predicate) = (self.text(), self.predicate(2));
                    traits.push(format!("PredOpTrait<{text}, {predicate}>"));
                }
                1 if self.one_in(6) => {
                    let effects = self.effects();
                    traits.push(format!("MemoryEffects<{effects}>"));
                }
                _ => {
                    let text = self.pick_or(TRAITS, |own| &own.traits);
                    traits.push(text);
                }
            }
        }
        Tree::leaves(traits)
    }

    /// A trait about the types of operands and results.
    fn inferring_trait(&mut self, shape: &mut Shape) -> Option<String> {
        let values: Vec<&Member> = shape.operands.iter().chain(&shape.results).collect();
        let named: Vec<&Member> = values.iter().copied().filter(|value| !value.name.is_empty()).collect();
        if named.len() < 2 {
            return None;
        }
        let first = self.below(named.len() - 1);
        let (from, to) =
            (named[first].clone(), named[first + 1 + self.below(named.len() - first - 1)].clone());
        let is_attr = self.one_in(5) && !shape.attributes.is_empty();
        let from_name = match is_attr {
            true => shape.attributes[self.below(shape.attributes.len())].name.clone(),
            false if self.one_in(20) && !shape.properties.is_empty() => shape.properties[0].name.clone(),
            false => from.name.clone(),
        };
        let to_name = to.name.clone();
        let several = matches!(to.kind, Kind::Variadic | Kind::Nested);
        let text = match self.below(13) {
            0 if !shape.results.is_empty() && !shape.operands.is_empty() => {
                shape.infers_results = true;
                return Some("SameOperandsAndResultType".to_owned());
            }
            1 if !shape.operands.is_empty() => {
                shape.inferred.extend(shape.operands.iter().skip(1).map(|operand| operand.name.clone()));
                return Some("SameTypeOperands".to_owned());
            }
            2 | 12 if shape.results.len() == 1 && !shape.attributes.is_empty() => {
                shape.infers_results = true;
                return Some("FirstAttrDerivedResultType".to_owned());
            }
            3 | 4 => format!("AllTypesMatch<[\"{from_name}\", \"{to_name}\"]>"),
            5 => {
                let mut all = named.clone();
                if is_attr {
                    let place = self.below(all.len() + 1);
                    all.insert(place, &shape.attributes[0]);
                }
                format!("AllTypesMatch<[{}]>", quoted(&all))
            }
            6 | 7 if several => format!(
                "RangedTypesMatchWith<\"ranges\", \"{from_name}\", \"{to_name}\", {}>",
                self.wrapping(),
            ),
            6..=8 => {
                format!("TypesMatchWith<\"the same\", \"{from_name}\", \"{to_name}\", {}>", self.wrapping(),)
            }
            9 => format!(
                "OptionalTypesMatchWith<\"alike\", \"{from_name}\", \"{to_name}\", \"$_self\", \"same\">"
            ),
            10 => return Some(format!("AllShapesMatch<[{}]>", quoted(&named))),
            11 => return Some(format!("AllElementTypesMatch<[\"{from_name}\", \"{to_name}\"]>")),
            _ => return Some(format!("AllRanksMatch<[\"{from_name}\", \"{to_name}\"]>")),
        };
        shape.inferred.push(to_name);
        Some(text)
    }

    /// Code that makes a type of another one.
    fn wrapping(&mut self) -> String {
        let text = self.pick(&[
            "wrap($_self, $_ctxt)",
            "$_self.types()",
            "$_self",
            "::llvm::cast<T>($_self).getElementType()",
            "f($_self, $_self)",
            "x",
            "$_builder.get($_self)",
            "[](T t) { return t; }($_self)",
            "$_op.x($_self)",
        ]);
        self.literal_of(text)
    }

    /// Some of these texts, each with a chance of one in `n`.
    pub(super) fn lets_of(&mut self, texts: &[&'static str], n: usize) -> Vec<Tree> {
        texts.iter().filter(|_| self.random.one_in(n)).map(|text| Tree::leaf(*text)).collect()
    }
}

fn quoted(members: &[&Member]) -> String {
    let names: Vec<String> = members.iter().map(|member| format!("\"{}\"", member.name)).collect();
    names.join(", ")
}
