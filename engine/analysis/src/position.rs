//! A match, turn by turn: what shots were worth, and who is likely to win.

use crate::game::Calibration;
use crate::race::{Hunt, Prey, Race};
use crate::{Analysed, Knowledge, Shots};
use chances::{Effort, Layout, NEVER};
use rules::{BySeat, Point, Seat, Told};

/// The fleets for which the policy is played, for each seat and moment.
const FLEETS: usize = 48;
/// The games of the policy for the true fleet.
const TRUE_ROUNDS: usize = 16;
/// The work for a moment.
const EFFORT: Effort = Effort { explanations: 500, fleets: 300, exact: 2_000, keeps: true };

/// The analysis of a moment between two turns.
#[derive(Debug, Clone)]
pub struct Position {
    /// What each seat knows of the fleets at which it fires; `None` before ships are placed.
    pub knowledge: BySeat<Option<Knowledge>>,
    /// The outlook of each seat, given what all seats know together, as a spectator of their boards does. `None` before ships are placed, and
    /// in a match without opponents.
    pub seen: Option<BySeat<Outlook>>,
    /// The outlook of each seat, given where the ships lie.
    pub truth: Option<BySeat<Outlook>>,
}

/// What a seat may expect.
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

/// The analysis of a turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The shots of each seat that fired.
    pub shots: BySeat<Option<Shots>>,
    /// The moment after it.
    pub position: Position,
}

/// Follows a match.
///
/// ```
/// use analysis::Analyst;
/// use rules::bots_arena::{BotsArena, Order, place_at_random};
/// use rules::{Game, Point, Seat};
///
/// let mut game = BotsArena::start(&Default::default(), 2, 7)?;
/// let mut analyst = Analyst::new(&game);
/// let place = |seed| Ok(Order::Place(place_at_random(&Default::default(), &mut rules::random(seed)).unwrap()));
/// let orders = [vec![(Seat::A, place(1)), (Seat::B, place(2))], vec![(Seat::A, Ok(Order::Strike(Point::new(4, 4))))]];
/// for answers in orders {
///     let before = game.clone();
///     let told = game.advance(answers.into_iter().collect());
///     let turn = analyst.turn(&before, &told, &game);
///     if let Some(shots) = &turn.shots[Seat::A] {
///         assert!(shots.expected > 0.1 && shots.accuracy() > Some(0.9), "the middle is a good cell");
///     }
/// }
/// # Ok::<(), rules::SetupError>(())
/// ```
pub struct Analyst<G: Analysed> {
    layouts: BySeat<Option<Layout>>,
    /// The last moment, with the views of that moment.
    last: Option<(BySeat<G::View>, Position)>,
    turns: u64,
}

impl<G: Analysed> Analyst<G> {
    /// An analyst for a match that begins or goes on with this state.
    pub fn new(game: &G) -> Analyst<G> {
        let seats = game.scene(rules::Eye::Everyone).boards.len();
        Analyst { layouts: (0..seats).map(|_| None).collect(), last: None, turns: 0 }
    }

    /// Analyses a turn that led from one state to another, with its events.
    pub fn turn(&mut self, before: &G, told: &[Told<G::Event>], after: &G) -> Turn {
        if self.last.is_none() {
            self.position(before);
        }
        let shots = self.last.as_ref().map_or_else(
            || self.layouts.iter().map(|_| None).collect(),
            |(views, position)| {
                let weighed = |(seat, view): (Seat, &G::View)| {
                    let fired = <G as Analysed>::fired(seat, view, told)?;
                    Some(Shots::of::<G>(view, position.knowledge[seat].as_ref()?, fired))
                };
                views.iter().map(weighed).collect()
            },
        );
        let position = self.position(after);
        Turn { shots, position }
    }

    /// Analyses a moment.
    pub fn position(&mut self, game: &G) -> Position {
        self.turns += 1;
        let views: BySeat<G::View> = self.layouts.seats().map(|seat| game.view(seat)).collect();
        let fleets: BySeat<Vec<(usize, Vec<Point>)>> = self.layouts.seats().map(|seat| game.fleet(seat)).collect();
        let is_placed = fleets.iter().any(|(_, fleet)| !fleet.is_empty());
        let mut knowledge = Vec::new();
        for (seat, view) in views.iter() {
            if !is_placed {
                knowledge.push(None);
                continue;
            }
            let layout = self.layouts[seat].get_or_insert_with(|| G::layout(view));
            let facts = G::facts(view, layout);
            let last = self.last.as_ref().and_then(|(_, position)| position.knowledge[seat].as_ref());
            knowledge.push(Some(match last {
                Some(last) if last.facts == facts => last.clone(),
                _ => Knowledge::of_facts(facts, layout, EFFORT, self.turns),
            }));
        }
        let knowledge: BySeat<Option<Knowledge>> = knowledge.into_iter().collect();
        let races = Races {
            game,
            views: &views,
            layouts: &self.layouts,
            knowledge: &knowledge,
            fleets: &fleets,
            seed: self.turns,
        };
        let seen = races.outlooks(None);
        let truth = races.outlooks(Some(G::CALIBRATION.truth));
        let position = Position { knowledge, seen, truth };
        self.last = Some((views, position.clone()));
        position
    }
}

/// What is needed to say who is ahead.
struct Races<'a, G: Analysed> {
    game: &'a G,
    views: &'a BySeat<G::View>,
    layouts: &'a BySeat<Option<Layout>>,
    knowledge: &'a BySeat<Option<Knowledge>>,
    fleets: &'a BySeat<Vec<(usize, Vec<Point>)>>,
    seed: u64,
}

impl<G: Analysed> Races<'_, G> {
    /// The outlook of each seat by what seats know, and by where the ships lie as far as `truth` says.
    fn outlooks(&self, truth: Option<f64>) -> Option<BySeat<Outlook>> {
        if self.views.len() < 2 || self.knowledge.iter().any(|(_, knowledge)| knowledge.is_none()) {
            return None;
        }
        if let Some(outcome) = self.game.outcome() {
            let win = |seat| match outcome.winner {
                Some(winner) => f64::from(u8::from(winner == seat)),
                None => 1.0 / self.views.len() as f64,
            };
            let last = |seat| Outlook { win: win(seat), left: 0.0, lead: 0.0, variance: 0.0 };
            return Some(self.views.seats().map(last).collect());
        }
        // The moves that the others need to sink a seat.
        let lives: Vec<Race> = self.views.seats().map(|seat| self.life(seat, truth)).collect::<Option<_>>()?;
        let Calibration { weight, variance, .. } = G::CALIBRATION;
        let spread = (lives.iter().map(|life| life.variance).sum::<f64>() + variance).sqrt();
        let lead = |(seat, life): (Seat, &Race)| {
            let is_next = self.game.awaited().iter().any(|next| next == seat);
            life.mean + if is_next { 0.5 } else { 0.0 } + self.game.advantage(seat)
        };
        let leads: Vec<f64> = self.views.seats().zip(&lives).map(lead).collect();
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
    fn life(&self, seat: Seat, truth: Option<f64>) -> Option<Race> {
        let others = self.views.seats().filter(|other| *other != seat);
        let races: Vec<Race> = others.filter_map(|other| self.race_with(other, seat, truth)).collect();
        let share = races.len() as f64;
        let rate: f64 = races.iter().map(|race| 1.0 / race.mean.max(0.5) / share).sum();
        let variance = races.iter().map(|race| race.variance).sum::<f64>() / share;
        (!races.is_empty()).then(|| Race { mean: 1.0 / rate, variance })
    }

    /// The moves that one seat needs to sink all ships of another, with the share of the truth in them.
    fn race_with(&self, by: Seat, of: Seat, truth: Option<f64>) -> Option<Race> {
        let seen = self.race(by, of, false)?;
        let Some(share) = truth else { return Some(seen) };
        let mean = seen.mean + share * (self.race(by, of, true)?.mean - seen.mean);
        Some(Race { mean, variance: (1.0 - share * share) * seen.variance })
    }

    /// The moves that one seat needs to sink all ships of another.
    fn race(&self, by: Seat, of: Seat, by_truth: bool) -> Option<Race> {
        let (view, knowledge, layout) = (&self.views[by], self.knowledge[by].as_ref()?, self.layouts[by].as_ref()?);
        let boards = G::targets(by, view);
        let nth = boards.iter().position(|board| board.seat == of)?;
        let grid = boards[nth].grid;
        let kinds = layout.kinds() / boards.len();
        let cells = nth * grid.len()..(nth + 1) * grid.len();
        let kinds = nth * kinds..(nth + 1) * kinds;
        let prey = |kind: usize, cells: &mut dyn Iterator<Item = usize>| {
            let armour = G::armour(view, kind);
            let left = |cell: usize| match knowledge.facts.destroyed(kind, cell) {
                NEVER if armour > 1 && knowledge.facts.is_occupied(cell) => armour - 1,
                NEVER => armour,
                _ => 0,
            };
            Prey { kind, cells: cells.map(|cell| (cell, left(cell))).collect() }
        };
        let (fleets, rounds): (Vec<Vec<Prey>>, usize) = if by_truth {
            let of_ship = |(kind, at): &(usize, Vec<Point>)| {
                prey(kinds.start + kind, &mut at.iter().filter_map(|cell| Some(cells.start + grid.index(*cell)?)))
            };
            (vec![self.fleets[of].iter().map(of_ship).collect()], TRUE_ROUNDS)
        } else {
            let of_fleet = |places: &Vec<usize>| {
                let own = places.iter().filter(|place| kinds.contains(&layout.kind_of(**place)));
                own.map(|place| prey(layout.kind_of(*place), &mut layout.place(*place).iter().copied())).collect()
            };
            (draw(knowledge.chances.fleets()).into_iter().map(of_fleet).collect(), FLEETS)
        };
        let hunt = Hunt::new(layout, &knowledge.chances, &knowledge.hits, grid, cells.clone(), kinds.clone());
        let pace = self.game.pace(by);
        let mut random = rules::random(self.seed);
        let moves = fleets.iter().cycle().take(rounds).map(|fleet| {
            let needed = hunt.shoot(fleet, &mut random);
            let counted = if pace.again_on_hit { needed.shots - needed.hits } else { needed.shots };
            f64::from(counted) / f64::from(pace.shots.max(1))
        });
        Some(Race::of(&moves.collect::<Vec<f64>>()))
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
