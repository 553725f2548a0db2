//! The scenes that screens show.

use super::{A, B, Match, c};
use rules::salvo::{Order, Salvo, ShipKind};
use rules::{
    BoardScene, Eye, Fault, FirstRow, Game, Highlight, HighlightKind, Listed, Mark, Mover, Point, SalvoTotal, Seat,
    Sinking,
};

impl Match {
    fn board(&self, eye: Eye, seat: Seat) -> BoardScene {
        self.game.scene(eye).boards.swap_remove(seat.index())
    }

    fn mark(&self, eye: Eye, seat: Seat, x: i32, y: i32) -> Mark {
        self.board(eye, seat).cell(Point::new(x, y)).unwrap().mark
    }

    fn deeds(&self, eye: Eye) -> Vec<String> {
        self.game.scene(eye).boards.into_iter().map(|board| board.deed).collect()
    }

    fn highlights(&self, eye: Eye) -> Vec<HighlightKind> {
        self.game.scene(eye).highlights.into_iter().map(|highlight| highlight.kind).collect()
    }
}

const EYE_A: Eye = Eye::Seat(Seat::A);
const EYE_B: Eye = Eye::Seat(Seat::B);

#[test]
fn owners_and_the_referee_see_ships_and_what_was_hit() {
    let mut table = Match::set(3);
    table.fire(B, 0, 0).fire(B, 9, 9);
    for eye in [Eye::Referee, EYE_B] {
        let marks = [(0, 0), (1, 0), (9, 9), (9, 8)].map(|(x, y)| table.mark(eye, B, x, y));
        assert_eq!(marks, [Mark::Hit(Some('C')), Mark::Ship('C'), Mark::Miss, Mark::Water]);
    }
}

#[test]
fn a_shooter_sees_where_its_shots_fell_and_nobody_else_does() {
    let mut table = Match::set(3);
    table.fire(B, 0, 0).fire(B, 9, 9);
    assert_eq!([table.mark(EYE_A, B, 0, 0), table.mark(EYE_A, B, 9, 9)], [Mark::Shot; 2]);
    let other = table.board(Eye::Seat(c()), B);
    assert!(other.cells.iter().all(|cell| cell.mark == Mark::Water && !cell.fresh));
    let fresh = |eye| table.board(eye, B).cell(Point::new(9, 9)).unwrap().fresh;
    assert_eq!([fresh(Eye::Referee), fresh(EYE_A), fresh(EYE_B)], [true; 3]);
}

#[test]
fn a_total_may_tell_what_the_shots_of_a_salvo_found() {
    let mut table = Match::set(2);
    let seen = |table: &Match| [(9, 9), (0, 0), (1, 0)].map(|(x, y)| table.mark(EYE_A, B, x, y));
    table.fire(B, 9, 9);
    assert_eq!(seen(&table)[0], Mark::Shot, "a salvo has no total before it is over");
    table.lapse().lapse();
    assert_eq!(seen(&table), [Mark::Miss, Mark::Water, Mark::Water], "no shot hit");
    table.fire(B, 0, 0).fire(B, 1, 0).lapse().lapse();
    assert_eq!(seen(&table), [Mark::Miss, Mark::Hit(None), Mark::Hit(None)], "all shots hit");
    table.fire(B, 0, 2).fire(B, 9, 0).lapse().lapse();
    assert_eq!([(0, 2), (9, 0)].map(|(x, y)| table.mark(EYE_A, B, x, y)), [Mark::Shot; 2], "one of both did");
    table.fire_all(B, [(0, 4), (1, 4)]);
    assert_eq!([(0, 4), (1, 4)].map(|(x, y)| table.mark(EYE_A, B, x, y)), [Mark::Shot, Mark::Hit(None)]);
    table.fire(B, 9, 1).lapse().lapse();
    let marks = [(0, 4), (1, 4), (9, 1)].map(|(x, y)| table.mark(EYE_A, B, x, y));
    assert_eq!(marks, [Mark::Shot, Mark::Hit(None), Mark::Shot], "it sank a ship, and another one hit");
    table.fire(B, 0, 0).lapse();
    assert_eq!(table.mark(EYE_A, B, 0, 0), Mark::Hit(None), "what is known stays known");
}

#[test]
fn titles_tell_the_turn_that_was_played() {
    let mut table = Match::new(3, 100);
    let title = |table: &Match| table.game.scene(EYE_B).title;
    assert_eq!(title(&table), "Before the ships are placed");
    table.place_all();
    assert_eq!(title(&table), "Placing the ships");
    table.fire(B, 0, 0);
    assert_eq!(title(&table), "Round 1 · A · shot 1 of 5");
    table.lapse();
    assert_eq!(title(&table), "Round 1 · A · shot 5 of 5");
    table.lapse().fire(A, 0, 0).lapse();
    assert_eq!(title(&table), "Round 1 · C · shot 5 of 5");
}

#[test]
fn deeds_and_highlights_tell_what_the_eye_may_know() {
    let mut table = Match::set(3);
    let eyes = [Eye::Referee, EYE_A, EYE_B, Eye::Seat(c())];
    table.fire(B, 0, 4);
    let of_a = |table: &Match| eyes.map(|eye| table.deeds(eye).swap_remove(0));
    assert_eq!(of_a(&table), ["fired at B, 0, 4: hit", "fired at B, 0, 4", "fired at B, 0, 4: hit", "fired"]);
    assert_eq!(eyes.map(|eye| table.highlights(eye).len()), [1, 0, 1, 0]);
    table.fire(B, 1, 4);
    let sank = "fired at B, 1, 4: sank the patrolboat";
    assert_eq!(of_a(&table), [sank, sank, sank, "sank the patrolboat of B"]);
    assert_eq!(table.highlights(EYE_A), [HighlightKind::Sinking]);
    assert_eq!(table.highlights(EYE_B), [HighlightKind::Hit, HighlightKind::Sinking]);
    table.lapse();
    assert_eq!(of_a(&table), ["wrote nothing: 3 shots lapsed; 2 of 2 shots hit"; 4]);
    let fault = Highlight { seat: A, kind: HighlightKind::Fault };
    assert_eq!(table.game.scene(EYE_B).highlights, [fault]);
    table.answer(Ok(Order::Place(Vec::new())));
    assert_eq!(table.deeds(EYE_A)[1], "broke the rules: ships can be placed before the first shot only: a shot lapsed");
    table.answer(Err(Fault::GaveUp));
    assert_eq!(table.deeds(EYE_A)[1], "gave up");
}

#[test]
fn facts_are_the_same_for_all_eyes() {
    let mut table = Match::set(3);
    table.sink(A, B, &ShipKind::ALL).lapse();
    for eye in [Eye::Referee, EYE_A, EYE_B] {
        let facts = |seat| {
            let facts = table.board(eye, seat).facts;
            facts.into_iter().map(|(label, value)| format!("{label} {value}")).collect::<Vec<_>>()
        };
        assert_eq!(facts(A), ["ships CBDSP", "shots 17", "hits 17"]);
        assert_eq!(facts(B), ["ships cbdsp", "shots 0", "hits 0", "out all ships sunk"]);
        assert!(table.board(eye, B).fleet.iter().all(|ship| ship.sunk));
        assert_eq!(table.board(eye, B).measures, [("ships", 0), ("hits", 0)]);
    }
}

#[test]
fn all_eyes_see_whose_salvo_it_is_and_what_it_sank() {
    let mut table = Match::new(3, 100);
    assert_eq!(table.game.scene(Eye::Everyone).mover, None);
    table.place_all();
    let eyes = [Eye::Referee, EYE_A, EYE_B, Eye::Everyone];
    let told = |table: &Match| {
        let scenes = eyes.map(|eye| table.game.scene(eye)).map(|scene| (scene.mover, scene.total, scene.sinkings));
        assert!(scenes.iter().all(|scene| *scene == scenes[0]), "{scenes:?}");
        scenes[0].clone()
    };
    let mover = |seat, left, shots| Some(Mover { seat, shots, left });
    let sinking = |by, target, letter| Sinking { by, target, letter };
    assert_eq!(told(&table), (mover(A, 5, 5), None, vec![]));
    table.fire(B, 0, 4);
    assert_eq!(told(&table), (mover(A, 4, 5), None, vec![]), "nobody else knows where it fell");
    table.fire(B, 1, 4);
    assert_eq!(told(&table), (mover(A, 3, 5), None, vec![sinking(A, B, 'P')]));
    table.lapse();
    let total = Some(SalvoTotal { seat: A, shots: 2, hits: 2 });
    assert_eq!(told(&table), (mover(B, 4, 4), total, vec![sinking(A, B, 'P')]));
    table.fire(c(), 0, 4).fire(c(), 1, 4);
    assert_eq!(told(&table), (mover(B, 2, 4), None, vec![sinking(A, B, 'P'), sinking(B, c(), 'P')]));
}

#[test]
fn nobody_is_to_move_when_the_match_is_over() {
    let mut table = Match::set(2);
    table.sink(A, B, &ShipKind::ALL);
    let scene = table.game.scene(Eye::Everyone);
    assert_eq!(scene.mover, None);
    assert_eq!(scene.total, Some(SalvoTotal { seat: A, shots: 2, hits: 2 }), "the last two of 17 cells");
    assert_eq!(scene.sinkings.iter().map(|one| one.letter).collect::<String>(), "CBDSP");
}

#[test]
fn row_0_is_at_the_top() {
    let look = Salvo::look();
    assert_eq!(look.first_row, FirstRow::Top);
    assert_eq!(look.ships.iter().map(|ship| ship.letter).collect::<String>(), "CBDSP");
}
