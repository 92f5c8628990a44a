//! Plugins for tests: WebAssembly modules written as text, and programs in Python, that answer in given ways.

use std::fmt::Write as _;

/// Returns a message with its length in front, as plugins write it.
#[must_use]
pub fn framed(message: &str) -> Vec<u8> {
    let mut bytes = (message.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(message.as_bytes());
    bytes
}

/// Returns the module with these definitions besides its memory and the functions of WASI that it imports.
///
/// # Panics
/// When the text is wrong.
#[must_use]
pub fn module(definitions: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
             (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
             (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
             (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
             (memory (export "memory") 32)
             {definitions})"#
    );
    wat::parse_str(text).expect("a module")
}

/// Returns the module that writes some bytes to standard output, and some to standard error.
#[must_use]
pub fn printing(output: &[u8], errors: &str) -> Vec<u8> {
    let (at, count) = (1024, output.len());
    let errors_at = at + count + 8;
    module(&format!(
        r#"(data (i32.const {at}) "{}") (data (i32.const {errors_at}) "{}")
           (func (export "_start")
             {} {})"#,
        escaped(output),
        escaped(errors.as_bytes()),
        write(1, at, count),
        if errors.is_empty() { String::new() } else { write(2, errors_at, errors.len()) },
    ))
}

/// Returns the module that answers with one message.
#[must_use]
pub fn answering(message: &str) -> Vec<u8> {
    printing(&framed(message), "")
}

/// Returns the module that asks for data, and answers once its request has records.
#[must_use]
pub fn asking(needs: &str, message: &str) -> Vec<u8> {
    let (needs, message) = (framed(needs), framed(message));
    let (needs_at, message_at) = (1024, 1024 + needs.len() + 8);
    // The word `"records` as a number.
    let word = u64::from_le_bytes(*b"\"records");
    module(&format!(
        r#"(data (i32.const {needs_at}) "{}") (data (i32.const {message_at}) "{}")
           (func (export "_start") (local $at i32) (local $end i32)
             (local.set $end (i32.const 65536))
             (loop $more
               (i32.store (i32.const 0) (local.get $end)) (i32.store (i32.const 4) (i32.const 65536))
               (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
               (local.set $end (i32.add (local.get $end) (i32.load (i32.const 8))))
               (br_if $more (i32.load (i32.const 8))))
             (local.set $at (i32.const 65536))
             (loop $next
               (if (i64.eq (i64.load (local.get $at)) (i64.const {word}))
                 (then {} (call $exit (i32.const 0))))
               (local.set $at (i32.add (local.get $at) (i32.const 1)))
               (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
             {})"#,
        escaped(&needs),
        escaped(&message),
        write(1, message_at, message.len()),
        write(1, needs_at, needs.len()),
    ))
}

/// Returns the code that writes a part of the memory to a stream.
fn write(stream: u32, at: usize, count: usize) -> String {
    format!(
        "(i32.store (i32.const 0) (i32.const {at})) (i32.store (i32.const 4) (i32.const {count}))
         (drop (call $write (i32.const {stream}) (i32.const 0) (i32.const 1) (i32.const 8)))"
    )
}

fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\{byte:02x}");
        text
    })
}

/// The beginning of programs in Python: `request`, and `answer`, which ends the program.
pub const PYTHON: &str = "#!/usr/bin/env python3
import json, struct, sys
length, = struct.unpack('<I', sys.stdin.buffer.read(4))
request = json.loads(sys.stdin.buffer.read(length))
def write(text):
    data = text.encode()
    sys.stdout.buffer.write(struct.pack('<I', len(data)) + data)
    sys.exit(0)
def answer(**members):
    write(json.dumps({'protocol': 1, **members}))
";
