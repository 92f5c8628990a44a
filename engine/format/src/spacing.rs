//! The spaces between two tokens of a line: a table, of which the first row that fits decides.

/// The part that a token plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The beginning of the file.
    Start,
    /// A word, string, number or another value.
    Value,
    /// A string or a code fragment.
    Text,
    /// A number with its sign, after a number or inside `{ }` and `[ ]` of a slice.
    Bound,
    /// `!add`.
    Operator,
    /// The `<` of template arguments and types.
    OpenAngle,
    /// The `>` of an operator's type: `!cast<int>(x)`.
    CloseType,
    /// The `(` of an operator's operands.
    OpenOperands,
    /// The `(` of a dag.
    OpenDag,
    /// The `[` of a list.
    OpenList,
    /// The `[` or `{` of elements or bits of a value.
    OpenSlice,
    /// The `{` of a list of bits.
    OpenBits,
    /// The `{` of a body.
    OpenBody,
    /// A closing bracket that is not that of a body.
    Close,
    /// The `]` of a list that begins with `{`.
    CloseApart,
    /// The `}` of a body.
    CloseBody,
    /// The `}` of a body without anything in it.
    CloseEmpty,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// The `:` before superclasses.
    Parents,
    /// The `:` of `!cond`.
    Case,
    /// The `:` before a name or a type: `I32:$x`.
    Name,
    /// `=`
    Equal,
    /// `#` in a value.
    Paste,
    /// `#` in the name of a definition.
    NamePaste,
    /// `.` and `...`.
    Dot,
    /// `/* … */`.
    Comment,
    /// `/*name=*/`.
    Label,
    /// `// …` after something else.
    Trailing,
}

/// A row: the space between two roles; a list without roles has all of them.
struct Spacing {
    before: &'static [Role],
    after: &'static [Role],
    is_spaced: bool,
}

const fn tight(before: &'static [Role], after: &'static [Role]) -> Spacing {
    Spacing { before, after, is_spaced: false }
}

const fn spaced(before: &'static [Role], after: &'static [Role]) -> Spacing {
    Spacing { before, after, is_spaced: true }
}

use Role::{
    Bound, Case, Close, CloseApart, CloseBody, CloseEmpty, CloseType, Comma, Comment, Dot, Equal, Label,
    Name, NamePaste, OpenAngle, OpenBits, OpenBody, OpenDag, OpenList, OpenOperands, OpenSlice, Operator,
    Parents, Paste, Semicolon, Start, Text, Trailing, Value,
};

/// The table. What no row has is spaced.
const TABLE: &[Spacing] = &[
    tight(&[Start], &[]),
    spaced(&[], &[Trailing]),
    tight(&[OpenAngle, OpenOperands, OpenDag, OpenList, OpenSlice, OpenBits], &[Comment]),
    spaced(&[], &[Comment]),
    // `[{` would begin a code fragment.
    spaced(&[OpenList, OpenSlice], &[OpenBits, OpenSlice]),
    spaced(&[], &[CloseApart]),
    tight(&[OpenBody], &[CloseEmpty]),
    spaced(&[], &[OpenBody, CloseBody]),
    spaced(&[OpenBody, CloseBody, CloseEmpty], &[]),
    tight(&[OpenAngle, OpenOperands, OpenDag, OpenList, OpenSlice, OpenBits, Label], &[]),
    tight(&[], &[Close, CloseType, Comma, Semicolon]),
    spaced(&[Comma, Semicolon], &[]),
    tight(&[Dot, Name, NamePaste], &[]),
    tight(&[], &[Dot, Name, NamePaste, Bound, OpenSlice, Case]),
    spaced(&[Parents, Case, Equal, Paste], &[]),
    spaced(&[], &[Parents, Equal, Paste]),
    tight(&[], &[OpenAngle]),
    tight(&[Operator, CloseType], &[OpenOperands]),
    spaced(&[Value, Text, Comment, Close, CloseApart, Operator, CloseType, Bound], &[]),
];

/// Returns true if there is a space between two tokens on one line.
#[must_use]
pub fn is_spaced(before: Role, after: Role) -> bool {
    let has = |roles: &[Role], role: Role| roles.is_empty() || roles.contains(&role);
    let row = TABLE.iter().find(|row| has(row.before, before) && has(row.after, after));
    row.is_none_or(|row| row.is_spaced)
}
