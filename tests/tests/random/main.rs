//! What is made up anew on each run, and compared with the reference: a file for each kind of input.

mod differential;
mod field_sweep;
mod mutations;
mod patterns;
mod random_ods;
mod regexes;
mod shared_states;
