//! Salvo among the games.

use super::{Listener, Suite, hold};
use rand::RngExt;
use rules::salvo::{
    Event, Order, OwnSalvo, OwnShot, Placement, PlayerView, ReceivedShot, Salvo, Settings, ShipKind, View, random_fleet,
};
use rules::{Answer, Fault, Game, Listed, Mover, Point, Random, SalvoTotal, Seat};

#[test]
fn salvo_is_a_game() {
    // A match of sixteen takes most of the time.
    for (seats, rounds) in [(&[2][..], &[1, 3][..]), (&[3, 4], &[1, 3]), (&[16], &[1])] {
        hold(&Suite::<Salvo> {
            settings: rounds.iter().map(|&rounds_without_sinking| Settings { rounds_without_sinking }).collect(),
            seats,
            most_turns: 20_000,
            any_order,
            harmless,
            is_refusal: |event: &Event, seat| Salvo::refused(event) == Some(seat),
            depends_on_secrets: |_| false,
            // Everyone is told why a shot lapsed and why a player is out (docs/rulings.md).
            is_announced: |event| matches!(event, Event::Lapsed { .. } | Event::Removed { .. }),
            listener: |_, seat, seats| Box::new(Heard::new(seat, seats)),
        });
    }
}

struct Heard {
    view: View,
    first: Option<Seat>,
}

impl Heard {
    fn new(seat: Seat, seats: u8) -> Heard {
        let players = (0..seats).map(|_| PlayerView { is_in: true, afloat: Vec::new() }).collect();
        let view = View {
            seat,
            turn: 0,
            round: 0,
            salvo: None,
            last: None,
            players,
            fleet: Vec::new(),
            received: Vec::new(),
            own_salvos: Vec::new(),
            own_shots: Vec::new(),
        };
        Heard { view, first: None }
    }

    /// The number of seats after the one that had the first salvo.
    fn place(&self, seat: Seat) -> usize {
        let count = self.view.players.len();
        (seat.index() + count - self.first.unwrap().index()) % count
    }

    fn hear(&mut self, own: Option<&Order>, event: &Event) {
        let view = &mut self.view;
        match *event {
            Event::Placed { seat } => {
                view.players[seat].afloat = ShipKind::ALL.to_vec();
                if let (true, Some(Order::Place(fleet))) = (seat == view.seat, own) {
                    view.fleet = fleet.clone();
                    view.fleet.sort_by_key(|ship| ship.ship);
                }
            }
            Event::Removed { seat, .. } | Event::Defeated { seat } => view.players[seat].is_in = false,
            Event::Turn { seat, shots } => {
                let before = self.view.last.map(|last| last.seat);
                self.first.get_or_insert(seat);
                let is_new = before.is_none_or(|before| self.place(seat) <= self.place(before));
                self.view.round += u32::from(is_new);
                self.view.salvo = Some(Mover { seat, shots, left: shots });
            }
            Event::Fired { target, at, .. } => view.own_shots.push(OwnShot { target, at, sank: None }),
            Event::Incoming { seat, at, found, .. } => view.received.push(ReceivedShot { by: seat, at, found }),
            Event::Sunk { seat, target, ship } => {
                view.players[target].afloat.retain(|afloat| *afloat != ship);
                if seat == view.seat {
                    view.own_shots.last_mut().unwrap().sank = Some(ship);
                }
            }
            // One of them is counted with the turn.
            Event::Lapsed { shots, .. } => view.salvo.as_mut().unwrap().left -= shots - 1,
            Event::SalvoOver { seat, shots, hits } => {
                view.salvo = None;
                view.last = Some(SalvoTotal { seat, shots, hits });
                if seat == view.seat {
                    view.own_salvos.push(OwnSalvo { shots: std::mem::take(&mut view.own_shots), hits });
                }
            }
        }
    }
}

impl Listener<Salvo> for Heard {
    fn turn(&mut self, own: Option<&Order>, heard: &[Event]) {
        self.view.turn += 1;
        if let Some(salvo) = &mut self.view.salvo {
            salvo.left -= 1;
        }
        heard.iter().for_each(|event| self.hear(own, event));
    }

    fn compare(&self, view: &View) {
        assert_eq!(&self.view, view);
    }
}

#[test]
fn a_match_ends_by_sinking_if_rounds_enough_are_allowed() {
    for seats in [2, 3, 16] {
        let mut game = Salvo::start(&Settings::default(), seats, 1).unwrap();
        let mut random = rules::random(1);
        while game.outcome().is_none() {
            let orders: Vec<_> = game.awaited().iter().map(|seat| (seat, legal(&game, seat, &mut random))).collect();
            game.advance(orders.into_iter().map(|(seat, order)| (seat, Ok(order))).collect());
        }
        assert!(game.outcome().unwrap().winner.is_some());
    }
}

/// Most are allowed. Some are nonsense, which costs a place at the table or a shot.
fn any_order(game: &Salvo, seat: Seat, random: &mut Random) -> Order {
    match (game.is_placing(), random.random_range(0..40)) {
        (true, 0) => Order::Place(spoilt_fleet(random)),
        (_, 1) => Order::Place(random_fleet(random)),
        (_, 2) => fire(Seat::new(random.random_range(0..Seat::MAX)).unwrap(), any_cell(random)),
        (false, 3) => fire(seat, any_cell(random)),
        (false, 4) => fire(Seat::A, Point::new(i32::MAX, i32::MIN)),
        (false, 5) => fire(Seat::B, Point::new(random.random_range(-1..11), random.random_range(-1..11))),
        _ => legal(game, seat, random),
    }
}

fn legal(game: &Salvo, seat: Seat, random: &mut Random) -> Order {
    if game.is_placing() {
        return Order::Place(random_fleet(random));
    }
    let others: Vec<Seat> = game.seats_in().iter().filter(|other| *other != seat).collect();
    // After the end there may be nobody left.
    let target = others.get(random.random_range(0..others.len().max(1))).copied().unwrap_or(seat);
    fire(target, any_cell(random))
}

fn fire(target: Seat, at: Point) -> Order {
    Order::Fire { target, at }
}

fn any_cell(random: &mut Random) -> Point {
    Point::new(random.random_range(0..10), random.random_range(0..10))
}

/// A fleet in which one ship may be another one, elsewhere or gone.
fn spoilt_fleet(random: &mut Random) -> Vec<Placement> {
    let mut fleet = random_fleet(random);
    let nth = random.random_range(0..fleet.len());
    match random.random_range(0..4) {
        0 => fleet[nth].ship = ShipKind::ALL[random.random_range(0..5)],
        1 => fleet[nth].at = Point::new(i32::MAX, i32::MIN),
        2 => fleet[nth].at = any_cell(random),
        _ => fleet.truncate(nth),
    }
    fleet
}

fn harmless(game: &Salvo, seat: Seat) -> Answer<Order> {
    if game.is_placing() {
        Ok(Order::Place(random_fleet(&mut rules::random(seat.index() as u64))))
    } else {
        Err(Fault::NothingWritten)
    }
}
