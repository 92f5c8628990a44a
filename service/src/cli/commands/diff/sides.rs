//! Reads one side of a comparison: a folder, an archive, a model.json, a commit, an MLIR release, a server's result.

use std::{
    collections::BTreeSet,
    fs, mem,
    path::{Path, PathBuf},
};

use odsmith_engine::{
    diagnostic::{Id, Severity},
    interchange::Document,
    parallel,
    report::Finding,
};
use odsmith_registry::pull::Address;

use super::super::{
    Input, ProjectFiles, display, has_error,
    options::{FailOn, MlirOptions, ProjectOptions, ToleranceOptions},
    pull, remote,
};
use crate::{
    pipeline::{
        compare::Side,
        generate::{Finished, none_read},
        ir::library_bundle,
        registry::{Access, Registries},
        workspace::Workspace,
    },
    store::{disk, keys},
};

/// The options for reading sides.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Reader<'o> {
    /// The files of each side.
    pub project: &'o ProjectOptions,
    /// The errors that are warnings.
    pub tolerance: &'o ToleranceOptions,
    /// The release, and the options that find its library.
    pub mlir: &'o MlirOptions,
    /// The severity that fails: with none, a root that is left out is a warning.
    pub fail_on: FailOn,
    /// The server that has the results.
    pub server: Option<&'o str>,
}

/// Two sides without the roots that one of them cannot read.
pub(in super::super) struct Sides {
    pub old: Side,
    pub new: Side,
    /// True if a root that the old side has cannot be read on the new side.
    pub is_broken: bool,
}

impl Reader<'_> {
    /// Reads two sides in parallel, and prints their messages in order. Roots that one side cannot read are left out of
    /// both.
    ///
    /// Returns nothing if only the definitions of the new side are at fault.
    ///
    /// # Errors
    /// A side cannot be read at all, or the old one has no root to compare.
    pub fn sides(self, sides: [(&str, Option<&str>); 2]) -> Result<Option<Sides>, String> {
        let none = BTreeSet::new();
        let read = |omitted: [&BTreeSet<String>; 2]| {
            let [(old, old_mlir), (new, new_mlir)] = sides;
            let (old, new) = (SideArgument { text: old, other: new }, SideArgument { text: new, other: old });
            let (new, old) = parallel::both(
                2,
                || self.quietly(new, new_mlir, omitted[1]),
                || self.quietly(old, old_mlir, omitted[0]),
            );
            (old, new)
        };
        let (mut old, mut new) = read([&none, &none]);
        let unread: BTreeSet<String> = old.unread.union(&new.unread).cloned().collect();
        let (of_old, of_new) = (old.unread.clone(), new.unread.clone());
        let is_broken = !of_new.is_subset(&of_old) && has_error(new.findings.iter());
        // Errors of what is not compared are no findings of this change.
        old.findings.iter_mut().for_each(weaken);
        if !is_broken && !unread.is_empty() {
            new.findings.iter_mut().for_each(weaken);
        }
        // A pattern may be of a file that comes or goes with the change.
        let is_unmatched = |it: &Finding| it.id == Some(Id::UnmatchedPattern);
        let unmatched = |read: &Read| -> BTreeSet<String> {
            read.findings.iter().filter(|it| is_unmatched(it)).map(|it| it.message.clone()).collect()
        };
        let of_both: BTreeSet<String> = unmatched(&old).intersection(&unmatched(&new)).cloned().collect();
        for read in [&mut old, &mut new] {
            read.findings.retain(|it| !is_unmatched(it) || of_both.contains(&it.message));
        }
        // Both sides may have the same library, whose warning is one of neither's files.
        new.findings.retain(|own| {
            own.location.is_some() || !old.findings.iter().any(|of_old| of_old.message == own.message)
        });
        // Both sides may be of one folder.
        let is_new = |own: &&Finding| !old.findings.contains(own);
        display::messages(old.findings.iter().chain(new.findings.iter().filter(is_new)));
        let roots = old.roots.union(&new.roots).count();
        let left_out = |has: [bool; 2]| {
            let is_it = |td: &&String| [of_old.contains(*td), of_new.contains(*td)] == has;
            unread.iter().filter(is_it).collect::<Vec<_>>()
        };
        for (has, side) in
            [([true, true], "both sides"), ([true, false], "the old side"), ([false, true], "the new side")]
        {
            let all = left_out(has);
            let Some(first) = all.first() else { continue };
            let (verb, more) = match all.len() {
                1 => ("is", format!("'{first}' fails on {side}")),
                count => ("are", format!("'{first}' and {} more fail on {side}", count - 1)),
            };
            let of = display::counted(roots, "root");
            let message = format!("{} of {of} {verb} not compared: {more}", all.len());
            match is_broken && !has[0] && self.fail_on != FailOn::Never {
                true => display::error(&message),
                false => display::warning(&message),
            }
        }
        let is_in_other = |own: &Read, others: &BTreeSet<String>| {
            others.iter().any(|td| own.roots.contains(td) && !own.unread.contains(td))
        };
        if old.side.is_ok() && new.side.is_ok() && (is_in_other(&old, &of_new) || is_in_other(&new, &of_old))
        {
            (old, new) = read([&unread, &unread]);
        }
        let is_new_alone = old.side.is_ok() && !of_new.is_empty();
        let [(old_place, _), (new_place, _)] = sides;
        match (old.side, new.side) {
            (Ok(old), Ok(new)) => Ok(Some(Sides { old, new, is_broken })),
            // The change is at fault, and not the call.
            (_, Err(_)) if is_new_alone => Ok(None),
            (Err(of_old), Err(of_new)) if of_old == of_new && !of_old.starts_with("none of") => Err(of_old),
            (old, new) => {
                let named = |place: &str, side: Result<Side, String>| {
                    let reason = side.err()?;
                    Some(if reason.contains(place) { reason } else { format!("'{place}': {reason}") })
                };
                let messages: Vec<String> =
                    [named(old_place, old), named(new_place, new)].into_iter().flatten().collect();
                Err(messages.join("\nerror: "))
            }
        }
    }

    /// Reads one side, and prints its messages. Roots that cannot be read are left out.
    pub fn side(self, place: &str, mlir: Option<&str>) -> Result<Side, String> {
        let mut read = self.quietly(SideArgument { text: place, other: "" }, mlir, &BTreeSet::new());
        if read.side.is_ok() {
            read.findings.iter_mut().for_each(weaken);
        }
        display::messages(&read.findings);
        read.side
    }

    fn quietly(self, place: SideArgument<'_>, mlir: Option<&str>, omitted: &BTreeSet<String>) -> Read {
        self.read(place, mlir, omitted).unwrap_or_else(|message| Err(message).into())
    }

    fn read(
        self,
        place: SideArgument<'_>,
        mlir: Option<&str>,
        omitted: &BTreeSet<String>,
    ) -> Result<Read, String> {
        let SideArgument { text: place, other } = place;
        if let Some(name) = place.strip_prefix("release:") {
            let libraries = self.mlir.load(Some(name), None)?;
            let library = libraries.of(Some(name))?;
            let bundle = library_bundle(library);
            let input = self.input(PathBuf::new(), Some(name));
            return self.model(&input, ProjectFiles::of_library(bundle, libraries), omitted);
        }
        if let Some(key) = result_key(place) {
            let server = self.server.ok_or("a result is of a server: name it with --server URL")?;
            let model = remote::get(server, &format!("/v1/results/{key}/files/model.json"))?;
            return Ok(Document::from_json(&model).map(Side::from).into());
        }
        if Address::is_one(place) {
            let registries = Registries::new(&Access::default())?;
            let artifact = pull::open(&registries, &Address::parse(place)?);
            let model = artifact.and_then(|artifact| registries.model(&artifact));
            return Ok(model.map(Side::from).map_err(|error| error.to_string()).into());
        }
        if place.ends_with(".json") && !place.starts_with("git:") {
            let missing = |error: std::io::Error| match error.kind() {
                std::io::ErrorKind::NotFound => format!("'{place}' is not there"),
                _ => disk::reason(&error),
            };
            let bytes = fs::read(place).map_err(missing)?;
            return Ok(Document::from_json(&bytes).map(Side::from).into());
        }
        let files = match place.strip_prefix("git:") {
            Some(revision) => {
                let (revision, path) = match revision.split_once(':') {
                    Some((revision, path)) => (revision, Some(path)),
                    None => (revision, None),
                };
                let folder = Path::new(other);
                let folder = if other.is_empty() || !folder.exists() { Path::new(".") } else { folder };
                let workspace = Workspace::open_revision(folder, revision, path)?;
                let input = self.input(folder.to_owned(), mlir);
                let files = input.read_in(Some(workspace))?;
                return self.model(&input, files, omitted);
            }
            None => self.input(place.into(), mlir),
        };
        let input = files;
        let files = input.read()?;
        self.model(&input, files, omitted)
    }

    fn input(self, place: PathBuf, mlir: Option<&str>) -> Input {
        let mut input = Input::new(place, self.project, self.mlir, self.tolerance);
        input.mlir.release = mlir.map(str::to_owned);
        input.may_lack_targets = self.project.manifest.is_some();
        input
    }

    /// Returns the model of some files.
    fn model(
        self,
        input: &Input,
        mut files: ProjectFiles,
        omitted: &BTreeSet<String>,
    ) -> Result<Read, String> {
        let bundle = mem::take(&mut files.bundle);
        let mut request = input.request(&files, bundle, |manifest| {
            manifest.make_nothing();
            manifest.model = true;
        })?;
        request.keeps_model = true;
        request.omitted.clone_from(omitted);
        let (finished, _) = files.run_silently(request, None)?;
        let Finished { result, model, unread, .. } = finished;
        let findings: Vec<Finding> = result.all_diagnostics().cloned().collect();
        let roots: BTreeSet<String> = result.targets.iter().map(|target| target.td.clone()).collect();
        let count = roots.len();
        let side = match model {
            Some(_) if unread.is_empty() && has_error(findings.iter()) => {
                Err("it has errors, and is not compared".to_owned())
            }
            Some(side) => Ok(side),
            None if unread.is_empty() && omitted.is_empty() => Err("it defines nothing".to_owned()),
            None if unread.is_empty() => {
                Err(format!("none of {} can be compared", display::counted(omitted.len(), "root")))
            }
            None => Err(none_read(count)),
        };
        Ok(Read { side, findings, unread, roots })
    }
}

/// A side as the user names it, and the other one, whose repository a revision is of.
#[derive(Clone, Copy)]
struct SideArgument<'p> {
    text: &'p str,
    other: &'p str,
}

/// The result of reading a side, and its messages.
struct Read {
    side: Result<Side, String>,
    findings: Vec<Finding>,
    /// The roots that have an error.
    unread: BTreeSet<String>,
    roots: BTreeSet<String>,
}

impl From<Result<Side, String>> for Read {
    fn from(side: Result<Side, String>) -> Read {
        Read { side, findings: Vec::new(), unread: BTreeSet::new(), roots: BTreeSet::new() }
    }
}

/// Makes an error a warning.
fn weaken(finding: &mut Finding) {
    if finding.severity == Severity::Error {
        finding.severity = Severity::Warning;
    }
}

/// Returns the key of a result: `sha256:…`, or the digits alone.
fn result_key(place: &str) -> Option<&str> {
    let key = place.strip_prefix("sha256:").unwrap_or(place);
    keys::is_key(key).then_some(key)
}
