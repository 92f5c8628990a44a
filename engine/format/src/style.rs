//! The settings: the section `[fmt]` of `odsmith.toml`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The settings of `odsmith fmt`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = fmt::Style)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// The columns of a line.
    pub width: usize,
    /// The indentation of a body, and of elements below their opening bracket.
    pub indent: usize,
    /// The indentation of what continues a statement.
    pub continuation: usize,
    /// Give lists one layout, wherever their lines begin in the source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// Files to leave as they are, as patterns of `.gitignore`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl Default for Style {
    fn default() -> Self {
        Style { width: 80, indent: 2, continuation: 4, strict: false, exclude: Vec::new() }
    }
}

/// The narrowest and the widest line, and the deepest indentation.
const WIDTHS: std::ops::RangeInclusive<usize> = 20..=1000;
const MOST_INDENT: usize = 16;

impl Style {
    /// Checks the numbers.
    ///
    /// # Errors
    /// A number is out of bounds.
    pub fn check(&self) -> Result<(), String> {
        if !WIDTHS.contains(&self.width) {
            return Err(format!("fmt.width is from {} to {}", WIDTHS.start(), WIDTHS.end()));
        }
        for (name, value) in [("indent", self.indent), ("continuation", self.continuation)] {
            if value > MOST_INDENT {
                return Err(format!("fmt.{name} is at most {MOST_INDENT}"));
            }
        }
        Ok(())
    }
}
