//! The railroad diagram of a syntax.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::{diagram, syntax::Node};

/// A railroad diagram. It is drawn during serialization, because stored pictures would take much of the pages' memory.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The syntax.
    pub node: Node,
    /// The name of the operation, type or attribute.
    pub name: String,
    /// The file that holds only the diagram: `cmpi.svg`.
    pub file: String,
}

impl Diagram {
    /// Draws the diagram for a file of its own.
    #[must_use]
    pub fn standalone(&self) -> String {
        diagram::standalone(&self.node, &self.name)
    }
}

impl Serialize for Diagram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let wide = diagram::inline(&self.node, &self.name);
        DiagramImages { wide, file: &self.file }.serialize(serializer)
    }
}

/// A railroad diagram.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Diagram")]
pub(super) struct DiagramImages<'d> {
    /// SVG for the text column of a page.
    wide: String,
    /// The file that holds only the diagram: `cmpi.svg`.
    file: &'d str,
}
