//! The promises of the crate to the outside: every rule of the published text by example, the exact text of the files, what
//! holds in every game, and the contract of every kind of game with the arena.

mod bots_arena;
mod conformance;
mod entelect_2017;
mod files;
mod invariants;
mod properties;
mod salvo;
mod sea_battle;
mod table;

use rules::Listed;

/// A match by the usual settings.
fn started<G: Listed>() -> G {
    G::start(&G::Settings::default(), *G::SEATS.start(), 1).expect("it is a game for so many")
}
