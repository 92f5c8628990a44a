//! The definitions of a library's file as markers: `class A`, `A<argument`, `A.field`, `A.field = default`.

use std::{collections::BTreeSet, ops::Range};

use odsmith_tablegen::outline::{
    ItemKind, Outline, Statement, StatementKind,
    symbols::{arguments, fields},
};

/// The longest default value that is written out; a longer one is represented by its digest.
const LONGEST_DEFAULT: usize = 32;

/// Fields with texts for readers, which mark no release.
const TEXTS: [&str; 2] = ["summary", "description"];

/// Returns the digest of a file's bytes. It takes eight at a time, because it is asked for all files of all libraries of a
/// server.
#[must_use]
pub fn digest(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    let digest = words.chain([text.len() as u64]).fold(SEED, mixed);
    digest ^ digest >> 32
}

fn mixed(digest: u64, word: u64) -> u64 {
    (digest.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The start of a digest. The table keeps digests, so they are the same in each build.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns the digest of a marker.
#[must_use]
pub fn digest_of_marker(marker: &str) -> u64 {
    digest(marker.as_bytes())
}

/// Returns the markers of a file. The many records of dialects mark no release: generators have no rules for them.
#[must_use]
pub fn markers(path: &str, text: &[u8]) -> BTreeSet<String> {
    let has_records = !path.starts_with("mlir/Dialect/");
    let outline = Outline::new("", text);
    let mut all = BTreeSet::new();
    let mut open: Vec<&Statement> = outline.statements.iter().collect();
    while let Some(statement) = open.pop() {
        // The definitions in a multiclass are made where it is used.
        if statement.kind != StatementKind::Multiclass {
            open.extend(&statement.children);
        }
        let keyword = match statement.kind {
            StatementKind::Class => "class",
            StatementKind::Def if has_records => "def",
            StatementKind::Multiclass => "multiclass",
            _ => continue,
        };
        let Some(name) = statement.whole_name().map(|name| outline.text_of(name)) else { continue };
        all.insert(format!("{keyword} {name}"));
        all.extend(arguments(&outline, statement).into_iter().map(|it| format!("{name}<{}", it.name)));
        if statement.kind == StatementKind::Class {
            all.extend(fields(&outline, statement).map(|field| format!("{name}.{}", field.name)));
            for item in &statement.items {
                let field = outline.text_of(item.name);
                let is_default = matches!(item.kind, ItemKind::Declaration | ItemKind::Let);
                if let Some(value) = outline.value_of(item).filter(|_| is_default && !TEXTS.contains(&field))
                {
                    all.insert(format!("{name}.{field} = {}", default(&outline, value)));
                }
            }
        }
    }
    all
}

/// Returns the text of a default value on one line.
fn default(outline: &Outline, value: Range<usize>) -> String {
    let words: Vec<&str> = outline.code_in(value).into_iter().map(|word| outline.text_of(word)).collect();
    let text = words.concat();
    let is_short = text.len() <= LONGEST_DEFAULT && !text.contains('\n');
    if is_short { text } else { format!("#{:08x}", digest_of_marker(&text) >> 32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_names_arguments_fields_and_defaults() {
        let text = br#"
            // A comment.
            class A<int n = 1> : B { string s = "x"; int m; let m = 2; let t = 3; code c = [{ long enough to be a digest of it }]; }
            let t = 1 in { def One : A<[], "s"> { int own = 5; } }
            multiclass M<int k> { def "" : A<[]>; def Inner : A<[]>; }
        "#;
        let all = markers("mlir/IR/A.td", text);
        let digest = all.iter().find_map(|marker| marker.strip_prefix("A.c = ")).expect("a default");
        assert!(digest.len() == 9 && digest.starts_with('#'), "{digest}");
        let shown: Vec<&str> =
            all.iter().map(String::as_str).filter(|it| !it.starts_with("A.c = ")).collect();
        assert_eq!(
            shown,
            [
                "A.c",
                "A.m",
                "A.m = 2",
                "A.s",
                "A.s = \"x\"",
                "A.t = 3",
                "A<n",
                "M<k",
                "class A",
                "def One",
                "multiclass M"
            ]
        );
        assert!(!markers("mlir/Dialect/A/IR/A.td", text).contains("def One"));
    }

    #[test]
    fn each_byte_counts() {
        let texts = ["", "\0", "a", "class A;", "class B;", "class A; class B;", "class B; class A;"];
        let digests: BTreeSet<u64> = texts.iter().map(|text| digest(text.as_bytes())).collect();
        assert_eq!(digests.len(), texts.len());
    }
}
