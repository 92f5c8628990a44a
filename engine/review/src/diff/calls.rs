//! The effect on calls in C++ and Python: decided on the generated declarations, not on rules.
//!
//! ```text
//! old  build(Value lhs, Value rhs)          getWidth() -> int64_t
//! new  build(Value rhs, Value lhs)          getWidth() -> std::optional<int64_t>
//!      a call compiles, and swaps them      a caller does not compile
//! ```

use std::collections::BTreeMap;

use odsmith_interchange::code::{Declaration, Declarations, DeclaredParameter, PythonDeclaration};

use super::{
    names::{Scope, cpp},
    rules::Verdict,
};

/// The effect on calls of the old class.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// The worst effect on a builder.
    pub builders: Verdict,
    /// The old builders whose calls no longer compile.
    pub lost: Vec<BrokenBuilder>,
    /// The effect on getters and setters, by key: `symname`.
    accessors: BTreeMap<String, Verdict>,
    /// The effect on the Python constructor, if both sides have one.
    pub python: Option<Verdict>,
}

/// A builder whose calls no longer compile.
#[derive(Clone, Debug)]
pub(super) struct BrokenBuilder {
    /// The types of its parameters.
    pub types: Vec<String>,
}

impl Calls {
    /// Compares both sides, with the names of types as each scope finds them.
    pub(super) fn new(
        old: &Declarations,
        new: &Declarations,
        [old_scope, new_scope]: [Scope<'_>; 2],
    ) -> Self {
        let (old, new) = (&found(old, old_scope), &found(new, new_scope));
        let mut calls = Calls { builders: Verdict::Safe, ..Calls::default() };
        let mut by_name: BTreeMap<&str, Vec<&Declaration>> = BTreeMap::new();
        for it in &new.cpp {
            by_name.entry(&it.name).or_default().push(it);
        }
        for it in &old.cpp {
            let others = by_name.get(it.name.as_str()).map(Vec::as_slice).unwrap_or_default();
            // A call reaches the overload that fits best.
            let taken: Vec<Verdict> = others.iter().map(|other| taken(it, other)).collect();
            let best = [Verdict::Safe, Verdict::Silent].into_iter().find(|verdict| taken.contains(verdict));
            let verdict = best.unwrap_or(Verdict::Breaks);
            if matches!(it.name.as_str(), "build" | "get" | "getChecked") {
                if verdict == Verdict::Breaks {
                    let types = it.parameters.iter().map(|it| it.cpp_type.clone()).collect();
                    calls.lost.push(BrokenBuilder { types });
                }
                calls.builders = calls.builders.min(verdict);
            } else {
                let verdict = verdict.min(returned(it, others));
                let worst = calls.accessors.entry(key(&it.name)).or_insert(Verdict::Safe);
                *worst = verdict.min(*worst);
            }
        }
        if let (Some(old), Some(new)) = (&old.python, &new.python) {
            calls.python = Some(python(old, new));
        }
        calls
    }

    /// Returns the effect on getters and setters of a part.
    pub(super) fn accessors_of(&self, part: &str) -> Verdict {
        let part = part.replace('_', "").to_lowercase();
        self.accessors.get(&part).copied().unwrap_or(Verdict::Safe)
    }
}

/// Returns declarations whose types have their shortest names.
fn found(declarations: &Declarations, scope: Scope<'_>) -> Declarations {
    let mut found = declarations.clone();
    for it in &mut found.cpp {
        it.returns = scope.normal(&it.returns);
        for parameter in &mut it.parameters {
            parameter.cpp_type = scope.normal(&parameter.cpp_type);
        }
    }
    found
}

/// Returns the key of a getter or setter, which it shares with the others of its part.
fn key(name: &str) -> String {
    let stem = ["get", "set", "remove"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let stem = ["Attr", "Mutable"].iter().find_map(|suffix| stem.strip_suffix(suffix)).unwrap_or(stem);
    stem.replace('_', "").to_lowercase()
}

/// Returns the effect on calls of one function if another one takes them.
fn taken(old: &Declaration, new: &Declaration) -> Verdict {
    let (before, after) = (&old.parameters, &new.parameters);
    let least = |all: &[DeclaredParameter]| all.iter().filter(|it| !it.has_default).count();
    if after.len() < before.len() || least(after) > least(before) {
        return Verdict::Breaks;
    }
    if !before.iter().zip(after).all(|(a, b)| is_convertible(&a.cpp_type, &b.cpp_type)) {
        return Verdict::Breaks;
    }
    // The types are the same, but an argument goes to another parameter.
    let is_swapped = before.iter().zip(after).any(|(a, b)| {
        a.name != b.name && !a.name.is_empty() && after.iter().any(|other| other.name == a.name)
    });
    if is_swapped { Verdict::Silent } else { Verdict::Safe }
}

/// Returns the effect on callers that use the result of a function.
fn returned(old: &Declaration, others: &[&Declaration]) -> Verdict {
    let is_same = |other: &&&Declaration| is_convertible(&other.returns, &old.returns);
    if others.iter().any(|other| is_same(&other)) { Verdict::Safe } else { Verdict::Breaks }
}

/// Returns true if a value of one C++ type is known to convert to another.
fn is_convertible(from: &str, to: &str) -> bool {
    let (from, to) = (cpp(from), cpp(to));
    from == to
        || match to.as_str() {
            "Value" => from.starts_with("TypedValue<"),
            "ValueRange" => from == "Value" || from.starts_with("TypedValue<") || from == "OperandRange",
            "Attribute" => from.ends_with("Attr"),
            "Type" => from.ends_with("Type"),
            "TypeRange" => from == "Type",
            to => to.strip_prefix("ArrayRef<").and_then(|it| it.strip_suffix('>')) == Some(&from),
        }
}

/// A parameter of a Python function.
#[derive(Debug, PartialEq, Eq)]
struct PythonParameter<'p> {
    name: &'p str,
    has_default: bool,
    is_keyword_only: bool,
}

fn python_parameters(text: &str) -> Vec<PythonParameter<'_>> {
    let mut is_keyword_only = false;
    let mut all = Vec::new();
    for part in super::split_outside(text, ',') {
        let part = part.trim();
        if part == "*" {
            is_keyword_only = true;
        } else if !part.is_empty() {
            let has_default = part.contains('=');
            let name = part.split([':', '=']).next().unwrap_or_default().trim();
            all.push(PythonParameter { name, has_default, is_keyword_only });
        }
    }
    all
}

/// Returns the effect on old calls of the constructor.
fn python(old: &PythonDeclaration, new: &PythonDeclaration) -> Verdict {
    if old.class != new.class || old.function != new.function {
        return Verdict::Breaks;
    }
    let (before, after) = (python_parameters(&old.init), python_parameters(&new.init));
    let find = |name: &str| after.iter().position(|it| it.name == name);
    let mut verdict = Verdict::Safe;
    for (at, it) in before.iter().enumerate() {
        let Some(to) = find(it.name) else { return Verdict::Breaks };
        let is_positional = !it.is_keyword_only;
        if (it.has_default && !after[to].has_default) || (is_positional && after[to].is_keyword_only) {
            return Verdict::Breaks;
        }
        if is_positional && at != to {
            verdict = Verdict::Silent;
        }
    }
    let is_needed =
        |it: &&PythonParameter<'_>| !it.has_default && before.iter().all(|other| other.name != it.name);
    if after.iter().find(is_needed).is_some() { Verdict::Breaks } else { verdict }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(parameters: &[(&str, &str, bool)]) -> Declarations {
        let parameters = parameters.iter().map(|&(cpp_type, name, has_default)| DeclaredParameter {
            cpp_type: cpp_type.to_owned(),
            name: name.to_owned(),
            has_default,
        });
        let build = Declaration {
            name: "build".to_owned(),
            returns: "void".to_owned(),
            parameters: parameters.collect(),
        };
        Declarations { cpp: vec![build], python: None }
    }

    fn init(text: &str) -> PythonDeclaration {
        PythonDeclaration { class: "A".to_owned(), init: text.to_owned(), function: "a".to_owned() }
    }

    #[test]
    fn builders_are_decided_on_parameters() {
        let value = "::mlir::Value";
        let old = build(&[(value, "lhs", false), (value, "rhs", false)]);
        let check = |new: &[(&str, &str, bool)], wanted: Verdict| {
            let calls = Calls::new(&old, &build(new), [Scope::NONE; 2]);
            assert_eq!(calls.builders, wanted, "{new:?}");
        };
        check(&[(value, "lhs", false), (value, "rhs", false)], Verdict::Safe);
        check(&[(value, "rhs", false), (value, "lhs", false)], Verdict::Silent);
        check(&[(value, "left", false), (value, "rhs", false)], Verdict::Safe);
        check(&[(value, "lhs", false), ("::mlir::ValueRange", "rhs", false)], Verdict::Safe);
        check(&[(value, "lhs", false), (value, "rhs", false), ("bool", "b", true)], Verdict::Safe);
        check(&[(value, "lhs", false), (value, "rhs", false), ("bool", "b", false)], Verdict::Breaks);
        check(&[(value, "lhs", false)], Verdict::Breaks);
    }

    #[test]
    fn getters_are_decided_on_what_they_return() {
        let getter = |returns: &str| Declarations {
            cpp: vec![Declaration {
                name: "getSymName".to_owned(),
                returns: returns.to_owned(),
                parameters: Vec::new(),
            }],
            python: None,
        };
        let of = |old: &str, new: &str| {
            Calls::new(&getter(old), &getter(new), [Scope::NONE; 2]).accessors_of("sym_name")
        };
        assert_eq!(of("int64_t", "int64_t"), Verdict::Safe);
        assert_eq!(of("int64_t", "std::optional<int64_t>"), Verdict::Breaks);
        assert_eq!(of("::mlir::Value", "::mlir::TypedValue<::mlir::IndexType>"), Verdict::Safe);
        assert_eq!(of("::mlir::TypedValue<::mlir::IndexType>", "::mlir::Value"), Verdict::Breaks);
    }

    #[test]
    fn python_is_decided_on_init() {
        let of = |old: &str, new: &str| python(&init(old), &init(new));
        assert_eq!(of("a, b, *, loc=None", "a, b, *, c=None, loc=None"), Verdict::Safe);
        assert_eq!(of("a, b, *, loc=None", "b, a, *, loc=None"), Verdict::Silent);
        assert_eq!(of("a, *, loc=None", "a, b, *, loc=None"), Verdict::Breaks);
        assert_eq!(of("results, a, *, loc=None", "a, *, results=None, loc=None"), Verdict::Breaks);
        assert_eq!(of("a: _Union[X, Y], *, loc=None", "a, *, loc=None"), Verdict::Safe);
    }
}
