//! `gen-bytecode`: functions that read and write one dialect's attributes, then its types. Per kind, in this order: a
//! reader for each, a writer after the last one of each C++ type, the dispatcher for reading, the one for writing.
//!
//! [`mod@read`] and [`mod@write`] emit the readers and writers.

mod read;
mod write;

use std::collections::BTreeMap;

use super::{Cx, Generator, OptionSpec, signatures::Encoding};
use crate::cpp::{Template, Writer};
use odsmith_ods::{
    DefKind, Definition,
    bytecode::{EntryList, Item, Member},
};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Records, span::Span};

pub(super) const BYTECODE: Generator = Generator {
    name: "gen-bytecode",
    about: "Generate dialect bytecode readers/writers",
    run: |cx, w| {
        let attributes = lists(cx, "DialectAttributes")?;
        let types = lists(cx, "DialectTypes")?;
        let dialect = only_dialect(&attributes, &types)?;
        let entries = |lists: &BTreeMap<_, Vec<_>>| lists.get(dialect).cloned().unwrap_or_default();
        // The users' code is indented as well.
        w.every_line(|w| {
            emit(&Codes::new(entries(&attributes), DefKind::Attribute)?, cx, w)?;
            emit(&Codes::new(entries(&types), DefKind::Type)?, cx, w)
        })
    },
};

pub(super) const DIALECT: OptionSpec =
    OptionSpec { name: "bytecode-dialect", value: Some("string"), about: "The dialect to gen for" };

/// Returns the codes of all dialects: see [`crate::members::encodings`].
pub(crate) fn encodings(records: &Records) -> Vec<Encoding> {
    let lists = [("DialectAttributes", DefKind::Attribute), ("DialectTypes", DefKind::Type)];
    let mut all = Vec::new();
    for (class, kind) in lists {
        // The last list of a dialect counts, as for the generator.
        let lists = records.derived(class).map(EntryList::new);
        let lists: BTreeMap<&str, EntryList<'_>> =
            lists.filter_map(|list| Some((list.dialect().ok()?, list))).collect();
        for (dialect, list) in lists {
            let entries = list.entries().unwrap_or_default();
            let Ok(codes) = Codes::new(entries, kind) else { continue };
            let names: BTreeMap<usize, &str> = codes.names.iter().flatten().copied().collect();
            let entries = codes.by_type.into_values().flatten();
            all.extend(entries.map(|(code, item)| Encoding {
                dialect: dialect.to_owned(),
                is_type: kind == DefKind::Type,
                code,
                name: names.get(&code).copied().unwrap_or_default().to_owned(),
                fields: item.members().unwrap_or_default().iter().flat_map(fields).collect(),
            }));
        }
    }
    all
}

/// Returns type and parser of a member; for a composite, of each of its members.
fn fields(member: &Member<'_>) -> Vec<String> {
    let Ok(item) = member.item() else { return Vec::new() };
    let inner = item.members().unwrap_or_default();
    let (ty, parser) = (item.cpp_type(), item.parser());
    let mut all: Vec<String> = match inner {
        [] => vec![format!("{} {}", ty.unwrap_or_default().trim(), parser.unwrap_or_default().trim())],
        inner => inner.iter().flat_map(fields).collect(),
    };
    if member.list.is_some() {
        all.insert(0, "list (".to_owned());
        all.push(")".to_owned());
    }
    all
}

/// Returns the entries in the lists of a class, by dialect; the last list of a dialect counts. If a dialect is
/// selected, the lists of others are skipped.
fn lists<'r>(cx: &Cx<'r>, class: &str) -> Result<BTreeMap<&'r str, Vec<Definition<'r>>>, Diagnostic> {
    cx.require_class(class)?;
    let selected = cx.options.get(DIALECT.name).filter(|name| !name.is_empty());
    let mut lists = BTreeMap::new();
    for list in cx.records.derived(class).map(EntryList::new) {
        if let Some(selected) = selected
            && list.dialect()? != selected
        {
            continue;
        }
        let entries = list.entries()?;
        lists.insert(list.dialect()?, entries);
    }
    Ok(lists)
}

/// Returns the selected dialect, or else the only one.
fn only_dialect<'r>(
    attributes: &BTreeMap<&'r str, Vec<Definition<'r>>>,
    types: &BTreeMap<&'r str, Vec<Definition<'r>>>,
) -> Result<&'r str, Diagnostic> {
    let mut dialects: Vec<&str> = attributes.keys().chain(types.keys()).copied().collect();
    dialects.sort_unstable();
    dialects.dedup();
    match dialects[..] {
        [only] => Ok(only),
        _ => Err(Diagnostic::error(
            Span::NONE,
            "Single dialect per invocation required (either only one in input file or specified via dialect option)",
        )),
    }
}

/// Returns the C++ class that all entries derive from.
fn cpp_base(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Attribute => "Attribute",
        DefKind::Type => "Type",
    }
}

/// Returns the name of the variable that holds an entry.
fn variable(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Attribute => "attribute",
        DefKind::Type => "type",
    }
}

/// The attributes or types of a dialect.
struct Codes<'r> {
    kind: DefKind,
    /// The codes in use, with the names of their entries; nothing if the list is missing or empty.
    names: Option<Vec<(usize, &'r str)>>,
    /// The entries of each C++ type, with their codes.
    by_type: BTreeMap<&'r str, Vec<(usize, Item<'r>)>>,
}

impl<'r> Codes<'r> {
    fn new(entries: Vec<Definition<'r>>, kind: DefKind) -> Result<Self, Diagnostic> {
        let mut codes = Codes { kind, names: (!entries.is_empty()).then(Vec::new), by_type: BTreeMap::new() };
        for (code, entry) in entries.into_iter().enumerate() {
            if entry.record_name() == "ReservedOrDead" {
                continue;
            }
            let item = Item::of_entry(entry);
            codes.names.get_or_insert_default().push((code, entry.record_name()));
            codes.by_type.entry(item.cpp_type()?).or_default().push((code, item));
        }
        Ok(codes)
    }
}

fn emit(codes: &Codes<'_>, cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    for (cpp_type, items) in &codes.by_type {
        items.iter().try_for_each(|(_, item)| read::emit(item, codes.kind, w))?;
        check_predicates(cpp_type, items, cx)?;
        write::emit(cpp_type, items, codes.kind, w)?;
    }
    emit_read_dispatch(codes, w);
    emit_write_dispatch(codes, w);
    Ok(())
}

/// Checks that each of several forms of a type has a predicate, which decides which one is written.
fn check_predicates(cpp_type: &str, items: &[(usize, Item<'_>)], cx: &Cx<'_>) -> Result<(), Diagnostic> {
    if items.len() < 2 {
        return Ok(());
    }
    let mut is_complete = true;
    for (_, item) in items {
        if item.predicate()?.is_empty() {
            is_complete = false;
            let needed = spellings::needed_predicate.of(cx.records.rules());
            let message = format!("Requires {needed} predicate given common cType");
            cx.report(Diagnostic::error(item.definition().span(), message));
        }
    }
    match is_complete {
        true => Ok(()),
        false => Err(Diagnostic::error(Span::NONE, format!("Unspecified for shared cType {cpp_type}"))),
    }
}

fn emit_read_dispatch(codes: &Codes<'_>, w: &mut Writer) {
    let base = cpp_base(codes.kind);
    w.braces(
        format_args!("static {base} read{base}(MLIRContext* context, DialectBytecodeReader &reader)"),
        |w| {
            let Some(names) = &codes.names else {
                w.line(format_args!("return reader.emitError() << \"unknown attribute\", {base}();"));
                return;
            };
            w.fill(SWITCH_START, &[("base", &base)]);
            for (code, name) in names {
                w.line(format_args!("  case {code}:"));
                w.line(format_args!("    return read{name}(context, reader);"));
            }
            w.fill(SWITCH_END, &[("base", &base)]);
        },
    );
    w.blank();
}

const SWITCH_START: Template = Template(
    r#"
uint64_t kind;
if (failed(reader.readVarInt(kind)))
  return @base();
switch (kind) {
"#,
);

const SWITCH_END: Template = Template(
    r#"
  default:
    reader.emitError() << "unknown attribute code: " << kind;
    return @base();
}
return @base();
"#,
);

fn emit_write_dispatch(codes: &Codes<'_>, w: &mut Writer) {
    let (base, name) = (cpp_base(codes.kind), variable(codes.kind));
    w.fill(WRITE_START, &[("base", &base), ("name", &name)]);
    w.indented(|w| {
        w.indented(|w| {
            let success = if w.rules().has(Change::BytecodeWritersReport) { "" } else { ", success()" };
            for cpp_type in codes.by_type.keys() {
                w.fill(WRITE_CASE, &[("type", cpp_type), ("success", &success)]);
            }
            w.line(format_args!(".Default([&]({base}) {{ return failure(); }});"));
        });
    });
    w.raw("}\n\n");
}

const WRITE_START: Template = Template(
    r#"
static LogicalResult write@base(@base @name,
                                DialectBytecodeWriter &writer) {
  return TypeSwitch<@base, LogicalResult>(@name)
"#,
);

const WRITE_CASE: Template = Template(
    r#"
.Case([&](@type t) {
  return write(t, writer)@success;
})
"#,
);

/// Replaces a placeholder in a text by a value. Because the reference uses `std::regex_replace`, a `$` in the value is
/// special: `$$` is one `$`, `$&` the placeholder, `` $` `` and `$'` the text before and after it, `$1` to `$99`
/// nothing.
fn replaced(text: &str, placeholder: &str, value: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(placeholder) {
        let (before, after) = (&rest[..at], &rest[at + placeholder.len()..]);
        out += before;
        let mut pieces = value.split('$');
        out += pieces.next().unwrap_or_default();
        while let Some(piece) = pieces.next() {
            let digits = piece.bytes().take(2).take_while(u8::is_ascii_digit).count();
            let (special, skipped) = match piece.bytes().next() {
                Some(b'&') => (placeholder, 1),
                Some(b'`') => (before, 1),
                Some(b'\'') => (after, 1),
                Some(b'0'..=b'9') if piece[..digits].bytes().all(|digit| digit == b'0') => {
                    (placeholder, digits)
                }
                Some(b'0'..=b'9') => ("", digits),
                Some(_) => ("$", 0),
                None => {
                    // This is `$$`, or a `$` at the end.
                    out += "$";
                    out += pieces.next().unwrap_or_default();
                    continue;
                }
            };
            out += special;
            out += &piece[skipped..];
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn dollars_of_values() {
        let check =
            |value: &str, expected: &str| assert_eq!(replaced("w($_g) + $_g;", "$_g", value), expected);
        check("x", "w(x) + x;");
        check("x$&y", "w(x$_gy) + x$_gy;");
        check("x$`y", "w(xw(y) + x) + y;");
        check("x$'y", "w(x) + $_g;y) + x;y;");
        check("$0$00z", "w($_g$_gz) + $_g$_gz;");
        check("$1$123", "w(3) + 3;");
        check("$", "w($) + $;");
        check("$$", "w($) + $;");
        check("$$$-", "w($$-) + $$-;");
    }
}
