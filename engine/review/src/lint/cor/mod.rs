//! COR: silent bugs. Definitions that mlir-tblgen and the C++ compiler accept although they are wrong.
//!
//! | file | rules |
//! | --- | --- |
//! | `format` | COR001–COR005, COR021, COR022: assembly formats |
//! | `values` | COR006–COR010: defaults, enums, parameters |
//! | `effects` | COR011, COR012: memory effects |
//! | `traits` | COR013–COR016, COR020: contracts of traits |
//! | `names` | COR017–COR019: names that clash |
//! | `parameters` | COR023–COR025: parameters of attributes and types |
//! | `segments` | COR026, COR027: variadic operands and results |

mod effects;
mod format;
mod names;
mod parameters;
mod segments;
mod traits;
mod values;

pub(super) use names::clashes;

use super::{cx::Cx, rule::Rule};

/// All rules.
pub(super) static RULES: &[&Rule] = &[
    &format::AMBIGUOUS,
    &format::REBOUND,
    &format::UNGUARDED,
    &format::UNREACHABLE,
    &format::ONLY_IN_DICTIONARY,
    &values::DEFAULT,
    &values::DUPLICATE_CASE,
    &values::UNPARSABLE_KEYWORD,
    &values::BITS,
    &values::PARAMETER,
    &effects::PURE_WITH_EFFECTS,
    &effects::UNATTACHED,
    &traits::UNUSED_ARGUMENT,
    &traits::CONTRACT,
    &traits::COMMUTATIVE,
    &traits::SAME_TYPES,
    &names::MNEMONIC,
    &names::CLASS,
    &names::ACCESSOR,
    &traits::TERMINATOR,
    &format::OVERRUN,
    &format::EMPTY_LIST,
    &parameters::OPTIONAL_FIRST,
    &parameters::LIST_BEFORE_COMMA,
    &parameters::NOT_READ_BACK,
    &segments::IN_PROP_DICT,
    &segments::INFERRED_BEHIND_LIST,
];

/// Checks everything of a root except clashes of names, which need all roots.
pub(super) fn check(cx: &Cx<'_, '_>) {
    format::check(cx);
    values::check(cx);
    effects::check(cx);
    traits::check(cx);
    names::check(cx);
    parameters::check(cx);
    segments::check(cx);
}
