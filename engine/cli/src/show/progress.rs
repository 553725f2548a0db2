//! One line on the terminal that says how far the match is.

use super::{Names, say, status};
use arena::{ArenaError, MatchEvent, Observer};
use rules::entelect_2017::Entelect2017;
use std::io::{self, IsTerminal};

/// Keeps the line up to date.
pub(crate) struct Progress {
    names: Names,
    shown: bool,
    wanted: bool,
}

impl Progress {
    /// Unless it would be in the way of something else, or nobody could see it.
    pub(crate) fn new(names: Names, in_the_way: bool) -> Progress {
        Progress { names, shown: false, wanted: !in_the_way && io::stderr().is_terminal() }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.shown {
            status("");
        }
        self.shown = false;
    }
}

impl Observer<Entelect2017> for Progress {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Advanced { turn, game, .. } if self.wanted => {
                let last = game.size().last_round();
                let points =
                    self.names.seats().map(|seat| format!("{} {}", self.names.of(seat), game.player(seat).points()));
                status(&format!("round {turn} of at most {last} · {}", points.collect::<Vec<_>>().join(" · ")));
                self.shown = true;
            }
            MatchEvent::Answered { turn, replies, .. } if self.wanted => {
                for (seat, reply) in *replies {
                    if let Err(fault) = &reply.answer {
                        status("");
                        say(&format!("round {turn}: {} {fault}", self.names.of(*seat)));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
