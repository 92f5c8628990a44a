//! Evaluation of one root file, without any cache.

use std::sync::Arc;

use super::{Job, Target};
use crate::library::Library;
use odsmith_tablegen::{
    eval::{Evaluated, snapshot::Input},
    limits::{InclusionMeter, Meter},
    parallel,
    syntax::{Lexer, Tokens, tokens},
};

/// A root file, and all that its evaluation reads.
#[derive(Clone, Copy)]
pub(super) struct Root<'a> {
    pub library: &'a Library,
    pub job: &'a Job,
    pub target: &'a Target,
    pub input: &'a Input<'a>,
    pub text: &'a Arc<[u8]>,
}

/// Creates a meter for one evaluation.
pub(super) fn meter(job: &Job) -> Meter {
    Meter::new(job.limits.clone(), job.cancel.clone())
}

/// Evaluates a root.
pub(super) fn evaluate(root: &Root<'_>) -> Evaluated {
    let Root { job, target, input, text, .. } = *root;
    let lexer = || input.lexer(&target.td, text).within(InclusionMeter::new(&job.limits, &job.cancel));
    with_tokens(job, lexer, |tokens| input.evaluator(tokens, meter(job)).run())
}

/// Runs `evaluate` on a lexer's tokens; if a thread is idle, it lexes ahead.
pub(super) fn with_tokens<'f, R>(
    job: &Job,
    lexer: impl Fn() -> Lexer<'f> + Copy + Send,
    evaluate: impl FnOnce(Tokens<'f>) -> R,
) -> R {
    let (to_evaluator, from_lexer) = tokens::channel();
    let lex = move || tokens::send(lexer(), &to_evaluator);
    parallel::beside(&job.spare, lex, |is_helped| {
        evaluate(if is_helped { Tokens::received(from_lexer) } else { Tokens::of(lexer()) })
    })
}
