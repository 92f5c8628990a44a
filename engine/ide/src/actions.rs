//! Code actions: a missing `include`, a misspelt name, texts that a definition lacks, traits in order.

use std::ops::Range;

use odsmith_engine::{
    diagnostic::Id,
    ods::{Operation, format::OpFormat},
    outline::{Kind, Statement, StatementKind, Token, lexical::is_word_byte},
    record::Rec,
    text::nearest,
};

use crate::{
    analysis::Analysis,
    completion::{self, include_edit},
    document::{Document, FileRange},
    ir,
    workspace::Workspace,
};

/// A code action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The title that the editor shows.
    pub title: String,
    /// True if it fixes an error.
    pub is_fix: bool,
    /// The ranges to replace, each with its new text.
    pub edits: Vec<(FileRange, String)>,
}

/// Returns the code actions for a range of a file.
#[must_use]
pub fn actions(workspace: &Workspace, path: &str, range: &Range<usize>) -> Vec<Action> {
    if ir::is_ir(path) {
        return Vec::new();
    }
    let Some(document) = workspace.document(path) else { return Vec::new() };
    let Some(analysis) = workspace.analysis_of(path) else { return Vec::new() };
    let mut found = Vec::new();
    includes(workspace, &analysis, &document, range, &mut found);
    misspelt(workspace, &analysis, &document, range, &mut found);
    if let Some(statement) = document.path_to(range.start).last() {
        texts(&analysis, &document, statement, &mut found);
        sorted_traits(&document, statement, range, &mut found);
    }
    found
}

/// Offers `include`s for names that evaluation reports as unknown.
fn includes(
    workspace: &Workspace,
    analysis: &Analysis,
    document: &Document,
    range: &Range<usize>,
    found: &mut Vec<Action>,
) {
    for message in &analysis.messages {
        if !message.id.is_some_and(Id::is_unknown_name) {
            continue;
        }
        let Some(place) = analysis.place(message.span) else { continue };
        if place.path != document.path || place.range.end < range.start || place.range.start > range.end {
            continue;
        }
        let name = document.text.get(place.range.clone()).unwrap_or_default();
        let index = workspace.index();
        let mut paths: Vec<&str> = index.find(name).map(|(path, _)| path).collect();
        paths.sort_unstable();
        paths.dedup();
        for path in paths.into_iter().filter(|path| !analysis.reads(path)).take(5) {
            let Some((at, text)) = include_edit(workspace, &analysis.root, document, path) else { continue };
            let action = Action {
                title: format!("Add {}", text.trim()),
                is_fix: true,
                edits: vec![(document.place(at..at), text)],
            };
            if !found.contains(&action) {
                found.push(action);
            }
        }
    }
}

/// Offers the nearest name for one that is unknown: a class, def, field, operator, file, or part of a format.
fn misspelt(
    workspace: &Workspace,
    analysis: &Analysis,
    document: &Document,
    range: &Range<usize>,
    found: &mut Vec<Action>,
) {
    let mut change = |place: Range<usize>, name: &str, also: Option<(usize, String)>| {
        let mut edits = vec![(document.place(place), name.to_owned())];
        edits.extend(also.map(|(at, text)| (document.place(at..at), text)));
        let action = Action { title: format!("Change to '{name}'"), is_fix: true, edits };
        if !found.contains(&action) {
            found.push(action);
        }
    };
    let is_here = |place: &Range<usize>| place.end >= range.start && place.start <= range.end;
    let mut words: Vec<Range<usize>> = variable_in_text(document, range.start).into_iter().collect();
    for message in &analysis.messages {
        let Some(id) = message.id else { continue };
        let Some(place) = analysis.place(message.span).filter(|place| place.path == document.path) else {
            continue;
        };
        if id == Id::MissingInclude {
            let name = document
                .tokens
                .iter()
                .find(|token| token.kind == Kind::String && token.end > place.range.start);
            let Some(place) = name.map(|name| name.start + 1..name.end - 1).filter(is_here) else { continue };
            let Some(path) = document.text.get(place.clone()) else { continue };
            let files = nameable_files(workspace, path);
            if let Some(near) = nearest(path, files.iter().map(String::as_str)) {
                change(place, near, None);
            }
        } else if id.is_unknown_name() || id == Id::UnknownOperator {
            words.extend(Some(place.range).filter(is_here));
        }
    }
    for place in words {
        let Some(word) = document.text.get(place.clone()) else { continue };
        let items = completion::all_at(workspace, document, place.start);
        let Some(near) = nearest(word, items.iter().map(|item| item.label.as_str())) else { continue };
        let item = items.iter().find(|item| item.label == near);
        change(place, near, item.and_then(|item| item.also.clone()));
    }
}

/// Returns the `$variable` at an offset inside of a string or code, if its definition has no part of that name.
fn variable_in_text(document: &Document, offset: usize) -> Option<Range<usize>> {
    let token = document.tokens.iter().find(|token| token.start < offset && offset < token.end)?;
    if !matches!(token.kind, Kind::String | Kind::Code) {
        return None;
    }
    let bytes = document.text.as_bytes();
    let mut start = offset;
    while start > token.start && is_word_byte(bytes[start - 1]) {
        start -= 1;
    }
    start = start.checked_sub(1).filter(|start| bytes[*start] == b'$')?;
    let length = bytes[start + 1..token.end].iter().take_while(|byte| is_word_byte(**byte)).count();
    let name = document.text.get(start + 1..start + 1 + length)?;
    let statement = *document.path_to(offset).last()?;
    let is_part = |index: usize| {
        let token = &document.tokens[index];
        token.kind == Kind::Variable && token.text(&document.text).strip_prefix('$') == Some(name)
    };
    let is_known = name.is_empty() || name.starts_with('_') || statement.tokens.clone().any(is_part);
    (!is_known).then_some(start..start + 1 + length)
}

/// Returns the files that an `include` may name, in the form of a path with so many parts.
fn nameable_files(workspace: &Workspace, path: &str) -> Vec<String> {
    let slashes = path.matches('/').count();
    let tail =
        |file: &str| file.rmatch_indices('/').nth(slashes).map_or(file, |(at, _)| &file[at + 1..]).to_owned();
    let own = workspace.bundle().iter().filter(|(path, _)| path.ends_with(".td")).map(|(path, _)| tail(path));
    own.chain(workspace.library().paths().map(str::to_owned)).collect()
}

/// Offers a summary, a description and an assembly format for a definition that has none.
fn texts(analysis: &Analysis, document: &Document, statement: &Statement, found: &mut Vec<Action>) {
    let Some(body) = statement.body.as_ref().filter(|_| statement.kind == StatementKind::Def) else { return };
    let keyword = statement.start;
    let recs = analysis.records_at(&document.path, keyword);
    let Some(rec) = recs.first().copied().filter(|rec| !analysis.is_partial(*rec)) else { return };
    let at = document.tokens[body.start - 1].end;
    let indent = indentation(document, statement);
    let mut add = |title: &str, text: String| {
        let edits = vec![(document.place(at..at), text)];
        found.push(Action { title: title.to_owned(), is_fix: false, edits });
    };
    let is_empty = |field: &str| {
        let value = rec.get(field);
        value.is_some_and(|value| value.as_str().is_none_or(|text| text.trim().is_empty()))
    };
    if is_empty("summary") && is_empty("description") {
        let text = format!("\n{indent}let summary = \"\";\n{indent}let description = [{{\n{indent}}}];");
        add("Add a summary and a description", text);
    }
    if is_empty("assemblyFormat")
        && !rec.is_set("hasCustomAssemblyFormat")
        && let Some(format) = format_of(analysis, rec)
    {
        add("Add an assembly format", format!("\n{indent}let assemblyFormat = \"{format}\";"));
    }
}

/// Returns the indentation of a statement's body.
fn indentation(document: &Document, statement: &Statement) -> String {
    let first = statement.items.first().map(|item| document.tokens[item.tokens.start].start);
    let column = first.map(|first| document.line_of(first).1);
    let own = document.line_of(statement.start).1;
    " ".repeat(column.filter(|column| *column > own).unwrap_or(own + 2))
}

/// Returns a valid assembly format: all that must be printed, and each type.
fn format_of(analysis: &Analysis, rec: Rec<'_>) -> Option<String> {
    analysis.check().ok()?;
    let op = Operation::named(rec).ok().filter(|_| rec.is_subclass_of("Op"))?;
    let names = |names: Vec<&str>, separator: &str| {
        names.iter().map(|name| format!("${name}")).collect::<Vec<_>>().join(separator)
    };
    let all: Vec<&str> = op.operands().iter().map(|operand| operand.name).collect();
    let typed: Vec<&str> = all.iter().copied().chain(op.results().iter().map(|result| result.name)).collect();
    if typed.iter().any(|name| name.is_empty()) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    if !all.is_empty() {
        parts.push(names(all, " `,` "));
    }
    parts.extend(op.regions().iter().map(|region| format!("${}", region.name)));
    parts.extend(op.successors().iter().map(|successor| format!("${}", successor.name)));
    parts.push("attr-dict".to_owned());
    let head = parts.join(" ");
    let with_types = |types: &[&str]| {
        let types: Vec<String> = types.iter().map(|name| format!("type(${name})")).collect();
        if types.is_empty() { head.clone() } else { format!("{head} `:` {}", types.join(" `,` ")) }
    };
    let is_right = |types: &[&str]| OpFormat::new(&op, &with_types(types)).is_ok();
    if !is_right(&typed) {
        return None;
    }
    // Drop types from the end: those that others are inferred from come first.
    let mut types = typed;
    for index in (0..types.len()).rev() {
        let mut fewer = types.clone();
        fewer.remove(index);
        if is_right(&fewer) {
            types = fewer;
        }
    }
    Some(with_types(&types))
}

/// Offers to sort the traits of a definition by name.
fn sorted_traits(document: &Document, statement: &Statement, range: &Range<usize>, found: &mut Vec<Action>) {
    let header =
        statement.tokens.start..statement.body.as_ref().map_or(statement.tokens.end, |body| body.start);
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut lists: Vec<(usize, usize)> = Vec::new();
    for index in header {
        match document.tokens[index].kind {
            Kind::Sign(bracket @ (b'<' | b'[' | b'(' | b'{')) => open.push((bracket, index)),
            Kind::Sign(b'>' | b']' | b')' | b'}') => {
                if let Some((b'[', start)) = open.pop()
                    && open.len() == 1
                {
                    lists.push((start, index));
                }
            }
            _ => {}
        }
    }
    let covers = |(start, end): &(usize, usize)| {
        document.tokens[*start].start <= range.start && range.end <= document.tokens[*end].end
    };
    let Some((start, end)) = lists.into_iter().find(covers) else { return };
    let bytes = document.tokens[start].end..document.tokens[end].start;
    let has_comment = document.tokens[start..end].iter().any(Token::is_comment);
    let Some(items) = entries(document, start + 1..end).filter(|items| items.len() > 1 && !has_comment)
    else {
        return;
    };
    let texts: Vec<&str> = items.iter().map(|range| document.text[range.clone()].trim()).collect();
    let mut sorted = texts.clone();
    sorted.sort_unstable();
    if sorted == texts {
        return;
    }
    let separator = &document.text[items[0].end..items[1].start];
    let head = &document.text[bytes.start..items[0].start];
    let tail = &document.text[items[items.len() - 1].end..bytes.end];
    let text = format!("{head}{}{tail}", sorted.join(separator));
    found.push(Action {
        title: "Sort the traits by name".to_owned(),
        is_fix: false,
        edits: vec![(document.place(bytes), text)],
    });
}

/// Returns the ranges of the entries of a list; `None` if one of them is empty.
fn entries(document: &Document, tokens: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut first = tokens.start;
    for index in tokens.clone() {
        match document.tokens[index].kind {
            Kind::Sign(b'<' | b'[' | b'(' | b'{') => depth += 1,
            Kind::Sign(b'>' | b']' | b')' | b'}') => depth = depth.saturating_sub(1),
            Kind::Sign(b',') if depth == 0 => {
                if index == first {
                    return None;
                }
                found.push(document.tokens[first].start..document.tokens[index - 1].end);
                first = index + 1;
            }
            _ => {}
        }
    }
    if first < tokens.end {
        found.push(document.tokens[first].start..document.tokens[tokens.end - 1].end);
    }
    Some(found)
}
