//! The format of an attribute or type: the meaning of its variables and directives.

use super::{
    Element, FormatError, Variable, VariableKind,
    lexer::Token,
    parser::{Context, Meaning, Parser},
};
use crate::AttrOrTypeDef;
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

type Result<T> = std::result::Result<T, FormatError>;

/// The checked format of an attribute or type.
#[derive(Clone, Debug)]
pub struct DefFormat<'r> {
    /// The elements, in order.
    pub elements: Vec<Element<'r>>,
}

impl<'r> DefFormat<'r> {
    /// Reads and checks the format of an attribute or type.
    ///
    /// # Errors
    /// The mistakes in the format.
    pub fn new(def: &AttrOrTypeDef<'r>, text: &'r str) -> std::result::Result<Self, Vec<Diagnostic>> {
        let mut meaning = DefMeaning { def, seen: vec![false; def.parameters().len()] };
        let diagnostics = |errors: Vec<FormatError>| -> Vec<Diagnostic> {
            let span = def.rec().span();
            errors.into_iter().map(|error| error.into_diagnostic(text, span)).collect()
        };
        let (elements, start) =
            Parser::parse(text, def.rec().records().rules(), &mut meaning).map_err(diagnostics)?;
        let error = |message: String| Err(diagnostics(vec![FormatError::new(start, message)]));
        let rules = def.rec().records().rules();
        for (index, parameter) in def.parameters().iter().enumerate() {
            let is_self_type = parameter.is_self_type() && rules.has(Change::CustomDefinitions);
            let message = match (meaning.seen[index], is_self_type) {
                _ if parameter.is_optional() => continue,
                (true, true) => "unexpected self type parameter in assembly format".to_owned(),
                (false, false) => format!("format is missing reference to parameter: {}", parameter.name),
                _ => continue,
            };
            return error(message);
        }
        if meaning.has_comma_after_open_structure(&elements) {
            const COMMA: &str =
                "`struct` directive with optional parameters cannot be followed by a comma literal";
            return error(COMMA.to_owned());
        }
        Ok(DefFormat { elements })
    }
}

/// The parameters of an attribute or type that the format has mentioned so far.
struct DefMeaning<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    seen: Vec<bool>,
}

impl<'r> DefMeaning<'_, 'r> {
    /// Returns whether a comma directly after a structure could also continue the structure.
    fn has_comma_after_open_structure(&self, elements: &[Element<'_>]) -> bool {
        let may_go_on = |elements: &[Element<'_>]| match elements {
            [Element::Params] => self.def.parameters().iter().any(|parameter| parameter.is_optional()),
            elements => elements.iter().any(|element| self.is_optional(element)),
        };
        elements.windows(2).any(|pair| match pair {
            [Element::Struct(elements), Element::Literal(",")] => may_go_on(elements),
            _ => false,
        })
    }

    fn is_optional(&self, element: &Element<'_>) -> bool {
        match element {
            Element::Variable(variable) => self.def.parameters()[variable.index].is_optional(),
            Element::Custom(custom) => custom.parameters.iter().all(|parameter| self.is_optional(parameter)),
            Element::Struct(elements) => elements.iter().all(|element| self.is_optional(element)),
            Element::Params => {
                let mut listed = self.def.parameters().iter().filter(|parameter| !parameter.is_self_type());
                listed.all(|parameter| parameter.is_optional())
            }
            _ => true,
        }
    }

    fn params(&mut self, at: usize, context: Context) -> Result<Element<'r>> {
        let rules = self.def.rec().records().rules();
        if Self::has_groups(rules) && !matches!(context, Context::TopLevel | Context::Struct) {
            let message = "`params` can only be used at the top-level context or within a `struct` directive";
            return Err(FormatError::new(at, message));
        }
        for (parameter, seen) in self.def.parameters().iter().zip(&mut self.seen) {
            if *seen {
                let message = format!("`params` captures duplicate parameter: {}", parameter.name);
                return Err(FormatError::new(at, message));
            }
            *seen = !parameter.is_self_type() || !rules.has(Change::SelfTypesAsParameters);
        }
        Ok(Element::Params)
    }
}

/// Reads the contents of `struct(…)`.
fn structure<'r>(
    parser: &mut Parser<'r, '_, DefMeaning<'_, 'r>>,
    at: usize,
    context: Context,
) -> Result<Element<'r>> {
    if context != Context::TopLevel {
        let message = match DefMeaning::has_groups(parser.meaning.def.rec().records().rules()) {
            true => "`struct` can only be used at the top-level context",
            false => "`struct` may only be used in the top-level section of the format",
        };
        return Err(FormatError::new(at, message));
    }
    parser.expect(b'(', "expected '(' before `struct` argument list")?;
    let first = parser.element(Context::Struct);
    let rules = *parser.meaning.def.rec().records().rules();
    let (first_message, next_message) =
        (spellings::struct_first.of(&rules), spellings::struct_next.of(&rules));
    let first = explained(first, first_message, parser, at)?;
    let is_params = matches!(first, Element::Params);
    let mut elements = vec![first];
    while !is_params && parser.eat_punctuation(b',') {
        let element = match parser.element(Context::Struct) {
            Ok(Element::Params) => {
                Err(FormatError::new(at, "`params` must be the only argument of `struct`"))
            }
            element => element,
        };
        elements.push(explained(element, next_message, parser, at)?);
    }
    parser.expect(b')', "expected ')' at the end of an argument list")?;
    elements.iter().try_for_each(|element| check_field(element, at))?;
    Ok(Element::Struct(elements))
}

/// Checks that a custom directive in a structure has exactly one parameter, a variable: its name is the key.
fn check_field(element: &Element<'_>, at: usize) -> Result<()> {
    let Element::Custom(custom) = element else { return Ok(()) };
    let message = match &custom.parameters[..] {
        [Element::Variable(_)] => return Ok(()),
        [_] => "a `custom` directive nested within a `struct` must be passed a parameter",
        _ => "`struct` can only contain `custom` directives with a single argument",
    };
    Err(FormatError::new(at, message))
}

/// Reports an error in an element of a structure together with one about the structure.
fn explained<'r>(
    element: Result<Element<'r>>,
    message: &str,
    parser: &mut Parser<'r, '_, DefMeaning<'_, 'r>>,
    at: usize,
) -> Result<Element<'r>> {
    element.map_err(|error| {
        parser.note(error);
        FormatError::new(at, message)
    })
}

impl<'r> Meaning<'r> for DefMeaning<'_, 'r> {
    const HAS_OILIST: bool = false;
    const CHECKS_INVERTED_ANCHOR: bool = true;

    fn has_groups(rules: &Rules) -> bool {
        rules.has(Change::CustomDefinitions)
    }

    fn stray_reference(rules: &Rules) -> &'static str {
        spellings::stray_reference.of(rules)
    }

    fn variable(&mut self, name: &'r str, at: usize, context: Context) -> Result<Element<'r>> {
        let Some(index) = self.def.parameters().iter().position(|parameter| parameter.name == name) else {
            let message = format!("{} has no parameter named '{name}'", self.def.rec().name());
            return Err(FormatError::new(at, message));
        };
        if context == Context::Ref {
            let parameter = &self.def.parameters()[index];
            // An attribute's own type is parsed before everything else.
            let rules = self.def.rec().records().rules();
            let is_self_type = parameter.is_self_type() && rules.has(Change::SelfTypesAsParameters);
            if !self.seen[index] && !is_self_type {
                let message = format!("parameter '{name}' must be bound before it is referenced");
                return Err(FormatError::new(at, message));
            }
        } else if std::mem::replace(&mut self.seen[index], true) {
            return Err(FormatError::new(at, format!("duplicate parameter '{name}'")));
        }
        Ok(Element::Variable(Variable {
            kind: VariableKind::Parameter,
            index,
            name,
            is_qualified: false,
            is_case: false,
        }))
    }

    fn directive(
        parser: &mut Parser<'r, '_, Self>,
        token: Token<'r>,
        context: Context,
    ) -> Result<Element<'r>> {
        match token.text {
            "params" => parser.meaning.params(token.at, context),
            "struct" => structure(parser, token.at, context),
            _ => Err(FormatError::new(token.at, "unsupported directive kind")),
        }
    }

    fn qualified(mut element: Element<'r>, at: usize) -> Result<Element<'r>> {
        let Element::Variable(variable) = &mut element else {
            return Err(FormatError::new(at, "`qualified` argument list expected a variable"));
        };
        variable.is_qualified = true;
        Ok(element)
    }

    fn check_custom(&self, _: &[Element<'r>], at: usize) -> Result<()> {
        match Self::has_groups(self.def.rec().records().rules()) {
            true => Ok(()),
            false => Err(FormatError::new(at, "'custom' not supported (yet)")),
        }
    }

    fn check_optional(&self, element: &Element<'r>, is_anchor: bool, at: usize) -> Result<()> {
        if !Self::has_groups(self.def.rec().records().rules()) {
            return Err(FormatError::new(at, "optional groups not (yet) supported"));
        }
        let has_anchors = self.def.rec().records().rules().has(Change::SpacedCustomDirectives);
        if let Element::Custom(custom) = element
            && is_anchor
            && has_anchors
            && custom.parameters.iter().all(|parameter| parameter.variable().is_none())
        {
            let message =
                "`custom` directive with no bound parameters cannot be used as optional group anchor";
            return Err(FormatError::new(at, message));
        }
        let message = match element {
            Element::Custom(_) if is_anchor && !has_anchors => {
                let message = "optional group anchor must be a parameter or directive";
                return Err(FormatError::new(at, message));
            }
            Element::Variable(_) => "parameters in an optional group must be optional",
            Element::Params => {
                "`params` directive allowed in optional group only if all parameters are optional"
            }
            Element::Struct(_) => {
                "`struct` is only allowed in an optional group if all captured parameters are optional"
            }
            Element::Custom(_) => {
                "`custom` is only allowed in an optional group if all captured parameters are optional"
            }
            _ if is_anchor => "optional group anchor must be a parameter or directive",
            _ => return Ok(()),
        };
        let is_kind_of_anchor = matches!(
            element,
            Element::Variable(_) | Element::Params | Element::Struct(_) | Element::Custom(_)
        );
        if is_kind_of_anchor && self.is_optional(element) {
            return Ok(());
        }
        Err(FormatError::new(at, message))
    }

    fn check_oilist(&self, _: &Element<'r>, _: usize) -> Result<()> {
        Ok(())
    }
}
