//! Predicates and helpers for names and texts.

/// Words of other languages that are no truth values of C++.
pub(super) const NO_TRUTH_VALUES: &[&str] =
    &["True", "False", "yes", "no", "on", "off", "Yes", "No", "On", "Off"];

/// Returns true for `snake_case`, digits and dots included.
pub(super) fn is_snake_case(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.'))
}

/// Returns true if a word has a capital after a small letter: `camelCase`.
pub(super) fn is_camel_case(text: &str) -> bool {
    !text.contains('_')
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Returns true for `kebab-case`.
pub(super) fn is_kebab_case(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.split('-').all(is_part)
}

/// Splits a name into words: `alloc_tensor`, `AllocTensor` and `alloc.tensor` have two.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            parts.push(String::new());
        }
        if let Some(last) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            last.extend(c.to_lowercase());
        }
        before = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Shortens a text to one line for a message.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 100;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("'{}…'", &text[..end]),
        None => format!("'{text}'"),
    }
}

/// Joins names as in a sentence: `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{}'", name.as_ref())).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Returns true for a word that C++ reserves.
pub(super) fn is_cpp_keyword(word: &str) -> bool {
    const WORDS: &str = " alignas alignof and asm auto bool break case catch char class concept const consteval constexpr constinit \
        const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export \
        extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private \
        protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct \
        switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile \
        wchar_t while xor ";
    WORDS.split_ascii_whitespace().any(|known| known == word)
}

/// Returns true for a word that Python reserves.
pub(super) fn is_python_keyword(word: &str) -> bool {
    const WORDS: &str = "False None True and as assert async await break class continue def del elif else except finally for \
        from global if import in is lambda nonlocal not or pass raise return try while with yield";
    WORDS.split_ascii_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(parts("allocTensor_like.x"), ["alloc", "tensor", "like", "x"]);
        assert!(is_snake_case("a_b.c1") && !is_snake_case("aB"));
        assert!(is_camel_case("aB") && !is_camel_case("a_B") && !is_camel_case("ab"));
        assert!(is_kebab_case("a-b2") && !is_kebab_case("a--b") && !is_kebab_case("aB"));
        assert_eq!(listed(&["a", "b", "c"]), "'a', 'b' and 'c'");
    }
}
