//! Records and the values in them.
//!
//! * [`layer`] and [`overlay`]: append-only tables, and hash tables, above a shared base;
//! * [`types`] and [`init`]: the two interned kinds, with [`arena`] as their only owner; [`operator`]: the facts about
//!   bang operators that it needs;
//! * [`record`]: classes, defs and their fields while they are being built, kept by [`keeper`];
//! * [`names`]: names whose ids are the same in every arena;
//! * [`records`]: the frozen result, which everything after evaluation reads through small handles;
//! * [`identity`]: equality of records across several results;
//! * [`packed`]: packs all of it into bytes and unpacks it;
//! * [`mod@print`], [`json`], [`detailed`] and [`sets`]: the dumps, byte for byte as the reference writes them.

pub mod arena;
pub mod detailed;
pub mod identity;
pub mod init;
pub mod json;
pub mod keeper;
pub mod layer;
pub mod names;
mod numbered;
pub mod operator;
pub mod order;
pub mod overlay;
pub mod packed;
pub mod print;
#[expect(clippy::module_inception, reason = "the file holds `Record`, the folder everything about records")]
pub mod record;
pub mod records;
pub mod records_dump;
pub mod sets;
pub mod types;

pub use arena::Arena;
pub use identity::Identities;
pub use init::{Init, InitId, Seq, StrId};
pub use names::{KnownName, Name, name};
pub use operator::OperatorId;
pub use record::{Field, Record, RecordId};
pub use records::{Dag, Rec, Records, Val, View};
pub use records_dump::RecordsDump;
pub use types::{Type, TypeId};
