//! botsArena at the console.

use super::console_game::ConsoleGame;
use super::fleet_plan::{FleetPlan, FleetShip, PlacedShip};
use super::person_game::{Aim, PersonGame};
use arena::Ask;
use rules::bots_arena::{BotsArena, LONGEST, Order, Settings, StrikeResult, View, place_at_random};
use rules::{Direction, Point, Random};
use std::borrow::Cow;

/// The names of ships by their length, from 1 on.
const SHIP_WORDS: [&str; LONGEST] = ["ship1", "ship2", "ship3", "ship4", "ship5", "ship6"];

/// The ship of this length, 1 to 6.
fn fleet_ship(length: u8) -> FleetShip {
    let name = SHIP_WORDS[usize::from(length) - 1];
    FleetShip::straight(name, char::from(b'0' + length), length, &FleetShip::compass())
}

impl PersonGame for BotsArena {
    fn plan(settings: &Settings) -> FleetPlan {
        FleetPlan {
            grid: settings.grid(),
            ships: settings.lengths().into_iter().map(fleet_ship).collect(),
            near: Vec::new(),
            keys: FleetPlan::KEYS,
        }
    }

    fn random_fleet(settings: &Settings, random: &mut Random) -> Option<Vec<PlacedShip>> {
        let placed = |(one, other): (Point, Point)| {
            let length = (one.x.abs_diff(other.x) + one.y.abs_diff(other.y) + 1) as u8;
            let direction = if one.x == other.x { Direction::North } else { Direction::East };
            fleet_ship(length).towards(one.min(other), direction)
        };
        Some(place_at_random(settings, random)?.into_iter().map(placed).collect())
    }

    fn is_placing(view: &View) -> bool {
        view.placing
    }

    fn place(_: &Settings, fleet: &[PlacedShip]) -> Order {
        let ends = |placed: &PlacedShip| (placed.start, placed.cells().flatten().last().unwrap_or(placed.start));
        Order::Place(fleet.iter().map(ends).collect())
    }

    fn orders(_: &View, aim: Aim, _: &[Aim]) -> Vec<(Cow<'static, str>, Order)> {
        vec![("fire".into(), Order::Strike(aim.at))]
    }

    fn moment(view: &View) -> String {
        format!("strike {}", view.own_strikes.len() + 1)
    }

    fn result(view: &View, last: &Order) -> Option<String> {
        let strike = view.own_strikes.last().filter(|_| matches!(last, Order::Strike(_)))?;
        let result = if strike.result == StrikeResult::Nothing { "miss" } else { strike.result.text() };
        Some(format!("Your strike at {}: {result}.", strike.target))
    }

    fn wasted(view: &View, order: &Order) -> Option<Point> {
        let Order::Strike(at) = *order else { return None };
        view.own_strikes.iter().any(|strike| strike.target == at).then_some(at)
    }
}

impl ConsoleGame for BotsArena {
    fn help(_: &Ask<'_, BotsArena>) -> String {
        "Commands, with x and y of the target:\n  fire X Y       strikes at a cell".to_owned()
    }
}
