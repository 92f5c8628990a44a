//! Files with IR: the definitions of the library, which are read once on a separate thread.

use std::sync::Arc;

use odsmith_engine::{cancel::Cancel, limits::Limits, parallel, record::Records};
use odsmith_ide::ir::is_ir;

use super::{Event, server::Server};
use crate::pipeline::progress::Progress;

/// The records of a project's library.
pub(crate) struct LibraryRoots {
    project: usize,
    roots: Result<Vec<Arc<Records>>, String>,
}

impl Server {
    /// Starts to read the definitions of a project's library, unless they are there or being read.
    pub(super) fn read_library(&mut self, project: usize) {
        if self.projects[project].workspace.has_library_roots() || !self.reads_library.insert(project) {
            return;
        }
        let request = self.projects[project].library_request();
        let events = self.events.clone();
        let read = move || {
            let read = || {
                let limits = Limits::generous();
                let progress = Progress::new(&limits, Cancel::new());
                Ok(request?.run(&limits, &progress, parallel::parallelism(), None).roots)
            };
            let _ = events.send(Event::LibraryRead(LibraryRoots { project, roots: read() }));
        };
        parallel::aside("library", read);
    }

    /// Takes the definitions of a project's library, and checks the files with IR that are open.
    pub(super) fn take_library(&mut self, answer: LibraryRoots) {
        let LibraryRoots { project, roots } = answer;
        self.reads_library.remove(&project);
        match roots {
            Ok(roots) => self.projects[project].workspace.set_library_roots(roots),
            Err(message) => return self.warn(message),
        }
        self.check_ir(project);
        self.refresh();
    }

    /// Queues checks of the files with IR that are open.
    pub(super) fn check_ir(&mut self, project: usize) {
        for path in self.open_files(project).into_iter().filter(|path| is_ir(path)) {
            self.queue_check(project, path);
        }
    }
}
