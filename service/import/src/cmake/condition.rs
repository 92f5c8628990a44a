//! Evaluates the conditions of `if`, as far as they can be decided.

use super::syntax::{Argument, Form};

/// Returns the value of a condition; `None` if it depends on something unknown.
pub(super) fn holds(
    arguments: &[Argument],
    variable: &dyn Fn(&str) -> Option<String>,
    expand: &dyn Fn(&Argument) -> String,
) -> Option<bool> {
    let words = arguments.iter().map(|argument| (expand(argument), argument.form != Form::Plain)).collect();
    let mut test = Test { words, at: 0, variable, depth: 0 };
    let answer = test.any();
    if test.at == test.words.len() { answer } else { None }
}

struct Test<'v> {
    /// The words, each with true if it was quoted.
    words: Vec<(String, bool)>,
    at: usize,
    variable: &'v dyn Fn(&str) -> Option<String>,
    depth: usize,
}

impl Test<'_> {
    fn take(&mut self, word: &str) -> bool {
        let is_it = self.words.get(self.at).is_some_and(|(known, is_quoted)| known == word && !is_quoted);
        self.at += usize::from(is_it);
        is_it
    }

    fn any(&mut self) -> Option<bool> {
        self.chain("OR", true, Self::all)
    }

    fn all(&mut self) -> Option<bool> {
        self.chain("AND", false, Self::one)
    }

    /// Reads operands with an operator between them; one operand may decide the answer alone.
    fn chain(&mut self, op: &str, decides: bool, operand: fn(&mut Self) -> Option<bool>) -> Option<bool> {
        let mut answer = operand(self);
        while self.take(op) {
            let next = operand(self);
            let is_decided = answer == Some(decides) || next == Some(decides);
            answer = if is_decided { Some(decides) } else { answer.and(next) };
        }
        answer
    }

    fn one(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        let answer = self.one_below();
        self.depth -= 1;
        answer
    }

    fn one_below(&mut self) -> Option<bool> {
        if self.take("NOT") {
            return self.one().map(|answer| !answer);
        }
        if self.take("(") {
            let answer = self.any();
            return if self.take(")") { answer } else { None };
        }
        if ["EXISTS", "TARGET", "COMMAND", "POLICY", "IS_DIRECTORY", "TEST"]
            .into_iter()
            .any(|word| self.take(word))
        {
            self.at += 1;
            return None;
        }
        if self.take("DEFINED") {
            let (name, _) = self.words.get(self.at)?.clone();
            self.at += 1;
            return (self.variable)(&name).map(|_| true);
        }
        let (left, is_quoted) = self.words.get(self.at)?.clone();
        self.at += 1;
        let compare = self.words.get(self.at).map(|(word, _)| word.clone()).unwrap_or_default();
        // `VERSION_LESS`, `IN_LIST` and so on: two values without an operator between them are an error of CMake.
        let is_operator = |char: char| char.is_ascii_uppercase() || char == '_';
        let is_comparison =
            !matches!(compare.as_str(), "" | "AND" | "OR") && compare.chars().all(is_operator);
        if !is_comparison {
            return self.truth(&left, is_quoted);
        }
        let (right, right_is_quoted) = self.words.get(self.at + 1)?.clone();
        self.at += 2;
        let value = |word: String, is_quoted: bool| match (self.variable)(&word) {
            Some(value) if !is_quoted => value,
            _ => word,
        };
        let (left, right) = (value(left, is_quoted), value(right, right_is_quoted));
        if left.contains("${") || right.contains("${") {
            return None;
        }
        let numbers = || left.parse::<i64>().ok().zip(right.parse::<i64>().ok());
        match compare.as_str() {
            "STREQUAL" | "PATH_EQUAL" => Some(left == right),
            "EQUAL" => numbers().map(|(left, right)| left == right),
            "LESS" => numbers().map(|(left, right)| left < right),
            "GREATER" => numbers().map(|(left, right)| left > right),
            _ => None,
        }
    }

    fn truth(&self, word: &str, is_quoted: bool) -> Option<bool> {
        let constant = |word: &str| match word.to_ascii_uppercase().as_str() {
            "1" | "ON" | "YES" | "TRUE" | "Y" => Some(true),
            "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND" | "" => Some(false),
            word if word.ends_with("-NOTFOUND") => Some(false),
            word => word.parse::<f64>().ok().map(|number| number != 0.0),
        };
        if word.contains("${") {
            return None;
        }
        if let Some(answer) = constant(word) {
            return Some(answer);
        }
        if is_quoted {
            return Some(false);
        }
        let value = (self.variable)(word)?;
        Some(constant(&value).unwrap_or(true))
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax;
    use super::*;

    #[test]
    fn decided_and_undecided() {
        let variable = |name: &str| match name {
            "SET" => Some("value".to_owned()),
            "OFF_ONE" => Some("OFF".to_owned()),
            _ => None,
        };
        for (test, expected) in [
            ("SET", Some(true)),
            ("OFF_ONE", Some(false)),
            ("NOT OFF_ONE", Some(true)),
            ("UNKNOWN", None),
            ("UNKNOWN AND OFF_ONE", Some(false)),
            ("UNKNOWN OR SET", Some(true)),
            ("SET STREQUAL \"value\"", Some(true)),
            ("(SET STREQUAL other) OR (1 AND NOT 0)", Some(true)),
            ("DEFINED SET", Some(true)),
            ("DEFINED UNKNOWN", None),
            ("EXISTS /x", None),
            ("3 LESS 4", Some(true)),
            ("1 VERSION_LESS 2", None),
            ("", None),
        ] {
            let (commands, _) = syntax::commands(&format!("if({test})"));
            let answer = holds(&commands[0].arguments, &variable, &|argument| argument.text.clone());
            assert_eq!(answer, expected, "{test}");
        }
    }
}
