//! The state of a final. It follows from the lines of the journal alone.

use crate::state::finals::final_plan::{planned_start, time};
use crate::state::journal_line::FinalMatchLine;
use crate::state::name::BotId;
use crate::state::name::BotName;
use chrono::{DateTime, Utc};
use rules::Seat;
use std::collections::BTreeSet;
use tournament::{FinalBracket, Fixture, GameResult, NextGame, Results};

/// A final that is planned, being played, or over.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Final {
    /// The number of the final, counted from 1.
    pub(crate) number: u32,
    /// The time when it begins.
    pub(crate) start: DateTime<Utc>,
    /// The most bots that take part.
    pub(crate) entrants: u32,
    /// The most games of a meeting; odd.
    pub(crate) best_of: u32,
    /// The bots and their games, once it has begun.
    pub(crate) lineup: Option<Lineup>,
    /// The entrants, best first, once it is over.
    pub(crate) ranking: Option<Vec<usize>>,
}

/// The bots of a final, and their games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lineup {
    pub(crate) seed: u64,
    /// The bots, the best first.
    pub(crate) bots: Vec<BotId>,
    /// The names of the bots when the final began.
    pub(crate) names: Vec<BotName>,
    pub(crate) games: Vec<FinalGame>,
    /// The bots that were removed since, in this order.
    pub(crate) withdrawn: Vec<usize>,
    pub(crate) bracket: FinalBracket,
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FinalGame {
    pub(crate) fixture: Fixture,
    /// The number of its match.
    pub(crate) id: u64,
    result: GameResult,
    /// The hits of both, the first entrant's first.
    points: [u64; 2],
    /// The time when the screens have shown all of it. Its result is not told before.
    pub(crate) shown: DateTime<Utc>,
}

impl Lineup {
    /// The results of all games, but for the match with the number `hidden`.
    pub(crate) fn results(&self, hidden: Option<u64>) -> Results {
        let mut results = Results::default();
        for game in self.games.iter().filter(|game| Some(game.id) != hidden) {
            results.add(game.fixture, game.result, game.points);
        }
        self.withdrawn.iter().for_each(|entrant| results.retire(*entrant));
        results
    }

    /// The next game.
    pub(crate) fn next(&self) -> NextGame {
        self.bracket.next(&self.results(None))
    }

    /// The entrants, best first; `None` before the last game.
    pub(crate) fn ranking(&self) -> Option<Vec<usize>> {
        self.bracket.ranking(&self.results(None))
    }

    /// The bots of a game, by seats.
    pub(crate) fn seated(&self, fixture: Fixture) -> [BotId; 2] {
        fixture.seated().map(|entrant| self.bots[entrant])
    }
}

impl Final {
    /// A final that is planned.
    ///
    /// # Errors
    /// The reason why there cannot be such a final.
    pub(crate) fn planned(number: u32, start: &str, entrants: u32, best_of: u32) -> Result<Final, String> {
        let start = planned_start(start, entrants, best_of)?;
        Ok(Final { number, start, entrants, best_of, lineup: None, ranking: None })
    }

    /// True if the match with this number is a game of it.
    pub(crate) fn has(&self, id: u64) -> bool {
        self.lineup.iter().flat_map(|lineup| &lineup.games).any(|game| game.id == id)
    }

    /// The bots and their games, while it is played.
    pub(crate) fn playing(&self) -> Option<&Lineup> {
        self.lineup.as_ref().filter(|_| self.ranking.is_none())
    }

    /// The game that the screens were showing when a server ended at this time.
    pub(crate) fn on_screen(&self, now: DateTime<Utc>) -> Option<&FinalGame> {
        self.playing()?.games.last().filter(|game| game.shown > now)
    }

    /// The lineup of these bots.
    ///
    /// # Errors
    /// The reason why they cannot begin.
    pub(crate) fn lined_up(&self, seed: u64, bots: &[BotId], names: &[BotName]) -> Result<Lineup, String> {
        let different: BTreeSet<BotId> = bots.iter().copied().collect();
        if self.lineup.is_some() {
            return Err(format!("final {} has begun already", self.number));
        }
        if bots.len() < 2 || bots.len() > self.entrants as usize || different.len() != bots.len() {
            return Err(format!("final {} cannot have these bots", self.number));
        }
        if names.len() != bots.len() {
            return Err("each bot of a final has a name".to_owned());
        }
        Ok(Lineup {
            seed,
            bots: bots.to_vec(),
            names: names.to_vec(),
            games: Vec::new(),
            withdrawn: Vec::new(),
            bracket: FinalBracket::new(bots.len(), self.best_of),
        })
    }

    /// The game of a line, if it is the one that comes next.
    ///
    /// # Errors
    /// The reason why the line cannot follow.
    pub(crate) fn game(&self, line: &FinalMatchLine) -> Result<FinalGame, String> {
        let FinalMatchLine { fixture, shown, played } = line;
        let lineup = self.playing().ok_or_else(|| format!("final {} is not being played", self.number))?;
        if played.final_game.as_ref().map(|game| game.number) != Some(self.number) {
            return Err(format!("it is not a match of final {}", self.number));
        }
        if lineup.next() != NextGame::Play(*fixture) {
            return Err(format!(
                "game {} of {} and {} is not the next one",
                fixture.number, fixture.first, fixture.second
            ));
        }
        let bots = [played.bots[Seat::A], played.bots[Seat::B]];
        if lineup.seated(*fixture) != bots {
            return Err(format!("{} and {} do not meet so in final {}", bots[0], bots[1], self.number));
        }
        Ok(FinalGame {
            fixture: *fixture,
            id: played.id,
            result: fixture.result(&played.outcome),
            points: fixture.tie_points(&played.outcome),
            shown: time(shown)?,
        })
    }

    /// The entrants of a ranking, if it follows from the games.
    ///
    /// # Errors
    /// The reason why it does not.
    pub(crate) fn ranked(&self, bots: &[BotId]) -> Result<Vec<usize>, String> {
        let lineup = self.playing().ok_or_else(|| format!("final {} is not being played", self.number))?;
        let ranking = lineup.ranking().ok_or_else(|| format!("final {} has more games", self.number))?;
        if !ranking.iter().map(|entrant| lineup.bots[*entrant]).eq(bots.iter().copied()) {
            return Err(format!("the ranking of final {} does not follow from its games", self.number));
        }
        Ok(ranking)
    }

    /// Notes that a bot was removed.
    pub(crate) fn withdraw(&mut self, bot: BotId) {
        let is_over = self.ranking.is_some();
        if let Some(lineup) = self.lineup.as_mut().filter(|_| !is_over) {
            lineup.withdrawn.extend(lineup.bots.iter().position(|other| *other == bot));
        }
    }
}
