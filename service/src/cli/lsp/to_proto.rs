//! Answers of the engine in the protocol's types.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use gen_lsp_types::{self as lsp, CompletionItemKind, SymbolKind};
use odsmith_ide::{
    Document, FileRange,
    completion::{Item, ItemKind},
    hierarchy::Node,
    semantic::{Part, ROLES},
    symbols::{FileSymbol, Kinds},
};

use super::{
    from_proto::{self, Encoding},
    server::Server,
};

/// Converts an offset to a position.
pub(super) fn position(document: &Document, offset: usize, encoding: Encoding) -> lsp::Position {
    let (number, column) = document.line_of(offset);
    let character = encoding.character_at(from_proto::line(document, number), column);
    lsp::Position { line: number as u32, character: character as u32 }
}

/// Converts a range.
pub(super) fn range(document: &Document, range: &Range<usize>, encoding: Encoding) -> lsp::Range {
    lsp::Range {
        start: position(document, range.start, encoding),
        end: position(document, range.end.max(range.start), encoding),
    }
}

/// Marks a text as Markdown.
pub(super) fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }
}

impl Server {
    /// Converts a place to a location.
    pub(super) fn location(&self, project: usize, place: &FileRange) -> Option<lsp::Location> {
        let document = self.projects[project].workspace.document(&place.path)?;
        let range = range(&document, &place.range, self.client.encoding);
        Some(lsp::Location { uri: self.uri_of(project, &place.path), range })
    }

    /// Converts places with messages.
    pub(super) fn related<'p>(
        &self,
        project: usize,
        related: impl Iterator<Item = (&'p FileRange, &'p String)>,
    ) -> Option<Vec<lsp::DiagnosticRelatedInformation>> {
        let related = related.filter_map(|(place, message)| {
            Some(lsp::DiagnosticRelatedInformation::new(self.location(project, place)?, message.clone()))
        });
        Some(related.collect()).filter(|all: &Vec<_>| !all.is_empty())
    }

    /// Converts replacements to a workspace edit. The user must confirm `note`.
    pub(super) fn edit(
        &self,
        project: usize,
        edits: &[(FileRange, String)],
        note: Option<&str>,
    ) -> lsp::WorkspaceEdit {
        let mut by_file: BTreeMap<&str, Vec<lsp::TextEdit>> = BTreeMap::new();
        for (place, text) in edits {
            let edits = by_file.entry(&place.path).or_default();
            if let Some(location) = self.location(project, place) {
                edits.push(lsp::TextEdit { range: location.range, new_text: text.clone() });
            }
        }
        let note = note.filter(|_| self.client.annotates_edits);
        if !self.client.versions_edits {
            let of_file = |(path, edits): (&str, Vec<_>)| (self.uri_of(project, path), edits);
            let changes = Some(by_file.into_iter().map(of_file).collect());
            return lsp::WorkspaceEdit { changes, ..lsp::WorkspaceEdit::default() };
        }
        let annotated = |edit: lsp::TextEdit| match note {
            Some(_) => lsp::AnnotatedTextEdit::new(ANNOTATION.to_owned(), edit).into(),
            None => lsp::Edit::from(edit),
        };
        let of_file = |(path, edits): (&str, Vec<lsp::TextEdit>)| {
            let uri = self.uri_of(project, path);
            let version = self.version_of(&uri);
            let text_document = lsp::OptionalVersionedTextDocumentIdentifier::new(
                version,
                lsp::TextDocumentIdentifier { uri },
            );
            lsp::TextDocumentEdit { text_document, edits: edits.into_iter().map(annotated).collect() }.into()
        };
        let change_annotations = note.map(|note| {
            let annotation = lsp::ChangeAnnotation {
                label: note.to_owned(),
                needs_confirmation: Some(true),
                description: Some(note.to_owned()),
            };
            HashMap::from([(ANNOTATION.to_owned(), annotation)])
        });
        let document_changes = Some(by_file.into_iter().map(of_file).collect());
        lsp::WorkspaceEdit { changes: None, document_changes, change_annotations }
    }

    /// Converts a class or def of a hierarchy.
    pub(super) fn node(&self, project: usize, node: &Node) -> Option<lsp::TypeHierarchyItem> {
        let lsp::Location { uri, range } = self.location(project, &node.place)?;
        let kind = if node.is_class { SymbolKind::Class } else { SymbolKind::Struct };
        Some(lsp::TypeHierarchyItem::new(node.name.clone(), kind, None, None, uri, range, range, None))
    }
}

/// The name of the annotation of edits that the user must confirm.
const ANNOTATION: &str = "odsmith";

/// Converts completions.
pub(super) fn completion(
    document: &Document,
    item: &Item,
    place: usize,
    encoding: Encoding,
    snippets: bool,
) -> lsp::CompletionItem {
    let kind = match item.kind {
        ItemKind::Keyword => CompletionItemKind::Keyword,
        ItemKind::Class => CompletionItemKind::Class,
        ItemKind::Def => CompletionItemKind::Struct,
        ItemKind::Field => CompletionItemKind::Property,
        ItemKind::Argument | ItemKind::Variable => CompletionItemKind::Variable,
        ItemKind::Operator => CompletionItemKind::Function,
        ItemKind::Type => CompletionItemKind::TypeParameter,
        ItemKind::File => CompletionItemKind::File,
        ItemKind::Folder => CompletionItemKind::Folder,
        ItemKind::Directive => CompletionItemKind::Method,
    };
    let (new_text, format) = match &item.snippet {
        Some(snippet) if snippets => (snippet.clone(), lsp::InsertTextFormat::Snippet),
        Some(snippet) => (plain(snippet), lsp::InsertTextFormat::PlainText),
        None => (item.label.clone(), lsp::InsertTextFormat::PlainText),
    };
    let edit = |at: &Range<usize>, new_text| lsp::TextEdit { range: range(document, at, encoding), new_text };
    let documentation = item.documentation.as_ref();
    lsp::CompletionItem {
        label: item.label.clone(),
        kind: Some(kind),
        detail: Some(item.detail.clone()).filter(|detail| !detail.is_empty()),
        documentation: documentation.map(|text| markdown(text.trim().to_owned()).into()),
        sort_text: Some(format!("{place:04}")),
        filter_text: Some(item.label.clone()),
        insert_text_format: Some(format),
        text_edit: Some(edit(&item.replace, new_text).into()),
        additional_text_edits: item.also.as_ref().map(|(at, text)| vec![edit(&(*at..*at), text.clone())]),
        ..lsp::CompletionItem::default()
    }
}

/// Removes the placeholders of a snippet: `${1:name}` becomes `name`.
fn plain(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find(['$', '\\']) {
        text.push_str(&rest[..at]);
        let is_escape = rest.as_bytes()[at] == b'\\';
        rest = &rest[at + 1..];
        if is_escape {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            text.push_str(&rest[..length]);
            rest = &rest[length..];
        } else if let Some(hole) = rest.strip_prefix('{') {
            let end = hole.find('}').unwrap_or(hole.len());
            text.push_str(hole[..end].split_once(':').map_or("", |(_, default)| default));
            rest = hole.get(end + 1..).unwrap_or_default();
        } else {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    text.push_str(rest);
    text
}

/// Converts a symbol of a file with its children.
pub(super) fn symbol(document: &Document, symbol: &FileSymbol, encoding: Encoding) -> lsp::DocumentSymbol {
    let children = symbol.children.iter().map(|child| self::symbol(document, child, encoding)).collect();
    let selection =
        symbol.selection.start.max(symbol.range.start)..symbol.selection.end.min(symbol.range.end);
    lsp::DocumentSymbol::new(
        symbol.name.clone(),
        Some(symbol.detail.clone()),
        symbol_kind(symbol.kind),
        symbol.is_deprecated.then(|| vec![lsp::SymbolTag::Deprecated]),
        None,
        range(document, &symbol.range, encoding),
        range(document, &selection, encoding),
        Some(children),
    )
}

/// Converts the kind of a symbol.
pub(super) fn symbol_kind(kind: Kinds) -> SymbolKind {
    match kind {
        Kinds::Dialect => SymbolKind::Module,
        Kinds::Operation => SymbolKind::Function,
        Kinds::Type => SymbolKind::Struct,
        Kinds::Attribute => SymbolKind::Property,
        Kinds::Enum => SymbolKind::Enum,
        Kinds::EnumCase => SymbolKind::EnumMember,
        Kinds::Interface => SymbolKind::Interface,
        Kinds::Trait | Kinds::Constraint => SymbolKind::TypeParameter,
        Kinds::Pass => SymbolKind::Method,
        Kinds::Pattern => SymbolKind::Event,
        Kinds::Class => SymbolKind::Class,
        Kinds::Multiclass => SymbolKind::Package,
        Kinds::Def => SymbolKind::Object,
        Kinds::Variable => SymbolKind::Variable,
        Kinds::Field => SymbolKind::Field,
        Kinds::Group => SymbolKind::Namespace,
    }
}

/// Converts semantic tokens, each relative to the one before.
pub(super) fn tokens(
    document: &Document,
    parts: &[Part],
    within: Option<&Range<usize>>,
    encoding: Encoding,
) -> Vec<lsp::SemanticToken> {
    let mut data: Vec<lsp::SemanticToken> = Vec::new();
    let (mut last_line, mut last_character) = (0, 0);
    for part in parts {
        if within.is_some_and(|within| part.end < within.start || part.start > within.end) {
            continue;
        }
        let (line, column) = document.line_of(part.start);
        let text = &document.text[document.line_start(line)..part.end];
        let character = encoding.character_at(text, column);
        let role = ROLES.iter().position(|role| *role == part.role).unwrap_or(0);
        let from = if line == last_line && !data.is_empty() { last_character } else { 0 };
        data.push(lsp::SemanticToken {
            delta_line: (line - last_line) as u32,
            delta_start: (character - from) as u32,
            length: (encoding.character_at(text, text.len()) - character) as u32,
            token_type: role as u32,
            token_modifiers_bitset: u32::from(part.is_definition),
        });
        (last_line, last_character) = (line, character);
    }
    data
}

/// Returns the edit from one list of tokens to another: one replacement, in numbers of which a token has five.
pub(super) fn token_edits(
    old: &[lsp::SemanticToken],
    new: &[lsp::SemanticToken],
) -> Vec<lsp::SemanticTokensEdit> {
    if old == new {
        return Vec::new();
    }
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rests = old[start..].iter().rev().zip(new[start..].iter().rev());
    let same = rests.take_while(|(old, new)| old == new).count();
    let numbers = |token: &lsp::SemanticToken| {
        let lsp::SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset } =
            *token;
        [delta_line, delta_start, length, token_type, token_modifiers_bitset]
    };
    let data = new[start..new.len() - same].iter().flat_map(numbers).collect();
    let delete_count = 5 * (old.len() - same - start) as u32;
    vec![lsp::SemanticTokensEdit { start: 5 * start as u32, delete_count, data: Some(data) }]
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{SemanticToken, SemanticTokensEdit};

    #[test]
    fn edits_of_tokens() {
        let token = |[delta_line, delta_start, length]: [u32; 3]| SemanticToken {
            delta_line,
            delta_start,
            length,
            token_type: 1,
            token_modifiers_bitset: 0,
        };
        let old = [[0, 1, 2], [1, 1, 1]].map(token);
        let new = [[0, 1, 2], [2, 1, 1], [1, 1, 1]].map(token);
        let edit = SemanticTokensEdit { start: 5, delete_count: 0, data: Some(vec![2, 1, 1, 1, 0]) };
        assert_eq!(super::token_edits(&old, &new), [edit]);
        assert_eq!(super::token_edits(&old, &old), []);
    }

    #[test]
    fn snippets_without_holes() {
        assert_eq!(super::plain("let a = ${1:x}(\\$b, $2)$0;"), "let a = x($b, );");
        assert_eq!(super::plain("${1"), "");
    }
}
