//! Reading an operator with its operands.

use super::{
    Binary, DagSecond, Evaluator, Form, GETDAGARG, IF, OPERATORS, Operands, Parsed, SUBST, TernaryCheck,
};
use crate::{
    diagnostic::Diagnostic,
    record::{Init, InitId, OperatorId, Type, TypeId},
    span::Span,
    syntax::{Keyword, TokenKind},
};

/// The position of an operand of a binary operator.
#[derive(Clone, Copy)]
struct OperandPosition {
    /// The kinds of the operands.
    kinds: Operands,
    index: usize,
    span: Span,
}

impl Evaluator<'_> {
    /// Reads an operator; the current token is its name.
    pub(in crate::eval) fn read_operator(&mut self, index: u8, wanted: Option<TypeId>) -> Parsed<InitId> {
        let operator = OperatorId(index);
        let span = self.token.span;
        self.advance();
        match &OPERATORS[usize::from(index)].form {
            Form::Unary(check) => self.read_unary(operator, *check),
            Form::Binary(binary) => self.read_binary(operator, binary, span, wanted),
            Form::Ternary(check) => self.read_ternary(operator, *check, wanted),
            Form::Special(read) => read(self, operator, span, wanted),
        }
    }

    fn read_unary(
        &mut self,
        operator: OperatorId,
        check: fn(&mut Evaluator<'_>, InitId) -> Parsed<TypeId>,
    ) -> Parsed<InitId> {
        self.expect(TokenKind::LParen, "expected '(' after unary operator")?;
        let operand = self.value(None)?;
        let ty = check(self, operand)?;
        self.expect(TokenKind::RParen, "expected ')' in unary operator")?;
        self.fold_now(operator, ty, &[operand])
    }

    fn read_ternary(
        &mut self,
        operator: OperatorId,
        check: TernaryCheck,
        wanted: Option<TypeId>,
    ) -> Parsed<InitId> {
        self.expect(TokenKind::LParen, "expected '(' after ternary operator")?;
        let mut operands = [(InitId::UNSET, Span::NONE); 3];
        for (index, operand) in operands.iter_mut().enumerate() {
            if index > 0 {
                self.expect(TokenKind::Comma, "expected ',' in ternary operator")?;
            }
            let span = self.token.span;
            // Both branches of `!if` have the type wanted of its result, and so do both values of `!subst`.
            let wanted = wanted.filter(|_| matches!(operator, IF | SUBST) && index > 0);
            *operand = (self.value(wanted)?, span);
        }
        self.expect(TokenKind::RParen, "expected ')' in binary operator")?;
        let ty = check(self, operands)?;
        self.fold_now(operator, ty, &operands.map(|(operand, _)| operand))
    }

    fn read_binary(
        &mut self,
        operator: OperatorId,
        binary: &Binary,
        span: Span,
        wanted: Option<TypeId>,
    ) -> Parsed<InitId> {
        let mut result = binary.result;
        if operator == GETDAGARG {
            result = match self.read_operator_type() {
                Ok(ty) => Some(ty),
                Err(_) => return self.fail_here("did not get type for !getdagarg operator"),
            };
        }
        if let (Some(result), Some(wanted)) = (result, wanted)
            && !self.is_convertible(result, wanted)
        {
            let message = format!(
                "expected value of type '{}', got '{}'",
                self.show_type(wanted),
                self.show_type(result)
            );
            return self.fail(span, message);
        }
        self.expect(TokenKind::LParen, "expected '(' after binary operator")?;
        let mut ty = match binary.operands {
            Operands::All(ty) => Some(ty),
            Operands::DagAnd(_) => Some(TypeId::DAG),
            // Accepted as it is, a list or not.
            Operands::Lists => wanted,
            Operands::Equatable | Operands::Ordered | Operands::Splat | Operands::Interleave => None,
        };
        let mut operands: Vec<InitId> = Vec::new();
        loop {
            let place =
                OperandPosition { kinds: binary.operands, index: operands.len(), span: self.token.span };
            let operand = self.value(ty)?;
            ty = self.check_operand(place, operand, ty, (span, wanted))?;
            operands.push(operand);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RParen, "expected ')' in operator")?;
        let ty = match result {
            Some(result) => result,
            None if binary.operands == Operands::Splat => {
                let item = self.type_of(operands[0]).unwrap_or(TypeId::INT);
                self.keeper.arena.list_type(item)
            }
            None => ty.unwrap_or(TypeId::DAG),
        };
        if binary.nests {
            while operands.len() > 2 {
                let pair = [operands[operands.len() - 2], operands[operands.len() - 1]];
                let folded = self.fold_now(operator, ty, &pair)?;
                operands.truncate(operands.len() - 2);
                operands.push(folded);
            }
        }
        if operands.len() != 2 {
            return self.fail(span, "expected two operands to operator");
        }
        self.fold_now(operator, ty, &operands)
    }

    /// Checks an operand of an operator at `operator_span`. `agreed` is the type that operands before it agreed on;
    /// returns that type for the next ones.
    fn check_operand(
        &mut self,
        place: OperandPosition,
        operand: InitId,
        agreed: Option<TypeId>,
        (operator_span, wanted): (Span, Option<TypeId>),
    ) -> Parsed<Option<TypeId>> {
        let Some(own) = self.type_of(operand) else {
            let message = format!("expected value to be a typed value, got '{}'", self.show(operand));
            return self.fail(operator_span, message);
        };
        let ty = if let Some(agreed) = agreed {
            let Some(common) = self.common_type(agreed, own) else {
                let message = format!(
                    "expected value of type '{}', got '{}'",
                    self.show_type(agreed),
                    self.show_type(own)
                );
                return self.fail(place.span, message);
            };
            Some(if matches!(place.kinds, Operands::All(_)) { agreed } else { common })
        } else {
            self.check_first(place, own, (operator_span, wanted))?
        };
        Ok(match (place.kinds, place.index) {
            (Operands::DagAnd(DagSecond::Operator), 0) => Some(TypeId::ANY_RECORD),
            (Operands::DagAnd(DagSecond::Name), 0) => Some(TypeId::STRING),
            (Operands::DagAnd(DagSecond::Index), 0) => Some(TypeId::INT),
            (Operands::DagAnd(DagSecond::Key), 0) => None,
            _ => ty,
        })
    }

    /// Checks an operand before any type is agreed on, and returns the type for the next ones.
    fn check_first(
        &mut self,
        OperandPosition { kinds, index, span }: OperandPosition,
        own: TypeId,
        (operator_span, wanted): (Span, Option<TypeId>),
    ) -> Parsed<Option<TypeId>> {
        let kind = self.keeper.arena.ty(own);
        let is_scalar = matches!(kind, Type::Bit | Type::Bits(_) | Type::Int | Type::String);
        let expected = match kinds {
            Operands::Equatable if is_scalar || matches!(kind, Type::Record(_)) => return Ok(Some(own)),
            Operands::Equatable => "expected bit, bits, int, string, or record; got value of type",
            Operands::Ordered if is_scalar => return Ok(Some(own)),
            Operands::Ordered => "expected bit, bits, int, or string; got value of type",
            Operands::Lists if matches!(kind, Type::List(_)) => return Ok(Some(own)),
            Operands::Lists => "expected a list, got value of type",
            Operands::Splat if index == 0 => {
                let Some(wanted) = wanted else { return Ok(None) };
                let Type::List(element) = self.keeper.arena.ty(wanted) else {
                    let message =
                        format!("expected output type to be a list, got type '{}'", self.show_type(wanted));
                    return self.fail(operator_span, message);
                };
                if !self.is_convertible(own, element) {
                    let message = format!(
                        "expected first arg type to be '{}', got value of type '{}'",
                        self.show_type(own),
                        self.show_type(element)
                    );
                    return self.fail(operator_span, message);
                }
                return Ok(None);
            }
            // More operands are too many, whatever they are.
            Operands::Splat | Operands::Interleave if index > 1 => return Ok(None),
            Operands::Splat if own == TypeId::INT => return Ok(None),
            Operands::Splat => "expected second parameter to be an int, got value of type",
            Operands::Interleave if index == 0 => match kind {
                Type::List(element)
                    if matches!(
                        self.keeper.arena.ty(element),
                        Type::String | Type::Int | Type::Bits(_) | Type::Bit
                    ) =>
                {
                    return Ok(None);
                }
                _ => "expected list of string, int, bits, or bit; got value of type",
            },
            Operands::Interleave if own == TypeId::STRING => return Ok(None),
            Operands::Interleave => "expected second argument to be a string, got value of type",
            Operands::DagAnd(_) if is_scalar => return Ok(None),
            Operands::DagAnd(_) => "expected bit, bits, int, or string; got value of type",
            Operands::All(_) => return Ok(Some(own)),
        };
        let message = format!("{expected} '{}'", self.show_type(own));
        self.fail(span, message)
    }

    /// Reads the type in angle brackets after an operator's name.
    pub(super) fn read_operator_type(&mut self) -> Parsed<TypeId> {
        const MESSAGE: &str = "expected type name for operator";
        self.expect(TokenKind::Less, MESSAGE)?;
        if self.at(TokenKind::Keyword(Keyword::Code)) {
            let message = "the 'code' type is not allowed in bang operators; use 'string'";
            self.report(Diagnostic::error(self.token.span, message));
        }
        let ty = match self.read_type() {
            Ok(ty) => ty,
            Err(_) => return self.fail_here(MESSAGE),
        };
        self.expect(TokenKind::Greater, MESSAGE)?;
        Ok(ty)
    }

    /// Returns a variable that an operator binds, with this name and type, as a value.
    pub(super) fn bound_variable(&mut self, name: crate::record::StrId, ty: TypeId) -> InitId {
        self.keeper.arena.intern(Init::Var(name, ty))
    }
}
