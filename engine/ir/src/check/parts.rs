//! The parts of an operation in the text, and the types and attributes that its form gives them.

use odsmith_conditions::{Attr, Env, Type, Value, attrs::Kind};
use odsmith_interchange::grammar::{Class, Kind as PartKind};

use super::{
    rules::{Count, OperationRules, Source, Typed, ValueRule},
    verify::{self, Group, Instance},
    walk::Walk,
};
use crate::{
    attributes,
    cursor::{Cursor, Reading},
    definitions::{Form, OperationDef},
    lexer::TokenKind as T,
    syntax::Level,
    tree::{NO_DATA, Node, NodeId, NodeKind, flags},
    types,
};

/// The types of operands and of results; nothing for a type that is not understood.
pub(super) type Signature = (Vec<Option<Type>>, Vec<Option<Type>>);

/// The parts of an operation in the text.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) results: Vec<NodeId>,
    pub(super) name: Option<NodeId>,
    pub(super) operands: Vec<NodeId>,
    pub(super) types: Vec<NodeId>,
    pub(super) attributes: Vec<NodeId>,
    pub(super) symbols: Vec<NodeId>,
    pub(super) dictionaries: Vec<NodeId>,
    pub(super) properties: Option<NodeId>,
    pub(super) regions: usize,
    pub(super) successors: usize,
    /// Parts of which something is not understood.
    pub(super) unknown: Vec<u16>,
    /// True if any part may be in what is not understood.
    pub(super) is_unknown: bool,
    /// True if a value is in what is not understood.
    pub(super) hides_values: bool,
}

impl<'w> Walk<'w> {
    /// Collects the parts of an operation.
    pub(super) fn parts(&self, id: NodeId) -> Parts {
        let mut parts = Parts::default();
        for child in self.ir.tree.children(id) {
            let Node { kind, data, first, end, .. } = self.node(child);
            if matches!(kind, NodeKind::Unknown | NodeKind::Error) {
                parts.hides_values |= (first..end).any(|token| self.cursor.kind(token) == T::Value);
            }
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

    /// Returns the types of an operation in generic form.
    pub(super) fn function_types(&mut self, parts: &Parts) -> Option<Signature> {
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
    pub(super) fn instance(
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
            instance.operands = self.operands_by_syntax(def, rules, parts);
            instance.results = match self.results_by_syntax(def, parts) {
                Some(types) => {
                    verify::split(&rules.results, &types, None, rules.has_trait("SameVariadicResultSize"))
                }
                None => unknown_results(rules),
            };
            self.add_types_by_syntax(def, rules, parts, &mut instance);
            if matches!(def.form, Form::Table(Level::Names | Level::Exact)) {
                self.add_dictionaries(parts, rules, &mut instance, Some((def, name)));
                self.add_custom_attributes(def, rules, parts, &mut instance);
            }
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
    pub(super) fn add_dictionaries(
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
                // A parser in C++ drops an attribute of another class without a word, if it may be missing.
                let is_dropped = custom.is_some_and(|(def, _)| matches!(def.form, Form::Table(_)))
                    && rule.is_some_and(|rule| !rule.is_required);
                if is_dropped {
                    instance.attributes.push((key, None));
                    continue;
                }
                if let (Some((def, _)), Some(rule), Some(value)) = (custom, rule, &value)
                    && let Some(message) = verify::attribute(rule, value, &self.checker.judge)
                {
                    let first = self.node(dictionary).first;
                    self.fault_of_operation(first, format!("custom op '{0}' '{0}' op {message}", def.name));
                    instance.attributes.push((key, None));
                    continue;
                }
                instance.attributes.push((key, value));
            }
        }
    }

    /// Adds the attributes that a format reads.
    pub(super) fn add_custom_attributes(
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
    pub(super) fn add_custom_types(
        &mut self,
        def: &'w OperationDef,
        rules: &'w OperationRules,
        parts: &Parts,
        instance: &mut Instance,
        name: u32,
    ) {
        let mut written = TypeLists::default();
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
                        self.fault_of_operation(
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

    /// Returns the operands of a form that a table describes. Their types are those of the values' definitions: the text says
    /// which value is which operand, and not which type is whose.
    fn operands_by_syntax(&self, def: &OperationDef, rules: &OperationRules, parts: &Parts) -> Vec<Group> {
        let unknown = || vec![None; rules.operands.len()];
        let (Form::Table(Level::Names | Level::Exact), Some(program)) = (def.form, &def.program) else {
            return unknown();
        };
        let is_bare = |id: &NodeId| self.node(*id).data == NO_DATA;
        if parts.operands.iter().all(is_bare) {
            let is_visible = |id: &NodeId| self.scopes.find(self.value(*id).0).is_some();
            if parts.hides_values || parts.operands.is_empty() || !parts.operands.iter().all(is_visible) {
                return unknown();
            }
            let types: Vec<Option<Type>> = parts.operands.iter().map(|id| self.type_of_use(*id)).collect();
            return verify::split(&rules.operands, &types, None, rules.has_trait("SameVariadicOperandSize"));
        }
        let group = |rule: &ValueRule| -> Group {
            let part = def.part(&rule.name)?;
            let own = parts.operands.iter().filter(|id| self.node(**id).data == part);
            let is_several = own.clone().any(|id| self.node(*id).flags & (flags::ALL | flags::SEVERAL) != 0);
            let count = own.count();
            let is_bound = program.pieces().any(|piece| piece.place.part == part);
            let is_known = match rule.count {
                Count::One => count == 1,
                _ => {
                    is_bound
                        && !parts.hides_values
                        && !parts.operands.iter().any(is_bare)
                        && !parts.unknown.contains(&part)
                }
            };
            (is_known && !is_several).then(|| vec![None; count])
        };
        rules.operands.iter().map(group).collect()
    }

    /// Returns the types of all results that a table says are theirs.
    fn results_by_syntax(&mut self, def: &OperationDef, parts: &Parts) -> Option<Vec<Option<Type>>> {
        if !matches!(def.form, Form::Table(Level::Names | Level::Exact)) {
            return None;
        }
        let has = |id: &&NodeId, flag: u8| self.node(**id).flags & flag != 0;
        if let Some(function) = parts.types.iter().find(|id| has(id, flags::SEVERAL)) {
            return self.function_types_of(*function).map(|(_, results)| results);
        }
        let of_results: Vec<NodeId> = parts.types.iter().filter(|id| has(id, flags::ALL)).copied().collect();
        (!of_results.is_empty()).then(|| of_results.into_iter().map(|id| self.read_type(id)).collect())
    }

    /// Adds the types that a table says are those of an operand or result.
    fn add_types_by_syntax(
        &mut self,
        def: &OperationDef,
        rules: &OperationRules,
        parts: &Parts,
        instance: &mut Instance,
    ) {
        if !matches!(def.form, Form::Table(Level::Names | Level::Exact)) {
            return;
        }
        let operands = rules.operands.iter().zip(&mut instance.operands);
        for (rule, group) in operands.chain(rules.results.iter().zip(&mut instance.results)) {
            let part = def.part(&rule.name);
            let is_own = |id: &&NodeId| part.is_some_and(|part| self.node(**id).data == part);
            let own: Vec<NodeId> = parts.types.iter().filter(is_own).copied().collect();
            if own.is_empty() {
                continue;
            }
            let types: Vec<Option<Type>> = own.iter().map(|id| self.read_type(*id)).collect();
            let is_counted = group.as_ref().is_none_or(|group| group.len() == types.len());
            if is_counted && (rule.count != Count::One || types.len() == 1) {
                *group = Some(types);
            }
        }
    }

    /// Adds types that follow from others.
    pub(super) fn infer(&self, rules: &OperationRules, instance: &mut Instance) {
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

    pub(super) fn source_type(&self, source: &Source, instance: &Instance) -> Option<Type> {
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
    pub(super) fn check_class(&mut self, def: &OperationDef, node: Node, ty: &Type) {
        let entity = def.grammar.as_ref().and_then(|grammar| grammar.entities.get(node.data as usize));
        let Some(Class::Type(class)) = entity.map(|entity| &entity.type_class) else { return };
        let Some(name) = builtin_name(class) else { return };
        if self.checker.judge.classes().is_type(ty, class) == Some(false) {
            self.fault_of_operation(
                node.first,
                format!(
                    "custom op '{}' invalid kind of type specified: expected {name}, but found '{ty}'",
                    def.name
                ),
            );
        }
    }

    pub(super) fn function_types_of(&mut self, id: NodeId) -> Option<Signature> {
        self.function_types(&Parts { types: vec![id], ..Parts::default() })
    }

    /// Returns the number of operands of each part, as far as the text shows it.
    pub(super) fn operand_counts(
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
    pub(super) fn types_of_nodes(
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
    pub(super) fn complete(
        &self,
        parts: &Parts,
        def: &OperationDef,
        rules: &OperationRules,
        instance: &mut Instance,
    ) {
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
}

/// The types that the text gives.
#[derive(Default)]
struct TypeLists {
    all: Vec<(Typed, Vec<Option<Type>>)>,
    is_unknown: bool,
}

impl TypeLists {
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
pub(super) fn separate(cursor: &mut Cursor<'_>) -> Reading<Vec<Option<Type>>> {
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
