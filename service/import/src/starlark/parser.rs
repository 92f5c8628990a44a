//! The statements and expressions of Starlark.

use std::rc::Rc;

use super::{
    Value,
    tokens::{Kind, Token},
};

/// The deepest nesting of brackets and blocks.
const MOST_NESTED: usize = 100;
/// The most operators in one chain.
const MOST_LINKS: usize = 500;
/// The reason for a statement that is left out.
pub(super) const TOO_DEEP: &str = "brackets are nested too deeply: this is left out";

/// A statement with its line.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) line: usize,
    pub(super) kind: Kinds,
}

/// The kinds of statements.
#[derive(Debug)]
pub(super) enum Kinds {
    /// `name = value`, `name += value`, or several names.
    Assignment(Vec<String>, Expression),
    /// `name[key] = value`
    Entry(String, Expression, Expression),
    /// A call, or a list of calls.
    Expression(Expression),
    /// The branches of `if`, the last without a condition for `else`.
    If(Vec<(Option<Expression>, Vec<Statement>)>),
    /// `for names in list:`
    For(Vec<String>, Expression, Vec<Statement>),
    Def(Rc<Function>),
    Return(Option<Expression>),
    Break,
    Continue,
    Pass,
    /// A statement that is not read, with the reason.
    Unread(String),
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Vec<Statement>,
}

/// A parameter of a function.
#[derive(Debug)]
pub(super) enum Parameter {
    Plain(String, Option<Expression>),
    /// `*names`
    List(String),
    /// `**names`
    Dict(String),
}

/// An expression.
#[derive(Debug)]
pub(super) enum Expression {
    Value(Value),
    Name(String),
    List(Vec<Expression>),
    Dict(Vec<(Expression, Expression)>),
    Call {
        function: Box<Expression>,
        /// The arguments, by name; `*` and `**` for those that are taken from a list or a dictionary.
        arguments: Vec<(String, Expression)>,
        line: usize,
    },
    Member(Box<Expression>, String),
    Element(Box<Expression>, Box<Expression>),
    Part(Box<Expression>, Option<Box<Expression>>, Option<Box<Expression>>),
    Not(Box<Expression>),
    Minus(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `a if condition else b`
    Condition(Box<[Expression; 3]>),
    /// A list comprehension or, with a key, a dictionary comprehension.
    Comprehension {
        key: Option<Box<Expression>>,
        body: Box<Expression>,
        clauses: Vec<Clause>,
    },
    Unknown(String),
}

/// A clause of a comprehension.
#[derive(Debug)]
pub(super) enum Clause {
    For(Vec<String>, Expression),
    If(Expression),
}

impl Clause {
    /// Returns the names that a clause binds.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Clause::For(names, _) => names,
            Clause::If(_) => &[],
        }
    }
}

/// Parses the statements of a file.
pub(super) fn statements(tokens: &[Token]) -> Vec<Statement> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let mut statements = Vec::new();
    loop {
        parser.skip_empty_lines();
        let Some(token) = parser.peek() else { return statements };
        if token.column > 0 {
            // The rest of a block whose head is not read.
            parser.skip_line();
            continue;
        }
        parser.depth = 0;
        statements.push(parser.statement());
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: Kind::Op(known), .. }) if *known == op)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: Kind::Name(known), .. }) if known == name)
    }

    fn take_op(&mut self, op: &str) -> bool {
        let is_it = self.is_op(op);
        self.at += usize::from(is_it);
        is_it
    }

    fn take_name(&mut self, name: &str) -> bool {
        let is_it = self.is_name(name);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, op: &str) -> Result<(), String> {
        if self.take_op(op) { Ok(()) } else { Err(format!("'{op}' is missing: this is left out")) }
    }

    fn name(&mut self) -> Result<String, String> {
        let Some(Token { kind: Kind::Name(name), .. }) = self.peek() else {
            let is_end = self.peek().is_none();
            let what = if is_end { "the file ends too early" } else { "a name is missing: this is left out" };
            return Err(what.to_owned());
        };
        self.at += 1;
        Ok(name.clone())
    }

    /// Skips to the end of the line, closing all open brackets.
    fn skip_line(&mut self) {
        while self.peek().is_some() && !self.take_op("\n") {
            self.at += 1;
        }
    }

    fn skip_empty_lines(&mut self) {
        while self.take_op("\n") {}
    }

    /// Reads a statement with its blocks; one that is not read is skipped with its blocks.
    fn statement(&mut self) -> Statement {
        let (line, column) = self.peek().map_or((0, 0), |token| (token.line, token.column));
        let depth = self.depth;
        let kind = self.statement_here(column).unwrap_or_else(|what| {
            self.skip_line();
            loop {
                let at = self.at;
                self.skip_empty_lines();
                if self.peek().is_none_or(|token| token.column <= column) {
                    break;
                }
                self.skip_line();
                if self.at == at {
                    break;
                }
            }
            Kinds::Unread(what)
        });
        self.depth = depth;
        Statement { line, kind }
    }

    fn statement_here(&mut self, column: usize) -> Result<Kinds, String> {
        if self.take_name("def") {
            return self.function(column);
        }
        if self.take_name("if") {
            let mut branches = Vec::new();
            let condition = self.expression()?;
            branches.push((Some(condition), self.block(column)?));
            loop {
                let at = self.at;
                self.skip_empty_lines();
                let is_here = self.peek().is_some_and(|token| token.column == column);
                if is_here && self.take_name("elif") {
                    let condition = self.expression()?;
                    branches.push((Some(condition), self.block(column)?));
                } else if is_here && self.take_name("else") {
                    branches.push((None, self.block(column)?));
                    break;
                } else {
                    self.at = at;
                    break;
                }
            }
            return Ok(Kinds::If(branches));
        }
        if self.take_name("for") {
            let names = self.names()?;
            let over = self.expression()?;
            return Ok(Kinds::For(names, over, self.block(column)?));
        }
        for word in ["while", "else", "elif", "with", "class", "try"] {
            if self.is_name(word) {
                return Err(format!("a statement with '{word}' is left out"));
            }
        }
        let kind = self.simple_statement()?;
        if self.peek().is_some() && !self.take_op("\n") {
            return Err("this statement is left out".to_owned());
        }
        Ok(kind)
    }

    fn simple_statement(&mut self) -> Result<Kinds, String> {
        for (word, kind) in [("pass", Kinds::Pass), ("break", Kinds::Break), ("continue", Kinds::Continue)] {
            if self.take_name(word) {
                return Ok(kind);
            }
        }
        if self.take_name("return") {
            let is_empty = self.peek().is_none() || self.is_op("\n");
            return Ok(Kinds::Return(if is_empty { None } else { Some(self.expressions()?) }));
        }
        let target = self.expressions()?;
        for (op, binary) in [("+=", "+"), ("|=", "|")] {
            if self.take_op(op) {
                let Expression::Name(name) = target else { break };
                let value = self.expressions()?;
                let sum =
                    Expression::Binary(binary, Box::new(Expression::Name(name.clone())), Box::new(value));
                return Ok(Kinds::Assignment(vec![name], sum));
            }
        }
        if !self.take_op("=") {
            return Ok(Kinds::Expression(target));
        }
        let value = self.expressions()?;
        match target {
            Expression::Name(name) => Ok(Kinds::Assignment(vec![name], value)),
            Expression::List(targets) => {
                let name = |target| match target {
                    Expression::Name(name) => Some(name),
                    _ => None,
                };
                let names: Option<Vec<String>> = targets.into_iter().map(name).collect();
                names
                    .map(|names| Kinds::Assignment(names, value))
                    .ok_or("this statement is left out".to_owned())
            }
            Expression::Element(of, key) => match *of {
                Expression::Name(name) => Ok(Kinds::Entry(name, *key, value)),
                _ => Err("this statement is left out".to_owned()),
            },
            _ => Err("this statement is left out".to_owned()),
        }
    }

    /// Reads an expression, or a tuple without brackets.
    fn expressions(&mut self) -> Result<Expression, String> {
        let first = self.expression()?;
        if !self.is_op(",") {
            return Ok(first);
        }
        let mut values = vec![first];
        while self.take_op(",") {
            if self.peek().is_none() || self.is_op("\n") || self.is_op("=") {
                break;
            }
            values.push(self.expression()?);
        }
        Ok(Expression::List(values))
    }

    fn function(&mut self, column: usize) -> Result<Kinds, String> {
        let name = self.name()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.take_op(")") {
            if self.take_op("**") {
                parameters.push(Parameter::Dict(self.name()?));
            } else if self.take_op("*") {
                // A star alone begins the parameters that only have a name.
                if !self.is_op(",") {
                    parameters.push(Parameter::List(self.name()?));
                }
            } else {
                let name = self.name()?;
                let default = if self.take_op("=") { Some(self.expression()?) } else { None };
                parameters.push(Parameter::Plain(name, default));
            }
            if !self.take_op(",") {
                self.expect(")")?;
                break;
            }
        }
        let body = self.block(column)?;
        Ok(Kinds::Def(Rc::new(Function { name, parameters, body })))
    }

    /// Reads the block of a statement that begins at a column.
    fn block(&mut self, outer: usize) -> Result<Vec<Statement>, String> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(TOO_DEEP.to_owned());
        }
        self.expect(":")?;
        let mut statements = Vec::new();
        if self.is_op("\n") {
            self.skip_empty_lines();
            let column = self.peek().map_or(0, |token| token.column);
            while column > outer && self.peek().is_some_and(|token| token.column == column) {
                statements.push(self.statement());
                self.skip_empty_lines();
            }
        } else {
            statements.push(self.statement());
        }
        self.depth -= 1;
        Ok(statements)
    }

    /// Reads the names of a loop, up to `in`.
    fn names(&mut self) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        self.take_op("(");
        while !self.take_name("in") {
            names.push(self.name()?);
            self.take_op(",");
            self.take_op(")");
        }
        Ok(names)
    }

    fn expression(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(TOO_DEEP.to_owned());
        }
        let mut value = self.chain(0)?;
        if self.take_name("if") {
            let condition = self.chain(0)?;
            if !self.take_name("else") {
                return Err("'else' is missing: this is left out".to_owned());
            }
            value = Expression::Condition(Box::new([condition, value, self.expression()?]));
        }
        self.depth -= 1;
        Ok(value)
    }

    /// Reads a chain of binary operators of a level, which joins chains of the next one.
    fn chain(&mut self, level: usize) -> Result<Expression, String> {
        const LEVELS: &[&[&str]] = &[
            &["or"],
            &["and"],
            &["==", "!=", "<=", ">=", "<", ">", "in", "not in"],
            &["|"],
            &["+", "-"],
            &["%", "*", "//", "/"],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        // `not` binds less than comparisons.
        if level == 2 && self.take_name("not") {
            self.depth += 1;
            if self.depth > MOST_NESTED {
                return Err(TOO_DEEP.to_owned());
            }
            let value = self.chain(level)?;
            self.depth -= 1;
            return Ok(Expression::Not(Box::new(value)));
        }
        let mut value = self.chain(level + 1)?;
        let mut links = 0;
        while let Some(op) = operators.iter().find(|op| self.take_operator(op)) {
            link(&mut links)?;
            value = Expression::Binary(op, Box::new(value), Box::new(self.chain(level + 1)?));
        }
        Ok(value)
    }

    fn take_operator(&mut self, op: &str) -> bool {
        match op {
            "or" | "and" | "in" => self.take_name(op),
            "not in" => {
                let at = self.at;
                let is_it = self.take_name("not") && self.take_name("in");
                if !is_it {
                    self.at = at;
                }
                is_it
            }
            op => self.take_op(op),
        }
    }

    fn unary(&mut self) -> Result<Expression, String> {
        if self.is_op("-") || self.is_op("+") {
            let is_minus = self.take_op("-") || !self.take_op("+");
            self.depth += 1;
            if self.depth > MOST_NESTED {
                return Err(TOO_DEEP.to_owned());
            }
            let value = self.unary()?;
            self.depth -= 1;
            return Ok(if is_minus { Expression::Minus(Box::new(value)) } else { value });
        }
        let mut value = self.primary()?;
        let mut links = 0;
        loop {
            link(&mut links)?;
            let line = self.peek().map_or(0, |token| token.line);
            if self.take_op("(") {
                value = Expression::Call { function: Box::new(value), arguments: self.arguments()?, line };
            } else if self.take_op(".") {
                value = Expression::Member(Box::new(value), self.name()?);
            } else if self.take_op("[") {
                value = self.element(value)?;
            } else {
                return Ok(value);
            }
        }
    }

    /// Reads `[index]` or `[from:to]` after the opening bracket.
    fn element(&mut self, of: Expression) -> Result<Expression, String> {
        let of = Box::new(of);
        let mut ends = [None, None];
        let mut colons = 0;
        while !self.take_op("]") {
            if self.take_op(":") {
                colons += 1;
                continue;
            }
            let value = self.expression()?;
            if let Some(end) = ends.get_mut(colons) {
                *end = Some(Box::new(value));
            }
        }
        let [from, to] = ends;
        Ok(match (colons, from) {
            (0, Some(index)) => Expression::Element(of, index),
            (1, from) => Expression::Part(of, from, to),
            _ => Expression::Unknown("an element".to_owned()),
        })
    }

    fn arguments(&mut self) -> Result<Vec<(String, Expression)>, String> {
        let mut arguments = Vec::new();
        while !self.take_op(")") {
            let name = match &self.tokens[self.at..] {
                [Token { kind: Kind::Name(name), .. }, Token { kind: Kind::Op("="), .. }, ..] => {
                    self.at += 2;
                    name.clone()
                }
                // `*list`, `**dictionary`
                _ if self.take_op("*") => "*".to_owned(),
                _ if self.take_op("**") => "**".to_owned(),
                _ => String::new(),
            };
            let value = self.expression()?;
            let value = if self.is_name("for") { self.comprehension(None, value)? } else { value };
            arguments.push((name, value));
            if !self.take_op(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    /// Reads the clauses of a comprehension after its body.
    fn comprehension(&mut self, key: Option<Expression>, body: Expression) -> Result<Expression, String> {
        let mut clauses = Vec::new();
        loop {
            link(&mut clauses.len())?;
            if self.take_name("for") {
                let names = self.names()?;
                clauses.push(Clause::For(names, self.chain(0)?));
            } else if self.take_name("if") {
                clauses.push(Clause::If(self.chain(0)?));
            } else {
                break;
            }
        }
        Ok(Expression::Comprehension { key: key.map(Box::new), body: Box::new(body), clauses })
    }

    fn primary(&mut self) -> Result<Expression, String> {
        let Some(token) = self.peek() else { return Err("the file ends too early".to_owned()) };
        self.at += 1;
        Ok(match &token.kind {
            Kind::Text(text) => {
                let mut text = text.clone();
                // Adjacent literals are one text.
                while let Some(Token { kind: Kind::Text(more), .. }) = self.peek() {
                    text += more;
                    self.at += 1;
                }
                Expression::Value(Value::Text(text))
            }
            Kind::Number(number) => Expression::Value(Value::Number(*number)),
            Kind::Name(name) => match name.as_str() {
                "None" => Expression::Value(Value::NONE),
                "True" => Expression::Value(Value::bool(true)),
                "False" => Expression::Value(Value::bool(false)),
                "lambda" => return Err("a function without a name is left out".to_owned()),
                name => Expression::Name(name.to_owned()),
            },
            Kind::Op("[") => self.list("]", true)?,
            Kind::Op("(") => self.list(")", false)?,
            Kind::Op("{") => self.dict()?,
            Kind::Op(op) => return Err(format!("'{}' is not expected here", op.escape_debug())),
            Kind::Other(char) => return Err(format!("'{}' is not expected here", char.escape_debug())),
        })
    }

    /// Reads a list, a tuple or an expression in brackets.
    fn list(&mut self, end: &str, is_list: bool) -> Result<Expression, String> {
        let mut values = Vec::new();
        let mut has_comma = false;
        while !self.take_op(end) {
            let value = self.expression()?;
            if self.is_name("for") {
                let value = self.comprehension(None, value)?;
                self.expect(end)?;
                return Ok(value);
            }
            values.push(value);
            if self.take_op(",") {
                has_comma = true;
            } else {
                self.expect(end)?;
                break;
            }
        }
        match values.pop() {
            Some(value) if !is_list && !has_comma => Ok(value),
            last => {
                values.extend(last);
                Ok(Expression::List(values))
            }
        }
    }

    fn dict(&mut self) -> Result<Expression, String> {
        let mut entries = Vec::new();
        while !self.take_op("}") {
            let key = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            if self.is_name("for") {
                let value = self.comprehension(Some(key), value)?;
                self.expect("}")?;
                return Ok(value);
            }
            entries.push((key, value));
            if !self.take_op(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Expression::Dict(entries))
    }
}

/// Counts a link of a chain such as `a + b + c`, whose tree is nested.
fn link(links: &mut usize) -> Result<(), String> {
    *links += 1;
    if *links > MOST_LINKS { Err(TOO_DEEP.to_owned()) } else { Ok(()) }
}
