//! `parse`: a variable for each parameter's result, then the parser of each element, then the construction of the
//! attribute or type.
//!
//! A failure of any element ends the whole function.

use super::{Placeholders, listed, parameter};
use crate::cpp::{Template, Writer, cast};
use crate::{
    def::{Kind, storage::is_in_base, verifier},
    format::ParseLiteral,
};
use odsmith_ods::{
    AttrOrTypeDef, Parameter,
    format::{Custom, Element, OptionalGroup},
};
use odsmith_release::{Change, Rules, spellings};

pub(in crate::def) fn emit(def: &AttrOrTypeDef<'_>, elements: &[Element<'_>], w: &mut Writer) {
    let mut placeholders = Placeholders::new(&[
        ("_parser", "odsParser"),
        ("_ctxt", "odsParser.getContext()"),
        ("_builder", "odsBuilder"),
        ("_loc", "odsLoc"),
    ]);
    if Kind::of(def).short == "Attr" {
        placeholders.known.push(("_type", "odsType"));
    }
    let mut emitter = Emitter { def, placeholders };
    w.line("::mlir::Builder odsBuilder(odsParser.getContext());");
    let is_located_first = w.rules().has(Change::StorageKeys);
    if is_located_first {
        emit_location(w);
    }
    let rules = *w.rules();
    for parameter in def.parameters().iter().filter(|it| !is_in_base(it, &rules)) {
        w.line(format_args!("::mlir::FailureOr<{}> {};", parameter.storage_type(), result_of(parameter)));
        if parameter.is_self_type() {
            emitter.self_type(parameter, w);
        }
    }
    if !is_located_first {
        emit_location(w);
    }
    emitter.elements(elements, w);
    let required = |it: &&Parameter<'_>| !it.is_optional() && !is_in_base(it, &rules);
    for parameter in def.parameters().iter().filter(required) {
        w.line(format_args!("assert(::mlir::succeeded({}));", result_of(parameter)));
    }
    emitter.construction(w);
}

fn emit_location(w: &mut Writer) {
    w.line("::llvm::SMLoc odsLoc = odsParser.getCurrentLocation();");
    w.line("(void) odsLoc;");
}

fn parameter_rules<'r>(def: &AttrOrTypeDef<'r>) -> &'r Rules {
    def.rules()
}

/// Returns the variable that holds what was parsed for a parameter.
fn result_of(parameter: &Parameter<'_>) -> String {
    format!("_result_{}", parameter.name)
}

const SELF_TYPE: Template = Template(
    r#"

if (@self) {
  if (auto reqType = @cast) {
    @result = reqType;
  } else {
    odsParser.emitError(odsLoc, "invalid kind of type specified");
    return {};
  }
"#,
);

const SELF_TYPE_MISSING: Template = Template(
    r#"
} else {
  odsParser.emitError(odsLoc, "expected a trailing type");
  return {};
}
"#,
);

const END: Template = Template("}\n");

struct Emitter<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    placeholders: Placeholders,
}

impl Emitter<'_, '_> {
    /// Writes the cast of an attribute's own type, which has been parsed already. Types have none, but the reference
    /// does not check that.
    fn self_type(&self, parameter: &Parameter<'_>, w: &mut Writer) {
        let self_type = self.placeholders.fill("$_type", &[]);
        let (ty, result) = (parameter.cpp_type(), result_of(parameter));
        let cast = cast(w.rules(), "::llvm::dyn_cast", ty, &self_type).to_string();
        w.fill(SELF_TYPE, &[("self", &self_type), ("cast", &cast), ("result", &result)]);
        w.fill(if parameter.is_optional() { END } else { SELF_TYPE_MISSING }, &[]);
    }

    fn elements(&mut self, elements: &[Element<'_>], w: &mut Writer) {
        for element in elements {
            self.element(element, w);
        }
    }

    fn element(&mut self, element: &Element<'_>, w: &mut Writer) {
        match element {
            Element::Literal(literal) => emit_literal(literal, w),
            Element::Variable(variable) => self.variable(&self.def.parameters()[variable.index], w),
            Element::Custom(custom) => self.custom(custom, w),
            Element::Params => self.params(w),
            Element::Struct(elements) => self.structure(elements, w),
            Element::Optional(group) => self.optional(group, w),
            // The other elements of attributes and types are only printed.
            _ => {}
        }
    }

    fn variable(&self, parameter: &Parameter<'_>, w: &mut Writer) {
        Self::start(parameter, w);
        let parser = parameter.assembly().0.map_or_else(
            || format!("::mlir::FieldParser<{}>::parse(odsParser)", parameter.storage_type()),
            |parser| self.placeholders.fill_with(parser, &[], &[parameter.storage_type()]),
        );
        w.line(format_args!("{} = {parser};", result_of(parameter)));
        self.check(parameter, w);
    }

    /// Writes the start of a parameter's parser, which loads the dialect that the parameter needs.
    fn start(parameter: &Parameter<'_>, w: &mut Writer) {
        w.fill(VARIABLE_START, &[("name", &parameter.name)]);
        if w.rules().has(Change::DialectsOfParametersLoaded)
            && let Some(dialect) = parameter.dialect()
        {
            let (namespace, class) = (dialect.cpp_namespace(), dialect.cpp_class_name());
            w.line(format_args!("odsParser.getContext()->getOrLoadDialect<{namespace}::{class}>();"));
        }
    }

    /// Writes the check of what was parsed for a parameter.
    fn check(&self, parameter: &Parameter<'_>, w: &mut Writer) {
        w.fill(
            VARIABLE_CHECK,
            &[
                ("name", &parameter.name),
                ("def", &self.def.definition().record_name()),
                ("type", &parameter.cpp_type()),
            ],
        );
    }

    /// Writes a call of the user's function, and the check that it has set every required parameter.
    fn custom(&self, custom: &Custom<'_>, w: &mut Writer) {
        w.block("{", "}", |w| {
            self.custom_call(custom, w);
            w.line("if (::mlir::failed(odsCustomResult)) return {};");
            let bound = custom.parameters.iter().filter(|element| element.variable().is_some());
            for parameter in bound.filter_map(|element| parameter(self.def, element)) {
                if !parameter.is_optional() {
                    let holes: &[(&str, &dyn std::fmt::Display)] = &[("name", &parameter.name)];
                    w.fill(CUSTOM_CHECK, holes);
                }
            }
        });
    }

    fn custom_call(&self, custom: &Custom<'_>, w: &mut Writer) {
        w.line("auto odsCustomLoc = odsParser.getCurrentLocation();");
        w.line("(void)odsCustomLoc;");
        w.margin();
        write!(w, "auto odsCustomResult = parse{}(odsParser", custom.name);
        w.indented(|w| {
            for element in &custom.parameters {
                w.raw(",\n");
                w.margin();
                w.raw(&self.argument(element));
            }
        });
        w.raw(");\n");
    }

    fn argument(&self, element: &Element<'_>) -> String {
        match element {
            Element::Code(code) => self.placeholders.fill(code, &[]),
            _ => parameter(self.def, element).map_or_else(String::new, |parameter| match element {
                Element::Ref(_) => format!("*{}", result_of(parameter)),
                _ if !parameter_rules(self.def).has(Change::SpacedCustomDirectives) => result_of(parameter),
                _ => format!("::mlir::detail::unwrapForCustomParse({})", result_of(parameter)),
            }),
        }
    }

    /// Writes the parser of parameters in order, with commas in between. Optional ones may be missing, and the list may
    /// end before them.
    fn params(&mut self, w: &mut Writer) {
        w.line("// Parse parameter list");
        let def = self.def;
        let all: Vec<_> = listed(def).collect();
        if !all.iter().any(|parameter| parameter.is_optional()) {
            return self.list(&all, w);
        }
        w.line("do {");
        w.indented(|w| self.list(&all, w));
        w.line("} while(false);");
    }

    fn list(&mut self, parameters: &[&Parameter<'_>], w: &mut Writer) {
        for (index, parameter) in parameters.iter().enumerate() {
            self.variable(parameter, w);
            let rest = &parameters[index + 1..];
            if rest.is_empty() {
                continue;
            }
            let may_end = rest.iter().all(|parameter| parameter.is_optional());
            if parameter.is_optional() {
                let result = result_of(parameter);
                let is_there = match w.rules().has(Change::OptionalByDefault) {
                    true => self.placeholders.is_not_default(parameter, &format!("(*{result})")),
                    false => format!("*{result}"),
                };
                w.braces(format_args!("if (::mlir::succeeded({result}) && {is_there})"), |w| {
                    emit_comma(may_end, w);
                });
            } else {
                emit_comma(may_end, w);
            }
        }
    }

    /// Writes the parser of pairs of key and value, in any order.
    fn structure(&mut self, elements: &[Element<'_>], w: &mut Writer) {
        let def = self.def;
        let all: Vec<_> = listed(def).map(|parameter| (parameter, None)).collect();
        let fields = match elements {
            [Element::Params] => all,
            elements => {
                let field = |element| Some((super::bound_parameter(def, element)?, Some(element)));
                elements.iter().filter_map(field).collect()
            }
        };
        w.line("// Parse parameter struct");
        for (parameter, _) in &fields {
            w.line(format_args!("bool _seen_{} = false;", parameter.name));
        }
        w.block("{", "}", |w| {
            w.block("const auto _loop_body = [&](::llvm::StringRef _paramKey) -> bool {", "};", |w| {
                self.fields(&fields, w);
            });
            let count = fields.len();
            let required: Vec<_> = fields.iter().filter(|(parameter, _)| !parameter.is_optional()).collect();
            if required.len() == count {
                w.fill(ALL_REQUIRED, &[("count", &count)]);
            } else if required.is_empty() {
                w.fill(ALL_OPTIONAL, &[]);
            } else {
                w.fill(SOME_REQUIRED, &[]);
                for (parameter, _) in required {
                    w.fill(FIELD_MISSING, &[("name", &parameter.name)]);
                }
            }
        });
    }

    /// Writes the parser of the value after a key.
    fn fields(&mut self, fields: &[(&Parameter<'_>, Option<&Element<'_>>)], w: &mut Writer) {
        emit_literal("=", w);
        for (index, (parameter, element)) in fields.iter().enumerate() {
            let name = parameter.name;
            let otherwise = if index > 0 { "} else " } else { "" };
            w.line(format_args!("{otherwise}if (!_seen_{name} && _paramKey == \"{name}\") {{"));
            w.indented(|w| {
                w.line(format_args!("_seen_{name} = true;"));
                if super::is_bracketed(parameter, *element, index + 1 == fields.len(), w.rules()) {
                    emit_literal("[", w);
                    w.indented(|w| self.value(parameter, *element, w));
                    emit_literal("]", w);
                } else {
                    self.value(parameter, *element, w);
                }
                if parameter.is_optional() && !w.rules().has(Change::OptionalByDefault) {
                    w.fill(FIELD_EMPTY, &[("name", &name)]);
                }
            });
        }
        w.line(if fields.is_empty() { "{" } else { "} else {" });
        w.fill(FIELDS_END, &[]);
    }

    fn value(&mut self, parameter: &Parameter<'_>, element: Option<&Element<'_>>, w: &mut Writer) {
        let info = super::enum_of_field(parameter, w.rules());
        match (element, info) {
            (None | Some(Element::Variable(_)), Some(info)) => {
                Self::start(parameter, w);
                w.fill(
                    ENUM_FIELD,
                    &[
                        ("name", &parameter.name),
                        ("Attr", &parameter.storage_type()),
                        ("Enum", &info.qualified_name),
                    ],
                );
                self.check(parameter, w);
            }
            (Some(element), _) => self.element(element, w),
            (None, None) => self.variable(parameter, w),
        }
    }

    /// Writes the parser of a group. Its first element decides whether the rest follows.
    fn optional(&mut self, group: &OptionalGroup<'_>, w: &mut Writer) {
        let (first, rest) = group.then[group.first_parsed()..].split_at(1);
        match first {
            [Element::Literal(literal)] => {
                w.line(format_args!("// Parse literal '{literal}'"));
                w.line(format_args!("if (odsParser.{}) {{", ParseLiteral::optional(literal)));
            }
            [Element::Custom(custom)] => {
                w.line("if (auto result = [&]() -> ::mlir::OptionalParseResult {");
                w.indented(|w| {
                    w.block("{", "}", |w| {
                        self.custom_call(custom, w);
                        let is_none = spellings::no_custom_result.of(w.rules());
                        w.line(format_args!("if ({is_none}) return {{}};"));
                        w.line("if (::mlir::failed(*odsCustomResult)) return ::mlir::failure();");
                    });
                    w.line("return ::mlir::success();");
                });
                // Here the reference swaps the two branches by mistake.
                w.fill(CUSTOM_GROUP, &[]);
            }
            first => {
                self.elements(first, w);
                if let Some(parameter) = first.first().and_then(|first| parameter(self.def, first)) {
                    let result = result_of(parameter);
                    w.line(format_args!("if (!((::mlir::succeeded({result}) && *{result}))) {{"));
                }
            }
        }
        w.indented(|w| self.elements(&group.otherwise, w));
        w.line("} else {");
        w.indented(|w| self.elements(rest, w));
        w.line("}");
    }

    /// Writes the construction of the attribute or type from the results.
    fn construction(&mut self, w: &mut Writer) {
        let def = self.def;
        let class = def.cpp_class_name();
        w.margin();
        if verifier::has_verifier(def) {
            write!(w, "return odsParser.getChecked<{class}>(odsLoc, odsParser.getContext()");
        } else {
            write!(w, "return {class}::get(odsParser.getContext()");
        }
        for parameter in def.parameters() {
            let result = result_of(parameter);
            let value = match parameter.default_value() {
                _ if is_in_base(parameter, w.rules()) => "odsType".to_owned(),
                Some(default) => format!("({result}.value_or({}))", self.placeholders.fill(default, &[])),
                None if parameter.is_optional() => {
                    format!("({result}.value_or({}()))", parameter.storage_type())
                }
                None => format!("(*{result})"),
            };
            if w.rules().has(Change::OptionalByDefault) {
                self.placeholders.parsed.push((parameter.name.to_owned(), value.clone()));
            }
            self.placeholders.own = Some(value);
            let value = self.placeholders.fill(parameter.convert_from_storage(), &[]);
            write!(w, ",\n    {}({value})", parameter.cpp_type());
        }
        w.raw(");\n");
    }
}

fn emit_literal(literal: &str, w: &mut Writer) {
    w.line(format_args!("// Parse literal '{literal}'"));
    w.line(format_args!("if (odsParser.{}) return {{}};", ParseLiteral::required(literal)));
}

fn emit_comma(may_end: bool, w: &mut Writer) {
    if may_end {
        w.line("// Parse literal ','");
        w.line("if (odsParser.parseOptionalComma()) break;");
    } else {
        emit_literal(",", w);
    }
}

const VARIABLE_START: Template = Template(
    r#"

// Parse variable '@name'
"#,
);

const ENUM_FIELD: Template = Template(
    r#"
_result_@name = [&]() -> ::mlir::FailureOr<@Attr> {
  auto odsEnumValue = ::mlir::FieldParser<@Enum>::parse(odsParser);
  if (::mlir::failed(odsEnumValue))
    return ::mlir::failure();
  return @Attr::get(odsParser.getContext(), *odsEnumValue);
}();
"#,
);

const VARIABLE_CHECK: Template = Template(
    r#"
if (::mlir::failed(_result_@name)) {
  odsParser.emitError(odsParser.getCurrentLocation(), "failed to parse @def parameter '@name' which is to be a `@type`");
  return {};
}
"#,
);

const CUSTOM_CHECK: Template = Template(
    r#"
if (::mlir::failed(_result_@name)) {
  odsParser.emitError(odsCustomLoc, "custom parser failed to parse parameter '@name'");
  return {};
}
"#,
);

const CUSTOM_GROUP: Template = Template(
    r#"
}(); result.has_value() && ::mlir::failed(*result)) {
  return {};
} else if (result.has_value()) {
"#,
);

const FIELDS_END: Template = Template(
    r#"
  odsParser.emitError(odsParser.getCurrentLocation(), "duplicate or unknown struct parameter name: ") << _paramKey;
  return {};
}
return true;
"#,
);

const ALL_OPTIONAL: Template = Template(
    r#"
::llvm::StringRef _paramKey;
if (!odsParser.parseOptionalKeyword(&_paramKey)) {
  if (!_loop_body(_paramKey)) return {};
  while (!odsParser.parseOptionalComma()) {
    ::llvm::StringRef _paramKey;
    if (odsParser.parseKeyword(&_paramKey)) {
      odsParser.emitError(odsParser.getCurrentLocation(),
                         "expected a parameter name in struct");
      return {};
    }
    if (!_loop_body(_paramKey)) return {};
  }
}
"#,
);

const ALL_REQUIRED: Template = Template(
    r#"
for (unsigned odsStructIndex = 0; odsStructIndex < @count; ++odsStructIndex) {
  ::llvm::StringRef _paramKey;
  if (odsParser.parseKeyword(&_paramKey)) {
    odsParser.emitError(odsParser.getCurrentLocation(),
                       "expected a parameter name in struct");
    return {};
  }
  if (!_loop_body(_paramKey)) return {};
  if ((odsStructIndex != @count - 1) && odsParser.parseComma())
    return {};
}
"#,
);

const SOME_REQUIRED: Template = Template(
    r#"
do {
  ::llvm::StringRef _paramKey;
  if (odsParser.parseKeyword(&_paramKey)) {
    odsParser.emitError(odsParser.getCurrentLocation(),
                       "expected a parameter name in struct");
    return {};
  }
  if (!_loop_body(_paramKey)) return {};
} while(!odsParser.parseOptionalComma());
"#,
);

const FIELD_EMPTY: Template = Template(
    r#"
if (::mlir::succeeded(_result_@name) && !*_result_@name) {
  odsParser.emitError(odsParser.getCurrentLocation(), "expected a value for parameter '@name'");
  return {};
}
"#,
);

const FIELD_MISSING: Template = Template(
    r#"
if (!_seen_@name) {
  odsParser.emitError(odsParser.getCurrentLocation(), "struct is missing required parameter: ") << "@name";
  return {};
}
"#,
);
