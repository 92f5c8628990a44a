//! `.mlir` files on the command line: which ones are meant, and the definitions that they are read by.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    ir::{definitions::own_dialects, syntax::Table},
    parallel,
    record::Records,
    report::Finding,
};

use super::{
    Input, ProjectFiles, display, has_error,
    options::{MlirOptions, ProjectOptions, ToleranceOptions},
    warn_of,
};
use crate::{
    pipeline::{
        generate::Finished,
        ir::{Dialects, IrText, library_bundle},
        manifest::Manifest,
        workspace::Workspace,
    },
    store::disk,
};

/// The end of the name of a file with IR.
const END: &str = ".mlir";

/// Returns true if a path is a file with IR.
pub(super) fn is_ir(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "mlir")
}

/// The files that paths mean, with the options for their definitions.
pub(super) struct IrInput<'o> {
    pub paths: &'o [PathBuf],
    pub project: &'o ProjectOptions,
    pub mlir: &'o MlirOptions,
    pub tolerance: &'o ToleranceOptions,
}

/// A file by its name in messages.
pub(super) struct IrFile {
    pub shown: String,
    pub place: PathBuf,
}

impl IrFile {
    /// Reads the text; bytes that are no UTF-8 are replaced.
    pub(super) fn text(&self) -> Result<String, String> {
        let bytes =
            fs::read(&self.place).map_err(|error| format!("{}: {}", self.shown, disk::reason(&error)))?;
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

impl IrInput<'_> {
    /// Returns the files: those that are named, and those in named folders.
    pub(super) fn files(&self) -> Result<Vec<IrFile>, String> {
        let mut files = Vec::new();
        let mut known = BTreeSet::new();
        for path in self.paths {
            if !path.is_dir() {
                files.push(IrFile { shown: path.to_string_lossy().into_owned(), place: path.clone() });
                continue;
            }
            let workspace = Workspace::open(path, self.project.manifest.is_some())?;
            let all = workspace.files().filter(|(below, _)| below.ends_with(END));
            files.extend(all.map(|(below, place)| IrFile { shown: workspace.shown(&below), place }));
        }
        files.retain(|file| known.insert(file.place.clone()));
        Ok(files)
    }

    /// Evaluates the definitions of the release and of the projects around the files.
    pub(super) fn dialects(&self) -> Result<Dialects, String> {
        self.dialects_and_own().map(|(dialects, _)| dialects)
    }

    /// Evaluates the definitions of the release and of the projects around the files. Also returns the names of the projects'
    /// own dialects, in order.
    pub(super) fn dialects_and_own(&self) -> Result<(Dialects, Vec<String>), String> {
        let mut roots: Vec<Arc<Records>> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut syntax = Table::default();
        let mut library = None;
        let mut known = BTreeSet::new();
        for path in self.paths {
            let folder = Workspace::around(path)?;
            if !known.insert(folder.clone()) {
                continue;
            }
            let input = Input {
                may_lack_definitions: true,
                ..Input::new(folder, self.project, self.mlir, self.tolerance)
            };
            let mut files = input.read()?;
            let bundle = std::mem::take(&mut files.bundle);
            // A folder without definitions only has those of the release.
            if bundle.iter().any(|(path, _)| path.ends_with(".td")) {
                let (own_roots, own_syntax) = evaluated(&input, &files, bundle)?;
                let root = files.libraries.of(input.mlir.release())?.root().to_owned();
                names.extend(own_roots.iter().flat_map(|records| own_dialects(records, &root)));
                roots.extend(own_roots);
                syntax.append(own_syntax);
            }
            library.get_or_insert((input, files));
        }
        if let Some((input, files)) = library {
            let library = files.libraries.of(input.mlir.release())?.clone();
            warn_of(&library);
            let own = Input { input: PathBuf::new(), project: ProjectOptions::default(), ..input };
            let files = ProjectFiles { workspace: None, ..files };
            roots.extend(evaluated(&own, &files, library_bundle(&library))?.0);
        }
        names.sort_unstable();
        names.dedup();
        Ok((Dialects::new(&roots, syntax), names))
    }
}

/// Evaluates all roots of some files. Those that cannot be read are left out, with a warning. Returns the records, and the
/// syntax that the manifest states.
fn evaluated(
    input: &Input,
    files: &ProjectFiles,
    bundle: Bundle,
) -> Result<(Vec<Arc<Records>>, Table), String> {
    let mut request = input.request(files, bundle, |manifest: &mut Manifest| {
        manifest.make_nothing();
    })?;
    request.keeps_records = true;
    let syntax = request.manifest.syntax_table();
    let (finished, _) = files.run_silently(request, None)?;
    let Finished { result, roots, unread, .. } = finished;
    if let Some(first) = unread.first() {
        let (verb, whose) = if unread.len() == 1 { ("is", "its") } else { ("are", "their") };
        display::warning(&format!(
            "{} {verb} not read, and {whose} operations are unknown: '{first}' has errors",
            display::counted(unread.len(), "root"),
        ));
    } else if roots.is_empty() && has_error(result.all_diagnostics()) {
        display::messages(result.all_diagnostics());
    }
    Ok((roots, syntax))
}

/// Reads and checks files in parallel; the findings are in the order of the files.
pub(super) fn checked<T: Send>(
    files: &[IrFile],
    dialects: &Dialects,
    look: impl Fn(&IrText) -> T + Sync,
) -> Result<(Vec<Finding>, Vec<T>), String> {
    let spare = parallel::Spare::beside_one(parallel::parallelism());
    let work = |file: &IrFile| -> Result<(Vec<Finding>, T), String> {
        let read = dialects.read(file.text()?);
        Ok((dialects.findings(&file.shown, &read), look(&read)))
    };
    let mut findings = Vec::new();
    let mut looks = Vec::new();
    for one in parallel::map_on(&spare, files, work) {
        let (own, look) = one?;
        findings.extend(own);
        looks.push(look);
    }
    Ok((findings, looks))
}
