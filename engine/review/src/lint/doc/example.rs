//! Names in examples (DOC007): what an example calls must be there.

use crate::lint::{
    cx::{Cx, Subject},
    rule::{Fixable, Level, Rule, SINCE},
};

pub(super) static STALE: Rule = Rule {
    id: "DOC007",
    name: "example-stale",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An example in a description has an operation that its dialect does not have, or does not have any more.",
    advice: "write the example anew",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    ```mlir
    %2 = ex.plus %0, %1 : i32
    ```
  }];
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    ```mlir
    %2 = ex.add %0, %1 : i32
    ```
  }];
}
"#,
    since: SINCE,
};

pub(super) fn check(cx: &Cx<'_, '_>, subject: &Subject<'_>, description: &str) {
    if !cx.wants(&STALE) || !description.contains("```") {
        return;
    }
    let mut reported: Vec<&str> = Vec::new();
    for block in description.split("```").skip(1).step_by(2) {
        let (language, code) = block.split_once('\n').unwrap_or(("", block));
        if !matches!(language.trim(), "" | "mlir") {
            continue;
        }
        for line in code.lines() {
            let Some(name) = operation(line) else { continue };
            let Some((dialect, mnemonic)) = name.split_once('.') else { continue };
            let is_known = cx.known.operations.contains(name) || !cx.known.dialects.contains(dialect);
            let is_placeholder = matches!(mnemonic, "foo" | "bar" | "baz" | "op" | "some_op");
            if is_known || is_placeholder || mnemonic.is_empty() || reported.contains(&name) {
                continue;
            }
            reported.push(name);
            cx.draft(&STALE, subject, format!("an example has '{name}', which there is not"))
                .part("description")
                .at(cx.place_in_field(subject.rec, "description", name))
                .witness(line.trim())
                .add();
        }
    }
}

/// The operation that a line begins with, or that it assigns.
fn operation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = match line.starts_with('%') {
        true => {
            let (results, rest) = line.split_once(" = ")?;
            let are_names = results.chars().all(|c| {
                c.is_alphanumeric() || matches!(c, '%' | '_' | ':' | ',' | ' ' | '#' | '$' | '.' | '-')
            });
            if !are_names {
                return None;
            }
            rest.trim_start()
        }
        false => line,
    };
    let is_quoted = rest.starts_with('"');
    let rest = rest.strip_prefix('"').unwrap_or(rest);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(length);
    let is_whole = if is_quoted {
        after.starts_with("\"(")
    } else {
        after.is_empty() || after.starts_with([' ', '(', '{', '<', ',', ':', '['])
    };
    // A sentence or a line of C++ begins with other things.
    let is_name =
        name.contains('.') && !name.ends_with('.') && name.starts_with(|c: char| c.is_ascii_lowercase());
    // `ex.attr = …` in a list of attributes, `ex.rule ::= …` in a grammar.
    let is_assigned = after.trim_start().starts_with('=') || after.trim_start().starts_with("::=");
    (is_whole && is_name && !is_assigned).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::operation;

    #[test]
    fn operations_of_lines() {
        assert_eq!(operation("  %0, %1 = ex.add %2 : i32"), Some("ex.add"));
        assert_eq!(operation("ex.yield"), Some("ex.yield"));
        assert_eq!(operation("\"ex.op\"(%0)"), Some("ex.op"));
        assert_eq!(operation("ex.attr = 3 : i32"), None);
        assert_eq!(operation("e.g. what"), None);
        assert_eq!(operation("ex.add-op"), None);
    }
}
