//! Checks of a text by the definitions of its dialects.
//!
//! Each check states what it needs; if one of these is unknown, it is silent. One cause has one error: an operation with
//! a syntax error gets no further one.
//!
//! | file | what |
//! | --- | --- |
//! | `rules` | the rules of operations, collected once |
//! | `walk` | the order in which a text is looked at |
//! | `names` | aliases, operations, symbols |
//! | `scopes`, `values` | visible values, their definitions and uses |
//! | `parts` | the types and attributes of an operation's parts |
//! | `structure` | counts, regions, blocks, the operations around |
//! | `verify` | constraints, predicates, traits on types |
//! | `accept` | answers about examples |

mod accept;
mod names;
mod parts;
mod rules;
mod scopes;
mod structure;
mod values;
mod verify;
mod walk;

use std::ops::Range;

use odsmith_conditions::{Judge, Type};
use odsmith_report::Finding;
use odsmith_tablegen::{diagnostic::Diagnostic, record::Records, source::Sources, span::Span};
use rustc_hash::FxHashMap;

use crate::{
    cursor::{Limits, SyntaxError},
    definitions::{Definitions, Form},
    file::{self, Ir},
    syntax::Table,
    tree::{NodeKind, flags},
};
use rules::Rules;
use walk::Walk;

/// Checks texts by the definitions of some roots.
#[derive(Debug)]
pub struct Checker {
    definitions: Definitions,
    rules: Rules,
    judge: Judge,
    limits: Limits,
    /// The syntax that the project states.
    own: Table,
}

/// The types of the values of names, by the tokens that define them; a type is nothing if it is not known.
pub type ValueTypes = FxHashMap<u32, Vec<Option<Type>>>;

/// Text that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its bytes.
    pub range: Range<usize>,
    /// The message, in the words of the release.
    pub message: String,
}

impl Checker {
    /// Creates a checker that knows the definitions of these roots. Of several definitions of a name the first one counts.
    #[must_use]
    pub fn new(roots: &[&Records]) -> Self {
        Checker::with_syntax(roots, Table::default())
    }

    /// Creates a checker that also knows the syntax of some hand-written parsers of a project, which comes before MLIR's.
    #[must_use]
    pub fn with_syntax(roots: &[&Records], own: Table) -> Self {
        let definitions = Definitions::of_records(roots.iter().copied(), own.of_project());
        let judge = Judge::new(roots);
        let rules = Rules::new(roots, &definitions, &judge);
        Checker { definitions, rules, judge, limits: Limits::default(), own }
    }

    /// Returns the definitions.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Reads a text.
    #[must_use]
    pub fn read(&self, text: &str) -> Ir {
        file::read(text, &self.definitions, &self.limits)
    }

    /// Returns the faults of a text, in its order.
    #[must_use]
    pub fn faults(&self, text: &str, ir: &Ir) -> Vec<Fault> {
        let of_syntax = ir
            .errors
            .iter()
            .map(|error| Fault { range: place(ir, text, error), message: error.message.to_string() });
        let mut faults: Vec<Fault> = of_syntax.collect();
        faults.extend(Walk::new(self, text, ir).run().0);
        faults.sort_by_key(|fault| fault.range.start);
        faults
    }

    /// Returns the types of the values that a text defines, as far as they are known.
    #[must_use]
    pub fn value_types(&self, text: &str, ir: &Ir) -> ValueTypes {
        let walk = Walk { values: Some(ValueTypes::default()), ..Walk::new(self, text, ir) };
        walk.run().1.unwrap_or_default()
    }
}

/// The most findings of a file.
const MOST_FINDINGS: usize = 1000;

impl Checker {
    /// Returns the faults of the text of a file as findings, and a warning for each operation that the project's own syntax
    /// does not read.
    #[must_use]
    pub fn findings(&self, path: &str, text: &str, ir: &Ir) -> Vec<Finding> {
        let faults = self.faults(text, ir);
        let unread = self.unread(ir);
        if faults.is_empty() && unread.is_empty() {
            return Vec::new();
        }
        let mut sources = Sources::default();
        sources.add(path.into(), text.as_bytes(), Span::NONE);
        let at = |fault: &Fault| Span(0).plus(fault.range.start);
        let mut all: Vec<(usize, Diagnostic)> = Vec::new();
        all.extend(faults.into_iter().map(|it| (it.range.start, Diagnostic::error(at(&it), it.message))));
        all.extend(unread.into_iter().map(|it| (it.range.start, Diagnostic::warning(at(&it), it.message))));
        all.sort_by_key(|(start, _)| *start);
        let left_out = all.len().saturating_sub(MOST_FINDINGS);
        all.truncate(MOST_FINDINGS);
        if let Some((start, _)) = all.last().filter(|_| left_out > 0) {
            let message = format!("{left_out} further faults of this file are not listed");
            all.push((*start, Diagnostic::warning(Span(0).plus(*start), message)));
        }
        all.iter().map(|(_, diagnostic)| Finding::new(diagnostic, &sources)).collect()
    }

    /// Returns the operations that the project's own syntax does not read to their end.
    fn unread(&self, ir: &Ir) -> Vec<Fault> {
        let mut unread = Vec::new();
        if self.own.is_empty() {
            return unread;
        }
        for id in ir.tree.ids() {
            let node = ir.tree.node(id);
            if node.kind != NodeKind::Operation || node.flags & flags::OPAQUE == 0 {
                continue;
            }
            let Some(name) = ir.tree.child(id, NodeKind::Name) else { continue };
            let Some(def) = self.definitions.get(u32::from(node.data)) else { continue };
            if matches!(def.form, Form::Table(_)) && self.own.has(&def.name) {
                let message =
                    format!("the [syntax] of '{}' does not read this, so that it is skipped", def.name);
                unread.push(Fault { range: ir.tokens.range(ir.tree.node(name).first), message });
            }
        }
        unread
    }
}

/// Returns the bytes of a syntax error; of something that is missing after the text there are none.
fn place(ir: &Ir, text: &str, error: &SyntaxError) -> Range<usize> {
    let start = error.offset(&ir.tokens, text);
    let token = ir.tokens.range(error.token);
    if start == token.start { token } else { start..start }
}
