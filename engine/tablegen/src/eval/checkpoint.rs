//! Checkpoints: states of evaluation that outlive the process.
//!
//! A build calls this program once for each output, and most of a small call is spent on the library that its root
//! includes first. So two kinds of states are stored in a [`CheckpointStore`] and looked up there:
//!
//! * *prefix*: the state after some of the `include`s that the root begins with. It serves every root that begins with
//!   the same `include`s, and the same root after an edit. It is saved the second time that it would have been
//!   useful: a first call should not take longer for later ones that may never come;
//! * *whole*: all records of a root. It serves the other outputs of the same root.
//!
//! Besides them there are *outputs*: all outputs of a root, for the same request on the same files.
//!
//! ```text
//! include "mlir/IR/OpBase.td"                       ← prefix of 1 include
//! include "mlir/Interfaces/InferTypeOpInterface.td" ← prefix of 2 includes
//! def Foo_AddOp : Op<…>;
//!                                                   ← whole  →  --gen-op-decls  →  output
//! ```
//!
//! The key covers the build, the macros, the folders and the names in the `include`s, and for a whole root its text;
//! the state itself lists the files that it read, with their digests. A state is used only if every `include` still
//! leads to the same path and every file holds the same bytes: a file whose [`Stamp`] has changed is read and compared.
//! Records, numbers, messages and counts are those of an evaluation from the beginning, and so are places: they are
//! packed relative to the end of the root's text, whose length may change.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Debug,
    sync::Arc,
};

use xxhash_rust::xxh3::xxh3_128;

use super::{Evaluated, Evaluator, Multiclass, entry::Entry, entry::Loop, ops::FACTS, snapshot::Input};
use crate::{
    cancel::Cancel,
    diagnostic::{Code, Diagnostic, Id, Severity},
    limits::{InclusionMeter, Limits, Meter},
    packing::{Packer, Places, Unpacker},
    record::{
        InitId, RecordId, Records, StrId, TypeId,
        keeper::Keeper,
        layer::Layer,
        overlay::Overlay,
        packed::{Purpose, pack_assertion, pack_dump, unpack_assertion, unpack_dump},
    },
    source::{Files, Sources, Stamp, Text},
    span::Span,
    syntax::{Boundary, Leading, Lexer, Read, Tokens, inclusion_units},
};

/// A store that keeps states between processes. It may return anything: damaged states, and those of other files, are
/// not used.
pub trait CheckpointStore: Debug + Send + Sync {
    /// Returns the bytes saved last under this key, a name of letters and digits.
    fn load(&self, key: &str) -> Option<Vec<u8>>;

    /// Saves these bytes, one part after the other; it may also drop them.
    fn save(&self, key: &str, parts: &[&[u8]]);

    /// Notes that a state of this key would have been useful, and returns whether that was noted before.
    fn note(&self, key: &str) -> bool;
}

/// A state to be saved, and its key.
#[derive(Debug)]
pub struct Checkpoint {
    /// The key in the store.
    pub key: String,
    /// The packed state.
    pub bytes: Vec<u8>,
}

/// The results of an evaluation without errors, besides its records.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'t> {
    /// Files that were read, the root first, without duplicates.
    pub reads: &'t [String],
    /// Names in `include`s and the files they led to.
    pub requests: &'t BTreeMap<String, String>,
    /// Messages, in order.
    pub diagnostics: &'t [Diagnostic],
    /// Units of work.
    pub fuel: u64,
}

/// The least work of an evaluation whose state is worth a file.
const LEAST_FUEL: u64 = 2_000;

/// The most bytes of a state that is saved: packing a larger one would take as much memory again, and storing it the
/// room of many others. The states of MLIR's own dialects are much smaller.
const MOST_LIVE_BYTES: usize = 12 << 20;

/// The most bytes of all outputs that are saved together.
const MOST_OUTPUT_BYTES: usize = 16 << 20;

/// A prefix is saved when the state has grown by one part in this many since the last saved one.
const GROWTH: usize = 3;

/// The sources of files and states.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    /// The files that `include`s lead to.
    pub files: &'a Arc<dyn Files>,
    /// The states of earlier evaluations.
    pub store: &'a Arc<dyn CheckpointStore>,
    /// The build of this program: states of other builds are not used.
    pub build: &'a str,
}

/// The saved outputs of a root.
#[derive(Debug)]
pub struct KeptOutputs {
    /// Files that were read, the root first, without duplicates.
    pub reads: Vec<String>,
    /// The cost of evaluation: units of work, bytes, records.
    pub usage: [u64; 3],
    /// The texts, in the order of the request.
    pub texts: Vec<Vec<u8>>,
}

/// The checkpoints of one root, with the settings that it is read with.
pub struct Checkpoints<'a, 'f> {
    input: &'a Input<'f>,
    access: Access<'a>,
    limits: &'a Limits,
    cancel: &'a Cancel,
    root: &'a str,
    text: &'a Arc<[u8]>,
    leading: Leading,
    /// The common part of all keys.
    settings: String,
}

/// A prefix that was found.
pub struct Prefix {
    /// The boundary at which the lexer continues: the number of leading `include`s, and the state after them. A lexer
    /// takes it.
    pub after: Option<(usize, Read)>,
    state: State,
}

/// The state that evaluation continues from.
struct State {
    keeper: Keeper,
    multiclasses: Layer<Arc<Multiclass>>,
    types: Overlay<StrId, TypeId>,
    instances: Overlay<InitId, InitId>,
    instance_spans: Overlay<InitId, Span>,
    declared_again: Vec<(RecordId, Span)>,
    nameless: Option<RecordId>,
    diagnostics: Vec<Diagnostic>,
    fuel: u64,
}

/// The targets of `include`s.
#[derive(Default)]
struct Requests<'u> {
    /// Names in `include`s and the paths they led to.
    paths: BTreeMap<String, String>,
    /// The texts by their paths.
    texts: HashMap<&'u str, Text>,
}

/// The recorder of the prefixes that an evaluation saves.
pub(super) struct Recorder {
    files: Arc<dyn Files>,
    store: Arc<dyn CheckpointStore>,
    /// The keys of its prefixes.
    keys: Vec<String>,
    leading: Leading,
    /// The end of the root's text, where the next one begins.
    origin: u32,
    /// Bytes of the state saved last.
    last_bytes: usize,
    made: Vec<Unfinished>,
}

/// A prefix without its beginning: the list of read files is only known at the end.
struct Unfinished {
    key: String,
    boundary: Boundary,
    state: Vec<u8>,
}

impl<'a, 'f> Checkpoints<'a, 'f> {
    /// Creates the checkpoints of a root that is read in this way, within these limits.
    #[must_use]
    pub fn of(
        input: &'a Input<'f>,
        access: Access<'a>,
        (limits, cancel): (&'a Limits, &'a Cancel),
        root: &'a str,
        text: &'a Arc<[u8]>,
    ) -> Self {
        let Input { paths, macros, warns_of_unused, rules, .. } = input;
        let leading = Leading::of(text);
        let guard = leading.guard.as_ref().map(|(guard, _)| guard);
        let build = access.build;
        let settings =
            format!("{build} {rules:?} {paths:?} {macros:?} {warns_of_unused} {limits:?} {guard:?}");
        Checkpoints { input, access, limits, cancel, root, text, leading, settings }
    }

    fn whole_key(&self) -> String {
        let Checkpoints { root, text, settings, .. } = self;
        key(&format!("{settings} {root:?} {:032x}", xxh3_128(text)))
    }

    /// Returns the result of evaluating the whole root, if it is in the store.
    #[must_use]
    pub fn find_whole(&self, mut meter: Meter) -> Option<Evaluated> {
        let bytes = self.access.store.load(&self.whole_key())?;
        let mut unpacker = open(&bytes)?;
        let places = Places::from_origin(0);
        let read = self.unpack_read(&mut unpacker, &places)?;
        let diagnostics = unpack_diagnostics(&mut unpacker, &places)?;
        meter.take_over(unpacker.long()?);
        let keeper = Keeper::unpack(&mut unpacker, &places, &FACTS, self.input.rules)?;
        unpacker.is_at_end().then_some(Evaluated {
            keeper,
            sources: read.sources,
            reads: read.reads,
            requests: read.requests,
            diagnostics,
            is_ok: true,
            counted_errors: 0,
            meter,
            checkpoints: Vec::new(),
        })
    }

    /// Packs the result of evaluating the whole root, if it is worth saving.
    #[must_use]
    pub fn pack_whole(&self, records: &Records, trail: &Trail<'_>) -> Option<Checkpoint> {
        let Trail { reads, requests, diagnostics, fuel } = *trail;
        if fuel < LEAST_FUEL || records.keeper().live_bytes() > MOST_LIVE_BYTES {
            return None;
        }
        let (keeper, places) = (records.keeper(), Places::from_origin(0));
        let mut packer = Packer::with_capacity(2 * keeper.live_bytes());
        let files = self.packed(records.sources());
        pack_read(&mut packer, &files, reads, &borrowed(requests), |place| [0, places.pack(place)]);
        pack_diagnostics(&mut packer, diagnostics, &places)?;
        packer.long(fuel);
        let is_packed = keeper.pack(&mut packer, &places, Purpose::Generation);
        is_packed.then(|| Checkpoint { key: self.whole_key(), bytes: seal(packer) })
    }

    /// Returns all files of a root.
    fn packed<'s>(&'s self, sources: &'s Sources) -> StateFiles<'s> {
        StateFiles { files: &**self.access.files, sources, count: sources.len() }
    }

    /// Returns the key of the outputs that `actions` make of the root: it covers everything they depend on except
    /// files.
    fn outputs_key(&self, actions: &str) -> String {
        let Checkpoints { root, text, settings, .. } = self;
        format!("output{}", key(&format!("{settings} {root:?} {:032x} {actions}", xxh3_128(text))))
    }

    /// Returns the saved outputs of the same `actions` on the same files, if they were made without a message.
    #[must_use]
    pub fn find_outputs(&self, actions: &str) -> Option<KeptOutputs> {
        let mut bytes = self.access.store.load(&self.outputs_key(actions))?;
        let (before, length) = bytes.split_last_chunk()?;
        let start = before.len().checked_sub(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let (texts, header) = before.split_at(start);
        let mut unpacker = open(header)?;
        self.unpack_requests(&mut unpacker)?;
        let reads = self.unpack_reads(&mut unpacker)?;
        let usage = [unpacker.long()?, unpacker.long()?, unpacker.long()?];
        let mut rest = texts;
        let mut starts = Vec::new();
        for _ in 0..unpacker.word()? {
            starts.push(texts.len() - rest.len());
            let (text, after) = rest.split_at_checked(usize::try_from(unpacker.long()?).ok()?)?;
            if xxh3_128(text).to_le_bytes() != unpacker.bytes()? {
                return None;
            }
            rest = after;
        }
        if !(unpacker.is_at_end() && rest.is_empty()) {
            return None;
        }
        bytes.truncate(start);
        // The first text, usually the only one, stays in place.
        let mut texts: Vec<Vec<u8>> = starts.iter().rev().map(|&start| bytes.split_off(start)).collect();
        texts.reverse();
        Some(KeptOutputs { reads, usage, texts })
    }

    /// Saves the outputs that `actions` made of the root without a message: the texts, then a header with their
    /// digests, then the length of the header.
    pub fn save_outputs(
        &self,
        actions: &str,
        sources: &Sources,
        trail: &Trail<'_>,
        usage: [u64; 3],
        texts: &[&[u8]],
    ) {
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        if trail.fuel < LEAST_FUEL || bytes > MOST_OUTPUT_BYTES {
            return;
        }
        let mut packer = Packer::with_capacity(8 << 10);
        pack_requests(&mut packer, &self.packed(sources), &borrowed(trail.requests));
        pack_reads(&mut packer, trail.reads);
        usage.into_iter().for_each(|number| packer.long(number));
        packer.word(texts.len() as u32);
        for text in texts {
            packer.long(text.len() as u64);
            packer.text(&xxh3_128(text).to_le_bytes());
        }
        let header = seal(packer);
        let length = (header.len() as u64).to_le_bytes();
        let parts: Vec<&[u8]> = texts.iter().copied().chain([&header[..], &length[..]]).collect();
        self.access.store.save(&self.outputs_key(actions), &parts);
    }

    /// Saves a state.
    pub fn save(&self, checkpoint: &Checkpoint) {
        self.access.store.save(&checkpoint.key, &[&checkpoint.bytes]);
    }

    /// Returns the longest prefix in the store.
    #[must_use]
    pub fn find_prefix(&self) -> Option<Prefix> {
        let keys = prefix_keys(&self.settings, &self.leading);
        keys.iter().enumerate().rev().find_map(|(index, key)| {
            let bytes = self.access.store.load(key)?;
            self.unpack_prefix(&bytes, index + 1)
        })
    }

    /// Returns a lexer of the root, after a prefix if there is one, that records the ends of further prefixes.
    #[must_use]
    pub fn lexer(&self, after: Option<(usize, Read)>) -> Lexer<'f> {
        let mut lexer =
            self.input.lexer(self.root, self.text).within(InclusionMeter::new(self.limits, self.cancel));
        if let Some((count, read)) = after {
            lexer.resume_at(count, read, &self.leading);
        }
        lexer.note_boundaries(self.leading.clone());
        lexer
    }

    /// Returns an evaluator of these tokens, after the prefix if there is one, that saves further prefixes.
    #[must_use]
    pub fn evaluator(&self, tokens: Tokens<'f>, prefix: Option<Prefix>, mut meter: Meter) -> Evaluator<'f> {
        let warns = self.input.warns_of_unused;
        let mut evaluator = match prefix {
            None => Evaluator::new(tokens, Keeper::new(&FACTS, self.input.rules), meter, warns),
            Some(Prefix { state, .. }) => {
                meter.take_over(state.fuel);
                let mut evaluator = Evaluator::new(tokens, state.keeper, meter, warns);
                evaluator.multiclasses = state.multiclasses;
                evaluator.types = state.types;
                evaluator.instances = state.instances;
                evaluator.instance_spans = state.instance_spans;
                evaluator.declared_again = state.declared_again;
                evaluator.nameless = state.nameless;
                evaluator.diagnostics.splice(0..0, state.diagnostics);
                evaluator
            }
        };
        let last_bytes = evaluator.keeper.live_bytes();
        evaluator.recorder = Some(Box::new(Recorder {
            files: Arc::clone(self.access.files),
            store: Arc::clone(self.access.store),
            keys: prefix_keys(&self.settings, &self.leading),
            leading: self.leading.clone(),
            origin: origin(self.text),
            last_bytes,
            made: Vec::new(),
        }));
        evaluator
    }

    fn unpack_prefix(&self, bytes: &[u8], count: usize) -> Option<Prefix> {
        let mut unpacker = open(bytes)?;
        let unpacker = &mut unpacker;
        let places = Places::from_origin(origin(self.text));
        let mut read = self.unpack_read(unpacker, &places)?;
        let texts = |unpacker: &mut Unpacker<'_>| -> Option<Vec<String>> {
            (0..unpacker.word()?).map(|_| Some(unpacker.text()?.to_owned())).collect()
        };
        read.macros = texts(unpacker)?.into_iter().collect();
        read.asked = (0..unpacker.word()?)
            .map(|_| Some((unpacker.text()?.to_owned(), unpacker.word()? != 0)))
            .collect::<Option<_>>()?;
        read.guards = (0..unpacker.word()?)
            .map(|_| Some((unpacker.text()?.to_owned(), unpacker.text()?.to_owned())))
            .collect::<Option<_>>()?;
        read.deepest = unpacker.word()? as usize;
        let diagnostics = unpack_diagnostics(unpacker, &places)?;
        let fuel = unpacker.long()?;
        let types = Overlay::unpack(unpacker, |[name, ty]| (StrId(name), TypeId(ty)))?;
        let instances = Overlay::unpack(unpacker, |[instance, record]| (InitId(instance), InitId(record)))?;
        let instance_spans =
            Overlay::unpack(unpacker, |[instance, place]| (InitId(instance), places.unpack(place)))?;
        let declared_again = unpacker.table(|[record, place]| (RecordId(record), places.unpack(place)))?;
        let nameless = unpacker.table(|[record]| RecordId(record))?.first().copied();
        let multiclasses = (0..unpacker.word()?)
            .map(|_| {
                let record = RecordId(unpacker.word()?);
                let entries = unpack_entries(unpacker, &places, 0)?;
                Some(Arc::new(Multiclass { record, entries }))
            })
            .collect::<Option<_>>()?;
        let keeper = Keeper::unpack(unpacker, &places, &FACTS, self.input.rules)?;
        let state = State {
            keeper,
            multiclasses: Layer::of(multiclasses),
            types,
            instances,
            instance_spans,
            declared_again,
            nameless,
            diagnostics,
            fuel,
        };
        unpacker.is_at_end().then_some(Prefix { after: Some((count, read)), state })
    }

    /// Unpacks the list of read files, and returns their current contents; nothing if a file has changed.
    fn unpack_read(&self, unpacker: &mut Unpacker<'_>, places: &Places) -> Option<Read> {
        let Requests { paths: requests, texts } = self.unpack_requests(unpacker)?;
        let mut sources = Sources::new(&self.input.rules);
        sources.add(self.root.into(), Arc::clone(self.text), Span::NONE)?;
        for _ in 0..unpacker.word()? {
            let path = unpacker.text()?;
            // The number of one of the root's leading `include`s, from 1, or else a place.
            let included_at = match (unpacker.word()?, unpacker.word()?) {
                (0, place) => places.unpack(place),
                (number, _) => Span(self.leading.includes.get(number as usize - 1)?.1 as u32),
            };
            sources.add(path.into(), texts.get(path)?.clone(), included_at)?;
        }
        let reads = self.unpack_reads(unpacker)?;
        let units = sources.buffers().skip(1).map(|buffer| inclusion_units(buffer.text.len())).sum();
        Some(Read { sources, reads, requests, units, ..Read::default() })
    }

    /// Unpacks the targets of `include`s, and returns their texts by path; nothing if a text has changed.
    fn unpack_requests<'u>(&self, unpacker: &mut Unpacker<'u>) -> Option<Requests<'u>> {
        let Input { files, paths, .. } = self.input;
        let mut all = Requests::default();
        for _ in 0..unpacker.word()? {
            let (name, path) = (unpacker.text()?, unpacker.text()?);
            let digest = u128::from_le_bytes(unpacker.bytes()?.try_into().ok()?);
            let (length, stamp) = (unpacker.word()? as usize, unpack_stamp(unpacker)?);
            let text = if paths.still_finds(*files, name, path, stamp) {
                Text::deferred(path.into(), Arc::clone(self.access.files), length, digest)
            } else {
                let (found, text) = paths.find(*files, name)?;
                if found != path || xxh3_128(&text) != digest {
                    return None;
                }
                text.into()
            };
            all.paths.insert(name.to_owned(), path.to_owned());
            all.texts.insert(path, text);
        }
        Some(all)
    }

    /// Unpacks the paths of the files that were read.
    fn unpack_reads(&self, unpacker: &mut Unpacker<'_>) -> Option<Vec<String>> {
        let mut reads = vec![self.root.to_owned()];
        for _ in 0..unpacker.word()? {
            reads.push(unpacker.text()?.to_owned());
        }
        Some(reads)
    }
}

/// Returns the offset after the root's text and its end.
fn origin(text: &[u8]) -> u32 {
    text.len() as u32 + 1
}

fn key(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// Returns the keys of the states after each leading `include`: each key is derived from the one before.
fn prefix_keys(settings: &str, leading: &Leading) -> Vec<String> {
    let mut last = key(settings);
    let names = leading.includes.iter().map(|(name, ..)| name);
    names
        .map(|name| {
            last = key(&format!("{last} {name:?}"));
            last.clone()
        })
        .collect()
}

fn borrowed(requests: &BTreeMap<String, String>) -> BTreeMap<&str, &str> {
    requests.iter().map(|(name, path)| (name.as_str(), path.as_str())).collect()
}

/// Returns the packed bytes after their digest.
fn seal(packer: Packer) -> Vec<u8> {
    let mut bytes = packer.finish();
    let digest = xxh3_128(&bytes[DIGEST_BYTES..]).to_le_bytes();
    bytes[..DIGEST_BYTES].copy_from_slice(&digest);
    bytes
}

/// Bytes of a digest.
const DIGEST_BYTES: usize = 16;

/// Returns the contents of a packed state, unless it is damaged.
fn open(bytes: &[u8]) -> Option<Unpacker<'_>> {
    let (digest, rest) = bytes.split_at_checked(DIGEST_BYTES)?;
    (xxh3_128(rest).to_le_bytes() == digest).then(|| Unpacker::new(rest))
}

impl Evaluator<'_> {
    /// Saves the state between two statements, if one of the root's leading `include`s ended here and the state has
    /// grown enough since the last saved one.
    #[inline]
    pub(super) fn record_checkpoint(&mut self) {
        if self.recorder.is_some()
            && let Some(boundary) = self.tokens.take_boundary()
        {
            self.record_boundary(boundary);
        }
    }

    #[cold]
    fn record_boundary(&mut self, boundary: Boundary) {
        let Some(recorder) = &self.recorder else { return };
        let live = self.keeper.live_bytes();
        let is_last = boundary.count == recorder.leading.includes.len();
        let growth = if is_last { GROWTH * 8 } else { GROWTH };
        let is_plain = self.error_count == 0 && !self.is_stopped && self.scopes.len() == 1;
        if !is_plain
            || live > MOST_LIVE_BYTES
            || live < recorder.last_bytes + recorder.last_bytes / growth + 1
        {
            return;
        }
        let Some(key) = boundary.count.checked_sub(1).and_then(|index| recorder.keys.get(index)).cloned()
        else {
            return;
        };
        let is_due = recorder.store.note(&key);
        let state = is_due.then(|| self.pack_state(recorder, &boundary)).flatten();
        if let Some(recorder) = &mut self.recorder {
            recorder.last_bytes = live;
            recorder.made.extend(state.map(|state| Unfinished { key, boundary, state }));
        }
    }

    fn pack_state(&self, recorder: &Recorder, boundary: &Boundary) -> Option<Vec<u8>> {
        let places = Places::from_origin(recorder.origin);
        let mut packer = Packer::with_capacity(2 * self.keeper.live_bytes());
        let packer = &mut packer;
        pack_diagnostics(packer, &self.diagnostics, &places)?;
        // The files opened since then are opened again.
        packer.long(self.meter.fuel_used().saturating_sub(boundary.units_after));
        self.types.pack(packer, |name, ty| [name.0, ty.0]);
        self.instances.pack(packer, |instance, record| [instance.0, record.0]);
        self.instance_spans.pack(packer, |instance, place| [instance.0, places.pack(place)]);
        packer.rows(self.declared_again.iter(), |&(record, place)| [record.0, places.pack(place)]);
        packer.rows(self.nameless.iter(), |record| [record.0]);
        packer.word(self.multiclasses.own().len() as u32);
        for multiclass in self.multiclasses.own() {
            packer.word(multiclass.record.0);
            pack_entries(packer, &multiclass.entries, &places);
        }
        let is_packed = self.keeper.pack(packer, &places, Purpose::Evaluation) && !places.has_lost();
        is_packed.then(|| std::mem::take(packer).finish())
    }
}

impl Recorder {
    /// Returns the saved prefixes, once the lexer's list of read files is complete.
    pub(super) fn finish(mut self, read: &Read) -> Vec<Checkpoint> {
        let made = std::mem::take(&mut self.made);
        made.into_iter().filter_map(|prefix| self.with_beginning(prefix, read)).collect()
    }

    /// Completes a prefix with the files read before its end.
    fn with_beginning(&self, prefix: Unfinished, read: &Read) -> Option<Checkpoint> {
        let Recorder { files, leading, origin, .. } = self;
        let Unfinished { key, boundary, state } = prefix;
        let before = read.before(&boundary)?;
        let places = Places::from_origin(*origin);
        let mut packer = Packer::with_capacity(state.len() + (64 << 10));
        let packer = &mut packer;
        let files = StateFiles { files: &**files, sources: &read.sources, count: boundary.buffers };
        pack_read(packer, &files, before.reads, &before.requests, |place| {
            let number = leading.includes.binary_search_by_key(&place.0, |(_, quote, _)| *quote as u32);
            number.map_or_else(|_| [0, places.pack(place)], |number| [number as u32 + 1, 0])
        });
        packer.word(before.macros.len() as u32);
        before.macros.iter().for_each(|name| packer.text(name.as_bytes()));
        packer.word(before.asked.len() as u32);
        for (name, was_defined) in &before.asked {
            packer.text(name.as_bytes());
            packer.word(u32::from(*was_defined));
        }
        packer.word(before.guards.len() as u32);
        for (path, guard) in &before.guards {
            packer.text(path.as_bytes());
            packer.text(guard.as_bytes());
        }
        packer.word(before.deepest as u32);
        packer.raw(&state);
        (!places.has_lost()).then(|| Checkpoint { key, bytes: seal(std::mem::take(packer)) })
    }
}

/// The files that a state has read.
struct StateFiles<'a> {
    files: &'a dyn Files,
    sources: &'a Sources,
    /// The number of buffers that belong to the state.
    count: usize,
}

/// Packs the list of read files, with digests, after room for the digest of everything. The root's text is the first.
fn pack_read(
    packer: &mut Packer,
    files: &StateFiles<'_>,
    reads: &[String],
    requests: &BTreeMap<&str, &str>,
    included_at: impl Fn(Span) -> [u32; 2],
) {
    pack_requests(packer, files, requests);
    packer.word(files.count.saturating_sub(1) as u32);
    for buffer in files.sources.buffers().take(files.count).skip(1) {
        packer.text(buffer.name.as_bytes());
        included_at(buffer.included_at).into_iter().for_each(|word| packer.word(word));
    }
    pack_reads(packer, reads);
}

/// Packs the targets of `include`s, with digests, after room for the digest of everything.
fn pack_requests(packer: &mut Packer, files: &StateFiles<'_>, requests: &BTreeMap<&str, &str>) {
    (0..DIGEST_BYTES / 4).for_each(|_| packer.word(0));
    let texts: HashMap<&str, &Text> =
        files.sources.buffers().map(|buffer| (&*buffer.name, &buffer.text)).collect();
    packer.word(requests.len() as u32);
    for (name, path) in requests {
        packer.text(name.as_bytes());
        packer.text(path.as_bytes());
        let (digest, length) = texts.get(path).map(|text| (text.digest(), text.len())).unwrap_or_default();
        packer.text(&digest.to_le_bytes());
        packer.word(length as u32);
        pack_stamp(packer, files.files.stamp(path));
    }
}

/// Packs the paths of the files that were read, without the root's.
fn pack_reads(packer: &mut Packer, reads: &[String]) {
    let reads = reads.get(1..).unwrap_or_default();
    packer.word(reads.len() as u32);
    reads.iter().for_each(|read| packer.text(read.as_bytes()));
}

fn pack_stamp(packer: &mut Packer, stamp: Stamp) {
    let (is_known, number) = match stamp {
        Stamp::Known(number) => (1, number),
        Stamp::Absent | Stamp::Unknown => (0, 0),
    };
    packer.word(is_known);
    packer.long(number);
}

fn unpack_stamp(unpacker: &mut Unpacker<'_>) -> Option<Stamp> {
    let (is_known, number) = (unpacker.word()?, unpacker.long()?);
    Some(if is_known == 1 { Stamp::Known(number) } else { Stamp::Unknown })
}

/// Packs messages. Returns nothing if one is of a kind that only generators use.
fn pack_diagnostics(packer: &mut Packer, diagnostics: &[Diagnostic], places: &Places) -> Option<()> {
    packer.word(diagnostics.len() as u32);
    for diagnostic in diagnostics {
        let Diagnostic { severity, code, id, span, snippet, message, notes, is_bare, .. } = diagnostic;
        let Diagnostic { is_fatal, is_unended, is_tolerated, .. } = diagnostic;
        if snippet.is_some() || *is_fatal || *is_unended || *is_tolerated || *code != Code::Input {
            return None;
        }
        let severity = match severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Note => 2,
            Severity::Remark => 3,
        };
        packer.word(severity | u32::from(*is_bare) << 2);
        packer.word(places.pack(*span));
        // The number after the last id's means that there is none.
        packer.word(id.map_or(Id::ALL.len() as u32, |id| id as u32));
        packer.text(message.as_bytes());
        pack_diagnostics(packer, notes, places)?;
    }
    Some(())
}

fn unpack_diagnostics(unpacker: &mut Unpacker<'_>, places: &Places) -> Option<Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    for _ in 0..unpacker.word()? {
        let flags = unpacker.word()?;
        let severity = [Severity::Error, Severity::Warning, Severity::Note, Severity::Remark]
            .get(flags as usize % 4)
            .copied()?;
        let span = places.unpack(unpacker.word()?);
        let id = Id::ALL.get(unpacker.word()? as usize).copied();
        let message = unpacker.text()?;
        let notes = unpack_diagnostics(unpacker, places)?;
        diagnostics.push(Diagnostic {
            severity,
            id,
            notes,
            is_bare: flags & 4 != 0,
            ..Diagnostic::error(span, message)
        });
    }
    Some(diagnostics)
}

fn pack_entries(packer: &mut Packer, entries: &[Entry], places: &Places) {
    packer.word(entries.len() as u32);
    for entry in entries {
        match entry {
            Entry::Loop(Loop { span, variable, list, entries }) => {
                packer.word(0);
                packer.word(places.pack(*span));
                packer.rows(variable.iter(), |name| [name.0]);
                packer.word(list.0);
                pack_entries(packer, entries, places);
            }
            Entry::Assertion(assertion) => {
                packer.word(1);
                packer.rows([assertion].into_iter(), |assertion| pack_assertion(assertion, places));
            }
            Entry::Dump(dump) => {
                packer.word(2);
                packer.rows([dump].into_iter(), |dump| pack_dump(dump, places));
            }
            Entry::Record(record) => {
                packer.word(3);
                packer.word(record.0);
            }
        }
    }
}

/// A bound on the nesting of loops in the results of evaluation.
const MOST_DEPTH: u32 = 100_000;

fn unpack_entries(unpacker: &mut Unpacker<'_>, places: &Places, depth: u32) -> Option<Vec<Entry>> {
    if depth > MOST_DEPTH {
        return None;
    }
    let mut entries = Vec::new();
    for _ in 0..unpacker.word()? {
        entries.push(match unpacker.word()? {
            0 => Entry::Loop(Loop {
                span: places.unpack(unpacker.word()?),
                variable: unpacker.rows()?.next().map(|[name]| StrId(name)),
                list: InitId(unpacker.word()?),
                entries: unpack_entries(unpacker, places, depth + 1)?,
            }),
            1 => Entry::Assertion(unpack_assertion(unpacker.rows()?.next()?, places)),
            2 => Entry::Dump(unpack_dump(unpacker.rows()?.next()?, places)),
            3 => Entry::Record(RecordId(unpacker.word()?)),
            _ => return None,
        });
    }
    Some(entries)
}
