//! Methods of the interfaces whose methods the class declares (`DeclareOpInterfaceMethods`).

use super::info::OpInfo;
use crate::cpp::{Class, Method, Parameter, continued};
use odsmith_ods::{Interface, interface};

/// Adds `using` declarations for the methods with a default that are not declared.
pub(super) fn add_inherited<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    class.lines(|w| {
        let mut seen: Vec<(String, &str)> = Vec::new();
        for interface in op.op.interfaces().filter(|interface| interface.declares_methods()) {
            for method in interface.methods().into_iter().filter(|method| is_inherited(interface, *method)) {
                let inherited = (interface.qualified_name(), method.name());
                if !seen.contains(&inherited) {
                    let (interface, name) = &inherited;
                    let method = format!("{interface}::Trait<{}>::{name}", op.class);
                    w.line(format_args!("using {};", continued(method, "  ")));
                    seen.push(inherited);
                }
            }
        }
    });
}

fn is_inherited(interface: Interface<'_>, method: interface::Method<'_>) -> bool {
    method.body().is_none()
        && method.default_body().is_some()
        && !interface.always_overridden_methods().contains(&method.name())
}

/// Declares all other methods, and those that the user names.
pub(super) fn add_methods<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for method in methods(op) {
        class.method(method);
    }
}

/// Returns the methods that are declared.
pub(super) fn methods<'a>(op: &OpInfo<'a>) -> impl Iterator<Item = Method<'a>> {
    let declaring = op.op.interfaces().filter(|interface| interface.declares_methods());
    declaring.flat_map(|interface| {
        let methods = interface.methods().into_iter();
        methods
            .filter(move |method| method.body().is_none() && !is_inherited(interface, *method))
            .map(declaration)
    })
}

/// Returns a method as the class of an operation declares it.
pub(super) fn declaration(method: interface::Method<'_>) -> Method<'_> {
    let parameters = method.parameters().into_iter().map(|(ty, name)| Parameter::new(ty, name));
    let declaration = Method::new(method.return_type(), method.name()).parameters(parameters);
    if method.is_static() { declaration.as_static() } else { declaration }
}
