//! The grammar as text: `` `arith.cmpi` predicate `,` %lhs `,` %rhs attr-dict? `:` type(%lhs) ``.
//!
//! Literals are in backquotes, `x?` is optional, `x, …` is a list with commas, `a | b` a choice and `( … )*` any of
//! the alternatives in any order.

use std::borrow::Cow;

use super::tree::{Node, Role, Term};
use crate::view::Token;

/// The length beyond which groups get lines of their own.
const LINE: usize = 76;

/// The tokens of a grammar; each term links to its explanation.
#[must_use]
pub fn tokens(node: &Node) -> Vec<Token> {
    let mut writer = Writer::default();
    writer.node(node);
    let length: usize = writer.out.iter().map(|token| token.text.chars().count()).sum();
    if length > LINE {
        writer = Writer { is_long: true, ..Writer::default() };
        writer.node(node);
    }
    writer.out
}

#[derive(Default)]
struct Writer {
    out: Vec<Token>,
    is_long: bool,
    depth: usize,
}

impl Writer {
    fn push(&mut self, role: &'static str, text: impl Into<Cow<'static, str>>) {
        let text = text.into();
        // Adjacent plain texts are merged.
        if let Some(last) = self.out.last_mut().filter(|last| role == "plain" && last.role == "plain") {
            last.text.to_mut().push_str(&text);
        } else {
            self.out.push(Token { role, text, href: None, record: None });
        }
    }

    fn line(&mut self) {
        if let Some(last) = self.out.last_mut().filter(|last| last.role == "plain") {
            let length = last.text.trim_end_matches(' ').len();
            if length < last.text.len() {
                last.text.to_mut().truncate(length);
            }
        }
        self.push("plain", format!("\n{}", "  ".repeat(self.depth)));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Literal(text) => self.push("literal", format!("`{text}`")),
            Node::Name(text) => self.push("name", format!("`{text}`")),
            Node::Term(term) => self.term(term),
            Node::Sequence(nodes) => self.sequence(nodes),
            Node::Optional(inner) => {
                let is_group = match &**inner {
                    Node::Sequence(_) | Node::Choice(_) | Node::List(_) => true,
                    Node::Term(term) => term.is_list,
                    _ => false,
                };
                if !is_group {
                    self.node(inner);
                    self.push("plain", "?");
                    return;
                }
                self.push("plain", "(");
                self.nested(inner);
                self.push("plain", ")?");
            }
            Node::Choice(nodes) => {
                self.push("plain", "(");
                self.alternatives(nodes, false);
                self.push("plain", ")");
            }
            Node::AnyOrder(nodes) => {
                self.push("plain", "(");
                self.alternatives(nodes, self.is_long);
                self.push("plain", ")*");
            }
            Node::List(inner) => {
                self.node(inner);
                self.push("plain", ", …");
            }
        }
    }

    /// Writes a group, whose lines are not broken.
    fn nested(&mut self, node: &Node) {
        self.depth += 1;
        let is_long = std::mem::take(&mut self.is_long);
        self.node(node);
        self.is_long = is_long;
        self.depth -= 1;
    }

    fn alternatives(&mut self, nodes: &[Node], has_lines: bool) {
        for (index, node) in nodes.iter().enumerate() {
            if index > 0 && has_lines {
                self.line();
                self.push("plain", "| ");
            } else if index > 0 {
                self.push("plain", " | ");
            }
            self.nested(node);
        }
    }

    fn sequence(&mut self, nodes: &[Node]) {
        for (index, node) in nodes.iter().enumerate() {
            let is_group = matches!(node, Node::Optional(inner) if matches!(**inner, Node::Sequence(_)))
                || matches!(node, Node::Choice(_) | Node::AnyOrder(_) | Node::List(_));
            if index > 0 && self.is_long && is_group {
                self.depth += 1;
                self.line();
                self.node(node);
                self.depth -= 1;
                continue;
            }
            if index > 0 {
                self.push("plain", " ");
            }
            self.node(node);
        }
    }

    fn term(&mut self, term: &Term) {
        if term.role != Role::Custom {
            self.out.push(Token {
                role: term.role.class(),
                text: term.text.clone().into(),
                href: term.href.clone(),
                record: None,
            });
            if term.is_list {
                self.push("plain", ", …");
            }
            return;
        }
        self.push("directive", format!("custom<{}>", term.text));
        self.push("plain", "(");
        for (index, parameter) in term.parameters.iter().enumerate() {
            if index > 0 {
                self.push("plain", ", ");
            }
            let role = parameter.role.class();
            self.out.push(Token {
                role,
                text: parameter.text.clone().into(),
                href: parameter.href.clone(),
                record: None,
            });
        }
        self.push("plain", ")");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str) -> Node {
        let text = text.to_owned();
        Node::Term(Term { role: Role::Operand, text, href: None, is_list: false, parameters: Vec::new() })
    }

    fn check(node: &Node, expected: &str) {
        let text: String = tokens(node).iter().map(|token| &*token.text).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn optional_parts_are_visible() {
        let keyword = Node::Literal("in".to_owned());
        let group = Node::Optional(Box::new(Node::Sequence(vec![keyword.clone(), term("%b")])));
        let all =
            vec![Node::Name("d.op".to_owned()), term("%a"), group, Node::Optional(Box::new(term("%c")))];
        check(&Node::Sequence(all), "`d.op` %a (`in` %b)? %c?");
        check(&Node::AnyOrder(vec![keyword.clone(), term("%x")]), "(`in` | %x)*");
        let choice = Node::Choice(vec![keyword, term("%x")]);
        check(&choice, "(`in` | %x)");
        check(&Node::Optional(Box::new(Node::List(Box::new(choice)))), "((`in` | %x), …)?");
    }

    #[test]
    fn a_long_grammar_has_its_groups_on_lines() {
        let group = |name: &str| {
            let keyword = Node::Literal(name.repeat(20));
            Node::Optional(Box::new(Node::Sequence(vec![keyword, term("%b")])))
        };
        let all = Node::Sequence(vec![Node::Name("d.op".to_owned()), group("a"), group("b"), group("c")]);
        let text: String = tokens(&all).iter().map(|token| &*token.text).collect();
        assert_eq!(text.lines().count(), 4);
        assert!(text.lines().skip(1).all(|line| line.starts_with("  (`")), "{text}");
    }
}
