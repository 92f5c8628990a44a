//! `odsmith publish`, `pull`, `yank` and `fetch` against a real registry, alone and through a proxy that spoils answers.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use odsmith_tests::{
    archive::files_below,
    folder::TestFolder,
    http::Service,
    registry::{LOGIN, Proxy, ProxyRequest, Registry, Treatment},
    set_up,
};
use serde_json::Value;

/// Returns a registry, or leaves the test out.
macro_rules! registry_or_skip {
    ($start:expr) => {
        match $start {
            Some(registry) => registry,
            None => {
                eprintln!("skipped: this machine has no docker-registry (tests/setup/servers.sh)");
                return;
            }
        }
    };
}

const OPS: &str = r#"include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def A_Dialect : Dialect { let name = "aa"; let cppNamespace = "::aa"; let summary = "The A dialect"; }
class A_Op<string mnemonic, list<Trait> traits = []> : Op<A_Dialect, mnemonic, traits> { let summary = "an operation"; }
def A_AddOp : A_Op<"add", [Pure]> {
  let arguments = (ins I32:$lhs, I32:$rhs);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}
"#;
const USER: &str = r#"include "Ops.td"
def B_Dialect : Dialect { let name = "bb"; let cppNamespace = "::bb"; }
def B_MulOp : Op<B_Dialect, "mul", [Pure]> { let arguments = (ins I32:$x); let results = (outs I32:$y); }
"#;

/// A definition with a finding of lint.
const AMBIGUOUS: &str = r#"def A_ThreadOp : A_Op<"thread"> {
  let arguments = (ins OptionalAttr<StrAttr>:$kind, OptionalAttr<I64Attr>:$noc);
  let assemblyFormat = "(`<` $kind^ `>`)? (`<` `noc` `=` $noc^ `>`)? attr-dict";
}
"#;

/// A user's machine: a folder with a cache of its own.
struct Machine(TestFolder);

impl Machine {
    fn new(name: &str) -> Machine {
        Machine(TestFolder::new(name))
    }

    fn command(&self, words: &[&str]) -> Command {
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

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("odsmith starts")
    }

    /// Runs a command that ends with a code; returns what it said.
    #[track_caller]
    fn ends(&self, code: i32, words: &[&str]) -> String {
        let output = self.run(words);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
        said
    }
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Returns the digits of the digest in a text.
fn digest(text: &str) -> String {
    let (_, rest) = text.split_once("@sha256:").unwrap_or_else(|| panic!("no digest: {text}"));
    rest.chars().take(64).collect()
}

#[test]
fn two_machines_publish_one_digest() {
    let registry = registry_or_skip!(Registry::start());
    let to = format!("oci://{}/dialects/a:1.0.0", registry.host());
    let [one, two] = ["one", "two"].map(Machine::new);
    one.0.write("project/Ops.td", OPS);
    two.0.write("elsewhere/below/Ops.td", OPS);
    let said = one.ends(0, &["publish", "project", "--to", &to]);
    assert!(said.contains("(5 blobs sent, 0 there already"), "{said}");
    let first = digest(&said);
    assert_eq!(registry.tag("dialects/a", "1.0.0"), Some(first.clone()));
    let mut command = two.command(&["publish", "elsewhere/below", "--to", &to, "--dry-run"]);
    let output = command.env("TZ", "Asia/Tokyo").env("LC_ALL", "C").env("USER", "somebody").output();
    assert_eq!(digest(&self::said(&output.expect("odsmith starts"))), first);
    // The same again is no error, and other definitions are one. Nothing is overwritten.
    assert!(two.ends(0, &["publish", "elsewhere/below", "--to", &to]).contains("already published"));
    two.0.write("elsewhere/below/Ops.td", OPS.replace("\"add\"", "\"plus\""));
    let said = two.ends(3, &["publish", "elsewhere/below", "--to", &to]);
    assert!(said.contains(&format!("not published: 1.0.0 is sha256:{first} already")), "{said}");
    assert_eq!(registry.tag("dialects/a", "1.0.0"), Some(first.clone()));
    // Moving the tag gives the old manifest another one.
    let second = digest(&two.ends(0, &["publish", "elsewhere/below", "--to", &to, "--move-tag"]));
    assert_eq!(registry.tag("dialects/a", "1.0.0"), Some(second.clone()));
    assert_eq!(registry.tag("dialects/a", &format!("1.0.0.was-{}", &first[..12])), Some(first.clone()));
    // Reports are in the index that replaces the API, which this registry lacks.
    let index: Value = serde_json::from_slice(
        &fs::read(registry.blob(&registry.tag("dialects/a", &format!("sha256-{second}")).expect("an index")))
            .expect("a blob"),
    )
    .expect("JSON");
    let kinds: BTreeSet<&str> = index["manifests"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["artifactType"].as_str())
        .collect();
    let expected =
        ["application/vnd.in-toto+json", "application/sarif+json", "application/vnd.odsmith.diff.v1+json"];
    assert!(expected[..2].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");

    // By the tag and by the digest there are the same files.
    two.ends(0, &["pull", &to, "-o", "tag"]);
    two.ends(0, &["pull", &format!("oci://{}/dialects/a@sha256:{second}", registry.host()), "-o", "digest"]);
    assert_eq!(files_below(&two.0.join("tag")), files_below(&two.0.join("digest")));
    let model: Value =
        serde_json::from_slice(&fs::read(two.0.join("tag/model.json")).expect("a model")).expect("JSON");
    assert_eq!(model["operations"][0]["name"], "aa.plus");
    assert!(two.0.join("tag/site/index.html").is_file() && !two.0.join("tag/site/aa/index.md").exists());
    let said = two.ends(2, &["pull", &to, "-o", "tag"]);
    assert!(said.contains("'tag' is there already"), "{said}");
    let old = format!("oci://{}/dialects/a:1.0.0@sha256:{first}", registry.host());
    let said = two.ends(0, &["pull", &old, "-o", "old", "--only", "config"]);
    assert!(said.contains("the tag names sha256:"), "{said}");
    let said = two.ends(1, &["pull", &to, "--compare", &old]);
    assert!(said.contains("model.json.zst: differs") && said.contains("two manifests"), "{said}");

    // Commands that read folders and archives read artifacts.
    assert!(two.ends(1, &["diff", &old, &to]).contains("aa.add became aa.plus"));
    assert!(two.ends(0, &["check", &to]).contains("no errors"));
    assert!(two.ends(0, &["verify", &to]).contains("made from the tree"));
    two.ends(0, &["docs", "elsewhere/below", "--against", &old, "--project-version", "2.0", "-o", "site"]);
}

#[test]
fn other_tools_read_an_artifact() {
    let registry = registry_or_skip!(Registry::start());
    if Command::new("skopeo").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: this machine has no skopeo (tests/setup/servers.sh)");
        return;
    }
    let machine = Machine::new("tools");
    machine.0.write("a/Ops.td", OPS);
    let name = format!("{}/dialects/a:1.0.0", registry.host());
    let published = digest(&machine.ends(0, &["publish", "a", "--cpp", "--to", &format!("oci://{name}")]));
    let skopeo = |words: &[&str]| {
        let output =
            Command::new("skopeo").current_dir(&*machine.0).args(words).output().expect("skopeo starts");
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        output.stdout
    };
    let raw = skopeo(&["inspect", "--tls-verify=false", "--raw", &format!("docker://{name}")]);
    let manifest: Value = serde_json::from_slice(&raw).expect("JSON");
    assert_eq!(manifest["artifactType"], "application/vnd.odsmith.dialects.v1");
    let titles: Vec<&str> = manifest["layers"]
        .as_array()
        .expect("layers")
        .iter()
        .filter_map(|it| it["annotations"]["org.opencontainers.image.title"].as_str())
        .collect();
    let expected =
        ["definitions.tar.zst", "model.json.zst", "symbols.json.zst", "site.tar.zst", "cpp.tar.zst"];
    assert_eq!(titles, expected);
    let config = skopeo(&["inspect", "--tls-verify=false", "--config", "--raw", &format!("docker://{name}")]);
    let config: Value = serde_json::from_slice(&config).expect("JSON");
    assert_eq!((&config["project"], &config["dialects"][0]["operations"]), (&"a".into(), &1.into()));
    // A layout and a copy have the same digest, and are pulled alike.
    skopeo(&["copy", "--src-tls-verify=false", &format!("docker://{name}"), "oci:layout:a"]);
    machine.ends(0, &["pull", "oci-layout:layout:a", "-o", "from-layout"]);
    machine.ends(0, &["pull", &format!("oci://{name}"), "-o", "from-registry"]);
    assert_eq!(files_below(&machine.0.join("from-layout")), files_below(&machine.0.join("from-registry")));
    let copy = format!("docker://{}/mirror/a:1.0.0", registry.host());
    skopeo(&["copy", "--dest-tls-verify=false", "oci:layout:a", &copy]);
    assert_eq!(registry.tag("mirror/a", "1.0.0"), Some(published.clone()));
    // A layout that is written here is read by them.
    machine.ends(0, &["publish", "a", "--cpp", "--layout", "own", "--name", "a", "--version", "1.0.0"]);
    skopeo(&[
        "copy",
        "--dest-tls-verify=false",
        "oci:own:1.0.0",
        &format!("docker://{}/own/a:1.0.0", registry.host()),
    ]);
    assert_eq!(registry.tag("own/a", "1.0.0"), Some(published));
}

#[test]
fn a_withdrawn_version() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("yank");
    machine.0.write("a/Ops.td", OPS);
    let repository = format!("oci://{}/dialects/a", registry.host());
    for version in ["1.0.0", "1.1.0"] {
        machine.ends(0, &["publish", "a", "--to", &format!("{repository}:{version}")]);
    }
    let (first, last) = (format!("{repository}:1.0.0"), format!("{repository}:1.1.0"));
    let said = machine.ends(0, &["yank", &last, "--reason", "wrong verifier", "--use", "1.0.0"]);
    assert!(said.contains("is withdrawn"), "{said}");
    let said = machine.ends(0, &["pull", &last, "-o", "x", "--only", "config"]);
    assert!(said.contains("is withdrawn: wrong verifier; use 1.0.0"), "{said}");
    // The reports of both versions are still there.
    assert!(machine.ends(0, &["verify", &first]).contains("made from the tree"));
    assert!(machine.ends(0, &["verify", &last]).contains("made from the tree"));
    // Resolvers pass over it, and a lock that names it works.
    machine.0.write("user/Use.td", USER);
    machine.0.write("user/odsmith.toml", format!("[dependencies]\na = '{last}'\n"));
    let said = machine.ends(1, &["fetch", "user"]);
    assert!(said.contains("a 1.1.0 is withdrawn: wrong verifier; use 1.0.0"), "{said}");
    machine.ends(0, &["yank", &last, "--undo"]);
    machine.ends(0, &["fetch", "user"]);
    machine.ends(0, &["yank", &last, "--reason", "again"]);
    let said = machine.ends(0, &["fetch", "user"]);
    assert!(said.contains("a 1.1.0 is withdrawn: again"), "{said}");
    machine.0.write("user/odsmith.toml", format!("[dependencies]\na = '{first}'\n"));
    fs::remove_file(machine.0.join("user/odsmith.lock")).expect("a lock");
    let said = machine.ends(0, &["fetch", "user", "--update"]);
    assert!(said.contains("a 1.0.0 sha256:"), "{said}");
}

#[test]
fn conditions_refuse_to_publish() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("require");
    machine.0.write("a/Ops.td", OPS);
    let repository = format!("oci://{}/dialects/a", registry.host());
    machine.ends(0, &["publish", "a", "--to", &format!("{repository}:1.0.0")]);
    machine.0.write("a/Ops.td", OPS.replace("\"add\"", "\"plus\""));
    let next = format!("{repository}:1.1.0");
    let said = machine.ends(1, &["publish", "a", "--to", &next, "--require", "lint=error,diff=bytecode"]);
    assert!(
        said.contains("not published: --require diff=bytecode is not met: 1 finding since 1.0.0"),
        "{said}"
    );
    assert!(said.contains("OP003"), "{said}");
    let said = machine.ends(1, &["publish", "a", "--to", &next, "--require", "coverage=100"]);
    assert!(said.contains("% is documented"), "{said}");
    machine.0.write("a/Ops.td", format!("{OPS}{AMBIGUOUS}"));
    let said = machine.ends(1, &["publish", "a", "--to", &next, "--require", "lint=warning"]);
    assert!(said.contains("not published: --require lint=warning is not met: 1 finding"), "{said}");
    machine.0.write("a/Ops.td", OPS.replace("\"add\"", "\"plus\""));
    assert_eq!(registry.tag("dialects/a", "1.1.0"), None);
    machine.ends(0, &["publish", "a", "--to", &next, "--require", "lint=error,diff=pipeline,coverage=10"]);
    machine.0.write("a/Ops.td", OPS.replace("I32:$lhs", "Missing:$lhs"));
    machine.ends(2, &["publish", "a", "--to", &format!("{repository}:1.2.0")]);
    machine.ends(2, &["publish", "a", "--to", &repository]);
    machine.ends(2, &["publish", "a", "--to", &format!("{repository}:latest")]);
}

#[test]
fn publishers_of_one_tag() {
    let registry = registry_or_skip!(Registry::start());
    let to = format!("oci://{}/dialects/a:1.0.0", registry.host());
    let machine = Machine::new("race");
    let children: Vec<_> = (0..4)
        .map(|number| {
            let folder = format!("a{number}");
            machine.0.write(&format!("{folder}/Ops.td"), OPS.replace("\"add\"", &format!("\"add{number}\"")));
            let mut command = machine.command(&["publish", &folder, "--no-site", "--to", &to]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("odsmith starts")
        })
        .collect();
    let outputs: Vec<Output> =
        children.into_iter().map(|child| child.wait_with_output().expect("its end")).collect();
    let there = registry.tag("dialects/a", "1.0.0").expect("a tag");
    let mut winners = Vec::new();
    for output in &outputs {
        let text = said(output);
        match output.status.code() {
            Some(0) => winners.push(digest(&text)),
            Some(3) => assert!(text.contains("already"), "{text}"),
            Some(4) => assert!(text.contains("at the same time"), "{text}"),
            code => panic!("{code:?}: {text}"),
        }
    }
    assert!(winners.contains(&there), "{winners:?} {there}");
}

/// A registry that is gone from a request on leaves no tag and no file, and the same command then goes through.
#[test]
fn a_registry_that_breaks_off() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("breaks");
    machine.0.write("a/Ops.td", OPS);
    let mut version = 0;
    for at in (0..60).step_by(4) {
        version += 1;
        let count = Arc::new(AtomicUsize::new(0));
        let treat = move |_: &_| match count.fetch_add(1, Ordering::SeqCst) {
            number if number < at => Treatment::Pass,
            number if number % 2 == 0 => Treatment::Cut,
            _ => Treatment::CutAnswer,
        };
        let proxy = Proxy::start(registry.port(), treat);
        let repository = format!("dialects/a{version}");
        let through = format!("oci://{}/{repository}:1.0.0", proxy.host());
        let output = machine.run(&["publish", "a", "--no-site", "--to", &through]);
        if output.status.success() {
            assert!(at > 12, "{at} requests are enough for all");
            // Fewer requests than these are sent.
            break;
        }
        let text = said(&output);
        assert_eq!(output.status.code(), Some(5), "{text}");
        // The tag may have been written by the request whose answer was lost.
        let tags = registry.tags(&repository);
        let is_whole = |tag: &String| tag.starts_with("sha256-");
        let is_tagged = !tags.iter().all(is_whole);
        assert!(!is_tagged || text.contains("broke off"), "{tags:?}: {text}");
        let direct = format!("oci://{}/{repository}:1.0.0", registry.host());
        machine.ends(0, &["publish", "a", "--no-site", "--to", &direct]);
        assert!(machine.ends(0, &["verify", &direct]).contains("made from the tree"));
    }
    fs::remove_dir_all(machine.0.join("cache")).expect("a cache");
    let proxy = Proxy::start(registry.port(), |request| match request.number {
        0..4 => Treatment::Pass,
        _ => Treatment::Cut,
    });
    machine.ends(5, &["pull", &format!("oci://{}/dialects/a1:1.0.0", proxy.host()), "-o", "files"]);
    assert!(!machine.0.join("files").exists());
    // A fault that passes is no error.
    let treat = |request: &ProxyRequest| match request.number % 3 {
        0 => Treatment::Answer("503 Service Unavailable\r\nRetry-After: 0".to_owned(), Vec::new()),
        _ => Treatment::Pass,
    };
    let proxy = Proxy::start(registry.port(), treat);
    machine.ends(
        0,
        &["publish", "a", "--no-site", "--to", &format!("oci://{}/dialects/passing:1.0.0", proxy.host())],
    );
}

/// Returns an answer as GitLab's registry gives it, if a manifest has a media type that it does not know.
fn refusal_of_types(request: &ProxyRequest) -> Option<Treatment> {
    const KNOWN: [&str; 8] = [
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.oci.image.config.v1+json",
        "application/vnd.oci.image.layer.v1.tar+zstd",
        "application/vnd.oci.empty.v1+json",
        "application/vnd.in-toto+json",
        "application/octet-stream",
        "application/json",
    ];
    fn types<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    match field.as_str().filter(|_| matches!(name.as_str(), "mediaType" | "artifactType")) {
                        Some(text) => found.push(text),
                        None => types(field, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| types(item, found)),
            _ => {}
        }
    }
    if !request.line.starts_with("PUT ") || !request.line.contains("/manifests/") {
        return None;
    }
    let manifest: Value = serde_json::from_slice(&request.body).expect("a manifest");
    let mut found = Vec::new();
    types(&manifest, &mut found);
    let unknown = found.into_iter().find(|it| !KNOWN.contains(it))?;
    let body = serde_json::json!({ "errors": [{
        "code": "MANIFEST_INVALID", "message": "manifest invalid", "detail": format!("unknown media type: {unknown}"),
    }] });
    let head = "400 Bad Request\r\nContent-Type: application/json".to_owned();
    Some(Treatment::Answer(head, body.to_string().into_bytes()))
}

/// A registry that refuses media types which are not on its list takes the other form, and all commands read that.
#[test]
fn a_registry_with_a_list_of_media_types() {
    let registry = registry_or_skip!(Registry::start());
    let proxy = Proxy::start(registry.port(), |it| refusal_of_types(it).unwrap_or(Treatment::Pass));
    let machine = Machine::new("types");
    machine.0.write("a/Ops.td", OPS);
    let own = format!("oci://{}/own/a:1.0.0", registry.host());
    let repository = format!("oci://{}/known/a", proxy.host());
    let [first, second] = ["1.0.0", "1.1.0"].map(|version| format!("{repository}:{version}"));
    let said = machine.ends(5, &["publish", "a", "--to", &first]);
    assert!(said.contains("unknown media type") && said.contains("say --known-types"), "{said}");
    assert_eq!(registry.tag("known/a", "1.0.0"), None);
    machine.ends(0, &["publish", "a", "--to", &own]);
    machine.ends(0, &["publish", "a", "--to", &first, "--known-types"]);
    assert!(
        machine.ends(0, &["publish", "a", "--to", &first, "--known-types"]).contains("already published")
    );
    // Both forms have the same layers.
    let said = machine.ends(0, &["pull", &own, "--compare", &first]);
    assert!(said.contains("definitions.tar.zst: the same\n"), "{said}");
    machine.ends(0, &["pull", &own, "-o", "own"]);
    machine.ends(0, &["pull", &first, "-o", "known"]);
    assert_eq!(files_below(&machine.0.join("own")), files_below(&machine.0.join("known")));
    assert!(machine.ends(0, &["verify", &first]).contains("made from the tree"));
    assert!(machine.ends(0, &["describe", "aa.add", "--from", &first]).contains("an operation"));
    // The next version is compared with it, and withdrawn in the same form.
    machine.0.write("a/Ops.td", OPS.replace("\"add\"", "\"plus\""));
    let said =
        machine.ends(1, &["publish", "a", "--to", &second, "--known-types", "--require", "diff=bytecode"]);
    assert!(said.contains("1 finding since 1.0.0"), "{said}");
    machine.ends(0, &["publish", "a", "--to", &second, "--known-types"]);
    machine.ends(0, &["yank", &second, "--reason", "wrong name"]);
    let said = machine.ends(0, &["pull", &second, "-o", "x", "--only", "config"]);
    assert!(said.contains("is withdrawn: wrong name"), "{said}");
    // Dependencies, also from a layout of the project.
    machine.0.write("user/Use.td", USER);
    machine.0.write("user/odsmith.toml", format!("[dependencies]\na = '{first}'\n"));
    machine.ends(0, &["fetch", "user", "--vendor"]);
    fs::remove_dir_all(machine.0.join("cache")).expect("a cache");
    machine.ends(0, &["generate", "user", "-o", "out"]);
    // A catalogue knows the break and the withdrawal.
    machine
        .ends(0, &["catalog", "build", "--from", &format!("oci://{}/known/", proxy.host()), "-o", "catalog"]);
    let said = machine.ends(0, &["catalog", "query", "breaks:bytecode", "--catalog", "catalog"]);
    assert!(said.contains("a@1.0.0/aa/op/add"), "{said}");
    // A layout has the same form.
    machine.ends(
        0,
        &["publish", "a", "--layout", "layout", "--name", "a", "--version", "1.1.0", "--known-types"],
    );
    let said = machine.ends(0, &["pull", "oci-layout:layout:1.1.0", "--compare", &second]);
    assert!(said.contains("definitions.tar.zst: the same\n"), "{said}");
}

#[test]
fn logins() {
    let registry = registry_or_skip!(Registry::start_with_login());
    let machine = Machine::new("login");
    machine.0.write("a/Ops.td", OPS);
    let host = registry.host();
    let to = format!("oci://{host}/dialects/a:1.0.0");
    let publish = ["publish", "a", "--no-site", "--to", &to];
    let said = machine.ends(6, &publish);
    assert!(said.contains(&format!("{host} asks for a login: docker login {host}")), "{said}");
    let with_password = |password: &str| {
        let mut command = machine.command(&publish);
        command.args(["-vv", "--username", LOGIN.0, "--password-stdin"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("odsmith starts");
        std::io::Write::write_all(&mut child.stdin.take().expect("its input"), password.as_bytes())
            .expect("a pipe");
        child.wait_with_output().expect("its end")
    };
    let wrong = with_password("a-wrong-word\n");
    assert_eq!(wrong.status.code(), Some(6), "{}", self::said(&wrong));
    assert!(!self::said(&wrong).contains("a-wrong-word"));
    let right = with_password(&format!("{}\n", LOGIN.1));
    assert_eq!(right.status.code(), Some(0), "{}", self::said(&right));
    assert!(!self::said(&right).contains(LOGIN.1));
    // As `docker login` leaves it.
    let output =
        Command::new("sh").args(["-c", &format!("printf %s '{}:{}' | base64", LOGIN.0, LOGIN.1)]).output();
    let auth = String::from_utf8(output.expect("base64").stdout).expect("text");
    let config = format!(r#"{{"auths":{{"{host}":{{"auth":"{}"}}}}}}"#, auth.trim());
    machine.0.write("home/.docker/config.json", &config);
    machine.ends(0, &["pull", &to, "-o", "x"]);
    fs::remove_file(machine.0.join("home/.docker/config.json")).expect("a file");
    machine.0.write("home/.config/containers/auth.json", &config);
    machine.ends(0, &["pull", &to, "-o", "y"]);

    // The login goes to no other host: not along a redirect, and not to a token server that is not known.
    let spy = Proxy::start(registry.port(), |_| {
        Treatment::Answer("200 OK".to_owned(), br#"{"token":"x"}"#.to_vec())
    });
    let elsewhere = spy.host();
    let redirect = move |request: &ProxyRequest| match request.line.contains("/blobs/") {
        true => Treatment::Answer(
            format!("307 Temporary Redirect\r\nLocation: http://{elsewhere}/blob"),
            Vec::new(),
        ),
        false => Treatment::Pass,
    };
    let proxy = Proxy::start(registry.port(), redirect);
    fs::remove_dir_all(machine.0.join("cache")).expect("a cache");
    let config = config.replace(&host, &proxy.host());
    machine.0.write("home/.config/containers/auth.json", &config);
    let said = machine.ends(5, &["pull", &format!("oci://{}/dialects/a:1.0.0", proxy.host()), "-o", "z"]);
    assert!(said.contains("bytes, and not"), "{said}");
    assert!(!machine.0.join("z").exists());
    assert!(!spy.requests().is_empty());
    assert!(
        spy.requests().iter().all(|request| !request.head.contains("authorization")),
        "{:?}",
        spy.requests()
    );
    let realm = spy.host();
    let before = spy.requests().len();
    let challenge = move |_: &ProxyRequest| {
        Treatment::Answer(
            format!(
                "401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"http://{realm}/token\",service=\"x\""
            ),
            Vec::new(),
        )
    };
    let proxy = Proxy::start(registry.port(), challenge);
    let config = format!(r#"{{"auths":{{"{}":{{"auth":"{}"}}}}}}"#, proxy.host(), auth.trim());
    machine.0.write("home/.config/containers/auth.json", config);
    let said = machine.ends(5, &["pull", &format!("oci://{}/dialects/a:1.0.0", proxy.host()), "-o", "z"]);
    assert!(said.contains("which is not known to belong to it"), "{said}");
    assert_eq!(spy.requests().len(), before);
}

/// A registry with a token server of its own: the token is asked for with the login, and sent with each request.
#[test]
fn tokens() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("tokens");
    machine.0.write("a/Ops.td", OPS);
    let treat = |request: &ProxyRequest| {
        let host = request.head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        match () {
            () if request.line.starts_with("GET /token?")
                && request.head.contains("authorization: basic ") =>
            {
                Treatment::Answer("200 OK".to_owned(), br#"{"access_token":"the-token"}"#.to_vec())
            }
            () if request.head.contains("authorization: bearer the-token") => Treatment::Pass,
            () => Treatment::Answer(
                format!(
                    "401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"http://{host}/token\",service=\"test\",\
                     scope=\"repository:dialects/a:pull,push\""
                ),
                br#"{"errors":[{"code":"UNAUTHORIZED","message":"who are you","detail":null}]}"#.to_vec(),
            ),
        }
    };
    let proxy = Proxy::start(registry.port(), treat);
    let to = format!("oci://{}/dialects/a:1.0.0", proxy.host());
    let said = machine.ends(6, &["publish", "a", "--no-site", "--to", &to]);
    assert!(said.contains("asks for a login") && said.contains("UNAUTHORIZED: who are you"), "{said}");
    let config = format!(r#"{{"auths":{{"{}":{{"auth":"dTpw"}}}}}}"#, proxy.host());
    machine.0.write("home/.docker/config.json", config);
    machine.ends(0, &["publish", "a", "--no-site", "--to", &to]);
    machine.ends(0, &["pull", &to, "-o", "files"]);
    let asked: Vec<String> = proxy
        .requests()
        .iter()
        .map(|it| it.line.clone())
        .filter(|line| line.starts_with("GET /token?"))
        .collect();
    let scope = "service=test&scope=repository%3Adialects%2Fa%3Apull%2Cpush";
    assert!(asked.iter().all(|line| line.contains(scope)), "{asked:?}");
    // A token is kept for requests of its scope.
    assert!(asked.len() < proxy.requests().len() / 3, "{} of {}", asked.len(), proxy.requests().len());
}

#[test]
fn forged_bytes() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("forged");
    machine.0.write("a/Ops.td", OPS);
    let reference = format!("oci://{}/dialects/a:1.0.0", registry.host());
    let manifest = digest(&machine.ends(0, &["publish", "a", "--no-site", "--to", &reference]));
    let text: Value =
        serde_json::from_slice(&fs::read(registry.blob(&manifest)).expect("a manifest")).expect("JSON");
    let layers = text["layers"].as_array().expect("layers");
    let digests = layers
        .iter()
        .chain([&text["config"]])
        .filter_map(|it| it["digest"].as_str()?.strip_prefix("sha256:"));
    for hex in digests {
        let place = registry.blob(hex);
        let right = fs::read(&place).expect("a blob");
        let mut flipped = right.clone();
        flipped[right.len() / 2] ^= 1;
        let cut = right[..right.len() - 1].to_vec();
        let longer = [&right[..], b"x"].concat();
        for wrong in [flipped, cut, longer] {
            fs::write(&place, wrong).expect("a blob");
            let _ = fs::remove_dir_all(machine.0.join("cache"));
            let said = machine.ends(5, &["pull", &reference, "-o", "files"]);
            assert!(said.contains("sha256:") || said.contains("bytes"), "{said}");
            assert!(!machine.0.join("files").exists());
        }
        fs::write(&place, right).expect("a blob");
    }
    // Another manifest for a digest.
    let proxy = Proxy::start(registry.port(), |request| match request.line.contains("/manifests/sha256:") {
        true => Treatment::Flip,
        false => Treatment::Pass,
    });
    let _ = fs::remove_dir_all(machine.0.join("cache"));
    let said = machine
        .ends(5, &["pull", &format!("oci://{}/dialects/a@sha256:{manifest}", proxy.host()), "-o", "files"]);
    assert!(said.contains("the manifest has the digest"), "{said}");
    // A damaged cache is fetched anew.
    machine.ends(0, &["pull", &reference, "-o", "right"]);
    for (path, bytes) in files_below(&machine.0.join("cache/oci/blobs")) {
        let wrong: Vec<u8> = bytes.iter().map(|byte| byte ^ 1).collect();
        machine.0.write(&format!("cache/oci/blobs/{path}"), wrong);
    }
    machine.ends(0, &["pull", &reference, "-o", "again"]);
    assert_eq!(files_below(&machine.0.join("right")), files_below(&machine.0.join("again")));
    // Another kind of artifact is none of ours.
    let said = machine.ends(
        5,
        &["pull", &format!("oci://{}/dialects/a:sha256-{manifest}", registry.host()), "-o", "index"],
    );
    assert!(said.contains("no image manifest"), "{said}");
}

#[test]
fn dependencies_come_from_the_cache() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("packages");
    let repository = format!("oci://{}/dialects", registry.host());
    machine.0.write("a/Ops.td", OPS);
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        machine.ends(0, &["publish", "a", "--no-site", "--to", &format!("{repository}/a:{version}")]);
    }
    machine.0.write("b/Use.td", USER);
    let manifest = |version: &str| format!("schema = 1\n[dependencies]\na = '{repository}/a:{version}'\n");
    machine.0.write("b/odsmith.toml", manifest("1.0"));
    let said = machine.ends(2, &["generate", "b", "-o", "out"]);
    assert!(
        said.contains("odsmith.lock is missing, and odsmith.toml:3 asks for a package: run odsmith fetch"),
        "{said}"
    );
    // A release that no request names changes nothing.
    assert!(machine.ends(0, &["fetch", "b"]).contains("a 1.0.0 sha256:"));
    let lock = fs::read_to_string(machine.0.join("b/odsmith.lock")).expect("a lock");
    let said = machine.ends(0, &["fetch", "b", "--update"]);
    assert!(said.contains("a 1.1.0 sha256:"), "{said}");
    assert!(machine.ends(0, &["fetch", "b"]).contains("a 1.1.0 sha256:"));
    machine.0.write("b/odsmith.lock", &lock);
    // Builds use no network: the registry is gone.
    machine.ends(0, &["publish", "b", "--no-site", "--to", &format!("{repository}/b:0.1.0")]);
    machine.ends(0, &["fetch", "b", "--locked", "--vendor"]);
    let host = registry.host();
    machine.0.write(
        "c/odsmith.toml",
        format!("schema = 1\n[dependencies]\na = '{repository}/a:2.0'\nb = '{repository}/b:0.1'\n"),
    );
    machine.0.write("c/Use.td", "include \"Use.td\"\n");
    let said = machine.ends(1, &["fetch", "c"]);
    assert!(said.contains(&format!("two versions of {repository}/a are asked for")), "{said}");
    assert!(said.contains("odsmith.toml:3") && said.contains("odsmith.toml:4  b 0.1.0 (sha256:"), "{said}");
    assert!(said.contains("write override = true at odsmith.toml:3"), "{said}");
    let forced = format!(
        "schema = 1\n[dependencies]\na = {{ oci = '{repository}/a:2.0', override = true }}\nb = '{repository}/b:0.1'\n"
    );
    machine.0.write("c/odsmith.toml", forced);
    assert!(machine.ends(0, &["fetch", "c"]).contains("a 2.0.0"));
    assert!(machine.ends(0, &["check", &format!("{repository}/b:0.1.0")]).contains("no errors"));
    drop(registry);
    machine.ends(0, &["generate", "b", "-o", "out", "--locked"]);
    assert!(files_below(&machine.0.join("out")).iter().any(|(path, _)| path.ends_with(".h.inc")));
    fs::remove_dir_all(machine.0.join("cache/oci")).expect("a cache");
    machine.ends(0, &["generate", "b", "-o", "out"]);
    fs::remove_dir_all(machine.0.join("b/.odsmith")).expect("a layout");
    let said = machine.ends(2, &["generate", "b", "-o", "out"]);
    assert!(said.contains("a 1.0.0 is not in the cache: run odsmith fetch"), "{said}");
    // A lock that does not fit is named by its line.
    machine.0.write("b/odsmith.toml", manifest("1.1"));
    let said = machine.ends(2, &["generate", "b", "-o", "out"]);
    assert!(
        said.contains("odsmith.lock:7: a 1.0.0 does not fit odsmith.toml:3, which asks for 1.1"),
        "{said}"
    );
    let said = machine.ends(2, &["fetch", "b", "--locked"]);
    assert!(said.contains("odsmith.lock:7:"), "{said}");
    machine.0.write("b/odsmith.toml", manifest("1.0").replace(&host, "127.0.0.1:1"));
    let said = machine.ends(2, &["generate", "b", "-o", "out"]);
    assert!(said.contains("odsmith.lock:6: 'a' is from"), "{said}");
    assert!(Path::new(&*machine.0.join("b/odsmith.lock")).is_file());
}

/// A server gets the packages of a bundle's lock from the registries of its configuration, and from those of the token.
#[test]
fn a_server_gets_locked_dependencies() {
    let registry = registry_or_skip!(Registry::start());
    let machine = Machine::new("served-packages");
    let part = format!("{}/dialects", registry.host());
    machine.0.write("a/Ops.td", OPS);
    machine.ends(0, &["publish", "a", "--no-site", "--to", &format!("oci://{part}/a:1.0.0")]);
    machine.0.write("b/Use.td", USER);
    machine.0.write("b/odsmith.toml", format!("schema = 1\n[dependencies]\na = 'oci://{part}/a:1.0'\n"));
    machine.ends(0, &["fetch", "b"]);
    let text = |path: &str| fs::read_to_string(machine.0.join("b").join(path)).expect("a file");
    let body = |paths: &[&str]| {
        let files = paths.iter().map(|path| ((*path).to_owned(), Value::String(text(path))));
        serde_json::json!({ "files": files.collect::<serde_json::Map<_, _>>() }).to_string()
    };
    let whole = body(&["Use.td", "odsmith.toml", "odsmith.lock"]);
    let folder = machine.0.join("server").to_string_lossy().into_owned();
    let start = |words: &[&str]| Service::start_in(words, &[("ODSMITH_CACHE", &folder), ("HOME", &folder)]);
    let check = |service: &Service, token: &str, body: &str| {
        let headers = [("content-type", "application/json"), ("authorization", token)];
        let headers = &headers[..if token.is_empty() { 1 } else { 2 }];
        let answer = service.request("POST", "/v1/check", headers, body.as_bytes());
        let value = answer.json();
        let code = value["code"].as_str().map(str::to_owned);
        (answer.status, code.unwrap_or_else(|| value.to_string()))
    };
    let found = |status: u16, said: &str| (status, said.to_owned());
    assert_eq!(check(&start(&[]), "", &whole), found(400, "bad-manifest"));
    assert_eq!(
        check(&start(&["--registry", "elsewhere.example/x"]), "", &whole),
        found(422, "source-refused")
    );
    let service = start(&["--registry", &part]);
    assert_eq!(check(&service, "", &whole), found(200, "[]"));
    assert_eq!(
        check(&service, "", &body(&["Use.td", "odsmith.toml"])),
        found(422, "dependencies-not-locked")
    );
    let stale = whole.replace(":1.0'", ":1.1'");
    assert_eq!(check(&service, "", &stale), found(422, "dependencies-not-locked"));
    // Files that came along are not fetched.
    let own = serde_json::json!({ "files": {
        "Use.td": text("Use.td"), "odsmith.toml": text("odsmith.toml"), "<a>/Ops.td": OPS,
    } });
    assert_eq!(check(&start(&[]), "", &own.to_string()), found(200, "[]"));
    // A token gets what it may read, whatever others got before.
    let token = |name: &str, part: &str| {
        let words = ["token", name, "--registries", part, "--file", "tokens.toml"];
        format!("Bearer {}", machine.ends(0, &words).trim())
    };
    let (reads, other) = (token("reads", &part), token("other", "elsewhere.example"));
    let tokens = machine.0.join("tokens.toml").to_string_lossy().into_owned();
    let service = start(&["--registry", &part, "--tokens", &tokens]);
    assert_eq!(check(&service, &reads, &whole), found(200, "[]"));
    assert_eq!(check(&service, &other, &whole), found(422, "source-refused"));
    assert_eq!(check(&service, &reads, &whole), found(200, "[]"));
    // What is in the cache needs no registry.
    drop(registry);
    assert_eq!(check(&start(&["--registry", &part]), "", &whole), found(200, "[]"));
}
