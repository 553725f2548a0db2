//! Tournaments of games whose bots are called over HTTP.

use super::entrants::Ready;
use super::kit::{Ground, Kit, Seating};
use crate::args::{PlayArgs, Terms};
use crate::commands::contestant::Who;
use crate::commands::service::{Called, Service, service};
use crate::failure::Failure;
use crate::{show, signals};
use arena::record::LimitsLine;
use arena::{ArenaError, Interrupt, MatchEvent, Observer, Players};
use players::{HttpPlayerFactory, OverHttp};
use rules::Seat;
use std::path::Path;
use tournament::Entrant;

/// What is agreed in a tournament.
pub(super) struct Services<G: OverHttp> {
    terms: Terms<G>,
    caller: HttpPlayerFactory<G>,
    interrupt: Interrupt,
}

impl<G: OverHttp> Services<G> {
    /// On these terms, as the command line says.
    pub(super) fn new(terms: Terms<G>, play: &PlayArgs) -> Result<Services<G>, Failure> {
        let interrupt = signals::interrupt()?;
        let caller = terms.caller(play.nolimit, &interrupt);
        Ok(Services { terms, caller, interrupt })
    }
}

impl<G: OverHttp> Ground for Services<G> {
    type Game = G;
    type Bot = Called;
    type Kit = Switchboard<G>;

    fn settings(&self) -> &G::Settings {
        &self.terms.settings
    }

    fn dialect(&self) -> Option<&'static str> {
        G::name_of(self.terms.speech)
    }

    fn mark(&self) -> String {
        format!("{} {:?} {:?}", G::KIND.name(), self.terms.settings, self.terms.speech)
    }

    fn named(&self, name: &str) -> Result<Vec<Ready<Called>>, Failure> {
        let Service { details, who } = service(name, &self.caller)?;
        let bot = match &who {
            Who::BuiltIn(_) => name.to_owned(),
            // Without what may be secret in it.
            Who::Bot(called) => called.url.to_string(),
        };
        let entrant = Entrant { name: show::clean(details.name()), bot, details, content: None };
        Ok(vec![Ready { entrant, who }])
    }

    fn kit(self, entrants: Vec<Ready<Called>>, _folder: &Path) -> Result<Switchboard<G>, Failure> {
        let Services { terms, caller, interrupt } = self;
        let who = entrants.into_iter().map(|ready| ready.who).collect();
        Ok(Switchboard { settings: terms.settings, caller, who, interrupt })
    }
}

/// Calls the bots of all games.
pub(super) struct Switchboard<G: OverHttp> {
    settings: G::Settings,
    caller: HttpPlayerFactory<G>,
    who: Vec<Who<Called>>,
    interrupt: Interrupt,
}

/// Nothing beside the record.
pub(super) struct Nothing;

impl<G: OverHttp> Observer<G> for Nothing {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        Ok(())
    }
}

impl<G: OverHttp> Kit for Switchboard<G> {
    type Game = G;
    type Beside = Nothing;

    const SHARES_PROCESSORS: bool = false;

    fn settings(&self) -> &G::Settings {
        &self.settings
    }

    fn limits(&self, entrant: usize) -> Option<LimitsLine> {
        self.who[entrant].limits(self.caller.limit())
    }

    fn sandbox(&self) -> Option<String> {
        None
    }

    fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<(Players<G>, Nothing), ArenaError> {
        let seated = seating.seated.into_iter().zip(seating.names);
        let names = seated.map(|(at, name)| self.who[at].told_as(name)).collect();
        let seats = [Seat::A, Seat::B].into_iter().zip(seating.seated);
        let player = |(seat, at): (Seat, usize)| self.who[at].player(&self.caller, seat, seating.seed, &names);
        Ok((seats.map(player).collect(), Nothing))
    }

    fn keep(&self, Nothing: Nothing, _to: &Path) -> Result<(), ArenaError> {
        Ok(())
    }

    fn clear(&self, _: &Seating<'_>) -> Result<(), ArenaError> {
        Ok(())
    }
}
