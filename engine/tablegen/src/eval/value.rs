//! Values: sections "Values and Expressions", "Suffixed Values", "Simple values" and "The paste operator" of the
//! manual.

use smallvec::{SmallVec, smallvec};

use super::{Evaluator, Parsed, Reported, ops, resolve::Few, type_rules::bit_of_int};
use crate::record::record::Kind;
use crate::{
    diagnostic::{Diagnostic, Id},
    record::{Field, Init, InitId, RecordId, StrId, Type, TypeId, operator::Completeness},
    span::Span,
    syntax::{Keyword, TokenKind},
};
use odsmith_release::Change;

/// The treatment of an identifier that is unknown in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A global or a record; else an error.
    Value,
    /// Itself: names of records, and the right side of `#`. A `{` ends such a value.
    Name,
}

impl Evaluator<'_> {
    /// Reads a value; `wanted` is the type expected at its place, if that is known.
    pub(super) fn value(&mut self, wanted: Option<TypeId>) -> Parsed<InitId> {
        self.value_in(wanted, Mode::Value)
    }

    /// Reads a value with its suffixes and pastes.
    pub(super) fn value_in(&mut self, wanted: Option<TypeId>, mode: Mode) -> Parsed<InitId> {
        self.nested(self.token.span, |cx| {
            let span = cx.token.span;
            let mut value = cx.simple_value(wanted, mode)?;
            loop {
                value = match cx.kind() {
                    TokenKind::LBrace if mode == Mode::Value => cx.bit_suffix(value)?,
                    TokenKind::LSquare => cx.list_suffix(value, span)?,
                    TokenKind::Dot => cx.field_suffix(value)?,
                    TokenKind::Paste => cx.paste(value, wanted)?,
                    _ => return Ok(value),
                };
            }
        })
    }

    // --- suffixes -----------------------------------------------------------------------------------------

    /// Reads `value{3-0}`.
    fn bit_suffix(&mut self, value: InitId) -> Parsed<InitId> {
        let span = self.token.span;
        self.advance();
        let ranges = self.read_ranges()?;
        let Some(bits) = self.bits_at(value, &ranges) else {
            return self.fail(span, "Invalid bit range for value");
        };
        self.expect(TokenKind::RBrace, "expected '}' at end of bit range list")?;
        Ok(bits)
    }

    /// Returns these bits of a value, if its type has them.
    fn bits_at(&mut self, value: InitId, indices: &[u32]) -> Option<InitId> {
        let width =
            match (self.keeper.arena.init(value), self.type_of(value).map(|own| self.keeper.arena.ty(own))) {
                (Init::Int(_), _) => 64,
                (_, Some(Type::Bits(width))) => width,
                _ => return None,
            };
        if indices.iter().any(|&index| index >= width) {
            return None;
        }
        // The first index of the list is the highest bit of the result.
        let bits: Vec<InitId> = indices.iter().rev().map(|&index| self.bit_of(value, index)).collect();
        Some(self.keeper.arena.bits(&bits))
    }

    /// Reads `3-0, 7`: the indices in the order they are written.
    pub(super) fn read_ranges(&mut self) -> Parsed<Vec<u32>> {
        let mut ranges = Vec::new();
        loop {
            self.read_range(&mut ranges)?;
            if !self.eat(TokenKind::Comma) {
                return Ok(ranges);
            }
        }
    }

    /// Reads `7`, `3-0` or `3...0`.
    pub(super) fn read_range(&mut self, indices: &mut Vec<u32>) -> Parsed<()> {
        let first = match self.range_end() {
            Ok(first) => match self.keeper.arena.init(first) {
                Init::Int(first) => first,
                _ => return self.fail_here("expected integer or bitrange"),
            },
            Err(Reported) => return self.fail_here("expected integer or bitrange"),
        };
        self.read_range_from(first, indices)
    }

    /// Reads one end of a range, with the current def hidden.
    fn range_end(&mut self) -> Parsed<InitId> {
        if !self.keeper.rules.has(Change::NamedArguments) {
            return self.without_members(|cx| cx.value(None));
        }
        let outer = self.record.take();
        let end = self.value(None);
        self.record = outer;
        end
    }

    /// Reads the rest of a range after its first integer.
    pub(super) fn read_range_from(&mut self, first: i64, indices: &mut Vec<u32>) -> Parsed<()> {
        if first < 0 {
            return self.fail_here("invalid range, cannot be negative");
        }
        let last = match self.kind() {
            TokenKind::DotDotDot | TokenKind::Minus => {
                self.advance();
                match self.range_end().map(|last| self.keeper.arena.init(last)) {
                    Ok(Init::Int(last)) => last,
                    _ => return self.fail_here("expected integer value as end of range"),
                }
            }
            // `5-4` is read as `5` and `-4`.
            TokenKind::Int => {
                let (negative, _) = self.tokens.int();
                self.advance();
                negative.wrapping_neg()
            }
            _ => first,
        };
        if last < 0 {
            return self.fail_here("invalid range, cannot be negative");
        }
        let span = self.token.span;
        let count = u64::try_from((last - first).abs()).unwrap_or(u64::MAX).saturating_add(1);
        self.metered(|meter, _| meter.list(span, count + indices.len() as u64))?;
        // Only the low 32 bits of big numbers count.
        let index = |number: i64| number as u32;
        if first <= last {
            indices.extend((first..=last).map(index))
        } else {
            indices.extend((last..=first).rev().map(index))
        }
        Ok(())
    }

    /// Reads `value[2]` or `value[1, 3...5]`.
    fn list_suffix(&mut self, value: InitId, value_span: Span) -> Parsed<InitId> {
        if !self.keeper.rules.has(Change::NamedArguments) {
            return self.known_list_suffix(value);
        }
        let Some(list_type) = self.type_of(value) else {
            return self.fail(value_span, "Invalid value, list expected");
        };
        let Some(element) = self.element_type(list_type) else {
            let message = format!("Type '{}' is invalid, list expected", self.show_type(list_type));
            return self.fail(value_span, message);
        };
        self.advance();
        let (indices, is_single) = self.read_slice()?;
        self.expect(TokenKind::RSquare, "expected ']' at end of list slice")?;
        if is_single {
            self.fold_now(ops::ELEMENT, element, &[value, indices])
        } else {
            self.fold_now(ops::SLICE, list_type, &[value, indices])
        }
    }

    /// Reads `value[2]` or `value[1, 3...5]` in releases in which indices had to be known: they are read as those of
    /// bits, and a slice is a list of elements.
    fn known_list_suffix(&mut self, value: InitId) -> Parsed<InitId> {
        let span = self.token.span;
        self.advance();
        let indices = self.read_ranges()?;
        let known = self.items_of(value).map(|items| items.len());
        let element = self.type_of(value).and_then(|own| self.element_type(own));
        let element = element.filter(|_| {
            // An unresolved list may become one of any length.
            indices.iter().all(|&index| known.is_none_or(|length| (index as usize) < length))
        });
        let Some(element) = element else { return self.fail(span, "Invalid range for list slice") };
        let mut items = Vec::with_capacity(indices.len());
        for &index in &indices {
            let index = self.keeper.arena.int(i64::from(index));
            items.push(self.fold_now(ops::ELEMENT, element, &[value, index])?);
        }
        let slice = match items.as_slice() {
            [item] => *item,
            items => self.new_list(element, items)?,
        };
        self.expect(TokenKind::RSquare, "expected ']' at end of list slice")?;
        Ok(slice)
    }

    /// Reads the indices inside `[…]`: one integer, or a list of them built up from pieces.
    fn read_slice(&mut self) -> Parsed<(InitId, bool)> {
        let ints = self.keeper.arena.list_type(TypeId::INT);
        // Runs of known indices become one list; lists that are values stay operands.
        let mut lists: Vec<InitId> = Vec::new();
        let mut run: Vec<InitId> = Vec::new();
        let mut is_single = true;
        loop {
            if !is_single && self.at(TokenKind::RSquare) {
                break;
            }
            let span = self.token.span;
            let first = self.value_in(None, Mode::Value)?;
            let own = self.type_of(first);
            let is_list = own.and_then(|own| self.element_type(own)) == Some(TypeId::INT);
            match self.kind() {
                TokenKind::DotDotDot | TokenKind::Minus => {
                    self.advance();
                    let last_span = self.token.span;
                    let last = self.value_in(None, Mode::Value)?;
                    self.check_range_end(last, last_span)?;
                    self.check_range_end(first, span)?;
                    lists.push(self.inclusive_range(first, last, ints)?);
                    is_single = false;
                    // Pieces keep their order.
                    if !run.is_empty() {
                        let known = self.keeper.arena.list(TypeId::INT, &std::mem::take(&mut run));
                        lists.insert(lists.len() - 1, known);
                    }
                }
                // `5-4` is read as `5` and `-4`.
                TokenKind::Int => {
                    let (negative, _) = self.tokens.int();
                    if negative > 0 {
                        return self.fail_here("invalid range, cannot be negative");
                    }
                    self.advance();
                    self.check_range_end(first, span)?;
                    let last = self.keeper.arena.int(negative.wrapping_neg());
                    if !run.is_empty() {
                        let known = self.keeper.arena.list(TypeId::INT, &std::mem::take(&mut run));
                        lists.push(known);
                    }
                    lists.push(self.inclusive_range(first, last, ints)?);
                    is_single = false;
                }
                _ if is_list => {
                    if !run.is_empty() {
                        let known = self.keeper.arena.list(TypeId::INT, &std::mem::take(&mut run));
                        lists.push(known);
                    }
                    lists.push(first);
                    is_single = false;
                }
                _ => match own {
                    Some(TypeId::INT) => run.push(first),
                    Some(list) if self.element_type(list).is_some() => {
                        let message = format!("expected list<int>, got {}", self.show_type(list));
                        return self.fail(span, message);
                    }
                    own => {
                        let shown = own.map_or_else(|| "?".to_owned(), |own| self.show_type(own));
                        return self.fail(span, format!("unhandled type {shown} in range"));
                    }
                },
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
            is_single = false;
        }
        if is_single && lists.is_empty() && run.len() == 1 {
            return Ok((run[0], true));
        }
        if !run.is_empty() || lists.is_empty() {
            lists.push(self.keeper.arena.list(TypeId::INT, &run));
        }
        let mut all = lists[0];
        for &list in &lists[1..] {
            all = self.fold_now(ops::LISTCONCAT, ints, &[all, list])?;
        }
        Ok((all, false))
    }

    fn check_range_end(&mut self, end: InitId, at: Span) -> Parsed<()> {
        match self.type_of(end) {
            Some(TypeId::INT) => Ok(()),
            own => {
                let shown = own.map_or_else(|| "?".to_owned(), |own| self.show_type(own));
                self.fail(at, format!("expected int...int, got {shown}"))
            }
        }
    }

    /// Returns the list of integers from one to another, both included, up or down.
    fn inclusive_range(&mut self, first: InitId, last: InitId, ints: TypeId) -> Parsed<InitId> {
        let (Some(from), Some(to)) = (self.int_of(first), self.int_of(last)) else {
            return Ok(self.keeper.arena.op(ops::RANGE_PIECE, ints, &[first, last]));
        };
        let step = if from <= to { 1 } else { -1 };
        let operands = [first, self.keeper.arena.int(to.saturating_add(step)), self.keeper.arena.int(step)];
        self.fold_now(ops::RANGE, ints, &operands)
    }

    /// Reads `value.field`.
    fn field_suffix(&mut self, value: InitId) -> Parsed<InitId> {
        self.advance();
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected field identifier after '.'");
        }
        let name = self.word();
        let span = self.token.span;
        let ty = match self.keeper.arena.init(value) {
            Init::Def(record) => self.keeper.record(record).field(name).map(|field| field.ty()),
            _ => match self.type_of(value) {
                Some(own) => self.field_type(own, name),
                None => None,
            },
        };
        let Some(ty) = ty else {
            let message = format!("Cannot access field '{}' of value '{}'", self.str(name), self.show(value));
            return self.fail_as(Id::FieldAccess, span, message);
        };
        self.note_field_of(span, value, name);
        self.advance();
        self.fold_field(value, name, ty, self.record)
    }

    /// Reads `left # right`: strings, or lists if the left side is one.
    fn paste(&mut self, left: InitId, wanted: Option<TypeId>) -> Parsed<InitId> {
        let paste_span = self.token.span;
        let Some(left_type) = self.type_of(left) else {
            return self.fail(paste_span, "LHS of paste is not typed!");
        };
        let ends = |cx: &Self| matches!(cx.kind(), TokenKind::Colon | TokenKind::Semi | TokenKind::LBrace);
        if self.element_type(left_type).is_some() {
            self.advance();
            if ends(self) {
                return Ok(left);
            }
            // A right side that is not a list stays symbolic, and is reported as unresolved.
            let right = self.value(wanted)?;
            return self.fold_now(ops::LISTCONCAT, left_type, &[left, right]);
        }
        let left = self.paste_operand(left)?;
        self.advance();
        let right = if ends(self) {
            self.keeper.arena.string_init("")
        } else {
            let right = self.value_in(None, Mode::Name)?;
            if self.type_of(right).is_none() {
                return self.fail(paste_span, "RHS of paste is not typed!");
            }
            self.paste_operand(right)?
        };
        self.fold_now(ops::STRCONCAT, TypeId::STRING, &[left, right])
    }

    /// Returns a value as an operand of a paste.
    fn paste_operand(&mut self, value: InitId) -> Parsed<InitId> {
        if self.type_of(value) == Some(TypeId::STRING) {
            return Ok(value);
        }
        self.fold_now(ops::CAST, TypeId::STRING, &[value])
    }

    // --- simple values ------------------------------------------------------------------------------------

    fn simple_value(&mut self, wanted: Option<TypeId>, mode: Mode) -> Parsed<InitId> {
        match self.kind() {
            TokenKind::Int => {
                let (int, _) = self.tokens.int();
                self.advance();
                Ok(self.keeper.arena.int(int))
            }
            TokenKind::Binary => {
                let (int, width) = self.tokens.int();
                self.advance();
                // Digits beyond those of an integer repeat the integer's bits, whatever their text.
                let bits: Vec<InitId> = (0..width).map(|index| bit_of_int(int, index % 64)).collect();
                Ok(self.keeper.arena.bits(&bits))
            }
            TokenKind::String => {
                let mut string = self.string_token()?;
                // Adjacent literals form one.
                while self.at(TokenKind::String) {
                    let more = self.string_token()?;
                    string = self.keeper.arena.join(string, &[more]);
                }
                Ok(self.keeper.arena.intern(Init::String(string)))
            }
            TokenKind::Code => {
                let id = self.word();
                self.advance();
                Ok(self.keeper.arena.intern(Init::Code(id)))
            }
            TokenKind::Question => {
                self.advance();
                Ok(InitId::UNSET)
            }
            // The words are integers; at a place of type `bit` they become bits.
            TokenKind::Keyword(word @ (Keyword::True | Keyword::False)) => {
                self.advance();
                Ok(self.keeper.arena.int(i64::from(word == Keyword::True)))
            }
            TokenKind::Id => self.identifier(mode),
            TokenKind::LBrace => self.bits_literal(),
            TokenKind::LSquare => self.list_literal(wanted),
            TokenKind::LParen => self.dag_literal(),
            TokenKind::Bang(operator) => self.read_operator(operator, wanted),
            _ => self.fail_here("Unknown or reserved token when parsing a value"),
        }
    }

    /// Interns the current string literal, if the meter allows it.
    fn string_token(&mut self) -> Parsed<StrId> {
        let length = self.tokens.text().len();
        self.metered(|meter, here| meter.string(here, length))?;
        let string = self.word();
        self.advance();
        Ok(string)
    }

    /// Reads a name, or an inline instance `Class<…>`.
    fn identifier(&mut self, mode: Mode) -> Parsed<InitId> {
        let name = self.word();
        let span = self.token.span;
        self.advance();
        // An identifier before `=` is the name of an argument.
        if self.at(TokenKind::Equal) && self.keeper.rules.has(Change::NamedArguments) {
            return Ok(self.keeper.arena.intern(Init::String(name)));
        }
        if !self.at(TokenKind::Less) {
            return self.named_value(name, span, mode);
        }
        let Some(class) = self.keeper.classes.get(name) else {
            let message = format!("Expected a class name, got '{}'", self.str(name));
            return self.fail_as(Id::UnknownClass, span, message);
        };
        self.note_record(span, class);
        self.advance();
        let mut arguments = self.read_arguments(class, span, true)?;
        if self.keeper.rules.has(Change::NamedArguments) {
            self.check_missing(class, &arguments, span)?;
        } else {
            self.fill_missing(class, &mut arguments, span);
        }
        self.fold_instance(class, &arguments, span)
    }

    fn named_value(&mut self, name: StrId, span: Span, mode: Mode) -> Parsed<InitId> {
        if let Some(record) = self.record {
            self.charge_search(record, span)?;
        }
        if let Some(value) = self.variable(name) {
            self.note_scoped(span, name);
            return Ok(value);
        }
        if mode == Mode::Name {
            return Ok(self.keeper.arena.intern(Init::String(name)));
        }
        if let Some(record) = self.keeper.defs.get(name) {
            self.note_record(span, record);
            return Ok(self.keeper.arena.intern(Init::Def(record)));
        }
        if let Some(value) = self.keeper.globals.get(name) {
            self.note_global_mention(span, name);
            return Ok(value);
        }
        // A def may mention itself; it is looked up when it is finished.
        if let Some(record) = self.record
            && self.keeper.record(record).kind == Kind::Def
            && self.multiclass.is_none()
            && self.keeper.name(record) == Some(name)
        {
            self.note_record(span, record);
            let ty = self.record_type(record);
            let name = self.keeper.arena.intern(Init::String(name));
            return Ok(self.keeper.arena.op(ops::CAST, ty, &[name]));
        }
        let message = format!("Variable not defined: '{}'", self.str(name));
        self.fail_as(Id::UnknownVariable, span, message)
    }

    /// Reads `{1, 0, x}`: bits, the highest first.
    fn bits_literal(&mut self) -> Parsed<InitId> {
        let span = self.token.span;
        self.advance();
        let mut values = Few::new();
        if !self.at(TokenKind::RBrace) {
            loop {
                values.push(self.value(None)?);
                // The end of a list ends these as well, after a comma.
                if !self.eat(TokenKind::Comma) || self.at(TokenKind::RSquare) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RBrace, "expected '}' at end of bit list value")?;
        let mut bits = Few::new();
        for (index, &value) in values.iter().enumerate().rev() {
            if let Init::Bits(seq) = self.keeper.arena.init(value) {
                bits.extend(self.keeper.arena.seq(seq));
                continue;
            }
            // Only a variable has the number of bits of its type: everything else is one bit.
            if let Init::Var(_, own) = self.keeper.arena.init(value)
                && let Type::Bits(width) = self.keeper.arena.ty(own)
            {
                for bit in 0..width {
                    let bit = self.bit_of(value, bit);
                    bits.push(bit);
                }
                continue;
            }
            match self.cast(value, TypeId::BIT) {
                Some(bit) => bits.push(bit),
                None => {
                    let message =
                        format!("Element #{index} ({}) is not convertable to a bit", self.show(value));
                    return self.fail(span, message);
                }
            }
        }
        Ok(self.keeper.arena.bits(&bits))
    }

    /// Reads `[a, b]` or `[a, b]<type>`.
    fn list_literal(&mut self, wanted: Option<TypeId>) -> Parsed<InitId> {
        self.advance();
        let given = match wanted {
            None => None,
            Some(wanted) => match self.element_type(wanted) {
                Some(element) => Some(element),
                None => {
                    let message = format!("Encountered a list when expecting a {}", self.show_type(wanted));
                    return self.fail_here(message);
                }
            },
        };
        let mut items = Few::new();
        if !self.at(TokenKind::RSquare) {
            loop {
                items.push(self.value(given)?);
                if !self.eat(TokenKind::Comma) || self.at(TokenKind::RSquare) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RSquare, "expected ']' at end of list value")?;
        let mut named = None;
        if self.eat(TokenKind::Less) {
            named = Some(self.read_type()?);
            self.expect(TokenKind::Greater, "expected '>' at end of list element type")?;
        }
        let mut element: Option<TypeId> = None;
        for &item in &items {
            let Some(own) = self.type_of(item) else { continue };
            element = match element {
                None => Some(own),
                Some(agreed) => match self.common_type(agreed, own) {
                    Some(common) => Some(common),
                    None => return self.fail_here("Incompatible types in list elements"),
                },
            };
        }
        if let Some(named) = named {
            if element.is_some_and(|element| !self.is_convertible(element, named)) {
                return self.fail_here("Incompatible types in list elements");
            }
            element = Some(named);
        }
        let element = match (element, given) {
            (None, None) => return self.fail_here("No type for list"),
            (None, Some(given)) => given,
            (Some(element), Some(given)) if !self.is_convertible(element, given) => {
                let message = format!(
                    "Element type mismatch for list: element type '{}' not convertible to '{}",
                    self.show_type(element),
                    self.show_type(given)
                );
                return self.fail_here(message);
            }
            (Some(element), _) => element,
        };
        self.new_list(element, &items)
    }

    /// Reads `(op a:$x, b)`.
    fn dag_literal(&mut self) -> Parsed<InitId> {
        self.advance();
        let takes_lists = self.keeper.rules.has(Change::ListsAsDagOperators);
        let may_begin = match self.kind() {
            TokenKind::Id | TokenKind::Question => true,
            TokenKind::LSquare => takes_lists,
            TokenKind::Bang(index) => {
                let operator = crate::record::OperatorId(index);
                operator == ops::CAST || operator == ops::GETDAGOP
            }
            _ => false,
        };
        if !may_begin {
            return self.fail_here(if takes_lists {
                "expected identifier or list of value types in dag init"
            } else {
                "expected identifier in dag init"
            });
        }
        let operator = self.value(None)?;
        let mut parts: Few = smallvec![operator, InitId::NONE];
        if self.eat(TokenKind::Colon) {
            if !self.at(TokenKind::VarName) {
                return self.fail_here("expected variable name in dag operator");
            }
            parts[1] = self.dag_name_token();
        }
        if !self.at(TokenKind::RParen) {
            loop {
                if self.at(TokenKind::VarName) {
                    let name = self.dag_name_token();
                    parts.extend([InitId::UNSET, name]);
                } else {
                    let argument = self.value(None)?;
                    let mut name = InitId::NONE;
                    if self.eat(TokenKind::Colon) {
                        if !self.at(TokenKind::VarName) {
                            return self.fail_here("expected variable name in dag literal");
                        }
                        name = self.dag_name_token();
                    }
                    parts.extend([argument, name]);
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RParen, "expected ')' in dag init")?;
        Ok(self.keeper.arena.dag(&parts))
    }

    fn dag_name_token(&mut self) -> InitId {
        let name = self.word();
        self.advance();
        self.keeper.arena.intern(Init::String(name))
    }

    // --- arguments ----------------------------------------------------------------------------------------

    /// Reads the template arguments after `<`, up to and including the `>`, and checks them against the class; their
    /// types only if `has_types`.
    pub(super) fn read_arguments(&mut self, class: RecordId, span: Span, has_types: bool) -> Parsed<Few> {
        let mut arguments = Few::new();
        let mut spans: SmallVec<[Span; 8]> = SmallVec::new();
        let mut has_named = false;
        if self.eat(TokenKind::Greater) {
            self.check_arguments(class, &mut arguments, &spans, span, has_types)?;
            return Ok(arguments);
        }
        loop {
            let count = self.keeper.record(class).template_args.len();
            if arguments.len() >= count {
                return self.fail_here(format!("Too many template arguments: {}", arguments.len() + 1));
            }
            let argument_span = self.token.span;
            let ty = self.keeper.record(class).template_args[arguments.len()].ty();
            let value = self.value(if has_named { None } else { Some(ty) })?;
            if self.at(TokenKind::Equal) && self.keeper.rules.has(Change::NamedArguments) {
                let local = match self.keeper.arena.init(value) {
                    Init::String(local) => Some(local),
                    Init::Code(_) => None,
                    _ => {
                        return self
                            .fail(argument_span, "The name of named argument should be a valid identifier");
                    }
                };
                let mut locals = self.keeper.record(class).template_locals.iter();
                let Some(index) = locals.position(|&known| Some(known) == local) else {
                    let message = format!("Argument {} doesn't exist", self.show(value));
                    return self.fail(argument_span, message);
                };
                let field = self.keeper.record(class).template_args[index];
                self.note_argument(argument_span, class, field.name);
                self.advance();
                let value_span = self.token.span;
                let value = self.value(Some(field.ty()))?;
                if value == InitId::UNSET {
                    let message = "The value of named argument should be initialized, but we got '?'";
                    return self.fail(value_span, message);
                }
                has_named = true;
                arguments.push(self.keeper.arena.intern(Init::Named(field.name, value)));
            } else {
                if has_named {
                    return self
                        .fail(argument_span, "Positional argument should be put before named argument");
                }
                arguments.push(value);
            }
            spans.push(argument_span);
            if self.eat(TokenKind::Greater) {
                break;
            }
            self.expect(TokenKind::Comma, "Expected comma before next argument")?;
        }
        self.check_arguments(class, &mut arguments, &spans, span, has_types)?;
        Ok(arguments)
    }

    /// Checks that arguments fit their types if `has_types`, that none is repeated, and that none is missing.
    fn check_arguments(
        &mut self,
        class: RecordId,
        arguments: &mut [InitId],
        spans: &[Span],
        span: Span,
        has_types: bool,
    ) -> Parsed<()> {
        let mut seen: SmallVec<[StrId; 8]> = SmallVec::new();
        let (mut has_error, mut repeated) = (false, None);
        for (index, (argument, &argument_span)) in arguments.iter_mut().zip(spans).enumerate() {
            self.charge_search(class, argument_span)?;
            let (name, value) = self.argument(class, index, *argument);
            if seen.contains(&name) {
                repeated = repeated.or(Some(name));
            }
            seen.push(name);
            if !has_types {
                continue;
            }
            let Some(ty) = self.keeper.record(class).template_arg(name).map(|field| field.ty()) else {
                continue;
            };
            let Some(own) = self.type_of(value) else { continue };
            match self.cast(value, ty) {
                Some(cast) if cast == value => {}
                Some(cast) => {
                    *argument = match self.keeper.arena.init(*argument) {
                        Init::Named(..) => self.keeper.arena.intern(Init::Named(name, cast)),
                        _ => cast,
                    };
                }
                None => {
                    let number = match self.keeper.rules.has(Change::ArgumentsWithoutNumber) {
                        true => String::new(),
                        false => format!(" (#{index})"),
                    };
                    let message = format!(
                        "Value specified for template argument '{}'{number} is of type {}; expected type {}: {}",
                        self.str(name),
                        self.show_type(own),
                        self.show_type(ty),
                        self.show(value)
                    );
                    self.report(match self.keeper.rules.has(Change::ArgumentErrorsInPlace) {
                        true => Diagnostic::error(argument_span, message),
                        false => Diagnostic::fatal(span, message),
                    });
                    has_error = true;
                }
            }
        }
        if has_error {
            return Err(Reported);
        }
        if let Some(name) = repeated {
            let message = format!("We can only specify the template argument '{}' once", self.str(name));
            return self.fail(span, message);
        }
        Ok(())
    }

    /// Returns the template arguments that have neither value nor default.
    fn missing(&self, class: RecordId, arguments: &[InitId]) -> SmallVec<[Field; 4]> {
        let is_given = |index: usize, name: StrId| {
            arguments.iter().enumerate().any(|(place, &argument)| match self.keeper.arena.init(argument) {
                Init::Named(own, _) => own == name,
                _ => place == index,
            })
        };
        let fields = self.keeper.record(class).template_args.iter().enumerate();
        let missing = fields.filter(|(index, field)| !is_given(*index, field.name));
        missing.map(|(_, field)| *field).filter(|field| !self.is_default(field.value)).collect()
    }

    /// Checks that all template arguments have values or defaults.
    pub(super) fn check_missing(&mut self, class: RecordId, arguments: &[InitId], span: Span) -> Parsed<()> {
        match self.missing(class, arguments).first() {
            Some(&field) => self.missing_argument(class, field, span),
            None => Ok(()),
        }
    }

    /// Reports each template argument that has neither value nor default, and continues without a value for it.
    fn fill_missing(&mut self, class: RecordId, arguments: &mut Few, span: Span) {
        for field in self.missing(class, arguments) {
            // Reporting it is enough.
            let _: Parsed<()> = self.missing_argument(class, field, span);
            arguments.push(self.keeper.arena.intern(Init::Named(field.name, field.value)));
        }
    }

    /// Returns true if this value makes a template argument optional.
    pub(super) fn is_default(&self, value: InitId) -> bool {
        match self.keeper.rules.has(Change::CondAsDefault) {
            true => self.keeper.arena.is_complete(value),
            false => self.is_legacy_default(value),
        }
    }

    /// Returns true if it was a default in releases in which a `!cond` was one only if its values were known; they
    /// might be `?`.
    fn is_legacy_default(&self, value: InitId) -> bool {
        let arena = &self.keeper.arena;
        let is_default = |&part: &InitId| self.is_legacy_default(part);
        match arena.init(value) {
            Init::Op(ops::COND, _, seq) => arena.run(seq).chunks_exact(2).all(|case| {
                is_default(&case[0]) && (case[1] == InitId::UNSET || self.keeper.is_concrete(case[1]))
            }),
            Init::Op(ops::RANGE, ..) if !self.keeper.rules.has(Change::RangeSteps) => true,
            Init::Op(operator, _, seq)
                if arena.operator(operator).completeness == Completeness::OfOperands =>
            {
                arena.run(seq).iter().all(is_default)
            }
            Init::Bits(seq) | Init::List(_, seq) => arena.run(seq).iter().all(is_default),
            _ => arena.is_complete(value),
        }
    }

    /// Reports a template argument that has neither value nor default.
    pub(super) fn missing_argument<T>(&mut self, class: RecordId, field: Field, span: Span) -> Parsed<T> {
        if !self.keeper.rules.has(Change::NamedArguments) {
            let place = self.keeper.record(class).template_args.iter().position(|own| own.name == field.name);
            let (value, kind) = match self.keeper.record(class).kind {
                Kind::Multiclass => ("value", "multiclass"),
                Kind::Class | Kind::Def => ("Value", "parent class"),
            };
            let is_multiclass = |record: RecordId| self.keeper.record(record).kind == Kind::Multiclass;
            // The bases of a multiclass are read with it as the current record; its body is not.
            let is_base = is_multiclass(class) && self.record.is_some_and(is_multiclass);
            let (name, place) = (self.str(field.name), place.unwrap_or_default());
            let argument = match is_base {
                true => format!("#{place} ({name})"),
                false => format!("'{name}' (#{place})"),
            };
            let class = self.show_name(class);
            let message =
                format!("{value} not specified for template argument {argument} of {kind} '{class}'");
            return self.fail(span, message);
        }
        let message = format!("value not specified for template argument '{}'", self.str(field.name));
        let note = format!("declared in '{}'", self.show_name(class));
        self.report(Diagnostic::error(span, message).note(field.span, note));
        Err(Reported)
    }
}
