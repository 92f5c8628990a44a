//! The bytecode of one operation: each slot as written and as read.

use odsmith_interchange::op::{Operation, PartKind};

use super::{
    super::{
        layout::{self, Content},
        rules::{Level, Rule, Verdict},
    },
    Concern, Outlook, parts, verdict_at,
};

fn has_verifier(op: &Operation) -> bool {
    op.hooks.iter().any(|hook| matches!(hook.as_str(), "hasVerifier" | "hasRegionVerifier"))
}

impl Concern<'_> {
    /// Returns the effect of bytecode on the operation's attributes, properties, regions and successors.
    pub(super) fn wire(self) -> Outlook {
        use Rule as R;
        let of_layout = |rule: Rule| rule.id().starts_with("IN") && !matches!(rule, R::IN014 | R::IN018);
        let layout = self.findings.iter().filter(|it| {
            (of_layout(it.rule) || matches!(it.rule, R::OP008 | R::OP009))
                && verdict_at(it, Level::Bytecode) != Verdict::Safe
        });
        let layout = layout.map(|it| it.rule).min();
        let slots = layout.map_or(Outlook::SAFE, |rule| Outlook::new(self.slots(), rule));
        let all = self.findings.iter().map(|finding| {
            let verdict = match finding.rule {
                R::OP023 | R::OP025 | R::IN014 | R::IN018 => verdict_at(finding, Level::Bytecode),
                // It is read under another name, which C++ code uses.
                R::IN006 | R::IN007 if has_verifier(self.new) => self.of_part(finding, Verdict::Unknown),
                _ => Verdict::Safe,
            };
            Outlook::new(verdict, finding.rule)
        });
        all.fold(slots, Outlook::and)
    }

    fn slots(self) -> Verdict {
        let old = layout::slots(self.old, self.cx.old);
        let new = layout::slots(self.new, self.cx.new);
        let (Some(old), Some(new)) = (old, new) else { return Verdict::Unknown };
        let content = |name: &str| {
            let of = |kind: PartKind| {
                let index = parts(self.old, kind).position(|it| it.name == name)?;
                Some(match self.instance.count(kind, index) {
                    Some(0) => Content::Nothing,
                    Some(_) => Content::Something,
                    None => Content::Unknown,
                })
            };
            of(PartKind::Attribute).or_else(|| of(PartKind::Property)).unwrap_or(Content::Something)
        };
        layout::read(&old, &new, &content)
    }
}
