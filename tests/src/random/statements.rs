//! Random statements.

use std::fmt::Write as _;

use super::{Author, Class, Node, Ty};

impl Author {
    pub(super) fn statement(&mut self, depth: usize) -> Node {
        if self.random.one_in(25) {
            return self.conditional(depth);
        }
        if depth == 0 && self.multiclasses.len() < 2 && self.random.one_in(5) {
            return self.multiclass();
        }
        if !self.multiclasses.is_empty() && self.random.one_in(4) {
            return self.defm();
        }
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
            8 | 9 => self.foreach(depth),
            11 | 12 => self.if_statement(depth),
            10 | 13 | 14 => self.let_statement(depth),
            15..=17 if depth == 0 => self.class(),
            18..=20 if depth == 0 => self.multiclass(),
            21 if depth == 0 => self.defset(),
            22 if depth == 0 => {
                let (name, ty) = (self.fresh("Alias"), self.ty(0));
                let text = format!("deftype {name} = {};", self.spelled(&ty));
                self.aliases.push((name, ty));
                Node::leaf(text)
            }
            23 if depth == 0 => self.recursive_class(),
            _ => self.def(),
        }
    }

    /// Statements between directives of the preprocessor.
    fn conditional(&mut self, depth: usize) -> Node {
        let name = ["A", "B"][self.random.below(2)];
        let directive = match self.random.below(6) {
            0 => return Node::leaf(format!("#define {name}")),
            1 | 2 => "#ifdef",
            _ => "#ifndef",
        };
        let before = self.clone();
        let first = self.statement(depth + 1);
        let head = format!("{directive} {name}{}", ["", " // why", " /* why */"][self.random.below(3)]);
        if self.random.one_in(2) {
            // Only one of the two branches is read.
            *self = Author { random: self.random.clone(), counter: self.counter, ..before };
            let other = self.statement(depth + 1);
            let children = vec![first, Node::leaf("#else".to_owned()), other];
            return Node { head, children, tail: "#endif" };
        }
        Node { head, children: vec![first], tail: "#endif" }
    }

    /// A class that instantiates itself until its argument ends the recursion.
    fn recursive_class(&mut self) -> Node {
        let name = self.fresh("Rec");
        let element = self.ty(1);
        let spelled = self.spelled(&element);
        self.scope.push(("n".to_owned(), Ty::Int));
        let item = self.value(&element, 1);
        self.scope.pop();
        let rest = format!("!listconcat({name}<!sub(n, 1)>.all, [{item}])");
        let head =
            format!("class {name}<int n> {{ list<{spelled}> all = !if(!le(n, 0), []<{spelled}>, {rest}); }}");
        let fields = vec![("all".to_owned(), Ty::List(Box::new(element)))];
        // Deep recursion takes long.
        let parameters = vec![("n".to_owned(), Ty::Int, false)];
        self.classes.push(Class { name, parameters, fields, ancestors: Vec::new(), is_recursive: true });
        Node::leaf(head)
    }

    pub(super) fn block(&mut self, head: String, depth: usize) -> Node {
        let before = self.scope.len();
        let count = 1 + self.random.below(3);
        let children = (0..count).map(|_| self.statement(depth + 1)).collect();
        self.scope.truncate(before);
        Node { head, children, tail: "}" }
    }

    pub(super) fn foreach(&mut self, depth: usize) -> Node {
        let name = self.name_of_value("i");
        let before = self.scope.len();
        let (list, ty) = match self.random.below(2) {
            0 => {
                let lists = [
                    "0-2",
                    "1...3",
                    "{0-1, 3}",
                    "{2, 0}",
                    "2-0",
                    "{0...1}",
                    "!range(1, 3)",
                    "-1...1",
                    "{-1, 2}",
                ];
                (lists[self.random.below(9)].to_owned(), Ty::Int)
            }
            _ => {
                let ty = self.ty(1);
                (self.value(&Ty::List(Box::new(ty.clone())), 2), ty)
            }
        };
        self.scope.push((name.clone(), ty));
        let node = match self.random.one_in(4) {
            true => {
                let statement = self.statement(depth + 1);
                Node { head: format!("foreach {name} = {list} in"), children: vec![statement], tail: "" }
            }
            false => self.block(format!("foreach {name} = {list} in {{"), depth),
        };
        self.scope.truncate(before);
        node
    }

    pub(super) fn if_statement(&mut self, depth: usize) -> Node {
        let condition = self.condition(2);
        if self.random.one_in(5) {
            // One statement without braces, sometimes with another one for `else`.
            let statement = self.statement(depth + 1);
            let mut parts =
                vec![Node { head: format!("if {condition} then"), children: vec![statement], tail: "" }];
            if self.random.one_in(2) {
                let other = self.statement(depth + 1);
                parts.push(Node { head: "else".to_owned(), children: vec![other], tail: "" });
            }
            return Node { head: String::new(), children: parts, tail: "" };
        }
        let mut node = self.block(format!("if {condition} then {{"), depth);
        if self.random.one_in(2) {
            let otherwise = if depth < 2 {
                let condition = self.condition(2);
                format!("else if {condition} then {{")
            } else {
                "else {".to_owned()
            };
            let other = self.block(otherwise, depth);
            node.tail = "}";
            return Node { head: String::new(), children: vec![node, other], tail: "" };
        }
        node.tail = "}";
        node
    }

    pub(super) fn let_statement(&mut self, depth: usize) -> Node {
        let mut bindings = self.let_binding();
        if self.random.one_in(4) {
            let another = self.let_binding();
            let _ = write!(bindings, ", {another}");
        }
        if self.random.one_in(4) {
            let statement = self.statement(depth + 1);
            return Node { head: format!("let {bindings} in"), children: vec![statement], tail: "" };
        }
        self.block(format!("let {bindings} in {{"), depth)
    }

    fn let_binding(&mut self) -> String {
        let mut class = self.random.below(self.classes.len());
        let is_bits = |(_, ty): &(String, Ty)| matches!(ty, Ty::Bits(_));
        if let Some(found) = self.classes.iter().position(|class| class.fields.iter().any(is_bits))
            && !self.random.one_in(3)
        {
            class = found;
        }
        let fields = self.classes[class].fields.clone();
        self.binding_of(&fields, false)
    }

    fn binding_of(&mut self, fields: &[(String, Ty)], is_in_body: bool) -> String {
        if fields.is_empty() {
            return "nothing = 0".to_owned();
        }
        let mut field = self.random.pick(fields);
        let bits: Vec<_> = fields.iter().filter(|(_, ty)| matches!(ty, Ty::Bits(_))).collect();
        if !bits.is_empty() && !self.random.one_in(3) {
            field = self.random.pick::<&(String, Ty)>(&bits);
        }
        let (name, ty) = field.clone();
        if let Ty::Bits(width) = ty
            && !self.random.one_in(4)
        {
            let high = self.random.below(width);
            let low = self.random.below(high + 1);
            let depth = if is_in_body { 2 } else { self.random.below(2) };
            let value = self.value(&Ty::Bits(high - low + 1), depth);
            let (open, close) = if is_in_body { ('{', '}') } else { ('<', '>') };
            let dash = if self.random.one_in(2) { "-" } else { "..." };
            let (first, last) = if self.random.one_in(5) { (low, high) } else { (high, low) };
            return format!("{name}{open}{first}{dash}{last}{close} = {value}");
        }
        let value = self.value(&ty, 2);
        format!("{name} = {value}")
    }

    pub(super) fn defvar(&mut self) -> Node {
        let (name, ty) = (self.name_of_value("v"), self.ty(0));
        let value = self.value(&ty, 3);
        self.scope.push((name.clone(), ty));
        Node::leaf(format!("defvar {name} = {value};"))
    }

    pub(super) fn parameters(&mut self) -> (String, Vec<(String, Ty, bool)>) {
        let count = self.random.below(4);
        let mut parameters = Vec::new();
        let mut text = Vec::new();
        for _ in 0..count {
            let (name, ty) = (self.name_of_value("p"), self.ty(0));
            let has_default = self.random.one_in(3) || parameters.last().is_some_and(|(_, _, has)| *has);
            let mut one = format!("{} {name}", self.spelled(&ty));
            if has_default {
                let is_name = ty == Ty::String && self.random.one_in(12);
                let value = if is_name { "NAME".to_owned() } else { self.value(&ty, 2) };
                let _ = write!(one, " = {value}");
            }
            text.push(one);
            self.scope.push((name.clone(), ty.clone()));
            parameters.push((name, ty, has_default));
        }
        let text = if text.is_empty() { String::new() } else { format!("<{}>", text.join(", ")) };
        (text, parameters)
    }

    pub(super) fn class(&mut self) -> Node {
        let name = self.fresh("C");
        let before = self.scope.len();
        let (text, parameters) = self.parameters();
        let (superclasses, mut fields, ancestors) = self.superclasses(2);
        let children = self.body(&mut fields);
        self.scope.truncate(before);
        let start = if self.random.one_in(12) { format!("class {name}; ") } else { String::new() };
        let head = format!("{start}class {name}{text}{superclasses} {{");
        self.classes.push(Class { name, parameters, fields, ancestors, is_recursive: false });
        Node { head, children, tail: "}" }
    }

    pub(super) fn superclasses(&mut self, most: usize) -> (String, Vec<(String, Ty)>, Vec<usize>) {
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

    pub(super) fn class_reference(&mut self, class: usize) -> String {
        let Class { name, parameters, is_recursive, .. } = self.classes[class].clone();
        if is_recursive {
            return format!("{name}<{}>", self.random.below(4));
        }
        let arguments = self.arguments(&parameters);
        if arguments.is_empty() && self.random.one_in(2) { name } else { format!("{name}<{arguments}>") }
    }

    pub(super) fn arguments(&mut self, parameters: &[(String, Ty, bool)]) -> String {
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
        // Named arguments may come in any order.
        let first_named = texts.len() - texts.iter().rev().take_while(|text| text.contains(" = ")).count();
        if texts.len() > first_named + 1 && self.random.one_in(2) {
            texts[first_named..].reverse();
        }
        texts.join(", ")
    }

    pub(super) fn body(&mut self, fields: &mut Vec<(String, Ty)>) -> Vec<Node> {
        self.scope.extend(fields.iter().cloned());
        let count = self.random.below(5);
        let mut children = Vec::new();
        for _ in 0..count {
            match self.random.below(12) {
                0 | 1 if !fields.is_empty() => {
                    let binding = self.binding_of(fields, true);
                    children.push(Node::leaf(format!("let {binding};")));
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
                    let (name, mut ty) = (self.name_of_value("f"), self.ty(0));
                    if self.random.one_in(6) {
                        ty = Ty::Bits(2 + self.random.below(6));
                    }
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

    pub(super) fn def(&mut self) -> Node {
        let is_in_loop = !self.scope.is_empty();
        let plain = self.fresh("d");
        let name = match self.random.below(6) {
            0 => String::new(),
            1 if is_in_loop => {
                let tail = self.value(&Ty::String, 1);
                format!(" {plain} # {tail}")
            }
            2 if self.inside_multiclass => match self.random.below(5) {
                0 => " \"\"".to_owned(),
                1 => " NAME".to_owned(),
                2 => format!(" \"{plain}_\" # NAME"),
                3 => format!(" !strconcat(NAME, \"{plain}\")"),
                _ => format!(" NAME # \"_{plain}\""),
            },
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

    pub(super) fn multiclass(&mut self) -> Node {
        let name = self.fresh("M");
        let before = self.scope.len();
        let (text, parameters) = self.parameters();
        let mut parents = Vec::new();
        while !self.multiclasses.is_empty() && parents.len() < 2 && !self.random.one_in(3) {
            let (parent, parameters) = self.random.pick(&self.multiclasses).clone();
            let arguments = self.arguments(&parameters);
            parents.push(format!("{parent}<{arguments}>").replace("<>", ""));
        }
        let parents = if parents.is_empty() { String::new() } else { format!(" : {}", parents.join(", ")) };
        let was_inside = std::mem::replace(&mut self.inside_multiclass, true);
        let count = 1 + self.random.below(3);
        let children = (0..count).map(|_| self.statement(1)).collect();
        self.inside_multiclass = was_inside;
        self.scope.truncate(before);
        self.multiclasses.push((name.clone(), parameters));
        Node { head: format!("multiclass {name}{text}{parents} {{"), children, tail: "}" }
    }

    pub(super) fn defm(&mut self) -> Node {
        if self.multiclasses.is_empty() {
            return self.def();
        }
        let (multiclass, parameters) = self.random.pick(&self.multiclasses).clone();
        let arguments = self.arguments(&parameters);
        let name = match self.random.below(6) {
            0 => String::new(),
            1 => "\"\" ".to_owned(),
            2 if self.inside_multiclass => "NAME ".to_owned(),
            3 if self.inside_multiclass => format!("\"_{}\" # NAME ", self.fresh("m")),
            kind => {
                let plain = self.fresh("m");
                let variable = self.scope.iter().rev().find(|(_, ty)| matches!(ty, Ty::Int | Ty::String));
                match variable.filter(|_| kind > 3) {
                    Some((variable, _)) => format!("{plain} # {variable} "),
                    None => plain + " ",
                }
            }
        };
        let mut text = format!("defm {name}: {multiclass}");
        if !arguments.is_empty() {
            let _ = write!(text, "<{arguments}>");
        }
        if self.random.one_in(8) {
            let (another, parameters) = self.random.pick(&self.multiclasses).clone();
            let arguments = self.arguments(&parameters);
            let _ = write!(text, ", {another}<{arguments}>");
        }
        if self.random.one_in(5) {
            let class = self.random.below(self.classes.len());
            let reference = self.class_reference(class);
            let _ = write!(text, ", {reference}");
        }
        Node::leaf(text + ";")
    }

    pub(super) fn defset(&mut self) -> Node {
        let class = self.random.below(self.classes.len());
        let name = self.fresh("set");
        let spelled = self.classes[class].name.clone();
        let node = self.block(format!("defset list<{spelled}> {name} = {{"), 1);
        self.scope.push((name, Ty::List(Box::new(Ty::Class(class)))));
        node
    }
}
