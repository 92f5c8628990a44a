//! Versions, and requests for them.
//!
//! ```text
//! 1.9        at least 1.9.0, below 2; below 1.0 the minor must be equal
//! =1.9       1.9.0 alone
//! 2026-05-01 a tag that is no version by semver: that one alone
//! ```

use std::cmp::Ordering;

/// A version by semver, or another tag.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    numbers: Option<Numbers>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbers {
    parts: [u64; 3],
    /// The part after `-`; a release has none.
    prerelease: Vec<String>,
}

impl Version {
    /// Reads a version; every text is one.
    #[must_use]
    pub fn new(text: &str) -> Version {
        Version { text: text.to_owned(), numbers: numbers(text) }
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether it comes before a release.
    #[must_use]
    pub fn is_prerelease(&self) -> bool {
        self.numbers.as_ref().is_some_and(|it| !it.prerelease.is_empty())
    }

    /// Returns the tags that may name it: as it is written, and with all three numbers.
    #[must_use]
    pub fn tags(&self) -> Vec<String> {
        let mut tags = vec![super::reference::tag_of(&self.text)];
        if let Some(Numbers { parts: [major, minor, patch], prerelease }) = &self.numbers
            && prerelease.is_empty()
            && !self.text.contains('+')
        {
            let full = format!("{major}.{minor}.{patch}");
            if tags[0] != full {
                tags.push(full);
            }
        }
        tags
    }

    /// Compares two versions by semver; nothing if one is none.
    #[must_use]
    pub fn compare(&self, other: &Version) -> Option<Ordering> {
        let (Some(a), Some(b)) = (&self.numbers, &other.numbers) else {
            return (self.text == other.text).then_some(Ordering::Equal);
        };
        Some(a.parts.cmp(&b.parts).then_with(|| match (&a.prerelease[..], &b.prerelease[..]) {
            ([], []) => Ordering::Equal,
            ([], _) => Ordering::Greater,
            (_, []) => Ordering::Less,
            (a, b) => {
                let pairs = a.iter().zip(b).map(|(a, b)| compare_part(a, b));
                pairs.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
            }
        }))
    }

    /// Sorts versions: tags that are none first, by their text.
    #[must_use]
    pub fn order(&self, other: &Version) -> Ordering {
        let is_version = |it: &Version| it.numbers.is_some();
        match self.compare(other) {
            Some(order) => order.then_with(|| self.text.cmp(&other.text)),
            None => (is_version(self), &self.text).cmp(&(is_version(other), &other.text)),
        }
    }
}

fn numbers(text: &str) -> Option<Numbers> {
    let text = text.split('+').next()?;
    let text = text.strip_prefix('v').unwrap_or(text);
    let (core, prerelease) = match text.split_once('-') {
        Some((core, prerelease)) => (core, Some(prerelease)),
        None => (text, None),
    };
    let mut parts = [0; 3];
    let mut count = 0;
    for part in core.split('.') {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        *parts.get_mut(count)? = part.parse().ok().filter(|_| is_number)?;
        count += 1;
    }
    // `2026-05-01` is a date.
    if prerelease.is_some_and(|it| count < 3 || it.split('.').any(str::is_empty)) {
        return None;
    }
    let prerelease = prerelease.map(|it| it.split('.').map(str::to_owned).collect()).unwrap_or_default();
    Some(Numbers { parts, prerelease })
}

fn compare_part(a: &str, b: &str) -> Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

/// A request for a version.
#[derive(Clone, Debug)]
pub struct Request {
    /// The version that it names.
    pub version: Version,
    /// True if no other one fits.
    pub is_exact: bool,
}

impl Request {
    /// Reads `1.9` or `=1.9`.
    #[must_use]
    pub fn new(text: &str) -> Request {
        let (text, is_exact) = match text.strip_prefix('=') {
            Some(text) => (text.trim(), true),
            None => (text, false),
        };
        let version = Version::new(text);
        let is_exact = is_exact || version.numbers.is_none();
        Request { version, is_exact }
    }

    /// Returns whether a version fits.
    #[must_use]
    pub fn fits(&self, version: &Version) -> bool {
        let order = version.compare(&self.version);
        match (&self.version.numbers, &version.numbers) {
            _ if self.is_exact => order == Some(Ordering::Equal),
            (Some(asked), Some(there)) => {
                let ([major, minor, _], [own_major, own_minor, _]) = (asked.parts, there.parts);
                major == own_major && (major > 0 || minor == own_minor) && order != Some(Ordering::Less)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let fits = |request: &str, version: &str| Request::new(request).fits(&Version::new(version));
        for (request, version) in [
            ("1.9", "1.9.0"),
            ("1.9", "1.13.0"),
            ("=1.9", "1.9.0"),
            ("0.3", "0.3.7"),
            ("2026-05-01", "2026-05-01"),
            ("1.0.0-rc.1", "1.0.0"),
            ("22", "22.1.0"),
        ] {
            assert!(fits(request, version), "{request} {version}");
        }
        for (request, version) in [
            ("1.9", "1.8.9"),
            ("1.9", "2.0.0"),
            ("=1.9", "1.9.1"),
            ("0.3", "0.4.0"),
            ("2026-05-01", "2026-05-02"),
            ("1.0", "1.0.0-rc.1"),
            ("1.0", "trunk"),
        ] {
            assert!(!fits(request, version), "{request} {version}");
        }
    }

    #[test]
    fn versions_are_ordered() {
        let mut all =
            ["2.0", "1.10.0", "1.9.4", "1.9.4-rc.2", "1.9.4-rc.10", "2026-05-01", "trunk"].map(Version::new);
        all.sort_by(Version::order);
        let texts: Vec<&str> = all.iter().map(Version::text).collect();
        assert_eq!(texts, ["2026-05-01", "trunk", "1.9.4-rc.2", "1.9.4-rc.10", "1.9.4", "1.10.0", "2.0"]);
        assert_eq!(Version::new("1.9").tags(), ["1.9", "1.9.0"]);
        assert_eq!(Version::new("1.9.0").tags(), ["1.9.0"]);
    }
}
