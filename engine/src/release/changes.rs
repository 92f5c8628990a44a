//! What a release changed: one row for each difference, with the release that brought it and the fixture that shows it.
//!
//! A rule that a release dropped is a change as well, named for what is there since.

/// Lists changes: a name, the first release that has it, the fixture of `tests/fixtures/` that shows it.
macro_rules! changes {
    ($($(#[$doc:meta])+ $name:ident = since($since:literal), shown_by($fixture:literal);)+) => {
        /// Something that a release does and those before it do not.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Change {
            $($(#[$doc])+ $name,)+
        }

        /// All changes, in the order of [`Change`].
        pub const CHANGES: &[Row] = &[
            $(Row { change: Change::$name, since: $since, fixture: $fixture },)+
        ];
    };
}

/// One change.
#[derive(Debug)]
pub struct Row {
    /// What changed.
    pub change: Change,
    /// The first release that has it.
    pub since: u8,
    /// The fixture that shows it, below `tests/fixtures/`.
    pub fixture: &'static str,
}

changes! {
    /// One `namespace a::b {` rather than one for each name.
    JoinedNamespaces = since(22), shown_by("release/namespaces");
}
