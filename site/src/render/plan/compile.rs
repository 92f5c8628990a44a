//! Compiles a template that Handlebars parsed to a plan. An unsupported construct is an error here, before any page
//! is written.

use std::collections::BTreeMap;

use handlebars::{
    Template,
    template::{BlockParam, DecoratorTemplate, HelperTemplate, Parameter, TemplateElement},
};

use super::{
    Inclusion, Plan, ScopedBlock, SectionBlock, Step,
    expression::{Expression, operations},
};
use crate::render::functions::{self, FUNCTIONS};

/// A compiler for one template.
pub(in crate::render) struct Compiler<'a> {
    /// The index of the template.
    pub(in crate::render) file: usize,
    /// Its text.
    pub(in crate::render) source: &'a str,
    /// All templates by their names.
    pub(in crate::render) partials: &'a BTreeMap<String, usize>,
}

/// The result of compilation; an error is a line and a message.
type CompileResult<T> = Result<T, (usize, String)>;

impl Compiler<'_> {
    /// Compiles the template, or a block in it that begins at line `first`.
    pub(in crate::render) fn plan(&self, template: &Template, first: usize) -> CompileResult<Plan> {
        let mut plan = Plan { file: self.file, steps: Vec::with_capacity(template.elements.len()) };
        for (index, element) in template.elements.iter().enumerate() {
            // Handlebars gives no place to the element that it puts between an `{{else if}}` and the one before.
            let (line, column) = template.mapping.get(index).map_or((first, 1), |place| (place.0, place.1));
            match element {
                TemplateElement::RawString(text) => plan.text(line, text),
                TemplateElement::Comment(_) => {}
                TemplateElement::Expression(tag) => plan.push(line, self.expression(tag, false, line)?),
                TemplateElement::HtmlExpression(tag) => plan.push(line, self.expression(tag, true, line)?),
                TemplateElement::HelperBlock(block) if block.name.as_name() == Some("raw") => {
                    // Handlebars parses no tags inside.
                    let inner = block.template.as_ref().map(|inner| self.plan(inner, line)).transpose()?;
                    plan.steps.extend(inner.unwrap_or_default().steps);
                }
                TemplateElement::HelperBlock(block) => plan.push(line, self.block(block, line)?),
                TemplateElement::PartialExpression(tag) | TemplateElement::PartialBlock(tag) => {
                    self.partial(tag, (line, column), &mut plan)?;
                }
                _ => {
                    let what = "templates define no partials; write this one into a file in `partials/`";
                    return Err((line, what.to_owned()));
                }
            }
        }
        Ok(plan)
    }

    fn expression(&self, tag: &HelperTemplate, is_raw: bool, line: usize) -> CompileResult<Step> {
        let fail = |what: String| Err((line, what));
        let name = tag.name.as_name().unwrap_or_default();
        if !tag.hash.is_empty() {
            return fail(format!("`{name}` takes no named values"));
        }
        if let Some(function) = functions::find(name) {
            let (count, takes) = (tag.params.len(), function.count);
            if count != takes {
                return fail(format!("`{name}` takes {takes} values, not {count}"));
            }
            let arguments =
                tag.params.iter().map(|parameter| value(parameter, line)).collect::<Result<_, _>>()?;
            return Ok(Step::Function { function, arguments });
        }
        if tag.params.is_empty() {
            return Ok(Step::Value { value: value(&tag.name, line)?, is_raw });
        }
        match Expression::call(name, &tag.params).map_err(|what| (line, what))? {
            Some(value) => Ok(Step::Value { value, is_raw }),
            None if self.partials.contains_key(name) => {
                fail(format!("there is no helper `{name}`; it is a partial: write `{{{{> {name} …}}}}`"))
            }
            None => {
                let names: Vec<String> = FUNCTIONS.iter().map(|known| format!("`{}`", known.name)).collect();
                fail(format!("there is no helper `{name}`; there are {}, {}", names.join(", "), operations()))
            }
        }
    }

    fn block(&self, block: &HelperTemplate, line: usize) -> CompileResult<Step> {
        let name = block.name.as_name().unwrap_or_default();
        let plan =
            |template: &Option<Template>| template.as_ref().map(|inner| self.plan(inner, line)).transpose();
        let (body, otherwise) = (plan(&block.template)?.unwrap_or_default(), plan(&block.inverse)?);
        if name == "section" {
            return section(block, body, otherwise.is_some(), line);
        }
        let includes_zero =
            matches!(block.hash.get("includeZero"), Some(Parameter::Literal(value)) if value == true);
        if block.hash.len() > usize::from(includes_zero) {
            return Err((line, format!("`{name}` takes no such named values")));
        }
        if let Some(condition) = Expression::call(name, &block.params).map_err(|what| (line, what))? {
            let branches = Box::new([otherwise.unwrap_or_default(), body]);
            return Ok(Step::If { condition, includes_zero, branches });
        }
        if !matches!(name, "if" | "unless" | "each" | "with") {
            let what = format!(
                "there is no block `{name}`; there are `if`, `unless`, `each`, `with`, `section`, `raw`, {}",
                operations()
            );
            return Err((line, what));
        }
        let [parameter] = block.params.as_slice() else {
            return Err((line, format!("`{name}` takes 1 value, not {}", block.params.len())));
        };
        let value = value(parameter, line)?;
        let names = block.block_param.as_ref().map(block_names).unwrap_or_default();
        Ok(match name {
            "each" => Step::Each(Box::new(ScopedBlock { value, names, body, otherwise })),
            "with" => Step::With(Box::new(ScopedBlock { value, names, body, otherwise })),
            _ => {
                let mut branches = Box::new([otherwise.unwrap_or_default(), body]);
                if name == "unless" {
                    branches.reverse();
                }
                Step::If { condition: value, includes_zero, branches }
            }
        })
    }

    fn partial(
        &self,
        tag: &DecoratorTemplate,
        (line, column): (usize, usize),
        plan: &mut Plan,
    ) -> CompileResult<()> {
        let Some(name) = tag.name.as_name() else {
            return Err((line, "the name of a partial is not worked out; choose with `{{#if}}`".to_owned()));
        };
        let block = tag.template.as_ref().map(|block| self.plan(block, line)).transpose()?;
        let step = if name == "@partial-block" {
            Step::Block(block)
        } else if let Some(&partial) = self.partials.get(name) {
            let argument = tag.params.first().map(|parameter| value(parameter, line)).transpose()?;
            let argument = argument.filter(|argument| !argument.is_this());
            let mut hash: Vec<_> = tag.hash.iter().collect();
            hash.sort_by_key(|(name, _)| *name);
            let names = hash.iter().map(|(name, _)| (*name).clone()).collect();
            let values = hash.iter().map(|(_, given)| value(given, line)).collect::<Result<_, _>>()?;
            let name = name.to_owned();
            Step::Partial(Box::new(Inclusion { name, partial, argument, names, values, block }))
        } else if let Some(block) = block {
            // The partial does not exist, so the block is its default.
            plan.steps.extend(block.steps);
            return Ok(());
        } else {
            let what = format!("there is no partial `{name}`; it would be in `partials/{name}.hbs`");
            return Err((line, what));
        };
        let (before, after) = self.margins(line, column).unwrap_or_default();
        plan.text(line, before);
        plan.push(line, step);
        plan.text(line, after);
        Ok(())
    }

    /// The whitespace that Handlebars removed around an inclusion on a line of its own. Partials do not end their last
    /// line, so the line of the inclusion must end.
    fn margins(&self, line: usize, column: usize) -> Option<(&str, &str)> {
        let start: usize = self.source.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let (place, _) = self.source[start..].char_indices().nth(column - 1)?;
        let (before, tag) = self.source[start..].split_at(place);
        let end = tag.find("}}")? + 2;
        let (tag, rest) = tag.split_at(end);
        let after = &rest[..=rest.find('\n')?];
        let is_alone = before.trim().is_empty() && after.trim().is_empty();
        let before = if tag.starts_with("{{~") { "" } else { before };
        let after = if tag.ends_with("~}}") { "" } else { after };
        is_alone.then_some((before, after))
    }
}

impl Plan {
    fn push(&mut self, line: usize, step: Step) {
        self.steps.push((line, step));
    }

    fn text(&mut self, line: usize, text: &str) {
        match self.steps.last_mut() {
            Some((_, Step::Text(last))) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.push(line, Step::Text(text.to_owned())),
        }
    }
}

/// Compiles `{{#section id class=name}}`.
fn section(block: &HelperTemplate, body: Plan, has_else: bool, line: usize) -> CompileResult<Step> {
    let fail = |what: &str| Err((line, what.to_owned()));
    let [id] = block.params.as_slice() else {
        return fail("`section` takes the fragment of one of the page's sections");
    };
    if has_else {
        return fail("`section` has no `else`: a page that lacks the section says nothing of it");
    }
    if block.hash.keys().any(|name| name != "class") {
        return fail("`section` takes no named value but `class`");
    }
    let class = block.hash.get("class").map(|class| value(class, line)).transpose()?;
    let id = value(id, line)?;
    Ok(Step::Section(Box::new(SectionBlock { id, class, body, ends_line: true })))
}

fn value(parameter: &Parameter, line: usize) -> CompileResult<Expression> {
    Expression::new(parameter).map_err(|what| (line, what))
}

/// The names in `as |row index|`.
fn block_names(names: &BlockParam) -> Vec<String> {
    let names = match names {
        BlockParam::Single(name) => vec![name],
        BlockParam::Pair((value, key)) => vec![value, key],
        _ => Vec::new(),
    };
    names.into_iter().filter_map(|name| name.as_name().map(str::to_owned)).collect()
}
