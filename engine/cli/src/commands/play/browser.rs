//! The browser: people as contestants of a match, and the live view.

use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::show::{self, Names};
use analysis::Analysed;
use arena::record::{Header, MATCH_JSONL, MATCH_JSONL_ZST};
use arena::{Interrupt, Observer};
use players::PersonGame;
use rules::{Eye, Game, Seat};
use runner::{Contestant, Contestants, GameSetup, PlayedMatch};
use std::net::SocketAddr;
use web::{Live, PersonSeat, PersonServer, PersonWatch, WebPerson};

/// The number of people who play: as many as are asked for, else as two seats need.
pub(super) fn count<G: PersonGame>(args: &MatchArgs, settings: &G::Settings) -> Result<usize, Failure> {
    let seats = G::seats(settings);
    let bots = args.named().count();
    let people = args.people.map_or(2_usize.saturating_sub(bots), usize::from);
    let is_possible = u8::try_from(bots + people).is_ok_and(|all| seats.contains(&all));
    if people > 0 && is_possible {
        return Ok(people);
    }
    let seats = match seats.into_inner() {
        (least, most) if least == most => format!("{most}"),
        (least, most) => format!("{least} to {most}"),
    };
    let named = rules::counted(bots as u32, "named player");
    Err(Failure::Usage {
        what: format!("{named} and {people} in the browser do not make a match of {seats}"),
        hint: "broadside play --web --people 1 is a match against a bot, broadside play --web one of two people"
            .to_owned(),
    })
}

/// The server for the people of a match, and their seats.
pub(super) struct BrowserPeople {
    table: PersonServer,
    people: Vec<PersonSeat>,
    /// The number of contestants before the people.
    before: usize,
}

impl BrowserPeople {
    /// Opens the server at this address.
    pub(super) fn open(address: SocketAddr) -> Result<BrowserPeople, Failure> {
        Ok(BrowserPeople { table: PersonServer::open(address)?, people: Vec::new(), before: 0 })
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
    fn begin<G: Game>(&self, header: &Header, first: &G, names: &Names) -> PersonWatch<G> {
        let about = show::about(header, &first.scene(Eye::Everyone), names);
        let all: Vec<Seat> = names.seats().collect();
        let people: Vec<(Seat, PersonSeat)> =
            all.into_iter().skip(self.before).zip(self.people.iter().cloned()).collect();
        let watch = PersonWatch::begin(first, about, people.clone());
        for (seat, person) in &people {
            let name = if people.len() > 1 { format!(" {}", names.of(*seat)) } else { String::new() };
            show::say(&format!("Play{name}: {}", self.table.link(person)));
        }
        watch
    }

    /// Ends the match for the pages.
    fn finish(self, played: &PlayedMatch, is_compressed: bool) {
        let name = if is_compressed { MATCH_JSONL_ZST } else { MATCH_JSONL };
        let record = played.folder.as_ref().map(|folder| folder.path().join(name).display().to_string());
        self.table.finish(record.as_deref());
    }
}

/// The pages of a match in the browser: the live view, and those of people who play.
pub(super) struct BrowserViews<G: Game> {
    live: Option<Live<G>>,
    table: Option<BrowserPeople>,
    watch: Option<PersonWatch<G>>,
}

impl<G: Analysed> BrowserViews<G> {
    /// Opens the live view, if the arguments ask for it, and shows the people at the table the match that begins with the state
    /// `first`. Prints the addresses.
    pub(super) fn begin(
        table: Option<BrowserPeople>,
        args: &MatchArgs,
        interrupt: &Interrupt,
        header: &Header,
        first: &G,
        names: &Names,
    ) -> Result<BrowserViews<G>, Failure> {
        let about = || show::about(header, &first.scene(Eye::Referee), names);
        let live = args.live.map(|port| Live::start(first, &about(), port)).transpose()?;
        let live = live.map(|live| live.with_pace(args.pace.unwrap_or(show::PACE), interrupt));
        if let Some(live) = &live {
            show::say(&format!("Live: {}", live.url()));
        }
        let watch = table.as_ref().map(|table| table.begin(header, first, names));
        Ok(BrowserViews { live, table, watch })
    }

    /// Waits until somebody watches the live view, or until the interrupt: many matches are over before a page is open.
    pub(super) fn wait_for_viewers(&self, interrupt: &Interrupt) {
        if let Some(live) = &self.live {
            show::say("The match begins as soon as this page is open in a browser. Ctrl-C ends the program.");
            live.wait_for_viewers(interrupt);
        }
    }

    /// The observers that tell the pages what happens.
    pub(super) fn observers(&mut self) -> Vec<&mut dyn Observer<G>> {
        let live = self.live.as_mut().map(|live| live as &mut dyn Observer<G>);
        live.into_iter().chain(self.watch.as_mut().map(|watch| watch as &mut dyn Observer<G>)).collect()
    }

    /// Ends the match for the people who played.
    pub(super) fn tell_people(&mut self, played: &PlayedMatch, is_compressed: bool) {
        if let Some(table) = self.table.take() {
            table.finish(played, is_compressed);
        }
    }
}
