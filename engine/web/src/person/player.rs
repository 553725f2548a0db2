//! A person in a browser as a player.

use super::seat::PersonSeat;
use super::wire::{Act, AimedAt, OrderChoice, Place, Question, ShipToPlace, Verdict};
use arena::{ArenaError, Ask, Interrupt, Player, Reply};
use players::{Aim, FleetEntry, FleetShip, PersonGame, PlacedShip};
use rules::{Fault, Illegal, Point, Random, Seat, random};
use std::time::{Duration, Instant};

/// A person who plays in a browser. Nothing wrong costs a turn: the page gets the reason and may send something else.
pub struct WebPerson<G: PersonGame> {
    seat: PersonSeat,
    settings: G::Settings,
    random: Random,
    interrupt: Interrupt,
    patience: Option<Duration>,
    /// The order that the person gave last.
    last: Option<G::Order>,
}

/// The result of a request.
enum Taken<O> {
    /// The order will be obeyed.
    Order(O),
    /// The person gives up.
    Resigned,
    /// Another request must follow.
    Not(Verdict),
}

impl<G: PersonGame> WebPerson<G> {
    /// A person who plays through the page of `seat`, for as long as the interrupt is not raised. `seed` places ships where
    /// the person wants them at random.
    pub fn new(seat: PersonSeat, settings: G::Settings, seed: u64, interrupt: Interrupt) -> WebPerson<G> {
        WebPerson { seat, settings, random: random(seed), interrupt, patience: None, last: None }
    }

    /// The same person with a limit for each answer. One who takes longer gives up.
    #[must_use]
    pub fn within(self, patience: Duration) -> WebPerson<G> {
        WebPerson { patience: Some(patience), ..self }
    }

    fn question(&self, ask: &Ask<'_, G>, number: u64) -> Question {
        let view = ask.view();
        if G::is_placing(&view) {
            let plan = G::plan(&self.settings);
            let ship = |ship: &FleetShip| ShipToPlace {
                name: ship.name.to_string(),
                letter: ship.letter,
                length: ship.length(),
                turns: ship.turns(),
            };
            return Question::Place { number, ships: plan.ships.iter().map(ship).collect(), near: plan.near };
        }
        let boards = ask.scene().boards;
        let others: Vec<Seat> = boards.iter().map(|board| board.seat).filter(|seat| *seat != ask.seat).collect();
        let target = others.first().copied().unwrap_or(ask.seat);
        let words = G::orders(&view, Aim { target, at: Point::default() }, &[]).into_iter().enumerate();
        let orders = words.map(|(nth, (word, order))| {
            let hint = G::hint(&view, &order);
            let possible = if hint.is_at_own_board { vec![ask.seat] } else { others.clone() };
            let checked = |target, at| ask.check(&G::orders(&view, Aim { target, at }, &[])[nth].1);
            // A plain shot may be refused at cells that were fired at before.
            let may_fire =
                |seat: &Seat| nth == 0 && boards[seat.index()].grid.points().any(|at| checked(*seat, at).is_ok());
            let may = |seat: &&Seat| checked(**seat, Point::default()).is_ok() || may_fire(seat);
            let targets: Vec<char> = possible.iter().filter(may).map(|seat| seat.letter()).collect();
            let why = possible.first().filter(|_| targets.is_empty());
            let why = why.and_then(|seat| checked(*seat, Point::default()).err()).map(|Illegal(why)| why);
            OrderChoice {
                word: word.into_owned(),
                hint: hint.text,
                pattern: hint.pattern,
                most: hint.most,
                targets,
                why,
            }
        });
        Question::Order {
            number,
            moment: G::moment(&view),
            result: self.last.as_ref().and_then(|last| G::result(&view, last)),
            orders: orders.collect(),
            pass: G::pass().is_some(),
        }
    }

    fn take(&mut self, ask: &Ask<'_, G>, act: Act) -> Taken<G::Order> {
        let view = ask.view();
        let is_placing = G::is_placing(&view);
        let order = match act {
            Act::Resign => return Taken::Resigned,
            Act::Random if is_placing => return Taken::Not(self.random_fleet()),
            Act::Fleet { ships } if is_placing => self.fleet(&ships),
            Act::Pass if !is_placing => G::pass().ok_or_else(|| "the game has no pass".to_owned()),
            Act::Order { word, aim: first, more, sure } if !is_placing => {
                let order = order::<G>(&view, &word, first, &more);
                let wasted = order.as_ref().ok().and_then(|order| G::wasted(&view, order)).filter(|_| !sure);
                if let Some(at) = wasted {
                    // A cell of a salvo that is chosen again is left out.
                    let again = if more.is_empty() { "fire again there" } else { "fire again" };
                    let why = Some(format!("You fired at {}, {} already: {again} to do it all the same", at.x, at.y));
                    return Taken::Not(Verdict { why, doubt: true, ..Verdict::default() });
                }
                order
            }
            Act::Random | Act::Fleet { .. } => Err("the ships are placed already".to_owned()),
            Act::Order { .. } | Act::Pass => Err("the ships are to be placed first".to_owned()),
        };
        let checked = order.and_then(|order| match ask.check(&order) {
            Ok(()) => Ok(order),
            Err(Illegal(why)) => Err(why),
        });
        match checked {
            Ok(order) => Taken::Order(order),
            Err(why) => Taken::Not(Verdict::refused(why)),
        }
    }

    fn random_fleet(&mut self) -> Verdict {
        let plan = G::plan(&self.settings);
        let Some(mut fleet) = G::random_fleet(&self.settings, &mut self.random) else {
            return Verdict::refused("no fleet was found that fits");
        };
        let mut ships = Vec::new();
        for ship in &plan.ships {
            let found = fleet.iter().position(|placed| placed.ship == *ship);
            ships.extend(found.map(|at| place(&fleet.swap_remove(at))));
        }
        Verdict { ships, ..Verdict::accepted() }
    }

    fn fleet(&self, ships: &[Place]) -> Result<G::Order, String> {
        let plan = G::plan(&self.settings);
        if ships.len() != plan.ships.len() {
            return Err(format!(
                "the fleet has {}, not {}",
                rules::counted(plan.ships.len() as u32, "ship"),
                ships.len()
            ));
        }
        let mut entry = FleetEntry::new(plan.clone());
        for (ship, place) in plan.ships.into_iter().zip(ships) {
            let placed = ship.turned(Point::new(place.x, place.y), place.turn);
            entry.put(placed.ok_or("a ship cannot be turned so")?)?;
        }
        Ok(G::place(&self.settings, entry.placed()))
    }
}

impl<G: PersonGame> Player<G> for WebPerson<G> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        self.seat.ask(|number| self.question(ask, number));
        let deadline = self.patience.map(|patience| Instant::now() + patience);
        let answer = loop {
            let Some(submission) = self.seat.next(&self.interrupt, deadline)? else { break Err(Fault::GaveUp) };
            match self.take(ask, submission.given.act.clone()) {
                Taken::Order(order) => {
                    submission.answer(Verdict::accepted());
                    break Ok(order);
                }
                Taken::Resigned => {
                    submission.answer(Verdict::accepted());
                    break Err(Fault::GaveUp);
                }
                Taken::Not(verdict) => submission.answer(verdict),
            }
        };
        self.seat.end_question();
        self.last = answer.as_ref().ok().cloned();
        let given = answer.as_ref().map(G::write).unwrap_or_default();
        Ok(Reply { answer, given, time: None, run: None, notes: None })
    }
}

/// The order with this word for cells.
fn order<G: PersonGame>(view: &G::View, word: &str, first: AimedAt, more: &[AimedAt]) -> Result<G::Order, String> {
    let aim = |at: AimedAt| {
        let target = Seat::try_from(at.target).map_err(|_| "there is no such player".to_owned())?;
        Ok::<Aim, String>(Aim { target, at: Point::new(at.x, at.y) })
    };
    let more = more.iter().map(|at| aim(*at)).collect::<Result<Vec<Aim>, String>>()?;
    let order = G::orders(view, aim(first)?, &more).into_iter().find(|(name, _)| *name == word);
    let order = order.map(|(_, order)| order).ok_or_else(|| "there is no such order".to_owned())?;
    let most = G::hint(view, &order).most;
    if more.len() < most { Ok(order) } else { Err(format!("there are more cells than {most}")) }
}

fn place(ship: &PlacedShip) -> Place {
    let (corner, turn) = ship.turn();
    Place { x: corner.x, y: corner.y, turn }
}
