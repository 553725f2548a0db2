//! The grader: takes the games of a class, tells which ones are needed, and gives marks.

use crate::plan::{Condition, Criterion, GameCounts, Plan};
use crate::{CriterionHead, CriterionMark, Judgement, Measured, Unit};
use std::collections::BTreeMap;
use tournament::{Fixture, GameLine, GameResult, MeanTest, MeanVerdict};

/// Takes the games of a class as they are played. The baselines are the first entrants, in the order of the plan.
///
/// The games of a student with a baseline are looked at two by two, so that the student has sat in each seat as often, in the order of
/// their numbers, whatever the order in which they ended: so the same games give the same marks. A test has an answer that is wrong with
/// a probability of at most [`Grader::error`] ([`MeanTest`]).
#[derive(Debug)]
pub struct Grader {
    plan: Plan,
    /// The most shots that a game can have; what is not sunk counts as so many.
    most_shots: f64,
    /// The probability with which one answer is wrong.
    error: f64,
    pairings: BTreeMap<(usize, usize), Pairing>,
    /// The numbers of the criteria of each baseline.
    criteria: Vec<Vec<usize>>,
    faults: BTreeMap<usize, BTreeMap<String, u64>>,
}

/// The games of a student with a baseline.
#[derive(Debug, Default)]
struct Pairing {
    games: Vec<Option<GradedGame>>,
    /// The number of games before the first that is not finished, made even.
    in_order: usize,
    /// For each criterion that is decided, on which side of its bound the mean is, and after how many games that was known.
    decided: BTreeMap<usize, (bool, usize)>,
}

/// A game of a student, as far as criteria look at it.
#[derive(Debug, Clone, Copy)]
struct GradedGame {
    result: GameResult,
    shots: Option<u32>,
    lost_turns: u32,
}

impl GradedGame {
    /// The share of the points.
    fn score(self) -> f64 {
        match self.result {
            GameResult::Win => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Loss => 0.0,
        }
    }
}

/// The number of students that share the rest of the confidence: a few more, who hand in later, change nothing.
fn shared_by(students: usize) -> usize {
    students.max(1).next_power_of_two()
}

impl Grader {
    /// A grader of so many students.
    pub fn new(mut plan: Plan, students: usize) -> Grader {
        // Each student sits in either seat as often.
        let GameCounts { at_least, at_most } = &mut plan.games;
        for count in [at_least, at_most] {
            *count = count.next_multiple_of(2);
        }
        let students = plan.students.map_or_else(|| shared_by(students), |students| students as usize);
        let is_tested = |criterion: &&Criterion| !matches!(criterion.kind(), Condition::LostTurns(_));
        let tests = students * plan.criteria.iter().filter(is_tested).count().max(1);
        let of_baseline = |baseline| {
            let criteria = plan.criteria.iter().enumerate();
            criteria.filter(|(_, criterion)| criterion.baselines(&plan).contains(&baseline)).map(|(at, _)| at).collect()
        };
        let criteria = (0..plan.baselines.len()).map(of_baseline).collect();
        let most_shots = most_shots(&plan);
        let error = (1.0 - plan.confidence) / tests as f64;
        Grader { error, most_shots, criteria, plan, pairings: BTreeMap::new(), faults: BTreeMap::new() }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The probability with which one answer of a test is wrong: the rest of the confidence, shared by all students and criteria.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Takes a finished game.
    pub fn add(&mut self, line: &GameLine) {
        let Fixture { first, second, number } = line.fixture;
        let seat = line.fixture.seat_of_first();
        let player = &line.players[seat];
        let lost_turns = player.faults.values().sum();
        let game = GradedGame { result: line.fixture.result(&line.outcome), shots: player.shots, lost_turns };
        for (kind, count) in &player.faults {
            *self.faults.entry(first).or_default().entry(kind.clone()).or_default() += u64::from(*count);
        }
        let pairing = self.pairings.entry((first, second)).or_default();
        let at = number as usize;
        if pairing.games.len() <= at {
            pairing.games.resize(at + 1, None);
        }
        pairing.games[at] = Some(game);
        while let Some([Some(_), Some(_)]) = pairing.games.get(pairing.in_order..pairing.in_order + 2) {
            pairing.in_order += 2;
            for &at in &self.criteria[second] {
                if pairing.decided.contains_key(&at) {
                    continue;
                }
                if let Some(is_met) = self.plan.criteria[at].verdict(pairing, self.most_shots, self.error) {
                    pairing.decided.insert(at, (is_met, pairing.in_order));
                }
            }
        }
    }

    /// True if a game is needed for the marks, as far as the games before it are known.
    pub fn is_needed(&self, Fixture { first, second, number }: Fixture) -> bool {
        let counts = self.plan.games;
        if number < counts.at_least {
            return true;
        }
        let decided = self.pairings.get(&(first, second)).map(|pairing| &pairing.decided);
        let is_open = |at: &usize| {
            let is_tested = !matches!(self.plan.criteria[*at].kind(), Condition::LostTurns(_));
            is_tested && decided.is_none_or(|decided| !decided.contains_key(at))
        };
        number < counts.at_most && self.criteria[second].iter().any(is_open)
    }

    /// True if all games of an entrant that its marks need are there.
    pub fn is_marked(&self, entrant: usize) -> bool {
        (0..self.plan.baselines.len()).all(|second| {
            let number = self.pairings.get(&(entrant, second)).map_or(0, |pairing| pairing.in_order) as u32;
            !self.is_needed(Fixture { first: entrant, second, number })
        })
    }

    /// The number of games of an entrant.
    pub fn games(&self, entrant: usize) -> u64 {
        let games = self.pairings.range((entrant, 0)..(entrant + 1, 0)).flat_map(|(_, pairing)| &pairing.games);
        games.flatten().count() as u64
    }

    /// The turns of an entrant without an order that was obeyed, by the kind of fault.
    pub fn faults(&self, entrant: usize) -> BTreeMap<String, u64> {
        self.faults.get(&entrant).cloned().unwrap_or_default()
    }

    /// The criteria as results name them.
    pub fn heads(&self) -> Vec<CriterionHead> {
        let head = |criterion: &Criterion| CriterionHead {
            name: criterion.name.clone(),
            points: criterion.points,
            condition: criterion.condition(&self.plan),
            is_hidden: criterion.is_hidden(&self.plan),
        };
        self.plan.criteria.iter().map(head).collect()
    }

    /// The games that an entrant has lost that concern a criterion, of those that all play.
    pub fn lost(&self, entrant: usize, criterion: usize) -> impl Iterator<Item = Fixture> {
        let against = self.plan.criteria[criterion].baselines(&self.plan);
        against.into_iter().flat_map(move |second| {
            let games = self.pairings.get(&(entrant, second)).map(|pairing| &pairing.games[..]).unwrap_or_default();
            let lost = (0..).zip(games).filter(|(_, game)| game.is_some_and(|game| game.result == GameResult::Loss));
            lost.map(move |(number, _)| Fixture { first: entrant, second, number }).collect::<Vec<_>>()
        })
    }

    /// The mark of an entrant for a criterion, without the command and the record that go with it.
    pub fn mark(&self, entrant: usize, criterion: usize) -> CriterionMark {
        let wanted = &self.plan.criteria[criterion];
        let against = wanted.baselines(&self.plan);
        let counts = self.plan.games;
        let of = |second: usize| self.pairings.get(&(entrant, second));
        let (judgement, reason, measured) = if let Condition::LostTurns(most) = wanted.kind() {
            let games = against
                .iter()
                .filter_map(|second| of(*second))
                .flat_map(|pairing| pairing.games.iter().take(counts.at_least as usize).flatten().collect::<Vec<_>>());
            let (games, lost) = games.fold((0, 0), |(games, lost), game| (games + 1, lost + game.lost_turns));
            let is_whole = games >= against.len() * counts.at_least as usize;
            let judgement = match (lost > most, is_whole) {
                (true, _) => Judgement::NotMet,
                (false, true) => Judgement::Met,
                (false, false) => Judgement::Open,
            };
            let lost = if lost == 0 { "no lost turn".to_owned() } else { rules::counted(lost, "lost turn") };
            (judgement, format!("{lost} in {}", rules::counted(games as u32, "game")), None)
        } else {
            self.mean_mark(wanted, criterion, of(against[0]))
        };
        let points = if judgement.is_met() { wanted.points } else { 0.0 };
        CriterionMark { judgement, points, reason, measured, command: None, lost: None }
    }

    /// The mark for a mean.
    fn mean_mark(
        &self,
        criterion: &Criterion,
        at: usize,
        pairing: Option<&Pairing>,
    ) -> (Judgement, String, Option<Measured>) {
        let none = Pairing::default();
        let (pairing, counts) = (pairing.unwrap_or(&none), self.plan.games);
        let decided = pairing.decided.get(&at);
        let most = decided.map_or(counts.at_most, |(_, games)| counts.at_least.max(*games as u32)) as usize;
        let games = pairing.in_order.min(most);
        let values: Vec<f64> =
            pairing.games[..games].iter().flatten().map(|game| criterion.value(*game, self.most_shots)).collect();
        let unit = if matches!(criterion.kind(), Condition::Score(_)) { Unit::Share } else { Unit::Shots };
        let Some(measured) = measured(&values, criterion.bound(), unit) else {
            return (Judgement::Open, "no games yet".to_owned(), None);
        };
        let is_met = match criterion.kind() {
            Condition::Score(bound) => measured.mean >= bound,
            _ => measured.mean <= criterion.bound(),
        };
        let judgement = match decided {
            Some((true, _)) => Judgement::Met,
            Some((false, _)) => Judgement::NotMet,
            None if games < counts.at_most as usize => Judgement::Open,
            None if is_met => Judgement::NearlyMet,
            None => Judgement::NearlyNotMet,
        };
        let near = if judgement.is_near() { ": too near to tell for sure, so the mean counts" } else { "" };
        let error = |scale: f64| measured.error.map(|error| format!(" ± {:.1}", error * scale)).unwrap_or_default();
        let what = match criterion.kind() {
            Condition::Score(_) => format!("{:.1}{} % of the points", measured.mean * 100.0, error(100.0)),
            _ => format!("{:.1}{} shots on average", measured.mean, error(1.0)),
        };
        (judgement, format!("{what} in {}{near}", rules::counted(games as u32, "game")), Some(measured))
    }
}

impl Criterion {
    /// The bound, in its own unit.
    fn bound(&self) -> f64 {
        match self.kind() {
            Condition::Score(bound) | Condition::Shots(bound) => bound,
            Condition::LostTurns(most) => f64::from(most),
        }
    }

    /// The value of a game, in the unit of the bound.
    fn value(&self, game: GradedGame, most_shots: f64) -> f64 {
        match self.kind() {
            Condition::Score(_) => game.score(),
            Condition::Shots(_) => game.shots.map_or(most_shots, |shots| f64::from(shots).min(most_shots)),
            Condition::LostTurns(_) => f64::from(game.lost_turns),
        }
    }

    /// The answer of the test after the games in order: whether it is met; `None` as long as it is open.
    fn verdict(&self, pairing: &Pairing, most_shots: f64, error: f64) -> Option<bool> {
        // The test is one of values from 0 to 1, of which many are good.
        let scaled = |value: f64| match self.kind() {
            Condition::Shots(_) => 1.0 - value / most_shots,
            _ => value,
        };
        let bound = match self.kind() {
            Condition::Score(bound) => bound,
            // Nobody needs more than the most.
            Condition::Shots(bound) => scaled(bound.min(most_shots)),
            Condition::LostTurns(_) => return None,
        };
        let mut values: BTreeMap<u64, (f64, u64)> = BTreeMap::new();
        for game in pairing.games[..pairing.in_order].iter().flatten() {
            let value = scaled(self.value(*game, most_shots));
            values.entry(value.to_bits()).or_insert((value, 0)).1 += 1;
        }
        let values: Vec<(f64, u64)> = values.into_values().collect();
        match (MeanTest { bound, error }).verdict(&values) {
            MeanVerdict::Continue => None,
            verdict => Some(verdict == MeanVerdict::AtLeast),
        }
    }
}

/// The most shots of a player in a game of the plan.
fn most_shots(plan: &Plan) -> f64 {
    let bounds = rules::for_game!(plan.game(), G => {
        rules::settings_with::<G>(&plan.settings).ok().and_then(|settings| {
            let bounds = <G as rules::Game>::bounds(&settings)?;
            Some(if <G as rules::Game>::is_solo(&settings) { bounds.points } else { bounds.turns })
        })
    });
    f64::from(bounds.unwrap_or(10_000))
}

/// The deviations of a normal distribution within which 95 % lie.
const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// The mean of these values with its 95 % interval. Of shares two good and two bad values more are counted for the interval (Agresti and
/// Coull 1998), which would have no width if all were alike.
fn measured(values: &[f64], bound: f64, unit: Unit) -> Option<Measured> {
    let count = values.len() as f64;
    let mean_of = |values: &[f64], count: f64| values.iter().sum::<f64>() / count;
    let mean = mean_of(values, count);
    let more: &[f64] = if unit == Unit::Share { &[0.0, 0.0, 1.0, 1.0] } else { &[] };
    let all: Vec<f64> = values.iter().chain(more).copied().collect();
    let all_count = all.len() as f64;
    let centre = mean_of(&all, all_count);
    let variance = all.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / (all_count - 1.0);
    let error = (values.len() > 1).then(|| DEVIATIONS_95 * (variance / all_count).sqrt());
    (!values.is_empty()).then_some(Measured { mean, unit, error, bound, games: values.len() as u64 })
}

#[cfg(test)]
mod tests;
