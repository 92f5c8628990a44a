//! Reads `build.ninja`: rules, builds and variables, as in Ninja's manual.
//!
//! ```text
//! rule tblgen
//!   command = mlir-tblgen $flags $in -o $out
//! build Foo.h.inc: tblgen Foo.td
//!   flags = -gen-op-decls
//! ```

use std::collections::BTreeMap;

use super::{
    Origin, Reading,
    command::{self, Commands},
};

/// The deepest nesting of variables in variables; a longer chain is a cycle.
const MOST_NESTED: usize = 32;
/// The most files that are included.
const MOST_FILES: usize = 32;

/// Reads a build in a folder. `read` returns the files that it includes.
#[must_use]
pub fn read(file: &str, text: &str, folder: &str, read: &dyn Fn(&str) -> Option<String>) -> Reading {
    let mut reader = Reader { folder, read, commands: Commands::default(), rules: BTreeMap::new() };
    reader.file(file, text, &mut BTreeMap::new(), 0);
    reader.commands.finish()
}

type Variables = BTreeMap<String, String>;

struct Reader<'r> {
    folder: &'r str,
    read: &'r dyn Fn(&str) -> Option<String>,
    commands: Commands,
    /// The variables of each rule, as written.
    rules: BTreeMap<String, Variables>,
}

/// A logical line, with its continuations.
struct Line {
    number: usize,
    is_indented: bool,
    text: String,
}

impl Reader<'_> {
    fn file(&mut self, file: &str, text: &str, variables: &mut Variables, depth: usize) {
        let lines = lines(text);
        let mut rest = lines.as_slice();
        while let [line, after @ ..] = rest {
            let own = after.iter().take_while(|line| line.is_indented).count();
            let (bindings, next) = after.split_at(own);
            rest = next;
            let origin = Origin { file: file.to_owned(), line: line.number };
            let (word, body) = line.text.split_once(' ').unwrap_or((&line.text, ""));
            match word {
                "build" => self.build(body, bindings, variables, &origin),
                "rule" => {
                    let own = bindings.iter().filter_map(|line| binding(&line.text));
                    let own = own.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                    self.rules.insert(body.trim().to_owned(), own);
                }
                "include" | "subninja" => {
                    let name = expand(body.trim(), &|name| variables.get(name).cloned());
                    match (self.read)(&name).filter(|_| depth < MOST_FILES) {
                        Some(text) if word == "include" => self.file(&name, &text, variables, depth + 1),
                        Some(text) => self.file(&name, &text, &mut variables.clone(), depth + 1),
                        None => self.commands.reading.warn(&origin, format!("'{name}' cannot be read")),
                    }
                }
                "default" | "pool" => {}
                _ => match binding(&line.text) {
                    Some((name, value)) => {
                        let value = expand(value, &|name| variables.get(name).cloned());
                        variables.insert(name.to_owned(), value);
                    }
                    None => self.commands.reading.warn(&origin, "this line is none of a Ninja file's"),
                },
            }
        }
    }

    fn build(&mut self, body: &str, bindings: &[Line], variables: &Variables, origin: &Origin) {
        let Some((outputs, inputs)) = split_at_colon(body) else {
            return self.commands.reading.warn(origin, "this build names no rule");
        };
        let of_file = |name: &str| variables.get(name).cloned();
        let own: Variables = bindings
            .iter()
            .filter_map(|line| binding(&line.text))
            .map(|(name, value)| (name.to_owned(), expand(value, &of_file)))
            .collect();
        let mut inputs = inputs.trim().splitn(2, ' ');
        let Some(rule) = inputs.next().and_then(|name| self.rules.get(name)) else { return };
        if !rule
            .get("command")
            .is_some_and(|command| command.contains('$') || command::is_of_interest(command))
        {
            return;
        }
        let of_edge = |name: &str| own.get(name).cloned().or_else(|| of_file(name));
        let explicit = |paths: &str| {
            let end = paths.find(" |").unwrap_or(paths.len());
            let paths = if paths.starts_with('|') { "" } else { &paths[..end] };
            expand(paths.trim(), &of_edge)
        };
        let (ins, outs) = (explicit(inputs.next().unwrap_or_default()), explicit(outputs));
        let command = value_of(
            "command",
            rule,
            &of_edge,
            &|name| match name {
                "in" => Some(ins.clone()),
                "out" => Some(outs.clone()),
                _ => None,
            },
            0,
        );
        self.commands.line(&command, self.folder, origin);
    }
}

/// Returns the value of a rule's variable for one build.
fn value_of(
    name: &str,
    rule: &Variables,
    of_edge: &dyn Fn(&str) -> Option<String>,
    paths: &dyn Fn(&str) -> Option<String>,
    depth: usize,
) -> String {
    if let Some(value) = paths(name) {
        return value;
    }
    // Variables of the build take precedence over those of its rule.
    match (of_edge(name), rule.get(name)) {
        (Some(value), _) => value,
        (None, Some(value)) if depth < MOST_NESTED => {
            expand(value, &|name| Some(value_of(name, rule, of_edge, paths, depth + 1)))
        }
        _ => String::new(),
    }
}

fn binding(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (!name.is_empty() && name.bytes().all(is_name)).then(|| (name, value.trim_start()))
}

/// Splits a file into lines, without comments and empty lines.
fn lines(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut goes_on = false;
    for (index, raw) in text.lines().enumerate() {
        let trimmed = raw.trim_start();
        if !goes_on {
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            let is_indented = trimmed.len() < raw.len();
            lines.push(Line { number: index + 1, is_indented, text: String::new() });
        }
        let dollars = trimmed.bytes().rev().take_while(|&byte| byte == b'$').count();
        goes_on = dollars % 2 == 1;
        if let Some(line) = lines.last_mut() {
            line.text += if goes_on { &trimmed[..trimmed.len() - 1] } else { trimmed };
        }
    }
    lines
}

/// Splits a text at its first unescaped `:`.
fn split_at_colon(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b':' if !is_escaped => return Some((&text[..at], &text[at + 1..])),
            _ => is_escaped = byte == b'$' && !is_escaped,
        }
    }
    None
}

/// Expands the variables and escapes in a text.
fn expand(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        expanded += before;
        let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
        rest = match after.chars().next() {
            Some('{') => {
                let (name, rest) = after[1..].split_once('}').unwrap_or((&after[1..], ""));
                expanded += &variable(name).unwrap_or_default();
                rest
            }
            Some(char) if is_name(char) => {
                let end = after.find(|char| !is_name(char)).unwrap_or(after.len());
                expanded += &variable(&after[..end]).unwrap_or_default();
                &after[end..]
            }
            Some(char) => {
                expanded.push(char);
                &after[char.len_utf8()..]
            }
            None => "",
        };
    }
    expanded + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_variables_and_continuations() {
        let text = "tool = mlir-tblgen\n# a comment\nrule gen\n  command = $tool $flags $\n    $in -o ${out}\n\
                    rule other\n  command = cc $in\n\
                    build inc/A.h.inc | ${dir}x: gen $src/A$ B.td | dep.td || later\n  flags = -gen-op-decls -I$root\n  src = s\n\
                    build b.o: other b.c\nsubninja more.ninja\nwhat is this\ninclude gone\n";
        let more = "tool = circt-tblgen\nbuild M.inc: gen M.td\n  flags = -x -D$$\n";
        let read_file = |name: &str| (name == "more.ninja").then(|| more.to_owned());
        let reading = read("build.ninja", text, "/b", &read_file);
        let calls: Vec<_> =
            reading.calls.iter().map(|call| (call.output.as_str(), call.origin.line)).collect();
        // Ninja does not quote a space in a path: the author of the rule must do so.
        assert_eq!(calls, [("/b/inc/A.h.inc", 8), ("/b/M.inc", 2)]);
        assert_eq!(reading.calls[1].defines, ["$"]);
        let warned: Vec<usize> = reading.warnings.iter().map(|warning| warning.origin.line).collect();
        assert_eq!(warned, [13, 14]);
    }

    #[test]
    fn circles_end() {
        let text = "rule r\n  command = tblgen $a\n  a = $b\n  b = $a\nbuild x: r y.td\n";
        assert!(read("build.ninja", text, "/", &|_| None).calls.is_empty());
        let text = "include build.ninja\n";
        assert_eq!(read("build.ninja", text, "/", &|_| Some(text.to_owned())).warnings.len(), 1);
    }
}
