//! Answers in the protocol's form.

use std::{collections::BTreeMap, ops::Range};

use odsmith_ide::{
    Document, Place,
    completion::{Item, ItemKind},
    hierarchy::Node,
    semantic::{Part, ROLES},
    symbols::{FileSymbol, Kinds},
};
use serde_json::{Value, json};

use super::{
    position::{self, Encoding},
    server::Server,
};

impl Server {
    /// Converts a place to a location.
    pub(super) fn location(&self, project: usize, place: &Place) -> Option<Value> {
        let document = self.projects[project].workspace.document(&place.path)?;
        let range = position::range(&document, &place.range, self.encoding);
        Some(json!({ "uri": self.address_of(project, &place.path), "range": range }))
    }

    /// Converts places to locations.
    pub(super) fn locations(&self, project: usize, places: &[Place]) -> Value {
        places.iter().filter_map(|place| self.location(project, place)).collect()
    }

    /// Converts replacements to a workspace edit. The user must confirm `note`.
    pub(super) fn edit(&self, project: usize, edits: &[(Place, String)], note: Option<&str>) -> Value {
        let mut by_file: BTreeMap<&str, Vec<&(Place, String)>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(&edit.0.path).or_default().push(edit);
        }
        let support = &self.parameters["capabilities"]["workspace"]["workspaceEdit"];
        let annotates = note.filter(|_| support["changeAnnotationSupport"].is_object());
        let has_versions = support["documentChanges"] == true;
        let changes = |path: &str, edits: &[&(Place, String)]| -> Vec<Value> {
            let Some(document) = self.projects[project].workspace.document(path) else { return Vec::new() };
            let text_edit = |(place, text): &&(Place, String)| {
                let range = position::range(&document, &place.range, self.encoding);
                let mut edit = json!({ "range": range, "newText": text });
                if annotates.is_some() {
                    edit["annotationId"] = json!("odsmith");
                }
                edit
            };
            edits.iter().map(text_edit).collect()
        };
        if !has_versions {
            let all: serde_json::Map<String, Value> = by_file
                .iter()
                .map(|(path, edits)| (self.address_of(project, path), json!(changes(path, edits))))
                .collect();
            return json!({ "changes": all });
        }
        let all: Vec<Value> = by_file
            .iter()
            .map(|(path, edits)| {
                let address = self.address_of(project, path);
                let version = self.version_of(&address);
                json!({ "textDocument": { "uri": address, "version": version }, "edits": changes(path, edits) })
            })
            .collect();
        let mut edit = json!({ "documentChanges": all });
        if let Some(note) = annotates {
            let annotation = json!({ "label": note, "needsConfirmation": true, "description": note });
            edit["changeAnnotations"] = json!({ "odsmith": annotation });
        }
        edit
    }

    /// Converts a class or def of a hierarchy.
    pub(super) fn node(&self, project: usize, node: &Node) -> Option<Value> {
        let location = self.location(project, &node.place)?;
        Some(json!({
            "name": node.name,
            "kind": if node.is_class { 5 } else { 23 },
            "uri": location["uri"],
            "range": location["range"],
            "selectionRange": location["range"],
        }))
    }
}

/// Converts completions.
pub(super) fn completion(
    document: &Document,
    item: &Item,
    place: usize,
    encoding: Encoding,
    snippets: bool,
) -> Value {
    let kind = match item.kind {
        ItemKind::Keyword => 14,
        ItemKind::Class => 7,
        ItemKind::Def => 22,
        ItemKind::Field => 10,
        ItemKind::Argument | ItemKind::Variable => 6,
        ItemKind::Operator => 3,
        ItemKind::Type => 25,
        ItemKind::File => 17,
        ItemKind::Folder => 19,
        ItemKind::Directive => 2,
    };
    let text = match &item.snippet {
        Some(snippet) if snippets => snippet.clone(),
        Some(snippet) => plain(snippet),
        None => item.label.clone(),
    };
    let mut value = json!({
        "label": item.label,
        "kind": kind,
        "sortText": format!("{place:04}"),
        "filterText": item.label,
        "textEdit": { "range": position::range(document, &item.replace, encoding), "newText": text },
        "insertTextFormat": if snippets && item.snippet.is_some() { 2 } else { 1 },
    });
    if !item.detail.is_empty() {
        value["detail"] = json!(item.detail);
    }
    if let Some(documentation) = &item.documentation {
        value["documentation"] = json!({ "kind": "markdown", "value": documentation.trim() });
    }
    if let Some((at, text)) = &item.also {
        let range = position::range(document, &(*at..*at), encoding);
        value["additionalTextEdits"] = json!([{ "range": range, "newText": text }]);
    }
    value
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
pub(super) fn symbol(document: &Document, symbol: &FileSymbol, encoding: Encoding) -> Value {
    let children: Vec<Value> =
        symbol.children.iter().map(|child| self::symbol(document, child, encoding)).collect();
    let selection =
        symbol.selection.start.max(symbol.range.start)..symbol.selection.end.min(symbol.range.end);
    let mut value = json!({
        "name": symbol.name,
        "detail": symbol.detail,
        "kind": symbol_kind(symbol.kind),
        "range": position::range(document, &symbol.range, encoding),
        "selectionRange": position::range(document, &selection, encoding),
        "children": children,
    });
    if symbol.is_deprecated {
        value["tags"] = json!([1]);
    }
    value
}

/// Returns the protocol's number for a kind of symbol.
pub(super) fn symbol_kind(kind: Kinds) -> u8 {
    match kind {
        Kinds::Dialect => 2,
        Kinds::Operation => 12,
        Kinds::Type => 23,
        Kinds::Attribute => 7,
        Kinds::Enum => 10,
        Kinds::EnumCase => 22,
        Kinds::Interface => 11,
        Kinds::Trait | Kinds::Constraint => 26,
        Kinds::Pass => 6,
        Kinds::Pattern => 24,
        Kinds::Class => 5,
        Kinds::Multiclass => 4,
        Kinds::Def => 19,
        Kinds::Variable => 13,
        Kinds::Field => 8,
        Kinds::Group => 3,
    }
}

/// Encodes semantic tokens as numbers, each relative to the one before.
pub(super) fn tokens(
    document: &Document,
    parts: &[Part],
    within: Option<&Range<usize>>,
    encoding: Encoding,
) -> Vec<usize> {
    let mut data: Vec<usize> = Vec::new();
    let (mut last_line, mut last_character) = (0, 0);
    for part in parts {
        if within.is_some_and(|within| part.end < within.start || part.start > within.end) {
            continue;
        }
        let (line, column) = document.line_of(part.start);
        let start = document.line_start(line);
        let text = &document.text[start..part.end];
        let character = encoding.character_at(text, column);
        let length = encoding.character_at(text, text.len()) - character;
        let role = ROLES.iter().position(|role| *role == part.role).unwrap_or(0);
        let is_same_line = line == last_line && !data.is_empty();
        let from = if is_same_line { last_character } else { 0 };
        data.extend([line - last_line, character - from, length, role, usize::from(part.is_definition)]);
        (last_line, last_character) = (line, character);
    }
    data
}

/// Returns the edit from one list of such numbers to another: one replacement of whole tokens.
pub(super) fn token_edits(old: &[usize], new: &[usize]) -> Value {
    if old == new {
        return json!([]);
    }
    let whole = |count: usize| count / PART * PART;
    let start = whole(old.iter().zip(new).take_while(|(old, new)| old == new).count());
    let rests = old[start..].iter().rev().zip(new[start..].iter().rev());
    let same = whole(rests.take_while(|(old, new)| old == new).count());
    let (old_end, new_end) = (old.len() - same, new.len() - same);
    json!([{ "start": start, "deleteCount": old_end - start, "data": new[start..new_end] }])
}

/// The number of numbers per token.
const PART: usize = 5;

#[cfg(test)]
mod tests {
    #[test]
    fn edits_of_tokens() {
        let (old, new) = ([0, 1, 2, 3, 0, 1, 1, 1, 1, 0], [0, 1, 2, 3, 0, 2, 1, 1, 1, 0, 1, 1, 1, 1, 0]);
        let edits = super::token_edits(&old, &new);
        assert_eq!(edits, serde_json::json!([{ "start": 5, "deleteCount": 0, "data": [2, 1, 1, 1, 0] }]));
        assert_eq!(super::token_edits(&old, &old), serde_json::json!([]));
    }

    #[test]
    fn snippets_without_holes() {
        assert_eq!(super::plain("let a = ${1:x}(\\$b, $2)$0;"), "let a = x($b, );");
        assert_eq!(super::plain("${1"), "");
    }
}
