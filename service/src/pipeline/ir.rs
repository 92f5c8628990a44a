//! IR (`.mlir`), read and checked by the definitions of a release and of a project.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    ir::{
        Checker, Definitions, Ir, NodeKind,
        parse::Parse,
        print::{Target, print},
        syntax::Table,
        tree::{NO_DATA, Node, NodeId, flags},
    },
    library::Library,
    record::Records,
    report::Finding,
};
use serde::Serialize;

use super::{generate::Request, library::Libraries};

/// The definitions that texts are read by.
pub struct Dialects {
    checker: Checker,
}

/// Returns MLIR's own definitions, as the files of a project. LLVM's are not dialects.
#[must_use]
pub fn library_bundle(library: &Library) -> Bundle {
    let mut bundle = Bundle::default();
    for (path, bytes) in library.files().filter(|(path, _)| path.starts_with("mlir/")) {
        bundle.insert(path, bytes.clone());
    }
    bundle
}

/// Creates the request for the records of all roots of some files.
///
/// # Errors
/// The manifest is wrong, or there is no library of the release.
pub fn request_for_records(
    libraries: &Libraries,
    bundle: Bundle,
    mlir: Option<String>,
) -> Result<Request, String> {
    let request = Request::new(libraries, bundle, None, |manifest| {
        manifest.mlir = mlir.or(manifest.mlir.take());
        manifest.make_nothing();
        Ok(())
    })?;
    Ok(Request { keeps_records: true, is_brief: true, ..request })
}

/// Creates the request for the records of all roots of a library.
///
/// # Errors
/// The library is none of these.
pub fn request_for_library(libraries: &Libraries, library: &Library) -> Result<Request, String> {
    let release = library.release().name().to_owned();
    request_for_records(libraries, library_bundle(library), Some(release))
}

/// A text that was read.
pub struct IrText {
    text: String,
    ir: Ir,
}

/// An operation of a text: name, line, column, form, nesting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperationEntry {
    /// The full name, or the written one if it is not known.
    pub name: String,
    /// The line of the name.
    pub line: u32,
    /// The column of the name, in bytes.
    pub column: u32,
    /// `custom`, `generic` or `opaque`.
    pub form: &'static str,
    /// The number of operations around it.
    pub depth: u32,
}

impl Dialects {
    /// Indexes the definitions of these roots, and the syntax of a project's hand-written parsers. Of several definitions of a
    /// name the first one counts.
    #[must_use]
    pub fn new(roots: &[Arc<Records>], syntax: Table) -> Dialects {
        let roots: Vec<&Records> = roots.iter().map(|records| &**records).collect();
        Dialects { checker: Checker::with_syntax(&roots, syntax) }
    }

    /// Returns the definitions.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        self.checker.definitions()
    }

    /// Reads a text.
    #[must_use]
    pub fn read(&self, text: String) -> IrText {
        let ir = self.checker.read(&text);
        IrText { text, ir }
    }

    /// Returns the faults of a text as findings of a file.
    #[must_use]
    pub fn findings(&self, path: &str, read: &IrText) -> Vec<Finding> {
        self.checker.findings(path, &read.text, &read.ir)
    }

    /// Returns the operations of a text, in its order.
    #[must_use]
    pub fn operations(&self, read: &IrText) -> Vec<OperationEntry> {
        let IrText { text, ir } = read;
        let lines = Lines::new(text);
        let mut open: Vec<u32> = Vec::new();
        let mut all = Vec::new();
        for id in ir.tree.ids() {
            if ir.tree.node(id).kind != NodeKind::Operation {
                continue;
            }
            open.retain(|end| *end > id.0);
            let depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
            open.push(ir.tree.inside(id).end);
            let Some((name, form)) = self.name_and_form(read, id) else { continue };
            let Some(node) = ir.tree.child(id, NodeKind::Name) else { continue };
            let (line, column) = lines.place(ir.tokens.range(ir.tree.node(node).first).start);
            all.push(OperationEntry { name, line, column, form, depth });
        }
        all
    }

    /// Returns the full name of an operation, or the written one if nothing defines it, and its form: `custom`, `generic` or
    /// `opaque`.
    fn name_and_form(&self, IrText { text, ir }: &IrText, id: NodeId) -> Option<(String, &'static str)> {
        let Node { data, flags: own, .. } = ir.tree.node(id);
        let name = ir.tree.child(id, NodeKind::Name)?;
        let written = text[ir.tokens.range(ir.tree.node(name).first)].trim_matches('"');
        let def = self.checker.definitions().get(u32::from(data));
        let form = if own & flags::GENERIC != 0 {
            "generic"
        } else if own & flags::OPAQUE != 0 {
            "opaque"
        } else {
            "custom"
        };
        Some((def.map_or(written, |def| &*def.name).to_owned(), form))
    }

    /// Returns the dialects that nothing defines, each with the number of its operations in a text.
    #[must_use]
    pub fn undefined_dialects(&self, read: &IrText) -> BTreeMap<String, usize> {
        let IrText { text, ir } = read;
        let mut all = BTreeMap::new();
        for id in ir.tree.ids() {
            let Node { kind, data, .. } = ir.tree.node(id);
            if kind != NodeKind::Operation || data != NO_DATA {
                continue;
            }
            let Some(name) = ir.tree.child(id, NodeKind::Name) else { continue };
            let written = text[ir.tokens.range(ir.tree.node(name).first)].trim_matches('"');
            if let Some((dialect, _)) = written.split_once('.')
                && !self.checker.definitions().has_dialect(dialect)
            {
                *all.entry(dialect.to_owned()).or_default() += 1;
            }
        }
        all
    }
}

impl Dialects {
    /// Returns a text with its operations in generic form or, if `is_custom`, in custom form, and the number of operations
    /// that stay as they are.
    #[must_use]
    pub fn rewritten(&self, read: &IrText, is_custom: bool) -> (String, usize) {
        let target = if is_custom { Target::Custom } else { Target::Generic };
        let inferred = self.checker.value_types(&read.text, &read.ir);
        let rewrite = print(&read.ir, &read.text, self.checker.definitions(), &inferred, target);
        (rewrite.text, rewrite.left.len())
    }
}

impl Dialects {
    /// Returns the parse of the operation at a byte of a text, with the operation's name and form.
    #[must_use]
    pub fn parse(&self, read: &IrText, byte: usize) -> Option<(Parse, String, &'static str)> {
        let parse = Parse::at(&read.ir, &read.text, self.checker.definitions(), byte)?;
        let (name, form) = self.name_and_form(read, parse.operation)?;
        Some((parse, name, form))
    }
}

impl IrText {
    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the tokens with the gaps before them: joined, they are the text.
    #[must_use]
    pub fn tokens(&self) -> String {
        let tokens = &self.ir.tokens;
        let mut joined = String::with_capacity(self.text.len());
        for token in 0..tokens.len() {
            joined.push_str(&self.text[tokens.gap(token)]);
            joined.push_str(&self.text[tokens.range(token)]);
        }
        joined
    }
}

/// The begins of the lines of a text.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn new(text: &str) -> Lines {
        let begins = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Lines(std::iter::once(0).chain(begins).collect())
    }

    /// Returns the line and column of a byte, both from 1.
    pub(super) fn place(&self, byte: usize) -> (u32, u32) {
        let line = self.0.partition_point(|begin| *begin <= byte);
        let begin = line.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or(0);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (number(line), number(byte - begin + 1))
    }
}
