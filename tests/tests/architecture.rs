//! Holds the code to ARCHITECTURE.md: the allowed imports, and that the engine is pure.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_engine::release::changes::{CHANGES, Row};
use odsmith_tests::set_up::repository;

/// A module and the modules of its own crate that it may import. `*` allows all.
type Rules = &'static [(&'static str, &'static [&'static str])];

/// The crates of the engine, in the direction of the data.
const ENGINE: &[&str] = &[
    "engine/release",
    "engine/tablegen",
    "engine/ods",
    "engine/conditions",
    "engine/generators",
    "engine/interchange",
    "engine/report",
    "engine/format",
    "engine/plugin",
    "engine/ir",
    "engine/review",
    "engine",
];

/// All pure crates.
const PURE: &[&str] = &[
    "engine/release",
    "engine/tablegen",
    "engine/ods",
    "engine/conditions",
    "engine/generators",
    "engine/interchange",
    "engine/format",
    "engine/plugin",
    "engine/ir",
    "engine/review",
    "engine",
    "engine/ide",
    "service/catalog",
    "site",
    "site/witness",
];
const SERVICES: &[&str] = &["service", "service/tblgen"];

/// A crate, and the crates of the repository that it may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("engine/release", &[]),
    ("engine/tablegen", &["release"]),
    ("engine/ods", &["release", "tablegen"]),
    ("engine/conditions", &["ods", "release", "tablegen"]),
    ("engine/generators", &["ods", "release", "tablegen"]),
    ("engine/interchange", &["generators", "ods", "release", "tablegen"]),
    ("engine/report", &["tablegen"]),
    ("engine/format", &["report", "tablegen"]),
    ("engine/plugin", &["generators", "interchange", "tablegen"]),
    ("engine/ir", &["conditions", "interchange", "ods", "release", "report", "tablegen"]),
    ("engine/review", &["generators", "interchange", "ods", "release", "report", "tablegen"]),
    ("engine/sources", &[]),
    (
        "engine",
        &[
            "format",
            "generators",
            "interchange",
            "ir",
            "ods",
            "plugin",
            "release",
            "report",
            "review",
            "sources",
            "tablegen",
        ],
    ),
    ("site/witness", &["conditions", "engine"]),
    ("engine/ide", &["engine", "witness"]),
    ("site", &["engine", "witness"]),
    ("service/tblgen", &["engine"]),
    ("service/import", &["engine"]),
    ("service/catalog", &["engine", "registry", "site"]),
    ("service/registry", &[]),
    ("service/web", &["engine", "service"]),
];

const TABLEGEN: Rules = &[
    ("cancel", &[]),
    ("regex", &[]),
    ("parallel", &[]),
    ("span", &[]),
    ("text", &[]),
    ("outline", &[]),
    ("source", &["span"]),
    ("diagnostic", &["span"]),
    ("limits", &["cancel", "diagnostic", "span"]),
    ("packing", &["span"]),
    ("syntax", &["diagnostic", "limits", "outline", "source", "span", "text"]),
    ("record", &["diagnostic", "limits", "packing", "source", "span", "text"]),
    (
        "eval",
        &["cancel", "diagnostic", "limits", "packing", "record", "regex", "source", "span", "syntax", "text"],
    ),
];

const FACE: Rules =
    &[("artefact", &[]), ("bundle", &[]), ("library", &[]), ("deprecated", &[]), ("job", &["*"])];

/// The rooms of the service, from the ground up. `config` is plain data.
const SERVICE: Rules = &[
    ("config", &[]),
    ("observe", &["config"]),
    ("store", &["config", "observe"]),
    ("pipeline", &["config", "observe", "store"]),
    ("jobs", &["config", "observe", "pipeline", "store"]),
    ("http", &["config", "jobs", "observe", "pipeline", "store"]),
    ("cli", &["config", "http", "jobs", "observe", "pipeline", "store"]),
    ("main", &["cli"]),
];

/// The parts of the engine that `site` uses: the model and plain data. `site/witness` sees less, `service` and the crates
/// below it the engine's interface.
const SITE_OF_ENGINE: &[&str] = &[
    "artefact",
    "diagnostic",
    "generators",
    "interchange",
    "ir",
    "limits",
    "ods",
    "outline",
    "record",
    "report",
    "review",
    "parallel",
    "span",
];
const WITNESS_OF_ENGINE: &[&str] = &["generators", "interchange", "ods", "record", "review"];
/// Editors show fields and locations as well as the model.
const IDE_OF_ENGINE: &[&str] = &[
    "Bundle",
    "Job",
    "Library",
    "Target",
    "artefact",
    "bundle",
    "cancel",
    "diagnostic",
    "eval",
    "format",
    "generators",
    "ir",
    "job",
    "limits",
    "ods",
    "outline",
    "record",
    "release",
    "report",
    "source",
    "span",
    "syntax",
    "text",
];
const SERVICE_OF_ENGINE: &[&str] = &[
    "artefact",
    "bundle",
    "cancel",
    "diagnostic",
    "format",
    "generators",
    "interchange",
    "ir",
    "job",
    "library",
    "limits",
    "outline",
    "plugin",
    // Handed on to the site, never looked into.
    "record",
    "release",
    "report",
    "review",
    "run",
    "parallel",
    "source",
    "text",
];

/// Names that pure code must not use.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::time",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "println!",
    "eprintln!",
    "dbg!",
    "static mut",
    "tokio",
    "async fn",
];

/// Idle worker threads are started in one file, and wait there for each other.
const THREADS: (&str, &[&str]) = ("parallel.rs", &["std::thread", "thread::"]);

/// Crates that only one of ours may use.
const HOMES: &[(&str, &str)] = &[
    ("pulldown_cmark", "site"),
    ("handlebars", "site"),
    ("actix_web", "service"),
    ("lsp_server", "service"),
    ("gen_lsp_types", "service"),
    ("docker_credential", "service/registry"),
    ("rmcp", "service"),
];

#[test]
fn crates_depend_on_what_they_may() {
    let mut wrong = String::new();
    for (folder, allowed) in CRATES {
        let manifest = fs::read_to_string(repository().join(folder).join("Cargo.toml")).expect("a manifest");
        let (_, dependencies) = manifest.split_once("[dependencies]").expect("dependencies");
        let names = dependencies.lines().filter_map(|line| line.strip_prefix("odsmith-")?.split_once(" = "));
        for (name, _) in names.filter(|(name, _)| !allowed.contains(name)) {
            let _ = writeln!(wrong, "{folder} may not depend on {name}");
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md has it otherwise:\n{wrong}");
}

#[test]
fn modules_import_what_they_may() {
    let mut wrong = String::new();
    for (folder, rules) in [("engine/tablegen", TABLEGEN), ("engine", FACE), ("service", SERVICE)] {
        for file in sources(folder) {
            let module = file.module();
            if module == "lib" {
                continue;
            }
            let Some((_, allowed)) = rules.iter().find(|(name, _)| *name == module) else {
                let _ = writeln!(wrong, "{}: no rule for the module `{module}`", file.shown());
                continue;
            };
            if allowed.contains(&"*") {
                continue;
            }
            for import in file.imports("crate") {
                let is_module = rules.iter().any(|(name, _)| *name == import);
                if is_module && import != module && !allowed.contains(&import.as_str()) {
                    let _ = writeln!(wrong, "{}: `{module}` may not import `{import}`", file.shown());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md has it otherwise:\n{wrong}");
}

#[test]
fn other_crates_see_only_the_borders() {
    let mut wrong = String::new();
    let borders = [
        ("site", SITE_OF_ENGINE),
        ("site/witness", WITNESS_OF_ENGINE),
        ("engine/ide", IDE_OF_ENGINE),
        ("service", SERVICE_OF_ENGINE),
        ("service/catalog", SERVICE_OF_ENGINE),
        ("service/import", SERVICE_OF_ENGINE),
        ("service/tblgen", SERVICE_OF_ENGINE),
    ];
    for (folder, allowed) in borders {
        for file in sources(folder) {
            for import in file.imports("odsmith_engine") {
                if !allowed.contains(&import.as_str()) {
                    let _ = writeln!(wrong, "{}: may not import odsmith_engine::{import}", file.shown());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md has it otherwise:\n{wrong}");
}

/// Code asks the rules of a release, never for its name or number.
#[test]
fn releases_are_named_in_few_places() {
    let mut wrong = String::new();
    let files = ENGINE.iter().chain(&["site"]).flat_map(|folder| sources(folder));
    for file in files.filter(|file| file.folder != "engine/release" && file.module() != "library") {
        if file.mentions("Release") {
            let _ = writeln!(wrong, "{} names a release", file.shown());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The files that list folders: stores, libraries, builds, themes. Folders of projects are listed by the `Workspace` alone.
const LISTS_FOLDERS: &[&str] = &[
    "service/src/pipeline/workspace/tree.rs",
    "service/src/pipeline/catalog/read.rs",
    "service/src/pipeline/library/identify.rs",
    "service/src/pipeline/library/mod.rs",
    "service/src/pipeline/library/places.rs",
    "service/src/pipeline/library/source.rs",
    "service/src/cli/commands/import.rs",
    "service/src/cli/commands/library.rs",
    "service/src/cli/commands/versions.rs",
    "service/src/cli/commands/watch.rs",
    "service/src/cli/lsp/project.rs",
    "service/src/store/disk.rs",
    "service/src/store/tier/folder.rs",
    "service/src/store/output_folder.rs",
    "service/tblgen/src/checkpoints.rs",
];

#[test]
fn only_the_workspace_lists_folders_of_projects() {
    let mut wrong = String::new();
    for file in SERVICES.iter().flat_map(|folder| sources(folder)) {
        let code = file.code();
        let lists = ["read_dir(", "disk::walk("].iter().any(|call| code.contains(call));
        if lists && !LISTS_FOLDERS.contains(&&*file.shown()) {
            let _ = writeln!(
                wrong,
                "{} lists a folder: ask the Workspace for the files of a project",
                file.shown()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Code compares no releases and names none of them: it asks for a change, or uses a question of the release crate.
#[test]
fn releases_are_compared_in_one_crate() {
    let mut wrong = String::new();
    for file in PURE.iter().chain(SERVICES).flat_map(|folder| sources(folder)) {
        if file.folder == "engine/release" || RELEASE_TABLES.iter().any(|table| file.path == Path::new(table))
        {
            continue;
        }
        for line in file.code().lines().filter(|line| compares_releases(line)) {
            let _ = writeln!(wrong, "{}: {}", file.shown(), line.trim());
        }
    }
    assert!(wrong.is_empty(), "ask rules.has(Change::…), or odsmith_release:\n{wrong}");
}

/// Files with data for each release, which the release crate does not need.
const RELEASE_TABLES: &[&str] = &["flags/nearest.rs"];

fn compares_releases(line: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '(' | ')' | '*' | '&');
    let is_release = |operand: &str| {
        let operand = operand.trim_start_matches(['(', '*', '&']);
        let ends = ["release", "release()", "Release::newest()", ".since", ".before", ".number()"];
        ends.iter().any(|end| operand.ends_with(end))
    };
    let compares = [" < ", " > ", " <= ", " >= "].into_iter().any(|operator| {
        line.match_indices(operator).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + operator.len()..]);
            let start = before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
            let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
            is_release(&before[start..]) || is_release(&after[..end])
        })
    });
    let names = |(at, _)| line[at + "Release::V".len()..].starts_with(|c: char| c.is_ascii_digit());
    compares || line.match_indices("Release::V").any(names)
}

#[test]
fn comparisons_of_releases_are_seen() {
    for line in ["if row.since <= self.to {", "release >= other", "(Release::V21, x)", "a < it.release()"] {
        assert!(compares_releases(line), "{line}");
    }
    for line in ["let a: Vec<Release> = x;", "since < earliest", "release.is_before(number)"] {
        assert!(!compares_releases(line), "{line}");
    }
}

/// Files of one folder import each other in one direction; what two of them need is below both, or in their `mod.rs`.
#[test]
fn modules_of_the_generators_form_no_circles() {
    let files = sources("engine/generators");
    let paths: Vec<Vec<String>> = files.iter().map(Source::module_path).collect();
    // For each folder, the imports between its files and subfolders.
    let mut imports: BTreeMap<&[String], BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for (file, from) in files.iter().zip(&paths) {
        for to in file.imported_modules(&paths) {
            let shared = from.iter().zip(to).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
                imports.entry(&from[..shared]).or_default().entry(one).or_default().insert(other);
            }
        }
    }
    let mut wrong = String::new();
    for (folder, imports) in &imports {
        // Modules that import nothing of the rest are done; those that are left at the end form circles.
        let mut left: BTreeSet<&str> = imports.keys().copied().collect();
        while let Some(done) =
            left.iter().find(|module| imports[**module].iter().all(|it| !left.contains(it))).copied()
        {
            left.remove(done);
        }
        if !left.is_empty() {
            let _ = writeln!(wrong, "generators::{}: {left:?}", folder.join("::"));
        }
    }
    assert!(wrong.is_empty(), "modules import each other in circles:\n{wrong}");
}

/// A rule that no code asks for is deleted.
#[test]
fn every_change_of_a_release_is_asked_for() {
    let files: Vec<Source> = ENGINE
        .iter()
        .flat_map(|folder| sources(folder))
        .filter(|file| file.folder != "engine/release")
        .collect();
    let is_asked = |row: &Row| {
        let change = format!("Change::{:?}", row.change);
        files.iter().any(|file| file.mentions(&change))
    };
    let unused: Vec<&Row> = CHANGES.iter().filter(|row| !is_asked(row)).collect();
    assert!(unused.is_empty(), "no code asks for these: {unused:?}");
}

/// Functions that read a field of a record by its name, or ask for its class.
const RAW_READS: &[&str] = &[
    "get",
    "string",
    "optional_string",
    "int",
    "bit",
    "is_set",
    "def",
    "optional_def",
    "list",
    "defs",
    "optional_defs",
    "dag",
    "field",
    "code",
    "is_subclass_of",
    "strings",
    "ints",
    "value",
    "check_optional_string",
];

#[test]
fn only_the_model_reads_fields() {
    let mut wrong = String::new();
    let readers = ["engine/generators", "engine/interchange", "engine/review", "site", "site/witness"];
    for file in readers.into_iter().flat_map(sources) {
        let sees_records =
            file.imports("odsmith_engine").iter().any(|name| name == "ods" || name == "record")
                || file.imports("odsmith_tablegen").iter().any(|name| name == "record")
                || file.mentions("odsmith_ods");
        let code = file.without_raw_strings();
        for name in RAW_READS.iter().filter(|_| sees_records) {
            let calls = ["\"", "name!", "field)", "*field)"].map(|argument| format!(".{name}({argument}"));
            // Generators also have options.
            let mut found = calls.iter().flat_map(|call| code.match_indices(call));
            if found.any(|(at, _)| !code[..at].ends_with("options")) {
                let _ = writeln!(wrong, "{}: {name}", file.shown());
            }
        }
        if file.mentions("name!") {
            let _ = writeln!(wrong, "{}: name!", file.shown());
        }
        if file.folder == "engine/generators" && code.contains(".rec()") {
            let _ = writeln!(wrong, "{}: rec", file.shown());
        }
    }
    assert!(wrong.is_empty(), "what ODS means is read once, in engine::ods:\n{wrong}");
}

#[test]
fn all_but_the_service_is_pure() {
    let mut wrong = String::new();
    let pure = ENGINE.iter().chain(&["site", "site/witness", "engine/ide", "service/import"]);
    for file in pure.flat_map(|folder| sources(folder)) {
        let (home, threads) = THREADS;
        let more = if file.path == Path::new(home) { &[] } else { threads };
        for name in IMPURE.iter().chain(more).filter(|name| file.mentions(name)) {
            let _ = writeln!(wrong, "{}: {name}", file.shown());
        }
    }
    assert!(wrong.is_empty(), "not pure:\n{wrong}");
}

#[test]
fn libraries_have_one_home() {
    let mut wrong = String::new();
    for folder in ENGINE.iter().chain(&[
        "site",
        "site/witness",
        "engine/ide",
        "service",
        "service/import",
        "service/tblgen",
    ]) {
        for file in sources(folder) {
            for (library, home) in HOMES {
                if home != folder && file.mentions(&format!("{library}::")) {
                    let _ = writeln!(wrong, "{}: {library} lives in {home}", file.shown());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A handler that is mounted elsewhere has no declared scope: see `routes::endpoint`.
#[test]
fn handlers_are_mounted_as_endpoints() {
    let mounts =
        ["web::resource", "web::scope", "web::route", "web::get", "web::post", "web::put", "web::head"];
    let mut wrong = String::new();
    for file in sources("service") {
        // `docs --watch` serves one folder to its own user.
        if file.path == Path::new("http/routes/endpoint.rs")
            || file.path == Path::new("cli/commands/watch.rs")
        {
            continue;
        }
        for name in mounts.iter().filter(|name| file.mentions(name)) {
            let _ = writeln!(wrong, "{}: {name}", file.shown());
        }
        for name in
            ["#[get(", "#[post(", "#[put(", "#[route("].iter().filter(|name| file.text.contains(**name))
        {
            let _ = writeln!(wrong, "{}: {name}", file.shown());
        }
    }
    assert!(wrong.is_empty(), "mount handlers with routes::endpoint, which asks for a scope:\n{wrong}");
}

/// Builds start this program thousands of times: it consists of the engine, the code that starts a process, and the
/// reader of profiles.
#[test]
fn the_small_program_depends_on_the_engine_alone() {
    let manifest = fs::read_to_string(repository().join("service/tblgen/Cargo.toml")).expect("a manifest");
    let dependencies = manifest.lines().filter_map(|line| line.strip_suffix(" = { workspace = true }"));
    assert_eq!(dependencies.collect::<Vec<_>>(), ["serde", "toml", "odsmith-engine", "stacker", "rustix"]);
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "--prefix",
            "none",
            "--edges",
            "normal",
            "--package",
            "odsmith",
        ])
        .current_dir(repository())
        .output()
        .expect("cargo tree");
    let text = String::from_utf8(tree.stdout).expect("text");
    let crates: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains(&"odsmith-engine"), "{text}{}", String::from_utf8_lossy(&tree.stderr));
    for other in ["odsmith-interchange", "odsmith-plugin", "odsmith-review", "serde_json", "utoipa", "wasmi"]
    {
        assert!(!crates.contains(&other), "{text}");
    }
}

/// Methods that say something about a text. The words of a message differ between releases, and are for readers alone.
const COMPARISONS: &[&str] = &[
    "contains(",
    "ends_with(",
    "eq_ignore_ascii_case(",
    "find(",
    "matches(",
    "rfind(",
    "starts_with(",
    "strip_prefix(",
    "strip_suffix(",
];

/// Methods that hand a text on.
const VIEWS: &[&str] =
    &["as_ref()", "as_str()", "clone()", "to_ascii_lowercase()", "to_lowercase()", "trim()", "trim_end()"];

/// Returns true if the code after the name of a message compares it.
fn is_compared(after: &str) -> bool {
    let rest = after.trim_start();
    if let Some(method) = rest.strip_prefix('.') {
        let view = VIEWS.iter().find_map(|view| method.strip_prefix(view));
        return COMPARISONS.iter().any(|name| method.starts_with(name)) || view.is_some_and(is_compared);
    }
    let other = rest.strip_prefix("==").or_else(|| rest.strip_prefix("!=")).map(str::trim_start);
    // Two messages may be compared with each other, but none with a text of the code.
    other.is_some_and(|other| other.starts_with(|c: char| c == '"' || c.is_ascii_uppercase()))
}

#[test]
fn messages_are_known_by_their_ids() {
    assert!(is_compared(".starts_with(\"could not\")") && is_compared(".trim_end() == WORDS"));
    assert!(!is_compared(" == other.message") && !is_compared(".clone()"));
    let folders = ENGINE.iter().chain(&["site", "site/witness", "engine/ide", "service", "service/tblgen"]);
    let mut wrong = String::new();
    for file in folders.flat_map(|folder| sources(folder)) {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (at, name) in code.match_indices(".message").chain(code.match_indices("(message")) {
            if is_compared(&code[at + name.len()..]) {
                let line = code[..at].matches('\n').count() + 1;
                let _ = writeln!(wrong, "{}:{line}", file.shown());
            }
        }
    }
    assert!(wrong.is_empty(), "messages are recognised by their words; ask for `id`:\n{wrong}");
}

/// A source file without comments.
struct Source {
    /// The path below `src`.
    path: PathBuf,
    folder: &'static str,
    text: String,
}

fn sources(folder: &'static str) -> Vec<Source> {
    fn walk(root: &Path, at: &Path, folder: &'static str, found: &mut Vec<Source>) {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(at).expect("a source folder").filter_map(|entry| Some(entry.ok()?.path())).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(root, &path, folder, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let text =
                    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>();
                let path = path.strip_prefix(root).expect("below the root").to_owned();
                found.push(Source { path, folder, text: text.join("\n") });
            }
        }
    }
    let root = repository().join(folder).join("src");
    let mut found = Vec::new();
    walk(&root, &root, folder, &mut found);
    found
}

impl Source {
    /// The text up to its unit tests.
    fn code(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
    }

    /// The names of the module below the crate's root.
    fn module_path(&self) -> Vec<String> {
        let path = self.path.with_extension("");
        let names = path.iter().map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name != "mod" && name != "lib").collect()
    }

    /// The modules among `all` that this one imports, in `use` lines or in full paths.
    fn imported_modules<'m>(&self, all: &'m [Vec<String>]) -> BTreeSet<&'m Vec<String>> {
        let own = self.module_path();
        let mut found = BTreeSet::new();
        let mut add = |base: &[String], names: &[String]| {
            let path = [base, names].concat();
            // The rest of a path names an item.
            let longest =
                all.iter().filter(|module| path.starts_with(module)).max_by_key(|module| module.len());
            found.extend(longest);
        };
        let code = self.code();
        for (at, root) in code.match_indices("crate::").chain(code.match_indices("super::")) {
            if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut rest = &code[at..];
            let mut climbed = own.len() * usize::from(root == "crate::");
            while let Some(after) = rest.strip_prefix(root) {
                (rest, climbed) = (after, climbed + usize::from(root == "super::"));
            }
            let base = &own[..own.len().saturating_sub(climbed)];
            let names = paths_of(rest);
            names.iter().for_each(|names| add(base, names));
        }
        found
    }

    fn shown(&self) -> String {
        format!("{}/src/{}", self.folder, self.path.display())
    }

    /// The top-level module of the file.
    fn module(&self) -> String {
        let first = self.path.iter().next().expect("a name").to_string_lossy();
        first.trim_end_matches(".rs").to_owned()
    }

    /// The text without the contents of raw strings, which are mostly C++.
    fn without_raw_strings(&self) -> String {
        let mut pieces = self.text.split("r#\"");
        let first = pieces.next().unwrap_or_default();
        let rest = pieces.map(|piece| piece.split_once("\"#").map_or("", |(_, rest)| rest));
        std::iter::once(first).chain(rest).collect()
    }

    fn mentions(&self, what: &str) -> bool {
        let continues = |c: char| c.is_alphanumeric() || c == '_';
        self.text.match_indices(what).any(|(at, _)| {
            !self.text[..at].ends_with(continues)
                && (what.ends_with(['!', ':']) || !self.text[at + what.len()..].starts_with(continues))
        })
    }

    /// The names directly below `root` that the file uses, in `use` lines or in full paths. A path that climbs to the
    /// crate's root with `super` counts as one below `crate`.
    fn imports(&self, root: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut roots = vec![format!("{root}::")];
        if root == "crate" {
            let depth = self.path.iter().count() - usize::from(self.path.ends_with("mod.rs"));
            roots.push("super::".repeat(depth));
        }
        for prefix in roots {
            for (at, _) in self.text.match_indices(&prefix) {
                let before = &self.text[..at];
                if before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                    continue;
                }
                found.extend(first_names(&self.text[at + prefix.len()..]));
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The paths after `::`: `a::b` is one, `{a::{b, c}, d}` three.
fn paths_of(text: &str) -> Vec<Vec<String>> {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    let Some(list) = text.strip_prefix('{') else {
        let (name, rest) = text.split_at(text.find(|c| !continues(c)).unwrap_or(text.len()));
        let below = rest.strip_prefix("::").map_or_else(|| vec![Vec::new()], paths_of);
        return below.into_iter().map(|path| [vec![name.to_owned()], path].concat()).collect();
    };
    let mut paths = Vec::new();
    let mut depth = 0;
    let mut starts_item = true;
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts_item = true,
            c if c.is_whitespace() => {}
            _ => {
                if starts_item {
                    paths.extend(paths_of(&list[at..]));
                }
                starts_item = false;
            }
        }
    }
    paths
}

/// The first names of these paths.
fn first_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> =
        paths_of(text).into_iter().filter_map(|path| path.into_iter().next()).collect();
    names.dedup();
    names
}

#[test]
fn names_of_a_use_list() {
    assert_eq!(first_names("a::b;"), ["a"]);
    assert_eq!(first_names("{\n a::{b, c::{d}},\n e, f::g};"), ["a", "e", "f"]);
    assert_eq!(paths_of("{a::{b, c::{d}}, e as f};").len(), 3);
}

/// Libraries whose rules differ share the states after reading files, unless evaluation depends on the difference.
#[test]
fn what_evaluation_asks_for_is_known() {
    let asked: String = sources("engine/tablegen").into_iter().map(|source| source.text).collect();
    for row in CHANGES {
        let name = format!("Change::{:?}", row.change);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let is_asked =
            asked.match_indices(&name).any(|(at, _)| !asked[at + name.len()..].starts_with(is_part));
        assert_eq!(row.change.is_of_evaluation(), is_asked, "{name}");
    }
}
