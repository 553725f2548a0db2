//! Tests of bots that teams ask for.

use crate::matches::probe::{ProbeReport, run_probe};
use crate::matches::publish;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::{Access, ClientAddress};
use crate::teams::registration::BotCredentials;
use players::http::AllowedHosts;
use std::sync::Arc;
use std::time::Duration;

/// The longest time to look up the host of a bot before its test.
const LOOK_UP: Duration = Duration::from_secs(2);

/// The note for a bot that cannot be reached while it plays.
const PLAYS_NOW: &str = " It is playing a match of the tournament now: a bot that serves one connection at a time can be tested between matches only.";

/// Plays a test match between a bot and a built-in player. The match counts for nothing.
///
/// # Errors
/// The request comes too often, the bot does not exist or has no URL, the password is wrong, or other tests are
/// running.
pub(crate) async fn probe(access: &Access, from: ClientAddress, bot: BotCredentials) -> RequestResult<ProbeReport> {
    let entry = access.authenticate(from, &bot.name, bot.password).await?;
    probe_entry(access, from, entry).await
}

/// Tests the bot of a team that is logged in, as [`probe`] does.
///
/// # Errors
/// As [`probe`].
pub(crate) async fn probe_own(
    access: &Access,
    from: ClientAddress,
    entry: RegisteredBot,
) -> RequestResult<ProbeReport> {
    probe_entry(access, from, entry).await
}

async fn probe_entry(access: &Access, from: ClientAddress, entry: RegisteredBot) -> RequestResult<ProbeReport> {
    access.throttles.test.count(entry.id)?;
    let Some(url) = entry.url.clone() else {
        return Err(RequestError::conflict("the bot has no URL yet; set it first"));
    };
    let hosts = hosts_to_test(access, from);
    let permit = Arc::clone(&access.probes).try_acquire_owned();
    let permit = permit.map_err(|_| RequestError::busy("other bots are being tested; try again in a moment"))?;
    access
        .host
        .blocking(move |host| {
            let _permit = permit;
            let client = Arc::new(host.client.restricted(hosts));
            if let Some(why) = client.refusal(&url.target, Some(LOOK_UP), &host.ending)? {
                return Err(RequestError::forbidden(format!("only a bot on your own machine can be tested: {why}")));
            }
            let (mut report, absence) = run_probe(host, &client, &url, host.store.look(|state| state.settings), true)?;
            if report.moves == 0
                && absence.as_ref().is_some_and(|(_, is_absent)| *is_absent)
                && host.running.has(entry.id)
            {
                report.summary.push_str(PLAYS_NOW);
            }
            let mut health = host.health();
            let is_back = match absence {
                None => {
                    health.answered(entry.id, report.latency());
                    health.welcome(entry.id)
                }
                Some((why, is_absent)) => {
                    health.failed(entry.id, &why, !is_absent);
                    false
                }
            };
            drop(health);
            publish::changed_bots(host);
            if is_back {
                host.note_bot(entry.id, "answers again");
                publish::tournament(host);
                host.running.wake();
            }
            Ok(report)
        })
        .await
}

/// The hosts that a team may test: those on the list of the server, and the machine that the request comes from. Behind a
/// proxy or tunnel, which need not say that it is one, this machine is the proxy's and not the team's.
fn hosts_to_test(access: &Access, from: ClientAddress) -> AllowedHosts {
    let is_local = from.ip.to_canonical().is_loopback();
    let is_proxy = from.is_proxied || is_local && access.has_proxy;
    if is_proxy { access.test_hosts.clone() } else { access.test_hosts.clone().or(from.ip) }
}
