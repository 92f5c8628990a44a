//! Example skeletons: an operation written in its custom and generic form, with types and attributes that satisfy its
//! constraints as far as these can be read.
//!
//! * `slots`: what has to be chosen, and a choice with which no condition of the operation fails;
//! * `attributes`: how attributes and properties are written;
//! * `custom`, `generic`: the two forms;
//! * `certain`: whether anything but the definitions could refuse it;
//! * `wrap`: long lines.
//!
//! A skeleton is made from the definitions alone. Nothing has parsed it, and pages say so.

mod attributes;
mod certain;
mod custom;
mod generic;
mod slots;
mod wrap;

use std::collections::BTreeMap;

use odsmith_engine::{
    ods::{Definition, Operation, format::OpFormat},
    record::Records,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Judge, classes::qualify, instance::Parts};
pub use slots::Extent;
use slots::Known;
pub(crate) use slots::{Choice, is_known_trait, trait_holds};

/// An example of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Skeleton {
    /// In the custom form, where the definitions describe it in full.
    pub custom: Option<String>,
    /// In the generic form.
    pub generic: Option<String>,
    /// The values that it takes.
    pub values: Vec<Value>,
    /// The blocks that it branches to.
    pub blocks: Vec<String>,
    /// The operations of which one must be its parent.
    pub parents: Vec<String>,
    /// Parts of which it is not known whether what was chosen satisfies their constraints, which are C++ code.
    pub unsure: Vec<String>,
    /// Whether the definitions alone say that it is right: no C++ code could refuse it.
    pub is_certain: bool,
    /// The tool that has accepted it, if one has: `mlir-opt 22.1`.
    pub accepted_by: Option<String>,
    /// Whether it ends its block.
    pub is_terminator: bool,
    /// What was chosen.
    #[serde(skip)]
    pub parts: Parts,
}

/// A value that a skeleton takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Value {
    /// Its name: `%lhs`.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
}

/// Writes skeletons.
#[derive(Debug, Default)]
pub struct Synthesiser {
    judge: Judge,
    known: Known,
    /// Names of operations by their C++ class.
    names: BTreeMap<String, String>,
    /// How a block of an operation, by its C++ class, may end: without operands.
    ends: BTreeMap<String, String>,
}

impl Synthesiser {
    /// One that knows the types, attributes and operations of these records.
    #[must_use]
    pub fn new(all: &[&Records]) -> Self {
        let mut made = Synthesiser { judge: Judge::new(all), ..Synthesiser::default() };
        for records in all {
            for rec in records.derived("Op") {
                let definition = Definition::new(rec);
                let class = qualify(definition.cpp_namespace(), definition.cpp_class_name());
                // Every root that includes a dialect brings its operations along.
                if made.names.contains_key(&class) {
                    continue;
                }
                let Ok(op) = Operation::named(rec) else { continue };
                made.names.insert(class, op.name());
                made.note(&op);
            }
        }
        made
    }

    /// What judges constraints.
    #[must_use]
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    fn note(&mut self, op: &Operation<'_>) {
        let is_needed = |is_variable: bool| !is_variable;
        let takes = op.operands().iter().any(|it| is_needed(it.constraint.is_variable_length()))
            || op
                .natural_attributes()
                .iter()
                .any(|it| !it.attribute.is_optional() && it.attribute.default_value().is_none())
            || !op.regions().is_empty()
            || !op.successors().is_empty();
        if takes || !op.has_trait("::mlir::OpTrait::IsTerminator") {
            return;
        }
        for parent in parents(op) {
            let parent = qualify(op.cpp_namespace(), &parent);
            self.ends.entry(parent).or_insert_with(|| generic::empty(op));
        }
    }

    /// An example of an operation, if one can be written down.
    #[must_use]
    pub fn skeleton(&self, op: &Operation<'_>, format: Option<&OpFormat<'_>>) -> Option<Skeleton> {
        self.skeleton_with(op, format, Extent::Least)
    }

    /// An example of an operation with parts that may be missing.
    #[must_use]
    pub fn skeleton_with(
        &self,
        op: &Operation<'_>,
        format: Option<&OpFormat<'_>>,
        with: Extent<'_>,
    ) -> Option<Skeleton> {
        let choice = Choice::new(&self.judge, &self.known, op, format, &with)?;
        let regions = self.regions(op);
        let custom = format.and_then(|format| custom::write(op, format, &choice, &regions));
        let generic = generic::write(op, &choice, &regions);
        let parents = parents(op).iter().filter_map(|class| self.name_of(op, class)).collect();
        let blocks = op.successors().iter().filter(|it| !it.is_variadic());
        Some(Skeleton {
            custom: custom.map(|text| wrap::wrapped(&text)),
            generic: Some(wrap::wrapped(&generic)),
            is_certain: certain::is_certain(op, &choice),
            accepted_by: None,
            is_terminator: op.has_trait("::mlir::OpTrait::IsTerminator"),
            parts: choice.parts(op),
            values: choice.values(),
            blocks: blocks.map(|it| format!("^{}", it.name)).collect(),
            parents,
            unsure: choice.unsure.clone(),
        })
    }

    /// The name of the operation of a C++ class, as the code of another one calls it.
    fn name_of(&self, op: &Operation<'_>, class: &str) -> Option<String> {
        let candidates = [qualify(op.cpp_namespace(), class), class.to_owned(), qualify("mlir", class)];
        candidates.iter().find_map(|class| self.names.get(class)).cloned()
    }

    /// The content of the regions of an operation.
    fn regions(&self, op: &Operation<'_>) -> Body {
        let implicit = op.traits().iter().find_map(|it| {
            let argument = it.trait_name().strip_prefix("SingleBlockImplicitTerminator<")?;
            Some(argument.split('>').next().unwrap_or_default().trim_start_matches("::").to_owned())
        });
        if let Some(class) = implicit {
            let name = self.name_of(op, &class);
            return Body { end: name.map(|name| format!("\"{name}\"() : () -> ()")), is_implicit: true };
        }
        let class = qualify(op.cpp_namespace(), op.cpp_class_name());
        let end = self.ends.get(&class).cloned();
        Body { end, is_implicit: op.has_trait("::mlir::OpTrait::NoTerminator") }
    }
}

/// The content of a region.
pub(crate) struct Body {
    /// The operation that ends its block, in the generic form.
    pub(crate) end: Option<String>,
    /// Whether the custom form may leave it out.
    pub(crate) is_implicit: bool,
}

/// C++ classes of the operations in one of which it must appear.
fn parents(op: &Operation<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for it in op.traits() {
        let Some(list) = it.trait_name().strip_prefix("HasParent<") else { continue };
        let list = list.split('>').next().unwrap_or_default();
        found.extend(list.split(',').map(|class| class.trim().trim_start_matches("::").to_owned()));
    }
    found
}
