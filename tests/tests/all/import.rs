//! `odsmith import` and builds that run odsmith: names and bytes are those of the project's own build.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use odsmith_tests::{archive::files_below, folder, set_up};

fn project(name: &str) -> PathBuf {
    set_up::tests_folder().join("fixtures/projects").join(name)
}

fn folder(name: &str) -> PathBuf {
    folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/import"), name, &[])
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    output
}

fn odsmith(arguments: &[&Path]) -> Output {
    run(Command::new(set_up::odsmith()).args(arguments).env("ODSMITH_LIBRARY", set_up::library()))
}

/// The outputs of a build's definitions below a folder.
fn outputs(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let is_output = |path: &str| [".inc", ".md", "_gen.py"].iter().any(|end| path.ends_with(end));
    files_below(folder).into_iter().filter(|(path, _)| is_output(path)).collect()
}

fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
    files.iter().map(|(path, _)| path.as_str()).collect()
}

/// Imports a manifest from a folder into a copy of a project, and returns the outputs.
fn imported(project: &Path, from: &Path, work: &Path) -> Vec<(String, Vec<u8>)> {
    let copy = work.join("bundle");
    folder::copy(project, &copy);
    fs::write(copy.join("odsmith.toml"), odsmith(&[Path::new("import"), from]).stdout).unwrap();
    odsmith(&[Path::new("generate"), &copy, Path::new("-o"), &work.join("out")]);
    outputs(&work.join("out/cpp"))
}

fn expected(project: &Path) -> Vec<String> {
    let list = fs::read_to_string(project.join("outputs.txt")).unwrap();
    list.lines().map(str::to_owned).collect()
}

/// CMake's files of MLIR; prints that the test is skipped if there is no CMake, Ninja or MLIR.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn cmake_files() -> Option<PathBuf> {
    let have = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let folder = set_up::reference_tools().with_file_name("lib/cmake/mlir");
    if have("cmake") && have("ninja") && folder.join("MLIRConfig.cmake").is_file() {
        return Some(folder);
    }
    println!(
        "skipped: cmake, ninja or MLIR's CMake files are missing (Debian: cmake ninja-build libmlir-22-dev)"
    );
    None
}

fn configure(source: &Path, build: &Path, generator: &str, mlir: &Path, more: &[&str]) -> String {
    let mlir = format!("-DMLIR_DIR={}", mlir.display());
    let mut command = Command::new("cmake");
    command.args(["-G", generator, "-S"]).arg(source).arg("-B").arg(build).arg(mlir).args(more);
    String::from_utf8_lossy(&run(&mut command).stdout).into_owned()
}

fn build(folder: &Path) -> String {
    String::from_utf8_lossy(&run(Command::new("cmake").arg("--build").arg(folder)).stdout).into_owned()
}

/// Compares each output that a result describes with that of mlir-tblgen; the folders are those of the project.
fn reference(project: &Path, work: &Path, includes: &[&str]) {
    let result: serde_json::Value =
        serde_json::from_slice(&fs::read(work.join("out/result.json")).unwrap()).unwrap();
    let outputs = result["outputs"].as_array().unwrap();
    assert!(!outputs.is_empty());
    for output in outputs {
        let (td, path) = (output["td"].as_str().unwrap(), output["path"].as_str().unwrap());
        let mut command = Command::new(set_up::reference_tools().join("mlir-tblgen"));
        command.args(output["flags"].as_array().unwrap().iter().map(|flag| flag.as_str().unwrap()));
        for include in includes {
            command.arg("-I").arg(project.join(include));
        }
        command.args(["-I", set_up::library()]).arg(project.join(td));
        assert!(run(&mut command).stdout == fs::read(work.join("out").join(path)).unwrap(), "{path} differs");
    }
}

#[test]
fn a_build_is_what_its_manifest_makes() {
    let Some(mlir) = cmake_files() else { return };
    for name in ["cmake", "wrapped"] {
        for generator in ["Ninja", "Unix Makefiles"] {
            let work = folder(&format!("build-{name}-{generator}"));
            let place = work.join("build");
            configure(&project(name), &place, generator, &mlir, &[]);
            let makes = imported(&project(name), &place, &work);
            build(&place);
            let builds = outputs(&place);
            assert_eq!(names(&builds), expected(&project(name)), "{name}: the list of the build's outputs");
            assert_eq!(names(&makes), names(&builds), "{name} by {generator}");
            for ((path, ours), (_, theirs)) in makes.iter().zip(&builds) {
                assert!(ours == theirs, "{name} by {generator}: {path} differs");
            }
        }
        // The editors' list has only the folders; the outputs are those of the build files.
        let (work, place) = (folder(&format!("list-{name}")), folder(&format!("list-{name}-build")));
        let list = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("import/build-{name}-Ninja/build/tablegen_compile_commands.yml"));
        fs::copy(list, place.join("tablegen_compile_commands.yml")).unwrap();
        fs::write(
            place.join("CMakeCache.txt"),
            format!("CMAKE_HOME_DIRECTORY:INTERNAL={}\n", project(name).display()),
        )
        .unwrap();
        assert_eq!(names(&imported(&project(name), &place, &work)), expected(&project(name)));
    }
}

/// MLIR's own example project in three ways: with the imported manifest, with the shim, and without a manifest.
#[test]
fn the_example_of_mlir() {
    let Some(example) = std::env::var_os("ODSMITH_STANDALONE").map(PathBuf::from) else {
        println!(
            "skipped: ODSMITH_STANDALONE names no examples/standalone (tests/setup/standalone.sh gets it)"
        );
        return;
    };
    let Some(mlir) = cmake_files() else { return };
    let work = folder("standalone");
    let targets = ["mlir-headers", "mlir-doc", "MLIRStandalonePassesIncGen"];
    let build = |place: &Path| {
        run(Command::new("cmake").arg("--build").arg(place).arg("--target").args(targets));
        outputs(place)
    };
    let place = work.join("build");
    configure(&example, &place, "Ninja", &mlir, &[]);
    let expected = build(&place);
    assert!(expected.len() >= 10, "{:?}", names(&expected));
    assert!(imported(&example, &place, &work) == expected, "{:?}", names(&expected));
    odsmith(&[Path::new("cmake-shim"), &work.join("shim"), Path::new("--mlir-dir"), &mlir]);
    configure(&example, &work.join("ours"), "Ninja", &work.join("shim"), &[]);
    assert!(build(&work.join("ours")) == expected, "by the shim");
    odsmith(&[Path::new("generate"), &example, Path::new("-o"), &work.join("bare")]);
    let bare = outputs(&work.join("bare/cpp"));
    // Outputs that the build copies have the names that they had before.
    let wanted: Vec<&str> = names(&expected).into_iter().filter(|path| !path.starts_with("docs/")).collect();
    assert_eq!(names(&bare), wanted);
}

#[test]
fn build_files_are_enough() {
    for (name, includes) in
        [("cmake", &["include", "include/Garden/IR"][..]), ("wrapped", &["include"]), ("bazel", &["."])]
    {
        let work = folder(&format!("files-{name}"));
        let makes = imported(&project(name), &project(name), &work);
        // Outputs that an option enables are included, with a warning.
        let own: Vec<&str> = names(&makes).into_iter().filter(|path| !path.ends_with(".py")).collect();
        assert_eq!(own, expected(&project(name)), "{name}");
        reference(&project(name), &work, includes);
    }
}

#[test]
fn what_is_not_read_is_said_with_its_line() {
    let work = folder("unread");
    fs::write(
        work.join("BUILD.bazel"),
        "gentbl_cc_library(\n    name = \"a\",\n    tbl_outs = OUTS,\n    td_file = \"a.td\",\n)\n",
    )
    .unwrap();
    let output = Command::new(set_up::odsmith()).arg("import").arg(&work).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("calls mlir-tblgen"), "{message}");
    fs::write(
        work.join("BUILD.bazel"),
        "gentbl_cc_library(name = \"a\", tbl_outs = OUTS, td_file = \"a.td\")\n\
        gentbl_cc_library(name = \"b\", tbl_outs = {\"b.inc\": [\"-gen-op-decls\"]}, td_file = \"b.td\")\n",
    )
    .unwrap();
    fs::write(work.join("b.td"), "").unwrap();
    let output = odsmith(&[Path::new("import"), &work]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("BUILD.bazel:1: warning: ") && message.contains("the name 'OUTS'"), "{message}");
}

#[test]
fn without_any_manifest_names_are_the_builds() {
    for (name, ends) in [("cmake", &[".inc", ".md"][..]), ("wrapped", &[".inc"]), ("bazel", &[".inc", ".md"])]
    {
        let work = folder(&format!("bare-{name}"));
        let mut generate = Command::new(set_up::odsmith());
        generate.arg("generate").arg(project(name)).arg("-o").arg(&work);
        let output = generate.env("ODSMITH_LIBRARY", set_up::library()).output().unwrap();
        // A page of this project includes a file that only its build names.
        let errors = String::from_utf8_lossy(&output.stderr).matches(": error: ").count();
        assert_eq!((output.status.success(), errors), (name != "wrapped", usize::from(name == "wrapped")));
        let made = outputs(&work.join("cpp"));
        let is_compared =
            |path: &str| !path.starts_with("docs/") && ends.iter().any(|end| path.ends_with(end));
        let made: BTreeSet<&str> = names(&made).into_iter().filter(|path| is_compared(path)).collect();
        let wanted = expected(&project(name));
        let wanted: BTreeSet<&str> =
            wanted.iter().map(String::as_str).filter(|path| is_compared(path)).collect();
        assert_eq!(made, wanted, "{name}");
    }
}

#[test]
fn pages_include_what_the_build_makes() {
    let work = folder("pages");
    let copy = work.join("bundle");
    folder::copy(&project("wrapped"), &copy);
    fs::write(copy.join("odsmith.toml"), odsmith(&[Path::new("import"), &copy]).stdout).unwrap();
    for (command, page) in
        [("generate", "site/guide/docs/Dialects/Weave.html"), ("docs", "guide/docs/Dialects/Weave.html")]
    {
        let out = work.join(command);
        odsmith(&[Path::new(command), &copy, Path::new("-o"), &out]);
        let page = files_below(&out).into_iter().find(|(path, _)| path.eq_ignore_ascii_case(page));
        let (_, page) = page.unwrap_or_else(|| panic!("{command}: no page; {:?}", names(&files_below(&out))));
        assert!(String::from_utf8_lossy(&page).contains("Ties two threads."), "{command}");
    }
    assert!(!work.join("docs/compat").exists(), "parts of pages are no outputs");
}

#[test]
fn other_projects_are_used_and_not_documented() {
    let work = folder("others");
    let (own, other) = (work.join("own"), work.join("stone/include"));
    fs::create_dir_all(own.join("ops")).unwrap();
    fs::create_dir_all(other.join("stone")).unwrap();
    fs::write(
        other.join("stone/Stone.td"),
        "include \"mlir/IR/OpBase.td\"\ndef Stone_Dialect : Dialect { let name = \"stone\"; let cppNamespace = \"::stone\"; }\n\
         def Stone_RollOp : Op<Stone_Dialect, \"roll\">;\n",
    )
    .unwrap();
    let ops = "include \"stone/Stone.td\"\ndef My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
               def My_ThrowOp : Op<My_Dialect, \"throw\">;\n";
    fs::write(own.join("ops/MyOps.td"), ops).unwrap();
    let check = |out: &Path| {
        let files = files_below(out);
        let holds =
            |name: &str| files.iter().any(|(path, _)| path.starts_with("site/") && path.contains(name));
        assert!(holds("throw") && !holds("roll"), "{:?}", names(&files));
        assert!(names(&files).contains(&"cpp/ops/MyOps.h.inc"), "{:?}", names(&files));
    };
    // On the command line, as for mlir-tblgen.
    odsmith(&[Path::new("generate"), &own, Path::new("-I"), &other, Path::new("-o"), &work.join("one")]);
    check(&work.join("one"));
    // In the manifest.
    fs::write(own.join("odsmith.toml"), "[dependencies]\nstone = { path = \"../stone/include\" }\n").unwrap();
    odsmith(&[Path::new("generate"), &own, Path::new("-o"), &work.join("two")]);
    check(&work.join("two"));
    // By digest, from the cache, so that nothing is fetched.
    let archive = odsmith_tests::archive::gzip(&odsmith_tests::archive::tar(&[(
        "stone-1/include/stone/Stone.td".to_owned(),
        fs::read(other.join("stone/Stone.td")).unwrap(),
    )]));
    let digest: String = {
        use sha2::Digest;
        sha2::Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let cache = work.join("cache");
    fs::create_dir_all(cache.join("dependencies")).unwrap();
    fs::write(cache.join("dependencies").join(&digest), archive).unwrap();
    let manifest = format!(
        "[dependencies]\nstone = {{ url = \"https://stone.invalid/1.tar.gz\", sha256 = \"{digest}\", strip_prefix = \"stone-1/include\" }}\n"
    );
    fs::write(own.join("odsmith.toml"), manifest).unwrap();
    let generate = |out: &str| {
        let mut command = Command::new(set_up::odsmith());
        command.arg("generate").arg(&own).arg("-o").arg(work.join(out));
        command.env("ODSMITH_LIBRARY", set_up::library()).env("ODSMITH_CACHE", &cache).output().unwrap()
    };
    assert!(generate("three").status.success());
    check(&work.join("three"));
    // A damaged entry of the cache is fetched again, but no server answers here.
    fs::write(cache.join("dependencies").join(&digest), "x").unwrap();
    let output = generate("four");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && message.contains("dependency 'stone': https://stone.invalid"),
        "{message}"
    );
    // A link is as good as a folder.
    #[cfg(unix)]
    {
        fs::remove_file(own.join("odsmith.toml")).unwrap();
        std::os::unix::fs::symlink("../stone", own.join("third")).unwrap();
        odsmith(&[Path::new("generate"), &own, Path::new("-o"), &work.join("five")]);
        assert!(names(&files_below(&work.join("five"))).contains(&"cpp/ops/MyOps.h.inc"));
    }
}

/// The unchanged project, with `-DMLIR_DIR` of a folder that `odsmith cmake-shim` wrote.
#[test]
fn a_project_needs_no_change() {
    let Some(mlir) = cmake_files() else { return };
    let work = folder("shim");
    let shim = work.join("shim");
    let output = odsmith(&[Path::new("cmake-shim"), &shim, Path::new("--mlir-dir"), &mlir]);
    let place = shim.display();
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!("wrote 3 files to {place}\ncmake -S . -B build -DMLIR_DIR={place}\n")
    );
    for name in ["cmake", "wrapped"] {
        let (ours, theirs) = (work.join(name), work.join(format!("{name}-reference")));
        let text = configure(&project(name), &ours, "Ninja", &work.join("shim"), &[]);
        assert!(text.contains("-- Odsmith in the place of mlir-tblgen 22: "), "{text}");
        configure(&project(name), &theirs, "Ninja", &mlir, &[]);
        build(&ours);
        build(&theirs);
        assert!(
            fs::read_to_string(ours.join("build.ninja"))
                .unwrap()
                .contains("odsmith/mlir-tblgen -gen-op-decls")
        );
        assert!(outputs(&ours) == outputs(&theirs), "{name}: {:?}", names(&outputs(&ours)));
        // A build that runs odsmith is imported like any other.
        let import = |build: &Path| odsmith(&[Path::new("import"), build]).stdout;
        assert_eq!(String::from_utf8(import(&ours)).unwrap(), String::from_utf8(import(&theirs)).unwrap());
    }
    // A missing odsmith is an error, as the project named the shim's folder.
    let mut command = Command::new("cmake");
    command.arg("-S").arg(project("cmake")).arg("-B").arg(work.join("none"));
    command
        .arg(format!("-DMLIR_DIR={}", work.join("shim").display()))
        .arg("-DODSMITH_EXECUTABLE=/nonexistent");
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && message.contains("odsmith was not found"), "{message}");
}

/// `odsmith_generate` writes all outputs of a file in one job, again only if an input changes.
#[test]
fn all_outputs_of_a_target_in_one_job() {
    let Some(mlir) = cmake_files() else { return };
    let old = "cmake_minimum_required(VERSION 3.20)\ncmake_policy(SET CMP0116 OLD)\n";
    for (generator, policy) in [("Ninja", ""), ("Ninja", old), ("Unix Makefiles", "")] {
        let work = folder(&format!("one job {generator} {}", policy.len()));
        let (source, place) = (work.join("source"), work.join("build"));
        folder::copy(&project("cmake"), &source);
        let list = source.join("include/Garden/IR/CMakeLists.txt");
        fs::write(
            &list,
            "odsmith_generate(MLIRGardenOpsIncGen DEFINITIONS GardenOps.td\n  OUTPUT GardenOps.h.inc -gen-op-decls\n  \
             OUTPUT GardenOps.cpp.inc -gen-op-defs\n  OUTPUT GardenOpsTypes.h.inc -gen-typedef-decls -typedefs-dialect=garden)\n\
             add_dependencies(mlir-headers MLIRGardenOpsIncGen)\n",
        )
        .unwrap();
        let top = source.join("CMakeLists.txt");
        let text = fs::read_to_string(&top)
            .unwrap()
            .replace("include(AddMLIR)", "include(AddMLIR)\ninclude(Odsmith)");
        fs::write(top, policy.to_owned() + &text).unwrap();
        let module = format!(
            "-DCMAKE_MODULE_PATH={}",
            set_up::repository().join("service/integrations/cmake").display()
        );
        let program = format!("-DODSMITH_EXECUTABLE={}", set_up::odsmith().display());
        configure(&source, &place, generator, &mlir, &[&module, &program]);
        let log = build(&place);
        assert_eq!(log.matches("Generating from include/Garden/IR/GardenOps.td").count(), 1, "{log}");
        let made = |file: &str| fs::read(place.join("include/Garden/IR").join(file)).unwrap();
        for (file, flags) in [
            ("GardenOps.h.inc", &["-gen-op-decls"][..]),
            ("GardenOps.cpp.inc", &["-gen-op-defs"]),
            ("GardenOpsTypes.h.inc", &["-gen-typedef-decls", "-typedefs-dialect=garden"]),
        ] {
            let mut command = Command::new(set_up::reference_tools().join("mlir-tblgen"));
            command
                .args(flags)
                .arg("-I")
                .arg(source.join("include/Garden/IR"))
                .arg("-I")
                .arg(source.join("include"));
            command.args(["-I", set_up::library()]).arg(source.join("include/Garden/IR/GardenOps.td"));
            assert!(run(&mut command).stdout == made(file), "{file}");
        }
        // A build that has such a job is imported like any other.
        let import = odsmith(&[Path::new("import"), &place]).stdout;
        let import = String::from_utf8(import).unwrap();
        for output in ["GardenOps.h.inc", "GardenOps.cpp.inc", "GardenOpsTypes.h.inc"] {
            assert!(import.contains(&format!("path = \"{output}\"")), "{generator}: {output}: {import}");
        }
        // Nothing changed, so nothing is done.
        assert!(!build(&place).contains("Generating"));
        // A change of an included file runs it again.
        let included = source.join("include/Garden/IR/GardenInterfaces.td");
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let text = fs::read_to_string(source.join("include/Garden/IR/GardenDialect.td")).unwrap();
        fs::write(&included, fs::read_to_string(&included).unwrap()).unwrap();
        fs::write(source.join("include/Garden/IR/GardenDialect.td"), text.replace("::garden", "::yard"))
            .unwrap();
        assert!(build(&place).contains("Generating"));
        assert!(String::from_utf8_lossy(&made("GardenOps.h.inc")).contains("yard"));
        assert!(!build(&place).contains("Generating"));
    }
}
