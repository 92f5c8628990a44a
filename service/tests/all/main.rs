//! The service from outside: one program, which is linked once, with a file for each subject.

mod archives;
mod audit;
mod client;
mod contract;
mod diff;
mod doors;
mod endpoints;
mod fetch;
mod golden;
mod heads;
mod hostile;
mod http;
mod ide;
mod lasting;
mod later;
mod provenance;
mod readers;
mod shared_bucket;
mod shared_builds;
mod shared_cache;
mod store;
mod support;
mod tokens;
mod traces;
mod untrusted;
mod upgrade;
