//! Values that are formatted as they are written.

use std::fmt::{self, Display};

/// Indents the lines of a value after the first one. Blank lines are not indented, except for the last one, which other
/// text follows.
pub fn continued(value: impl Display, indent: &str) -> impl Display {
    from_fn(move |f| {
        let text = value.to_string();
        let mut lines = text.split('\n').peekable();
        f.write_str(lines.next().unwrap_or_default())?;
        while let Some(line) = lines.next() {
            match line.trim_ascii() {
                "" if lines.peek().is_some() => f.write_str("\n")?,
                _ => write!(f, "\n{indent}{line}")?,
            }
        }
        Ok(())
    })
}

/// Returns a value that a function displays.
pub fn from_fn(show: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl Display {
    struct FromFn<F>(F);

    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for FromFn<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }

    FromFn(show)
}

/// Escapes text for a C++ string literal.
pub fn escaped(text: &str) -> impl Display {
    from_fn(move |f| {
        let mut rest = text;
        let is_plain = |c: char| (' '..='~').contains(&c) && !matches!(c, '"' | '\\');
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| !is_plain(*c)) {
            f.write_str(&rest[..at])?;
            rest = &rest[at + c.len_utf8()..];
            match c {
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '"' | '\\' => write!(f, "\\{c}")?,
                _ => {
                    let mut utf8 = [0; 4];
                    let mut bytes = c.encode_utf8(&mut utf8).bytes();
                    bytes.try_for_each(|byte| write!(f, "\\{byte:03o}"))?;
                }
            }
        }
        f.write_str(rest)
    })
}

/// Returns a file's name as part of a C++ name: any byte except letters, digits and `_` becomes hexadecimal.
#[must_use]
pub fn file_label(file: &str) -> String {
    let is_plain = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let escaped = |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("{byte:02X}") };
    file.bytes().map(escaped).collect()
}

/// Joins values with a separator.
pub fn join<I>(values: I, separator: &str) -> impl Display
where
    I: IntoIterator + Clone,
    I::Item: Display,
{
    struct Join<'a, I>(I, &'a str);

    impl<I: IntoIterator<Item: Display> + Clone> Display for Join<'_, I> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (index, value) in self.0.clone().into_iter().enumerate() {
                if index > 0 {
                    f.write_str(self.1)?;
                }
                value.fmt(f)?;
            }
            Ok(())
        }
    }

    Join(values, separator)
}
