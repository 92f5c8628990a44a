//! Whole numbers as `math(EXPR …)` computes them.

/// The most nested parentheses and signs.
const MOST_NESTED: usize = 100;

/// The operators, those that bind least first.
const OPERATORS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

/// Returns the value of an expression; `None` if it has none.
pub(super) fn value(text: &str) -> Option<i64> {
    let mut reader = Reader { rest: text, depth: 0 };
    let value = reader.operation(0)?;
    reader.rest.trim().is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn operation(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = OPERATORS.get(level) else { return self.operand() };
        let mut left = self.operation(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.take(operator)) {
            let right = self.operation(level + 1)?;
            let bits = || u32::try_from(right).ok();
            left = match *operator {
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "<<" => left.checked_shl(bits()?)?,
                ">>" => left.checked_shr(bits()?)?,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return None;
        }
        let value = if self.take("(") {
            let value = self.operation(0)?;
            self.take(")").then_some(value)
        } else if self.take("-") {
            self.operand()?.checked_neg()
        } else if self.take("+") {
            self.operand()
        } else if self.take("~") {
            self.operand().map(|value| !value)
        } else {
            self.number()
        };
        self.depth -= 1;
        value
    }

    fn number(&mut self) -> Option<i64> {
        let text = self.rest.trim_start();
        let end = text.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (number, rest) = text.split_at(end);
        self.rest = rest;
        match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    /// CMake 3.25 prints these.
    #[test]
    fn answers_of_cmake() {
        for (text, expected) in [
            ("2 * (3 + 4) % 5", Some(4)),
            ("-7 / 2", Some(-3)),
            ("-7 % 3", Some(-1)),
            ("~1", Some(-2)),
            ("1 << 4 | 3", Some(19)),
            ("6 & 3 ^ 1", Some(3)),
            ("0x10 + 1", Some(17)),
            ("- -3", Some(3)),
            ("5 - 3 - 1", Some(1)),
            ("2*-3", Some(-6)),
            ("~-1", Some(0)),
            ("7 & 3 == 3", None),
            ("1 / 0", None),
            ("(1", None),
        ] {
            assert_eq!(super::value(text), expected, "{text}");
        }
        assert_eq!(super::value(&"(".repeat(100_000)), None);
    }
}
