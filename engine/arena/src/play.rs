//! The match loop.

use crate::{ArenaError, Ask, MatchEvent, Observer, Player, Reply, Sequence};
use rules::{Answers, BySeat, Eye, Game, Outcome, Seat};
use std::panic::resume_unwind;
use std::thread;

/// The players of a match by their seats.
pub type Players<G> = BySeat<Box<dyn Player<G>>>;

/// What came from whom, in the order of the seats.
type Replies<O> = Vec<(Seat, Reply<O>)>;

/// Plays `game` to its end.
pub fn play<G: Game>(
    mut game: G,
    players: &mut Players<G>,
    sequence: Sequence,
    watch: &mut dyn Observer<G>,
) -> Result<Outcome, ArenaError> {
    let mut turn = 0;
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        watch.on(&MatchEvent::Opened { turn, game: &game })?;
        let replies = ask_awaited(&game, turn, players, sequence)?;
        watch.on(&MatchEvent::Answered { turn, game: &game, replies: &replies })?;
        let answers = replies.into_iter().map(|(seat, reply)| (seat, reply.answer)).collect::<Answers<_>>();
        let told = game.advance(answers);
        watch.on(&MatchEvent::Advanced { turn, game: &game, told: &told })?;
        turn += 1;
    };
    watch.on(&MatchEvent::Finished { outcome: &outcome, game: &game })?;
    for (seat, player) in players.iter_mut() {
        player.over(&game.scene(Eye::Seat(seat)), outcome.winner == Some(seat))?;
    }
    Ok(outcome)
}

/// Asks for everything about one and the same state, so that the order of asking tells nobody anything.
fn ask_awaited<G: Game>(
    game: &G,
    turn: u32,
    players: &mut Players<G>,
    sequence: Sequence,
) -> Result<Replies<G::Order>, ArenaError> {
    let awaited = game.awaited();
    let asks: BySeat<Option<Ask<'_, G>>> =
        players.seats().map(|seat| awaited.contains(seat).then(|| Ask::new(game, seat, turn))).collect();
    let mut questions = players.iter_mut().filter_map(|(seat, player)| Some((asks[seat].as_ref()?, player)));
    match sequence {
        Sequence::InTurn => questions.map(|(ask, player)| decide(ask, player)).collect(),
        Sequence::Together => thread::scope(|scope| {
            let first = questions.next();
            let others: Vec<_> = questions
                .map(|(ask, player)| thread::Builder::new().spawn_scoped(scope, move || decide(ask, player)))
                .collect();
            let first = first.map(|(ask, player)| decide(ask, player));
            // All threads are joined before the first error is passed on.
            let others: Vec<_> = others
                .into_iter()
                .map(|other| {
                    let other = other.map_err(|e| ArenaError::process("start a thread for", "a bot", e))?;
                    other.join().unwrap_or_else(|panic| resume_unwind(panic))
                })
                .collect();
            first.into_iter().chain(others).collect()
        }),
    }
}

fn decide<G: Game>(ask: &Ask<'_, G>, player: &mut Box<dyn Player<G>>) -> Result<(Seat, Reply<G::Order>), ArenaError> {
    Ok((ask.seat, player.decide(ask)?))
}
