//! The ladder of a contest as pages see it: the scores, the games that are being played, and the last ones of each entrant.

use crate::contests::contest_folder::{ContestFolder, version_at};
use crate::contests::finals::screen_clock::ScreenClock;
use crate::contests::marking::contest_marks::ContestMarks;
use crate::contests::signal::Signal;
use crate::state::contests::contest_settings::ContestName;
use crate::state::name::BotId;
use arena::folder::remove_folder;
use platform::locks::lock;
use rules::Ending;
use runner::{FAULTS, game_name, record_path};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tournament::{Entrant, Fixture, GameLine, LadderRatings, ScoreTable};
use web::{EventLog, EventScope};

/// The number of games of an entrant that are listed.
const LISTED: usize = 20;
/// The number of games of all that are listed.
const RECENT: usize = 100;
/// The time for which ratings are shown although there are games since.
const FRESH: Duration = Duration::from_secs(2);

/// The name of a bot that is not shown to everyone.
pub(crate) const HIDDEN: &str = "hidden";

/// True of the path of a version whose bot is hidden.
pub(crate) fn is_hidden(path: &str, hidden: &BTreeSet<BotId>) -> bool {
    version_at(path).is_some_and(|(bot, _)| hidden.contains(&bot))
}

/// The name of an entrant, as everyone is told.
pub(crate) fn name_for_all(entrant: &Entrant, hidden: &BTreeSet<BotId>) -> String {
    if is_hidden(&entrant.bot, hidden) { HIDDEN.to_owned() } else { entrant.name.clone() }
}

/// The ladder of a contest. Its thread plays the games; this is what others see.
#[derive(Debug)]
pub(crate) struct Ladder {
    pub(crate) name: ContestName,
    pub(crate) folder: ContestFolder,
    /// Entrants or settings have changed.
    pub(crate) changed: Signal,
    /// A final is planned, was called off, or has a game more.
    pub(crate) final_changed: Signal,
    /// The events of the contest, for everyone.
    pub(crate) events: Arc<EventLog>,
    /// The clock by which finals are shown.
    pub(crate) screen_clock: ScreenClock,
    /// The marks so far, of a contest with a plan.
    pub(crate) marks: Mutex<Option<Arc<ContestMarks>>>,
    /// The game of a final that screens show.
    on_screen: Mutex<Option<OnScreen>>,
    state: Mutex<LadderState>,
    rated: Mutex<Option<MadeRatings>>,
    /// Locked while ratings are made, which may take long: the state is not, nor are the last ratings.
    making: Mutex<()>,
}

/// A game of a final that screens show.
#[derive(Debug, Clone)]
pub(crate) struct OnScreen {
    /// The name of the game.
    pub(crate) game: String,
    /// The stream of what was shown.
    pub(crate) log: Arc<EventLog>,
}

/// The state of a ladder.
#[derive(Debug)]
pub(crate) struct LadderState {
    pub(crate) table: ScoreTable,
    /// The last games of each entrant, by its number, the newest first.
    listed: Vec<VecDeque<Arc<PlayedGame>>>,
    /// The counts of all games of each entrant, by its number.
    counts: Vec<GameCounts>,
    /// The games whose records are kept, the oldest first.
    kept: VecDeque<Fixture>,
    /// The last of these, the newest first.
    recent: VecDeque<Arc<PlayedGame>>,
    /// The games that are being played.
    pub(crate) playing: Vec<Fixture>,
    /// The number of games so far of each tournament that is being played.
    pub(crate) tournaments: BTreeMap<u32, u64>,
    /// The number of changes of who plays, and of which games count.
    changes: u64,
}

/// The counts of all games of an entrant.
#[derive(Debug, Clone, Default)]
pub(crate) struct GameCounts {
    /// The games won, drawn and lost, by how they ended.
    pub(crate) endings: BTreeMap<&'static str, [u64; 3]>,
    /// The number of games by their turns.
    pub(crate) lengths: BTreeMap<u32, u64>,
}

impl GameCounts {
    fn add(&mut self, game: &PlayedGame, own: usize) {
        let result = match game.winner {
            Some(winner) if winner == own => 0,
            None => 1,
            Some(_) => 2,
        };
        self.endings.entry(in_words(&game.ending)).or_default()[result] += 1;
        *self.lengths.entry(game.turns).or_default() += 1;
    }

    /// The length that half of the games do not exceed; `None` without games.
    pub(crate) fn median_length(&self) -> Option<u32> {
        let games: u64 = self.lengths.values().sum();
        let mut so_far = 0;
        let mut reaches_half = |count: u64| {
            so_far += count;
            so_far * 2 >= games
        };
        self.lengths.iter().find(|(_, count)| reaches_half(**count)).map(|(turns, _)| *turns)
    }
}

/// The kind of an ending, in words.
fn in_words(ending: &Ending) -> &'static str {
    match ending {
        Ending::FleetSunk { seats } if seats.len() > 1 => "both fleets were sunk in one round",
        Ending::FleetSunk { .. } => "a fleet was sunk",
        Ending::KilledOff { .. } => "the rules took a bot out",
        Ending::RoundLimit { .. } => "the last round was over",
        Ending::MoveLimit { .. } => "the last move was made",
        Ending::Solved { .. } => "all who played alone were done",
        Ending::NothingSunk { .. } => "no ship was sunk for many rounds",
    }
}

/// Ratings, and what they were made of.
#[derive(Debug)]
struct MadeRatings {
    ratings: Arc<LadderRatings>,
    games: u64,
    changes: u64,
    at: Instant,
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlayedGame {
    pub(crate) fixture: Fixture,
    /// The entrant that won.
    pub(crate) winner: Option<usize>,
    /// The reason for its end.
    pub(crate) ending: Ending,
    /// The rounds or moves.
    pub(crate) turns: u32,
    /// The turns that each entrant of the fixture has lost, the first one first.
    pub(crate) lost: [u32; 2],
    /// The time of its end.
    pub(crate) ended: String,
    /// True if its record was kept.
    has_record: bool,
}

impl LadderState {
    pub(crate) fn new(table: ScoreTable) -> LadderState {
        let (listed, counts, kept, recent, playing, tournaments) = Default::default();
        LadderState { table, listed, counts, kept, recent, playing, tournaments, changes: 0 }
    }

    /// The part of a game that is shown.
    pub(crate) fn listed(game: &GameLine) -> PlayedGame {
        let fixture = game.fixture;
        let seat = fixture.seat_of_first();
        let lost = [seat, seat.opponent()].map(|seat| game.players[seat].faults.values().sum());
        PlayedGame {
            fixture,
            winner: game.outcome.winner.map(|winner| fixture.seated()[winner.index().min(1)]),
            ending: game.outcome.ending.clone(),
            turns: game.outcome.turns,
            lost,
            ended: game.ended.clone(),
            has_record: game.record.is_some(),
        }
    }

    /// Takes a game that is in the table.
    pub(crate) fn list(&mut self, game: PlayedGame) {
        let (fixture, has_record) = (game.fixture, game.has_record);
        let game = Arc::new(game);
        for entrant in fixture.seated() {
            if self.listed.len() <= entrant {
                self.listed.resize_with(entrant + 1, VecDeque::new);
                self.counts.resize_with(entrant + 1, GameCounts::default);
            }
            self.counts[entrant].add(&game, entrant);
            self.listed[entrant].push_front(Arc::clone(&game));
            self.listed[entrant].truncate(LISTED);
        }
        if has_record {
            self.kept.push_back(fixture);
            self.recent.push_front(game);
            self.recent.truncate(RECENT);
        }
    }

    /// Takes a game that was just played.
    pub(crate) fn add(&mut self, game: &GameLine) {
        self.table.add(game);
        self.list(LadderState::listed(game));
    }

    /// A game is not being played any more.
    pub(crate) fn ends(&mut self, fixture: Fixture) {
        self.playing.retain(|playing| *playing != fixture);
    }

    /// The games whose records are kept, the newest first.
    pub(crate) fn kept(&self) -> impl Iterator<Item = Fixture> {
        self.kept.iter().rev().copied()
    }

    /// The games whose records are not kept any more, if so many are.
    pub(crate) fn outdated(&mut self, most: usize) -> Vec<Fixture> {
        self.recent.truncate(most);
        self.kept.drain(..self.kept.len().saturating_sub(most)).collect()
    }

    /// The last games of an entrant, the newest first.
    pub(crate) fn games_of(&self, entrant: usize) -> impl Iterator<Item = &Arc<PlayedGame>> {
        self.listed.get(entrant).into_iter().flatten()
    }

    /// The counts of all games of an entrant.
    pub(crate) fn counts_of(&self, entrant: usize) -> GameCounts {
        self.counts.get(entrant).cloned().unwrap_or_default()
    }

    /// The last games whose records are kept, the newest first.
    pub(crate) fn recent(&self) -> impl Iterator<Item = &Arc<PlayedGame>> {
        self.recent.iter()
    }

    /// Changes the entrants of the table.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut ScoreTable)) {
        change(&mut self.table);
        self.changes += 1;
    }

    /// Takes the place of the state before, of which some games do not count any more.
    pub(crate) fn follow(&mut self, now: LadderState) {
        let tournaments = std::mem::take(&mut self.tournaments);
        *self = LadderState { changes: self.changes + 1, tournaments, ..now };
    }

    /// Forgets the records that are not there any more, of which `is_there` tells by the name of the game.
    pub(crate) fn keep_those(&mut self, is_there: impl Fn(&str) -> bool) {
        self.kept.retain(|fixture| is_there(&game_name(*fixture)));
        self.recent.retain(|game| is_there(&game_name(game.fixture)));
    }
}

impl Ladder {
    pub(crate) fn new(name: ContestName, folder: ContestFolder, state: LadderState) -> Ladder {
        let events = Arc::new(EventLog::new());
        let (changed, final_changed, screen_clock, marks, on_screen, rated, making) = Default::default();
        Ladder {
            name,
            folder,
            changed,
            final_changed,
            events,
            screen_clock,
            marks,
            on_screen,
            state: Mutex::new(state),
            rated,
            making,
        }
    }

    /// Tells everyone of something that has happened.
    pub(crate) fn tell(&self, kind: &'static str, event: &impl Serialize) {
        // Topics have the number 0.
        self.publish(kind, EventScope::End(1), event);
    }

    /// Tells everyone of something that replaces the last one of its kind.
    pub(crate) fn publish(&self, kind: &'static str, scope: EventScope, event: &impl Serialize) {
        let json = serde_json::to_string(event).expect("events have string keys and finite numbers");
        self.events.publish(kind, scope, &json);
    }

    /// The ratings by all games so far, or of a moment ago. While others make new ones, because of more games, they are the last ones. It
    /// may take long, and is not for the thread of the pages.
    pub(crate) fn ratings(&self) -> Arc<LadderRatings> {
        let present = || self.look(|state| (state.table.results().games(), state.changes));
        let known = |is_enough: &dyn Fn(&MadeRatings) -> bool| {
            let rated = lock(&self.rated);
            rated
                .as_ref()
                .filter(|made| made.changes == present().1 && is_enough(made))
                .map(|made| Arc::clone(&made.ratings))
        };
        let is_fresh = |made: &MadeRatings| made.games == present().0 || made.at.elapsed() < FRESH;
        if let Some(ratings) = known(&is_fresh) {
            return ratings;
        }
        let _making = match self.making.try_lock() {
            Ok(making) => making,
            Err(_) => match known(&|_| true) {
                Some(ratings) => return ratings,
                None => lock(&self.making),
            },
        };
        // Others may have made them meanwhile.
        if let Some(ratings) = known(&is_fresh) {
            return ratings;
        }
        let (games, changes) = present();
        // A byte for each game.
        let (entrants, results) = self.look(|state| (state.table.entrants().len(), state.table.results().clone()));
        let ratings = Arc::new(LadderRatings::of(entrants, &results));
        // So that nobody waits for them.
        ratings.places();
        *lock(&self.rated) = Some(MadeRatings { ratings: Arc::clone(&ratings), games, changes, at: Instant::now() });
        ratings
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&mut LadderState) -> T) -> T {
        look(&mut lock(&self.state))
    }

    /// The game of a final that screens show.
    pub(crate) fn on_screen(&self) -> Option<OnScreen> {
        lock(&self.on_screen).clone()
    }

    /// Sets the game that screens show.
    pub(crate) fn set_on_screen(&self, game: Option<OnScreen>) {
        *lock(&self.on_screen) = game;
    }

    /// Ends all streams: the server ends.
    pub(crate) fn close(&self) {
        self.changed.tell();
        self.final_changed.tell();
        self.events.close();
        self.on_screen().into_iter().for_each(|shown| shown.log.close());
    }

    /// Removes the record of a game, and what is kept of its faults.
    pub(crate) fn remove_record(&self, fixture: Fixture) {
        let record = self.folder.path().join(record_path(fixture));
        let faults = self.folder.path().join(FAULTS).join(game_name(fixture));
        for removed in [fs::remove_file(&record), remove_folder(&faults)] {
            if let Err(error) = removed
                && error.kind() != std::io::ErrorKind::NotFound
            {
                log::warn!("cannot remove what is kept of {}: {error}", record.display());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_games_have_the_median_length_at_most() {
        let median = |lengths: &[(u32, u64)]| {
            let lengths = lengths.iter().copied().collect();
            GameCounts { lengths, ..GameCounts::default() }.median_length()
        };
        assert_eq!((median(&[]), median(&[(40, 1)])), (None, Some(40)));
        assert_eq!((median(&[(40, 1), (50, 1)]), median(&[(40, 1), (50, 2), (90, 1)])), (Some(40), Some(50)));
        assert_eq!(median(&[(40, 3), (50, 1), (60, 9)]), Some(60));
    }
}
