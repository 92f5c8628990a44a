//! The definitions of a library's files, as written: names, places, template arguments, fields.
//!
//! ```text
//! class VectorOf<list<Type> allowedTypes> : ShapedContainerType<allowedTypes, IsVectorTypePred, "vector"> { int x = 0; }
//! ```
//!
//! is a class `VectorOf` with an argument `allowedTypes` of type `list<Type>`, a superclass, and a field `x` of type `int`.
//! Reading a release's whole library this way is fast, and works for releases that the engine does not evaluate.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Serialize;

use super::tokens::{Kind, Token, position, tokens};

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// `class`.
    Class,
    /// `def`.
    Def,
    /// `multiclass`.
    Multiclass,
    /// `defvar`.
    Defvar,
}

/// A template argument or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// True if it has a default value.
    pub has_default: bool,
}

/// A class, def, multiclass or variable of a library.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its kind.
    pub kind: SymbolKind,
    /// Its name.
    pub name: String,
    /// The file, below the library's root.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// Template arguments.
    pub arguments: Vec<Declared>,
    /// Superclasses that it names.
    pub parents: Vec<String>,
    /// Fields that it declares.
    pub fields: Vec<Declared>,
    /// The words, numbers and texts after its arguments.
    pub body: Vec<String>,
}

/// The definitions of a library or a project.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    symbols: BTreeMap<String, Vec<Symbol>>,
    /// The files, and the includes of each.
    files: BTreeMap<String, Vec<String>>,
}

impl Outline {
    /// Returns the outline of these files.
    pub fn of<'f>(files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Outline {
        let mut outline = Outline::default();
        for (path, text) in files {
            outline.add(path, text);
        }
        outline
    }

    fn add(&mut self, path: &str, text: &[u8]) {
        let all = tokens(text);
        let mut reader = Reader { text, file: path.into(), tokens: &all, at: 0, symbols: Vec::new() };
        let includes = reader.read();
        self.files.insert(path.to_owned(), includes);
        for symbol in reader.symbols {
            self.symbols.entry(symbol.name.clone()).or_default().push(symbol);
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

    /// Returns classes that declare a field, sorted.
    #[must_use]
    pub fn classes_with_field(&self, field: &str) -> Vec<&str> {
        let has = |symbol: &&Symbol| {
            symbol.kind == SymbolKind::Class && symbol.fields.iter().any(|it| it.name == field)
        };
        let mut found: Vec<&str> =
            self.symbols.values().flatten().filter(has).map(|symbol| symbol.name.as_str()).collect();
        found.dedup();
        found
    }
}

/// A reader of the statements of a file.
struct Reader<'t> {
    text: &'t [u8],
    file: Arc<str>,
    tokens: &'t [Token<'t>],
    at: usize,
    symbols: Vec<Symbol>,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    fn is_sign(&self, sign: u8) -> bool {
        self.peek().is_some_and(|token| token.is_sign(sign))
    }

    /// Reads the file, and returns its includes.
    fn read(&mut self) -> Vec<String> {
        let mut includes = Vec::new();
        while let Some(token) = self.peek() {
            self.at += 1;
            match token.word() {
                Some("include") => {
                    if let Some(path) = self.peek().and_then(Token::quoted) {
                        includes.push(path.to_owned());
                        self.at += 1;
                    }
                }
                Some("class") => self.symbol(SymbolKind::Class),
                Some("def") => self.symbol(SymbolKind::Def),
                Some("multiclass") => self.symbol(SymbolKind::Multiclass),
                Some("defvar") => self.symbol(SymbolKind::Defvar),
                _ => {}
            }
        }
        includes
    }

    /// Reads the rest of a statement after `class` and the like.
    fn symbol(&mut self, kind: SymbolKind) {
        let Some(name) = self.peek() else { return };
        let Some(word) = name.word() else { return };
        self.at += 1;
        // A pasted name is not the library's.
        if self.is_sign(b'#') {
            return;
        }
        let arguments = if self.is_sign(b'<') { self.arguments() } else { Vec::new() };
        let start = self.at;
        let parents = if self.is_sign(b':') { self.parents() } else { Vec::new() };
        let mut fields = Vec::new();
        if self.is_sign(b'{') {
            let end = self.closing(b'{', b'}');
            // The definitions in a multiclass are made where it is used.
            if kind != SymbolKind::Multiclass {
                fields = self.fields(self.at + 1, end);
            }
            self.at = end;
        } else if kind == SymbolKind::Defvar {
            while self.peek().is_some_and(|token| !token.is_sign(b';')) {
                self.at += 1;
            }
        }
        let body = self.tokens[start..self.at.min(self.tokens.len())].iter();
        let body = body.filter(|token| !matches!(token.kind, Kind::Sign(_)));
        let body = body.map(|token| String::from_utf8_lossy(token.bytes).into_owned()).collect();
        let (line, _) = position(self.text, name.start);
        let name = word.to_owned();
        self.symbols.push(Symbol {
            kind,
            name,
            file: self.file.clone(),
            line,
            arguments,
            parents,
            fields,
            body,
        });
    }

    /// Returns the index of the sign that closes the one here.
    fn closing(&self, open: u8, close: u8) -> usize {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(self.at) {
            if token.is_sign(open) {
                depth += 1;
            } else if token.is_sign(close) {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index;
                }
            }
        }
        self.tokens.len()
    }

    /// Reads `<type name = value, …>`.
    fn arguments(&mut self) -> Vec<Declared> {
        let end = self.closing(b'<', b'>');
        let mut all = Vec::new();
        let first = self.at + 1;
        let mut start = first;
        let mut depth = 0_usize;
        for index in first..=end.min(self.tokens.len().saturating_sub(1)) {
            let token = &self.tokens[index];
            match token.kind {
                Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b'>' | b')' | b']' | b'}') if index != end => depth = depth.saturating_sub(1),
                _ => {}
            }
            if index == end || depth == 0 && token.is_sign(b',') {
                all.extend(declared(&self.tokens[start..index]));
                start = index + 1;
            }
        }
        self.at = (end + 1).min(self.tokens.len());
        all
    }

    /// Reads `: A<…>, B`, up to the body.
    fn parents(&mut self) -> Vec<String> {
        self.at += 1;
        let mut all = Vec::new();
        let mut depth = 0_usize;
        let mut is_next = true;
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Sign(b'{' | b';') if depth == 0 => break,
                Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Sign(b',') if depth == 0 => is_next = true,
                Kind::Word if depth == 0 && is_next => {
                    all.extend(token.word().map(str::to_owned));
                    is_next = false;
                }
                _ => {}
            }
            self.at += 1;
        }
        all
    }

    /// Returns the declarations among the statements of a body.
    fn fields(&self, start: usize, end: usize) -> Vec<Declared> {
        let mut all = Vec::new();
        let mut first = start;
        let mut depth = 0_usize;
        for index in start..end {
            match self.tokens[index].kind {
                Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Sign(b';') if depth == 0 => {
                    let statement = &self.tokens[first..index];
                    let is_other = |token: &Token<'_>| {
                        ["let", "assert", "defvar", "dump"].iter().any(|word| token.is_word(word))
                    };
                    if !statement.first().is_none_or(is_other) {
                        all.extend(declared(statement));
                    }
                    first = index + 1;
                }
                _ => {}
            }
        }
        all
    }
}

/// Reads `type name` or `type name = value`.
fn declared(tokens: &[Token<'_>]) -> Option<Declared> {
    let mut depth = 0_usize;
    let mut end = tokens.len();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Sign(b'<') => depth += 1,
            Kind::Sign(b'>') => depth = depth.saturating_sub(1),
            Kind::Sign(b'=') if depth == 0 => {
                end = index;
                break;
            }
            _ => {}
        }
    }
    let (name, ty) = tokens[..end].split_last()?;
    let ty: Vec<_> = ty.iter().filter(|token| !token.is_word("field")).collect();
    if ty.is_empty() {
        return None;
    }
    let ty = ty.iter().map(|token| String::from_utf8_lossy(token.bytes)).collect::<String>();
    Some(Declared { name: name.word()?.to_owned(), ty, has_default: end < tokens.len() })
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
        let outline = Outline::of([("a.td", &text[..])].into_iter());
        let names: Vec<&str> = outline.names().collect();
        assert_eq!(names, ["A", "M", "One", "n"]);
        let a = outline.symbol("A").unwrap();
        let shown = |all: &[Declared]| {
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

    #[test]
    fn any_text_has_an_outline() {
        for text in [
            "class",
            "class A<",
            "class A<int",
            "def A :",
            "def A : B<{",
            "class A { int",
            "include",
            "defvar x",
        ] {
            let _ = Outline::of([("a.td", text.as_bytes())].into_iter());
        }
    }
}
