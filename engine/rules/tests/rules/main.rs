//! The promises of the crate to the outside: every rule of the published text by example, the exact text of the files, what
//! holds in every game, and the contract of every kind of game with the arena.

mod battleship;
mod bots_arena;
mod conformance;
mod entelect_2017;
mod files;
mod fleet;
mod input_text;
mod invariants;
mod milliseconds;
mod printable;
mod properties;
mod salvo;
mod sea_battle;
mod seat;
mod table;
mod team_name;

use rules::Listed;

/// A match by the usual settings.
fn started<G: Listed>() -> G {
    let settings = G::Settings::default();
    G::start(&settings, *G::seats(&settings).start(), 1).expect("it is a game for so many")
}
