//! Only hosts that are allowed are called, whatever names lead to.

use super::server::{Server, good};
use super::{AMPLE, answer, ask, bot, client, unreachable};
use arena::Interrupt;
use players::http::{Client, Http};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A client for which names lead to these addresses, the next set every time it looks.
fn leading(allowed: &str, ways: Vec<Vec<SocketAddr>>) -> Arc<Client> {
    let looked = AtomicUsize::new(0);
    let lookup = move |_: &str, _: u16| Ok(ways[looked.fetch_add(1, Ordering::SeqCst)].clone());
    Arc::new(Client::new(allowed.parse().unwrap()).looking_up(Arc::new(lookup)))
}

fn public() -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 1], 80))
}

#[test]
fn a_host_that_is_not_allowed_is_not_called() {
    let server = Server::saying(good("1"));
    let ask = |allowed: &str, url: &str| unreachable(ask(&mut bot(&client(allowed), url, AMPLE)).unwrap());
    let why = ask("private", "http://192.0.2.1:81/bot");
    assert_eq!(why, "http://192.0.2.1:81/bot/move: 192.0.2.1 is not an allowed host (private)");
    let why = ask("10.0.0.0/8,bots.example.org", &server.url());
    assert!(why.ends_with("127.0.0.1 is not an allowed host (10.0.0.0/8,bots.example.org)"), "{why}");
    // The system's own look-up.
    let why = ask("192.0.2.0/24", &format!("http://localhost:{}", server.address.port()));
    assert!(why.ends_with("is not an allowed host (192.0.2.0/24)"), "{why}");
    // Another way to write 127.0.0.1.
    let why = ask("192.0.2.0/24", &format!("http://2130706433:{}", server.address.port()));
    assert!(why.ends_with("127.0.0.1 is not an allowed host (192.0.2.0/24)"), "{why}");
    assert_eq!(server.connections(), 0);
}

#[test]
fn clouds_secrets_are_never_asked_for() {
    for host in ["169.254.169.254", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "100.100.100.200", "0.0.0.0"] {
        for allowed in ["any", "0.0.0.0/0,::/0"] {
            let why = unreachable(ask(&mut bot(&client(allowed), &format!("http://{host}/latest"), AMPLE)).unwrap());
            assert!(why.ends_with("is never called"), "{why}");
        }
    }
    let metadata = SocketAddr::from(([169, 254, 169, 254], 80));
    let client = leading("any,bot.example", vec![vec![metadata]]);
    let why = unreachable(ask(&mut bot(&client, "http://bot.example", AMPLE)).unwrap());
    assert_eq!(why, "http://bot.example/move: 169.254.169.254 is never called");
}

#[test]
fn a_name_that_leads_to_a_forbidden_address_is_not_called() {
    let client = leading("private", vec![vec![public()], vec![]]);
    let mut bot = bot(&client, "http://bot.example", AMPLE);
    let why = unreachable(ask(&mut bot).unwrap());
    assert_eq!(why, "http://bot.example/move: 192.0.2.1 is not an allowed host (private)");
    let why = unreachable(ask(&mut bot).unwrap());
    assert_eq!(why, "http://bot.example/move: the name has no address");
}

#[test]
fn of_several_addresses_only_the_allowed_ones_are_called() {
    let server = Server::saying(good("1"));
    let client = leading("private", vec![vec![public(), server.address]]);
    assert_eq!(answer(ask(&mut bot(&client, "http://bot.example", AMPLE)).unwrap()), "1");
}

#[test]
fn a_name_that_leads_elsewhere_in_the_next_turn_is_checked_again() {
    let server = Server::once(good("1"));
    let client = leading("private", vec![vec![server.address], vec![public()]]);
    let mut bot = bot(&client, "http://bot.example", AMPLE);
    assert_eq!(answer(ask(&mut bot).unwrap()), "1");
    assert!(unreachable(ask(&mut bot).unwrap()).contains("192.0.2.1 is not an allowed host"));
}

#[test]
fn a_named_host_may_be_anywhere_and_names_have_no_case() {
    let server = Server::saying(good("1"));
    let client = leading("Bot.Example", vec![vec![server.address]]);
    let url = "http://bot.EXAMPLE/".parse().unwrap();
    let mut bot = Http::new(client, url, Some(AMPLE), Interrupt::new().unwrap());
    assert_eq!(answer(ask(&mut bot).unwrap()), "1");
    assert!(server.requests()[0].contains("host: bot.EXAMPLE\r\n"));
}

#[test]
fn the_next_address_is_tried_when_one_refuses() {
    let server = Server::saying(good("1"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let refusing = listener.local_addr().unwrap();
    drop(listener);
    let client = leading("private", vec![vec![refusing, server.address], vec![refusing, refusing]]);
    assert_eq!(answer(ask(&mut bot(&client, "http://bot.example", AMPLE)).unwrap()), "1");
    let why = unreachable(ask(&mut bot(&client, "http://other.example", AMPLE)).unwrap());
    assert_eq!(why, "http://other.example/move: connection refused");
    assert_eq!(server.address.ip(), IpAddr::V4(Ipv4Addr::LOCALHOST));
}
