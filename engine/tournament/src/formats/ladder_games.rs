//! The ladder format: the pair is next that tells most about the order of the entrants, until so many games are played.

use crate::{Fixture, LadderBot, LadderRatings, LadderRules, NextGame, Ratings, Results};
use std::collections::{BTreeMap, VecDeque};

/// The games of a ladder.
#[derive(Debug, Clone)]
pub(crate) struct LadderGames {
    entrants: usize,
    /// The games that each entrant has on average.
    games: u32,
    rules: LadderRules,
    /// The entrants that are not retired.
    active: Vec<usize>,
    /// Their ratings, followed by those of others.
    ratings: Ratings,
    /// How they play.
    bots: Vec<LadderBot>,
    /// The number of games of which the ratings were made; `None` before the first.
    rated: Option<u64>,
    /// The number of pairs of each pairing that were given.
    given: BTreeMap<(usize, usize), u32>,
    /// Games that come before those of other pairs.
    waiting: VecDeque<Fixture>,
    /// True if the games that were played before are known.
    has_begun: bool,
}

impl LadderGames {
    /// A ladder in which each of so many entrants has this number of games on average, without those that retire.
    pub(crate) fn new(entrants: usize, games: u32) -> LadderGames {
        LadderGames {
            entrants,
            games,
            rules: LadderRules::default(),
            active: Vec::new(),
            ratings: Ratings::of(0, &[], None),
            bots: Vec::new(),
            rated: None,
            given: BTreeMap::new(),
            waiting: VecDeque::new(),
            has_begun: false,
        }
    }

    pub(crate) fn total(&self, results: &Results) -> u64 {
        let active: Vec<usize> = (0..self.entrants).filter(|entrant| !results.is_retired(*entrant)).collect();
        let played: u64 = results.pairings().map(|(pairing, scores)| seats_of(&active, pairing, scores.len())).sum();
        let wanted = active.len() as u64 * u64::from(self.games);
        let pairs = if active.len() < 2 { 0 } else { wanted.saturating_sub(played).div_ceil(4) };
        results.games() + 2 * pairs
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
            // More often would tell little, and take time.
            if self.rated.is_none_or(|rated| results.games() >= rated + self.active.len() as u64) {
                self.rate(results);
            }
            let given = self.given.iter().map(|(pairing, pairs)| seats_of(&self.active, *pairing, 2 * *pairs as usize));
            if given.sum::<u64>() >= self.active.len() as u64 * u64::from(self.games) {
                return NextGame::Done;
            }
            let Some(pairing) = self.rules.next(&self.ratings, &self.bots) else { return NextGame::Done };
            self.give(pairing);
        }
    }

    /// Counts the pairs that were played before, and gives the games first that a pair of them lacks.
    fn go_on_with(&mut self, results: &Results) {
        for ((first, second), scores) in results.pairings() {
            let pairs = scores.len().div_ceil(2) as u32;
            let missing = (0..2 * pairs).filter(|number| scores.get(*number as usize).copied().flatten().is_none());
            self.waiting.extend(missing.map(|number| Fixture { first, second, number }));
            self.given.insert((first, second), pairs);
        }
    }

    /// Gives a pair of the active entrants with these indexes.
    fn give(&mut self, pairing: [usize; 2]) {
        let [one, other] = pairing.map(|bot| self.active[bot]);
        let (first, second) = (one.min(other), one.max(other));
        let pair = self.given.entry((first, second)).or_default();
        let games = [0, 1].map(|game| Fixture { first, second, number: 2 * *pair + game });
        *pair += 1;
        self.waiting.extend(games);
        let [one, other] = pairing;
        for (bot, opponent) in [(one, other), (other, one)] {
            self.bots[bot].playing += 1;
            self.bots[bot].last_opponent = Some(opponent);
        }
    }

    fn rate(&mut self, results: &Results) {
        let ratings = LadderRatings::of(self.entrants, results);
        if self.active != ratings.active() {
            self.active = ratings.active().to_vec();
            self.bots = vec![LadderBot { playing: 0, last_opponent: None, spent: 0, is_free: true }; self.active.len()];
        }
        self.ratings = ratings.ratings().clone();
        self.rated = Some(results.games());
        let mut given = vec![0; self.active.len()];
        for (&(first, second), &pairs) in &self.given {
            for bot in [first, second].into_iter().filter_map(|entrant| self.active.binary_search(&entrant).ok()) {
                given[bot] += u64::from(pairs);
            }
        }
        for ((bot, given), rating) in self.bots.iter_mut().zip(given).zip(self.ratings.all()) {
            bot.playing = given.saturating_sub(rating.pairs);
        }
        for (bot, entrant) in self.bots.iter_mut().zip(&self.active) {
            bot.spent = results.spent(*entrant);
        }
    }
}

/// The seats of active entrants in so many games of a pairing.
fn seats_of(active: &[usize], (first, second): (usize, usize), games: usize) -> u64 {
    let seats = [first, second].into_iter().filter(|entrant| active.binary_search(entrant).is_ok()).count();
    (seats * games) as u64
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
            let total = ladder.total(&Results::default());
            let (games, _) = play_out(|results| ladder.next(results), [10, 5], winner);
            assert_eq!(games.len() as u64, total, "{entrants}");
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
        results.come_back(4);
        let mut back = LadderGames::new(5, 48);
        let NextGame::Play(game) = back.next(&results) else { panic!("there is more to play") };
        assert!(game.seated().contains(&4), "{game:?}");
        results.retire(4);
        (1..4).for_each(|entrant| results.retire(entrant));
        assert_eq!(LadderGames::new(5, 480).next(&results), NextGame::Done, "nobody is left to play with");
    }
}
