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
