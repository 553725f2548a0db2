//! How a game is to be shown: how its boards lie, and what its ships are called. The same for all its matches.

/// How a game is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Where row 0 of a board is drawn on a page.
    pub first_row: FirstRow,
    /// The kinds of ships by their letters; empty if letters only tell ships apart.
    pub ships: Vec<ShipLook>,
}

/// Where row 0 of a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstRow {
    /// At the bottom, in the south.
    Bottom,
    /// At the top.
    Top,
}

/// How a kind of ship is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipLook {
    /// Its letter in [`Mark`](crate::Mark)s.
    pub letter: char,
    /// Its name.
    pub name: &'static str,
    /// Its colour.
    pub hue: Hue,
}

/// A colour of ships, to be chosen by whoever draws so that it can be seen well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hue {
    /// That of any ship.
    Plain,
    /// Blue.
    Blue,
    /// Violet.
    Violet,
    /// Yellow.
    Yellow,
}
