//! The page of a dialect's rewrite patterns: source and result trees, with captured values coloured alike.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    iter,
};

use odsmith_engine::{
    ods::{self, Constraint, Definition, Dialect, PatternDef, pattern::Callee},
    record::{Dag, Rec, Records, Val},
};

use super::{
    Atlas,
    atlas::{ProjectFilter, Section, key},
    harvest::comment,
    headings::{Heading, Headings},
    kind::Kind,
    parts, pass, source,
};
use crate::{
    commonmark::{code, line as escape},
    flavor::Writer,
    links::Slugs,
    text::dedent,
    view::{Link, Pattern, PatternRule, Patterns, Prose, SCHEMA, Token},
};

/// The roles of captured values, in order, repeated cyclically.
const CAPTURES: &[&str] = &["cap1", "cap2", "cap3", "cap4", "cap5", "cap6"];

/// The section of those that belong to no dialect.
pub(super) const OTHERS: &str = "patterns";

/// Files the project's patterns: with the dialect of the operation that each begins with. Where that is another
/// project's, with the first dialect among those of the operations that it makes, and then that it matches; or else with
/// the dialect that is defined near it.
pub(super) fn collect<'r>(
    all: &[&'r Records],
    own: &ProjectFilter,
    sections: &mut BTreeMap<String, Section<'r>>,
) {
    let homes = pass::homes(sections);
    let mut seen = BTreeSet::new();
    for rec in all.iter().flat_map(|records| records.derived_as_made("Pattern")) {
        if !own.has(rec) || !seen.insert(key(rec)) {
            continue;
        }
        let def = PatternDef::new(rec);
        let mut ops = Vec::from_iter(def.root());
        for dag in def.results().chain(def.supplements()).chain(def.source()) {
            collect_ops(dag, &mut ops);
        }
        let mut dialects = ops.into_iter().filter_map(|op| Definition::new(op).dialect()).map(Dialect::name);
        let is_own = |name: &&str| sections.get(*name).is_some_and(|section| section.dialect.is_some());
        let near = || pass::home(&pass::file(rec).unwrap_or_default(), "", &homes).map(String::as_str);
        let home = dialects.find(is_own).or_else(near);
        // A dialect may be called as the section of patterns is.
        let key = home.map_or_else(|| format!("{OTHERS} "), str::to_owned);
        let new = || Section { name: OTHERS.to_owned(), ..Section::default() };
        sections.entry(key).or_insert_with(new).patterns.push(def);
    }
}

/// The patterns of a section and their fragments. The fragment of an anonymous one has the file and the operation that
/// it begins with, and a number if there are several, so that other records do not change its meaning.
pub(super) fn ids<'r>(section: &Section<'r>) -> Vec<(String, PatternDef<'r>)> {
    let mut slugs = Slugs::default();
    let id = |def: &PatternDef<'r>| {
        let rec = def.rec();
        if !rec.is_anonymous() {
            return format!("pattern-{}", rec.name());
        }
        let file = pass::file(rec).unwrap_or_default();
        let stem = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".td");
        let root = def.root().map(|root| Definition::new(root).name()).unwrap_or_default();
        format!("pattern-{stem}-{root}").trim_end_matches('-').to_owned()
    };
    section.patterns.iter().map(|def| (slugs.take(&id(def)), *def)).collect()
}

/// The name of a pattern; if it is anonymous, that of its root operation.
pub(super) fn name(atlas: &Atlas<'_>, def: PatternDef<'_>) -> String {
    match def.root() {
        _ if !def.rec().is_anonymous() => def.rec().name().to_owned(),
        Some(root) => op_link(atlas, root).text,
        None => "Pattern without a name".to_owned(),
    }
}

/// The pages of a pattern's root operation and of the operations that it creates.
pub(super) fn mentioned(atlas: &Atlas<'_>, def: PatternDef<'_>) -> Vec<String> {
    let mut ops = Vec::from_iter(def.root());
    for dag in def.results().chain(def.supplements()) {
        collect_ops(dag, &mut ops);
    }
    let mut hrefs: Vec<String> = ops.into_iter().filter_map(|op| op_link(atlas, op).href).collect();
    hrefs.sort();
    hrefs.dedup();
    hrefs
}

fn collect_ops<'r>(dag: Dag<'r>, found: &mut Vec<Rec<'r>>) {
    if let Some(Callee::Operation(op)) = Callee::of(dag) {
        found.push(op);
    }
    for (value, _) in dag.args() {
        if let Some(inner) = value.as_dag() {
            collect_ops(inner, found);
        }
    }
}

fn op_link(atlas: &Atlas<'_>, op: Rec<'_>) -> Link {
    let text = Definition::new(op).name();
    let href = atlas.registry.ir.get(&text).cloned();
    Link { text, href }
}

/// Makes the page of a section's patterns.
pub(super) fn page<'r>(atlas: &Atlas<'r>, section: &Section<'r>) -> Patterns {
    let patterns = ids(section).into_iter().map(|(id, def)| pattern(atlas, def, id)).collect();
    Patterns { schema: SCHEMA, kind: "patterns", dialect: section.name.clone(), patterns }
}

fn pattern(atlas: &Atlas<'_>, def: PatternDef<'_>, id: String) -> Pattern {
    let rec = def.rec();
    let mut writer = Trees { atlas, captures: Vec::new(), tokens: Vec::new() };
    let mut matched = Vec::new();
    if let Some(dag) = def.source() {
        collect_ops(dag, &mut matched);
        writer.node(dag, 0);
    }
    let root = def.root().map(|op| op_link(atlas, op)).unwrap_or_default();
    let before = std::mem::take(&mut writer.tokens);
    let after = writer.trees(def.results());
    let also = writer.trees(def.supplements());
    let constraints = def.constraints().map(|dag| writer.rule(dag)).collect();
    let mut makes = Vec::new();
    def.results().for_each(|dag| collect_ops(dag, &mut makes));
    let mut links: Vec<Link> = Vec::new();
    for link in makes.into_iter().map(|op| op_link(atlas, op)) {
        if links.iter().all(|known| known.text != link.text) {
            links.push(link);
        }
    }
    // The model knows the benefit of the generated pattern; a pattern that it rejects still gets an approximate one.
    let model = ods::PatternReader::new(iter::once(rec)).and_then(|reader| reader.pattern(rec)).ok();
    let benefit = model.map_or_else(
        || matched.len() as i64,
        |pattern| pattern.matched_ops as i64 + i64::from(pattern.benefit_delta),
    );
    Pattern {
        id,
        name: name(atlas, def),
        root,
        description: comment(rec).map(|md| Prose { md, is_harvested: true }),
        before,
        after,
        also,
        constraints,
        benefit,
        makes: links,
        source: source::source(atlas, rec),
    }
}

/// The most levels that a line is indented by: each one of a deep tree would be as long as the tree is deep.
const MOST_INDENTATION: usize = 40;

/// The most tokens of a picture; the rest is left out, and the source has all.
const MOST_TOKENS: usize = 5_000;

/// A writer of trees that assigns a colour to each captured name.
struct Trees<'a, 'r> {
    atlas: &'a Atlas<'r>,
    captures: Vec<String>,
    tokens: Vec<Token>,
}

impl Trees<'_, '_> {
    fn push(&mut self, role: &'static str, text: impl Into<String>, href: Option<String>) {
        let token = |role, text, href| Token { role, text, href, record: None };
        match self.tokens.len() {
            MOST_TOKENS => self.tokens.push(token("plain", Cow::Borrowed(" …"), None)),
            count if count > MOST_TOKENS => {}
            _ => self.tokens.push(token(role, Cow::Owned(text.into()), href)),
        }
    }

    fn plain(&mut self, text: impl Into<String>) {
        self.push("plain", text, None);
    }

    /// Writes `$name` in its colour; `$name__0` is one of the results of `$name`.
    fn capture(&mut self, name: &str) {
        let base = match name.rsplit_once("__") {
            Some((base, index)) if !base.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) => {
                base
            }
            _ => name,
        };
        let known = self.captures.iter().position(|known| known == base);
        let index = known.unwrap_or_else(|| {
            self.captures.push(base.to_owned());
            self.captures.len() - 1
        });
        // The name `_` captures nothing.
        let role = if base == "_" { "plain" } else { CAPTURES[index % CAPTURES.len()] };
        self.push(role, format!("${name}"), None);
    }

    /// Writes trees one below the other.
    fn trees<'r>(&mut self, dags: impl Iterator<Item = Dag<'r>>) -> Vec<Token> {
        for (index, dag) in dags.enumerate() {
            if index > 0 {
                self.plain("\n");
            }
            self.node(dag, 0);
        }
        std::mem::take(&mut self.tokens)
    }

    fn node(&mut self, dag: Dag<'_>, depth: usize) {
        match Callee::of(dag) {
            Some(Callee::Operation(op)) => {
                let Link { text, href } = op_link(self.atlas, op);
                self.push("name", text, href);
            }
            Some(Callee::Native(call, expression)) if call.is_anonymous() => {
                return self.code(expression.trim(), dag, depth);
            }
            Some(Callee::Native(call, _)) => self.push("native", call.name(), None),
            Some(Callee::Other(directive)) => self.push("directive", directive.name(), None),
            None => self.plain("?"),
        }
        if let Some(name) = dag.name() {
            self.plain(":");
            self.capture(name);
        }
        let is_nested = dag.args().any(|(value, _)| value.as_dag().is_some());
        self.plain("(");
        for (index, (value, name)) in dag.args().enumerate() {
            if index > 0 {
                self.plain(if is_nested { "," } else { ", " });
            }
            if is_nested {
                self.plain(format!("\n{}", "  ".repeat((depth + 1).min(MOST_INDENTATION))));
            }
            self.argument(value, name, depth);
        }
        self.plain(")");
    }

    /// Writes C++ code with the arguments in the place of `$0` and so on, and directives after it.
    fn code(&mut self, expression: &str, dag: Dag<'_>, depth: usize) {
        let arguments: Vec<(Val<'_>, Option<&str>)> = dag.args().collect();
        let mut pieces = expression.split('$');
        let mut code = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
            match piece[..digits].parse().ok().and_then(|index: usize| arguments.get(index)) {
                Some(&(value, name)) => {
                    if !code.is_empty() {
                        self.push("native", std::mem::take(&mut code), None);
                    }
                    self.argument(value, name, depth);
                    code += &piece[digits..];
                }
                None => {
                    code.push('$');
                    code += piece;
                }
            }
        }
        if !code.is_empty() {
            self.push("native", code, None);
        }
        if let Some(name) = dag.name() {
            self.plain(":");
            self.capture(name);
        }
        for (value, name) in arguments {
            let directive = value.as_dag().filter(|dag| matches!(Callee::of(*dag), Some(Callee::Other(_))));
            if directive.is_some() {
                self.plain(" ");
                self.argument(value, name, depth);
            }
        }
    }

    fn argument(&mut self, value: Val<'_>, name: Option<&str>, depth: usize) {
        match value.as_dag() {
            Some(inner) => {
                self.node(inner, depth + 1);
                if let Some(name) = name {
                    self.plain(":");
                    self.capture(name);
                }
            }
            None => self.leaf(value, name),
        }
    }

    fn leaf(&mut self, value: Val<'_>, name: Option<&str>) {
        if let Some(rec) = value.as_def() {
            let constraint = Constraint::new(rec);
            // A constant is shown by its value, any other constraint by its name.
            match constraint.constant_value().filter(|_| rec.is_anonymous()) {
                Some(text) => self.push("literal", text, None),
                None if rec.is_anonymous() => {
                    let words = parts::words_of(self.atlas, constraint);
                    self.push("type", words, None);
                }
                None => self.push("type", rec.name(), self.atlas.constraint_href(constraint)),
            }
            if name.is_some() {
                self.plain(":");
            }
        } else if !value.is_unset() {
            self.push("literal", value.to_string(), None);
            if name.is_some() {
                self.plain(":");
            }
        }
        if let Some(name) = name {
            self.capture(name);
        }
    }

    fn rule(&mut self, dag: Dag<'_>) -> PatternRule {
        let mut rule = PatternRule::default();
        if let Some(constraint) = dag.operator_def().map(Constraint::new) {
            let text = Some(constraint.summary().trim()).filter(|text| !text.is_empty());
            rule.text = text.map(str::to_owned);
            rule.condition = constraint.predicate().map(|tree| dedent(&tree.condition()));
            let rec = constraint.rec();
            if rec.is_anonymous() {
                self.plain("constraint");
            } else {
                self.push("type", rec.name(), self.atlas.constraint_href(constraint));
            }
        }
        if let Some(name) = dag.name() {
            self.plain(":");
            self.capture(name);
        }
        self.plain("(");
        for (index, (value, name)) in dag.args().enumerate() {
            if index > 0 {
                self.plain(", ");
            }
            self.leaf(value, name);
        }
        self.plain(")");
        rule.tokens = std::mem::take(&mut self.tokens);
        rule
    }
}

impl Kind for Patterns {
    fn headings(&self, list: &mut Headings) {
        for pattern in &self.patterns {
            let benefit = format!("benefit {}", pattern.benefit);
            list.push(Heading::new(&pattern.id, &pattern.name).with_aside(&benefit));
        }
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        for pattern in &self.patterns {
            out.section(&pattern.id, |out| {
                if pattern.description.is_some() {
                    out.prose(pattern.description.as_ref());
                }
                let arrow = Token { text: "\n→\n".into(), ..Token::default() };
                let both: Vec<Token> =
                    pattern.before.iter().chain([&arrow]).chain(&pattern.after).cloned().collect();
                out.fence("text", &text(&both));
                if !pattern.also.is_empty() {
                    out.paragraph("Besides:");
                    out.fence("text", &text(&pattern.also));
                }
                for rule in &pattern.constraints {
                    let words =
                        rule.text.as_deref().map_or_else(String::new, |text| format!(": {}", escape(text)));
                    let _ = writeln!(out.text, "- {}{words}", code(&text(&rule.tokens)));
                }
                if !pattern.constraints.is_empty() {
                    out.text.push('\n');
                }
                out.paragraph(&format!("Benefit {}", pattern.benefit));
            });
        }
    }
}

fn text(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.text).collect()
}
