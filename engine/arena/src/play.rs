//! The match loop.

use crate::{ArenaError, Ask, MatchEvent, Observer, Player, Reply, Sequence};
use rules::{AnswerRef, BySeat, Eye, Fault, Game, Outcome, Seat};
use std::panic::resume_unwind;
use std::thread;

/// The players of a match by their seats.
pub type Players<G> = BySeat<Box<dyn Player<G>>>;

/// The replies with their seats, in the order of the seats.
type Replies<O> = Vec<(Seat, Reply<O>)>;

/// Plays `game` to its end and gives the outcome.
///
/// In each turn, all awaited players are asked about the same state, the rules advance the game by their answers,
/// and `watch` sees each step. A fault of a player goes into the rules, which say what it costs.
///
/// ```
/// use arena::{ArenaError, Ask, Observers, Player, Players, Reply, Sequence, play};
/// use rules::salvo::{Order, Salvo, Settings, random_fleet};
/// use rules::{Game, Listed, Point};
///
/// /// Fires at one cell after the other.
/// struct RowByRow(i32);
///
/// impl Player<Salvo> for RowByRow {
///     fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
///         let order = if ask.view().turn == 0 {
///             Order::Place(random_fleet(&mut rules::random(1)))
///         } else {
///             self.0 += 1;
///             Order::Fire { target: ask.seat.opponent(), at: Point::new(self.0 / 10 % 10, self.0 % 10) }
///         };
///         Ok(Reply { given: Salvo::write(&order), answer: Ok(order), time: None, run: None, notes: None })
///     }
/// }
///
/// let game = Salvo::start(&Settings::default(), 2, 7)?;
/// let mut players: Players<Salvo> = (0..2).map(|_| -> Box<dyn Player<Salvo>> { Box::new(RowByRow(-1)) }).collect();
/// let outcome = play(game, &mut players, Sequence::InTurn, &mut Observers::new())?;
/// assert!(outcome.winner.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first failure of a player's transport or of an observer. It ends the match without a winner, and no player
/// is charged with it. [`ArenaError::Interrupted`] if somebody stopped the match.
pub fn play<G: Game>(
    mut game: G,
    players: &mut Players<G>,
    sequence: Sequence,
    watch: &mut dyn Observer<G>,
) -> Result<Outcome, ArenaError> {
    let mut turn = 0;
    // The memory of both is used again in each turn.
    let (mut replies, mut told) = (Replies::new(), Vec::new());
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        watch.on(&MatchEvent::Opened { turn, game: &game })?;
        replies.clear();
        ask_awaited(&game, turn, players, sequence, &mut replies)?;
        watch.on(&MatchEvent::Answered { turn, game: &game, replies: &replies })?;
        told.clear();
        told.extend_from_slice(game.step(|seat| answer_of(&replies, seat)));
        watch.on(&MatchEvent::Advanced { turn, game: &game, told: &told })?;
        turn += 1;
    };
    watch.on(&MatchEvent::Finished { outcome: &outcome, game: &game })?;
    for (seat, player) in players.iter_mut() {
        player.over(&game.scene(Eye::Seat(seat)), outcome.winner.map(|winner| winner == seat))?;
    }
    Ok(outcome)
}

/// The answer of a player. One who was not asked, and one without a reply, have written nothing.
pub(crate) fn answer_of<O>(replies: &[(Seat, Reply<O>)], seat: Seat) -> AnswerRef<'_, O> {
    static NOTHING: Fault = Fault::NothingWritten;
    let reply = replies.iter().find(|(who, _)| *who == seat);
    reply.map_or(Err(&NOTHING), |(_, reply)| reply.answer.as_ref())
}

/// Asks all awaited players about the same state, so that the order of asking reveals nothing, and adds their replies.
fn ask_awaited<G: Game>(
    game: &G,
    turn: u32,
    players: &mut Players<G>,
    sequence: Sequence,
    replies: &mut Replies<G::Order>,
) -> Result<(), ArenaError> {
    let awaited = game.awaited();
    let questions = players.iter_mut().filter(|(seat, _)| awaited.contains(*seat));
    let mut questions = questions.map(|(seat, player)| (Ask::new(game, seat, turn), player));
    match sequence {
        Sequence::InTurn => {
            for (ask, player) in questions {
                replies.push(decide(&ask, player)?);
            }
        }
        Sequence::Together => thread::scope(|scope| {
            let first = questions.next();
            let others: Vec<_> = questions
                .map(|(ask, player)| thread::Builder::new().spawn_scoped(scope, move || decide(&ask, player)))
                .collect();
            let first = first.map(|(ask, player)| decide(&ask, player));
            // All threads are joined before the first error is passed on.
            let others: Vec<_> = others
                .into_iter()
                .map(|other| {
                    let other = other.map_err(|e| ArenaError::process("start a thread for", "a bot", e))?;
                    other.join().unwrap_or_else(|panic| resume_unwind(panic))
                })
                .collect();
            for reply in first.into_iter().chain(others) {
                replies.push(reply?);
            }
            Ok::<(), ArenaError>(())
        })?,
    }
    Ok(())
}

fn decide<G: Game>(ask: &Ask<'_, G>, player: &mut Box<dyn Player<G>>) -> Result<(Seat, Reply<G::Order>), ArenaError> {
    Ok((ask.seat, player.decide(ask)?))
}
