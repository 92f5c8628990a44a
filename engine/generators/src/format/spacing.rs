//! The blanks that the printer of a format adds.
//!
//! A blank precedes every element except a dictionary, unless the punctuation on either side clings to its neighbour.
//! The state records whether a blank may come at all, and whether the last element was a punctuation. In an operation,
//! the state goes through all groups in the order in which they are written; in an attribute or type, the two branches
//! of a group start from the same state.

/// The state after the elements printed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    may_be_blank: bool,
    is_after_punctuation: bool,
}

impl Default for Spacing {
    /// Returns the state before the first element.
    fn default() -> Self {
        Spacing { may_be_blank: true, is_after_punctuation: false }
    }
}

impl Spacing {
    /// Moves past a literal. Returns whether a blank comes before it.
    pub fn literal(&mut self, literal: &str) -> bool {
        let has_blank = self.may_be_blank && !self.clings(literal);
        self.may_be_blank = !matches!(literal, "<" | "(" | "{" | "[");
        self.is_after_punctuation =
            !literal.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
        has_blank
    }

    /// Returns whether a literal follows the previous element without a blank.
    fn clings(self, literal: &str) -> bool {
        if self.is_after_punctuation {
            matches!(literal, ">" | ")" | "}" | "]" | ",")
        } else {
            matches!(literal, "<" | ">" | "(" | ")" | "{" | "}" | "[" | "]" | ",")
        }
    }

    /// Moves past a variable or a directive. Returns whether a blank comes before it.
    pub fn element(&mut self) -> bool {
        let has_blank = self.has_blank_before_element();
        *self = Spacing::default();
        has_blank
    }

    /// Returns whether a blank would come before a variable or a directive here.
    pub fn has_blank_before_element(self) -> bool {
        self.may_be_blank || !self.is_after_punctuation
    }

    /// Moves past a dictionary, which prints its own blank, and only if it is not empty.
    pub fn dictionary(&mut self) {
        self.is_after_punctuation = false;
    }

    /// Moves past a blank in the format of an operation, where a line break has no effect. A literal then follows
    /// directly; any other element still gets its own blank.
    pub fn blank(&mut self) {
        *self = Spacing { may_be_blank: false, is_after_punctuation: false };
    }

    /// Moves past ` `` `: the next element gets no blank.
    pub fn nothing(&mut self) {
        *self = Spacing { may_be_blank: false, is_after_punctuation: true };
    }

    /// Moves past a blank or a line break in the format of an attribute or type. A literal then follows directly; other
    /// elements ignore it.
    pub fn gap(&mut self) {
        self.may_be_blank = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the output with `expected`. In both lists `$` represents a variable; all else is literals.
    #[track_caller]
    fn check(elements: &[&str], expected: &str) {
        let mut spacing = Spacing::default();
        let mut text = String::new();
        for element in elements {
            let has_blank = if *element == "$" { spacing.element() } else { spacing.literal(element) };
            text.push_str(if has_blank { " " } else { "" });
            text.push_str(element);
        }
        assert_eq!(text, expected);
    }

    #[test]
    fn punctuation_clings() {
        check(&["[", "$", "]", "->", "(", ")"], "[$] -> ()");
        check(&["$", ",", "$", ":", "<", "$", ">", "x"], " $, $ : <$> x");
        check(&["x", "(", "_", "[", "...", "]"], " x(_[...]");
    }
}
