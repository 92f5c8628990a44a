//! The headings of a page, which its contents, its template and its Markdown share.

use serde::Serialize;

use super::mentions;
use crate::view::{AllSection, CardGroup, EnumSummary, Group, Link, RuleFamily};

/// The heading of a section of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Heading {
    /// The fragment, without `#`.
    pub(crate) id: String,
    /// The text.
    pub(crate) title: String,
    /// A name after it, as code.
    pub(crate) code: Option<String>,
    /// A remark beside it, which the contents leave out.
    pub(crate) aside: Option<String>,
}

impl Heading {
    /// Creates a heading with a fragment.
    pub(crate) fn new(id: &str, title: &str) -> Self {
        Heading { id: id.to_owned(), title: title.to_owned(), ..Heading::default() }
    }

    /// Adds a remark.
    pub(crate) fn with_aside(self, aside: &str) -> Self {
        Heading { aside: Some(aside.to_owned()), ..self }
    }

    /// Creates the heading for users of a definition in one dialect.
    pub(super) fn of_users(group: &Group) -> Self {
        if group.id == mentions::MENTIONED_BY {
            return Heading::from(group);
        }
        let title = format!("In {}", group.title);
        Heading { title, ..Heading::from(group) }
    }

    /// The heading as a line of the contents.
    pub(super) fn link(&self) -> Link {
        let text = match &self.code {
            Some(code) => format!("{} {code}", self.title),
            None => self.title.clone(),
        };
        Link { text, href: Some(format!("#{}", self.id)) }
    }
}

impl From<&Group> for Heading {
    fn from(group: &Group) -> Self {
        Heading::new(&group.id, &group.title).with_aside(&group.count.to_string())
    }
}

impl From<&CardGroup> for Heading {
    fn from(group: &CardGroup) -> Self {
        Heading::new(&group.id, &group.title)
    }
}

impl From<&AllSection> for Heading {
    fn from(section: &AllSection) -> Self {
        Heading::new(&section.id, section.title)
    }
}

impl From<&RuleFamily> for Heading {
    fn from(family: &RuleFamily) -> Self {
        Heading::new(family.id, family.title)
    }
}

impl From<&EnumSummary> for Heading {
    fn from(cases: &EnumSummary) -> Self {
        Heading { code: Some(cases.of.clone()), ..Heading::new(&cases.id, "Cases of") }
    }
}

/// The headings of a page, in their order.
#[derive(Debug, Default)]
pub(crate) struct Headings(Vec<Heading>);

impl Headings {
    /// Adds a heading if the page has such a section.
    pub(super) fn add(&mut self, id: &str, title: &str, is_there: bool) {
        if is_there {
            self.0.push(Heading::new(id, title));
        }
    }

    /// Adds a heading for each group.
    pub(super) fn extend<'a, T: 'a>(&mut self, of: impl IntoIterator<Item = &'a T>)
    where
        Heading: From<&'a T>,
    {
        self.0.extend(of.into_iter().map(Heading::from));
    }

    /// Adds a heading.
    pub(super) fn push(&mut self, section: Heading) {
        self.0.push(section);
    }

    /// Adds a heading for each group of users.
    pub(super) fn users(&mut self, groups: &[Group]) {
        self.0.extend(groups.iter().map(Heading::of_users));
    }

    pub(crate) fn into_list(self) -> Vec<Heading> {
        self.0
    }
}
