//! Markdown of the pages of constraints, classes, passes, patterns and coverage.

use std::fmt::Write as _;

use super::body::{Writer, lead};
use crate::{
    commonmark::{code, line as escape},
    view::{ClassPage, ConstraintPage, Coverage, Pass, Patterns, Predicate, Token},
};

pub(super) fn constraint(out: &mut Writer<'_>, view: &ConstraintPage) {
    lead(out, view.summary.as_deref(), &[]);
    out.paragraph(view.kind_title);
    if view.description.is_some() {
        out.prose(view.description.as_ref());
    }
    if let Some(predicate) = &view.predicate {
        out.heading("Condition");
        tree(out, predicate, 0);
        out.text.push('\n');
    }
    for group in &view.witnesses {
        let items: Vec<String> = group.items.iter().map(|item| code(item)).collect();
        out.paragraph(&format!("{}: {}", group.title, items.join(", ")));
    }
    out.facts("Facts", &view.facts);
    for (title, links) in [("Built from", &view.parts), ("Part of", &view.part_of)] {
        if !links.is_empty() {
            let links = out.links(links);
            out.paragraph(&format!("{title}: {links}"));
        }
    }
    for group in &view.users {
        out.group(group);
    }
    out.source(view.source.as_ref());
}

fn tree(out: &mut Writer<'_>, node: &Predicate, depth: usize) {
    let mut parts: Vec<String> = node.name.iter().map(|name| out.link(name)).collect();
    if !node.label.is_empty() {
        parts.push(escape(&node.label).into_owned());
    }
    parts.extend(node.code.as_deref().map(code));
    let _ = writeln!(out.text, "{}- {}", "  ".repeat(depth), parts.join(" "));
    for child in &node.children {
        tree(out, child, depth + 1);
    }
}

pub(super) fn class(out: &mut Writer<'_>, view: &ClassPage) {
    out.prose(view.description.as_ref());
    out.facts("Arguments", &view.arguments);
    out.facts("Fields", &view.fields);
    for (title, links) in [("Derives from", &view.bases), ("Base of", &view.derived)] {
        if !links.is_empty() {
            let links = out.links(links);
            out.paragraph(&format!("{title} {links}"));
        }
    }
    for group in &view.users {
        out.group(group);
    }
    out.source(view.source.as_ref());
}

pub(super) fn pass(out: &mut Writer<'_>, view: &Pass) {
    lead(out, view.summary.as_deref(), &view.badges);
    out.fence("text", &view.command_line);
    out.heading("Description");
    out.prose(view.description.as_ref());
    if !view.options.is_empty() {
        out.parts("Options", &view.options, true);
    }
    out.facts("Statistics", &view.statistics);
    out.facts("Facts", &view.facts);
    if !view.dependents.is_empty() {
        let links = out.links(&view.dependents);
        out.paragraph(&format!("Loads {links}"));
    }
    out.source(view.source.as_ref());
}

pub(super) fn patterns(out: &mut Writer<'_>, view: &Patterns) {
    for pattern in &view.patterns {
        out.heading(&code(&pattern.name));
        if pattern.description.is_some() {
            out.prose(pattern.description.as_ref());
        }
        let arrow = Token { text: "\n→\n".into(), ..Token::default() };
        let both: Vec<Token> = pattern.before.iter().chain([&arrow]).chain(&pattern.after).cloned().collect();
        out.fence("text", &text(&both));
        if !pattern.also.is_empty() {
            out.paragraph("Besides:");
            out.fence("text", &text(&pattern.also));
        }
        for rule in &pattern.constraints {
            let words = rule.text.as_deref().map_or_else(String::new, |text| format!(": {}", escape(text)));
            let _ = writeln!(out.text, "- {}{words}", code(&text(&rule.tokens)));
        }
        if !pattern.constraints.is_empty() {
            out.text.push('\n');
        }
        out.paragraph(&format!("Benefit {}", pattern.benefit));
    }
}

fn text(tokens: &[Token]) -> String {
    tokens.iter().map(|token| &*token.text).collect()
}

pub(super) fn coverage(out: &mut Writer<'_>, view: &Coverage) {
    let total = view.total;
    out.paragraph(&format!("{} % ({} of {})", total.percent, total.told, total.of));
    for dialect in &view.dialects {
        out.heading(&escape(&dialect.name.text));
        out.paragraph(&format!("{} %", dialect.score.percent));
        for item in &dialect.items {
            let (name, missing) = (out.link(&item.name), item.missing.join(", "));
            let missing = escape(&missing);
            let _ = writeln!(out.text, "- {name} ({}): {missing}", code(&item.place));
        }
        if !dialect.items.is_empty() {
            out.text.push('\n');
        }
    }
}
