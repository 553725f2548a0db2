//! Sea Battle at the console.

use super::console_game::ConsoleGame;
use super::fleet_plan::{FleetPlan, FleetShip, PlacedShip};
use super::person_game::{Aim, OrderHint, PersonGame};
use arena::Ask;
use rules::sea_battle::{BOARD, FLEET, Order, SeaBattle, Settings, Ship, ShipKind, ShotResult, View, random_fleet};
use rules::{Direction, Point, Random};
use std::borrow::Cow;

fn fleet_ship(kind: ShipKind) -> FleetShip {
    FleetShip::straight(kind.name(), kind.letter(), kind.length(), &FleetShip::compass())
}

/// A ship whose cells are in one row or column.
fn placed_ship(ship: &Ship) -> Option<PlacedShip> {
    let (start, end) = (*ship.cells.iter().min()?, *ship.cells.iter().max()?);
    let direction = if start.x == end.x { Direction::North } else { Direction::East };
    Some(fleet_ship(ship.kind).towards(start, direction))
}

impl PersonGame for SeaBattle {
    fn plan(settings: &Settings) -> FleetPlan {
        FleetPlan {
            grid: BOARD,
            ships: FLEET.map(fleet_ship).into(),
            near: FleetPlan::near(|dx, dy| settings.profile.is_too_close(Point::default(), Point { x: dx, y: dy })),
            keys: FleetPlan::KEYS,
        }
    }

    fn random_fleet(_: &Settings, random: &mut Random) -> Option<Vec<PlacedShip>> {
        random_fleet(random).iter().map(placed_ship).collect()
    }

    fn is_placing(view: &View) -> bool {
        view.turn == 0
    }

    fn place(_: &Settings, fleet: &[PlacedShip]) -> Order {
        let ship = |placed: &PlacedShip| Ship {
            kind: ShipKind::from_name(&placed.ship.name).expect("the plan has these names"),
            cells: placed.cells().flatten().collect(),
        };
        Order::Place(fleet.iter().map(ship).collect())
    }

    fn orders(_: &View, Aim { at, .. }: Aim, _: &[Aim]) -> Vec<(Cow<'static, str>, Order)> {
        vec![("fire".into(), Order::Shoot(at)), ("radar".into(), Order::Radar(at))]
    }

    fn hint(_: &View, order: &Order) -> OrderHint {
        match order {
            Order::Radar(_) => OrderHint {
                text: "looks at nine cells, once in a match".to_owned(),
                pattern: OrderHint::square(1),
                ..OrderHint::default()
            },
            _ => OrderHint::default(),
        }
    }

    fn moment(view: &View) -> String {
        format!("move {}", view.own_shots.len() + view.scans.len() + 1)
    }

    fn result(view: &View, last: &Order) -> Option<String> {
        match last {
            Order::Place(_) => None,
            Order::Shoot(_) => {
                let shot = view.own_shots.last()?;
                Some(format!("Your shot at {}: {}.", shot.at, shot.result.name()))
            }
            Order::Radar(_) => {
                let scan = view.scans.last()?;
                let cells: Vec<String> = scan.visible.iter().map(|at| format!("{},{}", at.x, at.y)).collect();
                let seen = if cells.is_empty() { "nothing".to_owned() } else { cells.join(" ") };
                Some(format!("Your radar around {} sees {seen}.", scan.centre))
            }
        }
    }

    /// Armour makes a second shot at a hit useful, but not a third, and not one at a cell that had nothing left.
    fn wasted(view: &View, order: &Order) -> Option<Point> {
        let Order::Shoot(at) = *order else { return None };
        let shots = || view.own_shots.iter().filter(|shot| shot.at == at);
        let is_gone = shots().any(|shot| shot.result != ShotResult::Hit) || shots().count() >= 2;
        is_gone.then_some(at)
    }
}

impl ConsoleGame for SeaBattle {
    fn help(ask: &Ask<'_, SeaBattle>) -> String {
        let radar = if ask.view().radar_used { "used already" } else { "once in a match" };
        format!(
            "\
Commands, with x and y of the target or centre:
  fire X Y       fires at a cell; each cell of a battleship takes two hits
  radar X Y      looks at the nine cells around this one instead, {radar};
                 ? is a cell of a ship; submarines are not seen"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::sea_battle::{Profile, Shot};

    #[test]
    fn a_second_shot_at_a_hit_is_useful_and_at_water_it_is_not() {
        let at = Point::new(3, 4);
        let wasted = |results: &[ShotResult]| {
            let own_shots = results.iter().map(|&result| Shot { at, result }).collect();
            SeaBattle::wasted(&View { own_shots, ..View::default() }, &Order::Shoot(at)).is_some()
        };
        let (miss, hit, sunk) = (ShotResult::Miss, ShotResult::Hit, ShotResult::Sunk);
        let all = [&[][..], &[hit], &[miss], &[sunk], &[hit, hit], &[hit, miss]];
        assert_eq!(all.map(wasted), [false, false, true, true, true, true]);
    }

    #[test]
    fn ships_may_not_touch_as_the_profile_says() {
        let is_too_close = |profile, x, y| SeaBattle::plan(&Settings::of(profile)).near.contains(&(x, y));
        assert!(is_too_close(Profile::Text, 1, 0) && is_too_close(Profile::Text, 1, 1));
        assert!(!is_too_close(Profile::PublicServer, 1, 0) && is_too_close(Profile::PublicServer, 1, 1));
    }

    #[test]
    fn a_random_fleet_can_be_typed_ship_by_ship() {
        let mut random = rules::random(5);
        let fleet = SeaBattle::random_fleet(&Settings::default(), &mut random).unwrap();
        let mut entry = crate::FleetEntry::new(SeaBattle::plan(&Settings::default()));
        for placed in &fleet {
            let (at, to) = (placed.start, placed.direction().name());
            assert_eq!(entry.take(&format!("{} {} {} {to}", placed.ship.name, at.x, at.y), || None), None);
        }
        assert!(entry.is_complete() && entry.placed() == fleet);
    }
}
