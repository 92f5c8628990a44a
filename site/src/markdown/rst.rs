//! reStructuredText in authors' descriptions: roles and directives become Markdown.
//!
//! ```text
//! The :code:`tile` is :math:`2^n` wide.        The `tile` is $2^n$ wide.
//!
//! .. code-block:: mlir                         ```mlir
//!
//!     %0 = d.x                                 %0 = d.x
//!                                              ```
//! ```
//!
//! Everything else is left to Markdown, which shares most of the remaining syntax. What is not understood is noted.

/// Roles whose text is code.
const CODE: &[&str] = &[
    "code", "literal", "samp", "command", "file", "program", "option", "kbd", "token", "ref", "op", "type",
    "attr", "func", "class", "meth", "mod", "data", "obj", "term", "envvar", "any", "doc", "cpp", "c", "py",
    "std", "tileirdg",
];
/// Roles whose text is emphasised.
const EMPHASIS: &[&str] = &["emphasis", "strong", "title", "dfn", "abbr", "guilabel"];
/// Directives that become alerts of GitHub.
const ALERTS: &[(&str, &str)] = &[
    ("note", "NOTE"),
    ("seealso", "NOTE"),
    ("hint", "TIP"),
    ("tip", "TIP"),
    ("important", "IMPORTANT"),
    ("warning", "WARNING"),
    ("attention", "WARNING"),
    ("caution", "CAUTION"),
    ("danger", "CAUTION"),
    ("error", "CAUTION"),
];

/// Tests cheaply if a text may have roles or directives.
pub(super) fn may_have(md: &str) -> bool {
    md.contains(":`") || md.starts_with(".. ") || md.contains("\n.. ") || md.contains(" .. ")
}

/// Rewrites roles and directives as Markdown. Notes say what is not understood.
pub(super) fn rewritten(md: &str, notes: &mut Vec<String>) -> String {
    let lines: Vec<&str> = md.lines().collect();
    let mut out = String::with_capacity(md.len() + 64);
    let mut fence: Option<&str> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let text = line.trim_start();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark)) {
            fence = match fence {
                Some(open) if open == mark => None,
                Some(open) => Some(open),
                None => Some(mark),
            };
        }
        if fence.is_some() {
            push(&mut out, line);
            continue;
        }
        let indentation = line.len() - text.len();
        let Some((name, argument)) = directive(text) else {
            push(&mut out, &roles(line, notes));
            continue;
        };
        let block = block(&lines[at..], indentation);
        at += block.length;
        write_directive(name, argument, &block, &line[..indentation], &mut out, notes);
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The name and the argument of a directive: `.. code-block:: mlir`.
fn directive(text: &str) -> Option<(&str, &str)> {
    let (name, argument) = text.strip_prefix(".. ")?.split_once("::")?;
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:".contains(&byte));
    is_name.then_some((name, argument.trim()))
}

/// The indented lines below a directive.
struct Block<'t> {
    /// The lines without their common indentation, without options such as `:linenos:` and blank lines at both ends.
    lines: Vec<&'t str>,
    /// The number of lines in the text.
    length: usize,
}

fn block<'t>(lines: &[&'t str], outer: usize) -> Block<'t> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let is_inside = |line: &&&str| line.trim().is_empty() || indentation(line) > outer;
    let mut length = lines.iter().take_while(is_inside).count();
    // Blank lines after the block are not its own.
    while length > 0 && lines[length - 1].trim().is_empty() {
        length -= 1;
    }
    let inside = &lines[..length];
    let common = inside.iter().filter(|line| !line.trim().is_empty()).map(|line| indentation(line)).min();
    let inside = inside.iter().map(|line| line.get(common.unwrap_or(0)..).unwrap_or_default().trim_end());
    let is_option = |line: &&str| line.starts_with(':') && line[1..].contains(':');
    let lines: Vec<&str> = inside.skip_while(|line| line.is_empty() || is_option(line)).collect();
    Block { lines, length }
}

fn write_directive(
    name: &str,
    argument: &str,
    block: &Block<'_>,
    indentation: &str,
    out: &mut String,
    notes: &mut Vec<String>,
) {
    let mut line = |text: &str| push(out, &format!("{indentation}{text}"));
    line("");
    match name {
        "math" => {
            line("$$");
            let own = Some(argument).filter(|argument| !argument.is_empty());
            own.into_iter()
                .chain(block.lines.iter().copied())
                .filter(|text| !text.is_empty())
                .for_each(&mut line);
            line("$$");
        }
        "code-block" | "code" | "sourcecode" | "parsed-literal" | "productionlist" => {
            line(&format!("```{argument}"));
            block.lines.iter().for_each(|text| line(text));
            line("```");
        }
        _ => match ALERTS.iter().find(|(known, _)| *known == name) {
            Some((_, kind)) => {
                line(&format!("> [!{kind}]"));
                let own = Some(argument).filter(|argument| !argument.is_empty());
                for text in own.into_iter().chain(block.lines.iter().copied()) {
                    line(&format!("> {}", roles(text, notes)));
                }
            }
            None => {
                notes.push(format!("reStructuredText that is not understood: `.. {name}::`"));
                if !argument.is_empty() {
                    line(&roles(argument, notes));
                    line("");
                }
                block.lines.iter().for_each(|text| line(&roles(text, notes)));
            }
        },
    }
    line("");
}

/// Rewrites the roles of a line: `:math:`2^n``.
fn roles(line: &str, notes: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(":`") {
        let before = &rest[..at];
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
        let start = before
            .rfind(|c| !is_name(c))
            .map_or(0, |place| place + before[place..].chars().next().map_or(1, char::len_utf8));
        // A role begins a word.
        let is_inside = before[..start].ends_with(char::is_alphanumeric);
        let role = before[start..].strip_prefix(':').filter(|role| !role.is_empty() && !is_inside);
        let inside = rest[at + 2..].find('`').map(|end| &rest[at + 2..at + 2 + end]);
        let (Some(role), Some(inside)) = (role, inside) else {
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        };
        out.push_str(&rest[..start]);
        // `text <target>` shows the text.
        let shown = inside.split_once(" <").map_or(inside, |(text, _)| text).trim_start_matches('~');
        let family = role.split(':').next().unwrap_or(role);
        match family {
            "math" => out.extend(["$", inside, "$"]),
            "sub" | "sup" => out.push_str(inside),
            family if EMPHASIS.contains(&family) => out.extend(["*", shown, "*"]),
            family => {
                if !CODE.contains(&family) {
                    notes.push(format!("reStructuredText that is not understood: `:{role}:`"));
                }
                out.extend(["`", shown, "`"]);
            }
        }
        rest = &rest[at + 2 + inside.len() + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(md: &str, expected: &str, notes: &[&str]) {
        let mut found = Vec::new();
        assert_eq!(rewritten(md, &mut found).trim_end(), expected);
        assert_eq!(found, notes);
    }

    #[test]
    fn roles_become_code_and_formulas() {
        check(
            "The :code:`tile` is :math:`2^n`, see :ref:`the rule <rule>`.",
            "The `tile` is $2^n$, see `the rule`.",
            &[],
        );
        check("a:`b` and ::`c`", "a:`b` and ::`c`", &[]);
        check(":odd:`x`", "`x`", &["reStructuredText that is not understood: `:odd:`"]);
        check("é:math:`x`", "é:math:`x`", &[]);
    }

    #[test]
    fn directives_become_blocks() {
        check(
            "a\n\n.. code-block:: mlir\n   :linenos:\n\n   %0 = d.x\n     more\n\nb",
            "a\n\n\n```mlir\n%0 = d.x\n  more\n```\n\n\nb",
            &[],
        );
        check(".. math::\n\n    x^2", "\n$$\nx^2\n$$", &[]);
        check(".. note:: Mind\n   the :code:`gap`.\n\nb", "\n> [!NOTE]\n> Mind\n> the `gap`.\n\n\nb", &[]);
        check(".. odd:: x\n   y", "\nx\n\ny", &["reStructuredText that is not understood: `.. odd::`"]);
        check("```\n.. note:: x\n```", "```\n.. note:: x\n```", &[]);
    }
}
