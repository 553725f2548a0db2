//! Plays a match of which nothing is left but its record.

use super::screen::{Screen, live_view};
use super::{Played, fresh_seed, match_folder};
use crate::args::MatchArgs;
use crate::commands::recording::{self, Remains};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Names};
use arena::record::{Archive, Clock, FolderStore, RecordedSeat};
use arena::{Interrupt, Player, Players, Sequence};
use rules::{BySeat, Eye, Listed, Seat};
use std::sync::Arc;

/// Plays it. `player` makes the player in a seat, from the seed of the match and the names of all.
pub(super) fn play<G: Listed>(
    args: &MatchArgs,
    settings: &G::Settings,
    sitters: BySeat<RecordedSeat>,
    sequence: Sequence,
    interrupt: &Interrupt,
    mut player: impl FnMut(Seat, u64, &BySeat<String>) -> Box<dyn Player<G>>,
) -> Result<Exit, Failure> {
    let told: BySeat<String> = sitters.map(|sitter| sitter.details.name().to_owned());
    let names = Names::of_players(told.iter().map(|(_, name)| name.as_str()));
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let game = recording::start::<G>(settings, sitters.len() as u8, seed)?;
    let header = recording::header::<G>(settings, seed, sitters, sequence);
    // Before anything changes on the disk, because its port may be taken.
    let about = show::about(&header, &game.scene(Eye::Referee), &names);
    let mut live = args.live.map(|port| live_view(&game, &about, port)).transpose()?;

    let kept = Remains::of(args.record, || match_folder(args))?;
    let shelf = kept.folder().map(|folder| FolderStore::new(Arc::clone(folder)));
    let mut archive = shelf.map(|shelf| Archive::of_record(Box::new(shelf)));
    let begun = archive.as_mut().map_or(Ok(()), |archive| archive.begin_record(&header, Clock::Running));
    let mut players: Players<G> = told.seats().map(|seat| player(seat, seed, &told)).collect();
    let screen = Screen { args, people: 0, names: &names, interrupt, sequence };
    let result = begun.and_then(|()| {
        let archive = archive.as_mut().map(|archive| archive as _);
        screen.show(game, &mut players, archive, live.as_mut())
    });
    let closed = archive.map_or(Ok(()), Archive::close);
    let closed = closed.and_then(|()| if args.zstd { kept.compress() } else { Ok(()) });
    Played { game: G::KIND, result, closed, names: &names, seed, kept: &kept, bundles: &[] }.tell(live, interrupt)
}
