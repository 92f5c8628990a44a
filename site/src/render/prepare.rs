//! Prepares a template that Handlebars parsed: an unknown name is an error here, before any page is written, and each
//! inclusion becomes a call of the helper for partials.

use std::{
    collections::{BTreeSet, HashMap},
    mem,
};

use handlebars::{
    Path, PathSeg, Template,
    template::{DecoratorTemplate, HelperTemplate, Parameter, Subexpression, TemplateElement},
};
use serde_json::Value;

use super::{
    functions::{self, FUNCTIONS},
    partials::{BLOCK, BLOCK_HELPER, DEPTH, PARTIAL_HELPER},
};

/// Handlebars' operations on values, each with its number of arguments; `None` for any number.
const OPERATIONS: &[(&str, Option<usize>)] = &[
    ("lookup", Some(2)),
    ("eq", Some(2)),
    ("ne", Some(2)),
    ("gt", Some(2)),
    ("gte", Some(2)),
    ("lt", Some(2)),
    ("lte", Some(2)),
    ("and", None),
    ("or", None),
    ("not", Some(1)),
    ("len", Some(1)),
];

/// The nesting limit for blocks in a template: pages are written by recursion.
const MOST_NESTED: usize = 128;

/// The named value of a section that a line break follows. Handlebars removed the one after the closing tag.
pub(super) const ENDS_LINE: &str = "@line";

/// A template's file with what its names may be.
pub(super) struct Preparation<'a> {
    pub(super) file: &'a str,
    /// The text of the template.
    pub(super) source: &'a str,
    /// True if other templates include it, so that the line of the inclusion ends its last line.
    pub(super) is_included: bool,
    /// The names of all templates.
    pub(super) partials: &'a BTreeSet<&'a str>,
}

/// The result of a check; an error is a line and a message.
type Checked<T = ()> = Result<T, (usize, String)>;

impl Preparation<'_> {
    /// Parses, checks and changes the template.
    pub(super) fn template(&self) -> Checked<Template> {
        let mut template = Template::compile(self.source).map_err(|error| {
            let line = error.pos().map_or(1, |(line, _)| line);
            (line, error.reason().to_string())
        })?;
        self.prepare(&mut template, 1, 0)?;
        Ok(template)
    }

    /// Prepares the template, or a block in it that begins at line `first`, inside so many others.
    fn prepare(&self, template: &mut Template, first: usize, nesting: usize) -> Checked {
        if nesting > MOST_NESTED {
            return Err((first, format!("more than {MOST_NESTED} blocks inside each other")));
        }
        template.name = Some(self.file.to_owned());
        let (elements, places) = (mem::take(&mut template.elements), mem::take(&mut template.mapping));
        let count = elements.len();
        for (index, mut element) in elements.into_iter().enumerate() {
            // Handlebars gives no place to the element that it puts between an `{{else if}}` and the one before.
            let place = places.get(index);
            let (line, column) = place.map_or((first, 1), |place| (place.0, place.1));
            let mut push = |element| {
                template.elements.push(element);
                template.mapping.extend(place.cloned());
            };
            match &mut element {
                TemplateElement::RawString(_) | TemplateElement::Comment(_) => push(element),
                TemplateElement::Expression(tag) | TemplateElement::HtmlExpression(tag) => {
                    self.expression(tag).map_err(|what| (line, what))?;
                    push(element);
                }
                TemplateElement::HelperBlock(block) => {
                    let ends_line = !self.is_included || nesting > 0 || index + 1 < count;
                    self.block(block, line, nesting, ends_line)?;
                    push(element);
                }
                TemplateElement::PartialExpression(tag) | TemplateElement::PartialBlock(tag) => {
                    if let Some(block) = &mut tag.template {
                        self.prepare(block, line, nesting + 1)?;
                    }
                    let (before, after) = self.margins(line, column).unwrap_or_default();
                    match self.partial(tag).map_err(|what| (line, what))? {
                        Some(call) => {
                            push(TemplateElement::RawString(before.to_owned()));
                            push(call);
                            push(TemplateElement::RawString(after.to_owned()));
                        }
                        // The partial does not exist, so the block is its default.
                        None => tag.template.take().into_iter().flat_map(|it| it.elements).for_each(push),
                    }
                }
                _ => {
                    let what = "templates define no partials; write this one into a file in `partials/`";
                    return Err((line, what.to_owned()));
                }
            }
        }
        Ok(())
    }

    fn expression(&self, tag: &mut HelperTemplate) -> Result<(), String> {
        let name = tag.name.as_name().unwrap_or_default();
        if !tag.hash.is_empty() {
            return Err(format!("`{name}` takes no named values"));
        }
        if let Some(function) = functions::find(name) {
            counted(name, Some(function.count), &tag.params)?;
        } else if tag.params.is_empty() {
            return value(&mut tag.name);
        } else if let Some((_, count)) = operation(name) {
            counted(name, *count, &tag.params)?;
        } else if self.partials.contains(name) {
            return Err(format!("there is no helper `{name}`; it is a partial: write `{{{{> {name} …}}}}`"));
        } else {
            let names: Vec<String> = FUNCTIONS.iter().map(|known| format!("`{}`", known.name)).collect();
            let names = names.join(", ");
            return Err(format!("there is no helper `{name}`; there are {names}, {}", operations()));
        }
        tag.params.iter_mut().try_for_each(value)
    }

    fn block(&self, block: &mut HelperTemplate, line: usize, nesting: usize, ends_line: bool) -> Checked {
        let fail = |what: String| Err((line, what));
        let name = block.name.as_name().unwrap_or_default().to_owned();
        if name == "raw" {
            // Handlebars parses no tags inside.
            return Ok(());
        }
        for inner in [&mut block.template, &mut block.inverse].into_iter().flatten() {
            self.prepare(inner, line, nesting + 1)?;
        }
        values(&mut block.params, &mut block.hash).map_err(|what| (line, what))?;
        if name == "section" {
            if block.params.len() != 1 {
                return fail("`section` takes the fragment of one of the page's sections".to_owned());
            }
            if block.inverse.is_some() {
                return fail(
                    "`section` has no `else`: a page that lacks the section says nothing of it".to_owned(),
                );
            }
            if block.hash.keys().any(|name| name != "class") {
                return fail("`section` takes no named value but `class`".to_owned());
            }
            if ends_line {
                block.hash.insert(ENDS_LINE.to_owned(), Parameter::Literal(Value::Bool(true)));
            }
            return Ok(());
        }
        let includes_zero =
            matches!(block.hash.get("includeZero"), Some(Parameter::Literal(value)) if value == true);
        if block.hash.len() > usize::from(includes_zero) {
            return fail(format!("`{name}` takes no such named values"));
        }
        let count = match operation(&name) {
            Some((_, count)) => *count,
            None if matches!(&*name, "if" | "unless" | "each" | "with") => Some(1),
            None => {
                return fail(format!(
                    "there is no block `{name}`; there are `if`, `unless`, `each`, `with`, `section`, `raw`, {}",
                    operations()
                ));
            }
        };
        counted(&name, count, &block.params).map_err(|what| (line, what))
    }

    /// Returns the call of a helper that an inclusion becomes; `None` if it has a block in place of a partial.
    fn partial(&self, tag: &mut DecoratorTemplate) -> Result<Option<TemplateElement>, String> {
        values(&mut tag.params, &mut tag.hash)?;
        let Some(name) = tag.name.as_name() else {
            return Err("the name of a partial is not worked out; choose with `{{#if}}`".to_owned());
        };
        let state = |name: &str| {
            Parameter::Path(Path::Relative((vec![PathSeg::Named(name.to_owned())], name.to_owned())))
        };
        let (helper, parameters) = if name == BLOCK {
            (BLOCK_HELPER, vec![state(BLOCK)])
        } else if self.partials.contains(name) {
            let argument = tag.params.first().filter(|argument| !is_this(argument)).cloned();
            let name = Parameter::Literal(name.into());
            (PARTIAL_HELPER, [name, state(DEPTH)].into_iter().chain(argument).collect())
        } else if tag.template.is_some() {
            return Ok(None);
        } else {
            return Err(format!("there is no partial `{name}`; it would be in `partials/{name}.hbs`"));
        };
        let helper = Parameter::Name(helper.to_owned());
        let mut call = *Subexpression::new(helper, parameters, mem::take(&mut tag.hash)).element;
        if let TemplateElement::Expression(call) = &mut call {
            call.template = tag.template.take();
        }
        Ok(Some(call))
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

/// Checks the number of a call's arguments.
fn counted(name: &str, takes: Option<usize>, given: &[Parameter]) -> Result<(), String> {
    match takes.filter(|takes| *takes != given.len()) {
        Some(takes) => {
            let values = if takes == 1 { "value" } else { "values" };
            Err(format!("`{name}` takes {takes} {values}, not {}", given.len()))
        }
        None => Ok(()),
    }
}

/// Checks arguments and named values. Named values have no order, so that the least message counts.
fn values(arguments: &mut [Parameter], named: &mut HashMap<String, Parameter>) -> Result<(), String> {
    arguments.iter_mut().try_for_each(value)?;
    named.values_mut().filter_map(|named| value(named).err()).min().map_or(Ok(()), Err)
}

/// Checks a value: a path, a literal or an operation.
fn value(parameter: &mut Parameter) -> Result<(), String> {
    match parameter {
        Parameter::Path(path) => {
            let Path::Local((_, name, text)) = path else { return Ok(()) };
            match &**name {
                "index" | "key" | "first" | "last" => Ok(()),
                "root" => {
                    // Handlebars knows `@root` only before a name.
                    if let Ok(Parameter::Path(Path::Relative((mut segments, _)))) =
                        Parameter::parse("@root.page")
                    {
                        segments.truncate(1);
                        *path = Path::Relative((segments, mem::take(text)));
                    }
                    Ok(())
                }
                _ => Err(format!(
                    "there is no `{text}`; there are `@index`, `@key`, `@first`, `@last` and `@root`"
                )),
            }
        }
        Parameter::Subexpression(inner) => {
            let TemplateElement::Expression(call) = &mut *inner.element else {
                return Err("this is not a value".to_owned());
            };
            let name = call.name.as_name().unwrap_or_default();
            if !call.hash.is_empty() {
                return Err(format!("`{name}` takes no named values"));
            }
            let Some((_, count)) = operation(name) else {
                return Err(match functions::find(name) {
                    Some(_) => format!("`{name}` writes HTML; it has no value to go on with"),
                    None => format!("there is no operation `{name}`; there are {}", operations()),
                });
            };
            counted(name, *count, &call.params)?;
            call.params.iter_mut().try_for_each(value)
        }
        _ => Ok(()),
    }
}

/// Tests if it is `this`.
fn is_this(parameter: &Parameter) -> bool {
    matches!(parameter.as_name(), Some("this" | "." | "./"))
}

fn operation(name: &str) -> Option<&'static (&'static str, Option<usize>)> {
    OPERATIONS.iter().find(|(known, _)| *known == name)
}

/// The names of all operations, for messages.
fn operations() -> String {
    let names: Vec<String> = OPERATIONS.iter().map(|(name, _)| format!("`{name}`")).collect();
    names.join(", ")
}
