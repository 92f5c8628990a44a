//! Signatures: an Ed25519 key, and the DSSE envelope around a signed payload.
//!
//! ```text
//! envelope   { payload: base64, payloadType, signatures: [{ keyid, sig: base64 }] }
//! signed     "DSSEv1" SP length(type) SP type SP length(payload) SP payload
//! ```
//!
//! Keys are files in the form of `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout`.

use std::{fmt, fs, path::Path};

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::store::{disk::reason, keys};

/// The type of an envelope's payload: an in-toto statement.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// The bytes before an Ed25519 key in the form of public keys (SPKI).
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// A signed payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Signature {
    #[serde(default)]
    keyid: String,
    sig: String,
}

/// A private key that signs.
pub struct SigningKey {
    pair: Ed25519KeyPair,
    public: PublicKey,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public.id())
    }
}

/// A public key that checks signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl SigningKey {
    /// Reads the key in a file.
    ///
    /// # Errors
    /// The file cannot be read, or contains no such key.
    pub fn read(path: &Path) -> Result<SigningKey, String> {
        let wrong = |why: &str| format!("signing_key_file: {}: {why}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(&reason(&error)))?;
        let none = || wrong("no Ed25519 key as `openssl genpkey -algorithm ed25519` makes one");
        let der = pem(&text, "PRIVATE KEY").ok_or_else(none)?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der).map_err(|_| none())?;
        let public = pair.public_key().as_ref().try_into().map_err(|_| none())?;
        Ok(SigningKey { pair, public: PublicKey(public) })
    }

    /// Returns the public key.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        self.public
    }

    /// Returns a secret that only holders of this key can derive, for the seal of results that it may sign later.
    #[must_use]
    pub fn secret(&self) -> Vec<u8> {
        // An Ed25519 signature is deterministic, and no envelope contains one of these bytes.
        self.pair.sign(b"odsmith: seal of the store").as_ref().to_vec()
    }

    /// Signs bytes of another form than envelopes; returns the signature in base64.
    #[must_use]
    pub fn sign_bytes(&self, bytes: &[u8]) -> String {
        keys::base64(self.pair.sign(bytes).as_ref())
    }

    /// Signs a statement.
    #[must_use]
    pub fn sign(&self, statement: &[u8]) -> Envelope {
        let signature = self.pair.sign(&encoded(PAYLOAD_TYPE, statement));
        Envelope {
            payload: keys::base64(statement),
            payload_type: PAYLOAD_TYPE.to_owned(),
            signatures: vec![Signature { keyid: self.public.id(), sig: keys::base64(signature.as_ref()) }],
        }
    }
}

impl PublicKey {
    /// Reads the key in a file.
    ///
    /// # Errors
    /// The file cannot be read, or contains no such key.
    pub fn read(path: &Path) -> Result<PublicKey, String> {
        let wrong = |why: &str| format!("{}: {why}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(&reason(&error)))?;
        let key = pem(&text, "PUBLIC KEY").and_then(|der| der.strip_prefix(&SPKI)?.try_into().ok());
        key.map(PublicKey).ok_or_else(|| wrong("no Ed25519 key as `openssl pkey -pubout` writes one"))
    }

    /// Returns the key as a PEM file.
    #[must_use]
    pub fn to_pem(self) -> String {
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", keys::base64(&self.der()))
    }

    /// Returns its id in envelopes.
    #[must_use]
    pub fn id(self) -> String {
        keys::sha256(&self.der())
    }

    /// Returns the statement in an envelope.
    ///
    /// # Errors
    /// It contains no statement, or is not signed by this key.
    pub fn open(self, envelope: &Envelope) -> Result<Vec<u8>, String> {
        if envelope.payload_type != PAYLOAD_TYPE {
            return Err(format!("it holds '{}', and not an in-toto statement", envelope.payload_type));
        }
        let payload = keys::from_base64(&envelope.payload).ok_or("its payload is not base64")?;
        let signed = encoded(PAYLOAD_TYPE, &payload);
        let key = UnparsedPublicKey::new(&ED25519, self.0);
        let is_good = |signature: &Signature| {
            keys::from_base64(&signature.sig).is_some_and(|bytes| key.verify(&signed, &bytes).is_ok())
        };
        match envelope.signatures.iter().any(is_good) {
            true => Ok(payload),
            false => Err(format!("it is not signed by the key {}", self.id())),
        }
    }

    fn der(self) -> Vec<u8> {
        [&SPKI[..], &self.0].concat()
    }
}

/// Returns the signed bytes of a payload.
fn encoded(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

/// Returns the bytes of a PEM file of one kind.
fn pem(text: &str, kind: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once(&format!("-----BEGIN {kind}-----"))?;
    let (body, _) = rest.split_once(&format!("-----END {kind}-----"))?;
    keys::from_base64(&body.split_ascii_whitespace().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in RFC 8410, section 10.
    const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\n\
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";
    const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\n\
        MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";

    fn file(name: &str, text: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("odsmith-signing-{name}-{}", std::process::id()));
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn what_is_signed_opens_and_nothing_else() {
        let (private, public) = (file("private", PRIVATE), file("public", PUBLIC));
        let (key, public_key) = (SigningKey::read(&private).unwrap(), PublicKey::read(&public).unwrap());
        assert_eq!((key.public(), key.public().to_pem()), (public_key, PUBLIC.to_owned()));
        let envelope = key.sign(b"{}");
        assert_eq!(public_key.open(&envelope).unwrap(), b"{}");
        let other = Envelope { payload: keys::base64(b"{ }"), ..envelope.clone() };
        assert!(public_key.open(&other).unwrap_err().contains("not signed by the key"));
        let typed = Envelope { payload_type: "text/plain".into(), ..envelope.clone() };
        assert!(public_key.open(&typed).unwrap_err().contains("text/plain"));
        let unsigned = Envelope { signatures: Vec::new(), ..envelope };
        assert!(public_key.open(&unsigned).is_err());
        assert!(SigningKey::read(&public).unwrap_err().contains("openssl genpkey"));
        assert!(PublicKey::read(&private).unwrap_err().contains("openssl pkey"));
        for path in [private, public] {
            fs::remove_file(path).unwrap();
        }
    }

    /// The example of the DSSE specification.
    #[test]
    fn what_is_signed_of_a_payload() {
        let signed = encoded("http://example.com/HelloWorld", b"hello world");
        assert_eq!(signed, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }
}
