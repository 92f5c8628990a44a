//! Workspaces of editors, for the language server and for HTTP: their roots, and the models of these.

use std::sync::Arc;

use odsmith_engine::{
    bundle::Bundle,
    diagnostic::Diagnostic,
    interchange::{self, Document, Extent, Maker},
    job::Target,
    library::Library,
    limits::Limits,
};
use odsmith_ide::Workspace;

use super::{documents, generate::Request, library::Libraries, manifest::Manifest, workspace::IN_TREE};

/// The roots of a workspace, found as in `odsmith generate`.
pub struct WorkspaceRoots {
    /// The library of the release that is asked for.
    pub library: Arc<Library>,
    /// The files.
    pub bundle: Bundle,
    /// The manifest.
    pub manifest: Manifest,
    /// The roots.
    pub targets: Vec<Target>,
    /// The problems of the files as a whole.
    pub complaints: Vec<String>,
}

impl WorkspaceRoots {
    /// Finds the roots of a bundle, by the given manifest or else by its own.
    ///
    /// # Errors
    /// The manifest is wrong, or names a release without a library.
    pub fn find(
        libraries: &Libraries,
        bundle: Bundle,
        manifest: Option<Manifest>,
        mlir: Option<String>,
        limits: &Limits,
    ) -> Result<Self, String> {
        let request = Request::new(libraries, bundle, manifest, |manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
            manifest.mlir = mlir.or(manifest.mlir.take());
            Ok(())
        })?;
        let (targets, reports) = request.targets(limits);
        let complaints = reports.into_iter().map(|report| report.message).collect();
        let Request { library, bundle, manifest, .. } = request;
        Ok(WorkspaceRoots { library, bundle: Arc::unwrap_or_clone(bundle), manifest, targets, complaints })
    }

    /// Sets the roots of a workspace.
    pub fn set(self, workspace: &mut Workspace) {
        workspace.set_syntax(self.manifest.syntax_table());
        let Manifest { includes, defines, .. } = self.manifest;
        let mut targets = self.targets;
        // The files of an editor keep their paths also if they are excluded.
        for target in &mut targets {
            let own = target.includes.iter().filter_map(|folder| folder.strip_prefix(IN_TREE));
            let own: Vec<String> = own.map(|folder| folder.trim_start_matches('/').to_owned()).collect();
            target.includes.extend(own.into_iter().map(|it| if it.is_empty() { ".".to_owned() } else { it }));
        }
        workspace.set_targets(targets, includes, defines);
    }
}

/// Returns the model of a root; `None` if it has an error.
///
/// # Errors
/// It would have more than `most_bytes` bytes, or the work was cancelled.
pub fn model(
    workspace: &Workspace,
    root: &str,
    extent: Extent,
    most_bytes: u64,
) -> Result<Option<Arc<Document>>, Diagnostic> {
    let Some(analysis) = workspace.analysis(root).filter(|analysis| analysis.is_ok) else {
        return Ok(None);
    };
    if interchange::check(&analysis.records).is_err() {
        return Ok(None);
    }
    let library = workspace.library();
    let stop = workspace.cancel().clone();
    let maker = Maker { extent, most_bytes, stop, ..Maker::new(library.rules(), library.root()) };
    documents::make(&maker, [(root, &*analysis.records)]).map(Some)
}
