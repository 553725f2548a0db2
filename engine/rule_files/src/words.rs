//! Rules in words.

use rules::battleship::{
    Again, Choices, Consequence, First, FleetConsequence, FleetEntry, Fleets, Rules, ShotCount, Shots, SpecialKind,
    Then, ToldHits, ToldSunk, Touching, Turns,
};

/// The cells of the ships, as in `5, 4, 3 x 2`, in the order of the file.
pub fn fleet_in_words(rules: &Rules) -> String {
    let kinds = rules.choices().fleet.iter().enumerate().map(|(kind, entry)| {
        let ship = rules.ships().iter().find(|ship| ship.kind == kind);
        let cells = ship.map(|ship| ship.shape.size()).unwrap_or_default();
        if entry.count == 1 { cells.to_string() } else { format!("{} x {cells}", entry.count) }
    });
    kinds.collect::<Vec<_>>().join(", ")
}

/// The first sentence of a description.
pub fn first_sentence(about: &str) -> &str {
    let end = about.match_indices(['.', ':', ';']).map(|(at, mark)| at + mark.len());
    let is_end = |at: &usize| about[*at..].is_empty() || about[*at..].starts_with(char::is_whitespace);
    end.into_iter().find(is_end).map_or(about, |end| about[..end - 1].trim_end())
}

/// The rules in sentences for people.
pub fn plays(rules: &Rules) -> Vec<String> {
    let choices = rules.choices();
    let size = choices.board;
    let (least, most) = rules.seats().into_inner();
    let players = match (choices.turns, least == most) {
        (Turns::Solo, _) => format!("1 to {most} players, each alone against the same fleet"),
        (_, true) => format!("{most} players"),
        (_, false) => format!("{least} to {most} players"),
    };
    let mut lines = vec![format!("{players}, on {} x {}.", size.width, size.height), ships(rules)];
    lines.push(moves(choices));
    lines.push(told(choices));
    lines.extend(choices.specials.iter().enumerate().map(|(number, special)| {
        let area = rules.area(number).len();
        let kind = match special.kind {
            SpecialKind::Radar => format!("shows the cells of ships in an area of {area}"),
            SpecialKind::AreaShot => format!("shoots at all {area} cells of an area"),
            SpecialKind::Sonar => "tells the steps to the nearest ship".to_owned(),
        };
        let needs = special.needs.as_ref().map(|ship| format!(", while a {ship} is afloat")).unwrap_or_default();
        let misses = match &special.misses[..] {
            [] => String::new(),
            ships => format!(", but not those of {}", ships.join(" and ")),
        };
        format!(
            "Instead of its shots a player may use the {}, {}{needs}: it {kind}{misses}.",
            special.name,
            times(special.uses)
        )
    }));
    lines.push(mistakes(choices));
    let limit = rules.limit();
    let then = match (choices.turns, limit.then) {
        (Turns::Solo, _) => "the most hits win".to_owned(),
        (_, Then::Hits) => "the most hits win".to_owned(),
        (_, Then::ShipsSunk) => "who has sunk most ships has won".to_owned(),
        (_, Then::CellsLeft) => "who has most cells left has won".to_owned(),
        (_, Then::Draw) => "it is a draw".to_owned(),
    };
    let again = if choices.again == Again::Never { "" } else { ", moves again included" };
    lines.push(format!("After {} moves each{again}, {then}.", limit.turns));
    lines
}

fn times(uses: u8) -> String {
    if uses == 1 { "once".to_owned() } else { format!("{uses} times") }
}

fn ships(rules: &Rules) -> String {
    let choices = rules.choices();
    let kind = |(kind, entry): (usize, &FleetEntry)| {
        let ship = rules.ships().iter().find(|ship| ship.kind == kind);
        let cells = ship.map(|ship| ship.shape.size()).unwrap_or_default();
        let count = if entry.count == 1 { String::new() } else { format!("{} x ", entry.count) };
        let armour = if entry.armour == 1 { String::new() } else { format!(", {} hits a cell", entry.armour) };
        let bent = if ship.is_some_and(|ship| !ship.shape.is_straight()) { ", bent" } else { "" };
        format!("{count}{} ({cells}{bent}{armour})", entry.name)
    };
    let kinds: Vec<String> = choices.fleet.iter().enumerate().map(kind).collect();
    let touching = match choices.touching {
        Touching::Allowed => "may touch",
        Touching::Corners => "may touch by corners only",
        Touching::None => "do not touch",
    };
    let drawn = match (choices.turns, choices.fleets) {
        (Turns::Solo, _) | (_, Fleets::Drawn) => "drawn from the seed",
        _ => "placed by the players",
    };
    let is_mirrored = choices.mirror && rules.ships().iter().any(|ship| !ship.shape.is_straight());
    let mirrored = if is_mirrored { "may be mirrored, " } else { "" };
    format!("Ships: {}; {} in all. They {mirrored}{touching}, and are {drawn}.", kinds.join(", "), rules.ships().len())
}

fn moves(choices: &Choices) -> String {
    let shots = match choices.shots {
        Shots::Fixed(1) => "one shot".to_owned(),
        Shots::Fixed(shots) => format!("{shots} shots"),
        Shots::Counted(ShotCount::ShipsAfloat) => "a shot for each ship afloat".to_owned(),
        Shots::Counted(ShotCount::LongestAfloat) => "as many shots as the largest ship afloat has cells".to_owned(),
        Shots::Counted(ShotCount::OwnCellsAfloat) => "a shot for each cell that is not destroyed".to_owned(),
    };
    let order = match (choices.turns, choices.first) {
        (Turns::Alternate, First::A) => ", in turn from A on",
        (Turns::Alternate, First::Drawn) => ", in turn; who begins is drawn",
        (Turns::Together, _) => ", all at once",
        (Turns::Solo, _) => "; the fewest win",
    };
    let again = match choices.again {
        Again::Never => "",
        Again::OnHit => " Who hits moves again.",
        Again::OnHitUnlessSunk => " Who hits and sinks nothing moves again.",
    };
    format!("A move is {shots}{order}.{again}")
}

fn told(choices: &Choices) -> String {
    let hits = match choices.told.hit {
        ToldHits::Each => "each hit",
        ToldHits::Total => "the number of hits",
    };
    let sunk = match choices.told.sunk {
        ToldSunk::Nothing => "nothing of sinkings",
        ToldSunk::That => "that a ship was sunk",
        ToldSunk::Size => "the size of a ship that was sunk",
        ToldSunk::Name => "the name of a ship that was sunk",
        ToldSunk::Cells => "the cells of a ship that was sunk",
        ToldSunk::Around => "the cells of a ship that was sunk, with the water around",
    };
    let seen = match (choices.turns, choices.seen) {
        (Turns::Solo, _) => "",
        (_, true) => ", as all others are",
        (_, false) => "; others are told nothing of its shots",
    };
    format!("A player is told {hits} and {sunk}{seen}.")
}

fn mistakes(choices: &Choices) -> String {
    let cost = |of: Consequence| match of {
        Consequence::Wasted => "is wasted",
        Consequence::Refused => "is refused",
        Consequence::Loses => "loses",
    };
    let fleet = match (choices.turns, choices.fleets, choices.bad_fleet) {
        (Turns::Solo, ..) | (_, Fleets::Drawn, _) => "",
        (.., FleetConsequence::Drawn) => ", for a bad fleet one is drawn",
        (.., FleetConsequence::Refused) => ", a bad fleet is refused",
        (.., FleetConsequence::Loses) => ", a bad fleet loses",
    };
    let retries = match choices.asks_again() {
        true => format!(
            " What is refused is asked for again, {} a turn at most; then the player loses.",
            times(choices.retries)
        ),
        false => String::new(),
    };
    let [repeated, off_board, no_answer] = [choices.repeated, choices.off_board, choices.no_answer].map(cost);
    format!(
        "A shot at a cell with nothing left to hit {repeated}, one off the board {off_board}, a move without an answer {no_answer}{fleet}.{retries}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_a_mark() {
        assert_eq!(first_sentence("Battleship-v0 of a. b: c."), "Battleship-v0 of a");
        assert_eq!(first_sentence("man.battleships, for bots: five"), "man.battleships, for bots");
        assert_eq!((first_sentence("no end"), first_sentence("")), ("no end", ""));
    }

    #[test]
    fn rules_are_put_into_sentences() {
        let plays = |name: &str| plays(&crate::find(name).unwrap()).join("\n");
        let classic = "\
2 players, on 10 x 10.
Ships: carrier (5), battleship (4), cruiser (3), submarine (3), destroyer (2); 5 in all. They may touch, and are placed by the players.
A move is one shot, in turn from A on.
A player is told each hit and the name of a ship that was sunk, as all others are.
A shot at a cell with nothing left to hit is wasted, one off the board is wasted, a move without an answer loses, a bad fleet loses.
After 400 moves each, it is a draw.";
        assert_eq!(plays("classic"), classic);
        let radar = "Instead of its shots a player may use the radar, once: it shows the cells of ships in an area of 9, but not those of submarine.";
        assert!(plays("sea-battle").contains(radar));
        assert!(plays("sea-battle").contains("battleship (3, 2 hits a cell)"));
        assert!(plays("panaxeo-2023").starts_with("1 to 2 players, each alone against the same fleet, on 12 x 12.\n"));
        assert!(plays("panaxeo-2023").contains("Helicarrier (9, bent)"));
        let hook = "again = \"on-hit\"\nmirror = true\nfleet = [{ name = \"hook\", shape = [\"#..\", \"###\"] }]";
        let hook = super::plays(&crate::read(hook, "".as_ref()).unwrap()).join("\n");
        assert!(hook.contains("hook (4, bent); 1 in all. They may be mirrored, may touch, and are placed"), "{hook}");
        assert!(hook.ends_with("After 400 moves each, moves again included, it is a draw."), "{hook}");
        assert_eq!(fleet_in_words(&crate::find("russian").unwrap()), "4, 2 x 3, 3 x 2, 4 x 1");
    }
}
