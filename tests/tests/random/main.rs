//! Random inputs, new on each run, compared with the reference: a file for each kind of input.

mod comparison;
mod differential;
mod field_sweep;
mod library_edits;
mod mutations;
mod patterns;
mod random_ods;
mod regexes;
mod shared_states;
