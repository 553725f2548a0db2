//! Any Battleship by its rules, for people.

use super::console_game::ConsoleGame;
use super::fleet_plan::{FleetPlan, FleetShip, PlacedShip, ShipWay};
use super::person_game::{Aim, OrderHint, PersonGame};
use arena::Ask;
use rules::battleship::{
    Battleship, Finding, Known, Order, Placed, Rules, Shot, ShotResult, SpecialKind, Target, Touching, View,
    place_at_random,
};
use rules::{Point, Random, Seat};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The words by which a person names things: in lower case and without blanks, and none of them twice.
fn words<'a>(names: impl Iterator<Item = &'a str>, taken: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = taken.iter().map(|word| (*word).to_owned()).collect();
    for name in names {
        let mut word = name.to_lowercase().replace(|c: char| c.is_whitespace() || c == ',', "-");
        while words.contains(&word) {
            word.push('2');
        }
        words.push(word);
    }
    words.split_off(taken.len())
}

/// The ships in the order of the rules. Those of a kind have the letter of the first.
fn fleet_ships(rules: &Rules) -> Vec<FleetShip> {
    let words = words(rules.choices().fleet.iter().map(|entry| &*entry.name), &[]);
    let mut kinds: Vec<FleetShip> = Vec::new();
    let ship = |of: &rules::battleship::ShipType| {
        if kinds.len() <= of.kind {
            let ways = of.shape.ways();
            let name = |way: &[Point], number: usize| -> Cow<'static, str> {
                match of.shape.is_straight() {
                    true if way.iter().all(|step| step.y == 0) => "horizontal".into(),
                    true => "vertical".into(),
                    false => (number + 1).to_string().into(),
                }
            };
            let way = |(number, way): (usize, &Vec<Point>)| ShipWay {
                name: name(way, number),
                cells: way.iter().map(|step| (step.x, step.y)).collect(),
            };
            let ways = ways.iter().enumerate().map(way).collect();
            kinds.push(FleetShip { name: words[of.kind].clone().into(), letter: of.letter, ways });
        }
        kinds[of.kind].clone()
    };
    rules.ships().iter().map(ship).collect()
}

/// The words for the special actions.
fn special_words(rules: &Rules) -> Vec<String> {
    words(rules.choices().specials.iter().map(|special| &*special.name), &["fire", "help", "random", "undo"])
}

fn target(aim: &Aim) -> Target {
    Target { at: Some(aim.target), cell: aim.at }
}

impl PersonGame for Battleship {
    fn plan(rules: &Rules) -> FleetPlan {
        let near = match rules.choices().touching {
            Touching::Allowed => Vec::new(),
            Touching::Corners => FleetPlan::near(|dx, dy| dx == 0 || dy == 0),
            Touching::None => FleetPlan::near(|_, _| true),
        };
        FleetPlan { grid: rules.grid(), ships: fleet_ships(rules), near, keys: FleetPlan::KEYS }
    }

    fn random_fleet(rules: &Rules, random: &mut Random) -> Option<Vec<PlacedShip>> {
        let fleet = place_at_random(rules, random)?;
        let placed = |(ship, cells): (FleetShip, Vec<Point>)| {
            let least = |of: fn(&Point) -> i32| cells.iter().map(of).min();
            let start = Point { x: least(|cell| cell.x)?, y: least(|cell| cell.y)? };
            let lies = |way: &ShipWay| {
                way.cells.iter().all(|(dx, dy)| cells.contains(&Point { x: start.x + dx, y: start.y + dy }))
            };
            let way = ship.ways.iter().position(lies)?;
            Some(PlacedShip { ship, start, way })
        };
        fleet_ships(rules).into_iter().zip(fleet).map(placed).collect()
    }

    fn is_placing(view: &View) -> bool {
        view.placing
    }

    fn place(rules: &Rules, fleet: &[PlacedShip]) -> Order {
        let kinds = fleet_ships(rules);
        let name = |placed: &PlacedShip| {
            let is_it = |(kind, _): &(&FleetShip, _)| **kind == placed.ship;
            kinds.iter().zip(rules.ships()).find(is_it).map(|(_, ship)| ship.name.to_string())
        };
        let ship = |placed: &PlacedShip| Placed { name: name(placed), cells: placed.cells().flatten().collect() };
        Order::Place(fleet.iter().map(ship).collect())
    }

    fn orders(view: &View, aim: Aim, more: &[Aim]) -> Vec<(Cow<'static, str>, Order)> {
        let shots = [aim].iter().chain(more).map(target).collect();
        let specials = view.rules.choices().specials.iter().zip(special_words(&view.rules));
        let specials = specials
            .map(|(special, word)| (word.into(), Order::Use { special: special.name.clone(), aim: target(&aim) }));
        [("fire".into(), Order::Fire(shots))].into_iter().chain(specials).collect()
    }

    fn hint(view: &View, order: &Order) -> OrderHint {
        let rules = &view.rules;
        let plain = OrderHint { is_at_own_board: rules.is_solo(), ..OrderHint::default() };
        let Order::Use { special, .. } = order else {
            let most = view.shots.max(1) as usize;
            let text = if most > 1 { format!("at up to {most} cells") } else { String::new() };
            return OrderHint { text, most, ..plain };
        };
        let specials = rules.choices().specials.iter();
        let Some((number, special)) = specials.enumerate().find(|(_, of)| of.name == *special) else { return plain };
        let does = match special.kind {
            SpecialKind::Radar => "looks for ships",
            SpecialKind::AreaShot => "fires at all cells",
            SpecialKind::Sonar => "tells the steps to the nearest ship",
        };
        let misses =
            if special.misses.is_empty() { String::new() } else { format!(", not for {}", special.misses.join(", ")) };
        let needs = special.needs.as_ref().map(|ship| format!(", needs the {ship} afloat")).unwrap_or_default();
        let text = format!("{does}{misses}{needs}, {} left", rules::counted(view.uses[number].into(), "use"));
        let area: Vec<(i32, i32)> = rules.area(number).iter().map(|step| (step.x, step.y)).collect();
        OrderHint { text, pattern: if area.is_empty() { vec![(0, 0)] } else { area }, ..plain }
    }

    fn moment(view: &View) -> String {
        match view.shots {
            0 | 1 => format!("turn {}", view.turn),
            shots => format!("turn {}, {shots} shots", view.turn),
        }
    }

    fn result(view: &View, last: &Order) -> Option<String> {
        match last {
            Order::Place(_) => None,
            Order::Fire(_) => fired(view),
            Order::Use { .. } => found(view, view.found.last()?).or_else(|| fired(view)),
        }
    }

    fn wasted(view: &View, order: &Order) -> Option<Point> {
        let Order::Fire(shots) = order else { return None };
        let is_spent = |shot: &&Target| {
            let known = shot.at.filter(|at| at.index() < view.boards.len()).zip(view.rules.grid().index(shot.cell));
            known.is_some_and(|(at, index)| match view.boards[at].cells[index] {
                Known::Shot => view.rules.most_armour() == 1,
                known => known.is_spent(),
            })
        };
        shots.iter().find(is_spent).map(|shot| shot.cell)
    }
}

/// The results of the shots of the person's last move.
fn fired(view: &View) -> Option<String> {
    let turn = view.fired[view.seat].last()?.turn;
    let shots: Vec<&Shot> = view.fired[view.seat].iter().rev().take_while(|shot| shot.turn == turn).collect();
    if let Some(hits) = view.hits.iter().rev().find(|hits| (hits.turn, hits.by) == (turn, view.seat)) {
        return Some(format!("{} of your {} hit.", hits.hits, rules::counted(hits.shots, "shot")));
    }
    let of = |shot: &&Shot| match shot.result {
        ShotResult::Untold => None,
        result => Some(format!("{},{}: {}", shot.cell.x, shot.cell.y, result.name().replace('-', " "))),
    };
    let results: Vec<String> = shots.iter().rev().filter_map(of).collect();
    let word = if results.len() == 1 { "shot" } else { "shots" };
    (!results.is_empty()).then(|| format!("Your {word} at {}.", results.join("; ")))
}

/// The result of a radar or a sonar of the last move.
fn found(view: &View, finding: &Finding) -> Option<String> {
    let is_last = view.fired[view.seat].last().is_none_or(|shot| shot.turn < finding.turn);
    let name = &view.rules.choices().specials[finding.special].name;
    let result = match finding.distance {
        Some(steps) => format!("is {} from a ship", rules::counted(steps, "step")),
        None if finding.ships.is_empty() => "sees nothing".to_owned(),
        None => {
            let cells: Vec<String> = finding.ships.iter().map(|at| format!("{},{}", at.x, at.y)).collect();
            format!("sees {}", cells.join(" "))
        }
    };
    is_last.then(|| format!("Your {name} at {},{} {result}.", finding.aim.x, finding.aim.y))
}

impl ConsoleGame for Battleship {
    fn targets(view: &View) -> Option<Vec<Seat>> {
        Some(view.targets().collect())
    }

    fn example(view: &View) -> String {
        match view.targets().collect::<Vec<_>>()[..] {
            [first, _, ..] => format!("{first} D4 or {first} 3 4"),
            _ if view.shots > 1 => "D4 E5 or 3 4 4 5".to_owned(),
            _ => "D4 or 3 4".to_owned(),
        }
    }

    fn help(ask: &Ask<'_, Battleship>) -> String {
        let view = ask.view();
        let seat = if view.targets().count() > 1 { "B " } else { "" };
        let mut text = "Commands, with x and y of the target or centre:\n".to_owned();
        let aim = Aim { target: view.targets().next().unwrap_or(view.seat), at: Point::default() };
        for (word, order) in Battleship::orders(&view, aim, &[]) {
            let hint = Battleship::hint(&view, &order);
            let does = if hint.text.is_empty() { "fires at a cell" } else { &hint.text };
            let more = if hint.most > 1 { " X Y …" } else { "" };
            let _ = writeln!(text, "  {:<20} {does}", format!("{word} {seat}X Y{more}"));
            text += &area(&hint.pattern);
        }
        if !seat.is_empty() {
            text.push_str("The letter before a cell is that of the player whose board it is on.");
        }
        text.trim_end().to_owned()
    }
}

/// An area drawn around its middle, which is `o` or, if it belongs to the area, `O`; nothing if it is the middle alone.
fn area(pattern: &[(i32, i32)]) -> String {
    let most = |of: fn(&(i32, i32)) -> i32| pattern.iter().map(of).max().unwrap_or(0);
    let (wide, high) = (most(|cell| cell.0.abs()), most(|cell| cell.1.abs()));
    let sign = |x: i32, y: i32| match (pattern.contains(&(x, y)), (x, y) == (0, 0)) {
        (true, true) => 'O',
        (false, true) => 'o',
        (true, false) => '#',
        (false, false) => ' ',
    };
    let row = |y| (-wide..=wide).map(|x| sign(x, y)).collect::<String>();
    let rows: Vec<String> = (-high..=high).map(row).collect();
    let rows = if pattern == [(0, 0)] { Vec::new() } else { rows };
    rows.iter().map(|row| format!("{:23}{}\n", "", row.trim_end())).collect()
}
