//! `odsmith catalog`: catalogues of many projects, of image layouts and of a real registry; what a change breaks elsewhere.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, Output},
    time::{Duration, Instant},
};

use odsmith_tests::{
    archive::files_below, folder::TestFolder, http::Service, organisation::Organisation, registry::Registry,
    set_up,
};
use serde_json::Value;

/// A user's machine: a folder with a cache of its own.
pub struct Machine(pub TestFolder);

impl Machine {
    pub fn new(name: &str) -> Machine {
        Machine(TestFolder::new(name))
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(set_up::odsmith());
        command
            .current_dir(&*self.0)
            .env("ODSMITH_CACHE", self.0.join("cache"))
            .env("ODSMITH_LIBRARY", set_up::library())
            .env("HOME", self.0.join("home"))
            .env_remove("DOCKER_CONFIG")
            .env_remove("XDG_CONFIG_HOME")
            .args(words);
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("odsmith starts")
    }

    /// Runs a command that ends with a code; returns what it said.
    #[track_caller]
    pub fn ends(&self, code: i32, words: &[&str]) -> String {
        let output = self.run(words);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
        said
    }

    /// Runs a command that prints JSON.
    #[track_caller]
    pub fn json(&self, words: &[&str]) -> Value {
        // Words after `--` are no flags.
        let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
        let output = self.run(&[&words[..end], &["--json"], &words[end..]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}: {said}"))
    }
}

fn times(machine: &Machine, folder: &str) -> BTreeMap<String, std::time::SystemTime> {
    let files = files_below(&machine.0.join(folder));
    let time = |path: &str| fs::metadata(machine.0.join(folder).join(path)).and_then(|it| it.modified());
    files.iter().map(|(path, _)| (path.clone(), time(path).expect("a time"))).collect()
}

#[test]
fn a_catalogue_of_layouts_is_built_once() {
    let machine = Machine::new("catalogue");
    let organisation = Organisation { folder: machine.0.join("published"), operations: 300 };
    organisation.write(12, 10);
    let build = ["catalog", "build", "--from", "oci-layout:published", "-o", "c"];
    let start = Instant::now();
    let said = machine.ends(0, &build);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(said.contains("12 projects with 120 versions in c: wrote "), "{said}");
    let before = times(&machine, "c");
    // The same again writes nothing.
    assert!(machine.ends(0, &build).contains("nothing changed"));
    assert_eq!(times(&machine, "c"), before);
    // One version more costs one project.
    organisation.publish(4, 10);
    let said = machine.ends(0, &build);
    assert!(said.contains("12 projects with 121 versions"), "{said}");
    let after = times(&machine, "c");
    let kept = |folder: &str| {
        let own = before.iter().filter(|(path, _)| path.starts_with(folder));
        let same = own.clone().filter(|(path, time)| after.get(*path) == Some(time)).count();
        (same, own.count())
    };
    // Of 12 projects one has other facts, rows and differences.
    assert_eq!([kept("p/"), kept("v/"), kept("d/")], [(11, 12), (11, 12), (99, 108)]);
    // The same place gives the same bytes anywhere.
    machine.ends(0, &["catalog", "build", "--from", "oci-layout:published", "-o", "again"]);
    let marker = |files: Vec<(String, Vec<u8>)>| {
        files.into_iter().filter(|(path, _)| path != ".odsmith-output").collect::<Vec<_>>()
    };
    assert_eq!(marker(files_below(&machine.0.join("c"))), marker(files_below(&machine.0.join("again"))));
    // A damaged file is made anew.
    let list: Value =
        serde_json::from_slice(&fs::read(machine.0.join("c/catalog.json")).expect("a list")).expect("JSON");
    let rows = list["files"]["hubs"]["rows"].as_str().expect("a path");
    fs::write(machine.0.join("c").join(rows), "{}").expect("a file");
    machine.ends(0, &build);
    assert_eq!(marker(files_below(&machine.0.join("c"))), marker(files_below(&machine.0.join("again"))));

    // Folders and layouts answer alike.
    for place in ["c", "oci-layout:published"] {
        let found = machine.json(&["catalog", "query", "step7", "project:edges", "--catalog", place]);
        assert_eq!(
            (&found["total"], &found["hits"][0]["id"]),
            (&11.into(), &"edges@1.10.0/edges/op/step7".into()),
            "{found}"
        );
        let counts = machine.json(&["catalog", "query", "kind:op", "count by project", "--catalog", place]);
        assert_eq!((&counts["counts"]["arcs"], &counts["counts"]["edges"]), (&309.into(), &310.into()));
        let uses = machine.json(&["catalog", "uses", "edges/_/interface/PlanInterface", "--catalog", place]);
        assert_eq!(uses["by_project"], serde_json::json!({ "edges": 310, "forge": 31 }), "{uses}");
        let shown =
            machine.json(&["catalog", "show", "arcs@1.3.0/arcs/op/step3#operand:by", "--catalog", place]);
        assert_eq!(
            (&shown["part"]["constraint"], &shown["shape"]),
            (&"arcsValue".into(), &"0000000000003003".into()),
            "{shown}"
        );
    }
    let said = machine.ends(1, &["catalog", "query", "zzqqx", "--catalog", "c"]);
    assert!(said.contains("nothing fits"), "{said}");
    let said = machine.ends(0, &["catalog", "query", "setp7", "project:arcs", "--catalog", "c"]);
    assert!(said.starts_with("arcs@1.9.0/arcs/op/step7"), "{said}");
    assert!(
        machine.ends(2, &["catalog", "query", "colour:red", "--catalog", "c"]).contains("no facet 'colour'")
    );
    assert!(
        machine
            .ends(2, &["catalog", "query", "has:folder", "--catalog", "c"])
            .contains("pages of a reference")
    );
    assert!(
        machine.ends(2, &["catalog", "query", "x", "--catalog", "nowhere"]).contains("this is no catalogue")
    );
    let breaks = machine
        .ends(0, &["catalog", "report", "breaks", "--project", "arcs", "--level", "wire", "--catalog", "c"]);
    assert_eq!(breaks.matches("IN001 arcs.step1#attribute:way: gained").count(), 3, "{breaks}");
    let skew = machine.json(&["catalog", "report", "skew", "--catalog", "c"]);
    assert_eq!(skew["shapes"][0]["id"], "_/interface/PlanInterface", "{skew}");
    assert_eq!(skew["mlir"]["20"], serde_json::json!(["arcs", "forge", "kilns"]));
    let duplicates = machine.json(&["catalog", "report", "duplicates", "--catalog", "c"]);
    assert_eq!(duplicates.as_array().map(Vec::len), Some(6), "{duplicates}");
}

const BASE: &str = r#"include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def Base_Dialect : Dialect { let name = "base"; let cppNamespace = "::base"; let summary = "Shared parts"; }
class Base_Op<string mnemonic, list<Trait> traits = []> : Op<Base_Dialect, mnemonic, traits> { let summary = "an operation of base"; }
def TilingInterface : OpInterface<"TilingInterface"> {
  let cppNamespace = "::base";
  let description = "Operations that can be tiled.";
  let methods = [InterfaceMethod<"Returns the types of the loops.", "int", "getLoopIteratorTypes", (ins)>];
}
def Base_Value : TypeConstraint<Or<[I32.predicate, F32.predicate]>, "a value">;
def Base_AddOp : Base_Op<"add", [Pure]> {
  let arguments = (ins Base_Value:$lhs, Base_Value:$rhs, OptionalAttr<StrAttr>:$mode);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}
def Base_OldOp : Base_Op<"old">, Deprecated<"use base.add"> { let arguments = (ins I32:$of); }
"#;
const USER: &str = r#"include "Base.td"
include "mlir/IR/PatternBase.td"
include "mlir/Pass/PassBase.td"
def User_Dialect : Dialect { let name = "user"; let cppNamespace = "::user"; }
def User_MulOp : Op<User_Dialect, "mul", [Pure, DeclareOpInterfaceMethods<TilingInterface>]> {
  let summary = "matrix multiplication";
  let arguments = (ins Base_Value:$x, I32:$y);
  let results = (outs I32:$z);
}
def FoldAdd : Pat<(Base_AddOp $a, $b, $mode), (User_MulOp $a, $b)>;
def LowerUser : Pass<"lower-user"> { let summary = "lowers user"; let dependentDialects = ["::base::BaseDialect"]; }
"#;
/// `base.add` with another attribute: bytecode of the old one is misread.
fn next_base() -> String {
    BASE.replace("OptionalAttr<StrAttr>:$mode)", "OptionalAttr<StrAttr>:$mode, OptionalAttr<UnitAttr>:$fast)")
}

/// Publishes two projects, the second of which uses the first.
fn published(machine: &Machine, registry: &Registry) -> String {
    let repository = format!("oci://{}/dialects", registry.host());
    machine.0.write("base/Base.td", BASE);
    machine.0.write("base/CODEOWNERS", "* @example/compilers\n");
    machine.0.write("user/User.td", USER);
    machine
        .0
        .write("user/odsmith.toml", format!("schema = 1\n[dependencies]\nbase = '{repository}/base:1.0'\n"));
    let facts = ["--commit", "1111111111111111111111111111111111111111", "--commit-time"];
    let publish = |folder: &str, to: &str, time: &str| {
        let to = format!("{repository}/{to}");
        machine.ends(0, &[&["publish", folder, "--to", &to][..], &facts, &[time]].concat());
    };
    publish("base", "base:1.0.0", "2026-01-01T00:00:00Z");
    machine.ends(0, &["fetch", "user"]);
    publish("user", "user:0.1.0", "2026-02-01T00:00:00Z");
    machine.0.write("base/Base.td", next_base());
    publish("base", "base:1.1.0", "2026-03-01T00:00:00Z");
    repository
}

#[test]
fn a_catalogue_of_a_registry() {
    let Some(registry) = Registry::start() else {
        eprintln!("skipped: this machine has no docker-registry (tests/setup/servers.sh)");
        return;
    };
    let machine = Machine::new("registry-catalogue");
    let repository = published(&machine, &registry);
    let from = format!("{repository}/");
    let build = ["catalog", "build", "--from", &from, "-o", "c", "--sites"];
    let said = machine.ends(0, &build);
    assert!(said.contains("2 projects with 3 versions in c: wrote "), "{said}");
    assert!(machine.ends(0, &build).contains("nothing changed"));
    machine.ends(0, &["catalog", "build", "--from", &from, "-o", "verified", "--verify"]);

    let uses = machine.json(&["catalog", "uses", "TilingInterface", "--catalog", "c"]);
    let expected = serde_json::json!([{
        "user": "user@0.1.0/user/op/mul", "how": "interface", "file": "User.td", "line": 5, "shape": "same",
    }]);
    assert_eq!(uses["uses"], expected, "{uses}");
    let uses = machine.json(&["catalog", "uses", "base.add", "--catalog", "c"]);
    // The pattern was made for the version before.
    assert_eq!(
        (&uses["uses"][0]["how"], &uses["uses"][0]["shape"]),
        (&"matches".into(), &"other".into()),
        "{uses}"
    );
    let upstream =
        machine.json(&["catalog", "uses", "mlir/_/trait/AlwaysSpeculatableImplTrait", "--catalog", "c"]);
    assert_eq!(upstream["by_project"], serde_json::json!({ "base": 1, "user": 1 }), "{upstream}");
    let projects = machine.json(&["catalog", "report", "projects", "--catalog", "c"]);
    let base = &projects["projects"][0];
    assert_eq!(
        (&base["project"], &base["newest"], &base["last_break"]["level"], &base["owners"][0]),
        (&"base".into(), &"1.1.0".into(), &"bytecode".into(), &"@example/compilers".into()),
        "{projects}"
    );
    for (question, expected) in [
        ("is:deprecated", "base@1.1.0/base/op/old"),
        ("breaks:wire", "base@1.1.0/base/op/add"),
        ("matrix multiplication", "user@0.1.0/user/op/mul"),
        ("released:>2026-01 kind:op project:user", "user@0.1.0/user/op/mul"),
        ("getLoopIteratorTypes", "base@1.1.0/_/interface/TilingInterface"),
        ("owner:example/compilers kind:interface", "base@1.1.0/_/interface/TilingInterface"),
        ("uses:base/_/constraint/Base_Value project:user", "user@0.1.0/user/op/mul"),
    ] {
        let found = machine.json(&["catalog", "query", question, "--catalog", "c"]);
        assert_eq!(
            (&found["total"], &found["hits"][0]["id"]),
            (&1.into(), &expected.into()),
            "{question}: {found}"
        );
    }
    assert!(
        machine
            .ends(0, &["catalog", "report", "deprecated", "--catalog", "c"])
            .contains("base/op/old: use base.add")
    );

    // A change that breaks bytecode says who else is hit.
    machine.0.write("next/Base.td", next_base());
    machine.0.write("now/Base.td", BASE);
    let old = format!("{repository}/base:1.0.0");
    for (old, place) in [(old.as_str(), "c"), (old.as_str(), from.as_str()), ("now", "c")] {
        let said = machine.ends(1, &["diff", old, "next", "--catalog", place]);
        let expected = "      elsewhere: 1 project, 2 definitions\n        user@0.1.0  1 pass depends on it, 1 pattern matches it  User.td:";
        assert!(said.contains(expected), "{said}");
    }
    let report = machine.json(&["diff", &old, "next", "--catalog", "c"]);
    let users: Vec<&str> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|it| it["rule"] == "IN001")
        .flat_map(|it| it["elsewhere"][0]["users"].as_array().expect("users"))
        .filter_map(|user| user["id"].as_str())
        .collect();
    assert_eq!(users, ["user@0.1.0/_/pass/lower-user", "user@0.1.0/_/pattern/FoldAdd"], "{report}");
    let sarif = machine.ends(1, &["diff", &old, "next", "--catalog", "c", "--output-format", "sarif"]);
    assert!(sarif.contains("user@0.1.0/_/pattern/FoldAdd uses it (matches)"), "{sarif}");
    let markdown = machine.ends(1, &["diff", &old, "next", "--catalog", "c", "--output-format", "markdown"]);
    assert!(markdown.contains("elsewhere: 1 project, 2 definitions"), "{markdown}");
    let fail = ["diff", &old, "next", "--catalog", "c", "--all-versions", "--fail-on", "elsewhere"];
    assert!(machine.ends(1, &fail).contains("user@0.1.0"));
    // Nobody uses the operation that only changed its text.
    machine.0.write("quiet/Base.td", BASE.replace("summary = \"Shared parts\"", "summary = \"Parts\""));
    let quiet = ["diff", "now", "quiet", "--catalog", "c", "--fail-on", "elsewhere"];
    assert!(!machine.ends(0, &quiet).contains("elsewhere"));

    // Links lead to pages that are there.
    let pages = files_below(&machine.0.join("c"));
    assert_eq!(dead_links(&pages), Vec::<String>::new());
    let home = text(&pages, "index.html");
    assert!(home.contains("project/base.html") && home.contains("1.1.0 (bytecode)"), "{home}");
    let users = text(&pages, "uses/base._.interface.TilingInterface.html");
    assert!(users.contains("../sites/user/0.1.0/user/op/mul.html"), "{users}");

    // A withdrawn version, and a tag that was moved.
    machine.ends(
        0,
        &["yank", &format!("{repository}/base:1.1.0"), "--reason", "wrong verifier", "--use", "1.0.0"],
    );
    machine.0.write("user/User.td", USER.replace("lowers user", "lowers it all"));
    machine.ends(0, &["publish", "user", "--to", &format!("{repository}/user:0.1.0"), "--move-tag"]);
    machine.ends(0, &build);
    let projects = machine.json(&["catalog", "report", "projects", "--catalog", "c"]);
    assert_eq!(
        (&projects["projects"][0]["newest"], &projects["projects"][0]["yanked"][0]),
        (&"1.0.0".into(), &"1.1.0".into())
    );
    let versions = machine.json(&["catalog", "report", "versions", "--catalog", "c"]);
    assert_eq!(versions["base"][0]["use"], "1.0.0", "{versions}");
    assert_eq!(versions["user"][0]["moved_from"].as_array().map(Vec::len), Some(1), "{versions}");
    let policy = text(&files_below(&machine.0.join("c")), "policy.html");
    assert!(policy.contains("wrong verifier; use 1.0.0"), "{policy}");
}

fn text(pages: &[(String, Vec<u8>)], path: &str) -> String {
    let page = pages.iter().find(|(own, _)| own == path).unwrap_or_else(|| panic!("no {path}"));
    String::from_utf8_lossy(&page.1).into_owned()
}

/// Returns the links of pages that lead to no file.
pub fn dead_links(pages: &[(String, Vec<u8>)]) -> Vec<String> {
    let known: std::collections::BTreeSet<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    let mut dead = Vec::new();
    for (path, bytes) in pages.iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = String::from_utf8_lossy(bytes);
        for link in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let link = link.replace("&amp;", "&");
            let target = link.split(['#', '?']).next().unwrap_or_default();
            if link.contains("://") || target.is_empty() || link.starts_with("data:") {
                continue;
            }
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in target.split('/') {
                match part {
                    ".." => drop(parts.pop()),
                    "." => {}
                    part => parts.push(part),
                }
            }
            let place = parts.join("/");
            let place =
                if place.is_empty() || place.ends_with('/') { format!("{place}index.html") } else { place };
            if !known.contains(place.as_str()) {
                dead.push(format!("{path}: {link}"));
            }
        }
    }
    dead.sort();
    dead.dedup();
    dead
}

/// Waits for the first generation of a server.
fn wait_for(service: &Service) -> Value {
    for _ in 0..600 {
        let answer = service.request("GET", "/v1/catalog", &[], b"");
        match answer.status {
            200 => return answer.json(),
            503 => assert_eq!(answer.json()["code"], "catalog-not-ready"),
            status => panic!("{status}: {}", String::from_utf8_lossy(&answer.body)),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("there is no generation");
}

#[test]
fn servers_answer_from_a_registry() {
    let Some(registry) = Registry::start() else {
        eprintln!("skipped: this machine has no docker-registry (tests/setup/servers.sh)");
        return;
    };
    let machine = Machine::new("served-catalogue");
    let repository = published(&machine, &registry);
    let from = format!("{repository}/");
    let start = || {
        let cache = TestFolder::new("served-cache");
        let place = cache.to_string_lossy().into_owned();
        let variables = [("ODSMITH_CACHE", place.as_str()), ("HOME", place.as_str())];
        (Service::start_in(&["--catalog", &from], &variables), cache)
    };
    let servers = [start(), start(), start()];
    let list = wait_for(&servers[0].0);
    let generation = list["generation"].as_str().expect("a generation").to_owned();
    let get = |path: &str| servers[0].0.request("GET", path, &[], b"");

    // Three servers give the same bytes.
    servers.iter().for_each(|(service, _)| drop(wait_for(service)));
    for path in [
        "/v1/catalog",
        "/v1/catalog/search?q=kind:op",
        "/v1/catalog/symbols/base/base/op/add",
        "/v1/catalog/symbols/base@1.0.0/base/op/add%23operand:lhs",
        "/v1/catalog/uses/base/_/interface/TilingInterface",
        "/v1/catalog/reports/skew",
        "/v1/catalog/reports/breaks?project=base&level=wire",
        "/catalog/",
        "/catalog/uses/base._.interface.TilingInterface.html",
        "/catalog/assets/index.js",
    ] {
        let answers = servers.each_ref().map(|(service, _)| service.request("GET", path, &[], b""));
        assert_eq!(answers[0].status, 200, "{path}: {}", String::from_utf8_lossy(&answers[0].body));
        assert!(answers.iter().all(|it| it.body == answers[0].body), "{path}");
        let tags = answers.each_ref().map(|it| it.header("etag").map(str::to_owned));
        assert!(tags[0].is_some() && tags.iter().all(|tag| *tag == tags[0]), "{path}: {tags:?}");
        let tag = tags[0].clone().unwrap_or_default();
        assert_eq!(servers[1].0.request("GET", path, &[("if-none-match", &tag)], b"").status, 304, "{path}");
        assert_eq!(answers[0].header("odsmith-generation"), Some(generation.as_str()), "{path}");
    }
    assert_eq!(get("/v1/catalog").header("cache-control"), Some("public, max-age=60"));
    let symbol = get("/v1/catalog/symbols/base@1.0.0/base/op/add");
    assert!(symbol.header("cache-control").is_some_and(|it| it.contains("immutable")));
    assert_eq!(symbol.json()["operands"], Value::Null);
    let symbol = get("/v1/catalog/symbols/arith.addi");
    assert_eq!((symbol.status, &symbol.json()["code"]), (404, &"not-found".into()));
    assert_eq!(get("/v1/catalog/symbols/base.add").json()["id"], "base@1.1.0/base/op/add");

    // Versions lead to digests, which never change.
    let first = get("/v1/catalog/base/latest/model.json");
    assert_eq!((first.status, first.header("cache-control")), (302, Some("public, max-age=60")));
    let address = first.header("location").expect("an address").to_owned();
    assert!(address.starts_with("/v1/catalog/base/sha256:") && address.ends_with("/model.json"), "{address}");
    let model = get(&address);
    assert!(model.header("cache-control").is_some_and(|it| it.contains("immutable")));
    assert_eq!(model.json()["schema"], 1);
    for (path, status) in [
        ("/v1/catalog/base/1.0.0/site/index.html", 302),
        ("/v1/catalog/base/1.0.0..1.1.0", 302),
        ("/v1/catalog/base/9.0.0/model.json", 404),
        ("/v1/catalog/base/latest/nothing.json", 302),
        ("/v1/catalog/nobody/latest/model.json", 404),
        ("/v1/catalog/base/nothing", 404),
        ("/v1/catalog/reports/nothing", 404),
        ("/v1/catalog/reports/breaks?level=loud", 400),
        ("/v1/catalog/search?q=colour:red", 400),
        ("/v1/catalog/search?q=add&cursor=gone:1", 410),
        ("/v1/catalog/changes?since=gone", 410),
        ("/catalog/nothing.html", 404),
    ] {
        assert_eq!(get(path).status, status, "{path}");
    }
    let page = get(get("/v1/catalog/base/1.0.0/site/").header("location").expect("an address"));
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let diff = get(get("/v1/catalog/base/1.0.0..1.1.0").header("location").expect("an address"));
    assert_eq!(diff.json()["findings"][0]["rule"], "IN001", "{}", String::from_utf8_lossy(&diff.body));
    let address =
        get("/v1/catalog/base/1.0.0/definitions.tar.zst").header("location").expect("an address").to_owned();
    assert_eq!(get(&address).body[..4], [0x28, 0xb5, 0x2f, 0xfd]);
    let first = get("/v1/catalog/search?q=kind:op&limit=1").json();
    let next = first["next"].as_str().expect("a cursor");
    let second = get(&format!("/v1/catalog/search?q=kind:op&limit=1&cursor={next}")).json();
    assert!(first["hits"][0]["id"] != second["hits"][0]["id"] && first["total"] == second["total"]);

    // The command line asks a server as well.
    let address = servers[2].0.address();
    let uses = machine.json(&["catalog", "uses", "base/_/interface/TilingInterface", "--catalog", &address]);
    assert_eq!(uses, get("/v1/catalog/uses/base/_/interface/TilingInterface").json());
    // It says what a change breaks elsewhere as the registry itself does.
    machine.0.write("next/Base.td", next_base());
    machine.0.write("now/Base.td", BASE);
    let old = format!("{repository}/base:1.0.0");
    for old in [old.as_str(), "now"] {
        let report = |place: &str| machine.json(&["diff", old, "next", "--catalog", place]);
        let served = report(&address);
        assert_eq!(served, report(&from), "{old}");
        assert!(served.to_string().contains("user@0.1.0/_/pattern/FoldAdd"), "{served}");
    }
    let words = ["diff", "now", "next", "--catalog", &address, "--all-versions"];
    assert!(machine.ends(2, &words).contains("name the registry or a folder"));
    machine.0.write(
        "other/O.td",
        "include \"mlir/IR/OpBase.td\"\ndef O : Dialect { let name = \"o\"; let cppNamespace = \"::o\"; }\n",
    );
    assert!(
        machine
            .ends(0, &["diff", "other", "other", "--catalog", &address])
            .contains("nothing else uses them")
    );
    let wrong =
        servers[0].0.request("POST", "/v1/catalog/elsewhere", &[("content-type", "application/json")], b"{}");
    assert_eq!((wrong.status, &wrong.json()["code"]), (400, &"bad-request".into()));

    // A new version is a new generation, and one server that is gone costs nothing.
    let [(one, _), (two, _), three] = servers;
    drop(three);
    machine.0.write("base/Base.td", next_base().replace("\"old\"", "\"older\""));
    machine.ends(0, &["publish", "base", "--to", &format!("{repository}/base:1.2.0")]);
    for service in [&one, &two] {
        assert_eq!(service.request("POST", "/v1/catalog/refresh", &[], b"").status, 202);
        let is_new = (0..300).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            service.request("GET", "/v1/catalog", &[], b"").json()["generation"] != generation.as_str()
        });
        assert!(is_new);
    }
    let changes = [&one, &two]
        .map(|it| it.request("GET", &format!("/v1/catalog/changes?since={generation}"), &[], b"").json());
    assert_eq!(changes[0], changes[1]);
    let kinds: Vec<&str> = changes[0]["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .filter_map(|it| it["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["published", "breaks"], "{}", changes[0]);
    assert_eq!(changes[0]["changes"][1]["against"], "1.1.0");

    // If the registry fails, the last generation stays.
    drop(registry);
    assert_eq!(one.request("POST", "/v1/catalog/refresh", &[], b"").status, 202);
    let is_stale = (0..300).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        one.request("GET", "/v1/catalog", &[], b"").json()["stale"] == true
    });
    assert!(is_stale);
    assert_eq!(one.request("GET", "/v1/catalog/search?q=add", &[], b"").status, 200);
}

/// Clients see the projects that the registries of their tokens have, in counts and suggestions too.
#[test]
fn tokens_see_parts_of_a_catalogue() {
    let Some(registry) = Registry::start() else {
        eprintln!("skipped: this machine has no docker-registry (tests/setup/servers.sh)");
        return;
    };
    let machine = Machine::new("catalogue-rights");
    let repository = published(&machine, &registry);
    let token = |name: &str, part: &[&str]| {
        let words = [&["token", name, "--scope", "read", "--file", "tokens.toml"], part].concat();
        format!("Bearer {}", machine.ends(0, &words).trim())
    };
    let part = format!("{}/dialects/user", registry.host());
    let (all, some) = (token("all", &[]), token("some", &["--registries", &part]));
    let none = token("none", &["--registries", "elsewhere.example"]);
    let (tokens, cache) = (machine.0.join("tokens.toml"), machine.0.join("cache"));
    let (tokens, cache) = (tokens.to_string_lossy().into_owned(), cache.to_string_lossy().into_owned());
    let from = format!("{repository}/");
    let service = Service::start_in(&["--catalog", &from, "--tokens", &tokens], &[("ODSMITH_CACHE", &cache)]);
    let get = |token: &str, path: &str| service.request("GET", path, &[("authorization", token)], b"");
    let is_ready = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        get(&all, "/v1/catalog").status == 200
    });
    assert!(is_ready);
    let projects = |token: &str| {
        let list = get(token, "/v1/catalog").json();
        let names = list["projects"].as_array().expect("projects").iter();
        names.map(|it| it["project"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (projects(&all), projects(&some)),
        (vec!["base".to_owned(), "user".to_owned()], vec!["user".to_owned()])
    );
    assert!(projects(&none).is_empty());
    for (path, of_all, of_some) in [
        ("/v1/catalog/search?q=kind:op", 3, 1),
        ("/v1/catalog/search?q=kind:interface", 1, 0),
        ("/v1/catalog/uses/Pure", 0, 0),
        ("/v1/catalog/uses/mlir/_/trait/AlwaysSpeculatableImplTrait", 2, 1),
    ] {
        assert_eq!(
            (&get(&all, path).json()["total"], &get(&some, path).json()["total"]),
            (&of_all.into(), &of_some.into()),
            "{path}"
        );
    }
    let near = get(&some, "/v1/catalog/search?q=TilingInterfac").json();
    assert!(!near.to_string().contains("Tiling"), "{near}");
    let manifest =
        get(&all, "/v1/catalog").json()["projects"][0]["manifest"].as_str().expect("a digest").to_owned();
    for path in [
        "/v1/catalog/base/latest/model.json".to_owned(),
        format!("/v1/catalog/base/{manifest}/model.json"),
        format!("/v1/catalog/user/{manifest}/model.json"),
        "/v1/catalog/base/1.0.0..1.1.0".to_owned(),
        "/v1/catalog/symbols/base.add".to_owned(),
        "/v1/catalog/reports/breaks?project=base".to_owned(),
        "/catalog/project/base.html".to_owned(),
    ] {
        assert_eq!(get(&some, &path).status, 404, "{path}");
    }
    assert_eq!(get(&some, "/catalog/project/user.html").status, 200);
    // Generations and changes are those of the part.
    let generation =
        |token: &str| get(token, "/v1/catalog").json()["generation"].as_str().expect("one").to_owned();
    let (whole, own) = (generation(&all), generation(&some));
    assert_ne!(whole, own);
    assert_eq!(
        get(&some, &format!("/v1/catalog/changes?since={own}")).json()["changes"],
        serde_json::json!([])
    );
    assert_eq!(get(&some, &format!("/v1/catalog/changes?since={whole}")).status, 410);
    // Tools see no more.
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"kind:op"}}}"#;
    let headers = [("authorization", some.as_str()), ("content-type", "application/json")];
    let answer = service.request("POST", "/mcp", &headers, message).json();
    assert_eq!(answer["result"]["structuredContent"]["total"], 1, "{answer}");
}

#[test]
fn a_server_without_a_catalogue() {
    let service = Service::start(&[]);
    for path in ["/v1/catalog", "/v1/catalog/search?q=x", "/catalog/"] {
        let answer = service.request("GET", path, &[], b"");
        assert_eq!((answer.status, &answer.json()["code"]), (404, &"not-found".into()), "{path}");
    }
}

/// A receiver of messages: the heads in lower case, and the bodies.
struct Receiver {
    address: String,
    messages: std::sync::Arc<std::sync::Mutex<Vec<(String, String)>>>,
}

impl Receiver {
    /// Starts a receiver that answers with a status, to the end of the process.
    fn start(status: &'static str) -> Receiver {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let messages = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = std::sync::Arc::clone(&messages);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|read| read > 0) {}
                let head = head.to_ascii_lowercase();
                let length =
                    head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
                let mut body = vec![0; length.unwrap_or(0)];
                let _ = reader.read_exact(&mut body);
                seen.lock().expect("a list").push((head, String::from_utf8_lossy(&body).into_owned()));
                let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            }
        });
        Receiver { address, messages }
    }

    fn messages(&self) -> Vec<(String, String)> {
        self.messages.lock().expect("a list").clone()
    }
}

#[test]
fn messages_about_changes() {
    let Some(registry) = Registry::start() else {
        eprintln!("skipped: this machine has no docker-registry (tests/setup/servers.sh)");
        return;
    };
    let machine = Machine::new("notify");
    let openssl = |words: &[&str]| {
        Command::new("openssl")
            .current_dir(&*machine.0)
            .args(words)
            .output()
            .is_ok_and(|it| it.status.success())
    };
    if !openssl(&["genpkey", "-algorithm", "ed25519", "-out", "key.pem"]) {
        eprintln!("skipped: this machine has no openssl");
        return;
    }
    assert!(openssl(&["pkey", "-in", "key.pem", "-pubout", "-out", "public.pem"]));
    let repository = published(&machine, &registry);
    let (from, state) = (format!("{repository}/"), format!("oci://{}/odsmith/state:latest", registry.host()));
    let (taking, refusing) =
        (Receiver::start("204 No Content"), Receiver::start("500 Internal Server Error"));
    let notify = |code: i32, to: &Receiver| {
        let words = [
            "catalog",
            "notify",
            "--from",
            &from,
            "--state",
            &state,
            "--key",
            "key.pem",
            "--to",
            &to.address,
        ];
        machine.ends(code, &words)
    };
    // The first run takes note of what is there.
    assert!(notify(0, &taking).contains("has the state now"));
    assert!(notify(0, &taking).contains("sent 0 messages"));
    machine.0.write("base/Base.td", next_base().replace("\"old\"", "\"older\""));
    machine.ends(0, &["publish", "base", "--to", &format!("{repository}/base:1.2.0")]);
    machine.ends(0, &["yank", &format!("{repository}/base:1.1.0"), "--reason", "wrong"]);
    // A message that a receiver refuses is sent again.
    assert!(notify(5, &refusing).contains("answers 500"));
    assert!(notify(0, &taking).contains("sent 3 messages"));
    assert!(notify(0, &taking).contains("sent 0 messages"));
    let messages = taking.messages();
    let bodies: Vec<Value> =
        messages.iter().map(|(_, body)| serde_json::from_str(body).expect("JSON")).collect();
    let kinds: Vec<&str> = bodies.iter().filter_map(|it| it["type"].as_str()).collect();
    assert_eq!(kinds, ["dialects.yanked", "dialects.published", "dialects.breaks"]);
    // A message has the same id each time, and the signature of its bytes.
    let field = |head: &str, name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name)).expect("a header");
        line.trim_start_matches(':').trim().to_owned()
    };
    let id = field(&messages[0].0, "webhook-id");
    assert!(refusing.messages().iter().all(|(head, _)| field(head, "webhook-id") == id));
    // Ed25519 has one signature of some bytes. Heads are in lower case here.
    let signed = format!("{id}.{}.{}", field(&messages[0].0, "webhook-timestamp"), messages[0].1);
    machine.0.write("signed", signed);
    assert!(openssl(&[
        "pkeyutl",
        "-sign",
        "-inkey",
        "key.pem",
        "-rawin",
        "-in",
        "signed",
        "-out",
        "signature"
    ]));
    assert!(openssl(&["base64", "-A", "-in", "signature", "-out", "signature.txt"]));
    let expected = fs::read_to_string(machine.0.join("signature.txt")).expect("a signature");
    let given = field(&messages[0].0, "webhook-signature");
    assert_eq!(given, format!("v1a,{}", expected.trim().to_ascii_lowercase()));
}
