//! The page that explains the rules of `odsmith diff`, with the texts of `odsmith rule`.

use super::{
    Body, Page, framed,
    headings::Headings,
    kind::{Kind, Subject},
};
use crate::{
    changes,
    flavor::Writer,
    view::{ExplainedRule, RuleFamily, RulePage, SCHEMA},
};
use odsmith_engine::review::diff::rules::Rule;

/// The name of its file in the folder of releases.
pub(crate) const SLUG: &str = "rules";

/// The address of a rule's explanation.
pub(crate) fn href(rule: Rule) -> String {
    format!("release/{SLUG}.html#{}", rule.id())
}

/// Makes the page of all rules.
pub(crate) fn page(site: &str) -> Page {
    let mut families: Vec<RuleFamily> = Vec::new();
    for rule in Rule::all() {
        let id = rule.family();
        if families.last().is_none_or(|last| last.id != id) {
            families.push(RuleFamily { id, title: title(id), rules: Vec::new() });
        }
        if let Some(last) = families.last_mut() {
            last.rules.push(explained(rule));
        }
    }
    let view = RulePage { schema: SCHEMA, kind: "rules", name: "Rules of changes", families };
    let about = "What each rule of a comparison of releases finds, what it breaks, and what to do about it";
    let body = Body::RulePage(Box::new(view));
    framed(site, &format!("release/{SLUG}.html"), "Rules of changes", about, vec![], body)
}

fn explained(rule: Rule) -> ExplainedRule {
    let effects = rule.effects().iter().filter_map(|(level, verdict)| changes::effect(*level, *verdict));
    ExplainedRule {
        id: rule.id(),
        name: rule.name(),
        text: rule.text(),
        example: rule.example(),
        effects: effects.collect(),
        advice: rule.advice(),
    }
}

/// The subject of a family of rules, given by the prefix of their ids.
fn title(family: &str) -> &'static str {
    match family {
        "OP" => "Operations",
        "IN" => "Attributes and properties of operations",
        "AF" => "Assembly formats",
        "TA" => "Types and attributes",
        "EN" => "Enums",
        "IF" => "Interfaces",
        "TR" => "Traits",
        "HK" => "Hooks and builders",
        "DI" => "Dialects",
        "PA" => "Passes",
        _ => "Rewrite patterns",
    }
}

impl Kind for RulePage {
    fn headings(&self, list: &mut Headings) {
        list.extend(&self.families);
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        for family in &self.families {
            out.section(family.id, |out| {
                for rule in &family.rules {
                    let effects =
                        if rule.effects.is_empty() { "nothing".to_owned() } else { rule.effects.join(", ") };
                    out.paragraph(&format!("**{} {}**: {}", rule.id, rule.name, rule.text));
                    let line = format!("For example, {}. Effects: {effects}. {}", rule.example, rule.advice);
                    out.paragraph(&line);
                }
            });
        }
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: self.name, dialect: "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_has_a_title_and_each_rule_a_place() {
        let page = page("A site");
        let Body::RulePage(view) = &page.body else { panic!("another page") };
        let titles: Vec<&str> = view.families.iter().map(|it| it.title).collect();
        let mut unique = titles.clone();
        unique.dedup();
        assert_eq!((titles.len(), &unique), (11, &titles));
        let rules = view.families.iter().flat_map(|it| &it.rules);
        assert_eq!(rules.map(|it| it.id).collect::<Vec<_>>(), Rule::all().map(Rule::id).collect::<Vec<_>>());
    }
}
