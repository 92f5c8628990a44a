//! `odsmith check` of `.mlir` files, and `odsmith ir`, from outside.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use odsmith_tests::{folder, http::Service, set_up};
use serde_json::{Value, json};

/// Copies a fixture into a folder of a test, which is a project of its own.
fn fixture(test: &str, name: &str) -> PathBuf {
    let text = fs::read_to_string(set_up::repository().join("tests/fixtures/ir").join(name)).unwrap();
    let place = concat!(env!("CARGO_TARGET_TMPDIR"), "/ir");
    folder::kept(place, test, &[("odsmith.toml", ""), (name, &text)]).join(name)
}

fn odsmith(words: &[&str], path: &Path) -> Output {
    let mut command = Command::new(set_up::odsmith());
    command.args(words).arg(path).env("ODSMITH_LIBRARY", set_up::library());
    command.output().unwrap()
}

/// Returns the line and message of each finding.
fn findings(path: &Path) -> Vec<(u64, String)> {
    let output = odsmith(&["check", "--mlir", "22", "--output-format", "json"], path);
    let findings: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let shown = |finding: &Value| {
        let line = finding["range"]["start"]["line"].as_u64().unwrap();
        (line, finding["message"].as_str().unwrap().to_owned())
    };
    findings.iter().map(shown).collect()
}

#[test]
fn faults_are_found_at_their_lines_with_the_wording_of_the_release() {
    let path = fixture("faults", "faults.mlir");
    let text = fs::read_to_string(&path).unwrap();
    let expected = (2..)
        .zip(text.lines())
        .filter_map(|(line, text)| Some((line, text.trim().strip_prefix("// error: ")?.to_owned())));
    assert_eq!(findings(&path), expected.collect::<Vec<_>>());
}

#[test]
fn sound_text_has_no_findings() {
    let path = fixture("sound", "sound.mlir");
    assert_eq!(findings(&path), []);
    let output = odsmith(&["check", "--mlir", "22"], &path);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("checked 1 file"));
}

#[test]
fn a_folder_is_checked_by_its_own_definitions() {
    let definitions = "include \"mlir/IR/OpBase.td\"\n\
        def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n\
        def Pair : Op<D, \"pair\"> { let arguments = (ins I32:$a, F32:$b); let assemblyFormat = \"$a `,` $b attr-dict\"; }\n";
    let text =
        "func.func @f(%a: i32, %b: f32) {\n  d.pair %a, %b\n  d.pair %b, %b\n  d.single %a\n  return\n}\n";
    let folder = folder::kept(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/ir"),
        "own definitions",
        &[("odsmith.toml", ""), ("D.td", definitions), ("test/a.mlir", text)],
    );
    let output = odsmith(&["check", "--mlir", "22", "--ir", "--output-format", "github"], &folder);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(
        shown.contains("use of value '%25b' expects different type than prior uses: 'i32' vs 'f32'"),
        "{shown}"
    );
    assert!(shown.contains("line=3"), "{shown}");
    assert!(shown.contains("custom op 'd.single' is unknown"), "{shown}");
    assert_eq!(shown.lines().count(), 2, "{shown}");
    let output = odsmith(&["check", "--mlir", "22", "--coverage"], &folder);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("d.single"), "{shown}");
    assert_eq!(output.status.code(), Some(0), "{shown}");
}

/// C++ may name values of an isolated region again, and add a terminator to a region that it reads; where the text of an
/// operation without a known syntax ends is not known.
#[test]
fn what_cpp_reads_causes_no_false_error() {
    let definitions = "include \"mlir/IR/OpBase.td\"\n\
        def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n\
        class Box<string name, list<Trait> traits> : Op<D, name, traits> {\n\
          let arguments = (ins Variadic<AnyType>:$x);\n\
          let regions = (region AnyRegion:$body);\n\
        }\n\
        def A : Box<\"own\", [IsolatedFromAbove]> { let hasCustomAssemblyFormat = 1; }\n\
        def B : Box<\"custom\", [IsolatedFromAbove]> {\n\
          let assemblyFormat = \"custom<Args>($body, $x, type($x)) attr-dict\";\n\
        }\n\
        def C : Box<\"wrap\", []> { let assemblyFormat = \"custom<Body>($body) ($x^ `:` type($x))? attr-dict\"; }\n\
        def E : Box<\"plain\", []> { let assemblyFormat = \"$x `:` type($x) $body attr-dict\"; }\n";
    let of = |name: &str| {
        format!(
            "func.func @{name}_of_d(%arg0: index) {{\n  {name}(%arg0) : (index) = (%arg0: i32) {{\n\
             \x20   %0 = arith.addi %arg0, %arg0 : i32\n  }}\n  return\n}}\n"
        )
    };
    let sound = of("d.own")
        + &of("d.custom")
        + &of("unknown.own")
        + "func.func @again() {\n  %c = arith.constant 3 : i8\n  unknown.isolated {\n\
           \x20   %c = arith.constant 3 : i32\n    \"a.b\"(%c) : (i32) -> ()\n  }\n  return\n}\n\
           func.func @later() {\n  %r = unknown.value\n  unknown.graph { \"a.b\"(%r) : (i16) -> () }\n  return\n}\n\
           d.wrap { %0 = arith.constant 1 : i32 }\n";
    let sound = sound.replace("_of_d", "").replace("@d.", "@").replace("@unknown.own", "@third");
    let faulty = "func.func @f(%a: index) {\n  d.plain %a : index {\n    %a = arith.constant 1 : i32\n  }\n  return\n}\n";
    let folder = folder::kept(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/ir"),
        "what C++ reads",
        &[
            ("odsmith.toml", ""),
            ("D.td", definitions),
            ("test/sound.mlir", &sound),
            ("faulty/test/faulty.mlir", faulty),
        ],
    );
    assert_eq!(findings(&folder.join("test/sound.mlir")), []);
    let expected =
        [(3, "redefinition of SSA value '%a'".to_owned()), (3, "block with no terminator".to_owned())];
    assert_eq!(findings(&folder.join("faulty/test/faulty.mlir")), expected);
    // A folder is read by the definitions of the project around it.
    let output = odsmith(&["check", "--mlir", "22", "--ir"], &folder.join("faulty"));
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("redefinition of SSA value '%a'") && !shown.contains("unknown"), "{shown}");
}

/// `mlir-opt` says the same of such an operation.
#[test]
fn lists_of_equal_length_are_told_apart() {
    let definitions = "include \"mlir/IR/OpBase.td\"\n\
        def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n\
        def Mixed : Op<D, \"mixed\", [SameVariadicOperandSize]> {\n\
        \x20 let arguments = (ins Variadic<I32>:$a, F32:$b, Variadic<I32>:$c);\n\
        }\n";
    let text = "func.func @f(%a: i32, %b: f32) {\n\
        \x20 \"d.mixed\"(%a, %b, %a) : (i32, f32, i32) -> ()\n\
        \x20 \"d.mixed\"(%a, %a, %b, %a, %b) : (i32, i32, f32, i32, f32) -> ()\n  return\n}\n";
    let folder = folder::kept(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/ir"),
        "equal lists",
        &[("odsmith.toml", "mlir = '22'"), ("D.td", definitions), ("test/a.mlir", text)],
    );
    let output = odsmith(&["check", "--mlir", "22", "--ir", "--output-format", "github"], &folder);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains("line=3") && shown.contains("operand #4 must be variadic of 32-bit signless integer"),
        "{shown}"
    );
    assert_eq!(shown.lines().count(), 1, "{shown}");
}

#[test]
fn a_project_states_the_syntax_of_its_parsers() {
    let definitions = "include \"mlir/IR/OpBase.td\"\n\
        def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n\
        def Sum : Op<D, \"sum\"> {\n\
        \x20 let arguments = (ins I32:$a, I32:$b); let results = (outs I32:$r);\n\
        \x20 let hasCustomAssemblyFormat = 1;\n\
        }\n";
    let text = "func.func @f(%a: i32, %b: f32) {\n  %0 = d.sum %a plus %b : i32, f32\n  %1 = d.sum of %0\n  return\n}\n";
    let check = |syntax: &str| {
        let folder = folder::kept(
            concat!(env!("CARGO_TARGET_TMPDIR"), "/ir"),
            "own syntax",
            &[("odsmith.toml", syntax), ("D.td", definitions), ("test/a.mlir", text)],
        );
        let output = odsmith(&["check", "--mlir", "22", "--ir", "--output-format", "json"], &folder);
        let shown = String::from_utf8(output.stdout).unwrap();
        let findings: Vec<Value> = serde_json::from_str(&shown).unwrap_or_default();
        let one = |it: &Value| {
            let line = it["range"]["start"]["line"].as_u64().unwrap();
            format!("{line} {} {}", it["severity"].as_str().unwrap(), it["message"].as_str().unwrap())
        };
        let all: Vec<String> = findings.iter().map(one).collect();
        (output.status.code().unwrap(), all, String::from_utf8(output.stderr).unwrap())
    };
    let wrong = "2 error 'd.sum' op operand #1 must be 32-bit signless integer, but got 'f32'";
    let unread = "3 warning the [syntax] of 'd.sum' does not read this, so that it is skipped";
    assert_eq!(check("").1, Vec::<String>::new());
    let of_words = "[syntax]\n'd.sum' = '$a `plus` $b attr-dict `:` type `,` type'\n".to_owned();
    let (status, findings, _) = check(&of_words);
    assert_eq!((status, findings), (1, vec![wrong.to_owned(), unread.to_owned()]));
    let of_family = of_words.replace("d.sum", "d.*");
    assert_eq!(check(&of_family).1, [wrong, unread]);
    let of_types = of_words.replace("type `,` type", "type($b) `,` type($a)");
    let other = "2 error use of value '%a' expects different type than prior uses: 'f32' vs 'i32'";
    assert_eq!(check(&of_types).1, [other, unread]);
    let exact = "[syntax.'d.sum']\nsyntax = '$a `plus` $b attr-dict `:` type `,` type'\nlevel = 'exact'\n";
    let (status, findings, _) = check(exact);
    assert_eq!((status, findings.len()), (1, 2), "{findings:?}");
    assert!(findings[1].starts_with("3 error "), "{findings:?}");
    for (manifest, reason) in [
        ("[syntax]\n'd.sum' = '$a `plus'\n".to_owned(), "syntax.\"d.sum\": "),
        ("[syntax]\nsum = '$a'\n".to_owned(), "syntax.\"sum\": this is no name of an operation"),
        (
            "[syntax]\n'd.sum' = { syntax = '$a', level = 'sure' }\n".to_owned(),
            "unknown variant 'sure', expected one of",
        ),
        ("[syntax]\n'd.sum' = { form = '$a' }\n".to_owned(), "unknown key 'form'"),
    ] {
        let (status, _, errors) = check(&manifest);
        assert_eq!(status, 2, "{manifest}: {errors}");
        assert!(errors.contains("odsmith.toml") && errors.contains(reason), "{manifest}: {errors}");
    }
}

#[test]
fn tokens_are_the_text_and_operations_have_places() {
    let path = fixture("forms", "sound.mlir");
    let output = odsmith(&["ir", "--mlir", "22", "--tokens"], &path);
    assert_eq!(output.stdout, fs::read(&path).unwrap());
    let output = odsmith(&["ir", "--mlir", "22", "--operations"], &path);
    let lines = String::from_utf8(output.stdout).unwrap();
    let add: Value =
        serde_json::from_str(lines.lines().find(|line| line.contains("arith.addi")).unwrap()).unwrap();
    assert_eq!(
        (&add["line"], &add["column"], &add["form"], &add["depth"]),
        (&14.into(), &8.into(), &"custom".into(), &1.into())
    );
}

#[test]
fn a_missing_file_and_a_folder_without_text_are_refused() {
    let output = odsmith(&["check", "--mlir", "22"], Path::new("/nonexistent/a.mlir"));
    assert_eq!(output.status.code(), Some(2));
    let folder = folder::kept(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/ir"),
        "no text",
        &[("odsmith.toml", ""), ("a.td", "")],
    );
    let output = odsmith(&["check", "--mlir", "22", "--ir"], &folder);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no .mlir file in"));
}

#[test]
fn a_server_checks_by_the_definitions_of_the_request() {
    let definitions = "include \"mlir/IR/OpBase.td\"\n\
        def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n\
        def One : Op<D, \"one\"> { let arguments = (ins I32:$a); let assemblyFormat = \"$a attr-dict\"; }\n";
    let service = Service::start(&[]);
    let ask = |files: Value| {
        let question = json!({ "files": files }).to_string();
        service.request("POST", "/v1/ir/check", &[("Content-Type", "application/json")], question.as_bytes())
    };
    let text = "func.func @f(%a: f32) {\n  d.one %a\n  return\n}\n";
    let answer = ask(json!({ "D.td": definitions, "a.mlir": text }));
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let problems = answer.json()["problems"].clone();
    assert_eq!(
        problems[0]["message"], "use of value '%a' expects different type than prior uses: 'i32' vs 'f32'",
        "{problems:#}"
    );
    assert_eq!((&problems[0]["file"], &problems[0]["range"]["start"]["line"]), (&json!("a.mlir"), &json!(2)));
    assert_eq!(problems.as_array().map(Vec::len), Some(1), "{problems:#}");
    let own = definitions.replace("let assemblyFormat = \"$a attr-dict\"", "let hasCustomAssemblyFormat = 1");
    assert_eq!(ask(json!({ "D.td": own, "a.mlir": text })).json()["problems"], json!([]));
    let manifest = "[syntax]\n'd.one' = '$a attr-dict'\n";
    let answer = ask(json!({ "D.td": own, "a.mlir": text, "odsmith.toml": manifest }));
    assert_eq!(answer.json()["problems"].as_array().map(Vec::len), Some(1), "{}", answer.json());
    let answer = ask(json!({ "a.mlir": "\"t.a\"(%b) : (i32) -> ()\n" }));
    assert_eq!(answer.json()["problems"][0]["message"], "use of undeclared SSA value name");
    assert_eq!(ask(json!({ "D.td": definitions })).status, 400);
}

/// Sends a question, and returns the status and the answer.
fn ask(service: &Service, route: &str, question: &Value) -> (u16, Value) {
    let headers = [("Content-Type", "application/json")];
    let answer = service.request("POST", route, &headers, question.to_string().as_bytes());
    (answer.status, answer.json())
}

const ODD: &str = r#"include "mlir/IR/OpBase.td"
def Odd : Dialect { let name = "odd"; let cppNamespace = "::odd"; }
def Odd_Add : Op<Odd, "add"> {
  let arguments = (ins I32:$one, I32:$other, OptionalAttr<StrAttr>:$note);
  let results = (outs I32:$sum);
  let assemblyFormat = "$one `and` $other (`as` $note^)? attr-dict";
}
"#;

#[test]
fn ir_is_shown_as_it_is_read() {
    let service = Service::start(&[]);
    let ir = "%a = \"t.é\"() : () -> i32\n%b = odd.add %a and %a as \"x\"\n";
    let question = |view: &str, offset: usize| json!({ "files": { "odd.td": ODD, "a.mlir": ir }, "path": "a.mlir", "view": view, "offset": offset });
    let parse = ask(&service, "/v1/ir/check", &question("parse", ir.find("odd.add").unwrap())).1;
    assert_eq!(parse["problems"], json!([]), "{parse:#}");
    let shown = &parse["shown"];
    assert_eq!((&shown["name"], &shown["form"]), (&json!("odd.add"), &json!("custom")));
    let pieces: Vec<(&str, &str)> = shown["pieces"].as_array().unwrap().iter().map(piece(ir)).collect();
    let expected = [
        ("%b", "result"),
        ("=", "`=`"),
        ("odd.add", "name"),
        ("%a", "$one"),
        ("and", "`and`"),
        ("%a", "$other"),
        ("as", "`as`"),
        ("\"x\"", "$note"),
    ];
    assert_eq!(pieces, expected);
    // Inside of a letter of two bytes, and between lines.
    let first = ask(&service, "/v1/ir/check", &question("parse", ir.find('é').unwrap() + 1)).1;
    assert_eq!((&first["shown"]["name"], &first["shown"]["form"]), (&json!("t.é"), &json!("generic")));
    let end = ask(&service, "/v1/ir/check", &question("parse", usize::MAX)).1;
    assert_eq!(end["shown"], Value::Null);
    let generic = ask(&service, "/v1/ir/check", &question("generic", 0)).1;
    let text = generic["shown"]["text"].as_str().unwrap();
    assert!(text.contains("%b = \"odd.add\"(%a, %a) <{note = \"x\"}> : (i32, i32) -> i32"), "{text}");
    let custom = json!({ "files": { "odd.td": ODD, "a.mlir": text }, "path": "a.mlir", "view": "custom" });
    let custom = ask(&service, "/v1/ir/check", &custom).1;
    assert_eq!(custom["shown"], json!({ "text": ir, "left": 0 }), "{custom:#}");
    let (status, absent) =
        ask(&service, "/v1/ir/check", &json!({ "files": { "a.mlir": ir }, "path": "b.mlir" }));
    assert_eq!(status, 400, "{absent}");
}

fn piece<'t>(ir: &'t str) -> impl Fn(&'t Value) -> (&'t str, &'t str) {
    let at = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    move |piece| (&ir[at(&piece["start"])..at(&piece["end"])], piece["element"].as_str().unwrap())
}

#[test]
fn examples_are_programs_without_problems() {
    let service = Service::start(&[]);
    let question = json!({ "files": { "odd.td": ODD }, "path": "odd.td", "view": "program" });
    let programs = ask(&service, "/v1/ide/preview", &question).1;
    let text = programs["shown"]["text"].as_str().unwrap();
    assert!(text.contains("= odd.add %"), "{text}");
    let read = ask(&service, "/v1/ir/check", &json!({ "files": { "odd.td": ODD, "a.mlir": text } })).1;
    assert_eq!(read["problems"], json!([]), "{text}");
}
