//! The ladder format: the pair is next that tells most about the order of the entrants, until so many games are played.

use crate::{Fixture, LadderBot, LadderRules, NextGame, PairingResult, Pentanomial, Ratings, Results};
use std::collections::{BTreeMap, VecDeque};

/// The games of a ladder.
#[derive(Debug, Clone)]
pub(crate) struct LadderGames {
    /// The number of pairs in all.
    most: u64,
    rules: LadderRules,
    ratings: Ratings,
    /// The number of games of which the ratings were made; `None` before the first.
    rated: Option<u64>,
    bots: Vec<LadderBot>,
    /// The number of pairs of each pairing that were given.
    given: BTreeMap<(usize, usize), u32>,
    /// The number of pairs that were given.
    pairs: u64,
    /// Games that come before those of other pairs.
    waiting: VecDeque<Fixture>,
    /// True if the games that were played before are known.
    has_begun: bool,
}

impl LadderGames {
    /// A ladder in which each of so many entrants has this number of games on average.
    pub(crate) fn new(entrants: usize, games: u32) -> LadderGames {
        let most = if entrants < 2 { 0 } else { (entrants as u64 * u64::from(games)).div_ceil(4) };
        LadderGames {
            most,
            rules: LadderRules::default(),
            ratings: Ratings::of(entrants, &[], None),
            rated: None,
            bots: vec![LadderBot { playing: 0, last_opponent: None, is_free: true }; entrants],
            given: BTreeMap::new(),
            pairs: 0,
            waiting: VecDeque::new(),
            has_begun: false,
        }
    }

    pub(crate) fn total(&self) -> u64 {
        2 * self.most
    }

    pub(crate) fn next(&mut self, results: &Results) -> NextGame {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.go_on_with(results);
        }
        loop {
            while let Some(fixture) = self.waiting.pop_front() {
                if results.decided(fixture).is_none() {
                    return NextGame::Play(fixture);
                }
            }
            if self.pairs >= self.most {
                return NextGame::Done;
            }
            // More often would tell little, and take time.
            if self.rated.is_none_or(|rated| results.games() >= rated + self.bots.len() as u64) {
                self.rate(results);
            }
            for (number, bot) in self.bots.iter_mut().enumerate() {
                bot.is_free = !results.is_retired(number);
            }
            let Some([one, other]) = self.rules.next(&self.ratings, &self.bots) else { return NextGame::Done };
            self.give(one, other);
        }
    }

    /// Counts the pairs that were played before, and gives the games first that a pair of them lacks.
    fn go_on_with(&mut self, results: &Results) {
        for ((first, second), scores) in results.pairings() {
            let pairs = scores.len().div_ceil(2) as u32;
            let missing = (0..2 * pairs).filter(|number| scores.get(*number as usize).copied().flatten().is_none());
            self.waiting.extend(missing.map(|number| Fixture { first, second, number }));
            self.given.insert((first, second), pairs);
            self.pairs += u64::from(pairs);
        }
    }

    fn give(&mut self, one: usize, other: usize) {
        let (first, second) = (one.min(other), one.max(other));
        let pair = self.given.entry((first, second)).or_default();
        let games = [0, 1].map(|game| Fixture { first, second, number: 2 * *pair + game });
        *pair += 1;
        self.pairs += 1;
        self.waiting.extend(games);
        for (bot, opponent) in [(one, other), (other, one)] {
            self.bots[bot].playing += 1;
            self.bots[bot].last_opponent = Some(opponent);
        }
    }

    fn rate(&mut self, results: &Results) {
        let result = |((first, second), scores): ((usize, usize), &[Option<crate::GameResult>])| {
            let mut pairs = Pentanomial::default();
            for pair in scores.chunks_exact(2) {
                if let [Some(one), Some(other)] = *pair {
                    pairs.count(one, other);
                }
            }
            PairingResult { first, second, pairs }
        };
        let played: Vec<PairingResult> = results.pairings().map(result).collect();
        self.ratings = Ratings::of(self.bots.len(), &played, None);
        self.rated = Some(results.games());
        let mut given = vec![0; self.bots.len()];
        for (&(first, second), &pairs) in &self.given {
            given[first] += u64::from(pairs);
            given[second] += u64::from(pairs);
        }
        for ((bot, given), rating) in self.bots.iter_mut().zip(given).zip(self.ratings.all()) {
            bot.playing = given.saturating_sub(rating.pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::formats::plan::play_out;
    use std::collections::BTreeSet;

    /// The lower number wins.
    fn winner(game: Fixture) -> GameResult {
        if game.first < game.second { GameResult::Win } else { GameResult::Loss }
    }

    fn games_of(games: &[Fixture], entrants: usize) -> Vec<usize> {
        (0..entrants).map(|entrant| games.iter().filter(|game| game.seated().contains(&entrant)).count()).collect()
    }

    #[test]
    fn each_entrant_has_so_many_games_on_average_in_whole_pairs() {
        for entrants in [2, 3, 7, 12] {
            let mut ladder = LadderGames::new(entrants, 20);
            let (games, _) = play_out(|results| ladder.next(results), [10, 5], winner);
            assert_eq!(games.len() as u64, ladder.total(), "{entrants}");
            assert!(games.len() >= entrants * 10 && games.len() <= entrants * 10 + 1, "{entrants}: {}", games.len());
            assert!(games.chunks(2).all(|pair| pair[0].seated() == [pair[1].seated()[1], pair[1].seated()[0]]));
            let played = games_of(&games, entrants);
            assert!(played.iter().all(|played| (8..=40).contains(played)), "{played:?}");
        }
    }

    #[test]
    fn what_was_played_is_not_played_again_and_pairs_are_finished_first() {
        let mut ladder = LadderGames::new(5, 12);
        let (games, all) = play_out(|results| ladder.next(results), [10, 5], winner);
        for cut in 0..=games.len() {
            let mut results = Results::default();
            for game in &games[..cut] {
                results.add(*game, all.score(*game).unwrap(), [10, 5]);
            }
            let mut rest = LadderGames::new(5, 12);
            let mut more = BTreeSet::new();
            while let NextGame::Play(game) = rest.next(&results) {
                if more.is_empty() && cut % 2 == 1 {
                    assert_eq!(game, games[cut], "the second game of its pair");
                }
                assert!(results.score(game).is_none() && more.insert(game), "{game:?} after {cut}");
                results.add(game, winner(game), [10, 5]);
            }
            assert_eq!(cut + more.len(), games.len());
        }
    }

    #[test]
    fn who_is_new_plays_first_and_who_is_retired_no_more() {
        let mut ladder = LadderGames::new(4, 24);
        let (_, mut results) = play_out(|results| ladder.next(results), [10, 5], winner);
        let mut larger = LadderGames::new(5, 48);
        let NextGame::Play(game) = larger.next(&results) else { panic!("there is more to play") };
        assert!(game.seated().contains(&4), "{game:?}");
        results.retire(4);
        let mut without = LadderGames::new(5, 48);
        while let NextGame::Play(game) = without.next(&results) {
            assert!(!game.seated().contains(&4));
            results.add(game, winner(game), [10, 5]);
        }
        (1..4).for_each(|entrant| results.retire(entrant));
        assert_eq!(LadderGames::new(5, 480).next(&results), NextGame::Done, "nobody is left to play with");
    }
}
