//! The fields that a project adds to its records, beyond those that MLIR's classes declare.
//!
//! ```text
//! class FooOp<string m> : Op<Foo_Dialect, m> { string cost = "free"; }   // `cost` is such a field
//! ```

use std::collections::BTreeMap;

use serde_json::{Value, json};

use odsmith_tablegen::record::{Rec, Val, View};

/// Fields by their names, as JSON.
pub(crate) type Fields = BTreeMap<String, Value>;

/// Approximate maximum size of all fields of one record; a field that exceeds it is left out.
const MOST_BYTES: usize = 64 << 10;

/// Maximum nesting of lists and dags.
const MOST_DEPTH: usize = 32;

/// The size of a number or a mark.
const ITEM_BYTES: usize = 8;

/// Returns the fields of a record that no class of the library declares.
pub(crate) fn fields(rec: Rec<'_>, is_library: impl Fn(Rec<'_>) -> bool) -> Fields {
    // The last classes have most fields of the others.
    let classes: Vec<Rec<'_>> = rec.superclasses().rev().filter(|class| is_library(*class)).collect();
    let is_added = |name: &str| classes.iter().all(|class| class.field(name).is_none());
    let mut left = MOST_BYTES;
    let mut fields = Fields::new();
    for (name, value) in rec.fields().filter(|(name, _)| is_added(name)) {
        let mut left_after = left.saturating_sub(name.len());
        if let Some(value) = to_json(value, &mut left_after, MOST_DEPTH) {
            left = left_after;
            fields.insert(name.to_owned(), value);
        }
    }
    fields
}

/// Returns a value as JSON; nothing if it is longer than `left`, or nested too deeply.
fn to_json(value: Val<'_>, left: &mut usize, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let size = match value.view() {
        View::String(text) => text.len(),
        _ => ITEM_BYTES,
    };
    *left = left.checked_sub(size)?;
    Some(match value.view() {
        View::Unset | View::Symbolic => Value::Null,
        View::Bit(bit) => json!(bit),
        View::Int(int) => json!(int),
        View::Bits(bits) => json!(bits),
        View::String(text) => json!(text),
        View::Def(def) => json!({ "def": def.name() }),
        View::List(items) => items.map(|item| to_json(item, left, depth)).collect::<Option<Value>>()?,
        View::Dag(dag) => {
            let operator = match dag.operator() {
                Some(operator) => to_json(operator, left, depth)?,
                None => Value::Null,
            };
            let argument =
                |(value, name)| Some(json!({ "value": to_json(value, left, depth)?, "name": name }));
            let arguments = dag.args().map(argument).collect::<Option<Value>>()?;
            json!({ "operator": operator, "name": dag.name(), "arguments": arguments })
        }
    })
}
