//! What differs between kinds of pages. A kind is one file of this folder: it fills the view, and says here what the rest
//! of the site asks of it. [`Body::kind`] is the one place that distinguishes kinds.

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
    /// The headings of its sections, in their order. Its template and [`Kind::markdown`] say what is below each.
    fn headings(&self, _list: &mut Headings) {}

    /// What the contents beside it list of its headings.
    fn contents(&self, headings: &[Heading]) -> Vec<Link> {
        headings.iter().map(Heading::link).collect()
    }

    /// Writes it as Markdown.
    fn markdown(&self, _out: &mut Writer<'_>) {}

    /// Whether it only finds other pages, which Markdown has other means for.
    fn is_finder(&self) -> bool {
        false
    }

    /// Whether it has twins in Markdown and JSON beside it.
    fn has_twins(&self) -> bool {
        true
    }

    /// Whether it takes the whole width.
    fn is_wide(&self) -> bool {
        false
    }

    /// The one definition that it describes.
    fn subject(&self) -> Option<Subject<'_>> {
        None
    }

    /// What the search asks for.
    fn searched(&self) -> Searched<'_> {
        Searched::default()
    }

    /// How the definition is written and what goes in and out, for comparing releases.
    fn shape(&self) -> Option<String> {
        None
    }

    /// The section that it counts for, what is documented of it and what is not, and where to do that.
    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        None
    }

    /// The same in short, for the page with everything of a dialect.
    fn entry(&self) -> Option<AllEntry> {
        None
    }

    /// The syntax diagram on it.
    fn diagram(&self) -> Option<&Diagram> {
        None
    }

    /// Remarks beside the title, which can be added to.
    fn badges(&mut self) -> Option<&mut Vec<Badge>> {
        None
    }

    /// The C++ class, with its namespace.
    fn class(&self) -> &str {
        ""
    }

    /// What the project says of the definition besides, which is linked last.
    fn own_facts(&mut self) -> Option<&mut Vec<OwnFact>> {
        None
    }

    /// What models call the definition, whatever file it is in.
    fn symbol(&self) -> Option<String> {
        None
    }

    /// What releases changed of it, which is known last.
    fn history(&mut self) -> Option<&mut Vec<Change>> {
        None
    }

    /// Where those are listed who use it, if that is known last.
    fn used_by(&mut self) -> Option<&mut Vec<Group>> {
        None
    }
}

/// What a page describes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// The kind, as in its JSON twin.
    pub(crate) kind: &'static str,
    /// The name.
    pub(crate) name: &'a str,
    /// The dialect, of what is in one.
    pub(crate) dialect: &'a str,
}

/// What the search asks of a page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Searched<'a> {
    /// The author's text.
    pub(crate) text: &'a str,
    /// What goes in and comes out.
    pub(crate) signature: &'a [Token],
    /// How it is written, if there is an example.
    pub(crate) example: &'a str,
    /// Who takes an enum.
    pub(crate) users: &'a [Row],
    /// Whether it should say more of itself.
    pub(crate) is_bare: bool,
}

/// The author's text.
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
            /// What its kind says of it.
            pub(crate) fn kind(&self) -> &dyn Kind {
                match self {
                    $(Body::$kind(view) => &**view,)*
                }
            }

            /// The same to change.
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
    Patterns,
    All,
    Coverage,
    Guide,
    Az,
    Missing,
    ReleasePage,
    RulePage,
    Removed,
    Matrix
);
