//! Sizes and positions. The text has a fixed pitch, so its width follows from the number of characters.

use crate::syntax::{Node, Role, Term};

/// The width of ten characters.
const TEN_CHARS: i32 = 78;
/// The height of a box with one line.
pub(super) const BOX: i32 = 26;
/// The distance between lines of text in a box.
pub(super) const LINE: i32 = 17;
/// The padding at both sides of the text in a box.
const PAD: i32 = 7;
/// The distance between boxes on a track.
pub(super) const GAP: i32 = 10;
/// The radius of a bend.
pub(super) const BEND: i32 = 8;
/// The distance between tracks.
const SPACE: i32 = 8;

/// A laid out box, or a track with boxes.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The width.
    pub(super) width: i32,
    /// The height above the track on which it begins.
    pub(super) up: i32,
    /// The height below that track.
    pub(super) down: i32,
    /// The distance from that track down to the one on which it ends.
    pub(super) out: i32,
    /// The content.
    pub(super) kind: Kind,
}

/// The content of a layout.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A bare track.
    Track,
    /// A box with lines of text.
    Box(TextBox),
    /// Layouts side by side, with gaps.
    Row(Vec<Layout>),
    /// Rows, each below the one before.
    Lines(Vec<Layout>),
    /// Branches, each with its distance below the track. The first one may be on the track itself.
    Branches(Vec<(i32, Layout)>, Repetition),
}

/// The number of times that branches may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Once.
    Never,
    /// Any number of times: a track returns to the beginning.
    Often,
}

/// A box.
#[derive(Clone, Debug)]
pub(super) struct TextBox {
    /// Its class: `literal`, `name`, or that of a role.
    pub(super) class: &'static str,
    /// True if its ends are round.
    pub(super) is_round: bool,
    /// The text.
    pub(super) lines: Vec<String>,
    /// The address that it links to.
    pub(super) href: Option<String>,
}

/// Lays out a syntax within a width, unless its longest word is wider.
pub(super) fn layout(node: &Node, limit: i32) -> Layout {
    match node {
        Node::Literal(text) => boxed("literal", true, text, None, limit),
        Node::Name(text) => boxed("name", true, text, None, limit),
        Node::Term(term) => self::term(term, limit),
        Node::Sequence(nodes) => sequence(nodes, limit),
        Node::Optional(inner) => {
            let inner = layout(inner, limit - 4 * BEND);
            branches(vec![track(), inner], Repetition::Never)
        }
        Node::Choice(nodes) => {
            let all = nodes.iter().map(|node| layout(node, limit - 4 * BEND)).collect();
            branches(all, Repetition::Never)
        }
        Node::AnyOrder(nodes) => {
            let all = nodes.iter().map(|node| layout(node, limit - 4 * BEND));
            branches(std::iter::once(track()).chain(all).collect(), Repetition::Often)
        }
        Node::List(inner) => {
            let comma = Node::Literal(",".to_owned());
            let further = Node::Sequence(vec![comma, Node::clone(inner)]);
            sequence(&[Node::clone(inner), Node::AnyOrder(vec![further])], limit)
        }
    }
}

fn track() -> Layout {
    Layout { width: 0, up: 0, down: 0, out: 0, kind: Kind::Track }
}

fn chars(text: &str) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / (2 * TEN_CHARS))
}

fn term(term: &Term, limit: i32) -> Layout {
    let class = term.role.class();
    if term.role != Role::Custom {
        let text = if term.is_list { format!("{}, …", term.text) } else { term.text.clone() };
        return boxed(class, false, &text, term.href.as_deref(), limit);
    }
    let words: Vec<&str> = term.parameters.iter().map(|parameter| parameter.text.as_str()).collect();
    boxed(class, false, &format!("{}({})", term.text, words.join(", ")), None, limit.min(340))
}

fn boxed(class: &'static str, is_round: bool, text: &str, href: Option<&str>, limit: i32) -> Layout {
    let lines = wrapped(text, ((limit - 2 * PAD) * 10 / TEN_CHARS).max(8));
    let longest = lines.iter().map(|line| chars(line)).max().unwrap_or(0);
    let count = i32::try_from(lines.len()).unwrap_or(i32::MAX / (2 * LINE));
    let height = BOX + LINE * (count - 1);
    let (up, down) = (height / 2, height - height / 2);
    let width = ((longest * TEN_CHARS + 9) / 10 + 2 * PAD).max(BOX);
    let href = href.map(str::to_owned);
    Layout { width, up, down, out: 0, kind: Kind::Box(TextBox { class, is_round, lines, href }) }
}

/// Breaks a text at its blanks, or else before the words inside a long name.
fn wrapped(text: &str, limit: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_inclusive([' ', '(', '.', '_']) {
        if !line.is_empty() && chars(&line) + chars(word.trim_end()) > limit {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        let mut word = word;
        // A word that is longer than a line is cut.
        while chars(word) > limit {
            let at =
                word.char_indices().nth(usize::try_from(limit).unwrap_or(8)).map_or(word.len(), |(at, _)| at);
            lines.push(word[..at].to_owned());
            word = &word[at..];
        }
        line.push_str(word);
    }
    if !line.trim_end().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

fn sequence(nodes: &[Node], limit: i32) -> Layout {
    let mut flat = Vec::new();
    flatten(nodes, &mut flat);
    let mut rows: Vec<Vec<Layout>> = vec![Vec::new()];
    let mut width = 0;
    let last = flat.len().saturating_sub(1);
    for (index, node) in flat.into_iter().enumerate() {
        let indent = if rows.len() > 1 { 2 * BEND } else { 0 };
        let laid = layout(node, limit - 4 * BEND);
        // A line that continues below needs space for the bend.
        let turn = if index < last { 2 * BEND } else { 0 };
        if width > 0 && indent + width + laid.width + turn > limit {
            rows.push(Vec::new());
            width = 0;
        }
        width += laid.width + GAP;
        if let Some(row) = rows.last_mut() {
            row.push(laid);
        }
    }
    let mut lines: Vec<Layout> = rows.into_iter().map(row).collect();
    if lines.len() == 1 { lines.remove(0) } else { stacked(lines) }
}

fn flatten<'n>(nodes: &'n [Node], out: &mut Vec<&'n Node>) {
    for node in nodes {
        match node {
            Node::Sequence(inner) => flatten(inner, out),
            node => out.push(node),
        }
    }
}

fn row(all: Vec<Layout>) -> Layout {
    let gaps = i32::try_from(all.len().saturating_sub(1)).unwrap_or(0) * GAP;
    let largest = |of: fn(&Layout) -> i32| all.iter().map(of).max().unwrap_or(0);
    Layout {
        width: all.iter().map(|laid| laid.width).sum::<i32>() + gaps,
        up: largest(|laid| laid.up),
        down: largest(|laid| laid.down),
        out: 0,
        kind: Kind::Row(all),
    }
}

/// The space between the bottom of a line and the top of the next, where the return track runs.
const BETWEEN: i32 = 2 * BEND + 4;

fn stacked(mut lines: Vec<Layout>) -> Layout {
    // The return track needs its bends even above a line that begins with a bare track.
    for line in &mut lines {
        line.up = line.up.max(BOX / 2);
    }
    let mut width = 0;
    let mut at = 0;
    let mut down = 0;
    let last = lines.len() - 1;
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            at = down + BETWEEN + line.up;
        }
        down = at + line.down;
        // The first line begins on the incoming track; the others begin after a bend.
        let indent = if index > 0 { 2 * BEND } else { 0 };
        let turn = if index < last { 2 * BEND } else { 0 };
        width = width.max(indent + line.width + turn);
    }
    let up = lines.first().map_or(0, |line| line.up);
    Layout { width, up, down, out: at, kind: Kind::Lines(lines) }
}

/// The distance of each line below the first.
pub(super) fn line_starts(lines: &[Layout]) -> Vec<i32> {
    let mut starts = Vec::with_capacity(lines.len());
    let (mut at, mut down) = (0, 0);
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            at = down + BETWEEN + line.up;
        }
        down = at + line.down;
        starts.push(at);
    }
    starts
}

fn branches(all: Vec<Layout>, again: Repetition) -> Layout {
    let widest = all.iter().map(|laid| laid.width).max().unwrap_or(0);
    let mut placed: Vec<(i32, Layout)> = Vec::with_capacity(all.len());
    let (mut up, mut down) = (0, 0);
    for (index, laid) in all.into_iter().enumerate() {
        let at = if index == 0 {
            up = laid.up;
            0
        } else {
            (down + SPACE + laid.up).max(2 * BEND)
        };
        down = at + laid.down.max(laid.out);
        placed.push((at, laid));
    }
    if again == Repetition::Often {
        up = up.max(2 * BEND + 4);
    }
    Layout { width: widest + 4 * BEND, up, down, out: 0, kind: Kind::Branches(placed, again) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(count: usize) -> Node {
        Node::Sequence(vec![Node::Literal("keyword".to_owned()); count])
    }

    #[test]
    fn what_is_too_wide_goes_on_below() {
        for limit in [super::super::WIDE, super::super::NARROW] {
            for count in 1..40 {
                let nested =
                    Node::Optional(Box::new(Node::Choice(vec![literals(count), literals(count / 2)])));
                for node in [literals(count), nested] {
                    let laid = layout(&node, limit);
                    assert!(laid.width <= limit, "{count} in {limit}: {}", laid.width);
                }
            }
        }
    }

    #[test]
    fn long_words_are_broken() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghijklmnop", 8), ["abcdefgh", "ijklmnop"]);
        assert_eq!(wrapped("", 8), [""]);
        let laid = layout(&Node::Literal("x".repeat(500)), super::super::NARROW);
        assert!(laid.width <= super::super::NARROW);
    }

    #[test]
    fn the_shortest_form_is_on_the_track() {
        let optional = layout(&Node::Optional(Box::new(literals(1))), 700);
        assert_eq!((optional.up, optional.out), (0, 0));
        assert!(optional.down > BOX);
    }
}
