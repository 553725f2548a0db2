//! The report of a game for the journal: answer times, faults, and time-outs that the machine may have caused.

use arena::{ArenaError, MatchEvent, Observer, Reply};
use rules::{Fault, GameKind, Listed, Seat};
use std::time::Duration;
use tournament::{PlayerLine, Times};

/// Counts answers and faults of each player, and finds time-outs that the machine may have caused.
pub(crate) struct GameReport {
    /// The report of each player, by seat.
    pub(crate) players: Vec<PlayerLine>,
    /// The reason why a time-out may be the machine's fault, if there is one.
    pub(crate) suspect: Option<String>,
}

/// The share of a limit that a bot may wait for a processor before its time-out is suspect.
const SHARE: u32 = 10;

impl GameReport {
    /// An empty report of a game of so many players.
    pub(crate) fn new(seats: u8) -> GameReport {
        GameReport { players: vec![PlayerLine::default(); usize::from(seats)], suspect: None }
    }

    /// Counts a fault of a [kind](is_kind_of_fault).
    fn fault(&mut self, seat: Seat, kind: &str) {
        *self.players[seat.index()].faults.entry(kind.to_owned()).or_default() += 1;
    }

    fn answered<O>(&mut self, game: GameKind, turn: u32, seat: Seat, reply: &Reply<O>) {
        if let Some(time) = reply.time {
            self.players[seat.index()].times.get_or_insert_with(Times::default).add(time.wall);
        }
        let Err(fault) = &reply.answer else { return };
        self.fault(seat, fault.kind());
        self.suspect = suspicion(game, turn, seat, reply).or(self.suspect.take());
    }
}

/// The kind of fault of an order that the rules refuse.
const REFUSED: &str = "refused";

/// True for the kinds of faults that a [`PlayerLine`] counts.
///
/// ```
/// assert!(runner::is_kind_of_fault("timed-out") && !runner::is_kind_of_fault("late"));
/// ```
pub fn is_kind_of_fault(kind: &str) -> bool {
    kind == REFUSED || Fault::KINDS.contains(&kind)
}

/// The reason why a time-out may be the machine's fault; `None` if it is not, or if the answer is not a time-out.
pub(crate) fn suspicion<O>(game: GameKind, turn: u32, seat: Seat, reply: &Reply<O>) -> Option<String> {
    let (Err(Fault::TimedOut { limit, .. }), Some(run)) = (&reply.answer, &reply.run) else { return None };
    let (waited, limit) = (run.waited, *limit);
    // Processor time that the bot itself used does not depend on the load of the machine.
    let too_much = run.limits.and_then(|limits| limits.cpu()).is_some_and(|most| run.cpu >= most);
    if too_much || waited.is_zero() || waited < limit / SHARE {
        return None;
    }
    let ms = |time: Duration| time.as_millis();
    Some(format!(
        "in {} {turn} {seat} had no answer within {} ms; of {} ms in all it waited {} ms for a processor",
        game.turn(),
        ms(limit),
        ms(run.wall),
        ms(waited)
    ))
}

impl<G: Listed> Observer<G> for GameReport {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { turn, replies, .. } => {
                replies.iter().for_each(|(seat, reply)| self.answered(G::KIND, *turn, *seat, reply));
            }
            MatchEvent::Advanced { told, .. } => {
                for seat in told.iter().filter_map(|told| G::refused(&told.event)) {
                    self.fault(seat, REFUSED);
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Invocation, Limits, Output, RunEnd, RunReport, TimeUsed};

    /// The suspicion about a time-out after a wait of `waited` milliseconds for a processor and `cpu` milliseconds on one.
    fn suspicion_after(waited: u64, cpu: u64) -> Option<String> {
        let ms = Duration::from_millis;
        let limits = Limits::with_extra(Duration::ZERO).with_cpu(Some(ms(1000)));
        let run = RunReport {
            command: String::new(),
            invocation: Invocation::default(),
            limits: Some(limits),
            has_started: true,
            wall: ms(2100),
            waited: ms(waited),
            cpu: ms(cpu),
            peak_memory: 0,
            peak_is_bound: false,
            end: RunEnd::Killed,
            stdout: Output::default(),
            stderr: Output::default(),
            removed: 0,
            files_left: false,
            bad_notes: None,
        };
        let answer = Err(Fault::TimedOut { used: ms(2100), limit: Limits::ANSWER });
        let time = Some(TimeUsed { wall: ms(2100), cpu: None });
        let mut report = GameReport::new(2);
        let reply = Reply::<()> { answer, given: Vec::new(), time, run: Some(run), notes: None };
        report.answered(GameKind::Entelect2017, 3, Seat::B, &reply);
        assert_eq!(report.players[1].faults["timed-out"], 1);
        report.suspect
    }

    #[test]
    fn a_time_out_is_suspect_after_a_long_wait_for_a_processor_unless_the_bot_used_too_much_of_one() {
        let told = "in round 3 B had no answer within 2000 ms; of 2100 ms in all it waited 200 ms for a processor";
        assert_eq!(suspicion_after(200, 900).as_deref(), Some(told));
        assert_eq!(suspicion_after(199, 900), None);
        assert_eq!(suspicion_after(1500, 1000), None);
    }
}
