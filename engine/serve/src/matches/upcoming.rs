//! The pairings that come next, as the scheduler will choose them if nothing else happens.

use crate::matches::health::HealthByBot;
use crate::matches::next_step::Playing;
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use std::collections::VecDeque;
use std::time::Instant;

/// The next pairings of the current tournament.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Upcoming {
    /// The next pairings, in the order in which they will be played.
    pub(crate) pairings: Vec<[BotId; 2]>,
    /// The number of pairings that are left out because a bot is parked.
    pub(crate) left_out: u32,
}

/// At most so many pairings that come next while these are being played. As in the scheduler, pairings of parked bots are left
/// out, and no bot plays two matches at the same time; the match that began first is taken to end first. Those of slow bots come
/// last: nobody knows how long the others will take.
pub(crate) fn upcoming(state: &ServerState, health: &HealthByBot, running: &[Playing], most: usize) -> Upcoming {
    let (mut left, mut left_out) = (Vec::new(), 0);
    let slow = health.slow(state, Instant::now());
    let is_played =
        |left: &(u32, [BotId; 2])| running.iter().any(|running| (running.tournament, running.bots) == *left);
    for (_, pairing) in state.pairings_left().filter(|left| !is_played(left)) {
        if pairing.iter().any(|bot| health.is_parked(*bot)) {
            left_out += 1;
        } else {
            left.push(pairing);
        }
    }
    left.sort_by_key(|pairing: &[BotId; 2]| slow.has(pairing));
    let mut playing: VecDeque<[BotId; 2]> = running.iter().map(|running| running.bots).collect();
    let at_once = (state.settings.parallel as usize).max(1);
    let mut pairings = Vec::new();
    while pairings.len() < most && !left.is_empty() {
        let is_free = |pairing: &[BotId; 2]| playing.iter().flatten().all(|bot| !pairing.contains(bot));
        match left.iter().position(is_free).filter(|_| playing.len() < at_once) {
            Some(at) => {
                let next = left.remove(at);
                playing.push_back(next);
                pairings.push(next);
            }
            // With nobody playing every pairing is free, so this comes to an end.
            None => drop(playing.pop_front()),
        }
    }
    Upcoming { pairings, left_out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::server_state::tests::{arena, begun, line, played, registered, state};
    use crate::state::settings::ServerSettings;
    use serde_json::json;

    fn five(parallel: u32) -> ServerState {
        let mut lines = vec![arena()];
        lines.extend((1..=5).map(|bot| registered(bot, &format!("bot {bot}"))));
        let settings = ServerSettings { parallel, ..ServerSettings::default() };
        lines.push(line(json!({"line": "settings", "settings": settings})));
        lines.push(begun(1, &[1, 2, 3, 4, 5]));
        state(&lines)
    }

    #[test]
    fn one_match_after_the_other_follows_the_order_without_the_one_that_is_played() {
        let mut state = five(1);
        let order: Vec<[BotId; 2]> = state.pairings_left().map(|(_, pairing)| pairing).collect();
        let nobody = HealthByBot::default();
        assert_eq!(upcoming(&state, &nobody, &[], 3).pairings, order[..3]);
        assert_eq!(
            upcoming(&state, &nobody, &[Playing { tournament: 1, bots: order[0], begun: Instant::now() }], 3).pairings,
            order[1..4]
        );
        state.take(&played(1, 1, order[0], None)).unwrap();
        assert_eq!(upcoming(&state, &nobody, &[], 99), Upcoming { pairings: order[1..].to_vec(), left_out: 0 });
    }

    #[test]
    fn parked_bots_are_left_out_and_counted() {
        let state = five(1);
        let mut health = HealthByBot::default();
        for _ in 0..3 {
            health.never_began(BotId(2), "refused", Instant::now());
        }
        let Upcoming { pairings, left_out } = upcoming(&state, &health, &[], 99);
        assert_eq!((pairings.len(), left_out), (6, 4));
        assert!(pairings.iter().flatten().all(|bot| *bot != BotId(2)));
    }

    #[test]
    fn with_two_matches_at_the_same_time_nobody_plays_two() {
        let state = five(2);
        let order: Vec<[BotId; 2]> = state.pairings_left().map(|(_, pairing)| pairing).collect();
        let next = upcoming(&state, &HealthByBot::default(), &[], 99).pairings;
        assert_eq!((next.len(), next[0]), (order.len(), order[0]));
        assert!(next[1].iter().all(|bot| !order[0].contains(bot)), "the second one begins beside the first");
    }
}
