//! The health check: probes parked bots to see if they can play again.

use super::app::App;
use super::journal_line::BotId;
use std::sync::Arc;
use std::time::Instant;

/// Asks parked bots for a placement, each after growing times, until the server ends.
pub(super) fn run(app: &Arc<App>) {
    loop {
        match app.matches.wait_for(|| app.health().due(Instant::now())) {
            Some(bot) => ask(app, bot),
            None => return,
        }
    }
}

fn ask(app: &Arc<App>, bot: BotId) {
    let (url, settings) = app.store.look(|state| (state.bot(bot).and_then(|entry| entry.url.clone()), state.settings));
    let Some(url) = url else { return app.health().forget(bot) };
    let found = app.run_probe(&app.client, &url, settings, false);
    let mut health = app.health();
    // The bot may have got another URL meanwhile, or may have been removed.
    if !health.is_parked(bot) {
        return;
    }
    match found {
        Ok((report, None)) => {
            health.answered(bot, report.latency());
            health.welcome(bot);
        }
        Ok((_, Some((why, is_absent)))) => {
            health.failed(bot, &why, !is_absent);
            health.asked_in_vain(bot, &why, Instant::now());
        }
        // The server failed, not the bot. Probe again later.
        Err(error) => health.asked_in_vain(bot, &error.to_string(), Instant::now()),
    }
    let is_back = !health.is_parked(bot);
    drop(health);
    if is_back {
        app.note_bot(bot, "answers again");
    }
    app.tell_bots();
    // The pairings of a bot that is back come next again.
    app.tell_tournament();
    app.matches.wake();
}
