//! DOC: documentation.
//!
//! | file | rules |
//! | --- | --- |
//! | this one | DOC001–DOC005, DOC008, DOC009: missing texts |
//! | `markdown` | DOC006, DOC010: Markdown in descriptions |
//! | `example` | DOC007: names and syntax in examples |

mod example;
mod markdown;

use odsmith_ods::{DefKind, Definition, InterfaceKind};
use odsmith_tablegen::outline::Kind;

use super::{
    cx::{Cx, Subject},
    finding::{Edit, edit_of},
    rule::{Fixable, Level, Rule, SINCE},
    suppress,
    words::{self, quoted},
};

static NO_SUMMARY: Rule = Rule {
    id: "DOC001",
    name: "no-summary",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An operation, type, attribute, pass or dialect has no summary. Lists and indexes show nothing but its name.",
    advice: "write one line that says what it is or does",
    bad: r#"
def Ex_AddOp : Op<Ex_Dialect, "add"> {
  let description = "Adds two numbers.";
}
"#,
    good: r#"
def Ex_AddOp : Op<Ex_Dialect, "add"> {
  let summary = "Integer addition";
  let description = "Adds two numbers.";
}
"#,
    since: SINCE,
};

static NO_DESCRIPTION: Rule = Rule {
    id: "DOC002",
    name: "no-description",
    level: Level::Info,
    fix: Fixable::No,
    text: "An operation, type, attribute, interface, pass or dialect has no description.",
    advice: "say what it means, with an example",
    bad: r#"
def Ex_AddOp : Op<Ex_Dialect, "add"> {
  let summary = "Integer addition";
}
"#,
    good: r#"
def Ex_AddOp : Op<Ex_Dialect, "add"> {
  let summary = "Integer addition";
  let description = "Adds two numbers, and wraps around.";
}
"#,
    since: SINCE,
};

static SUMMARY_FORM: Rule = Rule {
    id: "DOC003",
    name: "summary-form",
    level: Level::Info,
    fix: Fixable::Safe,
    text: "A summary has several lines, more than 100 characters, a full stop at its end, or only repeats the name. Summaries are shown \
           in tables, after the name.",
    advice: "write a short phrase without a full stop",
    bad: r#"
def Ex_AddOp : Op<Ex_Dialect, "add"> {
  let summary = "Integer addition.";
  let description = "Adds two numbers.";
}
"#,
    good: r#"
def Ex_AddOp : Op<Ex_Dialect, "add"> {
  let summary = "Integer addition";
  let description = "Adds two numbers.";
}
"#,
    since: SINCE,
};

static PART_UNDOCUMENTED: Rule = Rule {
    id: "DOC004",
    name: "argument-undocumented",
    level: Level::Info,
    fix: Fixable::No,
    text: "A parameter of a type or attribute, or a method of an interface, has no text.",
    advice: "say what it is: a summary of the parameter, the first text of `InterfaceMethod`",
    bad: r#"
def Ex_GetInterface : OpInterface<"GetInterface"> {
  let description = "It has a size.";
  let cppNamespace = "::ex";
  let methods = [InterfaceMethod<"", "int", "getSize">];
}
"#,
    good: r#"
def Ex_GetInterface : OpInterface<"GetInterface"> {
  let description = "It has a size.";
  let cppNamespace = "::ex";
  let methods = [InterfaceMethod<"The size in bytes.", "int", "getSize">];
}
"#,
    since: SINCE,
};

static CASE_UNDOCUMENTED: Rule = Rule {
    id: "DOC005",
    name: "enum-case-undocumented",
    level: Level::Off,
    fix: Fixable::No,
    text: "A case of an enum has no comment above its definition.",
    advice: "write what it means above it",
    bad: r#"
def Ex_Slow : I32EnumAttrCase<"Slow", 0>;
def Ex_Mode : I32EnumAttr<"Mode", "modes", [Ex_Slow]> {
  let cppNamespace = "::ex";
}
"#,
    good: r#"
// As on the first machines.
def Ex_Slow : I32EnumAttrCase<"Slow", 0>;
def Ex_Mode : I32EnumAttr<"Mode", "modes", [Ex_Slow]> {
  let cppNamespace = "::ex";
}
"#,
    since: SINCE,
};

static CUSTOM_WITHOUT_SYNTAX: Rule = Rule {
    id: "DOC008",
    name: "custom-format-without-syntax",
    level: Level::Warning,
    fix: Fixable::No,
    text: "The parser is written in C++, and the description has neither a grammar nor an example: nothing says how it is written.",
    advice: "add an example in a fence to the description",
    bad: r#"
def Ex_LoopOp : Ex_Op<"loop"> {
  let arguments = (ins Index:$count);
  let hasCustomAssemblyFormat = 1;
}
"#,
    good: r#"
def Ex_LoopOp : Ex_Op<"loop"> {
  let description = [{
    Repeats.

    ```mlir
    ex.loop %n
    ```
  }];
  let arguments = (ins Index:$count);
  let hasCustomAssemblyFormat = 1;
}
"#,
    since: SINCE,
};

static TODO: Rule = Rule {
    id: "DOC009",
    name: "todo-in-description",
    level: Level::Info,
    fix: Fixable::No,
    text: "A text that users read has a note that authors left for themselves.",
    advice: "write it as a comment",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = "Adds. TODO: say what of overflow.";
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  // To be said: what of overflow.
  let description = "Adds.";
}
"#,
    since: SINCE,
};

/// All rules.
pub(super) static RULES: &[&Rule] = &[
    &NO_SUMMARY,
    &NO_DESCRIPTION,
    &SUMMARY_FORM,
    &PART_UNDOCUMENTED,
    &CASE_UNDOCUMENTED,
    &markdown::BROKEN,
    &example::STALE,
    &CUSTOM_WITHOUT_SYNTAX,
    &TODO,
    &markdown::INDENT,
];

/// A definition that can be documented.
struct Documented<'c, 'r> {
    what: &'static str,
    subject: &'c Subject<'r>,
    /// The name that a summary should not repeat.
    name: &'c str,
    /// The summary, if the definition has such a field.
    summary: Option<&'r str>,
    description: &'r str,
    /// The level of its heading on its page.
    heading: usize,
    has_custom_format: bool,
}

fn documented<'c, 'r>(cx: &'c Cx<'_, 'r>) -> Vec<Documented<'c, 'r>> {
    let mut all = Vec::new();
    for (dialect, subject) in &cx.dialects {
        let (summary, description) = (Some(dialect.summary()), dialect.description());
        all.push(Documented {
            what: "dialect",
            subject,
            name: dialect.name(),
            summary,
            description,
            heading: 1,
            has_custom_format: false,
        });
    }
    for it in &cx.operations {
        all.push(Documented {
            what: "operation",
            subject: &it.subject,
            name: it.op.mnemonic(),
            summary: Some(it.op.summary()),
            description: it.op.description(),
            heading: 3,
            // A declarative format wins over the field.
            has_custom_format: it.op.has_custom_assembly_format() && it.op.assembly_format().is_none(),
        });
    }
    for it in &cx.definitions {
        let what = if it.def.kind() == DefKind::Type { "type" } else { "attribute" };
        all.push(Documented {
            what,
            subject: &it.subject,
            name: it.def.mnemonic().unwrap_or(it.def.cpp_class_name()),
            summary: Some(it.def.summary()),
            description: it.def.description(),
            heading: 3,
            has_custom_format: it.def.has_custom_assembly_format() && it.def.assembly_format().is_none(),
        });
    }
    for (info, subject) in &cx.enums {
        all.push(Documented {
            what: "enum",
            subject,
            name: info.class_name,
            summary: Some(info.summary),
            description: Definition::new(info.record).description(),
            heading: 3,
            has_custom_format: false,
        });
    }
    for (interface, subject) in &cx.interfaces {
        // An interface of an unknown kind is a helper.
        if interface.kind() == InterfaceKind::Other {
            continue;
        }
        all.push(Documented {
            what: "interface",
            subject,
            name: interface.name(),
            summary: None,
            description: interface.description(),
            heading: 2,
            has_custom_format: false,
        });
    }
    for (pass, subject) in &cx.passes {
        all.push(Documented {
            what: "pass",
            subject,
            name: pass.argument,
            summary: Some(pass.summary),
            description: pass.description,
            heading: 3,
            has_custom_format: false,
        });
    }
    all
}

pub(super) fn check(cx: &Cx<'_, '_>) {
    let examples = example::Examples::new(cx);
    for it in documented(cx) {
        texts(cx, &it);
        markdown::check(cx, it.subject, it.description, it.heading);
        if let Some(examples) = examples.as_ref().filter(|_| it.description.contains("```")) {
            examples.check(it.subject, it.description);
        }
    }
    if cx.wants(&PART_UNDOCUMENTED) {
        parts(cx);
    }
    if cx.wants(&CASE_UNDOCUMENTED) {
        cases(cx);
    }
}

fn texts(cx: &Cx<'_, '_>, it: &Documented<'_, '_>) {
    let Documented { what, subject, summary, description, .. } = *it;
    if summary.is_some_and(|summary| summary.trim().is_empty()) {
        cx.draft(&NO_SUMMARY, subject, format!("the {what} has no summary")).add();
    }
    // Enums have no description of their own in most releases.
    if description.trim().is_empty() && what != "enum" {
        cx.draft(&NO_DESCRIPTION, subject, format!("the {what} has no description")).add();
    }
    if cx.wants(&SUMMARY_FORM) {
        summary_form(cx, it);
    }
    let shows_syntax = description.contains("```")
        || description.contains("::=")
        || description.contains("~~~")
        || description.lines().any(|line| line.starts_with("        ") && line.contains('%'));
    if it.has_custom_format && !shows_syntax && cx.wants(&CUSTOM_WITHOUT_SYNTAX) {
        let message = format!("nothing says how the {what} is written, which C++ parses");
        cx.draft(&CUSTOM_WITHOUT_SYNTAX, subject, message).add();
    }
    for (field, text) in [("summary", summary.unwrap_or_default()), ("description", description)] {
        for word in ["TODO", "FIXME", "XXX"] {
            let is_word = |at: usize| {
                let continues = |c: char| c.is_alphanumeric() || c == '_';
                !text[..at].ends_with(continues) && !text[at + word.len()..].starts_with(continues)
            };
            if text.match_indices(word).any(|(at, _)| is_word(at)) {
                cx.draft(&TODO, subject, format!("the {field} has a {word} in it"))
                    .part(field)
                    .at(cx.place_in_field(subject.rec, field, word))
                    .add();
            }
        }
    }
}

fn summary_form(cx: &Cx<'_, '_>, it: &Documented<'_, '_>) {
    let Documented { what, subject, name, summary, .. } = *it;
    let Some(summary) = summary.map(str::trim).filter(|summary| !summary.is_empty()) else { return };
    let most = cx.config.options(&SUMMARY_FORM).most.unwrap_or(100);
    let length = summary.chars().count();
    let is_stop = summary.ends_with('.') && !summary.ends_with("..") && !summary.ends_with("etc.");
    let mut said = words::parts(summary);
    said.retain(|word| !matches!(word.as_str(), "op" | "a" | "an" | "the") && word != what);
    let repeats = said == words::parts(name) && said.len() + 1 >= words::parts(summary).len();
    let fault = if summary.contains('\n') {
        "has several lines".to_owned()
    } else if length > most {
        format!("has {length} characters, more than {most}")
    } else if is_stop {
        "ends with a full stop".to_owned()
    } else if repeats {
        format!("only repeats the name of the {what}")
    } else {
        return;
    };
    let edits = if is_stop && !summary.contains('\n') { without_stop(cx, subject) } else { Vec::new() };
    cx.draft(&SUMMARY_FORM, subject, format!("the summary {fault}"))
        .part("summary")
        .at(cx.place_in_field(subject.rec, "summary", ""))
        .witness(quoted(summary))
        .fix("take the full stop away", edits)
        .add();
}

/// Deletes the full stop of a summary that is a single string.
fn without_stop(cx: &Cx<'_, '_>, subject: &Subject<'_>) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        let value = outline.value(statement, "summary")?;
        let [token] = outline.code_in(value)[..] else { return None };
        let is_text = matches!(token.kind, Kind::String | Kind::Code) && token.is_closed;
        let text = outline.inside(token).trim_end();
        let stop = token.inside().start + text.strip_suffix('.')?.len();
        is_text.then(|| edit_of(outline, (stop, stop + 1), ""))
    });
    edit.into_iter().collect()
}

fn parts(cx: &Cx<'_, '_>) {
    for it in &cx.definitions {
        for parameter in it.def.parameters() {
            let has_text = parameter.summary().is_some_and(|summary| !summary.trim().is_empty());
            if !has_text && !parameter.is_self_type() {
                cx.draft(
                    &PART_UNDOCUMENTED,
                    &it.subject,
                    format!("the parameter '${}' has no text", parameter.name),
                )
                .part(&format!("${}", parameter.name))
                .at(cx.place_of_part(it.subject.rec, parameter.name))
                .add();
            }
        }
    }
    for (interface, subject) in &cx.interfaces {
        for method in interface.methods().iter().filter(|method| method.description().trim().is_empty()) {
            let place = cx.place_in_field(subject.rec, "methods", method.name());
            cx.draft(&PART_UNDOCUMENTED, subject, format!("the method '{}' has no text", method.name()))
                .part(method.name())
                .at(place)
                .add();
        }
    }
}

fn cases(cx: &Cx<'_, '_>) {
    for (info, subject) in &cx.enums {
        // A suppression is not documentation.
        let is_told = |comment: &str| comment.lines().any(|line| !suppress::is_suppression(line));
        let untold = info.cases.iter().filter(|case| !case.record.comment().as_deref().is_some_and(is_told));
        for case in untold {
            cx.draft(&CASE_UNDOCUMENTED, subject, format!("the case '{}' has no comment", case.symbol))
                .part(case.symbol)
                .at(cx.place_of(case.record))
                .add();
        }
    }
}
