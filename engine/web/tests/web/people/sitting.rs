//! Matches with people in a browser, and the hands of a person at a page.

use crate::browser::{Chromium, Tab};
use crate::matches::about;
use crate::raw::Raw;
use arena::record::{Clock, Header, Record, RecordBuffer, RecordedSeat};
use arena::{ArenaError, Interrupt, Observers, Players, Sequence, play};
use match_folder::{OpenedRecord, verify};
use players::{BuiltIn, PersonGame, WithBuiltIns};
use rules::{Outcome, PlayerInfo, Seat};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use web::{About, PersonServer, PersonWatch, WebPerson};

pub(crate) const SEED: u64 = 5;

/// A match with people that is being played.
pub(crate) struct Sitting {
    pub(crate) links: Vec<String>,
    pub(crate) interrupt: Interrupt,
    pub(crate) played: JoinHandle<(Result<Outcome, ArenaError>, Vec<u8>)>,
}

impl Sitting {
    /// A match of built-in players, and behind them people.
    pub(crate) fn begin<G: PersonGame + WithBuiltIns>(
        settings: G::Settings,
        built_ins: &[BuiltIn],
        people: usize,
    ) -> Sitting {
        let table = PersonServer::open((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
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
        let mut watch = PersonWatch::begin(&game, about, seated.take(people).collect());
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
            (outcome, record.lines())
        });
        Sitting { links, interrupt, played }
    }

    /// The outcome. The record of the match holds up.
    pub(crate) fn end(self) -> Outcome {
        let (outcome, lines) = self.played.join().unwrap();
        let record = Record::parse(Path::new("match.jsonl"), lines).unwrap();
        verify(&OpenedRecord { record: Arc::new(record), rounds: None }).unwrap();
        outcome.unwrap()
    }
}

/// The way in which a person uses the page.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Hand {
    Keys,
    Touch,
}

/// A person at a page.
pub(crate) struct Person<'a> {
    pub(crate) tab: Tab<'a>,
    hand: Hand,
    /// Columns and rows of the boards.
    size: (i32, i32),
    from_top: bool,
}

/// The answers to questions so far.
pub(crate) const ASKED: &str = "[document.body.dataset.asked, document.body.dataset.question ?? ''].join()";

impl<'a> Person<'a> {
    pub(crate) fn open(chromium: &'a Chromium, link: &str, hand: Hand) -> Person<'a> {
        let tab = chromium.open(link);
        // Alone, nobody places a fleet.
        tab.until("['place', 'order'].includes(document.body.dataset.asked)");
        let (width, height) = tab.value(
            "[document.querySelectorAll('.own .row:first-child .choice').length, \
             document.querySelectorAll('.own .row').length]",
        );
        let from_top = tab.value("document.querySelector('.own .choice').dataset.y === '0'");
        Person { tab, hand, size: (width, height), from_top }
    }

    pub(crate) fn press_button(&self, selector: &str) {
        match self.hand {
            Hand::Touch => self.tab.tap(selector),
            Hand::Keys => {
                self.tab.reach(selector);
                self.tab.press("Enter");
            }
        }
    }

    /// Chooses a cell of a board.
    pub(crate) fn choose(&self, board: &str, (x, y): (i32, i32)) {
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
    pub(crate) fn place(&self, stride: i32) {
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

    /// Loads the page again.
    pub(crate) fn reload(&self) {
        let _: String = self.tab.value("document.body.dataset.old = 'old'");
        self.tab.command("Page.reload", json!({}));
        self.tab.arrive("'ready' in document.body.dataset && !('old' in document.body.dataset)");
    }

    pub(crate) fn is_over(&self) -> bool {
        self.tab.value("document.body.dataset.asked === 'over'")
    }

    pub(crate) fn wait_for_turn(&self) {
        self.tab.until("['order', 'over'].includes(document.body.dataset.asked)");
    }

    /// Fires at one cell after the other until the match is over: first at those of which nothing is known.
    pub(crate) fn fire_at_all(&self) {
        self.fire(usize::MAX);
        assert!(self.is_over());
    }

    /// Fires so many shots, or until the match is over.
    pub(crate) fn fire(&self, most: usize) {
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
            // A cell of a salvo that is chosen again is left out.
            let is_salvo: bool = self.tab.value("!document.querySelector('#fire').hidden");
            if is_salvo {
                self.press_button("#fire");
            }
            self.tab.until(&format!("{ASKED} !== '{asked}' || document.querySelector('#reason').textContent !== ''"));
            if self.tab.value::<String>(ASKED) == asked {
                // A shot at a cell that was fired at before is asked for twice.
                if is_salvo {
                    self.press_button("#fire");
                } else {
                    self.choose(".target", at);
                }
                self.tab.until(&format!("{ASKED} !== '{asked}'"));
            }
        }
    }
}

/// The frames and the setup that the page of a link gets up to its present question.
pub(crate) fn told(link: &str) -> Vec<Value> {
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    let lines = Raw::ask(host, &format!("/{path}events"), "").until("event: ask");
    // The first is the time of the server.
    let data = lines.iter().filter_map(|line| line.strip_prefix("data: ")).skip(1);
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// Sends a body to the page's server as JSON, with these headers, and gives the status and the body of the answer.
pub(crate) fn post(link: &str, headers: &str, body: &str) -> (u16, String) {
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
pub(crate) fn asked(link: &str) -> u64 {
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    let lines = Raw::ask(host, &format!("/{path}events"), "").until("data: {\"kind\":\"place\"");
    let question: Value = serde_json::from_str(lines.last().unwrap().trim_start_matches("data: ")).unwrap();
    question["number"].as_u64().unwrap()
}
