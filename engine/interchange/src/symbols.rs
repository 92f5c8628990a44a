//! The symbols of a document: a row for each definition, and who uses it. A catalogue of many projects reads these alone.
//!
//! ```text
//! dialect/kind/name[~file]        hw/op/instance   _/interface/TilingInterface   _/constraint/HLO_Tensor
//! ```
//!
//! Ids are those inside of a project. A definition of another project is named with it: `mlir:_/trait/Pure`. Two
//! definitions with one name have their files in their ids.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Definition, Document, Location,
    constraint::{Constraint, Predicate},
    defs::AttrOrType,
    op::{Kind as TraitKind, Operation, Part, PartKind},
};

/// The version of this form.
pub const SCHEMA: u32 = 1;

/// The rows of a project, and the uses in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// The version of this form.
    pub schema: u32,
    /// The definitions, by id.
    pub rows: Vec<Row>,
    /// The uses, by target.
    pub uses: Vec<Use>,
}

/// A definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Row {
    /// The id inside of the project.
    pub id: String,
    /// The kind: `op`, `type`, `attr`, …
    pub kind: String,
    /// The name as people write it: `arith.addi`, `!llvm.ptr`.
    pub name: String,
    /// One line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Operands and results, or parameters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The parts, such as `operand:inputs`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// A digest of all but places and texts.
    pub shape: String,
    /// The same digest without the definition's own names, for kinds that can be shared: equal for one definition under two
    /// names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// The reason for its deprecation, if it is deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The line, from 1.
    #[serde(default)]
    pub line: u32,
    /// The page in the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// The C++ class or record, where it is another name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The number of other shapes in which roots read it.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub variants: usize,
}

/// A use of a definition by another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Use {
    /// The definition that is used.
    pub target: String,
    /// The definition that uses it.
    pub user: String,
    /// The way: `operand`, `result`, `attribute`, `trait`, `interface`, `base`, `matches`, `creates`, `depends`.
    pub how: String,
}

/// A definition before its id is complete.
struct Draft<'d> {
    stem: String,
    row: Row,
    definition: &'d Definition,
    /// The key of its page: kind and name.
    page: String,
}

impl Symbols {
    /// Collects the symbols of a document. `pages` has the pages of the reference, by kind and name: `op arith.addi`.
    #[must_use]
    pub fn new(document: &Document, pages: &BTreeMap<String, String>) -> Symbols {
        let mut drafts = drafts(document);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for draft in &drafts {
            *counts.entry(&draft.stem).or_default() += 1;
        }
        let doubled: Vec<bool> = drafts.iter().map(|draft| counts[&*draft.stem] > 1).collect();
        for (draft, is_doubled) in drafts.iter_mut().zip(doubled) {
            draft.row.id.clone_from(&draft.stem);
            if is_doubled {
                draft.row.id = format!("{}~{}", draft.stem, escaped(&draft.row.file));
            }
        }
        let ids = Ids::new(document, &drafts);
        let mut uses = uses(document, &ids);
        uses.sort();
        uses.dedup();
        let own = drafts.into_iter().filter(|draft| !draft.definition.is_library);
        let mut rows: Vec<Row> =
            own.map(|draft| Row { page: pages.get(&draft.page).cloned(), ..draft.row }).collect();
        rows.sort();
        // Of two definitions in one file the first counts.
        rows.dedup_by(|later, first| later.id == first.id);
        Symbols { schema: SCHEMA, rows, uses }
    }

    /// Reads symbols.
    ///
    /// # Errors
    /// The bytes are something else.
    pub fn from_json(bytes: &[u8]) -> Result<Symbols, String> {
        let symbols: Symbols = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if symbols.schema != SCHEMA {
            return Err(format!("they have version {} of the format, and {SCHEMA} is read", symbols.schema));
        }
        Ok(symbols)
    }

    /// Finds the rows of a name, those of the strongest kind of name alone: an id, `arith.addi`, `!llvm.ptr`, `-a-pass`, a
    /// C++ class, a record. Returns the kind's rank as well, from 0. Ids may begin with `prefix`.
    #[must_use]
    pub fn named(&self, name: &str, prefix: &str) -> Option<(usize, Vec<&Row>)> {
        let name = name.trim().trim_start_matches("::");
        let id = name.split('#').next().filter(|it| it.contains('/')).unwrap_or(name);
        let id = id.strip_prefix(prefix).unwrap_or(id);
        let bare = id.split_once('/').map_or(id, |(_, rest)| rest);
        let last = name.rsplit("::").next().unwrap_or(name);
        let is_id = |row: &&Row, id: &str| row.id == id || row.id.split('~').next() == Some(id);
        let tests: [&dyn Fn(&&Row) -> bool; 5] = [
            &|row| is_id(row, id) || is_id(row, bare),
            &|row| row.name == name,
            &|row| {
                row.kind == "pass"
                    && name.strip_prefix('-').is_some_and(|it| it.trim_start_matches('-') == row.name)
            },
            &|row| row.aliases.iter().any(|alias| alias == last || alias == name),
            &|row| row.name == last || row.id.rsplit('/').next() == Some(name),
        ];
        let mut found =
            tests.iter().map(|test| self.rows.iter().filter(|row| test(row)).collect::<Vec<&Row>>());
        found.by_ref().enumerate().find(|(_, rows)| !rows.is_empty())
    }

    /// Returns the rows by the subjects of findings of `odsmith diff`.
    #[must_use]
    pub fn subjects(&self) -> Subjects<'_> {
        let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        let keyed = self.rows.iter().filter_map(|row| {
            let name = row.name.as_str();
            let key = match row.kind.as_str() {
                "op" => name.to_owned(),
                "type" => name.strip_prefix('!')?.replacen('.', "!", 1),
                "attr" => name.strip_prefix('#')?.replacen('.', "#", 1),
                "enum" => format!("enum:{}", last(row.aliases.first()?)),
                "interface" => format!("interface:{}", last(name)),
                kind @ ("dialect" | "pass" | "pattern") => format!("{kind}:{name}"),
                _ => return None,
            };
            Some((key, row))
        });
        Subjects(keyed.collect())
    }
}

/// Rows by the subjects of findings: `arith.addi#operand:lhs`, `llvm!ptr`, `enum:arith::FastMathFlags`.
#[derive(Clone, Debug)]
pub struct Subjects<'s>(BTreeMap<String, &'s Row>);

impl<'s> Subjects<'s> {
    /// Returns the row that a finding is about.
    #[must_use]
    pub fn get(&self, subject: &str) -> Option<&'s Row> {
        let short = |subject: &str| match subject.split_once(':') {
            Some((kind @ ("enum" | "interface"), name)) => {
                format!("{kind}:{}", name.rsplit("::").next().unwrap_or(name))
            }
            _ => subject.to_owned(),
        };
        // An attribute has a `#` of its own before that of a part.
        let ends = subject.match_indices('#').map(|(at, _)| at).rev();
        let mut forms = std::iter::once(subject.len()).chain(ends).map(|end| short(&subject[..end]));
        forms.find_map(|form| self.0.get(&form).copied())
    }
}

/// Returns a name as a part of a path: other bytes are written `%XX`.
#[must_use]
pub fn escaped(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b':' | b'-' => out.push(char::from(byte)),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

fn stem(dialect: &str, kind: &str, name: &str) -> String {
    let dialect = if dialect.is_empty() { "_" } else { dialect };
    format!("{}/{kind}/{}", escaped(dialect), escaped(name))
}

fn draft<'d>(definition: &'d Definition, dialect: &str, kind: &str, name: &str, shape: &Value) -> Draft<'d> {
    let place = definition.location.as_ref();
    Draft {
        stem: stem(dialect, kind, name),
        row: Row {
            kind: kind.to_owned(),
            name: name.to_owned(),
            shape: shape_of(shape),
            body: body_of(kind, shape),
            deprecated: definition.deprecated.clone(),
            file: place.map(|at| at.file.clone()).unwrap_or_default(),
            line: place.map_or(0, |at| at.line),
            variants: definition.variants,
            ..Row::default()
        },
        definition,
        page: format!("{kind} {name}"),
    }
}

fn drafts(document: &Document) -> Vec<Draft<'_>> {
    let mut drafts = Vec::new();
    for it in &document.dialects {
        let mut row = draft(&it.definition, &it.name, "dialect", &it.name, &shape_value(it, document));
        row.row.summary.clone_from(&it.summary);
        row.row.aliases = vec![it.cpp_class.clone()];
        drafts.push(row);
    }
    for it in &document.operations {
        let mut row = draft(&it.definition, &it.dialect, "op", &it.mnemonic, &shape_value(it, document));
        row.row.name.clone_from(&it.name);
        row.page = format!("op {}", it.name);
        row.row.summary.clone_from(&it.summary);
        row.row.signature = signature(it, document);
        row.row.parts = parts(it);
        row.row.aliases = vec![it.cpp_class.clone()];
        drafts.push(row);
    }
    let of_kind = [("type", '!', &document.types), ("attr", '#', &document.attributes)];
    for (kind, sign, list) in of_kind {
        for it in list {
            let name = it.mnemonic.as_ref().unwrap_or(&it.cpp_class);
            let mut row = draft(&it.definition, &it.dialect, kind, name, &shape_value(it, document));
            row.row.name = format!("{sign}{}.{name}", it.dialect);
            row.page = format!("{kind} {}", row.row.name);
            row.row.summary.clone_from(&it.summary);
            row.row.signature = parameters(it);
            row.row.parts = it.parameters.iter().map(|it| format!("parameter:{}", it.name)).collect();
            row.row.aliases = vec![it.cpp_class.clone()];
            drafts.push(row);
        }
    }
    for it in &document.enums {
        let name = it.definition.record.as_ref().unwrap_or(&it.cpp_class);
        let mut row = draft(&it.definition, "", "enum", name, &shape_value(it, document));
        row.page = format!("enum {}", it.cpp_class);
        row.row.summary.clone_from(&it.summary);
        row.row.parts = it.cases.iter().map(|case| format!("case:{}", case.symbol)).collect();
        row.row.aliases = vec![it.cpp_class.clone()];
        drafts.push(row);
    }
    for it in &document.interfaces {
        let mut row = draft(&it.definition, "", "interface", &it.cpp_class, &shape_value(it, document));
        row.row.summary = first_line(&it.description);
        row.row.parts = it.methods.iter().map(|it| format!("method:{}", it.name)).collect();
        drafts.push(row);
    }
    for it in &document.constraints {
        let Some(record) = &it.definition.record else { continue };
        let mut row = draft(&it.definition, "", "constraint", record, &shape_value(it, document));
        row.row.summary.clone_from(&it.summary);
        drafts.push(row);
    }
    for it in document.traits.iter().filter(|it| it.kind != TraitKind::Interface) {
        let Some(record) = &it.definition.record else { continue };
        let mut row = draft(&it.definition, "", "trait", record, &shape_value(it, document));
        row.row.aliases = vec![it.name.clone()];
        drafts.push(row);
    }
    for it in &document.passes {
        let mut row = draft(&it.definition, "", "pass", &it.argument, &shape_value(it, document));
        row.row.summary.clone_from(&it.summary);
        row.row.parts = it.options.iter().map(|it| format!("option:{}", it.argument)).collect();
        row.row.aliases = it.definition.record.iter().cloned().collect();
        drafts.push(row);
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for it in &document.patterns {
        let name = match &it.definition.record {
            Some(record) => record.clone(),
            // An anonymous one goes by its root and its number among those.
            None => {
                let number = numbers.entry(&it.root).or_default();
                *number += 1;
                format!("{}-{number}", it.root)
            }
        };
        let mut row = draft(&it.definition, "", "pattern", &name, &shape_value(it, document));
        row.row.signature = format!("{} -> {}", it.root, it.generated_operations.join(", "));
        drafts.push(row);
    }
    drafts
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim().to_owned()
}

/// Returns `memref.dim : (AnyMemRef, Index) -> Index`.
fn signature(op: &Operation, document: &Document) -> String {
    let names = |parts: &mut dyn Iterator<Item = &Part>| {
        let names: Vec<String> = parts.map(|part| constraint_name(document, part.constraint)).collect();
        names.join(", ")
    };
    let operands = names(&mut op.arguments.iter().filter(|part| part.kind == PartKind::Operand));
    let results = names(&mut op.results.iter());
    let results = if op.results.len() == 1 { results } else { format!("({results})") };
    format!("{} : ({operands}) -> {results}", op.name)
}

fn constraint_name(document: &Document, index: usize) -> String {
    let Some(constraint) = document.constraints.get(index) else { return String::new() };
    let record = constraint.definition.record.clone();
    let base =
        || base_of(constraint).filter(|base| *base != index).map(|base| constraint_name(document, base));
    record.or_else(base).unwrap_or_else(|| constraint.summary.clone())
}

fn base_of(constraint: &Constraint) -> Option<usize> {
    let of_type = constraint.of_type.as_ref().and_then(|it| it.base);
    let of_attribute = || constraint.attribute.as_ref().and_then(|it| it.base);
    let of_property = || constraint.property.as_ref().and_then(|it| it.base);
    of_type.or_else(of_attribute).or_else(of_property)
}

fn parts(op: &Operation) -> Vec<String> {
    let lists = [&op.arguments, &op.results, &op.regions, &op.successors];
    let named = lists.into_iter().flatten().filter(|part| !part.name.is_empty());
    named.map(|part| format!("{}:{}", part_kind(part.kind), part.name)).collect()
}

fn part_kind(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Operand => "operand",
        PartKind::Attribute | PartKind::DerivedAttribute | PartKind::Property => "attribute",
        PartKind::Result => "result",
        PartKind::Region => "region",
        PartKind::Successor => "successor",
    }
}

fn parameters(def: &AttrOrType) -> String {
    let each = def.parameters.iter().map(|it| format!("{}: {}", it.name, it.cpp_type));
    format!("<{}>", each.collect::<Vec<_>>().join(", "))
}

/// Returns a definition without its places and texts, and with names of constraints and traits for their indexes.
fn shape_value(item: &impl Serialize, document: &Document) -> Value {
    fn strip(value: &mut Value, document: &Document) {
        match value {
            Value::Object(fields) => {
                for name in ["definition", "summary", "description", "generated"] {
                    fields.remove(name);
                }
                for (name, field) in fields.iter_mut() {
                    let index = |value: &Value| value.as_u64().and_then(|index| usize::try_from(index).ok());
                    match name.as_str() {
                        "constraint" | "base" | "value_type" => {
                            if let Some(constraint) = index(field).and_then(|it| document.constraints.get(it))
                            {
                                let name =
                                    constraint.definition.record.as_ref().unwrap_or(&constraint.condition);
                                *field = Value::String(name.clone());
                            }
                        }
                        "traits" => {
                            let indexes = field.as_array().into_iter().flatten().filter_map(index);
                            let names =
                                indexes.filter_map(|it| document.traits.get(it)).map(|it| it.name.clone());
                            *field = names.map(Value::String).collect();
                        }
                        _ => strip(field, document),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| strip(item, document)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    // Every part of an item has a form in JSON.
    let mut value = serde_json::to_value(item).unwrap_or_default();
    strip(&mut value, document);
    value
}

/// Returns 16 digits of a digest.
fn shape_of(value: &impl Serialize) -> String {
    // FNV-1a: it names shapes for comparison, and is no defence.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in serde_json::to_vec(value).unwrap_or_default() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The fields of a definition with its own names.
const OWN_NAMES: [&str; 7] = [
    "name",
    "mnemonic",
    "dialect",
    "cpp_class",
    "cpp_namespace",
    "extra_class_declaration",
    "extra_class_definition",
];

/// Returns the digest of a definition without its own names; empty for kinds that projects do not share.
fn body_of(kind: &str, shape: &Value) -> String {
    if !["op", "type", "attr", "enum", "interface", "constraint"].contains(&kind) {
        return String::new();
    }
    let mut body = shape.clone();
    if let Value::Object(fields) = &mut body {
        for name in OWN_NAMES {
            fields.remove(name);
        }
        if kind == "enum" {
            // The attribute class that it defines.
            fields.remove("attribute");
        }
    }
    shape_of(&body)
}

/// The ids of definitions, for those that refer to them.
struct Ids {
    constraints: Vec<Option<String>>,
    traits: Vec<Option<String>>,
    operations: BTreeMap<String, String>,
    dialects: BTreeMap<String, String>,
    /// The ids of rows, by kind and position in their list.
    drafts: BTreeMap<(&'static str, Option<Location>, String), String>,
}

impl Ids {
    fn new(document: &Document, drafts: &[Draft<'_>]) -> Ids {
        let id = |draft: &Draft<'_>| match project_of(draft.definition) {
            Some(project) => format!("{project}:{}", draft.row.id),
            None => draft.row.id.clone(),
        };
        let by_definition = |definition: &Definition, kind: &str| {
            let mut same =
                drafts.iter().filter(|it| it.row.kind == kind && std::ptr::eq(it.definition, definition));
            same.next().map(&id)
        };
        let interface = |class: &str, definition: &Definition| {
            let name = class.rsplit("::").next().unwrap_or(class).trim_end_matches("::Trait");
            let mut all = drafts.iter().filter(|it| it.row.kind == "interface" && it.row.name == name);
            let project = project_of(definition).map(|project| format!("{project}:")).unwrap_or_default();
            all.next().map_or_else(|| format!("{project}{}", stem("", "interface", name)), &id)
        };
        let traits = document.traits.iter().map(|it| match it.kind {
            TraitKind::Interface => Some(interface(it.cpp_name.trim_end_matches("::Trait"), &it.definition)),
            _ => by_definition(&it.definition, "trait"),
        });
        let constraints = document.constraints.iter().map(|it| by_definition(&it.definition, "constraint"));
        let operations =
            drafts.iter().filter(|it| it.row.kind == "op").map(|it| (it.row.name.clone(), id(it)));
        let dialects = document.dialects.iter().filter_map(|it| {
            let class = format!("{}::{}", it.cpp_namespace.trim_start_matches("::"), it.cpp_class);
            Some((class, by_definition(&it.definition, "dialect")?))
        });
        let keyed = drafts.iter().filter_map(|it| {
            let kind = ["op", "type", "attr", "pass", "pattern", "constraint"]
                .into_iter()
                .find(|kind| *kind == it.row.kind)?;
            let record = it.definition.record.clone().unwrap_or_else(|| it.row.name.clone());
            Some(((kind, it.definition.location.clone(), record), it.row.id.clone()))
        });
        Ids {
            constraints: constraints.collect(),
            traits: traits.collect(),
            operations: operations.collect(),
            dialects: dialects.collect(),
            drafts: keyed.collect(),
        }
    }

    fn user(&self, kind: &'static str, definition: &Definition, name: &str) -> Option<String> {
        let record = definition.record.clone().unwrap_or_else(|| name.to_owned());
        self.drafts.get(&(kind, definition.location.clone(), record)).cloned()
    }
}

/// The constraints that others are made of: by their base, or as parts of their predicate, as `AnyTypeOf` and `ConfinedType`
/// have them.
struct Components<'d> {
    document: &'d Document,
    /// The first named constraint with each predicate.
    by_predicate: BTreeMap<String, usize>,
}

impl<'d> Components<'d> {
    /// Constraints are made of each other no deeper than this.
    const MOST_NESTED: usize = 16;

    fn new(document: &'d Document) -> Components<'d> {
        let mut by_predicate = BTreeMap::new();
        let named = document.constraints.iter().enumerate().filter(|(_, it)| it.definition.record.is_some());
        for (index, it) in named {
            if let Some(predicate) = &it.predicate {
                by_predicate.entry(Self::key(predicate)).or_insert(index);
            }
        }
        Components { document, by_predicate }
    }

    fn key(predicate: &Predicate) -> String {
        // Every predicate has a form in JSON.
        serde_json::to_string(predicate).unwrap_or_default()
    }

    /// Returns the constraints that one is made of directly.
    fn of(&self, index: usize, constraint: &Constraint) -> Vec<usize> {
        if let Some(base) = base_of(constraint) {
            return vec![base];
        }
        let children = match &constraint.predicate {
            Some(Predicate::And { children } | Predicate::Or { children }) => children.as_slice(),
            _ => &[],
        };
        let parts = children.iter().filter_map(|child| self.by_predicate.get(&Self::key(child)).copied());
        parts.filter(|part| *part != index).collect()
    }

    /// Returns a constraint if it has a name, else the named ones that it is made of.
    fn named(&self, index: usize, depth: usize) -> Vec<usize> {
        match self.document.constraints.get(index) {
            Some(it) if it.definition.record.is_some() => vec![index],
            Some(it) if depth < Self::MOST_NESTED => {
                self.of(index, it).into_iter().flat_map(|part| self.named(part, depth + 1)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the project that a definition of another one comes from: `mlir`, or the name of the dependency.
fn project_of(definition: &Definition) -> Option<String> {
    let file = definition.location.as_ref().filter(|_| definition.is_library)?.file.as_str();
    let name = file.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
    Some(name.filter(|name| !name.starts_with("mlir-")).unwrap_or("mlir").to_owned())
}

fn uses(document: &Document, ids: &Ids) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut add = |target: Option<&String>, user: &str, how: &str| {
        if let Some(target) = target {
            uses.push(Use { target: target.clone(), user: user.to_owned(), how: how.to_owned() });
        }
    };
    let made_of = Components::new(document);
    // Using an anonymous constraint counts as using the named ones that it is made of.
    let constraints = |index: usize| {
        let all = made_of.named(index, 0);
        all.into_iter().filter_map(|index| ids.constraints.get(index)?.as_ref())
    };
    let of_trait = |index: usize| {
        let how = match document.traits.get(index).map(|it| it.kind) {
            Some(TraitKind::Interface) => "interface",
            _ => "trait",
        };
        (ids.traits.get(index).and_then(Option::as_ref), how)
    };
    for op in document.operations.iter().filter(|it| !it.definition.is_library) {
        let Some(user) = ids.user("op", &op.definition, &op.mnemonic) else { continue };
        let lists = [&op.arguments, &op.derived_attributes, &op.results, &op.regions, &op.successors];
        for part in lists.into_iter().flatten() {
            for id in constraints(part.constraint) {
                add(Some(id), &user, part_kind(part.kind));
            }
        }
        for (id, how) in op.traits.iter().map(|&index| of_trait(index)) {
            add(id, &user, how);
        }
    }
    for (kind, list) in [("type", &document.types), ("attr", &document.attributes)] {
        for def in list.iter().filter(|it| !it.definition.is_library) {
            let name = def.mnemonic.as_ref().unwrap_or(&def.cpp_class);
            let Some(user) = ids.user(kind, &def.definition, name) else { continue };
            for (id, how) in def.traits.iter().map(|&index| of_trait(index)) {
                add(id, &user, how);
            }
            for id in def.parameters.iter().filter_map(|it| it.constraint).flat_map(constraints) {
                add(Some(id), &user, "parameter");
            }
        }
    }
    for (index, it) in document.constraints.iter().enumerate().filter(|(_, it)| !it.definition.is_library) {
        if let Some(Some(user)) = ids.constraints.get(index) {
            for id in made_of.of(index, it).into_iter().flat_map(constraints) {
                add(Some(id), user, "base");
            }
        }
    }
    for pattern in document.patterns.iter().filter(|it| !it.definition.is_library) {
        let Some(user) = ids.user("pattern", &pattern.definition, &pattern.root) else { continue };
        add(ids.operations.get(&pattern.root), &user, "matches");
        for name in &pattern.generated_operations {
            add(ids.operations.get(name), &user, "creates");
        }
    }
    for pass in document.passes.iter().filter(|it| !it.definition.is_library) {
        let Some(user) = ids.user("pass", &pass.definition, &pass.argument) else { continue };
        for class in &pass.dependent_dialects {
            let class = class.trim_start_matches("::");
            add(ids.dialects.get(class), &user, "depends");
        }
    }
    uses
}
