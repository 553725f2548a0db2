//! Plays recorded matches again: the rules get the recorded answers, and observers see the same match.

use super::checksum::fingerprint;
use super::format::TurnLine;
use super::{Record, RecordError};
use crate::{ArenaError, Ask, MatchEvent, Observer, Observers, Player, Players, Reply, Sequence, play};
use rules::{BySeat, Fault, Game, Listed, Outcome, Part, Scene, Seat};
use std::sync::Arc;

/// The state before the first turn of a recorded match.
///
/// # Errors
/// The record is of another game, or its settings are wrong.
pub fn initial_state<G: Game>(record: &Record) -> Result<G, ArenaError> {
    let header = record.header();
    if header.game != G::KIND {
        return Err(RecordError::OtherGame { has: header.game, wanted: G::KIND }.of(record.path()));
    }
    let wrong = |what: String| RecordError::Line(1, what).of(record.path());
    let settings = serde_json::from_value(header.settings.clone())
        .map_err(|e| wrong(format!("settings: {}", rules::json_mistake(&e))))?;
    G::start(&settings, header.seats.len() as u8, header.seed).map_err(|e| wrong(e.to_string()))
}

/// Plays a recorded match again, compares every turn with the record, and gives the outcome. `watch` sees what an
/// observer of the match saw, but for the runs of the bots' processes.
///
/// # Errors
/// The first difference. [`RecordError::Unfinished`] if the record ends before the match, after `watch` has seen
/// all its turns. A failure of `watch`.
pub fn replay_record<G: Listed>(record: &Arc<Record>, watch: &mut dyn Observer<G>) -> Result<Outcome, ArenaError> {
    checked(record, record.header().seats.map(|_| None), false, watch)
}

/// Continues a match whose record is incomplete: plays it again as [`replay_record`] does, and asks `players` from
/// where the record ends.
///
/// # Errors
/// As [`replay_record`], but an incomplete record is not an error. A failure of `players`.
pub fn resume<G: Listed>(
    record: &Arc<Record>,
    players: Players<G>,
    watch: &mut dyn Observer<G>,
) -> Result<Outcome, ArenaError> {
    checked(record, players.into_iter().map(Some).collect(), record.end().is_none(), watch)
}

/// Plays a match by its record, then by the `next` player of each seat, and compares it with the record.
fn checked<G: Listed>(
    record: &Arc<Record>,
    next: BySeat<Option<Box<dyn Player<G>>>>,
    may_go_on: bool,
    watch: &mut dyn Observer<G>,
) -> Result<Outcome, ArenaError> {
    let game = initial_state::<G>(record)?;
    let player = |(seat, next)| -> Box<dyn Player<G>> { Box::new(Recorded { record: Arc::clone(record), seat, next }) };
    let mut players: Players<G> = next.seats().zip(next).map(player).collect();
    let mut check = Check { record, may_go_on, buffer: Vec::new() };
    let mut observers = Observers::new();
    observers.add(&mut check);
    observers.add(watch);
    play(game, &mut players, Sequence::InTurn, &mut observers)
}

/// A player that gives the answers of a record, and then those of another player if there is one.
struct Recorded<G: Game> {
    record: Arc<Record>,
    seat: Seat,
    next: Option<Box<dyn Player<G>>>,
}

impl<G: Listed> Player<G> for Recorded<G> {
    fn over(&mut self, last: &Scene, won: Option<bool>) -> Result<(), ArenaError> {
        self.next.as_mut().map_or(Ok(()), |next| next.over(last, won))
    }

    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        if let (Some(next), None) = (&mut self.next, self.record.turn(ask.turn)) {
            return next.decide(ask);
        }
        let wrong = |what: String| difference::<G>(&self.record, ask.turn, format!("{}: {what}", self.seat));
        // The check has seen that the line exists.
        let line = self.record.turn(ask.turn).and_then(|turn| turn.answers.get(&self.seat));
        let line = line.ok_or_else(|| wrong("there is no answer".to_owned()))?;
        let mut given = Vec::with_capacity(line.gave.len());
        for (name, text) in &line.gave {
            let known = G::ANSWER_PARTS.iter().find(|known| *known == name);
            let name = known.ok_or_else(|| wrong(format!("an answer has no part {name:?}")))?;
            given.push(Part { name, bytes: text.bytes().ok_or_else(|| wrong(format!("{name} is not base64")))? });
        }
        let read = ask.read(&given);
        let answer = match (line.fault.clone(), read) {
            (None, Err(fault)) => return Err(wrong(format!("no fault is recorded, but: {fault}"))),
            (Some(fault @ Fault::Unreadable { .. }), Ok(_)) if G::is_newly_read(&given) => Err(fault),
            (Some(fault @ (Fault::NothingWritten | Fault::Unreadable { .. })), Ok(_)) => {
                return Err(wrong(format!("the fault is recorded as '{fault}', but there is an order")));
            }
            (Some(fault), _) => Err(fault),
            (None, Ok(order)) => Ok(order),
        };
        Ok(Reply { answer, given, time: line.time(), run: None, notes: line.notes().map(Box::new) })
    }
}

/// Compares a match that is played again with its record.
struct Check<'a> {
    record: &'a Record,
    /// True if the match may go on where the record ends.
    may_go_on: bool,
    buffer: Vec<u8>,
}

impl<G: Game> Observer<G> for Check<'_> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { turn, game } => match self.record.turn(*turn) {
                Some(line) => self.same_seats(*turn, line, *game),
                None if self.may_go_on => Ok(()),
                None => Err(self.stops::<G>(*turn)),
            },
            MatchEvent::Answered { .. } => Ok(()),
            MatchEvent::Advanced { turn, game, .. } => {
                let state = fingerprint(*game, &mut self.buffer);
                match self.record.turn(*turn) {
                    Some(line) if line.state != state => {
                        let what = "the rules make another state of these answers than the record says".to_owned();
                        Err(difference::<G>(self.record, *turn, what))
                    }
                    _ => Ok(()),
                }
            }
            MatchEvent::Finished { outcome, .. } => self.same_outcome::<G>(outcome),
        }
    }
}

impl Check<'_> {
    /// Fails where the record has no turn and the rules go on.
    fn stops<G: Game>(&self, turn: u32) -> ArenaError {
        match self.record.end() {
            None => RecordError::Unfinished { game: G::KIND, turns: turn }.of(self.record.path()),
            Some(_) => {
                difference::<G>(self.record, turn, "the record has the outcome here, but the match goes on".to_owned())
            }
        }
    }

    fn same_seats<G: Game>(&self, turn: u32, line: &TurnLine, game: &G) -> Result<(), ArenaError> {
        let awaited = game.awaited();
        let wrong = |what| Err(difference::<G>(self.record, turn, what));
        if let Some(seat) = awaited.iter().find(|seat| !line.answers.contains_key(seat)) {
            return wrong(format!("the answer of {seat} is missing"));
        }
        match line.answers.keys().find(|seat| !awaited.contains(**seat)) {
            Some(seat) => wrong(format!("there is an answer of {seat}, who was not asked")),
            None => Ok(()),
        }
    }

    fn same_outcome<G: Game>(&self, outcome: &Outcome) -> Result<(), ArenaError> {
        let wrong = |turn, what: String| Err(difference::<G>(self.record, turn, what));
        if self.record.len() > outcome.turns as usize {
            return wrong(outcome.turns, "the record goes on, but the match is over".to_owned());
        }
        match self.record.end() {
            None if self.may_go_on => Ok(()),
            None => Err(RecordError::Unfinished { game: G::KIND, turns: outcome.turns }.of(self.record.path())),
            Some(end) if end.outcome != *outcome => {
                wrong(outcome.turns.saturating_sub(1), format!("the outcome is {}", unlike(&end.outcome, outcome)))
            }
            Some(_) => Ok(()),
        }
    }
}

fn difference<G: Game>(record: &Record, turn: u32, what: String) -> ArenaError {
    RecordError::Turn { game: G::KIND, turn, what }.of(record.path())
}

/// The first difference between two outcomes.
fn unlike(recorded: &Outcome, played: &Outcome) -> String {
    let points = |points: &BySeat<u32>| points.iter().map(|(_, p)| p.to_string()).collect::<Vec<_>>().join(" : ");
    let winner = |outcome: &Outcome| outcome.winner.map_or("nobody".to_owned(), |seat| seat.to_string());
    let ranking = |outcome: &Outcome| outcome.ranking.iter().map(Seat::to_string).collect::<String>();
    let facts = |outcome: &Outcome| {
        [
            ("winner", winner(outcome)),
            (outcome.scoring.unit(), points(&outcome.points)),
            ("ranking", ranking(outcome)),
            ("number of turns", outcome.turns.to_string()),
            ("ending", format!("'{}'", outcome.ending.told(|seat| seat.to_string()))),
        ]
    };
    let pairs = facts(recorded).into_iter().zip(facts(played));
    let differing = pairs.map(|((what, has), (_, makes))| (what, has, makes)).find(|(_, has, makes)| has != makes);
    let (what, has, makes) = differing.unwrap_or_else(|| ("kind", format!("{recorded:?}"), format!("{played:?}")));
    format!("another: {what} {has} in the record, {makes} by the rules")
}

#[cfg(test)]
mod tests {
    use super::super::checksum::closed;
    use super::super::show;
    use super::*;
    use rand::RngExt;
    use rand::seq::IndexedRandom;
    use std::path::Path;

    const KEPT: &str = include_str!("../../../../replays/entelect-2017.jsonl");

    /// The lines of a good record without their sums.
    fn lines() -> Vec<String> {
        let bare = |line: &str| {
            let at = line.rfind(",\"sum\":").or_else(|| line.rfind(",\"sha256\":")).unwrap();
            format!("{}}}", &line[..at])
        };
        KEPT.lines().map(bare).collect()
    }

    /// The number of scenes of a record of these lines with right sums, or its fault.
    fn verdict(lines: &[String]) -> Result<usize, String> {
        let record = Record::parse(Path::new("x"), closed(lines).concat().into());
        let record = Arc::new(record.map_err(|e| e.to_string())?);
        let shown = show(&record).map_err(|e| e.to_string())?;
        shown.failure.map_or(Ok(shown.history.scenes()), |error| Err(error.to_string()))
    }

    fn changed(from: &str, to: &str) -> String {
        let mut lines = lines();
        let line = lines.iter_mut().find(|line| line.contains(from)).unwrap();
        *line = line.replacen(from, to, 1);
        verdict(&lines).unwrap_err()
    }

    #[test]
    fn what_the_rules_do_not_make_is_told_though_the_sums_are_right() {
        assert_eq!(verdict(&lines()), Ok(27));
        assert_eq!(
            changed(r#""command.txt":"1,"#, r#""command.txt":"2,"#),
            "x: round 1: the rules make another state of these answers than the record says"
        );
        assert_eq!(
            changed(r#""winner":"A""#, r#""winner":"B""#),
            "x: round 25: the outcome is another: winner B in the record, A by the rules"
        );
        let lines = lines();
        let state = lines[9].rsplit_once(":\"").unwrap().1.trim_end_matches("\"}");
        let recorded = &lines[0][lines[0].find(r#"{"details""#).unwrap()..lines[0].find("],").unwrap()];
        let many = vec![recorded.split("},{").next().unwrap().to_owned() + "}"; 258].join(",");
        for (from, to, told) in [
            (state, "00000000", "x: round 8: the rules make another state"),
            (r#""B":{"#, r#""A":{"#, "there are two answers of A"),
            (r#""turns":26"#, r#""turns":27"#, "number of turns 27 in the record, 26 by the rules"),
            (recorded, &many, "258 seats; no game has more than 16"),
            (
                r#""points":[420,"#,
                r#""points":[421,"#,
                "x: round 25: the outcome is another: points 421 : 150 in the record, 420 : 150 by the rules",
            ),
            (r#""kind":"fleet-sunk","seats":["B"]"#, r#""kind":"round-limit","rounds":26"#, ": ending"),
            (r#""A":{"#, r#""C":{"#, "x: round 0: the answer of A is missing"),
            ("place.txt", "plaice.txt", r#"x: round 0: A: an answer has no part "plaice.txt""#),
            (r#""command.txt":"1,"#, r#""command.txt":"x,"#, "x: round 1: A: no fault is recorded, but: unreadable"),
            (r#","ms":"#, r#","fault":{"kind":"nothing-written"},"ms":"#, "but there is an order"),
            (r#""size":"small""#, r#""size":"large""#, "x: "),
        ] {
            let found = changed(from, to);
            assert!(found.contains(told), "{found}");
        }
    }

    #[test]
    fn a_record_that_is_too_short_or_too_long_is_told() {
        let mut short = lines();
        let last = short.remove(26);
        let told = verdict(&short).unwrap_err();
        assert_eq!(told, "x: round 25: the record has the outcome here, but the match goes on");
        let mut long = lines();
        long.insert(27, last.replace("\"turn\":25", "\"turn\":26"));
        assert_eq!(verdict(&long).unwrap_err(), "x: round 26: the record goes on, but the match is over");
    }

    #[test]
    fn nothing_that_a_record_says_makes_it_panic() {
        let mut random = rules::random(1);
        let good = lines();
        let pieces = r#"0 -1 1e999 null [] {} "" "A" 18446744073709551616 true "\u0000" {"base64":"="}"#;
        let pieces: Vec<&str> = pieces.split(' ').collect();
        for _ in 0..2_000 {
            let mut lines = good.clone();
            let at = random.random_range(0..lines.len());
            let line = &mut lines[at];
            // A value, or just some bytes.
            let ends: Vec<usize> = line.match_indices([':', ',', '[', '{', '}', ']']).map(|(at, _)| at + 1).collect();
            let (from, to) = (*ends.choose(&mut random).unwrap(), *ends.choose(&mut random).unwrap());
            let (from, to) = (from.min(to), from.max(to).min(line.len() - 1));
            if from <= to && line.is_char_boundary(from) && line.is_char_boundary(to) {
                line.replace_range(from..to, pieces.choose(&mut random).unwrap());
            }
            // Whatever comes of it.
            let _ = verdict(&lines);
        }
    }
}
