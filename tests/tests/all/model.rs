//! `POST /v1/model` and `model.json`: the model of a real dialect, which matches its schema.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use odsmith_tests::{
    archive::{File, files_below, gunzip, gzip, tar, untar, zip},
    folder::TestFolder,
    http::Service,
    set_up::tests_folder,
};
use serde_json::{Value, json};

fn mill() -> Vec<File> {
    let all = files_below(&tests_folder().join("compile"));
    all.into_iter().filter(|(path, _)| path.ends_with(".td") && path != "Kiln.td").collect()
}

fn model_of(service: &Service, query: &str, files: &[File]) -> Value {
    let answer = service.request("POST", &format!("/v1/model{query}"), &[], &gzip(&tar(files)));
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    answer.json()
}

#[track_caller]
fn list<'v>(value: &'v Value, name: &str) -> &'v Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("no list '{name}' in {value}"))
}

/// The only definition in a list with this value in a field.
#[track_caller]
fn find<'v>(model: &'v Value, kind: &str, field: &str, value: &str) -> &'v Value {
    let mut found = list(model, kind).iter().filter(|it| it[field] == value);
    let first = found.next().unwrap_or_else(|| panic!("no {kind} with {field} = {value}"));
    assert!(found.next().is_none(), "two {kind} with {field} = {value}");
    first
}

/// The model has fields of a project's own classes, but not those of MLIR's classes.
#[test]
fn fields_that_a_project_adds() {
    let service = Service::start(&[]);
    let text = r#"include "mlir/IR/OpBase.td"
def D : Dialect { let name = "d"; let cppNamespace = "d"; }
class Costly<string m> : Op<D, m> {
  int cost = 1; list<string> units = []; bits<2> lanes = { 0, 1 }; Dialect home = ?; dag rule = (ins AnyType:$x);
  string hint = "";
}
def A : Costly<"a"> { let cost = 7; let units = ["alu", "fpu"]; let home = D; let summary = "s"; let hint = "say \"x\""; }
def B : Op<D, "b">;
"#;
    let model = model_of(&service, "", &[("d.td".to_owned(), text.as_bytes().to_vec())]);
    let fields = &find(&model, "operations", "name", "d.a")["definition"]["fields"];
    let rule = json!({ "operator": { "def": "ins" }, "name": null,
                       "arguments": [{ "value": { "def": "AnyType" }, "name": "x" }] });
    let expected = json!({ "cost": 7, "units": ["alu", "fpu"], "lanes": [true, false], "home": { "def": "D" },
                           "rule": rule, "hint": "say \"x\"" });
    assert_eq!(fields, &expected);
    assert_eq!(find(&model, "operations", "name", "d.b")["definition"].get("fields"), None);
}

/// A rule of the project's own sees these fields, with and without a model beside the findings.
#[test]
fn own_rules_see_the_fields_that_a_project_adds() {
    let service = Service::start(&[]);
    let text = r#"include "mlir/IR/OpBase.td"
def D : Dialect { let name = "d"; let cppNamespace = "d"; let summary = "d"; }
class Costly<string m> : Op<D, m> { int cost = 1; let summary = "s"; }
def A : Costly<"a"> { let cost = 7; }
def B : Op<D, "b"> { let summary = "s"; }
"#;
    let policy = "findings = true\n[lint]\nselect = ['OWN1']\n\
                  custom = [{ id = 'OWN1', on = 'operations[?@.definition.fields.cost]', message = 'costs' }]\n";
    let files = [("d.td", text), ("odsmith.toml", policy)];
    let bundle = gzip(&tar(&files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))));
    let alone = service.request("POST", "/v1/lint", &[], &bundle).json();
    let subjects: Vec<&Value> = list(&alone, "findings").iter().map(|it| &it["subject"]).collect();
    assert_eq!(subjects, ["d.a"], "{alone}");
    let answer = service.request("POST", "/v1/generate", &[("accept", "application/x-tar")], &bundle);
    let made = untar(&answer.body);
    let (_, beside) = made.iter().find(|(path, _)| path == "findings.json").expect("findings");
    assert_eq!(serde_json::from_slice::<Value>(beside).expect("JSON"), alone);
}

/// A definition that roots share occurs once, although each root numbers its anonymous records differently. One that
/// macros change occurs once as well, and its other shape is counted.
#[test]
fn definitions_that_roots_share() {
    let service = Service::start(&[]);
    let shared = r#"include "mlir/IR/OpBase.td"
def D : Dialect { let name = "d"; let cppNamespace = "d"; }
#ifdef TALL
defvar text = "tall";
#else
defvar text = "small";
#endif
class Part<string s> { string of = s; }
def A : Op<D, "a", [NativeOpTrait<"X">]> { let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$n); Part part = Part<"a">; }
def B : Op<D, "b"> { let summary = text; }
"#;
    let files = [
        ("shared.td", shared),
        ("a.td", "include \"shared.td\"\n"),
        ("b.td", "class C; def : C; def : C;\ninclude \"shared.td\"\n"),
        ("c.td", "#define TALL\ninclude \"shared.td\"\n"),
    ];
    let model =
        model_of(&service, "", &files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    assert_eq!(model["roots"], json!(["a.td", "b.td", "c.td"]));
    let a = find(&model, "operations", "name", "d.a");
    assert_eq!(a["definition"]["roots"], json!([0, 1, 2]));
    for part in [
        &model["constraints"][list(a, "arguments")[0]["constraint"].as_u64().unwrap() as usize],
        &model["traits"][0],
    ] {
        assert_eq!(part["definition"]["roots"], json!([0, 1, 2]), "{part}");
    }
    let b = find(&model, "operations", "name", "d.b");
    assert_eq!((&b["summary"], &b["definition"]["roots"]), (&json!("small"), &json!([0, 1, 2])));
    assert_eq!((&b["definition"]["variants"], a["definition"].get("variants")), (&json!(1), None));
}

/// An operation has the interface of type inference only if the root includes it.
#[test]
fn operations_that_roots_see_differently() {
    let service = Service::start(&[]);
    let shared = r#"include "mlir/IR/OpBase.td"
def D : Dialect { let name = "d"; let cppNamespace = "d"; }
def A : Op<D, "a"> { let results = (outs I32:$r); }
"#;
    let files = [
        ("shared.td", shared),
        ("a.td", "include \"shared.td\"\n"),
        ("b.td", "include \"mlir/Interfaces/InferTypeOpInterface.td\"\ninclude \"shared.td\"\n"),
    ];
    let model =
        model_of(&service, "", &files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    let a = find(&model, "operations", "name", "d.a");
    assert_eq!((&a["infers_result_types"], &a["definition"]["roots"]), (&json!(false), &json!([0, 1])));
    assert_eq!(a["definition"]["variants"], 1);
    // The reading of the root that is the definition's own file comes before those of other roots.
    let targets = "[[target]]\ntd = 'b.td'\n[[target]]\ntd = 'shared.td'\n";
    let shared = format!("include \"mlir/Interfaces/InferTypeOpInterface.td\"\n{shared}");
    let files = [
        ("odsmith.toml", targets),
        ("b.td", "#define LESS\ninclude \"shared.td\"\n"),
        (
            "shared.td",
            &shared.replace("include \"mlir/Interfaces", "#ifndef LESS\ninclude \"mlir/Interfaces"),
        ),
    ];
    let files = files.map(|(path, text)| {
        (path.to_owned(), text.replace("Interface.td\"\n", "Interface.td\"\n#endif\n").into_bytes())
    });
    let model = model_of(&service, "", &files);
    let a = find(&model, "operations", "name", "d.a");
    assert_eq!((&a["infers_result_types"], &a["definition"]["roots"]), (&json!(true), &json!([1, 0])));
    // A trait that only other readings have is not in the model.
    let traits = list(&model, "traits").len() as u64;
    assert!(list(a, "traits").iter().all(|it| it.as_u64() < Some(traits)), "{a}");
}

#[test]
fn a_dialect_as_data() {
    let service = Service::start(&[]);
    let model = model_of(&service, "", &mill());
    assert_eq!((&model["schema"], &model["mlir"]), (&json!(1), &json!("22")));
    assert_eq!(list(&model, "refused"), &Vec::<Value>::new());
    let dialect = find(&model, "dialects", "name", "mill");
    assert_eq!(dialect["cpp_namespace"], "::mill");
    assert_eq!(dialect["definition"]["is_library"], false);
    let effects = find(&model, "interfaces", "cpp_class", "MemoryEffectOpInterface");
    assert_eq!(effects["definition"]["is_library"], true);
    assert_eq!(effects["definition"]["location"]["file"], "mlir/Interfaces/SideEffectInterfaces.td");

    // An operation: its parts in order, with constraints that are found by their index.
    let add = find(&model, "operations", "name", "mill.add");
    assert_eq!(add["definition"]["location"]["file"], "MillOps.td");
    let constraint = |part: &Value| {
        let index = usize::try_from(part["constraint"].as_u64().expect("an index")).expect("a small one");
        model["constraints"][index].clone()
    };
    let parts = list(add, "arguments");
    assert_eq!(parts.iter().map(|part| &part["kind"]).collect::<Vec<_>>(), ["operand", "operand"]);
    assert_eq!(constraint(&parts[0])["kind"], "type");
    assert!(!constraint(&parts[0])["condition"].as_str().expect("a condition").is_empty());
    let try_op = find(&model, "operations", "name", "mill.try");
    let variadic = list(try_op, "arguments").iter().map(constraint);
    assert!(variadic.into_iter().any(|it| it["type"]["cardinality"] == "variadic"));
    let attribute = list(try_op, "arguments").iter().find(|part| part["kind"] == "attribute");
    let attribute = constraint(attribute.expect("an attribute"));
    assert!(attribute["attribute"]["storage_type"].is_string(), "{attribute}");

    // Every index is in range, and every root exists.
    let (constraints, traits) =
        (list(&model, "constraints").len() as u64, list(&model, "traits").len() as u64);
    let roots = list(&model, "roots").len() as u64;
    for op in list(&model, "operations") {
        for part in ["arguments", "derived_attributes", "results", "regions", "successors"] {
            assert!(list(op, part).iter().all(|it| it["constraint"].as_u64() < Some(constraints)), "{op}");
        }
        assert!(list(op, "traits").iter().all(|it| it.as_u64() < Some(traits)), "{op}");
        let definition = &op["definition"];
        assert!(list(definition, "roots").iter().all(|it| it.as_u64() < Some(roots)), "{op}");
        // A format has both text and tree, or neither.
        assert_eq!(op.get("assembly_format").is_some(), op.get("format").is_some(), "{op}");
    }
    for kind in ["attributes", "types", "enums", "interfaces", "passes", "patterns", "constraints", "traits"]
    {
        assert!(!list(&model, kind).is_empty(), "{kind}");
    }

    // Patterns, with the operations that they match and create.
    let twice = list(&model, "patterns").iter().find(|it| it["definition"]["record"] == "AddTwice");
    let twice = twice.expect("the pattern");
    assert_eq!((&twice["root"], &twice["benefit"]), (&json!("mill.add"), &json!(1)));
    assert_eq!(twice["source"]["operation"], "mill.add");
    assert_eq!(list(twice, "generated_operations"), &[json!("mill.scale")]);
    assert!(!list(&model, "shared_matches").is_empty());
}

#[test]
fn the_model_is_in_the_archive_whatever_it_came_in() {
    let service = Service::start(&[]);
    let made = service.generate("application/zip", &zip(&mill()));
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let files = untar(&gunzip(&made.body));
    let (_, there) = files.iter().find(|(path, _)| path == "model.json").expect("model.json");
    let here = service.request("POST", "/v1/model", &[], &gzip(&tar(&mill())));
    assert!(here.body == *there, "the two models differ");
    let kept = format!("{}/files/model.json", made.header("content-location").expect("an address"));
    assert!(service.get(&kept).body == *there);
    // `model = false` turns it off.
    let text: serde_json::Map<String, Value> = mill()
        .into_iter()
        .map(|(path, bytes)| (path, String::from_utf8(bytes).expect("text").into()))
        .collect();
    let body =
        json!({ "request": { "model": false, "docs": { "enabled": false } }, "files": text }).to_string();
    let without =
        service.request("POST", "/v1/generate", &[("Content-Type", "application/json")], body.as_bytes());
    assert_eq!(without.status, 200, "{}", String::from_utf8_lossy(&without.body));
    assert!(untar(&gunzip(&without.body)).iter().all(|(path, _)| path != "model.json"));
}

#[test]
fn what_roots_share_stands_there_once() {
    let service = Service::start(&[]);
    let base = "include \"mlir/IR/OpBase.td\"\n#ifdef EXTRA\ndef Extra : I32Attr;\n#endif\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
        class My_Op<string name> : Op<My_Dialect, name>;\n";
    let file = |path: &str, text: String| (path.to_owned(), text.into_bytes());
    let op = |name: &str| format!("include \"Base.td\"\ndef {name}Op : My_Op<\"{name}\">;\n");
    let files = [file("Base.td", base.to_owned()), file("A.td", op("a")), file("B.td", op("b"))];
    let model = model_of(&service, "", &files);
    assert_eq!(list(&model, "roots"), &[json!("A.td"), json!("B.td")]);
    let dialect = find(&model, "dialects", "name", "my");
    assert_eq!(dialect["definition"]["roots"], json!([0, 1]));
    assert_eq!(find(&model, "operations", "name", "my.b")["definition"]["roots"], json!([1]));
    // One root alone.
    let model = model_of(&service, "?td=A.td", &files);
    assert_eq!(list(&model, "roots"), &[json!("A.td")]);
    assert_eq!(list(&model, "operations").len(), 1);
}

#[test]
fn what_breaks_a_rule_is_told_apart() {
    let service = Service::start(&[]);
    let text = "include \"mlir/IR/OpBase.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n\
        def GoodOp : Op<My_Dialect, \"good\">;\n\
        def BadOp : Op<My_Dialect, \"bad\"> { let arguments = (ins AnyType:$x, AnyType:$x); }\n";
    let answer = service.request("POST", "/v1/model", &[], text.as_bytes());
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let model = answer.json();
    assert_eq!(list(&model, "operations").len(), 1);
    let refused = &list(&model, "refused")[0];
    assert_eq!(refused["definition"]["record"], "BadOp");
    assert!(refused["message"].as_str().expect("a message").contains("'x'"), "{refused}");
    assert_eq!(refused["definition"]["location"]["line"], 4);
    // A bundle with errors has no model.
    let answer = service.request("POST", "/v1/model", &[], b"def A : Missing;\n");
    assert_eq!((answer.status, answer.json()["code"].as_str()), (422, Some("tablegen-errors")));
    let answer = service.request("POST", "/v1/model?flags=-gen-op-defs", &[], b"def A;\n");
    assert_eq!(answer.status, 400, "{}", String::from_utf8_lossy(&answer.body));
}

#[test]
fn a_model_has_a_limit() {
    let service = Service::start(&["--limit", "job.output_bytes=20000"]);
    let answer = service.request("POST", "/v1/model", &[], &gzip(&tar(&mill())));
    assert_eq!((answer.status, answer.json()["code"].as_str()), (422, Some("limit-exceeded")));
    assert!(String::from_utf8_lossy(&answer.body).contains("20000"), "the limit is named");
}

/// Checks documents in files against a schema in a file; prints the names of fields that the schema lacks.
const CHECK: &str = r#"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
# The schema allows what later releases add. Today's model must hold nothing that the schema does not describe.
for definition in schema["$defs"].values():
    for part in [definition, *definition.get("oneOf", [])]:
        if part.get("type") == "object" and "properties" in part and "allOf" not in part:
            part["additionalProperties"] = part.get("additionalProperties", False)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.argv[2:]:
    errors = sorted(validator.iter_errors(json.load(open(name))), key=lambda error: list(map(str, error.absolute_path)))
    for error in errors[:5]:
        print(name, list(error.absolute_path), error.message[:500])
"#;

#[test]
fn models_have_the_form_of_the_schema() {
    let python = std::env::var("ODSMITH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_validator =
        Command::new(&python).args(["-c", "import jsonschema"]).stderr(Stdio::null()).status();
    if !has_validator.is_ok_and(|status| status.success()) {
        println!("skipped: Python has no jsonschema (tests/setup/python.sh sees to one that has)");
        return;
    }
    let service = Service::start(&[]);
    let folder = TestFolder::new("model");
    let schema = service.get("/schemas/model.json");
    assert_eq!(schema.header("content-type"), Some("application/schema+json"));
    folder.write("schema.json", &schema.body);
    let mut names = BTreeSet::new();
    let mut keep = |name: &str, model: &Value| {
        names.insert(folder.write(name, model.to_string()));
    };
    keep("mill.json", &model_of(&service, "", &mill()));
    // Dialects of the library that together have every kind of definition.
    for dialect in [
        "mlir/Dialect/Arith/IR/ArithOps.td",
        "mlir/Dialect/SCF/IR/SCFOps.td",
        "mlir/Dialect/LLVMIR/LLVMOps.td",
        "mlir/Dialect/SPIRV/IR/SPIRVOps.td",
        "mlir/Dialect/Linalg/Passes.td",
        "mlir/Dialect/Bufferization/IR/BufferizationOps.td",
        "mlir/IR/BuiltinTypes.td",
        "mlir/IR/BuiltinAttributes.td",
    ] {
        let text = format!("include \"{dialect}\"\n");
        let answer = service.request("POST", "/v1/model", &[], text.as_bytes());
        assert_eq!(answer.status, 200, "{dialect}: {}", String::from_utf8_lossy(&answer.body));
        let model = answer.json();
        assert_eq!(list(&model, "refused"), &Vec::<Value>::new(), "{dialect}");
        keep(&dialect.replace('/', "-"), &model);
    }
    let output = Command::new(&python)
        .args(["-c", CHECK])
        .arg(folder.join("schema.json"))
        .args(names)
        .output()
        .expect("python3 runs");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.is_empty(), "{text}");
}

/// Small texts whose definitions are endless or would fill the memory when followed.
#[test]
fn what_has_no_end_is_refused() {
    let service = Service::start(&[]);
    let chain = |link: fn(usize) -> String| (1..40).map(link).collect::<String>();
    let of = |before: String, operand: &str| {
        format!(
            "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/PatternBase.td\"\n{before}\
             def D : Dialect {{ let name = \"d\"; let cppNamespace = \"d\"; }}\n\
             def AOp : Op<D, \"a\"> {{ let arguments = (ins {operand}:$x); let results = (outs AnyType:$r); }}\n"
        )
    };
    let doubled = chain(|i| format!("def P{i} : And<[P{0}, P{0}]>;\n", i - 1));
    let longer = chain(|i| format!("def P{i} : SubstLeaves<\"x\", \"xx\", P{}>;\n", i - 1));
    let lists = chain(|i| format!("def T{i} : TraitList<[T{0}, T{0}]>;\n", i - 1));
    let dags = chain(|i| format!("defvar d{i} = (BOp d{0}, d{0});\n", i - 1));
    let pattern = "def BOp : Op<D, \"b\"> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$r); }\n\
        defvar d0 = (AOp $x);\n";
    for (text, flags, code) in [
        (
            of(format!("def P0 : CPred<\"x\">;\n{doubled}def T : TypeConstraint<P39, \"t\">;\n"), "T"),
            "-gen-op-defs",
            "limit-exceeded",
        ),
        (
            of(format!("def P0 : CPred<\"x\">;\n{longer}def T : TypeConstraint<P39, \"t\">;\n"), "T"),
            "-gen-op-defs",
            "limit-exceeded",
        ),
        (
            of(format!("def T0 : NativeOpTrait<\"T\">;\n{lists}"), "AnyType"),
            "-gen-op-decls",
            "limit-exceeded",
        ),
        (
            of("def A : Attr<CPred<\"true\">, \"a\"> { let baseAttr = A; }\n".to_owned(), "A"),
            "-gen-op-decls",
            "tablegen-errors",
        ),
        (
            format!(
                "{}{pattern}{dags}def : Pat<d39, (replaceWithValue $x)>;\n",
                of(String::new(), "AnyType")
            ),
            "-gen-rewriters",
            "limit-exceeded",
        ),
    ] {
        for address in
            [format!("/v1/tblgen?flags={flags}"), "/v1/model".to_owned(), "/v1/generate".to_owned()]
        {
            let (headers, body) = match address.as_str() {
                "/v1/generate" => (
                    vec![("Content-Type", "application/json")],
                    json!({ "files": { "a.td": text } }).to_string(),
                ),
                _ => (vec![], text.clone()),
            };
            let start = std::time::Instant::now();
            let answer = service.request("POST", &address, &headers, body.as_bytes());
            let what = String::from_utf8_lossy(&answer.body).into_owned();
            assert_eq!(
                (answer.status, answer.json()["code"].as_str()),
                (422, Some(code)),
                "{address} {flags}: {what}"
            );
            assert!(start.elapsed().as_secs() < 10, "{address} {flags} took {:?}", start.elapsed());
        }
    }
}
