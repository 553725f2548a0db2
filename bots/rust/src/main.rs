//! Rust Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
//! has saved on diagonal cross shots.
//!
//! The engine starts it with  rust-sample KEY FOLDER  and asks it for each turn by a line on standard input. Without
//! BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::error::Error;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

/// The ships: name, name in map.txt, length.
const SHIPS: [(&str, &str, usize); 5] = [
    ("Carrier", "Carrier", 5),
    ("Battleship", "Battle Ship", 4),
    ("Cruiser", "Cruiser", 3),
    ("Submarine", "Submarine", 3),
    ("Destroyer", "Destroyer", 2),
];
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DO_NOTHING: &str = "0,0,0\n";

/// An order that fires: its code, and the cells it hits as seen from its centre.
struct Weapon {
    code: u8,
    offsets: &'static [(i32, i32)],
}
const SINGLE_SHOT: Weapon = Weapon { code: 1, offsets: &[(0, 0)] };
const DIAGONAL_CROSS_SHOT: Weapon = Weapon { code: 5, offsets: &[(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)] };

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("cannot play: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().collect();
    let [_, key, folder, ..] = &arguments[..] else {
        return Err("usage: rust-sample KEY FOLDER".into());
    };
    let (key, folder) = (key.to_string_lossy(), Path::new(folder));
    if env::var_os("BROADSIDE_STAY").is_none() {
        return take_turn(&key, folder);
    }
    for line in io::stdin().lines() {
        take_turn(&key, folder)?;
        println!("{}", line?); // the same line says that the answer is written
    }
    Ok(())
}

fn take_turn(key: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    let path = folder.join("map.txt");
    let map = fs::read_to_string(&path).map_err(|problem| format!("{}: {problem}", path.display()))?;
    let view = View::parse(&map)?;
    let mut dice = Dice::new(view.round, key);
    if view.placing {
        fs::write(folder.join("place.txt"), place_fleet(view.size, &mut dice))?;
    } else {
        fs::write(folder.join("command.txt"), view.choose_order(&mut dice))?;
    }
    Ok(())
}

/// Random numbers by the SplitMix64 generator.
struct Dice(u64);

impl Dice {
    /// The same numbers in every match if `BROADSIDE_SEED` is set, else always new ones.
    fn new(round: u32, key: &str) -> Dice {
        match env::var("BROADSIDE_SEED") {
            Ok(seed) if !seed.is_empty() => {
                let text = format!("{seed} {round} {key}");
                Dice(text.bytes().fold(17, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(byte.into())))
            }
            _ => Dice(RandomState::new().build_hasher().finish()), // the standard library's own random keys
        }
    }

    /// A number from 0 to `sides` - 1.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }
}

/// Tries random places, longest ship first: then there is always room for the next one.
fn place_fleet(size: usize, dice: &mut Dice) -> String {
    let mut taken = HashSet::new();
    let mut lines = String::new();
    for (name, _, length) in SHIPS {
        loop {
            let east = dice.roll(2) == 0;
            let (along, across) = (dice.roll(size - length + 1), dice.roll(size));
            let cell = |i| if east { (along + i, across) } else { (across, along + i) };
            if (0..length).any(|i| taken.contains(&cell(i))) {
                continue;
            }
            taken.extend((0..length).map(cell));
            let (x, y) = cell(0);
            lines += &format!("{name} {x} {y} {}\n", if east { "east" } else { "north" });
            break;
        }
    }
    lines
}

/// The content of map.txt.
struct View {
    size: usize,
    round: u32,
    placing: bool,
    can_cross: bool,
    /// The opponent's board from y = 0 up: '~' new, '*' hit, '!' miss, '@' shielded.
    rows: Vec<Vec<u8>>,
    /// There are hits on ships that are still afloat.
    wounded: bool,
}

impl View {
    fn parse(map: &str) -> Result<View, Box<dyn Error>> {
        // The text behind a label, from the line on that begins with the section.
        let field_in = |section: &str, label: &str| {
            let mut lines = map.lines().skip_while(|line| !line.starts_with(section));
            let found = lines.find_map(|line| line.strip_prefix(label));
            found.ok_or_else(|| format!("map.txt is broken, it lacks: {section}{label}"))
        };
        let field = |label| field_in("", label);
        let (size, diagonal_cross_shot_costs) = match field("Map Dimensions : ")? {
            "7 x 7" => (7, 24),
            "10 x 10" => (10, 36),
            "14 x 14" => (14, 48),
            _ => return Err("map.txt is broken: its size".into()),
        };
        let title = format!("{} Opponent", "#".repeat(size));
        let below = map.lines().skip_while(|line| *line != title).skip(1).take(size);
        let mut rows: Vec<_> = below.map(|row| row.as_bytes().to_vec()).collect();
        rows.reverse(); // the first one is the highest y
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return Err("map.txt is broken: the opponent's board".into());
        }
        let afloat = field_in("Opponent: ", "Ships: ")?;
        let sunk: usize = SHIPS.iter().filter(|ship| !afloat.contains(ship.1)).map(|ship| ship.2).sum();
        let energy: u32 = field("Available Energy: ")?.parse()?;
        Ok(View {
            size,
            round: field("Round Number : ")?.parse()?,
            placing: field("Phase : ")? == "1",
            can_cross: field("Arsenal: ")?.contains("DiagonalCrossShot") && energy >= diagonal_cross_shot_costs,
            wounded: rows.iter().flatten().filter(|sign| **sign == b'*').count() > sunk,
            rows,
        })
    }

    /// The mark of a cell; a blank off the board.
    fn at(&self, x: i32, y: i32) -> u8 {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        row.and_then(|row| row.get(usize::try_from(x).ok()?)).copied().unwrap_or(b' ')
    }

    /// The worth of a shot at this cell. Every ship has a cell on the black squares of a checkerboard.
    fn value(&self, x: i32, y: i32) -> u32 {
        match self.at(x, y) {
            b'~' => {}
            b'@' => return 1, // shielded for now; better than nothing
            _ => return 0,
        }
        let hunting = if (x + y) % 2 == 0 { 3 } else { 2 };
        let beside_hits = STEPS.iter().filter(|(dx, dy)| self.wounded && self.at(x + dx, y + dy) == b'*');
        let targeting = beside_hits.map(|(dx, dy)| if self.at(x + 2 * dx, y + 2 * dy) == b'*' { 40 } else { 20 });
        targeting.max().unwrap_or(hunting)
    }

    /// The weapon on the centre where it is worth most; a random one of those that are equally good.
    fn choose_order(&self, dice: &mut Dice) -> String {
        let weapon = if self.can_cross { DIAGONAL_CROSS_SHOT } else { SINGLE_SHOT };
        let mut best = 1;
        let mut centres = Vec::new();
        for x in 0..self.size as i32 {
            for y in 0..self.size as i32 {
                let worth = weapon.offsets.iter().map(|(dx, dy)| self.value(x + dx, y + dy)).sum();
                if worth > best {
                    best = worth;
                    centres.clear();
                }
                if worth == best {
                    centres.push((x, y));
                }
            }
        }
        if centres.is_empty() {
            return DO_NOTHING.to_string();
        }
        let (x, y) = centres[dice.roll(centres.len())];
        format!("{},{x},{y}\n", weapon.code)
    }
}
