//! The function that writes the attributes or types of one C++ type: for each form, its code and its members.

use super::{cpp_base, replaced, variable};
use crate::cpp::Writer;
use odsmith_ods::{
    DefKind,
    bytecode::{Item, List, Member},
    cpp_name,
};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) fn emit(
    cpp_type: &str,
    items: &[(usize, Item<'_>)],
    kind: DefKind,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    let variable = variable(kind);
    let reports = w.rules().has(Change::BytecodeWritersReport);
    let result = if reports { "LogicalResult" } else { "void" };
    w.braces(
        format_args!("static {result} write({cpp_type} {variable}, DialectBytecodeWriter &writer)"),
        |w| {
            for (code, item) in items {
                let emit_form = |w: &mut Writer| {
                    w.line(format_args!(
                        "writer.writeVarInt(/* {} */ {code});",
                        item.definition().record_name()
                    ));
                    emit_members(item.members()?, kind, w)?;
                    if reports {
                        w.line("return success();");
                    }
                    Ok(())
                };
                match item.predicate()?.replace("$_val", variable) {
                    predicate if predicate.is_empty() => emit_form(w)?,
                    predicate => w.braces(format_args!("if ({predicate})"), emit_form)?,
                }
            }
            if reports {
                w.line("return failure();");
            }
            Ok(())
        },
    )?;
    w.blank();
    Ok(())
}

fn emit_members(members: &[Member<'_>], kind: DefKind, w: &mut Writer) -> Result<(), Diagnostic> {
    members.iter().try_for_each(|member| match &member.list {
        Some(list) => emit_list(member, list, kind, w),
        None => emit_item(member.item()?, member.name, kind, w),
    })
}

fn emit_list(member: &Member<'_>, list: &List<'_>, kind: DefKind, w: &mut Writer) -> Result<(), Diagnostic> {
    let variable = variable(kind);
    let known_size = if list.known_size.is_some() { "WithKnownSize" } else { "" };
    let list = value(list.getter, variable, member.name);
    let item = member.item()?;
    match item.list_kind() {
        Some(kind) => {
            w.line(format_args!("writer.write{}s({list});", cpp_base(kind)));
            Ok(())
        }
        None => {
            let ty = item.cpp_type()?;
            w.block(
                format_args!("writer.writeList{known_size}({list}, [&]({ty} {variable}) {{"),
                "});",
                |w| emit_item(item, variable, kind, w),
            )
        }
    }
}

/// Writes the members of a composite, and then the call of the item's own printer.
fn emit_item(item: &Item<'_>, name: &str, kind: DefKind, w: &mut Writer) -> Result<(), Diagnostic> {
    emit_members(item.members()?, kind, w)?;
    let printer = item.printer()?;
    if printer.is_empty() {
        return Ok(());
    }
    let variable = variable(kind);
    let print = replaced(printer, "$_getter", &value(item.getter(), variable, name));
    let print = print.replace("$_name", variable).replace("$_writer", "writer");
    w.line(format_args!("{print};"));
    Ok(())
}

/// Returns C++ that gets a member.
fn value(getter: &str, variable: &str, name: &str) -> String {
    let value = if getter.is_empty() { "$_attrType.$_getMember()" } else { getter };
    value.replace("$_attrType", variable).replace("$_member", name).replace("$_getMember", &getter_name(name))
}

fn getter_name(name: &str) -> String {
    format!("get{}", cpp_name::camel_case(name, true))
}
