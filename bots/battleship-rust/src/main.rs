//! A bot that plays Battleship by any rules: a program that the engine starts and asks line by line.
//!
//! Every question has the rules and all that the bot knows, so nothing is remembered between questions.

mod json;

use json::{quoted, Json};
use std::cmp::Reverse;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::hash::{BuildHasher, Hasher};
use std::{env, io};

type Cell = (i32, i32);

const EDGES: [Cell; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ALL_AROUND: [Cell; 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

fn main() -> Result<(), Box<dyn Error>> {
    for line in io::stdin().lines() {
        let question = Json::parse(&line?)?;
        let mut dice = Dice::new(&question);
        let is_placing = question["act"].text() == "place";
        let answer = if is_placing { place(&question["rules"], &mut dice) } else { fire(&question, &mut dice) };
        // Nothing else may be written to standard output; print what you want to know with eprintln.
        println!("{answer}");
    }
    Ok(())
}

// Placing

/// A fleet at random, largest ships first.
fn place(rules: &Json, dice: &mut Dice) -> String {
    let kept_free = match rules["touching"].text() {
        "allowed" => &[][..],
        "corners" => &EDGES,
        _ => &ALL_AROUND,
    };
    let is_mirrored = rules["mirror"].is_true();
    let mut kinds: Vec<_> = rules["fleet"].list().iter().map(|kind| (kind, ways_to_lie(kind, is_mirrored))).collect();
    kinds.sort_by_key(|(_, ways)| Reverse(ways[0].len()));
    let ships = || kinds.iter().flat_map(|(kind, ways)| (0..kind["count"].number()).map(move |_| (kind, ways)));
    loop {
        let mut closed = BTreeSet::new();
        let placed = ships().map(|(kind, ways)| {
            let cells = free_place(&rules["board"], ways, &closed, dice)?;
            for &(x, y) in &cells {
                closed.insert((x, y));
                closed.extend(kept_free.iter().map(|(dx, dy)| (x + dx, y + dy)));
            }
            let cells: Vec<String> = cells.iter().map(|(x, y)| format!("[{x},{y}]")).collect();
            Some(format!("{{\"name\":{},\"cells\":[{}]}}", quoted(kind["name"].text()), cells.join(",")))
        });
        // There may be no room for the last ships. Then begin anew.
        if let Some(placed) = placed.collect::<Option<Vec<String>>>() {
            return format!("{{\"ships\":[{}]}}", placed.join(","));
        }
    }
}

/// The cells of a kind of ship as it is drawn.
fn drawn(kind: &Json) -> Vec<Cell> {
    let straight = "#".repeat(kind["size"].number() as usize);
    let shape = kind["shape"].list().iter().map(Json::text);
    let rows: Vec<&str> = if straight.is_empty() { shape.collect() } else { vec![&straight] };
    signs(&rows).into_iter().filter(|(_, sign)| *sign == '#').map(|(cell, _)| cell).collect()
}

/// The signs of rows by their cells.
fn signs(rows: &[&str]) -> BTreeMap<Cell, char> {
    let row = |(y, row): (i32, &&str)| (0..).zip(row.chars()).map(|(x, sign)| ((x, y), sign)).collect();
    (0..).zip(rows).flat_map(|row_at| -> Vec<(Cell, char)> { row(row_at) }).collect()
}

/// All ways in which the ship can be turned, and mirrored if that is allowed. Each is a list of cells from 0,0 on.
fn ways_to_lie(kind: &Json, mirror: bool) -> Vec<Vec<Cell>> {
    let drawn = drawn(kind);
    let mirrored = drawn.iter().map(|(x, y)| (-x, *y)).collect();
    let mut ways = Vec::new();
    for mut cells in if mirror { vec![drawn, mirrored] } else { vec![drawn] } {
        for _ in 0..4 {
            let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
            let mut way: Vec<Cell> = cells.iter().map(|(x, y)| (x - left, y - top)).collect();
            way.sort();
            if !ways.contains(&way) {
                ways.push(way);
            }
            cells = cells.iter().map(|(x, y)| (-y, *x)).collect();
        }
    }
    ways
}

/// A place at random where all cells are free; `None` if none was found.
fn free_place(board: &Json, ways: &[Vec<Cell>], closed: &BTreeSet<Cell>, dice: &mut Dice) -> Option<Vec<Cell>> {
    (0..1000).find_map(|_| {
        let way = &ways[dice.roll(ways.len() as i32) as usize];
        let [right, bottom] = [way.iter().map(|cell| cell.0).max()?, way.iter().map(|cell| cell.1).max()?];
        let (width, height) = (board["width"].number(), board["height"].number());
        if right >= width || bottom >= height {
            return None;
        }
        let (left, top) = (dice.roll(width - right), dice.roll(height - bottom));
        let cells: Vec<Cell> = way.iter().map(|(x, y)| (left + x, top + y)).collect();
        cells.iter().all(|cell| !closed.contains(cell)).then_some(cells)
    })
}

// Firing

const BESIDE_HIT: i32 = 3;

/// The best cells of all boards, or a special action while no ship is known that could be sunk.
fn fire(question: &Json, dice: &mut Dice) -> String {
    let rules = &question["rules"];
    let kinds = rules["fleet"].list();
    // Every shape of two cells or more covers two cells that are neighbours.
    let shortest =
        |kind: &Json| if kind["size"].is_there() { kind["size"].number() } else { drawn(kind).len().min(2) as i32 };
    let shortest = kinds.iter().map(shortest).min().unwrap_or(1);
    let has_armour = kinds.iter().any(|kind| kind["armour"].number() > 1);
    let mut cells = Vec::new();
    for board in question["boards"].list().iter().filter(|board| board["target"].is_true()) {
        for ((x, y), value) in values(board, has_armour, shortest) {
            cells.push((value, dice.roll(1 << 30), format!("[{x},{y},{}]", quoted(board["seat"].text()))));
        }
    }
    cells.sort_by_key(|(value, random, _)| Reverse((*value, *random)));
    let (best, _, aim) = &cells[0];
    // question["specials"] has those that can be taken now.
    let can_be_taken =
        |special: &&Json| special["kind"].text() != "sonar" && question["specials"][special["name"].text()].is_there();
    let special = rules["specials"].list().iter().find(can_be_taken);
    if let Some(special) = special.filter(|_| *best < BESIDE_HIT) {
        return format!("{{\"special\":{},\"aim\":{aim}}}", quoted(special["name"].text()));
    }
    let worth = cells.iter().take_while(|(value, ..)| *value >= 0).count();
    let most = worth.min(question["shots"].number() as usize).max(1);
    let shots: Vec<&str> = cells[..most].iter().map(|(_, _, cell)| cell.as_str()).collect();
    format!("{{\"shots\":[{}]}}", shots.join(","))
}

/// The cells of a board with their values.
fn values(board: &Json, has_armour: bool, shortest: i32) -> Vec<(Cell, i32)> {
    let rows: Vec<&str> = board["rows"].list().iter().map(Json::text).collect();
    let signs = signs(&rows);
    let size = |ship: &Json| if ship["size"].is_there() { ship["size"].number() } else { 100 };
    let wounds = find_wounds(&signs, board["sunk"].list().iter().map(size).sum());
    let is_wound = |cell: Cell| wounds.contains(&cell);
    let value = |(x, y): Cell, sign: char| match sign {
        '#' => 6, // Radar saw a ship.
        'd' => 5, // A ship has armour left.
        '.' => {
            let beside = || EDGES.iter().filter(|(dx, dy)| is_wound((x + dx, y + dy)));
            let is_in_line = beside().any(|(dx, dy)| is_wound((x + 2 * dx, y + 2 * dy)));
            match beside().next() {
                Some(_) => BESIDE_HIT + i32::from(is_in_line),
                // No ship can evade all cells of this lattice.
                None => 1 + i32::from((x + y) % shortest == 0),
            }
        }
        '?' if has_armour => 0, // A shot whose result is not told.
        _ => -1,                // Nothing is left to hit.
    };
    signs.iter().map(|(cell, sign)| (*cell, value(*cell, *sign))).collect()
}

/// The cells that were hit of ships afloat: those that are not joined to a cell of a sunk ship, of which all may not be told.
fn find_wounds(signs: &BTreeMap<Cell, char>, sunk_sizes: i32) -> BTreeSet<Cell> {
    let cells_of = |wanted: &str| -> Vec<Cell> {
        signs.iter().filter(|(_, sign)| wanted.contains(**sign)).map(|(cell, _)| *cell).collect()
    };
    let (hits, mut sunk): (BTreeSet<Cell>, Vec<Cell>) = (cells_of("xd").into_iter().collect(), cells_of("s"));
    let most_of_sunk = sunk_sizes - sunk.len() as i32;
    let mut wounds = hits.clone();
    while let Some((x, y)) = sunk.pop() {
        sunk.extend(EDGES.iter().map(|(dx, dy)| (x + dx, y + dy)).filter(|near| wounds.remove(near)));
    }
    // More hits than the sunk ships have cells: ships touch, and some of those hits are of another one.
    if wounds.is_empty() && hits.len() as i32 > most_of_sunk {
        hits
    } else {
        wounds
    }
}

struct Dice(u64);

impl Dice {
    /// The same numbers in every match of this name if `BROADSIDE_SEED` is set, else always new ones.
    fn new(question: &Json) -> Dice {
        match env::var("BROADSIDE_SEED") {
            Ok(seed) if !seed.is_empty() => {
                let [name, seat] = ["match", "seat"].map(|key| question[key].text());
                let text = format!("{seed} {name} {seat} {}", question["turn"].number());
                Dice(text.bytes().fold(17, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(byte.into())))
            }
            _ => Dice(RandomState::new().build_hasher().finish()), // the standard library's own random keys
        }
    }

    /// A number from 0 to `sides` - 1.
    fn roll(&mut self, sides: i32) -> i32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 33) % sides.max(1) as u64) as i32
    }
}
