//! The live view of a lobby in which match after match is played.

use crate::browser::{Chromium, Tab};
use crate::matches::about;
use crate::raw::Raw;
use arena::{ArenaError, Ask, MatchEvent, Notes, Observer, Observers, Player, Players, Reply, Sequence, play};
use rand::RngExt;
use rules::salvo::{Order, Salvo, Settings, random_fleet};
use rules::{Game, Outcome, Point, Random, Seat, Seats};
use std::net::{Ipv4Addr, SocketAddr};
use web::wire::{Frame, LobbyView, WaitingTeam};
use web::{LiveError, LiveTable};

/// Fires at random cells of players who are still in the match.
struct Gunner(Random);

impl Player<Salvo> for Gunner {
    fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
        let view = ask.view();
        let order = if view.salvo.is_none() {
            Order::Place(random_fleet(&mut self.0))
        } else {
            let others = view.players.iter().filter(|(seat, known)| *seat != view.seat && known.is_in);
            let others: Vec<Seat> = others.map(|(seat, _)| seat).collect();
            let target = others[self.0.random_range(0..others.len())];
            Order::Fire { target, at: Point::new(self.0.random_range(0..10), self.0.random_range(0..10)) }
        };
        let notes = Notes::read(br#"{"text":"SECRET"}"#).unwrap();
        Ok(Reply { answer: Ok(order), given: Vec::new(), time: None, run: None, notes: Some(Box::new(notes)) })
    }
}

/// Runs a function before each turn.
struct Before<F>(F);

impl<F: FnMut(u32)> Observer<Salvo> for Before<F> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        if let MatchEvent::Opened { turn, .. } = event {
            self.0(*turn);
        }
        Ok(())
    }
}

/// Plays a match of three.
fn match_at(table: &mut LiveTable<Salvo>, seed: u64, before: impl FnMut(u32)) -> Outcome {
    let game = Salvo::start(&Settings::default(), 3, seed).unwrap();
    let gunner = |seat| -> Box<dyn Player<Salvo>> { Box::new(Gunner(rules::random(rules::seat_seed(seed, seat)))) };
    let mut players: Players<Salvo> = Seats::first(3).iter().map(gunner).collect();
    table.begin(&game, about(["one", "two", "three"]));
    let mut before = Before(before);
    let mut watch = Observers::new();
    watch.add(table);
    watch.add(&mut before);
    play(game, &mut players, Sequence::InTurn, &mut watch).unwrap()
}

fn lobby<const N: usize>(teams: [(&str, bool); N]) -> LobbyView {
    let waiting = |(name, ready): (&str, bool)| WaitingTeam { name: name.to_owned(), ready };
    LobbyView { teams: teams.map(waiting).into(), how: "Teams come by MQTT.".to_owned() }
}

fn anywhere() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

fn text(tab: &Tab, selector: &str) -> String {
    tab.value(&format!("document.querySelector('{selector}').innerText"))
}

/// The number of cells that are not plain water.
const MARKED: &str = "document.querySelectorAll('#boards .cell:not([data-mark=water])').length";

#[test]
fn a_page_follows_a_table_from_lobby_to_lobby() {
    Chromium::run(|chromium| {
        let mut table = LiveTable::<Salvo>::open(anywhere(), &lobby([])).unwrap();
        let tab = chromium.open(&table.url());
        tab.until("document.querySelector('#lobby h2')?.textContent === 'The lobby is open'");
        table.lobby(&lobby([("one", true), ("<b>two", false)]));
        tab.until("document.querySelectorAll('#lobby li').length === 2");
        let told = text(&tab, "#lobby");
        assert!(told.contains("<b>two") && told.contains("ready") && told.contains("Teams come by MQTT."), "{told}");
        assert!(!tab.value::<bool>("document.querySelector('.transport').checkVisibility()"));
        tab.assert_accessible();

        for seed in [1, 2] {
            let outcome = match_at(&mut table, seed, |_| {});
            // The ships are shown.
            tab.until(&format!("document.body.dataset.moment === '{}'", outcome.turns));
            tab.until("!document.querySelector('#banner').hidden");
            assert!(tab.value::<usize>(MARKED) > 17);
            let winner = ["one wins", "two wins", "three wins"][outcome.winner.unwrap().index()];
            assert!(text(&tab, "#banner").replace('\n', " ").contains(winner));
            table.lobby(&lobby([("four", false)]));
            tab.until("document.querySelector('#lobby').checkVisibility()");
            // The match is shown until the next one begins.
            assert!(tab.value::<usize>(MARKED) > 17);
        }
        table.finish();
        tab.until("!document.querySelector('#connection').hidden");
    });
}

#[test]
fn who_comes_in_the_middle_sees_what_all_players_may_know() {
    Chromium::run(|chromium| {
        let mut table = LiveTable::<Salvo>::open(anywhere(), &lobby([])).unwrap();
        let address = table.url();
        let (reached, has_reached) = std::sync::mpsc::channel();
        let (open, may_open) = std::sync::mpsc::channel::<()>();
        let playing = std::thread::spawn(move || {
            match_at(&mut table, 1, |turn| {
                if turn == 100 {
                    reached.send(()).unwrap();
                    may_open.recv().unwrap();
                }
            });
            table
        });
        has_reached.recv().unwrap();
        let tab = chromium.open(&address);
        tab.until("document.body.dataset.moment === '100'");
        assert_eq!(tab.value::<usize>(MARKED), 0);
        assert!(tab.value::<bool>("document.querySelector('#eyes').hidden"));
        assert!(!tab.value::<bool>("document.querySelector('#boards').checkVisibility()"));
        assert!(text(&tab, "#table").contains("patrolboat"));
        let kept = Raw::ask(&address, "/match.html", "Connection: close\r\n").rest();
        assert!(!kept.contains("\"cells\""), "the page to keep knows no more");
        open.send(()).unwrap();
        tab.until("!document.querySelector('#banner').hidden");
        assert!(tab.value::<usize>(MARKED) > 17);
        drop(playing.join().unwrap());
    });
}

/// The frames before the ships are shown.
#[test]
fn nothing_that_is_told_during_a_match_has_a_cell_in_it() {
    let mut table = LiveTable::<Salvo>::open(anywhere(), &lobby([])).unwrap();
    let address = table.url();
    let mut raw = Raw::ask(&address, "/events", "");
    raw.until("id: ");
    let mut told = Vec::new();
    match_at(&mut table, 3, |turn| {
        // The setup and the first scene come together.
        (0..if turn == 0 { 2 } else { 1 }).for_each(|_| told.extend(raw.until("id: ")));
        told.extend(raw.until("data: "));
    });
    // Of the pieces of a frame, these are known to everyone.
    const PUBLIC: [&str; 7] = ["titles", "highlights", "boards", "times", "mover", "total", "sinkings"];
    for line in told.iter().filter_map(|line| line.strip_prefix("data: ")).skip(2) {
        let frame: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        assert!(frame.keys().all(|key| PUBLIC.contains(&key.as_str())), "{line}");
    }
    let frames: Vec<Frame> =
        told.iter().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect();
    assert!(frames.len() > 50 && frames.iter().all(|frame| frame.notes.is_empty()));
    assert!(told.iter().all(|line| !line.contains("SECRET")), "notes are for the referee");
    let changes = frames.iter().flat_map(|frame| frame.boards.iter().flatten());
    assert!(changes.clone().any(|seen| !seen.1.facts.is_empty()));
    for seen in changes {
        assert!(seen.1.cells.is_empty() && seen.1.fresh.is_empty() && seen.1.scanned.is_empty(), "{seen:?}");
        assert!(!seen.1.deed.as_deref().unwrap_or_default().contains(" at "), "{seen:?}");
    }
    // A viewer who comes now sees everything, and stays: there may be another match.
    let now = Raw::ask(&address, "/events", "").until("event: over");
    assert!(now.iter().any(|line| line.contains("\"cells\"")));
}

#[test]
fn only_a_table_on_an_address_of_the_network_answers_to_other_names() {
    for (address, status) in [(Ipv4Addr::LOCALHOST, 403), (Ipv4Addr::UNSPECIFIED, 200)] {
        let table = LiveTable::<Salvo>::open((address, 0).into(), &lobby([])).unwrap();
        let port = table.url().trim_end_matches('/').rsplit_once(':').unwrap().1.to_owned();
        let here = format!("http://127.0.0.1:{port}/");
        let answer = Raw::ask(&here, "/", "Host: table.example\r\nConnection: close\r\n").rest();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(answer.to_lowercase().contains("frame-ancestors 'none'"), "{answer}");
        let kept = Raw::ask(&here, "/match.html", "Connection: close\r\n").rest();
        assert!(kept.starts_with("HTTP/1.1 404 ") && kept.ends_with("No match is being played.\n"), "{kept}");
    }
}

#[test]
fn a_match_that_is_broken_off_is_told_as_unfinished_and_stays_covered() {
    let mut table = LiveTable::<Salvo>::open(anywhere(), &lobby([])).unwrap();
    table.begin(&Salvo::start(&Settings::default(), 2, 1).unwrap(), about(["one", "two"]));
    let mut raw = Raw::ask(&table.url(), "/events", "Connection: close\r\n");
    raw.until("event: frame");
    drop(table);
    assert!(raw.rest().contains(r#"data: {"finished":false}"#));
}

#[test]
fn an_address_that_is_taken_is_told() {
    let table = LiveTable::<Salvo>::open(anywhere(), &lobby([])).unwrap();
    let taken: SocketAddr = table.url()["http://".len()..].trim_end_matches('/').parse().unwrap();
    let error = LiveTable::<Salvo>::open(taken, &lobby([])).unwrap_err();
    assert!(matches!(error, LiveError::Address { address, .. } if address == taken), "{error}");
}
