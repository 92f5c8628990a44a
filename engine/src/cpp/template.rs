//! Fixed text with a few holes.

use std::fmt::Display;

use super::Writer;

/// A text that looks like its output. A hole is `@name`, or `@{name}` before a letter, so that C++ braces stay
/// single; the line break that opens the literal is not part of the text.
#[derive(Clone, Copy, Debug)]
pub struct Template(pub &'static str);

impl Template {
    /// Writes the text with its holes filled. Every line that is not empty gets the writer's indentation.
    pub fn fill(self, w: &mut Writer, holes: &[(&str, &dyn Display)]) {
        for line in self.0.strip_prefix('\n').unwrap_or(self.0).split_inclusive('\n') {
            if line != "\n" {
                w.margin();
            }
            let mut pieces = line.split('@');
            w.text(pieces.next().unwrap_or_default());
            for piece in pieces {
                let (name, rest) = split_hole(piece);
                match holes.iter().find(|(hole, _)| *hole == name) {
                    Some((_, value)) => w.display(value),
                    None => write!(w, "@{name}"),
                }
                w.text(rest);
            }
        }
    }
}

/// What stands behind an `@`: the hole's name, and the rest.
fn split_hole(piece: &str) -> (&str, &str) {
    if let Some(braced) = piece.strip_prefix('{').and_then(|piece| piece.split_once('}')) {
        return braced;
    }
    let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
    piece.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_holes_and_keeps_the_rest() {
        let template = Template("\nstruct @name {\n\n  @type x@{name}y;\n};\n");
        let mut w = Writer::new(1000);
        w.indented(|w| w.fill(template, &[("name", &"S"), ("type", &"int")]));
        assert_eq!(w.finish().as_deref(), Some("  struct S {\n\n    int xSy;\n  };\n"));
    }
}
