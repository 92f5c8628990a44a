//! The model as a document for other programs, which is written and read: `model.json`.
//!
//! A [`Document`] is plain data with a version; its JSON Schema follows from the types here. It holds the models of all
//! roots: a definition that several roots share appears once, and lists its roots.
//!
//! | file | what |
//! | --- | --- |
//! | [`op`] | operations |
//! | [`defs`] | dialects, attributes, types, enums, interfaces, passes |
//! | [`constraint`] | constraints on operands, attributes, properties and the like |
//! | [`mod@format`] | assembly formats as trees |
//! | [`grammar`] | assembly formats as languages: the texts that can be printed |
//! | [`code`] | the interface of generated code, and codes of bytecode |
//! | [`pattern`] | rewrite patterns |
//! | `added` | fields that a project adds to its records |
//! | [`facts`] | short values of these fields, for people |
//! | `definition_set` | definitions of several roots, each once |
//! | `id` | names of symbols that do not depend on files and lines |
//! | [`symbols`] | a row for each definition, and who uses it |
//! | [`query`] | questions over symbols |
//! | `variants` | one row for each definition that roots read in several shapes |
//!
//! Texts that an author did not give are empty; optional data that is missing is left out.

mod added;
pub mod code;
pub mod constraint;
mod definition_set;
pub mod defs;
pub mod facts;
pub mod format;
pub mod grammar;
mod id;
pub mod op;
pub mod pattern;
pub mod query;
pub mod symbols;
mod variants;
pub mod words;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use code::{Declarations, Encoding};
use constraint::Constraint;
use definition_set::{Defined, DefinitionSet, Dependency, defined, size_of};
use defs::{AttrOrType, Dialect, Enum, Interface, Pass};
use grammar::{Format, read};
use odsmith_ods::{DefKind, Model};
use odsmith_release::{Rules, fields};
use odsmith_tablegen::{
    cancel::Cancel,
    diagnostic::{Code, Diagnostic},
    limits::cancelled_job,
    parallel::{self, Spare},
    record::{Identities, Rec, RecordId, Records},
    source::is_foreign,
    span::Span,
};
use op::{Operation, Trait};
use pattern::{Pattern, SharedMatch};

/// The version of the document. It changes whenever programs that read the document would have to change.
pub const SCHEMA: u32 = 1;

/// The model of every root of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Document)]
pub struct Document {
    /// The version of this format.
    pub schema: u32,
    /// The MLIR release whose rules apply.
    pub mlir: String,
    /// The root files.
    pub roots: Vec<String>,
    /// Dialects.
    pub dialects: Vec<Dialect>,
    /// Operations.
    pub operations: Vec<Operation>,
    /// Attributes with parameters (`AttrDef`).
    pub attributes: Vec<AttrOrType>,
    /// Types with parameters (`TypeDef`).
    pub types: Vec<AttrOrType>,
    /// Enums.
    pub enums: Vec<Enum>,
    /// Interfaces of operations, attributes, types and dialects.
    pub interfaces: Vec<Interface>,
    /// Constraints on operands, results, attributes, properties, regions and successors: all that are used, and all
    /// named ones that the bundle defines.
    pub constraints: Vec<Constraint>,
    /// Traits of operations, attributes and types: all that are used.
    pub traits: Vec<Trait>,
    /// Passes.
    pub passes: Vec<Pass>,
    /// Rewrite patterns.
    pub patterns: Vec<Pattern>,
    /// Parts of source patterns that occur more than once; patterns refer to them by root and number.
    pub shared_matches: Vec<SharedMatch>,
    /// Codes of the dialects' own bytecode (`-gen-bytecode`).
    #[serde(default)]
    pub encodings: Vec<Encoding>,
    /// Definitions that break a rule of the model, and therefore are not among the others.
    pub refused: Vec<Refused>,
}

/// The origin of a definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Definition)]
pub struct Definition {
    /// The name of its record; nothing for an anonymous one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Its position, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The positions of fields that one of its classes sets, unless it is one of the library.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<String, Location>,
    /// True if it is in MLIR's own library rather than in the bundle.
    pub is_library: bool,
    /// The roots that have it, as indexes into the document's `roots`: first the one that reads it as it is here.
    pub roots: Vec<usize>,
    /// The number of other shapes in which roots read it: a root may lack an include that adds a trait.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub variants: usize,
    /// The reason for its deprecation, if it is deprecated (`Deprecated`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The fields that the project adds to those of MLIR's classes: numbers, texts, booleans of bits, lists, `def` and
    /// its name, dags with `operator` and `arguments`; `null` without a value. Very long ones are left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, serde_json::Value>,
}

/// Data that the generators derive from an operation, attribute or type, so that a comparison need not generate
/// anything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Generated)]
pub struct Generated {
    /// Its assembly format as a language; nothing if it has none, or one that breaks a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<Format>,
    /// The functions that users can call, unless the class cannot be generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declarations: Option<Declarations>,
}

impl Generated {
    fn of_operation(op: &odsmith_ods::Operation<'_>) -> Self {
        let format = op.assembly_format().and_then(|text| odsmith_ods::format::OpFormat::new(op, text).ok());
        Generated {
            grammar: format.map(|format| read::of_operation(op, &format).without_code()),
            declarations: Declarations::of_operation(op),
        }
    }

    fn of_definition(def: &odsmith_ods::AttrOrTypeDef<'_>) -> Self {
        let text = def.assembly_format();
        let format = text.and_then(|text| odsmith_ods::format::DefFormat::new(def, text).ok());
        Generated {
            grammar: format.map(|format| read::of_definition(def, &format)),
            declarations: Declarations::of_definition(def),
        }
    }
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Location)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1 and in bytes.
    pub column: u32,
}

defined!(Refused);

/// A definition that breaks a rule of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Refused)]
pub struct Refused {
    /// The definition.
    pub definition: Definition,
    /// The error.
    pub message: String,
}

/// A root file of a bundle, with its definitions.
#[derive(Clone, Copy, Debug)]
pub struct Root<'r> {
    /// The file.
    pub td: &'r str,
    /// Its records.
    pub records: &'r Records,
}

/// The fields whose positions are given, if a class sets them: those that a comparison is about.
const PLACED_FIELDS: &[&str] = &[
    "arguments",
    "results",
    "regions",
    "successors",
    "parameters",
    "assemblyFormat",
    "hasCustomAssemblyFormat",
    "builders",
    "skipDefaultBuilders",
    "extraClassDeclaration",
    "hasVerifier",
    "hasRegionVerifier",
    "hasFolder",
    "hasCanonicalizer",
    "hasCanonicalizeMethod",
    "genVerifyDecl",
];

/// The context in which a definition is read.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'a> {
    library_root: &'a str,
    root: usize,
    extent: Extent,
}

impl Cx<'_> {
    pub(crate) fn definition(&self, rec: Rec<'_>) -> Definition {
        let is_library = self.is_library(rec);
        let location = self.location(rec, rec.span());
        let fields = match is_library || self.extent == Extent::Compared {
            true => BTreeMap::new(),
            false => added::fields(rec, |class| self.is_library(class)),
        };
        let places = if is_library { BTreeMap::new() } else { self.places(rec) };
        Definition {
            record: name(rec),
            location,
            places,
            is_library,
            roots: vec![self.root],
            variants: 0,
            deprecated: odsmith_ods::Definition::new(rec).deprecated().map(str::to_owned),
            fields,
        }
    }

    /// Returns a position. Files of other projects are named in the same way as the library's.
    fn location(&self, rec: Rec<'_>, span: Span) -> Option<Location> {
        let (buffer, at) = rec.records().sources().position(span)?;
        Some(Location { file: self.shown(&buffer.name), line: at.line, column: at.column })
    }

    /// Returns the positions of fields that classes of the project set.
    fn places(&self, rec: Rec<'_>) -> BTreeMap<String, Location> {
        let of_field = |field: &&str| {
            let place_in = |rec: Rec<'_>| odsmith_ods::Definition::new(rec).place_of(field);
            let own = place_in(rec)?;
            let is_of_class = rec.superclasses().any(|class| place_in(class) == Some(own));
            (is_of_class && !self.is_in_library(rec, own)).then(|| self.location(rec, own)).flatten()
        };
        PLACED_FIELDS.iter().filter_map(|field| Some(((*field).to_owned(), of_field(field)?))).collect()
    }

    /// Returns whether a record belongs to the library, or to another project.
    fn is_library(&self, rec: Rec<'_>) -> bool {
        self.is_in_library(rec, rec.span())
    }

    fn is_in_library(&self, rec: Rec<'_>, span: Span) -> bool {
        let buffer = rec.records().sources().buffer_of(span);
        buffer.is_some_and(|buffer| is_foreign(&buffer.name, self.library_root))
    }

    /// Returns the name of a file; for a file of the library, its path below the library's root.
    fn shown(&self, file: &str) -> String {
        let below = file.strip_prefix(self.library_root).map(|path| path.trim_start_matches('/'));
        below.unwrap_or(file).to_owned()
    }
}

/// Returns the name of a record; nothing for the generated name of an anonymous one.
pub(crate) fn name(rec: Rec<'_>) -> Option<String> {
    (!rec.is_anonymous()).then(|| rec.name().to_owned())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Returns a text, unless it is empty.
pub(crate) fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The extent of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything.
    Whole,
    /// The data that comparisons read: not the fields that projects add to their records.
    Compared,
}

/// The builder of documents, with its settings.
#[derive(Clone, Debug)]
pub struct Maker<'a> {
    /// The rules of the release that the records were evaluated for.
    pub rules: &'a Rules,
    /// The folder that contains the library's files.
    pub library_root: &'a str,
    /// The extent of the documents.
    pub extent: Extent,
    /// Maximum size of a document as JSON, in bytes.
    pub most_bytes: u64,
    /// Stops the work.
    pub stop: Cancel,
    /// Threads that may help.
    pub spare: Spare,
}

impl<'a> Maker<'a> {
    /// Creates a builder of whole documents of any size, which works on one thread and to the end.
    #[must_use]
    pub fn new(rules: &'a Rules, library_root: &'a str) -> Self {
        let (extent, most_bytes) = (Extent::Whole, u64::MAX);
        Maker { rules, library_root, extent, most_bytes, stop: Cancel::new(), spare: Spare::default() }
    }

    /// Builds the document of these roots.
    ///
    /// # Errors
    /// The document would be too large, a root's model cannot be read, or the work was stopped.
    pub fn document(&self, roots: &[Root<'_>]) -> Result<Document, Diagnostic> {
        let &Maker { rules, library_root, extent, most_bytes, ref stop, ref spare } = self;
        let mut all = Collection {
            identities: (roots.len() > 1).then(Identities::default),
            bytes_left: Some(most_bytes),
            stop: stop.clone(),
            spare: spare.clone(),
            ..Collection::default()
        };
        for (index, root) in roots.iter().enumerate() {
            all.begin(root.records);
            let model = Model::new(root.records);
            model.check()?;
            all.root(&model, Cx { library_root, root: index, extent });
        }
        if stop.is_cancelled() {
            return Err(*cancelled_job());
        }
        if all.bytes_left.is_none() {
            let message =
                format!("the model takes more than the limit of {most_bytes} bytes for all outputs");
            return Err(Diagnostic { code: Code::Limit, ..Diagnostic::error(Span::NONE, message) });
        }
        all.merge_variants(roots);
        Ok(all.into_document(rules, roots))
    }
}

/// Checks that the model of a root can be read.
///
/// # Errors
/// It cannot.
pub fn check(records: &Records) -> Result<(), Diagnostic> {
    Model::new(records).check()
}

/// The document while it is built.
#[derive(Default)]
pub(crate) struct Collection<'r> {
    dialects: DefinitionSet<Dialect>,
    operations: DefinitionSet<Operation>,
    attributes: DefinitionSet<AttrOrType>,
    types: DefinitionSet<AttrOrType>,
    enums: DefinitionSet<Enum>,
    interfaces: DefinitionSet<Interface>,
    constraints: DefinitionSet<Constraint>,
    traits: DefinitionSet<Trait>,
    passes: DefinitionSet<Pass>,
    patterns: DefinitionSet<Pattern>,
    shared_matches: Vec<SharedMatch>,
    encodings: Vec<Encoding>,
    refused: DefinitionSet<Refused>,
    /// Identities of records that several roots share; nothing for a single root.
    identities: Option<Identities<'r>>,
    /// The indexes of the constraints and traits of the current root.
    constraint_of: FxHashMap<RecordId, usize>,
    trait_of: FxHashMap<RecordId, usize>,
    /// The bytes that are left; nothing after the limit was exceeded.
    bytes_left: Option<u64>,
    /// Stops the work.
    stop: Cancel,
    /// Threads that may help.
    spare: Spare,
}

/// Access to the definitions of one kind.
struct Kind<'r, T> {
    /// Returns their list in the collection.
    list: for<'a> fn(&'a mut Collection<'r>) -> &'a mut DefinitionSet<T>,
    /// The record that they look up by its name, and to which their own records do not refer.
    named: Option<&'static str>,
}

impl<T> Clone for Kind<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Kind<'_, T> {}

impl<'r, T> Kind<'r, T> {
    fn of(list: for<'a> fn(&'a mut Collection<'r>) -> &'a mut DefinitionSet<T>) -> Self {
        Kind { list, named: None }
    }
}

impl<'r> Collection<'r> {
    /// Starts the next root.
    fn begin(&mut self, records: &'r Records) {
        self.constraint_of.clear();
        self.trait_of.clear();
        if let Some(identities) = &mut self.identities {
            identities.begin(records);
        }
    }

    /// Returns the index of a constraint.
    fn constraint(&mut self, rec: Rec<'r>, cx: Cx<'_>) -> usize {
        if let Some(&index) = self.constraint_of.get(&rec.id()) {
            return index;
        }
        // A constraint that wraps itself would not end.
        self.constraint_of.insert(rec.id(), 0);
        let kind = Kind::of(|all| &mut all.constraints);
        let index = self.once(rec, cx, kind, |all, rec| {
            let constraint = Constraint::new(odsmith_ods::Constraint::new(rec), cx, all);
            Ok(all.constraints.add(constraint, &mut all.bytes_left))
        });
        let index = index.unwrap_or(0);
        self.constraint_of.insert(rec.id(), index);
        index
    }

    /// Returns the index of a trait.
    fn trait_of(&mut self, t: odsmith_ods::Trait<'r>, cx: Cx<'_>) -> usize {
        if let Some(&index) = self.trait_of.get(&t.rec().id()) {
            return index;
        }
        let kind = Kind::of(|all| &mut all.traits);
        let index =
            self.once(t.rec(), cx, kind, |all, _| Ok(all.traits.add(Trait::new(t, cx), &mut all.bytes_left)));
        let index = index.unwrap_or(0);
        self.trait_of.insert(t.rec().id(), index);
        index
    }

    /// Returns the index of a record's definition: the same as in an earlier root that has the same record.
    ///
    /// # Errors
    /// The definition cannot be built.
    fn once<T: Defined>(
        &mut self,
        rec: Rec<'r>,
        cx: Cx<'_>,
        kind: Kind<'r, T>,
        make: impl FnOnce(&mut Self, Rec<'r>) -> Result<usize, Diagnostic>,
    ) -> Result<usize, Diagnostic> {
        let named = kind.named.and_then(|name| rec.records().def(name));
        let identity = self.identities.as_mut().and_then(|all| all.number(rec, named));
        if let Some(&index) = identity.and_then(|identity| (kind.list)(self).by_identity.get(&identity)) {
            let mut dependencies = Vec::new();
            if (kind.list)(self).share(index, cx.root, &mut dependencies) {
                self.share_with_dependencies(dependencies, cx.root);
            }
            return Ok(index);
        }
        let index = make(self, rec)?;
        // A definition that exceeded the limit has no index.
        if let Some(identity) = identity.filter(|_| self.bytes_left.is_some()) {
            (kind.list)(self).by_identity.insert(identity, index);
        }
        Ok(index)
    }

    /// Adds a root to these dependencies, and to their own.
    fn share_with_dependencies(&mut self, mut dependencies: Vec<Dependency>, root: usize) {
        while let Some(next) = dependencies.pop() {
            match next {
                Dependency::Constraint(index) => self.constraints.share(index, root, &mut dependencies),
                Dependency::Trait(index) => self.traits.share(index, root, &mut dependencies),
            };
        }
    }

    fn into_document(self, rules: &Rules, roots: &[Root<'_>]) -> Document {
        Document {
            schema: SCHEMA,
            mlir: rules.release_name().to_owned(),
            roots: roots.iter().map(|root| root.td.to_owned()).collect(),
            dialects: self.dialects.items,
            operations: self.operations.items,
            attributes: self.attributes.items,
            types: self.types.items,
            enums: self.enums.items,
            interfaces: self.interfaces.items,
            constraints: self.constraints.items,
            traits: self.traits.items,
            passes: self.passes.items,
            patterns: self.patterns.items,
            shared_matches: self.shared_matches,
            encodings: self.encodings,
            refused: self.refused.items,
        }
    }

    /// Returns whether the limit is not exceeded and the work not stopped.
    fn goes_on(&self) -> bool {
        self.bytes_left.is_some() && !self.stop.is_cancelled()
    }

    fn root(&mut self, model: &Model<'r>, cx: Cx<'_>) {
        let records = model.records();
        for dialect in model.dialects() {
            self.dialects.add(Dialect::new(dialect, cx), &mut self.bytes_left);
        }
        self.operations(model.operation_records(), cx);
        let kind = Kind::of(|all| &mut all.attributes);
        self.definitions(DefKind::Attribute, records, cx, kind);
        let kind = Kind::of(|all| &mut all.types);
        self.definitions(DefKind::Type, records, cx, kind);
        let kind = Kind::of(|all| &mut all.enums);
        self.each(records.derived(fields::ENUM.of(records.rules())), cx, kind, |all, rec| {
            Ok(all.enums.add(Enum::new(&odsmith_ods::EnumInfo::new(rec)?, cx), &mut all.bytes_left))
        });
        let interfaces = records.derived("Interface").filter(|rec| !rec.is_anonymous());
        let kind = Kind::of(|all| &mut all.interfaces);
        self.each(interfaces, cx, kind, |all, rec| {
            let interface = Interface::new(odsmith_ods::Interface::new(rec), cx);
            Ok(all.interfaces.add(interface, &mut all.bytes_left))
        });
        let kind = Kind::of(|all| &mut all.passes);
        self.each(records.derived("PassBase"), cx, kind, |all, rec| {
            let pass = Pass::new(rec, &odsmith_ods::Pass::new(rec)?, cx);
            Ok(all.passes.add(pass, &mut all.bytes_left))
        });
        for encoding in odsmith_generators::members::encodings(records) {
            let encoding = Encoding::new(encoding);
            // Several roots may include one list.
            if !self.encodings.contains(&encoding) {
                let size = size_of(&encoding);
                self.bytes_left = self.bytes_left.and_then(|left| left.checked_sub(size));
                self.encodings.push(encoding);
            }
        }
        // Only those constraints of the library that are used.
        for rec in records.derived("Constraint").filter(|rec| !rec.is_anonymous() && !cx.is_library(*rec)) {
            if !self.goes_on() {
                return;
            }
            self.constraint(rec, cx);
        }
        self.patterns(model, cx);
    }

    fn operations(&mut self, recs: impl Iterator<Item = Rec<'r>>, cx: Cx<'_>) {
        let kind = Kind { named: Some(op::INFERENCE), ..Kind::of(|all| &mut all.operations) };
        let mut new = Vec::new();
        self.each(recs, cx, kind, |all, rec| {
            let view = odsmith_ods::Operation::named(rec)?;
            let op = Operation::new(&view, cx, all);
            Ok(all.operations.add_new(op, &mut all.bytes_left, view, &mut new))
        });
        self.generate(&new, kind, Generated::of_operation);
    }

    /// Adds attributes or types.
    fn definitions(
        &mut self,
        def_kind: DefKind,
        records: &'r Records,
        cx: Cx<'_>,
        kind: Kind<'r, AttrOrType>,
    ) {
        let mut new = Vec::new();
        self.each(records.derived(def_kind.class()), cx, kind, |all, rec| {
            let view = odsmith_ods::AttrOrTypeDef::new(rec, def_kind)?;
            let def = AttrOrType::new(&view, cx, all);
            let mut bytes_left = all.bytes_left;
            let index = (kind.list)(all).add_new(def, &mut bytes_left, view, &mut new);
            all.bytes_left = bytes_left;
            Ok(index)
        });
        self.generate(&new, kind, Generated::of_definition);
    }

    /// Generates the derived data of new definitions, on this thread and idle ones.
    fn generate<T: Defined, V: Sync>(
        &mut self,
        new: &[(usize, V)],
        kind: Kind<'r, T>,
        generated: impl Fn(&V) -> Generated + Sync,
    ) {
        if new.is_empty() {
            return;
        }
        let stop = &self.stop;
        let generated = parallel::map_on(&self.spare, new, |(_, view)| {
            if stop.is_cancelled() { Generated::default() } else { generated(view) }
        });
        for ((index, _), generated) in new.iter().zip(generated) {
            let size = size_of(&generated);
            self.bytes_left = self.bytes_left.and_then(|left| left.checked_sub(size));
            if let Some(place) = (kind.list)(self).items[*index].generated() {
                *place = generated;
            }
        }
    }

    /// Reads definitions until the byte limit is reached or the work is stopped; those that break a rule are listed as
    /// refused.
    fn each<T: Defined>(
        &mut self,
        recs: impl Iterator<Item = Rec<'r>>,
        cx: Cx<'_>,
        kind: Kind<'r, T>,
        mut make: impl FnMut(&mut Self, Rec<'r>) -> Result<usize, Diagnostic>,
    ) {
        for rec in recs {
            if !self.goes_on() {
                return;
            }
            if let Err(error) = self.once(rec, cx, kind, &mut make) {
                self.refuse(rec, &error, cx);
            }
        }
    }

    fn patterns(&mut self, model: &Model<'r>, cx: Cx<'_>) {
        let all = match model.patterns() {
            Ok(all) => all,
            // Patterns are read together, so one mistake rejects all of them.
            Err(error) => {
                for rec in model.records().derived("Pattern") {
                    if self.goes_on() {
                        self.refuse(rec, &error, cx);
                    }
                }
                return;
            }
        };
        for pattern in &all.patterns {
            if !self.goes_on() {
                return;
            }
            let pattern = Pattern::new(pattern, cx, self);
            self.patterns.add(pattern, &mut self.bytes_left);
        }
        for (number, part) in all.shared.iter().enumerate() {
            let part = SharedMatch::new(number, part, cx, self);
            self.bytes_left = self.bytes_left.and_then(|left| left.checked_sub(size_of(&part)));
            self.shared_matches.push(part);
        }
    }

    fn refuse(&mut self, rec: Rec<'r>, error: &Diagnostic, cx: Cx<'_>) {
        let refused = Refused { definition: cx.definition(rec), message: error.message.clone() };
        self.refused.add(refused, &mut self.bytes_left);
    }
}

impl Document {
    /// Reads the output of [`Document::to_json`].
    ///
    /// # Errors
    /// The bytes are not such a document, or one of another version.
    pub fn from_json(bytes: &[u8]) -> Result<Document, String> {
        /// The version, which is read first: other versions have other fields.
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let Version { schema } = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if schema != SCHEMA {
            return Err(format!("it has version {schema} of the format, and this program reads {SCHEMA}"));
        }
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }

    /// Visits the origin of each definition.
    pub fn definitions_mut(&mut self, visit: &mut dyn FnMut(&mut Definition)) {
        self.dialects.iter_mut().for_each(|it| visit(&mut it.definition));
        self.operations.iter_mut().for_each(|it| visit(&mut it.definition));
        self.attributes.iter_mut().chain(&mut self.types).for_each(|it| visit(&mut it.definition));
        self.enums.iter_mut().for_each(|it| visit(&mut it.definition));
        self.interfaces.iter_mut().for_each(|it| visit(&mut it.definition));
        self.constraints.iter_mut().for_each(|it| visit(&mut it.definition));
        self.traits.iter_mut().for_each(|it| visit(&mut it.definition));
        self.passes.iter_mut().for_each(|it| visit(&mut it.definition));
        self.patterns.iter_mut().for_each(|it| visit(&mut it.definition));
        self.refused.iter_mut().for_each(|it| visit(&mut it.definition));
    }

    /// Writes the document as JSON, each definition on a line of its own, so that people can compare two documents.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let lists = [
            ("roots", lines(&self.roots)),
            ("dialects", lines(&self.dialects)),
            ("operations", lines(&self.operations)),
            ("attributes", lines(&self.attributes)),
            ("types", lines(&self.types)),
            ("enums", lines(&self.enums)),
            ("interfaces", lines(&self.interfaces)),
            ("constraints", lines(&self.constraints)),
            ("traits", lines(&self.traits)),
            ("passes", lines(&self.passes)),
            ("patterns", lines(&self.patterns)),
            ("shared_matches", lines(&self.shared_matches)),
            ("encodings", lines(&self.encodings)),
            ("refused", lines(&self.refused)),
        ];
        let mut text = format!("{{\n\"schema\": {},\n\"mlir\": \"{}\"", self.schema, self.mlir);
        for (name, lines) in lists {
            text += &format!(",\n\"{name}\": {lines}");
        }
        text += "\n}\n";
        text.into_bytes()
    }
}

/// Writes a list as JSON, one item per line.
fn lines<T: Serialize>(items: &[T]) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    // Every part of an item has a form in JSON.
    let lines: Vec<String> =
        items.iter().map(|item| serde_json::to_string(item).unwrap_or_default()).collect();
    format!("[\n{}\n]", lines.join(",\n"))
}
