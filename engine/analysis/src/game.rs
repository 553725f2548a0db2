//! The games whose matches can be analysed.

use chances::{Facts, Layout};
use rules::{Grid, Listed, Point, Seat, Told};

/// A game whose fleets can be reasoned about from the view of a seat.
///
/// Cells have numbers: those of the first board at which the seat fires in the order of [`Grid::points`], then those of the next board.
pub trait Analysed: Listed {
    /// The boards at which a seat fires, the same throughout a match, given its view.
    fn targets(seat: Seat, view: &Self::View) -> Vec<TargetBoard>;

    /// The ships on these boards, the same throughout a match.
    fn layout(view: &Self::View) -> Layout;

    /// The facts that the seat of the view knows of these ships.
    fn facts(view: &Self::View, layout: &Layout) -> Facts;

    /// The shots of a seat in one turn, given its view before the turn; `None` if it fired none.
    fn fired(seat: Seat, view: &Self::View, told: &[Told<Self::Event>]) -> Option<Fired>;

    /// The aims that the seat could choose for a shot of the same kind: for each the cells that it reaches. Cells in which nothing is left
    /// to hit are no aims of a plain shot.
    fn aims(view: &Self::View, fired: &Fired) -> Vec<Vec<usize>>;

    /// The ships of a seat, sunk ones included: for each the number of its kind among the kinds of one board of [`Analysed::layout`], and its
    /// cells. None before they are placed.
    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)>;

    /// The name of the ships of a kind in sentences, by its number in [`Analysed::layout`].
    fn ship_name(view: &Self::View, kind: usize) -> String;

    /// The way in which a seat fires from now on.
    fn pace(&self, _seat: Seat) -> Pace {
        Pace { shots: 1, again_on_hit: false }
    }

    /// The deeds of a seat in one turn beside its shots, given its view before the turn.
    fn deeds(_seat: Seat, _view: &Self::View, _told: &[Told<Self::Event>]) -> Deeds {
        Deeds::default()
    }

    /// The hits that a cell of a ship takes, by the number of its kind in [`Analysed::layout`].
    fn armour(_view: &Self::View, _kind: usize) -> u8 {
        1
    }

    /// The moves that a seat is ahead by what it has beside its ships, such as energy.
    fn advantage(&self, _seat: Seat) -> f64 {
        0.0
    }

    /// True if players have shields.
    const HAS_SHIELDS: bool = false;

    /// The numbers by which probabilities to win are calibrated, as `examples/calibrate.rs` finds them.
    const CALIBRATION: Calibration;
}

/// The way in which a seat fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The shots of a move.
    pub shots: u32,
    /// True if the seat moves again after a hit.
    pub again_on_hit: bool,
}

/// The numbers by which probabilities to win are calibrated: those of a logistic regression on games that were played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// The weight of a lead, in standard deviations of the moves that are still needed.
    pub weight: f64,
    /// The variance of the moves that are needed beyond that of the fleets, in moves squared: that of the players' strength and luck.
    pub variance: f64,
    /// The weight of where the ships lie: the share of the difference between the moves that the true fleet needs and those that a fleet needs on
    /// average, 0 to 1. The rest of it is chance of the policy.
    pub truth: f64,
    /// The power of a player's accuracy so far by which the moves that it needs are divided: it is likely to go on as well as before.
    pub skill: f64,
}

/// A board at which a seat fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetBoard {
    /// The owner.
    pub seat: Seat,
    /// The cells.
    pub grid: Grid,
}

impl TargetBoard {
    /// The number of a cell of the board, among several such boards of one size; `None` off the board.
    pub fn number(boards: &[TargetBoard], seat: Seat, cell: Point) -> Option<usize> {
        let nth = boards.iter().position(|board| board.seat == seat)?;
        Some(nth * boards[nth].grid.len() + boards[nth].grid.index(cell)?)
    }
}

/// The shots of a seat in one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// The seat that fired.
    pub by: Seat,
    /// The kind of the shots in words: `shot` for plain ones.
    pub kind: &'static str,
    /// The cells that each shot reached.
    pub shots: Vec<Vec<usize>>,
    /// True if a shot hits at most one of the cells that it reaches.
    pub hits_one: bool,
    /// The number of parts of ships that were hit.
    pub hits: u32,
    /// The number of ships that were sunk.
    pub sunk: u32,
}

/// The deeds of a seat in one turn that are not shots, and the ends of its shots that a shield caught.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deeds {
    /// The names of the actions that fire nothing, such as radar.
    pub actions: Vec<String>,
    /// The shots and the hits of a salvo that ended, in games in which a salvo takes several turns.
    pub salvo: Option<(u32, u32)>,
    /// True if the seat raised a shield.
    pub raised_shield: bool,
    /// The cells in which a shield of the opponent caught its shots, by their numbers.
    pub caught: Vec<usize>,
}
