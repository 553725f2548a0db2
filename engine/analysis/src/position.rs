//! The analysis of a match turn by turn: the worth of shots, and the probability to win.

use crate::outlook::{self, FleetRace, Outlook, Outlooks};
use crate::{Analysed, Knowledge, Shots, Totals};
use chances::{Effort, Layout};
use rules::{BySeat, Eye, Point, Seat, Seats, Told};

/// The work for a moment.
const EFFORT: Effort = Effort { explanations: 500, fleets: 300, exact: 2_000, keeps: true };

/// The analysis of a moment between two turns.
#[derive(Debug, Clone)]
pub struct Position {
    /// The knowledge that each seat has of the fleets at which it fires; `None` before ships are placed.
    pub knowledge: BySeat<Option<Knowledge>>,
    /// The outlook of each seat, given what all seats know together, as a spectator of their boards does. `None` before ships are placed, and
    /// in a match without opponents.
    pub seen: Option<BySeat<Outlook>>,
    /// The outlook of each seat, given where the ships lie.
    pub truth: Option<BySeat<Outlook>>,
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
///     let told = game.advance(answers.into_iter().collect());
///     let turn = analyst.turn(&told, &game);
///     if let Some(shots) = &turn.shots[Seat::A] {
///         assert!(shots.expected > 0.1 && shots.accuracy() > Some(0.9), "the middle is a good cell");
///     }
/// }
/// # Ok::<(), rules::SetupError>(())
/// ```
pub struct Analyst<G: Analysed> {
    layouts: BySeat<Option<Layout>>,
    /// The last moment, with the views of that moment.
    views: BySeat<G::View>,
    last: Position,
    moments: u64,
    totals: BySeat<Totals>,
    /// For each seat the races to the fleets at which it fires.
    races: BySeat<Vec<FleetRace>>,
    is_too_large: bool,
}

impl<G: Analysed> Analyst<G> {
    /// An analyst for a match that begins or goes on with this state.
    pub fn new(game: &G) -> Analyst<G> {
        let seats = game.scene(Eye::Everyone).boards.len() as u8;
        let views: BySeat<G::View> = Seats::first(seats).iter().map(|seat| game.view(seat)).collect();
        let nothing = Position { knowledge: views.map(|_| None), seen: None, truth: None };
        let totals = views.map(|_| Totals::default());
        let races = views.map(|_| Vec::new());
        let mut analyst = Analyst {
            layouts: views.map(|_| None),
            views,
            last: nothing,
            moments: 0,
            totals,
            races,
            is_too_large: false,
        };
        analyst.look(game);
        analyst
    }

    /// True if the boards or fleets are too large to be analysed in bearable time: then nothing is known of any moment.
    pub fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// The analysis of the last moment.
    pub fn position(&self) -> &Position {
        &self.last
    }

    /// The shots of a seat so far.
    pub fn totals(&self, seat: Seat) -> &Totals {
        &self.totals[seat]
    }

    /// The ships on the boards at which a seat fires; `None` before ships are placed.
    pub fn layout(&self, seat: Seat) -> Option<&Layout> {
        self.layouts[seat].as_ref()
    }

    /// The view of a seat of the last moment.
    pub fn view(&self, seat: Seat) -> &G::View {
        &self.views[seat]
    }

    /// Weighs the shots of a turn, given its events, and looks at the state after it.
    pub fn turn(&mut self, told: &[Told<G::Event>], after: &G) -> Turn {
        let weighed = |(seat, view): (Seat, &G::View)| {
            let knowledge = self.last.knowledge[seat].as_ref()?;
            Some(Shots::of::<G>(view, knowledge, <G as Analysed>::fired(seat, view, told)?))
        };
        let shots: BySeat<Option<Shots>> = self.views.iter().map(weighed).collect();
        for (seat, shots) in shots.iter() {
            shots.iter().for_each(|shots| self.totals[seat].add(shots));
        }
        self.look(after);
        Turn { shots, position: self.last.clone() }
    }

    /// Looks at a state.
    fn look(&mut self, game: &G) {
        self.moments += 1;
        self.views = self.views.seats().map(|seat| game.view(seat)).collect();
        let fleets: BySeat<Vec<(usize, Vec<Point>)>> = self.views.seats().map(|seat| game.fleet(seat)).collect();
        if fleets.iter().all(|(_, fleet)| fleet.is_empty()) {
            return;
        }
        let mut knowledge = Vec::new();
        for (seat, view) in self.views.iter() {
            let layout = self.layouts[seat].get_or_insert_with(|| G::layout(view));
            if layout.is_large() {
                self.is_too_large = true;
                return;
            }
            let facts = G::facts(view, layout);
            knowledge.push(Some(match &self.last.knowledge[seat] {
                Some(last) => last.then(facts, layout, EFFORT, self.moments),
                None => Knowledge::of_facts(facts, layout, EFFORT, self.moments),
            }));
        }
        let knowledge: BySeat<Option<Knowledge>> = knowledge.into_iter().collect();
        for (by, knowledge) in knowledge.iter() {
            let is_same =
                knowledge.as_ref().map(|now| &now.facts) == self.last.knowledge[by].as_ref().map(|last| &last.facts);
            // Where no fleet was found that agrees, the races stay as they were.
            let is_new = !is_same && knowledge.as_ref().is_some_and(|now| !now.chances.fleets().is_empty());
            if let (Some(knowledge), Some(layout), true) = (knowledge, &self.layouts[by], is_new) {
                let view = &self.views[by];
                self.races[by] = outlook::races::<G>(game, by, view, layout, knowledge, &fleets, self.moments);
            }
        }
        let outlooks = Outlooks { game, races: &self.races, totals: &self.totals };
        let is_known = self.views.len() > 1;
        let of = |truth| is_known.then(|| outlooks.of(truth)).flatten();
        let (seen, truth) = (of(0.0), of(G::CALIBRATION.truth));
        self.last = Position { knowledge, seen, truth };
    }
}
