//! The function that reads one attribute or type: variables, helpers for lists, one long condition, the result.

use super::{cpp_base, replaced};
use crate::cpp::{Writer, join};
use odsmith_ods::{
    DefKind,
    bytecode::{Item, Member},
};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) fn emit(item: &Item<'_>, kind: DefKind, w: &mut Writer) -> Result<(), Diagnostic> {
    let (name, cpp_type) = (item.definition().record_name(), item.cpp_type()?);
    let result = match w.rules().has(Change::ReadersOfAnyClass) {
        true => format!("::mlir::{}", cpp_base(kind)),
        false => cpp_type.to_owned(),
    };
    let members = item.members()?;
    let builder = item.builder()?;
    w.braces(
        format_args!("static {result} read{name}(MLIRContext* context, DialectBytecodeReader &reader)"),
        |w| {
            if members.is_empty() {
                emit_without_members(cpp_type, w);
                return Ok(());
            }
            emit_members(builder, cpp_type, members, w)?;
            w.line(format_args!("return {cpp_type}();"));
            Ok(())
        },
    )?;
    w.blank();
    Ok(())
}

fn emit_without_members(cpp_type: &str, w: &mut Writer) {
    w.line(match w.rules().has(Change::MemberlessIsChecked) {
        true => format!("return getChecked<{cpp_type}>([&]() {{ return reader.emitError(); }}, context);"),
        false => format!("return get<{cpp_type}>(context);"),
    });
}

/// Reads all members and, if that succeeds, returns what is built from them.
fn emit_members(
    builder: &str,
    cpp_type: &str,
    members: &[Member<'_>],
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    emit_variables(members, w)?;
    for member in members.iter().filter(|member| member.list.is_some()) {
        let item = member.item()?;
        if item.list_kind().is_none() {
            emit_element_reader(member.name, item, w)?;
        }
    }
    // For a member without a parser, the reference omits the condition but keeps the name: the conditions after it read
    // into the variables of earlier members.
    let mut conditions = Vec::with_capacity(members.len());
    for member in members {
        if member.list.is_some() || !member.item()?.parser()?.is_empty() {
            conditions.push(condition(member, members[conditions.len()].name)?);
        }
    }
    emit_if(&conditions, w, |w| {
        // Members that begin with an underscore only help to read others.
        let arguments = members.iter().map(|member| member.name).filter(|name| !name.starts_with('_'));
        emit_return(builder, cpp_type, &join(arguments, ", ").to_string(), w);
    });
    Ok(())
}

/// Declares the members; neighbours of the same type share a line.
fn emit_variables(members: &[Member<'_>], w: &mut Writer) -> Result<(), Diagnostic> {
    let mut variables = Vec::with_capacity(members.len());
    for member in members {
        let item = member.item()?;
        let ty = item.cpp_type()?;
        if ty.is_empty() {
            return Err(Diagnostic::error(item.definition().span(), "Unable to determine cType"));
        }
        variables.push((member.list.is_some(), ty, member.name));
    }
    for run in variables.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let names = join(run.iter().map(|(_, _, name)| name), ", ");
        match run[0] {
            (true, ty, _) => w.line(format_args!("SmallVector<{ty}> {names};")),
            (false, ty, _) => w.line(format_args!("{ty} {names};")),
        }
    }
    Ok(())
}

/// Writes a lambda that reads one element of a list.
fn emit_element_reader(name: &str, item: &Item<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let ty = item.cpp_type()?;
    w.block(format_args!("auto read{} = [&]() -> FailureOr<{ty}> {{", capitalized(name)), "};", |w| {
        // An item without members has an empty list.
        let members = item.members()?;
        let builder = item.builder()?;
        if item.has_members() {
            if members.is_empty() {
                emit_without_members(ty, w);
                return Ok(());
            }
            emit_members(builder, ty, members, w)?;
        } else {
            w.line(format_args!("{ty} temp;"));
            emit_if(&[parse(item, "temp")?], w, |w| emit_return(builder, ty, "temp", w));
        }
        w.line("return failure();");
        Ok(())
    })
}

fn emit_if(conditions: &[String], w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    w.raw("if (");
    w.indented(|w| {
        w.indented(|w| {
            for (index, condition) in conditions.iter().enumerate() {
                w.raw(if index > 0 { " &&\n" } else { "" });
                w.raw(condition);
            }
        });
        // After a condition that ends its line, this is at the start of the next one.
        w.line(") {");
        body(w);
    });
    w.line("}");
}

fn emit_return(builder: &str, cpp_type: &str, arguments: &str, w: &mut Writer) {
    // One after the other, so that a placeholder in the type stays.
    let result = replaced(&builder.replace("$_args", arguments), "$_resultType", cpp_type);
    w.line(format_args!("return {result};"));
}

/// Returns the condition that reads a member into a variable.
fn condition(member: &Member<'_>, variable: &str) -> Result<String, Diagnostic> {
    let item = member.item()?;
    let Some(list) = &member.list else { return parse(item, variable) };
    Ok(match item.list_kind() {
        Some(DefKind::Attribute) => format!("succeeded(reader.readAttributes({variable}))"),
        Some(DefKind::Type) => format!("succeeded(reader.readTypes({variable}))"),
        None => {
            let reader = format!("read{}", capitalized(variable));
            match list.known_size {
                Some(size) => {
                    format!("succeeded(reader.readListWithKnownSize({variable}, {size}, {reader}))")
                }
                None => format!("succeeded(reader.readList({variable}, {reader}))"),
            }
        }
    })
}

fn parse(item: &Item<'_>, variable: &str) -> Result<String, Diagnostic> {
    // One after the other, so that `$_var` in the type is replaced and `$_reader` is not.
    let parser = replaced(&item.parser()?.replace("$_reader", "reader"), "$_resultType", item.cpp_type()?);
    Ok(parser.replace("$_var", variable))
}

fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
