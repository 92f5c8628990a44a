//! The operations in a bytecode file, from its own lists of names.
//!
//! A file begins with `ML\xefR`, the version of the encoding and the name of the producer. Sections follow, two of
//! which are read:
//!
//! ```text
//! 0  strings: their number, their lengths from the last to the first, their bytes (each ends with a zero)
//! 1  dialects: their number, their names; the number of operations (since version 4);
//!    for each dialect that has some: which, how many, the names
//! ```
//!
//! Numbers take one to nine bytes: the zeros below the lowest set bit of the first byte say how many follow. Since
//! version 1 a dialect's name is an index times two, plus one if a section with the dialect's version follows; since
//! version 5 the name of an operation is an index times two, plus one if its dialect was registered.
//!
//! All numbers are checked against the bytes left: a damaged file is an error, and takes time linear in its length.

use std::collections::BTreeSet;

/// The first four bytes.
const MAGIC: &[u8] = b"ML\xefR";
/// The newest supported version of the encoding.
const NEWEST: u64 = 6;
/// The version from which dialects have versions.
const DIALECT_VERSIONS: u64 = 1;
/// The version from which the number of operations is written.
const OPERATION_COUNT: u64 = 4;
/// The version from which operations have a flag for registered ones, and properties are written without the names of
/// attributes.
const REGISTERED_FLAG: u64 = 5;

/// The reason why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The magic bytes are missing.
    NoBytecode,
    /// The version of the encoding is newer than the supported ones.
    Newer(u64),
    /// The file ends too early, or an index is out of range.
    Broken,
}

impl Damage {
    /// Returns a short description.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Damage::NoBytecode => "it is no MLIR bytecode".to_owned(),
            Damage::Newer(version) => {
                format!("it is in version {version} of the encoding; {NEWEST} is the newest that is known")
            }
            Damage::Broken => "it is damaged".to_owned(),
        }
    }
}

/// The contents of a file's lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The version of the encoding.
    pub version: u64,
    /// The producer: `MLIR19.1.7`.
    pub producer: String,
    /// The names of operations in it.
    pub operations: BTreeSet<String>,
}

impl Contents {
    /// Returns true if attributes are read by position rather than by name, so that additions break.
    #[must_use]
    pub fn has_unnamed_attributes(&self) -> bool {
        self.version >= REGISTERED_FLAG
    }

    /// Returns the release in the producer's name, if there is one.
    #[must_use]
    pub fn release(&self) -> Option<u8> {
        let digits = self.producer.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
}

/// Reads the names of operations in a bytecode file.
///
/// # Errors
/// The bytes are not bytecode, are damaged, or have an unknown version.
pub fn read(bytes: &[u8]) -> Result<Contents, Damage> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(Damage::NoBytecode)?;
    let mut file = Reader { whole: bytes, at: bytes.len() - rest.len() };
    let version = file.number()?;
    if version > NEWEST {
        return Err(Damage::Newer(version));
    }
    let producer = file.text_to_zero()?;
    let (mut strings, mut dialects) = (None, None);
    while !file.is_at_end() {
        match file.section()? {
            (0, section) => strings = Some(section),
            (1, section) => dialects = Some(section),
            _ => {}
        }
    }
    let strings = strings_of(strings.ok_or(Damage::Broken)?)?;
    let operations = operations_of(dialects.ok_or(Damage::Broken)?, version, &strings)?;
    Ok(Contents { version, producer, operations })
}

fn strings_of(section: &[u8]) -> Result<Vec<&[u8]>, Damage> {
    let mut reader = Reader { whole: section, at: 0 };
    let count = reader.count()?;
    let mut lengths = Vec::with_capacity(count);
    for _ in 0..count {
        lengths.push(usize::try_from(reader.number()?).map_err(|_| Damage::Broken)?);
    }
    let mut strings = Vec::with_capacity(count);
    for &length in lengths.iter().rev() {
        strings.push(reader.bytes(length)?.strip_suffix(b"\0").ok_or(Damage::Broken)?);
    }
    Ok(strings)
}

fn operations_of(section: &[u8], version: u64, strings: &[&[u8]]) -> Result<BTreeSet<String>, Damage> {
    let text = |index: u64| {
        let text = usize::try_from(index).ok().and_then(|index| strings.get(index)).ok_or(Damage::Broken)?;
        Ok(String::from_utf8_lossy(text).into_owned())
    };
    let mut reader = Reader { whole: section, at: 0 };
    let count = reader.count()?;
    let mut dialects = Vec::with_capacity(count);
    for _ in 0..count {
        let number = reader.number()?;
        if version < DIALECT_VERSIONS {
            dialects.push(text(number)?);
            continue;
        }
        dialects.push(text(number >> 1)?);
        if number & 1 == 1 {
            reader.section()?;
        }
    }
    if version >= OPERATION_COUNT {
        reader.number()?;
    }
    let mut operations = BTreeSet::new();
    while !reader.is_at_end() {
        let dialect = usize::try_from(reader.number()?).ok().and_then(|index| dialects.get(index));
        let dialect = dialect.ok_or(Damage::Broken)?;
        for _ in 0..reader.count()? {
            let number = reader.number()?;
            let name = text(if version >= REGISTERED_FLAG { number >> 1 } else { number })?;
            operations.insert(format!("{dialect}.{name}"));
        }
    }
    Ok(operations)
}

/// The bytes of a file or section, and the read position.
struct Reader<'b> {
    /// All bytes; alignment counts from the first one.
    whole: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn is_at_end(&self) -> bool {
        self.at >= self.whole.len()
    }

    fn bytes(&mut self, length: usize) -> Result<&'b [u8], Damage> {
        let end = self.at.checked_add(length).ok_or(Damage::Broken)?;
        let bytes = self.whole.get(self.at..end).ok_or(Damage::Broken)?;
        self.at = end;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, Damage> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Result<u64, Damage> {
        let first = self.byte()?;
        let following = first.trailing_zeros() as usize;
        let mut little = [0_u8; 8];
        if following == 8 {
            little.copy_from_slice(self.bytes(8)?);
            return Ok(u64::from_le_bytes(little));
        }
        let rest = self.bytes(following)?;
        little[0] = first;
        // At most seven bytes follow.
        little[1..=following].copy_from_slice(rest);
        Ok(u64::from_le_bytes(little) >> (following + 1))
    }

    /// Reads the number of items, each of which takes at least one byte.
    fn count(&mut self) -> Result<usize, Damage> {
        let count = usize::try_from(self.number()?).map_err(|_| Damage::Broken)?;
        if count > self.whole.len() - self.at { Err(Damage::Broken) } else { Ok(count) }
    }

    fn text_to_zero(&mut self) -> Result<String, Damage> {
        let rest = self.whole.get(self.at..).unwrap_or_default();
        let length = memchr::memchr(0, rest).ok_or(Damage::Broken)?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    /// Reads a section: its id and its bytes.
    fn section(&mut self) -> Result<(u8, &'b [u8]), Damage> {
        let kind = self.byte()?;
        let length = usize::try_from(self.number()?).map_err(|_| Damage::Broken)?;
        if kind & 0x80 != 0 {
            let alignment = self.number()?;
            if !alignment.is_power_of_two() {
                return Err(Damage::Broken);
            }
            while !(self.at as u64).is_multiple_of(alignment) {
                self.byte()?;
            }
        }
        Ok((kind & 0x7f, self.bytes(length)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a number in one byte.
    fn small(number: u8) -> u8 {
        number << 1 | 1
    }

    fn file(version: u8, dialects: &[u8]) -> Vec<u8> {
        let mut all = MAGIC.to_vec();
        all.push(small(version));
        all.extend(b"MLIR22\0");
        all.extend([1, small(dialects.len() as u8)]);
        all.extend(dialects);
        let strings = b"\x07\x0b\x0b\x0bfunc\0call\0cast\0";
        all.extend([0, small(strings.len() as u8)]);
        all.extend(strings);
        all
    }

    #[test]
    fn names_of_operations() {
        let old = file(0, &[small(1), small(0), small(0), small(2), small(1), small(2)]);
        let names = |bytes: &[u8]| read(bytes).map(|it| it.operations.into_iter().collect::<Vec<_>>());
        assert_eq!(names(&old), Ok(vec!["func.call".to_owned(), "func.cast".to_owned()]));
        let new = file(6, &[small(1), small(0), small(1), small(0), small(1), small(3)]);
        assert_eq!(names(&new), Ok(vec!["func.call".to_owned()]));
        let contents = read(&new).unwrap();
        assert_eq!((contents.producer.as_str(), contents.release()), ("MLIR22", Some(22)));
        assert!(contents.has_unnamed_attributes());
    }

    #[test]
    fn damage_is_an_error() {
        let whole = file(6, &[small(1), small(0), small(1), small(0), small(1), small(3)]);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[at] = byte;
                // A changed file may happen to be valid; reading always ends.
                let _ = read(&changed);
            }
        }
        assert_eq!(read(b"module {}"), Err(Damage::NoBytecode));
        assert_eq!(read(&[MAGIC, &[small(99)]].concat()), Err(Damage::Newer(99)));
    }
}
