//! A text with its operations in the other form: custom → generic, generic → custom.
//!
//! ```text
//! %c = arith.addi %a, %b : i32      →      %c = "arith.addi"(%a, %b) : (i32, i32) -> i32
//! ```
//!
//! An operation is rewritten only if all that the other form needs is known: the types of its values and the full texts
//! of its attributes. Any other one stays as it is, with the operations in its regions rewritten. Comments and blanks
//! between operations stay.

pub(crate) mod custom;
mod function;

use std::fmt::Write as _;

use odsmith_interchange::grammar::{Class, Element, Format, Kind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    check::ValueTypes,
    cursor::{Cursor, Limits},
    definitions::{AttributeDef, Definitions, Form, OperationDef},
    file::Ir,
    format::{Piece, PieceKind, Step, Untyped},
    lexer::TokenKind as T,
    scope::Names,
    skip,
    tree::{NO_DATA, NodeId, NodeKind, flags},
};

/// A text in another form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewrite {
    /// The text.
    pub text: String,
    /// The number of operations that were rewritten.
    pub rewritten: usize,
    /// The operations that stay as they are, because something of them is not known.
    pub left: Vec<NodeId>,
}

/// The form of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `"arith.addi"(%a, %b) : (i32, i32) -> i32`.
    Generic,
    /// `arith.addi %a, %b : i32`.
    Custom,
}

/// Returns a text with its operations in a form. `inferred` has the types of values that follow from definitions.
#[must_use]
pub fn print(
    ir: &Ir,
    text: &str,
    definitions: &Definitions,
    inferred: &ValueTypes,
    target: Target,
) -> Rewrite {
    let names = Names::new(ir, text, definitions);
    let limits = Limits::default();
    let mut printer = Printer {
        ir,
        text,
        definitions,
        target,
        cursor: Cursor::new(text, &ir.tokens, definitions, &limits),
        uses: names.uses.iter().filter_map(|one| Some((one.node, (one.value?.0, one.number)))).collect(),
        values: (0..).zip(&names.values).map(|(index, value)| (value.node, index)).collect(),
        nodes: names.values.iter().map(|value| value.node).collect(),
        types: FxHashMap::default(),
        inferred,
        entry_label: free_label(ir, text),
        rewrite: Rewrite::default(),
    };
    let mut out = String::with_capacity(text.len() * 2);
    printer.copy(ir.tree.root(), 0, text.len(), &mut out);
    printer.rewrite.text = out;
    printer.rewrite
}

struct Printer<'i> {
    ir: &'i Ir,
    text: &'i str,
    definitions: &'i Definitions,
    target: Target,
    cursor: Cursor<'i>,
    /// The value and number of each use.
    uses: FxHashMap<NodeId, (u32, u32)>,
    /// The value that a node defines.
    values: FxHashMap<NodeId, u32>,
    /// The node that defines each value.
    nodes: Vec<NodeId>,
    /// The types of values that are written so far.
    types: FxHashMap<u32, Vec<String>>,
    /// The types of values that follow from definitions.
    inferred: &'i ValueTypes,
    /// A name for entry blocks, which no block of the text has.
    entry_label: String,
    rewrite: Rewrite,
}

/// The parts of an operation in custom form, in the order of its definition.
#[derive(Debug, Default)]
struct Parts<'i> {
    operands: FxHashMap<u16, Vec<NodeId>>,
    /// All operands, if the format lists them at once.
    all_operands: Option<Vec<NodeId>>,
    types: FxHashMap<u16, Vec<String>>,
    attributes: Vec<(&'i str, String)>,
    entries: Vec<(&'i str, &'i str)>,
    successors: Vec<(u16, &'i str)>,
    regions: Vec<(u16, NodeId)>,
    /// True if the format lists all regions at once.
    has_all_regions: bool,
    location: Option<NodeId>,
}

/// An operation whose parts are known.
#[derive(Clone, Copy)]
struct Resolution<'a, 'i> {
    def: &'a OperationDef,
    grammar: &'a Format,
    parts: &'a Parts<'i>,
    /// The number of operands of each part.
    counts: &'a FxHashMap<u16, usize>,
}

/// The inner text of a region that needs a label or a terminator.
#[derive(Debug, Default)]
struct Additions {
    label: String,
    terminator: String,
}

impl<'i> Printer<'i> {
    fn slice(&self, first: u32, end: u32) -> &'i str {
        if end <= first {
            return "";
        }
        &self.text[self.ir.tokens.start(first)..self.ir.tokens.range(end - 1).end]
    }

    fn text_of(&self, id: NodeId) -> &'i str {
        let node = self.ir.tree.node(id);
        self.slice(node.first, node.end)
    }

    fn start_of(&self, id: NodeId) -> usize {
        self.ir.tokens.start(self.ir.tree.node(id).first)
    }

    fn end_of(&self, id: NodeId) -> usize {
        let node = self.ir.tree.node(id);
        if node.end > node.first {
            self.ir.tokens.range(node.end - 1).end
        } else {
            self.ir.tokens.start(node.first)
        }
    }

    /// Copies a part of a node's text, with the operations in it rewritten.
    fn copy(&mut self, id: NodeId, from: usize, to: usize, out: &mut String) {
        let mut at = from;
        let mut inner = Vec::new();
        self.operations_in(id, &mut inner);
        let mut is_open = false;
        for operation in inner {
            let (start, end) = (self.start_of(operation), self.end_of(operation));
            if start < at || end > to {
                continue;
            }
            out.push_str(&self.text[at..start]);
            is_open = self.operation(operation, is_open, out);
            at = end;
        }
        out.push_str(self.text.get(at..to).unwrap_or_default());
    }

    /// Collects the outermost operations inside a node, and notes the types of arguments on the way.
    fn operations_in(&mut self, id: NodeId, found: &mut Vec<NodeId>) {
        let mut open: Vec<NodeId> = self.ir.tree.children(id).collect();
        open.reverse();
        while let Some(child) = open.pop() {
            match self.ir.tree.node(child).kind {
                NodeKind::Operation => found.push(child),
                NodeKind::BlockArgument => self.note_argument(child),
                _ => {
                    let mut inside: Vec<NodeId> = self.ir.tree.children(child).collect();
                    inside.reverse();
                    open.extend(inside);
                }
            }
        }
    }

    fn note_argument(&mut self, id: NodeId) {
        if let Some(value) = self.values.get(&id).copied()
            && let Some(ty) = self.ir.tree.child(id, NodeKind::Type)
        {
            self.types.insert(value, vec![self.text_of(ty).to_owned()]);
        }
    }

    /// Writes an operation. Returns true if a text in quotes after it would be a part of it. If that is so of the operation
    /// before (`is_after_open`), this one may not begin with its name in quotes.
    fn operation(&mut self, id: NodeId, is_after_open: bool, out: &mut String) -> bool {
        let node = self.ir.tree.node(id);
        let def = (node.data != NO_DATA).then(|| self.definitions.get(u32::from(node.data))).flatten();
        let is_known = node.flags & (flags::GENERIC | flags::OPAQUE | flags::ERROR | flags::PARTLY) == 0;
        for child in self.ir.tree.children_of(id, NodeKind::BlockArgument).collect::<Vec<_>>() {
            self.note_argument(child);
        }
        if node.flags & flags::GENERIC != 0 {
            self.note_generic(id);
            let may_change = self.target == Target::Custom && node.flags & flags::ERROR == 0;
            let declared = def.filter(|def| may_change && def.form == Form::Format);
            match declared.and_then(|def| self.customized(id, def)) {
                Some(text) => {
                    self.rewrite.rewritten += 1;
                    out.push_str(&text);
                }
                None => self.copy(id, self.start_of(id), self.end_of(id), out),
            }
            return false;
        }
        if self.target == Target::Custom {
            self.copy(id, self.start_of(id), self.end_of(id), out);
            return false;
        }
        let begins_with_name = self.ir.tree.child(id, NodeKind::Result).is_none();
        let written =
            def.filter(|_| is_known && !(is_after_open && begins_with_name)).and_then(|def| match def.form {
                Form::Format => self.rewritten(id, def),
                Form::Table(_) => self.function(id, def),
                Form::HandWritten | Form::GenericOnly => None,
            });
        if let Some(text) = written {
            self.rewrite.rewritten += 1;
            out.push_str(&text);
            return false;
        }
        self.rewrite.left.push(id);
        let name = self.ir.tree.child(id, NodeKind::Name).map(|name| self.ir.tree.node(name).first);
        let (Some(name), Some(def)) = (name, def) else {
            self.copy(id, self.start_of(id), self.end_of(id), out);
            return true;
        };
        // The operation around may no longer be one that allows the short name.
        let range = self.ir.tokens.range(name);
        out.push_str(&self.text[self.start_of(id)..range.start]);
        out.push_str(&def.name);
        self.copy(id, range.end, self.end_of(id), out);
        may_read_string(def)
    }

    /// Notes the types of the results of an operation in generic form.
    fn note_generic(&mut self, id: NodeId) {
        let types = self.ir.tree.children(id).filter(|child| {
            matches!(self.ir.tree.node(*child).kind, NodeKind::Type | NodeKind::FunctionType)
        });
        let Some(ty) = types.last() else { return };
        if let Some((_, results)) = self.function_type(ty) {
            self.note_results(id, &results);
        }
    }

    fn note_results(&mut self, id: NodeId, types: &[String]) {
        let mut rest = types.iter();
        for result in self.ir.tree.children_of(id, NodeKind::Result).collect::<Vec<_>>() {
            let node = self.ir.tree.node(result);
            let count = match node.end.saturating_sub(node.first) {
                3 => self.slice(node.first + 2, node.first + 3).parse().unwrap_or(1),
                _ => 1,
            };
            let own: Vec<String> = rest.by_ref().take(count).cloned().collect();
            if own.len() == count
                && let Some(value) = self.values.get(&result)
            {
                self.types.insert(*value, own);
            }
        }
    }

    /// Splits `(a, b) -> c` into types.
    fn function_type(&self, id: NodeId) -> Option<(Vec<String>, Vec<String>)> {
        let node = self.ir.tree.node(id);
        let close =
            self.ir.tokens.partner(node.first).filter(|_| self.ir.tokens.kind(node.first) == T::LeftParen)?;
        let inputs = self.type_list(node.first + 1, close)?;
        let after = close + 2;
        let results = match self.ir.tokens.kind(after) {
            T::LeftParen => self.type_list(after + 1, self.ir.tokens.partner(after)?)?,
            _ => vec![self.slice(after, node.end).to_owned()],
        };
        Some((inputs, results))
    }

    fn type_list(&self, first: u32, end: u32) -> Option<Vec<String>> {
        let mut types = Vec::new();
        let mut at = first;
        while at < end {
            let next = skip::ty(&self.cursor, at)?;
            types.push(self.slice(at, next).to_owned());
            at = next + u32::from(self.ir.tokens.kind(next) == T::Comma);
        }
        Some(types)
    }

    /// Returns an operation in generic form, if all of it is known.
    fn rewritten(&mut self, id: NodeId, def: &'i OperationDef) -> Option<String> {
        let grammar = def.grammar.as_ref()?;
        if has_directive(&grammar.elements) {
            return None;
        }
        let parts = self.parts(id, def, grammar)?;
        let (operands, counts) = self.operands(def, grammar, &parts)?;
        let mut operand_types = Vec::new();
        let known = Resolution { def, grammar, parts: &parts, counts: &counts };
        for (part, nodes) in &operands {
            operand_types.extend(self.types_of(known, *part, nodes)?);
        }
        let (results, result_counts) = self.results(known, id)?;
        // Names and results have to agree.
        let named: usize = self
            .ir
            .tree
            .children_of(id, NodeKind::Result)
            .map(|result| {
                let node = self.ir.tree.node(result);
                match node.end.saturating_sub(node.first) {
                    3 => self.slice(node.first + 2, node.first + 3).parse().unwrap_or(1),
                    _ => 1,
                }
            })
            .sum();
        if named != 0 && named != results.len() {
            return None;
        }
        let mut inherent: Vec<(&str, String)> = parts.attributes.clone();
        let mut discardable: Vec<(&str, &str)> = Vec::new();
        for (key, value) in &parts.entries {
            let is_part = def.parts.iter().any(|part| {
                matches!(part.kind, Kind::Attribute | Kind::Property) && *part.name == *key.trim_matches('"')
            });
            if is_part {
                inherent.push((key, if value.is_empty() { "unit".to_owned() } else { (*value).to_owned() }));
            } else {
                discardable.push((key, value));
            }
        }
        if def.has_trait("::mlir::OpTrait::AttrSizedOperandSegments") {
            inherent.push(("operandSegmentSizes", segments(def, Kind::Operand, &counts)?));
        }
        if def.has_trait("::mlir::OpTrait::AttrSizedResultSegments") {
            inherent.push(("resultSegmentSizes", segments(def, Kind::Result, &result_counts)?));
        }
        let name = self.ir.tree.child(id, NodeKind::Name)?;
        let mut out = self.text[self.start_of(id)..self.start_of(name)].to_owned();
        let _ = write!(out, "\"{}\"(", def.name);
        let values = operands.iter().flat_map(|(_, nodes)| nodes).map(|node| self.text_of(*node));
        join(&mut out, values);
        out.push(')');
        if !parts.successors.is_empty() {
            let mut successors = parts.successors.clone();
            successors.sort_by_key(|(part, _)| *part);
            out.push('[');
            join(&mut out, successors.iter().map(|(_, name)| *name));
            out.push(']');
        }
        if !inherent.is_empty() {
            out.push_str(" <{");
            join(&mut out, inherent.iter().map(|(key, value)| format!("{key} = {value}")));
            out.push_str("}>");
        }
        let regions = self.regions(def, &parts)?;
        if !regions.is_empty() {
            out.push_str(" (");
            for (index, region) in regions.into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                match region {
                    Some((node, additions)) => self.region(node, &additions, &mut out),
                    None => out.push_str("{}"),
                }
            }
            out.push(')');
        }
        if !discardable.is_empty() {
            out.push_str(" {");
            join(
                &mut out,
                discardable.iter().map(|(key, value)| match value.is_empty() {
                    true => (*key).to_owned(),
                    false => format!("{key} = {value}"),
                }),
            );
            out.push('}');
        }
        out.push_str(" : (");
        join(&mut out, operand_types.iter());
        out.push_str(") -> ");
        let is_bare = results.len() == 1 && !results[0].starts_with('(');
        if is_bare {
            out.push_str(&results[0]);
        } else {
            out.push('(');
            join(&mut out, results.iter());
            out.push(')');
        }
        if let Some(location) = parts.location {
            out.push(' ');
            out.push_str(self.text_of(location));
        }
        self.note_results(id, &results);
        Some(out)
    }

    /// Collects the parts of an operation; nothing if one of them is not understood.
    fn parts(&self, id: NodeId, def: &'i OperationDef, grammar: &Format) -> Option<Parts<'i>> {
        let mut parts = Parts::default();
        let functions = function_types(&grammar.elements);
        for child in self.ir.tree.children(id) {
            let node = self.ir.tree.node(child);
            let data = node.data;
            match node.kind {
                NodeKind::Name | NodeKind::Result => {}
                NodeKind::Operand if node.flags & flags::ALL != 0 => {
                    parts.all_operands.get_or_insert_default().push(child);
                }
                NodeKind::Operand if data != NO_DATA && node.flags & flags::SEVERAL == 0 => {
                    parts.operands.entry(data).or_default().push(child);
                }
                NodeKind::Type | NodeKind::FunctionType if data == NO_DATA => {
                    // The only type without a part is a function type.
                    let [(inputs, results)] = functions.as_slice() else { return None };
                    let (before, after) = self.function_type(child)?;
                    parts.types.insert(*inputs, before);
                    parts.types.insert(*results, after);
                }
                NodeKind::Type => {
                    let entity = grammar.entities.get(data as usize)?;
                    let text = self.text_of(child);
                    let full = match &entity.type_class {
                        Class::Type(class)
                            if !class.is_empty() && !self.is_full_type(node.first, node.end) =>
                        {
                            let own = self.definitions.of_class(class)?;
                            full_name('!', &own.dialect, &own.mnemonic, text)
                        }
                        _ => text.to_owned(),
                    };
                    match entity.kind {
                        Kind::Attribute => {
                            parts.attributes.push((&def.parts.get(data as usize)?.name, full));
                        }
                        _ => parts.types.entry(data).or_default().push(full),
                    }
                }
                NodeKind::Attribute | NodeKind::SymbolName | NodeKind::SymbolUse => {
                    let part = def.parts.get(data as usize)?;
                    let class = &grammar.entities.get(data as usize)?.class;
                    let text = self.attribute(part.attribute.as_deref(), class, child)?;
                    parts.attributes.push((&part.name, text));
                }
                NodeKind::Dictionary if data == NO_DATA => {
                    for entry in self.ir.tree.children_of(child, NodeKind::Entry) {
                        parts.entries.push(self.entry(entry));
                    }
                }
                NodeKind::Properties => {
                    let dictionary = self.ir.tree.children(child).next()?;
                    let mut entries = self.ir.tree.children_of(dictionary, NodeKind::Entry).peekable();
                    let is_empty = self.text_of(dictionary).trim_matches(['{', '}', ' ']).is_empty();
                    if entries.peek().is_none() && !is_empty {
                        return None;
                    }
                    parts.entries.extend(entries.map(|entry| self.entry(entry)));
                }
                NodeKind::Successor if data != NO_DATA => {
                    let name = self.ir.tree.node(child).first;
                    parts.successors.push((data, self.slice(name, name + 1)));
                }
                NodeKind::Region if data != NO_DATA => {
                    parts.has_all_regions |= node.flags & flags::ALL != 0;
                    parts.regions.push((data, child));
                }
                NodeKind::Location => parts.location = Some(child),
                _ => return None,
            }
        }
        Some(parts)
    }

    fn is_full_type(&self, first: u32, end: u32) -> bool {
        skip::ty(&self.cursor, first) == Some(end)
    }

    fn entry(&self, id: NodeId) -> (&'i str, &'i str) {
        let node = self.ir.tree.node(id);
        (self.slice(node.first, node.first + 1), self.slice(node.first + 2, node.end))
    }

    /// Returns the full text of an attribute that a format writes in short.
    fn attribute(&self, def: Option<&AttributeDef>, class: &Class, id: NodeId) -> Option<String> {
        let node = self.ir.tree.node(id);
        if node.flags & flags::PRESENCE != 0 {
            return def.is_some_and(|def| def.is_unit).then(|| "unit".to_owned());
        }
        let is_full = skip::attribute(&self.cursor, node.first) == Some(node.end);
        full_attribute(self.definitions, def?, class, self.text_of(id), is_full)
    }

    /// Returns the operands by part, and the number of each part's.
    #[expect(clippy::type_complexity, reason = "the parts in order, and their numbers")]
    fn operands(
        &self,
        def: &OperationDef,
        grammar: &Format,
        parts: &Parts<'i>,
    ) -> Option<(Vec<(u16, Vec<NodeId>)>, FxHashMap<u16, usize>)> {
        let mut operands = Vec::new();
        let mut counts = FxHashMap::default();
        let own = || {
            let own = def.parts_of(Kind::Operand);
            own.filter(|(part, _)| grammar.entities.get(*part as usize).is_none_or(|entity| !entity.is_all))
        };
        if let Some(all) = &parts.all_operands {
            let fixed = own().filter(|(_, part)| (part.low, part.high) == (1, 1)).count();
            if own().count() > fixed + 1 {
                return None;
            }
            let mut rest = all.iter().copied();
            let open = all.len().checked_sub(fixed)?;
            for (part, def) in own() {
                let count = if (def.low, def.high) == (1, 1) { 1 } else { open };
                operands.push((part, rest.by_ref().take(count).collect()));
                counts.insert(part, count);
            }
            return rest.next().is_none().then_some((operands, counts));
        }
        for (part, def) in own() {
            if grammar.entities.get(part as usize)?.has_runs {
                return None;
            }
            let nodes = parts.operands.get(&part).cloned().unwrap_or_default();
            if (def.low, def.high) == (1, 1) && nodes.len() != 1 {
                return None;
            }
            counts.insert(part, nodes.len());
            operands.push((part, nodes));
        }
        Some((operands, counts))
    }

    /// Returns the types of a part.
    fn types_of(&self, known: Resolution<'_, 'i>, part: u16, nodes: &[NodeId]) -> Option<Vec<String>> {
        if nodes.is_empty() {
            return Some(Vec::new());
        }
        if let Some(types) = self.given_types(known, part)
            && types.len() == nodes.len()
        {
            return Some(types);
        }
        nodes.iter().map(|node| self.type_of_use(*node)).collect()
    }

    /// Returns the type of the value that a node uses.
    fn type_of_use(&self, node: NodeId) -> Option<String> {
        let (value, number) = self.uses.get(&node)?;
        if let Some(types) = self.types.get(value) {
            return types.get(*number as usize).cloned();
        }
        let defined = self.nodes.get(*value as usize)?;
        let types = self.inferred.get(&self.ir.tree.node(*defined).first)?;
        types.get(*number as usize)?.as_ref().map(ToString::to_string)
    }

    /// Returns the types of a part that the text or the definition gives.
    fn given_types(&self, known: Resolution<'_, 'i>, part: u16) -> Option<Vec<String>> {
        let Resolution { def, grammar, parts, counts } = known;
        if let Some(types) = parts.types.get(&part) {
            return Some(types.clone());
        }
        let entity = grammar.entities.get(part as usize)?;
        let count = counts.get(&part).copied().or((entity.low == 1 && entity.high == 1).then_some(1));
        if let Some(types) = self.listed_types(known, part) {
            return Some(types);
        }
        if let Some(other) = entity.type_of {
            let other = u16::try_from(other).ok()?;
            if grammar.entities.get(other as usize)?.kind == Kind::Attribute {
                let name = &*def.parts.get(other as usize)?.name;
                let text = parts.attributes.iter().find(|(key, _)| *key == name).map(|(_, text)| text)?;
                return Some(vec![type_of_attribute(text)?]);
            }
            let types =
                parts.types.get(&other).cloned().or_else(|| self.listed_types(known, other)).or_else(
                    || {
                        let node = parts.operands.get(&other)?.first()?;
                        Some(vec![self.type_of_use(*node)?])
                    },
                )?;
            let count = count.unwrap_or(types.len());
            return match types.as_slice() {
                _ if types.len() == count => Some(types),
                [one] => Some(vec![one.clone(); count]),
                _ => None,
            };
        }
        let ty = built_type(self.definitions, entity.type_call.as_deref()?)?;
        Some(vec![ty; count?])
    }

    /// Returns the types of a part from those of all operands or results.
    fn listed_types(&self, known: Resolution<'_, 'i>, part: u16) -> Option<Vec<String>> {
        let Resolution { def, grammar, parts, counts } = known;
        let kind = def.parts.get(part as usize)?.kind;
        let is_list = |entity: &odsmith_interchange::grammar::Entity| entity.is_all && entity.kind == kind;
        let all = u16::try_from(grammar.entities.iter().position(is_list)?).ok()?;
        let types = parts.types.get(&all)?;
        let mut at = 0;
        let own = def
            .parts_of(kind)
            .filter(|(index, _)| grammar.entities.get(*index as usize).is_none_or(|entity| !entity.is_all));
        let own: Vec<_> = own.collect();
        let fixed = own.iter().filter(|(_, part)| (part.low, part.high) == (1, 1)).count();
        for (index, def) in &own {
            let count = match counts.get(index) {
                Some(count) => *count,
                None if (def.low, def.high) == (1, 1) => 1,
                None if own.len() == fixed + 1 => types.len().checked_sub(fixed)?,
                None => return None,
            };
            if *index == part {
                return types.get(at..at + count).map(<[String]>::to_vec);
            }
            at += count;
        }
        None
    }

    /// Returns the types of all results, and the number of each part's.
    fn results(&self, known: Resolution<'_, 'i>, id: NodeId) -> Option<(Vec<String>, FxHashMap<u16, usize>)> {
        let Resolution { def, grammar, .. } = known;
        let mut types = Vec::new();
        let mut numbers = FxHashMap::default();
        for (part, one) in def.parts_of(Kind::Result) {
            if grammar.entities.get(part as usize).is_some_and(|entity| entity.is_all) {
                continue;
            }
            let given = self.given_types(known, part);
            let own = match given {
                Some(own) => own,
                // An optional or variadic result whose type is not written is not there.
                None if one.low == 0 && is_typed(&grammar.elements, part as usize) => Vec::new(),
                None => return self.inferred_results(id, def),
            };
            numbers.insert(part, own.len());
            types.extend(own);
        }
        Some((types, numbers))
    }

    /// Returns the types of all results, which have names, as they follow from definitions, and the number of each part's.
    fn inferred_results(
        &self,
        id: NodeId,
        def: &OperationDef,
    ) -> Option<(Vec<String>, FxHashMap<u16, usize>)> {
        let mut types = Vec::new();
        for result in self.ir.tree.children_of(id, NodeKind::Result) {
            let own = self.inferred.get(&self.ir.tree.node(result).first)?;
            for ty in own {
                types.push(ty.as_ref()?.to_string());
            }
        }
        let mut numbers = FxHashMap::default();
        for (part, one) in def.parts_of(Kind::Result) {
            if (one.low, one.high) != (1, 1) {
                return None;
            }
            numbers.insert(part, 1);
        }
        (numbers.len() == types.len()).then_some((types, numbers))
    }

    /// Returns the regions in the order of the definition, with what their generic form has in addition.
    fn regions(&self, def: &OperationDef, parts: &Parts<'i>) -> Option<Vec<Option<(NodeId, Additions)>>> {
        let mut regions = Vec::new();
        let trait_name = "::mlir::OpTrait::SingleBlockImplicitTerminator<";
        let implicit = def.traits.iter().find_map(|it| it.strip_prefix(trait_name));
        let is_single = def.has_trait("::mlir::OpTrait::SingleBlock");
        for (index, (part, one)) in def.parts_of(Kind::Region).enumerate() {
            let own: Vec<NodeId> =
                parts.regions.iter().filter(|(own, _)| *own == part).map(|(_, node)| *node).collect();
            let all: Vec<NodeId> = parts.regions.iter().map(|(_, node)| *node).collect();
            let own = match parts.has_all_regions {
                true if one.high > 1 => all.get(index..).unwrap_or_default().to_vec(),
                true => all.get(index).copied().into_iter().collect(),
                false => own,
            };
            if own.is_empty() && one.high <= 1 {
                regions.push(None);
            }
            for node in own {
                let mut additions = Additions::default();
                if let Some(class) = implicit {
                    let class = class.strip_suffix(">::Impl")?;
                    if !self.ends_with_terminator(node)? {
                        let op = self.definitions.operation_of_class(class, def.dialect())?;
                        additions.terminator = format!("\"{}\"() : () -> ()", op.name);
                    }
                } else if is_single && self.is_empty_region(node) {
                    additions.label = "^bb0:".to_owned();
                }
                regions.push(Some((node, additions)));
            }
        }
        Some(regions)
    }

    /// Returns true if a region has no operation and no label.
    fn is_empty_region(&self, region: NodeId) -> bool {
        let blocks = self.ir.tree.children_of(region, NodeKind::Block);
        let mut inside = blocks.flat_map(|block| self.ir.tree.children(block));
        inside.next().is_none()
    }

    /// Returns whether a region ends with a terminator; nothing if that is not known, or if no operation in generic form may
    /// follow.
    fn ends_with_terminator(&self, region: NodeId) -> Option<bool> {
        let Some(block) = self.ir.tree.children_of(region, NodeKind::Block).last() else {
            return Some(false);
        };
        let Some(last) = self.ir.tree.children_of(block, NodeKind::Operation).last() else {
            return Some(false);
        };
        let node = self.ir.tree.node(last);
        let def = (node.data != NO_DATA).then(|| self.definitions.get(u32::from(node.data))).flatten()?;
        let is_terminator = def.has_trait("::mlir::OpTrait::IsTerminator");
        let is_closed = node.flags & flags::GENERIC != 0 || !may_read_string(def);
        (is_terminator || is_closed).then_some(is_terminator)
    }

    fn region(&mut self, id: NodeId, additions: &Additions, out: &mut String) {
        let (start, end) = (self.start_of(id), self.end_of(id));
        out.push('{');
        out.push_str(&additions.label);
        let inner_end = if self.text[..end].ends_with('}') { end - 1 } else { end };
        self.copy(id, start + 1, inner_end, out);
        if !additions.terminator.is_empty() {
            // A comment ends with its line.
            out.push('\n');
            out.push_str(&additions.terminator);
            out.push('\n');
        }
        out.push('}');
    }
}

/// Returns a name that no block of a text has.
fn free_label(ir: &Ir, text: &str) -> String {
    let blocks = (0..ir.tokens.len()).filter(|token| ir.tokens.kind(*token) == T::Block);
    let used: FxHashSet<&str> = blocks.map(|token| &text[ir.tokens.range(token)]).collect();
    let mut names = (0_usize..=used.len()).map(|number| format!("^bb{number}"));
    names.find(|name| !used.contains(&**name)).unwrap_or_default()
}

/// Returns true if a text in quotes after the custom form of an operation may be a part of it.
fn may_read_string(def: &OperationDef) -> bool {
    let Some(program) = &def.program else { return true };
    let reads_string = |piece: &Piece| {
        matches!(
            piece.kind,
            PieceKind::Case { .. }
                | PieceKind::Untyped(Untyped::String | Untyped::Other)
                | PieceKind::Attribute
                | PieceKind::Own(_)
                | PieceKind::Code
                | PieceKind::Custom(_)
                | PieceKind::Directive(_)
        )
    };
    // The steps after such a piece, as far as no other piece is needed.
    let mut open: Vec<usize> = (1..)
        .zip(&program.steps)
        .filter_map(|(next, step)| match step {
            Step::Take(piece) | Step::Try(piece, _) => reads_string(piece).then_some(next),
            _ => None,
        })
        .collect();
    let mut seen = vec![false; program.steps.len()];
    while let Some(at) = open.pop() {
        let (Some(step), Some(is_seen)) = (program.steps.get(at), seen.get_mut(at)) else { continue };
        if std::mem::replace(is_seen, true) {
            continue;
        }
        match step {
            Step::End => return true,
            Step::Take(_) => {}
            Step::Try(_, to) | Step::Jump(to) => open.push(*to as usize),
            Step::Split(to) | Step::IfMarked(_, to) => open.extend([at + 1, *to as usize]),
            Step::Mark { .. } | Step::Need(_) => open.push(at + 1),
        }
    }
    false
}

/// Returns the full text of an attribute that a format writes in short. `is_full` is true if the text can be a whole
/// attribute.
pub(crate) fn full_attribute(
    definitions: &Definitions,
    def: &AttributeDef,
    class: &Class,
    text: &str,
    is_full: bool,
) -> Option<String> {
    // An alias, or the full syntax.
    if text.starts_with('#') {
        return Some(text.to_owned());
    }
    let typed = || {
        let ty = built_type(definitions, def.value_type.as_deref()?)?;
        Some(format!("{text} : {ty}"))
    };
    match class {
        // A case of an enum that has an attribute of its own.
        Class::Enum { .. } if def.cases.is_empty() => {
            let own = definitions.of_class(def.storage.trim_start_matches("::"))?;
            Some(format!("#{}.{}<{}>", own.dialect, own.mnemonic, text.trim_matches('"')))
        }
        Class::Enum { .. } => {
            let number = case_number(def, text.trim_matches('"'));
            match number {
                Some(number) => {
                    let ty = built_type(definitions, def.value_type.as_deref()?)?;
                    Some(format!("{number} : {ty}"))
                }
                None => None,
            }
        }
        Class::Bool if matches!(text, "true" | "false") => Some(text.to_owned()),
        Class::Integer if matches!(text, "true" | "false") => Some(text.to_owned()),
        Class::Integer | Class::Float => typed(),
        Class::DenseArray if text.starts_with('[') => {
            let name = def.storage.rsplit("::").next()?;
            let element = match name.strip_prefix("Dense")?.strip_suffix("ArrayAttr")? {
                "Bool" => "i1",
                "I8" => "i8",
                "I16" => "i16",
                "I32" => "i32",
                "I64" => "i64",
                "F32" => "f32",
                "F64" => "f64",
                _ => return None,
            };
            let inner = text.trim_start_matches('[').trim_end_matches(']').trim();
            Some(match inner {
                "" => format!("array<{element}>"),
                inner => format!("array<{element}: {inner}>"),
            })
        }
        // The name of a symbol is a text.
        Class::Symbol if def.storage.ends_with("StringAttr") => {
            let name = text.strip_prefix('@')?;
            Some(if name.starts_with('"') { name.to_owned() } else { format!("\"{name}\"") })
        }
        Class::String
        | Class::Symbol
        | Class::SymbolPath
        | Class::Array
        | Class::DenseArray
        | Class::Unit
        | Class::AffineMap
        | Class::IntegerSet
        | Class::Elements
        | Class::Attribute
        | Class::Type(_) => Some(text.to_owned()),
        Class::Own(own) => match definitions.of_class(own) {
            Some(own) => Some(full_name('#', &own.dialect, &own.mnemonic, text)),
            None if is_full => Some(text.to_owned()),
            None => None,
        },
        _ => None,
    }
}

/// Returns the full text of an attribute or type of a dialect.
pub(crate) fn full_name(sigil: char, dialect: &str, mnemonic: &str, parameters: &str) -> String {
    match parameters {
        "" => format!("{sigil}{dialect}.{mnemonic}"),
        _ if parameters.starts_with('<') => format!("{sigil}{dialect}.{mnemonic}{parameters}"),
        _ => format!("{sigil}{dialect}<{mnemonic} {parameters}>"),
    }
}

pub(crate) fn join<T: AsRef<str>>(out: &mut String, items: impl Iterator<Item = T>) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        out.push_str(item.as_ref());
    }
}

fn segments(def: &OperationDef, kind: Kind, counts: &FxHashMap<u16, usize>) -> Option<String> {
    let mut text = "array<i32: ".to_owned();
    let own = def.parts_of(kind).filter_map(|(part, _)| counts.get(&part));
    let numbers: Vec<String> = own.map(ToString::to_string).collect();
    if numbers.is_empty() {
        return None;
    }
    join(&mut text, numbers.iter());
    text.push('>');
    Some(text)
}

/// Returns the inputs and results of the function types in a format.
fn function_types(elements: &[Element]) -> Vec<(u16, u16)> {
    let mut found = Vec::new();
    for element in elements {
        match element {
            Element::FunctionalType { inputs, results } => {
                if let (Ok(inputs), Ok(results)) = (u16::try_from(*inputs), u16::try_from(*results)) {
                    found.push((inputs, results));
                }
            }
            Element::Optional { then, otherwise, .. } => {
                found.extend(function_types(then));
                found.extend(function_types(otherwise));
            }
            Element::OiList(clauses) => {
                clauses.iter().for_each(|clause| found.extend(function_types(&clause.elements)));
            }
            _ => {}
        }
    }
    found
}

/// Returns true if C++ reads a part of a format.
fn has_directive(elements: &[Element]) -> bool {
    elements.iter().any(|element| match element {
        Element::Custom { .. } => true,
        Element::Optional { then, otherwise, .. } => has_directive(then) || has_directive(otherwise),
        Element::OiList(clauses) => clauses.iter().any(|clause| has_directive(&clause.elements)),
        _ => false,
    })
}

/// Returns true if a format writes the type of a part.
pub(crate) fn is_typed(elements: &[Element], part: usize) -> bool {
    elements.iter().any(|element| match element {
        Element::Type(of) => *of == part,
        Element::FunctionalType { inputs, results } => *inputs == part || *results == part,
        Element::Optional { then, otherwise, .. } => is_typed(then, part) || is_typed(otherwise, part),
        Element::OiList(clauses) => clauses.iter().any(|clause| is_typed(&clause.elements, part)),
        _ => false,
    })
}

/// Returns the number of a case, or of several with their separator between.
fn case_number(def: &AttributeDef, text: &str) -> Option<i64> {
    let one = |word: &str| def.cases.iter().find(|(own, _)| &**own == word.trim()).map(|(_, number)| *number);
    if let Some(number) = one(text) {
        return Some(number);
    }
    let separator = def.separator.as_deref()?.trim();
    text.split(separator).try_fold(0, |bits, word| Some(bits | one(word)?))
}

/// Returns the type of an attribute with a type of its own.
fn type_of_attribute(text: &str) -> Option<String> {
    if matches!(text, "true" | "false") {
        return Some("i1".to_owned());
    }
    // The type follows the last colon outside of brackets.
    let mut depth = 0_i32;
    let mut found = None;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b'"' => return None,
            b':' if depth == 0 => found = Some(at + 1),
            _ => {}
        }
    }
    if let Some(at) = found {
        return Some(text[at..].trim().to_owned());
    }
    let is_number = text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit());
    match (is_number, text.contains(['.'])) {
        (true, true) => Some("f64".to_owned()),
        (true, false) if !text.contains('x') => Some("i64".to_owned()),
        _ => None,
    }
}

/// Returns the type that a C++ call makes.
pub(crate) fn built_type(definitions: &Definitions, call: &str) -> Option<String> {
    let call = call.trim();
    if let Some(rest) = call.strip_prefix("$_builder.get") {
        let (name, rest) = rest.split_once('(')?;
        let arguments = rest.strip_suffix(')')?.trim();
        return match (name, arguments) {
            ("IndexType", "") => Some("index".to_owned()),
            ("NoneType", "") => Some("none".to_owned()),
            ("BF16Type", "") => Some("bf16".to_owned()),
            ("TF32Type", "") => Some("tf32".to_owned()),
            ("IntegerType", arguments) => {
                let (width, sign) =
                    arguments.split_once(',').map_or((arguments, ""), |(width, sign)| (width, sign.trim()));
                let width: u32 = width.trim().parse().ok()?;
                match sign {
                    "" => Some(format!("i{width}")),
                    "true" | "/*isSigned=*/true" => Some(format!("si{width}")),
                    "false" | "/*isSigned=*/false" => Some(format!("ui{width}")),
                    _ => None,
                }
            }
            (name, "") => {
                if let Some(class) = name.strip_prefix("Type<").and_then(|name| name.strip_suffix('>')) {
                    return plain_type(definitions, class);
                }
                let (sign, rest) = (name.get(..1)?, name.get(1..)?.strip_suffix("Type")?);
                let is_width = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
                match sign {
                    "I" if is_width => Some(format!("i{rest}")),
                    "F" if is_width => Some(format!("f{rest}")),
                    _ => None,
                }
            }
            _ => None,
        };
    }
    let (class, rest) = call.split_once("::get(")?;
    matches!(rest, "$_builder.getContext())" | "$_ctxt)").then(|| plain_type(definitions, class))?
}

fn plain_type(definitions: &Definitions, class: &str) -> Option<String> {
    let class = class.trim().trim_start_matches("::");
    let def = definitions.of_class(class)?;
    def.is_plain.then(|| format!("!{}.{}", def.dialect, def.mnemonic))
}
