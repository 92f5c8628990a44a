//! Reads `BUILD.bazel`: calls of `gentbl_cc_library`, `gentbl_filegroup`, `gentbl_sharded_ops`, `td_library`.
//!
//! The order of include folders is that of the rules: those of the call, the workspace, the folder of the root file,
//! then those of the libraries in its dependencies.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Call, Origin, Reading, absolute, folder_of,
    starlark::{self, Rule, Value},
};

/// A Bazel workspace with its files.
pub struct Workspace<'w> {
    /// The root, as an absolute path.
    pub root: &'w str,
    /// The text of each build file, with its path below the root.
    pub build_files: &'w [(String, String)],
    /// The text of each `.bzl` file, with its path below the root.
    pub macro_files: &'w [(String, String)],
}

/// A call of a rule, with its package.
struct Target<'w> {
    package: String,
    origin: Origin,
    rule: &'w Rule,
}

/// Reads the build files of a workspace.
#[must_use]
pub fn read(workspace: &Workspace<'_>) -> Reading {
    let mut reading = Reading::default();
    let parsed: Vec<_> =
        workspace.build_files.iter().map(|(path, text)| (path.as_str(), starlark::read(text))).collect();
    let mut targets = Vec::new();
    for (path, file) in &parsed {
        for (line, what) in &file.unread {
            reading.warn(&Origin { file: (*path).to_owned(), line: *line }, what.clone());
        }
        for rule in &file.rules {
            let origin = Origin { file: (*path).to_owned(), line: rule.line };
            targets.push(Target { package: folder_of(path).to_owned(), origin, rule });
        }
    }
    let mut libraries = BTreeMap::new();
    for target in &targets {
        if let Some(name) = target.text("name") {
            libraries.insert(format!("//{}:{name}", target.package), target);
        }
    }
    let macros = macros(workspace.macro_files);
    let mut reader = Reader { root: workspace.root, libraries, reading };
    for target in &targets {
        let function = target.rule.function.as_str();
        // Projects wrap the rules under names of their own, with the same arguments.
        if function.ends_with("gentbl_cc_library")
            || function.ends_with("gentbl_filegroup")
            || function == "gentbl_rule"
        {
            reader.gentbl(target);
        } else if function.ends_with("gentbl_sharded_ops") {
            reader.sharded_ops(target);
        } else if let Some(file) = macros.get(function) {
            let what = format!("'{function}' of {file} calls gentbl_* rules: it is not followed");
            reader.reading.warn(&target.origin, what);
        }
    }
    reader.reading
}

/// Returns the macros that call TableGen rules, with the file of each.
fn macros(files: &[(String, String)]) -> BTreeMap<&str, &str> {
    let mut macros = BTreeMap::new();
    for (path, text) in files {
        let mut name = "";
        for line in text.lines() {
            if let Some((head, _)) = line.strip_prefix("def ").and_then(|rest| rest.split_once('(')) {
                name = head.trim();
            } else if line.starts_with([' ', '\t'])
                && line.contains("gentbl_")
                && !line.trim_start().starts_with('#')
            {
                macros.insert(name, path.as_str());
            }
        }
    }
    macros
}

impl Target<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.rule.argument(name)?.text()
    }

    /// Returns a label as `//package:name`; one of another repository stays unchanged.
    fn label(&self, label: &str) -> String {
        if label.starts_with('@') && !label.starts_with("@//") {
            return label.to_owned();
        }
        let label = label.trim_start_matches('@');
        match (label.strip_prefix("//"), label.split_once(':')) {
            (Some(_), Some(_)) => label.to_owned(),
            (Some(package), None) => format!("{label}:{}", package.rsplit('/').next().unwrap_or(package)),
            (None, Some((_, name))) => format!("//{}:{name}", self.package),
            (None, None) => format!("//{}:{label}", self.package),
        }
    }
}

struct Reader<'w> {
    root: &'w str,
    libraries: BTreeMap<String, &'w Target<'w>>,
    reading: Reading,
}

impl Reader<'_> {
    /// Reads a call of `gentbl_cc_library` or `gentbl_filegroup`.
    fn gentbl(&mut self, target: &Target<'_>) {
        let Some(td) = self.text(target, "td_file") else { return };
        match target.rule.argument("tbl_outs") {
            Some(Value::Dict(entries)) => {
                for (output, flags) in entries {
                    self.output(target, &td, flags, output);
                }
            }
            Some(Value::List(entries)) => {
                for entry in entries {
                    match entry.list() {
                        Some([flags, output]) => self.output(target, &td, flags, output),
                        _ => self.unknown(target, "tbl_outs", entry),
                    }
                }
            }
            Some(other) => self.unknown(target, "tbl_outs", other),
            None => self.unknown(target, "tbl_outs", &Value::Constant("None")),
        }
    }

    /// Reads a call of `gentbl_sharded_ops`: the outputs from the `.td` file, without the sharded sources.
    fn sharded_ops(&mut self, target: &Target<'_>) {
        let Some(td) = self.text(target, "td_file") else { return };
        let shards = match target.rule.argument("shard_count") {
            Some(Value::Number(count)) => format!("-op-shard-count={count}"),
            other => return self.unknown(target, "shard_count", other.unwrap_or(&Value::Constant("None"))),
        };
        for (argument, generator) in [("hdr_out", "-gen-op-decls"), ("src_out", "-gen-op-defs")] {
            let Some(output) = self.text(target, argument) else { continue };
            let flags = [generator, &shards].map(|flag| Value::Text(flag.to_owned()));
            self.output(target, &td, &Value::List(flags.to_vec()), &Value::Text(output));
        }
    }

    /// Reads one entry of `tbl_outs`; all outputs of an entry share its flags.
    fn output(&mut self, target: &Target<'_>, td: &str, flags: &Value, output: &Value) {
        if let Value::List(outputs) = output {
            for output in outputs {
                self.output(target, td, flags, output);
            }
            return;
        }
        let (Some(words), Some(output)) = (words(flags), output.text()) else {
            let wrong = if output.text().is_some() { flags } else { output };
            return self.unknown(target, "tbl_outs", wrong);
        };
        let td = target.label(td);
        let Some((package, file)) = td.strip_prefix("//").and_then(|label| label.split_once(':')) else {
            let what = format!("'{td}' is a file of another repository: its outputs are left out");
            return self.reading.warn(&target.origin, what);
        };
        let package = absolute(self.root, package);
        let td = absolute(&package, file);
        let arguments = super::command::Arguments::of(&words);
        let mut includes = self.folders(target);
        includes.extend([self.root.to_owned(), folder_of(&td).to_owned()]);
        includes.extend(self.of_libraries(target));
        includes.extend(arguments.includes.iter().map(|folder| absolute(self.root, folder)));
        self.reading.calls.push(Call {
            origin: target.origin.clone(),
            td,
            includes,
            defines: arguments.defines,
            flags: arguments.flags,
            output: absolute(&absolute(self.root, &target.package), output),
        });
    }

    /// Returns the folders of a call's `includes`: below its package, or below the workspace after a leading slash.
    fn folders(&mut self, target: &Target<'_>) -> Vec<String> {
        let Some(value) = target.rule.argument("includes") else { return Vec::new() };
        let Some(folders) = words(value) else {
            self.unknown(target, "includes", value);
            return Vec::new();
        };
        let place = |folder: &String| match folder.strip_prefix('/') {
            Some(folder) => absolute(self.root, folder),
            None => absolute(self.root, &format!("{}/{folder}", target.package)),
        };
        folders.iter().map(place).collect()
    }

    /// Returns the folders of all libraries in a call's dependencies.
    fn of_libraries(&mut self, target: &Target<'_>) -> Vec<String> {
        let mut folders = Vec::new();
        let mut seen = BTreeSet::new();
        let mut waiting = self.dependencies(target);
        waiting.reverse();
        while let Some((label, origin)) = waiting.pop() {
            if !seen.insert(label.clone()) {
                continue;
            }
            match self.libraries.get(&label).copied() {
                Some(library) => {
                    folders.extend(self.folders(library));
                    let mut more = self.dependencies(library);
                    more.reverse();
                    waiting.extend(more);
                }
                // MLIR's own targets are covered by the library.
                None if label.starts_with("@llvm-project//") => {}
                None if label.starts_with('@') => {
                    let what = format!(
                        "'{label}' is of another repository: name its folder in [dependencies] and in the includes"
                    );
                    self.reading.warn(&origin, what);
                }
                None => self.reading.warn(&origin, format!("there is no target '{label}'")),
            }
        }
        folders
    }

    fn dependencies(&mut self, target: &Target<'_>) -> Vec<(String, Origin)> {
        let Some(value) = target.rule.argument("deps") else { return Vec::new() };
        let Some(labels) = words(value) else {
            self.unknown(target, "deps", value);
            return Vec::new();
        };
        labels.iter().map(|label| (target.label(label), target.origin.clone())).collect()
    }

    fn text(&mut self, target: &Target<'_>, name: &str) -> Option<String> {
        let text = target.text(name).map(str::to_owned);
        if text.is_none() {
            self.unknown(target, name, target.rule.argument(name).unwrap_or(&Value::Constant("None")));
        }
        text
    }

    fn unknown(&mut self, target: &Target<'_>, name: &str, value: &Value) {
        let function = &target.rule.function;
        let what = match value {
            Value::Unknown(what) => {
                format!("{function}: '{name}' holds {what}, which is not worked out: it is left out")
            }
            Value::Constant("None") => format!("{function}: '{name}' is missing: it is left out"),
            _ => format!("{function}: '{name}' has another form: it is left out"),
        };
        self.reading.warn(&target.origin, what);
    }
}

/// Returns the texts of a list, or a single text.
fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Text(text) => Some(vec![text.clone()]),
        Value::List(values) => values.iter().map(|value| value.text().map(str::to_owned)).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_files(files: &[(&str, &str)], macro_files: &[(&str, &str)]) -> Reading {
        let own = |files: &[(&str, &str)]| -> Vec<(String, String)> {
            files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect()
        };
        read(&Workspace { root: "/w", build_files: &own(files), macro_files: &own(macro_files) })
    }

    #[test]
    fn three_forms_of_outputs() {
        let reading = read_files(
            &[
                (
                    "foo/BUILD.bazel",
                    r#"
td_library(name = "td", srcs = glob(["*.td"]), includes = ["include"], deps = ["//bar", "@llvm-project//mlir:OpBaseTdFiles"])
gentbl_cc_library(
    name = "inc",
    tbl_outs = [(["-gen-op-decls"], "Ops.h.inc"), (["-gen-op-defs"], ["Ops.cpp.inc"])],
    td_file = "include/Ops.td",
    deps = [":td"],
)
gentbl_filegroup(name = "doc", tbl_outs = {"Ops.md": ["-gen-op-doc", "-DX"]}, td_file = ":include/Ops.td", deps = ["@other//x"])
gentbl_sharded_ops(name = "s", td_file = "S.td", shard_count = 2, hdr_out = "S.h.inc", src_out = "S.cc.inc", src_file = "x")
add_dialect(name = "wrapped")
"#,
                ),
                ("bar/BUILD", "td_library(name = \"bar\", includes = [\"/third\"])"),
            ],
            &[("build/rules.bzl", "def add_dialect(name):\n    gentbl_cc_library(name = name)\n")],
        );
        let calls: Vec<_> = reading
            .calls
            .iter()
            .map(|call| format!("{} {} {}", call.output, call.flags.join(" "), call.includes.join(":")))
            .collect();
        assert_eq!(
            calls,
            [
                "/w/foo/Ops.h.inc -gen-op-decls /w:/w/foo/include:/w/foo/include:/w/third",
                "/w/foo/Ops.cpp.inc -gen-op-defs /w:/w/foo/include:/w/foo/include:/w/third",
                "/w/foo/Ops.md -gen-op-doc /w:/w/foo/include",
                "/w/foo/S.h.inc -gen-op-decls -op-shard-count=2 /w:/w/foo",
                "/w/foo/S.cc.inc -gen-op-defs -op-shard-count=2 /w:/w/foo",
            ]
        );
        assert_eq!(reading.calls[2].defines, ["X"]);
        let warned: Vec<_> = reading.warnings.iter().map(|warning| warning.origin.line).collect();
        assert_eq!(warned, [9, 11], "{:?}", reading.warnings);
    }
}
