//! Pages of a catalogue of many projects: tables under headings, in the frame of a reference. They are read without any
//! script; the search alone needs one.

use std::collections::BTreeMap;

use odsmith_engine::artefact::Artefact;

use crate::{
    inventory,
    links::{Registry, root_of},
    markdown::Texts,
    render::{self, Extras, Fault, Renderer, Templates},
    view::{CatalogPage, Frame},
};

/// The page of the search.
pub const SEARCH: &str = "search.html";

/// The input of a catalogue's pages.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The title of the catalogue.
    pub title: String,
    /// The pages by path.
    pub pages: BTreeMap<String, CatalogPage>,
    /// Scripts with data for the search, by path.
    pub data: BTreeMap<String, String>,
    /// Addresses by name, for the inventory.
    pub names: BTreeMap<String, String>,
}

/// Writes the pages and their assets, sorted by path.
///
/// # Errors
/// A template reads a field that the page model does not have.
pub fn site(input: &Input) -> Result<Vec<Artefact>, Fault> {
    let (registry, texts) = (Registry::default(), Texts::default());
    let templates = Templates::new(&BTreeMap::new())?;
    let renderer = Renderer::new(
        &registry,
        &texts,
        templates,
        render::BOOT,
        Extras { is_catalog: true, ..Extras::default() },
    );
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, page) in &input.pages {
        let frame = Frame {
            path: path.clone(),
            root: root_of(path),
            site: input.title.clone(),
            title: page.title.clone(),
            description: page.lead.clone(),
            trail: if path == "index.html" { Vec::new() } else { page.trail.clone() },
            is_wide: true,
            ..Frame::default()
        };
        files.insert(path.clone(), renderer.catalog(&frame, page)?.into_bytes());
    }
    for (path, text) in assets() {
        let text = if path.ends_with(".js") { render::stripped(&text) } else { text };
        files.insert(path.to_owned(), text.into_bytes());
    }
    files.extend(input.data.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())));
    files.insert("objects.inv".to_owned(), inventory::write(&input.title, &input.names));
    Ok(files.into_iter().map(|(path, bytes)| Artefact { path, bytes }).collect())
}

/// The assets of a catalogue: those of every site, with another script for the search.
fn assets() -> Vec<(&'static str, String)> {
    let own = render::ASSETS.iter().filter(|(path, _)| !path.starts_with("assets/intent"));
    let all = own.map(|(path, text)| match *path {
        "assets/search.js" => (*path, render::CATALOG_SEARCH.to_owned()),
        _ => (*path, (*text).to_owned()),
    });
    all.filter(|(path, _)| *path != render::SYNONYMS_FILE).collect()
}
