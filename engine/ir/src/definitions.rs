//! An index of the operations, types and attributes that models define, for readers of text.

use odsmith_interchange::grammar::{
    Class, Format, Kind,
    read::{self, Classes},
};
use odsmith_ods::{AttrOrTypeDef, Attribute, DefKind, Model, Operation, TypeConstraint};
use odsmith_release::Change;
use odsmith_tablegen::{
    record::{Rec, Records, Val, name},
    source::is_foreign,
};
use rustc_hash::FxHashMap;

use crate::{
    format::Program,
    syntax::{self, Level, ParameterSyntax, Table},
};

/// The definitions of dialects, without their records.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    operations: Vec<OperationDef>,
    dialects: FxHashMap<Box<str>, DialectDef>,
    parameters: Vec<ParameterDef>,
    classes: FxHashMap<Box<str>, usize>,
}

/// Definitions that are collected, one model after the other.
#[derive(Debug)]
pub struct Collection {
    definitions: Definitions,
    classes: Classes,
    table: Table,
    /// The release of the models.
    release: u8,
}

impl Collection {
    /// Begins a collection. `table` is the syntax of operations whose parser is written by hand.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Collection { definitions: Definitions::default(), classes: Classes::default(), table, release: 0 }
    }

    /// Adds the definitions of a model whose names are new.
    pub fn add(&mut self, model: &Model<'_>) {
        let definitions = &mut self.definitions;
        self.classes.add(model);
        self.release = model.records().rules().release_number();
        for dialect in model.dialects() {
            let entry = definitions.dialects.entry(dialect.name().into()).or_default();
            entry.is_extensible |= dialect.is_extensible();
        }
        for rec in model.operation_records() {
            // A definition with a mistake still has a name, and its form may be sound.
            let Ok(name) = Operation::name_of(rec) else { continue };
            if definitions.operation(&name).is_none()
                && let Some(op) = Operation::lenient(rec)
            {
                definitions.add(OperationDef::new(&op, &self.table));
            }
        }
        for kind in DefKind::ALL {
            for rec in model.records().derived(kind.class()) {
                if let Some(def) = AttrOrTypeDef::lenient(rec, kind) {
                    definitions.add_parameters(&def);
                }
            }
        }
    }

    /// Returns the definitions, once all models are there.
    #[must_use]
    pub fn finish(mut self) -> Definitions {
        for syntax in self.table.parameters(self.release) {
            self.definitions.add_syntax(syntax);
        }
        for operation in &mut self.definitions.operations {
            if let Some(grammar) = &mut operation.grammar {
                grammar.resolve(&self.classes);
                let mut program = Program::new(grammar);
                if operation.has_own_properties {
                    program.open_properties();
                } else if operation.lists_properties {
                    program.list_properties();
                }
                program.close_directives(|name| self.table.directive(name));
                operation.program = Some(program);
            }
        }
        self.definitions
    }
}

/// Returns the names of the dialects that are defined by a project's own files: neither by a library, whose paths begin with
/// `library_root`, nor by another project.
#[must_use]
pub fn own_dialects(records: &Records, library_root: &str) -> Vec<String> {
    let is_own = |rec: Rec<'_>| {
        let buffer = rec.record().spans.first().and_then(|span| records.sources().buffer_of(*span));
        buffer.is_some_and(|it| !is_foreign(&it.name, library_root))
    };
    let model = Model::new(records);
    model
        .dialects()
        .filter(|dialect| is_own(dialect.rec()))
        .map(|dialect| dialect.name().to_owned())
        .collect()
}

/// The names of a dialect.
#[derive(Clone, Debug, Default)]
struct DialectDef {
    operations: FxHashMap<Box<str>, u32>,
    types: FxHashMap<Box<str>, usize>,
    attributes: FxHashMap<Box<str>, usize>,
    is_extensible: bool,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct OperationDef {
    /// The full name: `arith.addi`.
    pub name: Box<str>,
    /// The C++ class with its namespace.
    pub class: Box<str>,
    /// The parts: attributes, properties, operands, results, regions, successors. Nodes refer to them by number.
    pub parts: Vec<PartDef>,
    /// The source of its custom form.
    pub form: Form,
    /// The custom form as a program, if it is known.
    pub program: Option<Program>,
    /// The custom form as a language, if it is declared.
    pub grammar: Option<Format>,
    /// The dialect whose operations need no prefix in its regions.
    pub default_dialect: Option<Box<str>>,
    /// C++ names of its traits.
    pub traits: Vec<Box<str>>,
    /// True if no value of the outside is visible in its regions.
    pub is_isolated: bool,
    /// True if its dialect keeps attributes of definitions out of `attr-dict`.
    pub is_strict: bool,
    /// True if its `prop-dict` may be a list: `<a = 1, b>`.
    pub lists_properties: bool,
    /// True if C++ parses its `prop-dict`.
    pub(crate) has_own_properties: bool,
}

/// A part of an operation.
#[derive(Clone, Debug)]
pub struct PartDef {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: Box<str>,
    /// The minimum number of values: 0, 1 or 2 for more.
    pub low: u8,
    /// The maximum number of values: 0, 1 or 2 for more.
    pub high: u8,
    /// For an attribute, the way from its text in a format to its full text.
    pub attribute: Option<Box<AttributeDef>>,
}

/// An attribute of an operation.
#[derive(Clone, Debug)]
pub struct AttributeDef {
    /// The C++ class that holds it: `::mlir::IntegerAttr`.
    pub storage: Box<str>,
    /// The C++ call that makes its type, if it has exactly one.
    pub value_type: Option<Box<str>>,
    /// The cases of an enum that is held as a number, with their numbers.
    pub cases: Vec<(Box<str>, i64)>,
    /// The text between cases of several bits.
    pub separator: Option<Box<str>>,
    /// True if it has no value but its presence.
    pub is_unit: bool,
    /// Its text in a list of properties, if that is not the one in a format.
    pub listed: Option<ListedText>,
    /// The C++ value that it has where it is absent.
    pub default: Option<Box<str>>,
}

/// The text of an attribute in a list of properties.
#[derive(Clone, Debug)]
pub struct ListedText {
    /// Its class.
    pub class: Class,
    /// True if it is in brackets.
    pub has_brackets: bool,
}

impl AttributeDef {
    fn new(attribute: Attribute<'_>) -> Self {
        let info = attribute.written_as_case();
        let cases = info
            .as_ref()
            .map(|info| info.cases.iter().map(|case| (case.spelling.into(), case.value)).collect());
        AttributeDef {
            storage: attribute.storage_type().into(),
            value_type: attribute.value_type().and_then(TypeConstraint::builder_call).map(Into::into),
            cases: cases.unwrap_or_default(),
            separator: info.and_then(|info| info.bits.map(|bits| bits.separator.into())),
            is_unit: attribute.is_unit(),
            listed: read::listed_class(attribute)
                .map(|(class, has_brackets)| ListedText { class, has_brackets }),
            default: attribute.default_value().map(Into::into),
        }
    }
}

/// The source of an operation's custom form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its `assemblyFormat`.
    Format,
    /// The table of syntax.
    Table(Level),
    /// C++ that no table covers.
    HandWritten,
    /// It has the generic form only.
    GenericOnly,
}

/// A type or attribute with parameters.
#[derive(Clone, Debug)]
pub struct ParameterDef {
    /// The dialect.
    pub dialect: Box<str>,
    /// The mnemonic.
    pub mnemonic: Box<str>,
    /// The kind.
    pub kind: DefKind,
    /// The C++ class with its namespace, without leading colons.
    pub class: Box<str>,
    /// The text after the mnemonic as a program, if it is declared.
    pub program: Option<Program>,
    /// The same as a language.
    pub grammar: Option<Format>,
    /// True if it has no parameters.
    pub is_plain: bool,
    /// The names of the parameters, if the table has its syntax.
    names: Vec<Box<str>>,
}

impl ParameterDef {
    /// Returns the name of the parameter that a piece of its program reads.
    pub(crate) fn name_of(&self, part: u16) -> Option<&str> {
        match &self.grammar {
            Some(grammar) => grammar.entities.get(usize::from(part)).map(|entity| &*entity.name),
            None => self.names.get(usize::from(part)).map(AsRef::as_ref),
        }
    }
}

impl OperationDef {
    /// Returns the dialect.
    #[must_use]
    pub fn dialect(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// Returns whether it has a trait, by its qualified C++ name.
    #[must_use]
    pub fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|own| &**own == name)
    }

    /// Returns the number of a part.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<u16> {
        let position = self.parts.iter().position(|part| &*part.name == name && !name.is_empty());
        position.and_then(|position| u16::try_from(position).ok())
    }

    /// Returns the number of an attribute or property.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<u16> {
        let is_it =
            |part: &PartDef| matches!(part.kind, Kind::Attribute | Kind::Property) && *part.name == *name;
        self.parts.iter().position(is_it).and_then(|position| u16::try_from(position).ok())
    }

    /// Returns true if it has regions.
    pub(crate) fn has_regions(&self) -> bool {
        self.parts.iter().any(|part| part.kind == Kind::Region)
    }

    /// Returns the parts of a kind with their numbers.
    pub fn parts_of(&self, kind: Kind) -> impl Iterator<Item = (u16, &PartDef)> {
        (0_u16..).zip(&self.parts).filter(move |(_, part)| part.kind == kind)
    }
}

impl Definitions {
    /// Collects the definitions of roots, with the syntax of hand-written parsers. Of several definitions of a name the first
    /// one counts.
    #[must_use]
    pub fn of_records<'r>(roots: impl Iterator<Item = &'r Records>, table: Table) -> Self {
        let mut collection = Collection::new(table);
        roots.for_each(|records| collection.add(&Model::new(records)));
        collection.finish()
    }

    fn add(&mut self, operation: OperationDef) {
        let (dialect, name) = operation.name.split_once('.').unwrap_or(("", &operation.name));
        let index = u32::try_from(self.operations.len()).unwrap_or(u32::MAX);
        self.dialects.entry(dialect.into()).or_default().operations.insert(name.into(), index);
        self.operations.push(operation);
    }

    fn add_parameters(&mut self, def: &AttrOrTypeDef<'_>) {
        let class = def.qualified_cpp_class_name();
        let class = class.trim_start_matches("::");
        let Some(mnemonic) = def.mnemonic() else { return };
        if self.classes.contains_key(class) {
            return;
        }
        let index = self.parameters.len();
        let dialect = def.dialect().name();
        let entry = self.dialects.entry(dialect.into()).or_default();
        let names = match def.kind() {
            DefKind::Type => &mut entry.types,
            DefKind::Attribute => &mut entry.attributes,
        };
        names.entry(mnemonic.into()).or_insert(index);
        self.classes.insert(class.into(), index);
        let grammar = read::definition(def).and_then(Result::ok);
        self.parameters.push(ParameterDef {
            dialect: dialect.into(),
            mnemonic: mnemonic.into(),
            kind: def.kind(),
            class: class.into(),
            program: grammar.as_ref().map(Program::new),
            grammar,
            is_plain: def.parameters().is_empty(),
            names: Vec::new(),
        });
    }

    /// Adds the syntax of a type or attribute whose parameters C++ reads. It may have no definition at all.
    fn add_syntax(&mut self, syntax: ParameterSyntax<'_>) {
        let Some(entry) = self.dialects.get_mut(syntax.dialect) else { return };
        let names = match syntax.kind {
            DefKind::Type => &mut entry.types,
            DefKind::Attribute => &mut entry.attributes,
        };
        if let Some(known) = names.get(syntax.mnemonic) {
            if let Some(def) = self.parameters.get_mut(*known)
                && def.program.is_none()
            {
                (def.program, def.names) = (Some(syntax.program), syntax.names);
            }
            return;
        }
        names.insert(syntax.mnemonic.into(), self.parameters.len());
        self.classes.entry(syntax.class.into()).or_insert(self.parameters.len());
        self.parameters.push(ParameterDef {
            dialect: syntax.dialect.into(),
            mnemonic: syntax.mnemonic.into(),
            kind: syntax.kind,
            class: syntax.class.into(),
            program: Some(syntax.program),
            grammar: None,
            is_plain: false,
            names: syntax.names,
        });
    }

    /// Returns an operation by its full name.
    #[must_use]
    pub fn operation(&self, name: &str) -> Option<u32> {
        let (dialect, name) = name.split_once('.')?;
        self.operation_of(dialect, name)
    }

    /// Returns an operation by its dialect and the rest of its name.
    #[must_use]
    #[inline]
    pub fn operation_of(&self, dialect: &str, name: &str) -> Option<u32> {
        self.dialects.get(dialect)?.operations.get(name).copied()
    }

    /// Returns an operation by its number.
    #[must_use]
    #[inline]
    pub fn get(&self, operation: u32) -> Option<&OperationDef> {
        self.operations.get(operation as usize)
    }

    /// Returns all operations.
    #[must_use]
    pub fn operations(&self) -> &[OperationDef] {
        &self.operations
    }

    /// Returns whether a dialect of this name is defined.
    #[must_use]
    pub fn has_dialect(&self, name: &str) -> bool {
        self.dialects.contains_key(name)
    }

    /// Returns whether operations may be added to a dialect at run time.
    #[must_use]
    pub fn is_extensible(&self, dialect: &str) -> bool {
        self.dialects.get(dialect).is_some_and(|dialect| dialect.is_extensible)
    }

    /// Returns a type or attribute by dialect and mnemonic.
    #[must_use]
    pub fn parameters(&self, kind: DefKind, dialect: &str, mnemonic: &str) -> Option<&ParameterDef> {
        let dialect = self.dialects.get(dialect)?;
        let names = match kind {
            DefKind::Type => &dialect.types,
            DefKind::Attribute => &dialect.attributes,
        };
        self.parameters.get(*names.get(mnemonic)?)
    }

    /// Returns an operation by its C++ class: `mlir::scf::YieldOp`, or `YieldOp` in this dialect.
    #[must_use]
    pub fn operation_of_class(&self, class: &str, dialect: &str) -> Option<&OperationDef> {
        let class = class.trim().trim_start_matches("::");
        let name = class.rsplit("::").next().unwrap_or(class);
        let mut found = self.operations.iter().filter(|operation| {
            let own = operation.class.trim_start_matches("::");
            own == class || own.strip_suffix(class).is_some_and(|rest| rest.ends_with("::"))
        });
        let first = found.next()?;
        let is_single = found.next().is_none();
        let in_dialect = || {
            let mut own = self.operations.iter().filter(|operation| operation.dialect() == dialect);
            own.find(|operation| operation.class.rsplit("::").next() == Some(name))
        };
        if is_single { Some(first) } else { in_dialect() }
    }

    /// Returns a type or attribute by its C++ class: `mlir::arith::FastMathFlagsAttr`.
    #[must_use]
    pub fn of_class(&self, class: &str) -> Option<&ParameterDef> {
        self.parameters.get(*self.classes.get(class)?)
    }

    pub(crate) fn program_of_class(&self, class: &str) -> Option<&Program> {
        self.of_class(class)?.program.as_ref()
    }
}

impl OperationDef {
    fn new(op: &Operation<'_>, table: &Table) -> Self {
        let name = op.name();
        let grammar = read::unresolved_operation(op).and_then(Result::ok);
        let parts = match &grammar {
            Some(grammar) => grammar
                .entities
                .iter()
                // The lists of all operands and the like come last.
                .take_while(|entity| !entity.is_all)
                .map(|entity| PartDef {
                    kind: entity.kind,
                    name: entity.name.as_str().into(),
                    low: entity.low,
                    high: entity.high,
                    attribute: None,
                })
                .collect(),
            None => parts(op),
        };
        let mut def = OperationDef {
            name: name.into(),
            class: op.qualified_cpp_class_name().into(),
            parts,
            form: Form::Format,
            program: None,
            grammar,
            default_dialect: default_dialect(op),
            traits: op.traits().iter().map(|it| it.qualified_name().into()).collect(),
            is_isolated: op.has_trait("::mlir::OpTrait::IsIsolatedFromAbove"),
            is_strict: op.dialect().has_strict_properties(),
            lists_properties: op.records().rules().has(Change::PropertyLists)
                && !op.has_custom_properties_printer(),
            has_own_properties: op.has_custom_properties_printer()
                || op.extra_class_declaration().contains("parseProperties"),
        };
        // Attributes come first.
        for (part, it) in def.parts.iter_mut().zip(op.attributes()) {
            part.attribute = Some(Box::new(AttributeDef::new(it.attribute)));
        }
        if def.grammar.is_none() {
            let is_custom = op.has_custom_assembly_format() || op.assembly_format().is_some();
            def.form = match table.find(&def.name, op.records().rules()) {
                Some(entry) if is_custom || op.parser_code().is_some() => {
                    def.program = Some(syntax::compile(entry, &def));
                    Form::Table(entry.level)
                }
                _ if is_custom || op.parser_code().is_some() => Form::HandWritten,
                _ => Form::GenericOnly,
            };
        }
        def
    }
}

/// Returns the parts of an operation without a declared format, in the order that formats have.
fn parts(op: &Operation<'_>) -> Vec<PartDef> {
    let part =
        |kind, name: &str, (low, high)| PartDef { kind, name: name.into(), low, high, attribute: None };
    let values = |constraint: TypeConstraint<'_>| {
        if constraint.is_optional() {
            (0, 1)
        } else if constraint.is_variable_length() {
            (0, 2)
        } else {
            (1, 1)
        }
    };
    let mut parts = Vec::new();
    for it in op.attributes() {
        let may_be_absent = it.attribute.is_optional() || it.attribute.default_value().is_some();
        parts.push(part(Kind::Attribute, it.name, (u8::from(!may_be_absent), 1)));
    }
    for it in op.properties() {
        let may_be_absent = it.property.default_value().is_some();
        parts.push(part(Kind::Property, it.name, (u8::from(!may_be_absent), 1)));
    }
    parts.extend(op.operands().iter().map(|it| part(Kind::Operand, it.name, values(it.constraint))));
    parts.extend(op.results().iter().map(|it| part(Kind::Result, it.name, values(it.constraint))));
    let many = |is_variadic| if is_variadic { (0, 2) } else { (1, 1) };
    parts.extend(op.regions().iter().map(|it| part(Kind::Region, it.name, many(it.is_variadic()))));
    parts.extend(op.successors().iter().map(|it| part(Kind::Successor, it.name, many(it.is_variadic()))));
    parts
}

/// Returns the default dialect, as the class of the operation declares it in the definition.
fn default_dialect(op: &Operation<'_>) -> Option<Box<str>> {
    let code = op.extra_class_declaration();
    if let Some((_, rest)) = code.split_once("getDefaultDialect") {
        let (_, rest) = rest.split_once("return")?;
        let (_, rest) = rest.split_once('"')?;
        return rest.split_once('"').map(|(dialect, _)| dialect.into());
    }
    // Its C++ is elsewhere; all operations of MLIR that declare the function name their own dialect.
    let is_declared = op.traits().iter().any(|it| {
        let methods = it.rec().get(name!("alwaysOverriddenMethods")).and_then(Val::as_list);
        methods.into_iter().flatten().any(|method| method.as_str() == Some("getDefaultDialect"))
    });
    is_declared.then(|| op.dialect().name().into())
}
