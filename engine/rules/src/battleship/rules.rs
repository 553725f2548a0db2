//! Rules: choices that can be played, with what follows from them.

use super::choices::{
    Again, BoardSize, Choices, Consequence, First, FleetConsequence, FleetEntry, Fleets, Limit, Shots, Special,
    SpecialKind, Then, ToldHits, ToldSunk, Touching, Turns,
};
use super::placing::{self, Fleet};
use crate::shape::{drawn, is_connected};
use crate::{Cells, Grid, Point, SetupError, Shape, printable, printable_text};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// The longest side of a board.
pub const MOST_OF_A_SIDE: u8 = 100;
/// The most ships of a fleet.
pub const MOST_SHIPS: usize = 100;
/// The most special actions.
pub const MOST_SPECIALS: usize = 8;
/// The most hits that a cell of a ship takes.
pub const MOST_ARMOUR: u8 = 9;
/// The most moves of each player.
pub const MOST_TURNS: u32 = 100_000;
/// The most characters of a name.
pub(super) const MOST_OF_A_NAME: usize = 40;
/// The most characters of a description.
const MOST_OF_A_TEXT: usize = 2000;
/// The seed by which it is found out whether a fleet fits on the board.
const SEED_OF_PROOF: u64 = 0;

/// Choices that can be played. A clone shares them.
///
/// ```
/// use rules::battleship::{BoardSize, Choices, Rules};
///
/// let small = Rules::new(Choices { board: BoardSize { width: 4, height: 3 }, ..Choices::default() });
/// assert_eq!(small.unwrap_err().to_string(), "fleet[0]: a carrier does not fit on a board of 4 x 3");
/// let rules: Rules = serde_json::from_str(r#"{"board": {"width": 8, "height": 8}, "again": "on-hit"}"#)?;
/// assert_eq!((rules.ships().len(), rules.grid().len()), (5, 64));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Deserialize)]
#[serde(try_from = "Choices")]
pub struct Rules(Arc<Checked>);

struct Checked {
    choices: Choices,
    ships: Vec<ShipType>,
    areas: Vec<Vec<Point>>,
    limit: Limit,
    most_armour: u8,
    proof: OnceLock<Option<Fleet>>,
}

/// A ship of a fleet before it is placed.
#[derive(Debug, Clone)]
pub struct ShipType {
    /// The name of its kind.
    pub name: Arc<str>,
    /// The letter on boards: one of its name if another ship does not have it. No two of the first 26 ships have the same.
    pub letter: char,
    /// The number of its kind in [`Choices::fleet`].
    pub kind: usize,
    /// Its shape.
    pub shape: Arc<Shape>,
    /// The hits that a cell takes.
    pub armour: u8,
}

/// A choice that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {why}")]
pub struct WrongChoice {
    /// The key, e.g. `fleet[2].shape`.
    pub key: String,
    /// The reason in words.
    pub why: String,
}

impl From<WrongChoice> for SetupError {
    fn from(wrong: WrongChoice) -> SetupError {
        SetupError::Settings(wrong.to_string())
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::new(Choices::default()).expect("the classic game can be played")
    }
}

impl TryFrom<Choices> for Rules {
    type Error = WrongChoice;
    fn try_from(choices: Choices) -> Result<Rules, WrongChoice> {
        Rules::new(choices)
    }
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.0.choices.serialize(out)
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.choices == other.0.choices
    }
}

impl Eq for Rules {}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.choices.fmt(f)
    }
}

impl Rules {
    /// The rules of these choices.
    ///
    /// # Errors
    /// The first choice that cannot be played, alone or beside the others. [`Rules::fits`] says whether there is room for a fleet.
    pub fn new(choices: Choices) -> Result<Rules, WrongChoice> {
        let BoardSize { width, height } = choices.board;
        within("board.width", width, 1..=MOST_OF_A_SIDE)?;
        within("board.height", height, 1..=MOST_OF_A_SIDE)?;
        within("seats", choices.seats, 2..=16)?;
        within("retries", choices.retries, 1..=10)?;
        if let Shots::Fixed(shots) = choices.shots {
            within("shots", shots, 1..=100)?;
        }
        if let Some(Limit { turns, .. }) = choices.limit
            && !(1..=MOST_TURNS).contains(&turns)
        {
            return wrong("limit.turns", format!("there are 1 to {MOST_TURNS} moves, not {turns}"));
        }
        within("fleet", choices.fleet.len(), 1..=MOST_SHIPS)?;
        within("specials", choices.specials.len(), 0..=MOST_SPECIALS)?;
        texts(&choices)?;
        let mut ships = Vec::new();
        for (kind, entry) in choices.fleet.iter().enumerate() {
            let shape = Arc::new(shape(&choices, kind, entry)?);
            let name: Arc<str> = entry.name.as_str().into();
            for _ in 0..entry.count {
                let letter = letter(&name, &ships);
                ships.push(ShipType {
                    name: Arc::clone(&name),
                    letter,
                    kind,
                    shape: Arc::clone(&shape),
                    armour: entry.armour,
                });
            }
        }
        within("fleet", ships.len(), 1..=MOST_SHIPS)?;
        let areas = choices.specials.iter().enumerate().map(|(nth, special)| area(&choices, nth, special));
        let areas = areas.collect::<Result<_, WrongChoice>>()?;
        together(&choices)?;
        let most_armour = ships.iter().map(|ship| ship.armour).max().unwrap_or(1);
        let usual = 4 * u32::from(width) * u32::from(height) * u32::from(most_armour);
        let limit = choices.limit.unwrap_or(Limit { turns: usual.min(MOST_TURNS), then: Then::Draw });
        Ok(Rules(Arc::new(Checked { choices, ships, areas, limit, most_armour, proof: OnceLock::new() })))
    }

    /// The choices.
    pub fn choices(&self) -> &Choices {
        &self.0.choices
    }

    /// The cells of a board.
    pub fn grid(&self) -> Grid {
        Grid::new(self.0.choices.board.width, self.0.choices.board.height)
    }

    /// The ships of a fleet in the order of the file.
    pub fn ships(&self) -> &[ShipType] {
        &self.0.ships
    }

    /// The cells of a special action as steps from where it is aimed.
    pub fn area(&self, special: usize) -> &[Point] {
        &self.0.areas[special]
    }

    /// The cells that a special action aimed at `aim` is about, those on the board only.
    pub fn area_at(&self, special: usize, aim: Point) -> impl Iterator<Item = Point> {
        let grid = self.grid();
        let cells = self.area(special).iter().filter_map(move |step| aim.offset(step.x, step.y));
        cells.filter(move |cell| grid.contains(*cell))
    }

    /// The hits that sink a fleet.
    pub fn hits_of_fleet(&self) -> u32 {
        self.ships().iter().map(|ship| ship.shape.size() as u32 * u32::from(ship.armour)).sum()
    }

    /// The most hits that a cell of a ship takes.
    pub fn most_armour(&self) -> u8 {
        self.0.most_armour
    }

    /// The end of a match in which no fleet is sunk, also where the file says nothing of it.
    pub fn limit(&self) -> Limit {
        self.0.limit
    }

    /// The numbers of players: from 1 in solo, from 2 otherwise.
    pub fn seats(&self) -> RangeInclusive<u8> {
        let least = if self.is_solo() { 1 } else { 2 };
        least..=self.0.choices.seats
    }

    /// True if each player plays alone.
    pub fn is_solo(&self) -> bool {
        self.0.choices.turns == Turns::Solo
    }

    /// True if one fleet was found that fits on the board and keeps the distance. It is found out once.
    pub fn fits(&self) -> bool {
        self.proof().is_some()
    }

    /// The fleet that was found.
    pub(super) fn proof(&self) -> Option<&Fleet> {
        let found = || placing::search(self, &mut crate::random(SEED_OF_PROOF));
        self.0.proof.get_or_init(found).as_ref()
    }

    /// The cells of a board in which no further ship may lie beside one in these cells.
    pub fn kept_free(&self, ship: &Cells) -> Cells {
        self.0.choices.touching.kept_free(ship)
    }
}

/// The letter of a ship of this name beside those before it.
fn letter(name: &str, before: &[ShipType]) -> char {
    let own = || name.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase());
    let is_free = |letter: &char| before.iter().all(|ship| ship.letter != *letter);
    own().chain('A'..='Z').find(is_free).or_else(|| own().next()).unwrap_or('A')
}

fn wrong<T>(key: impl Into<String>, why: impl Into<String>) -> Result<T, WrongChoice> {
    Err(WrongChoice { key: key.into(), why: why.into() })
}

fn within<T: PartialOrd + fmt::Display>(key: &str, given: T, range: RangeInclusive<T>) -> Result<(), WrongChoice> {
    let is_in = range.contains(&given);
    if is_in { Ok(()) } else { wrong(key, format!("it is {} to {}, not {given}", range.start(), range.end())) }
}

/// Checks names and descriptions: screens and bots get them as they are.
fn texts(choices: &Choices) -> Result<(), WrongChoice> {
    let text = |key: &str, text: &str, most: usize| {
        if text.chars().count() > most {
            return wrong(key, format!("it is longer than {most} characters"));
        }
        // Only a description has lines.
        let shown = if key == "about" { printable_text(text) } else { printable(text) };
        if shown == text { Ok(()) } else { wrong(key, "it has characters that cannot be printed") }
    };
    text("name", &choices.name, MOST_OF_A_NAME)?;
    text("about", &choices.about, MOST_OF_A_TEXT)?;
    let names = |list: &str, names: Vec<&String>| {
        for (nth, name) in names.iter().enumerate() {
            let key = format!("{list}[{nth}].name");
            text(&key, name, MOST_OF_A_NAME)?;
            if name.trim().is_empty() {
                return wrong(key, "it is empty");
            }
            if names[..nth].contains(name) {
                return wrong(key, format!("{name:?} is there twice"));
            }
        }
        Ok(())
    };
    names("fleet", choices.fleet.iter().map(|entry| &entry.name).collect())?;
    names("specials", choices.specials.iter().map(|special| &special.name).collect())
}

/// The shape of an entry of the fleet.
fn shape(choices: &Choices, nth: usize, entry: &FleetEntry) -> Result<Shape, WrongChoice> {
    let key = |name: &str| format!("fleet[{nth}].{name}");
    within(&key("count"), entry.count, 1..=MOST_SHIPS as u8)?;
    within(&key("armour"), entry.armour, 1..=MOST_ARMOUR)?;
    let shape = match (entry.size, &entry.shape[..]) {
        (Some(size), []) => {
            within(&key("size"), size, 1..=MOST_OF_A_SIDE)?;
            Shape::straight(size)
        }
        (None, []) => return wrong(format!("fleet[{nth}]"), "it has neither a size nor a shape"),
        (Some(_), _) => return wrong(format!("fleet[{nth}]"), "it has a size and a shape; leave one out"),
        (None, rows) => {
            let cells = drawn(rows).or_else(|why| wrong(key("shape"), why))?;
            if cells.len() > 100 || cells.iter().any(|cell| cell.x.max(cell.y) >= i32::from(MOST_OF_A_SIDE)) {
                return wrong(key("shape"), "it has more than 100 cells, or is wider or higher than 100");
            }
            if !is_connected(&cells) {
                return wrong(key("shape"), "its cells do not hang together by edges");
            }
            Shape::turned(cells, choices.mirror)
        }
    };
    let BoardSize { width, height } = choices.board;
    let fits = |way: &Vec<Point>| way.iter().all(|step| step.x < i32::from(width) && step.y < i32::from(height));
    if !shape.ways().iter().any(fits) {
        let why = format!("a {} does not fit on a board of {width} x {height}", entry.name);
        return wrong(format!("fleet[{nth}]"), why);
    }
    Ok(shape)
}

/// The area of a special action as steps from where it is aimed, which is its middle.
fn area(choices: &Choices, nth: usize, special: &Special) -> Result<Vec<Point>, WrongChoice> {
    let key = |name: &str| format!("specials[{nth}].{name}");
    within(&key("uses"), special.uses, 1..=100)?;
    let named = special.needs.iter().map(|name| ("needs", name));
    let mut named = named.chain(special.misses.iter().map(|name| ("misses", name)));
    if let Some((of, name)) = named.find(|(_, name)| choices.fleet.iter().all(|entry| entry.name != **name)) {
        return wrong(key(of), format!("no ship of the fleet is called {name:?}"));
    }
    if !special.misses.is_empty() && special.kind != SpecialKind::Radar {
        return wrong(key("misses"), "only a radar misses ships");
    }
    match (special.kind, &special.area[..]) {
        (SpecialKind::Sonar, []) => Ok(Vec::new()),
        (SpecialKind::Sonar, _) => wrong(key("area"), "a sonar has no area"),
        (_, rows) => {
            let cells = drawn(rows).or_else(|why| wrong(key("area"), why))?;
            let sides = [rows.len(), rows.iter().map(|row| row.chars().count()).max().unwrap_or(0)];
            if sides.iter().any(|side| side % 2 == 0 || *side > usize::from(MOST_OF_A_SIDE)) {
                return wrong(key("area"), "its sides are odd numbers up to 99, so that it has a middle");
            }
            let [height, width] = sides.map(|side| side as i32 / 2);
            Ok(cells.into_iter().map(|cell| Point { x: cell.x - width, y: cell.y - height }).collect())
        }
    }
}

/// Checks choices that do not go together.
fn together(choices: &Choices) -> Result<(), WrongChoice> {
    let alternates = choices.turns == Turns::Alternate;
    if choices.again != Again::Never && !alternates {
        return wrong("again", "only where turns alternate can a player move again");
    }
    if choices.first != First::A && !alternates {
        return wrong("first", "only where turns alternate is there a first player");
    }
    if choices.told.sunk == ToldSunk::Around && choices.touching != Touching::None {
        return wrong("told.sunk", "around a ship there is water for certain only if touching is none");
    }
    if choices.fleets == Fleets::Drawn && choices.bad_fleet != FleetConsequence::Loses {
        return wrong("bad-fleet", "where fleets are drawn, nobody can place a bad one");
    }
    if choices.turns == Turns::Solo {
        if matches!(choices.shots, Shots::Counted(_)) {
            return wrong("shots", "in solo a player has no ships of its own that could give it shots");
        }
        if let Some(nth) = choices.specials.iter().position(|special| special.needs.is_some()) {
            return wrong(format!("specials[{nth}].needs"), "in solo a player has no ships of its own");
        }
    }
    Ok(())
}

impl Choices {
    /// True if an order may be asked for again in the same turn.
    pub fn asks_again(&self) -> bool {
        let moves = [self.repeated, self.off_board, self.no_answer].contains(&Consequence::Refused);
        moves || self.bad_fleet == FleetConsequence::Refused
    }

    /// True if the result of each shot is told.
    pub fn tells_each(&self) -> bool {
        self.told.hit == ToldHits::Each
    }
}
