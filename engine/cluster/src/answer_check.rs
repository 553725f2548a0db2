//! Checks of answers: what another machine tells of games must be possible, and its files must be those of its games.

use crate::ClusterError;
use crate::archive::{self, FILES};
use crate::link::Link;
use crate::messages::TournamentMessage;
use rules::{Ending, Seat};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use tar::EntryType;
use tournament::{Fixture, GameLine, Times};

/// The longest line of a game, in bytes; real ones have some hundreds.
const LONGEST_LINE: usize = 64 << 10;
/// The most kinds of faults of a player.
const MOST_FAULTS: usize = 12;
/// The most characters of a name or a text from a worker that is shown or kept.
const LONGEST_TEXT: usize = 500;

/// A text from a worker, fit to be shown and kept.
pub(crate) fn shown(text: &str) -> String {
    let cut: String = text.chars().take(LONGEST_TEXT).collect();
    rules::printable(&cut)
}

/// The line of a game as the head writes it. `worker` is fit to be shown, `has_files` tells whether files of the worker are in the folder of the tournament.
///
/// # Errors
/// The reason why the line cannot be that of the game.
pub(crate) fn checked(
    line: GameLine,
    worker: &str,
    tournament: &TournamentMessage,
    folder: &Path,
    has_files: bool,
) -> Result<GameLine, String> {
    let names = [line.fixture.first, line.fixture.second].map(|at| tournament.entrants[at].name.as_str());
    let seed = line.fixture.seed(tournament.header.base_seed(), names).to_string();
    let outcome = &line.outcome;
    let ended: Vec<Seat> = match &outcome.ending {
        Ending::FleetSunk { seats } => seats.clone(),
        Ending::KilledOff { seats } => seats.iter().map(|(seat, _)| *seat).collect(),
        Ending::RoundLimit { .. } | Ending::MoveLimit { .. } | Ending::NothingSunk { .. } => Vec::new(),
    };
    let is_seat = |seat: &Seat| seat.index() < 2;
    let mut ranking = outcome.ranking.clone();
    ranking.sort_unstable();
    if line.seed != seed
        || line.players.len() != 2
        || outcome.points.len() != 2
        || ranking != [Seat::A, Seat::B]
        || !outcome.winner.iter().chain(&ended).all(is_seat)
        || line.players.iter().any(|(_, player)| !player.times.as_ref().is_none_or(Times::can_be_of_a_game))
    {
        return Err(format!("{worker} played another game"));
    }
    if serde_json::to_string(&line).map_or(usize::MAX, |text| text.len()) > LONGEST_LINE {
        return Err(format!("{worker} tells too much of a game"));
    }
    let faults = || line.players.iter().flat_map(|(_, player)| player.faults.keys());
    if faults().count() > 2 * MOST_FAULTS {
        return Err(format!("{worker} tells of more kinds of faults than there are"));
    }
    if let Some(unknown) = faults().find(|kind| !is_fault(kind)) {
        return Err(format!("{worker} tells of a fault that there is not: {}", rules::printable(unknown)));
    }
    let record = runner::record_path(line.fixture);
    let record = Some(record).filter(|record| has_files && folder.join(record).is_file());
    let is_time = |text: &String| text.len() <= 40 && text.chars().all(|c| c.is_ascii_digit() || "-+:.TZ".contains(c));
    Ok(GameLine {
        record: record.filter(|_| line.record.is_some()),
        machine: Some(worker.to_owned()),
        suspect: line.suspect.as_deref().map(shown),
        ended: Some(line.ended).filter(is_time).unwrap_or_default(),
        ..line
    })
}

/// True for a word that can be a kind of fault, as journals have it.
fn is_fault(kind: &str) -> bool {
    kind.len() <= 30 && kind.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// Puts the files of these games into the folder of the tournament.
///
/// # Errors
/// They cannot be fetched, or are others.
pub(crate) fn fetch_files(
    link: &Link,
    name: &str,
    folder: &Path,
    games: &BTreeSet<Fixture>,
) -> Result<(), ClusterError> {
    let scratch = tempfile::tempdir().map_err(|e| ClusterError::disk("make", &std::env::temp_dir(), e))?;
    let path = scratch.path().join("files");
    link.fetch(name, &path)?;
    let archive = File::open(&path).map_err(|e| ClusterError::disk("read", &path, e))?;
    let allowed: BTreeSet<PathBuf> = games.iter().map(|game| runner::record_path(*game).into()).collect();
    let faults: BTreeSet<String> = games.iter().map(|game| runner::game_name(*game)).collect();
    archive::unpack(FILES, archive, folder, |path, kind| {
        let mut parts = path.iter().map(|part| part.to_string_lossy());
        let is_folder = kind == EntryType::Directory;
        match (parts.next().as_deref(), parts.next()) {
            (Some("records" | "faults"), None) => is_folder,
            (Some("records"), Some(_)) => !is_folder && allowed.contains(path),
            (Some("faults"), Some(game)) => faults.contains(&*game) && (is_folder || parts.next().is_some()),
            _ => false,
        }
    })?;
    link.forget(name)
}
