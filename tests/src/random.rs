//! Random programs of the TableGen language: valid ones mostly, with mistakes in between.
//!
//! A program is a tree of statements, so that a failing one can be made smaller by leaving out branches.

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

    /// One of these.
    ///
    /// # Panics
    /// When there are none.
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

/// A program.
#[derive(Clone, Debug)]
pub struct Program(Vec<Node>);

impl Program {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.0.iter().for_each(|node| node.write(0, &mut text));
        text
    }

    /// The smallest program that leaving out statements leads to and that still `fails`.
    #[must_use]
    pub fn shrunk(mut self, fails: impl Fn(&str) -> bool) -> Program {
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
                fails(&program.text()).then_some(program)
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

/// Name, type, and whether there is a default.
type Parameters = Vec<(String, Ty, bool)>;

#[derive(Clone, Debug)]
struct Class {
    name: String,
    parameters: Vec<(String, Ty, bool)>,
    /// Inherited ones included.
    fields: Vec<(String, Ty)>,
    ancestors: Vec<usize>,
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
    counter: usize,
    /// A mistake is made in one of so many places; 0 for none.
    mistakes: usize,
    inside_multiclass: bool,
}

/// A random program. Most statements that a program does not go on with (`accepts` says so) are left out; one may end it.
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
        counter: 0,
        mistakes,
        inside_multiclass: false,
    };
    author.classes.push(Class {
        name: "Plain".to_owned(),
        parameters: Vec::new(),
        fields: Vec::new(),
        ancestors: Vec::new(),
    });
    author.defs.push(("plain".to_owned(), 0));
    let mut nodes: Vec<Node> =
        ["def op;", "class Plain;", "def plain : Plain;"].map(|line| Node::leaf(line.to_owned())).into();
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
        if author.random.one_in(6) {
            break;
        }
        nodes.pop();
        author = Author { random: author.random, ..before };
    }
    Program(nodes)
}

impl Author {
    fn fresh(&mut self, stem: &str) -> String {
        self.counter += 1;
        if self.mistake() && self.counter > 3 {
            return format!("{stem}{}", self.random.below(self.counter));
        }
        format!("{stem}{}", self.counter)
    }

    fn mistake(&mut self) -> bool {
        self.mistakes > 0 && self.random.one_in(self.mistakes)
    }

    fn spelled(&self, ty: &Ty) -> String {
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
            1 => Ty::Bits(1 + self.random.below(8)),
            2 | 3 => Ty::Int,
            4 | 5 => Ty::String,
            6 => Ty::Dag,
            7 if !self.classes.is_empty() => Ty::Class(self.random.below(self.classes.len())),
            7 => Ty::Code,
            _ => Ty::List(Box::new(self.ty(depth + 1))),
        }
    }

    // --- statements ---------------------------------------------------------------------------------------

    fn statement(&mut self, depth: usize) -> Node {
        let kind = self.random.below(if depth > 2 { 8 } else { 24 });
        match kind {
            0..=4 => self.def(),
            5 => self.defvar(),
            6 => self.defm(),
            7 => match self.random.below(3) {
                0 => {
                    let (condition, message) = (self.condition(2), self.value(&Ty::String, 2));
                    Node::leaf(format!("assert {condition}, {message};"))
                }
                1 => {
                    let message = self.value(&Ty::String, 2);
                    Node::leaf(format!("dump {message};"))
                }
                _ => self.defvar(),
            },
            8..=10 => self.foreach(depth),
            11 | 12 => self.if_statement(depth),
            13 | 14 => self.let_statement(depth),
            15..=17 if depth == 0 => self.class(),
            18..=20 if depth == 0 => self.multiclass(),
            21 if depth == 0 => self.defset(),
            22 if depth == 0 => {
                let (name, ty) = (self.fresh("Alias"), self.ty(0));
                Node::leaf(format!("deftype {name} = {};", self.spelled(&ty)))
            }
            _ => self.def(),
        }
    }

    fn block(&mut self, head: String, depth: usize) -> Node {
        let before = self.scope.len();
        let count = 1 + self.random.below(3);
        let children = (0..count).map(|_| self.statement(depth + 1)).collect();
        self.scope.truncate(before);
        Node { head, children, tail: "}" }
    }

    fn foreach(&mut self, depth: usize) -> Node {
        let name = self.fresh("i");
        let before = self.scope.len();
        let (list, ty) = match self.random.below(4) {
            0 => (["0-2", "1...3", "{0-1, 3}", "{2, 0}"][self.random.below(4)].to_owned(), Ty::Int),
            _ => {
                let ty = self.ty(1);
                (self.value(&Ty::List(Box::new(ty.clone())), 2), ty)
            }
        };
        self.scope.push((name.clone(), ty));
        let node = self.block(format!("foreach {name} = {list} in {{"), depth);
        self.scope.truncate(before);
        node
    }

    fn if_statement(&mut self, depth: usize) -> Node {
        let condition = self.condition(2);
        let mut node = self.block(format!("if {condition} then {{"), depth);
        if self.random.one_in(2) {
            let other = self.block("else {".to_owned(), depth);
            node.tail = "}";
            return Node { head: String::new(), children: vec![node, other], tail: "" };
        }
        node.tail = "}";
        node
    }

    fn let_statement(&mut self, depth: usize) -> Node {
        let binding = self.let_binding(None, false);
        self.block(format!("let {binding} in {{"), depth)
    }

    fn let_binding(&mut self, class: Option<usize>, is_in_body: bool) -> String {
        let class = class.unwrap_or_else(|| self.random.below(self.classes.len()));
        let fields = self.classes[class].fields.clone();
        if fields.is_empty() {
            return "nothing = 0".to_owned();
        }
        let (name, ty) = self.random.pick(&fields).clone();
        if let Ty::Bits(width) = ty
            && self.random.one_in(3)
        {
            let high = self.random.below(width);
            let low = self.random.below(high + 1);
            let value = self.value(&Ty::Bits(high - low + 1), 2);
            let (open, close) = if is_in_body { ('{', '}') } else { ('<', '>') };
            let dash = if self.random.one_in(2) { "-" } else { "..." };
            return format!("{name}{open}{high}{dash}{low}{close} = {value}");
        }
        let value = self.value(&ty, 2);
        format!("{name} = {value}")
    }

    fn defvar(&mut self) -> Node {
        let (name, ty) = (self.fresh("v"), self.ty(0));
        let value = self.value(&ty, 3);
        self.scope.push((name.clone(), ty));
        Node::leaf(format!("defvar {name} = {value};"))
    }

    fn parameters(&mut self) -> (String, Vec<(String, Ty, bool)>) {
        let count = self.random.below(4);
        let mut parameters = Vec::new();
        let mut text = Vec::new();
        for _ in 0..count {
            let (name, ty) = (self.fresh("p"), self.ty(0));
            let has_default = self.random.one_in(3) || parameters.last().is_some_and(|(_, _, has)| *has);
            let mut one = format!("{} {name}", self.spelled(&ty));
            if has_default {
                let value = self.value(&ty, 2);
                let _ = write!(one, " = {value}");
            }
            text.push(one);
            self.scope.push((name.clone(), ty.clone()));
            parameters.push((name, ty, has_default));
        }
        let text = if text.is_empty() { String::new() } else { format!("<{}>", text.join(", ")) };
        (text, parameters)
    }

    fn class(&mut self) -> Node {
        let name = self.fresh("C");
        let before = self.scope.len();
        let (text, parameters) = self.parameters();
        let (superclasses, mut fields, ancestors) = self.superclasses(2);
        let children = self.body(&mut fields);
        self.scope.truncate(before);
        let head = format!("class {name}{text}{superclasses} {{");
        self.classes.push(Class { name, parameters, fields, ancestors });
        Node { head, children, tail: "}" }
    }

    fn superclasses(&mut self, most: usize) -> (String, Vec<(String, Ty)>, Vec<usize>) {
        let count = if self.classes.is_empty() { 0 } else { self.random.below(most + 1) };
        let (mut texts, mut fields, mut ancestors) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let class = self.random.below(self.classes.len());
            if ancestors.contains(&class) && !self.mistake() {
                continue;
            }
            texts.push(self.class_reference(class));
            fields.extend(self.classes[class].fields.iter().cloned());
            ancestors.extend(self.classes[class].ancestors.iter().copied());
            ancestors.push(class);
        }
        let text = if texts.is_empty() { String::new() } else { format!(" : {}", texts.join(", ")) };
        (text, fields, ancestors)
    }

    fn class_reference(&mut self, class: usize) -> String {
        let Class { name, parameters, .. } = self.classes[class].clone();
        let arguments = self.arguments(&parameters);
        if arguments.is_empty() && self.random.one_in(2) { name } else { format!("{name}<{arguments}>") }
    }

    fn arguments(&mut self, parameters: &[(String, Ty, bool)]) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut is_named = false;
        for (name, ty, has_default) in parameters {
            if (*has_default && self.random.one_in(2)) || self.mistake() {
                is_named = true;
                continue;
            }
            is_named |= self.random.one_in(8);
            let value = self.value(ty, 2);
            texts.push(if is_named { format!("{name} = {value}") } else { value });
        }
        if self.mistake() {
            texts.push("1".to_owned());
        }
        texts.join(", ")
    }

    fn body(&mut self, fields: &mut Vec<(String, Ty)>) -> Vec<Node> {
        self.scope.extend(fields.iter().cloned());
        let count = self.random.below(5);
        let mut children = Vec::new();
        for _ in 0..count {
            match self.random.below(12) {
                0 | 1 if !fields.is_empty() => {
                    let (name, ty) = self.random.pick(fields).clone();
                    let value = self.value(&ty, 3);
                    children.push(Node::leaf(format!("let {name} = {value};")));
                }
                2 => {
                    let node = self.defvar();
                    children.push(node);
                }
                3 => {
                    let (condition, message) = (self.condition(2), self.value(&Ty::String, 1));
                    children.push(Node::leaf(format!("assert {condition}, {message};")));
                }
                4 if self.random.one_in(3) => {
                    let message = self.value(&Ty::String, 2);
                    children.push(Node::leaf(format!("dump {message};")));
                }
                _ => {
                    let (name, ty) = (self.fresh("f"), self.ty(0));
                    let start = if self.random.one_in(10) { "field " } else { "" };
                    let spelled = self.spelled(&ty);
                    if self.random.one_in(6) {
                        children.push(Node::leaf(format!("{start}{spelled} {name};")));
                    } else {
                        let value = self.value(&ty, 3);
                        children.push(Node::leaf(format!("{start}{spelled} {name} = {value};")));
                    }
                    self.scope.push((name.clone(), ty.clone()));
                    fields.push((name, ty));
                }
            }
        }
        children
    }

    fn def(&mut self) -> Node {
        let is_in_loop = !self.scope.is_empty();
        let plain = self.fresh("d");
        let name = match self.random.below(6) {
            0 => String::new(),
            1 if is_in_loop => {
                let tail = self.value(&Ty::String, 1);
                format!(" {plain} # {tail}")
            }
            2 if self.inside_multiclass => format!(" NAME # \"_{plain}\""),
            _ => {
                // In a loop the name must differ each time; often it does.
                match self.scope.iter().rev().find(|(_, ty)| matches!(ty, Ty::Int | Ty::String)) {
                    Some((variable, _)) if self.random.one_in(2) => format!(" {plain} # {variable}"),
                    _ => format!(" {plain}"),
                }
            }
        };
        let before = self.scope.len();
        let (superclasses, mut fields, ancestors) = self.superclasses(2);
        let children = self.body(&mut fields);
        self.scope.truncate(before);
        if name == format!(" {plain}")
            && !self.inside_multiclass
            && let Some(&class) = ancestors.last()
        {
            self.defs.push((plain, class));
        }
        if children.is_empty() && self.random.one_in(2) {
            return Node::leaf(format!("def{name}{superclasses};"));
        }
        Node { head: format!("def{name}{superclasses} {{"), children, tail: "}" }
    }

    fn multiclass(&mut self) -> Node {
        let name = self.fresh("M");
        let before = self.scope.len();
        let (text, parameters) = self.parameters();
        let parents = match self.multiclasses.is_empty() || !self.random.one_in(4) {
            true => String::new(),
            false => {
                let (parent, parameters) = self.random.pick(&self.multiclasses).clone();
                let arguments = self.arguments(&parameters);
                format!(" : {parent}<{arguments}>").replace("<>", "")
            }
        };
        let was_inside = std::mem::replace(&mut self.inside_multiclass, true);
        let count = 1 + self.random.below(3);
        let children = (0..count).map(|_| self.statement(1)).collect();
        self.inside_multiclass = was_inside;
        self.scope.truncate(before);
        self.multiclasses.push((name.clone(), parameters));
        Node { head: format!("multiclass {name}{text}{parents} {{"), children, tail: "}" }
    }

    fn defm(&mut self) -> Node {
        if self.multiclasses.is_empty() {
            return self.def();
        }
        let (multiclass, parameters) = self.random.pick(&self.multiclasses).clone();
        let arguments = self.arguments(&parameters);
        let name = match self.random.below(6) {
            0 => String::new(),
            1 => "\"\" ".to_owned(),
            2 if self.inside_multiclass => "NAME ".to_owned(),
            _ => self.fresh("m") + " ",
        };
        let mut text = format!("defm {name}: {multiclass}");
        if !arguments.is_empty() {
            let _ = write!(text, "<{arguments}>");
        }
        if self.random.one_in(5) {
            let class = self.random.below(self.classes.len());
            let reference = self.class_reference(class);
            let _ = write!(text, ", {reference}");
        }
        Node::leaf(text + ";")
    }

    fn defset(&mut self) -> Node {
        let class = self.random.below(self.classes.len());
        let name = self.fresh("set");
        let spelled = self.classes[class].name.clone();
        let node = self.block(format!("defset list<{spelled}> {name} = {{"), 1);
        self.scope.push((name, Ty::List(Box::new(Ty::Class(class)))));
        node
    }

    // --- values -------------------------------------------------------------------------------------------

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(4) {
            return ["1", "0", "true", "false"][self.random.below(4)].to_owned();
        }
        match self.random.below(5) {
            0 => self.value(&Ty::Bit, depth - 1),
            1 => self.value(&Ty::Int, depth - 1),
            _ => self.comparison(depth - 1),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let ty = [Ty::Int, Ty::String, Ty::Bit, Ty::Bits(3)][self.random.below(4)].clone();
        let operator = ["eq", "ne", "lt", "le", "gt", "ge"][self.random.below(6)];
        let (a, b) = (self.value(&ty, depth), self.value(&ty, depth));
        format!("!{operator}({a}, {b})")
    }

    fn value(&mut self, ty: &Ty, depth: usize) -> String {
        if self.mistake() {
            return match self.random.below(4) {
                0 => ["?", "unknown", "op", "NAME", "\"txt\"", "[]", "{1, 0}", "(op)"][self.random.below(8)]
                    .to_owned(),
                _ => {
                    let other = self.ty(0);
                    self.value(&other, depth)
                }
            };
        }
        if self.random.one_in(60) {
            return "?".to_owned();
        }
        // A name of the right type, or a field of one.
        if self.random.one_in(3) {
            let known: Vec<String> =
                self.scope.iter().filter(|(_, own)| own == ty).map(|(name, _)| name.clone()).collect();
            if !known.is_empty() {
                return self.random.pick(&known).clone();
            }
        }
        if depth > 0 && self.random.one_in(8) {
            let places: Vec<(usize, String)> = (0..self.classes.len())
                .flat_map(|class| {
                    self.classes[class].fields.iter().map(move |(name, own)| (class, name, own))
                })
                .filter(|(_, _, own)| *own == ty)
                .map(|(class, name, _)| (class, name.clone()))
                .collect();
            if !places.is_empty() {
                let (class, field) = self.random.pick(&places).clone();
                let record = self.value(&Ty::Class(class), depth - 1);
                if !record.contains(['?', '#']) {
                    return format!("{record}.{field}");
                }
            }
        }
        if depth > 0 && self.random.one_in(3) {
            return self.general(ty, depth - 1);
        }
        match ty {
            Ty::Bit => self.bit(depth),
            Ty::Bits(width) => self.bits(*width, depth),
            Ty::Int => self.int(depth),
            Ty::String => self.string(depth),
            Ty::Code => ["[{ code }]", "[{}]", "\"plain\""][self.random.below(3)].to_owned(),
            Ty::Dag => self.dag(depth),
            Ty::List(element) => self.list(element, depth),
            Ty::Class(class) => self.record(*class, depth),
        }
    }

    /// Operators that give any type.
    fn general(&mut self, ty: &Ty, depth: usize) -> String {
        match self.random.below(7) {
            0 | 1 => {
                let (condition, a, b) = (self.condition(depth), self.value(ty, depth), self.value(ty, depth));
                format!("!if({condition}, {a}, {b})")
            }
            2 => {
                let (first, a, b) = (self.condition(depth), self.value(ty, depth), self.value(ty, depth));
                format!("!cond({first}: {a}, true: {b})")
            }
            3 => {
                let list = self.value(&Ty::List(Box::new(ty.clone())), depth);
                format!("!head({list})")
            }
            4 => {
                let list = self.value(&Ty::List(Box::new(ty.clone())), depth);
                if list.starts_with(['!', '[']) || list.contains(['#', '?']) {
                    format!("!head({list})")
                } else {
                    format!("{list}[0]")
                }
            }
            5 => {
                let element = self.ty(1);
                let list = self.value(&Ty::List(Box::new(element.clone())), depth);
                let start = self.value(ty, depth);
                let (a, b) = (self.fresh("acc"), self.fresh("it"));
                let before = self.scope.len();
                self.scope.extend([(a.clone(), ty.clone()), (b.clone(), element)]);
                let body = self.value(ty, depth);
                self.scope.truncate(before);
                format!("!foldl({start}, {list}, {a}, {b}, {body})")
            }
            _ => {
                let spelled = self.spelled(ty);
                let dag = self.value(&Ty::Dag, depth);
                match self.random.below(3) {
                    0 => format!("!getdagarg<{spelled}>({dag}, {})", self.random.below(2)),
                    1 => format!("!getdagarg<{spelled}>({dag}, \"a\")"),
                    _ => {
                        let value = self.value(ty, depth);
                        format!("!cast<{spelled}>({value})")
                    }
                }
            }
        }
    }

    fn bit(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(3) {
            return ["0", "1", "true", "false"][self.random.below(4)].to_owned();
        }
        let depth = depth - 1;
        match self.random.below(9) {
            0 => {
                let width = 1 + self.random.below(6);
                let (value, index) = (self.value(&Ty::Bits(width), depth), self.random.below(width));
                if value.contains(['?', '#']) { "1".to_owned() } else { format!("{value}{{{index}}}") }
            }
            1 => {
                let ty = self.ty(1);
                let list = self.value(&Ty::List(Box::new(ty)), depth);
                format!("!empty({list})")
            }
            2 => {
                let (a, b) = (self.condition(depth), self.condition(depth));
                let operator = ["and", "or", "xor"][self.random.below(3)];
                format!("!{operator}({a}, {b})")
            }
            3 => {
                let a = self.condition(depth);
                format!("!not({a})")
            }
            4 => {
                let (ty, other) = (self.ty(1), self.ty(1));
                let value = self.value(&ty, depth);
                format!("!isa<{}>({value})", self.spelled(&other))
            }
            5 => {
                let class = self.random.below(self.classes.len());
                let name = self.classes[class].name.clone();
                let value = self.value(&Ty::String, depth);
                format!("!exists<{name}>({value})")
            }
            6 => {
                let ty = self.ty(1);
                let value = self.value(&ty, depth);
                format!("!initialized({value})")
            }
            7 => {
                let value = self.value(&Ty::String, depth);
                let pattern = ["\"a\"", "\"^x\"", "\"[0-9]+\"", "\"a.*b$\""][self.random.below(4)];
                format!("!match({value}, {pattern})")
            }
            _ => self.comparison(depth),
        }
    }

    fn bits(&mut self, width: usize, depth: usize) -> String {
        match self.random.below(5) {
            0 => self.random.below(1 << width).to_string(),
            1 => format!("0b{:0width$b}", self.random.below(1 << width)),
            2 if depth > 0 => {
                let more = self.random.below(3);
                let value = self.value(&Ty::Bits(width + more), depth - 1);
                if value.contains(['?', '#']) || width < 2 {
                    return format!("0x{:x}", self.random.below(1 << width));
                }
                let low = self.random.below(more + 1);
                format!("{value}{{{}-{low}}}", low + width - 1)
            }
            _ => {
                let mut bits = Vec::new();
                for _ in 0..width {
                    let bit = if depth == 0 { self.random.below(2).to_string() } else { self.bit(depth - 1) };
                    bits.push(bit);
                }
                format!("{{{}}}", bits.join(", "))
            }
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(8) {
                0 => format!("-{}", self.random.below(20)),
                1 => format!("0x{:x}", self.random.below(1000)),
                2 => "9223372036854775807".to_owned(),
                _ => self.random.below(12).to_string(),
            };
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0..=3 => {
                let operators = ["add", "sub", "mul", "and", "or", "xor", "shl", "sra", "srl", "div"];
                let operator = operators[self.random.below(10)];
                let (a, b) = (self.value(&Ty::Int, depth), self.value(&Ty::Int, depth));
                match operator {
                    "add" | "mul" if self.random.one_in(3) => {
                        let c = self.value(&Ty::Int, depth);
                        format!("!{operator}({a}, {b}, {c})")
                    }
                    "shl" | "sra" | "srl" => format!("!{operator}({a}, {})", self.random.below(63)),
                    "div" => format!("!div({a}, {})", 1 + self.random.below(5)),
                    _ => format!("!{operator}({a}, {b})"),
                }
            }
            4 | 5 => {
                let ty = match self.random.below(3) {
                    0 => Ty::String,
                    1 => Ty::Dag,
                    _ => Ty::List(Box::new(self.ty(1))),
                };
                let value = self.value(&ty, depth);
                format!("!size({value})")
            }
            6 => {
                let (a, b) = (self.value(&Ty::String, depth), self.value(&Ty::String, depth));
                if self.random.one_in(2) { format!("!find({a}, {b})") } else { format!("!find({a}, {b}, 0)") }
            }
            7 => format!("!logtwo({})", 1 + self.random.below(100)),
            8 => {
                let width = 1 + self.random.below(8);
                let value = self.value(&Ty::Bits(width), depth);
                format!("!cast<int>({value})")
            }
            _ => self.random.below(300).to_string(),
        }
    }

    fn string(&mut self, depth: usize) -> String {
        const PLAIN: &[&str] =
            &["\"\"", "\"a\"", "\"b c\"", "\"x1\"", "\"A_b\"", "\"q\\\"t\\n\"", "\"one\" \"two\""];
        if depth == 0 || self.random.one_in(3) {
            return (*self.random.pick(PLAIN)).to_owned();
        }
        let depth = depth - 1;
        let ty = self.ty(1);
        match self.random.below(13) {
            0 | 1 => {
                let (a, b) = (self.value(&Ty::String, depth), self.value(&Ty::String, depth));
                format!("!strconcat({a}, {b})")
            }
            2 | 3 => {
                let (a, b) = (self.value(&Ty::String, depth), self.value(&ty, depth));
                format!("{a} # {b}")
            }
            4 => {
                let element = [Ty::String, Ty::Int, Ty::Bit, Ty::Bits(2)][self.random.below(4)].clone();
                let (list, between) =
                    (self.value(&Ty::List(Box::new(element)), depth), self.value(&Ty::String, depth));
                format!("!interleave({list}, {between})")
            }
            5 => {
                let text = self.value(&Ty::String, depth);
                format!("!subst(\"a\", \"zz\", {text})")
            }
            6 => {
                let text = self.value(&Ty::String, depth);
                match self.random.below(2) {
                    0 => format!("!substr({text}, {})", self.random.below(2)),
                    _ => format!("!substr({text}, 0, {})", self.random.below(4)),
                }
            }
            7 => {
                let text = self.value(&Ty::String, depth);
                format!("!{}({text})", ["tolower", "toupper"][self.random.below(2)])
            }
            8 => {
                let value = self.value(&ty, depth);
                format!("!repr({value})")
            }
            9 | 10 => {
                let value = self.value(&ty, depth);
                format!("!cast<string>({value})")
            }
            11 => {
                let dag = self.value(&Ty::Dag, depth);
                format!("!getdagname({dag}, 0)")
            }
            _ => {
                let dag = self.value(&Ty::Dag, depth);
                format!("!getdagopname({dag})")
            }
        }
    }

    fn list(&mut self, element: &Ty, depth: usize) -> String {
        let whole = Ty::List(Box::new(element.clone()));
        if depth == 0 || self.random.one_in(3) {
            let count = if self.random.one_in(8) { 0 } else { 1 + self.random.below(3) };
            let items: Vec<String> =
                (0..count).map(|_| self.value(element, depth.saturating_sub(1))).collect();
            let ty = if count == 0 || self.random.one_in(8) {
                format!("<{}>", self.spelled(element))
            } else {
                String::new()
            };
            return format!("[{}]{ty}", items.join(", "));
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => {
                let (a, b) = (self.value(&whole, depth), self.value(&whole, depth));
                format!("!listconcat({a}, {b})")
            }
            1 => {
                let (a, b) = (self.value(&whole, depth), self.value(&whole, depth));
                format!("{a} # {b}")
            }
            2 => {
                let value = self.value(element, depth);
                format!("!listsplat({value}, {})", self.random.below(4))
            }
            3 => {
                let (a, b) = (self.value(&whole, depth), self.value(&whole, depth));
                format!("!listremove({a}, {b})")
            }
            4 => {
                let list = self.value(&whole, depth);
                format!("!tail({list})")
            }
            5 => {
                let list = self.value(&Ty::List(Box::new(whole)), depth);
                format!("!listflatten({list})")
            }
            6 | 7 => {
                let from = self.ty(1);
                let list = self.value(&Ty::List(Box::new(from.clone())), depth);
                let variable = self.fresh("e");
                self.scope.push((variable.clone(), from));
                let body = self.value(element, depth);
                self.scope.pop();
                format!("!foreach({variable}, {list}, {body})")
            }
            8 | 9 => {
                let list = self.value(&whole, depth);
                let variable = self.fresh("e");
                self.scope.push((variable.clone(), element.clone()));
                let condition = self.condition(depth + 1);
                self.scope.pop();
                format!("!filter({variable}, {list}, {condition})")
            }
            10 => match element {
                Ty::Int => match self.random.below(3) {
                    0 => format!("!range({})", self.random.below(6)),
                    1 => format!("!range({}, {})", self.random.below(4), self.random.below(8)),
                    _ => {
                        let list = self.value(&whole, depth);
                        format!("!range({list})")
                    }
                },
                Ty::Class(class) => {
                    let name = self.classes[*class].name.clone();
                    format!("!instances<{name}>()")
                }
                _ => self.list(element, depth),
            },
            _ => {
                let list = self.value(&whole, depth);
                match list.starts_with('[') {
                    true => format!("{list}{}", ["[0,]", "[0...1]", "[0-0]", "[0, 0]"][self.random.below(4)]),
                    false => list,
                }
            }
        }
    }

    fn dag(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(2) {
            let operator = if self.random.one_in(4) { "op:$o" } else { "op" };
            let count = self.random.below(3);
            let mut arguments = Vec::new();
            for _ in 0..count {
                let ty = self.ty(1);
                let name = [":$a", ":$b", ":$c", "", ""][self.random.below(5)];
                let argument = match self.random.below(6) {
                    0 => "$a".to_owned(),
                    _ => self.value(&ty, depth.saturating_sub(1)) + name,
                };
                arguments.push(argument);
            }
            return format!("({operator} {})", arguments.join(", ")).replace(" )", ")");
        }
        let depth = depth - 1;
        let dag = self.value(&Ty::Dag, depth);
        match self.random.below(8) {
            0 | 1 => {
                let other = self.value(&Ty::Dag, depth);
                format!("!con({dag}, {other})")
            }
            2 => {
                let ty = self.ty(1);
                let (a, b) = (self.value(&ty, depth), self.value(&ty, depth));
                let names = ["[\"a\", ?]", "?", "[\"a\", \"b\"]"][self.random.below(3)];
                format!("!dag(op, [{a}, {b}], {names})")
            }
            3 => {
                let ty = self.ty(1);
                let value = self.value(&ty, depth);
                let index = ["0", "1", "\"a\""][self.random.below(3)];
                format!("!setdagarg({dag}, {index}, {value})")
            }
            4 => format!("!setdagname({dag}, {}, \"n\")", self.random.below(2)),
            5 => format!("!setdagop({dag}, op)"),
            6 => format!("!setdagopname({dag}, \"on\")"),
            _ => {
                let variable = self.fresh("e");
                format!("!foreach({variable}, {dag}, !subst(op, op, {variable}))")
            }
        }
    }

    fn record(&mut self, class: usize, depth: usize) -> String {
        let fitting: Vec<String> = self
            .defs
            .iter()
            .filter(|(_, own)| *own == class || self.classes[*own].ancestors.contains(&class))
            .map(|(name, _)| name.clone())
            .collect();
        if !fitting.is_empty() && self.random.one_in(2) {
            return self.random.pick(&fitting).clone();
        }
        if !fitting.is_empty() && self.random.one_in(4) {
            let (name, spelled) = (self.random.pick(&fitting).clone(), self.classes[class].name.clone());
            return format!("!cast<{spelled}>(\"{name}\")");
        }
        if depth == 0 && !fitting.is_empty() {
            return self.random.pick(&fitting).clone();
        }
        let Class { name, parameters, .. } = self.classes[class].clone();
        if depth == 0 && !parameters.iter().all(|(_, _, has_default)| *has_default) {
            let values: Vec<&str> = parameters
                .iter()
                .map(|(_, ty, _)| match ty {
                    Ty::Bit | Ty::Bits(_) | Ty::Int => "1",
                    Ty::String | Ty::Code => "\"s\"",
                    Ty::Dag => "(op)",
                    Ty::List(_) => "[]",
                    Ty::Class(_) => "?",
                })
                .collect();
            return format!("{name}<{}>", values.join(", "));
        }
        let arguments = if depth == 0 { String::new() } else { self.arguments(&parameters) };
        format!("{name}<{arguments}>")
    }
}
