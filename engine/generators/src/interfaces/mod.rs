//! `gen-{op,attr,type}-interface-{decls,defs,docs}`, `gen-dialect-interface-decls`.
//!
//! Only interfaces that the root file itself defines are written.

mod decls;
mod defs;
mod dialect;
mod docs;

use super::{Cx, Generator};
use crate::cpp::Writer;
use odsmith_ods::{Interface, MAX_BASES, Method};
use odsmith_release::{
    Change, Rules,
    spellings::{self, Spelling},
};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) use dialect::DECLS as DIALECT_DECLS;

/// The differences between interfaces of operations, attributes and types.
struct Kind {
    /// The ODS class.
    class: &'static str,
    /// The C++ base class.
    base: &'static str,
    /// The type of the value with the interface, as the start of a parameter.
    value: &'static str,
    /// The template parameter that represents an implementing class.
    concrete: &'static str,
    /// The placeholder for the value.
    placeholder: &'static str,
    /// The placeholder for the value without its class, if there is one.
    plain_placeholder: Option<&'static str>,
    /// Other placeholders in models, and their values.
    of_models: &'static [(&'static str, &'static str)],
    /// The value as an instance of the implementing class, in a model.
    cast: Spelling,
    /// The same instance in a trait.
    this: &'static str,
    /// The value in a method of the interface class.
    own_value: &'static str,
    /// The text after the parameters of such a method.
    suffix: &'static str,
}

const OP: Kind = Kind {
    class: "OpInterface",
    base: "OpInterface",
    value: "::mlir::Operation *",
    concrete: "ConcreteOp",
    placeholder: "_op",
    plain_placeholder: Some("_raw_op"),
    of_models: &[("_this", "impl")],
    cast: Spelling::of_all("(llvm::cast<ConcreteOp>(tablegen_opaque_val))"),
    this: "(*static_cast<ConcreteOp *>(this))",
    own_value: "getOperation()",
    suffix: "",
};

const ATTRIBUTE: Kind = Kind {
    class: "AttrInterface",
    base: "AttributeInterface",
    value: "::mlir::Attribute ",
    concrete: "ConcreteAttr",
    placeholder: "_attr",
    plain_placeholder: None,
    of_models: &[],
    cast: spellings::concrete_attribute,
    this: "(*static_cast<const ConcreteAttr *>(this))",
    own_value: "*this",
    suffix: " const",
};

const TYPE: Kind = Kind {
    class: "TypeInterface",
    base: "TypeInterface",
    value: "::mlir::Type ",
    concrete: "ConcreteType",
    placeholder: "_type",
    plain_placeholder: None,
    of_models: &[],
    cast: spellings::concrete_type,
    this: "(*static_cast<const ConcreteType *>(this))",
    own_value: "*this",
    suffix: " const",
};

pub(super) const ATTR_DECLS: Generator = Generator {
    name: "gen-attr-interface-decls",
    about: "Generate attribute interface declarations",
    run: |cx, w| decls::emit(&ATTRIBUTE, cx, w),
};

pub(super) const ATTR_DEFS: Generator = Generator {
    name: "gen-attr-interface-defs",
    about: "Generate attribute interface definitions",
    run: |cx, w| defs::emit(&ATTRIBUTE, cx, w),
};

pub(super) const ATTR_DOCS: Generator = Generator {
    name: "gen-attr-interface-docs",
    about: "Generate attribute interface documentation",
    run: |cx, w| docs::emit(&ATTRIBUTE, cx, w),
};

pub(super) const OP_DECLS: Generator = Generator {
    name: "gen-op-interface-decls",
    about: "Generate op interface declarations",
    run: |cx, w| decls::emit(&OP, cx, w),
};

pub(super) const OP_DEFS: Generator = Generator {
    name: "gen-op-interface-defs",
    about: "Generate op interface definitions",
    run: |cx, w| defs::emit(&OP, cx, w),
};

pub(super) const OP_DOCS: Generator = Generator {
    name: "gen-op-interface-docs",
    about: "Generate op interface documentation",
    run: |cx, w| docs::emit(&OP, cx, w),
};

pub(super) const TYPE_DECLS: Generator = Generator {
    name: "gen-type-interface-decls",
    about: "Generate type interface declarations",
    run: |cx, w| decls::emit(&TYPE, cx, w),
};

pub(super) const TYPE_DEFS: Generator = Generator {
    name: "gen-type-interface-defs",
    about: "Generate type interface definitions",
    run: |cx, w| defs::emit(&TYPE, cx, w),
};

pub(super) const TYPE_DOCS: Generator = Generator {
    name: "gen-type-interface-docs",
    about: "Generate type interface documentation",
    run: |cx, w| docs::emit(&TYPE, cx, w),
};

/// The texts of interfaces and of their methods that a generator reads.
struct Texts<'a> {
    interface: &'a [&'static str],
    method: &'a [&'static str],
}

impl Texts<'_> {
    fn check(&self, interface: Interface<'_>) -> Result<(), Diagnostic> {
        interface.check_signatures()?;
        interface.check(self.interface)?;
        interface.check_methods(self.method)
    }
}

/// Returns the texts of methods that C++ is generated from. Early releases have no comments.
fn texts_of_methods(all: &[&'static str], rules: &Rules) -> Vec<&'static str> {
    let has_comments = rules.has(Change::CommentedInterfaces);
    all.iter().copied().filter(|&text| has_comments || text != "description").collect()
}

/// Returns the interfaces of a class that the root file defines, in the order of their names.
fn interfaces<'r>(class: &str, texts: &Texts<'_>, cx: &Cx<'r>) -> Result<Vec<Interface<'r>>, Diagnostic> {
    let interfaces = own_interfaces(class, cx)?;
    interfaces.iter().try_for_each(|interface| texts.check(*interface))?;
    Ok(interfaces)
}

/// Returns the same interfaces in the order of their definitions, as C++ needs them. Their fields are not checked yet.
fn interfaces_as_defined<'r>(class: &str, cx: &Cx<'r>) -> Result<Vec<Interface<'r>>, Diagnostic> {
    let mut interfaces = own_interfaces(class, cx)?;
    if cx.records.rules().has(Change::InterfacesInOrder) {
        interfaces.sort_by_key(|interface| interface.definition().id());
    }
    Ok(interfaces)
}

fn own_interfaces<'r>(class: &str, cx: &Cx<'r>) -> Result<Vec<Interface<'r>>, Diagnostic> {
    cx.require_class(class)?;
    let has_all = !cx.records.rules().has(Change::OwnInterfacesOnly);
    // Releases that write all interfaces repeat those of attributes and types for each class that declares their
    // methods.
    let has_declaring = has_all && class != OP.class;
    let is_own = |interface: &Interface<'_>| {
        (has_all || cx.is_in_root(interface.definition())) && (has_declaring || !interface.declares_methods())
    };
    Ok(cx.records.derived(class).map(Interface::new).filter(is_own).collect())
}

/// Returns the bases of each of these interfaces.
///
/// # Errors
/// One interface has too many bases, or all together have.
fn bases_of<'r>(interfaces: &[Interface<'r>]) -> Result<Vec<Vec<Interface<'r>>>, Diagnostic> {
    let mut total = 0;
    let bases = interfaces.iter().map(|interface| {
        let bases = interface.all_bases()?;
        total += bases.len();
        if total > MAX_BASES {
            let message = format!("interfaces of this file have more than {MAX_BASES} bases: divide it");
            return Err(Diagnostic::error(interface.definition().span(), message));
        }
        Ok(bases)
    });
    bases.collect()
}

/// A method with the pieces of C++ for its declarations and calls.
struct Signature<'r> {
    method: Method<'r>,
    name: &'r str,
    /// The return type, as the start of a declaration: `int `, `int *`.
    return_type: String,
    /// The name in the concept, which has no overloads.
    unique_name: String,
    /// The name in a model that users write.
    external_name: String,
    /// `int a, bool * b`.
    parameters: String,
    /// `int a, bool *b`.
    glued_parameters: String,
    /// `, int, bool`.
    more_types: String,
    /// `a, b`.
    arguments: String,
}

impl<'r> Signature<'r> {
    fn all(interface: Interface<'r>) -> Vec<Self> {
        let rules = interface.rules();
        let mut signatures: Vec<Self> = Vec::new();
        for (index, method) in interface.methods().into_iter().enumerate() {
            let name = method.name();
            let is_overload = rules.has(Change::NumberedOverloads)
                && signatures.iter().any(|signature| signature.unique_name == name);
            let unique_name = if is_overload { format!("{name}_{index}") } else { name.to_owned() };
            let is_plain = rules.has(Change::PlainExternalOverloads);
            let parameters = method.parameters();
            let joined = |part: fn(&(&str, &str)) -> String, separator| {
                parameters.iter().map(part).collect::<Vec<_>>().join(separator)
            };
            signatures.push(Signature {
                method,
                name,
                return_type: declarator(method.return_type()),
                external_name: if is_plain { name.to_owned() } else { unique_name.clone() },
                unique_name,
                parameters: joined(|(ty, name)| format!("{ty} {name}"), ", "),
                glued_parameters: joined(|(ty, name)| declarator(ty) + name, ", "),
                more_types: joined(|(ty, _)| format!(", {ty}"), ""),
                arguments: joined(|(_, name)| (*name).to_owned(), ", "),
            });
        }
        signatures
    }

    /// Returns whether all models share the method's function, because its body uses the value without its class.
    fn is_shared(&self, kind: &Kind, rules: &Rules) -> bool {
        let (Some(plain), Some(body)) = (kind.plain_placeholder, self.method.body()) else { return false };
        let has_placeholder = |name: &str| body.contains(&format!("${name}"));
        rules.has(Change::SharedModelMethods)
            && !self.method.is_static()
            && has_placeholder(plain)
            && !has_placeholder(kind.placeholder)
            && !has_placeholder("_self")
            && !body.contains(kind.concrete)
    }

    /// Returns the parameters of the method's function in a model: `const Concept *impl, Value tablegen_opaque_val, int
    /// a`.
    fn model_parameters(&self, kind: &Kind) -> String {
        self.with_first(&format!("const Concept *impl, {}tablegen_opaque_val", kind.value), &self.parameters)
    }

    /// Returns the parameters in an external model, which has no concept.
    fn external_parameters(&self, kind: &Kind) -> String {
        self.with_first(&format!("{}tablegen_opaque_val", kind.value), &self.glued_parameters)
    }

    /// Returns `first` and `rest`; a static method has no `first`.
    fn with_first(&self, first: &str, rest: &str) -> String {
        match (self.method.is_static(), rest) {
            (true, rest) => rest.to_owned(),
            (false, _) if self.method.parameters().is_empty() => first.to_owned(),
            (false, rest) => format!("{first}, {rest}"),
        }
    }
}

/// Returns a type and its separator from the name after it: nothing for a pointer or reference.
fn declarator(ty: &str) -> String {
    let ty = ty.trim_ascii();
    if ty.ends_with(['*', '&']) { ty.to_owned() } else { format!("{ty} ") }
}

/// Writes the comment above a method.
fn emit_method_comment(method: Method<'_>, w: &mut Writer) {
    if !method.description().is_empty() && w.rules().has(Change::CommentedInterfaces) {
        if w.rules().has(Change::BlankBeforeMethods) {
            w.blank();
        }
        w.reindented("/// ", method.description());
    }
}
