//! Caches around evaluation, from the outside in; results are the same with and without each of them.
//!
//! * [`kept_outputs`]: the outputs of an earlier process, if nothing that they depend on has changed;
//! * [`checkpoints`]: the records, or the state after leading `include`s, of an earlier process;
//! * [`snapshots`]: the states after leading `include`s that jobs of this process share.

pub mod checkpoints;
pub mod kept_outputs;
pub mod snapshots;
