//! What is made up anew on each run, and compared with the reference: a file for each kind of input.

mod compared;
mod differential;
mod field_sweep;
mod library_edits;
mod mutations;
mod patterns;
mod random_ods;
mod regexes;
mod shared_states;
