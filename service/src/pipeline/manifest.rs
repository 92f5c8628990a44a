//! `odsmith.toml`: what is asked for. Every form of a request becomes one [`Manifest`]; unknown fields are refused.
//!
//! Its keys are written with hyphens, and those of requests as JSON with underscores; both are read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    marker::PhantomData,
};

use odsmith_engine::{
    bundle::normalise, format::Style, ir::syntax, plugin::OwnLimits, review::lint::config as lint,
    text::nearest,
};
use odsmith_registry::reference::{Reference, is_component};
use odsmith_site::flavor::Flavor;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};
use utoipa::ToSchema;

use crate::{
    pipeline::{dependencies, workspace::IN_TREE},
    store::{archive::names, keys},
};

/// The path of the manifest in a bundle.
pub use crate::store::archive::MANIFEST as FILE_NAME;

/// The address of a playground that is a part of the site, below `play/`.
pub const STATIC_PLAYGROUND: &str = "static";

/// Each is compared with each file.
const MOST_PATTERNS: usize = 64;

/// The most addresses of specifications: each page of a definition may have a link for each.
const MOST_SPECIFICATIONS: usize = 64;

/// The request: the release, the roots with their outputs, and the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format.
    #[serde(default = "schema")]
    pub schema: u32,
    /// The MLIR release, or the path of a profile (`odsmith calibrate`); the release of the library, if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mlir: Option<String>,
    /// An include folder of MLIR, or a pack of one, seen from the folder of this file. Only the command line looks there.
    #[serde(default, skip_serializing_if = "is_of_this_machine")]
    pub library: Option<String>,
    /// Include folders of all targets, before those that are found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// Macros of all targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// Other projects whose files are included: those of `name` are below `<name>`. An address alone is of a registry.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "spelled")]
    #[schema(value_type = BTreeMap<String, SpelledDependency>)]
    pub dependencies: BTreeMap<String, Dependency>,
    /// Generators of the project: programs that make what mlir-tblgen does not. A path alone is a program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "spelled")]
    #[schema(value_type = BTreeMap<String, SpelledPlugin>)]
    pub plugins: BTreeMap<String, Plugin>,
    /// The syntax of operations whose parsers are written by hand, by their names: `my.loop`, `my.*`, or `custom<Name>` for a
    /// directive in formats. Texts of IR are read by it. A text alone is the syntax.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "spelled")]
    #[schema(value_type = BTreeMap<String, SpelledSyntax>)]
    pub syntax: BTreeMap<String, Syntax>,
    /// The treatment of an output whose generator or option does not exist.
    #[serde(default, alias = "on-unsupported", skip_serializing_if = "OnUnsupported::is_default")]
    pub on_unsupported: OnUnsupported,
    /// Files that are no sources, as patterns of `.gitignore`: includes read them, and they have no roots or pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Roots whose errors are warnings, as patterns in the same form: what cannot be made of them is left out.
    #[serde(default, alias = "ignore-errors", skip_serializing_if = "Vec::is_empty")]
    pub ignore_errors: Vec<String>,
    /// Errors of all roots are warnings, as long as anything can be made.
    #[serde(default, alias = "keep-going", skip_serializing_if = "is_no")]
    pub keep_going: bool,
    /// The targets' outputs are made; without them there are the site and the model alone.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub outputs: bool,
    /// The model is made, as `model.json`.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub model: bool,
    /// Lint's findings are made, as `findings.json`.
    #[serde(default, skip_serializing_if = "is_no")]
    pub findings: bool,
    /// The policy of lint.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub lint: lint::Config,
    /// The settings of `odsmith fmt`. No result depends on them.
    #[serde(default, skip_serializing_if = "is_layout")]
    pub fmt: Style,
    /// Roots and what to make of each; worked out if none are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target: Vec<Target>,
    /// The reference site.
    #[serde(default, skip_serializing_if = "Docs::is_default")]
    pub docs: Docs,
    /// The settings of `odsmith diff`, which reads them. No result depends on them.
    #[serde(default, skip_serializing_if = "is_no_part")]
    #[schema(value_type = Option<Object>)]
    pub diff: Option<serde_json::Value>,
}

fn schema() -> u32 {
    1
}

/// The place of a library has no part in a request or a result.
fn is_of_this_machine(_: &Option<String>) -> bool {
    true
}

/// The layout of files has no part in a request or a result.
fn is_layout(_: &Style) -> bool {
    true
}

/// The settings of a comparison have no part in a request or a result.
fn is_no_part(_: &Option<serde_json::Value>) -> bool {
    true
}

impl Default for Manifest {
    fn default() -> Self {
        Manifest {
            schema: schema(),
            mlir: None,
            library: None,
            includes: Vec::new(),
            defines: Vec::new(),
            dependencies: BTreeMap::new(),
            plugins: BTreeMap::new(),
            syntax: BTreeMap::new(),
            on_unsupported: OnUnsupported::default(),
            exclude: Vec::new(),
            ignore_errors: Vec::new(),
            keep_going: false,
            target: Vec::new(),
            outputs: true,
            model: true,
            findings: false,
            lint: lint::Config::default(),
            fmt: Style::default(),
            docs: Docs::default(),
            diff: None,
        }
    }
}

/// A dependency as it is written: the address of a package in a registry, or a table.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum SpelledDependency {
    /// `oci://host/repository:version`.
    Address(String),
    /// All other forms.
    Table(Dependency),
}

/// A plugin as it is written: a path, or a table.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum SpelledPlugin {
    /// The path of its program.
    Path(String),
    /// All other forms.
    Table(Plugin),
}

/// The syntax of an operation as it is written: a text, or a table.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum SpelledSyntax {
    /// The notation.
    Text(String),
    /// The notation and the trust in it.
    Table(Syntax),
}

/// A stability as it is written: a level, or a table.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum SpelledStability {
    /// `experimental`, `stable` or `deprecated`.
    Level(String),
    /// A level and a text.
    Table(Stability),
}

/// A table that may be written as one text.
trait Spelled: Sized {
    /// The two forms, for messages.
    const FORMS: &'static str;

    /// Returns the table for a text.
    fn of_text(text: String) -> Self;
}

impl Spelled for Dependency {
    const FORMS: &'static str = "a table, or an address that begins with oci://";

    fn of_text(text: String) -> Self {
        Dependency { oci: Some(text), ..Dependency::default() }
    }
}

impl Spelled for Plugin {
    const FORMS: &'static str = "a table, or the path of a program";

    fn of_text(text: String) -> Self {
        Plugin { path: Some(text), ..Plugin::default() }
    }
}

impl Spelled for Syntax {
    const FORMS: &'static str = "a table, or a syntax";

    fn of_text(text: String) -> Self {
        Syntax { syntax: text, level: SyntaxLevel::default() }
    }
}

impl Spelled for Stability {
    const FORMS: &'static str = "a table, or one of 'experimental', 'stable' and 'deprecated'";

    fn of_text(text: String) -> Self {
        Stability { level: text, text: None }
    }
}

/// Reads tables by name, each of which may be written as one text.
fn spelled<'de, D: Deserializer<'de>, T: Spelled + Deserialize<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, T>, D::Error> {
    /// A table in either form.
    struct Either<T>(T);
    /// Reads it. An enum without tags would not name an unknown key.
    struct Reader<T>(PhantomData<T>);
    impl<'de, T: Spelled + Deserialize<'de>> Visitor<'de> for Reader<T> {
        type Value = Either<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(T::FORMS)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Either<T>, E> {
            Ok(Either(T::of_text(text.to_owned())))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Either<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Either)
        }
    }
    impl<'de, T: Spelled + Deserialize<'de>> Deserialize<'de> for Either<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Either<T>, D::Error> {
            deserializer.deserialize_any(Reader(PhantomData))
        }
    }
    let spelled: BTreeMap<String, Either<T>> = BTreeMap::deserialize(deserializer)?;
    Ok(spelled.into_iter().map(|(name, Either(table))| (name, table)).collect())
}

/// The syntax of an operation whose parser is written by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Syntax {
    /// The notation: that of `assemblyFormat` with more parts.
    pub syntax: String,
    /// The trust in it.
    #[serde(default)]
    pub level: SyntaxLevel,
}

/// The trust in a syntax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SyntaxLevel {
    /// It finds the end of the operation.
    Extent,
    /// It also binds values.
    #[default]
    Names,
    /// Text that it does not read is an error.
    Exact,
}

impl Syntax {
    /// Returns the entry of the reader of IR.
    ///
    /// # Errors
    /// The name or the notation is wrong.
    fn entry(&self, name: &str) -> Result<syntax::Entry, String> {
        let level = match self.level {
            SyntaxLevel::Extent => syntax::Level::Extent,
            SyntaxLevel::Names => syntax::Level::Names,
            SyntaxLevel::Exact => syntax::Level::Exact,
        };
        syntax::Entry::new(name, level, &self.syntax).map_err(|reason| format!("syntax.\"{name}\": {reason}"))
    }
}

/// A generator of the project: a WebAssembly module, which sees nothing but its request, or an executable, which the
/// command line alone runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Plugin {
    /// The path of the program. Without one, a server offers it by this name or digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A Handlebars file over the model, in place of a program. Only the command line fills it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The kind of definition that fills the template, one after the other: `operation`, `type`, `enum` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// The digest of the program, if it is to be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The generators that it has, without dashes; by default `gen-` and its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generators: Vec<String>,
    /// The most seconds of an executable for one output; 60 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// The most instructions of a module for one output, in millions; 50,000 by default. A server may have less.
    #[serde(default, alias = "million-instructions", skip_serializing_if = "Option::is_none")]
    pub million_instructions: Option<u64>,
    /// The most megabytes of memory; 1024 by default. A server may have less.
    #[serde(default, alias = "memory-mb", skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
}

impl Plugin {
    /// Returns true if the plugin of this name has a generator.
    #[must_use]
    pub fn has_generator(&self, name: &str, generator: &str) -> bool {
        match self.generators.is_empty() {
            true => generator.strip_prefix(GENERATOR) == Some(name),
            false => self.generators.iter().any(|own| own == generator),
        }
    }

    /// Returns the path of the program or of the template.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.path.as_deref().or(self.template.as_deref())
    }

    /// Returns the limits.
    #[must_use]
    pub fn limits(&self) -> OwnLimits {
        let usual = OwnLimits::default();
        let times = |number: Option<u64>, unit: u64| number.map(|number| number.saturating_mul(unit));
        OwnLimits {
            instructions: times(self.million_instructions, 1_000_000).unwrap_or(usual.instructions),
            memory_bytes: times(self.memory_mb, 1 << 20).unwrap_or(usual.memory_bytes),
        }
    }

    /// Checks the digest of the program, if one is named.
    ///
    /// # Errors
    /// The program has another one.
    pub fn check_digest(&self, bytes: &[u8]) -> Result<(), String> {
        match &self.sha256 {
            Some(digest) if *digest != keys::sha256(bytes) => {
                Err(format!("has the digest {}, and 'sha256' is another one", keys::sha256(bytes)))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, name: &str) -> Result<(), String> {
        let wrong = |reason: &str| Err(format!("the plugin '{}' {reason}", name.escape_debug()));
        self.file().map_or(Ok(()), |path| check_path("path", path))?;
        if self.path.is_some() && self.template.is_some() {
            return wrong("has both 'path' and 'template'");
        }
        match &self.sha256 {
            Some(digest) if !keys::is_key(digest) => return wrong("has no 64 hex digits in 'sha256'"),
            _ => {}
        }
        match self.generators.iter().all(|generator| generator.starts_with(GENERATOR)) {
            true => Ok(()),
            false => wrong("has generators whose names do not begin with 'gen-'"),
        }
    }
}

/// The beginning of the names of generators.
const GENERATOR: &str = "gen-";

/// Another project: a folder, an archive, or a package of a registry. Its files are used and linked to, not documented.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    /// A folder, as seen from the manifest. Only the command line has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The `https` address of an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The digest of that archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The folder of the archive that is meant.
    #[serde(default, alias = "strip-prefix", skip_serializing_if = "Option::is_none")]
    pub strip_prefix: Option<String>,
    /// The package in a registry: `oci://host/repository:1.9` is at least 1.9.0 and below 2. `odsmith fetch` gets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oci: Option<String>,
    /// Its version, in place of the tag: `=1.9.4` is that one alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// This version counts, whatever other packages ask for.
    #[serde(default, rename = "override", skip_serializing_if = "is_no")]
    pub is_override: bool,
}

impl Dependency {
    fn check(&self, name: &str) -> Result<(), String> {
        if !dependencies::is_name(name) || dependencies::root(name) == IN_TREE {
            return Err(format!("'{}' is no name for a dependency", name.escape_debug()));
        }
        let is_of_registry = self.version.is_some() || self.is_override;
        match (&self.path, &self.url, &self.sha256, &self.oci) {
            (None, None, None, Some(oci)) if self.strip_prefix.is_none() => self.check_reference(name, oci),
            (Some(_), None, None, None) if self.strip_prefix.is_none() && !is_of_registry => Ok(()),
            (None, Some(_), Some(sha256), None) if keys::is_key(sha256) && !is_of_registry => Ok(()),
            _ => Err(format!(
                "the dependency '{name}' has either 'path', or 'url' and 'sha256' (64 hex digits), or 'oci'"
            )),
        }
    }

    /// Checks the reference of a package: it has one version.
    fn check_reference(&self, name: &str, oci: &str) -> Result<(), String> {
        let wrong = |why: &str| Err(format!("the dependency '{name}': {why}"));
        match Reference::parse(oci) {
            Err(why) => wrong(&why),
            Ok(it) if it.digest.is_some() => wrong("a version is asked for, and odsmith.lock has its digest"),
            Ok(it) if it.tag.is_some() && self.version.is_some() => {
                wrong("the version is in 'oci' or in 'version', not in both")
            }
            Ok(it) if it.tag.is_none() && self.version.is_none() => wrong(&format!("write {oci}:VERSION")),
            Ok(_) if !is_component(&name.to_ascii_lowercase()) => {
                wrong("the name of a package has letters and digits, with '-' and '_' between them")
            }
            Ok(_) => Ok(()),
        }
    }
}

/// The treatment of an output that cannot be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnUnsupported {
    /// An error of that output.
    #[default]
    Error,
    /// Left out.
    Skip,
}

impl OnUnsupported {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// One root: named, or made by a preset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The root file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub td: Option<String>,
    /// Include folders before those of all targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// Macros besides those of all targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// The folder of the outputs.
    #[serde(default, alias = "out-dir", skip_serializing_if = "Option::is_none")]
    pub out_dir: Option<String>,
    /// The files to make.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Output>,
    /// The plugin that makes those of them whose flags name no generator of mlir-tblgen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// A function of MLIR's build files, in place of the fields above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The preset's arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder in which the preset is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
}

/// One file to make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its path below `out-dir`.
    pub path: String,
    /// The flags that make it, in mlir-tblgen's spellings.
    #[serde(default)]
    pub flags: Vec<String>,
}

/// The reference site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Docs {
    /// The site is made.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// The title of the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address of a line of a source file; holds `{path}` and `{line}`.
    #[serde(default, alias = "source-url", skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// The site's future address: `https`. With it there are a sitemap and what else needs whole addresses.
    #[serde(default, alias = "base-url", skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The address of a playground: of a server, `/play` for a site on that server, `static` for one in the site itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playground: Option<String>,
    /// The generator that the Markdown tree is for: `gfm`, `hugo`, `mkdocs`, `docusaurus` or `starlight`.
    #[serde(default, skip_serializing_if = "is_plain")]
    #[schema(value_type = String)]
    pub flavor: Flavor,
    /// Pages of the author's own: Markdown files, folders of them, and patterns (`docs/**/*.md`); all if none are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<String>,
    /// Files that examples are taken from (`test/**/*.mlir`); all `.mlir` files if none are named. For the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// The page of missing documentation also shows the findings of lint, under the policy of `lint`.
    #[serde(default, skip_serializing_if = "is_no")]
    pub findings: bool,
    /// Files and folders whose definitions get no pages, as patterns (`test`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Inventories of other sites, by any name: what they describe is linked to. For the command line.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inventories: BTreeMap<String, InventoryFile>,
    /// Headings of dialects on the first page, in their order; those in none come last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<DialectHeading>,
    /// Old paths of pages, with the path or address that each leads to now (`"docs/Dialects/Old/" = "old/index.html"`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub redirects: BTreeMap<String, String>,
    /// Specifications, by any name, at most 64: pages of what is in one lead there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub specifications: BTreeMap<String, SpecificationAddress>,
    /// Notes on releases: a file with a heading for each (`## 2.1 - 2026-03-01`), or a file for each (`docs/{release}.md`).
    #[serde(default, alias = "release-notes", skip_serializing_if = "Option::is_none")]
    pub release_notes: Option<String>,
    /// The address where a hand-written page is edited; holds `{path}`. By default that of `source-url` with `/edit/` for `/blob/`.
    #[serde(default, alias = "edit-url", skip_serializing_if = "Option::is_none")]
    pub edit_url: Option<String>,
    /// The stability of dialects, by name: `experimental`, `stable` or `deprecated`, or a table with a text as well.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "spelled")]
    #[schema(value_type = BTreeMap<String, SpelledStability>)]
    pub stability: BTreeMap<String, Stability>,
    /// The address of the project's Doxygen pages: C++ classes link there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doxygen: Option<String>,
    /// Doxygen's tag file (`GENERATE_TAGFILE`), so that only classes with a page are links. For the command line.
    #[serde(default, alias = "doxygen-tags", skip_serializing_if = "Option::is_none")]
    pub doxygen_tags: Option<String>,
    /// A file with HTML for the end of the head of each page; `{root}` is the path to the site. For the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// A file with HTML for the foot of each page, in the same form. For the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

/// The stability of a dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stability {
    /// `experimental`, `stable` or `deprecated`.
    pub level: String,
    /// A sentence for readers, such as what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The inventory of another site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InventoryFile {
    /// `objects.inv` of that site, a file of the project: nothing is fetched.
    pub file: String,
    /// The site's address.
    pub url: String,
    /// The digest of the file, if it is to be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Dialects under a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DialectHeading {
    /// The heading.
    pub title: String,
    /// A sentence about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The dialects, by their names.
    pub dialects: Vec<String>,
}

/// The place in a specification that describes the project's definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecificationAddress {
    /// The text of the link; without one, the name of the part of this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address, with `{name}`, `{mnemonic}`, `{dialect}`, `{class}` or a field of the project's own (`{opcode}`) in it.
    pub url: String,
    /// The dialect whose definitions are in it; all, if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The kinds that are in it: `op`, `type`, `attr`, `enum`; all, if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_yes(answer: &bool) -> bool {
    *answer
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_no(answer: &bool) -> bool {
    !*answer
}

fn is_usual(config: &lint::Config) -> bool {
    *config == lint::Config::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_plain(flavor: &Flavor) -> bool {
    *flavor == Flavor::default()
}

impl Default for Docs {
    fn default() -> Self {
        Docs {
            enabled: true,
            title: None,
            source_url: None,
            base_url: None,
            playground: None,
            flavor: Flavor::default(),
            pages: Vec::new(),
            examples: Vec::new(),
            findings: false,
            exclude: Vec::new(),
            inventories: BTreeMap::new(),
            groups: Vec::new(),
            redirects: BTreeMap::new(),
            specifications: BTreeMap::new(),
            release_notes: None,
            edit_url: None,
            stability: BTreeMap::new(),
            doxygen: None,
            doxygen_tags: None,
            head: None,
            footer: None,
        }
    }
}

impl Docs {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// It is not TOML, has an unknown field, or asks for something impossible.
    pub fn from_toml(bytes: &[u8]) -> Result<Manifest, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| format!("{FILE_NAME} is not UTF-8"))?;
        let manifest: Manifest = toml::from_str(text).map_err(|error| complaint(text, &error))?;
        manifest.check().map_err(|error| format!("{FILE_NAME}: {error}"))?;
        Ok(manifest)
    }

    /// The manifest as a file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        // Every field has a form in TOML.
        toml::to_string(self).unwrap_or_default()
    }

    /// The manifest as JSON, in one form: it has no map in it.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the syntax of the project's operations for the reader of IR. An exact name comes before a family.
    #[must_use]
    pub fn syntax_table(&self) -> syntax::Table {
        let (families, names): (Vec<_>, Vec<_>) =
            self.syntax.iter().partition(|(name, _)| name.ends_with('*'));
        names.into_iter().chain(families).filter_map(|(name, syntax)| syntax.entry(name).ok()).collect()
    }

    /// Checks what the types cannot: the schema, paths, and that a target is one thing.
    ///
    /// # Errors
    /// The manifest contradicts itself or asks for something impossible.
    pub fn check(&self) -> Result<(), String> {
        if self.schema != schema() {
            return Err(format!("schema {} is not known; this is schema {}", self.schema, schema()));
        }
        self.dependencies.iter().try_for_each(|(name, dependency)| dependency.check(name))?;
        self.plugins.iter().try_for_each(|(name, plugin)| plugin.check(name))?;
        self.syntax.iter().try_for_each(|(name, syntax)| syntax.entry(name).map(drop))?;
        self.lint.check().map_err(|reason| format!("lint: {reason}"))?;
        self.fmt.check()?;
        self.includes.iter().try_for_each(|folder| self.check_include("includes", folder))?;
        for (field, patterns) in [
            ("exclude", &self.exclude),
            ("ignore-errors", &self.ignore_errors),
            ("fmt.exclude", &self.fmt.exclude),
        ] {
            if patterns.len() > MOST_PATTERNS {
                return Err(format!("{field} has more than {MOST_PATTERNS} patterns"));
            }
            let below = |pattern: &String| check_folder(field, pattern.trim_start_matches(['!', '/']));
            patterns.iter().try_for_each(below)?;
        }
        let mut paths = BTreeSet::new();
        for target in &self.target {
            target.includes.iter().try_for_each(|folder| self.check_include("a folder", folder))?;
            target.check()?;
            for output in &target.outputs {
                let path = target.output_path(&output.path);
                if !paths.insert(path.clone()) {
                    return Err(format!("two outputs go to '{path}'"));
                }
            }
        }
        if self.docs.specifications.len() > MOST_SPECIFICATIONS {
            return Err(format!("docs.specifications has more than {MOST_SPECIFICATIONS} addresses"));
        }
        for (name, it) in &self.docs.specifications {
            if !it.url.starts_with("https://") && !it.url.starts_with("http://") {
                return Err(format!(
                    "docs.specifications.{name}.url is neither an https nor an http address"
                ));
            }
        }
        for (name, it) in &self.docs.stability {
            if odsmith_site::StabilityLevel::parse(&it.level).is_none() {
                return Err(format!(
                    "docs.stability.{name} is '{}', and may be 'experimental', 'stable' or 'deprecated'",
                    it.level.escape_debug()
                ));
            }
        }
        let files = [
            ("release-notes", &self.docs.release_notes),
            ("doxygen-tags", &self.docs.doxygen_tags),
            ("head", &self.docs.head),
            ("footer", &self.docs.footer),
        ];
        for (field, path) in files {
            path.as_ref().map_or(Ok(()), |path| check_folder(&format!("docs.{field}"), path))?;
        }
        if self.docs.doxygen_tags.is_some() && self.docs.doxygen.is_none() {
            return Err("docs.doxygen-tags needs docs.doxygen, the address of the pages".to_owned());
        }
        let playground = self
            .docs
            .playground
            .as_ref()
            .filter(|address| !matches!(address.as_str(), "/play" | STATIC_PLAYGROUND))
            .cloned();
        for (field, url) in [
            ("source_url", &self.docs.source_url),
            ("base_url", &self.docs.base_url),
            ("edit_url", &self.docs.edit_url),
            ("doxygen", &self.docs.doxygen),
            ("playground", &playground),
        ] {
            if let Some(url) = url
                && !(url.starts_with("https://") || url.starts_with("http://"))
            {
                return Err(format!("docs.{field} is neither an https nor an http address"));
            }
        }
        Ok(())
    }
}

/// Returns the message about a file that cannot be read, with its line: `odsmith.toml:1: unknown key 'exlude'`.
fn complaint(text: &str, error: &toml::de::Error) -> String {
    let line =
        error.span().map_or(1, |span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
    let at = format!("{FILE_NAME}:{line}");
    let message = error.message();
    let Some(rest) = message.strip_prefix("unknown field `") else {
        return format!("{at}: {}", message.replace('`', "'").trim_end());
    };
    // Every second part is between marks: the unknown key, then those that are known.
    let mut names = rest.split('`').step_by(2);
    let key = names.next().unwrap_or_default();
    let names: BTreeSet<String> = names.map(|name| name.replace('_', "-")).collect();
    let help = match nearest(key, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "odsmith schema manifest --markdown".to_owned(),
    };
    format!("{at}: unknown key '{key}'\nhelp: {help}")
}

impl Manifest {
    /// Leaves out outputs, pages and the model, for work that only reads the definitions.
    pub fn make_nothing(&mut self) {
        (self.outputs, self.model) = (false, false);
        self.docs.enabled = false;
    }

    /// An include folder is below the bundle, or below a dependency, which may be in the tree.
    fn check_include(&self, what: &str, folder: &str) -> Result<(), String> {
        let Some((name, below)) = folder.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
            // Another project's files have a name.
            let help = || {
                let name = dependencies::name_of(folder, |_| false);
                format!("\nhelp: in {FILE_NAME}: [dependencies] {name} = {{ path = \"{folder}\" }}")
            };
            return check_folder(what, folder).map_err(|reason| match folder.starts_with("../") {
                true => reason + &help(),
                false => reason,
            });
        };
        if !self.dependencies.contains_key(name) && dependencies::root(name) != IN_TREE {
            return Err(format!("{what} = '{}': there is no such dependency", folder.escape_debug()));
        }
        check_folder(what, below.strip_prefix('/').unwrap_or(below))
    }
}

impl Target {
    fn check(&self) -> Result<(), String> {
        match (&self.td, &self.preset) {
            (Some(_), Some(_)) => return Err("a target has both 'td' and 'preset'".to_owned()),
            (None, None) => return Err("a target has neither 'td' nor 'preset'".to_owned()),
            (Some(_), None) if self.dir.is_some() || !self.args.is_empty() => {
                return Err("'args' and 'dir' belong to a preset".to_owned());
            }
            (None, Some(_)) if !self.outputs.is_empty() => {
                return Err("a preset has outputs of its own".to_owned());
            }
            _ => {}
        }
        if let Some(td) = &self.td {
            check_path("td", td)?;
        }
        let folders = self.out_dir.iter().chain(&self.dir);
        folders.into_iter().try_for_each(|folder| check_folder("a folder", folder))?;
        self.outputs.iter().try_for_each(|output| check_path("path", &output.path))
    }

    /// Returns the path of an output that has this path among the target's.
    #[must_use]
    pub fn output_path(&self, path: &str) -> String {
        match self.out_dir.as_deref().and_then(normalise) {
            Some(folder) if !folder.is_empty() => format!("{folder}/{path}"),
            _ => path.to_owned(),
        }
    }
}

fn check_path(what: &str, path: &str) -> Result<(), String> {
    match names::fault(path) {
        Some(fault) => Err(format!("{what} = '{}' {fault}", path.escape_debug())),
        None => Ok(()),
    }
}

/// Folders may be written with `.`, `..` and a slash at the end, as in build files, as long as they stay inside.
fn check_folder(what: &str, folder: &str) -> Result<(), String> {
    let normal = if folder.starts_with('/') { None } else { normalise(folder) };
    match normal {
        Some(normal) if normal.is_empty() => Ok(()),
        Some(normal) => check_path(what, &normal),
        None => Err(format!("{what} = '{}' leads out of the project", folder.escape_debug())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_manifest() {
        let manifest = Manifest::from_toml(
            br#"
            schema = 1
            mlir = "22"
            includes = ["include"]
            [[target]]
            td = "include/Foo/IR/FooOps.td"
            out_dir = "include/Foo/IR"
            outputs = [{ path = "FooOps.h.inc", flags = ["-gen-op-decls"] }]
            [[target]]
            preset = "add_mlir_dialect"
            args = ["BarOps", "bar"]
            [docs]
            title = "Foo"
            "#,
        )
        .unwrap();
        assert_eq!(
            manifest.target[0].output_path(&manifest.target[0].outputs[0].path),
            "include/Foo/IR/FooOps.h.inc"
        );
        assert_eq!(Manifest::from_toml(manifest.to_toml().as_bytes()), Ok(manifest));
    }

    #[test]
    fn keys_have_hyphens_or_underscores() {
        let text = "on-unsupported = 'skip'\nignore-errors = ['x']\nkeep-going = true\n\
                    [dependencies.d]\nurl = 'https://x'\nsha256 = 'S'\nstrip-prefix = 'y'\n\
                    [docs]\nsource-url = 'https://x'\nbase-url = 'https://y'\n\
                    [[target]]\ntd = 'x.td'\nout-dir = 'z'\n";
        let text = text.replace("'S'", &format!("'{}'", "0".repeat(64)));
        let with_underscores: String = text
            .split_inclusive('\n')
            .map(|line| match line.split_once(" = ") {
                Some((key, value)) => format!("{} = {value}", key.replace('-', "_")),
                None => line.to_owned(),
            })
            .collect();
        assert!(with_underscores.contains("out_dir") && !with_underscores.contains("out-dir"));
        let manifest = Manifest::from_toml(text.as_bytes()).expect("a manifest");
        assert_eq!(manifest.target[0].out_dir.as_deref(), Some("z"));
        assert_eq!(Manifest::from_toml(with_underscores.as_bytes()), Ok(manifest));
    }

    #[test]
    fn a_plugin_is_a_path_or_a_table() {
        let text = "[plugins]\na = 'a.wasm'\nb = { path = 'b.py', generators = ['gen-c'], memory-mb = 2 }\n";
        let manifest = Manifest::from_toml(text.as_bytes()).expect("a manifest");
        let [a, b] = ["a", "b"].map(|name| &manifest.plugins[name]);
        assert!(a.has_generator("a", "gen-a") && !a.has_generator("a", "gen-c"));
        assert!(b.has_generator("b", "gen-c") && !b.has_generator("b", "gen-b"));
        assert_eq!(b.limits(), OwnLimits { memory_bytes: 2 << 20, ..OwnLimits::default() });
        assert_eq!(Manifest::from_toml(manifest.to_toml().as_bytes()), Ok(manifest));
    }

    #[test]
    fn a_wrong_key_has_a_line_and_the_one_that_is_near() {
        let of = |text: &str| Manifest::from_toml(text.as_bytes()).expect_err("an error");
        assert_eq!(
            of("exlude = ['x']"),
            "odsmith.toml:1: unknown key 'exlude'\nhelp: did you mean 'exclude'?"
        );
        assert_eq!(
            of("schema = 1\n[docs]\nsource-ulr = 'x'"),
            "odsmith.toml:3: unknown key 'source-ulr'\nhelp: did you mean 'source-url'?"
        );
        let far = "odsmith.toml:2: unknown key 'zzz'\nhelp: odsmith schema manifest --markdown";
        assert_eq!(of("\nzzz = 1"), far);
        assert!(of("schema = 1\nmlir = 22").starts_with("odsmith.toml:2: invalid type: integer"));
    }

    #[test]
    fn what_can_not_be() {
        let bad = [
            "schema = 2",
            "unknown = 1",
            "includes = ['/etc']",
            "includes = ['../x']",
            "exclude = ['../x']",
            "[dependencies]\nin-tree = { path = 'x' }",
            "includes = ['<other>/x']",
            "[dependencies]\nx = 'https://x'",
            "[dependencies]\nx = 'oci://r/x'",
            "[dependencies]\nx = { oci = 'oci://r/x:1', version = '1' }",
            "[dependencies]\nx = { path = 'x', override = true }",
            "[[target]]\noutputs = []",
            "[[target]]\ntd = '../x.td'",
            "[[target]]\ntd = 'x.td'\npreset = 'y'",
            "[[target]]\ntd = 'x.td'\noutputs = [{path = 'a'}, {path = 'a'}]",
            "[docs]\nsource_url = 'javascript:alert(1)'",
            "[plugins]\nx = '../x.wasm'",
            "[plugins]\nx = { path = 'x.wasm', sha256 = 'x' }",
            "[plugins]\nx = { path = 'x.wasm', generators = ['x'] }",
            "[plugins]\nx = { file = 'x.wasm' }",
        ];
        for text in bad {
            assert!(Manifest::from_toml(text.as_bytes()).is_err(), "{text}");
        }
    }
}
