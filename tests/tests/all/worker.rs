//! `odsmith tblgen --persistent_worker`: requests and responses of Bazel's persistent workers.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use odsmith_tests::{folder::TestFolder, set_up};
use serde_json::{Value, json};

const OP: &str =
    "include \"mlir/IR/OpBase.td\"\ninclude \"Base.td\"\ndef T_A : Op<T, \"a\"> { let summary = \"A\"; }\n";
const BASE: &str = "def T : Dialect { let name = \"t\"; let cppNamespace = \"::t\"; }\n";

struct Worker {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(folder: &Path) -> Worker {
        let mut command = Command::new(set_up::odsmith());
        command.args(["tblgen", "--persistent_worker", "-I", set_up::library()]).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        Worker { process, input, output }
    }

    fn send(&mut self, request: &Value) {
        self.send_bytes(format!("{request}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        // A worker that has refused what came before reads no more.
        drop(input.write_all(bytes).and_then(|()| input.flush()));
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        self.receive()
    }

    /// Ends the input; returns the exit code, the rest of the output, and the messages.
    fn end(mut self) -> (Option<i32>, Vec<u8>, String) {
        drop(self.input.take());
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).unwrap();
        let mut messages = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
        (self.process.wait().unwrap().code(), rest, messages)
    }
}

fn folder(name: &str) -> TestFolder {
    let folder = TestFolder::new(&format!("worker-{name}"));
    for (path, text) in [("Ops.td", OP), ("Base.td", BASE)] {
        fs::write(folder.join(path), text).unwrap();
    }
    folder
}

/// The output and the messages of a process of its own.
fn alone(folder: &Path, arguments: &[&str]) -> (i64, String) {
    let mut command = Command::new(set_up::odsmith());
    command.arg("tblgen").args(["-I", set_up::library()]).args(arguments).current_dir(folder);
    let output = command.env("ODSMITH_CACHE", "off").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap().into(), text)
}

#[test]
fn answers_are_those_of_processes_of_their_own() {
    let folder = folder("answers");
    let arith = format!("{}/mlir/Dialect/Arith/IR/ArithOps.td", set_up::library());
    fs::write(folder.join("Wrong.td"), format!("{OP}def B : Opp;\n")).unwrap();
    let calls: Vec<Vec<&str>> = vec![
        vec!["-gen-op-defs", &arith],
        vec!["-gen-op-decls", &arith],
        vec!["-gen-op-doc", &arith],
        vec!["-gen-op-defs", "Ops.td"],
        vec!["-gen-dialect-decls", "Ops.td"],
        vec!["-gen-op-defs", "Wrong.td"],
        vec!["-print-records", "Ops.td"],
        vec!["-gen-nothing", "Ops.td"],
        vec!["-gen-op-defs", "Missing.td"],
    ];
    let expected: Vec<(i64, String)> = calls.iter().map(|call| alone(&folder, call)).collect();
    let mut worker = Worker::start(&folder);
    // All at the same time, three times over: the later ones start from states of the earlier ones.
    for round in 0..3 {
        for (index, call) in calls.iter().enumerate() {
            worker.send(&json!({ "requestId": index + 1, "arguments": call }));
        }
        let mut answers = vec![None; calls.len()];
        for _ in &calls {
            let answer = worker.receive();
            assert_eq!(answer["wasCancelled"], false);
            let index = answer["requestId"].as_u64().unwrap() as usize - 1;
            let (code, text) = (answer["exitCode"].as_i64().unwrap(), answer["output"].as_str().unwrap());
            answers[index] = Some((code, text.to_owned()));
        }
        for ((call, answer), expected) in calls.iter().zip(answers).zip(&expected) {
            assert!(
                answer.as_ref() == Some(expected),
                "round {round}, {call:?}: {answer:?}, not {expected:?}"
            );
        }
    }
    let (code, rest, messages) = worker.end();
    assert_eq!((code, rest.len(), messages.as_str()), (Some(0), 0, ""));
}

#[test]
fn only_inputs_are_read_and_by_what_they_contain() {
    let folder = folder("inputs");
    let mut worker = Worker::start(&folder);
    let arguments = ["-gen-op-doc", "Ops.td", "-o", "out.md"];
    let request = |files: &[(&str, &str)]| {
        let inputs: Vec<Value> =
            files.iter().map(|(path, digest)| json!({ "path": path, "digest": digest })).collect();
        json!({ "requestId": 1, "arguments": arguments, "inputs": inputs })
    };
    let answer = worker.ask(&request(&[("Ops.td", "AAAA")]));
    assert!(answer["output"].as_str().unwrap().contains("could not find include file 'Base.td'"), "{answer}");
    let both = |digest| [("Ops.td", "AAAA"), ("Base.td", digest)];
    let answer = worker.ask(&request(&both("AAAB")));
    assert_eq!(answer["exitCode"], 0, "{answer}");
    let before = fs::read_to_string(folder.join("out.md")).unwrap();
    fs::write(folder.join("Base.td"), BASE.replace("\"t\"", "\"other\"")).unwrap();
    assert_eq!(worker.ask(&request(&both("AAAC")))["exitCode"], 0);
    let after = fs::read_to_string(folder.join("out.md")).unwrap();
    assert!(before.contains("`t.a`") && after.contains("`other.a`"), "{before}{after}");
    assert_eq!(after, alone(&folder, &arguments[..2]).1);
    assert_eq!(worker.end().0, Some(0));
}

#[test]
fn paths_begin_at_the_sandbox() {
    let outside = TestFolder::new("worker-sandbox");
    for sandbox in ["sandbox/1", "sandbox/2"] {
        fs::create_dir_all(outside.join(sandbox)).unwrap();
        let base = BASE.replace("\"t\"", &format!("\"t{}\"", &sandbox[8..]));
        for (path, text) in [("Ops.td", OP), ("Base.td", &base), ("Wrong.td", "def X : Y;\n")] {
            fs::write(outside.join(sandbox).join(path), text).unwrap();
        }
    }
    let mut worker = Worker::start(&outside);
    for sandbox in ["sandbox/1", "sandbox/2"] {
        let arguments = ["-gen-op-doc", "Ops.td", "-o", "out.md", "-d", "out.d"];
        let answer = worker.ask(&json!({ "arguments": arguments, "sandboxDir": sandbox }));
        assert_eq!((&answer["exitCode"], &answer["output"]), (&json!(0), &json!("")));
        let read = |file: &str| fs::read_to_string(outside.join(sandbox).join(file)).unwrap();
        assert!(read("out.md").contains(&format!("`t{}.a`", &sandbox[8..])), "{}", read("out.md"));
        assert!(
            read("out.d").starts_with("out.md: ") && read("out.d").contains(" Base.td"),
            "{}",
            read("out.d")
        );
        let answer = worker.ask(&json!({ "arguments": ["-gen-op-doc", "Wrong.td"], "sandboxDir": sandbox }));
        assert!(answer["output"].as_str().unwrap().starts_with("Wrong.td:1:9: error: "), "{answer}");
    }
    assert_eq!(worker.end().0, Some(0));
}

/// Bazel names outputs of all configurations alike if it maps paths, and makes these folders in sandboxes only.
#[test]
fn mapped_paths_need_a_sandbox() {
    let folder = folder("mapped");
    let mut worker = Worker::start(&folder);
    let mapped = json!({ "arguments": ["-gen-op-doc", "Ops.td", "-o", "bazel-out/cfg/bin/out.md"] });
    let answer = worker.ask(&mapped);
    let output = answer["output"].as_str().unwrap();
    assert!(
        answer["exitCode"] == 1 && output.contains("help: mapped paths exist in sandboxes only"),
        "{answer}"
    );
    fs::create_dir_all(folder.join("bazel-out/cfg/bin")).unwrap();
    assert_eq!(worker.ask(&mapped)["exitCode"], 0);
    assert_eq!(worker.end().0, Some(0));
}

#[test]
fn a_request_can_be_cancelled() {
    let folder = folder("cancelled");
    let long = "class A<int n> { list<int> l = !foldl([]<int>, !range(20000), a, b, !listconcat(a, [!add(b, n)])); }\n\
                foreach i = 0...1000 in def X#i : A<i>;\n";
    fs::write(folder.join("Long.td"), long).unwrap();
    let mut worker = Worker::start(&folder);
    worker.send(&json!({ "requestId": 7, "arguments": ["-print-records", "Long.td"] }));
    worker.send(&json!({ "requestId": 8, "arguments": ["-gen-op-doc", "Ops.td"] }));
    assert_eq!(worker.receive()["requestId"], 8);
    worker.send(&json!({ "requestId": 7, "cancel": true }));
    // One that has ended, and one that never was.
    worker.send(&json!({ "requestId": 8, "cancel": true }));
    worker.send(&json!({ "requestId": 9, "cancel": true }));
    let answer = worker.receive();
    assert_eq!((&answer["requestId"], &answer["wasCancelled"]), (&json!(7), &json!(true)), "{answer}");
    let (code, rest, _) = worker.end();
    assert_eq!((code, rest.len()), (Some(0), 0));
}

/// A field of a protocol buffer with bytes.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![tag << 3 | 2, bytes.len() as u8];
    field.extend_from_slice(bytes);
    field
}

#[test]
fn protocol_buffers() {
    let folder = folder("protobuf");
    let mut worker = Worker::start(&folder);
    let mut request: Vec<u8> =
        ["-gen-op-doc", "Ops.td", "-o", "out.md"].iter().flat_map(|word| field(1, word.as_bytes())).collect();
    for file in ["Ops.td", "Base.td"] {
        request.extend(field(2, &[field(1, file.as_bytes()), field(2, b"12")].concat()));
    }
    request.extend([3 << 3, 5]);
    let mut framed = vec![request.len() as u8];
    framed.extend(&request);
    worker.send_bytes(&framed);
    worker.send_bytes(&framed);
    let wrong = [field(1, b"-gen-op-doc"), field(1, b"No.td"), vec![3 << 3, 6]].concat();
    worker.send_bytes(&[&[wrong.len() as u8][..], &wrong].concat());
    let (code, answers, _) = worker.end();
    assert_eq!(code, Some(0));
    let text = String::from_utf8_lossy(&answers);
    assert_eq!(answers.windows(3).filter(|bytes| **bytes == [2, 3 << 3, 5]).count(), 2, "{answers:?}");
    assert!(text.contains("Could not open input file 'No.td': No such file or directory\n"), "{text}");
    assert!(fs::read_to_string(folder.join("out.md")).unwrap().contains("`t.a`"));
}

#[test]
fn wrong_streams_end_with_a_message() {
    let folder = folder("wrong");
    for (bytes, part) in [
        (&b"{\"arguments\": 1}\n"[..], "this is no WorkRequest: invalid type"),
        (b"{\"arguments\": [", "this is no WorkRequest: EOF"),
        (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "the length has no end"),
        (b"\xff\xff\xff\xff\x0f", "a request has more than 67108864 bytes"),
        (b"\x10abc", "it is cut"),
        (b"\x03\x0a\xff\x01", "this is no WorkRequest"),
        (b"GET / HTTP/1.1\r\n\r\n", "this is no WorkRequest"),
    ] {
        let mut worker = Worker::start(&folder);
        worker.send_bytes(bytes);
        let (code, rest, messages) = worker.end();
        assert_eq!((code, rest.len()), (Some(2), 0), "{messages}");
        assert!(messages.contains(part), "{messages}");
    }
    let (code, rest, messages) = Worker::start(&folder).end();
    assert_eq!((code, rest.len(), messages.as_str()), (Some(0), 0, ""));
    let mut worker = Worker::start(&folder);
    for (arguments, part) in [
        (vec!["-gen-op-doc"], "Could not open input file '-': a worker has no standard input"),
        (vec!["--persistent_worker", "Ops.td"], "--persistent_worker is no argument of a request"),
    ] {
        let answer = worker.ask(&json!({ "arguments": arguments }));
        assert_eq!(answer["exitCode"], 1);
        assert!(answer["output"].as_str().unwrap().contains(part), "{answer}");
    }
    assert_eq!(worker.end().0, Some(0));
}
