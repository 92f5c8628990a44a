//! The few forms of C++ expressions that conditions are written in.
//!
//! ```text
//! whole:    or [ "?" or ":" or ]
//! or:       and { "||" and }          and:     equality { "&&" equality }
//! equality: sum [ "==" | "!=" | "<" | "<=" | ">" | ">=" sum ]
//! sum:      unary { ("+" | "-" | "*" | "/" | "%") unary }        from left to right
//! unary:    { "!" | "-" } primary { "." name … | "->" name … | "(" … ")" | "[" … "]" }
//! primary:  "(" or ")" | "{" list "}" | number | string | name [ "<" … ">" ] | lambda
//! lambda:   "[" … "]" "(" … name ")" "{" "return" or ";" "}"
//! ```
//!
//! Brackets whose content is none of these are [`Expr::Opaque`]; the code around them can still be read.

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// An expression that cannot be read.
    Opaque,
    /// A number.
    Int(i64),
    /// `true`, `false`.
    Bool(bool),
    /// A string.
    Str(String),
    /// `$_self`, `attr`, `mlir::ShapedType`, without leading colons.
    Name(String),
    /// `{1, 2}`.
    List(Vec<Expr>),
    /// `!x`.
    Not(Box<Expr>),
    /// Two operands.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `f<A, B>(x, y)`, or with an object `x.f<A>(y)`.
    Call {
        /// The expression before the dot.
        object: Option<Box<Expr>>,
        /// The function with its namespace.
        name: String,
        /// The arguments between angle brackets.
        template: Vec<String>,
        /// The arguments between parentheses.
        arguments: Vec<Expr>,
    },
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The call of a lambda.
    Apply(Box<Expr>, Vec<Expr>),
    /// `[](T x) { return body; }`.
    Lambda(String, Box<Expr>),
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Number(&'a str),
    Text(&'a str),
    Sign(&'a str),
}

impl Expr {
    /// Parses an expression; the parts that cannot be read are opaque.
    pub(super) fn parse(text: &str) -> Expr {
        let tokens = tokens(text);
        let closers = closers(&tokens);
        let mut parser = Parser { tokens: &tokens, closers: &closers, at: 0, end: tokens.len(), depth: 0 };
        parser.whole()
    }
}

/// The name of `x[i]` as a function.
pub(super) const INDEX: &str = "operator[]";

const SIGNS: &[&str] = &["&&", "||", "==", "!=", "<=", ">=", "->", "::"];

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("/*") {
            let Some((_, after)) = comment.split_once("*/") else { return found };
            rest = after;
            continue;
        }
        let Some(first) = rest.chars().next() else { return found };
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let length = if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            found.push(Token::Number(&rest[..length]));
            length
        } else if is_word(first) {
            // A name includes its namespaces.
            let mut length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            while let Some(tail) = rest[length..].strip_prefix("::") {
                let word = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
                if word == 0 {
                    break;
                }
                length += 2 + word;
            }
            found.push(Token::Name(&rest[..length]));
            length
        } else if first == '"' {
            let Some(end) = rest[1..].find('"') else { return found };
            found.push(Token::Text(&rest[1..=end]));
            end + 2
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let length = sign.map_or(first.len_utf8(), |sign| sign.len());
            // A leading `::` has no meaning here.
            if &rest[..length] != "::" {
                found.push(Token::Sign(&rest[..length]));
            }
            length
        };
        rest = &rest[length..];
    }
}

/// The position of the closing bracket for each opening one.
fn closers(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut closers = vec![usize::MAX; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let Token::Sign(sign) = token else { continue };
        match *sign {
            "(" => open.push((index, ")")),
            "[" => open.push((index, "]")),
            "{" => open.push((index, "}")),
            ")" | "]" | "}" => {
                if let Some(at) = open.iter().rposition(|(_, closer)| closer == sign) {
                    open.truncate(at + 1);
                    if let Some((opener, _)) = open.pop() {
                        closers[opener] = index;
                    }
                }
            }
            _ => {}
        }
    }
    closers
}

/// The nesting limit, deeper than any condition written by hand.
const MAX_DEPTH: usize = 64;

struct Parser<'p, 'a> {
    tokens: &'p [Token<'a>],
    closers: &'p [usize],
    at: usize,
    end: usize,
    depth: usize,
}

impl<'a> Parser<'_, 'a> {
    fn peek(&self) -> Option<Token<'a>> {
        if self.at < self.end { self.tokens.get(self.at).copied() } else { None }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.peek() == Some(Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn sign(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Sign(sign)) => Some(sign),
            _ => None,
        }
    }

    /// Parses all tokens up to the end as one expression.
    fn whole(&mut self) -> Expr {
        let expr = if self.depth > MAX_DEPTH { None } else { self.conditional() };
        let is_whole = self.at == self.end;
        self.at = self.end;
        expr.filter(|_| is_whole).unwrap_or(Expr::Opaque)
    }

    /// Parses the content of the current bracket and continues after its end.
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let closer = *self.closers.get(self.at)?;
        if closer >= self.end {
            return None;
        }
        let mut inner = Parser {
            tokens: self.tokens,
            closers: self.closers,
            at: self.at + 1,
            end: closer,
            depth: self.depth + 1,
        };
        self.at = closer + 1;
        Some(read(&mut inner))
    }

    /// Expressions between commas.
    fn list(&mut self) -> Vec<Expr> {
        let mut all = Vec::new();
        while self.at < self.end {
            let mut stop = self.at;
            while stop < self.end && self.tokens[stop] != Token::Sign(",") {
                let closer = self.closers[stop];
                stop = if closer < self.end { closer + 1 } else { stop + 1 };
            }
            let mut item = Parser {
                tokens: self.tokens,
                closers: self.closers,
                at: self.at,
                end: stop,
                depth: self.depth + 1,
            };
            all.push(item.whole());
            self.at = stop + 1;
        }
        all
    }

    fn conditional(&mut self) -> Option<Expr> {
        let condition = self.or()?;
        if !self.eat("?") {
            return Some(condition);
        }
        let then = self.or()?;
        if !self.eat(":") {
            return None;
        }
        let otherwise = self.or()?;
        Some(Expr::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn or(&mut self) -> Option<Expr> {
        let mut left = self.and()?;
        while self.eat("||") {
            left = Expr::Binary(Op::Or, Box::new(left), Box::new(self.and()?));
        }
        Some(left)
    }

    fn and(&mut self) -> Option<Expr> {
        let mut left = self.equality()?;
        while self.eat("&&") {
            left = Expr::Binary(Op::And, Box::new(left), Box::new(self.equality()?));
        }
        Some(left)
    }

    fn equality(&mut self) -> Option<Expr> {
        let left = self.sum()?;
        let op = match self.sign() {
            Some("==") => Op::Equal,
            Some("!=") => Op::NotEqual,
            Some("<") => Op::Less,
            Some("<=") => Op::LessEqual,
            Some(">") => Op::Greater,
            Some(">=") => Op::GreaterEqual,
            _ => return Some(left),
        };
        self.at += 1;
        Some(Expr::Binary(op, Box::new(left), Box::new(self.sum()?)))
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.unary()?;
        let mut is_mixed = false;
        let mut last = None;
        loop {
            let op = match self.sign() {
                Some("+") => Op::Add,
                Some("-") => Op::Subtract,
                Some("*") => Op::Multiply,
                Some("/") => Op::Divide,
                Some("%") => Op::Remainder,
                _ => break,
            };
            self.at += 1;
            is_mixed |= last.is_some_and(|last| last != op);
            last = Some(op);
            left = Expr::Binary(op, Box::new(left), Box::new(self.unary()?));
        }
        // Precedence is not implemented, so mixed operators are opaque.
        Some(if is_mixed { Expr::Opaque } else { left })
    }

    fn unary(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let expr = if self.eat("!") {
            Expr::Not(Box::new(self.unary()?))
        } else if self.eat("-") {
            match self.unary()? {
                Expr::Int(value) => Expr::Int(-value),
                _ => Expr::Opaque,
            }
        } else if self.eat("*") {
            self.unary()?
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Some(expr)
    }

    fn postfix(&mut self) -> Option<Expr> {
        let mut expr = self.primary()?;
        loop {
            if self.eat(".") || self.eat("->") {
                let Some(Token::Name(name)) = self.peek() else { return None };
                self.at += 1;
                let template = self.template();
                if self.sign() != Some("(") {
                    return None;
                }
                let arguments = self.inside(Parser::list)?;
                let name = plain(name);
                expr = Expr::Call { object: Some(Box::new(expr)), name, template, arguments };
            } else if self.sign() == Some("(") {
                let arguments = self.inside(Parser::list)?;
                expr = Expr::Apply(Box::new(expr), arguments);
            } else if self.sign() == Some("[") {
                let index = self.inside(Parser::whole)?;
                let name = INDEX.to_owned();
                let (template, arguments) = (Vec::new(), vec![index]);
                expr = Expr::Call { object: Some(Box::new(expr)), name, template, arguments };
            } else {
                return Some(expr);
            }
        }
    }

    fn primary(&mut self) -> Option<Expr> {
        match self.peek()? {
            Token::Sign("(") => self.inside(Parser::whole),
            Token::Sign("{") => self.inside(Parser::list).map(Expr::List),
            Token::Sign("[") => Some(self.lambda().unwrap_or(Expr::Opaque)),
            Token::Sign(_) => None,
            Token::Number(digits) => {
                self.at += 1;
                let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
                let value = match digits.strip_prefix("0x") {
                    Some(hex) => i64::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                Some(value.map_or(Expr::Opaque, Expr::Int))
            }
            Token::Text(text) => {
                self.at += 1;
                Some(Expr::Str(text.to_owned()))
            }
            Token::Name(name) => {
                self.at += 1;
                Some(self.named(name)?)
            }
        }
    }

    fn named(&mut self, name: &str) -> Option<Expr> {
        match name {
            "true" => return Some(Expr::Bool(true)),
            "false" => return Some(Expr::Bool(false)),
            _ => {}
        }
        let template = self.template();
        let name = plain(name);
        match self.sign() {
            Some("(") => {
                let arguments = self.inside(Parser::list)?;
                Some(Expr::Call { object: None, name, template, arguments })
            }
            Some("{") => {
                let arguments = self.inside(Parser::list)?;
                Some(Expr::Call { object: None, name, template, arguments })
            }
            _ if template.is_empty() => Some(Expr::Name(name)),
            _ => None,
        }
    }

    /// `<A, B>` in front of an opening parenthesis.
    fn template(&mut self) -> Vec<String> {
        let start = self.at;
        let mut all = Vec::new();
        if !self.eat("<") {
            return all;
        }
        let mut depth = 1;
        let mut current = String::new();
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Sign("<") => depth += 1,
                Token::Sign(">") => depth -= 1,
                Token::Sign(",") if depth == 1 => {
                    all.push(std::mem::take(&mut current));
                    continue;
                }
                Token::Name(name) => current += &plain(name),
                Token::Number(digits) => current += digits,
                Token::Sign("*" | "&" | ",") => {}
                Token::Sign(_) | Token::Text(_) => break,
            }
            if depth == 0 {
                all.push(current);
                if matches!(self.sign(), Some("(" | "{")) {
                    return all;
                }
                break;
            }
        }
        // It is a comparison.
        self.at = start;
        Vec::new()
    }

    fn lambda(&mut self) -> Option<Expr> {
        self.inside(|_| ())?;
        if self.sign() != Some("(") {
            return None;
        }
        let parameter =
            self.inside(|inner| match inner.end.checked_sub(1).and_then(|last| inner.tokens.get(last)) {
                Some(Token::Name(name)) => (*name).to_owned(),
                _ => String::new(),
            })?;
        if self.eat("->") {
            while self.peek().is_some() && self.sign() != Some("{") {
                self.at += 1;
            }
        }
        if self.sign() != Some("{") {
            return None;
        }
        let body = self.inside(|inner| {
            if inner.peek() != Some(Token::Name("return")) {
                return Expr::Opaque;
            }
            inner.at += 1;
            if inner.tokens.get(inner.end.wrapping_sub(1)) == Some(&Token::Sign(";")) {
                inner.end -= 1;
            }
            inner.whole()
        })?;
        Some(Expr::Lambda(parameter, Box::new(body)))
    }
}

/// A name without the colons in front.
fn plain(name: &str) -> String {
    name.trim_start_matches("::").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bracket_that_is_not_understood_is_opaque() {
        let Expr::Binary(Op::Or, left, right) = Expr::parse("(a ?? c) || ($_self.isF32())") else {
            panic!("no disjunction");
        };
        assert_eq!(*left, Expr::Opaque);
        assert!(matches!(*right, Expr::Call { .. }));
    }

    #[test]
    fn comments_are_no_code() {
        assert_eq!(Expr::parse("f(x, /*scalable=*/{true})"), Expr::parse("f(x, {true})"));
    }

    #[test]
    fn a_comparison_is_no_template() {
        assert!(matches!(Expr::parse("a < b"), Expr::Binary(Op::Less, ..)));
        assert!(
            matches!(Expr::parse("isa<A, b::C>(x)"), Expr::Call { template, .. } if template == ["A", "b::C"])
        );
    }

    #[test]
    fn a_lambda_has_a_parameter_and_a_body() {
        let expr = Expr::parse("[](::mlir::Type t) { return (t.isF32()); }(x.getElementType())");
        assert!(
            matches!(expr, Expr::Apply(lambda, _) if matches!(&*lambda, Expr::Lambda(name, _) if name == "t"))
        );
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(Expr::parse(&nested(10)), Expr::Name("x".to_owned()));
        for deep in [nested(100_000), format!("{}x", "!".repeat(100_000)), ")]}".repeat(1000)] {
            assert_eq!(Expr::parse(&deep), Expr::Opaque);
        }
        // The code around it can still be read.
        let around = Expr::Binary(Op::And, Box::new(Expr::Opaque), Box::new(Expr::Name("y".to_owned())));
        assert_eq!(Expr::parse(&format!("{} && y", nested(100_000))), around);
    }
}
