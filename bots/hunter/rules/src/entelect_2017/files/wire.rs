//! state.json as data.

/// The whole of a state.json. In a player's file the first two maps are there, in a round's file the last two.
#[derive(Debug, Clone, Default)]
pub struct StateFile {
    /// The player's own map.
    pub player_map: Option<PlayerMap>,
    /// The opponent's map as far as the player knows it.
    pub opponent_map: Option<OpponentMap>,
    /// Always `1.0.0`.
    pub game_version: String,
    /// Always 1.
    pub game_level: u32,
    /// The number of the round, counted from 0.
    pub round: u32,
    /// Cells along one side of a map.
    pub map_dimension: u32,
    /// 1 or 2.
    pub phase: u32,
    /// Player A's map, in a round's file.
    pub player1_map: Option<PlayerMap>,
    /// Player B's map, in a round's file.
    pub player2_map: Option<PlayerMap>,
}

/// A player's own map.
#[derive(Debug, Clone)]
pub struct PlayerMap {
    /// All cells, x outer and y inner, both ascending.
    pub cells: Vec<Cell>,
    /// The player.
    pub owner: Owner,
    /// Cells along the x axis.
    pub map_width: u32,
    /// Cells along the y axis.
    pub map_height: u32,
}

/// A cell of a player's own map.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// A ship covers it.
    pub occupied: bool,
    /// A shot fell here.
    pub hit: bool,
    /// Column, 0 in the west.
    pub x: i32,
    /// Row, 0 in the south.
    pub y: i32,
    /// The active shield covers it.
    pub shielded: bool,
    /// The active shield caught a shot here.
    pub shield_hit: bool,
}

/// A player.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The number of times that phase 1 failed because of this player.
    pub failed_first_phase_commands: u32,
    /// The name from bot.json.
    pub name: String,
    /// Submarine, Destroyer, Battleship, Carrier, Cruiser.
    pub ships: Vec<OwnShip>,
    /// Points so far.
    pub points: u32,
    /// Energy to fire with.
    pub energy: u32,
    /// True if the player is out of the game.
    pub killed: bool,
    /// Always false.
    pub is_winner: bool,
    /// Shot commands obeyed so far.
    pub shots_fired: u32,
    /// Cells of the opponent's ships hit so far.
    pub shots_hit: u32,
    /// The shield.
    pub shield: Shield,
    /// Ships not sunk.
    pub ships_remaining: u32,
    /// `A` or `B`.
    pub key: String,
}

/// One of the player's own ships.
#[derive(Debug, Clone)]
pub struct OwnShip {
    /// Its cells from the placed start on; `None` where it was never placed.
    pub cells: Vec<Option<Cell>>,
    /// True if the ship was sunk.
    pub destroyed: bool,
    /// True if the ship is on the map.
    pub placed: bool,
    /// Its name.
    pub ship_type: String,
    /// The single shot and the ship's special weapon.
    pub weapons: Vec<OwnWeapon>,
}

/// A weapon of a ship.
#[derive(Debug, Clone)]
pub struct OwnWeapon {
    /// Its name.
    pub weapon_type: String,
    /// The energy that a shot costs.
    pub energy_required: u32,
}

/// A player's own shield.
#[derive(Debug, Clone)]
pub struct Shield {
    /// Rounds after which it gains a charge.
    pub charge_time: u32,
    /// The round in which it was placed or, once it is gone, in which it expired.
    pub round_last_used: u32,
    /// Rounds it would protect, or still protects.
    pub current_charges: u32,
    /// True if the shield protects cells now.
    pub active: bool,
    /// Cells it reaches from its centre.
    pub current_radius: u32,
    /// The largest radius it can have.
    pub max_radius: u32,
    /// The point around which it was last placed, as `X, Y`.
    pub center_point: String,
}

/// A player's knowledge of its opponent.
#[derive(Debug, Clone)]
pub struct OpponentMap {
    /// In the order of [`Owner::ships`].
    pub ships: Vec<OpponentShip>,
    /// True if the opponent is in the game.
    pub alive: bool,
    /// Its points so far.
    pub points: u32,
    /// Its name.
    pub name: String,
    /// All cells, x outer and y inner, both ascending.
    pub cells: Vec<OpponentCell>,
}

/// One of the opponent's ships.
#[derive(Debug, Clone)]
pub struct OpponentShip {
    /// True if the ship was sunk.
    pub destroyed: bool,
    /// Its name.
    pub ship_type: String,
}

/// A cell of the opponent's map.
#[derive(Debug, Clone, Copy)]
pub struct OpponentCell {
    /// A shot hit a ship here.
    pub damaged: bool,
    /// A shot fell into the water here.
    pub missed: bool,
    /// Column, 0 in the west.
    pub x: i32,
    /// Row, 0 in the south.
    pub y: i32,
    /// The active shield caught a shot here.
    pub shield_hit: bool,
}
