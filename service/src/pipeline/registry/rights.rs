//! The parts of registries that a client may read.
//!
//! ```text
//! registry.example/dialects      all repositories below it
//! oci-layout:NAME                a layout
//! ```

use std::collections::BTreeSet;

use odsmith_registry::reference::{SCHEME, is_component, is_host};

/// The name of a layout begins so.
const LAYOUT: &str = "oci-layout:";

/// Parts of registries; all of them by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegistryRights(Option<BTreeSet<String>>);

impl RegistryRights {
    /// Reads the parts, each a host with perhaps the beginning of a path.
    ///
    /// # Errors
    /// One of them is neither that nor a layout.
    pub fn parse(parts: &[String]) -> Result<RegistryRights, String> {
        let each = parts.iter().map(|part| {
            let place = part.strip_prefix(SCHEME).unwrap_or(part).trim_end_matches('/');
            let (host, path) = place.split_once('/').unwrap_or((place, ""));
            let is_one = is_host(host) && path.split('/').all(|it| path.is_empty() || is_component(it));
            match is_one || place.len() > LAYOUT.len() && place.starts_with(LAYOUT) {
                true => Ok(place.to_owned()),
                false => Err(format!("'{}' is no part of a registry: HOST/PREFIX", part.escape_debug())),
            }
        });
        Ok(RegistryRights(Some(each.collect::<Result<_, _>>()?)))
    }

    /// Returns true if nothing is left out.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if a repository may be read: `oci://host/path`, or `oci-layout:NAME`.
    #[must_use]
    pub fn allow(&self, repository: &str) -> bool {
        let place = repository.strip_prefix(SCHEME).unwrap_or(repository);
        let is_below = |part: &String| {
            place.strip_prefix(part.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.0.as_ref().is_none_or(|parts| parts.iter().any(is_below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_registries() {
        let rights = |parts: &[&str]| {
            RegistryRights::parse(&parts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        let own =
            rights(&["r.example:5000/dialects/", "oci://other.example", "oci-layout:x"]).expect("parts");
        for (repository, expected) in [
            ("oci://r.example:5000/dialects/a", true),
            ("oci://r.example:5000/dialects", true),
            ("oci://r.example:5000/dialects-secret/a", false),
            ("oci://r.example/dialects/a", false),
            ("oci://other.example/any/thing", true),
            ("oci://other.example.evil/any", false),
            ("oci-layout:x", true),
            ("oci-layout:xy", false),
        ] {
            assert_eq!(own.allow(repository), expected, "{repository}");
            assert!(RegistryRights::default().allow(repository));
            assert!(!rights(&[]).expect("no parts").allow(repository));
        }
        for wrong in ["", "/x", "r.example/UPPER", "r.example//x", "r.example/../x", "oci-layout:"] {
            assert!(rights(&[wrong]).is_err(), "{wrong}");
        }
    }
}
