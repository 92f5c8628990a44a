//! The analysis of a root file: its records, the definitions that its names refer to, and its messages.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, OnceLock},
};

use odsmith_engine::{
    bundle::normalise,
    diagnostic::Diagnostic,
    eval::{
        recovery::Recovered,
        trace::{Mention, Trace},
    },
    ods::Model,
    record::{Rec, RecordId, Records},
    span::Span,
    syntax::token_length,
};

use odsmith_witness::skeleton::Synthesiser;

use crate::document::FileRange;

/// A root file, evaluated with recovery.
#[derive(Debug)]
pub struct Analysis {
    /// The root.
    pub root: String,
    /// The records; those of statements that failed are missing.
    pub records: Arc<Records>,
    /// All messages of evaluation, in order.
    pub messages: Vec<Diagnostic>,
    /// The number of messages that the reference reports as well.
    pub exact: usize,
    /// True if evaluation succeeded as a whole.
    pub is_ok: bool,
    /// The files that were read, the root first.
    pub reads: Vec<String>,
    partial: HashSet<RecordId>,
    trace: Trace,
    /// The buffers of each file.
    buffers: HashMap<String, Vec<usize>>,
    by_statement: OnceLock<HashMap<Span, Vec<RecordId>>>,
    synthesiser: OnceLock<Synthesiser>,
    bounds: OnceLock<Result<(), Box<Diagnostic>>>,
}

impl Analysis {
    /// Builds the analysis from the result of an evaluation.
    #[must_use]
    pub fn new(root: &str, recovered: Recovered) -> Self {
        let Recovered { evaluated, exact, partial, trace } = recovered;
        let mut buffers: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, buffer) in evaluated.sources.buffers().enumerate() {
            buffers.entry(path_of(&buffer.name)).or_default().push(index);
        }
        Analysis {
            root: root.to_owned(),
            is_ok: evaluated.is_ok,
            reads: evaluated.reads.iter().map(|read| path_of(read)).collect(),
            messages: evaluated.diagnostics,
            records: Arc::new(Records::new(evaluated.keeper, evaluated.sources)),
            exact,
            partial: partial.into_iter().collect(),
            trace,
            buffers,
            by_statement: OnceLock::new(),
            synthesiser: OnceLock::new(),
            bounds: OnceLock::new(),
        }
    }

    /// Checks once that reading the model terminates.
    ///
    /// # Errors
    /// Something in the records would make the model recurse forever.
    pub fn check(&self) -> Result<(), &Diagnostic> {
        let check = || Model::new(&self.records).check().map_err(Box::new);
        self.bounds.get_or_init(check).as_ref().copied().map_err(|error| &**error)
    }

    /// Returns the synthesiser for examples of its operations.
    #[must_use]
    pub fn synthesiser(&self) -> &Synthesiser {
        self.synthesiser.get_or_init(|| Synthesiser::new(&[&self.records]))
    }

    /// Returns true if the root reads a file.
    #[must_use]
    pub fn reads(&self, path: &str) -> bool {
        self.buffers.contains_key(path)
    }

    /// Returns the place of the token at a span.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<FileRange> {
        let buffer = self.records.sources().buffer_of(span)?;
        let start = (span.0.checked_sub(buffer.start)? as usize).min(buffer.text.len());
        let length = token_length(&buffer.text[start..]);
        Some(FileRange { path: path_of(&buffer.name), range: start..start + length })
    }

    /// Returns the spans of an offset in a file: one for each time that the file is read.
    fn spans(&self, path: &str, offset: usize) -> impl Iterator<Item = Span> {
        let buffers = self.buffers.get(path).into_iter().flatten();
        let buffer = |&index: &usize| self.records.sources().buffer(index);
        buffers.filter_map(buffer).map(move |buffer| Span(buffer.start + offset as u32))
    }

    /// Returns the definition that the name at an offset refers to.
    #[must_use]
    pub fn mention(&self, path: &str, offset: usize) -> Option<Mention> {
        self.spans(path, offset).find_map(|span| self.trace.mention_at(self.records.keeper(), span))
    }

    /// Returns every mention with the definition that it refers to.
    pub fn mentions(&self) -> impl Iterator<Item = Mention> {
        self.trace.mentions(self.records.keeper()).flatten().copied()
    }

    /// Returns the mentions in a file, in order.
    #[must_use]
    pub fn mentions_in(&self, path: &str) -> Vec<(usize, Mention)> {
        let mut all = Vec::new();
        let buffers = self.buffers.get(path).into_iter().flatten();
        for buffer in buffers.filter_map(|&index| self.records.sources().buffer(index)) {
            let (start, end) = (buffer.start, buffer.start + buffer.text.len() as u32);
            for list in self.trace.mentions(self.records.keeper()) {
                let from = list.partition_point(|mention| mention.at.0 < start);
                let to = list.partition_point(|mention| mention.at.0 <= end);
                all.extend(list[from..to].iter().map(|mention| ((mention.at.0 - start) as usize, *mention)));
            }
        }
        all.sort_by_key(|(at, _)| *at);
        all.dedup_by_key(|(at, _)| *at);
        all
    }

    /// Returns the records of the statement whose keyword is at an offset; a loop or a multiclass may yield many.
    #[must_use]
    pub fn records_at(&self, path: &str, keyword: usize) -> Vec<Rec<'_>> {
        let table = self.by_statement.get_or_init(|| {
            let mut table: HashMap<Span, Vec<RecordId>> = HashMap::new();
            for rec in self.records.classes().chain(self.records.defs_as_made()) {
                table.entry(rec.record().statement).or_default().push(rec.id());
            }
            table
        });
        let ids = self.spans(path, keyword).filter_map(|span| table.get(&span)).flatten();
        ids.map(|&id| self.records.rec(id)).collect()
    }

    /// Returns true if a record's definition has an error.
    #[must_use]
    pub fn is_partial(&self, rec: Rec<'_>) -> bool {
        self.partial.contains(&rec.id())
    }

    /// Returns the place where a field was first declared.
    #[must_use]
    pub fn declaration(&self, record: RecordId, field: &str) -> Option<FileRange> {
        let keeper = self.records.keeper();
        let name = self.records.rec(record).declarations().find(|(name, _)| *name == field)?.1.name;
        self.place(self.trace.declaration(keeper, record, name)?)
    }
}

/// Converts a file's path to the form that the workspace uses.
fn path_of(name: &str) -> String {
    normalise(name).unwrap_or_else(|| name.to_owned())
}
