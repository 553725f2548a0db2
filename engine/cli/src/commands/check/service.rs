//! Tries out a bot that is called over HTTP: it plays in both seats.

use super::Place;
use super::watched::{Watched, play_watched};
use crate::args::{CheckArgs, Terms};
use crate::commands::contestant::Who;
use crate::commands::play::fresh_seed;
use crate::commands::recording;
use crate::commands::service::{Called, Service, service};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, GameReport, Names, Report};
use crate::signals;
use arena::record::{Archive, Clock, FolderStore, MATCH_JSONL, MatchFolder};
use arena::{Interrupt, Players, Sequence};
use players::{BuiltIn, HttpPlayerFactory, OverHttp};
use rules::PlayerInfo;
use rules::{GameKind, Seat};
use std::path::Path;
use std::sync::Arc;

/// Lets the bot play on these terms, and reports.
pub(super) fn check<G: OverHttp>(args: &CheckArgs, terms: &Terms<G>) -> Result<Exit, Failure> {
    let interrupt = signals::interrupt()?;
    let caller = terms.caller(false, &interrupt);
    let bot = service(&args.bot.to_string_lossy(), &caller)?;
    let Who::Bot(Called { url, .. }) = &bot.who else { return Err(nothing_to_check(G::KIND)) };
    let place = Place::of(args.log.as_deref())?;
    let seed = args.seed.unwrap_or_else(fresh_seed);

    let checkup = Checkup { terms, caller: &caller, bot: &bot, interrupt: &interrupt, seed };
    let seats = [Seat::A, Seat::B].into_iter();
    let games = seats.map(|seat| checkup.game(seat, &place.path().join(format!("seat {seat}"))));
    let games: Vec<GameReport> = games.collect::<Result<_, Failure>>()?;

    let dialect = G::name_of(terms.speech).map(|name| format!(", asked with {name}")).unwrap_or_default();
    let what = format!("a bot for {}, at {url}{dialect}", G::KIND.title());
    let report =
        Report { name: bot.details.name(), what, kind: G::KIND, differ_in: "match", games: &games, left: &[], seed };
    let sound = report.is_sound();
    show::print(&report.to_string())?;
    // The records that were named are to be there.
    place.keep_if(!sound);
    Ok(if sound { Exit::Played } else { Exit::Faulty })
}

fn nothing_to_check(game: GameKind) -> Failure {
    Failure::Usage {
        what: "built-in players need no check".to_owned(),
        hint: format!("name the URL of a bot: broadside check --game {} http://localhost:4000", game.name()),
    }
}

/// What all games of a check have in common.
struct Checkup<'a, G: OverHttp> {
    terms: &'a Terms<G>,
    caller: &'a HttpPlayerFactory<G>,
    bot: &'a Service,
    interrupt: &'a Interrupt,
    seed: u64,
}

impl<G: OverHttp> Checkup<'_, G> {
    /// The bot in `seat`, the built-in player in the other one.
    fn game(&self, seat: Seat, path: &Path) -> Result<GameReport, Failure> {
        let folder = Arc::new(MatchFolder::create(path)?);
        folder.move_rounds_aside("previous")?;
        let partner = Service { details: PlayerInfo::named("Sparring partner"), who: Who::BuiltIn(BuiltIn::Random) };
        let seated = if seat == Seat::A { [self.bot, &partner] } else { [&partner, self.bot] };
        let names = seated.iter().map(|one| one.told()).collect();
        let shown = Names::of_players(seated.iter().map(|one| one.details.name()));
        let sitters = seated.iter().map(|one| one.sitter(self.caller.limit())).collect();
        let header = recording::header::<G>(&self.terms.settings, self.seed, sitters, Sequence::InTurn);
        let seats = [Seat::A, Seat::B].into_iter().zip(seated);
        let mut players: Players<G> =
            seats.map(|(seat, one)| one.who.player(self.caller, seat, self.seed, &names)).collect();
        let game = recording::start::<G>(&self.terms.settings, 2, self.seed)?;

        let mut archive = Archive::of_record(Box::new(FolderStore::new(Arc::clone(&folder))));
        archive.begin_record(&header, Clock::Running)?;
        let mut watched = Watched::of(seat);
        let outcome = play_watched(game, &mut players, &mut watched, &mut archive, shown, self.interrupt);
        archive.close()?;
        let faults = watched.faults(&folder.path().join(MATCH_JSONL));
        Ok(GameReport { faults, limit: self.caller.limit(), ..watched.report(format!("seat {seat}"), outcome?) })
    }
}
