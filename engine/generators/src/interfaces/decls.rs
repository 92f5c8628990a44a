//! Declarations. Forward declarations of all interfaces; then each interface's concept, models and class; then all
//! traits; then the members of all models. In older releases an interface's declaration and trait are next to its
//! class.

use super::{Kind, Signature, bases_of, emit_method_comment, interfaces_as_defined, texts_of_methods};
use crate::{
    Cx,
    cpp::{Template, Writer, join, substitute},
};
use odsmith_ods::Interface;
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) fn emit(kind: &Kind, cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let interfaces = interfaces_as_defined(kind.class, cx)?;
    check(kind, &interfaces, w.rules())?;
    let bases = bases_of(&interfaces)?;
    let has_comments = w.rules().has(Change::CommentedInterfaces);
    w.file_header("Interface Declarations", None);
    if w.rules().has(Change::InterfacesDeclaredFirst) {
        for interface in &interfaces {
            w.namespaces(interface.cpp_namespace(), |w| emit_forward_declaration(*interface, w));
        }
        for (interface, bases) in interfaces.iter().zip(&bases) {
            w.namespaces(interface.cpp_namespace(), |w| {
                w.description(interface.description());
                emit_traits_struct(kind, *interface, bases, w);
                emit_interface_class(kind, *interface, bases, w);
            });
        }
        for interface in &interfaces {
            let namespace = format!("{}::detail", interface.cpp_namespace());
            w.namespaces(&namespace, |w| emit_trait(kind, *interface, w));
        }
    } else {
        for (interface, bases) in interfaces.iter().zip(&bases) {
            w.namespaces(interface.cpp_namespace(), |w| {
                emit_forward_declaration(*interface, w);
                emit_traits_struct(kind, *interface, bases, w);
                emit_interface_class(kind, *interface, bases, w);
                w.line("namespace detail {");
                emit_trait(kind, *interface, w);
                w.line("}// namespace detail");
                if !has_comments {
                    emit_model_members(kind, *interface, w);
                }
            });
        }
    }
    if !has_comments {
        return Ok(());
    }
    for interface in &interfaces {
        w.namespaces(interface.cpp_namespace(), |w| emit_model_members(kind, *interface, w));
    }
    Ok(())
}

/// A check of some of the fields of an interface.
type Step<'s> = &'s dyn Fn(Interface<'_>) -> Result<(), Diagnostic>;

/// Checks all fields of interfaces that are read, in the order in which they are written.
fn check(kind: &Kind, interfaces: &[Interface<'_>], rules: &Rules) -> Result<(), Diagnostic> {
    let is_read = |field: &&'static str| match *field {
        "description" => rules.has(Change::ClassComments),
        "extraClassOf" => rules.has(Change::InterfaceBases),
        // Only interfaces of operations have a verifier.
        "verify" => kind.class == "OpInterface",
        _ => true,
    };
    let read = |fields: &[&'static str]| -> Vec<_> { fields.iter().copied().filter(is_read).collect() };
    let is_declared_first = rules.has(Change::InterfacesDeclaredFirst);
    let of_declaration = match is_declared_first {
        true => read(&["cppNamespace", "description", "cppInterfaceName"]),
        false => read(&["cppNamespace", "cppInterfaceName", "description"]),
    };
    let of_class = read(&["extraClassDeclaration", "extraSharedClassDeclaration", "extraClassOf"]);
    let of_methods = texts_of_methods(&["returnType", "name", "defaultBody", "description"], rules);
    let of_verifier = read(&["verify"]);
    let may_share = rules.has(Change::SharedModelMethods) && kind.plain_placeholder.is_some();

    let check_declaration = |interface: Interface<'_>| {
        interface.check_signatures()?;
        interface.check(&of_declaration)
    };
    let check_class = |interface: Interface<'_>| {
        // Each text is read of all methods before the next one.
        for text in &of_methods {
            interface.check_methods(&[text])?;
            if *text == "returnType" && may_share {
                interface.check_bodies()?;
            }
        }
        interface.check(&of_class)
    };
    let check_trait = |interface: Interface<'_>| {
        interface.check(&of_verifier)?;
        if rules.has(Change::RegionVerifiers) && !interface.verifier().is_empty() {
            interface.check_verifier_order()?;
        }
        interface.check(&["extraTraitClassDeclaration"])
    };
    let check_members = |interface: Interface<'_>| interface.check_methods(&["body"]);

    let steps: [Step<'_>; 4] = [&check_declaration, &check_class, &check_trait, &check_members];
    // The number of checks that an interface passes before the next interface's.
    let together = match rules.has(Change::CommentedInterfaces) {
        true if is_declared_first => 1,
        true => 3,
        false => 4,
    };
    for steps in steps.chunks(together) {
        for interface in interfaces {
            steps.iter().try_for_each(|step| step(*interface))?;
        }
    }
    Ok(())
}

fn emit_forward_declaration(interface: Interface<'_>, w: &mut Writer) {
    if w.rules().has(Change::CommentedInterfaces) {
        w.description(interface.description());
    }
    w.line(format_args!("class {};", interface.name()));
}

fn emit_traits_struct(kind: &Kind, interface: Interface<'_>, bases: &[Interface<'_>], w: &mut Writer) {
    let (name, concrete) = (interface.name(), kind.concrete);
    let signatures = Signature::all(interface);
    w.line("namespace detail {");
    w.line(format_args!("struct {name}InterfaceTraits {{"));
    w.indented(|w| {
        emit_concept(kind, interface, bases, &signatures, w);
        emit_model("Model", kind, interface, &signatures, w);
        emit_model("FallbackModel", kind, interface, &signatures, w);
        emit_external_model(kind, &signatures, w);
    });
    w.raw("};");
    w.raw(spellings::traits_end.of(w.rules()));
    let end = spellings::namespace_end.of(w.rules());
    w.line(format_args!("template <typename {concrete}>\nstruct {name}Trait;\n\n}} // {end} detail"));
}

fn emit_concept(
    kind: &Kind,
    interface: Interface<'_>,
    bases: &[Interface<'_>],
    signatures: &[Signature<'_>],
    w: &mut Writer,
) {
    w.block("struct Concept {", "};", |w| {
        if w.rules().has(Change::CommentedInterfaces) {
            w.line("/// The methods defined by the interface.");
        }
        for signature in signatures {
            let Signature { return_type, unique_name, more_types, .. } = signature;
            let types = if signature.method.is_static() {
                more_types.strip_prefix(", ").unwrap_or_default().to_owned()
            } else {
                format!("const Concept *impl, {}{more_types}", kind.value)
            };
            w.line(format_args!("{return_type}(*{unique_name})({types});"));
        }
        let rules = *w.rules();
        for signature in signatures.iter().filter(|signature| signature.is_shared(kind, &rules)) {
            let Signature { return_type, unique_name, .. } = signature;
            let parameters = signature.model_parameters(kind);
            w.line(format_args!("static {return_type}shared_{unique_name}({parameters});"));
        }
        if !bases.is_empty() {
            emit_base_concepts(interface, bases, w);
        }
    });
}

fn emit_base_concepts(interface: Interface<'_>, bases: &[Interface<'_>], w: &mut Writer) {
    w.line("/// The base classes of this interface.");
    for base in bases {
        w.line(format_args!("const {}::Concept *impl{} = nullptr;", base.qualified_name(), base.name()));
    }
    w.blank();
    w.braces("void initializeInterfaceConcept(::mlir::detail::InterfaceMap &interfaceMap)", |w| {
        let derived = interface.qualified_name();
        for base in bases {
            let (name, qualified) = (base.name(), base.qualified_name());
            w.line(format_args!("impl{name} = interfaceMap.lookup<{qualified}>();"));
            w.line(format_args!(
                r#"assert(impl{name} && "`{derived}` expected its base interface `{qualified}` to be registered");"#
            ));
        }
    });
}

fn emit_model(
    model: &str,
    kind: &Kind,
    interface: Interface<'_>,
    signatures: &[Signature<'_>],
    w: &mut Writer,
) {
    let rules = *w.rules();
    w.line(format_args!("template<typename {}>", kind.concrete));
    w.line(format_args!("class {model} : public Concept {{"));
    w.line("public:");
    w.indented(|w| {
        w.line(format_args!("using Interface = {};", interface.qualified_name()));
        let is_generated = model == "Model";
        let is_shared = |signature: &Signature<'_>| is_generated && signature.is_shared(kind, &rules);
        let names = join(
            signatures.iter().map(|signature| match is_shared(signature) {
                true => format!("Concept::shared_{}", signature.unique_name),
                false => signature.unique_name.clone(),
            }),
            ", ",
        );
        let mut qualifier = "";
        if is_generated && rules.has(Change::ConstantModels) {
            w.line("using GeneratedModel = Model;");
            qualifier = "constexpr ";
        }
        w.line(format_args!("{qualifier}{model}() : Concept{{{names}}} {{}}\n"));
        for signature in signatures.iter().filter(|signature| !is_shared(signature)) {
            let Signature { return_type, unique_name, .. } = signature;
            let parameters = signature.model_parameters(kind);
            w.line(format_args!("static inline {return_type}{unique_name}({parameters});"));
        }
    });
    w.line("};");
}

fn emit_external_model(kind: &Kind, signatures: &[Signature<'_>], w: &mut Writer) {
    let concrete = kind.concrete;
    w.line(format_args!("template<typename ConcreteModel, typename {concrete}>"));
    w.line("class ExternalModel : public FallbackModel<ConcreteModel> {");
    w.line("public:");
    w.indented(|w| {
        if w.rules().has(Change::ConcreteEntities) {
            w.line(format_args!("using ConcreteEntity = {concrete};"));
        }
        for signature in signatures.iter().filter(|signature| signature.method.default_body().is_some()) {
            let Signature { return_type, external_name, .. } = signature;
            let parameters = signature.external_parameters(kind);
            if signature.method.is_static() {
                w.line(format_args!("static {return_type}{external_name}({parameters});"));
            } else {
                w.line(format_args!("{return_type}{external_name}({parameters}) const;"));
            }
        }
    });
    w.line("};");
}

fn emit_interface_class(kind: &Kind, interface: Interface<'_>, bases: &[Interface<'_>], w: &mut Writer) {
    w.fill(
        CLASS_START,
        &[("Interface", &interface.name()), ("Base", &kind.base), ("Concrete", &kind.concrete)],
    );
    emit_class_members(kind, interface, w);
    for base in bases {
        w.fill(BASE_CONVERSION, &[("base", &base.qualified_name()), ("name", &base.name())]);
        emit_class_members(kind, *base, w);
    }
    if !interface.extra_class_of().is_empty() {
        emit_class_of(kind, interface, w);
    }
    w.line("};");
}

fn emit_class_of(kind: &Kind, interface: Interface<'_>, w: &mut Writer) {
    let (template, instance) = match w.rules().has(Change::ClassOfInstances) {
        true => (CLASS_OF, "odsInterfaceInstance"),
        false => (CLASS_OF_VALUE, "base"),
    };
    let condition = interface.extra_class_of().trim_ascii();
    w.fill_variant(
        template,
        &[
            ("Interface", &interface.name()),
            ("value", &kind.value.trim_ascii_end()),
            ("condition", &substitute(condition, &[(kind.placeholder, instance)])),
        ],
    );
}

const CLASS_START: Template = Template(
    r#"
class @Interface : public ::mlir::@Base<@Interface, detail::@{Interface}InterfaceTraits> {
public:
  using ::mlir::@Base<@Interface, detail::@{Interface}InterfaceTraits>::@Base;
  template <typename @Concrete>
  struct Trait : public detail::@{Interface}Trait<@Concrete> {};
"#,
);

/// Writes methods and extra declarations, of the interface itself or of one of its bases.
fn emit_class_members(kind: &Kind, interface: Interface<'_>, w: &mut Writer) {
    w.indented(|w| {
        for Signature { method, name, return_type, parameters, .. } in Signature::all(interface) {
            emit_method_comment(method, w);
            w.line(format_args!("{return_type}{name}({parameters}){};", kind.suffix));
        }
    });
    let declarations = interface.extra_class_declaration();
    let has_shared = w.rules().has(Change::SharedInterfaceCode);
    let shared = if has_shared { interface.extra_shared_class_declaration() } else { "" };
    if !w.rules().has(Change::OwnInterfacesOnly) {
        if !declarations.is_empty() {
            w.raw(declarations);
            w.raw("\n");
        }
        // The next text is on the line of its end.
        w.raw(&substitute(shared, &[(kind.placeholder, "(*this)")]).to_string());
        return;
    }
    if !declarations.is_empty() {
        w.line(declarations.trim_ascii_end());
    }
    if !shared.is_empty() {
        w.line(substitute(shared.trim_ascii_end(), &[(kind.placeholder, "(*this)")]));
    }
}

const BASE_CONVERSION: Template = Template(
    r#"
  //===----------------------------------------------------------------===//
  // Inherited from @base
  //===----------------------------------------------------------------===//

  operator @base () const {@null_base
    return @base(*this, getImpl()->impl@name);
  }

"#,
);

const CLASS_OF: Template = Template(
    r#"
  static bool classof(@value base) {
    auto* interface = getInterfaceFor(base);
    if (!interface)
      return false;
    @Interface odsInterfaceInstance(base, interface);
    @condition
  }
"#,
);

const CLASS_OF_VALUE: Template = Template(
    r#"
  static bool classof(@value base) {
    if (!getInterfaceFor(base))
      return false;
    @condition
  }
"#,
);

fn emit_trait(kind: &Kind, interface: Interface<'_>, w: &mut Writer) {
    w.fill(
        TRAIT_START,
        &[("Interface", &interface.name()), ("Base", &kind.base), ("Concrete", &kind.concrete)],
    );
    let value = [(kind.placeholder, kind.this)];
    w.indented(|w| {
        w.indented(|w| {
            for Signature { method, name, return_type, parameters, .. } in Signature::all(interface) {
                let Some(body) = method.default_body() else { continue };
                emit_method_comment(method, w);
                let (prefix, suffix) = if method.is_static() { ("static ", "") } else { ("", kind.suffix) };
                w.braces(format_args!("{prefix}{return_type}{name}({parameters}){suffix}"), |w| {
                    w.line(substitute(body.trim_ascii(), &value));
                });
            }
            emit_verifier(interface, w);
        });
    });
    let count = if w.rules().has(Change::SharedInterfaceCode) { 2 } else { 1 };
    let codes = [interface.extra_trait_class_declaration(), interface.extra_shared_class_declaration()];
    for code in codes.into_iter().take(count).filter(|code| !code.is_empty()) {
        w.line(substitute(code, &value));
    }
    w.line("  };");
}

const TRAIT_START: Template = Template(
    r#"
  template <typename @Concrete>
  struct @{Interface}Trait : public ::mlir::@Base<@Interface, detail::@{Interface}InterfaceTraits>::Trait<@Concrete> {
"#,
);

/// Writes the verifier of an operation interface; the others have none.
fn emit_verifier(interface: Interface<'_>, w: &mut Writer) {
    let body = interface.verifier();
    if body.is_empty() {
        return;
    }
    let body = body.trim_ascii();
    let name = if interface.verifies_after_regions() { "verifyRegionTrait" } else { "verifyTrait" };
    let result = spellings::LogicalResult.of(w.rules());
    w.braces(format_args!("static {result} {name}(::mlir::Operation *op)"), |w| {
        w.line(substitute(body, &[("_op", "op")]));
    });
}

fn emit_model_members(kind: &Kind, interface: Interface<'_>, w: &mut Writer) {
    let signatures = Signature::all(interface);
    let (name, concrete) = (interface.name(), kind.concrete);
    let cast = kind.cast.of(w.rules());
    let mut value = vec![(kind.placeholder, cast), ("_self", cast)];
    value.extend(kind.of_models);
    if w.rules().has(Change::SharedModelMethods) {
        value.extend(kind.plain_placeholder.map(|plain| (plain, "tablegen_opaque_val")));
    }

    for signature in &signatures {
        let Signature { return_type, unique_name, name: method, arguments, .. } = signature;
        let parameters = signature.model_parameters(kind);
        if signature.is_shared(kind, w.rules()) {
            let concept = format_args!("detail::{name}InterfaceTraits::Concept");
            let body = signature.method.body().unwrap_or_default().trim_ascii();
            w.braces(
                format_args!("inline {return_type}{concept}::shared_{unique_name}({parameters})"),
                |w| w.line(substitute(body, &value)),
            );
            continue;
        }
        w.line(format_args!("template<typename {concrete}>"));
        let model = format_args!("detail::{name}InterfaceTraits::Model<{concrete}>");
        w.braces(format_args!("{return_type}{model}::{unique_name}({parameters})"), |w| {
            match (signature.method.body().map(str::trim_ascii), signature.method.is_static()) {
                (Some(body), true) => w.line(body),
                (Some(body), false) => w.line(substitute(body, &value)),
                (None, true) => w.line(format_args!("return {concrete}::{method}({arguments});")),
                (None, false) => w.line(format_args!("return {cast}.{method}({arguments});")),
            }
        });
    }

    for signature in &signatures {
        let Signature { return_type, unique_name, external_name, arguments, .. } = signature;
        let parameters = signature.model_parameters(kind);
        w.line(format_args!("template<typename {concrete}>"));
        let model = format_args!("detail::{name}InterfaceTraits::FallbackModel<{concrete}>");
        w.braces(format_args!("{return_type}{model}::{unique_name}({parameters})"), |w| {
            if signature.method.is_static() {
                w.line(format_args!("return {concrete}::{external_name}({arguments});"));
            } else {
                let arguments = signature.with_first("tablegen_opaque_val", arguments);
                w.line(format_args!(
                    "return static_cast<const {concrete} *>(impl)->{external_name}({arguments});"
                ));
            }
        });
    }

    for signature in &signatures {
        let Signature { return_type, external_name, .. } = signature;
        let Some(body) = signature.method.default_body().map(str::trim_ascii) else { continue };
        let parameters = signature.external_parameters(kind);
        let model = format_args!("detail::{name}InterfaceTraits::ExternalModel<ConcreteModel, {concrete}>");
        w.line(format_args!("template<typename ConcreteModel, typename {concrete}>"));
        // The body is not indented.
        if signature.method.is_static() {
            w.line(format_args!("{return_type}{model}::{external_name}({parameters}) {{"));
            w.line(substitute(body, &[]));
        } else {
            w.line(format_args!("{return_type}{model}::{external_name}({parameters}) const {{"));
            w.line(substitute(body, &value));
        }
        w.line("}");
    }
}
