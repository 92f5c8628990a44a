//! `parse` and `print` in the first release with formats of attributes and types. It has no groups, custom directives
//! or defaults, and ignores white space in a format.

use super::{Placeholders, bound_parameter, parameter};
use crate::cpp::{Template, Writer, join};
use crate::{
    def::{Kind, accessor, verifier},
    format::{ParseLiteral, Spacing},
};
use odsmith_ods::{AttrOrTypeDef, Parameter, format::Element};
use odsmith_tablegen::diagnostic::Diagnostic;

/// Writes the body of `parse`.
pub(in crate::def) fn emit_parser(def: &AttrOrTypeDef<'_>, elements: &[Element<'_>], w: &mut Writer) {
    for parameter in def.parameters() {
        let (ty, name) = (parameter.storage_type(), parameter.name);
        // The reference indents these twice.
        w.line(format_args!("  ::mlir::FailureOr<{ty}> _result_{name};"));
    }
    w.line("::llvm::SMLoc loc = parser.getCurrentLocation();\n(void) loc;");
    // Only attributes get a type.
    let known = [("_parser", "parser"), ("_type", "type")];
    let known = if Kind::of(def).short == "Attr" { &known[..] } else { &known[..1] };
    let parser = Parser { def, placeholders: Placeholders::new(known) };
    elements.iter().for_each(|element| parser.element(element, w));
    parser.construction(w);
}

struct Parser<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    placeholders: Placeholders,
}

impl Parser<'_, '_> {
    fn element(&self, element: &Element<'_>, w: &mut Writer) {
        match element {
            Element::Literal(literal) => emit_literal(literal, w),
            Element::Variable(_) => {
                if let Some(parameter) = parameter(self.def, element) {
                    self.variable(parameter, w);
                }
            }
            Element::Params => {
                w.line("// Parse parameter list");
                for (index, parameter) in self.def.parameters().iter().enumerate() {
                    if index > 0 {
                        emit_literal(",", w);
                    }
                    self.variable(parameter, w);
                }
            }
            Element::Struct(elements) => self.structure(&fields(self.def, elements), w),
            _ => {}
        }
    }

    fn variable(&self, parameter: &Parameter<'_>, w: &mut Writer) {
        let parser = parameter.assembly().0.map_or_else(
            || format!("::mlir::FieldParser<{}>::parse(parser)", parameter.storage_type()),
            |parser| self.placeholders.fill_with(parser, &[], &[parameter.cpp_type()]),
        );
        w.fill(
            VARIABLE,
            &[
                ("name", &parameter.name),
                ("parser", &parser),
                ("def", &self.def.definition().record_name()),
                ("type", &parameter.cpp_type()),
            ],
        );
    }

    /// Writes the parser of `struct`: pairs of key and value, in any order.
    fn structure(&self, fields: &[&Parameter<'_>], w: &mut Writer) {
        w.line("// Parse parameter struct");
        for parameter in fields {
            w.line(format_args!("bool _seen_{} = false;", parameter.name));
        }
        w.fill(STRUCT_START, &[("count", &fields.len())]);
        w.indented(|w| {
            emit_literal("=", w);
            for (index, parameter) in fields.iter().enumerate() {
                let name = parameter.name;
                let otherwise = if index > 0 { "} else " } else { "" };
                w.line(format_args!("{otherwise}if (!_seen_{name} && _paramKey == \"{name}\") {{"));
                w.indented(|w| {
                    w.line(format_args!("_seen_{name} = true;"));
                    self.variable(parameter, w);
                });
            }
        });
        // Without any field, the reference goes back one level.
        w.line(if fields.is_empty() { "{" } else { "  } else {" });
        w.fill(STRUCT_END, &[("count", &fields.len())]);
    }

    fn construction(&self, w: &mut Writer) {
        let class = self.def.cpp_class_name();
        let results = self.def.parameters().iter().map(|it| format!(",\n    _result_{}.getValue()", it.name));
        let start = match verifier::has_verifier(self.def) {
            true => format!("parser.getChecked<{class}>(loc, parser.getContext()"),
            false => format!("{class}::get(parser.getContext()"),
        };
        w.line(format_args!("return {start}{});", join(results, "")));
    }
}

/// Returns the parameters of a `struct`.
fn fields<'d, 'r>(def: &'d AttrOrTypeDef<'r>, elements: &[Element<'r>]) -> Vec<&'d Parameter<'r>> {
    match elements {
        [Element::Params] => def.parameters().iter().collect(),
        elements => elements.iter().filter_map(|element| bound_parameter(def, element)).collect(),
    }
}

fn emit_literal(literal: &str, w: &mut Writer) {
    w.line(format_args!("// Parse literal '{literal}'"));
    w.line(format_args!("if (parser.{})\n  return {{}};", ParseLiteral::required(literal)));
}

const VARIABLE: Template = Template(
    r#"

// Parse variable '@name'
_result_@name = @parser;
if (failed(_result_@name)) {
  parser.emitError(parser.getCurrentLocation(), "failed to parse @def parameter '@name' which is to be a `@type`");
  return {};
}
"#,
);

const STRUCT_START: Template = Template(
    r#"
for (unsigned _index = 0; _index < @count; ++_index) {
  StringRef _paramKey;
  if (parser.parseKeyword(&_paramKey)) {
    parser.emitError(parser.getCurrentLocation(),
                       "expected a parameter name in struct");
    return {};
  }
"#,
);

const STRUCT_END: Template = Template(
    r#"
    parser.emitError(parser.getCurrentLocation(), "duplicate or unknown struct parameter name: ") << _paramKey;
    return {};
  }
  if ((_index != @count - 1) && parser.parseComma())
    return {};
}
"#,
);

/// Checks that the printers of parameters are texts; a qualified parameter needs none.
///
/// # Errors
/// The value of a printer is unset.
pub(in crate::def) fn check_printers(
    def: &AttrOrTypeDef<'_>,
    elements: &[Element<'_>],
) -> Result<(), Diagnostic> {
    elements.iter().try_for_each(|element| {
        let printed = match element {
            Element::Variable(variable) if variable.is_qualified => Vec::new(),
            Element::Variable(variable) => vec![&def.parameters()[variable.index]],
            Element::Struct(elements) => fields(def, elements),
            Element::Params => def.parameters().iter().collect(),
            _ => Vec::new(),
        };
        printed.into_iter().try_for_each(|parameter| parameter.check_texts(&["printer"]))
    })
}

/// Writes the body of `print`.
pub(in crate::def) fn emit_printer(def: &AttrOrTypeDef<'_>, elements: &[Element<'_>], w: &mut Writer) {
    let placeholders = Placeholders::new(&[("_printer", "printer")]);
    let mut printer = Printer { def, placeholders, spacing: Spacing::default() };
    elements.iter().for_each(|element| printer.element(element, w));
}

struct Printer<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    placeholders: Placeholders,
    spacing: Spacing,
}

impl Printer<'_, '_> {
    fn element(&mut self, element: &Element<'_>, w: &mut Writer) {
        match element {
            Element::Literal(literal) => self.literal(literal, w),
            Element::Variable(variable) => {
                self.variable(&self.def.parameters()[variable.index], variable.is_qualified, w);
            }
            Element::Params => {
                for (index, parameter) in self.def.parameters().iter().enumerate() {
                    if index > 0 {
                        self.literal(",", w);
                    }
                    self.variable(parameter, false, w);
                }
            }
            Element::Struct(elements) => {
                for (index, parameter) in fields(self.def, elements).into_iter().enumerate() {
                    if index > 0 {
                        self.literal(",", w);
                    }
                    self.literal(parameter.name, w);
                    self.literal("=", w);
                    self.variable(parameter, false, w);
                }
            }
            _ => {}
        }
    }

    fn literal(&mut self, literal: &str, w: &mut Writer) {
        let blank = if self.spacing.literal(literal) { "' ' << " } else { "" };
        w.line(format_args!("printer << {blank}\"{literal}\";"));
    }

    fn variable(&mut self, parameter: &Parameter<'_>, is_qualified: bool, w: &mut Writer) {
        if self.spacing.element() {
            w.line("printer << ' ';");
        }
        let value = format!("{}()", accessor(parameter, w.rules()));
        self.placeholders.own = Some(value.clone());
        if is_qualified {
            w.line(format_args!("printer << {value};"));
        } else if let Some(printer) = parameter.assembly().1 {
            w.first_line(&(self.placeholders.fill(printer, &[]) + ";\n"));
        } else {
            w.line(format_args!("printer.printStrippedAttrOrType({value});"));
        }
    }
}
