//! roundInfo.json and roundCommand.json.

use super::{battle, beside, between, details, failed_start, files, text};
use crate::table::{Table, USUAL, fire, nothing, pass, place, shield, shoot, silence};
use rules::PlayerInfo;
use rules::entelect_2017::files::{COMMAND_TXT, Files, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, MapSize, Phase, Weapon};
use rules::{Listed, Part, Seat};

const INFO: &str = "roundInfo.json";
const COMMAND: &str = "roundCommand.json";

#[test]
fn five_files_lie_beside_the_folders_of_the_players() {
    let names: Vec<&str> = files().round_files(&battle().game).iter().map(|part| part.name).collect();
    assert_eq!(names, ["A - map.txt", "B - map.txt", "state.json", INFO, COMMAND]);
}

#[test]
fn folders_are_named_by_phase_and_round() {
    assert_eq!(Files::round_folder(Phase::One, 0), "Phase 1 - Round 0");
    assert_eq!(Files::player_folder(Phase::Two, 105, Seat::B), "Phase 2 - Round 105/B");
}

const ALPHA: &str = r#"{"Author":"Ann Author","NickName":"Alpha","Email":"ann@example.com","BotType":"Rust"}"#;
const BRAVO: &str = r#"{"Author":"Bob Builder","NickName":"Bravo","Email":"bob@example.com","BotType":"Golang"}"#;

#[test]
fn a_winner_is_named_from_round_zero_on() {
    let want = format!(
        r#"{{"MapSize":7,"Round":0,"Winner":{ALPHA},"LeaderBoard":[{ALPHA},{BRAVO}],"Players":[{ALPHA},{BRAVO}]}}"#
    );
    assert_eq!(beside(&Table::new(MapSize::Small), INFO), want);
}

#[test]
fn the_winner_is_the_best_so_far() {
    let want = format!(
        r#"{{"MapSize":7,"Round":17,"Winner":{BRAVO},"LeaderBoard":[{BRAVO},{ALPHA}],"Players":[{ALPHA},{BRAVO}]}}"#
    );
    assert_eq!(beside(&battle(), INFO), want);
}

#[test]
fn what_bot_json_lacks_is_null_and_players_without_bot_are_unkown() {
    let bare = PlayerInfo { author: None, nick_name: Some(String::new()), email: None, bot_type: "Python3".to_owned() };
    let files = between(bare, PlayerInfo::named("Console 2"));
    let info = text(&files.round_files(&Table::new(MapSize::Large).game), INFO);
    let (bare, console) = (
        r#"{"Author":null,"NickName":"","Email":null,"BotType":"Python3"}"#,
        r#"{"Author":"Console 2","NickName":"Console 2","Email":"Console 2","BotType":"Unkown"}"#,
    );
    let want = format!(
        r#"{{"MapSize":14,"Round":0,"Winner":{bare},"LeaderBoard":[{bare},{console}],"Players":[{bare},{console}]}}"#
    );
    assert_eq!(info, want);
}

#[test]
fn details_are_escaped_like_names() {
    let files = between(details("a\"\\", "\u{2028}", "é\n", "Rust"), details("b", "b", "b", "Rust"));
    let info = text(&files.round_files(&Table::small().game), INFO);
    assert!(info.contains(r#"{"Author":"a\"\\","NickName":"\u2028","Email":"é\n","BotType":"Rust"}"#));
}

#[test]
fn before_the_first_round_there_was_no_command() {
    let none = r#"{"SuccessfulMove":false,"CommandIssued":null,"CenterPoint":"0, 0","ShieldRadius":0,"PlaceShipString":null,"Energy":3,"RemainingShieldTurns":0}"#;
    let want = format!(r#"{{"Player1Move":{none},"Player2Move":{none}}}"#);
    assert_eq!(beside(&Table::new(MapSize::Medium), COMMAND), want);
}

/// The two moves in roundCommand.json.
fn moves(table: &Table) -> (String, String) {
    let json = beside(table, COMMAND);
    let (a, b) = json.split_once(r#","Player2Move":"#).unwrap();
    (a.strip_prefix(r#"{"Player1Move":"#).unwrap().to_owned(), b.strip_suffix('}').unwrap().to_owned())
}

#[test]
fn a_good_placement_counts_as_successful_also_when_the_other_fails() {
    let placed = r#"{"SuccessfulMove":true,"CommandIssued":"PlaceShip","CenterPoint":"0, 0","ShieldRadius":0,"PlaceShipString":"Submarine 0 0 north,Destroyer 1 0 north,Battleship 2 0 north,Carrier 3 0 north,Cruiser 4 0 north","Energy":2,"RemainingShieldTurns":0}"#;
    let failed = r#"{"SuccessfulMove":false,"CommandIssued":"DoNothing","CenterPoint":"0, 0","ShieldRadius":0,"PlaceShipString":null,"Energy":2,"RemainingShieldTurns":0}"#;
    assert_eq!(moves(&failed_start()), (placed.to_owned(), failed.to_owned()));
}

#[test]
fn centre_and_placement_stay_when_a_command_has_none() {
    let mut table = Table::small();
    table.round(fire(6, 6), fire(-3, 4)).round(nothing(), silence());
    let (a, b) = moves(&table);
    assert!(a.starts_with(r#"{"SuccessfulMove":true,"CommandIssued":"DoNothing","CenterPoint":"6, 6""#), "{a}");
    assert!(b.starts_with(r#"{"SuccessfulMove":true,"CommandIssued":"DoNothing","CenterPoint":"-3, 4""#), "{b}");
    assert!(a.contains(r#""PlaceShipString":"Submarine 0 0 north,"#));
}

#[test]
fn every_command_has_its_name() {
    let mut table = Table::set(MapSize::Large);
    table.wait(60);
    for (answer, name) in [
        (nothing(), "DoNothing"),
        (place(USUAL), "PlaceShip"),
        (shoot(Weapon::SingleShot, 1, 2), "FireSingleShot"),
        (shoot(Weapon::DoubleShotVertical, 1, 2), "FireDoubleShotVertical"),
        (shoot(Weapon::DoubleShotHorizontal, 1, 2), "FireDoubleShotHorizontal"),
        (shoot(Weapon::CornerShot, 1, 2), "FireCornerShot"),
        (shoot(Weapon::DiagonalCrossShot, 1, 2), "FireCrossShotDiagonal"),
        (shoot(Weapon::CrossShot, 1, 2), "FireCrossShotNormal"),
        (shoot(Weapon::SeekerMissile, 1, 2), "FireSeekerMissile"),
        (shield(1, 2), "PlaceShield"),
    ] {
        let mut table = table.clone();
        table.round(answer, pass());
        assert!(moves(&table).0.contains(&format!(r#""CommandIssued":"{name}","#)), "{name}");
    }
}

#[test]
fn radius_energy_and_shield_turns_are_those_of_now() {
    let mut table = Table::small();
    table.wait_for_round(15).round(shield(5, 5), pass()).round(fire(0, 0), pass());
    let (a, _) = moves(&table);
    assert!(a.starts_with(
        r#"{"SuccessfulMove":true,"CommandIssued":"FireSingleShot","CenterPoint":"0, 0","ShieldRadius":1"#
    ));
    assert!(a.ends_with(r#""Energy":33,"RemainingShieldTurns":1}"#), "{a}");
}

#[test]
fn a_placement_is_shown_as_written_with_spaces_for_carriage_returns() {
    let written = format!("\r\n{}  and more\r\n", USUAL.to_uppercase().replace('\n', "\r\n"));
    let part = |name, bytes: &str| Part { name, bytes: bytes.as_bytes().to_vec() };
    let answer = crate::started::<Entelect2017>().read(&[part(PLACE_TXT, &written)]);
    let mut table = Table::new(MapSize::Small);
    table.round(answer, crate::started::<Entelect2017>().read(&[part(COMMAND_TXT, "1,1,1")]));
    assert!(moves(&table).0.contains(
        r#""PlaceShipString":"SUBMARINE 0 0 NORTH ,DESTROYER 1 0 NORTH ,BATTLESHIP 2 0 NORTH ,CARRIER 3 0 NORTH ,CRUISER 4 0 NORTH  and more ""#
    ));
}
