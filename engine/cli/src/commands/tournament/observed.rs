//! What a journal tells of the players of a game.

use arena::tournament::{PlayerLine, Times};
use arena::{ArenaError, MatchEvent, Observer, Reply};
use rules::{Fault, GameKind, Listed, Seat};
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

    fn answered<O>(&mut self, game: GameKind, turn: u32, seat: Seat, reply: &Reply<O>) {
        if let Some(time) = reply.time {
            self.players[seat.index()].times.get_or_insert_with(Times::default).add(time.wall);
        }
        let Err(fault) = &reply.answer else { return };
        self.fault(seat, fault.kind());
        if let (Fault::TimedOut { limit, .. }, Some(run)) = (fault, &reply.run) {
            let (waited, limit) = (run.waited, *limit);
            if waited > Duration::ZERO && waited >= limit / SHARE {
                let ms = |time: Duration| time.as_millis();
                self.suspect = Some(format!(
                    "in {} {turn} {seat} timed out at {} ms of {} ms, {} ms of which it waited for a processor",
                    game.turn(),
                    ms(run.wall),
                    ms(limit),
                    ms(waited)
                ));
            }
        }
    }
}

impl<G: Listed> Observer<G> for Observed {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { turn, replies, .. } => {
                replies.iter().for_each(|(seat, reply)| self.answered(G::KIND, *turn, *seat, reply));
            }
            MatchEvent::Advanced { told, .. } => {
                for seat in told.iter().filter_map(|told| G::refused(&told.event)) {
                    self.fault(seat, "refused");
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}
