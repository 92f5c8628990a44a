//! The remedy for an error of evaluation whose cause is known: a name or file that the library has elsewhere or under
//! another name, a name that the library defines as well, a misspelt name, a file of a well-known project.
//!
//! The changes between releases are those of [`upgrade`](crate::upgrade); here, only one library is at hand.

use std::collections::BTreeSet;

use odsmith_release::{
    Rules,
    deprecations::{DEPRECATIONS, Deprecation, Remedy, Subject},
};
use odsmith_report::{Finding, Id, Severity};
use odsmith_tablegen::{
    outline::{
        Kind, StatementKind,
        symbols::{Symbol, Symbols},
        tokens,
    },
    text::nearest,
};

use crate::upgrade::causes::quoted;

/// Projects whose definitions others include: the first folder of their files, and the name of their checkout.
const OWNERS: &[(&str, &str)] = &[
    ("circt", "circt"),
    ("Enzyme", "Enzyme"),
    ("iree", "iree"),
    ("lhlo", "lhlo"),
    ("mhlo", "mhlo"),
    ("mlir-hlo", "mlir-hlo"),
    ("shardy", "shardy"),
    ("src/Dialect/ONNX", "onnx-mlir"),
    ("stablehlo", "stablehlo"),
    ("tensorflow", "tensorflow"),
    ("torch-mlir", "torch-mlir"),
    ("triton", "triton"),
];
/// The types that are no classes.
const TYPES: &[&str] = &["bit", "bits", "code", "dag", "int", "list", "string"];

/// Returns true for an error of a kind that may have a remedy.
#[must_use]
pub fn may_have_remedy(finding: &Finding) -> bool {
    let is_one = |id: Id| {
        matches!(id, Id::MissingInclude | Id::AlreadyDefined) || id.is_about_field() || id.is_unknown_name()
    };
    finding.severity == Severity::Error && finding.id.is_some_and(is_one)
}

/// The definitions that an error may be about.
#[derive(Clone, Copy)]
pub struct Knowledge<'k> {
    /// The library's.
    pub library: &'k Symbols,
    /// The project's.
    pub project: &'k Symbols,
    /// The rules of the library's release.
    pub rules: &'k Rules,
    /// The prefix of the library's files in messages and in `reads`: `<mlir-22>`.
    pub library_root: &'k str,
    /// The files that the root read.
    pub reads: &'k [String],
}

impl<'k> Knowledge<'k> {
    /// Returns the remedy for an error, as a line, if its cause is known.
    #[must_use]
    pub fn remedy(self, error: &Finding) -> Option<String> {
        let id = error.id?;
        let name = quoted(&error.message).into_iter().next().or_else(|| word_at(error))?;
        match id {
            Id::MissingInclude => self.of_file(&name),
            Id::AlreadyDefined => self.of_double(&name, error),
            id if id.is_about_field() => self.of_field(&name, error),
            id if id.is_unknown_name() => self.of_name(&name, id, error),
            _ => None,
        }
    }

    fn rows(self) -> impl Iterator<Item = &'static Deprecation> {
        let release = self.rules.release_number();
        DEPRECATIONS.iter().filter(move |row| row.is_in(release))
    }

    fn has_read(self, file: &str) -> bool {
        let is_it = |read: &String| {
            let below = read.strip_prefix(self.library_root).and_then(|path| path.strip_prefix('/'));
            below == Some(file) || read == file
        };
        self.reads.iter().any(is_it)
    }

    fn of_file(self, path: &str) -> Option<String> {
        if let Some(row) = self.rows().find(|row| matches!(row.subject, Subject::File(it) if it == path)) {
            return Some(remedy_of(row));
        }
        let same_length = |file: &'k str| tail(file, path.matches('/').count());
        let files = self.library.files().chain(self.project.files().map(same_length));
        let files: BTreeSet<&str> = files.collect();
        if let Some(spelled) = files.iter().find(|file| **file != path && file.eq_ignore_ascii_case(path)) {
            return Some(format!("it is spelled '{spelled}'"));
        }
        let is_below =
            |path: &str, folder: &str| path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'));
        let owner = OWNERS.iter().find(|(folder, _)| is_below(path, folder));
        // A file of a well-known project is no misspelt one of another.
        let near =
            files.iter().copied().filter(|file| owner.is_none_or(|(folder, _)| is_below(file, folder)));
        if let Some(near) = nearest(path, near) {
            return Some(format!("did you mean '{near}'?"));
        }
        let (_, owner) = owner?;
        Some(format!("in odsmith.toml: [dependencies] {owner} = {{ path = \"../{owner}\" }}"))
    }

    fn of_double(self, name: &str, error: &Finding) -> Option<String> {
        let own = error.location.as_ref()?;
        if let Some(symbol) = self.library.symbol(name)
            && self.has_read(&symbol.file)
        {
            let since = Rules::since(name).map(|since| format!(", since MLIR {since}")).unwrap_or_default();
            let file = &symbol.file;
            return Some(format!(
                "'{file}' of the library defines it as well{since}: leave this one out, or give it another name"
            ));
        }
        let is_other = |symbol: &&Symbol| (&*symbol.file, symbol.line) != (&own.file, own.range.start.line);
        let other =
            self.project.all(name).iter().filter(is_other).find(|symbol| self.has_read(&symbol.file))?;
        Some(format!("it is defined in {}:{} as well", other.file, other.line))
    }

    fn of_field(self, field: &str, error: &Finding) -> Option<String> {
        let record = self.symbol_of(error)?;
        let classes = self.classes_of(record);
        let is_row = |row: &&Deprecation| match row.subject {
            Subject::Field { class, field: it } => it == field && classes.contains(class),
            Subject::Name(_) | Subject::File(_) | Subject::Form(_) => false,
        };
        if let Some(row) = self.rows().find(is_row) {
            return Some(remedy_of(row));
        }
        let fields = record.fields.iter().chain(self.inherited(&classes));
        let near = nearest(field, fields.map(|field| field.name.as_str()))?;
        Some(format!("did you mean '{near}'?"))
    }

    fn of_name(self, name: &str, id: Id, error: &Finding) -> Option<String> {
        if let Some(file) = self.file_of(name, id) {
            return Some(format!("it is in '{file}': include that file"));
        }
        let row = Deprecation::of_name(name).filter(|row| row.is_in(self.rules.release_number()));
        if let Some(row) = row {
            return Some(remedy_of(row));
        }
        // Another note names the releases that have it.
        if self.rules.elsewhere(name).is_some() {
            return None;
        }
        let fits = |symbol: &&Symbol| is_of_kind(symbol.kind, id);
        let symbols = [self.library, self.project].into_iter();
        let names = symbols.flat_map(|symbols| symbols.names().filter_map(|name| symbols.symbol(name)));
        let names = names.filter(fits).map(|symbol| symbol.name.as_str());
        let types = TYPES.iter().copied().filter(|_| id == Id::UnknownType);
        let local = self.symbol_of(error).filter(|_| id == Id::UnknownVariable);
        let local = local.into_iter().flat_map(|symbol| {
            let inherited = self.classes_of(symbol);
            let fields = symbol.fields.iter().chain(self.inherited(&inherited));
            let names = symbol.arguments.iter().chain(fields).map(|field| field.name.as_str());
            names.collect::<Vec<_>>()
        });
        let near = nearest(name, local.chain(types).chain(names))?;
        Some(format!("did you mean '{near}'?"))
    }

    /// Returns the file that defines a name and was not read.
    fn file_of(self, name: &str, id: Id) -> Option<String> {
        let found = |symbols: &'k Symbols| {
            let mut all = symbols.all(name).iter().filter(|symbol| is_of_kind(symbol.kind, id));
            all.next().map(|symbol| &*symbol.file)
        };
        // The project's files are found by any name that ends like theirs.
        let file = found(self.project).or_else(|| found(self.library))?;
        (!self.has_read(file)).then(|| file.to_owned())
    }

    /// Returns the definition that holds the place of an error.
    fn symbol_of(self, error: &Finding) -> Option<&'k Symbol> {
        let place = error.location.as_ref()?;
        self.project.at(&place.file, place.range.start.line)
    }

    /// Returns the classes that a definition derives from.
    fn classes_of(self, symbol: &'k Symbol) -> BTreeSet<&'k str> {
        let mut classes = BTreeSet::new();
        let mut waiting: Vec<&str> = symbol.parents.iter().map(String::as_str).collect();
        while let Some(class) = waiting.pop() {
            if classes.insert(class) {
                let parents = self.class(class).into_iter().flat_map(|symbol| &symbol.parents);
                waiting.extend(parents.map(String::as_str));
            }
        }
        classes
    }

    fn class(self, name: &str) -> Option<&'k Symbol> {
        self.project.symbol(name).or_else(|| self.library.symbol(name))
    }

    fn inherited(
        self,
        classes: &BTreeSet<&'k str>,
    ) -> impl Iterator<Item = &'k odsmith_tablegen::outline::symbols::Parameter> {
        classes.iter().filter_map(move |class| self.class(class)).flat_map(|symbol| &symbol.fields)
    }
}

/// Returns the remedy of a change, with the release that made it.
fn remedy_of(row: &Deprecation) -> String {
    let since = row.since;
    match row.remedy {
        Remedy::Rename(new) => {
            let advice = row.advice.replace('`', "'");
            let more = if advice.is_empty() { advice } else { format!(": {advice}") };
            format!("since MLIR {since} it is '{new}'{more}")
        }
        _ => format!("since MLIR {since}, {}", row.text().replace('`', "'")),
    }
}

/// Returns true if a definition of this kind is what an unknown name should be.
fn is_of_kind(kind: StatementKind, id: Id) -> bool {
    match id {
        Id::UnknownMulticlass => kind == StatementKind::Multiclass,
        Id::UnknownClass | Id::UnknownType => kind == StatementKind::Class,
        _ => !matches!(kind, StatementKind::Class | StatementKind::Multiclass),
    }
}

/// Returns the last parts of a path: as many as have so many slashes between them.
fn tail(path: &str, slashes: usize) -> &str {
    path.rmatch_indices('/').nth(slashes).map_or(path, |(at, _)| &path[at + 1..])
}

/// Returns the word at the place of an error.
fn word_at(error: &Finding) -> Option<String> {
    let line = &error.location.as_ref()?.line;
    let rest = line.text.get(line.at..)?;
    let token = tokens::tokens(rest).next().filter(|token| token.kind == Kind::Word && token.start == 0)?;
    let text = std::str::from_utf8(rest.get(..token.end)?).ok()?;
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use odsmith_release::Rules;
    use odsmith_report::Location;

    use super::*;

    const LIBRARY: &[(&str, &str)] = &[
        (
            "mlir/IR/OpBase.td",
            "class Base { string summary = \"\"; }\nclass Op<string n> : Base { dag arguments = (ins); }\n\
             class TypeConstraint<string p> { string cppType = \"\"; }\ndef AnyRankedTensor;\nmulticlass Pair<int a> { def _x; }\n",
        ),
        ("mlir/IR/More.td", "def SameOperandsAndResultType;\nclass APIntParameter;\n"),
    ];
    const PROJECT: &str = "class Own<string own_name> : Op<own_name> { list<int> sizes = []; }\n\
                           def A : Own<\"a\"> { let argumnts = (ins); let cppClassName = \"\"; let size = []; }\n\
                           def T : TypeConstraint<\"\"> { let cppClassName = \"\"; }\n";

    fn remedy(id: Id, message: &str, line: u32) -> Option<String> {
        let library = Symbols::of(LIBRARY.iter().map(|(path, text)| (*path, text.as_bytes())));
        let project = Symbols::of([("inc/Own/A.td", PROJECT.as_bytes())].into_iter());
        let reads = ["inc/Own/A.td", "<mlir-22>/mlir/IR/OpBase.td"].map(str::to_owned);
        let mut location = Location::new("inc/Own/A.td", (line, 9), None);
        location.line.text = b"  bitt x;".to_vec();
        location.line.at = 2;
        let error = Finding {
            id: Some(id),
            message: message.to_owned(),
            location: Some(location),
            ..Finding::default()
        };
        let rules = &Rules::default();
        let (library, project) = (&library, &project);
        Knowledge { library, project, rules, library_root: "<mlir-22>", reads: &reads }.remedy(&error)
    }

    #[test]
    fn remedies() {
        let file =
            |path: &str| remedy(Id::MissingInclude, &format!("could not find include file '{path}'"), 1);
        for (found, expected) in [
            (
                file("mlir/IR/FunctionInterfaces.td"),
                "since MLIR 18 it is 'mlir/Interfaces/FunctionInterfaces.td'",
            ),
            (file("own/A.td"), "it is spelled 'Own/A.td'"),
            (file("mlir/IR/OpBas.td"), "did you mean 'mlir/IR/OpBase.td'?"),
            (
                file("stablehlo/dialect/Base.td"),
                "in odsmith.toml: [dependencies] stablehlo = { path = \"../stablehlo\" }",
            ),
            (remedy(Id::UnknownField, "Value 'argumnts' unknown!", 2), "did you mean 'arguments'?"),
            (remedy(Id::UnknownField, "Value 'size' unknown!", 2), "did you mean 'sizes'?"),
            (
                remedy(Id::UnknownField, "Value 'cppClassName' unknown!", 3),
                "since MLIR 21 it is 'cppType': only in constraints of types",
            ),
            (
                remedy(Id::UnknownVariable, "Variable not defined: 'SameOperandsAndResultType'", 2),
                "it is in 'mlir/IR/More.td': include that file",
            ),
            (
                remedy(Id::UnknownVariable, "Variable not defined: 'AnyRankedTensr'", 2),
                "did you mean 'AnyRankedTensor'?",
            ),
            (remedy(Id::UnknownVariable, "Variable not defined: 'ownname'", 1), "did you mean 'own_name'?"),
            (
                remedy(Id::UnknownClass, "Couldn't find class 'TypeConstrain'", 2),
                "did you mean 'TypeConstraint'?",
            ),
            (remedy(Id::UnknownMulticlass, "Couldn't find multiclass 'Pairs'", 2), "did you mean 'Pair'?"),
            (remedy(Id::UnknownType, "unknown class name", 2), "did you mean 'bit'?"),
        ] {
            assert_eq!(found.as_deref(), Some(expected));
        }
    }

    #[test]
    fn causes_that_are_not_known() {
        for (id, message) in [
            (Id::MissingInclude, "could not find include file 'somewhere/Else.td'"),
            // No class of the record had that field.
            (Id::UnknownField, "Value 'cppClassName' unknown!"),
            (Id::UnknownVariable, "Variable not defined: 'Something'"),
            // A class is no value.
            (Id::UnknownVariable, "Variable not defined: 'TypeConstrain'"),
            // The library's own file is not read.
            (Id::AlreadyDefined, "Class 'APIntParameter' already defined"),
        ] {
            assert_eq!(remedy(id, message, 2), None, "{message}");
        }
    }

    #[test]
    fn last_parts() {
        assert_eq!((tail("a/b/c.td", 1), tail("a/b/c.td", 0), tail("c.td", 3)), ("b/c.td", "c.td", "c.td"));
    }
}
