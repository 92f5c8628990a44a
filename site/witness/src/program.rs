//! Whole programs: the example of an operation as a module that tools of MLIR parse.
//!
//! Casts produce the operands, so a program contains only the operation, the casts and the operations that must be
//! around it:
//!
//! ```text
//! %lhs = builtin.unrealized_conversion_cast to i32
//! %result = arith.addi %lhs, %lhs : i32
//! ```

use std::collections::BTreeMap;

use odsmith_engine::{
    ods::{Operation, format::OpFormat},
    record::{Rec, Records},
};

use crate::{
    instance::Parts,
    skeleton::{Extent, Skeleton, Synthesiser},
};

/// The nesting limit for parent operations.
const DEPTH: usize = 3;

/// Writes a program around an operation.
pub struct Programs<'r> {
    synthesiser: Synthesiser,
    /// Operations by name; if several roots define one, the first counts.
    records: BTreeMap<String, Rec<'r>>,
}

/// A program in both forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The custom form, if the definitions describe it in full.
    pub custom: Option<String>,
    /// The generic form.
    pub generic: String,
    /// Names of the parts that are not known to satisfy their constraints.
    pub unsure: Vec<String>,
    /// The operations of the program without the casts; the example's own is the first.
    pub operations: Vec<Parts>,
}

impl<'r> Programs<'r> {
    /// Collects the operations of these records.
    #[must_use]
    pub fn new(all: &[&'r Records]) -> Self {
        let mut records = BTreeMap::new();
        for rec in all.iter().flat_map(|records| records.derived("Op")) {
            if let Some(op) = Operation::lenient(rec) {
                records.entry(op.name()).or_insert(rec);
            }
        }
        Programs { synthesiser: Synthesiser::new(all), records }
    }

    /// The names of all operations.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.records.keys().map(String::as_str)
    }

    /// Writes the program of an operation; `None` if that is not possible.
    #[must_use]
    pub fn program(&self, name: &str, with: Extent<'_>) -> Option<Program> {
        let skeleton = self.skeleton(name, with)?;
        // A module has no blocks to branch to, and a terminator needs a parent.
        if !skeleton.blocks.is_empty() || (skeleton.is_terminator && skeleton.parents.is_empty()) {
            return None;
        }
        let whole = |text: &str| {
            let mut values = skeleton.values.clone();
            let text = self.nested(&skeleton, text, &mut values, 0)?;
            let casts = values
                .iter()
                .map(|it| format!("{} = builtin.unrealized_conversion_cast to {}\n", it.name, it.ty));
            Some(format!("{}{text}\n", casts.collect::<String>()))
        };
        let generic = whole(skeleton.generic.as_deref()?)?;
        Some(Program {
            custom: skeleton.custom.as_deref().and_then(whole),
            unsure: skeleton.unsure.clone(),
            operations: self.operations(&skeleton, &generic),
            generic,
        })
    }

    /// The operations of a program: the example's own, its parents, and those that end blocks.
    fn operations(&self, skeleton: &Skeleton, generic: &str) -> Vec<Parts> {
        let mut all = vec![skeleton.parts.clone()];
        let mut names: Vec<&str> = generic
            .split('"')
            .skip(1)
            .step_by(2)
            .filter(|name| generic.contains(&format!("\"{name}\"(")) && self.records.contains_key(*name))
            .collect();
        // The parents come first in the text, so the last operation of this name is the example's own.
        if let Some(own) = names.iter().rposition(|name| *name == skeleton.parts.operation) {
            names.remove(own);
        }
        let parent = names.iter().rev().find(|name| skeleton.parents.iter().any(|it| it == **name));
        all[0].parent = parent.map(|name| (*name).to_owned());
        for name in names {
            match self.skeleton(name, Extent::Least).filter(|it| it.parts.needs_any() && !it.is_terminator) {
                Some(outer) => all.push(outer.parts),
                None => all.push(Parts {
                    operation: name.to_owned(),
                    parent: Some(self.around(name, skeleton)),
                    ..Parts::default()
                }),
            }
        }
        all
    }

    /// The parent of an operation that ends a block: the example's own operation or the one around it.
    fn around(&self, name: &str, skeleton: &Skeleton) -> String {
        let own = &skeleton.parts.operation;
        let is_inside = skeleton.generic.as_ref().is_some_and(|text| text.contains(&format!("\"{name}\"(")));
        let outer = skeleton.parents.first().filter(|_| !is_inside);
        outer.unwrap_or(own).clone()
    }

    fn skeleton(&self, name: &str, with: Extent<'_>) -> Option<Skeleton> {
        let op = Operation::named(*self.records.get(name)?).ok()?;
        let format = op.assembly_format().and_then(|text| OpFormat::new(&op, text).ok());
        self.synthesiser.skeleton_with(&op, format.as_ref(), with)
    }

    /// Puts the example into an operation that may hold it, and that one into its own parent.
    fn nested(
        &self,
        skeleton: &Skeleton,
        text: &str,
        values: &mut Vec<crate::skeleton::Value>,
        depth: usize,
    ) -> Option<String> {
        if skeleton.parents.is_empty() || depth > DEPTH {
            return Some(text.to_owned());
        }
        skeleton.parents.iter().find_map(|parent| {
            let outer = self.skeleton(parent, Extent::Least)?;
            let suffix = "_parent".repeat(depth + 1);
            let body = renamed(outer.generic.as_deref()?, &suffix);
            let body = inside(&body, text, skeleton.is_terminator)?;
            let mut all = values.clone();
            all.extend(outer.values.iter().map(|it| crate::skeleton::Value {
                name: format!("{}{suffix}", it.name),
                ty: it.ty.clone(),
            }));
            let text = self.nested(&outer, &body, &mut all, depth + 1)?;
            *values = all;
            Some(text)
        })
    }
}

impl std::fmt::Debug for Programs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "programs of {} operations", self.records.len())
    }
}

/// Appends a suffix to the name of each value.
#[must_use]
pub fn renamed(text: &str, suffix: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let after = &rest[at + 1..];
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
        out += &rest[..=at];
        out += &after[..end];
        if end > 0 {
            out += suffix;
        }
        rest = &after[end..];
    }
    out + rest
}

/// Inserts an example into the first region of another one: before the region's terminator or, if it ends the block, in
/// the place of all that is there.
#[must_use]
pub fn inside(outer: &str, inner: &str, ends: bool) -> Option<String> {
    const OPEN: &str = "({\n";
    const BLOCK: &str = "^bb0:\n";
    let body = outer.find(OPEN)? + OPEN.len();
    let body = body + if outer[body..].starts_with(BLOCK) { BLOCK.len() } else { 0 };
    let end: usize =
        outer[body..].split_inclusive('\n').take_while(|line| line.starts_with("  ")).map(str::len).sum();
    let after = outer[body + end..].strip_prefix('}').map(|_| &outer[body + end..])?;
    let rest = if ends { "" } else { &outer[body..body + end] };
    Some(format!("{}{inner}\n{rest}{after}", &outer[..body]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_put_into_a_block_with_arguments() {
        let outer = "\"d.for\"(%a) ({\n^bb0:\n  \"d.end\"() : () -> ()\n}) : (i32) -> ()";
        let around = |ends| inside(outer, "  d.x", ends).expect("a region");
        assert_eq!(
            around(false),
            "\"d.for\"(%a) ({\n^bb0:\n  d.x\n  \"d.end\"() : () -> ()\n}) : (i32) -> ()"
        );
        assert_eq!(around(true), "\"d.for\"(%a) ({\n^bb0:\n  d.x\n}) : (i32) -> ()");
    }

    #[test]
    fn texts_go_into_regions() {
        let outer = "\"a.b\"(%x) ({\n  \"a.end\"() : () -> ()\n}) : (i32) -> ()";
        let parent = renamed(outer, "_parent");
        assert!(parent.starts_with("\"a.b\"(%x_parent) ({"));
        let both = inside(&parent, "\"a.c\"() : () -> ()", false).expect("a region");
        assert!(both.contains("\"a.c\"() : () -> ()\n  \"a.end\"()"), "{both}");
        let ended = inside(&parent, "\"a.c\"() : () -> ()", true).expect("a region");
        assert!(!ended.contains("a.end"), "{ended}");
        assert_eq!(inside("\"a.b\"() : () -> ()", "x", false), None);
    }
}
