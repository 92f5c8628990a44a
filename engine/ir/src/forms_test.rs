//! Holds the readers of types and attributes to what `mlir-opt` says of them.

use crate::{Cursor, Definitions, Limits, Tokens, attributes};

/// Reads `{a = …}` and returns the message of the error, if there is one.
fn message(text: &str) -> Option<String> {
    let text = format!("{{a = {text}}}");
    let (tokens, definitions, limits) = (Tokens::new(&text), Definitions::default(), Limits::default());
    let mut cursor = Cursor::new(&text, &tokens, &definitions, &limits);
    let is_read = attributes::read_dictionary(&mut cursor).is_ok();
    assert_eq!(is_read, cursor.errors.is_empty(), "{text}");
    cursor.errors.first().map(|error| error.message.to_string())
}

#[test]
fn forms_are_read_as_by_the_release() {
    let mut wrong = Vec::new();
    for row in include_str!("../tests/forms.tsv").lines().filter(|line| !line.starts_with("# ")) {
        let Some((text, expected)) = row.split_once('\t') else { continue };
        let is_beyond = expected.starts_with('~');
        let expected = Some(expected.to_owned()).filter(|message| !message.is_empty() && !is_beyond);
        let found = message(text);
        if found != expected {
            wrong.push(format!("{text}\n    expected {expected:?}\n    found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_forms_do_not_panic() {
    let parts = [
        "i32",
        "tensor",
        "<",
        ">",
        "4",
        "x",
        "?",
        "*",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "->",
        ",",
        ":",
        "dense",
        "1.5",
        "-",
        "0xFF",
        "\"a\"",
        "true",
        "#a",
        "!d.t",
        "@s",
        "::",
        "affine_map",
        "affine_set",
        "loc",
        "array",
        "strided",
        "vector",
        "memref",
        "complex",
        "tuple",
        "d0",
        "+",
        "mod",
        "==",
        ">=",
        "fused",
        "callsite",
        "at",
        "=",
        "%v",
        "i16777217",
        "si",
        "unit",
        "distinct",
        "sparse",
        "dense_resource",
        " ",
        "xf32",
        "é",
        "\"",
        "offset",
    ];
    let mut state = 65_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..20_000 {
        let text: String = (0..below(16)).map(|_| parts[below(parts.len())]).collect();
        let _ = message(&text);
    }
}
