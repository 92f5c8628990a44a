//! The answers of definitions about an example: whether a text, or types for the parts of an operation, are accepted.
//!
//! "Yes" needs that all of the example is understood, and "no" a fault.

use odsmith_conditions::{Attr, Env, Type, Value, Witness};
use odsmith_ods::DefKind;

use super::{
    Checker, ValueTypes,
    rules::{Count, OperationRules, ValueRule},
    verify::{self, Group, Instance},
};
use crate::{
    attributes,
    cursor::{Cursor, Reading},
    file::Ir,
    lexer::{TokenKind, Tokens},
    print::{Target, print},
    tree::{NO_DATA, NodeId, NodeKind, flags},
    types,
};

/// The text for parameters that are not known: `!my.buffer<…>`.
const ANY_PARAMETERS: &str = "<…>";

impl Checker {
    /// Returns whether a text is accepted, by its syntax and by the rules of its operations.
    #[must_use]
    pub fn accepts(&self, text: &str) -> Witness {
        let ir = self.read(text);
        if !self.faults(text, &ir).is_empty() {
            return Witness::No;
        }
        if self.is_understood(&ir) { Witness::Yes } else { Witness::Unknown }
    }

    /// Returns whether the syntax of a text is accepted, whatever its values and types are, and the text in generic form.
    #[must_use]
    pub fn accepts_syntax(&self, text: &str) -> (Witness, String) {
        let ir = self.read(text);
        if !ir.errors.is_empty() {
            return (Witness::No, String::new());
        }
        let generic = print(&ir, text, &self.definitions, &ValueTypes::default(), Target::Generic).text;
        (if self.is_understood(&ir) { Witness::Yes } else { Witness::Unknown }, generic)
    }

    fn is_understood(&self, ir: &Ir) -> bool {
        ir.tree.ids().all(|id| is_known(ir, id))
    }

    /// Returns whether a text has operations of a dialect, and each of them is understood.
    #[must_use]
    pub fn understands(&self, dialect: &str, ir: &Ir) -> bool {
        let name = |id| self.definitions.get(u32::from(ir.tree.node(id).data)).map(|def| &*def.name);
        let is_own = |id: &NodeId| {
            let rest = name(*id).and_then(|name| name.strip_prefix(dialect));
            ir.tree.node(*id).kind == NodeKind::Operation && rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let mut own = ir.tree.ids().filter(is_own).peekable();
        own.peek().is_some() && own.all(|id| is_known(ir, id))
    }

    /// Returns whether the rules of an operation accept these types and attributes for these parts, whatever the others are.
    #[must_use]
    pub fn accepts_parts(&self, operation: &str, parts: &[(&str, &str)]) -> Witness {
        let index = self.definitions.operation(operation).and_then(|index| u16::try_from(index).ok());
        let Some(rules) = index.and_then(|index| self.rules.get(index)) else { return Witness::Unknown };
        let mut instance = Instance {
            operands: rules.operands.iter().map(unknown).collect(),
            results: rules.results.iter().map(unknown).collect(),
            ..Instance::default()
        };
        let mut answer = Witness::Yes;
        for (name, text) in parts {
            answer = answer.and(self.accepts_part(rules, &mut instance, name, text));
        }
        if answer == Witness::Yes {
            let message = verify::message(rules, &instance, &self.judge);
            if message.or_else(|| verify::trait_message(rules, &instance)).is_some() {
                return Witness::No;
            }
        }
        answer
    }

    /// Tests one part, and adds it to the others.
    fn accepts_part(
        &self,
        rules: &OperationRules,
        instance: &mut Instance,
        name: &str,
        text: &str,
    ) -> Witness {
        for (rules, groups) in
            [(&rules.operands, &mut instance.operands), (&rules.results, &mut instance.results)]
        {
            let Some(at) = rules.iter().position(|rule| rule.name == name) else { continue };
            let Some(ty) = self.type_of_text(text) else { return Witness::Unknown };
            if let Some(group) = groups.get_mut(at) {
                *group = Some(vec![Some(ty.clone())]);
            }
            let value = Value::Type(ty);
            let condition = rules[at].condition.as_ref();
            return condition
                .map_or(Witness::Yes, |condition| self.judge.holds(condition, &Env::of_self(&value)));
        }
        let Some(rule) = rules.attribute(name) else { return Witness::Unknown };
        let Some(attr) = self.attribute_of_text(text, rule.ty.as_ref()) else { return Witness::Unknown };
        instance.attributes.push((name.to_owned(), Some(attr.clone())));
        let value = Value::Attr(attr);
        let condition = rule.condition.as_ref();
        condition.map_or(Witness::Yes, |condition| self.judge.holds(condition, &Env::of_self(&value)))
    }

    fn type_of_text(&self, text: &str) -> Option<Type> {
        match self.class_of_text(DefKind::Type, text) {
            Some(class) => Some(Type::def(class, text)),
            None => self.whole(text, types::ty),
        }
    }

    fn attribute_of_text(&self, text: &str, ty: Option<&Type>) -> Option<Attr> {
        if let Some(class) = self.class_of_text(DefKind::Attribute, text) {
            return Some(Attr::def(&class, text));
        }
        self.whole(text, attributes::value).or_else(|| {
            let ty = ty?;
            self.whole(text, |cursor| attributes::value_of(cursor, ty))
        })
    }

    /// Returns the class of a dialect's own type or attribute, whatever its parameters are.
    fn class_of_text(&self, kind: DefKind, text: &str) -> Option<String> {
        let name = text.trim_start_matches(['!', '#']).strip_suffix(ANY_PARAMETERS)?;
        let (dialect, mnemonic) = name.split_once('.')?;
        Some(self.definitions.parameters(kind, dialect, mnemonic)?.class.to_string())
    }

    fn whole<R>(&self, text: &str, read: impl FnOnce(&mut Cursor<'_>) -> Reading<Option<R>>) -> Option<R> {
        let tokens = Tokens::new(text);
        let mut cursor = Cursor::new(text, &tokens, &self.definitions, &self.limits);
        let value = read(&mut cursor).ok().flatten()?;
        (cursor.peek() == TokenKind::End && cursor.errors.is_empty()).then_some(value)
    }
}

/// Returns whether a node is no operation, or one that is understood.
fn is_known(ir: &Ir, id: NodeId) -> bool {
    let node = ir.tree.node(id);
    node.kind != NodeKind::Operation
        || node.flags & (flags::OPAQUE | flags::ERROR) == 0
            && (node.data != NO_DATA || node.flags & flags::GENERIC != 0)
}

/// Returns the values of a part whose types are not known.
fn unknown(rule: &ValueRule) -> Group {
    (rule.count == Count::One).then(|| vec![None])
}
