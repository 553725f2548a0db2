//! Subscriptions to private topics that came before their connection said who it is. The broker has acknowledged them, so
//! they are in its routing; this list keeps them from receiving anything until the connection is identified.
//!
//! The broker acknowledges and routes a subscription in one go, under the lock of the client's session. So the lock is held
//! here while a private message is routed, and the subscriptions that wait for it are removed under the lock: one that is
//! about to be routed comes after the message, and one that is routed already is removed before it.

use mqtt5::QoS;
use mqtt5::broker::router::{MessageRouter, SubscriptionRequest};
use mqtt5::broker::session_slot::SessionSlotGuard;
use mqtt5::types::ProtocolVersion;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most subscriptions of a connection that wait.
const MAX_WAITING: usize = 32;
/// The most notes for a connection that wait.
const MAX_NOTES: usize = 8;

/// The number of a connection, which no other one has.
pub(crate) type ConnectionNumber = u64;

/// All waiting subscriptions of the broker.
pub(crate) struct WaitingSubscriptions {
    router: Arc<MessageRouter>,
    waiting: Mutex<Waiting>,
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
    version: ProtocolVersion,
    /// The granted quality of service, once the broker has routed the subscription.
    granted: Option<QoS>,
    /// True if the subscription is not in the routing now, and cannot come there any more by itself.
    is_removed: bool,
    /// True if the subscription was ever removed from the routing.
    was_removed: bool,
}

/// A message to the team of a connection that is not known yet.
struct Note {
    connection: ConnectionNumber,
    identifier: String,
    text: String,
}

impl WaitingSubscriptions {
    pub(crate) fn new(router: Arc<MessageRouter>) -> WaitingSubscriptions {
        WaitingSubscriptions { router, waiting: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a subscription wait, before the broker routes it. False if too many of the connection wait already.
    pub(crate) fn add(
        &self,
        connection: ConnectionNumber,
        identifier: &str,
        version: ProtocolVersion,
        filter: &str,
        owner: &str,
    ) -> bool {
        let mut waiting = self.lock();
        waiting.subscriptions.retain(|other| other.connection != connection || other.filter != filter);
        if waiting.subscriptions.iter().filter(|other| other.connection == connection).count() >= MAX_WAITING {
            return false;
        }
        let (identifier, filter, owner) = (identifier.to_owned(), filter.to_owned(), owner.to_owned());
        let (granted, is_removed, was_removed) = (None, false, false);
        waiting.subscriptions.push(Subscription {
            connection,
            identifier,
            filter,
            owner,
            version,
            granted,
            is_removed,
            was_removed,
        });
        true
    }

    /// Keeps a note for the team of a connection; beyond some, notes are dropped.
    pub(crate) fn note(&self, connection: ConnectionNumber, identifier: &str, text: String) {
        let mut waiting = self.lock();
        if waiting.notes.iter().filter(|other| other.connection == connection).count() < MAX_NOTES {
            waiting.notes.push(Note { connection, identifier: identifier.to_owned(), text });
        }
    }

    /// Takes in that the broker has routed a subscription with this quality of service.
    pub(crate) fn granted(&self, identifier: &str, filter: &str, qos: QoS) {
        let mut waiting = self.lock();
        let same = |other: &&mut Subscription| other.identifier == identifier && other.filter == filter;
        for subscription in waiting.subscriptions.iter_mut().filter(same) {
            // It may have been removed before it was routed.
            (subscription.granted, subscription.is_removed) = (Some(qos), false);
        }
    }

    /// Removes all subscriptions from the routing that wait for private messages of this player. The result has to be held
    /// until a message of the player is routed.
    pub(crate) async fn hold_back(&self, player: &str) -> Vec<SessionSlotGuard> {
        let is_due = |other: &Subscription| other.owner == player && !other.is_removed;
        let clients: BTreeSet<String> = self
            .lock()
            .subscriptions
            .iter()
            .filter(|other| is_due(other))
            .map(|other| other.identifier.clone())
            .collect();
        let mut held = Vec::new();
        for client in clients {
            held.push(self.router.lock_session(&client).await);
            // Under the lock: the client may have said who it is in the meantime.
            let mut due = self.lock().subscriptions.clone();
            due.retain(|other| other.identifier == client && is_due(other));
            for subscription in due {
                self.router.unsubscribe(&client, &subscription.filter, None).await;
                let same = |other: &&mut Subscription| {
                    other.connection == subscription.connection && other.filter == subscription.filter
                };
                for other in self.lock().subscriptions.iter_mut().filter(same) {
                    (other.is_removed, other.was_removed) = (other.granted.is_some(), true);
                }
            }
        }
        held
    }

    /// Ends the waiting of a client that has said who it is: subscriptions to the private topics of its `team` take effect,
    /// all others are removed. Gives the notes for the team.
    pub(crate) async fn settle(&self, identifier: &str, team: &str) -> Vec<String> {
        let of_client = |other: &Subscription| other.identifier == identifier;
        if !self.lock().subscriptions.iter().any(of_client)
            && !self.lock().notes.iter().any(|n| n.identifier == identifier)
        {
            return Vec::new();
        }
        let held = self.router.lock_session(identifier).await;
        let mut subscriptions = self.lock().subscriptions.clone();
        subscriptions.retain(of_client);
        let mut notes = Vec::new();
        for Subscription { filter, owner, version, granted, was_removed, .. } in subscriptions {
            if owner != team {
                self.router.unsubscribe(identifier, &filter, None).await;
                notes.push(format!("{}: only {} may read this", rules::printable(&filter), rules::printable(&owner)));
            } else if was_removed {
                let request = SubscriptionRequest::new(identifier, filter, granted.unwrap_or(QoS::AtMostOnce));
                // This fails only for options that are not set here.
                let _ = self.router.subscribe(request.with_protocol_version(version)).await;
            }
        }
        let mut waiting = self.lock();
        waiting.subscriptions.retain(|other| !of_client(other));
        let (of_team, others) =
            std::mem::take(&mut waiting.notes).into_iter().partition(|n: &Note| n.identifier == identifier);
        waiting.notes = others;
        drop(held);
        notes.extend(of_team.into_iter().map(|note| note.text));
        notes
    }

    /// Forgets a connection that has ended, and what it waited for.
    pub(crate) async fn forget(&self, connection: ConnectionNumber, identifier: &str) {
        if !self.lock().subscriptions.iter().any(|other| other.connection == connection) {
            self.lock().notes.retain(|note| note.connection != connection);
            return;
        }
        let held = self.router.lock_session(identifier).await;
        let mut ended = self.lock().subscriptions.clone();
        ended.retain(|other| other.connection == connection);
        for subscription in ended {
            self.router.unsubscribe(identifier, &subscription.filter, None).await;
        }
        let mut waiting = self.lock();
        // A newer connection of the same client waits on: what was removed for it is routed when it is identified.
        waiting.subscriptions.retain(|other| other.connection != connection);
        let newer = waiting.subscriptions.iter_mut().filter(|other| other.identifier == identifier);
        newer.for_each(|other| other.was_removed = true);
        waiting.notes.retain(|note| note.connection != connection);
        drop(held);
    }
}
