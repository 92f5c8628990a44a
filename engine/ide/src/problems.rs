//! The problems of a root: the messages of evaluation, then those of the model.
//!
//! Evaluation continues after errors, and every definition is checked by itself, so that one mistake hides no other. A
//! message about a place in an assembly format, or about a name that its definition spells out, is shown at that place.

use std::collections::HashSet;

use odsmith_engine::{
    diagnostic::{Code, Diagnostic, Id, Severity, Snippet},
    job,
    ods::{
        AttrOrTypeDef, EnumInfo, Operation, Pass, PatternReader,
        attr_or_type_def::DefKind,
        format::{DefFormat, OpFormat},
        is_enum,
    },
    outline::Kind,
    record::Rec,
    report::{Finding, LineColumn, Location},
    span::Span,
};

use crate::{
    analysis::Analysis,
    document::{Document, FileRange},
    workspace::Workspace,
};

/// An error or a warning, with its places in the texts of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The finding, without its own locations.
    pub finding: Finding,
    /// The place; `None` if it concerns the root as a whole.
    pub place: Option<FileRange>,
    /// Related information.
    pub related: Vec<(Option<FileRange>, String)>,
    /// The stage that reports it.
    pub origin: Origin,
}

/// The stage that reports a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// Evaluation, as in the reference.
    Evaluation,
    /// Evaluation after an earlier error: the reference would have stopped there.
    AfterError,
    /// The model; generators report it too.
    Model,
    /// An unused or deprecated definition.
    Deprecated,
}

/// The most problems of one root to show.
pub(crate) const MOST_PROBLEMS: usize = 500;

/// Returns the messages of a root's evaluation.
#[must_use]
pub fn of_evaluation(workspace: &Workspace, analysis: &Analysis) -> Vec<Problem> {
    let mut locator = Locator { workspace, analysis };
    let lacks_files = analysis.messages.iter().any(|message| message.id == Some(Id::MissingInclude));
    // An unknown name may be defined in the missing file.
    let is_consequence = |index: usize, message: &Diagnostic| {
        lacks_files && index >= analysis.exact && message.id.is_some_and(Id::is_unknown_name)
    };
    let all = analysis.messages.iter().enumerate();
    let wrong = all.filter(|(index, message)| is_problem(message) && !is_consequence(*index, message));
    let origin = |index: usize| if index < analysis.exact { Origin::Evaluation } else { Origin::AfterError };
    wrong.take(MOST_PROBLEMS).map(|(index, message)| locator.problem(message, origin(index))).collect()
}

fn is_problem(message: &Diagnostic) -> bool {
    message.code != Code::Cancelled && message.severity != Severity::Note
}

/// Checks each definition of a root by itself.
#[must_use]
pub fn of_definitions(workspace: &Workspace, analysis: &Analysis) -> Vec<Problem> {
    let mut locator = Locator { workspace, analysis };
    let found = definition_errors(workspace, analysis);
    found.iter().take(MOST_PROBLEMS).map(|message| locator.problem(message, Origin::Model)).collect()
}

fn definition_errors(workspace: &Workspace, analysis: &Analysis) -> Vec<Diagnostic> {
    let records = &analysis.records;
    if let Err(error) = analysis.check() {
        return vec![error.clone()];
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    let is_own = |rec: &Rec<'_>| {
        let is_of_library = |place: FileRange| place.path.starts_with(workspace.library().root());
        !analysis.is_partial(*rec) && !analysis.place(rec.span()).is_some_and(is_of_library)
    };
    for rec in records.defs_as_made().filter(is_own) {
        if workspace.is_stopped() {
            return found;
        }
        if rec.is_subclass_of("Op") {
            match Operation::named(rec) {
                Err(error) => found.push(error),
                Ok(op) => {
                    let text = op.assembly_format().filter(|text| !text.trim().is_empty());
                    let errors = text.and_then(|text| OpFormat::new(&op, text).err());
                    found.extend(errors.into_iter().flatten());
                }
            }
        } else if let Some(kind) = DefKind::of(rec) {
            match AttrOrTypeDef::new(rec, kind) {
                Err(error) => found.push(error),
                Ok(def) => {
                    found.extend(def.check_parameters().err());
                    let errors = def.assembly_format().and_then(|text| DefFormat::new(&def, text).err());
                    found.extend(errors.into_iter().flatten());
                }
            }
        } else if is_enum(rec) {
            found.extend(EnumInfo::new(rec).err());
        } else if rec.is_subclass_of("PassBase") {
            found.extend(Pass::new(rec).err());
        }
    }
    let patterns = records.derived("Pattern").filter(is_own);
    match PatternReader::new(patterns) {
        Err(error) => found.push(error),
        Ok(reader) => found.extend(reader.recs().iter().filter_map(|&rec| reader.pattern(rec).err())),
    }
    found
}

/// Returns further messages from making a root's outputs, the same as in `odsmith check`. Empty if evaluation fails.
#[must_use]
pub fn of_outputs(workspace: &Workspace, analysis: &Analysis, known: &[Problem]) -> Vec<Problem> {
    if !analysis.is_ok {
        return Vec::new();
    }
    let target = workspace.target_of(&analysis.root);
    let outcome = job::make(workspace.job(), &target, &analysis.records);
    let of_outputs = outcome.outputs.iter().flat_map(|output| &output.diagnostics);
    let reports = of_outputs.map(|report| (report, Origin::Model));
    let deprecated = outcome.diagnostics.iter().map(|report| (report, Origin::Deprecated));
    let mut found: Vec<Problem> = Vec::new();
    for (report, origin) in reports.chain(deprecated) {
        // Messages about a place in an assembly format are in `known` already.
        let is_in_snippet = report.location.as_ref().is_some_and(|location| location.file.is_empty());
        let is_known = known.iter().chain(&found).any(|problem| problem.finding.message == report.message);
        let is_problem = matches!(report.severity, Severity::Error | Severity::Warning)
            && !matches!(report.code, Code::Cancelled | Code::Request);
        if !is_problem || is_known && (is_in_snippet || known.iter().any(|it| is_same(workspace, it, report)))
        {
            continue;
        }
        let place_of = |it: &Finding| it.location.as_ref().and_then(|at| place_of(workspace, at));
        let related = report.related.iter().map(|note| (place_of(note), note.message.clone()));
        let problem = Problem {
            finding: Finding {
                message: report.message.trim_end().to_owned(),
                location: None,
                related: Vec::new(),
                ..report.clone()
            },
            place: place_of(report),
            related: related.collect(),
            origin,
        };
        if !found.contains(&problem) && found.len() < MOST_PROBLEMS {
            found.push(problem);
        }
    }
    found
}

/// Returns true if a report and a problem have the same message about the same definition.
fn is_same(workspace: &Workspace, problem: &Problem, report: &Finding) -> bool {
    let place = report.location.as_ref().and_then(|place| place_of(workspace, place));
    problem.finding.message == report.message.trim_end()
        && match (&problem.place, place) {
            (Some(problem), Some(report)) => {
                // The problem may point at a token of the same definition.
                let Some(document) = workspace.document(&report.path) else { return false };
                problem.path == report.path && {
                    let [of_problem, of_report] = [problem, &report].map(|place| {
                        document.path_to(place.range.start).last().map(|statement| statement.tokens.clone())
                    });
                    of_problem == of_report
                }
            }
            (None, None) => true,
            _ => false,
        }
}

/// Converts a location to a place in the text of a file; `None` if its file is gone.
#[must_use]
pub fn place_of(workspace: &Workspace, location: &Location) -> Option<FileRange> {
    let path = odsmith_engine::bundle::normalise(&location.file)?;
    let document = workspace.document(&path)?;
    let offset = |at: LineColumn| document.offset(at.line, at.column).min(document.text.len());
    let start = offset(location.range.start);
    let end = location.range.end.map_or(start, offset).max(start);
    Some(FileRange { path, range: start..end })
}

/// Finds the places of messages.
struct Locator<'a> {
    workspace: &'a Workspace,
    analysis: &'a Analysis,
}

impl Locator<'_> {
    fn problem(&mut self, message: &Diagnostic, origin: Origin) -> Problem {
        let place = match &message.snippet {
            Some(snippet) => self.in_literal(message.span, snippet),
            None => None,
        };
        let place = place.or_else(|| {
            let place = self.analysis.place(message.span)?;
            let is_about_definition = origin == Origin::Model && message.snippet.is_none();
            let named = is_about_definition.then(|| self.named(&place, &message.message)).flatten();
            Some(named.unwrap_or(place))
        });
        let mut related: Vec<(Option<FileRange>, String)> = Vec::new();
        for note in &message.notes {
            let place = if note.snippet.is_some() { place.clone() } else { self.analysis.place(note.span) };
            related.push((place, note.message.clone()));
        }
        related.extend(self.inclusions(message.span));
        let message_text = message.message.trim_end().to_owned();
        let finding = Finding {
            severity: message.severity,
            id: message.id,
            message: message_text,
            ..Finding::default()
        };
        Problem { finding, place, related, origin }
    }

    /// Returns the `include`s that led to a place.
    fn inclusions(&self, span: Span) -> Vec<(Option<FileRange>, String)> {
        let sources = self.analysis.records.sources();
        let mut found = Vec::new();
        let mut buffer = sources.buffer_of(span);
        while let Some(included_at) = buffer.map(|buffer| buffer.included_at).filter(|span| span.is_some()) {
            found.push((self.analysis.place(included_at), "included from here".to_owned()));
            buffer = sources.buffer_of(included_at);
        }
        found
    }

    /// Maps a place in a text of the definition at `span` to a place in the file.
    fn in_literal(&self, span: Span, snippet: &Snippet) -> Option<FileRange> {
        let name = self.analysis.place(span)?;
        let document = self.workspace.document(&name.path)?;
        let statement = *document.path_to(name.range.start).last()?;
        let keyword = statement.start;
        // The statement that sets the field: this one, or a class.
        let recs = self.analysis.records_at(&name.path, keyword);
        let fields = recs.iter().flat_map(|rec| {
            let has_text = |(_, field): &(&str, &odsmith_engine::record::Field)| {
                let value = field.value.is_some().then(|| self.analysis.records.val(field.value));
                value.and_then(|value| value.as_str()) == Some(&snippet.text)
            };
            rec.declarations().filter(has_text).map(|(_, field)| field.span)
        });
        for span in fields {
            let Some(place) = self.analysis.place(span) else { continue };
            let Some(document) = self.workspace.document(&place.path) else { continue };
            let Some(item) = document.field_named_at(place.range.start) else { continue };
            if let Some(found) = within(&document, item.value.clone(), snippet) {
                return Some(found);
            }
        }
        within(&document, statement.tokens.clone(), snippet)
    }

    /// Returns the token of a definition that a message quotes.
    fn named(&self, place: &FileRange, message: &str) -> Option<FileRange> {
        let document = self.workspace.document(&place.path)?;
        let statement = *document.path_to(place.range.start).last()?;
        let own_name = statement.name.map(|name| document.text_of(name));
        for quoted in quoted_words(message) {
            let bare = quoted.trim_start_matches('$');
            if Some(bare) == own_name {
                continue;
            }
            let is_it = |index: &usize| {
                let token = &document.tokens[*index];
                let text = token.text(&document.text);
                match token.kind {
                    Kind::Variable => text.strip_prefix('$') == Some(bare),
                    Kind::Word => text == bare && *index > statement.tokens.start + 1,
                    Kind::String => text.trim_matches('"') == bare,
                    _ => false,
                }
            };
            if let Some(index) = statement.tokens.clone().find(is_it) {
                return Some(document.place(document.tokens[index].range()));
            }
        }
        None
    }
}

/// Maps a snippet's offset to the literal that contains the snippet's text, or a part of it.
fn within(document: &Document, tokens: std::ops::Range<usize>, snippet: &Snippet) -> Option<FileRange> {
    document.literals(tokens).find_map(|(literal, _)| {
        let is_long = !literal.text.trim().is_empty();
        let start = is_long.then(|| snippet.text.find(&literal.text)).flatten()?;
        let offset = snippet.offset.checked_sub(start).filter(|offset| *offset <= literal.text.len())?;
        let at = literal.place(offset);
        let rest = document.text.get(at..)?;
        let length = rest
            .char_indices()
            .find(|(index, c)| !(c.is_alphanumeric() || matches!(c, '_' | '-')) && *index > 0)
            .map_or(rest.len(), |(index, _)| index);
        Some(document.place(at..at + length.max(1).min(rest.len())))
    })
}

/// Returns the words that a message quotes.
fn quoted_words(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (open, close) in [('\'', '\''), ('`', '\''), ('"', '"'), ('`', '`')] {
        let mut rest = message;
        while let Some(start) = rest.find(open) {
            rest = &rest[start + 1..];
            let Some(end) = rest.find(close) else { break };
            let word = &rest[..end];
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            if !word.is_empty() && word.chars().all(is_word) && seen.insert(word) {
                found.push(word);
            }
            rest = &rest[end + 1..];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::quoted_words;

    #[test]
    fn words_in_quotes() {
        assert_eq!(
            quoted_words("type of operand #0, named 'lhs', is not `rhs' or \"$x\""),
            ["lhs", "rhs", "$x"]
        );
        assert_eq!(quoted_words("it's not closed"), Vec::<&str>::new());
    }
}
