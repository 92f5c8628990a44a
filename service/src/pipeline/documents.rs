//! Documents of evaluated roots. A request builds its own once, whatever reads it.

use std::sync::Arc;

use odsmith_engine::{
    diagnostic::Diagnostic,
    interchange::{Document, Maker, Root},
    parallel,
    record::Records,
};

/// Builds the document of some roots.
///
/// # Errors
/// The document would be too large, a root's model cannot be read, or the work was stopped.
pub fn make<'r>(
    maker: &Maker<'_>,
    roots: impl IntoIterator<Item = (&'r str, &'r Records)>,
) -> Result<Arc<Document>, Diagnostic> {
    #[cfg(test)]
    tests::COUNT.set(tests::COUNT.get() + 1);
    let roots: Vec<Root<'_>> = roots.into_iter().map(|(td, records)| Root { td, records }).collect();
    parallel::with_stack(|| maker.document(&roots)).map(Arc::new)
}
#[cfg(test)]
mod tests {
    use std::{cell::Cell, collections::BTreeMap, num::NonZero};

    use odsmith_engine::{
        bundle::Bundle, cancel::Cancel, library::Library, limits::Limits, release::Release,
    };

    use crate::pipeline::{
        generate::{FINDINGS, Finished, MODEL, Request},
        library::Libraries,
        manifest::Manifest,
        progress::Progress,
    };

    thread_local! {
        /// The number of documents that this thread has built.
        pub static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    fn request(files: &[(&str, &[u8])], manifest: &str) -> Request {
        let library = Library::new(Release::default(), "none".into(), BTreeMap::new());
        let mut bundle = Bundle::default();
        files.iter().for_each(|&(path, bytes)| bundle.insert(path, bytes));
        let manifest = Manifest::from_toml(manifest.as_bytes()).expect("a manifest");
        Request::new(&Libraries::from(library), bundle, Some(manifest), |_| Ok(())).expect("a request")
    }

    fn run(request: &Request) -> Finished {
        let limits = Limits::generous();
        request.run(&limits, &Progress::new(&limits, Cancel::new()), NonZero::<usize>::MIN, None)
    }

    #[test]
    fn a_request_builds_one_document() {
        let text = b"class Dialect {} def A { int opcode = 1; }";
        let quiet = "outputs = false\ndocs = { enabled = false }";
        let before = run(&Request { keeps_model: true, ..request(&[("a.td", text)], quiet) });
        let before = before.model.expect("a model");
        assert_eq!(COUNT.replace(0), 1);

        let released = before.document.to_json();
        let mut all = request(
            &[("a.td", text), ("old.json", &released)],
            "findings = true\ndocs = { enabled = true, findings = true }\n[lint]\nreleased = 'old.json'\n\
             custom = [{ id = 'OWN1', on = 'operations[?(@.name)]', message = 'an operation' }]",
        );
        all.material.releases.earlier.push(("1.0".to_owned(), before.into()));
        let finished = run(&all);
        let messages: Vec<_> = finished.result.all_diagnostics().map(|it| it.message.clone()).collect();
        assert!(messages.is_empty(), "{messages:?}");
        assert!(finished.files.contains_key(MODEL) && finished.files.contains_key(FINDINGS));
        assert!(finished.result.site.is_some());
        assert_eq!(COUNT.replace(0), 1);

        // A request without a model, rules of its own and other releases builds none.
        run(&request(&[("a.td", text)], "model = false\nfindings = true"));
        assert_eq!(COUNT.get(), 0);
    }
}
