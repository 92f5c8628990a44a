//! `multiclass` and `defm`.

use std::sync::Arc;

use super::{
    Evaluator, Parsed,
    entry::{Entry, Multiclass, Substitutions},
    instantiate::ClassRef,
    scope::ScopeKind,
};
use crate::{
    diagnostic::Id,
    record::{
        Init, StrId, TypeId,
        record::{Kind, Record},
    },
    syntax::{Keyword, TokenKind},
};
use odsmith_release::Change;

impl Evaluator<'_> {
    /// Reads `multiclass Name<…> : Parent<…>, … { … }`.
    pub(super) fn multiclass_statement(&mut self) -> Parsed<()> {
        if !self.loops.is_empty() {
            return self.fail_here("multiclass is not allowed inside foreach loop");
        }
        if self.multiclass.is_some() {
            return self.no_statement();
        }
        self.advance();
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected identifier after multiclass for name");
        }
        let name = self.word();
        if self.keeper.multiclasses.get(name).is_some() {
            let message = format!("multiclass '{}' already defined", self.str(name));
            return self.fail_as(Id::AlreadyDefined, self.token.span, message);
        }
        let init = self.keeper.arena.intern(Init::String(name));
        let record = self.new_record(Record::new(init, Kind::Multiclass, self.token.span))?;
        let name_arg = self.qualified(record, "::", self.name_str);
        self.keeper.record_mut(record).name_arg = Some(name_arg);
        self.note_record(self.token.span, record);
        self.advance();
        self.multiclass = Some(Multiclass { record, entries: Vec::new() });
        self.push_scope(ScopeKind::Multiclass);
        let result = self.multiclass_body();
        self.pop_scope();
        let Some(multiclass) = self.multiclass.take() else { return result };
        let index = self.multiclasses.push(Arc::new(multiclass));
        self.keeper.multiclasses.insert(name, index);
        result?;
        self.warn_of_unused(record);
        Ok(())
    }

    fn multiclass_body(&mut self) -> Parsed<()> {
        let Some(record) = self.multiclass.as_ref().map(|multiclass| multiclass.record) else {
            return Ok(());
        };
        if self.at(TokenKind::Less) {
            self.template_arguments(record, "::")?;
        }
        let mut has_parents = false;
        if self.eat(TokenKind::Colon) {
            has_parents = true;
            loop {
                // Older releases accept any value for an argument here, and convert none.
                let has_types = self.keeper.rules.has(Change::ParentArgumentsTyped);
                let (parent, mut substitutions) = self.of_multiclass(|cx| {
                    let (parent, class_ref) = cx.multiclass_ref(has_types)?;
                    Ok((parent, cx.multiclass_substitutions(&class_ref)?))
                })?;
                if let (Some(parent_name), Some(own)) =
                    (self.keeper.record(parent.record).name_arg, self.multiclass_name())
                {
                    substitutions.pairs.push((parent_name, own));
                }
                let mut made = Vec::new();
                self.make_entries(&parent.entries, &mut substitutions, false, Some(&mut made), None)?;
                if let Some(multiclass) = &mut self.multiclass {
                    multiclass.entries.extend(made);
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        if !self.at(TokenKind::LBrace) {
            if has_parents {
                return self.expect(TokenKind::Semi, "expected ';' in multiclass definition");
            }
            return self.fail_here("expected '{' in multiclass definition");
        }
        self.advance();
        if self.at(TokenKind::RBrace) {
            return self.fail_here("multiclass must contain at least one def");
        }
        while !self.at(TokenKind::RBrace) {
            match self.kind() {
                TokenKind::Keyword(
                    Keyword::Assert
                    | Keyword::Def
                    | Keyword::Defm
                    | Keyword::Defvar
                    | Keyword::Dump
                    | Keyword::Foreach
                    | Keyword::If
                    | Keyword::Let,
                ) => self.statement()?,
                _ => return self.no_multiclass_statement(),
            }
        }
        self.advance();
        if self.at(TokenKind::Semi) {
            self.superfluous_semicolon("A multiclass body should not end with a semicolon");
        }
        Ok(())
    }

    /// Reports that a statement of a multiclass was expected.
    fn no_multiclass_statement<T>(&mut self) -> Parsed<T> {
        let dump = if self.keeper.rules.has(Change::DumpAndRepr) { "'dump', " } else { "" };
        let kinds = format!("'assert', 'def', 'defm', 'defvar', {dump}'foreach', 'if', or 'let'");
        self.fail_here(format!("expected {kinds} in multiclass body"))
    }

    /// Reads a multiclass with its arguments, which have the declared types if `has_types`.
    fn multiclass_ref(&mut self, has_types: bool) -> Parsed<(Arc<Multiclass>, ClassRef)> {
        let span = self.token.span;
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected name for MultiClassID");
        }
        let name = self.word();
        let Some(multiclass) = self.multiclass_named(name) else {
            let message = format!("Couldn't find multiclass '{}'", self.str(name));
            let failed = self.fail_as(Id::UnknownMulticlass, span, message);
            // Errors in the arguments after it are reported as well.
            self.advance();
            return failed;
        };
        let class = multiclass.record;
        self.note_record(span, class);
        self.advance();
        let arguments = self.optional_arguments(class, span, has_types)?;
        Ok((multiclass, ClassRef { class, arguments, span }))
    }

    /// Returns the multiclass of this name; within itself, the part of it read so far.
    pub(super) fn multiclass_named(&self, name: StrId) -> Option<Arc<Multiclass>> {
        if let Some(index) = self.keeper.multiclasses.get(name) {
            return Some(Arc::clone(&self.multiclasses[index]));
        }
        let open = self.multiclass.as_ref()?;
        (self.keeper.name(open.record) == Some(name)).then(|| Arc::new(open.clone()))
    }

    fn multiclass_substitutions(&mut self, class_ref: &ClassRef) -> Parsed<Substitutions> {
        let env = self.bind_arguments(class_ref)?;
        Ok(Substitutions { pairs: env.pairs().collect() })
    }

    /// Reads `defm name : Multiclass<…>, … , Class<…>, … ;`.
    pub(super) fn defm(&mut self) -> Parsed<()> {
        self.advance();
        let given = self.object_name()?;
        let name = match given {
            Some(name) => name,
            None => {
                let anonymous = self.keeper.next_anonymous();
                let anonymous = self.keeper.arena.intern(Init::Anonymous(anonymous));
                match self.multiclass_name() {
                    Some(own) => self.fold_now(super::ops::STRCONCAT, TypeId::STRING, &[own, anonymous])?,
                    None => anonymous,
                }
            }
        };
        self.expect(TokenKind::Colon, "expected ':' after defm identifier")?;
        let is_final = self.multiclass.is_none() && self.loops.is_empty();
        let mut made: Vec<Entry> = Vec::new();
        let mut classes: Vec<ClassRef> = Vec::new();
        let mut is_first = true;
        loop {
            // After the first one, a class is a superclass of every record made before.
            if !is_first {
                if classes.is_empty() && !self.at(TokenKind::Id) {
                    return self.fail_here("expected identifier");
                }
                let is_class = self.at(TokenKind::Id) && {
                    let name = self.word();
                    self.keeper.classes.get(name).is_some()
                };
                if is_class || !classes.is_empty() {
                    classes.push(self.class_ref()?);
                    if self.eat(TokenKind::Comma) {
                        continue;
                    }
                    break;
                }
            }
            is_first = false;
            let (multiclass, class_ref) = self.multiclass_ref(true)?;
            let mut substitutions = self.multiclass_substitutions(&class_ref)?;
            if let Some(name_arg) = self.keeper.record(class_ref.class).name_arg {
                substitutions.pairs.push((name_arg, name));
            }
            let span = class_ref.span;
            self.make_entries(
                &multiclass.entries,
                &mut substitutions,
                is_final,
                Some(&mut made),
                Some(span),
            )?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        for class_ref in &classes {
            self.each_record(&made, &mut |cx, record| cx.add_superclass(record, class_ref))?;
        }
        for entry in made {
            self.each_record(std::slice::from_ref(&entry), &mut |cx, record| cx.apply_lets(record))?;
            // If a record fails, the others are still made.
            let _ = self.add_entry(entry);
        }
        self.expect(TokenKind::Semi, "expected ';' at end of defm")
    }

    /// Runs `action` on every record among entries, including those inside loops.
    fn each_record(
        &mut self,
        entries: &[Entry],
        action: &mut dyn FnMut(&mut Self, crate::record::RecordId) -> Parsed<()>,
    ) -> Parsed<()> {
        for entry in entries {
            match entry {
                Entry::Record(record) => action(self, *record)?,
                Entry::Loop(inner) => self.each_record(&inner.entries, action)?,
                Entry::Assertion(_) | Entry::Dump(_) => {}
            }
        }
        Ok(())
    }
}
