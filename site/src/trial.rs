//! Decides which synthesised examples are printed: those that a tool accepted or, without a tool, those that only the
//! definitions could refuse.

use std::{collections::BTreeMap, fmt::Debug, sync::Arc};

use odsmith_witness::program::{inside, renamed};

use crate::{
    pages::{Body, Page},
    view::Skeleton,
};

/// A program that parses examples, such as mlir-opt. It is implemented outside of this crate, which starts no programs.
pub trait Checker: Debug + Send + Sync {
    /// The name for pages: `mlir-opt 22.1`.
    fn name(&self) -> &str;

    /// Tests each case: true if one of its texts, each a whole file, is accepted.
    fn accepts(&self, cases: &[Vec<String>]) -> Vec<bool>;
}

/// The checker of examples, if there is one.
pub type Trial = Option<Arc<dyn Checker>>;

/// The nesting limit for parent operations.
const MOST_NESTED: usize = 4;

/// Removes the examples that are not printed.
pub(crate) fn filter_examples(pages: &mut [Page], trial: Option<&dyn Checker>) {
    let Some(checker) = trial else {
        for skeleton in pages.iter_mut().filter_map(slot) {
            skeleton.take_if(|skeleton| !skeleton.is_certain);
        }
        return;
    };
    let known: BTreeMap<&str, &Skeleton> = pages
        .iter()
        .filter_map(|page| match &page.body {
            Body::Operation(op) => Some((op.name.as_str(), op.syntax.skeleton.as_ref()?)),
            _ => None,
        })
        .collect();
    let forms =
        known.values().flat_map(|skeleton| [(*skeleton, &skeleton.custom), (skeleton, &skeleton.generic)]);
    let cases: Vec<Vec<String>> =
        forms.filter_map(|(skeleton, form)| Some(whole_files(skeleton, form.as_ref()?, &known))).collect();
    let mut verdicts = checker.accepts(&cases).into_iter();
    let verdicts: BTreeMap<String, [bool; 2]> = known
        .iter()
        .map(|(name, skeleton)| {
            let mut next = |form: &Option<String>| form.is_some() && verdicts.next() == Some(true);
            ((*name).to_owned(), [next(&skeleton.custom), next(&skeleton.generic)])
        })
        .collect();
    for page in pages {
        let verdict = match &page.body {
            Body::Operation(op) => verdicts.get(&op.name).copied().unwrap_or_default(),
            _ => continue,
        };
        let Some(slot) = slot(page) else { continue };
        if let Some(skeleton) = slot {
            let [custom, generic] = verdict;
            skeleton.custom.take_if(|_| !custom);
            skeleton.generic.take_if(|_| !generic);
            skeleton.accepted_by = Some(checker.name().to_owned());
        }
        slot.take_if(|skeleton| skeleton.custom.is_none() && skeleton.generic.is_none());
    }
}

/// The example of a page.
fn slot(page: &mut Page) -> Option<&mut Option<Skeleton>> {
    match &mut page.body {
        Body::Operation(op) => Some(&mut op.syntax.skeleton),
        _ => None,
    }
}

/// Writes an example as whole files: in a function that returns after it, in one that it ends itself, and at the top.
fn whole_files(skeleton: &Skeleton, text: &str, known: &BTreeMap<&str, &Skeleton>) -> Vec<String> {
    let mut values: Vec<(String, String)> =
        skeleton.values.iter().map(|value| (value.name.clone(), value.ty.clone())).collect();
    let text = nested(skeleton, text.to_owned(), known, &mut values, 0);
    let arguments: Vec<String> = values.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let arguments = arguments.join(", ");
    let blocks: String = skeleton.blocks.iter().map(|block| format!("{block}:\n  return\n")).collect();
    let inside = indented(&text, "  ");
    let mut files = vec![
        format!("func.func @skeleton({arguments}) {{\n{inside}\n  return\n{blocks}}}\n"),
        format!("func.func @skeleton({arguments}) {{\n{inside}\n{blocks}}}\n"),
    ];
    if blocks.is_empty() {
        let casts: String = values
            .iter()
            .map(|(name, ty)| format!("{name} = builtin.unrealized_conversion_cast to {ty}\n"))
            .collect();
        files.push(format!("{casts}{text}\n"));
    }
    files
}

fn indented(text: &str, by: &str) -> String {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("{by}{line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Puts an example into the example of its parent, and that one into its own parent.
fn nested(
    skeleton: &Skeleton,
    text: String,
    known: &BTreeMap<&str, &Skeleton>,
    values: &mut Vec<(String, String)>,
    depth: usize,
) -> String {
    for parent in skeleton.parents.iter().filter(|_| depth < MOST_NESTED) {
        let Some(outer) = known.get(parent.as_str()) else { continue };
        let Some(body) = &outer.generic else { continue };
        // The values of the outer example get names of their own.
        let suffix = "_parent".repeat(depth + 1);
        let body = renamed(body, &suffix);
        let Some(around) = inside(&body, &indented(&text, "  "), skeleton.is_terminator) else { continue };
        values.extend(outer.values.iter().map(|value| (format!("{}{suffix}", value.name), value.ty.clone())));
        return nested(outer, around, known, values, depth + 1);
    }
    text
}
