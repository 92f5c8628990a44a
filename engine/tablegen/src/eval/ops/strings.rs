//! Strings: `!strconcat !interleave !find !substr !tolower !toupper !match !repr`. Lengths and places count bytes.

use std::rc::Rc;

use super::{Binary, Completeness, Evaluator, Folded, Folding, Form, Operands, Operator};
use crate::{
    eval::Parsed,
    limits,
    record::{Init, InitId, OperatorId, StrId, TypeId, print},
    regex::{self, Refusal, Regex},
    span::Span,
    syntax::TokenKind,
    text,
};
use odsmith_release::Change;

/// `!strconcat(a, b, ...)`, also the `#` between strings.
pub(super) const STRCONCAT: Operator = Operator::new(
    "strconcat",
    Form::Binary(Binary {
        result: Some(TypeId::STRING),
        operands: Operands::All(TypeId::STRING),
        nests: true,
    }),
    |cx, folding| match cx.two_strings(folding) {
        Some((a, b)) => cx.concat(folding.operands, a, &[b]).map(Some),
        None => Ok(None),
    },
)
.pure();

impl Evaluator<'_> {
    /// Joins the parts of a `!strconcat`, whose texts these are, to one value.
    pub(in crate::eval) fn concat(
        &mut self,
        parts: &[InitId],
        first: StrId,
        others: &[StrId],
    ) -> Parsed<InitId> {
        let length = others.iter().fold(self.str(first).len(), |sum, &other| sum + self.str(other).len());
        self.metered(|meter, here| meter.string(here, length))?;
        let mut joined = self.keeper.arena.join(first, others);
        if !text::is_well_formed(self.str(joined)) {
            let whole = text::rejoined(self.str(joined).to_owned());
            joined = self.keeper.arena.string(&whole);
        }
        let is_code = parts.iter().any(|&part| matches!(self.keeper.arena.init(part), Init::Code(_)));
        Ok(self.keeper.arena.intern(if is_code { Init::Code(joined) } else { Init::String(joined) }))
    }

    /// Creates a string value, if the meter allows it.
    pub(in crate::eval) fn new_string(&mut self, text: &str, is_code: bool) -> Parsed<InitId> {
        self.metered(|meter, here| meter.string(here, text.len()))?;
        let id = self.keeper.arena.string(text);
        Ok(self.keeper.arena.intern(if is_code { Init::Code(id) } else { Init::String(id) }))
    }

    pub(super) fn bytes_of(&self, id: StrId) -> Vec<u8> {
        text::decode(self.str(id).to_owned())
    }
}

/// `!interleave(list, separator)`: the items as one text.
pub(super) const INTERLEAVE: Operator = Operator::new(
    "interleave",
    Form::Binary(Binary { result: Some(TypeId::STRING), operands: Operands::Interleave, nests: false }),
    |cx, folding| {
        let Init::List(_, seq) = cx.keeper.arena.init(folding.operands[0]) else { return Ok(None) };
        let Some(separator) = cx.string_of(folding.operands[1]) else { return Ok(None) };
        let items: Vec<InitId> = cx.keeper.arena.seq(seq).collect();
        let mut joined = String::new();
        // The reference starts from the first item's text alone.
        let is_code = items.iter().skip(1).any(|&item| matches!(cx.keeper.arena.init(item), Init::Code(_)));
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                joined.push_str(cx.str(separator));
            }
            match (cx.string_of(item), cx.int_of(item)) {
                (Some(text), _) => joined.push_str(cx.str(text)),
                (None, Some(int)) => joined.push_str(&int.to_string()),
                (None, None) => return Ok(None),
            }
            cx.metered(|meter, here| meter.charge(here, 1))?;
            if joined.len() as u64 > cx.meter.limits().string_bytes {
                break;
            }
        }
        cx.new_string(&text::rejoined(joined), is_code).map(Some)
    },
);

/// `!find(text, part[, start])`: the offset of `part`, or -1.
pub(super) const FIND: Operator =
    Operator::new("find", Form::Special(read_find), fold_find).complete(Completeness::OfOperands);

fn read_find(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    _: Span,
    wanted: Option<TypeId>,
) -> Parsed<InitId> {
    cx.expect(TokenKind::LParen, "expected '(' after !find operator")?;
    let text = cx.value(None)?;
    cx.expect(TokenKind::Comma, "expected ',' in !find operator")?;
    let part_span = cx.token.span;
    let part = cx.value(None)?;
    let mut last_span = cx.token.span;
    let mut start = cx.keeper.arena.int(0);
    if cx.eat(TokenKind::Comma) {
        last_span = cx.token.span;
        start = cx.value(None)?;
    }
    cx.expect(TokenKind::RParen, "expected ')' in !find operator")?;
    let here = cx.token.span;
    // The error is reported, and reading continues.
    let _ = cx.check_wanted(TypeId::INT, wanted, last_span);
    cx.check_argument(text, TypeId::STRING, "string", here)?;
    cx.check_argument(part, TypeId::STRING, "string", part_span)?;
    cx.check_argument(start, TypeId::INT, "int", here)?;
    cx.fold_now(operator, TypeId::INT, &[text, part, start])
}

impl Evaluator<'_> {
    /// Fails if an operator's result cannot have the type wanted here.
    pub(super) fn check_wanted(&mut self, result: TypeId, wanted: Option<TypeId>, span: Span) -> Parsed<()> {
        match wanted {
            Some(wanted) if !self.is_convertible(result, wanted) => {
                let message = format!(
                    "expected value of type '{}', got '{}'",
                    self.show_type(wanted),
                    self.show_type(result)
                );
                self.fail(span, message)
            }
            _ => Ok(()),
        }
    }

    /// Fails if an operand has another type.
    fn check_argument(&mut self, operand: InitId, ty: TypeId, name: &str, span: Span) -> Parsed<()> {
        match self.type_of(operand) {
            Some(own) if own == ty => Ok(()),
            Some(own) => {
                let message = format!("expected {name}, got type '{}'", self.show_type(own));
                self.fail(span, message)
            }
            // An unset operand may still get a value.
            None => Ok(()),
        }
    }
}

fn fold_find(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let Some((text, part)) = cx.two_strings(folding) else { return Ok(None) };
    let Some(start) = cx.int_of(folding.operands[2]) else { return Ok(None) };
    let (text, part) = (cx.bytes_of(text), cx.bytes_of(part));
    let Some(from) = usize::try_from(start).ok().filter(|&from| from <= text.len()) else {
        let message = format!("!find start position is out of range 0...{}: {start}", text.len());
        cx.fold_error(folding, message)?;
        return Ok(Some(cx.keeper.arena.int(-1)));
    };
    let found = memchr::memmem::find(&text[from..], &part).map_or(-1, |at| (from + at) as i64);
    Ok(Some(cx.keeper.arena.int(found)))
}

/// `!substr(text, start[, length])`.
pub(super) const SUBSTR: Operator =
    Operator::new("substr", Form::Special(read_substr), fold_substr).complete(Completeness::OfOperands);

fn read_substr(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    _: Span,
    wanted: Option<TypeId>,
) -> Parsed<InitId> {
    cx.expect(TokenKind::LParen, "expected '(' after !substr operator")?;
    let text = cx.value(None)?;
    cx.expect(TokenKind::Comma, "expected ',' in !substr operator")?;
    let start_span = cx.token.span;
    let start = cx.value(None)?;
    let mut last_span = cx.token.span;
    let mut length = cx.keeper.arena.int(i64::MAX);
    if cx.eat(TokenKind::Comma) {
        last_span = cx.token.span;
        length = cx.value(None)?;
    }
    cx.expect(TokenKind::RParen, "expected ')' in !substr operator")?;
    let here = cx.token.span;
    let _ = cx.check_wanted(TypeId::STRING, wanted, last_span);
    cx.check_argument(text, TypeId::STRING, "string", here)?;
    cx.check_argument(start, TypeId::INT, "int", start_span)?;
    cx.check_argument(length, TypeId::INT, "int", here)?;
    cx.fold_now(operator, TypeId::STRING, &[text, start, length])
}

fn fold_substr(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let [text, start, length] = folding.operands else { return Ok(None) };
    let (Some(text), Some(start), Some(length)) =
        (cx.string_of(*text), cx.int_of(*start), cx.int_of(*length))
    else {
        return Ok(None);
    };
    let bytes = cx.bytes_of(text);
    let from = usize::try_from(start).ok().filter(|&from| from <= bytes.len());
    if from.is_none() {
        let message = format!("!substr start position is out of range 0...{}: {start}", bytes.len());
        cx.fold_error(folding, message)?;
    }
    if length < 0 {
        cx.fold_error(folding, "!substr length must be nonnegative".to_owned())?;
    }
    let Some(from) = from else { return cx.new_string("", false).map(Some) };
    let end = from.saturating_add(usize::try_from(length).unwrap_or(usize::MAX)).min(bytes.len());
    let part = text::encode(bytes[from..end].to_vec());
    let is_code = matches!(cx.keeper.arena.init(folding.operands[0]), Init::Code(_));
    cx.new_string(&part, is_code).map(Some)
}

const fn letters(name: &'static str, fold: super::Fold) -> Operator {
    Operator::new(name, Form::Unary(|_, _| Ok(TypeId::STRING)), fold)
}

/// `!tolower(text)`, ASCII letters only.
pub(super) const TOLOWER: Operator = letters("tolower", |cx, folding| {
    let Some(text) = cx.string_of(folding.operands[0]) else { return Ok(None) };
    let lower = cx.str(text).to_ascii_lowercase();
    cx.new_string(&lower, false).map(Some)
})
.since(Change::RangesAndDagParts);

/// `!toupper(text)`, ASCII letters only.
pub(super) const TOUPPER: Operator = letters("toupper", |cx, folding| {
    let Some(text) = cx.string_of(folding.operands[0]) else { return Ok(None) };
    let upper = cx.str(text).to_ascii_uppercase();
    cx.new_string(&upper, false).map(Some)
})
.since(Change::RangesAndDagParts);

/// `!match(text, regex)`: whether the regular expression (POSIX, extended) is found anywhere in the text.
pub(super) const MATCH: Operator = Operator::new(
    "match",
    Form::Binary(Binary { result: Some(TypeId::BIT), operands: Operands::All(TypeId::STRING), nests: false }),
    |cx, folding| {
        let Some((text, pattern)) = cx.two_strings(folding) else { return Ok(None) };
        let regex = cx.regex(pattern)?;
        let is_found = cx.is_match(&regex, text)?;
        Ok(Some(InitId::bit(is_found)))
    },
)
.since(Change::InstancesAndMatch);

impl Evaluator<'_> {
    /// Returns the regular expression with this text; an invalid one ends evaluation.
    pub(super) fn regex(&mut self, pattern: StrId) -> Parsed<Rc<Regex>> {
        if let Some((last, regex)) = &self.last_regex
            && *last == pattern
        {
            return Ok(Rc::clone(regex));
        }
        let bytes = self.bytes_of(pattern);
        self.metered(|meter, here| meter.charge(here, bytes.len() as u64 / 16))?;
        let regex = match Regex::new(&bytes) {
            Ok(regex) => Rc::new(regex),
            Err(Refusal::Invalid) => {
                let message = format!("invalid regex '{}'", self.str(pattern));
                return self.fatal(Span::NONE, message);
            }
            Err(Refusal::TooLong) => {
                let error =
                    limits::over(self.token.span, "regular expression", regex::MAX_STEPS as u64, "steps");
                return self.reported(Err(error));
            }
        };
        self.metered(|meter, here| meter.charge(here, regex.work()))?;
        self.last_regex = Some((pattern, Rc::clone(&regex)));
        Ok(regex)
    }

    /// Returns true if it is found in this text.
    pub(super) fn is_match(&mut self, regex: &Regex, text: StrId) -> Parsed<bool> {
        let bytes = self.bytes_of(text);
        let span = self.token.span;
        let found = regex.is_match(&bytes, &mut |units| self.meter.charge(span, units));
        self.reported(found)
    }
}

/// `!repr(x)`: the value as it is printed; a record with all its fields.
pub(super) const REPR: Operator =
    Operator::new("repr", Form::Unary(|_, _| Ok(TypeId::STRING)), |cx, folding| {
        let operand = folding.operands[0];
        let mut text = String::new();
        let printed = match cx.keeper.arena.init(operand) {
            Init::Def(record) => print::record(&cx.keeper, record, &mut text),
            _ if cx.keeper.arena.is_closed(operand) => {
                print::init(&cx.keeper, operand, &mut text);
                print::follows(&cx.keeper, cx.token.span, operand)
                    .and_then(|()| print::fits(&cx.keeper, cx.token.span, text.len()))
            }
            _ => return Ok(None),
        };
        cx.reported(printed)?;
        cx.new_string(&text, false).map(Some)
    })
    .since(Change::DumpAndRepr);
