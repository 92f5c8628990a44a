//! POSIX extended regular expressions, as the reference takes them in options and in `!match`: found or not.
//!
//! ```text
//! alternatives: sequence { "|" sequence }
//! sequence:     { atom { "*" | "+" | "?" | "{" n [ "," [ m ] ] "}" } }
//! atom:         "(" alternatives ")" | "[" … "]" | "." | "^" | "$" | "\" any | any
//! ```
//!
//! An expression becomes a program for a machine that follows all alternatives at once, so that the time is
//! bounded by length of program times length of text. References to groups (`\1`) are not supported.

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Regex {
    program: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    /// One byte out of a set.
    Byte(Box<[bool; 256]>),
    /// The start of the text.
    Start,
    /// The end of the text.
    End,
    /// Go on at both.
    Fork(usize, usize),
    /// Go on there.
    Jump(usize),
    /// Found.
    Match,
}

#[derive(Clone, Debug)]
enum Node {
    Empty,
    Byte(Box<[bool; 256]>),
    Start,
    End,
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeat(Box<Node>, u32, Option<u32>),
}

/// The most steps of a program; repetitions such as `(a{99}){99}` would make it grow without end.
const MAX_STEPS: usize = 20_000;
/// The most repetitions that may be asked for, as in the reference.
const MAX_REPEAT: u32 = 255;
/// The deepest nesting of groups.
const MAX_DEPTH: u32 = 100;

impl Regex {
    /// Compiles an expression; nothing if it is not one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut parser = Parser { text: text.as_bytes(), at: 0, depth: 0 };
        let node = parser.alternatives()?;
        if parser.at < parser.text.len() {
            return None;
        }
        let mut program = Vec::new();
        emit(&node, &mut program)?;
        program.push(Step::Match);
        Some(Regex { program })
    }

    /// Whether it is found anywhere in the text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let text = text.as_bytes();
        let mut states = States::new(self.program.len());
        let mut next = States::new(self.program.len());
        for at in 0..=text.len() {
            // The match may begin here.
            states.insert(0);
            let mut index = 0;
            while let Some(&state) = states.list.get(index) {
                index += 1;
                match &self.program[state] {
                    Step::Byte(set) if text.get(at).is_some_and(|&byte| set[usize::from(byte)]) => {
                        next.insert(state + 1)
                    }
                    Step::Start if at == 0 => states.insert(state + 1),
                    Step::End if at == text.len() => states.insert(state + 1),
                    Step::Fork(a, b) => {
                        states.insert(*a);
                        states.insert(*b);
                    }
                    Step::Jump(to) => states.insert(*to),
                    Step::Match => return true,
                    Step::Byte(_) | Step::Start | Step::End => {}
                }
            }
            std::mem::swap(&mut states, &mut next);
            next.clear();
        }
        false
    }
}

struct States {
    list: Vec<usize>,
    has: Vec<bool>,
}

impl States {
    fn new(len: usize) -> Self {
        States { list: Vec::new(), has: vec![false; len] }
    }

    fn insert(&mut self, state: usize) {
        if !std::mem::replace(&mut self.has[state], true) {
            self.list.push(state);
        }
    }

    fn clear(&mut self) {
        for state in self.list.drain(..) {
            self.has[state] = false;
        }
    }
}

fn emit(node: &Node, program: &mut Vec<Step>) -> Option<()> {
    if program.len() > MAX_STEPS {
        return None;
    }
    match node {
        Node::Empty => {}
        Node::Byte(set) => program.push(Step::Byte(set.clone())),
        Node::Start => program.push(Step::Start),
        Node::End => program.push(Step::End),
        Node::Sequence(nodes) => nodes.iter().try_for_each(|node| emit(node, program))?,
        Node::Alternatives(nodes) => {
            let (last, others) = nodes.split_last()?;
            let mut jumps = Vec::new();
            for node in others {
                let fork = program.len();
                program.push(Step::Jump(0));
                emit(node, program)?;
                jumps.push(program.len());
                program.push(Step::Jump(0));
                program[fork] = Step::Fork(fork + 1, program.len());
            }
            emit(last, program)?;
            for jump in jumps {
                program[jump] = Step::Jump(program.len());
            }
        }
        Node::Repeat(node, least, most) => {
            for _ in 0..*least {
                emit(node, program)?;
            }
            let Some(most) = most else {
                let start = program.len();
                program.push(Step::Jump(0));
                emit(node, program)?;
                program.push(Step::Jump(start));
                program[start] = Step::Fork(start + 1, program.len());
                return Some(());
            };
            let mut forks = Vec::new();
            for _ in *least..*most {
                forks.push(program.len());
                program.push(Step::Jump(0));
                emit(node, program)?;
            }
            for fork in forks {
                program[fork] = Step::Fork(fork + 1, program.len());
            }
        }
    }
    Some(())
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn alternatives(&mut self) -> Option<Node> {
        let mut nodes = vec![self.sequence()?];
        while self.eat(b'|') {
            nodes.push(self.sequence()?);
        }
        // An alternative of nothing is an error.
        if nodes.len() > 1 && nodes.iter().any(|node| matches!(node, Node::Empty)) {
            return None;
        }
        Some(if nodes.len() == 1 { nodes.remove(0) } else { Node::Alternatives(nodes) })
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(byte) = self.peek() {
            if byte == b'|' || (byte == b')' && self.depth > 0) {
                break;
            }
            let atom = self.atom()?;
            nodes.push(self.repeated(atom)?);
        }
        Some(if nodes.is_empty() { Node::Empty } else { Node::Sequence(nodes) })
    }

    fn repeated(&mut self, atom: Node) -> Option<Node> {
        let (least, most) = match self.peek() {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            // A brace without a number behind it stands for itself.
            Some(b'{') if self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                self.at += 1;
                let least = self.number()?;
                let most = match self.eat(b',') {
                    true if self.peek() == Some(b'}') => None,
                    true => Some(self.number()?),
                    false => Some(least),
                };
                if self.peek() != Some(b'}') || most.is_some_and(|most| most < least) {
                    return None;
                }
                (least, most)
            }
            _ => return Some(atom),
        };
        self.at += 1;
        // Two repetitions in a row are an error.
        let is_repeated = match self.peek() {
            Some(b'*' | b'+' | b'?') => true,
            Some(b'{') => self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit),
            _ => false,
        };
        (!is_repeated).then(|| Node::Repeat(Box::new(atom), least, most))
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        let start = self.at;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number * 10 + u32::from(digit - b'0');
            self.at += 1;
            if number > MAX_REPEAT {
                return None;
            }
        }
        (self.at > start).then_some(number)
    }

    fn atom(&mut self) -> Option<Node> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'(' => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return None;
                }
                let node = self.alternatives()?;
                self.depth -= 1;
                self.eat(b')').then_some(node)
            }
            b'[' => self.bracket(),
            b'.' => Some(Node::Byte(Box::new([true; 256]))),
            b'^' => Some(Node::Start),
            b'$' => Some(Node::End),
            b'*' | b'+' | b'?' => None,
            b'{' if self.peek().is_some_and(|next| next.is_ascii_digit()) => None,
            b'\\' => {
                let byte = self.peek()?;
                self.at += 1;
                (!byte.is_ascii_digit()).then(|| single(byte))
            }
            byte => Some(single(byte)),
        }
    }

    fn bracket(&mut self) -> Option<Node> {
        let mut set = Box::new([false; 256]);
        let is_negated = self.eat(b'^');
        let mut is_first = true;
        loop {
            let start = self.peek()?;
            if start == b']' && !is_first {
                self.at += 1;
                break;
            }
            is_first = false;
            if start == b'[' && self.text.get(self.at + 1) == Some(&b':') {
                self.class(&mut set)?;
                continue;
            }
            self.at += 1;
            let is_range =
                self.peek() == Some(b'-') && self.text.get(self.at + 1).is_some_and(|&next| next != b']');
            let end = if is_range {
                self.at += 1;
                let end = self.peek()?;
                self.at += 1;
                end
            } else {
                start
            };
            if end < start {
                return None;
            }
            set[usize::from(start)..=usize::from(end)].fill(true);
        }
        if is_negated {
            set.iter_mut().for_each(|has| *has = !*has);
        }
        Some(Node::Byte(set))
    }

    fn class(&mut self, set: &mut [bool; 256]) -> Option<()> {
        let rest = &self.text[self.at + 2..];
        let end = rest.windows(2).position(|pair| pair == b":]")?;
        let has: fn(&u8) -> bool = match &rest[..end] {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |byte| byte.is_ascii_whitespace() || *byte == 0x0b,
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => return None,
        };
        for byte in 0..=255_u8 {
            set[usize::from(byte)] |= has(&byte);
        }
        self.at += end + 4;
        Some(())
    }
}

fn single(byte: u8) -> Node {
    let mut set = Box::new([false; 256]);
    set[usize::from(byte)] = true;
    Node::Byte(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, text: &str, expected: Option<bool>) {
        assert_eq!(
            Regex::new(expression).map(|regex| regex.is_match(text)),
            expected,
            "{expression} in {text}"
        );
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
        check("", "anything", Some(true));
    }

    #[test]
    fn rejects() {
        for bad in ["(", "[", "*a", "a**", "(a", "a|", "[b-a]", "\\1", "a{3,2}"] {
            check(bad, "", None);
        }
    }
}
