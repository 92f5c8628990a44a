//! Limits of a job, and the meter that counts what it uses.
//!
//! Every count is of deterministic work, so a limit is hit at the same place on every machine.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use serde::{Deserialize, Serialize};

use crate::{
    cancel::Cancel,
    diagnostic::{Code, Diagnostic},
    span::Span,
};

/// The limits of one job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Units of work: about one per token read, value folded or field copied.
    pub fuel: u64,
    /// Live bytes of strings, values and records.
    pub arena_bytes: u64,
    /// Nesting of values, statements and instances under construction.
    pub nesting: u32,
    /// Nesting of `include`.
    pub include_depth: u32,
    /// Records, including the library's.
    pub records: u32,
    /// Items of one list.
    pub list_items: u64,
    /// Bytes of one string.
    pub string_bytes: u64,
    /// Bytes of all artefacts.
    pub output_bytes: u64,
    /// Diagnostics that are kept; further ones are only counted.
    pub diagnostics: u32,
    /// Root files that are read, one for each target and its context.
    pub targets: u32,
    /// Units of work of all targets of a job; shared work counts for each of them.
    pub job_fuel: u64,
    /// Live bytes of the records of all targets of a job.
    pub job_arena_bytes: u64,
    /// Units of work besides evaluation, on manifests, includes and pages: about one for each byte that is read, kept
    /// or written.
    pub work: u64,
    /// Bytes of one Markdown text, with what it includes.
    pub text_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 50_000_000,
            arena_bytes: 256 << 20,
            nesting: 32_000,
            include_depth: 200,
            records: 500_000,
            list_items: 1_000_000,
            string_bytes: 16 << 20,
            output_bytes: 64 << 20,
            diagnostics: 100,
            targets: 2_000,
            job_fuel: 1_000_000_000,
            job_arena_bytes: 512 << 20,
            work: 512 << 20,
            text_bytes: 1 << 20,
        }
    }
}

impl Limits {
    /// Returns limits for a user's own machine: they only keep a mistake from using all of it.
    #[must_use]
    pub fn generous() -> Self {
        Limits {
            fuel: 100_000_000_000,
            arena_bytes: 8 << 30,
            records: 20_000_000,
            list_items: 20_000_000,
            string_bytes: 1 << 30,
            output_bytes: 4 << 30,
            diagnostics: u32::MAX,
            targets: u32::MAX,
            job_fuel: u64::MAX,
            job_arena_bytes: u64::MAX,
            work: u64::MAX,
            text_bytes: 1 << 30,
            ..Limits::default()
        }
    }
}

/// The rest of a job's limits.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    cancel: Cancel,
    fuel_left: u64,
    nesting: u32,
}

impl Meter {
    /// Creates a full meter.
    #[must_use]
    pub fn new(limits: Limits, cancel: Cancel) -> Self {
        Meter { fuel_left: limits.fuel, limits, cancel, nesting: 0 }
    }

    /// Returns the limits it started from.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns true if the job was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns a meter with the same limits for opening files.
    #[must_use]
    pub fn inclusions(&self) -> InclusionMeter {
        InclusionMeter::new(&self.limits, &self.cancel)
    }

    /// Returns the units of work done so far.
    #[must_use]
    pub fn fuel_used(&self) -> u64 {
        self.limits.fuel - self.fuel_left
    }

    /// Charges `units` of work.
    ///
    /// # Errors
    /// The fuel is used up, or the job was cancelled.
    #[inline]
    pub fn charge(&mut self, span: Span, units: u64) -> Result<(), Box<Diagnostic>> {
        let left = self.fuel_left.wrapping_sub(units);
        if left > self.fuel_left || (self.fuel_left ^ left) >> 20 != 0 {
            return self.charge_watchfully(span, units);
        }
        self.fuel_left = left;
        Ok(())
    }

    /// Charges `units` and checks the cancel token, about once in a million units.
    #[cold]
    fn charge_watchfully(&mut self, span: Span, units: u64) -> Result<(), Box<Diagnostic>> {
        if self.cancel.is_cancelled() {
            return Err(cancelled(span));
        }
        match self.fuel_left.checked_sub(units) {
            Some(left) => {
                self.fuel_left = left;
                Ok(())
            }
            None => {
                self.fuel_left = 0;
                Err(over(span, "fuel", self.limits.fuel, "units of work"))
            }
        }
    }

    /// Returns a full meter with the same limits.
    #[must_use]
    pub fn fresh(&self) -> Meter {
        Meter::new(self.limits.clone(), self.cancel.clone())
    }

    /// Counts the fuel that building a shared state took.
    pub fn take_over(&mut self, used: u64) {
        self.fuel_left = self.fuel_left.saturating_sub(used);
    }

    /// Checks the length of a string about to be built.
    ///
    /// # Errors
    /// It is too long.
    pub fn string(&mut self, span: Span, bytes: usize) -> Result<(), Box<Diagnostic>> {
        if bytes as u64 > self.limits.string_bytes {
            return Err(over(span, "string length", self.limits.string_bytes, "bytes"));
        }
        self.charge(span, bytes as u64 / 16)
    }

    /// Checks the length of a list about to be built.
    ///
    /// # Errors
    /// It is too long.
    pub fn list(&mut self, span: Span, items: u64) -> Result<(), Box<Diagnostic>> {
        if items > self.limits.list_items {
            return Err(over(span, "list length", self.limits.list_items, "items"));
        }
        self.charge(span, items)
    }

    /// Checks the number of live bytes.
    ///
    /// # Errors
    /// There are too many.
    pub fn bytes(&self, span: Span, live: usize) -> Result<(), Box<Diagnostic>> {
        if live as u64 > self.limits.arena_bytes {
            return Err(over(span, "memory", self.limits.arena_bytes, "bytes"));
        }
        Ok(())
    }

    /// Checks the number of records.
    ///
    /// # Errors
    /// There are too many.
    pub fn records(&self, span: Span, count: usize) -> Result<(), Box<Diagnostic>> {
        if count as u64 > u64::from(self.limits.records) {
            return Err(over(span, "number of records", u64::from(self.limits.records), "records"));
        }
        Ok(())
    }

    /// Enters a level of nesting; [`Meter::leave`] leaves it.
    ///
    /// # Errors
    /// The nesting is too deep.
    #[inline]
    pub fn enter(&mut self, span: Span) -> Result<(), Box<Diagnostic>> {
        if self.nesting >= self.limits.nesting {
            return Err(over(span, "nesting", u64::from(self.limits.nesting), "levels"));
        }
        self.nesting += 1;
        Ok(())
    }

    /// Leaves a level of nesting.
    #[inline]
    pub fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }
}

/// The meter of the work for opening files. The lexer charges it, which may be long before tokens are evaluated, or where
/// there are none.
#[derive(Debug)]
pub struct InclusionMeter {
    used: u64,
    most: u64,
    cancel: Cancel,
}

impl Default for InclusionMeter {
    /// A meter without an end.
    fn default() -> Self {
        InclusionMeter { used: 0, most: u64::MAX, cancel: Cancel::new() }
    }
}

impl InclusionMeter {
    /// A meter of which nothing is used.
    #[must_use]
    pub fn new(limits: &Limits, cancel: &Cancel) -> Self {
        InclusionMeter { used: 0, most: limits.fuel, cancel: cancel.clone() }
    }

    /// Units of work that were used.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts units of work that were checked elsewhere.
    pub fn take_over(&mut self, units: u64) {
        self.used += units;
    }

    /// Takes units of work.
    ///
    /// # Errors
    /// There are not so many, or the job was cancelled.
    pub fn charge(&mut self, span: Span, units: u64) -> Result<(), Box<Diagnostic>> {
        self.used += units;
        if self.cancel.is_cancelled() {
            return Err(cancelled(span));
        }
        if self.used > self.most {
            return Err(over(span, "fuel", self.most, "units of work"));
        }
        Ok(())
    }
}

/// Work that all stages and threads of a job share. It never fails: whoever charges it asks whether to go on, and in the
/// end the job asks for the [verdict](Budget::verdict). What is charged follows from the input alone, and so does the
/// verdict, in whatever order threads charge.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    most: u64,
    most_text: u64,
    used: AtomicU64,
    has_long_text: AtomicBool,
    cancel: Cancel,
}

impl Default for Budget {
    /// Returns a budget without an end.
    fn default() -> Self {
        Budget::new(&Limits { work: u64::MAX, text_bytes: u64::MAX, ..Limits::default() }, Cancel::new())
    }
}

impl Budget {
    /// Creates an unused budget.
    #[must_use]
    pub fn new(limits: &Limits, cancel: Cancel) -> Self {
        Budget(Arc::new(Account {
            most: limits.work,
            most_text: limits.text_bytes,
            used: AtomicU64::new(0),
            has_long_text: AtomicBool::new(false),
            cancel,
        }))
    }

    /// Charges units of work; returns whether to go on.
    pub fn charge(&self, units: usize) -> bool {
        self.0.used.fetch_add(units as u64, Ordering::Relaxed);
        self.goes_on()
    }

    /// Charges the reading of a text; returns whether to read it. A text that is too long is skipped and the work goes
    /// on, so that the verdict does not depend on which thread came first.
    pub fn charge_text(&self, bytes: usize) -> bool {
        if bytes as u64 > self.0.most_text {
            self.0.has_long_text.store(true, Ordering::Relaxed);
            return false;
        }
        self.charge(bytes)
    }

    /// Returns true if that many units more would be left, and the job was not cancelled.
    #[must_use]
    pub fn allows(&self, units: usize) -> bool {
        let used = self.0.used.load(Ordering::Relaxed);
        used.saturating_add(units as u64) <= self.0.most && !self.0.cancel.is_cancelled()
    }

    /// Returns true if some budget is left and the job was not cancelled.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.allows(0)
    }

    /// Returns the units used so far.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Returns the reason not to use the results, if there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<Box<Diagnostic>> {
        let account = &self.0;
        if account.cancel.is_cancelled() {
            return Some(cancelled_job());
        }
        if self.used() > account.most {
            return Some(over_job("work on includes and pages", account.most, "units"));
        }
        account
            .has_long_text
            .load(Ordering::Relaxed)
            .then(|| over_job("length of a Markdown text", account.most_text, "bytes"))
    }
}

/// The error of a job that was cancelled.
fn cancelled(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::fatal(span, "the job was cancelled").code(Code::Cancelled))
}

/// Returns the error of a job that was cancelled, without a place.
#[must_use]
pub fn cancelled_job() -> Box<Diagnostic> {
    cancelled(Span::NONE)
}

/// Returns the error of a limit of a whole job, without a place.
#[must_use]
pub fn over_job(what: &str, limit: u64, unit: &str) -> Box<Diagnostic> {
    over(Span::NONE, what, limit, unit)
}

/// Returns the error of a limit that was reached.
#[must_use]
pub fn over(span: Span, what: &str, limit: u64, unit: &str) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::fatal(span, format!("limit reached: {what} (at most {limit} {unit})")).code(Code::Limit),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_where_its_sum_says() {
        let limits = Limits { work: 10, text_bytes: 4, ..Limits::default() };
        let budget = Budget::new(&limits, Cancel::new());
        assert!(budget.charge(6) && budget.charge_text(4));
        assert!(budget.verdict().is_none());
        assert!(!budget.charge_text(5) && budget.goes_on(), "a text that is too long costs nothing");
        assert!(
            budget.verdict().is_some_and(|error| error.message.contains("Markdown text (at most 4 bytes)"))
        );
        assert!(!budget.charge(1));
        assert!(budget.verdict().is_some_and(|error| error.message.contains("work on includes and pages")));
    }

    #[test]
    fn a_cancelled_budget_stops() {
        let cancel = Cancel::new();
        let budget = Budget::new(&Limits::default(), cancel.clone());
        assert!(budget.charge(1));
        cancel.cancel();
        assert!(!budget.goes_on());
        assert!(budget.verdict().is_some_and(|error| error.code == Code::Cancelled));
    }
}
