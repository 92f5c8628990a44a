//! `gen-avail-interface-decls`, `gen-avail-interface-defs`: an interface for each class of requirements;
//! `gen-spirv-avail-impls`, `gen-tosa-avail-impls`: the methods of operations that merge their own requirements with
//! those of their enum attributes.

use super::{Cx, Generator, string_map::in_map_order};
use crate::cpp::{Template, Writer, substitute};
use odsmith_ods::{Availability, EnumInfo, NamedAttribute, Operation};
use odsmith_release::{Change, Rules, fields};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) const INTERFACE_DECLS: Generator = Generator {
    name: "gen-avail-interface-decls",
    about: "Generate availability interface declarations",
    run: |cx, w| {
        let interfaces = interfaces(cx, |it| {
            let (interface_name, cpp_namespace) = (it.interface_name()?, it.cpp_namespace()?);
            let (return_type, method) = (it.return_type()?, it.method()?);
            let description = it.interface_description()?;
            Ok(Interface { cpp_namespace, interface_name, description, return_type, method })
        })?;
        w.file_header("Availability Interface Declarations", Some(cx.source_name()));
        for interface in interfaces {
            w.namespaces(interface.cpp_namespace, |w| {
                let declaration = match w.rules().has(Change::CommentedInterfaces) {
                    true => format!("class {};\n\n", interface.interface_name),
                    false => String::new(),
                };
                let alias = match w.rules().has(Change::CommentedInterfaces) {
                    true => format!("    using Interface = {};\n", interface.interface_name),
                    false => String::new(),
                };
                w.fill(
                    INTERFACE,
                    &[
                        ("alias", &alias),
                        ("declaration", &declaration),
                        ("Interface", &interface.interface_name),
                        ("type", &interface.return_type),
                        ("method", &interface.method),
                        ("description", &interface.description.trim_ascii()),
                    ],
                );
            });
        }
        Ok(())
    },
};

pub(super) const INTERFACE_DEFS: Generator = Generator {
    name: "gen-avail-interface-defs",
    about: "Generate op interface definitions",
    run: |cx, w| {
        let interfaces = interfaces(cx, |it| {
            if !cx.records.rules().has(Change::AvailabilityNamespaces) {
                it.method()?;
            }
            let (return_type, cpp_namespace) = (it.return_type()?, it.cpp_namespace()?);
            let (method, interface_name) = (it.method()?, it.interface_name()?);
            Ok(Interface { cpp_namespace, interface_name, description: "", return_type, method })
        })?;
        w.file_header("Availability Interface Definitions", Some(cx.source_name()));
        for interface in interfaces {
            let Interface { interface_name, return_type, method, .. } = interface;
            let namespace = interface.cpp_namespace;
            let namespace = namespace.strip_prefix("::").unwrap_or(namespace);
            let start = if namespace.is_empty() { String::new() } else { format!("{namespace}::") };
            w.braces(format_args!("{return_type} {start}{interface_name}::{method}()"), |w| {
                w.line(format_args!("return getImpl()->{method}(getImpl(), getOperation());"));
            });
        }
        Ok(())
    },
};

pub(super) const SPIRV_IMPLS: Generator = Generator {
    name: "gen-spirv-avail-impls",
    about: "Generate SPIR-V operation utility definitions",
    run: |cx, w| {
        let prefix = fields::SPIRV.of(cx.records.rules());
        let [class, bits, integers] =
            ["Op", "BitEnumAttr", "I32EnumAttr"].map(|name| [prefix, name].concat());
        emit_implementations(&class, &[&bits, &integers], "SPIR-V Op Availability Implementations", cx, w)
    },
};

pub(super) const TOSA_IMPLS: Generator = Generator {
    name: "gen-tosa-avail-impls",
    about: "Generate Tosa operation utility definitions",
    run: |cx, w| emit_implementations("Tosa_Op", &[], "Tosa Op Availability Implementations", cx, w),
};

/// The interface that reports the requirements of a class.
struct Interface<'r> {
    cpp_namespace: &'r str,
    interface_name: &'r str,
    description: &'r str,
    return_type: &'r str,
    method: &'r str,
}

/// Returns the interface of each class of requirements, as the first record of the class describes it. `read` reads the
/// fields in the order in which the reference reports a missing value.
fn interfaces<'r>(
    cx: &Cx<'r>,
    read: impl Fn(Availability<'r>) -> Result<Interface<'r>, Diagnostic>,
) -> Result<Vec<Interface<'r>>, Diagnostic> {
    cx.require_class("Availability")?;
    let mut classes: Vec<&str> = Vec::new();
    let mut interfaces = Vec::new();
    for rec in cx.records.derived("Availability") {
        let availability = Availability::new(rec)?;
        if !classes.contains(&availability.class) {
            classes.push(availability.class);
            interfaces.push(read(availability)?);
        }
    }
    Ok(interfaces)
}

const INTERFACE: Template = Template(
    r#"
@{declaration}namespace detail {
struct @{Interface}Traits {
  class Concept {
  public:
    virtual ~Concept() = default;
    virtual @type @method(const Concept *impl, Operation *tblgen_opaque_op) const = 0;
  };

  template<typename ConcreteOp>
  class Model : public Concept {
  public:
@{alias}    @type @method(const Concept *impl, Operation *tblgen_opaque_op) const final {
      auto op = llvm::cast<ConcreteOp>(tblgen_opaque_op);
      (void)op;
      return op.@method();
    }
  };
  template<typename ConcreteOp>
  class FallbackModel : public Concept {
  public:
@{alias}    @type @method(const Concept *impl, Operation *tblgen_opaque_op) const final {
      auto op = llvm::cast<ConcreteOp>(tblgen_opaque_op);
      (void)op;
      return op.@method();
    }
  };
  template<typename ConcreteModel, typename ConcreteOp>
  class ExternalModel : public FallbackModel<ConcreteOp> {};
};
} // @namespace_end detail

/*
@description
*/
class @Interface : public OpInterface<@Interface, detail::@{Interface}Traits> {
public:
  using OpInterface<@Interface, detail::@{Interface}Traits>::OpInterface;
  @type @method();
};

"#,
);

/// Writes the methods of all operations of a class; only attributes of the classes `enums` have requirements.
fn emit_implementations(
    class: &str,
    enums: &[&str],
    title: &str,
    cx: &Cx<'_>,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    cx.require_class(class)?;
    w.file_header(title, Some(cx.source_name()));
    for rec in cx.records.derived(class) {
        let op = cx.model.operation(rec)?;
        if !Availability::is_generated(op)? {
            continue;
        }
        let requirements = Requirements::of(op, enums)?;
        for class in requirements.classes() {
            emit_method(op.cpp_class_name(), class, &requirements, w)?;
        }
    }
    Ok(())
}

/// The requirements of an operation.
struct Requirements<'r> {
    rules: &'r Rules,
    own: Vec<Availability<'r>>,
    attributes: Vec<EnumRequirements<'r>>,
}

/// The requirements of an enum attribute's value.
struct EnumRequirements<'r> {
    /// The getter of the attribute.
    getter: String,
    info: EnumInfo<'r>,
    /// The requirements of all cases.
    cases: Vec<Availability<'r>>,
}

impl<'r> Requirements<'r> {
    fn of(op: &Operation<'r>, enums: &[&str]) -> Result<Self, Diagnostic> {
        let mut requirements =
            Requirements { rules: op.rules(), own: Availability::of_operation(op)?, attributes: Vec::new() };
        for NamedAttribute { name, attribute, .. } in op.natural_attributes() {
            let definition = attribute.definition();
            if !enums.iter().any(|class| definition.is_a(class)) {
                continue;
            }
            let info = attribute.restricted_enum()?;
            let mut cases = Vec::new();
            for case in &info.cases {
                cases.extend(Availability::list(case.record)?);
            }
            // Early releases name the getter as the attribute, whatever the dialect chooses.
            let is_named = requirements.rules.has(Change::SpirvEnumAttributes);
            let getter = if is_named { op.getter(name) } else { (*name).to_owned() };
            requirements.attributes.push(EnumRequirements { getter, info, cases });
        }
        Ok(requirements)
    }

    fn all(&self) -> impl Iterator<Item = &Availability<'r>> {
        self.own.iter().chain(self.attributes.iter().flat_map(|attribute| &attribute.cases))
    }

    /// Returns the first requirement of each class.
    fn classes(&self) -> impl Iterator<Item = &Availability<'r>> {
        let classes = in_map_order(self.rules, self.all().map(|availability| availability.class)).into_iter();
        classes.filter_map(|class| self.all().find(|availability| availability.class == class))
    }
}

/// Writes the method that merges all requirements of a class.
fn emit_method(
    op: &str,
    class: &Availability<'_>,
    requirements: &Requirements<'_>,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    let (return_type, method) = (class.return_type()?, class.method()?);
    w.braces(format_args!("{return_type} {op}::{method}()"), |w| {
        w.line(format_args!("{return_type} tblgen_overall = {};", class.initializer()?));
        for own in requirements.own.iter().filter(|own| own.class == class.class) {
            let (preparation, action) = (own.preparation()?, own.merge()?);
            if !action.is_empty() || !preparation.is_empty() {
                let merge = merge(action, own.instance()?);
                w.fill(OWN, &[("preparation", &preparation), ("merge", &merge)]);
            }
        }
        for attribute in &requirements.attributes {
            if let Some(case) = attribute.cases.iter().find(|case| case.class == class.class) {
                // This is the order in which the reference reports a missing value.
                let info = &attribute.info;
                if info.bits.is_some() {
                    info.check_underlying_type()?;
                    info.check_cpp_namespace()?;
                    info.check_class_name()?;
                } else {
                    info.check_cpp_namespace()?;
                }
                emit_attribute(attribute, method, &merge(case.merge()?, "*tblgen_instance"), w);
            }
        }
        w.line("return tblgen_overall;");
        Ok(())
    })
}

fn merge(action: &str, instance: &str) -> String {
    substitute(action, &[("overall", "tblgen_overall"), ("instance", instance)]).to_string()
}

const OWN: Template = Template(
    r#"
{
  @preparation
  @merge;
}
"#,
);

fn emit_attribute(requirements: &EnumRequirements<'_>, method: &str, merge: &str, w: &mut Writer) {
    let EnumRequirements { getter, info, .. } = requirements;
    w.fill_variant(
        if info.bits.is_some() { BIT_ENUM_ATTRIBUTE } else { ENUM_ATTRIBUTE },
        &[
            ("type", &info.qualified_name),
            ("underlying", &info.underlying_type),
            ("getter", getter),
            ("namespace", &info.cpp_namespace),
            ("method", &method),
            ("merge", &merge),
        ],
    );
}

const ENUM_ATTRIBUTE: Template = Template(
    r#"
{
  auto tblgen_attrVal = this->@getter();
  auto tblgen_instance = @namespace::@method(tblgen_attrVal);
  if (tblgen_instance) @merge;
}
"#,
);

const BIT_ENUM_ATTRIBUTE: Template = Template(
    r#"
for (unsigned i = 0; i < std::numeric_limits<@underlying>::digits; ++i) {
  @type tblgen_attrVal = this->@getter() & static_cast<@type>(1 << i);
  if (static_cast<@underlying>(tblgen_attrVal) == 0) continue;
  auto tblgen_instance = @namespace::@method(tblgen_attrVal);
  if (tblgen_instance) @merge;
}
"#,
);
