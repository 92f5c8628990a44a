//! `--dump-json`: section "JSON output" of the TableGen back-end manual. One line, no spaces, keys sorted.

use std::fmt::Write;

use super::{Init, InitId, Rec, Records, print};

/// Writes all defs as one JSON object.
pub fn dump(records: &Records, out: &mut String) {
    let mut keys: Vec<(&str, Option<Rec<'_>>)> =
        vec![("!instanceof", None), ("!tablegen_json_version", None)];
    keys.extend(records.defs().map(|def| (def.name(), Some(def))));
    keys.sort_by_key(|&(key, _)| key);
    let mut comma = Comma::default();
    out.push('{');
    for (key, def) in keys {
        comma.put(out);
        string(key, out);
        out.push(':');
        match def {
            Some(def) => record(records, def, out),
            None if key == "!instanceof" => instances(records, out),
            None => out.push('1'),
        }
    }
    out.push_str("}\n");
}

/// Writes a comma before every item but the first.
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

/// For each class, the defs that derive from it; a class that was brought in twice lists the def twice.
fn instances(records: &Records, out: &mut String) {
    let mut by_class: std::collections::BTreeMap<&str, Vec<&str>> =
        records.classes().map(|class| (class.name(), Vec::new())).collect();
    for def in records.defs() {
        for class in def.superclasses() {
            if let Some(names) = by_class.get_mut(class.name()) {
                names.push(def.name());
            }
        }
    }
    let mut comma = Comma::default();
    out.push('{');
    for (class, names) in by_class {
        comma.put(out);
        string(class, out);
        out.push(':');
        strings(names.into_iter(), out);
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

fn record(records: &Records, def: Rec<'_>, out: &mut String) {
    let data = def.record();
    let keeper = records.keeper();
    let _ = write!(out, "{{\"!anonymous\":{},\"!fields\":", data.is_anonymous);
    strings(data.fields.iter().filter(|field| field.may_be_unset).map(|field| keeper.str(field.name)), out);
    out.push_str(",\"!locs\":[");
    let mut comma = Comma::default();
    for &span in &data.spans {
        comma.put(out);
        match records.sources().position(span) {
            // Files are shown without their folder.
            Some((buffer, position)) => {
                let file = buffer.name.rsplit('/').next().unwrap_or(&buffer.name);
                string(&format!("{file}:{}", position.line), out);
            }
            None => string("", out),
        }
    }
    out.push_str("],\"!name\":");
    string(def.name(), out);
    out.push_str(",\"!superclasses\":");
    strings(def.superclasses().map(Rec::name), out);
    let mut fields: Vec<(&str, InitId)> =
        data.fields.iter().map(|field| (keeper.str(field.name), field.value)).collect();
    fields.sort_unstable_by_key(|&(name, _)| name);
    for (name, value) in fields {
        out.push(',');
        string(name, out);
        out.push(':');
        init(records, value, out);
    }
    out.push('}');
}

fn init(records: &Records, id: InitId, out: &mut String) {
    let keeper = records.keeper();
    if !id.is_some() {
        out.push_str("null");
        return;
    }
    let shown = |out: &mut String| {
        let mut text = String::new();
        print::init(keeper, id, &mut text);
        out.push_str("\"printable\":");
        string(&text, out);
    };
    match keeper.arena.init(id) {
        Init::Unset => out.push_str("null"),
        Init::Bit(bit) => out.push(if bit { '1' } else { '0' }),
        Init::Int(int) => {
            let _ = write!(out, "{int}");
        }
        Init::String(text) | Init::Code(text) => string(keeper.str(text), out),
        Init::Bits(seq) | Init::List(_, seq) => {
            let mut comma = Comma::default();
            out.push('[');
            for item in keeper.arena.seq(seq) {
                comma.put(out);
                init(records, item, out);
            }
            out.push(']');
        }
        Init::Def(record) => {
            out.push_str("{\"def\":");
            string(records.rec(record).name(), out);
            out.push_str(",\"kind\":\"def\",");
            shown(out);
            out.push('}');
        }
        Init::Dag(seq) => {
            let parts: Vec<InitId> = keeper.arena.seq(seq).collect();
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
                init(records, pair[0], out);
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
            init(records, parts[0], out);
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
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\t' => "\\t",
            b'\n' => "\\n",
            b'\r' => "\\r",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[start..at]);
        start = at + 1;
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(&text[start..]);
    out.push('"');
}
