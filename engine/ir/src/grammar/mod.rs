//! Grammars of IR for editors and highlighters, which know no definitions: the text of the format as a whole, with the names of
//! some dialects and the words of their formats.

use std::{collections::BTreeSet, fmt::Write as _};

use crate::{
    definitions::Definitions,
    format::PieceKind,
    types::{SHAPED, floats},
};

/// A kind of grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarKind {
    /// tree-sitter: a parser with queries.
    TreeSitter,
    /// TextMate, as VS Code, GitHub and Shiki read it.
    TextMate,
    /// A lexer of Pygments, which Sphinx and MkDocs use.
    Pygments,
    /// A syntax file of Vim and Neovim.
    Vim,
}

/// The notation of a file, which decides how words are listed and escaped in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// Expressions in JSON.
    Json,
    /// Expressions in Python.
    Python,
    Vim,
    JavaScript,
    /// A query of tree-sitter.
    Query,
}

/// A file of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarFile {
    /// Its path below the grammar's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The words of a grammar.
#[derive(Clone, Debug)]
pub struct Vocabulary<'d> {
    /// The name of the grammar: `toy`.
    name: String,
    /// Each dialect, with the rest of the names of its operations.
    dialects: Vec<(&'d str, Vec<&'d str>)>,
    /// Operations that are written without their dialect.
    short: BTreeSet<&'d str>,
    /// The words of formats.
    keywords: BTreeSet<&'d str>,
}

/// Words that begin attributes of the builtin dialect.
const ATTRIBUTES: [&str; 12] = [
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "distinct",
    "false",
    "loc",
    "sparse",
    "strided",
    "true",
    "unit",
];

/// Words that `syntax keyword` of Vim takes for its own arguments.
const VIM_ARGUMENTS: [&str; 14] = [
    "cchar",
    "conceal",
    "contained",
    "containedin",
    "contains",
    "display",
    "extend",
    "fold",
    "nextgroup",
    "oneline",
    "skipempty",
    "skipnl",
    "skipwhite",
    "transparent",
];

impl<'d> Vocabulary<'d> {
    /// Collects the words of some dialects. `name` names the grammar; what is no letter, digit or `_` in it becomes `_`.
    #[must_use]
    pub fn new(name: &str, definitions: &'d Definitions, is_meant: impl Fn(&str) -> bool) -> Self {
        let mut names: Vec<(&str, &str)> =
            definitions.operations().iter().filter_map(|op| op.name.split_once('.')).collect();
        names.sort_unstable();
        let defaults: BTreeSet<&str> =
            definitions.operations().iter().filter_map(|op| op.default_dialect.as_deref()).collect();
        let is_default =
            |dialect: &str| dialect == "builtin" || dialect == "func" || defaults.contains(dialect);
        let mut words = Vocabulary {
            name: name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect(),
            dialects: Vec::new(),
            short: BTreeSet::new(),
            keywords: BTreeSet::new(),
        };
        for (dialect, rest) in names {
            let is_basic = matches!(dialect, "builtin" | "func");
            if (is_basic || is_meant(dialect)) && is_default(dialect) && is_word(rest) {
                words.short.insert(rest);
            }
            if !is_meant(dialect) {
                continue;
            }
            match words.dialects.last_mut() {
                Some((last, names)) if *last == dialect => names.push(rest),
                _ => words.dialects.push((dialect, vec![rest])),
            }
        }
        for op in definitions.operations() {
            for piece in op.program.iter().flat_map(|program| program.pieces()) {
                match &piece.kind {
                    PieceKind::Literal(word) => words.add_keyword(word),
                    PieceKind::Case { words: cases } => cases.iter().for_each(|word| words.add_keyword(word)),
                    _ => {}
                }
            }
        }
        words
    }

    fn add_keyword(&mut self, word: &'d str) {
        let is_more =
            SHAPED.contains(&word) || ATTRIBUTES.contains(&word) || matches!(word, "index" | "none");
        if is_word(word) && !is_more {
            self.keywords.insert(word);
        }
    }

    /// Returns the files of a grammar.
    #[must_use]
    pub fn files(&self, kind: GrammarKind) -> Vec<GrammarFile> {
        let name = &self.name;
        let file = |path: String, notation: Notation, template: &str| GrammarFile {
            path,
            text: self.fill(template, notation),
        };
        match kind {
            GrammarKind::TextMate => {
                vec![file(format!("{name}.tmLanguage.json"), Notation::Json, include_str!("textmate.json"))]
            }
            GrammarKind::Pygments => {
                vec![file(format!("{name}_lexer.py"), Notation::Python, include_str!("pygments.py"))]
            }
            GrammarKind::Vim => vec![
                file(format!("syntax/{name}.vim"), Notation::Vim, include_str!("syntax.vim")),
                file(format!("ftdetect/{name}.vim"), Notation::Vim, include_str!("ftdetect.vim")),
            ],
            GrammarKind::TreeSitter => vec![
                file("grammar.js".to_owned(), Notation::JavaScript, include_str!("tree_sitter.js")),
                file("queries/highlights.scm".to_owned(), Notation::Query, include_str!("highlights.scm")),
                file("queries/folds.scm".to_owned(), Notation::Query, include_str!("folds.scm")),
                file("tree-sitter.json".to_owned(), Notation::Json, include_str!("tree_sitter.json")),
            ],
        }
    }

    /// Fills a template: `@NAME@` and the like are replaced.
    fn fill(&self, template: &str, notation: Notation) -> String {
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('@') {
            text += before;
            let Some((mark, after_mark)) = after.split_once('@') else {
                text.push('@');
                rest = after;
                continue;
            };
            let value = match mark {
                "NAME" => self.name.clone(),
                "CLASS" => class_name(&self.name),
                "OPERATIONS" => self.operations(notation),
                "SHORT" => joined(&self.short, notation),
                "KEYWORDS" => {
                    let is_plain = |word: &&&str| notation != Notation::Vim || !VIM_ARGUMENTS.contains(*word);
                    joined(self.keywords.iter().filter(is_plain), notation)
                }
                "MATCHES" => {
                    let matched = self.keywords.iter().filter(|word| VIM_ARGUMENTS.contains(*word));
                    matched.map(|word| format!("syntax match mlirKeyword /\\<{word}\\>/\n")).collect()
                }
                "FLOATS" => joined(floats(), notation),
                "SHAPED" => joined(SHAPED, notation),
                "ATTRIBUTES" => joined(ATTRIBUTES, notation),
                _ => {
                    text.push('@');
                    rest = after;
                    continue;
                }
            };
            text += &value;
            rest = after_mark;
        }
        text + rest
    }

    /// Returns an expression for the operations: `toy\.(?:add|mul)|…`, or the items of a list of whole names.
    fn operations(&self, notation: Notation) -> String {
        if !matches!(notation, Notation::Json | Notation::Python) {
            let whole: Vec<String> = (self.dialects.iter())
                .flat_map(|(dialect, names)| names.iter().map(move |name| format!("{dialect}.{name}")))
                .collect();
            return joined(whole.iter().map(String::as_str), notation);
        }
        let mut expression = String::new();
        for (dialect, names) in &self.dialects {
            let bar = if expression.is_empty() { "" } else { "|" };
            let _ = write!(expression, "{bar}{}", escaped(dialect, notation));
            expression += if notation == Notation::Json { "\\\\.(?:" } else { "\\.(?:" };
            // A longer name comes before its beginning.
            let mut names = names.clone();
            names.sort_unstable_by(|a, b| b.cmp(a));
            let names: Vec<String> = names.iter().map(|name| escaped(name, notation)).collect();
            expression += &names.join("|");
            expression.push(')');
        }
        // An expression that matches nothing.
        if expression.is_empty() { "(?!)".to_owned() } else { expression }
    }
}

/// Returns true if a text is a word of IR.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '$'))
}

/// Escapes what is special in an expression.
fn escaped(text: &str, notation: Notation) -> String {
    let slash = if notation == Notation::Json { "\\\\" } else { "\\" };
    text.chars().fold(String::new(), |mut text, it| {
        if !it.is_ascii_alphanumeric() && it != '_' {
            text += slash;
        }
        text.push(it);
        text
    })
}

/// Returns words as a part of an expression, or as the items of a list.
fn joined<'w>(
    words: impl IntoIterator<Item = &'w (impl AsRef<str> + ?Sized + 'w)>,
    notation: Notation,
) -> String {
    let words = words.into_iter().map(AsRef::as_ref);
    let lines = |lines: Vec<String>| lines.join("\n");
    match notation {
        Notation::JavaScript => lines(words.map(|word| format!("  {word:?},")).collect()),
        Notation::Query => lines(words.map(|word| format!("  {word:?}")).collect()),
        Notation::Vim => words.map(|word| format!("\n  \\ {word}")).collect(),
        Notation::Json | Notation::Python => {
            let mut words: Vec<&str> = words.collect();
            words.sort_unstable_by(|a, b| b.cmp(a));
            let words: Vec<String> = words.into_iter().map(|word| escaped(word, notation)).collect();
            if words.is_empty() { "(?!)".to_owned() } else { words.join("|") }
        }
    }
}

/// Returns the name of a class: `my_toy` → `MyToy`.
fn class_name(name: &str) -> String {
    name.split('_').fold(String::new(), |mut class, part| {
        let mut letters = part.chars();
        class.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        class + letters.as_str()
    })
}
