//! Snapshots: the states after the `include`s that a root begins with.
//!
//! Most of a small job is spent on the library that it includes first. A [`Snapshot`] is all that was made up to the
//! end of a file, frozen; a job that begins alike starts there and writes to overlays of its own. Records, numbers and messages
//! are the same with and without one.
//!
//! Files begin with `include`s themselves. So snapshots form a tree by the order in which files end: the state after a
//! file builds on the one after the last file that it includes first, and roots that have nothing but `OpBase.td` in
//! common share that, however deep it is included.

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

/// A frozen state of evaluation: that after a file.
#[derive(Debug)]
pub struct Snapshot {
    /// The state in front of the file's own text, which may be that after its leading `include`s.
    base: Option<Arc<Snapshot>>,
    keeper: KeeperBase,
    multiclasses: LayerBase<Arc<Multiclass>>,
    types: OverlayBase<StrId, TypeId>,
    instances: OverlayBase<InitId, InitId>,
    instance_spans: OverlayBase<InitId, Span>,
    /// Replaces the record being read while the body of an operator is read outside of any.
    nameless: Option<RecordId>,
    read: Read,
    /// The texts.
    sources: SourcesBase,
    /// Where the file's text begins.
    start: u32,
    /// Names in `include`s and the files they led to, as far as they are not the base's.
    requests: Vec<(String, String)>,
    /// What names refer to, where that is noted.
    trace: Option<Arc<Trace>>,
    diagnostics: Vec<Diagnostic>,
    warnings_of_unused: bool,
    fuel: u64,
    /// About how many bytes it takes, those of what it builds on included.
    heap_bytes: usize,
    /// About how many bytes of lists and tables it and all that it builds on have each for themselves.
    list_bytes: usize,
    /// How many it builds on.
    depth: usize,
}

/// Snapshots by the name under which their file was included.
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

/// A store of snapshots, and whose files its snapshots may have read.
pub struct Tier<'a> {
    /// The store.
    pub snapshots: &'a Snapshots,
    /// Whether the store's users all see the same file at this path.
    pub shares: &'a dyn Fn(&str) -> bool,
}

/// At most so many snapshots are kept; then all are dropped and made anew as they are asked for.
const KEPT: usize = 1024;
/// And at most about so many bytes of them. Those of MLIR's whole library, each file included by itself, take half of it;
/// in ever new orders they would take ever more.
const KEPT_BYTES: usize = 256 << 20;
/// What a snapshot takes beside what evaluation made and what is measured.
const OWN_BYTES: usize = 4 << 10;
/// Lists and tables of the snapshots that build on each other may take about so many bytes: each has what grows with the
/// number of files and records for itself. A root goes on without further ones.
const MOST_LIST_BYTES: usize = 32 << 20;
/// And so many snapshots build on each other at most.
const MOST_DEPTH: usize = 1_000;

impl ByName {
    fn find(&self, name: &str, fits: impl Fn(&Snapshot) -> bool) -> Option<&Arc<Snapshot>> {
        self.snapshots.get(name)?.iter().find(|snapshot| fits(snapshot))
    }
}

impl Snapshot {
    /// About how many bytes it takes above what it builds on.
    fn own_bytes(&self) -> usize {
        let (heap, lists) = self.base.as_ref().map_or((0, 0), |base| (base.heap_bytes, base.list_bytes));
        self.heap_bytes.saturating_sub(heap) + self.list_bytes.saturating_sub(lists)
    }

    /// About how many bytes of lists and tables it does not share with what it builds on.
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

    /// Whether no other is to be built on it.
    fn is_last(&self) -> bool {
        self.depth >= MOST_DEPTH || self.list_bytes >= MOST_LIST_BYTES
    }
}

impl Snapshots {
    /// How many are kept, and about how many bytes they take.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let known = self.lock();
        (known.count, known.bytes)
    }

    /// Drops all of them; those that are asked for are made anew.
    pub fn clear(&self) {
        *self.lock() = ByName::default();
    }

    fn lock(&self) -> MutexGuard<'_, ByName> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, name: &str, fits: impl Fn(&Snapshot) -> bool) -> Option<Arc<Snapshot>> {
        self.lock().find(name, fits).cloned()
    }

    /// Keeps a snapshot, unless another job was faster: hands out the one that is kept.
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

/// What an evaluation reads and how.
pub struct Input<'f> {
    /// Where files come from.
    pub files: &'f dyn Files,
    /// Where `include` looks.
    pub paths: IncludePaths,
    /// Macros defined from outside.
    pub macros: Vec<String>,
    /// The bang operators' names, for the lexer.
    pub operators: fn(&str, &Rules) -> Option<u8>,
    /// Whether unused template arguments are warned of.
    pub warns_of_unused: bool,
    /// How the release behaves.
    pub rules: Rules,
    /// Whether it is noted what names refer to. Stores of snapshots are shared only by those that agree on this.
    pub is_traced: bool,
}

impl<'f> Input<'f> {
    /// A lexer at the beginning of a root.
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

    /// An evaluator at the beginning of a root, without any snapshot.
    #[must_use]
    pub fn start(&self, root: &str, text: &Arc<[u8]>, meter: Meter) -> Evaluator<'f> {
        let lexer = self.lexer(root, text).within(meter.inclusions());
        self.evaluator(Tokens::of(lexer), meter)
    }

    /// An evaluator at the beginning of a root, without any snapshot, of these tokens.
    #[must_use]
    pub fn evaluator(&self, tokens: Tokens<'f>, meter: Meter) -> Evaluator<'f> {
        let mut evaluator =
            Evaluator::new(tokens, Keeper::new(&FACTS, self.rules), meter, self.warns_of_unused);
        evaluator.trace = self.is_traced.then(Box::default);
        evaluator
    }

    /// An evaluator after as many of the root's leading `include`s as lead to files that a tier shares.
    ///
    /// Snapshots that are missing are made, and kept in the first tier that shares all their files.
    #[must_use]
    pub fn start_on(&self, tiers: &[Tier<'_>], root: &str, text: &Arc<[u8]>, meter: Meter) -> Evaluator<'f> {
        let leading = Leading::of(text);
        let mut way = Way {
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
        let Way { base: Some(base), reads, mut places, guarded_units, .. } = way else {
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

    /// An evaluator that continues from `base` with the rest of a file, where the lexer is.
    fn resume(&self, base: &Snapshot, lexer: Lexer<'f>, mut meter: Meter) -> Evaluator<'f> {
        meter.take_over(base.fuel);
        let mut evaluator = Evaluator::on(base, Tokens::of(lexer), meter, self);
        evaluator.diagnostics.splice(0..0, base.diagnostics.iter().cloned());
        evaluator.trace = self.is_traced.then(|| Box::new(Trace::above(base.trace.as_ref())));
        evaluator
    }
}

/// How far a root is read by snapshots alone.
struct Way<'a, 'f> {
    input: &'a Input<'f>,
    tiers: &'a [Tier<'a>],
    meter: &'a Meter,
    /// The state so far.
    base: Option<Arc<Snapshot>>,
    /// How many `include`s are open.
    depth: usize,
    /// Units of work for opening the files that are open.
    units: u64,
    /// Units of work for leading `include`s of files that were read already. They are the root's: a snapshot serves files that
    /// had some and files that had none.
    guarded_units: u64,
    /// The macros of the include guards of files that are open.
    guards: Vec<String>,
    /// Files that were opened, in order.
    reads: FileList,
    /// Where the files were included whose ends the state has after it.
    places: Vec<Span>,
}

/// What was taken of a file.
#[derive(Default)]
struct Taken {
    /// So many of its leading `include`s.
    count: usize,
    /// Whether one of the others can not be shared.
    is_private: bool,
    /// Places of `include`s to be filled in: their numbers, and their offsets in the file.
    offsets: Vec<(usize, usize)>,
}

impl Taken {
    /// Fills in the places, once it is known where the file begins.
    fn place(&self, start: u32, places: &mut [Span]) {
        for &(number, offset) in &self.offsets {
            places[number] = Span(start + offset as u32);
        }
    }
}

impl Way<'_, '_> {
    /// Goes over as many leading `include`s of a file as can be.
    fn take(&mut self, leading: &Leading) -> Taken {
        let mut taken = Taken::default();
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
            // The file goes on as it is written.
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

    /// Goes over one `include`: the number of its place, or nothing if it must be read.
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
        // A file that includes what can not be shared can not be shared itself.
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

    /// The state after a file of which so many leading `include`s are taken; nothing if it can not be shared, or not
    /// be reached without an error.
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

    /// Whether a snapshot is what its file would give here.
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
    /// Whether what comes first belongs to what a state was made of: a body that ends there is read with a `;` after it, and
    /// its warnings come after the lexer's messages.
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

    /// The state after the file that was included by this name.
    fn freeze(mut self, name: &str, (path, text): (&str, &[u8]), way: &Way<'_, '_>) -> Snapshot {
        let mut read = self.tokens.into_read();
        place_again(&mut self.keeper, &self.declared_again, &read.sources);
        let sources = std::mem::take(&mut read.sources);
        let start = sources.root().map_or(0, |root| root.start);
        let sources = sources.into_base(Span::anchor(way.places.len()));
        // The file itself was included.
        let units = inclusion_units(text.len());
        read.units += units;
        read.requests.insert(name.to_owned(), path.to_owned());
        // Macros from outside are each job's own.
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
