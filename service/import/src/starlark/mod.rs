//! Parses and evaluates Bazel's files: the part of Starlark that build files and macros use.
//!
//! ```text
//! FLAGS = ["-gen-op-decls"]
//! gentbl_cc_library(name = "ops", tbl_outs = {"Ops.h.inc": FLAGS}, td_file = "Ops.td")
//! [gentbl_filegroup(name = name, …) for name in ["a", "b"]]
//! ```
//!
//! Functions of the project's own `.bzl` files are followed. An expression that is not evaluated has an unknown value,
//! which matters only if the value is used.

mod evaluate;
mod methods;
mod parser;
mod tokens;

use std::rc::Rc;

pub use evaluate::{Files, read};
use parser::Function;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
    /// A list or a tuple.
    List(Vec<Value>),
    /// A dictionary in its order.
    Dict(Vec<(Value, Value)>),
    /// `None`, `True` or `False`.
    Constant(&'static str),
    /// A function of a file that was read.
    Function(Closure),
    /// A name of a file that was not read: a rule, or another function.
    External(String),
    /// A value that could not be evaluated, with a description.
    Unknown(String),
}

/// A function with the file that defines it.
#[derive(Clone, Debug)]
pub struct Closure {
    function: Rc<Function>,
    /// The number of its file.
    module: usize,
}

impl PartialEq for Closure {
    fn eq(&self, other: &Closure) -> bool {
        Rc::ptr_eq(&self.function, &other.function)
    }
}

impl Eq for Closure {}

impl Value {
    const NONE: Value = Value::Constant("None");

    fn bool(is_true: bool) -> Value {
        Value::Constant(if is_true { "True" } else { "False" })
    }

    /// Returns the text of a text value.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Value]> {
        match self {
            Value::List(values) => Some(values),
            _ => None,
        }
    }

    /// Returns true for a value that counts as true, if it is known.
    fn truth(&self) -> Option<bool> {
        Some(match self {
            Value::Text(text) => !text.is_empty(),
            Value::Number(number) => *number != 0,
            Value::List(values) => !values.is_empty(),
            Value::Dict(entries) => !entries.is_empty(),
            Value::Constant(constant) => *constant == "True",
            Value::Function(_) | Value::External(_) => true,
            Value::Unknown(_) => return None,
        })
    }

    /// Counts the values inside a value, and long texts as several.
    fn size(&self) -> usize {
        match self {
            Value::Text(text) | Value::External(text) | Value::Unknown(text) => 1 + text.len() / 16,
            Value::List(values) => 1 + values.iter().map(Value::size).sum::<usize>(),
            Value::Dict(entries) => {
                1 + entries.iter().map(|(key, value)| key.size() + value.size()).sum::<usize>()
            }
            _ => 1,
        }
    }

    /// Returns true if nothing inside a value is unknown.
    fn is_known(&self) -> bool {
        match self {
            Value::Unknown(_) => false,
            Value::List(values) => values.iter().all(Value::is_known),
            Value::Dict(entries) => entries.iter().all(|(key, value)| key.is_known() && value.is_known()),
            _ => true,
        }
    }
}

/// A call of a rule, or of a macro that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The function.
    pub function: String,
    /// Its named arguments.
    pub arguments: Vec<(String, Value)>,
    /// The line of the build file.
    pub line: usize,
}

impl Rule {
    /// Returns an argument by name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// The contents of a build file.
#[derive(Clone, Debug, Default)]
pub struct BuildFile {
    /// Its calls, in order.
    pub rules: Vec<Rule>,
    /// Lines that were not read, with the reason.
    pub unread: Vec<(usize, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> BuildFile {
        super::read(text, "a/b", &mut Files::default())
    }

    fn texts(value: Option<&Value>) -> Vec<&str> {
        value.and_then(Value::list).unwrap_or_default().iter().filter_map(Value::text).collect()
    }

    #[test]
    fn rules_and_values() {
        let file = read(
            r##"
# A comment with (
load("//x:y.bzl", "z")
PREFIX = "Foo" + "Ops"
FLAGS = ["-a"] + ["-b=%s" % PREFIX, "{}-{}".format(1, "x")]
rule(
    name = "n",  # why
    list = FLAGS,
    more = [n + ".td" for n in ("a", "b")],
    odd = select({"x": 1}),
    long = """two
lines""",
)
[each(name = name, of = of) for name, of in [("p", 1), ("q", 2)]]
def f(x):
    rule(name = "no")
after(name = "z")
"##,
        );
        let names: Vec<_> = file.rules.iter().map(|rule| (rule.function.as_str(), rule.line)).collect();
        assert_eq!(names, [("rule", 6), ("each", 14), ("each", 14), ("after", 17)]);
        assert_eq!(texts(file.rules[0].argument("list")), ["-a", "-b=FooOps", "1-x"]);
        assert_eq!(texts(file.rules[0].argument("more")), ["a.td", "b.td"]);
        assert!(matches!(file.rules[0].argument("odd"), Some(Value::Unknown(_))));
        assert_eq!(file.rules[2].argument("name").and_then(Value::text), Some("q"));
        assert_eq!(file.unread, []);
    }

    #[test]
    fn pieces_of_files_are_named() {
        for (text, reason) in [
            ("f(", "the file ends too early"),
            ("f(a = [", "the file ends too early"),
            ("a = ", "the file ends too early"),
            ("x[1:2", "the file ends too early"),
            ("[f() for", "the file ends too early"),
            ("\"", "'\\\"' is not expected here"),
            ("'''x", "'\\\"' is not expected here"),
            ("\\", "'\\\\' is not expected here"),
            ("é(", "'é' is not expected here"),
            ("{1:}", "'}' is not expected here"),
            ("f)", "this statement is left out"),
        ] {
            let file = read(text);
            assert_eq!((file.rules.len(), file.unread), (0, vec![(1, reason.to_owned())]), "{text}");
        }
        let file = read("f(**x)");
        assert_eq!(file.rules[0].arguments, [("**".to_owned(), Value::Unknown("the name 'x'".to_owned()))]);
    }

    /// A statement that is nested too deeply is left out; the next one is read, unless a bracket is still open.
    #[test]
    fn deep_nesting_is_left_out() {
        let nested = |open: &str, close: &str| {
            read(&format!("x = {}a{}\nf(name = \"n\")", open.repeat(100_000), close.repeat(100_000)))
        };
        for (open, close) in [
            ("-", ""),
            ("a + ", ""),
            ("a.", ""),
            ("a % ", ""),
            ("not ", ""),
            ("", "()"),
            ("[", "]"),
            ("{", ""),
        ] {
            let file = nested(open, close);
            assert_eq!(file.unread, [(1, parser::TOO_DEEP.to_owned())], "{open}");
            assert_eq!(file.rules.len(), usize::from(open != "{"), "{open}");
        }
    }
}
