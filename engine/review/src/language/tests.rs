//! Small handwritten formats, and random ones against a printer and a parser that interpret the elements directly.

use super::{
    Class, Comparison, Format, Pairing, Verdict, WORK,
    grammar::{Clause, Element, Entity, Kind},
    includes, round_trip,
};

fn literal(text: &str) -> Element {
    Element::Literal(text.to_owned())
}

fn attribute(name: &str) -> Entity {
    Entity::one(Kind::Attribute, name, Class::Integer).counted(0, 1)
}

fn operand(name: &str, low: u8, high: u8) -> Entity {
    Entity::one(Kind::Operand, name, Class::Value).counted(low, high)
}

fn group(then: Vec<Element>, anchor: usize) -> Element {
    Element::Optional { then, otherwise: Vec::new(), anchor, is_inverted: false }
}

fn format(entities: Vec<Entity>, elements: Vec<Element>) -> Format {
    Format { entities, elements, ..Format::default() }
}

const DICTIONARY: Element = Element::AttrDict { with_keyword: false };

fn compare(old: &Format, new: &Format) -> Comparison {
    includes(old, new, &Pairing::by_name(old, new), WORK)
}

#[test]
fn the_formats_of_the_head() {
    let x = || operand("x", 1, 1);
    let with_a = |separator: &str| group(vec![literal(separator), Element::Entity(1)], 1);
    let old = format(vec![x(), attribute("a")], vec![Element::Entity(0), with_a(","), DICTIONARY]);
    let colon = format(vec![x(), attribute("a")], vec![Element::Entity(0), with_a(":"), DICTIONARY]);
    let more = format(
        vec![x(), attribute("b"), attribute("a")],
        vec![Element::Entity(0), with_a(","), group(vec![literal(","), Element::Entity(2)], 1), DICTIONARY],
    );
    assert_eq!(compare(&old, &old).verdict(), Verdict::Included);

    let refused = compare(&old, &colon).refused.expect("a text that is refused");
    assert_eq!((refused.text.to_string().as_str(), refused.at), ("%x, 1", 1));

    let comparison = compare(&old, &more);
    assert_eq!(comparison.verdict(), Verdict::Rebound);
    let rebound = comparison.rebound.expect("a text that says something else");
    assert_eq!((rebound.text.to_string().as_str(), rebound.at), ("%x, 1", 2));
    assert_eq!((rebound.printed, rebound.parsed), (vec!["$a".to_owned()], vec!["$b".to_owned()]));

    // The second group of the new format never receives its text.
    let own = round_trip(&more, WORK);
    assert_eq!(own.verdict(), Verdict::Rebound);
    assert!(!own.shadowed.is_empty());
}

#[test]
fn lists_take_every_comma() {
    let entities = || vec![operand("xs", 0, 2), attribute("a")];
    let elements = |separator: &str| {
        vec![Element::Entity(0), group(vec![literal(separator), Element::Entity(1)], 1), DICTIONARY]
    };
    assert_eq!(round_trip(&format(entities(), elements(":")), WORK).verdict(), Verdict::Included);
    let refused = round_trip(&format(entities(), elements(",")), WORK).refused.expect("a list that goes on");
    assert_eq!(refused.text.to_string(), "%xs, 1");
    assert_eq!(refused.wanted.as_deref(), Some("%…"));
}

#[test]
fn a_list_of_types_is_not_empty() {
    let entities = vec![operand("xs", 0, 2)];
    let bare = vec![Element::Entity(0), literal(":"), Element::Type(0)];
    let refused = round_trip(&format(entities.clone(), bare), WORK).refused.expect("no type");
    assert_eq!(refused.text.to_string(), ":");
    let grouped = vec![group(vec![Element::Entity(0), literal(":"), Element::Type(0)], 0)];
    assert_eq!(round_trip(&format(entities, grouped), WORK).refused, None);
}

#[test]
fn what_only_cpp_knows_is_unclear_where_it_changes() {
    let custom = |name: &str| {
        let directive =
            Element::Custom { name: name.to_owned(), parameters: vec![super::grammar::Parameter::Entity(0)] };
        format(vec![operand("x", 1, 1)], vec![literal("("), directive, literal(")")])
    };
    assert_eq!(compare(&custom("Foo"), &custom("Foo")).verdict(), Verdict::Included);
    assert_eq!(compare(&custom("Foo"), &custom("Bar")).verdict(), Verdict::Unclear);
    assert_eq!(compare(&custom("Foo"), &format(Vec::new(), vec![literal("[")])).verdict(), Verdict::Refused);
}

#[test]
fn a_case_that_is_gone_is_refused() {
    let choice = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let class = Class::Enum { words, strings: Vec::new() };
        format(vec![Entity::one(Kind::Attribute, "kind", class)], vec![Element::Entity(0)])
    };
    assert_eq!(compare(&choice(&["a"]), &choice(&["a", "b"])).verdict(), Verdict::Included);
    assert_eq!(compare(&choice(&["a", "b"]), &choice(&["a"])).verdict(), Verdict::Refused);
}

#[test]
fn clauses_come_in_any_order() {
    let clause = |keyword: &str, entity| Clause {
        keyword: keyword.to_owned(),
        elements: vec![literal("("), Element::Entity(entity), literal(")")],
    };
    let entities = || vec![attribute("a"), attribute("b")];
    let one = format(entities(), vec![Element::OiList(vec![clause("a", 0), clause("b", 1)])]);
    let other = format(entities(), vec![Element::OiList(vec![clause("b", 1), clause("a", 0)])]);
    assert_eq!(compare(&one, &other).verdict(), Verdict::Included);
    // Groups keep their order.
    let group = |keyword: &str, entity| {
        group(vec![literal(keyword), literal("("), Element::Entity(entity), literal(")")], 2)
    };
    let groups = format(entities(), vec![group("b", 1), group("a", 0)]);
    assert_eq!(compare(&groups, &one).verdict(), Verdict::Included);
    let refused = compare(&one, &groups).refused.expect("an order");
    assert_eq!(refused.text.to_string(), "a(1) b(1)");
}

#[test]
fn work_is_limited() {
    let entities: Vec<Entity> = (0..40).map(|index| attribute(&format!("a{index}"))).collect();
    let groups = (0..40).map(|index| group(vec![literal("x"), Element::Entity(index)], 1));
    let format = format(entities, groups.collect());
    let comparison = round_trip(&format, 500);
    assert!(!comparison.is_complete);
    assert!(comparison.work < 2_000, "{}", comparison.work);
}

/// A pseudorandom number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// Returns a format of these entities, each at most once: operands and attributes, with few literals between them.
    fn format(&mut self) -> Format {
        let mut entities = Vec::new();
        for name in ["a", "b", "c"] {
            entities.push(match self.below(4) {
                0 => operand(name, 1, 1),
                1 => operand(name, 0, 1),
                2 => operand(name, 0, 2),
                _ => Entity { is_unit: self.below(3) == 0, ..attribute(name) },
            });
        }
        let mut elements = Vec::new();
        for (index, entity) in entities.iter().enumerate() {
            if self.below(2) == 0 {
                elements.push(self.literal());
            }
            if entity.low == 1 {
                elements.push(Element::Entity(index));
                continue;
            }
            let is_unit = entity.is_unit;
            let first = if is_unit || self.below(3) > 0 { vec![self.literal()] } else { Vec::new() };
            let anchor = first.len();
            let mut then = first;
            then.push(Element::Entity(index));
            if self.below(3) == 0 {
                then.push(self.literal());
            }
            let otherwise = if self.below(4) == 0 { vec![self.literal()] } else { Vec::new() };
            elements.push(Element::Optional { then, otherwise, anchor, is_inverted: false });
        }
        if self.below(2) == 0 {
            elements.push(self.literal());
        }
        Format { entities, elements, follow: super::grammar::Follow::Anything }
    }

    fn literal(&mut self) -> Element {
        literal([",", ":", "x", "y"][self.below(4)])
    }
}

/// A piece and its meaning: an entity, and true if only its presence is meant.
type PrintedPiece = (Class, Option<(usize, bool)>);

/// Prints an operation with these counts of the entities.
fn print(format: &Format, counts: &[u8]) -> Vec<PrintedPiece> {
    let mut said = Vec::new();
    let value = |index: usize, said: &mut Vec<PrintedPiece>| {
        for position in 0..counts[index] {
            if position > 0 {
                said.push((Class::literal(","), None));
            }
            said.push((format.entities[index].class.clone(), Some((index, false))));
        }
    };
    for element in &format.elements {
        match element {
            Element::Literal(text) => said.push((Class::literal(text), None)),
            Element::Entity(index) => value(*index, &mut said),
            Element::Optional { then, otherwise, anchor, .. } => {
                let Element::Entity(own) = then[*anchor] else { panic!("an anchor") };
                let is_implied = *anchor > 0 && format.entities[own].is_unit;
                let branch = if counts[own] > 0 { then } else { otherwise };
                for (position, element) in branch.iter().enumerate() {
                    match element {
                        Element::Literal(text) => {
                            let shows = is_implied && counts[own] > 0 && position == 0;
                            said.push((Class::literal(text), shows.then_some((own, true))));
                        }
                        Element::Entity(_) if is_implied => {}
                        Element::Entity(index) => value(*index, &mut said),
                        _ => panic!("no other element"),
                    }
                }
            }
            _ => panic!("no other element"),
        }
    }
    said
}

/// Returns the meaning of each piece, or `None` if the text is rejected.
fn parse(format: &Format, text: &[PrintedPiece]) -> Option<Vec<Option<(usize, bool)>>> {
    struct Reader<'t> {
        text: &'t [PrintedPiece],
        read: Vec<Option<(usize, bool)>>,
    }
    impl Reader<'_> {
        fn eat(&mut self, class: &Class, says: Option<(usize, bool)>) -> bool {
            let is_next = self.text.get(self.read.len()).is_some_and(|(next, _)| next == class);
            if is_next {
                self.read.push(says);
            }
            is_next
        }

        /// Returns true if a value is present, or `None` if the text is rejected.
        fn value(&mut self, format: &Format, index: usize) -> Option<bool> {
            let entity = &format.entities[index];
            if !self.eat(&entity.class, Some((index, false))) {
                return Some(false);
            }
            while entity.high > 1 && self.eat(&Class::literal(","), None) {
                self.eat(&entity.class, Some((index, false))).then_some(())?;
            }
            Some(true)
        }
    }
    let mut reader = Reader { text, read: Vec::new() };
    for element in &format.elements {
        match element {
            Element::Literal(text) => reader.eat(&Class::literal(text), None).then_some(())?,
            Element::Entity(index) => reader.value(format, *index)?.then_some(())?,
            Element::Optional { then, otherwise, anchor, .. } => {
                let Element::Entity(own) = then[*anchor] else { panic!("an anchor") };
                let is_implied = *anchor > 0 && format.entities[own].is_unit;
                let is_there = match &then[0] {
                    Element::Literal(text) => {
                        reader.eat(&Class::literal(text), is_implied.then_some((own, true)))
                    }
                    _ => reader.value(format, own)?,
                };
                let rest = if is_there { &then[1..] } else { otherwise };
                for element in rest {
                    match element {
                        Element::Literal(text) => reader.eat(&Class::literal(text), None).then_some(())?,
                        Element::Entity(_) if is_implied => {}
                        Element::Entity(index) => {
                            // A list may be empty; everything else must be present.
                            let is_list = format.entities[*index].kind == Kind::Operand;
                            (reader.value(format, *index)? || is_list).then_some(())?;
                        }
                        _ => panic!("no other element"),
                    }
                }
            }
            _ => panic!("no other element"),
        }
    }
    (reader.read.len() == text.len()).then_some(reader.read)
}

#[test]
fn agrees_with_all_texts() {
    let mut random = Random(11);
    let mut counts: std::collections::BTreeMap<(bool, bool), usize> = std::collections::BTreeMap::new();
    for round in 0..4000 {
        let old = random.format();
        let new = if round % 3 == 0 { old.clone() } else { random.format() };
        let pairing = Pairing { new: (0..3).map(Some).collect() };
        let comparison = includes(&old, &new, &pairing, WORK);
        assert!(comparison.is_complete);
        let (mut refused, mut rebound) = (false, false);
        let range = |index: usize| old.entities[index].low..=old.entities[index].high;
        for a in range(0) {
            for b in range(1) {
                for c in range(2) {
                    let text = print(&old, &[a, b, c]);
                    match parse(&new, &text) {
                        None => refused = true,
                        Some(read) => {
                            rebound |= read.iter().zip(&text).any(|(read, (_, said))| read != said);
                        }
                    }
                }
            }
        }
        let found = (comparison.refused.is_some(), comparison.rebound.is_some());
        assert_eq!(found, (refused, rebound), "{old:#?}\n{new:#?}\n{comparison:#?}");
        *counts.entry(found).or_default() += 1;
    }
    assert!(counts.len() >= 3 && counts.values().all(|count| *count > 20), "{counts:?}");
}
