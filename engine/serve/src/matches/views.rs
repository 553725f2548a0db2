//! Views of the state: bots, leaderboards, the tournament and the final for everyone, and the status for the administrator.

use crate::matches::finals::view::FinalView;
use crate::matches::health::Health;
use crate::matches::host::MatchHost;
use crate::matches::running_matches::RunningMatch;
use crate::matches::upcoming::{Upcoming, upcoming};
use crate::state::journal_line::TournamentMode;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::Trouble;
use crate::state::server_state::ServerState;
use crate::state::wire::{
    BotState, BotView, Leaderboards, OpenTournamentView, RunningMatchView, Status, TournamentView,
};
use arena::record::milliseconds;
use chrono::Utc;
use std::time::Instant;

/// The number of pairings that are announced in advance.
const NEXT: usize = 5;

/// The bots in the order of registration, with their URLs for the administrator.
pub(crate) fn bots(host: &MatchHost, with_urls: bool) -> Vec<BotView> {
    let now = Instant::now();
    host.store.look(|state| {
        let health = host.health();
        let slow = health.slow(state, now).bots;
        let view = |entry: &RegisteredBot| {
            let shown = [with_urls, slow.contains(&entry.id)];
            view(entry, &health.of(entry.id), shown, now)
        };
        state.bots().map(view).collect()
    })
}

/// A bot as its owner may see it.
pub(crate) fn own(host: &MatchHost, entry: &RegisteredBot) -> BotView {
    host.store.look(|state| {
        let health = host.health();
        let now = Instant::now();
        let is_slow = health.slow(state, now).bots.contains(&entry.id);
        view(entry, &health.of(entry.id), [true, is_slow], now)
    })
}

/// Both leaderboards.
pub(crate) fn leaderboards(host: &MatchHost) -> Leaderboards {
    host.store.look(ServerState::leaderboards)
}

/// The current tournament, or the last one.
pub(crate) fn tournament(host: &MatchHost) -> TournamentView {
    let matches = host.running.lock();
    let view = host.store.look(|state| {
        let present = state.tournament.as_ref();
        let name = |bot| state.bot(bot).map_or_else(String::new, |entry| entry.name.to_string());
        let is_over = present.is_none_or(|tournament| tournament.is_over);
        let playing = matches.playing();
        let Upcoming { pairings, left_out } = upcoming(state, &host.health(), &playing, NEXT);
        TournamentView {
            mode: state.mode,
            running: state.mode != TournamentMode::Stopped,
            paused: state.mode == TournamentMode::Paused,
            number: present.map_or(0, |tournament| tournament.number),
            over: is_over,
            played: present.map_or(0, |tournament| tournament.played.len() as u32),
            planned: present.map_or(0, |tournament| tournament.order.len() as u32),
            now: matches.running.keys().copied().collect(),
            next: pairings.into_iter().map(|pairing| pairing.map(name)).collect(),
            left_out,
            previous: state.previous.last().map(|previous| OpenTournamentView {
                number: previous.number,
                left: state.left_in(previous).count() as u32,
            }),
            since: state.mode_since.clone(),
            words: String::new(),
            waiting: matches.waiting.map(str::to_owned),
        }
    });
    TournamentView { words: view.describe(), ..view }
}

/// The status for the administrator.
pub(crate) fn status(host: &MatchHost) -> Status {
    let failed = host.running.lock().trouble.clone().or_else(|| host.store.index.trouble());
    let paused = || {
        let since_and_why = |state: &ServerState| state.mode_since.clone().zip(state.mode_why.clone());
        host.store.look(since_and_why).map(|(since, text)| Trouble { text, since })
    };
    let trouble = failed.or_else(paused);
    Status {
        tournament: tournament(host),
        settings: host.store.look(|state| state.settings),
        bots: bots(host, true),
        listeners: host.events.viewers(),
        matches: running(host),
        trouble_since: trouble.as_ref().map(|trouble| trouble.since.clone()),
        trouble: trouble.map(|trouble| trouble.text),
    }
}

/// The matches of tournaments that are being played.
fn running(host: &MatchHost) -> Vec<RunningMatchView> {
    let matches = host.running.lock();
    host.store.look(|state| {
        let name = |bot| state.bot(bot).map_or_else(String::new, |entry| entry.name.to_string());
        let of_tournaments = matches.running.iter().filter(|(_, running)| running.tournament > 0);
        let view = |(id, running): (&u64, &RunningMatch)| RunningMatchView {
            id: *id,
            tournament: running.tournament,
            names: running.bots.map(name),
        };
        of_tournaments.map(view).collect()
    })
}

/// The final as the screens have shown it so far.
pub(crate) fn present_final(host: &MatchHost) -> FinalView {
    let matches = host.running.lock();
    host.store.look(|state| FinalView::of(state, &host.health(), Utc::now(), matches.on_screen))
}

/// A bot: with its URL or not, slow or not.
fn view(entry: &RegisteredBot, health: &Health, [with_url, is_slow]: [bool; 2], now: Instant) -> BotView {
    let state = match (&entry.url, &health.parked, health.reachable) {
        (None, ..) => BotState::NoUrl,
        (_, Some(_), _) => BotState::Parked,
        (_, _, Some(true)) => BotState::Reachable,
        (_, _, Some(false)) => BotState::Unreachable,
        (_, _, None) => BotState::Unknown,
    };
    let parked = health.parked.as_ref();
    let fault = parked.map(|parked| parked.why.clone());
    BotView {
        id: entry.id.to_string(),
        name: entry.name.to_string(),
        bot_url: entry.url.as_ref().filter(|_| with_url).map(|url| url.as_str().to_owned()),
        has_url: entry.url.is_some(),
        created_at: entry.registered.clone(),
        last_update_at: entry.updated.clone(),
        stats: entry.all,
        state,
        slow: is_slow,
        latency_ms: health.latency.map(milliseconds).or(entry.median_ms),
        last_fault: fault.or_else(|| health.fault.clone()).or_else(|| entry.fault.clone()),
        asked_again_in_s: parked.map(|parked| parked.next.saturating_duration_since(now).as_secs()),
    }
}
