//! `odsmith library` as a process: MLIR's definitions by release, taken from folders and archives.

#![expect(clippy::print_stderr, reason = "a test says what it left out")]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

use odsmith_engine::{
    library::table::{self, ReleaseFiles},
    release::Release,
};
use odsmith_tests::{
    archive::{File, files_below, gzip, tar, zip},
    set_up,
};
use sha2::{Digest, Sha256};

/// A user with an empty cache and without the machine's installations.
struct Machine(PathBuf);

impl Machine {
    fn new(name: &str) -> Machine {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Machine(folder)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(set_up::odsmith());
        command
            .current_dir(&self.0)
            .env("ODSMITH_CACHE", self.0.join("cache"))
            .env("ODSMITH_NO_INSTALLED", "1");
        for variable in ["ODSMITH_LIBRARY", "ODSMITH_MLIR", "MLIR_PREFIX", "MLIR_DIR", "VIRTUAL_ENV"] {
            command.env_remove(variable);
        }
        command
    }

    fn library(&self, arguments: &[&str]) -> Output {
        self.command().arg("library").args(arguments).output().expect("odsmith starts")
    }

    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.library(arguments);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {messages}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.library(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

#[test]
fn what_is_added_is_found_packed_and_added_again() {
    let machine = Machine::new("round");
    assert!(machine.succeed(&["list"]).contains("odsmith library add"));
    assert!(machine.refused(&["path", "22"]).contains("help: odsmith library add 22"));
    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let place = machine.succeed(&["path", "22"]);
    assert!(Path::new(place.trim()).join("mlir/IR/OpBase.td").is_file());
    assert!(machine.succeed(&["list"]).contains("the cache"));
    // The same bytes each time, and another machine accepts them.
    machine.succeed(&["pack", "22", "-o", "one.tar.zst"]);
    machine.succeed(&["pack", "22", "-o", "two.tar.zst"]);
    let [one, two] =
        ["one.tar.zst", "two.tar.zst"].map(|name| fs::read(machine.0.join(name)).expect("a pack"));
    assert!(one == two, "a second pack has other bytes");
    let other = Machine::new("other");
    let pack = machine.0.join("one.tar.zst").display().to_string();
    other.succeed(&["add", "22", "--from", &pack]);
    let [theirs, ours] = [&other, &machine]
        .map(|machine| machine.succeed(&["identify", machine.succeed(&["path", "22"]).trim()]));
    assert_eq!(theirs, ours);
    assert!(ours.starts_with("MLIR 22, by what it defines"), "{ours}");
}

#[test]
fn results_do_not_depend_on_what_else_is_installed() {
    let machine = Machine::new("ways");
    let bundle = machine.0.join("bundle");
    fs::create_dir_all(&bundle).expect("a folder");
    let text = "include \"mlir/IR/OpBase.td\"\ndef Way_Dialect : Dialect { let name = \"way\"; }\n";
    fs::write(bundle.join("Way.td"), text).expect("a file");
    // An installation, with LLVM's files beside MLIR's.
    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let plain = machine.succeed(&["path", "22"]);
    let pack = machine.0.join("22.tar.zst");
    machine.succeed(&["pack", "22", "-o", "22.tar.zst"]);
    let installed = machine.0.join("installed/include");
    copy(Path::new(plain.trim()), &installed);
    fs::create_dir_all(installed.join("llvm/IR")).expect("a folder");
    fs::write(installed.join("llvm/IR/Other.td"), "def Other;\n").expect("a file");
    // A wheel, with only some of MLIR's files.
    let wheel = machine.0.join("venv/lib/python3.11/site-packages/mlir/_mlir_libs/include");
    copy(Path::new(plain.trim()), &wheel);
    fs::remove_dir_all(wheel.join("mlir/Reducer")).expect("a folder of the library");
    let made = |out: &str, library: Option<&Path>, environment: Option<&Path>| {
        let mut command = machine.command();
        command.args(["generate", "bundle", "--out", out]).env("ODSMITH_CACHE", machine.0.join("empty"));
        command.args(library.map(|place| format!("--library={}", place.display())));
        command.envs(environment.map(|place| ("VIRTUAL_ENV", place)));
        let output = command.output().expect("odsmith starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(machine.0.join(out)).expect("an archive")
    };
    let first = made("one.tar.gz", Some(&installed), None);
    assert!(first == made("two.tar.gz", Some(&pack), None), "a packed library gives another archive");
    let venv = machine.0.join("venv");
    assert!(first == made("three.tar.gz", None, Some(&venv)), "a wheel's library gives another archive");
    // Files that are read count.
    fs::write(bundle.join("Way.td"), format!("include \"llvm/IR/Other.td\"\n{text}")).expect("a file");
    let with = made("four.tar.gz", Some(&installed), None);
    fs::write(installed.join("llvm/IR/Other.td"), "def Others;\n").expect("a file");
    assert!(
        with != made("five.tar.gz", Some(&installed), None),
        "a file that is read has no part in the name"
    );
}

#[test]
fn the_first_place_is_taken_and_another_release_never_silently() {
    let machine = Machine::new("order");
    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let cached = machine.succeed(&["path", "22"]);
    let wheel = machine.0.join("venv/lib/python3.11/site-packages/mlir/include");
    copy(Path::new(cached.trim()), &wheel);
    let run = |words: &[&str], variables: &[(&str, &Path)]| {
        let output = machine.command().args(words).envs(variables.iter().copied()).output();
        let output = output.expect("odsmith starts");
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let [list, _] = run(&["library", "list"], &[("VIRTUAL_ENV", &machine.0.join("venv"))]);
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert!(rows[0].contains("VIRTUAL_ENV") && rows[0].ends_with("(taken)"), "{list}");
    assert!(rows[1].contains("the cache") && rows[1].contains("not taken"), "{list}");
    let named = Path::new(cached.trim());
    let [list, _] = run(&["library", "list"], &[("ODSMITH_LIBRARY", named), ("MLIR_DIR", &wheel)]);
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert!(rows[0].contains("ODSMITH_LIBRARY") && rows[1].contains("MLIR_DIR"), "{list}");
    fs::write(machine.0.join("a.td"), "def A;\n").expect("a file");
    let place = format!("--library={}", named.display());
    let [_, message] = run(&["check", ".", &place, "--mlir=21"], &[]);
    assert!(
        message.contains("MLIR 21's .td files are not here; --library names those of MLIR 22"),
        "{message}"
    );
    let [_, message] = run(&["check", ".", &format!("--library=21={}", named.display())], &[]);
    assert!(message.contains("as MLIR 21, and it is MLIR 22"), "{message}");
}

/// The library's files below a folder, as a distributor packs them.
fn placed(files: &[File], folder: &str) -> Vec<File> {
    let place = |(path, bytes): &File| (format!("{folder}/{path}"), bytes.clone());
    files.iter().map(place).collect()
}

/// Makes a Debian package, which is an `ar` archive.
fn deb(data: &[u8]) -> Vec<u8> {
    let mut package = b"!<arch>\n".to_vec();
    for (name, bytes) in [("debian-binary", &b"2.0\n"[..]), ("data.tar.gz", data)] {
        let length = bytes.len();
        package.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{length:<10}`\n", 0, 0, 0, 100_644).bytes());
        package.extend(bytes);
        package.extend(vec![b'\n'; length % 2]);
    }
    package
}

/// Serves a file on this machine; the first response is cut off in the middle.
fn serve(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/llvm.tar.gz", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a client");
            let mut head = String::new();
            for line in BufReader::new(stream.try_clone().expect("a socket")).lines().map_while(Result::ok) {
                if line.is_empty() {
                    break;
                }
                head += &format!("{line}\n");
            }
            let from = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                let range = value.strip_prefix("bytes=").filter(|_| name.eq_ignore_ascii_case("range"))?;
                range.strip_suffix('-')?.parse::<usize>().ok()
            });
            let start = from.unwrap_or(0);
            let status = if from.is_some() { "206 Partial Content" } else { "200 OK" };
            let length = bytes.len() - start;
            let end = if number == 0 { bytes.len() / 2 } else { bytes.len() };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes[start..end]));
        }
    });
    address
}

/// LLVM's definitions give the same files in each form in which they are distributed.
#[test]
fn a_library_is_taken_from_every_form_that_it_comes_in() {
    let machine = Machine::new("forms");
    let is_definition = |(path, _): &File| path.ends_with(".td");
    let mlir: Vec<File> = files_below(&Path::new(set_up::library()).join("mlir"))
        .into_iter()
        // Longer names take extra entries in a tar.
        .filter(|file| is_definition(file) && file.0.len() < 68)
        .map(|(path, bytes)| (format!("mlir/{path}"), bytes))
        .collect();
    let licence = ("LICENSE.TXT".to_owned(), b"a licence\n".to_vec());
    let write = |name: &str, bytes: &[u8]| {
        fs::write(machine.0.join(name), bytes).expect("a file");
        name.to_owned()
    };
    let unpack = |name: &str, files: &[File]| {
        for (path, bytes) in files {
            let place = machine.0.join(name).join(path);
            fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            fs::write(place, bytes).expect("a file");
        }
        name.to_owned()
    };
    // A release's sources also have tests and other projects.
    let mut sources = placed(&mlir, "src/mlir/include");
    sources.push(("src/mlir/test/mlir-tblgen/op.td".to_owned(), b"def NoLibrary;\n".to_vec()));
    sources.push(("src/LICENSE.TXT".to_owned(), licence.1.clone()));
    let checkout: Vec<File> =
        sources.iter().map(|(path, bytes)| (path.replacen("src/", "", 1), bytes.clone())).collect();
    let archive = gzip(&tar(&sources));
    let forms = [
        ("a source archive", write("llvm.tar.gz", &archive)),
        (
            "a Debian package",
            write("mlir.deb", &deb(&gzip(&tar(&placed(&mlir, "./usr/lib/llvm-22/include"))))),
        ),
        ("a wheel", write("mlir.whl", &zip(&placed(&mlir, "mlir/_mlir_libs/include")))),
        ("an installation", unpack("installed", &placed(&mlir, "lib/llvm-22/include"))),
        ("a prefix", unpack("prefix", &placed(&mlir, "include"))),
        ("a checkout", unpack("checkout", &checkout)),
    ];
    let kept = machine.0.join("cache/mlir-22");
    let check = |form: &str| {
        let files: Vec<File> = files_below(&kept.join("include")).into_iter().filter(is_definition).collect();
        assert!(files == mlir, "{form} gives other files");
        fs::remove_dir_all(&kept).expect("what was added");
    };
    for (form, place) in forms {
        machine.succeed(&["add", "22", "--from", &place]);
        if form == "a source archive" {
            assert_eq!(fs::read(kept.join("LICENSE.TXT")).expect("a licence"), licence.1);
        }
        check(form);
    }
    // A download that is cut off is resumed; its digest is checked.
    let address = serve(archive.clone());
    let message = machine.refused(&["add", "22", "--from", &address]);
    assert!(message.contains("the next call goes on"), "{message}");
    let message = machine.refused(&["add", "22", "--from", &address, "--sha256", &"0".repeat(64)]);
    assert!(message.contains("has the SHA-256"), "{message}");
    let digest: String = Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
    machine.succeed(&["add", "22", "--from", &address, "--sha256", &digest]);
    check("an address");
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (place, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        if place.is_dir() {
            copy(&place, &to.join(name));
        } else {
            fs::copy(&place, to.join(name)).expect("a file");
        }
    }
}

/// The include folder of a release, if it is available.
fn include_of(release: Release) -> Option<PathBuf> {
    if release == Release::default() {
        return Some(set_up::library().into());
    }
    let found = set_up::release(release.name(), "library").map(|prefix| prefix.join("include"));
    if found.is_none() {
        eprintln!("MLIR {release} is not here: what is about it was not tested");
    }
    found
}

/// The definitions of a release, by their paths in an include folder.
fn definitions_of(release: Release) -> Option<BTreeMap<String, Vec<u8>>> {
    let files = files_below(&include_of(release)?.join("mlir"));
    let definitions = files.into_iter().filter(|(path, _)| path.ends_with(".td"));
    Some(definitions.map(|(path, bytes)| (format!("mlir/{path}"), bytes)).collect())
}

fn write_files(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    let _ = fs::remove_dir_all(folder);
    for (path, bytes) in files {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, bytes).expect("a file");
    }
}

/// Each known library is recognised, and so are one with files of a neighbour, and one after all of them.
#[test]
fn libraries_are_recognised_by_what_they_define() {
    let machine = Machine::new("recognised");
    let include = machine.0.join("include");
    let identify = |files: &BTreeMap<String, Vec<u8>>| {
        write_files(&include, files);
        machine.succeed(&["identify", include.to_str().expect("UTF-8")])
    };
    let all: Vec<(Release, BTreeMap<String, Vec<u8>>)> =
        Release::ALL.iter().filter_map(|release| Some((*release, definitions_of(*release)?))).collect();
    for (release, files) in &all {
        let text = identify(files);
        assert!(text.starts_with(&format!("MLIR {}, by what it defines", release.label())), "{text}");
    }
    // A file of ten comes from the neighbour.
    let neighbours = |one: Release, other: Release| {
        Release::ALL.windows(2).any(|pair| pair.contains(&one) && pair.contains(&other))
    };
    for pair in all.windows(2).filter(|pair| neighbours(pair[0].0, pair[1].0)) {
        for (own, other) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
            for offset in [0, 5] {
                let mut files = own.1.clone();
                for (path, bytes) in other.1.iter().skip(offset).step_by(10) {
                    if let Some(own) = files.get_mut(path) {
                        own.clone_from(bytes);
                    }
                }
                let text = identify(&files);
                let [one, two] = [own.0.min(other.0), own.0.max(other.0)];
                assert!(text.contains("mix of") && text.contains("between"), "{one} {two}: {text}");
                assert!(text.contains(&format!("; it is read as MLIR {}, and", own.0)), "{text}");
                assert!(text.contains(&format!("s from MLIR {two} ")), "{text}");
            }
        }
    }
    let [(newest, files), (before, earlier), ..] = &all[..] else { return };
    if *newest == Release::newest() {
        let differing =
            earlier.iter().filter(|(path, bytes)| files.get(*path).is_some_and(|own| own != *bytes));
        let mut between = files.clone();
        between.extend(differing.take(20).map(|(path, bytes)| (path.clone(), bytes.clone())));
        let text = identify(&between);
        let expected =
            format!("between MLIR {before} and {newest}, or a mix of them (20 of {} files", files.len());
        assert!(text.starts_with(&expected), "{text}");
        for (path, more) in [
            ("mlir/IR/OpBase.td", "class AfterAllReleases<int x> { int y = x; }\n"),
            ("mlir/IR/AfterAllReleases.td", "class AfterAllReleases;\n"),
        ] {
            let mut after = files.clone();
            after.entry(path.to_owned()).or_default().extend(more.bytes());
            let text = identify(&after);
            assert!(text.starts_with(&format!("newer than MLIR {}", newest.label())), "{text}");
            assert!(text.contains(path), "{text}");
        }
        let mut field = files.clone();
        let dialects = field.get_mut("mlir/IR/DialectBase.td").expect("a file");
        let text = String::from_utf8(dialects.clone()).expect("UTF-8");
        *dialects = text.replace("class Dialect {", "class Dialect {\n  bit isAfterAll = 1;").into_bytes();
        assert!(identify(&field).starts_with("newer than MLIR"));
    }
    // Comments define nothing, and some installations have only some of the files.
    let (_, files) = all.iter().find(|(release, _)| *release == Release::default()).expect("the set-up's");
    let mut commented = files.clone();
    commented.get_mut("mlir/IR/OpBase.td").expect("a file").extend(b"// a comment\n");
    assert!(identify(&commented).starts_with("MLIR 22, by"));
    let core = files.iter().filter(|(path, _)| !path.starts_with("mlir/Dialect/"));
    let core = core.map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
    assert!(identify(&core).starts_with("MLIR 22, by"));
}

/// The tables of definitions are what the set-up's program writes.
#[test]
fn tables_of_definitions_are_those_of_the_libraries() {
    let libraries: Vec<ReleaseFiles> =
        Release::ALL.iter().rev().filter_map(|release| Some((*release, definitions_of(*release)?))).collect();
    if libraries.len() < Release::ALL.len() {
        return;
    }
    let folder = set_up::repository().join("engine/release/src");
    for (name, written) in
        [("markers.txt", table::write(&libraries)), ("names.txt", table::names(&libraries))]
    {
        let committed = fs::read_to_string(folder.join(name)).expect("a table");
        assert!(committed == written, "{name} is not what tests/setup/markers.sh writes");
    }
}

/// A library that is no known release is read as the nearest, and each command says so once.
#[test]
fn a_library_of_no_release_is_told_as_such() {
    let machine = Machine::new("newer");
    let library = |name: &str, release: Release, definitions: &str, header: Option<&str>| {
        let include = machine.0.join(name);
        let mut files = definitions_of(release)?;
        files.entry("mlir/IR/OpBase.td".to_owned()).or_default().extend(definitions.bytes());
        write_files(&include, &files);
        if let Some(header) = header {
            fs::create_dir_all(include.join("llvm/Config")).expect("a folder");
            let text = format!("#define LLVM_VERSION_MAJOR {header}\n");
            fs::write(include.join("llvm/Config/llvm-config.h"), text).expect("a file");
        }
        Some((release, include.display().to_string()))
    };
    let project = machine.0.join("project");
    fs::create_dir_all(&project).expect("a folder");
    let text = "include \"mlir/IR/OpBase.td\"\ndef A_Dialect : Dialect { let name = \"a\"; let cppNamespace = \"a\"; }\n\
                def B_Dialect : Dialect { let name = \"b\"; let cppNamespace = \"b\"; }\ndef A_Op : Op<A_Dialect, \"a\">;\n";
    fs::write(project.join("AOps.td"), text).expect("a file");
    let run = |words: &[&str], environment: Option<&str>| {
        let mut command = machine.command();
        command.args(words).envs(environment.map(|place| ("ODSMITH_LIBRARY", place)));
        let output = command.output().expect("odsmith starts");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code(), said.concat())
    };
    let (default, newest) = (Release::default(), Release::newest());
    let cases = [
        (library("plain", default, "", Some("22")), ""),
        (
            library("header", default, "", Some("25")),
            "is of MLIR 25 by its headers, and MLIR 22 by what it defines: it is read as MLIR 22, and results may differ",
        ),
        (
            library("known", default, "", Some("24")),
            "is of MLIR 24 by its headers, and MLIR 22 by what it defines",
        ),
        (library("newest", newest, "", Some(newest.name())), ""),
        (
            library("after", newest, "class AfterAllReleases<int x>;\n", None),
            "the newest that is known (1 of 347 files: 'mlir/IR/OpBase.td'): it is read as MLIR 24, and results may differ",
        ),
    ];
    for ((release, include), expected) in
        cases.into_iter().filter_map(|(case, expected)| Some((case?, expected)))
    {
        let is_warned = !expected.is_empty();
        let warns = |words: &[&str], environment: Option<&str>| {
            let (code, said) = run(words, environment);
            assert_eq!(code, Some(0), "{words:?}: {said}");
            assert_eq!(said.matches("read as MLIR").count(), usize::from(is_warned), "{words:?}: {said}");
            // A library that a call finds is judged by a few files.
            let is_whole = words[0] != "tblgen" || !expected.contains("347");
            assert!(!is_whole || said.contains(expected), "{words:?}: {said}");
        };
        let (code, said) = run(&["library", "identify", &include], None);
        assert_eq!(code, Some(0));
        assert_eq!(said.contains(&format!("read as MLIR {release}")), is_warned, "{said}");
        warns(&["library", "list"], Some(&include));
        for named in [include.clone(), format!("{release}={include}")] {
            let library = format!("--library={named}");
            warns(&["check", "project", &library], None);
            warns(&["generate", "project", "-o", "made", &library], None);
            warns(&["docs", "project", "-o", "site", &library], None);
            warns(&["lint", "project", "--fail-on=never", &library], None);
            warns(&["diff", "project", "project", &library], None);
            let releases = ["--from", release.name(), "--to", release.name()];
            warns(&[&["upgrade", "project", &library][..], &releases].concat(), None);
        }
        let tblgen = ["tblgen", "-I", &include, "project/AOps.td", "-gen-op-doc", "-dialect=a"];
        warns(&tblgen, None);
        // A named release gets no warning.
        let named = [&tblgen[..], &["--mlir", release.name()]].concat();
        assert!(!run(&named, None).1.contains("read as"));
        // Documents of 22 need no dialect, and those of 24 do.
        let (code, said) = run(&tblgen[..5], None);
        let needs_one = said.contains("one must be selected via '-dialect'");
        assert_eq!((code == Some(1), needs_one), (release == newest, release == newest), "{said}");
        // A library that is found is named as well.
        warns(&["tblgen", "project/AOps.td", "-gen-op-decls"], Some(&include));
        // It is no other release.
        let (code, said) = run(&["check", "project", &format!("--library=21={include}")], None);
        assert!(code == Some(2) && said.contains("as MLIR 21, and it is"), "{said}");
    }
}

/// A call of a build judges the files that it reads, and says in one line if one is of another release.
#[test]
fn a_call_judges_the_files_that_it_reads() {
    let machine = Machine::new("reads");
    let (Some(mut files), Some(earlier)) = (definitions_of(Release::V22), definitions_of(Release::V21))
    else {
        return;
    };
    let path = "mlir/Dialect/Complex/IR/ComplexOps.td";
    files.insert(path.to_owned(), earlier[path].clone());
    let include = machine.0.join("include");
    write_files(&include, &files);
    fs::write(machine.0.join("a.td"), OP).expect("a file");
    let library = format!("-I{}", include.display());
    let messages = |words: &[&str]| {
        let output = tblgen(&machine, &[words, &[&library]].concat(), None, &[]);
        assert!(output.status.success(), "{words:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let root = include.join(path).display().to_string();
    // The second call takes its output from the cache.
    for _ in 0..2 {
        let text = messages(&["-gen-op-decls", &root]);
        assert!(text.contains("a mix of MLIR 22 and 21") && text.lines().count() == 1, "{text}");
        assert!(text.contains("it is read as MLIR 22, and results may differ in"), "{text}");
        assert!(text.ends_with("; `odsmith calibrate` measures its rules\n"), "{text}");
    }
    assert_eq!(messages(&["-gen-op-decls", &root, "--mlir=22"]), "");
    assert_eq!(messages(&["-gen-op-decls", "a.td"]), "");
}

/// The commit of LLVM that a project pins is shown where its release matters.
#[test]
fn pins_of_projects_are_shown() {
    let machine = Machine::new("pins");
    let project = machine.0.join("project");
    fs::create_dir_all(project.join("cmake")).expect("a folder");
    fs::write(project.join("Ops.td"), OP).expect("a file");
    let commit = "7e3c57157096aa0123456789abcdef0123456789";
    fs::write(project.join("cmake/llvm-hash.txt"), format!("{commit}\n")).expect("a file");
    let pin = format!(
        "the project pins LLVM {commit} (cmake/llvm-hash.txt), which is MLIR 24 (trunk, 2026-10-25, 7e3c571)"
    );
    let library = format!("--library={}", set_up::library());
    let run = |words: &[&str]| {
        let output = machine.command().args(words).output().expect("odsmith starts");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success(), "{words:?}: {text:?}");
        text.concat()
    };
    assert_eq!(run(&["library", "identify", "project"]), format!("{pin}\n"));
    assert_eq!(run(&["check", "project", &library]).matches(&pin).count(), 1);
    assert!(!run(&["check", "project", &library, "--output-format=json"]).contains("pins"));
    assert_eq!(run(&["upgrade", "project", "--from=22", "--to=22", &library]).matches(&pin).count(), 1);
    run(&["docs", "project", "-o", "site", &library]);
    let page = fs::read_to_string(machine.0.join("site/index.html")).expect("a page");
    assert!(page.contains(&pin), "{page}");
    fs::remove_file(project.join("cmake/llvm-hash.txt")).expect("the file");
    assert!(!run(&["check", "project", &library]).contains("pins"));
    // An installation that is a part of the project, as a submodule is.
    fs::write(project.join("llvm_version.txt"), format!("{commit}\n")).expect("a file");
    let inside = project.join("llvm/include");
    write_files(&inside, &definitions_of(Release::V22).expect("the set-up's"));
    let text = run(&["library", "identify", inside.to_str().expect("UTF-8")]);
    assert!(
        text.starts_with("MLIR 22, by") && text.contains(&format!("LLVM {commit} (llvm_version.txt)")),
        "{text}"
    );
}

#[test]
fn another_release_or_digest_is_refused() {
    let machine = Machine::new("refused");
    let library = set_up::library();
    let message = machine.refused(&["add", "19", "--from", library]);
    assert!(message.contains("this is MLIR 22 by what it defines, not MLIR 19"), "{message}");
    fs::write(machine.0.join("empty.tar"), [0; 1024]).expect("a file");
    let message = machine.refused(&["add", "22", "--from", "empty.tar"]);
    assert!(message.contains("empty.tar holds no mlir/IR/OpBase.td"), "{message}");
    let message = machine.refused(&["add", "22", "--from", "empty.tar", "--sha256", "00"]);
    assert!(message.contains("empty.tar has the SHA-256"), "{message}");
    assert!(machine.refused(&["add", "20", "--from", library]).contains("MLIR 20 is not supported"));
    assert!(machine.refused(&["pack", "22", "-o", "x"]).contains("ends with .tar.zst"));
}

#[test]
fn an_archive_is_the_same_wherever_the_library_is() {
    let machine = Machine::new("one-digest");
    let mlir = Path::new(set_up::library()).join("mlir");
    // An installation has LLVM's files beside MLIR's, a wheel has MLIR's in a separate folder.
    let folders = ["installation/include", "wheel/mlir_core/include"].map(|name| machine.0.join(name));
    for folder in &folders {
        fs::create_dir_all(folder).expect("a folder");
        std::os::unix::fs::symlink(&mlir, folder.join("mlir")).expect("a link");
    }
    fs::create_dir_all(folders[0].join("llvm/IR")).expect("a folder");
    fs::write(folders[0].join("llvm/IR/Intrinsics.td"), "class Intrinsic;\n").expect("a file");
    machine.succeed(&["add", "22", "--from", &folders[1].display().to_string()]);
    let added = machine.succeed(&["path", "22"]);
    let bundle = set_up::tests_folder().join("fixtures/demo");
    let mut archives = Vec::new();
    for (number, library) in
        [folders[0].as_path(), &folders[1], Path::new(added.trim())].into_iter().enumerate()
    {
        let out = machine.0.join(format!("{number}.tar.gz"));
        let made = Command::new(set_up::odsmith())
            .arg("generate")
            .args([bundle.as_path(), "-o".as_ref(), &out])
            .arg(format!("--library=22={}", library.display()))
            .output()
            .expect("odsmith starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        archives.push(fs::read(out).expect("an archive"));
    }
    assert!(archives[1] == archives[0], "the wheel gives another archive than the installation");
    assert!(archives[2] == archives[0], "the cache gives another archive than the installation");
}

const OP: &str = "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; let cppNamespace = \"d\"; }\n\
                  def A : Op<D, \"a\"> { let arguments = (ins AnyType:$x); }\n";

fn tblgen(machine: &Machine, words: &[&str], input: Option<&str>, variables: &[(&str, &str)]) -> Output {
    let mut command = machine.command();
    command.arg("tblgen").args(words).envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("odsmith starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.unwrap_or_default().as_bytes()).expect("a reader");
    drop(stdin);
    child.wait_with_output().expect("odsmith ends")
}

/// `odsmith tblgen` without any `-I` of a library finds one as other commands do, for a file and for standard input.
#[test]
fn tblgen_finds_a_library_by_itself() {
    let machine = Machine::new("tblgen");
    fs::write(machine.0.join("a.td"), OP).expect("a file");
    fs::write(machine.0.join("plain.td"), "include \"mlir/None.td\"\n").expect("a file");
    let words = ["-gen-op-decls", "a.td"];
    let nothing = tblgen(&machine, &words, None, &[]);
    let message = String::from_utf8_lossy(&nothing.stderr).into_owned();
    assert!(!nothing.status.success() && nothing.stdout.is_empty());
    assert!(message.contains("could not find include file 'mlir/IR/OpBase.td'"), "{message}");
    assert!(message.contains("odsmith library add 22"), "{message}");

    machine.succeed(&["add", "22", "--from", set_up::library()]);
    let place = machine.succeed(&["path", "--with-release"]);
    let place = place.trim().strip_prefix("22=").expect("a library of MLIR 22").to_owned();
    let library = format!("-I{place}");
    let named = tblgen(&machine, &["-gen-op-decls", "a.td", &library], None, &[]);
    assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
    let found = tblgen(&machine, &["-gen-op-decls", "a.td", "-o", "a.inc", "-d", "a.d"], None, &[]);
    assert_eq!((found.status.code(), String::from_utf8_lossy(&found.stderr).as_ref()), (Some(0), ""));
    assert!(fs::read(machine.0.join("a.inc")).expect("an output") == named.stdout);
    let depfile = fs::read_to_string(machine.0.join("a.d")).expect("a depfile");
    assert!(depfile.contains(&format!("{place}/mlir/IR/OpBase.td")), "{depfile}");
    let read = |words: &[&str]| tblgen(&machine, words, Some(OP), &[]);
    let piped = read(&["-gen-op-decls", "-"]);
    assert!(piped.status.success() && piped.stdout == read(&["-gen-op-decls", "-", &library]).stdout);

    // A packed library is unpacked once; a request for a release gets no other one.
    machine.succeed(&["pack", "22", "-o", "22.tar.zst"]);
    let empty = machine.0.join("empty");
    let packed = [("ODSMITH_LIBRARY", "22.tar.zst"), ("ODSMITH_CACHE", empty.to_str().expect("UTF-8"))];
    for _ in 0..2 {
        assert!(tblgen(&machine, &words, None, &packed).stdout == named.stdout);
    }
    assert_eq!(
        fs::read_dir(&empty)
            .expect("a cache")
            .filter_map(Result::ok)
            .filter(|entry| { entry.file_name().to_string_lossy().starts_with("unpacked-") })
            .count(),
        1
    );
    let other = tblgen(&machine, &["--mlir=19", "-gen-op-decls", "a.td"], None, &packed);
    let message = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(
        !other.status.success()
            && message.contains("MLIR 19's .td files are not here; ODSMITH_LIBRARY names those of"),
        "{message}"
    );

    // The library of another release is read as such, by its definitions.
    if let Some(include) = include_of(Release::V21) {
        let version = tblgen(&machine, &["-I", include.to_str().expect("UTF-8"), "--version"], None, &[]);
        assert!(String::from_utf8_lossy(&version.stdout).contains("mlir-tblgen 21.1"));
    }
    // Without definitions that are known, the file says the release.
    let as_21 = machine.0.join("as21");
    fs::create_dir_all(as_21.join("mlir/IR")).expect("a folder");
    fs::write(as_21.join("mlir/IR/OpBase.td"), "class Op;\n").expect("a file");
    fs::write(as_21.join("mlir/odsmith-release"), "21\n").expect("a file");
    let version = tblgen(&machine, &["-I", as_21.to_str().expect("UTF-8"), "--version"], None, &[]);
    assert!(String::from_utf8_lossy(&version.stdout).contains("mlir-tblgen 21.1"));
    // A file that no library has is an error.
    let missing = tblgen(&machine, &["plain.td"], None, &[]);
    let message = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(message.contains("could not find include file 'mlir/None.td'"), "{message}");
}

/// Errors in a project for another release than its library's get a note.
#[test]
fn errors_over_another_release_say_so() {
    let machine = Machine::new("another");
    let newer = "include \"mlir/IR/OpBase.td\"\ndef X : AncestorOneOf<[]>;\n";
    fs::write(machine.0.join("newer.td"), newer).expect("a file");
    let pattern = "include \"mlir/Dialect/Arith/IR/ArithOps.td\"\ninclude \"mlir/IR/PatternBase.td\"\n\
                   def P : Pat<(Arith_AddFOp $x, $y, $z, $w), (replaceWithValue $x)>;\n";
    fs::write(machine.0.join("pattern.td"), pattern).expect("a file");
    fs::write(machine.0.join("typo.td"), "include \"mlir/IR/OpBase.td\"\ndef X : NoSuchClass<[]>;\n")
        .expect("a file");
    let message = |words: &[&str], library: &[(&str, &str)]| {
        let output = tblgen(&machine, words, None, library);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let found = [("ODSMITH_LIBRARY", set_up::library())];
    let text = message(&["newer.td"], &found);
    assert!(
        text.contains("note: 'AncestorOneOf' is in MLIR 23 and later, and this library is MLIR 22"),
        "{text}"
    );
    let text = message(&["-gen-rewriters", "pattern.td"], &found);
    assert!(text.contains("note: 'arith.addf' is as MLIR 22 defines it"), "{text}");
    let text = message(&["typo.td"], &found);
    assert!(!text.contains("another release"), "{text}");
    // A build that names its library gets the reference's messages and no more.
    let text = message(&["newer.td", &format!("-I{}", set_up::library())], &[]);
    assert!(text.contains("AncestorOneOf") && !text.contains("another release"), "{text}");
    fs::create_dir(machine.0.join("project")).expect("a folder");
    fs::write(machine.0.join("project/newer.td"), newer).expect("a file");
    let check = machine
        .command()
        .args(["check", "project", &format!("--library={}", set_up::library())])
        .output()
        .expect("odsmith starts");
    let text = String::from_utf8_lossy(&check.stderr).into_owned();
    assert!(text.contains("note: 'AncestorOneOf' is in MLIR 23 and later"), "{text}");
}
