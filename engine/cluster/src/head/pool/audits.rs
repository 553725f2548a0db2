//! Games that are played again by other workers before their result counts. Where two results differ, a third worker decides.

use super::{Head, HeadReport};
use crate::error::ClusterError;
use crate::head::known_workers::SILENT;
use crate::wire::names;
use crate::wire::result_check::remove_files;
use crate::wire::signing::PublicKey;
use platform::locks::lock;
use rules::Seat;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tournament::{EndedGame, Fixture, GameLine};

/// The number of results that decide.
const ENOUGH: usize = 3;
/// The most games without a decision that are told.
const MOST_UNDECIDED: u64 = 20;
/// The time for which a game waits for another result at least, beside that of games before it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The games that are played again.
pub(super) struct Audits {
    /// The share of the games that is drawn.
    share: f64,
    open: BTreeMap<Fixture, Audit>,
    /// The number of games of which at least two workers told a result, and of those whose results differed.
    pub(super) counts: [u64; 2],
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
    began: Instant,
}

impl Audit {
    fn keys(&self) -> Vec<PublicKey> {
        self.told.iter().map(|(key, _)| *key).collect()
    }

    /// True if all results are the same, or one tells that it may not be the bots'.
    fn agrees(&self) -> bool {
        let (_, first) = &self.told[0];
        self.told.iter().all(|(_, line)| line.outcome == first.outcome)
            || self.told.iter().any(|(_, line)| line.suspect.is_some())
    }
}

impl Audits {
    pub(super) fn new(share: f64) -> Audits {
        Audits { share, open: BTreeMap::new(), counts: [0; 2], undecided: 0, looked: Instant::now() }
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
        let mut again: BTreeMap<Vec<PublicKey>, Vec<Fixture>> = BTreeMap::new();
        for line in played {
            let fixture = line.fixture;
            self.given_back.remove(&fixture);
            let known = self.audits.open.remove(&fixture);
            let is_known = known.is_some();
            let mut audit =
                known.unwrap_or_else(|| Audit { needs: needs.to_owned(), told: Vec::new(), began: Instant::now() });
            audit.told.push((signer, line));
            let is_wanted = if is_known {
                audit.told.len() < ENOUGH && !audit.agrees()
            } else {
                // One with time-outs that may be the machine's fault is played again anyway.
                let pair = (fixture.first, fixture.second, fixture.pair());
                audit.told[0].1.suspect.is_none() && *drawn.entry(pair).or_insert_with(|| self.audits.draw())
            };
            if is_wanted && self.has_others(&audit) {
                again.entry(audit.keys()).or_default().push(fixture);
                self.audits.open.insert(fixture, audit);
                continue;
            }
            let (line, is_first) = self.decided(audit);
            if !is_first {
                remove_files(&self.folder, &[fixture].into())?;
            }
            self.ended.push_back((fixture, EndedGame::Played(Box::new(line))));
        }
        again.into_iter().try_for_each(|(keys, games)| self.jobs.send(&self.link, needs, games, is_alone, &keys))
    }

    /// The result of a game that waits for another one, which is not waited for any more.
    pub(super) fn audited_line(&mut self, fixture: Fixture) -> Option<GameLine> {
        let audit = self.audits.open.remove(&fixture)?;
        Some(self.decided(audit).0)
    }

    /// The result of a game that counts, and true if it is the first: that of two workers, or else the first. Tells of
    /// differences.
    fn decided(&mut self, mut audit: Audit) -> (GameLine, bool) {
        let is_again = audit.told.len() > 1;
        self.audits.counts[0] += u64::from(is_again);
        if !is_again || audit.agrees() {
            return (audit.told.swap_remove(0).1, true);
        }
        self.audits.counts[1] += 1;
        let told = &audit.told;
        let agreeing = |at: usize| told.iter().filter(|(_, line)| line.outcome == told[at].1.outcome).count();
        let best = (0..told.len()).rev().max_by_key(|at| agreeing(*at)).unwrap_or_default();
        let outlier = if agreeing(best) > 1 { (0..told.len()).find(|at| agreeing(*at) == 1) } else { None };
        self.audits.undecided += u64::from(outlier.is_none());
        if outlier.is_some() || self.audits.undecided <= MOST_UNDECIDED {
            let name = |at: usize| told[at].1.machine.clone().unwrap_or_default();
            let line = &told[0].1;
            let [one, other] = line.fixture.seated().map(|at| self.message.entrants[at].name.as_str());
            let game = format!("{} ({one} : {other})", runner::game_name(line.fixture));
            let results = told.iter().map(|(_, line)| in_words(line, [one, other]));
            let told = (0..told.len()).map(name).zip(results).collect();
            (self.report)(HeadReport::Differs { game, told, outlier: outlier.map(name) });
        }
        (audit.told.swap_remove(best).1, best == 0)
    }

    /// True if there is a worker that can play the game and has not told a result of it.
    fn has_others(&self, audit: &Audit) -> bool {
        let keys: Vec<String> = audit.told.iter().map(|(key, _)| key.to_string()).collect();
        lock(&self.workers).states.values().any(|(state, at)| {
            let is_able = at.elapsed() < SILENT && state.engine == self.message.engine && !state.is_draining;
            is_able && !keys.contains(&state.key) && names::has(&state.labels, &audit.needs)
        })
    }

    /// Ends the games for which there is no other worker any more, or which have waited for one for long.
    pub(super) fn end_idle_audits(&mut self) {
        const STEP: Duration = Duration::from_millis(500);
        if self.audits.looked.elapsed() < STEP {
            return;
        }
        self.audits.looked = Instant::now();
        let is_idle = |audit: &Audit| {
            let took = audit.told.iter().map(|(_, line)| Duration::from_millis(line.took_ms)).max().unwrap_or_default();
            let most = PATIENCE + 2 * self.lost_after + took.saturating_mul(10);
            audit.began.elapsed() > most || !self.has_others(audit)
        };
        let idle: Vec<_> = self.audits.open.iter().filter(|(_, audit)| is_idle(audit)).map(|(game, _)| *game).collect();
        self.end_audits(idle);
    }

    /// Ends the games that wait for another result.
    pub(super) fn end_all_audits(&mut self) {
        let all = self.audits.open.keys().copied().collect();
        self.end_audits(all);
    }

    fn end_audits(&mut self, games: Vec<Fixture>) {
        games.into_iter().for_each(|fixture| self.end(fixture, EndedGame::NotPlayed));
    }
}

/// The result of a game between these players, in the order of their seats.
fn in_words(line: &GameLine, names: [&str; 2]) -> String {
    let outcome = &line.outcome;
    let end = outcome.winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{} wins", names[winner.index()]));
    let [one, other] = [Seat::A, Seat::B].map(|seat| outcome.points[seat]);
    format!("{end}, {one} : {other} points, {} turns", outcome.turns)
}
