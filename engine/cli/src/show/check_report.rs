//! The report of `broadside check`.

use super::printable;
use super::result::advised;
use crate::show::text::output::{printable_lines, printable_output};
use arena::{RunEnd, RunReport, error_line, place_of_crash};
use rules::GameKind;
use runner::{CheckedGame, TurnFault};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The findings of a check of one bot.
pub(crate) struct CheckReport<'a> {
    /// The bot's name.
    pub(crate) name: &'a str,
    /// The folder or URL that was named.
    pub(crate) source: &'a str,
    /// The bot's kind, its place and its program, in a few lines.
    pub(crate) what: String,
    /// The game that the bot plays.
    pub(crate) kind: GameKind,
    /// The dialect that the bot was asked in, if the game has several.
    pub(crate) dialect: Option<&'a str>,
    /// The property in which the games differ, as a heading: `map` or `match`.
    pub(crate) differ_in: &'static str,
    /// The games of the check.
    pub(crate) games: &'a [CheckedGame],
    /// The number of games that were not played, because it was late in so many turns of the last one.
    pub(crate) not_played: usize,
    /// The new files in the bot's folder.
    pub(crate) left: &'a [PathBuf],
    /// The seed with which the check can be repeated.
    pub(crate) seed: u64,
    /// True if the bot ran in a sandbox.
    pub(crate) sandboxed: bool,
    /// True if the bot is a program that stays, as its manifest says.
    pub(crate) stays: bool,
    /// The time that the bot's language takes to start, if it was measured.
    pub(crate) start_of_language: Option<Duration>,
}

/// The share of its time limit above which a bot is warned: other machines are slower.
const CLOSE: f64 = 0.5;
/// Words, in small letters, by which programs tell that the system refused something.
const REFUSALS: [&str; 4] = ["operation not permitted", "permission denied", "eperm", "eacces"];
/// The most kinds of faults that are listed.
const TOLD: usize = 5;

impl CheckReport<'_> {
    /// True if every turn had an order that was obeyed.
    pub(crate) fn is_sound(&self) -> bool {
        self.games.iter().all(|game| game.turns.missing + game.turns.refused == 0)
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = format!("{}s", self.kind.turn());
        // The engine knows processor time and memory only of programs that it runs itself.
        let is_run = self.games.iter().any(|game| !game.turns.runs.is_empty());
        let usage = if is_run { " cpu ms   memory" } else { "" };
        let differ_in = self.differ_in;
        writeln!(f, "  {differ_in:<8}result {turns:>6}  {:<17} {:>6}{usage}  lost turns", "ms per turn", "limit")?;
        for game in self.games {
            let times = game.turns.times_of_turns();
            let middle = times.get(times.len() / 2).copied().unwrap_or_default();
            let result = match game.outcome.winner {
                Some(winner) if winner == game.turns.seat => "won",
                Some(_) => "lost",
                None => "draw",
            };
            // A bot that is stopped has used more than its limit, by the engine's choice.
            let within = |time: Duration| match game.limit {
                Some(limit) if time > limit => format!(">{}", limit.as_millis()),
                _ => milliseconds(time),
            };
            let time = format!("{}, most {}", within(middle), within(most(times)));
            let limit = game.limit.map_or("none".to_owned(), |limit| limit.as_millis().to_string());
            write!(f, "  {:<8}{result:<6} {:>6}  {time:<17} {limit:>6}", game.label, game.outcome.turns)?;
            if is_run {
                let memory = game.turns.runs.iter().max_by_key(|run| run.peak_memory).map(memory).unwrap_or_default();
                let cpu = most(game.turns.runs.iter().map(|run| run.cpu)).as_millis();
                write!(f, " {cpu:>6} {memory:>8}")?;
            }
            writeln!(f, "  {:>10}", game.turns.lost())?;
        }
        Ok(())
    }

    fn faults_told(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.kinds_of_faults();
        for (game, fault, times) in kinds.iter().take(TOLD) {
            let more = if *times > 1 { format!(" ({times} times in all)") } else { String::new() };
            let place = place_of_crash(&fault.said).filter(|_| fault.why.starts_with("crashed"));
            let at = place.map(|place| match error_line(&fault.said) {
                Some(error) => format!(": {} ({place})", printable_output(error.trim())),
                None => String::new(),
            });
            let why = format!("{}{}", printable(&fault.why), at.unwrap_or_default());
            writeln!(f, "  {}, {} {}: {why}{more}", game.label, self.kind.turn(), fault.turn)?;
            quote(f, &fault.said)?;
            if self.sandboxed && tells_of_refusal(&fault.said) {
                writeln!(f, "    The sandbox may have refused this: docs/sandbox.md; --sandbox off tries without")?;
            }
            for (name, lines) in &fault.given {
                writeln!(f, "    its {name}:")?;
                quote(f, lines)?;
            }
            writeln!(f, "    see {}", printable(&fault.see.display().to_string()))?;
        }
        let not_asked: u32 = self.games.iter().map(|game| game.turns.not_asked).sum();
        if not_asked > 0 {
            let turns = rules::counted(not_asked, self.kind.turn());
            let games = match self.not_played {
                0 => String::new(),
                games => format!(", and its other {} are not played", rules::counted(games as u32, "game")),
            };
            writeln!(
                f,
                "  It was late in too many {}s in a row: it is not asked in {turns} more{games}",
                self.kind.turn()
            )?;
        }
        if kinds.len() <= TOLD {
            return Ok(());
        }
        let lost: u32 = self.games.iter().map(|game| game.turns.lost()).sum();
        writeln!(f, "  {} lost in all; the folders of the matches have more of them", rules::counted(lost, "turn"))
    }

    /// The first fault of each kind with its game, and how often there is one of that kind. Faults are of one kind if they are
    /// told in the same words, but for numbers and paths, and name the same error on standard error.
    fn kinds_of_faults(&self) -> Vec<(&CheckedGame, &TurnFault, u32)> {
        let mut kinds: Vec<(&CheckedGame, &TurnFault, u32)> = Vec::new();
        let kind = |fault: &TurnFault| {
            (without_details(&fault.why), error_line(&fault.said).map(|line| without_details(line)))
        };
        for (game, fault) in self.games.iter().flat_map(|game| game.turns.faults.iter().map(move |fault| (game, fault)))
        {
            let is_same = |other: &TurnFault| kind(other) == kind(fault);
            match kinds.iter_mut().find(|(_, other, _)| is_same(other)) {
                Some((_, _, times)) => *times += 1,
                None => kinds.push((game, fault, 1)),
            }
        }
        kinds
    }

    /// Tells what starting the bot costs, and what to do about it.
    fn starts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts: Vec<Duration> = self.games.iter().flat_map(|game| game.turns.starts()).collect();
        if !starts.is_empty() {
            let (again, time) = (starts.len() - self.games.len(), milliseconds(most(starts)));
            writeln!(f, "  It stays: its first turn, with its start, took {time} ms at most")?;
            if again > 0 {
                let times = rules::counted(again as u32, "time");
                writeln!(f, "  It was started again {times}, because it had ended or was stopped")?;
            }
            return Ok(());
        }
        let times = self.games.iter().flat_map(|game| game.turns.times_of_turns()).collect::<Vec<_>>();
        let sum: Duration = times.iter().sum();
        let turn = sum / times.len().max(1) as u32;
        // What the language was measured to take when the machine had more to do says nothing, nor do turns that all failed.
        let has_played = self.games.iter().any(|game| game.turns.faults.len() < game.turns.times.len());
        let is_most = |start: &Duration| (turn.as_nanos() / 2..turn.as_nanos()).contains(&start.as_nanos());
        let start = self.start_of_language.filter(|start| !self.stays && has_played && is_most(start));
        if let Some(start) = start {
            let (start, turn) = (milliseconds(start), milliseconds(turn));
            writeln!(
                f,
                "  Starting takes about {start} of the {turn} ms of a turn. A bot that stays is started once a match:"
            )?;
            writeln!(f, "  \"Stay\": true in bot.json, and a loop (broadside docs entelect-2017, \"Bots that stay\")")?;
        }
        Ok(())
    }

    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = || self.games.iter().flat_map(|game| &game.turns.runs);
        let said = runs().filter(|run| run.stderr.total() > 0).count();
        let quoted =
            self.games.iter().flat_map(|game| &game.turns.faults).filter(|fault| !fault.said.is_empty()).count();
        if let Some(line) = runs().find_map(|run| run.stderr.lines().into_iter().next()).filter(|_| said > quoted) {
            let turns = rules::counted(said as u32, "turn");
            writeln!(f, "  It wrote to standard error in {turns}, first: {}", printable_output(&line))?;
        }
        let is_close = |game: &CheckedGame| {
            let Some(limit) = game.limit else { return false };
            let in_time = game.turns.times.iter().filter(|time| **time <= limit);
            most(in_time.copied()).as_secs_f64() > CLOSE * limit.as_secs_f64()
        };
        if self.games.iter().any(is_close) {
            writeln!(f, "  It used more than half of its time limit; on a slower machine it will lose turns")?;
        }
        let limit = self.games.iter().find_map(|game| game.limit);
        if let (Some(start), Some(limit)) = (self.start_of_language, limit) {
            let (own, limit) = (limit.saturating_sub(start).as_millis(), limit.as_millis());
            let start = milliseconds(start);
            writeln!(
                f,
                "  Its limit of {limit} ms is {own} ms, and {start} ms that a program in its language takes to start"
            )?;
        }
        self.starts(f)?;
        let stopped = runs().filter(|run| run.end == RunEnd::Killed).find_map(|run| run.limits);
        if let Some(limits) = stopped {
            let [answer, kill] = [limits.answer(), limits.kill()].map(|time| time.as_millis());
            if answer == kill {
                writeln!(f, "  An answer counts within {answer} ms; then the bot is stopped")?;
            } else {
                let stopped = format!("a bot that still runs after {kill} ms in all is stopped");
                writeln!(f, "  An answer counts within {answer} ms; {stopped}")?;
            }
        }
        if let Some(advice) = self.games.iter().find_map(|game| game.advice.as_ref()) {
            writeln!(f, "  It {}", advised(advice))?;
        }
        let suspect: Vec<&String> = self.games.iter().flat_map(|game| &game.turns.suspect).collect();
        if let Some(first) = suspect.first() {
            let turns = rules::counted(suspect.len() as u32, "time-out");
            writeln!(f, "  {turns} may be the machine's fault, which has too much to do, first: {first}")?;
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

impl fmt::Display for CheckReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {}\n", printable(self.name), printable_lines(&self.what))?;
        self.table(f)?;
        writeln!(f)?;
        self.faults_told(f)?;
        self.notes(f)?;
        let turns: u32 = self.games.iter().map(|game| game.turns.asked + game.turns.not_asked).sum();
        let lost: u32 = self.games.iter().map(|game| game.turns.lost()).sum();
        match lost {
            0 => writeln!(f, "Ready: an order that was obeyed in each of {turns} turns (seed {})", self.seed),
            1 => writeln!(f, "Not ready: 1 of {turns} turns was lost (seed {})", self.seed),
            lost => writeln!(f, "Not ready: {lost} of {turns} turns were lost (seed {})", self.seed),
        }
    }
}

/// A text without what differs between equal faults of several turns and maps: numbers, the words that are paths, and what is in
/// parentheses.
fn without_details(text: &str) -> String {
    let outside = text.split('(').enumerate().map(|(at, part)| match part.split_once(')') {
        Some((_, rest)) if at > 0 => rest,
        _ => part,
    });
    let kept = outside.collect::<String>();
    let words = kept.split_whitespace().map(|word| if word.contains('/') { "/" } else { word });
    words.collect::<Vec<_>>().join(" ").replace(|c: char| c.is_ascii_digit(), "")
}

/// Writes lines of a bot, set off from those of the report.
fn quote(f: &mut fmt::Formatter<'_>, lines: &[String]) -> fmt::Result {
    lines.iter().try_for_each(|line| writeln!(f, "    | {}", printable_output(line)))
}

/// The peak memory of a run. It has a `<` if the bot may have used less.
fn memory(run: &RunReport) -> String {
    const MB: u64 = 1_000_000;
    if run.peak_is_bound {
        format!("< {} MB", run.peak_memory.div_ceil(MB))
    } else {
        format!("{} MB", run.peak_memory / MB)
    }
}

/// True if a bot was refused something by the system.
fn tells_of_refusal(lines: &[String]) -> bool {
    lines.iter().map(|line| line.to_lowercase()).any(|line| REFUSALS.iter().any(|words| line.contains(words)))
}

/// A time in milliseconds, with a tenth if it is short.
fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    if ms < 9.95 { format!("{ms:.1}") } else { time.as_millis().to_string() }
}

fn most(times: impl IntoIterator<Item = Duration>) -> Duration {
    times.into_iter().max().unwrap_or_default()
}

/// The first names, and the number of the others.
fn list<'a>(paths: impl ExactSizeIterator<Item = &'a PathBuf>) -> String {
    const SHOWN: usize = 5;
    let more = paths.len().saturating_sub(SHOWN);
    let names: Vec<String> = paths.take(SHOWN).map(|path| printable(&path.to_string_lossy())).collect();
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}
