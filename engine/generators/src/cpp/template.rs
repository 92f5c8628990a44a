//! Fixed text with a few holes.

use std::fmt::Display;

use super::Writer;
use odsmith_release::spellings;

/// A text that looks like its output. A hole is `@name`, or `@{name}` before a letter, so that C++ braces stay
/// single; the line break that opens the literal is not part of the text.
#[derive(Clone, Copy, Debug)]
pub struct Template(pub &'static str);

impl Template {
    /// Writes the text with its holes filled. Every line that is not empty gets the writer's indentation.
    pub fn fill(self, w: &mut Writer, holes: &[(&str, &dyn Display)]) {
        let mut rest = self.0.strip_prefix('\n').unwrap_or(self.0);
        let mut is_line_start = true;
        while !rest.is_empty() {
            if is_line_start && !rest.starts_with('\n') {
                w.margin();
            }
            let Some(at) = memchr::memchr2(b'@', b'\n', rest.as_bytes()) else { return w.text(rest) };
            is_line_start = rest.as_bytes()[at] == b'\n';
            if is_line_start {
                w.text(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            }
            w.text(&rest[..at]);
            let (name, behind) = split_hole(&rest[at + 1..]);
            match holes.iter().find(|(hole, _)| *hole == name) {
                Some((_, value)) => w.display(value),
                None => match spellings::find(name) {
                    Some(spelling) => w.text(spelling.of(w.rules())),
                    None => write!(w, "@{name}"),
                },
            }
            rest = behind;
        }
    }
}

/// The parts of the text after an `@`: the hole's name, and the rest.
fn split_hole(piece: &str) -> (&str, &str) {
    if let Some(braced) = piece.strip_prefix('{').and_then(|piece| piece.split_once('}')) {
        return braced;
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let end = piece.bytes().position(|byte| !is_name(byte)).unwrap_or(piece.len());
    piece.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_holes_and_keeps_the_rest() {
        let template = Template("\nstruct @name {\n\n  @type x@{name}y;\n};\n");
        let mut w = Writer::new(1000, odsmith_release::Rules::default());
        w.indented(|w| w.fill(template, &[("name", &"S"), ("type", &"int")]));
        assert_eq!(w.finish().as_deref(), Some("  struct S {\n\n    int xSy;\n  };\n"));
    }
}
