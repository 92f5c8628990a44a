//! All readers of `.td` text agree with the lexer on where comments, strings, code fragments and words are: over all short
//! texts of some pieces, and many longer ones.

use std::sync::{Arc, Mutex};

use odsmith_engine::{
    outline::lexical::{Kind, Lexeme, lexemes},
    release::Rules,
    review::{
        lint::outline::{self, Outline},
        upgrade::tokens as upgrade,
    },
    source::Files,
    syntax::{IncludePaths, Lexer, TokenKind, lexer::OperatorNames},
};
use odsmith_ide::tokens as ide;
use odsmith_service::pipeline::automatic::includes;
use odsmith_site::highlight;

/// The pieces that texts are composed of.
const PIECES: &[&str] = &[
    "[{",
    "}",
    "]",
    "\"",
    "\\",
    "//",
    "/*",
    "*/",
    "\n",
    "\r",
    " ",
    "#",
    "#ifdef A\n",
    "\n#endif",
    "include",
    "a",
    "1",
    "0x1",
    "$",
    "!x",
    "-",
    "é",
];
/// Texts of so many pieces are all tried.
const SHORT: usize = 3;
const RANDOM: usize = 40_000;

/// Calls `check` with each text.
fn texts(mut check: impl FnMut(&str)) {
    for length in 1..=SHORT as u32 {
        for number in 0..PIECES.len().pow(length) {
            let digit = |at| number / PIECES.len().pow(at) % PIECES.len();
            check(&(0..length).map(|at| PIECES[digit(at)]).collect::<String>());
        }
    }
    let mut seed = 7_u64;
    let mut below = |end: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % end
    };
    for _ in 0..RANDOM {
        check(&(0..4 + below(12)).map(|_| PIECES[below(PIECES.len())]).collect::<String>());
    }
    for text in [
        "[{ one }}] include \"b.td\" }]; }",
        "[{ one }}}] include \"b.td\"",
        "[{ one } }] include \"b.td\"",
        "[{ a [{ b }] include \"b.td\" }]",
        "[{ \" }] include \"b.td\"",
        "[{ // }] include \"b.td\"",
        "\"[{\" include \"b.td\" // }]",
        "/* /* */ include \"a.td\" */ include \"b\\\\c.td\"",
        "#ifdef A /* \n */ // include \"a.td\"\ninclude \"b.td\"\n#endif\n",
    ] {
        check(text);
    }
}

/// The files that were asked for.
#[derive(Default)]
struct RequestedFiles(Mutex<Vec<String>>);

impl Files for RequestedFiles {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.0.lock().expect("no panic under the lock").push(path.to_owned());
        Some(Arc::default())
    }
}

/// Reads a text with the lexer up to its first error: starts and kinds of tokens, included files, and the place of the error.
fn read_by_lexer(text: &str) -> (Vec<(usize, Kind)>, Vec<String>, usize) {
    let files = RequestedFiles::default();
    let operators = OperatorNames { find: |name, _| (name == "x").then_some(0), rules: Rules::default() };
    let paths = IncludePaths { folders: Vec::new(), max_depth: 99 };
    let macros = ["A".to_owned()];
    let mut lexer = Lexer::new(&files, paths, macros, operators, "root.td", text.as_bytes().into());
    let first = lexer.sources.buffers().next().expect("a buffer").start;
    let mut tokens = Vec::new();
    let end = loop {
        let token = lexer.next_token();
        let at = (token.span.0 - first) as usize;
        let kind = match token.kind {
            TokenKind::Eof | TokenKind::Error => break at,
            TokenKind::Id | TokenKind::Keyword(_) => Kind::Word,
            TokenKind::VarName => Kind::Variable,
            TokenKind::String => Kind::String,
            TokenKind::Code => Kind::Code,
            TokenKind::Int | TokenKind::Binary => Kind::Number,
            TokenKind::Bang(_) => Kind::Operator,
            _ => Kind::Sign(text.as_bytes()[at]),
        };
        if matches!(kind, Kind::String | Kind::Code) {
            let lexeme = lexemes(text.as_bytes()).find(|it| it.start == at).expect("a token begins here");
            let inside = String::from_utf8_lossy(lexeme.inside(text.as_bytes())).into_owned();
            let is_plain = kind == Kind::Code || !inside.contains('\\');
            assert!(!is_plain || inside == lexer.string(), "{text:?} at {at}: {inside:?}");
        }
        tokens.push((at, kind));
    };
    drop(lexer);
    (tokens, files.0.into_inner().expect("no panic under the lock"), end)
}

fn is_token(lexeme: &Lexeme) -> bool {
    !matches!(lexeme.kind, Kind::LineComment | Kind::BlockComment | Kind::Directive)
}

#[test]
fn lexemes_are_the_lexers_tokens() {
    let mut compared = 0;
    texts(|text| {
        // The lexer wants something after a directive; editors do not.
        if lexemes(text.as_bytes())
            .last()
            .is_some_and(|it| it.kind == Kind::Directive && it.end == text.len())
        {
            return;
        }
        let (tokens, files, end) = read_by_lexer(text);
        compared += tokens.len();
        let mut own: Vec<(usize, Kind)> = Vec::new();
        let mut waiting = 0;
        for lexeme in lexemes(text.as_bytes()).filter(|it| is_token(it) && it.start < end) {
            // The lexer obeys these, and hands nothing on.
            if &text.as_bytes()[lexeme.start..lexeme.end] == b"include" {
                waiting += 1;
            } else if lexeme.kind == Kind::String && waiting > 0 {
                waiting -= 1;
            } else {
                own.push((lexeme.start, lexeme.kind));
            }
        }
        assert_eq!(own, tokens, "{text:?}");
        let includes = includes::of(&text.as_bytes()[..end]);
        let files: Vec<String> = files.into_iter().filter(|file| !file.is_empty()).collect();
        assert_eq!(includes, files, "{text:?}");
    });
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn an_editors_tokens_are_the_lexemes() {
    texts(|text| {
        let kind = |lexeme: &Lexeme| match lexeme.kind {
            Kind::LineComment | Kind::BlockComment => ide::Kind::Comment,
            Kind::Directive => ide::Kind::Directive,
            Kind::Word => ide::Kind::Word,
            Kind::Variable => ide::Kind::Variable,
            Kind::Operator => ide::Kind::Operator,
            Kind::Number => ide::Kind::Number,
            Kind::String => ide::Kind::String,
            Kind::Code => ide::Kind::Code,
            Kind::Sign(byte) => ide::Kind::Punctuation(byte),
        };
        let expected: Vec<_> = lexemes(text.as_bytes())
            .filter(|lexeme| text.is_char_boundary(lexeme.start))
            .map(|lexeme| (kind(&lexeme), lexeme.start, lexeme.is_closed || lexeme.kind == Kind::Sign(b'/')))
            .collect();
        let tokens = ide::tokens(text);
        let own: Vec<_> = tokens.iter().map(|it| (it.kind, it.start, it.is_closed(text))).collect();
        assert_eq!(own, expected, "{text:?}");
    });
}

#[test]
fn reviews_read_the_lexemes() {
    texts(|text| {
        let lint = Outline::new("a.td".into(), text.as_bytes().into());
        let upgrade = upgrade::tokens(text.as_bytes());
        let tokens: Vec<Lexeme> = lexemes(text.as_bytes()).filter(is_token).collect();
        let comments = lexemes(text.as_bytes()).filter(|it| it.kind == Kind::LineComment);
        let comments: Vec<_> = comments.map(|it| (it.start as u32, it.end as u32)).collect();
        let of_lint: Vec<_> = lint.comments.iter().map(|it| (it.start, it.end)).collect();
        assert_eq!(of_lint, comments, "{text:?}");
        let of_upgrade: Vec<_> = upgrade.iter().map(|it| (it.start, it.end())).collect();
        let expected: Vec<_> = tokens.iter().map(|it| (it.start, it.end)).collect();
        assert_eq!(of_upgrade, expected, "{text:?}");
        for (kind, of_lint, of_upgrade) in [
            (Kind::String, outline::Kind::String, upgrade::Kind::Text),
            (Kind::Code, outline::Kind::Code, upgrade::Kind::Code),
        ] {
            let expected: Vec<_> =
                tokens.iter().filter(|it| it.kind == kind).map(|it| (it.start, it.end)).collect();
            let lint = lint.tokens.iter().filter(|it| it.kind == of_lint);
            let lint: Vec<_> = lint.map(|it| (it.start as usize, it.end as usize)).collect();
            let upgrade = upgrade.iter().filter(|it| it.kind == of_upgrade);
            let upgrade: Vec<_> = upgrade.map(|it| (it.start, it.end())).collect();
            assert_eq!((&lint, &upgrade), (&expected, &expected), "{text:?}");
        }
    });
}

#[test]
fn colours_are_the_lexemes() {
    texts(|text| {
        // What follows a directive on its line has colours, too.
        let mut directives = lexemes(text.as_bytes()).filter(|it| it.kind == Kind::Directive);
        if directives.any(|it| text[it.start..it.end].contains(['/', '"', '['])) {
            return;
        }
        let html = highlight::block("tablegen", text, |_| None);
        let coloured = |class: &str| -> Vec<String> {
            let mark = format!("<i class=\"{class}\">");
            let parts = html.split(&mark).skip(1).map(|part| part.split("</i>").next().unwrap_or_default());
            parts.map(|part| part.replace("&quot;", "\"")).collect()
        };
        let of = |is_wanted: fn(&Lexeme) -> bool| -> Vec<&str> {
            lexemes(text.as_bytes()).filter(is_wanted).map(|it| &text[it.start..it.end]).collect()
        };
        let strings = of(|it| it.kind == Kind::Code || it.kind == Kind::String && it.is_closed);
        assert_eq!(coloured("s"), strings, "{text:?}");
        assert_eq!(
            coloured("c"),
            of(|it| matches!(it.kind, Kind::LineComment | Kind::BlockComment)),
            "{text:?}"
        );
    });
}
