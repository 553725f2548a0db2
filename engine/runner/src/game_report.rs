//! The report of a game for the journal: answer times, faults, shots, and time-outs that the machine may have caused.

use arena::{ArenaError, MatchEvent, Observer, Reply, RunReport};
use rules::{Ending, Fault, GameKind, Listed, Outcome, Seat, Told};
use std::time::Duration;
use tournament::{PlayerLine, Times};

/// Counts answers, faults and shots of each player, and finds time-outs that the machine may have caused.
pub(crate) struct GameReport {
    /// The report of each player, by seat.
    pub(crate) players: Vec<PlayerLine>,
    /// The reason why a time-out of each player may be the machine's fault, by seat.
    suspects: Vec<Option<String>>,
}

/// The share of a limit that a bot may wait for a processor before its time-out is suspect.
const SHARE: u32 = 10;
/// The percentage of a limit after which a bot that used so much processor time is late by itself, whatever else the machine does.
const ENOUGH: u32 = 90;
/// The same of a turn among several in a row: a loop without end has at least this on a machine that has twice as much to do as it can.
const ENOUGH_OF_MANY: u32 = 50;

impl GameReport {
    /// An empty report of a game of so many players.
    pub(crate) fn new(seats: u8) -> GameReport {
        GameReport {
            players: vec![PlayerLine::default(); usize::from(seats)],
            suspects: vec![None; usize::from(seats)],
        }
    }

    /// The reports of the players, by seat, and the reason why a time-out may be the machine's fault, if there is one.
    pub(crate) fn finish(self) -> (Vec<PlayerLine>, Option<String>) {
        (self.players, self.suspects.into_iter().flatten().next())
    }

    /// Counts a fault of a [kind](is_kind_of_fault).
    fn fault(&mut self, seat: Seat, kind: &str) {
        *self.players[seat.index()].faults.entry(kind.to_owned()).or_default() += 1;
    }

    /// Counts the shots of a turn.
    fn fired<G: Listed>(&mut self, told: &[Told<G::Event>]) {
        for (seat, player) in (0..).map_while(Seat::new).zip(&mut self.players) {
            let fired = told.iter().filter_map(|told| G::fired(&told.event)).filter(|(by, _)| *by == seat);
            let (count, special) =
                fired.fold((0, 0), |(count, any), (_, special)| (count + 1, any | u32::from(special)));
            *player.shots.get_or_insert_default() += if special > 0 { special } else { count };
            player.specials += special;
        }
    }

    /// Leaves the shots of those who have sunk all ships of the other. Those of a player that plays alone are its points.
    fn finished(&mut self, outcome: &Outcome) {
        let is_pair = self.players.len() == 2;
        for (seat, player) in (0..).map_while(Seat::new).zip(&mut self.players) {
            player.shots = match &outcome.ending {
                Ending::FleetSunk { seats } if is_pair && seats.contains(&seat.opponent()) => player.shots,
                Ending::Solved { seats } if seats.contains(&seat) => Some(outcome.points[seat]),
                _ => None,
            };
            player.specials = player.shots.map_or(0, |_| player.specials);
        }
    }

    fn answered<O>(&mut self, game: GameKind, turn: u32, seat: Seat, reply: &Reply<O>) {
        if let Some(time) = reply.time {
            self.players[seat.index()].times.get_or_insert_with(Times::default).add(time.wall);
        }
        let Err(fault) = &reply.answer else { return };
        self.fault(seat, fault.kind());
        let suspect = &mut self.suspects[seat.index()];
        *suspect = match fault {
            // It was late by its own fault, turn after turn.
            Fault::NotAsked { .. } => None,
            _ => suspicion(game, turn, seat, reply).or(suspect.take()),
        };
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
    if has_computed(run, limit, ENOUGH) || waited.is_zero() || waited < limit / SHARE {
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

/// True for a time-out that counts among several in a row: the bot did not wait for a processor, or used much of its limit on one.
pub(crate) fn is_own_lateness<O>(reply: &Reply<O>) -> bool {
    let Err(Fault::TimedOut { limit, .. }) = &reply.answer else { return false };
    reply.run.as_ref().is_none_or(|run| run.waited < *limit / SHARE || has_computed(run, *limit, ENOUGH_OF_MANY))
}

/// True if the bot used this percentage of its limit, or all that the limit on processor time allows, on a processor: that does not
/// depend on the load of the machine.
fn has_computed(run: &RunReport, limit: Duration, percent: u32) -> bool {
    let most = run.limits.and_then(|limits| limits.cpu());
    run.cpu >= limit * percent / 100 || most.is_some_and(|most| run.cpu >= most)
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
                self.fired::<G>(told);
            }
            MatchEvent::Finished { outcome, .. } => self.finished(outcome),
            MatchEvent::Opened { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use arena::{Invocation, Limits, Output, RunEnd, TimeUsed};

    /// A run that was late, under these limits, with `cpu` on a processor after it `waited` for one.
    pub(crate) fn run_of(limits: Limits, cpu: Duration, waited: Duration) -> RunReport {
        RunReport {
            command: String::new(),
            invocation: Invocation::default(),
            limits: Some(limits),
            has_started: true,
            wall: Duration::from_millis(2100),
            waited,
            cpu,
            peak_memory: 0,
            peak_is_bound: false,
            end: RunEnd::Killed,
            stood: None,
            stdout: Output::default(),
            stderr: Output::default(),
            removed: 0,
            files_left: false,
            bad_notes: None,
            instead: None,
        }
    }

    /// The reply of B that a time-out is, after a wait of `waited` milliseconds for a processor and `cpu` milliseconds on one, of which it
    /// may have 1000.
    fn late(waited: u64, cpu: u64) -> Reply<()> {
        let ms = Duration::from_millis;
        let limits = Limits::with_extra(Duration::ZERO).with_cpu(Some(ms(1000)));
        let answer = Err(Fault::timed_out(ms(2100), Limits::ANSWER));
        let time = Some(TimeUsed { wall: ms(2100), cpu: None });
        Reply { answer, given: Vec::new(), time, run: Some(run_of(limits, ms(cpu), ms(waited))), notes: None }
    }

    fn suspicion_after(waited: u64, cpu: u64) -> Option<String> {
        let mut report = GameReport::new(2);
        report.answered(GameKind::Entelect2017, 3, Seat::B, &late(waited, cpu));
        assert_eq!(report.players[1].faults["timed-out"], 1);
        report.finish().1
    }

    #[test]
    fn a_time_out_is_suspect_after_a_long_wait_for_a_processor_unless_the_bot_used_too_much_of_one() {
        let told = "in round 3 B had no answer within 2000 ms; of 2100 ms in all it waited 200 ms for a processor";
        assert_eq!(suspicion_after(200, 900).as_deref(), Some(told));
        assert_eq!(suspicion_after(199, 900), None);
        assert_eq!(suspicion_after(1500, 1000), None);
        assert!(suspicion_after(200, 999).is_some());
    }

    #[test]
    fn a_special_weapon_is_one_shot_and_shots_are_told_of_who_has_sunk_all() {
        use rules::battleship::{Battleship, Event as Of, Shot, ShotResult};
        use rules::entelect_2017::{Entelect2017, Event, Impacts, Weapon};
        fn all<E>(event: E) -> Told<E> {
            Told { event, to: rules::Audience::Everyone }
        }
        let fire = |seat, weapon| {
            all(Event::Fired { seat, weapon, centre: Default::default(), impacts: Impacts::from_iter([]) })
        };
        let mut report = GameReport::new(2);
        report.fired::<Entelect2017>(&[fire(Seat::A, Weapon::SingleShot), fire(Seat::B, Weapon::CrossShot)]);
        report.fired::<Entelect2017>(&[fire(Seat::B, Weapon::SingleShot)]);
        // An area shot tells of each of its cells.
        let shot = Shot { turn: 1, by: Seat::B, at: Seat::A, cell: Default::default(), result: ShotResult::Miss };
        let area = Of::Used { seat: Seat::B, special: 0, at: Seat::A, aim: Default::default() };
        report.fired::<Battleship>(&[area, Of::Fired(shot), Of::Fired(shot)].map(all));
        report.fired::<Battleship>(&[Of::Fired(shot), Of::Fired(shot)].map(all));
        let outcome = |ending| Outcome {
            winner: None,
            ranking: Vec::new(),
            points: [7, 30].into_iter().collect(),
            scoring: rules::Scoring::Points,
            ending,
            turns: 3,
        };
        let finished = |ending| {
            let mut report = GameReport { players: report.players.clone(), suspects: Vec::new() };
            report.finished(&outcome(ending));
            report.players.into_iter().map(|player| (player.shots, player.specials)).collect::<Vec<_>>()
        };
        assert_eq!(finished(Ending::FleetSunk { seats: vec![Seat::A] }), [(None, 0), (Some(5), 2)]);
        assert_eq!(finished(Ending::FleetSunk { seats: vec![Seat::A, Seat::B] }), [(Some(1), 0), (Some(5), 2)]);
        assert_eq!(finished(Ending::Solved { seats: vec![Seat::B] }), [(None, 0), (Some(30), 2)]);
        assert_eq!(finished(Ending::KilledOff { seats: Vec::new() }), [(None, 0), (None, 0)]);
    }

    #[test]
    fn who_is_not_asked_any_more_was_late_by_its_own_fault() {
        let mut report = GameReport::new(2);
        report.answered(GameKind::Entelect2017, 3, Seat::B, &late(200, 900));
        let answer = Err(Fault::NotAsked { why: String::new() });
        let reply = Reply::<()> { answer, run: None, time: None, ..late(0, 0) };
        report.answered(GameKind::Entelect2017, 4, Seat::B, &reply);
        let (players, suspect) = report.finish();
        assert_eq!((players[1].faults["not-asked"], suspect), (1, None));
    }
}
