//! The errors of a registry, with its own words.

use std::fmt;

use serde::Deserialize;

use super::digest::Digest;

/// An error of a registry or of the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The registry cannot be reached, broke off, or fails.
    Unavailable(String),
    /// There is no login, or the login does not suffice.
    Denied(String),
    /// The repository, the tag or the manifest does not exist.
    NotFound(String),
    /// The registry refused a request.
    Refused(String),
    /// The bytes differ from their descriptor.
    Forged(String),
    /// An address that may not be connected to.
    Forbidden(String),
    /// Something is larger than its limit.
    Limit(String),
}

impl Error {
    /// Returns whether another try may succeed.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, Error::Unavailable(_))
    }

    /// Returns the exit code of a command that ends with it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Error::Denied(_)) { 6 } else { 5 }
    }

    /// Puts a text before the message.
    #[must_use]
    pub fn context(self, text: &str) -> Error {
        let with = |message: String| format!("{text}: {message}");
        match self {
            Error::Unavailable(message) => Error::Unavailable(with(message)),
            Error::Denied(message) => Error::Denied(with(message)),
            Error::NotFound(message) => Error::NotFound(with(message)),
            Error::Refused(message) => Error::Refused(with(message)),
            Error::Forged(message) => Error::Forged(with(message)),
            Error::Forbidden(message) => Error::Forbidden(with(message)),
            Error::Limit(message) => Error::Limit(with(message)),
        }
    }

    /// Creates the error of bytes with another digest.
    #[must_use]
    pub fn other_digest(what: &str, expected: &Digest, seen: &Digest) -> Error {
        Error::Forged(format!("{what} has the digest {seen}, and not {expected}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unavailable(message)
            | Error::Denied(message)
            | Error::NotFound(message)
            | Error::Refused(message)
            | Error::Forged(message)
            | Error::Forbidden(message)
            | Error::Limit(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// The longest text of a registry in a message.
const MOST_CHARS: usize = 200;

/// Returns the words of a registry's answer: those of its errors, or the beginning of a text.
#[must_use]
pub fn words(body: &[u8]) -> String {
    /// The body of an answer with errors.
    #[derive(Deserialize)]
    struct Body {
        errors: Vec<Item>,
    }
    /// One of them.
    #[derive(Deserialize)]
    struct Item {
        #[serde(default)]
        code: String,
        #[serde(default)]
        message: String,
        #[serde(default)]
        detail: serde_json::Value,
    }
    let text = match serde_json::from_slice::<Body>(body) {
        Ok(body) => {
            let each = body.errors.iter().map(|Item { code, message, detail }| {
                let detail = detail.as_str().map(|detail| format!(" ({detail})")).unwrap_or_default();
                format!("{code}: {message}{detail}")
            });
            each.collect::<Vec<_>>().join("; ")
        }
        Err(_) => String::from_utf8_lossy(body).trim().to_owned(),
    };
    // A registry is another's: its text reaches a terminal.
    text.chars().filter(|c| !c.is_control()).take(MOST_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_registries() {
        let body = br#"{"errors":[{"code":"DENIED","message":"push to x","detail":null},{"code":"A","message":"b","detail":"c"}]}"#;
        assert_eq!(words(body), "DENIED: push to x; A: b (c)");
        assert_eq!(words(b"Method not\x1b[31m allowed\n"), "Method not[31m allowed");
    }
}
