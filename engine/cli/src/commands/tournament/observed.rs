//! What a journal tells of the players of a game.

use arena::tournament::{PlayerLine, Times};
use arena::{ArenaError, MatchEvent, Observer, Reply};
use rules::entelect_2017::{Entelect2017, Event, Order};
use rules::{Fault, Seat};
use std::time::Duration;

/// Counts answers and faults, and looks whether time-outs may be the machine's fault.
pub(super) struct Observed {
    players: Vec<PlayerLine>,
    suspect: Option<String>,
}

/// The share of a limit that a bot may wait for a processor before its time-out is suspect.
const SHARE: u32 = 10;

impl Observed {
    pub(super) fn new(seats: u8) -> Observed {
        Observed { players: vec![PlayerLine::default(); usize::from(seats)], suspect: None }
    }

    /// What there is to tell of each, by seats.
    pub(super) fn players(self) -> Vec<PlayerLine> {
        self.players
    }

    /// Why a time-out may be the machine's fault.
    pub(super) fn suspect(&self) -> Option<String> {
        self.suspect.clone()
    }

    fn fault(&mut self, seat: Seat, kind: &str) {
        *self.players[seat.index()].faults.entry(kind.to_owned()).or_default() += 1;
    }

    fn answered(&mut self, turn: u32, seat: Seat, reply: &Reply<Order>) {
        if let Some(time) = reply.time {
            self.players[seat.index()].times.get_or_insert_with(Times::default).add(time.wall);
        }
        let Err(fault) = &reply.answer else { return };
        self.fault(seat, kind(fault));
        if let (Fault::TimedOut { limit, .. }, Some(run)) = (fault, &reply.run) {
            let (waited, limit) = (run.waited, *limit);
            if waited > Duration::ZERO && waited >= limit / SHARE {
                let ms = |time: Duration| time.as_millis();
                self.suspect = Some(format!(
                    "in round {turn} {seat} timed out at {} ms of {} ms, {} ms of which it waited for a processor",
                    ms(run.wall),
                    ms(limit),
                    ms(waited)
                ));
            }
        }
    }
}

impl Observer<Entelect2017> for Observed {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { turn, replies, .. } => {
                replies.iter().for_each(|(seat, reply)| self.answered(*turn, *seat, reply));
            }
            MatchEvent::Advanced { told, .. } => {
                for told in *told {
                    // An order that is not there is refused in phase 1, too.
                    if let Event::Refused { seat, why, .. } = &told.event
                        && *why != rules::entelect_2017::Refusal::NotPlaced
                    {
                        self.fault(*seat, "refused");
                    }
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}

/// The kind of a fault in journals.
fn kind(fault: &Fault) -> &'static str {
    match fault {
        Fault::TimedOut { .. } => "timed-out",
        Fault::Crashed { .. } => "crashed",
        Fault::NothingWritten => "nothing-written",
        Fault::Unreadable { .. } => "unreadable",
        Fault::GaveUp => "gave-up",
    }
}
