//! `gen-op-decls`, `gen-op-defs`: the classes of operations, and their adaptors.
//!
//! Declarations: forward declarations of all operations; then, of each, its adaptor and its class.
//!
//! Definitions: the names of all classes; then the functions that check constraints, each once; then, of each
//! operation, the members of its adaptor and of its class. With shards both parts are repeated for each shard
//! ([`sharding`]).
//!
//! | file | what |
//! | --- | --- |
//! | [`info`] | an operation with the data that several members need |
//! | [`checks`] | mistakes that prevent the classes |
//! | [`class`] | the members of the class, in order |
//! | [`adaptor`] | the adaptor |
//! | [`accessors`] | getters of operands, results, regions and successors |
//! | [`attributes`] | names, getters and setters of attributes |
//! | [`properties`] | the struct of properties, its getters and setters |
//! | [`conversions`], [`strict_conversions`], [`bytecode`] | properties from and to attributes, and in bytecode |
//! | [`builders`] | `build` and `create` |
//! | [`constraints`] | the functions that check constraints |
//! | [`verifier`], [`blockwise_verifier`] | the functions that call them |
//! | [`inference`] | result types |
//! | [`interfaces`] | methods of interfaces that the class declares |
//! | [`effects`] | side effects |
//! | [`mod@format`] | parser and printer |
//! | [`sharding`] | operations in parts |
//! | [`mod@members`] | builders and accessors as plain data |

mod accessors;
mod adaptor;
mod attributes;
mod blockwise_verifier;
mod builders;
mod bytecode;
mod checks;
mod class;
mod constraints;
mod conversions;
mod effects;
mod format;
mod inference;
mod info;
mod interfaces;
mod members;
mod properties;
mod sharding;
mod strict_conversions;
mod verifier;

use super::{Cx, Generator, op_filter::requested_records};
use crate::cpp::{Writer, join};
use constraints::StaticVerifiers;
pub(super) use constraints::{Stream, first_number, streamed};
use info::OpInfo;
use odsmith_ods::{Definition, Operation};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, parallel::Spare};

pub(super) use members::{callable, members};
pub(super) use sharding::SHARD_COUNT;

pub(super) const DECLS: Generator = Generator {
    name: "gen-op-decls",
    about: "Generate op declarations",
    run: |cx, w| {
        let shards = sharding::count(cx)?;
        let operations = requested_operations(cx);
        if cx.records.rules().has(Change::ClassComments) {
            check_comments(&operations, cx)?;
        }
        let operations = operations?;
        let infos = infos(&operations, cx)?;
        checks::check_type_summaries(&operations, cx.records.rules())?;
        let spare = cx.model.spare();
        w.file_header("Op Declarations", Some(cx.source_name()));
        emit_forward_declarations(&infos, w);
        emit_guarded("GET_OP_CLASSES", w, |w| {
            let has_heading =
                w.rules().has(Change::SpacedMembers) && !w.rules().has(Change::BareForwardDeclarations);
            if !infos.is_empty() && has_heading {
                emit_utility_heading(w);
            }
            w.each(spare, &infos, emit_declaration);
        });
        if shards > 1 {
            sharding::emit_registration_declarations(&infos, shards, w);
        }
        Ok(())
    },
};

pub(super) const DEFS: Generator = Generator {
    name: "gen-op-defs",
    about: "Generate op definitions",
    run: |cx, w| {
        let shards = sharding::count(cx)?;
        let operations = requested_operations(cx).or_else(|error| {
            check_shards(cx, shards)?;
            Err(error)
        })?;
        checks::check_type_summaries(&operations, cx.records.rules())?;
        constraints::check_conditions(&operations)?;
        let infos = infos(&operations, cx)?;
        w.file_header("Op Definitions", Some(cx.source_name()));
        let stem = cx.source_name().strip_suffix(".td").unwrap_or(cx.source_name());
        if shards > 1 {
            sharding::emit_definitions(&infos, shards, stem, cx.model.spare(), w);
        } else {
            emit_guarded("GET_OP_LIST", w, |w| {
                let names = infos.iter().map(|op| op.op.qualified_cpp_class_name());
                w.display(join(names, ",\n"));
            });
            emit_guarded("GET_OP_CLASSES", w, |w| emit_definitions(&infos, stem, cx.model.spare(), w));
        }
        Ok(())
    },
};

/// Returns the operations that the options select.
fn requested_operations<'r>(cx: &Cx<'r>) -> Result<Vec<&'r Operation<'r>>, Diagnostic> {
    requested_records(cx)?.into_iter().map(|rec| cx.model.operation(rec)).collect()
}

/// Checks that the operations of each shard can be written, one shard after the other.
fn check_shards(cx: &Cx<'_>, count: usize) -> Result<(), Diagnostic> {
    for shard in sharding::shards(&requested_records(cx)?, count) {
        let operations: Vec<_> =
            shard.iter().map(|rec| cx.model.operation(*rec)).collect::<Result<_, _>>()?;
        infos(&operations, cx)?;
    }
    Ok(())
}

/// Checks the fields for comments on classes. An operation is read after the comments on those before it.
fn check_comments<T>(read: &Result<T, Diagnostic>, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    for rec in requested_records(cx)? {
        if read.is_err() {
            cx.model.operation(rec)?;
        }
        Definition::new(rec).check_texts()?;
    }
    Ok(())
}

/// Returns the operations with the data that several members need.
fn infos<'a>(operations: &[&'a Operation<'a>], cx: &Cx<'_>) -> Result<Vec<OpInfo<'a>>, Diagnostic> {
    checks::check_summaries(operations, cx.records.rules())?;
    let mut infos = Vec::with_capacity(operations.len());
    let mut checked = checks::CheckedInterfaces::default();
    for op in operations {
        let mut info = OpInfo::new(op);
        checks::check(&info, &mut checked, cx)?;
        info.read_format(|mistakes| cx.report_format(mistakes))?;
        checks::check_effects(&info)?;
        infos.push(info);
    }
    Ok(infos)
}

/// Writes text that is compiled if a macro is defined.
fn emit_guarded(name: &str, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    writeln!(w, "#ifdef {name}\n#undef {name}\n");
    body(w);
    writeln!(w, "\n{} {name}\n", spellings::endif.of(w.rules()));
}

/// Writes forward declarations of the classes; old releases have a guard for these alone.
fn emit_forward_declarations(infos: &[OpInfo<'_>], w: &mut Writer) {
    let is_guarded = !w.rules().has(Change::BareForwardDeclarations);
    if is_guarded {
        w.raw("#if defined(GET_OP_CLASSES) || defined(GET_OP_FWD_DEFINES)\n#undef GET_OP_FWD_DEFINES\n");
    }
    for op in infos {
        w.namespaces(op.op.cpp_namespace(), |w| emit_forward_declaration(op, w));
    }
    if is_guarded {
        w.raw("#endif\n\n");
    }
}

/// Writes the forward declaration of a class, with its documentation as a comment.
fn emit_forward_declaration(op: &OpInfo<'_>, w: &mut Writer) {
    w.description(op.op.summary());
    w.description(op.op.description());
    w.line(format_args!("class {};", op.class));
}

fn emit_declaration(op: &OpInfo<'_>, w: &mut Writer) {
    w.namespaces(op.op.cpp_namespace(), |w| {
        emit_heading(op, "declarations", w);
        if op.rules().has(Change::GenericAdaptors) {
            w.namespaces("detail", |w| adaptor::base_class(op).declaration(w));
            adaptor::generic_class(op).declaration(w);
            adaptor::value_class(op).declaration(w);
        } else {
            adaptor::plain::class(op).declaration(w);
        }
        class::op_class(op, None).declaration(w);
    });
    emit_type_id("DECLARE", op, w);
}

/// Writes the definitions of the functions for constraints, which are named after the file, and of all members.
fn emit_definitions(infos: &[OpInfo<'_>], label: &str, spare: &Spare, w: &mut Writer) {
    let Some(first) = infos.first() else { return };
    let verifiers = StaticVerifiers::of_operations(infos.iter().map(|op| op.op), label);
    emit_utility_heading(w);
    let namespace = match first.rules().has(Change::GlobalConstraintFunctions) {
        true => "",
        false => first.op.cpp_namespace(),
    };
    w.namespaces(namespace, |w| verifiers.emit(w));
    w.each(spare, infos, |op, w| emit_definition(op, &verifiers, w));
}

fn emit_utility_heading(w: &mut Writer) {
    writeln!(w, "\n{RULE}\n// Local Utility Method Definitions\n{RULE}\n");
}

fn emit_definition(op: &OpInfo<'_>, verifiers: &StaticVerifiers<'_>, w: &mut Writer) {
    w.namespaces(op.op.cpp_namespace(), |w| {
        emit_heading(op, "definitions", w);
        if op.rules().has(Change::GenericAdaptors) {
            w.namespaces("detail", |w| adaptor::base_class(op).definitions(w));
            adaptor::value_class(op).definitions(w);
        } else {
            adaptor::plain::class(op).definitions(w);
        }
        class::op_class(op, Some(verifiers)).definitions(w);
        class::emit_extra_definitions(op, w);
    });
    emit_type_id("DEFINE", op, w);
}

fn emit_heading(op: &OpInfo<'_>, what: &str, w: &mut Writer) {
    writeln!(w, "\n{RULE}\n// {} {what}\n{RULE}\n", op.op.qualified_cpp_class_name());
}

const RULE: &str = "//===----------------------------------------------------------------------===//";

/// Writes the type id; without a namespace, it is left to the user.
fn emit_type_id(what: &str, op: &OpInfo<'_>, w: &mut Writer) {
    if !op.op.cpp_namespace().is_empty() && op.rules().has(Change::TypeIdsOfOperations) {
        let prefix = spellings::type_id_prefix.of(w.rules());
        writeln!(w, "{prefix}{what}_EXPLICIT_TYPE_ID({})", op.op.qualified_cpp_class_name());
        if op.has_stored_properties() && op.rules().has(Change::TypeIdsOfProperties) {
            let (namespace, class) = (op.op.cpp_namespace(), &op.class);
            let adaptor = format_args!("{namespace}::detail::{class}GenericAdaptorBase::Properties");
            writeln!(w, "MLIR_{what}_EXPLICIT_TYPE_ID({adaptor})");
        }
        w.blank();
    }
}
