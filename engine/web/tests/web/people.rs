//! People who play in a browser: whole games by keys and by touch, what their pages are told, and who is refused.

use crate::browser::{Chromium, Tab};
use crate::matches::about;
use crate::raw::Raw;
use arena::record::{Clock, Header, OpenedRecord, Record, RecordBuffer, RecordedSeat, verify};
use arena::{ArenaError, Interrupt, Observers, Players, Sequence, play};
use players::{BuiltIn, PersonGame, WithBuiltIns};
use rules::bots_arena::{self, BotsArena};
use rules::entelect_2017::{self, Entelect2017, MapSize};
use rules::salvo::{self, Salvo};
use rules::sea_battle::{self, SeaBattle};
use rules::{Outcome, PlayerInfo, Seat};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use web::{About, PersonWatch, WebPerson, WebTable};

const SEED: u64 = 5;

/// A match with people that is being played.
struct Sitting {
    links: Vec<String>,
    interrupt: Interrupt,
    played: JoinHandle<(Result<Outcome, ArenaError>, Vec<u8>)>,
}

impl Sitting {
    /// A match of built-in players, and behind them people.
    fn begin<G: PersonGame + WithBuiltIns>(settings: G::Settings, built_ins: &[BuiltIn], people: usize) -> Sitting {
        let table = WebTable::open((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let interrupt = Interrupt::new().unwrap();
        let seats: Vec<_> = (0..people).map(|_| table.add_seat().unwrap()).collect();
        let links = seats.iter().map(|seat| table.link(seat)).collect();
        let game = G::start(&settings, (built_ins.len() + people) as u8, SEED).unwrap();
        let names = built_ins.iter().map(|built_in| built_in.name().to_owned());
        let names: Vec<String> = names.chain((1..=people).map(|number| format!("<b>Player {number}"))).collect();
        let recorded = names.iter().map(|name| RecordedSeat::new(PlayerInfo::named(name))).collect();
        let header = Header::new::<G>(&settings, SEED, recorded, Sequence::Together);
        let about = About { names: names.into_iter().collect(), seed: Some(SEED), ..about([]) };
        let seated = (built_ins.len()..).filter_map(|at| Seat::new(at as u8)).zip(seats.iter().cloned());
        let mut watch = PersonWatch::begin(&game, &about, seated.take(people).collect());
        let mut players: Vec<Box<dyn arena::Player<G>>> =
            built_ins.iter().map(|built_in| built_in.player(SEED)).collect();
        for seat in seats {
            players.push(Box::new(WebPerson::new(seat, settings.clone(), SEED, interrupt.clone())));
        }
        let played = thread::spawn(move || {
            let mut record = RecordBuffer::begin(&header, Clock::Running).unwrap();
            let mut observers = Observers::new();
            observers.add(&mut record);
            observers.add(&mut watch);
            let mut players: Players<G> = players.into_iter().collect();
            let outcome = play(game, &mut players, Sequence::Together, &mut observers);
            drop(observers);
            table.finish(Some("replays/today/match.jsonl"));
            (outcome, record.into_lines())
        });
        Sitting { links, interrupt, played }
    }

    /// The outcome. The record of the match holds up.
    fn end(self) -> Outcome {
        let (outcome, lines) = self.played.join().unwrap();
        let record = Record::parse(Path::new("match.jsonl"), lines).unwrap();
        verify(&OpenedRecord { record: Arc::new(record), rounds: None }).unwrap();
        outcome.unwrap()
    }
}

/// The way in which a person uses the page.
#[derive(Clone, Copy, PartialEq)]
enum Hand {
    Keys,
    Touch,
}

/// A person at a page.
struct Person<'a> {
    tab: Tab<'a>,
    hand: Hand,
    /// Columns and rows of the boards.
    size: (i32, i32),
    from_top: bool,
}

/// The answers to questions so far.
const ASKED: &str = "[document.body.dataset.asked, document.body.dataset.question ?? ''].join()";

impl<'a> Person<'a> {
    fn open(chromium: &'a Chromium, link: &str, hand: Hand) -> Person<'a> {
        let tab = chromium.open(link);
        tab.until("document.body.dataset.asked === 'place'");
        let (width, height) = tab.value(
            "[document.querySelectorAll('.own .row:first-child .choice').length, \
             document.querySelectorAll('.own .row').length]",
        );
        let from_top = tab.value("document.querySelector('.own .choice').dataset.y === '0'");
        Person { tab, hand, size: (width, height), from_top }
    }

    fn press_button(&self, selector: &str) {
        match self.hand {
            Hand::Touch => self.tab.tap(selector),
            Hand::Keys => {
                self.tab.reach(selector);
                self.tab.press("Enter");
            }
        }
    }

    /// Chooses a cell of a board.
    fn choose(&self, board: &str, (x, y): (i32, i32)) {
        let cell = format!("{board} .choice[data-x='{x}'][data-y='{y}']");
        match self.hand {
            Hand::Touch => self.tab.tap(&cell),
            Hand::Keys => {
                if !self.tab.value::<bool>(&format!("document.activeElement.matches('{board} .choice')")) {
                    self.tab.reach(&format!("{board} .choice"));
                }
                let (from_x, from_y): (i32, i32) =
                    self.tab.value("(({ x, y }) => [Number(x), Number(y)])(document.activeElement.dataset)");
                let up = if (y > from_y) == self.from_top { "ArrowDown" } else { "ArrowUp" };
                let across = if x > from_x { "ArrowRight" } else { "ArrowLeft" };
                let arrows = [(across, x.abs_diff(from_x)), (up, y.abs_diff(from_y))];
                arrows.iter().for_each(|(arrow, times)| (0..*times).for_each(|_| self.tab.press(arrow)));
                self.tab.press("Enter");
            }
        }
    }

    /// Places the fleet in rows, apart from the last ship, which lies upright in the last column.
    fn place(&self, stride: i32) {
        let ships: i32 = self.tab.value("document.querySelectorAll('#tray button').length");
        let rows = self.size.1 / stride;
        for ship in 0..ships - 1 {
            self.choose(".own", (ship / rows * (self.size.0 / 2), ship % rows * stride));
        }
        match self.hand {
            Hand::Keys => self.tab.press("r"),
            Hand::Touch => self.tab.tap("#turn"),
        }
        self.choose(".own", (self.size.0 - 1, 0));
        assert_eq!(self.tab.value::<i32>("document.querySelectorAll('#tray .placed').length"), ships);
        let asked: String = self.tab.value(ASKED);
        self.press_button("#ready");
        self.tab.until(&format!("{ASKED} !== '{asked}'"));
    }

    fn is_over(&self) -> bool {
        self.tab.value("document.body.dataset.asked === 'over'")
    }

    fn wait_for_turn(&self) {
        self.tab.until("['order', 'over'].includes(document.body.dataset.asked)");
    }

    /// Fires at one cell after the other until the match is over: first at those of which nothing is known.
    fn fire_at_all(&self) {
        self.fire(usize::MAX);
        assert!(self.is_over());
    }

    /// Fires so many shots, or until the match is over.
    fn fire(&self, most: usize) {
        for _ in 0..most {
            self.wait_for_turn();
            if self.is_over() {
                return;
            }
            let next: Option<(i32, i32)> = self.tab.value(
                "(() => { const board = document.querySelector('.target'); \
                   const cells = [...board.querySelectorAll('.cell')]; const marked = (...marks) => cells.find((cell) => marks.includes(cell.dataset.mark) && cell.dataset.tried !== cell.dataset.shots); \
                   const cell = marked('water') ?? marked('hit', 'dented', 'shot', 'caught', 'miss'); \
                   if (!cell) return null; cell.dataset.tried = cell.dataset.shots; return [Number(cell.dataset.x), Number(cell.dataset.y)]; })()",
            );
            let asked: String = self.tab.value(ASKED);
            let at = next.expect("the match ends when all cells were fired at");
            self.choose(".target", at);
            self.tab.until(&format!("{ASKED} !== '{asked}' || document.querySelector('#reason').textContent !== ''"));
            if self.tab.value::<String>(ASKED) == asked {
                // A shot at a cell that was fired at before is asked for twice.
                self.choose(".target", at);
                self.tab.until(&format!("{ASKED} !== '{asked}'"));
            }
        }
    }
}

/// The frames and the setup that the page of a link gets up to its present question.
fn told(link: &str) -> Vec<Value> {
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    let lines = Raw::ask(host, &format!("/{path}events"), "").until("event: ask");
    let data = lines.iter().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// Fails if a page was told of ships of another seat, or of what they can be told from.
fn assert_no_secrets(link: &str, own: usize) {
    let told = told(link);
    let letter = char::from(b'A' + own as u8).to_string();
    assert_eq!((&told[0]["eyes"], &told[0]["seed"]), (&serde_json::json!([letter]), &serde_json::json!("")));
    assert!(told.len() > 2);
    for frame in &told[1..] {
        assert!(frame.get("notes").is_none_or(|notes| notes.as_array().unwrap().is_empty()));
        for (seat, board) in frame["boards"].as_array().unwrap().iter().enumerate().filter(|(seat, _)| *seat != own) {
            for look in board.as_array().unwrap().iter().flat_map(|seen| seen[1]["cells"].as_object()).flatten() {
                assert!(!look.0.starts_with('#') || look.0.starts_with("#?"), "{seat}: {look:?}");
            }
        }
    }
}

/// Plays a whole match against the reference bot in the page.
fn plays_a_whole_match<G: PersonGame + WithBuiltIns>(settings: G::Settings, stride: i32, hand: Hand) {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<G>(settings, &[BuiltIn::Hunter], 1);
        let link = sitting.links[0].clone();
        let person = Person::open(chromium, &link, hand);
        if hand == Hand::Touch {
            person.tab.resize(390, 844);
        }
        person.place(stride);
        person.fire(3);
        assert_no_secrets(&link, 1);
        person.fire_at_all();
        let tab = &person.tab;
        let title: String = tab.value("document.querySelector('#task-title').textContent");
        // The page to keep is there without the server.
        tab.until("!document.querySelector('#save').hidden");
        let outcome = sitting.end();
        let expected = match outcome.winner {
            Some(Seat::B) => "You win",
            Some(_) => "You lose",
            None => "A draw",
        };
        assert_eq!(title, expected);
        let kept: String =
            tab.value("fetch(document.querySelector('#save').href).then((answer) => answer.text()).catch(String)");
        // The policy of the page does not allow to read it back; the link itself does.
        assert!(kept.contains("Failed to fetch") || kept.contains("<!doctype html>"), "{kept}");
    });
}

#[test]
fn a_person_plays_entelect_2017_by_keys_only() {
    plays_a_whole_match::<Entelect2017>(entelect_2017::Settings { size: MapSize::Small }, 1, Hand::Keys);
}

#[test]
fn a_person_plays_entelect_2017_by_touch() {
    plays_a_whole_match::<Entelect2017>(entelect_2017::Settings { size: MapSize::Small }, 1, Hand::Touch);
}

#[test]
fn a_person_plays_sea_battle_by_keys_only() {
    plays_a_whole_match::<SeaBattle>(sea_battle::Settings::default(), 2, Hand::Keys);
}

#[test]
fn a_person_plays_sea_battle_by_touch() {
    plays_a_whole_match::<SeaBattle>(sea_battle::Settings::default(), 2, Hand::Touch);
}

fn small_arena() -> bots_arena::Settings {
    bots_arena::Settings::new(5, 5, [0, 1, 1, 0, 0, 0]).unwrap()
}

#[test]
fn a_person_plays_bots_arena_by_keys_only() {
    plays_a_whole_match::<BotsArena>(small_arena(), 1, Hand::Keys);
}

#[test]
fn a_person_plays_bots_arena_by_touch() {
    plays_a_whole_match::<BotsArena>(small_arena(), 1, Hand::Touch);
}

#[test]
fn a_person_plays_salvo_by_keys_only() {
    plays_a_whole_match::<Salvo>(salvo::Settings::default(), 1, Hand::Keys);
}

#[test]
fn a_person_plays_salvo_by_touch() {
    plays_a_whole_match::<Salvo>(salvo::Settings::default(), 1, Hand::Touch);
}

/// Sends a body to the page's server as JSON, with these headers, and gives the status and the body of the answer.
fn post(link: &str, headers: &str, body: &str) -> (u16, String) {
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    let own = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
    let kind = if headers.contains("Content-Type:") { "" } else { "Content-Type: application/json\r\n" };
    let length = body.len();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /{path}order HTTP/1.1\r\n{own}{kind}Content-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
}

/// The number of the question to place a fleet that the page of a link is asked.
fn asked(link: &str) -> u64 {
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    let lines = Raw::ask(host, &format!("/{path}events"), "").until("data: {\"kind\":\"place\"");
    let question: Value = serde_json::from_str(lines.last().unwrap().trim_start_matches("data: ")).unwrap();
    question["number"].as_u64().unwrap()
}

#[test]
fn wrong_orders_get_a_reason_and_cost_nothing() {
    let sitting = Sitting::begin::<SeaBattle>(sea_battle::Settings::default(), &[BuiltIn::Random], 1);
    let link = &sitting.links[0];
    let number = asked(link);
    let reason = |act: &str| {
        let (status, answer) = post(link, "", &format!(r#"{{"ask":{number},{act}}}"#));
        let verdict: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((status, &verdict["ok"]), (200, &Value::Bool(false)), "{act}: {answer}");
        verdict["why"].as_str().unwrap().to_owned()
    };
    assert!(reason(r#""act":"fleet","ships":[]"#).contains("10 ships, not 0"));
    let far = r#"{"x":2147483647,"y":-2147483648,"vertical":true}"#;
    let all = |place: &str| format!(r#""act":"fleet","ships":[{}]"#, [place; 10].join(","));
    assert!(reason(&all(far)).contains("run off the board"));
    assert!(reason(&all(r#"{"x":0,"y":0,"vertical":false}"#)).contains("would lie on the"));
    assert!(reason(r#""act":"order","word":"fire","target":"A","x":0,"y":0"#).contains("are to be placed first"));
    assert!(reason(r#""act":"pass""#).contains("are to be placed first"));
    let (_, late) = post(link, "", r#"{"ask":1,"act":"random"}"#);
    assert!(late.contains("not asked any more"), "{late}");
    for (body, status) in [("", 400), ("{}", 400), (r#"{"ask":1,"act":"fly"}"#, 400), (&"x".repeat(20_000), 413)] {
        assert_eq!(post(link, "", body).0, status, "{:.40}", body);
    }

    // A fleet at random is offered, and taken when it is sent back.
    let (_, offered) = post(link, "", &format!(r#"{{"ask":{number},"act":"random"}}"#));
    let offered: Value = serde_json::from_str(&offered).unwrap();
    let placed = post(link, "", &format!(r#"{{"ask":{number},"act":"fleet","ships":{}}}"#, offered["ships"]));
    assert_eq!(placed, (200, r#"{"ok":true}"#.to_owned()));
    sitting.interrupt.raise();
    assert!(matches!(sitting.played.join().unwrap().0, Err(ArenaError::Interrupted)));
}

#[test]
fn only_the_link_leads_to_the_seat_and_other_sites_are_refused() {
    let sitting = Sitting::begin::<SeaBattle>(sea_battle::Settings::default(), &[BuiltIn::Random], 1);
    let link = &sitting.links[0];
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    assert_eq!(path.trim_end_matches('/').len(), 32);
    let get = |path: &str, headers: &str| Raw::ask(host, path, &format!("Connection: close\r\n{headers}")).rest();
    assert!(get(&format!("/{path}"), "").starts_with("HTTP/1.1 200 "));
    assert!(get(&format!("/{}", path.trim_end_matches('/')), "").starts_with("HTTP/1.1 303 "));
    let other = "0".repeat(32);
    for path in ["/", "/events", &format!("/{other}/"), &format!("/{other}/events"), &format!("/{path}match.html")] {
        assert!(get(path, "").starts_with("HTTP/1.1 404 "), "{path}");
    }
    let strange = "Host: battleship.example\r\n";
    assert!(get(&format!("/{path}events"), strange).starts_with("HTTP/1.1 403 "));
    let number = asked(link);
    let random = format!(r#"{{"ask":{number},"act":"random"}}"#);
    assert_eq!(post(link, strange, &random).0, 403);
    for site in ["Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n", "Origin: null\r\n"] {
        assert_eq!(post(link, site, &random).0, 403, "{site}");
    }
    assert_eq!(post(link, "Content-Type: text/plain\r\n", &random).0, 415);
    assert_eq!(post(link, "", &random).0, 200);
    sitting.interrupt.raise();
    sitting.played.join().unwrap().0.unwrap_err();
}

#[test]
fn a_match_that_breaks_off_is_told_to_the_page() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Entelect2017>(entelect_2017::Settings::default(), &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        sitting.interrupt.raise();
        person.tab.until("document.querySelector('#task-title').textContent === 'The match was not played to its end'");
        sitting.played.join().unwrap().0.unwrap_err();
        person.tab.assert_calm();
    });
}
