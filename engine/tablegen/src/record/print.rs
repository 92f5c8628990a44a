//! `--print-records`, and the text forms of values, types and records.

use std::iter;

use super::{
    Init, InitId, RecordId, Records, RecordsDump, Seq, Type, TypeId,
    arena::MOST_LEVELS,
    keeper::Keeper,
    operator::{Notation, OperatorFacts, OperatorId},
    record::{Field, Kind},
    records_dump::{Cache, Lines},
};
use crate::{diagnostic::Diagnostic, limits, span::Span, text};
use odsmith_release::Change;

/// The output of `--print-records`: all classes, then all defs.
pub struct Listing<'r> {
    records: &'r Records,
    parts: Vec<Part>,
}

/// A part of a listing.
enum Part {
    Classes,
    Class(RecordId),
    Defs,
    Def(RecordId),
}

impl<'r> Listing<'r> {
    /// Creates the listing of these records.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        let classes = records.classes().map(|class| Part::Class(class.id()));
        let defs = records.defs().map(|def| Part::Def(def.id()));
        let parts = iter::once(Part::Classes).chain(classes).chain([Part::Defs]).chain(defs);
        Listing { records, parts: parts.collect() }
    }
}

impl RecordsDump for Listing<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn write_part(&self, part: usize, cache: &mut Cache, out: &mut String) -> Result<(), Box<Diagnostic>> {
        let (before, record) = match self.parts[part] {
            Part::Classes => ("------------- Classes -----------------\n", None),
            Part::Class(id) => ("class ", Some(id)),
            Part::Defs => ("------------- Defs -----------------\n", None),
            Part::Def(id) => ("def ", Some(id)),
        };
        out.push_str(before);
        match record {
            Some(id) => record_with(self.records.keeper(), id, Some(&mut cache.lines), out),
            None => Ok(()),
        }
    }
}

/// Returns the output of `--print-enums`: the names of a class's defs in one line.
///
/// # Errors
/// There is no such class.
pub fn enums(records: &Records, class: &str) -> Result<String, Diagnostic> {
    if records.class(class).is_none() {
        let message = format!("The class '{class}' is not defined\n");
        return Err(Diagnostic::error(Span::NONE, message));
    }
    let mut line: String = records.derived(class).map(|def| format!("{}, ", def.name())).collect();
    line.push('\n');
    Ok(line)
}

/// Writes a record with its fields, without the word `class` or `def`.
///
/// # Errors
/// The text of a value is too long.
pub fn record(keeper: &Keeper, id: RecordId, out: &mut String) -> Result<(), Box<Diagnostic>> {
    record_with(keeper, id, None, out)
}

fn record_with(
    keeper: &Keeper,
    id: RecordId,
    mut lines: Option<&mut Lines>,
    out: &mut String,
) -> Result<(), Box<Diagnostic>> {
    let data = keeper.record(id);
    name(keeper, data.name, out);
    if data.kind != Kind::Def && !data.template_args.is_empty() {
        out.push('<');
        for (index, field) in data.template_args.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            self::field(keeper, field, out)?;
        }
        out.push('>');
    }
    out.push_str(" {");
    if !data.superclasses.is_empty() {
        out.push_str("\t//");
        for superclass in &data.superclasses {
            out.push(' ');
            name(keeper, keeper.record(superclass.class).name, out);
        }
    }
    out.push('\n');
    // `field` members come first.
    for is_first in [true, false] {
        for field in data.fields.iter().filter(|field| field.may_be_unset() == is_first) {
            let write = |out: &mut String| {
                out.push_str("  ");
                self::field(keeper, field, out)?;
                out.push_str(";\n");
                Ok(())
            };
            match &mut lines {
                Some(lines) => lines.write(field, out, write)?,
                None => write(out)?,
            }
        }
    }
    out.push_str("}\n");
    Ok(())
}

/// Writes a field: `field`, the type, the name, the value.
///
/// # Errors
/// The text of the value is too long.
pub fn field(keeper: &Keeper, field: &Field, out: &mut String) -> Result<(), Box<Diagnostic>> {
    if field.may_be_unset() {
        out.push_str("field ");
    }
    // A string appears as its value was written, not as it was declared.
    match value_keyword(keeper, field) {
        Some(keyword) => out.push_str(keyword),
        None => ty(keeper, field.ty(), out),
    }
    out.push(' ');
    out.push_str(keeper.str(field.name));
    if field.value.is_some() {
        follows(keeper, field.span, field.value)?;
        out.push_str(" = ");
        let start = out.len();
        init(keeper, field.value, out);
        fits(keeper, field.span, out.len() - start)?;
    }
    Ok(())
}

/// Returns `code` if a field of type string holds a code fragment.
pub fn value_keyword(keeper: &Keeper, field: &Field) -> Option<&'static str> {
    let is_code = field.value.is_some() && matches!(keeper.arena.init(field.value), Init::Code(_));
    is_code.then_some("code")
}

/// Writes a name: a string without quotes, or an expression.
pub fn name(keeper: &Keeper, id: InitId, out: &mut String) {
    match keeper.arena.init(id) {
        Init::String(text) | Init::Code(text) => out.push_str(keeper.str(text)),
        _ => init(keeper, id, out),
    }
}

/// Writes a type.
pub fn ty(keeper: &Keeper, id: TypeId, out: &mut String) {
    match keeper.arena.ty(id) {
        Type::Bit => out.push_str("bit"),
        Type::Bits(width) => {
            out.push_str("bits<");
            text::push_int(i64::from(width), out);
            out.push('>');
        }
        Type::Int => out.push_str("int"),
        Type::String => out.push_str("string"),
        Type::Dag => out.push_str("dag"),
        Type::List(element) => {
            out.push_str("list<");
            ty(keeper, element, out);
            out.push('>');
        }
        Type::Record(seq) => {
            let classes = keeper.arena.classes(seq);
            if let [class] = classes {
                name(keeper, keeper.record(*class).name, out);
                return;
            }
            out.push('{');
            for (index, class) in classes.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                name(keeper, keeper.record(*class).name, out);
            }
            out.push('}');
        }
    }
}

/// Checks that the text of a value is not cut off.
///
/// # Errors
/// It is too long, and was cut off.
pub fn fits(keeper: &Keeper, span: Span, length: usize) -> Result<(), Box<Diagnostic>> {
    if length > keeper.most_text {
        return Err(limits::over(span, "length of a value's text", keeper.most_text as u64, "bytes"));
    }
    Ok(())
}

/// Checks that a value is not nested too deeply to visit all its parts.
///
/// # Errors
/// It is too deep.
pub fn follows(keeper: &Keeper, span: Span, id: InitId) -> Result<(), Box<Diagnostic>> {
    match keeper.arena.is_too_deep(id) {
        true => Err(limits::over(span, "nesting of a value", u64::from(MOST_LEVELS), "levels")),
        false => Ok(()),
    }
}

/// Writes a value, as far as [`fits`] and [`follows`] allow.
pub fn init(keeper: &Keeper, id: InitId, out: &mut String) {
    beginning(keeper, id, keeper.most_text, out);
}

/// Writes a value, or only its beginning once that has `most` bytes.
pub fn beginning(keeper: &Keeper, id: InitId, most: usize, out: &mut String) {
    if keeper.arena.is_too_deep(id) {
        out.push_str("...");
        return;
    }
    write(keeper, id, out.len() + most, out);
}

fn write(keeper: &Keeper, id: InitId, end: usize, out: &mut String) {
    if out.len() > end {
        return;
    }
    if !id.is_some() {
        out.push('?');
        return;
    }
    match keeper.arena.init(id) {
        Init::Unset => out.push('?'),
        Init::Bit(bit) => out.push(if bit { '1' } else { '0' }),
        Init::Int(int) => text::push_int(int, out),
        Init::String(text) => {
            out.push('"');
            out.push_str(keeper.str(text));
            out.push('"');
        }
        Init::Code(text) => {
            out.push_str("[{");
            out.push_str(keeper.str(text));
            out.push_str("}]");
        }
        Init::Bits(seq) => {
            out.push_str("{ ");
            for (index, bit) in keeper.arena.seq(seq).rev().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(keeper, bit, end, out);
            }
            out.push_str(" }");
        }
        Init::List(_, seq) => {
            out.push('[');
            list(keeper, keeper.arena.seq(seq), end, out);
            out.push(']');
        }
        Init::Def(record) => name(keeper, keeper.record(record).name, out),
        Init::Dag(seq) => dag(keeper, seq, end, out),
        Init::Var(name, _) | Init::Anonymous(name) => out.push_str(keeper.str(name)),
        Init::VarBit(value, index) => {
            write(keeper, value, end, out);
            out.push('{');
            text::push_int(i64::from(index), out);
            out.push('}');
        }
        Init::Field(record, name, _) => {
            write(keeper, record, end, out);
            out.push('.');
            out.push_str(keeper.str(name));
        }
        Init::Op(operator, ty, seq) => operation(keeper, operator, ty, seq, end, out),
        Init::Instance(class, seq) => {
            name(keeper, keeper.record(class).name, out);
            out.push('<');
            for (index, argument) in keeper.arena.seq(seq).enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                let has_place = keeper.rules.has(Change::NamedArguments);
                if has_place && !matches!(keeper.arena.init(argument), Init::Named(..)) {
                    text::push_int(index as i64, out);
                    out.push_str(": ");
                }
                write(keeper, argument, end, out);
            }
            out.push('>');
        }
        Init::Named(name, value) => {
            out.push('"');
            out.push_str(keeper.str(name));
            out.push_str("\": ");
            write(keeper, value, end, out);
        }
    }
}

fn list(keeper: &Keeper, items: impl Iterator<Item = InitId>, end: usize, out: &mut String) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(keeper, item, end, out);
    }
}

fn dag(keeper: &Keeper, seq: Seq, end: usize, out: &mut String) {
    let parts = keeper.arena.run(seq);
    let name_of = |mark: &str, name: InitId, out: &mut String| {
        if name.is_some() {
            out.push_str(mark);
            self::name(keeper, name, out);
        }
    };
    out.push('(');
    write(keeper, parts[0], end, out);
    let of_operator = if keeper.rules.has(Change::DollarOfDagOperators) { ":$" } else { ":" };
    name_of(of_operator, parts[1], out);
    for (index, pair) in parts[2..].chunks_exact(2).enumerate() {
        out.push_str(if index > 0 { ", " } else { " " });
        write(keeper, pair[0], end, out);
        name_of(":$", pair[1], out);
    }
    out.push(')');
}

fn operation(
    keeper: &Keeper,
    operator: OperatorId,
    own_type: TypeId,
    seq: Seq,
    end: usize,
    out: &mut String,
) {
    let operands = || keeper.arena.seq(seq);
    let OperatorFacts { name, notation, .. } = *keeper.arena.operator(operator);
    if notation == Notation::Text {
        if let Init::String(shown) = keeper.arena.init(keeper.arena.at(seq, 0)) {
            out.push_str(keeper.str(shown));
        }
        return;
    }
    if let Notation::Index | Notation::Range = notation {
        let (between, after) = if notation == Notation::Index { ("[", "]") } else { ("...", "") };
        write(keeper, keeper.arena.at(seq, 0), end, out);
        out.push_str(between);
        write(keeper, keeper.arena.at(seq, 1), end, out);
        out.push_str(after);
        return;
    }
    out.push('!');
    out.push_str(name);
    let shown_type = match (notation, keeper.arena.ty(own_type)) {
        (Notation::Typed, _) => Some(own_type),
        (Notation::TypedByElement, Type::List(element)) => Some(element),
        _ => None,
    };
    if let Some(shown_type) = shown_type {
        out.push('<');
        ty(keeper, shown_type, out);
        out.push('>');
    }
    out.push('(');
    if notation == Notation::Cases {
        for (index, operand) in operands().enumerate() {
            if index > 0 {
                out.push_str(if index % 2 == 1 { ": " } else { ", " });
            }
            write(keeper, operand, end, out);
        }
    } else {
        list(keeper, operands(), end, out);
    }
    out.push(')');
}
