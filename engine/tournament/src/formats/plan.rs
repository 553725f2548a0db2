//! Plans: the order of the games of a tournament. A plan is an iterator over games: it stores a position, not the
//! list.

use crate::formats::boards::BoardGames;
use crate::formats::final_bracket::FinalBracket;
use crate::formats::knockout;
use crate::formats::ladder_games::LadderGames;
use crate::formats::swiss;
use crate::{Fixture, Format, NextGame, Results, TournamentHeader};

/// The games of a tournament in the order in which they are to be played.
///
/// ```
/// use tournament::{Fixture, Format, NextGame, Plan, Results};
///
/// let mut plan = Plan::new(Format::RoundRobin, 3, 2, None);
/// let mut results = Results::default();
/// results.add(Fixture { first: 1, second: 2, number: 0 }, tournament::GameResult::Draw, [0, 0]);
/// let mut games = 0;
/// while let NextGame::Play(_) = plan.next(&results) {
///     games += 1;
/// }
/// assert_eq!(games, 5, "one of the six games was played before");
/// ```
#[derive(Debug, Clone)]
pub struct Plan {
    order: GameOrder,
    entrants: usize,
    /// The number of games of a pairing, or of a meeting in formats with several; even, but in solo.
    games: u32,
}

#[derive(Debug, Clone)]
enum GameOrder {
    /// All pairings again and again, with two games each time (one where they are not pairs), so that early standings tell something.
    Cycles {
        pairings: Vec<(usize, usize)>,
        at_once: u64,
        next: u64,
    },
    Boards(BoardGames),
    Swiss(swiss::SwissRounds),
    Knockout(knockout::Bracket),
    /// One game at a time; `last` is the one that was given.
    Final {
        bracket: FinalBracket,
        last: Option<Fixture>,
    },
    /// In a box, because it is larger than the others.
    Ladder(Box<LadderGames>),
}

impl Plan {
    /// A plan for this many entrants, with this many games for each meeting, rounded up to an even number but in solo. In a ladder they are those of
    /// each entrant on average. In a final a meeting is the best of this many games, rounded up to an odd number.
    /// `rounds` is for the Swiss format; `None` for the usual number.
    pub fn new(format: Format, entrants: usize, games: u32, rounds: Option<u32>) -> Plan {
        let best_of = games;
        let at_once = if format == Format::Solo { 1 } else { 2 };
        let games = games.div_ceil(at_once).max(1) * at_once;
        let cycles = |pairings| GameOrder::Cycles { pairings, at_once: at_once.into(), next: 0 };
        let order = match format {
            Format::RoundRobin => cycles(everybody(entrants)),
            Format::Gauntlet | Format::Solo => cycles((1..entrants).map(|other| (0, other)).collect()),
            Format::Swiss => GameOrder::Swiss(swiss::SwissRounds::new(entrants, games, rounds)),
            Format::Knockout => GameOrder::Knockout(knockout::Bracket::new(entrants, games)),
            Format::Final => GameOrder::Final { bracket: FinalBracket::new(entrants, best_of), last: None },
            Format::Ladder => GameOrder::Ladder(Box::new(LadderGames::new(entrants, games))),
            Format::Grading => cycles(with_baselines(entrants, 1)),
        };
        Plan { order, entrants, games }
    }

    /// The plan of a tournament with this header, as [`Plan::new`]. In a round robin of bots that play alone, `games` are the boards that
    /// each plays once. In grading they are the most of each entrant with each baseline.
    pub fn of(header: &TournamentHeader, entrants: usize, games: u32, rounds: Option<u32>) -> Plan {
        let mut plan = Plan::new(header.plan, entrants, games, rounds);
        if header.plan == Format::RoundRobin && header.is_solo() {
            plan.order = GameOrder::Boards(BoardGames::new(entrants, plan.games));
        }
        if header.plan == Format::Grading {
            let baselines = header.baselines.unwrap_or(1);
            plan.order = GameOrder::Cycles { pairings: with_baselines(entrants, baselines), at_once: 2, next: 0 };
        }
        plan
    }

    /// The number of entrants.
    pub fn entrants(&self) -> usize {
        self.entrants
    }

    /// The number of games in all; not exact for a knockout or a final, where ties are played on, and for a Swiss tournament or a knockout of
    /// which an entrant has retired.
    pub fn total(&self, results: &Results) -> u64 {
        match &self.order {
            GameOrder::Cycles { pairings, .. } => {
                let games = |&(one, other): &(usize, usize)| match results.is_retired(one) || results.is_retired(other)
                {
                    true => results.played_at_last(one, other, self.games),
                    false => u64::from(self.games),
                };
                pairings.iter().map(games).sum()
            }
            GameOrder::Boards(boards) => boards.total(results),
            GameOrder::Swiss(rounds) => rounds.total(),
            GameOrder::Ladder(ladder) => ladder.total(results),
            GameOrder::Final { bracket, .. } => bracket.most_games(),
            GameOrder::Knockout(_) => {
                let seeds = (0..self.entrants).filter(|entrant| !results.is_successor(*entrant)).count();
                seeds.saturating_sub(1) as u64 * u64::from(self.games)
            }
        }
    }

    /// True if the entrant may have games that are not played yet: in a knockout, if it is not out and the tournament is not over.
    pub fn has_games_for(&self, entrant: usize, results: &Results) -> bool {
        match &self.order {
            GameOrder::Knockout(bracket) => bracket.has(results, entrant),
            GameOrder::Final { bracket, .. } => bracket.next(results) != NextGame::Done,
            GameOrder::Cycles { .. } | GameOrder::Boards(_) | GameOrder::Swiss(_) | GameOrder::Ladder(_) => true,
        }
    }

    /// The number of games of a meeting that is not tied.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The next game that is not finished and was not given before.
    pub fn next(&mut self, results: &Results) -> NextGame {
        match &mut self.order {
            GameOrder::Cycles { pairings, at_once, next } => {
                let all = pairings.len() as u64 * u64::from(self.games);
                while *next < all {
                    let fixture = in_cycles(pairings, *at_once, *next);
                    *next += 1;
                    if results.decided(fixture).is_none() {
                        return NextGame::Play(fixture);
                    }
                }
                NextGame::Done
            }
            GameOrder::Boards(boards) => boards.next(results),
            GameOrder::Swiss(rounds) => rounds.next(results),
            GameOrder::Knockout(bracket) => bracket.next(results),
            GameOrder::Final { bracket, last } => match bracket.next(results) {
                // It is being played.
                NextGame::Play(fixture) if *last == Some(fixture) => NextGame::Wait,
                next => {
                    *last = if let NextGame::Play(fixture) = next { Some(fixture) } else { *last };
                    next
                }
            },
            GameOrder::Ladder(ladder) => ladder.next(results),
        }
    }
}

/// Game number `at` of those that go through all pairings again and again, with so many games at once for each.
fn in_cycles(pairings: &[(usize, usize)], at_once: u64, at: u64) -> Fixture {
    let turn = at / at_once;
    let (first, second) = pairings[(turn % pairings.len() as u64) as usize];
    let number = (turn / pairings.len() as u64 * at_once + at % at_once) as u32;
    Fixture { first, second, number }
}

/// The pairings of all entrants with the baselines, which are the first ones.
fn with_baselines(entrants: usize, baselines: usize) -> Vec<(usize, usize)> {
    (baselines..entrants).flat_map(|entrant| (0..baselines).map(move |baseline| (entrant, baseline))).collect()
}

/// All pairings, in rounds in which nobody is twice: so everybody has played about equally often at any time.
fn everybody(entrants: usize) -> Vec<(usize, usize)> {
    let rounds = entrants.next_multiple_of(2).saturating_sub(1);
    let pairs = (0..rounds).flat_map(|round| circle(entrants, round));
    let pairings = pairs.map(|(one, other)| (one.min(other), one.max(other)));
    pairings.filter(|(_, second)| *second < entrants).collect()
}

/// The pairs of a round in which everybody is once (the circle method). Of an odd number the last one is paired with the number of all;
/// rounds come again after all have met.
pub(super) fn circle(entrants: usize, round: usize) -> impl Iterator<Item = (usize, usize)> {
    let seats = entrants.next_multiple_of(2);
    (0..seats / 2).map(move |place| {
        // The last seat stays; the others move around the circle.
        let on_circle = |place: usize| (place + round) % (seats - 1);
        match place {
            0 => (on_circle(0), seats - 1),
            place => (on_circle(place), on_circle(seats - 1 - place)),
        }
    })
}

/// Plays all games as soon as they are given. Each has this score for its first entrant, and both make these points.
#[cfg(test)]
pub(crate) fn play_out(
    mut next: impl FnMut(&Results) -> NextGame,
    points: [u64; 2],
    mut score: impl FnMut(Fixture) -> crate::GameResult,
) -> (Vec<Fixture>, Results) {
    let (mut games, mut results) = (Vec::new(), Results::default());
    loop {
        match next(&results) {
            NextGame::Play(fixture) => {
                games.push(fixture);
                assert!(results.add(fixture, score(fixture), points), "{fixture:?} is given once");
            }
            NextGame::Wait => panic!("nothing is running"),
            NextGame::Done => return (games, results),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use std::collections::BTreeSet;

    /// All games of a plan, each won by the entrant of the lower number.
    fn played(mut plan: Plan) -> (Vec<Fixture>, Results) {
        let winner = |game: Fixture| if game.first < game.second { GameResult::Win } else { GameResult::Loss };
        play_out(|results| plan.next(results), [10, 5], winner)
    }

    #[test]
    fn everybody_meets_everybody_equally_often_at_any_time() {
        for entrants in 2..10 {
            let (games, _) = played(Plan::new(Format::RoundRobin, entrants, 4, None));
            let pairings = entrants * (entrants - 1) / 2;
            assert_eq!(games.len(), pairings * 4);
            let first: BTreeSet<_> = games[..pairings * 2].iter().map(|game| (game.first, game.second)).collect();
            assert_eq!(first.len(), pairings, "each pairing has had its first pair");
            let round = entrants / 2 * 2;
            let players: BTreeSet<_> = games[..round].iter().flat_map(|game| game.seated()).collect();
            assert_eq!(players.len(), round, "nobody plays twice in a round");
            assert!(games.chunks(2).all(|pair| pair[0].seated() == [pair[1].seated()[1], pair[1].seated()[0]]));
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_all_others() {
        let (games, _) = played(Plan::new(Format::Gauntlet, 4, 2, None));
        assert!(games.iter().all(|game| game.first == 0));
        assert_eq!(games.iter().map(|game| game.second).collect::<Vec<_>>(), [1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn in_solo_all_play_a_board_before_the_next() {
        let (games, _) = played(Plan::new(Format::Solo, 3, 3, None));
        let boards: Vec<_> = games.iter().map(|game| (game.first, game.second, game.number)).collect();
        assert_eq!(boards, [(0, 1, 0), (0, 2, 0), (0, 1, 1), (0, 2, 1), (0, 1, 2), (0, 2, 2)]);
    }

    #[test]
    fn in_grading_each_meets_each_baseline() {
        let mut header =
            TournamentHeader::new(rules::GameKind::SeaBattle, serde_json::json!({}), Format::Grading, None, 1);
        header.baselines = Some(2);
        let (games, _) = played(Plan::of(&header, 4, 2, None));
        let pairings: Vec<_> = games.iter().step_by(2).map(|game| (game.first, game.second)).collect();
        assert_eq!(pairings, [(2, 0), (2, 1), (3, 0), (3, 1)]);
    }

    #[test]
    fn a_final_has_one_game_at_a_time() {
        let mut plan = Plan::new(Format::Final, 4, 3, None);
        let mut results = Results::default();
        let mut games = Vec::new();
        while let NextGame::Play(game) = plan.next(&results) {
            assert_eq!(plan.next(&results), NextGame::Wait, "its result is not known");
            assert!(games.len() < 8 && plan.has_games_for(3, &results));
            results.add(game, GameResult::Win, [10, 5]);
            games.push(game);
        }
        assert_eq!((games.len(), plan.next(&results)), (8, NextGame::Done));
        assert_eq!(plan.total(&results), 12, "if all had three games");
    }

    #[test]
    fn an_odd_number_of_games_is_made_even() {
        let plan = Plan::new(Format::RoundRobin, 2, 3, None);
        assert_eq!(plan.total(&Results::default()), 4);
        assert_eq!(played(plan).0.len(), 4);
    }

    #[test]
    fn what_was_played_before_is_not_played_again() {
        for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss, Format::Knockout, Format::Final] {
            let plan = Plan::new(format, 7, 2, None);
            let (games, all) = played(plan.clone());
            for cut in 0..games.len() {
                let mut results = Results::default();
                for game in &games[..cut] {
                    results.add(*game, all.score(*game).unwrap(), [10, 5]);
                }
                assert_eq!(plan.clone().next(&results), NextGame::Play(games[cut]), "{format:?} after {cut}");
            }
            assert_eq!(plan.clone().next(&all), NextGame::Done);
        }
    }

    #[test]
    fn more_games_and_more_entrants_continue_a_tournament() {
        let (games, results) = played(Plan::new(Format::RoundRobin, 3, 2, None));
        let mut longer = Plan::new(Format::RoundRobin, 3, 4, None);
        assert_eq!(longer.next(&results), NextGame::Play(Fixture { number: 2, ..games[0] }));
        let mut larger = Plan::new(Format::RoundRobin, 4, 2, None);
        let NextGame::Play(game) = larger.next(&results) else { panic!("there is more to play") };
        assert_eq!(game.second, 3);
    }

    #[test]
    fn a_retired_entrant_plays_no_more_and_nobody_waits_for_it() {
        for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss, Format::Knockout, Format::Final] {
            let plan = Plan::new(format, 6, 2, None);
            let (games, all) = played(plan.clone());
            for (cut, retired) in (0..games.len()).flat_map(|cut| (0..6).map(move |retired| (cut, retired))) {
                let mut results = Results::default();
                games[..cut].iter().for_each(|game| {
                    results.add(*game, all.score(*game).unwrap(), [10, 5]);
                });
                results.retire(retired);
                let (mut left, mut rest) = (0, plan.clone());
                loop {
                    match rest.next(&results) {
                        NextGame::Play(game) => {
                            assert!(
                                !game.seated().contains(&retired),
                                "{format:?} after {cut} without {retired}: {game:?}"
                            );
                            let score = if game.first < game.second { GameResult::Win } else { GameResult::Loss };
                            assert!(results.add(game, score, [10, 5]));
                            left += 1;
                        }
                        NextGame::Wait => panic!("{format:?} after {cut} waits for {retired}"),
                        NextGame::Done => break,
                    }
                }
                if matches!(format, Format::RoundRobin | Format::Gauntlet) {
                    assert_eq!(rest.total(&results), cut as u64 + left, "{format:?} after {cut} without {retired}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_played_with_nobody() {
        for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss, Format::Knockout, Format::Final] {
            for entrants in [0, 1] {
                let next = Plan::new(format, entrants, 2, None).next(&Results::default());
                assert_eq!(next, NextGame::Done, "{format:?}");
            }
        }
    }
}
