//! The text of a page while it is written.

use std::io;

use handlebars::Output;
use odsmith_engine::limits::Budget;

/// Bytes between two looks at the budget.
const STEP: usize = 1 << 16;

/// A text that ends with an error where the job's budget does not allow it, or the job is stopped.
pub(super) struct PageOutput<'b> {
    text: String,
    looked_at: usize,
    budget: &'b Budget,
}

impl<'b> PageOutput<'b> {
    pub(super) fn new(budget: &'b Budget) -> Self {
        PageOutput { text: String::new(), looked_at: 0, budget }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

impl Output for PageOutput<'_> {
    fn write(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        if self.text.len() - self.looked_at < STEP {
            return Ok(());
        }
        self.looked_at = self.text.len();
        if self.budget.allows(self.text.len()) {
            return Ok(());
        }
        // The job's verdict then says why.
        self.budget.charge(self.text.len());
        Err(io::Error::other("the page was given up"))
    }
}

#[cfg(test)]
mod tests {
    use odsmith_engine::limits::Limits;

    use super::*;

    #[test]
    fn a_page_ends_where_the_budget_does() {
        let limits = Limits { work: 3 * STEP as u64, ..Limits::default() };
        let budget = Budget::new(&limits, Default::default());
        let mut page = PageOutput::new(&budget);
        let line = "x".repeat(STEP);
        let written = (0..9).take_while(|_| page.write(&line).is_ok()).count();
        assert_eq!(written, 3);
        assert!(budget.verdict().is_some());
    }
}
