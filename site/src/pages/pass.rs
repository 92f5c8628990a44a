//! Passes: their dialects and their pages.

use std::collections::BTreeMap;

use odsmith_engine::{
    ods::{self, PassOption},
    record::{Rec, Records},
};

use super::{
    Atlas, all,
    atlas::{Entity, ProjectFilter, Section, row},
    coverage::Tally,
    headings::{Heading, Headings},
    kind::{Kind, Searched, Subject, text},
    source,
};
use crate::{
    Note,
    commonmark::code,
    diagram::conversions::graph,
    examples::{
        passes::PassTest,
        pipelines::{PipelineOption, Registration, Step},
    },
    flavor::Writer,
    links::{CHROME_IDS, Slugs},
    text::{lookups, unqualified},
    view::{
        AllEntry, Change, Conversion, Fact, Group, Link, Part, Pass, Passes, Pipeline, PipelineStep, SCHEMA,
        Source,
    },
};

/// The section for passes without a dialect.
pub(super) const OTHERS: &str = "passes";

/// Collects all passes, each in the section of its dialect.
pub(super) fn collect<'r>(
    all: &[&'r Records],
    own: &ProjectFilter,
    sections: &mut BTreeMap<String, Section<'r>>,
) {
    let homes = homes(sections);
    for records in all {
        for rec in records.derived("PassBase").filter(|rec| own.has(*rec)) {
            let argument = ods::Pass::lenient(rec).argument;
            if argument.is_empty() {
                continue;
            }
            let home = home(&file(rec).unwrap_or_default(), argument, &homes);
            let name = home.map_or(OTHERS, String::as_str);
            // A dialect may have the same name as the section of passes.
            let key = if home.is_some() { name.to_owned() } else { format!("{name} ") };
            let section = sections
                .entry(key)
                .or_insert_with(|| Section { name: name.to_owned(), ..Section::default() });
            if section.passes.iter().all(|known| known.name != argument) {
                section.passes.push(Entity::new(rec, argument.to_owned()));
            }
        }
    }
}

/// The dialects, and the file of each.
pub(super) fn homes(sections: &BTreeMap<String, Section<'_>>) -> Vec<(String, String)> {
    let of = |section: &Section<'_>| Some((section.name.clone(), file(section.dialect?.rec())?));
    sections.values().filter_map(of).collect()
}

/// The file that a record is in.
pub(super) fn file(rec: Rec<'_>) -> Option<String> {
    let (buffer, _) = rec.records().sources().position(rec.span())?;
    Some(buffer.name.to_string())
}

/// The dialect that a pass belongs to: the one defined in the nearest folder around the pass. Of several, the one
/// whose name the pass begins with; else none.
pub(super) fn home<'a>(file: &str, argument: &str, homes: &'a [(String, String)]) -> Option<&'a String> {
    let mut folder = file;
    loop {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let inside = |path: &str| {
            folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        let near: Vec<&String> =
            homes.iter().filter(|(_, path)| inside(path)).map(|(name, _)| name).collect();
        match near.as_slice() {
            [] if folder.is_empty() => return None,
            [] => {}
            [only] => return Some(only),
            several => {
                let is_named = |name: &&&String| {
                    let name = name.replace('_', "-");
                    argument.strip_prefix(&name).is_some_and(|rest| rest.starts_with('-'))
                };
                return several.iter().filter(is_named).max_by_key(|name| name.len()).copied();
            }
        }
    }
}

/// The page of a pass.
pub(super) fn page(
    atlas: &Atlas<'_>,
    section: &Section<'_>,
    entity: &Entity<'_>,
    notes: &mut Vec<Note>,
) -> Pass {
    let rec = entity.rec;
    let description = atlas.prose(rec, &entity.href, notes);
    let mut view = Pass {
        schema: SCHEMA,
        kind: "pass",
        dialect: section.name.clone(),
        name: entity.name.clone(),
        prefix: "-",
        has_notes: true,
        mnemonic: entity.name.clone(),
        cpp_class: rec.name().to_owned(),
        summary: Some(entity.summary.clone()).filter(|text| !text.is_empty()),
        command_line: format!("--{}", entity.name),
        test: atlas
            .tests
            .of(&entity.name)
            .map(|test| PassTest { href: source::line_address(atlas, &test.file, test.line), ..test }),
        conversion: conversion(atlas, section, entity),
        description,
        source: source::source(atlas, rec),
        ..Pass::default()
    };
    let pass = ods::Pass::lenient(rec);
    view.options = options(&pass.options);
    if !pass.options.is_empty() {
        let shown: Vec<String> = pass
            .options
            .iter()
            .map(|option| format!("{}=<{}>", option.argument, placeholder(option)))
            .collect();
        view.command_line = format!("--{}=\"{}\"", entity.name, shown.join(" "));
    }
    if let Some(tool) = atlas.tests.tool() {
        view.command_line = format!("{tool} {} input.mlir", view.command_line);
    }
    let statistics = pass.statistics.iter();
    view.statistics = statistics
        .map(|statistic| Fact {
            label: statistic.name.to_owned(),
            text: Some(statistic.description.trim().to_owned()),
            code: Some(statistic.cpp_name.to_owned()),
            href: None,
        })
        .collect();
    let adds = |it: &&Pipeline| it.steps.iter().any(|step| step.pass.href.as_ref() == Some(&entity.href));
    let pipelines = atlas.pipelines.iter().filter(adds);
    view.pipelines = pipelines
        .map(|it| Link { text: it.name.clone(), href: Some(format!("{CHAPTER}#{}", it.id)) })
        .collect();
    view.dependents =
        pass.dependent_dialects.iter().map(|class| dialect_link(atlas, class, &section.namespace)).collect();
    let code = |label: &str, text: &str| {
        let text = text.trim();
        (!text.is_empty()).then(|| Fact {
            label: label.to_owned(),
            code: Some(text.to_owned()),
            ..Fact::default()
        })
    };
    let base = pass.base_class.trim_start_matches("::mlir::");
    let anchor = base.strip_prefix("OperationPass<").and_then(|rest| rest.strip_suffix('>'));
    let anchor = anchor.filter(|anchor| !anchor.is_empty());
    view.facts.extend(match anchor {
        Some(class) => {
            let Link { text, href } = atlas.op_link(class, &section.namespace);
            Some(Fact { label: "Runs on".to_owned(), code: Some(text), href, text: None })
        }
        None => Some(Fact {
            label: "Runs on".to_owned(),
            text: Some("any operation".to_owned()),
            ..Fact::default()
        }),
    });
    view.facts.extend(code("C++ class", pass.name));
    view.facts.extend(code("Base class", pass.base_class));
    view.facts.extend(code("Made by", pass.constructor.unwrap_or_default()));
    view
}

/// The verbs that names of conversions begin with.
const VERBS: &[&str] = &["convert-", "lower-", "map-", "raise-", "test-"];

/// The dialects that a pass converts from and to, going by its name: `convert-scf-to-cf`.
fn conversion(atlas: &Atlas<'_>, section: &Section<'_>, entity: &Entity<'_>) -> Option<Conversion> {
    let (from, to) = entity.name.split_once("-to-")?;
    let from = VERBS.iter().find_map(|verb| from.strip_prefix(verb)).unwrap_or(from);
    let dialect = |name: &str| {
        let name = name.replace('-', "_");
        let all = || atlas.sections.iter().filter(|section| section.dialect.is_some());
        let found = all().find(|section| section.name == name).or_else(|| {
            // `llvm-ir` and `core-types` begin with a dialect.
            all()
                .filter(|section| name.starts_with(&format!("{}_", section.name)))
                .max_by_key(|it| it.name.len())
        })?;
        Some(Link { text: found.name.clone(), href: Some(found.href.clone()) })
    };
    let (from, target) = (dialect(from)?, dialect(to)?);
    if from.text == target.text {
        return None;
    }
    let dependents = ods::Pass::lenient(entity.rec).dependent_dialects;
    let also = dependents.iter().map(|class| dialect_link(atlas, class, &section.namespace));
    let also = also.filter(|link| link.href.is_some() && link.text != target.text).collect();
    Some(Conversion {
        from,
        to: target,
        also,
        pass: Link { text: entity.name.clone(), href: Some(entity.href.clone()) },
        summary: entity.summary.clone(),
    })
}

/// All conversions between dialects.
pub(super) fn conversions(atlas: &Atlas<'_>) -> Vec<Conversion> {
    let passes = atlas.sections.iter().flat_map(|section| section.passes.iter().map(move |it| (section, it)));
    let mut all: Vec<Conversion> =
        passes.filter_map(|(section, entity)| conversion(atlas, section, entity)).collect();
    all.sort_by(|a, b| (&a.from.text, &a.to.text).cmp(&(&b.from.text, &b.to.text)));
    all
}

/// The functions that create passes, and their classes: the one that the definition names, and those that ODS derives from the
/// record's name.
fn constructors(atlas: &Atlas<'_>) -> BTreeMap<String, Link> {
    let mut all = BTreeMap::new();
    for entity in atlas.sections.iter().flat_map(|section| &section.passes) {
        let pass = ods::Pass::lenient(entity.rec);
        let named =
            pass.constructor.map(|text| unqualified(text.split('(').next().unwrap_or_default().trim()));
        let record = entity.rec.name();
        let derived = [
            format!("create{record}"),
            format!("create{record}Pass"),
            record.to_owned(),
            format!("{record}Pass"),
        ];
        for name in named.map(str::to_owned).into_iter().chain(derived) {
            let link = || Link { text: entity.name.clone(), href: Some(entity.href.clone()) };
            all.entry(name).or_insert_with(link);
        }
    }
    all
}

/// The pipelines that the project registers.
pub(super) fn pipelines(atlas: &Atlas<'_>, registrations: Vec<Registration>) -> Vec<Pipeline> {
    let passes = constructors(atlas);
    let mut slugs = Slugs::default();
    let pipeline = |it: Registration| {
        let step = |step: Step| PipelineStep {
            pass: passes
                .get(&step.constructor)
                .cloned()
                .unwrap_or(Link { text: step.constructor, href: None }),
            anchor: step.anchor,
            is_conditional: step.is_conditional,
        };
        let mut command_line = format!("--{}", it.name);
        if !it.options.is_empty() {
            let shown: Vec<String> =
                it.options.iter().map(|it| format!("{}=<{}>", it.name, value(&it.ty, it.is_list))).collect();
            command_line = format!("--{}=\"{}\"", it.name, shown.join(" "));
        }
        if let Some(tool) = atlas.tests.tool() {
            command_line = format!("{tool} {command_line} input.mlir");
        }
        let option = |option: PipelineOption| Part {
            name: option.name,
            is_named: true,
            quantifiers: if option.is_list { vec!["list"] } else { Vec::new() },
            default: option.default,
            cpp_type: Some(option.ty),
            description: Some(option.description).filter(|text| !text.is_empty()),
            is_optional: true,
            ..Part::default()
        };
        Pipeline {
            id: slugs.take(&format!("pipeline-{}", it.name)),
            summary: it.description,
            command_line,
            has_conditions: it.steps.iter().any(|step| step.is_conditional),
            steps: it.steps.into_iter().map(step).collect(),
            options: it.options.into_iter().map(option).collect(),
            source: Link {
                href: source::line_address(atlas, &it.file, it.line),
                text: format!("{}:{}", it.file, it.line),
            },
            name: it.name,
        }
    };
    registrations.into_iter().map(pipeline).collect()
}

/// The chapter about all passes, if there are any.
pub(super) fn chapter(atlas: &Atlas<'_>) -> Option<super::Page> {
    let mut ids = Slugs::default();
    ["conversions", "passes", "pipelines"].iter().chain(CHROME_IDS).for_each(|id| _ = ids.take(id));
    for it in &atlas.pipelines {
        ids.take(&it.id);
    }
    let groups: Vec<Group> = atlas
        .sections
        .iter()
        .filter(|section| !section.passes.is_empty())
        .map(|section| {
            let rows = section.passes.iter().map(|entity| row(section, entity)).collect();
            let title = if section.dialect.is_some() { &section.name } else { "Of no dialect" };
            Group {
                is_long: true,
                ..Group::new(&ids.take(&format!("of-{}", section.name)), title, None, rows)
            }
        })
        .collect();
    if groups.is_empty() && atlas.pipelines.is_empty() {
        return None;
    }
    let edges: Vec<(&str, &str)> =
        atlas.conversions.iter().map(|it| (it.from.text.as_str(), it.to.text.as_str())).collect();
    let view = Passes {
        schema: SCHEMA,
        kind: "passes",
        title: "Passes",
        tool: atlas.tests.tool().map(str::to_owned),
        conversions: atlas.conversions.clone(),
        graph: graph(&edges),
        pipelines: atlas.pipelines.clone(),
        groups,
    };
    let about = format!("All passes of {}", atlas.title);
    Some(super::page(atlas, CHAPTER, view.title, &about, vec![], super::Body::Passes(Box::new(view))))
}

/// The path of the chapter.
pub(super) const CHAPTER: &str = "passes.html";

impl Kind for Passes {
    fn headings(&self, list: &mut Headings) {
        if !self.conversions.is_empty() {
            let count = self.conversions.len().to_string();
            list.push(Heading::new("conversions", "From dialect to dialect").with_aside(&count));
        }
        if !self.pipelines.is_empty() {
            let count = self.pipelines.len().to_string();
            list.push(Heading::new("pipelines", "Pipelines").with_aside(&count));
        }
        list.extend(&self.groups);
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.section("conversions", |out| {
            out.text.push_str("| From | To | Pass |\n| --- | --- | --- |\n");
            for it in &self.conversions {
                let line =
                    format!("| {} | {} | {} |\n", out.link(&it.from), out.link(&it.to), out.link(&it.pass));
                out.text.push_str(&line);
            }
            out.text.push('\n');
        });
        out.section("pipelines", |out| {
            for it in &self.pipelines {
                out.subheading(&code(&format!("--{}", it.name)));
                if !it.summary.is_empty() {
                    out.text(&it.summary);
                }
                out.fence("text", &it.command_line);
                for step in &it.steps {
                    let anchor =
                        step.anchor.as_ref().map(|on| format!(" on {}", code(on))).unwrap_or_default();
                    let when = if step.is_conditional { ", under a condition" } else { "" };
                    let line = format!("1. {}{anchor}{when}\n", out.link(&step.pass));
                    out.text.push_str(&line);
                }
                out.text.push('\n');
            }
        });
        out.groups(&self.groups);
    }

    fn has_twins(&self) -> bool {
        false
    }
}

fn options(options: &[PassOption<'_>]) -> Vec<Part> {
    let mut ids = Slugs::default();
    let row = |option: &PassOption<'_>| {
        let mut facts = vec![Fact {
            label: "C++ member".to_owned(),
            code: Some(option.cpp_name.to_owned()),
            ..Fact::default()
        }];
        facts.extend(option.flags.map(|flags| Fact {
            label: "flags".to_owned(),
            code: Some(flags.trim().to_owned()),
            ..Fact::default()
        }));
        Part {
            id: ids.take(&format!("option-{}", option.argument)),
            name: option.argument.to_owned(),
            is_named: true,
            quantifiers: if option.is_list { vec!["list"] } else { Vec::new() },
            default: option.default_value.map(str::to_owned),
            cpp_type: Some(option.ty.to_owned()),
            description: Some(option.description.trim().to_owned()).filter(|text| !text.is_empty()),
            is_optional: true,
            facts,
            ..Part::default()
        }
    };
    options.iter().map(row).collect()
}

/// The placeholder for an option's value on the command line.
fn placeholder(option: &PassOption<'_>) -> String {
    value(option.ty, option.is_list)
}

/// The placeholder for a value of a C++ type.
fn value(ty: &str, is_list: bool) -> String {
    let ty = ty.rsplit("::").next().unwrap_or(ty).trim_end_matches('>');
    if is_list { format!("{ty},…") } else { ty.to_owned() }
}

/// A link to a dialect by its C++ class, as seen from the namespace `from`: `::mlir::arith::ArithDialect`.
pub(super) fn dialect_link(atlas: &Atlas<'_>, class: &str, from: &str) -> Link {
    let known = lookups(from, class.trim());
    let class = class.trim().trim_start_matches("::");
    let stem = unqualified(class).trim_end_matches("Dialect").to_lowercase();
    let of_namespace = |namespace: &str| {
        let is_there = |section: &&Section<'_>| section.dialect.is_some() && section.namespace == namespace;
        let all: Vec<&Section<'_>> = atlas.sections.iter().filter(is_there).collect();
        // Dialects that share a namespace differ by name.
        let by_name = all.iter().find(|section| section.name.replace('_', "") == stem);
        by_name.or_else(|| all.first().filter(|_| all.len() == 1 && class.contains("::"))).copied()
    };
    match known.iter().filter_map(|name| name.rsplit_once("::")).find_map(|(of, _)| of_namespace(of)) {
        Some(section) => Link { text: section.name.clone(), href: Some(section.href.clone()) },
        None => Link { text: class.to_owned(), href: None },
    }
}

impl Kind for Pass {
    fn headings(&self, list: &mut Headings) {
        list.add("command-line", "Command line", true);
        list.add("test", "What it does", self.test.is_some());
        list.add("description", "Description", true);
        list.add("options", "Options", !self.options.is_empty());
        list.add("statistics", "Statistics", !self.statistics.is_empty());
        list.add("facts", "How it runs", true);
        list.add("history", "History", !self.history.is_empty());
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &self.badges);
        out.section("command-line", |out| out.fence("text", &self.command_line));
        out.section("test", |out| {
            for (label, text) in
                self.test.iter().flat_map(|it| [("Before", &it.before), ("After", &it.after)])
            {
                out.paragraph(&format!("{label}:"));
                out.fence("mlir", text);
            }
        });
        out.section("description", |out| out.prose(self.description.as_ref()));
        out.section("options", |out| out.parts(&self.options, true));
        out.section("statistics", |out| out.facts(&self.statistics));
        out.section("facts", |out| {
            out.facts(&self.facts);
            out.note("Loads", &self.dependents);
            out.note("In the pipelines", &self.pipelines);
        });
        out.history(&self.history);
        out.source(self.source.as_ref());
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: "" })
    }

    fn searched(&self) -> Searched<'_> {
        Searched { text: text(self.description.as_ref()), ..Searched::default() }
    }

    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        let mut tally = Tally::default();
        tally.text("summary", self.summary.as_deref());
        tally.prose(self.description.as_ref());
        for option in &self.options {
            tally.count(&format!("description of {}", option.name), option.description.is_some());
        }
        Some((&self.dialect, tally, self.source.as_ref()))
    }

    fn entry(&self) -> Option<AllEntry> {
        Some(AllEntry {
            name: Link { text: self.name.clone(), href: None },
            also: Some(self.cpp_class.clone()),
            summary: self.summary.clone(),
            description: self.description.clone(),
            parts: all::parts("Options", "attr", &self.options),
            ..AllEntry::default()
        })
    }

    fn symbol(&self) -> Option<String> {
        Some(format!("pass:{}", self.name))
    }

    fn history(&mut self) -> Option<&mut Vec<Change>> {
        Some(&mut self.history)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_belongs_to_the_dialect_around_it() {
        let homes =
            [("affine", "m/D/Affine/IR/Ops.td"), ("llvm", "m/D/LLVM/L.td"), ("nvvm", "m/D/LLVM/N.td")];
        let homes = homes.map(|(name, path)| (name.to_owned(), path.to_owned()));
        let home = |file, argument| home(file, argument, &homes).map(String::as_str);
        assert_eq!(home("m/D/Affine/Passes.td", "loop-fuse"), Some("affine"));
        assert_eq!(home("m/D/Affine/Transforms/Passes.td", "loop-fuse"), Some("affine"));
        assert_eq!(home("m/D/LLVM/Transforms/Passes.td", "llvm-fix"), Some("llvm"));
        assert_eq!(home("m/D/LLVM/Transforms/Passes.td", "fix"), None);
        assert_eq!(home("m/Transforms/Passes.td", "cse"), None);
    }
}
