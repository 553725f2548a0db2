//! state.json, for a player and for the round.

use super::{assert_json_snapshot, battle, beside, between, details, end, failed_start, files, shown, text};
use crate::table::Table;
use rules::entelect_2017::MapSize;
use rules::entelect_2017::files::STATE_JSON;
use rules::entelect_2017::files::wire::StateFile;
use rules::{Game, Seat};

#[test]
fn before_the_first_round_no_ship_has_cells() {
    assert_json_snapshot("first_question", &shown(&Table::new(MapSize::Small), Seat::A, STATE_JSON));
}

#[test]
fn a_fleet_placed_in_vain_keeps_its_cells_but_does_not_occupy_them() {
    assert_json_snapshot("failed_start_a", &shown(&failed_start(), Seat::A, STATE_JSON));
    assert_json_snapshot("failed_start_b", &shown(&failed_start(), Seat::B, STATE_JSON));
}

#[test]
fn in_battle_a_player_reads_its_own_map_and_what_it_hit() {
    assert_json_snapshot("battle_a", &shown(&battle(), Seat::A, STATE_JSON));
    assert_json_snapshot("battle_b", &shown(&battle(), Seat::B, STATE_JSON));
}

#[test]
fn the_file_of_the_round_has_both_maps() {
    assert_json_snapshot("battle_round", &beside(&battle(), STATE_JSON));
}

#[test]
fn after_the_end_the_loser_is_killed_and_nobody_is_winner() {
    let json = shown(&end(), Seat::A, STATE_JSON);
    assert!(json.contains(r#""Killed":true,"IsWinner":false"#));
    let json = shown(&end(), Seat::B, STATE_JSON);
    assert!(json.contains(r#""Killed":false,"IsWinner":false"#) && json.contains(r#""Alive":false"#));
    assert!(json.contains(r#""Round":18,"MapDimension":7,"Phase":2,"Player1Map":null,"Player2Map":null}"#));
}

#[test]
fn energy_and_sizes_follow_the_map() {
    for (size, side, energy, radius, prices) in [
        (MapSize::Small, 7, 2, 1, [24, 16, 24, 20, 28]),
        (MapSize::Medium, 10, 3, 2, [36, 24, 36, 30, 42]),
        (MapSize::Large, 14, 4, 3, [48, 32, 48, 40, 56]),
    ] {
        let state: StateFile = serde_json::from_str(&shown(&Table::new(size), Seat::B, STATE_JSON)).unwrap();
        let map = state.player_map.unwrap();
        assert_eq!((state.map_dimension, map.map_width, map.map_height), (side, side, side));
        assert_eq!(map.cells.len(), (side * side) as usize);
        assert_eq!((map.owner.energy, map.owner.shield.max_radius), (energy, radius));
        let special: Vec<u32> = map.owner.ships.iter().map(|ship| ship.weapons[1].energy_required).collect();
        assert_eq!(special, prices);
    }
}

#[test]
fn what_is_written_can_be_read_back() {
    for table in [Table::new(MapSize::Large), failed_start(), battle(), end()] {
        for json in [shown(&table, Seat::A, STATE_JSON), beside(&table, STATE_JSON)] {
            let state: StateFile = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&state).unwrap(), json);
        }
    }
}

#[test]
fn names_are_escaped_as_the_original_did_and_otherwise_raw() {
    let files = between(
        details("x", "q\" b\\ t\t n\n \u{1}\u{85}\u{2028}\u{2029}", "x", "Rust"),
        details("x", "/'<>&\u{7f}é中🚢", "x", "Rust"),
    );
    let json = text(&files.player_files(&Table::small().game.view(Seat::A)), STATE_JSON);
    assert!(json.contains(r#""Name":"q\" b\\ t\t n\n \u0001\u0085\u2028\u2029","Ships""#));
    assert!(json.contains("\"Points\":0,\"Name\":\"/'<>&\u{7f}é中🚢\",\"Cells\""));
    let state: StateFile = serde_json::from_str(&json).unwrap();
    assert_eq!(state.player_map.unwrap().owner.name, files.name(Seat::A));
}

#[test]
fn two_players_of_the_same_name_keep_their_keys() {
    let same = details("x", "Same", "x", "Rust");
    let files = between(same.clone(), same);
    let table = Table::small();
    for (seat, key) in [(Seat::A, r#""Key":"A""#), (Seat::B, r#""Key":"B""#)] {
        assert!(text(&files.player_files(&table.game.view(seat)), STATE_JSON).contains(key));
    }
}

#[test]
fn the_name_is_the_nickname_else_the_author_else_the_email() {
    let name = |nick: Option<&str>, author: Option<&str>, email: Option<&str>| {
        let mut bot = details("", "", "", "Rust");
        (bot.nick_name, bot.author, bot.email) =
            (nick.map(str::to_owned), author.map(str::to_owned), email.map(str::to_owned));
        bot.name().to_owned()
    };
    assert_eq!(name(Some("N"), Some("A"), Some("E")), "N");
    assert_eq!(name(None, Some("A"), Some("E")), "A");
    assert_eq!(name(None, None, Some("E")), "E");
    assert_eq!(name(Some(""), Some("A"), Some("E")), "", "an empty name is a name");
    assert_eq!(name(None, None, None), "");
}

#[test]
fn what_a_player_is_shown_belongs_into_its_folder() {
    use rules::Dialect;
    let message = files().ask(Seat::B, &Table::small().game.view(Seat::B));
    assert_eq!(message.folder, "Phase 2 - Round 1/B");
    assert_eq!(message.files.iter().map(|part| part.name).collect::<Vec<_>>(), ["state.json", "map.txt"]);
    let message = files().ask(Seat::A, &failed_start().game.view(Seat::A));
    assert_eq!(message.folder, "Phase 1 - Round 1/A");
}
