//! Superclasses and bodies of classes and defs: section "Record Bodies" of the manual.

use super::{Evaluator, Parsed, instantiate::ClassRef, ops, resolve::Few};
use crate::{
    diagnostic::{Diagnostic, Id},
    record::{
        Field, Init, InitId, RecordId, StrId, Type, TypeId,
        record::{Assertion, Declared, Dump},
    },
    span::Span,
    syntax::{Keyword, TokenKind},
};
use odsmith_release::Change;

/// One binding of a `let`.
#[derive(Clone, Debug)]
pub(super) struct Let {
    pub(super) mode: LetMode,
    pub(super) name: StrId,
    pub(super) bits: Vec<u32>,
    pub(super) value: InitId,
    pub(super) span: Span,
}

/// The effect of a `let` on the current value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetMode {
    Replace,
    Append,
    Prepend,
}

impl Evaluator<'_> {
    /// Reads `: Class<…>, … { … }` or `;`.
    pub(super) fn record_body(&mut self, record: RecordId) -> Parsed<()> {
        if self.eat(TokenKind::Colon) {
            loop {
                let class_ref = self.class_ref()?;
                let is_walked = self.superclasses_are_walked();
                if is_walked {
                    self.check_circle(record, &class_ref)?;
                }
                self.add_superclass(record, &class_ref)?;
                if is_walked && self.is_declared_again(record) {
                    self.pass_on_superclasses(record, class_ref.span)?;
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.apply_lets(record)?;
        if self.eat(TokenKind::Semi) {
            return Ok(());
        }
        self.expect(TokenKind::LBrace, "Expected '{' to start body or ';' for declaration only")?;
        while !self.at(TokenKind::RBrace) {
            self.body_item(record)?;
        }
        self.advance();
        if self.at(TokenKind::Semi) {
            self.superfluous_semicolon("A class or def body should not end with a semicolon");
        }
        Ok(())
    }

    /// Reports a `;` after a body, and continues after it.
    pub(super) fn superfluous_semicolon(&mut self, message: &str) {
        let error = Diagnostic::error(self.token.span, message);
        self.report(error.note(Span::NONE, "Semicolon ignored; remove to eliminate this error"));
        self.advance();
    }

    /// Reads a class with its arguments.
    pub(super) fn class_ref(&mut self) -> Parsed<ClassRef> {
        let span = self.token.span;
        let class = self.read_class_name()?;
        let arguments = self.optional_arguments(class, span, true)?;
        Ok(ClassRef { class, arguments, span })
    }

    /// Reads `<…>` if it is here; otherwise every argument has its default.
    pub(super) fn optional_arguments(&mut self, class: RecordId, span: Span, has_types: bool) -> Parsed<Few> {
        if self.eat(TokenKind::Less) {
            let arguments = self.read_arguments(class, span, has_types)?;
            self.check_missing(class, &arguments, span)?;
            return Ok(arguments);
        }
        Ok(Few::new())
    }

    /// Applies the surrounding `let` statements, outermost first.
    pub(super) fn apply_lets(&mut self, record: RecordId) -> Parsed<()> {
        for outer in 0..self.lets.len() {
            for inner in 0..self.lets[outer].len() {
                let binding = self.lets[outer][inner].clone();
                self.let_value(record, &binding)?;
            }
        }
        Ok(())
    }

    fn body_item(&mut self, record: RecordId) -> Parsed<()> {
        match self.kind() {
            TokenKind::Keyword(Keyword::Assert) => {
                let assertion = self.assertion()?;
                self.keeper.record_mut(record).assertions.push(assertion);
                Ok(())
            }
            TokenKind::Keyword(Keyword::Defvar) => self.defvar(Some(record)),
            TokenKind::Keyword(Keyword::Dump) => {
                let dump = self.dump()?;
                self.keeper.record_mut(record).dumps.push(dump);
                Ok(())
            }
            TokenKind::Keyword(Keyword::Let) => self.body_let(record),
            _ => {
                self.declaration(record)?;
                self.expect(TokenKind::Semi, "expected ';' after declaration")
            }
        }
    }

    /// Reads `assert condition, message;`.
    pub(super) fn assertion(&mut self) -> Parsed<Assertion> {
        self.advance();
        let span = self.token.span;
        let condition = self.value(None)?;
        self.expect(TokenKind::Comma, "expected ',' in assert statement")?;
        let message = self.value(None)?;
        self.expect(TokenKind::Semi, "expected ';'")?;
        Ok(Assertion { span, condition, message })
    }

    /// Reads `dump message;`.
    pub(super) fn dump(&mut self) -> Parsed<Dump> {
        let span = self.token.span;
        self.advance();
        let message = self.value(None)?;
        self.expect(TokenKind::Semi, "expected ';'")?;
        // A record appears with all its fields.
        let message = match self.keeper.arena.init(message) {
            Init::Def(_) | Init::Instance(..) => self.fold_now(ops::REPR, TypeId::STRING, &[message])?,
            _ => message,
        };
        Ok(Dump { span, message })
    }

    /// Reads `[field] type name [= value]`.
    ///
    /// An error in the value is reported and then ignored: the field stays unset, and reading continues.
    fn declaration(&mut self, record: RecordId) -> Parsed<()> {
        let may_be_unset = self.eat_keyword(Keyword::Field);
        let ty = self.read_type()?;
        let name = self.declared_name()?;
        if self.keeper.rules.has(Change::NestedScopes) && self.is_in_innermost(name) {
            return self.fail_here("local variable of this name already exists");
        }
        let span = self.token.span;
        self.advance();
        let value = self.as_field_value(InitId::UNSET, ty).unwrap_or(InitId::UNSET);
        let declared = Declared::new(ty, may_be_unset);
        self.add_field(record, Field { name, declared, value, span }, span)?;
        self.note_declaration(span, record, name);
        if self.eat(TokenKind::Equal) {
            let value_span = self.token.span;
            if let Ok(value) = self.value(Some(ty)) {
                let _ = self.set_value(record, value_span, name, &[], value);
            }
        }
        Ok(())
    }

    /// Reads the name in the declaration of a field or template argument; it stays the current token.
    fn declared_name(&mut self) -> Parsed<StrId> {
        if !self.at(TokenKind::Id) {
            return self.fail_here("Expected identifier in declaration");
        }
        let name = self.word();
        if name == self.name_str {
            return self.fail_here("'NAME' is a reserved variable name");
        }
        Ok(name)
    }

    /// Reads one template argument, `type name [= default]`.
    pub(super) fn template_argument(&mut self, record: RecordId, separator: &str) -> Parsed<()> {
        let start = self.token.span;
        // Releases that allow `field` here give it no meaning.
        let _ = !self.keeper.rules.has(Change::FieldInBodiesOnly) && self.eat_keyword(Keyword::Field);
        let ty = self.read_type()?;
        let declared = Declared::new(ty, false);
        let local = self.declared_name()?;
        let span = self.token.span;
        self.advance();
        let name = self.qualified(record, separator, local);
        let value = self.as_field_value(InitId::UNSET, ty).unwrap_or(InitId::UNSET);
        self.charge_search(record, span)?;
        if let Some(&known) = self.keeper.record(record).template_arg(name) {
            // An error in its default comes first.
            self.template_argument_again(Field { name, declared, value, span }, known.ty())?;
            return self.fail(start, "template argument with the same name has already been defined");
        }
        let mut argument = Field { name, declared, value, span };
        self.note_argument(span, record, name);
        if self.eat(TokenKind::Equal) {
            // An instance of the class in a default knows the arguments before it. The current argument is only a field
            // for it, and stays one.
            self.keeper.record_mut(record).fields.push(argument);
            let value_span = self.token.span;
            let value = self.value(Some(ty));
            self.keeper.record_mut(record).fields.pop();
            if let Ok(value) = value {
                if !self.keeper.rules.has(Change::DefaultsKeepPlace) {
                    argument.span = value_span;
                }
                match self.as_field_value(value, ty) {
                    Some(value) => argument.value = value,
                    None => {
                        let message = self.incompatible(name, ty, value);
                        self.report(Diagnostic::error(value_span, message));
                    }
                }
            }
        }
        self.keeper.record_mut(record).template_args.push(argument);
        // A default does not know its own name.
        self.keeper.record_mut(record).template_locals.push(local);
        Ok(())
    }

    /// Checks the second declaration of a template argument, which is of type `known`, and reads its default.
    fn template_argument_again(&mut self, again: Field, known: TypeId) -> Parsed<()> {
        if self.as_field_value(again.value, known).is_none() {
            let message = self.redefined(again, known);
            return self.fail(again.span, message);
        }
        if self.eat(TokenKind::Equal) {
            let value_span = self.token.span;
            let Ok(value) = self.value(Some(again.ty())) else { return Ok(()) };
            if matches!(self.keeper.arena.init(value), Init::Var(variable, _) if variable == again.name) {
                self.report(Diagnostic::error(value_span, "Recursion / self-assignment forbidden"));
            } else if self.as_field_value(value, known).is_none() {
                let message = self.incompatible(again.name, known, value);
                self.report(Diagnostic::error(value_span, message));
            }
        }
        Ok(())
    }

    /// Returns the message for a field that is redeclared with a type that does not fit the first one.
    pub(super) fn redefined(&self, again: Field, known: TypeId) -> String {
        format!(
            "New definition of '{}' of type '{}' is incompatible with previous definition of type '{}'",
            self.str(again.name),
            self.show_type(again.ty()),
            self.show_type(known)
        )
    }

    /// Reads `<type name, …>`; the current token is the `<`.
    pub(super) fn template_arguments(&mut self, record: RecordId, separator: &str) -> Parsed<()> {
        self.advance();
        loop {
            self.template_argument(record, separator)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Greater, "expected '>' at end of template argument list")
    }

    /// Reads the field's name in a `let`, with an optional `append` or `prepend` before it.
    pub(super) fn let_target(&mut self, message: &str) -> Parsed<(LetMode, StrId, Span)> {
        if !self.at(TokenKind::Id) {
            return self.fail_here(message);
        }
        let (name, span) = (self.word(), self.token.span);
        self.advance();
        let mode = match self.str(name) {
            "append" => LetMode::Append,
            "prepend" => LetMode::Prepend,
            _ => return Ok((LetMode::Replace, name, span)),
        };
        if !self.keeper.rules.has(Change::LetAppend) || !self.at(TokenKind::Id) {
            return Ok((LetMode::Replace, name, span));
        }
        let (name, span) = (self.word(), self.token.span);
        self.advance();
        Ok((mode, name, span))
    }

    /// Reads `let [append|prepend] name[{bits}] = value;` in a body.
    fn body_let(&mut self, record: RecordId) -> Parsed<()> {
        self.advance();
        let (mode, name, span) = self.let_target("expected field identifier after let")?;
        let bits = self.braced_ranges()?;
        self.expect(TokenKind::Equal, "expected '=' in let expression")?;
        let is_at_name = self.keeper.rules.has(Change::LetErrorsAtName);
        let field = self.known_field(record, name, if is_at_name { span } else { self.token.span })?;
        self.note_field(span, record, name);
        let mut ty = field.ty();
        if !bits.is_empty() && matches!(self.keeper.arena.ty(ty), Type::Bits(_)) {
            ty = self.keeper.arena.bits_type(bits.len() as u32);
        }
        let value = self.value(Some(ty))?;
        self.expect(TokenKind::Semi, "expected ';' after let expression")?;
        self.let_value(record, &Let { mode, name, bits, value, span })
    }

    /// Reads `{bits}`; returns nothing if there is none.
    pub(super) fn braced_ranges(&mut self) -> Parsed<Vec<u32>> {
        let open = self.token.span;
        if !self.eat(TokenKind::LBrace) {
            return Ok(Vec::new());
        }
        let bits = self.read_ranges()?;
        match self.eat(TokenKind::RBrace) {
            true => Ok(bits),
            false => self.unclosed("expected '}' at end of bit list", open, '{'),
        }
    }

    /// Sets a field by a `let`, which becomes the place of its value.
    fn let_value(&mut self, record: RecordId, binding: &Let) -> Parsed<()> {
        let Let { name, ref bits, span, .. } = *binding;
        self.note_field(span, record, name);
        let value = match binding.mode {
            LetMode::Replace => binding.value,
            LetMode::Append | LetMode::Prepend => self.extended(record, binding)?,
        };
        self.set_value(record, span, name, bits, value)?;
        if let Some(field) = self.keeper.record_mut(record).fields.iter_mut().find(|field| field.name == name)
        {
            field.span = span;
        }
        Ok(())
    }

    /// Returns the field that a `let` names.
    fn known_field(&mut self, record: RecordId, name: StrId, span: Span) -> Parsed<Field> {
        self.charge_search(record, span)?;
        match self.keeper.record(record).field(name).copied() {
            Some(field) => Ok(field),
            None => {
                let message = format!("Value '{}' unknown!", self.str(name));
                self.fail_as(Id::UnknownField, span, message)
            }
        }
    }

    /// Returns a field's value joined with that of a `let append` or `let prepend`. The join is folded once both are
    /// known.
    fn extended(&mut self, record: RecordId, binding: &Let) -> Parsed<InitId> {
        let Let { mode, name, value, span, .. } = *binding;
        let field = self.known_field(record, name, span)?;
        if !binding.bits.is_empty() {
            return self.fail(span, "Cannot use append/prepend with bit range");
        }
        let join = match self.keeper.arena.ty(field.ty()) {
            Type::List(_) => ops::LISTCONCAT,
            Type::String => ops::STRCONCAT,
            Type::Dag => ops::CON,
            _ => {
                let word = if mode == LetMode::Append { "append" } else { "prepend" };
                let (name, ty) = (self.str(name).to_owned(), self.show_type(field.ty()));
                let wanted = "expected list, string, code, or dag";
                let message = format!("Cannot {word} to field '{name}' of type '{ty}' ({wanted})");
                return self.fail_as(Id::FieldValue, span, message);
            }
        };
        match (mode, field.value) {
            (_, InitId::UNSET) => Ok(value),
            (LetMode::Append, old) => self.fold_now(join, field.ty(), &[old, value]),
            (LetMode::Replace | LetMode::Prepend, old) => self.fold_now(join, field.ty(), &[value, old]),
        }
    }

    /// Sets a field, or some of its bits (in the order they were written: the highest of the value first).
    fn set_value(
        &mut self,
        record: RecordId,
        span: Span,
        name: StrId,
        bits: &[u32],
        value: InitId,
    ) -> Parsed<()> {
        let found = self.keeper.record(record).fields.iter().position(|field| field.name == name);
        let Some(index) = found else {
            let message = format!("Value '{}' unknown!", self.str(name));
            return self.fail_as(Id::UnknownField, span, message);
        };
        let field = self.keeper.record(record).fields[index];
        let value = if bits.is_empty() {
            if matches!(self.keeper.arena.init(value), Init::Var(variable, _) if variable == name) {
                return self.fail(span, "Recursion / self-assignment forbidden");
            }
            value
        } else {
            self.with_bits(field, span, bits, value)?
        };
        match self.as_field_value(value, field.ty()) {
            Some(value) => {
                self.keeper.record_mut(record).fields[index].value = value;
                Ok(())
            }
            None => {
                let message = self.incompatible(name, field.ty(), value);
                // Statements after it find a field without a value, and so does output made in spite of the error.
                if !self.keeper.rules.has(Change::WrongValuesIgnored) {
                    self.keeper.record_mut(record).fields[index].value = InitId::NONE;
                }
                self.fail(span, message)
            }
        }
    }

    /// Returns a field's value with some bits replaced.
    fn with_bits(&mut self, field: Field, span: Span, indices: &[u32], value: InitId) -> Parsed<InitId> {
        let old = if field.value.is_some() { field.value } else { InitId::UNSET };
        let Init::Bits(seq) = self.keeper.arena.init(old) else {
            let message = format!("Value '{}' is not a bits type", self.str(field.name));
            return self.fail(span, message);
        };
        let ty = self.keeper.arena.bits_type(indices.len() as u32);
        let Some(value) = self.cast(value, ty) else {
            return self.fail(span, "Initializer is not compatible with bit range");
        };
        let mut bits: Vec<Option<InitId>> = vec![None; seq.len as usize];
        for (at, &index) in indices.iter().rev().enumerate() {
            match bits.get_mut(index as usize) {
                Some(bit @ None) => *bit = Some(self.bit_of(value, at as u32)),
                _ => {
                    let message =
                        format!("Cannot set bit #{index} of value '{}' more than once", self.str(field.name));
                    return self.fail(span, message);
                }
            }
        }
        let old: Vec<InitId> = self.keeper.arena.seq(seq).collect();
        let new: Vec<InitId> = bits.into_iter().zip(old).map(|(new, old)| new.unwrap_or(old)).collect();
        Ok(self.keeper.arena.bits(&new))
    }

    /// Returns the message for a value that does not fit a field.
    fn incompatible(&mut self, name: StrId, ty: TypeId, value: InitId) -> String {
        let own = match self.keeper.arena.init(value) {
            // Older releases close a quotation that was never opened.
            Init::Bits(seq) => {
                let quote = if self.keeper.rules.has(Change::UnquotedBitLengths) { "" } else { "'" };
                format!("of type bit initializer with length {}{quote}", seq.len)
            }
            _ => match self.type_of(value) {
                Some(own) => format!("of type '{}'", self.show_type(own)),
                None => String::new(),
            },
        };
        format!(
            "Field '{}' of type '{}' is incompatible with value '{}' {own}",
            self.str(name),
            self.show_type(ty),
            self.show(value)
        )
    }
}
