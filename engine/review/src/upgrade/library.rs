//! Changes between the libraries of two releases that can affect a project: removed definitions and their successors,
//! moved files, added and removed template arguments and fields.
//!
//! The table of deprecations covers what the libraries do not show. Otherwise, a removed definition is compared with
//! each added one: by its name, and by its body, in which all names that only one library has count as equal.

use std::collections::BTreeSet;

use odsmith_release::deprecations::{DEPRECATIONS, Deprecation, Remedy, Subject};
use odsmith_tablegen::outline::{
    StatementKind,
    symbols::{Parameter, Symbol, Symbols},
};
use serde::Serialize;

/// The similarity from which an added definition counts as the successor.
const LIKELY: f64 = 0.6;
/// The least lead of the best candidate over the next.
const MARGIN: f64 = 0.08;
/// The most candidates that are listed if none is certain.
const MOST_CANDIDATES: usize = 3;

/// The evidence for a successor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// A row of the table of deprecations.
    Row(&'static str),
    /// An equal body.
    EqualBody,
    /// A similar body and name.
    Similar,
}

/// The successor of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Successor {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The evidence.
    pub evidence: Evidence,
}

/// The fate of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// Unchanged, in the same file.
    Same,
    /// Defined by another file.
    Moved {
        /// The file of the old library.
        from: String,
        /// The file of the new one.
        to: String,
    },
    /// Renamed.
    Renamed(Successor),
    /// Removed.
    Gone {
        /// The file that defined it.
        from: String,
        /// The row with the replacement, if there is one.
        row: Option<&'static Deprecation>,
        /// Possible successors.
        candidates: Vec<Successor>,
    },
    /// A name in neither library.
    Foreign,
    /// A name only in the new library, with its file.
    New(String),
}

/// The changes of a class that both libraries have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClassChange {
    /// The class.
    pub name: String,
    /// The file of the new library.
    pub file: String,
    /// Template arguments that were removed or changed.
    pub arguments: Vec<String>,
    /// Fields that were removed or have another type.
    pub fields: Vec<String>,
}

/// Two libraries, and the rows for the changes between them.
#[derive(Clone, Copy)]
pub struct LibraryPair<'o> {
    /// The older one; empty if it is not available.
    pub old: &'o Symbols,
    /// The newer one.
    pub new: &'o Symbols,
    /// The older release.
    pub from: u8,
    /// The newer release.
    pub to: u8,
}

impl<'o> LibraryPair<'o> {
    /// Returns the rows up to the newer release. Rows before the older one are included, as projects may skip them.
    pub fn rows(self) -> impl Iterator<Item = &'static Deprecation> {
        DEPRECATIONS.iter().filter(move |row| row.is_in(self.to))
    }

    /// Returns the row of a name, unless it names a successor that the new library does not have.
    fn row_of_name(self, name: &str) -> Option<&'static Deprecation> {
        let holds = |row: &&Deprecation| match row.remedy {
            Remedy::Rename(new) => self.new.symbol(new).is_some(),
            Remedy::Include(_) | Remedy::Insert(_) | Remedy::Remove | Remedy::Rewrite => true,
        };
        self.rows().filter(holds).find(|row| matches!(row.subject, Subject::Name(it) if it == name))
    }

    /// Returns the fate of a name of the old library.
    #[must_use]
    pub fn fate(self, name: &str) -> Fate {
        let old = self.old.symbol(name);
        let row = self.row_of_name(name);
        if let Some(new) = self.new.symbol(name) {
            let Some(old) = old else { return Fate::New(new.file.to_string()) };
            let stays = self.new.all(name).iter().any(|it| it.file == old.file);
            return match row.map(|row| row.remedy) {
                // The libraries show the move as well, unless files of the same name have different content.
                Some(Remedy::Include(file)) if file != &*old.file => {
                    Fate::Moved { from: old.file.to_string(), to: file.to_owned() }
                }
                _ if stays => Fate::Same,
                _ => Fate::Moved { from: old.file.to_string(), to: new.file.to_string() },
            };
        }
        let from = old.map(|old| old.file.to_string());
        if let Some(successor) = row.and_then(|row| self.successor_of_row(row)) {
            return Fate::Renamed(successor);
        }
        let Some(old) = old else {
            return match row {
                Some(_) => Fate::Gone { from: "a library before".to_owned(), row, candidates: Vec::new() },
                None => Fate::Foreign,
            };
        };
        let mut candidates = if row.is_some() { Vec::new() } else { self.successors(old) };
        match candidates.first() {
            Some(first) if first.evidence == Evidence::EqualBody => Fate::Renamed(candidates.remove(0)),
            _ => Fate::Gone { from: from.unwrap_or_default(), row, candidates },
        }
    }

    fn successor_of_row(self, row: &'static Deprecation) -> Option<Successor> {
        let Remedy::Rename(name) = row.remedy else { return None };
        let file = self.new.symbol(name)?.file.to_string();
        Some(Successor { name: name.to_owned(), file, evidence: Evidence::Row(row.id) })
    }

    /// Returns added definitions that resemble a removed one, the best first.
    fn successors(self, gone: &Symbol) -> Vec<Successor> {
        let came = |symbol: &&Symbol| symbol.kind == gone.kind && self.old.symbol(&symbol.name).is_none();
        let all = self.new.names().filter_map(|name| self.new.symbol(name)).filter(came);
        let mut scored: Vec<(f64, &Symbol)> = all
            .map(|symbol| (self.likeness(gone, symbol), symbol))
            .filter(|(score, _)| *score >= LIKELY)
            .collect();
        scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| x.name.cmp(&y.name)));
        let is_equal = |symbol: &Symbol| self.has_equal_body(gone, symbol);
        let equal: Vec<&Symbol> =
            scored.iter().map(|(_, symbol)| *symbol).filter(|it| is_equal(it)).collect();
        let is_clear = match scored.as_slice() {
            [(first, _), (second, _), ..] => first - second >= MARGIN,
            _ => true,
        };
        // A body of one or two words proves nothing, nor does one that several definitions have.
        if let [only] = equal.as_slice()
            && gone.body.len() > 2
        {
            return vec![successor(only, Evidence::EqualBody)];
        }
        let most = if is_clear { 1 } else { MOST_CANDIDATES };
        scored.into_iter().take(most).map(|(_, symbol)| successor(symbol, Evidence::Similar)).collect()
    }

    /// Returns the similarity, from 0 to 1.
    fn likeness(self, gone: &Symbol, came: &Symbol) -> f64 {
        let body = shared(&self.neutral(gone, self.new), &self.neutral(came, self.old));
        let name = shared(&words(&gone.name), &words(&came.name));
        let place = f64::from(u8::from(gone.file == came.file));
        0.5 * body + 0.4 * name + 0.1 * place
    }

    /// Returns the body with a placeholder for each name that the other library does not have.
    fn neutral(self, symbol: &Symbol, other: &Symbols) -> Vec<String> {
        let own = if std::ptr::eq(other, self.new) { self.old } else { self.new };
        let is_neutral = |word: &String| {
            *word == symbol.name || own.symbol(word).is_some() && other.symbol(word).is_none()
        };
        let types = symbol.arguments.iter().map(|argument| argument.ty.clone());
        let body =
            symbol.body.iter().map(|word| if is_neutral(word) { "·".to_owned() } else { word.clone() });
        types.chain(body).collect()
    }

    fn has_equal_body(self, gone: &Symbol, came: &Symbol) -> bool {
        self.neutral(gone, self.new) == self.neutral(came, self.old)
    }

    /// Returns the changes of a class that both have, or `None` if they do not affect its users.
    #[must_use]
    pub fn class_change(self, name: &str) -> Option<ClassChange> {
        let (old, new) = self.same_class(name)?;
        let mut change =
            ClassChange { name: name.to_owned(), file: new.file.to_string(), ..ClassChange::default() };
        let shown = |it: &Parameter| format!("{} {}", it.ty, it.name);
        for (index, argument) in old.arguments.iter().enumerate() {
            match new.arguments.get(index) {
                None => change.arguments.push(format!("`{}` is gone", shown(argument))),
                Some(now) if now.ty != argument.ty => {
                    change.arguments.push(format!("`{}` is now `{}`", shown(argument), shown(now)));
                }
                Some(now) if argument.has_default && !now.has_default => {
                    change.arguments.push(format!("`{}` has no default any more", shown(now)));
                }
                Some(_) => {}
            }
        }
        for argument in new.arguments.iter().skip(old.arguments.len()).filter(|it| !it.has_default) {
            change.arguments.push(format!("`{}` is new and has no default", shown(argument)));
        }
        for field in &old.fields {
            match self.inherited_field(name, &field.name) {
                None => change.fields.push(format!("`{}` is gone", shown(field))),
                Some(now) if now.ty != field.ty => {
                    change.fields.push(format!("`{}` is now `{}`", shown(field), shown(now)));
                }
                Some(_) => {}
            }
        }
        (!change.arguments.is_empty() || !change.fields.is_empty()).then_some(change)
    }

    /// Returns a class of both libraries. Of several with one name, those of the same file are one, and the file of
    /// MLIR's own classes comes first.
    fn same_class(self, name: &str) -> Option<(&'o Symbol, &'o Symbol)> {
        let is_class = |symbol: &&Symbol| symbol.kind == StatementKind::Class;
        let of =
            |symbols: &'o Symbols| -> Vec<&'o Symbol> { symbols.all(name).iter().filter(is_class).collect() };
        let (old, new) = (of(self.old), of(self.new));
        let paired =
            old.iter().filter_map(|one| Some((*one, *new.iter().find(|other| other.file == one.file)?)));
        let paired: Vec<(&Symbol, &Symbol)> = paired.collect();
        let is_core = |pair: &&(&Symbol, &Symbol)| pair.0.file.starts_with("mlir/IR/");
        match (paired.iter().find(is_core).or(paired.first()), &old[..], &new[..]) {
            (Some(pair), ..) => Some(*pair),
            (None, [one], [other]) => Some((one, other)),
            _ => None,
        }
    }

    /// Returns the declaration of a field in the new library's class, or in one that it derives from.
    fn inherited_field(self, class: &str, field: &str) -> Option<&'o Parameter> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![class];
        while let Some(class) = waiting.pop() {
            let Some(symbol) = self.new.symbol(class).filter(|_| seen.insert(class)) else { continue };
            if let Some(found) = symbol.fields.iter().find(|it| it.name == field) {
                return Some(found);
            }
            waiting.extend(symbol.parents.iter().map(String::as_str));
        }
        None
    }

    /// Returns the classes that lost a field, and the row with the replacement.
    #[must_use]
    pub fn lost_field(self, field: &str) -> Option<(Vec<&'o str>, Option<&'static Deprecation>)> {
        let lost =
            |class: &&str| self.new.symbol(class).is_some() && self.inherited_field(class, field).is_none();
        let classes: Vec<&str> = self.old.classes_with_field(field).into_iter().filter(lost).collect();
        let is_row =
            |row: &&Deprecation| matches!(row.subject, Subject::Field { field: it, .. } if it == field);
        let row = self.rows().find(is_row);
        (!classes.is_empty() || row.is_some()).then_some((classes, row))
    }

    /// Returns the fate of a file: `None` if the new library has it, or if neither the old one nor a row knows it.
    #[must_use]
    pub fn fate_of_file(self, path: &str) -> Option<FileFate> {
        if self.new.has_file(path) {
            return None;
        }
        let row = self.rows().find(|row| matches!(row.subject, Subject::File(it) if it == path));
        if let Some(row) = row {
            let to = match row.remedy {
                Remedy::Rename(to) => Some(to.to_owned()),
                Remedy::Include(_) | Remedy::Insert(_) | Remedy::Remove | Remedy::Rewrite => None,
            };
            return Some(FileFate { to, names: self.names_of(path), row: Some(row) });
        }
        if !self.old.has_file(path) {
            return None;
        }
        // The new file, if one has more than half of the definitions.
        let names = self.names_of(path);
        let mut places: Vec<&str> =
            names.iter().filter_map(|name| self.new.symbol(name)).map(|it| &*it.file).collect();
        places.sort_unstable();
        let counted = places.chunk_by(|a, b| a == b).max_by_key(|chunk| chunk.len());
        let to = counted.filter(|chunk| chunk.len() * 2 > names.len()).map(|chunk| chunk[0].to_owned());
        Some(FileFate { to, names, row: None })
    }

    fn names_of(self, path: &str) -> Vec<String> {
        self.old.defined_in(path).map(|symbol| symbol.name.clone()).collect()
    }
}

/// The fate of a removed file.
#[derive(Clone, Debug)]
pub struct FileFate {
    /// The file that most of its definitions are in now, if any.
    pub to: Option<String>,
    /// The names that it defined.
    pub names: Vec<String>,
    /// The row with the replacement.
    pub row: Option<&'static Deprecation>,
}

fn successor(symbol: &Symbol, evidence: Evidence) -> Successor {
    Successor { name: symbol.name.clone(), file: symbol.file.to_string(), evidence }
}

/// Returns the similarity of two lists in any order: twice the common items by the total.
fn shared(a: &[String], b: &[String]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let mut left: Vec<&str> = a.iter().map(String::as_str).collect();
    let mut right: Vec<&str> = b.iter().map(String::as_str).collect();
    left.sort_unstable();
    right.sort_unstable();
    let (mut i, mut j, mut both) = (0, 0, 0_u32);
    while let (Some(x), Some(y)) = (left.get(i), right.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    let all = u32::try_from(left.len() + right.len()).unwrap_or(u32::MAX);
    f64::from(2 * both) / f64::from(all)
}

/// Splits a name into words: `AnyVectorOfRank` is `any`, `vector`, `of`, `rank`.
fn words(name: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut was_lower = false;
    for char in name.chars() {
        let starts = char == '_' || char.is_uppercase() && was_lower || all.is_empty();
        if starts {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut().filter(|_| char != '_') {
            last.extend(char.to_lowercase());
        }
        was_lower = char.is_lowercase() || char.is_ascii_digit();
    }
    all.retain(|word| !word.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Symbols {
        Symbols::of([("mlir/IR/A.td", text.as_bytes())].into_iter())
    }

    #[test]
    fn a_definition_with_an_equal_body_took_its_place() {
        let old = outline(
            "def P : CPred<\"p\">; class VectorOf<list<Type> t> : Shaped<t, P, \"vector\">; class TensorOf<list<Type> t> : Shaped<t, T, \"tensor\">;",
        );
        let new = outline(
            "def Q : And<\"p\">; class VectorOfRankOf<list<Type> t> : Shaped<t, Q, \"vector\">; class TensorOf<list<Type> t> : Shaped<t, T, \"tensor\">; class Other<list<Type> t> : Shaped<t, Q, \"other\">;",
        );
        let pair = LibraryPair { old: &old, new: &new, from: 21, to: 22 };
        let expected = Successor {
            name: "VectorOfRankOf".to_owned(),
            file: "mlir/IR/A.td".to_owned(),
            evidence: Evidence::EqualBody,
        };
        assert_eq!(pair.fate("VectorOf"), Fate::Renamed(expected));
        assert_eq!(pair.fate("TensorOf"), Fate::Same);
        assert_eq!(pair.fate("Nothing"), Fate::Foreign);
    }

    #[test]
    fn what_changes_in_a_class() {
        let old = outline("class B { string s; } class A<int x, string y = \"\"> : B { int f; dag g; }");
        let new = outline("class B { string s; int f; } class A<bit x, string y, int z, int u = 1> : B;");
        let pair = LibraryPair { old: &old, new: &new, from: 21, to: 22 };
        let change = pair.class_change("A").unwrap();
        assert_eq!(
            change.arguments,
            [
                "`int x` is now `bit x`",
                "`string y` has no default any more",
                "`int z` is new and has no default"
            ]
        );
        assert_eq!(change.fields, ["`dag g` is gone"]);
        assert_eq!(pair.class_change("B"), None);
        assert_eq!(pair.lost_field("g").map(|(classes, _)| classes), Some(vec!["A"]));
    }

    #[test]
    fn names_are_words() {
        assert_eq!(words("AnyVectorOf_F32"), ["any", "vector", "of", "f32"]);
        assert!(shared(&words("VectorOf"), &words("VectorOfRankOf")) > 0.5);
    }
}
