//! Completion.
//!
//! * `format`: inside of assembly formats;
//! * `values`: values of an expected type, including those of files that are not included yet;
//! * this file: chooses between them, and completes classes, fields and keywords.

mod format;
mod values;

pub(crate) use values::include_edit;

use std::ops::Range;

use odsmith_engine::{outline::StatementKind, record::Rec};

use crate::{
    analysis::Analysis,
    context::{self, Context, Shape},
    document::Document,
    hover, ir,
    operators::OPERATORS,
    workspace::Workspace,
};

/// A completion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The label, which is also the inserted text unless there is a `snippet`.
    pub label: String,
    /// The kind of thing that it names.
    pub kind: ItemKind,
    /// A few words about it.
    pub detail: String,
    /// Markdown documentation.
    pub documentation: Option<String>,
    /// The inserted text: a snippet with `$1`, `${2:default}`.
    pub snippet: Option<String>,
    /// The bytes that it replaces.
    pub replace: Range<usize>,
    /// A second edit, such as an `include`: an offset and a text.
    pub also: Option<(usize, String)>,
    /// The rank among the completions; lower ones come first.
    pub order: u8,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word itself")]
pub enum ItemKind {
    #[default]
    Keyword,
    Class,
    Def,
    Field,
    Argument,
    Variable,
    Operator,
    Type,
    File,
    Folder,
    Directive,
}

/// The completions at an offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The best items, in order.
    pub items: Vec<Item>,
    /// True if more items match the typed prefix.
    pub is_incomplete: bool,
}

/// The most items that a list returns.
const MOST_ITEMS: usize = 300;

/// Returns the completions at an offset.
#[must_use]
pub fn complete(workspace: &Workspace, path: &str, offset: usize) -> Completions {
    if ir::is_ir(path) {
        return ir::completion::complete(workspace, path, offset);
    }
    let Some(document) = workspace.document(path) else { return Completions::default() };
    let context = Context::new(&document, offset);
    let mut list = List::new(&context);
    if let Some(inside) = context.inside {
        in_text(workspace, &context, inside, &mut list);
    } else {
        in_code(workspace, &context, &mut list);
    }
    list.finish()
}

/// Returns all completions at an offset, where a word begins, without those that the word excludes: it may be misspelt.
#[must_use]
pub(crate) fn all_at(workspace: &Workspace, document: &Document, offset: usize) -> Vec<Item> {
    let context = Context::new(document, offset);
    let mut list =
        List { typed: String::new(), replace: offset..offset, items: Vec::new(), is_incomplete: false };
    match context.inside {
        Some(inside) => in_text(workspace, &context, inside, &mut list),
        None => in_code(workspace, &context, &mut list),
    }
    list.items
}

/// A list of completions under construction.
pub(super) struct List {
    typed: String,
    replace: Range<usize>,
    items: Vec<Item>,
    is_incomplete: bool,
}

impl List {
    fn new(context: &Context<'_>) -> Self {
        let typed = context.document.text[context.word.clone()].to_ascii_lowercase();
        List { typed, replace: context.word.clone(), items: Vec::new(), is_incomplete: false }
    }

    /// Returns the typed prefix in lower case.
    fn typed(&self) -> &str {
        &self.typed
    }

    /// Returns true if a label may complete the typed prefix.
    fn fits(&self, label: &str) -> bool {
        let mut rest = label.bytes();
        self.typed.bytes().all(|byte| rest.any(|other| other.to_ascii_lowercase() == byte))
    }

    fn push(&mut self, item: Item) {
        if !self.fits(&item.label) {
            return;
        }
        let replace = if item.replace.is_empty() { self.replace.clone() } else { item.replace };
        self.items.push(Item { replace, ..item });
    }

    fn keyword(&mut self, label: &str, snippet: Option<&str>) {
        let snippet = snippet.map(str::to_owned);
        self.push(Item { label: label.to_owned(), snippet, order: 5, ..Item::default() });
    }

    fn finish(mut self) -> Completions {
        let typed = self.typed;
        let distance = |item: &Item| {
            let label = item.label.to_ascii_lowercase();
            (!label.starts_with(&typed), item.order)
        };
        self.items.sort_by(|a, b| (distance(a), &a.label).cmp(&(distance(b), &b.label)));
        self.items.dedup_by(|a, b| a.label == b.label);
        let is_incomplete = self.is_incomplete || self.items.len() > MOST_ITEMS;
        self.items.truncate(MOST_ITEMS);
        Completions { items: self.items, is_incomplete }
    }
}

// --- inside of strings and code ---------------------------------------------------------------------------------

fn in_text(workspace: &Workspace, context: &Context<'_>, inside: usize, list: &mut List) {
    let token = context.document.tokens[inside];
    if !token.is_code() {
        return;
    }
    let is_include = context.before.is_some_and(|before| context.text(before) == "include")
        || inside.checked_sub(1).is_some_and(|before| context.text(before) == "include");
    if is_include {
        include_paths(workspace, context, inside, list);
        return;
    }
    let Some(statement) = context.statement() else { return };
    let field = context.field().map(|item| context.document.text_of(item.name));
    for analysis in context::analyses(workspace, &context.document.path) {
        let shape = Shape::of(&analysis, context.document, statement);
        if field == Some("assemblyFormat") {
            format::complete(&analysis, context, inside, &shape, list);
        } else {
            format::names(&analysis, context, &shape, list);
        }
        if !list.items.is_empty() {
            return;
        }
    }
}

/// Completes the files and folders that an `include` can name.
fn include_paths(workspace: &Workspace, context: &Context<'_>, inside: usize, list: &mut List) {
    let start = context.document.tokens[inside].start + 1;
    let typed = &context.document.text[start..context.offset];
    let folder = typed.rsplit_once('/').map_or("", |(folder, _)| folder);
    let end = context.document.text[context.offset..]
        .find(['"', '\n'])
        .map_or(context.offset, |length| context.offset + length);
    list.replace = start + if folder.is_empty() { 0 } else { folder.len() + 1 }..end;
    list.typed = typed[typed.len().min(folder.len())..].trim_start_matches('/').to_ascii_lowercase();
    let root = workspace.roots_of(&context.document.path).into_iter().next().unwrap_or_default();
    let library = workspace.library();
    let own = workspace.bundle().iter().map(|(path, _)| path.to_owned());
    let of_library = library.paths().map(|path| format!("{}/{path}", library.root()));
    let files: Vec<String> = own.chain(of_library).filter(|path| path.ends_with(".td")).collect();
    let mut folders = workspace.include_folders(&root);
    folders.push(String::new());
    for include in folders {
        let include = include.trim_matches('/');
        let below = [include, folder]
            .iter()
            .filter(|part| !matches!(**part, "" | "."))
            .copied()
            .collect::<Vec<_>>()
            .join("/");
        let below = if below.is_empty() { below } else { format!("{below}/") };
        for file in files.iter().filter_map(|file| file.strip_prefix(&below)) {
            let (label, kind) = match file.split_once('/') {
                Some((folder, _)) if !folder.starts_with('<') => (format!("{folder}/"), ItemKind::Folder),
                Some(_) => continue,
                None => (file.to_owned(), ItemKind::File),
            };
            if list.items.iter().all(|item| item.label != label) {
                list.push(Item { label, kind, ..Item::default() });
            }
        }
    }
}

// --- outside of them --------------------------------------------------------------------------------------------

const STATEMENTS: &[(&str, &str)] = &[
    ("include", "include \"$1\""),
    ("def", "def ${1:Name} : ${2:Class} {\n  $0\n}"),
    ("class", "class ${1:Name}<$2> {\n  $0\n}"),
    ("multiclass", "multiclass ${1:Name}<$2> {\n  $0\n}"),
    ("defm", "defm ${1:Name} : $0;"),
    ("defvar", "defvar ${1:name} = $0;"),
    ("defset", "defset list<${1:Class}> ${2:name} = {\n  $0\n}"),
    ("deftype", "deftype ${1:name} = $0;"),
    ("let", "let ${1:field} = ${2:value} in {\n  $0\n}"),
    ("foreach", "foreach ${1:item} = ${2:list} in {\n  $0\n}"),
    ("if", "if ${1:condition} then {\n  $0\n}"),
    ("assert", "assert ${1:condition}, \"$2\";"),
    ("dump", "dump \"$1\";"),
];

const TYPES: &[&str] = &["bit", "bits", "code", "dag", "int", "list", "string"];

fn in_code(workspace: &Workspace, context: &Context<'_>, list: &mut List) {
    if context.document.text[context.word.clone()].starts_with('!')
        || context.document.text[context.offset..].starts_with('!')
    {
        operators(list);
        return;
    }
    let all = context::analyses(workspace, &context.document.path);
    let Some(statement) = context.statement() else {
        STATEMENTS.iter().for_each(|(label, snippet)| list.keyword(label, Some(snippet)));
        return;
    };
    for analysis in &all {
        let is_known = in_statement(workspace, analysis, context, list);
        if is_known && !list.items.is_empty() {
            return;
        }
    }
    if statement.kind == StatementKind::Include {
        list.items.clear();
    }
}

/// Completes inside a statement; returns true if the position was recognised.
fn in_statement(workspace: &Workspace, analysis: &Analysis, context: &Context<'_>, list: &mut List) -> bool {
    let Some(statement) = context.statement() else { return false };
    let shape = Shape::of(analysis, context.document, statement);
    if context.is_after(b'.') {
        return fields_of_value(analysis, context, list);
    }
    if let Some(frame) = context.frames.last() {
        return values::in_brackets(workspace, analysis, context, frame, &shape, list);
    }
    if context.is_in_body && context::has_fields(statement) {
        return in_body(workspace, analysis, context, &shape, list);
    }
    if context.is_in_body || statement.kind == StatementKind::Let && context.is_after(b'}') {
        STATEMENTS.iter().for_each(|(label, snippet)| list.keyword(label, Some(snippet)));
        return true;
    }
    let takes_classes = context.is_after_colon && (context.is_after(b':') || context.is_after(b','));
    match statement.kind {
        StatementKind::Class | StatementKind::Def if takes_classes => {
            classes(workspace, analysis, context, list);
        }
        StatementKind::Defm if takes_classes => {
            let index = workspace.index();
            for (path, named) in index.all().filter(|(_, named)| named.kind == StatementKind::Multiclass) {
                values::push_named(workspace, analysis, context, (path, named), ItemKind::Class, list);
            }
            classes(workspace, analysis, context, list);
        }
        StatementKind::Multiclass if takes_classes => {
            let index = workspace.index();
            for (path, named) in index.all().filter(|(_, named)| named.kind == StatementKind::Multiclass) {
                values::push_named(workspace, analysis, context, (path, named), ItemKind::Class, list);
            }
        }
        StatementKind::Let if !context.is_after(b'=') => {
            // Offer the fields of every class: `let … in` often sets them around many definitions.
            for class in analysis.records.classes() {
                for (name, _) in class.declarations() {
                    let label = name.to_owned();
                    list.push(Item { label, kind: ItemKind::Field, order: 3, ..Item::default() });
                }
            }
            list.keyword("in", None);
        }
        _ if context.is_after(b'=') || context.is_after(b'#') => {
            values::of_type(workspace, analysis, context, None, &shape, list);
        }
        StatementKind::Foreach => list.keyword("in", None),
        StatementKind::If => ["then", "else"].iter().for_each(|word| list.keyword(word, None)),
        _ => {}
    }
    true
}

fn operators(list: &mut List) {
    for operator in OPERATORS {
        list.push(Item {
            label: format!("!{}", operator.name),
            kind: ItemKind::Operator,
            detail: operator.signature(),
            documentation: Some(operator.about.to_owned()),
            snippet: Some(match operator.operands.starts_with('<') {
                true => format!("!{}<$1>($0)", operator.name),
                false => format!("!{}($0)", operator.name),
            }),
            ..Item::default()
        });
    }
}

/// Completes classes to derive from.
fn classes(workspace: &Workspace, analysis: &Analysis, context: &Context<'_>, list: &mut List) {
    for class in analysis.records.classes() {
        list.push(class_item(workspace, analysis, class));
    }
    let index = workspace.index();
    for (path, named) in index.all().filter(|(_, named)| named.kind == StatementKind::Class) {
        if analysis.records.class(&named.name).is_none() {
            values::push_named(workspace, analysis, context, (path, named), ItemKind::Class, list);
        }
    }
}

pub(super) fn class_item(workspace: &Workspace, analysis: &Analysis, class: Rec<'_>) -> Item {
    let is_own = is_own(workspace, analysis, class);
    let arguments: Vec<_> = context::arguments(class).filter(|argument| argument.default.is_none()).collect();
    let holes: Vec<String> =
        arguments.iter().enumerate().map(|(index, it)| format!("${{{}:{}}}", index + 1, it.name)).collect();
    let name = class.name();
    let snippet = (!holes.is_empty()).then(|| format!("{name}<{}>", holes.join(", ")));
    Item {
        label: name.to_owned(),
        kind: ItemKind::Class,
        detail: hover::clipped(&hover::class_signature(class), 120),
        snippet,
        order: if is_own { 1 } else { 3 },
        ..Item::default()
    }
}

/// Returns true if a record is defined in the workspace.
pub(super) fn is_own(workspace: &Workspace, analysis: &Analysis, rec: Rec<'_>) -> bool {
    let buffer = analysis.records.sources().buffer_of(rec.span());
    buffer.is_some_and(|buffer| !buffer.name.starts_with(workspace.library().root()))
}

// --- bodies -----------------------------------------------------------------------------------------------------

/// Snippets that `let` inserts for fields with long values.
const SNIPPETS: &[(&str, &str)] = &[
    ("arguments", "arguments = (ins $1);"),
    ("results", "results = (outs $1);"),
    ("regions", "regions = (region ${1:AnyRegion}:\\$${2:body});"),
    ("successors", "successors = (successor ${1:AnySuccessor}:\\$${2:dest});"),
    ("parameters", "parameters = (ins \"$1\":\\$$2);"),
    ("assemblyFormat", "assemblyFormat = [{\n  $1\n}];"),
    ("description", "description = [{\n  $1\n}];"),
    ("summary", "summary = \"$1\";"),
    ("extraClassDeclaration", "extraClassDeclaration = [{\n  $1\n}];"),
    ("extraClassDefinition", "extraClassDefinition = [{\n  $1\n}];"),
    ("builders", "builders = [\n  OpBuilder<(ins $1)>\n];"),
];

fn in_body(
    workspace: &Workspace,
    analysis: &Analysis,
    context: &Context<'_>,
    shape: &Shape<'_>,
    list: &mut List,
) -> bool {
    if context.is_in_value() {
        let field = context.field().map(|item| context.document.text_of(item.name));
        let ty = field.and_then(|field| shape.field_type(field));
        values::of_type(workspace, analysis, context, ty, shape, list);
        return true;
    }
    let is_after_let = context.before.is_some_and(|before| context.text(before) == "let");
    let begins_item = context.is_after(b'{') || context.is_after(b';') || context.is_after(b'}');
    if is_after_let || begins_item {
        for (name, ty, rec) in shape.fields() {
            list.push(field_item(workspace, analysis, (name, ty, rec), is_after_let));
        }
    }
    if begins_item {
        for word in ["let", "defvar", "assert", "dump", "field"] {
            list.keyword(word, None);
        }
        for word in TYPES {
            list.push(Item { label: (*word).to_owned(), kind: ItemKind::Type, order: 6, ..Item::default() });
        }
    }
    true
}

fn field_item(
    workspace: &Workspace,
    analysis: &Analysis,
    (name, ty, rec): (&str, odsmith_engine::record::TypeId, Rec<'_>),
    is_after_let: bool,
) -> Item {
    let shown = analysis.records.type_name(ty);
    let value =
        rec.get(name).filter(|value| !value.is_unset()).map(|value| hover::clipped(&value.to_string(), 80));
    let assigned =
        SNIPPETS.iter().find(|(field, _)| *field == name).map(|(_, snippet)| (*snippet).to_owned());
    let assigned = assigned.unwrap_or_else(|| match shown.as_str() {
        "bit" => format!("{name} = ${{1:1}};"),
        "string" => format!("{name} = \"$1\";"),
        ty if ty.starts_with("list") => format!("{name} = [$1];"),
        _ => format!("{name} = $1;"),
    });
    let about = analysis.declaration(rec.id(), name).and_then(|place| {
        let document: std::rc::Rc<Document> = workspace.document(&place.path)?;
        document.comment_above(place.range.start)
    });
    let mut documentation = about.unwrap_or_default();
    if let Some(value) = &value {
        documentation.push_str(&format!("\n\nvalue now: `{value}`"));
    }
    Item {
        label: name.to_owned(),
        kind: ItemKind::Field,
        detail: shown,
        documentation: (!documentation.is_empty()).then_some(documentation),
        snippet: Some(if is_after_let { assigned } else { format!("let {assigned}") }),
        order: if SNIPPETS.iter().any(|(field, _)| *field == name) { 0 } else { 2 },
        ..Item::default()
    }
}

/// Completes the fields of the value before a `.`.
fn fields_of_value(analysis: &Analysis, context: &Context<'_>, list: &mut List) -> bool {
    let value = context.before.and_then(|dot| dot.checked_sub(1)).map(|index| context.text(index));
    let records = &analysis.records;
    let def = value.and_then(|name| records.def(name));
    let class = value.and_then(|name| {
        let shape = Shape::of(analysis, context.document, context.statement()?);
        let of_field = shape.field_type(name);
        let of_argument = shape.record.and_then(|rec| {
            context::arguments(rec).find(|argument| argument.name == name).map(|argument| argument.ty)
        });
        records.class_of(of_field.or(of_argument)?)
    });
    let Some(rec) = def.or(class) else { return false };
    for (name, field) in rec.declarations() {
        let detail = records.type_name(field.ty());
        list.push(Item { label: name.to_owned(), kind: ItemKind::Field, detail, ..Item::default() });
    }
    true
}
