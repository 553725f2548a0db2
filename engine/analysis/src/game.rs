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

    /// What the seat knows of them.
    fn facts(view: &Self::View, layout: &Layout) -> Facts;

    /// The shots of a seat in one turn, given its view before the turn; `None` if it fired none.
    fn fired(seat: Seat, view: &Self::View, told: &[Told<Self::Event>]) -> Option<Fired>;

    /// The aims that the seat could choose for a shot of the same kind: for each the cells that it reaches. Cells in which nothing is left
    /// to hit are no aims of a plain shot.
    fn aims(view: &Self::View, fired: &Fired) -> Vec<Vec<usize>>;

    /// The ships of a seat, sunk ones included: for each the number of its kind among the kinds of one board of [`Analysed::layout`], and its
    /// cells. None before they are placed.
    fn fleet(&self, owner: Seat) -> Vec<(usize, Vec<Point>)>;
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
