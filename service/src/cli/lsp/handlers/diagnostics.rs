//! Diagnostics on request.

use gen_lsp_types::{self as lsp, FullDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport};

use super::Server;

impl Server {
    pub(in super::super) fn pull(&mut self, uri: &lsp::Uri) -> FullDocumentDiagnosticReport {
        let items = self.locate(uri).map(|(project, path)| {
            self.ensure_checked(project, &path);
            self.diagnostics(project, &path)
        });
        FullDocumentDiagnosticReport { result_id: None, items: items.unwrap_or_default() }
    }

    pub(in super::super) fn pull_all(&mut self) -> lsp::WorkspaceDiagnosticReport {
        let report = |(project, path): &(usize, String)| {
            let uri = self.uri_of(*project, path);
            let version = self.version_of(&uri);
            let items = self.diagnostics(*project, path);
            let report = FullDocumentDiagnosticReport { result_id: None, items };
            WorkspaceFullDocumentDiagnosticReport::new(uri, version, report).into()
        };
        lsp::WorkspaceDiagnosticReport { items: self.files_with_problems().iter().map(report).collect() }
    }
}
