//! Reads and writes inventories of sites (`objects.inv`, as Sphinx and this crate write them): names with their addresses.
//!
//! ```text
//! # Sphinx inventory version 2
//! # Project: MLIR
//! # Version: 22
//! # The remainder of this file is compressed using zlib.
//! arith.addi std:label -1 arith/op/addi.html arith.addi      (compressed)
//! ```

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{Read as _, Write as _},
};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};

/// The limit for the size of an unpacked inventory.
const MOST_BYTES: u64 = 64 << 20;

/// The names that another site describes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The name of the site.
    pub project: String,
    /// Absolute addresses by name.
    pub addresses: BTreeMap<String, String>,
}

impl Inventory {
    /// Reads the `objects.inv` of the site at an address.
    ///
    /// # Errors
    /// The bytes are not an inventory of version 2.
    pub fn read(bytes: &[u8], url: &str) -> Result<Inventory, String> {
        let mut rest = bytes;
        let mut line = || -> Result<String, String> {
            let end =
                rest.iter().position(|byte| *byte == b'\n').ok_or("the head of an inventory is missing")?;
            let text = String::from_utf8_lossy(&rest[..end]).trim().to_owned();
            rest = &rest[end + 1..];
            Ok(text)
        };
        if line()? != "# Sphinx inventory version 2" {
            return Err("this is no Sphinx inventory of version 2".to_owned());
        }
        let project = line()?.trim_start_matches("# Project:").trim().to_owned();
        let (_, _) = (line()?, line()?);
        let mut text = String::new();
        let mut unpacked = ZlibDecoder::new(rest).take(MOST_BYTES);
        unpacked
            .read_to_string(&mut text)
            .map_err(|error| format!("the inventory cannot be unpacked: {error}"))?;
        let base = format!("{}/", url.trim_end_matches('/'));
        let mut addresses = BTreeMap::new();
        for line in text.lines() {
            // The name may hold spaces; after it comes `domain:role priority address title`.
            let words: Vec<&str> = line.split(' ').collect();
            let Some(role) =
                words.iter().position(|word| word.contains(':') && word.len() > 2).filter(|at| *at > 0)
            else {
                continue;
            };
            let Some(address) = words.get(role + 2) else { continue };
            let name = words[..role].join(" ");
            let address = format!("{base}{}", address.replace('$', &name));
            addresses.entry(name).or_insert(address);
        }
        Ok(Inventory { project, addresses })
    }
}

/// Returns a text in one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes the inventory of names with their addresses.
#[must_use]
pub fn write(title: &str, names: &BTreeMap<String, String>) -> Vec<u8> {
    let mut lines = String::new();
    for (name, address) in names.iter().filter(|(_, address)| !address.contains(char::is_whitespace)) {
        // Names cannot contain spaces in this format.
        let id = name.replace(char::is_whitespace, "_");
        // Writing into a string does not fail.
        let _ = writeln!(lines, "{id} std:label -1 {address} {}", one_line(name));
    }
    packed(title, &lines)
}

/// Packs the lines of an inventory below its head.
pub(crate) fn packed(title: &str, lines: &str) -> Vec<u8> {
    let mut out = format!(
        "# Sphinx inventory version 2\n# Project: {}\n# Version: {}\n# The remainder of this file is compressed using zlib.\n",
        one_line(title),
        env!("CARGO_PKG_VERSION")
    )
    .into_bytes();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(lines.as_bytes());
    out.extend(encoder.finish().unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(lines: &str) -> Vec<u8> {
        let head = "# Sphinx inventory version 2\n# Project: MLIR\n# Version: 22\n# zlib\n";
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(lines.as_bytes()).unwrap();
        [head.as_bytes(), &encoder.finish().unwrap()].concat()
    }

    #[test]
    fn names_lead_to_whole_addresses() {
        let bytes = packed(
            "arith.addi std:label -1 arith/op/addi.html arith.addi\na b std:term 1 terms.html#$ -\nbad\n",
        );
        let read = Inventory::read(&bytes, "https://example.org/mlir").unwrap();
        assert_eq!(read.project, "MLIR");
        assert_eq!(read.addresses["arith.addi"], "https://example.org/mlir/arith/op/addi.html");
        assert_eq!(read.addresses["a b"], "https://example.org/mlir/terms.html#a b");
        assert_eq!(read.addresses.len(), 2);
    }

    #[test]
    fn what_is_none_is_refused() {
        assert!(Inventory::read(b"# Sphinx inventory version 1\n", "https://x").is_err());
        assert!(Inventory::read(b"", "https://x").is_err());
        let mut broken = packed("x");
        broken.truncate(broken.len() - 3);
        assert!(Inventory::read(&broken, "https://x").is_err());
    }
}
