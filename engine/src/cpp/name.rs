//! Spelling one name in another case, as the reference does.

/// `snake_case` to `UpperCamelCase`: `some_name` is `SomeName`.
///
/// Only an underscore with a lower-case letter behind it goes away, so `a__b` is `A_B`, `_x` is `_x` and `a_1` is `A_1`.
#[must_use]
pub fn upper_camel(name: &str) -> String {
    camel(name, true)
}

/// `snake_case` to `lowerCamelCase`; the first letter stays as it is.
#[must_use]
pub fn lower_camel(name: &str) -> String {
    camel(name, false)
}

fn camel(name: &str, is_upper: bool) -> String {
    let mut text = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    if let Some(first) = chars.next() {
        text.push(if is_upper { first.to_ascii_uppercase() } else { first });
    }
    while let Some(char) = chars.next() {
        match chars.next_if(|next| char == '_' && next.is_ascii_lowercase()) {
            Some(lower) => text.push(lower.to_ascii_uppercase()),
            None => text.push(char),
        }
    }
    text
}

/// `CamelCase` to `snake_case`: `SomeName` is `some_name`; a run of capitals is one word, `HTTPName` is `http_name`.
#[must_use]
pub fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let bytes = name.as_bytes();
    for (index, char) in name.char_indices() {
        let follows_word = index > 0 && {
            let before = bytes[index - 1];
            let next_is_lower = bytes.get(index + 1).is_some_and(u8::is_ascii_lowercase);
            before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || (before.is_ascii_uppercase() && next_is_lower)
        };
        if char.is_ascii_uppercase() && follows_word {
            text.push('_');
        }
        text.push(char.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_cases() {
        let names = ["some_name", "a__b", "_x", "x_", "x1_2y", "ALLCAPS", "", "é_a"];
        assert_eq!(names.map(upper_camel), ["SomeName", "A_B", "_x", "X_", "X1_2y", "ALLCAPS", "", "éA"]);
        assert_eq!(names.map(lower_camel), ["someName", "a_B", "_x", "x_", "x1_2y", "ALLCAPS", "", "éA"]);
    }

    #[test]
    fn snake_cases() {
        assert_eq!(
            ["SomeName", "HTTPName", "opDef", "A"].map(snake),
            ["some_name", "http_name", "op_def", "a"]
        );
    }
}
