//! Random regular expressions through llvm-tblgen's `!match` and through the engine: the same texts match.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed; `make fuzz` sets both.

use std::fmt::Write as _;

use odsmith_engine::limits::Limits;
use odsmith_tests::{Run, program, random::Random, seeds};

/// The number of programs in a normal run; each has [`EXPRESSIONS`].
const COUNT: u64 = 100;
/// The number of expressions in a program, which ends at the first wrong one.
const EXPRESSIONS: usize = 6;
/// The depth to which groups nest.
const DEPTH: usize = 3;
/// The number of texts for each expression.
const TEXTS: usize = 10;

#[test]
fn random_expressions() {
    let mut text = String::new();
    let tried = seeds::run("regular expressions", COUNT, EXPRESSIONS as u64, check, |batch| {
        let reports: Vec<String> = batch.into_iter().flatten().collect();
        text.extend(reports.iter().map(String::as_str));
        reports.len()
    });
    println!("{tried}");
    assert!(text.is_empty(), "(- reference, + ours)\n{text}");
}

fn check(seed: u64) -> Option<String> {
    let program = program_of(seed);
    let want = program::reference(program.as_bytes(), &format!("regex{seed}"));
    // The reference crashed.
    if want.status != 0 && want.status != 1 {
        return None;
    }
    let got = program::ours(program.as_bytes(), Limits::default());
    let show =
        |run: &Run| format!("{}{}", String::from_utf8_lossy(&run.out), String::from_utf8_lossy(&run.err));
    if (want.status, &want.out, &want.err) == (got.status, &got.out, &got.err) {
        return None;
    }
    let difference = odsmith_tests::diff::first_difference(show(&want).as_bytes(), show(&got).as_bytes());
    Some(format!("--- seed {seed}\n{program}{}\n", difference.unwrap_or_default()))
}

fn program_of(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for index in 0..EXPRESSIONS {
        let mut writer = Writer {
            random: &mut random,
            text: String::new(),
            groups: 0,
            closed: Vec::new(),
            is_referring: false,
        };
        writer.expression();
        let expression = writer.text.replace('\\', "\\\\");
        for number in 0..TEXTS {
            let _ = write!(text, "def r{index}_{number} {{ bit m = !match(\"");
            for _ in 0..random.below(9) {
                text.push(*random.pick(&['a', 'a', 'a', 'b', 'b', 'b', 'c', ' ', '-', '.', '_', '1', ']']));
            }
            let _ = writeln!(text, "\", \"{expression}\"); }}");
        }
    }
    text
}

/// Writes one expression by the grammar, sometimes with a mistake.
struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    groups: usize,
    closed: Vec<usize>,
    /// True if the expression has back-references.
    is_referring: bool,
}

impl Writer<'_> {
    fn expression(&mut self) {
        self.is_referring = self.random.one_in(4);
        let is_long = self.random.one_in(12);
        if self.is_referring || is_long {
            self.groups += 1;
            self.text.push('(');
        }
        if is_long {
            // The reference stores the states of long expressions in another way.
            self.text += &"q".repeat(70);
            self.text.push('|');
        }
        if self.random.one_in(5) {
            self.text.push('^');
        }
        self.alternatives(DEPTH);
        if self.random.one_in(5) {
            self.text.push('$');
        }
        if self.is_referring || is_long {
            self.text.push(')');
        }
        if self.is_referring {
            // The reference reads past the end of the text if a back-reference fails there.
            self.text.push('c');
        }
    }

    fn alternatives(&mut self, depth: usize) {
        for index in 0..*self.random.pick(&[1, 1, 1, 1, 2, 2, 3]) {
            if index > 0 {
                self.text.push('|');
            }
            if !self.random.one_in(70) {
                self.sequence(depth);
            }
        }
    }

    fn sequence(&mut self, depth: usize) {
        for _ in 0..*self.random.pick(&[1, 1, 2, 2, 3, 3, 4]) {
            self.atom(depth);
            let (once, often, seldom, wrong) = (
                [""],
                ["*", "+", "?"],
                ["{2}", "{0,1}", "{1,2}", "{0,2}", "{2,3}", "{1,}", "{2,}", "{0,}", "{,2}"],
                ["{", "{2,1}", "{1", "{256}", "**", "{1}{2}"],
            );
            self.text += match self.random.below(100) {
                0..65 => self.random.pick::<&str>(&once),
                65..90 => self.random.pick::<&str>(&often),
                90..99 => self.random.pick::<&str>(&seldom),
                _ => self.random.pick::<&str>(&wrong),
            };
        }
    }

    fn atom(&mut self, depth: usize) {
        match self.random.below(100) {
            0..22 if depth > 0 => {
                self.groups += 1;
                let number = self.groups;
                self.text.push('(');
                if !self.random.one_in(10) {
                    self.alternatives(depth - 1);
                }
                self.text.push(')');
                self.closed.push(number);
            }
            // In a repeated group the reference may try an exponential number of matches.
            22..30 if self.is_referring && depth == DEPTH && !self.closed.is_empty() => {
                let number = *self.random.pick(&self.closed);
                let _ = write!(self.text, "\\{number}");
            }
            30..37 => self.text.push('.'),
            37..46 => {
                let brackets = [
                    "[ab]",
                    "[^a]",
                    "[a-c]",
                    "[]a]",
                    "[b-]",
                    "[^-a]",
                    "[a\\]",
                    "[[:alpha:]]",
                    "[[:digit:]_]",
                    "[[.a.]-c]",
                    "[[=b=]]",
                    "[[.hyphen.]]",
                    "[[:space:]]",
                    "[^[:alnum:]]",
                ];
                let wrong = ["[b-a]", "[", "[a-", "[[:x:]]", "[]", "[a-b-c]", "[[=a=]-c]"];
                let is_wrong = self.random.one_in(25);
                self.text += self.random.pick::<&str>(if is_wrong { &wrong[..] } else { &brackets[..] });
            }
            46..58 => self.text += self.random.pick::<&str>(&["^", "$", "$", "[[:<:]]", "[[:>:]]"]),
            58..64 => {
                self.text +=
                    self.random.pick::<&str>(&["\\.", "\\a", "\\|", "\\$", "{", "}", "]", "\\(", "-", " "])
            }
            64..65 => self.text += self.random.pick::<&str>(&["*", "+", "{1}", "\\", "(", ")"]),
            _ => self.text.push(*self.random.pick(&['a', 'a', 'a', 'b', 'b', 'c'])),
        }
    }
}
