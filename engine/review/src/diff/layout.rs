//! The bytecode of an operation apart from operands and results: slots without tags, in an order that follows from the
//! definition. Attributes come first, by name; then properties, as declared; then the sizes of segments.

use odsmith_interchange::op::{Operation, PartKind};

use super::{Side, names::cpp, rules::Verdict};

/// A slot: its content and its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    name: String,
    codec: Codec,
    /// True if it is written even when not given.
    has_default: bool,
}

/// The encoding of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Codec {
    /// An attribute of a class. An optional one is encoded differently.
    Attribute { storage: String, is_optional: bool },
    /// A property, by the code that reads it.
    Property { storage: String, code: String },
    /// Sizes of segments.
    Segments,
}

/// Returns the slots of an operation in order, or `None` if its author writes the code.
pub(super) fn slots(op: &Operation, side: Side<'_>) -> Option<Vec<Slot>> {
    if op.hooks.iter().any(|hook| hook == "useCustomPropertiesEncoding") {
        return None;
    }
    let has_properties = side.dialect(&op.dialect).is_none_or(|it| it.uses_properties_for_attributes);
    let mut slots = Vec::new();
    if has_properties {
        slots.extend(op.arguments.iter().filter(|part| part.kind == PartKind::Attribute).map(|part| {
            let attribute = side.constraint(part.constraint).and_then(|it| it.attribute.as_ref());
            Slot {
                name: part.name.clone(),
                codec: Codec::Attribute {
                    storage: attribute.map(|it| cpp(&it.storage_type)).unwrap_or_default(),
                    is_optional: attribute.is_some_and(|it| it.is_optional || it.default_value.is_some()),
                },
                has_default: attribute.is_some_and(|it| it.default_value.is_some() && !it.is_optional),
            }
        }));
        slots.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let properties = op.arguments.iter().filter(|part| part.kind == PartKind::Property);
    slots.extend(properties.map(|part| {
        let property = side.constraint(part.constraint).and_then(|it| it.property.as_ref());
        let code = property.and_then(|it| it.code.get("readFromMlirBytecode").cloned());
        Slot {
            name: part.name.clone(),
            codec: Codec::Property {
                storage: property.map(|it| it.storage_type.clone()).unwrap_or_default(),
                code: code.unwrap_or_default(),
            },
            has_default: true,
        }
    }));
    if has_properties || !slots.is_empty() {
        for name in segments(op, side) {
            slots.push(Slot { name: name.to_owned(), codec: Codec::Segments, has_default: true });
        }
    }
    Some(slots)
}

/// Lets a slot be read as the old side wrote it: its class is another, but each old attribute is of the new class.
pub(super) fn unify(old: &[Slot], new: &mut [Slot], name: &str) {
    let written = old.iter().find(|it| it.name == name);
    let Some(Codec::Attribute { storage: before, .. }) = written.map(|it| &it.codec) else { return };
    if let Some(slot) = new.iter_mut().find(|it| it.name == name)
        && let Codec::Attribute { storage, .. } = &mut slot.codec
    {
        storage.clone_from(before);
    }
}

/// Returns true if a part is written, in bytecode and in the generic form, even when a program does not give it.
pub(super) fn is_always_written(op: &Operation, side: Side<'_>, part: &str) -> bool {
    slots(op, side).is_some_and(|all| all.iter().any(|it| it.name == part && it.has_default))
}

/// Returns the sizes of segments that an operation stores.
pub(super) fn segments<'d>(op: &'d Operation, side: Side<'d>) -> Vec<&'static str> {
    let has = |name: &str| side.traits(&op.traits).any(|it| it.name == name);
    let all = [
        ("AttrSizedOperandSegments", "operandSegmentSizes"),
        ("AttrSizedResultSegments", "resultSegmentSizes"),
    ];
    all.into_iter().filter(|(name, _)| has(name)).map(|(_, slot)| slot).collect()
}

/// Returns the effect on old bytecode, whose slots the new side reads in its own order.
pub(super) fn verdict(old: Option<&[Slot]>, new: Option<&[Slot]>) -> Verdict {
    let (Some(old), Some(new)) = (old, new) else { return Verdict::Unknown };
    let are_codecs_equal = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.codec == b.codec);
    if old == new || old.is_empty() {
        return Verdict::Safe;
    }
    if !are_codecs_equal {
        // The code of a property is C++, and may do the same.
        let is_code = old.len() == new.len()
            && old.iter().zip(new).all(|(a, b)| a.codec == b.codec || is_only_code(&a.codec, &b.codec));
        return if is_code { Verdict::Unknown } else { Verdict::Breaks };
    }
    // The same slots: silent if a name moved to another slot, harmless if a name only changed.
    let is_moved = old
        .iter()
        .enumerate()
        .any(|(at, slot)| new.iter().position(|it| it.name == slot.name).is_some_and(|to| to != at));
    if is_moved { Verdict::Silent } else { Verdict::Safe }
}

/// The content of a slot in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The part is absent.
    Nothing,
    /// The part is present.
    Something,
    /// Unknown.
    Unknown,
}

/// Returns the effect on the bytecode of one operation: each old slot is read as the new slot at its index.
pub(super) fn read(old: &[Slot], new: &[Slot], content: &dyn Fn(&str) -> Content) -> Verdict {
    // Without slots, nothing is written and nothing is read.
    if old.is_empty() || old == new {
        return Verdict::Safe;
    }
    // An operation without slots on the new side is not expected to have properties.
    if new.is_empty() {
        return Verdict::Breaks;
    }
    let content = |slot: &Slot| match &slot.codec {
        Codec::Attribute { is_optional: true, .. } if !slot.has_default => content(&slot.name),
        _ => Content::Something,
    };
    let has = |all: &[Slot], name: &str| all.iter().any(|it| it.name == name);
    let mut worst = Verdict::Safe;
    for (at, wanted) in new.iter().enumerate() {
        // There is nothing to read past the end.
        let Some(written) = old.get(at) else { return Verdict::Breaks };
        match taken(written, wanted, content(written)) {
            Verdict::Breaks => return Verdict::Breaks,
            Verdict::Unknown => worst = Verdict::Unknown,
            _ if worst == Verdict::Unknown || content(written) == Content::Nothing => {}
            _ => {
                let is_moved =
                    written.name != wanted.name && (has(new, &written.name) || has(old, &wanted.name));
                worst = if is_moved { Verdict::Silent } else { worst };
            }
        }
    }
    // Slots past the last expected one are ignored.
    let is_dropped = old.iter().skip(new.len()).any(|it| content(it) != Content::Nothing);
    if worst == Verdict::Safe && is_dropped { Verdict::Silent } else { worst }
}

/// Returns the effect of reading one slot as another one.
fn taken(written: &Slot, wanted: &Slot, content: Content) -> Verdict {
    use Codec as C;
    match (&written.codec, &wanted.codec) {
        (a, b) if a == b => Verdict::Safe,
        (C::Attribute { is_optional: true, .. }, C::Attribute { is_optional: true, storage }) => {
            match content {
                Content::Nothing => Verdict::Safe,
                _ if storage == "Attribute" => Verdict::Safe,
                Content::Something => Verdict::Breaks,
                Content::Unknown => Verdict::Unknown,
            }
        }
        // An absent attribute is written as zero, and so are the sizes of no segments.
        (C::Attribute { is_optional: true, .. }, C::Segments) if content == Content::Nothing => Verdict::Safe,
        (a, b) if is_only_code(a, b) => Verdict::Unknown,
        _ => Verdict::Breaks,
    }
}

fn is_only_code(a: &Codec, b: &Codec) -> bool {
    matches!((a, b), (Codec::Property { storage: a, .. }, Codec::Property { storage: b, .. }) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(name: &str, storage: &str) -> Slot {
        let codec = Codec::Attribute { storage: storage.to_owned(), is_optional: false };
        Slot { name: name.to_owned(), codec, has_default: false }
    }

    fn optional(name: &str, storage: &str) -> Slot {
        let codec = Codec::Attribute { storage: storage.to_owned(), is_optional: true };
        Slot { name: name.to_owned(), codec, has_default: false }
    }

    #[test]
    fn slots_are_read_without_tags() {
        let (a, b) = (attribute("a", "I"), attribute("b", "I"));
        let read = |old: &[&Slot], new: &[&Slot]| {
            let own = |slots: &[&Slot]| slots.iter().map(|&slot| slot.clone()).collect::<Vec<_>>();
            verdict(Some(&own(old)), Some(&own(new)))
        };
        assert_eq!(read(&[&a], &[&a]), Verdict::Safe);
        assert_eq!(read(&[], &[&a]), Verdict::Safe);
        assert_eq!(read(&[&a], &[&a, &b]), Verdict::Breaks);
        assert_eq!(read(&[&a], &[&b]), Verdict::Safe);
        assert_eq!(read(&[&a, &b], &[&b, &a]), Verdict::Silent);
        assert_eq!(read(&[&a], &[&attribute("a", "S")]), Verdict::Breaks);
        assert_eq!(verdict(None, Some(&[a])), Verdict::Unknown);
    }

    #[test]
    fn what_is_left_out_moves_nothing() {
        let (a, b, c) = (optional("a", "I"), optional("b", "S"), optional("c", "I"));
        let old = [a.clone(), b.clone()];
        let new = [a, c.clone(), b];
        let with = |there: &'static [&'static str]| {
            move |name: &str| {
                if there.contains(&name) { Content::Something } else { Content::Nothing }
            }
        };
        // The third slot is read, but nothing was written for it.
        assert_eq!(read(&old, &new, &with(&[])), Verdict::Breaks);
        assert_eq!(read(&new, &old, &with(&[])), Verdict::Safe);
        assert_eq!(read(&new, &old, &with(&["a"])), Verdict::Safe);
        assert_eq!(read(&new, &old, &with(&["c"])), Verdict::Breaks);
        assert_eq!(read(&new, &old, &with(&["b"])), Verdict::Silent);
        assert_eq!(read(&[], &new, &with(&[])), Verdict::Safe);
        assert_eq!(read(&old, &[], &with(&[])), Verdict::Breaks);
        assert_eq!(read(&old, &[old[0].clone(), c], &|_| Content::Unknown), Verdict::Unknown);
    }
}
