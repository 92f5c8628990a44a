//! Semantic tokens: names by the kind of their definition, and the languages inside strings.

use odsmith_engine::{
    eval::trace::SymbolKind,
    outline::{Kind, lexical::is_word_byte},
};

use crate::{document::Document, ir, operators::DIRECTIVES, workspace::Workspace};

/// The role of a token, which chooses its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word itself")]
pub enum Role {
    Keyword,
    Type,
    Class,
    Def,
    Multiclass,
    Field,
    Argument,
    Variable,
    Operator,
    Number,
    String,
    Comment,
    Macro,
    Directive,
    Literal,
    Placeholder,
}

/// Every role, in the order of the protocol's legend.
pub const ROLES: &[Role] = &[
    Role::Keyword,
    Role::Type,
    Role::Class,
    Role::Def,
    Role::Multiclass,
    Role::Field,
    Role::Argument,
    Role::Variable,
    Role::Operator,
    Role::Number,
    Role::String,
    Role::Comment,
    Role::Macro,
    Role::Directive,
    Role::Literal,
    Role::Placeholder,
];

/// A semantic token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
    /// Its role.
    pub role: Role,
    /// True if the name is defined here.
    pub is_definition: bool,
}

const KEYWORDS: &[&str] = &[
    "assert",
    "class",
    "def",
    "defm",
    "defset",
    "deftype",
    "defvar",
    "dump",
    "else",
    "false",
    "field",
    "foreach",
    "if",
    "in",
    "include",
    "let",
    "multiclass",
    "then",
    "true",
];
const TYPES: &[&str] = &["bit", "bits", "code", "dag", "int", "list", "string"];

/// Returns the semantic tokens of a file, in order; none spans a line break.
#[must_use]
pub fn parts(workspace: &Workspace, path: &str) -> Vec<Part> {
    if ir::is_ir(path) {
        return ir::structure::parts(workspace, path);
    }
    let Some(document) = workspace.document(path) else { return Vec::new() };
    let mentions = workspace.analysis_of(path).map(|analysis| analysis.mentions_in(path)).unwrap_or_default();
    let mut found = Vec::new();
    for (index, token) in document.tokens.iter().enumerate() {
        let part = |role: Role| Part { start: token.start, end: token.end, role, is_definition: false };
        match token.kind {
            Kind::Word => {
                let word = token.text(&document.text);
                let mention = mentions.binary_search_by_key(&token.start, |(at, _)| *at).ok();
                if let Some(mention) = mention.map(|at| mentions[at].1) {
                    let is_definition = mention.at == mention.definition;
                    found.push(Part { is_definition, ..part(role_of(mention.kind)) });
                } else if KEYWORDS.contains(&word) {
                    found.push(part(Role::Keyword));
                } else if TYPES.contains(&word) {
                    found.push(part(Role::Type));
                }
            }
            Kind::Variable => found.push(part(Role::Variable)),
            Kind::Operator => found.push(part(Role::Operator)),
            Kind::Number => found.push(part(Role::Number)),
            Kind::LineComment | Kind::BlockComment => push_lines(&document, part(Role::Comment), &mut found),
            Kind::Directive => push_lines(&document, part(Role::Macro), &mut found),
            Kind::String | Kind::Code => text_parts(&document, index, &mut found),
            Kind::Sign(_) | Kind::Blank => {}
        }
    }
    found
}

fn role_of(kind: SymbolKind) -> Role {
    match kind {
        SymbolKind::Class => Role::Class,
        SymbolKind::Def => Role::Def,
        SymbolKind::Multiclass => Role::Multiclass,
        SymbolKind::Field => Role::Field,
        SymbolKind::Argument => Role::Argument,
        SymbolKind::Variable => Role::Variable,
        SymbolKind::Alias => Role::Type,
    }
}

/// Pushes a part line by line.
fn push_lines(document: &Document, part: Part, found: &mut Vec<Part>) {
    let mut start = part.start;
    for line in document.text[part.start..part.end].split_inclusive('\n') {
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        if end > start {
            found.push(Part { start, end, ..part });
        }
        start += line.len();
    }
}

/// Adds the tokens inside a string or code: `$names`, and the words of an assembly format.
fn text_parts(document: &Document, index: usize, found: &mut Vec<Part>) {
    let token = document.tokens[index];
    let text = token.text(&document.text);
    let field = document.field_at(token.start).map(|item| document.text_of(item.name));
    let is_format = field == Some("assemblyFormat");
    let bytes = text.as_bytes();
    let mut plain = 0;
    let mut at = 0;
    let push = |from: usize, to: usize, role: Role, found: &mut Vec<Part>| {
        let part = Part { start: token.start + from, end: token.start + to, role, is_definition: false };
        push_lines(document, part, found);
    };
    while let Some(&byte) = bytes.get(at) {
        let (length, role) = match byte {
            b'$' => {
                let length = 1 + bytes[at + 1..].iter().take_while(|byte| is_word_byte(**byte)).count();
                let is_placeholder = bytes.get(at + 1) == Some(&b'_');
                (length, if is_placeholder { Role::Placeholder } else { Role::Variable })
            }
            b'`' if is_format => {
                let end = bytes[at + 1..].iter().position(|byte| *byte == b'`');
                (end.map_or(bytes.len() - at, |end| end + 2), Role::Literal)
            }
            _ if is_format && byte.is_ascii_alphabetic() => {
                let is_part = |byte: &&u8| is_word_byte(**byte) || **byte == b'-';
                let length = bytes[at..].iter().take_while(is_part).count();
                let is_directive = DIRECTIVES.iter().any(|it| it.name == &text[at..at + length]);
                (length, if is_directive { Role::Directive } else { Role::String })
            }
            _ => {
                at += 1;
                continue;
            }
        };
        if length > 1 && role != Role::String {
            push(plain, at, Role::String, found);
            push(at, at + length, role, found);
            plain = at + length;
        }
        at += length;
    }
    push(plain, text.len(), Role::String, found);
}
