//! Seating bots: how long they may take, what they can reach, where their files go.

use super::contestant::Program;
use super::seclusion::Cells;
use crate::args::Extra;
use crate::show;
use arena::folder::MatchFolder;
use arena::{ArenaError, Interrupt, Limits};
use players::process::{Calibration, PerRound};
use rules::Seat;
use std::sync::Arc;

/// What it takes to seat the bots of a match.
pub(crate) struct BotSeats<'a> {
    /// Time for the start of a language; without it there is no limit at all.
    pub(crate) extra: Option<Extra>,
    /// Finds out that time.
    pub(crate) calibration: &'a mut Calibration,
    /// The sandbox, if there is one.
    pub(crate) cells: Option<&'a Cells>,
    /// The match's folder.
    pub(crate) folder: Arc<MatchFolder>,
    /// Whether a player's files stay when its turn is over.
    pub(crate) leave_files: bool,
    /// Stops the match.
    pub(crate) interrupt: Interrupt,
    /// What the bots' seeds are derived from.
    pub(crate) seed: u64,
}

impl BotSeats<'_> {
    /// The bot's way to be reached in `seat`, and how long it may take.
    pub(crate) fn seat(&mut self, bot: &Program, seat: Seat) -> Result<(PerRound, Option<Limits>), ArenaError> {
        let limits = limits(bot, self.extra, self.calibration)?;
        let mut launch = bot.launch.clone().with_seed(rules::seat_seed(self.seed, seat));
        if let Some(cells) = self.cells {
            launch = cells.confine(launch, limits.map(|limits| limits.kill()))?;
        }
        let bot = PerRound::new(launch, Arc::clone(&self.folder), limits, self.leave_files, self.interrupt.clone());
        Ok((bot, limits))
    }
}

/// What each run of a bot may take; without `extra` there is no limit.
pub(super) fn limits(
    bot: &Program,
    extra: Option<Extra>,
    calibration: &mut Calibration,
) -> Result<Option<Limits>, ArenaError> {
    let extra = match extra {
        None => return Ok(None),
        Some(Extra::Fixed(extra)) => extra,
        Some(Extra::Measured) => {
            let news = !calibration.knows(bot.language, &bot.launch);
            let extra = calibration.extra(bot.language, &bot.launch)?;
            if news && !extra.is_zero() {
                let (name, ms) = (bot.language.name, extra.as_millis());
                show::say(&format!("{name} bots get 2 s and {ms} ms more, which the language takes to start"));
            }
            extra
        }
    };
    Ok(Some(Limits::with_extra(extra)))
}
