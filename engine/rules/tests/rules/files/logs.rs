//! engine.log and the news in a player's log.txt.

use super::{battle, end, files};
use crate::table::{Table, USUAL, fire, nothing, pass, place, shield, shoot, silence};
use rules::entelect_2017::files::{engine_log, player_news};
use rules::entelect_2017::{Event, MapSize, Order, OrderKind, Ship, Weapon};
use rules::{Answer, Answers, Fault, Game, Seat, Told};

/// Plays a round and gives its engine.log and the news for both players, in the form `D text`.
fn logs(table: &mut Table, a: Answer<Order>, b: Answer<Order>) -> (Vec<String>, [Vec<String>; 2]) {
    let kind = |answer: &Answer<Order>| answer.as_ref().map_or(OrderKind::DoNothing, Order::kind);
    let orders = [(Seat::A, kind(&a)), (Seat::B, kind(&b))];
    written(&orders, &table.game.advance([(Seat::A, a), (Seat::B, b)].into_iter().collect()))
}

fn written(orders: &[(Seat, OrderKind)], told: &[Told<Event>]) -> (Vec<String>, [Vec<String>; 2]) {
    let lines = |entries: Vec<rules::entelect_2017::files::Entry>| {
        entries.into_iter().map(|entry| format!("{} {}", entry.level.letter(), entry.text)).collect::<Vec<_>>()
    };
    (lines(engine_log(&files(), orders, told)), [Seat::A, Seat::B].map(|seat| lines(player_news(seat, told))))
}

#[test]
fn a_plain_round_has_six_entries_and_no_news() {
    let (log, news) = logs(&mut Table::small(), fire(0, 0), nothing());
    assert_eq!(
        log,
        [
            "I Added Command FireSingleShotCommand for Player Alpha",
            "I Added Command DoNothingCommand for Player Bravo",
            "D Beginning round processing",
            "D Processing Player Commands",
            "D Killing off players who have no ships left",
            "D Round processing complete",
        ]
    );
    assert_eq!(news, [Vec::<String>::new(), Vec::new()]);
}

#[test]
fn a_refused_command_is_logged_and_told_to_its_player() {
    let (log, news) = logs(&mut Table::small(), shield(1, 1), fire(9, 9));
    assert_eq!(
        log[4..6],
        [
            "E Failed to process command PlaceShieldCommand for player Alpha: the shield has no charge",
            "E Failed to process command FireSingleShotCommand for player Bravo: the target is off the board",
        ]
    );
    assert_eq!(
        news,
        [
            ["I Player Command PlaceShieldCommand failed because the shield has no charge"],
            ["I Player Command FireSingleShotCommand failed because the target is off the board"],
        ]
    );
}

/// Quirk of the original: its double shot names the Battleship when the Destroyer is sunk.
#[test]
fn the_message_of_a_double_shot_names_the_destroyer() {
    let mut table = Table::small();
    table.b_sinks(Ship::Destroyer);
    let (_, [news, _]) = logs(&mut table, shoot(Weapon::DoubleShotVertical, 3, 3), pass());
    assert_eq!(
        news,
        [
            "I Player Command FireDoubleShotCommand failed because the Destroyer is sunk, so there is no vertical double shot"
        ]
    );
}

#[test]
fn a_failed_first_phase_is_told_to_both_and_ends_the_log() {
    let (log, news) = logs(&mut Table::new(MapSize::Small), place(USUAL), silence());
    assert_eq!(
        log,
        [
            "I Added Command PlaceShipCommand for Player Alpha",
            "I Added Command DoNothingCommand for Player Bravo",
            "D Beginning round processing",
            "D Processing Player Commands",
            "E Failed to process command DoNothingCommand for player Bravo: ships must be placed in phase 1",
        ]
    );
    let failed = "I The first round has failed due to a bot's ships not all being placed";
    assert_eq!(news[0], [failed]);
    assert_eq!(news[1], ["I Player Command DoNothingCommand failed because ships must be placed in phase 1", failed]);
}

#[test]
fn the_dead_are_logged() {
    let mut table = Table::small();
    for ship in [Ship::Submarine, Ship::Battleship, Ship::Carrier, Ship::Cruiser] {
        table.a_sinks(ship);
    }
    table.round(fire(1, 0), pass());
    let (log, news) = logs(&mut table, fire(1, 1), pass());
    assert_eq!(
        log[5..],
        ["D Killing off players who have no ships left", "D Killed player Bravo", "D Round processing complete",]
    );
    assert!(news[0].is_empty());
}

#[test]
fn a_player_that_does_nothing_is_warned_before_it_is_killed_off() {
    let mut table = Table::small();
    for _ in 0..9 {
        assert_eq!(logs(&mut table, pass(), silence()).1[1], [""; 0]);
    }
    let (log, news) = logs(&mut table, fire(6, 6), silence());
    assert_eq!(news, [vec![], vec!["I Bot has done nothing 10 times in a row; after 20 times it is killed off"]]);
    assert_eq!(log.len(), 6, "the warning is for its player");
}

#[test]
fn a_kill_off_is_logged_in_a_round_without_commands() {
    let mut table = Table::small();
    for _ in 0..20 {
        table.round(pass(), silence());
    }
    let (log, news) = written(&[], &table.game.advance(Answers::none()));
    assert_eq!(
        log,
        [
            "D Beginning round processing",
            "D Processing Player Commands",
            "I Player Bravo did nothing 20 times in a row and is killed off",
            "D Killing off players who have no ships left",
            "D Killed player Bravo",
            "D Round processing complete",
        ]
    );
    assert!(news[0].is_empty());
    assert_eq!(news[1], ["I Bot did nothing 20 times in a row. It is killed off and all its ships are destroyed"]);
}

#[test]
fn a_player_that_gave_up_is_logged_as_such() {
    let mut table = Table::small();
    table.round(Err(Fault::GaveUp), pass());
    let (log, news) = written(&[], &table.game.advance(Answers::none()));
    assert_eq!(log[2], "I Player Alpha gave up and is killed off");
    assert_eq!(news[0], ["I Player gave up"]);
}

#[test]
fn every_command_has_its_name() {
    let orders = |kind| engine_log(&files(), &[(Seat::A, kind)], &[])[0].text.clone();
    for (kind, name) in [
        (OrderKind::DoNothing, "DoNothingCommand"),
        (OrderKind::Place, "PlaceShipCommand"),
        (OrderKind::Fire(Weapon::SingleShot), "FireSingleShotCommand"),
        (OrderKind::Fire(Weapon::DoubleShotVertical), "FireDoubleShotCommand"),
        (OrderKind::Fire(Weapon::DoubleShotHorizontal), "FireDoubleShotCommand"),
        (OrderKind::Fire(Weapon::CornerShot), "FireCornerShotCommand"),
        (OrderKind::Fire(Weapon::DiagonalCrossShot), "FireCrossShotCommand"),
        (OrderKind::Fire(Weapon::CrossShot), "FireCrossShotCommand"),
        (OrderKind::Fire(Weapon::SeekerMissile), "FireSeekerMissileCommand"),
        (OrderKind::Shield, "PlaceShieldCommand"),
    ] {
        assert_eq!(orders(kind), format!("Added Command {name} for Player Alpha"));
    }
}

#[test]
fn nothing_is_logged_of_a_match_that_is_over() {
    let (_, news) = logs(&mut end(), fire(0, 0), silence());
    assert_eq!(news, [Vec::<String>::new(), Vec::new()]);
    assert!(!battle().events.is_empty());
}
