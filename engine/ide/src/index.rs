//! An index of every file's definitions, read without evaluation: for names that are not included yet.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use odsmith_engine::outline::{Kind, Statement, StatementKind, includes, symbols};

use crate::document::Document;

/// The definitions and includes of a file.
#[derive(Debug, Default)]
pub struct FileNames {
    /// The file names in its `include`s.
    pub includes: Vec<String>,
    /// Its definitions.
    pub names: Vec<IndexEntry>,
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: StatementKind,
    /// The classes named in its header.
    pub parents: Vec<String>,
    /// The offset at which its name begins.
    pub start: usize,
    /// The offset at which its name ends.
    pub end: usize,
}

impl FileNames {
    /// Lists the definitions and includes of a file.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let names = document.all_statements().filter_map(|statement| named(document, statement));
        FileNames { includes: includes::of(document.text.as_bytes()), names: names.collect() }
    }
}

fn named(document: &Document, statement: &Statement) -> Option<IndexEntry> {
    let is_definition = matches!(
        statement.kind,
        StatementKind::Class
            | StatementKind::Def
            | StatementKind::Defm
            | StatementKind::Multiclass
            | StatementKind::Defvar
            | StatementKind::Defset
    );
    let name = statement.name.filter(|name| is_definition && name.kind == Kind::Word)?;
    let text = |name| document.text_of(name).to_owned();
    Some(IndexEntry {
        name: text(name),
        kind: statement.kind,
        parents: symbols::parents(document, statement).map(text).collect(),
        start: name.start,
        end: name.end,
    })
}

/// The definitions of all files.
pub struct Index {
    files: Vec<(String, Arc<FileNames>)>,
    /// The definitions of each name, as indices.
    by_name: HashMap<String, Vec<(usize, usize)>>,
    /// The definitions whose headers name a class, as indices.
    by_parent: HashMap<String, Vec<(usize, usize)>>,
    /// A further index, searched after this one.
    rest: Option<Arc<Index>>,
}

impl Index {
    /// Builds the index of these files.
    pub(crate) fn new(files: impl Iterator<Item = (Arc<FileNames>, String)>) -> Self {
        let files: Vec<(String, Arc<FileNames>)> = files.map(|(names, path)| (path, names)).collect();
        let mut by_name: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        let mut by_parent: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for (file, (_, names)) in files.iter().enumerate() {
            for (index, named) in names.names.iter().enumerate() {
                by_name.entry(named.name.clone()).or_default().push((file, index));
                let parents = named.parents.iter().filter(|_| named.kind == StatementKind::Class);
                parents.for_each(|name| by_parent.entry(name.clone()).or_default().push((file, index)));
            }
        }
        Index { files, by_name, by_parent, rest: None }
    }

    /// Appends another index, which is searched after this one.
    pub(crate) fn with(self, rest: Arc<Index>) -> Self {
        Index { rest: Some(rest), ..self }
    }

    /// Returns every definition with its file.
    pub fn all(&self) -> impl Iterator<Item = (&str, &IndexEntry)> {
        let files = self.parts().flat_map(|part| &part.files);
        files.flat_map(|(path, names)| names.names.iter().map(move |named| (path.as_str(), named)))
    }

    /// Returns this index and the further ones.
    fn parts(&self) -> impl Iterator<Item = &Index> {
        std::iter::once(self).chain(self.rest.as_deref())
    }

    /// Returns the definitions of a name, with their files.
    pub fn find(&self, name: &str) -> impl Iterator<Item = (&str, &IndexEntry)> {
        self.parts().flat_map(move |part| {
            let found = part.by_name.get(name).into_iter().flatten();
            found.map(|&(file, index)| (part.files[file].0.as_str(), &part.files[file].1.names[index]))
        })
    }

    /// Returns the transitive subclasses of these classes, as far as headers show them.
    #[must_use]
    pub fn descendants<'i>(&'i self, classes: &[&'i str]) -> Descendants<'i> {
        let mut known: HashSet<&str> = classes.iter().copied().collect();
        let mut open: Vec<&str> = classes.to_vec();
        while let Some(class) = open.pop() {
            for part in self.parts() {
                let places = part.by_parent.get(class).into_iter().flatten();
                let names = places.map(|&(file, index)| part.files[file].1.names[index].name.as_str());
                open.extend(names.filter(|name| known.insert(name)));
            }
        }
        Descendants(known)
    }
}

/// A set of classes and everything that derives from them.
pub struct Descendants<'i>(HashSet<&'i str>);

impl Descendants<'_> {
    /// Returns true if a definition derives from one of the classes.
    #[must_use]
    pub fn has(&self, named: &IndexEntry) -> bool {
        named.parents.iter().any(|parent| self.0.contains(parent.as_str()))
    }
}
