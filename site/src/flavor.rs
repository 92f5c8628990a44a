//! The Markdown tree: one file per page, front matter, no raw HTML, authors' texts written anew.
//!
//! Headings are single words that each occur once in a file, so that every generator derives the same fragments
//! from them; section pages stand beside their folder (`arith.md` and `arith/…`).

mod pages;

use std::fmt::Write as _;

use crate::{
    build::{Body, Page},
    commonmark::{self, code},
    view::{
        Badge, Builder, Case, Constraint, EnumSummary, Fact, Group, Link, Part, Parts, Prose, Row, Source,
        Syntax, Trait,
    },
};

/// The Markdown twin that lies beside the HTML page.
#[must_use]
pub fn twin(page: &Page) -> Option<String> {
    let mut out = Writer {
        text: String::new(),
        title: page.frame.title.clone(),
        from: page.frame.path.clone(),
        is_twin: true,
    };
    writeln!(out.text, "# {}\n", code_or_text(&page.frame.title, &page.body)).ok()?;
    body(&mut out, &page.body)?;
    Some(out.finish())
}

/// A page of the Markdown tree, and its path.
#[must_use]
pub fn page(page: &Page) -> Option<(String, String)> {
    let path = tree_path(&page.frame.path);
    let mut out =
        Writer { text: String::new(), title: page.frame.title.clone(), from: path.clone(), is_twin: false };
    let title = serde_json::to_string(&page.frame.title).ok()?;
    write!(out.text, "---\ntitle: {title}\n").ok()?;
    if !page.frame.description.is_empty() {
        let description = serde_json::to_string(&page.frame.description).ok()?;
        writeln!(out.text, "description: {description}").ok()?;
    }
    out.text.push_str("mdx:\n  format: md\n---\n\n");
    body(&mut out, &page.body)?;
    Some((path, out.finish()))
}

/// `arith/op/cmpi.html` in the Markdown tree; a dialect's page stands beside its folder.
fn tree_path(path: &str) -> String {
    let stem = path.strip_suffix(".html").unwrap_or(path);
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    format!("{stem}.md")
}

fn code_or_text(title: &str, body: &Body) -> String {
    match body {
        Body::Operation(_)
        | Body::AttrOrType(_)
        | Body::Enum(_)
        | Body::Trait(_)
        | Body::Constraint(_)
        | Body::Class(_)
        | Body::Pass(_) => code(title),
        Body::Home(_)
        | Body::Dialect(_)
        | Body::Az(_)
        | Body::Guide(_)
        | Body::Patterns(_)
        | Body::All(_)
        | Body::Coverage(_) => escape(title),
    }
}

struct Writer {
    text: String,
    /// The page's title.
    title: String,
    /// The file that is written, from the root.
    from: String,
    /// Whether it lies among the HTML pages.
    is_twin: bool,
}

impl Writer {
    fn finish(self) -> String {
        let mut text = self.text.trim_end().to_owned();
        text.push('\n');
        text
    }

    fn heading(&mut self, title: &str) {
        let _ = write!(self.text, "## {title}\n\n");
    }

    fn paragraph(&mut self, text: &str) {
        let _ = write!(self.text, "{text}\n\n");
    }

    fn url(&self, href: &str) -> String {
        if let Some(fragment) = href.strip_prefix('#') {
            return format!("#{fragment}");
        }
        // Places on HTML pages are not places in Markdown.
        let href = href.split('#').next().unwrap_or(href);
        let target = if self.is_twin { href.replace(".html", ".md") } else { tree_path(href) };
        format!("{}{target}", "../".repeat(self.from.matches('/').count()))
    }

    fn link(&self, link: &Link) -> String {
        match &link.href {
            Some(href) => format!("[{}]({})", code(&link.text), self.url(href)),
            None => code(&link.text),
        }
    }

    fn prose(&mut self, prose: Option<&Prose>) {
        match prose {
            Some(prose) => {
                if prose.is_harvested {
                    self.paragraph("*From a comment in the source:*");
                }
                let text = commonmark::rewrite(&prose.md);
                self.paragraph(text.trim());
            }
            None => self.paragraph("*No description in the source.*"),
        }
    }

    fn rows(&mut self, rows: &[Row]) {
        self.text.push_str("| Name | Summary |\n| --- | --- |\n");
        for row in rows {
            let name = format!("{}{}", row.prefix, row.name);
            let link = format!("[{}]({})", code(&name), self.url(&row.href));
            let _ = writeln!(self.text, "| {} | {} |", cell(&link), cell(&escape(&row.summary)));
        }
        self.text.push('\n');
    }

    fn group(&mut self, group: &Group) {
        self.heading(&escape(&group.title));
        if let Some(prose) = &group.description {
            self.prose(Some(prose));
        }
        self.rows(&group.rows);
    }

    fn parts(&mut self, title: &str, rows: &[Part], has_notes: bool) {
        self.heading(title);
        self.text.push_str(if has_notes {
            "| Name | Accepts | Notes |\n| --- | --- | --- |\n"
        } else {
            "| Name | Accepts |\n| --- | --- |\n"
        });
        for part in rows {
            let mut name = if part.is_named { code(&part.name) } else { escape(&part.name) };
            for word in &part.quantifiers {
                let _ = write!(name, " *{word}*");
            }
            let mut accepts = escape(&part.constraint);
            if let Some(link) = &part.constraint_name {
                let _ = write!(accepts, " ({})", self.link(link));
            }
            if let Some(ty) = part.cpp_type.as_ref().filter(|_| part.constraint.is_empty()) {
                accepts = code(ty);
            }
            let mut notes: Vec<String> = part.description.iter().map(|text| escape(text)).collect();
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

    fn syntax(&mut self, syntax: &Syntax) {
        self.heading("Syntax");
        if syntax.is_custom {
            self.paragraph(
                "The custom form is read and printed by C++ code; the definitions do not describe it.",
            );
        }
        if let Some(diagram) = &syntax.diagram {
            let name = self.title.clone();
            self.paragraph(&format!("![syntax of {}]({})", escape(&name), diagram.file));
        }
        if !syntax.tokens.is_empty() {
            let text: String = syntax.tokens.iter().map(|token| token.text.as_str()).collect();
            self.fence("text", &text);
        }
        if let Some(generic) = &syntax.generic {
            self.paragraph("Generic form:");
            self.fence("mlir", generic);
        }
        if let Some(skeleton) = &syntax.skeleton {
            self.paragraph("Example, synthesised from the definitions (no tool has parsed it):");
            for form in [&skeleton.custom, &skeleton.generic].into_iter().flatten() {
                self.fence("mlir", form);
            }
            if !skeleton.unsure.is_empty() {
                let names: Vec<String> = skeleton.unsure.iter().map(|name| code(name)).collect();
                let text =
                    "Whether what was chosen satisfies its constraint, which is C++ code, is not known of";
                self.paragraph(&format!("{text} {}.", names.join(", ")));
            }
        }
    }

    fn fence(&mut self, language: &str, text: &str) {
        let _ = write!(self.text, "```{language}\n{}\n```\n\n", text.trim_end());
    }

    fn cases(&mut self, title: &str, cases: &[Case]) {
        self.heading(title);
        let has_meanings = cases.iter().any(|case| case.meaning.is_some());
        self.text.push_str("| Symbol | Value | String |");
        self.text.push_str(if has_meanings { " Meaning |\n" } else { "\n" });
        self.text.push_str("| --- | --- | --- |");
        self.text.push_str(if has_meanings { " --- |\n" } else { "\n" });
        for case in cases {
            let _ =
                write!(self.text, "| {} | {} | {} |", code(&case.symbol), case.value, code(&case.spelling));
            if has_meanings {
                let _ =
                    write!(self.text, " {} |", cell(&escape(case.meaning.as_deref().unwrap_or_default())));
            }
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    fn traits(&mut self, title: &str, traits: &[Trait]) {
        if traits.is_empty() {
            return;
        }
        self.heading(title);
        for link in traits {
            let meaning =
                link.meaning.as_ref().map_or_else(String::new, |text| format!(": {}", escape(text)));
            let name = self.link(&link.name);
            let _ = writeln!(self.text, "- {name}{meaning}");
        }
        self.text.push('\n');
    }

    fn constraints(&mut self, constraints: &[Constraint]) {
        if constraints.is_empty() {
            return;
        }
        self.heading("Constraints");
        for rule in constraints {
            let by = self.link(&rule.by);
            let _ = writeln!(self.text, "{}. {} ({by})", rule.number, escape(&rule.text));
        }
        self.text.push('\n');
    }

    /// What a fact says, with its link.
    fn fact(&self, fact: &Fact) -> String {
        let text = fact.code.as_deref().map(code).or_else(|| fact.text.as_deref().map(escape));
        let text = text.unwrap_or_default();
        match &fact.href {
            Some(href) => format!("[{text}]({})", self.url(href)),
            None => text,
        }
    }

    /// Links, one after the other.
    fn links(&self, links: &[Link]) -> String {
        links.iter().map(|link| self.link(link)).collect::<Vec<_>>().join(", ")
    }

    /// Builders and accessors.
    fn members(&mut self, builders: &[Builder], default_builders: &[Builder], accessors: &[String]) {
        let all: Vec<&str> = builders
            .iter()
            .chain(default_builders)
            .map(|builder| builder.signature.as_str())
            .chain(accessors.iter().map(String::as_str))
            .collect();
        if !all.is_empty() {
            self.heading("Members");
            self.fence("c++", &format!("{};", all.join(";\n")));
        }
    }

    fn facts(&mut self, title: &str, facts: &[Fact]) {
        if facts.is_empty() {
            return;
        }
        self.heading(title);
        for fact in facts {
            let text = self.fact(fact);
            let _ = writeln!(self.text, "- {}: {text}", escape(&fact.label));
        }
        self.text.push('\n');
    }

    fn source(&mut self, source: Option<&Source>) {
        if let Some(source) = source {
            self.heading("Source");
            let place = code(&format!("{}:{}", source.file, source.line));
            let classes: Vec<String> = source.classes.iter().map(|class| self.link(class)).collect();
            let record = code(&source.record);
            let chain =
                if classes.is_empty() { record } else { format!("{record} : {}", classes.join(" : ")) };
            self.paragraph(&format!("{place}: {chain}"));
        }
    }
}

fn lead(out: &mut Writer, summary: Option<&str>, badges: &[Badge]) {
    if let Some(summary) = summary {
        out.paragraph(&format!("*{}*", escape(summary)));
    }
    if !badges.is_empty() {
        let words: Vec<&str> = badges.iter().map(|badge| badge.text.as_str()).collect();
        out.paragraph(&words.join(" · "));
    }
}

fn enums(out: &mut Writer, enums: &[EnumSummary]) {
    for summary in enums {
        out.cases(&format!("Cases of {}", escape(&summary.of)), &summary.cases);
    }
}

fn body(out: &mut Writer, body: &Body) -> Option<()> {
    match body {
        Body::Home(_) | Body::Az(_) | Body::All(_) => return None,
        Body::Constraint(view) => pages::constraint(out, view),
        Body::Class(view) => pages::class(out, view),
        Body::Pass(view) => pages::pass(out, view),
        Body::Patterns(view) => pages::patterns(out, view),
        Body::Coverage(view) => pages::coverage(out, view),
        Body::Guide(_) if out.is_twin => return None,
        Body::Guide(view) => out.paragraph(&commonmark::rewrite(&view.md)),
        Body::Dialect(view) => {
            lead(out, view.summary.as_deref(), &[]);
            out.prose(view.description.as_ref());
            out.facts("Facts", &view.facts);
            for group in &view.groups {
                out.group(group);
            }
            out.source(view.source.as_ref());
        }
        Body::Operation(view) => {
            lead(out, view.summary.as_deref(), &view.badges);
            out.syntax(&view.syntax);
            out.heading("Description");
            out.prose(view.description.as_ref());
            for Parts { title, rows, .. } in &view.parts {
                out.parts(title, rows, view.has_notes);
            }
            out.constraints(&view.constraints);
            enums(out, &view.enums);
            out.traits("Traits", &view.traits);
            out.traits("Interfaces", &view.interfaces);
            out.facts("Behaviour", &view.behaviour);
            out.members(&view.builders, &view.default_builders, &view.accessors);
            if let Some(python) = &view.python {
                out.heading("Python");
                out.fence("python", &format!("{}\n{}", python.function, python.class));
            }
            out.source(view.source.as_ref());
            for group in &view.related {
                out.group(group);
            }
            if !view.patterns.is_empty() {
                out.heading("Patterns");
                let links = out.links(&view.patterns);
                out.paragraph(&links);
            }
        }
        Body::AttrOrType(view) => {
            lead(out, view.summary.as_deref(), &view.badges);
            if let Some(syntax) = view.syntax.as_ref().filter(|syntax| !syntax.tokens.is_empty()) {
                out.syntax(syntax);
            }
            out.heading("Description");
            out.prose(view.description.as_ref());
            if !view.parameters.is_empty() {
                out.parts("Parameters", &view.parameters, view.has_notes);
            }
            enums(out, &view.enums);
            out.traits("Traits", &view.traits);
            out.traits("Interfaces", &view.interfaces);
            out.members(&view.builders, &view.default_builders, &view.accessors);
            if let Some(group) = &view.used_by {
                out.group(group);
            }
            out.source(view.source.as_ref());
        }
        Body::Enum(view) => {
            lead(out, view.summary.as_deref(), &view.badges);
            if view.description.is_some() {
                out.heading("Description");
                out.prose(view.description.as_ref());
            }
            out.cases("Cases", &view.cases);
            if let Some(group) = &view.used_by {
                out.group(group);
            }
            out.source(view.source.as_ref());
        }
        Body::Trait(view) => {
            out.paragraph(&view.kind_title);
            out.prose(view.description.as_ref());
            for method in &view.methods {
                out.heading(&code(&method.name));
                out.fence("c++", &method.signature);
                if method.description.is_some() {
                    out.prose(method.description.as_ref());
                }
            }
            for base in &view.inherited {
                let (from, methods) = (out.link(&base.from), out.links(&base.methods));
                out.paragraph(&format!("Inherited from {from}: {methods}"));
            }
            for group in &view.users {
                out.group(group);
            }
            out.source(view.source.as_ref());
        }
    }
    Some(())
}

/// An author's line, written anew.
fn escape(text: &str) -> String {
    commonmark::rewrite(&text.split_whitespace().collect::<Vec<_>>().join(" ")).replace('\n', " ")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_stands_beside_its_folder() {
        assert_eq!(tree_path("arith/index.html"), "arith.md");
        assert_eq!(tree_path("arith/op/cmpi.html"), "arith/op/cmpi.md");
    }
}
