//! A subset of JSONPath (RFC 9535) for a project's rules.
//!
//! ```text
//! query:   [ "$." ] name { step }
//! step:    "." name | "[" "'" name "'" "]" | "[" number "]" | "[" "*" "]" | "[" "?" or "]"
//! or:      and { "||" and }
//! and:     not { "&&" not }
//! not:     "!" not | "(" or ")" | value [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) value ]
//! value:   "'" text "'" | number | true | false | null
//!        | "length(" path ")" | "contains(" value "," value ")" | path
//! path:    [ "@." | "$." ] name { step }
//! ```
//!
//! A path alone tests for existence; `contains` tests for a substring. In a comparison, a path is the first value that
//! it finds.
//!
//! The crate `serde_json_path` reads no bare names (`operations[?dialect == 'a']`), and nothing limits the work of its
//! queries, which grows with each filter inside another by the length of the list.

use std::cmp::Ordering;

use serde_json::Value;

/// A query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query(Path);

#[derive(Clone, Debug, PartialEq)]
struct Path {
    /// True if it begins at the document, not at the current value.
    is_absolute: bool,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Name(String),
    Index(usize),
    All,
    Filter(Test),
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Or(Vec<Test>),
    And(Vec<Test>),
    Not(Box<Test>),
    Exists(Operand),
    Compare(Operand, Comparison, Operand),
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Literal(Value),
    Path(Path),
    Length(Path),
    Contains(Box<Operand>, Box<Operand>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Different,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// The nesting limit of a query.
const DEPTH: u32 = 32;
/// The number of values that a query may visit.
const WORK: u64 = 20_000_000;

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// The fault in the query, and its place.
    pub fn parse(text: &str) -> Result<Query, String> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let path = parser.path()?;
        parser.blanks();
        if parser.at < text.len() {
            return Err(parser.wrong("the end of the query"));
        }
        Ok(Query(Path { is_absolute: true, ..path }))
    }

    /// Returns the list of the document that the query begins with: `operations`.
    #[must_use]
    pub fn list(&self) -> &str {
        match self.0.steps.first() {
            Some(Step::Name(name)) => name,
            _ => "",
        }
    }

    /// Returns the values that it finds, each with the index of the first list's item that contains it.
    ///
    /// # Errors
    /// The query takes too much work.
    pub fn find<'v>(&self, document: &'v Value) -> Result<Vec<(usize, &'v Value)>, String> {
        let mut search = Search { document, work: WORK };
        let [first, rest @ ..] = self.0.steps.as_slice() else { return Ok(Vec::new()) };
        let lists = search.step(vec![document], first)?;
        let Some((second, rest)) = rest.split_first() else {
            return Ok(lists.into_iter().map(|value| (0, value)).collect());
        };
        let mut found = Vec::new();
        for list in lists {
            let Value::Array(items) = list else {
                for value in search.steps(vec![list], std::slice::from_ref(second))? {
                    found.extend(search.steps(vec![value], rest)?.into_iter().map(|value| (0, value)));
                }
                continue;
            };
            for (index, item) in items.iter().enumerate() {
                let is_meant = match second {
                    Step::All => true,
                    Step::Index(wanted) => index == *wanted,
                    Step::Filter(test) => search.test(test, item)?,
                    Step::Name(_) => false,
                };
                if is_meant {
                    found.extend(search.steps(vec![item], rest)?.into_iter().map(|value| (index, value)));
                }
            }
        }
        Ok(found)
    }
}

struct Search<'v> {
    document: &'v Value,
    work: u64,
}

impl<'v> Search<'v> {
    fn steps(&mut self, values: Vec<&'v Value>, steps: &[Step]) -> Result<Vec<&'v Value>, String> {
        steps.iter().try_fold(values, |values, step| self.step(values, step))
    }

    fn step(&mut self, values: Vec<&'v Value>, step: &Step) -> Result<Vec<&'v Value>, String> {
        let mut found = Vec::new();
        for value in values {
            match (step, value) {
                (Step::Name(name), Value::Object(object)) => found.extend(object.get(name)),
                (Step::Index(index), Value::Array(items)) => found.extend(items.get(*index)),
                (Step::All, Value::Array(items)) => found.extend(items),
                (Step::All, Value::Object(object)) => found.extend(object.values()),
                (Step::Filter(test), Value::Array(items)) => {
                    for item in items {
                        if self.test(test, item)? {
                            found.push(item);
                        }
                    }
                }
                _ => {}
            }
        }
        self.work = self
            .work
            .checked_sub(1 + found.len() as u64)
            .ok_or("the query looks at too much: make it narrower")?;
        Ok(found)
    }

    fn path(&mut self, path: &Path, at: &'v Value) -> Result<Vec<&'v Value>, String> {
        self.steps(vec![if path.is_absolute { self.document } else { at }], &path.steps)
    }

    fn test(&mut self, test: &Test, at: &'v Value) -> Result<bool, String> {
        match test {
            Test::Or(tests) => {
                for test in tests {
                    if self.test(test, at)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::And(tests) => {
                for test in tests {
                    if !self.test(test, at)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Not(test) => Ok(!self.test(test, at)?),
            Test::Exists(Operand::Path(path)) => Ok(!self.path(path, at)?.is_empty()),
            Test::Exists(operand) => Ok(self.value(operand, at)? == Value::Bool(true)),
            Test::Compare(left, comparison, right) => {
                let (left, right) = (self.value(left, at)?, self.value(right, at)?);
                Ok(compare(&left, *comparison, &right))
            }
        }
    }

    fn value(&mut self, operand: &Operand, at: &'v Value) -> Result<Value, String> {
        Ok(match operand {
            Operand::Literal(value) => value.clone(),
            Operand::Path(path) => self.path(path, at)?.first().copied().cloned().unwrap_or(Value::Null),
            Operand::Length(path) => match self.path(path, at)?.first() {
                Some(Value::Array(items)) => items.len().into(),
                Some(Value::Object(object)) => object.len().into(),
                Some(Value::String(text)) => text.chars().count().into(),
                _ => Value::Null,
            },
            Operand::Contains(text, part) => {
                let (text, part) = (self.value(text, at)?, self.value(part, at)?);
                match (&text, &part) {
                    (Value::String(text), Value::String(part)) => text.contains(part.as_str()).into(),
                    (Value::Array(items), part) => items.contains(part).into(),
                    _ => false.into(),
                }
            }
        })
    }
}

fn compare(left: &Value, comparison: Comparison, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64().partial_cmp(&right.as_f64()),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (left, right) => (left == right).then_some(Ordering::Equal),
    };
    match comparison {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::Different => order != Some(Ordering::Equal),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::More => order == Some(Ordering::Greater),
        Comparison::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, what: &str) -> bool {
        self.blanks();
        let is_there = self.rest().starts_with(what);
        self.at += if is_there { what.len() } else { 0 };
        is_there
    }

    fn wrong(&self, wanted: &str) -> String {
        let column = self.text[..self.at].chars().count() + 1;
        format!("'on', column {column}: expected {wanted}")
    }

    fn expect(&mut self, what: &str) -> Result<(), String> {
        if self.take(what) { Ok(()) } else { Err(self.wrong(&format!("'{what}'"))) }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.wrong("less nesting"));
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn name(&mut self) -> Option<String> {
        self.blanks();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let length = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let name = self.rest()[..length].to_owned();
        self.at += length;
        (!name.is_empty()).then_some(name)
    }

    fn text(&mut self) -> Result<Option<String>, String> {
        self.blanks();
        let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '\'' | '"')) else {
            return Ok(None);
        };
        let rest = &self.rest()[1..];
        let Some(end) = rest.find(quote) else { return Err(self.wrong("the end of a text")) };
        let text = rest[..end].to_owned();
        self.at += end + 2;
        Ok(Some(text))
    }

    fn path(&mut self) -> Result<Path, String> {
        let is_absolute = self.take("$");
        let is_marked = is_absolute || self.take("@");
        let mut steps = Vec::new();
        if !is_marked {
            steps.push(Step::Name(self.name().ok_or_else(|| self.wrong("a name"))?));
        }
        loop {
            if self.take(".") {
                steps.push(Step::Name(self.name().ok_or_else(|| self.wrong("a name"))?));
            } else if self.take("[") {
                let step = self.nested(Self::bracket)?;
                steps.push(step);
                self.expect("]")?;
            } else {
                return Ok(Path { is_absolute, steps });
            }
        }
    }

    fn bracket(&mut self) -> Result<Step, String> {
        if self.take("*") {
            return Ok(Step::All);
        }
        if self.take("?") {
            return Ok(Step::Filter(self.or()?));
        }
        if let Some(name) = self.text()? {
            return Ok(Step::Name(name));
        }
        let index = self.name().and_then(|name| name.parse().ok());
        index.map(Step::Index).ok_or_else(|| self.wrong("a number, a name in quotes, '*' or '?'"))
    }

    fn or(&mut self) -> Result<Test, String> {
        let mut tests = vec![self.and()?];
        while self.take("||") {
            tests.push(self.and()?);
        }
        Ok(if tests.len() == 1 { tests.remove(0) } else { Test::Or(tests) })
    }

    fn and(&mut self) -> Result<Test, String> {
        let mut tests = vec![self.not()?];
        while self.take("&&") {
            tests.push(self.not()?);
        }
        Ok(if tests.len() == 1 { tests.remove(0) } else { Test::And(tests) })
    }

    fn not(&mut self) -> Result<Test, String> {
        self.blanks();
        if self.rest().starts_with('!') && !self.rest().starts_with("!=") {
            self.at += 1;
            return self.nested(|parser| Ok(Test::Not(Box::new(parser.not()?))));
        }
        if self.take("(") {
            let test = self.nested(Self::or)?;
            self.expect(")")?;
            return Ok(test);
        }
        let left = self.nested(Self::operand)?;
        for (sign, comparison) in [
            ("==", Comparison::Equal),
            ("!=", Comparison::Different),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::More),
        ] {
            if self.take(sign) {
                return Ok(Test::Compare(left, comparison, self.nested(Self::operand)?));
            }
        }
        Ok(Test::Exists(left))
    }

    fn operand(&mut self) -> Result<Operand, String> {
        if let Some(text) = self.text()? {
            return Ok(Operand::Literal(text.into()));
        }
        let start = self.at;
        if let Some(name) = self.name() {
            let literal = match name.as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                "null" => Some(Value::Null),
                name => name.parse::<i64>().ok().map(Value::from),
            };
            if let Some(literal) = literal {
                return Ok(Operand::Literal(literal));
            }
            if name == "length" && self.take("(") {
                let path = self.path()?;
                self.expect(")")?;
                return Ok(Operand::Length(path));
            }
            if name == "contains" && self.take("(") {
                let text = self.nested(Self::operand)?;
                self.expect(",")?;
                let part = self.nested(Self::operand)?;
                self.expect(")")?;
                return Ok(Operand::Contains(Box::new(text), Box::new(part)));
            }
        }
        self.at = start;
        Ok(Operand::Path(self.path()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document() -> Value {
        json!({
            "limit": 2,
            "operations": [
                { "name": "a.x", "dialect": "a", "traits": [{ "name": "Pure" }], "results": [] },
                { "name": "a.y", "dialect": "a", "traits": [], "results": [1, 2, 3], "summary": "An op" },
                { "name": "b.z", "dialect": "b", "traits": [], "results": [1] },
            ],
        })
    }

    fn names(query: &str) -> Vec<String> {
        let document = document();
        let query = Query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let found = query.find(&document).expect("it is little work");
        found
            .iter()
            .map(|(index, _)| document["operations"][index]["name"].as_str().unwrap_or("?").to_owned())
            .collect()
    }

    #[test]
    fn queries() {
        assert_eq!(names("operations[?dialect == 'a' && !traits[?name == 'Pure']]"), ["a.y"]);
        assert_eq!(names("$.operations[?@.dialect=='b'||length(results)>$.limit]"), ["a.y", "b.z"]);
        assert_eq!(names("operations[?summary]"), ["a.y"]);
        assert_eq!(names("operations[?!summary && contains(name, 'a.')]"), ["a.x"]);
        assert_eq!(names("operations[?(dialect != 'a')]"), ["b.z"]);
        assert_eq!(names("operations[*].results[?@ == 1]"), ["a.y", "b.z"]);
        assert_eq!(names("operations[1]"), ["a.y"]);
        assert!(names("nothing[*]").is_empty());
    }

    #[test]
    fn what_is_no_query() {
        for query in ["", "a[", "a[?b == ]", "a[?'x]", "a b", "a[?b)", &"a[?(".repeat(100), &"!".repeat(100)]
        {
            assert!(Query::parse(query).is_err(), "{query}");
        }
    }
}
