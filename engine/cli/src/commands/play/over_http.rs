//! Plays a match between bots that are called over HTTP.

use super::screen::{Screen, live_view};
use super::{Played, fresh_seed, match_folder};
use crate::args::{MatchArgs, Terms};
use crate::commands::contestant::Who;
use crate::commands::recording::{self, Remains};
use crate::commands::service::{Service, services};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Names};
use crate::signals;
use arena::record::{Archive, Clock, InPlace};
use arena::{Players, Sequence};
use players::OverHttp;
use rules::{Eye, GameKind, Seat};
use std::sync::Arc;

/// Plays it on these terms.
pub(super) fn play<G: OverHttp>(args: &MatchArgs, terms: &Terms<G>) -> Result<Exit, Failure> {
    let bots: Vec<String> = args.bots.iter().map(|bot| bot.to_string_lossy().into_owned()).collect();
    if bots.len() != 2 {
        return Err(wrong_number(G::KIND, bots.len()));
    }
    let interrupt = signals::interrupt()?;
    let caller = terms.caller(args.nolimit, &interrupt);
    let contestants = services(&bots, &caller)?;

    let names = Names::of_players(contestants.iter().map(|contestant| contestant.details.name()));
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let game = recording::start::<G>(&terms.settings, seed)?;
    let sequence = sequence(args, &contestants);
    let sitters = contestants.iter().map(|contestant| contestant.sitter(caller.limit()));
    let header = recording::header::<G>(&terms.settings, seed, sitters.collect(), sequence);
    // Before anything changes on the disk, because its port may be taken.
    let about = show::about(&header, &game.scene(Eye::Referee), &names);
    let mut live = args.live.map(|port| live_view(&game, &about, port)).transpose()?;

    let kept = Remains::of(args.record, || match_folder(args))?;
    let shelf = kept.folder().map(|folder| InPlace::new(Arc::clone(folder)));
    let mut archive = shelf.map(|shelf| Archive::of_record(Box::new(shelf)));
    let begun = archive.as_mut().map_or(Ok(()), |archive| archive.begin_record(&header, Clock::Running));
    let told = contestants.iter().map(Service::told).collect();
    let seated = [Seat::A, Seat::B].into_iter().zip(&contestants);
    let mut players: Players<G> =
        seated.map(|(seat, contestant)| contestant.who.player(&caller, seat, seed, &told)).collect();
    let screen = Screen { args, people: 0, names: &names, interrupt: &interrupt, sequence };
    let result = begun.and_then(|()| {
        let archive = archive.as_mut().map(|archive| archive as _);
        screen.show(game, &mut players, archive, live.as_mut())
    });
    let closed = archive.map_or(Ok(()), Archive::close);
    let closed = closed.and_then(|()| if args.zstd { kept.compress() } else { Ok(()) });
    Played { game: G::KIND, result, closed, names: &names, seed, kept: &kept, bundles: &[] }.tell(live, &interrupt)
}

/// Both at the same time, except that a service that plays both seats may serve only one connection at a time.
fn sequence(args: &MatchArgs, contestants: &[Service]) -> Sequence {
    let shared = match contestants {
        [Service { who: Who::Bot(one), .. }, Service { who: Who::Bot(other), .. }] => one.url.shares_server(&other.url),
        _ => false,
    };
    if args.together || !(args.in_turn || shared) { Sequence::Together } else { Sequence::InTurn }
}

fn wrong_number(game: GameKind, bots: usize) -> Failure {
    Failure::Usage {
        what: format!("a match of {} is for two players; {bots} were named", game.title()),
        hint: format!("broadside play --game {} -b http://localhost:4000 builtin:random", game.name()),
    }
}
