//! An operation of an example, for the comparison of two releases.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::{
    interchange::{
        constraint::Predicate,
        op::{PartKind, Trait},
    },
    ods::cpp_name::camel_case,
    review::diff::program::Instance,
};

use crate::{
    Attr, Env, Judge, Type, Value, Witness,
    skeleton::{is_known_trait, trait_holds},
};

/// The operation of an example, its operands, results and attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The name of the operation.
    pub operation: String,
    /// Its operands.
    pub operands: Vec<Values>,
    /// Its results.
    pub results: Vec<Values>,
    /// The attributes that are present, by their index.
    pub attributes: BTreeMap<usize, Attr>,
    /// The properties that are present, by their index.
    pub properties: BTreeSet<usize>,
    /// The operation whose region contains it.
    pub parent: Option<String>,
}

/// The values of an operand or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// Its name.
    pub name: String,
    /// The type of each value.
    pub ty: Type,
    /// The number of values.
    pub count: usize,
}

impl Parts {
    /// Tests if it has an operand, a result, an attribute or a property.
    #[must_use]
    pub fn needs_any(&self) -> bool {
        !(self.operands.is_empty()
            && self.results.is_empty()
            && self.attributes.is_empty()
            && self.properties.is_empty())
    }

    fn values(&self, kind: PartKind) -> &[Values] {
        if kind == PartKind::Result { &self.results } else { &self.operands }
    }

    fn types(&self, kind: PartKind) -> impl Iterator<Item = &Type> {
        self.values(kind).iter().flat_map(|it| std::iter::repeat_n(&it.ty, it.count))
    }
}

/// An operation of an example with the judge of the release that reads it.
#[derive(Clone, Copy, Debug)]
pub struct JudgedParts<'j> {
    /// The operation.
    pub parts: &'j Parts,
    /// The judge.
    pub judge: &'j Judge,
}

impl Instance for JudgedParts<'_> {
    fn operation(&self) -> &str {
        &self.parts.operation
    }

    fn count(&self, kind: PartKind, index: usize) -> Option<usize> {
        Some(match kind {
            PartKind::Operand | PartKind::Result => {
                self.parts.values(kind).get(index).map_or(0, |it| it.count)
            }
            PartKind::Attribute => usize::from(self.parts.attributes.contains_key(&index)),
            PartKind::Property => usize::from(self.parts.properties.contains(&index)),
            PartKind::DerivedAttribute | PartKind::Region | PartKind::Successor => return None,
        })
    }

    fn satisfies(&self, kind: PartKind, index: usize, condition: &str) -> Option<bool> {
        let witness = match kind {
            PartKind::Operand | PartKind::Result => {
                self.judge.type_satisfies(condition, &self.parts.values(kind).get(index)?.ty)
            }
            _ => self.judge.attr_satisfies(condition, self.parts.attributes.get(&index)?),
        };
        of_witness(witness)
    }

    fn holds(&self, it: &Trait) -> Option<bool> {
        let of = |kind| self.parts.types(kind);
        if let Some(predicate) = &it.predicate {
            let condition = self.judge.read(&condition(predicate));
            let named = self.named();
            let env = Env::of(named.iter().map(|(name, it)| (name.as_str(), Cow::Borrowed(it))).collect());
            return of_witness(self.judge.holds(&condition, &env));
        }
        let name = it.cpp_name.rsplit("::").next().unwrap_or_default();
        let name = if it.cpp_name.is_empty() { it.name.as_str() } else { name };
        let is_known = is_known_trait(name);
        is_known.then(|| of_witness(trait_holds(name, of(PartKind::Operand), of(PartKind::Result))))?
    }

    fn parent(&self) -> Option<&str> {
        self.parts.parent.as_deref()
    }
}

impl JudgedParts<'_> {
    /// The names that a condition on several parts may use, with their values.
    fn named(&self) -> Vec<(String, Value)> {
        let all = |kind| self.parts.types(kind).cloned().collect::<Vec<_>>();
        let (operands, results) = (all(PartKind::Operand), all(PartKind::Result));
        let operation = odsmith_conditions::Operation { operands, results, around: None };
        let mut named = vec![("$_op".to_owned(), Value::Op(operation))];
        for it in self.parts.operands.iter().chain(&self.parts.results) {
            let value = if it.count == 0 { Value::Bool(false) } else { Value::Operand(it.ty.clone()) };
            named.push((format!("get{}()", camel_case(&it.name, true)), value.clone()));
            named.push((format!("${}", it.name), value));
        }
        named
    }
}

fn of_witness(witness: Witness) -> Option<bool> {
    match witness {
        Witness::Yes => Some(true),
        Witness::No => Some(false),
        Witness::Unknown => None,
    }
}

/// Writes a predicate as a C++ condition.
fn condition(predicate: &Predicate) -> String {
    let all = |children: &[Predicate], operator: &str| {
        let all: Vec<String> = children.iter().map(|it| format!("({})", condition(it))).collect();
        all.join(operator)
    };
    match predicate {
        Predicate::Leaf { expression } => expression.clone(),
        Predicate::And { children } if children.is_empty() => "true".to_owned(),
        Predicate::Or { children } if children.is_empty() => "false".to_owned(),
        Predicate::And { children } => all(children, " && "),
        Predicate::Or { children } => all(children, " || "),
        Predicate::Not { child } => format!("!({})", condition(child)),
        Predicate::SubstLeaves { pattern, replacement, child } => {
            condition(child).replace(pattern, replacement)
        }
        Predicate::Concat { prefix, child, suffix } => format!("{prefix}{}{suffix}", condition(child)),
    }
}
