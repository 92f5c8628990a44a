//! One version of each project, from the configs alone: records and include paths are global, so a build reads one.
//!
//! Of each repository the highest version counts that anybody names, and it must fit all requests. No tags are listed, so
//! a new release changes nothing. Versions only rise while the graph is walked; at the end only requests of packages that
//! are still in it can fail.
//!
//! ```text
//! the root asks for stablehlo 1.9 and shardy; shardy asks for stablehlo 1.11   stablehlo 1.11
//! … and the root for =1.9                                                      an error with both lines
//! ```

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    artifact::{Config, MOST_DEPENDENCIES},
    digest::Digest,
    version::{Request, Version},
};

/// The longest way from the root to a package.
const MOST_DEPTH: usize = 16;

/// A request of the root.
#[derive(Clone, Debug)]
pub struct RootRequest {
    /// The name of the dependency.
    pub name: String,
    /// The repository: `oci://…`.
    pub repository: String,
    /// The version.
    pub version: String,
    /// The root's version counts, whatever others ask for.
    pub is_override: bool,
    /// Its place in the manifest: `odsmith.toml:4`.
    pub place: String,
}

/// A package that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The name, by which its files are included.
    pub name: String,
    /// The repository.
    pub repository: String,
    /// The digest of its manifest.
    pub digest: Digest,
    /// Its config.
    pub config: Config,
    /// The names of the packages that ask for it; `root` is the project itself.
    pub requested_by: Vec<String>,
}

/// The configs of packages.
pub trait Source {
    /// Returns the digest of the manifest and the config of a version.
    ///
    /// # Errors
    /// There is no such version, or it cannot be read.
    fn config(&mut self, repository: &str, version: &Version) -> Result<(Digest, Config), String>;
}

/// A request, with the packages on the way to it.
#[derive(Clone, Debug)]
struct OpenRequest {
    /// The repository of the package that asks; nothing for the root.
    by: Option<String>,
    /// The place in the root's manifest that the way begins with.
    place: String,
    name: String,
    repository: String,
    version: String,
}

/// The version of each repository, with its config.
type Choices = BTreeMap<String, (Version, Digest, Config)>;

/// Chooses the packages of a project.
///
/// # Errors
/// Two requests do not fit, a package asks for itself, two projects define one dialect, or a config cannot be read.
pub fn resolve(root: &[RootRequest], source: &mut dyn Source) -> Result<Vec<Package>, String> {
    let forced: BTreeSet<&str> =
        root.iter().filter(|it| it.is_override).map(|it| it.repository.as_str()).collect();
    let mut chosen = Choices::new();
    loop {
        let mut is_risen = false;
        for request in walk(root, &chosen)? {
            let version = Request::new(&request.version).version;
            let is_fixed = forced.contains(request.repository.as_str()) && request.by.is_some();
            let is_higher = chosen
                .get(&request.repository)
                .is_none_or(|(known, ..)| !is_fixed && version.compare(known) == Some(Ordering::Greater));
            if !is_higher {
                continue;
            }
            if chosen.len() >= MOST_DEPENDENCIES && !chosen.contains_key(&request.repository) {
                return Err(format!("more than {MOST_DEPENDENCIES} packages are asked for"));
            }
            let read = source.config(&request.repository, &version);
            let (digest, config) =
                read.map_err(|why| format!("{}: dependency '{}': {why}", request.place, request.name))?;
            chosen.insert(request.repository.clone(), (version, digest, config));
            is_risen = true;
        }
        if !is_risen {
            break;
        }
    }
    let requests = walk(root, &chosen)?;
    check_requests(&requests, &chosen, &forced)?;
    let packages = packages(root, &requests, &chosen);
    check_names(&packages)?;
    Ok(packages)
}

/// Lists the requests that the root reaches.
fn walk(root: &[RootRequest], chosen: &Choices) -> Result<Vec<OpenRequest>, String> {
    let mut requests: Vec<OpenRequest> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for it in root {
        requests.push(OpenRequest {
            by: None,
            place: it.place.clone(),
            name: it.name.clone(),
            repository: it.repository.clone(),
            version: it.version.clone(),
        });
    }
    let mut next = 0;
    while let Some(request) = requests.get(next).cloned() {
        next += 1;
        if !seen.insert(request.repository.clone()) {
            continue;
        }
        let Some((_, _, config)) = chosen.get(&request.repository) else { continue };
        for dependency in &config.dependencies {
            requests.push(OpenRequest {
                by: Some(request.repository.clone()),
                place: request.place.clone(),
                name: dependency.name.clone(),
                repository: dependency.repository.clone(),
                version: dependency.version.clone(),
            });
        }
    }
    check_cycles(root, chosen)?;
    Ok(requests)
}

/// Follows every way from the root.
fn check_cycles(root: &[RootRequest], chosen: &Choices) -> Result<(), String> {
    fn visit(
        repository: &str,
        place: &str,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
        chosen: &Choices,
    ) -> Result<(), String> {
        if let Some(at) = way.iter().position(|it| it == repository) {
            let names = way[at..].iter().map(String::as_str).chain([repository]);
            return Err(format!(
                "{place}: packages ask for each other: {}",
                names.collect::<Vec<_>>().join(" → ")
            ));
        }
        if way.len() == MOST_DEPTH {
            return Err(format!("{place}: packages ask for each other more than {MOST_DEPTH} deep"));
        }
        let Some((_, _, config)) = chosen.get(repository) else { return Ok(()) };
        if done.contains(repository) {
            return Ok(());
        }
        way.push(repository.to_owned());
        for dependency in &config.dependencies {
            visit(&dependency.repository, place, way, done, chosen)?;
        }
        way.pop();
        done.insert(repository.to_owned());
        Ok(())
    }
    let mut done = BTreeSet::new();
    root.iter().try_for_each(|it| visit(&it.repository, &it.place, &mut Vec::new(), &mut done, chosen))
}

fn check_requests(requests: &[OpenRequest], chosen: &Choices, forced: &BTreeSet<&str>) -> Result<(), String> {
    for (repository, (version, _, config)) in chosen {
        let of_it: Vec<&OpenRequest> = requests.iter().filter(|it| it.repository == *repository).collect();
        if forced.contains(repository.as_str()) || of_it.is_empty() {
            continue;
        }
        // The version of the config is the exact one: the tag 1.9 may name 1.9.2.
        let there = Version::new(&config.version);
        let fits = |it: &&OpenRequest| {
            let request = Request::new(&it.version);
            request.fits(version) || request.fits(&there)
        };
        if of_it.iter().all(fits) {
            continue;
        }
        let requester = |it: &OpenRequest| match it.by.as_ref().and_then(|by| chosen.get(by)) {
            Some((_, digest, config)) => {
                format!("{} {} (sha256:{}…)", config.project, config.version, &digest.hex()[..4])
            }
            None => String::new(),
        };
        let rows: Vec<(String, String, &str)> =
            of_it.iter().map(|it| (it.place.clone(), requester(it), it.version.as_str())).collect();
        let wide = |column: fn(&(String, String, &str)) -> usize| rows.iter().map(column).max().unwrap_or(0);
        let (first, second) = (wide(|it| it.0.len()), wide(|it| it.1.chars().count()));
        let lines: Vec<String> = rows
            .iter()
            .map(|(place, by, version)| format!("  {place:<first$}  {by:<second$}  {version}"))
            .collect();
        let own = of_it.iter().find(|it| it.by.is_none()).map_or(&*of_it[0].place, |it| &*it.place);
        let reason = match of_it.iter().any(|it| Request::new(&it.version).is_exact) {
            true => "one of them fits no other version",
            false => "their majors differ",
        };
        return Err(format!(
            "two versions of {repository} are asked for\n{}\n  {reason}: ask for one, or write override = true at {own}",
            lines.join("\n")
        ));
    }
    Ok(())
}

fn packages(root: &[RootRequest], requests: &[OpenRequest], chosen: &Choices) -> Vec<Package> {
    let mut packages: BTreeMap<&str, Package> = BTreeMap::new();
    for request in requests {
        let Some((_, digest, config)) = chosen.get(&request.repository) else { continue };
        let own = root.iter().find(|it| it.repository == request.repository).map(|it| it.name.clone());
        let by = request.by.as_ref().and_then(|by| chosen.get(by));
        let by = by.map_or_else(|| "root".to_owned(), |(_, _, config)| config.project.clone());
        let package = packages.entry(&request.repository).or_insert_with(|| Package {
            name: own.unwrap_or_else(|| config.project.clone()),
            repository: request.repository.clone(),
            digest: digest.clone(),
            config: config.clone(),
            requested_by: Vec::new(),
        });
        if !package.requested_by.contains(&by) {
            package.requested_by.push(by);
        }
    }
    let mut packages: Vec<Package> = packages.into_values().collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    packages.iter_mut().for_each(|it| it.requested_by.sort());
    packages
}

fn check_names(packages: &[Package]) -> Result<(), String> {
    let mut dialects: BTreeMap<&str, &Package> = BTreeMap::new();
    for (index, package) in packages.iter().enumerate() {
        if let Some(other) = packages[..index].iter().find(|other| other.name == package.name) {
            return Err(format!(
                "two packages have the name '{}': {} and {}",
                package.name, other.repository, package.repository
            ));
        }
        for dialect in &package.config.dialects {
            if let Some(other) = dialects.insert(&dialect.name, package) {
                return Err(format!(
                    "two packages define the dialect '{}': {} {} and {} {}",
                    dialect.name.escape_debug(),
                    other.name,
                    other.config.version,
                    package.name,
                    package.config.version
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::ConfigDependency;

    /// Configs by `name version`, with the names and versions that they ask for.
    struct Table(Vec<(&'static str, &'static str, Requests)>);
    type Requests = &'static [(&'static str, &'static str)];

    impl Source for Table {
        fn config(&mut self, repository: &str, version: &Version) -> Result<(Digest, Config), String> {
            let name = repository.rsplit('/').next().unwrap_or_default();
            let tags = version.tags();
            let found =
                self.0.iter().find(|(own, there, _)| *own == name && tags.iter().any(|tag| tag == there));
            let (_, version, dependencies) =
                found.ok_or_else(|| format!("{name}:{} does not exist", version.text()))?;
            let digest = Digest::of(format!("{name} {version}").as_bytes());
            let dependencies = dependencies.iter().map(|(name, version)| ConfigDependency {
                name: (*name).to_owned(),
                repository: format!("oci://r/{name}"),
                version: (*version).to_owned(),
                digest: digest.clone(),
            });
            let config = Config {
                project: name.to_owned(),
                version: (*version).to_owned(),
                dependencies: dependencies.collect(),
                ..Config::default()
            };
            Ok((digest, config))
        }
    }

    fn root(requests: &[(&str, &str, bool)]) -> Vec<RootRequest> {
        let each = requests.iter().enumerate().map(|(line, (name, version, is_override))| RootRequest {
            name: (*name).to_owned(),
            repository: format!("oci://r/{name}"),
            version: (*version).to_owned(),
            is_override: *is_override,
            place: format!("odsmith.toml:{}", line + 2),
        });
        each.collect()
    }

    fn outcome(requests: &[(&str, &str, bool)], table: &mut Table) -> Result<Vec<String>, String> {
        let packages = resolve(&root(requests), table)?;
        Ok(packages
            .iter()
            .map(|it| format!("{} {} {}", it.name, it.config.version, it.requested_by.join("+")))
            .collect())
    }

    fn table() -> Table {
        Table(vec![
            ("hlo", "1.9.0", &[]),
            ("hlo", "1.11.0", &[]),
            ("hlo", "2.0.0", &[]),
            ("sdy", "2026-05-01", &[("hlo", "1.11")]),
            ("old", "1.0.0", &[("hlo", "1.9"), ("gone", "1.0")]),
            ("old", "1.1.0", &[("hlo", "1.9")]),
            ("up", "1.0.0", &[("old", "1.1")]),
            ("gone", "1.0.0", &[("hlo", "2.0")]),
            ("a", "1.0.0", &[("b", "1.0")]),
            ("b", "1.0.0", &[("a", "1.0")]),
        ])
    }

    #[test]
    fn the_highest_version_that_is_named() {
        let found = outcome(&[("hlo", "1.9", false), ("sdy", "=2026-05-01", false)], &mut table());
        assert_eq!(found.unwrap(), ["hlo 1.11.0 root+sdy", "sdy 2026-05-01 root"]);
        // A version that rises drops the requests of the one before.
        let found = outcome(&[("old", "1.0", false), ("up", "1.0", false)], &mut table());
        assert_eq!(found.unwrap(), ["hlo 1.9.0 old", "old 1.1.0 root+up", "up 1.0.0 root"]);
    }

    #[test]
    fn two_versions_that_do_not_fit() {
        let why = outcome(&[("hlo", "2.0", false), ("sdy", "2026-05-01", false)], &mut table()).unwrap_err();
        let digits = &Digest::of(b"sdy 2026-05-01").hex()[..4].to_owned();
        let expected = format!(
            "two versions of oci://r/hlo are asked for\n  odsmith.toml:2                                 2.0\n  \
             odsmith.toml:3  sdy 2026-05-01 (sha256:{digits}…)  1.11\n  \
             their majors differ: ask for one, or write override = true at odsmith.toml:2"
        );
        assert_eq!(why, expected);
        let found = outcome(&[("hlo", "2.0", true), ("sdy", "2026-05-01", false)], &mut table());
        assert_eq!(found.unwrap()[0], "hlo 2.0.0 root+sdy");
        let why = outcome(&[("hlo", "=1.9", false), ("sdy", "2026-05-01", false)], &mut table()).unwrap_err();
        assert!(why.contains("fits no other version"), "{why}");
    }

    #[test]
    fn packages_that_ask_for_each_other() {
        let why = outcome(&[("a", "1.0", false)], &mut table()).unwrap_err();
        assert_eq!(why, "odsmith.toml:2: packages ask for each other: oci://r/a → oci://r/b → oci://r/a");
        let why = outcome(&[("x", "1.0", false)], &mut table()).unwrap_err();
        assert_eq!(why, "odsmith.toml:2: dependency 'x': x:1.0 does not exist");
    }
}
