//! Renders the page model as HTML.
//!
//! * `templates`: the built-in files, or those of a theme;
//! * `prepare`: the check of a template before any page is written;
//! * `partials`: inclusions;
//! * `hooks`: HTML of the project's own, and the policy that allows it;
//! * `functions`: functions that templates call to write HTML;
//! * [`text`]: a template that writes text in place of a page.

mod functions;
mod hooks;
mod output;
mod partials;
mod prepare;
mod templates;
pub mod text;

use handlebars::{Context, Handlebars, RenderContext, RenderError, RenderErrorReason, Renderable};
use odsmith_engine::limits::Budget;
use serde::Serialize;

use crate::{
    links::Registry,
    markdown::Texts,
    pages::{Body, Page, headings::Heading},
    view::{CatalogPage, Frame, Sidebar},
};
use hooks::Grants;
pub use hooks::{Hook, Hooks};
use output::PageOutput;
pub use templates::{Fault, Templates};

/// Files that every site has.
pub const ASSETS: &[(&str, &str)] = &[
    ("assets/site.css", include_str!("../../../templates/assets/site.css")),
    ("assets/site.js", include_str!("../../../templates/assets/site.js")),
    (
        "assets/search.js",
        concat!(
            include_str!("../../../templates/assets/query.js"),
            include_str!("../../../templates/assets/match.js"),
            include_str!("../../../templates/assets/search.js")
        ),
    ),
    (INTENT_FILE, include_str!("../../../templates/assets/intent.js")),
    (SYNONYMS_FILE, include_str!("../../../templates/assets/synonyms.txt")),
    ("assets/icon.svg", include_str!("../../../templates/assets/icon.svg")),
];

/// The script that answers queries in everyday words, together with its synonyms.
pub const INTENT_FILE: &str = "assets/intent.js";
/// The synonyms, as lines of `words of a query=names`; a theme's file replaces them.
pub const SYNONYMS_FILE: &str = "assets/synonyms.txt";

/// The script of the search in a catalogue, in place of `assets/search.js`.
pub const CATALOG_SEARCH: &str = concat!(
    include_str!("../../../templates/assets/query.js"),
    include_str!("../../../templates/assets/question.js"),
    include_str!("../../../templates/assets/catalog.js"),
    include_str!("../../../templates/assets/search.js")
);

/// Removes the comments and indentation of a script.
#[must_use]
pub fn stripped(script: &str) -> String {
    let lines =
        script.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The script that reloads pages while the project is watched.
pub const LIVE: (&str, &str) = ("assets/live.js", include_str!("../../../templates/assets/live.js"));
/// The script that opens definitions in a playground.
pub const PLAY: (&str, &str) = ("assets/play.js", include_str!("../../../templates/assets/play.js"));
/// The file of the script that is inlined in each page.
pub const BOOT_FILE: &str = "assets/boot.js";

/// The script that runs before the first paint, so that a chosen theme does not flash.
pub const BOOT: &str = include_str!("../../../templates/assets/boot.js");

/// The optional parts of pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'e> {
    /// True if pages reload when they are rebuilt.
    pub is_live: bool,
    /// The address of a playground.
    pub playground: Option<&'e str>,
    /// The release of MLIR and the project's pin.
    pub basis: Option<&'e str>,
    /// True if the site has no definitions.
    pub has_guides_only: bool,
    /// True if the pages are those of a catalogue.
    pub is_catalog: bool,
    /// HTML of the project's own, if there is any.
    pub hooks: Option<&'e Hooks>,
    /// The job's budget, if it has one.
    pub budget: Option<&'e Budget>,
}

/// A renderer of pages as HTML.
pub struct Renderer<'r> {
    templates: Handlebars<'r>,
    chrome: Chrome,
    budget: Budget,
}

/// Values that are the same on every page.
#[derive(Clone, Debug, Serialize)]
struct Chrome {
    /// True if the page reloads when it is rebuilt.
    is_live: bool,
    /// The address of a playground, if there is one.
    playground: Option<String>,
    boot: String,
    /// HTML for the head and the foot.
    head: String,
    footer: String,
    policy: String,
    generator: &'static str,
    /// The release of MLIR and the project's pin, if pages name them.
    basis: Option<String>,
    /// True if the site has no definitions.
    has_guides_only: bool,
    /// True if the pages are those of a catalogue.
    is_catalog: bool,
    /// The page that lists or finds everything.
    finder: &'static str,
}

#[derive(Serialize)]
struct View<'a, T: Serialize> {
    frame: &'a Frame,
    chrome: &'a Chrome,
    headings: &'a [Heading],
    page: &'a T,
}

/// The content security policy: a page may load the site's own files and run its one inline script. Every page
/// declares it; a server repeats it as a header.
#[must_use]
pub fn policy() -> String {
    Grants::default().policy(BOOT, false)
}

impl<'r> Renderer<'r> {
    /// Creates a renderer whose links lead to the pages of `registry`; `boot` is the inline script of each page.
    #[must_use]
    pub fn new(
        registry: &'r Registry,
        texts: &'r Texts,
        templates: Templates,
        boot: &str,
        extras: Extras<'_>,
    ) -> Self {
        let hook = |of: fn(&Hooks) -> &Hook| extras.hooks.map(|hooks| of(hooks).html.trim_end().to_owned());
        let grants = extras.hooks.map(Hooks::grants).unwrap_or_default();
        let chrome = Chrome {
            boot: boot.to_owned(),
            head: hook(|hooks| &hooks.head).unwrap_or_default(),
            footer: hook(|hooks| &hooks.footer).unwrap_or_default(),
            is_live: extras.is_live,
            playground: extras.playground.map(str::to_owned),
            policy: grants.policy(boot, extras.is_live),
            generator: concat!("Odsmith ", env!("CARGO_PKG_VERSION")),
            basis: extras.basis.map(str::to_owned),
            has_guides_only: extras.has_guides_only,
            is_catalog: extras.is_catalog,
            finder: if extras.is_catalog { "search.html" } else { "az.html" },
        };
        let budget = extras.budget.cloned().unwrap_or_default();
        Renderer { templates: templates.register(registry, texts), chrome, budget }
    }

    /// Renders a page as HTML, and its JSON twin if it has one.
    ///
    /// # Errors
    /// A template reads a field that the page model does not have; the twin is still returned.
    pub fn forms(&self, page: &Page, sidebar: Option<Sidebar>) -> (Result<String, Fault>, Option<String>) {
        let headings = &page.body.headings();
        let contents = page.body.kind().contents(headings);
        let frame = &Frame { sidebar, contents, ..page.frame.clone() };
        match &page.body {
            Body::Home(view) => self.fill("home", frame, headings, view),
            Body::Dialect(view) => self.fill("dialect", frame, headings, view),
            Body::Operation(view) => self.fill("operation", frame, headings, view),
            Body::AttrOrType(view) => self.fill("attr_or_type", frame, headings, view),
            Body::Enum(view) => self.fill("enum", frame, headings, view),
            Body::Trait(view) => self.fill("trait", frame, headings, view),
            Body::Constraint(view) => self.fill("constraint", frame, headings, view),
            Body::Class(view) => self.fill("class", frame, headings, view),
            Body::Pass(view) => self.fill("pass", frame, headings, view),
            Body::Passes(view) => self.fill("passes", frame, headings, view),
            Body::Patterns(view) => self.fill("patterns", frame, headings, view),
            Body::All(view) => self.fill("all", frame, headings, view),
            Body::Coverage(view) => self.fill("coverage", frame, headings, view),
            Body::Guide(view) => self.fill("guide", frame, headings, view),
            Body::IndexPage(view) => self.fill("list", frame, headings, view),
            Body::Az(view) => self.fill("az", frame, headings, view),
            Body::Missing(view) => self.fill("missing", frame, headings, view),
            Body::ReleasePage(view) => self.fill("release", frame, headings, view),
            Body::Matrix(view) => self.fill("matrix", frame, headings, view),
            Body::RulePage(view) => self.fill("rules", frame, headings, view),
            Body::Removed(view) => self.fill("removed", frame, headings, view),
        }
    }

    /// Renders a page of a catalogue.
    ///
    /// # Errors
    /// The template reads a field that the page model does not have.
    pub fn catalog(&self, frame: &Frame, page: &CatalogPage) -> Result<String, Fault> {
        let headings: Vec<Heading> = page
            .sections
            .iter()
            .map(|it| Heading::new(&it.id, &it.title).with_aside(&it.rows.len().to_string()))
            .collect();
        let view = View { frame, chrome: &self.chrome, headings: &headings, page };
        write_page(&self.templates, "catalog", &view, &self.budget)
    }

    fn fill<T: Serialize>(
        &self,
        template: &str,
        frame: &Frame,
        headings: &[Heading],
        view: &T,
    ) -> (Result<String, Fault>, Option<String>) {
        let page = View { frame, chrome: &self.chrome, headings, page: view };
        let html = write_page(&self.templates, template, &page, &self.budget);
        let twin = frame.json.as_ref().and_then(|_| serde_json::to_string(view).ok());
        (html, twin.map(|json| json + "\n"))
    }
}

/// Fills the template of this name, as far as the budget allows it.
fn write_page(
    templates: &Handlebars<'_>,
    name: &str,
    view: &impl Serialize,
    budget: &Budget,
) -> Result<String, Fault> {
    let context = Context::wraps(view)?;
    let mut render = RenderContext::new(None);
    if let Some(level) = render.block_mut() {
        partials::enter(level, 0, None);
    }
    let template =
        templates.get_template(name).ok_or_else(|| RenderErrorReason::TemplateNotFound(name.to_owned()));
    let mut html = PageOutput::new(budget);
    template.map_err(RenderError::from)?.render(templates, &context, &mut render, &mut html)?;
    Ok(html.into_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inline_script_is_small() {
        assert!(BOOT.len() < 1024);
    }
}
