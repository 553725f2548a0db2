//! `--debug`: halts the match when a bot writes to standard error.

use super::pretty::DrawnSignal;
use super::printable;
use super::{Names, say};
use arena::{ArenaError, Interrupt, MatchEvent, Observer};
use rules::Game;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::io::{self, IsTerminal};

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
        let failed = |e: Errno| ArenaError::Console { doing: "read a key from", source: e.into() };
        let cooked = tcgetattr(&stdin).map_err(failed)?;
        let mut raw = cooked.clone();
        raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Now, &raw).map_err(failed)?;
        let key = wait_for_key(&stdin, &self.interrupt);
        tcsetattr(&stdin, OptionalActions::Now, &cooked).map_err(failed)?;
        key.map_err(failed)?.then_some(()).ok_or(ArenaError::Interrupted)
    }
}

/// Waits for a key; false if the match must stop.
fn wait_for_key(stdin: &io::Stdin, interrupt: &Interrupt) -> Result<bool, Errno> {
    let mut fds = [PollFd::new(stdin, PollFlags::IN), PollFd::new(interrupt, PollFlags::IN)];
    loop {
        match poll(&mut fds, None) {
            // The signal that interrupts the match also interrupts this.
            Err(Errno::INTR) => {}
            other => other.map(|_| ())?,
        }
        if !fds[1].revents().is_empty() {
            return Ok(false);
        }
        if !fds[0].revents().is_empty() {
            // Read all of it: some keys send several bytes.
            let mut key = [0; 64];
            return rustix::io::read(stdin, &mut key).map(|_| true);
        }
    }
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
