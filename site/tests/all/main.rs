//! Sites of small dialects, in one program, which is linked once: a file for each subject.

mod besides;
mod outputs;
mod releases;
mod site;
mod support;
