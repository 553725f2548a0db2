//! The observer that tells the people at a table what happens.

use super::seat::PersonSeat;
use crate::About;
use crate::frame_encoder::eyes;
use crate::frame_log::FrameLog;
use crate::live::{LiveUpdate, UpdateEncoder};
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game, Seat};

/// Tells each person what its seat may know, and all of it when the match is over.
#[derive(Debug)]
pub struct PersonWatch {
    people: Vec<SeatedPerson>,
    referee: UpdateEncoder,
    /// The match as the referee sees it; shown when the match is over.
    full_log: FrameLog,
}

#[derive(Debug)]
struct SeatedPerson {
    seat: Seat,
    page: PersonSeat,
    encoder: UpdateEncoder,
}

impl PersonWatch {
    /// The people of a match that begins with the state `first`.
    pub fn begin<G: Game>(first: &G, about: &About, people: Vec<(Seat, PersonSeat)>) -> PersonWatch {
        let (referee, full_log) = UpdateEncoder::begin(first, about, eyes(about.names.len() as u8));
        // The players of the engine draw their ships by the seed.
        let without_seed = About { seed: None, ..about.clone() };
        let people = people.into_iter().map(|(seat, page)| {
            let (encoder, log) = UpdateEncoder::begin(first, &without_seed, vec![Eye::Seat(seat)]);
            page.begin(log);
            SeatedPerson { seat, page, encoder }
        });
        PersonWatch { people: people.collect(), referee, full_log }
    }
}

impl<G: Game> Observer<G> for PersonWatch {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if let Some(update) = self.referee.update(event) {
            update.add_to(&mut self.full_log);
        }
        if let MatchEvent::Opened { game, .. } = event {
            let awaited: Vec<Seat> = game.awaited().iter().collect();
            self.people.iter().for_each(|person| person.page.hear_awaited(&awaited, person.seat));
        }
        for person in &mut self.people {
            let Some(update) = person.encoder.update(event) else { continue };
            if let (LiveUpdate::End(_), MatchEvent::Finished { game, .. }) = (&update, event) {
                person.page.add(&person.encoder.uncover(*game));
                person.page.keep(self.full_log.whole().into());
            }
            person.page.add(&update);
        }
        Ok(())
    }
}
