//! `--dump-json`: section "JSON output" of the TableGen back-end manual. One line, no spaces, keys sorted.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    fmt::Write,
};

use rustc_hash::FxBuildHasher;

use super::{
    Field, Init, InitId, Rec, RecordId, Records, RecordsDump, StrId, keeper::Keeper, print,
    records_dump::Cache,
};
use crate::{diagnostic::Diagnostic, text};

/// The output of `--dump-json`: all defs as one JSON object.
pub struct Object<'r> {
    records: &'r Records,
    /// The keys in their order, with the defs of those names.
    members: Vec<(Cow<'r, str>, Option<Rec<'r>>)>,
    /// The part that is written; `None` for everything.
    selection: Option<Selection>,
}

/// A part of the records, which is written in the form of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The classes whose defs are written; `None` for all defs.
    pub classes: Option<BTreeSet<String>>,
    /// The fields that are written; all if none are named.
    pub fields: BTreeSet<String>,
}

impl Selection {
    fn has(&self, def: Rec<'_>) -> bool {
        let has = |classes: &BTreeSet<String>| def.superclasses().any(|class| classes.contains(class.name()));
        self.classes.as_ref().is_none_or(has)
    }
}

impl<'r> Object<'r> {
    /// Creates the object of these records.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        Self::with(records, None)
    }

    /// Creates the object of a part of these records.
    #[must_use]
    pub fn of(records: &'r Records, selection: Selection) -> Self {
        Self::with(records, Some(selection))
    }

    fn with(records: &'r Records, selection: Option<Selection>) -> Self {
        let is_selected = |def: &Rec<'_>| selection.as_ref().is_none_or(|selection| selection.has(*def));
        let mut members = vec![("!instanceof".into(), None), ("!tablegen_json_version".into(), None)];
        // If the names of defs differ only in bytes that are not UTF-8, the last def has the key.
        let defs = records.defs().filter(is_selected);
        members.extend(defs.map(|def| (text::lossy(def.name()), Some(def))));
        members.reverse();
        members.sort_by(|(a, _), (b, _)| a.cmp(b));
        members.dedup_by(|(a, _), (b, _)| a == b);
        Object { records, members, selection }
    }
}

impl RecordsDump for Object<'_> {
    fn count(&self) -> usize {
        self.members.len()
    }

    fn write_part(&self, part: usize, cache: &mut Cache, out: &mut String) -> Result<(), Box<Diagnostic>> {
        let (key, def) = &self.members[part];
        out.push(if part == 0 { '{' } else { ',' });
        string(key, out);
        out.push(':');
        match *def {
            Some(def) => record(self.records, def, self.selection.as_ref(), cache, out)?,
            None if key == "!instanceof" => instances(self.records, self.selection.as_ref(), out),
            None => out.push('1'),
        }
        if part + 1 == self.members.len() {
            out.push_str("}\n");
        }
        Ok(())
    }
}

/// A separator: writes a comma before every item but the first.
#[derive(Default)]
struct Comma(bool);

impl Comma {
    fn put(&mut self, out: &mut String) {
        if self.0 {
            out.push(',');
        }
        self.0 = true;
    }
}

/// Writes, for each class, the defs that derive from it; a def that inherits the class twice is listed twice. Of a part
/// the classes are those that were asked for.
fn instances(records: &Records, selection: Option<&Selection>, out: &mut String) {
    out.push('{');
    let mut by_class: HashMap<RecordId, Vec<RecordId>, FxBuildHasher> = HashMap::default();
    for def in records.defs() {
        for superclass in &def.record().superclasses {
            by_class.entry(superclass.class).or_default().push(def.id());
        }
    }
    let mut comma = Comma::default();
    let mut write = |name: &str, class: Option<RecordId>| {
        comma.put(out);
        string(name, out);
        out.push(':');
        let defs = class.and_then(|class| by_class.get(&class)).map(Vec::as_slice).unwrap_or_default();
        strings(defs.iter().map(|&def| records.rec(def).name()), out);
    };
    match selection.and_then(|selection| selection.classes.as_ref()) {
        None => records.classes().for_each(|class| write(class.name(), Some(class.id()))),
        Some(classes) => classes.iter().for_each(|name| write(name, records.class(name).map(Rec::id))),
    }
    out.push('}');
}

fn strings<'a>(items: impl Iterator<Item = &'a str>, out: &mut String) {
    let mut comma = Comma::default();
    out.push('[');
    for item in items {
        comma.put(out);
        string(item, out);
    }
    out.push(']');
}

/// The order in which fields of these names are written. Consecutive defs tend to have the same one.
#[derive(Default)]
pub(super) struct Layout {
    names: Vec<StrId>,
    order: Vec<usize>,
}

impl Layout {
    /// Returns the order for these fields.
    fn of(&mut self, keeper: &Keeper, fields: &[Field]) -> &[usize] {
        if !fields.iter().map(|field| field.name).eq(self.names.iter().copied()) {
            self.names.clear();
            self.names.extend(fields.iter().map(|field| field.name));
            self.order.clear();
            self.order.extend(0..fields.len());
            self.order.sort_unstable_by_key(|&index| keeper.str(self.names[index]));
        }
        &self.order
    }
}

fn record(
    records: &Records,
    def: Rec<'_>,
    selection: Option<&Selection>,
    Cache { lines, layout }: &mut Cache,
    out: &mut String,
) -> Result<(), Box<Diagnostic>> {
    let data = def.record();
    let keeper = records.keeper();
    let fields = selection.map(|selection| &selection.fields).filter(|fields| !fields.is_empty());
    let is_selected = |field: &Field| fields.is_none_or(|fields| fields.contains(keeper.str(field.name)));
    let _ = write!(out, "{{\"!anonymous\":{},\"!fields\":", data.is_anonymous);
    let unset = data.fields.iter().filter(|field| field.may_be_unset() && is_selected(field));
    strings(unset.map(|field| keeper.str(field.name)), out);
    out.push_str(",\"!locs\":[");
    let mut comma = Comma::default();
    for &span in &data.spans {
        comma.put(out);
        match records.sources().position(span) {
            // Files are shown without their folder.
            Some((buffer, position)) => {
                let file = buffer.name.bytes().rposition(|byte| byte == b'/').map_or(0, |at| at + 1);
                out.push('"');
                escaped(&buffer.name[file..], out);
                out.push(':');
                text::push_int(i64::from(position.line), out);
                out.push('"');
            }
            None => string("", out),
        }
    }
    out.push_str("],\"!name\":");
    string(def.name(), out);
    out.push_str(",\"!superclasses\":");
    strings(def.superclasses().map(Rec::name), out);
    for &index in layout.of(keeper, &data.fields) {
        let field = &data.fields[index];
        if !is_selected(field) {
            continue;
        }
        lines.write(field, out, |out| {
            out.push(',');
            string(keeper.str(field.name), out);
            out.push(':');
            print::follows(keeper, field.span, field.value)?;
            let start = out.len();
            init(records, field.value, start + keeper.most_text, out);
            print::fits(keeper, field.span, out.len() - start)
        })?;
    }
    out.push('}');
    Ok(())
}

fn init(records: &Records, id: InitId, end: usize, out: &mut String) {
    // A value with shared parts may be small in memory, and endless as a text.
    if out.len() > end {
        return;
    }
    let keeper = records.keeper();
    if !id.is_some() {
        out.push_str("null");
        return;
    }
    let shown = |out: &mut String| {
        // Otherwise each of the values around an oversized one would write as much again.
        if out.len() > end {
            return;
        }
        let mut text = String::new();
        print::init(keeper, id, &mut text);
        out.push_str("\"printable\":");
        string(&text, out);
    };
    match keeper.arena.init(id) {
        Init::Unset => out.push_str("null"),
        Init::Bit(bit) => out.push(if bit { '1' } else { '0' }),
        Init::Int(int) => text::push_int(int, out),
        Init::String(text) | Init::Code(text) => string(keeper.str(text), out),
        Init::Bits(seq) | Init::List(_, seq) => {
            let mut comma = Comma::default();
            out.push('[');
            for item in keeper.arena.seq(seq) {
                comma.put(out);
                init(records, item, end, out);
            }
            out.push(']');
        }
        Init::Def(record) => {
            let name = records.rec(record).name();
            out.push_str("{\"def\":");
            string(name, out);
            out.push_str(",\"kind\":\"def\",\"printable\":");
            string(name, out);
            out.push('}');
        }
        Init::Dag(seq) => {
            let parts = keeper.arena.run(seq);
            let name =
                |name: InitId, out: &mut String| match records.val_or_none(name).and_then(super::Val::as_str)
                {
                    Some(name) => string(name, out),
                    None => out.push_str("null"),
                };
            out.push_str("{\"args\":[");
            let mut comma = Comma::default();
            for pair in parts[2..].chunks_exact(2) {
                comma.put(out);
                out.push('[');
                init(records, pair[0], end, out);
                out.push(',');
                name(pair[1], out);
                out.push(']');
            }
            out.push_str("],\"kind\":\"dag\"");
            if parts[1].is_some() {
                out.push_str(",\"name\":");
                name(parts[1], out);
            }
            out.push_str(",\"operator\":");
            init(records, parts[0], end, out);
            out.push(',');
            shown(out);
            out.push('}');
        }
        Init::Var(name, _) => {
            out.push_str("{\"kind\":\"var\",");
            shown(out);
            out.push_str(",\"var\":");
            string(keeper.str(name), out);
            out.push('}');
        }
        Init::VarBit(value, index) if matches!(keeper.arena.init(value), Init::Var(..)) => {
            let _ = write!(out, "{{\"index\":{index},\"kind\":\"varbit\",");
            shown(out);
            out.push_str(",\"var\":");
            let mut text = String::new();
            print::init(keeper, value, &mut text);
            string(&text, out);
            out.push('}');
        }
        _ => {
            out.push_str("{\"kind\":\"complex\",");
            shown(out);
            out.push('}');
        }
    }
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    escaped(text, out);
    out.push('"');
}

/// The bytes that appear unescaped in a string.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        is_plain[byte] = byte >= 0x20 && byte as u8 != b'"' && byte as u8 != b'\\';
        byte += 1;
    }
    is_plain
};

fn escaped(text: &str, out: &mut String) {
    let text = text::lossy(text);
    let mut rest = &*text;
    while let Some(at) = rest.bytes().position(|byte| !IS_PLAIN[usize::from(byte)]) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            byte => {
                let _ = write!(out, "\\u{byte:04x}");
            }
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}
