//! The games of which a profile is made: those of journals, and records that lie in folders.

use crate::commands::records::found_matches::matches_in;
use crate::commands::records::kept_record::kept_record;
use crate::commands::standings::{journal, latest};
use crate::failure::Failure;
use arena::ArenaError;
use arena::record::Record;
use rules::{GameKind, Seat};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tournament::{Format, GAMES_JSONL, JournalLine, OpponentResults, ScoreTable};

/// The sources that were named, and their games.
pub(super) struct Sources {
    told: Vec<String>,
    tournaments: Vec<Tournament>,
    games: Vec<SourceGame>,
}

/// A tournament by its journal.
struct Tournament {
    folder: PathBuf,
    table: ScoreTable,
    /// The number of each bot that is looked for; `None` if it is not an entrant.
    bots: Vec<Option<usize>>,
    /// The games of these bots, and those of which a record was kept.
    games: [u64; 2],
}

/// A game that may be one of the bots.
pub(super) enum SourceGame {
    /// A game of a tournament that has one of the bots: the number of the tournament, the path of its record, and the entrants by seats.
    OfTournament(usize, String, [usize; 2]),
    /// A record or a folder of a match.
    Match(PathBuf),
}

impl Sources {
    /// Opens the sources at these paths, or the latest tournament if there are none.
    ///
    /// # Errors
    /// A path that does not exist, a folder without games, and a journal that cannot be read.
    pub(super) fn open(paths: &[PathBuf], bots: &[String]) -> Result<Sources, Failure> {
        let mut sources = Sources { told: Vec::new(), tournaments: Vec::new(), games: Vec::new() };
        if paths.is_empty() {
            sources.add_tournament(&latest()?, bots)?;
        }
        for path in paths {
            let is_journal = path.file_name().is_some_and(|name| name == GAMES_JSONL);
            if is_journal || path.join(GAMES_JSONL).exists() {
                sources.add_tournament(&journal(path)?, bots)?;
            } else if matches!(path.try_exists(), Ok(false)) {
                return Err(Failure::Missing {
                    what: format!("there is no {}", path.display()),
                    hint: "name the folder of a tournament, its journal games.jsonl, a record, or a folder of matches",
                });
            } else {
                sources.told.push(path.display().to_string());
                sources.games.extend(matches_in(path)?.into_iter().map(SourceGame::Match));
            }
        }
        Ok(sources)
    }

    fn add_tournament(&mut self, journal: &Path, bots: &[String]) -> Result<(), ArenaError> {
        let folder = journal.parent().unwrap_or(Path::new("")).to_owned();
        let number = self.tournaments.len();
        let mut found = Vec::new();
        let table = ScoreTable::read_with(journal, |line| {
            if let JournalLine::Game(game) = line {
                found.push((game.fixture.seated(), game.record.clone()));
            }
        })?;
        let is_it = |name: &String, at: &usize| {
            let entrant = &table.entrants()[*at];
            entrant.name == *name || entrant.bot == *name
        };
        let entrants = 0..table.entrants().len();
        let bots: Vec<Option<usize>> = bots.iter().map(|name| entrants.clone().find(|at| is_it(name, at))).collect();
        found.retain(|(seated, _)| seated.iter().any(|at| bots.contains(&Some(*at))));
        let all = found.len() as u64;
        let kept = found.into_iter().filter_map(|(seated, record)| Some((seated, record?)));
        let before = self.games.len();
        self.games.extend(kept.map(|(seated, record)| SourceGame::OfTournament(number, record, seated)));
        self.told.push(if folder.as_os_str().is_empty() { journal.display() } else { folder.display() }.to_string());
        let games = [all, (self.games.len() - before) as u64];
        self.tournaments.push(Tournament { folder, table, bots, games });
        Ok(())
    }

    /// The games.
    pub(super) fn games(&self) -> &[SourceGame] {
        &self.games
    }

    /// Reads the record of a game.
    ///
    /// # Errors
    /// The record is missing or damaged.
    pub(super) fn record(&self, game: &SourceGame) -> Result<Arc<Record>, ArenaError> {
        match game {
            SourceGame::OfTournament(tournament, path, _) => {
                Ok(Arc::new(kept_record(&self.tournaments[*tournament].folder, path)?))
            }
            SourceGame::Match(path) => Ok(match_folder::open(path)?.record),
        }
    }

    /// The seats of the bots in a game, with their numbers, given the names in its record.
    pub(super) fn seats(&self, game: &SourceGame, names: &[(Seat, &str)], bots: &[String]) -> Vec<(Seat, usize)> {
        let number = |seat: Seat, name: &str| match game {
            SourceGame::OfTournament(tournament, _, entrants) => {
                let entrant = entrants.get(seat.index())?;
                self.tournaments[*tournament].bots.iter().position(|bot| *bot == Some(*entrant))
            }
            SourceGame::Match(_) => bots.iter().position(|bot| bot == name),
        };
        names.iter().filter_map(|(seat, name)| Some((*seat, number(*seat, name)?))).collect()
    }

    /// The results of a bot in the tournaments of a game, also in games without a record.
    pub(super) fn opponents(&self, bot: usize, game: GameKind) -> Vec<OpponentResults> {
        let of_game = self.tournaments.iter().filter(|of| of.table.event().game == game);
        // Where each plays alone at the same fleets, nobody wins against anybody.
        let between = of_game.filter(|of| of.table.event().plan != Format::Solo && !of.table.event().is_solo());
        between.flat_map(|of| of.bots[bot].map(|at| OpponentResults::of(&of.table, at)).unwrap_or_default()).collect()
    }

    /// The name of a bot as a tournament has it.
    pub(super) fn name(&self, bot: usize) -> Option<&str> {
        self.tournaments.iter().find_map(|of| Some(of.table.entrants()[of.bots[bot]?].name.as_str()))
    }

    /// The names in all tournaments.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tournaments.iter().flat_map(|of| of.table.entrants()).map(|entrant| entrant.name.as_str())
    }

    /// True if this is the name, folder or URL of an entrant.
    pub(super) fn is_known(&self, name: &str) -> bool {
        let mut entrants = self.tournaments.iter().flat_map(|of| of.table.entrants());
        entrants.any(|entrant| entrant.name == name || entrant.bot == name)
    }

    /// The tournaments' games of the bots of which a record was kept, and all of them.
    pub(super) fn kept(&self) -> (u64, u64) {
        let sum = |of: usize| self.tournaments.iter().map(|tournament| tournament.games[of]).sum();
        (sum(1), sum(0))
    }

    /// The paths of the sources.
    pub(super) fn told(&self) -> String {
        self.told.join(", ")
    }
}
