//! Plugins on the command line: modules and programs as generators of `tblgen` and `generate`.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

use odsmith_tests::{
    Run,
    folder::TestFolder,
    plugins::{PYTHON, answering, asking, module, printing},
    reference, set_up,
};

const INPUT: &str = "class Animal<int n> { int legs = n; string sound = \"\"; }\ndef Dog : Animal<4>;\n\
                     def Bird : Animal<2> { let sound = \"tweet\"; }\ndef Stone;\n";

/// A program that lists the defs of a class, with the options that it was given.
const LISTING: &str = "
if 'records' not in request:
    answer(needs={'classes': ['Animal'], 'fields': ['legs']})
records = request['records']
lines = [request['generator'], str([[o['name'], o['value']] for o in request['options']]), request['root']]
for name in records['!instanceof']['Animal']:
    lines.append(f\"{name} {records[name]['legs']} {'sound' in records[name]}\")
lines.append(str(sorted(records)))
answer(files=[{'name': request['outputs'][0], 'text': '\\n'.join(lines) + '\\n'}])
";

fn program(folder: &TestFolder, path: &str, text: &str) {
    let place = folder.write(path, format!("{PYTHON}{text}"));
    fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
}

fn odsmith(folder: &Path, words: &[&str]) -> Run {
    reference::program(set_up::odsmith(), folder, words)
}

fn message(run: &Run) -> String {
    String::from_utf8_lossy(&run.err).into_owned()
}

#[test]
fn a_program_is_a_generator_of_tblgen() {
    let folder = TestFolder::new("plugin-tblgen");
    folder.write("in/a.td", INPUT);
    program(&folder, "list.py", LISTING);
    let words = [
        "tblgen",
        "--plugin",
        "./list.py",
        "-gen-animals",
        "-dialect=zoo",
        "-own",
        "in/a.td",
        "-o",
        "a.txt",
        "-d",
        "a.d",
    ];
    let run = odsmith(&folder, &words);
    assert_eq!((run.status, message(&run)), (0, String::new()));
    assert_eq!(
        fs::read_to_string(folder.join("a.txt")).unwrap(),
        "gen-animals\n[['dialect', 'zoo'], ['own', '']]\na.td\nBird 2 False\nDog 4 False\n\
         ['!instanceof', '!tablegen_json_version', 'Bird', 'Dog']\n"
    );
    assert!(fs::read_to_string(folder.join("a.d")).unwrap().contains("list.py"), "a build sees the program");

    // MLIR's own generators stay, and without a generator the plugin is asked.
    let run = odsmith(&folder, &["tblgen", "--plugin", "list.py", "--print-records", "in/a.td"]);
    assert!(run.status == 0 && run.out.starts_with(b"------------- Classes"), "{}", message(&run));
    let run = odsmith(&folder, &["tblgen", "--plugin", "list.py", "in/a.td"]);
    assert!(run.out.starts_with(b"\n[]\na.td\n"), "{}", String::from_utf8_lossy(&run.out));
    let run = odsmith(&folder, &["tblgen", "--plugin", "none.py", "-gen-x", "in/a.td"]);
    assert!(
        run.status == 1 && message(&run).ends_with(" tblgen: none.py: No such file or directory\n"),
        "{}",
        message(&run)
    );
}

#[test]
fn the_manifest_has_the_plugins_of_a_build() {
    let folder = TestFolder::new("plugin-build");
    folder.write("src/a.td", INPUT);
    folder.write("odsmith.toml", "[plugins]\nanimals = \"tools/list.py\"\n");
    program(&folder, "tools/list.py", LISTING);
    let tool = folder.join("mlir-tblgen");
    symlink(set_up::odsmith(), &tool).unwrap();
    let arguments = ["-gen-animals", "-x=1", "src/a.td", "-o", "a.inc", "-d", "a.d"];
    let run = reference::program(&tool, &folder, &arguments);
    assert_eq!((run.status, message(&run)), (0, String::new()));
    assert!(
        fs::read_to_string(folder.join("a.inc")).unwrap().starts_with("gen-animals\n[['x', '1']]\na.td\n")
    );
    let depfile = fs::read_to_string(folder.join("a.d")).unwrap();
    assert!(depfile.contains("tools/list.py") && depfile.contains("odsmith.toml"), "{depfile}");
    // A generator that no plugin has is unknown.
    let run = reference::program(&tool, &folder, &["-gen-others", "src/a.td"]);
    assert_eq!(run.status, 1);
    assert!(
        message(&run).contains("Unknown command line argument '-gen-others'.  Try:"),
        "{}",
        message(&run)
    );
}

/// Modules and programs give the same bytes, with the same data.
#[test]
fn both_hosts_give_the_same() {
    let folder = TestFolder::new("plugin-hosts");
    folder.write("a.td", INPUT);
    let needs = r#"{"protocol":1,"needs":{"classes":["Animal"],"model":true}}"#;
    let made = r#"{"protocol":1,"files":[{"name":"a.txt","text":"one\ntwo é\n"}],"diagnostics":[
        {"severity":"warning","message":"has no sound","place":{"record":"Dog","field":"sound"}},
        {"severity":"warning","message":"is odd","place":{"file":"a.td","line":4,"column":5},
         "notes":[{"message":"this one","place":{"record":"Bird"}},{"message":"not there","place":{"record":"Cat"}}]}]}"#;
    folder.write("p.wasm", asking(needs, made));
    let text = format!("if 'records' not in request: write(r'''{needs}''')\nwrite(r'''{made}''')\n");
    program(&folder, "p.py", &text);
    let [module, program] = ["p.wasm", "p.py"].map(|plugin| {
        let run = odsmith(&folder, &["tblgen", "--plugin", plugin, "-gen-x", "a.td", "-o", "a.txt"]);
        (run.status, message(&run), fs::read(folder.join("a.txt")).unwrap())
    });
    assert_eq!(module, program);
    assert_eq!((module.0, &module.2[..]), (0, "one\ntwo é\n".as_bytes()));
    for part in [
        "a.td:1:44: warning: has no sound\n",
        "a.td:4:5: warning: is odd\ndef Stone;\n    ^\n",
        "a.td:3:5: note: this one\n",
        "note: not there\n",
        "note: the place is not in the definitions: Cat\n",
    ] {
        assert!(module.1.contains(part), "{part}: {}", module.1);
    }
}

/// The answers of plugins that do wrong, with a part of the message: as a module, and as a program.
const WRONG: &[(&str, &str, &str)] = &[
    (
        r#"{"protocol":1,"files":[{"name":"../x","text":""}]}"#,
        "it returns '../x', which was not asked for",
        "a path that leads out",
    ),
    (
        r#"{"protocol":1,"files":[{"name":"a.txt","text":"1"},{"name":"a.txt","text":"2"}]}"#,
        "it returns 'a.txt' twice",
        "a duplicate",
    ),
    (r#"{"protocol":1,"files":[]}"#, "it returns no 'a.txt'", "nothing"),
    (r#"{"protocol":2,"files":[]}"#, "it answers in version 2 of the protocol", "another version"),
    (
        r#"{"protocol":1,"file":[]}"#,
        "its answer is not of the form: unknown field `file`",
        "an unknown field",
    ),
    (r#"{"protocol":1,"#, "its answer is not of the form: EOF", "a part of an object"),
    (
        r#"{"protocol":1,"needs":{"model":true}}"#,
        "it asks for data a second time",
        "a question again and again",
    ),
    (
        r#"{"protocol":1,"files":[],"diagnostics":[{"message":"no"}]}"#,
        "error: a.td: no\n",
        "an error of its own",
    ),
];

/// A plugin that does wrong ends its own output with a message, and the others are made.
#[test]
fn faults_of_a_plugin_end_one_output() {
    let folder = TestFolder::new("plugin-faults");
    folder.write("a.td", INPUT);
    let mut cases: Vec<(Vec<u8>, String, &str, &str)> = Vec::new();
    for (answer, wanted, what) in WRONG {
        cases.push((answering(answer), format!("write(r'''{answer}''')\n"), wanted, what));
    }
    let start = |body: &str| module(&format!("(func (export \"_start\") {body})"));
    let grow = "(loop $more (br_if $more (i32.ne (memory.grow (i32.const 64)) (i32.const -1)))) unreachable";
    let long = "sys.stdout.buffer.write(b'hello')";
    for (module, program, wanted, what) in [
        (start("(loop $l (br $l))"), "while True: pass", "limit reached: ", "a loop"),
        (start(grow), "x = bytearray(1 << 28)", "plugin 'p': ", "memory"),
        (start("unreachable"), "import os\nos.abort()", "plugin 'p': it ", "a crash"),
        (start("(call $exit (i32.const 3))"), "sys.exit(3)", "it exited with code 3", "an exit code"),
        (start(""), "", "it wrote no answer", "silence"),
        (printing(b"hello", ""), long, "its answer begins with text in place of a length", "text"),
        (
            printing(b"\xff\0\0\0{}", ""),
            "sys.stdout.buffer.write(b'\\xff\\0\\0\\0{}')",
            "its answer ends after 2 of 255 bytes",
            "a wrong length",
        ),
        (
            printing(b"\x02\0\0\0{}\n", ""),
            "sys.stdout.buffer.write(b'\\2\\0\\0\\0{}\\n')",
            "it wrote 1 bytes after its answer",
            "more than an answer",
        ),
        (
            printing(b"\x04\0\0\0\"\xff\xff\"", "Ouch\n"),
            "sys.stderr.write('Ouch\\n')\nsys.stdout.buffer.write(b'\\4\\0\\0\\0\"\\xff\\xff\"')",
            "it wrote to standard error: Ouch",
            "bytes that are no UTF-8",
        ),
    ] {
        cases.push((module, format!("{program}\n"), wanted, what));
    }
    for (module, text, wanted, what) in cases {
        folder.write("p.wasm", module);
        program(&folder, "p.py", &text);
        // A machine under load starts programs slowly.
        let seconds = if what == "a loop" { 2 } else { 60 };
        for path in ["p.wasm", "p.py"] {
            let manifest = format!(
                "model = false\ndocs = {{ enabled = false }}\n[plugins.p]\npath = \"{path}\"\nseconds = {seconds}\n\
                 million-instructions = 20\nmemory-mb = 64\n[[target]]\ntd = \"a.td\"\nplugin = \"p\"\n\
                 outputs = [{{ path = \"a.txt\" }}, {{ path = \"b.txt\", flags = [\"--print-records\"] }}]\n"
            );
            folder.write("odsmith.toml", manifest);
            let _ = fs::remove_dir_all(folder.join("out"));
            let run = odsmith(&folder, &["generate", ".", "-o", "out", "--mlir=22"]);
            let said = message(&run);
            assert!(run.status == 1 && said.contains(wanted), "{what}, {path}: {said}");
            let made = folder.join("out/cpp");
            assert!(made.join("b.txt").is_file() && !made.join("a.txt").exists(), "{what}, {path}: {said}");
        }
    }
}

/// Limits of modules count instructions and bytes, so that they are reached at the same place everywhere.
#[test]
fn limits_have_messages_of_their_own() {
    let folder = TestFolder::new("plugin-limits");
    folder.write("a.td", INPUT);
    let start = |body: &str| module(&format!("(func (export \"_start\") {body})"));
    let grow = "(loop $more (br_if $more (i32.ne (memory.grow (i32.const 64)) (i32.const -1)))) unreachable";
    for (module, wanted) in [
        (start("(loop $l (br $l))"), "the plugin 'p': limit reached: work (at most 3000000 instructions)"),
        (start(grow), "the plugin 'p': limit reached: memory (at most 67108864 bytes)"),
        (
            wat_without_start(),
            "the plugin 'p': the module has no function '_start': build a command for wasm32-wasip1, no library",
        ),
        (b"\0asm\x01\0\0\0x".to_vec(), "the plugin 'p': it is no WebAssembly module: "),
    ] {
        folder.write("p.wasm", module);
        folder.write(
            "odsmith.toml",
            "[plugins.p]\npath = \"p.wasm\"\nmillion-instructions = 3\nmemory-mb = 64\n",
        );
        let run = odsmith(&folder, &["tblgen", "-gen-p", "a.td"]);
        assert!(run.status == 1 && message(&run).contains(wanted), "{wanted}: {}", message(&run));
    }
}

fn wat_without_start() -> Vec<u8> {
    module("(func (export \"main\"))")
}

/// A module sees no environment, files, clock or random numbers; its only argument is a word.
#[test]
fn a_module_sees_nothing() {
    let folder = TestFolder::new("plugin-hermetic");
    folder.write("a.td", INPUT);
    // Exits with the first answer that is not the expected one.
    let text = r#"(module
        (import "wasi_snapshot_preview1" "environ_sizes_get" (func $env (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "args_sizes_get" (func $args (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_prestat_get" (func $folder (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "path_open"
          (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory (export "memory") 1)
        (func $want (param i32 i32 i32)
          (if (i32.ne (local.get 0) (local.get 1)) (then (call $exit (local.get 2)))))
        (func (export "_start")
          (call $want (call $env (i32.const 0) (i32.const 4)) (i32.const 0) (i32.const 10))
          (call $want (i32.load (i32.const 0)) (i32.const 0) (i32.const 11))
          (call $want (call $args (i32.const 0) (i32.const 4)) (i32.const 0) (i32.const 12))
          (call $want (i32.load (i32.const 0)) (i32.const 1) (i32.const 13))
          (call $want (call $clock (i32.const 0) (i64.const 1) (i32.const 0)) (i32.const 58) (i32.const 14))
          (i32.store (i32.const 16) (i32.const -1))
          (call $want (call $random (i32.const 16) (i32.const 4)) (i32.const 0) (i32.const 15))
          (call $want (i32.load (i32.const 16)) (i32.const 0) (i32.const 16))
          (call $want (call $folder (i32.const 3) (i32.const 0)) (i32.const 8) (i32.const 17))
          (call $want
            (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0) (i64.const 0) (i64.const 0)
              (i32.const 0) (i32.const 0))
            (i32.const 8) (i32.const 18))
          (call $want (call $random (i32.const 65535) (i32.const 4)) (i32.const 28) (i32.const 19))
          (call $exit (i32.const 42))))"#;
    folder.write("p.wasm", wat::parse_str(text).unwrap());
    let run = odsmith(&folder, &["tblgen", "--plugin", "p.wasm", "a.td"]);
    assert!(message(&run).contains("it exited with code 42"), "{}", message(&run));
    let network = r#"(module (import "env" "connect" (func)) (func (export "_start")))"#;
    folder.write("p.wasm", wat::parse_str(network).unwrap());
    let run = odsmith(&folder, &["tblgen", "--plugin", "p.wasm", "a.td"]);
    assert!(
        message(&run).contains("the module imports 'env.connect', and a plugin has nothing but"),
        "{}",
        message(&run)
    );
}

/// A program sees its `PATH` alone, and whatever it started ends with it.
#[test]
fn a_program_is_stopped_with_what_it_started() {
    let folder = TestFolder::new("plugin-group");
    folder.write("a.td", INPUT);
    let text = "import os, subprocess\nopen('env.txt', 'w').write(' '.join(sorted(os.environ)))\n\
                child = subprocess.Popen(['sleep', '600'])\nopen('pid.txt', 'w').write(str(child.pid))\n\
                import time\ntime.sleep(600)\n";
    program(&folder, "bin/p.py", text);
    folder.write("odsmith.toml", "[plugins.p]\npath = \"bin/p.py\"\nseconds = 1\n");
    let mut command = Command::new(set_up::odsmith());
    command.args(["tblgen", "-gen-p", "a.td"]).current_dir(&*folder).env("SECRET", "1");
    let run = command.output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("the plugin 'p': limit reached: time (at most 1 seconds)"), "{said}");
    let seen = fs::read_to_string(folder.join("bin/env.txt")).unwrap();
    assert!(!seen.contains("SECRET") && !seen.contains("HOME"), "{seen}");
    let child = fs::read_to_string(folder.join("bin/pid.txt")).unwrap();
    let state = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

/// An output that is stored for later calls is made anew once its module changes.
#[test]
fn stored_outputs_know_the_module() {
    let folder = TestFolder::new("plugin-stored");
    folder.write("a.td", INPUT);
    let made = |text: &str, own: &str| {
        folder.write(
            "p.wasm",
            answering(&format!(r#"{{"protocol":1,"files":[{{"name":"output","text":"{text}"}}]}}"#)),
        );
        let mut command = Command::new(set_up::odsmith());
        command.args(["tblgen", "--plugin", "p.wasm", "-gen-p", own, "a.td"]).current_dir(&*folder);
        let run = command.env("ODSMITH_CACHE", folder.join("states")).output().unwrap();
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    for text in ["one", "one", "two", "two", "one"] {
        assert_eq!(made(text, "-own=1"), text);
    }
}

/// Commands that only examine a project leave its programs alone, and run its modules.
#[test]
fn commands_that_examine_run_no_program() {
    let folder = TestFolder::new("plugin-check");
    folder.write("a.td", INPUT);
    let target = "[[target]]\ntd = \"a.td\"\nplugin = \"p\"\noutputs = [{ path = \"a.txt\" }]\n";
    program(&folder, "p.py", "open('ran.txt', 'w')\nsys.exit(1)\n");
    folder.write("odsmith.toml", format!("[plugins]\np = \"p.py\"\n{target}"));
    let run = odsmith(&folder, &["check", ".", "--mlir=22"]);
    assert!(run.status == 0 && !folder.join("ran.txt").exists(), "{}", message(&run));
    let run = odsmith(&folder, &["generate", ".", "--mlir=22"]);
    assert!(run.status == 1 && folder.join("ran.txt").exists(), "{}", message(&run));
}

/// A template is filled with the model: as a whole, or for each definition of a kind.
#[test]
fn a_template_is_filled_with_the_model() {
    let folder = TestFolder::new("plugin-template");
    let text = "include \"mlir/IR/OpBase.td\"\ndef T : Dialect { let name = \"t\"; let cppNamespace = \"::t\"; }\n\
                class O<string n> : Op<T, n>;\ndef T_A : O<\"a\"> { let summary = \"x < y\"; }\ndef T_B : O<\"b\">;\n";
    folder.write("a.td", text);
    folder.write("ops.hbs", "{{name}} {{cpp_class}}{{#if summary}}: {{summary}}{{/if}}\n");
    folder.write("all.hbs", "{{#each operations}}{{mnemonic}};{{/each}}\n");
    let library = set_up::library();
    let filled = |words: &[&str]| {
        let run = odsmith(&folder, &[&["tblgen", "-I", library, "a.td"], words].concat());
        (String::from_utf8(run.out.clone()).unwrap(), message(&run))
    };
    assert_eq!(filled(&["--template", "ops.hbs", "--each", "operation"]).0, "t.a A: x < y\nt.b B\n");
    assert_eq!(filled(&["--template=all.hbs"]).0, "a;b;\n");
    let (_, said) = filled(&["--template", "ops.hbs", "--each", "op"]);
    assert!(said.contains("there is no kind 'op': it is one of attribute, constraint,"), "{said}");
    folder.write("bad.hbs", "a\n{{nane}}\n");
    let (_, said) = filled(&["--template", "bad.hbs", "--each", "operation"]);
    assert!(said.contains("the plugin 'bad.hbs': bad.hbs:2: "), "{said}");
    folder.write(
        "odsmith.toml",
        "model = false\ndocs = { enabled = false }\n[plugins]\nops = { template = \"ops.hbs\", each = \"operation\" }\n\
         [[target]]\ntd = \"a.td\"\noutputs = [{ path = \"ops.txt\", flags = [\"-gen-ops\"] }]\n",
    );
    let run = odsmith(&folder, &["generate", ".", "-o", "out", &format!("--library={library}")]);
    assert_eq!(run.status, 0, "{}", message(&run));
    assert_eq!(fs::read_to_string(folder.join("out/cpp/ops.txt")).unwrap(), "t.a A: x < y\nt.b B\n");
}

/// Runs a script of the tests with this program.
fn script(path: &str) -> (bool, String) {
    let mut command = Command::new("python3");
    command.arg(set_up::repository().join(path)).arg("--odsmith").arg(set_up::odsmith());
    let run = command.env("ODSMITH_LIBRARY", set_up::library()).output().unwrap();
    (run.status.success(), String::from_utf8_lossy(&run.stdout).into_owned() + &message_of(&run.stderr))
}

fn message_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Generators that projects have in C++, as plugins of at most half the lines: the bytes of LLVM's TableGen.
#[test]
fn ports_of_generators_in_cpp_make_the_same() {
    let (is_good, said) = script("tests/plugins/ports.py");
    assert!(is_good && said.matches("lines for").count() == 4, "{said}");
}

#[test]
fn dialects_load_as_irdl() {
    let opt = Path::new(set_up::library()).with_file_name("bin").join("mlir-opt");
    if opt.is_file() {
        let (is_good, said) = script("tests/plugins/irdl.py");
        assert!(is_good && said.contains("20 of 20 dialects load"), "{said}");
    }
}

/// A new plugin of each language passes its own test.
#[test]
fn the_kit_works_in_each_language() {
    for (lang, program) in [("python", "python3"), ("js", "node"), ("c", "cc"), ("rust", "cargo")] {
        if Command::new(program).arg("--version").output().is_err() {
            continue;
        }
        let folder = TestFolder::new("plugin-kit");
        let made = odsmith(&folder, &["plugin", "new", "names", "--lang", lang]);
        assert_eq!((made.status, made.err.ends_with(b"sh names/test.sh\n")), (0, true), "{}", message(&made));
        // The crates that this repository uses are on this machine.
        let lock = set_up::repository().join("Cargo.lock");
        if lang == "rust" {
            fs::copy(lock, folder.join("names/Cargo.lock")).unwrap();
        }
        let mut command = Command::new("sh");
        command.arg("names/test.sh").current_dir(&*folder).env("ODSMITH_LIBRARY", set_up::library());
        command.env("CARGO_NET_OFFLINE", "true").env_remove("CARGO_TARGET_DIR");
        let here = set_up::odsmith().parent().unwrap().to_owned();
        let path = std::env::join_paths(
            [here].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let run = command.env("PATH", path.unwrap()).output().unwrap();
        let said = message_of(&run.stdout) + &message_of(&run.stderr);
        assert!(run.status.success() && said.contains("twice: no errors"), "{lang}: {said}");
        let again = odsmith(&folder, &["plugin", "new", "names", "--lang", lang]);
        assert!(
            again.status == 2 && message(&again).contains("is there already: nothing is written"),
            "{lang}"
        );
    }
    let folder = TestFolder::new("plugin-kit-name");
    let wrong = odsmith(&folder, &["plugin", "new", "../x", "--lang", "c"]);
    assert!(wrong.status == 2 && message(&wrong).contains("is no name"), "{}", message(&wrong));
}

/// A generator that fails on unusual definitions, or makes something else each time, is found out.
#[test]
fn the_check_of_plugins_finds_faults() {
    let folder = TestFolder::new("plugin-faulty");
    let ask = "if 'records' not in request:\n    answer(needs={'classes': ['A'], 'fields': ['f']})\n";
    let made = "answer(files=[{'name': request['outputs'][0], 'text': text}])\n";
    program(
        &folder,
        "careless.py",
        &format!(
            "{ask}text = ''.join(request['records'][a]['f'].upper() for a in request['records']['!instanceof']['A'])\n{made}"
        ),
    );
    program(&folder, "random.py", &format!("import random\ntext = str(random.random())\n{made}"));
    program(&folder, "good.py", &format!("text = 'x'\n{made}"));
    program(&folder, "other.py", &format!("text = 'y'\n{made}"));
    let check = |words: &[&str]| {
        let run = odsmith(&folder, &[&["plugin", "check"], words].concat());
        (run.status, message(&run))
    };
    let (status, said) = check(&["careless.py", "--", "-gen-x"]);
    assert!(
        status == 1 && said.contains("error: unset texts: the plugin 'careless.py': it exited with code 1"),
        "{said}"
    );
    let (status, said) = check(&["random.py"]);
    assert!(status == 1 && said.contains("'random.py' makes something else the second time"), "{said}");
    assert_eq!(check(&["good.py"]), (0, "checked 1 input twice: no errors\n".to_owned()));
    let (status, said) = check(&["good.py", "--against", "other.py"]);
    assert!(status == 1 && said.contains("'other.py' and 'good.py' do not make the same"), "{said}");
}

/// A project with a generator of its own builds with CMake, whose file names it like those of MLIR.
#[test]
fn a_cmake_project_has_its_own_generator() {
    let config = Path::new(set_up::library()).with_file_name("lib/cmake/mlir");
    if !config.join("MLIRConfig.cmake").is_file() || Command::new("cmake").arg("--version").output().is_err()
    {
        return;
    }
    let folder = TestFolder::new("plugin-cmake");
    folder.write("include/Toy.td", INPUT);
    folder
        .write("tools/own.wasm", answering(r#"{"protocol":1,"files":[{"name":"Own.inc","text":"own\n"}]}"#));
    folder.write("odsmith.toml", "[plugins]\nown = \"tools/own.wasm\"\n");
    folder.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(own NONE)\nfind_package(MLIR REQUIRED CONFIG)\n\
         list(APPEND CMAKE_MODULE_PATH \"${MLIR_CMAKE_DIR}\" \"${LLVM_CMAKE_DIR}\")\n\
         include(TableGen)\ninclude(AddLLVM)\ninclude(AddMLIR)\ninclude_directories(${MLIR_INCLUDE_DIRS} include)\n\
         set(LLVM_TARGET_DEFINITIONS include/Toy.td)\nmlir_tablegen(Own.inc -gen-own -x=1)\n\
         add_public_tablegen_target(OwnIncGen)\n",
    );
    let run = odsmith(&folder, &["cmake-shim", "shim", "--mlir-dir", &config.to_string_lossy()]);
    assert_eq!(run.status, 0, "{}", message(&run));
    let shim = format!("-DMLIR_DIR={}", folder.join("shim").display());
    for words in [&["-S", ".", "-B", "build", &shim][..], &["--build", "build", "--target", "OwnIncGen"]] {
        let run = Command::new("cmake").args(words).current_dir(&*folder).output().unwrap();
        assert!(run.status.success(), "{}{}", message_of(&run.stdout), message_of(&run.stderr));
    }
    assert_eq!(fs::read_to_string(folder.join("build/Own.inc")).unwrap(), "own\n");
}
