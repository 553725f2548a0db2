//! Salvo for people: in the browser, and for clients of a server. There is no console for it in a match on this machine.

use super::fleet_plan::{FleetPlan, FleetShip, PlacedShip};
use super::person_game::{Aim, PersonGame};
use rules::salvo::{BOARD, Order, Orientation, Placement, Salvo, Settings, ShipKind, View, random_fleet};
use rules::{Direction, Point, Random};
use std::borrow::Cow;

fn fleet_ship(ship: ShipKind) -> FleetShip {
    // Ships are counted from the corner of (0, 0), which is at the top.
    let directions = [("horizontal", Direction::East), ("vertical", Direction::North)];
    FleetShip::straight(ship.name(), ship.letter(), ship.length(), &directions)
}

fn placed_ship(ship: &Placement) -> PlacedShip {
    fleet_ship(ship.ship).towards(ship.at, ship.orientation.direction())
}

fn placement(placed: &PlacedShip) -> Placement {
    let ship = ShipKind::from_name(&placed.ship.name).expect("the plan has these names");
    Placement { ship, at: placed.start, orientation: Orientation::of(placed.direction()) }
}

impl PersonGame for Salvo {
    fn plan(_: &Settings) -> FleetPlan {
        FleetPlan {
            grid: BOARD,
            ships: ShipKind::ALL.map(fleet_ship).into(),
            near: Vec::new(),
            keys: "Enter                places all ships at random, too",
        }
    }

    fn random_fleet(_: &Settings, random: &mut Random) -> Option<Vec<PlacedShip>> {
        Some(random_fleet(random).iter().map(placed_ship).collect())
    }

    fn is_placing(view: &View) -> bool {
        view.turn == 0
    }

    fn place(_: &Settings, fleet: &[PlacedShip]) -> Order {
        Order::Place(fleet.iter().map(placement).collect())
    }

    fn orders(_: &View, Aim { target, at }: Aim, _: &[Aim]) -> Vec<(Cow<'static, str>, Order)> {
        vec![("fire".into(), Order::Fire { target, at })]
    }

    fn moment(view: &View) -> String {
        match view.salvo {
            Some(salvo) => format!("round {}, shot {} of {}", view.round, salvo.shots - salvo.left + 1, salvo.shots),
            None => "the fleets".to_owned(),
        }
    }

    fn result(view: &View, last: &Order) -> Option<String> {
        let Order::Fire { .. } = last else { return None };
        let salvo = view.last.filter(|last| last.seat == view.seat && view.own_shots.is_empty())?;
        Some(format!("{} of your {} hit.", salvo.hits, rules::counted(salvo.shots.into(), "shot")))
    }

    fn wasted(view: &View, order: &Order) -> Option<Point> {
        let Order::Fire { target, at } = *order else { return None };
        let shots = view.own_salvos.iter().flat_map(|salvo| &salvo.shots).chain(&view.own_shots);
        shots.into_iter().any(|shot| shot.target == target && shot.at == at).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_fleet_lies_as_the_order_says() {
        let fleet = random_fleet(&mut rules::random(3));
        let placed: Vec<PlacedShip> = fleet.iter().map(placed_ship).collect();
        assert_eq!(Salvo::place(&Settings::default(), &placed), Order::Place(fleet));
        let mut entry = crate::FleetEntry::new(Salvo::plan(&Settings::default()));
        assert!(placed.into_iter().all(|ship| entry.put(ship).is_ok()) && entry.is_complete());
    }
}
