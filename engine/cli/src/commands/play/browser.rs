//! People in the browser as contestants of a match.

use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::show::{self, Names};
use arena::record::{Header, MATCH_JSONL, MATCH_JSONL_ZST};
use players::PersonGame;
use rules::{Eye, Game, Seat};
use runner::{Contestant, Contestants, GameSetup, PlayedMatch};
use std::net::SocketAddr;
use web::{PersonSeat, PersonWatch, WebPerson, WebTable};

/// The number of people who play: as many as are asked for, else as two seats need.
pub(super) fn count<G: PersonGame>(args: &MatchArgs) -> Result<usize, Failure> {
    let bots = args.named().count();
    let people = args.people.map_or(2_usize.saturating_sub(bots), usize::from);
    let is_possible = u8::try_from(bots + people).is_ok_and(|seats| G::SEATS.contains(&seats));
    if people > 0 && is_possible {
        return Ok(people);
    }
    let seats = match (G::SEATS.start(), G::SEATS.end()) {
        (least, most) if least == most => format!("{most}"),
        (least, most) => format!("{least} to {most}"),
    };
    let named = rules::counted(bots as u32, "named player");
    Err(Failure::Usage {
        what: format!("{named} and {people} in the browser do not make a match of {seats}"),
        hint: "broadside play --web builtin:hunter is a match against a bot, broadside play --web one of two people"
            .to_owned(),
    })
}

/// The server for the people of a match, and their seats.
pub(super) struct BrowserTable {
    table: WebTable,
    people: Vec<PersonSeat>,
    /// The number of contestants before the people.
    before: usize,
}

impl BrowserTable {
    /// Opens the server at this address.
    pub(super) fn open(address: SocketAddr) -> Result<BrowserTable, Failure> {
        Ok(BrowserTable { table: WebTable::open(address)?, people: Vec::new(), before: 0 })
    }

    /// Seats this many people behind the other contestants.
    pub(super) fn seat<S: GameSetup<Game: PersonGame>>(
        &mut self,
        setup: &S,
        contestants: &mut Contestants<S>,
        people: usize,
    ) -> Result<(), Failure> {
        self.before = contestants.len();
        for number in 1..=people {
            let seat = self.table.add_seat()?;
            let (settings, interrupt) = (setup.settings().clone(), setup.context().interrupt.clone());
            self.people.push(seat.clone());
            contestants.push(Contestant::own(&format!("Player {number}"), move |_, seed| {
                Box::new(WebPerson::new(seat.clone(), settings.clone(), seed, interrupt.clone()))
            }));
        }
        Ok(())
    }

    /// Shows the people the match that begins with the state `first`, and prints their links.
    pub(super) fn begin<G: Game>(&self, header: &Header, first: &G, names: &Names) -> PersonWatch {
        let about = show::about(header, &first.scene(Eye::Everyone), names);
        let all: Vec<Seat> = names.seats().collect();
        let people: Vec<(Seat, PersonSeat)> =
            all.into_iter().skip(self.before).zip(self.people.iter().cloned()).collect();
        let watch = PersonWatch::begin(first, &about, people.clone());
        for (seat, person) in &people {
            let name = if people.len() > 1 { format!(" {}", names.of(*seat)) } else { String::new() };
            show::say(&format!("Play{name}: {}", self.table.link(person)));
        }
        watch
    }

    /// Ends the match for the pages.
    pub(super) fn finish(self, played: &PlayedMatch, is_compressed: bool) {
        let name = if is_compressed { MATCH_JSONL_ZST } else { MATCH_JSONL };
        let record = played.folder.as_ref().map(|folder| folder.path().join(name).display().to_string());
        self.table.finish(record.as_deref());
    }
}
