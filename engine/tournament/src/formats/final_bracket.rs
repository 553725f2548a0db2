//! The bracket of a final: a knockout for spectators, with one game at a time.
//!
//! The bracket is that of the knockout format, seeded by the order of the entrants; those who have no opponent in the first round
//! begin a round later. A meeting is the best of an odd number of games: it is over as soon as the one behind cannot draw level any
//! more. If all its games leave it tied, at most four more are played, and the first that somebody wins decides; then the points
//! made in the games, then the order. The losers of both semi-finals meet for the third place, before the last meeting.

use crate::formats::knockout::{is_ahead, order};
use crate::{Fixture, KnockoutMeeting, KnockoutRound, NextGame, Results, WinDrawLoss};

/// The most games that are added to a tied meeting.
const EXTRA: u32 = 4;

/// The bracket of a final.
///
/// ```
/// use tournament::{FinalBracket, GameResult, NextGame, Results};
///
/// let bracket = FinalBracket::new(4, 3);
/// let mut results = Results::default();
/// let mut games = 0;
/// while let NextGame::Play(fixture) = bracket.next(&results) {
///     results.add(fixture, GameResult::Win, [20, 10]);
///     games += 1;
/// }
/// assert_eq!(games, 8, "two games for each semi-final, the third place and the final");
/// assert_eq!(bracket.ranking(&results), Some(vec![0, 1, 2, 3]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinalBracket {
    entrants: usize,
    best_of: u32,
}

/// The meetings of a final, with their games so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalMeetings {
    /// The meetings of each round, first to last, from one end of the bracket to the other.
    pub rounds: Vec<Vec<KnockoutMeeting>>,
    /// The meeting for the third place; `None` if there are no two semi-finals.
    pub third: Option<KnockoutMeeting>,
}

impl FinalBracket {
    /// A bracket of this many entrants. Each meeting is the best of `best_of` games; an even number is made odd.
    pub fn new(entrants: usize, best_of: u32) -> FinalBracket {
        FinalBracket { entrants, best_of: best_of | 1 }
    }

    /// The most games of a meeting that is not tied.
    pub fn best_of(self) -> u32 {
        self.best_of
    }

    /// The games of all meetings if each has the most that it can have without being tied.
    pub(crate) fn most_games(self) -> u64 {
        let third = usize::from(self.entrants > 3);
        (self.entrants.saturating_sub(1) + third) as u64 * u64::from(self.best_of)
    }

    /// All meetings. Entrants who were retired lose every meeting that is not decided yet. If both were, the one who was retired first
    /// loses.
    pub fn meetings(self, results: &Results) -> FinalMeetings {
        let mut places: Vec<Option<usize>> =
            order(self.entrants).into_iter().map(|seed| (seed < self.entrants).then_some(seed)).collect();
        let mut rounds = Vec::new();
        while places.len() > 1 {
            let is_first = rounds.is_empty();
            let meeting = |pair: &[Option<usize>]| match [pair[0], pair[1]] {
                [Some(one), Some(other)] => self.meeting(results, [one, other]),
                [one, other] => {
                    let winner = if is_first { one.or(other) } else { None };
                    KnockoutMeeting { entrants: [one, other], winner, ..KnockoutMeeting::default() }
                }
            };
            let round: Vec<KnockoutMeeting> = places.chunks(2).map(meeting).collect();
            places = round.iter().map(|meeting| meeting.winner).collect();
            rounds.push(round);
        }
        let semi_finals = rounds.len().checked_sub(2).map_or(&[][..], |before| &rounds[before]);
        let third = (semi_finals.len() == 2 && self.entrants > 3).then(|| {
            match [&semi_finals[0], &semi_finals[1]].map(loser) {
                [Some(one), Some(other)] => self.meeting(results, [one, other]),
                entrants => KnockoutMeeting { entrants, ..KnockoutMeeting::default() },
            }
        });
        FinalMeetings { rounds, third }
    }

    fn meeting(self, results: &Results, entrants: [usize; 2]) -> KnockoutMeeting {
        let [one, other] = entrants;
        let (first, second) = (one.min(other), one.max(other));
        let scores = (0..).map_while(|number| results.score(Fixture { first, second, number }));
        let games: WinDrawLoss = scores.collect();
        let leader = if games.wins > games.losses { first } else { second };
        let lead = games.wins.abs_diff(games.losses);
        let left = u64::from(self.best_of).saturating_sub(games.games());
        let left_at = |entrant| results.retired_at(entrant).unwrap_or(usize::MAX);
        let winner = if lead > left {
            Some(leader)
        } else if games.games() >= u64::from(self.best_of + EXTRA) {
            Some(if is_ahead(games, results.points(first, second)) { first } else { second })
        } else if left_at(first) != left_at(second) {
            Some(if left_at(first) > left_at(second) { first } else { second })
        } else {
            None
        };
        let games = if one == first { games } else { games.swapped() };
        KnockoutMeeting { entrants: [Some(one), Some(other)], games, winner }
    }

    /// The next game. There is one at a time, so it never has to wait.
    pub fn next(self, results: &Results) -> NextGame {
        let FinalMeetings { mut rounds, third } = self.meetings(results);
        let last = rounds.pop().unwrap_or_default();
        let mut meetings = rounds.into_iter().flatten().chain(third).chain(last);
        let open = meetings.find_map(|meeting| match (meeting.entrants, meeting.winner) {
            ([Some(one), Some(other)], None) => Some((one, other, meeting.games.games())),
            _ => None,
        });
        open.map_or(NextGame::Done, |(one, other, games)| {
            NextGame::Play(Fixture { first: one.min(other), second: one.max(other), number: games as u32 })
        })
    }

    /// The name of the round to which a game belongs: `final`, `third place`, `semi-final` …
    pub fn round(self, results: &Results, fixture: Fixture) -> String {
        let third = self.meetings(results).third;
        let is_third = third.is_some_and(|meeting| {
            [fixture.first, fixture.second].iter().all(|entrant| meeting.entrants.contains(&Some(*entrant)))
        });
        if is_third { "third place".to_owned() } else { KnockoutRound::of(self.entrants, fixture).to_string() }
    }

    /// All entrants, best first; `None` before the last game. Those who lost in the same round are in their order.
    pub fn ranking(self, results: &Results) -> Option<Vec<usize>> {
        if self.next(results) != NextGame::Done {
            return None;
        }
        let FinalMeetings { rounds, third } = self.meetings(results);
        let mut ranking: Vec<usize> = match rounds.last() {
            Some(last) => last[0].winner.into_iter().chain(loser(&last[0])).collect(),
            None => (0..self.entrants).collect(),
        };
        ranking.extend(third.iter().flat_map(|meeting| meeting.winner.into_iter().chain(loser(meeting))));
        for round in rounds.iter().rev().skip(1) {
            let mut out: Vec<usize> = round.iter().filter_map(loser).filter(|out| !ranking.contains(out)).collect();
            out.sort_unstable();
            ranking.extend(out);
        }
        Some(ranking)
    }
}

/// The loser of a meeting that is decided.
fn loser(meeting: &KnockoutMeeting) -> Option<usize> {
    let winner = meeting.winner?;
    meeting.entrants.into_iter().flatten().find(|entrant| *entrant != winner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::formats::plan::play_out;

    fn played(bracket: FinalBracket, score: impl FnMut(Fixture) -> GameResult) -> (Vec<Fixture>, Results) {
        play_out(|results| bracket.next(results), [7, 7], score)
    }

    fn meetings(games: &[Fixture]) -> Vec<(usize, usize)> {
        games.iter().filter(|game| game.number == 0).map(|game| (game.first, game.second)).collect()
    }

    #[test]
    fn the_third_place_is_played_before_the_last_meeting() {
        let (games, results) = played(FinalBracket::new(8, 1), |_| GameResult::Win);
        assert_eq!(meetings(&games), [(0, 7), (3, 4), (1, 6), (2, 5), (0, 3), (1, 2), (2, 3), (0, 1)]);
        let bracket = FinalBracket::new(8, 1);
        let rounds: Vec<String> = games.iter().map(|game| bracket.round(&results, *game)).collect();
        assert_eq!(rounds[3..], ["quarter-final", "semi-final", "semi-final", "third place", "final"]);
        assert_eq!(bracket.ranking(&results), Some(vec![0, 1, 2, 3, 4, 5, 6, 7]));
    }

    #[test]
    fn fewer_entrants_have_a_smaller_bracket() {
        for (entrants, expected) in [
            (0, vec![]),
            (1, vec![]),
            (2, vec![(0, 1)]),
            (3, vec![(1, 2), (0, 1)]),
            (5, vec![(3, 4), (0, 3), (1, 2), (2, 3), (0, 1)]),
        ] {
            let bracket = FinalBracket::new(entrants, 1);
            let (games, results) = played(bracket, |_| GameResult::Win);
            assert_eq!(meetings(&games), expected);
            assert_eq!(bracket.ranking(&results), Some((0..entrants).collect()));
        }
    }

    #[test]
    fn a_meeting_is_over_as_soon_as_it_is_decided() {
        let count = |best_of, scores: &[GameResult]| {
            let mut scores = scores.iter().copied();
            let (games, results) = played(FinalBracket::new(2, best_of), |_| scores.next().unwrap());
            assert_eq!(scores.next(), None, "all are used");
            (games.len(), FinalBracket::new(2, best_of).ranking(&results).unwrap()[0])
        };
        use GameResult::{Draw, Loss, Win};
        assert_eq!(count(1, &[Loss]), (1, 1));
        assert_eq!(count(3, &[Win, Win]), (2, 0));
        assert_eq!(count(3, &[Win, Loss, Loss]), (3, 1));
        assert_eq!(count(3, &[Draw, Win, Draw]), (3, 0), "the lead is enough");
        assert_eq!(count(5, &[Win, Draw, Win, Draw]), (4, 0));
        assert_eq!(count(3, &[Draw, Draw, Draw, Draw, Loss]), (5, 1), "the first that is won");
        assert_eq!(count(1, &[Draw; 5]), (5, 0), "then the order decides");
    }

    #[test]
    fn who_leaves_loses_what_is_not_decided_yet() {
        let bracket = FinalBracket::new(4, 3);
        let mut results = Results::default();
        let semi_final = Fixture { first: 0, second: 3, number: 0 };
        results.add(semi_final, GameResult::Win, [9, 3]);
        let retired = |results: &Results, who: &[usize]| {
            let mut results = results.clone();
            who.iter().for_each(|entrant| results.retire(*entrant));
            results
        };
        assert_eq!(bracket.meetings(&retired(&results, &[0])).rounds[0][0].winner, Some(3));
        results.add(Fixture { number: 1, ..semi_final }, GameResult::Win, [9, 3]);
        let decided = retired(&results, &[0]);
        assert_eq!(bracket.meetings(&decided).rounds[0][0].winner, Some(0), "that was decided");
        assert_eq!(bracket.next(&decided), NextGame::Play(Fixture { first: 1, second: 2, number: 0 }));
        assert_eq!(bracket.meetings(&retired(&results, &[2, 1])).rounds[0][1].winner, Some(1), "who left last goes on");
        assert_eq!(bracket.ranking(&retired(&results, &[2, 1, 0, 3])), Some(vec![0, 1, 3, 2]));
    }

    #[test]
    fn a_cut_anywhere_continues_with_the_same_game() {
        let score = |game: Fixture| if game.number == 1 { GameResult::Loss } else { GameResult::Win };
        let bracket = FinalBracket::new(8, 3);
        let (games, all) = played(bracket, score);
        for cut in 0..games.len() {
            let mut results = Results::default();
            assert!(games[..cut].iter().all(|game| results.add(*game, all.score(*game).unwrap(), [7, 7])));
            assert_eq!(bracket.next(&results), NextGame::Play(games[cut]), "after {cut}");
            assert_eq!(bracket.ranking(&results), None);
        }
    }
}
