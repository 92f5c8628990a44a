//! Evaluates the conditions of `if`, as far as they can be decided.

use super::{
    regex,
    syntax::{Argument, Form},
};

/// The facts that the build files and the sources alone decide.
pub(super) trait Facts {
    /// Returns the value of a variable; the inner `None` is for one that has none, the outer for one that is not known.
    fn value(&self, name: &str) -> Option<Option<String>>;
    /// Returns true for an unknown variable that neither the build files nor packages set.
    fn is_never_set(&self, name: &str) -> bool;
    /// Expands an argument; an unknown variable stays as written.
    fn expand(&self, argument: &Argument) -> String;
    /// Returns true if there is a file or a folder.
    fn exists(&self, path: &str) -> Option<bool>;
    /// Returns true if there is a folder.
    fn is_folder(&self, path: &str) -> Option<bool>;
    /// Returns true if there is a target.
    fn is_target(&self, name: &str) -> Option<bool>;
    /// Returns true if there is a command.
    fn is_command(&self, name: &str) -> Option<bool>;
}

/// Returns the value of a condition; `None` if it depends on something unknown.
pub(super) fn holds(arguments: &[Argument], facts: &dyn Facts) -> Option<bool> {
    let words =
        arguments.iter().map(|argument| (facts.expand(argument), argument.form != Form::Plain)).collect();
    let mut test = Test { words, at: 0, facts, depth: 0 };
    let answer = test.any();
    if test.at == test.words.len() { answer } else { None }
}

struct Test<'v> {
    /// The words, each with true if it was quoted.
    words: Vec<(String, bool)>,
    at: usize,
    facts: &'v dyn Facts,
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
        for word in
            ["EXISTS", "IS_DIRECTORY", "IS_ABSOLUTE", "TARGET", "COMMAND", "POLICY", "DEFINED", "TEST"]
        {
            // Before an operator, the word is a value.
            let is_value =
                self.words.get(self.at + 1).is_none_or(|(next, is_quoted)| !is_quoted && next == ")");
            if !is_value && self.take(word) {
                let (value, _) = self.words.get(self.at)?.clone();
                self.at += 1;
                return self.unary(word, &value);
            }
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
        let value = |word: String, is_quoted: bool| match self.facts.value(&word) {
            Some(Some(value)) if !is_quoted => value,
            _ => word,
        };
        let left = value(left, is_quoted);
        if compare == "IN_LIST" {
            let list = self.facts.value(&right)?.unwrap_or_default();
            let is_known = !left.contains("${") && !list.contains("${");
            return is_known.then(|| list.split(';').any(|element| element == left));
        }
        // A regular expression is no name of a variable.
        let right = if compare == "MATCHES" { right } else { value(right, right_is_quoted) };
        if left.contains("${") || right.contains("${") {
            return None;
        }
        if compare == "MATCHES" {
            return regex::compile(&right).map(|expression| expression.is_match(&left));
        }
        compared(&compare, &left, &right)
    }

    fn unary(&self, word: &str, value: &str) -> Option<bool> {
        if value.contains("${") {
            return None;
        }
        match word {
            "EXISTS" => self.facts.exists(value),
            "IS_DIRECTORY" => self.facts.is_folder(value),
            "IS_ABSOLUTE" => Some(value.starts_with('/')),
            "TARGET" => self.facts.is_target(value),
            "COMMAND" => self.facts.is_command(&value.to_ascii_lowercase()),
            "DEFINED" => match self.facts.value(value) {
                Some(value) => Some(value.is_some()),
                None => self.facts.is_never_set(value).then_some(false),
            },
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
        match self.facts.value(word)? {
            Some(value) => Some(constant(&value).unwrap_or(true)),
            None => Some(false),
        }
    }
}

/// Compares two values; `None` for an operator that is not worked out.
fn compared(operator: &str, left: &str, right: &str) -> Option<bool> {
    let (start, how) = match operator {
        "PATH_EQUAL" => ("STR", "EQUAL"),
        operator => ["STR", "VERSION_", ""]
            .into_iter()
            .find_map(|start| Some((start, operator.strip_prefix(start)?)))?,
    };
    let order = match start {
        "STR" => left.cmp(right),
        "VERSION_" => version(left)?.cmp(&version(right)?),
        _ => left.parse::<f64>().ok()?.partial_cmp(&right.parse::<f64>().ok()?)?,
    };
    match how {
        "EQUAL" => Some(order.is_eq()),
        "LESS" => Some(order.is_lt()),
        "GREATER" => Some(order.is_gt()),
        "LESS_EQUAL" => Some(order.is_le()),
        "GREATER_EQUAL" => Some(order.is_ge()),
        _ => None,
    }
}

/// Returns the parts of a version, without zeros at its end.
fn version(text: &str) -> Option<Vec<u64>> {
    let parts: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
    let mut parts = parts?;
    while parts.last() == Some(&0) {
        parts.pop();
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::super::syntax;
    use super::*;

    /// A variable with a value, one that is off, one that has none; a file, a folder, a target and a function.
    struct Example;

    impl Facts for Example {
        fn value(&self, name: &str) -> Option<Option<String>> {
            match name {
                "SET" => Some(Some("value".to_owned())),
                "OFF_ONE" => Some(Some("OFF".to_owned())),
                "LIST" => Some(Some("a;b".to_owned())),
                "NONE" => Some(None),
                _ => None,
            }
        }
        fn is_never_set(&self, name: &str) -> bool {
            name == "NEVER"
        }
        fn expand(&self, argument: &Argument) -> String {
            argument.text.clone()
        }
        fn exists(&self, path: &str) -> Option<bool> {
            path.strip_prefix("/s/").map(|path| matches!(path, "file" | "folder"))
        }
        fn is_folder(&self, path: &str) -> Option<bool> {
            path.strip_prefix("/s/").map(|path| path == "folder")
        }
        fn is_target(&self, name: &str) -> Option<bool> {
            (!name.contains("::")).then_some(name == "own")
        }
        fn is_command(&self, name: &str) -> Option<bool> {
            (name == "own").then_some(true)
        }
    }

    #[test]
    fn decided_and_undecided() {
        for (test, expected) in [
            ("SET", Some(true)),
            ("OFF_ONE", Some(false)),
            ("NOT OFF_ONE", Some(true)),
            ("NONE", Some(false)),
            ("UNKNOWN", None),
            ("UNKNOWN AND OFF_ONE", Some(false)),
            ("UNKNOWN OR SET", Some(true)),
            ("SET STREQUAL \"value\"", Some(true)),
            ("(SET STREQUAL other) OR (1 AND NOT 0)", Some(true)),
            ("DEFINED SET", Some(true)),
            ("DEFINED NONE", Some(false)),
            ("NOT DEFINED NONE AND SET", Some(true)),
            ("DEFINED UNKNOWN", None),
            ("NOT DEFINED NEVER", Some(true)),
            ("EXISTS /s/file", Some(true)),
            ("NOT EXISTS \"/s/none\"", Some(true)),
            ("EXISTS /x", None),
            ("EXISTS ${UNKNOWN}/x", None),
            ("IS_DIRECTORY /s/file", Some(false)),
            ("IS_DIRECTORY /s/folder AND IS_ABSOLUTE /s", Some(true)),
            ("TARGET own", Some(true)),
            ("TARGET other", Some(false)),
            ("TARGET a::b", None),
            ("COMMAND Own", Some(true)),
            ("COMMAND other", None),
            ("a IN_LIST LIST", Some(true)),
            ("c IN_LIST LIST", Some(false)),
            ("a IN_LIST UNKNOWN", None),
            ("3 LESS 4", Some(true)),
            ("3 GREATER_EQUAL 4", Some(false)),
            ("1.9 VERSION_LESS 1.10.0", Some(true)),
            ("22 VERSION_EQUAL 22.0", Some(true)),
            ("LLVM_VERSION VERSION_LESS 2", None),
            ("a MATCHES b", Some(false)),
            (r#""foo.td" MATCHES "(.*)[.]td$""#, Some(true)),
            (r#""foo.td" MATCHES "(""#, None),
            ("EXISTS", None),
            ("", None),
        ] {
            let (commands, _) = syntax::commands(&format!("if({test})"));
            assert_eq!(holds(&commands[0].arguments, &Example), expected, "{test}");
        }
    }
}
