//! Names the outputs of a root by its definitions, as MLIR's build functions would.
//!
//! ```text
//! operations             Ops.h.inc  Ops.cpp.inc              types        OpsTypes.…
//! dialects               OpsDialect.…   Dialect.md  Ops.md   attributes   OpsAttributes.…
//! operation interfaces   OpsInterfaces.…                     enums        OpsEnums.…
//! passes                 Passes.h.inc                        patterns     OpsPatterns.inc
//! ```
//!
//! A root of one kind whose name already says the kind takes no suffix: `FooTypes.td` gives `FooTypes.h.inc`.

use std::collections::BTreeSet;

use odsmith_engine::{
    generators::{Action, Generator, Options},
    job::Output,
    record::{Rec, Records},
    release::Change,
    source::is_below,
};

use crate::pipeline::dependencies;

/// A kind of definition and the generators for it.
pub(super) struct Kind {
    /// The class that such definitions derive from.
    class: &'static str,
    /// The suffix of its files' names, after the root's name.
    suffix: &'static str,
    /// Each generator, and the rest of its file's name.
    makers: &'static [(&'static str, &'static str)],
    /// The option that restricts the generators to one dialect, if they have one.
    dialect_option: Option<&'static str>,
}

impl Kind {
    /// Returns true if such definitions are interfaces.
    pub(super) fn is_interface(&self) -> bool {
        matches!(self.class, "OpInterface" | "TypeInterface" | "AttrInterface")
    }

    /// Returns the name of the dialect that a definition belongs to, if it belongs to one.
    pub(super) fn dialect_of<'r>(&self, def: Rec<'r>) -> Option<&'r str> {
        let dialect = match self.class {
            "Dialect" => Some(def),
            "Op" => def.def("opDialect").ok(),
            "TypeDef" | "AttrDef" => def.def("dialect").ok(),
            _ => None,
        };
        dialect?.optional_string("name")
    }
}

const H: &str = ".h.inc";
const CPP: &str = ".cpp.inc";

const KINDS: &[Kind] = &[
    Kind {
        class: "Op",
        suffix: "",
        makers: &[("gen-op-decls", H), ("gen-op-defs", CPP)],
        dialect_option: None,
    },
    Kind {
        class: "Dialect",
        suffix: "Dialect",
        makers: &[("gen-dialect-decls", H), ("gen-dialect-defs", CPP)],
        dialect_option: Some("dialect"),
    },
    Kind {
        class: "TypeDef",
        suffix: "Types",
        makers: &[("gen-typedef-decls", H), ("gen-typedef-defs", CPP)],
        dialect_option: Some("typedefs-dialect"),
    },
    Kind {
        class: "AttrDef",
        suffix: "Attributes",
        makers: &[("gen-attrdef-decls", H), ("gen-attrdef-defs", CPP)],
        dialect_option: Some("attrdefs-dialect"),
    },
    Kind {
        class: "EnumInfo",
        suffix: "Enums",
        makers: &[("gen-enum-decls", H), ("gen-enum-defs", CPP)],
        dialect_option: None,
    },
    Kind {
        class: "OpInterface",
        suffix: "Interfaces",
        makers: &[("gen-op-interface-decls", H), ("gen-op-interface-defs", CPP)],
        dialect_option: None,
    },
    Kind {
        class: "TypeInterface",
        suffix: "TypeInterfaces",
        makers: &[("gen-type-interface-decls", H), ("gen-type-interface-defs", CPP)],
        dialect_option: None,
    },
    Kind {
        class: "AttrInterface",
        suffix: "AttrInterfaces",
        makers: &[("gen-attr-interface-decls", H), ("gen-attr-interface-defs", CPP)],
        dialect_option: None,
    },
    Kind {
        class: "TypeConstraint",
        suffix: "TypeConstraints",
        makers: &[("gen-type-constraint-decls", H), ("gen-type-constraint-defs", CPP)],
        dialect_option: None,
    },
    Kind {
        class: "AttrConstraint",
        suffix: "AttrConstraints",
        makers: &[("gen-attr-constraint-decls", H), ("gen-attr-constraint-defs", CPP)],
        dialect_option: None,
    },
    Kind { class: "PassBase", suffix: "Passes", makers: &[("gen-pass-decls", H)], dialect_option: None },
    Kind { class: "Pattern", suffix: "Patterns", makers: &[("gen-rewriters", ".inc")], dialect_option: None },
];

/// The outputs to generate for a root without named outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputSet {
    /// All outputs that its definitions call for.
    #[default]
    All,
    /// Only the Markdown that mlir-tblgen writes.
    Docs,
}

/// The documents of mlir-tblgen: the class, the generator, and the end of its file's name.
const DOCS: &[(&str, &str, &str)] = &[
    ("Dialect", "gen-dialect-doc", "Dialect"),
    ("Op", "gen-op-doc", "Ops"),
    ("AttrDef", "gen-attrdef-doc", "Attributes"),
    ("TypeDef", "gen-typedef-doc", "Types"),
    ("EnumInfo", "gen-enum-doc", "Enums"),
    ("PassBase", "gen-pass-doc", "Passes"),
    ("OpInterface", "gen-op-interface-docs", "Interfaces"),
    ("AttrInterface", "gen-attr-interface-docs", "AttrInterfaces"),
    ("TypeInterface", "gen-type-interface-docs", "TypeInterfaces"),
];

/// The owners of the files that a root reads.
#[derive(Clone, Copy, Debug)]
pub struct Surrounding<'s> {
    /// The folder of the library's files.
    pub library_root: &'s str,
    /// Files that other roots generate the outputs for.
    pub others: &'s BTreeSet<String>,
}

/// Returns the outputs to generate for a root.
#[must_use]
pub fn wanted(which: OutputSet, root: &str, records: &Records, surrounding: Surrounding<'_>) -> Vec<Output> {
    match which {
        OutputSet::All => of(root, records, surrounding),
        OutputSet::Docs => docs(root, records, surrounding),
    }
}

/// Returns all outputs that a root's definitions call for, and their Python bindings.
#[must_use]
pub fn with_python(root: &str, records: &Records, surrounding: Surrounding<'_>) -> Vec<Output> {
    let mut all = wanted(OutputSet::All, root, records, surrounding);
    all.extend(python(root, records, surrounding));
    all
}

fn docs(root: &str, records: &Records, surrounding: Surrounding<'_>) -> Vec<Output> {
    let stem = root.rsplit('/').next().unwrap_or(root).trim_end_matches(".td");
    let mut outputs = Vec::new();
    for (class, generator, suffix) in DOCS {
        let defs: Vec<Rec<'_>> = records.derived(class).filter(|def| is_own(*def, surrounding)).collect();
        if defs.is_empty() {
            continue;
        }
        let suffix = if stem.ends_with(suffix) { "" } else { suffix };
        if *class != "Dialect" {
            push_document(&mut outputs, stem, suffix, generator, &defs);
            continue;
        }
        let dialects = dialects(&defs);
        for dialect in &dialects {
            let own = if dialects.len() > 1 { camel(dialect) } else { String::new() };
            // The argument of CMake's functions: `FooOps.td` gives `FooDialect.md`.
            let stem = stem.strip_suffix("Ops").unwrap_or(stem);
            push(&mut outputs, format!("{stem}{own}{suffix}.md"), generator, Some(("dialect", dialect)));
        }
    }
    outputs
}

/// Returns the Python bindings of a root's enums and of the dialects that it defines operations of.
fn python(root: &str, records: &Records, surrounding: Surrounding<'_>) -> Vec<Output> {
    let stem = root.rsplit('/').next().unwrap_or(root).trim_end_matches(".td");
    let own =
        |class: &str| records.derived(class).filter(|def| is_own(*def, surrounding)).collect::<Vec<_>>();
    let mut outputs = Vec::new();
    for dialect in dialects(&own("Op")) {
        let path = format!("{stem}{}_gen.py", camel(&dialect));
        push(&mut outputs, path, "gen-python-op-bindings", Some(("bind-dialect", &dialect)));
    }
    if !own("EnumInfo").is_empty() || !own("EnumAttrInfo").is_empty() {
        push(&mut outputs, format!("{stem}_enum_gen.py"), "gen-python-enum-bindings", None);
    }
    outputs
}

/// Returns true if a definition is in one of the root's own files.
fn is_own(def: Rec<'_>, surrounding: Surrounding<'_>) -> bool {
    let Surrounding { library_root, others } = surrounding;
    let buffer = def.records().sources().buffer_of(def.span());
    buffer.is_some_and(|buffer| {
        !is_below(&buffer.name, library_root)
            && !dependencies::is_foreign(&buffer.name)
            && !others.contains(&*buffer.name)
    })
}

/// Returns the outputs of a root, without those whose generator does not exist. Definitions of the library, and those
/// left to other roots, do not count.
#[must_use]
pub fn of(root: &str, records: &Records, surrounding: Surrounding<'_>) -> Vec<Output> {
    let stem = root.rsplit('/').next().unwrap_or(root).trim_end_matches(".td");
    let present: Vec<(&Kind, Vec<Rec<'_>>)> = KINDS
        .iter()
        .map(|kind| {
            (
                kind,
                records
                    .derived(kind.class)
                    .filter(|def| is_own(*def, surrounding) && counts(kind, *def))
                    .collect(),
            )
        })
        .filter(|(_, defs): &(&Kind, Vec<Rec<'_>>)| !defs.is_empty())
        .collect();
    let mut outputs = Vec::new();
    for (kind, defs) in &present {
        let names_itself = present.len() == 1 || stem.ends_with(kind.suffix) && present[0].0.class != "Op";
        let suffix = if names_itself { "" } else { kind.suffix };
        // `Ops.td` gives `Dialect.h.inc`, as it would have no name of its own otherwise.
        let stem = if stem == "Ops" && !suffix.is_empty() { "" } else { stem };
        match kind.dialect_option {
            None => {
                let group = (kind.class == "PassBase").then(|| pass_group(root));
                let option = group.as_deref().map(|group| ("name", group));
                add(&mut outputs, &format!("{stem}{suffix}"), kind, option);
            }
            Some(option) => {
                let dialects = dialects(defs);
                for dialect in &dialects {
                    // With several dialects in one root, each gets its own files.
                    let own = if dialects.len() > 1 { camel(dialect) } else { String::new() };
                    let name = format!("{stem}{own}{suffix}");
                    add(&mut outputs, &name, kind, Some((option, dialect)));
                }
            }
        }
    }
    let documented = present.iter().find(|(kind, _)| kind.class == "Dialect");
    if let Some((_, defs)) = documented {
        let dialects = dialects(defs);
        for dialect in &dialects {
            let own = if dialects.len() > 1 { camel(dialect) } else { String::new() };
            let stem = stem.strip_suffix("Dialect").or_else(|| stem.strip_suffix("Ops")).unwrap_or(stem);
            let path = format!("{stem}{own}Dialect.md");
            push(&mut outputs, path, "gen-dialect-doc", Some(("dialect", dialect)));
        }
        let operations = present.iter().find(|(kind, _)| kind.class == "Op");
        if let Some((_, defs)) = operations.filter(|_| stem.ends_with("Ops")) {
            push_document(&mut outputs, stem, "", "gen-op-doc", defs);
        }
    }
    outputs
}

/// Returns all definitions from which C++ is generated, with their kinds.
pub(super) fn generated(records: &Records) -> impl Iterator<Item = (&'static Kind, Rec<'_>)> {
    KINDS.iter().flat_map(|kind| {
        records.derived(kind.class).filter(|def| counts(kind, *def)).map(move |def| (kind, def))
    })
}

fn add(outputs: &mut Vec<Output>, name: &str, kind: &Kind, option: Option<(&str, &str)>) {
    for (generator, end) in kind.makers {
        push(outputs, format!("{name}{end}"), generator, option);
    }
}

fn push(outputs: &mut Vec<Output>, path: String, generator: &str, option: Option<(&str, &str)>) {
    let Some(generator) = Generator::find(generator) else { return };
    if outputs.iter().all(|output| output.path != path) {
        let mut options = Options::default();
        if let Some((name, value)) = option {
            options.set(name, value);
        }
        outputs.push(Output { path, action: Action::Generate(generator, options) });
    }
}

/// Document generators that take a single dialect, in releases with that restriction.
const OF_ONE_DIALECT: &[&str] = &["gen-op-doc", "gen-attrdef-doc", "gen-typedef-doc", "gen-enum-doc"];

/// Adds the document of some definitions. In a release that requires a dialect, adds one for each of their dialects.
fn push_document(outputs: &mut Vec<Output>, stem: &str, suffix: &str, generator: &str, defs: &[Rec<'_>]) {
    let Some(records) = defs.first().map(|def| def.records()) else { return };
    if !OF_ONE_DIALECT.contains(&generator) || !records.rules().has(Change::DocumentsOfOneDialect) {
        return push(outputs, format!("{stem}{suffix}.md"), generator, None);
    }
    let mut dialects = dialects(defs);
    if dialects.is_empty() {
        // Enums belong to no dialect, and the document shows all of them whichever is named. Without a dialect there is
        // no document.
        let last = records.derived("Dialect").filter_map(|dialect| dialect.optional_string("name")).last();
        dialects.extend(last.map(str::to_owned));
    }
    for dialect in &dialects {
        let own = if dialects.len() > 1 { camel(dialect) } else { String::new() };
        push(outputs, format!("{stem}{own}{suffix}.md"), generator, Some(("dialect", dialect)));
    }
}

/// Returns true if a definition makes its generator write something.
fn counts(kind: &Kind, def: Rec<'_>) -> bool {
    match kind.class {
        "TypeConstraint" | "AttrConstraint" => {
            def.optional_string("cppFunctionName").is_some_and(|name| !name.is_empty())
        }
        // A list of implemented methods is a record of this class as well.
        _ if kind.is_interface() => !def.is_subclass_of("DeclareInterfaceMethods"),
        _ => true,
    }
}

/// Returns the names of the dialects that definitions belong to, in order, without duplicates.
fn dialects(defs: &[Rec<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    for def in defs {
        let kind = KINDS.iter().find(|kind| def.is_subclass_of(kind.class));
        if let Some(name) = kind.and_then(|kind| kind.dialect_of(*def))
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// Converts `foo_bar` to `FooBar`.
fn camel(name: &str) -> String {
    let words = name.split(|char: char| !char.is_alphanumeric());
    words
        .flat_map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)))
        .collect()
}

/// Returns the name of a group of passes: the folder of that part of the project, else the file.
fn pass_group(root: &str) -> String {
    const GENERIC: &[&str] =
        &["include", "lib", "Transforms", "Passes", "IR", "Dialect", "Conversion", "Pass"];
    let (folders, file) = root.rsplit_once('/').unwrap_or(("", root));
    let folder = folders.rsplit('/').find(|folder| !folder.is_empty() && !GENERIC.contains(folder));
    camel(folder.unwrap_or(file.trim_end_matches(".td")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(camel("foo_bar"), "FooBar");
        assert_eq!(pass_group("include/Foo/Transforms/Passes.td"), "Foo");
        assert_eq!(pass_group("Passes.td"), "Passes");
    }
}
