//! Finals as the journal tells them: begun, cut off after each line, and continued.

use crate::matches::finals::step::{FinalStep, next};
use crate::matches::finals::view::{FinalState, FinalView};
use crate::matches::health::HealthByBot;
use crate::state::journal_line::{FinalGameLine, FinalMatchLine, ServerJournalLine, written};
use crate::state::leaderboard::BotStats;
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use crate::state::server_state::tests::{arena, begun, line, played, registered, state};
use chrono::{DateTime, TimeDelta, Utc};
use rules::Seat;
use serde_json::json;
use std::time::Instant;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn mode(mode: &str) -> ServerJournalLine {
    line(json!({"line": "mode", "mode": mode}))
}

fn planned(number: u32, start: DateTime<Utc>, entrants: u32) -> ServerJournalLine {
    line(
        json!({"line": "final-planned", "number": number, "start": written(start), "entrants": entrants, "best_of": 3}),
    )
}

/// Bots with URLs, of which the second and the third have won a match each; a final at 100 s.
fn lines(bots: u32, entrants: u32) -> Vec<ServerJournalLine> {
    let mut lines = vec![arena(), mode("running")];
    let url = |bot: u32| line(json!({"line": "url-set", "bot": bot, "url": "http://localhost:1"}));
    lines.extend((1..=bots).flat_map(|bot| [registered(bot, &format!("bot {bot}")), url(bot)]));
    lines.push(begun(1, &[1, 2, 3]));
    let pairings: Vec<[BotId; 2]> = state(&lines).pairings_left().map(|(_, pairing)| pairing).collect();
    for (id, pairing) in (1..).zip(pairings) {
        let winner = [Seat::A, Seat::B].into_iter().find(|seat| pairing[seat.index()] != BotId(1));
        lines.push(played(id, 1, pairing, winner));
    }
    lines.push(planned(1, at(100), entrants));
    lines
}

fn step(state: &ServerState, now: DateTime<Utc>) -> Option<FinalStep> {
    next(state, &HealthByBot::default(), false, now)
}

/// The line that follows from a step. A game takes ten seconds on the screens, and seat A wins it.
fn following(state: &ServerState, step: &FinalStep, now: DateTime<Utc>) -> ServerJournalLine {
    let present = state.present_final.as_ref().unwrap();
    match step {
        FinalStep::Begin(bots) => {
            let names: Vec<String> = bots.iter().map(|bot| format!("bot {bot}")).collect();
            let first_game = written(now + TimeDelta::seconds(5));
            line(json!({"line": "final-begun", "number": 1, "seed": "9", "bots": bots, "names": names,
                        "first_game": first_game}))
        }
        FinalStep::Play(fixture) => {
            let bots = present.lineup.as_ref().unwrap().seated(*fixture);
            let ServerJournalLine::Match(mut game) = played(state.last_match + 1, 0, bots, Some(Seat::A)) else {
                panic!("a match")
            };
            let place = FinalGameLine {
                number: 1,
                round: "final".to_owned(),
                game: fixture.number + 1,
                best_of: 3,
                pace: Some(0),
            };
            game.final_game = Some(place);
            let shown = written(now + TimeDelta::seconds(10));
            ServerJournalLine::FinalMatch(Box::new(FinalMatchLine { fixture: *fixture, shown, played: *game }))
        }
        FinalStep::End => {
            let lineup = present.lineup.as_ref().unwrap();
            let ranking: Vec<BotId> =
                lineup.ranking().unwrap().into_iter().map(|entrant| lineup.bots[entrant]).collect();
            line(json!({"line": "final-ended", "number": 1, "ranking": ranking}))
        }
        FinalStep::Wait { .. } => panic!("nothing follows"),
    }
}

/// The lines of a whole final, with the times at which they were written.
fn whole_final(lines: &mut Vec<ServerJournalLine>) -> Vec<DateTime<Utc>> {
    let mut now = at(100);
    let mut times = Vec::new();
    let mut state = state(lines);
    while let Some(step) = step(&state, now) {
        let line = following(&state, &step, now);
        state.take(&line).unwrap();
        lines.push(line);
        times.push(now);
        now += TimeDelta::seconds(20);
    }
    times
}

#[test]
fn a_final_that_is_cut_off_after_any_line_continues_with_the_next_one() {
    let mut lines = lines(9, 8);
    let before = lines.len();
    let times = whole_final(&mut lines);
    let games = lines[before..].iter().filter(|line| matches!(line, ServerJournalLine::FinalMatch(_))).count();
    assert!((16..=24).contains(&games), "{games} games of eight meetings");
    assert_eq!(times.len(), games + 2);
    for (nth, now) in times.iter().enumerate() {
        let text = lines[..before + nth].iter().map(|line| serde_json::to_string(line).unwrap());
        let read: Vec<ServerJournalLine> = text.map(|line| serde_json::from_str(&line).unwrap()).collect();
        let cut = state(&read);
        let step = step(&cut, *now).unwrap();
        let next = &lines[before + nth];
        let same = match (&step, next) {
            (FinalStep::Begin(bots), ServerJournalLine::FinalBegun { bots: begun, .. }) => bots == begun,
            (FinalStep::Play(fixture), ServerJournalLine::FinalMatch(game)) => *fixture == game.fixture,
            (FinalStep::End, ServerJournalLine::FinalEnded { .. }) => true,
            _ => false,
        };
        assert!(same, "after {nth} lines: {step:?}, but {next:?}");
        // Nothing counts twice, and nothing is left out.
        let mut again = cut.clone();
        again.take(next).unwrap();
        let once = again.clone();
        assert!(again.take(next).is_err(), "{next:?}");
        assert_eq!(again, once);
        if let Some(later) = lines.get(before + nth + 1) {
            assert!(cut.check(later).is_err(), "{later:?} without {next:?}");
        }
    }
    let over = state(&lines);
    assert_eq!(step(&over, at(1_000_000)), None, "tournaments go on");
    let best: Vec<BotStats> = over.leaderboards().all.iter().map(|row| row.stats).collect();
    assert_eq!(best.iter().map(|stats| stats.wins).sum::<u32>(), 3, "games of a final do not count");
}

#[test]
fn the_best_play_who_can_and_a_parked_bot_makes_room_for_the_next() {
    let lines = lines(6, 4);
    let state = state(&lines);
    let best = state.leaderboards().all.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
    let mut health = HealthByBot::default();
    let first: u32 = best[0].parse().unwrap();
    let begin = |health: &HealthByBot| match next(&state, health, false, at(100)) {
        Some(FinalStep::Begin(bots)) => bots.iter().map(BotId::to_string).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(begin(&health), best[..4]);
    assert_eq!(next(&state, &health, false, at(99)), None, "it is not time yet");
    let waits = FinalStep::Wait { why: None };
    assert_eq!(next(&state, &health, true, at(100)), Some(waits), "a match is still played");
    for _ in 0..3 {
        health.never_began(BotId(first), "refused", Instant::now());
    }
    assert_eq!(begin(&health), best[1..5]);
    for bot in 1..=5 {
        for _ in 0..3 {
            health.never_began(BotId(bot), "refused", Instant::now());
        }
    }
    let why = Some("a final needs two bots with a URL that are not parked");
    assert_eq!(next(&state, &health, false, at(100)), Some(FinalStep::Wait { why }));
    let paused = crate::state::server_state::tests::state(&[&lines[..], &[mode("paused")]].concat());
    let waits = FinalStep::Wait { why: Some("the final goes on after the pause") };
    assert_eq!(next(&paused, &HealthByBot::default(), false, at(100)), Some(waits));
}

#[test]
fn no_result_is_told_before_the_screens_have_shown_it() {
    let mut lines = lines(4, 4);
    let before = lines.len();
    let times = whole_final(&mut lines);
    let told = |lines: &[ServerJournalLine], on_screen| {
        FinalView::of(&state(lines), &HealthByBot::default(), at(1_000_000), on_screen)
    };
    let mut last = told(&lines[..=before], None);
    assert_eq!((last.state, last.bots.len(), last.rounds.len()), (FinalState::Playing, 4, 2));
    for nth in 1..times.len() - 1 {
        let ServerJournalLine::FinalMatch(game) = &lines[before + nth] else { panic!("a game") };
        let hidden = told(&lines[..=before + nth], Some(game.played.id));
        assert_eq!(hidden, last, "game {nth} is on the screens");
        last = told(&lines[..=before + nth], None);
        assert_ne!((&last.rounds, &last.third), (&hidden.rounds, &hidden.third), "now it was shown");
        assert_eq!(last.ranking, [0_u32; 0], "that comes with the end");
    }
    let over = told(&lines, None);
    assert_eq!((over.state, over.ranking.len()), (FinalState::Over, 4));
}

#[test]
fn who_is_removed_loses_and_a_cleared_history_or_the_administrator_ends_a_final() {
    let mut lines = lines(4, 4);
    let before = lines.len();
    whole_final(&mut lines);
    let two_games = &lines[..before + 2];
    let playing = state(two_games);
    let number = playing.present_final.as_ref().unwrap().lineup.as_ref().unwrap().bots[0].0;
    let removed = line(json!({"line": "removed", "bot": number}));
    let mut without = state(&[two_games, std::slice::from_ref(&removed)].concat());
    let lineup = without.present_final.as_ref().unwrap().lineup.clone().unwrap();
    assert_eq!(lineup.withdrawn, [0]);
    let winner = lineup.bracket.meetings(&lineup.results(None)).rounds[0][0].winner;
    assert_eq!(winner, Some(3));
    let cancelled = line(json!({"line": "final-cancelled", "number": 1}));
    without.take(&cancelled).unwrap();
    assert_eq!(without.present_final, None);
    assert!(without.take(&cancelled).unwrap_err().contains("there is no final 1"));
    assert!(without.take(&planned(1, at(1), 4)).unwrap_err().contains("a second final has the number 1"));
    without.take(&planned(2, at(1), 4)).unwrap();
    assert!(without.take(&planned(3, at(1), 4)).unwrap_err().contains("planned or being played already"));
    let cleared = line(json!({"line": "history-cleared"}));
    without.take(&cleared).unwrap();
    assert!(without.present_final.is_some(), "it has not begun");
    let mut playing = playing;
    playing.take(&cleared).unwrap();
    assert_eq!(playing.present_final, None);
    for (entrants, best_of) in [(3, 3), (4, 2), (4, 17), (0, 1)] {
        let wrong = json!({"line": "final-planned", "number": 9, "start": written(at(1)), "entrants": entrants, "best_of": best_of});
        assert!(playing.check(&line(wrong)).is_err());
    }
}
