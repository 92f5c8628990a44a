//! A project under two releases: the report of `odsmith upgrade`.
//!
//! * `project`: the roots of a project with their settings, and evaluation over a library;
//! * `mend`: errors under the newer release with their causes, edits that fix them, and the proof of these;
//! * `steps`: the effect of each change of a release on some outputs;
//! * `definitions`: the library's own definitions in both releases;
//! * `texts`: IR as text, rewritten by the definitions of both.

mod definitions;
mod mend;
mod project;
mod steps;
mod texts;

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZero,
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    cancel::Cancel,
    library::Library,
    limits::Limits,
    outline::symbols::Symbols,
    record::Rec,
    review::{
        diff,
        upgrade::{
            self, Proof, Reading, SCHEMA, Upgrade,
            cpp::CppUpgrade,
            edits::Fix,
            formats::{self, Formats},
            generated::{FilePair, Generated, Names, group},
            library::LibraryPair,
            methods::UnimplementedMethods,
            narrowed::{NarrowedConstraint, narrowed},
            stale::Judge,
            texts::{merged, uses_in_texts},
            upstream::{self, Mentions},
        },
    },
};

pub use self::project::Project;
use self::{
    mend::Mended,
    project::{Evaluated, Purpose},
    texts::Rewritten,
};

/// Maximum number of files that are generated step by step to show the causes of changed lines.
const MOST_REPRESENTATIVES: usize = 3;

/// A file with an MLIR program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path below the project.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The input of a report.
#[derive(Clone, Debug)]
pub struct Request {
    /// The `.td` files.
    pub bundle: Bundle,
    /// Include folders, besides those that are inferred.
    pub includes: Vec<String>,
    /// Roots whose errors do not count.
    pub ignore_errors: Vec<String>,
    /// True if errors of no root count.
    pub keep_going: bool,
    /// The older library, or the reason why it is not available.
    pub old: Result<Arc<Library>, String>,
    /// The older release.
    pub from: u8,
    /// The newer library.
    pub new: Arc<Library>,
    /// True if each file is a root.
    pub each_file: bool,
    /// True if generated files are compared.
    pub generates: bool,
    /// True if all of MLIR's definitions are compared, rather than those in the files that the project includes.
    pub whole_library: bool,
    /// Files with MLIR programs.
    pub programs: Vec<Program>,
    /// The commit of LLVM that the project pins.
    pub pin: Option<String>,
    /// C++ files.
    pub cpp: Vec<Vec<u8>>,
    /// Number of threads.
    pub threads: NonZero<usize>,
    /// Limits of each root.
    pub limits: Limits,
    /// Stops the work.
    pub cancel: Cancel,
}

/// A report, and the edited files.
#[derive(Debug)]
pub struct Answer {
    /// The report.
    pub report: Upgrade,
    /// The files that the edits change, with the edits made.
    pub edited: BTreeMap<String, Vec<u8>>,
}

/// Returns a library's own definitions of MLIR.
fn symbols(library: &Library) -> Symbols {
    let own = library.files().filter(|(path, _)| path.starts_with("mlir/"));
    Symbols::of(own.map(|(path, bytes)| (path, &**bytes)))
}

/// Makes the report.
///
/// # Errors
/// The manifest is wrong, or the project has no roots.
pub fn report(request: &Request) -> Result<Answer, String> {
    let Request { bundle, new, from, threads, .. } = request;
    let to = new.release().number();
    let old = request.old.as_ref().ok();
    let outlines = [old.map(|old| symbols(old)).unwrap_or_default(), symbols(new)];
    let libraries = LibraryPair { old: &outlines[0], new: &outlines[1], from: *from, to };
    let project = Project::new(bundle, new, request)?;
    let files: upgrade::edits::Files<'_> = bundle.iter().map(|(path, bytes)| (path, &**bytes)).collect();
    let own = Symbols::heads_of(
        files.iter().filter(|(path, _)| path.ends_with(".td")).map(|(path, text)| (*path, *text)),
    );
    let purpose = if request.generates && old.is_some() { Purpose::Outputs } else { Purpose::Records };

    let before = old.map(|old| project.evaluate(old, bundle, purpose, *threads));
    let after = project.evaluate(new, bundle, purpose, *threads);
    stop_if_cancelled(request)?;
    let mut notes = Vec::new();
    let formats = formats_of(before.as_deref(), &after, &files, libraries);
    let read =
        before.as_deref().unwrap_or_default().iter().chain(&after).filter_map(|it| it.records.as_deref());
    let classes = upgrade::cpp::classes(read);
    let cpp = upgrade::cpp::uses(&files, CppUpgrade { from: *from, to, classes: &classes });
    let mut known: Vec<Fix> = formats.unbound.iter().filter_map(|op| op.fix.clone()).collect();
    known.extend(upgrade::cpp::fixes(&cpp));
    let mut dated = upgrade::dated_uses(libraries, &files, &own);
    known.extend(upgrade::fixes_of_deprecated(&dated, libraries));
    let unimplemented = unimplemented_methods(before.as_deref().unwrap_or_default(), &after, &files, to);
    known.extend(unimplemented.iter().filter_map(|it| it.fix.clone()));
    let before_all = before.as_deref();
    let at =
        mend::Context { project: &project, libraries, own: &own, request, before: before_all, known: &known };
    let Mended { failures, edits, mut edited, proof, evaluated: after, mended } =
        mend::run(at, after, purpose);
    let mut reading = Reading {
        roots: project.roots.len(),
        read: project.roots.len() - failures.iter().map(|it| &it.root).collect::<BTreeSet<_>>().len(),
        mended,
        failures,
        unmade: after.iter().map(|root| root.unmade).sum(),
    };
    let generated = match (&before, old) {
        (Some(before), Some(old)) if purpose == Purpose::Outputs => {
            let bundle = with_files(bundle, &edited);
            Some(compare_outputs(request, (&project, &bundle), (old, before), &after))
        }
        _ => None,
    };
    stop_if_cancelled(request)?;
    let mut mentions = Mentions { td: upgrade::words_of_td(&files), ..Mentions::default() };
    request.cpp.iter().for_each(|text| upgrade::add_words_of_cpp(text, &mut mentions));
    let mut upstream = None;
    let mut programs = Vec::new();
    let mut rewritten = Rewritten::default();
    match &request.old {
        Ok(old) => {
            let is_whole = request.whole_library || !request.programs.is_empty();
            let roots = if is_whole { definitions::all_roots } else { definitions::included_roots };
            let sides = [(old, &outlines[0]), (new, &outlines[1])];
            let mut included = sides.map(|(_, outline)| roots(outline, bundle));
            // A file that moved is where the newer release has it.
            let moved = included[0].iter().filter(|path| !included[1].contains(path));
            let moved: Vec<String> =
                moved.filter_map(|path| libraries.fate_of_file(path).and_then(|fate| fate.to)).collect();
            included[1].extend(moved);
            included[1].sort();
            included[1].dedup();
            let [old, new] = [0, 1].map(|at| {
                definitions::document(sides[at].0, &included[at], *threads, &request.cancel)
            });
            let ((old, old_records), (new, new_records)) = (old?, new?);
            let own = |side: &[Evaluated]| side.iter().filter_map(|it| it.records.clone()).collect::<Vec<_>>();
            let old_records = [own(before.as_deref().unwrap_or_default()), old_records].concat();
            let new_records = [own(&after), new_records].concat();
            rewritten = texts::rewritten(
                &request.programs,
                [&old_records, &new_records],
                (*threads, &request.cancel),
            );
            stop_if_cancelled(request)?;
            drop((old_records, new_records));
            let comparison = diff::compare(&old, &new, &diff::Options::default());
            let judge = Judge::new(&comparison, to);
            for Program { path, bytes } in &request.programs {
                let names: BTreeSet<String> = if path.ends_with(".mlir") {
                    let written = upgrade::stale::operations_of_text(bytes);
                    programs.push(judge.text(path, bytes));
                    written.generic.union(&written.custom).cloned().collect()
                } else {
                    programs.push(judge.bytecode(path, bytes));
                    upgrade::bytecode::read(bytes).map(|it| it.operations).unwrap_or_default()
                };
                for name in names {
                    *mentions.operations.entry(name).or_default() += 1;
                }
            }
            for failure in &mut reading.failures {
                let line = files.get(failure.file.as_str()).map(|text| line_of(text, failure.line));
                failure.explain_by(&comparison, [&old, &new], line.as_deref().unwrap_or_default());
            }
            upstream = Some(upstream::changes(&comparison, [&old, &new], libraries, &mentions));
        }
        Err(reason) => notes.push(format!(
            "what changes in generated files, in MLIR and in programs: that takes the library of MLIR {from}: {reason}"
        )),
    }
    notes.extend(unread_before(&project, before.as_deref().unwrap_or_default(), &after, *from));
    let narrowed = narrowed_constraints(request, before.as_deref().unwrap_or_default(), &after, &mentions);
    dated.extend(upgrade::uses_of_cpp(&cpp));
    dated.extend(upgrade::uses_of_defaults(&unimplemented, to));
    dated.extend(upgrade::use_of_unbound(&formats.unbound));
    dated.extend(uses_in_texts(rewritten.uses));
    let proof = if edits.is_empty() && !rewritten.edits.is_empty() { Proof::Texts } else { proof };
    let edits = merged(edits, rewritten.edits);
    edited.extend(rewritten.edited);
    let report = Upgrade {
        schema: SCHEMA,
        from: from.to_string(),
        to: to.to_string(),
        pin: request.pin.clone(),
        files: files.keys().filter(|path| path.ends_with(".td")).count(),
        reading,
        dated,
        formats,
        edits,
        proof,
        generated,
        upstream,
        narrowed,
        programs,
        notes,
    };
    Ok(Answer { report, edited })
}

/// Says of which roots the effects of the upgrade are not known, as the older release does not read them. Those that the newer
/// one does not read either have their errors in the report.
fn unread_before(project: &Project, before: &[Evaluated], after: &[Evaluated], from: u8) -> Vec<String> {
    let pairs = project.roots.iter().zip(before).zip(after);
    let unread = pairs.filter(|(_, after)| after.error.is_none()).filter_map(|((root, before), _)| {
        let error = before.error.as_ref()?;
        let place = error.location.as_ref().filter(|at| at.range.start.line > 0);
        let place = place.map_or_else(|| root.td.clone(), |at| format!("{}:{}", at.file, at.range.start.line));
        let td = &root.td;
        Some(format!(
            "what changes for {td}: MLIR {from} does not read it, so that nothing can be compared ({place}: {})",
            error.message
        ))
    });
    unread.collect()
}

/// Returns a line of a text, from 1.
fn line_of(text: &[u8], line: u32) -> String {
    let at = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let line = text.split(|byte| *byte == b'\n').nth(at).unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}

/// Returns the operations that have to implement methods under the newer release, each once.
fn unimplemented_methods(
    before: &[Evaluated],
    after: &[Evaluated],
    files: &upgrade::edits::Files<'_>,
    to: u8,
) -> Vec<UnimplementedMethods> {
    let mut all: Vec<UnimplementedMethods> = Vec::new();
    for (old, new) in before.iter().zip(after) {
        if let (Some(old), Some(new)) = (old.records.as_deref(), new.records.as_deref()) {
            let found = upgrade::methods::unimplemented_methods(old, new, files, to);
            all.extend(found.into_iter().filter(|it| !all.contains(it)).collect::<Vec<_>>());
        }
    }
    all
}

/// Returns the constraints of MLIR that the project names and that take fewer types under the newer release.
fn narrowed_constraints(
    request: &Request,
    before: &[Evaluated],
    after: &[Evaluated],
    mentions: &Mentions,
) -> Vec<NarrowedConstraint> {
    let Ok(library) = &request.old else { return Vec::new() };
    let roots = [library.root(), request.new.root()];
    let is_of_library = |rec: Rec<'_>| {
        let buffer = rec.records().sources().buffer_of(rec.span());
        buffer.is_some_and(|buffer| roots.iter().any(|root| buffer.name.starts_with(root)))
    };
    let mut all: Vec<NarrowedConstraint> = Vec::new();
    for (old, new) in before.iter().zip(after) {
        if let (Some(old), Some(new)) = (old.records.as_deref(), new.records.as_deref()) {
            all.extend(narrowed(old, new, &mentions.td, &is_of_library));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Returns the formats that the newer release refuses, and the texts that it writes otherwise.
fn formats_of(
    before: Option<&[Evaluated]>,
    after: &[Evaluated],
    files: &upgrade::edits::Files<'_>,
    libraries: LibraryPair<'_>,
) -> Formats {
    let mut formats = Formats::default();
    let LibraryPair { from, to, .. } = libraries;
    let is_crossed = upgrade::formats_row().is_some_and(|row| row.is_in(to) && !row.is_in(from));
    for (root, new) in after.iter().enumerate() {
        let old = before.and_then(|before| before.get(root)?.records.as_deref());
        let records = old.or(new.records.as_deref()).filter(|_| is_crossed);
        formats.unbound.extend(records.map(|records| formats::unbound(records, files)).unwrap_or_default());
        if let (Some(old), Some(new)) = (old, new.records.as_deref()) {
            formats.changed.extend(formats::changed(old, new, files));
        }
    }
    // Several roots may include a file.
    formats.unbound.sort();
    formats.unbound.dedup();
    formats.changed.sort();
    formats.changed.dedup_by(|later, first| {
        let is_same = later.record == first.record;
        if is_same {
            first.operations.append(&mut later.operations);
            first.operations.sort();
            first.operations.dedup();
        }
        is_same
    });
    formats
}

/// Returns an error if the request was cancelled: half a report is no report.
fn stop_if_cancelled(request: &Request) -> Result<(), String> {
    if request.cancel.is_cancelled() { Err("the report was given up".to_owned()) } else { Ok(()) }
}

/// Returns a bundle with some files replaced.
fn with_files(bundle: &Bundle, files: &BTreeMap<String, Vec<u8>>) -> Bundle {
    let mut bundle = bundle.clone();
    for (path, bytes) in files {
        bundle.insert(path.clone(), bytes.clone());
    }
    bundle
}

/// Returns the differences in the outputs of both releases, with the causes that some of them show.
fn compare_outputs(
    request: &Request,
    (project, edited): (&Project, &Bundle),
    (old, before): (&Arc<Library>, &[Evaluated]),
    after: &[Evaluated],
) -> Generated {
    let read =
        after.iter().zip(before).map(|(after, before)| if after.records.is_some() { after } else { before });
    let document = definitions::of_records(&request.new, read);
    let names = document.as_deref().map(Names::of).unwrap_or_default();
    let outputs = |side: &'_ [Evaluated]| -> BTreeMap<String, Arc<[u8]>> {
        side.iter()
            .flat_map(|root| root.outputs.iter().map(|(path, bytes)| (path.clone(), bytes.clone())))
            .collect()
    };
    let (olds, news) = (outputs(before), outputs(after));
    let pairs =
        || olds.iter().filter_map(|(path, old)| news.get(path).map(|new| FilePair { path, old, new }));
    let shapes = names.shapes(pairs());
    let chosen = shapes.representatives(MOST_REPRESENTATIVES);
    let roots: BTreeSet<usize> = chosen
        .iter()
        .filter_map(|path| before.iter().position(|root| root.outputs.iter().any(|(own, _)| own == path)))
        .collect();
    let roots: Vec<usize> = roots.into_iter().collect();
    let route =
        steps::Route { project, bundle: &request.bundle, edited, old, new: &request.new, roots: &roots };
    let steps = steps::run(route, &names, (&olds, &news), request.threads);
    let only = |one: &BTreeMap<String, Arc<[u8]>>, other: &BTreeMap<String, Arc<[u8]>>| {
        one.keys().filter(|path| !other.contains_key(*path)).cloned().collect::<Vec<_>>()
    };
    Generated {
        compared: pairs().count(),
        gone_files: only(&olds, &news),
        new_files: only(&news, &olds),
        ..group(&shapes, &steps)
    }
}
