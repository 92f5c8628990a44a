//! The format of an operation: the meaning of its variables and directives, and the requirements of the manual.

use super::{
    Clause, Element, FormatError, OptionalGroup, TypeOf, Variable, VariableKind,
    lexer::Token,
    parser::{Context, Meaning, Parser},
};
use crate::{
    Attribute, EnumInfo, Operation, TypeConstraint,
    infer::{ELEMENT_TYPES, Inference},
};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::{
    diagnostic::{Diagnostic, Id},
    record::{Val, name},
};

type Result<T> = std::result::Result<T, FormatError>;

/// The checked format of an operation.
#[derive(Clone, Debug)]
pub struct OpFormat<'r> {
    /// The elements, in order.
    pub elements: Vec<Element<'r>>,
    /// The source of each operand's type.
    pub operand_types: Vec<TypeSource<'r>>,
    /// The source of each result's type.
    pub result_types: Vec<TypeSource<'r>>,
    /// True if all result types are left to `inferReturnTypes`.
    pub infers_result_types: bool,
    /// True if `operands` appears in the format.
    pub has_all_operands: bool,
    /// True if the types of all operands are given at once.
    pub has_all_operand_types: bool,
    /// True if the types of all results are given at once.
    pub has_all_result_types: bool,
    /// True if `prop-dict` appears in the format.
    pub has_prop_dict: bool,
    /// Indices of the attributes in the format, in order of appearance.
    pub attributes: Vec<usize>,
    /// Indices of the properties in the format, in order of appearance.
    pub properties: Vec<usize>,
}

/// The source of an operand's or result's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeSource<'r> {
    /// The format itself.
    Format,
    /// The C++ call that builds the only possible type.
    Buildable(&'r str),
    /// The type of a variable, converted by C++ with `$_self` unless it is simply equal.
    Variable(Variable<'r>, Option<&'r str>),
    /// `inferReturnTypes`.
    Inferred,
}

impl<'r> OpFormat<'r> {
    /// Reads and checks the format of an operation.
    ///
    /// # Errors
    /// The mistakes in the format; more than one message only if the first is about a token.
    pub fn new(op: &Operation<'r>, text: &'r str) -> std::result::Result<Self, Vec<Diagnostic>> {
        let mut meaning = OpMeaning::new(op);
        let diagnostics = |errors: Vec<FormatError>| -> Vec<Diagnostic> {
            errors.into_iter().map(|error| error.into_diagnostic(text, op.rec().span())).collect()
        };
        let (elements, start) =
            Parser::parse(text, op.rec().records().rules(), &mut meaning).map_err(diagnostics)?;
        meaning.finish(elements, start).map_err(|error| diagnostics(vec![error]))
    }
}

/// The parts of an operation that the format has mentioned so far.
struct OpMeaning<'o, 'r> {
    op: &'o Operation<'r>,
    seen: Vec<(VariableKind, usize)>,
    seen_types: Vec<(VariableKind, usize)>,
    has_attr_dict: bool,
    has_prop_dict: bool,
    has_all_operands: bool,
    has_all_regions: bool,
    has_all_successors: bool,
    has_all_operand_types: bool,
    has_all_result_types: bool,
}

impl<'o, 'r> OpMeaning<'o, 'r> {
    fn new(op: &'o Operation<'r>) -> Self {
        OpMeaning {
            op,
            seen: Vec::new(),
            seen_types: Vec::new(),
            has_attr_dict: false,
            has_prop_dict: false,
            has_all_operands: false,
            has_all_regions: false,
            has_all_successors: false,
            has_all_operand_types: false,
            has_all_result_types: false,
        }
    }

    /// Returns the variable of this name.
    fn find(&self, name: &str) -> Option<Variable<'r>> {
        fn position<'r>(
            kind: VariableKind,
            mut names: impl Iterator<Item = &'r str>,
            name: &str,
        ) -> Option<(VariableKind, usize)> {
            names.position(|known| known == name).map(|index| (kind, index))
        }
        let op = self.op;
        let (kind, index) = position(VariableKind::Attribute, op.attributes().iter().map(|it| it.name), name)
            .or_else(|| position(VariableKind::Property, op.properties().iter().map(|it| it.name), name))
            .or_else(|| position(VariableKind::Operand, op.operands().iter().map(|it| it.name), name))
            .or_else(|| position(VariableKind::Region, op.regions().iter().map(|it| it.name), name))
            .or_else(|| position(VariableKind::Result, op.results().iter().map(|it| it.name), name))
            .or_else(|| position(VariableKind::Successor, op.successors().iter().map(|it| it.name), name))?;
        Some(Variable { kind, index, name: self.name_of(kind, index), is_qualified: false, is_case: false })
    }

    fn name_of(&self, kind: VariableKind, index: usize) -> &'r str {
        match kind {
            VariableKind::Attribute => self.op.attributes()[index].name,
            VariableKind::Property => self.op.properties()[index].name,
            VariableKind::Operand => self.op.operands()[index].name,
            VariableKind::Region => self.op.regions()[index].name,
            VariableKind::Result => self.op.results()[index].name,
            VariableKind::Successor => self.op.successors()[index].name,
            VariableKind::Parameter => "",
        }
    }

    fn attribute(&self, variable: Variable<'_>) -> Attribute<'r> {
        self.op.attributes()[variable.index].attribute
    }

    /// Returns the type constraint of an operand or result.
    fn constraint(&self, variable: Variable<'_>) -> TypeConstraint<'r> {
        match variable.kind {
            VariableKind::Result => self.op.results()[variable.index].constraint,
            _ => self.op.operands()[variable.index].constraint,
        }
    }

    fn is_seen(&self, kind: VariableKind, index: usize) -> bool {
        self.seen.contains(&(kind, index))
    }

    fn rules(&self) -> &'r Rules {
        self.op.rec().records().rules()
    }

    /// Returns whether the directive for all entities of a kind has been seen.
    fn has_all(&self, kind: VariableKind) -> bool {
        match kind {
            VariableKind::Operand => self.has_all_operands,
            VariableKind::Region => self.has_all_regions,
            VariableKind::Successor => self.has_all_successors,
            _ => false,
        }
    }

    /// Records `operands`, `regions` or `successors`.
    fn bind_all(&mut self, kind: VariableKind, name: &str, at: usize, context: Context) -> Result<()> {
        if context == Context::Ref {
            if !self.has_all(kind) {
                let message = format!("'ref' of '{name}' is not bound by a prior '{name}' directive");
                return Err(FormatError::new(at, message));
            }
            return Ok(());
        }
        if self.has_all(kind) || self.seen.iter().any(|(seen, _)| *seen == kind) {
            return Err(FormatError::new(at, format!("'{name}' directive creates overlap in format")));
        }
        match kind {
            VariableKind::Operand => self.has_all_operands = true,
            VariableKind::Region => self.has_all_regions = true,
            _ => self.has_all_successors = true,
        }
        Ok(())
    }

    fn attr_dict(&mut self, with_keyword: bool, at: usize, context: Context) -> Result<Element<'r>> {
        match context {
            Context::Type => {
                let message = "'attr-dict' directive can only be used as a top-level directive";
                return Err(FormatError::new(at, message));
            }
            Context::Ref if !self.has_attr_dict => {
                let message = "'ref' of 'attr-dict' is not bound by a prior 'attr-dict' directive";
                return Err(FormatError::new(at, message));
            }
            Context::Ref => {}
            _ if self.has_attr_dict => {
                return Err(FormatError::new(at, "'attr-dict' directive has already been seen"));
            }
            _ => self.has_attr_dict = true,
        }
        Ok(Element::AttrDict { with_keyword })
    }

    fn prop_dict(&mut self, at: usize, context: Context) -> Result<Element<'r>> {
        if context == Context::Type {
            let message = "'prop-dict' directive can only be used as a top-level directive";
            return Err(FormatError::new(at, message));
        }
        if context == Context::Ref {
            return Err(FormatError::new(at, "'ref' of 'prop-dict' unsupported"));
        }
        if self.has_prop_dict {
            return Err(FormatError::new(at, "'prop-dict' directive has already been seen"));
        }
        self.has_prop_dict = true;
        Ok(Element::PropDict)
    }

    /// Marks the attribute in `enum(…)` as a case of its enum.
    fn case(&self, mut element: Element<'r>, at: usize) -> Result<Element<'r>> {
        let info = match &mut element {
            Element::Variable(variable) if variable.kind == VariableKind::Attribute => {
                if variable.is_qualified {
                    return Err(FormatError::new(at, QUALIFIED_CASE));
                }
                variable.is_case = true;
                self.attribute(*variable).enum_info()
            }
            _ => None,
        };
        let Some(info) = info.map(EnumInfo::lenient) else {
            return Err(FormatError::new(at, "'enum' directive expects an enum attribute"));
        };
        if info.bits.is_some() && !info.cases.iter().any(|case| case.value == 0) {
            let message = "'enum' directive requires a bit enum to define a zero-valued case";
            return Err(FormatError::new(at, message));
        }
        Ok(element)
    }

    /// Records that a type is given, or checks that it has been.
    fn bind_type(&mut self, of: TypeOf<'r>, at: usize, context: Context) -> Result<()> {
        let is_bound = match of {
            TypeOf::Variable(Variable { kind, index, .. }) => {
                let has_all = if kind == VariableKind::Result {
                    self.has_all_result_types
                } else {
                    self.has_all_operand_types
                };
                self.seen_types.contains(&(kind, index)) || (has_all && context != Context::Ref)
            }
            TypeOf::Operands => {
                let has_one = self.seen_types.iter().any(|(kind, _)| *kind == VariableKind::Operand);
                self.has_all_operand_types || (has_one && context != Context::Ref)
            }
            TypeOf::Results => {
                let has_one = self.seen_types.iter().any(|(kind, _)| *kind == VariableKind::Result);
                self.has_all_result_types || (has_one && context != Context::Ref)
            }
        };
        if context == Context::Ref {
            let name = match of {
                TypeOf::Variable(variable) => format!("${}", variable.name),
                TypeOf::Operands | TypeOf::Results => of.name().to_owned(),
            };
            let message = format!("'ref' of 'type({name})' is not bound by a prior 'type' directive");
            return if is_bound { Ok(()) } else { Err(FormatError::new(at, message)) };
        }
        if is_bound {
            return Err(FormatError::new(
                at,
                match of {
                    TypeOf::Variable(variable) => format!("'type' of '{}' is already bound", variable.name),
                    TypeOf::Operands | TypeOf::Results => format!("'{}' 'type' is already bound", of.name()),
                },
            ));
        }
        match of {
            TypeOf::Variable(variable) => self.seen_types.push((variable.kind, variable.index)),
            TypeOf::Operands => self.has_all_operand_types = true,
            TypeOf::Results => self.has_all_result_types = true,
        }
        Ok(())
    }

    /// Returns the error for a region or successor inside a directive.
    fn misplaced(&self, word: &str) -> String {
        format!("{word}s can only be used {}", spellings::where_in_formats.of(self.rules()))
    }

    /// Checks that this type may appear in an optional group.
    fn check_optional_type(&self, of: TypeOf<'_>, at: usize) -> Result<()> {
        let TypeOf::Variable(variable) = of else {
            return Err(FormatError::new(at, NOT_IN_GROUP));
        };
        if self.constraint(variable).is_variable_length() {
            return Ok(());
        }
        let kind = if variable.kind == VariableKind::Result { "results" } else { "operands" };
        let message = format!("only variable length {kind} can be used within an optional group");
        Err(FormatError::new(at, message))
    }
}

const ONLY_ANCHORS: &str = "only variables and types can be used to anchor an optional group";
const ONLY_OPTIONAL_OR_DEFAULT: &str =
    "only optional or default-valued attributes can be used to anchor an optional group";
const QUALIFIED_CASE: &str = "'enum' and 'qualified' directives cannot be combined";
const NOT_IN_GROUP: &str = "only literals, types, and variables can be used within an optional group";

impl<'r> Meaning<'r> for OpMeaning<'_, 'r> {
    const HAS_OILIST: bool = true;
    const CHECKS_INVERTED_ANCHOR: bool = false;

    fn qualified(mut element: Element<'r>, at: usize) -> Result<Element<'r>> {
        match &mut element {
            Element::Type { is_qualified, .. } => *is_qualified = true,
            Element::Variable(variable) if variable.is_case => {
                return Err(FormatError::new(at, QUALIFIED_CASE));
            }
            Element::Variable(variable) if variable.kind == VariableKind::Attribute => {
                variable.is_qualified = true
            }
            _ => {
                let message = "'qualified' directive expects an attribute or a `type` directive";
                return Err(FormatError::new(at, message));
            }
        }
        Ok(element)
    }

    fn variable(&mut self, name: &'r str, at: usize, context: Context) -> Result<Element<'r>> {
        let Some(variable) = self.find(name) else {
            let message = "expected variable to refer to an argument, region, result, or successor";
            return Err(FormatError::new(at, message));
        };
        let (kind, index) = (variable.kind, variable.index);
        let is_plain = matches!(context, Context::TopLevel | Context::Type);
        if kind == VariableKind::Property && is_plain && !self.rules().has(Change::PropertiesInFormats) {
            let message = "properties currently only supported in `custom` directive";
            return Err(FormatError::new(at, message));
        }
        let word = match kind {
            VariableKind::Attribute => "attribute",
            VariableKind::Property => "property",
            VariableKind::Operand => "operand",
            VariableKind::Region => "region",
            VariableKind::Successor => "successor",
            VariableKind::Result | VariableKind::Parameter if context == Context::Type => {
                return Ok(Element::Variable(variable));
            }
            VariableKind::Result | VariableKind::Parameter => {
                let message = "result variables can can only be used as a child to a 'type' directive";
                return Err(FormatError::new(at, message));
            }
        };
        if context == Context::Type {
            let message = match kind {
                VariableKind::Attribute => {
                    "attributes cannot be used as children to a `type` directive".to_owned()
                }
                VariableKind::Property => {
                    "properties cannot be used as children to a `type` directive".to_owned()
                }
                VariableKind::Operand => return Ok(Element::Variable(variable)),
                _ => self.misplaced(word),
            };
            return Err(FormatError::new(at, message));
        }
        if context == Context::Ref {
            if !self.is_seen(kind, index) {
                let message = format!("{word} '{name}' must be bound before it is referenced");
                return Err(FormatError::new(at, message));
            }
            let is_of_control_flow = matches!(kind, VariableKind::Region | VariableKind::Successor);
            if is_of_control_flow && !self.rules().has(Change::ReferencesToRegions) {
                return Err(FormatError::new(at, self.misplaced(word)));
            }
            return Ok(Element::Variable(variable));
        }
        if self.has_all(kind) || self.is_seen(kind, index) {
            return Err(FormatError::new(at, format!("{word} '{name}' is already bound")));
        }
        self.seen.push((kind, index));
        Ok(Element::Variable(variable))
    }

    fn directive(
        parser: &mut Parser<'r, '_, Self>,
        token: Token<'r>,
        context: Context,
    ) -> Result<Element<'r>> {
        let Token { at, text: name, .. } = token;
        let only_top_level = |message: String| Err(FormatError::new(at, message));
        match name {
            "attr-dict" => parser.meaning.attr_dict(false, at, context),
            "attr-dict-with-keyword" => parser.meaning.attr_dict(true, at, context),
            "prop-dict" if !parser.meaning.rules().has(Change::Properties) => {
                Err(FormatError::new(at, spellings::not_an_element.of(parser.meaning.rules())))
            }
            "prop-dict" => parser.meaning.prop_dict(at, context),
            "enum" => {
                if context != Context::TopLevel {
                    return only_top_level("'enum' directive can only be used at the top level".to_owned());
                }
                parser.expect(b'(', "expected '(' before argument list")?;
                let element = parser.element(context)?;
                parser.expect(b')', "expected ')' after argument list")?;
                parser.meaning.case(element, at)
            }
            "functional-type" => {
                if context != Context::TopLevel {
                    return only_top_level(format!("'{name}' is only valid as a top-level directive"));
                }
                parser.expect(b'(', "expected '(' before argument list")?;
                let (inputs, of_inputs) = parser.type_operand(at)?;
                parser.expect(b',', "expected ',' after inputs argument")?;
                let (results, of_results) = parser.type_operand(at)?;
                parser.expect(b')', "expected ')' after argument list")?;
                parser.meaning.bind_type(inputs, of_inputs, context)?;
                parser.meaning.bind_type(results, of_results, context)?;
                Ok(Element::FunctionalType { inputs, results })
            }
            "type" => {
                if context == Context::Type {
                    return only_top_level("'type' cannot be used as a child of another `type`".to_owned());
                }
                parser.expect(b'(', "expected '(' before argument list")?;
                let (of, of_operand) = parser.type_operand(at)?;
                parser.expect(b')', "expected ')' after argument list")?;
                parser.meaning.bind_type(of, of_operand, context)?;
                Ok(Element::Type { of, is_qualified: false })
            }
            "operands" => {
                if context != Context::Type {
                    parser.meaning.bind_all(VariableKind::Operand, name, at, context)?;
                }
                Ok(Element::Operands)
            }
            "results" if context == Context::Type => Ok(Element::Results),
            "results" => only_top_level(
                "'results' directive can can only be used as a child to a 'type' directive".to_owned(),
            ),
            "regions" | "successors" if context == Context::Type => {
                only_top_level(format!("'{name}' is only valid as a top-level directive"))
            }
            "regions" => {
                parser.meaning.bind_all(VariableKind::Region, name, at, context)?;
                Ok(Element::Regions)
            }
            "successors" => {
                parser.meaning.bind_all(VariableKind::Successor, name, at, context)?;
                Ok(Element::Successors)
            }
            _ => Err(FormatError::new(at, "unsupported directive kind")),
        }
    }

    fn check_parameter(&self, parameter: &Element<'r>, at: usize) -> Result<()> {
        let message = "only variables and types may be used as parameters to a custom directive";
        match parameter {
            Element::Variable(_)
            | Element::Type { .. }
            | Element::AttrDict { .. }
            | Element::Ref(_)
            | Element::Code(_) => Ok(()),
            Element::PropDict if self.rules().has(Change::PropDictAsParameter) => Ok(()),
            _ => Err(FormatError::new(at, message)),
        }
    }

    fn check_custom(&self, parameters: &[Element<'r>], at: usize) -> Result<()> {
        for parameter in parameters {
            if let Element::Type { of: TypeOf::Operands | TypeOf::Results, .. } = parameter {
                let message = "type directives within a custom directive may only refer to variables";
                return Err(FormatError::new(at, message));
            }
            self.check_parameter(parameter, at)?;
        }
        Ok(())
    }

    fn check_optional(&self, element: &Element<'r>, is_anchor: bool, at: usize) -> Result<()> {
        let message = match element {
            Element::Custom(_) if is_anchor && !self.rules().has(Change::CustomAnchors) => ONLY_ANCHORS,
            Element::Literal(_) | Element::Whitespace(_) | Element::Optional(_) if is_anchor => ONLY_ANCHORS,
            Element::Literal(_) | Element::Whitespace(_) | Element::Optional(_) | Element::Ref(_) => {
                return Ok(());
            }
            Element::Variable(variable) => match variable.kind {
                VariableKind::Attribute => {
                    let attribute = self.attribute(*variable);
                    let has_defaults = self.rules().has(Change::AnchorsWithDefaults);
                    let may_be_default = has_defaults && attribute.default_value().is_some();
                    match !is_anchor || attribute.is_optional() || may_be_default {
                        true => return Ok(()),
                        false if !has_defaults => {
                            "only optional attributes can be used to anchor an optional group"
                        }
                        false => ONLY_OPTIONAL_OR_DEFAULT,
                    }
                }
                VariableKind::Property => {
                    let property = self.op.properties()[variable.index].property;
                    if !is_anchor || (property.default_value().is_some() && property.has_optional_parser()) {
                        return Ok(());
                    }
                    "only properties with default values that can be optionally parsed (have the `let \
                     optionalParser = ...` field defined) can be used to anchor an optional group"
                }
                VariableKind::Operand => return self.check_optional_type(TypeOf::Variable(*variable), at),
                VariableKind::Region => return Ok(()),
                VariableKind::Result | VariableKind::Successor | VariableKind::Parameter => NOT_IN_GROUP,
            },
            Element::Custom(custom) => {
                if is_anchor {
                    let mut parameters = custom.parameters.iter();
                    return parameters.try_for_each(|parameter| self.check_optional(parameter, true, at));
                }
                return Ok(());
            }
            Element::Type { of, .. } => return self.check_optional_type(*of, at),
            Element::FunctionalType { inputs, results } => {
                self.check_optional_type(*inputs, at)?;
                return self.check_optional_type(*results, at);
            }
            Element::AttrDict { .. }
            | Element::PropDict
            | Element::Operands
            | Element::Results
            | Element::Regions
            | Element::Successors
            | Element::Code(_)
            | Element::OiList(_)
            | Element::Params
            | Element::Struct(_) => NOT_IN_GROUP,
        };
        Err(FormatError::new(at, message))
    }

    fn check_oilist(&self, element: &Element<'r>, at: usize) -> Result<()> {
        let message = match element {
            Element::Variable(variable) => match variable.kind {
                VariableKind::Attribute => {
                    let attribute = self.attribute(*variable);
                    if attribute.is_optional() || attribute.default_value().is_some() {
                        return Ok(());
                    }
                    "only optional attributes can be used in an oilist parsing group"
                }
                VariableKind::Property => {
                    if self.op.properties()[variable.index].property.default_value().is_some() {
                        return Ok(());
                    }
                    "only default-valued or optional properties can be used in an olist parsing group"
                }
                VariableKind::Operand => {
                    if self.constraint(*variable).is_variable_length() {
                        return Ok(());
                    }
                    "only variable length operands can be used within an oilist parsing group"
                }
                VariableKind::Successor => {
                    "only literals, types, and variables can be used within an oilist group"
                }
                VariableKind::Result => {
                    if self.constraint(*variable).is_variable_length() {
                        return Ok(());
                    }
                    "only variable length results can be used within an oilist parsing group"
                }
                VariableKind::Region | VariableKind::Parameter => return Ok(()),
            },
            Element::Custom(custom) => {
                return custom.parameters.iter().try_for_each(|parameter| self.check_oilist(parameter, at));
            }
            Element::FunctionalType { inputs, results } => {
                let variables = [inputs, results].into_iter().filter_map(|of| match of {
                    TypeOf::Variable(variable) => Some(Element::Variable(*variable)),
                    TypeOf::Operands | TypeOf::Results => None,
                });
                return variables.into_iter().try_for_each(|variable| self.check_oilist(&variable, at));
            }
            _ => return Ok(()),
        };
        Err(FormatError::new(at, message))
    }
}

/// The requirements on the whole format.
impl<'r> OpMeaning<'_, 'r> {
    fn finish(self, elements: Vec<Element<'r>>, start: usize) -> Result<OpFormat<'r>> {
        if !self.has_attr_dict {
            return Err(FormatError::new(start, "'attr-dict' directive not found in custom assembly format"));
        }
        self.check_ambiguities(&elements, start)?;
        self.check_optional_attributes(&elements, start)?;
        let known = self.equal_types();
        let (result_types, infers_result_types) = self.result_types(&known, start)?;
        let operand_types = self.operand_types(&known, start)?;
        self.check_all_seen(VariableKind::Region, self.op.regions().iter().map(|it| it.name), start)?;
        self.check_all_seen(VariableKind::Successor, self.op.successors().iter().map(|it| it.name), start)?;
        check_oilists(&elements).map_err(|message| FormatError::new(start, message))?;
        if self.op.dialect().has_strict_properties() && !self.has_prop_dict {
            self.check_all_bound(start)?;
        }
        let seen =
            |kind| self.seen.iter().filter(move |(seen, _)| *seen == kind).map(|(_, index)| *index).collect();
        Ok(OpFormat {
            elements,
            operand_types,
            result_types,
            infers_result_types,
            has_all_operands: self.has_all_operands,
            has_all_operand_types: self.has_all_operand_types,
            has_all_result_types: self.has_all_result_types,
            has_prop_dict: self.has_prop_dict,
            attributes: seen(VariableKind::Attribute),
            properties: seen(VariableKind::Property),
        })
    }

    /// Rejects a format that leaves attributes or properties to `attr-dict`.
    fn check_all_bound(&self, start: usize) -> Result<()> {
        let op = self.op;
        let is_parsed_with_groups = |name: &str| {
            let mut lengths = op.operands().iter().map(|operand| operand.constraint.segment_attribute());
            !self.has_all_operands && lengths.any(|of| of == Some(name))
        };
        let attributes = op.natural_attributes().iter().enumerate().filter(|(index, named)| {
            !self.is_seen(VariableKind::Attribute, *index) && !is_parsed_with_groups(named.name)
        });
        let properties = op.properties().iter().enumerate();
        let properties = properties.filter(|(index, _)| !self.is_seen(VariableKind::Property, *index));
        let attributes = attributes.map(|(_, named)| ("attribute", named.name));
        let properties = properties.map(|(_, named)| ("property", named.name));
        match attributes.chain(properties).next() {
            None => Ok(()),
            Some((word, name)) => Err(FormatError::new(
                start,
                format!(
                    "strict properties in assembly format requires prop-dict unless all inherent attributes and \
                     properties are bound in the custom assembly format; missing {word} '{name}'"
                ),
            )
            .id(Id::StrictProperties)),
        }
    }

    /// Rejects optional attributes that are printed unconditionally.
    fn check_optional_attributes(&self, elements: &[Element<'r>], start: usize) -> Result<()> {
        if !self.rules().has(Change::OptionalAttributesInGroups) {
            return Ok(());
        }
        let attributes = elements.iter().filter_map(Element::variable);
        let mut attributes = attributes.filter(|variable| variable.kind == VariableKind::Attribute);
        match attributes.find(|variable| self.attribute(*variable).is_optional()) {
            None => Ok(()),
            Some(Variable { name, .. }) => {
                let message =
                    format!("optional attribute '{name}' cannot be used outside of an optional group");
                let hint = format!("to conditionally print the attribute, use '(${name}^)?'");
                Err(FormatError::new(start, message).hint(hint))
            }
        }
    }

    /// Rejects two ambiguities: a `:` after an attribute that may have a type, and a region after the attribute
    /// dictionary. The parser could take either as part of the element before it.
    fn check_ambiguities(&self, elements: &[Element<'r>], start: usize) -> Result<()> {
        let sees_storage = self.rules().has(Change::AmbiguityInGroups);
        let takes_type = |element: &Element<'r>| {
            let variable = element.variable().filter(|variable| variable.kind == VariableKind::Attribute)?;
            let attribute = self.attribute(variable);
            let has_type = attribute.value_type().is_some_and(|ty| ty.builder_call().is_some());
            let is_in_full = !sees_storage || variable.is_qualified || attribute.is_stored_as_any();
            (is_in_full && !has_type).then_some(variable)
        };
        let is_colon = |element: &Element<'r>| matches!(element, Element::Literal(":"));
        if let Some((attribute, _)) = self.find_pair(elements, &Rest::End, &takes_type, &is_colon) {
            return Err(FormatError::new(
                start,
                format!(
                    "format ambiguity caused by `:` literal found after attribute `{}` which does not have a buildable \
                 type",
                    attribute.name
                ),
            ));
        }
        if !self.rules().has(Change::AmbiguousRegions) {
            return Ok(());
        }
        let is_attr_dict = |element: &Element<'r>| {
            matches!(element, Element::AttrDict { with_keyword: false }).then_some(())
        };
        let is_region = |element: &Element<'r>| {
            element.variable().is_some_and(|variable| variable.kind == VariableKind::Region)
        };
        if let Some(((), region)) = self.find_pair(elements, &Rest::End, &is_attr_dict, &is_region) {
            let name = region.variable().map_or("", |variable| variable.name);
            let message =
                format!("format ambiguity caused by `attr-dict` directive followed by region `{name}`");
            return Err(FormatError::new(start, message).hint("try using `attr-dict-with-keyword` instead"));
        }
        Ok(())
    }

    /// Finds an element for which `first` returns something and that an element accepted by `second` may directly
    /// follow. Releases before 15 also look past a group as if each of its elements were its last.
    fn find_pair<'e, T>(
        &self,
        elements: &'e [Element<'r>],
        rest: &Rest<'_, 'e, 'r>,
        first: &impl Fn(&Element<'r>) -> Option<T>,
        second: &impl Fn(&Element<'r>) -> bool,
    ) -> Option<(T, &'e Element<'r>)> {
        for (index, element) in elements.iter().enumerate() {
            let following = Rest::Then(&elements[index + 1..], rest);
            if let Element::Optional(group) = element {
                let found = self.find_pair(&group.then, &following, first, second);
                let found = found.or_else(|| self.find_pair(&group.otherwise, &following, first, second));
                if found.is_some() {
                    return found;
                }
            } else if let Some(found) = first(element) {
                let after_group = || match self.rules().has(Change::AmbiguityInGroups) {
                    true => None,
                    false => self.find_next(rest, second),
                };
                if let Some(follower) = self.find_next(&following, second).or_else(after_group) {
                    return Some((found, follower));
                }
            }
        }
        None
    }

    /// Finds an element that can come next and for which `wanted` holds.
    fn find_next<'e>(
        &self,
        rest: &Rest<'_, 'e, 'r>,
        wanted: &impl Fn(&Element<'r>) -> bool,
    ) -> Option<&'e Element<'r>> {
        let mut rest = rest;
        while let Rest::Then(elements, following) = rest {
            for element in *elements {
                if wanted(element) {
                    return Some(element);
                }
                if let Element::Optional(OptionalGroup { then, otherwise, .. }) = element {
                    if !self.rules().has(Change::AmbiguityInGroups) {
                        continue;
                    }
                    let first = then.first().filter(|element| wanted(element));
                    let found = first.or_else(|| self.find_next(&Rest::Then(otherwise, &Rest::End), wanted));
                    if found.is_some() {
                        return found;
                    }
                } else if !self.may_be_absent(element) {
                    return None;
                }
            }
            rest = following;
        }
        None
    }

    fn may_be_absent(&self, element: &Element<'_>) -> bool {
        match element {
            Element::Whitespace(_) | Element::AttrDict { .. } => true,
            _ if !self.rules().has(Change::AmbiguityInGroups) => false,
            Element::Variable(variable) => match variable.kind {
                VariableKind::Attribute => {
                    let attribute = self.attribute(*variable);
                    attribute.is_optional() || attribute.default_value().is_some()
                }
                VariableKind::Property => {
                    self.op.properties()[variable.index].property.default_value().is_some()
                }
                VariableKind::Operand => self.constraint(*variable).is_variable_length(),
                VariableKind::Region => self.op.regions()[variable.index].is_variadic(),
                VariableKind::Successor => self.op.successors()[variable.index].is_variadic(),
                VariableKind::Result | VariableKind::Parameter => false,
            },
            _ => false,
        }
    }

    /// Returns the names of operands and results whose types follow from a trait, each with the source of its type. Those
    /// without a name share one entry, as in the reference.
    fn equal_types(&self) -> Vec<(&'r str, TypeSource<'r>)> {
        let rules = self.op.rec().records().rules();
        let mut known = Vec::new();
        for t in self.op.traits() {
            let rec = t.rec();
            if rec.is_subclass_of(name!("AllTypesMatch")) {
                let list = rec.get(name!("values")).and_then(Val::as_list).into_iter().flatten();
                let names: Vec<&str> = list.filter_map(Val::as_str).collect();
                let variables: Vec<_> = names.iter().filter_map(|name| self.find(name)).collect();
                self.note_equal(&variables, &variables, &mut known);
            } else if rec.is_subclass_of(name!("TypesMatchWith")) {
                let text = |field| rec.optional_string(field);
                let ends = text("lhs").zip(text("rhs"));
                let ends = ends.and_then(|(lhs, rhs)| self.find(lhs).zip(self.find(rhs)));
                let Some((lhs, rhs)) = ends else { continue };
                if self.has_type(lhs) {
                    let source = TypeSource::Variable(lhs, text("transformer"));
                    known.push((rhs.name, source));
                }
            } else if rec.is_subclass_of(name!("ShapedTypeMatchesElementCountAndTypes")) {
                let variable = |field| rec.optional_string(field).and_then(|name| self.find(name));
                let Some((shaped, elements)) = variable("shaped").zip(variable("elements")) else { continue };
                if self.has_type(shaped) {
                    known.push((elements.name, TypeSource::Variable(shaped, Some(ELEMENT_TYPES))));
                }
            } else {
                let mut variables: Vec<Variable<'r>> = Vec::new();
                let takes_results = t.is_named("::mlir::OpTrait::SameOperandsAndResultType");
                if !takes_results && !t.is_named("::mlir::OpTrait::SameTypeOperands") {
                    continue;
                }
                let operands = (0..self.op.operands().len()).map(|index| (VariableKind::Operand, index));
                let results = (0..self.op.results().len()).map(|index| (VariableKind::Result, index));
                let results = results.filter(|_| takes_results);
                let is_counted = |name: &str| !name.is_empty() || rules.has(Change::UnnamedTypesKnown);
                for (kind, index) in operands.chain(results) {
                    let name = self.name_of(kind, index);
                    if !is_counted(name) {
                        continue;
                    }
                    variables.push(Variable { kind, index, name, is_qualified: false, is_case: false });
                }
                // For this trait the first variable is the source, for the other traits the last.
                let source = variables.iter().copied().find(|variable| self.has_type(*variable));
                self.note_equal(source.as_slice(), &variables, &mut known);
            }
        }
        known
    }

    /// Records that variables have the type of the last source whose type the format gives.
    fn note_equal(
        &self,
        sources: &[Variable<'r>],
        variables: &[Variable<'r>],
        known: &mut Vec<(&'r str, TypeSource<'r>)>,
    ) {
        for &source in sources.iter().filter(|source| self.has_type(**source)) {
            let others = variables.iter().filter(|variable| **variable != source);
            let source = TypeSource::Variable(source, None);
            known.extend(others.map(|variable| (variable.name, source.clone())));
        }
    }

    /// Returns whether the format gives the type of a variable.
    fn has_type(&self, variable: Variable<'_>) -> bool {
        let key = (variable.kind, variable.index);
        match variable.kind {
            VariableKind::Attribute => self.seen.contains(&key),
            // No other type can follow from `type(operands)` or `type(results)`.
            VariableKind::Operand | VariableKind::Result => self.seen_types.contains(&key),
            _ => false,
        }
    }

    fn result_types(
        &self,
        known: &[(&'r str, TypeSource<'r>)],
        start: usize,
    ) -> Result<(Vec<TypeSource<'r>>, bool)> {
        let results = self.op.results();
        let mut sources = Vec::with_capacity(results.len());
        if self.has_all_result_types {
            sources.resize(results.len(), TypeSource::Format);
            return Ok((sources, false));
        }
        if self.rules().has(Change::RegionsBeforeTypes) && self.leaves_results_to_inference() {
            return Ok((vec![TypeSource::Inferred; results.len()], true));
        }
        for (index, result) in results.iter().enumerate() {
            let key = (VariableKind::Result, index);
            let buildable =
                result.constraint.builder_call().filter(|_| !result.constraint.is_variable_length());
            sources.push(if self.seen_types.contains(&key) {
                TypeSource::Format
            } else if let Some((_, source)) = known.iter().rev().find(|(name, _)| *name == result.name) {
                source.clone()
            } else if let Some(call) = buildable {
                TypeSource::Buildable(call)
            } else {
                return Err(unknown_type("result", index, result.name, start));
            });
        }
        Ok((sources, false))
    }

    /// Returns whether the user's `inferReturnTypes` must find the result types: the format gives none of them, and
    /// either they cannot all be inferred or the user defines the function.
    fn leaves_results_to_inference(&self) -> bool {
        let has_one = self.seen_types.iter().any(|(kind, _)| *kind == VariableKind::Result);
        !has_one
            && !self.op.results().is_empty()
            && (self.op.result_types().contains(&Inference::Unknown) || self.op.brings_inference())
            && self.op.declares_trait("::mlir::InferTypeOpInterface::Trait")
    }

    fn operand_types(
        &self,
        known: &[(&'r str, TypeSource<'r>)],
        start: usize,
    ) -> Result<Vec<TypeSource<'r>>> {
        let mut sources = Vec::new();
        for (index, operand) in self.op.operands().iter().enumerate() {
            let key = (VariableKind::Operand, index);
            if !self.has_all_operands && !self.seen.contains(&key) {
                return Err(not_found("operand", index, operand.name, start));
            }
            // A type can only be built if the number of operands of this name is known.
            let is_counted = !self.has_all_operands || !operand.constraint.is_variable_length();
            let buildable = operand.constraint.builder_call().filter(|_| is_counted);
            sources.push(if self.has_all_operand_types || self.seen_types.contains(&key) {
                TypeSource::Format
            } else if let Some((_, source)) = known.iter().rev().find(|(name, _)| *name == operand.name) {
                source.clone()
            } else if let Some(call) = buildable {
                TypeSource::Buildable(call)
            } else {
                return Err(unknown_type("operand", index, operand.name, start));
            });
        }
        Ok(sources)
    }

    fn check_all_seen<'n>(
        &self,
        kind: VariableKind,
        names: impl Iterator<Item = &'n str>,
        start: usize,
    ) -> Result<()> {
        if self.has_all(kind) {
            return Ok(());
        }
        let word = if kind == VariableKind::Region { "region" } else { "successor" };
        for (index, name) in names.enumerate() {
            if !self.is_seen(kind, index) {
                return Err(not_found(word, index, name, start));
            }
        }
        Ok(())
    }
}

/// Checks that no keyword or separator of an `oilist` equals the literal, or a keyword of the `oilist`, that directly
/// follows, and that no keyword equals the separator.
fn check_oilists(elements: &[Element<'_>]) -> std::result::Result<(), String> {
    let mut keywords: Vec<&str> = Vec::new();
    for element in elements {
        match element {
            Element::OiList(clauses) => {
                let own: Vec<&str> = clauses.iter().map(Clause::literal).collect();
                let separator = clauses.first().and_then(|clause| clause.separator);
                if let Some(separator) = separator.filter(|separator| own.contains(separator)) {
                    return Err(format!(
                        "format ambiguity because {separator} is used as both an oilist separator and clause keyword."
                    ));
                }
                if let Some(keyword) = own.iter().find(|keyword| keywords.contains(keyword)) {
                    return Err(format!(
                        "format ambiguity because {keyword} is used in two adjacent oilist elements."
                    ));
                }
                keywords.extend(own.into_iter().chain(separator));
                continue;
            }
            Element::Literal(literal) if keywords.contains(literal) => {
                return Err(format!(
                    "format ambiguity because {literal} is used both in oilist element and the adjacent literal."
                ));
            }
            _ => keywords.clear(),
        }
    }
    Ok(())
}

/// The elements after an element: the rest of its list, then the rest of the list around it.
enum Rest<'a, 'e, 'r> {
    End,
    Then(&'e [Element<'r>], &'a Rest<'a, 'e, 'r>),
}

fn not_found(word: &str, index: usize, name: &str, start: usize) -> FormatError {
    FormatError::new(start, format!("{word} #{index}, named '{name}', not found"))
        .hint(format!("suggest adding a '${name}' directive to the custom assembly format"))
}

fn unknown_type(word: &str, index: usize, name: &str, start: usize) -> FormatError {
    let message = format!(
        "type of {word} #{index}, named '{name}', is not buildable and a buildable type cannot be inferred"
    );
    FormatError::new(start, message).hint(format!(
        "suggest adding a type constraint to the operation or adding a 'type(${name})' directive to the custom \
         assembly format"
    ))
}
