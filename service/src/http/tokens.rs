//! Tokens: their owners and their scopes.
//!
//! ```toml
//! # A file of tokens; `odsmith token` adds one. Changes count within a second, without a restart.
//! [[token]]
//! name = "ci"                       # its name in the log and the metrics
//! sha256 = "…"                      # of the token, in hex; the token itself is nowhere
//! scopes = ["generate", "read"]     # and "publish", "admin"
//! tenant = "compilers"              # sees the bundles and files that its own tokens sent; by default, one for all
//! registries = ["r.example/team"]   # the parts of registries that it sees in the catalogue; by default all
//! ```

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    pipeline::registry::rights::RegistryRights,
    store::{disk::reason, keys},
};

/// How often the file is checked for changes.
const LOOK: Duration = Duration::from_secs(1);

/// The scopes of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Results, sites, pages and what the server says of itself.
    Read,
    /// Have something made; reading is part of it.
    Generate,
    /// Keep a bundle under its digest.
    Publish,
    /// The pages of operators, where their address can be reached from other machines.
    Admin,
}

impl Scope {
    /// Returns the scope's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Generate => "generate",
            Scope::Publish => "publish",
            Scope::Admin => "admin",
        }
    }
}

/// A token, known only by its digest.
#[derive(Debug, PartialEq, Eq)]
pub struct Token {
    /// Its name in the log.
    pub name: String,
    /// The tenant: uploads are shared by all tokens with the same one.
    pub tenant: String,
    /// The parts of registries that it sees.
    pub registries: RegistryRights,
    scopes: BTreeSet<Scope>,
}

impl Token {
    /// Returns true if the token has a scope.
    #[must_use]
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope) || (scope == Scope::Read && self.scopes.contains(&Scope::Generate))
    }
}

/// Tokens by their digests.
type Table = BTreeMap<[u8; 32], Arc<Token>>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    token: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    sha256: String,
    scopes: BTreeSet<Scope>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    tenant: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    registries: Option<Vec<String>>,
}

/// The tokens of a server: those of its configuration, and those of a file that may change.
#[derive(Debug)]
pub struct Tokens {
    path: Option<PathBuf>,
    /// Tokens of the configuration, which have no name and every scope except `admin`.
    fixed: Table,
    current: Mutex<Current>,
}

#[derive(Debug)]
struct Current {
    table: Arc<Table>,
    stamp: Option<Stamp>,
    looked: Instant,
}

/// The modification time and size of a file, to detect changes.
type Stamp = (SystemTime, u64);

impl Tokens {
    /// Creates the table from these digests and those of a file.
    ///
    /// # Errors
    /// A digest is malformed, or the file cannot be read.
    pub fn new(digests: &[String], path: Option<&Path>) -> Result<Tokens, String> {
        let mut fixed = Table::new();
        for digest in digests {
            let name = keys::from_hex(digest)
                .ok_or_else(|| format!("token_digests: '{digest}' is not the sha256 of a token in hex"))?;
            let scopes = [Scope::Read, Scope::Generate, Scope::Publish].into();
            let registries = RegistryRights::default();
            let token = Token { name: digest[..8].to_owned(), tenant: String::new(), registries, scopes };
            fixed.insert(name, Arc::new(token));
        }
        let stamp = path.and_then(stamp);
        let table = match path {
            Some(path) => read(path, &fixed)?,
            None => fixed.clone(),
        };
        let current = Mutex::new(Current { table: Arc::new(table), stamp, looked: Instant::now() });
        Ok(Tokens { path: path.map(Path::to_owned), fixed, current })
    }

    /// Returns true if there are tokens, or a file that may contain some.
    #[must_use]
    pub fn are_there(&self) -> bool {
        self.path.is_some() || !self.fixed.is_empty()
    }

    /// Returns true if one of them has a scope.
    #[must_use]
    pub fn any_allows(&self, scope: Scope) -> bool {
        self.table().values().any(|token| token.allows(scope))
    }

    /// Looks up a token.
    #[must_use]
    pub fn find(&self, token: &str) -> Option<([u8; 32], Arc<Token>)> {
        // Comparing digests leaks nothing about a token through timing.
        let digest = Sha256::digest(token.as_bytes()).into();
        let found = self.table().get(&digest).cloned();
        found.map(|token| (digest, token))
    }

    fn table(&self) -> Arc<Table> {
        // No code that can panic runs under the lock.
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = self.path.as_ref().filter(|_| current.looked.elapsed() >= LOOK) else {
            return current.table.clone();
        };
        current.looked = Instant::now();
        let stamp = stamp(path);
        if stamp != current.stamp {
            current.stamp = stamp;
            match read(path, &self.fixed) {
                Ok(table) => current.table = Arc::new(table),
                // A half-written file locks no client out.
                Err(error) => {
                    crate::observe::log::note(&format!("{error}; the tokens stay as they were"));
                }
            }
        }
        current.table.clone()
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

fn read(path: &Path, fixed: &Table) -> Result<Table, String> {
    let wrong = |why: String| format!("tokens: {}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(reason(&error)))?;
    let document: Document = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let mut table = fixed.clone();
    for Row { name, sha256, scopes, tenant, registries } in document.token {
        let digest = keys::from_hex(&sha256)
            .ok_or_else(|| wrong(format!("'{name}': sha256 is not 64 hex digits in lower case")))?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
            return Err(wrong(format!("'{name}': a name has letters, digits, '-', '_' and '.', at most 64")));
        }
        let registries =
            registries.map_or_else(|| Ok(RegistryRights::default()), |it| RegistryRights::parse(&it));
        let registries = registries.map_err(|why| wrong(format!("'{name}': registries: {why}")))?;
        let token = Arc::new(Token { name: name.clone(), tenant, registries, scopes });
        if table.insert(digest, token).is_some() {
            return Err(wrong(format!("'{name}': this token is there twice")));
        }
    }
    Ok(table)
}

/// Returns the lines of a new token in a file. Without `registries` it sees all of them.
#[must_use]
pub fn row(name: &str, token: &str, scopes: &[Scope], tenant: &str, registries: &[String]) -> String {
    let scopes = scopes.iter().copied().collect();
    let row = Row {
        name: name.to_owned(),
        sha256: keys::sha256(token.as_bytes()),
        scopes,
        tenant: tenant.to_owned(),
        registries: (!registries.is_empty()).then(|| registries.to_vec()),
    };
    // Serializing cannot fail.
    toml::to_string(&Document { token: vec![row] }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("odsmith-tokens-{name}-{}", std::process::id()));
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn a_file_of_tokens() {
        let text = row("ci", "secret", &[Scope::Generate], "team", &["r.example/team".to_owned()])
            + &row("ops", "other", &[Scope::Admin], "", &[]);
        assert!(!text.contains("secret\"") && !text.contains("other"), "{text}");
        let path = file("file", &text);
        let tokens = Tokens::new(&[keys::sha256(b"old")], Some(&path)).unwrap();
        let ci = tokens.find("secret").unwrap().1;
        assert_eq!((ci.name.as_str(), ci.tenant.as_str()), ("ci", "team"));
        assert!(ci.registries.allow("oci://r.example/team/x") && !ci.registries.allow("oci://r.example/x"));
        assert!(tokens.find("other").unwrap().1.registries.are_all());
        let all = [Scope::Read, Scope::Generate, Scope::Publish, Scope::Admin];
        assert_eq!(all.map(|scope| ci.allows(scope)), [true, true, false, false]);
        assert_eq!(
            all.map(|scope| tokens.find("other").unwrap().1.allows(scope)),
            [false, false, false, true]
        );
        assert_eq!(all.map(|scope| tokens.find("old").unwrap().1.allows(scope)), [true, true, true, false]);
        assert!(tokens.find("unknown").is_none() && tokens.any_allows(Scope::Admin));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_changes() {
        let path = file("changes", &row("a", "one", &[Scope::Read], "", &[]));
        let tokens = Tokens::new(&[], Some(&path)).unwrap();
        let look = || tokens.current.lock().unwrap().looked = Instant::now() - LOOK;
        let two = row("a", "one", &[Scope::Read], "", &[]) + &row("b", "two", &[Scope::Read], "", &[]);
        fs::write(&path, two).unwrap();
        assert!(tokens.find("two").is_none(), "not yet");
        look();
        assert!(tokens.find("two").is_some() && tokens.find("one").is_some());
        // An unreadable file changes nothing.
        fs::write(&path, "[[token]]\nname = ").unwrap();
        look();
        assert!(tokens.find("two").is_some());
        fs::write(&path, "").unwrap();
        look();
        assert!(tokens.find("two").is_none(), "revoked");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn files_that_are_wrong() {
        let good = row("a", "one", &[Scope::Read], "", &["r.example/x".to_owned()]);
        for (text, why) in [
            (good.replace("read", "root"), "unknown variant `root`"),
            (good.replace("sha256", "token"), "unknown field `token`"),
            (good.replace("\"a\"", "\"a b\""), "a name has letters"),
            (
                good.replace("r.example/x", "r.example/X"),
                "'a': registries: 'r.example/X' is no part of a registry",
            ),
            (good.replace(&keys::sha256(b"one"), "x"), "is not 64 hex digits"),
            (format!("{good}{good}"), "is there twice"),
        ] {
            let path = file("wrong", &text);
            let error = Tokens::new(&[], Some(&path)).unwrap_err();
            assert!(error.contains(why) && error.contains("odsmith-tokens-wrong"), "{error}");
            fs::remove_file(path).unwrap();
        }
    }
}
