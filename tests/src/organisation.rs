//! An organisation that publishes dialects, for tests of catalogues: image layouts with projects of the size and shape of
//! public ones (`StableHLO`: 950 rows and 3,700 uses), written without evaluating any definition.
//!
//! Each project has a dialect with operations, types, constraints, an interface, patterns and passes, and uses those of the
//! project before it. Each version changes a few rows, adds one, and some break what others use.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use odsmith_engine::interchange::symbols::{Row, SCHEMA as SYMBOLS, Symbols, Use};
use odsmith_registry::{
    artifact::{
        AGAINST, Artifact, Config, ConfigDependency, DIFF, DialectCount, IN_TOTO, Layer, Origin, Report,
        SCHEMA, UnpackedLayer,
    },
    canonical,
    digest::{Digest, sha256},
    layout::Layout,
    manifest::MediaTypes,
};
use serde_json::json;

/// An organisation.
#[derive(Clone, Debug)]
pub struct Organisation {
    /// The folder of its layouts, one for each project.
    pub folder: PathBuf,
    /// The number of operations of a project.
    pub operations: usize,
}

/// The name of a project.
#[must_use]
pub fn project(number: usize) -> String {
    const NAMES: [&str; 12] = [
        "arcs", "blocks", "cells", "drums", "edges", "forge", "gears", "hubs", "inlets", "joints", "kilns",
        "looms",
    ];
    NAMES[number % NAMES.len()].to_owned()
}

/// The name of a version.
#[must_use]
pub fn version(number: usize) -> String {
    format!("1.{number}.0")
}

impl Organisation {
    /// Writes all versions of all projects.
    ///
    /// # Panics
    /// A file cannot be written.
    pub fn write(&self, projects: usize, versions: usize) {
        for number in 0..projects {
            for of in 0..versions {
                self.publish(number, of);
            }
        }
    }

    /// Publishes a version of a project, as the program does.
    ///
    /// # Panics
    /// A file cannot be written, or the project that it depends on is not there.
    pub fn publish(&self, number: usize, of: usize) {
        let layout = Layout::new(self.folder.join(project(number)));
        let former = (of > 0).then(|| layout.tag(&version(of - 1)).expect("the version before").digest);
        // The versions of the project before, so that several are in use.
        let dependency = (number > 0).then(|| {
            let name = project(number - 1);
            let own = Layout::new(self.folder.join(&name));
            let tagged = (0..=of).rev().find_map(|of| own.tag(&version(of.saturating_sub(number % 3))).ok());
            ConfigDependency {
                repository: format!("oci-layout:{name}"),
                name,
                version: version(of.saturating_sub(number % 3)),
                digest: tagged.expect("a version").digest,
            }
        });
        let mut artifact = self.artifact(number, of, dependency);
        if let Some(former) = former {
            artifact.reports.push(Report {
                kind: DIFF,
                title: "diff.json".to_owned(),
                bytes: canonical::to_json(&comparison(number, of)),
                annotations: [(AGAINST.to_owned(), former.to_string())].into(),
            });
        }
        artifact.reports.push(Report {
            kind: IN_TOTO,
            title: "provenance.intoto.json".to_owned(),
            bytes: artifact.digest.to_string().into_bytes(),
            annotations: BTreeMap::new(),
        });
        layout.publish(&version(of), &artifact).expect("the layout is written");
    }

    fn artifact(&self, number: usize, of: usize, dependency: Option<ConfigDependency>) -> Artifact {
        let symbols = canonical::to_json(&self.symbols(number, of));
        let plain = UnpackedLayer { size: symbols.len() as u64, sha256: sha256(&symbols) };
        let config = Config {
            schema: SCHEMA,
            project: project(number),
            version: version(of),
            mlir: if number.is_multiple_of(5) { "20" } else { "22" }.to_owned(),
            commit_time: Some(format!("2026-{:02}-{:02}T10:00:00Z", 1 + of, 1 + number)),
            title: Some(format!("Project {}", project(number))),
            owners: vec![format!("@example/{}", project(number - number % 2))],
            dialects: vec![DialectCount {
                name: project(number),
                operations: self.operations + of,
                types: 1,
                attributes: 0,
            }],
            coverage: Some(70 + number as u64),
            dependencies: dependency.into_iter().collect(),
            layers: [(Layer::Symbols.title().to_owned(), plain)].into(),
            odsmith: Origin {
                version: "0.1.0".to_owned(),
                build: "test".to_owned(),
                encoder: "zstd".to_owned(),
            },
            ..Config::default()
        };
        let packed = zstd::encode_all(&symbols[..], 3).expect("packing into memory");
        Artifact::new(&config, vec![(Layer::Symbols, packed)], MediaTypes::Own)
    }

    /// The rows and uses of a version.
    fn symbols(&self, number: usize, of: usize) -> Symbols {
        let (name, before) = (project(number), number.checked_sub(1).map(project));
        let row = |id: String, kind: &str, written: String| Row {
            shape: sha256(id.as_bytes())[..16].to_owned(),
            file: format!("include/{name}.td"),
            line: 10,
            kind: kind.to_owned(),
            name: written,
            id,
            ..Row::default()
        };
        let mut rows = vec![
            row(format!("{name}/dialect/{name}"), "dialect", name.clone()),
            row(format!("{name}/type/box"), "type", format!("!{name}.box")),
            row("_/interface/PlanInterface".to_owned(), "interface", "PlanInterface".to_owned()),
            row(format!("_/constraint/{name}Value"), "constraint", format!("{name}Value")),
            row(format!("_/pass/lower-{name}"), "pass", format!("lower-{name}")),
        ];
        // Interfaces of one name have two shapes, and values of one shape two names.
        rows[2].shape = format!("{:016}", number % 2);
        rows[3].body = format!("{:016}", number / 2);
        let mut uses = Vec::new();
        let mut add = |target: String, user: &str, how: &str| {
            uses.push(Use { target, user: user.to_owned(), how: how.to_owned() });
        };
        for index in 0..self.operations + of {
            let mut op = row(format!("{name}/op/step{index}"), "op", format!("{name}.step{index}"));
            op.summary = format!("does step {index} of {name} on a buffer");
            op.signature = format!("{name}.step{index} : (AnyMemRef, {name}Value) -> Index");
            op.parts = vec!["operand:of".to_owned(), "operand:by".to_owned(), "result:size".to_owned()];
            op.aliases = vec![format!("Step{index}Op")];
            op.line = 20 + index as u32;
            if index.is_multiple_of(17) {
                op.summary.clear();
            }
            // A few rows change with each version.
            if index % 20 == of % 20 {
                op.shape = format!("{:016}", of * 1000 + index);
            }
            add("mlir:_/trait/Pure".to_owned(), &op.id, "trait");
            add("_/interface/PlanInterface".to_owned(), &op.id, "interface");
            add(format!("_/constraint/{name}Value"), &op.id, "operand");
            if index.is_multiple_of(10)
                && let Some(before) = &before
            {
                add(format!("{before}:_/interface/PlanInterface"), &op.id, "interface");
            }
            rows.push(op);
        }
        if let Some(before) = &before {
            for index in 0..self.operations / 20 {
                let id = format!("_/pattern/Lower{name}{index}");
                let mut pattern = row(id.clone(), "pattern", format!("Lower{name}{index}"));
                pattern.signature = format!("{before}.step{index} -> {name}.step{index}");
                add(format!("{before}:{before}/op/step{index}"), &id, "matches");
                add(format!("{name}/op/step{index}"), &id, "creates");
                rows.push(pattern);
            }
            add(format!("{before}:{before}/dialect/{before}"), &format!("_/pass/lower-{name}"), "depends");
        }
        rows.sort();
        uses.sort();
        Symbols { schema: SYMBOLS, rows, uses }
    }
}

/// The comparison of a version with the one before: every third version breaks bytecode, and the one after it C++ alone.
fn comparison(number: usize, of: usize) -> serde_json::Value {
    let name = project(number);
    let finding = |rule: &str, level: &str, verdict: &str| {
        json!({
            "verdict": verdict, "severity": "error", "group": name, "subject": format!("{name}.step1#attribute:way"),
            "rule": rule, "direction": "backward", "message": format!("gained the optional attribute `way{of}`"),
            "effects": { level: verdict },
        })
    };
    let findings = match of % 3 {
        0 => vec![finding("IN001", "bytecode", "silent")],
        1 => vec![finding("OP014", "cpp", "breaks")],
        _ => Vec::new(),
    };
    json!({ "schema": 1, "old_mlir": "22", "new_mlir": "22", "findings": findings, "stale_acceptances": [] })
}

/// Returns the digest of a version's manifest.
///
/// # Panics
/// There is no such version.
#[must_use]
pub fn manifest(folder: &Path, number: usize, of: usize) -> Digest {
    Layout::new(folder.join(project(number))).tag(&version(of)).expect("a version").digest
}
