//! The helpers that inclusions become. Handlebars' own partials copy all that the page says, and none includes itself.
//!
//! A partial's arguments open a new level, as in `{{#with}}`; without arguments it sees the level of the template that
//! includes it. The block of an inclusion is rendered before the partial that it is for.

use handlebars::{
    BlockContext, BlockParamHolder, Context, Handlebars, Helper, HelperDef, HelperResult, Output,
    PathAndJson, RenderContext, RenderError, RenderErrorReason, Renderable,
};
use serde_json::Value;

use super::functions::present;

/// The name of the helper for `{{> partial argument name=value}}`.
pub(super) const PARTIAL_HELPER: &str = "@partial";
/// The name of the helper for `{{> @partial-block}}`.
pub(super) const BLOCK_HELPER: &str = "@block";

/// The name under which a level has the rendered block of its partial, or null.
pub(super) const BLOCK: &str = "@partial-block";
/// The name under which a level has the nesting of partials.
pub(super) const DEPTH: &str = "@depth";

/// The nesting limit for partials; only endless recursion reaches it.
const MOST_NESTED: u64 = 64;

/// Sets what a level says of the partial that it is in.
pub(super) fn enter(level: &mut BlockContext<'_>, depth: u64, block: Option<String>) {
    level.set_block_param(DEPTH, BlockParamHolder::Value(depth.into()));
    level.set_block_param(BLOCK, BlockParamHolder::Value(block.map_or(Value::Null, Value::String)));
}

/// Renders a partial: its name, the nesting of the template that includes it, and the argument.
pub(super) struct PartialHelper;

impl HelperDef for PartialHelper {
    fn call<'reg: 'rc, 'rc>(
        &self,
        call: &Helper<'rc>,
        handlebars: &'reg Handlebars<'reg>,
        context: &'rc Context,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let [name, depth] = [0, 1].map(|index| call.param(index).map_or(&Value::Null, |given| given.value()));
        let (name, depth) = (name.as_str().unwrap_or_default(), depth.as_u64().unwrap_or_default() + 1);
        if depth > MOST_NESTED {
            return Err(RenderErrorReason::Other(format!("`{name}` includes itself without end")).into());
        }
        let partial = handlebars.get_template(name);
        let partial = partial.ok_or_else(|| RenderErrorReason::PartialNotFound(name.to_owned()))?;
        let argument = call.param(2).map(present).transpose()?;
        let outer = render.block().cloned().unwrap_or_default();
        let opens_level = argument.is_some() || !call.hash().is_empty();
        if opens_level {
            render.push_block(level(argument, call, &outer)?);
        }
        let block = call.template().map(|block| block.renders(handlebars, context, render)).transpose()?;
        if let Some(level) = render.block_mut() {
            enter(level, depth, block);
        }
        partial.render(handlebars, context, render, out)?;
        render.pop_block();
        if !opens_level {
            render.push_block(outer);
        }
        Ok(())
    }
}

/// Creates the level of a partial inside the one that includes it.
fn level<'rc>(
    argument: Option<&PathAndJson<'rc>>,
    call: &Helper<'rc>,
    outer: &BlockContext<'rc>,
) -> Result<BlockContext<'rc>, RenderError> {
    let mut level = BlockContext::new();
    level.local_variables_mut().clone_from(outer.local_variables());
    let (path, value) = match argument {
        Some(argument) => (argument.context_path(), Some(argument.value())),
        None => (Some(outer.base_path()).filter(|_| outer.base_value().is_none()), outer.base_value()),
    };
    match (path, value) {
        (Some(path), _) => level.base_path_mut().clone_from(path),
        (None, value) => level.set_base_value(value.cloned().unwrap_or_default()),
    }
    for (name, value) in call.hash() {
        level.set_block_param(name, BlockParamHolder::Value(present(value)?.value().clone()));
    }
    Ok(level)
}

/// Writes the block that a partial was included with, or else the default.
pub(super) struct BlockHelper;

impl HelperDef for BlockHelper {
    fn call<'reg: 'rc, 'rc>(
        &self,
        call: &Helper<'rc>,
        handlebars: &'reg Handlebars<'reg>,
        context: &'rc Context,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        match (call.param(0).and_then(|block| block.value().as_str()), call.template()) {
            (Some(block), _) => Ok(out.write(block)?),
            (None, Some(default)) => default.render(handlebars, context, render, out),
            (None, None) => {
                Err(RenderErrorReason::Other("nothing includes this with a block".to_owned()).into())
            }
        }
    }
}
