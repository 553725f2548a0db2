//! The analysis of a whole match, for people and programs.

use crate::position::{Analyst, Turn};
use crate::shots::{Shots, Totals};
use crate::{Analysed, words};
use arena::{ArenaError, MatchEvent, Observer};
use rules::{BySeat, Seat};
use serde::Serialize;

/// The most turning points of a match.
const TURNING_POINTS: usize = 5;
/// The least change of a probability that makes a turning point.
const LEAST_TURN: f64 = 0.08;

/// The analysis of a match. Probabilities and shares are 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchAnalysis {
    /// True if the boards or fleets are too large to be analysed: then there are no shots and no probabilities.
    pub too_large: bool,
    /// The players, in the order of the seats.
    pub players: Vec<SeatSummary>,
    /// The moments, from the one before the first turn on: number n is the one after n turns.
    pub moments: Vec<Moment>,
    /// The turns in which the probability to win changed most, the greatest change first.
    pub turning_points: Vec<TurningPoint>,
}

/// The shots of a player in a whole match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatSummary {
    /// The seat.
    pub seat: Seat,
    /// The name.
    pub name: String,
    /// The shots that were fired.
    pub shots: u32,
    /// The parts of ships that they hit.
    pub hits: u32,
    /// The hits that were to be expected.
    pub expected: f64,
    /// The share of the best aims' hits that was to be expected; `None` if nothing could be hit.
    pub accuracy: Option<f64>,
    /// The accuracy of a player who draws its aims.
    pub random_accuracy: Option<f64>,
    /// The hits beyond those that were to be expected.
    pub luck: f64,
}

/// A moment of a match, with the turn that led to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moment {
    /// The shots of the turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shots: Vec<ShotReport>,
    /// The probabilities to win; `None` before ships are placed, and without opponents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<Win>,
    /// Sentences about the turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// The chances of a hit, where they are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<BoardChances>,
}

/// The shots of a player in a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShotReport {
    /// The player.
    pub seat: Seat,
    /// The kind of shot.
    pub kind: &'static str,
    /// The number of shots.
    pub shots: u32,
    /// The hits that were to be expected: of a plain shot its chance.
    pub expected: f64,
    /// Those of the best aims.
    pub best: f64,
    /// Those of aims that are drawn.
    pub random: f64,
    /// The hits.
    pub hits: u32,
    /// The ships that were sunk.
    pub sunk: u32,
}

/// The probabilities to win, in the order of the seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Win {
    /// By what all players know together, as a spectator sees it.
    pub seen: Vec<f64>,
    /// By where the ships lie.
    pub truth: Vec<f64>,
    /// The moves that the others still need to sink each player's ships, by a reference policy.
    pub left: Vec<f64>,
}

/// The chance of a hit in each cell of a board, as one player knows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardChances {
    /// The player that fires.
    pub by: Seat,
    /// The owner of the board.
    pub at: Seat,
    /// The chances in per cent, in the order of [`rules::Grid::points`].
    pub percent: Vec<u8>,
}

/// A turn that changed much.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurningPoint {
    /// The number of its moment.
    pub moment: usize,
    /// The number of the turn, counted from 0.
    pub turn: usize,
    /// The player whose probability grew most.
    pub seat: Seat,
    /// The probability of the player before, as spectators see it.
    pub before: f64,
    /// The same after.
    pub after: f64,
}

/// Follows a match as an observer, and analyses it.
pub struct MatchAnalyst<G: Analysed> {
    names: BySeat<String>,
    wants_boards: bool,
    analyst: Option<Analyst<G>>,
    moments: Vec<Moment>,
}

impl<G: Analysed> MatchAnalyst<G> {
    /// An analyst of a match between players with these names. `wants_boards` says whether chances of cells are wanted.
    pub fn new(names: BySeat<String>, wants_boards: bool) -> MatchAnalyst<G> {
        MatchAnalyst { names, wants_boards, analyst: None, moments: Vec::new() }
    }

    /// The analysis of what was seen.
    pub fn finish(self) -> MatchAnalysis {
        let nothing = Totals::default();
        let summary = |(seat, name): (Seat, &String)| {
            let totals = self.analyst.as_ref().map_or(&nothing, |analyst| analyst.totals(seat));
            SeatSummary {
                seat,
                name: name.clone(),
                shots: totals.shots,
                hits: totals.hits,
                expected: rounded(totals.expected),
                accuracy: totals.accuracy().map(rounded),
                random_accuracy: totals.random_accuracy().map(rounded),
                luck: rounded(totals.luck()),
            }
        };
        MatchAnalysis {
            too_large: self.analyst.as_ref().is_some_and(Analyst::is_too_large),
            players: self.names.iter().map(summary).collect(),
            turning_points: turning_points(&self.moments),
            moments: self.moments,
        }
    }

    /// The next moment, which is not kept: that of the state with which the match begins, then the one after each turn with these events.
    pub fn next_moment(&mut self, told: &[rules::Told<G::Event>], game: &G) -> Moment {
        let Some(analyst) = &mut self.analyst else {
            let analyst = self.analyst.insert(Analyst::new(game));
            return moment(analyst, None, Vec::new(), self.wants_boards);
        };
        let before = analyst.position().clone();
        let turn = analyst.turn(told, game);
        let words = words::of(analyst, &before, &turn, &self.names);
        moment(analyst, Some(&turn), words, self.wants_boards)
    }
}

fn moment<G: Analysed>(analyst: &Analyst<G>, turn: Option<&Turn>, words: Vec<String>, wants_boards: bool) -> Moment {
    let shots = turn.into_iter().flat_map(|turn| turn.shots.iter().filter_map(|(_, shots)| shots.as_ref()));
    let position = analyst.position();
    let each = |of: &BySeat<crate::Outlook>, what: fn(&crate::Outlook) -> f64| {
        of.iter().map(|(_, outlook)| rounded(what(outlook))).collect()
    };
    let win = position.seen.as_ref().zip(position.truth.as_ref()).map(|(seen, truth)| Win {
        seen: each(seen, |outlook| outlook.win),
        truth: each(truth, |outlook| outlook.win),
        left: each(seen, |outlook| outlook.left),
    });
    let boards = if wants_boards { boards(analyst) } else { Vec::new() };
    Moment { shots: shots.map(shot_report).collect(), win, words, boards }
}

fn boards<G: Analysed>(analyst: &Analyst<G>) -> Vec<BoardChances> {
    let mut boards = Vec::new();
    for (by, knowledge) in analyst.position().knowledge.iter() {
        let Some(knowledge) = knowledge else { continue };
        for (nth, target) in G::targets(by, analyst.view(by)).iter().enumerate() {
            let cells = nth * target.grid.len()..(nth + 1) * target.grid.len();
            let percent = knowledge.hits[cells].iter().map(|chance| (100.0 * chance).round() as u8);
            boards.push(BoardChances { by, at: target.seat, percent: percent.collect() });
        }
    }
    boards
}

impl<G: Analysed> Observer<G> for MatchAnalyst<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let moment = match event {
            MatchEvent::Opened { game, .. } if self.analyst.is_none() => self.next_moment(&[], game),
            MatchEvent::Advanced { game, told, .. } => self.next_moment(told, game),
            _ => return Ok(()),
        };
        self.moments.push(moment);
        Ok(())
    }
}

fn shot_report(shots: &Shots) -> ShotReport {
    ShotReport {
        seat: shots.fired.by,
        kind: shots.fired.kind,
        shots: shots.fired.shots.len() as u32,
        expected: rounded(shots.expected),
        best: rounded(shots.best),
        random: rounded(shots.random),
        hits: shots.fired.hits,
        sunk: shots.fired.sunk,
    }
}

/// The turning points of a match with these moments, the greatest change first.
pub fn turning_points(moments: &[Moment]) -> Vec<TurningPoint> {
    let mut points = Vec::new();
    for (moment, pair) in (1..).zip(moments.windows(2)) {
        let [Moment { win: Some(before), .. }, Moment { win: Some(after), .. }] = pair else { continue };
        let seats = rules::Seats::first(before.seen.len() as u8);
        let grown = seats.iter().map(|seat| (seat, before.seen[seat.index()], after.seen[seat.index()]));
        let most = grown.max_by(|a, b| (a.2 - a.1).total_cmp(&(b.2 - b.1)));
        points.extend(most.map(|(seat, before, after)| TurningPoint { moment, turn: moment - 1, seat, before, after }));
    }
    points.retain(|point| point.after - point.before >= LEAST_TURN);
    points.sort_by(|a, b| (b.after - b.before).total_cmp(&(a.after - a.before)));
    points.truncate(TURNING_POINTS);
    points
}

/// A number with three digits after the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
