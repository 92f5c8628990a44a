//! Words of generated C++ that releases spell differently. A template has them as holes, which callers need not fill.

use super::Rules;

/// Lists spellings: the hole's name, the oldest spelling, and newer ones with the release that brought them.
macro_rules! spellings {
    ($($name:ident: [$oldest:literal $(, $since:literal => $newer:literal)*];)*) => {
        /// How a release spells this hole of templates; nothing if it is none of the known ones.
        #[must_use]
        pub fn spelling(rules: &Rules, hole: &str) -> Option<&'static str> {
            let spellings: &[(u8, &str)] = match hole {
                $(stringify!($name) => &[(0, $oldest) $(, ($since, $newer))*],)*
                _ => return None,
            };
            let known = spellings.iter().rfind(|(since, _)| *since <= rules.number());
            known.map(|(_, spelling)| *spelling)
        }
    };
}

spellings! {
    Unused: ["LLVM_ATTRIBUTE_UNUSED", 22 => "[[maybe_unused]]"];
}
