//! Profiles: the rules of one mlir-tblgen, such as that of a commit between two releases, as `odsmith calibrate` measures
//! them.
//!
//! ```toml
//! schema = "odsmith.profile/1"
//! base = "23"             # the release whose rules hold, but for
//! on = ["RawProperties"]  # rules that the base lacks
//! off = []                # rules that the base has
//! ```

use std::{fs, path::Path};

use odsmith_engine::release::{Release, Rule, Rules};
use serde::{Deserialize, Serialize};

use crate::disk;

/// The name of this form.
pub const SCHEMA: &str = "odsmith.profile/1";

/// The rules of one mlir-tblgen, and how they were measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// The release whose rules hold where the lists do not say otherwise.
    pub base: String,
    /// The tool's version.
    #[serde(default)]
    pub tool: String,
    /// The day of the measurement: `2026-10-25`.
    #[serde(default)]
    pub date: String,
    /// The digest of the library that the tool read.
    #[serde(default)]
    pub library: String,
    /// The version of Odsmith.
    #[serde(default)]
    pub odsmith: String,
    /// The rules that the tool follows and the base does not.
    #[serde(default)]
    pub on: Vec<String>,
    /// The rules that the base follows and the tool does not.
    #[serde(default)]
    pub off: Vec<String>,
    /// The rules that change no text beside the others.
    #[serde(default)]
    pub without_effect: Vec<String>,
    /// The rules that the tool's texts do not decide: they are as in the base.
    #[serde(default)]
    pub undecided: Vec<UndecidedRule>,
    /// The changes of the tool that no rule explains.
    #[serde(default)]
    pub unknown: Vec<UnknownChange>,
}

/// A rule that the tool's texts do not decide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UndecidedRule {
    /// The rule's name.
    pub rule: String,
    /// The reason.
    pub reason: String,
}

/// A text of the tool that no rule explains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UnknownChange {
    /// The fixture, below `tests/fixtures/` of Odsmith's repository.
    pub fixture: String,
    /// The flags of the call.
    pub flags: String,
    /// The patch from Odsmith's text to the tool's.
    pub difference: String,
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// The file cannot be read, or is no profile.
    pub fn read(path: &Path) -> Result<Profile, String> {
        Profile::text_and_value(path).map(|(_, profile)| profile)
    }

    /// Reads the text of a profile.
    ///
    /// # Errors
    /// As [`Profile::read`].
    pub fn text(path: &Path) -> Result<String, String> {
        Profile::text_and_value(path).map(|(text, _)| text)
    }

    fn text_and_value(path: &Path) -> Result<(String, Profile), String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))?;
        match Profile::parse(&text) {
            Ok(profile) => Ok((text, profile)),
            Err(reason) => Err(format!("{}: {reason}", path.display())),
        }
    }

    /// Parses a profile.
    ///
    /// # Errors
    /// The text is no profile, or names a release or a rule that is not known here.
    pub fn parse(text: &str) -> Result<Profile, String> {
        let profile: Profile =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if profile.schema != SCHEMA {
            return Err(format!("the schema is '{}', not '{SCHEMA}'", profile.schema));
        }
        profile.rules()?;
        Ok(profile)
    }

    /// Returns the rules.
    ///
    /// # Errors
    /// The base or a rule is not known here.
    pub fn rules(&self) -> Result<Rules, String> {
        let mut rules = Release::parse(&self.base)?.rules();
        for (names, is_on) in [(&self.on, true), (&self.off, false)] {
            for name in names {
                let rule = Rule::named(name).ok_or_else(|| {
                    format!("the rule '{name}' is not known: this odsmith is not the one that measured it; run `odsmith calibrate` again")
                })?;
                if rules.has_rule(rule) != is_on {
                    rules = rules.with_flipped(rule);
                }
            }
        }
        Ok(rules)
    }

    /// Creates a profile of these rules, without the circumstances of a measurement.
    #[must_use]
    pub fn of(rules: Rules) -> Profile {
        let base = rules.release().rules();
        let differing = |is_on: bool| {
            let rules = Rule::all()
                .filter(move |rule| rules.has_rule(*rule) == is_on && base.has_rule(*rule) != is_on);
            rules.map(|rule| rule.name().to_owned()).collect()
        };
        Profile {
            schema: SCHEMA.to_owned(),
            base: rules.release().name().to_owned(),
            on: differing(true),
            off: differing(false),
            ..Profile::default()
        }
    }
}

/// Returns true if the name of a release is the path of a profile.
#[must_use]
pub fn is_profile(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// Returns the rules of a release, or those of a profile if the name is a path that ends in `.toml`.
///
/// # Errors
/// There is no such release, or the profile cannot be read.
pub fn rules_of(name: &str) -> Result<Rules, String> {
    if is_profile(name) { Profile::read(Path::new(name))?.rules() } else { Ok(Release::parse(name)?.rules()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_go_there_and_back() {
        let rule = Rule::named("RawProperties").expect("a rule");
        let rules = Release::V22.rules().with_flipped(rule);
        let profile = Profile::of(rules);
        assert_eq!((profile.on.clone(), profile.off.clone()), (vec!["RawProperties".to_owned()], Vec::new()));
        let text = toml::to_string(&profile).expect("text");
        assert_eq!(Profile::parse(&text), Ok(profile));
        assert_eq!(Profile::parse(&text).and_then(|profile| profile.rules()), Ok(rules));
    }

    #[test]
    fn a_profile_says_what_is_wrong_with_it() {
        let wrong = |text: &str| Profile::parse(text).expect_err("an error");
        assert!(wrong("schema = 'odsmith.profile/2'\nbase = '22'").contains("not 'odsmith.profile/1'"));
        assert!(wrong("schema = 'odsmith.profile/1'\nbase = '7'").contains("MLIR 7 is not known"));
        assert!(
            wrong("schema = 'odsmith.profile/1'\nbase = '22'\non = ['X']")
                .contains("the rule 'X' is not known")
        );
        assert!(wrong("bas = '22'").contains("unknown field `bas`"));
    }
}
