//! The templates: the built-in ones, or a theme's replacements.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use handlebars::Template;

use super::{
    data::Datum,
    plan::{Compiler, Filling, Plan},
};
use crate::{markdown::Scope, pages::headings::Heading};

/// The built-in templates by file name.
const FILES: &[(&str, &str)] = &[
    ("layout.hbs", include_str!("../../../templates/layout.hbs")),
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
    ("partials/description.hbs", include_str!("../../../templates/partials/description.hbs")),
    ("partials/facts.hbs", include_str!("../../../templates/partials/facts.hbs")),
    ("partials/index.hbs", include_str!("../../../templates/partials/index.hbs")),
    ("partials/links.hbs", include_str!("../../../templates/partials/links.hbs")),
    ("partials/members.hbs", include_str!("../../../templates/partials/members.hbs")),
    ("partials/names.hbs", include_str!("../../../templates/partials/names.hbs")),
    ("partials/part.hbs", include_str!("../../../templates/partials/part.hbs")),
    ("partials/predicate.hbs", include_str!("../../../templates/partials/predicate.hbs")),
    ("partials/rows.hbs", include_str!("../../../templates/partials/rows.hbs")),
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

/// The plans of the built-in templates, compiled once: parsing takes several times as long as filling the pages of a
/// small site.
static BUILT_IN: OnceLock<Result<Vec<Arc<Plan>>, Fault>> = OnceLock::new();

/// All templates, compiled.
#[derive(Debug)]
pub struct Templates {
    /// The file names. The built-in ones come first, so that their plans find partials at fixed indexes.
    files: Vec<String>,
    /// The index of each template, by its name.
    names: BTreeMap<String, usize>,
    plans: Vec<Arc<Plan>>,
}

impl Templates {
    /// Compiles the templates of a theme; the built-in ones stay for all other files.
    ///
    /// # Errors
    /// A template does not parse, uses an unknown function, or has a name that no page uses.
    pub fn new(theme: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let mut files: Vec<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
        for file in theme.keys().filter(|file| file.ends_with(".hbs") && !is_built_in(file)) {
            // A theme may add partials, but a page template that no page uses is a mistake.
            if !file.starts_with("partials/") {
                return Err(Fault::new(file, 1, "no page or partial has this name".to_owned()));
            }
            files.push(file.clone());
        }
        let names = files.iter().enumerate().map(|(index, file)| (name_of(file).to_owned(), index)).collect();
        let built_in = BUILT_IN.get_or_init(|| {
            let names = FILES
                .iter()
                .enumerate()
                .map(|(index, (file, _))| (name_of(file).to_owned(), index))
                .collect();
            FILES.iter().enumerate().map(|(index, (file, text))| compile(index, file, text, &names)).collect()
        });
        let built_in = built_in.as_ref().map_err(Fault::clone)?;
        let plan = |(index, file): (usize, &String)| match theme.get(file) {
            Some(text) => compile(index, file, text, &names),
            None => Ok(Arc::clone(&built_in[index])),
        };
        let plans = files.iter().enumerate().map(plan).collect::<Result<_, _>>()?;
        Ok(Templates { files, names, plans })
    }

    /// Writes a page with the template of this name.
    ///
    /// # Errors
    /// The template reads a field that the page does not have.
    pub(super) fn fill(
        &self,
        name: &str,
        root: Datum<'_>,
        scope: Scope<'_>,
        headings: &[Heading],
        html: &mut String,
    ) -> Result<(), Fault> {
        let plan = &self.plans[self.names[name]];
        let filled = plan.fill(Filling { root, scope, headings, plans: &self.plans }, html);
        filled.map_err(|missing| {
            let (file, line) = missing.place.unwrap_or_default();
            Fault::new(&self.files[file], line, missing.what)
        })
    }
}

fn compile(
    index: usize,
    file: &str,
    text: &str,
    names: &BTreeMap<String, usize>,
) -> Result<Arc<Plan>, Fault> {
    let is_included = file == "layout.hbs" || file.starts_with("partials/");
    // The line break after the inclusion ends the last line.
    let text = if is_included { text.trim_end() } else { text };
    let parsed = Template::compile(text).map_err(|error| {
        let line = error.pos().map_or(1, |(line, _)| line);
        Fault::new(file, line, error.reason().to_string())
    })?;
    let plan = Compiler { file: index, source: text, partials: names }.plan(&parsed, 1);
    let plan = plan.map(|plan| if is_included { plan.without_last_end() } else { plan });
    plan.map(Arc::new).map_err(|(line, what)| Fault::new(file, line, what))
}

fn is_built_in(file: &str) -> bool {
    FILES.iter().any(|(known, _)| *known == file)
}

/// The name of a template: `partials/parts.hbs` is `parts`.
fn name_of(file: &str) -> &str {
    let file = file.strip_prefix("partials/").unwrap_or(file);
    file.strip_suffix(".hbs").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{links::Registry, markdown::Texts, render::data::Data};

    fn theme(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
    }

    /// Renders the page `az` with a theme.
    fn filled(files: &[(&str, &str)]) -> Result<String, Fault> {
        let templates = Templates::new(&theme(files))?;
        let (registry, texts) = (Registry::default(), Texts::default());
        let scope = Scope { registry: &registry, texts: &texts, root: "", path: "" };
        let data = Data::new(&serde_json::json!({"page": {"a": 1}}), 0).expect("facts");
        let mut html = String::new();
        templates.fill("az", data.root(), scope, &[], &mut html)?;
        Ok(html)
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
