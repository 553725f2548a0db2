//! Subscriptions to private topics that came before their connection said who it is. The broker has acknowledged them, so
//! they are in its routing; this list keeps them from receiving anything until the connection is identified.
//!
//! The broker asks for the access of a subscription first. Then it routes the subscription, under the lock of the client's
//! session. Two things are held here while a private message is routed: `routing`, so that no further subscription begins to
//! wait, and the session lock of each client that waits already. Its subscriptions are removed under that lock: one that is
//! about to be routed comes after the message, and one that is routed already is removed before it.

use crate::access::MAX_SHOWN;
use mqtt5::broker::events::{SubAckReasonCode, SubscriptionInfo};
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::session_slot::SessionSlotGuard;
use mqtt5::broker::storage::{DynamicStorage, StorageBackend};
use platform::locks::lock;
use rules::{printable, printable_prefix};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The most subscriptions of a connection that wait.
const MAX_WAITING: usize = 32;
/// The most notes for a connection that wait.
const MAX_NOTES: usize = 8;

/// The number of a connection, which no other one has.
pub(crate) type ConnectionNumber = u64;

/// All waiting subscriptions of the broker.
pub(crate) struct WaitingSubscriptions {
    router: Arc<MessageRouter>,
    /// The sessions of all connections, where the broker keeps the options of subscriptions.
    sessions: Arc<DynamicStorage>,
    /// Held while a private message is routed.
    routing: tokio::sync::Mutex<()>,
    waiting: Mutex<Waiting>,
}

/// Keeps a private message from subscriptions that wait, until this is dropped.
pub(crate) struct HeldBack<'a> {
    _routing: tokio::sync::MutexGuard<'a, ()>,
    _sessions: Vec<SessionSlotGuard>,
}

#[derive(Default)]
struct Waiting {
    subscriptions: Vec<Subscription>,
    notes: Vec<Note>,
}

#[derive(Clone)]
struct Subscription {
    connection: ConnectionNumber,
    /// The identifier of the client.
    identifier: String,
    filter: String,
    /// The player whose topics the filter matches.
    owner: String,
    /// True once the broker has routed the subscription.
    is_granted: bool,
    /// True if the subscription is not in the routing now, and cannot come there any more by itself.
    is_removed: bool,
    /// True if the subscription was ever removed from the routing.
    was_removed: bool,
}

/// A message to the team of a connection that is not known yet.
struct Note {
    connection: ConnectionNumber,
    text: String,
}

impl WaitingSubscriptions {
    pub(crate) fn new(router: Arc<MessageRouter>, sessions: Arc<DynamicStorage>) -> WaitingSubscriptions {
        WaitingSubscriptions { router, sessions, routing: Default::default(), waiting: Mutex::default() }
    }

    /// Lets a subscription wait, before the broker routes it. False if too many of the connection wait already.
    pub(crate) async fn add(&self, connection: ConnectionNumber, identifier: &str, filter: &str, owner: &str) -> bool {
        let _routing = self.routing.lock().await;
        let mut waiting = lock(&self.waiting);
        waiting.subscriptions.retain(|other| other.connection != connection || other.filter != filter);
        if waiting.subscriptions.iter().filter(|other| other.connection == connection).count() >= MAX_WAITING {
            return false;
        }
        let (identifier, filter, owner) = (identifier.to_owned(), filter.to_owned(), owner.to_owned());
        let (is_granted, is_removed, was_removed) = (false, false, false);
        waiting.subscriptions.push(Subscription {
            connection,
            identifier,
            filter,
            owner,
            is_granted,
            is_removed,
            was_removed,
        });
        true
    }

    /// Keeps a note for the team of a connection; beyond some, notes are dropped.
    pub(crate) fn note(&self, connection: ConnectionNumber, text: String) {
        let mut waiting = lock(&self.waiting);
        if waiting.notes.iter().filter(|other| other.connection == connection).count() < MAX_NOTES {
            waiting.notes.push(Note { connection, text });
        }
    }

    /// Takes in the broker's answer to a SUBSCRIBE: the subscriptions that it granted are routed, the others are not.
    pub(crate) fn answered(&self, connection: ConnectionNumber, answers: &[SubscriptionInfo]) {
        let is_granted = |filter: &str| {
            let mut answers = answers.iter().filter(|answer| *answer.topic_filter == *filter).peekable();
            answers.peek()?;
            Some(answers.any(|answer| {
                use SubAckReasonCode::{GrantedQoS0, GrantedQoS1, GrantedQoS2};
                matches!(answer.result, GrantedQoS0 | GrantedQoS1 | GrantedQoS2)
            }))
        };
        lock(&self.waiting).subscriptions.retain_mut(|other| {
            let answer = if other.connection == connection { is_granted(&other.filter) } else { None };
            if answer == Some(true) {
                // It may have been removed before it was routed.
                (other.is_granted, other.is_removed) = (true, false);
            }
            answer != Some(false)
        });
    }

    /// Forgets subscriptions that the client has ended: the broker has removed them from its routing.
    pub(crate) fn unsubscribed(&self, connection: ConnectionNumber, filters: &[Arc<str>]) {
        let is_ended = |other: &Subscription| {
            other.connection == connection && filters.iter().any(|filter| **filter == *other.filter)
        };
        lock(&self.waiting).subscriptions.retain(|other| !is_ended(other));
    }

    /// Removes all subscriptions from the routing that wait for private messages of this player. The result has to be held
    /// until a message of the player is routed.
    pub(crate) async fn hold_back(&self, player: &str) -> HeldBack<'_> {
        let routing = self.routing.lock().await;
        let is_due = |other: &Subscription| other.owner == player && !other.is_removed;
        let clients: BTreeSet<String> = lock(&self.waiting)
            .subscriptions
            .iter()
            .filter(|other| is_due(other))
            .map(|other| other.identifier.clone())
            .collect();
        let mut sessions = Vec::new();
        for client in clients {
            sessions.push(self.router.lock_session(&client).await);
            // Under the lock: the client may have said who it is in the meantime.
            let mut due = lock(&self.waiting).subscriptions.clone();
            due.retain(|other| other.identifier == client && is_due(other));
            for subscription in due {
                self.router.unsubscribe(&client, &subscription.filter, None).await;
                let same = |other: &&mut Subscription| {
                    other.connection == subscription.connection && other.filter == subscription.filter
                };
                for other in lock(&self.waiting).subscriptions.iter_mut().filter(same) {
                    (other.is_removed, other.was_removed) = (other.is_granted, true);
                }
            }
        }
        HeldBack { _routing: routing, _sessions: sessions }
    }

    /// Ends the waiting of a connection that has said who it is: subscriptions to the private topics of its `team` take
    /// effect, all others are removed. Gives the notes for the team.
    pub(crate) async fn settle(&self, connection: ConnectionNumber, identifier: &str, team: &str) -> Vec<String> {
        let of_connection = |other: &Subscription| other.connection == connection;
        let mut notes = Vec::new();
        if lock(&self.waiting).subscriptions.iter().any(of_connection) {
            let _session = self.router.lock_session(identifier).await;
            let mut subscriptions = lock(&self.waiting).subscriptions.clone();
            subscriptions.retain(of_connection);
            for Subscription { filter, owner, was_removed, .. } in subscriptions {
                if owner != team {
                    self.router.unsubscribe(identifier, &filter, None).await;
                    notes.push(format!(
                        "{}: only {} may read this",
                        printable_prefix(&filter, MAX_SHOWN),
                        printable(&owner)
                    ));
                } else if was_removed {
                    self.route_again(identifier, &filter).await;
                }
            }
            lock(&self.waiting).subscriptions.retain(|other| !of_connection(other));
        }
        notes.extend(
            lock(&self.waiting).notes.extract_if(.., |note| note.connection == connection).map(|note| note.text),
        );
        notes
    }

    /// Routes a subscription that was removed, with the options of its SUBSCRIBE.
    async fn route_again(&self, identifier: &str, filter: &str) {
        // The memory that keeps the sessions does not fail.
        let Ok(Some(session)) = self.sessions.get_session(identifier).await else { return };
        let Some(options) = session.subscriptions.get(filter) else { return };
        // This fails only for options that the broker does not grant.
        let _ = self.router.subscribe(MessageRouter::stored_subscription_request(identifier, filter, options)).await;
    }

    /// Forgets a connection that has ended, and what it waited for.
    pub(crate) async fn forget(&self, connection: ConnectionNumber, identifier: &str) {
        if !lock(&self.waiting).subscriptions.iter().any(|other| other.connection == connection) {
            lock(&self.waiting).notes.retain(|note| note.connection != connection);
            return;
        }
        let held = self.router.lock_session(identifier).await;
        let mut ended = lock(&self.waiting).subscriptions.clone();
        ended.retain(|other| other.connection == connection);
        for subscription in ended {
            self.router.unsubscribe(identifier, &subscription.filter, None).await;
        }
        let mut waiting = lock(&self.waiting);
        // A newer connection of the same client waits on: what was removed for it is routed when it is identified.
        waiting.subscriptions.retain(|other| other.connection != connection);
        let newer = waiting.subscriptions.iter_mut().filter(|other| other.identifier == identifier);
        newer.for_each(|other| other.was_removed = true);
        waiting.notes.retain(|note| note.connection != connection);
        drop(held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mqtt5::QoS;
    use mqtt5::broker::router::SubscriptionRequest;
    use mqtt5::broker::storage::MemoryBackend;
    use tokio::runtime::Builder;
    use tokio::task::{spawn, yield_now};

    const FILTER: &str = "/players/A/hit";

    fn subscriptions() -> Arc<WaitingSubscriptions> {
        let sessions = Arc::new(DynamicStorage::Memory(MemoryBackend::new()));
        Arc::new(WaitingSubscriptions::new(Arc::new(MessageRouter::new()), sessions))
    }

    fn answer(result: SubAckReasonCode) -> [SubscriptionInfo; 1] {
        [SubscriptionInfo { topic_filter: FILTER.into(), qos: QoS::AtMostOnce, result }]
    }

    /// Subscribes, as the broker does for a client.
    async fn subscribe(waiting: &WaitingSubscriptions, connection: ConnectionNumber, client: &str) {
        assert!(waiting.add(connection, client, FILTER, "A").await);
        let session = waiting.router.lock_session(client).await;
        waiting.router.subscribe(SubscriptionRequest::new(client, FILTER, QoS::AtMostOnce)).await.unwrap();
        drop(session);
        waiting.answered(connection, &answer(SubAckReasonCode::GrantedQoS0));
    }

    /// Lets all other tasks run until they wait.
    async fn all_wait() {
        for _ in 0..100 {
            yield_now().await;
        }
    }

    #[test]
    fn a_subscription_that_comes_while_another_is_held_back_gets_no_message_either() {
        Builder::new_current_thread().build().unwrap().block_on(async {
            let waiting = subscriptions();
            let is_routed = |client| waiting.router.has_subscription(client, FILTER);
            subscribe(&waiting, 1, "slow").await;
            // The broker works on a long SUBSCRIBE of the first client, while a message is to be routed.
            let slow = waiting.router.lock_session("slow").await;
            let (done, may_route) = tokio::sync::oneshot::channel();
            let (ready, is_held) = tokio::sync::oneshot::channel();
            let routes = spawn({
                let waiting = Arc::clone(&waiting);
                async move {
                    let held = waiting.hold_back("A").await;
                    ready.send(()).unwrap();
                    may_route.await.unwrap();
                    drop(held);
                }
            });
            all_wait().await;
            let comes = spawn({
                let waiting = Arc::clone(&waiting);
                async move { subscribe(&waiting, 2, "fast").await }
            });
            all_wait().await;
            drop(slow);
            is_held.await.unwrap();
            assert!(!is_routed("slow").await && !is_routed("fast").await);
            done.send(()).unwrap();
            routes.await.unwrap();
            comes.await.unwrap();
            assert!(is_routed("fast").await, "it is routed after the message");
            drop(waiting.hold_back("A").await);
            assert!(!is_routed("fast").await, "and removed before the next one");
        });
    }

    #[test]
    fn a_later_connection_of_the_same_client_waits_for_itself() {
        Builder::new_current_thread().build().unwrap().block_on(async {
            let waiting = subscriptions();
            subscribe(&waiting, 1, "client").await;
            assert!(waiting.add(2, "client", FILTER, "A").await);
            // The first connection is answered late, and says who it is; the second one is not routed yet.
            waiting.answered(1, &answer(SubAckReasonCode::GrantedQoS0));
            drop(waiting.hold_back("A").await);
            waiting.settle(1, "client", "B").await;
            waiting.router.subscribe(SubscriptionRequest::new("client", FILTER, QoS::AtMostOnce)).await.unwrap();
            drop(waiting.hold_back("A").await);
            assert!(!waiting.router.has_subscription("client", FILTER).await);
        });
    }

    #[test]
    fn what_the_broker_refuses_or_the_client_ends_does_not_wait() {
        Builder::new_current_thread().build().unwrap().block_on(async {
            let waiting = subscriptions();
            assert!(waiting.add(1, "client", FILTER, "A").await);
            waiting.answered(1, &answer(SubAckReasonCode::QuotaExceeded));
            assert!(lock(&waiting.waiting).subscriptions.is_empty());
            subscribe(&waiting, 1, "client").await;
            waiting.unsubscribed(2, &[FILTER.into()]);
            assert_eq!(lock(&waiting.waiting).subscriptions.len(), 1);
            waiting.unsubscribed(1, &[FILTER.into()]);
            assert!(lock(&waiting.waiting).subscriptions.is_empty());
        });
    }
}
