//! The text of one operation: its format, with choices only where the operation is unknown.

use odsmith_interchange::{
    grammar::{Element, Format, Kind},
    op::{Operation, PartKind},
};

use super::{
    super::{
        format::{self, Syntax, Texts},
        layout,
        rules::{Level, Rule, Verdict},
    },
    Concern, Outlook, part_of, parts, verdict_at,
};

/// Returns true if there is only the generic form.
pub(super) fn is_generic(op: &Operation) -> bool {
    op.assembly_format.is_none() && !op.has_custom_assembly_format
}

/// Returns true if C++ parses the operation, or a part of it.
pub(super) fn is_by_hand(op: &Operation) -> bool {
    op.has_custom_assembly_format || op.assembly_format.as_ref().is_some_and(|text| text.contains("custom<"))
}

/// Returns true if the format places an attribute itself.
pub(super) fn binds(op: &Operation, name: &str) -> bool {
    format::of_operation(op).binds(name)
}

impl Concern<'_> {
    pub(super) fn text(self) -> Outlook {
        let worst = |verdict: Verdict| {
            let mut all = self.findings.iter().filter(|it| verdict_at(it, Level::Text) != Verdict::Safe);
            let of_format = all.clone().find(|it| it.rule.id().starts_with("AF"));
            let rule = of_format.or_else(|| all.next()).map(|it| it.rule);
            rule.map_or(Outlook::SAFE, |rule| Outlook::new(verdict, rule))
        };
        let (old, new) = (format::of_operation(self.old), format::of_operation(self.new));
        let Some(grammar) = old.grammar else {
            let written = self.findings.iter().map(|it| match it.rule {
                Rule::AF003 | Rule::AF004 => Outlook::new(Verdict::Unknown, it.rule),
                Rule::AF005 => Outlook::new(Verdict::Breaks, it.rule),
                // C++ writes and reads its text.
                Rule::IN005 | Rule::IN006 | Rule::IN007 | Rule::IN010
                    if verdict_at(it, Level::Text) != Verdict::Safe =>
                {
                    Outlook::new(self.of_part(it, Verdict::Unknown), it.rule)
                }
                _ => Outlook::SAFE,
            });
            return written.fold(Outlook::SAFE, Outlook::and);
        };
        let own = self.of_this(grammar);
        let mut other = new.grammar.cloned();
        if let (Some(grammar), Some(text)) = (&mut other, new.text) {
            with_plain_dictionary(&mut grammar.elements, text);
        }
        let new = Syntax { grammar: other.as_ref(), ..new };
        let texts = Texts::new(Syntax { grammar: Some(&own), ..old }, new, self.cx);
        worst(texts.verdict()).and(self.in_dictionary())
    }

    /// Returns the effect of entries in the dictionary that the reading side does not know.
    fn in_dictionary(self) -> Outlook {
        let all = self.findings.iter().filter(|it| it.rule == Rule::IN005).map(|it| {
            let part = part_of(it);
            let is_refused = verdict_at(it, Level::Text) == Verdict::Breaks && !binds(self.old, part);
            let verdict = match is_refused {
                // A default value is elided.
                true if layout::is_always_written(self.old, self.cx.old, part) => Verdict::Unknown,
                true => Verdict::Breaks,
                false => Verdict::Safe,
            };
            Outlook::new(self.of_part(it, verdict), it.rule)
        });
        all.fold(Outlook::SAFE, Outlook::and)
    }

    /// Returns the format restricted to as many of each entity as the operation has.
    fn of_this(self, format: &Format) -> Format {
        let mut own = format.clone();
        for entity in &mut own.entities {
            let count = match entity.kind {
                Kind::Operand => self.count(PartKind::Operand, &entity.name, entity.is_all),
                Kind::Result => self.count(PartKind::Result, &entity.name, entity.is_all),
                Kind::Attribute => self.count(PartKind::Attribute, &entity.name, false),
                Kind::Property => self.count(PartKind::Property, &entity.name, false),
                Kind::Region | Kind::Successor | Kind::Parameter => None,
            };
            // An attribute that is present may equal its default, and is then not printed.
            let is_open = entity.has_default && count != Some(0);
            if let Some(count) = count.filter(|_| !is_open) {
                let count = u8::try_from(count.min(2)).unwrap_or(2);
                (entity.low, entity.high) =
                    (count.clamp(entity.low, entity.high), count.clamp(entity.low, entity.high));
            }
        }
        with_plain_dictionary(&mut own.elements, self.old.assembly_format.as_deref().unwrap_or_default());
        if self.has_dictionary(format) == Some(false) {
            without_dictionary(&mut own.elements);
        }
        own
    }

    fn count(self, kind: PartKind, name: &str, is_all: bool) -> Option<usize> {
        let mut all = parts(self.old, kind).enumerate();
        if is_all {
            return all.map(|(index, _)| self.instance.count(kind, index)).sum();
        }
        let (index, _) = all.find(|(_, part)| part.name == name)?;
        self.instance.count(kind, index)
    }

    /// Returns true if the operation has attributes that the format does not place.
    fn has_dictionary(self, format: &Format) -> Option<bool> {
        let syntax = Syntax { grammar: Some(format), ..format::of_operation(self.old) };
        let mut has_any = false;
        for kind in [PartKind::Attribute, PartKind::Property] {
            for (index, part) in parts(self.old, kind).enumerate() {
                has_any |= self.instance.count(kind, index)? > 0 && !syntax.binds(&part.name);
            }
        }
        Some(has_any)
    }
}

/// Removes the dictionary: an empty one is not written.
fn without_dictionary(elements: &mut Vec<Element>) {
    // Anchors of groups are indexes, and groups have no dictionary.
    elements.retain(|it| !matches!(it, Element::AttrDict { .. } | Element::PropDict));
}

/// Replaces custom directives that take only the dictionary by a plain dictionary: their C++ only elides some of it.
fn with_plain_dictionary(elements: &mut [Element], text: &str) {
    let text: String = text.split_whitespace().collect();
    for element in elements {
        if let Element::Custom { name, .. } = element
            && text.contains(&format!("custom<{name}>(attr-dict)"))
        {
            *element = Element::AttrDict { with_keyword: false };
        }
    }
}
