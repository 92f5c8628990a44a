//! Counts of parts, regions, blocks and their ends, and the operations around.

use rustc_hash::FxHashMap;

use super::{
    parts::Parts,
    rules::OperationRules,
    walk::{Parent, Walk},
};
use crate::{
    definitions::OperationDef,
    tree::{NO_DATA, Node, NodeId, NodeKind, flags},
};

impl<'w> Walk<'w> {
    /// Checks counts, regions and the operations around.
    pub(super) fn structure(
        &mut self,
        id: NodeId,
        def: &'w OperationDef,
        rules: &'w OperationRules,
        parts: &Parts,
        name: u32,
    ) {
        let is_generic = self.node(id).flags & flags::GENERIC != 0;
        let mut message = None;
        if is_generic {
            message = counts_message(self, rules, parts);
        }
        if message.is_none() && !rules.parents.is_empty() {
            let parent = match self.parents.last() {
                None => Some("builtin.module"),
                Some(parent) => parent.def.map(|def| &*def.name).or_else(|| {
                    // A whole name that is not defined here is still another one.
                    let word = self.token_text(parent.token);
                    (parent.is_generic || word.contains('.')).then(|| word.trim_matches('"'))
                }),
            };
            if let Some(parent) = parent
                && rules.parents.iter().all(|own| own != parent)
            {
                message = Some(match &rules.parents[..] {
                    [one] => format!("expects parent op '{one}'"),
                    all => format!("expects parent op to be one of '{}'", all.join(", ")),
                });
            }
        }
        if message.is_none() {
            message = self.regions_message(id, rules, is_generic);
        }
        if let Some(message) = message {
            self.fault_of_operation(name, format!("'{}' op {message}", def.name));
        }
    }

    /// Returns the message about the blocks of an operation's regions.
    pub(super) fn regions_message(
        &self,
        id: NodeId,
        rules: &OperationRules,
        is_generic: bool,
    ) -> Option<String> {
        let is_single = rules.has_trait("SingleBlock") || rules.has_trait_of("SingleBlockImplicitTerminator");
        let regions: Vec<NodeId> = self.ir.tree.children_of(id, NodeKind::Region).collect();
        for (index, region) in regions.iter().enumerate() {
            let blocks: Vec<NodeId> = self.ir.tree.children_of(*region, NodeKind::Block).collect();
            let is_empty = blocks.len() == 1 && self.ir.tree.inside(blocks[0]).is_empty();
            if is_single && blocks.len() > 1 {
                return Some(format!("expects region #{index} to have 0 or 1 blocks"));
            }
            if rules.has_trait("NoRegionArguments")
                && let Some(block) = blocks.first()
                && self.ir.tree.child(*block, NodeKind::BlockArgument).is_some()
            {
                return Some(format!("region #{index} should have no arguments"));
            }
            if is_empty && !is_generic {
                continue;
            }
            let count = if is_empty { 0 } else { blocks.len() };
            let rule = rules.regions.get(index).filter(|rule| !rule.is_variadic);
            if let Some(rule) = rule.filter(|rule| rule.blocks.is_some_and(|blocks| blocks != count))
                && rules.regions.iter().take(index).all(|rule| !rule.is_variadic)
            {
                let named = if rule.name.is_empty() { String::new() } else { format!("('{}') ", rule.name) };
                return Some(format!("region #{index} {named}failed to verify constraint: {}", rule.summary));
            }
        }
        None
    }

    /// Checks the place of a terminator, or that the last operation is one.
    pub(super) fn block_end(
        &mut self,
        id: NodeId,
        may_end: bool,
        is_last: bool,
        blocks: usize,
        parent: Parent<'w>,
    ) {
        let node = self.node(id);
        let Some(name) = self.ir.tree.child(id, NodeKind::Name).map(|name| self.node(name).first) else {
            return;
        };
        if node.data == NO_DATA || node.flags & flags::ERROR != 0 || self.is_broken {
            return;
        }
        let checker = self.checker;
        let (Some(def), Some(rules)) =
            (checker.definitions.get(u32::from(node.data)), checker.rules.get(node.data))
        else {
            return;
        };
        if !is_last && rules.has_trait("IsTerminator") {
            self.fault(name, format!("'{}' op must be the last operation in the parent block", def.name));
        }
        let Some(of_parent) = parent.rules else { return };
        // C++ may add a terminator to a region that it reads.
        let is_free = parent.is_opaque
            || blocks == 1
                && (of_parent.has_trait("NoTerminator")
                    || of_parent.has_trait_of("SingleBlockImplicitTerminator") && !parent.is_generic);
        if is_last && !may_end && !is_free {
            self.fault(name, "block with no terminator");
        }
    }

    /// Checks the labels of a region's blocks, and the uses of blocks.
    pub(super) fn labels(&mut self, blocks: &[NodeId], parent: Parent<'w>, has_arguments: bool) {
        let mut known: FxHashMap<&'w str, usize> = FxHashMap::default();
        for (index, block) in blocks.iter().enumerate() {
            let Some(label) = self.ir.tree.child(*block, NodeKind::BlockLabel) else { continue };
            let token = self.node(label).first;
            let name = self.token_text(token);
            if index == 0 && has_arguments {
                self.fault(token, "invalid block name in region with named arguments");
            }
            if known.insert(name, index).is_some() {
                self.fault(token, format!("redefinition of block '{name}'"));
            }
            let is_empty = self.ir.tree.child(*block, NodeKind::Operation).is_none()
                && self.ir.tree.child(*block, NodeKind::Error).is_none();
            let is_free = blocks.len() == 1
                && parent.rules.is_none_or(|rules| {
                    rules.has_trait("NoTerminator") || rules.has_trait_of("SingleBlockImplicitTerminator")
                });
            if is_empty && !is_free && !self.is_broken {
                self.fault(parent.token, "empty block: expect at least a terminator");
            }
        }
        if self.is_broken {
            return;
        }
        for block in blocks {
            let operations: Vec<NodeId> = self.ir.tree.children_of(*block, NodeKind::Operation).collect();
            for operation in operations {
                let uses: Vec<NodeId> = self.ir.tree.children_of(operation, NodeKind::Successor).collect();
                for one in uses {
                    let Node { first, flags: own, .. } = self.node(one);
                    if own & flags::PARTLY != 0 {
                        continue;
                    }
                    match known.get(self.token_text(first)) {
                        None => self.fault(first, "reference to an undefined block"),
                        Some(0) => {
                            self.fault(parent.token, "entry block of region may not have predecessors");
                        }
                        Some(_) => {}
                    }
                }
            }
        }
    }
}

/// Returns the message about the number of an operation's parts in generic form.
fn counts_message(walk: &mut Walk<'_>, rules: &OperationRules, parts: &Parts) -> Option<String> {
    let (operands, results) = walk.function_types(parts)?;
    let least = rules.regions.iter().filter(|region| !region.is_variadic).count();
    let (regions, is_open) = (parts.regions, least < rules.regions.len());
    if regions < least || !is_open && regions != least {
        return Some(match (least, is_open) {
            (least, true) => format!("expected {least} or more regions"),
            (0, false) => "requires zero regions".to_owned(),
            (1, false) => "requires one region".to_owned(),
            (least, false) => format!("expected {least} regions"),
        });
    }
    let (least, is_open) = OperationRules::counts(&rules.results);
    let count = results.len();
    if count < least || !is_open && count != least {
        return Some(match (least, is_open) {
            (least, true) => format!("expected {least} or more results"),
            (0, false) => "requires zero results".to_owned(),
            (1, false) => "requires one result".to_owned(),
            (least, false) => format!("expected {least} results"),
        });
    }
    let (least, is_open) = rules.successors;
    let count = parts.successors;
    if count < least || !is_open && count != least {
        return Some(match (least, is_open) {
            (least, true) => format!("requires at least {least} successors but found {count}"),
            (1, false) => format!("requires 1 successor but found {count}"),
            (least, false) => format!("requires {least} successors but found {count}"),
        });
    }
    let (least, is_open) = OperationRules::counts(&rules.operands);
    let count = operands.len();
    (count < least || !is_open && count != least).then(|| match (least, is_open) {
        (least, true) => format!("expected {least} or more operands, but found {count}"),
        (0, false) => "requires zero operands".to_owned(),
        (1, false) => "requires a single operand".to_owned(),
        (least, false) => format!("expected {least} operands, but found {count}"),
    })
}
