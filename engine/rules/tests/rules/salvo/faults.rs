//! The price of giving no order.

use super::{A, B, Match, c};
use rules::salvo::{Event, NoOrder};
use rules::{Ending, Fault};
use std::time::Duration;

#[test]
fn of_a_salvo_that_is_not_fired_in_time_the_rest_lapses() {
    let second = Duration::from_secs(30);
    for (fault, words) in [
        (Fault::timed_out(second, second), "took too long"),
        (Fault::Crashed { how: "signal 9".to_owned() }, "crashed: signal 9"),
        (Fault::NothingWritten, "wrote nothing"),
        (
            Fault::Unreadable { why: "no\nJSON".to_owned(), excerpt: String::new() },
            "gave an unreadable answer: no JSON",
        ),
        (Fault::Unreachable { why: "gone".to_owned() }, "was unreachable: gone"),
    ] {
        let mut table = Match::set(3);
        table.fire(B, 0, 0).fire(B, 9, 9).answer(Err(fault.clone()));
        let why = NoOrder::Fault(fault);
        assert_eq!(why.to_string(), words);
        let told = [
            Event::Lapsed { seat: A, shots: 3, why },
            Event::SalvoOver { seat: A, shots: 2, hits: 1 },
            Event::Turn { seat: B, shots: 5 },
        ];
        assert_eq!(table.heard_by(c()), told);
    }
}

#[test]
fn salvos_that_lapse_again_and_again_remove_nobody() {
    let mut table = Match::limited(2, 50);
    for _ in 0..90 {
        table.lapse();
    }
    assert_eq!(table.game.seats_in().len(), 2);
}

#[test]
fn who_gives_up_is_out_at_once() {
    let mut table = Match::set(3);
    table.fire(B, 0, 0).answer(Err(Fault::GaveUp));
    let out = Event::Removed { seat: A, why: NoOrder::Fault(Fault::GaveUp) };
    let over = Event::SalvoOver { seat: A, shots: 1, hits: 1 };
    assert_eq!(table.heard_by(c()), [out, over, Event::Turn { seat: B, shots: 5 }]);
    assert_eq!(table.game.player(A).elimination.as_ref().unwrap().removed.as_deref(), Some("gave up"));
    table.answer(Err(Fault::GaveUp));
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ranking), (Some(c()), vec![c(), B, A]), "the later one leaves, the better");
    assert_eq!(outcome.ending, Ending::KilledOff { seats: vec![(B, "gave up".to_owned())] });
}
