//! The function that writes the attributes or types of one C++ type: for each form its code and its members.

use super::{
    item::{Item, Kind, Member},
    replaced,
};
use crate::{cpp::Writer, ods::cpp_name};

pub(super) fn emit(cpp_type: &str, items: &[(usize, Item<'_>)], kind: Kind, w: &mut Writer) {
    let variable = kind.name();
    w.braces(format_args!("static void write({cpp_type} {variable}, DialectBytecodeWriter &writer)"), |w| {
        for (code, item) in items {
            let emit_form = |w: &mut Writer| {
                w.line(format_args!("writer.writeVarInt(/* {} */ {code});", item.rec.name()));
                emit_members(item.members(), kind, w);
            };
            match item.predicate.replace("$_val", variable) {
                predicate if predicate.is_empty() => emit_form(w),
                predicate => w.braces(format_args!("if ({predicate})"), emit_form),
            }
        }
    });
    w.blank();
}

fn emit_members(members: &[Member<'_>], kind: Kind, w: &mut Writer) {
    for member in members {
        if member.is_list {
            emit_list(member, kind, w);
        } else {
            emit_item(&member.item, member.name, kind, w);
        }
    }
}

fn emit_list(member: &Member<'_>, kind: Kind, w: &mut Writer) {
    let variable = kind.name();
    let list = format!("{variable}.{}()", getter(member.name));
    match member.item.list_kind() {
        Some(kind) => w.line(format_args!("writer.write{}s({list});", kind.cpp_base())),
        None => {
            let ty = member.item.cpp_type;
            w.block(format_args!("writer.writeList({list}, [&]({ty} {variable}) {{"), "});", |w| {
                emit_item(&member.item, variable, kind, w);
            });
        }
    }
}

/// Writes the members of a composite, and what the item's own printer says.
fn emit_item(item: &Item<'_>, name: &str, kind: Kind, w: &mut Writer) {
    emit_members(item.members(), kind, w);
    if item.printer.is_empty() {
        return;
    }
    let variable = kind.name();
    let value = match item.getter {
        "" => "$_attrType.$_getMember()",
        getter => getter,
    };
    let value =
        value.replace("$_attrType", variable).replace("$_member", name).replace("$_getMember", &getter(name));
    let print = replaced(item.printer, "$_getter", &value);
    let print = print.replace("$_name", variable).replace("$_writer", "writer");
    w.line(format_args!("{print};"));
}

fn getter(name: &str) -> String {
    format!("get{}", cpp_name::camel_case(name, true))
}
