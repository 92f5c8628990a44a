//! Turns calls of the tool into targets of a manifest.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_tblgen::flags::Flags;

use super::{Call, Origin, Reading, Warning, below, folder_of};
use crate::pipeline::{
    dependencies,
    manifest::{Dependency, Manifest, OnUnsupported, Output, Target},
};

/// The project to import.
pub struct Project<'p> {
    /// The folder of the future manifest, as an absolute path.
    pub source: &'p str,
    /// The folder of the build; outputs keep their paths below it.
    pub binary: &'p str,
    /// Detects the release of MLIR's library in a folder; the text is empty if the release is unknown.
    pub library: &'p dyn Fn(&str) -> Option<String>,
    /// Returns true if a folder holds `.td` files.
    pub holds_definitions: &'p dyn Fn(&str) -> bool,
}

/// Returns the manifest of a build. Each part that a manifest cannot express becomes a warning.
#[must_use]
pub fn manifest(reading: Reading, project: &Project<'_>) -> (Manifest, Vec<Warning>) {
    let mut writer = Writer {
        project,
        folders: BTreeMap::new(),
        manifest: Manifest::default(),
        outputs: BTreeSet::new(),
        warnings: reading.warnings,
    };
    for call in &reading.calls {
        writer.call(call);
    }
    let Writer { mut manifest, mut warnings, .. } = writer;
    manifest.target.iter_mut().for_each(shorten);
    share_includes(&mut manifest);
    warnings.sort();
    warnings.dedup();
    (manifest, warnings)
}

struct Writer<'p> {
    project: &'p Project<'p>,
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
        let Some(td) = below(&call.td, self.project.source) else {
            let message =
                format!("'{}' lies outside of '{}': its output is left out", call.td, self.project.source);
            return self.warn(&call.origin, message);
        };
        let Some(path) = self.output(call) else { return };
        if !self.outputs.insert(path.clone()) {
            return self.warn(&call.origin, format!("'{path}' is made a second time: that is left out"));
        }
        let flags = Flags::parse(&call.flags);
        if let Some(problem) = flags.problems.first() {
            self.warn(&call.origin, format!("'{path}' is skipped: {problem}"));
            self.manifest.on_unsupported = OnUnsupported::Skip;
        }
        let mut includes: Vec<String> = Vec::new();
        for folder in &call.includes {
            if let Some(folder) = self.folder(folder, &call.origin)
                && !includes.contains(&folder)
            {
                includes.push(folder);
            }
        }
        let td = Some(td.to_owned());
        let output = Output { path, flags: call.flags.clone() };
        let targets = &mut self.manifest.target;
        let is_it = |target: &&mut Target| {
            target.td == td && target.includes == includes && target.defines == call.defines
        };
        match targets.iter_mut().find(is_it) {
            Some(target) => target.outputs.push(output),
            None => targets.push(Target {
                td,
                includes,
                defines: call.defines.clone(),
                outputs: vec![output],
                ..Target::default()
            }),
        }
    }

    /// Returns the path of an output below the build's folder, or else below the project's.
    fn output(&mut self, call: &Call) -> Option<String> {
        let Project { source, binary, .. } = self.project;
        let path = below(&call.output, binary).or_else(|| below(&call.output, source));
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
        let Project { source, binary, library, holds_definitions } = self.project;
        if let Some(release) = library(folder) {
            if self.manifest.mlir.is_none() && !release.is_empty() {
                self.manifest.mlir = Some(release);
            }
            return None;
        }
        // The build's own include folders usually hold generated headers, and rarely definitions.
        let is_builds = below(folder, binary).is_some() && *binary != *source;
        if is_builds && !holds_definitions(folder) {
            return None;
        }
        // A build folder inside the source folder is not part of the bundle.
        if let Some(path) = below(folder, source).filter(|_| !is_builds) {
            return Some(path.to_owned());
        }
        if !holds_definitions(folder) {
            return None;
        }
        let name = self.dependency(folder);
        let message = format!("'{folder}' lies outside of the project: it is the dependency '{name}'");
        self.warn(origin, message);
        Some(dependencies::root(&name))
    }

    /// Returns the dependency name for a folder of another project.
    fn dependency(&mut self, folder: &str) -> String {
        let name = dependencies::name_of(folder, |name| self.manifest.dependencies.contains_key(name));
        let dependency =
            Dependency { path: Some(relative(self.project.source, folder)), ..Dependency::default() };
        self.manifest.dependencies.insert(name.clone(), dependency);
        name
    }
}

/// Returns a path relative to a folder.
fn relative(from: &str, to: &str) -> String {
    let split = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (split(from), split(to));
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    let parts: Vec<&str> = up.chain(to[shared..].iter().map(String::as_str)).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Moves the common folder of all outputs into `out_dir`.
fn shorten(target: &mut Target) {
    let mut shared =
        target.outputs.first().map(|output| folder_of(&output.path).to_owned()).unwrap_or_default();
    while !shared.is_empty() && !target.outputs.iter().all(|output| below(&output.path, &shared).is_some()) {
        shared = folder_of(&shared).to_owned();
    }
    if shared.is_empty() {
        return;
    }
    for output in &mut target.outputs {
        output.path = below(&output.path, &shared).unwrap_or(&output.path).to_owned();
    }
    target.out_dir = Some(shared);
}

/// Moves the trailing include folders that all targets share to the manifest's top level.
fn share_includes(manifest: &mut Manifest) {
    let Some((first, rest)) = manifest.target.split_first() else { return };
    let mut shared: &[String] = &first.includes;
    while !shared.is_empty() && !rest.iter().all(|target| target.includes.ends_with(shared)) {
        shared = &shared[1..];
    }
    let shared = shared.to_vec();
    for target in &mut manifest.target {
        let own = target.includes.len() - shared.len();
        target.includes.truncate(own);
    }
    manifest.includes = shared;
}

/// Renders the manifest as a file for people to edit: a paragraph per target, a line per output.
#[must_use]
pub fn to_toml(manifest: &Manifest, by: &str) -> String {
    use std::fmt::Write as _;
    let head = Manifest { target: Vec::new(), dependencies: BTreeMap::new(), ..manifest.clone() };
    let mut text = format!("# {by}\n{}", head.to_toml());
    let quoted = |word: &str| toml::Value::String(word.to_owned()).to_string();
    let list = |words: &[String]| {
        format!("[{}]", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))
    };
    if !manifest.dependencies.is_empty() {
        text += "\n[dependencies]\n";
        for (name, dependency) in &manifest.dependencies {
            let path = dependency.path.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{name} = {{ path = {} }}", quoted(path));
        }
    }
    for target in &manifest.target {
        text += "\n[[target]]\n";
        let _ = writeln!(text, "td = {}", quoted(target.td.as_deref().unwrap_or_default()));
        for (name, words) in [("includes", &target.includes), ("defines", &target.defines)] {
            if !words.is_empty() {
                let _ = writeln!(text, "{name} = {}", list(words));
            }
        }
        if let Some(folder) = &target.out_dir {
            let _ = writeln!(text, "out_dir = {}", quoted(folder));
        }
        text += "outputs = [\n";
        for output in &target.outputs {
            let _ =
                writeln!(text, "  {{ path = {}, flags = {} }},", quoted(&output.path), list(&output.flags));
        }
        text += "]\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(td: &str, output: &str, flags: &[&str], includes: &[&str]) -> Call {
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        Call {
            origin: Origin { file: "build.ninja".into(), line: 1 },
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
            warnings: Vec::new(),
        };
        let project = Project {
            source: "/s",
            binary: "/b",
            library: &|folder| (folder == "/mlir").then(|| "22".to_owned()),
            holds_definitions: &|folder| folder != "/b/inc",
        };
        let (manifest, warnings) = manifest(reading, &project);
        let text = to_toml(&manifest, "made by a test");
        assert_eq!(Manifest::from_toml(text.as_bytes()), Ok(manifest), "{text}");
        assert_eq!(
            text,
            r#"# made by a test
schema = 1
mlir = "22"
includes = ["inc", "<other>"]
on_unsupported = "skip"

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
out_dir = "gen"
outputs = [
  { path = "G.inc", flags = ["--own-tool"] },
]
"#
        );
        assert_eq!(warnings.len(), 3, "{warnings:?}");
    }
}
