//! The meaning of leaves, as far as they use MLIR's own library.
//!
//! ```text
//! (::llvm::isa<::mlir::IntegerType>($_self))     $_self is one of: integers
//! ($_self.isSignlessInteger(32))                 $_self is one of: i32
//! (…($_self).getRank() >= 2)                     the rank is one of: 2, more
//! ```
//!
//! Each subject of a condition has a value, one of the few that its leaves can distinguish; a leaf is true for some of
//! these values. All other leaves are free.

use super::{
    Condition, Witness,
    condition::is_monotone,
    sat::{Clauses, Formula},
};
use crate::code::quoted_length;
use std::{collections::BTreeMap, fmt::Write as _};

/// A value of a type or attribute; values that no leaf distinguishes are one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Point {
    /// An integer of this sign and width.
    Integer(Sign, u32),
    /// One of the classes in [`CLASSES`], by its index.
    Class(usize),
    /// Anything else.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Signless,
    Signed,
    Unsigned,
}

/// Disjoint classes: C++ class, example, and the bases that conditions ask for.
const CLASSES: &[(&str, &str, &[&str])] = &[
    ("IndexType", "index", &[]),
    ("Float16Type", "f16", &["FloatType"]),
    ("BFloat16Type", "bf16", &["FloatType"]),
    ("Float32Type", "f32", &["FloatType"]),
    ("Float64Type", "f64", &["FloatType"]),
    ("Float80Type", "f80", &["FloatType"]),
    ("Float128Type", "f128", &["FloatType"]),
    ("FloatTF32Type", "tf32", &["FloatType"]),
    ("Float4E2M1FNType", "f4E2M1FN", &["FloatType"]),
    ("Float6E2M3FNType", "f6E2M3FN", &["FloatType"]),
    ("Float6E3M2FNType", "f6E3M2FN", &["FloatType"]),
    ("Float8E5M2Type", "f8E5M2", &["FloatType"]),
    ("Float8E4M3Type", "f8E4M3", &["FloatType"]),
    ("Float8E4M3FNType", "f8E4M3FN", &["FloatType"]),
    ("Float8E5M2FNUZType", "f8E5M2FNUZ", &["FloatType"]),
    ("Float8E4M3FNUZType", "f8E4M3FNUZ", &["FloatType"]),
    ("Float8E4M3B11FNUZType", "f8E4M3B11FNUZ", &["FloatType"]),
    ("Float8E3M4Type", "f8E3M4", &["FloatType"]),
    ("Float8E8M0FNUType", "f8E8M0FNU", &["FloatType"]),
    ("a float of a dialect", "", &["FloatType"]),
    ("NoneType", "none", &[]),
    ("TokenType", "token", &[]),
    ("ComplexType", "complex<f32>", &[]),
    ("FunctionType", "() -> ()", &[]),
    ("TupleType", "tuple<>", &[]),
    ("FixedVectorType", "vector<4xf32>", &["VectorType", "ShapedType", "has rank", "ValueSemantics"]),
    ("ScalableVectorType", "vector<[4]xf32>", &["VectorType", "ShapedType", "has rank", "ValueSemantics"]),
    ("RankedTensorType", "tensor<4xf32>", &["ShapedType", "TensorType", "has rank", "ValueSemantics"]),
    ("UnrankedTensorType", "tensor<*xf32>", &["ShapedType", "TensorType", "ValueSemantics"]),
    ("MemRefType", "memref<4xf32>", &["ShapedType", "BaseMemRefType", "has rank"]),
    ("UnrankedMemRefType", "memref<*xf32>", &["ShapedType", "BaseMemRefType"]),
    ("a shaped type of a dialect", "", &["ShapedType", "has rank"]),
    ("a shaped type of a dialect without rank", "", &["ShapedType"]),
    ("a container of a dialect", "", &["ValueSemantics"]),
    ("a shaped container of a dialect", "", &["ShapedType", "has rank", "ValueSemantics"]),
    ("BoolAttr", "true", &["IntegerAttr"]),
    ("an integer other than a truth value", "1 : i32", &["IntegerAttr"]),
    ("FloatAttr", "1.0 : f32", &[]),
    ("StringAttr", "\"text\"", &[]),
    ("ArrayAttr", "[]", &[]),
    ("DictionaryAttr", "{}", &[]),
    ("UnitAttr", "unit", &[]),
    ("TypeAttr", "f32", &[]),
    ("FlatSymbolRefAttr", "@symbol", &["SymbolRefAttr"]),
    ("a nested symbol", "@symbol::@nested", &["SymbolRefAttr"]),
    ("AffineMapAttr", "affine_map<() -> ()>", &[]),
    ("IntegerSetAttr", "affine_set<() : ()>", &[]),
];

/// Interfaces of builtin types and attributes whose names do not say so.
const OPEN: &[&str] = &["ElementsAttr", "TypedAttr"];

/// A leaf's claim about a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    /// A class, in [`CLASSES`] or a base of one there.
    Is(String),
    /// An integer, perhaps of one sign or width.
    Integer(Option<Sign>, Option<u32>),
    /// A disjunction of claims.
    Any(Vec<Claim>),
    /// A comparison with a number.
    Number(Comparison, i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
}

impl Claim {
    /// Returns true if the claim holds for a type or attribute.
    fn holds(&self, point: &Point) -> bool {
        match (self, point) {
            (Claim::Is(class), Point::Class(index)) => CLASSES
                .get(*index)
                .is_some_and(|(name, _, bases)| name == class || bases.contains(&class.as_str())),
            (Claim::Is(class), Point::Integer(..)) => class == "IntegerType",
            (Claim::Integer(sign, width), Point::Integer(own, own_width)) => {
                sign.is_none_or(|sign| sign == *own) && width.is_none_or(|width| width == *own_width)
            }
            (Claim::Any(claims), point) => claims.iter().any(|claim| claim.holds(point)),
            (Claim::Is(_) | Claim::Integer(..) | Claim::Number(..), _) => false,
        }
    }

    fn holds_for_number(&self, number: i64) -> bool {
        match self {
            Claim::Number(Comparison::Equal, bound) => number == *bound,
            Claim::Number(Comparison::Less, bound) => number < *bound,
            Claim::Number(Comparison::LessOrEqual, bound) => number <= *bound,
            _ => false,
        }
    }

    fn widths(&self, widths: &mut Vec<u32>) {
        match self {
            Claim::Integer(_, Some(width)) if !widths.contains(width) => widths.push(*width),
            Claim::Any(claims) => claims.iter().for_each(|claim| claim.widths(widths)),
            _ => {}
        }
    }
}

/// A subject of leaves, and their claims about it.
#[derive(Debug, Default)]
struct Subject {
    /// Each claim, and its variable.
    claims: Vec<(Claim, usize)>,
    /// For each distinguishable value its variable and what it looks like.
    values: Vec<(usize, Looks)>,
    /// The variables of leaves that ask for a class of a dialect.
    dialect_classes: Vec<usize>,
}

/// The types and attributes that are one value, as no leaf distinguishes them.
#[derive(Clone, Debug, Default)]
struct Looks {
    /// A builtin one as it is written; empty if there is none.
    example: String,
    /// True if one of a dialect is among them that no leaf knows more of.
    has_other: bool,
    /// True if one of a dialect is among them that is shaped or a float.
    has_known_base: bool,
}

/// The length limit of leaves; longer ones are free.
const LONGEST: usize = 8192;

/// The known facts about the leaves of a question.
#[derive(Debug, Default)]
pub(super) struct Theory {
    variables: usize,
    /// The leaf of each variable, and true if its truth is unknown.
    leaves: Vec<(String, bool)>,
    subjects: BTreeMap<String, Subject>,
    free: BTreeMap<String, usize>,
    quantified: Vec<(String, Condition, String, usize)>,
    /// Pairs of variables, the first of which implies the second.
    implied: Vec<(usize, usize)>,
}

/// The most claims about a subject: each pair of values that they distinguish is a clause.
const MOST_CLAIMS: usize = 256;

impl Theory {
    /// Returns true if more is claimed about a subject than can be decided in a reasonable time.
    pub(super) fn is_large(&self) -> bool {
        self.subjects.values().any(|subject| subject.claims.len() > MOST_CLAIMS)
            || self.quantified.len() > MOST_CLAIMS
    }

    pub(super) fn variables(&self) -> usize {
        // Variables of values come last.
        self.variables + self.subjects.values().map(|subject| self.points(subject).len()).sum::<usize>()
    }

    fn variable(&mut self, leaf: String, is_free: bool) -> usize {
        self.leaves.push((leaf, is_free));
        self.variables += 1;
        self.variables - 1
    }

    /// Returns the formula of a condition.
    pub(super) fn read(&mut self, condition: &Condition) -> Formula {
        match condition {
            Condition::Leaf(text) if text.len() > LONGEST => self.free(text, true),
            Condition::Leaf(text) => self.expression(&plain(text), 0),
            Condition::Not(child) => Formula::Not(Box::new(self.read(child))),
            Condition::And(children) => Formula::And(children.iter().map(|child| self.read(child)).collect()),
            Condition::Or(children) => Formula::Or(children.iter().map(|child| self.read(child)).collect()),
            Condition::Quantified { prefix, child, suffix } => {
                let (prefix, suffix) = (plain(prefix), plain(suffix));
                let same = |it: &&(String, Condition, String, usize)| {
                    it.0 == prefix && it.1 == **child && it.2 == suffix
                };
                if let Some((.., variable)) = self.quantified.iter().find(same) {
                    return Formula::Is(*variable);
                }
                let variable = self.variable(format!("{prefix}…{suffix}"), true);
                self.quantified.push((prefix, (**child).clone(), suffix, variable));
                Formula::Is(variable)
            }
        }
    }

    /// Records which quantified conditions imply each other because their inner conditions do.
    pub(super) fn relate_quantified(&mut self, implies: &mut dyn FnMut(&Condition, &Condition) -> bool) {
        for (prefix, one, suffix, variable) in &self.quantified {
            for (other_prefix, other, other_suffix, implied) in &self.quantified {
                let is_alike = prefix == other_prefix && suffix == other_suffix && is_monotone(prefix);
                if variable != implied && is_alike && implies(one, other) {
                    self.implied.push((*variable, *implied));
                }
            }
        }
    }

    /// Reads a C++ expression: `a && b`, `!a`, parentheses, or a leaf.
    fn expression(&mut self, text: &str, depth: u32) -> Formula {
        const DEPTH: u32 = 40;
        let text = without_parentheses(text);
        if depth < DEPTH {
            for (operator, is_all) in [("||", false), ("&&", true)] {
                let parts = split(text, operator);
                if parts.len() > 1 {
                    let parts = parts.into_iter().map(|part| self.expression(part, depth + 1)).collect();
                    return if is_all { Formula::And(parts) } else { Formula::Or(parts) };
                }
            }
            if let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.starts_with('=')) {
                return Formula::Not(Box::new(self.expression(rest, depth + 1)));
            }
            if let Some(applied) = applied(text) {
                return self.expression(&applied, depth + 1);
            }
        }
        match text {
            "true" => return Formula::And(Vec::new()),
            "false" => return Formula::Or(Vec::new()),
            _ => {}
        }
        if let Some((subject, claim, is_positive)) = claim(text) {
            let known = self
                .subjects
                .get(&subject)
                .and_then(|it| it.claims.iter().find(|(known, _)| *known == claim));
            let variable = match known {
                Some((_, variable)) => *variable,
                None => {
                    let variable = self.variable(text.to_owned(), false);
                    self.subjects.entry(subject).or_default().claims.push((claim, variable));
                    variable
                }
            };
            let formula = Formula::Is(variable);
            return if is_positive { formula } else { Formula::Not(Box::new(formula)) };
        }
        // A class of a dialect: distinct from others, but otherwise unknown.
        if let Some((subject, classes)) = classes(text) {
            let of = |theory: &mut Theory, class: &str| {
                let is_interface = ["Interface", "LikeType", "Like"].iter().any(|end| class.ends_with(end));
                let is_open = is_interface || OPEN.contains(&class) || class.contains('$');
                let formula = theory.free(&format!("isa<{class}>({subject})"), is_open);
                if let (Formula::Is(variable), false) = (&formula, is_open) {
                    let known = &mut theory.subjects.entry(subject.clone()).or_default().dialect_classes;
                    if !known.contains(variable) {
                        known.push(*variable);
                    }
                }
                formula
            };
            return Formula::Or(
                classes
                    .iter()
                    .map(|class| match known_class(class) {
                        true => self.expression(&format!("isa<{class}>({subject})"), depth + 1),
                        false => of(self, class),
                    })
                    .collect(),
            );
        }
        self.free(text, true)
    }

    fn free(&mut self, text: &str, is_free: bool) -> Formula {
        if let Some(variable) = self.free.get(text) {
            return Formula::Is(*variable);
        }
        let variable = self.variable(text.to_owned(), is_free);
        self.free.insert(text.to_owned(), variable);
        Formula::Is(variable)
    }

    /// Returns the values that the claims about a subject distinguish: an example of each, and the claims that it
    /// satisfies.
    fn points(&self, subject: &Subject) -> Vec<(Looks, Vec<bool>)> {
        let mut found: Vec<(Looks, Vec<bool>)> = Vec::new();
        let mut add =
            |looks: Looks, truths: Vec<bool>| match found.iter_mut().find(|(_, known)| *known == truths) {
                Some((known, _)) => {
                    known.has_other |= looks.has_other;
                    known.has_known_base |= looks.has_known_base;
                    if known.example.is_empty() {
                        known.example = looks.example;
                    }
                }
                None => found.push((looks, truths)),
            };
        let builtin = |example: String| Looks { example, ..Looks::default() };
        let bound = |(claim, _): &(Claim, usize)| match claim {
            Claim::Number(_, bound) => Some(*bound),
            _ => None,
        };
        let bounds: Vec<i64> = subject.claims.iter().filter_map(bound).collect();
        if !bounds.is_empty() {
            for number in
                bounds.iter().flat_map(|&bound| [bound, bound.saturating_sub(1), bound.saturating_add(1)])
            {
                add(
                    Looks { has_other: true, ..builtin(number.to_string()) },
                    subject.claims.iter().map(|(claim, _)| claim.holds_for_number(number)).collect(),
                );
            }
            return found;
        }
        let mut widths = vec![1];
        subject.claims.iter().for_each(|(claim, _)| claim.widths(&mut widths));
        widths.sort_unstable();
        // A width that no claim names.
        widths.push((2..).find(|width| !widths.contains(width)).unwrap_or(2));
        let signs = [(Sign::Signless, "i"), (Sign::Signed, "si"), (Sign::Unsigned, "ui")];
        let integers = signs.iter().flat_map(|&(sign, prefix)| {
            widths
                .iter()
                .map(move |&width| (Point::Integer(sign, width), builtin(format!("{prefix}{width}"))))
        });
        let classes = CLASSES.iter().enumerate().map(|(index, (_, looks, _))| {
            // A class of a dialect is not written.
            let looks = Looks { has_known_base: looks.is_empty(), ..builtin((*looks).to_owned()) };
            (Point::Class(index), looks)
        });
        let other = Looks { has_other: true, ..Looks::default() };
        for (point, looks) in integers.chain(classes).chain([(Point::Other, other)]) {
            add(looks, subject.claims.iter().map(|(claim, _)| claim.holds(&point)).collect());
        }
        found
    }

    /// Returns true if a leaf asks for a class of a dialect.
    pub(super) fn has_dialect_classes(&self) -> bool {
        self.subjects.values().any(|subject| !subject.dialect_classes.is_empty())
    }

    /// Adds the clauses that relate the leaves. If `are_apart`, no builtin type or attribute is of a class of a dialect.
    pub(super) fn clauses(&mut self, clauses: &mut Clauses, are_apart: bool) {
        let mut next = self.variables;
        let mut values = Vec::new();
        for subject in self.subjects.values() {
            let points = self.points(subject);
            let own: Vec<usize> = (next..next + points.len()).collect();
            next += points.len();
            clauses.add_exactly_one(&own);
            for (index, (_, variable)) in subject.claims.iter().enumerate() {
                let is_true =
                    |(_, truths): &&(usize, &Vec<bool>)| truths.get(index).is_some_and(|truth| *truth);
                let pairs = own.iter().copied().zip(points.iter().map(|(_, truths)| truths));
                let others: Vec<usize> =
                    pairs.collect::<Vec<_>>().iter().filter(is_true).map(|(value, _)| *value).collect();
                clauses.add_equivalence(*variable, &others);
            }
            for class in subject.dialect_classes.iter().filter(|_| are_apart) {
                for (value, (looks, _)) in own.iter().zip(&points) {
                    if !looks.has_other && !looks.has_known_base {
                        clauses.add(vec![(*class, false), (*value, false)]);
                    }
                }
            }
            values.push(own.into_iter().zip(points.into_iter().map(|(looks, _)| looks)).collect());
        }
        for (subject, values) in self.subjects.values_mut().zip(values) {
            subject.values = values;
        }
        for (one, other) in &self.implied {
            clauses.add(vec![(*one, false), (*other, true)]);
        }
    }

    /// Returns the witness of a formula, and true if it holds whatever the unknown leaves are.
    pub(super) fn witness(&self, formula: &Formula, model: &[bool]) -> (Witness, bool) {
        let value = |variable: usize| model.get(variable).copied().unwrap_or_default();
        let is_known = self.truth(formula, &|variable| {
            let is_free = self.leaves.get(variable).is_some_and(|(_, is_free)| *is_free);
            (!is_free).then(|| value(variable))
        }) == Some(true);
        let leaves = self
            .leaves
            .iter()
            .enumerate()
            .map(|(variable, (leaf, _))| (leaf.clone(), value(variable)))
            .collect();
        let chosen = |subject: &Subject| {
            subject.values.iter().find(|(variable, _)| value(*variable)).map(|(_, looks)| looks.clone())
        };
        // Only C++ knows the bases of a dialect's class.
        let is_guessed = self.subjects.values().any(|subject| {
            let is_of_dialect = subject.dialect_classes.iter().any(|class| value(*class));
            is_of_dialect && !subject.claims.is_empty() && chosen(subject).is_some_and(|it| !it.has_other)
        });
        let is_known = is_known && !is_guessed;
        let looks = |subject: &Subject| {
            let is_of_dialect = subject.dialect_classes.iter().any(|class| value(*class));
            chosen(subject).map(|it| it.example).filter(|example| !example.is_empty() && !is_of_dialect)
        };
        let mut example = self.subjects.get("$_self").and_then(looks);
        let number = self.subjects.get(NUMBER).and_then(looks);
        let ty = self.subjects.get("$_self.getType()").and_then(looks);
        if number.is_some() || ty.is_some() {
            example = example.and_then(|example| typed(&example, number.as_deref(), ty.as_deref()));
        }
        if let Some(element) = self.subjects.get("$_self.getElementType()").and_then(looks) {
            example = example
                .filter(|example| example.contains("xf32>"))
                .map(|example| example.replace("xf32>", &format!("x{element}>")));
        }
        (Witness { leaves, example }, is_known)
    }

    /// Returns a counterexample that does not depend on unknown leaves: a builtin type or attribute that makes the formula
    /// true whatever they are.
    pub(super) fn certain_witness(&self, formula: &Formula) -> Option<Witness> {
        let subject = self.subjects.get("$_self")?;
        self.points(subject).into_iter().find_map(|(looks, truths)| {
            let known = |variable: usize| {
                let at = subject.claims.iter().position(|(_, own)| *own == variable);
                match at {
                    Some(at) => truths.get(at).copied(),
                    // It is no class of a dialect.
                    None => subject.dialect_classes.contains(&variable).then_some(false),
                }
            };
            let is_builtin = !looks.example.is_empty();
            let holds = is_builtin && self.truth(formula, &known) == Some(true);
            holds.then(|| Witness { leaves: Vec::new(), example: Some(looks.example) })
        })
    }

    /// Returns the truth of a formula of which some variables are unknown.
    fn truth(&self, formula: &Formula, value: &dyn Fn(usize) -> Option<bool>) -> Option<bool> {
        match formula {
            Formula::Is(variable) => value(*variable),
            Formula::Not(child) => self.truth(child, value).map(|truth| !truth),
            Formula::And(children) | Formula::Or(children) => {
                let neutral = matches!(formula, Formula::And(_));
                let truths: Vec<Option<bool>> =
                    children.iter().map(|child| self.truth(child, value)).collect();
                if truths.contains(&Some(!neutral)) {
                    Some(!neutral)
                } else if truths.contains(&None) {
                    None
                } else {
                    Some(neutral)
                }
            }
        }
    }
}

/// The subject of comparisons of an attribute's number.
const NUMBER: &str = "$_self.getInt() as a number";

/// Returns an attribute with a number and a type; `None` if they do not fit each other.
fn typed(example: &str, number: Option<&str>, ty: Option<&str>) -> Option<String> {
    let (value, own) = match example {
        "true" => ("1", Some("i1")),
        other => other.split_once(" : ").map_or((other, None), |(value, own)| (value, Some(own))),
    };
    let Some(ty) = ty.or(own) else { return Some(example.to_owned()) };
    let is_integer = ty == "index" || ty.starts_with(['i', 's', 'u']);
    let is_float = ty.starts_with("f") || ty.starts_with("bf") || ty.starts_with("tf");
    let number = number.unwrap_or(value);
    match (own, ty) {
        // Only numbers are written with their type.
        (None, _) => None,
        (Some("i1"), "i1") if number == "1" => Some("true".to_owned()),
        (Some("i1"), "i1") if number == "0" => Some("false".to_owned()),
        (Some("i1"), _) if example == "true" && ty != "i1" => {
            Some(format!("{number} : {ty}")).filter(|_| is_integer)
        }
        _ if value.contains('.') => Some(format!("{number} : {ty}")).filter(|_| is_float),
        _ => Some(format!("{number} : {ty}")).filter(|_| is_integer && ty != "i1"),
    }
}

/// Writes each text in quotes as the numbers of its bytes: what is in it is no C++.
fn with_numbered_texts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = quoted_length(rest, out.chars().last()).unwrap_or(c.len_utf8());
        let (piece, after) = rest.split_at(length);
        if length > c.len_utf8() {
            out.push(c);
            piece.bytes().skip(1).for_each(|byte| _ = write!(out, "{byte:02x}"));
            out.push(c);
        } else {
            out += piece;
        }
        rest = after;
    }
    out
}

/// Removes MLIR's namespaces, casts and meaningless blanks.
fn plain(text: &str) -> String {
    let text = if text.contains(['"', '\'']) { with_numbered_texts(text) } else { text.to_owned() };
    let mut text =
        text.replace("::mlir::", "").replace("::llvm::", "").replace("mlir::", "").replace("llvm::", "");
    // A cast does not change its subject.
    while let Some(found) = without_cast(&text) {
        text = found;
    }
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        if plain.ends_with(joins) && word.starts_with(joins) {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    plain
}

/// Replaces `cast<T>(x)` and `x.cast<T>()` by `x`.
fn without_cast(text: &str) -> Option<String> {
    if let Some(at) = text.find(".cast<") {
        let rest = text.get(at + 6..)?;
        let end = rest.find(">()")?;
        return Some(format!("{}{}", text.get(..at)?, rest.get(end + 3..)?));
    }
    let is_whole = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let at = text.match_indices("cast<").map(|(at, _)| at).find(is_whole)?;
    let open = at + text.get(at..)?.find('(')?;
    let close = open + closing(text.get(open..)?)?;
    Some(format!("{}{}{}", text.get(..at)?, text.get(open + 1..close)?, text.get(close + 1..)?))
}

/// Returns the offset of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn without_parentheses(text: &str) -> &str {
    let mut text = text.trim();
    while text.starts_with('(') && closing(text) == Some(text.len() - 1) {
        text = text.get(1..text.len() - 1).unwrap_or_default().trim();
    }
    text
}

/// Splits a text at an operator that is in no bracket.
fn split<'t>(text: &'t str, operator: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut skip) = (0, 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 0
                && at >= skip
                && text.get(at..).is_some_and(|rest| rest.starts_with(operator)) =>
            {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + operator.len();
                skip = start;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Reduces `[](Type it){return body;}(value)` to the body with the value.
fn applied(text: &str) -> Option<String> {
    let rest = text.strip_prefix("[](")?;
    let (parameter, rest) = rest.split_once("){return")?;
    let name = parameter
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .filter(|name| !name.is_empty())?;
    let at = text.len() - rest.len();
    // The body ends at the brace that closes the last one before `return`.
    let brace = text.get(..at)?.rfind('{')?;
    let end = brace + closing(text.get(brace..)?)?;
    let body = text.get(at..end)?.trim().trim_end_matches(';');
    let argument = text.get(end + 1..)?;
    if !argument.starts_with('(') || closing(argument) != Some(argument.len() - 1) || body.contains(';') {
        return None;
    }
    let argument = argument.get(1..argument.len() - 1)?;
    Some(with_word(body, name, argument))
}

/// Replaces a word in a text.
fn with_word(text: &str, word: &str, by: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) =
            (rest.get(..at).unwrap_or_default(), rest.get(at + word.len()..).unwrap_or_default());
        result.push_str(before);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        result.push_str(if is_word { by } else { word });
        rest = after;
    }
    result + rest
}

/// Returns the subject and the classes of `isa<A, B>(subject)`.
fn classes(text: &str) -> Option<(String, Vec<String>)> {
    let (subject, list) = if let Some(rest) = text.strip_prefix("isa<") {
        let (list, argument) = rest.split_once(">(")?;
        (argument.strip_suffix(')')?, list)
    } else {
        let (subject, rest) = text.split_once(".isa<")?;
        (subject, rest.strip_suffix(">()")?)
    };
    let is_simple = !list.contains(['<', '>']) && split(subject, ",").len() == 1;
    let names = list.split(',').map(|name| name.trim().trim_start_matches("::").to_owned()).collect();
    is_simple.then(|| (without_parentheses(subject).to_owned(), names))
}

fn known_class(class: &str) -> bool {
    class == "IntegerType" || CLASSES.iter().any(|(name, _, bases)| *name == class || bases.contains(&class))
}

/// Returns the subject of claims about a number.
fn number_of(text: &str) -> String {
    let subject = without_parentheses(text);
    // An attribute's number has several getters.
    let getter = [
        ".getValue()",
        ".getSInt()",
        ".getUInt()",
        ".getValue().getSExtValue()",
        ".getValue().getZExtValue()",
    ]
    .into_iter()
    .rev()
    .find_map(|getter| subject.strip_suffix(getter));
    match getter {
        Some(attribute) => format!("{}.getInt() as a number", without_parentheses(attribute)),
        None => format!("{subject} as a number"),
    }
}

/// Returns a leaf's subject and claim, and false if the claim is negated.
fn claim(text: &str) -> Option<(String, Claim, bool)> {
    if let Some((subject, names)) = classes(text) {
        if !names.iter().all(|name| known_class(name)) {
            return None;
        }
        let mut claims: Vec<Claim> = names.into_iter().map(Claim::Is).collect();
        let claim = if claims.len() == 1 { claims.remove(0) } else { Claim::Any(claims) };
        return Some((subject, claim, true));
    }
    for (operator, comparison, is_positive) in [
        ("==", Comparison::Equal, true),
        ("!=", Comparison::Equal, false),
        ("<=", Comparison::LessOrEqual, true),
        (">=", Comparison::Less, false),
    ] {
        if let [subject, number] = split(text, operator)[..] {
            let number: i64 = number.trim().parse().ok()?;
            return Some((number_of(subject), Claim::Number(comparison, number), is_positive));
        }
    }
    // The number of blocks of a region.
    for (function, comparison, is_positive) in
        [("hasNItems(", Comparison::Equal, true), ("hasNItemsOrMore(", Comparison::Less, false)]
    {
        if let Some(rest) = text.strip_prefix(function)
            && let Some((subject, number)) = rest.strip_suffix(')')?.rsplit_once(',')
        {
            let number = number.trim().parse().ok()?;
            return Some((
                format!("items of {}", number_of(subject)),
                Claim::Number(comparison, number),
                is_positive,
            ));
        }
    }
    if let Some((subject, number)) = text.rsplit_once('>')
        && !subject.ends_with(['-', '>'])
        && let Ok(number) = number.trim().parse()
    {
        return Some((number_of(subject), Claim::Number(Comparison::LessOrEqual, number), false));
    }
    if let Some((subject, number)) = text.rsplit_once('<')
        && !subject.ends_with('<')
        && let Ok(number) = number.trim().parse()
    {
        return Some((number_of(subject), Claim::Number(Comparison::Less, number), true));
    }
    let (subject, call) = text.rsplit_once('.')?;
    if call == "hasTrait<ValueSemantics>()" {
        let claim = Claim::Is("ValueSemantics".to_owned());
        return Some((without_parentheses(subject).to_owned(), claim, true));
    }
    let (method, argument) = call.strip_suffix(')')?.split_once('(')?;
    match (method, argument) {
        ("isNegative", "") => return Some((number_of(subject), Claim::Number(Comparison::Less, 0), true)),
        ("isNonNegative", "") => {
            return Some((number_of(subject), Claim::Number(Comparison::Less, 0), false));
        }
        ("isStrictlyPositive", "") => {
            return Some((number_of(subject), Claim::Number(Comparison::LessOrEqual, 0), false));
        }
        ("isZero", "") => return Some((number_of(subject), Claim::Number(Comparison::Equal, 0), true)),
        ("isOne", "") => return Some((number_of(subject), Claim::Number(Comparison::Equal, 1), true)),
        _ => {}
    }
    let width = if argument.is_empty() { None } else { Some(argument.parse().ok()?) };
    let is = |class: &str| Claim::Is(class.to_owned());
    let signless = || Claim::Integer(Some(Sign::Signless), None);
    let any = |claims: &[Claim]| Claim::Any(claims.to_vec());
    let claim = match method {
        "isInteger" => Claim::Integer(None, width),
        "isSignlessInteger" => Claim::Integer(Some(Sign::Signless), width),
        "isSignedInteger" => Claim::Integer(Some(Sign::Signed), width),
        "isUnsignedInteger" => Claim::Integer(Some(Sign::Unsigned), width),
        _ if width.is_some() => return None,
        "isIndex" => is("IndexType"),
        "isF16" => is("Float16Type"),
        "isBF16" => is("BFloat16Type"),
        "isF32" => is("Float32Type"),
        "isF64" => is("Float64Type"),
        "isF80" => is("Float80Type"),
        "isF128" => is("Float128Type"),
        "isTF32" => is("FloatTF32Type"),
        "hasRank" => is("has rank"),
        "isSignlessIntOrIndex" => any(&[signless(), is("IndexType")]),
        "isSignlessIntOrFloat" => any(&[signless(), is("FloatType")]),
        "isSignlessIntOrIndexOrFloat" => any(&[signless(), is("IndexType"), is("FloatType")]),
        "isIntOrIndex" => any(&[Claim::Integer(None, None), is("IndexType")]),
        "isIntOrFloat" => any(&[Claim::Integer(None, None), is("FloatType")]),
        "isIntOrIndexOrFloat" => any(&[Claim::Integer(None, None), is("IndexType"), is("FloatType")]),
        _ => return None,
    };
    Some((without_parentheses(subject).to_owned(), claim, true))
}
