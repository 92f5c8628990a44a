//! `print`: the elements of the format, without parameters that have their default values.

use super::{Placeholders, bound_parameter, listed, parameter};
use crate::cpp::{Writer, join};
use crate::{def::accessor, format::Spacing};
use odsmith_ods::{
    AttrOrTypeDef, Parameter,
    format::{Custom, Element, OptionalGroup, Whitespace},
};
use odsmith_release::{Change, spellings};

pub(in crate::def) fn emit(def: &AttrOrTypeDef<'_>, elements: &[Element<'_>], w: &mut Writer) {
    let placeholders = Placeholders::new(&[
        ("_printer", "odsPrinter"),
        ("_ctxt", "getContext()"),
        ("_builder", "odsBuilder"),
    ]);
    w.line("::mlir::Builder odsBuilder(getContext());");
    let mut spacing = Spacing::default();
    if w.rules().has(Change::BlankAfterMnemonic) {
        spacing.nothing();
    }
    Emitter { def, placeholders, spacing, is_field: false }.elements(elements, w);
}

/// Returns whether a blank must separate the output from the mnemonic, in releases where the caller of `print` writes
/// that blank.
pub(in crate::def) fn needs_blank_before(elements: &[Element<'_>]) -> bool {
    match elements.first() {
        Some(Element::Literal(literal)) => !literal.starts_with(['<', '(', '[', '{']),
        Some(Element::Whitespace(Whitespace::None) | Element::Optional(_)) | None => false,
        Some(_) => true,
    }
}

struct Emitter<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    placeholders: Placeholders,
    spacing: Spacing,
    /// True inside a field of a `struct`.
    is_field: bool,
}

impl Emitter<'_, '_> {
    fn elements(&mut self, elements: &[Element<'_>], w: &mut Writer) {
        for element in elements {
            self.element(element, w);
        }
    }

    fn element(&mut self, element: &Element<'_>, w: &mut Writer) {
        match element {
            Element::Literal(literal) => {
                let blank = if self.spacing.literal(literal) { "' ' << " } else { "" };
                w.line(format_args!("odsPrinter << {blank}\"{literal}\";"));
            }
            Element::Whitespace(Whitespace::None) => self.spacing.nothing(),
            Element::Whitespace(Whitespace::Space) => {
                self.spacing.gap();
                w.line("odsPrinter << \" \";");
            }
            Element::Whitespace(Whitespace::Newline) => {
                self.spacing.gap();
                let print = spellings::print_newline.of(w.rules());
                w.line(format_args!("odsPrinter{print};"));
            }
            Element::Variable(variable) => {
                self.variable(&self.def.parameters()[variable.index], variable.is_qualified, w);
            }
            Element::Custom(custom) => {
                if w.rules().has(Change::SpacedCustomDirectives) {
                    self.blank(w);
                }
                self.custom(custom, w);
            }
            Element::Params => self.params(w),
            Element::Struct(elements) => self.structure(elements, w),
            Element::Optional(group) => self.optional(group, w),
            // Attributes and types have no other elements.
            _ => {}
        }
    }

    /// Writes the blank before a variable or directive, if there is one.
    fn blank(&mut self, w: &mut Writer) {
        if self.spacing.element() {
            w.line("odsPrinter << ' ';");
        }
    }

    fn variable(&mut self, parameter: &Parameter<'_>, is_qualified: bool, w: &mut Writer) {
        let value = format!("{}()", accessor(parameter, w.rules()));
        self.placeholders.own = Some(value.clone());
        if parameter.is_optional() {
            let is_there = self.is_there(parameter);
            w.braces(format_args!("if ({is_there})"), |w| self.value(parameter, &value, is_qualified, w));
        } else {
            self.value(parameter, &value, is_qualified, w);
        }
    }

    fn value(&mut self, parameter: &Parameter<'_>, value: &str, is_qualified: bool, w: &mut Writer) {
        self.blank(w);
        if is_qualified {
            w.line(format_args!("odsPrinter << {value};"));
        } else if self.is_field && super::enum_of_field(parameter, w.rules()).is_some() {
            w.line(format_args!("odsPrinter << {value}.getValue();"));
        } else if let Some(printer) = parameter.assembly().1 {
            w.line(format_args!("{};", self.placeholders.fill(printer, &[])));
        } else {
            w.line(format_args!("odsPrinter.printStrippedAttrOrType({value});"));
        }
    }

    fn custom(&mut self, custom: &Custom<'_>, w: &mut Writer) {
        w.margin();
        write!(w, "print{}(odsPrinter", custom.name);
        w.indented(|w| {
            for element in &custom.parameters {
                w.raw(",\n");
                w.margin();
                match (element, parameter(self.def, element)) {
                    (Element::Code(code), _) => w.raw(&self.placeholders.fill(code, &[])),
                    (_, Some(parameter)) => write!(w, "{}()", accessor(parameter, w.rules())),
                    (_, None) => {}
                }
            }
        });
        w.raw(");\n");
    }

    fn params(&mut self, w: &mut Writer) {
        let def = self.def;
        let all: Vec<_> = listed(def).collect();
        self.list_blank(&all, w);
        if all.is_empty() && w.rules().has(Change::EmptyListsPrintNothing) {
            return;
        }
        w.block("{", "}", |w| {
            w.line("bool _firstPrinted = true;");
            for parameter in all {
                self.list_entry(parameter, w, |emitter, w| emitter.variable(parameter, false, w));
            }
        });
    }

    fn structure(&mut self, elements: &[Element<'_>], w: &mut Writer) {
        let def = self.def;
        let fields: Vec<_> = match elements {
            [Element::Params] => listed(def).map(|parameter| (parameter, None)).collect(),
            elements => {
                let field = |element| Some((bound_parameter(def, element)?, Some(element)));
                elements.iter().filter_map(field).collect()
            }
        };
        self.list_blank(&fields.iter().map(|(parameter, _)| *parameter).collect::<Vec<_>>(), w);
        if fields.is_empty() && w.rules().has(Change::EmptyListsPrintNothing) {
            return;
        }
        w.block("{", "}", |w| {
            w.line("bool _firstPrinted = true;");
            for (index, &(parameter, element)) in fields.iter().enumerate() {
                self.list_entry(parameter, w, |emitter, w| {
                    w.line(format_args!("odsPrinter << \"{} = \";", parameter.name));
                    let is_bracketed =
                        super::is_bracketed(parameter, element, index + 1 == fields.len(), w.rules());
                    if is_bracketed {
                        w.line("odsPrinter << \"[\";");
                    }
                    emitter.is_field = true;
                    match element {
                        Some(element) => emitter.element(element, w),
                        None => emitter.variable(parameter, false, w),
                    }
                    emitter.is_field = false;
                    if is_bracketed {
                        w.line("odsPrinter << \"]\";");
                    }
                });
            }
        });
    }

    /// Writes the blank before a list. If all of the list is optional, the blank is printed only if something is
    /// present.
    fn list_blank(&mut self, parameters: &[&Parameter<'_>], w: &mut Writer) {
        if !self.spacing.has_blank_before_element() {
            return;
        }
        if parameters.iter().all(|parameter| parameter.is_optional()) {
            let any = self.any_is_there(parameters);
            w.braces(format_args!("if ({any})"), |w| w.line("odsPrinter << ' ';"));
        } else {
            w.line("odsPrinter << ' ';");
        }
    }

    fn list_entry(
        &mut self,
        parameter: &Parameter<'_>,
        w: &mut Writer,
        body: impl FnOnce(&mut Self, &mut Writer),
    ) {
        let entry = |emitter: &mut Self, w: &mut Writer| {
            w.line("if (!_firstPrinted) odsPrinter << \", \";");
            w.line("_firstPrinted = false;");
            emitter.spacing.nothing();
            body(emitter, w);
        };
        if parameter.is_optional() {
            let is_there = self.is_there(parameter);
            w.braces(format_args!("if ({is_there})"), |w| entry(self, w));
        } else {
            entry(self, w);
        }
    }

    fn optional(&mut self, group: &OptionalGroup<'_>, w: &mut Writer) {
        let def = self.def;
        let parameters: Vec<_> = match group.anchor() {
            Some(Element::Params) => listed(def).collect(),
            Some(Element::Struct(elements)) if matches!(elements[..], [Element::Params]) => {
                listed(def).collect()
            }
            Some(Element::Struct(elements)) => {
                elements.iter().filter_map(|element| bound_parameter(def, element)).collect()
            }
            Some(Element::Custom(custom)) => {
                let decides = |element: &&Element<'_>| {
                    w.rules().has(Change::ReferencesDecide) || !matches!(element, Element::Ref(_))
                };
                custom
                    .parameters
                    .iter()
                    .filter(decides)
                    .filter_map(|element| parameter(def, element))
                    .collect()
            }
            Some(anchor) => parameter(def, anchor).into_iter().collect(),
            None => Vec::new(),
        };
        let any = self.any_is_there(&parameters);
        let condition = if group.is_inverted { format!("!({any})") } else { any };
        let spacing = self.spacing;
        w.line(format_args!("if ({condition}) {{"));
        w.indented(|w| self.elements(&group.then, w));
        self.spacing = spacing;
        w.line("} else {");
        w.indented(|w| self.elements(&group.otherwise, w));
        w.line("}");
    }

    /// Returns the condition that a parameter differs from its default value.
    fn is_there(&self, parameter: &Parameter<'_>) -> String {
        let rules = self.def.rules();
        self.placeholders.is_not_default(parameter, &format!("{}()", accessor(parameter, rules)))
    }

    fn any_is_there(&self, parameters: &[&Parameter<'_>]) -> String {
        let optional = parameters.iter().filter(|parameter| parameter.is_optional());
        join(optional.map(|parameter| self.is_there(parameter)).collect::<Vec<_>>(), " || ").to_string()
    }
}
