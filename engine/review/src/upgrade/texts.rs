//! Rows of reports about IR as text (`.mlir`), which the definitions of both releases decide.

use super::{DatedUse, edits::Edit};
use crate::diff::rules::Severity;

/// A reason for which a statement has another text in the newer release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRow {
    /// Its name: `UT01`.
    pub id: &'static str,
    /// Its subject.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// A statement of an older release.
    pub bad: &'static str,
    /// The same in a newer one, if definitions decide it.
    pub good: Option<&'static str>,
    /// True if `--fix` edits some of its uses.
    pub is_mechanical: bool,
}

/// The format of an operation changed.
pub const FORMAT: &TextRow = &TextRow {
    id: "UT01",
    name: "formats of operations",
    text: "The format of an operation changed. `--fix` prints the statement by the new format where its text has all that it needs",
    bad: "%0 = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>",
    good: Some("%0 = tosa.const_shape values(dense<1> : tensor<1xindex>) : () -> !tosa.shape<1>"),
    is_mechanical: true,
};

/// An attribute of the definition is in `attr-dict`.
pub const STRICT: &TextRow = &TextRow {
    id: "UT02",
    name: "attributes of definitions in `attr-dict`",
    text: "Since 24 the dictionary of a statement has no attributes that the definition names. `--fix` moves them to their place in the \
           format",
    bad: "%0 = llvm.load %p {alignment = 8 : i64} : !llvm.ptr -> i32",
    good: Some("%0 = llvm.load %p <alignment = 8> : !llvm.ptr -> i32"),
    is_mechanical: true,
};

/// The operation has another name.
pub const RENAMED: &TextRow = &TextRow {
    id: "UT03",
    name: "renamed operations",
    text: "The operation has another name. `--fix` replaces it if the definitions are equal but for the name",
    bad: "%0 = x86vector.avx512.dot %a, %b : vector<16xf32>",
    good: None,
    is_mechanical: true,
};

/// The operation is gone.
pub const REMOVED: &TextRow = &TextRow {
    id: "UT04",
    name: "removed operations",
    text: "The newer release has no operation of this name, and none whose definition is equal: choose another one by hand",
    bad: "linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>)",
    good: None,
    is_mechanical: false,
};

/// An attribute is gone.
pub const ATTRIBUTE: &TextRow = &TextRow {
    id: "UT05",
    name: "attributes of operations",
    text: "The newer definition has no attribute of this name: it would be read as one of no meaning, so decide by hand",
    bad: "\"test.op\"() {gone = 1 : i32} : () -> ()",
    good: None,
    is_mechanical: false,
};

/// A comment shows a part of a statement that changes.
pub const COMMENT: &TextRow = &TextRow {
    id: "UT06",
    name: "comments of FileCheck",
    text: "A `CHECK` comment shows an operation whose text changes. `--fix` edits a comment that is a whole statement; one that has a part \
           of it is checked by hand",
    bad: "// CHECK: memref.alloc() {alignment = 8 : i64}",
    good: None,
    is_mechanical: true,
};

/// All rows.
pub const TEXT_ROWS: &[&TextRow] = &[FORMAT, STRICT, RENAMED, REMOVED, ATTRIBUTE, COMMENT];

/// A place in a text that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextUse {
    /// The row.
    pub row: &'static TextRow,
    /// The operation.
    pub operation: String,
    /// The missing knowledge; nothing if an edit is enough.
    pub obstacle: Option<String>,
    /// File, line, column.
    pub place: (String, u32, u32),
}

/// Returns the uses in texts, grouped by row, operation and obstacle.
#[must_use]
pub fn uses_in_texts(mut uses: Vec<TextUse>) -> Vec<DatedUse> {
    let key = |it: &TextUse| (it.row.id, it.operation.clone(), it.obstacle.clone());
    uses.sort_by_key(|it| (key(it), it.place.clone()));
    let groups = uses.chunk_by(|one, next| key(one) == key(next));
    groups
        .map(|group| {
            let TextUse { row, operation, obstacle, .. } = &group[0];
            let text = match obstacle {
                Some(obstacle) => format!("{operation}: {obstacle}"),
                None => format!("{operation}: {}", row.name),
            };
            DatedUse {
                row: row.id,
                severity: if row.id == COMMENT.id { Severity::Warning } else { Severity::Error },
                name: operation.clone(),
                text,
                is_mechanical: obstacle.is_none(),
                places: group.iter().map(|it| it.place.clone()).collect(),
            }
        })
        .collect()
}

/// Returns the edits of two kinds of files in one list, by file and place.
#[must_use]
pub fn merged(mut edits: Vec<Edit>, of_texts: Vec<Edit>) -> Vec<Edit> {
    edits.extend(of_texts);
    edits.sort();
    edits
}
