//! Probes: a test match shows if a bot can play, and its team gets a report.

use super::app::App;
use super::bot_address::BotAddress;
use super::guard::ClientAddress;
use super::match_feed::{MatchFeed, is_absence, loss_text};
use super::match_run::{contestant, run};
use super::random::fresh_seed;
use super::registration::BotCredentials;
use super::request_error::{RequestError, RequestResult};
use super::server_state::RegisteredBot;
use super::settings::ServerSettings;
use super::wire::bot_text;
use arena::record::milliseconds;
use arena::{ArenaError, MatchEvent, Observer};
use players::http::{AllowedHosts, Client};
use rules::sea_battle::{self, MoveLimit, Order, SeaBattle};
use rules::{Game, Outcome, PlayerInfo, Seat};
use runner::Contestant;
use serde::Serialize;
use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The longest time for a probe.
const LONGEST: Duration = Duration::from_secs(20);
/// The number of answers that are reported one by one. The others are summed up.
const TOLD: usize = 4;
/// The longest time to look up the host of a bot before its test.
const LOOK_UP: Duration = Duration::from_secs(2);

/// The report about a test match.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProbeReport {
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
pub(super) struct ProbeStep {
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
    pub(super) fn latency(&self) -> Option<Duration> {
        self.median_ms.map(|ms| Duration::from_secs_f64(ms / 1000.0))
    }
}

impl App {
    /// Plays a test match between a bot and a built-in player. The match counts for nothing.
    ///
    /// # Errors
    /// The request comes too often, the bot does not exist or has no URL, the password is wrong, or other tests are
    /// running.
    pub(super) async fn probe(self: &Arc<App>, from: ClientAddress, bot: BotCredentials) -> RequestResult<ProbeReport> {
        self.throttles.test.count(from.ip)?;
        let entry = self.authenticate(&bot.name, bot.password).await?;
        self.probe_entry(from, entry).await
    }

    /// Tests the bot of a team that is logged in, as [`App::probe`] does.
    ///
    /// # Errors
    /// As [`App::probe`].
    pub(super) async fn probe_own(
        self: &Arc<App>,
        from: ClientAddress,
        entry: RegisteredBot,
    ) -> RequestResult<ProbeReport> {
        self.throttles.test.count(from.ip)?;
        self.probe_entry(from, entry).await
    }

    async fn probe_entry(self: &Arc<App>, from: ClientAddress, entry: RegisteredBot) -> RequestResult<ProbeReport> {
        let Some(url) = entry.url.clone() else {
            return Err(RequestError::conflict("the bot has no URL yet; set it first"));
        };
        let permit = Arc::clone(&self.probes).try_acquire_owned();
        let permit = permit.map_err(|_| RequestError::busy("other bots are being tested; try again in a moment"))?;
        self.blocking(move |app| {
            let _permit = permit;
            let client = Arc::new(app.client.restricted(app.hosts_to_test(from)));
            if let Some(why) = client.refusal(&url.target, Some(LOOK_UP), &app.ending)? {
                return Err(RequestError::forbidden(format!("only a bot on your own machine can be tested: {why}")));
            }
            let (mut report, absence) = app.run_probe(&client, &url, app.store.look(|state| state.settings), true)?;
            if report.moves == 0
                && absence.as_ref().is_some_and(|(_, is_absent)| *is_absent)
                && app.matches.has(entry.id)
            {
                report.summary.push_str(PLAYS_NOW);
            }
            let mut health = app.health();
            let is_back = match absence {
                None => {
                    health.answered(entry.id, report.latency());
                    health.welcome(entry.id)
                }
                Some((why, is_absent)) => {
                    health.failed(entry.id, &why, !is_absent);
                    false
                }
            };
            drop(health);
            app.tell_changed_bots();
            if is_back {
                app.note_bot(entry.id, "answers again");
                app.tell_tournament();
                app.matches.wake();
            }
            Ok(report)
        })
        .await
    }

    /// The hosts that a team may test: those on the list of the server, and the machine that the request comes from. Behind a
    /// proxy or tunnel, which need not say that it is one, this machine is the proxy's and not the team's.
    fn hosts_to_test(&self, from: ClientAddress) -> AllowedHosts {
        let is_local = from.ip.to_canonical().is_loopback();
        let is_proxy = from.is_proxied || is_local && !self.reach.public_hosts.is_empty();
        if is_proxy { self.test_hosts.clone() } else { self.test_hosts.clone().or(from.ip) }
    }

    /// Plays a match against a built-in player, or only lets the bot place its fleet. Also returns the bot's fault, and
    /// true with it if the bot could not be reached.
    pub(super) fn run_probe(
        &self,
        client: &Arc<Client>,
        url: &BotAddress,
        settings: ServerSettings,
        whole: bool,
    ) -> RequestResult<(ProbeReport, Option<(String, bool)>)> {
        let partner = Contestant::built_in("random").map_err(|e| RequestError::internal(&e))?;
        let partner = Contestant { info: PlayerInfo::named("a sparring partner"), ..partner };
        let contestants = [contestant("a probed bot", url), partner];
        let rules = if whole { settings.rules() } else { one_move(settings) };
        let game = SeaBattle::start(&rules, 2, seed(rules, whole));
        let game = game.map_err(|e| RequestError::internal(&e))?;
        let mut feed = MatchFeed::new(0, false, |_| ());
        let mut transcript = Transcript { steps: Vec::new(), left_out: 0, until: Instant::now() + LONGEST, moves: 0 };
        let observers: &mut [&mut dyn Observer<SeaBattle>] = &mut [&mut feed, &mut transcript];
        let outcome = match run(client, settings, contestants, game, &self.ending, observers) {
            Ok(outcome) => Some(outcome),
            Err(ArenaError::Interrupted) => None,
            Err(error) => return Err(error.into()),
        };
        let loss = feed.notes.losses[Seat::A].clone();
        let wrong = loss.map(|loss| (loss_text(&loss), is_absence(&loss)));
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
}

/// The note for a bot that cannot be reached while it plays.
const PLAYS_NOW: &str = " It is playing a match of the tournament now: a bot that serves one connection at a time can be tested between matches only.";

/// The rules of a match of a single move.
fn one_move(settings: ServerSettings) -> sea_battle::Settings {
    sea_battle::Settings { max_moves: MoveLimit::Together(1), ..settings.rules() }
}

/// A seed. For a match of one move, a seed with which the built-in player makes that move, if there is one.
fn seed(rules: sea_battle::Settings, whole: bool) -> u64 {
    let first_is_b = |seed: &u64| SeaBattle::start(&rules, 2, *seed).is_ok_and(|game| game.mover(1) == Seat::B);
    iter::repeat_with(fresh_seed).take(MOST_SEEDS).find(|seed| whole || first_is_b(seed)).unwrap_or_default()
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
