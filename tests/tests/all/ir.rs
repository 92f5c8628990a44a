//! IR as text, read by the definitions of MLIR's own dialects.

use std::{path::Path, sync::OnceLock, time::Instant};

use odsmith_engine::{
    job::{Job, Target as Root},
    library::Library,
    limits::Limits,
    ods::Model,
    release::Release,
};
use odsmith_ir::{
    Definitions, Ir, Names, NodeKind, ValueTypes,
    definitions::Collection,
    print::{Target, print},
    scope::Issue,
    syntax::Table,
    tree::{NO_DATA, flags},
};
use odsmith_tests::{files::TestFiles, set_up};

const ROOTS: &[&str] = &[
    "mlir/IR/BuiltinOps.td",
    "mlir/Dialect/Arith/IR/ArithOps.td",
    "mlir/Dialect/ControlFlow/IR/ControlFlowOps.td",
    "mlir/Dialect/Func/IR/FuncOps.td",
    "mlir/Dialect/SCF/IR/SCFOps.td",
    "mlir/Dialect/Tensor/IR/TensorOps.td",
    "mlir/Dialect/MemRef/IR/MemRefOps.td",
    "mlir/Dialect/GPU/IR/GPUOps.td",
];

/// The definitions of some of MLIR's dialects.
pub(crate) fn definitions() -> &'static Definitions {
    static DEFINITIONS: OnceLock<Definitions> = OnceLock::new();
    DEFINITIONS.get_or_init(|| {
        let library = Library::new(Release::default(), String::new(), Default::default());
        let mut collection = Collection::new(Table::of_mlir());
        for root in ROOTS {
            let job = Job::new(TestFiles::below(Path::new(set_up::library()))).include(".");
            let job = job.target(Root::new(*root)).limits(Limits::generous());
            let target = odsmith_engine::run(&library, &job).targets.pop().expect("an outcome");
            let records = target.records.unwrap_or_else(|| panic!("{root}: {:?}", target.diagnostics));
            collection.add(&Model::new(&records));
        }
        collection.finish()
    })
}

fn read(text: &str) -> Ir {
    odsmith_ir::read(text, definitions(), &odsmith_ir::Limits::default())
}

/// Returns the errors with their lines.
fn errors(text: &str) -> Vec<(usize, String)> {
    let ir = read(text);
    let line = |byte: usize| text[..byte].matches('\n').count() + 1;
    let shown =
        |error: &odsmith_ir::SyntaxError| (line(error.offset(&ir.tokens, text)), error.message.to_string());
    ir.errors.iter().map(shown).collect()
}

/// Returns the full name of each operation, with `"` for generic form and `?` for an opaque one.
fn operations(text: &str) -> Vec<String> {
    let ir = read(text);
    let all = ir.tree.ids().filter(|id| ir.tree.node(*id).kind == NodeKind::Operation);
    all.map(|id| {
        let node = ir.tree.node(id);
        let known = definitions().get(u32::from(node.data)).filter(|_| node.data != NO_DATA);
        let name = ir
            .tree
            .child(id, NodeKind::Name)
            .map_or("", |name| &text[ir.tokens.range(ir.tree.node(name).first)]);
        let name = known.map_or(name.trim_matches('"'), |def| &def.name);
        let quote = if node.flags & flags::GENERIC != 0 { "\"" } else { "" };
        let opaque = if node.flags & flags::OPAQUE != 0 { "?" } else { "" };
        format!("{quote}{name}{quote}{opaque}")
    })
    .collect()
}

/// Returns the values and parts of the first operation of a name: `lhs=%a`, and `lhs:i32` for types.
fn parts(text: &str, name: &str) -> Vec<String> {
    let ir = read(text);
    let found = ir.tree.ids().find_map(|id| {
        let node = ir.tree.node(id);
        let def = definitions().get(u32::from(node.data)).filter(|def| &*def.name == name)?;
        (node.kind == NodeKind::Operation).then_some((id, def))
    });
    let (id, def) = found.expect("the operation");
    let shown = ir.tree.children(id).filter_map(|child| {
        let node = ir.tree.node(child);
        let part = def.parts.get(node.data as usize)?;
        let sign = if node.kind == NodeKind::Type { ":" } else { "=" };
        let (start, end) = (ir.tokens.start(node.first), ir.tokens.range(node.end - 1).end);
        (node.kind != NodeKind::Region).then(|| format!("{}{sign}{}", part.name, &text[start..end]))
    });
    shown.collect()
}

const PROGRAM: &str = r#"
#map = affine_map<(d0) -> (d0 + 1)>
!pair = tuple<i32, f32>
// A comment.
func.func @f(%a: i32, %b: memref<4x?xf32>) -> (i32, i1) attributes {x.y = #map} {
  %c:2 = "t.pair"(%a) <{k = 1 : i64}> ({
  ^bb0(%x: i32):
    "t.end"(%x)[^bb1] : (i32) -> ()
  ^bb1:
    "t.end"() : () -> ()
  }) {t.a, "t.b" = [1, 2]} : (i32) -> (i32, i1) loc("f":1:2)
  %i = arith.constant 0 : index
  %s = arith.addi %a, %c#0 overflow<nsw> : i32
  scf.for %k = %i to %i step %i {
    %v = memref.load %b[%k, %k] : memref<4x?xf32>
  }
  cf.cond_br %c#1, ^bb1(%s : i32), ^bb2
^bb1(%r: i32):
  return %r, %c#1 : i32, i1
^bb2:
  %t:2 = call @f(%a, %b) : (i32, memref<4x?xf32>) -> (i32, i1)
  cf.br ^bb1(%a : i32)
}
// -----
{-# external_resources: { } #-}
module @inner { } loc(#l)
#l = loc("x":3:4)
"#;

#[test]
fn both_forms_are_read() {
    assert_eq!(errors(PROGRAM), []);
    assert_eq!(
        operations(PROGRAM),
        [
            "func.func",
            "\"t.pair\"",
            "\"t.end\"",
            "\"t.end\"",
            "arith.constant",
            "arith.addi",
            "scf.for",
            "memref.load",
            "cf.cond_br",
            "func.return",
            "func.call",
            "cf.br",
            "builtin.module",
        ]
    );
    assert_eq!(parts(PROGRAM, "arith.addi"), ["lhs=%a", "rhs=%c#0", "overflowFlags=<nsw>", "result:i32"]);
    assert_eq!(
        parts(PROGRAM, "cf.cond_br"),
        ["condition=%c#1", "trueDest=^bb1", "trueDestOperands=%s", "trueDestOperands:i32", "falseDest=^bb2"]
    );
}

#[test]
fn names_find_their_definitions() {
    let ir = read(PROGRAM);
    let names = Names::new(&ir, PROGRAM, definitions());
    assert_eq!(names.issues, []);
    let defined: Vec<&str> =
        names.values.iter().filter(|value| !value.is_possible).map(|value| value.name).collect();
    assert_eq!(defined, ["%a", "%b", "%x", "%c", "%i", "%s", "%k", "%v", "%r", "%t"]);
    let loads = names.uses.iter().filter(|one| one.name == "%k");
    let found = loads.map(|one| one.value.map(|value| names.values[value.0 as usize].name));
    assert_eq!(found.collect::<Vec<_>>(), [Some("%k"), Some("%k")]);
    assert_eq!(names.symbols.iter().map(|symbol| symbol.name).collect::<Vec<_>>(), ["f", "inner"]);
    assert!(names.block_uses.iter().all(|one| one.block.is_some()));
}

/// The verdicts are those of `mlir-opt`.
#[test]
fn faults_of_names_are_found() {
    let issues = |text: &str| Names::new(&read(text), text, definitions()).issues.len();
    for text in [
        "\"t.u\"(%a) : (i1) -> ()\n",
        "%a = \"t.t\"() : () -> i1\n\"t.t\"() ({\n%a = \"t.t\"() : () -> i1\n}) : () -> ()\n",
        "%a = \"t.t\"() : () -> i1\nfunc.func @f(%a: i32) {\n  return\n}\n",
        "func.func @f(%a: i1) {\n  scf.if %a {\n    %a = arith.constant 1 : i1\n  }\n  return\n}\n",
        "%a:2 = \"t.t\"() : () -> (i1, i1)\n\"t.u\"(%a#2) : (i1) -> ()\n",
        "\"t.t\"() ({\n\"t.b\"()[^a] : () -> ()\n}) : () -> ()\n",
        "\"t.t\"() ({\n\"t.x\"() : () -> ()\n^a:\n\"t.b\"()[^a] : () -> ()\n^a:\n\"t.b\"()[^a] : () -> ()\n}) : () -> ()\n",
    ] {
        assert_eq!(errors(text), [], "{text}");
        assert_eq!(issues(text), 1, "{text}");
    }
    for text in [
        "\"t.u\"(%a) : (i1) -> ()\n%a = \"t.t\"() : () -> i1\n",
        "\"t.x\"() ({\n\"t.u\"(%a) : (i1) -> ()\n}) : () -> ()\n%a = \"t.t\"() : () -> i1\n",
        "\"t.t\"() ({\n%a = \"t.t\"() : () -> i1\n}, {\n%a = \"t.t\"() : () -> i1\n}) : () -> ()\n",
        "\"t.t\"() ({\n%a = \"t.t\"() : () -> i1\n}) : () -> ()\n%a = \"t.t\"() : () -> i1\n",
    ] {
        assert_eq!(issues(text), 0, "{text}");
    }
}

/// A statement has one error, and the ones around it are read.
#[test]
fn reading_goes_on_after_an_error() {
    let text = "func.func @f(%a: i32) {\n  %b = arith.addi %a : i32\n  %c = arith.addi %a, %a i32\n  return\n}\nfunc.func @g() {\n  return\n}\n";
    assert_eq!(errors(text), [(2, "expected ','".to_owned()), (3, "expected ':'".to_owned())]);
    assert_eq!(
        operations(text),
        ["func.func", "arith.addi", "arith.addi", "func.return", "func.func", "func.return"]
    );
    let names = Names::new(&read(text), text, definitions());
    assert_eq!(names.issues.iter().filter(|issue| !matches!(issue, Issue::Undeclared(_))).count(), 0);
}

/// An operation without a definition is opaque: its results and regions are known, and nothing of it is an error.
#[test]
fn operations_without_a_definition_are_opaque() {
    let text = "func.func @f(%a: i32) -> i32 {\n  %b = foo.bar [%a, with] %x = %a {\n    %c = arith.addi %x, %a : i32\n    foo.end } then <&>\n  return %b : i32\n}\n";
    assert_eq!(errors(text), []);
    assert_eq!(operations(text), ["func.func", "foo.bar?", "arith.addi", "foo.end?", "func.return"]);
    assert_eq!(Names::new(&read(text), text, definitions()).issues, []);
}

/// `custom` directives end where the rest of the format fits.
#[test]
fn directives_end_where_the_format_goes_on() {
    let text = "%m = \"t.m\"() : () -> memref<8x8xf32>\n%i = arith.constant 0 : index\n%s = memref.subview %m[%i, 0][4, 4][1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>\n%t = gpu.wait async [%t0]\n%t0 = gpu.wait async\n";
    assert_eq!(errors(text), []);
    assert_eq!(operations(text), ["\"t.m\"", "arith.constant", "memref.subview", "gpu.wait", "gpu.wait"]);
    assert!(parts(text, "memref.subview").contains(&"source=%m".to_owned()));
    assert_eq!(Names::new(&read(text), text, definitions()).issues, []);
}

/// A small generator of numbers, so that the same texts are tried each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Of any text, each byte belongs to a token or a gap, and nodes are inside each other. Nothing panics.
#[test]
fn broken_texts_are_read() {
    let mut random = Random(7);
    let words: Vec<&str> = PROGRAM.split_inclusive([' ', '\n', '(', '{', ':', '<']).collect();
    for _ in 0..3000 {
        let mut words = words.clone();
        for _ in 0..random.below(6) {
            let (one, other) = (random.below(words.len()), random.below(words.len()));
            match random.below(4) {
                0 => drop(words.remove(one)),
                1 => words.swap(one, other),
                2 => words.truncate(words.len() - random.below(words.len() / 4)),
                _ => words.insert(one, ["}", "(", "\"", "{", "^bb9:", "%a", "é", "<"][random.below(8)]),
            }
        }
        let text = words.concat();
        let ir = read(&text);
        let joined: String = (0..ir.tokens.len())
            .map(|token| [&text[ir.tokens.gap(token)], &text[ir.tokens.range(token)]].concat())
            .collect();
        assert_eq!(joined, text);
        for id in ir.tree.ids() {
            let node = ir.tree.node(id);
            assert!(node.first <= node.end && node.end <= ir.tokens.len(), "{text}");
            for child in ir.tree.children(id) {
                let child = ir.tree.node(child);
                assert!(node.first <= child.first && child.end <= node.end, "{node:?} {child:?}\n{text}");
            }
        }
        let names = Names::new(&ir, &text, definitions());
        assert!(names.uses.len() <= ir.tree.len());
        for target in [Target::Generic, Target::Custom] {
            let again = print(&ir, &text, definitions(), &ValueTypes::default(), target).text;
            assert!(text.is_empty() || !again.is_empty());
        }
    }
}

/// Deep and long texts take time that is linear in their length.
#[test]
fn large_texts_take_linear_time() {
    let deep =
        |open: &str, close: &str, count: usize| format!("{}{}", open.repeat(count), close.repeat(count));
    let texts: &[&dyn Fn(usize) -> String] = &[
        &|count| deep("{", "}", count),
        &|count| deep("(", ")", count),
        &|count| deep("<", ">", count),
        &|count| deep("\"t.t\"() ({\n", "}) : () -> ()\n", count),
        &|count| deep("scf.if %c {\n", "}\n", count),
        &|count| "{".repeat(count),
        &|count| "foo.bar <\n".repeat(count),
        &|count| "}\n".repeat(count),
        &|count| "<)".repeat(count),
        &|count| "%a,\n".repeat(count),
        &|count| "%a = memref.subview %b[%c\n".repeat(count),
        &|count| format!("%s = memref.subview {} x", "%b[%c] ".repeat(count)),
        &|count| format!("%s = gpu.launch_func {} x", "async [%b] ".repeat(count)),
    ];
    for (index, text) in texts.iter().enumerate() {
        let time = |count: usize| {
            let text = text(count);
            let start = Instant::now();
            let ir = read(&text);
            let _ = Names::new(&ir, &text, definitions());
            start.elapsed()
        };
        let (small, large) = (time(4_000), time(64_000));
        assert!(
            large < small * 16 * 6 + std::time::Duration::from_millis(500),
            "text {index}: {small:?} {large:?}"
        );
    }
}

fn printed(text: &str, target: Target) -> String {
    print(&read(text), text, definitions(), &ValueTypes::default(), target).text
}

/// Both texts were read by `mlir-opt`, which prints the same for them.
#[test]
fn texts_are_printed_in_both_forms() {
    let custom = r#"func.func private @g()
func.func @f(%a: i32, %b: i1, %m: memref<?xf32>) -> i32 {
  %c = arith.constant 7 : i32 // A comment.
  %s = arith.addi %a, %c overflow<nsw> : i32
  cf.cond_br %b, ^bb1(%s : i32), ^bb2
^bb1(%r: i32):
  call @g() {x.y} : () -> ()
  return %r : i32
^bb2:
  %x = foo.bar
  %p = arith.cmpi eq, %a, %x : i32
  %d = arith.addf %y, %y fastmath<fast> : f32
  cf.br ^bb1(%a : i32) loc("f":1:2)
}
"#;
    let generic = r#""func.func"() <{sym_name = "g", sym_visibility = "private", function_type = () -> ()}> ({}) : () -> ()
"func.func"() <{sym_name = "f", function_type = (i32, i1, memref<?xf32>) -> i32}> ({
^bb0(%a: i32, %b: i1, %m: memref<?xf32>):
  %c = "arith.constant"() <{value = 7 : i32}> : () -> i32 // A comment.
  %s = "arith.addi"(%a, %c) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  "cf.cond_br"(%b, %s)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
^bb1(%r: i32):
  "func.call"() <{callee = @g}> {x.y} : () -> ()
  "func.return"(%r) : (i32) -> ()
^bb2:
  %x = foo.bar
  %p = arith.cmpi eq, %a, %x : i32
  %d = "arith.addf"(%y, %y) <{fastmath = #arith.fastmath<fast>}> : (f32, f32) -> f32
  "cf.br"(%a)[^bb1] : (i32) -> () loc("f":1:2)
}) : () -> ()
"#;
    assert_eq!(printed(custom, Target::Generic), generic);
    let full = custom.replace("  call @g", "  func.call @g").replace("  return", "  func.return");
    assert_eq!(printed(&full, Target::Generic), generic);
    assert_eq!(printed(&full, Target::Custom), full);
    // The form of functions is in the table of syntax, which is read only.
    let body = |text: &str| {
        text.split("i32 {\n").nth(1).map(|text| text.trim_end().trim_end_matches('}').to_owned())
    };
    let inner = printed(generic, Target::Custom);
    let inner = inner.split("memref<?xf32>):\n").nth(1).and_then(|text| text.strip_suffix("}) : () -> ()\n"));
    assert_eq!(inner.map(str::to_owned), body(&full));
}

/// `mlir-opt` prints the same generic form of each pair.
#[test]
fn functions_are_printed_in_generic_form() {
    let cases = [
        (
            "func.func nested @\"a b\"(i32 {x.y}, f32) -> (index {x.z = 1 : i8}, (i32) -> i32)\n",
            "\"func.func\"() <{sym_name = \"a b\", sym_visibility = \"nested\", function_type = (i32, f32) -> (index, (i32) -> i32), arg_attrs = [{x.y}, {}], res_attrs = [{x.z = 1 : i8}, {}]}> ({}) : () -> ()\n",
        ),
        (
            "func.func @f(%a: i32 loc(\"x\")) attributes {no_inline, x.y} { return }\n",
            "\"func.func\"() <{sym_name = \"f\", function_type = (i32) -> (), no_inline = unit}> ({\n^bb0(%a: i32 loc(\"x\")): \"func.return\"() : () -> () }) {x.y = unit} : () -> ()\n",
        ),
        // C++ parses more of this form than a signature.
        (
            "gpu.func @f(%a: i32) workgroup(%b: memref<1xf32>) { gpu.return }\n",
            "gpu.func @f(%a: i32) workgroup(%b: memref<1xf32>) { \"gpu.return\"() : () -> () }\n",
        ),
    ];
    for (custom, generic) in cases {
        assert_eq!(printed(custom, Target::Generic), generic);
    }
}

/// The operation before may take a text in quotes, which is the name of the next one in generic form.
#[test]
fn names_in_quotes_end_no_other_operation() {
    let text = "func.func @f() {\n  foo.bar\n  return\n}\n";
    assert!(printed(text, Target::Generic).contains("foo.bar\n  func.return\n"));
    let text = "func.func @f() {\n  foo.bar\n  %a = arith.constant 1 : i8\n  return\n}\n";
    let after = "%a = \"arith.constant\"() <{value = 1 : i8}> : () -> i8\n  \"func.return\"() : () -> ()";
    assert!(printed(text, Target::Generic).contains(after));
}

/// Braces of an operation without regions hold attributes, even if they look like operations.
#[test]
fn braces_without_regions_are_dictionaries() {
    let text = "func.func @f(%t: !gpu.async.token) {\n  gpu.wait async [%t] {\n    gpu.terminator\n  }\n  return\n}\n";
    let ir = read(text);
    let regions = ir.tree.ids().filter(|id| ir.tree.node(*id).kind == NodeKind::Region).count();
    assert_eq!((regions, errors(text)), (1, Vec::new()));
}

/// A terminator and a label that the custom form leaves out are written.
#[test]
fn generic_regions_are_complete() {
    let text = "module @a { }\nmodule {\n  gpu.module @m {\n  }\n}\n";
    let generic = "\"builtin.module\"() <{sym_name = \"a\"}> ({^bb0: }) : () -> ()\n\"builtin.module\"() ({\n  \"gpu.module\"() <{sym_name = \"m\"}> ({^bb0:\n  }) : () -> ()\n}) : () -> ()\n";
    assert_eq!(printed(text, Target::Generic), generic);
}
