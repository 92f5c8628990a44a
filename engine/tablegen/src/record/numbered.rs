//! Names with a number in them, spelled as for C's `printf`: `R%u`, `X%02x`.

use std::fmt::Write as _;

/// A format with at most one placeholder for a number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    head: String,
    number: Option<Number>,
    tail: String,
}

/// `%`, flags, width, precision, length (of no effect) and conversion.
#[derive(Debug, Default, PartialEq, Eq)]
struct Number {
    is_left: bool,
    has_zeros: bool,
    /// The `+` or space before a signed number.
    sign: Option<char>,
    has_prefix: bool,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

/// The largest width and precision; anything longer is not a name.
const MOST_WIDTH: usize = 4096;

impl Numbered {
    /// Parses a format; returns nothing if it has more than one placeholder, or an unsupported one.
    pub(super) fn parse(format: &str) -> Option<Numbered> {
        let (mut head, mut number) = (String::new(), None);
        let mut text = String::new();
        let mut rest = format;
        while let Some((plain, following)) = rest.split_once('%') {
            text.push_str(plain);
            if let Some(following) = following.strip_prefix('%') {
                text.push('%');
                rest = following;
                continue;
            }
            let (parsed, following) = Number::parse(following)?;
            if number.replace(parsed).is_some() {
                return None;
            }
            head = std::mem::take(&mut text);
            rest = following;
        }
        text.push_str(rest);
        Some(Numbered { head, number, tail: text })
    }

    /// Returns true if there is a placeholder for a number.
    pub(super) fn has_number(&self) -> bool {
        self.number.is_some()
    }

    /// Returns the name with this number, which is not negative.
    pub(super) fn name(&self, number: i64) -> String {
        let mut name = self.head.clone();
        if let Some(format) = &self.number {
            format.write(number, &mut name);
        }
        name + &self.tail
    }
}

impl Number {
    /// Parses the text after a `%`; also returns the rest.
    fn parse(text: &str) -> Option<(Number, &str)> {
        let mut number = Number::default();
        let mut rest = text;
        while let Some(flag) = rest.chars().next().filter(|flag| "-0+ #".contains(*flag)) {
            match flag {
                '-' => number.is_left = true,
                '0' => number.has_zeros = true,
                '#' => number.has_prefix = true,
                sign => number.sign = number.sign.filter(|sign| *sign == '+').or(Some(sign)),
            }
            rest = &rest[1..];
        }
        (number.width, rest) = leading_digits(rest)?;
        if let Some(following) = rest.strip_prefix('.') {
            let (precision, following) = leading_digits(following)?;
            (number.precision, rest) = (Some(precision), following);
        }
        number.conversion = rest.chars().next().filter(|conversion| "diuxXo".contains(*conversion))?;
        Some((number, &rest[1..]))
    }

    fn write(&self, number: i64, name: &mut String) {
        let mut digits = match self.conversion {
            'x' => format!("{number:x}"),
            'X' => format!("{number:X}"),
            'o' => format!("{number:o}"),
            _ => number.to_string(),
        };
        if let Some(precision) = self.precision {
            if number == 0 {
                digits.clear();
            }
            digits = format!("{digits:0>precision$}");
        }
        let prefix = match self.conversion {
            'd' | 'i' => self.sign.map(String::from).unwrap_or_default(),
            'x' | 'X' if self.has_prefix && number != 0 => format!("0{}", self.conversion),
            'o' if self.has_prefix && !digits.starts_with('0') => "0".to_owned(),
            _ => String::new(),
        };
        let width = self.width.saturating_sub(prefix.len());
        let _ = if self.is_left {
            write!(name, "{prefix}{digits:<width$}")
        } else if self.has_zeros && self.precision.is_none() {
            write!(name, "{prefix}{digits:0>width$}")
        } else {
            let width = self.width;
            write!(name, "{:>width$}", prefix + &digits)
        };
    }
}

/// Returns the number at the beginning, or 0 if there is none, and the rest.
fn leading_digits(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (number <= MOST_WIDTH).then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, number: i64, name: &str) {
        let format = Numbered::parse(format).expect("a format");
        assert_eq!(format.name(number), name);
    }

    #[test]
    fn conversions() {
        check("R%u", 7, "R7");
        check("%%%d%%", 7, "%7%");
        check("%x|", 31, "1f|");
        check("%X|", 31, "1F|");
        check("%o|", 31, "37|");
        check("no number", 7, "no number");
    }

    #[test]
    fn widths() {
        check("a%5u", 97, "a   97");
        check("a%-5u|", 97, "a97   |");
        check("a%05d", 7, "a00007");
        check("a%-05d", 7, "a7    ");
        check("a%+05d|", 7, "a+0007|");
        check("a% d|", 7, "a 7|");
        check("a%+ d|", 97, "a+97|");
        check("a%+u|", 0, "a0|");
    }

    #[test]
    fn precisions_and_prefixes() {
        check("a%06.3d|", 7, "a   007|");
        check("a%-6.3d|", 7, "a007   |");
        check("a%#06X|", 31, "a0X001F|");
        check("a%#.4o|", 31, "a0037|");
        check("a%#.1o|", 0, "a0|");
        check("a%#x|", 0, "a0|");
        check("a%.u|", 0, "a|");
    }

    #[test]
    fn what_is_no_format() {
        for format in ["%", "a%s", "%u%u", "%*u", "%n", "%99999u", "%\tu", "%é"] {
            assert_eq!(Numbered::parse(format), None, "{format}");
        }
    }
}
