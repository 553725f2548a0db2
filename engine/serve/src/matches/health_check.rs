//! The health check: probes parked bots to see if they can play again.

use crate::matches::host::MatchHost;
use crate::matches::probe::run_probe;
use crate::matches::publish;
use crate::state::name::BotId;
use std::sync::Arc;
use std::time::Instant;

/// Asks parked bots for a placement, each after growing times, until the server ends.
pub(crate) fn run(host: &Arc<MatchHost>) {
    loop {
        match host.running.wait_for(|| host.health().due(Instant::now())) {
            Some(bot) => ask(host, bot),
            None => return,
        }
    }
}

fn ask(host: &Arc<MatchHost>, bot: BotId) {
    let (url, settings) = host.store.look(|state| (state.bot(bot).and_then(|entry| entry.url.clone()), state.settings));
    let Some(url) = url else { return host.health().forget(bot) };
    let found = run_probe(host, &host.client, &url, settings, false);
    let mut health = host.health();
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
        host.note_bot(bot, "answers again");
    }
    publish::bots(host);
    // The pairings of a bot that is back come next again.
    publish::tournament(host);
    host.running.wake();
}
