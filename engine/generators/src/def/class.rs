//! The class of one attribute or type. Its members, in this order: the users' code, names, `using` declarations;
//! builders, verifiers, mnemonic, `parse` and `print`, accessors, methods of interfaces, the alias.

use super::{Kind, accessor, builders, format, interfaces, storage, verifier};
use crate::{
    Cx,
    cpp::{Access, Class, Method, Writer, join, substitute},
};
use odsmith_ods::{AttrOrTypeDef, Parameter};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) fn class<'d, 'r>(def: &'d AttrOrTypeDef<'r>, cx: &Cx<'r>) -> Result<Class<'d>, Diagnostic> {
    let mut class = Class::new(def.cpp_class_name());
    class.indents_every_line = true;
    class.bases.push(base(def)?);
    add_declarations(def, &mut class);
    if !def.parameters().is_empty() {
        builders::add(def, &mut class)?;
        verifier::add(def, &mut class);
    }
    // Other mistakes in the fields or the builders are reported first.
    if def.rules().has(Change::DialectNames) {
        def.dialect().check_name()?;
    }
    if let Some(mnemonic) = def.mnemonic() {
        add_mnemonic(mnemonic, &mut class);
        add_assembly(def, cx, &mut class)?;
    }
    if def.has_accessors() {
        for parameter in def.parameters() {
            add_accessor(def, parameter, &mut class);
        }
    }
    interfaces::add_methods(def, &mut class);
    if let Some(mnemonic) = def.mnemonic().filter(|_| def.has_mnemonic_alias()) {
        add_alias(mnemonic, &mut class);
    }
    class.trim_label();
    Ok(class)
}

/// Returns the base class: `public ::mlir::Type::TypeBase<T, Base, Storage, traits...>`.
fn base(def: &AttrOrTypeDef<'_>) -> Result<String, Diagnostic> {
    let Kind { short, class, .. } = Kind::of(def);
    let storage = if def.parameters().is_empty() {
        format!("::mlir::{class}Storage")
    } else {
        format!("{}::{}", def.storage_namespace(), def.storage_class())
    };
    let mut arguments = Vec::new();
    let names = [def.cpp_class_name().to_owned(), def.cpp_base_class_name().to_owned(), storage];
    for name in names.into_iter().chain(interfaces::trait_names(def)?) {
        // Each name is written once, whatever it refers to.
        if !arguments.contains(&name) {
            arguments.push(name);
        }
    }
    verifier::check_predicates(def)?;
    Ok(format!("public ::mlir::{class}::{short}Base<{}>", join(arguments, ", ")))
}

fn add_declarations<'d>(def: &'d AttrOrTypeDef<'_>, class: &mut Class<'d>) {
    let rules = def.rules();
    class.text("using Base::Base;");
    let declarations = def.traits().iter().map(|t| t.extra_declaration());
    let declarations = joined(declarations.chain([def.extra_class_declaration()]));
    let definitions = def.traits().iter().map(|t| t.extra_definition());
    let definitions = joined(definitions.chain([def.extra_class_definition()]));
    let definitions = substitute(&definitions, &[("cppClass", def.cpp_class_name())]).to_string();
    class.code(declarations, definitions);
    let constants = [
        (Change::NamedDefinitions, "name", def.full_name()),
        (Change::DialectNames, "dialectName", def.dialect().name()),
    ];
    for (_, constant, value) in constants.into_iter().filter(|(change, ..)| rules.has(*change)) {
        class.text(format!("static constexpr ::llvm::StringLiteral {constant} = \"{value}\";"));
    }
    if !def.parameters().is_empty() && verifier::has_verifier(def) {
        class.text("using Base::getChecked;");
    }
    if rules.has(Change::InheritedInterfaceMethods) {
        interfaces::add_usings(def, class);
    }
    let counts_declared = !rules.has(Change::DeclaredMethodsUnlabelled);
    let has_methods = !def.parameters().is_empty()
        || def.mnemonic().is_some()
        || counts_declared && interfaces::declares_methods(def);
    if has_methods && !rules.has(Change::StorageKeys) {
        class.label(Access::Public);
    }
}

/// Joins pieces of code.
fn joined<'r>(pieces: impl Iterator<Item = &'r str>) -> String {
    pieces.filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join("\n")
}

fn add_mnemonic<'d>(mnemonic: &'d str, class: &mut Class<'d>) {
    let body = move |w: &mut Writer| w.line(format_args!("return {{\"{mnemonic}\"}};"));
    let mut method = Method::new("::llvm::StringLiteral", "getMnemonic").inline(body);
    method.specifiers = "static constexpr ";
    class.method(method);
}

/// Adds `parse` and `print`; if they are written in C++, they are only declared.
fn add_assembly<'d, 'r>(
    def: &'d AttrOrTypeDef<'r>,
    cx: &Cx<'r>,
    class: &mut Class<'d>,
) -> Result<(), Diagnostic> {
    let kind = Kind::of(def);
    if !def.rules().has(Change::CustomDefinitions) {
        return add_older_assembly(def, cx, class);
    }
    let text = def.assembly_format();
    let format = match text {
        Some(text) => format::checked(def, text, cx)?,
        None if def.has_custom_assembly_format() => None,
        None => return Ok(()),
    };
    let mut parse = Method::new(format!("::mlir::{}", kind.class), "parse").as_static();
    for (ty, name) in kind.parse_parameters {
        parse = parse.parameter(*ty, *name);
    }
    let mut print = Method::new("void", "print").parameter("::mlir::AsmPrinter &", "odsPrinter").constant();
    if let Some(format) = format {
        format::check_fields(def, &format.elements)?;
        let elements = format.elements.clone();
        parse = parse.defined(move |w| format::parser::emit(def, &format.elements, w));
        print = print.defined(move |w| format::printer::emit(def, &elements, w));
    } else if text.is_some() {
        // The bodies of a malformed format are empty.
        parse = parse.defined(|_| {});
        print = print.defined(|_| {});
    }
    class.method(parse);
    class.method(print);
    Ok(())
}

/// Adds `parse` and `print` in releases where fields may hold their C++.
fn add_older_assembly<'d, 'r>(
    def: &'d AttrOrTypeDef<'r>,
    cx: &Cx<'r>,
    class: &mut Class<'d>,
) -> Result<(), Diagnostic> {
    let kind = Kind::of(def);
    let (parser_code, printer_code) = (def.parser_code(), def.printer_code());
    let text = def.assembly_format();
    if def.parameters().is_empty() && parser_code.or(printer_code).or(text).is_none() {
        return Ok(());
    }
    let mut parse = Method::new(format!("::mlir::{}", kind.class), "parse").as_static();
    parse = parse.parameter("::mlir::AsmParser &", "parser");
    if kind.short == "Attr" {
        parse = parse.parameter("::mlir::Type", "type");
    }
    let mut print = Method::new("void", "print").parameter("::mlir::AsmPrinter &", "printer").constant();
    match text.map(|text| format::checked(def, text, cx)).transpose()? {
        Some(Some(format)) => {
            format::plain::check_printers(def, &format.elements)?;
            let elements = format.elements.clone();
            parse = parse.defined(move |w| format::plain::emit_parser(def, &format.elements, w));
            print = print.defined(move |w| format::plain::emit_printer(def, &elements, w));
        }
        // A malformed format, if the user tolerates it, gives functions that do nothing.
        Some(None) => {
            parse = parse.defined(|_| {});
            print = print.defined(|_| {});
        }
        None => {}
    }
    if let Some(code) = parser_code {
        parse = parse.defined(move |w| {
            let names = [("_parser", "parser"), ("_ctxt", "parser.getContext()"), ("_type", "type")];
            w.code(&substitute(code, &names).to_string());
        });
    }
    if let Some(code) = printer_code {
        let names = [("_printer", "printer"), ("_ctxt", "getContext()")];
        print = print.defined(move |w| w.code(&substitute(code, &names).to_string()));
    }
    class.method(parse);
    class.method(print);
    Ok(())
}

pub(super) fn add_accessor<'d>(def: &AttrOrTypeDef<'_>, parameter: &'d Parameter<'_>, class: &mut Class<'d>) {
    let name = accessor(parameter, def.rules());
    let method = Method::new(parameter.accessor_type(), name).constant();
    // The fields of a storage that is written in C++ are unknown.
    class.method(if def.has_storage_class() {
        method.defined(|w| {
            if storage::is_in_base(parameter, w.rules()) {
                w.line(format_args!("return getImpl()->getType().cast<{}>();", parameter.cpp_type()));
            } else {
                w.line(format_args!("return getImpl()->{};", parameter.name));
            }
        })
    } else {
        method
    });
}

fn add_alias<'d>(mnemonic: &'d str, class: &mut Class<'d>) {
    let method = Method::new("::mlir::OpAsmAliasResult", "getAlias");
    let method = method.parameter("::llvm::raw_ostream &", "os").constant();
    class.method(method.defined(move |w| {
        w.line(format_args!("os << \"{mnemonic}\";"));
        w.line("return ::mlir::OpAsmAliasResult::OverridableAlias;");
    }));
}
