//! The two orders of names: bytes, and natural (runs of digits by their value).

use std::cmp::Ordering;

/// Compares names as the reference sorts records for generators and for `!instances`: piece by piece, digits
/// against digits by value, shorter digit runs first, text bytewise.
#[must_use]
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = behind_same_pieces(a.as_bytes(), b.as_bytes());
    loop {
        let (head_a, rest_a) = piece(a);
        let (head_b, rest_b) = piece(b);
        if head_a.is_empty() || head_b.is_empty() {
            return head_a.len().min(1).cmp(&head_b.len().min(1));
        }
        let digits = (head_a[0].is_ascii_digit(), head_b[0].is_ascii_digit());
        let order = match digits {
            (true, true) => {
                let (x, y) = (trim_zeros(head_a), trim_zeros(head_b));
                x.len().cmp(&y.len()).then_with(|| x.cmp(y)).then_with(|| head_a.len().cmp(&head_b.len()))
            }
            _ => head_a.cmp(head_b),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// Returns both texts from the first differing piece on: most names that are compared begin alike.
fn behind_same_pieces<'t>(a: &'t [u8], b: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let Some(is_digit) = same.checked_sub(1).map(|last| a[last].is_ascii_digit()) else { return (a, b) };
    let start = a[..same].iter().rposition(|byte| byte.is_ascii_digit() != is_digit).map_or(0, |at| at + 1);
    (&a[start..], &b[start..])
}

/// Splits off the leading run of digits or of other bytes.
fn piece(text: &[u8]) -> (&[u8], &[u8]) {
    let Some(first) = text.first() else { return (text, text) };
    let is_digit = first.is_ascii_digit();
    let end = text.iter().position(|byte| byte.is_ascii_digit() != is_digit).unwrap_or(text.len());
    text.split_at(end)
}

fn trim_zeros(digits: &[u8]) -> &[u8] {
    let start = digits.iter().position(|&digit| digit != b'0').unwrap_or(digits.len());
    &digits[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_compare_by_value() {
        assert_eq!(natural("Num2", "Num10"), Ordering::Less);
        assert_eq!(natural("a", "a1"), Ordering::Less);
        assert_eq!(natural("B", "_"), Ordering::Less);
        assert_eq!(natural("x10y2", "x10y10"), Ordering::Less);
        assert_eq!(natural("x10y", "x109"), Ordering::Less);
        assert_eq!(natural("xy1", "xyz"), Ordering::Less);
        assert_eq!(natural("x1", "x1"), Ordering::Equal);
    }
}
