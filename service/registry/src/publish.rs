//! An artifact to a registry: blobs, then the manifest by its digest, then reports, and the tag last.
//!
//! Until the tag is written nothing can be seen, so a failure leaves no version, and the same call again is always right.
//! The tag is read back, as registries let two writers of one tag both succeed.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{
    artifact::Artifact,
    client::{Client, Condition, RawManifest, Upload},
    digest::Digest,
    error::Error,
    manifest::{Descriptor, MANIFEST, Manifest},
    reference::Reference,
};

/// Blobs that are sent at the same time.
const AT_ONCE: usize = 4;
/// The annotation with the commit.
const REVISION: &str = "org.opencontainers.image.revision";

/// Options of publishing.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The tag may name another manifest so far.
    pub moves_tag: bool,
    /// A repository of the same registry that may have blobs already.
    pub mount_from: Option<String>,
}

/// The result of publishing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// True if the tag named this manifest before.
    pub was_published: bool,
    /// Blobs that were sent.
    pub sent: usize,
    /// Blobs that were there.
    pub present: usize,
    /// Bytes that were sent.
    pub bytes: u64,
    /// Reports that were added.
    pub reports: usize,
    /// The manifest that the tag named before, and its new tag.
    pub moved: Option<(Digest, String)>,
}

/// The reason why nothing was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The tag names another manifest, of this commit.
    Exists(Digest, Option<String>),
    /// Another publisher wrote the tag at the same time.
    Race(Digest),
    /// The version is there, and reports are not.
    Reports(Error),
    /// The registry failed or refused.
    Registry(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Registry(error)
    }
}

impl Client {
    /// Publishes an artifact under a tag.
    ///
    /// # Errors
    /// The tag is taken, or the registry fails or refuses. The tag then is as it was, but for [`Failure::Reports`].
    pub async fn publish(
        &self,
        at: &Reference,
        tag: &str,
        artifact: &Artifact,
        options: &Options,
    ) -> Result<Published, Failure> {
        let (subject, types) = (Descriptor::of(MANIFEST, &artifact.bytes), artifact.manifest.media_types());
        let before = self.manifest(at, tag).await?;
        if before.as_ref().is_some_and(|it| it.digest == artifact.digest) {
            let reports =
                self.attach(at, &subject, types, &artifact.reports).await.map_err(Failure::Reports)?;
            return Ok(Published { was_published: true, reports, ..Published::default() });
        }
        if let Some(before) = before.as_ref().filter(|_| !options.moves_tag) {
            return Err(Failure::Exists(before.digest.clone(), commit_of(before)));
        }
        let mut published = self.send_blobs(at, artifact, options).await?;
        let key = artifact.digest.to_string();
        self.put_manifest(at, &key, MANIFEST, &artifact.bytes, &Condition::Always).await?;
        let read_back = self.manifest(at, &key).await?;
        if read_back.is_none_or(|it| it.bytes != artifact.bytes) {
            return Err(Error::Refused(format!(
                "{} does not return the manifest {key} that was sent",
                at.host
            ))
            .into());
        }
        published.reports = self.attach(at, &subject, types, &artifact.reports).await?;
        if let Some(before) = &before {
            published.moved = Some((before.digest.clone(), self.keep(at, tag, before).await?));
        }
        self.write_tag(at, tag, artifact, before.as_ref()).await?;
        Ok(published)
    }

    async fn send_blobs(
        &self,
        at: &Reference,
        artifact: &Artifact,
        options: &Options,
    ) -> Result<Published, Error> {
        let from = options.mount_from.as_deref();
        let sends = artifact.blobs.iter().map(|blob| async move {
            let name = blob.descriptor.title().unwrap_or_default();
            let upload = self.put_blob(at, &blob.bytes, from).await.map_err(|error| error.context(name))?;
            Ok::<_, Error>((upload, blob.descriptor.size))
        });
        let done: Vec<(Upload, u64)> = stream::iter(sends).buffer_unordered(AT_ONCE).try_collect().await?;
        let mut published = Published::default();
        for (upload, size) in done {
            if upload == Upload::Sent {
                published.sent += 1;
                published.bytes += size;
            } else {
                published.present += 1;
            }
        }
        Ok(published)
    }

    /// Gives the old manifest of a tag another tag, as registries clean up what has none, and locks name it.
    async fn keep(&self, at: &Reference, tag: &str, before: &RawManifest) -> Result<String, Error> {
        let digits = &before.digest.hex()[..12];
        // A tag has at most 128 letters.
        let tag = format!("{}.was-{digits}", &tag[..tag.len().min(110)]);
        let media_type = if before.media_type.is_empty() { MANIFEST } else { &before.media_type };
        self.put_manifest(at, &tag, media_type, &before.bytes, &Condition::Always).await?;
        Ok(tag)
    }

    /// Writes the tag, unless another publisher did since it was looked at, and reads it back.
    async fn write_tag(
        &self,
        at: &Reference,
        tag: &str,
        artifact: &Artifact,
        before: Option<&RawManifest>,
    ) -> Result<(), Failure> {
        let digest_of = |it: Option<RawManifest>| it.map(|it| it.digest);
        let now = digest_of(self.manifest(at, tag).await?);
        if now.as_ref() == Some(&artifact.digest) {
            return Ok(());
        }
        if now.as_ref() != before.map(|it| &it.digest) {
            return Err(now.map_or_else(
                || Error::NotFound(format!("the tag {tag} was removed at the same time")).into(),
                Failure::Race,
            ));
        }
        let condition = now.map_or(Condition::Absent, Condition::Is);
        let written = self.put_manifest(at, tag, MANIFEST, &artifact.bytes, &condition).await;
        match (digest_of(self.manifest(at, tag).await?), written) {
            // A registry with immutable tags may refuse what is there already.
            (Some(seen), _) if seen == artifact.digest => Ok(()),
            (Some(seen), Ok(_)) => Err(Failure::Race(seen)),
            (Some(seen), Err(_)) if Some(&seen) != before.map(|it| &it.digest) => Err(Failure::Race(seen)),
            (_, Err(error)) => Err(error.into()),
            (None, Ok(_)) => {
                Err(Error::Refused(format!("{} does not return the tag {tag} that was set", at.host)).into())
            }
        }
    }
}

/// Returns the commit that a manifest states.
fn commit_of(raw: &RawManifest) -> Option<String> {
    let commit = Manifest::read(&raw.bytes).ok()?.annotations.remove(REVISION)?;
    commit.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(commit)
}
