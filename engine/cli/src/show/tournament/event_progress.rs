//! The progress of a tournament on standard error.

use crate::show::tournament::event_stream::StreamedEvent;
use crate::show::tournament::verdict::kinds_of;
use crate::show::{printable, say, status};
use platform::locks::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tournament::{Fixture, GameLine, KnockoutRound, KnockoutSeeds, SchedulerEvent, ScoreTable};

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
/// The time between two updates on a terminal, and elsewhere.
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(10);

impl EventProgress {
    /// The progress of a tournament of `total` games, of which those in `table` were played before.
    pub(crate) fn new(table: &ScoreTable, total: u64, streams: bool, workers: WorkerCount) -> EventProgress {
        EventProgress {
            names: table.entrants().iter().map(|entrant| printable(&entrant.name)).collect(),
            seeds: table.knockout_seeds(),
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
        let eta = if speed > 0.0 && left.is_finite() { format!(", {} left", span(left)) } else { String::new() };
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
            let columns = platform::terminal::size().map_or(80, |size| size.columns);
            status(&crate::show::text::names::cut(
                &format!("{bar} {text} · {}", running.join(", ")),
                columns.saturating_sub(1),
            ));
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
