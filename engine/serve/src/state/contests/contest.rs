//! The state of a contest. It follows from the lines of the journal alone.

use super::contest_line::{ContestLine, LadderEntrant, PairLine};
use super::contest_settings::ContestSettings;
use super::version::{Progress, Version};
use crate::state::journal_line::BotId;
use rules::Seat;
use std::collections::BTreeMap;
use tournament::{GameResult, PairingResult, Pentanomial, Ratings};

/// The most versions of a bot.
pub(crate) const MOST_VERSIONS: u32 = 1000;

/// A contest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contest {
    pub(crate) settings: ContestSettings,
    bots: BTreeMap<BotId, ContestBot>,
    /// Versions without a verdict, in the order in which they were handed in.
    queue: Vec<(BotId, u32)>,
    /// The results of all counted pairs, by pairings of which the lower entrant is first.
    results: BTreeMap<[LadderEntrant; 2], Pentanomial>,
    /// The number of the last pair.
    pub(crate) last_pair: u64,
    /// True if ranked pairs are played.
    pub(crate) is_ranked: bool,
    /// The reason why not, if the server itself has stopped them.
    pub(crate) ranked_why: Option<String>,
}

/// The bot of a team in a contest.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ContestBot {
    pub(crate) versions: Vec<Version>,
    /// The number of the version that plays.
    pub(crate) active: Option<u32>,
}

impl ContestBot {
    pub(crate) fn version(&self, number: u32) -> Option<&Version> {
        self.versions.get(number.checked_sub(1)? as usize)
    }

    fn version_mut(&mut self, number: u32) -> Option<&mut Version> {
        self.versions.get_mut(number.checked_sub(1)? as usize)
    }
}

impl Contest {
    /// A contest with these settings that begins.
    pub(crate) fn new(settings: ContestSettings) -> Contest {
        let (bots, queue, results) = Default::default();
        Contest { settings, bots, queue, results, last_pair: 0, is_ranked: true, ranked_why: None }
    }

    /// The bots of all teams that have handed in a version.
    pub(crate) fn bots(&self) -> impl Iterator<Item = (BotId, &ContestBot)> {
        self.bots.iter().map(|(id, bot)| (*id, bot))
    }

    pub(crate) fn bot(&self, id: BotId) -> Option<&ContestBot> {
        self.bots.get(&id)
    }

    /// The versions without a verdict, in the order in which they get one.
    pub(crate) fn queue(&self) -> &[(BotId, u32)] {
        &self.queue
    }

    /// The number of the next version of a bot.
    pub(crate) fn next_version(&self, bot: BotId) -> u32 {
        self.bot(bot).map_or(0, |bot| bot.versions.len() as u32) + 1
    }

    /// The entrants that may play ranked pairs, baselines first.
    pub(crate) fn entrants(&self) -> Vec<LadderEntrant> {
        let baselines = self.settings.baselines.iter().map(|name| LadderEntrant::Baseline { baseline: name.clone() });
        let active = self
            .bots
            .iter()
            .filter_map(|(bot, entry)| Some(LadderEntrant::Version { bot: *bot, version: entry.active? }));
        baselines.chain(active).collect()
    }

    /// The ratings of these entrants, from all counted pairs between them.
    pub(crate) fn ratings(&self, entrants: &[LadderEntrant]) -> Ratings {
        let at: BTreeMap<&LadderEntrant, usize> = entrants.iter().zip(0..).collect();
        let result = |(pairing, pairs): (&[LadderEntrant; 2], &Pentanomial)| {
            let [first, second] = pairing.each_ref().map(|entrant| at.get(entrant).copied());
            Some(PairingResult { first: first?, second: second?, pairs: *pairs })
        };
        let results: Vec<PairingResult> = self.results.iter().filter_map(result).collect();
        Ratings::of(entrants.len(), &results, None)
    }

    /// Removes the bot of a team. Its results stay.
    pub(crate) fn remove(&mut self, bot: BotId) {
        self.bots.remove(&bot);
        self.queue.retain(|(queued, _)| *queued != bot);
    }

    /// Checks that the line can follow; else returns the reason.
    pub(crate) fn check(&self, line: &ContestLine) -> Result<(), String> {
        match line {
            ContestLine::Settings { settings } => {
                settings.check()?;
                if settings.game != self.settings.game {
                    return Err("the game of a contest never changes".to_owned());
                }
            }
            ContestLine::Submitted { bot, version, .. } => {
                let next = self.next_version(*bot);
                if *version != next {
                    return Err(format!("version {version} of bot {bot} follows, and {next} was to"));
                }
                if next > MOST_VERSIONS {
                    return Err(format!("bot {bot} has {MOST_VERSIONS} versions, and there are no more"));
                }
            }
            ContestLine::Judged { bot, version }
            | ContestLine::Accepted { bot, version, .. }
            | ContestLine::Rejected { bot, version, .. } => {
                if !self.known(*bot, *version)?.is_open() {
                    return Err(format!("version {version} of bot {bot} has its verdict"));
                }
            }
            ContestLine::Activated { bot, version } | ContestLine::Parked { bot, version, .. } => {
                if !self.known(*bot, *version)?.is_accepted() {
                    return Err(format!("version {version} of bot {bot} was not accepted"));
                }
            }
            ContestLine::Ranked { .. } => {}
            ContestLine::Pair(pair) => {
                if pair.id <= self.last_pair {
                    return Err(format!("a second pair has the number {}", pair.id));
                }
                if pair.entrants[0] == pair.entrants[1] && pair.is_ranked {
                    return Err(format!("the entrants of pair {} are the same", pair.id));
                }
            }
            ContestLine::Voided { results, .. } => {
                for void in results {
                    let (pairing, pairs) = ordered(&void.entrants, void.pairs);
                    let counted = self.results.get(&pairing).copied().unwrap_or_default();
                    if without(counted, pairs).is_none() {
                        return Err("more pairs are void than were played".to_owned());
                    }
                }
            }
        }
        Ok(())
    }

    fn known(&self, bot: BotId, version: u32) -> Result<&Version, String> {
        let found = self.bots.get(&bot).and_then(|bot| bot.version(version));
        found.ok_or_else(|| format!("there is no version {version} of bot {bot}"))
    }

    /// Applies a line that was checked.
    pub(crate) fn take(&mut self, line: &ContestLine, at: &str) {
        match line {
            ContestLine::Settings { settings } => self.settings = settings.clone(),
            ContestLine::Submitted { bot, version, archive, bytes } => {
                self.queue.push((*bot, *version));
                self.bots.entry(*bot).or_default().versions.push(Version {
                    number: *version,
                    archive: archive.clone(),
                    bytes: *bytes,
                    submitted: at.to_owned(),
                    progress: Progress::Queued,
                    failures: 0,
                    parked: None,
                });
            }
            ContestLine::Judged { bot, version } => self.change(*bot, *version, |version| {
                let attempts = match version.progress {
                    Progress::Judged { attempts } => attempts + 1,
                    _ => 1,
                };
                version.progress = Progress::Judged { attempts };
            }),
            ContestLine::Accepted { bot, version, acceptance } => {
                self.queue.retain(|queued| *queued != (*bot, *version));
                self.change(*bot, *version, |version| version.progress = Progress::Accepted(acceptance.clone()));
            }
            ContestLine::Rejected { bot, version, rejection } => {
                self.queue.retain(|queued| *queued != (*bot, *version));
                self.change(*bot, *version, |version| version.progress = Progress::Rejected(rejection.clone()));
            }
            ContestLine::Activated { bot, version } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    entry.active = Some(*version);
                }
            }
            ContestLine::Parked { bot, version, why } => self.change(*bot, *version, |version| {
                (version.parked.clone_from(why), version.failures = 0);
            }),
            ContestLine::Ranked { on, why } => (self.is_ranked, self.ranked_why) = (*on, why.clone()),
            ContestLine::Pair(pair) => self.count(pair),
            ContestLine::Voided { results, .. } => {
                for void in results {
                    let (pairing, pairs) = ordered(&void.entrants, void.pairs);
                    if let Some(left) = self.results.get(&pairing).and_then(|counted| without(*counted, pairs)) {
                        match left.pairs() {
                            0 => drop(self.results.remove(&pairing)),
                            _ => drop(self.results.insert(pairing, left)),
                        }
                    }
                }
            }
        }
    }

    fn change(&mut self, bot: BotId, number: u32, change: impl FnOnce(&mut Version)) {
        if let Some(version) = self.bots.get_mut(&bot).and_then(|bot| bot.version_mut(number)) {
            change(version);
        }
    }

    fn count(&mut self, pair: &PairLine) {
        self.last_pair = pair.id;
        if pair.is_ranked {
            let mut pairs = Pentanomial::default();
            let [one, other] = results_of(pair);
            pairs.count(one, other);
            let (pairing, pairs) = ordered(&pair.entrants, pairs);
            *self.results.entry(pairing).or_default() += pairs;
        }
    }

    /// The first version in the queue, and how often it was begun.
    pub(crate) fn next_to_judge(&self) -> Option<(BotId, &Version, u32)> {
        let (bot, number) = *self.queue.first()?;
        let version = self.bots.get(&bot)?.version(number)?;
        let attempts = if let Progress::Judged { attempts } = version.progress { attempts } else { 0 };
        Some((bot, version, attempts))
    }
}

/// The results of both games of a pair for its first entrant.
pub(crate) fn results_of(pair: &PairLine) -> [GameResult; 2] {
    [(0, Seat::A), (1, Seat::B)].map(|(game, seat): (usize, Seat)| match pair.games[game].outcome.winner {
        Some(winner) if winner == seat => GameResult::Win,
        Some(_) => GameResult::Loss,
        None => GameResult::Draw,
    })
}

/// A pairing with its lower entrant first, and the pairs as that one sees them.
fn ordered(entrants: &[LadderEntrant; 2], pairs: Pentanomial) -> ([LadderEntrant; 2], Pentanomial) {
    let [first, second] = entrants.clone();
    if first <= second { ([first, second], pairs) } else { ([second, first], pairs.swapped()) }
}

/// These pairs without those; `None` if there are not so many.
fn without(counted: Pentanomial, void: Pentanomial) -> Option<Pentanomial> {
    let mut left = counted.counts();
    for (left, void) in left.iter_mut().zip(void.counts()) {
        *left = left.checked_sub(void)?;
    }
    Some(Pentanomial::new(left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::contests::contest_line::{LadderGame, VoidPairing};
    use crate::state::contests::version::{Acceptance, JudgeStep, Rejection};
    use rules::{Ending, Outcome};
    use serde_json::json;

    fn contest() -> Contest {
        let settings = json!({"title": "Autumn", "game": "entelect-2017", "baselines": ["builtin:random"]});
        Contest::new(serde_json::from_value(settings).unwrap())
    }

    fn submitted(bot: u32, version: u32) -> ContestLine {
        ContestLine::Submitted { bot: BotId(bot), version, archive: format!("{bot}{version}"), bytes: 9 }
    }

    fn judged(bot: u32, version: u32) -> ContestLine {
        ContestLine::Judged { bot: BotId(bot), version }
    }

    fn accepted(bot: u32, version: u32) -> ContestLine {
        let acceptance = Acceptance { language: "Python".to_owned(), author: None, content: None, slowest: None };
        ContestLine::Accepted { bot: BotId(bot), version, acceptance }
    }

    fn rejected(bot: u32, version: u32) -> ContestLine {
        let rejection = Rejection { step: JudgeStep::Building, reason: "make failed".to_owned() };
        ContestLine::Rejected { bot: BotId(bot), version, rejection }
    }

    fn activated(bot: u32, version: u32) -> ContestLine {
        ContestLine::Activated { bot: BotId(bot), version }
    }

    fn of(bot: u32, version: u32) -> LadderEntrant {
        LadderEntrant::Version { bot: BotId(bot), version }
    }

    /// A pair of which the first entrant wins the first game and, if it `wins_both`, the second.
    fn pair(id: u64, entrants: [LadderEntrant; 2], wins_both: bool) -> ContestLine {
        let game = |winner: Seat| LadderGame {
            outcome: Outcome {
                winner: Some(winner),
                ranking: vec![winner, winner.opponent()],
                points: [1, 2].into_iter().collect(),
                ending: Ending::FleetSunk { seats: vec![winner.opponent()] },
                turns: 40,
            },
            lost: [0, 0].into_iter().collect(),
            record: None,
        };
        let second = if wins_both { Seat::B } else { Seat::A };
        ContestLine::Pair(Box::new(PairLine {
            id,
            entrants,
            names: ["one", "other"].map(str::to_owned),
            seed: "1".to_owned(),
            games: [game(Seat::A), game(second)],
            is_ranked: true,
            took_ms: 1,
        }))
    }

    fn take(contest: &mut Contest, lines: &[ContestLine]) {
        for line in lines {
            // As the journal has it.
            let line: ContestLine = serde_json::from_str(&serde_json::to_string(line).unwrap()).unwrap();
            contest.check(&line).unwrap();
            contest.take(&line, "2026-11-27T12:00:00.000Z");
        }
    }

    #[test]
    fn versions_wait_in_a_queue_for_their_verdict() {
        let mut contest = contest();
        take(&mut contest, &[submitted(1, 1), submitted(2, 1), submitted(1, 2), judged(1, 1), judged(1, 1)]);
        assert_eq!(contest.queue(), [(BotId(1), 1), (BotId(2), 1), (BotId(1), 2)]);
        let (bot, version, attempts) = contest.next_to_judge().unwrap();
        assert_eq!((bot, version.number, attempts), (BotId(1), 1, 2));
        take(&mut contest, &[accepted(1, 1), activated(1, 1), judged(2, 1), rejected(2, 1)]);
        assert_eq!(contest.queue(), [(BotId(1), 2)]);
        assert_eq!(contest.entrants(), [LadderEntrant::Baseline { baseline: "builtin:random".to_owned() }, of(1, 1)]);
        take(&mut contest, &[accepted(1, 2)]);
        assert_eq!(contest.bot(BotId(1)).unwrap().active, Some(1), "until it is activated");
        take(&mut contest, &[activated(1, 2), activated(1, 1)]);
        contest.remove(BotId(1));
        assert_eq!((contest.entrants().len(), contest.bots().count()), (1, 1));
    }

    #[test]
    fn lines_that_cannot_follow_are_refused() {
        let mut contest = contest();
        take(&mut contest, &[submitted(1, 1), submitted(2, 1), rejected(2, 1)]);
        let refused = |line: ContestLine| contest.check(&line).unwrap_err();
        assert_eq!(refused(submitted(1, 1)), "version 1 of bot 1 follows, and 2 was to");
        assert_eq!(refused(judged(2, 1)), "version 1 of bot 2 has its verdict");
        assert_eq!(refused(accepted(3, 1)), "there is no version 1 of bot 3");
        assert_eq!(refused(activated(1, 0)), "there is no version 0 of bot 1");
        assert_eq!(refused(activated(1, 1)), "version 1 of bot 1 was not accepted");
        assert_eq!(refused(activated(2, 1)), "version 1 of bot 2 was not accepted");
        let mut settings = contest.settings.clone();
        settings.game = rules::GameKind::SeaBattle;
        assert_eq!(refused(ContestLine::Settings { settings }), "the game of a contest never changes");
        let void = VoidPairing { entrants: [of(1, 1), of(2, 1)], pairs: Pentanomial::new([1, 0, 0, 0, 0]) };
        assert_eq!(
            refused(ContestLine::Voided { pairs: vec![1], results: vec![void] }),
            "more pairs are void than were played"
        );
        take(&mut contest, &[pair(1, [of(1, 1), of(2, 1)], true)]);
        assert_eq!(contest.check(&pair(1, [of(1, 1), of(2, 1)], true)).unwrap_err(), "a second pair has the number 1");
    }

    #[test]
    fn ratings_follow_from_the_pairs_that_count() {
        let mut contest = contest();
        let (one, other) = (of(1, 1), of(2, 1));
        let lines: Vec<ContestLine> = (1..=10).map(|id| pair(id, [other.clone(), one.clone()], id % 2 == 0)).collect();
        take(&mut contest, &lines);
        let entrants = [one.clone(), other.clone()];
        let rated =
            |contest: &Contest| contest.ratings(&entrants).all()[1].elo - contest.ratings(&entrants).all()[0].elo;
        assert!(rated(&contest) > 100.0);
        // All in which the other won both games.
        let void = VoidPairing { entrants: [other, one], pairs: Pentanomial::new([0, 0, 0, 0, 5]) };
        take(&mut contest, &[ContestLine::Voided { pairs: vec![2, 4, 6, 8, 10], results: vec![void] }]);
        assert!(rated(&contest).abs() < 1e-6, "all pairs that are left are level");
        assert_eq!(contest.ratings(&entrants).all()[0].pairs, 5);
    }
}
