//! Notes of bots as a page gets them.

use crate::wire::{NotesView, SeenBy};
use arena::Notes;
use rules::{BoardScene, Eye, Point, Seat, printable_text};

/// The notes of a turn, each for those of the `eyes` that may see them. Cells off the board are left out.
pub(crate) fn seen_by(eyes: &[Eye], notes: &[(Seat, &Notes)], boards: &[BoardScene]) -> Vec<SeenBy<NotesView>> {
    let seen = |(seat, notes): &(Seat, &Notes)| {
        let bits = eyes.iter().enumerate().filter(|(_, eye)| eye.sees_all_of(*seat)).map(|(bit, _)| 1 << bit).sum();
        let of = |owner| boards.iter().find(|board| board.seat == owner);
        let board = of(seat.opponent()).or_else(|| of(*seat))?;
        (bits != 0).then(|| SeenBy(bits, view(*seat, notes, board)))
    };
    notes.iter().filter_map(seen).collect()
}

fn view(seat: Seat, notes: &Notes, board: &BoardScene) -> NotesView {
    let cell = |at: &Point| board.grid.index(*at);
    let number = |(cell, at): (usize, Point)| {
        let percent = (notes.share(at)? * 100.0).round() as u8;
        Some((cell, rounded(notes.number(at)?), percent))
    };
    NotesView {
        seat: seat.letter(),
        text: printable_text(notes.text()),
        output: notes.output().to_vec(),
        numbers: board.grid.points().enumerate().filter_map(number).collect(),
        marks: notes.marks().iter().filter_map(|(at, text)| Some((cell(at)?, text.clone()))).collect(),
        fleet: notes.fleet().iter().map(|ship| ship.iter().filter_map(cell).collect()).collect(),
    }
}

/// A number with four digits that count, which take less space.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}
