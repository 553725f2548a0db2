//! The flags that choose a game, and its settings.

use super::values::milliseconds;
use crate::failure::Failure;
use crate::game_flags::GAME_FLAGS;
use clap::ArgMatches;
use clap::builder::{ArgPredicate, TypedValueParser};
use clap::parser::ValueSource;
use players::OverHttp;
use players::http::{AllowedHosts, Client};
use rules::battleship::{self, Battleship};
use rules::bots_arena::{self, Body, BotsArena};
use rules::salvo::{self, Salvo};
use rules::sea_battle::{self, MoveLimit, Profile, SeaBattle};
use rules::{Game, GameKind};
use runner::{BotOptions, Context, ServiceSetup};
use std::time::Duration;

/// The flags that choose a game, its settings, and the limits of bots over HTTP.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GameArgs {
    /// Play this game: entelect-2017 (the default); battleship, sea-battle or bots-arena, whose bots are folders or URLs; or salvo,
    /// here for built-in players only
    #[arg(long, value_name = "GAME", default_value = "entelect-2017", hide_default_value = true, value_parser = kind)]
    #[arg(default_value_if("rules", ArgPredicate::IsPresent, "battleship"))]
    game: GameKind,

    /// battleship: play by the rules of this name (broadside rules list), or in this file
    #[arg(long, value_name = "NAME|FILE")]
    rules: Option<String>,

    /// sea-battle: end the match after this many moves of each player, or at a named limit: older-107 or older-200 [default:
    /// 120, or 107 with --profile public-server]
    #[arg(long, value_name = "N", value_parser = moves)]
    max_moves: Option<u32>,

    /// sea-battle: play by the rules of text or public-server, the server of earlier events [default: text]
    #[arg(long, value_name = "PROFILE", value_parser = profile, hide_short_help = true)]
    profile: Option<Profile>,

    /// bots-arena: set the columns of the board [default: 10]
    #[arg(long, value_name = "CELLS")]
    width: Option<u8>,

    /// bots-arena: set the rows of the board [default: 10]
    #[arg(long, value_name = "CELLS")]
    height: Option<u8>,

    /// bots-arena: set the numbers of ships of length 1, 2, 3, 4, 5 and 6 [default: 0,1,2,1,1,0]
    #[arg(long, value_name = "N,N,N,N,N,N", value_parser = ships, hide_short_help = true)]
    ships: Option<ShipCounts>,

    /// bots-arena: write requests to URLs as form, json or multipart; for one bot, put ,dialect=DIALECT behind its URL [default:
    /// asked of each bot at init]
    #[arg(long, value_name = "DIALECT", value_parser = body, hide_short_help = true)]
    dialect: Option<Body>,

    /// salvo: end the match after this many rounds in a row without a sinking [default: 100]
    #[arg(long, value_name = "N", value_parser = rounds_without_sinking(), hide_short_help = true)]
    rounds_without_sinking: Option<salvo::Settings>,

    /// battleship, sea-battle and bots-arena: limit the time of an answer, in milliseconds [default: 2000, 30000 in sea-battle
    /// with --profile public-server, 10000 in bots-arena]
    #[arg(long, value_name = "MS", value_parser = some_milliseconds, hide_short_help = true)]
    limit: Option<Duration>,

    /// Bots by URL: call these hosts only: private (this machine and private networks), any, or a comma-separated list of
    /// private, names, addresses and networks [default: private]
    #[arg(long, value_name = "HOSTS", hide_short_help = true)]
    allow_hosts: Option<AllowedHosts>,
}

/// Numbers of ships by their length, from 1 on.
type ShipCounts = [u8; bots_arena::LONGEST];

/// The options of a game over HTTP.
#[derive(Debug)]
pub(crate) struct HttpGameOptions<G: OverHttp> {
    settings: G::Settings,
    /// True if no flag has chosen the settings.
    are_usual: bool,
    /// The dialect that bots are asked in.
    pub(crate) dialect: G::Speech,
    /// `None` for the usual one of the settings.
    limit: Option<Duration>,
    hosts: AllowedHosts,
}

impl<G: OverHttp + SettingsFromFlags> HttpGameOptions<G> {
    /// The same for players alone, where the game has such rules.
    pub(crate) fn alone(self) -> HttpGameOptions<G> {
        match G::alone(&self.settings) {
            Some(settings) => HttpGameOptions { settings, are_usual: false, ..self },
            None => self,
        }
    }

    /// The setup of matches, also between programs with these options; with `nolimit`, bots have unlimited time.
    pub(crate) fn setup(&self, nolimit: bool, programs: BotOptions, context: Context) -> ServiceSetup<G> {
        let limit = (!nolimit).then(|| self.limit.unwrap_or_else(|| G::usual_limit(&self.settings)));
        let client = Client::new(self.hosts.clone());
        let setup = ServiceSetup::new(self.settings.clone(), self.dialect, limit, client, context);
        let setup = setup.with_programs(programs);
        if self.are_usual { setup.with_usual_settings(self.limit.is_none()) } else { setup }
    }
}

/// A game whose settings are flags of [`GameArgs`].
pub(crate) trait SettingsFromFlags: Game {
    /// The settings that flags have chosen; `None` if no flag has.
    ///
    /// # Errors
    /// [`Failure::Usage`] for settings with which the game cannot be played.
    fn from_flags(flags: &GameArgs) -> Result<Option<Self::Settings>, Failure>;

    /// The same settings for a player alone; `None` if the game has no such rules.
    fn alone(_settings: &Self::Settings) -> Option<Self::Settings> {
        None
    }
}

impl SettingsFromFlags for SeaBattle {
    fn from_flags(flags: &GameArgs) -> Result<Option<sea_battle::Settings>, Failure> {
        let usual = sea_battle::Settings::of(flags.profile.unwrap_or_default());
        let max_moves = flags.max_moves.map_or(usual.max_moves, MoveLimit::Each);
        let are_chosen = flags.profile.is_some() || flags.max_moves.is_some();
        Ok(are_chosen.then_some(sea_battle::Settings { max_moves, ..usual }))
    }
}

impl SettingsFromFlags for BotsArena {
    fn from_flags(flags: &GameArgs) -> Result<Option<bots_arena::Settings>, Failure> {
        if flags.width.is_none() && flags.height.is_none() && flags.ships.is_none() {
            return Ok(None);
        }
        let usual = bots_arena::Settings::default();
        let (width, height) = (flags.width.unwrap_or(usual.width()), flags.height.unwrap_or(usual.height()));
        let settings = bots_arena::Settings::new(width, height, flags.ships.unwrap_or(usual.ships()));
        settings.and_then(|settings| settings.playable().map(|()| Some(settings))).map_err(|error| Failure::Usage {
            what: error.to_string(),
            hint: "change --width, --height or --ships".to_owned(),
        })
    }
}

impl SettingsFromFlags for Battleship {
    fn from_flags(flags: &GameArgs) -> Result<Option<battleship::Rules>, Failure> {
        Ok(flags.rules.as_deref().map(rule_files::find).transpose()?)
    }

    fn alone(rules: &battleship::Rules) -> Option<battleship::Rules> {
        Some(rules.alone())
    }
}

impl SettingsFromFlags for Salvo {
    fn from_flags(flags: &GameArgs) -> Result<Option<salvo::Settings>, Failure> {
        Ok(flags.rounds_without_sinking)
    }
}

/// A game over HTTP whose settings and dialect are flags of [`GameArgs`].
pub(crate) trait HttpFromFlags: OverHttp + SettingsFromFlags {
    /// The dialect that flags have chosen.
    fn dialect_from_flags(flags: &GameArgs) -> Self::Speech;
}

impl HttpFromFlags for SeaBattle {
    fn dialect_from_flags(_: &GameArgs) {}
}

impl HttpFromFlags for Battleship {
    fn dialect_from_flags(_: &GameArgs) {}
}

impl HttpFromFlags for BotsArena {
    fn dialect_from_flags(flags: &GameArgs) -> Option<Body> {
        flags.dialect
    }
}

impl GameArgs {
    /// The chosen game.
    pub(crate) fn kind(&self) -> GameKind {
        self.game
    }

    /// The options of a game over HTTP.
    ///
    /// # Errors
    /// [`Failure::Usage`] for settings with which the game cannot be played.
    pub(crate) fn http_options<G: HttpFromFlags>(&self) -> Result<HttpGameOptions<G>, Failure> {
        let settings = G::from_flags(self)?;
        Ok(HttpGameOptions {
            are_usual: settings.is_none(),
            settings: settings.unwrap_or_default(),
            dialect: G::dialect_from_flags(self),
            limit: self.limit,
            hosts: self.allow_hosts.clone().unwrap_or_default(),
        })
    }
}

/// Checks that every given flag is for the chosen game.
///
/// # Errors
/// [`Failure::Usage`] with the first flag that is not, and for `--limit` together with `--nolimit`.
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
    let mut flags = GAME_FLAGS.iter().flat_map(|(is_for, ids)| ids.iter().map(move |id| (is_for, id)));
    let Some((is_for, id)) = flags.find(|(is_for, id)| is_given(id) && !is_for(game, id)) else { return Ok(()) };
    let games: Vec<&str> = GameKind::ALL.into_iter().filter(|game| is_for(*game, id)).map(GameKind::name).collect();
    Err(Failure::Usage {
        what: format!("--{} is not for --game {}", id.replace('_', "-"), game.name()),
        hint: format!("leave it out; it is for {}", games.join(" and ")),
    })
}

fn kind(text: &str) -> Result<GameKind, String> {
    GameKind::from_name(text).ok_or_else(|| {
        let all = GameKind::ALL.map(GameKind::name);
        format!("the games are {}", all.join(", "))
    })
}

fn some_milliseconds(text: &str) -> Result<Duration, String> {
    match milliseconds(text)? {
        Duration::ZERO => Err("a limit of 0 leaves no time to answer; for no limit use --nolimit".to_owned()),
        some => Ok(some),
    }
}

/// The number of moves of each player, or that of a preset.
pub(super) fn moves(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|moves| (1..=sea_battle::Settings::MOST_MOVES).contains(moves));
    number.or_else(|| sea_battle::Settings::preset(text)).ok_or_else(|| {
        let presets = sea_battle::Settings::PRESETS.map(|(name, _)| name).join(", ");
        format!("expected a number from 1 to {}, or one of {presets}", sea_battle::Settings::MOST_MOVES)
    })
}

/// The profile with this name.
pub(super) fn profile(text: &str) -> Result<Profile, String> {
    Profile::from_name(text)
        .ok_or_else(|| format!("the profiles are {}", Profile::ALL.map(Profile::name).join(" and ")))
}

fn rounds_without_sinking() -> impl TypedValueParser<Value = salvo::Settings> {
    let rounds = clap::value_parser!(u32).range(1..=i64::from(salvo::Settings::MOST_ROUNDS));
    rounds.map(|rounds_without_sinking| salvo::Settings { rounds_without_sinking })
}

fn ships(text: &str) -> Result<ShipCounts, String> {
    let counts: Option<Vec<u8>> = text.split(',').map(|count| count.trim().parse().ok()).collect();
    counts
        .and_then(|counts| ShipCounts::try_from(counts).ok())
        .ok_or_else(|| "expected six comma-separated numbers: of ships of length 1, 2, 3, 4, 5 and 6".to_owned())
}

fn body(text: &str) -> Result<Body, String> {
    Body::ALL.into_iter().find(|body| body.name() == text).ok_or_else(|| {
        let all = Body::ALL.map(Body::name);
        format!("the dialects are {}", all.join(", "))
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
        for id in GAME_FLAGS.iter().flat_map(|(_, ids)| *ids) {
            let mut arguments = commands().flat_map(|command| command.get_arguments());
            let argument = arguments.find(|argument| argument.get_id() == id).unwrap();
            assert_eq!(argument.get_long().unwrap(), id.replace('_', "-"));
        }
    }
}
