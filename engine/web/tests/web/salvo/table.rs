//! The page of a match of Salvo while it is played: cards, the turn with its clock, the race, who sank whom, and words.

use crate::browser::{Chromium, SavedPage, Tab};
use crate::raw::Raw;
use crate::tables::{FOUR, Held, LIMIT, played, stopped, table};
use arena::MatchEvent;
use rules::salvo::{Event, Salvo};
use rules::{Eye, Game, Seat};
use serde_json::json;

const SIXTEEN: [&str; 16] = [
    "Ann",
    "a name as long as the server takes it",
    "Cardinal Crew",
    "D",
    "Eve",
    "Foghorn",
    "Gunners",
    "Hai",
    "Ixtapa",
    "Jolly Rogers",
    "Kraken",
    "Left Eye",
    "Moby",
    "Nemo",
    "Orca",
    "Pinafore",
];

/// The words of elements, in order.
#[track_caller]
fn words(tab: &Tab, selector: &str) -> Vec<String> {
    let text = "one.textContent.replace(/\\s+/g, ' ').trim()";
    tab.value(&format!("[...document.querySelectorAll({selector:?})].map((one) => {text})"))
}

#[track_caller]
fn is_visible(tab: &Tab, selector: &str) -> bool {
    tab.value(&format!("document.querySelector({selector:?}).checkVisibility()"))
}

/// Waits until the page shows the moment before this turn.
#[track_caller]
fn until_turn(tab: &Tab, turn: u32) {
    tab.until(&format!("document.body.dataset.moment === '{turn}'"));
}

/// Loads the page again and waits until it has caught up.
#[track_caller]
fn load_again(tab: &Tab, url: &str, turn: u32) {
    tab.command("Page.navigate", json!({ "url": "about:blank" }));
    tab.command("Page.navigate", json!({ "url": url }));
    tab.arrive(&format!("'ready' in document.body.dataset && document.body.dataset.moment === '{turn}'"));
}

/// The ships of a seat as its card lists them: those afloat, then the others as they sank, with the seats that sank them.
fn fleet(game: &Salvo, seat: Seat) -> Vec<String> {
    let scene = game.scene(Eye::Everyone);
    let fleet = &scene.boards[seat.index()].fleet;
    let afloat = fleet.iter().filter(|ship| !ship.sunk).map(|ship| format!("{} afloat", ship.name.to_lowercase()));
    let sunk = scene.sinkings.iter().filter(|sinking| sinking.target == seat).map(|sinking| {
        let ship = fleet.iter().find(|ship| ship.letter == sinking.letter).unwrap();
        format!("{} sunk by {}", ship.name.to_lowercase(), sinking.by)
    });
    afloat.chain(sunk).collect()
}

/// Fails unless the page shows all that everyone may know of this state.
#[track_caller]
fn assert_shows(tab: &Tab, game: &Salvo) {
    let scene = game.scene(Eye::Everyone);
    let seats: Vec<Seat> = scene.boards.iter().map(|board| board.seat).collect();
    for seat in &seats {
        let card = format!(".card[data-seat={seat}]");
        assert_eq!(words(tab, &format!("{card} .fleet li")), fleet(game, *seat));
        let stats = game.stats()[*seat];
        assert_eq!(words(tab, &format!("{card} dd")), [stats.shots.to_string(), stats.hits.to_string()]);
    }
    let mover = scene.mover.unwrap();
    assert!(words(tab, "#turn .whose")[0].starts_with(mover.seat.letter()));
    assert!(words(tab, ".pips")[0].starts_with(&format!("{} of {} shot", mover.left, mover.shots)));
    assert_eq!(tab.value::<usize>("document.querySelectorAll('.pips .loaded').length"), usize::from(mover.left));
    let count = |by: Seat, target: Seat| {
        let found = scene.sinkings.iter().filter(|sinking| (sinking.by, sinking.target) == (by, target)).count();
        if by == target {
            "itself".to_owned()
        } else if found == 0 {
            "·".to_owned()
        } else {
            found.to_string()
        }
    };
    let matrix: Vec<String> = seats.iter().flat_map(|by| seats.iter().map(|target| count(*by, *target))).collect();
    assert_eq!(words(tab, ".matrix tbody td"), matrix);
    let mut race: Vec<(u32, Seat)> = seats.iter().map(|seat| (game.stats()[*seat].hits, *seat)).collect();
    race.sort_by_key(|(hits, seat)| (std::cmp::Reverse(*hits), *seat));
    let places: Vec<usize> = tab.value(
        "[...document.querySelectorAll('.runners li')].map((one) => Number(one.style.getPropertyValue('--place')))",
    );
    let shown: Vec<Seat> =
        (0..seats.len()).map(|place| seats[places.iter().position(|one| *one == place).unwrap()]).collect();
    assert_eq!(shown, race.iter().map(|(_, seat)| *seat).collect::<Vec<_>>());
}

#[test]
fn the_table_shows_what_all_may_know_and_the_boards_turn_over_at_the_end() {
    let game = Held::begin(&FOUR, 5, &[150, 203, 263]);
    Chromium::run(|chromium| {
        let state = game.held();
        let tab = chromium.open(&game.url);
        tab.resize(1920, 1080);
        until_turn(&tab, 150);
        assert_shows(&tab, &state);
        game.go_on();
        let state = game.held();
        until_turn(&tab, 203);
        assert_shows(&tab, &state);
        assert!(!is_visible(&tab, ".deck") && is_visible(&tab, "#table"));
        let table = || words(&tab, "#table > :not(#turn)");
        let before = table();
        load_again(&tab, &game.url, 203);
        assert_eq!(table(), before);
        assert_shows(&tab, &state);
        for scheme in ["light", "dark"] {
            tab.prefers(&[("prefers-color-scheme", scheme)]);
            tab.assert_accessible();
        }

        // A step back shows the past without the clock, and a step forward the same as before.
        assert_ne!(words(&tab, ".seconds"), [""]);
        tab.press("ArrowLeft");
        until_turn(&tab, 202);
        assert_eq!(words(&tab, ".seconds"), [""]);
        tab.press("l");
        until_turn(&tab, 203);
        assert_eq!(table(), before);

        let shifts = tab.layout_shifts().len();
        game.go_on();
        let state = game.held();
        until_turn(&tab, 263);
        assert_shows(&tab, &state);
        assert_eq!(tab.layout_shifts()[shifts..], [], "nothing moves while the match goes on");

        // The page to keep needs no server.
        let kept = Raw::ask(&game.url, "/match.html", "Connection: close\r\n").rest();
        let kept = SavedPage::new(kept.split_once("\r\n\r\n").unwrap().1);
        let saved = chromium.open(&kept.address("#turn=262"));
        until_turn(&saved, 263);
        assert_eq!(words(&saved, "#turn"), ["The match was not played to its end"]);
        assert_eq!(words(&saved, ".card .fleet li"), words(&tab, ".card .fleet li"));
        assert_eq!(words(&saved, ".words li"), words(&tab, ".words li"));
        saved.assert_calm();

        game.go_on();
        let (table, outcome) = game.ended();
        tab.until("!document.querySelector('#banner').hidden");
        until_turn(&tab, outcome.turns);
        assert!(is_visible(&tab, ".deck") && !is_visible(&tab, "#table"));
        assert!(tab.value::<bool>("document.querySelector('#boards').classList.contains('uncovering')"));
        let animation = "getComputedStyle(document.querySelector('.board')).animationName";
        assert_eq!(tab.value::<String>(animation), "turn-over");
        tab.prefers(&[("prefers-reduced-motion", "reduce")]);
        assert_eq!(tab.value::<String>(animation), "none");
        // Now it is known who shot at whom.
        assert_eq!(words(&tab, ".matrix h2"), ["Who shot at whom"]);
        let shots: u32 = words(&tab, ".matrix tbody td").iter().filter_map(|text| text.parse::<u32>().ok()).sum();
        let fired: u32 = words(&tab, ".board .facts div")
            .iter()
            .filter_map(|fact| fact.strip_prefix("shots")?.parse::<u32>().ok())
            .sum();
        assert!(shots > 300 && shots == fired, "{shots} {fired}");
        tab.assert_accessible();
        tab.assert_calm();
        // Whoever comes after the end sees the boards at once.
        load_again(&tab, &table.url(), outcome.turns);
        assert!(is_visible(&tab, ".deck"));
        assert!(!tab.value::<bool>("document.querySelector('#boards').classList.contains('uncovering')"));
    });
}

#[test]
fn the_clock_runs_and_a_late_viewer_sees_the_rest_of_it() {
    let mut table = table();
    stopped(&mut table, &FOUR, 5, 60);
    Chromium::run(|chromium| {
        let tab = chromium.open(&table.url());
        until_turn(&tab, 60);
        let seconds = "Number(document.querySelector('.seconds b')?.textContent ?? 99)";
        tab.until(&format!("{seconds} < 29"));
        let left = "Number(document.querySelector('.bar-left').style.getPropertyValue('--left'))";
        let before: f64 = tab.value(left);
        assert!(before > 0.0 && before < 1.0, "{before}");
        load_again(&tab, &table.url(), 60);
        tab.until(&format!("{seconds} < 99"));
        assert!(tab.value::<f64>(seconds) < 29.0);
        tab.until(&format!("{left} < {before}"));
        // The next player has a clock of its own.
        table.clock(Seat::new(15).unwrap(), LIMIT);
        tab.until("document.querySelector('.seconds').textContent === ''");
        tab.assert_calm();
    });
}

#[test]
fn nothing_moves_on_a_phone_while_the_match_goes_on() {
    let game = Held::begin(&FOUR, 5, &[20, 120]);
    Chromium::run(|chromium| {
        game.held();
        let tab = chromium.open(&game.url);
        tab.resize(390, 844);
        until_turn(&tab, 20);
        // Behind the controls nothing counts.
        tab.value::<u8>(
            "(document.querySelector('.matrix').scrollIntoView({ behavior: 'instant', block: 'center' }), 0)",
        );
        let shifts = tab.layout_shifts().len();
        game.go_on();
        let state = game.held();
        until_turn(&tab, 120);
        assert_shows(&tab, &state);
        assert_eq!(tab.layout_shifts()[shifts..], []);
        println!("{:.0} frames a second", tab.frames_per_second(60));
        game.go_on();
        game.ended();
    });
}

/// The lines that the list must have for the salvos of a match, first to last.
#[derive(Default)]
struct Story {
    lines: Vec<String>,
    sank: Vec<String>,
    out: Vec<String>,
}

impl Story {
    fn hear(&mut self, event: &MatchEvent<'_, Salvo>, names: &[&str]) {
        let name = |seat: Seat| names[seat.index()];
        let MatchEvent::Advanced { told, .. } = event else { return };
        let count = |number: u8, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        for told in *told {
            match &told.event {
                Event::Sunk { target, ship, .. } => self.sank.push(format!("{}’s {ship}", name(*target))),
                Event::Defeated { seat } => self.out.push(format!("; {} is out", name(*seat))),
                Event::SalvoOver { seat, shots, hits } => {
                    let sank = std::mem::take(&mut self.sank).join(", ");
                    let sank = if sank.is_empty() { sank } else { format!(", sank {sank}") };
                    let out = std::mem::take(&mut self.out).concat();
                    let (shots, hits) = (count(*shots, "shot"), count(*hits, "hit"));
                    self.lines.push(format!("{seat}{}: {shots}, {hits}{sank}{out}", name(*seat)));
                }
                Event::Turn { seat, .. } if self.lines.is_empty() => {
                    self.lines.push(format!("{seat}{} begins", name(*seat)));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn each_salvo_is_a_line_in_words() {
    let mut table = table();
    let mut story = Story::default();
    let mut totals = 0;
    let stop = |event: &MatchEvent<'_, Salvo>| {
        story.hear(event, &FOUR);
        totals = story.lines.len();
        // A little later than the last sinking of a fleet, and before the list is cut.
        match event {
            MatchEvent::Opened { turn: 239, .. } => Err(arena::ArenaError::Interrupted),
            _ => Ok(()),
        }
    };
    played(&mut table, &FOUR, 5, stop).unwrap_err();
    assert!(story.lines.iter().any(|line| line.contains(", sank <b>Bob</b>’s ")), "{:?}", story.lines);
    Chromium::run(|chromium| {
        let tab = chromium.open(&table.url());
        until_turn(&tab, 239);
        let shown = words(&tab, ".words li");
        let expected: Vec<&String> = story.lines.iter().rev().take(60).collect();
        assert_eq!(shown.iter().collect::<Vec<_>>(), expected);
        assert_eq!(tab.value::<usize>("document.querySelectorAll('#table b b').length"), 0, "names are text");
        tab.assert_calm();
    });
}

#[test]
fn the_table_fills_a_screen_and_fits_a_phone() {
    for (names, turn) in [(&SIXTEEN[..2], 70), (&FOUR[..], 203), (&SIXTEEN[..9], 300), (&SIXTEEN[..], 700)] {
        let mut table = table();
        stopped(&mut table, names, 5, turn);
        Chromium::run(|chromium| {
            let tab = chromium.open(&table.url());
            for (width, height) in [(1920, 1080), (1280, 800), (390, 844)] {
                let teams = names.len();
                tab.resize(width, height);
                until_turn(&tab, turn);
                let wide: u32 = tab.value("document.documentElement.scrollWidth");
                assert!(wide <= width, "{teams} teams: {wide} of {width}");
                let cut: Vec<String> = tab.value(
                    "[...document.querySelectorAll('.card, .matrix, #turn')].filter((one) => one.checkVisibility() \
                     && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1))\
                     .map((one) => `${one.className} ${one.scrollHeight} ${one.clientHeight} ${one.scrollWidth} ${one.clientWidth}`)",
                );
                assert_eq!(cut, Vec::<String>::new(), "{teams} teams at {width}");
                if width == 390 {
                    continue;
                }
                let high: u32 = tab.value("document.documentElement.scrollHeight");
                assert!(high <= height, "{teams} teams: {high} of {height}");
                let free: f64 = tab.value(
                    "document.querySelector('.transport').getBoundingClientRect().top - \
                     document.querySelector('#table').getBoundingClientRect().bottom",
                );
                assert!((0.0..20.0).contains(&free), "{teams} teams at {width}: {free} pixels are free");
            }
            tab.prefers(&[("prefers-color-scheme", "dark")]);
            tab.assert_accessible();
            tab.assert_calm();
        });
    }
}
