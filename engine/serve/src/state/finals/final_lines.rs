//! The lines of the journal about finals.

use crate::state::finals::final_state::Final;
use crate::state::journal_line::ServerJournalLine;
use crate::state::server_state::{ServerState, check_seats, number as seed_number};

impl ServerState {
    /// Checks that a line about a final can follow; else returns the reason.
    pub(crate) fn check_final(&self, line: &ServerJournalLine) -> Result<(), String> {
        let present = |number: u32| {
            let present = self.present_final.as_ref().filter(|present| present.number == number);
            present.ok_or_else(|| format!("there is no final {number}"))
        };
        match line {
            ServerJournalLine::FinalPlanned { number, start, entrants, best_of, .. } => {
                if *number <= self.last_final {
                    return Err(format!("a second final has the number {number}"));
                }
                if self.present_final.as_ref().is_some_and(|present| present.ranking.is_none()) {
                    return Err("a final is planned or being played already".to_owned());
                }
                Final::planned(*number, start, *entrants, *best_of).map(drop)
            }
            ServerJournalLine::FinalCancelled { number, .. } => match present(*number)?.ranking {
                Some(_) => Err(format!("final {number} is over")),
                None => Ok(()),
            },
            ServerJournalLine::FinalBegun { number, seed, bots, names, .. } => {
                present(*number)?.lined_up(seed_number(seed)?, bots, names).map(drop)
            }
            ServerJournalLine::FinalMatch(game) => {
                check_seats(&game.played)?;
                if game.played.id <= self.last_match {
                    return Err(format!("a second match has the number {}", game.played.id));
                }
                let number = game.played.final_game.as_ref().map_or(0, |place| place.number);
                present(number)?.game(game).map(drop)
            }
            ServerJournalLine::FinalEnded { number, ranking, .. } => present(*number)?.ranked(ranking).map(drop),
            _ => Ok(()),
        }
    }

    /// Applies a line about a final that was checked.
    pub(crate) fn take_final(&mut self, line: &ServerJournalLine) -> Result<(), String> {
        match (line, &mut self.present_final) {
            (ServerJournalLine::FinalPlanned { number, start, entrants, best_of, .. }, _) => {
                self.last_final = *number;
                self.present_final = Some(Final::planned(*number, start, *entrants, *best_of)?);
            }
            (ServerJournalLine::FinalCancelled { .. }, present) => *present = None,
            (ServerJournalLine::FinalBegun { seed, bots, names, .. }, Some(present)) => {
                present.lineup = Some(present.lined_up(seed_number(seed)?, bots, names)?);
            }
            (ServerJournalLine::FinalMatch(line), Some(present)) => {
                let game = present.game(line)?;
                present.lineup.iter_mut().for_each(|lineup| lineup.games.push(game.clone()));
                self.last_match = line.played.id;
            }
            (ServerJournalLine::FinalEnded { ranking, .. }, Some(present)) => {
                present.ranking = Some(present.ranked(ranking)?);
            }
            _ => {}
        }
        Ok(())
    }
}
