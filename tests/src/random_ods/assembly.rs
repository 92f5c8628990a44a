//! Random assembly formats of an operation.

use super::{
    Tree, Writer,
    operations::{Kind, Member, Shape},
};

const KEYWORDS: &[&str] = &["to", "from", "with", "in", "key_word", "a.b", "x$y", "_", "attributes"];
const PUNCTUATION: &[&str] = &[",", ":", "->", "=", "(", ")", "[", "]", "{", "}", "<", ">", "*", "+", "?"];
const SPACES: &[&str] = &["` `", "``", "`\\n`"];
const BROKEN: &[&str] = &[
    "$nothing",
    "type($nothing)",
    "`bad key`",
    "`",
    "(`x`)?",
    "($",
    ")",
    "^",
    "unknown",
    "attr-dict",
    "attr-dict-with-keyword",
    "operands",
    "results",
    "functional-type(operands, results)",
    "type(operands)",
    "regions",
    "successors",
    "prop-dict",
    "ref($a)",
    "qualified($a)",
    "custom<>($a)",
    "custom<X>()",
    "custom<Two>(`x`)",
    "oilist(`a` | `b`)",
    "`5`",
    "`|`",
    "`/`",
    "`...`",
    "custom<Blocks>(regions)",
    "custom<Blocks>(successors)",
    "``",
    "type(type($a))",
    "params",
    "struct(params)",
    "custom<X>(attr-dict)",
    "custom<X>(\"code\")",
    "`\\`",
];

impl Writer<'_> {
    /// `let assemblyFormat = …;`
    pub(super) fn assembly(&mut self, shape: &Shape) -> Tree {
        let mut elements = Vec::new();
        let mut types = Vec::new();
        let mut rest = shape.clone();
        let clauses = if self.one_in(4) { self.clauses(&mut rest) } else { Vec::new() };
        let shape = &rest;
        self.values(shape, &mut elements, &mut types);
        self.others(shape, &mut elements);
        if self.one_in(3) {
            self.shuffle(&mut elements);
        }
        let dict = self.pick(&["attr-dict", "attr-dict", "attr-dict", "attr-dict-with-keyword"]);
        let place = if self.one_in(4) { self.below(elements.len() + 1) } else { elements.len() };
        elements.insert(place, Tree::leaf(dict));
        if !types.is_empty() {
            elements.push(Tree::leaf("`:`"));
            elements.append(&mut types);
        }
        if !clauses.is_empty() {
            elements.push(Tree::list("oilist(", clauses, " | ", ")"));
        }
        for _ in 0..self.below(3) {
            let place = self.below(elements.len() + 1);
            let literal = self.literal();
            elements.insert(place, Tree::leaf(literal));
        }
        if self.mistake() || self.mistake() {
            let place = self.below(elements.len());
            match self.below(4) {
                0 => drop(elements.remove(place)),
                1 => elements.insert(place, elements[place].clone()),
                _ => {
                    let broken = self.pick(BROKEN);
                    elements.insert(place, Tree::leaf(broken));
                }
            }
        }
        Tree::list("  let assemblyFormat = [{\n    ", elements, " ", "\n  }];\n")
    }

    fn literal(&mut self) -> String {
        match self.below(5) {
            0 => self.pick(SPACES).to_owned(),
            1 | 2 => format!("`{}`", self.pick(PUNCTUATION)),
            _ => format!("`{}`", self.pick(KEYWORDS)),
        }
    }

    /// The operands, and the types of operands and results.
    fn values(&mut self, shape: &Shape, elements: &mut Vec<Tree>, types: &mut Vec<Tree>) {
        let is_unnamed = |member: &Member| member.name.is_empty();
        let is_all = shape.operands.iter().any(is_unnamed) || self.one_in(7);
        let scheme = self.below(4);
        let results_needed = !shape.infers_results && !shape.results.iter().all(|member| member.is_buildable);
        if is_all && !shape.operands.is_empty() {
            elements.push(Tree::leaf("operands"));
        }
        let mut left = Vec::new();
        for operand in &shape.operands {
            let is_typed = operand.is_buildable || shape.inferred.contains(&operand.name);
            let typed = scheme > 1 && (!is_typed || self.mistake() || self.one_in(12));
            let nested = operand.kind == Kind::Nested;
            match is_all {
                true if typed => left.push(format!("type(${})", operand.name)),
                true => {}
                false => {
                    let (element, is_typed_here) = self.operand(operand, typed && !nested);
                    elements.push(element);
                    if typed && !is_typed_here {
                        left.push(format!("type(${})", operand.name));
                    }
                }
            }
        }
        match scheme {
            0 => {
                let named = |members: &[Member]| match members {
                    [member] if !member.name.is_empty() => Some(format!("${}", member.name)),
                    _ => None,
                };
                let inputs = named(&shape.operands).filter(|_| self.one_in(2));
                let outputs = named(&shape.results).filter(|_| self.one_in(2));
                types.push(Tree::leaf(format!(
                    "functional-type({}, {})",
                    inputs.as_deref().unwrap_or("operands"),
                    outputs.as_deref().unwrap_or("results"),
                )));
            }
            1 => {
                if !shape.operands.is_empty() {
                    types.push(Tree::leaf("type(operands)"));
                }
                if results_needed {
                    types.push(Tree::leaf("`->` type(results)"));
                }
            }
            _ => {
                for result in &shape.results {
                    let is_typed =
                        shape.infers_results || result.is_buildable || shape.inferred.contains(&result.name);
                    if is_typed && !self.one_in(12) {
                        continue;
                    }
                    if result.name.is_empty() {
                        left.push("type(results)".to_owned());
                        break;
                    }
                    left.push(format!("type(${})", result.name));
                }
                for (index, text) in left.into_iter().enumerate() {
                    let separator = if index > 0 { "`,` " } else { "" };
                    let text = if self.one_in(9) { format!("qualified({text})") } else { text };
                    types.push(Tree::leaf(format!("{separator}{text}")));
                }
            }
        }
    }

    /// An operand, sometimes with its type.
    fn operand(&mut self, operand: &Member, typed: bool) -> (Tree, bool) {
        let name = &operand.name;
        let is_optional = matches!(operand.kind, Kind::Optional | Kind::Variadic);
        if is_optional && self.one_in(2) {
            let literal = self.literal();
            let has_type = typed && self.one_in(2);
            let mut parts = vec![Tree::leaf(literal), Tree::leaf(format!("${name}^"))];
            if has_type {
                parts.push(Tree::leaf(format!("`:` type(${name})")));
            }
            return (self.group(parts), has_type);
        }
        if typed && self.one_in(5) {
            return (Tree::leaf(format!("custom<Typed>(${name}, type(${name}))")), true);
        }
        if typed && self.one_in(8) {
            let custom = format!("custom<First>(${name}) custom<Second>(type(${name}), ref(${name}))");
            return (Tree::leaf(custom), true);
        }
        if self.one_in(9) {
            return (Tree::leaf(format!("custom<Plain>(${name})")), false);
        }
        let has_type = typed && self.one_in(3);
        let typed = if has_type { format!(" `:` type(${name})") } else { String::new() };
        (Tree::leaf(format!("${name}{typed}")), has_type)
    }

    /// Parts in an optional group, sometimes with an `else`.
    fn group(&mut self, mut parts: Vec<Tree>) -> Tree {
        if self.one_in(4) {
            parts.remove(0);
            let literal = self.literal();
            parts.push(Tree::leaf(literal));
        }
        if self.mistake() {
            let broken = self.pick(BROKEN);
            parts.push(Tree::leaf(broken));
        }
        let close = match self.below(7) {
            0 => ") : (`else`)?",
            1 => ") : (`else` `,`)?",
            _ => ")?",
        };
        Tree::list("(", parts, " ", close)
    }

    /// Attributes, properties, regions and successors.
    fn others(&mut self, shape: &Shape, elements: &mut Vec<Tree>) {
        let mut has_dict = false;
        for property in shape.properties.iter().filter(|member| !member.name.is_empty()) {
            if self.one_in(4) && !has_dict && shape.properties.len() == 1 {
                elements.push(Tree::leaf("prop-dict"));
                has_dict = true;
            } else {
                let element = self.attribute_element(property, true);
                elements.push(element);
            }
        }
        for attribute in shape.attributes.iter().filter(|member| !member.name.is_empty()) {
            if self.one_in(2) {
                let element = self.attribute_element(attribute, false);
                elements.push(element);
            }
        }
        if !shape.regions.is_empty() {
            if self.one_in(3) {
                elements.push(Tree::leaf("regions"));
            } else {
                for region in &shape.regions {
                    let element = self.region(region);
                    elements.push(element);
                }
            }
        }
        if !shape.successors.is_empty() {
            if self.one_in(3) {
                elements.push(Tree::leaf("successors"));
            } else {
                for successor in &shape.successors {
                    let name = &successor.name;
                    let text =
                        if self.one_in(4) { format!("custom<Next>(${name})") } else { format!("${name}") };
                    elements.push(Tree::leaf(text));
                }
            }
        }
    }

    fn attribute_element(&mut self, member: &Member, is_property: bool) -> Tree {
        let name = &member.name;
        let is_optional = matches!(member.kind, Kind::Optional | Kind::Unit);
        if is_optional && !self.mistake() && !self.one_in(8) {
            let literal = self.literal();
            return self.group(vec![Tree::leaf(literal), Tree::leaf(format!("${name}^"))]);
        }
        match self.below(9) {
            0 => Tree::leaf(format!("custom<Attr>(${name})")),
            1 if !is_property || self.mistake() => Tree::leaf(format!("qualified(${name})")),
            2 => Tree::leaf(format!(
                "custom<Attr>(${name}, \"$_builder.code(1)\") custom<Again>(ref(${name}))"
            )),
            3 => Tree::leaf(format!("`<` ${name} `>`")),
            _ => Tree::leaf(format!("${name}")),
        }
    }

    fn region(&mut self, region: &Member) -> Tree {
        let name = &region.name;
        match self.below(5) {
            0 => Tree::leaf(format!("custom<Body>(${name})")),
            1 | 2 => {
                let literal = self.literal();
                self.group(vec![Tree::leaf(literal), Tree::leaf(format!("${name}^"))])
            }
            _ => Tree::leaf(format!("${name}")),
        }
    }

    /// Clauses of `oilist(…)`: keywords with optional arguments, which are removed from the rest of the format.
    fn clauses(&mut self, shape: &mut Shape) -> Vec<Tree> {
        let may_be_absent = |member: &Member| {
            matches!(member.kind, Kind::Optional | Kind::Variadic | Kind::Unit) && !member.name.is_empty()
        };
        let mut clauses = Vec::new();
        for (index, operand) in shape.operands.clone().iter().enumerate().rev() {
            if may_be_absent(operand) && self.one_in(2) {
                let name = &operand.name;
                clauses.push(match self.below(3) {
                    0 => format!("${name} `:` type(${name})"),
                    1 => format!("`(` ${name} `:` type(${name}) `)`"),
                    _ => format!("custom<Clause>(${name}, type(${name}))"),
                });
                shape.operands.remove(index);
            }
        }
        for (index, attribute) in shape.attributes.clone().iter().enumerate().rev() {
            if may_be_absent(attribute) && self.one_in(2) {
                clauses.push(match self.below(3) {
                    0 => format!("`(` ${} `)`", attribute.name),
                    _ => format!("${}", attribute.name),
                });
                shape.attributes.remove(index);
            }
        }
        for _ in 0..self.below(3) {
            let clause = if self.one_in(2) { String::new() } else { self.literal() };
            clauses.push(clause);
        }
        let keyword = |(keyword, clause): (&&str, String)| Tree::leaf(format!("`{keyword}` {clause}"));
        KEYWORDS.iter().zip(clauses).map(keyword).collect()
    }

    fn shuffle(&mut self, elements: &mut [Tree]) {
        for index in (1..elements.len()).rev() {
            let other = self.below(index + 1);
            elements.swap(index, other);
        }
    }
}
