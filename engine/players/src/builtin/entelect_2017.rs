//! The hunter of the Entelect Challenge 2017.

use arena::{ArenaError, Ask, Player, Reply};
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Order};
use rules::{BySeat, Fault, Random};

/// The brain of the reference bot.
pub(super) struct Hunter {
    files: Files,
    random: Random,
}

impl Hunter {
    pub(super) fn new(seed: u64) -> Hunter {
        // It does not look at names.
        let nobody: BySeat<PlayerInfo> = [PlayerInfo::named(""), PlayerInfo::named("")].into_iter().collect();
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
