//! Templates as steps: what Handlebars parsed, made ready to be filled without looking up any name of a helper twice.
//!
//! A plan knows conditions, lists, `with`, values and our own helpers. Handlebars itself fills a template with anything
//! else, and says what is wrong where a plan finds no value.

use handlebars::{
    Path as HandlebarsPath, PathSeg, Template,
    template::{HelperTemplate, Parameter, TemplateElement},
};

use super::{
    data::{Data, Datum},
    helpers::{Given, HELPERS, Make},
};
use crate::markdown::{self, Scope};

/// The steps of a template.
pub(super) struct Plan(Vec<Step>);

enum Step {
    Text(String),
    /// `{{path}}`, or `{{{path}}}` as it is.
    Value {
        path: Path,
        is_raw: bool,
    },
    Helper {
        make: Make,
        arguments: Vec<Argument>,
    },
    /// `{{#if}}`, `{{#unless}}`.
    If {
        condition: Condition,
        is_unless: bool,
        then: Plan,
        otherwise: Option<Plan>,
    },
    Each {
        list: Path,
        body: Plan,
        otherwise: Option<Plan>,
    },
    With {
        path: Path,
        body: Plan,
        otherwise: Option<Plan>,
    },
}

enum Argument {
    Path(Path),
    Literal(Data),
}

enum Condition {
    Path(Path),
    /// `@first` so many levels up.
    First(usize),
    /// `@last`.
    Last(usize),
}

struct Path {
    from: From,
    names: Vec<String>,
}

enum From {
    /// So many levels up.
    Level(usize),
    /// `@root`.
    Root,
}

/// What names are looked up in.
#[derive(Clone, Copy)]
struct Level<'a> {
    here: Datum<'a>,
    is_first: bool,
    is_last: bool,
    above: Option<&'a Level<'a>>,
}

/// What a page is filled from and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Filling<'a> {
    pub(super) root: Datum<'a>,
    pub(super) scope: Scope<'a>,
}

/// A template asks for what is not there.
pub(super) struct Missing;

type Filled = Result<(), Missing>;

impl Plan {
    /// The plan of a template, if all in it is of the kinds that plans know.
    pub(super) fn new(template: &Template) -> Option<Plan> {
        template.elements.iter().map(Step::new).collect::<Option<_>>().map(Plan)
    }

    /// Writes a page.
    pub(super) fn fill(&self, filling: Filling<'_>, html: &mut String) -> Filled {
        let level = Level { here: filling.root, is_first: false, is_last: false, above: None };
        self.run(filling, &level, html)
    }

    fn run(&self, filling: Filling<'_>, level: &Level<'_>, html: &mut String) -> Filled {
        self.0.iter().try_for_each(|step| step.run(filling, level, html))
    }
}

impl Step {
    fn new(element: &TemplateElement) -> Option<Step> {
        match element {
            TemplateElement::RawString(text) => Some(Step::Text(text.clone())),
            TemplateElement::Comment(_) => Some(Step::Text(String::new())),
            TemplateElement::Expression(expression) => Step::expression(expression, false),
            TemplateElement::HtmlExpression(expression) => Step::expression(expression, true),
            TemplateElement::HelperBlock(block) => Step::block(block),
            _ => None,
        }
    }

    fn expression(expression: &HelperTemplate, is_raw: bool) -> Option<Step> {
        if !expression.hash.is_empty() {
            return None;
        }
        let name = expression.name.as_name()?;
        match HELPERS.iter().find(|(known, _)| *known == name) {
            Some(&(_, make)) => {
                let arguments = expression.params.iter().map(Argument::new).collect::<Option<_>>()?;
                Some(Step::Helper { make, arguments })
            }
            None if expression.params.is_empty() => {
                Some(Step::Value { path: Path::new(&expression.name)?, is_raw })
            }
            None => None,
        }
    }

    fn block(block: &HelperTemplate) -> Option<Step> {
        let [argument] = block.params.as_slice() else { return None };
        if !block.hash.is_empty() || block.block_param.is_some() {
            return None;
        }
        let body = block.template.as_ref().map_or(Some(Plan(Vec::new())), Plan::new)?;
        let otherwise = match &block.inverse {
            Some(inverse) => Some(Plan::new(inverse)?),
            None => None,
        };
        let name = block.name.as_name()?;
        match name {
            "if" | "unless" => {
                let condition = Condition::new(argument)?;
                Some(Step::If { condition, is_unless: name == "unless", then: body, otherwise })
            }
            "each" => Some(Step::Each { list: Path::new(argument)?, body, otherwise }),
            "with" => Some(Step::With { path: Path::new(argument)?, body, otherwise }),
            _ => None,
        }
    }

    fn run(&self, filling: Filling<'_>, level: &Level<'_>, html: &mut String) -> Filled {
        match self {
            Step::Text(text) => html.push_str(text),
            Step::Value { path, is_raw } => {
                let shown = path.find(filling, level).ok_or(Missing)?.shown();
                if *is_raw {
                    html.push_str(&shown);
                } else {
                    markdown::escape(&shown, html);
                }
            }
            Step::Helper { make, arguments } => {
                let mut given = Given::default();
                for (place, argument) in given.iter_mut().zip(arguments) {
                    *place = argument.find(filling, level);
                }
                make(given, filling.scope, html).map_err(|_| Missing)?;
            }
            Step::If { condition, is_unless, then, otherwise } => {
                let chosen = if condition.holds(filling, level) == *is_unless {
                    otherwise.as_ref()
                } else {
                    Some(then)
                };
                return chosen.map_or(Ok(()), |plan| plan.run(filling, level, html));
            }
            Step::Each { list, body, otherwise } => {
                let items = list.find(filling, level).and_then(Datum::as_list);
                let items = items.filter(|items| items.len() > 0 || otherwise.is_none());
                let Some(items) = items else {
                    return otherwise.as_ref().ok_or(Missing)?.run(filling, level, html);
                };
                let count = items.len();
                for (index, here) in items.enumerate() {
                    let (is_first, is_last) = (index == 0, index + 1 == count);
                    body.run(filling, &Level { here, is_first, is_last, above: Some(level) }, html)?;
                }
            }
            Step::With { path, body, otherwise } => {
                let Some(here) = path.find(filling, level).filter(|here| here.is_truthy()) else {
                    return otherwise.as_ref().ok_or(Missing)?.run(filling, level, html);
                };
                body.run(filling, &Level { here, above: Some(level), ..*level }, html)?;
            }
        }
        Ok(())
    }
}

impl Argument {
    fn new(argument: &Parameter) -> Option<Argument> {
        match argument {
            Parameter::Literal(value) => Data::new(value, 0).map(Argument::Literal),
            _ => Path::new(argument).map(Argument::Path),
        }
    }

    fn find<'a>(&'a self, filling: Filling<'a>, level: &Level<'a>) -> Option<Datum<'a>> {
        match self {
            Argument::Path(path) => path.find(filling, level),
            Argument::Literal(data) => Some(data.root()),
        }
    }
}

impl Condition {
    fn new(argument: &Parameter) -> Option<Condition> {
        match argument {
            Parameter::Path(HandlebarsPath::Local((level, name, _))) => match name.as_str() {
                "first" => Some(Condition::First(*level)),
                "last" => Some(Condition::Last(*level)),
                _ => None,
            },
            _ => Path::new(argument).map(Condition::Path),
        }
    }

    fn holds(&self, filling: Filling<'_>, level: &Level<'_>) -> bool {
        match self {
            Condition::Path(path) => path.find(filling, level).is_some_and(Datum::is_truthy),
            Condition::First(up) => level.up(*up).is_first,
            Condition::Last(up) => level.up(*up).is_last,
        }
    }
}

impl Path {
    /// Handlebars tells the marks in a path only by its text.
    fn new(argument: &Parameter) -> Option<Path> {
        let Parameter::Path(HandlebarsPath::Relative((segments, text))) = argument else { return None };
        let named = segments.iter().filter_map(|segment| match segment {
            PathSeg::Named(name) => Some(name.clone()),
            _ => None,
        });
        let names: Vec<String> = named.collect();
        let marks = segments.len() - names.len();
        let from = match marks {
            1 if text.starts_with("@root") => From::Root,
            _ if text.starts_with(&"../".repeat(marks)) => From::Level(marks),
            _ => return None,
        };
        Some(Path { from, names })
    }

    fn find<'a>(&self, filling: Filling<'a>, level: &Level<'a>) -> Option<Datum<'a>> {
        let start = match self.from {
            From::Level(up) => level.up(up).here,
            From::Root => filling.root,
        };
        self.names.iter().try_fold(start, |datum, name| datum.get(name))
    }
}

impl<'a> Level<'a> {
    /// The level so many above; this one where there are not so many.
    fn up(&self, levels: usize) -> Level<'a> {
        let above = (0..levels).try_fold(*self, |level, _| level.above.copied());
        above.unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use handlebars::Handlebars;
    use serde_json::json;

    use super::*;
    use crate::{links::Registry, markdown::Texts};

    /// A plan writes what Handlebars writes, where there is a plan.
    fn check(template: &str, is_planned: bool) {
        let value = json!({
            "frame": {"root": "", "path": ""},
            "page": {"name": "a<b", "none": null, "count": 3, "zero": 0, "list": [
                {"name": "x", "is_old": true, "of": ["p", "q"]},
                {"name": "y", "is_old": false, "of": []},
            ]},
        });
        let parsed = Template::compile(template).expect("a template that parses");
        let plan = Plan::new(&parsed);
        assert_eq!(plan.is_some(), is_planned, "{template}");
        let Some(plan) = plan else { return };
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        let expected = handlebars.render_template(template, &value).ok();
        let data = Data::new(&value, 0).expect("facts");
        let (registry, texts) = (Registry::default(), Texts::default());
        let scope = Scope { registry: &registry, texts: &texts, root: "", path: "" };
        let mut html = String::new();
        let filled = plan.fill(Filling { root: data.root(), scope }, &mut html);
        assert_eq!(filled.is_ok().then_some(html), expected, "{template}");
    }

    #[test]
    fn plans_write_what_handlebars_writes() {
        for template in [
            "{{page.name}} {{{page.name}}} {{page.count}} {{page}} {{page.list}} [{{page.none}}] {{! a remark }}",
            "{{#if page.zero}}a{{else if page.count}}b{{else}}c{{/if}} {{#unless page.none}}d{{/unless}}",
            "{{#if page.missing}}a{{else}}b{{/if}}",
            "{{#each page.list}}{{name}}{{#unless @last}}, {{/unless}}{{#each of}}{{this}}{{../name}}{{../../page.name}}{{#if @../first}}!{{/if}}{{else}}-{{/each}}{{/each}}",
            "{{#with page}}{{name}} {{@root.page.name}} {{#with missing}}a{{else}}b{{/with}}{{/with}}",
            "{{#each page.list}}{{#with this}}{{#if @first}}1{{/if}}{{name}}{{/with}}{{/each}}",
            "{{page.list.1.name}} {{page.list.[0].name}}",
            "{{page.missing}}",
            "{{#each page.missing}}a{{/each}}",
            "{{#with page.none}}a{{/with}}",
            "a\n{{#if page.name}}\n  b\n{{/if}}\nc {{~#if page.count~}} d {{~/if}}",
        ] {
            check(template, true);
        }
    }

    #[test]
    fn the_rest_is_left_to_handlebars() {
        for template in [
            "{{#each page.list as |x|}}{{x.name}}{{/each}}",
            "{{@index}}",
            "{{lookup page \"name\"}}",
            "{{> a b=1}}",
            "{{#if (eq 1 1)}}a{{/if}}",
        ] {
            check(template, false);
        }
    }
}
