//! Plays a match between bots that are called over HTTP.

use super::{recorded, right_number};
use crate::args::{MatchArgs, Terms};
use crate::commands::contestant::Who;
use crate::commands::service::{Service, services};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::signals;
use arena::Sequence;
use players::OverHttp;
use rules::BySeat;

/// Plays it on these terms.
pub(super) fn play<G: OverHttp>(args: &MatchArgs, terms: &Terms<G>) -> Result<Exit, Failure> {
    let bots: Vec<String> = args.bots.iter().map(|bot| bot.to_string_lossy().into_owned()).collect();
    right_number::<G>(bots.len(), "http://localhost:4000 builtin:random")?;
    let interrupt = signals::interrupt()?;
    let caller = terms.caller(args.nolimit, &interrupt);
    let contestants = services(&bots, &caller)?;
    let sitters = contestants.iter().map(|contestant| contestant.sitter(caller.limit())).collect();
    let sequence = sequence(args, &contestants);
    let told: BySeat<Option<String>> = contestants.iter().map(Service::told).collect();
    recorded::play::<G>(args, &terms.settings, sitters, sequence, &interrupt, |seat, seed, _| {
        contestants[seat.index()].who.player(&caller, seat, seed, &told)
    })
}

/// Both at the same time, except that a service that plays both seats may serve only one connection at a time.
fn sequence(args: &MatchArgs, contestants: &[Service]) -> Sequence {
    let shared = match contestants {
        [Service { who: Who::Bot(one), .. }, Service { who: Who::Bot(other), .. }] => one.url.shares_server(&other.url),
        _ => false,
    };
    if args.together || !(args.in_turn || shared) { Sequence::Together } else { Sequence::InTurn }
}
