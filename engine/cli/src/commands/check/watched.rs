//! What a bot does while it is tried out.

use crate::show::{FaultReport, GameReport, Names, Progress};
use arena::{ArenaError, Interrupt, MatchEvent, Observer, Observers, Players, RunReport, Sequence};
use rules::{Listed, Outcome, Seat};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// What the bot in one seat did.
pub(super) struct Watched {
    seat: Seat,
    asked: u32,
    times: Vec<Duration>,
    runs: Vec<RunReport>,
    missing: u32,
    refused: u32,
    /// The turns without an order that was obeyed, and why.
    faults: Vec<(u32, String)>,
}

impl Watched {
    /// Nothing yet.
    pub(super) fn of(seat: Seat) -> Watched {
        let (times, runs, faults) = (Vec::new(), Vec::new(), Vec::new());
        Watched { seat, asked: 0, times, runs, missing: 0, refused: 0, faults }
    }

    /// What there is to tell of it after a match that ended so, without what went wrong.
    pub(super) fn report(self, what: String, outcome: Outcome) -> GameReport {
        let Watched { seat, asked, times, runs, missing, refused, .. } = self;
        let limit = runs.iter().find_map(|run| run.limits).map(|limits| limits.answer());
        let (faults, left) = (Vec::new(), BTreeSet::new());
        GameReport { what, seat, outcome, asked, times, runs, limit, missing, refused, faults, left }
    }

    /// What went wrong, to be seen in a record.
    pub(super) fn faults(&self, record: &Path) -> Vec<FaultReport> {
        let told = |(turn, why): &(u32, String)| FaultReport { turn: *turn, why: why.clone(), see: record.to_owned() };
        self.faults.iter().map(told).collect()
    }
}

/// Plays a match that goes into the archive, until it is over or to stop. A line tells these names how far it is.
pub(super) fn play_watched<G: Listed>(
    game: G,
    players: &mut Players<G>,
    watched: &mut Watched,
    archive: &mut dyn Observer<G>,
    names: Names,
    interrupt: &Interrupt,
) -> Result<Outcome, ArenaError> {
    let mut stop = interrupt.clone();
    let mut progress = Progress::new(names, false);
    let mut observers = Observers::new();
    observers.add(&mut stop);
    observers.add(archive);
    observers.add(watched);
    observers.add(&mut progress);
    let outcome = arena::play(game, players, Sequence::InTurn, &mut observers);
    drop(observers);
    progress.clear();
    outcome
}

impl<G: Listed> Observer<G> for Watched {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { turn, game, replies } => {
                for (seat, reply) in replies.iter().filter(|(seat, _)| *seat == self.seat) {
                    self.asked += 1;
                    self.times.extend(reply.time.map(|time| time.wall));
                    self.runs.extend(reply.run.clone());
                    self.missing += u32::from(reply.answer.is_err());
                    let why = match &reply.answer {
                        Err(fault) => Some(fault.to_string()),
                        Ok(order) => game.check(*seat, order).err().map(|illegal| format!("refused: {illegal}")),
                    };
                    self.faults.extend(why.map(|why| (*turn, why)));
                }
            }
            MatchEvent::Advanced { told, .. } => {
                // An order that is not there may be refused, too; it was counted above.
                self.refused += told.iter().filter(|told| G::refused(&told.event) == Some(self.seat)).count() as u32;
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}
