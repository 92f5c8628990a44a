//! `--print-detailed-records`: globals, classes and records with their places, for people.

use std::fmt::Write;

use super::{Rec, Records, print, record::Field};
use crate::{diagnostic::Diagnostic, span::Span};

/// Writes everything; `source` is the root file's name.
///
/// # Errors
/// The text of a value is too long.
pub fn print(records: &Records, source: &str, out: &mut String) -> Result<(), Box<Diagnostic>> {
    let _ = writeln!(out, "DETAILED RECORDS for file {source}\n");
    let keeper = records.keeper();
    let mut globals: Vec<_> =
        keeper.globals.unordered().map(|(name, value)| (keeper.str(name), value)).collect();
    globals.sort_unstable_by_key(|&(name, _)| name);
    heading("Global Variables", globals.len(), out);
    for (name, value) in globals {
        let _ = write!(out, "{name} = ");
        let start = out.len();
        print::follows(keeper, Span::NONE, value)?;
        print::init(keeper, value, out);
        print::fits(keeper, Span::NONE, out.len() - start)?;
        out.push('\n');
    }
    out.push('\n');
    heading("Classes", records.classes().len(), out);
    for class in records.classes() {
        let _ = writeln!(out, "{}  {}", class.name(), place(records, class.span()));
        let arguments = &class.record().template_args;
        if arguments.is_empty() {
            out.push_str("  Template args: (none)\n");
        } else {
            out.push_str("  Template args:\n");
            arguments.iter().try_for_each(|argument| line(records, argument, out))?;
        }
        common(records, class, out)?;
    }
    heading("Records", records.defs().len(), out);
    for def in records.defs() {
        let name = if def.name().is_empty() { "\"\"" } else { def.name() };
        let _ = writeln!(out, "{name}  {}", place(records, def.span()));
        if let [_, defms @ ..] = &def.record().spans[..]
            && !defms.is_empty()
        {
            out.push_str("  Defm sequence:");
            for &span in def.record().spans.iter().rev() {
                let _ = write!(out, " {}", place(records, span));
            }
            out.push('\n');
        }
        common(records, def, out)?;
    }
    Ok(())
}

fn heading(title: &str, count: usize, out: &mut String) {
    let _ = writeln!(out, "-------------------- {title} ({count}) --------------------\n");
}

/// Returns `|file:line|`.
fn place(records: &Records, span: Span) -> String {
    match records.sources().position(span) {
        Some((buffer, position)) => format!("|{}:{}|", buffer.name, position.line),
        None => "||".to_owned(),
    }
}

fn common(records: &Records, record: Rec<'_>, out: &mut String) -> Result<(), Box<Diagnostic>> {
    let superclasses = &record.record().superclasses;
    out.push_str("  Superclasses:");
    if superclasses.is_empty() {
        out.push_str(" (none)");
    }
    for superclass in superclasses {
        let name = records.rec(superclass.class).name();
        // A class that is both named and inherited appears as named both times.
        let is_named = superclasses.iter().any(|other| other.is_direct && other.class == superclass.class);
        let _ = if is_named { write!(out, " {name}") } else { write!(out, " ({name})") };
    }
    out.push('\n');
    let fields = &record.record().fields;
    // Template arguments count as fields, though they are listed elsewhere.
    if fields.is_empty() && record.record().template_args.is_empty() {
        out.push_str("  Fields: (none)\n");
    } else {
        out.push_str("  Fields:\n");
        fields.iter().try_for_each(|field| line(records, field, out))?;
    }
    out.push('\n');
    Ok(())
}

fn line(records: &Records, field: &Field, out: &mut String) -> Result<(), Box<Diagnostic>> {
    out.push_str("    ");
    print::field(records.keeper(), field, out)?;
    let _ = writeln!(out, "  {}", place(records, field.span));
    Ok(())
}
