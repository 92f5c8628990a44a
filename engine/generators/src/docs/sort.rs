//! Sorting of operations that reproduces the reference's order of equal ones.
//!
//! The reference uses `std::sort`. It keeps the order of up to 16 equal values and reorders more of them by rules of
//! its own. The result is visible where operations share a mnemonic, so this is the same algorithm as in libstdc++:
//! quicksort around the median of three down to runs of 16, then one insertion sort.

/// Runs of up to this length are left to the insertion sort.
const SHORT: usize = 16;

/// Sorts as the reference does.
pub(super) fn sort<T>(values: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    if values.len() > SHORT {
        let depth = 2 * values.len().ilog2();
        partition_all(values, depth, &is_less);
    }
    for index in 1..values.len() {
        let mut place = index;
        while place > 0 && is_less(&values[place], &values[place - 1]) {
            values.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// Partitions until runs are short. If that is about to take quadratic time, the reference changes to a heap; here a
/// stable sort takes over, because only contrived input gets there.
fn partition_all<T>(mut values: &mut [T], mut depth: u32, is_less: &impl Fn(&T, &T) -> bool) {
    while values.len() > SHORT {
        if depth == 0 {
            return values.sort_by(|a, b| is_less(b, a).cmp(&is_less(a, b)));
        }
        depth -= 1;
        let cut = partition(values, is_less);
        let (left, right) = values.split_at_mut(cut);
        partition_all(right, depth, is_less);
        values = left;
    }
}

/// Moves values less than the pivot to the left of the others; returns where the right part begins.
fn partition<T>(values: &mut [T], is_less: &impl Fn(&T, &T) -> bool) -> usize {
    let pivot = median(values, 1, values.len() / 2, values.len() - 1, is_less);
    values.swap(0, pivot);
    let (mut left, mut right) = (1, values.len());
    loop {
        while is_less(&values[left], &values[0]) {
            left += 1;
        }
        right -= 1;
        while is_less(&values[0], &values[right]) {
            right -= 1;
        }
        if left >= right {
            return left;
        }
        values.swap(left, right);
        left += 1;
    }
}

/// Returns the index of the median of three values.
fn median<T>(values: &[T], a: usize, b: usize, c: usize, is_less: &impl Fn(&T, &T) -> bool) -> usize {
    let is_less = |x: usize, y: usize| is_less(&values[x], &values[y]);
    if is_less(a, b) {
        match (is_less(b, c), is_less(a, c)) {
            (true, _) => b,
            (false, true) => c,
            (false, false) => a,
        }
    } else {
        match (is_less(a, c), is_less(b, c)) {
            (true, _) => a,
            (false, true) => c,
            (false, false) => b,
        }
    }
}
