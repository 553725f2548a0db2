//! The observer that tells the people at a table what happens.

use super::seat::PersonSeat;
use crate::About;
use crate::frame_encoder::over;
use crate::history_encoder::HistoryEncoder;
use crate::page::json;
use crate::piece::Piece;
use arena::{ArenaError, GameHistory, MatchEvent, Observer};
use rules::{Eye, Game, Seat};

/// Tells each person what its seat may know, and all of it when the match is over.
#[derive(Debug)]
pub struct PersonWatch<G> {
    people: Vec<SeatedPerson>,
    about: About,
    history: GameHistory<G>,
}

#[derive(Debug)]
struct SeatedPerson {
    seat: Seat,
    page: PersonSeat,
    encoder: HistoryEncoder,
}

impl<G: Game> PersonWatch<G> {
    /// The people of a match that begins with the state `first`.
    pub fn begin(first: &G, about: About, people: Vec<(Seat, PersonSeat)>) -> PersonWatch<G> {
        let history = GameHistory::new(first.clone(), about.names.len() as u8);
        // The players of the engine draw their ships by the seed.
        let without_seed = About { seed: None, ..about.clone() };
        let people = people.into_iter().map(|(seat, page)| {
            let (mut encoder, setup) = HistoryEncoder::begin(&history, &without_seed, vec![Eye::Seat(seat)]);
            page.add(&[setup]);
            page.add(&encoder.frames(&history));
            SeatedPerson { seat, page, encoder }
        });
        PersonWatch { people: people.collect(), about, history }
    }
}

impl<G: Game> Observer<G> for PersonWatch<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.history.on(event)?;
        if let MatchEvent::Opened { game, .. } = event {
            let awaited: Vec<Seat> = game.awaited().iter().collect();
            self.people.iter().for_each(|person| person.page.hear_awaited(&awaited, person.seat));
        }
        for person in &mut self.people {
            person.page.add(&person.encoder.frames(&self.history));
            if let MatchEvent::Finished { outcome, .. } = event {
                person.page.add(&[person.encoder.uncover(&self.history)]);
                person.page.keep(json(&self.history, &self.about, None).into());
                person.page.add(&[Piece::over(&over(Some(outcome)))]);
            }
        }
        Ok(())
    }
}
