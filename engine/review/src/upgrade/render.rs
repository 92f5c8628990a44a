//! A report as text, Markdown, HTML and JSON.

use std::fmt::Write as _;

use odsmith_release::{
    cpp::{CppForm, CppMigration, MIGRATIONS},
    deprecations::{DEPRECATIONS, Deprecation, Status},
};
use odsmith_report::{
    Finding, Location,
    html::{escaped, page},
    text::counted,
};
use serde_json::{Value, json};

use super::{
    Upgrade,
    causes::{CauseKind, Failure},
    formats::Formats,
    generated::{Generated, Origin, Side},
    methods::{METHODS_ROW, METHODS_TEXT},
    stale::Form,
    texts::{TEXT_ROWS, TextRow},
};
use crate::diff::{
    Change,
    rules::{Severity, Verdict},
};

/// The most bytes of a pull request's body.
const MOST_MARKDOWN: usize = 60_000;
/// The most places listed for one row.
const MOST_PLACES: usize = 8;

/// A section of the report: a heading and its lines.
struct Section {
    heading: String,
    /// The summary in one line.
    verdict: String,
    /// Rows: a line, and the details below it.
    rows: Vec<(String, Vec<String>)>,
}

fn sections(upgrade: &Upgrade) -> Vec<Section> {
    let mut all = vec![reading(upgrade), dated(upgrade)];
    if upgrade.formats != Formats::default() {
        all.push(formats(upgrade));
    }
    all.extend(upgrade.generated.as_ref().map(generated));
    all.extend(upgrade.upstream.is_some().then(|| upstream(upgrade)));
    if !upgrade.narrowed.is_empty() {
        all.push(narrowed(upgrade));
    }
    if !upgrade.programs.is_empty() {
        all.push(programs(upgrade));
    }
    if !upgrade.notes.is_empty() {
        let rows = upgrade.notes.iter().map(|note| (note.clone(), Vec::new())).collect();
        all.push(Section { heading: "Not looked at".to_owned(), verdict: String::new(), rows });
    }
    all
}

fn place(failure: &Failure) -> String {
    match failure.line {
        0 => failure.file.clone(),
        line => format!("{}:{line}:{}", failure.file, failure.column),
    }
}

fn reading(upgrade: &Upgrade) -> Section {
    let reading = &upgrade.reading;
    let is_of_release = |kind| !matches!(kind, CauseKind::Part | CauseKind::Before);
    let mut failing: Vec<&str> = Vec::new();
    let mut before: Vec<&str> = Vec::new();
    for failure in &reading.failures {
        let list = if is_of_release(failure.cause.kind) { &mut failing } else { &mut before };
        if !list.contains(&failure.root.as_str()) {
            list.push(&failure.root);
        }
    }
    let mut verdict = format!(
        "{} of {} roots are read as they are; {} fail, of which edits mend {}; {} are not read by MLIR {} either",
        reading.read,
        reading.roots,
        failing.len(),
        reading.mended.len(),
        before.len(),
        upgrade.from
    );
    if reading.unmade > 0 {
        let many = if reading.unmade == 1 { "" } else { "s" };
        let _ = write!(verdict, "; {} output{many} cannot be made", reading.unmade);
    }
    let pin = upgrade.pin.iter().map(|pin| (format!("the project pins {pin}"), Vec::new()));
    let mut rows: Vec<(String, Vec<String>)> = pin.collect();
    for of_root in reading.failures.chunk_by(|a, b| a.root == b.root) {
        let is_mended = reading.mended.contains(&of_root[0].root);
        let end = if is_mended { " (mended)" } else { "" };
        let lines = of_root.iter().flat_map(|failure| {
            let row = failure.cause.row.map_or_else(String::new, |row| format!(" [{row}]"));
            let after = if failure.after == 0 { "" } else { "then " };
            [
                format!("{after}{}: {}", place(failure), failure.message),
                format!("because {}{row}", failure.cause.text),
            ]
        });
        rows.push((format!("{}{end}", of_root[0].root), lines.collect()));
    }
    Section { heading: format!("Will MLIR {} read it", upgrade.to), verdict, rows }
}

fn dated(upgrade: &Upgrade) -> Section {
    let count = |severity| upgrade.dated.iter().filter(|it| it.severity == severity).count();
    let verdict = format!(
        "{} names are gone, {} are deprecated, {} are dated; {} edits in {} files: {}",
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note),
        upgrade.edits.len(),
        upgrade.edits.chunk_by(|a, b| a.file == b.file).count(),
        upgrade.proof.text()
    );
    let rows = upgrade.dated.iter().map(|it| {
        let places =
            it.places.iter().take(MOST_PLACES).map(|(file, line, column)| format!("{file}:{line}:{column}"));
        let mut lines: Vec<String> = places.collect();
        if it.places.len() > MOST_PLACES {
            lines.push(format!("and {} more", it.places.len() - MOST_PLACES));
        }
        let by = if it.is_mechanical { "" } else { " (by hand)" };
        (format!("{}: {} {}{by}", it.severity.name(), it.row, it.text), lines)
    });
    Section { heading: "What to write otherwise".to_owned(), verdict, rows: rows.collect() }
}

fn formats(upgrade: &Upgrade) -> Section {
    let Formats { unbound, changed } = &upgrade.formats;
    let texts: usize = changed.iter().map(|it| it.operations.len()).sum();
    let verdict = format!(
        "{} operations need `prop-dict`; the text of {} attributes and types changes, which {texts} operations write",
        unbound.len(),
        changed.len()
    );
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for op in unbound {
        let by = if op.fix.is_some() { "" } else { " (by hand)" };
        let missing = op.missing.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
        let line =
            format!("{}:{}:{}: {} does not write {missing}{by}", op.file, op.line, op.column, op.operation);
        rows.push((line, Vec::new()));
    }
    for it in changed {
        let line = format!("{} is written '{}', and was '{}'", it.record, it.new, it.old);
        rows.push((line, it.operations.clone()));
    }
    Section { heading: "Which assembly changes".to_owned(), verdict, rows }
}

fn generated(generated: &Generated) -> Section {
    let verdict = format!(
        "{} of {} files differ, for {} known reasons; {} kinds of lines are the project's own",
        generated.differing,
        generated.compared,
        generated.groups.len(),
        generated.particular.len() + generated.more_particular
    );
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for group in &generated.groups {
        let what = match &group.origin {
            Origin::Change { text, since, .. } => format!("{} (since {since})", text.trim()),
            Origin::Spelling => "Words that are spelled otherwise.".to_owned(),
            Origin::Library => "Definitions of the library that others are made of.".to_owned(),
        };
        let counts = format!("+{} −{} lines in {} files", group.new_lines, group.gone_lines, group.files);
        rows.push((format!("{what} {counts}"), group.examples.clone()));
    }
    for it in &generated.particular {
        let sign = if it.side == Side::New { '+' } else { '-' };
        let files = if it.files > 1 { format!(" and {} more files", it.files - 1) } else { String::new() };
        rows.push((
            format!("{} times, in {}{files}", it.lines, it.file),
            vec![format!("{sign} {}", it.example)],
        ));
    }
    if generated.more_particular > 0 {
        rows.push((format!("{} more kinds of lines", generated.more_particular), Vec::new()));
    }
    for (what, files) in [("no longer made", &generated.gone_files), ("new", &generated.new_files)] {
        rows.extend(files.iter().map(|file| (format!("{file} is {what}"), Vec::new())));
    }
    Section { heading: "What changes in generated files".to_owned(), verdict, rows }
}

/// Returns the effects of a finding in one line: `BC ✗ · CPP ?`.
fn effects(finding: &Change) -> String {
    let all = finding.effects.iter().map(|(level, verdict)| format!("{} {}", level.name(), verdict.sign()));
    all.collect::<Vec<_>>().join(" · ")
}

fn upstream(upgrade: &Upgrade) -> Section {
    let Some(upstream) = &upgrade.upstream else {
        return Section { heading: String::new(), verdict: String::new(), rows: Vec::new() };
    };
    let verdict = format!(
        "{} definitions that the project names changed, {} did not",
        upstream.changed.len() + upstream.classes.len(),
        upstream.unchanged
    );
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for change in &upstream.changed {
        let uses = [(change.in_td, ".td"), (change.in_cpp, "C++"), (change.in_programs, "programs")];
        let uses =
            uses.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} in {what}"));
        let uses = uses.collect::<Vec<_>>().join(", ");
        let mut lines: Vec<String> = change
            .findings
            .iter()
            .map(|it| format!("{} {} {} [{}]", it.severity.name(), it.rule.id(), it.message, effects(it)))
            .collect();
        if change.more > 0 {
            lines.push(format!("and {} more", change.more));
        }
        rows.push((format!("{} (named {uses})", change.symbol), lines));
    }
    for class in &upstream.classes {
        let arguments = class.arguments.iter().map(|it| format!("argument {it}"));
        let fields = class.fields.iter().map(|it| format!("field {it}"));
        rows.push((format!("class {}, in {}", class.name, class.file), arguments.chain(fields).collect()));
    }
    Section { heading: "What changed in MLIR that the project names".to_owned(), verdict, rows }
}

fn narrowed(upgrade: &Upgrade) -> Section {
    let rows = upgrade.narrowed.iter().map(|it| {
        let instead = it.successor.as_ref().map(|name| format!("`{name}` is what it was"));
        let line = format!("{} takes no {} any more (named {} in .td)", it.name, it.example, it.mentions);
        (line, instead.into_iter().collect())
    });
    Section {
        heading: "What means less under the same name".to_owned(),
        verdict: format!("{} constraints take fewer types or attributes", upgrade.narrowed.len()),
        rows: rows.collect(),
    }
}

fn programs(upgrade: &Upgrade) -> Section {
    let count = |verdict| upgrade.programs.iter().filter(|file| file.verdict() == verdict).count();
    let unread = upgrade.programs.iter().filter(|file| file.problem.is_some()).count();
    let verdict = format!(
        "of {} files with programs, {} would be read otherwise without a word, {} not at all; {unread} cannot be looked into",
        upgrade.programs.len(),
        count(Verdict::Silent),
        count(Verdict::Breaks)
    );
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for file in &upgrade.programs {
        let form = if file.form == Form::Text { "text" } else { "bytecode" };
        if let Some(problem) = &file.problem {
            rows.push((format!("{} ({form}): {problem}", file.file), Vec::new()));
        } else if !file.stale.is_empty() {
            let by = file.producer.as_ref().map_or_else(String::new, |by| format!(", written by {by}"));
            let lines = file.stale.iter().map(|it| format!("{}: {}", it.name, it.causes.join("; ")));
            rows.push((format!("{} ({form}{by})", file.file), lines.collect()));
        }
    }
    Section { heading: "Which files with programs go stale".to_owned(), verdict, rows }
}

/// Returns the summary in one line.
fn summary(upgrade: &Upgrade) -> String {
    format!(
        "MLIR {} → {}: {}, {}, {} in {}",
        upgrade.from,
        upgrade.to,
        counted(upgrade.count(Severity::Error), "error"),
        counted(upgrade.count(Severity::Warning), "warning"),
        counted(upgrade.count(Severity::Note), "note"),
        counted(upgrade.files, "file")
    )
}

/// Returns the report as text.
#[must_use]
pub fn text(upgrade: &Upgrade) -> String {
    let mut out = String::new();
    for (index, section) in sections(upgrade).iter().enumerate() {
        // Writing to a text does not fail.
        let _ = writeln!(out, "{}. {}", index + 1, section.heading);
        if !section.verdict.is_empty() {
            let _ = writeln!(out, "   {}", section.verdict);
        }
        for (row, lines) in &section.rows {
            let _ = writeln!(out, "   - {row}");
            lines.iter().for_each(|line| _ = writeln!(out, "       {line}"));
        }
    }
    let _ = writeln!(out, "{}", summary(upgrade));
    out
}

/// Escapes text for a line of Markdown, where `<` would begin a tag.
fn inline(text: &str) -> String {
    text.replace('<', "&lt;").replace('\n', " ")
}

/// Returns the report as Markdown for the body of a pull request, with the number of rows that did not fit.
#[must_use]
pub fn markdown(upgrade: &Upgrade) -> String {
    let mut out = format!("**{}**\n", summary(upgrade));
    for section in sections(upgrade) {
        let _ = write!(out, "\n### {}\n\n{}\n", section.heading, inline(&section.verdict));
        if section.rows.is_empty() {
            continue;
        }
        let _ = write!(out, "\n<details><summary>{} entries</summary>\n\n", section.rows.len());
        for (index, (row, lines)) in section.rows.iter().enumerate() {
            let mut entry = format!("- {}\n", inline(row));
            let is_code = lines.iter().any(|line| line.starts_with("+ ") || line.starts_with("- "));
            if is_code {
                let _ = write!(entry, "\n  ```diff\n");
                lines.iter().for_each(|line| _ = writeln!(entry, "  {line}"));
                let _ = writeln!(entry, "  ```");
            } else {
                lines.iter().for_each(|line| _ = writeln!(entry, "  - {}", inline(line)));
            }
            if out.len() + entry.len() > MOST_MARKDOWN {
                let _ = writeln!(out, "- {} more", section.rows.len() - index);
                break;
            }
            out += &entry;
        }
        out += "\n</details>\n";
    }
    out
}

/// Returns the report as a self-contained HTML page.
#[must_use]
pub fn html(upgrade: &Upgrade) -> String {
    let mut out = String::new();
    for section in sections(upgrade) {
        let _ = writeln!(out, "<h2>{}</h2>\n<p>{}</p>", escaped(&section.heading), escaped(&section.verdict));
        if section.rows.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "<details{}><summary>{} entries</summary><ul>",
            if section.rows.len() <= 20 { " open" } else { "" },
            section.rows.len()
        );
        for (row, lines) in &section.rows {
            let _ = write!(out, "<li>{}", escaped(row));
            if !lines.is_empty() {
                out += "<ul>";
                lines.iter().for_each(|line| _ = write!(out, "<li>{}</li>", escaped(line)));
                out += "</ul>";
            }
            out += "</li>\n";
        }
        out += "</ul></details>\n";
    }
    page(&summary(upgrade), &out)
}

/// Returns the errors of reading and the outdated names as findings of the forms that commands share.
#[must_use]
pub fn findings(upgrade: &Upgrade) -> Vec<Finding> {
    let at = |file: &str, line, column| (line > 0).then(|| Location::new(file, (line, column), None));
    let failures = upgrade.reading.failures.iter().map(|it| Finding {
        severity: it.cause.kind.severity(),
        rule: it.cause.row.unwrap_or("unreadable").into(),
        subject: it.root.clone(),
        message: it.message.clone(),
        details: vec![format!("because {}", it.cause.text)],
        location: at(&it.file, it.line, it.column),
        ..Finding::default()
    });
    let dated = upgrade.dated.iter().flat_map(|it| {
        it.places.iter().map(move |(file, line, column)| Finding {
            severity: it.severity,
            rule: it.row.into(),
            subject: it.name.clone(),
            message: it.text.clone(),
            location: at(file, *line, *column),
            ..Finding::default()
        })
    });
    failures.chain(dated).collect()
}

/// Returns the report as JSON.
#[must_use]
pub fn json(upgrade: &Upgrade) -> Value {
    // Every part of a report can be serialized.
    serde_json::to_value(upgrade).unwrap_or_default()
}

/// Returns the table of deprecations as text, one row per line.
#[must_use]
pub fn rows_text() -> String {
    let mut out = String::new();
    for row in DEPRECATIONS {
        let _ = writeln!(out, "{} {} → {}: {}", row.id, row.before, row.since, row.text());
    }
    for row in MIGRATIONS {
        let _ = writeln!(out, "{} {} → {}: {}", row.id, row.before, row.since, cpp_about(row));
    }
    let _ = writeln!(out, "{METHODS_ROW}: {METHODS_TEXT}");
    TEXT_ROWS.iter().for_each(|row| _ = writeln!(out, "{}: {}", row.id, row.text));
    out
}

/// Describes a row of C++.
fn cpp_about(row: &CppMigration) -> String {
    let CppMigration { old, new, before, .. } = row;
    match row.form {
        CppForm::Bare(_) => format!(
            "`{old}` in a predicate is `{new}`: up to MLIR {before} predicates were inside the dialect's namespace. `--fix` does it"
        ),
        CppForm::EmptyAttributes(_) => format!(
            "`{old}` in C++ is `{new}`: up to MLIR {before} no other overload took `{{}}`. `--fix` does it where types are given"
        ),
        _ => format!("`{old}` in C++ is `{new}`; MLIR {before} has the old form. `--fix` does it"),
    }
}

/// The heading of the table's page, in Markdown.
const ROWS_TITLE: &str = "Forms of earlier releases";
const ROWS_ABOUT: &str = "What MLIR's library dropped, renamed or moved. `odsmith upgrade` finds these forms in a project, and \
                          with `--fix` writes those anew that need no decision.";

/// Returns the rows of the table by upgrade step, oldest first.
fn rows_by_step() -> impl Iterator<Item = &'static [Deprecation]> {
    DEPRECATIONS.chunk_by(|one, next| (one.before, one.since) == (next.before, next.since))
}

/// Describes a row in Markdown: the form, its replacement, the releases that accept it, and who replaces it.
fn row_about(row: &Deprecation) -> String {
    let taken = match row.status {
        Status::Gone => format!("taken up to MLIR {}", row.before),
        Status::Deprecated => format!("deprecated since MLIR {}", row.since),
        Status::Dated => "taken by every release".to_owned(),
    };
    let by = if row.is_mechanical() { "`--fix` does it" } else { "done by hand" };
    format!("{}. It is {taken}; {by}.", row.text())
}

/// Returns a row's form before and now, as one listing.
fn row_example(row: &Deprecation) -> Option<String> {
    (!row.bad.is_empty()).then(|| format!("// Before:\n{}\n// Now:\n{}", row.bad, row.good()))
}

/// Returns the table of deprecations as a Markdown page: each form, the releases that accept it, its replacement.
#[must_use]
pub fn rows_markdown() -> String {
    let mut out = format!("# {ROWS_TITLE}\n\n{ROWS_ABOUT}\n");
    for step in rows_by_step() {
        let _ = write!(out, "\n## From {} to {}\n", step[0].before, step[0].since);
        for row in step {
            let _ = write!(out, "\n### {}: `{}`\n\n{}\n", row.id, row.name(), row_about(row));
            if let Some(example) = row_example(row) {
                let _ = write!(out, "\n```tablegen\n{example}\n```\n");
            }
        }
    }
    out += "\n## C++ inside definitions\n";
    for row in MIGRATIONS {
        let _ = write!(out, "\n### {}: `{}`\n\n{}.\n", row.id, row.old, cpp_about(row));
    }
    let _ = write!(out, "\n### {METHODS_ROW}: methods of interfaces\n\n{METHODS_TEXT}.\n");
    out += "\n## IR as text\n";
    for row in TEXT_ROWS {
        let TextRow { id, name, text, .. } = row;
        let _ = write!(out, "\n### {id}: {name}\n\n{text}.\n\n```mlir\n{}\n```\n", text_example(row));
    }
    out
}

/// Returns the table of deprecations as an HTML page, with the rows' names as fragments.
#[must_use]
pub fn rows_html() -> String {
    let mut out = format!("<p>{}</p>\n", with_code(ROWS_ABOUT));
    for step in rows_by_step() {
        let _ = writeln!(out, "<h2>From {} to {}</h2>", step[0].before, step[0].since);
        for row in step {
            let (id, name) = (row.id, escaped(row.name()));
            let _ = writeln!(
                out,
                "<h3 id=\"{id}\">{id}: <code>{name}</code></h3>\n<p>{}</p>",
                with_code(&row_about(row))
            );
            if let Some(example) = row_example(row) {
                let _ = writeln!(out, "<pre><code>{}</code></pre>", escaped(&example));
            }
        }
    }
    out += "<h2>C++ inside definitions</h2>\n";
    for row in MIGRATIONS {
        let (id, name) = (row.id, escaped(row.old));
        let about = with_code(&cpp_about(row));
        let _ = writeln!(out, "<h3 id=\"{id}\">{id}: <code>{name}</code></h3>\n<p>{about}.</p>");
    }
    let about = with_code(METHODS_TEXT);
    let _ =
        writeln!(out, "<h3 id=\"{METHODS_ROW}\">{METHODS_ROW}: methods of interfaces</h3>\n<p>{about}.</p>");
    out += "<h2>IR as text</h2>\n";
    for row in TEXT_ROWS {
        let (id, name, about) = (row.id, with_code(row.name), with_code(row.text));
        let example = escaped(&text_example(row));
        let _ = writeln!(
            out,
            "<h3 id=\"{id}\">{id}: {name}</h3>\n<p>{about}.</p>\n<pre><code>{example}</code></pre>"
        );
    }
    page(ROWS_TITLE, &out)
}

/// Returns a statement before and now.
fn text_example(row: &TextRow) -> String {
    match row.good {
        Some(good) => format!("// Before:\n{}\n// Now:\n{good}", row.bad),
        None => row.bad.to_owned(),
    }
}

/// Converts a line of Markdown that only marks code to HTML.
fn with_code(text: &str) -> String {
    let parts = text.split('`').map(escaped).enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { format!("<code>{part}</code>") }).collect()
}

/// Returns the table of deprecations as JSON.
#[must_use]
pub fn rows_json() -> Value {
    let rows = DEPRECATIONS.iter().map(|row| {
        json!({
            "id": row.id, "name": row.name(), "before": row.before, "since": row.since, "text": row.text(),
            "is_mechanical": row.is_mechanical(), "bad": row.bad, "good": row.good(),
        })
    });
    let cpp = MIGRATIONS.iter().map(|row| {
        json!({
            "id": row.id, "name": row.old, "before": row.before, "since": row.since, "text": cpp_about(row),
            "is_mechanical": true, "bad": row.old, "good": row.new,
        })
    });
    let texts = TEXT_ROWS.iter().map(|row| {
        json!({
            "id": row.id, "name": row.name, "text": row.text, "is_mechanical": row.is_mechanical, "bad": row.bad,
            "good": row.good,
        })
    });
    Value::Array(rows.chain(cpp).chain(texts).collect())
}

/// Returns the names of the rows.
pub fn row_ids() -> impl Iterator<Item = &'static str> {
    DEPRECATIONS
        .iter()
        .map(|row| row.id)
        .chain(MIGRATIONS.iter().map(|row| row.id))
        .chain([METHODS_ROW])
        .chain(TEXT_ROWS.iter().map(|row| row.id))
}

/// Returns the page of one row.
#[must_use]
pub fn row_page(id: &str) -> Option<String> {
    if METHODS_ROW.eq_ignore_ascii_case(id) {
        return Some(format!("{METHODS_ROW} methods of interfaces\n\n{METHODS_TEXT}.\n"));
    }
    if let Some(row) = TEXT_ROWS.iter().find(|row| row.id.eq_ignore_ascii_case(id)) {
        let example = text_example(row).replace('\n', "\n    ");
        return Some(format!("{} {}\n\n{}.\n\n    {example}\n", row.id, row.name, row.text));
    }
    if let Some(row) = MIGRATIONS.iter().find(|row| row.id.eq_ignore_ascii_case(id)) {
        let CppMigration { id, old, new, since, .. } = row;
        return Some(format!(
            "{id} {old}\n\n{}.\n\nSince MLIR {since} it is otherwise.\n\nBefore:\n\n    {old}\n\nNow:\n\n    {new}\n",
            cpp_about(row)
        ));
    }
    let row = Deprecation::of_id(id)?;
    let mut out = format!("{} {}\n\n{}.\n", row.id, row.name(), row.text());
    let _ = writeln!(out, "\nUp to MLIR {}; since MLIR {} it is otherwise.", row.before, row.since);
    if !row.bad.is_empty() {
        let _ = write!(
            out,
            "\nBefore:\n\n    {}\n\nNow:\n\n    {}\n",
            row.bad.replace('\n', "\n    "),
            row.good().replace('\n', "\n    ")
        );
    }
    Some(out)
}
