//! Plays a match of a game whose bots cannot be asked from here, between built-in players.

use super::{recorded, right_number};
use crate::args::MatchArgs;
use crate::commands::contestant::built_in;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::signals;
use arena::Sequence;
use arena::record::RecordedSeat;
use players::{BuiltIn, WithBuiltIns};
use rules::PlayerInfo;
use rules::{GameKind, seat_seed};

/// Plays it.
pub(super) fn play<G: WithBuiltIns>(args: &MatchArgs, settings: &G::Settings) -> Result<Exit, Failure> {
    let named: Vec<String> = args.bots.iter().map(|bot| bot.to_string_lossy().into_owned()).collect();
    let players = named.iter().map(|name| match name.strip_prefix(BuiltIn::PREFIX) {
        Some(which) => built_in(which),
        None => Err(no_bot(G::KIND, name)),
    });
    let players: Vec<BuiltIn> = players.collect::<Result<_, Failure>>()?;
    right_number::<G>(players.len(), "builtin:hunter builtin:random builtin:random")?;
    let interrupt = signals::interrupt()?;
    let sitter = |name: &String| RecordedSeat { details: PlayerInfo::named(name), content: None, limits: None };
    let sequence = if args.together { Sequence::Together } else { Sequence::InTurn };
    let sitters = named.iter().map(sitter).collect();
    recorded::play::<G>(args, settings, sitters, sequence, &interrupt, |seat, seed, _| {
        players[seat.index()].player(seat_seed(seed, seat))
    })
}

fn no_bot(game: GameKind, named: &str) -> Failure {
    Failure::Usage {
        what: format!("{named} cannot play here: bots of {} come over MQTT", game.title()),
        hint: format!("broadside {} serve lets them play; builtin:random and builtin:hunter play here", game.name()),
    }
}
