//! Random values: those of any type, numbers and strings.

use super::{Author, Ty};

impl Author {
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(4) {
            return ["1", "0", "true", "false"][self.random.below(4)].to_owned();
        }
        match self.random.below(6) {
            0 => self.value(&Ty::Bit, depth - 1),
            1 => self.value(&Ty::Int, depth - 1),
            2 => self.bit(depth - 1),
            _ => self.comparison(depth - 1),
        }
    }

    pub(super) fn comparison(&mut self, depth: usize) -> String {
        let types = [Ty::Int, Ty::String, Ty::Bit, Ty::Bits(3), Ty::Code, Ty::Class(0), Ty::Dag];
        // The last ones only sometimes have an order or equality.
        let most = if self.random.one_in(6) { types.len() } else { 5 };
        let ty = types[self.random.below(most)].clone();
        let operator = ["eq", "ne", "lt", "le", "gt", "ge"][self.random.below(6)];
        let (a, b) = (self.value(&ty, depth), self.value(&ty, depth));
        format!("!{operator}({a}, {b})")
    }

    pub(super) fn value(&mut self, ty: &Ty, depth: usize) -> String {
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
            let is_meant =
                |at: usize, name: &str| self.scope[at + 1..].iter().all(|(later, _)| later != name);
            let known: Vec<String> = (self.scope.iter().enumerate())
                .filter(|(at, (name, own))| own == ty && is_meant(*at, name))
                .map(|(_, (name, _))| name.clone())
                .collect();
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
            Ty::Code if depth > 0 && self.random.one_in(3) => self.string(depth - 1),
            Ty::Code => {
                ["[{ code }]", "[{}]", "\"plain\"", "[{ a\n \"b\" }]"][self.random.below(4)].to_owned()
            }
            Ty::Dag => self.dag(depth),
            Ty::List(element) => self.list(element, depth),
            Ty::Class(class) => self.record(*class, depth),
        }
    }

    /// Operators whose result may have any type.
    pub(super) fn general(&mut self, ty: &Ty, depth: usize) -> String {
        match self.random.below(9) {
            7 => {
                let (a, b, value) = (self.value(ty, 0), self.value(ty, 0), self.value(ty, depth));
                format!("!subst({a}, {b}, {value})")
            }
            8 => {
                let list = self.value(&Ty::List(Box::new(ty.clone())), depth);
                let index = self.value(&Ty::Int, 0);
                match list.starts_with(['!', '[']) || list.contains(['#', '?']) {
                    true => format!("!head({list})"),
                    false => format!("{list}[{index}]"),
                }
            }
            0 | 1 => {
                let (condition, a, b) = (self.condition(depth), self.value(ty, depth), self.value(ty, depth));
                format!("!if({condition}, {a}, {b})")
            }
            2 => {
                let (first, a, b) = (self.condition(depth), self.value(ty, depth), self.value(ty, depth));
                if self.random.one_in(3) {
                    let (second, c) = (self.condition(depth), self.value(ty, depth));
                    return format!("!cond({first}: {a}, {second}: {c}, true: {b})");
                }
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
                let (a, b) = (self.name_of_value("acc"), self.name_of_value("it"));
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

    pub(super) fn bit(&mut self, depth: usize) -> String {
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
                if self.random.one_in(3) {
                    let c = self.condition(depth);
                    return format!("!{operator}({a}, {b}, {c})");
                }
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
                const PATTERNS: &[&str] = &[
                    "\"a\"",
                    "\"^x\"",
                    "\"[0-9]+\"",
                    "\"a.*b$\"",
                    "\"\"",
                    "\"(a|b)c?\"",
                    "\"[^a-z]\"",
                    "\"[[:alpha:]]+1\"",
                    "\"a{2}\"",
                    "\"\\\\.\"",
                    "\"(\"",
                    "\"*\"",
                ];
                let (value, pattern) = (self.value(&Ty::String, depth), *self.random.pick(PATTERNS));
                format!("!match({value}, {pattern})")
            }
            _ => self.comparison(depth),
        }
    }

    pub(super) fn bits(&mut self, width: usize, depth: usize) -> String {
        match self.random.below(5) {
            0 => self.random.below(1 << width.min(40)).to_string(),
            1 => format!("0b{:0width$b}", self.random.below(1 << width.min(40))),
            2 if depth > 0 => {
                let more = self.random.below(3);
                let value = self.value(&Ty::Bits(width + more), depth - 1);
                if value.contains(['?', '#']) || width < 2 {
                    return format!("0x{:x}", self.random.below(1 << width.min(40)));
                }
                let low = self.random.below(more + 1);
                let high = low + width - 1;
                match self.random.below(4) {
                    0 => format!("{value}{{{low}-{high}}}"),
                    1 => format!("{value}{{{high}, {}...{low}}}", high - 1),
                    _ => format!("{value}{{{high}-{low}}}"),
                }
            }
            _ => {
                let mut bits = Vec::new();
                for _ in 0..width {
                    let is_plain = depth == 0 || width > 12 || self.random.one_in(3);
                    let bit = if is_plain { self.random.below(2).to_string() } else { self.bit(depth - 1) };
                    bits.push(if self.random.one_in(40) { "?".to_owned() } else { bit });
                }
                format!("{{{}}}", bits.join(", "))
            }
        }
    }

    pub(super) fn int(&mut self, depth: usize) -> String {
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
                let operators =
                    ["add", "sub", "mul", "and", "or", "xor", "shl", "sra", "srl", "div", "mul", "srl"];
                let operator = operators[self.random.below(12)];
                let (a, b) = (self.value(&Ty::Int, depth), self.value(&Ty::Int, depth));
                match operator {
                    "add" | "mul" if self.random.one_in(3) => {
                        let c = self.value(&Ty::Int, depth);
                        format!("!{operator}({a}, {b}, {c})")
                    }
                    "shl" | "sra" | "srl" if !self.random.one_in(8) => {
                        format!("!{operator}({a}, {})", self.random.below(63))
                    }
                    "div" if !self.random.one_in(8) => format!("!div({a}, {})", 1 + self.random.below(5)),
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
                match self.random.below(3) {
                    0 => format!("!find({a}, {b}, {})", self.random.below(3)),
                    _ => format!("!find({a}, {b})"),
                }
            }
            7 if self.random.one_in(4) => {
                let value = self.value(&Ty::Int, depth);
                format!("!logtwo({value})")
            }
            7 => format!("!logtwo({})", 1 + self.random.below(100)),
            8 => {
                let ty = [Ty::Bits(1 + self.random.below(8)), Ty::Bit, Ty::Int][self.random.below(3)].clone();
                let value = self.value(&ty, depth);
                format!("!cast<int>({value})")
            }
            9 => {
                let condition = self.condition(depth);
                format!("!not({condition})")
            }
            _ => self.random.below(300).to_string(),
        }
    }

    pub(super) fn string(&mut self, depth: usize) -> String {
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
                if self.random.one_in(4) {
                    let c = self.value(&Ty::Code, depth);
                    return format!("!strconcat({a}, {b}, {c})");
                }
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
                let (from, text) =
                    (*self.random.pick(&["\"a\"", "\"x1\"", "\"\\n\""]), self.value(&Ty::String, depth));
                let to = self.value(&Ty::String, 0);
                format!("!subst({from}, {to}, {text})")
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
                format!("!getdagname({dag}, {})", self.random.below(2))
            }
            _ => {
                let dag = self.value(&Ty::Dag, depth);
                format!("!getdagopname({dag})")
            }
        }
    }
}
