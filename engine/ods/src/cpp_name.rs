//! C++ names that follow from the names of records, and pieces of qualified names.

/// Returns the C++ class name of a definition: the record's name without the part before its first `_`.
///
/// A name that begins with `_` is kept whole, and so is the part before a single `_` at the end.
#[must_use]
pub fn class_name(record: &str) -> &str {
    match record.split_once('_') {
        None | Some(("", _)) => record,
        Some((prefix, "")) => prefix,
        Some((_, class)) => class,
    }
}

/// Joins `namespace` and `class`: `ns::Class`, or the bare class if the namespace is empty.
#[must_use]
pub fn qualified(namespace: &str, class: &str) -> String {
    if namespace.is_empty() { class.to_owned() } else { [namespace, "::", class].concat() }
}

/// Returns the components of a namespace such as `::mlir::arith`.
pub fn namespaces(namespace: &str) -> impl DoubleEndedIterator<Item = &str> + Clone {
    namespace.split(':').filter(|name| !name.is_empty())
}

/// Converts `snake_case` to `snakeCase`, or to `SnakeCase` if `capital`. A `_` before a lower-case letter is dropped
/// and the letter becomes a capital; any other `_` stays.
#[must_use]
pub fn camel_case(snake: &str, capital: bool) -> String {
    let mut out = String::with_capacity(snake.len());
    push_camel_case(snake, capital, &mut out);
    out
}

/// Capitalizes the first letter.
#[must_use]
pub fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn push_camel_case(snake: &str, capital: bool, out: &mut String) {
    let mut rest = snake;
    if let Some(first) = rest.chars().next() {
        out.push(if capital { first.to_ascii_uppercase() } else { first });
        rest = &rest[first.len_utf8()..];
    }
    while let Some(at) = memchr::memchr(b'_', rest.as_bytes()) {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        out.push_str(before);
        rest = match after.as_bytes().first() {
            Some(letter) if letter.is_ascii_lowercase() => {
                out.push(char::from(letter.to_ascii_uppercase()));
                &after[1..]
            }
            _ => {
                out.push('_');
                after
            }
        };
    }
    out.push_str(rest);
}

/// Returns the getter of an operand, attribute, …: `getSomeName` for `some_name`.
#[must_use]
pub fn getter(name: &str) -> String {
    prefixed("get", name)
}

/// Returns the setter of an attribute or property: `setSomeName` for `some_name`.
#[must_use]
pub fn setter(name: &str) -> String {
    prefixed("set", name)
}

fn prefixed(prefix: &str, name: &str) -> String {
    let mut out = String::with_capacity(prefix.len() + name.len());
    out.push_str(prefix);
    push_camel_case(name, true, &mut out);
    out
}

/// Converts `camelCase` to `camel_case`; a run of capitals counts as one word.
#[must_use]
pub fn snake_case(camel: &str) -> String {
    let bytes = camel.as_bytes();
    let mut out = String::with_capacity(camel.len() + 4);
    for (index, c) in camel.char_indices() {
        let is_word_start = c.is_ascii_uppercase()
            && index.checked_sub(1).is_some_and(|before| match bytes[before] {
                before if before.is_ascii_uppercase() => {
                    bytes.get(index + 1).is_some_and(u8::is_ascii_lowercase)
                }
                before => before.is_ascii_alphanumeric(),
            });
        if is_word_start {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Converts `camelCase` to `camel_case`; each capital letter begins a word.
#[must_use]
pub fn snake_case_by_letters(camel: &str) -> String {
    let mut out = String::with_capacity(camel.len() + 4);
    for c in camel.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names() {
        assert_eq!(class_name("TF_AddOp"), "AddOp");
        assert_eq!(class_name("TF_Add_Op"), "Add_Op");
        assert_eq!(class_name("AddOp"), "AddOp");
        assert_eq!(class_name("_AddOp"), "_AddOp");
        assert_eq!(class_name("H_"), "H");
    }

    #[test]
    fn camel_cases() {
        assert_eq!(camel_case("some_name", true), "SomeName");
        assert_eq!(camel_case("some_name", false), "someName");
        assert_eq!(camel_case("a__b", true), "A_B");
        assert_eq!(camel_case("x1_2y_", true), "X1_2y_");
        assert_eq!(camel_case("_x", true), "_x");
    }

    #[test]
    fn snake_cases() {
        let cases =
            [("aBcd1E", "a_bcd1_e"), ("HTTPServer", "http_server"), ("AB1C", "ab1_c"), ("a__B_", "a__b_")];
        for (name, expected) in cases {
            assert_eq!(snake_case(name), expected);
        }
    }
}
