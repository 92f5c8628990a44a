//! The interface of page kinds. Each kind is a file of this folder, which fills the view and implements [`Kind`] for
//! the rest of the site. [`Body::kind`] is the only place that distinguishes kinds.

use super::{
    Body,
    coverage::Tally,
    headings::{Heading, Headings},
};
use crate::{
    flavor::Writer,
    view::{self, AllEntry, Badge, Change, Diagram, Group, Link, OwnFact, Row, Source, Token},
};

/// A kind of page.
pub(crate) trait Kind {
    /// Adds the headings of its sections in order. The template and [`Kind::markdown`] write the content below each.
    fn headings(&self, _list: &mut Headings) {}

    /// The entries of the contents beside the page.
    fn contents(&self, headings: &[Heading]) -> Vec<Link> {
        headings.iter().map(Heading::link).collect()
    }

    /// Writes the page as Markdown.
    fn markdown(&self, _out: &mut Writer<'_>) {}

    /// Tests if it is only an index of other pages, which Markdown has other means for.
    fn is_finder(&self) -> bool {
        false
    }

    /// Tests if it has twins in Markdown and JSON.
    fn has_twins(&self) -> bool {
        true
    }

    /// Tests if it takes the whole width.
    fn is_wide(&self) -> bool {
        false
    }

    /// The definition that it describes.
    fn subject(&self) -> Option<Subject<'_>> {
        None
    }

    /// The data for the search index.
    fn searched(&self) -> Searched<'_> {
        Searched::default()
    }

    /// The syntax, operands and results of the definition, for the comparison of releases.
    fn shape(&self) -> Option<String> {
        None
    }

    /// The section and the tally of the definition's documentation, and its place in the source.
    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        None
    }

    /// A short form, for the page with a whole dialect.
    fn entry(&self) -> Option<AllEntry> {
        None
    }

    /// The syntax diagram.
    fn diagram(&self) -> Option<&Diagram> {
        None
    }

    /// The remarks beside the title, for additions.
    fn badges(&mut self) -> Option<&mut Vec<Badge>> {
        None
    }

    /// The C++ class with its namespace.
    fn class(&self) -> &str {
        ""
    }

    /// The project's own facts, for links that are added last.
    fn own_facts(&mut self) -> Option<&mut Vec<OwnFact>> {
        None
    }

    /// The id of the definition in models, independent of files.
    fn symbol(&self) -> Option<String> {
        None
    }

    /// The changes by release, which are added last.
    fn history(&mut self) -> Option<&mut Vec<Change>> {
        None
    }

    /// The lists of users.
    fn used_by(&mut self) -> Option<&mut Vec<Group>> {
        None
    }
}

/// The definition that a page describes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// The kind, as in its JSON twin.
    pub(crate) kind: &'static str,
    /// The name.
    pub(crate) name: &'a str,
    /// The dialect, or empty.
    pub(crate) dialect: &'a str,
}

/// The data of a page for the search index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Searched<'a> {
    /// The author's text.
    pub(crate) text: &'a str,
    /// Operands and results on one line.
    pub(crate) signature: &'a [Token],
    /// The letters of the signature.
    pub(crate) variables: &'a [view::TypeVariable],
    /// An example of its syntax, if there is one.
    pub(crate) example: &'a str,
    /// The users of an enum.
    pub(crate) users: &'a [Row],
    /// True if it has neither a summary nor a description.
    pub(crate) is_bare: bool,
}

/// The author's Markdown, or an empty text.
pub(super) fn text(prose: Option<&view::Prose>) -> &str {
    prose.map_or("", |prose| &prose.md)
}

impl Body {
    /// The headings of the page.
    pub(crate) fn headings(&self) -> Vec<Heading> {
        let mut list = Headings::default();
        self.kind().headings(&mut list);
        list.into_list()
    }
}

macro_rules! kinds {
    ($($kind:ident),*) => {
        impl Body {
            /// The implementation of its kind.
            pub(crate) fn kind(&self) -> &dyn Kind {
                match self {
                    $(Body::$kind(view) => &**view,)*
                }
            }

            /// The implementation of its kind, for changes.
            pub(crate) fn kind_mut(&mut self) -> &mut dyn Kind {
                match self {
                    $(Body::$kind(view) => &mut **view,)*
                }
            }
        }
    };
}
kinds!(
    Home,
    Dialect,
    Operation,
    AttrOrType,
    Enum,
    Trait,
    Constraint,
    Class,
    Pass,
    Passes,
    Patterns,
    All,
    Coverage,
    Guide,
    IndexPage,
    Az,
    Missing,
    ReleasePage,
    RulePage,
    Removed,
    Matrix
);
