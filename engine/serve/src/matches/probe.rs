//! Probes: a test match shows if a bot can play, and its team gets a report.

use crate::matches::host::MatchHost;
use crate::matches::match_feed::{MatchFeed, is_absence, loss_text};
use crate::matches::match_run::{MatchTerms, Opponent, run};
use crate::state::bot_address::BotAddress;
use crate::state::random::fresh_seed;
use crate::state::request_error::RequestResult;
use crate::state::settings::ServerSettings;
use crate::state::wire::bot_text;
use arena::record::milliseconds;
use arena::{ArenaError, MatchEvent, Observer, Observers};
use players::http::Client;
use rules::sea_battle::{self, MoveLimit, Order, SeaBattle};
use rules::{Eye, Game, Outcome, Seat};
use serde::Serialize;
use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The longest time for a probe.
const LONGEST: Duration = Duration::from_secs(20);
/// The number of answers that are reported one by one. The others are summed up.
const TOLD: usize = 4;

/// The report about a test match.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProbeReport {
    /// True if the bot can play.
    pub ok: bool,
    /// The result, in one sentence.
    pub summary: String,
    /// Requests and answers: the placement, the first moves, and all faults.
    pub steps: Vec<ProbeStep>,
    /// The number of moves that the bot made.
    pub moves: u32,
    /// The median duration of its answers, in milliseconds.
    pub median_ms: Option<f64>,
    /// The longest duration of its answers, in milliseconds.
    pub longest_ms: Option<f64>,
    /// The time limit for an answer, in milliseconds.
    pub limit_ms: u64,
}

/// A request of a test match, and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct ProbeStep {
    /// The request: `placement`, or e.g. `move 3`.
    pub asked: String,
    /// True if the answer was usable.
    pub ok: bool,
    /// The answer, in words.
    pub answer: String,
    /// The duration of the answer, in milliseconds.
    pub ms: Option<f64>,
}

impl ProbeReport {
    /// The median duration of the answers.
    pub(crate) fn latency(&self) -> Option<Duration> {
        self.median_ms.map(|ms| Duration::from_secs_f64(ms / 1000.0))
    }
}

/// Plays a match against a built-in player, or only lets the bot place its fleet. Also returns the bot's fault, and
/// true with it if the bot could not be reached.
pub(crate) fn run_probe(
    host: &MatchHost,
    client: &Arc<Client>,
    url: &BotAddress,
    settings: ServerSettings,
    whole: bool,
) -> RequestResult<(ProbeReport, Option<(String, bool)>)> {
    let opponents = [Opponent::Bot { name: "a probed bot", url }, Opponent::SparringPartner];
    let rules = if whole { settings.rules() } else { one_move(settings) };
    let terms = MatchTerms { rules, ..MatchTerms::of(&settings, seed(rules, whole)) };
    let mut feed = MatchFeed::new(0, Eye::Referee, |_| ());
    let mut transcript = Transcript { steps: Vec::new(), left_out: 0, until: Instant::now() + LONGEST, moves: 0 };
    let mut watch = Observers::new();
    watch.add(&mut feed);
    watch.add(&mut transcript);
    let played = run(client, terms, &opponents, &host.ending, &mut watch);
    drop(watch);
    let outcome = match played {
        Ok(outcome) => Some(outcome),
        Err(ArenaError::Interrupted) => None,
        Err(error) => return Err(error.into()),
    };
    let loss = feed.notes.losses[Seat::A].clone();
    let wrong = loss.map(|loss| (loss_text(&loss), is_absence(&loss, terms.limit)));
    let report = ProbeReport {
        ok: wrong.is_none(),
        summary: summary(outcome.as_ref(), wrong.as_ref().map(|(why, _)| why.as_str()), transcript.moves),
        moves: transcript.moves,
        steps: transcript.into_steps(),
        median_ms: feed.notes.median(Seat::A),
        longest_ms: feed.notes.longest(Seat::A),
        limit_ms: settings.limit,
    };
    Ok((report, wrong))
}

/// The rules of a match of a single move.
fn one_move(settings: ServerSettings) -> sea_battle::Settings {
    sea_battle::Settings { max_moves: MoveLimit::Together(1), ..settings.rules() }
}

/// A seed. For a match of one move, a seed with which the built-in player makes that move, if there is one.
fn seed(rules: sea_battle::Settings, whole: bool) -> u64 {
    let first_is_b = |seed: &u64| SeaBattle::start(&rules, 2, *seed).is_ok_and(|game| game.mover(1) == Seat::B);
    iter::repeat_with(fresh_seed).take(MOST_SEEDS).find(|seed| whole || first_is_b(seed)).unwrap_or_else(fresh_seed)
}

/// Half of all seeds let one player move first; by the rules of the public server none does.
const MOST_SEEDS: usize = 64;

fn summary(outcome: Option<&Outcome>, wrong: Option<&str>, moves: u32) -> String {
    let shown = rules::counted(moves, "move");
    match (outcome, wrong) {
        (_, Some(why)) if moves == 0 => format!("The bot would lose at once: it {why}."),
        (_, Some(why)) => format!("The bot lost after {shown}: it {why}."),
        (None, None) => format!("The bot made {shown} without fault; the test was ended because it took long."),
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

/// An observer that notes the requests to the bot in seat A, and its answers.
struct Transcript {
    steps: Vec<ProbeStep>,
    left_out: usize,
    until: Instant,
    moves: u32,
}

impl Transcript {
    fn into_steps(self) -> Vec<ProbeStep> {
        let mut steps = self.steps;
        if self.left_out > 0 {
            let more = ProbeStep {
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

impl Observer<SeaBattle> for Transcript {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        let MatchEvent::Answered { turn, game, replies } = event else { return Ok(()) };
        let Some((seat, reply)) = replies.iter().find(|(seat, _)| *seat == Seat::A) else { return Ok(()) };
        let refused = reply.answer.as_ref().ok().and_then(|order| game.check(*seat, order).err());
        let (ok, answer) = match (&reply.answer, refused) {
            (Ok(_), Some(why)) => (false, format!("breaks the rules: {why}")),
            (Ok(order), None) => (true, describe(order)),
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
            self.steps.push(ProbeStep { asked, ok, answer: bot_text(&answer), ms });
        }
        if Instant::now() >= self.until { Err(ArenaError::Interrupted) } else { Ok(()) }
    }
}

fn describe(order: &Order) -> String {
    match order {
        Order::Place(_) => "a fleet that may lie as it does".to_owned(),
        Order::Shoot(at) => format!("a shot at x {}, y {}", at.x, at.y),
        Order::Radar(at) => format!("radar around x {}, y {}", at.x, at.y),
    }
}
