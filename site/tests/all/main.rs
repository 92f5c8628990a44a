//! Sites of small dialects. All tests are in one program, which is linked once, with a file per subject.

mod besides;
mod outputs;
mod releases;
mod site;
mod support;
