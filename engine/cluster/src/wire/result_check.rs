//! Checks of answers: lines of games from another machine must be possible, and its files must be those of its games.

use crate::error::ClusterError;
use crate::wire::archive::{self, FILES};
use crate::wire::messages::{LONGEST_MS, TournamentMessage};
use arena::record::Clock;
use platform::files::free_space;
use rules::{Ending, Game, MatchBounds, Seat};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tar::EntryType;
use tournament::{Fixture, GameLine, PlayerLine, SeedScope, Times, TournamentHeader};

/// The longest line of a game, in bytes; real ones have some hundreds.
const LONGEST_LINE: usize = 64 << 10;
/// The time by which a game may be longer than its job was away: the clocks of two machines differ a little, and those of a virtual
/// machine stand still while it is stopped.
const SLACK: Duration = Duration::from_secs(60);
/// The share by which a histogram of times may be wrong.
const INEXACT: f64 = 1.06;
/// The most bytes of the files of a game before they are compressed: its record, and a bundle of its faults.
const MOST_OF_GAME: u64 = 32 << 20;
/// The room on the disk of a tournament that files of workers leave for the journal.
const LEFT_FREE: u64 = 256 << 20;
/// The most characters of a name or a text from a worker that is shown or kept.
const LONGEST_TEXT: usize = 500;

/// A text from a worker, fit to be shown and kept.
pub(crate) fn shown(text: &str) -> String {
    let cut: String = text.chars().take(LONGEST_TEXT).collect();
    rules::printable(&cut)
}

/// The bounds of the games of this tournament.
///
/// # Errors
/// [`ClusterError::Message`] if its settings cannot be read, or its games have no bounds.
pub(crate) fn bounds_of(header: &TournamentHeader) -> Result<MatchBounds, ClusterError> {
    let wrong = |why: String| ClusterError::Message("a header", why);
    rules::for_game!(header.game, G => {
        let settings = serde_json::from_value(header.settings.clone()).map_err(|error| wrong(rules::json_mistake(&error)))?;
        G::bounds(&settings).ok_or_else(|| wrong("games without an end have no tournaments".to_owned()))
    })
}

/// The line of a game as the head writes it. `worker` is fit to be shown, `time` is that since the job was sent, less that of its
/// games before. `has_files` tells whether files of the worker are in the folder of the tournament.
///
/// # Errors
/// The reason why the line cannot be that of the game.
pub(crate) fn checked(
    line: GameLine,
    worker: &str,
    (tournament, bounds): (&TournamentMessage, &MatchBounds),
    time: Duration,
    folder: &Path,
    has_files: bool,
) -> Result<GameLine, String> {
    let names = [line.fixture.first, line.fixture.second].map(|at| tournament.entrants[at].name.as_str());
    let TournamentHeader { game, settings, plan, .. } = &tournament.header;
    let (scope, is_solo) = rules::for_game!(*game, G => serde_json::from_value(settings.clone())
        .map_or((SeedScope::Pair, false), |of| (plan.seeds::<G>(&of), G::is_solo(&of))));
    let seed = line.fixture.match_seed(tournament.header.base_seed(), names, scope).to_string();
    let outcome = &line.outcome;
    let ended: Vec<Seat> = match &outcome.ending {
        Ending::FleetSunk { seats } => seats.clone(),
        Ending::KilledOff { seats } => seats.iter().map(|(seat, _)| *seat).collect(),
        // Whoever sank all ships in solo may have won.
        Ending::Solved { .. } | Ending::RoundLimit { .. } | Ending::MoveLimit { .. } | Ending::NothingSunk { .. } => {
            Vec::new()
        }
    };
    let is_seat = |seat: &Seat| seat.index() < 2;
    let mut ranking = outcome.ranking.clone();
    ranking.sort_unstable();
    if line.seed != seed
        || line.players.len() != 2
        || outcome.points.len() != 2
        || outcome.scoring.is_points() == is_solo
        || ranking != [Seat::A, Seat::B]
        || !outcome.winner.iter().chain(&ended).all(is_seat)
    {
        return Err(format!("{worker} played another game"));
    }
    // Whoever alone lost its fleet or was killed off has not won, and whoever has won is the first.
    if outcome.winner.is_some_and(|winner| ended == [winner] || outcome.ranking.first() != Some(&winner)) {
        return Err(format!("{worker} tells of a result that contradicts itself"));
    }
    if serde_json::to_string(&line).map_or(usize::MAX, |text| text.len()) > LONGEST_LINE {
        return Err(format!("{worker} tells too much of a game"));
    }
    let most_ms = (time + SLACK).as_millis() as u64;
    let has_long_answer = |player: &PlayerLine| {
        let longest = player.times.as_ref().and_then(|times| times.quantile(1.0));
        longest.is_some_and(|longest| longest > most_ms as f64 * INEXACT)
    };
    if line.took_ms > most_ms || line.players.iter().any(|(_, player)| has_long_answer(player)) {
        return Err(format!("{worker} tells of a game that took longer than its job was away"));
    }
    let has_impossible = |player: &PlayerLine| {
        let limits = player.limits.map_or([0; 3], |of| [of.answer_ms, of.kill_ms, of.cpu_ms.unwrap_or_default()]);
        player.faults.values().any(|count| *count > bounds.turns)
            || limits.iter().any(|limit| *limit > 2 * LONGEST_MS)
            || player.shots.is_some_and(|shots| shots > bounds.shots || player.specials > shots)
            || !player.times.as_ref().is_none_or(Times::can_be_of_a_game)
    };
    if outcome.turns > bounds.turns
        || outcome.points.iter().any(|(_, points)| *points > bounds.points)
        || line.players.iter().any(|(_, player)| has_impossible(player))
    {
        return Err(format!("{worker} tells of a number that no game by these rules can have"));
    }
    let faults = line.players.iter().flat_map(|(_, player)| player.faults.keys());
    if let Some(unknown) = faults.into_iter().find(|kind| !runner::is_kind_of_fault(kind)) {
        return Err(format!("{worker} tells of a fault that there is not: {}", shown(unknown)));
    }
    let record = runner::record_path(line.fixture);
    let record = Some(record).filter(|record| has_files && folder.join(record).is_file());
    Ok(GameLine {
        record: record.filter(|_| line.record.is_some()),
        machine: Some(worker.to_owned()),
        suspect: line.suspect.as_deref().map(shown),
        ended: if Clock::is_stamp(&line.ended) { line.ended } else { Clock::Running.stamp().unwrap_or_default() },
        ..line
    })
}

/// Removes the files of these games from the folder.
///
/// # Errors
/// The disk failed.
pub(crate) fn remove_files(folder: &Path, games: &BTreeSet<Fixture>) -> Result<(), ClusterError> {
    for game in games {
        remove(&folder.join(runner::record_path(*game)), |path| fs::remove_file(path))?;
        remove(&folder.join("faults").join(runner::game_name(*game)), |path| fs::remove_dir_all(path))?;
    }
    Ok(())
}

/// Puts the files of these games, which came in an archive with this hash, into the folder of the tournament.
///
/// # Errors
/// They have not come, or are others.
pub(crate) fn unpack_files(
    file: Option<&Path>,
    hash: &str,
    folder: &Path,
    games: &BTreeSet<Fixture>,
) -> Result<(), ClusterError> {
    let path = file.ok_or_else(|| ClusterError::Archive(FILES, "it has not come".to_owned()))?;
    let open = || File::open(path).map_err(|e| ClusterError::disk("read", path, e));
    let found = archive::hash(open()?).map_err(|e| ClusterError::disk("read", path, e))?;
    if found != hash {
        return Err(ClusterError::Changed(FILES, found));
    }
    let archive = open()?;
    let most = MOST_OF_GAME * games.len() as u64;
    let free = free_space(folder).map_err(|e| ClusterError::disk("look for room in", folder, e))?;
    if free < most + LEFT_FREE {
        let why = format!("{} MB are free in {}, and they may need more", free >> 20, folder.display());
        return Err(ClusterError::Archive(FILES, why));
    }
    let allowed: BTreeSet<PathBuf> = games.iter().map(|game| runner::record_path(*game).into()).collect();
    let faults: BTreeSet<String> = games.iter().map(|game| runner::game_name(*game)).collect();
    let unpacked = archive::unpack(FILES, archive, folder, most, |path, kind| {
        let mut parts = path.iter().map(|part| part.to_string_lossy());
        let is_folder = kind == EntryType::Directory;
        match (parts.next().as_deref(), parts.next()) {
            (Some("records" | "faults"), None) => is_folder,
            (Some("records"), Some(_)) => !is_folder && allowed.contains(path),
            (Some("faults"), Some(game)) => faults.contains(&*game) && (is_folder || parts.next().is_some()),
            _ => false,
        }
    });
    // Not a part of them.
    unpacked.or_else(|error| remove_files(folder, games).and(Err(error)))
}

/// Removes a file or a folder, if it is there.
fn remove(path: &Path, by: impl Fn(&Path) -> io::Result<()>) -> Result<(), ClusterError> {
    match by(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ClusterError::disk("remove", path, error)),
        _ => Ok(()),
    }
}
