//! Versions as they were read from a registry.

use std::collections::BTreeMap;

use odsmith_engine::interchange::symbols::Symbols;
use odsmith_registry::{
    artifact::{AGAINST, Config, DIFF, Withdrawal},
    digest::Digest,
    manifest::Descriptor,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A repository and its versions.
#[derive(Clone, Debug, Default)]
pub struct PublishedProject {
    /// The repository: `oci://host/path`, or `oci-layout:NAME`.
    pub repository: String,
    /// Its owners, where the catalogue's own settings name them.
    pub owners: Vec<String>,
    /// The versions in any order.
    pub versions: Vec<PublishedVersion>,
}

/// The facts about a version that its tag leads to, before its symbols are read.
#[derive(Clone, Debug)]
pub struct PublishedVersion {
    /// The tag.
    pub tag: String,
    /// The digest of the manifest.
    pub manifest: Digest,
    /// The config.
    pub config: Config,
    /// The layers by file name.
    pub layers: BTreeMap<String, Descriptor>,
    /// The reports on it, by digest.
    pub reports: Vec<Descriptor>,
    /// The withdrawal that counts.
    pub withdrawal: Option<Withdrawal>,
    /// The findings of the comparison with the version before; nothing if it was compared with none.
    pub breaks: Option<Vec<Break>>,
    /// The manifests that the tag named before.
    pub moved_from: Vec<Digest>,
}

/// A breaking change.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Break {
    /// The id of the rule.
    pub rule: String,
    /// The subject, as `odsmith diff` names it.
    pub subject: String,
    /// The change in one line.
    pub message: String,
    /// The levels that break, the worst first.
    pub levels: Vec<String>,
}

/// The levels of a comparison, the worst first.
pub const LEVELS: [&str; 9] =
    ["bytecode", "semantics", "text", "generic", "verifier", "cpp", "implementer", "python", "pipeline"];

/// Returns the levels of a profile, or the level itself.
#[must_use]
pub fn levels_of(profile: &str) -> &'static [&'static str] {
    match profile {
        "wire" => &LEVELS[..2],
        "ir" => &LEVELS[..5],
        "api" => &LEVELS[5..],
        "all" => &LEVELS,
        level => LEVELS.iter().position(|it| *it == level).map_or(&[], |at| &LEVELS[at..=at]),
    }
}

/// Returns what a comparison breaks, from the JSON of `odsmith diff`. Changes that were accepted are no breaks.
///
/// # Errors
/// It is no comparison.
pub fn breaks(comparison: &[u8]) -> Result<Vec<Break>, String> {
    let wrong = |why: &str| format!("the comparison with the version before: {why}");
    let comparison: Value = serde_json::from_slice(comparison).map_err(|error| wrong(&error.to_string()))?;
    let findings = comparison["findings"].as_array().ok_or_else(|| wrong("it has no findings"))?;
    let mut breaks: Vec<Break> = Vec::new();
    for finding in findings.iter().filter(|finding| finding["accepted"].is_null()) {
        let verdict = |level: &&str| finding["effects"][*level].as_str();
        let levels = LEVELS.iter().filter(|level| matches!(verdict(level), Some("silent" | "breaks")));
        let levels: Vec<String> = levels.map(|level| (*level).to_owned()).collect();
        let text = |field: &str| plain(finding[field].as_str().unwrap_or_default());
        let also = finding["also"].as_array().into_iter().flatten().filter_map(Value::as_str).map(plain);
        if !levels.is_empty() {
            for subject in std::iter::once(text("subject")).chain(also) {
                let (rule, message) = (text("rule"), text("message"));
                breaks.push(Break { rule, subject, message, levels: levels.clone() });
            }
        }
    }
    breaks.sort();
    Ok(breaks)
}

/// The longest text of a publisher in an answer, in characters.
const MOST_CHARS: usize = 2_000;

/// Returns a publisher's text without control characters, in one line and of a bounded length.
#[must_use]
pub fn plain(text: &str) -> String {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let clean = text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c });
    clean.filter(|c| !is_hidden(*c)).take(MOST_CHARS).collect()
}

/// Returns symbols as a catalogue takes them: ids that break the grammar and addresses that lead elsewhere are left out,
/// and texts are plain.
#[must_use]
pub fn admitted(mut symbols: Symbols) -> Symbols {
    let is_target = |target: &str| {
        let (project, row) =
            target.split_once(':').map_or((None, target), |(project, row)| (Some(project), row));
        // A name may have colons of its own.
        match project {
            Some(project) if !project.contains('/') => {
                odsmith_registry::reference::is_component(&project.to_ascii_lowercase())
                    && super::id::is_row(row)
            }
            _ => super::id::is_row(target),
        }
    };
    symbols.rows.retain(|row| super::id::is_row(&row.id) && super::id::kind(&row.id) == row.kind);
    for row in &mut symbols.rows {
        for text in [
            &mut row.name,
            &mut row.summary,
            &mut row.signature,
            &mut row.file,
            &mut row.shape,
            &mut row.body,
        ] {
            *text = plain(text);
        }
        for text in row.parts.iter_mut().chain(&mut row.aliases).chain(&mut row.deprecated) {
            *text = plain(text);
        }
        row.page.take_if(|page| !is_page(page));
    }
    symbols.rows.sort();
    symbols.rows.dedup_by(|later, first| later.id == first.id);
    symbols.uses.retain(|it| is_target(&it.target) && super::id::is_row(&it.user) && is_way(&it.how));
    symbols
}

fn is_way(how: &str) -> bool {
    !how.is_empty() && how.len() <= 32 && how.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns whether a path names a page below the reference.
fn is_page(page: &str) -> bool {
    let path = page.split('#').next().unwrap_or_default();
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.split('/').all(is_part)
        && !page.contains([':', '\\', '"', '<', '>', ' ', '?'])
        && !page.chars().any(char::is_control)
}

impl PublishedVersion {
    /// Returns the digest of the version that it was compared with.
    #[must_use]
    pub fn against(&self) -> Option<&str> {
        let report = self.reports.iter().find(|it| it.kind() == Some(DIFF))?;
        report.annotations.get(AGAINST).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use odsmith_engine::interchange::symbols::{Row, Use};

    use super::*;

    #[test]
    fn breaks_of_a_comparison() {
        let text = br#"{"findings":[
            {"rule":"IN001","subject":"a.b","message":"gained\n x","effects":{"bytecode":"silent","cpp":"unknown"},"also":["a.c"]},
            {"rule":"OP001","subject":"a.d","message":"m","effects":{"cpp":"breaks"},"accepted":"agreed"},
            {"rule":"OP002","subject":"a.e","message":"m","effects":{}}]}"#;
        let all = breaks(text).expect("a comparison");
        let shown: Vec<String> =
            all.iter().map(|it| format!("{} {} {:?}", it.subject, it.message, it.levels)).collect();
        assert_eq!(shown, [r#"a.b gained  x ["bytecode"]"#, r#"a.c gained  x ["bytecode"]"#]);
        assert!(breaks(b"{}").is_err());
        assert_eq!(
            (levels_of("wire").len(), levels_of("api").len(), levels_of("text"), levels_of("x").len()),
            (2, 4, &["text"][..], 0)
        );
    }

    #[test]
    fn hostile_symbols() {
        let row = |id: &str, page: &str| Row {
            id: id.to_owned(),
            kind: "op".to_owned(),
            summary: "a\u{1b}[31m\u{202e}b".to_owned(),
            page: Some(page.to_owned()),
            ..Row::default()
        };
        let used = |target: &str, user: &str| Use {
            target: target.to_owned(),
            user: user.to_owned(),
            how: "trait".to_owned(),
        };
        let symbols = Symbols {
            rows: vec![
                row("d/op/a", "javascript:alert(1)"),
                row("d/op/b", "d/op/b.html"),
                row("../../etc/x", "a"),
                row("d/op/c", "../x"),
            ],
            uses: vec![
                used("mlir:_/trait/Pure", "d/op/a"),
                used("d/op/a::b", "d/op/b"),
                used("x y:_/trait/Pure", "d/op/a"),
                used("_/trait/T", "../x"),
            ],
            ..Symbols::default()
        };
        let admitted = admitted(symbols);
        let rows: Vec<_> = admitted
            .rows
            .iter()
            .map(|row| (row.id.as_str(), row.page.as_deref(), row.summary.as_str()))
            .collect();
        assert_eq!(
            rows,
            [
                ("d/op/a", None, "a[31mb"),
                ("d/op/b", Some("d/op/b.html"), "a[31mb"),
                ("d/op/c", None, "a[31mb")
            ]
        );
        assert_eq!(admitted.uses.len(), 2);
    }
}
