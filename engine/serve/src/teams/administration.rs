//! Commands of the administrator: start, pause, resume, end a tournament, skip a match, declare matches void, remove a bot, clear the
//! history, change settings.

use crate::matches::host::MatchHost;
use crate::matches::publish;
use crate::matches::records;
use crate::matches::records::Sweep;
use crate::state::journal_line::{ServerJournalLine, TournamentMode, now, written};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use crate::state::settings::{ServerSettings, SettingsChange};
use chrono::{DateTime, Datelike};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Enters the mode, unless it is the current one. Paused, no match begins; matches that are being played are played
/// to their end.
pub(crate) async fn set_mode(host: &Arc<MatchHost>, mode: TournamentMode) -> RequestResult<()> {
    if mode == TournamentMode::Running {
        host.health().forget_absences();
    }
    if host.store.look(|state| state.mode) != mode {
        host.enter(move |_| Ok(ServerJournalLine::Mode { mode, why: None, at: now() })).await?;
    }
    host.running.hurry();
    publish::tournament(host);
    Ok(())
}

/// Pauses or resumes tournaments that were started before.
pub(crate) async fn switch_mode(host: &Arc<MatchHost>, mode: TournamentMode) -> RequestResult<()> {
    match host.store.look(|state| state.mode) {
        TournamentMode::Stopped => Err(RequestError::conflict("no tournament was started yet")),
        _ => set_mode(host, mode).await,
    }
}

/// Ends the tournament that is being played, and the one before if matches are left in it. Results stay; matches that are being
/// played end without one.
pub(crate) async fn end_tournament(host: &Arc<MatchHost>) -> RequestResult<()> {
    let open: Vec<u32> = host.store.look(|state| state.all_open().map(|open| open.number).collect());
    if open.is_empty() {
        return Err(RequestError::conflict("no tournament is being played"));
    }
    for number in open.iter().rev().copied() {
        let ended = host.enter(move |state| {
            let over = || RequestError::conflict(format!("tournament {number} is over already"));
            let unplayed = state.left_in(state.open(number).ok_or_else(over)?).count() as u32;
            Ok(ServerJournalLine::TournamentEnded { number, unplayed, at: now() })
        });
        match ended.await {
            // The scheduler was faster.
            Err(error) if error.cause.is_none() => {}
            ended => drop(ended?),
        }
    }
    host.running.break_off("the tournament was ended", |_, running| open.contains(&running.tournament));
    host.running.hurry();
    publish::leaderboard(host);
    publish::tournament(host);
    Ok(())
}

/// Skips a match that is being played: its bots do not meet in this tournament.
pub(crate) async fn skip(host: &Arc<MatchHost>, id: &str) -> RequestResult<()> {
    let missing = || RequestError::missing("no match with this number is being played");
    let id: u64 = id.trim().parse().map_err(|_| missing())?;
    let running = host.running.lock().running.get(&id).map(|running| (running.tournament, running.bots));
    let (tournament, bots) = running.ok_or_else(missing)?;
    if tournament == 0 {
        return Err(RequestError::conflict("a game of a final is not skipped; the final can be called off"));
    }
    host.enter(move |state| {
        state.open(tournament).and_then(|open| open.check(bots).ok()).ok_or_else(missing)?;
        Ok(ServerJournalLine::MatchSkipped { id, tournament, bots, at: now() })
    })
    .await?;
    host.running.break_off("the administrator skipped it", |running, _| running == id);
    host.running.wake();
    publish::tournament(host);
    Ok(())
}

/// The matches of tournaments that are to be void: by their numbers, by the time of their end, or by both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VoidMatches {
    /// The number of the first match; without one the first of all.
    pub from: Option<u64>,
    /// The number of the last match; without one the last of all that have ended when the request comes.
    pub to: Option<u64>,
    /// The earliest end of a match, in RFC 3339.
    pub since: Option<String>,
}

impl VoidMatches {
    /// The matches in words.
    pub(crate) fn in_words(&self) -> String {
        let from = self.from.map(|from| format!(" from {from}")).unwrap_or_default();
        let to = self.to.map(|to| format!(" to {to}")).unwrap_or_default();
        let since = self.since.as_ref().map(|since| format!(" since {since}")).unwrap_or_default();
        format!("matches{from}{to}{since}")
    }

    /// The numbers of the first match and of the last one, which has ended: later ones are not meant.
    fn numbers(&self, state: &ServerState) -> [u64; 2] {
        [self.from.unwrap_or(0), self.to.unwrap_or(u64::MAX).min(state.last_match)]
    }
}

/// The most matches of one line that declares them void: a line has a longest length, and others wait while it is made.
const MOST_VOID: u32 = 5000;

/// Declares matches void: they count in no leaderboard, and those of a tournament that is being played are played again. Games of
/// finals are not among them. Returns the number of matches.
pub(crate) async fn void(host: &Arc<MatchHost>, which: VoidMatches) -> RequestResult<usize> {
    if which == VoidMatches::default() {
        return Err(RequestError::bad("which matches are void? Give a first number, a last one, or a time"));
    }
    // Before others end, which have greater numbers.
    let numbers = host.store.look(|state| which.numbers(state));
    let since = which.since.map(|text| match DateTime::parse_from_rfc3339(&text).map(|time| time.to_utc()) {
        // Times are compared as texts.
        Ok(time) if (0..=9999).contains(&time.year()) => Ok(written(time)),
        _ => Err(RequestError::bad(format!("since: {text:?} is not a time in RFC 3339, such as 2026-11-25T10:00:00Z"))),
    });
    let since = since.transpose()?;
    let voided = host.blocking(move |host| {
        let mut voided = 0;
        loop {
            let entered = host.store.enter(|state| {
                // No line comes in between, so nothing is void twice.
                let lines = host.store.index.counting(numbers, since.clone(), MOST_VOID);
                let lines = lines.map_err(RequestError::internal)?;
                if let Some(trouble) = host.store.index.trouble() {
                    return Err(RequestError::internal(trouble.text));
                }
                match lines.as_slice() {
                    [] => Err(RequestError::missing("there is no such match that counts")),
                    lines => Ok(state.void_line(lines)),
                }
            });
            match entered {
                Ok(ServerJournalLine::MatchesVoided { matches, .. }) => voided += matches.len(),
                Err(error) if voided == 0 || error.cause.is_some() => return Err(error),
                _ => return Ok(voided),
            }
        }
    });
    let voided = voided.await;
    host.running.wake();
    publish::leaderboard(host);
    publish::bots(host);
    publish::tournament(host);
    voided
}

/// Removes a bot. A match that it plays ends without a result.
pub(crate) async fn remove(host: &Arc<MatchHost>, id: &str) -> RequestResult<()> {
    let missing = || RequestError::missing("there is no bot of this number");
    let bot = BotId(id.parse().map_err(|_| missing())?);
    let entered = host.enter(move |state| {
        state.bot(bot).ok_or_else(missing)?;
        Ok(ServerJournalLine::Removed { bot, at: now() })
    });
    entered.await?;
    host.running.break_off("a bot was removed", |_, running| running.bots.contains(&bot));
    host.health().forget(bot);
    host.running.wake();
    publish::bots(host);
    publish::leaderboard(host);
    publish::tournament(host);
    Ok(())
}

/// Removes all matches and tournaments from the history, with their records. Bots stay.
pub(crate) async fn clear_history(host: &Arc<MatchHost>) -> RequestResult<()> {
    host.enter(|_| Ok(ServerJournalLine::HistoryCleared { at: now() })).await?;
    host.running.break_off("the history was cleared", |_, _| true);
    host.running.hurry();
    publish::leaderboard(host);
    publish::tournament(host);
    host.blocking(|host| {
        records::sweep(host, Sweep::Older);
        Ok(())
    })
    .await
}

/// Changes settings. Matches that are being played keep the old ones.
pub(crate) async fn change_settings(host: &Arc<MatchHost>, change: SettingsChange) -> RequestResult<ServerSettings> {
    let line = host.enter(move |state| {
        let settings = state.settings.changed(change).map_err(RequestError::bad)?;
        Ok(ServerJournalLine::Settings { settings, at: now() })
    });
    let ServerJournalLine::Settings { settings, .. } = line.await? else { unreachable!("it was just made") };
    host.running.hurry();
    publish::settings(host);
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::server_state::tests::{arena, begun, played, registered, state};

    #[test]
    fn matches_that_end_after_the_request_are_not_void() {
        let mut lines = vec![arena()];
        lines.extend([1, 2, 3].map(|bot| registered(bot, &format!("bot {bot}"))));
        lines.push(begun(1, &[1, 2, 3]));
        let pairing = state(&lines).pairings_left().next().unwrap().1;
        lines.push(played(7, 1, pairing, None));
        let state = state(&lines);
        let numbers = |from, to| VoidMatches { from, to, since: None }.numbers(&state);
        assert_eq!(numbers(Some(3), None), [3, 7]);
        assert_eq!(numbers(None, Some(1000)), [0, 7]);
        assert_eq!(numbers(None, Some(5)), [0, 5]);
    }
}
