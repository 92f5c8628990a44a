//! POSIX extended regular expressions, as the reference uses them in `!match`, `!instances` and in options: found or
//! not.
//!
//! ```text
//! alternatives: sequence { "|" sequence }
//! sequence:     atom [ repetition ] { atom [ repetition ] }
//! repetition:   "*" | "+" | "?" | "{" n [ "," [ m ] ] "}"
//! atom:         "(" [ alternatives ] ")" | "[" … "]" | "." | "^" | "$" | "\" digit | "\" any | any
//! ```
//!
//! Expressions and texts are bytes. An expression becomes a `Program` (`compile.rs`, `bracket.rs`) for a machine that
//! follows all alternatives at once (`search.rs`), so that the time is bounded by length of program times length of
//! text. If it refers to groups (`\1`), each match of the machine is tried again with the groups' texts
//! (`references.rs`). All of it is charged to the caller.

mod bracket;
mod compile;
mod references;
mod search;

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Regex {
    program: Program,
}

/// The reason why an expression was not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not a regular expression.
    Invalid,
    /// Its repetitions ask for a program that is too long.
    TooLong,
}

/// The most steps of a program; repetitions such as `(a{99}){99}` would make it grow without end.
pub const MAX_STEPS: usize = 1 << 20;

/// The groups that can be referred to: `\1` to `\9`.
const GROUPS: usize = 9;

/// A program for the machine. Jumps are relative, so that a repetition is a copy of steps.
#[derive(Clone, Debug, Default)]
struct Program {
    steps: Vec<Step>,
    /// The sets of bytes that steps refer to.
    sets: Vec<Set>,
    /// The numbers of `^` and of `$` in the expression.
    line_anchors: [u32; 2],
    /// True if the reference keeps its states in one word; see [`search`].
    is_small: bool,
    has_references: bool,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Set([u64; 4]);

impl Set {
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn negated(self) -> Set {
        Set(self.0.map(|bits| !bits))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// An empty step.
    Pass,
    Byte(u8),
    /// One byte out of a set.
    Set(u32),
    Anchor(Anchor),
    /// A fork: to the next step and to the one at this distance.
    Fork(i32),
    Jump(i32),
    /// The start of a group's text.
    Open(u8),
    /// The end of a group's text.
    Close(u8),
    /// The text of a group again; the second number is that of the steps after it, which repeat the group's own for the
    /// machine without groups.
    Reference(u8, u32),
    Match,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    TextStart,
    TextEnd,
    WordStart,
    WordEnd,
}

impl Anchor {
    /// Returns true if it holds at this place of a text.
    fn holds(self, text: &[u8], at: usize) -> bool {
        let is_word =
            |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_after_word = || is_word(at.checked_sub(1).and_then(|before| text.get(before)));
        match self {
            Anchor::TextStart => at == 0,
            Anchor::TextEnd => at == text.len(),
            Anchor::WordStart => !is_after_word() && is_word(text.get(at)),
            Anchor::WordEnd => is_after_word() && !is_word(text.get(at)),
        }
    }
}

impl Regex {
    /// Compiles an expression.
    ///
    /// # Errors
    /// The expression is malformed, or too long.
    pub fn new(expression: &[u8]) -> Result<Self, Refusal> {
        compile::compile(expression).map(|program| Regex { program })
    }

    /// Returns the units of work that compiling took.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.program.steps.len() as u64 / 16
    }

    /// Returns true if it is found anywhere in the text. Units of work are passed to `charge`.
    ///
    /// # Errors
    /// Those of `charge`.
    pub fn is_match<E>(&self, text: &[u8], charge: &mut impl FnMut(u64) -> Result<(), E>) -> Result<bool, E> {
        let mut search = search::Search::new(&self.program, text);
        let is_found = search.finds(charge)?;
        if !is_found || !self.program.has_references {
            return Ok(is_found);
        }
        references::finds(&self.program, text, &mut search, charge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, text: &str, expected: Option<bool>) {
        let found = Regex::new(expression.as_bytes()).ok().map(|regex| {
            let never: Result<bool, ()> = regex.is_match(text.as_bytes(), &mut |_| Ok(()));
            never.unwrap_or_default()
        });
        assert_eq!(found, expected, "{expression} in {text}");
    }

    #[test]
    fn finds() {
        check("k.[ab]", "k.b", Some(true));
        check("^b$", "k.b", Some(false));
        check("^k\\.b$", "k.b", Some(true));
        check("(add|sub)i?$", "arith.addi", Some(true));
        check("a{2,3}b", "xaab", Some(true));
        check("^a{2,3}b", "aaaab", Some(false));
        check("[^[:digit:]_-]", "12_-", Some(false));
        check("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", Some(false));
        check("(a|b)\\1c", "aabbc", Some(true));
        check("[[:<:]]b", "ab b", Some(true));
    }

    #[test]
    fn rejects() {
        for bad in ["", "(", "[", "*a", "a**", "(a", "a|", "[b-a]", "\\1", "(a\\1)", "a{3,2}", "a{0}", "a)"] {
            check(bad, "", None);
        }
    }

    #[test]
    fn is_bounded() {
        assert_eq!(Regex::new(b"((a{255}){255}){255}").err(), Some(Refusal::TooLong));
        let deep = "(".repeat(100_000) + "a" + &")*".repeat(100_000);
        check(&deep, "a", Some(true));
        // No path through it leads to the end: the second half has an odd length.
        let regex = Regex::new(b"^(a*)(a*)(a*)(a*)a*b\\1\\1\\2\\2\\3\\3\\4\\4$").ok();
        let text = "a".repeat(301) + "b" + &"a".repeat(301);
        let mut fuel = 1_000_000_u64;
        let found = regex.map(|regex| {
            regex.is_match(text.as_bytes(), &mut |units| {
                fuel = fuel.checked_sub(units).ok_or(())?;
                Ok(())
            })
        });
        assert_eq!(found, Some(Err(())));
    }
}
