//! `odsmith docs` as a process: other tools' text, themes, and the trees for other site generators.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use odsmith_tests::{Run, archive::files_below, folder, reference, set_up};

fn folder(name: &str) -> PathBuf {
    folder::kept(concat!(env!("CARGO_TARGET_TMPDIR"), "/docs"), name, &[])
}

fn docs(folder: &Path, more: &[&str]) -> Run {
    let bundle = set_up::tests_folder().join("compile").display().to_string();
    let library = format!("22={}", set_up::library());
    let arguments = ["docs", &bundle, "-o", "out", "--library", &library];
    reference::program(set_up::odsmith(), folder, &[&arguments[..], more].concat())
}

#[test]
fn compat_is_the_text_of_mlir_tblgen() {
    let folder = folder("compat");
    let run = docs(&folder, &["--compat", "mlir-tblgen"]);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    let bundle = set_up::tests_folder().join("compile").display().to_string();
    let library = set_up::library();
    // Patterns include the operations, although these are also a root.
    let made = [
        ("MillDialect.md", "MillOps.td", &["-gen-dialect-doc", "-dialect=mill"][..]),
        ("MillOps.md", "MillOps.td", &["-gen-op-doc"]),
        ("MillOpsTypes.md", "MillOps.td", &["-gen-typedef-doc"]),
        ("MillOpsEnums.md", "MillOps.td", &["-gen-enum-doc"]),
        ("MillPasses.md", "MillPasses.td", &["-gen-pass-doc"]),
    ];
    for (file, td, flags) in made {
        let ours = fs::read(folder.join("out/compat").join(file)).unwrap_or_else(|_| panic!("no {file}"));
        let td = format!("{bundle}/{td}");
        let arguments = [flags, &["-I", library, "-I", &bundle, &td]].concat();
        let theirs = reference::mlir_tblgen(&folder, &arguments);
        assert_eq!(theirs.status, 0, "{}", String::from_utf8_lossy(&theirs.err));
        assert!(ours == theirs.out, "{file} differs from {flags:?}");
    }
}

#[test]
fn what_could_not_be_read_is_told_on_the_home_page() {
    let folder = folder("unread");
    let bundle = folder.join("bundle");
    fs::create_dir_all(&bundle).unwrap();
    let ods = "include \"mlir/IR/OpBase.td\"\n";
    let dialect = |name: &str| format!("{ods}def Dialect_{name} : Dialect {{ let name = \"{name}\"; }}\n");
    fs::write(bundle.join("good.td"), dialect("good")).unwrap();
    fs::write(bundle.join("bad.td"), dialect("bad") + "def Bad : Missing<\"<b>\">;\n").unwrap();
    fs::write(bundle.join("parts.td"), "def Part {\n  int a = \"text\";\n}\n").unwrap();
    fs::write(bundle.join("worse.td"), dialect("worse") + "include \"parts.td\"\n").unwrap();
    let library = format!("22={}", set_up::library());
    let arguments =
        ["docs", "bundle", "-o", "out", "--library", &library, "--source-url", "https://example.org"];
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    let said = String::from_utf8_lossy(&run.err).into_owned();
    assert_eq!(run.status, 1, "{said}");
    assert!(said.contains("bad.td:3:11: error: ") && said.contains("parts.td:2:"), "{said}");

    let text = |path: &str| fs::read_to_string(folder.join("out").join(path)).unwrap();
    let home = text("index.html");
    for needle in [
        "Not everything is here.",
        "<code>bad.td</code>: ",
        "<a href=\"https://example.org/bad.td#L3\">bad.td:3</a>",
        "<code>worse.td</code>: ",
        "<a href=\"https://example.org/parts.td#L2\">parts.td:2</a>",
        "good/index.html",
    ] {
        assert!(home.contains(needle), "{needle} in {home}");
    }
    assert!(text("markdown/README.md").contains("- `bad.td`: "), "{}", text("markdown/README.md"));
    assert!(text("llms.txt").contains("Not here, because of errors: `bad.td`, `worse.td`."));

    fs::remove_file(bundle.join("bad.td")).unwrap();
    fs::remove_file(bundle.join("worse.td")).unwrap();
    fs::remove_file(bundle.join("parts.td")).unwrap();
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    assert!(!text("index.html").contains("Not everything"));
}

#[test]
fn a_theme_is_told_where_it_is_wrong() {
    let folder = folder("theme");
    fs::create_dir_all(folder.join("mine/partials")).unwrap();
    fs::write(folder.join("mine/partials/badges.hbs"), "<p>ours</p>\n").unwrap();
    let run = docs(&folder, &["--theme", "mine"]);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    let page = fs::read_to_string(folder.join("out/mill/op/grind.html")).unwrap();
    assert!(page.contains("<p>ours</p>"));

    fs::write(folder.join("mine/partials/badges.hbs"), "<p>\n{{nmae}}</p>\n").unwrap();
    let run = docs(&folder, &["--theme", "mine"]);
    let said = String::from_utf8_lossy(&run.err).into_owned();
    assert_eq!(run.status, 1, "{said}");
    assert!(said.contains("partials/badges.hbs:2:1: error: "), "{said}");
    assert!(said.contains("nmae"), "{said}");

    let run = docs(&folder, &["--theme", "none"]);
    assert_eq!(run.status, 2, "{}", String::from_utf8_lossy(&run.err));
}

#[test]
fn a_flavour_is_one_that_there_is() {
    let folder = folder("flavor");
    let run = docs(&folder, &["--flavor", "hugo"]);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    assert!(folder.join("out/markdown/mill/_index.md").is_file());
    let run = docs(&folder, &["--flavor", "jekyll"]);
    let said = String::from_utf8_lossy(&run.err).into_owned();
    assert_eq!(run.status, 2, "{said}");
    assert!(said.contains("gfm, hugo, mkdocs, docusaurus, starlight"), "{said}");
}

/// MkDocs fails on an empty heading.
#[test]
fn navigation_has_no_empty_heading() {
    let folder = folder("navigation");
    let run = docs(&folder, &["--flavor", "mkdocs"]);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    let text = fs::read_to_string(folder.join("out/markdown/nav.yml")).unwrap();
    // The settings beside the tree have the same menu.
    let whole = fs::read_to_string(folder.join("out/mkdocs.yml")).unwrap();
    let head = whole.strip_suffix(text.as_str()).expect("the menu");
    assert!(
        head.starts_with("site_name: \"") && head.ends_with("\ndocs_dir: markdown\nsite_dir: mkdocs-site\n"),
        "{head}"
    );
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 20, "{text}");
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.ends_with(':')) {
        assert!(lines.get(index + 1).is_some_and(|next| depth(next) > depth(line)), "{line}");
    }
}

/// Lists in `nav.yml` are nested as folders are, also where a folder holds folders only.
#[test]
fn navigation_of_nested_guides() {
    let folder = folder("nested");
    for guide in ["a/b/c/x.md", "z/y.md", "a/w.md", "z/v/u.md"] {
        let path = folder.join("bundle/docs").join(guide);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "# Guide\n\nText.\n").unwrap();
    }
    let bundle = folder.join("bundle/A.td");
    fs::write(bundle, "include \"mlir/IR/OpBase.td\"\ndef D_Dialect : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }\n").unwrap();
    let library = format!("22={}", set_up::library());
    let arguments = ["docs", "bundle", "-o", "out", "--library", &library, "--flavor", "mkdocs"];
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    let text = fs::read_to_string(folder.join("out/markdown/nav.yml")).unwrap();
    let (mut depth, mut opens) = (0, true);
    for line in text.lines().skip(1) {
        let own = line.len() - line.trim_start().len();
        assert!(own <= depth || opens && own == depth + 2, "{line}: {text}");
        (depth, opens) = (own, line.ends_with(':'));
    }
    for file in ["a/b/c/x.md", "z/y.md", "a/w.md", "z/v/u.md"] {
        assert_eq!(text.matches(file).count(), 1, "{file}: {text}");
    }
    // Each folder has one entry, whatever the order of its pages.
    for name in ["\"a\":", "\"z\":", "\"b\":", "\"c\":", "\"v\":"] {
        assert_eq!(text.matches(name).count(), 1, "{name}: {text}");
    }
}

/// Readers of tables agree on a bar after one backslash.
#[test]
fn a_bar_in_a_cell_has_one_backslash() {
    let folder = folder("bars");
    fs::create_dir_all(folder.join("bundle")).unwrap();
    let ops = "include \"mlir/IR/OpBase.td\"\n\
               def L_Dialect : Dialect { let name = \"l\"; let summary = \"l\"; let cppNamespace = \"::l\"; }\n\
               def L_OneOp : Op<L_Dialect, \"one\"> {\n  let summary = \"one | `a|b` | two\";\n  \
               let arguments = (ins AnyTypeOf<[I32, F32], \"small | large\">:$x);\n}\n";
    fs::write(folder.join("bundle/L.td"), ops).unwrap();
    let library = format!("22={}", set_up::library());
    for flavor in ["gfm", "hugo", "mkdocs", "docusaurus", "starlight"] {
        let out = format!("out-{flavor}");
        let arguments = ["docs", "bundle", "-o", &out, "--library", &library, "--flavor", flavor];
        let run = reference::program(set_up::odsmith(), &folder, &arguments);
        assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
        let mut bars = 0;
        for (path, bytes) in files_below(&folder.join(&out).join("markdown")) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            for line in text.lines().filter(|line| line.starts_with('|')) {
                assert!(!line.contains("\\\\|"), "{flavor}: {path}: {line}");
                bars += line.matches("\\|").count();
            }
        }
        assert!(bars >= 2, "{flavor}");
    }
}

/// Pages show examples from files, or synthesised ones that a program accepts; this one rejects `mill.grind`.
#[cfg(unix)]
#[test]
fn examples_are_real_or_those_that_a_program_accepts() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = folder("examples");
    let bundle = folder.join("bundle");
    fs::create_dir_all(bundle.join("test")).unwrap();
    let mill = set_up::tests_folder().join("compile");
    for file in fs::read_dir(mill).unwrap().map(Result::unwrap).filter(|file| file.path().is_file()) {
        fs::copy(file.path(), bundle.join(file.file_name())).unwrap();
    }
    fs::write(
        bundle.join("test/a.mlir"),
        "// RUN\n%0 = mill.grind %a : i32\n\n// expected-error@+1 {{no}}\nmill.grind\n",
    )
    .unwrap();
    fs::write(bundle.join("old.mlir"), "%0 = mill.grind %b : i64\n").unwrap();
    fs::write(bundle.join("odsmith.toml"), "[docs]\nexamples = [\"test/**/*.mlir\"]\n").unwrap();
    let opt = folder.join("mill-opt");
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'LLVM version 22.1.0'; exit; fi\n\
        lines=$(grep -n 'mill.grind' - | sed 's/:.*/:1: error: no/; s/^/<stdin>:/')\n\
        [ -z \"$lines\" ] || { echo \"$lines\" >&2; exit 1; }\n";
    fs::write(&opt, script).unwrap();
    fs::set_permissions(&opt, fs::Permissions::from_mode(0o755)).unwrap();
    let library = format!("22={}", set_up::library());
    let arguments = ["docs", "bundle", "--library", &library, "--opt", "./mill-opt"];
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    // Without `-o` the output folder is `site`.
    let page = fs::read_to_string(folder.join("site/mill/op/grind.html")).unwrap();
    assert!(page.contains("test/a.mlir:2") && !page.contains("old.mlir"), "{page}");
    assert!(!page.contains("synthesised"), "{page}");
    let other = fs::read_dir(folder.join("site/mill/op")).unwrap().map(|file| file.unwrap().path());
    let mut other = other.filter(|path| path.extension().is_some_and(|end| end == "html"));
    assert!(other.any(|path| fs::read_to_string(path).unwrap().contains("accepted by mill-opt 22.1")));

    let missing = ["docs", "bundle", "--library", &library, "--opt", "./none"];
    let run = reference::program(set_up::odsmith(), &folder, &missing);
    assert_eq!(run.status, 2, "{}", String::from_utf8_lossy(&run.err));
}

const ODS: &str = "include \"mlir/IR/OpBase.td\"\n";

/// Writes files below `in` and makes the site in `out`.
fn site(name: &str, files: &[(&str, &str)]) -> (PathBuf, String) {
    let folder = folder(name);
    for (path, text) in files {
        let place = folder.join("in").join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }
    let library = format!("22={}", set_up::library());
    let run = reference::program(
        set_up::odsmith(),
        &folder,
        &["docs", "in", "-o", "out", "--keep-going", "--library", &library],
    );
    let message = String::from_utf8_lossy(&run.err).into_owned();
    assert_eq!(run.status, 0, "{name}: {message}");
    (folder.join("out"), message)
}

/// Files that include each other have pages, whatever enters their circle.
#[test]
fn a_circle_of_includes_has_pages() {
    let top = "#ifndef TOP\n#define TOP\ninclude \"inc/Ops.td\"\n#endif\n";
    let ops = format!(
        "#ifndef OPS\n#define OPS\ninclude \"inc/Top.td\"\n{ODS}\
         def Mini : Dialect {{ let name = \"mini\"; let cppNamespace = \"::mini\"; }}\n\
         def GoOp : Op<Mini, \"go\">;\n#endif\n"
    );
    let circle = [("inc/Top.td", top), ("inc/Ops.td", &*ops)];
    let other = format!(
        "{ODS}include \"inc/Top.td\"\ndef Other : Dialect {{ let name = \"other\"; }}\ndef OtherOp : Op<Other, \"go\">;\n"
    );
    for (name, entry) in [
        ("alone", None),
        ("binding", Some(("bind/Py.td", "include \"inc/Top.td\"\n"))),
        ("binding-of-the-other", Some(("bind/Py.td", "// All.\ninclude \"inc/Ops.td\"\n"))),
        ("same-folder", Some(("inc/All.td", "include \"inc/Top.td\"\n"))),
        ("with-definitions", Some(("test/T.td", "include \"inc/Top.td\"\ndef Test;\n"))),
        ("with-a-dialect", Some(("lib/Other.td", &*other))),
    ] {
        let files: Vec<_> = circle.iter().copied().chain(entry).collect();
        let (out, message) = site(&format!("circle-{name}"), &files);
        assert!(out.join("mini/op/go.html").is_file(), "{name}: {message}");
        assert_eq!(out.join("other/op/go.html").is_file(), name == "with-a-dialect", "{name}");
    }
}

/// A pattern belongs to the project that defines it, whatever operation it begins with.
#[test]
fn patterns_of_a_project_have_a_place() {
    let head = format!(
        "{ODS}include \"mlir/IR/PatternBase.td\"\ninclude \"mlir/Dialect/Arith/IR/ArithOps.td\"\n\
         def My : Dialect {{ let name = \"my\"; let cppNamespace = \"::my\"; }}\n\
         def GoOp : Op<My, \"go\"> {{ let arguments = (ins I32:$a); let results = (outs I32:$r); }}\n"
    );
    let patterns = "def DropGo : Pat<(GoOp $x), (replaceWithValue $x)>;\n\
                    def MakesGo : Pat<(Arith_XOrIOp $x, $y), (GoOp $x)>;\n\
                    def MakesGoWithin : Pat<(Arith_XOrIOp $x, $y), (Arith_AddIOp (GoOp $x), $y, $y)>;\n\
                    def MatchesGo : Pat<(Arith_XOrIOp (GoOp $x), $y), (replaceWithValue $x)>;\n\
                    def NamesNone : Pat<(Arith_XOrIOp $x, $y), (replaceWithValue $x)>;\n";
    let (out, message) = site("patterns-of-one", &[("My.td", &format!("{head}{patterns}"))]);
    let page = fs::read_to_string(out.join("my/patterns.md")).unwrap_or_default();
    for name in ["DropGo", "MakesGo", "MakesGoWithin", "MatchesGo", "NamesNone"] {
        assert!(
            page.contains(&format!("`{name}`")) || page.contains(&format!(" {name}")),
            "{name}: {message}{page}"
        );
    }
    let op = fs::read_to_string(out.join("my/op/go.md")).unwrap();
    assert!(op.contains("MakesGo"), "{op}");
    // Where no dialect is near, they have a section of their own.
    let other = head.replace("My", "Own").replace("\"my\"", "\"own\"").replace("::my", "::own");
    let lone = "include \"mlir/IR/PatternBase.td\"\ninclude \"mlir/Dialect/Arith/IR/ArithOps.td\"\n\
                def Lone : Pat<(Arith_XOrIOp $x, $y), (replaceWithValue $x)>;\n";
    let files = [("a/My.td", &*head), ("b/Own.td", &*other), ("c/Lone.td", lone)];
    let (out, message) = site("patterns-of-none", &files);
    let page = fs::read_to_string(out.join("patterns/patterns.md")).unwrap_or_default();
    assert!(page.contains("Lone"), "{message}{page}");
    assert!(!out.join("arith").exists(), "the library's operations are not the project's");
}

/// The start of a project's definitions: a dialect `n` in `::proj::n`.
const NESTED: &str = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/Pass/PassBase.td\"\n\
                      include \"mlir/Interfaces/SideEffectInterfaces.td\"\n\
                      def N_Dialect : Dialect { let name = \"n\"; let cppNamespace = \"::proj::n\"; }\n\
                      def N_BoxOp : Op<N_Dialect, \"box\"> { let regions = (region AnyRegion:$r); }\n";

#[test]
fn names_of_cpp_are_seen_from_the_namespace() {
    let text = format!(
        "{NESTED}def N_InOp : Op<N_Dialect, \"in\", [HasParent<\"n::BoxOp\">]>;\n\
         def N_BareOp : Op<N_Dialect, \"bare\", [HasParent<\"BoxOp\">]>;\n\
         def N_WholeOp : Op<N_Dialect, \"whole\", [HasParent<\"::n::BoxOp\">]>;\n\
         def Tidy : Pass<\"tidy\", \"n::BoxOp\"> {{ let dependentDialects = [\"n::NDialect\"]; }}\n"
    );
    let (folder, _) = site("namespaces", &[("N.td", &text)]);
    let page = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let pass = page("n/pass/tidy.md");
    assert!(pass.contains("op/box.md)") && pass.contains("Loads [`n`](../../n/index.md)"), "{pass}");
    for name in ["in", "bare"] {
        assert!(page(&format!("n/op/{name}.md")).contains("op/box.md)"), "{name}");
    }
    // A name that begins with `::` is whole.
    assert!(!page("n/op/whole.md").contains("box.md"));
}

#[test]
fn an_effect_beside_a_trait_counts() {
    let text = format!(
        "{NESTED}def N_InOp : Op<N_Dialect, \"in\", [Pure, MemoryEffects<[MemWrite]>]>;\n\
         def N_QuietOp : Op<N_Dialect, \"quiet\", [Pure]>;\n"
    );
    let (folder, _) = site("effects", &[("N.td", &text)]);
    let has_badge = |name: &str| {
        let page = fs::read_to_string(folder.join(format!("n/op/{name}.md"))).unwrap();
        page.lines().any(|line| line.trim() == "pure")
    };
    assert_eq!((has_badge("in"), has_badge("quiet")), (false, true));
}

#[test]
fn users_are_of_all_dialects() {
    let shared = "#ifndef A_TD\n#define A_TD\ninclude \"mlir/IR/AttrTypeBase.td\"\ninclude \"mlir/IR/OpBase.td\"\n\
                  def A_Dialect : Dialect { let name = \"a\"; let cppNamespace = \"::a\"; }\n\
                  def A_TokType : TypeDef<A_Dialect, \"Tok\"> { let mnemonic = \"tok\"; }\n#endif\n";
    let own =
        "include \"A.td\"\ndef A_UseOp : Op<A_Dialect, \"use\"> { let arguments = (ins A_TokType:$t); }\n";
    let other = "include \"A.td\"\ndef B_Dialect : Dialect { let name = \"b\"; let cppNamespace = \"::b\"; }\n\
                 def B_UseOp : Op<B_Dialect, \"use\"> { let results = (outs A_TokType:$t); }\n";
    let (folder, _) = site("users", &[("A.td", shared), ("AOps.td", own), ("BOps.td", other)]);
    let page = fs::read_to_string(folder.join("a/type/tok.md")).unwrap();
    assert!(page.contains("a.use") && page.contains("b.use"), "{page}");
    let index = fs::read_to_string(folder.join("index.json")).unwrap();
    assert!(index.contains("\"A_TokType\"") && index.contains("\"B_UseOp\""), "{index}");
}

#[test]
fn native_code_is_shown_with_its_arguments() {
    let text = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/PatternBase.td\"\n\
                def X_Dialect : Dialect { let name = \"x\"; let cppNamespace = \"::x\"; }\n\
                def X_BOp : Op<X_Dialect, \"b\"> { let arguments = (ins I32:$x); let results = (outs I32:$r); }\n\
                def Fold : Pat<(X_BOp $x), (NativeCodeCall<\"1\">)>;\n\
                def Twice : Pat<(X_BOp (X_BOp $y)), (NativeCodeCall<\"twice($_builder, $0, $5)\"> $y)>;\n";
    let (folder, _) = site("native", &[("X.td", text)]);
    let page = fs::read_to_string(folder.join("x/patterns.md")).unwrap();
    assert!(page.lines().any(|line| line.trim_matches('`') == "1"), "{page}");
    assert!(page.contains("twice($_builder, $y, $5)"), "{page}");
}

#[test]
fn a_link_has_a_text_without_its_picture() {
    let text = "include \"mlir/IR/OpBase.td\"\ndef X_Dialect : Dialect { let name = \"x\"; }\n";
    let guide = "# Start\n\n[![](https://example.org/a.svg)](https://example.org/legend) ![](https://example.org/b.svg)\n\
                 [](https://example.org/empty)\n";
    let (folder, _) = site("pictures", &[("X.td", text), ("docs/Start.md", guide)]);
    let page = fs::read_to_string(folder.join("guide/docs/Start.html")).unwrap();
    for address in ["legend", "b.svg", "empty"] {
        let link = page.split(&format!("<a href=\"https://example.org/{address}\"")).nth(1);
        let shown = link.and_then(|rest| rest.split_once('>')).map(|(_, rest)| rest);
        assert!(shown.is_some_and(|text| text.starts_with("https://example.org/")), "{address}: {page}");
    }
}

#[test]
fn the_fields_of_a_struct_come_in_any_order() {
    let text = "include \"mlir/IR/AttrTypeBase.td\"\ninclude \"mlir/IR/OpBase.td\"\n\
                def S_Dialect : Dialect { let name = \"s\"; let cppNamespace = \"::s\"; }\n\
                class S_Attr<string name, dag all> : AttrDef<S_Dialect, name> {\n\
                let mnemonic = name; let parameters = all; let assemblyFormat = \"`<` struct(params) `>`\"; }\n\
                def Pair : S_Attr<\"pair\", (ins OptionalParameter<\"int\">:$a, OptionalParameter<\"int\">:$b)>;\n\
                def One : S_Attr<\"one\", (ins OptionalParameter<\"int\">:$a)>;\n\
                def Both : S_Attr<\"both\", (ins \"int\":$a, OptionalParameter<\"int\">:$b)>;\n";
    let (folder, _) = site("struct", &[("S.td", text)]);
    for (name, grammar) in [
        ("pair", "`<` ((`a` `=` a | `b` `=` b), …)? `>`"),
        ("one", "`<` (`a` `=` a)? `>`"),
        ("both", "`<` (`a` `=` a | `b` `=` b), … `>`"),
    ] {
        let page = fs::read_to_string(folder.join(format!("s/attr/{name}.md"))).unwrap();
        assert!(page.contains(grammar), "{grammar}: {page}");
    }
}

#[test]
fn links_of_descriptions_stay_in_markdown() {
    let text = "include \"mlir/IR/OpBase.td\"\ndef L_Dialect : Dialect { let name = \"l\"; let cppNamespace = \"::l\"; }\n\
                def L_OneOp : Op<L_Dialect, \"one\"> { let description = [{\n\
                See [`l.two`](#ltwo-twoop), [web](https://example.org/x) and [nothing](#nowhere).\n}]; }\n\
                def L_TwoOp : Op<L_Dialect, \"two\">;\n";
    let (folder, _) = site("links", &[("L.td", text)]);
    let page = fs::read_to_string(folder.join("l/op/one.md")).unwrap();
    assert!(
        page.contains("See [`l.two`](../../l/op/two.md), [web](https://example.org/x) and nothing."),
        "{page}"
    );
}

#[test]
fn a_project_has_its_own_name_and_first_words() {
    let text = "include \"mlir/IR/OpBase.td\"\ndef X_Dialect : Dialect { let name = \"x\"; }\n";
    let readme = "[![Tests](https://example.org/t.svg)](https://example.org/t) ![Docs](https://example.org/d.svg)\n\n\
                  # Potter\n\nPotter has a dialect for pots.\n";
    let guide = "# Start\n\n[TOC]\n\nPots are made of clay. More follows.\n";
    let (folder, _) = site("project", &[("X.td", text), ("README.md", readme), ("docs/Start.md", guide)]);
    let home = fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(home.contains("<title>Potter"), "{home}");
    for words in ["Potter has a dialect for pots", "Pots are made of clay"] {
        assert!(home.contains(words), "{words}: {home}");
    }
    assert!(!home.contains("[TOC]") && !home.contains("Tests Docs"), "{home}");
    // Without a heading of a README, CMake names the project.
    for (folder, path, words) in [
        (
            "cmake",
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.20)\n# project(No)\nproject(\"Kiln\" LANGUAGES CXX)\n",
        ),
        ("centred", "README.md", "<h1 align=\"center\"><img src=\"k.svg\"> Kiln</h1>\n\nBurns pots.\n"),
    ] {
        let (folder, _) = site(folder, &[("X.td", text), (path, words)]);
        let home = fs::read_to_string(folder.join("index.html")).unwrap();
        assert!(home.contains("<title>Kiln"), "{home}");
    }
    // The badges stay on the page of the README, as links.
    let page = fs::read_to_string(folder.join("guide/README.html")).unwrap();
    assert!(page.contains("https://example.org/t"), "{page}");
}

/// `tests/site/project` has dialects across roots that include each other, and texts and tests as other projects have them.
#[test]
fn a_project_in_the_style_of_others() {
    let folder = folder("styled");
    let bundle = set_up::tests_folder().join("site/project").display().to_string();
    let library = format!("22={}", set_up::library());
    let arguments = ["docs", &bundle, "-o", "out", "--library", &library];
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    let out = folder.join("out");
    let text = |path: &str| fs::read_to_string(out.join(path)).unwrap_or_else(|_| panic!("no {path}"));
    let has = |path: &str, needles: &[&str]| {
        let page = text(path);
        needles.iter().for_each(|needle| assert!(page.contains(needle), "{path} lacks {needle}: {page}"));
    };
    let lacks = |path: &str, needles: &[&str]| {
        let page = text(path);
        needles.iter().for_each(|needle| assert!(!page.contains(needle), "{path} has {needle}: {page}"));
    };
    // Every use has its inverse: in other roots, through the attribute of an enum, in texts, and as a parameter.
    has("core/type/value.html", &["core/op/take.html", "edge/op/open.html", "core/op/meet.html"]);
    has("core/type/box.html", &["Mentioned by", "edge/pass/edge-open-boxes.html"]);
    has("core/enum/Mode.html", &["core/op/take.html", "edge/attr/range.html", "core/attr/mode.html"]);
    has("core/attr/mode.html", &["Parameter of", "edge/attr/range.html", "core/type/value.html"]);
    // Types in words, the name of the definition beside them.
    has("core/op/take.html", &["href=\"../../core/type/box.html\" title=\"Core_BoxType\">!core.box</a>"]);
    has(
        "core/op/meet.html",
        &["class=\"var\" href=\"#type-T\">T</a>", "value of N*H*W elements, _not_ a box"],
    );
    has("core/op/meet.json", &["\"letter\":\"T\"", "\"words\":\"value of N*H*W elements, _not_ a box\""]);
    lacks("core/op/put.html", &[">pure</li>"]);
    has("core/op/box_op.html", &["the syntax is from <a href=\"#description\">the description</a>"]);
    // Patterns without a name are found by their file and operation.
    has(
        "core/patterns.html",
        &["id=\"pattern-Patterns-core.count\"", "id=\"pattern-Patterns-core.count-2\""],
    );
    has("core/patterns.html", &["id=\"pattern-Patterns-arith.xori\"", "id=\"pattern-Named\""]);
    has("core/index.html", &["<b>6</b> operations", "<b>4</b> patterns", "Guides: ", "Why core has boxes"]);
    // An attribute's key, and a statement that a test expects to be refused, are no examples.
    lacks("edge/op/go.html", &["module attributes"]);
    lacks("core/op/count.html", &["no such box", "%w = core.count"]);
    has("core/type/value.md", &["`width` `=` width | `mode` `=` mode"]);
    // The front page, and what it leads to.
    has(
        "index.html",
        &["<h1 class=\"plain project\">Proj</h1>", "Proj lowers boxes to edges", "For tests: proj_test"],
    );
    lacks("index.html", &["[TOC]", "interface/ConditionallySpeculatable.html"]);
    has("interfaces.html", &["interface/ConditionallySpeculatable.html", "trait/Pure.html"]);
    let guides = text("guides.html");
    let place = |words: &str| guides.find(words).unwrap_or_else(|| panic!("{words} in {guides}"));
    assert!(place("guide/docs/Rationale/README.html") < place("Why edge opens boxes"));
    assert!(place("Why edge opens boxes") < place("Why core has boxes"));
    assert!(place("Why core has boxes") < place("proj-opt"));
    lacks("guides.html", &["Not yet", "Rules for programs"]);
    has(
        "guide/docs/Rationale/core.html",
        &["rel=\"prev\"", "rel=\"next\"", "aria-current=\"page\">Why core has boxes"],
    );
    // A pass with its test, and the chapter.
    has(
        "edge/pass/convert-core-to-edge.html",
        &["proj-opt --convert-core-to-edge", "What it does", "test/core/pass.mlir:5"],
    );
    has("edge/pass/edge-open-boxes.html", &["core/op/box_op.html"]);
    has("passes.html", &["edge/pass/convert-core-to-edge.html", "From dialect to dialect"]);
    for (path, _) in files_below(&out) {
        if path.ends_with(".html") || path.ends_with(".json") {
            lacks(&path, &["anonymous_"]);
        }
    }
}

#[test]
fn a_front_page_and_old_addresses() {
    let text = "include \"mlir/IR/OpBase.td\"\ndef X_Dialect : Dialect { let name = \"x\"; let description = [{\n\
                The :code:`tile` is :math:`2^n` wide.\n\n.. note:: Mind the gap.\n\n.. code-block:: mlir\n\n   %0 = x.y\n}]; }\n";
    let front = "# Potter\n\nWords of the project, with [a guide](docs/Start.md).\n";
    let settings = "[docs.redirects]\n\"/docs/Dialects/Old/\" = \"x/index.html\"\n\"x/index.html\" = \"az.html\"\n\
                    \"away\" = \"https://example.org/\"\n\n[[docs.groups]]\ntitle = \"Pots\"\ntext = \"What is made of clay\"\n\
                    dialects = [\"x\"]\n";
    let guide = "# Start\n\nBack to [the front](../index.md).\n";
    let files = [("X.td", text), ("index.md", front), ("odsmith.toml", settings), ("docs/Start.md", guide)];
    let (folder, _) = site("front", &files);
    let text = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_else(|_| panic!("no {path}"));
    let home = text("index.html");
    for words in ["Words of the project", "guide/docs/Start.html", "What is made of clay", "x/index.html"] {
        assert!(home.contains(words), "{words}: {home}");
    }
    assert!(text("guide/docs/Start.html").contains("href=\"../../index.html\">the front"));
    assert!(text("docs/Dialects/Old/index.html").contains("url=../../../x/index.html"));
    assert!(text("away/index.html").contains("url=https://example.org/"));
    let dialect = text("x/index.html");
    for words in
        ["<code>tile</code>", "<math", "class=\"alert note\"", "Mind the gap.", "<pre tabindex=\"0\"><code>"]
    {
        assert!(dialect.contains(words), "{words}: {dialect}");
    }
}

/// The page of a removed operation has the words of its last description, for readers, and files that define no dialect are
/// no errors.
#[test]
fn a_removed_operation_names_its_successor() {
    let folder = folder("removed");
    let dialect = "include \"mlir/IR/OpBase.td\"\ndef X_Dialect : Dialect { let name = \"x\"; let cppNamespace = \"::x\"; }\n\
                   def X_NewOp : Op<X_Dialect, \"new\"> { let arguments = (ins I32:$a); }\n\
                   def X_SameElementOp : Op<X_Dialect, \"same_element\"> { let arguments = (ins I32:$a); }\n";
    let old = "def X_OldOp : Op<X_Dialect, \"old_element\"> { let description = [{\n\
               Note: This operation is deprecated. Please use x.new for it.\n\nTakes one.\n}]; }\n";
    for (path, text) in [
        ("old/X.td", format!("{dialect}{old}")),
        ("new/X.td", dialect.to_owned()),
        ("new/Machine.td", "def Rule : Missing<1>;\n".to_owned()),
    ] {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }
    let library = format!("22={}", set_up::library());
    let arguments =
        ["docs", "new", "-o", "out", "--library", &library, "--project-version", "2", "--against", "1=old"];
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    let said = String::from_utf8_lossy(&run.err).into_owned();
    assert_eq!(run.status, 0, "{said}");
    assert!(said.contains("warning: Couldn't find class 'Missing'"), "{said}");
    let page = fs::read_to_string(folder.join("out/x/op/old_element.html")).unwrap();
    for words in [
        "This operation is deprecated. Please use x.new for it.",
        "Instead there is <a href=\"../../x/op/new.html\">",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    for words in ["Names like it", "Keep the old definition"] {
        assert!(!page.contains(words), "{words}: {page}");
    }
    let release = fs::read_to_string(folder.join("out/release/2.html")).unwrap();
    for words in
        ["id=\"gone\"", "x/op/old_element.html", "now <a href=\"../x/op/new.html\">", "id=\"for-bytecode\""]
    {
        assert!(release.contains(words), "{words}: {release}");
    }
}
