//! The function that reads one attribute or type: variables, helpers for lists, one long condition, the result.

use super::{
    item::{Item, Kind, Member},
    replaced,
};
use crate::cpp::{Writer, join};
use odsmith_release::Change;

pub(super) fn emit(item: &Item<'_>, kind: Kind, w: &mut Writer) {
    let Item { rec, cpp_type, .. } = item;
    let name = rec.name();
    let result = match w.rules().has(Change::ReadersOfAnyClass) {
        true => format!("::mlir::{}", kind.cpp_base()),
        false => (*cpp_type).to_owned(),
    };
    let members = item.members();
    w.braces(
        format_args!("static {result} read{name}(MLIRContext* context, DialectBytecodeReader &reader)"),
        |w| {
            if members.is_empty() {
                emit_without_members(cpp_type, w);
                return;
            }
            emit_members(item, members, w);
            w.line(format_args!("return {cpp_type}();"));
        },
    );
    w.blank();
}

fn emit_without_members(cpp_type: &str, w: &mut Writer) {
    w.line(match w.rules().has(Change::MemberlessIsChecked) {
        true => format!("return getChecked<{cpp_type}>([&]() {{ return reader.emitError(); }}, context);"),
        false => format!("return get<{cpp_type}>(context);"),
    });
}

/// Reads all members and, if that succeeds, returns what is built from them.
fn emit_members(item: &Item<'_>, members: &[Member<'_>], w: &mut Writer) {
    emit_variables(members, w);
    for member in members.iter().filter(|member| member.list.is_some() && member.item.list_kind().is_none()) {
        emit_element_reader(member, w);
    }
    // The reference leaves out what has no parser, but not its name: the conditions after it read into the variables
    // of earlier members.
    let readers = members.iter().filter(|member| member.list.is_some() || !member.item.parser.is_empty());
    let conditions = readers.zip(members).map(|(member, target)| condition(member, target.name));
    emit_if(&conditions.collect::<Vec<_>>(), w, |w| {
        // Members that begin with an underscore only help to read others.
        let arguments = members.iter().map(|member| member.name).filter(|name| !name.starts_with('_'));
        emit_return(item, &join(arguments, ", ").to_string(), w);
    });
}

/// Declares the members; neighbours of the same type share a line.
fn emit_variables(members: &[Member<'_>], w: &mut Writer) {
    let is_alike = |a: &Member<'_>, b: &Member<'_>| {
        a.list.is_some() == b.list.is_some() && a.item.cpp_type == b.item.cpp_type
    };
    for run in members.chunk_by(is_alike) {
        let names = join(run.iter().map(|member| member.name), ", ");
        let ty = run[0].item.cpp_type;
        if run[0].list.is_some() {
            w.line(format_args!("SmallVector<{ty}> {names};"));
        } else {
            w.line(format_args!("{ty} {names};"));
        }
    }
}

/// Writes a lambda that reads one element of a list.
fn emit_element_reader(member: &Member<'_>, w: &mut Writer) {
    let Member { name, item, .. } = member;
    let ty = item.cpp_type;
    w.block(format_args!("auto read{} = [&]() -> FailureOr<{ty}> {{", capitalized(name)), "};", |w| {
        if item.has_members() {
            let members = item.members();
            if members.is_empty() {
                emit_without_members(ty, w);
                return;
            }
            emit_members(item, members, w);
        } else {
            w.line(format_args!("{ty} temp;"));
            emit_if(&[parse(item, "temp")], w, |w| emit_return(item, "temp", w));
        }
        w.line("return failure();");
    });
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
        // A condition that ends its line leaves this at the start of the next.
        w.line(") {");
        body(w);
    });
    w.line("}");
}

fn emit_return(item: &Item<'_>, arguments: &str, w: &mut Writer) {
    let result = replaced(item.builder, "$_resultType", item.cpp_type).replace("$_args", arguments);
    w.line(format_args!("return {result};"));
}

/// What reads a member into a variable.
fn condition(member: &Member<'_>, variable: &str) -> String {
    let Some(list) = &member.list else { return parse(&member.item, variable) };
    match member.item.list_kind() {
        Some(Kind::Attribute) => format!("succeeded(reader.readAttributes({variable}))"),
        Some(Kind::Type) => format!("succeeded(reader.readTypes({variable}))"),
        None => {
            let reader = format!("read{}", capitalized(variable));
            match list.known_size {
                Some(size) => {
                    format!("succeeded(reader.readListWithKnownSize({variable}, {size}, {reader}))")
                }
                None => format!("succeeded(reader.readList({variable}, {reader}))"),
            }
        }
    }
}

fn parse(item: &Item<'_>, variable: &str) -> String {
    let parser = replaced(item.parser, "$_resultType", item.cpp_type);
    parser.replace("$_reader", "reader").replace("$_var", variable)
}

fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
