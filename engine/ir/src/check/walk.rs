//! A walk over the operations of a text: names, values and their types, blocks, symbols.

use std::rc::Rc;

use odsmith_conditions::{Attr, Env, Type, Value, attrs::Kind};
use odsmith_interchange::grammar::{Class, Kind as PartKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Checker, Fault,
    rules::{Count, OperationRules, Source, Typed},
    scopes::{Around, Definition, EarlyUse, Place, Scopes, Types},
    verify::{self, Group, Instance},
};
use crate::{
    attributes,
    cursor::Cursor,
    definitions::{Form, OperationDef},
    file::Ir,
    lexer::TokenKind as T,
    tree::{NO_DATA, Node, NodeId, NodeKind, flags},
    types,
};

/// Operations of known dialects that are defined in C++ alone.
const CPP_ONLY: &[&str] = &["affine.dma_start", "affine.dma_wait"];

pub(super) struct Walk<'w> {
    checker: &'w Checker,
    text: &'w str,
    ir: &'w Ir,
    cursor: Cursor<'w>,
    scopes: Scopes<'w>,
    faults: Vec<Fault>,
    /// The types of this piece by their text.
    types: FxHashMap<&'w str, Option<Type>>,
    /// The operations around the current one.
    parents: Vec<Parent<'w>>,
    around: Vec<Around>,
    /// The depths of the isolated regions that are open, and whether their operations do not name values again.
    isolated: Vec<(usize, bool)>,
    regions: u32,
    /// Names that a text which is not understood may define.
    possible: FxHashSet<&'w str>,
    /// True if the piece has syntax errors: some definitions may be missing.
    is_broken: bool,
    /// True if operations may be defined in the text itself.
    defines_dialects: bool,
}

/// An operation around others.
#[derive(Clone, Copy)]
struct Parent<'w> {
    def: Option<&'w OperationDef>,
    rules: Option<&'w OperationRules>,
    /// The token of its name.
    token: u32,
    is_generic: bool,
    /// True if its text is not wholly understood.
    is_opaque: bool,
}

/// The parts of an operation in the text.
#[derive(Default)]
struct Parts {
    results: Vec<NodeId>,
    name: Option<NodeId>,
    operands: Vec<NodeId>,
    types: Vec<NodeId>,
    attributes: Vec<NodeId>,
    symbols: Vec<NodeId>,
    dictionaries: Vec<NodeId>,
    properties: Option<NodeId>,
    regions: usize,
    successors: usize,
    /// Parts of which something is not understood.
    unknown: Vec<u16>,
    /// True if any part may be in what is not understood.
    is_unknown: bool,
}

impl<'w> Walk<'w> {
    pub(super) fn new(checker: &'w Checker, text: &'w str, ir: &'w Ir) -> Self {
        Walk {
            checker,
            text,
            ir,
            cursor: Cursor::new(text, &ir.tokens, &checker.definitions, &checker.limits),
            scopes: Scopes::default(),
            faults: Vec::new(),
            types: FxHashMap::default(),
            parents: Vec::new(),
            around: Vec::new(),
            isolated: Vec::new(),
            regions: 0,
            possible: FxHashSet::default(),
            is_broken: false,
            defines_dialects: false,
        }
    }

    pub(super) fn run(mut self) -> Vec<Fault> {
        let root = self.ir.tree.root();
        let pieces: Vec<NodeId> = self.ir.tree.children(root).collect();
        for piece in pieces {
            self.piece(piece);
        }
        self.faults
    }

    fn node(&self, id: NodeId) -> Node {
        self.ir.tree.node(id)
    }

    fn token_text(&self, token: u32) -> &'w str {
        &self.text[self.ir.tokens.range(token)]
    }

    fn fault(&mut self, token: u32, message: impl Into<String>) {
        self.faults.push(Fault { range: self.ir.tokens.range(token), message: message.into() });
    }

    fn piece(&mut self, piece: NodeId) {
        let Node { first, end, .. } = self.node(piece);
        self.types.clear();
        self.possible.clear();
        self.cursor.aliases = crate::aliases::Aliases::default();
        self.is_broken = self.ir.errors.iter().any(|error| (first..=end).contains(&error.token));
        let text = self.text.get(self.ir.tokens.start(first)..self.ir.tokens.start(end)).unwrap_or_default();
        self.defines_dialects = text.contains("irdl.");
        self.scopes.open();
        self.regions += 1;
        self.around.push(Around {
            region: self.regions,
            place: Place { block: 0, statement: 0 },
            is_ordered: false,
            is_entry: true,
        });
        let mut symbols = FxHashSet::default();
        let children: Vec<NodeId> = self.ir.tree.children(piece).collect();
        for child in children {
            match self.node(child).kind {
                NodeKind::AliasDefinition => self.alias(child),
                NodeKind::Operation => {
                    self.operation(child, &mut symbols, true);
                }
                _ => {}
            }
        }
        self.around.pop();
        self.scopes.close();
        for early in self.scopes.finish() {
            let name = self.token_text(early.token);
            if !self.is_broken && !self.possible.contains(name) {
                self.fault(early.token, "use of undeclared SSA value name");
            }
        }
    }

    fn alias(&mut self, id: NodeId) {
        let first = self.node(id).first;
        let word = self.token_text(first);
        let (name, is_type) = (&word[1..], word.starts_with('!'));
        let what = if is_type { "type" } else { "attribute" };
        if name.contains('.') {
            self.fault(first, format!("{what} names with a '.' are reserved for dialect-defined names"));
            return;
        }
        let aliases = &self.cursor.aliases;
        let is_known = if is_type { aliases.has_type(name) } else { aliases.has_attribute(name) };
        if is_known {
            self.fault(first, format!("redefinition of {what} alias id '{name}'"));
            return;
        }
        self.alias_uses(id);
        if is_type {
            let ty = self.ir.tree.child(id, NodeKind::Type).and_then(|ty| self.read_type(ty));
            self.cursor.aliases.define_type(name, ty);
        } else {
            let attribute = self.ir.tree.child(id, NodeKind::Attribute);
            let attribute = attribute.and_then(|attribute| self.read_attribute(attribute, None));
            self.cursor.aliases.define_attribute(name, attribute);
        }
    }

    /// Notes uses of aliases that are not defined before. Those in locations may be defined later.
    fn alias_uses(&mut self, id: NodeId) {
        let range = self.ir.tree.inside(id);
        let mut at = range.start;
        while at < range.end {
            let node = NodeId(at);
            let Node { kind, first, .. } = self.node(node);
            if kind == NodeKind::Location {
                at = self.ir.tree.inside(node).end;
                continue;
            }
            // Operations inside are looked at on their own.
            if kind == NodeKind::Region {
                at = self.ir.tree.inside(node).end;
                continue;
            }
            if kind == NodeKind::AliasUse {
                let word = self.token_text(first);
                let aliases = &self.cursor.aliases;
                let is_known = match word.strip_prefix('!') {
                    Some(name) => aliases.has_type(name),
                    None => aliases.has_attribute(&word[1..]),
                };
                if !is_known && !self.is_broken {
                    self.fault(first, format!("undefined symbol alias id '{}'", &word[1..]));
                }
            }
            at += 1;
        }
    }

    /// Reads the type of a node; nothing if it is not understood.
    fn read_type(&mut self, id: NodeId) -> Option<Type> {
        let Node { first, end, .. } = self.node(id);
        let text =
            self.text.get(self.ir.tokens.start(first)..self.ir.tokens.range(end.saturating_sub(1)).end)?;
        if let Some(known) = self.types.get(text) {
            return known.clone();
        }
        let ty = self.read(first, end, types::ty).flatten();
        self.types.insert(text, ty.clone());
        ty
    }

    /// Reads the attribute of a node; nothing if it is not understood.
    fn read_attribute(&mut self, id: NodeId, ty: Option<&Type>) -> Option<Attr> {
        let Node { first, end, .. } = self.node(id);
        if let Some(ty) = ty
            && let Some(attribute) = self.read(first, end, |cursor| attributes::value_of(cursor, ty))
        {
            return attribute;
        }
        self.read(first, end, attributes::value).flatten()
    }

    /// Reads a piece of text that has to be read to its end.
    fn read<R>(
        &mut self,
        first: u32,
        end: u32,
        read: impl FnOnce(&mut Cursor<'w>) -> crate::cursor::Reading<R>,
    ) -> Option<R> {
        let whole = self.cursor.end;
        self.cursor.end = end;
        self.cursor.at = first;
        let bookmark = self.cursor.checkpoint();
        let result = read(&mut self.cursor).ok().filter(|_| self.cursor.at == end);
        self.cursor.rewind(&bookmark);
        self.cursor.end = whole;
        result
    }

    /// Looks at an operation, and returns true if it may end a block.
    fn operation(&mut self, id: NodeId, symbols: &mut FxHashSet<&'w str>, is_in_table: bool) -> bool {
        let node = self.node(id);
        let has = |flag: u8| node.flags & flag != 0;
        let parts = self.parts(id);
        let Some(name) = parts.name.map(|name| self.node(name).first) else {
            self.uses_and_regions(id, id, None, &[]);
            self.define_results(&parts, None);
            return true;
        };
        let checker = self.checker;
        let def = if node.data == NO_DATA { None } else { checker.definitions.get(u32::from(node.data)) };
        let rules = if node.data == NO_DATA { None } else { checker.rules.get(node.data) };
        let is_generic = has(flags::GENERIC);
        self.alias_uses(id);
        if def.is_none() && !is_generic && !has(flags::ERROR) {
            self.unknown_name(name);
        }
        let is_read = !has(flags::ERROR) && !has(flags::OPAQUE);
        let instance = match (def, rules) {
            (Some(def), Some(rules)) if is_read => self.instance(def, rules, &parts, is_generic, name),
            _ => None,
        };
        let mut operand_types: Vec<Option<Type>> = Vec::new();
        if is_generic && is_read {
            operand_types = self.function_types(&parts).map(|(inputs, _)| inputs).unwrap_or_default();
            if operand_types.len() != parts.operands.len() {
                operand_types.clear();
            }
        } else if let Some(instance) = &instance {
            operand_types = self.types_of_nodes(def, rules, &parts, instance);
        }
        let is_opaque = !is_read || has(flags::PARTLY) || parts.is_unknown;
        let parent = Parent { def, rules, token: name, is_generic, is_opaque };
        if let (Some(def), Some(rules)) = (def, rules)
            && is_read
        {
            self.structure(id, def, rules, &parts, name, is_generic);
        }
        self.uses_and_regions(id, id, Some(parent), &operand_types);
        if let (Some(def), Some(rules), Some(mut instance)) = (def, rules, instance) {
            self.complete(&parts, def, rules, &mut instance);
            let judge = &checker.judge;
            let message = verify::message(rules, &instance, judge);
            let message = message.or_else(|| verify::trait_message(rules, &instance));
            if let Some(message) = message {
                self.fault(name, format!("'{}' op {message}", def.name));
            }
            self.define_results(&parts, verify_results(&instance));
        } else {
            let types = match is_generic && is_read {
                true => self.function_types(&parts).map(|(_, results)| results),
                false => None,
            };
            self.define_results(&parts, types);
        }
        if is_in_table {
            self.symbol(&parts, (def, rules), name, symbols);
        }
        def.is_none() || rules.is_none_or(|rules| rules.has_trait("IsTerminator"))
    }

    /// Collects the parts of an operation.
    fn parts(&self, id: NodeId) -> Parts {
        let mut parts = Parts::default();
        for child in self.ir.tree.children(id) {
            let Node { kind, data, .. } = self.node(child);
            match kind {
                NodeKind::Result => parts.results.push(child),
                NodeKind::Name => parts.name = Some(child),
                NodeKind::Operand => parts.operands.push(child),
                NodeKind::Type | NodeKind::FunctionType => parts.types.push(child),
                NodeKind::Attribute => parts.attributes.push(child),
                NodeKind::SymbolName | NodeKind::SymbolUse => parts.symbols.push(child),
                NodeKind::Dictionary => parts.dictionaries.push(child),
                NodeKind::Properties => parts.properties = Some(child),
                NodeKind::Region => parts.regions += 1,
                NodeKind::Successor => parts.successors += 1,
                NodeKind::Unknown => match data {
                    NO_DATA => parts.is_unknown = true,
                    part => parts.unknown.push(part),
                },
                NodeKind::PossibleUse | NodeKind::PossibleDefinition | NodeKind::Error => {
                    parts.is_unknown = true;
                }
                _ => {}
            }
        }
        parts
    }

    /// Notes the name of an operation that no dialect defines.
    fn unknown_name(&mut self, name: u32) {
        let word = self.token_text(name);
        if self.defines_dialects || CPP_ONLY.contains(&word) {
            return;
        }
        let definitions = &self.checker.definitions;
        if let Some((dialect, _)) = word.split_once('.') {
            let is_closed = definitions.has_dialect(dialect) && !definitions.is_extensible(dialect);
            // Tests add operations to their dialects in C++.
            if is_closed && !matches!(dialect, "test" | "transform") {
                self.fault(name, format!("custom op '{word}' is unknown"));
            }
            return;
        }
        let default = match self.parents.last() {
            None => "builtin",
            Some(Parent { is_opaque: true, .. }) => return,
            Some(Parent { def: Some(def), .. }) => def.default_dialect.as_deref().unwrap_or("builtin"),
            Some(Parent { def: None, .. }) => return,
        };
        if definitions.has_dialect(default) {
            self.fault(name, format!("custom op '{word}' is unknown (tried '{default}.{word}' as well)"));
        }
    }

    /// Checks counts, regions and the operations around.
    fn structure(
        &mut self,
        id: NodeId,
        def: &'w OperationDef,
        rules: &'w OperationRules,
        parts: &Parts,
        name: u32,
        is_generic: bool,
    ) {
        let mut message = None;
        if is_generic {
            message = counts_message(self, rules, parts);
        }
        if message.is_none() && !rules.parents.is_empty() {
            let parent = match self.parents.last() {
                None => Some("builtin.module"),
                Some(parent) => parent.def.map(|def| &*def.name),
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
            self.fault(name, format!("'{}' op {message}", def.name));
        }
    }

    /// Returns the message about the blocks of an operation's regions.
    fn regions_message(&self, id: NodeId, rules: &OperationRules, is_generic: bool) -> Option<String> {
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

    /// Returns the types of an operation in generic form.
    fn function_types(&mut self, parts: &Parts) -> Option<(Vec<Option<Type>>, Vec<Option<Type>>)> {
        let ty = *parts.types.last()?;
        let Node { first, end, .. } = self.node(ty);
        if let Some(Type::Function(inputs, results)) = self.read_type(ty) {
            let known = |types: Vec<Type>| types.into_iter().map(Some).collect();
            return Some((known(inputs), known(results)));
        }
        if self.cursor.kind(first) != T::LeftParen {
            return None;
        }
        // One of the types is not understood: the others still are.
        self.read(first, end, |cursor| {
            let inputs = separate(cursor)?;
            cursor.expect(T::Arrow, "expected '->' in function type")?;
            let results = match cursor.peek() {
                T::LeftParen => separate(cursor)?,
                _ => vec![types::non_function(cursor)?],
            };
            Ok((inputs, results))
        })
    }

    /// Collects what is known of the parts of an operation.
    fn instance(
        &mut self,
        def: &'w OperationDef,
        rules: &'w OperationRules,
        parts: &Parts,
        is_generic: bool,
        name: u32,
    ) -> Option<Instance> {
        let mut instance = Instance { has_all_attributes: true, ..Instance::default() };
        let is_custom_format = matches!(def.form, Form::Format) && rules.has_format;
        if !is_generic && !is_custom_format {
            instance.has_all_attributes = false;
            instance.operands = vec![None; rules.operands.len()];
            instance.results = unknown_results(rules);
            return Some(instance);
        }
        self.add_dictionaries(parts, rules, &mut instance, (!is_generic).then_some((def, name)));
        if is_generic {
            let (inputs, results) = self.function_types(parts)?;
            let sizes = |name: &str, instance: &Instance| {
                instance.attributes.iter().find(|(own, _)| own == name).map(|(_, attr)| match attr {
                    Some(Attr { kind: Kind::DenseArray(_, sizes), .. }) => sizes.clone(),
                    _ => Vec::new(),
                })
            };
            let has_sizes = rules.has_trait("AttrSizedOperandSegments");
            let own = sizes("operandSegmentSizes", &instance).or_else(|| has_sizes.then(Vec::new));
            let is_even = rules.has_trait("SameVariadicOperandSize");
            instance.operands = verify::split(&rules.operands, &inputs, own.as_deref(), is_even);
            let has_sizes = rules.has_trait("AttrSizedResultSegments");
            let own = sizes("resultSegmentSizes", &instance).or_else(|| has_sizes.then(Vec::new));
            let is_even = rules.has_trait("SameVariadicResultSize");
            instance.results = verify::split(&rules.results, &results, own.as_deref(), is_even);
            return Some(instance);
        }
        self.add_custom_attributes(def, rules, parts, &mut instance);
        self.add_custom_types(def, rules, parts, &mut instance, name);
        Some(instance)
    }

    /// Adds the attributes of dictionaries and properties.
    fn add_dictionaries(
        &mut self,
        parts: &Parts,
        rules: &OperationRules,
        instance: &mut Instance,
        custom: Option<(&OperationDef, u32)>,
    ) {
        let mut all = parts.dictionaries.clone();
        if let Some(properties) = parts.properties {
            let dictionary = self.ir.tree.child(properties, NodeKind::Dictionary);
            match dictionary {
                Some(dictionary) => all.push(dictionary),
                None => instance.has_all_attributes = false,
            }
        }
        for dictionary in all {
            let entries: Vec<NodeId> = self.ir.tree.children_of(dictionary, NodeKind::Entry).collect();
            for entry in entries {
                let Some(key) = self.ir.tree.child(entry, NodeKind::Key) else { continue };
                let key = attributes::unescaped(self.token_text(self.node(key).first)).into_owned();
                let value = match self.ir.tree.child(entry, NodeKind::Attribute) {
                    Some(value) => self.read_attribute(value, None),
                    None => Some(Attr::new(Kind::Unit, "unit")),
                };
                let rule = rules.attribute(&key);
                if let (Some((def, _)), Some(rule), Some(value)) = (custom, rule, &value)
                    && let Some(message) = verify::attribute(rule, value, &self.checker.judge)
                {
                    let first = self.node(dictionary).first;
                    self.fault(first, format!("custom op '{0}' '{0}' op {message}", def.name));
                    instance.attributes.push((key, None));
                    continue;
                }
                instance.attributes.push((key, value));
            }
        }
    }

    /// Adds the attributes that a format reads.
    fn add_custom_attributes(
        &mut self,
        def: &'w OperationDef,
        rules: &'w OperationRules,
        parts: &Parts,
        instance: &mut Instance,
    ) {
        instance.has_all_attributes &= !parts.is_unknown && parts.unknown.is_empty();
        for id in &parts.attributes {
            let node = self.node(*id);
            let Some(part) = def.parts.get(node.data as usize).filter(|_| node.data != NO_DATA) else {
                continue;
            };
            let rule = rules.attribute(&part.name).filter(|_| node.flags & flags::PRESENCE == 0);
            let value = match rule {
                Some(rule) if rule.is_plain => self.read_attribute(*id, rule.ty.as_ref()),
                _ => None,
            };
            instance.attributes.push((part.name.to_string(), value));
        }
        for id in &parts.symbols {
            let node = self.node(*id);
            if let Some(part) = def.parts.get(node.data as usize).filter(|_| node.data != NO_DATA) {
                instance.attributes.push((part.name.to_string(), None));
            }
        }
        for name in &rules.in_format {
            if instance.attributes.iter().all(|(own, _)| own != name) {
                instance.attributes.push((name.clone(), None));
            }
        }
    }

    /// Adds the types of operands and results, as the format gives them.
    fn add_custom_types(
        &mut self,
        def: &'w OperationDef,
        rules: &'w OperationRules,
        parts: &Parts,
        instance: &mut Instance,
        name: u32,
    ) {
        let mut written = Written::default();
        for id in &parts.types {
            let node = self.node(*id);
            if node.data == NO_DATA {
                match (rules.functional_type, self.function_types_of(*id)) {
                    (Some((inputs, results)), Some((of_inputs, of_results))) => {
                        written.set(inputs, of_inputs);
                        written.set(results, of_results);
                    }
                    _ => written.is_unknown = true,
                }
                continue;
            }
            let ty = self.read_type(*id);
            if let Some(ty) = &ty {
                self.check_class(def, node, ty);
            }
            let entity = def.grammar.as_ref().and_then(|grammar| grammar.entities.get(node.data as usize));
            let Some(entity) = entity else { continue };
            let of = match (entity.kind, entity.is_all) {
                (PartKind::Operand, true) => Some(Typed::Operands),
                (PartKind::Result, true) => Some(Typed::Results),
                (PartKind::Operand, false) => {
                    rules.operands.iter().position(|rule| rule.name == entity.name).map(Typed::Operand)
                }
                (PartKind::Result, false) => {
                    rules.results.iter().position(|rule| rule.name == entity.name).map(Typed::Result)
                }
                _ => None,
            };
            if let Some(of) = of {
                written.add(of, ty);
            }
        }
        written.is_unknown |= parts.is_unknown || !parts.unknown.is_empty();
        let counts = self.operand_counts(def, rules, parts);
        let all_operands = written.get(Typed::Operands).cloned();
        let all_results = written.get(Typed::Results).cloned();
        instance.operands = match &all_operands {
            Some(types) => verify::split(&rules.operands, types, None, false),
            None => vec![None; rules.operands.len()],
        };
        instance.results = match &all_results {
            Some(types) => {
                let is_even = rules.has_trait("SameVariadicResultSize");
                verify::split(&rules.results, types, None, is_even)
            }
            None => unknown_results(rules),
        };
        for (index, rule) in rules.operands.iter().enumerate() {
            let count = counts.get(index).copied().flatten();
            if all_operands.is_none()
                && let Some(types) = written.get(Typed::Operand(index))
            {
                if let Some(count) = count.filter(|count| *count != types.len()) {
                    if rule.count != Count::One {
                        self.fault(
                            name,
                            format!(
                                "custom op '{}' number of operands and types do not match: got {count} operands and {} types",
                                def.name,
                                types.len()
                            ),
                        );
                    }
                } else {
                    instance.operands[index] = Some(types.clone());
                }
            } else if let (None, Some(count)) = (&instance.operands[index], count) {
                instance.operands[index] = Some(vec![None; count]);
            }
        }
        for (index, rule) in rules.results.iter().enumerate() {
            if all_results.is_some() {
                break;
            }
            instance.results[index] = match written.get(Typed::Result(index)) {
                Some(types) => Some(types.clone()),
                None if rule.count == Count::One => Some(vec![None]),
                None if written.is_unknown => None,
                // Without a type in the text there is no value.
                None => match rules.result_types.get(index) {
                    Some(Source::Format) => Some(Vec::new()),
                    _ => None,
                },
            };
        }
        // A type may follow from one that follows itself.
        for _ in 0..3 {
            self.infer(rules, instance);
        }
    }

    /// Adds types that follow from others.
    fn infer(&self, rules: &OperationRules, instance: &mut Instance) {
        for is_result in [false, true] {
            let sources = if is_result { &rules.result_types } else { &rules.operand_types };
            for (index, source) in sources.iter().enumerate() {
                let groups = if is_result { &instance.results } else { &instance.operands };
                let Some(Some(group)) = groups.get(index) else { continue };
                if group.iter().all(Option::is_some) {
                    continue;
                }
                let Some(ty) = self.source_type(source, instance) else { continue };
                let groups = if is_result { &mut instance.results } else { &mut instance.operands };
                if let Some(Some(group)) = groups.get_mut(index) {
                    group.iter_mut().for_each(|own| {
                        own.get_or_insert_with(|| ty.clone());
                    });
                }
            }
        }
    }

    fn source_type(&self, source: &Source, instance: &Instance) -> Option<Type> {
        let (ty, transform) = match source {
            Source::Format | Source::Unknown => return None,
            Source::Only(ty) => return Some(ty.clone()),
            Source::Of(of, transform) => {
                let group = match of {
                    Typed::Operand(index) => instance.operands.get(*index)?,
                    Typed::Result(index) => instance.results.get(*index)?,
                    Typed::Operands | Typed::Results => return None,
                };
                let ty = match group.as_deref()? {
                    [one] => one.clone()?,
                    _ => return None,
                };
                (ty, transform)
            }
            Source::OfAttribute(name, transform) => {
                let (_, attribute) = instance.attributes.iter().find(|(own, _)| own == name)?;
                (verify::type_of(attribute.as_ref()?)?, transform)
            }
        };
        let Some(transform) = transform else { return Some(ty) };
        let value = Value::Type(ty);
        match self.checker.judge.value(transform, &Env::of_self(&value)) {
            Value::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// Checks the class of a type that a format reads.
    fn check_class(&mut self, def: &OperationDef, node: Node, ty: &Type) {
        let entity = def.grammar.as_ref().and_then(|grammar| grammar.entities.get(node.data as usize));
        let Some(Class::Type(class)) = entity.map(|entity| &entity.type_class) else { return };
        let Some(name) = builtin_name(class) else { return };
        if self.checker.judge.classes().is_type(ty, class) == Some(false) {
            self.fault(
                node.first,
                format!(
                    "custom op '{}' invalid kind of type specified: expected {name}, but found '{ty}'",
                    def.name
                ),
            );
        }
    }

    fn function_types_of(&mut self, id: NodeId) -> Option<(Vec<Option<Type>>, Vec<Option<Type>>)> {
        self.function_types(&Parts { types: vec![id], ..Parts::default() })
    }

    /// Returns the number of operands of each part, as far as the text shows it.
    fn operand_counts(
        &self,
        def: &OperationDef,
        rules: &OperationRules,
        parts: &Parts,
    ) -> Vec<Option<usize>> {
        let is_list = |id: &NodeId| self.node(*id).flags & (flags::ALL | flags::SEVERAL) == flags::ALL;
        if !parts.operands.is_empty() && parts.operands.iter().all(is_list) && !parts.is_unknown {
            let types = vec![None; parts.operands.len()];
            let is_even = rules.has_trait("SameVariadicOperandSize");
            let groups = verify::split(&rules.operands, &types, None, is_even);
            return groups.into_iter().map(|group| group.map(|group| group.len())).collect();
        }
        let mut counts = vec![Some(0); rules.operands.len()];
        let mut is_all = false;
        for id in &parts.operands {
            let node = self.node(*id);
            if node.flags & (flags::ALL | flags::SEVERAL) != 0 || node.data == NO_DATA {
                is_all = true;
                continue;
            }
            let Some(part) = def.parts.get(node.data as usize) else { continue };
            let index = rules.operands.iter().position(|rule| rule.name == *part.name);
            if let Some(Some(count)) = index.and_then(|index| counts.get_mut(index)) {
                *count += 1;
            }
        }
        for (count, rule) in counts.iter_mut().zip(&rules.operands) {
            let is_partly = parts
                .unknown
                .iter()
                .any(|part| def.parts.get(*part as usize).is_some_and(|part| *part.name == *rule.name));
            if is_all || is_partly || parts.is_unknown && *count == Some(0) {
                *count = None;
            }
        }
        for index in &rules.in_custom {
            if let Some(count) = counts.get_mut(*index) {
                *count = None;
            }
        }
        counts
    }

    /// Returns the type that each operand node has by the text of its operation.
    fn types_of_nodes(
        &self,
        def: Option<&OperationDef>,
        rules: Option<&OperationRules>,
        parts: &Parts,
        instance: &Instance,
    ) -> Vec<Option<Type>> {
        let (Some(def), Some(rules)) = (def, rules) else { return Vec::new() };
        let mut next = vec![0; rules.operands.len()];
        let mut next_of_all = 0;
        let all: Option<Vec<Option<Type>>> = instance
            .operands
            .iter()
            .cloned()
            .collect::<Option<Vec<_>>>()
            .map(|groups| groups.into_iter().flatten().collect());
        let mut types = Vec::with_capacity(parts.operands.len());
        for id in &parts.operands {
            let node = self.node(*id);
            if node.flags & flags::ALL != 0 {
                types.push(all.as_ref().and_then(|all| all.get(next_of_all).cloned().flatten()));
                next_of_all += 1;
                continue;
            }
            let part = def.parts.get(node.data as usize).filter(|_| node.data != NO_DATA);
            let is_single = node.flags & flags::SEVERAL == 0;
            let index = part.and_then(|part| rules.operands.iter().position(|rule| rule.name == *part.name));
            let Some(index) = index.filter(|_| is_single) else {
                types.push(None);
                continue;
            };
            let group = instance.operands.get(index).and_then(Option::as_ref);
            types.push(group.and_then(|group| group.get(next[index]).cloned().flatten()));
            next[index] += 1;
        }
        types
    }

    /// Adds the types that operands have by their definitions, where the text of the operation does not give them.
    fn complete(&self, parts: &Parts, def: &OperationDef, rules: &OperationRules, instance: &mut Instance) {
        let mut next = vec![0; rules.operands.len()];
        for id in &parts.operands {
            let node = self.node(*id);
            if node.data == NO_DATA || node.flags & (flags::ALL | flags::SEVERAL) != 0 {
                continue;
            }
            let Some(part) = def.parts.get(node.data as usize) else { continue };
            let Some(index) = rules.operands.iter().position(|rule| rule.name == *part.name) else {
                continue;
            };
            let slot = instance.operands.get_mut(index).and_then(Option::as_mut);
            if let Some(slot @ None) = slot.and_then(|group| group.get_mut(next[index])) {
                *slot = self.type_of_use(*id);
            }
            next[index] += 1;
        }
        if instance.results.iter().flatten().flatten().any(Option::is_none) {
            self.infer(rules, instance);
        }
    }

    /// Returns the type of a value by its definition.
    fn type_of_use(&self, id: NodeId) -> Option<Type> {
        let (name, number) = self.value(id);
        let definition = self.scopes.find(name).filter(|definition| !definition.is_possible)?;
        definition.types.as_ref()?.get(number)?.clone()
    }

    /// Returns the name and the number of a value.
    fn value(&self, id: NodeId) -> (&'w str, usize) {
        let Node { first, end, .. } = self.node(id);
        let name = self.token_text(first);
        let number = if end > first + 1 { self.token_text(first + 1) } else { "#0" };
        (name, number.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or(0))
    }

    /// Looks at the uses and regions of an operation, in the order of the text.
    fn uses_and_regions(
        &mut self,
        operation: NodeId,
        id: NodeId,
        parent: Option<Parent<'w>>,
        types: &[Option<Type>],
    ) {
        let children: Vec<NodeId> = self.ir.tree.children(id).collect();
        let mut operand = 0;
        let mut arguments: Vec<NodeId> = Vec::new();
        for child in children {
            match self.node(child).kind {
                NodeKind::Operand => {
                    let ty = types.get(operand).cloned().flatten();
                    let Node { first, data, .. } = self.node(child);
                    let name = self.token_text(first);
                    // Without a part it may be the name of an argument.
                    let is_free = data == NO_DATA
                        && parent.is_some_and(|parent| !parent.is_generic)
                        && self.scopes.find(name).is_none();
                    if is_free {
                        self.possible.insert(name);
                        arguments.push(child);
                    } else {
                        self.use_of(child, parent, operand, ty);
                    }
                    operand += 1;
                }
                NodeKind::Successor => {
                    let uses: Vec<NodeId> = self.ir.tree.children_of(child, NodeKind::Operand).collect();
                    for one in uses {
                        self.use_of(one, None, 0, None);
                    }
                }
                NodeKind::BlockArgument => arguments.push(child),
                NodeKind::PossibleDefinition => {
                    let name = self.token_text(self.node(child).first);
                    self.possible.insert(name);
                    arguments.push(child);
                }
                NodeKind::Region => {
                    self.region(operation, child, parent, &arguments);
                    arguments.clear();
                }
                NodeKind::Unknown => {
                    let inner: Vec<NodeId> = self.ir.tree.children(child).collect();
                    for one in inner {
                        let Node { kind, first, .. } = self.node(one);
                        let name = self.token_text(first);
                        let is_possible = kind == NodeKind::PossibleDefinition
                            || kind == NodeKind::PossibleUse && self.scopes.find(name).is_none();
                        if is_possible {
                            self.possible.insert(name);
                            arguments.push(one);
                        }
                    }
                    let own: Vec<NodeId> = self.ir.tree.children_of(child, NodeKind::Region).collect();
                    for region in own {
                        self.region(operation, region, parent, &arguments);
                    }
                }
                _ => {}
            }
        }
    }

    fn use_of(&mut self, id: NodeId, parent: Option<Parent<'w>>, operand: usize, ty: Option<Type>) {
        let token = self.node(id).first;
        let (name, number) = self.value(id);
        let Some(definition) = self.scopes.find(name) else {
            let operation = parent.map_or(token, |parent| parent.token);
            let operand = parent.map(|_| operand);
            let around = self.around.clone();
            return self.scopes.use_early(name, EarlyUse { token, operation, operand, around });
        };
        if definition.is_possible {
            return;
        }
        let (depth, types) = (definition.depth, definition.types.clone());
        if let Some(types) = types {
            let Some(known) = types.get(number) else {
                return self.fault(token, "reference to invalid result number");
            };
            if let (Some(ty), Some(known)) = (&ty, known)
                && ty.same(known) == Some(false)
            {
                return self.fault(
                    token,
                    format!(
                        "use of value '{}' expects different type than prior uses: '{ty}' vs '{known}'",
                        if number == 0 { name.to_owned() } else { format!("{name}#{number}") }
                    ),
                );
            }
        }
        if let Some((isolated, true)) = self.isolated.last()
            && depth < *isolated
            && let Some(parent) = parent
        {
            let word = self.token_text(parent.token).trim_matches('"');
            let word = parent.def.map_or(word, |def| &*def.name).to_owned();
            self.fault(parent.token, format!("'{word}' op using value defined outside the region"));
        }
    }

    /// Defines the results of an operation.
    fn define_results(&mut self, parts: &Parts, types: Option<Vec<Option<Type>>>) {
        let mut counts = Vec::with_capacity(parts.results.len());
        for result in &parts.results {
            let Node { first, end, .. } = self.node(*result);
            let count =
                if end > first + 2 { self.token_text(first + 2).parse().unwrap_or(1) } else { 1_usize };
            counts.push((first, count));
        }
        let all: usize = counts.iter().map(|(_, count)| *count).sum();
        if let (Some(types), Some((first, _))) = (&types, counts.first())
            && types.len() != all
        {
            let message = format!("operation defines {} results but was provided {all} to bind", types.len());
            self.fault(*first, message);
        }
        let types = types.filter(|types| types.len() == all);
        let mut from = 0;
        for (first, count) in counts {
            let own: Types = types.as_ref().map(|types| Rc::from(&types[from..from + count]));
            from += count;
            self.define(first, own, false);
        }
    }

    /// Defines a value. A name that is visible may not be used again.
    fn define(&mut self, token: u32, types: Types, is_argument: bool) {
        let name = self.token_text(token);
        let may_shadow = |depth: usize| self.isolated.iter().any(|(own, is_plain)| !is_plain && depth < *own);
        if let Some(known) = self.scopes.find(name)
            && !known.is_possible
            && !may_shadow(known.depth)
        {
            let message = match is_argument {
                true => format!("region entry argument '{name}' is already in use"),
                false => format!("redefinition of SSA value '{name}'"),
            };
            self.fault(token, message);
        }
        let here = self.around.last().copied();
        let definition = Definition { types, is_possible: false, depth: self.scopes.depth() };
        for early in self.scopes.define(name, definition) {
            let Some(here) = here else { continue };
            let common = early.around.iter().find(|around| around.region == here.region);
            let is_late = match common {
                // Nothing that comes later is executed before the first block.
                Some(use_) => use_.is_ordered && use_.is_entry,
                None => true,
            };
            if is_late
                && !self.is_broken
                && let Some(operand) = early.operand
            {
                self.fault(early.operation, format!("operand #{operand} does not dominate this use"));
            }
        }
    }

    fn region(
        &mut self,
        operation: NodeId,
        region: NodeId,
        parent: Option<Parent<'w>>,
        arguments: &[NodeId],
    ) {
        let def = parent.and_then(|parent| parent.def);
        let rules = parent.and_then(|parent| parent.rules);
        self.scopes.open();
        self.regions += 1;
        let is_ordered =
            rules.is_some_and(|rules| !rules.traits.iter().any(|it| it.starts_with("RegionKindInterface")));
        let here = Around {
            region: self.regions,
            place: Place { block: 0, statement: 0 },
            is_ordered,
            is_entry: true,
        };
        self.around.push(here);
        let is_isolated = def.is_some_and(|def| def.is_isolated);
        if is_isolated {
            let is_plain = parent.is_some_and(|parent| {
                let is_format =
                    parent.def.is_some_and(|def| def.form == Form::Format || def.name.ends_with(".func"));
                parent.is_generic || is_format && !parent.is_opaque
            });
            self.isolated.push((self.scopes.depth(), is_plain));
        }
        let parent = parent.unwrap_or(Parent {
            def: None,
            rules: None,
            token: self.node(operation).first,
            is_generic: false,
            is_opaque: true,
        });
        self.parents.push(parent);
        for argument in arguments {
            self.argument(*argument, true);
        }
        let blocks: Vec<NodeId> = self.ir.tree.children_of(region, NodeKind::Block).collect();
        let is_named = |argument: &&NodeId| {
            let Node { kind, first, .. } = self.node(**argument);
            kind == NodeKind::BlockArgument && self.cursor.kind(first) == T::Value
        };
        let has_arguments = arguments.iter().any(|argument| is_named(&argument));
        self.labels(&blocks, parent, has_arguments);
        let mut symbols = FxHashSet::default();
        let is_in_table = rules.is_some_and(|rules| rules.has_trait("SymbolTable"));
        for (index, block) in blocks.iter().enumerate() {
            let children: Vec<NodeId> = self.ir.tree.children(*block).collect();
            let operations =
                children.iter().filter(|child| self.node(**child).kind == NodeKind::Operation).count();
            let mut statement = 0;
            for child in children {
                match self.node(child).kind {
                    NodeKind::BlockArgument => self.argument(child, false),
                    NodeKind::Operation => {
                        statement += 1;
                        if let Some(here) = self.around.last_mut() {
                            let block = u32::try_from(index).unwrap_or(u32::MAX);
                            here.place = Place { block, statement };
                            here.is_entry = index == 0;
                        }
                        let may_end = self.operation(child, &mut symbols, is_in_table);
                        let is_last = statement as usize == operations;
                        self.block_end(child, may_end, is_last, blocks.len(), parent);
                    }
                    _ => {}
                }
            }
        }
        self.parents.pop();
        if is_isolated {
            self.isolated.pop();
        }
        self.around.pop();
        self.scopes.close();
    }

    /// Checks the place of a terminator, or that the last operation is one.
    fn block_end(&mut self, id: NodeId, may_end: bool, is_last: bool, blocks: usize, parent: Parent<'w>) {
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
        let is_free = blocks == 1
            && (of_parent.has_trait("NoTerminator")
                || of_parent.has_trait_of("SingleBlockImplicitTerminator") && !parent.is_generic);
        if is_last && !may_end && !is_free {
            self.fault(name, "block with no terminator");
        }
    }

    /// Checks the labels of a region's blocks, and the uses of blocks.
    fn labels(&mut self, blocks: &[NodeId], parent: Parent<'w>, has_arguments: bool) {
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

    /// Defines an argument of a block.
    fn argument(&mut self, id: NodeId, is_entry: bool) {
        let Node { first, kind, .. } = self.node(id);
        if self.cursor.kind(first) != T::Value {
            return;
        }
        if kind != NodeKind::BlockArgument {
            let name = self.token_text(first);
            if self.scopes.find(name).is_some() {
                return;
            }
            let depth = self.scopes.depth();
            self.scopes.define(name, Definition { types: None, is_possible: true, depth });
            return;
        }
        let ty = self.ir.tree.child(id, NodeKind::Type).and_then(|ty| self.read_type(ty));
        self.define(first, Some(Rc::from([ty])), is_entry);
    }

    /// Notes the symbol of an operation in a symbol table.
    fn symbol(
        &mut self,
        parts: &Parts,
        (def, rules): (Option<&OperationDef>, Option<&OperationRules>),
        name: u32,
        symbols: &mut FxHashSet<&'w str>,
    ) {
        let mut own = None;
        for id in &parts.symbols {
            let node = self.node(*id);
            let is_name = def
                .and_then(|def| def.parts.get(node.data as usize))
                .is_some_and(|part| &*part.name == "sym_name")
                && rules.is_some_and(|rules| rules.attribute("sym_name").is_some_and(|rule| rule.is_text));
            if node.kind == NodeKind::SymbolName && is_name {
                own = Some(self.token_text(node.first).trim_start_matches('@').trim_matches('"'));
            }
        }
        if own.is_none() {
            let mut all = parts.dictionaries.clone();
            all.extend(parts.properties.and_then(|it| self.ir.tree.child(it, NodeKind::Dictionary)));
            for dictionary in all {
                for entry in self.ir.tree.children_of(dictionary, NodeKind::Entry) {
                    let key = self.ir.tree.child(entry, NodeKind::Key).map(|key| self.node(key).first);
                    let value = self.ir.tree.child(entry, NodeKind::Attribute).map(|it| self.node(it).first);
                    if let (Some(key), Some(value)) = (key, value)
                        && self.token_text(key) == "sym_name"
                        && self.cursor.kind(value) == T::String
                    {
                        own = Some(self.token_text(value).trim_matches('"'));
                    }
                }
            }
        }
        if let Some(symbol) = own
            && !symbols.insert(symbol)
        {
            self.fault(name, format!("redefinition of symbol named '{symbol}'"));
        }
    }
}

/// The types that the text gives.
#[derive(Default)]
struct Written {
    all: Vec<(Typed, Vec<Option<Type>>)>,
    is_unknown: bool,
}

impl Written {
    fn get(&self, of: Typed) -> Option<&Vec<Option<Type>>> {
        self.all.iter().find(|(own, _)| *own == of).map(|(_, types)| types)
    }

    fn set(&mut self, of: Typed, types: Vec<Option<Type>>) {
        self.all.push((of, types));
    }

    fn add(&mut self, of: Typed, ty: Option<Type>) {
        match self.all.iter_mut().find(|(own, _)| *own == of) {
            Some((_, types)) => types.push(ty),
            None => self.all.push((of, vec![ty])),
        }
    }
}

/// Reads `(T, …)`, each type on its own.
fn separate(cursor: &mut Cursor<'_>) -> crate::cursor::Reading<Vec<Option<Type>>> {
    cursor.expect(T::LeftParen, "expected '('")?;
    let mut all = Vec::new();
    if cursor.eat(T::RightParen) {
        return Ok(all);
    }
    loop {
        all.push(types::ty(cursor)?);
        if !cursor.eat(T::Comma) {
            break;
        }
    }
    cursor.expect(T::RightParen, "expected ')'")?;
    Ok(all)
}

/// Returns results of unknown types; those of which there is exactly one are counted.
fn unknown_results(rules: &OperationRules) -> Vec<Group> {
    rules.results.iter().map(|rule| (rule.count == Count::One).then(|| vec![None])).collect()
}

/// Returns the types of all results, if their number is known.
fn verify_results(instance: &Instance) -> Option<Vec<Option<Type>>> {
    let groups: Option<Vec<Vec<Option<Type>>>> = instance.results.iter().cloned().collect();
    groups.map(|groups| groups.into_iter().flatten().collect())
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

/// Returns the name of a builtin type's class, as messages have it.
fn builtin_name(class: &str) -> Option<&'static str> {
    Some(match class.trim_start_matches("::").strip_prefix("mlir::")? {
        "VectorType" => "builtin.vector",
        "IntegerType" => "builtin.integer",
        "IndexType" => "builtin.index",
        "RankedTensorType" => "builtin.tensor",
        "UnrankedTensorType" => "builtin.unranked_tensor",
        "MemRefType" => "builtin.memref",
        "UnrankedMemRefType" => "builtin.unranked_memref",
        "ComplexType" => "builtin.complex",
        "FunctionType" => "builtin.function",
        "TupleType" => "builtin.tuple",
        _ => return None,
    })
}
