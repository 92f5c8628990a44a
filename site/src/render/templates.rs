//! The templates: the built-in ones, or a theme's replacements.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use handlebars::{Handlebars, RenderError, RenderErrorReason, Template};

use super::{
    functions::{FUNCTIONS, FunctionHelper, SectionHelper},
    partials::{BLOCK_HELPER, BlockHelper, PARTIAL_HELPER, PartialHelper},
    prepare::Preparation,
};
use crate::{
    links::Registry,
    markdown::{self, Texts},
};

/// The built-in templates by file name.
const FILES: &[(&str, &str)] = &[
    ("layout.hbs", include_str!("../../../templates/layout.hbs")),
    ("passes.hbs", include_str!("../../../templates/passes.hbs")),
    ("list.hbs", include_str!("../../../templates/list.hbs")),
    ("home.hbs", include_str!("../../../templates/home.hbs")),
    ("dialect.hbs", include_str!("../../../templates/dialect.hbs")),
    ("operation.hbs", include_str!("../../../templates/operation.hbs")),
    ("attr_or_type.hbs", include_str!("../../../templates/attr_or_type.hbs")),
    ("enum.hbs", include_str!("../../../templates/enum.hbs")),
    ("trait.hbs", include_str!("../../../templates/trait.hbs")),
    ("guide.hbs", include_str!("../../../templates/guide.hbs")),
    ("az.hbs", include_str!("../../../templates/az.hbs")),
    ("missing.hbs", include_str!("../../../templates/missing.hbs")),
    ("all.hbs", include_str!("../../../templates/all.hbs")),
    ("catalog.hbs", include_str!("../../../templates/catalog.hbs")),
    ("class.hbs", include_str!("../../../templates/class.hbs")),
    ("constraint.hbs", include_str!("../../../templates/constraint.hbs")),
    ("coverage.hbs", include_str!("../../../templates/coverage.hbs")),
    ("pass.hbs", include_str!("../../../templates/pass.hbs")),
    ("patterns.hbs", include_str!("../../../templates/patterns.hbs")),
    ("matrix.hbs", include_str!("../../../templates/matrix.hbs")),
    ("partials/own.hbs", include_str!("../../../templates/partials/own.hbs")),
    ("release.hbs", include_str!("../../../templates/release.hbs")),
    ("removed.hbs", include_str!("../../../templates/removed.hbs")),
    ("rules.hbs", include_str!("../../../templates/rules.hbs")),
    ("partials/findings.hbs", include_str!("../../../templates/partials/findings.hbs")),
    ("partials/history.hbs", include_str!("../../../templates/partials/history.hbs")),
    ("partials/badges.hbs", include_str!("../../../templates/partials/badges.hbs")),
    ("partials/called.hbs", include_str!("../../../templates/partials/called.hbs")),
    ("partials/cards.hbs", include_str!("../../../templates/partials/cards.hbs")),
    ("partials/cases.hbs", include_str!("../../../templates/partials/cases.hbs")),
    ("partials/codes.hbs", include_str!("../../../templates/partials/codes.hbs")),
    ("partials/cpp.hbs", include_str!("../../../templates/partials/cpp.hbs")),
    ("partials/conversions.hbs", include_str!("../../../templates/partials/conversions.hbs")),
    ("partials/description.hbs", include_str!("../../../templates/partials/description.hbs")),
    ("partials/examples.hbs", include_str!("../../../templates/partials/examples.hbs")),
    ("partials/facts.hbs", include_str!("../../../templates/partials/facts.hbs")),
    ("partials/generic.hbs", include_str!("../../../templates/partials/generic.hbs")),
    ("partials/index.hbs", include_str!("../../../templates/partials/index.hbs")),
    ("partials/links.hbs", include_str!("../../../templates/partials/links.hbs")),
    ("partials/members.hbs", include_str!("../../../templates/partials/members.hbs")),
    ("partials/names.hbs", include_str!("../../../templates/partials/names.hbs")),
    ("partials/part.hbs", include_str!("../../../templates/partials/part.hbs")),
    ("partials/predicate.hbs", include_str!("../../../templates/partials/predicate.hbs")),
    ("partials/rows.hbs", include_str!("../../../templates/partials/rows.hbs")),
    ("partials/skeleton.hbs", include_str!("../../../templates/partials/skeleton.hbs")),
    ("partials/source.hbs", include_str!("../../../templates/partials/source.hbs")),
    ("partials/syntax.hbs", include_str!("../../../templates/partials/syntax.hbs")),
    ("partials/title.hbs", include_str!("../../../templates/partials/title.hbs")),
    ("partials/traits.hbs", include_str!("../../../templates/partials/traits.hbs")),
    ("partials/undescribed.hbs", include_str!("../../../templates/partials/undescribed.hbs")),
    ("partials/users.hbs", include_str!("../../../templates/partials/users.hbs")),
];

/// An error in a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The template's file, below the folder of the theme.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The message.
    pub what: String,
}

impl Fault {
    pub(super) fn new(file: &str, line: usize, what: String) -> Self {
        Fault { file: file.to_owned(), line: u32::try_from(line).unwrap_or(u32::MAX), what }
    }
}

impl From<RenderError> for Fault {
    fn from(error: RenderError) -> Self {
        let given = |name: &str| format!("`{name}` is given what the page does not have here");
        let what = match error.reason() {
            RenderErrorReason::MissingVariable(Some(path)) => format!("the page has no `{path}` here"),
            RenderErrorReason::MissingVariable(None) => given("lookup"),
            RenderErrorReason::ParamNotFoundForIndex(name, _)
            | RenderErrorReason::ParamNotFoundForName(name, _) => given(name),
            other => other.to_string(),
        };
        Fault::new(error.template_name.as_deref().unwrap_or_default(), error.line_no.unwrap_or(1), what)
    }
}

/// The built-in templates, parsed once: this takes several times as long as filling the pages of a small site.
static BUILT_IN: OnceLock<Result<BTreeMap<&str, Template>, Fault>> = OnceLock::new();

/// All templates by their names, checked.
#[derive(Debug)]
pub struct Templates(BTreeMap<String, Template>);

impl Templates {
    /// Checks the templates of a theme; the built-in ones stay for all other files.
    ///
    /// # Errors
    /// A template does not parse, uses an unknown function, or has a name that no page uses.
    pub fn new(theme: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let own = || theme.iter().filter(|(file, _)| file.ends_with(".hbs"));
        // A theme may add partials, but a page template that no page uses is a mistake.
        if let Some((file, _)) = own().find(|(file, _)| !is_built_in(file) && !file.starts_with("partials/"))
        {
            return Err(Fault::new(file, 1, "no page or partial has this name".to_owned()));
        }
        let mut names: BTreeSet<&str> = FILES.iter().map(|(file, _)| name_of(file)).collect();
        let built_in = BUILT_IN.get_or_init(|| {
            FILES.iter().map(|(file, text)| Ok((name_of(file), prepare(file, text, &names)?))).collect()
        });
        let built_in = built_in.as_ref().map_err(Fault::clone)?;
        let mut all: BTreeMap<String, Template> =
            built_in.iter().map(|(name, template)| ((*name).to_owned(), template.clone())).collect();
        names.extend(own().map(|(file, _)| name_of(file)));
        for (file, text) in own() {
            all.insert(name_of(file).to_owned(), prepare(file, text, &names)?);
        }
        Ok(Templates(all))
    }

    /// Checks a template that includes no other.
    ///
    /// # Errors
    /// It does not parse, or uses an unknown function.
    pub(super) fn alone(file: &str, text: &str) -> Result<Self, Fault> {
        let template = prepare(file, text, &BTreeSet::new())?;
        Ok(Templates(BTreeMap::from([(name_of(file).to_owned(), template)])))
    }

    /// Registers the templates, and the functions for a site.
    pub(super) fn register<'r>(self, registry: &'r Registry, texts: &'r Texts) -> Handlebars<'r> {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        handlebars.register_escape_fn(|text| {
            let mut html = String::with_capacity(text.len());
            markdown::escape(text, &mut html);
            html
        });
        handlebars.unregister_helper("log");
        for function in FUNCTIONS {
            handlebars.register_helper(function.name, Box::new(FunctionHelper { function, registry, texts }));
        }
        handlebars.register_helper("section", Box::new(SectionHelper));
        handlebars.register_helper(PARTIAL_HELPER, Box::new(PartialHelper));
        handlebars.register_helper(BLOCK_HELPER, Box::new(BlockHelper));
        for (name, template) in self.0 {
            handlebars.register_template(&name, template);
        }
        handlebars
    }
}

fn prepare(file: &str, text: &str, partials: &BTreeSet<&str>) -> Result<Template, Fault> {
    let is_included = file == "layout.hbs" || file.starts_with("partials/");
    // The line break after the inclusion ends the last line.
    let source = if is_included { text.trim_end() } else { text };
    let template = Preparation { file, source, is_included, partials }.template();
    template.map_err(|(line, what)| Fault::new(file, line, what))
}

fn is_built_in(file: &str) -> bool {
    FILES.iter().any(|(known, _)| *known == file)
}

/// The name of a template: `partials/parts.hbs` is `parts`.
pub(super) fn name_of(file: &str) -> &str {
    let file = file.strip_prefix("partials/").unwrap_or(file);
    file.strip_suffix(".hbs").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use odsmith_engine::limits::Budget;
    use serde_json::json;

    use super::*;
    use crate::render::write_page;

    fn theme(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
    }

    /// Renders the page `az` with a theme.
    fn filled(files: &[(&str, &str)]) -> Result<String, Fault> {
        let templates = Templates::new(&theme(files))?;
        let (registry, texts) = (Registry::default(), Texts::default());
        let view = json!({
            "headings": [{"id": "x", "title": "Cases of", "code": "a<b", "aside": "3"}],
            "page": {"a": 1, "name": "a<b", "none": null, "count": 3, "list": [{"name": "x"}, {"name": "y"}]},
        });
        write_page(&templates.register(&registry, &texts), "az", &view, &Budget::default())
    }

    /// Fills a template that may include `shown`, `box` and `loop`.
    fn shown(template: &str) -> Result<String, Fault> {
        filled(&[
            ("az.hbs", template),
            ("partials/shown.hbs", "<{{name}} {{size}} {{@index}} {{@root.page.name}}>"),
            ("partials/box.hbs", "[{{> @partial-block}}]"),
            ("partials/frame.hbs", "{{#> box}}({{> @partial-block}}){{/box}}"),
            ("partials/loop.hbs", "{{> loop}}"),
            ("partials/up.hbs", "{{../name}}"),
        ])
    }

    #[test]
    fn an_inclusion_is_what_it_is_replaced_by() {
        for (template, expected) in [
            // The line of the inclusion ends by itself.
            ("a\n  {{#> box}}\nb\n{{/box}}\nc", "a\n  [b\n]\nc"),
            ("{{#each page.list}}\n{{~> shown this size=1~}}\n{{/each}}b", "<x 1 0 a&lt;b><y 1 1 a&lt;b>b"),
            (
                "{{#each page.list}}{{> shown ../page size=name}}{{/each}}",
                "<a&lt;b x 0 a&lt;b><a&lt;b y 1 a&lt;b>",
            ),
            (
                "{{#each page.list as |it|}}{{#if @last}}{{> shown it size=\"big\"}}{{/if}}{{/each}}",
                "<y big 1 a&lt;b>",
            ),
            ("{{#with page}}{{#each list}}{{> up}}{{> up ../list}}{{/each}}{{/with}}", "a&lt;bxa&lt;by"),
            ("{{#each (lookup page \"list\")}}{{> shown size=1}}{{/each}}", "<x 1 0 a&lt;b><y 1 1 a&lt;b>"),
            (
                "{{#with (lookup page \"list\")}}{{> box}}{{else}}a{{/with}}",
                "nothing includes this with a block",
            ),
            ("{{#> box}}{{#> box}}{{page.name}}{{/box}}{{/box}} {{#> none}}c{{/none}}", "[[a&lt;b]] c"),
            ("{{#> frame}}{{page.count}}{{/frame}}{{#> @partial-block}}d{{/@partial-block}}", "[(3)]d"),
            ("{{> @partial-block}}", "nothing includes this with a block"),
            ("{{#> box page size=2}}{{size}}{{name}}{{/box}}", "[2a&lt;b]"),
            ("{{#with @root}}{{page.count}}{{/with}}", "3"),
            ("{{> loop}}", "`loop` includes itself without end"),
        ] {
            let found = shown(template).unwrap_or_else(|fault| fault.what);
            assert_eq!(found, expected, "{template}");
        }
    }

    #[test]
    fn values_that_the_page_lacks_are_errors() {
        for (template, part) in [
            ("{{page.missing}}", "no `page.missing`"),
            ("{{#each page.missing}}a{{/each}}", "no `page.missing`"),
            ("{{#with page.none}}a{{/with}}", "no `page.none`"),
            ("{{#if (eq page.missing 1)}}a{{/if}}", "`eq` is given"),
            ("{{lookup page \"missing\"}}", "`lookup` is given"),
            ("{{len page.missing}}", "`len` is given"),
            ("{{url page.missing}}", "no `page.missing`"),
            ("{{url page.list}}", "`url` takes a text"),
            ("{{> shown size=page.missing}}", "no `page.missing`"),
            ("{{> shown page.missing}}", "no `page.missing`"),
        ] {
            let fault = shown(&format!("\n{template}")).expect_err("an error");
            assert_eq!((&*fault.file, fault.line), ("az.hbs", 2), "{template}");
            assert!(fault.what.contains(part), "{template}: {}", fault.what);
        }
    }

    #[test]
    fn unknown_names_are_errors() {
        for (template, line, part) in [
            ("\n{{rows page.list}}", 2, "{{> rows …}}"),
            ("{{#if page}}\n{{shown page}}{{/if}}", 2, "{{> shown …}}"),
            ("{{other page}}", 1, "no helper `other`"),
            ("{{#log page}}{{/log}}", 1, "no block `log`"),
            ("\n\n{{> other}}", 3, "no partial `other`"),
            ("{{#*inline \"a\"}}b{{/inline}}", 1, "partials/"),
            ("{{@foo}}", 1, "`@foo`"),
            ("{{url}}", 1, "takes 1"),
            ("{{#if a b}}{{/if}}", 1, "takes 1"),
            ("{{#if (url a)}}{{/if}}", 1, "`url`"),
            ("{{#if (other a)}}{{/if}}", 1, "no operation `other`"),
            ("{{> (lookup a b)}}", 1, "name"),
            (&format!("{}{}", "{{#if a}}".repeat(200), "{{/if}}".repeat(200)), 1, "more than 128 blocks"),
            ("{{#section}}a{{/section}}", 1, "takes the fragment"),
            ("{{#section \"x\" id=1}}a{{/section}}", 1, "but `class`"),
            ("{{#section \"x\"}}a{{else}}b{{/section}}", 1, "no `else`"),
        ] {
            // The page that would show it is never filled.
            let fault = shown(&format!("{{{{#if page.none}}}}{template}{{{{/if}}}}")).expect_err("an error");
            assert_eq!((&*fault.file, fault.line), ("az.hbs", line), "{template}");
            assert!(fault.what.contains(part), "{template}: {}", fault.what);
        }
    }

    #[test]
    fn a_section_has_the_heading_that_the_page_says() {
        let expected = "a\n<section class=\"old\" aria-labelledby=\"x\">\n\
                        <h2 id=\"x\">Cases of <code>a&lt;b</code> <span class=\"aside\">3</span></h2>\n3\n</section>\nb";
        let section = |id: &str| {
            format!("a\n{{{{#section \"{id}\" class=\"old\"}}}}\n{{{{page.count}}}}\n{{{{/section}}}}\nb")
        };
        assert_eq!(shown(&section("x")).as_deref(), Ok(expected));
        assert_eq!(shown(&section("y")).as_deref(), Ok("a\nb"));
    }

    #[test]
    fn partials_stand_in_their_places() {
        let files = [
            ("layout.hbs", "<a>{{> @partial-block}}</a>\n"),
            ("az.hbs", "{{#> layout}}\n{{> badges page}}{{> x this}}{{> y k=1}}\n{{/layout}}\n"),
            ("partials/badges.hbs", "B{{a}}\n"),
            ("partials/x.hbs", "X{{> z}}"),
            ("partials/y.hbs", "Y{{k}}"),
            ("partials/z.hbs", "Z"),
        ];
        assert_eq!(filled(&files).as_deref(), Ok("<a>B1XZY1\n</a>\n"));
    }

    #[test]
    fn faults_have_the_place_in_their_own_file() {
        let place = |files: &[(&str, &str)]| {
            let fault = filled(files).expect_err("a fault");
            (fault.file, fault.line, fault.what)
        };
        let (file, line, _) = place(&[("partials/badges.hbs", "\n\n{{#if x}}")]);
        assert_eq!((file.as_str(), line), ("partials/badges.hbs", 3));

        let (file, line, what) =
            place(&[("az.hbs", "{{> badges}}"), ("partials/badges.hbs", "\n{{> badges}}")]);
        assert_eq!((file.as_str(), line), ("partials/badges.hbs", 2));
        assert!(what.contains("itself"), "{what}");

        let (file, line, what) = place(&[
            ("layout.hbs", "{{> @partial-block}}"),
            ("az.hbs", "{{#> layout}}\n{{> badges}}\n{{/layout}}"),
            ("partials/badges.hbs", "one\ntwo {{frame.titel}}\n"),
        ]);
        assert_eq!((file.as_str(), line), ("partials/badges.hbs", 2));
        assert!(what.contains("frame.titel"), "{what}");

        let (file, line, what) = place(&[("partials/index.hbs", "<ul>\n{{{rows rows}}}</ul>")]);
        assert_eq!((file.as_str(), line), ("partials/index.hbs", 2));
        assert!(what.contains("{{> rows …}}"), "{what}");
    }
}
