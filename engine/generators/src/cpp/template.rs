//! Fixed text with a few holes.

use std::fmt::Display;

use super::Writer;
use odsmith_release::spellings;

/// A text that looks like its output. A hole is `@name`, or `@{name}` before a letter, so that C++ braces stay
/// single; `@@` is an `@`. The line break that opens the literal is not part of the text.
#[derive(Clone, Copy, Debug)]
pub struct Template(pub &'static str);

impl Template {
    /// Writes the text with its holes filled. Every line that is not empty gets the writer's indentation.
    ///
    /// # Panics
    /// In debug builds, if a hole has no value or a value has no hole.
    pub fn fill(self, w: &mut Writer, holes: &[(&str, &dyn Display)]) {
        debug_assert_eq!(
            holes.iter().map(|(hole, _)| *hole).find(|hole| !self.has_hole(hole)),
            None,
            "a value has no hole in the template: {}",
            self.0
        );
        self.fill_variant(w, holes);
    }

    /// Fills one of several templates that share a list of values: a value may have no hole here.
    ///
    /// # Panics
    /// In debug builds, if a hole has no value.
    pub fn fill_variant(self, w: &mut Writer, holes: &[(&str, &dyn Display)]) {
        let mut rest = self.0.strip_prefix('\n').unwrap_or(self.0);
        let mut is_line_start = true;
        while !rest.is_empty() {
            if is_line_start && !rest.starts_with('\n') {
                w.margin();
            }
            let Some(at) = memchr::memchr2(b'@', b'\n', rest.as_bytes()) else { return w.raw(rest) };
            is_line_start = rest.as_bytes()[at] == b'\n';
            if is_line_start {
                w.raw(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            }
            w.raw(&rest[..at]);
            if let Some(following) = rest[at + 1..].strip_prefix('@') {
                w.raw("@");
                rest = following;
                continue;
            }
            let (name, following) = split_hole(&rest[at + 1..]);
            match holes.iter().find(|(hole, _)| *hole == name) {
                Some((_, value)) => w.display(value),
                None => match spellings::find(name) {
                    Some(spelling) => w.raw(spelling.of(w.rules())),
                    None => {
                        debug_assert!(
                            false,
                            "the template has a hole '@{name}' that is not filled: {}",
                            self.0
                        );
                        write!(w, "@{name}");
                    }
                },
            }
            rest = following;
        }
    }
}

impl Template {
    fn has_hole(self, hole: &str) -> bool {
        self.0.split('@').skip(1).any(|piece| split_hole(piece).0 == hole)
    }
}

/// Splits the text after an `@` into the hole's name and the rest.
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
    #[should_panic(expected = "a value has no hole in the template")]
    fn a_value_without_a_hole_is_an_error() {
        let mut w = Writer::new(1000, odsmith_release::Rules::default());
        w.fill(Template("@name"), &[("name", &1), ("nam", &2)]);
    }

    #[test]
    #[should_panic(expected = "a hole '@type' that is not filled")]
    fn a_hole_without_a_value_is_an_error() {
        let mut w = Writer::new(1000, odsmith_release::Rules::default());
        w.fill(Template("@type @name"), &[("name", &1)]);
    }

    #[test]
    fn fills_holes_and_keeps_the_rest() {
        let template = Template("\nstruct @name {\n\n  @type x@{name}y; // @@\n};\n");
        let mut w = Writer::new(1000, odsmith_release::Rules::default());
        w.indented(|w| w.fill(template, &[("name", &"S"), ("type", &"int")]));
        assert_eq!(w.finish().as_deref(), Some("  struct S {\n\n    int xSy; // @\n  };\n"));
    }
}
