//! The format of an attribute or type: what its variables and directives mean.

use super::{
    Element, FormatError, Variable, VariableKind,
    lexer::Token,
    parser::{Context, Meaning, Parser},
};
use crate::{
    diagnostic::Diagnostic,
    ods::{AttrOrTypeDef, Parameter},
};

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
    /// What is wrong with it; the last message is about the record itself.
    pub fn new(def: &AttrOrTypeDef<'r>, text: &'r str) -> std::result::Result<Self, Vec<Diagnostic>> {
        let mut meaning = DefMeaning { def, seen: vec![false; def.parameters().len()] };
        let diagnostics = |errors: Vec<FormatError>| -> Vec<Diagnostic> {
            let span = def.rec().span();
            let errors = errors.into_iter().map(|error| error.into_diagnostic(text, span));
            errors.chain([Diagnostic::error(span, "failed to parse assembly format")]).collect()
        };
        let (elements, start) = Parser::parse(text, &mut meaning).map_err(diagnostics)?;
        for (index, parameter) in def.parameters().iter().enumerate() {
            if !meaning.seen[index] && !parameter.is_optional() && !parameter.is_self_type() {
                let message = format!("format is missing reference to parameter: {}", parameter.name);
                return Err(diagnostics(vec![FormatError::new(start, message)]));
            }
        }
        Ok(DefFormat { elements })
    }
}

/// What has been seen of an attribute or type so far.
struct DefMeaning<'d, 'r> {
    def: &'d AttrOrTypeDef<'r>,
    seen: Vec<bool>,
}

impl<'r> DefMeaning<'_, 'r> {
    /// Parameters that `params` stands for.
    fn parameters(&self) -> impl Iterator<Item = (usize, &Parameter<'r>)> {
        self.def.parameters().iter().enumerate().filter(|(_, parameter)| !parameter.is_self_type())
    }

    fn is_optional(&self, element: &Element<'_>) -> bool {
        match element {
            Element::Variable(variable) => self.def.parameters()[variable.index].is_optional(),
            Element::Custom(custom) => custom.parameters.iter().all(|parameter| self.is_optional(parameter)),
            Element::Struct(elements) => elements.iter().all(|element| self.is_optional(element)),
            Element::Params => self.parameters().all(|(_, parameter)| parameter.is_optional()),
            _ => true,
        }
    }

    fn params(&mut self, at: usize, context: Context) -> Result<Element<'r>> {
        if !matches!(context, Context::TopLevel | Context::Struct) {
            let message = "`params` can only be used at the top-level context or within a `struct` directive";
            return Err(FormatError::new(at, message));
        }
        let all: Vec<usize> = self.parameters().map(|(index, _)| index).collect();
        for index in all {
            if std::mem::replace(&mut self.seen[index], true) {
                let name = self.def.parameters()[index].name;
                return Err(FormatError::new(at, format!("`params` captures duplicate parameter: {name}")));
            }
        }
        Ok(Element::Params)
    }
}

/// Reads what stands in `struct(…)`.
fn structure<'r>(
    parser: &mut Parser<'r, '_, DefMeaning<'_, 'r>>,
    at: usize,
    context: Context,
) -> Result<Element<'r>> {
    if context != Context::TopLevel {
        return Err(FormatError::new(at, "`struct` can only be used at the top-level context"));
    }
    parser.expect(b'(', "expected '(' before `struct` argument list")?;
    let first = parser.element(Context::Struct);
    let first = explained(first, "`struct` argument list expected a parameter or directive", parser, at)?;
    let is_params = matches!(first, Element::Params);
    let mut elements = vec![first];
    while !is_params && parser.eat_punctuation(b',') {
        let element = match parser.element(Context::Struct) {
            Ok(Element::Params) => {
                Err(FormatError::new(at, "`params` must be the only argument of `struct`"))
            }
            element => element,
        };
        let message = "expected a parameter or `custom` directive in `struct` argument list";
        elements.push(explained(element, message, parser, at)?);
    }
    parser.expect(b')', "expected ')' at the end of an argument list")?;
    Ok(Element::Struct(elements))
}

/// An element of a structure; its error leads to one about the structure.
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

    fn variable(&mut self, name: &'r str, at: usize, context: Context) -> Result<Element<'r>> {
        let Some(index) = self.def.parameters().iter().position(|parameter| parameter.name == name) else {
            let message = format!("{} has no parameter named '{name}'", self.def.rec().name());
            return Err(FormatError::new(at, message));
        };
        if context == Context::Ref {
            if !self.seen[index] {
                let message = format!("parameter '{name}' must be bound before it is referenced");
                return Err(FormatError::new(at, message));
            }
        } else if std::mem::replace(&mut self.seen[index], true) {
            return Err(FormatError::new(at, format!("duplicate parameter '{name}'")));
        }
        Ok(Element::Variable(Variable { kind: VariableKind::Parameter, index, name, is_qualified: false }))
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

    fn check_custom(&self, _: &[Element<'r>], _: usize) -> Result<()> {
        Ok(())
    }

    fn check_optional(&self, element: &Element<'r>, is_anchor: bool, at: usize) -> Result<()> {
        let message = match element {
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
