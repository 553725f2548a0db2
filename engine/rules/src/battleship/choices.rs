//! The choices of a file of rules: each key with its values.

use crate::Cells;
use serde::{Deserialize, Serialize};

/// The choices that make up one Battleship, as a file of rules has them. Every key may be left out; the rest is then the classic
/// game. [`Rules`](super::Rules) are choices that can be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Choices {
    /// The name of the rules.
    pub name: String,
    /// The description of the rules.
    pub about: String,
    /// The size of each board.
    pub board: BoardSize,
    /// The ships of each player.
    pub fleet: Vec<FleetEntry>,
    /// True if ships may be mirrored as well as turned.
    pub mirror: bool,
    /// The way in which ships of one fleet may touch.
    pub touching: Touching,
    /// The way in which fleets come on the board. In solo they are always drawn.
    pub fleets: Fleets,
    /// The order of moves.
    pub turns: Turns,
    /// The player that moves first.
    pub first: First,
    /// The number of shots of a move.
    pub shots: Shots,
    /// The shots after which a player moves again.
    pub again: Again,
    /// The results that a player is told of its shots.
    pub told: ToldResults,
    /// True if all players are told where each shot falls, and what its player was told.
    pub seen: bool,
    /// The consequence of a shot at a cell where the player knows that nothing is left to hit.
    pub repeated: Consequence,
    /// The consequence of a shot off the board, of more shots than there are, and of an action that is not to be had.
    pub off_board: Consequence,
    /// The consequence of a fleet that may not be placed, or of none.
    pub bad_fleet: FleetConsequence,
    /// The consequence of a move without an order.
    pub no_answer: Consequence,
    /// The number of times that a player whose order was refused is asked again in the same turn, 1 to 10.
    pub retries: u8,
    /// The end of a match in which no fleet is sunk; by default after four times as many moves each as a board has cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The actions that a player may take instead of its shots.
    pub specials: Vec<Special>,
    /// The most players, 2 to 16.
    pub seats: u8,
}

/// The size of a board, 1 to 100 cells each way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardSize {
    /// The number of columns.
    pub width: u8,
    /// The number of rows.
    pub height: u8,
}

/// Ships of one kind in a fleet: straight ones of a size, or ones of a shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetEntry {
    /// The name of the kind.
    pub name: String,
    /// The number of such ships.
    #[serde(default = "one")]
    pub count: u8,
    /// The number of cells of a straight ship.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// The rows of a shape from the top: `#` is a cell of the ship.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shape: Vec<String>,
    /// The hits that a cell of the ship takes before it is destroyed, 1 to 9.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub armour: u8,
}

impl FleetEntry {
    /// So many straight ships of a size, without armour.
    pub fn straight(name: impl Into<String>, size: u8, count: u8) -> FleetEntry {
        FleetEntry { name: name.into(), count, size: Some(size), shape: Vec::new(), armour: 1 }
    }
}

fn one() -> u8 {
    1
}

fn is_one(number: &u8) -> bool {
    *number == 1
}

/// The way in which ships of one fleet may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touching {
    /// In any way.
    Allowed,
    /// By corners, but not by edges.
    Corners,
    /// Not at all.
    None,
}

impl Touching {
    /// The cells in which no further ship of the fleet may lie beside one in these cells. Some may be off the board.
    pub fn kept_free(self, ship: &Cells) -> Cells {
        match self {
            Touching::Allowed => ship.clone(),
            Touching::Corners => ship.widened(false),
            Touching::None => ship.widened(true),
        }
    }
}

/// The way in which fleets come on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fleets {
    /// The players place them.
    Placed,
    /// They are drawn from the seed, another one for each player.
    Drawn,
}

/// The order of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turns {
    /// One player moves after the other.
    Alternate,
    /// All players move at once.
    Together,
    /// Each player alone against the same fleet, which is drawn from the seed. The fewest shots win.
    Solo,
}

/// The player that moves first where players alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum First {
    /// The player in seat A.
    A,
    /// One that is drawn from the seed.
    Drawn,
}

/// The number of shots of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "shots are a number from 1 to 100, ships-afloat, longest-afloat or own-cells-afloat")]
pub enum Shots {
    /// So many, 1 to 100.
    Fixed(u8),
    /// As many as something of the player that is still there.
    Counted(ShotCount),
}

/// Something of a player that gives it shots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShotCount {
    /// Its ships that are afloat.
    ShipsAfloat,
    /// The cells of its largest ship that is afloat.
    LongestAfloat,
    /// The cells of its ships that are not destroyed.
    OwnCellsAfloat,
}

/// The shots after which a player moves again, where players alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// None.
    Never,
    /// One that hits a ship.
    OnHit,
    /// One that hits a ship, if the move sinks none.
    OnHitUnlessSunk,
}

/// The results that a player is told of its shots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToldResults {
    /// Of hits.
    pub hit: ToldHits,
    /// Of ships that are sunk.
    pub sunk: ToldSunk,
}

/// The way in which a player is told its hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToldHits {
    /// The result of each shot.
    #[default]
    Each,
    /// The number of hits of a move.
    Total,
}

/// The facts that a player is told of a ship that it sinks. Each value includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToldSunk {
    /// Nothing.
    Nothing,
    /// That one sank.
    That,
    /// Its number of cells.
    Size,
    /// Its name.
    #[default]
    Name,
    /// Its cells.
    Cells,
    /// The cells around it, too, in which no ship can be. For fleets whose ships do not touch.
    Around,
}

/// The consequence of a mistake in a move, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// The shot, or the move, has no effect.
    Wasted,
    /// The player is asked again, [`Choices::retries`] times at most; then it has lost.
    Refused,
    /// The player has lost.
    Loses,
}

/// The consequence of a fleet that may not be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FleetConsequence {
    /// A fleet is drawn from the seed for the player.
    Drawn,
    /// The player is asked again, [`Choices::retries`] times at most; then it has lost.
    Refused,
    /// The player has lost.
    Loses,
}

/// The end of a match in which no fleet is sunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The number of moves of each player, 1 to 100,000.
    pub turns: u32,
    /// The winner when they are over.
    #[serde(default)]
    pub then: Then,
}

/// The winner when all moves are over. In solo it is the player that has hit most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The player with the most hits.
    Hits,
    /// The player that has sunk the most ships.
    ShipsSunk,
    /// The player with the most cells that are not destroyed.
    CellsLeft,
    /// None.
    #[default]
    Draw,
}

/// An action that a player may take instead of its shots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// The name of the action.
    pub name: String,
    /// The number of times that each player may take it, 1 to 100.
    #[serde(default = "one")]
    pub uses: u8,
    /// The name of the kind of ships of which the player must have one afloat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<String>,
    /// The effect.
    pub kind: SpecialKind,
    /// The rows of an area or a pattern from the top: `#` is a cell that is looked at or shot at. The middle is where the action
    /// is aimed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub area: Vec<String>,
    /// The names of kinds of ships that a radar does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<String>,
}

/// The effect of a special action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpecialKind {
    /// Shows the cells of ships in an area.
    Radar,
    /// Shoots at all cells of an area.
    AreaShot,
    /// Tells the steps, along rows and columns, to the nearest cell of a ship that is not destroyed.
    Sonar,
}

impl Default for Choices {
    /// The classic game: 10 x 10, ships of 5, 4, 3, 3 and 2 cells, one shot in turn, and the name of a ship when it sinks.
    fn default() -> Choices {
        let ships = [("carrier", 5), ("battleship", 4), ("cruiser", 3), ("submarine", 3), ("destroyer", 2)];
        Choices {
            name: "classic".to_owned(),
            about: String::new(),
            board: BoardSize { width: 10, height: 10 },
            fleet: ships.map(|(name, size)| FleetEntry::straight(name, size, 1)).into(),
            mirror: false,
            touching: Touching::Allowed,
            fleets: Fleets::Placed,
            turns: Turns::Alternate,
            first: First::A,
            shots: Shots::Fixed(1),
            again: Again::Never,
            told: ToldResults::default(),
            seen: true,
            repeated: Consequence::Wasted,
            off_board: Consequence::Wasted,
            bad_fleet: FleetConsequence::Loses,
            no_answer: Consequence::Loses,
            retries: 3,
            limit: None,
            specials: Vec::new(),
            seats: 2,
        }
    }
}
