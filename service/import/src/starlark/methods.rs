//! Starlark's functions, and the methods of texts, lists and dictionaries.

use super::Value;

/// The most numbers of a `range`.
const MOST_NUMBERS: i64 = 10_000;

/// Calls a method; `None` if it is not known, or not for these values.
pub(super) fn method(of: &Value, method: &str, values: &[Value]) -> Option<Value> {
    let text = |text: String| Some(Value::Text(text));
    match (of, method, values) {
        (Value::Text(of), "lower", []) => text(of.to_lowercase()),
        (Value::Text(of), "upper", []) => text(of.to_uppercase()),
        (Value::Text(of), "capitalize", []) => {
            let mut chars = of.chars();
            text(
                chars
                    .next()
                    .map(|char| char.to_uppercase().to_string() + &chars.as_str().to_lowercase())
                    .unwrap_or_default(),
            )
        }
        (Value::Text(of), "title", []) => {
            let mut is_inside = false;
            let titled = of.chars().map(|char| {
                let char = if is_inside { char.to_ascii_lowercase() } else { char.to_ascii_uppercase() };
                is_inside = char.is_alphabetic();
                char
            });
            text(titled.collect())
        }
        (Value::Text(of), "strip", []) => text(of.trim().to_owned()),
        (Value::Text(of), "replace", [Value::Text(from), Value::Text(to)]) => text(of.replace(from, to)),
        (Value::Text(of), "removesuffix", [Value::Text(end)]) => {
            text(of.strip_suffix(end.as_str()).unwrap_or(of).to_owned())
        }
        (Value::Text(of), "removeprefix", [Value::Text(start)]) => {
            text(of.strip_prefix(start.as_str()).unwrap_or(of).to_owned())
        }
        (Value::Text(of), "startswith", [Value::Text(start)]) => {
            Some(Value::bool(of.starts_with(start.as_str())))
        }
        (Value::Text(of), "endswith", [Value::Text(end)]) => Some(Value::bool(of.ends_with(end.as_str()))),
        (Value::Text(of), "split", [Value::Text(between)]) if !between.is_empty() => {
            Some(Value::List(of.split(between.as_str()).map(|part| Value::Text(part.to_owned())).collect()))
        }
        (Value::Text(of), "rsplit", [Value::Text(between), Value::Number(1)]) if !between.is_empty() => {
            let parts = match of.rsplit_once(between.as_str()) {
                Some((before, after)) => vec![before, after],
                None => vec![of.as_str()],
            };
            Some(Value::List(parts.into_iter().map(|part| Value::Text(part.to_owned())).collect()))
        }
        (Value::Text(separator), "join", [Value::List(parts)]) => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::text).collect();
            text(parts?.join(separator))
        }
        (Value::Dict(entries), "get", [key, default @ ..]) if key.is_known() => {
            let value = entries.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
            Some(value.unwrap_or_else(|| default.first().cloned().unwrap_or(Value::NONE)))
        }
        (Value::Dict(entries), "keys", []) => {
            Some(Value::List(entries.iter().map(|(key, _)| key.clone()).collect()))
        }
        (Value::Dict(entries), "values", []) => {
            Some(Value::List(entries.iter().map(|(_, value)| value.clone()).collect()))
        }
        (Value::Dict(entries), "items", []) => {
            let pair = |(key, value): &(Value, Value)| Value::List(vec![key.clone(), value.clone()]);
            Some(Value::List(entries.iter().map(pair).collect()))
        }
        // The value of a name stays as it is: only its statement would change it.
        (Value::Dict(entries), "pop", [key, default @ ..]) => {
            let value = entries.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
            value.or_else(|| default.first().cloned())
        }
        _ => None,
    }
}

/// Changes the value of a name by a method; returns false if the method does not.
pub(super) fn change(value: &mut Value, method: &str, mut arguments: Vec<Value>) -> bool {
    match (value, method, arguments.len()) {
        (Value::List(values), "append", 1) => values.append(&mut arguments),
        (Value::List(values), "extend", 1) => match arguments.pop() {
            Some(Value::List(mut more)) => values.append(&mut more),
            more => values.extend(more.map(|_| Value::Unknown("a list".to_owned()))),
        },
        (Value::Dict(entries), "update", 1) => match arguments.pop() {
            Some(Value::Dict(more)) => more.into_iter().for_each(|(key, value)| insert(entries, key, value)),
            _ => return false,
        },
        (Value::Dict(entries), "pop", 1 | 2) => entries.retain(|(key, _)| *key != arguments[0]),
        _ => return false,
    }
    true
}

/// Calls a function of the language; `None` if it is none of those known here.
pub(super) fn builtin(name: &str, values: &[Value]) -> Option<Value> {
    match (name, values) {
        ("str", [Value::Number(number)]) => Some(Value::Text(number.to_string())),
        ("str" | "Label", [Value::Text(text)]) => Some(Value::Text(text.clone())),
        ("list" | "tuple", []) => Some(Value::List(Vec::new())),
        ("list" | "tuple", [value]) => elements(value.clone()).map(Value::List),
        ("len", [Value::Text(text)]) => i64::try_from(text.chars().count()).ok().map(Value::Number),
        ("len", [value]) => i64::try_from(elements(value.clone())?.len()).ok().map(Value::Number),
        ("bool", [value]) => value.truth().map(Value::bool),
        ("type", [value]) => {
            let name = match value {
                Value::Text(_) => "string",
                Value::Number(_) => "int",
                Value::List(_) => "list",
                Value::Dict(_) => "dict",
                Value::Constant("None") => "NoneType",
                Value::Constant(_) => "bool",
                Value::Function(_) | Value::External(_) => "function",
                Value::Unknown(_) => return None,
            };
            Some(Value::Text(name.to_owned()))
        }
        ("range", values) => {
            let (first, end) = match values {
                [Value::Number(end)] => (0, *end),
                [Value::Number(first), Value::Number(end)] => (*first, *end),
                _ => return None,
            };
            let end = end.min(first.saturating_add(MOST_NUMBERS));
            Some(Value::List((first..end).map(Value::Number).collect()))
        }
        ("enumerate", [value]) => {
            let pairs = (0_i64..).zip(elements(value.clone())?);
            Some(Value::List(
                pairs.map(|(index, value)| Value::List(vec![Value::Number(index), value])).collect(),
            ))
        }
        ("sorted", [value]) => {
            let values = elements(value.clone())?;
            let mut texts: Vec<&str> = values.iter().map(Value::text).collect::<Option<_>>()?;
            texts.sort_unstable();
            Some(Value::List(texts.into_iter().map(|text| Value::Text(text.to_owned())).collect()))
        }
        // Files and configurations are not part of the build files.
        ("glob" | "select" | "struct" | "depset" | "hasattr" | "getattr" | "print", _) => {
            Some(Value::Unknown(format!("the value of {name}()")))
        }
        _ => None,
    }
}

/// Returns the dictionary of `dict(…)`.
pub(super) fn dict(arguments: Vec<(String, Value)>) -> Option<Value> {
    let mut entries = Vec::new();
    for (name, value) in arguments {
        match (name.as_str(), value) {
            ("", Value::Dict(more)) => {
                more.into_iter().for_each(|(key, value)| insert(&mut entries, key, value))
            }
            ("" | "*" | "**", _) => return None,
            (_, value) => insert(&mut entries, Value::Text(name), value),
        }
    }
    Some(Value::Dict(entries))
}

/// Sets an entry of a dictionary; a known key keeps its place.
pub(super) fn insert(entries: &mut Vec<(Value, Value)>, key: Value, value: Value) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

/// Returns the values that a loop visits.
pub(super) fn elements(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::List(values) => Some(values),
        Value::Dict(entries) => Some(entries.into_iter().map(|(key, _)| key).collect()),
        _ => None,
    }
}

/// Returns an element by its index or key.
pub(super) fn element(of: &Value, index: &Value) -> Option<Value> {
    match (of, index) {
        (Value::List(values), Value::Number(index)) => values.get(place(*index, values.len())?).cloned(),
        (Value::Text(text), Value::Number(index)) => {
            let chars: Vec<char> = text.chars().collect();
            chars.get(place(*index, chars.len())?).map(|char| Value::Text(char.to_string()))
        }
        (Value::Dict(entries), key) => {
            entries.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
        }
        _ => None,
    }
}

/// Returns the part of a list or a text between two ends.
pub(super) fn part(of: &Value, ends: &[Option<Value>; 2]) -> Option<Value> {
    let end = |end: &Option<Value>, length: usize, default: usize| match end {
        None => Some(default),
        Some(Value::Number(number)) if *number < 0 => Some(place(*number, length).unwrap_or(0)),
        Some(Value::Number(number)) => Some(usize::try_from(*number).unwrap_or(length).min(length)),
        Some(_) => None,
    };
    let between = |length: usize| {
        let (from, to) = (end(&ends[0], length, 0)?, end(&ends[1], length, length)?);
        Some(from..to.max(from))
    };
    match of {
        Value::List(values) => Some(Value::List(values[between(values.len())?].to_vec())),
        Value::Text(text) => {
            let chars: Vec<char> = text.chars().collect();
            Some(Value::Text(chars[between(chars.len())?].iter().collect()))
        }
        _ => None,
    }
}

/// Returns the place of an index, which counts from the end if it is negative.
fn place(index: i64, length: usize) -> Option<usize> {
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

/// Fills `{}`, `{0}` and `{name}` in a format string.
pub(super) fn format(form: &str, arguments: &[(String, Value)]) -> Value {
    let unknown = || Value::Unknown("a text that is put together".to_owned());
    let in_order: Vec<&Value> =
        arguments.iter().filter(|(name, _)| name.is_empty()).map(|(_, value)| value).collect();
    let (mut text, mut rest, mut next) = (String::new(), form, 0);
    while let Some(at) = rest.find(['{', '}']) {
        text += &rest[..at];
        let after = &rest[at + 1..];
        if after.starts_with(&rest[at..=at]) {
            text += &rest[at..=at];
            rest = &after[1..];
            continue;
        }
        let Some((name, after)) = after.split_once('}').filter(|_| rest[at..].starts_with('{')) else {
            return unknown();
        };
        let value = if name.is_empty() {
            next += 1;
            in_order.get(next - 1).copied()
        } else if let Ok(index) = name.parse::<usize>() {
            in_order.get(index).copied()
        } else {
            arguments.iter().find(|(given, _)| given == name).map(|(_, value)| value)
        };
        match value {
            Some(Value::Text(value)) => text += value,
            Some(Value::Number(value)) => text += &value.to_string(),
            _ => return unknown(),
        }
        rest = after;
    }
    Value::Text(text + rest)
}

/// Fills the placeholders of a format string, `%s` and `%d`, in order.
pub(super) fn fill(form: &str, values: &[Value]) -> Value {
    let unknown = || Value::Unknown("a text that is put together".to_owned());
    let mut values = values.iter();
    let mut text = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('%') {
        text += before;
        rest = after.get(1..).unwrap_or_default();
        match (after.as_bytes().first(), values.as_slice().first()) {
            (Some(b'%'), _) => {
                text.push('%');
                continue;
            }
            (Some(b's'), Some(Value::Text(value))) => text += value,
            (Some(b's' | b'd'), Some(Value::Number(value))) => text += &value.to_string(),
            _ => return unknown(),
        }
        values.next();
    }
    if values.next().is_some() {
        return unknown();
    }
    Value::Text(text + rest)
}
