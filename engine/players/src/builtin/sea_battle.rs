//! The hunter of Sea Battle.

use crate::{Bot, Delivery, Transport};
use arena::ArenaError;
use rules::sea_battle::Json;
use rules::{Fault, Message, Part, Random, Seat};

/// A new one: a bot as any other, whose messages do not leave the process.
pub(super) fn hunter(seed: u64) -> Bot<Json, Brain> {
    // It does not look at the name of the match.
    Bot::new(Json::new(""), Brain { random: rules::random(seed) })
}

/// The brain of the sample in Rust.
pub(super) struct Brain {
    random: Random,
}

impl Transport for Brain {
    fn exchange(&mut self, _seat: Seat, message: &Message, wanted: &[&'static str]) -> Result<Delivery, ArenaError> {
        let bodies = message.parts.iter().zip(wanted.iter().filter(|name| **name == message.address));
        let answers = bodies.map(|(body, name)| {
            let bytes = sea_battle_rust::answer(name, &body.bytes, &mut self.random)?;
            Ok(Part { name, bytes })
        });
        let answers: Result<Vec<Part>, sea_battle_rust::Unplayable> = answers.collect();
        let (parts, fault) = match answers {
            Ok(parts) => (parts, None),
            Err(why) => (Vec::new(), Some(Fault::Crashed { how: why.to_string() })),
        };
        Ok(Delivery { parts, fault, time: None, run: None })
    }
}
