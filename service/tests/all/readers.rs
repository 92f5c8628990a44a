//! The one reader of `.td` text agrees with the lexer on where comments, strings, code fragments and words are, and reads
//! any text: all short texts of some pieces, many longer ones, and the fixtures of the language with random changes.

use std::{
    fs,
    ops::Range,
    sync::{Arc, Mutex},
};

use odsmith_engine::{
    outline::{Kind, Outline, Statement, Token, includes, symbols, tokens::tokens},
    release::Rules,
    source::Files,
    syntax::{IncludePaths, Lexer, TokenKind, lexer::OperatorNames},
};
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
/// The changed versions of each fixture.
const CHANGES: usize = 12;

/// A source of numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Calls `check` with each text.
fn texts(mut check: impl FnMut(&str)) {
    for length in 1..=SHORT as u32 {
        for number in 0..PIECES.len().pow(length) {
            let digit = |at| number / PIECES.len().pow(at) % PIECES.len();
            check(&(0..length).map(|at| PIECES[digit(at)]).collect::<String>());
        }
    }
    let mut numbers = Numbers(7);
    for _ in 0..RANDOM {
        let length = 4 + numbers.below(12);
        check(&(0..length).map(|_| PIECES[numbers.below(PIECES.len())]).collect::<String>());
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

/// Calls `check` with each fixture of the language.
fn fixtures(mut check: impl FnMut(&str)) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/lang");
    let files = fs::read_dir(folder).expect("the fixtures").map(|file| file.expect("a file").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == "td")).collect();
    files.sort();
    assert!(files.len() > 100, "{}", files.len());
    for file in files {
        check(&String::from_utf8_lossy(&fs::read(file).expect("a fixture")));
    }
}

/// Calls `check` with each fixture, and with versions of which a part is lost, doubled or replaced.
fn changed_fixtures(mut check: impl FnMut(&str)) {
    let mut numbers = Numbers(11);
    fixtures(|text| {
        check(text);
        for _ in 0..CHANGES {
            let mut at = [numbers.below(text.len() + 1), numbers.below(text.len() + 1)];
            at.sort_unstable();
            let [start, end] = at.map(|at| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
            let piece = PIECES[numbers.below(PIECES.len())];
            match numbers.below(3) {
                0 => check(&format!("{}{}", &text[..start], &text[end..])),
                1 => check(&format!("{}{piece}{}", &text[..end], &text[start..])),
                _ => check(&format!("{}{piece}{}", &text[..start], &text[start..])),
            }
        }
    });
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
    let operators = OperatorNames { find: |_, _| Some(0), rules: Rules::default() };
    let paths = IncludePaths { folders: Vec::new(), max_depth: 99 };
    let macros = ["A".to_owned()];
    let mut lexer = Lexer::new(&files, paths, macros, operators, "root.td", text.as_bytes().into());
    let first = lexer.sources.buffers().next().expect("a buffer").start;
    let mut found = Vec::new();
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
            let token = tokens(&text.as_bytes()[at..]).next().expect("a token begins here");
            let inside = &text[at..][token.inside()];
            let is_plain = kind == Kind::Code || !inside.contains('\\');
            assert!(!is_plain || inside == lexer.string(), "{text:?} at {at}: {inside:?}");
        }
        let count = if token.kind == TokenKind::DotDotDot { 3 } else { 1 };
        found.extend((0..count).map(|index| (at + index, kind)));
    };
    drop(lexer);
    (found, files.0.into_inner().expect("no panic under the lock"), end)
}

/// Compares the reader's tokens and includes with the lexer's, up to the first error; returns their number.
fn compare_with_lexer(text: &str) -> usize {
    let (expected, files, end) = read_by_lexer(text);
    let mut own: Vec<(usize, Kind)> = Vec::new();
    let mut waiting = 0;
    for token in tokens(text.as_bytes()).filter(|it| it.is_code() && it.start < end) {
        // The lexer obeys these, and hands nothing on.
        if token.is_word(text, "include") {
            waiting += 1;
        } else if token.kind == Kind::String && waiting > 0 {
            waiting -= 1;
        } else {
            own.push((token.start, token.kind));
        }
    }
    assert_eq!(own, expected, "{text:?}");
    let files: Vec<String> = files.into_iter().filter(|file| !file.is_empty()).collect();
    assert_eq!(includes::of(&text.as_bytes()[..end]), files, "{text:?}");
    expected.len()
}

#[test]
fn tokens_are_the_lexers() {
    let mut compared = 0;
    texts(|text| {
        // The lexer wants something after a directive; editors do not.
        let last = tokens(text.as_bytes()).last();
        if last.is_none_or(|it| it.kind != Kind::Directive) {
            compared += compare_with_lexer(text);
        }
    });
    assert!(compared > 10_000, "{compared}");
    compared = 0;
    changed_fixtures(|text| {
        // The lexer leaves out what a macro disables.
        if tokens(text.as_bytes()).all(|it| it.kind != Kind::Directive) {
            compared += compare_with_lexer(text);
        }
    });
    assert!(compared > 100_000, "{compared}");
}

/// Checks that the tokens of a text are the text, and that an outline's parts are in their places.
fn check_outline(text: &[u8]) {
    let shown = String::from_utf8_lossy(text);
    let mut end = 0;
    for token in tokens(text) {
        assert!(token.start == end && token.end > end, "{shown:?} at {end}");
        end = token.end;
        let inside = token.inside();
        assert!(token.start <= inside.start && inside.start <= inside.end && inside.end <= end, "{shown:?}");
    }
    assert_eq!(end, text.len(), "{shown:?}");
    let outline = Outline::new("a.td", text);
    assert_eq!(outline.text.len(), text.len(), "{shown:?}");
    let code = outline.tokens.iter().map(Token::range).collect::<Vec<_>>();
    let expected: Vec<_> = tokens(outline.text.as_bytes()).filter(|it| it.kind != Kind::Blank).collect();
    assert_eq!(code, expected.iter().map(Token::range).collect::<Vec<_>>(), "{shown:?}");
    check_statements(&outline, &outline.statements, 0..outline.tokens.len());
    let count = outline.all_statements().count();
    let keywords = ["class", "def", "defm", "multiclass", "defvar", "defset", "deftype", "let", "foreach"];
    let keywords = keywords.into_iter().chain(["if", "include", "assert", "dump"]).collect::<Vec<_>>();
    let words = outline.code().filter(|it| it.kind == Kind::Word && keywords.contains(&outline.text_of(*it)));
    assert!(count <= words.count(), "{shown:?}");
}

/// Checks that statements follow each other within some tokens, and so do their parts.
fn check_statements(outline: &Outline, statements: &[Statement], within: Range<usize>) {
    let mut at = within.start;
    let bytes =
        |tokens: &Range<usize>| outline.tokens[tokens.start].start..outline.tokens[tokens.end - 1].end;
    for statement in statements {
        let Range { start, end } = statement.tokens;
        assert!(at <= start && start < end && end <= within.end, "{:?}", outline.text);
        assert_eq!(statement.range(), bytes(&statement.tokens), "{:?}", outline.text);
        at = end;
        let is_in = |token: Token| statement.start < token.start && token.end <= outline.text.len();
        assert!(statement.name.is_none_or(is_in), "{:?}", outline.text);
        let body = statement.body.clone().unwrap_or(end..end);
        assert!(start < body.start && body.start <= body.end && body.end <= end, "{:?}", outline.text);
        check_statements(outline, &statement.children, start + 1..end);
        let mut at = body.start;
        for item in &statement.items {
            assert!(at <= item.tokens.start && item.tokens.end <= body.end, "{:?}", outline.text);
            assert_eq!(item.range(), bytes(&item.tokens), "{:?}", outline.text);
            assert!(item.tokens.start <= item.value.start && item.value.end <= item.tokens.end);
            assert!(item.range().contains(&item.name.start), "{:?}", outline.text);
            at = item.tokens.end;
        }
        let names = symbols::arguments(outline, statement).into_iter().map(|it| it.token);
        for name in names.chain(symbols::parents(outline, statement)) {
            assert!(statement.range().contains(&name.start), "{:?}", outline.text);
        }
        let body = outline.body_of(statement).unwrap_or(statement.range());
        assert!(statement.start <= body.start && body.end <= statement.end, "{:?}", outline.text);
        for item in &statement.items {
            let value = outline.value_of(item).unwrap_or(item.range());
            assert!(body.start <= item.start && item.end <= body.end, "{:?}", outline.text);
            assert!(item.start <= value.start && value.end <= item.end, "{:?}", outline.text);
        }
        let path = outline.enclosing(statement.start);
        assert!(path.last().is_some_and(|it| std::ptr::eq(*it, statement)), "{:?}", outline.text);
    }
}

#[test]
fn any_text_has_an_outline() {
    texts(|text| check_outline(text.as_bytes()));
    changed_fixtures(|text| check_outline(text.as_bytes()));
    let mut numbers = Numbers(13);
    for _ in 0..RANDOM {
        let length = numbers.below(24);
        check_outline(&(0..length).map(|_| numbers.below(256) as u8).collect::<Vec<u8>>());
    }
}

#[test]
fn colours_are_the_tokens() {
    texts(|text| {
        // The text after a directive on its line has colours, too.
        let mut directives = tokens(text.as_bytes()).filter(|it| it.kind == Kind::Directive);
        if directives.any(|it| it.text(text).contains(['/', '"', '['])) {
            return;
        }
        let html = highlight::block("tablegen", text, |_| None);
        let coloured = |class: &str| -> Vec<String> {
            let mark = format!("<i class=\"{class}\">");
            let parts = html.split(&mark).skip(1).map(|part| part.split("</i>").next().unwrap_or_default());
            parts.map(|part| part.replace("&quot;", "\"")).collect()
        };
        let of = |is_wanted: fn(&Token) -> bool| -> Vec<&str> {
            tokens(text.as_bytes()).filter(is_wanted).map(|it| it.text(text)).collect()
        };
        let strings = of(|it| it.kind == Kind::Code || it.kind == Kind::String && it.is_closed);
        assert_eq!(coloured("s"), strings, "{text:?}");
        assert_eq!(coloured("c"), of(Token::is_comment), "{text:?}");
    });
}
