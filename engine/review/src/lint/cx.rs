//! The context of the rules: a root's own definitions, their places in files, and the list of findings.

use std::cell::RefCell;

use odsmith_ods::{
    AttrOrTypeDef, DefKind, Definition, Dialect, EnumInfo, Interface, Model, Operation, Pass, PatternDef,
    format::{DefFormat, OpFormat},
};
use odsmith_release::fields;
use odsmith_tablegen::{
    outline::{Kind, Statement},
    record::Rec,
    span::Span,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Config, Outline, Root, Rule, Stop,
    finding::{Edit, Finding, Fix, Location, of_rule, shorten, text_bytes},
    naming::Words,
    place_in,
    rule::{Fixable, Level},
};

/// An operation, its name and its format.
pub(super) struct Op<'r> {
    pub op: Operation<'r>,
    pub subject: Subject<'r>,
    /// The declarative format, if there is one and it is valid.
    pub format: Option<OpFormat<'r>>,
}

/// An attribute or type with parameters, its name and its format.
pub(super) struct Def<'r> {
    pub def: AttrOrTypeDef<'r>,
    pub subject: Subject<'r>,
    pub format: Option<DefFormat<'r>>,
}

/// The symbol that a finding is about.
#[derive(Clone, Debug)]
pub(super) struct Subject<'r> {
    /// The stable id of the symbol.
    pub id: String,
    /// The symbol's dialect; may be empty.
    pub dialect: &'r str,
    pub rec: Rec<'r>,
}

/// Names that are collected from all roots of a bundle.
#[derive(Debug, Default)]
pub(super) struct BundleNames {
    /// The names of all operations.
    pub operations: FxHashSet<String>,
    /// The names of dialects that have operations.
    pub dialects: FxHashSet<String>,
    /// The names of dialects that have types of their own.
    pub dialects_with_types: FxHashSet<String>,
    /// Types and attributes: `!ex.box`.
    pub definitions: FxHashSet<String>,
    /// Dialects with a generated parser for types (`!`) or attributes (`#`), which accepts only defined ones: `!ex`.
    closed: FxHashSet<String>,
    /// C++ classes of enums whose keywords an attribute or parameter prints without quotes.
    pub bare_enums: FxHashSet<String>,
    /// Dialects that the user's files define: name and C++ class with its namespace.
    pub classes: Vec<(String, String)>,
    /// Dialects that are loaded with others: the name of the other one, and the last part of the loaded class.
    pub loaded_with: FxHashSet<(String, String)>,
}

impl BundleNames {
    pub fn new(roots: &[Root<'_>], by_name: &FxHashMap<&str, usize>) -> BundleNames {
        let mut known = BundleNames::default();
        for root in roots {
            for rec in root.records.derived("Op") {
                let definition = Definition::new(rec);
                let dialect = definition.dialect().map(Dialect::name).unwrap_or_default();
                if known.operations.insert(definition.name()) {
                    known.dialects.insert(dialect.to_owned());
                }
            }
            for rec in root.records.derived("TypeDef") {
                let dialect = Definition::new(rec).dialect().map(Dialect::name).unwrap_or_default();
                if !known.dialects_with_types.contains(dialect) {
                    known.dialects_with_types.insert(dialect.to_owned());
                }
            }
            for kind in DefKind::ALL {
                let sign = kind.mark();
                for rec in root.records.derived(kind.class()) {
                    let definition = Definition::new(rec);
                    let Some(dialect) = definition.dialect() else { continue };
                    // The first definition brings the parser for all of them.
                    let is_closed = match kind {
                        DefKind::Type => dialect.has_default_type_parser(),
                        DefKind::Attribute => dialect.has_default_attribute_parser(),
                    };
                    let is_new = known.definitions.insert(format!("{sign}{}", definition.name()));
                    if is_closed && is_new {
                        known.closed.insert(format!("{sign}{}", dialect.name()));
                    }
                }
            }
            known.bare_enums.extend(odsmith_ods::enums::printed_bare(root.records).map(str::to_owned));
            for rec in root.records.derived("Dialect") {
                let dialect = Dialect::new(rec);
                let buffer = root.records.sources().buffer_of(rec.span());
                let is_own = buffer.is_some_and(|buffer| by_name.contains_key(&*buffer.name));
                let entry = (
                    dialect.name().to_owned(),
                    format!("{}::{}", dialect.cpp_namespace(), dialect.cpp_class_name()),
                );
                if is_own && !known.classes.contains(&entry) {
                    known.classes.push(entry);
                }
                for loaded in dialect.dependent_dialects() {
                    let class = loaded.rsplit("::").next().unwrap_or_default().trim().to_owned();
                    known.loaded_with.insert((dialect.name().to_owned(), class));
                }
            }
        }
        known
    }

    /// Returns true if a dialect accepts no types (`!`) or attributes (`#`) except those that are defined.
    pub fn is_closed(&self, sign: &str, dialect: &str) -> bool {
        self.closed.contains(&format!("{sign}{dialect}"))
    }
}

/// The inputs of rules that look at all files.
#[derive(Clone, Copy)]
pub(super) struct Bundle<'a> {
    pub config: &'a Config,
    pub outlines: &'a [Outline],
    pub by_name: &'a FxHashMap<&'a str, usize>,
    pub known: &'a BundleNames,
    /// The index of words, if a rule may need it.
    pub words: Option<&'a Words<'a>>,
    /// The signal to stop.
    pub stop: &'a Stop,
}

impl<'a> Bundle<'a> {
    /// Returns the two inputs that [`about_file`] findings need.
    pub fn means(self) -> (&'a Config, &'a Stop) {
        (self.config, self.stop)
    }
}

/// A root, its definitions and its findings, as the rules see them.
pub(super) struct Cx<'a, 'r> {
    pub model: &'a Model<'r>,
    pub config: &'a Config,
    pub root: &'a Root<'r>,
    outlines: &'a [Outline],
    by_name: &'a FxHashMap<&'a str, usize>,
    pub dialects: Vec<(Dialect<'r>, Subject<'r>)>,
    pub operations: Vec<Op<'r>>,
    pub definitions: Vec<Def<'r>>,
    pub enums: Vec<(EnumInfo<'r>, Subject<'r>)>,
    pub interfaces: Vec<(Interface<'r>, Subject<'r>)>,
    pub passes: Vec<(Pass<'r>, Subject<'r>)>,
    pub patterns: Vec<(PatternDef<'r>, Subject<'r>)>,
    /// Names from all roots of the bundle.
    pub known: &'a BundleNames,
    /// The index of words, if a rule may need it.
    pub words: Option<&'a Words<'a>>,
    pub stop: &'a Stop,
    findings: RefCell<Vec<Finding>>,
}

/// Returns a C++ name with its namespace, without the leading `::`.
fn qualified(namespace: &str, class: &str) -> String {
    let namespace = namespace.trim_start_matches("::");
    if namespace.is_empty() { class.to_owned() } else { format!("{namespace}::{class}") }
}

impl<'a, 'r> Cx<'a, 'r> {
    /// Collects the definitions of a root. `is_owned` returns true for the index of a file whose definitions belong to
    /// it.
    pub fn new(
        root: &'a Root<'r>,
        model: &'a Model<'r>,
        bundle: Bundle<'a>,
        is_owned: impl Fn(usize) -> bool,
    ) -> Self {
        let Bundle { config, outlines, by_name, known, words, stop } = bundle;
        let records = model.records();
        let mut cx = Cx {
            model,
            config,
            root,
            outlines,
            by_name,
            dialects: Vec::new(),
            operations: Vec::new(),
            definitions: Vec::new(),
            enums: Vec::new(),
            interfaces: Vec::new(),
            passes: Vec::new(),
            patterns: Vec::new(),
            known,
            words,
            stop,
            findings: RefCell::new(Vec::new()),
        };
        let own = |cx: &Cx<'_, 'r>, rec: Rec<'r>| cx.file_of(rec).is_some_and(&is_owned);
        let subject = |id: String, dialect: &'r str, rec: Rec<'r>| Subject { id, dialect, rec };
        for dialect in model.dialects().filter(|it| own(&cx, it.rec())).collect::<Vec<_>>() {
            let subject = subject(format!("dialect:{}", dialect.name()), dialect.name(), dialect.rec());
            cx.dialects.push((dialect, subject));
        }
        for rec in model.operation_records() {
            let op = own(&cx, rec).then(|| Operation::lenient(rec)).flatten();
            let Some(op) = op.filter(Operation::is_sound) else { continue };
            let subject = subject(op.name(), op.dialect().name(), rec);
            let format = op.assembly_format().and_then(|text| OpFormat::new(&op, text).ok());
            cx.operations.push(Op { op, subject, format });
        }
        for kind in DefKind::ALL {
            for rec in records.derived(kind.class()) {
                let def = own(&cx, rec).then(|| AttrOrTypeDef::lenient(rec, kind)).flatten();
                let Some(def) = def.filter(AttrOrTypeDef::is_sound) else { continue };
                let dialect = def.dialect().name();
                let name = def.mnemonic().unwrap_or(def.cpp_class_name());
                let subject = subject(format!("{dialect}{}{name}", kind.mark()), dialect, rec);
                let format = def.assembly_format().and_then(|text| DefFormat::new(&def, text).ok());
                cx.definitions.push(Def { def, subject, format });
            }
        }
        for rec in records.derived(fields::ENUM.of(records.rules())) {
            let Some(info) = own(&cx, rec).then(|| EnumInfo::new(rec).ok()).flatten() else { continue };
            let id = format!("enum:{}", qualified(info.cpp_namespace, info.class_name));
            cx.enums.push((info, subject(id, "", rec)));
        }
        for rec in records.derived("Interface").filter(|rec| !rec.is_anonymous()) {
            let interface = Interface::new(rec);
            // `DeclareInterfaceMethods` of an interface is the same interface.
            if own(&cx, rec) && !interface.declares_methods() {
                let id = format!("interface:{}", qualified(interface.cpp_namespace(), interface.name()));
                cx.interfaces.push((interface, subject(id, "", rec)));
            }
        }
        for rec in records.derived("PassBase") {
            let Some(pass) = own(&cx, rec).then(|| Pass::new(rec).ok()).flatten() else { continue };
            let id = format!("pass:{}", pass.argument);
            cx.passes.push((pass, subject(id, "", rec)));
        }
        for rec in records.derived("Pattern") {
            if own(&cx, rec) {
                let name = if rec.is_anonymous() {
                    PatternDef::new(rec).root().map(|root| Definition::new(root).name()).unwrap_or_default()
                } else {
                    rec.name().to_owned()
                };
                cx.patterns.push((PatternDef::new(rec), subject(format!("pattern:{name}"), "", rec)));
            }
        }
        cx
    }

    /// Returns the findings.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings.into_inner()
    }

    /// Returns true if a rule is enabled and the run was not stopped.
    pub fn wants(&self, rule: &Rule) -> bool {
        self.config.may_ask(rule) && self.goes_on()
    }

    /// Returns true if the run was not stopped.
    pub fn goes_on(&self) -> bool {
        self.stop.goes_on()
    }

    /// Returns the user's file of a name.
    pub fn file(&self, name: &str) -> Option<&'a Outline> {
        self.outlines.get(*self.by_name.get(name)?)
    }

    /// Adds a finding that was built without a draft.
    pub fn push(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    /// Returns the file and offset of a span, if it is in one of the user's files.
    pub fn spot(&self, span: Span) -> Option<(&'a Outline, usize)> {
        let (buffer, position) = self.model.records().sources().position(span)?;
        let outline = self.outlines.get(*self.by_name.get(&*buffer.name)?)?;
        Some((outline, outline.offset(position.line, position.column)))
    }

    /// Returns the user's file that defines a record; if the multiclass is MLIR's, the file of the `defm`.
    fn file_of(&self, rec: Rec<'_>) -> Option<usize> {
        rec.record().spans.iter().find_map(|&span| {
            let buffer = self.model.records().sources().buffer_of(span)?;
            self.by_name.get(&*buffer.name).copied()
        })
    }

    /// Returns the file and offset of a record's name.
    pub fn spot_of(&self, rec: Rec<'_>) -> Option<(&'a Outline, usize)> {
        rec.record().spans.iter().find_map(|&span| self.spot(span))
    }

    /// Returns the statement that defines a record.
    pub fn statement(&self, rec: Rec<'_>) -> Option<(&'a Outline, &'a Statement)> {
        let (outline, at) = self.spot_of(rec)?;
        Some((outline, outline.statement_at(at)?))
    }

    /// Returns the place of a record's name.
    pub fn place_of(&self, rec: Rec<'_>) -> Option<Location> {
        let (outline, at) = self.spot_of(rec)?;
        Some(token_place(outline, at))
    }

    /// Returns the place of `$name` in the dags of a record, or else the record's own.
    pub fn place_of_part(&self, rec: Rec<'_>, name: &str) -> Option<Location> {
        if !self.goes_on() {
            return None;
        }
        let found = self.statement(rec).and_then(|(outline, statement)| {
            let tokens = outline.code_in(statement.range());
            let mut variables = tokens.iter().filter(|token| token.kind == Kind::Variable);
            let token = variables.find(|token| outline.text_of(**token).get(1..) == Some(name))?;
            Some(place_in(outline, token.start, token.end))
        });
        found.or_else(|| self.place_of(rec))
    }

    /// Returns the place of a text in a record's value of a field, or else of the value, or else of the record.
    pub fn place_in_field(&self, rec: Rec<'_>, field: &str, text: &str) -> Option<Location> {
        let found = self.statement(rec).and_then(|(outline, statement)| {
            let item = outline.item(statement, field)?;
            let value = outline.value_of(item)?;
            let at = find_word(outline.slice(value.clone()), text).map(|at| value.start + at);
            Some(match at.filter(|_| !text.is_empty()) {
                Some(at) => place_in(outline, at, at + text.len()),
                None => place_in(outline, item.name.start, item.name.end),
            })
        });
        let set = || {
            let (outline, at) = self.spot(Definition::new(rec).place_of(field)?)?;
            Some(token_place(outline, at))
        };
        found.or_else(set).or_else(|| self.place_of(rec))
    }

    /// Starts a finding, which [`Draft::add`] reports.
    pub fn draft<'c, 's>(
        &'c self,
        rule: &'static Rule,
        subject: &'c Subject<'s>,
        message: impl Into<String>,
    ) -> Draft<'c, 'a, 'r, 's> {
        Draft {
            cx: self,
            rule,
            subject,
            part: String::new(),
            message: message.into(),
            witness: None,
            place: None,
            related: Vec::new(),
            fix: None,
        }
    }
}

fn token_place(outline: &Outline, at: usize) -> Location {
    let end = outline.token_from(at).map_or(at + 1, |token| token.end);
    place_in(outline, at, end)
}

/// Returns the offset of a text that is not part of a longer word.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    let ends_as_word = word.ends_with(continues);
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !ends_as_word || !text[at + word.len()..].starts_with(continues))
}

/// A finding that is still being built.
#[must_use]
pub(super) struct Draft<'c, 'a, 'r, 's> {
    cx: &'c Cx<'a, 'r>,
    rule: &'static Rule,
    subject: &'c Subject<'s>,
    part: String,
    message: String,
    witness: Option<String>,
    place: Option<Location>,
    related: Vec<Finding>,
    fix: Option<Fix>,
}

impl Draft<'_, '_, '_, '_> {
    /// Sets the part of the symbol that the finding is about.
    pub fn part(mut self, part: &str) -> Self {
        part.clone_into(&mut self.part);
        self
    }

    /// Sets the place; the default is the symbol's name.
    pub fn at(mut self, place: Option<Location>) -> Self {
        self.place = place;
        self
    }

    /// Sets the witness: a text, type or value that shows the fault.
    pub fn witness(mut self, witness: impl Into<String>) -> Self {
        self.witness = Some(witness.into());
        self
    }

    /// Adds a related place.
    pub fn related(mut self, message: &str, place: Option<Location>) -> Self {
        self.related.extend(place.map(|place| Finding::note(Some(place), message)));
        self
    }

    /// Adds a fix, which is safe if the rule's fixes are.
    pub fn fix(self, title: &str, edits: Vec<Edit>) -> Self {
        let is_safe = self.rule.fix == Fixable::Safe;
        self.fix_as(title, edits, is_safe)
    }

    /// Adds a fix. Records from a multiclass get none: the multiclass has other users.
    pub fn fix_as(mut self, title: &str, edits: Vec<Edit>, is_safe: bool) -> Self {
        let is_shared = self.subject.rec.record().spans.len() > 1;
        if !edits.is_empty() && !is_shared {
            self.fix = Some(Fix { title: title.to_owned(), is_safe, edits });
        }
        self
    }

    /// Reports the finding, unless its rule is off in the file or dialect.
    pub fn add(self) {
        let Draft { cx, rule, subject, part, message, witness, place, related, fix } = self;
        let place = place.or_else(|| cx.place_of(subject.rec));
        let file = place.as_ref().map_or("", |place| &place.file);
        let level = cx.config.level_in(rule, file, subject.dialect);
        if level == Level::Off {
            return;
        }
        let id = &subject.id;
        let whole = if part.is_empty() { id.clone() } else { format!("{id}#{part}") };
        let mut finding = Finding { witness, related, fix, ..of_rule(rule, level, &whole, message, place) };
        shorten(&mut finding);
        if cx.stop.charge(text_bytes(&finding)) {
            cx.findings.borrow_mut().push(finding);
        }
    }
}

/// Returns a finding about a file.
pub(super) fn about_file(
    rule: &Rule,
    (config, stop): (&Config, &Stop),
    (outline, start, end): (&Outline, usize, usize),
    message: String,
) -> Option<Finding> {
    let level = config.level_in(rule, &outline.file, "");
    if level == Level::Off || !stop.goes_on() {
        return None;
    }
    let location = Some(place_in(outline, start, end));
    let mut finding = of_rule(rule, level, &outline.file, message, location);
    shorten(&mut finding);
    stop.charge(text_bytes(&finding)).then_some(finding)
}

/// The names in a bundle that must be unique.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub all: Vec<NamedDefinition>,
}

/// A definition with its names.
#[derive(Clone, Debug)]
pub(super) struct NamedDefinition {
    /// The kind of definition: `operation`, `type`, ….
    pub kind: &'static str,
    /// The id of the symbol.
    pub subject: String,
    pub dialect: String,
    /// The name in assembly, if it has one.
    pub mnemonic: Option<String>,
    /// The C++ class with its namespace.
    pub class: String,
    pub place: Option<Location>,
    /// The root that it belongs to.
    pub root: String,
}

impl Names {
    /// Collects the names of a root's own definitions.
    pub fn new(cx: &Cx<'_, '_>) -> Names {
        let mut names = Names::default();
        let mut add = |kind, subject: &Subject<'_>, mnemonic: Option<&str>, class: String| {
            names.all.push(NamedDefinition {
                kind,
                subject: subject.id.clone(),
                dialect: subject.dialect.to_owned(),
                mnemonic: mnemonic.map(str::to_owned),
                class: class.trim_start_matches("::").to_owned(),
                place: None,
                root: cx.root.td.to_owned(),
            });
        };
        for Op { op, subject, .. } in &cx.operations {
            add("operation", subject, Some(op.mnemonic()), op.qualified_cpp_class_name());
        }
        for Def { def, subject, .. } in &cx.definitions {
            let kind = if def.kind() == DefKind::Type { "type" } else { "attribute" };
            add(kind, subject, def.mnemonic(), def.qualified_cpp_class_name());
        }
        for (info, subject) in &cx.enums {
            add("enum", subject, None, info.qualified_name.clone());
        }
        for (interface, subject) in &cx.interfaces {
            add("interface", subject, None, interface.qualified_name());
        }
        let recs = cx
            .operations
            .iter()
            .map(|it| it.subject.rec)
            .chain(cx.definitions.iter().map(|it| it.subject.rec))
            .chain(cx.enums.iter().map(|(_, it)| it.rec))
            .chain(cx.interfaces.iter().map(|(_, it)| it.rec));
        for (named, rec) in names.all.iter_mut().zip(recs) {
            named.place = cx.place_of(rec);
        }
        names
    }

    pub fn extend(&mut self, other: Names) {
        self.all.extend(other.all);
    }
}
