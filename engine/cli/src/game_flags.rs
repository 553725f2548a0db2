//! The flags that are for some games only, and the games whose bots may be called over HTTP.

use rules::{GameKind, Reach};

/// The flags that name the games over HTTP, as in `--game sea-battle or --game bots-arena`.
pub(crate) fn games_over_http() -> String {
    let games = GameKind::ALL.into_iter().filter(|game| game.reach() == Reach::Http);
    games.map(|game| format!("--game {}", game.name())).collect::<Vec<_>>().join(" or ")
}

/// The condition under which the flag of this name is for a game.
pub(crate) type GameFilter = fn(GameKind, &str) -> bool;

/// The flags that are for some games only, by the names that clap knows them by.
pub(crate) const GAME_FLAGS: [(GameFilter, &[&str]); 8] = [
    (
        |game, _| game.reach() == Reach::Program,
        &["size", "clog", "debug", "calibration", "tournamentMode", "bundles", "notes"],
    ),
    (
        |game, _| matches!(game.reach(), Reach::Program | Reach::Http),
        &["forceRebuild", "sandbox", "memory", "settings", "build_network", "limit_cpu", "replay_suspect"],
    ),
    (|game, _| game.reach() != Reach::Mqtt, &["console"]),
    (|game, _| game.reach() == Reach::Http, &["limit", "allow_hosts"]),
    (
        |game, setting| game.default_settings().contains_key(setting),
        &["width", "height", "ships", "rounds_without_sinking"],
    ),
    (|game, _| game == GameKind::SeaBattle, &["max_moves", "profile"]),
    (|game, _| game == GameKind::Battleship, &["rules"]),
    (|game, _| game == GameKind::BotsArena, &["dialect"]),
];
