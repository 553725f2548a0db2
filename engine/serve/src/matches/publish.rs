//! The events about changes of the server's state. Each is made and published under one lock, so that no older event follows a
//! newer one.

use crate::matches::host::MatchHost;
use crate::matches::views;
use crate::state::wire::{BotState, BotView};
use serde::Serialize;
use web::EventScope;

/// Publishes an event of this kind.
pub(crate) fn event(host: &MatchHost, kind: &'static str, scope: EventScope, event: &impl Serialize) {
    let json = serde_json::to_string(event).expect("events have string keys and finite numbers");
    host.events.publish(kind, scope, &json);
}

/// Publishes all topics, for listeners that connect later.
pub(crate) fn all(host: &MatchHost) {
    settings(host);
    bots(host);
    leaderboard(host);
    tournament(host);
    present_final(host);
}

/// Publishes the settings.
pub(crate) fn settings(host: &MatchHost) {
    topic(host, "settings", |host| host.store.look(|state| state.settings));
}

/// Publishes the bots.
pub(crate) fn bots(host: &MatchHost) {
    let mut states = host.published();
    let bots = views::bots(host, false);
    *states = states_of(&bots);
    event(host, "bots", EventScope::TOPIC, &bots);
}

/// Publishes the bots if the state of one has changed since the last time, e.g. because it stopped answering.
pub(crate) fn changed_bots(host: &MatchHost) {
    let changed = *host.published() != states_of(&views::bots(host, false));
    if changed {
        bots(host);
    }
}

/// Publishes both leaderboards.
pub(crate) fn leaderboard(host: &MatchHost) {
    topic(host, "leaderboard", views::leaderboards);
    // The bots of a final that is planned follow from the leaderboard.
    if host.store.look(|state| state.present_final.as_ref().is_some_and(|present| present.lineup.is_none())) {
        present_final(host);
    }
}

/// Publishes the final.
pub(crate) fn present_final(host: &MatchHost) {
    topic(host, "final", views::present_final);
}

/// Publishes the current tournament.
pub(crate) fn tournament(host: &MatchHost) {
    topic(host, "tournament", views::tournament);
}

fn topic<T: Serialize>(host: &MatchHost, name: &'static str, make: impl FnOnce(&MatchHost) -> T) {
    let _publishing = host.published();
    event(host, name, EventScope::TOPIC, &make(host));
}

/// The number of each bot, its state, and if it is slow.
fn states_of(bots: &[BotView]) -> Vec<(String, BotState, bool)> {
    bots.iter().map(|bot| (bot.id.clone(), bot.state, bot.slow)).collect()
}
