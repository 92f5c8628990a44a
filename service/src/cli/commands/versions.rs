//! `odsmith docs --versioned`: puts the sites of releases into neighbouring folders.
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

/// The files of every site besides the pages in its index.
const LISTS: &[&str] = &["index.html", "az.html", "coverage.html"];

/// The folder that contains the sites of all releases.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    root: PathBuf,
    listed: Vec<VersionEntry>,
    own: VersionEntry,
}

impl Shelf {
    /// Reads the list of existing sites.
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

    /// Returns the folder of this release's site.
    pub fn out(&self) -> PathBuf {
        self.root.join(&self.own.folder)
    }

    /// Returns the address of this release's site.
    pub fn base_url(&self, base: &str) -> String {
        format!("{}/{}", base.trim_end_matches('/'), self.own.folder)
    }

    /// Returns the index of the newest earlier release.
    pub fn earlier(&self) -> Option<PathBuf> {
        let sorted = versions::with(self.listed.clone(), self.own.clone());
        let at = sorted.iter().position(|it| *it == self.own)?;
        // Older releases come later in the list.
        let others = sorted[at + 1..].iter();
        others.map(|it| self.root.join(&it.folder).join("index.json")).find(|place| place.is_file())
    }

    /// Returns the other releases, as pages list them.
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

    /// Lists the site that was written, and copies it to `latest` if it is the newest.
    pub fn finish(&self, title: &str, project: &Path) -> Result<(), String> {
        let listed = versions::with(self.listed.clone(), self.own.clone());
        let folder = OutputFolder::open(&self.root, "docs")?.for_project(project);
        let mut files = versions::files(&listed, title).into_iter();
        let written = files.try_for_each(|(name, text)| folder.write(name, text.as_bytes()));
        written.and(folder.finish(false)).map(drop)?;
        if listed.first() == Some(&self.own) {
            let latest = self.root.join(LATEST);
            let wrong = |error: std::io::Error| format!("{}: {}", latest.display(), disk::reason(&error));
            // Remove only files that an earlier call wrote.
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

/// Returns the pages of a site.
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

/// Copies a folder's files, as hard links if the file system supports them.
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
