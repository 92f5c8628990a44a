//! Snapshots: the state behind the `include`s that a root begins with.
//!
//! Most of a small job is spent on the library that it includes first. A [`Snapshot`] is everything that those
//! `include`s left behind, frozen; a job that begins alike starts there and writes to overlays of its own. Records,
//! numbers and messages are the same with and without one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Evaluator, entry::Multiclass};
use crate::{
    diagnostic::Diagnostic,
    limits::Meter,
    record::{
        InitId, StrId, TypeId,
        keeper::{Keeper, KeeperBase, Map, Overlay},
        layer::{Layer, LayerBase},
    },
    source::{Files, Sources},
    span::Span,
    syntax::{IncludePaths, Leading, Lexer, Read},
};

/// A frozen state of evaluation.
#[derive(Debug)]
pub struct Snapshot {
    keeper: KeeperBase,
    multiclasses: LayerBase<Arc<Multiclass>>,
    types: Arc<Map<StrId, TypeId>>,
    instances: Arc<Map<InitId, InitId>>,
    instance_spans: Arc<Map<InitId, Span>>,
    read: Read,
    diagnostics: Vec<Diagnostic>,
    warnings_of_unused: bool,
    fuel: u64,
}

/// Snapshots by the names that were included.
#[derive(Debug, Default)]
pub struct Snapshots {
    by_names: Mutex<HashMap<Vec<String>, Vec<Arc<Snapshot>>>>,
}

/// A store of snapshots, and whose files its snapshots may have read.
pub struct Tier<'a> {
    /// The store.
    pub snapshots: &'a Snapshots,
    /// Whether the store's users all see the same file at this path.
    pub shares: &'a dyn Fn(&str) -> bool,
}

/// At most so many snapshots are kept; then all are dropped and made anew as they are asked for.
const KEPT: usize = 256;

impl Snapshots {
    fn find(&self, names: &[String], fits: impl Fn(&Snapshot) -> bool) -> Option<Arc<Snapshot>> {
        let known = self.by_names.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(names)?.iter().find(|snapshot| fits(snapshot)).cloned()
    }

    fn keep(&self, names: &[String], snapshot: &Arc<Snapshot>) {
        let mut known = self.by_names.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT {
            known.clear();
        }
        known.entry(names.to_vec()).or_default().push(Arc::clone(snapshot));
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
    pub operators: fn(&str) -> Option<u8>,
    /// Whether unused template arguments are warned of.
    pub warns_of_unused: bool,
}

impl<'f> Input<'f> {
    fn lexer(&self, root: &str, text: &Arc<[u8]>) -> Lexer<'f> {
        Lexer::new(
            self.files,
            self.paths.clone(),
            self.macros.clone(),
            self.operators,
            root,
            Arc::clone(text),
        )
    }

    /// An evaluator at the beginning of a root, without any snapshot.
    #[must_use]
    pub fn start(&self, root: &str, text: &Arc<[u8]>, meter: Meter) -> Evaluator<'f> {
        Evaluator::new(self.lexer(root, text), Keeper::default(), meter, self.warns_of_unused)
    }

    /// An evaluator behind as many of the root's leading `include`s as lead to files that a tier shares.
    ///
    /// Snapshots that are missing are made, and kept in the first tier that shares all their files.
    #[must_use]
    pub fn start_on(&self, tiers: &[Tier<'_>], root: &str, text: &Arc<[u8]>, meter: Meter) -> Evaluator<'f> {
        let leading = Leading::of(text);
        let mut names: Vec<String> = Vec::new();
        let mut base: Option<Arc<Snapshot>> = None;
        let is_guarded_already = leading.guard.as_ref().is_some_and(|(guard, _)| self.macros.contains(guard));
        let includes = if is_guarded_already { &[][..] } else { &leading.includes[..] };
        for (name, ..) in includes {
            let Some((path, _)) = self.paths.find(self.files, name) else { break };
            if !tiers.iter().any(|tier| (tier.shares)(&path)) {
                break;
            }
            names.push(name.clone());
            let guard = leading.guard.as_ref().map(|(guard, _)| guard.as_str());
            let fits = |snapshot: &Snapshot| self.fits(snapshot, guard);
            let found = tiers.iter().find_map(|tier| tier.snapshots.find(&names, fits));
            let next = found.or_else(|| {
                let made = Arc::new(self.make(name, names.len() - 1, base.as_deref(), &meter)?);
                let is_shared =
                    |tier: &&Tier<'_>| made.read.requests.values().all(|path| (tier.shares)(path));
                let tier = tiers.iter().find(is_shared)?;
                if !fits(&made) {
                    return None;
                }
                tier.snapshots.keep(&names, &made);
                Some(made)
            });
            let Some(next) = next else {
                names.pop();
                break;
            };
            base = Some(next);
        }
        match base {
            None => self.start(root, text, meter),
            Some(base) => self.resume(&base, &leading, names.len(), root, text, meter),
        }
    }

    /// Whether a snapshot is what its `include`s would give here.
    fn fits(&self, snapshot: &Snapshot, guard: Option<&str>) -> bool {
        let is_defined = |name: &str| self.macros.iter().any(|known| known == name) || guard == Some(name);
        snapshot.warnings_of_unused == self.warns_of_unused
            && snapshot.read.asked.iter().all(|(name, &was_defined)| is_defined(name) == was_defined)
            && snapshot.read.requests.iter().all(|(name, path)| {
                self.paths.find(self.files, name).is_some_and(|(found, _)| found == *path)
            })
    }

    /// The state behind one more `include`; nothing if that does not go without an error.
    fn make(&self, name: &str, number: usize, base: Option<&Snapshot>, meter: &Meter) -> Option<Snapshot> {
        let root: Arc<[u8]> = format!("include \"{name}\"\n").into_bytes().into();
        let meter = meter.fresh();
        let mut evaluator = match base {
            None => self.start("", &root, meter),
            Some(base) => self.resume(base, &Leading::default(), 0, "", &root, meter),
        };
        evaluator.file().ok()?;
        (evaluator.error_count == 0).then(|| evaluator.freeze(number, &self.macros))
    }

    fn resume(
        &self,
        base: &Snapshot,
        leading: &Leading,
        count: usize,
        root: &str,
        text: &Arc<[u8]>,
        mut meter: Meter,
    ) -> Evaluator<'f> {
        let mut lexer = self.lexer(root, text);
        let taken = &leading.includes[..count];
        let (mut at, mut controls) = (0, Vec::new());
        if let Some((_, _, end)) = taken.last() {
            at = *end;
            controls.extend(leading.guard.iter().map(|&(_, at)| at));
            lexer.define(leading.guard.iter().map(|(guard, _)| guard.clone()));
        }
        lexer.resume(&base.read, root, Arc::clone(text), at, &controls);
        let start = lexer.sources.root().map_or(0, |root| root.start);
        lexer.sources.set_anchors(taken.iter().map(|&(_, quote, _)| Span(start + quote as u32)).collect());
        meter.take_over(base.fuel);
        let mut evaluator = Evaluator::on(base, lexer, meter, self.warns_of_unused);
        evaluator.diagnostics.splice(0..0, base.diagnostics.iter().cloned());
        evaluator
    }
}

impl<'f> Evaluator<'f> {
    fn on(base: &Snapshot, lexer: Lexer<'f>, meter: Meter, warns_of_unused_args: bool) -> Self {
        let mut evaluator = Evaluator::new(lexer, Keeper::above(&base.keeper), meter, warns_of_unused_args);
        evaluator.multiclasses = Layer::above(&base.multiclasses);
        evaluator.types = Overlay::above(&base.types);
        evaluator.instances = Overlay::above(&base.instances);
        evaluator.instance_spans = Overlay::above(&base.instance_spans);
        evaluator
    }

    fn freeze(self, number: usize, outside: &[String]) -> Snapshot {
        let mut read = self.lexer.into_read();
        let sources = std::mem::take(&mut read.sources);
        read.sources = Sources::above(&sources.into_base(Span::anchor(number)));
        // The root that only includes is nobody's file, and macros from outside are each job's own.
        read.reads.retain(|path| !path.is_empty());
        read.macros.retain(|name| !outside.contains(name));
        Snapshot {
            keeper: self.keeper.into_base(),
            multiclasses: self.multiclasses.freeze(),
            types: self.types.freeze(),
            instances: self.instances.freeze(),
            instance_spans: self.instance_spans.freeze(),
            read,
            diagnostics: self.diagnostics,
            warnings_of_unused: self.warns_of_unused_args,
            fuel: self.meter.fuel_used(),
        }
    }
}
