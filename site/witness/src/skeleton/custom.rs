//! Writes the custom form of an operation by its assembly format.

use odsmith_engine::{
    generators::format::Spacing,
    ods::{
        Operation,
        format::{Custom, Element, OpFormat, OptionalGroup, TypeOf, Variable, VariableKind, Whitespace},
    },
};

use super::{Body, Choice, generic::function_type};

/// Writes the custom form; `None` if a part of it is C++ code.
pub(super) fn write(
    op: &Operation<'_>,
    format: &OpFormat<'_>,
    choice: &Choice,
    body: &Body,
) -> Option<String> {
    let mut writer = Writer {
        op,
        format,
        choice,
        body,
        text: String::new(),
        spacing: Spacing::default(),
        is_joined: false,
    };
    let results: Vec<String> =
        (0..choice.results.len()).flat_map(|index| choice.result_values(index)).collect();
    if !results.is_empty() {
        writer.text = format!("{} = ", results.join(", "));
    }
    writer.text += &op.name();
    writer.elements(&format.elements)?;
    Some(writer.text).filter(|_| !writer.is_joined)
}

struct Writer<'w, 'r> {
    op: &'w Operation<'r>,
    format: &'w OpFormat<'r>,
    choice: &'w Choice,
    body: &'w Body,
    text: String,
    spacing: Spacing,
    /// Set if two names met without a separator, so that the text cannot be parsed back.
    is_joined: bool,
}

impl<'r> Writer<'_, 'r> {
    fn elements(&mut self, elements: &[Element<'r>]) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(element))
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.spacing.element() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
        // Two names without a separator would read as one.
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.is_joined |= self.text.ends_with(is_word) && text.starts_with(is_word);
        self.text.push_str(text);
    }

    fn element(&mut self, element: &Element<'r>) -> Option<()> {
        match element {
            Element::Literal(literal) => {
                if self.spacing.literal(literal) {
                    self.text.push(' ');
                }
                self.text.push_str(literal);
            }
            Element::Whitespace(Whitespace::None) => self.spacing.nothing(),
            Element::Whitespace(_) | Element::Ref(_) => {}
            Element::Variable(variable) => {
                let text = self.variable(*variable)?;
                self.push(&text);
            }
            Element::AttrDict { with_keyword } => {
                let entries = self.dictionary();
                if !entries.is_empty() {
                    let keyword = if *with_keyword { "attributes " } else { "" };
                    self.push(&format!("{keyword}{{{}}}", entries.join(", ")));
                }
                self.spacing.dictionary();
            }
            Element::PropDict => {
                let entries = self.dictionary();
                if !entries.is_empty() {
                    self.push(&format!("<{{{}}}>", entries.join(", ")));
                }
            }
            Element::Operands => {
                let all: Vec<String> = (0..self.choice.operands.len())
                    .flat_map(|index| self.choice.operand_values(index))
                    .collect();
                self.push(&all.join(", "));
            }
            Element::Regions => {
                let all: Vec<String> = self.op.regions().iter().map(|_| self.region()).collect();
                self.push(&all.join(", "));
            }
            Element::Successors => {
                let all: Vec<String> =
                    self.op.successors().iter().map(|it| format!("^{}", it.name)).collect();
                self.push(&all.join(", "));
            }
            Element::Type { of, .. } => {
                let text = self.types(*of).join(", ");
                self.push(&text);
            }
            Element::FunctionalType { inputs, results } => {
                let text = function_type(&self.parts(*inputs), &self.parts(*results));
                self.push(&text);
            }
            Element::Custom(custom) => {
                let text = self.custom(custom)?;
                self.push(&text);
            }
            // A list of clauses may be empty.
            Element::OiList(_) => {}
            Element::Optional(group) => self.group(group)?,
            Element::Results | Element::Code(_) | Element::Params | Element::Struct(_) => return None,
        }
        Some(())
    }

    fn group(&mut self, group: &OptionalGroup<'r>) -> Option<()> {
        let is_there = group.anchor().is_some_and(|anchor| self.is_there(anchor));
        if is_there == group.is_inverted {
            self.elements(&group.otherwise)
        } else {
            self.elements(&group.then)
        }
    }

    /// Tests if an anchor has something to print.
    fn is_there(&self, anchor: &Element<'r>) -> bool {
        match anchor {
            Element::Variable(variable) => match variable.kind {
                VariableKind::Region => {
                    !self.op.regions().get(variable.index).is_some_and(|it| it.is_variadic())
                }
                VariableKind::Attribute => self.choice.attributes.contains_key(&variable.index),
                VariableKind::Property => self.choice.properties.contains_key(&variable.index),
                VariableKind::Operand => !self.choice.operand_values(variable.index).is_empty(),
                VariableKind::Result => !self.choice.result_values(variable.index).is_empty(),
                VariableKind::Successor | VariableKind::Parameter => true,
            },
            Element::Type { of, .. } => !self.types(*of).is_empty(),
            Element::FunctionalType { inputs, results } => {
                !self.types(*inputs).is_empty() || !self.types(*results).is_empty()
            }
            Element::Custom(custom) => custom.parameters.iter().any(|it| self.is_there(it)),
            _ => false,
        }
    }

    fn variable(&self, variable: Variable<'_>) -> Option<String> {
        let index = variable.index;
        match variable.kind {
            VariableKind::Operand => Some(self.choice.operand_values(index).join(", ")),
            VariableKind::Attribute => {
                let Some(written) = self.choice.attributes.get(&index) else { return Some(String::new()) };
                Some(if variable.is_qualified { written.full.clone() } else { written.bare.clone() })
            }
            VariableKind::Property => {
                Some(self.choice.properties.get(&index).map_or_else(String::new, |it| it.bare.clone()))
            }
            VariableKind::Region => {
                let is_variadic = self.op.regions().get(index)?.is_variadic();
                Some(if is_variadic { String::new() } else { self.region() })
            }
            VariableKind::Successor => {
                let successor = self.op.successors().get(index)?;
                Some(if successor.is_variadic() { String::new() } else { format!("^{}", successor.name) })
            }
            VariableKind::Result | VariableKind::Parameter => None,
        }
    }

    fn region(&self) -> String {
        match &self.body.end {
            Some(end) if !self.body.is_implicit => format!("{{\n  {end}\n}}"),
            _ => "{\n}".to_owned(),
        }
    }

    fn parts(&self, of: TypeOf<'_>) -> Vec<(crate::Type, usize)> {
        let pick = |all: &[(crate::Type, usize)], index: usize| -> Vec<_> {
            all.get(index).cloned().into_iter().collect()
        };
        match of {
            TypeOf::Operands => self.choice.operands.clone(),
            TypeOf::Results => self.choice.results.clone(),
            TypeOf::Variable(variable) if variable.kind == VariableKind::Result => {
                pick(&self.choice.results, variable.index)
            }
            TypeOf::Variable(variable) => pick(&self.choice.operands, variable.index),
        }
    }

    fn types(&self, of: TypeOf<'_>) -> Vec<String> {
        self.parts(of).iter().flat_map(|(ty, count)| vec![ty.to_string(); *count]).collect()
    }

    /// The attributes and properties that are present and that no other element of the format prints.
    fn dictionary(&self) -> Vec<String> {
        let attributes = self.op.natural_attributes().iter().enumerate();
        let attributes = attributes.filter(|(index, _)| !self.format.attributes.contains(index));
        let attributes = attributes.filter_map(|(index, named)| {
            Some(format!("{} = {}", named.name, self.choice.attributes.get(&index)?.full))
        });
        let properties = self.op.properties().iter().enumerate();
        let properties = properties.filter(|(index, _)| !self.format.properties.contains(index));
        let properties = properties.filter_map(|(index, named)| {
            Some(format!("{} = {}", named.name, self.choice.properties.get(&index)?.full))
        });
        attributes.chain(properties).collect()
    }

    /// Prints well-known custom directives of MLIR; `None` for others.
    fn custom(&self, custom: &Custom<'r>) -> Option<String> {
        let variables: Vec<Variable<'_>> = custom.parameters.iter().filter_map(Element::variable).collect();
        match (custom.name, &variables[..]) {
            // `[%a, 1]`: a value is printed where the list of constants has the marker for a dynamic index.
            ("DynamicIndexList", [values, constants, ..]) => {
                if !self.choice.operand_values(values.index).is_empty() {
                    return None;
                }
                let list = &self.choice.attributes.get(&constants.index)?.bare;
                let is_round = custom
                    .parameters
                    .iter()
                    .any(|it| matches!(it, Element::Code(code) if code.contains("Delimiter::Paren")));
                let inside = list.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
                Some(match inside {
                    Some(inside) if is_round => format!("({inside})"),
                    _ => list.clone(),
                })
            }
            _ => {
                // If no parameter is present, a directive may print nothing.
                let is_empty = custom.parameters.iter().all(|it| match it {
                    Element::Variable(_) | Element::Type { .. } => !self.is_there(it),
                    _ => false,
                });
                is_empty.then(String::new)
            }
        }
    }
}
