//! The content of a page as Markdown: no raw HTML, and authors' texts rewritten.

use std::{borrow::Cow, fmt::Write as _, mem};

use super::{CLOSE, DIAGRAM, OPEN};
use crate::{
    commonmark::{self, code, line as escape, write_code},
    links::Registry,
    markdown::{Texts, literal},
    pages::headings::Heading,
    view::{
        Badge, Builder, Case, Constraint, DialectCard, EnumSummary, Fact, Group, Link, Part, Prose, Row,
        Skeleton, Source, Syntax, Trait,
    },
};

/// The initial capacity, in bytes, for the text of a page; more than most pages need.
const USUAL_TEXT: usize = 4 << 10;

pub(crate) struct Writer<'t> {
    pub(crate) text: String,
    /// The page's title.
    title: String,
    /// The headings of its sections.
    headings: Vec<Heading>,
    /// The number of sections written so far.
    written: usize,
    texts: &'t Texts,
    registry: &'t Registry,
}

impl<'t> Writer<'t> {
    pub(crate) fn new(title: &str, headings: Vec<Heading>, texts: &'t Texts, registry: &'t Registry) -> Self {
        let title = title.to_owned();
        Writer { title, headings, written: 0, texts, registry, text: String::with_capacity(USUAL_TEXT) }
    }

    /// Rewrites an author's text; its links to definitions become placeholders.
    fn rewritten(&self, md: &str) -> String {
        let link = |href: &str| {
            let (_, fragment) = href.split_once('#')?;
            self.registry.anchors.get(fragment).map(|target| self.url(target))
        };
        commonmark::rewrite(md, self.texts, &link)
    }

    /// The placeholder for the address of the page's diagram.
    fn diagram(&self) -> String {
        format!("{OPEN}{DIAGRAM}{CLOSE}")
    }

    pub(crate) fn finish(self) -> String {
        debug_assert!(
            self.written == self.headings.len(),
            "{} lacks {:?} in Markdown",
            self.title,
            self.headings.get(self.written)
        );
        let mut text = self.text;
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// Writes the heading and the body of a section, if the page has it.
    pub(crate) fn section(&mut self, id: &str, body: impl FnOnce(&mut Self)) {
        let Some(heading) = self.leave_out(id) else { return };
        let _ = write!(self.text, "## {}", escape(&heading.title));
        if let Some(name) = &heading.code {
            self.text.push(' ');
            write_code(name, &mut self.text);
        }
        self.text.push_str("\n\n");
        body(self);
    }

    /// Marks a section as written that Markdown leaves out.
    pub(crate) fn leave_out(&mut self, id: &str) -> Option<Heading> {
        let at = self.headings.iter().position(|heading| heading.id == id)?;
        debug_assert_eq!(at, self.written, "{}: Markdown writes '{id}' in another place", self.title);
        self.written += 1;
        Some(mem::take(&mut self.headings[at]))
    }

    /// Writes a heading inside a section.
    pub(crate) fn subheading(&mut self, title: &str) {
        let _ = write!(self.text, "### {title}\n\n");
    }

    /// Writes a label and links, if there are any links.
    pub(crate) fn note(&mut self, label: &str, links: &[Link]) {
        if !links.is_empty() {
            let links = self.links(links);
            self.paragraph(&format!("{label} {links}."));
        }
    }

    /// Writes an author's C++ code, if there is any.
    pub(crate) fn declaration(&mut self, label: &str, code: Option<&str>) {
        if let Some(code) = code {
            self.paragraph(&format!("{label}:"));
            self.fence("c++", code);
        }
    }

    /// Writes a table of dialects.
    pub(crate) fn cards(&mut self, cards: &[DialectCard]) {
        self.text.push_str("| Dialect | Summary |\n| --- | --- |\n");
        for card in cards {
            let link = format!("[{}]({})", code(&card.name), self.url(&card.href));
            let _ = writeln!(self.text, "| {link} | {} |", cell(&escape(&card.summary)));
        }
        self.text.push('\n');
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        let _ = write!(self.text, "{text}\n\n");
    }

    /// A placeholder for an address; a fragment of this page stays as it is.
    pub(crate) fn url(&self, href: &str) -> String {
        let mut out = String::with_capacity(href.len() + 8);
        write_url(href, &mut out);
        out
    }

    pub(crate) fn link(&self, link: &Link) -> String {
        let Some(href) = &link.href else { return code(&link.text) };
        let mut out = String::with_capacity(link.text.len() + href.len() + 16);
        out.push('[');
        write_code(&link.text, &mut out);
        out.push_str("](");
        write_url(href, &mut out);
        out.push(')');
        out
    }

    pub(crate) fn prose(&mut self, prose: Option<&Prose>) {
        match prose {
            Some(prose) => {
                if prose.is_harvested {
                    self.paragraph("*From a comment in the source:*");
                }
                let text = self.rewritten(&prose.md);
                self.paragraph(text.trim());
            }
            None => self.paragraph("*No description in the source.*"),
        }
    }

    /// Writes the summary and the badges.
    pub(crate) fn lead(&mut self, summary: Option<&str>, badges: &[Badge]) {
        if let Some(summary) = summary {
            self.paragraph(&format!("*{}*", escape(summary)));
        }
        if !badges.is_empty() {
            let words: Vec<&str> = badges.iter().map(|badge| badge.text.as_str()).collect();
            self.paragraph(&words.join(" · "));
        }
    }

    /// Writes a hand-written text.
    pub(crate) fn text(&mut self, md: &str) {
        let text = self.rewritten(md);
        self.paragraph(&text);
    }

    pub(crate) fn enums(&mut self, enums: &[EnumSummary]) {
        for summary in enums {
            self.section(&summary.id, |out| out.cases(&summary.cases));
        }
    }

    pub(crate) fn groups<'g>(&mut self, groups: impl IntoIterator<Item = &'g Group>) {
        groups.into_iter().for_each(|group| self.group(group));
    }

    pub(crate) fn rows(&mut self, rows: &[Row]) {
        self.text.push_str("| Name | Summary |\n| --- | --- |\n");
        let (mut name, mut written) = (String::new(), String::new());
        for row in rows {
            name.clear();
            name.extend([&*row.prefix, &*row.name]);
            written.clear();
            write_code(&name, &mut written);
            self.text.extend(["| [", &cell(&written), "]("]);
            write_url(&row.href, &mut self.text);
            self.text.push_str(") | ");
            self.write_cell(&row.summary);
            self.text.push_str(" |\n");
        }
        self.text.push('\n');
    }

    /// Writes a line in a table; such lines appear on many pages.
    fn write_cell(&mut self, line: &str) {
        if commonmark::is_plain(line) {
            self.text.push_str(line.trim());
        } else {
            self.text.push_str(&cell(&self.texts.line(line)));
        }
    }

    pub(crate) fn group(&mut self, group: &Group) {
        self.section(&group.id, |out| {
            if let Some(prose) = &group.description {
                out.prose(Some(prose));
            }
            if group.parts.is_empty() {
                out.rows(&group.rows);
            } else {
                let parts = out.links(&group.parts);
                out.paragraph(&parts);
            }
        });
    }

    pub(crate) fn parts(&mut self, rows: &[Part], has_notes: bool) {
        self.text.push_str(if has_notes {
            "| Name | Accepts | Notes |\n| --- | --- | --- |\n"
        } else {
            "| Name | Accepts |\n| --- | --- |\n"
        });
        for part in rows {
            let mut name = if part.is_named { code(&part.name) } else { escape(&part.name).into_owned() };
            for word in &part.quantifiers {
                let _ = write!(name, " *{word}*");
            }
            let mut accepts = escape(&literal(&part.constraint)).into_owned();
            match &part.constraint_name {
                Some(link) if accepts.is_empty() => accepts = self.link(link),
                Some(link) => _ = write!(accepts, " ({})", self.link(link)),
                None => {}
            }
            if let Some(ty) = part.cpp_type.as_ref().filter(|_| part.words().is_empty()) {
                accepts = code(ty);
            }
            let mut notes: Vec<String> =
                part.description.iter().map(|text| escape(text).into_owned()).collect();
            notes.extend(part.default.iter().map(|text| format!("default {}", code(text))));
            notes.extend(part.effects.iter().cloned());
            notes
                .extend(part.facts.iter().map(|fact| format!("{} {}", escape(&fact.label), self.fact(fact))));
            let _ = write!(self.text, "| {} | {} |", cell(&name), cell(&accepts));
            if has_notes {
                let _ = write!(self.text, " {} |", cell(&notes.join("; ")));
            }
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    pub(crate) fn syntax(&mut self, syntax: &Syntax) {
        if let Some(by_hand) = &syntax.by_hand {
            self.fence("text", &by_hand.text);
            self.paragraph(match by_hand.is_described {
                true => "C++ code reads and prints it: the syntax is from the description.",
                false => "C++ code reads and prints it: this is the syntax by which Odsmith reads it.",
            });
        } else if syntax.tokens.is_empty() {
            self.paragraph(match (syntax.is_custom, syntax.is_described, syntax.examples.is_empty()) {
                (true, true, _) => "C++ code reads and prints it: the description shows how it is written.",
                (true, false, false) => "C++ code reads and prints it: the example shows how it is written.",
                (true, false, true) => "C++ code reads and prints it.",
                (false, ..) => "It has no custom form.",
            });
        }
        if syntax.diagram.is_some() {
            let name = self.title.clone();
            self.paragraph(&format!("![syntax of {}]({})", escape(&name), self.diagram()));
        }
        if !syntax.tokens.is_empty() {
            let text: String = syntax.tokens.iter().map(|token| &*token.text).collect();
            self.fence("text", &text);
        }
        if let Some(format) = &syntax.format {
            let from = syntax.format_from.as_ref();
            let from = from.map_or_else(String::new, |class| format!(", in {}", self.link(class)));
            self.paragraph(&format!("As declared{from}:"));
            self.fence("text", format);
        }
        if let Some(generic) = &syntax.generic {
            self.paragraph("Generic form:");
            self.fence("mlir", generic);
        }
    }

    /// Writes the uses in the project's files, and a synthesised example `with_skeleton`.
    pub(crate) fn examples(&mut self, syntax: &Syntax, with_skeleton: bool) {
        for found in &syntax.examples {
            self.paragraph(&match &found.accepted_by {
                Some(tool) => format!("Example (accepted by {}):", escape(tool)),
                None => format!("From {}:", code(&format!("{}:{}", found.file, found.line))),
            });
            self.fence("mlir", &found.text);
        }
        if with_skeleton {
            self.skeleton(syntax.skeleton.as_ref());
        }
    }

    /// Writes a synthesised example.
    pub(crate) fn skeleton(&mut self, skeleton: Option<&Skeleton>) {
        if let Some(skeleton) = skeleton {
            let origin = match &skeleton.accepted_by {
                Some(tool) => format!("accepted by {tool}"),
                None => "no tool has parsed it".to_owned(),
            };
            self.paragraph(&format!("Example, synthesised from the definitions ({}):", escape(&origin)));
            for form in [&skeleton.custom, &skeleton.generic].into_iter().flatten() {
                self.fence("mlir", form);
            }
        }
    }

    pub(crate) fn fence(&mut self, language: &str, text: &str) {
        let _ = write!(self.text, "```{language}\n{}\n```\n\n", text.trim_end());
    }

    pub(crate) fn cases(&mut self, cases: &[Case]) {
        let has_meanings = cases.iter().any(|case| case.meaning.is_some());
        let has_symbols = cases.iter().any(|case| case.symbol != case.spelling);
        self.text.push_str(if has_symbols { "| Spelling | C++ | Value |" } else { "| Spelling | Value |" });
        self.text.push_str(if has_meanings { " Meaning |\n" } else { "\n" });
        self.text.push_str(if has_symbols { "| --- | --- | --- |" } else { "| --- | --- |" });
        self.text.push_str(if has_meanings { " --- |\n" } else { "\n" });
        for case in cases {
            let _ = write!(self.text, "| {} |", code(&case.spelling));
            if has_symbols {
                let _ = write!(self.text, " {} |", code(&case.symbol));
            }
            let _ = write!(self.text, " {} |", case.value);
            if has_meanings {
                let _ =
                    write!(self.text, " {} |", cell(&escape(case.meaning.as_deref().unwrap_or_default())));
            }
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    pub(crate) fn traits(&mut self, traits: &[Trait]) {
        for link in traits {
            let meaning =
                link.meaning.as_ref().map_or_else(String::new, |text| format!(": {}", escape(text)));
            let name = self.link(&link.name);
            let _ = writeln!(self.text, "- {name}{meaning}");
        }
        self.text.push('\n');
    }

    pub(crate) fn constraints(&mut self, constraints: &[Constraint]) {
        for rule in constraints {
            let by = self.link(&rule.by);
            let _ = writeln!(self.text, "{}. {} ({by})", rule.number, escape(&literal(&rule.text)));
        }
        self.text.push('\n');
    }

    /// The value of a fact, with its link.
    pub(crate) fn fact(&self, fact: &Fact) -> String {
        let text = fact.code.as_deref().map(|text| Cow::Owned(code(text)));
        let text = text.or_else(|| fact.text.as_deref().map(escape));
        let text = text.unwrap_or_default();
        match &fact.href {
            Some(href) => format!("[{text}]({})", self.url(href)),
            None => text.into_owned(),
        }
    }

    /// Joins links with commas.
    pub(crate) fn links(&self, links: &[Link]) -> String {
        links.iter().map(|link| self.link(link)).collect::<Vec<_>>().join(", ")
    }

    /// Writes builders and accessors as C++ declarations.
    pub(crate) fn members(
        &mut self,
        builders: &[Builder],
        default_builders: &[Builder],
        accessors: &[String],
    ) {
        let all: Vec<&str> = builders
            .iter()
            .chain(default_builders)
            .map(|builder| builder.signature.as_str())
            .chain(accessors.iter().map(String::as_str))
            .collect();
        if !all.is_empty() {
            self.fence("c++", &format!("{};", all.join(";\n")));
        }
    }

    pub(crate) fn facts(&mut self, facts: &[Fact]) {
        for fact in facts {
            let text = self.fact(fact);
            let _ = writeln!(self.text, "- {}: {text}", escape(&fact.label));
        }
        self.text.push('\n');
    }

    pub(crate) fn source(&mut self, source: Option<&Source>) {
        let Some(source) = source else { return };
        self.section("source", |out| {
            let place = code(&format!("{}:{}", source.file, source.line));
            let classes: Vec<String> = source.classes.iter().map(|class| out.link(class)).collect();
            let record = Some(code(&source.record)).filter(|_| !source.record.is_empty());
            let chain = record.into_iter().chain(classes).collect::<Vec<_>>().join(" : ");
            out.paragraph(&format!("{place}: {chain}"));
        });
    }
}

/// Writes a placeholder for an address; a fragment of this page stays as it is.
fn write_url(href: &str, out: &mut String) {
    if href.starts_with('#') {
        return out.push_str(href);
    }
    out.push(OPEN);
    out.push_str(href);
    out.push(CLOSE);
}

/// Escapes the bars of a cell. A bar that is escaped keeps its one backslash: some readers take two for an escaped
/// backslash, and cut the cell.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    if !text.contains('|') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 4);
    let mut is_escaped = false;
    for c in text.chars() {
        if c == '|' && !is_escaped {
            out.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        out.push(c);
    }
    Cow::Owned(out)
}
