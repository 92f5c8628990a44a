//! Documentation of interfaces in releases that have no blank lines around the parts.

use super::{
    Kind,
    docs::{emit_declaration, emit_note},
};
use crate::{cpp::Writer, docs::emit_legacy_description};
use odsmith_ods::{Interface, Method};
use odsmith_release::Change;

pub(super) fn emit(kind: &Kind, interfaces: &[Interface<'_>], w: &mut Writer) {
    writeln!(w, "# {} definitions", kind.base);
    for interface in interfaces {
        writeln!(w, "## {} (`{}`)\n", interface.name(), interface.rec().name());
        emit_legacy_description(interface.description(), w);
        w.line("\n### Methods:");
        interface.methods().into_iter().for_each(|method| emit_method(method, w));
    }
}

fn emit_method(method: Method<'_>, w: &mut Writer) {
    emit_declaration(method, w);
    emit_legacy_description(method.description(), w);
    if method.body().is_some() && !w.rules().has(Change::CommentedInterfaces) {
        return;
    }
    w.blank();
    emit_note(method, w);
    w.blank();
}
