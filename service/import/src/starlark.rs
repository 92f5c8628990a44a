//! Parses and evaluates Bazel's build files: the part of Starlark that they use.
//!
//! ```text
//! FLAGS = ["-gen-op-decls"]
//! gentbl_cc_library(name = "ops", tbl_outs = {"Ops.h.inc": FLAGS}, td_file = "Ops.td")
//! [gentbl_filegroup(name = name, …) for name in ["a", "b"]]
//! ```
//!
//! Assignments, calls, literals, `+`, `%`, `format`, `join` and comprehensions are evaluated. Any other expression has
//! an unknown value, which matters only if the value is used.

use std::collections::BTreeMap;

/// The most evaluation steps of one file.
const MOST_STEPS: usize = 1_000_000;
/// The deepest nesting of brackets.
const MOST_NESTED: usize = 100;
/// The most operators in one chain.
const MOST_LINKS: usize = 500;
const TOO_DEEP: &str = "brackets are nested too deeply: this is left out";

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
    /// A value that could not be evaluated, with a description.
    Unknown(String),
}

impl Value {
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
}

/// A call at the top level of a file: a rule or a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The function.
    pub function: String,
    /// Its named arguments.
    pub arguments: Vec<(String, Value)>,
    /// Its line.
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

/// Reads a build file.
#[must_use]
pub fn read(text: &str) -> BuildFile {
    let tokens = tokens(text);
    let mut evaluator = Evaluator { names: BTreeMap::new(), file: BuildFile::default(), steps: MOST_STEPS };
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    while let Some(token) = parser.peek() {
        let (line, column) = (token.line, token.column);
        if parser.take_op("\n") {
            continue;
        }
        if column > 0 {
            // Skip the body of a function.
            parser.skip_line();
            continue;
        }
        parser.depth = 0;
        match parser.statement() {
            Ok(Statement::Assignment(name, value)) => {
                let value = evaluator.value(&value);
                evaluator.names.insert(name, value);
            }
            Ok(Statement::Expression(expression)) => evaluator.run(&expression),
            Err(what) => {
                evaluator.file.unread.push((line, what));
                parser.skip_line();
            }
        }
    }
    if evaluator.steps == 0 {
        evaluator
            .file
            .unread
            .push((0, "this file takes too much work: the rest of it is left out".to_owned()));
    }
    evaluator.file
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Name(String),
    Text(String),
    Number(i64),
    /// An operator; `"\n"` is the end of a line outside brackets.
    Op(&'static str),
    Other(char),
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    line: usize,
    /// The indentation of the line if the token is its first.
    column: usize,
}

const OPS: &[&str] = &[
    "**", "//", "==", "!=", "<=", ">=", "+=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "+", "-",
    "*", "/", "%", "|", "<", ">",
];

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut rest, mut line, mut nested) = (text, 1, 0_usize);
    let mut column = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    while let Some(char) = rest.chars().next() {
        let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let first_line = line;
        let (kind, length) = match char {
            '\n' => {
                line += 1;
                let below = &rest[1..];
                let kind = (nested == 0).then_some(Kind::Op("\n"));
                let indent = below.len() - below.trim_start_matches([' ', '\t']).len();
                if nested == 0 {
                    column = indent;
                }
                (kind, 1)
            }
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            '\\' if rest[1..].starts_with('\n') => {
                line += 1;
                (None, 2)
            }
            char if char.is_whitespace() => (None, char.len_utf8()),
            '"' | '\'' => string(rest, false),
            'r' if rest[1..].starts_with(['"', '\'']) => {
                let (kind, length) = string(&rest[1..], true);
                (kind, length + 1)
            }
            char if char.is_ascii_digit() => {
                let end = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
                (rest[..end].parse().ok().map(Kind::Number).or(Some(Kind::Other('0'))), end)
            }
            char if is_word(char) => {
                let end = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
                (Some(Kind::Name(rest[..end].to_owned())), end)
            }
            char => match OPS.iter().find(|op| rest.starts_with(**op)) {
                Some(&op) => {
                    match op {
                        "(" | "[" | "{" => nested += 1,
                        ")" | "]" | "}" => nested = nested.saturating_sub(1),
                        _ => {}
                    }
                    (Some(Kind::Op(op)), op.len())
                }
                None => (Some(Kind::Other(char)), char.len_utf8()),
            },
        };
        if matches!(kind, Some(Kind::Text(_))) {
            line += rest[..length].matches('\n').count();
        }
        tokens.extend(kind.map(|kind| Token { kind, line: first_line, column }));
        rest = &rest[length..];
    }
    tokens
}

/// Reads a string at the start of a text; returns its token and its length.
fn string(text: &str, is_raw: bool) -> (Option<Kind>, usize) {
    let quote =
        ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| text.starts_with(quote)).unwrap_or("\"");
    let (mut value, mut at) = (String::new(), quote.len());
    while let Some(char) = text[at..].chars().next() {
        if text[at..].starts_with(quote) {
            return (Some(Kind::Text(value)), at + quote.len());
        }
        if char == '\n' && quote.len() == 1 {
            break;
        }
        if char == '\\' && !is_raw {
            let escaped = text[at + 1..].chars().next();
            match escaped {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('\n') | None => {}
                Some(other) => value.push(other),
            }
            at += 1 + escaped.map_or(0, char::len_utf8);
            continue;
        }
        value.push(char);
        at += char.len_utf8();
    }
    (Some(Kind::Other('"')), at.min(text.len()).max(1))
}

enum Statement {
    Assignment(String, Expression),
    Expression(Expression),
}

enum Expression {
    Value(Value),
    Name(String),
    List(Vec<Expression>),
    Dict(Vec<(Expression, Expression)>),
    Call {
        function: Box<Expression>,
        arguments: Vec<(String, Expression)>,
        line: usize,
    },
    Member(Box<Expression>, String),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// A list comprehension or, with a key, a dictionary comprehension.
    Comprehension {
        key: Option<Box<Expression>>,
        body: Box<Expression>,
        names: Vec<String>,
        over: Box<Expression>,
    },
    Unknown(String),
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: Kind::Op(known), .. }) if *known == op)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: Kind::Name(known), .. }) if known == name)
    }

    fn take_op(&mut self, op: &str) -> bool {
        let is_it = self.is_op(op);
        self.at += usize::from(is_it);
        is_it
    }

    fn take_name(&mut self, name: &str) -> bool {
        let is_it = self.is_name(name);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, op: &str) -> Result<(), String> {
        if self.take_op(op) { Ok(()) } else { Err(format!("'{op}' is missing: this is left out")) }
    }

    /// Skips to the end of the line, closing all open brackets.
    fn skip_line(&mut self) {
        while self.peek().is_some() && !self.take_op("\n") {
            self.at += 1;
        }
    }

    fn statement(&mut self) -> Result<Statement, String> {
        if let [Token { kind: Kind::Name(name), .. }, Token { kind: Kind::Op("="), .. }, ..] =
            &self.tokens[self.at..]
        {
            self.at += 2;
            return Ok(Statement::Assignment(name.clone(), self.expression()?));
        }
        for word in ["def", "for", "if", "while", "else", "elif"] {
            if self.is_name(word) {
                return Err(format!("a statement with '{word}' is left out"));
            }
        }
        let expression = self.expression()?;
        if self.peek().is_some() && !self.is_op("\n") {
            return Err("this statement is left out".to_owned());
        }
        Ok(Statement::Expression(expression))
    }

    fn expression(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(TOO_DEEP.to_owned());
        }
        let mut value = self.sum()?;
        loop {
            let is_compared = ["==", "!=", "<", ">", "<=", ">="].into_iter().any(|op| self.take_op(op));
            if is_compared || ["and", "or", "in"].into_iter().any(|word| self.take_name(word)) {
                self.sum()?;
                value = Expression::Unknown("a comparison".to_owned());
            } else if self.take_name("not") {
                self.take_name("in");
                self.sum()?;
                value = Expression::Unknown("a comparison".to_owned());
            } else {
                break;
            }
        }
        if self.take_name("if") {
            self.expression()?;
            if self.take_name("else") {
                self.expression()?;
            }
            value = Expression::Unknown("a condition".to_owned());
        }
        self.depth -= 1;
        Ok(value)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut value = self.product()?;
        let mut links = 0;
        while let Some(op) = ["+", "-", "|"].into_iter().find(|op| self.take_op(op)) {
            link(&mut links)?;
            value = Expression::Binary(op, Box::new(value), Box::new(self.product()?));
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut value = self.unary()?;
        let mut links = 0;
        while let Some(op) = ["%", "*", "//", "/"].into_iter().find(|op| self.take_op(op)) {
            link(&mut links)?;
            value = Expression::Binary(op, Box::new(value), Box::new(self.unary()?));
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<Expression, String> {
        if self.take_op("-") || self.take_op("+") || self.take_name("not") {
            self.depth += 1;
            if self.depth > MOST_NESTED {
                return Err(TOO_DEEP.to_owned());
            }
            self.unary()?;
            self.depth -= 1;
            return Ok(Expression::Unknown("a calculation".to_owned()));
        }
        let mut value = self.primary()?;
        let mut links = 0;
        loop {
            link(&mut links)?;
            let line = self.peek().map_or(0, |token| token.line);
            if self.take_op("(") {
                value = Expression::Call { function: Box::new(value), arguments: self.arguments()?, line };
            } else if self.take_op(".") {
                let Some(Token { kind: Kind::Name(name), .. }) = self.peek() else {
                    return Err("a name is missing after '.'".to_owned());
                };
                self.at += 1;
                value = Expression::Member(Box::new(value), name.clone());
            } else if self.take_op("[") {
                while !self.take_op("]") {
                    if !self.take_op(":") {
                        self.expression()?;
                    }
                }
                value = Expression::Unknown("an element".to_owned());
            } else {
                return Ok(value);
            }
        }
    }

    fn arguments(&mut self) -> Result<Vec<(String, Expression)>, String> {
        let mut arguments = Vec::new();
        while !self.take_op(")") {
            let name = match &self.tokens[self.at..] {
                [Token { kind: Kind::Name(name), .. }, Token { kind: Kind::Op("="), .. }, ..] => {
                    self.at += 2;
                    name.clone()
                }
                // `*list`, `**dictionary`
                _ if self.take_op("*") || self.take_op("**") => "*".to_owned(),
                _ => String::new(),
            };
            let value = self.expression()?;
            let value = if self.is_name("for") { self.comprehension(None, value)? } else { value };
            arguments.push((name, value));
            if !self.take_op(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    /// Reads a comprehension after its body.
    fn comprehension(&mut self, key: Option<Expression>, body: Expression) -> Result<Expression, String> {
        self.at += 1;
        let mut names = Vec::new();
        self.take_op("(");
        while let Some(Token { kind: Kind::Name(name), .. }) = self.peek() {
            self.at += 1;
            if name == "in" {
                break;
            }
            names.push(name.clone());
            self.take_op(",");
            self.take_op(")");
        }
        let over = self.sum()?;
        if self.is_name("for") || self.is_name("if") {
            while self.peek().is_some() && !self.is_op("]") && !self.is_op("}") && !self.is_op(")") {
                self.at += 1;
            }
            return Ok(Expression::Unknown("a comprehension with conditions or several lists".to_owned()));
        }
        Ok(Expression::Comprehension {
            key: key.map(Box::new),
            body: Box::new(body),
            names,
            over: Box::new(over),
        })
    }

    fn primary(&mut self) -> Result<Expression, String> {
        let Some(token) = self.peek() else { return Err("the file ends too early".to_owned()) };
        self.at += 1;
        Ok(match &token.kind {
            Kind::Text(text) => {
                let mut text = text.clone();
                // Adjacent literals are one text.
                while let Some(Token { kind: Kind::Text(more), .. }) = self.peek() {
                    text += more;
                    self.at += 1;
                }
                Expression::Value(Value::Text(text))
            }
            Kind::Number(number) => Expression::Value(Value::Number(*number)),
            Kind::Name(name) => match name.as_str() {
                "None" => Expression::Value(Value::Constant("None")),
                "True" => Expression::Value(Value::Constant("True")),
                "False" => Expression::Value(Value::Constant("False")),
                name => Expression::Name(name.to_owned()),
            },
            Kind::Op("[") => self.list("]", true)?,
            Kind::Op("(") => self.list(")", false)?,
            Kind::Op("{") => self.dict()?,
            Kind::Op(op) => return Err(format!("'{}' is not expected here", op.escape_debug())),
            Kind::Other(char) => return Err(format!("'{}' is not expected here", char.escape_debug())),
        })
    }

    /// Reads a list, a tuple or an expression in brackets.
    fn list(&mut self, end: &str, is_list: bool) -> Result<Expression, String> {
        let mut values = Vec::new();
        let mut has_comma = false;
        while !self.take_op(end) {
            let value = self.expression()?;
            if self.is_name("for") {
                let value = self.comprehension(None, value)?;
                self.expect(end)?;
                return Ok(value);
            }
            values.push(value);
            if self.take_op(",") {
                has_comma = true;
            } else {
                self.expect(end)?;
                break;
            }
        }
        match values.pop() {
            Some(value) if !is_list && !has_comma => Ok(value),
            last => {
                values.extend(last);
                Ok(Expression::List(values))
            }
        }
    }

    fn dict(&mut self) -> Result<Expression, String> {
        let mut entries = Vec::new();
        while !self.take_op("}") {
            let key = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            if self.is_name("for") {
                let value = self.comprehension(Some(key), value)?;
                self.expect("}")?;
                return Ok(value);
            }
            entries.push((key, value));
            if !self.take_op(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Expression::Dict(entries))
    }
}

/// Counts a link of a chain such as `a + b + c`, whose tree is nested.
fn link(links: &mut usize) -> Result<(), String> {
    *links += 1;
    if *links > MOST_LINKS { Err(TOO_DEEP.to_owned()) } else { Ok(()) }
}

struct Evaluator {
    names: BTreeMap<String, Value>,
    file: BuildFile,
    steps: usize,
}

impl Evaluator {
    /// Runs a statement: a call defines a rule, and so does each call of a comprehension.
    fn run(&mut self, expression: &Expression) {
        match expression {
            Expression::Call { function, arguments, line } => {
                let function = name_of(function);
                if function == "load" {
                    return;
                }
                let arguments =
                    arguments.iter().map(|(name, value)| (name.clone(), self.value(value))).collect();
                self.file.rules.push(Rule { function, arguments, line: *line });
            }
            Expression::Comprehension { key: None, body, names, over } => {
                self.each(names, over, |evaluator| evaluator.run(body));
            }
            _ => {}
        }
    }

    /// Runs `act` for each value of a list, bound to one name or unpacked to several; `None` if the list is unknown.
    fn each(&mut self, names: &[String], over: &Expression, mut act: impl FnMut(&mut Self)) -> Option<()> {
        let values = match self.value(over) {
            Value::List(values) => values,
            Value::Dict(entries) => entries.into_iter().map(|(key, _)| key).collect(),
            _ => return None,
        };
        let before = self.names.clone();
        for value in values {
            match (names, value) {
                ([name], value) => {
                    self.names.insert(name.clone(), value);
                }
                (names, Value::List(parts)) if parts.len() == names.len() => {
                    self.names.extend(names.iter().cloned().zip(parts));
                }
                _ => return None,
            }
            act(self);
        }
        self.names = before;
        Some(())
    }

    fn value(&mut self, expression: &Expression) -> Value {
        if self.steps == 0 {
            return Value::Unknown("too much work".to_owned());
        }
        self.steps -= 1;
        match expression {
            Expression::Value(value) => value.clone(),
            Expression::Name(name) => {
                self.names.get(name).cloned().unwrap_or_else(|| Value::Unknown(format!("the name '{name}'")))
            }
            Expression::List(values) => Value::List(values.iter().map(|value| self.value(value)).collect()),
            Expression::Dict(entries) => {
                Value::Dict(entries.iter().map(|(key, value)| (self.value(key), self.value(value))).collect())
            }
            Expression::Call { function, arguments, .. } => self.call(function, arguments),
            Expression::Member(..) => Value::Unknown("a member".to_owned()),
            Expression::Binary(op, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.binary(op, left, right)
            }
            Expression::Comprehension { key, body, names, over } => {
                let (mut values, mut entries) = (Vec::new(), Vec::new());
                let done = self.each(names, over, |evaluator| match key {
                    None => values.push(evaluator.value(body)),
                    Some(key) => entries.push((evaluator.value(key), evaluator.value(body))),
                });
                match (done, key) {
                    (None, _) => Value::Unknown("a comprehension".to_owned()),
                    (Some(()), None) => Value::List(values),
                    (Some(()), Some(_)) => Value::Dict(entries),
                }
            }
            Expression::Unknown(what) => Value::Unknown(what.clone()),
        }
    }

    fn binary(&mut self, op: &str, left: Value, right: Value) -> Value {
        match (op, left, right) {
            ("+", Value::Text(left), Value::Text(right)) => Value::Text(left + &right),
            ("+", Value::Number(left), Value::Number(right)) => Value::Number(left.saturating_add(right)),
            ("+", Value::List(left), Value::List(right)) => {
                self.steps = self.steps.saturating_sub(left.len() + right.len());
                Value::List(left.into_iter().chain(right).collect())
            }
            ("|", Value::Dict(left), Value::Dict(right)) => {
                Value::Dict(left.into_iter().chain(right).collect())
            }
            ("%", Value::Text(form), value) => {
                let values = match value {
                    Value::List(values) => values,
                    value => vec![value],
                };
                fill(&form, "%s", &values)
            }
            (_, Value::Unknown(what), _) | (_, _, Value::Unknown(what)) => Value::Unknown(what),
            _ => Value::Unknown("a calculation".to_owned()),
        }
    }

    fn call(&mut self, function: &Expression, arguments: &[(String, Expression)]) -> Value {
        let name = name_of(function);
        let values: Vec<Value> = arguments.iter().map(|(_, value)| self.value(value)).collect();
        match function {
            Expression::Member(text, method) => {
                let text = self.value(text);
                match (text.text(), method.as_str(), values.as_slice()) {
                    (Some(form), "format", values) if arguments.iter().all(|(name, _)| name.is_empty()) => {
                        fill(form, "{}", values)
                    }
                    (Some(text), "lower", []) => Value::Text(text.to_lowercase()),
                    (Some(text), "upper", []) => Value::Text(text.to_uppercase()),
                    (Some(text), "replace", [Value::Text(from), Value::Text(to)]) => {
                        Value::Text(text.replace(from, to))
                    }
                    (Some(separator), "join", [Value::List(parts)]) => {
                        let parts: Option<Vec<&str>> = parts.iter().map(Value::text).collect();
                        match parts {
                            Some(parts) => Value::Text(parts.join(separator)),
                            None => Value::Unknown("a text".to_owned()),
                        }
                    }
                    _ => Value::Unknown(format!("'{method}'")),
                }
            }
            Expression::Name(name) => match (name.as_str(), values.as_slice()) {
                ("str", [Value::Number(number)]) => Value::Text(number.to_string()),
                ("str", [Value::Text(text)]) | ("Label", [Value::Text(text)]) => Value::Text(text.clone()),
                ("list" | "tuple", [Value::List(values)]) => Value::List(values.clone()),
                _ => Value::Unknown(format!("the value of {name}()")),
            },
            _ => Value::Unknown(format!("the value of {name}()")),
        }
    }
}

/// Returns the name of a function: `a` or `a.b`.
fn name_of(expression: &Expression) -> String {
    match expression {
        Expression::Name(name) => name.clone(),
        Expression::Member(of, name) => format!("{}.{name}", name_of(of)),
        _ => String::new(),
    }
}

/// Fills the placeholders of a format string in order.
fn fill(form: &str, hole: &str, values: &[Value]) -> Value {
    let mut values = values.iter();
    let mut pieces = form.split(hole);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match values.next() {
            Some(Value::Text(value)) => text += value,
            Some(Value::Number(value)) => text += &value.to_string(),
            _ => return Value::Unknown("a text that is put together".to_owned()),
        }
        text += piece;
    }
    Value::Text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(file.unread.len(), 1, "{:?}", file.unread);
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
        assert_eq!(file.rules[0].arguments, [("*".to_owned(), Value::Unknown("the name 'x'".to_owned()))]);
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
            assert_eq!(file.unread, [(1, TOO_DEEP.to_owned())], "{open}");
            assert_eq!(file.rules.len(), usize::from(open != "{"), "{open}");
        }
    }
}
