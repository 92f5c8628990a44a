//! Reads `BUILD.bazel`: calls of `gentbl_cc_library`, `gentbl_filegroup`, `gentbl_sharded_ops`, `td_library`, also
//! those in macros of the project's own `.bzl` files.
//!
//! The order of include folders is that of the rules: those of the call, the workspace, the folder of the root file,
//! then those of the libraries in its dependencies.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Call, Origin, Reading, absolute, folder_of,
    starlark::{self, Files, Rule, Value},
};

/// A Bazel workspace with its files.
pub struct Workspace<'w> {
    /// The root, as an absolute path.
    pub root: &'w str,
    /// The text of each build file, with its path below the root.
    pub build_files: &'w [(String, String)],
    /// The text of each `.bzl` file, with its path below the root.
    pub macro_files: &'w [(String, String)],
    /// The texts of `MODULE.bazel` and `WORKSPACE`, which name the project.
    pub module_files: &'w [String],
}

/// A call of a rule, with its package.
struct Target {
    package: String,
    origin: Origin,
    rule: Rule,
}

/// Reads the build files of a workspace.
#[must_use]
pub fn read(workspace: &Workspace<'_>) -> Reading {
    let mut reading = Reading::default();
    let own = workspace.module_files.iter().flat_map(|text| own_names(text)).collect();
    let mut files = Files::new(workspace.macro_files, own);
    let mut targets = Vec::new();
    for (path, text) in workspace.build_files {
        let package = folder_of(path);
        let file = starlark::read(text, package, &mut files);
        for (line, what) in file.unread {
            reading.warn(&Origin { file: path.clone(), line }, what);
        }
        for rule in file.rules {
            let origin = Origin { file: path.clone(), line: rule.line };
            targets.push(Target { package: package.to_owned(), origin, rule });
        }
    }
    let mut libraries = BTreeMap::new();
    for target in &targets {
        if let Some(name) = target.text("name") {
            libraries.insert(format!("//{}:{name}", target.package), target);
        }
    }
    let macros = macros(workspace.macro_files);
    let mut reader = Reader { root: workspace.root, files: &files, libraries, reading };
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
        } else if function != "td_library" && target.rule.argument("td_file").is_some() {
            let what = format!("'{function}' has a 'td_file', and is not known: it is left out");
            reader.reading.warn(&target.origin, what);
        }
    }
    reader.reading
}

/// Returns the names that a project gives itself: `@name//` in its labels.
fn own_names(text: &str) -> Vec<String> {
    let rules = starlark::read(text, "", &mut Files::default()).rules.into_iter();
    let rules = rules.filter(|rule| matches!(rule.function.as_str(), "module" | "workspace"));
    let names = rules.flat_map(|rule| {
        ["name", "repo_name"].map(|key| rule.argument(key).and_then(Value::text).map(str::to_owned))
    });
    names.flatten().collect()
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

impl Target {
    fn text(&self, name: &str) -> Option<&str> {
        self.rule.argument(name)?.text()
    }
}

struct Reader<'w> {
    root: &'w str,
    files: &'w Files<'w>,
    libraries: BTreeMap<String, &'w Target>,
    reading: Reading,
}

impl Reader<'_> {
    /// Returns a label as `//package:name`; one of another repository stays as it is.
    fn label(&self, target: &Target, label: &str) -> String {
        self.files.label(label, &target.package).unwrap_or_else(|| label.to_owned())
    }

    /// Reads a call of `gentbl_cc_library` or `gentbl_filegroup`.
    fn gentbl(&mut self, target: &Target) {
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
    fn sharded_ops(&mut self, target: &Target) {
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
    fn output(&mut self, target: &Target, td: &str, flags: &Value, output: &Value) {
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
        // The rules' default is mlir-tblgen.
        let tool = target
            .text("tblgen")
            .map_or("mlir-tblgen", |label| label.rsplit([':', '/']).next().unwrap_or(label));
        let td = self.label(target, td);
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
            tool: tool.to_owned(),
            td,
            includes,
            defines: arguments.defines,
            flags: arguments.flags,
            output: absolute(&absolute(self.root, &target.package), output),
        });
    }

    /// Returns the folders of a call's `includes`: below its package, or below the workspace after a leading slash.
    fn folders(&mut self, target: &Target) -> Vec<String> {
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
    fn of_libraries(&mut self, target: &Target) -> Vec<String> {
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

    fn dependencies(&mut self, target: &Target) -> Vec<(String, Origin)> {
        let Some(value) = target.rule.argument("deps") else { return Vec::new() };
        let Some(labels) = words(value) else {
            self.unknown(target, "deps", value);
            return Vec::new();
        };
        labels.iter().map(|label| (self.label(target, label), target.origin.clone())).collect()
    }

    fn text(&mut self, target: &Target, name: &str) -> Option<String> {
        let text = target.text(name).map(str::to_owned);
        if text.is_none() {
            self.unknown(target, name, target.rule.argument(name).unwrap_or(&Value::Constant("None")));
        }
        text
    }

    fn unknown(&mut self, target: &Target, name: &str, value: &Value) {
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
        let module_files = ["module(name = \"wood\", repo_name = \"forest\")".to_owned()];
        read(&Workspace {
            root: "/w",
            build_files: &own(files),
            macro_files: &own(macro_files),
            module_files: &module_files,
        })
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

    #[test]
    fn texts_with_numbers_and_rules_that_are_not_known() {
        let rule = |name: &str| {
            format!(
                "[gentbl_filegroup(name = {name}, tbl_outs = {{{name} + \".inc\": [\"-gen-op-defs\"]}}, td_file = \"A.td\") for i in [1, 2]]\n"
            )
        };
        let text =
            rule("\"n%d%%\" % i") + &rule("\"x%x\" % i") + "own_rule(name = \"z\", td_file = \"A.td\")\n";
        let reading = read_files(&[("BUILD", &text)], &[]);
        let outputs: Vec<&str> = reading.calls.iter().map(|call| call.output.as_str()).collect();
        assert_eq!(outputs, ["/w/n1%.inc", "/w/n2%.inc"]);
        let warned: Vec<_> =
            reading.warnings.iter().map(|warning| (warning.origin.line, warning.message.as_str())).collect();
        let left_out = "gentbl_filegroup: 'tbl_outs' holds a text that is put together, which is not worked out: it is left out";
        assert_eq!(
            warned,
            [(2, left_out), (3, "'own_rule' has a 'td_file', and is not known: it is left out")]
        );
    }

    #[test]
    fn macros_of_the_project_are_followed() {
        let reading = read_files(
            &[
                (
                    "lib/a/BUILD",
                    r#"
load("@forest//tools:defs.bzl", "add_dialect", more = "add_passes")
load("@wood//tools:names.bzl", "SUFFIX")
add_dialect(dialect = "A", kind = "op", deps = [":td"])
[add_dialect(dialect = name, kind = "type", td_file = "Other.td") for name in ["B", "C"] if name != "C"]
more(name = "P" + SUFFIX, deps = ["@wood//lib/b:td"], tblgen = "//:own-tblgen")
add_dialect(dialect = "D", kind = "none")
"#,
                ),
                ("lib/b/BUILD", "td_library(name = \"td\", includes = [\"inc\"])"),
            ],
            &[
                ("tools/names.bzl", "SUFFIX = \"x\"\n"),
                (
                    "tools/defs.bzl",
                    r#"
load("@llvm-project//mlir:tblgen.bzl", generate = "gentbl_cc_library")
load(":names.bzl", "SUFFIX")

def _flags(kind, *more):
    return ["-gen-%s-%s" % (kind, end) for end in more]

def add_dialect(dialect, kind = None, td_file = None, deps = []):
    """A text
with lines."""
    if kind == "op":
        infix = "Ops"
    elif kind == "type":
        infix = "Types"
    else:
        fail("no kind")
    _td = td_file
    if _td == None:
        _td = dialect + infix + ".td"
    _deps = list(deps)
    if infix not in ("Types",) and not td_file:
        _deps.append("@wood//lib/b:td")
    outs = {}
    for end, flags in {"h": _flags("op", "decls"), "cpp": ["-gen-op-defs"]}.items():
        outs["{}{i}.{e}.inc".format(dialect, i = infix, e = end)] = flags
    generate(name = kind + "_inc_gen", tbl_outs = outs, td_file = _td, deps = _deps)

def add_passes(name, **kwargs):
    # The rest goes on.
    generate(
        name = name,
        tbl_outs = [(["-gen-pass-decls", "-name=" + name], name + SUFFIX + ".h.inc")],
        td_file = name[:-1] + ".td",
        **kwargs
    )
"#,
                ),
            ],
        );
        let calls: Vec<_> = reading
            .calls
            .iter()
            .map(|call| {
                let (flags, includes) = (call.flags.join(" "), call.includes.join(":"));
                format!("{} {} {flags} {includes} {}", call.output, call.td, call.origin.line)
            })
            .collect();
        assert_eq!(
            calls,
            [
                "/w/lib/a/AOps.h.inc /w/lib/a/AOps.td -gen-op-decls /w:/w/lib/a:/w/lib/b/inc 4",
                "/w/lib/a/AOps.cpp.inc /w/lib/a/AOps.td -gen-op-defs /w:/w/lib/a:/w/lib/b/inc 4",
                "/w/lib/a/BTypes.h.inc /w/lib/a/Other.td -gen-op-decls /w:/w/lib/a 5",
                "/w/lib/a/BTypes.cpp.inc /w/lib/a/Other.td -gen-op-defs /w:/w/lib/a 5",
                "/w/lib/a/Pxx.h.inc /w/lib/a/P.td -gen-pass-decls -name=Px /w:/w/lib/a:/w/lib/b/inc 6",
            ]
        );
        assert_eq!(reading.calls[4].tool, "own-tblgen");
        let warned: Vec<_> =
            reading.warnings.iter().map(|warning| (warning.origin.line, warning.message.as_str())).collect();
        assert_eq!(
            warned,
            [(7, "in line 16 of a macro: this fails: no kind"), (4, "there is no target '//lib/a:td'"),]
        );
    }
}
