//! The playground over a socket, with MLIR's library: its examples, and the requests of a page during typing.

use std::{path::PathBuf, time::Instant};

use odsmith_tests::{
    Run,
    archive::{files_below, gunzip, gzip, tar, untar},
    http::{Answer, Service},
    reference::mlir_tblgen,
    set_up::{library, repository},
};
use serde_json::{Value, json};

fn ask(service: &Service, route: &str, question: &Value) -> Value {
    let body = question.to_string();
    let headers = [("Content-Type", "application/json")];
    let answer: Answer = service.request("POST", &format!("/v1/ide/{route}"), &headers, body.as_bytes());
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// An example: its folder, and its entry in `examples.json`.
fn examples() -> Vec<(PathBuf, Value)> {
    let folder = repository().join("service/play/examples");
    let list = std::fs::read(folder.join("examples.json")).expect("the list of the examples");
    let list: Vec<Value> = serde_json::from_slice(&list).expect("JSON");
    list.into_iter().map(|entry| (folder.join(entry["id"].as_str().expect("an id")), entry)).collect()
}

fn files(folder: &std::path::Path) -> Value {
    let texts = files_below(folder).into_iter();
    texts.map(|(path, text)| (path, Value::from(String::from_utf8(text).expect("UTF-8")))).collect()
}

/// Every output of every example has the bytes of the reference, which accepts all but the one that shows mistakes.
#[test]
fn examples_are_what_the_reference_takes() {
    let service = Service::start(&[]);
    let mut count = 0;
    for (folder, example) in examples() {
        let open = example["open"].as_str().expect("the file to look at");
        let text = std::fs::read_to_string(folder.join(open)).expect("the file to look at");
        let find = example["find"].as_str().expect("the definition to look at");
        assert!(text.contains(find), "{find} is not in {open}");
        let question = json!({ "files": files(&folder) });
        let problems = ask(&service, "check", &question)["problems"].clone();
        let run = |flags: &[&str]| -> Run {
            mlir_tblgen(&folder, &[flags, &["-I", library(), "-I", ".", open]].concat())
        };
        if example["has_errors"] == true {
            assert_eq!(problems.as_array().map(Vec::len), Some(4), "{problems:#}");
            let message = problems[0]["message"].as_str().unwrap_or_default();
            let first = problems.as_array().into_iter().flatten().find(|it| it["origin"] == "evaluation");
            let message = first.and_then(|it| it["message"].as_str()).unwrap_or(message);
            let said = run(&["--gen-op-decls"]);
            assert!(String::from_utf8_lossy(&said.err).contains(message), "{message}");
            continue;
        }
        assert_eq!(problems, json!([]), "{open}");
        let answer = service.generate("application/gzip", &gzip(&tar(&files_below(&folder))));
        let made = untar(&gunzip(&answer.body));
        let result = made.iter().find(|(path, _)| path == "result.json").expect("the result");
        let result: Value = serde_json::from_slice(&result.1).expect("JSON");
        for output in result["outputs"].as_array().expect("outputs") {
            let path = output["path"].as_str().expect("a path");
            let flags: Vec<&str> =
                output["flags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let ours = &made.iter().find(|(made, _)| made == path).expect("the output").1;
            let theirs = run(&flags);
            assert_eq!(theirs.status, 0, "{open} {flags:?}: {}", String::from_utf8_lossy(&theirs.err));
            assert!(theirs.out == *ours, "{open} {flags:?} differs");
            count += 1;
        }
    }
    assert!(count > 30, "{count} outputs");
}

/// A dialect of 50 operations, each with a format.
fn fifty() -> String {
    let op = |number: usize| {
        format!(
            "def T_Op{number} : Op<T_Dialect, \"op{number}\"> {{\n  let summary = \"Number {number}\";\n  let arguments = \
             (ins I32:$lhs, Optional<F32>:$rhs, StrAttr:$name);\n  let results = (outs I32:$result);\n  let \
             assemblyFormat = \"$lhs (`,` $rhs^)? $name attr-dict\";\n}}\n"
        )
    };
    let ops: String = (0..50).map(op).collect();
    format!(
        "include \"mlir/IR/OpBase.td\"\ndef T_Dialect : Dialect {{ let name = \"t\"; let cppNamespace = \"::t\"; }}\n{ops}"
    )
}

/// The views of a page equal the service's outputs, and are fast.
#[test]
fn views_are_those_of_a_run() {
    let service = Service::start(&[]);
    let text = fifty();
    let question = |view: &str, offset: Option<usize>| json!({ "files": { "T.td": text }, "path": "T.td", "view": view, "offset": offset });
    let whole = ask(&service, "preview", &question("cpp", None));
    assert_eq!(whole["problems"], json!([]));
    let bundle = gzip(&tar(&[("T.td".to_owned(), text.clone().into_bytes())]));
    let made = untar(&gunzip(&service.generate("application/gzip", &bundle).body));
    let path = whole["shown"]["output"].as_str().expect("an output");
    let known = made.iter().find(|(made, _)| made.ends_with(&format!("/{path}"))).expect("the output");
    assert_eq!(whole["shown"]["text"].as_str().map(str::as_bytes), Some(&known.1[..]));
    let at = text.find("T_Op40").expect("an operation");
    for view in ["cpp", "page", "example", "python", "records", "json"] {
        for offset in [Some(at), None] {
            let answer = ask(&service, "preview", &question(view, offset));
            let begun = Instant::now();
            for _ in 0..3 {
                let _ = ask(&service, "preview", &question(view, offset));
            }
            let shown = &answer["shown"];
            assert!(!shown["text"].as_str().unwrap_or_default().is_empty(), "{view} {offset:?}: {answer:#}");
            println!("{view} {offset:?}: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3 / 3.0);
        }
    }
    let page = ask(&service, "preview", &question("page", Some(at)));
    assert_eq!(page["shown"]["page"]["path"], "t/op/op40.html");
    for (route, word) in [("hover", "Optional<F32>"), ("completion", "ptional<F32>")] {
        let place = json!({ "files": { "T.td": text }, "path": "T.td", "offset": text.find(word) });
        let _ = ask(&service, route, &place);
        let begun = Instant::now();
        let answer = ask(&service, route, &place);
        println!("{route}: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
        assert!(answer.to_string().contains("Optional"), "{answer:#}");
    }
}

/// The breaking changes on the page are those of a comparison.
#[test]
fn changes_are_those_of_a_comparison() {
    let service = Service::start(&[]);
    let before = fifty();
    let after = before.replacen("F32>:$rhs", "F64>:$rhs", 1);
    let question = json!({
        "files": { "T.td": after }, "path": "T.td", "view": "changes", "before": { "T.td": before },
    });
    let shown = ask(&service, "preview", &question)["shown"].clone();
    let findings = shown["comparison"]["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|it| it["subject"].to_string().contains("op0")), "{findings:#?}");
    let changed: Vec<&str> =
        shown["texts"].as_array().into_iter().flatten().filter_map(|it| it["path"].as_str()).collect();
    assert!(changed.contains(&"T.cpp.inc"), "{changed:?}");
}
