//! A walk over the operations of a text: names, values and their types, blocks, symbols.

use odsmith_conditions::{Ancestor, Attr, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Checker, Fault, ValueTypes,
    rules::OperationRules,
    scopes::{Around, Scopes, StatementPosition},
    values::types_of_results,
    verify::{self},
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

pub(super) struct Walk<'w> {
    pub(super) checker: &'w Checker,
    pub(super) text: &'w str,
    pub(super) ir: &'w Ir,
    pub(super) cursor: Cursor<'w>,
    pub(super) scopes: Scopes<'w>,
    pub(super) faults: Vec<Fault>,
    /// The types of values by the tokens that define them, if they are asked for.
    pub(super) values: Option<ValueTypes>,
    /// The types of this piece by their text.
    pub(super) types: FxHashMap<&'w str, Option<Type>>,
    /// The operations around the current one.
    pub(super) parents: Vec<Parent<'w>>,
    pub(super) around: Vec<Around>,
    /// The depths of the isolated regions that are open, and whether their operations do not name values again.
    pub(super) isolated: Vec<(usize, bool)>,
    pub(super) regions: u32,
    /// Names that a text which is not understood may define.
    pub(super) possible: FxHashSet<&'w str>,
    /// True if the piece has syntax errors: some definitions may be missing.
    pub(super) is_broken: bool,
    /// True if operations may be defined in the text itself.
    pub(super) defines_dialects: bool,
    /// True if the operation has a fault already: others may follow from it.
    pub(super) is_faulty: bool,
}

/// An operation around others.
#[derive(Clone, Copy)]
pub(super) struct Parent<'w> {
    pub(super) def: Option<&'w OperationDef>,
    pub(super) rules: Option<&'w OperationRules>,
    /// The token of its name.
    pub(super) token: u32,
    pub(super) is_generic: bool,
    /// True if its text is not wholly understood.
    pub(super) is_opaque: bool,
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
            values: None,
            types: FxHashMap::default(),
            parents: Vec::new(),
            around: Vec::new(),
            isolated: Vec::new(),
            regions: 0,
            possible: FxHashSet::default(),
            is_broken: false,
            defines_dialects: false,
            is_faulty: false,
        }
    }

    pub(super) fn run(mut self) -> (Vec<Fault>, Option<ValueTypes>) {
        let root = self.ir.tree.root();
        let pieces: Vec<NodeId> = self.ir.tree.children(root).collect();
        for piece in pieces {
            self.piece(piece);
        }
        (self.faults, self.values)
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.ir.tree.node(id)
    }

    pub(super) fn token_text(&self, token: u32) -> &'w str {
        &self.text[self.ir.tokens.range(token)]
    }

    pub(super) fn fault(&mut self, token: u32, message: impl Into<String>) {
        self.faults.push(Fault { range: self.ir.tokens.range(token), message: message.into() });
    }

    /// Notes a fault of the current operation, if it has none yet.
    pub(super) fn fault_of_operation(&mut self, token: u32, message: impl Into<String>) {
        if !self.is_faulty {
            self.is_faulty = true;
            self.fault(token, message);
        }
    }

    pub(super) fn piece(&mut self, piece: NodeId) {
        let Node { first, end, .. } = self.node(piece);
        self.types.clear();
        self.possible.clear();
        self.cursor.aliases.clear();
        self.is_broken = self.ir.errors.iter().any(|error| (first..=end).contains(&error.token));
        let text = self.text.get(self.ir.tokens.start(first)..self.ir.tokens.start(end)).unwrap_or_default();
        self.defines_dialects = text.contains("irdl.");
        self.scopes.open();
        self.regions += 1;
        self.around.push(Around {
            region: self.regions,
            place: StatementPosition { block: 0, statement: 0 },
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

    /// Reads the type of a node; nothing if it is not understood.
    pub(super) fn read_type(&mut self, id: NodeId) -> Option<Type> {
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
    pub(super) fn read_attribute(&mut self, id: NodeId, ty: Option<&Type>) -> Option<Attr> {
        let Node { first, end, .. } = self.node(id);
        if let Some(ty) = ty
            && let Some(attribute) = self.read(first, end, |cursor| attributes::value_of(cursor, ty))
        {
            return attribute;
        }
        self.read(first, end, attributes::value).flatten()
    }

    /// Reads a piece of text that has to be read to its end.
    pub(super) fn read<R>(
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

    /// Returns the operations around the current one, from the inside out; nothing if one of them is not known.
    fn ancestors(&self) -> Option<Vec<Ancestor>> {
        let module = Ancestor { is_table: true, is_function: false };
        let known = self.parents.iter().rev().map(|parent| {
            let rules = parent.rules?;
            Some(Ancestor {
                is_table: rules.has_trait("SymbolTable"),
                is_function: rules.traits.iter().any(|own| own.starts_with("FunctionOpInterface")),
            })
        });
        known.chain([Some(module)]).collect()
    }

    /// Looks at an operation, and returns true if it may end a block.
    pub(super) fn operation(
        &mut self,
        id: NodeId,
        symbols: &mut FxHashSet<&'w str>,
        is_in_table: bool,
    ) -> bool {
        let around = std::mem::replace(&mut self.is_faulty, false);
        let may_end = self.one_operation(id, symbols, is_in_table);
        self.is_faulty = around;
        may_end
    }

    pub(super) fn one_operation(
        &mut self,
        id: NodeId,
        symbols: &mut FxHashSet<&'w str>,
        is_in_table: bool,
    ) -> bool {
        let node = self.node(id);
        let has = |flag: u8| node.flags & flag != 0;
        let parts = self.parts(id);
        let Some(name) = parts.name.map(|name| self.node(name).first) else {
            self.uses_and_regions(id, id, None, &[]);
            self.define_results(&parts, None, true);
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
            self.structure(id, def, rules, &parts, name);
        }
        self.uses_and_regions(id, id, Some(parent), &operand_types);
        if let (Some(def), Some(rules), Some(mut instance)) = (def, rules, instance) {
            self.complete(&parts, def, rules, &mut instance);
            if !rules.predicates.is_empty() {
                instance.around = self.ancestors();
            }
            let judge = &checker.judge;
            let message = verify::message(rules, &instance, judge);
            let message = message.or_else(|| verify::trait_message(rules, &instance));
            if let Some(message) = message {
                self.fault_of_operation(name, format!("'{}' op {message}", def.name));
            }
            self.define_results(&parts, types_of_results(&instance), is_opaque);
        } else {
            let types = match is_generic && is_read {
                true => self.function_types(&parts).map(|(_, results)| results),
                false => None,
            };
            self.define_results(&parts, types, is_opaque || def.is_none() && !is_generic);
        }
        if is_in_table {
            self.symbol(&parts, (def, rules), name, symbols);
        }
        def.is_none() || rules.is_none_or(|rules| rules.has_trait("IsTerminator"))
    }

    /// Looks at the uses and regions of an operation, in the order of the text.
    pub(super) fn uses_and_regions(
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
                    // Without a part it may be the name of an argument. Those of isolated regions may have visible names.
                    let may_be_argument = data == NO_DATA && parent.is_some_and(|parent| !parent.is_generic);
                    if may_be_argument && self.scopes.find(name).is_none() {
                        self.possible.insert(name);
                    } else {
                        self.use_of(child, parent, operand, ty);
                    }
                    if may_be_argument {
                        arguments.push(child);
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
                        if !matches!(kind, NodeKind::PossibleDefinition | NodeKind::PossibleUse) {
                            continue;
                        }
                        if kind == NodeKind::PossibleDefinition || self.scopes.find(name).is_none() {
                            self.possible.insert(name);
                        }
                        arguments.push(one);
                    }
                    let own: Vec<NodeId> = self.ir.tree.children_of(child, NodeKind::Region).collect();
                    // C++ reads these regions.
                    let parent = parent.map(|parent| Parent { is_opaque: true, ..parent });
                    for region in own {
                        self.region(operation, region, parent, &arguments);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn region(
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
            place: StatementPosition { block: 0, statement: 0 },
            is_ordered,
            is_entry: true,
        };
        self.around.push(here);
        // An operation without a definition may be isolated.
        let is_isolated = def.map_or(parent.is_none_or(|it| !it.is_generic), |def| def.is_isolated);
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
                            here.place = StatementPosition { block, statement };
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
}
