//! The invariants of untrusted input. The libFuzzer targets check them on libFuzzer's input,
//! `service/tests/all/untrusted.rs` on good inputs with random changes, at every run of the tests.
#![allow(dead_code, reason = "each target uses one of them")]

use std::collections::BTreeMap;

use odsmith_engine::bundle::normalise;
use odsmith_service::{
    config::ArchiveLimits,
    pipeline::{manifest::Manifest, presets},
    store::archive::{self, Format, Refusal, names, tar, zip},
};
use odsmith_site::{
    links::Registry,
    markdown::{self, Scope, Texts},
    math,
};
use odsmith_tblgen::flags::{self, Flags};

/// Small limits, so that inputs reach them.
fn limits() -> ArchiveLimits {
    ArchiveLimits {
        unpacked_bytes: 1 << 20,
        file_bytes: 256 << 10,
        entries: 200,
        path_bytes: 200,
        path_depth: 8,
        ..ArchiveLimits::default()
    }
}

/// Checks that an archive is refused or holds only valid entries, which survive each format.
pub fn archive(bytes: &[u8]) {
    let limits = limits();
    for folder in ["", "a", "a/b"] {
        let Ok(bundle) = archive::read_below(bytes, folder, &limits) else { continue };
        let mut total = 0;
        for (path, content) in bundle.iter() {
            assert_eq!(names::fault(path), None, "{path:?}");
            assert_eq!(normalise(path).as_deref(), Some(path));
            assert!(
                path.len() as u64 <= limits.path_bytes && path.split('/').count() as u64 <= limits.path_depth
            );
            assert!(content.len() as u64 <= limits.file_bytes);
            assert!(
                folder.is_empty() || path.starts_with(&format!("{folder}/")),
                "{path:?} is not below {folder}"
            );
            total += content.len() as u64;
        }
        assert!(total <= limits.unpacked_bytes);
        let files: BTreeMap<String, Vec<u8>> =
            bundle.iter().map(|(path, content)| (path.to_owned(), content.to_vec())).collect();
        for format in Format::ALL {
            let written = archive::write(format, &files);
            assert_eq!(written, archive::write(format, &files), "the same files, other bytes");
            let again = archive::read(&written, &limits);
            // A bundle that came without folders and padding may be larger with them.
            if !matches!(again, Err(Refusal::TooLarge { .. })) {
                assert_eq!(again.expect("what we write we read"), bundle);
            }
        }
    }
    // Reads past the compression and its checksums.
    let _ = tar::read(bytes, &mut names::Names::new(&limits));
    let _ = tar::read(&with_checksums(bytes), &mut names::Names::new(&limits));
    let _ = zip::read(bytes, &mut names::Names::new(&limits));
}

/// Corrects the checksum of every block that may be a tar header.
pub fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut tar = bytes.to_vec();
    for block in tar.chunks_exact_mut(512) {
        if &block[257..262] == b"ustar" {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
            block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    tar
}

/// Checks that a manifest, as TOML or JSON, is refused or means the same once it is written and read again.
pub fn request(bytes: &[u8]) {
    let manifests = [Manifest::from_toml(bytes).ok(), serde_json::from_slice(bytes).ok()];
    for manifest in manifests.into_iter().flatten() {
        let manifest: Manifest = manifest;
        if manifest.check().is_err() {
            continue;
        }
        let again = Manifest::from_toml(manifest.to_toml().as_bytes());
        assert_eq!(again.as_ref(), Ok(&manifest), "{}", manifest.to_toml());
        for target in &manifest.target {
            let Ok(expanded) = presets::expand(target) else { continue };
            for output in &expanded.outputs {
                let _ = Flags::parse(&output.flags).into_action();
            }
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let words = flags::words(text);
        assert!(words.iter().map(String::len).sum::<usize>() <= text.len());
        let parsed = Flags::parse(&words);
        parsed.problems.iter().for_each(|problem| assert!(!problem.to_string().is_empty()));
        let _ = parsed.into_action();
    }
}

/// Checks that a normalized path stays the same and does not lead out, and that a path in an archive is normalized.
pub fn path(text: &str) {
    if let Some(normal) = normalise(text) {
        assert_eq!(normalise(&normal).as_deref(), Some(normal.as_str()), "{text:?}");
        assert!(!normal.starts_with('/') || text.starts_with('/'), "{text:?} becomes {normal:?}");
        assert!(normal.split('/').all(|part| part != ".." && part != "."), "{text:?} becomes {normal:?}");
    }
    if names::fault(text).is_none() {
        assert_eq!(normalise(text).as_deref(), Some(text));
    }
}

/// Checks that Markdown becomes HTML of a few elements, without attributes or addresses that could run code.
pub fn markdown(text: &str) {
    let (registry, texts) = (Registry::default(), Texts::default());
    let scope = Scope { registry: &registry, texts: &texts, root: "", path: "x.html" };
    for html in [markdown::block(text, scope), markdown::inline(text, scope)] {
        harmless(&html, text);
    }
    let _ = markdown::lead(text, &odsmith_engine::limits::Budget::default());
    let _ = markdown::mended(text, scope);
}

const ELEMENTS: &[&str] = &[
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "div",
    "em",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "li",
    "ol",
    "p",
    "pre",
    "span",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];
const ATTRIBUTES: &[&str] =
    &["class", "href", "id", "rel", "start", "tabindex", "title", "role", "aria-label"];

fn harmless(html: &str, source: &str) {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let inside = tag_end(rest).unwrap_or_else(|| panic!("an open tag in {html:?} of {source:?}"));
        let (tag, after) = rest.split_at(inside);
        let tag = tag.trim_start_matches('/').trim_end_matches('/');
        let (name, mut attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        let is_math = math::ELEMENTS.contains(&name);
        assert!(is_math || ELEMENTS.contains(&name), "<{name}> in {html:?} of {source:?}");
        while let Some((attribute, value)) = attributes.trim_start().split_once("=\"") {
            let (value, more) = value.split_once('"').expect("a closed value");
            // The attributes of a formula's tags are neither addresses nor handlers.
            let is_allowed = match is_math {
                true => !attribute.starts_with("on") && !matches!(attribute, "href" | "src" | "style"),
                false => ATTRIBUTES.contains(&attribute),
            };
            assert!(is_allowed, "{attribute} in {html:?} of {source:?}");
            let scheme = value.split(['/', '?', '#']).next().and_then(|start| start.split_once(':'));
            let is_known = scheme.is_none_or(|(scheme, _)| {
                matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "mailto")
            });
            assert!(attribute != "href" || is_known, "{value:?} in {html:?} of {source:?}");
            let is_known = matches!(value, "text-align: left" | "text-align: center" | "text-align: right");
            assert!(attribute != "style" || is_known, "{value:?} in {html:?} of {source:?}");
            attributes = more;
        }
        rest = &after[1..];
    }
}

/// The end of a tag: the first `>` outside of quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    text.bytes().position(|byte| {
        is_quoted ^= byte == b'"';
        byte == b'>' && !is_quoted
    })
}
