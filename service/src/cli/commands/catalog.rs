//! `odsmith catalog`: builds a catalogue of published dialects, and asks it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use clap::{Args, Subcommand, ValueEnum};
use odsmith_catalog::{
    answers::Lookup,
    backstage::{self, BackstageOptions},
    changes::Snapshot,
    id::SymbolId,
    pages::{self, PageOptions},
    search::SearchError,
    shards::{self, ProjectFiles},
};
use odsmith_registry::{artifact::Layer, error::Error, reference::Reference};
use serde::Serialize;
use serde_json::Value;

use super::{
    display,
    exit::ExitStatus,
    options::{ListOptions, MediaTypeOptions, RegistryOptions, pretty},
    remote,
};
use crate::{
    pipeline::{
        catalog::{
            TITLE,
            build::{self, BuiltCatalog},
            lookup, notify,
            place::{OpenCatalog, is_server, read_file},
            read::{self, CatalogSettings, KnownVersions, Origin},
            report,
        },
        registry::Registries,
    },
    store::{
        disk,
        output_folder::{Marker, OutputFolder},
        signing::SigningKey,
    },
};

/// The file with the settings of a catalogue, if no other one is named.
const SETTINGS: &str = "catalog.toml";

/// The subcommands of `odsmith catalog`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// Build a catalogue of what a registry has: pages, and the files that other commands read
    Build(BuildOptions),
    /// Find definitions in all projects by words, facets or signature
    Query(QueryOptions),
    /// Say what a definition is, who defines it too, and which versions changed it
    Show(ShowOptions),
    /// List who uses a definition, by project
    Uses(UsesOptions),
    /// List projects or versions, or what differs between projects
    Report(ReportOptions),
    /// Send signed messages about new versions, breaking changes and withdrawals
    Notify(NotifyOptions),
}

/// The arguments of `odsmith catalog build`.
#[derive(Clone, Debug, Args)]
struct BuildOptions {
    /// The repositories: oci://HOST/PREFIX/, or oci-layout:DIR for an image layout or a folder of them
    #[arg(long, value_name = "PLACE")]
    from: String,
    /// The folder for the catalogue
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// The title of the pages
    #[arg(long, value_name = "TEXT", default_value = TITLE)]
    title: String,
    /// Unpack the references of the newest versions into the folder, for pages to link to
    #[arg(long)]
    sites: bool,
    /// Write entities of Backstage into catalog-info.yaml, which link to the server at this address
    #[arg(long, value_name = "URL")]
    backstage: Option<String>,
    /// The owner of the system in Backstage, and of projects without one
    #[arg(long, value_name = "ENTITY", default_value = "group:default/compilers", requires = "backstage")]
    backstage_owner: String,
    /// Make the symbols of each new version of its model, and leave out projects whose own differ
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    access: PlaceOptions,
}

/// The arguments of `odsmith catalog notify`.
#[derive(Clone, Debug, Args)]
struct NotifyOptions {
    /// The repositories: oci://HOST/PREFIX/
    #[arg(long, value_name = "PLACE")]
    from: String,
    /// The artifact with the state of this job: oci://HOST/REPOSITORY:TAG. The first run writes it, and sends nothing
    #[arg(long, value_name = "REF")]
    state: String,
    /// The address that takes the messages (Standard Webhooks); may be repeated
    #[arg(long, value_name = "URL", required = true)]
    to: Vec<String>,
    /// The Ed25519 key that signs them, as of `openssl genpkey -algorithm ed25519`
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    types: MediaTypeOptions,
    #[command(flatten)]
    access: PlaceOptions,
}

/// The way to a catalogue's registry.
#[derive(Clone, Debug, Args)]
struct PlaceOptions {
    /// A file with the repositories, where the registry does not list them, and with owners [default: catalog.toml, if it is
    /// there]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryOptions,
}

/// The catalogue to ask.
#[derive(Clone, Debug, Args)]
struct Source {
    /// The catalogue: the folder of `odsmith catalog build`, oci://HOST/PREFIX/, oci-layout:DIR, or the https address of a server
    #[arg(long, value_name = "PLACE")]
    catalog: String,
    #[command(flatten)]
    access: PlaceOptions,
    #[command(flatten)]
    list: ListOptions,
}

#[derive(Clone, Debug, Args)]
struct QueryOptions {
    /// Words, a signature (memref -> index), facets as of `odsmith search`, and of a catalogue: project: version: released:
    /// owner: breaks: mlir: is:yanked is:duplicate is:skewed; `count by project` counts
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// The most answers
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    source: Source,
}

#[derive(Clone, Debug, Args)]
struct ShowOptions {
    /// The definition: an id as circt@1.90.0/hw/op/instance#operand:inputs, or a name as arith.addi
    #[arg(value_name = "SYMBOL", allow_hyphen_values = true)]
    symbol: String,
    #[command(flatten)]
    source: Source,
}

#[derive(Clone, Debug, Args)]
struct UsesOptions {
    /// The definition: an id as mlir/_/interface/TilingInterface, or a name
    #[arg(value_name = "SYMBOL", allow_hyphen_values = true)]
    symbol: String,
    /// Only uses of this way: operand, result, trait, interface, base, matches, creates, depends
    #[arg(long, value_name = "WAY")]
    how: Option<String>,
    /// The most answers
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    limit: usize,
    #[command(flatten)]
    source: Source,
}

#[derive(Clone, Debug, Args)]
struct ReportOptions {
    /// The report
    #[arg(value_name = "REPORT", value_enum)]
    report: Report,
    /// Only this project
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// Only breaks of this profile or level: wire, ir, api, all, bytecode, …
    #[arg(long, value_name = "LEVEL", default_value = "all")]
    level: String,
    #[command(flatten)]
    source: Source,
}

/// A report about all projects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Report {
    /// The projects.
    Projects,
    /// The versions of each project.
    Versions,
    /// Dependencies in several versions, and ids in several shapes.
    Skew,
    /// Versions that break something.
    Breaks,
    /// Uses of deprecated definitions.
    Deprecated,
    /// Equal definitions under several names.
    Duplicates,
}

impl PlaceOptions {
    fn settings(&self) -> Result<CatalogSettings, String> {
        match &self.settings {
            Some(path) => CatalogSettings::read(path),
            None if Path::new(SETTINGS).is_file() => CatalogSettings::read(Path::new(SETTINGS)),
            None => Ok(CatalogSettings::default()),
        }
    }
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, or the catalogue cannot be read or written.
    pub fn run(self) -> Result<ExitStatus, String> {
        match self.action {
            Action::Build(options) => options.run(),
            Action::Query(options) => options.run(),
            Action::Show(options) => options.run(),
            Action::Uses(options) => options.run(),
            Action::Report(options) => options.run(),
            Action::Notify(options) => options.run(),
        }
    }
}

impl BuildOptions {
    fn run(&self) -> Result<ExitStatus, String> {
        let origin = Origin::parse(&self.from)?;
        let settings = self.access.settings()?;
        let registries = match &origin {
            Origin::Registry { .. } => Registries::new(&self.access.registry.access()?)?,
            Origin::Layouts(_) => Registries::offline()?,
        };
        let read = |path: &str| read_file(&self.out, path);
        // Damaged files, and those of another version, are built anew.
        let earlier = shards::read_list(&read).unwrap_or_default();
        let by_key: BTreeMap<&str, &ProjectFiles> =
            earlier.files.values().map(|files| (files.key.as_str(), files)).collect();
        let known = |key: &str| {
            let files = by_key.get(key)?;
            let is_whole = files.paths().all(|path| disk::place(&self.out, path).is_file());
            shards::read_project(&read, files).ok().filter(|_| is_whole).map(Arc::new)
        };
        let built = read::list(&registries, &origin, &settings, &KnownVersions::new())
            .and_then(|listing| build::build(&registries, listing, &known, self.verify));
        let built = match built {
            Ok(built) => built,
            Err(error) => {
                display::error(&error.to_string());
                return Ok(ExitStatus::of_registry(&error));
            }
        };
        for note in &built.notes {
            display::warning(note);
        }
        let sites = match self.sites.then(|| sites(&registries, &built)).transpose() {
            Ok(sites) => sites,
            Err(error) => {
                display::error(&error.to_string());
                return Ok(ExitStatus::of_registry(&error));
            }
        };
        let written = self.write(&built, sites.unwrap_or_default())?;
        let versions: usize = built.catalog.projects.iter().map(|it| it.facts.versions.len()).sum();
        display::closing(&format!(
            "{} with {} in {}: {written}",
            display::counted(built.catalog.projects.len(), "project"),
            display::counted(versions, "version"),
            self.out.display()
        ));
        Ok(ExitStatus::of(built.notes.is_empty()))
    }

    /// Writes the files that changed, and removes those of another state; says what it did.
    fn write(&self, built: &BuiltCatalog, sites: BTreeMap<String, Vec<u8>>) -> Result<String, String> {
        let options = PageOptions {
            title: self.title.clone(),
            sites: self.sites.then(|| "sites/{project}/{tag}/".to_owned()),
            has_older_sites: false,
        };
        let site = odsmith_site::catalog::site(&pages::input(&built.catalog, &options))
            .map_err(|fault| format!("{}:{}: {}", fault.file, fault.line, fault.what))?;
        let mut files = built.catalog.common_files();
        files.extend(site.into_iter().map(|file| (file.path, file.bytes)));
        files.extend(sites);
        if let Some(server) = &self.backstage {
            let options = BackstageOptions {
                server: server.trim_end_matches('/').to_owned(),
                system: "dialects".to_owned(),
                title: self.title.clone(),
                owner: self.backstage_owner.clone(),
            };
            let entities = backstage::entities(&built.catalog, &options);
            files.insert("catalog-info.yaml".to_owned(), entities.into_bytes());
        }
        files.extend(built.files.iter().map(|(path, bytes)| (path.clone(), bytes.clone())));
        for project in &built.catalog.projects {
            for path in ProjectFiles::of(&project.facts).paths() {
                if !files.contains_key(path) {
                    files.insert(path.to_owned(), read_file(&self.out, path)?);
                }
            }
        }
        let is_there =
            |path: &str, bytes: &[u8]| fs::read(disk::place(&self.out, path)).is_ok_and(|old| old == bytes);
        let listed: BTreeSet<String> =
            Marker::of(&self.out).iter().flat_map(Marker::files).map(str::to_owned).collect();
        let is_same = listed.len() == files.len() && files.keys().all(|path| listed.contains(path));
        if is_same && files.iter().all(|(path, bytes)| is_there(path, bytes)) {
            return Ok("nothing changed".to_owned());
        }
        let folder = OutputFolder::open(&self.out, "catalog")?;
        let mut count = 0;
        let written = files.iter().try_for_each(|(path, bytes)| {
            if is_there(path, bytes) {
                return folder.keep(path, bytes);
            }
            count += 1;
            folder.write(path, bytes)
        });
        let removed = written.and(folder.finish(true))?.removed;
        Ok(match (count, removed) {
            (_, 0) => format!("wrote {}", display::counted(count, "file")),
            _ => format!("wrote {}, removed {removed}", display::counted(count, "file")),
        })
    }
}

impl NotifyOptions {
    fn run(&self) -> Result<ExitStatus, String> {
        let (origin, state) = (Origin::parse(&self.from)?, Reference::parse(&self.state)?);
        let key = SigningKey::read(&self.key)?;
        if let Some(to) = self.to.iter().find(|to| !to.starts_with("https://") && !to.starts_with("http://"))
        {
            return Err(format!("'{}' is no address of a receiver", to.escape_debug()));
        }
        let settings = self.access.settings()?;
        let registries = Registries::new(&self.access.registry.access()?)?;
        match self.notify(&registries, &origin, &state, &settings, &key) {
            Ok(message) => {
                display::closing(&message);
                Ok(ExitStatus::Done)
            }
            Err(error) => {
                display::error(&error.to_string());
                Ok(ExitStatus::of_registry(&error))
            }
        }
    }

    fn notify(
        &self,
        registries: &Registries,
        origin: &Origin,
        place: &Reference,
        settings: &CatalogSettings,
        key: &SigningKey,
    ) -> Result<String, Error> {
        let before = notify::read_state(registries, place)?;
        let listing = read::list(registries, origin, settings, &KnownVersions::new())?;
        let built = build::build(registries, listing, &|_| None, false)?;
        let now = Snapshot::of(&built.catalog);
        let Some(before) = before else {
            notify::write_state(registries, place, &now, self.types.types())?;
            return Ok(format!("{place} has the state now: later runs send what changes"));
        };
        let messages = notify::messages(&built.catalog.changes_since(&before));
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let client = reqwest::Client::new();
        for message in &messages {
            for to in &self.to {
                let sent = registries.wait(notify::send(&client, to, key, message, since));
                // The state stays, and the next run sends all again.
                sent.map_err(Error::Unavailable)?;
            }
        }
        if now != before {
            notify::write_state(registries, place, &now, self.types.types())?;
        }
        Ok(format!("sent {}", display::counted(messages.len(), "message")))
    }
}

/// Reads the references of the newest versions, by their paths in the folder of a catalogue.
fn sites(registries: &Registries, built: &BuiltCatalog) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut all = BTreeMap::new();
    for project in &built.catalog.projects {
        let newest = project.newest();
        let Some(artifact) = built.artifacts.get(&newest.manifest).filter(|_| newest.has_site()) else {
            continue;
        };
        // The page for missing ones is of a host's root.
        for (path, bytes) in
            registries.files(artifact, Layer::Site)?.iter().filter(|(path, _)| *path != "404.html")
        {
            all.insert(format!("sites/{}/{}/{path}", project.name(), newest.tag), bytes.to_vec());
        }
    }
    Ok(all)
}

/// A catalogue here, or one of a server.
enum CatalogPlace {
    Here(Box<OpenCatalog>),
    Server(String),
}

impl Source {
    fn open(&self) -> Result<CatalogPlace, String> {
        if is_server(&self.catalog) {
            return Ok(CatalogPlace::Server(self.catalog.trim_end_matches('/').to_owned()));
        }
        let (access, settings) = (self.access.registry.access()?, self.access.settings()?);
        OpenCatalog::open(&self.catalog, &access, &settings).map(|it| CatalogPlace::Here(Box::new(it)))
    }

    /// Asks a server, or the catalogue here, and prints the answer.
    fn answer<T: Serialize>(
        &self,
        path: &str,
        here: impl FnOnce(&OpenCatalog) -> Result<T, String>,
        text: impl FnOnce(&Value) -> String,
    ) -> Result<Value, String> {
        let value = match self.open()? {
            CatalogPlace::Server(server) => {
                let bytes = remote::get(&server, &format!("/v1/catalog{path}"))?;
                serde_json::from_slice(&bytes).map_err(|error| format!("{server}: {error}"))?
            }
            CatalogPlace::Here(open) => {
                serde_json::to_value(here(&open)?).map_err(|error| error.to_string())?
            }
        };
        display::print(&if self.list.json { pretty(&value) } else { text(&value) })?;
        Ok(value)
    }
}

fn percent(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn question_error(error: SearchError) -> String {
    match error {
        SearchError::Question(why) => why,
        SearchError::Gone => "the cursor is of another generation".to_owned(),
    }
}

impl QueryOptions {
    fn run(&self) -> Result<ExitStatus, String> {
        let question = self.query.join(" ");
        let path = format!("/search?q={}&limit={}", percent(&question), self.limit);
        let here =
            |open: &OpenCatalog| open.catalog.search(&question, None, self.limit).map_err(question_error);
        let answer = self.source.answer(&path, here, search_text)?;
        let is_found = answer["total"].as_u64() > Some(0);
        if !is_found {
            display::closing("nothing fits");
        }
        Ok(ExitStatus::of(is_found))
    }
}

fn text_of<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

fn items<'v>(value: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    value[field].as_array().into_iter().flatten()
}

fn search_text(answer: &Value) -> String {
    let mut out = String::new();
    for (name, count) in answer["counts"].as_object().into_iter().flatten() {
        out += &format!("{count:>6}  {}\n", if name.is_empty() { "(none)" } else { name });
    }
    for hit in items(answer, "hits") {
        let rest = if text_of(hit, "signature").is_empty() {
            text_of(hit, "summary")
        } else {
            text_of(hit, "signature")
        };
        let old =
            hit["deprecated"].as_str().map(|reason| format!("  deprecated: {reason}")).unwrap_or_default();
        out += &format!("{}  {rest}{old}\n", text_of(hit, "id"));
    }
    let shown = items(answer, "hits").count() as u64;
    let total = answer["total"].as_u64().unwrap_or_default();
    if answer["next"].is_string() {
        out += &format!("{} more\n", total - shown);
    }
    let near: Vec<&str> = items(answer, "suggestions").filter_map(Value::as_str).collect();
    if !near.is_empty() {
        out += &format!("did you mean {}?\n", near.join(", "));
    }
    out
}

impl ShowOptions {
    fn run(&self) -> Result<ExitStatus, String> {
        let path = format!("/symbols/{}", address(&self.symbol));
        let here = |open: &OpenCatalog| show(open, &self.symbol);
        self.source.answer(&path, here, symbol_text).map(|_| ExitStatus::Done)
    }
}

/// Returns an id or a name as the end of an address. Ids are paths but for their `#`.
fn address(symbol: &str) -> String {
    if SymbolId::parse(symbol).is_ok() { symbol.replace('#', "%23") } else { percent(symbol) }
}

/// Describes a definition by its id, or by a name that only one has.
fn show(open: &OpenCatalog, symbol: &str) -> Result<Value, String> {
    let catalog = &open.catalog;
    let several = |ids: Vec<String>| {
        format!("'{}' has several meanings:\n  {}", symbol.escape_debug(), ids.join("\n  "))
    };
    let nothing = || format!("nothing is called '{}'", symbol.escape_debug());
    let id = match SymbolId::parse(symbol) {
        Ok(id) => id,
        Err(_) => {
            let keys = catalog.find(symbol);
            let ids: Vec<String> =
                keys.iter().map(|key| catalog.id(key.project, &catalog.row(*key).id)).collect();
            match &ids[..] {
                [] => return Err(nothing()),
                [id] => SymbolId::parse(id)?,
                _ => return Err(several(ids)),
            }
        }
    };
    let found = lookup(catalog, &id, |project, version| open.symbols(project, version))?;
    match found.ok_or_else(nothing)? {
        Lookup::Symbol(symbol) => serde_json::to_value(symbol).map_err(|error| error.to_string()),
        Lookup::Several(ids) => Err(several(ids)),
    }
}

fn symbol_text(value: &Value) -> String {
    let mut out = format!("{} ({})", text_of(value, "id"), text_of(value, "kind"));
    if !text_of(value, "summary").is_empty() {
        out += &format!(": {}", text_of(value, "summary"));
    }
    out += &format!("\n{}:{}\n", text_of(value, "file"), value["line"]);
    if !text_of(value, "signature").is_empty() {
        out += &format!("\n    {}\n", text_of(value, "signature"));
    }
    if let Some(reason) = value["deprecated"].as_str() {
        out += &format!("\ndeprecated: {reason}\n");
    }
    let parts: Vec<&Value> = match &value["part"] {
        Value::Null => items(value, "parts").collect(),
        part => vec![part],
    };
    if !parts.is_empty() {
        out += "\nparts\n";
        for part in parts {
            let constraint = part["constraint"].as_str().map(|it| format!(": {it}")).unwrap_or_default();
            out += &format!("  {} {}{constraint}\n", text_of(part, "kind"), text_of(part, "name"));
        }
    }
    for (how, targets) in value["uses"].as_object().into_iter().flatten() {
        let targets: Vec<&str> = targets.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        out += &format!("\n{how}\n  {}\n", targets.join("\n  "));
    }
    for also in items(value, "also") {
        let same = if also["same"] == true { "the same shape" } else { "another shape" };
        out += &format!("\nalso {} ({same})\n", text_of(also, "id"));
    }
    out += "\nhistory\n";
    for entry in items(value, "history") {
        let day = entry["released"].as_str().and_then(|time| time.get(..10)).map(|day| format!(" ({day})"));
        out += &format!(
            "  {}{} {}\n",
            text_of(entry, "version"),
            day.unwrap_or_default(),
            text_of(entry, "change")
        );
        for it in items(entry, "breaks") {
            out += &format!("    {} {}\n", text_of(it, "rule"), text_of(it, "message"));
        }
    }
    out += &format!("\n{} uses\n", value["users"]);
    out
}

impl UsesOptions {
    fn run(&self) -> Result<ExitStatus, String> {
        let how = self.how.as_ref().map(|how| format!("&how={}", percent(how))).unwrap_or_default();
        let path = format!("/uses/{}?limit={}{how}", address(&self.symbol), self.limit);
        let here = |open: &OpenCatalog| {
            open.catalog.uses(&self.symbol, self.how.as_deref(), None, self.limit).map_err(question_error)
        };
        let answer = self.source.answer(&path, here, uses_text)?;
        Ok(ExitStatus::of(answer["total"].as_u64() > Some(0)))
    }
}

fn uses_text(answer: &Value) -> String {
    let mut out = String::new();
    for (project, count) in answer["by_project"].as_object().into_iter().flatten() {
        out += &format!("{project}: {count}\n");
    }
    for it in items(answer, "uses") {
        let via = it["via"].as_str().map(|via| format!(" through {via}")).unwrap_or_default();
        let other = if text_of(it, "shape") == "other" { "  built with another shape" } else { "" };
        let place = match text_of(it, "file") {
            "" => String::new(),
            file => format!("  {file}:{}", it["line"]),
        };
        out += &format!("  {} {}{via}{place}{other}\n", text_of(it, "user"), text_of(it, "how"));
    }
    out
}

impl ReportOptions {
    fn run(&self) -> Result<ExitStatus, String> {
        if let Some(level) =
            Some(&self.level).filter(|it| odsmith_catalog::published::levels_of(it).is_empty())
        {
            return Err(format!("there is no level '{}'", level.escape_debug()));
        }
        let project = self.project.as_ref().map(|it| format!("&project={}", percent(it))).unwrap_or_default();
        let name = self.name();
        let path = format!("/reports/{name}?level={}{project}", percent(&self.level));
        let here = |open: &OpenCatalog| {
            let catalog = &open.catalog;
            let project = self.project.as_deref();
            let value = report(catalog, name, project, &self.level);
            value.ok_or_else(|| {
                format!("there is no project '{}'", project.unwrap_or_default().escape_debug())
            })
        };
        self.source.answer(&path, here, |value| report_text(self.report, value)).map(|_| ExitStatus::Done)
    }

    fn name(&self) -> &'static str {
        match self.report {
            Report::Projects => "projects",
            Report::Versions => "versions",
            Report::Skew => "skew",
            Report::Breaks => "breaks",
            Report::Deprecated => "deprecated",
            Report::Duplicates => "duplicates",
        }
    }
}

fn report_text(report: Report, value: &Value) -> String {
    let mut out = String::new();
    let list = |values: &Value| {
        values.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
    };
    match report {
        Report::Projects => {
            for it in items(value, "projects") {
                let coverage = it["coverage"].as_u64().map(|it| format!("  {it} %")).unwrap_or_default();
                let last = match it["last_break"]["version"].as_str() {
                    Some(version) => {
                        format!("  last break {version} ({})", text_of(&it["last_break"], "level"))
                    }
                    None => String::new(),
                };
                out += &format!(
                    "{} {}  MLIR {}  {} operations{coverage}{last}  {}\n",
                    text_of(it, "project"),
                    text_of(it, "newest"),
                    text_of(it, "mlir"),
                    it["operations"],
                    list(&it["owners"])
                );
            }
        }
        Report::Versions => {
            for (project, versions) in value.as_object().into_iter().flatten() {
                out += &format!("{project}\n");
                for it in versions.as_array().into_iter().flatten() {
                    let verdict =
                        it["verdict"].as_str().map(|it| format!("  breaks {it}")).unwrap_or_default();
                    let yanked =
                        it["yanked"].as_str().map(|it| format!("  withdrawn: {it}")).unwrap_or_default();
                    let instead = it["use"].as_str().map(|it| format!("; use {it}")).unwrap_or_default();
                    out += &format!(
                        "  {}  {}{verdict}{yanked}{instead}\n",
                        text_of(it, "version"),
                        text_of(it, "manifest")
                    );
                }
            }
        }
        Report::Skew => {
            for it in items(value, "dependencies") {
                out += &format!("{}\n", text_of(it, "dependency"));
                for version in items(it, "versions") {
                    out += &format!("  {}  {}\n", text_of(version, "version"), list(&version["projects"]));
                }
            }
            for it in items(value, "shapes") {
                out += &format!("{}\n", text_of(it, "id"));
                for (shape, ids) in it["shapes"].as_object().into_iter().flatten() {
                    out += &format!("  {shape}  {}\n", list(ids));
                }
            }
            for (release, projects) in value["mlir"].as_object().into_iter().flatten() {
                out += &format!("MLIR {release}: {}\n", list(projects));
            }
        }
        Report::Breaks => {
            for it in value.as_array().into_iter().flatten() {
                let day = it["released"].as_str().and_then(|it| it.get(..10)).map(|day| format!(" ({day})"));
                out += &format!(
                    "{} {}{}\n",
                    text_of(it, "project"),
                    text_of(it, "version"),
                    day.unwrap_or_default()
                );
                for finding in items(it, "findings") {
                    let (rule, subject) = (text_of(finding, "rule"), text_of(finding, "subject"));
                    out += &format!(
                        "  {rule} {subject}: {} ({})\n",
                        text_of(finding, "message"),
                        list(&finding["levels"])
                    );
                }
            }
        }
        Report::Deprecated => {
            for it in value.as_array().into_iter().flatten() {
                out += &format!(
                    "{}: {}\n  {}\n",
                    text_of(it, "target"),
                    text_of(it, "reason"),
                    list(&it["users"])
                );
            }
        }
        Report::Duplicates => {
            for it in value.as_array().into_iter().flatten() {
                out += &format!("{}: {}\n", text_of(it, "kind"), list(&it["ids"]));
            }
        }
    }
    out
}
