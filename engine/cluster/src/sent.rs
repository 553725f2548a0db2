//! The beginning of a head: the name of its tournament on the server, the description that workers read, and the answers.

use crate::link::{Link, text};
use crate::messages::{self, TournamentMessage};
use crate::{ClusterError, archive, names};
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures_util::StreamExt;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A name that nothing else has.
pub(crate) fn random_name() -> String {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The name of the tournament in this folder on servers: the same in every run.
pub(crate) fn id_of(folder: &Path) -> Result<String, ClusterError> {
    let path = folder.join("cluster-name");
    if let Ok(name) = fs::read_to_string(&path)
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_hexdigit())
    {
        return Ok(name);
    }
    let name = random_name();
    fs::write(&path, &name).map_err(|e| ClusterError::disk("write", &path, e))?;
    Ok(name)
}

/// Keeps the description as an object, and gives its name.
pub(crate) fn keep_description(link: &Link, message: &TournamentMessage) -> Result<String, ClusterError> {
    let temporary = |e| ClusterError::disk("write to", &std::env::temp_dir(), e);
    let bytes = messages::write(message);
    let name = names::description(&archive::hash(&bytes[..]).map_err(temporary)?);
    let mut file = tempfile::tempfile().map_err(temporary)?;
    std::io::Write::write_all(&mut file, &bytes).map_err(temporary)?;
    std::io::Seek::rewind(&mut file).map_err(temporary)?;
    link.keep(&name, &file)?;
    Ok(name)
}

/// Begins to listen for answers to jobs of the tournament. They come to the receiver.
pub(crate) fn listen(link: &Link, tournament: &str) -> Result<Receiver<Message>, ClusterError> {
    let stream = link.stream(names::ANSWERS)?;
    let config = pull::Config {
        durable_name: Some(tournament.to_owned()),
        filter_subject: names::answers(tournament),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        max_ack_pending: 100_000,
        ..pull::Config::default()
    };
    let consumer = link.wait("listen for answers", async || {
        // One of an earlier run may still hold answers back that were given to it.
        let _ = stream.delete_consumer(tournament).await;
        stream.create_consumer(config.clone()).await.map_err(text)
    })?;
    let (sender, receiver): (Sender<Message>, _) = channel();
    link.spawn(async move {
        loop {
            let Ok(messages) = consumer.fetch().max_messages(100).expires(Duration::from_secs(2)).messages().await
            else {
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            };
            let mut messages = std::pin::pin!(messages);
            while let Some(message) = messages.next().await {
                let Ok(message) = message else { break };
                if sender.send(message).is_err() {
                    return;
                }
            }
        }
    });
    Ok(receiver)
}
