//! The distance between two texts.

use std::collections::HashMap;

/// Counts the lines that one text has and the other lacks. Texts that differ only in the order of lines are 1 apart.
pub(super) fn distance(one: &str, other: &str) -> usize {
    if one == other {
        return 0;
    }
    let mut counts: HashMap<&str, isize> = HashMap::new();
    for line in one.split('\n') {
        *counts.entry(line).or_default() += 1;
    }
    for line in other.split('\n') {
        *counts.entry(line).or_default() -= 1;
    }
    counts.values().map(|count| count.unsigned_abs()).sum::<usize>().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_either_text_count() {
        assert_eq!(distance("a\nb", "a\nb"), 0);
        assert_eq!(distance("a\nb", "b\na"), 1);
        assert_eq!(distance("a\nb", "a\nc\nd"), 3);
        assert_eq!(distance("a\na", "a"), 1);
    }
}
