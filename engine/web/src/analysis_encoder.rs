//! The analysis encoder: from the moments of an analysis to what a page gets of them.

use crate::piece::Piece;
use crate::wire::{AnalysisView, HeatView, SeenBy};
use analysis::{BoardChances, Moment};
use rules::{Eye, printable};
use std::collections::BTreeMap;

/// The digits of chances, in steps of two per cent.
const DIGITS: &[u8; 51] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno";

/// Encodes the moments of an analysis for certain eyes, one after the other.
#[derive(Debug)]
pub(crate) struct AnalysisEncoder {
    eyes: Vec<Eye>,
    moments: usize,
    /// The last chances on each board, by the seats that fire and that own it.
    heat: BTreeMap<(char, char), String>,
}

impl AnalysisEncoder {
    /// An encoder for these eyes, in the order of their bits.
    pub(crate) fn new(eyes: Vec<Eye>) -> AnalysisEncoder {
        AnalysisEncoder { eyes, moments: 0, heat: BTreeMap::new() }
    }

    /// The next moment. There is a piece for each, also without anything to show: so a page knows how far the analysis has come.
    pub(crate) fn moment(&mut self, moment: &Moment) -> Piece {
        let number = self.moments;
        self.moments += 1;
        let win = moment.win.as_ref();
        let words = moment.words.iter().map(|sentence| printable(sentence)).collect();
        Piece::analysis(&AnalysisView {
            moment: number,
            seen: self.seen(|_| true, win.map(|win| per_mille(&win.seen))),
            truth: self.seen(|eye| eye == Eye::Referee, win.map(|win| per_mille(&win.truth))),
            words: self.seen(|_| true, (!moment.words.is_empty()).then_some(words)),
            heat: moment.boards.iter().flat_map(|board| self.heat(board)).collect(),
        })
    }

    /// The chances on a board, if they have changed.
    fn heat(&mut self, board: &BoardChances) -> Vec<SeenBy<HeatView>> {
        let (by, at) = (board.by.letter(), board.at.letter());
        let digit = |percent: &u8| char::from(DIGITS[usize::from(percent.div_ceil(2)).min(DIGITS.len() - 1)]);
        let chances: String = board.percent.iter().map(digit).collect();
        if self.heat.get(&(by, at)) == Some(&chances) {
            return Vec::new();
        }
        self.heat.insert((by, at), chances.clone());
        self.seen(|eye| eye.sees_all_of(board.by), Some(HeatView { by, at, chances }))
    }

    /// The thing, if there is one, for the eyes that may see it.
    fn seen<T>(&self, may_see: impl Fn(Eye) -> bool, thing: Option<T>) -> Vec<SeenBy<T>> {
        let bits: u32 = (0..).zip(&self.eyes).filter(|(_, eye)| may_see(**eye)).map(|(bit, _)| 1 << bit).sum();
        thing.filter(|_| bits != 0).map(|thing| SeenBy(bits, thing)).into_iter().collect()
    }
}

fn per_mille(shares: &[f64]) -> Vec<u16> {
    shares.iter().map(|share| (1000.0 * share).round() as u16).collect()
}
