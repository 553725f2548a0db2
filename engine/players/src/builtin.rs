//! Built-in players, in the engine's own process.

use crate::Sparring;
use arena::{ArenaError, Ask, Player, Reply};
use rules::entelect_2017::files::{BotDetails, Files};
use rules::entelect_2017::{Entelect2017, Order};
use rules::{BySeat, Fault, Random};

/// Who can be asked for as `builtin:NAME`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltIn {
    /// Fires at random cells that it has not fired at.
    Random,
    /// Plays as the reference bot does.
    Hunter,
}

impl BuiltIn {
    /// All there are.
    pub const ALL: [BuiltIn; 2] = [BuiltIn::Random, BuiltIn::Hunter];
    /// What stands before their names where a bot's folder is expected.
    pub const PREFIX: &str = "builtin:";

    /// The one that is named so, after `builtin:`.
    pub fn from_name(name: &str) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Random => "random",
            BuiltIn::Hunter => "hunter",
        }
    }

    /// A new one; the same seed gives the same moves.
    pub fn player(self, seed: u64) -> Box<dyn Player<Entelect2017>> {
        match self {
            BuiltIn::Random => Box::new(Sparring::new(seed)),
            BuiltIn::Hunter => Box::new(Hunter::new(seed)),
        }
    }
}

/// The brain of the reference bot.
struct Hunter {
    files: Files,
    random: Random,
}

impl Hunter {
    fn new(seed: u64) -> Hunter {
        // It does not look at names.
        let nobody: BySeat<BotDetails> =
            [BotDetails::without_bot(""), BotDetails::without_bot("")].into_iter().collect();
        Hunter { files: Files::new(nobody), random: rules::random(seed) }
    }
}

impl Player<Entelect2017> for Hunter {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        let state = self.files.state_file(&ask.view());
        Ok(match hunter::decide(&state, &mut self.random) {
            Ok(order) => Reply { given: vec![Files::order_file(&order)], answer: Ok(order), time: None, run: None },
            Err(why) => {
                Reply { answer: Err(Fault::Crashed { how: why.to_string() }), given: Vec::new(), time: None, run: None }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{MatchEvent, Observer, Players, Sequence, play};
    use rules::entelect_2017::{MapSize, Settings};
    use rules::{Game, Outcome, Seat};

    /// Fails where somebody has no order.
    struct Orders;

    impl Observer<Entelect2017> for Orders {
        fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
            if let MatchEvent::Answered { replies, .. } = event {
                assert!(replies.iter().all(|(_, reply)| reply.answer.is_ok() && reply.given.len() == 1));
            }
            Ok(())
        }
    }

    fn played(seed: u64) -> Outcome {
        let mut players: Players<Entelect2017> =
            [BuiltIn::Hunter.player(seed), BuiltIn::Random.player(seed)].into_iter().collect();
        let game = Entelect2017::start(&Settings { size: MapSize::Small }, 2, 0).unwrap();
        play(game, &mut players, Sequence::InTurn, &mut Orders).unwrap()
    }

    #[test]
    fn the_hunter_beats_the_random_one_and_does_so_again() {
        for seed in 0..5 {
            let outcome = played(seed);
            assert_eq!(outcome.winner, Some(Seat::A));
            assert_eq!(played(seed), outcome);
        }
    }

    #[test]
    fn they_are_found_by_their_names() {
        assert_eq!(BuiltIn::from_name("hunter"), Some(BuiltIn::Hunter));
        assert_eq!(BuiltIn::from_name("Hunter"), None);
    }
}
