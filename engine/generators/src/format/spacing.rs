//! Where the printer of a format puts blanks of its own.
//!
//! Every element but a dictionary is set off by a blank, unless the punctuation on either side clings to its
//! neighbour. From the first element to the last, the state says whether a blank may come at all, and whether the last
//! element was a punctuation. In an operation, the state goes through all groups in the order in which they
//! are written; in an attribute or type, the two branches of a group start from the same state.

/// What is known of the elements printed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    may_be_blank: bool,
    is_after_punctuation: bool,
}

impl Default for Spacing {
    /// Before the first element.
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

    /// Whether a literal follows what is before it without a blank.
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

    /// Whether a blank would come before a variable or a directive here.
    pub fn has_blank_before_element(self) -> bool {
        self.may_be_blank || !self.is_after_punctuation
    }

    /// Moves past a dictionary, which prints its own blank, and only if it is not empty.
    pub fn dictionary(&mut self) {
        self.is_after_punctuation = false;
    }

    /// Moves past a blank in the format of an operation, where a line break changes nothing. Literals follow
    /// directly, everything else gets its own blank nevertheless.
    pub fn blank(&mut self) {
        *self = Spacing { may_be_blank: false, is_after_punctuation: false };
    }

    /// Moves past ` `` `: what comes next gets no blank.
    pub fn nothing(&mut self) {
        *self = Spacing { may_be_blank: false, is_after_punctuation: true };
    }

    /// Moves past a blank or a line break in the format of an attribute or type. Literals follow directly,
    /// everything else as if it were not there.
    pub fn gap(&mut self) {
        self.may_be_blank = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` is what comes out for literals and, as `$`, variables.
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
