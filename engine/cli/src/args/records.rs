//! Commands about records of matches.

use rules::Seat;
use std::path::PathBuf;

/// The arguments of `broadside verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Records, match folders, or folders that contain them
    #[arg(required = true, value_name = "RECORD|FOLDER")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print JSON, with all matches
    #[arg(long)]
    pub(crate) json: bool,
}

pub(super) const VERIFY_HELP: &str = "\
Verifies a record line by line and turn by turn. With --quiet, prints only matches that are wrong. In a folder with rounds, also compares every state.json, map.txt, \
roundInfo.json and roundCommand.json, but not the logs. Recognises folders of the original engine by their files. \
docs/results.schema.json describes the JSON.

Examples:
  broadside verify replays
  broadside verify replays --json | jq '.matches[].verdict'
  broadside verify match.jsonl 'Replays/2017-08-01 12-00-00-000'

Exit status:
  0    all matches follow the rules
  5    a match does not, is missing or not a record, or was not written to its
       end";

/// The arguments of `broadside replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// Record or match folder [default: replays/latest, the last match that was played here]
    pub(crate) record: Option<PathBuf>,

    /// List the matches in replays/ and ask which one to show
    #[arg(long, conflicts_with = "record")]
    pub(crate) pick: bool,

    /// Write a page to this file instead; it opens in any browser and needs no other file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["png", "gif", "print", "round", "eyes"])]
    pub(crate) html: Option<PathBuf>,

    /// Write a picture of one moment, the end or that of --round, to this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["gif", "print"])]
    pub(crate) png: Option<PathBuf>,

    /// Write the whole match as an animated GIF to this file instead, four turns a second
    #[arg(long, value_name = "FILE", conflicts_with_all = ["print", "round"])]
    pub(crate) gif: Option<PathBuf>,

    /// Print the boards as text (the default without a terminal)
    #[arg(long)]
    pub(crate) print: bool,

    /// Show only the boards after this round or turn, as text or with --png
    #[arg(long, value_name = "NUMBER")]
    pub(crate) round: Option<usize>,

    /// Show the view of the player in this seat, such as A [default: the referee's view]
    #[arg(long, value_name = "SEAT", value_parser = seat)]
    pub(crate) eyes: Option<Seat>,
}

pub(super) const REPLAY_HELP: &str = "\
Keys: space plays and pauses, left and right step, ? shows all keys.

Signs of boards: a capital letter is a cell of a ship, a small one a cell that was hit, * a hit
whose ship is not known, ! a miss or known water, ~ water, ? a ship that radar saw, % armour that
was hit and holds, ^ a shot whose result is not known, @ a shot that a shield caught. Before a cell:
> a shot of this turn, : a cell that radar looked at, + a shielded cell.

Examples:
  broadside replay
  broadside replay replays/2026-11-21T12-00-00
  broadside replay match.jsonl --html match.html
  broadside replay match.jsonl --png final-shot.png
  broadside replay match.jsonl --gif match.gif --eyes A
  broadside replay match.jsonl --print --round 12 --eyes A";

/// The arguments of `broadside analyse`.
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyseArgs {
    /// Record or match folder [default: replays/latest, the last match that was played here]
    pub(crate) record: Option<PathBuf>,

    /// Print JSON, with every turn
    #[arg(long)]
    pub(crate) json: bool,

    /// Add to the JSON the chance of a hit in every cell at every moment
    #[arg(long, requires = "json")]
    pub(crate) chances: bool,
}

pub(super) const ANALYSE_HELP: &str = "\
Accuracy is the share of the hits of the best cells that a player's shots could be expected to make;
luck is what they hit beyond that. Both count what the player could know, not where the ships were.
The probability to win is what somebody knows who sees all boards as the players see them. It comes
from the moves that each side still needs by a simple policy; docs/analysis.md says how good it is.
docs/results.schema.json describes the JSON.

Examples:
  broadside analyse
  broadside analyse replays/2026-11-21T12-00-00
  broadside analyse match.jsonl --json | jq '.turning_points[0]'";

/// The arguments of `broadside profile`.
#[derive(Debug, clap::Args)]
pub(crate) struct ProfileArgs {
    /// Name of the bot in its games; in a tournament also its folder, URL or builtin:NAME
    pub(crate) bot: String,

    /// Journals of tournaments (games.jsonl) or their folders, records, or folders with matches [default: the latest tournament
    /// in tournaments/ or in this folder]
    #[arg(value_name = "SOURCE")]
    pub(crate) sources: Vec<PathBuf>,

    /// Put this bot beside it
    #[arg(long, value_name = "BOT")]
    pub(crate) beside: Option<String>,

    /// Print JSON
    #[arg(long, conflicts_with = "html")]
    pub(crate) json: bool,

    /// Write a page to this file instead; it opens in any browser and needs no other file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

pub(super) const PROFILE_HELP: &str = "\
Needs records of the games: broadside tournament --keep all keeps them. Shows where the bot's ships stood and its first shots fell, \
shots, accuracy, luck, weapons, lost games and results by opponents, and tells habits that are not chance. docs/profile.md explains \
the numbers and the tests, docs/results.schema.json the JSON.

Examples:
  broadside profile Hunter
  broadside profile Hunter tournaments/night
  broadside profile my-bot replays --html my-bot.html
  broadside profile my-bot night --beside builtin:hunter
  broadside profile Hunter --json | jq '.bots[0].hints[].words'

Exit status:
  0    the profile was shown
  2    wrong usage, or no game has a bot of this name
  5    there are no games or no records of them, or some are missing or
       damaged; the profile of the rest was shown";

/// The arguments of `broadside matches`.
#[derive(Debug, clap::Args)]
pub(crate) struct MatchesArgs {
    /// Folder with matches [default: replays/; where there is none, the latest tournament]
    pub(crate) folder: Option<PathBuf>,

    /// Print JSON
    #[arg(long, conflicts_with = "clean")]
    pub(crate) json: bool,

    /// Remove all matches but the newest, if their folders have names that the program gave them
    #[arg(long)]
    pub(crate) clean: bool,

    /// With --clean, keep this many matches
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) keep: usize,

    /// With --clean, do not ask
    #[arg(long, requires = "clean")]
    pub(crate) yes: bool,
}

pub(super) const MATCHES_HELP: &str = "\
docs/results.schema.json describes the JSON.

Examples:
  broadside matches
  broadside matches tournaments/night
  broadside matches --clean --keep 5
  broadside matches --json | jq '.[0].path'

Exit status:
  0    the matches were listed or removed
  1    a match cannot be removed
  5    there is no folder, or no match in it";

/// The arguments of `broadside expand`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExpandArgs {
    /// Record to read
    pub(crate) record: PathBuf,

    /// Match folder to create; an existing one must be empty
    pub(crate) folder: PathBuf,
}

pub(super) const EXPAND_HELP: &str = "\
Every file but the logs equals, byte for byte, the file that the match wrote or would have written. Logs have what follows \
from the record, with the time at which the match began. A record that was imported from a folder whose line ends git has \
changed has the answers of that folder: roundCommand.json then lacks the blank for each CR of a placement.

Example:
  broadside expand match.jsonl match";

/// The arguments of `broadside import`.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// Match folder to read
    pub(crate) folder: PathBuf,

    /// Record to write; compressed if its name ends with .zst
    pub(crate) record: PathBuf,
}

pub(super) const IMPORT_HELP: &str = "\
Example:
  broadside import 'Replays/2017-08-01 12-00-00-000' match.jsonl.zst";

fn seat(text: &str) -> Result<Seat, String> {
    let mut letters = text.chars();
    match (letters.next().map(|letter| Seat::try_from(letter.to_ascii_uppercase())), letters.next()) {
        (Some(Ok(seat)), None) => Ok(seat),
        _ => Err("expected the letter of a seat, such as A".to_owned()),
    }
}
