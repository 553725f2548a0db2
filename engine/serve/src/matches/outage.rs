//! Outages of the network: tournaments are paused if most hosts of bots do not answer.

use crate::matches::host::MatchHost;
use crate::state::bot_address::BotAddress;
use crate::state::journal_line::{ServerJournalLine, TournamentMode, now};
use crate::state::request_error::RequestError;
use crate::state::settings::ServerSettings;
use connections::network;
use players::http::Client;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

/// The least bots that do not answer in an outage of the network.
const LEAST_ABSENT: usize = 4;
/// The least time within which most hosts fail in an outage.
const SHORTEST: Duration = Duration::from_secs(60);

/// Pauses tournaments if most hosts of bots have failed to answer for a while: the network may be down, and no bot's fault.
pub(super) fn pause(host: &MatchHost) {
    let paused = host.store.enter(|state| {
        let window = window(&state.settings, state.bots().filter(|entry| entry.url.is_some()).count());
        let (health, now_is) = (host.health(), Instant::now());
        let known = state.bots().filter_map(|entry| {
            Some((machine(&host.client, entry.url.as_ref()?), health.is_absent(entry.id, now_is, window)?))
        });
        match absent(known) {
            Some(absent) if state.mode == TournamentMode::Running => {
                let why = format!(
                    "{absent} bots did not answer in the last {} s, so tournaments are paused: check the network, then press Resume",
                    window.as_secs()
                );
                Ok(ServerJournalLine::Mode { mode: TournamentMode::Paused, why: Some(why), at: now() })
            }
            _ => Err(RequestError::conflict("most bots answer")),
        }
    });
    match paused {
        Ok(ServerJournalLine::Mode { why: Some(why), .. }) => host.store.activity.add(|| why),
        Err(error) if error.cause.is_some() => host.report_trouble(&error),
        _ => {}
    }
}

/// The time within which most hosts fail in an outage: so many bots play twice in it, also if each match lasts until an answer is late.
fn window(settings: &ServerSettings, bots: usize) -> Duration {
    let of_match = Duration::from_millis(settings.limit + settings.pause_match);
    (of_match * bots as u32 / settings.parallel.max(1)).max(SHORTEST)
}

/// The number of bots that do not answer, if it is an outage. Given are the host of each bot, and if the bot is absent. A host is
/// absent if all its bots are. Only hosts are compared: a team with many bots could pause the tournaments of all, or hide an outage.
fn absent(bots: impl Iterator<Item = (String, bool)>) -> Option<usize> {
    let mut absent = 0;
    let mut hosts: BTreeMap<String, bool> = BTreeMap::new();
    for (host, is_absent) in bots {
        absent += usize::from(is_absent);
        *hosts.entry(host).or_insert(true) &= is_absent;
    }
    let absent_hosts = hosts.values().filter(|is_absent| **is_absent).count();
    (absent >= LEAST_ABSENT && absent_hosts * 2 > hosts.len()).then_some(absent)
}

/// The host of a bot, whatever it is called: the network that the client has reached, or the name if it has reached none.
fn machine(client: &Client, url: &BotAddress) -> String {
    match client.address_of(&url.target) {
        Some(address) => canonical(address).to_string(),
        None => url.target.host().trim_end_matches('.').to_owned(),
    }
}

/// The network of an address. All addresses of this machine's loopback are one.
fn canonical(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address if address.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        address => network(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::http::AllowedHosts;

    /// The bots on these hosts, of which the first so many are absent.
    fn bots<'a>(hosts: &'a [String], absent: usize) -> impl Iterator<Item = (String, bool)> + 'a {
        hosts.iter().enumerate().map(move |(at, host)| (host.clone(), at < absent))
    }

    fn hosts(many: usize) -> Vec<String> {
        (0..many).map(|number| format!("192.168.0.{number}")).collect()
    }

    #[test]
    fn an_outage_is_that_of_most_hosts_and_of_four_bots_at_least() {
        assert_eq!(absent(bots(&hosts(8), 4)), None);
        assert_eq!(absent(bots(&hosts(8), 5)), Some(5));
        assert_eq!(absent(bots(&hosts(3), 3)), None);
    }

    #[test]
    fn many_bots_on_one_host_neither_make_an_outage_nor_hide_one() {
        let hidden = [hosts(12), vec!["10.0.0.1".to_owned(); 13]].concat();
        assert_eq!(absent(bots(&hidden, 12)), Some(12), "one host of 13 is there");
        let made_up = [vec!["10.0.0.1".to_owned(); 13], hosts(3)].concat();
        assert_eq!(absent(bots(&made_up, 13)), None);
    }

    #[test]
    fn a_host_counts_once_however_it_is_written() {
        let client = Client::new(AllowedHosts::private());
        let machine = |host: &str| machine(&client, &BotAddress::new(&format!("http://{host}:4000")).unwrap());
        for host in ["127.0.0.1", "127.7.0.9", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"] {
            assert_eq!(machine(host), "127.0.0.1", "{host}");
        }
        assert_eq!(machine("[::ffff:c0a8:7]"), "192.168.0.7");
        assert_eq!(machine("[2001:db8::1]"), machine("[2001:db8::ffff:2]"), "they are of one network");
        assert_ne!(machine("[2001:db8::1]"), machine("[2001:db8:0:1::1]"));
        assert_eq!(machine("Bots.example.org."), "bots.example.org", "no address is known yet");
    }

    #[test]
    fn an_outage_is_noticed_at_long_time_limits_and_of_many_bots() {
        let usual = ServerSettings::default();
        assert_eq!(window(&usual, 8), SHORTEST);
        assert_eq!(window(&usual, 70), Duration::from_secs(210));
        assert_eq!(window(&ServerSettings { limit: 30_000, ..usual }, 16), Duration::from_secs(496));
        assert_eq!(window(&ServerSettings { limit: 30_000, parallel: 4, ..usual }, 16), Duration::from_secs(124));
    }
}
