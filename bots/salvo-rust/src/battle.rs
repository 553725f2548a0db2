//! The knowledge of the team about a match, and its choice of targets.

use crate::chart::Chart;
use crate::fleet::{Cell, SHIPS};
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, BTreeSet};

/// So many shots of a salvo are fired again after the server has refused one.
const PATIENCE: u32 = 5;

/// The knowledge of the team about a match.
#[derive(Debug, Clone)]
pub struct Battle {
    /// Its own ships that are not sunk.
    afloat: BTreeSet<String>,
    /// Players who are out.
    defeated: BTreeSet<String>,
    /// The boards of the others, by their names.
    charts: BTreeMap<String, Chart>,
    /// The team's own salvo, from when it begins until its hits are told.
    salvo: Option<Salvo>,
}

/// Shots that belong together.
#[derive(Debug, Clone, Default)]
struct Salvo {
    /// The number of shots that may still be fired.
    left: u32,
    /// The number of mistakes that are still made good.
    patience: u32,
    fired: Vec<(String, Cell)>,
}

impl Default for Battle {
    fn default() -> Battle {
        let afloat = SHIPS.iter().map(|(name, _)| (*name).to_owned()).collect();
        Battle { afloat, defeated: BTreeSet::new(), charts: BTreeMap::new(), salvo: None }
    }
}

impl Battle {
    /// One of the team's own ships is sunk.
    pub fn lost_ship(&mut self, ship: &str) {
        self.afloat.remove(ship);
    }

    /// A player is out.
    pub fn defeated(&mut self, player: &str) {
        self.defeated.insert(player.to_owned());
    }

    /// Somebody's salvo begins.
    pub fn salvo_begins(&mut self, is_ours: bool) {
        // If what became of the last one was never told, the connection was lost. Its shots may have been, too.
        for (target, cell) in self.salvo.take().unwrap_or_default().fired {
            self.charts.entry(target).or_default().forget(cell);
        }
        let left = self.afloat.len() as u32;
        self.salvo = is_ours.then(|| Salvo { left, patience: PATIENCE, fired: Vec::new() });
    }

    /// The salvo is over, and so many of its shots hit.
    pub fn salvo_over(&mut self, hits: u32) {
        let fired = self.salvo.take().unwrap_or_default().fired;
        let share = f64::from(hits) / fired.len() as f64;
        for (target, cell) in fired {
            self.charts.entry(target).or_default().learn(cell, share);
        }
    }

    /// The server has refused a shot. That cost nothing, so there is one more.
    pub fn shot_refused(&mut self) {
        if let Some(salvo) = self.salvo.as_mut().filter(|salvo| salvo.patience > 0) {
            salvo.patience -= 1;
            salvo.left += 1;
        }
    }

    /// The next shot of the salvo, if it is ours and has any left: at the best cell of all who are still in.
    pub fn next_shot(&mut self, others: &[String], random: &mut impl Rng) -> Option<(String, Cell)> {
        self.salvo.as_ref().filter(|salvo| salvo.left > 0)?;
        let targets: Vec<&String> = others.iter().filter(|player| !self.defeated.contains(*player)).collect();
        let mut cells = self.values(&targets);
        if cells.is_empty() {
            // A player fired at everywhere is out, unless shots were lost on the way: they are fired once more.
            self.charts.clear();
            cells = self.values(&targets);
        }
        // Of those that are worth the same any may come first.
        cells.shuffle(random);
        let (target, cell, _) = cells.into_iter().max_by(|(.., a), (.., b)| a.total_cmp(b))?;
        self.charts.entry(target.clone()).or_default().fire(cell);
        let salvo = self.salvo.as_mut()?;
        salvo.left -= 1;
        salvo.fired.push((target.clone(), cell));
        Some((target, cell))
    }

    /// All cells of these players that are left, and what a shot at each is worth.
    fn values(&mut self, targets: &[&String]) -> Vec<(String, Cell, f64)> {
        let mut all = Vec::new();
        for target in targets {
            let chart = self.charts.entry((*target).clone()).or_default();
            all.extend(chart.values().map(|(cell, value)| ((*target).clone(), cell, value)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::Fleet;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn salvo(battle: &mut Battle, others: &[String], random: &mut StdRng) -> Vec<(String, Cell)> {
        std::iter::from_fn(|| battle.next_shot(others, random)).collect()
    }

    #[test]
    fn a_salvo_has_a_shot_for_each_ship_at_players_who_are_in() {
        let (mut battle, mut random) = (Battle::default(), StdRng::seed_from_u64(1));
        let others = names(&["Deep Water", "Hunter"]);
        assert!(salvo(&mut battle, &others, &mut random).is_empty(), "it is not our turn");
        battle.lost_ship("carrier");
        battle.defeated("Hunter");
        battle.salvo_begins(true);
        let shots = salvo(&mut battle, &others, &mut random);
        assert_eq!(shots.len(), 4);
        assert!(shots.iter().all(|(target, _)| target == "Deep Water"));
        battle.salvo_over(0);
        battle.shot_refused();
        assert!(salvo(&mut battle, &others, &mut random).is_empty(), "the salvo is over");
    }

    #[test]
    fn refused_shots_are_made_good_but_not_for_ever() {
        let (mut battle, mut random) = (Battle::default(), StdRng::seed_from_u64(1));
        let others = names(&["Hunter"]);
        battle.salvo_begins(true);
        let mut shots = salvo(&mut battle, &others, &mut random).len();
        for _ in 0..100 {
            battle.shot_refused();
            shots += salvo(&mut battle, &others, &mut random).len();
        }
        assert_eq!(shots, 10);
    }

    #[test]
    fn shots_that_nobody_answered_are_fired_again() {
        let (mut battle, mut random) = (Battle::default(), StdRng::seed_from_u64(1));
        let others = names(&["Hunter"]);
        for _ in 0..50 {
            battle.salvo_begins(true);
            salvo(&mut battle, &others, &mut random);
        }
        assert_eq!(battle.charts["Hunter"].values().count(), 95);
        // All were told of, but not all have arrived: there is always something to fire at.
        for _ in 0..50 {
            battle.salvo_begins(true);
            assert_eq!(salvo(&mut battle, &others, &mut random).len(), 5);
            battle.salvo_over(0);
        }
    }

    /// The number of shots it takes to hit all ships of a fleet, in salvos of five.
    fn shots_needed(random: &mut StdRng) -> usize {
        let (mut battle, others) = (Battle::default(), names(&["Hunter"]));
        let mut ships: BTreeSet<Cell> = Fleet::random(random).cells().collect();
        let mut shots = 0;
        while !ships.is_empty() {
            battle.salvo_begins(true);
            let salvo = salvo(&mut battle, &others, random);
            shots += salvo.len();
            battle.salvo_over(salvo.iter().filter(|(_, cell)| ships.remove(cell)).count() as u32);
        }
        shots
    }

    #[test]
    fn it_needs_fewer_shots_than_chance() {
        let mut random = StdRng::seed_from_u64(1);
        let games = 200;
        let mean = (0..games).map(|_| shots_needed(&mut random)).sum::<usize>() / games;
        // 17 cells of 100 at random: the last one is found after 95 shots.
        assert!(mean < 88, "{mean} shots");
    }
}
