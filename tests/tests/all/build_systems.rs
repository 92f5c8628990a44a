//! The integrations with Bazel, Meson, Ninja and Nix: each builds a project, and its outputs are those of mlir-tblgen.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{fs, path::Path, process::Command};

use odsmith_tests::{
    archive::{files_below, gzip, tar},
    folder::TestFolder,
    http::Service,
    set_up,
};

/// Runs a shell script in a new folder and returns the folder, or `None` if the program is missing.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn shell(name: &str, program: &str, server: &str, script: &str) -> Option<TestFolder> {
    if Command::new(program).arg("--version").output().is_err() {
        println!("skipped: there is no {program}");
        return None;
    }
    let folder = TestFolder::new(&format!("builds-{name}"));
    fs::create_dir_all(folder.join("bin")).unwrap();
    #[cfg(unix)]
    for program in ["odsmith", "odsmith-service"] {
        std::os::unix::fs::symlink(
            set_up::odsmith().with_file_name(program),
            folder.join("bin").join(program),
        )
        .unwrap();
    }
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-euc", script])
        .env("PATH", path)
        .env("SERVER", server)
        .env("INTEGRATIONS", set_up::repository().join("service/integrations"))
        .env("PROJECTS", set_up::tests_folder().join("fixtures/projects"))
        .env("SETUP", set_up::tests_folder().join("setup"))
        .env("ODSMITH_LIBRARY", set_up::library())
        .current_dir(&folder)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{script}\n{out}{err}");
    Some(folder)
}

/// The output of mlir-tblgen.
fn reference(td: &Path, includes: &[&Path], flags: &[&str]) -> Vec<u8> {
    let mut command = Command::new(set_up::reference_tools().join("mlir-tblgen"));
    command.args(flags).arg(td).args(["-I", set_up::library()]);
    for include in includes {
        command.arg("-I").arg(include);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// MLIR's rules under their own names. Bazel would fetch its rules for C++ and Java over a network, so stubs with their
/// names replace them.
#[test]
fn bazel() {
    let script = r##"
        cp -r "$PROJECTS/bazel" project
        # The load() is all that changes; what it does not know stays.
        sed -i 's#@llvm-project//mlir:tblgen.bzl#@odsmith//:tblgen.bzl#; /@llvm-project/d' project/kiln/*/BUILD.bazel
        cat > project/WORKSPACE <<EOF
local_repository(name = "odsmith", path = "$INTEGRATIONS/bazel")
load("@odsmith//:repositories.bzl", "odsmith_local_toolchain")
odsmith_local_toolchain(name = "odsmith_toolchain")
register_toolchains("@odsmith_toolchain//:toolchain")
EOF
        export HOME="$PWD/home"
        mkdir home
        odsmith plugin new own --lang python -o project/kiln/own >&2
        cat > project/kiln/own/BUILD.bazel <<EOF
load("@odsmith//:tblgen.bzl", "gentbl_filegroup")
gentbl_filegroup(
    name = "own",
    td_file = "test/input.td",
    tbl_outs = {"Own.txt": ["-gen-own"]},
    plugin = "generator.py",
    plugin_srcs = ["odsmith.py"],
)
EOF
        cd project
        bazel --batch --output_user_root="$PWD/../out" build --worker_verbose $(sh "$SETUP/bazel_rules.sh" ../rules) //kiln/... 2>../log
        # One process makes all outputs.
        grep -q "new .*TdGenerate .*worker" ../log || { cat ../log >&2; exit 1; }
        cp -rL bazel-bin/kiln/dialect ../made
        # A generator of the project's own.
        cmp bazel-bin/kiln/own/Own.txt kiln/own/test/expected.txt
        chmod -R u+w ../out
    "##;
    let Some(folder) = shell("bazel", "bazel", "", script) else { return };
    let project = set_up::tests_folder().join("fixtures/projects/bazel");
    let td = project.join("kiln/dialect/KilnOps.td");
    for (file, flags) in [
        ("KilnOps.h.inc", &["-gen-op-decls", "-op-shard-count=2"][..]),
        ("KilnOps.cpp.inc", &["-gen-op-defs", "-op-shard-count=2"]),
        ("KilnOpsDialect.h.inc", &["-gen-dialect-decls", "-dialect=kiln"]),
        ("KilnOpsDialect.cpp.inc", &["-gen-dialect-defs", "-dialect=kiln"]),
        ("KilnDialect.md", &["-gen-dialect-doc"]),
        ("KilnOps.md", &["-gen-op-doc"]),
    ] {
        let made = fs::read(folder.join("made").join(file)).unwrap_or_else(|_| panic!("no {file}"));
        assert!(made == reference(&td, &[&project], flags), "{file}");
    }
}

fn check_example(folder: &Path, made: &Path) {
    let include = folder.join("example/include");
    for (file, flags) in [
        ("FooOps.h.inc", &["-gen-op-decls"][..]),
        ("FooOps.cpp.inc", &["-gen-op-defs"]),
        ("FooOpsDialect.h.inc", &["-gen-dialect-decls", "-dialect=foo"]),
        ("FooOpsDialect.cpp.inc", &["-gen-dialect-defs", "-dialect=foo"]),
    ] {
        let made = fs::read(made.join(file)).unwrap_or_else(|_| panic!("no {file}"));
        assert!(made == reference(&include.join("Foo/FooOps.td"), &[&include], flags), "{file}");
    }
}

/// Nothing is built twice, and a change of an included file rebuilds its outputs; the build can be imported.
const AGAIN: &str = r#"
        ninja -C build | grep -q "no work to do"
        sleep 1.1
        sed -i 's/Loose/Screwed/' example/include/Foo/FooEnums.td
        if ninja -C build | grep -q "no work to do"; then exit 1; fi
        ninja -C build | grep -q "no work to do"
        odsmith import build > odsmith.toml
        test "$(grep -c 'path = ' odsmith.toml)" = 4
        cp odsmith.toml example/include
        odsmith generate example/include -o imported
        for file in FooOps.h.inc FooOps.cpp.inc FooOpsDialect.h.inc FooOpsDialect.cpp.inc; do
            cmp "imported/cpp/$file" "build/$file"
        done
"#;

#[test]
fn meson() {
    let script = r#"
        cp -r "$INTEGRATIONS/meson" "$INTEGRATIONS/example" .
        meson setup build meson
        ninja -C build
    "#;
    let Some(folder) = shell("meson", "meson", "", &format!("{script}{AGAIN}")) else { return };
    check_example(&folder, &folder.join("build"));
}

#[test]
fn ninja() {
    let script = r#"
        cp -r "$INTEGRATIONS/ninja" build
        cp -r "$INTEGRATIONS/example" .
        echo "mlir = $(odsmith library path 22)" > build/paths.ninja
        ninja -C build
    "#;
    let Some(folder) = shell("ninja", "ninja", "", &format!("{script}{AGAIN}")) else { return };
    check_example(&folder, &folder.join("build"));
}

#[test]
fn nix() {
    let service = Service::start(&[]);
    let bundle = gzip(&tar(&files_below(&set_up::tests_folder().join("fixtures/demo"))));
    let bundles = TestFolder::new("builds-bundle");
    let place = bundles.write("bundle.tar.gz", bundle);
    let script = r#"
        export HOME="$PWD/home" NIX_STORE_DIR="$PWD/store" NIX_STATE_DIR="$PWD/state" NIX_LOG_DIR="$PWD/log" NIX_CONF_DIR="$PWD/conf"
        mkdir -p home conf
        printf 'sandbox = false\nbuild-users-group =\nexperimental-features = nix-command flakes\n' > conf/nix.conf
        cp -r "$PROJECTS/cmake" project
        cp -r "$INTEGRATIONS/nix" nix
        odsmith="(import ./nix { program = \"$(readlink -f bin/odsmith)\"; library = \"$ODSMITH_LIBRARY\"; })"
        made=$(nix-build --no-out-link -E "$odsmith.generate { src = ./project; }")
        cp -rL "$made" made
        nix-instantiate --parse nix/package.nix > parsed
        nix flake metadata "path:$PWD/nix" | grep -q "without LLVM"
        # A result of a server, as a tree with one folder at its top.
        place=$(curl -sS -D - -o out.tar.gz --data-binary "@BUNDLE" "$SERVER/v1/generate" | tr -d '\r' | sed -n 's/^content-location: //p')
        hash=$(nix-prefetch-url --unpack --type sha256 "$SERVER$place.tar.gz?prefix=1" 2>prefetch)
        fetch() {
            nix-instantiate --eval --read-write-mode -E "$odsmith.fetch { server = \"$SERVER\"; key = \"${place##*/}\"; sha256 = \"$1\"; }"
        }
        fetched=$(fetch "$hash" | tr -d '"')
        mkdir unpacked
        tar -xzf out.tar.gz -C unpacked
        diff -r unpacked "$fetched"
        if fetch 0000000000000000000000000000000000000000000000000000 2>/dev/null; then exit 1; fi
        chmod -R u+w store made
    "#;
    let script = script.replace("BUNDLE", &place.display().to_string());
    let Some(folder) = shell("nix", "nix-build", &service.address(), &script) else { return };
    let include = set_up::tests_folder().join("fixtures/projects/cmake/include");
    let td = include.join("Garden/IR/GardenOps.td");
    let made = fs::read(folder.join("made/cpp/include/Garden/IR/GardenOps.h.inc")).unwrap();
    assert!(made == reference(&td, &[&include, &include.join("Garden/IR")], &["-gen-op-decls"]));
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&folder).status();
}
