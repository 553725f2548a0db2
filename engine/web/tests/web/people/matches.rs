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

/// Fails if a page was told of ships of another seat, or of what they can be told from.
fn assert_no_secrets(link: &str, own: usize) {
    let told = told(link);
    let letter = char::from(b'A' + own as u8).to_string();
    assert_eq!((&told[0]["eyes"], &told[0]["seed"]), (&serde_json::json!([letter]), &serde_json::json!("")));
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
    let fleet = serde_json::json!([{ "name": "crown", "shape": ["#.#", "###"] }, { "name": "boat", "size": 3 }]);
    let rules = serde_json::json!({ "board": { "width": 6, "height": 6 }, "fleet": fleet, "shots": shots });
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
fn a_person_plays_salvo_by_keys_only() {
    plays_a_whole_match::<Salvo>(salvo::Settings::default(), 1, Hand::Keys);
}

#[test]
fn a_person_plays_salvo_by_touch() {
    plays_a_whole_match::<Salvo>(salvo::Settings::default(), 1, Hand::Touch);
}
