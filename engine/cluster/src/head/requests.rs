//! The way of messages from workers to a head. They come signed; those of keys that are not listed are dropped unread.

use crate::error::ClusterError;
use crate::head::known_workers::is_listed;
use crate::head::objects::Objects;
use crate::wire::link::Link;
use crate::wire::messages::{self, JobRequest};
use crate::wire::names::{self, INBOX_OF_WORKERS};
use crate::wire::signing::{PublicKey, claimed_signer};
use async_nats::{Client, Message, Subject};
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The most requests that wait for the head. Those that are lost are made again.
const MOST_WAITING: usize = 2048;
/// The most bytes of these requests.
const MOST_BYTES: usize = 64 << 20;
/// The longest time for which a head waits until it has a job for a worker.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The bytes of a message beside its part of an object.
const BESIDE: usize = 4 << 10;
/// The most bytes of a part of an object.
pub(crate) const MOST_OF_PART: usize = 512 << 10;

/// A message of a worker.
pub(crate) struct Request {
    /// The subject of the answer.
    pub(crate) reply: Subject,
    pub(crate) what: Wish,
    /// Counts its bytes as long as it is there.
    _bytes: Queued,
}

/// What a worker wants.
pub(crate) enum Wish {
    /// The worker with this key wants a job, until then.
    Job(PublicKey, JobRequest, Instant),
    /// To tell the result of a job: a message whose signature nobody has checked.
    Answer(Message),
    /// To send a part of the files of a job: such a message, too.
    File(Message),
}

/// The bytes of a request that waits.
struct Queued(Arc<AtomicUsize>, usize);

impl Queued {
    /// Counts so many bytes; `None` if that are too many.
    fn new(all: &Arc<AtomicUsize>, bytes: usize) -> Option<Queued> {
        let queued = Queued(Arc::clone(all), bytes);
        (all.fetch_add(bytes, Ordering::Relaxed) + bytes <= MOST_BYTES).then_some(queued)
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// The way of requests to a head.
struct Inlet {
    client: Client,
    run: String,
    objects: Objects,
    listed: Vec<PublicKey>,
    sender: SyncSender<Request>,
    bytes: Arc<AtomicUsize>,
}

/// Begins to hear what workers send in this run. Parts of objects are given at once, the rest comes to the receiver.
///
/// # Errors
/// The connection is closed.
pub(crate) fn hear(
    link: &Link,
    run: &str,
    objects: Objects,
    listed: &[PublicKey],
) -> Result<Receiver<Request>, ClusterError> {
    let mut heard = link.hear(names::to_head(run, "*"))?;
    let (client, run, listed) = (link.client.clone(), run.to_owned(), listed.to_vec());
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let inlet = Inlet { client, run, objects, listed, sender, bytes: Arc::default() };
    link.spawn(async move {
        while let Some(message) = heard.next().await {
            inlet.take(message).await;
        }
    });
    Ok(receiver)
}

impl Inlet {
    /// Takes one message. What cannot be read has no answer.
    async fn take(&self, message: Message) {
        // The head may write everywhere, and does not do it for others.
        let reply = message.reply.clone().filter(|reply| reply.starts_with(INBOX_OF_WORKERS));
        let Some(reply) = reply else { return };
        if !claimed_signer(&message.payload).is_some_and(|key| is_listed(&key, &self.listed)) {
            let _ = self.client.publish(reply, messages::REFUSED.into()).await;
            return;
        }
        let length = message.payload.len();
        let what = match names::kind_of(&message.subject) {
            names::JOB => self.job(&message.payload),
            names::ANSWER => Some(Wish::Answer(message)),
            names::FILE => Some(Wish::File(message)),
            names::OBJECT => {
                let most = MOST_OF_PART.min(self.client.server_info().max_payload.saturating_sub(BESIDE));
                if let Some(part) = self.object(&message.payload, most) {
                    let _ = self.client.publish(reply, part.into()).await;
                }
                return;
            }
            _ => None,
        };
        if let (Some(what), Some(bytes)) = (what, Queued::new(&self.bytes, length)) {
            let _ = self.sender.try_send(Request { reply, what, _bytes: bytes });
        }
    }

    fn job(&self, payload: &[u8]) -> Option<Wish> {
        let (key, of, packed) = messages::read_to_head(names::JOB, payload).ok()?;
        // One for another run was for that.
        let request = messages::read_request(packed).ok().filter(|_| of == self.run)?;
        let until = Instant::now() + Duration::from_millis(request.wait_ms).min(LONGEST_WAIT);
        Some(Wish::Job(key, request, until))
    }

    /// The line has the run, the hash of the object and the place of the part.
    fn object(&self, payload: &[u8], most: usize) -> Option<Vec<u8>> {
        let (_, line, _) = messages::read_to_head(names::OBJECT, payload).ok()?;
        let mut words = line.split(' ');
        let (of, hash, offset) = (words.next()?, words.next()?, words.next()?);
        (of == self.run).then_some(self.objects.part(hash, offset.parse().ok()?, most))
    }
}
