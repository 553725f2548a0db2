//! Bundles: the files of one turn of a bot, with which its author can see what went wrong and run the turn again.
//!
//! Each is a folder in `faults/` of the match's folder:
//!
//! - `report.txt`: what was wrong, and how the run went;
//! - `fault.json`: the same for programs;
//! - `run.sh`: runs the same turn again by hand;
//! - `got/`: the files that the bot was given, in a folder as deep as in the match;
//! - `wrote/`: the files of its answer;
//! - `stdout.txt`, `stderr.txt`: the beginning and the end of what it said.

use arena::record::{Bundle, MatchStore};
use arena::{ArenaError, Invocation, MatchEvent, Output, Reply, RunEnd, RunReport};
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Event, Order, View};
use rules::{Game, Part, Seat, Told};
use serde_json::json;
use std::borrow::Cow;

/// The folder of all bundles.
pub(crate) const FOLDER: &str = "faults";
/// The most bundles of each player: a bot that fails usually fails the same way again.
const MOST: usize = 10;

/// The turns of bots that are kept as bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// No turns.
    Nothing,
    /// The first ten turns of each player without an order that was obeyed.
    #[default]
    Faults,
    /// All turns.
    Everything,
}

/// The most lines of each end of standard error that a [`Bundle`] has.
const ENDS: usize = 5;

/// Writes bundles as the match goes on.
#[derive(Debug)]
pub(crate) struct BundleWriter {
    keep: Keep,
    turns: Vec<BundledTurn>,
    pub(crate) written: Vec<Bundle>,
}

/// A turn that may become a bundle.
#[derive(Debug)]
struct BundledTurn {
    seat: Seat,
    round: u32,
    address: String,
    view: View,
    given: Vec<Part>,
    run: RunReport,
    fault: Option<String>,
    /// The reason why its order could not be obeyed, as far as the player could know it; more exact than the event.
    refusal: Option<String>,
}

impl BundleWriter {
    pub(crate) fn new(keep: Keep) -> BundleWriter {
        BundleWriter { keep, turns: Vec::new(), written: Vec::new() }
    }

    /// Takes in an event, and writes the bundles that it completes.
    pub(crate) fn on(
        &mut self,
        event: &MatchEvent<'_, Entelect2017>,
        files: &Files,
        store: &mut dyn MatchStore,
    ) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { game, replies, .. } => self.answered(game, replies),
            MatchEvent::Advanced { told, .. } => self.advanced(told, files, store)?,
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }

    /// Keeps the questions and answers of the turn.
    fn answered(&mut self, game: &Entelect2017, replies: &[(Seat, Reply<Order>)]) {
        self.turns.clear();
        for (seat, reply) in replies {
            let Some(run) = reply.run.as_ref().filter(|_| self.wants(*seat)) else { continue };
            self.turns.push(BundledTurn {
                seat: *seat,
                round: game.round(),
                address: Files::player_folder(game.phase(), game.round(), *seat),
                view: game.view(*seat),
                given: reply.given.clone(),
                run: run.clone(),
                fault: reply.fault(),
                refusal: reply.answer.as_ref().ok().and_then(|order| game.check(*seat, order).err()).map(refused),
            });
        }
    }

    fn wants(&self, seat: Seat) -> bool {
        match self.keep {
            Keep::Nothing => false,
            Keep::Faults => self.written.iter().filter(|bundle| bundle.seat == seat).count() < MOST,
            Keep::Everything => true,
        }
    }

    /// Writes the turns that are to be kept. Refused orders are known only now.
    fn advanced(&mut self, told: &[Told<Event>], files: &Files, store: &mut dyn MatchStore) -> Result<(), ArenaError> {
        for turn in std::mem::take(&mut self.turns) {
            let refusal = || Some(refusal(told, turn.seat)?).map(|why| turn.refusal.clone().unwrap_or(why));
            let why = turn.fault.clone().or_else(refusal);
            if why.is_some() || self.keep == Keep::Everything {
                let folder = format!("{FOLDER}/round {} {}", turn.round, turn.seat);
                turn.write(&folder, why.as_deref(), files, store)?;
                let said = turn.run.stderr.both_ends(ENDS);
                self.written.push(Bundle { seat: turn.seat, round: turn.round, why, folder, said });
            }
        }
        Ok(())
    }
}

fn refused(why: impl std::fmt::Display) -> String {
    format!("refused: {why}")
}

/// The reason why the order of `seat` was refused; `None` if it was obeyed.
fn refusal(told: &[Told<Event>], seat: Seat) -> Option<String> {
    told.iter().find_map(|told| match &told.event {
        Event::Refused { seat: whose, why, .. } if *whose == seat => Some(refused(why)),
        _ => None,
    })
}

impl BundledTurn {
    fn write(
        &self,
        folder: &str,
        why: Option<&str>,
        files: &Files,
        store: &mut dyn MatchStore,
    ) -> Result<(), ArenaError> {
        let why = why.unwrap_or("nothing was wrong");
        let part = |name, bytes: &[u8]| Part { name, bytes: bytes.to_vec() };
        let top = [
            part("report.txt", self.report(why).as_bytes()),
            part("fault.json", self.for_programs(why).as_bytes()),
            part("run.sh", &self.script(why)),
            part("stdout.txt", &kept(&self.run.stdout)),
            part("stderr.txt", &kept(&self.run.stderr)),
        ];
        store.write_parts(folder, &top)?;
        store.write_parts(&format!("{folder}/got/{}", self.address), &files.player_files(&self.view))?;
        if self.given.is_empty() { Ok(()) } else { store.write_parts(&format!("{folder}/wrote"), &self.given) }
    }

    fn report(&self, why: &str) -> String {
        let RunReport { command, invocation, limits, wall, waited, cpu, peak_memory, end, .. } = &self.run;
        let RunReport { stdout, stderr, removed, peak_is_bound, .. } = &self.run;
        let limit = limits.map_or("no limit".to_owned(), |limits| format!("limit {} ms", limits.answer().as_millis()));
        let mut text = format!("Round {}, player {}: {why}\n\n", self.round, self.seat);
        text.push_str(&format!("command    {command}\n"));
        text.push_str(&format!("directory  {}\n", invocation.folder.display()));
        for (name, value) in &invocation.environment {
            text.push_str(&format!("variable   {name}={value}\n"));
        }
        text.push_str(&format!("the bot    {end}\n"));
        text.push_str(&format!("time       {} ms, {limit}; processor {} ms\n", wall.as_millis(), cpu.as_millis()));
        if !waited.is_zero() {
            text.push_str(&format!("waiting    {} ms of that for a processor\n", waited.as_millis()));
        }
        let bound = if *peak_is_bound { "at most " } else { "" };
        text.push_str(&format!("memory     {bound}{} kB at the peak\n", peak_memory / 1024));
        if *removed > 0 {
            text.push_str(&format!("files      {} MiB that it left were removed\n", (removed >> 20).max(1)));
        }
        if let Some(stood) = &self.run.stood {
            text.push_str(&format!("\nwhen its time was up, it was {}:\n", stood.place));
            stood.lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        }
        for (name, output) in [("stderr", stderr), ("stdout", stdout)] {
            let lines = output.last_lines(LAST_LINES);
            if !lines.is_empty() {
                text.push_str(&format!("\nthe end of {name}, {} bytes in all:\n", output.total()));
                lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            }
        }
        text.push_str("\nTo run this turn again, in this folder and without a sandbox: sh run.sh\n");
        rules::printable_text(&text)
    }

    fn for_programs(&self, why: &str) -> String {
        let RunReport { invocation, limits, wall, waited, cpu, peak_memory, end, .. } = &self.run;
        let RunReport { stdout, stderr, removed, .. } = &self.run;
        let (status, signal) = match end {
            RunEnd::Exited(status) => (Some(*status), None),
            RunEnd::Signalled(signal) => (None, Some(*signal)),
            RunEnd::Answered | RunEnd::Killed | RunEnd::Excessive(_) | RunEnd::Restless | RunEnd::NotStarted(_) => {
                (None, None)
            }
        };
        let value = json!({
            "round": self.round,
            "player": self.seat.to_string(),
            "fault": why,
            "arguments": invocation.arguments.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>(),
            "directory": invocation.folder.to_string_lossy(),
            "environment": invocation.environment.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "end": end.to_string(),
            "exit_status": status,
            "signal": signal,
            "time_ms": wall.as_secs_f64() * 1000.0,
            "waited_ms": waited.as_secs_f64() * 1000.0,
            "limit_ms": limits.map(|limits| limits.answer().as_millis() as u64),
            "kill_ms": limits.map(|limits| limits.kill().as_millis() as u64),
            "processor_ms": cpu.as_secs_f64() * 1000.0,
            "peak_memory_bytes": peak_memory,
            "stack": self.run.stood.as_ref().map(|stood| &stood.lines),
            "removed_bytes": removed,
            "stdout_bytes": stdout.total(),
            "stderr_bytes": stderr.total(),
        });
        format!("{value:#}\n")
    }

    /// A shell script that gives the bot the same files in a fresh folder of the same shape.
    fn script(&self, why: &str) -> Vec<u8> {
        let Invocation { arguments, folder, environment, turn_folder, input } = &self.run.invocation;
        let address = &self.address;
        let mut text = format!(
            "#!/bin/sh\n# Round {}, player {}: {}\n# Runs this turn of the bot again, in a new folder that is left for \
             you to look at.\nset -u\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\nturn=$(mktemp -d)\ncp -R \
             \"$here/got/.\" \"$turn\"\ncd ",
            self.round,
            self.seat,
            rules::printable(why),
        )
        .into_bytes();
        text.extend(quoted(folder.as_os_str().as_encoded_bytes()).iter());
        text.extend(b" || exit\n");
        for (name, value) in environment {
            text.extend(format!("export {name}=").bytes());
            text.extend(quoted(value.as_bytes()).iter());
            text.push(b'\n');
        }
        if let Some(line) = input {
            text.extend(b"echo ");
            text.extend(quoted(line.as_bytes()).iter());
            text.extend(b" | ");
        }
        for argument in arguments {
            if argument == turn_folder {
                text.extend(format!("\"$turn/{address}\"").bytes());
            } else {
                text.extend(quoted(argument.as_encoded_bytes()).iter());
            }
            text.push(b' ');
        }
        text.extend(
            format!("\necho \"exit status $?; its folder is $turn/{address}\" >&2\nls -l \"$turn/{address}\" >&2\n")
                .bytes(),
        );
        text
    }
}

/// The beginning and the end of a stream.
fn kept(output: &Output) -> Vec<u8> {
    let mut bytes = output.bytes.clone();
    let lost = output.dropped - output.end.len() as u64;
    if lost > 0 {
        bytes.extend(format!("\n[{lost} bytes were thrown away]\n").bytes());
    }
    bytes.extend_from_slice(&output.end);
    bytes
}

/// The number of lines of each stream in a report.
const LAST_LINES: usize = 20;

/// Quotes an argument for the shell.
fn quoted(text: &[u8]) -> Cow<'_, [u8]> {
    shlex::bytes::try_quote(text).unwrap_or(Cow::Borrowed(text))
}
