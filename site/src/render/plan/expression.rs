//! The content of a template's tags: paths, literals, `@index` and the like, and operations on values.

use std::{borrow::Cow, cmp::Ordering};

use handlebars::{
    Path as HandlebarsPath, PathSeg,
    template::{Parameter, TemplateElement},
};

use super::{FillResult, Frame, Level, MissingValue};
use crate::render::{
    data::{Data, Datum, Entries},
    functions,
};

/// The value of an expression: a fact of the page, or a result computed from facts.
#[derive(Clone, Copy)]
pub(in crate::render) enum Value<'a> {
    Fact(Datum<'a>),
    Text(&'a str),
    Number(usize),
    True,
    False,
}

impl From<bool> for Value<'_> {
    fn from(is_so: bool) -> Self {
        if is_so { Value::True } else { Value::False }
    }
}

impl<'a> Value<'a> {
    fn fact(self) -> Option<Datum<'a>> {
        match self {
            Value::Fact(datum) => Some(datum),
            _ => None,
        }
    }

    /// Looks up a field of a map by name, or an item of a list by index.
    pub(in crate::render) fn get(self, name: &str) -> Option<Value<'a>> {
        self.fact()?.get(name).map(Value::Fact)
    }

    /// Iterates over the content of a list or map.
    pub(in crate::render) fn entries(self) -> Option<Entries<'a>> {
        self.fact()?.entries()
    }

    pub(in crate::render) fn as_str(self) -> Option<&'a str> {
        match self {
            Value::Fact(datum) => datum.as_str(),
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn as_bool(self) -> Option<bool> {
        match self {
            Value::Fact(datum) => datum.as_bool(),
            Value::True => Some(true),
            Value::False => Some(false),
            Value::Text(_) | Value::Number(_) => None,
        }
    }

    pub(in crate::render) fn is_null(self) -> bool {
        self.fact().is_some_and(Datum::is_null)
    }

    /// Tests if it is truthy, as in `{{#if}}`: not null, false or empty, nor zero unless `includes_zero` is set.
    pub(super) fn is_truthy(self, includes_zero: bool) -> bool {
        match self {
            Value::Fact(datum) => datum.is_truthy() || includes_zero && datum.is_number(),
            Value::Text(text) => !text.is_empty(),
            Value::Number(number) => number > 0 || includes_zero,
            Value::True => true,
            Value::False => false,
        }
    }

    /// The text that a page shows for it.
    pub(super) fn page_text(self) -> Cow<'a, str> {
        match self {
            Value::Fact(datum) => datum.page_text(),
            Value::Text(text) => Cow::Borrowed(text),
            Value::Number(number) => Cow::Owned(number.to_string()),
            Value::True => Cow::Borrowed("true"),
            Value::False => Cow::Borrowed("false"),
        }
    }

    fn is_same(self, other: Value<'_>) -> bool {
        if let (Some(these), Some(those)) = (self.entries(), other.entries()) {
            let is_same =
                |((key, this), (other, that))| key == other && Value::Fact(this).is_same(Value::Fact(that));
            return these.len() == those.len() && these.zip(those).all(is_same);
        }
        self.as_str() == other.as_str()
            && self.as_bool() == other.as_bool()
            && self.page_text() == other.page_text()
    }

    /// Compares two values as text, or as numbers if one of them is a number.
    fn order(self, other: Value<'_>) -> Option<Ordering> {
        if let (Some(this), Some(that)) = (self.as_str(), other.as_str()) {
            return Some(this.cmp(that));
        }
        if let (Some(this), Some(that)) = (self.as_bool(), other.as_bool()) {
            return Some(this.cmp(&that));
        }
        let [this, that] = [self, other].map(|value| value.page_text().parse::<f64>().ok());
        this?.partial_cmp(&that?)
    }
}

#[derive(Debug)]
pub(super) enum Expression {
    Path(Path),
    Literal(Box<Data>),
    /// `@index`, so many levels up.
    Index(usize),
    /// `@key`.
    Key(usize),
    /// `@first`.
    First(usize),
    /// `@last`.
    Last(usize),
    Call(&'static Operation, Vec<Expression>),
}

#[derive(Debug)]
pub(super) struct Path {
    from: Start,
    names: Box<[String]>,
    /// The path as written in the template.
    text: Box<str>,
}

#[derive(Debug)]
enum Start {
    /// A block parameter or named argument of this name, or else the current level.
    Name,
    /// The level so many levels up.
    Level(usize),
    /// `@root`.
    Root,
}

/// An operation on values: `{{lookup list @index}}`, `(eq kind "type")`.
#[derive(Debug)]
pub(super) struct Operation {
    name: &'static str,
    /// The number of arguments; `None` for any number.
    count: Option<usize>,
    /// Computes the result; `None` if a required argument is missing.
    value: for<'a> fn(&[Option<Value<'a>>]) -> Option<Value<'a>>,
}

pub(super) const OPERATIONS: &[Operation] = &[
    Operation { name: "lookup", count: Some(2), value: |given| given[0]?.get(&given[1]?.page_text()) },
    Operation { name: "eq", count: Some(2), value: |given| Some(Value::from(given[0]?.is_same(given[1]?))) },
    Operation { name: "ne", count: Some(2), value: |given| Some(Value::from(!given[0]?.is_same(given[1]?))) },
    Operation { name: "gt", count: Some(2), value: |given| compared(given, Ordering::is_gt) },
    Operation { name: "gte", count: Some(2), value: |given| compared(given, Ordering::is_ge) },
    Operation { name: "lt", count: Some(2), value: |given| compared(given, Ordering::is_lt) },
    Operation { name: "lte", count: Some(2), value: |given| compared(given, Ordering::is_le) },
    Operation { name: "and", count: None, value: |given| Some(Value::from(given.iter().all(holds))) },
    Operation { name: "or", count: None, value: |given| Some(Value::from(given.iter().any(holds))) },
    Operation { name: "not", count: Some(1), value: |given| Some(Value::from(!given[0]?.is_truthy(false))) },
    Operation {
        name: "len",
        count: Some(1),
        value: |given| {
            let count = given[0]?.entries().map(|entries| entries.len());
            Some(Value::Number(count.or(given[0]?.as_str().map(str::len)).unwrap_or_default()))
        },
    },
];

fn holds(value: &Option<Value<'_>>) -> bool {
    value.is_some_and(|value| value.is_truthy(false))
}

fn compared<'a>(given: &[Option<Value<'_>>], is_so: fn(Ordering) -> bool) -> Option<Value<'a>> {
    Some(Value::from(given[0]?.order(given[1]?).is_some_and(is_so)))
}

impl Expression {
    /// Compiles an expression.
    pub(super) fn new(parameter: &Parameter) -> Result<Expression, String> {
        match parameter {
            Parameter::Path(HandlebarsPath::Local((level, name, text))) => match name.as_str() {
                "index" => Ok(Expression::Index(*level)),
                "key" => Ok(Expression::Key(*level)),
                "first" => Ok(Expression::First(*level)),
                "last" => Ok(Expression::Last(*level)),
                "root" => {
                    let (from, text) = (Start::Root, text.as_str().into());
                    Ok(Expression::Path(Path { from, names: Box::default(), text }))
                }
                _ => Err(format!(
                    "there is no `{text}`; there are `@index`, `@key`, `@first`, `@last` and `@root`"
                )),
            },
            Parameter::Path(HandlebarsPath::Relative((segments, text))) => {
                Path::new(segments, text).map(Expression::Path)
            }
            Parameter::Literal(value) => {
                let data = Data::new(value, 0).map_err(|error| error.to_string())?;
                Ok(Expression::Literal(Box::new(data)))
            }
            Parameter::Subexpression(inner) => {
                let TemplateElement::Expression(call) = &*inner.element else {
                    return Err("this is not a value".to_owned());
                };
                let name = call.name.as_name().unwrap_or_default();
                if !call.hash.is_empty() {
                    return Err(format!("`{name}` takes no named values"));
                }
                Expression::call(name, &call.params)?.ok_or_else(|| match functions::find(name) {
                    Some(_) => format!("`{name}` writes HTML; it has no value to go on with"),
                    None => format!("there is no operation `{name}`; there are {}", operations()),
                })
            }
            _ => Err("this is not a value".to_owned()),
        }
    }

    /// Compiles a call; `None` if there is no such operation.
    pub(super) fn call(name: &str, parameters: &[Parameter]) -> Result<Option<Expression>, String> {
        let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == name) else {
            return Ok(None);
        };
        if operation.count.is_some_and(|count| count != parameters.len()) {
            let count = operation.count.unwrap_or_default();
            return Err(format!("`{name}` takes {count} values, not {}", parameters.len()));
        }
        let arguments = parameters.iter().map(Expression::new).collect::<Result<_, _>>()?;
        Ok(Some(Expression::Call(operation, arguments)))
    }

    /// Tests if it is `this`.
    pub(super) fn is_this(&self) -> bool {
        matches!(self, Expression::Path(Path { from: Start::Level(0), names, .. }) if names.is_empty())
    }

    /// Evaluates it; `None` if the page has no such value.
    pub(super) fn find<'a>(&'a self, frame: &Frame<'a>, level: &Level<'a>) -> FillResult<Option<Value<'a>>> {
        let item = |up: &usize| level.up(*up).item;
        Ok(match self {
            Expression::Path(path) => path.find(frame, level),
            Expression::Literal(data) => Some(Value::Fact(data.root())),
            Expression::Index(up) => item(up).map(|item| Value::Number(item.index)),
            Expression::Key(up) => item(up).and_then(|item| item.key).map(Value::Text),
            Expression::First(up) => item(up).map(|item| Value::from(item.index == 0)),
            Expression::Last(up) => item(up).map(|item| Value::from(item.is_last)),
            Expression::Call(operation, arguments) => {
                let given: Vec<_> = arguments
                    .iter()
                    .map(|argument| argument.find(frame, level))
                    .collect::<FillResult<_>>()?;
                Some((operation.value)(&given).ok_or_else(|| self.missing())?)
            }
        })
    }

    /// Evaluates it; a missing value is an error.
    pub(super) fn demand<'a>(&'a self, frame: &Frame<'a>, level: &Level<'a>) -> FillResult<Value<'a>> {
        self.find(frame, level)?.ok_or_else(|| self.missing())
    }

    /// The error for a missing value.
    pub(super) fn missing(&self) -> Box<MissingValue> {
        MissingValue::new(match self {
            Expression::Path(path) => format!("the page has no `{}` here", path.text),
            Expression::Call(operation, _) => {
                format!("`{}` is given what the page does not have here", operation.name)
            }
            Expression::Literal(_) => "this is not a list".to_owned(),
            Expression::Index(_) | Expression::Key(_) | Expression::First(_) | Expression::Last(_) => {
                "there is no `{{#each}}` around this that has it".to_owned()
            }
        })
    }
}

impl Path {
    /// Parses a path. Handlebars keeps marks such as `../` only in its text.
    fn new(segments: &[PathSeg], text: &str) -> Result<Path, String> {
        let named = segments.iter().filter_map(|segment| match segment {
            PathSeg::Named(name) => Some(name.clone()),
            _ => None,
        });
        let names: Box<[String]> = named.collect();
        let marks = segments.len() - names.len();
        let from = match marks {
            0 if text.starts_with(['.', '/']) || text.split(['.', '/']).next() == Some("this") => {
                Start::Level(0)
            }
            0 => Start::Name,
            1 if text.starts_with("@root") => Start::Root,
            _ if text.starts_with(&"../".repeat(marks)) => Start::Level(marks),
            _ => return Err(format!("`{text}` is not a path; write `../name` or `@root.name`")),
        };
        Ok(Path { from, names, text: text.into() })
    }

    fn find<'a>(&self, frame: &Frame<'a>, level: &Level<'a>) -> Option<Value<'a>> {
        let mut names = &self.names[..];
        let start = match self.from {
            Start::Name => {
                match names.split_first().and_then(|(name, rest)| Some((level.named(name)?, rest))) {
                    Some((value, rest)) => {
                        names = rest;
                        value
                    }
                    None => level.here,
                }
            }
            Start::Level(up) => level.up(up).here,
            Start::Root => Value::Fact(frame.filling.root),
        };
        names.iter().try_fold(start, |value, name| value.get(name))
    }
}

/// The names of all operations, for messages.
pub(super) fn operations() -> String {
    let names: Vec<String> = OPERATIONS.iter().map(|operation| format!("`{}`", operation.name)).collect();
    names.join(", ")
}
