//! Snapshots: the states after the `include`s that a root begins with.
//!
//! Most of a small job is spent on the library that it includes first. A [`Snapshot`] is the frozen state at the end of
//! a file; a job that begins alike starts there and writes to overlays of its own. Records, numbers and messages are
//! the same with and without one.
//!
//! Files begin with `include`s themselves. So snapshots form a tree by the order in which files end: the state after a
//! file builds on the one after the last file that it includes first, and roots that have only `OpBase.td` in common
//! share that, however deep it is included.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Evaluator, entry::Multiclass, ops::FACTS, place_again, trace::Trace};
use crate::syntax::lexer::OperatorNames;
use crate::{
    diagnostic::Diagnostic,
    limits::Meter,
    record::{
        InitId, RecordId, StrId, TypeId,
        keeper::{Keeper, KeeperBase},
        layer::{Layer, LayerBase},
        overlay::{Overlay, OverlayBase},
    },
    source::{Files, SourcesBase},
    span::Span,
    syntax::{
        FileList, IncludePaths, Leading, Lexer, Read, TokenKind, Tokens, inclusion_units,
        lexer::GUARDED_UNITS,
    },
};
use odsmith_release::Rules;

/// A frozen state of evaluation after a file.
#[derive(Debug)]
pub struct Snapshot {
    /// The state before the file's own text, possibly the one after its leading `include`s.
    base: Option<Arc<Snapshot>>,
    keeper: KeeperBase,
    multiclasses: LayerBase<Arc<Multiclass>>,
    types: OverlayBase<StrId, TypeId>,
    instances: OverlayBase<InitId, InitId>,
    instance_spans: OverlayBase<InitId, Span>,
    /// The current record for the body of an operator that is read outside of any record.
    nameless: Option<RecordId>,
    read: Read,
    /// The texts.
    sources: SourcesBase,
    /// The offset of the file's text.
    start: u32,
    /// Names in `include`s and the files they led to, without the base's.
    requests: Vec<(String, String)>,
    /// The targets of names, if they are traced.
    trace: Option<Arc<Trace>>,
    diagnostics: Vec<Diagnostic>,
    warnings_of_unused: bool,
    fuel: u64,
    /// Its approximate size in bytes, including the snapshots below it.
    heap_bytes: usize,
    /// The approximate size in bytes of the unshared lists and tables, of it and of the snapshots below it.
    list_bytes: usize,
    /// The number of snapshots below it.
    depth: usize,
}

/// Snapshots by the name in the `include` of their file.
#[derive(Debug, Default)]
pub struct Snapshots {
    by_name: Mutex<ByName>,
}

#[derive(Debug, Default)]
struct ByName {
    snapshots: HashMap<String, Vec<Arc<Snapshot>>>,
    count: usize,
    bytes: usize,
}

/// A store of snapshots, with the files that its snapshots may have read.
pub struct Tier<'a> {
    /// The store.
    pub snapshots: &'a Snapshots,
    /// A test that all users of the store see the same file at a path.
    pub shares: &'a dyn Fn(&str) -> bool,
}

/// The most snapshots that are kept; beyond it all are dropped and made again on demand.
const KEPT: usize = 1024;
/// The most bytes that are kept, approximately. The snapshots of MLIR's whole library, each file included by itself,
/// take half of it; new orders of `include`s would take ever more.
const KEPT_BYTES: usize = 256 << 20;
/// The bytes of a snapshot besides the results of evaluation and the measured parts.
const OWN_BYTES: usize = 4 << 10;
/// The most bytes of lists and tables in a chain of snapshots, approximately: each has its own copy of those that grow
/// with the number of files and records. Beyond it a root continues without further snapshots.
const MOST_LIST_BYTES: usize = 32 << 20;
/// The longest chain of snapshots.
const MOST_DEPTH: usize = 1_000;

impl ByName {
    fn find(&self, name: &str, fits: impl Fn(&Snapshot) -> bool) -> Option<&Arc<Snapshot>> {
        self.snapshots.get(name)?.iter().find(|snapshot| fits(snapshot))
    }
}

impl Snapshot {
    /// Returns its approximate size in bytes without the snapshots below it.
    fn own_bytes(&self) -> usize {
        let (heap, lists) = self.base.as_ref().map_or((0, 0), |base| (base.heap_bytes, base.list_bytes));
        self.heap_bytes.saturating_sub(heap) + self.list_bytes.saturating_sub(lists)
    }

    /// Returns the approximate size in bytes of lists and tables that it does not share with the snapshots below it.
    fn own_lists(&self) -> usize {
        let base = self.base.as_deref();
        let names = self.requests.iter().map(|(name, path)| name.len() + path.len() + 64).sum::<usize>();
        let messages = self.diagnostics.iter().map(Diagnostic::heap_bytes).sum::<usize>();
        OWN_BYTES
            + names
            + messages
            + self.read.list_bytes()
            + self.sources.own_bytes()
            + self.keeper.bytes_beside(base.map(|base| &base.keeper))
            + self.multiclasses.directory_bytes()
            + self.types.bytes_beside(base.map(|base| &base.types))
            + self.instances.bytes_beside(base.map(|base| &base.instances))
            + self.instance_spans.bytes_beside(base.map(|base| &base.instance_spans))
    }

    /// Returns true if no other snapshot should build on it.
    fn is_last(&self) -> bool {
        self.depth >= MOST_DEPTH || self.list_bytes >= MOST_LIST_BYTES
    }
}

impl Snapshots {
    /// Returns the number of snapshots, and their approximate size in bytes.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let known = self.lock();
        (known.count, known.bytes)
    }

    /// Drops all of them; they are made again on demand.
    pub fn clear(&self) {
        *self.lock() = ByName::default();
    }

    fn lock(&self) -> MutexGuard<'_, ByName> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, name: &str, fits: impl Fn(&Snapshot) -> bool) -> Option<Arc<Snapshot>> {
        self.lock().find(name, fits).cloned()
    }

    /// Keeps a snapshot, unless another job was faster; returns the one that is kept.
    fn keep(&self, name: &str, made: Snapshot, fits: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let mut known = self.lock();
        if let Some(snapshot) = known.find(name, fits) {
            return Arc::clone(snapshot);
        }
        let bytes = made.own_bytes();
        if known.count >= KEPT || known.bytes + bytes > KEPT_BYTES {
            *known = ByName::default();
        }
        known.count += 1;
        known.bytes += bytes;
        let made = Arc::new(made);
        known.snapshots.entry(name.to_owned()).or_default().push(Arc::clone(&made));
        made
    }
}

/// The input of an evaluation and its settings.
pub struct Input<'f> {
    /// The source of files.
    pub files: &'f dyn Files,
    /// The folders that `include` searches.
    pub paths: IncludePaths,
    /// Macros defined from outside.
    pub macros: Vec<String>,
    /// The bang operators' names, for the lexer.
    pub operators: fn(&str, &Rules) -> Option<u8>,
    /// True if unused template arguments cause warnings.
    pub warns_of_unused: bool,
    /// The behaviour of the release.
    pub rules: Rules,
    /// True if the targets of names are traced. Stores of snapshots are shared only by inputs that agree on this.
    pub is_traced: bool,
}

impl<'f> Input<'f> {
    /// Returns a lexer at the beginning of a root.
    #[must_use]
    pub fn lexer(&self, root: &str, text: &Arc<[u8]>) -> Lexer<'f> {
        Lexer::new(
            self.files,
            self.paths.clone(),
            self.macros.clone(),
            OperatorNames { find: self.operators, rules: self.rules },
            root,
            Arc::clone(text),
        )
    }

    /// Returns an evaluator at the beginning of a root, without any snapshot.
    #[must_use]
    pub fn start(&self, root: &str, text: &Arc<[u8]>, meter: Meter) -> Evaluator<'f> {
        let lexer = self.lexer(root, text).within(meter.inclusions());
        self.evaluator(Tokens::of(lexer), meter)
    }

    /// Returns an evaluator of these tokens at the beginning of a root, without any snapshot.
    #[must_use]
    pub fn evaluator(&self, tokens: Tokens<'f>, meter: Meter) -> Evaluator<'f> {
        let mut evaluator =
            Evaluator::new(tokens, Keeper::new(&FACTS, self.rules), meter, self.warns_of_unused);
        evaluator.trace = self.is_traced.then(Box::default);
        evaluator
    }

    /// Returns an evaluator after as many of the root's leading `include`s as lead to files that a tier shares.
    ///
    /// Missing snapshots are made, and kept in the first tier that shares all their files.
    #[must_use]
    pub fn start_on(&self, tiers: &[Tier<'_>], root: &str, text: &Arc<[u8]>, meter: Meter) -> Evaluator<'f> {
        let leading = Leading::of(text);
        let mut way = SharedPrefix {
            input: self,
            tiers,
            meter: &meter,
            base: None,
            depth: 0,
            units: 0,
            guarded_units: 0,
            guards: Vec::new(),
            reads: FileList::of(vec![root.to_owned()]),
            places: Vec::new(),
        };
        let taken = way.take(&leading);
        let SharedPrefix { base: Some(base), reads, mut places, guarded_units, .. } = way else {
            return self.start(root, text, meter);
        };
        let unused = meter.fresh();
        let mut lexer = self.lexer(root, text).within(meter.inclusions());
        lexer.resume((&base.read, &base.sources), &leading, taken.count, reads);
        lexer.add_units(guarded_units);
        taken.place(lexer.sources.root().map_or(0, |root| root.start), &mut places);
        lexer.sources.set_anchors(places);
        let evaluator = self.resume(&base, lexer, meter);
        match evaluator.needs_what_is_before() {
            true => self.start(root, text, unused),
            false => evaluator,
        }
    }

    /// Returns an evaluator that continues from `base` with the rest of a file, at the lexer's position.
    fn resume(&self, base: &Snapshot, lexer: Lexer<'f>, mut meter: Meter) -> Evaluator<'f> {
        meter.take_over(base.fuel);
        let mut evaluator = Evaluator::on(base, Tokens::of(lexer), meter, self);
        evaluator.diagnostics.splice(0..0, base.diagnostics.iter().cloned());
        evaluator.trace = self.is_traced.then(|| Box::new(Trace::above(base.trace.as_ref())));
        evaluator
    }
}

/// The part of a root that is read through snapshots alone.
struct SharedPrefix<'a, 'f> {
    input: &'a Input<'f>,
    tiers: &'a [Tier<'a>],
    meter: &'a Meter,
    /// The state so far.
    base: Option<Arc<Snapshot>>,
    /// The number of open `include`s.
    depth: usize,
    /// Units of work for opening the files that are open.
    units: u64,
    /// Units of work for leading `include`s of files that were read already. They are charged to the root: a snapshot
    /// serves files that had some and files that had none.
    guarded_units: u64,
    /// The macros of the include guards of files that are open.
    guards: Vec<String>,
    /// Files that were opened, in order.
    reads: FileList,
    /// The places of the `include`s of the files that have ended in this state.
    places: Vec<Span>,
}

/// The part of a file that is replaced by snapshots.
#[derive(Default)]
struct Replacement {
    /// The number of its leading `include`s.
    count: usize,
    /// True if another of them cannot be shared.
    is_private: bool,
    /// Places of `include`s to be filled in: their numbers, and their offsets in the file.
    offsets: Vec<(usize, usize)>,
}

impl Replacement {
    /// Fills in the places, once the file's offset is known.
    fn place(&self, start: u32, places: &mut [Span]) {
        for &(number, offset) in &self.offsets {
            places[number] = Span(start + offset as u32);
        }
    }
}

impl SharedPrefix<'_, '_> {
    /// Replaces as many leading `include`s of a file as possible.
    fn take(&mut self, leading: &Leading) -> Replacement {
        let mut taken = Replacement::default();
        let open = self.guards.len();
        if let Some((guard, _)) = &leading.guard {
            if self.is_defined(guard) {
                return taken;
            }
            self.guards.push(guard.clone());
        }
        self.depth += 1;
        for (name, quote, _) in &leading.includes {
            if self.depth > self.input.paths.max_depth as usize || self.meter.is_cancelled() {
                taken.is_private = true;
                break;
            }
            // The rest of the file is read as it is written.
            if self.base.as_ref().is_some_and(|base| base.is_last()) {
                break;
            }
            if self.base.as_ref().is_some_and(|base| base.read.is_read_already(name)) {
                self.guarded_units += GUARDED_UNITS;
            } else {
                let Some(number) = self.include(name) else {
                    taken.is_private = true;
                    break;
                };
                taken.offsets.push((number, *quote));
            }
            taken.count += 1;
        }
        self.depth -= 1;
        self.guards.truncate(open);
        taken
    }

    fn is_defined(&self, name: &str) -> bool {
        let is_it = |known: &String| known == name;
        self.input.macros.iter().any(is_it)
            || self.guards.iter().any(is_it)
            || self.base.as_ref().is_some_and(|base| base.read.macros.contains(name))
    }

    /// Replaces one `include`; returns the number of its place, or nothing if it must be read.
    fn include(&mut self, name: &str) -> Option<usize> {
        let (path, text) = self.input.paths.find(self.input.files, name)?;
        if !self.tiers.iter().any(|tier| (tier.shares)(&path)) {
            return None;
        }
        let before = (self.base.clone(), self.reads.len(), self.places.len(), self.guarded_units);
        self.reads.add(&path);
        let leading = Leading::of(&text);
        let units = inclusion_units(text.len());
        self.units += units;
        let taken = self.take(&leading);
        self.units -= units;
        // A file that includes an unshareable file cannot be shared itself.
        let after = (!taken.is_private)
            .then(|| self.snapshot_after(name, (&path, &text), &leading, taken.count))
            .flatten();
        let Some(snapshot) = after else {
            self.base = before.0;
            self.reads.truncate(before.1);
            self.places.truncate(before.2);
            self.guarded_units = before.3;
            return None;
        };
        snapshot.read.reads.iter().skip(1).for_each(|path| self.reads.add(path));
        taken.place(snapshot.start, &mut self.places);
        self.places.push(Span::NONE);
        self.base = Some(snapshot);
        Some(self.places.len() - 1)
    }

    /// Returns the state after a file with this number of leading `include`s replaced; nothing if it cannot be shared,
    /// or not be reached without an error.
    fn snapshot_after(
        &self,
        name: &str,
        (path, text): (&str, &Arc<[u8]>),
        leading: &Leading,
        count: usize,
    ) -> Option<Arc<Snapshot>> {
        let fits = |snapshot: &Snapshot| self.fits(snapshot);
        if let Some(found) = self.tiers.iter().find_map(|tier| tier.snapshots.find(name, fits)) {
            return Some(found);
        }
        let meter = self.meter.fresh();
        let mut evaluator = match &self.base {
            None => self.input.start(path, text, meter),
            Some(base) => {
                let lexer = self.input.lexer(path, text);
                let mut lexer = lexer.within(self.meter.inclusions());
                let reads = FileList::of(vec![path.to_owned()]);
                lexer.resume((&base.read, &base.sources), leading, count, reads);
                let evaluator = self.input.resume(base, lexer, meter);
                if evaluator.needs_what_is_before() {
                    return None;
                }
                evaluator
            }
        };
        evaluator.file().ok()?;
        if evaluator.error_count > 0 {
            return None;
        }
        let made = evaluator.freeze(name, (path, text), self);
        let shares_all = |tier: &&Tier<'_>| made.read.requests.values().all(|path| (tier.shares)(path));
        let tier = self.tiers.iter().find(shares_all)?;
        fits(&made).then(|| tier.snapshots.keep(name, made, fits))
    }

    /// Returns true if a snapshot equals the state that its file would lead to here.
    fn fits(&self, snapshot: &Snapshot) -> bool {
        let is_base = match (&snapshot.base, &self.base) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        };
        let Input { files, paths, .. } = self.input;
        is_base
            && snapshot.warnings_of_unused == self.input.warns_of_unused
            && snapshot.trace.is_some() == self.input.is_traced
            && snapshot.read.asked.iter().all(|(name, &was_defined)| self.is_defined(name) == was_defined)
            && self.depth + snapshot.read.deepest <= paths.max_depth as usize
            && (self.units + self.guarded_units).saturating_add(snapshot.fuel) <= self.meter.limits().fuel
            && snapshot
                .requests
                .iter()
                .all(|(name, path)| paths.find(*files, name).is_some_and(|(found, _)| found == *path))
    }
}

impl<'f> Evaluator<'f> {
    /// Returns true if the first token belongs to the text that a state was made of: a body that ends there is read
    /// with a `;` after it, and its warnings come after the lexer's messages.
    #[must_use]
    pub fn needs_what_is_before(&self) -> bool {
        self.at(TokenKind::Semi) || self.begins_with_message
    }

    fn on(base: &Snapshot, tokens: Tokens<'f>, meter: Meter, input: &Input<'f>) -> Self {
        let keeper = Keeper::above(&base.keeper, input.rules);
        let mut evaluator = Evaluator::new(tokens, keeper, meter, input.warns_of_unused);
        evaluator.multiclasses = Layer::above(&base.multiclasses);
        evaluator.types = Overlay::above(&base.types);
        evaluator.instances = Overlay::above(&base.instances);
        evaluator.instance_spans = Overlay::above(&base.instance_spans);
        evaluator.nameless = base.nameless;
        evaluator
    }

    /// Returns the state after the file that was included by this name.
    fn freeze(mut self, name: &str, (path, text): (&str, &[u8]), way: &SharedPrefix<'_, '_>) -> Snapshot {
        let mut read = self.tokens.into_read();
        place_again(&mut self.keeper, &self.declared_again, &read.sources);
        let sources = std::mem::take(&mut read.sources);
        let start = sources.root().map_or(0, |root| root.start);
        let sources = sources.into_base(Span::anchor(way.places.len()));
        // The file itself was included.
        let units = inclusion_units(text.len());
        read.units += units;
        read.requests.insert(name.to_owned(), path.to_owned());
        // Macros from outside differ from job to job.
        read.macros.retain(|name| !way.input.macros.contains(name));
        let is_new =
            |name: &String| way.base.as_ref().is_none_or(|base| !base.read.requests.contains_key(name));
        let requests = read.requests.iter().filter(|(name, _)| is_new(name));
        let mut made = Snapshot {
            base: way.base.clone(),
            requests: requests.map(|(name, path)| (name.clone(), path.clone())).collect(),
            start,
            heap_bytes: self.keeper.heap_bytes(),
            keeper: self.keeper.into_base(),
            multiclasses: self.multiclasses.freeze(),
            types: self.types.freeze(),
            instances: self.instances.freeze(),
            instance_spans: self.instance_spans.freeze(),
            nameless: self.nameless,
            read,
            sources,
            trace: self.trace.map(|trace| Arc::new(*trace)),
            diagnostics: self.diagnostics,
            warnings_of_unused: self.warns_of_unused_args,
            fuel: self.meter.fuel_used().saturating_add(units),
            list_bytes: 0,
            depth: way.base.as_ref().map_or(0, |base| base.depth + 1),
        };
        made.list_bytes = made.own_lists() + made.base.as_ref().map_or(0, |base| base.list_bytes);
        made
    }
}
