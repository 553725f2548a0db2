//! Players that are late again and again: they are not asked any more, because that would only cost time.

use crate::game_report::is_own_lateness;
use arena::{ArenaError, Ask, Player, Players, Reply};
use rules::{Fault, Game, Scene};

/// The number of turns in a row in which a player is late by its own fault before it is not asked any more in the match.
pub(crate) const MOST_LATE: u32 = 5;

/// The same players, each of which is asked until it is late [`MOST_LATE`] times in a row.
pub(crate) fn asked_until_late<G: Game>(players: Players<G>) -> Players<G> {
    let asked = |player| Box::new(AskedUntilLate { player, late: 0 }) as Box<dyn Player<G>>;
    players.into_iter().map(asked).collect()
}

struct AskedUntilLate<G: Game> {
    player: Box<dyn Player<G>>,
    /// The number of turns in a row in which it was late.
    late: u32,
}

impl<G: Game> Player<G> for AskedUntilLate<G> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        if self.late >= MOST_LATE {
            let why = format!("it timed out in {MOST_LATE} turns in a row");
            let answer = Err(Fault::NotAsked { why });
            return Ok(Reply { answer, given: Vec::new(), time: None, run: None, notes: None });
        }
        let reply = self.player.decide(ask)?;
        self.late = if is_own_lateness(&reply) { self.late + 1 } else { 0 };
        Ok(reply)
    }

    fn over(&mut self, last: &Scene, won: Option<bool>) -> Result<(), ArenaError> {
        self.player.over(last, won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::tests::run_of;
    use arena::{Limits, TimeUsed};
    use rules::Seat;
    use rules::sea_battle::{SeaBattle, Settings};
    use std::time::Duration;

    /// A player that is late in the turns of which it has the processor time and the waits for a processor, in milliseconds.
    struct Late(Vec<Option<[u64; 2]>>);

    impl Player<SeaBattle> for Late {
        fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<rules::sea_battle::Order>, ArenaError> {
            let ms = Duration::from_millis;
            let answer = match self.0[ask.turn as usize] {
                Some(_) => Fault::timed_out(ms(2100), ms(2000)),
                None => Fault::NothingWritten,
            };
            let run =
                self.0[ask.turn as usize].map(|[cpu, waited]| run_of(Limits::with_extra(ms(0)), ms(cpu), ms(waited)));
            let time = Some(TimeUsed { wall: ms(2100), cpu: None });
            Ok(Reply { answer: Err(answer), given: Vec::new(), time, run, notes: None })
        }
    }

    /// The number of turns in which the player is asked.
    fn asked(turns: &[Option<[u64; 2]>]) -> usize {
        let game = SeaBattle::start(&Settings::default(), 2, 1).unwrap();
        let player = Box::new(Late(turns.to_vec())) as Box<dyn Player<SeaBattle>>;
        let mut players = asked_until_late(Players::from_iter([player]));
        let mut decide = |turn| players[Seat::A].decide(&Ask::new(&game, Seat::A, turn as u32)).unwrap().answer;
        (0..turns.len()).filter(|turn| !matches!(decide(*turn), Err(Fault::NotAsked { .. }))).count()
    }

    #[test]
    fn who_is_late_by_its_own_fault_five_times_in_a_row_is_not_asked_any_more() {
        let [hangs, computes, starves] = [[0, 0], [1000, 900], [200, 1800]].map(Some);
        assert_eq!([asked(&[hangs; 9]), asked(&[computes; 9])], [5, 5]);
        assert_eq!(asked(&[starves; 9]), 9, "it has no processor");
        assert_eq!(asked(&[hangs, hangs, hangs, hangs, None, hangs, hangs, hangs, hangs]), 9);
        assert_eq!(asked(&[None; 9]), 9, "it is not late");
    }
}
