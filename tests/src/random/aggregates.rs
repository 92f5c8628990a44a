//! Random lists, dags and records.

use super::{Author, Class, Ty};

impl Author {
    pub(super) fn list(&mut self, element: &Ty, depth: usize) -> String {
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
        // Few lists are of records, and only these can be lists of all instances.
        let kind =
            if matches!(element, Ty::Class(_)) && self.random.one_in(3) { 10 } else { self.random.below(12) };
        match kind {
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
                let variable = self.name_of_value("e");
                self.scope.push((variable.clone(), from));
                let body = self.value(element, depth);
                self.scope.pop();
                format!("!foreach({variable}, {list}, {body})")
            }
            8 | 9 => {
                let list = self.value(&whole, depth);
                let variable = self.name_of_value("e");
                self.scope.push((variable.clone(), element.clone()));
                let condition = self.condition(depth + 1);
                self.scope.pop();
                format!("!filter({variable}, {list}, {condition})")
            }
            10 => match element {
                Ty::Int => match self.random.below(4) {
                    3 => {
                        let (from, to, step) =
                            (self.random.below(6), self.random.below(6), self.random.below(5));
                        format!("!range({from}, {to}, {})", step as i64 - 2)
                    }
                    0 => format!("!range({})", self.random.below(6)),
                    1 => format!("!range({}, {})", self.random.below(4), self.random.below(8)),
                    _ => {
                        let list = self.value(&whole, depth);
                        format!("!range({list})")
                    }
                },
                Ty::Class(class) => {
                    let name = self.classes[*class].name.clone();
                    match self.random.below(4) {
                        0 => {
                            let pattern = self.value(&Ty::String, 0);
                            format!("!instances<{name}>({pattern})")
                        }
                        1 => format!("!instances<{name}>(\"d[0-9]$\")"),
                        _ => format!("!instances<{name}>()"),
                    }
                }
                _ => self.list(element, depth),
            },
            _ => {
                const SLICES: &[&str] = &[
                    "[0,]",
                    "[0...1]",
                    "[0-0]",
                    "[0, 0]",
                    "[1...0]",
                    "[0, 0-1]",
                    "[!range(1)]",
                    "[0, !range(2), 0]",
                ];
                let list = self.value(&whole, depth);
                match list.contains(['?', '#']) || list.starts_with('!') {
                    true => list,
                    false => format!("{list}{}", self.random.pick(SLICES)),
                }
            }
        }
    }

    pub(super) fn dag(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(2) {
            const OPERATORS: &[&str] = &[
                "op",
                "op",
                "op",
                "op:$o",
                "op2",
                "?",
                "!cast<Operator>(\"op\")",
                "!getdagop((op2 1))",
                "(op 1)",
            ];
            let operator = if self.random.one_in(3) { *self.random.pick(OPERATORS) } else { "op" };
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
                if self.random.one_in(4) {
                    return format!("!con({dag}, (op), {other})");
                }
                format!("!con({dag}, {other})")
            }
            2 => {
                let ty = self.ty(1);
                let (a, b) = (self.value(&ty, depth), self.value(&ty, depth));
                let names =
                    ["[\"a\", ?]", "?", "[\"a\", \"b\"]", "[?, ?]<string>", "[\"a\"]"][self.random.below(5)];
                let items = if self.random.one_in(4) { "?".to_owned() } else { format!("[{a}, {b}]") };
                format!("!dag(op, {items}, {names})")
            }
            3 => {
                let ty = self.ty(1);
                let value = self.value(&ty, depth);
                let index = ["0", "1", "\"a\""][self.random.below(3)];
                format!("!setdagarg({dag}, {index}, {value})")
            }
            4 => {
                let (index, name) = (["0", "1", "\"a\""][self.random.below(3)], self.value(&Ty::String, 0));
                format!("!setdagname({dag}, {index}, {name})")
            }
            5 => {
                let operators = ["op", "op2", "!getdagop((op2))", "!getdagop<Operator>((op))"];
                format!("!setdagop({dag}, {})", operators[self.random.below(4)])
            }
            6 => {
                let name = self.value(&Ty::String, 0);
                format!("!setdagopname({dag}, {name})")
            }
            _ => {
                let variable = self.name_of_value("e");
                let bodies = [
                    format!("!subst(op, op2, {variable})"),
                    format!("!subst(op2, op, {variable})"),
                    format!("!if(!isa<Operator>({variable}), op, {variable})"),
                    variable.clone(),
                ];
                format!("!foreach({variable}, {dag}, {})", bodies[self.random.below(4)])
            }
        }
    }

    pub(super) fn record(&mut self, class: usize, depth: usize) -> String {
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
            let (start, end) = name.split_at(name.len() / 2);
            return match self.random.below(3) {
                0 => format!("!cast<{spelled}>(\"{start}\" # \"{end}\")"),
                1 => format!("!cast<{spelled}>({name})"),
                _ => format!("!cast<{spelled}>(\"{name}\")"),
            };
        }
        if depth == 0 && !fitting.is_empty() {
            return self.random.pick(&fitting).clone();
        }
        let Class { name, parameters, is_recursive, .. } = self.classes[class].clone();
        if is_recursive {
            return format!("{name}<{}>", self.random.below(4));
        }
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
