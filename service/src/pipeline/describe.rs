//! Answers about definitions: what one is, and which ones fit a question. The command line and tools share them.

use std::sync::Arc;

use odsmith_engine::{
    interchange::{
        Definition, Document,
        defs::{AttrOrType, Enum},
        op::{Part, PartKind},
        query::Query,
        symbols::{Row, Symbols},
    },
    text::nearest,
};
use odsmith_site::text::dedent;
use serde::Serialize;

/// Definitions that questions are about.
#[derive(Debug)]
pub struct Definitions {
    /// The model.
    pub document: Arc<Document>,
    /// Its symbols.
    pub symbols: Symbols,
    /// The part before ids: `mlir@22/`; empty for a project of one's own.
    pub prefix: String,
}

impl Definitions {
    /// Returns them as a subject of questions.
    #[must_use]
    pub fn subject(&self) -> Subject<'_> {
        Subject { document: &self.document, symbols: &self.symbols, prefix: &self.prefix }
    }
}

/// A definition, for people and for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Description {
    /// The id.
    pub id: String,
    /// The kind.
    pub kind: String,
    /// One line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The syntax, or the signature.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub syntax: String,
    /// The operands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<Member>,
    /// The results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Member>,
    /// The attributes and properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Member>,
    /// Traits and interfaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traits: Vec<String>,
    /// Markdown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Parameters, cases, methods or options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// The ids of other definitions that have this name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// The page in the reference, or the place in the sources.
    pub url: String,
    /// The file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A part of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Member {
    /// The name.
    pub name: String,
    /// The constraint or the C++ type.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub constraint: String,
    /// The default value, in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// One line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
}

/// A definition that fits a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchHit {
    /// The id.
    pub id: String,
    /// The kind.
    pub kind: String,
    /// One line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Operands and results.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The page in the reference, or the place in the sources.
    pub url: String,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchAnswer {
    /// The number of definitions that fit.
    pub total: usize,
    /// The first of them.
    pub hits: Vec<SearchHit>,
    /// The number of those that are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Definitions to ask about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// The model.
    pub document: &'s Document,
    /// Its symbols.
    pub symbols: &'s Symbols,
    /// The beginning of ids: `arith@22/`; empty for a folder.
    pub prefix: &'s str,
}

impl<'s> Subject<'s> {
    /// Describes the definition of a name: `arith.addi`, `!llvm.ptr`, an id, a C++ class, a record or `-a-pass`.
    ///
    /// # Errors
    /// There is none; the message has the nearest names.
    pub fn describe(self, name: &str) -> Result<Description, String> {
        let rows = self.find(name);
        let Some(row) = rows.first() else {
            let names = self.symbols.rows.iter().map(|row| row.name.as_str());
            let help = nearest(name, names).map(|near| format!("\nhelp: did you mean '{near}'?"));
            return Err(format!("nothing is called '{}'{}", name.escape_debug(), help.unwrap_or_default()));
        };
        let mut description = self.of_row(row);
        description.alternatives = rows[1..].iter().map(|row| format!("{}{}", self.prefix, row.id)).collect();
        Ok(description)
    }

    fn find(self, name: &str) -> Vec<&'s Row> {
        self.symbols.named(name, self.prefix).map(|(_, rows)| rows).unwrap_or_default()
    }

    fn url(self, row: &Row) -> String {
        row.page.clone().unwrap_or_else(|| format!("{}#L{}", row.file, row.line))
    }

    fn of_row(self, row: &Row) -> Description {
        let mut out = Description {
            id: format!("{}{}", self.prefix, row.id),
            kind: row.kind.clone(),
            summary: row.summary.clone(),
            syntax: row.signature.clone(),
            url: self.url(row),
            file: row.file.clone(),
            line: row.line,
            ..Description::default()
        };
        let document = self.document;
        let is_it = |definition: &Definition| {
            definition.location.as_ref().is_some_and(|at| at.file == row.file && at.line == row.line)
        };
        match row.kind.as_str() {
            "op" => {
                let op = document.operations.iter().find(|it| is_it(&it.definition) && it.name == row.name);
                let Some(op) = op else { return out };
                if let Some(format) = &op.assembly_format {
                    out.syntax =
                        format!("{} {}", op.name, format.split_whitespace().collect::<Vec<_>>().join(" "));
                }
                let of = |kinds: &[PartKind]| {
                    let parts = op.arguments.iter().filter(|part| kinds.contains(&part.kind));
                    parts.map(|part| self.member(part)).collect::<Vec<Member>>()
                };
                out.operands = of(&[PartKind::Operand]);
                out.attributes = of(&[PartKind::Attribute, PartKind::Property]);
                out.results = op.results.iter().map(|part| self.member(part)).collect();
                out.traits = self.traits(&op.traits);
                out.description.clone_from(&op.description);
            }
            "type" | "attr" => {
                let list = if row.kind == "type" { &document.types } else { &document.attributes };
                let Some(def) = list.iter().find(|it| is_it(&it.definition)) else { return out };
                out.members = parameters(def);
                // An attribute around an enum is described by its cases.
                let classes: Vec<&str> =
                    def.parameters.iter().filter_map(|it| it.cpp_type.rsplit("::").next()).collect();
                if let [class] = classes[..]
                    && let Some(cases) = document.enums.iter().find(|it| it.cpp_class == class)
                {
                    out.members.extend(cases_of(cases));
                }
                out.traits = self.traits(&def.traits);
                out.description.clone_from(&def.description);
                if let Some(format) = &def.assembly_format {
                    out.syntax =
                        format!("{} {}", row.name, format.split_whitespace().collect::<Vec<_>>().join(" "));
                }
            }
            "enum" => {
                let Some(def) = document.enums.iter().find(|it| is_it(&it.definition)) else { return out };
                out.members = cases_of(def);
            }
            "interface" => {
                let Some(def) = document.interfaces.iter().find(|it| is_it(&it.definition)) else {
                    return out;
                };
                out.description.clone_from(&def.description);
                let methods = def.methods.iter().map(|method| {
                    let parameters =
                        method.parameters.iter().map(|it| format!("{} {}", it.cpp_type, it.name));
                    Member {
                        name: method.name.clone(),
                        constraint: format!(
                            "{} ({})",
                            method.return_type,
                            parameters.collect::<Vec<_>>().join(", ")
                        ),
                        default: None,
                        summary: method.description.trim().lines().next().unwrap_or_default().to_owned(),
                    }
                });
                out.members = methods.collect();
            }
            "pass" => {
                let Some(def) = document.passes.iter().find(|it| is_it(&it.definition)) else { return out };
                out.description.clone_from(&def.description);
                let options = def.options.iter().map(|it| Member {
                    name: it.argument.clone(),
                    constraint: it.cpp_type.clone(),
                    default: it.default_value.clone(),
                    summary: it.description.clone(),
                });
                out.members = options.collect();
            }
            "constraint" => {
                let Some(def) = document.constraints.iter().find(|it| is_it(&it.definition)) else {
                    return out;
                };
                out.description.clone_from(&def.description);
                out.syntax.clone_from(&def.condition);
            }
            "dialect" => {
                let Some(def) = document.dialects.iter().find(|it| is_it(&it.definition)) else { return out };
                out.description.clone_from(&def.description);
            }
            _ => {}
        }
        out
    }

    fn member(self, part: &Part) -> Member {
        let constraint = self.document.constraints.get(part.constraint);
        let name = constraint.and_then(|it| it.definition.record.clone());
        Member {
            name: part.name.clone(),
            constraint: name.or_else(|| Some(constraint?.summary.clone())).unwrap_or_default(),
            default: constraint.and_then(|it| it.attribute.as_ref()?.default_value.clone()),
            summary: part.summary.clone(),
        }
    }

    fn traits(self, indexes: &[usize]) -> Vec<String> {
        let names = indexes.iter().filter_map(|&index| self.document.traits.get(index));
        names.map(|it| it.name.clone()).collect()
    }

    /// Lists the definitions that use one, with the way: those of a name, if it is no definition here.
    #[must_use]
    pub fn uses(self, name: &str, how: Option<&str>) -> Vec<(String, String)> {
        let ids: Vec<&str> = self.find(name).into_iter().map(|row| row.id.as_str()).collect();
        let last = name.rsplit(['/', ':']).next().unwrap_or(name);
        let is_it = |target: &str| {
            let own = target.rsplit('/').next().unwrap_or(target);
            ids.contains(&target) || target == name || (ids.is_empty() && own == last)
        };
        let uses =
            self.symbols.uses.iter().filter(|it| how.is_none_or(|how| it.how == how) && is_it(&it.target));
        uses.map(|it| (format!("{}{}", self.prefix, it.user), it.how.clone())).collect()
    }

    /// Answers a question with its first hits.
    ///
    /// # Errors
    /// The question names an unknown facet.
    pub fn search(self, question: &str, from: usize, most: usize) -> Result<SearchAnswer, String> {
        let hits = Query::parse(question)?.hits(self.symbols)?;
        let total = hits.len();
        let shown = hits.iter().skip(from).take(most).map(|hit| SearchHit {
            id: format!("{}{}", self.prefix, hit.row.id),
            kind: hit.row.kind.clone(),
            summary: hit.row.summary.clone(),
            signature: hit.row.signature.clone(),
            url: self.url(hit.row),
        });
        let hits: Vec<SearchHit> = shown.collect();
        Ok(SearchAnswer { total, more: total.saturating_sub(from + hits.len()), hits })
    }
}

fn cases_of(def: &Enum) -> Vec<Member> {
    let cases = def.cases.iter().map(|case| Member {
        name: case.spelling.clone(),
        constraint: case.symbol.clone(),
        default: Some(case.value.to_string()),
        summary: String::new(),
    });
    cases.collect()
}

fn parameters(def: &AttrOrType) -> Vec<Member> {
    let each = def.parameters.iter().map(|it| Member {
        name: it.name.clone(),
        constraint: it.cpp_type.clone(),
        default: it.default_value.clone(),
        summary: it.summary.clone().unwrap_or_default(),
    });
    each.collect()
}

impl Description {
    /// Returns it as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = format!("{} ({})", self.id, self.kind);
        if !self.summary.is_empty() {
            out += &format!(": {}", self.summary);
        }
        out += &format!("\n{}:{}\n", self.file, self.line);
        if !self.syntax.is_empty() {
            out += &format!("\n    {}\n", self.syntax);
        }
        let lists = [
            ("operands", &self.operands),
            ("attributes", &self.attributes),
            ("results", &self.results),
            ("members", &self.members),
        ];
        for (heading, members) in lists.into_iter().filter(|(_, members)| !members.is_empty()) {
            out += &format!("\n{heading}\n");
            for Member { name, constraint, default, summary } in members {
                let default = default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
                let summary = if summary.is_empty() { String::new() } else { format!("  {summary}") };
                out += &format!("  {name}: {constraint}{default}{summary}\n");
            }
        }
        if !self.traits.is_empty() {
            out += &format!("\ntraits\n  {}\n", self.traits.join(", "));
        }
        if !self.description.trim().is_empty() {
            out += &format!("\n{}\n", dedent(&self.description));
        }
        if !self.alternatives.is_empty() {
            out += &format!("\nalso\n  {}\n", self.alternatives.join("\n  "));
        }
        out
    }
}

impl SearchAnswer {
    /// Returns it as text, a line for each hit.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for hit in &self.hits {
            let rest = if hit.signature.is_empty() { &hit.summary } else { &hit.signature };
            out += &format!("{}  {rest}\n", hit.id);
        }
        if self.more > 0 {
            out += &format!("{} more\n", self.more);
        }
        out
    }
}
