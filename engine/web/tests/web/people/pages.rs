//! The page of a person: what is refused, reloads, several pages, and how the page looks.

use super::sitting::{Hand, Person, Sitting, asked, post};
use crate::browser::Chromium;
use crate::raw::Raw;
use arena::{ArenaError, Ask, Interrupt, Player};
use players::BuiltIn;
use rules::entelect_2017::{self, Entelect2017, MapSize};
use rules::salvo::{self, Salvo};
use rules::sea_battle::{self, SeaBattle};
use rules::{Fault, Game, Seat};
use serde_json::{Value, json};
use std::time::Duration;
use web::{PersonSeat, WebPerson};

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
    let far = r#"{"x":2147483647,"y":-2147483648,"turn":0}"#;
    let all = |place: &str| format!(r#""act":"fleet","ships":[{}]"#, [place; 10].join(","));
    assert!(reason(&all(far)).contains("run off the board"));
    assert!(reason(&all(r#"{"x":0,"y":0,"turn":0}"#)).contains("would lie on the"));
    assert!(reason(r#""act":"order","word":"fire","target":"A","x":0,"y":0"#).contains("are to be placed first"));
    assert!(reason(r#""act":"pass""#).contains("are to be placed first"));
    let (_, late) = post(link, "", r#"{"ask":1,"act":"random"}"#);
    assert!(late.contains("not asked any more"), "{late}");
    for (body, status) in [("", 400), ("{}", 400), (r#"{"ask":1,"act":"fly"}"#, 400), (&"x".repeat(20_000), 413)] {
        assert_eq!(post(link, "", body).0, status, "{body:.40}");
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
fn the_whole_match_can_be_had_when_it_is_over_and_not_before() {
    let sitting = Sitting::begin::<Entelect2017>(entelect_2017::Settings::default(), &[BuiltIn::Random], 1);
    let link = &sitting.links[0];
    let (host, path) = link.trim_start_matches("http://").split_once('/').unwrap();
    let saved = || Raw::ask(host, &format!("/{path}match.html"), "Connection: close\r\n").rest();
    assert!(saved().starts_with("HTTP/1.1 404 "));
    let mut page = Raw::ask(host, &format!("/{path}events"), "");
    page.until("data: {\"kind\":\"place\"");
    assert_eq!(post(link, "", &format!(r#"{{"ask":{},"act":"resign"}}"#, asked(link))).0, 200);
    page.until("data: {\"kind\":\"end\",\"record\":\"replays/today/match.jsonl\"}");
    // The server waits for the page that listens.
    let saved = saved();
    assert!(
        saved.contains(r#""eyes":["referee","A","B"]"#) && saved.contains(r#""over":{"finished":true,"winner":"A""#)
    );
    drop(page);
    assert_eq!(sitting.end().winner, Some(Seat::A));
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

/// The text of an element.
fn text(person: &Person<'_>, selector: &str) -> String {
    person.tab.value(&format!("document.querySelector({selector:?}).textContent"))
}

#[test]
fn the_page_is_accessible_and_calm_by_day_and_by_night() {
    Chromium::run(|chromium| {
        for theme in ["light", "dark"] {
            let sitting =
                Sitting::begin::<Entelect2017>(entelect_2017::Settings { size: MapSize::Small }, &[BuiltIn::Random], 1);
            let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
            person.tab.prefers(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]);
            person.choose(".own", (1, 1));
            // The next ship cannot lie there.
            person.choose(".own", (1, 1));
            person.tab.until("document.querySelector('#reason').textContent.includes('would lie on the submarine')");
            person.tab.assert_accessible();
            person.press_button("#clear");
            person.place(1);
            person.fire(2);
            person.wait_for_turn();
            person.tab.assert_accessible();
            person.press_button("#resign");
            person.tab.until("document.querySelector('#giving-up').open");
            person.tab.assert_accessible();
            person.press_button("#resigned");
            person.tab.until("document.body.dataset.asked === 'over' && !document.querySelector('#save').hidden");
            person.tab.assert_accessible();
            person.tab.assert_calm();
            assert_eq!(sitting.end().winner, Some(Seat::A));
        }
    });
}

#[test]
fn the_page_fits_a_phone_and_a_wide_window() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Entelect2017>(entelect_2017::Settings::default(), &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        let fits = |size: (u32, u32)| {
            person.tab.resize(size.0, size.1);
            person.tab.until("document.documentElement.scrollWidth <= innerWidth");
            // A finger hits a cell of at least 24 pixels.
            let cell: f64 = person.tab.value("document.querySelector('.own .choice').getBoundingClientRect().width");
            assert!(cell >= if size.0 < 400 { 24.0 } else { 30.0 }, "{size:?}: {cell}");
        };
        for size in [(390, 844), (1280, 800), (1920, 1080)] {
            fits(size);
        }
        person.place(1);
        person.wait_for_turn();
        person.tab.resize(390, 844);
        person.tab.until("document.documentElement.scrollWidth <= innerWidth");
        let tops: (f64, f64) = person
            .tab
            .value("['.target', '.own'].map((board) => document.querySelector(board).getBoundingClientRect().top)");
        assert!(tops.0 < tops.1, "the board to fire at comes first: {tops:?}");
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn a_finger_drags_ships_onto_the_board_and_about_it() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Salvo>(salvo::Settings::default(), &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Touch);
        person.tab.resize(1280, 1000);
        let cell = |x, y| format!(".own .choice[data-x='{x}'][data-y='{y}']");
        let letters = |y| -> String {
            person.tab.value(&format!(
                "[...document.querySelectorAll('.own .cell[data-y=\"{y}\"]')].map((cell) => cell.dataset.letter ?? '.').join('')"
            ))
        };
        person.tab.drag("#tray button", &cell(2, 3));
        assert_eq!(letters(3), "..CCCCC...");
        // It is held at its second cell, and stays within the board.
        person.tab.drag(&cell(3, 3), &cell(9, 5));
        assert_eq!((letters(3), letters(5)), ("..........".to_owned(), ".....CCCCC".to_owned()));
        // A tap is a click a moment later.
        let hear = "document.querySelector('#turn').addEventListener('click', () => { document.body.dataset.turned = ''; }), 0";
        let _: u32 = person.tab.value(hear);
        person.tab.tap("#turn");
        person.tab.until("'turned' in document.body.dataset");
        person.tab.tap(&cell(0, 0));
        person.tab.until("document.querySelector('.own .cell[data-x=\"0\"][data-y=\"0\"]').dataset.letter === 'B'");
        assert_eq!([0, 1, 3, 4].map(|y| letters(y)[..1].to_owned()), ["B", "B", "B", "."]);
        person.tab.assert_calm();
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn a_page_that_is_loaded_again_goes_on_and_a_second_one_follows() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<SeaBattle>(sea_battle::Settings::default(), &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        person.choose(".own", (0, 0));
        let placed = "document.querySelectorAll('#tray .placed').length === 1";
        person.tab.until(placed);
        person.reload();
        person.tab.until(placed);
        person.press_button("#clear");
        person.place(2);
        person.fire(4);
        person.wait_for_turn();
        let shots = "document.querySelectorAll('.target .cell[data-shots=\"1\"]').length";
        assert_eq!(person.tab.value::<usize>(shots), 4);

        // Both pages of the same link are asked; the answer of one is told to the other.
        let second = chromium.open(&sitting.links[0]);
        second.until("document.body.dataset.asked === 'order'");
        person.fire(1);
        second.until(&format!("{shots} === 5"));
        person.reload();
        person.wait_for_turn();
        assert_eq!(person.tab.value::<usize>(shots), 5);
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn two_people_with_a_link_each_play_a_whole_match_and_neither_waits_for_the_other_to_place() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Entelect2017>(entelect_2017::Settings { size: MapSize::Small }, &[], 2);
        let one = Person::open(chromium, &sitting.links[0], Hand::Keys);
        let other = Person::open(chromium, &sitting.links[1], Hand::Touch);
        assert_ne!(sitting.links[0], sitting.links[1]);
        // The second one may be the first to be ready.
        other.place(1);
        other.tab.until("document.querySelector('#task-text').textContent.includes('Player 1')");
        one.place(1);
        let mut rounds = 0;
        while !one.is_over() {
            other.fire(1);
            one.fire(1);
            rounds += 1;
            one.wait_for_turn();
            other.wait_for_turn();
        }
        assert!(rounds > 5);
        let titles = [&one, &other].map(|person| text(person, "#task-title"));
        let outcome = sitting.end();
        let expected = match outcome.winner {
            Some(Seat::A) => ["You win", "You lose"],
            Some(_) => ["You lose", "You win"],
            None => ["A draw"; 2],
        };
        assert_eq!(titles, expected);
    });
}

#[test]
fn orders_beside_the_plain_shot_are_chosen_by_keys_and_explained() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<SeaBattle>(sea_battle::Settings::default(), &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        person.place(2);
        person.wait_for_turn();
        person.tab.press("2");
        person.tab.until("document.querySelector('#orders input:checked').value === 'radar'");
        person.choose(".own", (4, 4));
        assert_eq!(text(&person, "#reason"), "Your own board is not a target of: radar.");
        person.choose(".target", (4, 4));
        person.tab.until("document.querySelector('#task-text').textContent.includes('Your radar around 4, 4 sees')");
        // It is used up, and the plain shot is chosen again.
        let state: (bool, String) = person.tab.value(
            "[document.querySelector('[value=radar]').disabled, document.querySelector('#orders input:checked').value]",
        );
        assert_eq!(state, (true, "fire".to_owned()));
        person.choose(".target", (0, 9));
        person.wait_for_turn();
        person.tab.until("document.querySelector('#result').textContent.includes('fired at 0, 9: ')");
        person.choose(".target", (0, 9));
        person.tab.until("document.querySelector('#reason').textContent.includes('fire again there')");
        // The cell with the focus is marked, as one under a pointer is.
        let aimed: (i32, String) = person
            .tab
            .value("[document.querySelectorAll('.aim').length, document.querySelector('.target .aim').dataset.y]");
        assert_eq!(aimed, (1, "9".to_owned()));
        person.tab.assert_calm();
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn the_help_is_about_keys_on_a_desk_and_about_fingers_on_a_phone() {
    Chromium::run(|chromium| {
        let settings = entelect_2017::Settings { size: MapSize::Small };
        let sitting = Sitting::begin::<Entelect2017>(settings, &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        let is_open = |open: bool| person.tab.until(&format!("document.querySelector('#keys').open === {open}"));
        let help = || -> String { person.tab.value("document.querySelector('#keys').innerText") };
        person.tab.press("?");
        is_open(true);
        assert!(help().contains("turn the ship") && !help().contains("Tap"), "{}", help());
        person.tab.assert_accessible_in_both_themes();
        person.tab.press("?");
        is_open(false);
        assert!(text(&person, "#task-text").contains("arrow keys"));

        let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
        person.tab.command("Emulation.setDeviceMetricsOverride", phone);
        person.tab.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        person.reload();
        assert!(text(&person, "#task-text").contains("tap a ship and then a cell"));
        person.tab.click("#help");
        is_open(true);
        assert!(help().contains("Tap a ship, then a cell") && !help().contains('R'), "{}", help());
        let words: String = person.tab.value("document.body.innerText");
        assert!(!words.contains("arrow keys") && !words.contains("Enter"), "{words}");
        person.tab.until("document.documentElement.scrollWidth <= innerWidth");
        person.tab.assert_accessible();
        person.tab.assert_calm();
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn weapons_say_what_they_strike_and_how_much_energy_is_missing() {
    Chromium::run(|chromium| {
        let settings = entelect_2017::Settings { size: MapSize::Small };
        let sitting = Sitting::begin::<Entelect2017>(settings, &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        person.place(1);
        person.wait_for_turn();
        let orders: Vec<String> = person
            .tab
            .value("[...document.querySelectorAll('#orders label > span')].map((order) => order.innerText.replaceAll('\\n', '; '))");
        assert_eq!(orders[0], "fire; the cell: 1 energy");
        assert_eq!(orders[5], "cross; upright cross, 5: 28 energy; 26 energy missing");
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn a_person_who_takes_too_long_gives_up() {
    let game = SeaBattle::start(&sea_battle::Settings::default(), 2, 1).unwrap();
    let seat = PersonSeat::new().unwrap();
    let person = WebPerson::<SeaBattle>::new(seat, sea_battle::Settings::default(), 1, Interrupt::new().unwrap());
    let reply = person.within(Duration::ZERO).decide(&Ask::new(&game, Seat::A, 0)).unwrap();
    assert_eq!(reply.answer, Err(Fault::GaveUp));
}
