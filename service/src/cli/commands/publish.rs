//! `odsmith publish`: puts a project's dialects into a registry, as one artifact.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::{Args, ValueEnum};
use odsmith_engine::{
    parallel::{self, Spare},
    report::{Finding, Severity},
    review::{
        diff::{
            self, Profile,
            render::{json, text},
            rules::{Level, Verdict},
            settings::Settings,
        },
        lint::{finding::Findings, render},
    },
};
use odsmith_registry::{
    artifact::{AGAINST, Artifact, DIFF, Report, SARIF},
    canonical,
    error::Error,
    layout::Layout,
    publish::{self, Failure, Published},
    pull::{Address, OpenArtifact},
    reference::{Reference, is_component, is_tag, is_version_tag, tag_of},
    version::Version,
};
use serde_json::json;

use super::{
    Input, ProjectFiles,
    diff::ProfileName,
    display,
    exit::ExitStatus,
    has_error,
    options::{ListOptions, MediaTypeOptions, RegistryOptions, pretty},
};
use crate::pipeline::{
    compare::Side,
    generate::{FINDINGS, Finished, Request},
    manifest::{FILE_NAME, Manifest},
    material,
    registry::{
        Registries,
        artifact::{self, CompanionFiles, Facts},
        packages,
    },
    workspace,
};

/// The arguments of `odsmith publish`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(flatten)]
    input: Input,
    /// The repository: oci://HOST/REPOSITORY; its last part is the name of the project
    #[arg(long, value_name = "REF", required_unless_present = "layout")]
    to: Option<String>,
    /// Write an OCI image layout into this folder, in place of a registry
    #[arg(long, value_name = "DIR", conflicts_with = "to", requires = "name")]
    layout: Option<PathBuf>,
    /// The name of the project [default: the last part of the repository]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The version, which is also the tag [default: the tag of --to]
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// Refuse to publish unless all hold: diff=bytecode, lint=warning, coverage=80
    #[arg(long, value_name = "CONDITIONS", value_delimiter = ',')]
    require: Vec<Condition>,
    /// The version to compare with [default: the newest one that is not withdrawn]
    #[arg(long, value_name = "REF")]
    against: Option<String>,
    /// Let the tag name this manifest, if it names another one: that keeps a tag of its own
    #[arg(long)]
    move_tag: bool,
    /// A repository of the same registry that may have blobs already
    #[arg(long, value_name = "REPOSITORY")]
    mount_from: Option<String>,
    /// Make everything, check --require, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave the reference out
    #[arg(long)]
    no_site: bool,
    /// Add generated C++
    #[arg(long)]
    cpp: bool,
    /// Add a Markdown file beside each page of the reference
    #[arg(long)]
    twins: bool,
    /// The commit [default: that of the folder's repository]
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// The commit's time, in UTC: 2026-08-13T21:23:39Z
    #[arg(long, value_name = "TIME", requires = "commit")]
    commit_time: Option<String>,
    /// The https address of the sources
    #[arg(long, value_name = "URL")]
    repository: Option<String>,
    /// The licence, as SPDX names it [default: by the licence's text]
    #[arg(long, value_name = "NAME")]
    licence: Option<String>,
    /// One sentence about the project
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    #[command(flatten)]
    types: MediaTypeOptions,
    #[command(flatten)]
    registry: RegistryOptions,
    #[command(flatten)]
    list: ListOptions,
}

/// A condition for publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing breaks on these levels.
    Diff(Levels),
    /// There is no finding of lint from this severity on.
    Lint(Severity),
    /// This per cent is documented.
    Coverage(u64),
}

/// Levels of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// One level.
    One(Level),
    /// The levels of a profile.
    Profile(Profile),
}

impl Levels {
    fn has(self, level: Level) -> bool {
        match self {
            Levels::One(one) => one == level,
            Levels::Profile(profile) => profile.has(level),
        }
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let wrong = || format!("'{text}' is no condition: diff=LEVEL, lint=SEVERITY, coverage=PERCENT");
        let (kind, value) = text.split_once('=').ok_or_else(wrong)?;
        match kind {
            "diff" => {
                if let Ok(profile) = ProfileName::from_str(value, false) {
                    return Ok(Condition::Diff(Levels::Profile(profile.into())));
                }
                let names =
                    || Level::ALL.iter().map(|level| level.long_name()).collect::<Vec<_>>().join(", ");
                let is_it =
                    |level: &&Level| level.long_name() == value || level.name().eq_ignore_ascii_case(value);
                let level = Level::ALL.iter().find(is_it);
                let level = level.ok_or_else(|| {
                    format!("there is no level '{value}': use wire, ir, api, all, {}", names())
                })?;
                Ok(Condition::Diff(Levels::One(*level)))
            }
            "lint" => match value {
                "error" => Ok(Condition::Lint(Severity::Error)),
                "warning" => Ok(Condition::Lint(Severity::Warning)),
                "info" | "note" => Ok(Condition::Lint(Severity::Note)),
                _ => Err(format!("there is no severity '{value}': use error, warning or info")),
            },
            "coverage" => match value.trim_end_matches('%').parse() {
                Ok(percent) if percent <= 100 => Ok(Condition::Coverage(percent)),
                _ => Err(format!("'{value}' is no per cent")),
            },
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Diff(Levels::One(level)) => write!(f, "diff={}", level.long_name()),
            Condition::Diff(Levels::Profile(profile)) => write!(f, "diff={}", profile.name()),
            Condition::Lint(Severity::Note) => f.write_str("lint=info"),
            Condition::Lint(severity) => write!(f, "lint={}", severity.name()),
            Condition::Coverage(percent) => write!(f, "coverage={percent}"),
        }
    }
}

/// The version that a new one is compared with.
struct FormerVersion {
    artifact: OpenArtifact,
    comparison: diff::Comparison,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, or the project cannot be read.
    pub fn run(self) -> Result<ExitStatus, String> {
        let target = self.to.as_deref().map(Reference::parse).transpose()?;
        let version = self.version.clone().or_else(|| target.as_ref()?.tag.clone());
        let version = version.ok_or("say which version this is: --version VERSION")?;
        let tag = tag_of(&version);
        if !is_tag(&tag) || !is_version_tag(&tag) {
            return Err(format!("'{}' cannot be the tag of a version", tag.escape_debug()));
        }
        if let Some(named) = target.as_ref().and_then(|it| it.tag.as_ref()).filter(|named| **named != tag) {
            return Err(format!(
                "--to has the tag '{named}', and the tag of the version {version} is '{tag}'"
            ));
        }
        if target.as_ref().is_some_and(|it| it.digest.is_some()) {
            return Err("--to names a repository and perhaps a tag, not a digest".to_owned());
        }
        let name = self.name.clone().or_else(|| Some(target.as_ref()?.name().to_owned())).unwrap_or_default();
        if !is_component(&name) {
            return Err(format!(
                "'{}' is no name of a project: lower-case letters and digits",
                name.escape_debug()
            ));
        }
        let needs_network =
            target.is_some() || self.against.as_deref().is_some_and(|it| it.starts_with("oci://"));
        let registries =
            if needs_network { Registries::new(&self.registry.access()?)? } else { Registries::offline()? };
        let Some((files, finished, requests)) = self.finished()? else { return Ok(ExitStatus::NoAnswer) };
        let facts = self.facts(&name, &version)?;
        let beside = CompanionFiles::read(self.input.place())?;
        let side = finished.model.as_ref().ok_or("the project defines nothing")?;
        let mut artifact =
            artifact::make(&facts, &files.bundle, &finished, &side.document, &beside, &requests)?;
        let findings = findings(&finished)?;
        artifact.reports.push(Report {
            kind: SARIF,
            title: "lint.sarif".to_owned(),
            bytes: canonical::to_json(&render::sarif(&findings)),
            annotations: BTreeMap::new(),
        });
        let former = match self.former(target.as_ref(), &tag, side, &finished, &registries) {
            Ok(former) => former,
            Err(error) => return Ok(self.refuse(&error)),
        };
        if let Some(former) = &former {
            artifact.reports.push(Report {
                kind: DIFF,
                title: "diff.json".to_owned(),
                bytes: canonical::to_json(&json(&former.comparison)),
                annotations: [(AGAINST.to_owned(), former.artifact.digest.to_string())].into(),
            });
        }
        if !self.check(&findings, former.as_ref(), &finished)? {
            return Ok(ExitStatus::Findings);
        }
        self.send(&registries, target.as_ref(), &tag, &artifact)
    }

    /// Makes everything that the artifact has; nothing if the definitions have errors.
    fn finished(
        &self,
    ) -> Result<Option<(ProjectFiles, Finished, Vec<odsmith_registry::resolve::RootRequest>)>, String> {
        let workspace = self.input.workspace()?;
        let beside = match &workspace {
            Some(workspace) => material::read(workspace, &self.input.manifest_of(workspace)?.docs)?,
            None => material::Material::default(),
        };
        let change = |manifest: &mut Manifest| {
            manifest.docs.enabled = !self.no_site;
            manifest.outputs = self.cpp;
            manifest.model = true;
            manifest.findings = true;
        };
        let (mut files, request) = self.input.prepare_in(workspace, change)?;
        files.bundle = (*request.bundle).clone();
        let text = files.bundle.get(FILE_NAME).map(|bytes| bytes.to_vec()).unwrap_or_default();
        let requests = packages::requests(&request.manifest, &text)?;
        // A shallow clone has no dates, and makes the same bytes.
        let dates = BTreeMap::new();
        let material = material::Material { omits_markdown: !self.twins, dates, ..beside };
        let request = Request { material, keeps_model: true, ..request };
        let (finished, written) = files.run_silently(request, None)?;
        written?;
        display::messages(finished.result.all_diagnostics().filter(|it| it.severity == Severity::Error));
        if has_error(finished.result.all_diagnostics()) || !finished.unread.is_empty() {
            display::error("not published: the definitions have errors");
            return Ok(None);
        }
        let outside = artifact::outside(&files.bundle);
        if let Some(first) = outside.first() {
            display::warning(&format!(
                "'{}' is included from outside of the folder, and is not published: others cannot read these definitions",
                first.split_once(">/").map_or(*first, |it| it.1)
            ));
        }
        Ok(Some((files, finished, requests)))
    }

    fn facts(&self, name: &str, version: &str) -> Result<Facts, String> {
        let (mut commit, mut commit_time) = (self.commit.clone(), self.commit_time.clone());
        if commit.is_none()
            && self.input.place().is_dir()
            && let Some((own, time, is_changed)) = workspace::commit_of(self.input.place())
        {
            if is_changed {
                display::warning(&format!(
                    "files differ from the commit {own}, which is published as theirs"
                ));
            }
            (commit, commit_time) = (Some(own), Some(time));
        }
        let is_commit = |text: &String| {
            matches!(text.len(), 40 | 64)
                && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        if let Some(commit) = commit.as_ref().filter(|commit| !is_commit(commit)) {
            return Err(format!("'{}' is no commit: 40 or 64 hexadecimal digits", commit.escape_debug()));
        }
        if let Some(time) = commit_time.as_ref().filter(|time| !is_time(time)) {
            return Err(format!("'{}' is no time in UTC, as in 2026-08-13T21:23:39Z", time.escape_debug()));
        }
        if let Some(source) = self.repository.as_ref().filter(|source| !source.starts_with("https://")) {
            return Err(format!("'{}' is no https address", source.escape_debug()));
        }
        Ok(Facts {
            project: name.to_owned(),
            version: version.to_owned(),
            commit,
            commit_time,
            source: self.repository.clone(),
            licence: self.licence.clone(),
            summary: self.summary.clone(),
            media_types: self.types.types(),
        })
    }

    /// Compares with the version before: the one that is named, or else the newest that is not withdrawn.
    fn former(
        &self,
        target: Option<&Reference>,
        tag: &str,
        side: &Side,
        finished: &Finished,
        registries: &Registries,
    ) -> Result<Option<FormerVersion>, Error> {
        let artifact = match (&self.against, target) {
            (Some(named), _) => registries.open(&Address::parse(named).map_err(Error::Refused)?).map(Some)?,
            (None, Some(target)) => newest(target, tag, registries)?,
            (None, None) => None,
        };
        let Some(artifact) = artifact else { return Ok(None) };
        let old = registries.model(&artifact)?;
        let settings = settings(&finished.result.manifest).map_err(Error::Refused)?;
        let options = diff::Options {
            renamed: settings.renamed.clone(),
            spare: Spare::beside_one(parallel::parallelism()),
            ..diff::Options::default()
        };
        let mut comparison = diff::compare(&old, &side.document, &options);
        let version = self.version.as_deref();
        comparison
            .accept(&settings.accept, version)
            .and_then(|()| comparison.weigh(&settings))
            .map_err(Error::Refused)?;
        comparison.gather();
        Ok(Some(FormerVersion { artifact, comparison }))
    }

    /// Checks the conditions, and prints the report of one that does not hold.
    fn check(
        &self,
        findings: &[Finding],
        former: Option<&FormerVersion>,
        finished: &Finished,
    ) -> Result<bool, String> {
        for condition in &self.require {
            let (reason, report) = match condition {
                Condition::Diff(levels) => {
                    let Some(former) = former else { continue };
                    let breaks = |it: &diff::Change| {
                        let of_levels = it.effects.iter().filter(|(level, _)| levels.has(**level));
                        it.accepted.is_none()
                            && of_levels
                                .into_iter()
                                .any(|(_, verdict)| matches!(verdict, Verdict::Breaks | Verdict::Silent))
                    };
                    let mut comparison = former.comparison.clone();
                    comparison.findings.retain(breaks);
                    let count = comparison.findings.len();
                    if count == 0 {
                        continue;
                    }
                    let version = &former.artifact.config.version;
                    (format!("{} since {version}", display::counted(count, "finding")), text(&comparison))
                }
                Condition::Lint(least) => {
                    let open: Vec<Finding> =
                        findings.iter().filter(|it| it.is_open() && it.severity <= *least).cloned().collect();
                    if open.is_empty() {
                        continue;
                    }
                    (display::counted(open.len(), "finding"), render::list(&open, false))
                }
                Condition::Coverage(least) => {
                    let percent = finished.result.site.as_ref().map(|site| site.coverage as u64);
                    match percent {
                        Some(percent) if percent >= *least => continue,
                        Some(percent) => (format!("{percent} % is documented"), String::new()),
                        None => (
                            "nothing says what is documented without the reference".to_owned(),
                            String::new(),
                        ),
                    }
                }
            };
            display::print(&report)?;
            display::error(&format!("not published: --require {condition} is not met: {reason}"));
            return Ok(false);
        }
        Ok(true)
    }

    /// Sends the artifact, or writes it into a layout.
    fn send(
        &self,
        registries: &Registries,
        target: Option<&Reference>,
        tag: &str,
        artifact: &Artifact,
    ) -> Result<ExitStatus, String> {
        let place = match (target, &self.layout) {
            (Some(target), _) => {
                Reference { tag: Some(tag.to_owned()), ..target.with_digest(&artifact.digest) }.to_string()
            }
            (None, Some(folder)) => format!("oci-layout:{}:{tag}", folder.display()),
            (None, None) => return Err("say where to: --to or --layout".to_owned()),
        };
        if self.dry_run {
            let size: usize = artifact.blobs.iter().map(|blob| blob.bytes.len()).sum();
            self.say(&place, artifact, &format!("would publish {place} ({})", megabytes(size as u64)), None)?;
            return Ok(ExitStatus::Done);
        }
        let Some(target) = target else {
            if let Some(folder) = &self.layout
                && !self.write_layout(folder, tag, artifact)?
            {
                return Ok(ExitStatus::VersionExists);
            }
            self.say(&place, artifact, &format!("published {place} ({})", artifact.digest), None)?;
            return Ok(ExitStatus::Done);
        };
        let options = publish::Options { moves_tag: self.move_tag, mount_from: self.mount_from.clone() };
        let client = registries.client().map_err(|error| error.to_string())?;
        match registries.wait(client.publish(target, tag, artifact, &options)) {
            Ok(published) => {
                self.say(&place, artifact, &summary(&place, &published), Some(&published))?;
                Ok(ExitStatus::Done)
            }
            Err(failure) => Ok(self.fail(&failure, tag, &place)),
        }
    }

    /// Writes a layout; a tag that names another manifest stays. Returns whether the layout has the artifact.
    fn write_layout(&self, folder: &Path, tag: &str, artifact: &Artifact) -> Result<bool, String> {
        let layout = Layout::new(folder);
        if let Some(before) =
            layout.tag(tag).ok().filter(|it| layout.exists() && it.digest != artifact.digest)
            && !self.move_tag
        {
            display::error(&format!(
                "'{}' has {tag} already: {}\nhelp: --move-tag lets the tag name this manifest",
                folder.display(),
                before.digest
            ));
            return Ok(false);
        }
        layout.publish(tag, artifact).map(|()| true)
    }

    fn fail(&self, failure: &Failure, tag: &str, place: &str) -> ExitStatus {
        match failure {
            Failure::Exists(digest, commit) => {
                let commit = commit.as_ref().map(|it| format!(" (commit {it})")).unwrap_or_default();
                display::error(&format!(
                    "not published: {tag} is {digest} already{commit}. A version does not change: publish another, or say \
                     --move-tag"
                ));
                ExitStatus::VersionExists
            }
            Failure::Race(digest) => {
                display::error(&format!(
                    "another publisher wrote {tag} at the same time: it is {digest} now; yours is {place}"
                ));
                ExitStatus::Race
            }
            Failure::Reports(error) => {
                display::error(&format!(
                    "the version is there, and its reports are not: {error}\nhelp: run the command again"
                ));
                ExitStatus::of_registry(error)
            }
            Failure::Registry(error) => self.refuse(error),
        }
    }

    fn refuse(&self, error: &Error) -> ExitStatus {
        display::error(&format!("not published: {error}"));
        ExitStatus::of_registry(error)
    }

    /// Prints the outcome.
    fn say(
        &self,
        place: &str,
        artifact: &Artifact,
        line: &str,
        published: Option<&Published>,
    ) -> Result<(), String> {
        if !self.list.json {
            display::closing(line);
            return Ok(());
        }
        let layers: Vec<_> = artifact.blobs.iter().map(|blob| &blob.descriptor).collect();
        let reports: Vec<_> = artifact.reports.iter().map(|report| report.kind).collect();
        let value = json!({
            "reference": place,
            "digest": artifact.digest,
            "published": published.is_some(),
            "already": published.is_some_and(|it| it.was_published),
            "sent": published.map_or(0, |it| it.sent),
            "present": published.map_or(0, |it| it.present),
            "bytes": published.map_or(0, |it| it.bytes),
            "blobs": layers,
            "reports": reports,
        });
        display::print(&pretty(&value))
    }
}

/// Returns the newest version in a repository besides this one, unless it is withdrawn.
fn newest(target: &Reference, tag: &str, registries: &Registries) -> Result<Option<OpenArtifact>, Error> {
    let client = registries.client()?;
    let tags = registries.wait(client.tags(target))?;
    let mut versions: Vec<Version> =
        tags.iter().filter(|it| is_version_tag(it) && *it != tag).map(|it| Version::new(it)).collect();
    versions.sort_by(Version::order);
    for version in versions.iter().rev() {
        let reference = Reference { tag: Some(version.text().to_owned()), digest: None, ..target.clone() };
        // A repository may have other artifacts as well.
        let Ok(artifact) = registries.open(&Address::Registry(reference)) else { continue };
        let withdrawal = registries.wait(client.withdrawal(target, &artifact.digest))?;
        if withdrawal.is_none_or(|it| !it.yanked) {
            return Ok(Some(artifact));
        }
    }
    Ok(None)
}

/// Returns the settings of comparisons in a manifest.
fn settings(manifest: &Manifest) -> Result<Settings, String> {
    let settings = manifest.diff.clone().map(serde_json::from_value).transpose();
    settings.map(Option::unwrap_or_default).map_err(|error| format!("{FILE_NAME}: [diff]: {error}"))
}

fn findings(finished: &Finished) -> Result<Vec<Finding>, String> {
    let Some(bytes) = finished.files.get(FINDINGS) else { return Ok(Vec::new()) };
    let findings: Findings = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok(findings.findings)
}

/// Returns `published oci://… (3 blobs sent, 2 there already, 1.2 MB)`.
fn summary(place: &str, published: &Published) -> String {
    if published.was_published {
        let reports = match published.reports {
            0 => String::new(),
            count => format!(" ({} added)", display::counted(count, "report")),
        };
        return format!("already published: {place}{reports}");
    }
    let Published { sent, present, bytes, .. } = published;
    let moved = published
        .moved
        .as_ref()
        .map(|(_, tag)| format!("; the one before has the tag {tag}"))
        .unwrap_or_default();
    format!(
        "published {place} ({} sent, {present} there already, {}){moved}",
        display::counted(*sent, "blob"),
        megabytes(*bytes)
    )
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Returns whether a text is a time in UTC: `2026-08-13T21:23:39Z`.
fn is_time(text: &str) -> bool {
    let pattern = "0000-00-00T00:00:00Z";
    text.len() == pattern.len()
        && text.bytes().zip(pattern.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == form,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        let read = |text: &str| text.parse::<Condition>().map(|it| it.to_string());
        for text in ["diff=bytecode", "diff=wire", "lint=warning", "coverage=80", "lint=info"] {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
        for text in ["diff", "diff=x", "lint=x", "coverage=101", "x=y"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(is_time("2026-08-13T21:23:39Z") && !is_time("2026-08-13 21:23:39"));
    }
}
