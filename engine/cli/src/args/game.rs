//! Which game is played, and what is agreed for it.

use super::milliseconds;
use crate::failure::Failure;
use arena::Interrupt;
use clap::ArgMatches;
use clap::parser::ValueSource;
use players::http::{AllowedHosts, Client};
use players::{HttpPlayerFactory, OverHttp};
use rules::bots_arena::{self, Body, BotsArena};
use rules::salvo;
use rules::sea_battle::{self, SeaBattle};
use rules::{GameKind, SetupError};
use std::time::Duration;

/// The game, and what is agreed in those whose bots are called over HTTP.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GameArgs {
    /// Which game: entelect-2017; sea-battle or bots-arena, whose bots are URLs; or salvo, here for built-in players only
    #[arg(long, value_name = "GAME", default_value = "entelect-2017", value_parser = kind)]
    game: GameKind,

    /// sea-battle: after how many moves of both players together the match ends, or the name of a limit: older-107 or
    /// older-200 [default: 120]
    #[arg(long, value_name = "N", value_parser = moves)]
    max_moves: Option<sea_battle::Settings>,

    /// bots-arena: columns of the board [default: 10]
    #[arg(long, value_name = "CELLS")]
    width: Option<u8>,

    /// bots-arena: rows of the board [default: 10]
    #[arg(long, value_name = "CELLS")]
    height: Option<u8>,

    /// bots-arena: how many ships there are of length 1, 2, 3, 4, 5 and 6 [default: 0,1,2,1,1,0]
    #[arg(long, value_name = "N,N,N,N,N,N", value_parser = ships)]
    ships: Option<Ships>,

    /// bots-arena: what requests are written in, form or json [default: form]
    #[arg(long, value_name = "DIALECT", value_parser = body)]
    dialect: Option<Body>,

    /// salvo: after how many rounds in a row without a sinking the match ends [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(salvo::Settings::MOST_ROUNDS)))]
    rounds_without_sinking: Option<u32>,

    /// Bots by URL: how long an answer may take, in milliseconds [default: 2000 in sea-battle, 10000 in bots-arena]
    #[arg(long, value_name = "MS", value_parser = some_milliseconds)]
    limit: Option<Duration>,

    /// Bots by URL: where they may be: private (this machine and private networks), any, or a list of private, names,
    /// addresses and networks, with commas between them [default: private]
    #[arg(long, value_name = "HOSTS")]
    allow_hosts: Option<AllowedHosts>,
}

/// How many ships there are of each length.
type Ships = [u8; bots_arena::LONGEST];

/// What is agreed before a match of a game over HTTP.
#[derive(Debug)]
pub(crate) struct Terms<G: OverHttp> {
    /// The settings of the game.
    pub(crate) settings: G::Settings,
    /// How bots are spoken to.
    pub(crate) speech: G::Speech,
    limit: Duration,
    hosts: AllowedHosts,
}

impl<G: OverHttp> Terms<G> {
    /// What calls the bots so; without any limit of time, if that is wanted.
    pub(crate) fn caller(&self, nolimit: bool, interrupt: &Interrupt) -> HttpPlayerFactory<G> {
        let limit = (!nolimit).then_some(self.limit);
        HttpPlayerFactory::new(Client::new(self.hosts.clone()), self.speech, limit, interrupt.clone())
    }
}

/// The game that is wanted.
#[derive(Debug)]
pub(crate) enum Agreed {
    /// The one whose bots are folders.
    Entelect2017,
    /// Sea Battle.
    SeaBattle(Terms<SeaBattle>),
    /// botsArena.
    BotsArena(Terms<BotsArena>),
    /// Salvo, whose bots are neither.
    Salvo(salvo::Settings),
}

impl GameArgs {
    /// What is wanted, with what is agreed for it.
    pub(crate) fn agreed(&self) -> Result<Agreed, Failure> {
        Ok(match self.game {
            GameKind::Entelect2017 => Agreed::Entelect2017,
            GameKind::SeaBattle => Agreed::SeaBattle(self.terms(self.max_moves.unwrap_or_default(), ())),
            GameKind::BotsArena => {
                let settings = self.bots_arena().map_err(|error| Failure::Usage {
                    what: error.to_string(),
                    hint: "change --width, --height or --ships".to_owned(),
                })?;
                Agreed::BotsArena(self.terms(settings, self.dialect.unwrap_or_default()))
            }
            GameKind::Salvo => Agreed::Salvo(self.salvo()),
        })
    }

    fn bots_arena(&self) -> Result<bots_arena::Settings, SetupError> {
        let usual = bots_arena::Settings::default();
        let (width, height) = (self.width.unwrap_or(usual.width()), self.height.unwrap_or(usual.height()));
        let settings = bots_arena::Settings::new(width, height, self.ships.unwrap_or(usual.ships()))?;
        settings.playable().map(|()| settings)
    }

    fn salvo(&self) -> salvo::Settings {
        let usual = salvo::Settings::default();
        salvo::Settings { rounds_without_sinking: self.rounds_without_sinking.unwrap_or(usual.rounds_without_sinking) }
    }

    fn terms<G: OverHttp>(&self, settings: G::Settings, speech: G::Speech) -> Terms<G> {
        let hosts = self.allow_hosts.clone().unwrap_or_default();
        Terms { settings, speech, limit: self.limit.unwrap_or(G::LIMIT), hosts }
    }
}

/// Whether bots of this game are called over HTTP.
fn is_over_http(game: GameKind) -> bool {
    matches!(game, GameKind::SeaBattle | GameKind::BotsArena)
}

/// The flags that name them.
pub(crate) fn games_over_http() -> String {
    let games = GameKind::ALL.into_iter().filter(|game| is_over_http(*game));
    games.map(|game| format!("--game {}", game.name())).collect::<Vec<_>>().join(" or ")
}

/// Whether something is for this game.
type IsFor = fn(GameKind) -> bool;

/// Flags that are for some games only, by their names in the program.
const ONLY: [(IsFor, &[&str]); 5] = [
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

/// Whether no flag is given that is for other games than the one that is wanted.
pub(super) fn check(matches: &ArgMatches) -> Result<(), Failure> {
    let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
    let Ok(Some(&game)) = matches.try_get_one::<GameKind>("game") else { return Ok(()) };
    let is_given =
        |id: &str| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
    if is_given("limit") && is_given("nolimit") {
        return Err(Failure::Usage {
            what: "--limit and --nolimit contradict each other".to_owned(),
            hint: "leave one of them out".to_owned(),
        });
    }
    let others = ONLY.iter().filter(|(is_for, _)| !is_for(game));
    let mut given =
        others.flat_map(|(is_for, ids)| ids.iter().map(move |id| (is_for, id))).filter(|(_, id)| is_given(id));
    let Some((is_for, id)) = given.next() else { return Ok(()) };
    let games: Vec<&str> = GameKind::ALL.into_iter().filter(|game| is_for(*game)).map(GameKind::name).collect();
    Err(Failure::Usage {
        what: format!("{} is not for --game {}", flag(id), game.name()),
        hint: format!("leave it out; it is for {}", games.join(" and ")),
    })
}

/// A flag as it is written.
fn flag(id: &str) -> String {
    match id {
        "force_rebuild" => "--forceRebuild".to_owned(),
        "tournament_mode" => "--tournamentMode".to_owned(),
        id => format!("--{}", id.replace('_', "-")),
    }
}

fn kind(text: &str) -> Result<GameKind, String> {
    GameKind::from_name(text).ok_or_else(|| {
        let all = GameKind::ALL.map(GameKind::name);
        format!("the games are {}", all.join(", "))
    })
}

fn some_milliseconds(text: &str) -> Result<Duration, String> {
    match milliseconds(text)? {
        Duration::ZERO => Err("nobody answers in no time; --nolimit is for no limit".to_owned()),
        some => Ok(some),
    }
}

fn moves(text: &str) -> Result<sea_battle::Settings, String> {
    let number = text.parse().ok().filter(|moves| (1..=sea_battle::Settings::MOST_MOVES).contains(moves));
    let settings = number.map(|max_moves| sea_battle::Settings { max_moves });
    settings.or_else(|| sea_battle::Settings::preset(text)).ok_or_else(|| {
        let presets = sea_battle::Settings::PRESETS.map(|(name, _)| name).join(", ");
        format!("it is a number from 1 to {}, or one of {presets}", sea_battle::Settings::MOST_MOVES)
    })
}

fn ships(text: &str) -> Result<Ships, String> {
    let counts: Option<Vec<u8>> = text.split(',').map(|count| count.trim().parse().ok()).collect();
    counts.and_then(|counts| Ships::try_from(counts).ok()).ok_or_else(|| {
        "six numbers with commas between them are needed: of ships of length 1, 2, 3, 4, 5 and 6".to_owned()
    })
}

fn body(text: &str) -> Result<Body, String> {
    Body::ALL.into_iter().find(|body| body.name() == text).ok_or_else(|| {
        let all = Body::ALL.map(Body::name);
        format!("the dialects are {}", all.join(" and "))
    })
}

#[cfg(test)]
mod tests {
    use super::super::Args;
    use super::*;
    use clap::CommandFactory;

    fn refused(line: &str) -> Option<String> {
        let matches = Args::command().try_get_matches_from(line.split(' ')).unwrap();
        check(&matches).err().map(|error| error.to_string())
    }

    #[test]
    fn flags_of_other_games_are_refused_wherever_they_stand() {
        assert_eq!(refused("broadside -s 1 -b one two"), None);
        assert_eq!(refused("broadside --game sea-battle --limit 100 --max-moves 7 -b one two"), None);
        assert_eq!(refused("broadside languages"), None);
        for line in ["broadside --width 3 -b x", "broadside play --width 3", "broadside check x --width 3"] {
            assert_eq!(refused(line).unwrap(), "--width is not for --game entelect-2017", "{line}");
        }
        let line = "broadside compare one two --game bots-arena -s 2";
        assert_eq!(refused(line).unwrap(), "--size is not for --game bots-arena");
        assert!(refused("broadside --game sea-battle --limit 1 --nolimit").unwrap().contains("contradict"));
        assert_eq!(refused("broadside play --game salvo --rounds-without-sinking 7 -b one two"), None);
        let line = "broadside play --game salvo --limit 100 -b one two";
        assert_eq!(refused(line).unwrap(), "--limit is not for --game salvo");
    }

    #[test]
    fn every_flag_of_the_list_is_a_flag() {
        let command = Args::command();
        let commands = || std::iter::once(&command).chain(command.get_subcommands());
        for id in ONLY.iter().flat_map(|(_, ids)| *ids) {
            let mut arguments = commands().flat_map(|command| command.get_arguments());
            let argument = arguments.find(|argument| argument.get_id() == id).unwrap();
            assert_eq!(format!("--{}", argument.get_long().unwrap()), flag(id));
        }
    }
}
