//! `odsmith pull`: gets an artifact from a registry, with everything checked.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use odsmith_registry::{
    artifact::{CONFIG_TITLE, Layer},
    canonical,
    error::Error,
    pull::{Address, OpenArtifact},
};
use serde_json::json;

use super::{
    display,
    exit::ExitStatus,
    options::{ListOptions, RegistryOptions, pretty},
};
use crate::{pipeline::registry::Registries, store::disk};

/// The arguments of `odsmith pull`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The artifact: oci://HOST/REPOSITORY:TAG, with @sha256:… too or in place of the tag; or oci-layout:DIR:TAG
    #[arg(value_name = "REF")]
    reference: String,
    /// The folder for its files, which must not exist yet
    #[arg(short, long, value_name = "DIR", required_unless_present = "compare")]
    out: Option<PathBuf>,
    /// Only these parts
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_enum)]
    only: Vec<PartName>,
    /// Say what differs from this artifact, and write nothing
    #[arg(long, value_name = "REF", conflicts_with = "out")]
    compare: Option<String>,
    #[command(flatten)]
    registry: RegistryOptions,
    #[command(flatten)]
    list: ListOptions,
}

/// A part of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PartName {
    Config,
    Definitions,
    Model,
    Symbols,
    Site,
    Cpp,
}

impl PartName {
    fn layer(self) -> Option<Layer> {
        match self {
            PartName::Config => None,
            PartName::Definitions => Some(Layer::Definitions),
            PartName::Model => Some(Layer::Model),
            PartName::Symbols => Some(Layer::Symbols),
            PartName::Site => Some(Layer::Site),
            PartName::Cpp => Some(Layer::Cpp),
        }
    }
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, or a file cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let registries = Registries::new(&self.registry.access()?)?;
        let place = Address::parse(&self.reference)?;
        let outcome = match &self.compare {
            Some(other) => self.compare(&registries, &place, &Address::parse(other)?),
            None => self.pull(&registries, &place),
        };
        match outcome? {
            Ok(status) => Ok(status),
            Err(error) => {
                display::error(&error.to_string());
                Ok(ExitStatus::of_registry(&error))
            }
        }
    }

    fn pull(&self, registries: &Registries, place: &Address) -> Result<Result<ExitStatus, Error>, String> {
        let Some(out) = &self.out else { return Err("say where to: -o DIR".to_owned()) };
        // An empty folder may be there: only such a one is removed.
        if out.exists() && fs::remove_dir(out).is_err() {
            return Err(format!("'{}' is there already", out.display()));
        }
        let artifact = match open(registries, place) {
            Ok(artifact) => artifact,
            Err(error) => return Ok(Err(error)),
        };
        // Readers see all of the folder or nothing.
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let part = out.with_file_name(format!(".{name}.{}.part", disk::own_number()));
        let _ = fs::remove_dir_all(&part);
        let written = self.write(registries, &artifact, &part);
        if !matches!(written, Ok(Ok(_))) {
            let _ = fs::remove_dir_all(&part);
        }
        let count = match written? {
            Ok(count) => count,
            Err(error) => return Ok(Err(error)),
        };
        fs::rename(&part, out).map_err(|error| format!("{}: {}", out.display(), disk::reason(&error)))?;
        if self.list.json {
            let value = json!({ "reference": artifact.place.to_string(), "digest": artifact.digest, "config": artifact.config });
            display::print(&pretty(&value))?;
        } else {
            display::closing(&format!(
                "pulled {}: wrote {} to {}",
                artifact.place,
                display::counted(count, "file"),
                out.display()
            ));
        }
        Ok(Ok(ExitStatus::Done))
    }

    /// Writes the files; returns how many.
    fn write(
        &self,
        registries: &Registries,
        artifact: &OpenArtifact,
        out: &Path,
    ) -> Result<Result<usize, Error>, String> {
        let wants =
            |layer: Option<Layer>| self.only.is_empty() || self.only.iter().any(|it| it.layer() == layer);
        let mut count = 0;
        if wants(None) {
            disk::write(&out.join(CONFIG_TITLE), &canonical::to_json(&artifact.config))?;
            count += 1;
        }
        for layer in Layer::ALL {
            let is_named = self.only.iter().any(|it| it.layer() == Some(layer));
            if !wants(Some(layer)) || (artifact.layer(layer).is_none() && !is_named) {
                continue;
            }
            if !layer.is_archive() {
                match registries.layer(artifact, layer) {
                    Ok(bytes) => disk::write(&out.join(layer.unpacked()), &bytes)?,
                    Err(error) => return Ok(Err(error)),
                }
                count += 1;
                continue;
            }
            let files = match registries.files(artifact, layer) {
                Ok(files) => files,
                Err(error) => return Ok(Err(error)),
            };
            for (path, bytes) in files.iter() {
                disk::write(&disk::place(&out.join(layer.unpacked()), path), bytes)?;
                count += 1;
            }
        }
        Ok(Ok(count))
    }

    fn compare(
        &self,
        registries: &Registries,
        place: &Address,
        other: &Address,
    ) -> Result<Result<ExitStatus, Error>, String> {
        let both = open(registries, place).and_then(|a| Ok((a, open(registries, other)?)));
        let (a, b) = match both {
            Ok(both) => both,
            Err(error) => return Ok(Err(error)),
        };
        let mut lines = String::new();
        let titles: std::collections::BTreeSet<&String> =
            a.config.layers.keys().chain(b.config.layers.keys()).collect();
        let mut is_same = true;
        for title in titles {
            let (own, others) = (a.config.layers.get(title), b.config.layers.get(title));
            let is_equal = own == others;
            is_same &= is_equal;
            let packed = |it: &OpenArtifact| {
                it.manifest
                    .layers
                    .iter()
                    .find(|layer| layer.title() == Some(title))
                    .map(|it| it.digest.clone())
            };
            lines += &match (own, others) {
                (Some(_), None) => format!("{title}: only in {place}\n"),
                (None, Some(_)) => format!("{title}: only in {other}\n"),
                _ if is_equal && packed(&a) == packed(&b) => format!("{title}: the same\n"),
                _ if is_equal => format!("{title}: the same, packed by another build\n"),
                _ => format!("{title}: differs\n"),
            };
        }
        let [own, others] = [&a, &b].map(|it| &it.config.odsmith);
        if own != others {
            lines += &format!(
                "made by {} {} ({}) and {} {} ({})\n",
                own.version, own.build, own.encoder, others.version, others.build, others.encoder
            );
        }
        lines += if a.digest == b.digest { "one manifest\n" } else { "two manifests\n" };
        display::print(&lines)?;
        Ok(Ok(ExitStatus::of(is_same)))
    }
}

/// Opens an artifact, and prints its digest.
pub(super) fn open(registries: &Registries, place: &Address) -> Result<OpenArtifact, Error> {
    let artifact = registries.open(place)?;
    if let Some(tagged) = &artifact.tag_differs {
        display::warning(&format!("{place}: the tag names {tagged} now; the digest counts"));
    }
    if let (Address::Registry(reference), Ok(client)) = (&artifact.place, registries.client())
        && let Ok(Some(withdrawal)) = registries.wait(client.withdrawal(reference, &artifact.digest))
        && withdrawal.yanked
    {
        let instead =
            withdrawal.substitute.map(|it| format!("; use {}", it.escape_debug())).unwrap_or_default();
        display::warning(&format!("{place} is withdrawn: {}{instead}", withdrawal.reason.escape_debug()));
    }
    Ok(artifact)
}
