//! From the page model to HTML.
//!
//! * `data`: the facts of a page as templates read them;
//! * `plan`: templates as steps, and how they are filled;
//! * `helpers`: what templates may call; `lists`, `tables` and `predicate` have those that write more than a few words.

mod data;
mod helpers;
mod lists;
mod plan;
mod predicate;
mod tables;

use std::{collections::BTreeMap, fmt::Write as _};

use handlebars::Handlebars;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{
    links::Registry,
    markdown::{self, Scope, Texts},
    pages::{Body, Page},
    templates::{Fault, Templates},
};
use data::Data;
use helpers::{HELPERS, Writes};
use plan::{Filling, Plan};

/// Files that every site has.
pub const ASSETS: &[(&str, &str)] = &[
    ("assets/site.css", include_str!("../../templates/assets/site.css")),
    ("assets/site.js", include_str!("../../templates/assets/site.js")),
    (
        "assets/search.js",
        concat!(
            include_str!("../../templates/assets/match.js"),
            include_str!("../../templates/assets/search.js")
        ),
    ),
    ("assets/icon.svg", include_str!("../../templates/assets/icon.svg")),
];

/// What a site has besides while it is watched.
pub const LIVE: (&str, &str) = ("assets/live.js", include_str!("../../templates/assets/live.js"));
/// The script that stands in each page, by its file.
pub const BOOT_FILE: &str = "assets/boot.js";

/// Runs before the page is painted, so that a chosen theme does not flash.
pub const BOOT: &str = include_str!("../../templates/assets/boot.js");

/// More bytes of text than most pages have.
const USUAL_TEXT: usize = 16 << 10;

/// Turns pages into HTML.
pub struct Renderer<'r> {
    handlebars: Handlebars<'r>,
    registry: &'r Registry,
    texts: &'r Texts,
    templates: Templates,
    /// The templates that Handlebars need not fill itself.
    plans: BTreeMap<String, Plan>,
    chrome: Chrome,
}

/// What is the same on every page.
#[derive(Clone, Debug, Serialize)]
struct Chrome {
    /// Whether the page waits for the next one.
    is_live: bool,
    boot: String,
    policy: String,
    generator: &'static str,
}

#[derive(Serialize)]
struct View<'a, T: Serialize> {
    frame: &'a crate::view::Frame,
    chrome: &'a Chrome,
    page: &'a T,
}

/// What a page may do: show and run what is beside it, and its one script of its own, nothing else. Every page says so
/// itself; a server repeats it as a header.
#[must_use]
pub fn policy() -> String {
    policy_for(BOOT)
}

fn policy_for(boot: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{}'; style-src 'self'; img-src 'self'; base-uri 'none'; \
         form-action 'self'",
        base64(&Sha256::digest(boot))
    )
}

impl<'r> Renderer<'r> {
    /// A renderer whose links lead to the pages of `registry`; `boot` is the script that stands in each page, and pages
    /// that are live wait for the next ones.
    #[must_use]
    pub fn new(
        registry: &'r Registry,
        texts: &'r Texts,
        templates: Templates,
        boot: &str,
        is_live: bool,
    ) -> Self {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        handlebars.register_escape_fn(|text| {
            let mut escaped = String::with_capacity(text.len() + 8);
            markdown::escape(text, &mut escaped);
            escaped
        });
        templates.register(&mut handlebars);
        for &(name, make) in HELPERS {
            handlebars.register_helper(name, Box::new(Writes { registry, texts, make }));
        }
        let chrome = Chrome {
            boot: boot.to_owned(),
            is_live,
            policy: if is_live {
                format!("{}; connect-src 'self'", policy_for(boot))
            } else {
                policy_for(boot)
            },
            generator: concat!("Odsmith ", env!("CARGO_PKG_VERSION")),
        };
        let plans = templates.all().filter_map(|(name, parsed)| Some((name.clone(), Plan::new(parsed)?)));
        let plans = plans.collect();
        Renderer { handlebars, registry, texts, templates, plans, chrome }
    }

    /// A page as HTML, and its JSON twin if it has one.
    ///
    /// # Errors
    /// A template names what the page model does not have; the twin is there all the same.
    pub fn forms(&self, page: &Page) -> (Result<String, Fault>, Option<String>) {
        match &page.body {
            Body::Home(view) => self.fill("home", page, view),
            Body::Dialect(view) => self.fill("dialect", page, view),
            Body::Operation(view) => self.fill("operation", page, view),
            Body::AttrOrType(view) => self.fill("attr_or_type", page, view),
            Body::Enum(view) => self.fill("enum", page, view),
            Body::Trait(view) => self.fill("trait", page, view),
            Body::Constraint(view) => self.fill("constraint", page, view),
            Body::Class(view) => self.fill("class", page, view),
            Body::Pass(view) => self.fill("pass", page, view),
            Body::Patterns(view) => self.fill("patterns", page, view),
            Body::All(view) => self.fill("all", page, view),
            Body::Coverage(view) => self.fill("coverage", page, view),
            Body::Guide(view) => self.fill("guide", page, view),
            Body::Az(view) => self.fill("az", page, view),
        }
    }

    fn fill<T: Serialize>(
        &self,
        template: &str,
        page: &Page,
        view: &T,
    ) -> (Result<String, Fault>, Option<String>) {
        let view = View { frame: &page.frame, chrome: &self.chrome, page: view };
        let data = Data::new(&view, USUAL_TEXT);
        let html = data.as_ref().and_then(|data| self.planned(template, page, data));
        let html = html.map_or_else(|| self.handlebars.render(template, &view), Ok);
        let html = html.map_err(|error| self.templates.render_fault(template, &error));
        let twin = page.frame.json.as_ref().and_then(|_| serde_json::to_string(view.page).ok());
        (html, twin.map(|json| json + "\n"))
    }

    /// A page by the plan of its template; none where there is no plan, or nothing that it asks for.
    fn planned(&self, template: &str, page: &Page, data: &Data) -> Option<String> {
        let plan = self.plans.get(template)?;
        let (root, path) = (&*page.frame.root, &*page.frame.path);
        let scope = Scope { registry: self.registry, texts: self.texts, root, path };
        let mut html = String::with_capacity(2 * data.len());
        plan.fill(Filling { root: data.root(), scope }, &mut html).ok()?;
        Some(html)
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for index in 0..4 {
            if index > chunk.len() {
                out.push('=');
            } else {
                let _ = out.write_char(char::from(DIGITS[(group >> (18 - 6 * index)) as usize & 63]));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view;

    #[test]
    fn base64_pads() {
        assert_eq!(base64(b"ab"), "YWI=");
        assert_eq!(base64(b"abc"), "YWJj");
        assert_eq!(base64(b"abcd"), "YWJjZA==");
    }

    #[test]
    fn our_templates_have_plans() {
        let (registry, texts) = (Registry::default(), Texts::default());
        let templates = Templates::new(&BTreeMap::new()).expect("templates that parse");
        let renderer = Renderer::new(&registry, &texts, templates, BOOT, false);
        let all = renderer.templates.all().map(|(name, _)| name.as_str());
        let unplanned: Vec<&str> = all.filter(|name| !renderer.plans.contains_key(*name)).collect();
        // It is filled as a part of each page.
        assert_eq!(unplanned, ["layout"]);
    }

    #[test]
    fn handlebars_fills_what_plans_do_not_know() {
        let rows =
            vec![view::Row { name: "a<b".to_owned(), href: "a.html".to_owned(), ..view::Row::default() }];
        let groups = vec![view::Group::new("a", "A", None, rows)];
        let page = Page { frame: view::Frame::default(), body: Body::Az(Box::new(view::Az { groups })) };
        let (registry, texts) = (Registry::default(), Texts::default());
        let filled = |az: &str| {
            let theme = BTreeMap::from([("az.hbs".to_owned(), az.to_owned())]);
            let templates = Templates::new(&theme).expect("templates that parse");
            let renderer = Renderer::new(&registry, &texts, templates, BOOT, false);
            (renderer.plans.contains_key("az"), renderer.forms(&page).0.map_err(|fault| fault.line))
        };
        let html =
            "<li><a class=\"op\" href=\"a.html\"><span></span>a&lt;b</a> <span class=\"sum\"></span></li>\n";
        let planned = filled("{{#each page.groups}}{{{rows rows}}}{{/each}}");
        assert_eq!(planned, (true, Ok(html.to_owned())));
        let left = filled("{{#each page.groups as |group|}}{{{rows group.rows}}}{{/each}}");
        assert_eq!(left, (false, Ok(html.to_owned())));
        assert_eq!(filled("\n{{page.gruops}}"), (true, Err(2)));
    }

    #[test]
    fn the_inline_script_is_small() {
        assert!(BOOT.len() < 1024);
    }
}
