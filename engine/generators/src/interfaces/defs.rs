//! Definitions: the methods of each interface class, its own and those of its bases.

use super::{Kind, Signature, Texts, bases_of, emit_method_comment, interfaces, texts_of_methods};
use crate::{Cx, cpp::Writer};
use odsmith_ods::{Interface, cpp_name};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

const OF_INTERFACES: [&str; 2] = ["cppNamespace", "cppInterfaceName"];
const OF_METHODS: &[&str] = &["description", "returnType", "name"];

pub(super) fn emit(kind: &Kind, cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let of_methods = texts_of_methods(OF_METHODS, w.rules());
    let mut of_interfaces = OF_INTERFACES;
    if !w.rules().has(Change::CommentedInterfaces) {
        // Without comments, the reference reads the name of the class first.
        of_interfaces.reverse();
    }
    let texts = Texts { interface: &of_interfaces, method: &of_methods };
    let interfaces = interfaces(kind.class, &texts, cx)?;
    let bases = bases_of(&interfaces)?;
    w.file_header("Interface Definitions", None);
    for (interface, bases) in interfaces.into_iter().zip(bases) {
        emit_methods(kind, interface, interface, "getImpl()", w);
        for base in bases {
            emit_methods(kind, interface, base, &format!("getImpl()->impl{}", base.name()), w);
        }
    }
    Ok(())
}

/// Writes the methods of `interface` that `declarer` declares and `concept` implements.
fn emit_methods(
    kind: &Kind,
    interface: Interface<'_>,
    declarer: Interface<'_>,
    concept: &str,
    w: &mut Writer,
) {
    let stripped = |name: &str| name.strip_prefix("::").unwrap_or(name).to_owned();
    let class = match w.rules().has(Change::StrippedNames) {
        true => stripped(&interface.qualified_name()),
        false => cpp_name::qualified(&stripped(interface.cpp_namespace()), interface.name()),
    };
    for signature in Signature::all(declarer) {
        let Signature { method, name, return_type, parameters, .. } = &signature;
        emit_method_comment(*method, w);
        let arguments = signature.with_first(&format!("{concept}, {}", kind.own_value), &signature.arguments);
        // The reference indents the body and the closing brace too far.
        writeln!(w, "{return_type}{class}::{name}({parameters}){} {{", kind.suffix);
        writeln!(w, "      return {concept}->{}({arguments});", signature.unique_name);
        w.line("  }");
    }
}
