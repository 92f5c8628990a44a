//! Webhooks about changes of a catalogue, in the form of Standard Webhooks.
//!
//! ```text
//! webhook-id         chg_ and 32 digits of the change's digest
//! webhook-timestamp  seconds since 1970
//! webhook-signature  v1a, and the Ed25519 signature of "ID.TIMESTAMP.BODY" in base64
//! ```
//!
//! The state of the job is an artifact in the registry: the tags whose messages were sent. It is written after all
//! receivers have answered, so each message is sent at least once.

use std::time::Duration;

use odsmith_catalog::{
    catalog::to_json,
    changes::{Change, Changes, Snapshot},
};
use odsmith_registry::{
    client::Condition,
    digest::sha256,
    error::Error,
    manifest::{MANIFEST, Manifest, MediaTypes},
    reference::Reference,
};
use reqwest::Client;
use serde_json::{Value, json};

use crate::{pipeline::registry::Registries, store::signing::SigningKey};

/// The type of the artifact with the state.
const STATE: &str = "application/vnd.odsmith.catalog-state.v1+json";
/// The file name of its layer.
const STATE_TITLE: &str = "state.json";
/// The largest state, in bytes.
const MOST_STATE: u64 = 64 << 20;
/// The time for a receiver to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The tries of a message.
const TRIES: u32 = 3;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The id, which is the same each time.
    pub id: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Returns the messages about changes.
#[must_use]
pub fn messages(changes: &Changes) -> Vec<Message> {
    changes.changes.iter().map(|change| message(&changes.generation, change)).collect()
}

fn message(generation: &str, change: &Change) -> Message {
    let change = serde_json::to_value(change).unwrap_or_default();
    let kind = change["kind"].as_str().unwrap_or_default();
    let id = format!("chg_{}", &sha256(&to_json(&change))[..32]);
    let body: Value =
        json!({ "type": format!("dialects.{kind}"), "generation": generation, "change": change });
    Message { id, body: to_json(&body) }
}

/// Returns the value of `webhook-signature`.
#[must_use]
pub fn signature(key: &SigningKey, message: &Message, timestamp: u64) -> String {
    let signed = [format!("{}.{timestamp}.", message.id).as_bytes(), &message.body].concat();
    format!("v1a,{}", key.sign_bytes(&signed))
}

/// Sends a message to a receiver.
///
/// # Errors
/// The receiver cannot be reached, or does not take it.
pub async fn send(
    client: &Client,
    to: &str,
    key: &SigningKey,
    message: &Message,
    timestamp: u64,
) -> Result<(), String> {
    let mut failure = String::new();
    for number in 0..TRIES {
        if number > 0 {
            tokio::time::sleep(Duration::from_secs(u64::from(number))).await;
        }
        let sent = client
            .post(to)
            .timeout(PATIENCE)
            .header("content-type", "application/json")
            .header("webhook-id", &message.id)
            .header("webhook-timestamp", timestamp.to_string())
            .header("webhook-signature", signature(key, message, timestamp))
            .body(message.body.clone())
            .send();
        failure = match sent.await {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            Ok(answer) => format!("{to} answers {}", answer.status().as_u16()),
            Err(error) => format!("{to}: {}", error.without_url()),
        };
    }
    Err(failure)
}

/// Reads the state; nothing before the first run.
///
/// # Errors
/// The registry fails, or has something else there.
pub fn read_state(registries: &Registries, at: &Reference) -> Result<Option<Snapshot>, Error> {
    let client = registries.client()?;
    registries.wait(async {
        let Some(raw) = client.manifest(at, &at.key()).await? else { return Ok(None) };
        let wrong = |why: &str| Error::Refused(format!("{at}: {why}"));
        let manifest = Manifest::read(&raw.bytes).map_err(|why| wrong(&why))?;
        let [layer] = &manifest.layers[..] else { return Err(wrong("this is no state of a catalogue")) };
        if manifest.kind() != STATE {
            return Err(wrong("this is no state of a catalogue"));
        }
        let bytes = client.blob(at, layer, MOST_STATE).await?;
        serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(&error.to_string()))
    })
}

/// Writes the state.
///
/// # Errors
/// The registry fails or refuses.
pub fn write_state(
    registries: &Registries,
    at: &Reference,
    state: &Snapshot,
    types: MediaTypes,
) -> Result<(), Error> {
    let client = registries.client()?;
    let bytes = to_json(state);
    let manifest = Manifest::of_json(STATE, STATE_TITLE, &bytes, types).to_json();
    registries.wait(async {
        client.put_blob(at, b"{}", None).await?;
        client.put_blob(at, &bytes, None).await?;
        client.put_manifest(at, &at.key(), MANIFEST, &manifest, &Condition::Always).await.map(drop)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_ids_of_their_change() {
        let change = Change::Published {
            project: "a".to_owned(),
            version: "1.0.0".to_owned(),
            manifest: "sha256:00".to_owned(),
            verdict: None,
        };
        let [one, other] = ["g1", "g2"].map(|generation| message(generation, &change));
        assert_eq!(one.id, other.id);
        assert_eq!(one.id.len(), 36);
        assert_ne!(one.body, other.body);
        let body: Value = serde_json::from_slice(&one.body).expect("JSON");
        assert_eq!((&body["type"], &body["change"]["project"]), (&"dialects.published".into(), &"a".into()));
    }
}
