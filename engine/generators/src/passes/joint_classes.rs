//! The base classes of all passes, guarded by one macro, which the macros of single passes replaced. They take no
//! options, and have no friend function that creates the pass.

use super::{
    base_class::{DependentDialects, emit_class_start, emit_members},
    emit_banner,
};
use crate::cpp::Writer;
use odsmith_ods::Pass;

pub(super) fn emit(passes: &[Pass<'_>], w: &mut Writer) {
    w.line("// Deprecated. Please use the new per-pass macros.\n#ifdef GEN_PASS_CLASSES");
    for pass in passes {
        emit_class(pass, w);
    }
    w.line("#undef GEN_PASS_CLASSES\n#endif // GEN_PASS_CLASSES");
}

/// Writes the classes in releases without macros of single passes.
pub(super) fn emit_alone(passes: &[Pass<'_>], w: &mut Writer) {
    w.line("#ifdef GEN_PASS_CLASSES");
    for pass in passes {
        emit_banner(pass.name, w);
        emit_class(pass, w);
    }
    w.line("#undef GEN_PASS_CLASSES\n#endif // GEN_PASS_CLASSES");
}

fn emit_class(pass: &Pass<'_>, w: &mut Writer) {
    emit_class_start(pass, DependentDialects::Registered, w);
    w.line("protected:");
    w.indented(|w| emit_members(pass, w));
    w.line("};");
}
