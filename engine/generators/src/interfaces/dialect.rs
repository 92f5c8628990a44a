//! `gen-dialect-interface-decls`: a class with virtual methods per interface.

use super::{Signature, Texts, emit_method_comment, interfaces_as_defined};
use crate::{
    Generator,
    cpp::{Template, Writer, continued, writer::shared_indent},
};
use odsmith_ods::{Interface, interface::VirtualKind};
use odsmith_release::Change;

const TEXTS: Texts<'_> = Texts {
    interface: &["cppNamespace", "cppInterfaceName", "description"],
    method: &["name", "returnType", "description", "body"],
};

pub(crate) const DECLS: Generator = Generator {
    name: "gen-dialect-interface-decls",
    about: "Generate dialect interface declarations.",
    run: |cx, w| {
        let interfaces = interfaces_as_defined("DialectInterface", cx)?;
        interfaces.iter().try_for_each(|interface| TEXTS.check(*interface))?;
        w.file_header("Dialect Interface Declarations", None);
        for interface in interfaces {
            w.namespaces(interface.cpp_namespace(), |w| {
                w.description(interface.description());
                emit_class(interface, w);
            });
        }
        Ok(())
    },
};

fn emit_class(interface: Interface<'_>, w: &mut Writer) {
    if w.rules().has(Change::FullDialectInterfaces) {
        return emit_full_class(interface, w);
    }
    w.fill(METHODS_ALONE, &[("Interface", &interface.name())]);
    for Signature { method, name, return_type, parameters, .. } in Signature::all(interface) {
        w.indented(|w| {
            emit_method_comment(method, w);
            // Without a comment, the reference indents the first method only.
            if !method.description().is_empty() {
                w.margin();
            }
            emit_head(name, &return_type, &parameters, w);
            w.raw(" ");
            emit_braces(method.body(), w);
        });
    }
    w.line("};");
}

/// Writes the methods, the user's declarations, the constructor.
fn emit_full_class(interface: Interface<'_>, w: &mut Writer) {
    w.fill(CLASS_START, &[("Interface", &interface.name())]);
    let mut is_abstract = false;
    for Signature { method, name, return_type, parameters, .. } in Signature::all(interface) {
        w.indented(|w| {
            match method.description() {
                "" => w.blank(),
                _ => emit_method_comment(method, w),
            }
            w.margin();
            emit_head(name, &return_type, &parameters, w);
            match method.virtual_kind() {
                VirtualKind::Pure => {
                    is_abstract = true;
                    w.raw(" = 0;\n");
                }
                VirtualKind::Declared => w.raw(";\n"),
                VirtualKind::Defined => {
                    w.raw(" ");
                    emit_braces(method.body(), w);
                }
            }
        });
    }
    emit_declarations(interface.extra_class_declaration(), w);
    w.blank();
    if is_abstract {
        w.line("protected:");
    }
    w.fill(CLASS_END, &[("Interface", &interface.name())]);
}

/// Writes code indented by one level, and keeps its end.
fn emit_declarations(code: &str, w: &mut Writer) {
    if code.is_empty() {
        return;
    }
    let shared = shared_indent(code);
    let lines: Vec<&str> = code.split('\n').skip_while(|line| line.trim_ascii().is_empty()).collect();
    if lines.is_empty() {
        w.raw("  ");
    }
    for (index, line) in lines.iter().enumerate() {
        w.raw(if index > 0 { "\n" } else { "" });
        if let Some(line) = line.get(shared..).filter(|line| !line.trim_ascii().is_empty()) {
            w.raw("  ");
            w.raw(line);
        }
    }
    w.blank();
}

fn emit_head(name: &str, return_type: &str, parameters: &str, w: &mut Writer) {
    // Lines inside a C++ type are indented in any case.
    let return_type = continued(return_type, "  ");
    let parameters = continued(parameters, "  ");
    write!(w, "virtual {return_type}{name}({parameters}) const");
}

fn emit_braces(body: Option<&str>, w: &mut Writer) {
    w.raw("{");
    if let Some(body) = body {
        w.blank();
        w.indented(|w| emit_body(body, w));
        w.margin();
    }
    w.raw("}\n");
}

/// Writes a body; every line is indented on top of its own indentation.
fn emit_body(body: &str, w: &mut Writer) {
    for line in body.trim_ascii().split('\n') {
        if line.trim_ascii().is_empty() {
            w.blank();
        } else {
            w.line(line);
        }
    }
}

const METHODS_ALONE: Template = Template(
    r#"
class @Interface : public ::mlir::DialectInterface::Base<@Interface> {
public:
  @Interface(::mlir::Dialect *dialect) : Base(dialect) {}
  "#,
);

const CLASS_START: Template = Template(
    r#"
class @Interface : public ::mlir::DialectInterface::Base<@Interface> {
public:
  "#,
);

const CLASS_END: Template = Template(
    r#"
  @Interface(::mlir::Dialect *dialect) : Base(dialect) {}
};
"#,
);
