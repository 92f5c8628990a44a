//! Statements: section "Statements" of the manual.

use smallvec::smallvec;

use super::{
    Evaluator, Parsed, Reported,
    body::Let,
    entry::{Defset, Entry, Loop},
    environment::Environment,
    scope::ScopeKind,
    value::Mode,
};
use crate::{
    diagnostic::{Diagnostic, Id},
    record::{
        Init, InitId, RecordId, StrId, TypeId,
        record::{Kind, Record},
    },
    span::Span,
    syntax::{Keyword, TokenKind},
};
use odsmith_release::Change;

impl Evaluator<'_> {
    /// Refuses a token that begins no statement. In newer releases the error about an invalid one is enough.
    pub(super) fn refuse_token(&mut self) -> Parsed<()> {
        if self.at(TokenKind::Error) && self.keeper.rules.has(Change::InvalidTokensAlone) {
            return Err(Reported);
        }
        self.fail_here("Unexpected token at top level")
    }

    /// Reads the whole input.
    pub(super) fn file(&mut self) -> Parsed<()> {
        while self.at_statement() {
            self.record_checkpoint();
            self.statement()?;
            if self.is_stopped {
                return Err(Reported);
            }
        }
        if self.at(TokenKind::Eof) { Ok(()) } else { self.refuse_token() }
    }

    pub(super) fn at_statement(&self) -> bool {
        let TokenKind::Keyword(keyword) = self.kind() else { return false };
        matches!(
            keyword,
            Keyword::Assert
                | Keyword::Class
                | Keyword::Def
                | Keyword::Defm
                | Keyword::Defset
                | Keyword::Deftype
                | Keyword::Defvar
                | Keyword::Dump
                | Keyword::Foreach
                | Keyword::If
                | Keyword::Let
                | Keyword::Multiclass
        )
    }

    /// Reads one statement.
    pub(super) fn statement(&mut self) -> Parsed<()> {
        match self.recovery {
            None => self.one_statement(),
            Some(_) => self.statement_with_recovery(),
        }
    }

    /// Reads one statement, and stops at the first error.
    pub(super) fn one_statement(&mut self) -> Parsed<()> {
        let TokenKind::Keyword(keyword) = self.kind() else {
            return self.no_statement();
        };
        self.nested(self.token.span, |cx| match keyword {
            Keyword::Assert => {
                let assertion = cx.assertion()?;
                cx.add_entry(Entry::Assertion(assertion))
            }
            Keyword::Class => cx.class(),
            Keyword::Def => cx.def(),
            Keyword::Defm => cx.defm(),
            Keyword::Defset => cx.defset(),
            Keyword::Deftype => cx.deftype(),
            Keyword::Defvar => cx.defvar(None),
            Keyword::Dump => {
                let mut dump = cx.dump()?;
                // Operators on records are folded here, not when a loop or multiclass is instantiated.
                dump.message = cx.resolve_part(dump.message, &mut Environment::at_the_end())?;
                cx.add_entry(Entry::Dump(dump))
            }
            Keyword::Foreach => cx.foreach(),
            Keyword::If => cx.if_then_else(),
            Keyword::Let => cx.let_in(),
            Keyword::Multiclass => cx.multiclass_statement(),
            _ => cx.no_statement(),
        })
    }

    /// Reports that a statement was expected.
    pub(super) fn no_statement<T>(&mut self) -> Parsed<T> {
        self.fail_here(match self.keeper.rules.has(Change::DumpAndRepr) {
            true => "Expected assert, class, def, defm, defset, dump, foreach, if, or let",
            false => "Expected assert, class, def, defm, defset, foreach, if, or let",
        })
    }

    /// Reads one statement, or several in braces.
    fn statements(&mut self, unclosed: &str) -> Parsed<()> {
        if !self.at(TokenKind::LBrace) {
            return self.statement();
        }
        let brace = self.token.span;
        self.advance();
        while self.at_statement() {
            self.statement()?;
        }
        if self.eat(TokenKind::RBrace) { Ok(()) } else { self.unclosed(unclosed, brace, '{') }
    }

    // --- classes and defs ---------------------------------------------------------------------------------

    fn class(&mut self) -> Parsed<()> {
        if self.multiclass.is_some() {
            return self.fail_here("class is not allowed inside multiclass");
        }
        if !self.loops.is_empty() {
            return self.fail_here("class is not allowed inside foreach loop");
        }
        let statement = self.token.span;
        self.advance();
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected class name after 'class' keyword");
        }
        let name = self.word();
        let span = self.token.span;
        let declared = self.keeper.classes.get(name);
        let is_declared = declared.is_some();
        let record = match declared {
            Some(declared) => {
                let data = self.keeper.record(declared);
                if !data.fields.is_empty() || !data.superclasses.is_empty() || !data.template_args.is_empty()
                {
                    let message = format!("Class '{}' already defined", self.str(name));
                    return self.fail_as(Id::AlreadyDefined, self.token.span, message);
                }
                if self.keeper.rules.has(Change::ClassesAtDefinition) {
                    self.keeper.record_mut(declared).spans = smallvec![span];
                }
                declared
            }
            None => {
                let init = self.keeper.arena.intern(Init::String(name));
                let record = self.new_record(Record::new(init, Kind::Class, span))?;
                self.keeper.classes.insert(name, record);
                let name_arg = self.qualified(record, ":", self.name_str);
                self.keeper.record_mut(record).name_arg = Some(name_arg);
                record
            }
        };
        if is_declared {
            self.declared_again.push((record, statement));
        } else {
            self.keeper.record_mut(record).statement = statement;
        }
        if self.types.get(name).is_some() {
            let message = format!("there is already a defined type alias '{}'", self.str(name));
            return self.fail_here(message);
        }
        self.note_record(span, record);
        self.advance();
        let result = self.in_record(record, |cx| {
            if cx.at(TokenKind::Less) {
                cx.template_arguments(record, ":")?;
            }
            cx.record_body(record)
        });
        result?;
        self.warn_of_unused(record);
        Ok(())
    }

    /// Warns about template arguments that were never mentioned.
    pub(super) fn warn_of_unused(&mut self, record: RecordId) {
        if !self.warns_of_unused_args || !self.keeper.rules.has(Change::UnusedArguments) {
            return;
        }
        for index in 0..self.keeper.record(record).template_args.len() {
            let field = self.keeper.record(record).template_args[index];
            if !self.used_args.contains(&field.name) {
                let message = format!("unused template argument: {}", self.str(field.name));
                self.report(Diagnostic::warning(field.span, message).id(Id::UnusedArgument));
            }
        }
    }

    /// Runs `action` with the fields and arguments of `record` in scope.
    pub(super) fn in_record(
        &mut self,
        record: RecordId,
        action: impl FnOnce(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        let outer = self.record.replace(record);
        self.push_scope(ScopeKind::Record(record));
        let result = action(self);
        self.pop_scope();
        self.record = outer;
        result
    }

    fn def(&mut self) -> Parsed<()> {
        let def_span = self.token.span;
        self.advance();
        // Only a name that begins with an identifier has a place of its own.
        let is_at_name = self.at(TokenKind::Id) && self.keeper.rules.has(Change::DefsAtNames);
        let span = if is_at_name { self.token.span } else { def_span };
        let name = self.object_name()?;
        let mut data = match name {
            Some(name) if self.type_of(name) == Some(TypeId::STRING) => Record::new(name, Kind::Def, span),
            Some(name) => {
                let message = format!("Record name '{}' is not a string!", self.show(name));
                return self.fail(span, message);
            }
            None => {
                let name = self.keeper.next_anonymous();
                let name = self.keeper.arena.intern(Init::Anonymous(name));
                let mut data = Record::new(name, Kind::Def, span);
                data.is_anonymous = true;
                data
            }
        };
        data.statement = def_span;
        let record = self.new_record(data)?;
        if span != def_span {
            self.note_record(span, record);
        }
        let read = self.in_record(record, |cx| cx.record_body(record));
        if read.is_err() {
            self.keep_partial(record);
        }
        read?;
        self.add_entry(Entry::Record(record))
    }

    /// Reads the name of a def or defm; returns nothing if it has none. In a multiclass `NAME` is prepended, unless the
    /// name mentions it.
    pub(super) fn object_name(&mut self) -> Parsed<Option<InitId>> {
        if matches!(self.kind(), TokenKind::Colon | TokenKind::LBrace | TokenKind::Semi) {
            return Ok(None);
        }
        let name = self.of_multiclass(|cx| cx.value_in(Some(TypeId::STRING), Mode::Name))?;
        let Some(own) = self.multiclass_name() else {
            return Ok((name != InitId::UNSET).then_some(name));
        };
        if self.mentions(name, own) {
            return Ok(Some(name));
        }
        // A name that is not a string is reported when the record is made.
        self.fold_now(super::ops::STRCONCAT, TypeId::STRING, &[own, name]).map(Some)
    }

    /// Runs `read` for the surrounding multiclass, if there is one: messages about values point at it.
    pub(super) fn of_multiclass<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = self.record;
        self.record = outer.or(self.multiclass.as_ref().map(|multiclass| multiclass.record));
        let result = read(self);
        self.record = outer;
        result
    }

    /// Returns `NAME` in the multiclass being read.
    pub(super) fn multiclass_name(&mut self) -> Option<InitId> {
        let record = self.multiclass.as_ref()?.record;
        let name = self.keeper.record(record).name_arg?;
        Some(self.keeper.arena.intern(Init::Var(name, TypeId::STRING)))
    }

    /// Returns true if a value is, or holds, another.
    fn mentions(&self, value: InitId, part: InitId) -> bool {
        if value == part {
            return true;
        }
        match self.keeper.arena.init(value) {
            Init::Op(_, _, seq)
            | Init::List(_, seq)
            | Init::Bits(seq)
            | Init::Dag(seq)
            | Init::Instance(_, seq) => {
                self.keeper.arena.seq(seq).any(|item| item.is_some() && self.mentions(item, part))
            }
            Init::Field(inner, ..) | Init::VarBit(inner, _) | Init::Named(_, inner) => {
                self.mentions(inner, part)
            }
            _ => false,
        }
    }

    // --- names --------------------------------------------------------------------------------------------

    /// Reads `defvar name = value;`; `record` is the one whose body it is in.
    pub(super) fn defvar(&mut self, record: Option<RecordId>) -> Parsed<()> {
        self.advance();
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected identifier");
        }
        let name = self.word();
        let is_outermost = self.is_outermost();
        if self.is_in_innermost(name) {
            return self.fail_here("local variable of this name already exists");
        }
        if let Some(record) = record
            && self.keeper.rules.has(Change::NestedScopes)
            && self.keeper.record(record).field(name).is_some()
        {
            return self.fail_here("field of this name already exists");
        }
        if is_outermost && self.is_global(name) {
            return self.fail_here("def or global variable of this name already exists");
        }
        let place = self.token.span;
        self.advance();
        self.expect(TokenKind::Equal, "expected '='")?;
        let value = match self.keeper.rules.has(Change::NamedArguments) {
            true => self.value(None)?,
            false => self.without_members(|cx| cx.value(None))?,
        };
        self.expect(TokenKind::Semi, "expected ';'")?;
        if is_outermost {
            self.note_global(place, name);
            self.keeper.globals.insert(name, value);
        } else {
            self.note_variable(place);
            self.add_variable(name, value, place);
        }
        Ok(())
    }

    fn is_global(&self, name: StrId) -> bool {
        self.keeper.defs.get(name).is_some() || self.keeper.globals.get(name).is_some()
    }

    /// Reads `deftype name = type;`.
    fn deftype(&mut self) -> Parsed<()> {
        self.advance();
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected identifier");
        }
        let name = self.word();
        if self.types.get(name).is_some() || self.keeper.classes.get(name).is_some() {
            let message = format!("type of this name '{}' already exists", self.str(name));
            return self.fail_here(message);
        }
        self.note_alias(self.token.span, name);
        self.advance();
        self.expect(TokenKind::Equal, "expected '='")?;
        let span = self.token.span;
        let ty = self.read_type()?;
        if matches!(self.keeper.arena.ty(ty), crate::record::Type::Record(_)) {
            let message = format!("cannot define type alias for class type '{}'", self.show_type(ty));
            return self.fail(span, message);
        }
        self.types.insert(name, ty);
        self.expect(TokenKind::Semi, "expected ';'")
    }

    /// Reads `defset list<Class> name = { … }`.
    fn defset(&mut self) -> Parsed<()> {
        if self.multiclass.is_some() {
            return self.fail_here("defset is not allowed inside multiclass");
        }
        self.advance();
        let span = self.token.span;
        let ty = self.read_type()?;
        let Some(element) = self.element_type(ty) else { return self.fail(span, "expected list type") };
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected identifier");
        }
        let name = self.word();
        if self.is_global(name) {
            return self.fail_here("def or global variable of this name already exists");
        }
        self.note_global(self.token.span, name);
        self.advance();
        self.expect(TokenKind::Equal, "expected '='")?;
        let brace = self.token.span;
        self.expect(TokenKind::LBrace, "expected '{'")?;
        self.defsets.push(Defset { span, element, items: Vec::new() });
        let mut result = Ok(());
        while result.is_ok() && self.at_statement() {
            result = self.statement();
        }
        let defset = self.defsets.pop();
        result?;
        if !self.eat(TokenKind::RBrace) {
            return self.unclosed("expected '}' at end of defset", brace, '{');
        }
        let items = defset.map(|defset| defset.items).unwrap_or_default();
        let list = self.new_list(element, &items)?;
        self.keeper.globals.insert(name, list);
        Ok(())
    }

    /// Reads `<bits>`; returns nothing if there is none.
    fn angled_ranges(&mut self) -> Parsed<Vec<u32>> {
        let open = self.token.span;
        if !self.eat(TokenKind::Less) {
            return Ok(Vec::new());
        }
        let bits = self.read_ranges()?;
        match self.eat(TokenKind::Greater) {
            true => Ok(bits),
            false => self.unclosed("expected '>' at end of range list", open, '<'),
        }
    }

    /// Reads `let [append|prepend] name[{bits}] = value, … in …`; older releases write `<bits>`.
    fn let_in(&mut self) -> Parsed<()> {
        self.advance();
        let mut bindings: Vec<Let> = Vec::new();
        loop {
            let (mode, name, span) = self.let_target("expected identifier in let definition")?;
            let bits = match self.keeper.rules.has(Change::LetBitsInBraces) {
                true => self.braced_ranges()?,
                false => self.angled_ranges()?,
            };
            self.expect(TokenKind::Equal, "expected '=' in let expression")?;
            let value = self.value(None)?;
            bindings.push(Let { mode, name, bits, value, span });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if !self.eat_keyword(Keyword::In) {
            return self.fail_here("expected 'in' at end of top-level 'let'");
        }
        self.lets.push(bindings);
        let is_block = self.at(TokenKind::LBrace) || !self.keeper.rules.has(Change::LetSharesVariables);
        if is_block {
            self.push_scope(ScopeKind::Block);
        }
        let result = self.statements("expected '}' at end of top level let command");
        if is_block {
            self.pop_scope();
        }
        self.lets.pop();
        result
    }

    // --- loops and conditions -----------------------------------------------------------------------------

    /// Reads `foreach item = list in …`.
    fn foreach(&mut self) -> Parsed<()> {
        let span = self.token.span;
        self.advance();
        let place = self.token.span;
        let Ok((variable, element, list)) = self.foreach_head() else {
            return self.fail_here("expected declaration in for");
        };
        if !self.eat_keyword(Keyword::In) {
            return self.fail_here("Unknown tok");
        }
        let init = self.keeper.arena.intern(Init::Var(variable, element));
        self.note_variable(place);
        self.push_scope(ScopeKind::Variable(variable, init, place));
        self.loops.push(Loop { span, variable: Some(variable), list, entries: Vec::new() });
        let result = self.loop_body("expected '}' at end of foreach command");
        self.pop_scope();
        let Some(repeated) = self.loops.pop() else { return result };
        result?;
        self.add_entry(Entry::Loop(repeated))
    }

    fn loop_body(&mut self, unclosed: &str) -> Parsed<()> {
        let is_block = self.at(TokenKind::LBrace);
        if is_block {
            self.push_scope(ScopeKind::Block);
        }
        let result = self.statements(unclosed);
        if is_block {
            self.pop_scope();
        }
        result
    }

    fn foreach_head(&mut self) -> Parsed<(StrId, TypeId, InitId)> {
        if !self.at(TokenKind::Id) {
            return self.fail_here("Expected identifier in foreach declaration");
        }
        let variable = self.word();
        self.advance();
        self.expect(TokenKind::Equal, "Expected '=' in foreach declaration")?;
        let mut indices: Vec<u32> = Vec::new();
        if self.eat(TokenKind::LBrace) {
            let ranges = self.read_ranges();
            self.expect(TokenKind::RBrace, "expected '}' at end of bit range list")?;
            indices = ranges?;
        } else {
            let span = self.token.span;
            let value = self.value_in(None, Mode::Value)?;
            if value == InitId::UNSET {
                let mut error = Diagnostic::error(span, "expected a list, got '?'");
                if self.multiclass.is_some() {
                    let note = "references to multiclass template arguments cannot be resolved at this time";
                    error = error.note(Span::UNKNOWN, note);
                }
                self.report(error);
                return Err(Reported);
            }
            let element = self.type_of(value).and_then(|own| self.element_type(own));
            if let Some(element) = element {
                return Ok((variable, element, value));
            }
            let Init::Int(first) = self.keeper.arena.init(value) else {
                let is_typed = self.type_of(value).is_some();
                return self.fail_here(if is_typed {
                    "expected integer or bitrange"
                } else {
                    "expected a list"
                });
            };
            self.read_range_from(first, &mut indices)?;
        }
        let items: Vec<InitId> =
            indices.iter().map(|&index| self.keeper.arena.int(i64::from(index))).collect();
        let list = self.new_list(TypeId::INT, &items)?;
        Ok((variable, TypeId::INT, list))
    }

    /// Reads `if condition then … [else …]`.
    ///
    /// Each branch is a loop without a variable, over one item or none.
    fn if_then_else(&mut self) -> Parsed<()> {
        let span = self.token.span;
        self.advance();
        let condition = self.value(None)?;
        if !self.eat_keyword(Keyword::Then) {
            return self.fail_here("Unknown tok");
        }
        let one = self.keeper.arena.int(1);
        let (taken, skipped) =
            (self.keeper.arena.list(TypeId::INT, &[one]), self.keeper.arena.list(TypeId::INT, &[]));
        self.branch(span, [condition, taken, skipped], "expected '}' at end of 'then' clause")?;
        if self.eat_keyword(Keyword::Else) {
            self.branch(span, [condition, skipped, taken], "expected '}' at end of 'else' clause")?;
        }
        Ok(())
    }

    fn branch(&mut self, span: Span, choice: [InitId; 3], unclosed: &str) -> Parsed<()> {
        let ints = self.keeper.arena.list_type(TypeId::INT);
        let list = self.fold_now(super::ops::IF, ints, &choice)?;
        self.loops.push(Loop { span, variable: None, list, entries: Vec::new() });
        self.push_scope(ScopeKind::Block);
        let result = self.statements(unclosed);
        self.pop_scope();
        let Some(branch) = self.loops.pop() else { return result };
        result?;
        self.add_entry(Entry::Loop(branch))
    }
}
