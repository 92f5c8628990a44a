//! The syntax of CMake: commands with their arguments.

/// A command as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its name, in lower case.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its line.
    pub line: usize,
}

/// An argument as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The text, with its variables and escapes.
    pub text: String,
    /// Its form.
    pub form: Form,
}

/// The three forms of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Unquoted: a list is split into several arguments.
    Plain,
    /// `"…"`: always one argument.
    Quoted,
    /// `[=[…]=]`: one argument, taken literally.
    Bracket,
}

/// Parses the commands of a file; returns them, and the lines that are no commands, with what is wrong.
#[must_use]
pub fn commands(text: &str) -> (Vec<Command>, Vec<(usize, &'static str)>) {
    let mut reader = Reader { rest: text, line: 1 };
    let (mut commands, mut unread) = (Vec::new(), Vec::new());
    loop {
        reader.skip_space();
        let line = reader.line;
        let Some(char) = reader.rest.chars().next() else { break };
        let end = reader.rest.find(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        let end = end.unwrap_or(reader.rest.len());
        let name = reader.rest[..end].to_ascii_lowercase();
        reader.advance(end.max(if end == 0 { char.len_utf8() } else { 0 }));
        reader.skip_space();
        if name.is_empty() || !reader.rest.starts_with('(') {
            unread.push((line, "this is no command: it is left out"));
            continue;
        }
        reader.advance(1);
        let (arguments, is_closed) = reader.arguments();
        if !is_closed {
            unread.push((line, "this command has no ')': the rest of the file is not read"));
        }
        commands.push(Command { name, arguments, line });
    }
    (commands, unread)
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Reader<'t> {
    fn advance(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            let space = self.rest.len() - self.rest.trim_start().len();
            self.advance(space);
            let Some(comment) = self.rest.strip_prefix('#') else { return };
            match bracket(comment) {
                Some((_, length)) => self.advance(1 + length),
                None => self.advance(self.rest.find('\n').unwrap_or(self.rest.len())),
            };
        }
    }

    /// Reads arguments up to the closing bracket; brackets among them are arguments. Returns whether that bracket is there.
    fn arguments(&mut self) -> (Vec<Argument>, bool) {
        let mut arguments = Vec::new();
        let mut depth = 0_usize;
        loop {
            self.skip_space();
            let Some(char) = self.rest.chars().next() else { return (arguments, false) };
            let plain = |text: &str| Argument { text: text.to_owned(), form: Form::Plain };
            match char {
                ')' => {
                    self.advance(1);
                    if depth == 0 {
                        return (arguments, true);
                    }
                    depth -= 1;
                    arguments.push(plain(")"));
                }
                '(' => {
                    self.advance(1);
                    depth += 1;
                    arguments.push(plain("("));
                }
                '"' => arguments.push(self.quoted()),
                _ => match bracket(self.rest) {
                    Some((body, length)) => {
                        let text = body.strip_prefix('\n').unwrap_or(body).to_owned();
                        arguments.push(Argument { text, form: Form::Bracket });
                        self.advance(length);
                    }
                    None => {
                        let length = plain_length(self.rest);
                        arguments.push(plain(self.advance(length)));
                    }
                },
            }
        }
    }

    fn quoted(&mut self) -> Argument {
        let mut is_escaped = false;
        let body = &self.rest[1..];
        let end = body.char_indices().find(|(_, char)| {
            let ends = *char == '"' && !is_escaped;
            is_escaped = *char == '\\' && !is_escaped;
            ends
        });
        let end = end.map_or(body.len(), |(at, _)| at);
        let text = body[..end].replace("\\\n", "");
        self.advance(end + 2);
        Argument { text, form: Form::Quoted }
    }
}

/// Returns the length of an unquoted argument; quotes inside it belong to it.
fn plain_length(text: &str) -> usize {
    let (mut is_escaped, mut is_quoted) = (false, false);
    for (at, char) in text.char_indices() {
        if is_escaped {
            is_escaped = false;
            continue;
        }
        match char {
            '\\' => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '(' | ')' | '#' if !is_quoted => return at.max(1),
            char if char.is_whitespace() && !is_quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// Returns the body and the length of `[==[…]==]` at the start of a text.
fn bracket(text: &str) -> Option<(&str, usize)> {
    let after = text.strip_prefix('[')?;
    let level = after.len() - after.trim_start_matches('=').len();
    let body = after[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    let end = body.find(&close)?;
    Some((&body[..end], 2 + level + end + close.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands of a text, each with its line and arguments in one line, and the lines that are none.
    fn shown(text: &str) -> (Vec<String>, Vec<usize>) {
        let (commands, unread) = commands(text);
        let shown = commands.iter().map(|command| {
            let arguments: Vec<&str> =
                command.arguments.iter().map(|argument| argument.text.as_str()).collect();
            format!("{} {} {}", command.line, command.name, arguments.join("|"))
        });
        (shown.collect(), unread.into_iter().map(|(line, _)| line).collect())
    }

    #[test]
    fn forms_and_comments() {
        let text = "# one\nSet(A b;c \"d \\\" e\" [=[f\n]] g]=]) #[[ two\n]] if(NOT (X AND \"Y\"))\nx-y\nadd(a\"b c\"\\ d)";
        let (commands, unread) = shown(text);
        assert_eq!(commands, ["2 set A|b;c|d \\\" e|f\n]] g", "4 if NOT|(|X|AND|Y|)", "6 add a\"b c\"\\ d"]);
        assert_eq!(unread, [5, 5, 5]);
    }

    #[test]
    fn pieces_of_commands() {
        for (text, command, unread) in [
            ("a(", Some("1 a "), &[1][..]),
            ("a(\"", Some("1 a "), &[1]),
            ("a(\\", Some("1 a \\"), &[1]),
            ("a([[", Some("1 a [["), &[1]),
            ("a(#", Some("1 a "), &[1]),
            ("a())", Some("1 a "), &[1]),
            ("(", None, &[1]),
            ("é(é", None, &[1, 1, 1]),
            ("#[[", None, &[]),
        ] {
            assert_eq!(
                shown(text),
                (command.map(str::to_owned).into_iter().collect(), unread.to_vec()),
                "{text}"
            );
        }
    }
}
