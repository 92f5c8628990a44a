//! `gen-dialect-interface-decls`: a class with virtual methods per interface.

use super::{Signature, emit_method_comment, interfaces_as_defined};
use crate::{
    cpp::{Template, Writer, continued},
    generators::Generator,
    ods::Interface,
};

pub(in crate::generators) const DECLS: Generator = Generator {
    name: "gen-dialect-interface-decls",
    about: "Generate dialect interface declarations.",
    run: |cx, w| {
        let interfaces = interfaces_as_defined("DialectInterface", cx)?;
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
    w.fill(CLASS_START, &[("Interface", &interface.name())]);
    for Signature { method, name, return_type, parameters, .. } in Signature::all(interface) {
        w.indented(|w| {
            emit_method_comment(method, w);
            // Without a comment, the reference indents the first method only.
            if !method.description().is_empty() {
                w.margin();
            }
            // Lines inside of a C++ type are indented in any case.
            let return_type = continued(return_type, "  ");
            let parameters = continued(parameters, "  ");
            write!(w, "virtual {return_type}{name}({parameters}) const {{");
            if let Some(body) = method.body() {
                w.blank();
                w.indented(|w| emit_body(body, w));
                w.margin();
            }
            w.text("}\n");
        });
    }
    w.line("};");
}

/// Every line of the body is moved in, on top of its own indentation.
fn emit_body(body: &str, w: &mut Writer) {
    for line in body.trim_ascii().split('\n') {
        if line.trim_ascii().is_empty() {
            w.blank();
        } else {
            w.line(line);
        }
    }
}

const CLASS_START: Template = Template(
    r#"
class @Interface : public ::mlir::DialectInterface::Base<@Interface> {
public:
  @Interface(::mlir::Dialect *dialect) : Base(dialect) {}
  "#,
);
