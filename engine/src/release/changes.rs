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
    /// One `namespace a::b {` rather than one for each name, with blank lines inside.
    JoinedNamespaces = since(22), shown_by("release/dialect");
    /// A bit enum has `|=`, `&=` and `^=`.
    CompoundBitOperators = since(22), shown_by("release/enums");
    /// All interfaces are declared before one is defined, and their traits come after all of them.
    InterfacesDeclaredFirst = since(22), shown_by("release/interfaces");
    /// Methods of an interface that have one name are numbered in the concept and the models.
    NumberedOverloads = since(22), shown_by("release/interfaces");
    /// `let append` and `let prepend` add to a field's value.
    LetAppend = since(23), shown_by("release/let_append");
    /// Comments made of descriptions lose the indentation that all lines share, rather than that of the first line.
    ReindentedComments = since(23), shown_by("release/dialect");
    /// The methods that external models have are not numbered.
    PlainExternalOverloads = since(23), shown_by("release/interfaces");
    /// The parser of an optional enum takes only the keywords of its cases.
    OptionalEnumKeywords = since(23), shown_by("release/enums");
    /// Values of enums are keys of maps without an empty and a tombstone key.
    EnumKeysWithoutMarkers = since(23), shown_by("release/enums");
    /// The properties of an operation have a type id.
    TypeIdsOfProperties = since(23), shown_by("release/operation");
    /// Builders reach the properties of an operation through its state.
    RawProperties = since(23), shown_by("release/operation");
    /// Helpers of discardable attributes are `const`, and their constructor is `explicit`.
    ConstAttributeHelpers = since(23), shown_by("release/dialect");
}
