//! Golden questions to a catalogue: `tests/registry/golden.tsv` has questions of people, the way to ask them, and answers that
//! were checked by hand. The command line, HTTP, the page's script and MCP give the same answers.
//!
//! The organisation is in `tests/registry/organisation`: twelve projects that use each other.

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use odsmith_tests::{
    archive::files_below, http::Service, recorded, registry::Registry, set_up::tests_folder,
};
use serde_json::{Value, json};

use super::{
    catalog::{Machine, dead_links},
    mcp::Server,
};

/// Publishes the organisation; returns the place of its repositories.
fn publish(machine: &Machine, registry: &Registry) -> String {
    let place = format!("oci://{}/dialects", registry.host());
    let folder = tests_folder().join("registry/organisation");
    let table = fs::read_to_string(folder.join("publish.tsv")).expect("a table");
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [project, version, day, owners, dependencies] = columns[..] else {
            panic!("five columns: {line}")
        };
        let text =
            fs::read_to_string(folder.join(project).join(format!("{version}.td"))).expect("definitions");
        machine.0.write(&format!("{project}/{project}.td"), text);
        if !owners.is_empty() {
            machine.0.write(&format!("{project}/CODEOWNERS"), format!("* {owners}\n"));
        }
        let mut manifest = "schema = 1\n[dependencies]\n".to_owned();
        for (name, version) in dependencies.split(' ').filter_map(|it| it.split_once('=')) {
            let _ = writeln!(manifest, "{name} = '{place}/{name}:{version}'");
        }
        if !dependencies.is_empty() {
            machine.0.write(&format!("{project}/odsmith.toml"), manifest);
            machine.ends(0, &["fetch", project]);
        }
        let (to, time) = (format!("{place}/{project}:{version}"), format!("{day}T00:00:00Z"));
        let commit = "1".repeat(40);
        let words = vec!["publish", project, "--to", &to, "--commit", &commit, "--commit-time", &time];
        machine.ends(0, &words);
    }
    let first = format!("{place}/hw:1.0.0");
    machine.ends(0, &["yank", &first, "--reason", "inputs had no type", "--use", "1.1.0"]);
    // A tag that was moved: its text is another one now.
    let text = fs::read_to_string(folder.join("mem/1.0.0.td")).expect("definitions");
    machine.0.write("mem/mem.td", text.replace("reads an element", "reads one element"));
    let (to, commit) = (format!("{place}/mem:1.0.0"), "2".repeat(40));
    let words = [
        "publish",
        "mem",
        "--to",
        &to,
        "--move-tag",
        "--commit",
        &commit,
        "--commit-time",
        "2026-02-02T00:00:00Z",
    ];
    machine.ends(0, &words);
    place
}

/// A way to ask: `query kind:op`, `uses TilingInterface`, `show base.cast file line`, `report skew /dependencies`.
struct Ask<'a> {
    kind: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Ask<'a> {
    fn new(text: &'a str) -> Ask<'a> {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        Ask { kind, words: rest.split(' ').collect() }
    }

    fn question(&self) -> String {
        self.words.join(" ")
    }

    /// The words that are fields of the answer: those that begin with a slash.
    fn fields(&self) -> Vec<&'a str> {
        self.words.iter().copied().filter(|word| word.starts_with('/')).collect()
    }

    /// The words before the fields.
    fn arguments(&self) -> Vec<&'a str> {
        self.words.iter().copied().take_while(|word| !word.starts_with('/')).collect()
    }

    fn command(&self) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
        match self.kind {
            "query" => [owned(&["catalog", "query", "--limit", "100", "--"]), vec![self.question()]].concat(),
            kind => [owned(&["catalog", kind]), owned(&self.arguments())].concat(),
        }
    }

    fn address(&self) -> String {
        let encoded = |text: &str| {
            text.replace('%', "%25")
                .replace(' ', "%20")
                .replace('>', "%3E")
                .replace('#', "%23")
                .replace('@', "%40")
        };
        let arguments = self.arguments();
        let flags = arguments[1.min(arguments.len())..].chunks_exact(2);
        let flags: String = flags.map(|it| format!("&{}={}", it[0].trim_start_matches('-'), it[1])).collect();
        match self.kind {
            "query" => format!("/v1/catalog/search?limit=100&q={}", encoded(&self.question())),
            "show" => format!("/v1/catalog/symbols/{}", encoded(arguments[0])),
            "uses" => format!("/v1/catalog/uses/{}?limit=1000{flags}", encoded(arguments[0])),
            _ => format!("/v1/catalog/reports/{}?{}", arguments[0], flags.trim_start_matches('&')),
        }
    }

    /// The answer in one line.
    fn canonical(&self, value: &Value) -> String {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let list = |field: &str| value[field].as_array().cloned().unwrap_or_default();
        match self.kind {
            "query" => {
                let counts = value["counts"].as_object().into_iter().flatten();
                let counts: Vec<String> = counts.map(|(name, count)| format!("{name}={count}")).collect();
                if !counts.is_empty() {
                    return counts.join(" ");
                }
                let ids: Vec<String> = list("hits").iter().map(|hit| text(&hit["id"])).collect();
                format!("{}: {}", value["total"], ids.join(" ")).trim_end().to_owned()
            }
            "uses" => {
                let uses = list("uses");
                let each = uses.iter().map(|it| {
                    let via = it["via"].as_str().map(|via| format!(" through {via}")).unwrap_or_default();
                    let other = if it["shape"] == "other" { " (other shape)" } else { "" };
                    format!("{} {}{via}{other}", text(&it["user"]), text(&it["how"]))
                });
                let each: Vec<String> = each.collect();
                format!("{}: {}", value["total"], each.join("; ")).trim_end().to_owned()
            }
            _ => {
                let fields = self.fields();
                let each = fields
                    .iter()
                    .map(|field| each_of(value, field).iter().map(&text).collect::<Vec<_>>().join(" "));
                each.collect::<Vec<String>>().join(" | ")
            }
        }
    }
}

/// Returns the values at a path; `*` is each item of a list or object, `?` each key, and `count` the number of items.
fn each_of(value: &Value, path: &str) -> Vec<Value> {
    let mut all = vec![value.clone()];
    for part in path.split('/').skip(1) {
        all = all
            .into_iter()
            .flat_map(|value| match (part, value) {
                ("*", Value::Array(items)) => items,
                ("*", Value::Object(fields)) => fields.into_iter().map(|(_, value)| value).collect(),
                ("count", Value::Array(items)) => vec![items.len().into()],
                ("?", Value::Object(fields)) => {
                    fields.into_iter().map(|(key, _)| Value::String(key)).collect()
                }
                (part, value) => {
                    let field = part.parse::<usize>().ok().and_then(|at| value.get(at).cloned());
                    vec![field.unwrap_or_else(|| value[part].clone())]
                }
            })
            .collect();
    }
    all.retain(|value| !value.is_null());
    all
}

fn has_node() -> bool {
    Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The script of pages reads questions as the command line does.
#[test]
fn pages_read_the_grammar_of_the_table() {
    if !has_node() {
        eprintln!("skipped: this machine has no node");
        return;
    }
    let output =
        Command::new("node").arg(tests_folder().join("registry/grammar.mjs")).output().expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn golden_questions() {
    let Some(registry) = Registry::start() else {
        eprintln!("skipped: this machine has no docker-registry (tests/setup/servers.sh)");
        return;
    };
    let machine = Machine::new("golden");
    let place = publish(&machine, &registry);
    let from = format!("{place}/");
    machine.ends(
        0,
        &[
            "catalog",
            "build",
            "--from",
            &from,
            "-o",
            "c",
            "--sites",
            "--backstage",
            "https://dialects.example",
        ],
    );
    let files = files_below(&machine.0.join("c"));
    assert_eq!(dead_links(&files), Vec::<String>::new());
    if let Some(kept) = env::var_os("ODSMITH_KEEP_CATALOGUE") {
        for (path, bytes) in &files {
            let place = Path::new(&kept).join("c").join(path);
            fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            fs::write(place, bytes).expect("a file");
        }
    }
    let table = tests_folder().join("registry/golden.tsv");
    let text = fs::read_to_string(&table).expect("a table");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows: Vec<[String; 4]> = lines
        .map(|line| {
            let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
            columns.try_into().unwrap_or_else(|_| panic!("four columns: {line}"))
        })
        .collect();
    assert!(rows.len() >= 36, "{}", rows.len());

    // The command line. With ODSMITH_REGENERATE=1 its answers are recorded, and reviewed like code.
    let mut answers: BTreeMap<&str, (Value, String)> = BTreeMap::new();
    let mut written =
        text.lines().take_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n") + "\n";
    for [group, question, way, _] in &rows {
        let ask = Ask::new(way);
        let command = ask.command();
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let (before, after) = words.split_at(2);
        let value = machine.json(&[before, &["--catalog", "c"], after].concat());
        let answer = ask.canonical(&value);
        let _ = writeln!(written, "{group}\t{question}\t{way}\t{answer}");
        answers.insert(way, (value, answer));
    }
    recorded::compare("tests/registry/golden.tsv", &written);

    // HTTP.
    let cache = machine.0.join("cache").to_string_lossy().into_owned();
    let service = Service::start_in(&["--catalog", &from], &[("ODSMITH_CACHE", &cache)]);
    for _ in 0..600 {
        if service.request("GET", "/v1/catalog", &[], b"").status == 200 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    for [_, question, way, _] in &rows {
        let ask = Ask::new(way);
        let answer = service.request("GET", &ask.address(), &[], b"");
        assert_eq!(
            answer.status,
            200,
            "{question}: {}: {}",
            ask.address(),
            String::from_utf8_lossy(&answer.body)
        );
        assert_eq!(ask.canonical(&answer.json()), answers[way.as_str()].1, "{question}");
    }

    // MCP over HTTP, by PyPI's client.
    match env::var_os("ODSMITH_MCP_PYTHON").filter(|python| !python.is_empty()) {
        Some(python) => {
            let organisation = tests_folder().join("registry/organisation/stable");
            for (folder, version) in [("old", "1.12.0"), ("new", "1.13.0")] {
                let text = fs::read_to_string(organisation.join(format!("{version}.td")));
                machine.0.write(&format!("{folder}/stable.td"), text.expect("definitions"));
            }
            let output = Command::new(python)
                .arg(tests_folder().join("registry/mcp_tasks.py"))
                .arg(format!("{}/mcp", service.address()))
                .arg(&*machine.0)
                .output()
                .expect("Python starts");
            let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert!(output.status.success(), "{said}");
        }
        None => {
            eprintln!("skipped: MCP over HTTP needs PyPI's mcp (ODSMITH_MCP_PYTHON of tests/setup/mcp.sh)")
        }
    }

    // MCP over standard input and output.
    let mut server = Server::start_with(&machine.0, &["--catalog", "c"]);
    for [_, question, way, _] in &rows {
        let (ask, (value, _)) = (Ask::new(way), &answers[way.as_str()]);
        match ask.kind {
            "query" if value["counts"].is_null() => {
                let answer = server.call("search", &json!({ "query": ask.question(), "limit": 50 }));
                assert_eq!(answer["total"], value["total"], "{question}: {answer}");
                let ids = |value: &Value| each_of(value, "/hits/*/id");
                let (own, all) = (ids(&answer), ids(value));
                assert!(all.starts_with(&own) && (!own.is_empty() || all.is_empty()), "{question}: {answer}");
            }
            "uses" => {
                let arguments = ask.arguments();
                let mut call = json!({ "symbol": arguments[0], "limit": 50 });
                if let ["--how", how] = arguments[1..] {
                    call["how"] = how.into();
                }
                let answer = server.call("uses", &call);
                assert_eq!(
                    (&answer["total"], &answer["by_project"]),
                    (&value["total"], &value["by_project"]),
                    "{question}"
                );
            }
            "show" => {
                let answer = server.call("describe", &json!({ "symbol": ask.arguments()[0] }));
                assert_eq!((&answer["id"], &answer["file"]), (&value["id"], &value["file"]), "{question}");
            }
            _ => {}
        }
    }

    // The page.
    if !has_node() {
        eprintln!("skipped: the script of pages needs node");
        return;
    }
    let mut page = Command::new("node")
        .arg(tests_folder().join("registry/page.mjs"))
        .arg(machine.0.join("c"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let queries: Vec<&[String; 4]> = rows.iter().filter(|row| row[2].starts_with("query ")).collect();
    let mut input = page.stdin.take().expect("its input");
    for row in &queries {
        writeln!(input, "{}", Ask::new(&row[2]).question()).expect("node reads");
    }
    drop(input);
    let output = page.wait_with_output().expect("node ends");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.lines().count(), queries.len(), "{output}");
    for (row, line) in queries.iter().zip(output.lines()) {
        assert_eq!(line, answers[row[2].as_str()].1, "{}", row[1]);
    }
    for row in rows.iter().filter(|row| row[2].starts_with("uses ")) {
        let value = &answers[row[2].as_str()].0;
        for target in each_of(value, "/targets/*").iter().filter_map(Value::as_str) {
            let path = format!("uses/{}.html", target.replace('/', "."));
            let Ok(page) = fs::read_to_string(machine.0.join("c").join(&path)) else { continue };
            let text = page.replace("<wbr>", "");
            for user in each_of(value, "/uses/*/user") {
                let name = user.as_str().and_then(|id| id.rsplit('/').next()).unwrap_or_default().to_owned();
                assert!(text.contains(&name), "{path} has no {name}");
            }
        }
    }
}
