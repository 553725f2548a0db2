//! The beginning of a head: the name of its tournament on the server, the description that workers read, and the answers.

use crate::error::ClusterError;
use crate::wire::archive;
use crate::wire::archive::BOT;
use crate::wire::link::objects::KEPT;
use crate::wire::link::{Link, text};
use crate::wire::messages::{self, TournamentMessage};
use crate::wire::names;
use arena::{ArenaError, Interrupt};
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::ConsumerInfoErrorKind;
use futures_util::StreamExt;
use platform::files::{FileIdentity, identity};
use runner::{BotOptions, Context, Program, RunnerError, Silent, TEMPLATES};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The name of the tournament in this folder on servers: the same in every run, and another in a copy of the folder.
pub(crate) fn id_of(folder: &Path) -> Result<String, ClusterError> {
    let path = folder.join("cluster-name");
    let place = fs::metadata(folder).map_err(|e| ClusterError::disk("read", folder, e))?;
    // The number of the device may be another after a restart of the machine.
    let FileIdentity { number, .. } = identity(&place);
    let place = number.to_string();
    if let Ok(text) = fs::read_to_string(&path)
        && let Some((name, known)) = text.trim_end().split_once(' ')
        && known == place
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_hexdigit())
    {
        return Ok(name.to_owned());
    }
    let name = names::random_name();
    fs::write(&path, format!("{name} {place}\n")).map_err(|e| ClusterError::disk("write", &path, e))?;
    Ok(name)
}

/// True if the program of the bot in this folder can be started on this machine.
pub(crate) fn starts(folder: &Path, bots: &BotOptions, interrupt: &Interrupt) -> Result<bool, ClusterError> {
    let context = Context { interrupt: interrupt.clone(), reporter: Arc::new(Silent) };
    let failure = Program::start_failure(folder, Vec::new(), bots, &context).map_err(|error| match error {
        RunnerError::Arena(ArenaError::Interrupted) => ClusterError::Interrupted,
        error => ClusterError::Opening(runner::with_causes(&error)),
    })?;
    Ok(failure.is_none())
}

/// Keeps the description as an object, and gives its name.
pub(crate) fn keep_description(link: &Link, message: &TournamentMessage) -> Result<String, ClusterError> {
    let temporary = |e| ClusterError::disk("write to", &std::env::temp_dir(), e);
    let bytes = messages::write(message);
    let hash = archive::hash(&bytes[..]).map_err(temporary)?;
    let name = names::description(&hash);
    let mut file = tempfile::tempfile().map_err(temporary)?;
    std::io::Write::write_all(&mut file, &bytes).map_err(temporary)?;
    link.keep(&name, &mut file, &hash)?;
    Ok(name)
}

/// Keeps the archives of these bots as objects, by the numbers of their entrants.
pub(crate) fn keep_bots(
    link: &Link,
    folder: &Path,
    entrants: impl IntoIterator<Item = usize>,
) -> Result<BTreeMap<usize, String>, ClusterError> {
    let kept = entrants.into_iter().map(|number| {
        let (mut file, hash) = archive::pack(BOT, &template(folder, number))?;
        link.keep(&names::bot(&hash), &mut file, &hash)?;
        Ok((number, hash))
    });
    kept.collect()
}

/// The folder of an entrant as it was when it entered the tournament in `folder`.
pub(crate) fn template(folder: &Path, entrant: usize) -> PathBuf {
    folder.join(TEMPLATES).join(entrant.to_string())
}

/// The time for which answers are waited for.
const WAIT: Duration = Duration::from_secs(2);
/// The time after which the server should have said that there are none.
const MOST: Duration = Duration::from_secs(7);

/// Begins to listen for answers to jobs of the tournament. They come to the receiver; or an error, after which nothing comes.
pub(crate) fn listen(link: &Link, tournament: &str) -> Result<Receiver<Result<Message, ClusterError>>, ClusterError> {
    let stream = link.stream(names::ANSWERS)?;
    let config = pull::Config {
        durable_name: Some(tournament.to_owned()),
        filter_subject: names::answers(tournament),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        max_ack_pending: 100_000,
        inactive_threshold: KEPT,
        ..pull::Config::default()
    };
    let consumer = link.wait("listen for answers", async || {
        // One of an earlier run may still hold answers back that were given to it.
        let _ = stream.delete_consumer(tournament).await;
        stream.create_consumer(config.clone()).await.map_err(text)
    })?;
    let (sender, receiver) = channel();
    let name = tournament.to_owned();
    link.spawn(async move {
        loop {
            if let Ok(messages) = consumer.fetch().max_messages(100).expires(WAIT).messages().await {
                let mut messages = std::pin::pin!(messages);
                // Nobody ends the wait where the consumer is gone.
                while let Ok(Some(Ok(message))) = tokio::time::timeout(MOST, messages.next()).await {
                    if sender.send(Ok(message)).is_err() {
                        return;
                    }
                }
            } else {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            // A server that is away says nothing; one that was started with another store says no.
            let lost = stream.consumer_info(&name).await.err().map(|error| error.kind());
            if matches!(lost, Some(ConsumerInfoErrorKind::NotFound | ConsumerInfoErrorKind::StreamNotFound)) {
                let _ = sender.send(Err(ClusterError::Forgotten));
                return;
            }
        }
    });
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_folder_has_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second, moved] = ["first", "second", "moved"].map(|name| folder.path().join(name));
        fs::create_dir(&first).unwrap();
        let name = id_of(&first).unwrap();
        assert_eq!(id_of(&first).unwrap(), name);
        fs::create_dir(&second).unwrap();
        fs::copy(first.join("cluster-name"), second.join("cluster-name")).unwrap();
        assert_ne!(id_of(&second).unwrap(), name);
        fs::rename(&first, &moved).unwrap();
        assert_eq!(id_of(&moved).unwrap(), name);
    }
}
