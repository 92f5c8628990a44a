//! Classes of attributes and types in the first release, laid out unlike those of operations: everything inside a
//! namespace is indented, and accessors are one line.

use super::{Kind, accessor, check_builder, interfaces, storage, verifier};
use crate::cpp::{Template, Writer, join, substitute};
use odsmith_ods::{AttrOrTypeDef, Builder, Parameter};
use odsmith_tablegen::diagnostic::Diagnostic;

/// Checks that C++ of the parser or printer is not empty if it is set.
///
/// # Errors
/// It is empty.
pub(super) fn check(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    let codes = [("printer", def.printer_code()), ("parser", def.parser_code())];
    for (name, code) in codes.into_iter().filter(|_| def.mnemonic().is_some()) {
        if code.is_some_and(str::is_empty) {
            let definition = def.definition();
            let name_of_def = definition.record_name();
            let message = format!("{name_of_def}: {name} (if specified) must have non-empty code");
            return Err(Diagnostic::error(definition.span(), message));
        }
    }
    Ok(())
}

/// Checks the fields that the class is generated from, in the order in which the reference reads them.
fn check_declarations(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    let has_parameters = !def.parameters().is_empty();
    def.check_base_class()?;
    if has_parameters {
        def.check_storage_namespace()?;
        def.check_storage_class()?;
    }
    def.check_extra_class_declaration()?;
    if has_parameters {
        def.check_verifier()?;
        def.check_skipped_builders()?;
        def.check_parameters()?;
        def.builders().iter().try_for_each(check_builder)?;
    }
    def.check_accessors()
}

/// Checks the fields that the storage and the members are generated from.
///
/// # Errors
/// A field is missing.
pub(super) fn check_definitions(def: &AttrOrTypeDef<'_>) -> Result<(), Diagnostic> {
    if def.parameters().is_empty() {
        return Ok(());
    }
    def.check_storage_choice()?;
    if def.has_storage_class() {
        def.check_parameters()?;
        def.check_storage_namespace()?;
        def.check_storage_class()?;
        def.check_custom_storage_constructor()?;
    }
    def.check_verifier()?;
    def.check_skipped_builders()?;
    if !def.skips_default_builders() {
        // Types are read where a storage or a builder is written.
        def.check_parameters()?;
    }
    def.builders().iter().filter(|builder| builder.body().is_some()).try_for_each(check_builder)?;
    def.check_accessors()
}

/// A definition with the C++ classes of its traits.
pub(super) type WithTraits<'d, 'r> = (&'d AttrOrTypeDef<'r>, Vec<String>);

/// Returns definitions with their traits.
///
/// # Errors
/// A trait has no class, or a parameter no type.
pub(super) fn with_traits<'d, 'r>(
    defs: &[&'d AttrOrTypeDef<'r>],
) -> Result<Vec<WithTraits<'d, 'r>>, Diagnostic> {
    let with_traits = |def: &&'d AttrOrTypeDef<'r>| {
        def.check_class_name()?;
        let traits = interfaces::trait_names(def)?;
        check_declarations(def)?;
        Ok((*def, traits))
    };
    defs.iter().map(with_traits).collect()
}

/// Writes forward declarations of all classes, then the classes.
pub(super) fn emit_declarations(defs: &[WithTraits<'_, '_>], w: &mut Writer) {
    w.indented(|w| {
        for (def, _) in defs {
            w.line(format_args!("class {};", def.cpp_class_name()));
        }
        defs.iter().for_each(|(def, traits)| emit_class(def, traits, w));
    });
}

fn emit_class(def: &AttrOrTypeDef<'_>, traits: &[String], w: &mut Writer) {
    let Kind { short, class, .. } = Kind::of(def);
    let name = def.cpp_class_name();
    let traits = join(traits.iter().map(|name| format!(", {name}")), "").to_string();
    let has_parameters = !def.parameters().is_empty();
    w.blank();
    let storage = if has_parameters {
        let (namespace, storage) = (def.storage_namespace(), def.storage_class());
        w.block(
            format_args!("namespace {namespace} {{"),
            format_args!("}} // end namespace {namespace}"),
            |w| w.line(format_args!("struct {storage};")),
        );
        format!("\n                                         {namespace}::{storage}")
    } else {
        format!(" ::mlir::{class}Storage")
    };
    w.fill(
        CLASS_START,
        &[
            ("Name", &name),
            ("Class", class),
            ("Short", short),
            ("Base", &def.cpp_base_class_name()),
            ("storage", &storage),
            ("traits", &traits),
        ],
    );
    if has_parameters {
        w.blank();
    }
    if !def.extra_class_declaration().is_empty() {
        w.raw(def.extra_class_declaration());
        w.raw("\n");
    }
    w.indented(|w| emit_members(def, w));
    w.line("};");
}

const CLASS_START: Template = Template(
    r#"
class @Name : public ::mlir::@Class::@{Short}Base<@Name, @Base,@storage@traits> {
public:
  /// Inherit some necessary constructors from '@{Short}Base'.
  using Base::Base;
"#,
);

fn emit_members(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let name = def.cpp_class_name();
    let is_verified = def.has_verifier();
    if !def.parameters().is_empty() {
        let parameters = parameters(def);
        if !def.skips_default_builders() {
            w.line(format_args!("static {name} get({CONTEXT}{parameters});"));
            if is_verified {
                w.line(format_args!("static {name} getChecked({CHECKED}, {CONTEXT}{parameters});"));
            }
        }
        for builder in def.builders() {
            let parameters = builder_parameters(builder, true);
            let return_type = builder.return_type().unwrap_or(name);
            w.line(format_args!("static {return_type} get({parameters});"));
            if is_verified {
                let rest = followed(&parameters);
                w.line(format_args!(
                    "static {return_type} getChecked(llvm::function_ref<mlir::InFlightDiagnostic()> emitError{rest});"
                ));
            }
        }
        if is_verified {
            w.fill(VERIFY, &[("parameters", &parameters)]);
        }
    }
    if let Some(mnemonic) = def.mnemonic() {
        w.fill(MNEMONIC, &[("mnemonic", &mnemonic)]);
        if has_assembly(def) {
            let (class, ty) = (Kind::of(def).class, type_parameter(def));
            w.fill(ASSEMBLY, &[("Class", &class), ("type", &ty)]);
        }
    }
    if def.has_accessors() {
        for parameter in def.parameters() {
            w.line(format_args!("{} {}() const;", parameter.accessor_type(), accessor(parameter, w.rules())));
        }
    }
    for method in interfaces::declared_methods(def) {
        w.line(method);
    }
}

const CONTEXT: &str = "::mlir::MLIRContext *context";
const CHECKED: &str = "llvm::function_ref<::mlir::InFlightDiagnostic()> emitError";

const VERIFY: Template = Template(
    r#"

using Base::getChecked;
static ::mlir::LogicalResult verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError@parameters);
"#,
);

const MNEMONIC: Template = Template(
    r#"
static constexpr ::llvm::StringLiteral getMnemonic() {
  return ::llvm::StringLiteral("@mnemonic");
}
"#,
);

const ASSEMBLY: Template = Template(
    r#"

static ::mlir::@Class parse(::mlir::MLIRContext *context,
                         ::mlir::DialectAsmParser &parser@type);
void print(::mlir::DialectAsmPrinter &printer) const;
"#,
);

fn has_assembly(def: &AttrOrTypeDef<'_>) -> bool {
    !def.parameters().is_empty() || def.parser_code().or(def.printer_code()).is_some()
}

fn type_parameter(def: &AttrOrTypeDef<'_>) -> &'static str {
    if Kind::of(def).short == "Attr" { ", ::mlir::Type type" } else { "" }
}

/// Returns the parameters as C++: `, int a, bool b`.
fn parameters(def: &AttrOrTypeDef<'_>) -> String {
    let parameters = def.parameters().iter().map(|it| format!(", {} {}", it.cpp_type(), it.name));
    join(parameters, "").to_string()
}

/// Returns the parameters of a builder, with its context.
fn builder_parameters(builder: &Builder<'_>, has_defaults: bool) -> String {
    let context = (!builder.has_inferred_context()).then(|| CONTEXT.to_owned());
    let own = builder.parameters.iter().map(|parameter| {
        let default = parameter.default_value.filter(|_| has_defaults);
        let default = default.map(|value| format!(" = {value}")).unwrap_or_default();
        format!("{} {}{default}", parameter.cpp_type, parameter.name.unwrap_or_default())
    });
    join(context.into_iter().chain(own), ", ").to_string()
}

fn followed(parameters: &str) -> String {
    if parameters.is_empty() { String::new() } else { format!(", {parameters}") }
}

/// Writes the storage and the members of a class.
pub(super) fn emit_definitions(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let name = def.cpp_class_name();
    let has_storage = !def.parameters().is_empty() && def.has_storage_class();
    if has_storage {
        emit_storage(def, w);
    }
    if !def.parameters().is_empty() {
        emit_builders(def, w);
    }
    if def.has_accessors() && has_storage {
        for parameter in def.parameters() {
            let (ty, accessor) = (parameter.accessor_type(), accessor(parameter, w.rules()));
            let value = match storage::is_in_base(parameter, w.rules()) {
                true => format!("getType().cast<{}>()", parameter.cpp_type()),
                false => parameter.name.to_owned(),
            };
            w.line(format_args!("{ty} {name}::{accessor}() const {{ return getImpl()->{value}; }}"));
        }
    }
    if def.mnemonic().is_none() {
        return;
    }
    if let Some(code) = def.printer_code() {
        let code = substitute(code, &[("_printer", "printer"), ("_ctxt", "getContext()")]).to_string();
        w.raw(&format!("void {name}::print(::mlir::DialectAsmPrinter &printer) const {{\n{code}\n}}\n"));
    }
    if let Some(code) = def.parser_code() {
        let names = [("_parser", "parser"), ("_ctxt", "context"), ("_type", "type")];
        let names = if Kind::of(def).short == "Attr" { &names[..] } else { &names[..2] };
        let (class, code) = (Kind::of(def).class, substitute(code, names).to_string());
        let ty = type_parameter(def);
        w.raw(&format!(
            "::mlir::{class} {name}::parse({CONTEXT}, ::mlir::DialectAsmParser &parser{ty}) {{\n{code}\n}}\n"
        ));
    }
}

fn emit_builders(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let name = def.cpp_class_name();
    let is_verified = def.has_verifier();
    if !def.skips_default_builders() {
        let values = join(def.parameters().iter().map(|it| format!(", {}", it.name)), "").to_string();
        let parameters = parameters(def);
        w.line(format_args!(
            "{name} {name}::get({CONTEXT}{parameters}) {{\n  return Base::get(context{values});\n}}"
        ));
        if is_verified {
            w.line(format_args!(
                "{name} {name}::getChecked({CHECKED}, {CONTEXT}{parameters}) {{\n  return Base::getChecked(emitError, context{values});\n}}"
            ));
        }
    }
    for builder in def.builders() {
        let Some(body) = builder.body() else { continue };
        let parameters = builder_parameters(builder, false);
        let return_type = builder.return_type().unwrap_or(name);
        let context = (!builder.has_inferred_context()).then_some(("_ctxt", "context"));
        let names: Vec<_> = context.into_iter().chain([("_get", "Base::get")]).collect();
        let code = substitute(body, &names).to_string();
        w.raw(&format!("{return_type} {name}::get({parameters}) {{\n  {code};\n}}\n"));
        if is_verified {
            let checked = body.replace("$_get(", "Base::getChecked(emitErrorFn, ");
            // As in the reference, placeholders are filled only if there is a context.
            let code = match context {
                Some(name) => substitute(&checked, &[name]).to_string(),
                None => checked,
            };
            let rest = followed(&parameters);
            w.raw(&format!("{return_type} {name}::getChecked({CHECKED}Fn{rest}) {{\n  {code};\n}}\n"));
        }
    }
}

fn emit_storage(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let rules = *w.rules();
    let (class, storage) = (Kind::of(def).class, def.storage_class());
    let is_own = |parameter: &&Parameter<'_>| !storage::is_in_base(parameter, &rules);
    let own: Vec<_> = def.parameters().iter().filter(is_own).collect();
    let base = storage::base_initializer(def, &rules);
    let initializers =
        base.into_iter().chain(own.iter().map(|parameter| format!("{0}({0})", parameter.name)));
    let declared =
        verifier::parameters(def).map(|parameter| format!("{} {}", parameter.cpp_type, parameter.name));
    w.fill(
        STORAGE_START,
        &[
            ("namespace", &def.storage_namespace()),
            ("Storage", &storage),
            ("Class", &class),
            ("parameters", &join(declared.collect::<Vec<_>>(), ", ")),
            ("initializers", &join(initializers.collect::<Vec<_>>(), ", ")),
            ("types", &join(def.parameters().iter().map(|it| it.cpp_type()), ", ")),
        ],
    );
    for (element, parameter) in storage::elements(def) {
        let equal = storage::comparison_of(parameter, &element, &rules);
        w.line(format_args!("    if (!({equal}))\n      return false;"));
    }
    let elements = join(storage::elements(def).map(|(element, _)| element), ", ").to_string();
    w.fill(STORAGE_HASH, &[("elements", &elements)]);
    if def.has_custom_storage_constructor() {
        w.fill(CONSTRUCTION_DECLARED, &[("Storage", &storage), ("Class", &class)]);
    } else {
        emit_construction(def, w);
    }
    for parameter in own {
        w.line(format_args!("      {} {};", parameter.cpp_type(), parameter.name));
    }
    w.line(format_args!("  }};\n}} // namespace {}", def.storage_namespace()));
}

fn emit_construction(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    let (class, storage) = (Kind::of(def).class, def.storage_class());
    w.fill(CONSTRUCTION_START, &[("Storage", &storage), ("Class", &class)]);
    w.indented(|w| {
        w.indented(|w| {
            w.indented(|w| {
                for (element, parameter) in storage::elements(def) {
                    w.line(format_args!("auto {} = {element};", parameter.name));
                }
                def.parameters().iter().for_each(|parameter| storage::emit_allocation(parameter, w));
            });
        });
    });
    let names = join(def.parameters().iter().map(|parameter| parameter.name), ", ").to_string();
    w.fill(CONSTRUCTION_END, &[("Storage", &storage), ("names", &names)]);
}

const STORAGE_START: Template = Template(
    r#"

namespace @namespace {
  struct @Storage : public ::mlir::@{Class}Storage {
    @Storage (@parameters)
      : @initializers { }

    /// The hash key is a tuple of the parameter types.
    using KeyTy = std::tuple<@types>;
  bool operator==(const KeyTy &tblgenKey) const {
"#,
);

const STORAGE_HASH: Template = Template(
    r#"
    return true;
  }
  static ::llvm::hash_code hashKey(const KeyTy &tblgenKey) {
      return ::llvm::hash_combine(@elements);
    }
"#,
);

const CONSTRUCTION_DECLARED: Template = Template(
    r#"
    static @Storage *construct(::mlir::@{Class}StorageAllocator &allocator, const KeyTy &tblgenKey);
"#,
);

const CONSTRUCTION_START: Template = Template(
    r#"

    /// Define a construction method for creating a new instance of this
    /// storage.
    static @Storage *construct(::mlir::@{Class}StorageAllocator &allocator,
                          const KeyTy &tblgenKey) {
"#,
);

const CONSTRUCTION_END: Template = Template(
    r#"

      return new (allocator.allocate<@Storage>())
          @Storage(@names);
    }
"#,
);
