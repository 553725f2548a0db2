//! The live view, watched by real browsers and by raw connections.

use crate::browser::{Chromium, Tab};
use crate::matches::{Brain, about, first, match_history, players};
use crate::raw::Raw;
use arena::{ArenaError, Interrupt, MatchEvent, MatchHistory, Observer, Observers, Sequence, play};
use rules::entelect_2017::{Entelect2017, MapSize};
use rules::{Eye, Scene};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;
use web::{Live, LiveError};

pub(crate) const BRAINS: [Brain; 2] = [Brain::Hunter, Brain::Wild];
pub(crate) const SEED: u64 = 4;

/// Halts the match before a turn until it may go on.
struct Gate {
    turn: u32,
    reached: Sender<()>,
    open: Receiver<()>,
}

impl Observer<Entelect2017> for Gate {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        if matches!(event, MatchEvent::Opened { turn, .. } if *turn == self.turn) {
            self.reached.send(()).unwrap();
            self.open.recv().unwrap();
        }
        Ok(())
    }
}

/// A match that is watched. It halts before turn 10.
pub(crate) struct Watched {
    pub(crate) address: String,
    pub(crate) reached: Receiver<()>,
    open: Sender<()>,
    thread: thread::JoinHandle<Live<Entelect2017>>,
}

impl Watched {
    pub(crate) fn start() -> Watched {
        let game = first(MapSize::Small);
        let mut live = Live::start(&game, &about(["one", "two"]), 0).unwrap();
        let address = live.url();
        let (reached, has_reached) = channel();
        let (open, may_open) = channel();
        let mut gate = Gate { turn: 10, reached, open: may_open };
        let thread = thread::spawn(move || {
            let mut watch = Observers::new();
            watch.add(&mut live);
            watch.add(&mut gate);
            play(game, &mut players(BRAINS, SEED), Sequence::InTurn, &mut watch).unwrap();
            live
        });
        Watched { address, reached: has_reached, open, thread }
    }

    pub(crate) fn go_on(self) -> Live<Entelect2017> {
        self.open.send(()).unwrap();
        self.thread.join().unwrap()
    }
}

pub(crate) fn moment(tab: &Tab, at: usize) {
    tab.until(&format!("document.body.dataset.moment === '{at}'"));
}

fn deeds(tab: &Tab) -> Vec<String> {
    tab.value("[...document.querySelectorAll('.deed')].map((deed) => deed.textContent)")
}

fn deeds_of(scene: &Scene) -> Vec<String> {
    scene.boards.iter().map(|board| rules::printable(&board.deed)).collect()
}

#[test]
fn viewers_follow_the_match_come_late_and_look_back() {
    let history = match_history(MapSize::Small, BRAINS, SEED);
    let last = history.scenes() - 1;
    assert!(last > 12);
    Chromium::run(|chromium| {
        let watched = Watched::start();
        let early = chromium.open(&watched.address);
        watched.reached.recv().unwrap();
        moment(&early, 10);
        let late = chromium.open(&watched.address);
        moment(&late, 10);
        assert_eq!(deeds(&late), deeds_of(&history.scene(10, Eye::Referee)));

        // One viewer steps back; the other follows.
        early.press("ArrowLeft");
        moment(&early, 9);
        early.until("document.querySelector('#live').ariaPressed === 'false'");
        let live = watched.go_on();
        moment(&late, last);
        assert_eq!(deeds(&late), deeds_of(&history.scene(last, Eye::Referee)));
        late.until("!document.querySelector('#banner').hidden");
        early.until(&format!("document.querySelector('#scrubber').max === '{last}'"));
        moment(&early, 9);

        // The pages work after the server has ended.
        live.finish();
        for tab in [&early, &late] {
            tab.until("document.querySelector('#live').hidden && document.querySelector('#connection').hidden");
            tab.press("End");
            moment(tab, last);
            tab.press("Home");
            moment(tab, 0);
            assert!(tab.requests().iter().all(|address| address.starts_with("http://127.0.0.1:")));
            tab.assert_calm();
        }
    });
}

#[test]
fn the_button_leads_back_to_the_present() {
    Chromium::run(|chromium| {
        let watched = Watched::start();
        watched.reached.recv().unwrap();
        let tab = chromium.open(&format!("{}#round=3", watched.address));
        moment(&tab, 4);
        tab.click("#live");
        moment(&tab, 10);
        let live = watched.go_on();
        tab.until("document.body.dataset.moment > 10 && !document.querySelector('#banner').hidden");
        live.finish();
        tab.assert_calm();
    });
}

fn ids(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("id: ")).collect()
}

/// The kinds of the events of the match itself.
pub(crate) fn kinds(lines: &[String]) -> Vec<&str> {
    // Each connection begins with the time of the server, and the analysis comes when it comes.
    let others = ["now", "analysis", "end"];
    lines.iter().filter_map(|line| line.strip_prefix("event: ")).filter(|kind| !others.contains(kind)).collect()
}

#[test]
fn an_interrupted_viewer_is_told_the_rest() {
    let watched = Watched::start();
    watched.reached.recv().unwrap();
    let address = watched.address.clone();
    let mut raw = Raw::ask(&address, "/events", "");
    let mut told = raw.until("event: now");
    // The setup, the first scene and the ten after it.
    for _ in 0..11 {
        told.extend(raw.until("event: frame"));
    }
    assert_eq!(kinds(&told)[..2], ["setup", "frame"]);
    let id = (*ids(&told).last().unwrap()).to_owned();
    drop(raw);

    let live = watched.go_on();
    let headers = |id: &str| format!("Last-Event-ID: {id}\r\nConnection: close\r\n");
    let rest = Raw::ask(&address, "/events", &headers(&id)).until("event: over");
    let frames = match_history(MapSize::Small, BRAINS, SEED).scenes();
    assert_eq!(kinds(&rest).len(), frames - 11 + 1);
    assert!(!kinds(&rest).contains(&"setup"));

    // An id that is not one of its events means nothing to the server: it sends everything.
    let (mark, at) = id.split_once('.').unwrap();
    for id in ["", "7", &format!("0.{at}"), &format!("{mark}.x"), &format!("{mark}.0.x"), &format!("{mark}.9{at}")] {
        let told = Raw::ask(&address, "/events", &headers(id)).until("event: frame");
        assert_eq!(kinds(&told)[0], "setup", "{id}");
    }
    live.finish();
}

#[test]
fn the_page_to_keep_can_be_had_at_any_time() {
    let watched = Watched::start();
    watched.reached.recv().unwrap();
    let address = watched.address.clone();
    let ask = || Raw::ask(&address, "/match.html", "Connection: close\r\n").rest();
    assert!(ask().contains(r#""over":{"finished":false}"#));
    let live = watched.go_on();
    let kept = ask();
    assert!(kept.contains(r#""over":{"finished":true,"#) && kept.contains("connect-src 'none'"));
    live.finish();
}

#[test]
fn other_sites_are_refused() {
    let live = Live::start(&first(MapSize::Small), &about(["one", "two"]), 0).unwrap();
    for path in ["/", "/events", "/match.html"] {
        let answer = Raw::ask(&live.url(), path, "Host: battleship.example\r\nConnection: close\r\n").rest();
        assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    }
    let answer = Raw::ask(&live.url(), "/match.html", "Host: localhost\r\nConnection: close\r\n").rest();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let lower = answer.to_lowercase();
    assert!(lower.contains("frame-ancestors 'none'") && !lower.contains("access-control"), "{answer}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let game = first(MapSize::Small);
    let live = Live::start(&game, &about(["one", "two"]), 0).unwrap();
    let port = live.url().trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
    let error = Live::start(&game, &about(["one", "two"]), port).unwrap_err();
    assert!(matches!(error, LiveError::Address { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("cannot show the match at 127.0.0.1:{port}: ")), "{error}");
}

#[test]
fn a_match_that_breaks_off_is_told_as_unfinished() {
    let live = Live::start(&first(MapSize::Small), &about(["one", "two"]), 0).unwrap();
    let mut raw = Raw::ask(&live.url(), "/events", "Connection: close\r\n");
    raw.until("event: frame");
    drop(live);
    assert!(raw.rest().contains(r#"data: {"finished":false}"#));
}

#[test]
fn waiting_for_viewers_stops_when_it_is_to_stop() {
    let live = Live::start(&first(MapSize::Small), &about(["one", "two"]), 0).unwrap();
    // To load the page is not to watch.
    assert!(Raw::ask(&live.url(), "/", "Connection: close\r\n").rest().starts_with("HTTP/1.1 200 "));
    let interrupt = Interrupt::new().unwrap();
    interrupt.raise();
    assert!(!live.wait_for_viewers(&interrupt));
    live.finish();
}

#[test]
fn a_first_viewer_is_waited_for_if_asked() {
    let live = Live::start(&first(MapSize::Small), &about(["one", "two"]), 0).unwrap();
    let address = live.url();
    let finishing = thread::spawn(move || {
        assert!(live.wait_for_viewers(&Interrupt::new().unwrap()));
        live.finish();
    });
    let told = Raw::ask(&address, "/events", "Connection: close\r\n").rest();
    assert!(told.contains("event: over"));
    finishing.join().unwrap();
}

/// Calls a function after each turn.
struct AfterTurn<F>(F);

impl<F: FnMut()> Observer<Entelect2017> for AfterTurn<F> {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        if let MatchEvent::Advanced { .. } = event {
            (self.0)();
        }
        Ok(())
    }
}

#[test]
fn a_match_waits_while_a_moment_is_shown() {
    let interrupt = Interrupt::new().unwrap();
    let game = first(MapSize::Small);
    let live = Live::start(&game, &about(["one", "two"]), 0).unwrap();
    let mut live = live.with_pace(Duration::from_secs(3600), &interrupt);
    let address = live.url();
    let mut viewer = Raw::ask(&address, "/events", "");
    assert!(live.wait_for_viewers(&interrupt));
    let (turn, turned) = channel();
    let seen = interrupt.clone();
    let playing = thread::spawn(move || {
        let mut before = AfterTurn(|| turn.send(()).unwrap());
        let mut after = AfterTurn(|| assert!(seen.is_raised(), "the match went on within an hour"));
        let mut watch = Observers::new();
        watch.add(&mut before);
        watch.add(&mut live);
        watch.add(&mut after);
        play(game, &mut players(BRAINS, SEED), Sequence::InTurn, &mut watch).unwrap();
        live
    });
    turned.recv().unwrap();
    let so_far = Raw::ask(&address, "/match.html", "Connection: close\r\n").rest();
    assert_eq!(so_far.matches(r#"{"titles":"#).count(), 1, "only the start is shown");
    interrupt.raise();
    let told = viewer.until("event: over");
    assert_eq!(kinds(&told).len(), match_history(MapSize::Small, BRAINS, SEED).scenes() + 2);
    playing.join().unwrap().finish();
}
