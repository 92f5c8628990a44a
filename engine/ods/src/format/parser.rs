//! The grammar that the formats of operations, attributes and types share.

use super::{
    Clause, Custom, Element, FormatError, OptionalGroup, TypeOf, Whitespace,
    lexer::{Kind, Lexer, Token},
};
use odsmith_release::{Change, Rules, spellings};

/// The context in which an element appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// In the format itself, in a group or in a list.
    TopLevel,
    /// As a parameter of a custom directive.
    Custom,
    /// In `ref`.
    Ref,
    /// In `struct`.
    Struct,
    /// In `type` or `functional-type`.
    Type,
}

type Result<T> = std::result::Result<T, FormatError>;

/// The rules of formats that differ between operations and attributes or types.
pub(super) trait Meaning<'a>: Sized {
    /// True if formats have `oilist`.
    const HAS_OILIST: bool;
    /// True if an anchor in the second branch of a group must meet the requirements of an anchor. The reference does
    /// not check this for operations.
    const CHECKS_INVERTED_ANCHOR: bool;
    /// Returns the element for a variable.
    fn variable(&mut self, name: &'a str, at: usize, context: Context) -> Result<Element<'a>>;
    /// Reads a directive that [`Parser`] does not know; its name has been read.
    fn directive(
        parser: &mut Parser<'a, '_, Self>,
        token: Token<'a>,
        context: Context,
    ) -> Result<Element<'a>>;
    /// Returns whether formats have optional groups and custom directives.
    fn has_groups(_: &Rules) -> bool {
        true
    }
    /// Returns the error for a `ref` outside a custom directive.
    fn stray_reference(_: &Rules) -> &'static str {
        "'ref' is only valid within a `custom` directive"
    }
    /// Marks the element in `qualified` as such.
    fn qualified(element: Element<'a>, at: usize) -> Result<Element<'a>>;
    /// Checks the kind of a parameter of a custom directive.
    fn check_parameter(&self, _: &Element<'a>, _: usize) -> Result<()> {
        Ok(())
    }
    /// Checks the parameters of a custom directive.
    fn check_custom(&self, parameters: &[Element<'a>], at: usize) -> Result<()>;
    /// Checks an element of an optional group.
    fn check_optional(&self, element: &Element<'a>, is_anchor: bool, at: usize) -> Result<()>;
    /// Checks an element of an `oilist`.
    fn check_oilist(&self, element: &Element<'a>, at: usize) -> Result<()>;
}

/// The parser of a format.
pub(super) struct Parser<'a, 'm, M> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    pub(super) meaning: &'m mut M,
    errors: Vec<FormatError>,
    nesting: usize,
    rules: Rules,
}

/// Maximum nesting of groups and directives.
const MAX_NESTING: usize = 200;

impl<'a, 'm, M: Meaning<'a>> Parser<'a, 'm, M> {
    /// Reads a whole format. Returns its elements and the position of its first token.
    pub(super) fn parse(
        text: &'a str,
        rules: &Rules,
        meaning: &'m mut M,
    ) -> std::result::Result<(Vec<Element<'a>>, usize), Vec<FormatError>> {
        let mut lexer = Lexer::new(text, rules);
        let mut errors = Vec::new();
        let token = lexer.next(&mut errors);
        let mut parser = Parser { lexer, token, meaning, errors, nesting: 0, rules: *rules };
        let start = token.at;
        let mut elements = Vec::new();
        while parser.token.kind != Kind::End {
            match parser.element(Context::TopLevel) {
                Ok(element) => elements.push(element),
                Err(error) => {
                    parser.errors.push(error);
                    return Err(parser.errors);
                }
            }
        }
        Ok((elements, start))
    }

    /// Records an error that leads to another one.
    pub(super) fn note(&mut self, error: FormatError) {
        self.errors.push(error);
    }

    /// Consumes this punctuation if it comes next, and returns whether it did.
    pub(super) fn eat_punctuation(&mut self, punctuation: u8) -> bool {
        self.eat(Kind::Punctuation(punctuation)).is_some()
    }

    fn advance(&mut self) {
        self.token = self.lexer.next(&mut self.errors);
    }

    /// Consumes and returns the current token if it is of this kind.
    fn eat(&mut self, kind: Kind) -> Option<Token<'a>> {
        let token = self.token;
        (token.kind == kind).then(|| {
            self.advance();
            token
        })
    }

    /// Consumes punctuation, or fails with `message` at the current token.
    pub(super) fn expect(&mut self, punctuation: u8, message: &str) -> Result<()> {
        match self.eat(Kind::Punctuation(punctuation)) {
            Some(_) => Ok(()),
            None => Err(FormatError::new(self.token.at, message)),
        }
    }

    /// Reads one element.
    pub(super) fn element(&mut self, context: Context) -> Result<Element<'a>> {
        if self.nesting >= MAX_NESTING {
            return Err(FormatError::new(self.token.at, "elements are nested too deeply"));
        }
        self.nesting += 1;
        let element = self.element_of(self.token, context);
        self.nesting -= 1;
        element
    }

    fn element_of(&mut self, token: Token<'a>, context: Context) -> Result<Element<'a>> {
        let Token { kind, at, text } = token;
        match kind {
            Kind::Literal => self.literal(context),
            Kind::String => {
                self.advance();
                if context != Context::Custom {
                    return Err(FormatError::new(
                        at,
                        "strings may only be used as 'custom' directive arguments",
                    ));
                }
                Ok(Element::Code(unescape(text.get(1..text.len() - 1).unwrap_or_default())))
            }
            Kind::Variable => {
                self.advance();
                self.meaning.variable(&text[1..], at, context)
            }
            Kind::Keyword => {
                self.advance();
                self.directive(token, context)
            }
            Kind::Punctuation(b'(') => {
                if context != Context::TopLevel {
                    let message = "optional groups can only be used as top-level elements";
                    return Err(FormatError::new(at, message));
                }
                self.advance();
                self.optional_group(at)
            }
            Kind::End | Kind::Error | Kind::Identifier | Kind::Punctuation(_) => {
                Err(FormatError::new(at, spellings::not_an_element.of(&self.rules)))
            }
        }
    }

    fn literal(&mut self, context: Context) -> Result<Element<'a>> {
        let Token { at, text, .. } = self.token;
        if context != Context::TopLevel {
            return Err(FormatError::new(at, spellings::nested_literal.of(&self.rules)));
        }
        self.advance();
        Ok(match text.get(1..text.len() - 1).unwrap_or_default() {
            "" => Element::Whitespace(Whitespace::None),
            " " => Element::Whitespace(Whitespace::Space),
            "\\n" => Element::Whitespace(Whitespace::Newline),
            literal => match literal_error(literal, &self.rules) {
                None => Element::Literal(literal),
                Some(_) if !self.rules.has(Change::ExplainedFormats) => {
                    return Err(FormatError::new(at, "expected valid literal"));
                }
                Some(wrong) => {
                    let message = format!("expected valid literal but got '{literal}': {wrong}");
                    return Err(FormatError::new(at, message));
                }
            },
        })
    }

    fn directive(&mut self, token: Token<'a>, context: Context) -> Result<Element<'a>> {
        match token.text {
            "custom" => self.custom(token.at, context),
            "oilist" if M::HAS_OILIST => self.oilist(token.at, context),
            "qualified" => self.qualified(token.at, context),
            "ref" if M::has_groups(&self.rules) => self.reference(token.at, context),
            _ => M::directive(self, token, context),
        }
    }

    /// Reads a parameter of a custom directive. Early releases check its kind before they read on.
    fn parameter(&mut self) -> Result<Element<'a>> {
        let at = self.token.at;
        let parameter = self.element(Context::Custom)?;
        if !self.rules.has(Change::ExplainedFormats) {
            self.meaning.check_parameter(&parameter, at)?;
        }
        Ok(parameter)
    }

    fn custom(&mut self, at: usize, context: Context) -> Result<Element<'a>> {
        let may_be_in_struct = self.rules.has(Change::CustomInStructs);
        if context != Context::TopLevel && !(may_be_in_struct && context == Context::Struct) {
            let message = match may_be_in_struct {
                true => "`custom` can only be used at the top-level context or within a `struct` directive",
                false => "'custom' is only valid as a top-level directive",
            };
            return Err(FormatError::new(at, message));
        }
        let bracket = self.token.at;
        self.expect(b'<', "expected '<' before custom directive name")?;
        let Some(name) = self.eat(Kind::Identifier) else {
            return Err(FormatError::new(self.token.at, "expected custom directive name identifier"));
        };
        self.expect(b'>', "expected '>' after custom directive name")?;
        self.expect(b'(', "expected '(' before custom directive parameters")?;
        let mut parameters = vec![self.parameter()?];
        while self.eat(Kind::Punctuation(b',')).is_some() {
            parameters.push(self.parameter()?);
        }
        self.expect(b')', "expected ')' after custom directive parameters")?;
        let at = if self.rules.has(Change::ExplainedFormats) { at } else { bracket };
        self.meaning.check_custom(&parameters, at)?;
        Ok(Element::Custom(Custom { name: name.text, parameters }))
    }

    fn oilist(&mut self, at: usize, context: Context) -> Result<Element<'a>> {
        let separator = match self.rules.has(Change::OilistSeparators) {
            true => self.separator()?,
            false => None,
        };
        self.expect(b'(', "expected '(' before oilist argument list")?;
        let mut clauses = Vec::new();
        loop {
            let first = self.token;
            if first.kind != Kind::Literal {
                // The reference reads the next token, and reports an error in it, before it rejects this one.
                self.advance();
                let message = format!("expected literal, but got '{}'", first.text);
                return Err(FormatError::new(first.at, message));
            }
            let keyword = Box::new(self.element(context)?);
            let mut elements = Vec::new();
            while !matches!(self.token.kind, Kind::Punctuation(b'|' | b')')) {
                let element = self.element(context)?;
                self.meaning.check_oilist(&element, at)?;
                elements.push(element);
            }
            clauses.push(Clause { keyword, elements, separator });
            if self.eat(Kind::Punctuation(b')')).is_some() {
                break;
            }
            self.advance();
        }
        Ok(Element::OiList(clauses))
    }

    /// Reads the separator of the clauses of an `oilist`, if there is one.
    fn separator(&mut self) -> Result<Option<&'a str>> {
        if self.eat(Kind::Punctuation(b'<')).is_none() {
            return Ok(None);
        }
        let Token { kind, at, text } = self.token;
        if kind != Kind::Literal {
            self.advance();
            return Err(FormatError::new(at, format!("expected literal, but got '{text}'")));
        }
        let Element::Literal(separator) = self.literal(Context::TopLevel)? else {
            return Err(FormatError::new(at, "oilist separator must be a non-whitespace literal"));
        };
        self.expect(b'>', "expected '>' after oilist separator")?;
        Ok(Some(separator))
    }

    fn qualified(&mut self, at: usize, context: Context) -> Result<Element<'a>> {
        self.expect(b'(', "expected '(' before argument list")?;
        let element = self.element(context)?;
        self.expect(b')', "expected ')' after argument list")?;
        M::qualified(element, at)
    }

    fn reference(&mut self, at: usize, context: Context) -> Result<Element<'a>> {
        if context != Context::Custom {
            return Err(FormatError::new(at, M::stray_reference(&self.rules)));
        }
        self.expect(b'(', "expected '(' before argument list")?;
        let element = self.element(Context::Ref)?;
        self.expect(b')', "expected ')' after argument list")?;
        Ok(Element::Ref(Box::new(element)))
    }

    /// Reads the operand of `type(…)`. Returns also the position of errors about it: `directive`, or its own.
    pub(super) fn type_operand(&mut self, directive: usize) -> Result<(TypeOf<'a>, usize)> {
        let at = self.token.at;
        let place = if self.rules.has(Change::ExplainedFormats) { directive } else { at };
        match self.element(Context::Type)? {
            Element::Variable(variable) => Ok((TypeOf::Variable(variable), place)),
            Element::Operands => Ok((TypeOf::Operands, place)),
            Element::Results => Ok((TypeOf::Results, place)),
            _ => Err(FormatError::new(at, "unknown 'type' directive argument")),
        }
    }

    fn optional_group(&mut self, at: usize) -> Result<Element<'a>> {
        let mut anchor = None;
        let then = self.group_elements(&mut anchor, false)?;
        let mut otherwise = Vec::new();
        if self.eat(Kind::Punctuation(b':')).is_some() {
            self.expect(b'(', "expected '(' to start else branch of optional group")?;
            otherwise = self.group_elements(&mut anchor, true)?;
        }
        self.expect(b'?', "expected '?' after optional group")?;
        let Some((anchor, is_inverted)) = anchor else {
            return Err(FormatError::new(at, spellings::no_anchor.of(&self.rules)));
        };
        let group = OptionalGroup { then, otherwise, anchor, is_inverted };
        if self.rules.has(Change::ExplainedFormats) {
            self.check_group(&group, at)?;
        }
        let is_fine = match group.then.get(group.first_parsed()) {
            Some(Element::Literal(_) | Element::Variable(_)) => true,
            Some(Element::Custom(_)) => self.rules.has(Change::CustomAnchors),
            _ => false,
        };
        if !is_fine {
            let message = spellings::first_of_group.of(&self.rules);
            return Err(FormatError::new(at, message));
        }
        Ok(Element::Optional(group))
    }

    /// Checks the elements of a group that has been read.
    fn check_group(&self, group: &OptionalGroup<'a>, at: usize) -> Result<()> {
        for (elements, is_otherwise) in [(&group.then, false), (&group.otherwise, true)] {
            for (index, element) in elements.iter().enumerate() {
                let is_anchor = index == group.anchor
                    && is_otherwise == group.is_inverted
                    && (M::CHECKS_INVERTED_ANCHOR || !group.is_inverted);
                self.meaning.check_optional(element, is_anchor, at)?;
            }
        }
        Ok(())
    }

    fn group_elements(
        &mut self,
        anchor: &mut Option<(usize, bool)>,
        is_otherwise: bool,
    ) -> Result<Vec<Element<'a>>> {
        let mut elements = Vec::new();
        let checks_at_once = !self.rules.has(Change::ExplainedFormats);
        let may_have_anchor = !is_otherwise || self.rules.has(Change::TextsInFormats);
        loop {
            let start = self.token.at;
            let element = self.element(Context::TopLevel)?;
            let at = if checks_at_once { start } else { self.token.at };
            let is_anchor = may_have_anchor && self.eat(Kind::Punctuation(b'^')).is_some();
            if checks_at_once {
                self.meaning.check_optional(&element, is_anchor, start)?;
            }
            elements.push(element);
            if is_anchor && anchor.replace((elements.len() - 1, is_otherwise)).is_some() {
                let message = "only one element can be marked as the anchor of an optional group";
                return Err(FormatError::new(at, message));
            }
            if self.eat(Kind::Punctuation(b')')).is_some() {
                return Ok(elements);
            }
        }
    }
}

/// Returns the reason why a text cannot be a literal.
fn literal_error(literal: &str, rules: &Rules) -> Option<&'static str> {
    const PUNCTUATION: &[u8] = b"_:,=<>()[]{}?+*";
    let bytes = literal.as_bytes();
    if let [only] = bytes {
        let has_minus = rules.has(Change::MinusLiteral);
        let is_fine = only.is_ascii_alphabetic() || PUNCTUATION.contains(only) || has_minus && *only == b'-';
        return (!is_fine).then_some(match has_minus {
            true => "single character literal must be a letter or one of '_:,=<>()[]{}?+-*'",
            false => "single character literal must be a letter or one of '_:,=<>()[]{}?+*'",
        });
    }
    if literal == "->" || literal == "..." && rules.has(Change::TextsInFormats) {
        return None;
    }
    if !bytes.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') {
        return Some("valid keyword starts with a letter or '_'");
    }
    let is_fine = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let is_keyword = bytes.iter().all(is_fine);
    (!is_keyword).then_some("keywords should contain only alphanum, '_', '$', or '.' characters")
}

/// Removes all backslashes, not only those before quotes.
fn unescape(text: &str) -> String {
    text.replace('\\', "")
}
