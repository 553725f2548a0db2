//! The fault bundles of a version: turns without an order that was obeyed, with all that its team needs to see why.

use crate::contests::contest_folder::version_path;
use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::ladder::PlayedGame;
use crate::contests::wire::{FaultBundle, FaultFile, FaultRow};
use crate::state::contests::contest_settings::ContestName;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use rules::{Seat, printable_text};
use runner::{FAULTS, game_name};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use submissions::TRIAL;
use walkdir::WalkDir;

/// The most bundles that are listed.
const LISTED: usize = 20;
/// The most of a file that is told, in bytes.
const MOST_OF_FILE: u64 = 64 << 10;
/// The most files of a bundle.
const MOST_FILES: usize = 32;

/// The last bundles of a version, those of its trial games first.
pub(crate) fn faults(
    contests: &ContestHost,
    contest: &ContestName,
    bot: BotId,
    version: u32,
) -> RequestResult<Vec<FaultRow>> {
    let folder = contests.folder(contest);
    let mut games: Vec<(String, PathBuf, Seat)> = Vec::new();
    let trials = folder.version(bot, version).faults();
    for number in 1.. {
        let (name, path) = (format!("{TRIAL}{number}"), trials.join(format!("{TRIAL}{number}")));
        if !path.is_dir() {
            break;
        }
        games.push((name, path, Seat::A));
    }
    let path = version_path(bot, version);
    games.extend(contests.ladder(contest)?.look(|ladder| {
        let own = ladder.table.entrants().iter().position(|entrant| entrant.bot == path);
        let played = own.into_iter().flat_map(|own| ladder.games_of(own).map(move |game| (own, game)));
        let faulty = played.filter(|(own, game)| game.lost[usize::from(game.fixture.first != *own)] > 0);
        let named = |(own, game): (usize, &Arc<PlayedGame>)| {
            let name = game_name(game.fixture);
            let seat = if game.fixture.seated()[0] == own { Seat::A } else { Seat::B };
            (name.clone(), folder.path().join(FAULTS).join(name), seat)
        };
        faulty.map(named).collect::<Vec<_>>()
    }));
    let mut rows = Vec::new();
    for (game, path, seat) in games {
        let mut rounds: Vec<u32> = rounds_in(&path, seat);
        rounds.sort_unstable();
        rows.extend(rounds.into_iter().map(|round| FaultRow { game: game.clone(), round }));
        if rows.len() >= LISTED {
            break;
        }
    }
    rows.truncate(LISTED);
    Ok(rows)
}

/// The rounds of which there is a bundle of this seat.
fn rounds_in(game: &Path, seat: Seat) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(game) else { return Vec::new() };
    let round = |name: &str| name.strip_prefix("round ")?.strip_suffix(&format!(" {seat}"))?.parse().ok();
    entries.flatten().filter_map(|entry| round(entry.file_name().to_str()?)).collect()
}

/// A bundle of a version.
pub(crate) fn fault(
    contests: &ContestHost,
    contest: &ContestName,
    (bot, version): (BotId, u32),
    (game, round): (&str, u32),
) -> RequestResult<FaultBundle> {
    let missing = || RequestError::missing("nothing is kept of this turn");
    let folder = contests.folder(contest);
    let (path, seat) = match game.strip_prefix(TRIAL) {
        Some(number) => {
            let number: u32 = number.parse().map_err(|_| missing())?;
            (folder.version(bot, version).faults().join(format!("{TRIAL}{number}")), Seat::A)
        }
        None => {
            let own = version_path(bot, version);
            let seat = contests.ladder(contest)?.look(|ladder| {
                let own = ladder.table.entrants().iter().position(|entrant| entrant.bot == own)?;
                let found = ladder.games_of(own).find(|played| game_name(played.fixture) == game)?;
                Some(if found.fixture.seated()[0] == own { Seat::A } else { Seat::B })
            });
            // The name is that of a game now.
            (folder.path().join(FAULTS).join(game), seat.ok_or_else(missing)?)
        }
    };
    let bundle = path.join(format!("round {round} {seat}"));
    let server = contests.host.folder.canonicalize().unwrap_or_else(|_| contests.host.folder.clone());
    let told = |path: &Path| {
        let mut bytes = Vec::new();
        let file = fs::File::open(path).ok()?;
        file.take(MOST_OF_FILE).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).replace(&format!("{}/", server.display()), "");
        Some(printable_text(&text))
    };
    let report = told(&bundle.join("report.txt")).ok_or_else(missing)?;
    let mut files = Vec::new();
    for name in ["stdout.txt", "stderr.txt", "got", "wrote"] {
        for entry in WalkDir::new(bundle.join(name)).sort_by_file_name().into_iter().flatten() {
            if entry.file_type().is_file()
                && files.len() < MOST_FILES
                && let Some(text) = told(entry.path())
                && let Ok(inner) = entry.path().strip_prefix(&bundle)
            {
                files.push(FaultFile { name: inner.display().to_string(), text });
            }
        }
    }
    Ok(FaultBundle { report, files })
}
