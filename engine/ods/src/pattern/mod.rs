//! Declarative rewrite patterns: class `Pattern`.
//!
//! A pattern is read in the order in which the reference looks at it, so that the first error is the same:
//!
//! 1. the root, the operations that the result patterns name, the benefit;
//! 2. [`symbols`]: the names that the source pattern binds;
//! 3. [`source`]: the tree of operations and calls that must match;
//! 4. [`constraint`]: the additional constraints;
//! 5. the names that the result patterns bind;
//! 6. [`rewrite`]: the operations and calls, in order, that replace the match.
//!
//! | file | what |
//! | --- | --- |
//! | [`definition`] | a pattern as written, unchecked |
//! | `dag` | nodes and leaves of the dags, as written |
//! | [`native`] | calls of native code and their placeholders |
//! | `hash_order` | the order in which the reference keeps symbols |
//! | `read_source`, `read_rewrite` | readers of matchers and rewrites |
//! | `bind` | the symbols of a dag |
//! | `shared` | parts of source patterns that occur more than once |
//!
//! Values are C++ expressions in variables whose names are chosen here; the generator writes the code around them.

mod bind;
pub mod constraint;
mod dag;
pub mod definition;
mod hash_order;
pub mod native;
mod read_rewrite;
mod read_source;
pub mod rewrite;
mod shared;
pub mod source;
pub mod symbols;

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    sync::{Arc, PoisonError, RwLock},
};

use rustc_hash::FxBuildHasher;

use super::Operation;
use dag::Node;
use native::Placeholders;
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    parallel::{self, Spare},
    record::{Rec, RecordId, Val, View, name},
    span::Span,
};
use shared::SharedDags;
use symbols::OperandPosition;

pub use constraint::PatternConstraint;
pub use definition::{Callee, PatternDef};
pub use native::NativeCall;
pub use rewrite::{Creation, CreationArgument, Replacement, ResultTypes, ReturnedType, Rewrite, Step};
pub use source::{
    ArgumentMatch, AttributeMatch, ElementMatch, LeafCapture, Matcher, NativeMatch, OpMatch, OperandMatch,
    OperandSource, PropertyMatch, SharedCall,
};
pub use symbols::{Entity, Symbol, Symbols};

/// A rewrite pattern.
#[derive(Debug)]
pub struct Pattern<'r> {
    /// The record.
    pub rec: Rec<'r>,
    /// The operation that the source pattern begins with.
    pub root: Arc<Operation<'r>>,
    /// The benefit beyond the number of matched operations.
    pub benefit_delta: i32,
    /// The number of matched operations.
    pub matched_ops: usize,
    /// The full names of the operations in the result patterns.
    pub generated_ops: BTreeSet<String>,
    /// The symbols of the source pattern.
    pub symbols: Symbols<'r>,
    /// The matcher of the source pattern.
    pub source: Matcher<'r>,
    /// The additional constraints.
    pub constraints: Vec<PatternConstraint<'r>>,
    /// The replacement.
    pub rewrite: Rewrite<'r>,
}

/// A part of source patterns that occurs more than once.
#[derive(Debug)]
pub struct SharedMatch<'r> {
    /// Its symbols.
    pub symbols: Symbols<'r>,
    /// Its matcher.
    pub matcher: Matcher<'r>,
}

/// All patterns of a file.
#[derive(Debug)]
pub struct Patterns<'r> {
    /// Constraints on types, attributes and properties that appear in source patterns, in order of their first use.
    pub constraints: Vec<crate::Constraint<'r>>,
    /// Parts of source patterns that occur more than once; a part of another one comes before it.
    pub shared: Vec<SharedMatch<'r>>,
    /// The patterns, in natural order of their record names.
    pub patterns: Vec<Pattern<'r>>,
}

impl<'r> Patterns<'r> {
    /// Reads all patterns of `reader`, with the help of idle threads.
    ///
    /// # Errors
    /// The first rule that a pattern breaks.
    pub fn new(reader: PatternReader<'r>, spare: &Spare) -> Result<Self, Diagnostic> {
        let patterns = parallel::map_on(spare, &reader.recs, |&rec| reader.pattern(rec));
        let patterns = patterns.into_iter().collect::<Result<_, _>>()?;
        let PatternReader { cx, shared, .. } = reader;
        Ok(Patterns { constraints: cx.shared.constraints, shared, patterns })
    }
}

/// A reader of patterns, with the data that all patterns of a file share.
#[derive(Debug)]
pub struct PatternReader<'r> {
    recs: Vec<Rec<'r>>,
    cx: Cx<'r>,
    shared: Vec<SharedMatch<'r>>,
}

impl<'r> PatternReader<'r> {
    /// Collects the parts that the patterns in these records share.
    ///
    /// # Errors
    /// The first rule that a source pattern breaks.
    pub fn new(records: impl Iterator<Item = Rec<'r>>) -> Result<Self, Diagnostic> {
        let recs: Vec<Rec<'r>> = records.collect();
        let mut cx = Cx { ops: RwLock::default(), shared: SharedDags::default(), parameters: Vec::new() };
        let is_shared = |rec: &&Rec<'r>| rec.records().rules().has(Change::SharedMatchers);
        for &rec in recs.iter().filter(is_shared) {
            let root = Node::of_field(rec, name!("sourcePattern"))?;
            cx.shared.add(rec, root)?;
        }
        let shared = cx.shared.finish();
        let shared =
            shared.into_iter().map(|(rec, node)| cx.shared_match(rec, node)).collect::<Result<_, _>>()?;
        Ok(PatternReader { recs, cx, shared })
    }

    /// Returns the records.
    #[must_use]
    pub fn recs(&self) -> &[Rec<'r>] {
        &self.recs
    }

    /// Returns [`Patterns::constraints`].
    #[must_use]
    pub fn constraints(&self) -> &[crate::Constraint<'r>] {
        &self.cx.shared.constraints
    }

    /// Returns [`Patterns::shared`].
    #[must_use]
    pub fn shared(&self) -> &[SharedMatch<'r>] {
        &self.shared
    }

    /// Reads a pattern.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn pattern(&self, rec: Rec<'r>) -> Result<Pattern<'r>, Diagnostic> {
        self.cx.pattern(rec)
    }
}

/// The data that all patterns of a file share.
#[derive(Debug)]
struct Cx<'r> {
    ops: RwLock<HashMap<RecordId, Arc<Operation<'r>>, FxBuildHasher>>,
    shared: SharedDags<'r>,
    /// The names and positions of the symbols of each shared part.
    parameters: Vec<Vec<(Cow<'r, str>, Option<OperandPosition<'r>>)>>,
}

impl<'r> Cx<'r> {
    fn op(&self, rec: Rec<'r>) -> Result<Arc<Operation<'r>>, Diagnostic> {
        // The map is consistent even if a thread panicked: an operation is inserted once it is complete.
        if let Some(op) = self.ops.read().unwrap_or_else(PoisonError::into_inner).get(&rec.id()) {
            return Ok(op.clone());
        }
        let op = Arc::new(Operation::named(rec)?);
        let mut ops = self.ops.write().unwrap_or_else(PoisonError::into_inner);
        Ok(ops.entry(rec.id()).or_insert(op).clone())
    }

    fn shared_match(&mut self, rec: Rec<'r>, node: Node<'r>) -> Result<SharedMatch<'r>, Diagnostic> {
        let mut reader = Reader::new(rec, self);
        reader.bind_source(node)?;
        let matcher = reader.read_shared(node)?;
        let symbols = reader.symbols;
        self.parameters.push(symbols.positions().collect());
        Ok(SharedMatch { symbols, matcher })
    }

    fn pattern(&self, rec: Rec<'r>) -> Result<Pattern<'r>, Diagnostic> {
        let source = Node::of_field(rec, name!("sourcePattern"))?;
        let nodes = |field: &str| -> Result<Vec<Node<'r>>, Diagnostic> {
            rec.list(field)?.map(|value| Node::new(rec, value)).collect()
        };
        let results = nodes("resultPatterns")?;
        let supplemental = match rec.records().rules().has(Change::SupplementalPatterns) {
            true => nodes("supplementalPatterns")?,
            false => Vec::new(),
        };
        let mut reader = Reader::new(rec, self);
        let root = reader.cx.op(source.operator)?;
        let generated_ops = reader.generated_ops(&results)?;
        let benefit_delta = benefit_delta(rec)?;
        reader.bind_source(source)?;
        let source_symbols = reader.symbols.clone();
        let matcher = reader.read_root(source)?;
        let constraints = reader.read_constraints()?;
        reader.bind_results(&results)?;
        let rewrite = reader.read_rewrite(&root, &results, &supplemental)?;
        let matched_ops = reader.matched_ops;
        source_symbols.check_captured()?;
        Ok(Pattern {
            rec,
            root,
            benefit_delta,
            matched_ops,
            generated_ops,
            symbols: source_symbols,
            source: matcher,
            constraints,
            rewrite,
        })
    }
}

/// Reads `(addBenefit n)`.
fn benefit_delta(rec: Rec<'_>) -> Result<i32, Diagnostic> {
    let dag = rec.dag(name!("benefitDelta"))?;
    let benefit = if dag.len() == 1 { dag.arg(0).map(Val::view) } else { None };
    match benefit {
        // As in the reference, the benefit is an `int` that wraps around.
        Some(View::Int(benefit)) => Ok(benefit as i32),
        _ => Err(error(rec, "The 'addBenefit' takes and only takes one integer value")),
    }
}

/// A reader of one pattern or one shared part.
struct Reader<'r, 'a> {
    rec: Rec<'r>,
    cx: &'a Cx<'r>,
    symbols: Symbols<'r>,
    placeholders: Placeholders,
    /// The next number for the variable of a created value.
    next: usize,
    matched_ops: usize,
    /// The number of operations read so far that define operands.
    defining: usize,
}

impl<'r, 'a> Reader<'r, 'a> {
    fn new(rec: Rec<'r>, cx: &'a Cx<'r>) -> Self {
        Reader {
            rec,
            cx,
            symbols: Symbols::new(rec),
            placeholders: Placeholders::default(),
            next: 0,
            matched_ops: 0,
            defining: 0,
        }
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        error(self.rec, message)
    }
}

/// Returns an error at a pattern; for a pattern from a `defm`, with notes at the `defm`s.
fn error(rec: Rec<'_>, message: impl Into<String>) -> Diagnostic {
    let places = rec.record().spans.iter().skip(1);
    places.fold(Diagnostic::error(rec.span(), message), |error, &place| {
        error.note(place, "instantiated from multiclass")
    })
}

/// Returns an error without a position, where the reference gives none.
fn error_nowhere(message: &str) -> Diagnostic {
    Diagnostic::error(Span::NONE, message)
}
