//! Turns calls of the tool into a manifest.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use odsmith_tblgen::flags::Flags;
use serde::Deserialize;

use super::{
    Call, Origin, Project, Reading, Warning, absolute, below,
    command::{self, Job},
    folder_of, relative,
};

/// The keys of `odsmith.toml` that a build determines.
#[derive(Debug, Default)]
pub struct Manifest {
    mlir: Option<String>,
    includes: Vec<String>,
    /// The paths of dependencies by name.
    dependencies: BTreeMap<String, String>,
    skips_unsupported: bool,
    targets: Vec<Target>,
    /// The outputs that other programs make, by program.
    others: BTreeMap<String, Vec<String>>,
    /// The generators of other programs, which plugins could have.
    generators: BTreeSet<String>,
}

/// A root with its outputs.
#[derive(Debug)]
struct Target {
    td: String,
    includes: Vec<String>,
    defines: Vec<String>,
    out_dir: String,
    /// The path and the flags of each output.
    outputs: Vec<(String, Vec<String>)>,
}

/// Returns the manifest of a build. Each part that a manifest cannot express becomes a warning.
pub fn manifest(
    reading: Reading,
    project: &dyn Project,
    source: &str,
    binary: &str,
) -> (Manifest, Vec<Warning>) {
    let mut writer = Writer {
        project,
        source,
        binary,
        folders: BTreeMap::new(),
        manifest: Manifest::default(),
        outputs: BTreeSet::new(),
        warnings: reading.warnings,
    };
    for call in &reading.calls {
        writer.call(call);
    }
    let Writer { mut manifest, mut warnings, .. } = writer;
    manifest.targets.iter_mut().for_each(shorten);
    share_includes(&mut manifest);
    warnings.sort();
    warnings.dedup();
    (manifest, warnings)
}

struct Writer<'p> {
    project: &'p dyn Project,
    source: &'p str,
    binary: &'p str,
    /// The name in the manifest of each include folder of the build, if it has one.
    folders: BTreeMap<String, Option<String>>,
    manifest: Manifest,
    outputs: BTreeSet<String>,
    warnings: Vec<Warning>,
}

impl Writer<'_> {
    fn warn(&mut self, origin: &Origin, message: String) {
        self.warnings.push(Warning { origin: origin.clone(), message });
    }

    fn call(&mut self, call: &Call) {
        let Some(td) = below(&call.td, self.source) else {
            if let Some(td) = below(&call.td, self.binary) {
                let message = format!("'{td}' is a file of the build's folder: its output is left out");
                return self.warn(&call.origin, message);
            }
            let message = format!("'{}' lies outside of '{}': its output is left out", call.td, self.source);
            return self.warn(&call.origin, message);
        };
        let Some(path) = self.output(call) else { return };
        // A build makes some files itself; those of a build that was read are in its folder.
        if !self.project.is_file(&call.td) {
            let message = format!("there is no '{td}': '{path}' is left out");
            return self.warn(&call.origin, message);
        }
        if !self.outputs.insert(path.clone()) {
            return self.warn(&call.origin, format!("'{path}' is made a second time: that is left out"));
        }
        let flags = Flags::parse(&call.flags);
        if !flags.problems.is_empty() && !command::is_mlir_tblgen(&call.tool) {
            // Its flags mean what that program says.
            self.manifest.generators.extend(flags.foreign_generator().map(|name| format!("-{name}")));
            return self.manifest.others.entry(call.tool.clone()).or_default().push(path);
        }
        if let Some(problem) = flags.problems.first() {
            self.warn(&call.origin, format!("'{path}' is skipped: {problem}"));
            self.manifest.skips_unsupported = true;
        }
        let mut includes: Vec<String> = Vec::new();
        for folder in &call.includes {
            if let Some(folder) = self.folder(folder, &call.origin)
                && !includes.contains(&folder)
            {
                includes.push(folder);
            }
        }
        let output = (path, call.flags.clone());
        let targets = &mut self.manifest.targets;
        let is_it = |target: &&mut Target| {
            target.td == td && target.includes == includes && target.defines == call.defines
        };
        match targets.iter_mut().find(is_it) {
            Some(target) => target.outputs.push(output),
            None => targets.push(Target {
                td: td.to_owned(),
                includes,
                defines: call.defines.clone(),
                out_dir: String::new(),
                outputs: vec![output],
            }),
        }
    }

    /// Returns the path of an output below the build's folder, or else below the project's.
    fn output(&mut self, call: &Call) -> Option<String> {
        let path = below(&call.output, self.binary).or_else(|| below(&call.output, self.source));
        if path.is_none() {
            self.warn(&call.origin, format!("'{}' lies outside of the build: it is left out", call.output));
        }
        path.map(str::to_owned)
    }

    /// Returns the name of an include folder in the manifest.
    fn folder(&mut self, folder: &str, origin: &Origin) -> Option<String> {
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let name = self.name_folder(folder, origin);
        self.folders.insert(folder.to_owned(), name.clone());
        name
    }

    fn name_folder(&mut self, folder: &str, origin: &Origin) -> Option<String> {
        if let Some(release) = self.project.library(folder) {
            if self.manifest.mlir.is_none() && !release.is_empty() {
                self.manifest.mlir = Some(release);
            }
            return None;
        }
        // A build folder inside the source folder is not part of the bundle.
        let is_builds = below(folder, self.binary).is_some() && self.binary != self.source;
        if let Some(path) = below(folder, self.source).filter(|_| !is_builds) {
            return Some(path.to_owned());
        }
        // A folder around the project would make all its neighbours, and the project itself, a dependency.
        if below(self.source, folder).is_some() {
            self.warn(origin, format!("'{folder}' holds the project itself: the include folder is left out"));
            return None;
        }
        // The build's own include folders usually hold generated headers, and rarely definitions.
        if !self.project.holds_definitions(folder) {
            return None;
        }
        let name = self.dependency(folder);
        let message = format!("'{folder}' lies outside of the project: it is the dependency '{name}'");
        self.warn(origin, message);
        Some(format!("<{name}>"))
    }

    /// Returns the dependency name for a folder of another project.
    fn dependency(&mut self, folder: &str) -> String {
        let known = &mut self.manifest.dependencies;
        let name = self.project.dependency(folder, &|name| known.contains_key(name));
        known.insert(name.clone(), relative(self.source, folder));
        name
    }
}

/// The keys that `odsmith_generate` writes.
#[derive(Deserialize)]
struct JobManifest {
    target: Vec<JobTarget>,
}

/// A root of such a manifest.
#[derive(Deserialize)]
struct JobTarget {
    td: String,
    outputs: Vec<JobOutput>,
}

/// An output of such a manifest.
#[derive(Deserialize)]
struct JobOutput {
    path: String,
    flags: Vec<String>,
}

/// Returns the calls that a job of `odsmith generate` replaces.
///
/// # Errors
/// The text is no such manifest.
pub fn calls(job: &Job, text: &str) -> Result<Vec<Call>, String> {
    let read: JobManifest = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let mut calls = Vec::new();
    for target in &read.target {
        for output in &target.outputs {
            calls.push(Call {
                origin: job.origin.clone(),
                tool: "odsmith".to_owned(),
                td: absolute(&job.source, &target.td),
                includes: job.includes.clone(),
                defines: Vec::new(),
                flags: output.flags.clone(),
                output: absolute(&job.out, &output.path),
            });
        }
    }
    Ok(calls)
}

/// Moves the common folder of all outputs into `out_dir`.
fn shorten(target: &mut Target) {
    let mut shared = target.outputs.first().map(|(path, _)| folder_of(path).to_owned()).unwrap_or_default();
    while !shared.is_empty() && !target.outputs.iter().all(|(path, _)| below(path, &shared).is_some()) {
        shared = folder_of(&shared).to_owned();
    }
    if shared.is_empty() {
        return;
    }
    for (path, _) in &mut target.outputs {
        *path = below(path, &shared).unwrap_or(path).to_owned();
    }
    target.out_dir = shared;
}

/// Moves the trailing include folders that all targets share to the manifest's top level.
fn share_includes(manifest: &mut Manifest) {
    let Some((first, rest)) = manifest.targets.split_first() else { return };
    let mut shared: &[String] = &first.includes;
    while !shared.is_empty() && !rest.iter().all(|target| target.includes.ends_with(shared)) {
        shared = &shared[1..];
    }
    let shared = shared.to_vec();
    for target in &mut manifest.targets {
        let own = target.includes.len() - shared.len();
        target.includes.truncate(own);
    }
    manifest.includes = shared;
}

impl Manifest {
    /// Returns the number of roots and that of all outputs.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.targets.len(), self.targets.iter().map(|target| target.outputs.len()).sum())
    }

    /// Returns a note for each other program that makes outputs: these are not in the manifest.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let note = |(tool, paths): (&String, &Vec<String>)| {
            let names = short_list(paths);
            match paths.len() {
                1 => format!("1 output is {tool}'s and is left to it: {names}"),
                count => format!("{count} outputs are {tool}'s and are left to it: {names}"),
            }
        };
        let names: Vec<String> = self.generators.iter().cloned().collect();
        let plugins = (!names.is_empty()).then(|| {
            format!(
                "a plugin could have these generators, in [plugins] of odsmith.toml: {}",
                short_list(&names)
            )
        });
        self.others.iter().map(note).chain(plugins).collect()
    }

    /// Renders the manifest as a file for people to edit: a paragraph per target, a line per output.
    #[must_use]
    pub fn to_toml(&self, by: &str) -> String {
        let mut text = format!("# {by}\nschema = 1\n");
        let key = |text: &mut String, name: &str, value: String| {
            let _ = writeln!(text, "{name} = {value}");
        };
        if let Some(release) = &self.mlir {
            key(&mut text, "mlir", quoted(release));
        }
        if !self.includes.is_empty() {
            key(&mut text, "includes", list(&self.includes));
        }
        if self.skips_unsupported {
            key(&mut text, "on-unsupported", quoted("skip"));
        }
        if !self.dependencies.is_empty() {
            text += "\n[dependencies]\n";
            for (name, path) in &self.dependencies {
                key(&mut text, name, format!("{{ path = {} }}", quoted(path)));
            }
        }
        for target in &self.targets {
            text += "\n[[target]]\n";
            key(&mut text, "td", quoted(&target.td));
            for (name, words) in [("includes", &target.includes), ("defines", &target.defines)] {
                if !words.is_empty() {
                    key(&mut text, name, list(words));
                }
            }
            if !target.out_dir.is_empty() {
                key(&mut text, "out-dir", quoted(&target.out_dir));
            }
            text += "outputs = [\n";
            for (path, flags) in &target.outputs {
                let _ = writeln!(text, "  {{ path = {}, flags = {} }},", quoted(path), list(flags));
            }
            text += "]\n";
        }
        text
    }
}

/// Lists the first three paths, and says how many more there are.
#[must_use]
pub fn short_list(paths: &[String]) -> String {
    const MOST_NAMED: usize = 3;
    let names = paths[..paths.len().min(MOST_NAMED)].join(", ");
    match paths.len().saturating_sub(MOST_NAMED) {
        0 => names,
        rest => format!("{names} and {rest} more"),
    }
}

fn quoted(word: &str) -> String {
    toml::Value::String(word.to_owned()).to_string()
}

fn list(words: &[String]) -> String {
    format!("[{}]", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::memory::Memory;

    fn call(td: &str, output: &str, flags: &[&str], includes: &[&str]) -> Call {
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        Call {
            origin: Origin { file: "build.ninja".into(), line: 1 },
            tool: "mlir-tblgen".into(),
            td: td.into(),
            includes: own(includes),
            defines: Vec::new(),
            flags: own(flags),
            output: output.into(),
        }
    }

    #[test]
    fn a_manifest_says_what_the_build_does() {
        let includes = ["/s/inc/Foo", "/mlir", "/s/inc", "/b/inc", "/x/other/include"];
        let reading = Reading {
            calls: vec![
                call("/s/inc/Foo/F.td", "/b/inc/Foo/F.h.inc", &["-gen-op-decls"], &includes),
                call("/s/inc/Foo/F.td", "/b/docs/F.md", &["-gen-op-doc"], &includes),
                call("/s/G.td", "/s/gen/G.inc", &["--own-tool"], &["/s", "/s/inc", "/x/other/include"]),
                call("/x/H.td", "/b/H.inc", &[], &[]),
            ],
            ..Reading::default()
        };
        let files = Memory::of(&[("/s/inc/Foo/F.td", ""), ("/s/G.td", ""), ("/x/H.td", "")]);
        let (manifest, warnings) = manifest(reading, &files, "/s", "/b");
        assert_eq!(
            manifest.to_toml("made by a test"),
            r#"# made by a test
schema = 1
mlir = "22"
includes = ["inc", "<other>"]
on-unsupported = "skip"

[dependencies]
other = { path = "../x/other/include" }

[[target]]
td = "inc/Foo/F.td"
includes = ["inc/Foo"]
outputs = [
  { path = "inc/Foo/F.h.inc", flags = ["-gen-op-decls"] },
  { path = "docs/F.md", flags = ["-gen-op-doc"] },
]

[[target]]
td = "G.td"
includes = ["."]
out-dir = "gen"
outputs = [
  { path = "G.inc", flags = ["--own-tool"] },
]
"#
        );
        assert_eq!(warnings.len(), 3, "{warnings:?}");
    }

    #[test]
    fn outputs_of_other_programs_are_left_to_them() {
        let own = |output: &str, flag: &str| Call {
            tool: "x-tblgen".into(),
            ..call("/s/A.td", &format!("/b/{output}"), &[flag], &[])
        };
        let mut calls = vec![own("A.inc", "-gen-op-decls"), own("B.inc", "-gen-x")];
        let files = Memory::of(&[("/s/A.td", "")]);
        let read = |calls: &[Call]| {
            let reading = Reading { calls: calls.to_vec(), ..Reading::default() };
            manifest(reading, &files, "/s", "/b").0
        };
        // A tool of a project often has the generators of MLIR as well.
        assert_eq!(read(&calls).counts(), (1, 1));
        let of_plugin = "a plugin could have these generators, in [plugins] of odsmith.toml: -gen-x";
        assert_eq!(read(&calls).notes(), ["1 output is x-tblgen's and is left to it: B.inc", of_plugin]);
        calls.extend(["C.inc", "D.inc", "E.inc"].map(|output| own(output, "--x-intrinsics")));
        assert_eq!(
            read(&calls).notes(),
            ["4 outputs are x-tblgen's and are left to it: B.inc, C.inc, D.inc and 1 more", of_plugin]
        );
        assert!(!read(&calls).to_toml("").contains("on-unsupported"));
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        let reading = Reading { calls: vec![call("/s/A.td", "/b/A.inc", &[], &[])], ..Reading::default() };
        let (manifest, warnings) = manifest(reading, &Memory::of(&[]), "/s", "/b");
        assert_eq!(manifest.counts(), (0, 0));
        assert_eq!(warnings[0].message, "there is no 'A.td': 'A.inc' is left out");
    }
}
