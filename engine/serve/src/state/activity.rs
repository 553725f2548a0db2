//! The activity of the server, one line an event, for the terminal of its operator.

use crate::state::journal_line::{MatchLine, ServerJournalLine, TournamentMode};
use crate::state::leaderboard::{ResultView, results};
use crate::state::name::BotName;
use crate::state::server_state::ServerState;
use rules::Seat;
use std::sync::OnceLock;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::{io, thread};

/// The most lines that wait for a slow terminal. Further lines are lost: the server never waits for its operator.
const WAITING: usize = 4096;

/// The lines for the operator. Without a listener they are not kept.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    lines: OnceLock<SyncSender<String>>,
}

impl Activity {
    /// Calls `tell` for each line from now on, on a thread of its own. Only the first listener hears them.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn listen(&self, tell: impl Fn(&str) + Send + 'static) -> io::Result<()> {
        let (sender, lines) = sync_channel::<String>(WAITING);
        if self.lines.set(sender).is_ok() {
            thread::Builder::new()
                .name("activity".to_owned())
                .spawn(move || lines.iter().for_each(|line| tell(&line)))?;
        }
        Ok(())
    }

    /// Adds a line with the local time.
    pub(crate) fn add(&self, line: impl FnOnce() -> String) {
        if let Some(lines) = self.lines.get() {
            // The queue is full, or nobody listens any more.
            let _ = lines.try_send(format!("{} {}", chrono::Local::now().format(arena::record::SHOWN_TIME), line()));
        }
    }
}

/// The name of the bot that a line is about, from the state before the line: afterwards the bot may be gone.
pub(crate) fn subject(line: &ServerJournalLine, before: &ServerState) -> String {
    match line {
        ServerJournalLine::UrlSet { bot, .. }
        | ServerJournalLine::PasswordSet { bot, .. }
        | ServerJournalLine::TokenSet { bot, .. }
        | ServerJournalLine::Renamed { bot, .. }
        | ServerJournalLine::Removed { bot, .. } => {
            before.bot(*bot).map_or_else(String::new, |entry| entry.name.to_string())
        }
        _ => String::new(),
    }
}

/// A line of the journal in words, with its [`subject`] and the state after it.
pub(crate) fn in_words(line: &ServerJournalLine, subject: &str, after: &ServerState) -> String {
    match line {
        ServerJournalLine::Arena { .. } => "A new folder begins".to_owned(),
        ServerJournalLine::Registered { name, .. } => format!("{name} has joined"),
        ServerJournalLine::UrlSet { .. } => format!("{subject} has set its URL"),
        ServerJournalLine::PasswordSet { .. } => format!("{subject} has a new password"),
        ServerJournalLine::TokenSet { .. } => format!("{subject} has a new token"),
        ServerJournalLine::Removed { .. } => format!("{subject} was removed"),
        ServerJournalLine::Renamed { name, .. } => format!("{subject} is called {name} from now on"),
        ServerJournalLine::ModeratorSet { name, .. } => format!("{name} is a moderator"),
        ServerJournalLine::ModeratorRemoved { name, .. } => format!("{name} is no moderator any more"),
        ServerJournalLine::Audit(entry) => entry.in_words(),
        ServerJournalLine::TournamentBegun { number, bots, .. } => {
            let matches = after.tournament.as_ref().map_or(0, |tournament| tournament.order.len());
            format!("Tournament {number} begins: {} bots, {matches} matches", bots.len())
        }
        ServerJournalLine::Match(played) => result(played, after),
        ServerJournalLine::MatchSkipped { id, tournament, .. } => {
            format!("Tournament {tournament} · match {id} was skipped")
        }
        ServerJournalLine::MatchesVoided { matches, .. } => match matches.as_slice() {
            [id] => format!("Match {id} is void"),
            matches => format!("{} matches are void", matches.len()),
        },
        ServerJournalLine::TournamentEnded { number, unplayed, .. } => {
            let left_out = if *unplayed > 0 { format!("; {unplayed} matches were left out") } else { String::new() };
            let is_current = after.tournament.as_ref().is_some_and(|current| current.number == *number);
            let leaders = if is_current { leaders(after) } else { String::new() };
            format!("Tournament {number} is over{leaders}{left_out}")
        }
        ServerJournalLine::Mode { mode, .. } => match mode {
            TournamentMode::Stopped => "Tournaments are stopped".to_owned(),
            TournamentMode::Running => "Tournaments run".to_owned(),
            TournamentMode::Paused => "Tournaments are paused".to_owned(),
        },
        ServerJournalLine::Settings { .. } => "The settings were changed".to_owned(),
        ServerJournalLine::Contest { contest, change, .. } => {
            let name = |bot| after.bot(bot).map_or_else(|| format!("bot {bot}"), |entry| entry.name.to_string());
            format!("Contest {contest}: {}", change.in_words(name))
        }
        ServerJournalLine::HistoryCleared { .. } => "The history was cleared".to_owned(),
        ServerJournalLine::FinalPlanned { number, entrants, best_of, .. } => {
            format!("Final {number} is planned: up to {entrants} bots, best of {best_of}")
        }
        ServerJournalLine::FinalCancelled { number, .. } => format!("Final {number} was called off"),
        ServerJournalLine::FinalBegun { number, names, .. } => {
            let names: Vec<&str> = names.iter().map(BotName::as_str).collect();
            format!("Final {number} begins: {}", names.join(", "))
        }
        // Screens have not shown it yet, and a terminal may be seen by the audience.
        ServerJournalLine::FinalMatch(line) => {
            let [a, b] = [Seat::A, Seat::B].map(|seat| &line.played.names[seat]);
            let place = line.played.final_game.as_ref().map(|place| format!("{}, game {}", place.round, place.game));
            format!("Final, {}: {a} and {b} have played", place.unwrap_or_default())
        }
        ServerJournalLine::FinalEnded { number, .. } => {
            format!("Final {number} is over; the page of the final tells who has won")
        }
    }
}

fn result(played: &MatchLine, after: &ServerState) -> String {
    let place = after.open(played.tournament).map(|tournament| (tournament.played.len(), tournament.order.len()));
    let (nth, of) = place.unwrap_or_default();
    let [a, b] = [Seat::A, Seat::B];
    let outcome = &played.outcome;
    let end = match (outcome.winner, results(outcome)[0]) {
        (Some(winner), _) => format!("{} wins", played.names[winner]),
        (None, ResultView::Draw) => "a draw".to_owned(),
        (None, _) => "both lose".to_owned(),
    };
    let (names, hits) = (&played.names, &outcome.points);
    format!(
        "Tournament {} · match {nth} of {of}: {} {} : {} {}, {end}",
        played.tournament, names[a], hits[a], hits[b], names[b]
    )
}

/// The bots at the top of the current tournament, in words that follow a name.
fn leaders(after: &ServerState) -> String {
    let rows = after.leaderboards().tournament;
    let names: Vec<&str> = rows.iter().take_while(|row| row.rank == 1).map(|row| row.name.as_str()).collect();
    match (names.len(), rows.first()) {
        (1..=3, Some(first)) => format!(": {} with {} wins", names.join(" and "), first.stats.wins),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::name::BotId;
    use crate::state::server_state::tests::{arena, begun, line, played, registered, state};
    use serde_json::json;

    #[test]
    fn each_line_of_the_journal_is_one_line_in_words() {
        let mut state = state(&[arena()]);
        let mut told = Vec::new();
        let mut tell = |state: &mut ServerState, line: &ServerJournalLine| {
            let subject = subject(line, state);
            state.take(line).unwrap();
            told.push(in_words(line, &subject, state));
        };
        let lines = [
            registered(1, "Ann"),
            registered(2, "Bob"),
            line(json!({"line": "url-set", "bot": 2, "url": "http://localhost:1/?key=secret"})),
            line(json!({"line": "mode", "mode": "running"})),
            begun(1, &[1, 2]),
            line(json!({"line": "mode", "mode": "paused"})),
        ];
        lines.iter().for_each(|line| tell(&mut state, line));
        let (_, pairing) = state.pairings_left().next().unwrap();
        let bob = if pairing[1] == BotId(2) { Seat::B } else { Seat::A };
        let ended = line(json!({"line": "tournament-ended", "number": 1, "unplayed": 2}));
        let removed = line(json!({"line": "removed", "bot": 1}));
        for line in [played(7, 1, pairing, Some(bob)), ended, removed] {
            tell(&mut state, &line);
        }
        let result = told.remove(6);
        assert_eq!(
            told,
            [
                "Ann has joined",
                "Bob has joined",
                "Bob has set its URL",
                "Tournaments run",
                "Tournament 1 begins: 2 bots, 1 matches",
                "Tournaments are paused",
                "Tournament 1 is over: Bob with 1 wins; 2 matches were left out",
                "Ann was removed",
            ]
        );
        assert!(result.starts_with("Tournament 1 · match 1 of 1: bot ") && result.ends_with("bot 2 wins"), "{result}");
        assert!(result.contains(" 1 : 2 "), "{result}");
    }

    #[test]
    fn who_does_not_listen_costs_nothing_and_a_slow_listener_is_not_waited_for() {
        let activity = Activity::default();
        activity.add(|| unreachable!("nobody listens"));
        let (hold, held) = sync_channel::<()>(0);
        let (heard, hears) = sync_channel(WAITING * 2);
        activity
            .listen(move |line| {
                // Blocks until the test ends its part.
                let _ = held.recv();
                let _ = heard.send(line.to_owned());
            })
            .unwrap();
        (0..WAITING * 2).for_each(|number| activity.add(|| number.to_string()));
        drop(hold);
        drop(activity);
        let lines: Vec<String> = hears.iter().collect();
        assert!((WAITING..WAITING + 3).contains(&lines.len()), "{}", lines.len());
        assert!(lines[0].ends_with(" 0") && lines[1].ends_with(" 1"), "{lines:?}");
    }
}
