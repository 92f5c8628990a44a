//! The functions that callers see. A caller writes a question to memory, and reads the answer from there:
//!
//! ```text
//! question(length)  → a place for that many bytes:  length of the head, head, bytes
//! answer()          → the length of the answer:     length of the head, head, bytes
//! answered()        → its place, until the next question
//! ```
//!
//! Lengths have 32 bits, little endian. The head of a question is `{ "ask": "ide/preview", "question": … }`, and the bytes
//! are a library's. The head of an answer is `{ "status": 200, "answer": …, "files": [{ "path", "bytes" }] }`, and the bytes
//! are those of the files, one after the other.

#![expect(
    unsafe_code,
    reason = "a name for callers outside is called unsafe, as another function might have it"
)]

use std::cell::RefCell;

use super::Instance;

/// The instance, and the bytes of its question and its answer.
#[derive(Default)]
struct Exchange {
    instance: Instance,
    question: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Returns a place for a question.
#[unsafe(no_mangle)]
extern "C" fn question(length: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|it| {
        it.question = vec![0; length];
        it.question.as_mut_ptr()
    })
}

/// Answers the question, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    EXCHANGE.with_borrow_mut(|it| {
        let question = std::mem::take(&mut it.question);
        it.answer = it.instance.exchange(&question);
        it.answer.len()
    })
}

/// Returns the place of the answer.
#[unsafe(no_mangle)]
extern "C" fn answered() -> *const u8 {
    EXCHANGE.with_borrow(|it| it.answer.as_ptr())
}
