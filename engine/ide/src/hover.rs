//! Hover: a name, an operator or a directive explained in a few lines of Markdown.

use std::ops::Range;

use odsmith_engine::{
    eval::trace::SymbolKind,
    ods::{
        AttrOrTypeDef, Constraint, Definition, DefinitionKind, Operation, PartKind,
        attr_or_type_def::DefKind, format::OpFormat,
    },
    outline::Kind,
    record::{Rec, Val},
};

use crate::{
    analysis::Analysis,
    context,
    document::{Document, FileRange},
    ir,
    names::InnerName,
    navigate::{self, Name, Resolved, Symbol},
    operators,
    workspace::Workspace,
};

/// The hover text for a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range that it describes.
    pub range: Range<usize>,
    /// The Markdown text.
    pub text: String,
}

/// The most lines of a description to show.
const MOST_LINES: usize = 12;
/// The most bytes of a value to show.
const MOST_VALUE: usize = 400;

/// Returns the hover for an offset.
#[must_use]
pub fn hover(workspace: &Workspace, path: &str, offset: usize) -> Option<Hover> {
    if ir::is_ir(path) {
        return ir::explain::hover(workspace, path, offset);
    }
    let document = workspace.document(path)?;
    let offset = document.boundary(offset);
    if let Some(index) = document.token_at(offset) {
        let token = document.tokens[index];
        let operator = document.word(index).strip_prefix('!').and_then(operators::find);
        if let Some(operator) = operator.filter(|_| token.kind == Kind::Operator) {
            let mut text = format!("```tablegen\n{}\n```\n{}", operator.signature(), operator.about);
            push_paragraph(&mut text, &result_here(workspace, &document, index).unwrap_or_default());
            return Some(Hover { range: token.range(), text });
        }
    }
    let Some(Resolved { symbol, range, analysis }) = navigate::resolve(workspace, path, offset) else {
        return in_format(&document, offset).or_else(|| substituted(workspace, &document, offset));
    };
    let text = match &symbol {
        Symbol::File(file) => file_text(workspace, file)?,
        Symbol::Inner(inner) => inner_text(&analysis, inner)?,
        Symbol::Name(name) => {
            let word = &document.text[range.clone()];
            name_text(workspace, &analysis, name, word, (&document, offset))?
        }
    };
    Some(Hover { range, text })
}

/// Returns the result of an operator that is the whole value of a definition's field or of a variable.
fn result_here(workspace: &Workspace, document: &Document, index: usize) -> Option<String> {
    let statement = *document.path_to(document.tokens[index].start).last()?;
    let analysis = workspace.analysis_of(&document.path)?;
    let keyword = document.tokens[statement.tokens.start];
    let is_whole = |value: &Range<usize>| {
        value.start == index && {
            let mut depth = 0_usize;
            let closing = value.clone().find(|at| match document.tokens[*at].kind {
                Kind::Sign(b'(') => {
                    depth += 1;
                    false
                }
                Kind::Sign(b')') => {
                    depth = depth.saturating_sub(1);
                    depth == 0
                }
                _ => false,
            });
            closing.is_some_and(|closing| closing + 1 == value.end)
        }
    };
    let value = match statement.items.iter().find(|item| is_whole(&item.value)) {
        // A statement in a loop or multiclass has several values.
        Some(item) => match analysis.records_at(&document.path, keyword.start)[..] {
            [rec] if !rec.is_class() => {
                rec.get(document.text_of(item.name)).filter(|value| !value.is_unset())?
            }
            _ => return None,
        },
        None => {
            let is_variable =
                keyword.is_word(&document.text, "defvar") && document.path_to(keyword.start).len() == 1;
            let name = statement
                .name
                .filter(|name| is_variable && index > 1 && document.tokens[index - 2] == *name)
                .filter(|_| document.tokens[index - 1].is(b'='))?;
            let keeper = analysis.records.keeper();
            let id = keeper.globals.get(keeper.arena.find_string(document.text_of(name))?)?;
            analysis.records.val_or_none(id)?
        }
    };
    Some(value_text(value))
}

/// Explains the directive of an assembly format at an offset.
fn in_format(document: &Document, offset: usize) -> Option<Hover> {
    let item = document.field_at(offset)?;
    if document.text_of(item.name) != "assemblyFormat" {
        return None;
    }
    let index = document.token_at(offset)?;
    if !matches!(document.tokens[index].kind, Kind::String | Kind::Code) {
        return None;
    }
    let bytes = document.text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'-';
    let start = offset - bytes[..offset].iter().rev().take_while(|byte| is_part(byte)).count();
    let end = offset + bytes[offset..].iter().take_while(|byte| is_part(byte)).count();
    let word = document.text.get(start..end)?;
    let directive = operators::DIRECTIVES.iter().find(|directive| directive.name == word)?;
    Some(Hover { range: start..end, text: format!("`{}`: {}", directive.name, directive.about) })
}

/// Returns the complete condition that a predicate's code is part of, for the definition around it.
fn substituted(workspace: &Workspace, document: &Document, offset: usize) -> Option<Hover> {
    let index = document.token_at(offset)?;
    let token = document.tokens[index];
    if !matches!(token.kind, Kind::String | Kind::Code) {
        return None;
    }
    let text = token.text(&document.text);
    if !text.contains("$_self") && !text.contains("$_op") {
        return None;
    }
    let statement = *document.path_to(offset).last()?;
    let analysis = workspace.analysis_of(&document.path)?;
    let keyword = statement.start;
    let rec = analysis
        .records_at(&document.path, keyword)
        .into_iter()
        .find(|rec| rec.is_subclass_of("Constraint"))?;
    let condition = Constraint::new(rec).condition();
    Some(Hover {
        range: token.range(),
        text: format!("The condition of `{}`:\n{}", rec.name(), cpp(&condition)),
    })
}

fn cpp(code: &str) -> String {
    format!("```cpp\n{}\n```", clipped(code.trim(), MOST_VALUE * 2))
}

fn file_text(workspace: &Workspace, file: &str) -> Option<String> {
    let document = workspace.document(file)?;
    let mut text = format!("`{file}`");
    let count = document.all_statements().filter(|it| it.name.is_some()).count();
    text.push_str(&format!(": {count} definitions"));
    Some(text)
}

// --- names of TableGen ------------------------------------------------------------------------------------------

fn name_text(
    workspace: &Workspace,
    analysis: &Analysis,
    name: &Name,
    word: &str,
    here: (&Document, usize),
) -> Option<String> {
    let rec = name.record.map(|record| analysis.records.rec(record));
    match name.kind {
        SymbolKind::Class | SymbolKind::Multiclass => {
            let rec = rec?;
            let keyword = if name.kind == SymbolKind::Class { "class" } else { "multiclass" };
            let mut text = format!("```tablegen\n{keyword} {}\n```", class_signature(rec));
            push_paragraph(&mut text, &chain(rec));
            if let Some(comment) = comment(workspace, &name.definition) {
                push_paragraph(&mut text, &comment);
            }
            let count =
                analysis.records.defs_as_made().filter(|def| def.record().is_subclass_of(rec.id())).count();
            if count > 0 {
                let what = if count == 1 { "def derives" } else { "defs derive" };
                push_paragraph(&mut text, &format!("{count} {what} from it here."));
            }
            Some(text)
        }
        SymbolKind::Def => Some(def_text(workspace, analysis, rec?, &name.definition)),
        SymbolKind::Field => Some(field_text(workspace, analysis, name, word, here)),
        SymbolKind::Argument => {
            let argument = context::arguments(rec?).find(|argument| argument.name == word)?;
            let ty = analysis.records.type_name(argument.ty);
            let mut text = format!("```tablegen\n{ty} {word}");
            if let Some(default) = argument.default {
                text.push_str(&format!(" = {}", clipped(&default.to_string(), MOST_VALUE)));
            }
            text.push_str(&format!("\n```\nargument of `{}`", rec?.name()));
            Some(text)
        }
        SymbolKind::Variable | SymbolKind::Alias => {
            let document = workspace.document(&name.definition.path)?;
            let (line, _) = document.line_of(name.definition.range.start);
            let line = document.text[document.line_start(line)..document.line_start(line + 1)].trim();
            let mut text = format!("```tablegen\n{}\n```", clipped(line, MOST_VALUE));
            let global = analysis.records.keeper().arena.find_string(word);
            let global = global.and_then(|id| analysis.records.keeper().globals.get(id));
            if let Some(value) = global.and_then(|id| analysis.records.val_or_none(id)) {
                push_paragraph(&mut text, &format!("value: `{}`", clipped(&value.to_string(), MOST_VALUE)));
            }
            Some(text)
        }
    }
}

/// Formats `Name<type a, type b = default>`.
pub(crate) fn class_signature(class: Rec<'_>) -> String {
    let records = class.records();
    let arguments = context::arguments(class).map(|argument| {
        let default = argument
            .default
            .map_or_else(String::new, |value| format!(" = {}", clipped(&value.to_string(), 60)));
        format!("{} {}{default}", records.type_name(argument.ty), argument.name)
    });
    let arguments: Vec<String> = arguments.collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) };
    format!("{}{arguments}", class.name())
}

/// Lists the superclasses, nearest first.
fn chain(rec: Rec<'_>) -> String {
    let names: Vec<&str> = rec.superclasses().rev().map(Rec::name).take(8).collect();
    if names.is_empty() { String::new() } else { format!("← {}", names.join(" ← ")) }
}

fn comment(workspace: &Workspace, definition: &FileRange) -> Option<String> {
    let document = workspace.document(&definition.path)?;
    Some(lines_of(&document.comment_above(definition.range.start)?))
}

fn def_text(workspace: &Workspace, analysis: &Analysis, rec: Rec<'_>, definition: &FileRange) -> String {
    let parents: Vec<&str> = rec.direct_superclasses().map(Rec::name).collect();
    let mut text = format!("```tablegen\ndef {} : {}\n```", rec.name(), parents.join(", "));
    let definition_view = Definition::new(rec);
    if let Some(deprecated) = definition_view.deprecated() {
        push_paragraph(&mut text, &format!("**Deprecated**: {deprecated}"));
    }
    let summary = definition_view.summary();
    if !summary.is_empty() {
        push_paragraph(&mut text, summary);
    }
    // Check that the model terminates before reading it.
    let is_bounded = analysis.check().is_ok();
    if is_bounded {
        match definition_view.kind() {
            DefinitionKind::Operation => push_operation(analysis, rec, &mut text),
            DefinitionKind::AttrOrType => push_attr_or_type(rec, &mut text),
            DefinitionKind::Constraint => {
                let condition = Constraint::new(rec).condition();
                if !condition.is_empty() {
                    push_paragraph(&mut text, &cpp(&condition));
                }
            }
            DefinitionKind::Enum => {
                let cases = odsmith_engine::ods::EnumInfo::lenient(rec).cases;
                let cases: Vec<String> =
                    cases.iter().map(|case| format!("`{}` = {}", case.spelling, case.value)).collect();
                push_paragraph(&mut text, &clipped(&cases.join(", "), MOST_VALUE));
            }
            DefinitionKind::Interface => {
                let methods = odsmith_engine::ods::Interface::new(rec).methods();
                let methods: Vec<String> = methods
                    .iter()
                    .map(|method| format!("{} {}()", method.return_type(), method.name()))
                    .collect();
                if !methods.is_empty() {
                    push_paragraph(&mut text, &cpp(&methods.join("\n")));
                }
            }
            DefinitionKind::EnumCase | DefinitionKind::Other => {}
        }
    }
    let description = definition_view.description();
    if !description.trim().is_empty() {
        push_paragraph(&mut text, &lines_of(&dedent(description)));
    } else if let Some(comment) = comment(workspace, definition) {
        push_paragraph(&mut text, &comment);
    }
    push_paragraph(&mut text, &chain(rec));
    text
}

fn push_operation(analysis: &Analysis, rec: Rec<'_>, text: &mut String) {
    let Some(op) = Operation::lenient(rec) else { return };
    push_paragraph(text, &format!("```\n{}\n```", signature(&op)));
    push_paragraph(text, &format!("C++ `{}`", op.qualified_cpp_class_name()));
    if let Some(format) = op.assembly_format().filter(|format| !format.trim().is_empty()) {
        push_paragraph(text, &format!("```\n{} {}\n```", op.name(), one_line(format)));
    }
    if op.is_sound() {
        let format = op.assembly_format().and_then(|text| OpFormat::new(&op, text).ok());
        let skeleton = analysis.synthesiser().skeleton(&op, format.as_ref());
        if let Some(example) = skeleton.and_then(|skeleton| skeleton.custom.or(skeleton.generic)) {
            push_paragraph(text, &format!("```mlir\n{example}\n```"));
        }
    }
    let traits: Vec<&str> =
        op.traits().iter().map(|it| it.display_name()).filter(|name| !name.is_empty()).collect();
    if !traits.is_empty() {
        push_paragraph(text, &format!("Traits: {}", clipped(&traits.join(", "), MOST_VALUE)));
    }
}

/// Formats `arith.addi(lhs: SignlessIntegerLike, rhs: …) {overflowFlags} → result: …`.
pub(crate) fn signature(op: &Operation<'_>) -> String {
    let named = |kind: PartKind| {
        let parts = op.parts().filter(move |part| part.kind == kind);
        parts.map(|part| (part.name, part.constraint)).collect::<Vec<_>>()
    };
    let typed = |kind: PartKind| {
        let parts = named(kind).into_iter();
        let text = |(name, constraint): (&str, Constraint<'_>)| {
            let name = if name.is_empty() { "_" } else { name };
            format!("{name}: {}", constraint_name(constraint))
        };
        parts.map(text).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("{}({})", op.name(), typed(PartKind::Operand));
    for (kind, open, close) in [
        (PartKind::Attribute, " {", "}"),
        (PartKind::Property, " <", ">"),
        (PartKind::Region, " (region ", ")"),
        (PartKind::Successor, " [", "]"),
    ] {
        let names: Vec<&str> = named(kind).into_iter().map(|(name, _)| name).collect();
        if !names.is_empty() {
            text.push_str(&format!("{open}{}{close}", names.join(", ")));
        }
    }
    let results = typed(PartKind::Result);
    if !results.is_empty() {
        text.push_str(&format!(" → {results}"));
    }
    text
}

/// Returns the name of a constraint's record, or its summary if it has none.
fn constraint_name(constraint: Constraint<'_>) -> String {
    let rec = constraint.rec();
    if !rec.is_anonymous() {
        return rec.name().to_owned();
    }
    let summary = constraint.summary();
    if summary.is_empty() { "?".to_owned() } else { summary.to_owned() }
}

fn push_attr_or_type(rec: Rec<'_>, text: &mut String) {
    let Some(def) = DefKind::of(rec).and_then(|kind| AttrOrTypeDef::lenient(rec, kind)) else { return };
    push_paragraph(text, &format!("C++ `{}`", def.qualified_cpp_class_name()));
    let parameters: Vec<String> = def
        .parameters()
        .iter()
        .map(|parameter| format!("{} {}", parameter.cpp_type(), parameter.name))
        .collect();
    if !parameters.is_empty() {
        push_paragraph(text, &cpp(&parameters.join("\n")));
    }
    if let Some(format) = def.assembly_format().filter(|format| !format.trim().is_empty()) {
        push_paragraph(text, &format!("```\n{} {}\n```", Definition::new(rec).name(), one_line(format)));
    }
}

fn field_text(
    workspace: &Workspace,
    analysis: &Analysis,
    name: &Name,
    word: &str,
    (document, offset): (&Document, usize),
) -> String {
    let rec = name.record.map(|record| analysis.records.rec(record));
    let field = rec.and_then(|rec| rec.field(word));
    let ty = field.map_or_else(String::new, |field| format!("{} ", analysis.records.type_name(field.ty())));
    let mut text = format!("```tablegen\n{ty}{word}\n```");
    let declared_in = rec.and_then(|rec| {
        let all = rec.superclasses().chain([rec]);
        all.into_iter().find(|class| class.field(word).is_some())
    });
    if let Some(class) = declared_in {
        push_paragraph(&mut text, &format!("field of `{}`", class.name()));
    }
    // The record at the cursor may override the value.
    let here = document.path_to(offset).last().and_then(|statement| {
        let keyword = statement.start;
        analysis.records_at(&document.path, keyword).into_iter().next()
    });
    let value = here.and_then(|rec| rec.get(word)).or_else(|| rec?.get(word));
    if let Some(value) = value.filter(|value| !value.is_unset()) {
        push_paragraph(&mut text, &value_text(value));
    }
    if let Some(comment) = comment(workspace, &name.definition) {
        push_paragraph(&mut text, &comment);
    }
    text
}

fn value_text(value: Val<'_>) -> String {
    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let shown = clipped(shown.trim(), MOST_VALUE);
    if shown.contains('\n') { format!("```\n{}\n```", dedent(&shown)) } else { format!("value: `{shown}`") }
}

// --- names inside of definitions --------------------------------------------------------------------------------

fn inner_text(analysis: &Analysis, inner: &InnerName) -> Option<String> {
    let Some(record) = inner.record else {
        return Some(format!("`${}`: a name that the pattern binds", inner.name));
    };
    let rec = analysis.records.rec(record);
    analysis.check().ok()?;
    if let Some(op) = Operation::lenient(rec).filter(|_| rec.is_subclass_of("Op")) {
        let part = op.parts().find(|part| part.name == inner.name)?;
        let kind = match part.kind {
            PartKind::Operand => "operand",
            PartKind::Attribute | PartKind::DerivedAttribute => "attribute",
            PartKind::Property => "property",
            PartKind::Result => "result",
            PartKind::Region => "region",
            PartKind::Successor => "successor",
        };
        let mut text = format!(
            "```tablegen\n{}:${}\n```\n{kind} of `{}`",
            constraint_name(part.constraint),
            part.name,
            op.name()
        );
        for line in [part.constraint.summary(), part.decoration.summary().unwrap_or_default()] {
            if !line.is_empty() {
                push_paragraph(&mut text, line);
            }
        }
        let condition = part.constraint.condition();
        if !condition.is_empty() {
            push_paragraph(&mut text, &cpp(&condition));
        }
        return Some(text);
    }
    let def = DefKind::of(rec).and_then(|kind| AttrOrTypeDef::lenient(rec, kind));
    if let Some(parameter) =
        def.as_ref().and_then(|def| def.parameters().iter().find(|it| it.name == inner.name))
    {
        let mut text = cpp(&format!("{} {}", parameter.cpp_type(), parameter.name));
        push_paragraph(&mut text, &format!("parameter of `{}`", Definition::new(rec).name()));
        if let Some(summary) = parameter.summary() {
            push_paragraph(&mut text, summary);
        }
        return Some(text);
    }
    Some(format!("`${}`: named by `{}` of `{}`", inner.name, inner.field?, rec.name()))
}

// --- text -------------------------------------------------------------------------------------------------------

fn push_paragraph(text: &mut String, paragraph: &str) {
    if !paragraph.is_empty() {
        text.push_str("\n\n");
        text.push_str(paragraph);
    }
}

/// Cuts a text after `most` bytes.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lines_of(text: &str) -> String {
    let mut lines: Vec<&str> = text.trim().lines().take(MOST_LINES + 1).collect();
    let is_cut = lines.len() > MOST_LINES;
    lines.truncate(MOST_LINES);
    let mut text = lines.join("\n");
    // Close a fence that was cut off.
    if text.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1 {
        text.push_str("\n```");
    }
    if is_cut {
        text.push_str("\n\n…");
    }
    text
}

/// Removes the indentation that all lines share.
pub(crate) fn dedent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = text
        .lines()
        .enumerate()
        .map(
            |(index, line)| {
                if index == 0 { line.trim_start() } else { line.get(common..).unwrap_or_default() }
            },
        )
        .collect();
    lines.join("\n").trim().to_owned()
}
