//! Assembly formats, by their elements. Whether one's texts are read by another is not decided here.

use odsmith_interchange::format::{Clause, Element};

use super::{
    Report, Subject, change,
    operation::{Both, has_custom, words},
    rules::{Level, Rule, Verdict},
};

/// How something is written.
#[derive(Clone, Copy)]
pub(super) struct Syntax<'d> {
    pub text: Option<&'d str>,
    pub format: Option<&'d [Element]>,
    pub is_by_hand: bool,
}

pub(super) fn compare_operation(both: Both<'_>, report: &mut Report) {
    let old = Syntax {
        text: both.old.assembly_format.as_deref(),
        format: both.old.format.as_deref(),
        is_by_hand: both.old.has_custom_assembly_format,
    };
    let new = Syntax {
        text: both.new.assembly_format.as_deref(),
        format: both.new.format.as_deref(),
        is_by_hand: both.new.has_custom_assembly_format,
    };
    compare(old, new, &both.subject(), report);
}

pub(super) fn compare(old: Syntax<'_>, new: Syntax<'_>, subject: &Subject<'_>, report: &mut Report) {
    match (old.text, new.text) {
        (Some(before), Some(after)) => {
            if words(before) != words(after) {
                declared(old, new, change("the format", before, after), subject, report);
            }
        }
        (Some(_), None) if new.is_by_hand => {
            report.add(Rule::AF004, subject, "the declared format is now written in C++");
        }
        (None, Some(_)) if old.is_by_hand => {
            report.add(Rule::AF004, subject, "the format that was written in C++ is now declared");
        }
        (Some(_), None) => _ = report.add(Rule::AF005, subject, "the format is gone"),
        (None, None) if old.is_by_hand && !new.is_by_hand => {
            report.add(Rule::AF005, subject, "the format that was written in C++ is gone");
        }
        // Where there was none, texts are in the generic form, which is read as before.
        (None, _) => {}
    }
}

fn declared(old: Syntax<'_>, new: Syntax<'_>, message: String, subject: &Subject<'_>, report: &mut Report) {
    let (Some(before), Some(after)) = (old.format, new.format) else {
        report.add(Rule::AF003, subject, message);
        return;
    };
    let (tokens, after_tokens) = (bare(before), bare(after));
    if before == after {
        return;
    }
    if tokens == after_tokens {
        report.add(Rule::AF007, subject, message);
        return;
    }
    if unnamed(&tokens) == unnamed(&after_tokens) {
        report.add(Rule::AF011, subject, message.clone());
        report.add(Rule::AF003, subject, message);
        return;
    }
    let dictionary = |elements: &[Element]| {
        elements.iter().find_map(|element| match element {
            Element::AttrDict { with_keyword } => Some(*with_keyword),
            _ => None,
        })
    };
    let is_lost = match (dictionary(&tokens), dictionary(&after_tokens)) {
        (Some(_), None) => true,
        (Some(before), Some(after)) => before != after,
        (None, _) => false,
    };
    if is_lost {
        // Only texts that have such attributes break.
        report.add(Rule::AF008, subject, message).set(Level::Text, Verdict::Breaks);
    } else if has_custom(before) || has_custom(after) {
        report.add(Rule::AF003, subject, message);
    } else {
        report.add(Rule::AF001, subject, format!("{message}; whether old texts are read is not decided"));
    }
}

/// A format without what is printed only.
fn bare(elements: &[Element]) -> Vec<Element> {
    each(elements, &|element| match element {
        Element::Whitespace { .. } => None,
        other => Some(other),
    })
}

/// A format whose custom directives have no names.
fn unnamed(elements: &[Element]) -> Vec<Element> {
    each(elements, &|element| match element {
        Element::Custom { parameters, .. } => Some(Element::Custom { name: String::new(), parameters }),
        other => Some(other),
    })
}

/// A format of which each element is changed or left out.
fn each(elements: &[Element], edit: &dyn Fn(Element) -> Option<Element>) -> Vec<Element> {
    let inner = |element: &Element| match element {
        Element::OiList { clauses } => Element::OiList {
            clauses: clauses
                .iter()
                .map(|it| Clause { keyword: it.keyword.clone(), elements: each(&it.elements, edit) })
                .collect(),
        },
        Element::Optional { then, otherwise, anchor, is_inverted } => {
            let among = if *is_inverted { otherwise } else { then };
            // The anchor goes by what is kept before it.
            let before = among.get(..*anchor).map_or(0, |it| each(it, edit).len());
            Element::Optional {
                then: each(then, edit),
                otherwise: each(otherwise, edit),
                anchor: before,
                is_inverted: *is_inverted,
            }
        }
        Element::Struct { elements } => Element::Struct { elements: each(elements, edit) },
        other => other.clone(),
    };
    elements.iter().filter_map(|element| edit(inner(element))).collect()
}
