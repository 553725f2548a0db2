//! The way in which matches of each game are set up.

pub(crate) mod built_in_setup;
pub(crate) mod program_setup;
pub(crate) mod service_setup;

/// Does something with the type of the game of a kind, by the setup of its matches: bots that are programs in folders
/// ([`ProgramSetup`](crate::ProgramSetup)), bots over HTTP ([`ServiceSetup`](crate::ServiceSetup)), or none of its own
/// ([`BuiltInSetup`](crate::BuiltInSetup)). The crate that uses it depends on `rules`.
///
/// ```
/// use rules::{Game, GameKind};
///
/// let found = runner::for_setup!(GameKind::BotsArena,
///     programs G => format!("{}: folders", G::KIND.name()),
///     services G => format!("{}: URLs and folders", G::KIND.name()),
///     built_ins G => format!("{}: built-in players", G::KIND.name()),
/// );
/// assert_eq!(found, "bots-arena: URLs and folders");
/// ```
#[macro_export]
macro_rules! for_setup {
    (
        $kind:expr,
        programs $Program:ident => $programs:expr,
        services $Service:ident => $services:expr,
        built_ins $BuiltIn:ident => $built_ins:expr $(,)?
    ) => {
        match $kind {
            ::rules::GameKind::Entelect2017 => {
                type $Program = ::rules::entelect_2017::Entelect2017;
                $programs
            }
            ::rules::GameKind::SeaBattle => {
                type $Service = ::rules::sea_battle::SeaBattle;
                $services
            }
            ::rules::GameKind::BotsArena => {
                type $Service = ::rules::bots_arena::BotsArena;
                $services
            }
            ::rules::GameKind::Battleship => {
                type $Service = ::rules::battleship::Battleship;
                $services
            }
            ::rules::GameKind::Salvo => {
                type $BuiltIn = ::rules::salvo::Salvo;
                $built_ins
            }
        }
    };
}
