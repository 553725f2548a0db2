//! The events of a running tournament for programs: JSON Lines, as docs/events.schema.json describes them.

use crate::show::text::json::escaped;
use crate::show::{print, with_causes};
use arena::ArenaError;
use serde::Serialize;
use tournament::{Fixture, GameLine, SchedulerEvent};

/// An event. Its fields are those of the same event in the journal, and the names of the bots by seats.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum StreamedEvent<'a> {
    /// A finished game, which is in the journal.
    Game(StreamedGame<'a>),
    /// A game that does not count because its time-outs may be the machine's fault; it is played again.
    Suspect(StreamedGame<'a>),
    /// A game that the engine could not play.
    Failure {
        /// The names of the bots by seats.
        seats: [&'a str; 2],
        /// The game.
        #[serde(flatten)]
        fixture: Fixture,
        /// The error of the engine with its causes.
        error: String,
        /// True if the game is not tried again.
        for_good: bool,
    },
    /// The last event: the same object that `broadside standings --format json` writes.
    Standings(serde_json::Value),
}

/// A game that was played.
#[derive(Debug, Serialize)]
pub(crate) struct StreamedGame<'a> {
    /// The names of the bots by seats.
    seats: [&'a str; 2],
    #[serde(flatten)]
    line: &'a GameLine,
}

impl<'a> StreamedEvent<'a> {
    /// The event for an event of the scheduler; `None` if it is not for programs. `names` are those of the bots.
    pub(crate) fn of(progress: &SchedulerEvent<'a>, names: &'a [String]) -> Option<StreamedEvent<'a>> {
        let seats = |fixture: Fixture| fixture.seated().map(|at| names[at].as_str());
        let game = |line: &'a GameLine| StreamedGame { seats: seats(line.fixture), line };
        match *progress {
            SchedulerEvent::Begins(_) => None,
            SchedulerEvent::Finished(line) => Some(StreamedEvent::Game(game(line))),
            SchedulerEvent::Suspect(line) => Some(StreamedEvent::Suspect(game(line))),
            SchedulerEvent::Failed { fixture, error, for_good } => {
                Some(StreamedEvent::Failure { seats: seats(fixture), fixture, error: with_causes(error), for_good })
            }
        }
    }

    /// Writes the event to standard output.
    ///
    /// # Errors
    /// [`ArenaError::Disk`] if standard output cannot be written; a closed pipe is not an error.
    pub(crate) fn print(&self) -> Result<(), ArenaError> {
        let json = serde_json::to_string(self).expect("its keys are strings and its numbers finite");
        print(&format!("{}\n", escaped(&json)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::path::Path;

    #[test]
    fn what_is_told_of_games_that_are_tried_again_fits_the_schema() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/events.schema.json");
        let schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        let line: GameLine = serde_json::from_value(json!({
            "first": 0, "second": 1, "number": 3, "seed": "7",
            "outcome": {
                "winner": null, "ranking": ["A", "B"], "points": [0, 0],
                "ending": { "kind": "killed-off", "seats": [["A", "did nothing"], ["B", "did nothing"]] }, "turns": 20,
            },
            "players": [{ "times": [[104, 12]], "faults": { "timed-out": 1 } }, {}],
            "suspect": "in round 7 A timed out", "repeats": 1, "took_ms": 72, "ended": "2026-11-21T19:14:36.246+00:00",
        }))
        .unwrap();
        let error = ArenaError::disk("write", "somewhere", std::io::Error::other("no space"));
        let failed = SchedulerEvent::Failed { fixture: line.fixture, error: &error, for_good: false };
        let names = ["Alpha".to_owned(), "Bravo".to_owned()];
        for (progress, event) in [(SchedulerEvent::Suspect(&line), "suspect"), (failed, "failure")] {
            let mut told = serde_json::to_value(StreamedEvent::of(&progress, &names)).unwrap();
            assert_eq!((&told["event"], &told["seats"]), (&json!(event), &json!(["Bravo", "Alpha"])));
            let errors: Vec<String> = schema.iter_errors(&told).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{told}: {errors:?}");
            told[if event == "suspect" { "suspect" } else { "error" }] = Value::Null;
            assert!(!schema.is_valid(&told));
        }
    }
}
