//! Reports on a manifest: manifests that name it as their subject.
//!
//! A registry without the API for them has an index with the tag `sha256-HEX` in its place. It has no compare-and-swap
//! either, so writers lose each other's entries. The index is read, merged with all entries seen so far, written and read
//! back twice; the writer that still misses an entry tries again after a random pause.

use std::{
    collections::BTreeMap,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    time::Duration,
};

use super::{
    artifact::{Report, Withdrawal, YANK},
    client::{Client, Condition},
    digest::Digest,
    error::Error,
    manifest::{Descriptor, INDEX, Index, MANIFEST, Manifest, MediaTypes},
    reference::Reference,
};

/// Rounds of writing the index.
const MOST_ROUNDS: u32 = 8;
/// The largest report, in bytes.
const MOST_REPORT: u64 = 64 << 20;

/// Returns the tag of the index for a manifest.
#[must_use]
pub fn fallback_tag(subject: &Digest) -> String {
    format!("sha256-{}", subject.hex())
}

/// Builds the manifest of a report. Returns its entry in lists of reports, and its bytes.
#[must_use]
pub fn manifest_of(report: &Report, subject: &Descriptor, types: MediaTypes) -> (Descriptor, Vec<u8>) {
    let mut manifest = Manifest::of_json(report.kind, &report.title, &report.bytes, types);
    // The subject is named without its annotations: other clients write it so.
    let subject = Descriptor { annotations: BTreeMap::new(), artifact_type: None, ..subject.clone() };
    manifest.subject = Some(subject);
    manifest.annotations.extend(report.annotations.clone());
    let bytes = manifest.to_json();
    let entry = Descriptor {
        artifact_type: manifest.artifact_type,
        annotations: manifest.annotations,
        ..Descriptor::of(MANIFEST, &bytes)
    };
    (entry, bytes)
}

impl Client {
    /// Lists the reports on a manifest.
    ///
    /// # Errors
    /// The registry fails or refuses.
    pub async fn referrers(&self, at: &Reference, subject: &Digest) -> Result<Vec<Descriptor>, Error> {
        if let Some(all) = self.referrers_of(at, subject).await? {
            return Ok(all);
        }
        Ok(self.fallback(at, subject).await?.map(|(_, index)| index.manifests).unwrap_or_default())
    }

    async fn fallback(&self, at: &Reference, subject: &Digest) -> Result<Option<(Digest, Index)>, Error> {
        let Some(raw) = self.manifest(at, &fallback_tag(subject)).await? else { return Ok(None) };
        let index = Index::read(&raw.bytes).map_err(Error::Refused)?;
        Ok(Some((raw.digest, index)))
    }

    /// Adds reports on a manifest, which uses these media types; those that are there are not sent again. Returns the
    /// number of new ones.
    ///
    /// # Errors
    /// The registry fails or refuses, or other writers keep removing an entry.
    pub async fn attach(
        &self,
        at: &Reference,
        subject: &Descriptor,
        types: MediaTypes,
        reports: &[Report],
    ) -> Result<usize, Error> {
        let present = self.referrers(at, &subject.digest).await?;
        let manifests = reports.iter().map(|report| (report, manifest_of(report, subject, types)));
        let missing: Vec<(&Report, (Descriptor, Vec<u8>))> =
            manifests.filter(|(_, (entry, _))| present.iter().all(|it| it.digest != entry.digest)).collect();
        if missing.is_empty() {
            return Ok(0);
        }
        self.put_blob(at, b"{}", None).await?;
        let mut own = Vec::new();
        let mut is_known = true;
        let count = missing.len();
        for (report, (entry, bytes)) in missing {
            self.put_blob(at, &report.bytes, None).await?;
            let key = entry.digest.to_string();
            is_known &= self.put_manifest(at, &key, MANIFEST, &bytes, &Condition::Always).await?;
            own.push(entry);
        }
        if !is_known {
            self.merge(at, &subject.digest, &own).await?;
        }
        Ok(count)
    }

    /// Adds entries to the index that replaces the API.
    async fn merge(&self, at: &Reference, subject: &Digest, own: &[Descriptor]) -> Result<(), Error> {
        let mut seen: BTreeMap<Digest, Descriptor> =
            own.iter().map(|it| (it.digest.clone(), it.clone())).collect();
        let tag = fallback_tag(subject);
        let has_all = |index: &Index, seen: &BTreeMap<Digest, Descriptor>| {
            seen.keys().all(|digest| index.manifests.iter().any(|it| it.digest == *digest))
        };
        for round in 0..MOST_ROUNDS {
            if round > 0 {
                pause(round).await;
            }
            let before = self.fallback(at, subject).await?;
            let condition =
                before.as_ref().map_or(Condition::Absent, |(digest, _)| Condition::Is(digest.clone()));
            for it in before.into_iter().flat_map(|(_, index)| index.manifests) {
                seen.entry(it.digest.clone()).or_insert(it);
            }
            let index = Index { manifests: seen.values().cloned().collect(), ..Index::default() };
            match self.put_manifest(at, &tag, INDEX, &index.to_json(), &condition).await {
                Ok(_) => {}
                // Another writer was faster, and this registry says so.
                Err(Error::Refused(reason)) if reason.contains(" 412") => continue,
                Err(error) => return Err(error),
            }
            let mut is_kept = true;
            for reading in 0..2 {
                if reading > 0 {
                    pause(round).await;
                }
                match self.fallback(at, subject).await? {
                    Some((_, index)) => {
                        is_kept &= has_all(&index, &seen);
                        for it in index.manifests {
                            seen.entry(it.digest.clone()).or_insert(it);
                        }
                    }
                    None => is_kept = false,
                }
            }
            if is_kept {
                return Ok(());
            }
        }
        Err(Error::Unavailable(format!(
            "{}: others wrote the list of reports at the same time, {MOST_ROUNDS} times",
            at.host
        )))
    }

    /// Reads the report of a referrer: the bytes of its only layer.
    ///
    /// # Errors
    /// The registry fails, or sends something else.
    pub async fn report(&self, at: &Reference, referrer: &Descriptor) -> Result<Vec<u8>, Error> {
        let raw = self.manifest(at, &referrer.digest.to_string()).await?;
        let raw =
            raw.ok_or_else(|| Error::NotFound(format!("{} does not have {}", at.host, referrer.digest)))?;
        let manifest = Manifest::read(&raw.bytes).map_err(Error::Refused)?;
        match &manifest.layers[..] {
            [layer] => self.blob(at, layer, MOST_REPORT).await,
            _ => Err(Error::Refused(format!("the report {} has not one layer", referrer.digest))),
        }
    }

    /// Returns the withdrawal of a manifest that counts, if there is one; it may have been taken back.
    ///
    /// # Errors
    /// The registry fails, or a withdrawal cannot be read.
    pub async fn withdrawal(&self, at: &Reference, subject: &Digest) -> Result<Option<Withdrawal>, Error> {
        let all = self.referrers(at, subject).await?;
        let mut withdrawals = Vec::new();
        for referrer in all.iter().filter(|it| it.kind() == Some(YANK)) {
            let bytes = self.report(at, referrer).await?;
            withdrawals.push(read_withdrawal(&bytes, &referrer.digest)?);
        }
        Ok(counting(withdrawals))
    }
}

/// Reads a withdrawal.
///
/// # Errors
/// The bytes are something else.
pub fn read_withdrawal(bytes: &[u8], digest: &Digest) -> Result<Withdrawal, Error> {
    serde_json::from_slice(bytes).map_err(|error| Error::Refused(format!("the withdrawal {digest}: {error}")))
}

/// Returns the withdrawal that counts. Of two with one number the one that withdraws counts, whatever their order.
#[must_use]
pub fn counting(withdrawals: Vec<Withdrawal>) -> Option<Withdrawal> {
    withdrawals.into_iter().max_by_key(|it| (it.sequence, it.yanked))
}

/// Waits for a random time that grows with the rounds.
async fn pause(round: u32) {
    let random = RandomState::new().build_hasher().finish();
    let most = 40_u64 << round.min(6);
    tokio::time::sleep(Duration::from_millis(10 + random % most)).await;
}
