//! The data of a catalogue's pages. The site's engine renders them.
//!
//! | page | content |
//! | --- | --- |
//! | `index.html` | the projects |
//! | `project/NAME.html` | versions with what they break, dialects, dependencies, users |
//! | `uses/…` | who uses an interface, a trait, a constraint, an operation: by project, then by way |
//! | `skew.html`, `breaks.html`, `deprecated.html`, `duplicates.html`, `owners.html`, `policy.html` | comparisons |
//! | `search.html` | the search, whose script reads `assets/rows/` |

use std::collections::{BTreeMap, BTreeSet};

use odsmith_registry::artifact::IN_TOTO;
use odsmith_site::{
    catalog::{Input, SEARCH},
    links::Slugs,
    view::{CatalogCell, CatalogColumn, CatalogFact, CatalogPage, CatalogTable, CatalogText, Link},
};
use serde_json::{Value, json};

use super::{
    catalog::{Catalog, RowKey, UseKey},
    id,
    project::{Project, VersionFacts},
    published::LEVELS,
};

/// The places that pages link to.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The title.
    pub title: String,
    /// The folder of the reference of a version, from the catalogue's first page: has `{project}` and `{tag}`. Without it
    /// there are no links to references.
    pub sites: Option<String>,
    /// True if older versions have a reference there as well.
    pub has_older_sites: bool,
}

/// Targets that get a page whoever uses them; others only if another project does.
const SHARED_KINDS: [&str; 2] = ["interface", "trait"];

/// Builds the pages.
#[must_use]
pub fn input(catalog: &Catalog, options: &PageOptions) -> Input {
    let book = Book::new(catalog, options);
    let mut pages = BTreeMap::from([
        ("index.html".to_owned(), book.home()),
        ("skew.html".to_owned(), book.skew()),
        ("breaks.html".to_owned(), book.breaks()),
        ("deprecated.html".to_owned(), book.deprecated()),
        ("duplicates.html".to_owned(), book.duplicates()),
        ("owners.html".to_owned(), book.owners()),
        ("policy.html".to_owned(), book.policy()),
        ("uses/index.html".to_owned(), book.uses_index()),
        (SEARCH.to_owned(), search_page()),
    ]);
    for (number, project) in catalog.projects.iter().enumerate() {
        pages.insert(project_path(project.name()), book.project(number));
    }
    for (target, path) in &book.uses {
        pages.insert(path.clone(), book.users(target));
    }
    let names = catalog.rows().filter_map(|key| {
        let page = book.reference(key)?;
        Some((catalog.row(key).name.clone(), page))
    });
    Input { title: options.title.clone(), pages, data: book.data(), names: names.collect() }
}

fn project_path(project: &str) -> String {
    format!("project/{project}.html")
}

fn search_page() -> CatalogPage {
    CatalogPage { title: "Search".to_owned(), finds: true, ..CatalogPage::default() }
}

/// The uses of a definition by their way, and by what they go through.
type UsesByWay<'u> = BTreeMap<(&'u str, Option<String>), Vec<UseKey>>;

/// The catalogue with the pages that it gets.
struct Book<'c> {
    catalog: &'c Catalog,
    options: &'c PageOptions,
    /// The pages of targets, an id without a version each.
    uses: BTreeMap<String, String>,
}

fn text(text: &str) -> CatalogText {
    CatalogText { text: text.to_owned(), ..CatalogText::default() }
}

fn code(text: &str, href: Option<String>) -> CatalogText {
    CatalogText { text: text.to_owned(), href, is_code: true }
}

fn linked(text: &str, href: String) -> CatalogText {
    CatalogText { text: text.to_owned(), href: Some(href), is_code: false }
}

fn cell(parts: Vec<CatalogText>) -> CatalogCell {
    CatalogCell { parts, is_number: false }
}

fn words(words: &str) -> CatalogCell {
    cell(vec![text(words)])
}

fn figure(number: impl ToString) -> CatalogCell {
    CatalogCell { parts: vec![text(&number.to_string())], is_number: true }
}

fn table(id: &str, title: &str, columns: &[&str], rows: Vec<Vec<CatalogCell>>, empty: &str) -> CatalogTable {
    let is_number = |at: usize| rows.iter().any(|row| row.get(at).is_some_and(|cell| cell.is_number));
    let columns = columns
        .iter()
        .enumerate()
        .map(|(at, title)| CatalogColumn { title: (*title).to_owned(), is_number: is_number(at) })
        .collect();
    CatalogTable {
        id: id.to_owned(),
        title: title.to_owned(),
        note: String::new(),
        columns,
        rows,
        empty: empty.to_owned(),
    }
}

/// Returns the day of a time.
fn day(time: Option<&String>) -> &str {
    time.and_then(|time| time.get(..10)).unwrap_or_default()
}

impl<'c> Book<'c> {
    fn new(catalog: &'c Catalog, options: &'c PageOptions) -> Book<'c> {
        let mut slugs = Slugs::default();
        let mut uses = BTreeMap::new();
        for (target, keys) in catalog.targets() {
            let (project, row) = target.split_once('/').unwrap_or_default();
            let is_elsewhere = |key: &UseKey| catalog.projects[key.project].name() != project;
            if SHARED_KINDS.contains(&id::kind(row)) || keys.iter().any(is_elsewhere) {
                let name = slugs.take(&target.replace('/', "."));
                uses.insert(target.to_owned(), format!("uses/{name}.html"));
            }
        }
        Book { catalog, options, uses }
    }

    /// Returns the address of a page of a reference.
    fn site(&self, project: &Project, version: &VersionFacts, page: &str) -> Option<String> {
        let is_newest = version.version == project.newest().version;
        if !version.has_site() || !(is_newest || self.options.has_older_sites) {
            return None;
        }
        let folder = self.options.sites.as_ref()?;
        Some(folder.replace("{project}", project.name()).replace("{tag}", &version.tag) + page)
    }

    /// Returns the page of a row in the reference of the newest version.
    fn reference(&self, key: RowKey) -> Option<String> {
        let project = &self.catalog.projects[key.project];
        let page = self.catalog.row(key).page.as_ref()?;
        self.site(project, project.newest(), page)
    }

    /// Returns a row with a link to its reference, else to who uses it, else to its project.
    fn row(&self, key: RowKey) -> CatalogText {
        let project = &self.catalog.projects[key.project];
        let row = self.catalog.row(key);
        let users = || self.uses.get(&format!("{}/{}", project.name(), row.id)).cloned();
        let href = self.reference(key).or_else(users).unwrap_or_else(|| project_path(project.name()));
        code(&row.name, Some(href))
    }

    /// Returns the user of a definition.
    fn user(&self, key: UseKey) -> CatalogText {
        let it = self.catalog.usage(key);
        let row = self.catalog.projects[key.project].row(&it.user);
        let row = row.and_then(|row| self.catalog.key(key.project, row));
        row.map_or_else(|| code(&it.user, None), |row| self.row(row))
    }

    fn project_link(&self, name: &str) -> CatalogText {
        match self.catalog.project(name) {
            Some(_) => linked(name, project_path(name)),
            None => text(name),
        }
    }

    fn home(&self) -> CatalogPage {
        let rows = self.catalog.list().projects.into_iter().map(|it| {
            let last_break = it.last_break.map(|it| format!("{} ({})", it.version, it.level));
            vec![
                cell(vec![self.project_link(&it.project)]),
                words(&it.newest),
                words(&it.mlir),
                figure(it.operations),
                it.coverage.map_or_else(|| words(""), |coverage| figure(format!("{coverage} %"))),
                words(&last_break.unwrap_or_default()),
                words(&it.owners.join(", ")),
            ]
        });
        let columns = ["Project", "Newest", "MLIR", "Operations", "Documented", "Last break", "Owners"];
        let rows: Vec<_> = rows.collect();
        let jumps = [
            ("Who uses what", "uses/index.html"),
            ("Version skew", "skew.html"),
            ("Breaking changes", "breaks.html"),
            ("Deprecated uses", "deprecated.html"),
            ("Duplicates", "duplicates.html"),
            ("Owners", "owners.html"),
            ("Policy", "policy.html"),
            ("Search", SEARCH),
        ];
        CatalogPage {
            title: self.options.title.clone(),
            lead: format!("The dialects of {} published projects.", rows.len()),
            jumps: jumps
                .map(|(text, href)| Link { text: text.to_owned(), href: Some(href.to_owned()) })
                .to_vec(),
            sections: vec![table("projects", "Projects", &columns, rows, "Nothing is published.")],
            ..CatalogPage::default()
        }
    }

    fn project(&self, number: usize) -> CatalogPage {
        let project = &self.catalog.projects[number];
        let newest = project.newest();
        let fact = |label: &str, values: Vec<Link>| CatalogFact { label: label.to_owned(), values };
        let plain = |text: &str| Link { text: text.to_owned(), href: None };
        let mut facts = vec![
            fact("Repository", vec![plain(&project.facts.repository)]),
            fact("Newest version", vec![plain(&newest.version)]),
            fact("MLIR", vec![plain(newest.profile.as_ref().unwrap_or(&newest.mlir))]),
        ];
        if !project.owners().is_empty() {
            facts.push(fact("Owners", project.owners().iter().map(|owner| plain(owner)).collect()));
        }
        if let Some(source) = &newest.source {
            facts.push(fact("Sources", vec![Link { text: source.clone(), href: Some(source.clone()) }]));
        }
        let versions = project.facts.versions.iter().map(|it| {
            let reference = self.site(project, it, "index.html");
            let name = reference.map_or_else(|| text(&it.version), |href| linked(&it.version, href));
            let withdrawn = it.withdrawal.as_ref().map(|it| {
                let instead = it.substitute.as_ref().map(|it| format!("; use {it}")).unwrap_or_default();
                format!("withdrawn: {}{instead}", it.reason)
            });
            vec![
                cell(vec![name]),
                words(day(it.released.as_ref())),
                words(&it.mlir),
                words(it.verdict().map_or("not compared", |it| if it == "none" { "nothing" } else { it })),
                words(&withdrawn.unwrap_or_default()),
            ]
        });
        let dialects = newest.dialects.iter().map(|it| {
            let page = project.row(&format!("{0}/dialect/{0}", it.name)).and_then(|row| row.page.clone());
            let href = page.and_then(|page| self.site(project, newest, &page));
            let name = code(&it.name, href);
            vec![cell(vec![name]), figure(it.operations), figure(it.types), figure(it.attributes)]
        });
        let dependencies = newest.dependencies.iter().map(|it| {
            let used = self.catalog.version_of(it).map_or("", |version| version.version.as_str());
            vec![cell(vec![self.project_link(&self.catalog.name_of(it))]), words(&it.version), words(used)]
        });
        let users = self.catalog.projects.iter().filter_map(|other| {
            let it =
                other.newest().dependencies.iter().find(|it| self.catalog.name_of(it) == project.name())?;
            let used = self.catalog.version_of(it).map_or("", |version| version.version.as_str());
            Some(vec![cell(vec![self.project_link(other.name())]), words(used)])
        });
        let prefix = format!("{}/", project.name());
        let used = self.uses.range(prefix.clone()..).take_while(|(target, _)| target.starts_with(&prefix));
        let used = used.map(|(target, path)| {
            let row = &target[prefix.len()..];
            let keys = self.catalog.uses_of(target);
            let others: BTreeSet<&str> = keys
                .iter()
                .map(|key| self.catalog.projects[key.project].name())
                .filter(|name| *name != project.name())
                .collect();
            vec![
                cell(vec![code(id::name(row), Some(path.clone()))]),
                words(id::kind(row)),
                figure(keys.len()),
                cell(others.into_iter().map(|name| self.project_link(name)).collect()),
            ]
        });
        CatalogPage {
            eyebrow: "Project".to_owned(),
            title: project.name().to_owned(),
            lead: newest.summary.clone().or_else(|| newest.title.clone()).unwrap_or_default(),
            facts,
            sections: vec![
                table(
                    "versions",
                    "Versions",
                    &["Version", "Day", "MLIR", "Breaks", ""],
                    versions.collect(),
                    "Nothing is published.",
                ),
                table(
                    "dialects",
                    "Dialects",
                    &["Dialect", "Operations", "Types", "Attributes"],
                    dialects.collect(),
                    "It defines no dialect.",
                ),
                table(
                    "dependencies",
                    "Depends on",
                    &["Project", "Asked for", "Built with"],
                    dependencies.collect(),
                    "It depends on MLIR alone.",
                ),
                table(
                    "users",
                    "Used by",
                    &["Project", "Version"],
                    users.collect(),
                    "No other project depends on it.",
                ),
                table(
                    "definitions",
                    "Definitions that are used",
                    &["Definition", "Kind", "Uses", "Other projects"],
                    used.collect(),
                    "None of its definitions is used elsewhere.",
                ),
            ],
            ..CatalogPage::default()
        }
    }

    fn uses_index(&self) -> CatalogPage {
        let rows = self.uses.iter().map(|(target, path)| {
            let (project, row) = target.split_once('/').unwrap_or_default();
            let keys = self.catalog.uses_of(target);
            let projects: BTreeSet<usize> = keys.iter().map(|key| key.project).collect();
            vec![
                cell(vec![code(id::name(row), Some(path.clone()))]),
                words(id::kind(row)),
                cell(vec![self.project_link(project)]),
                figure(keys.len()),
                figure(projects.len()),
            ]
        });
        let columns = ["Definition", "Kind", "Defined by", "Uses", "Projects"];
        CatalogPage {
            title: "Who uses what".to_owned(),
            lead: "Interfaces and traits, and the other definitions that a project uses of another one."
                .to_owned(),
            sections: vec![table("targets", "Definitions", &columns, rows.collect(), "Nothing is used.")],
            ..CatalogPage::default()
        }
    }

    fn users(&self, target: &str) -> CatalogPage {
        let (project, row) = target.split_once('/').unwrap_or_default();
        let mut by_project: BTreeMap<usize, UsesByWay<'_>> = BTreeMap::new();
        for (key, via) in self.catalog.users(&[target.to_owned()], None) {
            let how = self.catalog.usage(key).how.as_str();
            by_project.entry(key.project).or_default().entry((how, via)).or_default().push(key);
        }
        let sections = by_project.iter().map(|(number, ways)| {
            let name = self.catalog.projects[*number].name();
            let rows = ways.iter().flat_map(|((how, via), keys)| {
                let via = via.as_ref().map(|via| id::name(via)).unwrap_or_default();
                let mut keys = keys.clone();
                keys.dedup_by(|a, b| self.catalog.usage(*a).user == self.catalog.usage(*b).user);
                keys.into_iter().map(move |key| {
                    vec![
                        cell(vec![self.user(key)]),
                        words(id::kind(&self.catalog.usage(key).user)),
                        words(how),
                        words(via),
                    ]
                })
            });
            let rows: Vec<_> = rows.collect();
            table(&format!("in-{name}"), name, &["User", "Kind", "Way", "Through"], rows, "")
        });
        let key = self.catalog.number(project).and_then(|number| {
            let row = self.catalog.projects[number].row(row)?;
            self.catalog.key(number, row)
        });
        let reference = key.and_then(|key| self.reference(key));
        let summary = key.map(|key| self.catalog.row(key).summary.clone()).unwrap_or_default();
        let mut facts = vec![CatalogFact {
            label: "Defined by".to_owned(),
            values: vec![Link {
                text: project.to_owned(),
                href: self.catalog.project(project).map(|_| project_path(project)),
            }],
        }];
        if let Some(href) = reference {
            let values = vec![Link { text: target.to_owned(), href: Some(href) }];
            facts.push(CatalogFact { label: "Reference".to_owned(), values });
        }
        CatalogPage {
            eyebrow: format!("Who uses the {}", id::kind(row)),
            title: id::name(row).to_owned(),
            is_code: true,
            lead: summary,
            facts,
            sections: sections.collect(),
            trail: vec![Link { text: "Who uses what".to_owned(), href: Some("uses/index.html".to_owned()) }],
            ..CatalogPage::default()
        }
    }

    fn skew(&self) -> CatalogPage {
        let skew = self.catalog.skew();
        let projects = |names: &[String]| cell(names.iter().map(|name| self.project_link(name)).collect());
        let dependencies = skew.dependencies.iter().flat_map(|it| {
            it.versions.iter().map(|version| {
                vec![
                    cell(vec![self.project_link(&it.dependency)]),
                    words(&version.version),
                    projects(&version.projects),
                ]
            })
        });
        let shapes = skew.shapes.iter().flat_map(|it| {
            it.shapes.iter().map(|(shape, ids)| {
                let users = ids.iter().map(|id| self.of_id(id)).collect();
                vec![
                    cell(vec![code(id::name(&it.id), None)]),
                    words(id::kind(&it.id)),
                    words(shape),
                    cell(users),
                ]
            })
        });
        let mlir = skew.mlir.iter().map(|(release, names)| vec![words(release), projects(names)]);
        CatalogPage {
            title: "Version skew".to_owned(),
            sections: vec![
                table(
                    "dependencies",
                    "Dependencies in several versions",
                    &["Dependency", "Version", "Projects"],
                    dependencies.collect(),
                    "Each dependency is in use in one version.",
                ),
                table(
                    "shapes",
                    "Definitions in several shapes",
                    &["Definition", "Kind", "Shape", "Defined by"],
                    shapes.collect(),
                    "No definition has two shapes.",
                ),
                table("mlir", "MLIR releases", &["Release", "Projects"], mlir.collect(), ""),
            ],
            ..CatalogPage::default()
        }
    }

    /// Returns the definition of a whole id.
    fn of_id(&self, text: &str) -> CatalogText {
        let Ok(id) = id::SymbolId::parse(text) else { return code(text, None) };
        let key = self.catalog.number(&id.project).and_then(|number| {
            let row = self.catalog.projects[number].row(&id.row)?;
            self.catalog.key(number, row)
        });
        let href = key.and_then(|key| self.row(key).href);
        code(text, href)
    }

    fn breaks(&self) -> CatalogPage {
        let rows = |levels: &[&str]| {
            let all = self.catalog.breaking_versions(None, "all");
            let rows = all.iter().flat_map(|version| {
                let own = version.findings.iter();
                let own =
                    own.filter(|it| it.levels.first().is_some_and(|level| levels.contains(&level.as_str())));
                own.map(|it| {
                    vec![
                        words(day(version.released.as_ref())),
                        cell(vec![self.project_link(&version.project)]),
                        words(&version.version),
                        cell(vec![code(&it.subject, None)]),
                        words(&format!("{}: {}", it.rule, it.message)),
                        words(&it.levels.join(", ")),
                    ]
                })
            });
            rows.collect::<Vec<_>>()
        };
        let columns = ["Day", "Project", "Version", "Definition", "Change", "Levels"];
        let section = |id: &str, title: &str, levels: &[&str]| {
            table(id, title, &columns, rows(levels), "Nothing breaks on these levels.")
        };
        CatalogPage {
            title: "Breaking changes".to_owned(),
            lead: "Each version is compared with the one before. A change is listed by the worst level that it breaks."
                .to_owned(),
            sections: vec![
                section("wire", "Bytecode and meaning", &LEVELS[..2]),
                section("ir", "Text and verification", &LEVELS[2..5]),
                section("api", "C++, Python and pipelines", &LEVELS[5..]),
            ],
            ..CatalogPage::default()
        }
    }

    fn deprecated(&self) -> CatalogPage {
        let all = self.catalog.deprecated_uses();
        let rows = all.iter().map(|it| {
            vec![
                cell(vec![self.of_id(&it.target)]),
                words(&it.reason),
                cell(it.users.iter().map(|user| self.of_id(user)).collect()),
            ]
        });
        CatalogPage {
            title: "Deprecated uses".to_owned(),
            sections: vec![table(
                "deprecated",
                "Deprecated definitions",
                &["Definition", "Reason", "Users"],
                rows.collect(),
                "Nothing is deprecated.",
            )],
            ..CatalogPage::default()
        }
    }

    fn duplicates(&self) -> CatalogPage {
        let all = self.catalog.duplicate_list();
        let rows = all
            .iter()
            .map(|it| vec![words(&it.kind), cell(it.ids.iter().map(|id| self.of_id(id)).collect())]);
        CatalogPage {
            title: "Duplicates".to_owned(),
            lead: "Definitions of several projects that are equal but for their names, and could be shared."
                .to_owned(),
            sections: vec![table(
                "duplicates",
                "One shape, several names",
                &["Kind", "Definitions"],
                rows.collect(),
                "No two definitions are equal.",
            )],
            ..CatalogPage::default()
        }
    }

    fn owners(&self) -> CatalogPage {
        let mut owners: BTreeMap<&str, Vec<&Project>> = BTreeMap::new();
        for project in &self.catalog.projects {
            for owner in project.owners() {
                owners.entry(owner).or_default().push(project);
            }
            if project.owners().is_empty() {
                owners.entry("").or_default().push(project);
            }
        }
        let rows = owners.iter().map(|(owner, projects)| {
            let dialects: Vec<&str> =
                projects.iter().flat_map(|it| &it.newest().dialects).map(|it| it.name.as_str()).collect();
            vec![
                words(if owner.is_empty() { "no owner is named" } else { owner }),
                cell(projects.iter().map(|it| self.project_link(it.name())).collect()),
                words(&dialects.join(", ")),
            ]
        });
        CatalogPage {
            title: "Owners".to_owned(),
            sections: vec![table(
                "owners",
                "Owners",
                &["Owner", "Projects", "Dialects"],
                rows.collect(),
                "Nothing is published.",
            )],
            ..CatalogPage::default()
        }
    }

    fn policy(&self) -> CatalogPage {
        let versions = || {
            let all = self.catalog.projects.iter();
            all.flat_map(|project| project.facts.versions.iter().map(move |version| (project, version)))
        };
        let row = |project: &Project, version: &VersionFacts, more: &str| {
            vec![cell(vec![self.project_link(project.name())]), words(&version.version), words(more)]
        };
        let withdrawn = versions().filter_map(|(project, version)| {
            let it = version.withdrawal.as_ref()?;
            let instead = it.substitute.as_ref().map(|it| format!("; use {it}")).unwrap_or_default();
            Some(row(project, version, &format!("{}{instead}", it.reason)))
        });
        let moved =
            versions().filter(|(_, version)| !version.moved_from.is_empty()).map(|(project, version)| {
                let before: Vec<String> = version.moved_from.iter().map(ToString::to_string).collect();
                row(project, version, &format!("{} → {}", before.join(", "), version.manifest))
            });
        let newest = || self.catalog.projects.iter().map(|project| (project, project.newest()));
        let unproven = newest().filter(|(_, version)| !version.reports.iter().any(|it| it.kind == IN_TOTO));
        let undocumented = newest().filter(|(_, version)| version.coverage.is_some_and(|it| it < 80));
        let undocumented = undocumented.map(|(project, version)| {
            row(project, version, &format!("{} %", version.coverage.unwrap_or_default()))
        });
        CatalogPage {
            title: "Policy".to_owned(),
            sections: vec![
                table(
                    "withdrawn",
                    "Withdrawn versions",
                    &["Project", "Version", "Reason"],
                    withdrawn.collect(),
                    "No version is withdrawn.",
                ),
                table(
                    "moved",
                    "Versions that were moved after publishing",
                    &["Project", "Version", "Manifests"],
                    moved.collect(),
                    "No tag was moved.",
                ),
                table(
                    "provenance",
                    "Newest versions without a statement of provenance",
                    &["Project", "Version", ""],
                    unproven.map(|(project, version)| row(project, version, "")).collect(),
                    "Each newest version has one.",
                ),
                table(
                    "coverage",
                    "Projects that are documented below 80 %",
                    &["Project", "Version", "Documented"],
                    undocumented.collect(),
                    "There is none.",
                ),
            ],
            ..CatalogPage::default()
        }
    }

    /// Returns the scripts that the search reads: the projects, and the rows of each.
    fn data(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut projects = Vec::new();
        for (number, project) in self.catalog.projects.iter().enumerate() {
            let newest = project.newest();
            // The rows link to references, so their name holds the place of these as well.
            let links = self.options.sites.as_deref().unwrap_or_default();
            let rows = script(&Value::Array(self.rows_of(number)));
            let digest = odsmith_registry::digest::sha256(format!("{links}\0{rows}").as_bytes());
            let name = format!("rows/{}.{}", project.name(), &digest[..16]);
            projects.push(json!({
                "name": project.name(), "version": newest.version, "mlir": newest.mlir, "profile": newest.profile,
                "owners": project.owners(), "rows": name, "is_yanked": newest.withdrawal.is_some(),
                "versions": project.facts.versions.iter().map(|it| [&it.version, &it.tag]).collect::<Vec<_>>(),
            }));
            files.insert(
                format!("assets/{name}.js"),
                format!("window.odsmith.addRows({}, {rows});\n", script(&json!(project.name()))),
            );
        }
        let index = json!({ "generation": self.catalog.generation, "projects": projects });
        files.insert("assets/index.js".to_owned(), format!("window.odsmith.index = {};\n", script(&index)));
        files
    }

    fn rows_of(&self, number: usize) -> Vec<Value> {
        let project = &self.catalog.projects[number];
        let mut breaks: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (row, level) in &project.broken {
            breaks.entry(*row).or_default().push(level);
        }
        let mut uses: BTreeMap<&str, Vec<[String; 2]>> = BTreeMap::new();
        for (index, it) in project.symbols.uses.iter().enumerate() {
            let target = self.catalog.target(UseKey { project: number, index });
            uses.entry(&it.user).or_default().push([it.how.clone(), target]);
        }
        let rows = project.symbols.rows.iter().enumerate().map(|(index, row)| {
            let key = RowKey { project: number, index };
            let has = |flag: bool, name: &'static str| flag.then_some(name);
            let is_skewed = self.catalog.shared_with(key).iter().any(|it| self.catalog.row(*it).shape != row.shape);
            let flags: Vec<&str> = [
                has(row.summary.is_empty(), "undocumented"),
                has(row.variants > 0, "variant"),
                has(row.deprecated.is_some(), "deprecated"),
                has(!self.catalog.duplicates_of(key).is_empty(), "duplicate"),
                has(is_skewed, "skewed"),
                has(project.newest().withdrawal.is_some(), "yanked"),
            ]
            .into_iter()
            .flatten()
            .collect();
            let added = project.added(index).and_then(|it| it.released.clone()).unwrap_or_default();
            let absent: Vec<&str> = project
                .facts
                .versions
                .iter()
                .map(|it| it.version.as_str())
                .filter(|version| project.shape_at(&row.id, version).is_none())
                .collect();
            json!({
                "id": row.id, "kind": row.kind, "name": row.name, "summary": row.summary, "signature": row.signature,
                "href": self.row(key).href, "parts": row.parts, "aliases": row.aliases, "file": row.file,
                "is": flags, "added": added, "absent": absent, "breaks": breaks.get(&index),
                "uses": uses.get(row.id.as_str()),
            })
        });
        rows.collect()
    }
}

/// Writes data into a script: `</` would end it even inside of a text.
fn script(value: &Value) -> String {
    value.to_string().replace("</", "<\\/").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
