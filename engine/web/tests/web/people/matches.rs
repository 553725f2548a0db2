//! Whole games of people who play in a browser, by keys and by touch.

use super::sitting::{ASKED, Hand, Person, Sitting, told};
use crate::browser::Chromium;
use players::{BuiltIn, PersonGame, WithBuiltIns};
use rules::Seat;
use rules::battleship::{Battleship, Rules};
use rules::bots_arena::{self, BotsArena};
use rules::entelect_2017::{self, Entelect2017, MapSize};
use rules::salvo::{self, Salvo};
use rules::sea_battle::{self, SeaBattle};
use serde_json::{Value, json};

/// Fails if a page was told of ships of another seat, or of what they can be told from.
fn assert_no_secrets(link: &str, own: usize) {
    let told = told(link);
    let letter = char::from(b'A' + own as u8).to_string();
    assert_eq!((&told[0]["eyes"], &told[0]["seed"]), (&json!([letter]), &json!("")));
    assert!(told.len() > 2);
    for frame in &told[1..] {
        assert!(frame.get("notes").is_none_or(|notes| notes.as_array().unwrap().is_empty()));
        for (seat, board) in frame["boards"].as_array().unwrap().iter().enumerate().filter(|(seat, _)| *seat != own) {
            for look in board.as_array().unwrap().iter().filter_map(|seen| seen[1]["cells"].as_object()).flatten() {
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
        assert!(tab.value::<String>("document.querySelector('#save').href").starts_with("blob:"));
        tab.assert_calm();
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

fn crown_and_boat(shots: u8) -> Rules {
    let fleet = json!([{ "name": "crown", "shape": ["#.#", "###"] }, { "name": "boat", "size": 3 }]);
    by_rules(json!({ "fleet": fleet, "shots": shots }))
}

/// Rules on a board of 6 x 6.
fn by_rules(mut rules: Value) -> Rules {
    rules["board"] = json!({ "width": 6, "height": 6 });
    serde_json::from_value(rules).unwrap()
}

#[test]
fn a_person_plays_battleship_with_shapes_by_keys_only() {
    plays_a_whole_match::<Battleship>(crown_and_boat(1), 3, Hand::Keys);
}

#[test]
fn a_person_plays_battleship_with_shapes_by_touch() {
    plays_a_whole_match::<Battleship>(crown_and_boat(1), 3, Hand::Touch);
}

#[test]
fn a_person_chooses_the_cells_of_a_salvo_and_fires_at_all_or_fewer() {
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Battleship>(crown_and_boat(2), &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        person.place(3);
        person.wait_for_turn();
        let says = |text: &str| person.tab.until(&format!("document.querySelector('#fire').textContent === '{text}'"));
        person.choose(".target", (0, 0));
        says("Fire 1 of 2");
        person.choose(".target", (0, 0));
        says("Fire");
        person.choose(".target", (1, 1));
        for shots in [1, 2] {
            let asked: String = person.tab.value(ASKED);
            if shots == 1 {
                person.press_button("#fire");
            } else {
                person.choose(".target", (2, 2));
            }
            person.tab.until(&format!("{ASKED} !== '{asked}'"));
            person.wait_for_turn();
            person.choose(".target", (3, 3));
        }
        let fired: usize = person.tab.value("document.querySelectorAll('.target .cell[data-shots=\"1\"]').length");
        assert_eq!(fired, 3);
        person.tab.assert_calm();
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn a_person_takes_each_special_action_and_is_told_its_result() {
    let specials = json!([
        { "name": "radar", "kind": "radar", "area": ["###", "###", "###"] },
        { "name": "torpedoes", "kind": "area-shot", "needs": "boat", "area": [".#.", "###", ".#."] },
        { "name": "sonar", "kind": "sonar" },
    ]);
    let fleet = json!([{ "name": "boat", "size": 3 }, { "name": "raft", "size": 2 }]);
    let rules = by_rules(json!({ "fleet": fleet, "specials": specials }));
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Battleship>(rules, &[BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        let tab = &person.tab;
        person.place(2);
        for (key, special, cells) in [("2", "radar", 9), ("3", "torpedoes", 5), ("4", "sonar", 1)] {
            person.wait_for_turn();
            tab.press(key);
            tab.until(&format!("document.querySelector('#orders input:checked').value === '{special}'"));
            person.choose(".own", (1, 1));
            let refused = format!("Your own board is not a target of: {special}.");
            tab.until(&format!("document.querySelector('#reason').textContent === '{refused}'"));
            tab.reach(".target .choice");
            if special == "radar" {
                (0..2).for_each(|_| ["ArrowRight", "ArrowDown"].iter().for_each(|arrow| tab.press(arrow)));
            }
            assert_eq!(tab.value::<usize>("document.querySelectorAll('.target .aim').length"), cells, "{special}");
            tab.assert_accessible_in_both_themes();
            tab.press("Enter");
            tab.until(&format!("document.querySelector('#result').textContent.includes('{special} at 2,2')"));
            person.wait_for_turn();
            let told = if special == "torpedoes" { "Your shots at " } else { &format!("Your {special} at 2,2 ") };
            tab.until(&format!("document.querySelector('#task-text').textContent.includes('{told}')"));
            tab.until(&format!("document.querySelector('[value={special}]').disabled"));
        }
        assert_eq!(tab.value::<String>("document.querySelector('#orders input:checked').value"), "fire");
        assert_no_secrets(&sitting.links[0], 1);
        tab.assert_calm();
        sitting.interrupt.raise();
        sitting.played.join().unwrap().0.unwrap_err();
    });
}

#[test]
fn a_person_divides_a_salvo_among_two_opponents_and_plays_until_both_are_out() {
    let rules = by_rules(json!({ "seats": 3, "shots": 2, "fleet": [{ "name": "boat", "size": 4 }] }));
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Battleship>(rules, &[BuiltIn::Random, BuiltIn::Random], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Touch);
        let tab = &person.tab;
        tab.resize(390, 844);
        person.place(1);
        person.wait_for_turn();
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.target').length"), 2);
        tab.assert_accessible_in_both_themes();
        let asked: String = tab.value(ASKED);
        person.choose("[data-seat=A]", (0, 0));
        person.choose("[data-seat=B]", (5, 5));
        tab.until(&format!("{ASKED} !== '{asked}'"));
        let fired = "[...document.querySelectorAll('.target [data-shots=\"1\"]')].length >= 2";
        tab.until(fired);
        tab.until("document.querySelector('#log').textContent.includes('shots at A 0,0: ')");
        assert_no_secrets(&sitting.links[0], 2);
        person.fire_at_all();
        tab.assert_accessible();
        tab.assert_calm();
        let outcome = sitting.end();
        let title: String = tab.value("document.querySelector('#task-title').textContent");
        assert_eq!(title == "You win", outcome.winner == Seat::new(2), "{title}");
    });
}

#[test]
fn a_person_plays_alone_until_all_ships_are_sunk() {
    let rules = by_rules(json!({ "turns": "solo", "shots": 3, "fleet": [{ "name": "boat", "size": 4 }] }));
    Chromium::run(|chromium| {
        let sitting = Sitting::begin::<Battleship>(rules, &[], 1);
        let person = Person::open(chromium, &sitting.links[0], Hand::Keys);
        assert!(person.tab.value::<bool>("document.querySelector('.own.target') !== null"));
        person.tab.assert_accessible_in_both_themes();
        person.fire_at_all();
        assert_eq!(person.tab.value::<String>("document.querySelector('#task-title').textContent"), "You win");
        person.tab.assert_calm();
        assert_eq!(sitting.end().winner, Some(Seat::A));
    });
}

#[test]
fn a_person_plays_salvo_by_keys_only() {
    plays_a_whole_match::<Salvo>(salvo::Settings::default(), 1, Hand::Keys);
}

#[test]
fn a_person_plays_salvo_by_touch() {
    plays_a_whole_match::<Salvo>(salvo::Settings::default(), 1, Hand::Touch);
}
