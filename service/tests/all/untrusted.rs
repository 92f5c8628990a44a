//! Thousands of untrusted inputs: good ones with bytes changed, cut, doubled and mixed. The checks are shared with the
//! libFuzzer targets, which run for hours (`make fuzz`); this takes seconds.

#[path = "../../../tests/fuzz/checks.rs"]
mod checks;
use crate::support::{TarEntry, ZipEntry, archive, pax, tar, zip};
use odsmith_service::store::archive::Format;
use odsmith_tests::random::Random;

/// Returns a good input with random changes.
fn changed(random: &mut Random, corpus: &[Vec<u8>], pieces: &[&[u8]]) -> Vec<u8> {
    let mut bytes = random.pick(corpus).clone();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = at + random.below((bytes.len() - at).min(600) + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let part = bytes[at..to].to_vec();
                bytes.splice(at..at, part);
            }
            3 => {
                let other = random.pick(corpus);
                let from = random.below(other.len() + 1);
                let part: Vec<u8> = other[from..].iter().take(600).copied().collect();
                bytes.splice(at..to, part);
            }
            4 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, random.pick(pieces).iter().copied())),
        }
    }
    bytes
}

fn each(seed: u64, count: usize, corpus: &[Vec<u8>], pieces: &[&[u8]], check: fn(&[u8])) {
    corpus.iter().for_each(|bytes| check(bytes));
    let mut random = Random::new(seed);
    for _ in 0..count {
        check(&changed(&mut random, corpus, pieces));
    }
}

#[test]
fn archives() {
    let files = [("a/b/x.td", "def A;"), ("a/y.td", "include \"b/x.td\""), ("odsmith.toml", "schema = 1")];
    let mut corpus: Vec<Vec<u8>> = Format::ALL.iter().map(|&format| archive(format, &files)).collect();
    let long = pax("path", &"long/".repeat(30));
    let file = |name| TarEntry { name, data: b"def A;", ..TarEntry::default() };
    corpus.push(tar(&[
        TarEntry { kind: b'x', data: &long, ..file(b"x") },
        file(b"a.td"),
        TarEntry { kind: b'5', data: b"", ..file(b"a/") },
        TarEntry { kind: b'2', link: b"b", data: b"", ..file(b"link") },
        TarEntry { kind: b'L', data: b"a/b/long.td\0", ..file(b"L") },
        file(b"short.td"),
    ]));
    corpus.push(zip(&[ZipEntry::new("a.td", b"def A;"), ZipEntry::new("a/b/c.td", b"def B;")]));
    let pieces: &[&[u8]] = &[
        b"../",
        b"/",
        b"\0",
        b"\\",
        b"PK\x01\x02",
        b"PK\x03\x04",
        b"ustar\x0000",
        b"\xff\xff\xff\xff",
        b"./",
        b"NUL",
    ];
    each(1, 6_000, &corpus, pieces, checks::archive);
}

#[test]
fn requests() {
    let corpus = [
        "schema = 1\nincludes = ['include']\n[[target]]\ntd = 'a.td'\nout_dir = 'x'\n\
         outputs = [{ path = 'a', flags = ['-gen-op-decls', '-I', 'b'] }]\n\
         [docs]\ntitle = 'x'\nsource_url = 'https://x/{path}'\n",
        "{\"schema\":1,\"target\":[{\"preset\":\"add_mlir_dialect\",\"args\":[\"FooOps\",\"foo\"],\
         \"dir\":\"include/Foo/IR\"}],\"model\":false}",
        "-gen-op-defs -op-include-regex='a b' \"-x=y\" \\  --dump-json -DX -I d/e -o f",
    ]
    .map(|text| text.as_bytes().to_vec());
    let pieces: &[&[u8]] = &[
        b"..",
        b"\"",
        b"'",
        b"[",
        b"{",
        b"\\u0000",
        b"-gen-",
        b"=",
        b"\n[[target]]\n",
        b"99999999999999999999",
    ];
    each(2, 30_000, &corpus, pieces, checks::request);
}

#[test]
fn paths() {
    let corpus = [
        "a/b/c.td",
        "../a",
        "./a/./b//c/",
        "/etc/x",
        "a/../../b",
        "a\\b",
        "ä/ß.td",
        "e\u{301}",
        "nul.td",
        "",
    ];
    let corpus = corpus.map(|text| text.as_bytes().to_vec());
    let pieces: &[&[u8]] = &[b"..", b".", b"/", b"//", b"\0", b":", b" ", b"\xcc\x81", b"\xe2\x80\xae"];
    each(3, 60_000, &corpus, pieces, |bytes| checks::path(&String::from_utf8_lossy(bytes)));
}

#[test]
fn markdown() {
    let corpus = [
        "# Title\n\nText with `code`, [a link](https://x/y \"t\"), **bold** and <b>html</b>.\n\n* a\n  1. b\n",
        "```mlir\n%0 = arith.addi %a, %b : i32\n```\n\n| a | b |\n|:-:|--:|\n| c | d |\n\n> quoted\n",
        "<script>alert(1)</script> [x](javascript:alert(1)) ![y](z) <https://x> [r][s]\n\n[s]: data:x\n",
    ]
    .map(|text| text.as_bytes().to_vec());
    let pieces: &[&[u8]] = &[
        b"<",
        b">",
        b"\"",
        b"'",
        b"`",
        b"```",
        b"](",
        b"javascript:",
        b"&#58;",
        b"<img src=x onerror=y>",
        b"|",
        b"\n\n",
        b"    ",
        b"~~",
        b"\\",
        b"\0",
    ];
    each(4, 20_000, &corpus, pieces, |bytes| checks::markdown(&String::from_utf8_lossy(bytes)));
}
