//! `odsmith upgrade`: rows of the table against the libraries of their releases, small projects, and MLIR's own
//! dialects of 19 with the library of 22.
//!
//! Tests that need an unavailable library of another release say so and end.

#![expect(clippy::print_stderr, reason = "a test says what it left out")]

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use odsmith_engine::{
    Job, Target,
    diagnostic::Severity,
    job::OnDeprecated,
    library::Library,
    outline::symbols::Symbols,
    release::{
        cpp::{CppForm, CppMigration, MIGRATIONS},
        deprecations::{DEPRECATIONS, Deprecation, Remedy, Status, Subject},
    },
};
use odsmith_tests::{files::TestFiles, folder, pool, releases, set_up, tree};
use serde_json::Value;

/// The beginning of the table's examples.
const PREAMBLE: &str = r#"
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"
def My_Dialect : Dialect { let name = "my"; let cppNamespace = "::my"; }
class My_Op<string name, list<Trait> traits = []> : Op<My_Dialect, name, traits>;
"#;

/// The include folder of a release, if it is available.
fn include_of(release: u8) -> Option<PathBuf> {
    if release == 22 {
        return Some(set_up::library().into());
    }
    let found = set_up::release(&release.to_string(), "library").map(|prefix| prefix.join("include"));
    if found.is_none() {
        eprintln!("MLIR {release} is not here: what is about it was not tested");
    }
    found
}

fn below(include: &Path, path: &Path) -> String {
    path.strip_prefix(include).expect("below the folder").to_string_lossy().into_owned()
}

fn outline(include: &Path) -> Symbols {
    let files: Vec<(String, Vec<u8>)> = tree::files(&include.join("mlir"))
        .into_iter()
        .map(|path| (below(include, &path), fs::read(&path).expect("a file of the library")))
        .collect();
    Symbols::of(files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())))
}

/// Each row names something that one of its releases has and the other lacks or has in another form.
#[test]
fn rows_hold_in_the_libraries_of_their_releases() {
    let releases: BTreeSet<u8> =
        DEPRECATIONS.iter().flat_map(|row| [row.before, row.since]).filter(|it| *it >= 13).collect();
    let releases: Vec<u8> = releases.into_iter().collect();
    let outlines = pool::map(&releases, |release| (*release, include_of(*release).map(|it| outline(&it))));
    let of = |release: u8| outlines.iter().find(|(it, _)| *it == release).and_then(|(_, it)| it.as_ref());
    let mut wrong = Vec::new();
    for row in DEPRECATIONS {
        let (before, Some(since)) = (of(row.before), of(row.since)) else { continue };
        wrong.extend(
            what_is_wrong(row, before, since).map(|reason| format!("{} {}: {reason}", row.id, row.name())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn what_is_wrong(row: &Deprecation, before: Option<&Symbols>, since: &Symbols) -> Option<&'static str> {
    let had = |question: &dyn Fn(&Symbols) -> bool| before.is_none_or(question);
    match row.subject {
        Subject::Name(name) => {
            if let Remedy::Include(file) = row.remedy {
                let is_in = |outline: &Symbols| outline.all(name).iter().any(|it| &*it.file == file);
                let was_in = before.is_some_and(|it| it.symbol(name).is_some() && is_in(it));
                return match (is_in(since), was_in, had(&|it| it.symbol(name).is_some())) {
                    (false, ..) => Some("the file does not define it"),
                    (_, true, _) => Some("the file defined it before"),
                    (.., false) => Some("it was not there before"),
                    _ => None,
                };
            }
            if row.status == Status::Deprecated {
                let is_marked =
                    since.all(name).iter().any(|it| it.parents.iter().any(|parent| parent == "Deprecated"));
                return (!is_marked).then_some("it is not deprecated");
            }
            if since.symbol(name).is_some() {
                return Some("it is still there");
            }
            if row.before >= 13 && !had(&|it| it.symbol(name).is_some()) {
                return Some("it was not there before");
            }
        }
        Subject::Field { class, field } => {
            let has = |outline: &Symbols| outline.classes_with_field(field).contains(&class);
            if !had(&has) {
                return Some("the class did not have the field before");
            }
            if has(since) != (row.status == Status::Dated) {
                return Some("the class has the field, or has it no longer");
            }
        }
        Subject::File(path) => {
            if since.has_file(path) {
                return Some("the file is still there");
            }
            if !had(&|it| it.has_file(path)) {
                return Some("the file was not there before");
            }
            if let Remedy::Rename(new) = row.remedy {
                return (!since.has_file(new)).then_some("the new file is not there");
            }
            return None;
        }
        Subject::Form(_) => {}
    }
    match row.remedy {
        Remedy::Rename(new) if matches!(row.subject, Subject::Name(_)) && since.symbol(new).is_none() => {
            Some("the new name is not there")
        }
        _ => None,
    }
}

/// The messages of an example with the library of a release: errors, and warnings.
fn messages(library: &Library, include: &Path, example: &str) -> (Vec<String>, Vec<String>) {
    let text = format!("{PREAMBLE}{example}\n");
    let target = Target { on_deprecated: OnDeprecated::Warn, ..Target::new("example.td") };
    let job = Job::new(TestFiles::of_text("example.td", text.into_bytes()))
        .include(include.to_string_lossy())
        .target(target);
    let outcome = odsmith_engine::run(library, &job);
    let of = |severity: Severity| {
        outcome.reports().filter(|it| it.severity == severity).map(|it| it.message.clone()).collect()
    };
    (of(Severity::Error), of(Severity::Warning))
}

/// The release of a row accepts the good example, and refuses or warns of the bad one, as the row's status says.
#[test]
fn examples_are_read_as_rows_say() {
    let mut wrong = Vec::new();
    for release in [22, 23, 24] {
        let Some(include) = include_of(release) else { continue };
        let library = releases::library(&release.to_string());
        // Only generators read formats.
        let is_of_records = |row: &Deprecation| !matches!(row.remedy, Remedy::Insert(_));
        let is_of = |row: &&Deprecation| {
            is_of_records(row) && if release > 22 { row.since == release } else { row.since <= 22 }
        };
        for row in DEPRECATIONS.iter().filter(is_of).filter(|row| !row.bad.is_empty()) {
            let (errors, warnings) = messages(&library, &include, &row.good());
            if !errors.is_empty() || warnings.iter().any(|it| it.contains("deprecated")) {
                wrong.push(format!("{} {}: what to write: {errors:?} {warnings:?}", row.id, row.name()));
            }
            let (errors, warnings) = messages(&library, &include, row.bad);
            let is_refused = match row.status {
                Status::Gone => !errors.is_empty(),
                Status::Deprecated => {
                    errors.is_empty() && warnings.iter().any(|it| it.contains("deprecated"))
                }
                Status::Dated => errors.is_empty(),
            };
            if !is_refused {
                wrong.push(format!("{} {}: what is gone: {errors:?} {warnings:?}", row.id, row.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Makes a folder for a project.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/upgrade"), name, files)
}

fn upgrade(project: &Path, [from, to]: [u8; 2], arguments: &[&str]) -> Option<Output> {
    let mut command = Command::new(set_up::odsmith());
    command
        .arg("upgrade")
        .args(["--from", &from.to_string(), "--to", &to.to_string()])
        .env_remove("ODSMITH_LIBRARY");
    for release in [from, to] {
        command.arg("--library").arg(format!("{release}={}", include_of(release)?.display()));
    }
    Some(command.args(arguments).arg(project).output().expect("odsmith starts"))
}

fn report(project: &Path, releases: [u8; 2], arguments: &[&str]) -> Option<Value> {
    let output = upgrade(project, releases, &[&["--output-format", "json"], arguments].concat())?;
    let messages = String::from_utf8_lossy(&output.stderr);
    Some(serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {messages}")))
}

const HEAD: &str = "include \"mlir/IR/OpBase.td\"\n\
    def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
    class My_Op<string name, list<Trait> traits = []> : Op<My_Dialect, name, traits>;\n";

#[test]
fn a_name_that_changed_is_explained_and_mended() {
    let text = format!(
        "{HEAD}// AnyVector\ndef My_AOp : My_Op<\"a\"> {{ let arguments = (ins AnyVector:$x, VectorOf<[I32]>:$y); }}\n"
    );
    let folder = project("renamed", &[("Ops.td", &text)]);
    let Some(before) = report(&folder, [19, 22], &[]) else { return };
    let failures = before["reading"]["failures"].as_array().expect("a list");
    assert_eq!(failures[0]["cause"]["row"], "UP060");
    assert!(
        failures[0]["cause"]["text"].as_str().expect("a text").contains("mlir/IR/CommonTypeConstraints.td")
    );
    assert_eq!(before["reading"]["mended"][0], "Ops.td");
    assert_eq!(before["edits"].as_array().map(Vec::len), Some(2));
    let patch = upgrade(&folder, [19, 22], &["--diff"]).expect("both releases");
    let patch = String::from_utf8_lossy(&patch.stdout);
    assert!(patch.contains("+def My_AOp : My_Op<\"a\"> { let arguments = (ins AnyVectorOfNonZeroRank:$x, VectorOfNonZeroRankOf<[I32]>:$y); }"), "{patch}");
    assert_eq!(fs::read_to_string(folder.join("Ops.td")).expect("a file"), text);
    let fixed = upgrade(&folder, [19, 22], &["--fix"]).expect("both releases");
    assert!(String::from_utf8_lossy(&fixed.stderr).contains("edited 1 file"));
    let now = fs::read_to_string(folder.join("Ops.td")).expect("a file");
    assert!(now.contains("// AnyVector\n") && now.contains("ins AnyVectorOfNonZeroRank:"), "{now}");
    let after = report(&folder, [22, 22], &[]).expect("22");
    assert_eq!((&after["reading"]["read"], &after["reading"]["roots"]), (&1.into(), &1.into()));
}

#[test]
fn names_of_the_project_are_its_own() {
    let text = format!(
        "{HEAD}def AnyVector : Type<CPred<\"true\">>;\ndef My_AOp : My_Op<\"a\"> {{ let arguments = (ins AnyVector:$x); }}\n"
    );
    let folder = project("own", &[("Ops.td", &text)]);
    let report = report(&folder, [22, 22], &[]).expect("22");
    assert_eq!(report["reading"]["read"], 1);
    assert_eq!(report["dated"].as_array().map(Vec::len), Some(0), "{report}");
}

#[test]
fn a_file_that_moved_is_included_where_it_is() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/FunctionInterfaces.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; }\ndef AOp : Op<My_Dialect, \"a\", [FunctionOpInterface]>;\n";
    let folder = project("moved", &[("Ops.td", text)]);
    let Some(report) = report(&folder, [17, 22], &[]) else { return };
    assert_eq!(report["reading"]["failures"][0]["cause"]["kind"], "file-moved");
    assert_eq!(report["edits"][0]["new"], "\"mlir/Interfaces/FunctionInterfaces.td\"");
}

#[test]
fn a_field_that_is_gone_is_left_out_with_the_same_outputs() {
    let text = "include \"mlir/IR/OpBase.td\"\ndef My_Dialect : Dialect {\n  let name = \"my\";\n  let cppNamespace = \"::my\";\n  let usePropertiesForAttributes = 1;\n}\n";
    let folder = project("field", &[("Dialect.td", text)]);
    let Some(report) = report(&folder, [22, 23], &[]) else { return };
    assert_eq!(report["reading"]["failures"][0]["cause"]["row"], "UP090", "{report}");
    assert_eq!(report["proof"], "same-outputs");
    assert_eq!(report["reading"]["mended"][0], "Dialect.td");
}

/// The same error in two files of a root is two errors, and each has its edit.
#[test]
fn a_root_is_mended_in_all_its_files() {
    let field = "  let usePropertiesForAttributes = 1;\n";
    let dialect = |name: &str| {
        format!(
            "def {name}_Dialect : Dialect {{\n  let name = \"{name}\";\n  let cppNamespace = \"::{name}\";\n{field}}}\n"
        )
    };
    let base = format!("include \"mlir/IR/OpBase.td\"\n{}{}", dialect("one"), dialect("two"));
    let top = format!("include \"Base.td\"\n{}def Top_Op : Op<top_Dialect, \"x\">;\n", dialect("top"));
    let folder = project("two_files", &[("Base.td", &base), ("Top.td", &top)]);
    let Some(report) = report(&folder, [22, 23], &["--no-generated"]) else { return };
    assert_eq!(report["edits"].as_array().map(Vec::len), Some(3), "{report}");
    assert_eq!(report["reading"]["mended"][0], "Top.td", "{report}");
    upgrade(&folder, [22, 23], &["--no-generated", "--fix"]).expect("both releases");
    for (name, text) in [("Base.td", &base), ("Top.td", &top)] {
        assert_eq!(fs::read_to_string(folder.join(name)).expect("a file"), text.replace(field, ""));
    }
}

/// A constraint that takes less under the same name is no error anywhere.
#[test]
fn a_constraint_that_became_narrower_is_told_with_its_successor() {
    let text = "include \"mlir/IR/OpBase.td\"\ndef My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
        def My_AOp : Op<My_Dialect, \"a\"> { let arguments = (ins SignlessIntegerLike:$by, AnyTensor:$t, I32:$x); }\n";
    let folder = project("narrower", &[("Ops.td", text)]);
    let Some(report) = report(&folder, [19, 22], &["--no-generated"]) else { return };
    let narrowed = report["narrowed"].as_array().expect("a list");
    assert_eq!(narrowed.len(), 1, "{report}");
    assert_eq!(narrowed[0]["name"], "SignlessIntegerLike");
    assert_eq!(narrowed[0]["example"], "vector<4xindex>");
    assert_eq!(narrowed[0]["successor"], "SignlessIntegerOrIndexLike");
}

/// An error that names no name is explained by what changed in the operations of its line.
#[test]
fn a_pattern_with_too_few_operands_is_explained_by_the_operation() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/PatternBase.td\"\ninclude \"mlir/Dialect/Arith/IR/ArithOps.td\"\n\
        def Swap : Pat<(Arith_AddFOp $a, $b, $c), (Arith_MulFOp $a, $b, $c)>;\n";
    let folder = project("too_few", &[("P.td", text)]);
    let Some(report) = report(&folder, [22, 23], &["--no-generated"]) else { return };
    let cause = &report["reading"]["failures"][0]["cause"];
    assert_eq!(cause["subject"], "Arith_AddFOp", "{report}");
    assert!(cause["text"].as_str().is_some_and(|text| text.contains("roundingmode")), "{cause}");
}

/// C++ in predicates and bodies that the newer release does not compile is found, and mended where that is certain.
#[test]
fn cpp_inside_definitions_is_mended() {
    let text = "include \"mlir/IR/OpBase.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
        def Box : Type<CPred<\"$_self.isa<::my::BoxType>() && $_self.cast<::my::BoxType>().isFull()\">, \"box\">;\n\
        def My_AOp : Op<My_Dialect, \"a\"> {\n  let arguments = (ins Box:$x);\n  let extraClassDeclaration = [{\n    \
        // x.isa<T>()\n    bool is() { return getX().getType().isa<::my::BoxType>(); }\n    \
        auto raw() { return pointer->isa<int>(); }\n  }];\n}\n";
    let folder = project("cpp", &[("Ops.td", text)]);
    let Some(report) = report(&folder, [19, 22], &["--no-generated"]) else { return };
    let rows: Vec<&str> =
        report["dated"].as_array().expect("a list").iter().filter_map(|row| row["row"].as_str()).collect();
    assert_eq!(rows, ["UC01", "UC02"], "{report}");
    upgrade(&folder, [19, 22], &["--no-generated", "--fix"]).expect("both releases");
    let now = fs::read_to_string(folder.join("Ops.td")).expect("a file");
    assert!(
        now.contains(
            "\"::llvm::isa<::my::BoxType>($_self) && ::llvm::cast<::my::BoxType>($_self).isFull()\""
        ),
        "{now}"
    );
    assert!(now.contains("return ::llvm::isa<::my::BoxType>(getX().getType());"), "{now}");
    assert!(now.contains("// x.isa<T>()") && now.contains("pointer->isa<int>()"), "{now}");
}

/// Returns the folder of a release's C++ headers, if they are here.
fn headers_of(release: u8) -> Option<PathBuf> {
    let of_library = Path::new(set_up::library()).to_owned();
    let home = env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/odsmith"));
    let cache = env::var_os("ODSMITH_CACHE").map(PathBuf::from).or(home)?;
    let given = env::var_os(format!("ODSMITH_PREFIX_{release}")).map(|it| PathBuf::from(it).join("include"));
    let cached = ["headers", "develop"].map(|kind| cache.join(format!("{kind}/{release}/include")));
    let own = (release == 22).then_some(of_library);
    let mut all = given.into_iter().chain(own).chain(cached);
    all.find(|it| it.join("mlir/IR/OpDefinition.h").is_file() && it.join("llvm/ADT/StringRef.h").is_file())
}

/// C++ with the old form of a row and with the new one: declarations outside any namespace.
fn examples_of(row: &CppMigration) -> [String; 2] {
    let test = "::mlir::IntegerType";
    let function = |expression: &str| format!("auto f(::mlir::Type x) {{ return {expression}; }}");
    match row.form {
        CppForm::Method(name) => {
            [function(&format!("x.{name}<{test}>()")), function(&format!("::llvm::{name}<{test}>(x)"))]
        }
        CppForm::TypeTest(name, class) => {
            [function(&format!("x.{name}()")), function(&format!("::llvm::isa<{class}>(x)"))]
        }
        CppForm::Class(old, new) => [old, new].map(|name| format!("void f(::mlir::{name} x);")),
        CppForm::Path([scope, name], new) => [format!("{scope}::{name}"), new.to_owned()].map(|path| match name {
            "Optional" => format!("{path}<int> f();"),
            name if name.ends_with("Dialect") => format!("void f(::mlir::{path} &x);"),
            "makeArrayRef" => format!("auto f(llvm::SmallVector<int> &x) {{ return {path}(x); }}"),
            _ => format!("auto f(::mlir::MLIRContext *x) {{ return ::mlir::{path}(x); }}"),
        }),
        CppForm::Member(old, new) => {
            [old, new].map(|name| format!("bool f(llvm::StringRef x) {{ return x.{name}(\"a\"); }}"))
        }
        CppForm::EmptyList(_) => [row.old, row.new].map(|value| {
            format!("void f(::mlir::ValueRange x {value}, ::mlir::TypeRange y {value}, llvm::ArrayRef<int> z {value});")
        }),
        // The next tests compile it, with generated classes, or look where predicates are.
        CppForm::EmptyAttributes(_) | CppForm::Unqualified => Default::default(),
        CppForm::UnionMethod(old, new) => {
            let function = |expression: &str| format!("auto f(::mlir::OpFoldResult x) {{ return {expression}; }}");
            [function(&format!("x.{old}<::mlir::Value>()")), function(&format!("::llvm::{new}<::mlir::Value>(x)"))]
        }
        CppForm::Bare(name) => {
            [function(&format!("{name}<{test}>(x)")), function(&format!("::llvm::{name}<{test}>(x)"))]
        }
    }
}

/// Returns true if a row is about generated C++.
fn is_generated(row: &CppMigration) -> bool {
    matches!(row.form, CppForm::EmptyAttributes(_) | CppForm::Unqualified)
}

/// Calls of generated builders and traits of generated classes, with the headers of the releases before and after.
#[test]
fn generated_classes_are_compiled_as_rows_say() {
    let folder = folder::TestFolder::new("upgrade-generated");
    let head = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/SymbolInterfaces.td\"\n\
        def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n";
    let compile = |release: u8, definition: &str, code: &str| -> Option<bool> {
        let include = headers_of(release)?;
        let td = folder.write("x.td", format!("{head}{definition}\n"));
        let generated = Command::new(set_up::odsmith())
            .args(["tblgen", &format!("--mlir={release}"), "--gen-op-decls", "-I"])
            .arg(&include)
            .arg(&td)
            .output()
            .ok()?;
        assert!(generated.status.success(), "{}", String::from_utf8_lossy(&generated.stderr));
        folder.write("x.inc", generated.stdout);
        let includes = [
            "IR/Builders",
            "IR/OpDefinition",
            "IR/OpImplementation",
            "IR/SymbolTable",
            "Bytecode/BytecodeOpInterface",
        ];
        let text: String = includes.iter().map(|it| format!("#include \"mlir/{it}.h\"\n")).collect();
        let file =
            folder.write("x.cpp", format!("{text}#define GET_OP_CLASSES\n#include \"x.inc\"\n{code}\n"));
        let arguments = ["-std=c++17", "-fsyntax-only", "-w", "-I"];
        Some(Command::new("c++").args(arguments).arg(include).arg(file).output().ok()?.status.success())
    };
    let call = |last: &str| {
        format!(
            "void f(mlir::OpBuilder &b, mlir::OperationState &s, mlir::TypeRange t, mlir::ValueRange v) {{ d::AOp::build(b, s, t, v, {last}); }}"
        )
    };
    let op = "def AOp : Op<D, \"a\"> { let arguments = (ins Variadic<AnyType>:$x); let results = (outs Variadic<AnyType>:$r); }";
    let global = |traits: &str| {
        format!(
            "def AOp : Op<D, \"a\", [{traits}]> {{ let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility); }}"
        )
    };
    // The methods of an interface are needed where a class is used as one.
    let symbol =
        "void f(d::AOp x) { mlir::detail::SymbolOpInterfaceInterfaceTraits::Model<d::AOp> m; (void)m; }";
    let plain = "::llvm::ArrayRef<::mlir::NamedAttribute>{}";
    for (release, definition, code, is_accepted) in [
        (19, op.to_owned(), call("{}"), true),
        (22, op.to_owned(), call("{}"), false),
        (22, op.to_owned(), call(plain), true),
        (23, global("Symbol"), symbol.to_owned(), true),
        (24, global("Symbol"), symbol.to_owned(), false),
        (24, global("SymbolName, SymbolVisibility, Symbol"), symbol.to_owned(), true),
    ] {
        match compile(release, &definition, &code) {
            Some(result) => assert_eq!(result, is_accepted, "{release}: {definition}\n{code}"),
            None => eprintln!("the headers of {release} or a C++ compiler are not here"),
        }
    }
}

/// The old form of each row compiles with the headers of the earlier release, and only the new one with those of the later
/// release. Needs the headers of both: `tests/setup/release.sh 19 headers`.
#[test]
fn forms_of_cpp_are_compiled_as_their_rows_say() {
    let folder = folder::TestFolder::new("upgrade-cpp");
    // Compiles examples, each on a line of its own, and returns those with an error.
    // Deprecated forms count as errors of the later release.
    let compile = |examples: &[String], include: &Path, name: &str| -> Option<BTreeSet<usize>> {
        let includes = ["BuiltinAttributes", "BuiltinTypes", "Builders", "OpDefinition"];
        let mut head: String = includes.iter().map(|it| format!("#include \"mlir/IR/{it}.h\"\n")).collect();
        for place in [
            "Quant/QuantOps",
            "Quant/IR/Quant",
            "Mesh/IR/MeshDialect",
            "Mesh/IR/MeshOps",
            "Shard/IR/ShardDialect",
            "Shard/IR/ShardOps",
        ] {
            let file = format!("mlir/Dialect/{place}.h");
            head += &if include.join(&file).is_file() {
                format!("#include \"{file}\"\n")
            } else {
                "\n".to_owned()
            };
        }
        let first = head.lines().count() + 1;
        let file = folder.write(name, head + &examples.join("\n") + "\n");
        let is_old = name == "old.cpp";
        let warnings = if is_old { "-w" } else { "-Werror=deprecated-declarations" };
        let arguments = ["-std=c++17", "-fsyntax-only", warnings, "-I"];
        let output = Command::new("c++").args(arguments).arg(include).arg(&file).output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let lines = text.lines().filter_map(|line| {
            let (place, _) = line.split_once(": error: ")?;
            let line: usize = place.rsplit(':').nth(1)?.parse().ok()?;
            line.checked_sub(first)
        });
        Some(lines.collect())
    };
    let mut compiled = 0;
    for (before, since) in MIGRATIONS.iter().map(|row| (row.before, row.since)).collect::<BTreeSet<_>>() {
        let rows: Vec<&CppMigration> = MIGRATIONS
            .iter()
            .filter(|row| (row.before, row.since) == (before, since) && !is_generated(row))
            .collect();
        // The generator chooses the namespace of predicates; the headers of both releases have the same functions.
        let is_placed = rows.iter().all(|row| matches!(row.form, CppForm::Bare(_)));
        let old = headers_of(before).or_else(|| headers_of(since).filter(|_| is_placed));
        let (Some(old), Some(new)) = (old, headers_of(since)) else {
            eprintln!(
                "the headers of {before} or {since} are not here: {} forms were not compiled",
                rows.len()
            );
            continue;
        };
        // Each example is in a namespace of its own. Predicates were in the dialect's, which is one of MLIR's.
        let all = |is_new: bool, is_inside: bool| -> Vec<String> {
            let examples = rows.iter().enumerate().map(|(at, row)| {
                let code = &examples_of(row)[usize::from(is_new)];
                match row.form {
                    CppForm::Bare(_) if is_inside => format!("namespace mlir::n{at} {{ {code} }}"),
                    _ => format!("namespace n{at} {{ {code} }}"),
                }
            });
            examples.collect()
        };
        let Some(refused) = compile(&all(false, true), &old, "old.cpp") else {
            eprintln!("there is no C++ compiler: the forms of C++ were not compiled");
            return;
        };
        assert_eq!(refused, BTreeSet::new(), "the headers of {before} refuse old forms");
        let every: BTreeSet<usize> = (0..rows.len()).collect();
        let refused = compile(&all(false, false), &new, "bad.cpp");
        assert_eq!(refused, Some(every), "the headers of {since} accept old forms");
        let refused = compile(&all(true, false), &new, "new.cpp");
        assert_eq!(refused, Some(BTreeSet::new()), "the headers of {since} refuse new forms");
        compiled += rows.len();
    }
    eprintln!("{compiled} of {} forms of C++ were compiled", MIGRATIONS.len());
}

/// Since 22 predicates of types are outside the dialect's namespace: the rows about unqualified names say so.
#[test]
fn predicates_are_in_the_namespace_until_21() {
    let text = format!(
        "{HEAD}def Box : Type<CPred<\"helper($_self)\">, \"box\">;\n\
         def My_AOp : My_Op<\"a\"> {{ let arguments = (ins Box:$x); }}\n"
    );
    let folder = project("placed", &[("Ops.td", &text)]);
    for release in [19, 21, 22, 23] {
        let Some(include) = include_of(release) else { continue };
        let mut command = Command::new(set_up::odsmith());
        let run = command
            .args(["tblgen", "--gen-op-defs", "-I"])
            .arg(&include)
            .arg(folder.join("Ops.td"))
            .env("ODSMITH_LIBRARY", &include)
            .output()
            .expect("odsmith starts");
        let text = String::from_utf8(run.stdout).expect("UTF-8");
        let at = text.find("helper(").unwrap_or_else(|| panic!("{release}: {text}"));
        let is_inside = text[..at].contains("namespace my {");
        assert_eq!(is_inside, release < 22, "{release}: {text}");
    }
}

/// Names that predicates found in the namespace of their dialect: those of the project's classes are mended.
#[test]
fn names_in_predicates_are_qualified() {
    let text = format!(
        "include \"mlir/IR/AttrTypeBase.td\"\n{HEAD}\
         def BarType : TypeDef<My_Dialect, \"Bar\"> {{ let mnemonic = \"bar\"; }}\n\
         def A : TypeConstraint<CPred<\"isa<BarType>($_self) && helper($_self)\">, \"a\">;\n\
         def B : TypeConstraint<CPred<\"::llvm::isa<::my::BarType>($_self) && ::mlir::f($_self)\">, \"b\">;\n\
         def C : PredOpTrait<\"c\", CPred<\"isa<BarType>($_op.getOperand(0).getType())\">>;\n\
         def My_AOp : My_Op<\"a\", [C]> {{ let arguments = (ins A:$x, B:$y); }}\n"
    );
    let folder = project("names", &[("Ops.td", &text)]);
    for (releases, are_told) in [([19, 22], true), ([21, 22], true), ([22, 23], false)] {
        let Some(report) = report(&folder, releases, &["--no-generated"]) else { continue };
        let rows = report["dated"].as_array().expect("a list").iter();
        let mut rows: Vec<&str> =
            rows.filter_map(|row| row["row"].as_str()).filter(|row| row.starts_with("UC")).collect();
        rows.sort_unstable();
        assert_eq!(rows, if are_told { vec!["UC21", "UC29"] } else { vec![] }, "{releases:?}: {report}");
    }
    if upgrade(&folder, [19, 22], &["--no-generated", "--fix"]).is_some() {
        let now = fs::read_to_string(folder.join("Ops.td")).expect("a file");
        assert!(now.contains("CPred<\"::llvm::isa<::my::BarType>($_self) && helper($_self)\">"), "{now}");
        assert!(now.contains("CPred<\"isa<BarType>($_op.getOperand(0).getType())\">"), "{now}");
    }
}

/// A root whose Python the older release cannot generate proves nothing about files that this release does not read.
#[test]
fn what_the_older_release_refuses_is_not_proved() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/Interfaces/SideEffectInterfaces.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
        def My_AOp : Op<My_Dialect, \"a\", [NoSideEffect]>;\n";
    let folder = project("unproved", &[("A.td", text), ("B.td", "include \"A.td\"\n")]);
    let Some(report) = report(&folder, [15, 17], &[]) else { return };
    assert_eq!(report["proof"], "read", "{report}");
}

/// A root that only the newer release reads cannot be compared, and the report says so.
#[test]
fn what_the_older_release_does_not_read_is_noted() {
    let text = format!(
        "{HEAD}def My_AOp : My_Op<\"a\"> {{ let arguments = (ins SignlessIntegerOrIndexLike:$x); }}\n"
    );
    let folder = project("unread", &[("A.td", &text)]);
    let Some(report) = report(&folder, [19, 23], &["--no-generated"]) else { return };
    let notes = report["notes"].to_string();
    assert!(notes.contains("MLIR 19 does not read it") && notes.contains("A.td:4"), "{report}");
}

/// A deprecated name is edited before it is gone, if both releases have the new one.
#[test]
fn deprecated_names_are_edited() {
    let text = format!(
        "include \"mlir/IR/Properties.td\"\n{HEAD}\
         def My_AOp : My_Op<\"a\"> {{ let arguments = (ins BoolProperty:$b); }}\n"
    );
    let folder = project("deprecated", &[("A.td", &text)]);
    if upgrade(&folder, [21, 23], &["--fix"]).is_some() {
        let now = fs::read_to_string(folder.join("A.td")).expect("a file");
        assert!(now.contains("(ins BoolProp:$b)"), "{now}");
    }
}

/// Forms whose meaning depends on where they are, and near misses of them.
#[test]
fn cpp_is_mended_by_its_role() {
    let text = "include \"mlir/IR/OpBase.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::mlir::my\"; }\n\
        def Box : Type<CPred<\"isa<BoxType>($_self) && ::llvm::isa<BoxType>($_self)\">, \"box\">;\n\
        def Small : Type<CPred<\"$_self.isFloat8E5M2() || $_self.isF32()\">, \"small\">;\n\
        def My_AOp : Op<My_Dialect, \"a\"> {\n  let arguments = (ins Box:$x);\n  let builders = [\n    \
        OpBuilder<(ins CArg<\"ArrayRef<NamedAttribute>\", \"std::nullopt\">:$attrs, CArg<\"std::optional<int>\", \"std::nullopt\">:$n)>\n  ];\n  \
        let extraClassDeclaration = [{\n    bool is(Type t) { return isa<BoxType>(t); }\n    \
        void f(ValueRange x = std::nullopt, std::optional<int> y = std::nullopt);\n  }];\n}\n";
    let folder = project("cpp_roles", &[("Ops.td", text)]);
    let Some(report) = report(&folder, [19, 23], &["--no-generated"]) else { return };
    let rows: BTreeSet<(&str, &str)> = report["dated"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| Some((row["row"].as_str()?, row["severity"].as_str()?)))
        .filter(|(row, _)| row.starts_with("UC"))
        .collect();
    let wanted =
        BTreeSet::from([("UC06", "error"), ("UC16", "error"), ("UC21", "warning"), ("UC29", "warning")]);
    assert_eq!(rows, wanted, "{report}");
    upgrade(&folder, [19, 23], &["--no-generated", "--fix"]).expect("both releases");
    let now = fs::read_to_string(folder.join("Ops.td")).expect("a file");
    for wanted in [
        "CPred<\"::llvm::isa<BoxType>($_self) && ::llvm::isa<BoxType>($_self)\">",
        "CPred<\"::llvm::isa<::mlir::Float8E5M2Type>($_self) || $_self.isF32()\">",
        "CArg<\"ArrayRef<NamedAttribute>\", \"{}\">",
        "CArg<\"std::optional<int>\", \"std::nullopt\">",
        "return isa<BoxType>(t);",
        "void f(ValueRange x = {}, std::optional<int> y = std::nullopt);",
    ] {
        assert!(now.contains(wanted), "{wanted}\n{now}");
    }
}

/// Operations that relied on default implementations get the traits that have them now, if they have the attributes.
#[test]
fn operations_with_symbols_get_the_traits_of_their_attributes() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/SymbolInterfaces.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
        def My_GlobalOp : Op<My_Dialect, \"global\", [IsolatedFromAbove, Symbol]> {\n  \
        let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);\n}\n\
        def My_LabelOp : Op<My_Dialect, \"label\", [Symbol]> { let arguments = (ins SymbolNameAttr:$sym_name); }\n\
        def My_OwnOp : Op<My_Dialect, \"own\", [Symbol]> {\n  let arguments = (ins SymbolNameAttr:$sym_name);\n  \
        let extraClassDeclaration = [{\n    StringAttr getNameAttr();\n    Visibility getVisibility();\n    void setVisibility(Visibility v);\n  }];\n}\n";
    let folder = project("symbols", &[("Ops.td", text)]);
    let Some(report) = report(&folder, [23, 24], &["--no-generated"]) else { return };
    let places: Vec<u64> = report["dated"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|row| row["row"] == "UM01")
        .flat_map(|row| row["places"].as_array().expect("places").iter().filter_map(|it| it[1].as_u64()))
        .collect();
    assert_eq!(places, [4, 7], "{report}");
    upgrade(&folder, [23, 24], &["--no-generated", "--fix"]).expect("both releases");
    let now = fs::read_to_string(folder.join("Ops.td")).expect("a file");
    assert!(now.contains("[IsolatedFromAbove, SymbolName, SymbolVisibility, Symbol]"), "{now}");
    assert!(now.contains("\"label\", [Symbol]") && now.contains("\"own\", [Symbol]"), "{now}");
}

#[test]
fn what_is_written_by_hand_is_explained_and_left_alone() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/Properties.td\"\ndef P : EnumProperty<\"::my::E\">;\n";
    let folder = project("by_hand", &[("Props.td", text)]);
    let Some(report) = report(&folder, [19, 22], &[]) else { return };
    assert_eq!(report["reading"]["failures"][0]["cause"]["row"], "UP069");
    assert_eq!(report["edits"].as_array().map(Vec::len), Some(0));
}

/// Definitions as projects write them: formats in classes and in definitions, enums, properties, segments.
const FORMATS: &str = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/EnumAttr.td\"\ninclude \"mlir/IR/AttrTypeBase.td\"\n\
    def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
    class My_Op<string name, list<Trait> traits = []> : Op<My_Dialect, name, traits>;\n\
    class My_UnaryOp<string name> : My_Op<name> {\n  let arguments = (ins I32:$input, DefaultValuedAttr<I64Attr, \"0\">:$level);\n  \
    let results = (outs I32:$output);\n  let assemblyFormat = \"operands attr-dict `:` functional-type(operands, results)\";\n}\n\
    def My_RelinOp : My_UnaryOp<\"relin\">;\n\
    def My_RotateOp : My_UnaryOp<\"rotate\"> { let assemblyFormat = \"$input `,` $level attr-dict `:` type($input) `,` type($output)\"; }\n\
    def Kind : I32EnumAttr<\"Kind\", \"\", [I32EnumAttrCase<\"x\", 0>, I32EnumAttrCase<\"y\", 1>]> {\n  let cppNamespace = \"::my\";\n  \
    let genSpecializedAttr = 0;\n}\n\
    def KindAttr : EnumAttr<My_Dialect, Kind, \"kind\">;\n\
    def My_CastOp : My_Op<\"cast\"> { let arguments = (ins KindAttr:$kind); let assemblyFormat = \"$kind attr-dict\"; }\n\
    def My_CallOp : My_Op<\"call\", [AttrSizedOperandSegments]> {\n  \
    let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<I32>:$a, Variadic<I32>:$b, UnitAttr:$tail, IntProp<\"int64_t\">:$depth);\n  \
    let assemblyFormat = [{\n    $callee `(` $a `,` $b `)` (`tail` $tail^)?\n    attr-dict-with-keyword\n  }];\n}\n\
    def My_PairOp : My_Op<\"pair\", [AttrSizedOperandSegments]> {\n  let arguments = (ins Variadic<I32>:$a, Variadic<I32>:$b);\n  \
    let assemblyFormat = \"$a `,` $b attr-dict\";\n}\n\
    def My_DoneOp : My_Op<\"done\"> { let arguments = (ins I32Attr:$x); let assemblyFormat = \"prop-dict attr-dict\"; }\n\
    def My_HandOp : My_Op<\"hand\"> { let arguments = (ins I32Attr:$x); let hasCustomAssemblyFormat = 1; }\n";

/// Formats that leave out attributes are found before the upgrade, and the older release changes only its assembly.
#[test]
fn formats_get_a_prop_dict_before_the_upgrade() {
    let folder = project("formats", &[("Ops.td", FORMATS)]);
    let Some(before) = report(&folder, [23, 24], &[]) else { return };
    let unbound: Vec<(&str, &Value)> = before["formats"]["unbound"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|op| (op["operation"].as_str().expect("a name"), &op["missing"]))
        .collect();
    let level = Value::from(vec!["level"]);
    let depth = Value::from(vec!["depth"]);
    assert_eq!(unbound, [("my.relin", &level), ("my.call", &depth)]);
    assert_eq!(before["proof"], "same-but-assembly", "{before}");
    let row = before["dated"].as_array().expect("a list").iter().find(|row| row["row"] == "UP097");
    assert_eq!(row.map(|row| &row["is_mechanical"]), Some(&true.into()), "{before}");
    // Enums have other texts.
    let changed = &before["formats"]["changed"][0];
    assert_eq!((&changed["record"], &changed["operations"]), (&"KindAttr".into(), &vec!["my.cast"].into()));
    assert_eq!((&changed["old"], &changed["new"]), (&"$value".into(), &"`<` $value `>`".into()));
    // Nothing is asked for between other releases.
    let earlier = report(&folder, [22, 23], &[]).expect("23");
    assert_eq!(earlier["formats"]["unbound"].as_array().map(Vec::len), Some(0));

    let fixed = upgrade(&folder, [23, 24], &["--fix"]).expect("both releases");
    assert!(String::from_utf8_lossy(&fixed.stderr).contains("but for parsers and printers"));
    let now = fs::read_to_string(folder.join("Ops.td")).expect("a file");
    assert!(
        now.contains("\"operands prop-dict attr-dict `:`")
            && now.contains("    prop-dict attr-dict-with-keyword\n"),
        "{now}"
    );
    assert_eq!(
        now.replace("prop-dict attr-dict", "attr-dict"),
        FORMATS.replace("prop-dict attr-dict", "attr-dict")
    );
    let after = report(&folder, [23, 24], &[]).expect("both releases");
    assert_eq!(after["formats"]["unbound"].as_array().map(Vec::len), Some(0), "{after}");
    assert_eq!(after["edits"].as_array().map(Vec::len), Some(0));
    // The release's own tool refuses the first and reads the second.
    let Some(tools) = set_up::release("24", "tools") else { return };
    let run = |text: &str| {
        let file = folder.join("Tried.td");
        fs::write(&file, text).expect("a file");
        let include = tools.join("include");
        let tool = Command::new(tools.join("bin/mlir-tblgen"))
            .arg("-gen-op-defs")
            .arg("-I")
            .arg(include)
            .arg(file)
            .output();
        let output = tool.expect("the tool starts");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_read, message) = run(FORMATS);
    assert!(
        !is_read && message.contains("strict properties in assembly format requires prop-dict"),
        "{message}"
    );
    let (is_read, message) = run(&now);
    assert!(is_read, "{message}");
}

/// One reason is one group, whatever the number of operations.
#[test]
fn what_changes_in_generated_files_is_grouped_by_its_cause() {
    let ops: String = (0..30)
        .map(|index| format!("def My_A{index}Op : My_Op<\"a{index}\"> {{ let arguments = (ins I32:$x{index}); let results = (outs I32:$y); }}\n"))
        .collect();
    let folder = project("generated", &[("Ops.td", &format!("{HEAD}{ops}"))]);
    let Some(report) = report(&folder, [19, 22], &[]) else { return };
    let groups = report["generated"]["groups"].as_array().expect("a list");
    let created: Vec<&Value> = groups.iter().filter(|it| it["origin"]["name"] == "CreateFunctions").collect();
    let [group] = created.as_slice() else { panic!("{groups:?}") };
    assert!(group["new_lines"].as_u64() >= Some(60), "{group}");
}

#[test]
fn definitions_that_the_project_names_are_compared() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/PatternBase.td\"\ninclude \"mlir/Dialect/Func/IR/FuncOps.td\"\n\
        def P : Pat<(ReturnOp $x), (ReturnOp $x)>;\nclass Mine { list<Op> of = [FuncOp]; }\n";
    let folder = project("upstream", &[("Patterns.td", text)]);
    let Some(report) = report(&folder, [19, 22], &["--no-generated"]) else { return };
    let changed = report["upstream"]["changed"].as_array().expect("a list");
    let function =
        changed.iter().find(|it| it["symbol"] == "func.func").unwrap_or_else(|| panic!("{changed:?}"));
    let rules: Vec<&Value> =
        function["findings"].as_array().expect("a list").iter().map(|it| &it["rule"]).collect();
    assert!(rules.iter().any(|rule| rule.to_string().contains("IN001")), "{rules:?}");
}

#[test]
fn programs_that_go_stale_are_found() {
    let fixtures = set_up::tests_folder().join("fixtures/upgrade");
    let folder = project("stale", &[("Ops.td", HEAD)]);
    let newer = fs::read(fixtures.join("program.mlirbc")).expect("a fixture");
    fs::write(folder.join("newer.mlirbc"), &newer).expect("written");
    // As an older release would write it: apart from names, only the producer is read.
    let at = newer.windows(8).position(|it| it == b"MLIR22.1").expect("the producer");
    let bytecode = [&newer[..at], b"MLIR19.1", &newer[at + 8..]].concat();
    fs::write(folder.join("whole.mlirbc"), &bytecode).expect("written");
    fs::write(folder.join("damaged.mlirbc"), &bytecode[..bytecode.len() / 2]).expect("written");
    fs::copy(fixtures.join("program.mlir"), folder.join("program.mlir")).expect("written");
    let Some(report) = report(&folder, [19, 22], &["--no-generated"]) else { return };
    let programs = report["programs"].as_array().expect("a list");
    let of =
        |name: &str| programs.iter().find(|it| it["file"] == name).unwrap_or_else(|| panic!("{programs:?}"));
    let whole = of("whole.mlirbc");
    assert_eq!((&whole["operations"], &whole["producer"]), (&7.into(), &"MLIR19.1.8".into()));
    let stale: Vec<&str> =
        whole["stale"].as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(stale.contains(&"func.func") && !stale.contains(&"arith.addi"), "{stale:?}");
    assert_eq!(of("newer.mlirbc")["stale"].as_array().map(Vec::len), Some(0));
    assert!(of("damaged.mlirbc")["problem"].is_string());
    assert!(of("program.mlir")["operations"].as_u64() >= Some(5));
}

/// Rewrites a file, and returns its text and the rules with their lines that are left.
fn rewritten(name: &str, releases: [u8; 2], text: &str) -> Option<(String, Vec<String>)> {
    let folder = project(&format!("text_{name}"), &[("a.mlir", text)]);
    let before = report(&folder, releases, &["--fix"])?;
    let uses = before["dated"].as_array().expect("a list").iter().filter(|it| it["is_mechanical"] == false);
    let left = uses.flat_map(|it| {
        let places = it["places"].as_array().expect("a list").iter();
        places.map(|place| format!("{}:{} {}", it["row"].as_str().unwrap_or_default(), place[1], it["name"]))
    });
    let left = left.collect();
    let now = fs::read_to_string(folder.join("a.mlir")).expect("a file");
    let again = report(&folder, releases, &["--fix"])?;
    assert_eq!(again["edits"].as_array().map(Vec::len), Some(0), "the second run edits nothing");
    assert_eq!(fs::read_to_string(folder.join("a.mlir")).expect("a file"), now);
    Some((now, left))
}

const TEXTS_OF_22: &str = "\
// RUN: mlir-opt %s | FileCheck %s --check-prefixes=CHECK,OTHER
// CHECK: %[[A:.*]] = memref.alloc() {alignment = 8 : i64} : memref<4xf32>
// OTHER-NEXT: memref.alloc() {alignment = 8 : i64}
func.func @attributes(%p: !llvm.ptr, %s: tensor<2x3xf32>) {
  %0 = memref.alloc() {alignment = 8 : i64} : memref<4xf32>   // aligned
  %1 = llvm.load %p {x.y = 1 : i32, alignment = 4 : i64} : !llvm.ptr -> i32
  %2 = tosa.transpose %s { // the order
    perms = array<i32: 1, 0>
  } : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @stays(%a: i32,   %m: memref<4xf32>) -> i32 {
  %0 = arith.addi   %a, %a : i32
  // memref.alloc() {alignment = 8 : i64} : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  %2 = \"llvm.intr.ctlz\"(%a) <{is_zero_poison = false}> : (i32) -> i32
  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  return %0 : i32
}
";

#[test]
fn statements_of_programs_are_printed_by_the_newer_formats() {
    let Some((now, left)) = rewritten("formats", [22, 24], TEXTS_OF_22) else { return };
    let expected = TEXTS_OF_22
        .replace(
            "memref.alloc() {alignment = 8 : i64} : memref<4xf32>   //",
            "memref.alloc() alignment = 8 : memref<4xf32>   //",
        )
        .replace(
            "= memref.alloc() {alignment = 8 : i64} : memref<4xf32>\n// OTHER",
            "= memref.alloc() alignment = 8 : memref<4xf32>\n// OTHER",
        )
        .replace("%p {x.y = 1 : i32, alignment = 4 : i64}", "%p <alignment = 4> {x.y = 1 : i32}")
        .replace(
            "%s { // the order\n    perms = array<i32: 1, 0>\n  }",
            "%s // the order\n    perms([1, 0])",
        );
    assert_eq!(now, expected);
    assert_eq!(left, ["UT04:20 \"linalg.exp\"", "UT06:3 \"memref.alloc\""]);
}

/// MLIR 24's `mlir-opt` reads the new texts, and prints the generic form that 22's prints of the old ones.
#[test]
fn statements_that_cpp_parses_are_rewritten_where_it_is_known() {
    let text = "\
func.func @f(%t: tensor<?xf32>, %n: index) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %1 = bufferization.alloc_tensor() {memory_space = 0 : ui64} : tensor<5xf32>
  %2 = bufferization.alloc_tensor(%n) {x.y, memory_space = 0 : ui64} : tensor<?xf32> // both
  acc.loop control(%i : index) = (%n : index) to (%n : index) step (%n : index) {
    acc.yield
  } attributes {inclusiveUpperbound = array<i1: true>, independent = [#acc.device_type<none>], x.y}
  return
}
memref.global \"private\" constant @c : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 16 : i64}
";
    let Some((now, left)) = rewritten("by_hand", [22, 24], text) else { return };
    let expected = text
        .replace("kind=#linalg.elementwise_kind<exp>", "<exp>")
        .replace("() {memory_space = 0 : ui64}", "() <{memory_space = 0 : ui64}>")
        .replace("{x.y, memory_space = 0 : ui64}", "<{memory_space = 0 : ui64}> {x.y}")
        .replace(
            "attributes {inclusiveUpperbound = array<i1: true>, independent = [#acc.device_type<none>], x.y}",
            "inclusiveUpperbound(array<i1: true>) independent ([#acc.device_type<none>]) attributes {x.y}",
        )
        .replace("{alignment = 16 : i64}", "alignment = 16");
    assert_eq!(now, expected);
    assert_eq!(left, Vec::<String>::new());
}

/// Enums are in angle brackets in 24, and a parameter is the case itself.
#[test]
fn attributes_are_printed_by_their_newer_formats() {
    let text = "\
module attributes {omp.requires = #omp<clause_requires reverse_offload>, x.y = #other<clause word>} {
  llvm.func @f() attributes {omp.declare_target = #omp.declaretarget<device_type = (host), capture_clause = (to)>}
}
";
    let Some((now, left)) = rewritten("attributes", [22, 24], text) else { return };
    let expected = text
        .replace("#omp<clause_requires reverse_offload>", "#omp<clause_requires <reverse_offload>>")
        .replace("(host)", "host")
        .replace("(to)", "to");
    assert_eq!((now, left), (expected, Vec::new()));
}

#[test]
fn texts_that_no_release_changed_stay() {
    let text = TEXTS_OF_22
        .split_once("// -----")
        .expect("two pieces")
        .1
        .replace("  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)\n", "");
    let Some((now, left)) = rewritten("unchanged", [22, 24], &text) else { return };
    assert_eq!((now, left), (text, Vec::new()));
    // Neither a broken text nor one that is no UTF-8 is touched.
    let folder = project(
        "text_broken",
        &[("a.mlir", "func.func @f( {\n  %0 = memref.alloc() {alignment = : memref<"), ("b.mlir", "")],
    );
    fs::write(folder.join("b.mlir"), b"\xff memref.alloc() {alignment = 8 : i64} : memref<4xf32>")
        .expect("written");
    let broken = report(&folder, [22, 24], &["--fix"]).expect("both releases");
    assert_eq!(broken["edits"].as_array().map(Vec::len), Some(0));
}

#[test]
fn exit_codes_are_those_of_a_comparison() {
    let folder = project("codes", &[("Ops.td", HEAD)]);
    let code = |arguments: &[&str]| upgrade(&folder, [22, 22], arguments).expect("22").status.code();
    assert_eq!(code(&[]), Some(0));
    let text = "include \"mlir/IR/OpBase.td\"\ndef X : Nothing;\n";
    fs::write(folder.join("Ops.td"), text).expect("written");
    assert_eq!(code(&["--no-generated"]), Some(1), "neither release reads it");
    assert_eq!(code(&["--no-generated", "--fail-on", "never"]), Some(0));
    assert_eq!(code(&["--fail-on", "nothing"]), Some(2));
    let mut command = Command::new(set_up::odsmith());
    let output = command
        .args(["upgrade", "--from", "22", "--to", "22", "--library", "22=/nonexistent"])
        .arg(&folder)
        .output();
    assert_eq!(output.expect("odsmith starts").status.code(), Some(2));
}

/// MLIR's own dialects of 19 as a project: each file that 22 cannot read has a known cause.
#[test]
fn dialects_of_19_over_22() {
    let Some(include) = include_of(19) else { return };
    let folder = project("dialects", &[]);
    for path in tree::files(&include.join("mlir/Dialect")) {
        let place = folder.join(below(&include, &path));
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::copy(path, place).expect("copied");
    }
    let Some(report) = report(&folder, [19, 22], &["--each-file", "--no-generated"]) else { return };
    let reading = &report["reading"];
    let failures = reading["failures"].as_array().expect("a list");
    let first: Vec<&Value> = failures.iter().filter(|it| it["after"] == 0).collect();
    let unknown: Vec<String> = failures
        .iter()
        .filter(|it| it["cause"]["kind"] == "unknown")
        .map(|it| format!("{} {}", it["root"], it["message"]))
        .collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert_eq!((reading["roots"].as_u64(), first.len()), (Some(219), 33));
    // Renamed definitions are fixed. The others need a decision: an interface that is gone, a property that takes an
    // enum now, a class that the library now defines.
    let is_part = |it: &&Value| it["cause"]["kind"] == "part" || it["cause"]["kind"] == "before";
    let of_release: BTreeSet<&str> =
        first.iter().filter(|it| !is_part(it)).filter_map(|it| it["root"].as_str()).collect();
    let mended: BTreeSet<&str> =
        reading["mended"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!((of_release.len(), mended.len()), (17, 11));
    let left = of_release.difference(&mended).map(|root| {
        let last = failures.iter().rfind(|it| it["root"] == *root).expect("a failure");
        last["cause"]["kind"].as_str().unwrap_or_default()
    });
    let left: Vec<&str> = left.collect();
    assert_eq!(left, ["gone", "gone", "gone", "defined", "defined", "defined"], "{of_release:?}");
}

/// A dialect in the forms of the oldest manuals: the possible edits are applied, and each manual step is named by its
/// row.
#[test]
fn the_oldest_forms_lead_to_22() {
    const OLD: &str = r#"include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def My_Dialect : Dialect { let name = "my"; let cppNamespace = "::my"; }
class My_Op<string name, list<OpTrait> traits = []> : Op<My_Dialect, name, traits>;
def My_AOp : My_Op<"a", [NoSideEffect]> {
  let arguments = (ins Confined<I32Attr, [IntNonNegative]>:$x, AnyType:$y);
  let builders = [OpBuilderDAG<(ins "int":$n)>, OpBuilder<"OpBuilder &b, OperationState &s, float n">];
  let verifier = [{ return ::verify(*this); }];
  let printer = [{ ::print(p, *this); }];
  let parser = [{ return ::parse(parser, result); }];
}
"#;
    const BY_HAND: &[(&str, &str, &str)] = &[
        (
            "UP002",
            r#"OpBuilder<"OpBuilder &b, OperationState &s, float n">"#,
            r#"OpBuilder<(ins "float":$n)>"#,
        ),
        ("UP007", "let verifier = [{ return ::verify(*this); }];", "let hasVerifier = 1;"),
        ("UP008", "let printer = [{ ::print(p, *this); }];", "let hasCustomAssemblyFormat = 1;"),
        ("UP009", "let parser = [{ return ::parse(parser, result); }];", ""),
    ];
    let folder = project("oldest", &[("Ops.td", OLD)]);
    let file = folder.join("Ops.td");
    let mut named = BTreeSet::new();
    for _ in 0..10 {
        let Some(report) = report(&folder, [14, 22], &["--no-generated"]) else { return };
        let failures = report["reading"]["failures"].as_array().cloned().unwrap_or_default();
        let rows: Vec<String> =
            failures.iter().filter_map(|it| Some(it["cause"]["row"].as_str()?.to_owned())).collect();
        let Some(last) = failures.last() else { break };
        upgrade(&folder, [14, 22], &["--fix", "--no-generated"]);
        let text = fs::read_to_string(&file).expect("a file");
        if let Some((_, old, new)) = BY_HAND.iter().find(|(id, ..)| rows.last().is_some_and(|row| row == id))
        {
            assert!(text.contains(old), "{last}\n{text}");
            fs::write(&file, text.replace(old, new)).expect("written");
        }
        named.extend(rows);
        // Names that are edited together with the first are no further errors.
        let dated = report["dated"].as_array().into_iter().flatten();
        named.extend(dated.filter_map(|it| Some(it["row"].as_str()?.to_owned())));
    }
    let text = fs::read_to_string(&file).expect("a file");
    let report = report(&folder, [22, 22], &["--no-generated"]).expect("22");
    assert_eq!(report["reading"]["read"], 1, "{named:?}\n{report}\n{text}");
    for row in ["UP001", "UP002", "UP003", "UP007", "UP008", "UP009", "UP033", "UP036"] {
        assert!(named.contains(row), "{row} is not among {named:?}");
    }
}

/// Every row is on the page of forms, in Markdown and in HTML.
#[test]
fn the_page_of_forms_has_every_row() {
    let [markdown, html] = ["markdown", "html"].map(|format| {
        let arguments = ["rule", "--of", "upgrade", "--output-format", format];
        let run = Command::new(set_up::odsmith()).args(arguments).output().expect("odsmith starts");
        String::from_utf8(run.stdout).expect("UTF-8")
    });
    for row in DEPRECATIONS {
        assert!(markdown.contains(&format!("### {}: `{}`", row.id, row.name())), "{}", row.id);
        assert!(html.contains(&format!("<h3 id=\"{}\">", row.id)), "{}", row.id);
    }
    for row in MIGRATIONS {
        assert!(markdown.contains(&format!("### {}: `{}`", row.id, row.old)), "{}", row.id);
        assert!(html.contains(&format!("<h3 id=\"{}\">", row.id)), "{}", row.id);
    }
    for tag in ["code", "pre", "p", "h2", "h3"] {
        let [open, closed] = [format!("<{tag}>"), format!("</{tag}>")].map(|tag| html.matches(&tag).count());
        let named = html.matches(&format!("<{tag} ")).count();
        assert_eq!(open + named, closed, "<{tag}>");
    }
    let is_marked = |line: &&str| line.starts_with("<p>") && line.contains('`');
    assert_eq!(html.lines().find(is_marked), None, "a mark of code is left in the text");
}
