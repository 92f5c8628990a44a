//! Memory stays bounded over families of inputs that once took gigabytes: many `include`s, chains and diamonds of them, long
//! lines with messages, long options. Measured from outside: the most memory that the server, or the program, ever had.

use std::{
    fmt::Write as _,
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use odsmith_tests::{
    archive::{self, File, tar},
    folder::TestFolder,
    http::{Answer, Service},
    set_up,
};
use serde_json::{Value, json};

/// More megabytes than this are too many for one upload, with the library and a debug build. Each of the inputs took
/// several times as much.
const MOST_MB: u64 = 600;

/// The most memory that a process had so far, in megabytes.
fn peak(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// Asks what must be answered in time, and in little memory.
fn ask(service: &Service, what: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let begun = Instant::now();
    let answer = service.request("POST", path, headers, body);
    let most = peak(service.id()).unwrap_or_default();
    assert!(most < MOST_MB, "{what}: {most} MB");
    assert!(begun.elapsed() < Duration::from_secs(30), "{what}: {:?}", begun.elapsed());
    answer
}

fn bundle(files: Vec<(String, String)>) -> Vec<u8> {
    let files: Vec<File> = files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    tar(&files)
}

fn includes(names: impl Iterator<Item = String>) -> String {
    names.fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "include \"{name}.td\"");
        text
    })
}

/// A root of many leading `include`s beside a second root, whatever the files hold.
fn many_includes(count: usize, content: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let file = |index: usize| format!("f{index}");
    let mut files: Vec<_> = (0..count).map(|index| (format!("f{index}.td"), content(index))).collect();
    files.push(("a.td".to_owned(), includes((0..count).map(file))));
    files.push(("b.td".to_owned(), "def B;\n".to_owned()));
    files
}

/// Each file includes the next one twice.
fn chain(length: usize) -> Vec<(String, String)> {
    let mut files: Vec<_> = (0..length)
        .map(|index| {
            (
                format!("c{index}.td"),
                includes([index + 1, index + 1].map(|next| format!("c{next}")).into_iter()),
            )
        })
        .collect();
    files.push((format!("c{length}.td"), String::new()));
    files.push(("b.td".to_owned(), "def B;\n".to_owned()));
    files
}

/// Each of two files of a level includes both files of the next one.
fn diamonds(levels: usize) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for level in 0..levels {
        for side in ["l", "r"] {
            let next = ["l", "r"].map(|side| format!("{side}{}", level + 1));
            files.push((format!("{side}{level}.td"), includes(next.into_iter())));
        }
    }
    files.extend(["l", "r"].map(|side| (format!("{side}{levels}.td"), String::new())));
    files.push(("a.td".to_owned(), includes(["l0".to_owned(), "r0".to_owned()].into_iter())));
    files.push(("b.td".to_owned(), "def B;\n".to_owned()));
    files
}

#[test]
fn includes_of_uploads() {
    let service = Service::start(&[]);
    let repeated = |count: usize, name: &str, text: &str| {
        let root = includes((0..count).map(|_| name.to_owned()));
        vec![
            ("a.td".to_owned(), root),
            (format!("{name}.td"), text.to_owned()),
            ("b.td".to_owned(), "def B;\n".to_owned()),
        ]
    };
    let large = "foreach i = !range(0, 200000) in def L#i;\n";
    let mut above_large =
        many_includes(600, |index| format!("foreach i = !range(0, 20) in def S{index}x#i;\n"));
    above_large.push(("large.td".to_owned(), large.to_owned()));
    if let Some((_, root)) = above_large.iter_mut().find(|(path, _)| path == "a.td") {
        root.insert_str(0, "include \"large.td\"\n");
    }
    let cases = [
        ("4,000 empty files", 200, many_includes(4_000, |_| String::new())),
        ("4,000 files with a def", 200, many_includes(4_000, |index| format!("def F{index};\n"))),
        ("4,000 times one file", 200, repeated(4_000, "one", "")),
        ("20,000 times one file", 200, repeated(20_000, "one", "")),
        ("600 files above many records", 200, above_large),
        ("a chain of 12 files", 200, chain(12)),
        ("a chain of 60 files", 422, chain(60)),
        ("diamonds of 12 levels", 200, diamonds(12)),
        ("diamonds of 60 levels", 422, diamonds(60)),
        ("a long file many times", 422, repeated(10_000, "one", &"// nothing\n".repeat(1 << 16))),
    ];
    for (what, status, files) in cases {
        let answer = ask(&service, what, "/v1/generate", &[("Accept", "application/json")], &bundle(files));
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, status, "{what}: {}", &text[..text.len().min(600)]);
        assert!(status == 200 || text.contains("limit reached: "), "{what}: {text}");
    }
    assert_eq!(service.request("POST", "/v1/check", &[], b"def A;").status, 200);
}

/// Waits for the end of a program: the most memory that it had, as far as that was seen.
fn watch(child: &mut Child) -> u64 {
    let mut most = 0;
    while child.try_wait().expect("its end").is_none() {
        most = most.max(peak(child.id()).unwrap_or_default());
        thread::sleep(Duration::from_millis(2));
    }
    most
}

#[test]
fn includes_of_commands() {
    let folder = TestFolder::new("memory");
    let run = |what: &str, files: Vec<(String, String)>, words: &[&str]| {
        let project = folder.join(what.replace(' ', "-"));
        fs::create_dir_all(&project).expect("a folder");
        for (path, text) in files {
            fs::write(project.join(path), text).expect("a file");
        }
        // Twice: states of the first call are made by the second.
        for _ in 0..2 {
            let mut child = Command::new(set_up::odsmith())
                .args(words)
                .current_dir(&project)
                .env("XDG_CACHE_HOME", folder.join("cache"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("odsmith starts");
            let begun = Instant::now();
            let most = watch(&mut child);
            println!("{what}: {most} MB at most, in {:?}", begun.elapsed());
            assert!(most < MOST_MB, "{what}: {most} MB");
        }
    };
    let with_defs = || many_includes(4_000, |index| format!("def F{index};\n"));
    let library = format!("--library={}", set_up::library());
    run("tblgen", with_defs(), &["tblgen", "--print-records", "a.td"]);
    run("tblgen of a chain", chain(13), &["tblgen", "--print-records", "c0.td"]);
    run("generate", with_defs(), &["generate", ".", "--out=out", &library]);
    run("check", with_defs(), &["check", ".", &library]);
}

/// A line of nearly eight megabytes with a hundred uses of a deprecated type, as an archive of some kilobytes.
fn long_line() -> Vec<u8> {
    let padding = " ".repeat(7_900_000);
    let uses = (0..100).fold(String::new(), |mut text, index| {
        let _ = write!(text, "def U{index} {{ Old o = Gone; }} ");
        text
    });
    let text = format!(
        "include \"mlir/IR/OpBase.td\"\nclass Old;\ndef Gone : Old, Deprecated<\"use another\">;\n{uses}/*{padding}*/\n"
    );
    archive::gzip(&bundle(vec![("a.td".to_owned(), text)]))
}

/// The same with a reason that is as long.
fn long_reason() -> Vec<u8> {
    let reason = "x".repeat(7_900_000);
    let text = format!(
        "include \"mlir/IR/OpBase.td\"\nclass Old;\ndef Gone : Old, Deprecated<\"{reason}\">;\n\
         foreach i = !range(0, 1000) in def U#i {{ Old o = Gone; }}\n"
    );
    archive::gzip(&bundle(vec![("a.td".to_owned(), text)]))
}

/// The same with names, and with findings of lint.
fn long_names() -> Vec<u8> {
    let name = "N".repeat(100_000);
    let cases: Vec<String> = (0..20).map(|index| format!("I32EnumAttrCase<\"{name}{index}\", 1>")).collect();
    let text = format!(
        "include \"mlir/IR/EnumAttr.td\"\ndef E : I32EnumAttr<\"E\", \"e\", [{}]>;\n",
        cases.join(", ")
    );
    archive::gzip(&bundle(vec![("a.td".to_owned(), text)]))
}

#[test]
fn long_lines_with_messages() {
    let cache = TestFolder::new("memory-cache");
    let service = Service::start(&["--store", &cache.to_string_lossy()]);
    let (json, sarif, text) = ("application/json", "application/sarif+json", "text/plain");
    let bodies =
        [("a long line", long_line()), ("a long reason", long_reason()), ("long names", long_names())];
    for (what, body) in &bodies {
        let routes = [
            ("/v1/check", json),
            ("/v1/check", sarif),
            ("/v1/check", text),
            ("/v1/check/text", "*/*"),
            ("/v1/check/sarif", "*/*"),
            ("/v1/generate", json),
            ("/v1/tblgen?td=a.td&flags=--print-enums", "*/*"),
            ("/v1/tblgen?td=a.td&flags=--gen-op-decls%20--on-deprecated=error", "*/*"),
            ("/v1/lint", json),
            ("/v1/lint", sarif),
            ("/v1/lint", text),
            ("/v1/lint/text", "*/*"),
            ("/v1/lint/sarif", "*/*"),
        ];
        for (route, accept) in routes {
            let what = format!("{what}, {route} as {accept}");
            let headers = [("Accept", accept), ("Content-Type", "application/gzip")];
            let answer = ask(&service, &what, route, &headers, body);
            assert!([200, 422].contains(&answer.status), "{what}: {}", answer.status);
            assert!(answer.body.len() < 2 << 20, "{what}: {} bytes", answer.body.len());
        }
    }
    let kept: u64 = files_in(&cache);
    assert!(kept < 100 << 20, "{kept} bytes on the disk");
}

fn files_in(folder: &std::path::Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.path() {
            path if path.is_dir() => files_in(&path),
            path => fs::metadata(path).map_or(0, |it| it.len()),
        })
        .sum()
}

#[test]
fn messages_show_the_place_in_a_long_line() {
    let service = Service::start(&[]);
    let text = format!("def A; {} def B : Missing; {}", " ".repeat(5_000), " ".repeat(5_000));
    let answer = service.request("POST", "/v1/check/text", &[], text.as_bytes());
    let shown = String::from_utf8_lossy(&answer.body).into_owned();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].contains(":1:5017: error: "), "{shown}");
    assert!(lines[1].starts_with("...") && lines[1].ends_with("...") && lines[1].len() <= 406, "{shown}");
    let caret = lines[2].find('^').expect("a caret");
    assert!(lines[1][caret..].starts_with("Missing"), "{shown}");
}

#[test]
fn options_of_comparisons() {
    let service = Service::start(&[]);
    let key = "0".repeat(64);
    let old = tar(&[("a.td".to_owned(), b"def A;".to_vec())]);
    let nested = |count: usize| json!({ "settings": { "unstable": vec![json!([]); count] } });
    let renamed = |count: usize| {
        let names: serde_json::Map<String, Value> =
            (0..count).map(|it| (it.to_string(), "x".into())).collect();
        json!({ "settings": { "renamed": names } })
    };
    for options in [nested(4_000_000), renamed(500_000)] {
        let body = json!({ "old": key, "new": key, "options": options }).to_string();
        let answer = ask(
            &service,
            "options in JSON",
            "/v1/diff",
            &[("Content-Type", "application/json")],
            body.as_bytes(),
        );
        assert_eq!(answer.status, 413, "{}", String::from_utf8_lossy(&answer.body));
        let mut parts = Vec::new();
        for (name, content) in
            [("old", &old[..]), ("new", &old[..]), ("options", options.to_string().as_bytes())]
        {
            parts.extend_from_slice(
                format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").as_bytes(),
            );
            parts.extend_from_slice(content);
            parts.extend_from_slice(b"\r\n");
        }
        parts.extend_from_slice(b"--x--\r\n");
        let kind = [("Content-Type", "multipart/form-data; boundary=x")];
        let answer = ask(&service, "options in parts", "/v1/diff", &kind, &parts);
        assert_eq!(answer.status, 413, "{}", String::from_utf8_lossy(&answer.body));
    }
}

/// What takes long to lint is linear in the cases of an enum, whether they are alike or not.
#[test]
fn lint_of_enums_with_many_cases() {
    let service = Service::start(&[]);
    let lint = |what: &str, count: usize, value: &str| {
        let text = format!(
            "include \"mlir/IR/EnumAttr.td\"\n\
             def E : I32EnumAttr<\"E\", \"e\", !foreach(i, !range(0, {count}), I32EnumAttrCase<\"C\" # i, {value}>)>;\n"
        );
        let begun = Instant::now();
        let answer = ask(&service, what, "/v1/lint", &[("Accept", "application/json")], text.as_bytes());
        (answer.status, begun.elapsed())
    };
    let (status, _) = lint("30,000 cases", 30_000, "i");
    assert_eq!(status, 200);
    let (status, _) = lint("30,000 cases of one value", 30_000, "1");
    assert!([200, 422].contains(&status), "{status}");
}
