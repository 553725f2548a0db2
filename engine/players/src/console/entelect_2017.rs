//! The Entelect Challenge 2017 at the console.

use super::console_game::ConsoleGame;
use super::fleet_plan::{FleetPlan, FleetShip, PlacedShip};
use super::person_game::{Aim, OrderHint, PersonGame};
use arena::Ask;
use rules::entelect_2017::{Entelect2017, Order, Phase, Placement, Settings, Ship, ShipPlacement, View, Weapon};
use rules::{Point, Random};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The words for the weapons, in the order of [`Weapon::ALL`].
const WEAPON_WORDS: [&str; 7] = ["fire", "vertical", "horizontal", "corner", "diagonal", "cross", "seeker"];
/// The names of the ships in lower case, in the order of [`Ship::ALL`].
const SHIP_WORDS: [&str; 5] = ["submarine", "destroyer", "battleship", "carrier", "cruiser"];

/// The cells that a weapon strikes, relative to the one that is named with it.
fn struck(weapon: Weapon) -> &'static str {
    match weapon {
        Weapon::SingleShot => "the cell",
        Weapon::DoubleShotVertical => "above and below it",
        Weapon::DoubleShotHorizontal => "left and right of it",
        Weapon::CornerShot => "the 4 corners around",
        Weapon::DiagonalCrossShot => "diagonal cross, 5",
        Weapon::CrossShot => "upright cross, 5",
        Weapon::SeekerMissile => "nearest ship, within 2",
    }
}

fn fleet_ship(ship: Ship) -> FleetShip {
    FleetShip::straight(SHIP_WORDS[ship.index()], ship.letter(), ship.length(), &FleetShip::compass())
}

impl PersonGame for Entelect2017 {
    fn plan(settings: &Settings) -> FleetPlan {
        FleetPlan {
            grid: settings.size.grid(),
            ships: Ship::ALL.map(fleet_ship).into(),
            near: Vec::new(),
            keys: FleetPlan::KEYS,
        }
    }

    fn random_fleet(settings: &Settings, random: &mut Random) -> Option<Vec<PlacedShip>> {
        let placed = |ship: ShipPlacement| fleet_ship(ship.ship).towards(ship.start, ship.direction);
        Some(Placement::at_random(settings.size, random)?.ships.map(placed).into())
    }

    fn is_placing(view: &View) -> bool {
        view.phase == Phase::One
    }

    fn place(_: &Settings, fleet: &[PlacedShip]) -> Order {
        let ship = |placed: &PlacedShip| ShipPlacement {
            ship: Ship::from_name(&placed.ship.name).expect("the plan has these names"),
            start: placed.start,
            direction: placed.direction(),
        };
        let ships: Vec<ShipPlacement> = fleet.iter().map(ship).collect();
        Placement::new(ships.try_into().expect("a whole fleet has five ships")).into()
    }

    fn orders(_: &View, Aim { at: centre, .. }: Aim, _: &[Aim]) -> Vec<(Cow<'static, str>, Order)> {
        let weapons = WEAPON_WORDS.into_iter().zip(Weapon::ALL);
        let fire = weapons.map(|(word, weapon)| (word.into(), Order::Fire { weapon, centre }));
        fire.chain([("shield".into(), Order::Shield { centre })]).collect()
    }

    fn hint(view: &View, order: &Order) -> OrderHint {
        match order {
            Order::Fire { weapon, .. } => OrderHint {
                text: format!("{}: {} energy", struck(*weapon), weapon.energy(view.size)),
                pattern: weapon.pattern().to_vec(),
                ..OrderHint::default()
            },
            Order::Shield { .. } => {
                let shield = &view.own.shield;
                OrderHint {
                    text: format!("on your own board, for {} rounds", shield.charges),
                    pattern: OrderHint::square(i32::try_from(shield.radius).unwrap_or_default()),
                    is_at_own_board: true,
                    ..OrderHint::default()
                }
            }
            _ => OrderHint::default(),
        }
    }

    fn pass() -> Option<Order> {
        Some(Order::DoNothing)
    }

    fn moment(view: &View) -> String {
        format!("round {} ({} energy)", view.round, view.own.energy)
    }

    fn wasted(view: &View, order: &Order) -> Option<Point> {
        let Order::Fire { weapon: Weapon::SingleShot, centre } = order else { return None };
        let cell = view.opponent.cell(view.size, *centre)?;
        // What a shield has caught may be hit when it is down.
        (cell.damaged || cell.missed).then_some(*centre)
    }
}

impl ConsoleGame for Entelect2017 {
    /// The codes of command.txt count the orders as [`PersonGame::orders`] does.
    const HAS_CODES: bool = true;

    /// All commands with their energy, and whether each can be used now.
    fn help(ask: &Ask<'_, Entelect2017>) -> String {
        let view = ask.view();
        // Any point on the map will do to find out whether a weapon can be fired at all.
        let centre = Point::default();
        let usable =
            |order: &Order| ask.check(order).map_or_else(|illegal| format!("no: {illegal}"), |()| "yes".to_owned());
        let mut text =
            format!("You have {} energy. Commands, with x and y of the target or centre:\n", view.own.energy);
        for (weapon, word) in Weapon::ALL.into_iter().zip(WEAPON_WORDS) {
            let energy = weapon.energy(view.size);
            let now = usable(&Order::Fire { weapon, centre });
            let _ = writeln!(text, "  {:<14} {:<22} {energy:>3} energy  {now}", format!("{word} X Y"), struck(weapon));
        }
        let now = usable(&Order::Shield { centre });
        let shield = &view.own.shield;
        let lasts = format!("for {} rounds, radius {}", shield.charges, shield.radius);
        let _ = writeln!(text, "  {:<14} {lasts:<22}   0 energy  {now}", "shield X Y");
        text.push_str("  pass           nothing\nA code as in command.txt works too: 1,3,4.");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::console_game::{Input, read};
    use super::*;
    use rules::{Game, Seat};

    fn shot(line: &str) -> Input<Order> {
        let game = Entelect2017::start(&Settings::default(), 2, 1).unwrap();
        read::<Entelect2017>(&game.view(Seat::A), line)
    }

    fn fired(weapon: Weapon, x: i32, y: i32) -> Input<Order> {
        Input::Order(Order::Fire { weapon, centre: Point::new(x, y) })
    }

    #[test]
    fn shots_may_be_typed_as_cells_as_words_as_codes_and_shortened() {
        for line in ["3 4", "3,4", "D4", "fire 3 4", " F 3, 4 ", "fire d4", "1,3,4"] {
            assert_eq!(shot(line), fired(Weapon::SingleShot, 3, 4), "{line}");
        }
        assert_eq!(shot("cro 0 -1"), fired(Weapon::CrossShot, 0, -1));
        assert_eq!(shot("7 2 2"), fired(Weapon::SeekerMissile, 2, 2));
        assert_eq!(shot("seeker c2"), fired(Weapon::SeekerMissile, 2, 2));
        assert_eq!(shot("8,2,2"), Input::Order(Order::Shield { centre: Point::new(2, 2) }));
        assert_eq!(shot("pass"), Input::Order(Order::DoNothing));
        assert_eq!(shot(""), Input::Nothing);
        assert_eq!(shot("HELP"), Input::Help);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |line: &str| match shot(line) {
            Input::Wrong(why) => why,
            other => panic!("{other:?} should be wrong"),
        };
        assert!(wrong("c 1 1").contains("corner, cross"));
        assert!(wrong("9,1,1").contains("from 1 to 8"));
        assert!(wrong("0,1,1").contains("from 1 to 8"));
        assert!(wrong("fire a 1").contains("'a'"));
        assert!(wrong("boom 1 1").contains("boom"));
        assert!(wrong("fire 1").contains("not understood"));
    }
}
