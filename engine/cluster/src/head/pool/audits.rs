//! Games that are played again by other workers before their result counts. Where two results differ, a third worker decides.

use super::{Head, HeadReport, LOOK};
use crate::error::ClusterError;
use crate::head::job_queue::Batch;
use crate::wire::result_check::remove_files;
use crate::wire::signing::PublicKey;
use rules::Seat;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tournament::{EndedGame, Fixture, GameLine};

/// The number of results that decide.
const ENOUGH: usize = 3;
/// The most games without a decision that are told.
const MOST_UNDECIDED: u64 = 20;
/// A game waits for another result for so many times the time after which a worker is lost, and that of the game.
const WAIT: [u32; 2] = [12, 30];

/// The numbers of games that were drawn to be played again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditCounts {
    /// Games of which at least two workers told a result.
    pub compared: u64,
    /// Those of them whose results differed.
    pub differing: u64,
    /// Games of which no second worker told a result.
    pub unchecked: u64,
}

/// The games that are played again.
pub(super) struct Audits {
    /// The share of the games that is drawn.
    share: f64,
    open: BTreeMap<Fixture, Audit>,
    pub(super) counts: AuditCounts,
    undecided: u64,
    /// The time at which games that wait in vain were looked for.
    looked: Instant,
}

/// A game that is played again.
struct Audit {
    /// The languages and labels that a worker must have for it.
    needs: String,
    /// The results so far, at least one, each with the key of its worker.
    told: Vec<(PublicKey, GameLine)>,
    is_alone: bool,
    /// The time at which the last of them came.
    since: Instant,
}

impl Audit {
    fn keys(&self) -> Vec<PublicKey> {
        self.told.iter().map(|(key, _)| *key).collect()
    }

    /// True if all results are the same.
    fn agrees(&self) -> bool {
        let (_, first) = &self.told[0];
        self.told.iter().all(|(_, line)| line.outcome == first.outcome)
    }

    /// True if it has waited for another result for longer than it takes others, after one that does not answer.
    fn is_late(&self, lost_after: Duration) -> bool {
        let took = self.told.iter().map(|(_, line)| Duration::from_millis(line.took_ms)).max().unwrap_or_default();
        self.since.elapsed() > WAIT[0] * lost_after + took.saturating_mul(WAIT[1])
    }
}

impl Audits {
    pub(super) fn new(share: f64) -> Audits {
        Audits { share, open: BTreeMap::new(), counts: AuditCounts::default(), undecided: 0, looked: Instant::now() }
    }

    /// True if another result of this game is wanted.
    pub(super) fn has(&self, fixture: Fixture) -> bool {
        self.open.contains_key(&fixture)
    }

    /// True for the share of all calls. Workers cannot know for which.
    fn draw(&self) -> bool {
        let mut bytes = [0; 4];
        getrandom::fill(&mut bytes).expect("the system has random numbers");
        f64::from(u32::from_ne_bytes(bytes)) < self.share * 2.0_f64.powi(32)
    }
}

impl Head {
    /// Takes results that the worker with this key has told. Some games are played again by others first.
    pub(super) fn take_played(
        &mut self,
        signer: PublicKey,
        needs: &str,
        played: Vec<GameLine>,
        is_alone: bool,
    ) -> Result<(), ClusterError> {
        let mut drawn = BTreeMap::new();
        let mut again = Vec::new();
        for line in played {
            let fixture = line.fixture;
            let known = self.audits.open.remove(&fixture);
            let is_known = known.is_some();
            let since = Instant::now();
            let mut audit =
                known.unwrap_or_else(|| Audit { needs: needs.to_owned(), told: Vec::new(), is_alone, since });
            audit.since = since;
            audit.told.push((signer, line));
            let is_wanted = if is_known {
                audit.told.len() < ENOUGH && !audit.agrees()
            } else {
                let pair = (fixture.first, fixture.second, fixture.pair());
                *drawn.entry(pair).or_insert_with(|| self.audits.draw())
            };
            if is_wanted && self.has_others(&audit.needs, &audit.keys()) {
                self.audits.open.insert(fixture, audit);
                again.push(fixture);
                continue;
            }
            let (line, is_first) = self.decided(audit);
            if !is_first {
                remove_files(&self.folder, &[fixture].into())?;
            }
            self.ended.push_back((fixture, EndedGame::Played(Box::new(line))));
        }
        self.give_to_others(again);
        Ok(())
    }

    /// Gives games that wait for another result to workers that have told none.
    fn give_to_others(&mut self, games: Vec<Fixture>) {
        let mut batches: BTreeMap<(Vec<PublicKey>, String, bool), Vec<Fixture>> = BTreeMap::new();
        for game in games {
            if let Some(audit) = self.audits.open.get(&game) {
                batches.entry((audit.keys(), audit.needs.clone(), audit.is_alone)).or_default().push(game);
            }
        }
        for ((not_for, needs, is_alone), games) in batches {
            self.jobs.add_batch(Batch { not_for, ..Batch::new(&needs, games, is_alone) });
        }
    }

    /// The result of a game that waits for another one, which is not waited for any more. Tells if there is only one.
    pub(super) fn audited_line(&mut self, fixture: Fixture) -> Option<GameLine> {
        let audit = self.audits.open.remove(&fixture)?;
        if let [(_, line)] = &audit.told[..] {
            self.audits.counts.unchecked += 1;
            if self.audits.counts.unchecked <= MOST_UNDECIDED {
                let (game, worker) = (self.name_of_game(fixture), line.machine.clone().unwrap_or_default());
                (self.report)(HeadReport::Unchecked { game, worker });
            }
        }
        Some(self.decided(audit).0)
    }

    /// The result of a game that counts, and true if it is the first: that of two listed workers, or else the first. Tells of
    /// differences.
    fn decided(&mut self, mut audit: Audit) -> (GameLine, bool) {
        let is_again = audit.told.len() > 1;
        self.audits.counts.compared += u64::from(is_again);
        if !is_again || audit.agrees() {
            return (audit.told.swap_remove(0).1, true);
        }
        self.audits.counts.differing += 1;
        let told = &audit.told;
        let agreeing = |at: usize| told.iter().filter(|(_, line)| line.outcome == told[at].1.outcome).count();
        // Where no workers are listed, two that agree may be one machine with two keys.
        let votes = if self.listed.is_empty() { 0 } else { told.len() };
        let best = (0..votes).rev().max_by_key(|at| agreeing(*at)).unwrap_or_default();
        // A machine that says that it had too much to do is not a liar, unless it played nothing else.
        let is_outlier = |at: &usize| agreeing(*at) == 1 && (audit.is_alone || told[*at].1.suspect.is_none());
        let outlier = (0..votes).find(is_outlier).filter(|_| agreeing(best) > 1);
        self.audits.undecided += u64::from(outlier.is_none());
        if outlier.is_some() || self.audits.undecided <= MOST_UNDECIDED {
            let name = |at: usize| told[at].1.machine.clone().unwrap_or_default();
            let line = &told[0].1;
            let names = line.fixture.seated().map(|at| self.message.entrants[at].name.as_str());
            let results = told.iter().map(|(_, line)| in_words(line, names));
            let told = (0..told.len()).map(name).zip(results).collect();
            let (game, outlier) = (self.name_of_game(line.fixture), outlier.map(name));
            (self.report)(HeadReport::Differs { game, told, outlier });
        }
        (audit.told.swap_remove(best).1, best == 0)
    }

    /// The name of a game with those of its players.
    fn name_of_game(&self, fixture: Fixture) -> String {
        let [one, other] = fixture.seated().map(|at| self.message.entrants[at].name.as_str());
        format!("{} ({one} : {other})", runner::game_name(fixture))
    }

    /// Ends games that have waited for another result for too long, and those for which there is no other worker any more.
    pub(super) fn look_at_audits(&mut self) {
        if self.audits.looked.elapsed() < LOOK || self.audits.open.is_empty() {
            return;
        }
        self.audits.looked = Instant::now();
        let is_vain = |audit: &Audit| audit.is_late(self.lost_after) || !self.has_others(&audit.needs, &audit.keys());
        let vain = self.audits.open.iter().filter(|(_, audit)| is_vain(audit));
        let vain: BTreeSet<_> = vain.map(|(game, _)| *game).collect();
        if !vain.is_empty() {
            self.jobs.withdraw_second(&vain);
            vain.into_iter().for_each(|game| self.end(game, EndedGame::NotPlayed));
        }
    }

    /// Ends the games that wait for another result as games that were not played.
    pub(super) fn drop_audits(&mut self) {
        let open = std::mem::take(&mut self.audits.open).into_keys();
        self.ended.extend(open.map(|game| (game, EndedGame::NotPlayed)));
    }
}

/// The result of a game between these players, in the order of their seats.
fn in_words(line: &GameLine, names: [&str; 2]) -> String {
    let outcome = &line.outcome;
    let end = outcome.winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{} wins", names[winner.index()]));
    let [one, other] = [Seat::A, Seat::B].map(|seat| outcome.points[seat]);
    let suspect = if line.suspect.is_some() { ", and its machine may have made a bot late" } else { "" };
    format!("{end}, {one} : {other} {}, {} turns{suspect}", outcome.scoring.unit(), outcome.turns)
}
