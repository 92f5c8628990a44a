//! The templates: those that are compiled in, or a theme's in their place.
//!
//! Handlebars copies the whole page for each partial that it fills. So partials are put in place once, when the
//! templates are read: `{{> source page}}` becomes `{{#with page}}…{{/with}}`, and `{{#> layout}}…{{/layout}}` the
//! layout with the page inside. A partial with named arguments is left to Handlebars.

use std::{collections::BTreeMap, sync::OnceLock};

use handlebars::{Handlebars, RenderError, Template, TemplateError};

/// Templates by name, in the folder of the same files.
const FILES: &[(&str, &str)] = &[
    ("layout.hbs", include_str!("../../templates/layout.hbs")),
    ("home.hbs", include_str!("../../templates/home.hbs")),
    ("dialect.hbs", include_str!("../../templates/dialect.hbs")),
    ("operation.hbs", include_str!("../../templates/operation.hbs")),
    ("attr_or_type.hbs", include_str!("../../templates/attr_or_type.hbs")),
    ("enum.hbs", include_str!("../../templates/enum.hbs")),
    ("trait.hbs", include_str!("../../templates/trait.hbs")),
    ("guide.hbs", include_str!("../../templates/guide.hbs")),
    ("az.hbs", include_str!("../../templates/az.hbs")),
    ("all.hbs", include_str!("../../templates/all.hbs")),
    ("class.hbs", include_str!("../../templates/class.hbs")),
    ("constraint.hbs", include_str!("../../templates/constraint.hbs")),
    ("coverage.hbs", include_str!("../../templates/coverage.hbs")),
    ("pass.hbs", include_str!("../../templates/pass.hbs")),
    ("patterns.hbs", include_str!("../../templates/patterns.hbs")),
    ("partials/badges.hbs", include_str!("../../templates/partials/badges.hbs")),
    ("partials/cases.hbs", include_str!("../../templates/partials/cases.hbs")),
    ("partials/cpp.hbs", include_str!("../../templates/partials/cpp.hbs")),
    ("partials/description.hbs", include_str!("../../templates/partials/description.hbs")),
    ("partials/facts.hbs", include_str!("../../templates/partials/facts.hbs")),
    ("partials/index.hbs", include_str!("../../templates/partials/index.hbs")),
    ("partials/names.hbs", include_str!("../../templates/partials/names.hbs")),
    ("partials/part.hbs", include_str!("../../templates/partials/part.hbs")),
    ("partials/source.hbs", include_str!("../../templates/partials/source.hbs")),
    ("partials/syntax.hbs", include_str!("../../templates/partials/syntax.hbs")),
    ("partials/title.hbs", include_str!("../../templates/partials/title.hbs")),
    ("partials/traits.hbs", include_str!("../../templates/partials/traits.hbs")),
    ("partials/undescribed.hbs", include_str!("../../templates/partials/undescribed.hbs")),
    ("partials/users.hbs", include_str!("../../templates/partials/users.hbs")),
];

/// Deeper than partials stand in each other, unless one includes itself.
const MOST_NESTED: usize = 16;

/// A template's file and text.
#[derive(Clone, Debug)]
struct Source {
    file: String,
    text: String,
}

/// Something wrong in a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The template's file, below the folder of the theme.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it is.
    pub what: String,
}

/// The templates that are compiled in, with their texts: to parse them takes several times as long as to fill the pages
/// of a small site, and is done once.
static BUILT_IN: OnceLock<BTreeMap<String, (String, Template)>> = OnceLock::new();

fn built_in() -> BTreeMap<String, (String, Template)> {
    let Ok(Templates { expanded, .. }) = Templates::expand(&BTreeMap::new()) else { return BTreeMap::new() };
    let parsed = |(name, Expanded { text, .. }): (String, Expanded)| {
        let parsed = parse(&name, &text).ok()?;
        Some((name, (text, parsed)))
    };
    expanded.into_iter().filter_map(parsed).collect()
}

fn parse(name: &str, text: &str) -> Result<Template, TemplateError> {
    Template::compile_with_name(text, name.to_owned())
}

/// All templates, with their partials in place.
#[derive(Debug)]
pub struct Templates {
    sources: BTreeMap<String, Source>,
    expanded: BTreeMap<String, Expanded>,
    parsed: BTreeMap<String, Template>,
}

/// A template's text with its partials in place, and where each piece of it comes from.
#[derive(Debug, Default)]
struct Expanded {
    text: String,
    /// Where a piece starts here, its template, and where it starts there.
    origins: Vec<(usize, String, usize)>,
}

/// A part of a template, and what stands for its `@partial-block`.
#[derive(Clone, Copy)]
struct Piece<'a> {
    name: &'a str,
    text: &'a str,
    /// Where `text` starts in the template.
    start: usize,
    block: Option<&'a Piece<'a>>,
}

/// `{{> name argument}}` or `{{#> name argument}}…{{/name}}`.
struct Inclusion<'a> {
    start: usize,
    end: usize,
    name: &'a str,
    argument: &'a str,
    /// What stands between the tags.
    block: Option<(usize, usize)>,
}

impl Templates {
    /// The templates that are compiled in, but for those that `theme` has under the same file names.
    ///
    /// # Errors
    /// A template does not parse, or has a name that nothing asks for.
    pub fn new(theme: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let mut templates = Templates::expand(theme)?;
        let built_in = BUILT_IN.get_or_init(built_in);
        for (name, Expanded { text, .. }) in &templates.expanded {
            let known = built_in.get(name).filter(|(known, _)| known == text);
            let parsed = match known {
                Some((_, parsed)) => parsed.clone(),
                None => parse(name, text).map_err(|error| {
                    let (line, column) = error.pos().unwrap_or((1, 1));
                    templates.fault(name, line, column, error.reason().to_string())
                })?,
            };
            templates.parsed.insert(name.clone(), parsed);
        }
        Ok(templates)
    }

    /// The same, not parsed yet.
    fn expand(theme: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let mut sources = BTreeMap::new();
        for (file, text) in FILES {
            let text = theme.get(*file).cloned().unwrap_or_else(|| (*text).to_owned());
            sources.insert(name_of(file).to_owned(), Source { file: (*file).to_owned(), text });
        }
        for (file, text) in theme.iter().filter(|(file, _)| file.ends_with(".hbs")) {
            // A theme may have partials of its own; a page that nobody makes is a slip.
            if !FILES.iter().any(|(known, _)| known == file) {
                if !file.starts_with("partials/") {
                    let what = "no page or partial has this name".to_owned();
                    return Err(Fault { file: file.clone(), line: 1, what });
                }
                sources.insert(name_of(file).to_owned(), Source { file: file.clone(), text: text.clone() });
            }
        }
        // What is compiled in parses, or no test would pass.
        for source in sources.values().filter(|source| theme.contains_key(&source.file)) {
            Template::compile(&source.text).map_err(|error| Fault {
                file: source.file.clone(),
                line: line(error.pos().map_or(1, |(line, _)| line)),
                what: error.reason().to_string(),
            })?;
        }
        let mut templates = Templates { sources, expanded: BTreeMap::new(), parsed: BTreeMap::new() };
        for (name, source) in &templates.sources {
            let mut out = Expanded::default();
            let whole = Piece { name, text: &source.text, start: 0, block: None };
            templates.put(whole, 0, &mut out)?;
            templates.expanded.insert(name.clone(), out);
        }
        Ok(templates)
    }

    /// Hands them to Handlebars.
    pub fn register(&self, handlebars: &mut Handlebars<'_>) {
        for (name, template) in &self.parsed {
            handlebars.register_template(name, template.clone());
        }
    }

    /// Each by its name.
    pub fn all(&self) -> impl Iterator<Item = (&String, &Template)> {
        self.parsed.iter()
    }

    /// What was wrong while a template was filled.
    #[must_use]
    pub fn render_fault(&self, template: &str, error: &RenderError) -> Fault {
        let name = error.template_name.as_deref().unwrap_or(template);
        let (line, column) = (error.line_no.unwrap_or(1), error.column_no.unwrap_or(1));
        self.fault(name, line, column, error.reason().to_string())
    }

    /// The place in a file of a place in an expanded template.
    fn fault(&self, name: &str, line_no: usize, column: usize, what: String) -> Fault {
        let Some(expanded) = self.expanded.get(name) else {
            return Fault { file: name.to_owned(), line: 1, what };
        };
        let before = expanded.text.split_inclusive('\n').take(line_no.saturating_sub(1)).map(str::len);
        let at = before.sum::<usize>() + column.saturating_sub(1);
        let origin = expanded.origins.iter().rev().find(|(start, ..)| *start <= at);
        let (name, offset) =
            origin.map_or((name, at), |(start, name, from)| (name.as_str(), from + (at - start)));
        let Some(source) = self.sources.get(name) else {
            return Fault { file: name.to_owned(), line: 1, what };
        };
        let newlines = source.text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
        Fault { file: source.file.clone(), line: line(newlines + 1), what }
    }

    /// Writes a piece, and in place of each inclusion what it includes.
    fn put(&self, piece: Piece<'_>, depth: usize, out: &mut Expanded) -> Result<(), Fault> {
        let mut at = 0;
        while let Some(found) = inclusion(piece.text, at) {
            let start = found.start;
            out.copy(piece, at, start);
            at = found.end;
            let block = found.block.map(|(from, to)| Piece {
                text: &piece.text[from..to],
                start: piece.start + from,
                ..piece
            });
            let included = match (found.name, piece.block) {
                ("@partial-block", Some(block)) => Some(*block),
                (name, _) => self.sources.get_key_value(name).map(|(name, source)| Piece {
                    name,
                    // The line that the inclusion stands on ends by itself.
                    text: source.text.trim_end(),
                    start: 0,
                    block: block.as_ref(),
                }),
            };
            let Some(included) = included.filter(|_| !found.argument.contains('=')) else {
                out.copy(piece, start, at);
                continue;
            };
            if depth > MOST_NESTED {
                let newlines = piece.text[..start].matches('\n').count();
                let what = format!("`{}` includes itself", found.name);
                let file =
                    self.sources.get(piece.name).map_or_else(String::new, |source| source.file.clone());
                return Err(Fault { file, line: line(newlines + 1), what });
            }
            let is_here = matches!(found.argument, "" | "this");
            if !is_here {
                out.note(piece, start);
                out.text.push_str(&format!("{{{{#with {}}}}}", found.argument));
            }
            self.put(included, depth + 1, out)?;
            if !is_here {
                out.note(piece, start);
                out.text.push_str("{{/with}}");
            }
        }
        out.copy(piece, at, piece.text.len());
        Ok(())
    }
}

impl Expanded {
    fn note(&mut self, piece: Piece<'_>, at: usize) {
        self.origins.push((self.text.len(), piece.name.to_owned(), piece.start + at));
    }

    fn copy(&mut self, piece: Piece<'_>, from: usize, to: usize) {
        self.note(piece, from);
        self.text.push_str(&piece.text[from..to]);
    }
}

fn line(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// `partials/parts.hbs` is `parts`.
fn name_of(file: &str) -> &str {
    let file = file.strip_prefix("partials/").unwrap_or(file);
    file.strip_suffix(".hbs").unwrap_or(file)
}

/// The first inclusion at or behind `from`.
fn inclusion(text: &str, from: usize) -> Option<Inclusion<'_>> {
    let plain = text[from..].find("{{>").map(|at| (from + at, 3));
    let block = text[from..].find("{{#>").map(|at| (from + at, 4));
    let (start, mark) = [plain, block].into_iter().flatten().min()?;
    let close = start + text[start..].find("}}")?;
    let mut words = text[start + mark..close].trim().splitn(2, char::is_whitespace);
    let name = words.next()?;
    let argument = words.next().unwrap_or_default().trim();
    let after = close + 2;
    if mark == 3 {
        return Some(Inclusion { start, end: after, name, argument, block: None });
    }
    let end_tag = format!("{{{{/{name}}}}}");
    let inner_end = after + text[after..].find(&end_tag)?;
    // The lines of the tags hold nothing else.
    let inner_start = after + usize::from(text[after..].starts_with('\n'));
    let block = Some((inner_start.min(inner_end), inner_end));
    Some(Inclusion { start, end: inner_end + end_tag.len(), name, argument, block })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn partials_stand_in_their_places() {
        let files = theme(&[
            ("layout.hbs", "<a>{{> @partial-block}}</a>\n"),
            ("guide.hbs", include_str!("../../templates/guide.hbs")),
            ("az.hbs", "{{#> layout}}\n{{> badges page}}{{> x this}}{{> y k=1}}\n{{/layout}}\n"),
            ("partials/badges.hbs", "B\n"),
            ("partials/x.hbs", "X{{> z}}"),
            ("partials/y.hbs", "Y"),
            ("partials/z.hbs", "Z"),
        ]);
        let templates = Templates::new(&files).expect("templates that parse");
        assert_eq!(templates.expanded["az"].text, "<a>{{#with page}}B{{/with}}XZ{{> y k=1}}\n</a>\n");
    }

    #[test]
    fn faults_have_the_place_in_their_own_file() {
        let wrong = theme(&[("partials/badges.hbs", "\n\n{{#if x}}")]);
        let fault = Templates::new(&wrong).expect_err("an open block");
        assert_eq!((fault.file.as_str(), fault.line), ("partials/badges.hbs", 3));

        let loops = theme(&[("partials/badges.hbs", "\n{{> badges}}")]);
        let fault = Templates::new(&loops).expect_err("a circle");
        assert_eq!((fault.file.as_str(), fault.line), ("partials/badges.hbs", 2));

        let misspelt = theme(&[
            ("layout.hbs", "{{> @partial-block}}"),
            ("guide.hbs", include_str!("../../templates/guide.hbs")),
            ("az.hbs", "{{#> layout}}\n{{> badges}}\n{{/layout}}"),
            ("partials/badges.hbs", "one\ntwo {{frame.titel}}\n"),
        ]);
        let templates = Templates::new(&misspelt).expect("templates that parse");
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        templates.register(&mut handlebars);
        let data = serde_json::json!({"frame": {"title": ""}});
        let error = handlebars.render("az", &data).expect_err("a field that is not there");
        let fault = templates.render_fault("az", &error);
        assert_eq!((fault.file.as_str(), fault.line), ("partials/badges.hbs", 2));
        assert!(fault.what.contains("frame.titel"), "{}", fault.what);
    }
}
