//! `odsmith yank`: withdraws a published version, or takes that back.

use std::collections::BTreeMap;

use clap::Args;
use odsmith_registry::{
    artifact::{Report, Withdrawal, YANK},
    canonical,
    error::Error,
    manifest::{Descriptor, MANIFEST},
    pull::Address,
    reference::Reference,
};

use super::{display, exit::ExitStatus, options::RegistryOptions};
use crate::pipeline::registry::Registries;

/// The arguments of `odsmith yank`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The version: oci://HOST/REPOSITORY:TAG, or with @sha256:…
    #[arg(value_name = "REF")]
    reference: String,
    /// The reason
    #[arg(long, value_name = "TEXT", required_unless_present = "undo")]
    reason: Option<String>,
    /// The version to use in its place
    #[arg(long = "use", value_name = "VERSION")]
    substitute: Option<String>,
    /// Take the withdrawal back
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    registry: RegistryOptions,
}

impl Options {
    /// Runs the command. Nothing is deleted: a lock that names the version still works, with a warning.
    ///
    /// # Errors
    /// The request is wrong.
    pub fn run(self) -> Result<ExitStatus, String> {
        let reference = Reference::parse(&self.reference)?;
        let registries = Registries::new(&self.registry.access()?)?;
        match self.yank(&registries, &reference) {
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

    fn yank(&self, registries: &Registries, reference: &Reference) -> Result<String, Error> {
        let artifact = registries.open(&Address::Registry(reference.clone()))?;
        let client = registries.client()?;
        let before = registries.wait(client.withdrawal(reference, &artifact.digest))?.unwrap_or_default();
        let next = Withdrawal {
            schema: 1,
            sequence: before.sequence + 1,
            yanked: !self.undo,
            reason: self.reason.clone().unwrap_or_default(),
            substitute: self.substitute.clone(),
        };
        let place = reference.with_digest(&artifact.digest);
        if before.yanked == next.yanked
            && before.reason == next.reason
            && before.substitute == next.substitute
        {
            return Ok(format!(
                "{place} is {} already",
                if self.undo { "not withdrawn" } else { "withdrawn" }
            ));
        }
        let report = Report {
            kind: YANK,
            title: "yank.json".to_owned(),
            bytes: canonical::to_json(&next),
            annotations: BTreeMap::new(),
        };
        let subject = Descriptor::of(MANIFEST, &artifact.bytes);
        registries.wait(client.attach(reference, &subject, artifact.manifest.media_types(), &[report]))?;
        Ok(format!("{place} is {}", if self.undo { "no longer withdrawn" } else { "withdrawn" }))
    }
}
