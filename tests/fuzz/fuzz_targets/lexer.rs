//! Any bytes, token by token: the lexer ends, and each token is at least one byte long.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use odsmith_engine::{
    eval::ops,
    source::Files,
    syntax::{IncludePaths, Lexer, TokenKind},
};

/// One file, which may include itself.
struct SingleFile(Arc<[u8]>);

impl Files for SingleFile {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        (path == "a.td").then(|| Arc::clone(&self.0))
    }
}

const INCLUDE_DEPTH: u32 = 3;

fuzz_target!(|bytes: &[u8]| {
    let text: Arc<[u8]> = bytes.into();
    let files = SingleFile(Arc::clone(&text));
    let paths = IncludePaths { folders: Vec::new(), max_depth: INCLUDE_DEPTH };
    let mut lexer = Lexer::new(&files, paths, ["A".to_owned()], ops::find, "a.td", Arc::clone(&text));
    // A file that includes itself is read as often as it does.
    let most = 1_000_000;
    for _ in 0..most {
        if lexer.next_token().kind == TokenKind::Eof {
            break;
        }
    }
});
