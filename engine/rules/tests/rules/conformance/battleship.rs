//! Any Battleship among the games.

use super::{Listener, Suite, hold};
use crate::battleship::{any_order, harmless, rules};
use rules::battleship::{
    Battleship, BoardView, Event, Fleets, Known, Order, Placed, Rules, Shot, ShotResult, Shots, SpecialKind, ToldSunk,
    Turns, View,
};
use rules::{Listed, Log, Point, Seat};

fn suite(settings: Vec<Rules>, seats: &'static [u8]) -> Suite<Battleship> {
    Suite {
        settings,
        seats,
        most_turns: 100_000,
        any_order,
        harmless: |game, seat| Ok(harmless(game, seat)),
        is_refusal: |event, seat| Battleship::refused(event) == Some(seat),
        depends_on_secrets: |_| false,
        // Where all see all shots they are told mistakes and special actions as well.
        is_announced: |event| matches!(event, Event::Refused { .. } | Event::Used { .. }),
        listener: |rules, seat, seats| Box::new(Heard::new(rules, seat, seats)),
    }
}

#[test]
fn a_battleship_for_two_is_a_game() {
    let classic = r#"{}"#;
    let russian = r#"{
        "fleet": [{"name": "four", "size": 4}, {"name": "three", "count": 2, "size": 3},
                  {"name": "two", "count": 3, "size": 2}, {"name": "one", "count": 4, "size": 1}],
        "touching": "none", "again": "on-hit", "told": {"sunk": "around"}, "first": "drawn",
        "repeated": "refused", "off-board": "refused", "bad-fleet": "refused", "no-answer": "refused"}"#;
    let salvo = r#"{
        "shots": "ships-afloat", "told": {"hit": "total", "sunk": "that"}, "seen": false,
        "repeated": "loses", "off-board": "wasted", "bad-fleet": "drawn", "no-answer": "wasted", "retries": 1}"#;
    let together = r#"{
        "turns": "together", "shots": "longest-afloat", "told": {"sunk": "size"}, "limit": {"turns": 9, "then": "cells-left"},
        "off-board": "refused", "bad-fleet": "drawn", "no-answer": "refused", "retries": 2}"#;
    let special = r####"{
        "board": {"width": 9, "height": 7}, "mirror": true, "touching": "corners", "again": "on-hit-unless-sunk",
        "fleet": [{"name": "shape", "shape": ["#.#", "###"], "armour": 2}, {"name": "boat", "count": 3, "size": 2},
                  {"name": "spy", "size": 1}],
        "specials": [{"name": "radar", "kind": "radar", "area": ["###", "###", "###"], "uses": 3},
                     {"name": "old radar", "kind": "radar", "area": ["##.##"], "uses": 3, "misses": ["spy"]},
                     {"name": "cross", "kind": "area-shot", "area": [".#.", "###", ".#."], "needs": "shape"},
                     {"name": "sonar", "kind": "sonar", "uses": 9}],
        "told": {"sunk": "cells"}, "limit": {"turns": 60, "then": "hits"}, "off-board": "refused", "retries": 10}"####;
    let unseen = special.replace("\"mirror\": true", "\"seen\": false");
    let all = [classic, russian, salvo, together, special, &unseen];
    hold(&suite(all.iter().map(|text| rules(text)).collect(), &[2]));
}

const SMALL: &str = r####"{
    "board": {"width": 6, "height": 5}, "seats": 16, "fleet": [{"name": "three", "size": 3}, {"name": "two", "size": 2}],
    "specials": [{"name": "radar", "kind": "radar", "area": ["###", "###", "###"]}, {"name": "sonar", "kind": "sonar"}]"####;

#[test]
fn a_battleship_for_many_is_a_game() {
    let drawn =
        r#", "fleets": "drawn", "shots": 3, "told": {"hit": "total", "sunk": "nothing"}, "no-answer": "refused"}"#;
    let blind = r#", "turns": "together", "shots": "own-cells-afloat", "seen": false, "bad-fleet": "refused"}"#;
    let all = ["}", drawn, blind].map(|more| rules(&format!("{SMALL}{more}")));
    hold(&suite(all[..2].to_vec(), &[3, 5]));
    hold(&suite(all[1..].to_vec(), &[16]));
}

#[test]
fn a_battleship_alone_is_a_game() {
    let one = r#", "turns": "solo", "told": {"sunk": "cells"}}"#;
    let salvo =
        r#", "turns": "solo", "shots": 4, "told": {"hit": "total"}, "limit": {"turns": 5}, "repeated": "refused"}"#;
    hold(&suite([one, salvo].iter().map(|more| rules(&format!("{SMALL}{more}"))).collect(), &[1, 2, 3]));
}

/// The view of a seat, put together from what is told.
struct Heard {
    view: View,
    fired: Vec<Vec<Shot>>,
    /// The ships of the last order that placed some.
    ordered: Vec<Placed>,
}

impl Heard {
    fn new(rules: &Rules, seat: Seat, seats: u8) -> Heard {
        let choices = rules.choices();
        let board = BoardView { is_in: true, cells: vec![Known::Unknown; rules.grid().len()] };
        let view = View {
            seat,
            rules: rules.clone(),
            turn: 0,
            placing: choices.fleets == Fleets::Placed && choices.turns != Turns::Solo,
            shots: 1,
            moves_left: 0,
            fleet: None,
            boards: (0..seats).map(|_| board.clone()).collect(),
            fired: (0..seats).map(|_| Log::default()).collect(),
            hits: Vec::new(),
            sunk: Vec::new(),
            found: Vec::new(),
            uses: choices.specials.iter().map(|special| special.uses).collect(),
            refused: None,
        };
        Heard { view, fired: vec![Vec::new(); seats.into()], ordered: Vec::new() }
    }

    /// Adds what is known of a cell, if it lies on the board and is more than was known.
    fn know(&mut self, at: Seat, cell: Point, known: Known) {
        if let Some(index) = self.view.rules.grid().index(cell) {
            let cells = &mut self.view.boards[at].cells;
            cells[index] = cells[index].max(known);
        }
    }

    fn placed(&mut self) {
        let mut left = self.ordered.clone();
        let ships = self.view.rules.ships().iter().map(|ship| {
            let nth = left.iter().position(|placed| placed.name.as_deref() == Some(&ship.name)).unwrap();
            left.remove(nth).cells
        });
        self.view.fleet = Some(ships.collect());
    }

    fn hear(&mut self, event: &Event) {
        let own = self.view.seat;
        match event {
            Event::Placed(seat) => {
                self.view.placing = false;
                if *seat == own && self.view.fleet.is_none() {
                    self.placed();
                }
            }
            Event::Drawn(_, fleet) => self.view.fleet = Some(fleet.clone()),
            Event::Fired(shot) => {
                self.fired[shot.by.index()].push(*shot);
                let known = match shot.result {
                    ShotResult::Miss => Known::Miss,
                    ShotResult::Damaged => Known::Damaged,
                    ShotResult::Hit | ShotResult::Again => Known::Hit,
                    ShotResult::Sunk => Known::Sunk,
                    ShotResult::Untold => Known::Shot,
                };
                self.know(shot.at, shot.cell, known);
            }
            Event::Hits(hits) => self.view.hits.push(*hits),
            Event::Sunk(sinking) => {
                self.view.sunk.push(sinking.clone());
                let is_around = self.view.rules.choices().told.sunk == ToldSunk::Around;
                for &cell in &sinking.cells {
                    self.know(sinking.at, cell, Known::Sunk);
                    for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|_| is_around) {
                        self.know(sinking.at, Point::new(cell.x + dx, cell.y + dy), Known::Water);
                    }
                }
            }
            Event::Used { seat, special, .. } => self.view.uses[*special] -= u8::from(*seat == own),
            Event::Found(found) => {
                let special = &self.view.rules.choices().specials[found.special];
                let is_complete = special.kind == SpecialKind::Radar && special.misses.is_empty();
                let cells: Vec<Point> = self.view.rules.area_at(found.special, found.aim).collect();
                for cell in cells.into_iter().filter(|_| is_complete) {
                    self.know(found.at, cell, if found.ships.contains(&cell) { Known::Ship } else { Known::Water });
                }
                found.ships.iter().for_each(|cell| self.know(found.at, *cell, Known::Ship));
                self.view.found.push(found.clone());
            }
            Event::Refused { seat, why, .. } if *seat == own => self.view.refused = Some(why.clone()),
            Event::Out(seat) => self.view.boards[*seat].is_in = false,
            Event::Refused { .. } => {}
        }
    }
}

impl Listener<Battleship> for Heard {
    fn turn(&mut self, own: Option<&Order>, heard: &[Event]) {
        self.view.turn += 1;
        if own.is_some() {
            self.view.refused = None;
        }
        if let Some(Order::Place(ships)) = own {
            self.ordered = ships.clone();
        }
        heard.iter().for_each(|event| self.hear(event));
    }

    fn compare(&self, view: &View) {
        let choices = view.rules.choices();
        // A seat counts its own moves.
        let mut known = View { fired: view.fired.clone(), moves_left: view.moves_left, ..self.view.clone() };
        match choices.shots {
            Shots::Fixed(shots) => known.shots = shots.into(),
            // The ships of the seat that are left are not told where shots are not seen.
            Shots::Counted(_) => known.shots = view.shots,
        }
        // Fleets that are drawn are there before the first turn.
        if choices.fleets == Fleets::Drawn && choices.turns != Turns::Solo {
            known.fleet.clone_from(&view.fleet);
        }
        assert_eq!(&known, view);
        let fired = view.fired.iter().map(|(_, fired)| fired.iter().copied().collect::<Vec<Shot>>());
        assert_eq!(self.fired, fired.collect::<Vec<_>>());
    }
}
