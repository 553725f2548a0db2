//! The lookout: asks parked bots whether they are back.

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
    match found {
        Ok((_, Some((why, true)))) => conditions.asked_in_vain(bot, &why, Instant::now()),
        // Whoever answers may play, however badly.
        Ok((report, _)) => {
            conditions.answered(bot, report.latency());
            conditions.welcome(bot);
        }
        Err(refusal) => conditions.asked_in_vain(bot, &refusal.to_string(), Instant::now()),
    }
    drop(conditions);
    venue.tell_bots();
    venue.floor.wake();
}
