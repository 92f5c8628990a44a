//! Random programs of the TableGen language: most are valid, some contain mistakes.
//!
//! A program is a tree of statements, so that a failing one can be reduced by leaving out branches. Statements and
//! values follow the grammar and have the types that their positions require; mistakes are wrong types, wrong names and
//! extra words.

mod aggregates;
mod statements;
mod values;

use std::fmt::Write as _;

/// A stream of numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }

    /// True in one of `n` cases.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random item of a list.
    ///
    /// # Panics
    /// When the list is empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A statement, or a block of them.
#[derive(Clone, Debug)]
pub struct Node {
    head: String,
    children: Vec<Node>,
    tail: &'static str,
}

impl Node {
    fn leaf(head: String) -> Node {
        Node { head, children: Vec::new(), tail: "" }
    }

    fn write(&self, indent: usize, text: &mut String) {
        let _ = writeln!(text, "{:indent$}{}", "", self.head);
        self.children.iter().for_each(|child| child.write(indent + 2, text));
        if !self.tail.is_empty() {
            let _ = writeln!(text, "{:indent$}{}", "", self.tail);
        }
    }
}

/// The number of programs in a row that share only the names of the first lines. Joined they are one program, which
/// costs the reference little more than one of them.
pub const BLOCK: u64 = 8;

/// The first lines of every program.
const BEGIN: [&str; 5] =
    ["class Operator;", "def op : Operator;", "def op2;", "class Plain;", "def plain : Plain;"];

/// A program.
#[derive(Clone, Debug)]
pub struct Program(Vec<Node>);

impl Program {
    /// Joins the programs of one block.
    #[must_use]
    pub fn together(programs: &[Program]) -> Program {
        let begin = BEGIN.iter().map(|line| Node::leaf((*line).to_owned()));
        let rest = programs.iter().flat_map(|program| program.0.iter().skip(BEGIN.len()).cloned());
        Program(begin.chain(rest).collect())
    }

    /// The text of the program.
    #[must_use]
    pub fn text(&self) -> String {
        text_of(&self.0)
    }

    /// Splits the statements into this many texts of about the same length, in their order.
    #[must_use]
    pub fn parts(&self, count: usize) -> Vec<String> {
        let cut = |part: usize| self.0.len() * part / count;
        (0..count).map(|part| text_of(&self.0[cut(part)..cut(part + 1)])).collect()
    }

    /// The smallest program that still `fails`, found by leaving out statements.
    #[must_use]
    pub fn shrunk(mut self, fails: impl Fn(&Program) -> bool) -> Program {
        fn paths(nodes: &[Node], here: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
            for (index, node) in nodes.iter().enumerate() {
                here.push(index);
                all.push(here.clone());
                paths(&node.children, here, all);
                here.pop();
            }
        }
        fn without(nodes: &mut Vec<Node>, path: &[usize]) {
            match path {
                [index] => drop(nodes.remove(*index)),
                [index, rest @ ..] => without(&mut nodes[*index].children, rest),
                [] => {}
            }
        }
        loop {
            let mut all = Vec::new();
            paths(&self.0, &mut Vec::new(), &mut all);
            let smaller = all.iter().rev().find_map(|path| {
                let mut nodes = self.0.clone();
                without(&mut nodes, path);
                let program = Program(nodes);
                fails(&program).then_some(program)
            });
            match smaller {
                Some(program) => self = program,
                None => return self,
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ty {
    Bit,
    Bits(usize),
    Int,
    String,
    Code,
    Dag,
    List(Box<Ty>),
    Class(usize),
}

/// The name, the type, and whether there is a default.
type Parameters = Vec<(String, Ty, bool)>;

#[derive(Clone, Debug)]
struct Class {
    name: String,
    parameters: Vec<(String, Ty, bool)>,
    /// All fields, including inherited ones.
    fields: Vec<(String, Ty)>,
    ancestors: Vec<usize>,
    /// True if the argument is the number of instances that the class makes of itself.
    is_recursive: bool,
}

/// Writes one program.
#[derive(Clone, Debug)]
struct Author {
    random: Random,
    classes: Vec<Class>,
    defs: Vec<(String, usize)>,
    multiclasses: Vec<(String, Parameters)>,
    /// Names in scope.
    scope: Vec<(String, Ty)>,
    /// Names that `deftype` defined.
    aliases: Vec<(String, Ty)>,
    counter: usize,
    /// The first letter of its names.
    tag: char,
    /// One in this many places gets a mistake; 0 for none.
    mistakes: usize,
    inside_multiclass: bool,
}

/// A random program. Most statements that `accepts` refuses are left out; one may end the program.
#[must_use]
pub fn program(seed: u64, accepts: impl Fn(&str) -> bool) -> Program {
    let mut random = Random::new(seed);
    let mistakes = [0, 0, 0, 400, 120, 40][random.below(6)];
    let mut author = Author {
        random,
        classes: Vec::new(),
        defs: Vec::new(),
        multiclasses: Vec::new(),
        scope: Vec::new(),
        aliases: Vec::new(),
        counter: 0,
        tag: char::from(b'A' + (seed % BLOCK) as u8),
        mistakes,
        inside_multiclass: false,
    };
    author.classes.push(Class {
        name: "Plain".to_owned(),
        parameters: Vec::new(),
        fields: Vec::new(),
        ancestors: Vec::new(),
        is_recursive: false,
    });
    author.defs.push(("plain".to_owned(), 0));
    let mut nodes: Vec<Node> = BEGIN.map(|line| Node::leaf(line.to_owned())).into();
    let count = 4 + author.random.below(12);
    for index in 0..count {
        let before = author.clone();
        let node = if index < 2 { author.class() } else { author.statement(0) };
        nodes.push(node);
        let program = Program(nodes);
        let is_accepted = accepts(&program.text());
        nodes = program.0;
        if is_accepted {
            continue;
        }
        if author.random.one_in(20) {
            break;
        }
        nodes.pop();
        author = Author { random: author.random, ..before };
    }
    if author.random.one_in(4) {
        space_out(&mut nodes[BEGIN.len()..], &mut author.random);
    }
    if nodes.len() > BEGIN.len() && author.random.one_in(5) {
        slip(&mut nodes[BEGIN.len()..], &mut author.random);
    }
    Program(nodes)
}

fn text_of(nodes: &[Node]) -> String {
    let mut text = String::new();
    nodes.iter().for_each(|node| node.write(0, &mut text));
    text
}

/// Inserts comments and white space between words.
fn space_out(nodes: &mut [Node], random: &mut Random) {
    const SPACES: &[&str] = &[
        "/* c */",
        "/* a /* nested */ b */",
        " // line\n",
        "\n",
        "\t",
        "\r\n",
        "  ",
        "/**/",
        " //\n\n",
        "/*\n*/",
    ];
    for node in nodes {
        if node.head.starts_with('#') {
            continue;
        }
        let words = split(&node.head);
        // Not inside string literals, nor where two words would become one.
        let mut is_quoted = false;
        let mut head = String::new();
        for word in words {
            let is_free = !is_quoted
                && (word == " " || matches!(word.as_str(), "," | ";" | "{" | "}" | "(" | ")" | "<" | "="));
            head += &word;
            if word.contains('"') || word.contains("[{") {
                is_quoted = !is_quoted && word.matches('"').count() % 2 == 1;
            }
            if is_free && random.one_in(6) {
                head += random.pick::<&str>(SPACES);
            }
        }
        node.head = head;
        space_out(&mut node.children, random);
    }
}

/// Puts one mistake into one of the lines, like a slip of the hand.
fn slip(nodes: &mut [Node], random: &mut Random) {
    const WORDS: &[&str] = &[
        "?",
        ";",
        ",",
        ":",
        "=",
        "<",
        ">",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ".",
        "...",
        "#",
        "-",
        "0",
        "\"\"",
        "x",
        "NAME",
        "op",
        "Plain",
        "let",
        "in",
        "def",
        "defm",
        "field",
        "append",
        "prepend",
        "int",
        "bit",
        "string",
        "list<int>",
        "true",
        "!add",
        "!cast<int>",
        "!nothing",
        "code",
        "$x",
        "/*",
        "//",
        "[{",
        "\"",
        "'",
        "0b12",
        "99999999999999999999",
        "\n#ifdef A\n",
        "\n#else\n",
        "\n#endif\n",
        "include \"none.td\"",
    ];
    let index = random.below(nodes.len());
    let node = &mut nodes[index];
    if !node.children.is_empty() && random.one_in(2) {
        return slip(&mut node.children, random);
    }
    let mut words = split(&node.head);
    let at = random.below(words.len().max(1));
    match random.below(5) {
        0 if at < words.len() => drop(words.remove(at)),
        1 if at < words.len() => words.insert(at, words[at].clone()),
        2 if at + 1 < words.len() => words.swap(at, at + 1),
        3 if at < words.len() => words[at] = (*random.pick(WORDS)).to_owned(),
        _ => words.insert(at, (*random.pick(WORDS)).to_owned()),
    }
    node.head = words.concat();
}

/// The words of a line, with the white space around them; joined they are the line.
fn split(line: &str) -> Vec<String> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '!' | '$' | '"') => 0,
        ' ' => 1,
        _ => 2,
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in line.chars() {
        let kind = kind(c);
        match words.last_mut() {
            Some(word) if last == Some(kind) && kind != 2 => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = Some(kind);
    }
    words
}

impl Author {
    fn fresh(&mut self, stem: &str) -> String {
        self.counter += 1;
        if self.mistake() && self.counter > 3 {
            return format!("{}{stem}{}", self.tag, self.random.below(self.counter));
        }
        format!("{}{stem}{}", self.tag, self.counter)
    }

    /// A name for a value, which sometimes shadows one that is in scope.
    fn name_of_value(&mut self, stem: &str) -> String {
        match self.scope.is_empty() || !self.random.one_in(16) {
            true => self.fresh(stem),
            false => self.random.pick(&self.scope).0.clone(),
        }
    }

    fn mistake(&mut self) -> bool {
        self.mistakes > 0 && self.random.one_in(self.mistakes)
    }

    fn spelled(&self, ty: &Ty) -> String {
        // Every other time by its alias, if it has one.
        let alias = self.aliases.iter().find(|(_, own)| own == ty);
        if let Some((name, _)) = alias.filter(|_| self.counter.is_multiple_of(2)) {
            return name.clone();
        }
        match ty {
            Ty::Bit => "bit".to_owned(),
            Ty::Bits(width) => format!("bits<{width}>"),
            Ty::Int => "int".to_owned(),
            Ty::String => "string".to_owned(),
            Ty::Code => "code".to_owned(),
            Ty::Dag => "dag".to_owned(),
            Ty::List(element) => format!("list<{}>", self.spelled(element)),
            Ty::Class(class) => self.classes[*class].name.clone(),
        }
    }

    fn ty(&mut self, depth: usize) -> Ty {
        match self.random.below(if depth > 1 { 8 } else { 11 }) {
            0 => Ty::Bit,
            1 => Ty::Bits([1, 2, 3, 4, 5, 8, 12, 70][self.random.below(8)]),
            2 | 3 => Ty::Int,
            4 | 5 => Ty::String,
            6 => [Ty::Dag, Ty::Dag, Ty::Code][self.random.below(3)].clone(),
            7 => Ty::Class(self.random.below(self.classes.len())),
            _ => Ty::List(Box::new(self.ty(depth + 1))),
        }
    }
}
