//! TGN: TableGen itself. Unused definitions of a bundle, and faults of `let`, `defvar` and `include`.

use std::{collections::BTreeMap, ops::Range};

use odsmith_ods::{DefKind, Definition, DefinitionKind};
use odsmith_tablegen::{
    outline::{ItemKind, Kind, Outline, Statement, StatementKind, Token, includes, symbols},
    record::Rec,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Root,
    cx::{Bundle, Cx, about_file},
    finding::{Edit, Finding, Fix, edit_of},
    place_in,
    rule::{Fixable, Level, Rule, SINCE},
};

static UNUSED_DEF: Rule = Rule {
    id: "TGN001",
    name: "unused-def",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "Nothing in the bundle names a definition, and no generator writes anything for it.",
    advice: "delete it",
    bad: r#"
def Ex_Small : CPred<"isSmall($_self)">;
def Ex_NegOp : Ex_Op<"neg">;
"#,
    good: r#"
def Ex_Small : CPred<"isSmall($_self)">;
def Ex_NegOp : Ex_Op<"neg"> { let arguments = (ins Type<Ex_Small, "small">:$value); }
"#,
    since: SINCE,
};

static UNUSED_CLASS: Rule = Rule {
    id: "TGN002",
    name: "unused-class",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "Nothing in the bundle derives from a class or multiclass, or names it.",
    advice: "delete it",
    bad: r#"
include "mlir/IR/OpBase.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
class Ex_UnaryOp<string mnemonic> : Op<Ex_Dialect, mnemonic> { let arguments = (ins I32:$value); }
"#,
    good: r#"
include "mlir/IR/OpBase.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
class Ex_UnaryOp<string mnemonic> : Op<Ex_Dialect, mnemonic> { let arguments = (ins I32:$value); }
def Ex_NegOp : Ex_UnaryOp<"neg"> { let summary = "Negation"; }
"#,
    since: SINCE,
};

static UNUSED_INCLUDE: Rule = Rule {
    id: "TGN003",
    name: "unused-include",
    level: Level::Info,
    fix: Fixable::Safe,
    text: "A file includes another one and names nothing that it defines, itself or through others.",
    advice: "delete the include",
    bad: r#"
include "mlir/IR/OpBase.td"
include "mlir/Pass/PassBase.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
"#,
    good: r#"
include "mlir/IR/OpBase.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
"#,
    since: SINCE,
};

static INDIRECT_INCLUDE: Rule = Rule {
    id: "TGN004",
    name: "include-not-direct",
    level: Level::Off,
    fix: Fixable::Safe,
    text: "A file names what only a file that another one includes defines. It breaks when that one stops including it.",
    advice: "include the file itself",
    bad: r#"
include "mlir/IR/OpAsmInterface.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
class Ex_Op<string mnemonic> : Op<Ex_Dialect, mnemonic, [OpAsmOpInterface]>;
"#,
    good: r#"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
class Ex_Op<string mnemonic> : Op<Ex_Dialect, mnemonic, [OpAsmOpInterface]>;
"#,
    since: SINCE,
};

static LET_WITHOUT_EFFECT: Rule = Rule {
    id: "TGN005",
    name: "let-without-effect",
    level: Level::Info,
    fix: Fixable::Safe,
    text: "A `let` gives a field a value that a later one replaces, or the value that it has anyway.",
    advice: "delete the `let`",
    bad: r#"
def Ex_NegOp : Ex_Op<"neg"> {
  let hasVerifier = 0;
}
"#,
    good: r#"
def Ex_NegOp : Ex_Op<"neg"> {
  let hasVerifier = 1;
}
"#,
    since: SINCE,
};

static ENUM_PLACE: Rule = Rule {
    id: "TGN006",
    name: "enum-outside-enums-file",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An enum is defined in a file with operations that another file with enums includes. Code for enums is made for all that a file \
           sees, so that both make it, and the program has it twice.",
    advice: "move the enum to a file of enums, which both include",
    bad: r#"
// ExOps.td
#ifndef EX_OPS
#define EX_OPS
include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
def Ex_Dialect : Dialect { let name = "ex"; let summary = "s"; let description = "d"; let cppNamespace = "::ex"; }
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>]> { let cppNamespace = "::ex"; }
def Ex_RunOp : Op<Ex_Dialect, "run"> { let summary = "s"; let description = "d"; let arguments = (ins Ex_Mode:$mode); }
#endif
// ExMore.td
include "ExOps.td"
def Ex_Order : I32EnumAttr<"Order", "orders", [I32EnumAttrCase<"Up", 0>]> { let cppNamespace = "::ex"; }
"#,
    good: r#"
// ExEnums.td
#ifndef EX_ENUMS
#define EX_ENUMS
include "mlir/IR/EnumAttr.td"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>]> { let cppNamespace = "::ex"; }
#endif
// ExOps.td
include "mlir/IR/OpBase.td"
include "ExEnums.td"
def Ex_Dialect : Dialect { let name = "ex"; let summary = "s"; let description = "d"; let cppNamespace = "::ex"; }
def Ex_RunOp : Op<Ex_Dialect, "run"> { let summary = "s"; let description = "d"; let arguments = (ins Ex_Mode:$mode); }
"#,
    since: SINCE,
};

static SHADOWED_DEFVAR: Rule = Rule {
    id: "TGN007",
    name: "duplicate-defvar-shadow",
    level: Level::Warning,
    fix: Fixable::No,
    text: "A `defvar` in a body hides a `defvar` or template argument of the same name around it: which of them a name means depends \
           on the line.",
    advice: "use another name",
    bad: r#"
defvar width = 32;
class Ex_WideOp<string mnemonic> : Ex_Op<mnemonic> {
  defvar width = 64;
  let summary = "An operation of " # width # " bits";
}
def Ex_NegOp : Ex_WideOp<"neg">;
def Ex_AbsOp : Ex_Op<"abs"> { let summary = "An operation of " # width # " bits"; }
"#,
    good: r#"
defvar width = 32;
class Ex_WideOp<string mnemonic> : Ex_Op<mnemonic> {
  defvar wideWidth = 64;
  let summary = "An operation of " # wideWidth # " bits";
}
def Ex_NegOp : Ex_WideOp<"neg">;
def Ex_AbsOp : Ex_Op<"abs"> { let summary = "An operation of " # width # " bits"; }
"#,
    since: SINCE,
};

/// All rules.
pub(super) static RULES: &[&Rule] = &[
    &UNUSED_DEF,
    &UNUSED_CLASS,
    &UNUSED_INCLUDE,
    &INDIRECT_INCLUDE,
    &LET_WITHOUT_EFFECT,
    &ENUM_PLACE,
    &SHADOWED_DEFVAR,
];

/// Checks the definitions of a root: `let`s that repeat the base's value.
pub(super) fn check(cx: &Cx<'_, '_>) {
    if !cx.wants(&LET_WITHOUT_EFFECT) {
        return;
    }
    let operations = cx.operations.iter().map(|it| &it.subject);
    let definitions = cx.definitions.iter().map(|it| &it.subject);
    let passes = cx.passes.iter().map(|(_, subject)| subject);
    let dialects = cx.dialects.iter().map(|(_, subject)| subject);
    for subject in operations.chain(definitions).chain(passes).chain(dialects) {
        let Some((outline, statement)) = cx.statement(subject.rec) else { continue };
        // A surrounding statement may set other values.
        let is_plain = statement.kind == StatementKind::Def && statement.is_outermost;
        for item in statement.items.iter().filter(|item| item.kind == ItemKind::Let && is_plain) {
            let name = outline.text_of(item.name);
            let is_last = outline.item(statement, name).is_some_and(|last| last.start == item.start);
            if is_last && Definition::new(subject.rec).is_base_value(name) {
                let message = format!("'{name}' has that value anyway");
                cx.draft(&LET_WITHOUT_EFFECT, subject, message)
                    .part(name)
                    .at(Some(place_in(outline, item.start, item.end)))
                    .fix("delete it", vec![deletion(outline, item.range())])
                    .add();
            }
        }
    }
}

/// Deletes a piece of a file, with its lines if nothing else is on them.
pub(super) fn deletion(outline: &Outline, range: Range<usize>) -> Edit {
    let Range { start, end } = outline.widened(range);
    edit_of(outline, (start, end), "")
}

/// Checks the files of a bundle.
pub(super) fn check_files(bundle: Bundle<'_>, roots: &[Root<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for outline in bundle.outlines {
        dead_lets(bundle, outline, &mut found);
        shadowed(bundle, outline, &mut found);
    }
    if bundle.config.may_ask(&UNUSED_DEF) || bundle.config.may_ask(&UNUSED_CLASS) {
        unused(bundle, roots, &mut found);
    }
    if bundle.config.may_ask(&UNUSED_INCLUDE) || bundle.config.may_ask(&INDIRECT_INCLUDE) {
        includes(bundle, roots, &mut found);
    }
    if bundle.config.may_ask(&ENUM_PLACE) {
        enums(bundle, roots, &mut found);
    }
    found
}

/// Reports `let`s that a later one of the same body overrides.
fn dead_lets(bundle: Bundle<'_>, outline: &Outline, found: &mut Vec<Finding>) {
    for statement in outline.all_statements() {
        for (index, item) in statement.items.iter().enumerate().filter(|(_, item)| item.kind == ItemKind::Let)
        {
            let name = outline.text_of(item.name);
            let later = &statement.items[index + 1..];
            let Some(next) = later.iter().find(|it| outline.text_of(it.name) == name) else { continue };
            // The later `let`, or an item between them, may read the value.
            let is_read = later.iter().take_while(|it| it.start <= next.start).any(|it| {
                outline.tokens[it.value.clone()].iter().any(|token| outline.text_of(*token) == name)
            });
            if next.kind != ItemKind::Let || is_read {
                continue;
            }
            let message = format!("a later 'let {name}' replaces the value");
            let place = (outline, item.start, item.end);
            let finding = about_file(&LET_WITHOUT_EFFECT, bundle.means(), place, message);
            found.extend(finding.map(|mut finding| {
                let owner = statement.whole_name().map(|name| outline.text_of(name)).unwrap_or_default();
                finding.subject = format!("{owner}#{name}");
                let place = place_in(outline, next.start, next.end);
                finding.related = vec![Finding::note(Some(place), "the later one")];
                finding.fix = Some(Fix {
                    title: "delete it".to_owned(),
                    is_safe: true,
                    edits: vec![deletion(outline, item.range())],
                });
                finding
            }));
        }
    }
}

/// Reports `defvar`s that hide a name around them.
fn shadowed(bundle: Bundle<'_>, outline: &Outline, found: &mut Vec<Finding>) {
    let tops: Vec<(&str, Token)> = outline
        .statements
        .iter()
        .filter(|it| it.kind == StatementKind::Defvar)
        .filter_map(|it| it.whole_name().map(|name| (outline.text_of(name), name)))
        .collect();
    let mut report = |owner: &str, name: Token, hidden: Token| {
        let text = outline.text_of(name);
        let message = format!("'defvar {text}' hides another '{text}' around it");
        let place = (outline, name.start, name.end);
        found.extend(about_file(&SHADOWED_DEFVAR, bundle.means(), place, message).map(|mut finding| {
            finding.subject = format!("{owner}#{text}");
            let place = place_in(outline, hidden.start, hidden.end);
            finding.related = vec![Finding::note(Some(place), "the hidden one")];
            finding
        }));
    };
    for statement in outline.all_statements() {
        let owner = statement.whole_name().map(|name| outline.text_of(name)).unwrap_or_default();
        let around = |name: &str| {
            let outer = outline.enclosing(statement.start).into_iter().rev();
            let arguments = outer.flat_map(|outer| symbols::arguments(outline, outer));
            let arguments = arguments.map(|it| (outline.text_of(it.token), it.token));
            let before = tops.iter().copied().filter(|(_, token)| token.start < statement.start);
            arguments.chain(before).find(|(known, _)| *known == name).map(|(_, token)| token)
        };
        for item in statement.items.iter().filter(|item| item.kind == ItemKind::Defvar) {
            if let Some(hidden) = around(outline.text_of(item.name)) {
                report(owner, item.name, hidden);
            }
        }
        if statement.kind == StatementKind::Defvar
            && !statement.is_outermost
            && let Some(name) = statement.whole_name()
            && let Some(hidden) = around(outline.text_of(name))
        {
            report(owner, name, hidden);
        }
    }
}

/// Counts each word in the user's files, strings and code included.
fn words<'o>(outlines: &'o [Outline]) -> FxHashMap<&'o str, u32> {
    let mut counts: FxHashMap<&'o str, u32> = FxHashMap::default();
    for outline in outlines {
        let mut is_included = false;
        for token in outline.code() {
            // The name of an included file does not use a definition of that name.
            let is_file = std::mem::replace(&mut is_included, outline.text_of(token) == "include");
            match token.kind {
                Kind::String if is_file => {}
                Kind::Word => *counts.entry(outline.text_of(token)).or_default() += 1,
                Kind::String | Kind::Code => {
                    let text = outline.text_of(token);
                    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    for word in text.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
                        *counts.entry(word).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
    }
    counts
}

/// Returns true if a generator emits code for a definition even if nothing refers to it.
fn is_emitted(rec: Rec<'_>) -> bool {
    let definition = Definition::new(rec);
    match definition.kind() {
        DefinitionKind::Operation
        | DefinitionKind::AttrOrType
        | DefinitionKind::Enum
        | DefinitionKind::Interface => true,
        DefinitionKind::EnumCase => false,
        DefinitionKind::Constraint => {
            odsmith_ods::Constraint::new(rec).cpp_function_name().is_some() || DefKind::of(rec).is_some()
        }
        DefinitionKind::Other => definition.is_generated(),
    }
}

fn unused(bundle: Bundle<'_>, roots: &[Root<'_>], found: &mut Vec<Finding>) {
    let counts = words(bundle.outlines);
    let mut emitted: FxHashSet<&str> = FxHashSet::default();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for root in roots {
        for rec in root.records.defs().filter(|rec| !rec.is_anonymous() && counts.get(rec.name()) == Some(&1))
        {
            known.insert(rec.name());
            if is_emitted(rec) {
                emitted.insert(rec.name());
            }
        }
    }
    // A pasted name, such as `"Ex_" # name`, may refer to any definition with this prefix.
    let strings = bundle.outlines.iter().flat_map(|outline| {
        let strings = outline.tokens.iter().filter(|token| token.kind == Kind::String);
        strings.map(move |token| outline.inside(*token))
    });
    let prefixes: FxHashSet<&str> = strings.filter(|it| it.len() >= 3 && it.ends_with('_')).collect();
    let is_pasted = |name: &str| {
        let mut ends = name.match_indices('_').map(|(at, _)| at + 1);
        ends.any(|end| prefixes.contains(&name[..end]))
    };
    for outline in bundle.outlines {
        for statement in outline.all_statements() {
            let (rule, what) = match statement.kind {
                StatementKind::Def => (&UNUSED_DEF, "definition"),
                StatementKind::Class | StatementKind::Multiclass => (&UNUSED_CLASS, "class"),
                _ => continue,
            };
            let Some(name) = statement.whole_name().filter(|name| name.kind == Kind::Word) else { continue };
            let text = outline.text_of(name);
            if counts.get(text) != Some(&1) || is_pasted(text) {
                continue;
            }
            // A `def` in a multiclass has another name, or is never instantiated.
            let is_meant = rule.id == UNUSED_CLASS.id || known.contains(text) && !emitted.contains(text);
            if !is_meant || !statement.is_outermost && rule.id == UNUSED_DEF.id && !known.contains(text) {
                continue;
            }
            let message = format!("nothing uses the {what} '{text}'");
            let finding = about_file(rule, bundle.means(), (outline, name.start, name.end), message);
            found.extend(finding.map(|mut finding| {
                text.clone_into(&mut finding.subject);
                finding.fix = statement.is_outermost.then(|| Fix {
                    title: "delete it".to_owned(),
                    is_safe: false,
                    edits: vec![deletion(outline, statement.range())],
                });
                finding
            }));
        }
    }
}

/// Definitions and includes of each file, by name.
struct Files {
    /// The names that a file defines.
    defines: FxHashMap<String, FxHashSet<String>>,
    /// Files that paste names together, so that their names are not all written out.
    pastes: FxHashSet<String>,
    /// The files that a file includes: the include's text and the file.
    includes: BTreeMap<String, Vec<(String, String)>>,
}

impl Files {
    fn new(bundle: Bundle<'_>, roots: &[Root<'_>]) -> Files {
        let mut files =
            Files { defines: FxHashMap::default(), pastes: FxHashSet::default(), includes: BTreeMap::new() };
        for root in roots {
            for buffer in root.records.sources().buffers() {
                if !files.defines.contains_key(&*buffer.name) {
                    let known =
                        bundle.by_name.get(&*buffer.name).and_then(|index| bundle.outlines.get(*index));
                    let read = known.is_none().then(|| Outline::new(buffer.name.clone(), &buffer.text));
                    if let Some(outline) = known.or(read.as_ref()) {
                        files.add(outline);
                    }
                }
            }
        }
        // By text: a guarded file that was read before is not read again.
        let mut names: Vec<&String> = files.defines.keys().collect();
        names.sort_unstable();
        for included in files.includes.values_mut() {
            for (name, file) in included {
                let is_meant = |known: &&&String| {
                    known
                        .strip_suffix(name.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
                };
                if let Some(known) = names.iter().find(is_meant) {
                    (*known).clone_into(file);
                }
            }
        }
        files
    }

    fn add(&mut self, outline: &Outline) {
        let mut names = FxHashSet::default();
        let included = includes::strings(outline.text.as_bytes());
        let included = included.map(|name| (outline.inside(name).to_owned(), String::new())).collect();
        self.includes.insert(outline.file.to_string(), included);
        for statement in outline.all_statements() {
            match (statement.kind, statement.whole_name()) {
                (
                    StatementKind::Class
                    | StatementKind::Def
                    | StatementKind::Defvar
                    | StatementKind::Multiclass,
                    Some(name),
                ) => _ = names.insert(outline.text_of(name).to_owned()),
                (
                    StatementKind::Let
                    | StatementKind::Include
                    | StatementKind::Class
                    | StatementKind::Defvar
                    | StatementKind::Multiclass,
                    _,
                ) => {}
                // These paste names, or define some in another way, such as `defset list<X> Name = {…}`.
                _ => _ = self.pastes.insert(outline.file.to_string()),
            }
        }
        self.defines.insert(outline.file.to_string(), names);
    }

    /// Returns the path by which a file is included.
    fn spelling(&self, file: &str) -> Option<&str> {
        let mut all = self.includes.values().flatten();
        all.find(|(_, included)| included == file).map(|(name, _)| name.as_str())
    }

    /// Returns a file and all that it includes.
    fn closure<'f>(&'f self, file: &'f str) -> Vec<&'f str> {
        let mut all = vec![file];
        let mut at = 0;
        while let Some(&file) = all.get(at) {
            for (_, inner) in self.includes.get(file).into_iter().flatten() {
                if !inner.is_empty() && !all.contains(&inner.as_str()) {
                    all.push(inner);
                }
            }
            at += 1;
        }
        all
    }
}

/// Returns every word of a file, strings and code included.
fn words_of(outline: &Outline) -> FxHashSet<&str> {
    words(std::slice::from_ref(outline)).into_keys().collect()
}

fn includes(bundle: Bundle<'_>, roots: &[Root<'_>], found: &mut Vec<Finding>) {
    let files = Files::new(bundle, roots);
    // A file sees what was included before it: the files that include it may rely on its includes.
    let mut users: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for (outer, inner) in &files.includes {
        for (_, file) in inner {
            users.entry(file).or_default().push(outer);
        }
    }
    let words: FxHashMap<&str, FxHashSet<&str>> =
        bundle.outlines.iter().map(|outline| (&*outline.file, words_of(outline))).collect();
    for outline in bundle.outlines {
        let Some(own) = words.get(&*outline.file) else { continue };
        let defines_something = files.defines.get(&*outline.file).is_some_and(|names| !names.is_empty());
        let includes: Vec<&Statement> =
            outline.all_statements().filter(|it| it.kind == StatementKind::Include).collect();
        // A file without definitions of its own exists to collect includes.
        if !defines_something || includes.is_empty() {
            continue;
        }
        let resolved = |statement: &Statement| {
            let name = outline.inside(statement.name?).to_owned();
            let all = files.includes.get(&*outline.file)?;
            Some(all.iter().find(|(known, file)| *known == name && !file.is_empty())?.1.clone())
        };
        let direct: Vec<(&Statement, String)> =
            includes.iter().filter_map(|it| Some((*it, resolved(it)?))).collect();
        if bundle.config.may_ask(&UNUSED_INCLUDE) {
            // Files that include this one may use its includes.
            let mut all = vec![own];
            let outer = files.users_of(&outline.file, &users);
            all.extend(outer.into_iter().filter_map(|user| words.get(user)));
            let is_said = |name: &String| all.iter().any(|words| words.contains(name.as_str()));
            for (statement, file) in &direct {
                let closure = files.closure(file);
                let others: FxHashSet<&str> = direct
                    .iter()
                    .filter(|(_, other)| other != file)
                    .flat_map(|(_, other)| files.closure(other))
                    .collect();
                let is_used = closure.iter().any(|file| {
                    // A file that another include brings as well stays reachable.
                    let brings = !others.contains(file);
                    let names = files.defines.get(*file);
                    brings
                        && (files.pastes.contains(*file)
                            || names.is_some_and(|names| names.iter().any(is_said)))
                });
                if is_used {
                    continue;
                }
                let message = format!("nothing of '{file}' is used");
                let place = (outline, statement.start, statement.end);
                found.extend(about_file(&UNUSED_INCLUDE, bundle.means(), place, message).map(
                    |mut finding| {
                        finding.fix = Some(Fix {
                            title: "delete the include".to_owned(),
                            is_safe: true,
                            edits: vec![deletion(outline, statement.range())],
                        });
                        finding
                    },
                ));
            }
        }
        if bundle.config.may_ask(&INDIRECT_INCLUDE) {
            indirect(bundle, &files, outline, &direct, found);
        }
    }
}

impl Files {
    /// Returns the files that include a file, directly or through others.
    fn users_of<'u>(&self, file: &str, users: &FxHashMap<&'u str, Vec<&'u str>>) -> Vec<&'u str> {
        let mut all: Vec<&'u str> = users.get(file).cloned().unwrap_or_default();
        let mut at = 0;
        while let Some(&user) = all.get(at) {
            for outer in users.get(user).into_iter().flatten() {
                if !all.contains(outer) {
                    all.push(outer);
                }
            }
            at += 1;
        }
        all
    }
}

fn indirect(
    bundle: Bundle<'_>,
    files: &Files,
    outline: &Outline,
    direct: &[(&Statement, String)],
    found: &mut Vec<Finding>,
) {
    let is_direct = |file: &str| direct.iter().any(|(_, known)| known == file) || *outline.file == *file;
    let mut reported: FxHashSet<&str> = FxHashSet::default();
    let closure: Vec<&str> = direct.iter().flat_map(|(_, file)| files.closure(file)).collect();
    for token in outline.tokens.iter().filter(|token| token.kind == Kind::Word) {
        let word = outline.text_of(*token);
        let defines = |file: &&&str| files.defines.get(**file).is_some_and(|names| names.contains(word));
        let mut definers = closure.iter().filter(defines);
        let Some(definer) = definers.next() else { continue };
        if closure.iter().filter(defines).any(|file| is_direct(file)) || !reported.insert(definer) {
            continue;
        }
        let message = format!("'{word}' is defined in '{definer}', which only another file includes");
        let place = (outline, token.start, token.end);
        found.extend(about_file(&INDIRECT_INCLUDE, bundle.means(), place, message).map(|mut finding| {
            let last = direct.last().map(|(statement, _)| statement.end);
            // The same style of path as the includes of the same folder, else as another file includes it.
            let folder = direct.iter().find_map(|(statement, file)| {
                let name = outline.inside(statement.name?);
                file.strip_suffix(name).filter(|folder| definer.starts_with(*folder))
            });
            let is_own = bundle.by_name.contains_key(*definer);
            let folder = folder.filter(|folder| is_own || !folder.is_empty());
            let beside = folder.and_then(|folder| definer.strip_prefix(folder));
            let shown = beside.or_else(|| files.spelling(definer)).unwrap_or(definer);
            finding.fix = last.map(|end| Fix {
                title: "include it".to_owned(),
                is_safe: true,
                edits: vec![edit_of(outline, (end, end), format!("\ninclude \"{shown}\""))],
            });
            finding
        }));
    }
}

/// Reports enums in files of operations, if files with other enums include these.
fn enums(bundle: Bundle<'_>, roots: &[Root<'_>], found: &mut Vec<Finding>) {
    // The files with enums and the files with operations, from the records.
    let mut enums: FxHashMap<String, Vec<(String, usize)>> = FxHashMap::default();
    let mut seen: FxHashSet<(String, String)> = FxHashSet::default();
    let mut operations: FxHashSet<String> = FxHashSet::default();
    let mut included: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    for root in roots {
        let sources = root.records.sources();
        let file_of = |rec: Rec<'_>| {
            let (buffer, position) = sources.position(rec.span())?;
            let index = bundle.by_name.get(&*buffer.name)?;
            let outline = bundle.outlines.get(*index)?;
            Some((buffer.name.to_string(), outline.offset(position.line, position.column)))
        };
        for rec in root.records.derived(odsmith_release::fields::ENUM.of(root.records.rules())) {
            if let Some((file, at)) = file_of(rec).filter(|_| !rec.is_anonymous())
                && seen.insert((file.clone(), rec.name().to_owned()))
            {
                enums.entry(file).or_default().push((rec.name().to_owned(), at));
            }
        }
        for rec in root.records.derived("Op") {
            operations.extend(file_of(rec).map(|(file, _)| file));
        }
        let files: FxHashSet<String> = sources.buffers().map(|it| it.name.to_string()).collect();
        included.insert(root.td.to_owned(), files);
    }
    let mut files: Vec<_> = enums.iter().filter(|(file, _)| operations.contains(*file)).collect();
    files.sort_unstable_by_key(|(file, _)| *file);
    for (file, names) in files {
        // Another root with its own enums reads this file.
        let mut others = roots.iter().filter(|root| {
            root.td != file
                && enums.contains_key(root.td)
                && included.get(root.td).is_some_and(|files| files.contains(file))
        });
        let Some(other) = others.next() else { continue };
        let Some(outline) = bundle.by_name.get(file.as_str()).and_then(|index| bundle.outlines.get(*index))
        else {
            continue;
        };
        for (name, at) in names {
            let end = outline.token_from(*at).map_or(at + 1, |token| token.end);
            let message =
                format!("'{name}' is made again by '{}', which includes this file and has enums", other.td);
            found.extend(about_file(&ENUM_PLACE, bundle.means(), (outline, *at, end), message).map(
                |mut finding| {
                    name.clone_into(&mut finding.subject);
                    finding
                },
            ));
        }
    }
}
