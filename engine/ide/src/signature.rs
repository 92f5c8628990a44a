//! Signature help: the current argument of a class, a bang operator, or an operation in a pattern.

use odsmith_engine::record::Rec;

use crate::{
    analysis::Analysis,
    context::{self, Context, Frame},
    hover, ir, operators,
    workspace::Workspace,
};

/// The signature of the call around a position, and its current argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The whole signature.
    pub label: String,
    /// Each argument as it appears in the label, in order.
    pub parameters: Vec<String>,
    /// The index of the current argument.
    pub active: usize,
    /// A short description.
    pub documentation: String,
}

/// Returns the signature of the call around an offset.
#[must_use]
pub fn signature(workspace: &Workspace, path: &str, offset: usize) -> Option<Signature> {
    if ir::is_ir(path) {
        return ir::explain::signature(workspace, path, offset);
    }
    let document = workspace.document(path)?;
    let context = Context::new(&document, offset);
    if context.inside.is_some_and(|inside| document.tokens[inside].is_comment()) {
        return None;
    }
    let all = context::analyses(workspace, path);
    context.frames.iter().rev().find_map(|frame| {
        if frame.bracket == b'(' {
            return operator(&context, frame)
                .or_else(|| all.iter().find_map(|analysis| operation(analysis, &context, frame)));
        }
        all.iter().find_map(|analysis| class(analysis, &context, frame))
    })
}

fn operator(context: &Context<'_>, frame: &Frame) -> Option<Signature> {
    let operator = operators::find(context.text(frame.head?).strip_prefix('!')?)?;
    let parameters: Vec<String> = operator.parameters().iter().map(|it| (*it).to_owned()).collect();
    Some(Signature {
        label: operator.signature(),
        active: frame.commas.min(parameters.len().saturating_sub(1)),
        parameters,
        documentation: operator.about.to_owned(),
    })
}

fn class(analysis: &Analysis, context: &Context<'_>, frame: &Frame) -> Option<Signature> {
    let class = context::class_of(analysis, context, frame)?;
    let all: Vec<_> = context::arguments(class).collect();
    if all.is_empty() {
        return None;
    }
    let parameters = all.iter().map(|argument| {
        let ty = analysis.records.type_name(argument.ty);
        let default = argument.default.map(|value| format!(" = {}", hover::clipped(&value.to_string(), 60)));
        format!("{ty} {}{}", argument.name, default.unwrap_or_default())
    });
    let parameters: Vec<String> = parameters.collect();
    let named = context.document.tokens.get(frame.entry + 1).filter(|token| token.is(b'='));
    let named =
        named.and_then(|_| all.iter().position(|argument| argument.name == context.text(frame.entry)));
    Some(Signature {
        label: format!("{}<{}>", class.name(), parameters.join(", ")),
        active: named.unwrap_or(frame.commas).min(parameters.len() - 1),
        parameters,
        documentation: String::new(),
    })
}

/// Returns the signature of an operation in a pattern: `(AddOp $lhs, $rhs)`.
fn operation(analysis: &Analysis, context: &Context<'_>, frame: &Frame) -> Option<Signature> {
    let name = context.text(frame.first?);
    let op: Rec<'_> = analysis.records.def(name).filter(|rec| rec.is_subclass_of("Op"))?;
    let arguments = op.get("arguments")?.as_dag()?;
    let parameters = arguments.args().map(|(value, name)| {
        let constraint = value.as_def().filter(|rec| !rec.is_anonymous()).map_or("_", Rec::name);
        format!("{constraint}:${}", name.unwrap_or_default())
    });
    let parameters: Vec<String> = parameters.collect();
    if parameters.is_empty() {
        return None;
    }
    Some(Signature {
        label: format!("({name} {})", parameters.join(", ")),
        active: frame.commas.min(parameters.len() - 1),
        parameters,
        documentation: op.optional_string("summary").unwrap_or_default().to_owned(),
    })
}
