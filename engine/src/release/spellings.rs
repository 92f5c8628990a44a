//! Words of generated C++ that releases spell differently. A template has them as holes, which callers need not fill.

use super::Rules;

/// A word's spellings, oldest first, each with the release that brought it.
#[derive(Clone, Copy, Debug)]
pub struct Spelling(&'static [(u8, &'static str)]);

impl Spelling {
    /// How a release spells the word.
    #[must_use]
    pub fn of(self, rules: &Rules) -> &'static str {
        let known = self.0.iter().rfind(|(since, _)| *since <= rules.number());
        known.map_or("", |(_, spelling)| spelling)
    }
}

/// Lists spellings: the hole's name, the oldest spelling, and newer ones with the release that brought them.
macro_rules! spellings {
    ($($(#[$doc:meta])+ $name:ident: [$oldest:literal $(, $since:literal => $newer:literal)*];)*) => {
        $(
            $(#[$doc])+
            #[expect(non_upper_case_globals, reason = "it is named as the hole of templates")]
            pub const $name: Spelling = Spelling(&[(0, $oldest) $(, ($since, $newer))*]);
        )*

        /// The spelling that fills a hole; nothing if it is none of these.
        pub(crate) fn find(hole: &str) -> Option<Spelling> {
            match hole {
                $(stringify!($name) => Some($name),)*
                _ => None,
            }
        }
    };
}

spellings! {
    /// Properties of an operation of any class.
    PropertyRef: ["::mlir::OpaqueProperties", 23 => "::mlir::PropertyRef"];
}
