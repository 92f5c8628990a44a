//! Syntax as data: forms of operations whose parser is written by hand.
//!
//! A line `custom<Name>` is the syntax of a directive in declared formats. A line `!d.name` or `#d.name`, with the C++ class
//! after a blank, is that of a type or attribute whose parameters C++ reads.
//!
//! The notation is that of `assemblyFormat` with more parts:
//!
//! ```text
//! scf.if      $condition (`->` result-types)? $then:region (`else` $else:region)? attr-dict
//! ```
//!
//! | part | text |
//! | --- | --- |
//! | `` `word` `` | the word or sign |
//! | `$name`, `$name:kind` | one value, or a text of the kind; a name without a partner in the definition binds nothing |
//! | `( a \| b )`, `( … )?`, `( … )*`, `list( … )` | choice, optional part, repetition, list with commas |
//! | `operand`, `operands`, `type`, `types`, `result-types`, `functional-type` | values and types |
//! | `type($name)`, `types($name)` | the type or the types of the operand or result of that name |
//! | `symbol`, `int`, `float`, `string`, `keyword`, `attr`, `dict`, `attr-dict`, `attr-dict-with-keyword`, `prop-dict` | words and attributes |
//! | `signature`, `arguments`, `argument`, `assign` | arguments of the next region |
//! | `variable`, `variables` | the same without types: `%i`, `(%i, %j)` |
//! | `location` | `loc(…)` |
//! | `bound`, `map-operands`, `subscripts`, `index-list` | values in affine and static lists |
//! | `brackets` | anything in a pair of brackets |
//! | `region`, `successor` | `{ … }`, `^block(%a : T)` |

use std::sync::Arc;

use odsmith_ods::DefKind;
use odsmith_release::Rules;

use crate::{
    definitions::OperationDef,
    format::{PartRef, Piece, PieceKind, Program, Step, Untyped},
    tree::NO_DATA,
};

/// The trust in an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It finds the end of the operation.
    Extent,
    /// It also binds values.
    #[default]
    Names,
    /// Its refusal is an error.
    Exact,
}

/// An entry: the syntax of an operation or a family.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name; a `*` at its end matches any rest.
    operation: Box<str>,
    /// The C++ class of a type or attribute.
    class: Box<str>,
    /// The first release, or 0.
    since: u8,
    /// The first release to which it does not apply, or 255.
    before: u8,
    /// The trust in it.
    pub level: Level,
    /// The syntax as it is written.
    pub text: Box<str>,
    /// The syntax.
    parts: Vec<Part>,
}

/// Entries, of which the first one that fits counts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Vec<Entry>,
}

/// A mistake in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

/// A part of a syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(Box<str>),
    Text {
        name: Option<Box<str>>,
        kind: Kind,
    },
    /// The types of an operand or result.
    TypesOf {
        name: Box<str>,
        is_list: bool,
    },
    Choice(Vec<Vec<Part>>),
    Optional(Box<Part>),
    Repeated(Box<Part>),
    List(Box<Part>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Value,
    Values,
    Type,
    Types,
    ResultTypes,
    FunctionType,
    Symbol,
    Integer,
    Float,
    String,
    Keyword,
    Attribute,
    Dictionary,
    AttrDict,
    PropDict,
    AttrDictWithKeyword,
    Signature,
    Arguments,
    Argument,
    Location,
    Assign,
    Bound,
    MapOperands,
    Brackets,
    Variable,
    Variables,
    Region,
    Successor,
}

const KINDS: &[(&str, Kind)] = &[
    ("operand", Kind::Value),
    ("operands", Kind::Values),
    ("type", Kind::Type),
    ("types", Kind::Types),
    ("result-types", Kind::ResultTypes),
    ("operand-types", Kind::Brackets),
    ("functional-type", Kind::FunctionType),
    ("symbol", Kind::Symbol),
    ("int", Kind::Integer),
    ("float", Kind::Float),
    ("string", Kind::String),
    ("keyword", Kind::Keyword),
    ("attr", Kind::Attribute),
    ("dict", Kind::Dictionary),
    ("attr-dict", Kind::AttrDict),
    ("prop-dict", Kind::PropDict),
    ("attr-dict-with-keyword", Kind::AttrDictWithKeyword),
    ("signature", Kind::Signature),
    ("arguments", Kind::Arguments),
    ("argument", Kind::Argument),
    ("location", Kind::Location),
    ("assign", Kind::Assign),
    ("bound", Kind::Bound),
    ("map-operands", Kind::MapOperands),
    ("subscripts", Kind::Brackets),
    ("index-list", Kind::Brackets),
    ("brackets", Kind::Brackets),
    ("variable", Kind::Variable),
    ("variables", Kind::Variables),
    ("region", Kind::Region),
    ("successor", Kind::Successor),
];

const OF_MLIR: &str = include_str!("syntax.tsv");

impl FromIterator<Entry> for Table {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        Table { entries: entries.into_iter().collect() }
    }
}

impl Table {
    /// Returns the table of MLIR's own operations.
    #[must_use]
    pub fn of_mlir() -> Self {
        Table::read(OF_MLIR).unwrap_or_default()
    }

    /// Returns the entries of a project, followed by those of MLIR's own operations.
    #[must_use]
    pub fn of_project(&self) -> Self {
        let entries = self.entries.iter().cloned().chain(Table::of_mlir().entries);
        entries.collect()
    }

    /// Reads a table: lines of operation, releases, level and syntax, with tabs between.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        let mut entries = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') || line.starts_with("operation\t") {
                continue;
            }
            entries.push(Entry::read(line).map_err(|message| Mistake { line: index + 1, message })?);
        }
        Ok(Table { entries })
    }

    /// Adds the entries of another table after these.
    pub fn append(&mut self, mut other: Table) {
        self.entries.append(&mut other.entries);
    }

    /// Returns true if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns true if an entry is of an operation, in any release.
    #[must_use]
    pub fn has(&self, operation: &str) -> bool {
        self.entries.iter().any(|entry| entry.names(operation))
    }

    /// Returns the syntax of a custom directive, the line `custom<Name>`, and whether its refusal is an error.
    pub(crate) fn directive(&self, name: &str) -> Option<(Arc<Program>, bool)> {
        let is_of = |entry: &&Entry| {
            entry.operation.strip_prefix("custom<").and_then(|rest| rest.strip_suffix('>')) == Some(name)
        };
        let entry = self.entries.iter().find(is_of)?;
        let mut compiler = Compiler { names: Names::None, steps: Vec::new() };
        compiler.all(&entry.parts);
        compiler.steps.push(Step::End);
        Some((Arc::new(Program::of(compiler.steps)), entry.level == Level::Exact))
    }

    /// Returns the types and attributes with their syntax in a release.
    pub(crate) fn parameters(&self, release: u8) -> impl Iterator<Item = ParameterSyntax<'_>> {
        let entries = self.entries.iter().filter(move |entry| entry.holds_in(release));
        entries.filter_map(|entry| {
            let kind = match entry.operation.as_bytes().first()? {
                b'!' => DefKind::Type,
                b'#' => DefKind::Attribute,
                _ => return None,
            };
            let (dialect, mnemonic) = entry.operation[1..].split_once('.')?;
            let mut compiler = Compiler { names: Names::Own(Vec::new()), steps: Vec::new() };
            compiler.all(&entry.parts);
            compiler.steps.push(Step::End);
            let names = match compiler.names {
                Names::Own(names) => names,
                _ => Vec::new(),
            };
            let program = Program::of(compiler.steps);
            Some(ParameterSyntax { kind, dialect, mnemonic, class: &entry.class, names, program })
        })
    }

    /// Returns the entry of an operation in a release.
    #[must_use]
    pub fn find(&self, operation: &str, rules: &Rules) -> Option<&Entry> {
        let number = rules.release_number();
        self.entries.iter().find(|entry| entry.holds_in(number) && entry.names(operation))
    }
}

impl Entry {
    /// Creates an entry of all releases. `operation` is a name, a beginning with `*`, or `custom<Name>` for a directive.
    ///
    /// # Errors
    /// The first thing in the name or the syntax that is wrong.
    pub fn new(operation: &str, level: Level, syntax: &str) -> Result<Self, String> {
        let directive =
            operation.strip_prefix("custom<").map(|rest| rest.strip_suffix('>').unwrap_or_default());
        let is_word = |text: &str| {
            !text.is_empty()
                && text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '$' | '.'))
        };
        let is_name = match directive {
            Some(name) => is_word(name),
            None => operation.contains('.') && is_word(operation.strip_suffix('*').unwrap_or(operation)),
        };
        if !is_name {
            return Err("this is no name of an operation ('my.loop'), no family ('my.*') and no directive ('custom<Name>')".into());
        }
        let parts = Notation::read(syntax)?;
        let class = Box::default();
        let text = syntax.into();
        Ok(Entry { operation: operation.into(), class, since: 0, before: u8::MAX, level, text, parts })
    }

    /// Reads a line.
    fn read(line: &str) -> Result<Self, String> {
        let mut fields = line.splitn(4, '\t');
        let mut field = |name: &str| fields.next().ok_or_else(|| format!("the field '{name}' is missing"));
        let (operation, releases) = (field("operation")?, field("releases")?);
        let (level, syntax) = (field("level")?, field("syntax")?);
        let number = |text: &str, absent| match text {
            "" => Ok(absent),
            text => text.parse().map_err(|_| format!("'{text}' is no release")),
        };
        let (since, before) = match releases.split_once("..") {
            Some((since, before)) => (number(since, 0)?, number(before, u8::MAX)?),
            None if releases == "-" => (0, u8::MAX),
            None => return Err(format!("'{releases}' is no range of releases")),
        };
        let level = match level {
            "extent" => Level::Extent,
            "names" => Level::Names,
            "exact" => Level::Exact,
            other => return Err(format!("'{other}' is no level")),
        };
        let (operation, class) = operation.split_once(' ').unwrap_or((operation, ""));
        let (parts, text) = (Notation::read(syntax)?, syntax.into());
        Ok(Entry { operation: operation.into(), class: class.into(), since, before, level, text, parts })
    }

    fn holds_in(&self, release: u8) -> bool {
        (self.since..self.before).contains(&release)
    }

    fn names(&self, operation: &str) -> bool {
        match self.operation.strip_suffix('*') {
            Some(prefix) => operation.starts_with(prefix),
            None => *self.operation == *operation,
        }
    }
}

/// A reader of the notation.
struct Notation<'a> {
    rest: &'a str,
}

impl<'a> Notation<'a> {
    fn read(text: &'a str) -> Result<Vec<Part>, String> {
        let mut notation = Notation { rest: text };
        let parts = notation.sequence()?;
        notation.skip_blanks();
        match notation.rest {
            "" => Ok(parts),
            rest => Err(format!("unexpected '{rest}'")),
        }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'a str {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        word
    }

    fn sequence(&mut self) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.is_empty() || self.rest.starts_with([')', '|']) {
                return Ok(parts);
            }
            let part = self.part()?;
            // A sign directly after the part.
            let part = if let Some(rest) = self.rest.strip_prefix('?') {
                self.rest = rest;
                Part::Optional(Box::new(part))
            } else if let Some(rest) = self.rest.strip_prefix('*') {
                self.rest = rest;
                Part::Repeated(Box::new(part))
            } else {
                part
            };
            parts.push(part);
        }
    }

    fn group(&mut self) -> Result<Part, String> {
        let mut choices = vec![self.sequence()?];
        while self.eat("|") {
            choices.push(self.sequence()?);
        }
        if self.eat(")") { Ok(Part::Choice(choices)) } else { Err("expected ')'".to_owned()) }
    }

    fn part(&mut self) -> Result<Part, String> {
        if self.eat("(") {
            return self.group();
        }
        if self.eat("list(") {
            return Ok(Part::List(Box::new(self.group()?)));
        }
        if self.eat("`") {
            let Some((text, rest)) = self.rest.split_once('`') else { return Err("expected '`'".to_owned()) };
            self.rest = rest;
            return Ok(Part::Literal(text.into()));
        }
        let name = self.eat("$").then(|| self.word());
        let kind = match name {
            None => self.word(),
            Some("") => return Err("expected a name after '$'".to_owned()),
            Some(_) => match self.rest.strip_prefix(':') {
                Some(rest) => {
                    self.rest = rest;
                    self.word()
                }
                None => "operand",
            },
        };
        if let (None, "type" | "types", Some(rest)) = (name, kind, self.rest.strip_prefix("($")) {
            self.rest = rest;
            let name = self.word().into();
            let is_closed = self.eat(")");
            return match is_closed {
                true => Ok(Part::TypesOf { name, is_list: kind == "types" }),
                false => Err("expected ')'".to_owned()),
            };
        }
        let known = KINDS.iter().find(|(word, _)| *word == kind);
        let Some((_, kind)) = known else { return Err(format!("unknown part '{kind}'")) };
        Ok(Part::Text { name: name.map(Into::into), kind: *kind })
    }
}

/// Compiles the syntax of an operation.
pub(crate) fn compile(entry: &Entry, def: &OperationDef) -> Program {
    let mut compiler = Compiler { names: Names::Of(def), steps: Vec::new() };
    compiler.all(&entry.parts);
    compiler.steps.push(Step::End);
    Program::of(compiler.steps)
}

/// The syntax of a type or attribute whose parameters C++ reads.
pub(crate) struct ParameterSyntax<'t> {
    pub(crate) kind: DefKind,
    pub(crate) dialect: &'t str,
    pub(crate) mnemonic: &'t str,
    /// Its C++ class.
    pub(crate) class: &'t str,
    /// The names of the parameters; pieces refer to them by number.
    pub(crate) names: Vec<Box<str>>,
    pub(crate) program: Program,
}

/// The meaning of names in a syntax.
enum Names<'d> {
    /// They bind nothing.
    None,
    /// They are the parts of this operation.
    Of(&'d OperationDef),
    /// They are parameters, in the order of the text.
    Own(Vec<Box<str>>),
}

struct Compiler<'d> {
    names: Names<'d>,
    steps: Vec<Step>,
}

impl Compiler<'_> {
    /// Returns the number of a named part.
    fn named(&mut self, name: &str) -> Option<u16> {
        match &mut self.names {
            Names::None => None,
            Names::Of(def) => def.part(name),
            Names::Own(names) => {
                let position = names.iter().position(|own| **own == *name).unwrap_or_else(|| {
                    names.push(name.into());
                    names.len() - 1
                });
                u16::try_from(position).ok()
            }
        }
    }

    fn here(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }

    fn push(&mut self, step: Step) -> u32 {
        let here = self.here();
        self.steps.push(step);
        here
    }

    /// Makes the jump of a step lead to the current position.
    fn land(&mut self, at: u32) {
        let here = self.here();
        if let Some(Step::Split(to) | Step::Jump(to) | Step::Try(_, to)) = self.steps.get_mut(at as usize) {
            *to = here;
        }
    }

    fn all(&mut self, parts: &[Part]) {
        parts.iter().for_each(|part| self.part(part));
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Literal(text) => self.take(PieceKind::Literal(text.clone()), PartRef::NONE),
            Part::Text { name, kind } => self.text(name.as_deref(), *kind),
            Part::TypesOf { name, is_list } => {
                let part = self.named(name).unwrap_or(NO_DATA);
                let place = PartRef { part, is_type: part != NO_DATA, ..PartRef::NONE };
                match is_list {
                    true => self.list(&PieceKind::Type(None), place, false),
                    false => self.take(PieceKind::Type(None), place),
                }
            }
            Part::Choice(choices) => {
                let mut ends = Vec::new();
                for (index, choice) in choices.iter().enumerate() {
                    let is_last = index + 1 == choices.len();
                    let next = (!is_last).then(|| self.push(Step::Split(0)));
                    self.all(choice);
                    if let Some(next) = next {
                        ends.push(self.push(Step::Jump(0)));
                        self.land(next);
                    }
                }
                ends.into_iter().for_each(|end| self.land(end));
            }
            Part::Optional(part) => {
                let absent = self.push(Step::Split(0));
                self.part(part);
                self.land(absent);
            }
            Part::Repeated(part) => {
                let again = self.push(Step::Split(0));
                self.part(part);
                self.push(Step::Jump(again));
                self.land(again);
            }
            Part::List(part) => {
                let again = self.here();
                self.part(part);
                let end = self.comma();
                self.push(Step::Jump(again));
                self.land(end);
            }
        }
    }

    fn comma(&mut self) -> u32 {
        self.push(Step::Try(Piece { kind: PieceKind::Literal(",".into()), place: PartRef::NONE }, 0))
    }

    fn take(&mut self, kind: PieceKind, place: PartRef) {
        self.push(Step::Take(Piece { kind, place }));
    }

    fn list(&mut self, kind: &PieceKind, place: PartRef, may_be_empty: bool) {
        let absent = may_be_empty.then(|| self.push(Step::Try(Piece { kind: kind.clone(), place }, 0)));
        if absent.is_none() {
            self.take(kind.clone(), place);
        }
        let again = self.comma();
        self.take(kind.clone(), place);
        self.push(Step::Jump(again));
        self.land(again);
        if let Some(absent) = absent {
            self.land(absent);
        }
    }

    fn text(&mut self, name: Option<&str>, kind: Kind) {
        let part = name.and_then(|name| self.named(name));
        let place = PartRef {
            part: part.unwrap_or(NO_DATA),
            is_type: false,
            flags: 0,
            is_argument: matches!(kind, Kind::Variable | Kind::Variables),
        };
        let kind = match kind {
            Kind::Value | Kind::Variable => PieceKind::Value,
            Kind::Values => return self.list(&PieceKind::Value, place, true),
            Kind::Type => PieceKind::Type(None),
            Kind::Types => return self.list(&PieceKind::Type(None), place, false),
            Kind::ResultTypes => PieceKind::ResultTypes,
            Kind::FunctionType => PieceKind::FunctionType,
            Kind::Symbol => PieceKind::SymbolPath,
            Kind::Integer => PieceKind::Untyped(Untyped::Integer),
            Kind::Float => PieceKind::Untyped(Untyped::Float),
            Kind::String => PieceKind::Untyped(Untyped::String),
            Kind::Keyword => PieceKind::Keyword,
            Kind::Attribute => PieceKind::Attribute,
            Kind::Dictionary => PieceKind::Dictionary,
            Kind::AttrDict | Kind::PropDict => {
                let is_list = kind == Kind::PropDict;
                let kind = if is_list { PieceKind::Properties } else { PieceKind::Dictionary };
                let piece = Piece { kind, place: PartRef::NONE };
                let absent = self.push(Step::Try(piece, 0));
                return self.land(absent);
            }
            Kind::AttrDictWithKeyword => {
                let piece = Piece { kind: PieceKind::Literal("attributes".into()), place: PartRef::NONE };
                let absent = self.push(Step::Try(piece, 0));
                self.take(PieceKind::Dictionary, PartRef::NONE);
                return self.land(absent);
            }
            Kind::Signature => PieceKind::Signature,
            Kind::Arguments => PieceKind::Arguments,
            Kind::Argument => PieceKind::Argument,
            Kind::Location => PieceKind::Location,
            Kind::Assign => PieceKind::Assign,
            Kind::Bound => PieceKind::Bound,
            Kind::MapOperands => PieceKind::MapOperands,
            Kind::Brackets | Kind::Variables => PieceKind::Brackets,
            Kind::Region => PieceKind::Region,
            Kind::Successor => PieceKind::Successor { has_values: true },
        };
        self.take(kind, place);
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Level, OF_MLIR, Part, Table};

    #[test]
    fn the_table_can_be_read() {
        let table = Table::read(OF_MLIR).expect("a table");
        assert!(table.entries.len() > 90);
    }

    #[test]
    fn mistakes_have_a_line() {
        let mistake = Table::read("# x\na.b\t-\tnames\t$x nothing").expect_err("a mistake");
        assert_eq!((mistake.line, &*mistake.message), (2, "unknown part 'nothing'"));
        let mistake = Table::read("a.b\t20..x\tnames\t$x").expect_err("a mistake");
        assert_eq!(mistake.message, "'x' is no release");
    }

    /// Symbols of SPIR-V have a visibility in newer releases, and older ones refuse it.
    #[test]
    fn a_newer_release_has_its_own_rows() {
        let table = Table::of_mlir();
        for operation in ["spirv.func", "spirv.GlobalVariable"] {
            let rows: Vec<&Entry> = table.entries.iter().filter(|entry| entry.names(operation)).collect();
            let has_visibility = |row: &Entry| matches!(row.parts[0], Part::Optional(_));
            assert!(rows.iter().all(|row| row.level == Level::Exact));
            assert!(has_visibility(rows[0]) && !has_visibility(rows[1]));
            assert!(rows[0].since > rows[1].since && !rows[0].holds_in(rows[0].since - 1));
        }
    }

    #[test]
    fn types_belong_to_values() {
        let table = Table::read("a.b\t-\tnames\t$x `:` type($x) `,` types($ys)").expect("a table");
        let parts = &table.entries[0].parts;
        assert_eq!(parts[2], Part::TypesOf { name: "x".into(), is_list: false });
        assert_eq!(parts[4], Part::TypesOf { name: "ys".into(), is_list: true });
        let mistake = Table::read("a.b\t-\tnames\ttype($x").expect_err("a mistake");
        assert_eq!(mistake.message, "expected ')'");
    }

    #[test]
    fn families_and_releases_select() {
        let table = Table::read("a.b\t22..24\texact\t`x`\na.*\t-\tnames\t(`y`)?").expect("a table");
        let rules = odsmith_release::Rules::default();
        let entry = table.find("a.c", &rules).expect("an entry");
        assert!(matches!(entry.parts.as_slice(), [Part::Optional(_)]));
        assert!(table.find("b.c", &rules).is_none());
    }
}
