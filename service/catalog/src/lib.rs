//! A catalogue of the dialects that an organisation publishes: which there are, who uses what, what changed, and what a change
//! would break elsewhere.
//!
//! ```text
//! published versions → projects → catalogue → answers (JSON), shards (files), pages
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | [`id`] | ids of symbols: `circt@1.90.0/hw/op/instance#operand:inputs` |
//! | [`published`] | a version as it was read from a registry |
//! | [`project`] | a project: its versions, the rows of the newest one, and the history of each row |
//! | [`delta`] | an older version as a difference from the newest one |
//! | [`catalog`] | all projects, with who uses what |
//! | [`search`] | questions |
//! | [`answers`] | answers about one symbol, about the projects and about their policies |
//! | [`comparison`] | skew, duplicates, breaks, deprecated uses |
//! | [`elsewhere`] | the users of what a change breaks |
//! | [`changes`] | the difference of two generations |
//! | [`shards`] | files, named by the digest of what they are made of |
//! | [`pages`] | the data of pages |
//! | [`backstage`] | entities of Backstage |
//!
//! The crate is pure, and everything follows from the versions that it is given: three servers give the same bytes.

pub mod answers;
pub mod backstage;
pub mod catalog;
pub mod changes;
pub mod comparison;
pub mod delta;
pub mod elsewhere;
pub mod id;
pub mod pages;
pub mod project;
pub mod published;
pub mod search;
pub mod shards;

pub use catalog::Catalog;
pub use project::Project;
