//! Other releases on a site: their models, and the changes between each two of them.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    interchange::Document,
    review::diff::{self, settings::Settings},
};
use odsmith_site::{changes::Step, versions::Versions};

use crate::pipeline::compare::{self, Side};

/// The name of a release without one.
const UNNAMED: &str = "unreleased";

/// A release: its name and its model.
pub type Release = (String, Arc<Side>);

/// The other releases that a site shows.
#[derive(Clone, Debug, Default)]
pub struct Releases {
    /// The name of this release.
    pub name: Option<String>,
    /// Earlier ones by their names, the oldest first.
    pub earlier: Vec<Release>,
    /// The dates of releases that are revisions or tags of git.
    pub dates: BTreeMap<String, String>,
    /// The sites beside this one.
    pub versions: Option<Versions>,
}

impl Releases {
    /// Returns the changes of each release, up to the one with the current model.
    ///
    /// # Errors
    /// The project's settings name an unknown rule.
    pub fn steps(&self, current: Side, settings: &Settings) -> Result<Vec<Step>, String> {
        let name = self.name.clone().unwrap_or_else(|| UNNAMED.to_owned());
        let mut sides = self.earlier.clone();
        sides.push((name, Arc::new(current)));
        sides.windows(2).map(|pair| step(&pair[0], &pair[1], settings)).collect()
    }
}

fn step((before, old): &Release, (release, new): &Release, settings: &Settings) -> Result<Step, String> {
    let options = diff::Options {
        profile: settings.profile.unwrap_or_default(),
        directions: Vec::new(),
        renamed: settings.renamed.clone(),
        ..Default::default()
    };
    let mut comparison = diff::compare(&old.document, &new.document, &options);
    let examiner = compare::complete(&mut comparison, [old, new], settings, Some(release), &options.stop)?;
    compare::add_programs(&mut comparison, old, new, &examiner, &options.stop);
    let document = |side: &Side| -> Arc<Document> { side.document.clone() };
    Ok(Step {
        before: before.clone(),
        release: release.clone(),
        old: document(old),
        new: document(new),
        renamed: settings.renamed.clone(),
        comparison,
    })
}
