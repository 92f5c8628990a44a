//! Finds the errors under the newer release, makes edits that fix them, and proves properties of the edits.
//!
//! Evaluation of a root stops at its first error. If edits fix it, the root is evaluated again with these edits, until
//! it succeeds or has an error that no edit fixes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    outline::symbols::Symbols,
    report::Finding,
    review::upgrade::{
        Proof,
        causes::{CauseKind, Failure, Surroundings, is_same_error},
        edits::{self, Edit, Files, Fix},
        formats, known_fixes,
        library::LibraryPair,
    },
};

use super::{
    Request,
    project::{Evaluated, Project, Purpose},
};

/// Maximum number of errors in one root that are fixed one after the other.
const MOST_ROUNDS: usize = 48;

/// The input of the search for errors.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The roots.
    pub project: &'a Project,
    /// The libraries.
    pub libraries: LibraryPair<'a>,
    /// The project's own definitions.
    pub own: &'a Symbols,
    /// The request.
    pub request: &'a Request,
    /// The evaluation under the older release, if it is available.
    pub before: Option<&'a [Evaluated]>,
    /// Fixes that no error has to show.
    pub known: &'a [Fix],
}

/// The outcome: errors, edits and their proof.
pub struct Mended {
    /// All errors, by root.
    pub failures: Vec<Failure>,
    /// The edits, by file and place.
    pub edits: Vec<Edit>,
    /// The files that they change.
    pub edited: BTreeMap<String, Vec<u8>>,
    /// The proved property of the edits.
    pub proof: Proof,
    /// The evaluation under the newer release, with the edits made.
    pub evaluated: Vec<Evaluated>,
    /// The roots that can be read only with the edits.
    pub mended: Vec<String>,
}

/// Finds the causes of errors, and fixes those that edits can fix.
pub fn run(at: Context<'_>, mut evaluated: Vec<Evaluated>, purpose: Purpose) -> Mended {
    let Context { project, request, .. } = at;
    let bundle = &request.bundle;
    let files: Files<'_> = bundle.iter().map(|(path, bytes)| (path, &**bytes)).collect();
    let mut failures: Vec<(usize, Failure)> = Vec::new();
    let mut fixes: BTreeSet<Fix> = BTreeSet::new();
    let (mut plan, mut current) = (Vec::new(), bundle.clone());
    let failed: Vec<usize> = failing(&evaluated);
    let mut open = failed.clone();
    for round in 0..MOST_ROUNDS {
        let mut is_new = false;
        if round == 0 {
            fixes.extend(at.known.iter().cloned());
            is_new = !at.known.is_empty();
        }
        for &root in &open {
            let Some(failure) = failure(at, root, &evaluated[root], round) else { continue };
            if let Some(fix) = &failure.cause.fix {
                is_new |= fixes.insert(in_original(fix, &plan, &files));
            }
            failures.push((root, failure));
        }
        if round == 0 && is_new {
            // Known renames are fixed at once, rather than when they come up as errors one by one.
            fixes.extend(known_fixes(at.libraries, &files, at.own));
        }
        if !is_new {
            break;
        }
        let place = |it: &Evaluated, plan: &[Edit]| {
            let at = it.error.as_ref()?.location.as_ref()?;
            Some((at.file.clone(), original_line(&at.file, at.range.start.line, plan)))
        };
        let places: Vec<_> = open.iter().map(|&root| place(&evaluated[root], &plan)).collect();
        let all: Vec<Fix> = fixes.iter().cloned().collect();
        plan = edits::plan(&all, &files, at.own);
        current = with_edits(bundle, &files, &plan);
        let mut places: BTreeMap<usize, _> = open.iter().copied().zip(places).collect();
        if round == 0 && !at.known.is_empty() {
            // Roots without errors change as well.
            open = (0..evaluated.len()).collect();
        }
        let again = project.evaluate_some(&request.new, &current, (&open, purpose), request.threads);
        let mut left = Vec::new();
        for (&root, now) in open.iter().zip(again) {
            let last = std::mem::replace(&mut evaluated[root], now).error;
            // An error that is still there was not fixed by its edit. The same words about another line are another one.
            let is_moved = places.remove(&root).flatten() != place(&evaluated[root], &plan);
            let is_other =
                |error: &Finding| is_moved || last.as_ref().is_none_or(|last| !is_same_error(last, error));
            if evaluated[root].error.as_ref().is_some_and(is_other) {
                left.push(root);
            }
        }
        open = left;
    }
    let still = failing(&evaluated);
    let mended: Vec<usize> = failed.iter().copied().filter(|root| !still.contains(root)).collect();
    let proof = prove(at, &plan, &current, (&evaluated, &mended), purpose);
    // Edits that fix no root are dropped.
    let edits = if proof == Proof::Nothing { Vec::new() } else { plan };
    let touched: BTreeSet<&str> = edits.iter().map(|edit| edit.file.as_str()).collect();
    let edited =
        touched.iter().filter_map(|file| Some(((*file).to_owned(), current.get(file)?.to_vec()))).collect();
    failures.sort_by(|(a, x), (b, y)| (a, x.after).cmp(&(b, y.after)));
    Mended {
        failures: failures.into_iter().map(|(_, failure)| failure).collect(),
        edits,
        edited,
        proof,
        mended: mended.iter().map(|&root| project.roots[root].td.clone()).collect(),
        evaluated,
    }
}

fn failing(evaluated: &[Evaluated]) -> Vec<usize> {
    evaluated.iter().enumerate().filter(|(_, it)| it.error.is_some()).map(|(root, _)| root).collect()
}

fn failure(at: Context<'_>, root: usize, evaluated: &Evaluated, round: usize) -> Option<Failure> {
    let error = evaluated.error.as_ref()?;
    let location = error.location.as_ref()?;
    let before = at.before.and_then(|before| before.get(root)?.error.as_ref());
    let around =
        Surroundings { libraries: at.libraries, project: at.own, library_root: at.request.new.root() };
    Some(Failure {
        root: at.project.roots[root].td.clone(),
        file: location.file.clone(),
        line: location.range.start.line,
        column: location.range.start.column,
        message: error.message.clone(),
        after: round,
        cause: around.explain(error, before),
    })
}

/// Converts a fix from a line of the edited file to one of the original.
fn in_original(fix: &Fix, plan: &[Edit], files: &Files<'_>) -> Fix {
    let Fix::ReplaceField { file, line, old, new } = fix else { return fix.clone() };
    let line = if files.contains_key(file.as_str()) { original_line(file, *line, plan) } else { *line };
    Fix::ReplaceField { file: file.clone(), line, old: old.clone(), new: new.clone() }
}

/// Converts a line of an edited file to one of the original.
fn original_line(file: &str, line: u32, plan: &[Edit]) -> u32 {
    let mut original = i64::from(line);
    for edit in plan.iter().filter(|edit| edit.file == file) {
        let lines = |text: &str| text.matches('\n').count() as i64;
        let added = lines(&edit.new) - lines(&edit.old);
        // The plan's lines are those of the original. A line that is added comes after the edit's own.
        let own = i64::from(edit.line);
        if own < original || own == original && added < 0 {
            original -= added;
        }
    }
    u32::try_from(original).unwrap_or(line)
}

fn with_edits(bundle: &Bundle, files: &Files<'_>, plan: &[Edit]) -> Bundle {
    let mut edited = bundle.clone();
    for of_file in plan.chunk_by(|a, b| a.file == b.file) {
        if let Some(text) = files.get(of_file[0].file.as_str()) {
            edited.insert(of_file[0].file.clone(), edits::apply(text, of_file.iter()));
        }
    }
    edited
}

fn prove(
    at: Context<'_>,
    plan: &[Edit],
    current: &Bundle,
    (evaluated, mended): (&[Evaluated], &[usize]),
    purpose: Purpose,
) -> Proof {
    if plan.is_empty() {
        return Proof::NoEdits;
    }
    if mended.is_empty() && at.known.is_empty() {
        return Proof::Nothing;
    }
    let Context { project, request, before, .. } = at;
    // Roots without errors may read an edited file as well.
    let touched: BTreeSet<&str> = plan.iter().map(|edit| edit.file.as_str()).collect();
    let reads = |it: &Evaluated| it.reads.iter().any(|file| touched.contains(file.as_str()));
    let others: Vec<usize> = (0..evaluated.len())
        .filter(|root| evaluated[*root].error.is_none() && !mended.contains(root) && reads(&evaluated[*root]))
        .collect();
    let again = project.evaluate_some(&request.new, current, (&others, Purpose::Records), request.threads);
    if again.iter().any(|it| it.error.is_some()) {
        return Proof::PartlyRead;
    }
    let is_new = |kind: CauseKind| !matches!(kind, CauseKind::Part | CauseKind::Before);
    let is_open = (0..evaluated.len())
        .any(|root| failure(at, root, &evaluated[root], 0).is_some_and(|failure| is_new(failure.cause.kind)));
    if is_open {
        return Proof::PartlyRead;
    }
    let (Ok(old), Some(before)) = (&request.old, before) else { return Proof::Read };
    if purpose == Purpose::Records {
        return Proof::Read;
    }
    let is_edited =
        |root: &usize| reads(&before[*root]) || evaluated[*root].error.is_none() && reads(&evaluated[*root]);
    let of_edits: Vec<usize> = (0..before.len().min(evaluated.len())).filter(is_edited).collect();
    let same = project.evaluate_some(old, current, (&of_edits, purpose), request.threads);
    let pairs = || of_edits.iter().zip(&same).map(|(root, now)| (&before[*root], now));
    // A root with an error, such as one of a single generator, has to keep it. Without any root, nothing is proved.
    let message = |it: &'_ Evaluated| it.error.as_ref().map(|error| error.message.clone());
    if of_edits.is_empty() || pairs().any(|(before, now)| message(before) != message(now)) {
        return Proof::Read;
    }
    if pairs().all(|(before, now)| now.outputs == before.outputs) {
        return Proof::SameOutputs;
    }
    match pairs().all(|(before, now)| differs_in_assembly_alone(&before.outputs, &now.outputs)) {
        true => Proof::SameButAssembly,
        false => Proof::Read,
    }
}

/// Returns true if outputs are the same but for parsers and printers.
fn differs_in_assembly_alone(before: &[(String, Arc<[u8]>)], now: &[(String, Arc<[u8]>)]) -> bool {
    let rest = formats::without_parsers_and_printers;
    let mut pairs = before.iter().zip(now);
    before.len() == now.len()
        && pairs.all(|(old, new)| old.0 == new.0 && (old.1 == new.1 || rest(&old.1) == rest(&new.1)))
}
