//! What bytecode holds of an operation besides operands and results: slots without tags, in an order that follows from
//! the definition. Attributes come first, by name; then properties, as declared; then the sizes of segments.

use odsmith_interchange::op::{Operation, PartKind};

use super::{Side, rules::Verdict};

/// A slot: what is in it, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    name: String,
    codec: Codec,
}

/// How a slot is read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Codec {
    /// An attribute of a class. What may be missing is written in another way.
    Attribute { storage: String, is_optional: bool },
    /// A property, by the code that reads it.
    Property { storage: String, code: String },
    /// Sizes of segments.
    Segments,
}

/// The slots of an operation, in order; nothing where its author writes the code.
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
                    storage: attribute.map(|it| it.storage_type.clone()).unwrap_or_default(),
                    is_optional: attribute.is_some_and(|it| it.is_optional || it.default_value.is_some()),
                },
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
        }
    }));
    if has_properties || !slots.is_empty() {
        for name in segments(op, side) {
            slots.push(Slot { name: name.to_owned(), codec: Codec::Segments });
        }
    }
    Some(slots)
}

/// The sizes of segments that an operation keeps.
pub(super) fn segments<'d>(op: &'d Operation, side: Side<'d>) -> Vec<&'static str> {
    let has = |name: &str| side.traits(&op.traits).any(|it| it.name == name);
    let all = [
        ("AttrSizedOperandSegments", "operandSegmentSizes"),
        ("AttrSizedResultSegments", "resultSegmentSizes"),
    ];
    all.into_iter().filter(|(name, _)| has(name)).map(|(_, slot)| slot).collect()
}

/// What becomes of old bytecode, whose slots the new side reads in its own order.
pub(super) fn verdict(old: Option<&[Slot]>, new: Option<&[Slot]>) -> Verdict {
    let (Some(old), Some(new)) = (old, new) else { return Verdict::Unknown };
    let are_codecs_equal = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.codec == b.codec);
    if old == new || old.is_empty() {
        return Verdict::Safe;
    }
    if !are_codecs_equal {
        // Code of a property is C++, and may do the same.
        let is_code = old.len() == new.len()
            && old.iter().zip(new).all(|(a, b)| a.codec == b.codec || is_only_code(&a.codec, &b.codec));
        return if is_code { Verdict::Unknown } else { Verdict::Breaks };
    }
    // The same slots: silent if a name is now elsewhere, harmless if it is another name.
    let is_moved = old
        .iter()
        .enumerate()
        .any(|(at, slot)| new.iter().position(|it| it.name == slot.name).is_some_and(|to| to != at));
    if is_moved { Verdict::Silent } else { Verdict::Safe }
}

fn is_only_code(a: &Codec, b: &Codec) -> bool {
    matches!((a, b), (Codec::Property { storage: a, .. }, Codec::Property { storage: b, .. }) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(name: &str, storage: &str) -> Slot {
        let codec = Codec::Attribute { storage: storage.to_owned(), is_optional: false };
        Slot { name: name.to_owned(), codec }
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
}
