//! A project's lint settings, `[lint]` of `odsmith.toml`, and the level that they give each rule.
//!
//! ```toml
//! [lint]
//! select = ["default", "DOC003"]
//! ignore = ["STY001"]
//! [lint.rules]
//! DOC002 = "error"
//! STY003 = { level = "warning", convention = "snake_case" }
//! [lint.per-file]
//! "test/**" = ["-DOC"]
//! [lint.dialects.foo]
//! stable = true
//! [[lint.custom]]
//! id = "FOO001"
//! on = "operations[?dialect == 'foo' && !traits[?name == 'Pure']]"
//! message = "every foo op is pure"
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    query::Query,
    rule::{Group, Level, Rule},
    rule_of_id, rules,
};

/// `[lint]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schema(as = lint::Config)]
pub struct Config {
    /// Rules, groups and presets (`minimal`, `default`, `strict`, `pedantic`, `all`); the default preset if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub select: Vec<String>,
    /// More of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extend_select: Vec<String>,
    /// Rules and groups that are not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Rules with a level or options of their own; one that is named here is asked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, RuleConfig>,
    /// Rules and groups that are not asked (`-DOC`) or asked as well (`+DOC`) in the files of a pattern.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub per_file: BTreeMap<String, Vec<String>>,
    /// Settings of dialects, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dialects: BTreeMap<String, DialectConfig>,
    /// Rules of the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom: Vec<CustomRule>,
    /// The model.json of the last release, to which stable dialects are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// A file with findings that are accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
}

/// A rule's level, alone or with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = lint::RuleConfig)]
pub enum RuleConfig {
    /// The level.
    Level(Level),
    /// The level and what else the rule can be asked.
    Table(RuleTable),
}

/// A rule's options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = lint::RuleTable)]
pub struct RuleTable {
    /// The level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// How names are written: `snake_case`, `camelCase`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convention: Option<String>,
    /// A regular expression that names must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The most that there may be: characters of a summary, lines of a declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<usize>,
}

/// Settings of a dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = lint::DialectConfig)]
pub struct DialectConfig {
    /// True if serialized IR of the dialect must stay readable.
    #[serde(default)]
    pub stable: bool,
    /// Rules and groups that are not asked of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
}

/// A rule of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = lint::CustomRule)]
pub struct CustomRule {
    /// Its id: letters and digits.
    pub id: String,
    /// A query that selects the faulty parts of `model.json`.
    pub on: String,
    /// The message of its findings.
    pub message: String,
    /// Advice on a correction.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
    /// How bad it is.
    #[serde(default = "warning")]
    pub level: Level,
}

fn warning() -> Level {
    Level::Warning
}

impl RuleConfig {
    fn level(&self) -> Option<Level> {
        match self {
            RuleConfig::Level(level) => Some(*level),
            RuleConfig::Table(table) => table.level,
        }
    }
}

/// Presets, from the smallest.
pub const PRESETS: [&str; 5] = ["minimal", "default", "strict", "pedantic", "all"];

/// Returns true if a preset, group or id selects a rule.
fn selects(selector: &str, rule: &Rule) -> bool {
    match selector {
        "minimal" => rule.group() == Group::Cor && rule.level > Level::Pedantic,
        "default" => selects("minimal", rule) || rule.level >= Level::Warning,
        "strict" => rule.level > Level::Pedantic,
        "pedantic" => rule.level > Level::Off,
        "all" => true,
        _ if selector.eq_ignore_ascii_case(rule.group().letters()) => rule.level > Level::Pedantic,
        _ => selector.eq_ignore_ascii_case(rule.id),
    }
}

/// Returns true if a preset, group or id that is ignored drops a rule: a group drops all of its rules.
fn drops(selector: &str, rule: &Rule) -> bool {
    selects(selector, rule) || selector.eq_ignore_ascii_case(rule.group().letters())
}

impl Config {
    /// Checks what the types cannot: that rules, groups and presets exist, and that custom rules parse.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn check(&self) -> Result<(), String> {
        let known = |selector: &str| {
            PRESETS.contains(&selector)
                || rules().any(|rule| {
                    selector.eq_ignore_ascii_case(rule.id)
                        || selector.eq_ignore_ascii_case(rule.group().letters())
                })
                || self.custom.iter().any(|custom| custom.id == selector)
        };
        let unknown = |selector: &str| {
            Err(format!(
                "there is no rule, group or preset '{}'\nhelp: odsmith rule",
                selector.escape_debug()
            ))
        };
        let lists = [&self.select, &self.extend_select, &self.ignore];
        let of_dialects = self.dialects.values().flat_map(|dialect| &dialect.ignore);
        let plain = lists.into_iter().flatten().chain(of_dialects).chain(self.rules.keys());
        for selector in plain {
            if !known(selector) {
                return unknown(selector);
            }
        }
        for selector in self.per_file.values().flatten() {
            let Some(bare) = selector.strip_prefix(['-', '+']) else {
                return Err(format!(
                    "'{}' in per-file begins with neither '-' nor '+'",
                    selector.escape_debug()
                ));
            };
            if !known(bare) {
                return unknown(bare);
            }
        }
        for custom in &self.custom {
            let is_id = !custom.id.is_empty() && custom.id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !is_id || rule_of_id(&custom.id).is_some() {
                let id = custom.id.escape_debug();
                return Err(format!("'{id}' is no id for a rule: letters and digits that no rule has"));
            }
            Query::parse(&custom.on).map_err(|reason| format!("rule {}: {reason}", custom.id))?;
        }
        Ok(())
    }

    /// Returns the level of a rule, before settings for files and dialects.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Level {
        let own = self.rules.iter().find(|(id, _)| id.eq_ignore_ascii_case(rule.id)).map(|(_, own)| own);
        let by_group = self.rules.iter().find(|(id, _)| id.eq_ignore_ascii_case(rule.group().letters()));
        let own_level = own.and_then(RuleConfig::level).or_else(|| by_group.and_then(|(_, it)| it.level()));
        // Wrong suppressions are always reported.
        let is_lint = rule.group() == Group::Lnt;
        let default = ["default".to_owned()];
        let select = if self.select.is_empty() { &default[..] } else { &self.select };
        let is_selected =
            own.is_some() || is_lint || select.iter().chain(&self.extend_select).any(|it| selects(it, rule));
        if !is_selected || self.ignore.iter().any(|it| drops(it, rule)) {
            return Level::Off;
        }
        // A rule that is off by default but selected reports at least a note.
        own_level.unwrap_or_else(|| rule.level.max(Level::Info))
    }

    /// Returns the level of a rule's findings in a file and about a dialect.
    #[must_use]
    pub fn level_in(&self, rule: &Rule, file: &str, dialect: &str) -> Level {
        let mut level = self.level(rule);
        for (_, selectors) in self.per_file.iter().filter(|(glob, _)| matches_glob(glob, file)) {
            for selector in selectors {
                match selector.split_at_checked(1) {
                    Some(("-", bare)) if drops(bare, rule) => level = Level::Off,
                    Some(("+", bare)) if selects(bare, rule) && level == Level::Off => {
                        level = rule.level.max(Level::Info);
                    }
                    _ => {}
                }
            }
        }
        let of_dialect = self.dialects.get(dialect).into_iter().flat_map(|dialect| &dialect.ignore);
        if of_dialect.into_iter().any(|selector| drops(selector, rule)) { Level::Off } else { level }
    }

    /// Returns true if a rule can report anything under these settings.
    #[must_use]
    pub fn may_ask(&self, rule: &Rule) -> bool {
        self.level(rule) > Level::Off
            || self
                .per_file
                .values()
                .flatten()
                .any(|selector| selector.strip_prefix('+').is_some_and(|bare| selects(bare, rule)))
    }

    /// Returns the options of a rule.
    #[must_use]
    pub fn options(&self, rule: &Rule) -> RuleTable {
        match self.rules.iter().find(|(id, _)| id.eq_ignore_ascii_case(rule.id)) {
            Some((_, RuleConfig::Table(table))) => table.clone(),
            _ => RuleTable::default(),
        }
    }

    /// Returns true if a dialect is declared stable.
    #[must_use]
    pub fn is_stable(&self, dialect: &str) -> bool {
        self.dialects.get(dialect).is_some_and(|dialect| dialect.stable)
    }
}

/// Returns true if a path matches a pattern: `*` is any part of a name, `**` any number of folders, `?` one character.
#[must_use]
pub fn matches_glob(pattern: &str, path: &str) -> bool {
    fn matches(pattern: &[u8], path: &[u8], work: &mut u32) -> bool {
        *work += 1;
        if *work > 10_000 {
            return false;
        }
        match pattern {
            [] => path.is_empty(),
            [b'*', b'*', b'/', rest @ ..] => {
                matches(rest, path, work)
                    || (0..path.len()).any(|at| path[at] == b'/' && matches(rest, &path[at + 1..], work))
            }
            [b'*', b'*'] => true,
            [b'*', rest @ ..] => {
                let end = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
                (0..=end).any(|at| matches(rest, &path[at..], work))
            }
            [b'?', rest @ ..] => {
                path.first().is_some_and(|&byte| byte != b'/') && matches(rest, &path[1..], work)
            }
            [byte, rest @ ..] => path.first() == Some(byte) && matches(rest, &path[1..], work),
        }
    }
    matches(pattern.as_bytes(), path.as_bytes(), &mut 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str) -> &'static Rule {
        rule_of_id(id).unwrap_or_else(|| panic!("{id} is no rule"))
    }

    #[test]
    fn globs() {
        for (pattern, path, is_match) in [
            ("test/**", "test/a/b.td", true),
            ("test/**", "tests/a.td", false),
            ("**/X.td", "X.td", true),
            ("**/X.td", "a/b/X.td", true),
            ("*.td", "a/b.td", false),
            ("a/?.td", "a/b.td", true),
        ] {
            assert_eq!(matches_glob(pattern, path), is_match, "{pattern} {path}");
        }
    }

    #[test]
    fn levels() {
        let mut config = Config::default();
        assert_eq!(config.level(rule("COR001")), Level::Error);
        assert_eq!(config.level(rule("DOC001")), Level::Warning);
        assert_eq!(config.level(rule("DOC002")), Level::Off);
        config.rules.insert("DOC002".to_owned(), RuleConfig::Level(Level::Error));
        assert_eq!(config.level(rule("DOC002")), Level::Error);
        config.select = vec!["strict".to_owned()];
        assert_eq!(config.level(rule("STY001")), Level::Info);
        assert_eq!(config.level(rule("DOC005")), Level::Off);
        config.extend_select = vec!["DOC005".to_owned()];
        assert_eq!(config.level(rule("DOC005")), Level::Info);
        assert_eq!(config.level(rule("COR003")), Level::Off);
        config.select = vec!["pedantic".to_owned()];
        assert_eq!(config.level(rule("COR003")), Level::Info);
        assert_eq!(config.level(rule("STY001")), Level::Info);
        config.per_file.insert("test/**".to_owned(), vec!["-DOC".to_owned()]);
        assert_eq!(config.level_in(rule("DOC001"), "test/a.td", "x"), Level::Off);
        assert_eq!(config.level_in(rule("DOC001"), "a.td", "x"), Level::Warning);
        config.ignore = vec!["DOC".to_owned()];
        assert_eq!(config.level(rule("DOC001")), Level::Off);
        config.ignore = vec!["XYZ".to_owned()];
        assert!(config.check().is_err());
    }
}
