//! The observer that tells the people at a table what happens.

use super::seat::PersonSeat;
use crate::About;
use crate::frame_encoder::eyes;
use crate::live::PieceEncoder;
use crate::piece::{Piece, whole_of};
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game, Seat};

/// Tells each person what its seat may know, and all of it when the match is over.
#[derive(Debug)]
pub struct PersonWatch {
    people: Vec<SeatedPerson>,
    referee: PieceEncoder,
    /// The match as the referee sees it; shown when the match is over.
    full: Vec<Piece>,
}

#[derive(Debug)]
struct SeatedPerson {
    seat: Seat,
    page: PersonSeat,
    encoder: PieceEncoder,
}

impl PersonWatch {
    /// The people of a match that begins with the state `first`.
    pub fn begin<G: Game>(first: &G, about: &About, people: Vec<(Seat, PersonSeat)>) -> PersonWatch {
        let (referee, full) = PieceEncoder::begin(first, about, eyes(about.names.len() as u8));
        // The players of the engine draw their ships by the seed.
        let without_seed = About { seed: None, ..about.clone() };
        let people = people.into_iter().map(|(seat, page)| {
            let (encoder, pieces) = PieceEncoder::begin(first, &without_seed, vec![Eye::Seat(seat)]);
            page.add(&pieces);
            SeatedPerson { seat, page, encoder }
        });
        PersonWatch { people: people.collect(), referee, full }
    }
}

impl<G: Game> Observer<G> for PersonWatch {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.full.extend(self.referee.piece(event));
        if let MatchEvent::Opened { game, .. } = event {
            let awaited: Vec<Seat> = game.awaited().iter().collect();
            self.people.iter().for_each(|person| person.page.hear_awaited(&awaited, person.seat));
        }
        for person in &mut self.people {
            let piece = person.encoder.piece(event);
            if let MatchEvent::Finished { game, .. } = event {
                person.page.add(&[person.encoder.uncover(*game)]);
                person.page.keep(whole_of(&self.full).into());
            }
            person.page.add(piece.as_slice());
        }
        Ok(())
    }
}
