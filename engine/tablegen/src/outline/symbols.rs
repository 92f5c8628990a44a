//! The definitions of files as written: names, template arguments, superclasses, fields.
//!
//! ```text
//! class VectorOf<list<Type> allowedTypes> : ShapedContainerType<allowedTypes, IsVectorTypePred, "vector"> { int x = 0; }
//! ```
//!
//! is a class `VectorOf` with an argument `allowedTypes` of type `list<Type>`, a superclass, and a field `x` of type `int`.
//! Reading a release's whole library this way is fast, and works for releases that the engine does not evaluate.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

use super::{Item, ItemKind, Kind, Outline, Statement, StatementKind, Token, includes};

/// A template argument or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The token of its name.
    pub token: Token,
    /// Its type, without blanks and comments.
    pub ty: String,
    /// True if it has a default value.
    pub has_default: bool,
}

/// Returns the template arguments of a class or multiclass.
#[must_use]
pub fn arguments(outline: &Outline, statement: &Statement) -> Vec<Parameter> {
    let mut all = Vec::new();
    let Some((open, end)) = argument_list(outline, statement) else { return all };
    let mut start = open + 1;
    let mut depth = 0_usize;
    for index in open + 1..=end {
        match outline.tokens.get(index).map(|token| token.kind) {
            _ if index == end => all.extend(declaration(outline, start..end)),
            Some(Kind::Sign(b'<' | b'(' | b'[' | b'{')) => depth += 1,
            Some(Kind::Sign(b'>' | b')' | b']' | b'}')) => depth = depth.saturating_sub(1),
            Some(Kind::Sign(b',')) if depth == 0 => {
                all.extend(declaration(outline, start..index));
                start = index + 1;
            }
            _ => {}
        }
    }
    all
}

/// Returns the tokens `<` and `>` of the template arguments; the end of the statement if `>` is missing.
fn argument_list(outline: &Outline, statement: &Statement) -> Option<(usize, usize)> {
    let tokens = &outline.tokens;
    let name = statement.whole_name()?;
    let after = |index: &usize| tokens[*index].start >= name.end && tokens[*index].is_code();
    let open = statement.tokens.clone().find(after).filter(|open| tokens[*open].is(b'<'))?;
    let mut depth = 0_usize;
    let close = (open..statement.tokens.end).find(|&index| {
        match tokens[index].kind {
            Kind::Sign(b'<') => depth += 1,
            Kind::Sign(b'>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    Some((open, close.unwrap_or(statement.tokens.end)))
}

/// Returns the declarations of fields in the body of a record.
pub fn fields<'o>(outline: &'o Outline, statement: &'o Statement) -> impl Iterator<Item = Parameter> {
    let items = statement.items.iter().filter(|item| item.kind == ItemKind::Declaration);
    items.filter_map(|item: &Item| declaration(outline, item.tokens.clone()))
}

/// Reads `type name` or `type name = value`.
fn declaration(outline: &Outline, tokens: Range<usize>) -> Option<Parameter> {
    let code = outline.tokens[tokens].iter().filter(|token| token.is_code() && !token.is(b';'));
    let code: Vec<&Token> = code.collect();
    let mut depth = 0_usize;
    let equal = code.iter().position(|token| {
        match token.kind {
            Kind::Sign(b'<') => depth += 1,
            Kind::Sign(b'>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is(b'=')
    });
    let (&&token, ty) = code[..equal.unwrap_or(code.len())].split_last()?;
    let ty: String =
        ty.iter().map(|token| outline.text_of(**token)).filter(|word| *word != "field").collect();
    let name = outline.text_of(token).to_owned();
    let is_whole = token.kind == Kind::Word && !ty.is_empty();
    is_whole.then_some(Parameter { name, token, ty, has_default: equal.is_some() })
}

/// Returns the names of the classes in a header.
pub fn parents<'o>(outline: &'o Outline, statement: &Statement) -> impl Iterator<Item = Token> + use<'o> {
    let mut depth = 0_usize;
    let mut is_after_colon = false;
    let mut is_next = false;
    outline.tokens[statement.header()].iter().copied().filter(move |token| {
        match token.kind {
            Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
            Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            Kind::Sign(b':') if depth == 0 && !is_after_colon => (is_after_colon, is_next) = (true, true),
            Kind::Sign(b',') if depth == 0 => is_next = is_after_colon,
            Kind::Word if depth == 0 && is_next => {
                is_next = false;
                return true;
            }
            _ => {}
        }
        false
    })
}

/// A class, def, multiclass or variable of a library.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its kind.
    pub kind: StatementKind,
    /// Its name.
    pub name: String,
    /// The file, below the library's root.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// Template arguments.
    pub arguments: Vec<Parameter>,
    /// Superclasses that it names.
    pub parents: Vec<String>,
    /// Fields that it declares.
    pub fields: Vec<Parameter>,
    /// The words, numbers and texts after its arguments.
    pub body: Vec<String>,
}

/// The definitions of a library or a project.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    symbols: BTreeMap<String, Vec<Symbol>>,
    /// The files, and the includes of each.
    files: BTreeMap<String, Vec<String>>,
}

impl Symbols {
    /// Returns the definitions in these files.
    pub fn of<'f>(files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Symbols {
        Symbols::with_bodies(files, usize::MAX)
    }

    /// Returns the definitions in these files, with the first word alone of each body: they take much less memory.
    pub fn heads_of<'f>(files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Symbols {
        Symbols::with_bodies(files, 1)
    }

    fn with_bodies<'f>(files: impl Iterator<Item = (&'f str, &'f [u8])>, most_words: usize) -> Symbols {
        let mut symbols = Symbols::default();
        for (path, text) in files {
            symbols.add(path, text, most_words);
        }
        symbols
    }

    fn add(&mut self, path: &str, text: &[u8], most_words: usize) {
        let outline = Outline::new(path, text);
        self.files.insert(path.to_owned(), includes::of(text));
        let mut open: Vec<&Statement> = outline.statements.iter().rev().collect();
        while let Some(statement) = open.pop() {
            // The definitions in a multiclass are made where it is used.
            if statement.kind != StatementKind::Multiclass {
                open.extend(statement.children.iter().rev());
            }
            if let Some(mut symbol) = symbol(&outline, statement) {
                if symbol.body.len() > most_words {
                    symbol.body.truncate(most_words);
                    symbol.body.shrink_to_fit();
                }
                self.symbols.entry(symbol.name.clone()).or_default().push(symbol);
            }
        }
    }

    /// Returns the symbols of a name: mostly one.
    #[must_use]
    pub fn all(&self, name: &str) -> &[Symbol] {
        self.symbols.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the symbol of a name: a class before a def, one with a body before a mere declaration.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.all(name).iter().min_by_key(|symbol| (symbol.body.is_empty(), symbol.kind))
    }

    /// Returns all names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.symbols.keys().map(String::as_str)
    }

    /// Returns true if there is a file of this path.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Returns all files, sorted.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns files that others include.
    #[must_use]
    pub fn included(&self) -> BTreeSet<&str> {
        self.files.values().flatten().map(String::as_str).collect()
    }

    /// Returns symbols that a file defines.
    pub fn defined_in<'o>(&'o self, file: &'o str) -> impl Iterator<Item = &'o Symbol> {
        self.symbols.values().flatten().filter(move |symbol| &*symbol.file == file)
    }

    /// Returns true if a file includes another one, directly or through others.
    #[must_use]
    pub fn reaches(&self, from: &str, to: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(file) = waiting.pop() {
            if file == to {
                return true;
            }
            if seen.insert(file) {
                waiting.extend(self.files.get(file).into_iter().flatten().map(String::as_str));
            }
        }
        false
    }

    /// Returns the symbol whose text holds a line of a file.
    #[must_use]
    pub fn at(&self, file: &str, line: u32) -> Option<&Symbol> {
        let is_above = |symbol: &&Symbol| &*symbol.file == file && symbol.line <= line;
        self.symbols.values().flatten().filter(is_above).max_by_key(|symbol| symbol.line)
    }

    /// Returns classes that declare a field, sorted.
    #[must_use]
    pub fn classes_with_field(&self, field: &str) -> Vec<&str> {
        let has = |symbol: &&Symbol| {
            symbol.kind == StatementKind::Class && symbol.fields.iter().any(|it| it.name == field)
        };
        let mut found: Vec<&str> =
            self.symbols.values().flatten().filter(has).map(|symbol| symbol.name.as_str()).collect();
        found.dedup();
        found
    }
}

/// Returns the symbol that a statement defines. A pasted name is not the library's.
fn symbol(outline: &Outline, statement: &Statement) -> Option<Symbol> {
    let is_symbol = matches!(
        statement.kind,
        StatementKind::Class | StatementKind::Def | StatementKind::Multiclass | StatementKind::Defvar
    );
    let name = statement.whole_name().filter(|name| is_symbol && name.kind == Kind::Word)?;
    let text = |token: Token| outline.text_of(token).to_owned();
    let end_of_arguments = argument_list(outline, statement).map(|(_, end)| end);
    let start = end_of_arguments.and_then(|end| Some(outline.tokens.get(end)?.end)).unwrap_or(name.end);
    let body = outline.code_in(start..statement.end).into_iter();
    Some(Symbol {
        kind: statement.kind,
        name: text(name),
        file: outline.file.clone(),
        line: outline.position(name.start).0,
        arguments: arguments(outline, statement),
        parents: parents(outline, statement).map(text).collect(),
        fields: fields(outline, statement).collect(),
        body: body.filter(|token| !matches!(token.kind, Kind::Sign(_))).map(text).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_defines() {
        let text = br#"
            include "mlir/IR/OpBase.td"
            class A<list<B> x, string y = "a, b", bits<3> z = {0, 1}> : C<x, D<y>.z>, E { field int u = 1; let v = 2; list<A> w; }
            multiclass M<int n> { def "" : A<[]>; def Inner : A<[]>; }
            let t = 1 in { def One : A<[], "s">; }
            def Two#x : A<[]>;
            defvar n = 5;
        "#;
        let outline = Symbols::of([("a.td", &text[..])].into_iter());
        let names: Vec<&str> = outline.names().collect();
        assert_eq!(names, ["A", "M", "One", "n"]);
        let a = outline.symbol("A").unwrap();
        let shown = |all: &[Parameter]| {
            all.iter().map(|it| format!("{} {} {}", it.ty, it.name, it.has_default)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&a.arguments), ["list<B> x false", "string y true", "bits<3> z true"]);
        assert_eq!(shown(&a.fields), ["int u true", "list<A> w false"]);
        assert_eq!((a.parents.as_slice(), a.line), (&["C".to_owned(), "E".to_owned()][..], 3));
        assert_eq!(outline.classes_with_field("w"), ["A"]);
        assert!(
            outline.reaches("a.td", "mlir/IR/OpBase.td") && !outline.reaches("mlir/IR/OpBase.td", "a.td")
        );
    }
}
