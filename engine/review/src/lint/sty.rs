//! STY: style. The defaults follow MLIR's conventions.

use std::collections::BTreeMap;

use odsmith_ods::{
    Dialect, PartKind, TypeConstraint, cpp_name,
    format::{Element, OptionalGroup},
};
use odsmith_tablegen::{
    outline::{Kind, Outline, includes},
    regex::Regex,
};

use super::{
    Stop,
    config::Config,
    cx::{Cx, Op, Subject, about_file},
    finding::{Finding, Fix, edit_of},
    naming,
    rule::{Fixable, Level, Rule, SINCE},
    words,
};

static MNEMONIC_CASE: Rule = Rule {
    id: "STY001",
    name: "mnemonic-case",
    level: Level::Info,
    fix: Fixable::No,
    text: "The name of an operation, type or attribute has other characters than small letters, digits, `_` and dots. A project can \
           give a regular expression as `pattern`.",
    advice: "write it in snake_case",
    bad: r#"
def Ex_AddFastOp : Ex_Op<"addFast">;
"#,
    good: r#"
def Ex_AddFastOp : Ex_Op<"add_fast">;
"#,
    since: SINCE,
};

pub(super) static RECORD_NAME: Rule = Rule {
    id: "STY002",
    name: "record-name",
    level: Level::Off,
    fix: Fixable::Unsafe,
    text: "The record of an operation, type, attribute or pass does not end with `Op`, `Type`, `Attr` or `Pass`, or that of an \
           operation has no dialect before its first `_`.",
    advice: "call it `Dialect_NameOp`",
    bad: r#"
def Ex_Add : Ex_Op<"add">;
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add">;
"#,
    since: SINCE,
};

static ARGUMENT_CASE: Rule = Rule {
    id: "STY003",
    name: "argument-case",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "The names of operands, attributes and results of a dialect are written in two ways, or not as the project's `convention` \
           says. The majority counts.",
    advice: "use one convention in a dialect; a new name changes accessors",
    bad: r#"
def Ex_ConvOp : Ex_Op<"conv"> {
  let arguments = (ins I64Attr:$pad_low, I64Attr:$pad_high, I64Attr:$stepWidth);
}
"#,
    good: r#"
def Ex_ConvOp : Ex_Op<"conv"> {
  let arguments = (ins I64Attr:$pad_low, I64Attr:$pad_high, I64Attr:$step_width);
}
"#,
    since: SINCE,
};

static KEYWORD_CASE: Rule = Rule {
    id: "STY004",
    name: "keyword-case",
    level: Level::Off,
    fix: Fixable::No,
    text: "A keyword of an assembly format has capital letters.",
    advice: "write it in snake_case",
    bad: r#"
def Ex_ShiftOp : Ex_Op<"shift"> {
  let arguments = (ins I64Attr:$amount);
  let assemblyFormat = "`shiftBy` $amount attr-dict";
}
"#,
    good: r#"
def Ex_ShiftOp : Ex_Op<"shift"> {
  let arguments = (ins I64Attr:$amount);
  let assemblyFormat = "`by` $amount attr-dict";
}
"#,
    since: SINCE,
};

static UNNAMED_ARGUMENT: Rule = Rule {
    id: "STY005",
    name: "unnamed-argument",
    level: Level::Warning,
    fix: Fixable::Unsafe,
    text: "An operand has no name: it has no accessor, and documentation calls it «unnamed».",
    advice: "name it: `I32:$value`",
    bad: r#"
def Ex_NegOp : Ex_Op<"neg"> { let arguments = (ins I32); }
"#,
    good: r#"
def Ex_NegOp : Ex_Op<"neg"> { let arguments = (ins I32:$value); }
"#,
    since: SINCE,
};

static UNNAMED_RESULT: Rule = Rule {
    id: "STY006",
    name: "unnamed-result",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "A result has no name: it has no accessor, and documentation calls it «unnamed».",
    advice: "name it: `I32:$result`",
    bad: r#"
def Ex_ZeroOp : Ex_Op<"zero"> { let results = (outs I32); }
"#,
    good: r#"
def Ex_ZeroOp : Ex_Op<"zero"> { let results = (outs I32:$result); }
"#,
    since: SINCE,
};

static FLAG_FORM: Rule = Rule {
    id: "STY007",
    name: "option-flag-form",
    level: Level::Info,
    fix: Fixable::No,
    text: "The name of a pass or of an option on the command line is not in kebab-case.",
    advice: "write small letters and digits with `-` between them",
    bad: r#"
def ExLower : Pass<"ex_lower"> {
  let summary = "Lower";
  let description = "It lowers.";
}
"#,
    good: r#"
def ExLower : Pass<"ex-lower"> {
  let summary = "Lower";
  let description = "It lowers.";
}
"#,
    since: SINCE,
};

static INCLUDE_GUARD: Rule = Rule {
    id: "STY008",
    name: "include-guard",
    level: Level::Warning,
    fix: Fixable::Safe,
    text: "A file that others include has no guard, so that it cannot be included twice; or its guard tests one macro and defines \
           another, so that it guards nothing.",
    advice: "begin with `#ifndef X` and `#define X`, and end with `#endif`",
    bad: r#"
#ifndef EX_OPS
#define EX_OP
def Ex_NegOp : Ex_Op<"neg">;
#endif
"#,
    good: r#"
#ifndef EX_OPS
#define EX_OPS
def Ex_NegOp : Ex_Op<"neg">;
#endif
"#,
    since: SINCE,
};

static NAMESPACE: Rule = Rule {
    id: "STY009",
    name: "namespace-missing",
    level: Level::Warning,
    fix: Fixable::No,
    text: "A dialect, enum or interface has no `cppNamespace`: its C++ is in the global namespace.",
    advice: "set `cppNamespace`",
    bad: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>]>;
"#,
    good: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>]> {
  let cppNamespace = "::ex";
}
"#,
    since: SINCE,
};

/// All rules.
pub(super) static RULES: &[&Rule] = &[
    &MNEMONIC_CASE,
    &RECORD_NAME,
    &ARGUMENT_CASE,
    &KEYWORD_CASE,
    &UNNAMED_ARGUMENT,
    &UNNAMED_RESULT,
    &FLAG_FORM,
    &INCLUDE_GUARD,
    &NAMESPACE,
];

pub(super) fn check(cx: &Cx<'_, '_>) {
    mnemonics(cx);
    record_names(cx);
    argument_case(cx);
    keywords(cx);
    unnamed(cx);
    flags(cx);
    namespaces(cx);
}

fn mnemonics(cx: &Cx<'_, '_>) {
    if !cx.wants(&MNEMONIC_CASE) {
        return;
    }
    let pattern = cx.config.options(&MNEMONIC_CASE).pattern;
    let pattern = pattern.and_then(|pattern| Regex::new(format!("^({pattern})$").as_bytes()).ok());
    let is_good = |mnemonic: &str| match &pattern {
        Some(pattern) => matches(pattern, mnemonic),
        None => mnemonic.starts_with(|c: char| c.is_ascii_lowercase()) && words::is_snake_case(mnemonic),
    };
    let operations = cx.operations.iter().map(|it| (&it.subject, it.op.mnemonic()));
    let definitions = cx.definitions.iter().filter_map(|it| Some((&it.subject, it.def.mnemonic()?)));
    for (subject, mnemonic) in operations.chain(definitions).filter(|(_, mnemonic)| !is_good(mnemonic)) {
        let message = format!("the name '{mnemonic}' is not in snake_case, or not as the project wants it");
        cx.draft(&MNEMONIC_CASE, subject, message).add();
    }
}

/// Returns true if a text matches, in time linear in its length.
fn matches(pattern: &Regex, text: &str) -> bool {
    let mut work = 100_000_u64;
    let mut charge = |units: u64| {
        work = work.saturating_sub(units);
        if work == 0 { Err(()) } else { Ok(()) }
    };
    pattern.is_match(text.as_bytes(), &mut charge).unwrap_or(true)
}

fn record_names(cx: &Cx<'_, '_>) {
    if !cx.wants(&RECORD_NAME) {
        return;
    }
    let report = |subject: &Subject<'_>, suffix: &str, prefix: Option<String>, class: Option<String>| {
        let name = subject.rec.name();
        let is_usual = name.ends_with(suffix) && prefix.is_none();
        if is_usual || subject.rec.is_anonymous() {
            return;
        }
        let suffix_left = if name.ends_with(suffix) { "" } else { suffix };
        let new = format!("{}{name}{suffix_left}", prefix.unwrap_or_default());
        let edits = naming::rename_record(cx, subject.rec, &new, class);
        cx.draft(&RECORD_NAME, subject, format!("the record '{name}' is not called '…_…{suffix}'"))
            .fix(&format!("call it {new}"), edits)
            .add();
    };
    for it in &cx.operations {
        let prefix = (!it.subject.rec.name().contains('_')).then(|| dialect_prefix(&it.op.dialect()));
        report(&it.subject, "Op", prefix, Some(it.op.qualified_cpp_class_name()));
    }
    for it in &cx.definitions {
        let suffix = if it.def.kind() == odsmith_ods::DefKind::Type { "Type" } else { "Attr" };
        report(&it.subject, suffix, None, None);
    }
    for (_, subject) in &cx.passes {
        report(subject, "Pass", None, None);
    }
}

/// Returns the prefix of a dialect's records: `Ex_` for `Ex_Dialect`, or else its name capitalized.
fn dialect_prefix(dialect: &Dialect<'_>) -> String {
    match dialect.rec().name().split_once('_') {
        Some((prefix, _)) if !prefix.is_empty() => format!("{prefix}_"),
        _ => format!("{}_", cpp_name::capitalized(dialect.name())),
    }
}

fn argument_case(cx: &Cx<'_, '_>) {
    if !cx.wants(&ARGUMENT_CASE) {
        return;
    }
    let mut dialects: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let is_snake = |name: &str| name.trim_matches('_').contains('_');
    for it in &cx.operations {
        let [snake, camel] = dialects.entry(it.subject.dialect).or_default();
        for part in it.op.parts() {
            *snake += usize::from(is_snake(part.name));
            *camel += usize::from(words::is_camel_case(part.name));
        }
    }
    let wanted = cx.config.options(&ARGUMENT_CASE).convention;
    for it in &cx.operations {
        let [snake, camel] = dialects.get(it.subject.dialect).copied().unwrap_or_default();
        let wants_snake = match wanted.as_deref() {
            Some("camelCase") => false,
            Some(_) => true,
            None if snake == camel => continue,
            None => snake > camel,
        };
        for part in it.op.parts().filter(|part| part.kind != PartKind::DerivedAttribute) {
            let is_other = if wants_snake { words::is_camel_case(part.name) } else { is_snake(part.name) };
            // Interfaces look these names up, so they are fixed.
            let is_fixed = matches!(
                part.name,
                "sym_name" | "sym_visibility" | "function_type" | "arg_attrs" | "res_attrs"
            );
            if is_other && !is_fixed {
                let convention = if wants_snake { "snake_case" } else { "camelCase" };
                let new = match wants_snake {
                    true => cpp_name::snake_case(part.name),
                    false => cpp_name::camel_case(part.name, false),
                };
                let edits = naming::rename_part(cx, it, part.name, &new);
                cx.draft(
                    &ARGUMENT_CASE,
                    &it.subject,
                    format!("'${}' is not in {convention}, as others are", part.name),
                )
                .part(&format!("${}", part.name))
                .at(cx.place_of_part(it.subject.rec, part.name))
                .fix(&format!("call it ${new}"), edits)
                .add();
            }
        }
    }
}

fn literals<'e>(elements: &'e [Element<'_>], found: &mut Vec<&'e str>) {
    for element in elements {
        match element {
            Element::Literal(literal) => found.push(literal),
            Element::Optional(OptionalGroup { then, otherwise, .. }) => {
                literals(then, found);
                literals(otherwise, found);
            }
            Element::OiList(clauses) => {
                for clause in clauses {
                    found.push(clause.literal());
                    literals(&clause.elements, found);
                }
            }
            _ => {}
        }
    }
}

fn keywords(cx: &Cx<'_, '_>) {
    if !cx.wants(&KEYWORD_CASE) {
        return;
    }
    let operations = cx.operations.iter().filter_map(|it| Some((&it.subject, &it.format.as_ref()?.elements)));
    let definitions =
        cx.definitions.iter().filter_map(|it| Some((&it.subject, &it.format.as_ref()?.elements)));
    for (subject, elements) in operations.chain(definitions) {
        let mut found = Vec::new();
        literals(elements, &mut found);
        found.retain(|literal| literal.bytes().any(|byte| byte.is_ascii_uppercase()));
        found.dedup();
        for literal in found {
            cx.draft(&KEYWORD_CASE, subject, format!("the keyword '{literal}' has capital letters"))
                .part(literal)
                .at(cx.place_in_field(subject.rec, "assemblyFormat", literal))
                .add();
        }
    }
}

fn unnamed(cx: &Cx<'_, '_>) {
    for it in &cx.operations {
        let operands = it.op.operands().iter().map(|operand| (operand.name, operand.constraint));
        let results = it.op.results().iter().map(|result| (result.name, result.constraint));
        unnamed_values(cx, it, (&UNNAMED_ARGUMENT, "operand", "value"), "arguments", operands.collect());
        unnamed_values(cx, it, (&UNNAMED_RESULT, "result", "result"), "results", results.collect());
    }
}

/// Reports the operands or results of an operation that have no name, and names each.
fn unnamed_values(
    cx: &Cx<'_, '_>,
    it: &Op<'_>,
    (rule, what, stem): (&'static Rule, &str, &str),
    field: &str,
    values: Vec<(&str, TypeConstraint<'_>)>,
) {
    let unnamed = values.iter().enumerate().filter(|(_, (name, _))| name.is_empty());
    let unnamed: Vec<_> = unnamed.map(|(index, (_, constraint))| (index, constraint)).collect();
    for (nth, (index, constraint)) in unnamed.iter().enumerate() {
        let stem = if constraint.is_variadic() { format!("{stem}s") } else { stem.to_owned() };
        let name = naming::free_name(&it.op, &stem, nth, unnamed.len() == 1);
        cx.draft(rule, &it.subject, format!("{what} {index} has no name"))
            .part(&format!("{what} {index}"))
            .at(cx.place_in_field(it.subject.rec, field, ""))
            .fix(&format!("call it ${name}"), naming::name_argument(cx, &it.subject, field, nth, &name))
            .add();
    }
}

fn flags(cx: &Cx<'_, '_>) {
    for (pass, subject) in &cx.passes {
        if !words::is_kebab_case(pass.argument) && !pass.argument.is_empty() {
            cx.draft(&FLAG_FORM, subject, format!("the pass '{}' is not in kebab-case", pass.argument)).add();
        }
        for option in &pass.options {
            if !words::is_kebab_case(option.argument) {
                let text = format!("\"{}\"", option.argument);
                cx.draft(
                    &FLAG_FORM,
                    subject,
                    format!("the option '{}' is not in kebab-case", option.argument),
                )
                .part(option.argument)
                .at(cx.place_in_field(subject.rec, "options", &text))
                .add();
            }
        }
    }
}

fn namespaces(cx: &Cx<'_, '_>) {
    for (dialect, subject) in &cx.dialects {
        if dialect.cpp_namespace().trim().is_empty() {
            cx.draft(&NAMESPACE, subject, "the dialect has no C++ namespace").add();
        }
    }
    for (info, subject) in &cx.enums {
        if info.cpp_namespace.trim().is_empty() {
            cx.draft(&NAMESPACE, subject, "the enum has no C++ namespace").add();
        }
    }
    for (interface, subject) in &cx.interfaces {
        if interface.cpp_namespace().trim().is_empty() {
            cx.draft(&NAMESPACE, subject, "the interface has no C++ namespace").add();
        }
    }
}

/// Returns a directive's word and macro.
fn directive(text: &str) -> (&str, &str) {
    let mut words = text.trim_start_matches('#').split_whitespace();
    (words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

/// Checks the include guards of files.
pub(super) fn check_files(outlines: &[Outline], (config, stop): (&Config, &Stop)) -> Vec<Finding> {
    if !config.may_ask(&INCLUDE_GUARD) {
        return Vec::new();
    }
    let included: Vec<&str> = outlines
        .iter()
        .flat_map(|outline| {
            let names = includes::strings(outline.text.as_bytes());
            names.map(|name| outline.inside(name))
        })
        .collect();
    let mut found = Vec::new();
    for outline in outlines {
        let directives: Vec<_> =
            outline.tokens.iter().filter(|token| token.kind == Kind::Directive).collect();
        let words: Vec<(&str, &str)> =
            directives.iter().map(|token| directive(outline.text_of(**token))).collect();
        let guards = words.windows(2).position(|pair| {
            // A macro that is tested where it is defined is a guard, whatever its name.
            pair[0].0 == "ifndef" && pair[1].0 == "define" && !pair[0].1.is_empty()
        });
        match guards {
            Some(at) if words[at].1 != words[at + 1].1 => {
                let defined = directives[at + 1];
                let message = format!("the guard tests {} and defines {}", words[at].1, words[at + 1].1);
                let finding = about_file(
                    &INCLUDE_GUARD,
                    (config, stop),
                    (outline, defined.start, defined.end),
                    message,
                );
                found.extend(finding.map(|mut finding| {
                    finding.fix = Some(Fix {
                        title: "define the macro that is tested".to_owned(),
                        is_safe: true,
                        edits: vec![edit_of(
                            outline,
                            (defined.start, defined.end),
                            format!("#define {}", words[at].1),
                        )],
                    });
                    finding
                }));
            }
            Some(_) => {}
            None => {
                let is_included = included.iter().any(|name| {
                    outline.file.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
                });
                let first = outline.tokens.iter().find(|it| is_included && !it.is_comment());
                let Some(first) = first else { continue };
                let message = "others include the file, and it has no guard".to_owned();
                let finding =
                    about_file(&INCLUDE_GUARD, (config, stop), (outline, first.start, first.end), message);
                found.extend(finding.map(|mut finding| {
                    finding.fix = guard(outline);
                    finding
                }));
            }
        }
    }
    found
}

/// Returns a fix that guards the whole file by a macro named after its path.
fn guard(outline: &Outline) -> Option<Fix> {
    let last = outline.tokens.iter().rfind(|it| !it.is_comment())?;
    let name: String = outline
        .file
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect();
    let name = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name };
    let first = outline.tokens.iter().find(|it| !it.is_comment())?;
    let line = outline.lines_of(first.range()).start;
    let edit = |at: usize, text: String| edit_of(outline, (at, at), text);
    Some(Fix {
        title: "put a guard around it".to_owned(),
        is_safe: true,
        edits: vec![
            edit(line, format!("#ifndef {name}\n#define {name}\n\n")),
            edit(last.end, format!("\n\n#endif // {name}")),
        ],
    })
}
