//! The progress of a tournament on standard error.

use crate::show::tournament::event_stream::StreamedEvent;
use crate::show::tournament::verdict::{kinds_of, score_told, test_told};
use crate::show::{printable, say, status};
use platform::locks::lock;
use rules::Scoring;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tournament::{Fixture, GameLine, KnockoutRound, KnockoutSeeds, SchedulerEvent, ScoreTable, Sprt, WinDrawLoss};
use unicode_width::UnicodeWidthStr;

/// The number of workers that play, which the head of a cluster changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerCount(Arc<Mutex<Option<usize>>>);

impl WorkerCount {
    /// There are so many workers now.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "only full programs have clusters"))]
    pub(crate) fn set(&self, workers: usize) {
        *lock(&self.0) = Some(workers);
    }

    /// The number in words; empty without a cluster.
    fn text(&self) -> String {
        let workers = *lock(&self.0);
        workers.map(|workers| format!(" on {}", rules::counted(workers as u32, "worker"))).unwrap_or_default()
    }
}

/// Shows progress as one line on a terminal and as plain lines elsewhere, and streams events if programs want them.
pub(crate) struct EventProgress {
    names: Vec<String>,
    /// The seeds of a knockout; `None` in other formats.
    seeds: Option<KnockoutSeeds>,
    score: ShownScore,
    total: u64,
    before: u64,
    began: Instant,
    shown: Option<Instant>,
    terminal: bool,
    streams: bool,
    workers: WorkerCount,
    /// The number of games that have begun.
    begun: u64,
    /// The games that run, with the number of those that had begun before.
    running: BTreeMap<Fixture, u64>,
    /// The entrants of which it was told that they lose turns.
    told: BTreeSet<usize>,
}

/// The number of turns of a game from which on it is told while the tournament runs that a bot lost them.
const MANY: u32 = 5;
/// The score that is shown while games are played.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ShownScore {
    /// The name of the leader.
    Leader,
    /// The score of the first two bots, and their sequential test.
    Test(Sprt),
    /// The mean shots of the first bot behind the passive player.
    Shots,
    /// The score of the first bot against all others; where it has won all or nothing, the mean points as well.
    OfFirst,
}

impl ShownScore {
    /// The score in words; `None` for that of a leader.
    fn text(self, table: &ScoreTable) -> Option<String> {
        match self {
            ShownScore::Leader => None,
            ShownScore::Test(sprt) => Some(test_told(table, &sprt)),
            ShownScore::Shots => {
                let shots = table.rows().get(1).and_then(|row| row.shots.mean());
                Some(shots.map(|shots| format!("{shots} shots so far")).unwrap_or_default())
            }
            ShownScore::OfFirst => {
                let (mut games, mut points) = (WinDrawLoss::default(), [0, 0]);
                for other in 1..table.entrants().len() {
                    games = games + table.between(0, other);
                    points = std::array::from_fn(|nth| points[nth] + table.points_between(0, other)[nth]);
                }
                let mean =
                    mean_points(&games, points, table.scoring()).map(|mean| format!(", {mean}")).unwrap_or_default();
                Some(format!("{}{mean}", score_told(&games)))
            }
        }
    }
}

/// The mean points of a bot and of its opponents in words, if the bot has won all games or none: then wins do not show
/// whether it comes closer.
pub(crate) fn mean_points(games: &WinDrawLoss, points: [u64; 2], scoring: Scoring) -> Option<String> {
    let all = games.games();
    let is_one_sided = all > 0 && (games.wins == all || games.losses == all);
    let [own, others] = points.map(|sum| sum as f64 / all.max(1) as f64);
    is_one_sided.then(|| format!("{own:.0} to {others:.0} {} on average", scoring.unit()))
}

/// The time between two updates on a terminal, and elsewhere.
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(10);

impl EventProgress {
    /// The progress of a tournament of `total` games, of which those in `table` were played before.
    pub(crate) fn new(
        table: &ScoreTable,
        total: u64,
        streams: bool,
        workers: WorkerCount,
        score: ShownScore,
    ) -> EventProgress {
        EventProgress {
            names: table.entrants().iter().map(|entrant| printable(&entrant.name)).collect(),
            seeds: table.knockout_seeds(),
            score,
            total,
            before: table.results().games(),
            began: Instant::now(),
            shown: None,
            terminal: io::stderr().is_terminal(),
            streams,
            workers,
            begun: 0,
            running: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    /// Shows an event of the scheduler.
    pub(crate) fn on(&mut self, progress: &SchedulerEvent<'_>, table: &ScoreTable) {
        match progress {
            SchedulerEvent::Begins(fixture) => {
                self.running.insert(*fixture, self.begun);
                self.begun += 1;
            }
            SchedulerEvent::Finished(line) => {
                self.running.remove(&line.fixture);
                self.tell_lost_turns(line);
            }
            SchedulerEvent::Suspect(line) => {
                self.running.remove(&line.fixture);
                self.tell(&format!(
                    "{}: {}; it is played again",
                    self.game(line.fixture),
                    line.suspect.as_deref().unwrap_or("suspect")
                ));
            }
            SchedulerEvent::Failed { fixture, error, for_good } => {
                self.running.remove(fixture);
                let what = if *for_good { "it does not count" } else { "it is tried again" };
                self.tell(&format!("{}: {}; {what}", self.game(*fixture), crate::show::with_causes(*error)));
            }
        }
        if self.streams
            && let Some(event) = StreamedEvent::of(progress, &self.names)
        {
            // A reader that has gone needs nothing more; the journal has every event.
            let _ = event.print();
        }
        let pause = if self.terminal { OFTEN } else { SELDOM };
        if self.shown.map_or(self.terminal, |shown| shown.elapsed() >= pause) {
            self.show(table);
        } else if self.shown.is_none() {
            self.shown = Some(self.began);
        }
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&self) {
        if self.terminal && self.shown.is_some() {
            status("");
        }
    }

    fn show(&mut self, table: &ScoreTable) {
        self.shown = Some(Instant::now());
        let played = table.results().games();
        let speed = (played - self.before) as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        let left = self.total.saturating_sub(played) as f64 / speed;
        let left = (speed > 0.0 && left.is_finite()).then(|| span(left));
        if let Some(score) = self.score.text(table) {
            let is_test = matches!(self.score, ShownScore::Test(_));
            let left = left.map(|left| format!("{left} {}", if is_test { "at most" } else { "left" }));
            let games = format!("{played} of {} games", self.total);
            let speed = format!("{speed:.1} games/s{}", self.workers.text());
            let parts = [Some(games), Some(score), left, Some(speed)];
            return if self.terminal {
                status(&fitting(parts.into_iter().flatten(), columns()));
            } else {
                say(&fitting(parts.into_iter().flatten(), usize::MAX));
            };
        }
        let eta = left.map(|left| format!(", {left} left")).unwrap_or_default();
        let leader = (0..self.names.len()).max_by(|one, other| {
            let share = |at: usize| table.rows()[at].games().mean_score().unwrap_or_default();
            share(*one).total_cmp(&share(*other))
        });
        let leads = leader.filter(|_| played > 0).map(|at| format!(" · {} leads", self.names[at])).unwrap_or_default();
        // Nobody leads a knockout. On a terminal the round is told with the game.
        let last = if self.terminal { None } else { self.running.iter().max_by_key(|(_, begun)| **begun) };
        let round = last.and_then(|(fixture, _)| self.round(*fixture));
        let leads =
            if self.seeds.is_some() { round.map(|round| format!(" · {round}")).unwrap_or_default() } else { leads };
        let workers = self.workers.text();
        let text = format!("{played} of {} games, {speed:.1} games/s{workers}{eta}{leads}", self.total);
        if self.terminal {
            let bar = bar(played, self.total);
            // A cluster has 200,000 games in hand.
            let mut oldest: Vec<(&u64, &Fixture)> = Vec::new();
            for (fixture, begun) in &self.running {
                if oldest.get(1).is_none_or(|second| begun < second.0) {
                    oldest.push((begun, fixture));
                    oldest.sort_unstable();
                    oldest.truncate(2);
                }
            }
            let running: Vec<String> = oldest.into_iter().map(|(_, fixture)| self.game(*fixture)).collect();
            let line = format!("{bar} {text} · {}", running.join(", "));
            status(&crate::show::text::names::cut(&line, columns().saturating_sub(1)));
        } else {
            say(&text);
        }
    }

    fn game(&self, fixture: Fixture) -> String {
        let [a, b] = fixture.seated().map(|at| self.names[at].as_str());
        let round = self.round(fixture).map(|round| format!("{round}: ")).unwrap_or_default();
        format!("{round}{a} – {b} ({})", fixture.number + 1)
    }

    /// The round of a knockout to which a game belongs.
    fn round(&self, fixture: Fixture) -> Option<KnockoutRound> {
        self.seeds.as_ref().map(|seeds| seeds.round(fixture))
    }

    /// Tells, once for each bot, that it lost many turns of a game: it may do so in all its games, and they take long.
    fn tell_lost_turns(&mut self, line: &GameLine) {
        for (entrant, (_, player)) in line.fixture.seated().into_iter().zip(line.players.iter()) {
            if player.faults.values().sum::<u32>() >= MANY && self.told.insert(entrant) {
                let (name, game) = (&self.names[entrant], self.game(line.fixture));
                self.tell(&format!(
                    "{game}: {name} lost turns: {}; broadside check shows why",
                    kinds_of(&player.faults)
                ));
            }
        }
    }

    fn tell(&self, text: &str) {
        self.clear();
        say(&printable(text));
    }
}

fn columns() -> usize {
    platform::terminal::size().map_or(80, |size| size.columns)
}

/// The first of these parts, as many as fit in a row of so many columns.
fn fitting(parts: impl Iterator<Item = String>, columns: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let comma = if line.is_empty() { "" } else { ", " };
        if line.width() + comma.len() + part.width() >= columns {
            break;
        }
        line.push_str(&format!("{comma}{part}"));
    }
    line
}

fn bar(done: u64, all: u64) -> String {
    const WIDTH: u64 = 20;
    let full = (done * WIDTH).checked_div(all).unwrap_or(WIDTH).min(WIDTH);
    format!("[{}{}]", "#".repeat(full as usize), "·".repeat((WIDTH - full) as usize))
}

/// A time in words, rounded to seconds or minutes.
fn span(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::tournament::table_fixture;
    use rules::Seat;
    use tournament::Format;

    #[test]
    fn a_bot_that_loses_all_games_is_shown_its_points() {
        let mut table = table_fixture::table(Format::Gauntlet, &["Alpha", "Bravo", "Charlie"]);
        let add = |table: &mut ScoreTable, second: usize, wins: bool| {
            let fixture = Fixture { first: 0, second, number: 0 };
            let first = fixture.seat_of_first();
            let mut game = table_fixture::game(fixture, if wins { first } else { first.opponent() });
            for seat in [Seat::A, Seat::B] {
                game.outcome.points[seat] = if seat == first { 30 } else { 50 };
            }
            table.add(&game);
        };
        add(&mut table, 1, false);
        assert_eq!(ShownScore::OfFirst.text(&table).unwrap(), "0-1 so far, 30 to 50 points on average");
        assert_eq!([table.points_between(0, 1), table.points_between(1, 0)], [[30, 50], [50, 30]]);
        add(&mut table, 2, true);
        assert_eq!(ShownScore::OfFirst.text(&table).unwrap(), "1-1 so far");
        assert_eq!(ShownScore::Leader.text(&table), None);
    }

    #[test]
    fn parts_that_do_not_fit_are_left_out() {
        let of = |columns| fitting(["12 games", "7-5", "9 s left"].map(str::to_owned).into_iter(), columns);
        assert_eq!(
            [of(9), of(13), of(14), of(24)],
            ["12 games", "12 games", "12 games, 7-5", "12 games, 7-5, 9 s left"]
        );
    }
}
