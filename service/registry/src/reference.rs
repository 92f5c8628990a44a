//! Names of artifacts: `oci://host[:port]/repository[:tag][@sha256:…]`.
//!
//! ```text
//! component  = [a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*
//! tag        = [A-Za-z0-9_][A-Za-z0-9._-]{0,127}
//! ```

use std::fmt;

use super::digest::Digest;

/// The beginning of every reference.
pub const SCHEME: &str = "oci://";

/// The name of a repository, or of an artifact in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The host, with its port if there is one.
    pub host: String,
    /// The path of the repository.
    pub repository: String,
    /// The tag.
    pub tag: Option<String>,
    /// The digest of the manifest, which counts if there is a tag as well.
    pub digest: Option<Digest>,
}

impl Reference {
    /// Reads a reference.
    ///
    /// # Errors
    /// It breaks the grammar; the message says which part.
    pub fn parse(text: &str) -> Result<Reference, String> {
        let wrong = |what: &str| format!("'{}': {what}", text.escape_debug());
        let rest = text.strip_prefix(SCHEME).ok_or_else(|| wrong("a reference begins with oci://"))?;
        let (rest, digest) = match rest.split_once('@') {
            Some((rest, digest)) => (rest, Some(Digest::parse(digest).map_err(|why| wrong(&why))?)),
            None => (rest, None),
        };
        let (host, path) = rest
            .split_once('/')
            .filter(|(_, path)| !path.is_empty())
            .ok_or_else(|| wrong("a reference names a host and a repository: oci://HOST/REPOSITORY:TAG"))?;
        if !is_host(host) {
            return Err(wrong(&format!("'{}' is no host", host.escape_debug())));
        }
        let (repository, tag) = match path.split_once(':') {
            Some((repository, tag)) => (repository, Some(tag)),
            None => (path, None),
        };
        if let Some(part) = repository.split('/').find(|part| !is_component(part)) {
            return Err(wrong(&format!(
                "'{}' is no part of a repository: lower-case letters and digits, with '.', '_' and '-' between them",
                part.escape_debug()
            )));
        }
        if let Some(tag) = tag.filter(|tag| !is_tag(tag)) {
            return Err(wrong(&format!("'{}' is no tag", tag.escape_debug())));
        }
        Ok(Reference {
            host: host.to_ascii_lowercase(),
            repository: repository.to_owned(),
            tag: tag.map(str::to_owned),
            digest,
        })
    }

    /// Returns the repository alone: `oci://host/repository`.
    #[must_use]
    pub fn of_repository(&self) -> String {
        format!("{SCHEME}{}/{}", self.host, self.repository)
    }

    /// Returns the same artifact by its tag and its digest.
    #[must_use]
    pub fn with_digest(&self, digest: &Digest) -> Reference {
        Reference { digest: Some(digest.clone()), ..self.clone() }
    }

    /// Returns the reference that a registry looks up: the digest, else the tag, else `latest`.
    #[must_use]
    pub fn key(&self) -> String {
        let tag = || self.tag.clone().unwrap_or_else(|| "latest".to_owned());
        self.digest.as_ref().map_or_else(tag, Digest::to_string)
    }

    /// Returns the last part of the repository, which names the project.
    #[must_use]
    pub fn name(&self) -> &str {
        self.repository.rsplit('/').next().unwrap_or_default()
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.of_repository())?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        if let Some(digest) = &self.digest {
            write!(f, "@{digest}")?;
        }
        Ok(())
    }
}

/// Returns whether a text names a host, perhaps with a port.
#[must_use]
pub fn is_host(text: &str) -> bool {
    let (name, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => {
            let is_address = address.parse::<std::net::Ipv6Addr>().is_ok();
            return is_address && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port));
        }
        None => text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port))),
    };
    let is_label = |label: &str| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    name.len() <= 253 && name.split('.').all(is_label) && port.is_none_or(is_port)
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok_and(|port| port > 0) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a text is a part of a repository's path, and so a name of a project.
#[must_use]
pub fn is_component(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut rest = text.as_bytes();
    loop {
        let letters = rest.iter().take_while(|byte| is_letter(**byte)).count();
        if letters == 0 {
            return false;
        }
        rest = &rest[letters..];
        let separator = match rest {
            [] => return true,
            [b'_', b'_', ..] => 2,
            [b'.' | b'_', ..] => 1,
            _ => rest.iter().take_while(|byte| **byte == b'-').count(),
        };
        if separator == 0 {
            return false;
        }
        rest = &rest[separator..];
    }
}

/// Returns whether a text is a tag.
#[must_use]
pub fn is_tag(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (1..=128).contains(&text.len()) && text.bytes().all(is_inner) && !text.starts_with(['.', '-'])
}

/// Returns the tag of a version: `+` is written `_`.
#[must_use]
pub fn tag_of(version: &str) -> String {
    version.replace('+', "_")
}

/// Returns whether a tag names a version: not a referrers' index, a moved tag or `latest`.
#[must_use]
pub fn is_version_tag(tag: &str) -> bool {
    tag != "latest" && !tag.starts_with("sha256-") && !tag.contains(".was-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let digest = format!("sha256:{}", "a".repeat(64));
        for text in [
            "oci://registry.example/dialects/stablehlo:1.13.0",
            "oci://127.0.0.1:5000/a",
            "oci://[::1]:5000/a/b__c/d--e.f:latest",
            &format!("oci://h/a:1@{digest}"),
            &format!("oci://h/a@{digest}"),
        ] {
            assert_eq!(Reference::parse(text).map(|it| it.to_string()).as_deref(), Ok(text));
        }
        for text in [
            "registry.example/a",
            "oci://a",
            "oci://a/",
            "oci://a/B",
            "oci://a/b_",
            "oci://a/b___c",
            "oci://a/../b",
            "oci://a/b:",
            "oci://a/b:.x",
            "oci://a/b@sha256:00",
            "oci://user@a/b",
            "oci://a:99999/b",
            "oci://a/b:x/y",
            "oci://-a/b",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tags_of_versions() {
        assert_eq!(tag_of("1.2.0+build.3"), "1.2.0_build.3");
        let all = ["1.0", "latest", "sha256-00", "1.0.was-0123456789ab"];
        assert_eq!(all.map(is_version_tag), [true, false, false, false]);
    }
}
