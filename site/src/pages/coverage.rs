//! The coverage of definitions by documentation. It is computed from the finished pages, so that a page and its score
//! cannot disagree.

use std::{collections::BTreeMap, fmt::Write as _};

use odsmith_engine::report::Finding;

use super::{
    Page,
    atlas::Atlas,
    headings::{Heading, Headings},
    kind::{Kind, Subject},
    source,
};
use crate::{
    commonmark::{code, line as escape},
    flavor::Writer,
    links::Slugs,
    view::{
        Case, Coverage, CoverageItem, DialectCoverage, FindingList, FindingRow, Link, Part, Prose, SCHEMA,
        Score, Source,
    },
};

/// Computes the coverage of all definitions on these pages.
pub(super) fn coverage(pages: &[Page]) -> Coverage {
    let mut dialects: BTreeMap<&str, (Tally, usize, Vec<CoverageItem>)> = BTreeMap::new();
    let mut hrefs: BTreeMap<&str, &str> = BTreeMap::new();
    for page in pages {
        let Some(subject) = page.body.kind().subject() else { continue };
        if subject.kind == "dialect" {
            hrefs.insert(subject.name, &page.frame.path);
        }
        let Some((dialect, tally, source)) = page.body.kind().coverage() else { continue };
        let (sum, complete, items) = dialects.entry(dialect).or_default();
        sum.documented += tally.documented;
        sum.of += tally.of;
        if tally.missing.is_empty() {
            *complete += 1;
        } else {
            items.push(item(page, source, tally));
        }
    }
    let mut total = Tally::default();
    let mut ids = Slugs::default();
    let dialects = dialects
        .into_iter()
        .map(|(name, (sum, complete, items))| {
            total.documented += sum.documented;
            total.of += sum.of;
            let href = hrefs.get(name).map(|href| (*href).to_owned());
            DialectCoverage {
                id: ids.take(&format!("dialect-{name}")),
                name: Link { text: name.to_owned(), href },
                score: sum.score(),
                complete,
                items,
            }
        })
        .collect();
    Coverage { schema: SCHEMA, kind: "coverage", total: total.score(), dialects, findings: None }
}

/// Lists the findings of lint, with links to the pages of their subjects.
pub(super) fn findings(found: &[Finding], pages: &[Page], atlas: &Atlas<'_>) -> FindingList {
    let mut paths: BTreeMap<String, &str> = BTreeMap::new();
    for page in pages {
        let Some(Subject { kind, name, dialect }) = page.body.kind().subject() else { continue };
        // For example `!ex.box`.
        let bare = name.trim_start_matches(['!', '#']);
        let own = bare.strip_prefix(dialect).and_then(|rest| rest.strip_prefix('.')).unwrap_or(bare);
        let id = match kind {
            "op" => name.to_owned(),
            "type" => format!("{dialect}!{own}"),
            "attr" => format!("{dialect}#{own}"),
            "dialect" | "pass" => format!("{kind}:{name}"),
            _ => continue,
        };
        paths.insert(id, &page.frame.path);
    }
    let open = found.iter().filter(|finding| finding.is_open());
    let rows: Vec<FindingRow> = open.map(|finding| finding_row(finding, &paths, atlas)).collect();
    let count = |level: &str, word: &str| {
        let count = rows.iter().filter(|row| row.level == level).count();
        format!("{count} {word}{}", if count == 1 { "" } else { "s" })
    };
    let count = [count("error", "error"), count("warning", "warning"), count("info", "note")].join(", ");
    FindingList { count, rows }
}

fn finding_row(finding: &Finding, paths: &BTreeMap<String, &str>, atlas: &Atlas<'_>) -> FindingRow {
    // The text after the last `#` may name a part: `ex.add#$lhs`.
    let whole = finding.subject.split_once(':').map_or(finding.subject.as_str(), |(kind, name)| match kind {
        "dialect" | "pass" => finding.subject.as_str(),
        _ => name,
    });
    let short = finding.subject.rsplit_once('#').map_or(finding.subject.as_str(), |(short, _)| short);
    let href = paths.get(&finding.subject).or_else(|| paths.get(short)).map(|path| (*path).to_owned());
    let place = finding.location.as_ref().map(|at| (&at.file, at.range.start.line));
    FindingRow {
        rule: finding.rule.to_string(),
        level: finding.level(),
        name: Link { text: whole.to_owned(), href },
        message: finding.message.clone(),
        witness: finding.witness.clone(),
        place: place.map_or_else(String::new, |(file, line)| format!("{file}:{line}")),
        href: place.and_then(|(file, line)| source::line_address(atlas, file, line)),
    }
}

fn item(page: &Page, source: Option<&Source>, tally: Tally) -> CoverageItem {
    let score = tally.score();
    CoverageItem {
        name: Link { text: page.frame.title.clone(), href: Some(page.frame.path.clone()) },
        place: source.map_or_else(String::new, |source| format!("{}:{}", source.file, source.line)),
        href: source.and_then(|source| source.href.clone()),
        missing: tally.missing,
        score,
    }
}

/// The documented and undocumented parts of a definition.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    documented: usize,
    of: usize,
    missing: Vec<String>,
}

impl Tally {
    fn score(&self) -> Score {
        let percent = (self.documented * 100).checked_div(self.of).unwrap_or(100);
        Score { documented: self.documented, of: self.of, percent }
    }

    pub(super) fn count(&mut self, what: &str, is_told: bool) {
        self.of += 1;
        if is_told {
            self.documented += 1;
        } else {
            self.missing.push(what.to_owned());
        }
    }

    pub(super) fn text(&mut self, what: &str, text: Option<&str>) {
        self.count(what, text.is_some_and(|text| !text.trim().is_empty()));
    }

    pub(super) fn prose(&mut self, prose: Option<&Prose>) {
        // A comment in the source was not written for readers.
        let written = prose.filter(|prose| !prose.is_harvested);
        self.text("description", written.map(|prose| prose.md.as_str()));
    }

    pub(super) fn names(&mut self, role: &str, rows: &[Part]) {
        for part in rows {
            self.count(&format!("name of {role} {}", part.name), part.is_named);
        }
    }

    pub(super) fn cases(&mut self, cases: &[Case]) {
        for case in cases {
            self.count(&format!("meaning of {}", case.symbol), case.meaning.is_some() && !case.is_harvested);
        }
    }

    /// Counts the replacement of a deprecated definition: the reason must be longer than one word.
    pub(super) fn replacement(&mut self, reason: Option<&str>) {
        if let Some(reason) = reason {
            let is_told = reason.split_whitespace().count() > 1;
            self.count("what to use instead", is_told);
        }
    }
}

pub(super) fn has_fence(md: &str) -> bool {
    md.lines().any(is_fence)
}

/// Tests if a line begins or ends a block of code.
pub(super) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Draws the badge with the percentage of documented items.
pub(super) fn badge(score: Score) -> String {
    let (left, right) = ("documented", format!("{} %", score.percent));
    // The approximate width of a character in an 11-pixel sans-serif font.
    let width = |text: &str| text.chars().count() * 7 + 10;
    let (a, b) = (width(left), width(&right));
    let whole = a + b;
    let tone = match score.percent {
        90.. => "#2c6e49",
        60..90 => "#7a5c00",
        _ => "#8a3324",
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"20\" role=\"img\" \
         aria-label=\"{left}: {right}\"><title>{left}: {right}</title>\
         <rect width=\"{a}\" height=\"20\" fill=\"#444\"/>\
         <rect x=\"{a}\" width=\"{b}\" height=\"20\" fill=\"{tone}\"/>\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         <text x=\"{}\" y=\"14\">{left}</text><text x=\"{}\" y=\"14\">{right}</text></g></svg>\n",
        a / 2,
        a + b / 2,
    )
}

impl Kind for Coverage {
    fn headings(&self, list: &mut Headings) {
        for dialect in &self.dialects {
            let percent = format!("{} %", dialect.score.percent);
            list.push(Heading::new(&dialect.id, &dialect.name.text).with_aside(&percent));
        }
        if let Some(findings) = &self.findings {
            list.push(Heading::new("findings", "Findings").with_aside(&findings.count));
        }
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        let total = self.total;
        out.paragraph(&format!("{} % ({} of {})", total.percent, total.documented, total.of));
        for dialect in &self.dialects {
            out.section(&dialect.id, |out| {
                out.paragraph(&format!("{} %", dialect.score.percent));
                for item in &dialect.items {
                    let (name, missing) = (out.link(&item.name), item.missing.join(", "));
                    let missing = escape(&missing);
                    let _ = writeln!(out.text, "- {name} ({}): {missing}", code(&item.place));
                }
                if !dialect.items.is_empty() {
                    out.text.push('\n');
                }
            });
        }
        out.section("findings", |out| {
            let Some(FindingList { count, rows }) = &self.findings else { return };
            out.paragraph(count);
            for row in rows {
                let (name, message) = (out.link(&row.name), escape(&row.message));
                let FindingRow { level, rule, place, .. } = row;
                let _ = writeln!(out.text, "- {name} ({}): {level}: {message} ({rule})", code(place));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_rounded_down() {
        let mut tally = Tally::default();
        tally.text("summary", Some("x"));
        tally.text("description", Some("  "));
        tally.count("example", true);
        assert_eq!(tally.score(), Score { documented: 2, of: 3, percent: 66 });
        assert_eq!(tally.missing, ["description"]);
        assert_eq!(Tally::default().score().percent, 100);
    }

    #[test]
    fn the_badge_says_what_it_shows() {
        assert!(
            badge(Score { documented: 1, of: 2, percent: 50 }).contains("aria-label=\"documented: 50 %\"")
        );
    }
}
