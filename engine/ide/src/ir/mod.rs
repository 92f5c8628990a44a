//! The editor features for IR (`.mlir`), by the definitions of the workspace and of its library.
//!
//! | module | provides |
//! | --- | --- |
//! | `names` | definitions, references and renaming of values, blocks, symbols and aliases; ways to `.td` |
//! | `explain` | hover, signature, types in place |
//! | `structure` | symbols, folds, selections, semantic tokens |
//! | `completion` | completion |

pub(crate) mod completion;
pub(crate) mod explain;
pub(crate) mod names;
pub(crate) mod structure;

use std::{collections::BTreeMap, ops::Range, rc::Rc, sync::Arc};

use odsmith_engine::{
    ir::{
        Checker, Definitions, Ir, Names, NodeId, NodeKind, TokenKind, ValueTypes, syntax::Table, tree::Node,
    },
    ods::{AttrOrTypeDef, DefKind, Operation},
    record::{Rec, Records},
    report::Finding,
};

use crate::{
    document::{Document, FileRange},
    problems::{MOST_PROBLEMS, Origin, Problem},
    workspace::Workspace,
};

/// Returns true if a file has IR.
#[must_use]
pub fn is_ir(path: &str) -> bool {
    path.ends_with(".mlir")
}

/// The definitions that texts are read by: those of the roots, and those of the library.
#[derive(Debug)]
pub struct IrDefinitions {
    checker: Checker,
    places: BTreeMap<DefinitionKey, FileRange>,
}

/// The name of a definition: an operation's full name, or dialect and mnemonic.
type DefinitionKey = (DefinitionSpace, Box<str>);

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DefinitionSpace {
    Operation,
    Type,
    Attribute,
}

impl IrDefinitions {
    /// Collects the definitions of a workspace's roots and of a library's, whose files are below `root`. Of several
    /// definitions of a name the first one counts. `syntax` is that of the project's hand-written parsers.
    pub(crate) fn new(own: &[Arc<Records>], of_library: &[Arc<Records>], root: &str, syntax: Table) -> Self {
        let records: Vec<&Records> = own.iter().chain(of_library).map(|records| &**records).collect();
        let mut places = BTreeMap::new();
        for (index, records) in records.iter().enumerate() {
            let below = if index < own.len() { None } else { Some(root) };
            let mut add = |key: DefinitionKey, rec: Rec<'_>| {
                if let Some(place) = place_of(rec, below) {
                    places.entry(key).or_insert(place);
                }
            };
            for rec in records.derived("Op") {
                if let Ok(name) = Operation::name_of(rec) {
                    add((DefinitionSpace::Operation, name.into()), rec);
                }
            }
            for kind in DefKind::ALL {
                for rec in records.derived(kind.class()) {
                    let Some(def) = AttrOrTypeDef::lenient(rec, kind) else { continue };
                    let Some(mnemonic) = def.mnemonic() else { continue };
                    let space = match kind {
                        DefKind::Type => DefinitionSpace::Type,
                        DefKind::Attribute => DefinitionSpace::Attribute,
                    };
                    add((space, format!("{}.{mnemonic}", def.dialect().name()).into()), rec);
                }
            }
        }
        IrDefinitions { checker: Checker::with_syntax(&records, syntax), places }
    }

    /// Returns the place of the name of a definition.
    pub(crate) fn place(&self, space: DefinitionSpace, name: &str) -> Option<&FileRange> {
        self.places.get(&(space, name.into()))
    }

    fn definitions(&self) -> &Definitions {
        self.checker.definitions()
    }
}

/// Returns the place of a record's name. Files of a library's roots have paths below its own root.
fn place_of(rec: Rec<'_>, below: Option<&str>) -> Option<FileRange> {
    let sources = rec.records().sources();
    let span = *rec.record().spans.first()?;
    let buffer = sources.buffer_of(span)?;
    let start = (span.0.checked_sub(buffer.start)? as usize).min(buffer.text.len());
    let length = odsmith_engine::syntax::token_length(&buffer.text[start..]);
    let path = odsmith_engine::bundle::normalise(&buffer.name).unwrap_or_else(|| buffer.name.to_string());
    let path = match below {
        Some(root) if !path.starts_with('<') => format!("{root}/{path}"),
        _ => path,
    };
    Some(FileRange { path, range: start..start + length })
}

/// A text that was read.
#[derive(Debug)]
pub struct IrText {
    pub(crate) document: Rc<Document>,
    pub(crate) definitions: Rc<IrDefinitions>,
    pub(crate) ir: Ir,
}

impl IrText {
    pub(crate) fn new(document: Rc<Document>, definitions: Rc<IrDefinitions>) -> Self {
        let ir = definitions.checker.read(&document.text);
        IrText { document, definitions, ir }
    }

    pub(crate) fn text(&self) -> &str {
        &self.document.text
    }

    pub(crate) fn names(&self) -> Names<'_> {
        Names::new(&self.ir, &self.document.text, self.definitions.definitions())
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.ir.tree.node(id)
    }

    /// Returns the bytes of a node.
    pub(crate) fn range(&self, id: NodeId) -> Range<usize> {
        let Node { first, end, .. } = self.node(id);
        let start = self.ir.tokens.start(first);
        start..self.ir.tokens.range(end.saturating_sub(1)).end.max(start)
    }

    /// Returns the token at an offset, or the one that ends there.
    pub(crate) fn token_at(&self, offset: usize) -> Option<u32> {
        let token = self.ir.tokens.at_byte(offset);
        let touches = |token: &u32| {
            let range = self.ir.tokens.range(*token);
            range.start <= offset && offset <= range.end && !range.is_empty()
        };
        let is_word = |token: &u32| {
            use TokenKind as T;
            matches!(
                self.ir.tokens.kind(*token),
                T::Word | T::Value | T::Block | T::Attribute | T::Type | T::Symbol | T::String | T::Integer
            )
        };
        let near = [Some(token), token.checked_sub(1)].into_iter().flatten().filter(touches);
        near.clone().find(is_word).or_else(|| near.clone().next())
    }

    /// Returns the nodes around a token, the innermost last.
    pub(crate) fn path_to(&self, token: u32) -> Vec<NodeId> {
        let mut path = vec![self.ir.tree.root()];
        while let Some(last) = path.last().copied() {
            let holds = |id: &NodeId| {
                let Node { first, end, .. } = self.node(*id);
                first <= token && token < end
            };
            match self.ir.tree.children(last).find(holds) {
                Some(child) => path.push(child),
                None => break,
            }
        }
        path
    }

    /// Returns the definitions of aliases, each with its name.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = (&str, NodeId)> {
        let definitions = self.ir.tree.ids().filter(|id| self.node(*id).kind == NodeKind::AliasDefinition);
        definitions.map(|id| (&self.text()[self.ir.tokens.range(self.node(id).first)], id))
    }

    /// Returns the types of all values.
    pub(crate) fn value_types(&self) -> ValueTypes {
        self.definitions.checker.value_types(self.text(), &self.ir)
    }

    /// Returns the types of the values of a name as text, if all are known.
    pub(crate) fn types_of(&self, types: &ValueTypes, value: NodeId) -> Option<String> {
        let types = types.get(&self.node(value).first).filter(|types| !types.is_empty())?;
        let types: Option<Vec<String>> = types.iter().map(|ty| Some(ty.as_ref()?.to_string())).collect();
        Some(types?.join(", "))
    }

    /// Returns the full name of an operation.
    pub(crate) fn operation_name(&self, operation: NodeId) -> Option<&str> {
        let node = self.node(operation);
        if let Some(def) = self.definitions.definitions().get(u32::from(node.data)) {
            return Some(&def.name);
        }
        let name = self.ir.tree.child(operation, NodeKind::Name)?;
        Some(self.text()[self.range(name)].trim_matches('"'))
    }
}

/// Returns the problems of a file. They are true once the library's roots are there.
#[must_use]
pub fn problems(workspace: &Workspace, path: &str) -> Vec<Problem> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let faults = text.definitions.checker.faults(text.text(), &text.ir);
    let problem = |fault: odsmith_engine::ir::Fault| Problem {
        finding: Finding { message: fault.message, ..Finding::default() },
        place: Some(text.document.place(fault.range)),
        related: Vec::new(),
        origin: Origin::Model,
    };
    faults.into_iter().take(MOST_PROBLEMS).map(problem).collect()
}
