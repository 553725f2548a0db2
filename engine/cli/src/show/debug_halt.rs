//! `--debug`: halts when a bot writes to standard error.

use super::names::clean;
use super::pretty::CatchUp;
use super::{Names, say};
use arena::{ArenaError, Interrupt, MatchEvent, Observer};
use rules::Game;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::io::{self, IsTerminal};

/// Shows what a bot wrote to standard error, and waits for a key.
pub(crate) struct DebugHalt {
    names: Names,
    interrupt: Interrupt,
    pretty: Option<CatchUp>,
    told: bool,
}

impl DebugHalt {
    /// Waits for `pretty` before it shows anything.
    pub(crate) fn new(names: Names, interrupt: &Interrupt, pretty: Option<CatchUp>) -> DebugHalt {
        DebugHalt { names, interrupt: interrupt.clone(), pretty, told: false }
    }

    fn halt(&mut self) -> Result<(), ArenaError> {
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            if !self.told {
                say("(--debug goes on by itself: standard input is no terminal)");
                self.told = true;
            }
            return Ok(());
        }
        say("-- press a key to go on --");
        let failed = |e: rustix::io::Errno| ArenaError::Console { doing: "read a key from", source: e.into() };
        let cooked = tcgetattr(&stdin).map_err(failed)?;
        let mut raw = cooked.clone();
        raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Now, &raw).map_err(failed)?;
        let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.interrupt, PollFlags::IN)];
        let waited = poll(&mut fds, None);
        let interrupted = !fds[1].revents().is_empty();
        if waited.is_ok() && !interrupted {
            let mut key = [0; 64];
            // All of it: some keys are several bytes.
            rustix::io::read(&stdin, &mut key).map_err(failed)?;
        }
        tcsetattr(&stdin, OptionalActions::Now, &cooked).map_err(failed)?;
        if interrupted { Err(ArenaError::Interrupted) } else { Ok(()) }
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
                "-- round {turn}: {} ({seat}) wrote to standard error, and {} --",
                self.names.of(*seat),
                run.end
            ));
            for line in run.stderr.lines() {
                say(&clean(&line));
            }
            self.halt()?;
        }
        Ok(())
    }
}
