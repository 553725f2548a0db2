//! The flags that are for some games only, and the games whose bots are called over HTTP.

use rules::GameKind;

/// True for games whose bots are called over HTTP.
pub(crate) fn is_over_http(game: GameKind) -> bool {
    matches!(game, GameKind::SeaBattle | GameKind::BotsArena)
}

/// The flags that name the games over HTTP, as in `--game sea-battle or --game bots-arena`.
pub(crate) fn games_over_http() -> String {
    let games = GameKind::ALL.into_iter().filter(|game| is_over_http(*game));
    games.map(|game| format!("--game {}", game.name())).collect::<Vec<_>>().join(" or ")
}

/// Tells whether a flag is for this game.
pub(crate) type GameFilter = fn(GameKind) -> bool;

/// The flags that are for some games only, by the names that clap knows them by.
pub(crate) const GAME_FLAGS: [(GameFilter, &[&str]); 5] = [
    (
        |game| game == GameKind::Entelect2017,
        &[
            "size",
            "console",
            "clog",
            "debug",
            "calibration",
            "force_rebuild",
            "tournament_mode",
            "bundles",
            "sandbox",
            "memory",
            "limit_cpu",
            "replay_suspect",
        ],
    ),
    (is_over_http, &["limit", "allow_hosts"]),
    (|game| game == GameKind::SeaBattle, &["max_moves"]),
    (|game| game == GameKind::BotsArena, &["width", "height", "ships", "dialect"]),
    (|game| game == GameKind::Salvo, &["rounds_without_sinking"]),
];

/// The flag with this name as users type it.
pub(crate) fn flag(id: &str) -> String {
    match id {
        "force_rebuild" => "--forceRebuild".to_owned(),
        "tournament_mode" => "--tournamentMode".to_owned(),
        id => format!("--{}", id.replace('_', "-")),
    }
}
