//! What a change to a dialect breaks, and for whom.
