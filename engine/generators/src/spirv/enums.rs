//! Enums of SPIR-V: the names of their attributes, the implications between capabilities, the requirements of cases.

use crate::cpp::{Template, Writer, join};
use crate::{Cx, Generator, string_map::in_map_order};
use odsmith_ods::{
    Availability, EnumInfo,
    availability::implied_capabilities,
    cpp_name,
    enums::{LISTED, is_bit_enum},
};
use odsmith_release::{Change, Rules, fields, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec, span::Span};

pub(crate) const ATTR_UTILS: Generator = Generator {
    name: "gen-spirv-attr-utils",
    about: "Generate SPIR-V attribute utility definitions",
    run: |cx, w| {
        cx.require_class(fields::ENUM.of(cx.records.rules()))?;
        let enums = cx.model.enums_with(&["className"])?;
        w.file_header("SPIR-V Attribute Utilities", Some(cx.source_name()));
        w.fill(ATTR_UTILS_START, &[]);
        for info in &enums {
            let name = attribute_name(info.class_name, w.rules());
            w.fill(ATTRIBUTE_NAME, &[("Enum", &info.class_name), ("name", &name)]);
        }
        w.line("#endif // MLIR_DIALECT_SPIRV_IR_ATTR_UTILS_H");
        Ok(())
    },
};

/// Returns the name under which an attribute is read and written.
fn attribute_name(class: &str, rules: &Rules) -> String {
    match rules.has(Change::AcronymsAsWords) {
        true => cpp_name::snake_case(class),
        false => cpp_name::snake_case_by_letters(class),
    }
}

const ATTR_UTILS_START: Template = Template(
    r#"
#ifndef MLIR_DIALECT_SPIRV_IR_ATTR_UTILS_H_
#define MLIR_DIALECT_SPIRV_IR_ATTR_UTILS_H_
template <typename EnumClass> inline constexpr StringRef attributeName();
"#,
);

const ATTRIBUTE_NAME: Template = Template(
    r#"
template <> inline StringRef attributeName<@Enum>() {
  static constexpr const char attrName[] = "@name";
  return attrName;
}
"#,
);

pub(crate) const CAPABILITY_IMPLICATION: Generator = Generator {
    name: "gen-spirv-capability-implication",
    about: "Generate utility function to return implied capabilities for a given capability",
    run: |cx, w| {
        let implications = implications(cx)?;
        w.file_header("SPIR-V Capability Implication", Some(cx.source_name()));
        w.braces(
            "ArrayRef<spirv::Capability> spirv::getDirectImpliedCapabilities(spirv::Capability cap)",
            |w| {
                w.line("switch (cap) {");
                w.line("default: return {};");
                for (case, implied) in implications {
                    let implied: Vec<_> =
                        implied.iter().map(|case| format!("spirv::Capability::{case}")).collect();
                    w.fill(
                        IMPLICATION,
                        &[("case", &case), ("count", &implied.len()), ("implied", &join(&implied, ", "))],
                    );
                }
                w.line("}");
            },
        );
        Ok(())
    },
};

/// Returns the capabilities that imply others, with these.
fn implications<'r>(cx: &Cx<'r>) -> Result<Vec<(&'r str, Vec<&'r str>)>, Diagnostic> {
    let rules = cx.records.rules();
    let wanted = format!("{}CapabilityAttr", fields::SPIRV.of(rules));
    // If there is no such record, the reference uses the next one by name.
    let attribute = cx.records.defs().find(|def| def.name() >= &*wanted);
    let attribute =
        attribute.ok_or_else(|| Diagnostic::error(Span::NONE, format!("no definition of '{wanted}'")))?;
    implied_capabilities(attribute)
}

const IMPLICATION: Template = Template(
    r#"
case spirv::Capability::@case: {static const spirv::Capability implies[@count] = {@implied}; return ArrayRef<spirv::Capability>(implies, @count); }
"#,
);

pub(crate) const ENUM_AVAIL_DECLS: Generator = Generator {
    name: "gen-spirv-enum-avail-decls",
    about: "Generate SPIR-V enum availability declarations",
    run: |cx, w| {
        cx.require_class(fields::ENUM.of(cx.records.rules()))?;
        w.file_header("SPIR-V Enum Availability Declarations", Some(cx.source_name()));
        for rec in cx.model.enum_records() {
            let info = EnumInfo::with(rec, LISTED)?;
            w.namespaces(info.cpp_namespace, |w| emit_declarations(&info, w))?;
        }
        Ok(())
    },
};

/// Declares the functions that return the requirements of an enum's value.
fn emit_declarations(info: &EnumInfo<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let mut classes: Vec<&str> = Vec::new();
    for case in &info.cases {
        for availability in Availability::list(case.record)? {
            if !classes.contains(&availability.class) {
                classes.push(availability.class);
                let (ty, optional) = (info.class_name, spellings::near_optional.of(w.rules()));
                let (instance_type, method) = (availability.instance_type()?, availability.method()?);
                w.line(format_args!("{optional}<{instance_type}> {method}({ty} value);"));
            }
        }
    }
    Ok(())
}

pub(crate) const ENUM_AVAIL_DEFS: Generator = Generator {
    name: "gen-spirv-enum-avail-defs",
    about: "Generate SPIR-V enum availability definitions",
    run: |cx, w| {
        cx.require_class(fields::ENUM.of(cx.records.rules()))?;
        w.file_header("SPIR-V Enum Availability Definitions", Some(cx.source_name()));
        for rec in cx.model.enum_records() {
            let restricted = RestrictedEnum::new(rec)?;
            w.namespaces(restricted.info.cpp_namespace, |w| {
                let classes = restricted.requirements.iter().map(|(_, availability)| availability.class);
                for class in in_map_order(restricted.info.rules(), classes) {
                    emit_query(&restricted, class, w)?;
                }
                Ok(())
            })?;
            if !w.rules().has(Change::JoinedNamespaces) {
                w.blank();
            }
        }
        Ok(())
    },
};

/// An enum with the requirements of its cases.
struct RestrictedEnum<'r> {
    info: EnumInfo<'r>,
    /// The positions of cases with their requirements, one pair for each requirement.
    requirements: Vec<(usize, Availability<'r>)>,
}

impl<'r> RestrictedEnum<'r> {
    fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let info = EnumInfo::with(
            rec,
            match is_bit_enum(rec) {
                true => &["cppNamespace", "className", "underlyingType", "enumerants"],
                false => &["cppNamespace", "className", "enumerants"],
            },
        )?;
        let mut requirements = Vec::new();
        for (position, case) in info.cases.iter().enumerate() {
            let of_case = Availability::list(case.record)?;
            requirements.extend(of_case.into_iter().map(|availability| (position, availability)));
        }
        Ok(RestrictedEnum { info, requirements })
    }
}

/// Writes the function that returns the requirement of a value for one class.
fn emit_query(restricted: &RestrictedEnum<'_>, class: &str, w: &mut Writer) -> Result<(), Diagnostic> {
    let EnumInfo { class_name, underlying_type, .. } = &restricted.info;
    let cases = restricted.requirements.iter().filter(|(_, availability)| availability.class == class);
    let Some((_, first)) = cases.clone().next() else { return Ok(()) };
    let (instance_type, method) = (first.instance_type()?, first.method()?);
    let optional = spellings::near_optional.of(w.rules());
    w.braces(format_args!("{optional}<{instance_type}> {method}({class_name} value)"), |w| {
        if restricted.info.bits.is_some() {
            let count = spellings::count_bits.of(w.rules());
            w.line(format_args!(
                "assert(::llvm::{count}(static_cast<{underlying_type}>(value)) <= 1 && \
                 \"cannot have more than one bit set\");"
            ));
        }
        w.line("switch (value) {");
        for (position, availability) in cases.clone() {
            let case = &restricted.info.cases[*position];
            case.check_symbol()?;
            let (symbol, preparation) = (case.symbol, availability.preparation()?);
            let (instance_type, instance) = (availability.instance_type()?, availability.instance()?);
            w.line(format_args!(
                "case {class_name}::{symbol}: {{ {preparation} return {instance_type}({instance}); }}"
            ));
        }
        if restricted.info.bits.is_some() || cases.count() < restricted.info.cases.len() {
            w.line("default: break;");
        }
        w.line("}");
        w.line(format_args!("return {};", spellings::near_none.of(w.rules())));
        Ok(())
    })
}
