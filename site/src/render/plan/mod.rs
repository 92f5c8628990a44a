//! Templates as steps: what Handlebars parsed, compiled so that each name is resolved once.
//!
//! * `compile`: compiles a template; a construct that plans do not support is an error there;
//! * `expression`: paths, literals, `@index` and operations, and their values.
//!
//! A partial is a plan of its own. Its arguments open a new level, as in `{{#with}}`; without arguments it sees the
//! level of the template that includes it.

mod compile;
mod expression;

use std::sync::Arc;

pub(super) use compile::Compiler;
use expression::Expression;
pub(super) use expression::Value;

use super::{data::Datum, functions::Function};
use crate::{
    markdown::{self, Scope},
    pages::headings::Heading,
};

/// The nesting limit for partials; only endless recursion reaches it.
const MOST_NESTED: usize = 64;

/// The steps of a template, or of a block in it.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The index of the template.
    file: usize,
    /// The steps, each with its line.
    steps: Vec<(usize, Step)>,
}

#[derive(Debug)]
enum Step {
    Text(String),
    /// `{{value}}`, or with `is_raw` the unescaped `{{{value}}}`.
    Value {
        value: Expression,
        is_raw: bool,
    },
    Function {
        function: &'static Function,
        arguments: Vec<Expression>,
    },
    /// `{{#if}}`; for `{{#unless}}` the branches are swapped.
    If {
        condition: Expression,
        includes_zero: bool,
        /// The plans for false and true.
        branches: Box<[Plan; 2]>,
    },
    Each(Box<ScopedBlock>),
    With(Box<ScopedBlock>),
    Section(Box<SectionBlock>),
    Partial(Box<Inclusion>),
    /// `{{> @partial-block}}`, with its default.
    Block(Option<Plan>),
}

/// `{{#each value as |name index|}}` or `{{#with value as |name|}}`.
#[derive(Debug)]
struct ScopedBlock {
    value: Expression,
    names: Vec<String>,
    body: Plan,
    otherwise: Option<Plan>,
}

/// `{{#section id class=name}}`; it writes nothing if the page has no such section.
#[derive(Debug)]
struct SectionBlock {
    id: Expression,
    class: Option<Expression>,
    body: Plan,
    /// True if a line break follows it. Handlebars removed the one after the closing tag.
    ends_line: bool,
}

/// `{{> partial argument name=value}}`, with or without a block.
#[derive(Debug)]
struct Inclusion {
    name: String,
    /// The index of the partial.
    partial: usize,
    argument: Option<Expression>,
    names: Vec<String>,
    values: Vec<Expression>,
    block: Option<Plan>,
}

/// The input of templates.
#[derive(Clone, Copy)]
pub(super) struct Filling<'a> {
    pub(super) root: Datum<'a>,
    pub(super) scope: Scope<'a>,
    /// The headings of the page.
    pub(super) headings: &'a [Heading],
    /// The plan of each template.
    pub(super) plans: &'a [Arc<Plan>],
}

/// The position of a step in the nesting of partials.
#[derive(Clone, Copy)]
struct Frame<'a> {
    filling: Filling<'a>,
    block: Option<&'a Block<'a>>,
    depth: usize,
}

/// The block that a partial was included with.
struct Block<'a> {
    plan: &'a Plan,
    /// The block of the template that includes the partial.
    outer: Option<&'a Block<'a>>,
}

/// A scope for the lookup of names.
#[derive(Clone, Copy)]
struct Level<'a> {
    here: Value<'a>,
    /// The position in the list or map of an `{{#each}}`.
    item: Option<Item<'a>>,
    names: Option<&'a Names<'a>>,
    above: Option<&'a Level<'a>>,
}

#[derive(Clone, Copy)]
struct Item<'a> {
    index: usize,
    is_last: bool,
    key: Option<&'a str>,
}

/// Block parameters and named arguments.
struct Names<'a> {
    names: &'a [String],
    values: &'a [Value<'a>],
    outer: Option<&'a Names<'a>>,
}

/// The error for a value that the page does not have.
#[derive(Debug)]
pub(super) struct MissingValue {
    /// The template and the line, once they are known.
    pub(super) place: Option<(usize, usize)>,
    pub(super) what: String,
}

impl MissingValue {
    fn new(what: String) -> Box<Self> {
        Box::new(MissingValue { place: None, what })
    }

    fn at(mut self: Box<Self>, file: usize, line: usize) -> Box<Self> {
        self.place.get_or_insert((file, line));
        self
    }
}

/// The result of filling a template.
type FillResult<T = ()> = Result<T, Box<MissingValue>>;

impl Plan {
    /// Writes a page.
    pub(super) fn fill(&self, filling: Filling<'_>, html: &mut String) -> FillResult {
        let level = Level { here: Value::Fact(filling.root), item: None, names: None, above: None };
        self.run(&Frame { filling, block: None, depth: 0 }, &level, html)
    }

    /// Removes the line break after a section at the end, because the line of the inclusion ends by itself.
    pub(super) fn without_last_end(mut self) -> Self {
        if let Some((_, Step::Section(section))) = self.steps.last_mut() {
            section.ends_line = false;
        }
        self
    }

    fn run(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        for (line, step) in &self.steps {
            step.run(frame, level, html).map_err(|missing| missing.at(self.file, *line))?;
        }
        Ok(())
    }
}

impl Step {
    fn run(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        match self {
            Step::Text(text) => html.push_str(text),
            Step::Value { value, is_raw } => {
                let shown = value.demand(frame, level)?.page_text();
                if *is_raw {
                    html.push_str(&shown);
                } else {
                    markdown::escape(&shown, html);
                }
            }
            Step::Function { function, arguments } => {
                let mut given = [Value::False; 2];
                for (place, argument) in given.iter_mut().zip(arguments) {
                    *place = argument.demand(frame, level)?;
                }
                let written = (function.write)(given, frame.filling.scope, html);
                written.map_err(|takes| MissingValue::new(format!("`{}` takes {takes}", function.name)))?;
            }
            Step::If { condition, includes_zero, branches } => {
                let value = condition.find(frame, level)?;
                let holds = value.is_some_and(|value| value.is_truthy(*includes_zero));
                branches[usize::from(holds)].run(frame, level, html)?;
            }
            Step::Each(section) => section.each(frame, level, html)?,
            Step::With(section) => section.with(frame, level, html)?,
            Step::Section(section) => section.run(frame, level, html)?,
            Step::Partial(inclusion) => inclusion.run(frame, level, html)?,
            Step::Block(default) => match (frame.block, default) {
                (Some(block), _) => block.plan.run(&Frame { block: block.outer, ..*frame }, level, html)?,
                (None, Some(default)) => default.run(frame, level, html)?,
                (None, None) => {
                    return Err(MissingValue::new("nothing includes this with a block".to_owned()));
                }
            },
        }
        Ok(())
    }
}

impl SectionBlock {
    fn run(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        let id = self.id.demand(frame, level)?.page_text();
        let class = self.class.as_ref().map(|class| class.demand(frame, level)).transpose()?;
        let Some(heading) = frame.filling.headings.iter().find(|heading| heading.id == *id) else {
            return Ok(());
        };
        let attribute = |name: &str, value: &str, html: &mut String| {
            html.extend([" ", name, "=\""]);
            markdown::escape(value, html);
            html.push('"');
        };
        html.push_str("<section");
        if let Some(class) = class {
            attribute("class", &class.page_text(), html);
        }
        attribute("aria-labelledby", &id, html);
        html.push_str(">\n<h2");
        attribute("id", &id, html);
        html.push('>');
        markdown::escape(&heading.title, html);
        for (text, open, close) in
            [(&heading.code, " <code>", "</code>"), (&heading.aside, " <span class=\"aside\">", "</span>")]
        {
            if let Some(text) = text {
                html.push_str(open);
                markdown::escape(text, html);
                html.push_str(close);
            }
        }
        html.push_str("</h2>\n");
        self.body.run(frame, level, html)?;
        html.push_str(if self.ends_line { "</section>\n" } else { "</section>" });
        Ok(())
    }
}

impl ScopedBlock {
    fn each(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        let items = self.value.find(frame, level)?.and_then(Value::entries);
        let items = items.filter(|items| items.len() > 0 || self.otherwise.is_none());
        let Some(items) = items else { return self.otherwise(frame, level, html) };
        let count = items.len();
        for (index, (key, here)) in items.enumerate() {
            let item = Some(Item { index, is_last: index + 1 == count, key });
            let here = Value::Fact(here);
            let values = [here, key.map_or(Value::Number(index), Value::Text)];
            let named = Names { names: &self.names, values: &values, outer: level.names };
            self.body.run(frame, &level.below(here, item, &named), html)?;
        }
        Ok(())
    }

    fn with(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        let here = self.value.find(frame, level)?.filter(|value| value.is_truthy(false));
        let Some(here) = here else { return self.otherwise(frame, level, html) };
        let named = Names { names: &self.names, values: &[here], outer: level.names };
        self.body.run(frame, &level.below(here, level.item, &named), html)
    }

    fn otherwise(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        self.otherwise.as_ref().ok_or_else(|| self.value.missing())?.run(frame, level, html)
    }
}

impl Inclusion {
    fn run(&self, frame: &Frame<'_>, level: &Level<'_>, html: &mut String) -> FillResult {
        if frame.depth == MOST_NESTED {
            return Err(MissingValue::new(format!("`{}` includes itself without end", self.name)));
        }
        let plan = &frame.filling.plans[self.partial];
        let block = self.block.as_ref().map(|plan| Block { plan, outer: frame.block });
        let inner = Frame { block: block.as_ref(), depth: frame.depth + 1, ..*frame };
        if self.argument.is_none() && self.names.is_empty() {
            return plan.run(&inner, level, html);
        }
        let here = self.argument.as_ref().map_or(Ok(level.here), |value| value.demand(frame, level))?;
        let values =
            self.values.iter().map(|value| value.demand(frame, level)).collect::<FillResult<Vec<_>>>()?;
        let named = Names { names: &self.names, values: &values, outer: level.names };
        plan.run(&inner, &level.below(here, level.item, &named), html)
    }
}

impl<'a> Level<'a> {
    /// Creates a level inside this one.
    fn below(&'a self, here: Value<'a>, item: Option<Item<'a>>, named: &'a Names<'a>) -> Level<'a> {
        let names = if named.names.is_empty() { self.names } else { Some(named) };
        Level { here, item, names, above: Some(self) }
    }

    /// The level so many levels up, or this one if there are fewer.
    fn up(&self, levels: usize) -> &Level<'a> {
        (0..levels).try_fold(self, |level, _| level.above).unwrap_or(self)
    }

    /// Looks up a block parameter or named argument.
    fn named(&self, name: &str) -> Option<Value<'a>> {
        std::iter::successors(self.names, |names| names.outer).find_map(|names| {
            names.names.iter().zip(names.values).find(|(known, _)| *known == name).map(|(_, value)| *value)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use handlebars::{Handlebars, Template};
    use serde_json::json;

    use super::*;
    use crate::{links::Registry, markdown::Texts, render::data::Data};

    /// A partial that shows values of every kind.
    const SHOWN: &str = "<{{name}} {{size}} {{@index}} {{@root.page.name}}>";

    fn compiled(source: &str, file: usize) -> Result<Plan, (usize, String)> {
        let parsed = Template::compile(source).expect("a template that parses");
        let partials =
            BTreeMap::from([("shown".to_owned(), 1), ("box".to_owned(), 2), ("loop".to_owned(), 3)]);
        Compiler { file, source, partials: &partials }.plan(&parsed, 1)
    }

    /// Fills a template with a value.
    fn filled(template: &str, value: &serde_json::Value) -> Result<String, String> {
        let page = compiled(template, 0).map_err(|(_, what)| what)?;
        let [shown, r#box, r#loop] =
            [SHOWN, "[{{> @partial-block}}]", "{{> loop}}"].map(|text| compiled(text, 1).expect("a plan"));
        let data = Data::new(value, 0).expect("facts");
        let (registry, texts) = (Registry::default(), Texts::default());
        let scope = Scope { registry: &registry, texts: &texts, root: "", path: "" };
        let plans = [page, shown, r#box, r#loop].map(Arc::new);
        let mut html = String::new();
        match plans[0].fill(Filling { root: data.root(), scope, headings: &[], plans: &plans }, &mut html) {
            Ok(()) => Ok(html),
            Err(missing) => Err(missing.what),
        }
    }

    fn facts() -> serde_json::Value {
        json!({
            "frame": {"root": "", "path": ""},
            "page": {"name": "a<b", "none": null, "count": 3, "zero": 0, "list": [
                {"name": "x", "is_old": true, "of": ["p", "q"]},
                {"name": "y", "is_old": false, "of": []},
            ], "map": {"one": 1, "two": 2}},
        })
    }

    #[test]
    fn plans_write_what_handlebars_writes() {
        for template in [
            "{{page.name}} {{{page.name}}} {{page.count}} {{page}} {{page.list}} [{{page.none}}] {{! a remark }}",
            "{{#if page.zero}}a{{else if page.count}}b{{else}}c{{/if}} {{#unless page.none}}d{{/unless}}",
            "{{#if page.zero includeZero=true}}a{{/if}}{{#if page.missing}}a{{else}}b{{/if}}",
            "{{#each page.list}}{{name}}{{#unless @last}}, {{/unless}}{{#each of}}{{this}}{{../name}}{{../../page.name}}{{#if @../first}}!{{/if}}{{else}}-{{/each}}{{/each}}",
            "{{#with page}}{{name}} {{@root.page.name}} {{#with missing}}a{{else}}b{{/with}}{{/with}}",
            "{{#each page.list}}{{#with this}}{{#if @first}}1{{/if}}{{@index}}{{name}}{{/with}}{{/each}}",
            "{{#each page.map}}{{@key}}={{this}}{{#unless @last}}, {{/unless}}{{/each}}",
            "{{#each page.list as |item place|}}{{item.name}}{{place}}{{#each of as |item|}}{{item}}{{place}}{{/each}}{{/each}}",
            "{{#each page.map as |value key|}}{{key}}{{value}}{{/each}}{{#with page as |p|}}{{p.name}}{{/with}}",
            "{{page.list.1.name}} {{page.list.[0].name}} {{lookup page \"name\"}} {{lookup (lookup page.list 1) \"name\"}}",
            "{{#if (and page.name (not page.zero))}}a{{/if}}{{#if (or page.none page.zero)}}b{{/if}}{{len page.list}}",
            "{{#if (eq page.name \"a<b\")}}a{{/if}}{{eq page.count 3}}{{eq page.count \"3\"}}{{ne page.list page.list}}",
            "{{gt page.count 2}}{{lte page.count 2}}{{lt \"a\" \"b\"}}{{#gte page.count 3}}a{{else}}b{{/gte}}{{gt 53 \"35\"}}",
            "{{{{raw}}}} {{page}} {{{{/raw}}}}",
            "\\{{page}} {{{{raw}}}}{{#if}}{{{{/raw}}}}",
            "a\n{{#if page.name}}\n  b\n{{/if}}\nc {{~#if page.count~}} d {{~/if}}\n{{! x }}\n{{!-- {{y}} --}}e",
            "{{#each page.list}}{{> shown this size=\"big\"}}{{> shown size=../page.count}}{{/each}}",
            "{{#each page.list}}{{#if @first}}{{> shown size=name}}{{/if}}{{> shown ../page size=is_old}}{{/each}}",
            "a {{#> box}}b{{/box}} {{#> box}}{{#> box}}{{page.name}}{{/box}}{{/box}} {{#> none}}c{{/none}}",
        ] {
            let expected = by_handlebars(template).expect("a page");
            assert_eq!(filled(template, &facts()), Ok(expected), "{template}");
        }
        for template in [
            "{{page.missing}}",
            "{{#each page.missing}}a{{/each}}",
            "{{#with page.none}}a{{/with}}",
            "{{#if (eq page.missing 1)}}a{{/if}}",
            "{{> @partial-block}}",
        ] {
            assert!(by_handlebars(template).is_err() && filled(template, &facts()).is_err(), "{template}");
        }
    }

    fn by_handlebars(template: &str) -> Result<String, handlebars::RenderError> {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        handlebars.register_escape_fn(|text| {
            let mut escaped = String::new();
            markdown::escape(text, &mut escaped);
            escaped
        });
        for (name, text) in [("shown", SHOWN), ("box", "[{{> @partial-block}}]")] {
            handlebars.register_partial(name, text).expect("a partial that parses");
        }
        handlebars.render_template(template, &facts())
    }

    #[test]
    fn a_section_has_the_heading_that_the_page_says() {
        let filled = |template: &str, headings: &[Heading]| {
            let plan = Arc::new(compiled(template, 0).expect("a plan"));
            let data = Data::new(&facts(), 0).expect("facts");
            let (registry, texts) = (Registry::default(), Texts::default());
            let scope = Scope { registry: &registry, texts: &texts, root: "", path: "" };
            let mut html = String::new();
            let filling = Filling { root: data.root(), scope, headings, plans: &[] };
            plan.fill(filling, &mut html).expect("a page");
            html
        };
        let heading = Heading { code: Some("a<b".into()), ..Heading::new("x", "Cases of") }.with_aside("3");
        let shown = "a\n<section class=\"old\" aria-labelledby=\"x\">\n\
                     <h2 id=\"x\">Cases of <code>a&lt;b</code> <span class=\"aside\">3</span></h2>\n3\n</section>\nb";
        let template = "a\n{{#section \"x\" class=\"old\"}}\n{{page.count}}\n{{/section}}\nb";
        assert_eq!(filled(template, &[heading]), shown);
        assert_eq!(filled(template, &[Heading::new("y", "Y")]), "a\nb");
        for (template, what) in [
            ("{{#section}}a{{/section}}", "takes the fragment"),
            ("{{#section \"x\" id=1}}a{{/section}}", "but `class`"),
            ("{{#section \"x\"}}a{{else}}b{{/section}}", "no `else`"),
        ] {
            let (_, found) = compiled(template, 0).expect_err("a fault");
            assert!(found.contains(what), "{found}");
        }
    }

    #[test]
    fn an_inclusion_is_what_it_is_replaced_by() {
        let filled = |template: &str| filled(template, &facts()).expect("a page");
        // The line of the inclusion ends by itself.
        assert_eq!(filled("a\n  {{#> box}}\nb\n{{/box}}\nc"), "a\n  [b\n]\nc");
        let each = "{{#each page.list}}\n{{~> shown this size=1~}}\n{{/each}}b";
        assert_eq!(filled(each), "<x 1 0 a&lt;b><y 1 1 a&lt;b>b");
    }

    #[test]
    fn what_a_plan_does_not_know_is_an_error() {
        for (template, line, part) in [
            ("\n{{rows page.list}}", 2, "no helper `rows`"),
            ("{{#if page}}\n{{shown page}}{{/if}}", 2, "{{> shown …}}"),
            ("{{#log page}}{{/log}}", 1, "no block `log`"),
            ("\n\n{{> other}}", 3, "no partial `other`"),
            ("{{#*inline \"a\"}}b{{/inline}}", 1, "partials/"),
            ("{{@foo}}", 1, "`@foo`"),
            ("{{url}}", 1, "takes 1"),
            ("{{#if a b}}{{/if}}", 1, "takes 1"),
            ("{{#if (url a)}}{{/if}}", 1, "`url`"),
            ("{{> (lookup a b)}}", 1, "name"),
        ] {
            let (at, what) = compiled(template, 0).expect_err("an error");
            assert_eq!(at, line, "{template}");
            assert!(what.contains(part), "{template}: {what}");
        }
    }

    #[test]
    fn partials_end() {
        assert_eq!(filled("{{> loop}}", &facts()), Err("`loop` includes itself without end".to_owned()));
    }
}
