//! A match that is played by actions: orders are gathered until every seat has one, then the rules go on.

use crate::{Action, ActionMatchError, Encoded, Layout, ObservedSeat, Options, Placement, Reward, ShipAt, WrongAction};
use arena::{ArenaError, Ask, Player, Reply};
use rules::{Answer, Fault, Outcome, Part, Point, Seat, Seats, SetupError};
use std::sync::Arc;

/// The answer of a seat, with its parts if it was given in the form of a bot's answer.
#[derive(Debug, Clone)]
pub(crate) struct Given<O> {
    pub(crate) answer: Answer<O>,
    pub(crate) parts: Option<Vec<Part>>,
}

/// The answers of a turn.
pub(crate) type Turn<O> = Vec<(Seat, Given<O>)>;

/// Seats a player that is no agent.
pub type MakeRival<G> = Arc<dyn Fn(Seat, u64) -> Box<dyn Player<G>> + Send + Sync>;

/// A match that is played by actions.
///
/// ```
/// use environments::{ActionMatch, Options};
/// use rules::Seat;
/// use rules::sea_battle::SeaBattle;
///
/// let mut action_match = ActionMatch::<SeaBattle>::new(Default::default(), 2, Options::default())?;
/// action_match.reset(7)?;
/// let (mut planes, mut scalars, mut mask) = action_match.buffers();
/// while action_match.outcome().is_none() {
///     let seat = action_match.seats().find(|seat| action_match.is_to_act(*seat)).expect("somebody must act");
///     action_match.observe(seat, &mut planes, &mut scalars, &mut mask);
///     let first = mask.iter().position(|allowed| *allowed == 1).expect("something is allowed");
///     action_match.act(seat, first)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ActionMatch<G: Encoded> {
    pub(crate) settings: G::Settings,
    pub(crate) options: Options,
    pub(crate) layout: Arc<Layout>,
    pub(crate) seed: u64,
    pub(crate) game: G,
    pub(crate) sides: Vec<Side<G>>,
    /// The turns of the match so far, which copies share; `None` if they are not kept.
    pub(crate) turns: Option<Vec<Arc<Turn<G::Order>>>>,
    /// The seats that the rules await now.
    pub(crate) awaited: Seats,
    /// True if fleets of agents are placed at random.
    pub(crate) places_at_random: bool,
    /// The number of turns that were played.
    pub(crate) played: u32,
    pub(crate) outcome: Option<Outcome>,
}

/// One seat of a match.
pub(crate) struct Side<G: Encoded> {
    /// The ships that it has placed.
    pub(crate) fleet: Vec<ShipAt>,
    /// The kinds and cells of the actions that it has taken in this move, which is not complete.
    pub(crate) aims: Vec<(usize, Point)>,
    /// Its answer for this turn.
    pub(crate) answer: Option<Given<G::Order>>,
    pub(crate) rival: Option<Box<dyn Player<G>>>,
    pub(crate) progress: f32,
    /// The rewards since they were last taken.
    pub(crate) reward: f32,
    pub(crate) is_in: bool,
}

impl<G: Encoded> ActionMatch<G> {
    /// A match with seed 0, of which nothing has been played.
    ///
    /// # Errors
    /// No match can be played with these settings, or by so many players.
    pub fn new(settings: G::Settings, seats: u8, options: Options) -> Result<ActionMatch<G>, SetupError> {
        let game = G::start(&settings, seats, 0)?;
        let layout = Arc::new(Layout::of::<G>(&settings, seats, options.placement));
        let side = |_| Side {
            fleet: Vec::new(),
            aims: Vec::new(),
            answer: None,
            rival: None,
            progress: 0.0,
            reward: 0.0,
            is_in: true,
        };
        let sides = (0..seats).map(side).collect();
        let mut action_match = ActionMatch {
            settings,
            options,
            layout,
            seed: 0,
            game,
            sides,
            turns: None,
            awaited: Seats::NONE,
            places_at_random: options.placement == Placement::Random,
            played: 0,
            outcome: None,
        };
        action_match.open_turn();
        Ok(action_match)
    }

    /// The same match with another copy of the layout that matches share.
    pub(crate) fn sharing(mut self, layout: &Arc<Layout>) -> ActionMatch<G> {
        self.layout = Arc::clone(layout);
        self
    }

    /// Disables random placement, to replay known answers.
    #[must_use]
    pub fn without_random_fleets(mut self) -> ActionMatch<G> {
        self.places_at_random = false;
        self
    }

    /// Keeps the turns of matches from the next [`ActionMatch::reset`] on, so that [`ActionMatch::record`] can write them.
    #[must_use]
    pub fn with_turns_kept(mut self) -> ActionMatch<G> {
        self.turns = Some(Vec::new());
        self
    }

    /// Begins a match with this seed. Agents have all seats.
    ///
    /// # Errors
    /// None without rivals.
    pub fn reset(&mut self, seed: u64) -> Result<(), ArenaError> {
        self.reset_with(seed, |_| None)
    }

    /// Begins a match with this seed. `rival` gives the players of the seats that no agent has.
    ///
    /// # Errors
    /// A rival failed.
    pub fn reset_with(
        &mut self,
        seed: u64,
        rival: impl Fn(Seat) -> Option<Box<dyn Player<G>>>,
    ) -> Result<(), ArenaError> {
        self.seed = seed;
        // The settings were tried when the match was made.
        if let Ok(game) = G::start(&self.settings, self.sides.len() as u8, seed) {
            self.game = game;
        }
        for (seat, side) in seats(self.sides.len()).zip(&mut self.sides) {
            side.fleet.clear();
            side.aims.clear();
            side.answer = None;
            side.rival = rival(seat);
            (side.progress, side.reward, side.is_in) = (0.0, 0.0, true);
        }
        if let Some(turns) = &mut self.turns {
            turns.clear();
        }
        (self.played, self.outcome) = (0, None);
        self.open_turn();
        self.advance()
    }

    /// The meaning of actions and observations.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The state.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The settings.
    pub fn settings(&self) -> &G::Settings {
        &self.settings
    }

    /// The seed of the match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of turns that were played.
    pub fn turn(&self) -> u32 {
        self.played
    }

    /// All seats.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<G> {
        seats(self.sides.len())
    }

    /// The outcome; `None` while the match goes on.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// True if the match goes on only when the seat has acted.
    ///
    /// # Panics
    /// There is no such seat.
    pub fn is_to_act(&self, seat: Seat) -> bool {
        let side = &self.sides[seat.index()];
        self.outcome.is_none() && side.answer.is_none() && side.rival.is_none() && self.awaited.contains(seat)
    }

    /// True if the seat is in the game.
    ///
    /// # Panics
    /// There is no such seat.
    pub fn is_in(&self, seat: Seat) -> bool {
        self.outcome.is_none() && self.sides[seat.index()].is_in
    }

    /// The rewards of a seat since this was last asked.
    ///
    /// # Panics
    /// There is no such seat.
    pub fn take_reward(&mut self, seat: Seat) -> f32 {
        std::mem::take(&mut self.sides[seat.index()].reward)
    }

    /// Takes an action of a seat. Where a move has several shots, each is an action, and no order ends the move. When no more seats must act, the rules go on to the next turn.
    ///
    /// # Errors
    /// [`ActionMatchError::Action`] if there is no such action, or the seat is not to act. A rival failed.
    ///
    /// # Panics
    /// There is no such seat. This holds for all other methods that take a seat.
    pub fn act(&mut self, seat: Seat, number: usize) -> Result<(), ActionMatchError> {
        let wrong = || WrongAction::NoSuchAction { number: number as i64, actions: self.layout.actions() };
        let action = self.layout.action(number).ok_or_else(wrong)?;
        if !self.is_to_act(seat) {
            return Err(WrongAction::NotToAct(seat).into());
        }
        let seats = self.sides.len() as u8;
        let aims = &mut self.sides[seat.index()].aims;
        let answer = match action {
            Action::Nothing => order_of::<G>(&self.settings, seats, seat, aims).ok_or(Fault::NothingWritten),
            Action::Order { kind, cell } => {
                aims.push((kind, cell));
                if !self.game.is_whole_at(seat, aims) {
                    return Ok(());
                }
                order_of::<G>(&self.settings, seats, seat, aims).ok_or(Fault::NothingWritten)
            }
            Action::Place(ship) if !self.game.is_placing() => return self.place(seat, &[ship]),
            Action::Place(ship) => {
                let fleet = &mut self.sides[seat.index()].fleet;
                fleet.push(ship);
                if fleet.len() < self.layout.ships.len() {
                    return Ok(());
                }
                let fleet = std::mem::take(fleet);
                return self.place(seat, &fleet);
            }
        };
        self.give(seat, Given { answer, parts: None })
    }

    /// Gives the order that places these ships. They may lie as no order can put them, so it is read as it is written.
    fn place(&mut self, seat: Seat, ships: &[ShipAt]) -> Result<(), ActionMatchError> {
        let parts = G::write(&G::placing(&self.settings, ships));
        self.give(seat, Given { answer: self.game.read(&parts), parts: Some(parts) })
    }

    /// Takes the answer of a seat in the form in which a bot gives it: parts that are named as in
    /// [`rules::Listed::ANSWER_PARTS`].
    ///
    /// # Errors
    /// As [`ActionMatch::act`].
    pub fn answer(&mut self, seat: Seat, parts: Vec<Part>) -> Result<(), ActionMatchError> {
        let answer = self.game.read(&parts);
        self.give_checked(seat, Given { answer, parts: Some(parts) })
    }

    /// Takes the fault of a seat instead of an order.
    ///
    /// # Errors
    /// As [`ActionMatch::act`].
    pub fn fail(&mut self, seat: Seat, fault: Fault) -> Result<(), ActionMatchError> {
        self.give_checked(seat, Given { answer: Err(fault), parts: None })
    }

    /// Takes an answer that was read before, with its parts.
    ///
    /// # Errors
    /// As [`ActionMatch::act`].
    pub fn reply(&mut self, seat: Seat, answer: Answer<G::Order>, parts: Vec<Part>) -> Result<(), ActionMatchError> {
        self.give_checked(seat, Given { answer, parts: Some(parts) })
    }

    /// Takes these actions as those that the seat has taken so far in this move, which is not complete.
    pub fn plan(&mut self, seat: Seat, actions: &[usize]) {
        let is_placing = self.game.is_placing();
        let side = &mut self.sides[seat.index()];
        side.aims.clear();
        if is_placing {
            side.fleet.clear();
        }
        for action in actions.iter().filter_map(|number| self.layout.action(*number)) {
            match action {
                Action::Place(ship) if is_placing => side.fleet.push(ship),
                Action::Order { kind, cell } => side.aims.push((kind, cell)),
                Action::Place(_) | Action::Nothing => {}
            }
        }
    }

    fn give_checked(&mut self, seat: Seat, given: Given<G::Order>) -> Result<(), ActionMatchError> {
        if !self.is_to_act(seat) {
            return Err(WrongAction::NotToAct(seat).into());
        }
        self.give(seat, given)
    }

    fn give(&mut self, seat: Seat, given: Given<G::Order>) -> Result<(), ActionMatchError> {
        if self.game.is_placing()
            && let Ok(order) = &given.answer
            && let Some(fleet) = G::placed(&self.settings, order)
        {
            self.sides[seat.index()].fleet = fleet;
        }
        let side = &mut self.sides[seat.index()];
        side.aims.clear();
        side.answer = Some(given);
        self.advance().map_err(ActionMatchError::Player)
    }

    /// Places the fleets of agents that are placed at random.
    fn open_turn(&mut self) {
        self.awaited = self.game.awaited();
        if !self.game.is_placing() {
            return;
        }
        let awaited = self.awaited;
        for (seat, side) in seats(self.sides.len()).zip(&mut self.sides).filter(|(seat, _)| awaited.contains(*seat)) {
            side.fleet.clear();
            if self.places_at_random && side.rival.is_none() {
                let mut random = rules::random(rules::seat_seed(self.seed, seat));
                let order = G::placing_at_random(&self.settings, &mut random);
                side.fleet = G::placed(&self.settings, &order).unwrap_or_default();
                side.answer = Some(Given { answer: Ok(order), parts: None });
            }
        }
    }

    /// Plays turns until an agent must act or the match is over.
    fn advance(&mut self) -> Result<(), ArenaError> {
        while self.outcome.is_none() {
            let awaited = self.awaited;
            let mut waits = false;
            for seat in awaited.iter() {
                let side = &mut self.sides[seat.index()];
                match (&side.answer, &mut side.rival) {
                    (Some(_), _) => {}
                    (None, Some(rival)) => {
                        let turn = self.played;
                        let Reply { answer, given, .. } = rival.decide(&Ask::new(&self.game, seat, turn))?;
                        side.answer = Some(Given { answer, parts: Some(given) });
                    }
                    (None, None) => waits = true,
                }
            }
            if waits {
                return Ok(());
            }
            self.play_turn(awaited.is_empty());
        }
        Ok(())
    }

    fn play_turn(&mut self, goes_on_by_itself: bool) {
        static NOTHING: Fault = Fault::NothingWritten;
        let sides = &self.sides;
        self.game.step(|seat| {
            let given = sides[seat.index()].answer.as_ref();
            given.map_or(Err(&NOTHING), |given| given.answer.as_ref())
        });
        let answers =
            seats(self.sides.len()).zip(&mut self.sides).filter_map(|(seat, side)| Some((seat, side.answer.take()?)));
        match &mut self.turns {
            Some(turns) => turns.push(Arc::new(answers.collect())),
            None => answers.for_each(drop),
        }
        self.played += 1;
        self.awaited = self.game.awaited();
        // Without anybody to be asked, the match is over or goes on by itself.
        if self.awaited.is_empty() || goes_on_by_itself {
            self.outcome = self.game.outcome();
        }
        self.reward();
        if self.outcome.is_none() {
            self.open_turn();
        }
    }

    /// Gives the rewards of the turn that was played.
    fn reward(&mut self) {
        if self.options.reward == Reward::Hits {
            let others = (self.sides.len() - 1).max(1) as f32;
            let gains: Vec<f32> = seats(self.sides.len())
                .zip(&mut self.sides)
                .map(|(seat, side)| {
                    let progress = self.game.progress(seat);
                    progress - std::mem::replace(&mut side.progress, progress)
                })
                .collect();
            let all: f32 = gains.iter().sum();
            for (side, gain) in self.sides.iter_mut().zip(gains) {
                side.reward += gain - (all - gain) / others;
            }
        }
        let winner = self.outcome.as_ref().map(|outcome| outcome.winner);
        for (seat, side) in seats(self.sides.len()).zip(&mut self.sides) {
            if !side.is_in {
                continue;
            }
            match winner {
                Some(Some(winner)) => side.reward += if winner == seat { 1.0 } else { -1.0 },
                Some(None) => {}
                None if !self.game.is_in(seat) => {
                    side.is_in = false;
                    side.reward -= 1.0;
                }
                None => {}
            }
        }
    }

    /// Memory for an observation: planes, scalars, mask.
    pub fn buffers(&self) -> (Vec<u8>, Vec<f32>, Vec<i8>) {
        let layout = &self.layout;
        (vec![0; layout.planes.len() * layout.grid.len()], vec![0.0; layout.scalars.len()], vec![0; layout.actions()])
    }

    /// Writes what a seat observes now. The mask of a seat that is not to act allows action 0 only.
    ///
    /// # Panics
    /// There is no such seat, or the buffers are not as long as [`ActionMatch::buffers`].
    pub fn observe(&self, seat: Seat, planes: &mut [u8], scalars: &mut [f32], mask: &mut [i8]) {
        let observed = ObservedSeat {
            layout: &self.layout,
            fleet: &self.sides[seat.index()].fleet,
            is_placing: self.game.is_placing(),
            acts: self.is_to_act(seat),
            mask_kind: self.options.mask,
            aims: &self.sides[seat.index()].aims,
        };
        observed.write(planes, scalars, mask, |sight| self.game.encode_at(seat, observed.fleet, sight));
    }

    /// The actions that give the order in the answer of a bot; `None` if there are none, such as for shots off the board.
    pub fn actions_of(&self, seat: Seat, order: &G::Order) -> Option<Vec<usize>> {
        if let Some(ships) = G::placed(&self.settings, order) {
            return ships.into_iter().map(|ship| self.layout.number(Action::Place(ship))).collect();
        }
        let aims = G::aims_of(&self.settings, self.sides.len() as u8, seat, order)?;
        aims.into_iter().map(|(kind, cell)| self.layout.number(Action::Order { kind, cell })).collect()
    }
}

/// So many seats, from A on.
fn seats(count: usize) -> impl Iterator<Item = Seat> {
    (0..count as u8).map_while(Seat::new)
}

/// The order of these actions of a move; `None` if there are none.
fn order_of<G: Encoded>(settings: &G::Settings, seats: u8, seat: Seat, aims: &[(usize, Point)]) -> Option<G::Order> {
    G::joined(aims.iter().map(|(kind, cell)| G::order(settings, seats, seat, *kind, *cell)).collect())
}
