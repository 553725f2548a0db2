//! What `check` found out.

use super::clean;
use crate::commands::Program;
use arena::RunReport;
use arena::record::Bundle;
use rules::entelect_2017::MapSize;
use rules::{Outcome, Seat};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Everything about a bot.
pub(crate) struct Report<'a> {
    /// What the bot is called.
    pub(crate) name: &'a str,
    /// How it is run.
    pub(crate) program: &'a Program,
    /// Its games.
    pub(crate) games: &'a [GameReport],
    /// The files that are new in its folder.
    pub(crate) left: &'a [PathBuf],
    /// What makes the check repeatable.
    pub(crate) seed: u64,
}

/// One game of the bot, in seat A.
pub(crate) struct GameReport {
    /// On which map.
    pub(crate) size: MapSize,
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// How each run went.
    pub(crate) runs: Vec<RunReport>,
    /// Turns without an order.
    pub(crate) missing: u32,
    /// Turns with an order that was refused.
    pub(crate) refused: u32,
    /// The first turns that went wrong.
    pub(crate) bundles: Vec<Bundle>,
    /// Files it left in its folders of the rounds.
    pub(crate) left: BTreeSet<PathBuf>,
    /// Where the match is.
    pub(crate) folder: PathBuf,
}

/// So much of its time a bot may use without a warning: other machines are slower.
const CLOSE: f64 = 0.5;
/// How many faults are told one by one.
const TOLD: usize = 5;

impl Report<'_> {
    /// Whether every turn had an order that was obeyed.
    pub(crate) fn is_sound(&self) -> bool {
        self.games.iter().all(|game| game.missing + game.refused == 0)
    }

    fn faults(&self) -> impl Iterator<Item = (&GameReport, &Bundle)> {
        self.games.iter().flat_map(|game| game.bundles.iter().map(move |bundle| (game, bundle)))
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  map      result   rounds   time per turn            limit   processor   memory   lost turns")?;
        for game in self.games {
            let [wall, cpu] = [|run: &RunReport| run.wall, |run: &RunReport| run.cpu].map(|of| sorted(&game.runs, of));
            let result = match game.outcome.winner {
                Some(Seat::A) => "won",
                Some(_) => "lost",
                None => "draw",
            };
            writeln!(
                f,
                "  {:<7}  {result:<7}  {:>6}   {:<19}  {:>8}  {:>10}  {:>7}   {:>10}",
                map(game.size),
                game.outcome.turns,
                format!("{} (most {})", ms(middle(&wall)), ms(most(&wall))),
                game.limit().map_or("none".to_owned(), ms),
                ms(most(&cpu)),
                format!("{} MB", game.runs.iter().map(|run| run.peak_memory).max().unwrap_or(0) / 1_000_000),
                game.lost(),
            )?;
        }
        Ok(())
    }

    fn faults_told(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (game, bundle) in self.faults().take(TOLD) {
            let why = clean(bundle.why.as_deref().unwrap_or_default());
            writeln!(f, "  {}, round {}: {why}", map(game.size), bundle.round)?;
            writeln!(f, "    see {}", game.folder.join(&bundle.folder).join("report.txt").display())?;
        }
        let more = self.faults().count().saturating_sub(TOLD);
        if more > 0 { writeln!(f, "  and more of them in the same folders") } else { Ok(()) }
    }

    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = || self.games.iter().flat_map(|game| &game.runs);
        let said = runs().filter(|run| run.stderr.total() > 0).count();
        if let Some(line) = runs().find_map(|run| run.stderr.lines().into_iter().next()) {
            writeln!(f, "  It wrote to standard error in {said} turns, first: {}", clean(&line))?;
        }
        let limits =
            self.games.iter().filter_map(|game| Some((most(&sorted(&game.runs, |run| run.wall)), game.limit()?)));
        if limits.into_iter().any(|(wall, limit)| wall.as_secs_f64() > CLOSE * limit.as_secs_f64()) {
            writeln!(f, "  It came close to its time limit; on a slower machine it will lose turns")?;
        }
        if !self.left.is_empty() {
            writeln!(f, "  New files in its folder: {}", list(self.left.iter()))?;
        }
        let in_rounds: BTreeSet<&PathBuf> = self.games.iter().flat_map(|game| &game.left).collect();
        if !in_rounds.is_empty() {
            writeln!(f, "  Files of its own in the folders of rounds: {}", list(in_rounds.into_iter()))?;
        }
        Ok(())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Program { folder, language, launch, .. } = self.program;
        writeln!(f, "{}, {}, in {}", clean(self.name), language.name, folder.display())?;
        writeln!(f, "  run by {}\n", launch.program().display())?;
        self.table(f)?;
        writeln!(f)?;
        self.faults_told(f)?;
        self.notes(f)?;
        let turns: usize = self.games.iter().map(|game| game.runs.len()).sum();
        let lost: u32 = self.games.iter().map(GameReport::lost).sum();
        match lost {
            0 => writeln!(f, "Ready: an order that was obeyed in each of {turns} turns (seed {})", self.seed),
            lost => writeln!(f, "Not ready: {lost} of {turns} turns were lost (seed {})", self.seed),
        }
    }
}

impl GameReport {
    fn lost(&self) -> u32 {
        self.missing + self.refused
    }

    fn limit(&self) -> Option<Duration> {
        self.runs.iter().find_map(|run| run.limits).map(|limits| limits.answer())
    }
}

fn map(size: MapSize) -> String {
    format!("{0} x {0}", size.side())
}

fn sorted(runs: &[RunReport], of: impl Fn(&RunReport) -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = runs.iter().map(of).collect();
    times.sort();
    times
}

fn middle(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn most(sorted: &[Duration]) -> Duration {
    sorted.last().copied().unwrap_or_default()
}

fn ms(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// A few names, and how many more there are.
fn list<'a>(paths: impl ExactSizeIterator<Item = &'a PathBuf>) -> String {
    const SHOWN: usize = 5;
    let more = paths.len().saturating_sub(SHOWN);
    let names: Vec<String> = paths.take(SHOWN).map(|path| clean(&path.to_string_lossy())).collect();
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}
