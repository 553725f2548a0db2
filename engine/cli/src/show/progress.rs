//! One line on the terminal with the progress of the match.

use super::{Names, say, status};
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game};
use std::io::{self, IsTerminal};

/// Keeps the line up to date.
pub(crate) struct Progress {
    names: Names,
    /// The words before each line that name the game among several.
    game: String,
    shown: bool,
    wanted: bool,
}

impl Progress {
    /// The line for players with these names. It is not shown if `in_the_way` of other output, or without a terminal.
    pub(crate) fn new(names: Names, in_the_way: bool) -> Progress {
        Progress { names, game: String::new(), shown: false, wanted: !in_the_way && io::stderr().is_terminal() }
    }

    /// The same line for one of several games, which this label names.
    pub(crate) fn of_game(mut self, label: &str) -> Progress {
        self.game = format!("{label}, ");
        self
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&mut self) {
        if self.shown {
            status("");
        }
        self.shown = false;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl<G: Game> Observer<G> for Progress {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Advanced { game, .. } if self.wanted => {
                let scene = game.scene(Eye::Referee);
                let measures = scene.boards.iter().map(|board| {
                    let first = board.measures.first().map(|(what, value)| format!(" {value} {what}"));
                    format!("{}{}", self.names.of(board.seat), first.unwrap_or_default())
                });
                let title = format!("{}{}", self.game, scene.title);
                status(&format!("{title} · {}", measures.collect::<Vec<_>>().join(" · ")));
                self.shown = true;
            }
            MatchEvent::Answered { turn, replies, .. } if self.wanted => {
                for (seat, reply) in *replies {
                    if let Err(fault) = &reply.answer {
                        status("");
                        let turn = format!("{}{} {turn}", self.game, G::KIND.turn());
                        say(&format!("{turn}: {} {fault}", self.names.of(*seat)));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
