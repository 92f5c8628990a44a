//! Parses one command of a build.
//!
//! ```text
//! cd /build/include/Foo && mlir-tblgen -gen-op-decls -I/src/include /src/include/Foo/FooOps.td -o FooOps.h.inc
//! cd /build/include/Foo && cmake -E copy /build/include/Foo/FooDialect.md /build/docs/Foo/FooDialect.md
//! ```

use odsmith_tblgen::flags::Flags;

use super::{Call, Origin, Reading, absolute};

/// A file copied by a build, with absolute paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The place in the build.
    pub origin: Origin,
    /// The source.
    pub from: String,
    /// The copy.
    pub to: String,
}

/// A call of `odsmith generate`, with absolute paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The place in the build.
    pub origin: Origin,
    /// The folder of the sources.
    pub source: String,
    /// The manifest.
    pub manifest: String,
    /// Include folders in their order.
    pub includes: Vec<String>,
    /// The folder of the outputs.
    pub out: String,
}

/// The calls and copies of a build.
#[derive(Debug, Default)]
pub struct Commands {
    /// The calls.
    pub reading: Reading,
    copies: Vec<Copy>,
}

impl Commands {
    /// Reads a command line that runs in a folder.
    pub fn line(&mut self, line: &str, folder: &str, origin: &Origin) {
        if !is_of_interest(line) {
            return;
        }
        match shlex::split(line) {
            Some(words) => self.words(words, folder, origin),
            None => self.reading.warn(origin, "the quotes of this command do not match: it is left out"),
        }
    }

    /// Reads the words of a command line.
    pub fn words(&mut self, words: Vec<String>, folder: &str, origin: &Origin) {
        let mut folder = folder.to_owned();
        for step in words.split(|word| matches!(word.as_str(), "&&" | ";" | "||")) {
            match step {
                [cd, to] if cd == "cd" => folder = absolute(&folder, to),
                [cd, drive, to] if cd == "cd" && drive == "/D" => folder = absolute(&folder, to),
                step => self.step(step, &folder, origin),
            }
        }
    }

    /// Reads the call of one program.
    pub fn step(&mut self, step: &[String], folder: &str, origin: &Origin) {
        // Skip `env A=B` before the program.
        let skipped = step.iter().take_while(|word| *word == "env" || is_assignment(word)).count();
        match &step[skipped..] {
            [tool, args @ ..] if is_tool(tool) => self.call(tool, args, folder, origin),
            [tool, word, args @ ..] if base_name(tool) == "odsmith" && word == "tblgen" => {
                self.call(tool, args, folder, origin);
            }
            [tool, word, args @ ..] if base_name(tool) == "odsmith" && word == "generate" => {
                self.job(args, folder, origin);
            }
            [_, e, copy, from, to] if e == "-E" && copy.starts_with("copy") => {
                self.copy(from, to, folder, origin);
            }
            [cp, from, to] if base_name(cp) == "cp" => self.copy(from, to, folder, origin),
            _ => {}
        }
    }

    fn copy(&mut self, from: &str, to: &str, folder: &str, origin: &Origin) {
        let (from, to) = (absolute(folder, from), absolute(folder, to));
        self.copies.push(Copy { origin: origin.clone(), from, to });
    }

    /// Reads a call of `odsmith generate`, as `odsmith_generate` of our CMake module writes it.
    fn job(&mut self, args: &[String], folder: &str, origin: &Origin) {
        let (mut source, mut manifest, mut out) = (None, None, None);
        let mut includes = Vec::new();
        let mut rest = args;
        while let [word, after @ ..] = rest {
            rest = after;
            let mut value = || {
                let (value, after) = after.split_first()?;
                rest = after;
                Some(absolute(folder, value))
            };
            match word.as_str() {
                "-I" => includes.extend(value()),
                "--manifest" => manifest = value(),
                "-o" | "--out" => out = value(),
                "--depfile" => drop(value()),
                word if word.starts_with('-') => {}
                word => source = Some(absolute(folder, word)),
            }
        }
        let (Some(source), Some(manifest), Some(out)) = (source, manifest, out) else {
            return self.reading.warn(origin, "this job has no manifest of its own: it is left out");
        };
        self.reading.jobs.push(Job { origin: origin.clone(), source, manifest, includes, out });
    }

    fn call(&mut self, tool: &str, args: &[String], folder: &str, origin: &Origin) {
        if let Some(file) = args.iter().find(|word| word.starts_with('@')) {
            return self
                .reading
                .warn(origin, format!("arguments are in the file '{file}': the call is left out"));
        }
        // A tool may print to a file.
        let (args, printed) = match args {
            [args @ .., to, file] if to == ">" => (args, Some(file.clone())),
            args => (args, None),
        };
        let arguments = Arguments::of(args);
        let (Some(td), Some(output)) = (arguments.td, arguments.output.or(printed)) else {
            return self.reading.warn(origin, "this call has no input, or no output: it is left out");
        };
        self.reading.calls.push(Call {
            origin: origin.clone(),
            tool: base_name(tool).to_owned(),
            td: absolute(folder, &td),
            includes: arguments.includes.iter().map(|include| absolute(folder, include)).collect(),
            defines: arguments.defines,
            flags: arguments.flags,
            output: absolute(folder, &output),
        });
    }

    /// Returns the calls; an output that is copied counts as an output in both places.
    #[must_use]
    pub fn finish(mut self) -> Reading {
        let mut calls: Vec<Call> = Vec::new();
        for call in self.reading.calls {
            let copies = self.copies.iter().filter(|copy| copy.from == call.output);
            let copies: Vec<Call> = copies
                .map(|copy| Call { output: copy.to.clone(), origin: copy.origin.clone(), ..call.clone() })
                .collect();
            for call in std::iter::once(call).chain(copies) {
                if !calls.iter().any(|known| known.output == call.output && known.flags == call.flags) {
                    calls.push(call);
                }
            }
        }
        self.reading.calls = calls;
        self.reading
    }
}

/// Returns true if a command line may contain a call or a copy; most lines of a build do not.
#[must_use]
pub fn is_of_interest(line: &str) -> bool {
    line.contains("tblgen") || line.contains("odsmith") || line.contains(" -E copy") || line.contains("cp ")
}

/// Returns true if the words of a command call a tool.
#[must_use]
pub fn is_call(words: &[String]) -> bool {
    words.first().is_some_and(|word| is_tool(word) || base_name(word) == "odsmith")
}

/// Returns true for mlir-tblgen, or for a program in its place: not for a project's own tool.
#[must_use]
pub fn is_mlir_tblgen(tool: &str) -> bool {
    tool.contains("mlir-tblgen") || tool.starts_with("odsmith")
}

/// Returns true if a word names a tool: `mlir-tblgen`, `/x/bin/circt-tblgen`, `mlir-tblgen-22`, `mlir-tblgen.exe`.
fn is_tool(word: &str) -> bool {
    base_name(word).contains("tblgen")
}

/// Returns the name of a program without its folder.
#[must_use]
pub fn base_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The arguments of a call, by kind.
#[derive(Debug, Default)]
pub struct Arguments {
    /// The last input.
    pub td: Option<String>,
    /// Include folders.
    pub includes: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// All other arguments.
    pub flags: Vec<String>,
    /// `-o`.
    pub output: Option<String>,
}

impl Arguments {
    /// Sorts the arguments of a call by kind; `words` excludes the tool.
    #[must_use]
    pub fn of(words: &[String]) -> Arguments {
        let mut arguments = Arguments::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            // An unknown flag, from a project's own tool, takes no separate value.
            let takes_next = word.starts_with('-') && takes_value(word) && !after.is_empty();
            let (own, next) = rest.split_at(1 + usize::from(takes_next));
            let flags = Flags::parse(own);
            if !word.starts_with('-') {
                arguments.td = Some(word.clone());
            } else if !flags.includes.is_empty() || !flags.defines.is_empty() {
                arguments.includes.extend(flags.includes);
                arguments.defines.extend(flags.defines);
            } else if flags.output.is_some() {
                arguments.output = flags.output;
            } else if flags.depfile.is_none() && !flags.write_if_changed {
                arguments.flags.extend_from_slice(own);
            }
            rest = next;
        }
        arguments
    }
}

/// Returns true if a flag takes the next word as its value.
fn takes_value(word: &str) -> bool {
    let probe = [word.to_owned(), "value".to_owned()];
    Flags::parse(&probe).inputs.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Reading {
        let mut commands = Commands::default();
        for (index, line) in lines.iter().enumerate() {
            commands.line(line, "/b", &Origin { file: "build.ninja".into(), line: index + 1 });
        }
        commands.finish()
    }

    #[test]
    fn a_call_and_a_copy() {
        let reading = read(&[
            "cd /b/inc && /x/mlir-tblgen -gen-dialect-doc -dialect foo -I/s/inc -I ../up -DX -no-warn-on-unused-template-args \
             /s/inc/F.td --write-if-changed -o F.md -d F.md.d && cmake -E cmake_transform_depfile x",
            "cd /b && cmake -E copy /b/inc/F.md /b/docs/F.md",
        ]);
        assert_eq!(reading.warnings, []);
        let [call, copy] = reading.calls.as_slice() else { panic!("{reading:?}") };
        assert_eq!((call.td.as_str(), call.output.as_str()), ("/s/inc/F.td", "/b/inc/F.md"));
        assert_eq!(call.includes, ["/s/inc", "/b/up"]);
        assert_eq!(call.defines, ["X"]);
        assert_eq!(call.flags, ["-gen-dialect-doc", "-dialect", "foo", "-no-warn-on-unused-template-args"]);
        assert_eq!((copy.output.as_str(), copy.origin.line), ("/b/docs/F.md", 2));
    }

    #[test]
    fn flags_of_other_tools_are_kept() {
        let reading =
            read(&["circt-tblgen --firrtl-intrinsics A.td -o A.inc", "mlir-tblgen @args", "mlir-tblgen 'x"]);
        assert_eq!(reading.calls[0].flags, ["--firrtl-intrinsics"]);
        assert_eq!(reading.warnings.len(), 2, "{reading:?}");
    }
}
