//! The analysis of a match while it is played: on the page of a live match, and in the log of spectators.

use super::one_match::{BRAINS, SEED, Watched, kinds, moment};
use crate::browser::Chromium;
use crate::matches::{about, analysed_match, first, players};
use crate::raw::Raw;
use analysis::{Analysed, Calibration, Facts, Fired, Layout, MatchAnalysis, TargetBoard};
use arena::{ArenaError, MatchEvent, Observer, Observers, Sequence, play};
use rules::entelect_2017::{Entelect2017, MapSize};
use rules::{
    Answer, AnswerRef, BySeat, Ending, Eye, Game, GameKind, Illegal, Listed, Look, Outcome, Part, Point, Reach, Scene,
    Seat, Seats, SetupError, Told,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use web::{EventLog, Live, Spectators};

fn analysis() -> MatchAnalysis {
    analysed_match(MapSize::Small, BRAINS, SEED).1
}

/// The probabilities to win, as the page has them beside the graph.
const SHARES: &str = "[...document.querySelectorAll('#win .values > span')].map((one) => one.textContent)";

#[test]
fn the_page_of_a_live_match_shows_the_analysis_up_to_the_moment() {
    let analysis = analysis();
    let shares = |at: usize| {
        let win = analysis.moments[at].win.as_ref().unwrap();
        let percent = (100.0 * win.seen[0]).round();
        vec![format!("A {percent} %"), format!("B {} %", 100.0 - percent)]
    };
    Chromium::run(|chromium| {
        let watched = Watched::start();
        let early = chromium.open(&watched.address);
        watched.reached.recv().unwrap();
        let late = chromium.open(&watched.address);
        for tab in [&early, &late] {
            moment(tab, 10);
            let before = tab.layout_shifts().len();
            tab.until(&format!("{SHARES}.toString() === '{}'", shares(10).join(",")));
            assert_eq!(tab.layout_shifts().len(), before, "nothing moves when the analysis comes");
            let drawn = "['seen', 'truth'].map((look) => document.querySelector(`#win .line.${look}`).points.length)";
            assert_eq!(tab.value::<[usize; 2]>(drawn), [10, 10]);
            tab.press("c");
            assert_eq!(tab.value::<usize>("document.querySelectorAll('.board .chances').length"), 2);
            tab.assert_accessible_in_both_themes();
        }
        // A player's eye knows neither the truth nor the other's chances.
        early.press("1");
        assert_eq!(early.value::<usize>("document.querySelector('#win .line.truth').points.length"), 0);
        assert_eq!(early.value::<usize>("document.querySelectorAll('.board .chances').length"), 1);

        let last = analysis.moments.len() - 1;
        let live = watched.go_on();
        moment(&late, last);
        late.until(&format!("{SHARES}.toString() === '{}'", shares(last).join(",")));
        live.finish();
        [early, late].iter().for_each(|tab| tab.assert_calm());
    });
}

#[test]
fn the_last_event_comes_after_the_whole_analysis() {
    let watched = Watched::start();
    watched.reached.recv().unwrap();
    let mut viewer = Raw::ask(&watched.address, "/events", "Connection: close\r\n");
    viewer.until("event: frame");
    let live = watched.go_on();
    // The log is closed once all is analysed.
    let told = viewer.rest();
    live.finish();
    let order: Vec<Option<usize>> = ["event: over", "event: end"].map(|event| told.rfind(event)).into();
    assert!(order[0] < order[1] && told.rfind("event: analysis") < order[1], "{told}");
    assert_eq!(told.matches("event: analysis").count(), analysis().moments.len());
}

/// The current events of this kind in a log.
fn told(log: &EventLog, kind: &str) -> Vec<Value> {
    let events = log.current_data().into_iter().filter(|(of, _)| *of == kind);
    events.map(|(_, data)| serde_json::from_str(&data).unwrap()).collect()
}

/// Looks at the log of spectators before a turn, once everything before it is analysed.
struct Before<'a>(u32, &'a EventLog, Vec<Value>);

impl Observer<Entelect2017> for Before<'_> {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        if matches!(event, MatchEvent::Opened { turn, .. } if *turn == self.0) {
            while self.2.len() <= self.0 as usize {
                thread::yield_now();
                self.2 = told(self.1, "analysis");
            }
        }
        Ok(())
    }
}

#[test]
fn spectators_get_what_all_may_know_and_the_rest_when_the_match_is_over() {
    let game = first(MapSize::Small);
    let log = Arc::new(EventLog::new());
    let about = about(["one", "two"]);
    let mut spectators = Spectators::begin(Arc::clone(&log), 1, &game, about, vec![Eye::Everyone]).analysed(&game);
    let mut before = Before(10, &log, Vec::new());
    let mut watch = Observers::new();
    watch.add(&mut spectators);
    watch.add(&mut before);
    play(game, &mut players(BRAINS, SEED), Sequence::InTurn, &mut watch).unwrap();
    let has = |views: &[Value], key: &str| views.iter().filter(|view| view.get(key).is_some()).count();
    let running = before.2;
    assert_eq!(["seen", "truth", "heat"].map(|key| has(&running, key)), [10, 0, 0]);

    let log = Arc::clone(&log);
    spectators.finish(None);
    while told(&log, "end").is_empty() {
        thread::yield_now();
    }
    let whole = told(&log, "analysis");
    let analysis = analysis();
    assert_eq!(whole.len(), analysis.moments.len());
    let known = analysis.moments.iter().filter(|moment| moment.win.is_some()).count();
    assert_eq!(["seen", "truth"].map(|key| has(&whole, key)), [known, known]);
    assert!(has(&whole, "heat") > 10);
    let order: Vec<u64> = whole.iter().map(|view| view["moment"].as_u64().unwrap()).collect();
    assert!(order.iter().enumerate().all(|(at, moment)| at as u64 == *moment), "{order:?}");
}

/// A game with turns so large that no connection can buffer them, and whose analysis fails: only it asks for the scene of everyone.
#[derive(Clone, Serialize, Deserialize)]
struct Talkative(u32);

impl Talkative {
    const TURNS: u32 = 24;
    /// The size of a turn, in bytes.
    const WORDS: usize = 1 << 20;
}

impl Game for Talkative {
    type Settings = ();
    type View = ();
    type Order = ();
    type Event = ();
    const KIND: GameKind = GameKind::Entelect2017;
    const SEATS: RangeInclusive<u8> = 0..=2;

    fn start((): &(), _: u8, _: u64) -> Result<Talkative, SetupError> {
        Ok(Talkative(0))
    }

    fn awaited(&self) -> Seats {
        Seats::NONE
    }

    fn view(&self, _: Seat) {}

    fn check(&self, _: Seat, (): &()) -> Result<(), Illegal> {
        Ok(())
    }

    fn step<'a>(&mut self, _: impl Fn(Seat) -> AnswerRef<'a, ()>) -> &[Told<()>] {
        self.0 += 1;
        &[]
    }

    fn outcome(&self) -> Option<Outcome> {
        let ending = Ending::RoundLimit { rounds: Talkative::TURNS };
        let points = BySeat::from_iter([0, 0]);
        let over = Outcome {
            winner: None,
            ranking: vec![Seat::A, Seat::B],
            points,
            scoring: Default::default(),
            ending,
            turns: self.0,
        };
        (self.0 == Talkative::TURNS).then_some(over)
    }

    fn scene(&self, eye: Eye) -> Scene {
        assert_ne!(eye, Eye::Everyone, "the analysis fails");
        Scene { title: "x".repeat(Talkative::WORDS), ..Scene::default() }
    }
}

impl Listed for Talkative {
    const REACH: Reach = Reach::Program;
    const ANSWER_PARTS: &'static [&'static str] = &[];

    fn read(&self, _: &[Part]) -> Answer<()> {
        Ok(())
    }

    fn write((): &()) -> Vec<Part> {
        Vec::new()
    }

    fn refused((): &()) -> Option<Seat> {
        None
    }

    fn fired((): &()) -> Option<(Seat, bool)> {
        None
    }

    fn look() -> Look {
        Entelect2017::look()
    }
}

impl Analysed for Talkative {
    const CALIBRATION: Calibration = Entelect2017::CALIBRATION;

    fn targets(_: Seat, (): &()) -> Vec<TargetBoard> {
        Vec::new()
    }

    fn layout((): &()) -> Layout {
        unreachable!("there are no ships")
    }

    fn facts((): &(), _: &Layout) -> Facts {
        unreachable!("there are no ships")
    }

    fn fired(_: Seat, (): &(), _: &[Told<()>]) -> Option<Fired> {
        None
    }

    fn aims((): &(), _: &Fired) -> Vec<Vec<usize>> {
        Vec::new()
    }

    fn fleet(&self, _: Seat) -> Vec<(usize, Vec<Point>)> {
        Vec::new()
    }

    fn ship_name((): &(), _: usize) -> String {
        String::new()
    }
}

#[test]
fn an_analysis_that_fails_is_not_the_fault_of_the_match() {
    let game = Talkative(0);
    let mut live = Live::start(&game, &about(["one", "two"]), 0).unwrap();
    let mut viewer = Raw::ask(&live.url(), "/events", "Connection: close\r\n");
    viewer.until("event: setup");
    play(game, &mut BySeat::from_iter([]), Sequence::InTurn, &mut live).unwrap();
    let reading = thread::spawn(move || viewer.rest());
    live.finish();
    let told = reading.join().unwrap();
    assert!(told.contains(r#""finished":true"#) && told.contains("event: end") && !told.contains("event: analysis"));
}

#[test]
fn a_viewer_that_never_reads_does_not_delay_the_match() {
    let game = Talkative(0);
    let mut live = Live::start(&game, &about(["one", "two"]), 0).unwrap();
    let mut stuck = Raw::ask(&live.url(), "/events", "");
    // The viewer is connected, and reads no more from here on.
    stuck.until("event: setup");
    let nobody = &mut BySeat::from_iter([]);
    play(game, nobody, Sequence::InTurn, &mut live).unwrap();

    // Another viewer gets everything meanwhile.
    let mut other = Raw::ask(&live.url(), "/events", "");
    let told = other.until("event: over");
    assert_eq!(kinds(&told).len(), Talkative::TURNS as usize + 3);
    // The viewer does not delay the end either. One that reads nothing at all would be disconnected after half a minute.
    let (end, ended) = channel();
    thread::spawn(move || {
        live.finish();
        // The test may have failed.
        let _ = end.send(());
    });
    let has_ended = (0..20).any(|_| {
        let has_ended = ended.recv_timeout(Duration::from_secs(5)).is_ok();
        stuck.read_a_little();
        has_ended
    });
    assert!(has_ended);
}
