//! A short match from beginning to end, as everyone is told it.

use super::{A, B, Match, c};
use rules::salvo::ShipKind;
use rules::{Audience, Eye, Fault, Game};
use std::fmt::Write;

/// A line for each event, with those who are told: `*` is everyone.
#[test]
fn a_match_is_told_as_it_was_before() {
    let mut table = Match::new(3, 100);
    table.place_all();
    let mut story = String::new();
    tell(&table, &mut story);
    let turns: [fn(&mut Match) -> &mut Match; 8] = [
        |table| table.fire(B, 0, 4),
        |table| table.fire(B, 0, 4),
        |table| table.fire(c(), 9, 9),
        |table| table.fire(c(), 10, 9),
        |table| table.fire(B, 1, 4),
        |table| table.lapse(),
        |table| table.answer(Err(Fault::GaveUp)),
        |table| table.sink(A, B, &ShipKind::ALL[..4]),
    ];
    for turn in turns {
        tell(turn(&mut table), &mut story);
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("salvo_story", story));
}

fn tell(table: &Match, story: &mut String) {
    for told in &table.told {
        let to: String = match told.to {
            Audience::Everyone => "*".to_owned(),
            Audience::Only(seats) => seats.iter().map(|seat| seat.to_string()).collect(),
        };
        writeln!(story, "{to} {:?}", told.event).unwrap();
    }
    writeln!(story, "{}", table.game.scene(Eye::Referee).title).unwrap();
}
