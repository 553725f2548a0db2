//! Outlooks: the moves that each side still needs, and the probability to win that follows.

use crate::game::Calibration;
use crate::race::{Hunt, Needed, Prey, Race};
use crate::{Analysed, Knowledge, Totals};
use chances::{Layout, NEVER};
use rules::{BySeat, Point, Seat};

/// The fleets for which the policy is played, for each seat and moment.
const FLEETS: usize = 32;
/// The games of the policy for the true fleet.
const TRUE_ROUNDS: usize = 8;
/// The prospects of a seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// The probability to win.
    pub win: f64,
    /// The moves that its opponents still need to sink its fleet, by a reference policy: the mean over the fleets that it may have.
    pub left: f64,
    /// The same with what the rules give it beside: the next move, energy. The seat for which it is most is ahead.
    pub lead: f64,
    /// The variance over the fleets.
    pub variance: f64,
}

/// The race of a seat to one of the fleets at which it fires, in moves of one shot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FleetRace {
    /// The owner of the fleet.
    of: Seat,
    /// By what the seat knows.
    seen: Race,
    /// By where the ships lie.
    truth: f64,
}

/// The races of a seat to the fleets at which it fires, by what it knows.
pub(crate) fn races<G: Analysed>(
    game: &G,
    by: Seat,
    view: &G::View,
    layout: &Layout,
    knowledge: &Knowledge,
    fleets: &BySeat<Vec<(usize, Vec<Point>)>>,
    seed: u64,
) -> Vec<FleetRace> {
    let boards = G::targets(by, view);
    let kinds_of_board = layout.kinds() / boards.len().max(1);
    let prey = |kind: usize, cells: &mut dyn Iterator<Item = usize>| {
        let armour = G::armour(view, kind);
        let left = |cell: usize| match knowledge.facts.destroyed(kind, cell) {
            NEVER if armour > 1 && knowledge.facts.is_occupied(cell) => armour - 1,
            NEVER => armour,
            _ => 0,
        };
        Prey { kind, cells: cells.map(|cell| (cell, left(cell))).collect() }
    };
    let again = game.pace(by).again_on_hit;
    let race = |(nth, board): (usize, &crate::TargetBoard)| {
        let (grid, first) = (board.grid, nth * board.grid.len());
        let kinds = nth * kinds_of_board..(nth + 1) * kinds_of_board;
        let of_fleet = |places: &Vec<usize>| -> Vec<Prey> {
            let own = places.iter().filter(|place| kinds.contains(&layout.kind_of(**place)));
            own.map(|place| prey(layout.kind_of(*place), &mut layout.place(*place).iter().copied())).collect()
        };
        let of_ship = |(kind, at): &(usize, Vec<Point>)| {
            prey(kinds.start + kind, &mut at.iter().filter_map(|cell| Some(first + grid.index(*cell)?)))
        };
        let drawn: Vec<Vec<Prey>> = draw(knowledge.chances.fleets()).into_iter().map(of_fleet).collect();
        let truth: Vec<Prey> = fleets[board.seat].iter().map(of_ship).collect();
        let cells = first..first + grid.len();
        let hunt = Hunt::new(layout, &knowledge.chances, &knowledge.hits, grid, cells, kinds.clone());
        let mut random = rules::random(seed);
        let mut moves = |fleet: &Vec<Prey>| {
            let Needed { shots, hits } = hunt.shoot(fleet, &mut random);
            f64::from(if again { shots - hits } else { shots })
        };
        let seen: Vec<f64> = drawn.iter().map(&mut moves).collect();
        let truth: Vec<f64> = std::iter::repeat_n(&truth, TRUE_ROUNDS).map(&mut moves).collect();
        FleetRace { of: board.seat, seen: Race::of(&seen), truth: Race::of(&truth).mean }
    };
    boards.iter().enumerate().map(race).collect()
}

/// The parts of a moment from which outlooks follow.
pub(crate) struct Outlooks<'a, G: Analysed> {
    pub(crate) game: &'a G,
    pub(crate) races: &'a BySeat<Vec<FleetRace>>,
    pub(crate) totals: &'a BySeat<Totals>,
}

impl<G: Analysed> Outlooks<'_, G> {
    /// The outlook of each seat. `truth` is the weight of where the ships lie; 0 for what is known alone.
    pub(crate) fn of(&self, truth: f64) -> Option<BySeat<Outlook>> {
        if let Some(outcome) = self.game.outcome() {
            let win = |seat| match outcome.winner {
                Some(winner) => f64::from(u8::from(winner == seat)),
                None => 1.0 / self.races.len() as f64,
            };
            let last = |seat| Outlook { win: win(seat), left: 0.0, lead: 0.0, variance: 0.0 };
            return Some(self.races.seats().map(last).collect());
        }
        // The moves that the others need to sink a seat.
        let lives: Vec<Race> = self.races.seats().map(|seat| self.life(seat, truth)).collect::<Option<_>>()?;
        let Calibration { weight, variance, .. } = G::CALIBRATION;
        let spread = (lives.iter().map(|life| life.variance).sum::<f64>() + variance).sqrt();
        let lead = |(seat, life): (Seat, &Race)| {
            let is_next = self.game.awaited().iter().any(|next| next == seat);
            life.mean + if is_next { 0.5 } else { 0.0 } + self.game.advantage(seat)
        };
        let leads: Vec<f64> = self.races.seats().zip(&lives).map(lead).collect();
        let most = leads.iter().copied().fold(f64::MIN, f64::max);
        let weight = |lead: &f64| (weight * (lead - most) / spread).exp();
        let all: f64 = leads.iter().map(weight).sum();
        let outlook = |(life, lead): (Race, &f64)| Outlook {
            win: weight(lead) / all,
            left: life.mean,
            lead: *lead,
            variance: life.variance,
        };
        Some(lives.into_iter().zip(&leads).map(outlook).collect())
    }

    /// The moves that the others need to sink all of a seat's ships. Where there are several, each divides its moves among its opponents.
    fn life(&self, seat: Seat, truth: f64) -> Option<Race> {
        let races: Vec<Race> = self.races.iter().filter_map(|(by, races)| self.race(by, races, seat, truth)).collect();
        let share = races.len() as f64;
        let rate: f64 = races.iter().map(|race| 1.0 / race.mean.max(0.5) / share).sum();
        let variance = races.iter().map(|race| race.variance).sum::<f64>() / share;
        (!races.is_empty()).then(|| Race { mean: 1.0 / rate, variance })
    }

    /// The moves that one seat needs to sink all ships of another, by how well it has shot so far.
    fn race(&self, by: Seat, races: &[FleetRace], of: Seat, truth: f64) -> Option<Race> {
        let race = races.iter().find(|race| race.of == of)?;
        let shots = f64::from(self.game.pace(by).shots.max(1));
        let skill = self.totals[by].likely_accuracy().powf(G::CALIBRATION.skill);
        let mean = race.seen.mean + truth * (race.truth - race.seen.mean);
        let variance = (1.0 - truth * truth) * race.seen.variance / shots / shots;
        Some(Race { mean: mean / shots / skill, variance })
    }
}

/// Some of the fleets, so that each is taken as often as its share says.
fn draw(fleets: &[(f64, Vec<usize>)]) -> Vec<&Vec<usize>> {
    let (mut drawn, mut sum) = (Vec::with_capacity(FLEETS), 0.0);
    for (share, places) in fleets {
        sum += share;
        while (drawn.len() as f64 + 0.5) / (FLEETS as f64) < sum && drawn.len() < FLEETS {
            drawn.push(places);
        }
    }
    drawn
}
