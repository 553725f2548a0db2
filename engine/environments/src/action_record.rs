//! The past of a match: its record, and copies that go on from here.

use crate::action_match::{Given, Side};
use crate::{ActionMatch, Encoded};
use arena::record::{Clock, Header, RecordBuffer};
use arena::{ArenaError, MatchEvent, Observer, Reply};
use rules::Seat;
use std::sync::Arc;

impl<G: Encoded> ActionMatch<G> {
    /// The record of the match so far, whose header has the seed and the settings of this match. Nothing if turns are not kept.
    ///
    /// # Errors
    /// The header is too long.
    pub fn record(&self, header: &Header, end: Clock) -> Result<Option<Vec<u8>>, ArenaError> {
        let Some(turns) = &self.turns else { return Ok(None) };
        let Ok(mut game) = G::start(&self.settings, self.sides.len() as u8, self.seed) else { return Ok(None) };
        let mut buffer = RecordBuffer::begin(header, end)?;
        for (turn, answers) in (0..).zip(turns) {
            let reply = |(seat, given): &(Seat, Given<G::Order>)| {
                let written = || given.answer.as_ref().map(G::write).unwrap_or_default();
                let parts = given.parts.clone().unwrap_or_else(written);
                (*seat, Reply { answer: given.answer.clone(), given: parts, time: None, run: None, notes: None })
            };
            let replies: Vec<_> = answers.iter().map(reply).collect();
            buffer.on(&MatchEvent::Answered { turn, game: &game, replies: &replies })?;
            let told = game.advance(replies.iter().map(|(seat, reply)| (*seat, reply.answer.clone())).collect());
            buffer.on(&MatchEvent::Advanced { turn, game: &game, told: &told })?;
        }
        if let Some(outcome) = &self.outcome {
            buffer.on(&MatchEvent::Finished { outcome, game: &game })?;
        }
        Ok(Some(buffer.lines()))
    }

    /// A copy of the match as it stands, for a search that tries moves; `None` if a rival sits at it.
    pub fn fork(&self) -> Option<ActionMatch<G>> {
        let side = |side: &Side<G>| {
            let Side { fleet, aims, answer, rival, progress, reward, is_in } = side;
            rival.is_none().then(|| Side {
                fleet: fleet.clone(),
                aims: aims.clone(),
                answer: answer.clone(),
                rival: None,
                progress: *progress,
                reward: *reward,
                is_in: *is_in,
            })
        };
        Some(ActionMatch {
            settings: self.settings.clone(),
            options: self.options,
            layout: Arc::clone(&self.layout),
            seed: self.seed,
            game: self.game.clone(),
            sides: self.sides.iter().map(side).collect::<Option<_>>()?,
            turns: self.turns.clone(),
            awaited: self.awaited,
            places_at_random: self.places_at_random,
            played: self.played,
            outcome: self.outcome.clone(),
        })
    }
}
