//! The lookout: asks parked bots whether they can play again.

use super::Venue;
use super::line::BotId;
use std::sync::Arc;
use std::time::Instant;

/// Asks parked bots for a placement, each after growing times, until everything is to end.
pub(super) fn run(venue: &Arc<Venue>) {
    loop {
        match venue.floor.wait_for(|| venue.conditions().due(Instant::now())) {
            Some(bot) => ask(venue, bot),
            None => return,
        }
    }
}

fn ask(venue: &Arc<Venue>, bot: BotId) {
    let (url, settings) =
        venue.books.look(|ledger| (ledger.bot(bot).and_then(|entry| entry.url.clone()), ledger.settings()));
    let Some(url) = url else { return venue.conditions().forget(bot) };
    let found = venue.tried(&url, settings, false);
    let mut conditions = venue.conditions();
    // Meanwhile it may have got another URL, or be gone.
    if !conditions.is_parked(bot) {
        return;
    }
    let failed = match found {
        Ok((_, Some((why, is_absent)))) => {
            conditions.failed(bot, &why, !is_absent);
            Some(why)
        }
        Ok((report, None)) => {
            conditions.answered(bot, report.latency());
            None
        }
        // Whatever it is that the server could not do, it asks again.
        Err(refusal) => Some(refusal.to_string()),
    };
    match failed {
        Some(why) => conditions.asked_in_vain(bot, &why, Instant::now()),
        None => drop(conditions.welcome(bot)),
    }
    drop(conditions);
    venue.tell_bots();
    venue.floor.wake();
}
