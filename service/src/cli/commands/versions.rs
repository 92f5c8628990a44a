//! `odsmith docs --versioned`: the sites of releases in folders beside each other.
//!
//! ```text
//! OUT/versions.json  OUT/versions.js  OUT/index.html  OUT/21/…  OUT/22/…  OUT/latest/…
//! ```

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use odsmith_site::{
    links::Slugs,
    versions::{self, LATEST, Version, VersionEntry, Versions},
};
use serde::Deserialize;

use crate::store::{
    disk,
    output_folder::{self, OutputFolder},
};

/// What every site has besides the pages that its index names.
const LISTS: &[&str] = &["index.html", "az.html", "coverage.html"];

/// The folder that the sites of all releases are in.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    root: PathBuf,
    listed: Vec<VersionEntry>,
    own: VersionEntry,
}

impl Shelf {
    /// Reads what there is.
    pub fn read(root: &Path, release: &str) -> Result<Shelf, String> {
        let place = root.join("versions.json");
        let listed = match fs::read_to_string(&place) {
            Ok(text) => versions::read(&text).map_err(|error| format!("{}: {error}", place.display()))?,
            Err(_) => Vec::new(),
        };
        let known = listed.iter().find(|it| it.name == release);
        let folder = known.map(|it| it.folder.clone()).unwrap_or_else(|| {
            let mut slugs = Slugs::default();
            slugs.take(LATEST);
            slugs.take("assets");
            listed.iter().for_each(|it| _ = slugs.take(&it.folder));
            slugs.take(release)
        });
        let own = VersionEntry { name: release.to_owned(), folder };
        Ok(Shelf { root: root.to_owned(), listed, own })
    }

    /// Where the site of this release goes.
    pub fn out(&self) -> PathBuf {
        self.root.join(&self.own.folder)
    }

    /// The address of the site of this release.
    pub fn base_url(&self, base: &str) -> String {
        format!("{}/{}", base.trim_end_matches('/'), self.own.folder)
    }

    /// The index of the newest of the others.
    pub fn earlier(&self) -> Option<PathBuf> {
        let sorted = versions::with(self.listed.clone(), self.own.clone());
        let at = sorted.iter().position(|it| *it == self.own)?;
        // What is older comes later in the list.
        let others = sorted[at + 1..].iter();
        others.map(|it| self.root.join(&it.folder).join("index.json")).find(|place| place.is_file())
    }

    /// What pages say of the others.
    pub fn versions(&self, base_url: Option<&str>) -> Versions {
        let others = self.listed.iter().filter(|it| it.name != self.own.name);
        let version = |it: &VersionEntry| Version {
            name: it.name.clone(),
            folder: it.folder.clone(),
            pages: pages(&self.root.join(&it.folder)),
        };
        Versions {
            folder: self.own.folder.clone(),
            others: others.map(version).collect(),
            base_url: base_url.map(str::to_owned),
        }
    }

    /// Lists the site that was written, and makes it the latest if it is.
    pub fn finish(&self, title: &str, project: &Path) -> Result<(), String> {
        let listed = versions::with(self.listed.clone(), self.own.clone());
        let folder = OutputFolder::open(&self.root, "docs")?.for_project(project);
        let mut files = versions::files(&listed, title).into_iter();
        let written = files.try_for_each(|(name, text)| folder.write(name, text.as_bytes()));
        written.and(folder.finish(false)).map(drop)?;
        if listed.first() == Some(&self.own) {
            let latest = self.root.join(LATEST);
            let wrong = |error: std::io::Error| format!("{}: {}", latest.display(), disk::reason(&error));
            // Only what an earlier call has written goes.
            if latest.join(output_folder::MARKER).is_file() || output_folder::is_own(&latest) {
                fs::remove_dir_all(&latest).map_err(wrong)?;
            } else if latest.exists() {
                return Err(format!(
                    "{}: the folder is there already, and odsmith did not write it: remove it, or name another folder",
                    latest.display()
                ));
            }
            copy(&self.out(), &latest).map_err(wrong)?;
        }
        Ok(())
    }
}

/// The pages of a site.
fn pages(site: &Path) -> BTreeSet<String> {
    #[derive(Deserialize)]
    struct Index {
        items: Vec<Item>,
    }
    #[derive(Deserialize)]
    struct Item {
        url: String,
    }
    let index = fs::read(site.join("index.json")).ok();
    let index = index.and_then(|bytes| serde_json::from_slice::<Index>(&bytes).ok());
    let own = index.into_iter().flat_map(|index| index.items).map(|item| item.url);
    own.chain(LISTS.iter().map(|&path| path.to_owned())).collect()
}

/// The same files below another folder: as further names of them, where the file system has that.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if fs::hard_link(entry.path(), &target).is_err() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
