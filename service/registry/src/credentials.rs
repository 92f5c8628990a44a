//! Users and passwords: those of the command line, or those that Docker and Podman keep.
//!
//! Their `Debug` form shows no secret, so that none reaches a log.

use std::{env, fmt, fs::File, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use docker_credential::{CredentialRetrievalError, DockerCredential, get_credential_from_reader};

/// A login for a registry.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// A user and a password.
    Basic {
        /// The user.
        user: String,
        /// The password or token.
        password: String,
    },
    /// A token that a token server exchanges.
    Identity(String),
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login(…)")
    }
}

impl Login {
    /// Returns the value of the header `Authorization`, for a user with a password.
    #[must_use]
    pub fn basic(&self) -> Option<String> {
        match self {
            Login::Basic { user, password } => {
                Some(format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))))
            }
            Login::Identity(_) => None,
        }
    }
}

/// The sources of logins.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// A login for every registry of this process.
    pub own: Option<Login>,
    /// True if no file is read.
    pub is_closed: bool,
}

impl Credentials {
    /// Returns the login for a host, if there is one.
    ///
    /// # Errors
    /// A file with logins or a helper program fails.
    pub fn of(&self, host: &str) -> Result<Option<Login>, String> {
        if self.own.is_some() || self.is_closed {
            return Ok(self.own.clone());
        }
        // Docker's own registry is filed under an address of its first version.
        let names: &[&str] = match host {
            "docker.io" | "registry-1.docker.io" => &["https://index.docker.io/v1/", host],
            _ => &[host],
        };
        for place in places() {
            for name in names {
                let Ok(file) = File::open(&place) else { continue };
                match get_credential_from_reader(file, name) {
                    Ok(DockerCredential::UsernamePassword(user, password)) if user == "<token>" => {
                        return Ok(Some(Login::Identity(password)));
                    }
                    Ok(DockerCredential::UsernamePassword(user, password)) => {
                        return Ok(Some(Login::Basic { user, password }));
                    }
                    Ok(DockerCredential::IdentityToken(token)) => return Ok(Some(Login::Identity(token))),
                    // A helper without a login for this host says so by failing.
                    Err(
                        CredentialRetrievalError::NoCredentialConfigured
                        | CredentialRetrievalError::HelperFailure { .. },
                    ) => {}
                    // Its text may hold the secret.
                    Err(CredentialRetrievalError::ConfigReadError) => {
                        return Err(format!("{}: it cannot be read", place.display()));
                    }
                    Err(_) => {
                        return Err(format!("{}: the login for {host} cannot be read", place.display()));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Returns the files with logins, in the order in which they count.
fn places() -> Vec<PathBuf> {
    let of = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = of("HOME");
    let docker = of("DOCKER_CONFIG").or_else(|| Some(home.as_ref()?.join(".docker")));
    let runtime = of("XDG_RUNTIME_DIR").map(|folder| folder.join("containers/auth.json"));
    let config = of("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
    let config = config.map(|folder| folder.join("containers/auth.json"));
    [docker.map(|folder| folder.join("config.json")), of("REGISTRY_AUTH_FILE"), runtime, config]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let login = Login::Basic { user: "u".to_owned(), password: "secret".to_owned() };
        assert!(!format!("{login:?}").contains("secret"));
        assert_eq!(login.basic().as_deref(), Some("Basic dTpzZWNyZXQ="));
    }
}
