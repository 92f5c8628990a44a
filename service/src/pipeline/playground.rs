//! The playground: its page, script and styles, and the files of one that needs no server.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::engine::{Engine as _, general_purpose::STANDARD};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use odsmith_engine::library::Library;
use serde_json::json;

use crate::store::{
    archive::{self, Format},
    disk,
};

include!(concat!(env!("OUT_DIR"), "/play.rs"));

/// The page.
pub const PAGE: &str = include_str!("../../play/play.html");
/// The page of a build without the script.
pub const ABSENT: &str = include_str!("../../play/absent.html");
/// The page's style.
pub const STYLE: &str = include_str!("../../play/play.css");
/// The frame that shows reference pages.
pub const FRAME: &str = include_str!("../../play/frame.html");

/// Returns the style of reference pages.
#[must_use]
pub fn site_style() -> &'static str {
    let style = odsmith_site::render::ASSETS.iter().find(|(path, _)| *path == "assets/site.css");
    style.map_or("", |(_, text)| *text)
}

/// Unpacks a text that was packed by gzip when this program was built.
#[must_use]
pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    // It was compressed at build time, so it decompresses.
    let _ = GzDecoder::new(packed).read_to_end(&mut plain);
    plain
}

/// Packs bytes by gzip, as small as possible.
#[must_use]
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// The variable with the place of the module.
pub const VARIABLE: &str = "ODSMITH_WEB";

/// The name of the module.
const MODULE: &str = "odsmith_web.wasm";

/// Reads the module that answers in the browser: the file that is named here or by the environment, or the one beside this
/// program.
///
/// # Errors
/// It is missing.
pub fn module(named: Option<&Path>) -> Result<Vec<u8>, String> {
    let of_environment = env::var_os(VARIABLE).filter(|place| !place.is_empty()).map(PathBuf::from);
    if let Some(place) = named.map(Path::to_owned).or(of_environment) {
        return fs::read(&place).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)));
    }
    let own = env::current_exe().and_then(fs::canonicalize).ok();
    let folder = own.as_deref().and_then(Path::parent);
    let beside = folder.map(|folder| folder.join("../share/odsmith").join(MODULE));
    beside.and_then(|place| fs::read(place).ok()).ok_or_else(|| {
        format!("{MODULE} is not beside this program\nhelp: name it with --module; `make wasm` builds it")
    })
}

/// Packs a library for the module.
#[must_use]
pub fn library(library: &Library) -> Vec<u8> {
    let release = library.release().name();
    let place =
        |(path, bytes): (&str, &Arc<[u8]>)| (format!("mlir-{release}/include/{path}"), bytes.to_vec());
    archive::write(Format::TarZst, &library.files().map(place).collect())
}

/// The parts of the served page that a page without a server has otherwise.
const OF_A_SERVER: [(&str, &str); 2] = [
    ("<a href=\"/\">Odsmith</a>", "Odsmith"),
    ("Without one, the <a href=\"/\">start page</a> has commands for a terminal.", ""),
];

/// The part of the page that loads its style.
const STYLE_LINK: &str = "<link rel=\"stylesheet\" href=\"/play/play.css\">";

/// The part of the page that loads the script.
const SCRIPT_TAG: &str = "<script src=\"/play/play.js\" type=\"module\" fetchpriority=\"low\"></script>\n";

/// Returns the files of a playground without a server: it works from any static host, and from a disk. `module` is
/// `odsmith_web.wasm`; `libraries` are packed libraries by their releases, the preferred one first.
///
/// # Errors
/// This build has no playground.
pub fn files(module: &[u8], libraries: &[(String, Vec<u8>)]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let script = SCRIPT.ok_or("this build of odsmith has no playground: build it with make build")?;
    let script = String::from_utf8(unpacked(script)).map_err(|error| error.to_string())?;
    let site_link = "<link rel=\"stylesheet\" href=\"/play/site.css\">";
    let frame = FRAME.replace(site_link, &format!("<style>{}</style>", site_style()));
    let releases: Vec<&str> = libraries.iter().map(|(release, _)| release.as_str()).collect();
    let own = json!({ "releases": releases, "frame": frame, "parts": {} });
    let own = format!("<script>globalThis.odsmithStatic = {}</script>\n", inert(&own.to_string()));
    let mut page = PAGE.replace(SCRIPT_TAG, &own).replace(STYLE_LINK, &format!("<style>{STYLE}</style>"));
    for (served, alone) in OF_A_SERVER {
        page = page.replace(served, alone);
    }
    // A browser loads no module from a disk, but runs one that is a part of the page.
    let module_tag = format!("<script type=\"module\">{}</script>\n</body>", inert(&script));
    page = page.replace("</body>", &module_tag);
    let mut files = BTreeMap::from([
        ("index.html".to_owned(), page.into_bytes()),
        ("data/module.js".to_owned(), part("module", &packed(module))),
    ]);
    for (release, library) in libraries {
        let name = format!("mlir-{release}");
        files.insert(format!("data/{name}.js"), part(&name, library));
    }
    Ok(files)
}

/// Writes bytes as a script, which pages of a disk may load.
fn part(name: &str, bytes: &[u8]) -> Vec<u8> {
    format!("odsmithStatic.parts[\"{name}\"]=\"{}\"\n", STANDARD.encode(bytes)).into_bytes()
}

/// Writes a script so that nothing in it ends the element around it.
fn inert(script: &str) -> String {
    script.replace("</", "<\\/").replace("<!--", "<\\!--")
}

#[cfg(test)]
mod tests {
    use odsmith_engine::release::Release;

    use super::*;
    use crate::config::ArchiveLimits;

    #[test]
    fn the_page_has_the_parts_that_are_replaced() {
        for part in OF_A_SERVER.iter().map(|(served, _)| *served).chain([SCRIPT_TAG, STYLE_LINK]) {
            assert!(PAGE.contains(part), "{part}");
        }
        assert!(FRAME.contains("href=\"/play/site.css\""));
    }

    #[test]
    fn a_library_has_all_of_its_files() {
        let text: Arc<[u8]> = Arc::from(&b"class A;"[..]);
        let files = BTreeMap::from([("mlir/IR/OpBase.td".to_owned(), text)]);
        let packed = library(&Library::new(Release::default(), String::new(), files));
        let read = archive::read(&packed, &ArchiveLimits::default()).unwrap();
        let path = format!("mlir-{}/include/mlir/IR/OpBase.td", Release::default().name());
        assert_eq!(read.get(&path).map(|bytes| &bytes[..]), Some(&b"class A;"[..]));
    }

    #[test]
    fn nothing_ends_an_inline_script() {
        assert_eq!(inert("a</script><!--b"), "a<\\/script><\\!--b");
    }
}
