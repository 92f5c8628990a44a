//! Completion of values: those of the expected type, and those that would have it once their file is included.

use odsmith_engine::{
    outline::{Kind, StatementKind},
    record::{Rec, TypeId},
};

use super::{Item, ItemKind, List, class_item, is_own};
use crate::{
    analysis::Analysis,
    context::{self, Context, Frame, Shape},
    document::Document,
    index::IndexEntry,
    workspace::Workspace,
};

/// The base classes of values in `arguments`; below, in `results`.
const ARGUMENTS: &[&str] = &["TypeConstraint", "AttrConstraint", "Property", "PropConstraint", "OpVariable"];
const RESULTS: &[&str] = &["TypeConstraint", "OpVariable"];
const REGIONS: &[&str] = &["RegionConstraint"];
const SUCCESSORS: &[&str] = &["SuccessorConstraint"];

/// Completes inside brackets; returns true if the position was recognised.
pub(super) fn in_brackets(
    workspace: &Workspace,
    analysis: &Analysis,
    context: &Context<'_>,
    frame: &Frame,
    shape: &Shape<'_>,
    list: &mut List,
) -> bool {
    let records = &analysis.records;
    match frame.bracket {
        b'<' => {
            let Some(class) = context::class_of(analysis, context, frame) else {
                // `list<…>`, `!cast<…>`, or the arguments that a class declares.
                types(workspace, analysis, list);
                return true;
            };
            if shape.record == Some(class) && context.frames.len() == 1 && !context.is_after_colon {
                types(workspace, analysis, list);
                return true;
            }
            let begins = frame.first.is_none() || context.is_after(b',');
            let all: Vec<_> = context::arguments(class).collect();
            if begins {
                for argument in all.iter().skip(frame.commas) {
                    list.push(Item {
                        label: format!("{} =", argument.name),
                        kind: ItemKind::Argument,
                        detail: records.type_name(argument.ty),
                        snippet: Some(format!("{} = $0", argument.name)),
                        order: 4,
                        ..Item::default()
                    });
                }
            }
            let named = named_argument(context, frame);
            let ty = match named {
                Some(name) => all.iter().find(|argument| argument.name == name),
                None => all.get(frame.commas),
            };
            of_type(workspace, analysis, context, ty.map(|argument| argument.ty), shape, list);
            true
        }
        b'[' => {
            let ty = wanted(analysis, context, context.frames.len() - 1, shape);
            let element = ty.and_then(|ty| records.list_element(ty));
            of_type(workspace, analysis, context, element, shape, list);
            true
        }
        b'(' => {
            let head = frame.head.filter(|&head| context.document.tokens[head].kind == Kind::Operator);
            if head.is_some() {
                of_type(workspace, analysis, context, None, shape, list);
                return true;
            }
            dag(workspace, analysis, context, frame, shape, list);
            true
        }
        _ => {
            of_type(workspace, analysis, context, None, shape, list);
            true
        }
    }
}

/// Returns the name in `name = `, if the current entry has one.
fn named_argument<'c>(context: &Context<'c>, frame: &Frame) -> Option<&'c str> {
    let equal = context.document.tokens.get(frame.entry + 1)?;
    (equal.is(b'=') && equal.end <= context.offset).then(|| context.text(frame.entry))
}

/// Returns the type expected at bracket number `index`.
fn wanted(analysis: &Analysis, context: &Context<'_>, index: usize, shape: &Shape<'_>) -> Option<TypeId> {
    let Some(outer) = index.checked_sub(1).map(|outer| &context.frames[outer]) else {
        let field = context.field()?;
        return shape.field_type(context.document.text_of(field.name));
    };
    match outer.bracket {
        b'<' => {
            let class = context::class_of(analysis, context, outer)?;
            let mut all = context::arguments(class);
            match named_argument(context, outer) {
                Some(name) => all.find(|argument| argument.name == name),
                None => all.nth(outer.commas),
            }
            .map(|argument| argument.ty)
        }
        b'[' => analysis.records.list_element(wanted(analysis, context, index - 1, shape)?),
        // Most operators return the type of their operands.
        b'(' => wanted(analysis, context, index - 1, shape),
        _ => None,
    }
}

/// Completes a type in a declaration.
fn types(workspace: &Workspace, analysis: &Analysis, list: &mut List) {
    for word in super::TYPES {
        list.push(Item { label: (*word).to_owned(), kind: ItemKind::Type, order: 0, ..Item::default() });
    }
    for class in analysis.records.classes() {
        let item = class_item(workspace, analysis, class);
        list.push(Item { snippet: None, ..item });
    }
}

/// Completes inside a dag.
fn dag(
    workspace: &Workspace,
    analysis: &Analysis,
    context: &Context<'_>,
    frame: &Frame,
    shape: &Shape<'_>,
    list: &mut List,
) {
    let Some(first) = frame.first else {
        if shape.is_a("Pattern") {
            defs(workspace, analysis, context, &["Op", "NativeCodeCall"], list);
            return;
        }
        for word in ["ins", "outs", "region", "successor"] {
            list.push(Item { label: word.to_owned(), kind: ItemKind::Def, ..Item::default() });
        }
        return;
    };
    if context.is_after(b':') {
        return;
    }
    match context.text(first) {
        "ins"
            if context.field().is_some_and(|field| context.document.text_of(field.name) == "parameters") =>
        {
            defs(
                workspace,
                analysis,
                context,
                &["AttrOrTypeParameter", "AttrParameter", "TypeParameter"],
                list,
            );
        }
        "ins" => defs(workspace, analysis, context, ARGUMENTS, list),
        "outs" => defs(workspace, analysis, context, RESULTS, list),
        "region" => defs(workspace, analysis, context, REGIONS, list),
        "successor" => defs(workspace, analysis, context, SUCCESSORS, list),
        _ => {
            bound_names(context, list);
            let classes = ["TypeConstraint", "AttrConstraint", "PropConstraint", "NativeCodeCall"];
            defs(workspace, analysis, context, &classes, list);
        }
    }
}

/// Completes the names that a pattern binds.
fn bound_names(context: &Context<'_>, list: &mut List) {
    let Some(statement) = context.statement() else { return };
    for index in statement.tokens.clone() {
        let token = context.document.tokens[index];
        if token.kind == Kind::Variable && token.end != context.offset {
            let label = context.text(index).to_owned();
            list.push(Item { label, kind: ItemKind::Variable, order: 0, ..Item::default() });
        }
    }
}

/// Completes defs and classes that derive from one of these, including those that are not included yet.
fn defs(
    workspace: &Workspace,
    analysis: &Analysis,
    context: &Context<'_>,
    classes: &[&str],
    list: &mut List,
) {
    let records = &analysis.records;
    let derives = |rec: &Rec<'_>| classes.iter().any(|class| rec.is_subclass_of(*class));
    for def in records.defs_as_made().filter(|def| !def.is_anonymous() && derives(def)) {
        list.push(def_item(workspace, analysis, def));
    }
    for class in records.classes().filter(|class| derives(class) || classes.contains(&class.name())) {
        list.push(class_item(workspace, analysis, class));
    }
    let index = workspace.index();
    let descendants = index.descendants(classes);
    for (path, named) in index.all() {
        let is_value = matches!(named.kind, StatementKind::Def | StatementKind::Class);
        if is_value && list.fits(&named.name) && descendants.has(named) {
            let kind = if named.kind == StatementKind::Def { ItemKind::Def } else { ItemKind::Class };
            push_named(workspace, analysis, context, (path, named), kind, list);
        }
    }
}

fn def_item(workspace: &Workspace, analysis: &Analysis, def: Rec<'_>) -> Item {
    let summary = def.optional_string("summary").unwrap_or_default().trim();
    Item {
        label: def.name().to_owned(),
        kind: ItemKind::Def,
        detail: match summary {
            "" => def.direct_superclasses().map(Rec::name).collect::<Vec<_>>().join(", "),
            summary => summary.to_owned(),
        },
        order: if is_own(workspace, analysis, def) { 1 } else { 2 },
        ..Item::default()
    }
}

/// Adds a definition of some file, with an `include` of that file if it is missing.
pub(super) fn push_named(
    workspace: &Workspace,
    analysis: &Analysis,
    context: &Context<'_>,
    (path, named): (&str, &IndexEntry),
    kind: ItemKind,
    list: &mut List,
) {
    if analysis.reads(path) {
        // A record exists already, unless it comes later in a file that is being edited.
        let is_new =
            analysis.records.class(&named.name).is_none() && analysis.records.def(&named.name).is_none();
        if is_new && (path != context.document.path || named.start < context.word.start) {
            list.push(Item { label: named.name.clone(), kind, order: 3, ..Item::default() });
        }
        return;
    }
    // Definitions that are not included are offered only if they contain the typed text.
    if !named.name.to_ascii_lowercase().contains(list.typed()) {
        return;
    }
    let Some((at, text)) = include_edit(workspace, &analysis.root, context.document, path) else { return };
    list.push(Item {
        label: named.name.clone(),
        kind,
        detail: text.trim().to_owned(),
        also: Some((at, text)),
        order: 7,
        ..Item::default()
    });
}

/// Returns the edit that includes a file in a document of this root: its text and its offset.
pub(crate) fn include_edit(
    workspace: &Workspace,
    root: &str,
    document: &Document,
    path: &str,
) -> Option<(usize, String)> {
    let folders = workspace.include_folders(root);
    let below = |folder: &String| match folder.trim_matches('/') {
        "" | "." => Some(path),
        folder => path.strip_prefix(folder)?.strip_prefix('/'),
    };
    let name = folders.iter().filter_map(below).min_by_key(|name| name.len())?;
    if workspace.resolve_include(root, name).as_deref() != Some(path) {
        return None;
    }
    let last = document.statements.iter().rfind(|it| it.kind == StatementKind::Include);
    let (at, text) = match last {
        Some(last) => (last.range().end, format!("\ninclude \"{name}\"")),
        None => {
            // Insert after the leading comment and the include guard.
            let first = document.code().next();
            (first.map_or(document.text.len(), |token| token.start), format!("include \"{name}\"\n\n"))
        }
    };
    Some((at, text))
}

/// Completes values of a type; any named value if no type is expected.
pub(super) fn of_type(
    workspace: &Workspace,
    analysis: &Analysis,
    context: &Context<'_>,
    ty: Option<TypeId>,
    shape: &Shape<'_>,
    list: &mut List,
) {
    let records = &analysis.records;
    if let Some(rec) = shape.record {
        for argument in context::arguments(rec) {
            list.push(Item {
                label: argument.name.to_owned(),
                kind: ItemKind::Argument,
                detail: records.type_name(argument.ty),
                order: 0,
                ..Item::default()
            });
        }
    }
    variables(context, list);
    super::operators(list);
    let class = ty.and_then(|ty| records.class_of(ty));
    match (class, ty.map(|ty| records.type_name(ty))) {
        (Some(class), _) => defs(workspace, analysis, context, &[class.name()], list),
        (None, Some(ty)) if ty == "bit" => {
            ["true", "false"].iter().for_each(|word| list.keyword(word, None));
        }
        (None, Some(ty)) if ty == "dag" => {
            for (label, snippet) in [("ins", "(ins $1)"), ("outs", "(outs $1)")] {
                let snippet = Some(snippet.to_owned());
                list.push(Item { label: label.to_owned(), kind: ItemKind::Def, snippet, ..Item::default() });
            }
        }
        (None, Some(_)) => {}
        (None, None) => {
            for def in records.defs_as_made().filter(|def| !def.is_anonymous()) {
                if list.fits(def.name()) {
                    list.push(def_item(workspace, analysis, def));
                }
            }
            for class in records.classes() {
                list.push(class_item(workspace, analysis, class));
            }
        }
    }
}

/// Completes `defvar`s and loop variables defined before the cursor.
fn variables(context: &Context<'_>, list: &mut List) {
    for statement in context.document.all_statements() {
        let is_variable = matches!(statement.kind, StatementKind::Defvar | StatementKind::Foreach);
        let Some(name) = statement.name.filter(|_| is_variable) else { continue };
        if name.end < context.word.start {
            let label = context.document.text_of(name).to_owned();
            list.push(Item { label, kind: ItemKind::Variable, order: 1, ..Item::default() });
        }
    }
}
