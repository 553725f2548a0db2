//! Trials: a bot is tried out as in a match, and its team is told in words what came back.

use super::course::{Course, plain};
use super::ledger::Entry;
use super::secret::fresh_seed;
use super::table::Calls;
use super::{BotUrl, Refusal, Settings, Venue};
use arena::record::milliseconds;
use arena::{ArenaError, MatchEvent, Observer, Observers, Players, Sequence, play};
use players::BuiltIn;
use rules::sea_battle::{self, Order, SeaBattle};
use rules::{Game, Outcome, Seat};
use serde::Serialize;
use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

/// A trial is no longer than this.
const LONGEST: Duration = Duration::from_secs(20);
/// Answers that are told one by one; the others are summed up.
const TOLD: usize = 4;

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrialReport {
    /// Whether the bot can play.
    pub ok: bool,
    /// What came of it, in a sentence.
    pub summary: String,
    /// What was asked, and what came back: the placement, the first moves, and what went wrong.
    pub steps: Vec<TrialStep>,
    /// How many moves the bot made.
    pub moves: u32,
    /// How long it took for half of its answers at most.
    pub median_ms: Option<f64>,
    /// How long it took for the slowest one.
    pub longest_ms: Option<f64>,
    /// How long it may take.
    pub limit_ms: u64,
}

/// A question of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct TrialStep {
    /// What was asked, e.g. `placement` or `move 3`.
    pub asked: String,
    /// Whether the answer was usable.
    pub ok: bool,
    /// What came back, in words.
    pub answer: String,
    /// How long it took.
    pub ms: Option<f64>,
}

impl TrialReport {
    /// How long the bot usually took.
    pub(super) fn latency(&self) -> Option<Duration> {
        self.median_ms.map(|ms| Duration::from_secs_f64(ms / 1000.0))
    }
}

impl Venue {
    /// Tries a bot out in a match against a built-in player, which counts for nothing.
    pub(super) async fn try_out(self: &Arc<Venue>, name: &str, password: String) -> Result<TrialReport, Refusal> {
        let entry = self.authenticate(name, password).await?;
        let Some(url) = entry.url.clone() else {
            return Err(Refusal::conflict("the bot has no URL yet; set it first"));
        };
        let place = Arc::clone(&self.trials).try_acquire_owned();
        let place = place.map_err(|_| Refusal::busy("other bots are being tried out; try again in a moment"))?;
        let venue = Arc::clone(self);
        let done = spawn_blocking(move || {
            let _place = place;
            venue.trial(&entry, &url)
        });
        done.await.map_err(Refusal::internal)?
    }

    fn trial(&self, entry: &Entry, url: &BotUrl) -> Result<TrialReport, Refusal> {
        let settings = self.books.look(|ledger| ledger.settings());
        let (report, absence) = self.tried(url, settings, true)?;
        let mut conditions = self.conditions();
        match absence {
            None => {
                conditions.answered(entry.id, report.latency());
                if conditions.welcome(entry.id) {
                    drop(conditions);
                    self.tell_bots();
                    self.floor.wake();
                }
            }
            Some((words, is_absent)) => conditions.failed(entry.id, &words, !is_absent),
        }
        Ok(report)
    }

    /// Plays a match against a built-in player, or only places the fleet. Gives what is wrong with the bot as well, and
    /// whether it could not be reached.
    pub(super) fn tried(
        &self,
        url: &BotUrl,
        settings: Settings,
        whole: bool,
    ) -> Result<(TrialReport, Option<(String, bool)>), Refusal> {
        let names = ["a bot on trial", "a sparring partner"].map(str::to_owned);
        let bot = Calls::new(self, settings, names, &self.ending).player(url, Seat::A);
        let mut players: Players<SeaBattle> = [bot, BuiltIn::Random.player(0)].into_iter().collect();
        // In a match of one move, the other may be the one who makes it.
        let max_moves = if whole { settings.max_moves } else { 1 };
        let game = SeaBattle::start(&sea_battle::Settings { max_moves }, 2, seed(whole));
        let game = game.map_err(|e| Refusal::internal(&e))?;
        let mut course = Course::new(0, false, |_| ());
        let mut minutes = Minutes { steps: Vec::new(), left_out: 0, until: Instant::now() + LONGEST, moves: 0 };
        let mut stop = self.ending.clone();
        let mut watch = Observers::new();
        watch.add(&mut stop);
        watch.add(&mut course);
        watch.add(&mut minutes);
        let played = play(game, &mut players, Sequence::Together, &mut watch);
        drop(watch);
        let outcome = match played {
            Ok(outcome) => Some(outcome),
            Err(ArenaError::Interrupted) => None,
            Err(error) => return Err(error.into()),
        };
        let loss = course.notes.losses[Seat::A].clone();
        let wrong = loss.map(|loss| (plain(&loss.to_string()), super::course::is_absence(&loss)));
        let report = TrialReport {
            ok: wrong.is_none(),
            summary: summary(outcome.as_ref(), wrong.as_ref().map(|(words, _)| words.as_str()), minutes.moves),
            moves: minutes.moves,
            steps: minutes.told(),
            median_ms: course.notes.median(Seat::A),
            longest_ms: course.notes.longest(Seat::A),
            limit_ms: settings.limit,
        };
        Ok((report, wrong))
    }
}

/// A seed with which the built-in player makes the first move, so that a match of one move is over after it.
fn seed(whole: bool) -> u64 {
    let first_is_b = |seed: &u64| {
        let game = SeaBattle::start(&sea_battle::Settings { max_moves: 1 }, 2, *seed);
        game.is_ok_and(|game| game.mover(1) == Seat::B)
    };
    iter::repeat_with(fresh_seed).find(|seed| whole || first_is_b(seed)).unwrap_or_default()
}

fn summary(outcome: Option<&Outcome>, wrong: Option<&str>, moves: u32) -> String {
    let shown = rules::counted(moves, "move");
    match (outcome, wrong) {
        (_, Some(why)) if moves == 0 => format!("The bot would lose at once: it {why}."),
        (_, Some(why)) => format!("The bot lost after {shown}: it {why}."),
        (None, None) => format!("The bot made {shown} without fault; the trial was ended because it took long."),
        (Some(outcome), None) => {
            let how = match outcome.winner {
                Some(Seat::A) => "and won",
                Some(_) => "and lost",
                None => "and drew",
            };
            format!("The bot can play: it made {shown} without fault {how} against a player that shoots at random.")
        }
    }
}

/// Takes down what the bot in seat A is asked, and what it answers.
struct Minutes {
    steps: Vec<TrialStep>,
    left_out: usize,
    until: Instant,
    moves: u32,
}

impl Minutes {
    fn told(self) -> Vec<TrialStep> {
        let mut steps = self.steps;
        if self.left_out > 0 {
            let more = TrialStep {
                asked: format!("{} more moves", self.left_out),
                ok: true,
                answer: "usable".to_owned(),
                ms: None,
            };
            let at = steps.len().min(TOLD);
            steps.insert(at, more);
        }
        steps
    }
}

impl Observer<SeaBattle> for Minutes {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        let MatchEvent::Answered { turn, game, replies } = event else { return Ok(()) };
        let Some((seat, reply)) = replies.iter().find(|(seat, _)| *seat == Seat::A) else { return Ok(()) };
        let refused = reply.answer.as_ref().ok().and_then(|order| game.check(*seat, order).err());
        let (ok, answer) = match (&reply.answer, refused) {
            (Ok(_), Some(why)) => (false, format!("breaks the rules: {why}")),
            (Ok(order), None) => (true, words(order)),
            (Err(fault), _) => (false, fault.to_string()),
        };
        if *turn > 0 && ok {
            self.moves += 1;
        }
        if ok && self.steps.len() >= TOLD {
            self.left_out += 1;
        } else {
            let asked = if *turn == 0 { "placement".to_owned() } else { format!("move {turn}") };
            let ms = reply.time.map(|time| milliseconds(time.wall));
            self.steps.push(TrialStep { asked, ok, answer: plain(&answer), ms });
        }
        if Instant::now() >= self.until { Err(ArenaError::Interrupted) } else { Ok(()) }
    }
}

fn words(order: &Order) -> String {
    match order {
        Order::Place(_) => "a fleet that may lie as it does".to_owned(),
        Order::Shoot(at) => format!("a shot at x {}, y {}", at.x, at.y),
        Order::Radar(at) => format!("radar around x {}, y {}", at.x, at.y),
    }
}
