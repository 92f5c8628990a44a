//! Ids of symbols in a catalogue.
//!
//! ```text
//! symbol = project ["@" version] "/" dialect "/" kind "/" name ["~" file] ["#" part]
//! circt@1.90.0/hw/op/instance#operand:inputs    mlir@22/_/interface/TilingInterface    stablehlo/_/constraint/HLO_Tensor
//! ```
//!
//! Without a version an id means the newest one.

use std::fmt;

use odsmith_registry::reference::{is_component, is_tag, tag_of};

/// An id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolId {
    /// The project.
    pub project: String,
    /// The version; the newest, without one.
    pub version: Option<String>,
    /// The id inside of the project: `dialect/kind/name[~file]`.
    pub row: String,
    /// A part of the definition: `operand:inputs`.
    pub part: Option<String>,
}

impl SymbolId {
    /// Reads an id.
    ///
    /// # Errors
    /// It breaks the grammar.
    pub fn parse(text: &str) -> Result<SymbolId, String> {
        let wrong = || {
            format!(
                "'{}' is no id: write PROJECT/DIALECT/KIND/NAME, with '_' for no dialect",
                text.escape_debug()
            )
        };
        let (rest, part) = match text.split_once('#') {
            Some((rest, part)) => (rest, Some(part)),
            None => (text, None),
        };
        let (project, row) = rest.split_once('/').ok_or_else(wrong)?;
        let (project, version) = match project.split_once('@') {
            Some((project, version)) => (project, Some(version)),
            None => (project, None),
        };
        let is_part = |part: &str| part.contains(':') && is_path(part);
        let is_right = is_component(project)
            && version.is_none_or(|version| is_tag(&tag_of(version)))
            && is_row(row)
            && part.is_none_or(is_part);
        if !is_right {
            return Err(wrong());
        }
        Ok(SymbolId {
            project: project.to_owned(),
            version: version.map(str::to_owned),
            row: row.to_owned(),
            part: part.map(str::to_owned),
        })
    }
}

impl fmt::Display for SymbolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.project)?;
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        write!(f, "/{}", self.row)?;
        if let Some(part) = &self.part {
            write!(f, "#{part}")?;
        }
        Ok(())
    }
}

/// Returns the beginning of a row's id, without the file that distinguishes two definitions of one name.
#[must_use]
pub fn stem(row: &str) -> &str {
    row.split('~').next().unwrap_or(row)
}

/// Returns the name in a row's id.
#[must_use]
pub fn name(row: &str) -> &str {
    stem(row).rsplit('/').next().unwrap_or(row)
}

/// Returns the kind in a row's id.
#[must_use]
pub fn kind(row: &str) -> &str {
    row.split('/').nth(1).unwrap_or_default()
}

/// Returns the dialect in a row's id; empty if it has none.
#[must_use]
pub fn dialect(row: &str) -> &str {
    row.split('/').next().filter(|dialect| *dialect != "_").unwrap_or_default()
}

/// Returns whether a text is an id inside of a project.
#[must_use]
pub fn is_row(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    let is_kind = |kind: &str| kind.bytes().all(|byte| byte.is_ascii_lowercase()) && !kind.is_empty();
    matches!(parts[..], [dialect, kind, name]
        if is_path(dialect) && is_kind(kind) && is_path(name) && ![dialect, name].iter().any(|it| [".", ".."].contains(it)))
}

fn is_path(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:%~-".contains(&byte);
    !text.is_empty() && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back() {
        for text in [
            "circt@1.90.0/hw/op/instance#operand:inputs",
            "mlir@22/_/interface/TilingInterface",
            "stablehlo/_/constraint/HLO_Tensor",
            "a/_/trait/Same~a%2Fb.td",
            "a@1.0.0+x/d/op/a.b",
        ] {
            assert_eq!(SymbolId::parse(text).map(|id| id.to_string()).as_deref(), Ok(text));
        }
        for text in [
            "hw/op/instance",
            "A/hw/op/x",
            "a/hw/op",
            "a/hw/op/x/y",
            "a@/hw/op/x",
            "a/hw/op/x y",
            "a/hw/op/..",
        ] {
            assert!(SymbolId::parse(text).is_err(), "{text}");
        }
        let id = SymbolId::parse("a/_/trait/Same~a.td").expect("an id");
        assert_eq!(
            (stem(&id.row), name(&id.row), kind(&id.row), dialect(&id.row)),
            ("_/trait/Same", "Same", "trait", "")
        );
    }
}
