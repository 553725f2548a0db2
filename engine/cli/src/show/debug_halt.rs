//! `--debug`: halts the match when a bot writes to standard error.

use super::pretty::DrawnSignal;
use super::printable;
use super::{Names, say};
use arena::{ArenaError, Interrupt, MatchEvent, Observer};
use platform::terminal::KeyMode;
use platform::wait::{WaitSet, read};
use rules::Game;
use std::io::{self, IsTerminal};
use std::mem::MaybeUninit;

/// Shows the text that a bot wrote to standard error, and waits for a key.
pub(crate) struct DebugHalt {
    names: Names,
    interrupt: Interrupt,
    pretty: Option<DrawnSignal>,
    told: bool,
}

impl DebugHalt {
    /// An observer that shows nothing before `pretty` has drawn its boards.
    pub(crate) fn new(names: Names, interrupt: &Interrupt, pretty: Option<DrawnSignal>) -> DebugHalt {
        DebugHalt { names, interrupt: interrupt.clone(), pretty, told: false }
    }

    fn halt(&mut self) -> Result<(), ArenaError> {
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            if !self.told {
                say("(--debug does not wait for a key: standard input is not a terminal)");
                self.told = true;
            }
            return Ok(());
        }
        say("-- press a key to continue --");
        let failed = |source: io::Error| ArenaError::Console { doing: "read a key from", source };
        let mode = KeyMode::begin().map_err(failed)?;
        let key = wait_for_key(&stdin, &self.interrupt);
        mode.end().map_err(failed)?;
        key.map_err(failed)?.then_some(()).ok_or(ArenaError::Interrupted)
    }
}

/// Waits for a key; false if the match must stop.
fn wait_for_key(stdin: &io::Stdin, interrupt: &Interrupt) -> io::Result<bool> {
    let mut set = WaitSet::new().readable(stdin).readable(interrupt);
    set.wait(None)?;
    if set.is_ready(1) {
        return Ok(false);
    }
    // Read all of it: some keys send several bytes.
    read(stdin, &mut [MaybeUninit::uninit(); 64]).map(|_| true)
}

impl<G: Game> Observer<G> for DebugHalt {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let MatchEvent::Answered { turn, replies, .. } = event else { return Ok(()) };
        for (seat, reply) in *replies {
            let Some(run) = reply.run.as_ref().filter(|run| !run.stderr.bytes.is_empty()) else { continue };
            if let Some(pretty) = &self.pretty {
                pretty.wait();
            }
            say(&format!(
                "-- {} {turn}: {} wrote to standard error, and {} --",
                G::KIND.turn(),
                self.names.of(*seat),
                run.end
            ));
            for line in run.stderr.lines() {
                say(&printable(&line));
            }
            self.halt()?;
        }
        Ok(())
    }
}
