//! Reads `CMakeLists.txt`, if there is no build: the calls of `mlir_tablegen`, `add_mlir_dialect` and the like.
//!
//! The project's own functions and macros are followed, so that its wrappers need no rules here. If a condition cannot
//! be decided from the sources, both branches are read; if they contain calls, a warning says so.

mod arithmetic;
pub mod condition;
mod paths;
mod regex;
pub mod syntax;
mod values;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use super::{
    Call, Origin, Project, Reading, absolute, below,
    command::{self, Commands},
    folder_of,
    functions::FUNCTIONS,
};
use condition::Facts;
use syntax::{Argument, Command, Form};

/// The most commands that run: loops and functions repeat them.
const MOST_COMMANDS: usize = 1_000_000;
/// The deepest nesting of functions and files.
const MOST_NESTED: usize = 64;
/// The program of `mlir_tablegen`.
const MLIR_TBLGEN: &str = "mlir-tblgen";
/// The include folder of an installed MLIR, whose files the library covers. An empty text in its place would vanish from
/// `-I ${MLIR_INCLUDE_DIRS}`, and the flag would take the next word.
const MLIR_INCLUDES: &str = "/include-of-mlir";
/// Beginnings of variables that CMake and its packages set.
const OF_PACKAGES: &[&str] = &["CMAKE_", "CLANG_", "LLVM_", "MLIR_", "_"];
/// The most bytes of a variable; only a malicious build file exceeds it.
const MOST_BYTES: usize = 1 << 20;

/// The files to read.
pub struct Tree<'t> {
    /// The folder of the first `CMakeLists.txt`, as an absolute path.
    pub source: &'t str,
    /// The folder of the build, which contains the outputs.
    pub binary: &'t str,
    /// The files.
    pub project: &'t dyn Project,
}

impl Tree<'_> {
    fn read(&self, path: &str) -> Option<String> {
        self.project.text(path).ok()
    }

    /// Returns true if the sources alone decide what a path holds: it lies below them, and not in the build.
    fn is_own(&self, path: &str) -> bool {
        let is_builds = self.binary != self.source && below(path, self.binary).is_some();
        below(path, self.source).is_some() && !is_builds
    }
}

/// Reads the build files of a tree.
#[must_use]
pub fn read(tree: &Tree<'_>) -> Reading {
    let mut variables = BTreeMap::new();
    for (name, value) in [
        ("CMAKE_SOURCE_DIR", tree.source),
        ("PROJECT_SOURCE_DIR", tree.source),
        ("CMAKE_BINARY_DIR", tree.binary),
        ("PROJECT_BINARY_DIR", tree.binary),
        ("MLIR_BINARY_DIR", tree.binary),
        ("CMAKE_COMMAND", "cmake"),
        ("PROJECT_IS_TOP_LEVEL", "TRUE"),
        ("MLIR_TABLEGEN_EXE", "mlir-tblgen"),
        ("MLIR_TABLEGEN", "mlir-tblgen"),
        ("LLVM_TABLEGEN_EXE", "llvm-tblgen"),
        ("LLVM_TABLEGEN", "llvm-tblgen"),
        ("MLIR_INCLUDE_DIRS", MLIR_INCLUDES),
        ("MLIR_INCLUDE_DIR", MLIR_INCLUDES),
        ("LLVM_INCLUDE_DIRS", MLIR_INCLUDES),
        ("LLVM_INCLUDE_DIR", MLIR_INCLUDES),
        ("LLVM_MAIN_INCLUDE_DIR", MLIR_INCLUDES),
        // The system is Linux wherever this runs: the same sources give the same manifest.
        ("UNIX", "1"),
        ("LINUX", "1"),
        ("CMAKE_HOST_UNIX", "1"),
        ("CMAKE_SYSTEM_NAME", "Linux"),
        ("CMAKE_HOST_SYSTEM_NAME", "Linux"),
    ] {
        variables.insert(name.to_owned(), Some(value.to_owned()));
    }
    for name in ["WIN32", "MSVC", "MINGW", "MSYS", "CYGWIN", "APPLE", "IOS", "ANDROID", "BSD", "EMSCRIPTEN"] {
        variables.insert(name.to_owned(), None);
    }
    variables.extend(["CMAKE_HOST_WIN32", "CMAKE_HOST_APPLE"].map(|name| (name.to_owned(), None)));
    let mut run = Run {
        tree,
        scopes: vec![Scope { variables, ..Scope::default() }],
        functions: BTreeMap::new(),
        targets: BTreeSet::new(),
        touched: BTreeSet::new(),
        commands: Commands::default(),
        origin: Origin::default(),
        steps: MOST_COMMANDS,
        undecided: Vec::new(),
    };
    run.folder(tree.source, tree.binary, 0);
    if run.steps == 0 {
        let what = "the build files take too many commands: the rest is left out";
        run.commands.reading.warn(&Origin::default(), what);
    }
    for call in &mut run.commands.reading.calls {
        call.includes.retain(|folder| folder != MLIR_INCLUDES);
    }
    run.commands.finish()
}

/// The variables of a function or of a folder.
#[derive(Clone, Default)]
struct Scope {
    /// The value of each variable; `None` for one that is known to have none.
    variables: BTreeMap<String, Option<String>>,
    /// Include folders of the folder, shared by its functions.
    includes: Vec<String>,
}

/// A function or macro of the project.
struct Function {
    parameters: Vec<String>,
    body: Vec<Command>,
    is_macro: bool,
    /// The file that defines it.
    file: String,
}

/// The command that ends a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// The last one.
    End,
    /// `return()`, or the limit of steps.
    Return,
    Break,
    Continue,
}

struct Run<'t> {
    tree: &'t Tree<'t>,
    scopes: Vec<Scope>,
    functions: BTreeMap<String, Rc<Function>>,
    /// The names of targets that were added.
    targets: BTreeSet<String>,
    /// Words that may be variables with values that are not worked out.
    touched: BTreeSet<String>,
    commands: Commands,
    /// The current command in the project's files.
    origin: Origin,
    steps: usize,
    /// The undecided conditions around the command.
    undecided: Vec<Origin>,
}

impl Facts for Run<'_> {
    fn value(&self, name: &str) -> Option<Option<String>> {
        match self.variable(name) {
            Some(value) => Some(Some(value.clone())),
            None => self.is_undefined(name).then_some(None),
        }
    }

    fn is_never_set(&self, name: &str) -> bool {
        // The environment has no part in the answer.
        if name.starts_with("ENV{") {
            return true;
        }
        let name = name.strip_prefix("CACHE{").and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        self.variable(name).is_none()
            && !self.touched.contains(name)
            && !OF_PACKAGES.iter().any(|start| name.starts_with(start))
    }

    fn expand(&self, argument: &Argument) -> String {
        Run::expand(self, argument)
    }

    fn exists(&self, path: &str) -> Option<bool> {
        let path = absolute(&self.text_of("CMAKE_CURRENT_SOURCE_DIR"), path);
        let project = self.tree.project;
        self.tree.is_own(&path).then(|| project.is_file(&path) || project.folder(&path).is_some())
    }

    fn is_folder(&self, path: &str) -> Option<bool> {
        let path = absolute(&self.text_of("CMAKE_CURRENT_SOURCE_DIR"), path);
        let project = self.tree.project;
        self.tree.is_own(&path).then(|| !project.is_file(&path) && project.folder(&path).is_some())
    }

    fn is_target(&self, name: &str) -> Option<bool> {
        // Packages bring their own targets.
        let is_packages = name.contains("::")
            || ["MLIR", "LLVM", "mlir-", "llvm-"].iter().any(|start| name.starts_with(start));
        match self.targets.contains(name) {
            true => Some(true),
            false => (!is_packages).then_some(false),
        }
    }

    fn is_command(&self, name: &str) -> Option<bool> {
        let is_known =
            self.functions.contains_key(name) || FUNCTIONS.iter().any(|function| function.name == name);
        is_known.then_some(true)
    }
}

impl Run<'_> {
    fn variable(&self, name: &str) -> Option<&String> {
        self.scopes.last()?.variables.get(name)?.as_ref()
    }

    /// Returns true if a variable has no value, as the build files alone decide it.
    fn is_undefined(&self, name: &str) -> bool {
        let known = self.scopes.last().and_then(|scope| scope.variables.get(name));
        // Arguments that a call does not give.
        let is_not_given =
            |index: &str| Some(index.parse::<usize>().ok()? >= self.text_of("ARGC").parse().ok()?);
        matches!(known, Some(None)) || name.strip_prefix("ARGV").and_then(is_not_given) == Some(true)
    }

    fn text_of(&self, name: &str) -> String {
        self.variable(name).cloned().unwrap_or_default()
    }

    fn set(&mut self, name: &str, value: String) {
        if value.len() > MOST_BYTES {
            return self.warn(format!("'{name}' becomes too long: it is left as it is"));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.variables.insert(name.to_owned(), Some(value));
        }
    }

    /// Notes that a variable has no value.
    fn unset(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.variables.insert(name.to_owned(), None);
        }
    }

    /// Forgets a variable whose value is not worked out.
    fn forget(&mut self, name: &str) {
        self.touched.insert(name.to_owned());
        if let Some(scope) = self.scopes.last_mut() {
            scope.variables.remove(name);
        }
    }

    fn includes(&mut self) -> &mut Vec<String> {
        // There is always at least one scope.
        let last = self.scopes.len() - 1;
        &mut self.scopes[last].includes
    }

    fn warn(&mut self, message: impl Into<String>) {
        let origin = self.origin.clone();
        self.commands.reading.warn(&origin, message);
    }

    /// Reads the `CMakeLists.txt` of a folder, in a scope of its own.
    fn folder(&mut self, source: &str, binary: &str, depth: usize) {
        let file = format!("{source}/CMakeLists.txt");
        let Some(text) = self.tree.read(&file).filter(|_| depth < MOST_NESTED) else {
            return self.warn(format!("'{file}' cannot be read: the folder is left out"));
        };
        let mut scope = self.scopes.last().cloned().unwrap_or_default();
        scope.variables.insert("CMAKE_CURRENT_SOURCE_DIR".into(), Some(source.to_owned()));
        scope.variables.insert("CMAKE_CURRENT_BINARY_DIR".into(), Some(binary.to_owned()));
        self.scopes.push(scope);
        self.file(&file, &text, depth);
        self.scopes.pop();
    }

    fn file(&mut self, file: &str, text: &str, depth: usize) {
        let (commands, unread) = syntax::commands(text);
        let before = std::mem::take(&mut self.origin);
        for (line, what) in unread {
            let origin = Origin { file: file.to_owned(), line };
            self.commands.reading.warn(&origin, what);
        }
        let outer = self.variable("CMAKE_CURRENT_LIST_DIR").cloned();
        self.set("CMAKE_CURRENT_LIST_DIR", folder_of(file).to_owned());
        self.set("CMAKE_CURRENT_LIST_FILE", file.to_owned());
        self.block(&commands, file, depth);
        self.set("CMAKE_CURRENT_LIST_DIR", outer.unwrap_or_default());
        self.origin = before;
    }

    /// Runs commands in order.
    fn block(&mut self, commands: &[Command], file: &str, depth: usize) -> Exit {
        let mut rest = commands;
        while let [command, after @ ..] = rest {
            if self.steps == 0 || depth > MOST_NESTED {
                return Exit::Return;
            }
            self.steps -= 1;
            self.origin = Origin { file: file.to_owned(), line: command.line };
            rest = after;
            match command.name.as_str() {
                "if" => {
                    let end = end_of(after, "if", "endif");
                    rest = after.get(end + 1..).unwrap_or_default();
                    let exit = self.condition(&command.arguments, &after[..end], file, depth);
                    if exit != Exit::End {
                        return exit;
                    }
                }
                "foreach" => {
                    let end = end_of(after, "foreach", "endforeach");
                    rest = after.get(end + 1..).unwrap_or_default();
                    if self.each(&command.arguments, &after[..end], file, depth) == Exit::Return {
                        return Exit::Return;
                    }
                }
                "while" => {
                    let end = end_of(after, "while", "endwhile");
                    rest = after.get(end + 1..).unwrap_or_default();
                    let body = &after[..end];
                    let exit =
                        self.repeat(|run| condition::holds(&command.arguments, run), body, file, depth);
                    if exit == Exit::Return {
                        return Exit::Return;
                    }
                }
                "function" | "macro" => {
                    let end = end_of(after, &command.name, &format!("end{}", command.name));
                    rest = after.get(end + 1..).unwrap_or_default();
                    let mut words = self.words(&command.arguments).into_iter();
                    let name = words.next().unwrap_or_default().to_ascii_lowercase();
                    let function = Function {
                        parameters: words.collect(),
                        body: after[..end].to_vec(),
                        is_macro: command.name == "macro",
                        file: file.to_owned(),
                    };
                    self.functions.insert(name, Rc::new(function));
                }
                "return" => return Exit::Return,
                "break" => return Exit::Break,
                "continue" => return Exit::Continue,
                name => self.command(name, &command.arguments, depth),
            }
        }
        Exit::End
    }

    /// Runs a loop as long as its condition holds.
    fn repeat(
        &mut self,
        mut holds: impl FnMut(&mut Self) -> Option<bool>,
        body: &[Command],
        file: &str,
        depth: usize,
    ) -> Exit {
        loop {
            // An empty body takes steps as well.
            self.steps = self.steps.saturating_sub(10);
            match holds(self) {
                Some(true) if self.steps > 0 => {}
                Some(true) => return Exit::Return,
                Some(false) => return Exit::End,
                None => {
                    self.warn("whether this loop goes on is not known: it is left out");
                    return Exit::End;
                }
            }
            match self.block(body, file, depth + 1) {
                Exit::End | Exit::Continue => {}
                Exit::Break => return Exit::End,
                Exit::Return => return Exit::Return,
            }
        }
    }

    /// Runs the branches of an `if` whose conditions hold or are undecided.
    fn condition(&mut self, test: &[Argument], body: &[Command], file: &str, depth: usize) -> Exit {
        let origin = self.origin.clone();
        let mut tests: Vec<Option<&[Argument]>> = vec![Some(test)];
        let mut branches: Vec<Vec<Command>> = vec![Vec::new()];
        let mut nested = 0_usize;
        for command in body {
            match command.name.as_str() {
                "if" => nested += 1,
                "endif" => nested = nested.saturating_sub(1),
                "elseif" | "else" if nested == 0 => {
                    tests.push((command.name == "elseif").then_some(&command.arguments[..]));
                    branches.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(branch) = branches.last_mut() {
                branch.push(command.clone());
            }
        }
        for (test, branch) in tests.into_iter().zip(branches) {
            let answer = match test {
                Some(test) => condition::holds(test, self),
                None => Some(true),
            };
            if answer == Some(false) {
                continue;
            }
            let is_undecided = answer.is_none();
            if is_undecided {
                self.undecided.push(origin.clone());
            }
            let exit = self.block(&branch, file, depth + 1);
            if is_undecided {
                self.undecided.pop();
            } else {
                return exit;
            }
        }
        Exit::End
    }

    fn each(&mut self, arguments: &[Argument], body: &[Command], file: &str, depth: usize) -> Exit {
        let words = self.words(arguments);
        let Some((name, rest)) = words.split_first() else { return Exit::End };
        let values: Vec<String> = match rest {
            [range, bounds @ ..] if range == "RANGE" => {
                let bounds: Vec<i64> = bounds.iter().filter_map(|bound| bound.parse().ok()).collect();
                let (first, last) = if let [last] = bounds[..] {
                    (0, last)
                } else {
                    (*bounds.first().unwrap_or(&0), *bounds.get(1).unwrap_or(&-1))
                };
                (first..=last.min(first.saturating_add(10_000))).map(|number| number.to_string()).collect()
            }
            [of, more @ ..] if of == "IN" => {
                let mut values = Vec::new();
                let mut is_list = false;
                for word in more {
                    match word.as_str() {
                        "LISTS" => is_list = true,
                        "ITEMS" => is_list = false,
                        list if is_list => values.extend(elements(&self.text_of(list))),
                        item => values.push(item.to_owned()),
                    }
                }
                values
            }
            values => values.to_vec(),
        };
        let mut values = values.into_iter();
        let mut next = |run: &mut Self| values.next().map(|value| run.set(name, value)).is_some();
        self.repeat(|run| Some(next(run)), body, file, depth)
    }

    /// Returns the arguments as the command sees them: variables expanded, lists split.
    fn words(&self, arguments: &[Argument]) -> Vec<String> {
        let mut words = Vec::new();
        for argument in arguments {
            let text = self.expand(argument);
            match argument.form {
                Form::Plain => words.extend(elements(&text)),
                Form::Quoted | Form::Bracket => words.push(text),
            }
        }
        words
    }

    fn expand(&self, argument: &Argument) -> String {
        if argument.form == Form::Bracket {
            return argument.text.clone();
        }
        self.fill(&argument.text, 0)
    }

    /// Expands the variables and escapes in a text; an unknown variable stays as written.
    fn fill(&self, text: &str, depth: usize) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['$', '\\']).filter(|_| filled.len() < MOST_BYTES) {
            filled += &rest[..at];
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix('\\') {
                let escaped = after.chars().next();
                filled.extend(escaped.map(|char| match char {
                    'n' => '\n',
                    't' => '\t',
                    char => char,
                }));
                rest = &after[escaped.map_or(0, char::len_utf8)..];
                continue;
            }
            let Some(end) = rest.strip_prefix("${").and_then(closing).filter(|_| depth < MOST_NESTED) else {
                filled.push('$');
                rest = &rest[1..];
                continue;
            };
            let name = self.fill(&rest[2..2 + end], depth + 1);
            match self.variable(&name) {
                Some(value) => filled += value,
                None if self.is_undefined(&name) => {}
                None => filled += &format!("${{{name}}}"),
            }
            rest = &rest[end + 3..];
        }
        filled + rest
    }

    fn command(&mut self, name: &str, arguments: &[Argument], depth: usize) {
        if name == "set" {
            return self.set_command(arguments);
        }
        let words = self.words(arguments);
        if let Some(function) = self.functions.get(name).cloned() {
            return self.function(&function, words, depth);
        }
        let first = words.first().cloned().unwrap_or_default();
        match name {
            // The cache may hold another value.
            "unset" if words.get(1).is_some_and(|word| word == "CACHE") => self.forget(&first),
            "unset" => self.unset(&first),
            "option" if self.variable(&first).is_some() => {}
            "option" => self.set(&first, words.get(2).cloned().unwrap_or_else(|| "OFF".to_owned())),
            "project" => {
                for (kind, of) in
                    [("SOURCE", "CMAKE_CURRENT_SOURCE_DIR"), ("BINARY", "CMAKE_CURRENT_BINARY_DIR")]
                {
                    let folder = self.text_of(of);
                    self.set(&format!("{first}_{kind}_DIR"), folder.clone());
                    self.set(&format!("PROJECT_{kind}_DIR"), folder);
                }
                if self.variable("CMAKE_PROJECT_NAME").is_none() {
                    self.set("CMAKE_PROJECT_NAME", first.clone());
                }
                self.set("PROJECT_NAME", first);
            }
            "list" => self.list(&words),
            "string" => self.string(&words),
            "math" => self.compute(&words),
            "get_filename_component" => self.file_name_part(&words),
            "get_directory_property" => match words.as_slice() {
                [name, property] if property == "INCLUDE_DIRECTORIES" => {
                    let folders = self.includes().join(";");
                    self.set(name, folders);
                }
                _ => {}
            },
            "cmake_path" => self.path_part(&words),
            "file" => self.file_list(&words),
            "find_program" => self.find_program(&words),
            "find_package" => {
                if words.iter().any(|word| word == "REQUIRED") {
                    self.set(&format!("{first}_FOUND"), "TRUE".to_owned());
                }
                let ends = ["FOUND", "DIR", "VERSION", "INCLUDE_DIR", "INCLUDE_DIRS", "LIBRARIES", "ROOT"];
                self.touched.extend(ends.map(|end| format!("{first}_{end}")));
            }
            "cmake_language" if first == "CALL" => self.call(arguments, depth),
            "cmake_parse_arguments" => self.parse_arguments(&words),
            "include_directories" => self.include_directories(words),
            "add_subdirectory" => {
                let here = |run: &Self, name: &str| run.text_of(name);
                let source = absolute(&here(self, "CMAKE_CURRENT_SOURCE_DIR"), &first);
                let below = words.get(1).filter(|word| *word != "EXCLUDE_FROM_ALL").unwrap_or(&first);
                let binary = absolute(&here(self, "CMAKE_CURRENT_BINARY_DIR"), below);
                self.folder(&source, &binary, depth + 1);
            }
            "include" => self.include(&first, depth),
            "add_custom_command" | "execute_process" => self.custom_command(&words),
            "add_custom_target" => {
                self.targets.insert(first);
                self.custom_command(&words);
            }
            // LLVM's CMake names the program of `tablegen(X …)` so.
            "add_tablegen" => {
                for (end, value) in [("EXE", &first), ("TARGET", &first)] {
                    let name = format!("{}_TABLEGEN_{end}", words.get(1).unwrap_or(&first));
                    self.set(&name, value.clone());
                }
                self.targets.insert(first);
            }
            "tablegen" => {
                let tool = match self.variable(&format!("{first}_TABLEGEN_EXE")) {
                    Some(tool) => command::base_name(tool).to_owned(),
                    None => format!("{}-tblgen", first.to_lowercase()),
                };
                self.tablegen(&tool, words.get(1..).unwrap_or_default());
            }
            "mlir_tablegen" => self.tablegen(MLIR_TBLGEN, &words),
            "odsmith_generate" => self.odsmith_generate(&words),
            "add_mlir_doc" => self.doc(&words),
            "declare_mlir_dialect_python_bindings" | "declare_mlir_dialect_extension_python_bindings" => {
                self.python_bindings(&words);
            }
            name => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
                    // It may set each of the variables that it names.
                    self.touched.extend(words.iter().map(|&word| word.to_owned()));
                    if name.starts_with("add_") {
                        self.targets.insert(first);
                    }
                    return;
                };
                // CMake ignores surplus arguments.
                let expanded = (0..=words.len()).rev().find_map(|count| (function.expand)(&words[..count]));
                let Some((td, outputs)) = expanded else { return self.too_few(name) };
                self.with_definitions(&td, |run| {
                    for (path, flags) in outputs {
                        run.tablegen(MLIR_TBLGEN, &[vec![path], flags].concat());
                    }
                });
            }
        }
    }

    fn too_few(&mut self, name: &str) {
        self.warn(format!("{name} has too few arguments: it is left out"));
    }

    /// Runs `cmake_language(CALL NAME ARGUMENT…)`.
    fn call(&mut self, arguments: &[Argument], depth: usize) {
        let Some(name) = arguments.get(1).map(|name| self.expand(name).to_ascii_lowercase()) else { return };
        // Commands that change the flow cannot be called.
        if depth < MOST_NESTED {
            self.command(&name, &arguments[2..], depth + 1);
        }
    }

    fn function(&mut self, function: &Function, words: Vec<String>, depth: usize) {
        let caller = self.origin.clone();
        if depth >= MOST_NESTED {
            return self.warn("functions call each other too deeply: this call is left out");
        }
        let mut own: Vec<(String, String)> =
            function.parameters.iter().cloned().zip(words.iter().cloned()).collect();
        own.extend(words.iter().enumerate().map(|(index, word)| (format!("ARGV{index}"), word.clone())));
        own.push(("ARGC".into(), words.len().to_string()));
        own.push(("ARGV".into(), words.join(";")));
        own.push(("ARGN".into(), words.get(function.parameters.len()..).unwrap_or_default().join(";")));
        if function.is_macro {
            // A macro's arguments are substituted in its text; its variables are those of the caller.
            let before: Vec<_> = own
                .iter()
                .map(|(name, _)| {
                    (name.clone(), self.scopes.last().and_then(|scope| scope.variables.get(name)).cloned())
                })
                .collect();
            own.into_iter().for_each(|(name, value)| self.set(&name, value));
            self.block(&function.body, &function.file, depth + 1);
            for (name, value) in before {
                match (value, self.scopes.last_mut()) {
                    (Some(value), Some(scope)) => drop(scope.variables.insert(name, value)),
                    (None, Some(scope)) => drop(scope.variables.remove(&name)),
                    (_, None) => {}
                }
            }
        } else {
            let mut scope = self.scopes.last().cloned().unwrap_or_default();
            scope.variables.extend(own.into_iter().map(|(name, value)| (name, Some(value))));
            for (name, value) in [("DIR", folder_of(&function.file)), ("FILE", &function.file)] {
                let name = format!("CMAKE_CURRENT_FUNCTION_LIST_{name}");
                scope.variables.insert(name, Some(value.to_owned()));
            }
            self.scopes.push(scope);
            self.block(&function.body, &function.file, depth + 1);
            if let Some(scope) = self.scopes.pop() {
                *self.includes() = scope.includes;
            }
        }
        self.origin = caller;
    }

    fn set_command(&mut self, arguments: &[Argument]) {
        let mut words = self.words(arguments);
        if words.is_empty() {
            return;
        }
        let name = words.remove(0);
        let cached = words.iter().position(|word| word == "CACHE");
        if let Some(at) = cached {
            words.truncate(at);
            if self.variable(&name).is_some() {
                return;
            }
        }
        let is_parents = words.last().is_some_and(|word| word == "PARENT_SCOPE");
        if is_parents {
            words.pop();
        }
        let value = words.join(";");
        if value.len() > MOST_BYTES {
            return self.warn(format!("'{name}' becomes too long: it is left as it is"));
        }
        let count = self.scopes.len();
        let scope = if is_parents && count > 1 { count - 2 } else { count - 1 };
        if words.is_empty() && cached.is_none() && arguments.len() <= 1 + usize::from(is_parents) {
            self.scopes[scope].variables.insert(name, None);
        } else {
            self.scopes[scope].variables.insert(name, Some(value));
        }
    }

    fn include_directories(&mut self, words: Vec<String>) {
        let here = self.text_of("CMAKE_CURRENT_SOURCE_DIR");
        let mut is_first = false;
        let mut folders = Vec::new();
        for word in words {
            match word.as_str() {
                "BEFORE" => is_first = true,
                "AFTER" | "SYSTEM" | "" => {}
                unknown if unknown.contains("${") => {
                    self.warn(format!("'{unknown}' is not known: the include folder is left out"));
                }
                folder => folders.push(absolute(&here, folder)),
            }
        }
        let known = self.includes();
        folders.retain(|folder| !known.contains(folder));
        if is_first {
            folders.append(known);
            *known = folders;
        } else {
            known.append(&mut folders);
        }
    }

    /// Reads an included file of the project; those of MLIR and CMake contain nothing of interest.
    fn include(&mut self, name: &str, depth: usize) {
        let mut candidates = vec![absolute(&self.text_of("CMAKE_CURRENT_SOURCE_DIR"), name)];
        for folder in elements(&self.text_of("CMAKE_MODULE_PATH")) {
            candidates.push(format!("{folder}/{name}.cmake"));
        }
        let own = format!("{}/", self.tree.source.trim_end_matches('/'));
        let found = candidates.iter().filter(|file| file.starts_with(&own) && file.contains('.'));
        let found = found.filter_map(|file| Some((file, self.tree.read(file)?))).next();
        if let Some((file, text)) = found.filter(|_| depth < MOST_NESTED) {
            self.file(&file.clone(), &text, depth + 1);
        }
    }

    /// Reads the programs that a command runs: calls of the tool, and copies of what it made.
    fn custom_command(&mut self, words: &[String]) {
        const KEYWORDS: &[&str] = &[
            "OUTPUT",
            "COMMAND",
            "DEPENDS",
            "COMMENT",
            "WORKING_DIRECTORY",
            "MAIN_DEPENDENCY",
            "BYPRODUCTS",
            "VERBATIM",
            "DEPFILE",
            "JOB_POOL",
            "JOB_SERVER_AWARE",
            "APPEND",
            "USES_TERMINAL",
            "COMMAND_EXPAND_LISTS",
            "DEPENDS_EXPLICIT_ONLY",
            "CODEGEN",
            "TARGET",
            "POST_BUILD",
            "PRE_BUILD",
            "PRE_LINK",
            "IMPLICIT_DEPENDS",
            "SOURCES",
            "TIMEOUT",
            "RESULT_VARIABLE",
            "RESULTS_VARIABLE",
            "OUTPUT_VARIABLE",
            "ERROR_VARIABLE",
            "INPUT_FILE",
            "OUTPUT_FILE",
            "ERROR_FILE",
            "OUTPUT_QUIET",
            "ERROR_QUIET",
            "COMMAND_ERROR_IS_FATAL",
            "OUTPUT_STRIP_TRAILING_WHITESPACE",
            "ERROR_STRIP_TRAILING_WHITESPACE",
        ];
        let binary = self.text_of("CMAKE_CURRENT_BINARY_DIR");
        let value = |key: &str| words.get(words.iter().position(|word| word == key)? + 1);
        let folder = value("WORKING_DIRECTORY").map_or(binary.clone(), |folder| absolute(&binary, folder));
        let printed = value("OUTPUT_FILE").cloned();
        for key in ["OUTPUT_VARIABLE", "RESULT_VARIABLE", "RESULTS_VARIABLE", "ERROR_VARIABLE"] {
            self.touched.extend(value(key).cloned());
        }
        let origin = self.origin.clone();
        let mut rest = words;
        while let Some(at) = rest.iter().position(|word| word == "COMMAND") {
            let command = &rest[at + 1..];
            let end =
                command.iter().position(|word| KEYWORDS.contains(&word.as_str())).unwrap_or(command.len());
            let (command, after) = command.split_at(end);
            rest = after;
            let mut command: Vec<String> = command.iter().filter(|word| *word != "ARGS").cloned().collect();
            if let Some(printed) = &printed {
                command.extend([">".to_owned(), printed.clone()]);
            }
            if command::is_call(&command) {
                command = self.without_unknown(command);
                if let Some(unknown) = command.iter().find(|word| word.contains("${")) {
                    self.warn(format!("'{unknown}' is not known: this call of the tool is left out"));
                    continue;
                }
                self.warn_undecided();
            }
            self.commands.step(&command, &folder, &origin);
        }
    }

    /// Drops the words of a call that are unknown variables: one that nothing sets is empty, unless the user of the build
    /// sets it. A flag that such a word is the value of goes with it.
    fn without_unknown(&mut self, command: Vec<String>) -> Vec<String> {
        let is_variable =
            |word: &str| word.strip_prefix("${").and_then(closing).is_some_and(|end| end + 3 == word.len());
        let mut known: Vec<String> = Vec::new();
        for word in command {
            let folder = word.strip_prefix("-I").filter(|folder| folder.contains("${"));
            let is_value = known.last().is_some_and(|last| last == "-I") && word.contains("${");
            if folder.is_some() || is_value {
                let folder = folder.unwrap_or(&word);
                self.warn(format!("'{folder}' is not known: the include folder is left out"));
                if is_value {
                    known.pop();
                }
            } else if is_variable(&word) {
                self.warn(format!("'{word}' is not known: it is taken as empty"));
            } else {
                known.push(word);
            }
        }
        known
    }

    /// Warns if the command belongs to a branch that is not decided.
    fn warn_undecided(&mut self) {
        if let Some(origin) = self.undecided.last().cloned() {
            self.commands
                .reading
                .warn(&origin, "whether this holds is not known here: its outputs are taken in");
        }
    }

    /// Sets the variable of a program that belongs to the builds of definitions to its name.
    fn find_program(&mut self, words: &[String]) {
        let Some((name, rest)) = words.split_first() else { return };
        let program = rest.iter().find(|word| word.contains("tblgen") || *word == "odsmith");
        match (self.variable(name), program) {
            (None, Some(program)) => self.set(name, program.clone()),
            (None, None) => self.forget(name),
            (Some(_), _) => {}
        }
    }

    /// Reads `odsmith_generate(TARGET DEFINITIONS FILE OUTPUT FILE FLAG… [INCLUDES FOLDER…] …)` of our own module.
    fn odsmith_generate(&mut self, words: &[String]) {
        let Some((target, words)) = words.split_first() else { return };
        self.targets.insert(target.clone());
        let mut keyword = "";
        let (mut td, mut includes, mut outputs) = (String::new(), Vec::new(), Vec::<Vec<String>>::new());
        for word in words {
            match (keyword, word.as_str()) {
                (_, "OUTPUT") => {
                    keyword = word;
                    outputs.push(Vec::new());
                }
                (_, "DEFINITIONS" | "INCLUDES" | "DEPENDS") => keyword = word,
                ("DEFINITIONS", _) => td.clone_from(word),
                ("INCLUDES", _) => includes.push(word.clone()),
                ("OUTPUT", _) => outputs.last_mut().into_iter().for_each(|output| output.push(word.clone())),
                _ => {}
            }
        }
        self.with_definitions(&td, |run| {
            for mut output in outputs {
                output.push("EXTRA_INCLUDES".to_owned());
                output.extend(includes.iter().cloned());
                run.tablegen(MLIR_TBLGEN, &output);
            }
        });
    }

    fn with_definitions(&mut self, td: &str, act: impl FnOnce(&mut Self)) {
        let before = self.variable("LLVM_TARGET_DEFINITIONS").cloned();
        self.set("LLVM_TARGET_DEFINITIONS", td.to_owned());
        act(self);
        self.set("LLVM_TARGET_DEFINITIONS", before.unwrap_or_default());
    }

    fn generate(&mut self, output: &str, flags: &[&str]) {
        let flags = flags.iter().filter(|flag| !flag.is_empty());
        let words: Vec<String> = std::iter::once(&output).chain(flags).map(|&word| word.to_owned()).collect();
        self.tablegen(MLIR_TBLGEN, &words);
    }

    /// Reads `OUTPUT FLAG… [EXTRA_INCLUDES FOLDER…] [DEPENDS FILE…]` for `LLVM_TARGET_DEFINITIONS`.
    fn tablegen(&mut self, tool: &str, words: &[String]) {
        let Some((output, rest)) = words.split_first() else { return };
        let (mut flags, mut extra) = (Vec::new(), Vec::new());
        let mut keyword = "";
        for word in rest {
            match word.as_str() {
                "DEPENDS" | "EXTRA_INCLUDES" => keyword = word,
                _ if keyword.is_empty() => flags.push(word.clone()),
                _ if keyword == "EXTRA_INCLUDES" => extra.push(word.clone()),
                _ => {}
            }
        }
        let definitions = self.text_of("LLVM_TARGET_DEFINITIONS");
        if definitions.is_empty() {
            return self.warn(format!("LLVM_TARGET_DEFINITIONS is not set for '{output}': it is left out"));
        }
        let unknown =
            std::iter::once(output).chain(&flags).chain([&definitions]).find(|word| word.contains("${"));
        if let Some(unknown) = unknown {
            let unknown = unknown.clone();
            return self.warn(format!("'{unknown}' is not known: '{output}' is left out"));
        }
        flags.extend(elements(&self.text_of("LLVM_TABLEGEN_FLAGS")));
        self.warn_undecided();
        let here = self.text_of("CMAKE_CURRENT_SOURCE_DIR");
        let arguments = command::Arguments::of(&flags);
        let own = arguments.includes.iter().chain(&extra).map(|folder| absolute(&here, folder));
        let mut includes: Vec<String> = std::iter::once(here.clone()).chain(own).collect();
        includes.extend(self.includes().iter().cloned());
        let output = absolute(&self.text_of("CMAKE_CURRENT_BINARY_DIR"), output);
        self.commands.reading.calls.push(Call {
            origin: self.origin.clone(),
            tool: tool.to_owned(),
            td: absolute(&here, &definitions),
            includes,
            defines: arguments.defines,
            flags: arguments.flags,
            output,
        });
    }

    /// Reads `add_mlir_doc(FILE OUTPUT FOLDER GENERATOR [FLAG…])`: the output, and its copy below `docs`.
    fn doc(&mut self, words: &[String]) {
        let [file, output, folder, generator, more @ ..] = words else { return self.too_few("add_mlir_doc") };
        let mut flags = vec![generator.as_str(), "-allow-hugo-specific-features"];
        flags.extend(more.iter().map(String::as_str));
        self.with_definitions(&format!("{file}.td"), |run| run.generate(&format!("{output}.md"), &flags));
        let copy = format!("{}/docs/{folder}{output}.md", self.text_of("MLIR_BINARY_DIR"));
        let words = ["cmake", "-E", "copy", &format!("{output}.md"), &copy].map(str::to_owned);
        let (here, origin) = (self.text_of("CMAKE_CURRENT_BINARY_DIR"), self.origin.clone());
        self.commands.step(&words, &here, &origin);
    }

    fn python_bindings(&mut self, words: &[String]) {
        let value = |key: &str| {
            let at = words.iter().position(|word| word == key)?;
            words.get(at + 1)
        };
        let (Some(root), Some(td), Some(dialect)) =
            (value("ROOT_DIR"), value("TD_FILE"), value("DIALECT_NAME"))
        else {
            return self.too_few("declare_mlir_dialect_python_bindings");
        };
        let folder = td.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let extension = value("EXTENSION_NAME");
        let name =
            extension.map_or_else(|| format!("_{dialect}_ops_gen.py"), |name| format!("_{name}_gen.py"));
        let bind = format!("-bind-dialect={dialect}");
        let extends = extension.map(|name| format!("-dialect-extension={name}")).unwrap_or_default();
        self.with_definitions(&format!("{root}/{td}"), |run| {
            run.generate(&format!("{folder}{name}"), &["-gen-python-op-bindings", &bind, &extends]);
        });
        let enums = value("GEN_ENUM_BINDINGS_TD_FILE");
        if enums.is_some() || words.iter().any(|word| word == "GEN_ENUM_BINDINGS") {
            let enums = enums.unwrap_or(td);
            self.with_definitions(&format!("{root}/{enums}"), |run| {
                run.generate(&format!("{folder}_{dialect}_enum_gen.py"), &["-gen-python-enum-bindings"]);
            });
        }
    }
}

/// Returns the elements of a list, without empty ones.
fn elements(text: &str) -> Vec<String> {
    text.split(';').filter(|element| !element.is_empty()).map(str::to_owned).collect()
}

/// Counts the commands before the one that ends a block.
fn end_of(commands: &[Command], begin: &str, end: &str) -> usize {
    let mut depth = 0_usize;
    for (index, command) in commands.iter().enumerate() {
        if command.name == begin {
            depth += 1;
        } else if command.name == end {
            if depth == 0 {
                return index;
            }
            depth -= 1;
        }
    }
    commands.len()
}

/// Returns the offset of the `}` that closes a brace just before a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::memory::Memory;

    fn read_files(files: &[(&str, &str)]) -> Reading {
        read(&Tree { source: "/s", binary: "/b", project: &Memory::of(files) })
    }

    fn shown(reading: &Reading) -> Vec<String> {
        reading
            .calls
            .iter()
            .map(|call| {
                format!("{} {} {} {}", call.output, call.td, call.flags.join(" "), call.includes.join(":"))
            })
            .collect()
    }

    #[test]
    fn loops_and_texts() {
        let reading = read_files(&[(
            "/s/CMakeLists.txt",
            "project(foo)\nset(names A B C D)\n\
                 while(names)\n list(POP_FRONT names name)\n if(name STREQUAL B)\n  continue()\n endif()\n\
                 if(name STREQUAL D)\n  break()\n endif()\n\
                 set(LLVM_TARGET_DEFINITIONS ${name}.td)\n\
                 string(REGEX REPLACE \"^(.*)\\\\.td$\" \"Foo\\\\1\" base ${name}.td)\n\
                 mlir_tablegen(${base}.h.inc -gen-op-decls)\nendwhile()\n\
                 set(i 0)\nwhile(i LESS 2)\n math(EXPR i \"${i} + 1\")\n\
                 set(LLVM_TARGET_DEFINITIONS N.td)\n mlir_tablegen(N${i}.inc -gen-op-defs)\nendwhile()\n\
                 foreach(name X Y)\n if(name MATCHES \"^Y\")\n  return()\n endif()\n\
                 set(LLVM_TARGET_DEFINITIONS ${name}.td)\n mlir_tablegen(${name}.inc -gen-op-defs)\nendforeach()\n\
                 mlir_tablegen(never.inc -gen-op-defs)\n",
        )]);
        let outputs: Vec<String> = shown(&reading)
            .iter()
            .map(|call| call.split(" -").next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(
            outputs.join("\n"),
            "/b/FooA.h.inc /s/A.td\n/b/FooC.h.inc /s/C.td\n/b/N1.inc /s/N.td\n/b/N2.inc /s/N.td\n/b/X.inc /s/X.td"
        );
        let endless = read_files(&[("/s/CMakeLists.txt", "while(TRUE)\nendwhile()\n")]);
        assert!(endless.calls.is_empty());
    }

    #[test]
    fn functions_of_mlir_and_of_the_project() {
        let reading = read_files(&[
            (
                "/s/CMakeLists.txt",
                "project(foo)\nfind_package(MLIR REQUIRED CONFIG)\ninclude(AddMLIR)\n\
                 list(APPEND CMAKE_MODULE_PATH \"${foo_SOURCE_DIR}/cmake\")\ninclude(AddFoo)\n\
                 include_directories(${MLIR_INCLUDE_DIRS} include ${CMAKE_BINARY_DIR}/include)\n\
                 foreach(part A B)\n add_subdirectory(lib/${part})\nendforeach()\n",
            ),
            (
                "/s/cmake/AddFoo.cmake",
                "function(add_foo_doc file path command)\n  set(LLVM_TARGET_DEFINITIONS ${file}.td)\n\
                 string(MAKE_C_IDENTIFIER ${path} id)\n  tablegen(MLIR ${id}.md ${command} ${ARGN})\n\
                 add_custom_command(OUTPUT x COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${id}.md \
                 ${CMAKE_BINARY_DIR}/docs/${path}.md DEPENDS y)\nendfunction()\n",
            ),
            (
                "/s/lib/A/CMakeLists.txt",
                "add_mlir_interface(AInterfaces)\nadd_foo_doc(A Dialects/A -gen-op-doc -dialect=a)\n",
            ),
            (
                "/s/lib/B/CMakeLists.txt",
                "set(LLVM_TARGET_DEFINITIONS B.td)\nif(FOO_MORE)\nmlir_tablegen(B.inc -gen-rewriters EXTRA_INCLUDES x)\nendif()\n\
                 if(MISSING STREQUAL \"x\" AND OFF)\nmlir_tablegen(No.inc -x)\nendif()\nmlir_tablegen(${UNKNOWN}.inc -gen-op-decls)\n",
            ),
        ]);
        assert_eq!(
            shown(&reading),
            [
                "/b/lib/A/AInterfaces.h.inc /s/lib/A/AInterfaces.td -gen-op-interface-decls /s/lib/A:/s/include:/b/include",
                "/b/lib/A/AInterfaces.cpp.inc /s/lib/A/AInterfaces.td -gen-op-interface-defs /s/lib/A:/s/include:/b/include",
                "/b/lib/A/Dialects_A.md /s/lib/A/A.td -gen-op-doc -dialect=a /s/lib/A:/s/include:/b/include",
                "/b/docs/Dialects/A.md /s/lib/A/A.td -gen-op-doc -dialect=a /s/lib/A:/s/include:/b/include",
                "/b/lib/B/B.inc /s/lib/B/B.td -gen-rewriters /s/lib/B:/s/lib/B/x:/s/include:/b/include",
            ]
        );
        let warned: Vec<String> = reading
            .warnings
            .iter()
            .map(|warning| format!("{}:{}", warning.origin.file, warning.origin.line))
            .collect();
        assert_eq!(warned, ["/s/lib/B/CMakeLists.txt:2", "/s/lib/B/CMakeLists.txt:8"]);
    }

    #[test]
    fn folders_of_mlir_take_no_other_word() {
        let reading = read_files(&[(
            "/s/CMakeLists.txt",
            "add_custom_command(OUTPUT A COMMAND ${MLIR_TABLEGEN_EXE} -gen-op-decls -I i -I ${MLIR_INCLUDE_DIRS} \
             ${CMAKE_SOURCE_DIR}/A.td -o A)\n\
             add_custom_command(OUTPUT B COMMAND ${MLIR_TABLEGEN_EXE} -gen-op-decls -I${MLIR_INCLUDE_DIRS} -I i -I ${MORE} \
             -I${MORE}/x ${CMAKE_SOURCE_DIR}/B.td -o B)\n",
        )]);
        assert_eq!(shown(&reading), ["/b/A /s/A.td -gen-op-decls /b/i", "/b/B /s/B.td -gen-op-decls /b/i"]);
        let messages: Vec<&str> = reading.warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "'${MORE}' is not known: the include folder is left out",
                "'${MORE}/x' is not known: the include folder is left out"
            ]
        );
    }

    #[test]
    fn systems_and_variables_that_nothing_sets_are_decided() {
        let call = |name: &str| format!("mlir_tablegen({name}.inc -gen-op-defs)\n");
        let choice = |test: &str, yes: &str, no: &str| {
            format!("if({test})\n{}else()\n{}endif()\n", call(yes), call(no))
        };
        let text = [
            "set(LLVM_TARGET_DEFINITIONS A.td)\nfind_path(FOUND name)\nexecute_process(COMMAND x OUTPUT_VARIABLE SAID)\n"
                .to_owned(),
            choice("WIN32", "win", "no_win"),
            choice("MSVC OR APPLE", "mac", "no_mac"),
            choice("UNIX", "unix", "no_unix"),
            choice("NOT DEFINED FOO", "no_foo", "foo"),
            choice("DEFINED ENV{FOO}", "env", "no_env"),
            choice("DEFINED FOUND OR DEFINED SAID", "found", "no_found"),
            choice("DEFINED LLVM_X", "llvm", "no_llvm"),
        ]
        .concat();
        let reading = read_files(&[("/s/CMakeLists.txt", &text)]);
        let outputs: Vec<&str> = reading
            .calls
            .iter()
            .filter_map(|call| call.output.strip_prefix("/b/")?.strip_suffix(".inc"))
            .collect();
        // Variables of packages and programs stay undecided.
        let expected =
            ["no_win", "no_mac", "unix", "no_foo", "no_env", "found", "no_found", "llvm", "no_llvm"];
        assert_eq!(outputs, expected);
    }

    #[test]
    fn what_would_not_end() {
        let reading = read_files(&[(
            "/s/CMakeLists.txt",
            "function(f)\nf()\nf()\nendfunction()\nf()\nadd_subdirectory(.)\nset(a ${a${a}})\nforeach(x RANGE 100000000)\nendforeach()\n",
        )]);
        assert!(!reading.warnings.is_empty());
    }
}
