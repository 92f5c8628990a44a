//! Functions whose custom form is a signature in the table of syntax, in generic form.
//!
//! ```text
//! func.func private @f(%a: i32 {x}) -> f32 { … }
//! "func.func"() <{sym_name = "f", sym_visibility = "private", function_type = (i32) -> f32, arg_attrs = [{x}]}> ({
//! ^bb0(%a: i32): … }) : () -> ()
//! ```

use std::fmt::Write as _;

use odsmith_interchange::grammar::Kind;

use super::{Additions, Printer, join};
use crate::{
    definitions::OperationDef,
    format::PieceKind,
    lexer::TokenKind as T,
    tree::{NodeId, NodeKind},
};

const VISIBILITIES: &[&str] = &["public", "private", "nested"];

/// A function, as far as it is read.
#[derive(Debug, Default)]
struct Function<'i> {
    inputs: Vec<&'i str>,
    input_attributes: Vec<&'i str>,
    results: Vec<&'i str>,
    result_attributes: Vec<&'i str>,
    /// The arguments of the entry block.
    arguments: Vec<String>,
    entries: Vec<(&'i str, &'i str)>,
    body: Option<NodeId>,
    location: &'i str,
}

impl<'i> Printer<'i> {
    /// Returns a function in generic form, if its syntax is a name and a signature, and all of it is known.
    pub(super) fn function(&mut self, id: NodeId, def: &OperationDef) -> Option<String> {
        if !is_function(def) {
            return None;
        }
        let symbol = self.ir.tree.child(id, NodeKind::SymbolName)?;
        let mut attributes = vec![("sym_name", quoted(self.text_of(symbol)))];
        let name = self.ir.tree.node(self.ir.tree.child(id, NodeKind::Name)?);
        match self.slice(name.end, self.ir.tree.node(symbol).first) {
            "" => {}
            word if VISIBILITIES.contains(&word) => {
                attributes.push(("sym_visibility", format!("\"{word}\"")));
            }
            _ => return None,
        }
        let function = self.signature(id)?;
        let mut ty = "(".to_owned();
        join(&mut ty, function.inputs.iter());
        ty.push_str(") -> ");
        match function.results.as_slice() {
            [one] if !one.starts_with('(') => ty.push_str(one),
            all => {
                ty.push('(');
                join(&mut ty, all.iter());
                ty.push(')');
            }
        }
        attributes.push(("function_type", ty));
        for (key, all) in
            [("arg_attrs", &function.input_attributes), ("res_attrs", &function.result_attributes)]
        {
            if all.iter().any(|one| *one != "{}") {
                let mut list = "[".to_owned();
                join(&mut list, all.iter());
                list.push(']');
                attributes.push((key, list));
            }
        }
        let mut discardable = Vec::new();
        for (key, value) in &function.entries {
            let name = key.trim_matches('"');
            let part = def.attribute(name).and_then(|index| def.parts.get(usize::from(index)));
            let text = if value.is_empty() { "unit" } else { value };
            match part {
                Some(part) => attributes.push((&part.name, text.to_owned())),
                None => discardable.push(format!("{key} = {text}")),
            }
        }
        if attributes.iter().any(|(key, _)| def.attribute(key).is_none()) {
            return None;
        }
        let mut out = format!("\"{}\"() <{{", def.name);
        join(&mut out, attributes.iter().map(|(key, value)| format!("{key} = {value}")));
        out.push_str("}> (");
        match function.body {
            Some(body) => {
                let mut additions = Additions::default();
                if !function.arguments.is_empty() {
                    additions.label = format!("\n{}(", self.entry_label);
                    join(&mut additions.label, function.arguments.iter());
                    additions.label.push_str("):");
                }
                self.region(body, &additions, &mut out);
            }
            None => out.push_str("{}"),
        }
        out.push(')');
        if !discardable.is_empty() {
            out.push_str(" {");
            join(&mut out, discardable.iter());
            out.push('}');
        }
        let _ = write!(out, " : () -> (){}", function.location);
        Some(out)
    }

    /// Returns the parts of a function; nothing if one of them is not understood.
    fn signature(&self, id: NodeId) -> Option<Function<'i>> {
        let mut function = Function::default();
        for child in self.ir.tree.children(id) {
            let node = self.ir.tree.node(child);
            match node.kind {
                NodeKind::Name | NodeKind::SymbolName => {}
                NodeKind::BlockArgument => {
                    let ty = self.text_of(self.ir.tree.child(child, NodeKind::Type)?);
                    let attributes = self.ir.tree.child(child, NodeKind::Dictionary);
                    function.inputs.push(ty);
                    function.input_attributes.push(attributes.map_or("{}", |node| self.text_of(node)));
                    if self.ir.tokens.kind(node.first) == T::Value {
                        let name = self.slice(node.first, node.first + 1);
                        let location = self.ir.tree.child(child, NodeKind::Location);
                        let location = location.map_or("", |node| self.text_of(node));
                        function.arguments.push(format!("{name}: {ty} {location}").trim_end().to_owned());
                    }
                }
                NodeKind::Type => {
                    function.results.push(self.text_of(child));
                    function.result_attributes.push("{}");
                }
                NodeKind::Dictionary => {
                    let before = self.slice(node.first.saturating_sub(1), node.first);
                    match function.result_attributes.last_mut().filter(|_| before != "attributes") {
                        Some(last) => *last = self.text_of(child),
                        None => function.entries.extend(
                            self.ir.tree.children_of(child, NodeKind::Entry).map(|entry| self.entry(entry)),
                        ),
                    }
                }
                NodeKind::Region => function.body = Some(child),
                NodeKind::Location => function.location = self.text_of(child),
                _ => return None,
            }
        }
        // A list that is open (`...`) has no node.
        let node = self.ir.tree.node(id);
        let end = function.body.map_or(node.end, |body| self.ir.tree.node(body).first);
        let is_open = (node.first..end).any(|token| self.ir.tokens.kind(token) == T::Ellipsis);
        let is_named = function.body.is_none() || function.arguments.len() == function.inputs.len();
        (!is_open && is_named).then_some(function)
    }
}

/// Returns true if a form of the table is a visibility, a name, a signature, attributes and a body.
fn is_function(def: &OperationDef) -> bool {
    let Some(program) = &def.program else { return false };
    let has_signature = program.pieces().any(|piece| piece.kind == PieceKind::Signature);
    let is_plain = program.pieces().all(|piece| match &piece.kind {
        PieceKind::Literal(word) => VISIBILITIES.contains(&&**word) || &**word == "attributes",
        PieceKind::SymbolPath | PieceKind::Signature | PieceKind::Dictionary | PieceKind::Region => true,
        _ => false,
    });
    let counts = [Kind::Operand, Kind::Result, Kind::Region].map(|kind| def.parts_of(kind).count());
    has_signature && is_plain && counts == [0, 0, 1]
}

/// Returns the name of a symbol as a text in quotes.
fn quoted(symbol: &str) -> String {
    let name = symbol.trim_start_matches('@');
    if name.starts_with('"') { name.to_owned() } else { format!("\"{name}\"") }
}
