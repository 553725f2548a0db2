//! Reads the games of a profile, and adds them up.

use super::sources::{SourceGame, Sources};
use crate::commands::records::in_order::in_order;
use crate::failure::Failure;
use crate::show::{self, printable, with_causes};
use crate::signals;
use analysis::profile::{Board, GameSheet, ProfileSums, game_sheets};
use arena::record::{Record, RecordError};
use arena::{ArenaError, Interrupt};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use tournament::{OpponentResults, Pentanomial, WinDrawLoss};

/// The most messages about single records.
const MOST_TOLD: u64 = 8;

/// The games that were read.
pub(super) struct GamesRead {
    boards: Vec<OneBoard>,
    /// The names of all players in records that are not of tournaments.
    pub(super) names: BTreeSet<String>,
    /// The number of records that are missing or damaged.
    pub(super) wrong: u64,
    unfinished: u64,
}

/// The games on one kind of board.
pub(super) struct OneBoard {
    pub(super) board: Board,
    /// The record of the first game.
    pub(super) record: Arc<Record>,
    /// The games of each bot.
    pub(super) bots: Vec<BotGames>,
    games: u64,
}

/// The games of one bot on one kind of board.
pub(super) struct BotGames {
    pub(super) sums: ProfileSums,
    /// The results in matches that are not of tournaments.
    pub(super) opponents: Vec<OpponentResults>,
}

/// A game that was read.
struct ReadGame {
    board: Board,
    record: Arc<Record>,
    sheets: Vec<BotSheet>,
}

/// The sheet of one of the bots.
struct BotSheet {
    /// The number of the bot.
    bot: usize,
    sheet: GameSheet,
    /// The names of its opponents, with true if it was ranked before them; none in a game of a tournament, whose journal tells.
    opponents: Vec<(String, Option<bool>)>,
}

/// The end of reading a game: the names in a match of others, or the game.
type Reading = Result<Result<ReadGame, Vec<String>>, ArenaError>;

/// Reads all games. A record that is missing or damaged is told and left out; one without an end is left out.
///
/// # Errors
/// [`ArenaError::Interrupted`] after a signal. No thread can be started.
pub(super) fn read(sources: &Sources, bots: &[String]) -> Result<GamesRead, Failure> {
    let (stop, games) = (signals::interrupt()?, sources.games());
    let mut read = GamesRead { boards: Vec::new(), names: BTreeSet::new(), wrong: 0, unfinished: 0 };
    let shows_progress = io::stderr().is_terminal();
    let mut taken = 0;
    let work = |game: &SourceGame| match stop.is_raised() {
        true => Err(ArenaError::Interrupted),
        false => one(sources, bots, game, &stop),
    };
    let done = in_order(games, work, |game| {
        taken += 1;
        if shows_progress {
            show::status(&format!("{taken} of {} games", games.len()));
        }
        read.take(game, bots.len())
    });
    if shows_progress {
        show::status("");
    }
    done?;
    read.tell();
    Ok(read)
}

fn one(sources: &Sources, bots: &[String], game: &SourceGame, stop: &Interrupt) -> Reading {
    let record = sources.record(game)?;
    let names = record.names();
    let listed: Vec<_> = names.iter().map(|(seat, name)| (seat, name.as_str())).collect();
    let seats = sources.seats(game, &listed, bots);
    if seats.is_empty() {
        return Ok(Err(listed.into_iter().map(|(_, name)| name.to_owned()).collect()));
    }
    let (board, sheets) = game_sheets(&record, seats.iter().map(|(seat, _)| *seat).collect(), stop)?;
    let is_match = matches!(game, SourceGame::Match(_));
    let sheets = seats.into_iter().zip(sheets).map(|((_, bot), sheet)| {
        let against = sheet.against.iter().filter(|_| is_match);
        let opponents = against.map(|(seat, before)| (names[*seat].clone(), *before)).collect();
        BotSheet { bot, sheet, opponents }
    });
    Ok(Ok(ReadGame { board, sheets: sheets.collect(), record }))
}

impl GamesRead {
    /// True if a game of the bot of this number was read.
    pub(super) fn has(&self, bot: usize) -> bool {
        self.boards.iter().any(|board| board.bots[bot].sums.games() > 0)
    }

    /// The board on which most games were played, if possible by all bots, and the number of games on others.
    ///
    /// # Panics
    /// No game was read.
    pub(super) fn most_played(mut self) -> (OneBoard, u64) {
        let all: u64 = self.boards.iter().map(|board| board.games).sum();
        let fewest = |board: &OneBoard| board.bots.iter().map(|bot| bot.sums.games()).min();
        // Of several with as many games the first.
        self.boards.sort_by_key(|board| std::cmp::Reverse((fewest(board), board.games)));
        let most = self.boards.swap_remove(0);
        let aside = all - most.games;
        (most, aside)
    }

    fn take(&mut self, reading: Reading, bots: usize) -> Result<(), ArenaError> {
        match reading {
            Ok(Ok(game)) => self.add(game, bots),
            Ok(Err(names)) => self.names.extend(names),
            Err(ArenaError::Interrupted) => return Err(ArenaError::Interrupted),
            Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => self.unfinished += 1,
            Err(error) => {
                self.wrong += 1;
                if self.wrong <= MOST_TOLD {
                    show::say(&format!("left out: {}", printable(&with_causes(&error))));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, game: ReadGame, bots: usize) {
        let at = self.boards.iter().position(|board| board.board == game.board).unwrap_or_else(|| {
            let sums = |_| BotGames { sums: ProfileSums::new(game.board.clone()), opponents: Vec::new() };
            let bots = (0..bots).map(sums).collect();
            self.boards.push(OneBoard { board: game.board.clone(), record: game.record, bots, games: 0 });
            self.boards.len() - 1
        });
        let board = &mut self.boards[at];
        board.games += 1;
        for BotSheet { bot, sheet, opponents } in game.sheets {
            let bot = &mut board.bots[bot];
            bot.sums.add(&sheet);
            for (name, won) in opponents {
                let games = WinDrawLoss {
                    wins: u64::from(won == Some(true)),
                    draws: u64::from(won.is_none()),
                    losses: u64::from(won == Some(false)),
                };
                let results = OpponentResults { name, games, pairs: Pentanomial::default() };
                match bot.opponents.iter_mut().find(|known| known.name == results.name) {
                    Some(known) => *known += &results,
                    None => bot.opponents.push(results),
                }
            }
        }
    }

    fn tell(&self) {
        if self.wrong > MOST_TOLD {
            show::say(&format!("and {} more", self.wrong - MOST_TOLD));
        }
        if self.unfinished > 0 {
            show::tell(&format!(
                "{} without an end left out",
                crate::commands::records::found_matches::counted(self.unfinished as usize)
            ));
        }
    }
}
