//! PAS: passes.

use odsmith_ods::Pass;

use super::{
    cx::{Cx, Subject},
    finding::{Edit, edit_of},
    rule::{Fixable, Level, Rule, SINCE},
    tgn::deletion,
    words::{self, quoted},
};

static NO_DEPENDENT_DIALECTS: Rule = Rule {
    id: "PAS001",
    name: "no-dependent-dialects",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "A pass converts to a dialect that its definition does not load. Unless C++ loads it (`getDependentDialects`), and where no \
           operation of that dialect was there before, the pass ends the program: operations of a dialect that is not loaded cannot \
           be made, and no dialect is loaded while passes run.",
    advice: "name the dialect in `dependentDialects`",
    bad: r#"
def ExLower : Pass<"convert-foo-to-ex"> {
  let summary = "Convert foo to ex";
  let description = "It lowers.";
}
"#,
    good: r#"
def ExLower : Pass<"convert-foo-to-ex"> {
  let summary = "Convert foo to ex";
  let description = "It lowers.";
  let dependentDialects = ["::ex::ExDialect"];
}
"#,
    since: SINCE,
};

static CONSTRUCTOR: Rule = Rule {
    id: "PAS002",
    name: "legacy-constructor",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "A pass is made by a function that its author writes. The generated one also takes the options, and needs no code.",
    advice: "delete `constructor`, and derive the pass from `impl::…Base<…>`",
    bad: r#"
def ExLower : Pass<"ex-lower"> {
  let summary = "Lower";
  let description = "It lowers.";
  let constructor = "::ex::createExLowerPass()";
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

static OPTION_DESCRIPTION: Rule = Rule {
    id: "PAS003",
    name: "option-without-description",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An option of a pass has no description: `--help` shows nothing but its name.",
    advice: "say what it does, and with what values",
    bad: r#"
def ExLower : Pass<"ex-lower"> {
  let summary = "Lower";
  let description = "It lowers.";
  let options = [Option<"width", "width", "unsigned", "32", "">];
}
"#,
    good: r#"
def ExLower : Pass<"ex-lower"> {
  let summary = "Lower";
  let description = "It lowers.";
  let options = [Option<"width", "width", "unsigned", "32", "Width of an index in bits">];
}
"#,
    since: SINCE,
};

static OPTION_DEFAULT: Rule = Rule {
    id: "PAS004",
    name: "option-default-unparsable",
    level: Level::Error,
    fix: Fixable::No,
    text: "The default of an option is no value of its C++ type.",
    advice: "write the default as C++ of the option's type; a text has quotes of its own",
    bad: r#"
def ExLower : Pass<"ex-lower"> {
  let summary = "Lower";
  let description = "It lowers.";
  let options = [Option<"width", "width", "unsigned", "\"wide\"", "Width of an index in bits">];
}
"#,
    good: r#"
def ExLower : Pass<"ex-lower"> {
  let summary = "Lower";
  let description = "It lowers.";
  let options = [Option<"width", "width", "unsigned", "64", "Width of an index in bits">];
}
"#,
    since: SINCE,
};

/// All rules.
pub(super) static RULES: &[&Rule] =
    &[&NO_DEPENDENT_DIALECTS, &CONSTRUCTOR, &OPTION_DESCRIPTION, &OPTION_DEFAULT];

pub(super) fn check(cx: &Cx<'_, '_>) {
    for (pass, subject) in &cx.passes {
        if cx.wants(&NO_DEPENDENT_DIALECTS) {
            dependent_dialects(cx, pass, subject);
        }
        if let Some(constructor) = pass.constructor {
            let place = cx.place_in_field(subject.rec, "constructor", "");
            cx.draft(&CONSTRUCTOR, subject, "the pass is made by a function of its author")
                .at(place)
                .witness(constructor)
                .fix("delete it", delete_item(cx, subject, "constructor"))
                .add();
        }
        for option in &pass.options {
            let place = || cx.place_in_field(subject.rec, "options", &format!("\"{}\"", option.argument));
            if option.description.trim().is_empty() {
                let message = format!("the option '{}' has no description", option.argument);
                cx.draft(&OPTION_DESCRIPTION, subject, message).part(option.argument).at(place()).add();
            }
            let default = option.default_value.filter(|_| !option.is_list);
            if let Some(reason) = default.and_then(|value| fault(option.ty, value)) {
                let message = format!(
                    "the default of '{}' is no value of {}: {reason}",
                    option.argument,
                    quoted(option.ty)
                );
                cx.draft(&OPTION_DEFAULT, subject, message)
                    .part(option.argument)
                    .at(place())
                    .witness(default.unwrap_or_default())
                    .add();
            }
        }
    }
}

/// Deletes an item of a definition with its line.
pub(super) fn delete_item(cx: &Cx<'_, '_>, subject: &Subject<'_>, field: &str) -> Vec<Edit> {
    let found = cx.statement(subject.rec);
    let item = found.and_then(|(outline, statement)| Some((outline, outline.item(statement, field)?)));
    item.map(|(outline, item)| deletion(outline, item.range())).into_iter().collect()
}

/// Returns why a default is not a value of a C++ type, if that can be decided.
fn fault(ty: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let is_text = value.starts_with('"');
    let is_number = {
        let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
        digits.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
    };
    match ty.trim().trim_start_matches("::").trim_start_matches("std::") {
        "bool" if is_text || is_number && !matches!(value, "0" | "1") => {
            Some(format!("{value} is no truth value"))
        }
        "bool" if value == "None" || words::NO_TRUTH_VALUES.contains(&value) => {
            Some(format!("{value} is no word of C++"))
        }
        "int" | "unsigned" | "unsigned int" | "int32_t" | "uint32_t" | "int64_t" | "uint64_t" | "size_t"
        | "long" | "int8_t" | "uint8_t" | "int16_t" | "uint16_t" => {
            let is_fraction = is_number && value.contains('.') && !value.contains("::");
            let is_other_word = value == "None" || words::NO_TRUTH_VALUES.contains(&value);
            let reason = match () {
                () if is_other_word => Some("no word of C++"),
                () if is_text || is_fraction => Some("no whole number"),
                () => None,
            };
            reason.map(|reason| format!("{value} is {reason}"))
        }
        "float" | "double" if is_text || value == "None" => Some(format!("{value} is no number")),
        "string" if is_number || matches!(value, "true" | "false") => Some(format!("{value} is no text")),
        // An unquoted word would be a variable.
        "string"
            if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') =>
        {
            Some(format!("{value} has no quotes"))
        }
        _ => None,
    }
}

fn dependent_dialects(cx: &Cx<'_, '_>, pass: &Pass<'_>, subject: &Subject<'_>) {
    // `convert-foo-to-bar`: the last name is the dialect that the pass creates.
    let Some((_, target)) = pass.argument.strip_prefix("convert-").and_then(|it| it.rsplit_once("-to-"))
    else {
        return;
    };
    let Some((name, class)) = cx.known.classes.iter().find(|(name, _)| *name == target) else { return };
    // Some dialects load under another name, so any dialect in the list will do.
    let is_loaded = pass.dependent_dialects.iter().any(|listed| {
        let listed = words::parts(listed).concat();
        let plain = |name: &str| words::parts(name).concat();
        // A dialect loads others itself.
        let mut with = cx.known.loaded_with.iter().filter(|(_, class)| plain(class).contains(&plain(name)));
        listed.contains(&plain(name)) || with.any(|(other, _)| listed.contains(&plain(other)))
    });
    if is_loaded {
        return;
    }
    let message = format!("it converts to '{name}', and does not load that dialect");
    let edits = match pass.dependent_dialects.is_empty() {
        true => add_dependency(cx, subject, class),
        false => Vec::new(),
    };
    cx.draft(&NO_DEPENDENT_DIALECTS, subject, message)
        .at(cx.place_in_field(subject.rec, "dependentDialects", ""))
        .witness(format!("--{} on a module without {name}", pass.argument))
        .fix("load the dialect", edits)
        .add();
}

fn add_dependency(cx: &Cx<'_, '_>, subject: &Subject<'_>, class: &str) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        if outline.item(statement, "dependentDialects").is_some() {
            return None;
        }
        let before = outline.slice(0..outline.body_of(statement)?.end).trim_end().len();
        let text = format!("\n  let dependentDialects = [\"{class}\"];");
        Some(edit_of(outline, (before, before), text))
    });
    edit.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn words_of_other_languages_are_no_values() {
        for (ty, value) in [("int", "True"), ("unsigned", "None"), ("bool", "None"), ("int64_t", "\"1\"")] {
            assert!(fault(ty, value).is_some(), "{ty} {value}");
        }
        for (ty, value) in
            [("int", "kWidth"), ("unsigned", "~0u"), ("bool", "true"), ("std::string", "None()")]
        {
            assert_eq!(fault(ty, value), None, "{ty} {value}");
        }
    }
}
