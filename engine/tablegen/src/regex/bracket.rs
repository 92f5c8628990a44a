//! Bracket expressions: `[^a-z[:digit:][.hyphen.]]`.

use super::Set;

/// Names of bytes in `[.name.]` and `[=name=]`: those of POSIX's portable character set, case as written here.
/// A byte of its own names itself.
const NAMES: [(&[u8], u8); 95] = [
    (b"NUL", 0x00),
    (b"SOH", 0x01),
    (b"STX", 0x02),
    (b"ETX", 0x03),
    (b"EOT", 0x04),
    (b"ENQ", 0x05),
    (b"ACK", 0x06),
    (b"BEL", 0x07),
    (b"alert", 0x07),
    (b"BS", 0x08),
    (b"backspace", 0x08),
    (b"HT", 0x09),
    (b"tab", 0x09),
    (b"LF", 0x0a),
    (b"newline", 0x0a),
    (b"VT", 0x0b),
    (b"vertical-tab", 0x0b),
    (b"FF", 0x0c),
    (b"form-feed", 0x0c),
    (b"CR", 0x0d),
    (b"carriage-return", 0x0d),
    (b"SO", 0x0e),
    (b"SI", 0x0f),
    (b"DLE", 0x10),
    (b"DC1", 0x11),
    (b"DC2", 0x12),
    (b"DC3", 0x13),
    (b"DC4", 0x14),
    (b"NAK", 0x15),
    (b"SYN", 0x16),
    (b"ETB", 0x17),
    (b"CAN", 0x18),
    (b"EM", 0x19),
    (b"SUB", 0x1a),
    (b"ESC", 0x1b),
    (b"IS4", 0x1c),
    (b"FS", 0x1c),
    (b"IS3", 0x1d),
    (b"GS", 0x1d),
    (b"IS2", 0x1e),
    (b"RS", 0x1e),
    (b"IS1", 0x1f),
    (b"US", 0x1f),
    (b"space", b' '),
    (b"exclamation-mark", b'!'),
    (b"quotation-mark", b'"'),
    (b"number-sign", b'#'),
    (b"dollar-sign", b'$'),
    (b"percent-sign", b'%'),
    (b"ampersand", b'&'),
    (b"apostrophe", b'\''),
    (b"left-parenthesis", b'('),
    (b"right-parenthesis", b')'),
    (b"asterisk", b'*'),
    (b"plus-sign", b'+'),
    (b"comma", b','),
    (b"hyphen", b'-'),
    (b"hyphen-minus", b'-'),
    (b"period", b'.'),
    (b"full-stop", b'.'),
    (b"slash", b'/'),
    (b"solidus", b'/'),
    (b"zero", b'0'),
    (b"one", b'1'),
    (b"two", b'2'),
    (b"three", b'3'),
    (b"four", b'4'),
    (b"five", b'5'),
    (b"six", b'6'),
    (b"seven", b'7'),
    (b"eight", b'8'),
    (b"nine", b'9'),
    (b"colon", b':'),
    (b"semicolon", b';'),
    (b"less-than-sign", b'<'),
    (b"equals-sign", b'='),
    (b"greater-than-sign", b'>'),
    (b"question-mark", b'?'),
    (b"commercial-at", b'@'),
    (b"left-square-bracket", b'['),
    (b"backslash", b'\\'),
    (b"reverse-solidus", b'\\'),
    (b"right-square-bracket", b']'),
    (b"circumflex", b'^'),
    (b"circumflex-accent", b'^'),
    (b"underscore", b'_'),
    (b"low-line", b'_'),
    (b"grave-accent", b'`'),
    (b"left-brace", b'{'),
    (b"left-curly-bracket", b'{'),
    (b"vertical-line", b'|'),
    (b"right-brace", b'}'),
    (b"right-curly-bracket", b'}'),
    (b"tilde", b'~'),
    (b"DEL", 0x7f),
];

/// Reads a bracket expression; `text` begins after its `[`. Returns the set, and the length with the closing bracket;
/// nothing if it is malformed.
pub(super) fn read(text: &[u8]) -> Option<(Set, usize)> {
    let mut reader = Reader { text, at: 0, set: Set::default() };
    let is_negated = reader.eat(b"^");
    // The first byte may be a bracket or a hyphen that means itself.
    if reader.eat(b"]") {
        reader.set.add(b']');
    } else if reader.eat(b"-") {
        reader.set.add(b'-');
    }
    while !reader.is_next(b"]") && !reader.is_next(b"-]") {
        reader.item()?;
    }
    if reader.eat(b"-") {
        reader.set.add(b'-');
    }
    reader.eat(b"]");
    let set = if is_negated { reader.set.negated() } else { reader.set };
    Some((set, reader.at))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    set: Set,
}

impl Reader<'_> {
    fn is_next(&self, bytes: &[u8]) -> bool {
        self.text[self.at..].starts_with(bytes)
    }

    fn eat(&mut self, bytes: &[u8]) -> bool {
        let is_next = self.is_next(bytes);
        self.at += if is_next { bytes.len() } else { 0 };
        is_next
    }

    /// Reads a class, a byte or a range.
    fn item(&mut self) -> Option<()> {
        if self.eat(b"[:") {
            return self.class();
        }
        if self.eat(b"[=") {
            if self.is_next(b"-") || self.is_next(b"]") {
                return None;
            }
            let byte = self.named(b"=]")?;
            self.set.add(byte);
            return Some(());
        }
        if self.is_next(b"-") {
            return None;
        }
        let first = self.symbol()?;
        let is_range = self.is_next(b"-") && self.text.get(self.at + 1).is_some_and(|&next| next != b']');
        let last = match is_range {
            true => {
                self.at += 1;
                if self.eat(b"-") { b'-' } else { self.symbol()? }
            }
            false => first,
        };
        // Bytes above 127 count as negative numbers.
        let (first, last) = (first.cast_signed(), last.cast_signed());
        if first > last {
            return None;
        }
        (first..=last).for_each(|byte| self.set.add(byte.cast_unsigned()));
        Some(())
    }

    /// Reads a byte, or the name of one.
    fn symbol(&mut self) -> Option<u8> {
        if self.eat(b"[.") {
            return self.named(b".]");
        }
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Reads the name of a byte up to this end.
    fn named(&mut self, end: &[u8; 2]) -> Option<u8> {
        let rest = &self.text[self.at..];
        let length = rest.windows(2).position(|pair| pair == end)?;
        self.at += length + 2;
        let name = &rest[..length];
        NAMES.iter().find(|entry| entry.0 == name).map(|entry| entry.1).or(match name {
            [byte] => Some(*byte),
            _ => None,
        })
    }

    fn class(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| !byte.is_ascii_alphabetic())?;
        let has: fn(&u8) -> bool = match &rest[..length] {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => return None,
        };
        self.at += length;
        (0..=255).filter(has).for_each(|byte| self.set.add(byte));
        self.eat(b":]").then_some(())
    }
}
