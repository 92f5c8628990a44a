//! Example skeletons: an operation in its custom and generic form, with types and attributes that satisfy its
//! constraints, as far as these can be read.
//!
//! * `slots`: chooses types and attributes that fail no condition of the operation;
//! * `attributes`: spellings of attributes and properties;
//! * `custom`, `generic`: writers of the two forms;
//! * `certain`: tests if C++ code could refuse the skeleton;
//! * `wrap`: breaks long lines.
//!
//! A skeleton follows from the definitions alone. No parser has checked it, and the pages say so.

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

use crate::{
    Judge,
    classes::{lookups, qualify},
    instance::Parts,
};
use slots::CandidateCache;
pub use slots::Extent;
pub(crate) use slots::{Choice, is_known_trait, trait_holds};

/// An example of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Skeleton {
    /// The custom form, if the definitions describe it in full.
    pub custom: Option<String>,
    /// The generic form.
    pub generic: Option<String>,
    /// The values that it uses as operands.
    pub values: Vec<Value>,
    /// The blocks that it branches to.
    pub blocks: Vec<String>,
    /// The operations of which one must be its parent.
    pub parents: Vec<String>,
    /// Names of the parts that are not known to satisfy their constraints, which are C++ code.
    pub unsure: Vec<String>,
    /// True if the definitions alone say that it is valid: no C++ code can refuse it.
    pub is_certain: bool,
    /// The tool that accepted it, if one did: `mlir-opt 22.1`.
    pub accepted_by: Option<String>,
    /// True if it ends its block.
    pub is_terminator: bool,
    /// The operands, results and attributes that were chosen.
    #[serde(skip)]
    pub parts: Parts,
}

/// A value that a skeleton uses as an operand.
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
    cache: CandidateCache,
    /// Names of operations by C++ class.
    names: BTreeMap<String, String>,
    /// Terminators without operands, in the generic form, by the C++ class of the parent operation.
    ends: BTreeMap<String, String>,
}

impl Synthesiser {
    /// Creates a synthesiser that knows the types, attributes and operations of these records.
    #[must_use]
    pub fn new(all: &[&Records]) -> Self {
        let mut synthesiser = Synthesiser { judge: Judge::new(all), ..Synthesiser::default() };
        for records in all {
            for rec in records.derived("Op") {
                let definition = Definition::new(rec);
                let class = qualify(definition.cpp_namespace(), definition.cpp_class_name());
                // Every root that includes a dialect has its operations again.
                if synthesiser.names.contains_key(&class) {
                    continue;
                }
                let Ok(op) = Operation::named(rec) else { continue };
                synthesiser.names.insert(class, op.name());
                synthesiser.note_terminator(&op);
            }
        }
        synthesiser
    }

    /// The judge of constraints.
    #[must_use]
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    fn note_terminator(&mut self, op: &Operation<'_>) {
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

    /// Writes an example of an operation with as few parts as possible; `None` if that is not possible.
    #[must_use]
    pub fn skeleton(&self, op: &Operation<'_>, format: Option<&OpFormat<'_>>) -> Option<Skeleton> {
        self.skeleton_with(op, format, Extent::Least)
    }

    /// Writes an example of an operation with the optional parts of an extent.
    #[must_use]
    pub fn skeleton_with(
        &self,
        op: &Operation<'_>,
        format: Option<&OpFormat<'_>>,
        with: Extent<'_>,
    ) -> Option<Skeleton> {
        let choice = Choice::new(&self.judge, &self.cache, op, format, &with)?;
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

    /// The name of the operation with a C++ class, as the code of `op` spells the class.
    fn name_of(&self, op: &Operation<'_>, class: &str) -> Option<String> {
        lookups(op.cpp_namespace(), class).iter().find_map(|class| self.names.get(class)).cloned()
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
    /// The terminator of its block, in the generic form.
    pub(crate) end: Option<String>,
    /// True if the custom form may leave the terminator out.
    pub(crate) is_implicit: bool,
}

/// The C++ classes in `HasParent`.
fn parents(op: &Operation<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for it in op.traits() {
        let Some(list) = it.trait_name().strip_prefix("HasParent<") else { continue };
        let list = list.split('>').next().unwrap_or_default();
        found.extend(list.split(',').map(|class| class.trim().trim_start_matches("::").to_owned()));
    }
    found
}
