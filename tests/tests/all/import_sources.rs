//! `odsmith import` of sources that no build was made of: the project's own functions, conditions, macros and tools.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{path::PathBuf, process::Command};

use odsmith_tests::{folder, set_up};

const OPS: &str = "include \"mlir/IR/OpBase.td\"\n\
                   def X_Dialect : Dialect { let name = \"x\"; let cppNamespace = \"::x\"; }\n\
                   def X_AOp : Op<X_Dialect, \"a\"> { let summary = \"A\"; }\n";
const TOP: &str = "cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES NONE)\n\
                   find_package(MLIR REQUIRED CONFIG)\ninclude(TableGen)\ninclude(AddMLIR)\n\
                   include_directories(${MLIR_INCLUDE_DIRS} ${CMAKE_CURRENT_SOURCE_DIR}/include)\n";

/// A project of a test, with what `odsmith import` prints for it.
struct Import {
    folder: PathBuf,
    manifest: String,
    messages: String,
}

fn import(name: &str, files: &[(&str, &str)]) -> Import {
    let folder = folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/import_sources"), name, files);
    let output = Command::new(set_up::odsmith()).arg("import").arg(&folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Import { folder, manifest: text(output.stdout), messages: text(output.stderr) }
}

impl Import {
    /// The roots and outputs of the manifest, without its other keys.
    fn outputs(&self) -> Vec<String> {
        let (mut td, mut folder) = ("", String::new());
        let mut outputs = Vec::new();
        for line in self.manifest.lines() {
            if let Some(value) = line.strip_prefix("td = ") {
                (td, folder) = (value.trim_matches('"'), String::new());
            } else if let Some(value) = line.strip_prefix("out-dir = ") {
                folder = format!("{}/", value.trim_matches('"'));
            } else if let Some(output) = line.trim().strip_prefix("{ path = ") {
                let (path, flags) = output.split_once(", flags = ").unwrap();
                let flags: String =
                    flags.chars().filter(|char| !"[]\" },".contains(*char) || *char == ' ').collect();
                outputs.push(format!("{td}: {folder}{} {}", path.trim_matches('"'), flags.trim()));
            }
        }
        assert!(!outputs.is_empty(), "{}", self.messages);
        outputs
    }
}

#[test]
fn calls_in_functions_of_the_project() {
    let list = TOP.to_owned()
        + "function(my_tablegen ofn)
  set(exe ${MLIR_TABLEGEN_EXE})
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${ofn}
    COMMAND ${exe} ${ARGN} -I ${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/${MY_DEFS} -o ${CMAKE_CURRENT_BINARY_DIR}/${ofn})
endfunction()
set(MY_DEFS include/X/XOps.td)
my_tablegen(XOps.h.inc -gen-op-decls)
find_program(TOOL NAMES mlir-tblgen HINTS ${LLVM_TOOLS_BINARY_DIR})
macro(other defs)
  cmake_parse_arguments(ARG \"QUIET\" \"OUT\" \"FLAGS\" ${ARGN})
  if(NOT ARG_OUT)
    set(ARG_OUT default.inc)
  endif()
  if(DEFINED ARG_FLAGS)
    list(GET ARG_FLAGS 0 first)
    add_custom_target(gen_${ARG_OUT}
      COMMAND ${TOOL} ${first} ${EXTRA} -I../include ${defs} > made/${ARG_OUT}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include)
  endif()
endmacro()
other(X/XOps.td OUT B.inc FLAGS -gen-op-defs -never)
other(X/XOps.td FLAGS -gen-op-doc)
other(X/XOps.td OUT none.inc)
file(GLOB tds RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} include/X/*Ops.td)
foreach(td IN LISTS tds)
  get_filename_component(name ${td} NAME_WE)
  set(LLVM_TARGET_DEFINITIONS ${td})
  cmake_language(CALL mlir_tablegen ${name}.md -gen-dialect-doc)
endforeach()
";
    let import = import("functions", &[("CMakeLists.txt", &list), ("include/X/XOps.td", OPS)]);
    assert_eq!(
        import.outputs(),
        [
            "include/X/XOps.td: XOps.h.inc -gen-op-decls",
            "include/X/XOps.td: include/made/B.inc -gen-op-defs",
            "include/X/XOps.td: include/made/default.inc -gen-op-doc",
            "include/X/XOps.td: XOps.md -gen-dialect-doc",
        ]
    );
    assert!(
        import.messages.contains("warning: '${EXTRA}' is not known: it is taken as empty"),
        "{}",
        import.messages
    );
}

#[test]
fn conditions_that_the_sources_decide() {
    let function = "function(add_x name)
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${name}.td)
    set(LLVM_TARGET_DEFINITIONS ${name}.td)
  elseif(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${name}Ops.td)
    set(LLVM_TARGET_DEFINITIONS ${name}Ops.td)
  else()
    set(LLVM_TARGET_DEFINITIONS ${name}Dialect.td)
  endif()
  mlir_tablegen(${name}.h.inc -gen-op-decls)
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${name}Enums.td OR IS_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/none)
    set(LLVM_TARGET_DEFINITIONS ${name}Enums.td)
    mlir_tablegen(${name}Enums.h.inc -gen-enum-decls)
  endif()
  if(NOT TARGET ${name}IncGen AND NOT DEFINED ARGV1)
    add_custom_target(${name}IncGen)
    mlir_tablegen(${name}.cpp.inc -gen-op-defs)
  endif()
endfunction()
";
    let list = TOP.to_owned() + "include(cmake/Add.cmake)\nadd_subdirectory(include/X)\n";
    let import = import(
        "conditions",
        &[
            ("CMakeLists.txt", &list),
            ("cmake/Add.cmake", function),
            (
                "include/X/CMakeLists.txt",
                "add_x(X)\nadd_x(X)\nset(LLVM_TARGET_DEFINITIONS Gone.td)\nmlir_tablegen(Gone.inc -gen-op-decls)\n",
            ),
            ("include/X/XOps.td", OPS),
        ],
    );
    assert_eq!(
        import.outputs(),
        [
            "include/X/XOps.td: include/X/X.h.inc -gen-op-decls",
            "include/X/XOps.td: include/X/X.cpp.inc -gen-op-defs",
        ]
    );
    assert!(
        !import.manifest.contains("Dialect.td") && !import.manifest.contains("Enums"),
        "{}",
        import.manifest
    );
    assert!(
        import.messages.contains("there is no 'include/X/Gone.td': 'include/X/Gone.inc' is left out"),
        "{}",
        import.messages
    );
}

#[test]
fn outputs_of_another_program() {
    let list = TOP.to_owned()
        + "set(LLVM_TARGET_DEFINITIONS include/X/XOps.td)
mlir_tablegen(XOps.h.inc -gen-op-decls)
set(X_TABLEGEN_EXE x-tblgen)
set(X_TABLEGEN_TARGET \"\")
tablegen(X XTable.inc -gen-x-table)
add_custom_command(OUTPUT XOther.inc COMMAND y-tblgen --odd include/X/XOps.td -o XOther.inc)
add_public_tablegen_target(XIncGen)
";
    let import = import("tools", &[("CMakeLists.txt", &list), ("include/X/XOps.td", OPS)]);
    assert_eq!(import.outputs(), ["include/X/XOps.td: XOps.h.inc -gen-op-decls"]);
    for note in
        ["note: 1 output is x-tblgen's and is left to it: XTable.inc\n", "there is no 'include/X/XOps.td'"]
    {
        let is_said = import.messages.contains(note);
        assert_eq!(is_said, note.starts_with("note"), "{}", import.messages);
    }
    assert!(!import.messages.contains("did you mean"), "{}", import.messages);
    std::fs::write(import.folder.join("odsmith.toml"), &import.manifest).unwrap();
    let mut generate = Command::new(set_up::odsmith());
    generate
        .arg("generate")
        .arg(&import.folder)
        .arg("-o")
        .arg(import.folder.join("out"))
        .arg("--outputs-only");
    let output = generate.env("ODSMITH_LIBRARY", set_up::library()).output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && !messages.contains("error"), "{messages}");
    assert!(import.folder.join("out/XOps.h.inc").is_file());
}

#[test]
fn builds_that_run_odsmith() {
    let list = TOP.to_owned() + "include(Odsmith)\nadd_subdirectory(include/X)\n";
    let import = import(
        "generate",
        &[
            ("CMakeLists.txt", &list),
            (
                "include/X/CMakeLists.txt",
                "odsmith_generate(XIncGen DEFINITIONS XOps.td INCLUDES ../more\n  OUTPUT XOps.h.inc -gen-op-decls\n  \
                 OUTPUT XOps.md -gen-dialect-doc -dialect=x)\n",
            ),
            ("include/X/XOps.td", OPS),
            ("include/more/Y.td", ""),
        ],
    );
    assert_eq!(
        import.outputs(),
        [
            "include/X/XOps.td: include/X/XOps.h.inc -gen-op-decls",
            "include/X/XOps.td: include/X/XOps.md -gen-dialect-doc -dialect=x",
        ]
    );
    assert!(import.manifest.contains("\"include/more\""), "{}", import.manifest);
}

#[test]
fn macros_of_bazel() {
    let defs = "load(\"@llvm-project//mlir:tblgen.bzl\", \"gentbl_cc_library\")

def toy_dialect(name, td):
    gentbl_cc_library(
        name = name + \"_inc_gen\",
        tbl_outs = {
            name + \"Ops.h.inc\": [\"-gen-op-decls\"],
            name + \"Ops.cpp.inc\": [\"-gen-op-defs\"],
        },
        tblgen = \"@llvm-project//mlir:mlir-tblgen\",
        td_file = td,
        deps = [\"@toy//lib:td\"],
    )
";
    let build = "load(\"@toy//lib:defs.bzl\", \"toy_dialect\")\n
td_library(name = \"td\", includes = [\"..\", \"../..\"])\ntoy_dialect(\n    name = \"X\",\n    td = \"XOps.td\",\n)\n";
    let import = import(
        "bazel",
        &[
            ("MODULE.bazel", "module(name = \"toy\", version = \"1.0\")\n"),
            ("lib/BUILD.bazel", build),
            ("lib/defs.bzl", defs),
            ("lib/XOps.td", OPS),
        ],
    );
    assert_eq!(
        import.outputs(),
        ["lib/XOps.td: lib/XOps.h.inc -gen-op-decls", "lib/XOps.td: lib/XOps.cpp.inc -gen-op-defs"]
    );
    assert!(!import.manifest.contains("[dependencies]"), "{}", import.manifest);
    assert!(
        import.messages.contains("holds the project itself: the include folder is left out"),
        "{}",
        import.messages
    );
}

#[test]
fn what_is_left_out_of_sources_is_said() {
    let list = TOP.to_owned()
        + "set(LLVM_TARGET_DEFINITIONS include/X/XOps.td)
if(WIN32)
  mlir_tablegen(Win.inc -gen-op-decls)
else()
  mlir_tablegen(Ops.inc -gen-op-decls)
endif()
add_custom_command(OUTPUT A.inc COMMAND ${MLIR_TABLEGEN_EXE} -gen-op-defs -I ${MLIR_INCLUDE_DIRS} ${CMAKE_SOURCE_DIR}/include/X/XOps.td -o A.inc)
add_custom_command(OUTPUT B.inc COMMAND x-tblgen -gen-op-defs XOps.td -o B.inc)
add_custom_target(last COMMAND x
";
    let import = import("left-out", &[("CMakeLists.txt", &list), ("include/X/XOps.td", OPS)]);
    assert_eq!(
        import.outputs(),
        ["include/X/XOps.td: Ops.inc -gen-op-decls", "include/X/XOps.td: A.inc -gen-op-defs"]
    );
    let messages = &import.messages;
    assert!(
        messages.contains("'XOps.td' is a file of the build's folder: its output is left out"),
        "{messages}"
    );
    assert!(messages.contains("this command has no ')'") && !messages.contains("no-build"), "{messages}");
    assert!(messages.contains("2 outputs of 2 roots, 2 warnings"), "{messages}");
}
