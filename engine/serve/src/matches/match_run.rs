//! The run of one match: seats two bots, plays, and enters the result.

use crate::matches::host::MatchHost;
use crate::matches::match_feed::{MatchFeed, MatchNotes, is_absence, loss_text};
use crate::matches::outage;
use crate::matches::publish;
use crate::matches::records::{about, record_path};
use crate::state::bot_address::BotAddress;
use crate::state::finals::screening;
use crate::state::journal_line::{FinalGameLine, FinalMatchLine, MatchLine, ServerJournalLine, now, written};
use crate::state::name::BotId;
use crate::state::name::BotName;
use crate::state::random::fresh_seed;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::settings::ServerSettings;
use crate::state::wire::{MatchBegun, MatchOver, MatchView};
use arena::record::{Header, LimitsLine, RecordedSeat, save};
use arena::{ArenaError, Ask, Interrupt, MatchEvent, Observer, Observers, Player, Reply, Sequence};
use chrono::Utc;
use players::HttpPlayerFactory;
use players::http::Client;
use rules::sea_battle::{self, MoveLimit, Order, SeaBattle};
use rules::{BySeat, Fault, Game, Listed, Outcome, PlayerInfo, Seat};
use runner::{
    BuiltInSetup, Contestant, Contestants, Context, MatchOptions, MatchOutput, PlayedMatch, PreparedMatch, RunnerError,
    Silent,
};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tournament::Fixture;
use web::EventScope;

/// The least answers of a bot in a match that tell how long it takes for one.
const MOVES_THAT_TELL: usize = 10;

/// A match that the scheduler has chosen.
#[derive(Debug, Clone)]
pub(crate) struct ScheduledMatch {
    pub(crate) id: u64,
    /// The number of its tournament; 0 for a game of a final.
    pub(crate) tournament: u32,
    /// The place of the match in its tournament, counted from 1, and the number of matches of the tournament; zeros for a game of
    /// a final.
    pub(crate) place: [u32; 2],
    pub(crate) final_game: Option<(Fixture, FinalGameLine)>,
    /// The bots by seats.
    pub(crate) bots: [BotId; 2],
    pub(crate) names: [BotName; 2],
    pub(crate) urls: [BotAddress; 2],
    pub(crate) seed: u64,
    pub(crate) settings: ServerSettings,
}

impl ScheduledMatch {
    fn begun(&self) -> MatchBegun {
        MatchBegun {
            r#match: self.id,
            tournament: self.tournament,
            nth: self.place[0],
            of: self.place[1],
            names: self.names.each_ref().map(BotName::to_string),
            bots: self.bots.map(|bot| bot.to_string()),
            max_moves: self.settings.rules().max_moves.number(),
            together: matches!(self.settings.rules().max_moves, MoveLimit::Together(_)),
            final_game: self.final_game.as_ref().map(|(_, place)| place.clone()),
            screening: None,
        }
    }

    pub(crate) fn opponents(&self) -> [Opponent<'_>; 2] {
        [0, 1].map(|at: usize| Opponent::Bot { name: self.names[at].as_str(), url: &self.urls[at] })
    }

    pub(crate) fn header(&self, engine: &str) -> Header {
        let limits = Some(LimitsLine { answer_ms: self.settings.limit, kill_ms: self.settings.limit, cpu_ms: None });
        let recorded = self.names.iter().map(|name| PlayerInfo::web_service(name.as_str()));
        let seats = recorded.map(|info| RecordedSeat { limits, ..RecordedSeat::new(info) }).collect();
        let header = Header::new::<SeaBattle>(&self.settings.rules(), self.seed, seats, Sequence::Together);
        Header { engine: engine.to_owned(), ..header }
    }
}

/// A player of a match of the server.
pub(crate) enum Opponent<'a> {
    /// A bot that is called over HTTP.
    Bot { name: &'a str, url: &'a BotAddress },
    /// A built-in player that shoots at random.
    SparringPartner,
}

/// The rules of a match, the time limit for an answer, that for all answers of a bot, and the seed of the game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchTerms {
    pub(crate) rules: sea_battle::Settings,
    pub(crate) limit: Duration,
    pub(crate) budget: Duration,
    pub(crate) seed: u64,
}

impl MatchTerms {
    /// The terms of a match by these settings.
    pub(crate) fn of(settings: &ServerSettings, seed: u64) -> MatchTerms {
        let (limit, budget) = (Duration::from_millis(settings.limit), settings.budget());
        MatchTerms { rules: settings.rules(), limit, budget, seed }
    }
}

/// Plays a match, in which `client` calls the bots. The seed for the match ids that bots see is new: a match that is played
/// again after a restart is a new match for its bots. The faults of bots contain neither their URLs nor parts of what answered
/// there.
///
/// # Errors
/// The match was interrupted, or as [`PreparedMatch::play`].
pub(crate) fn run(
    client: &Arc<Client>,
    terms: MatchTerms,
    opponents: &[Opponent<'_>; 2],
    interrupt: &Interrupt,
    watch: &mut dyn Observer<SeaBattle>,
) -> Result<Outcome, ArenaError> {
    let MatchTerms { rules, limit, budget, seed } = terms;
    let names = opponents.iter().map(|opponent| match opponent {
        Opponent::Bot { name, .. } => Some((*name).to_owned()),
        Opponent::SparringPartner => Some(SPARRING_PARTNER.to_owned()),
    });
    let names: Arc<BySeat<Option<String>>> = Arc::new(names.collect());
    let factory = HttpPlayerFactory::new(Arc::clone(client), &rules, (), Some(limit), interrupt.clone());
    let (factory, match_seed) = (Arc::new(factory), fresh_seed());
    let contestant = |opponent: &Opponent<'_>| match opponent {
        Opponent::Bot { name, url } => {
            let (factory, names, target) = (Arc::clone(&factory), Arc::clone(&names), url.target.clone());
            let shown = target.to_string().trim_end_matches('/').to_owned();
            Contestant::own(name, move |seat, _| {
                let bot = factory.player(&target, seat, match_seed, &names);
                Box::new(Budgeted { bot: Discreet { bot, url: shown.clone() }, used: Duration::ZERO, budget })
            })
        }
        Opponent::SparringPartner => {
            Contestant::built_in("random").expect("there is a built-in player of this name").called(SPARRING_PARTNER)
        }
    };
    let context = Context { interrupt: interrupt.clone(), reporter: Arc::new(Silent) };
    let prepared = prepared(rules, opponents.iter().map(contestant).collect(), seed, context)?;
    outcome(prepared.play(watch))
}

/// A match of these contestants that leaves no files of its own.
///
/// # Errors
/// The settings are out of their bounds.
fn prepared(
    rules: sea_battle::Settings,
    contestants: Contestants<BuiltInSetup<SeaBattle>>,
    seed: u64,
    context: Context,
) -> Result<PreparedMatch<BuiltInSetup<SeaBattle>>, ArenaError> {
    let options = MatchOptions {
        seed: Some(seed),
        sequence: Some(Sequence::Together),
        output: MatchOutput::Nothing,
        ..MatchOptions::default()
    };
    PreparedMatch::new(BuiltInSetup { settings: rules, context }, contestants, options).map_err(failed)
}

/// The outcome of a match of the server.
///
/// # Errors
/// The match was interrupted, or the engine failed.
pub(crate) fn outcome(played: Result<PlayedMatch, RunnerError>) -> Result<Outcome, ArenaError> {
    played.map_err(failed)?.result
}

fn failed(error: RunnerError) -> ArenaError {
    match error {
        RunnerError::Arena(error) => error,
        error => ArenaError::process("begin", "a match", io::Error::other(error)),
    }
}

/// The name of the built-in player against which bots are tested.
const SPARRING_PARTNER: &str = "a sparring partner";

/// A bot whose faults contain neither its URL nor parts of its answers: everyone can read them, and the URL may lead to
/// an internal service that its team could not reach.
struct Discreet {
    bot: Box<dyn Player<SeaBattle>>,
    url: String,
}

impl Player<SeaBattle> for Discreet {
    fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<Order>, ArenaError> {
        let reply = self.bot.decide(ask)?;
        let without = |text: String| text.replace(&self.url, "");
        let answer = reply.answer.map_err(|fault| match fault {
            Fault::Unreachable { why } => Fault::Unreachable { why: without(why) },
            Fault::Unreadable { why, .. } => Fault::Unreadable { why: without(why), excerpt: String::new() },
            Fault::Crashed { how } => Fault::Crashed { how: without(how) },
            fault => fault,
        });
        // The record, which everyone can read, has the order or the fault, and nothing else of what answered, such as notes.
        let given = answer.as_ref().map(SeaBattle::write).unwrap_or_default();
        Ok(Reply { answer, given, notes: None, ..reply })
    }
}

/// A player whose answers may take this long together: with the one that goes beyond it, it has timed out.
struct Budgeted {
    bot: Discreet,
    used: Duration,
    budget: Duration,
}

impl Player<SeaBattle> for Budgeted {
    fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<Order>, ArenaError> {
        let reply = self.bot.decide(ask)?;
        self.used += reply.time.map_or(Duration::ZERO, |time| time.wall);
        let (used, limit) = (self.used, self.budget);
        match used > limit && reply.answer.is_ok() {
            true => Ok(Reply { answer: Err(Fault::timed_out(used, limit)), given: Vec::new(), ..reply }),
            false => Ok(reply),
        }
    }
}

/// Plays a match and enters its result in the store. An interrupt ends the match without a result.
///
/// # Errors
/// The record cannot be written, or the system gives no thread.
pub(crate) fn play_match(host: &MatchHost, scheduled: &ScheduledMatch, interrupt: &Interrupt) -> RequestResult<()> {
    let begun = Instant::now();
    let view = scheduled.begun();
    let terms = MatchTerms::of(&scheduled.settings, scheduled.seed);
    let first = SeaBattle::start(&terms.rules, 2, terms.seed).map_err(RequestError::internal)?;
    let eye = scheduled.settings.public_eye();
    let (header, about) = (scheduled.header(&host.engine), about(&view, &host.engine));
    let mut stream = host.streams.begin(scheduled.id, &header, first, about, eye)?;
    publish::event(host, "match-begun", EventScope::Part(scheduled.id), &view);
    let mut feed = MatchFeed::new(scheduled.id, eye, |turn| {
        publish::event(host, "turn", EventScope::Part(scheduled.id), &turn);
    });
    let (bots, limit) = (scheduled.bots, terms.limit);
    let mut care = HealthObserver { host, bots, limit, has_absence: false };
    let mut watch = Observers::new();
    watch.add(&mut stream);
    watch.add(&mut care);
    watch.add(&mut feed);
    let played = run(&host.client, terms, &scheduled.opponents(), interrupt, &mut watch);
    drop(watch);
    let fleets = [Seat::A, Seat::B].map(|seat| feed.notes.fleets[seat].clone());
    let tells = |seat| played.is_ok() && feed.notes.answers(seat) >= MOVES_THAT_TELL;
    let took = [Seat::A, Seat::B].map(|seat| (feed.notes.thinking(seat), tells(seat)));
    for (bot, (time, is_whole)) in bots.into_iter().zip(took) {
        host.health().took(bot, time, is_whole);
    }
    let [a, b] = took;
    host.health().met(bots, a.0.max(b.0), a.1 && b.1, Instant::now());
    let entered = match played {
        Ok(outcome) => {
            let line = line(scheduled, outcome, &feed.notes, begun);
            keep(host, scheduled, line, &stream.record_lines())
        }
        Err(ArenaError::Interrupted) => Err(RequestError::conflict(host.running.why_broken_off(scheduled.id))),
        Err(error) => Err(error.into()),
    };
    let (result, broken_off, done) = match entered {
        Ok(line) => (Some(MatchView::from(&line)), None, Ok(())),
        Err(error) if error.cause.is_some() => (None, Some("the server failed".to_owned()), Err(error)),
        Err(error) => (None, Some(error.to_string()), Ok(())),
    };
    // Then it is played again, and its bots may place the same fleets.
    let is_again = host.ending.is_raised() || done.is_err();
    match &broken_off {
        None => drop(stream),
        Some(why) => {
            host.store.activity.add(|| format!("Match {} was broken off: {why}", scheduled.id));
            if is_again { stream.leave() } else { stream.break_off(why) }
        }
    }
    let fleets = if is_again && broken_off.is_some() { [None, None] } else { fleets };
    let over = MatchOver { r#match: scheduled.id, result, broken_off, fleets };
    publish::event(host, "match-over", EventScope::End(scheduled.id), &over);
    if care.has_absence {
        outage::pause(host);
    }
    done
}

/// Writes the record and enters the result.
///
/// # Errors
/// The match was broken off meanwhile; a failure of the disk.
pub(crate) fn keep(
    host: &MatchHost,
    scheduled: &ScheduledMatch,
    line: MatchLine,
    record: &[u8],
) -> RequestResult<MatchLine> {
    save(&host.folder.join(&line.record), record)?;
    let entered = line.clone();
    let done = host.store.enter(|state| {
        let gone = || RequestError::conflict("the match was broken off");
        if scheduled.bots.iter().any(|bot| state.bot(*bot).is_none()) {
            return Err(gone());
        }
        let Some((fixture, place)) = &scheduled.final_game else {
            let open = state.open(scheduled.tournament).ok_or_else(gone)?;
            open.check(scheduled.bots).map_err(|_| gone())?;
            return Ok(ServerJournalLine::Match(Box::new(line)));
        };
        let present = state.present_final.as_ref().filter(|present| present.number == place.number);
        present.and_then(|present| present.playing()).ok_or_else(gone)?;
        let shown = written(Utc::now() + screening::duration(line.outcome.turns, scheduled.settings.pace));
        Ok(ServerJournalLine::FinalMatch(Box::new(FinalMatchLine { fixture: *fixture, shown, played: line })))
    });
    match done {
        Ok(_) => Ok(entered),
        Err(error) if error.cause.is_some() => Err(error),
        // The interrupt came when the match was over already.
        Err(_) => Err(RequestError::conflict(host.running.why_broken_off(scheduled.id))),
    }
}

pub(crate) fn line(scheduled: &ScheduledMatch, outcome: Outcome, notes: &MatchNotes, begun: Instant) -> MatchLine {
    MatchLine {
        id: scheduled.id,
        tournament: scheduled.tournament,
        final_game: scheduled.final_game.as_ref().map(|(_, place)| place.clone()),
        bots: scheduled.bots.into_iter().collect(),
        names: scheduled.names.iter().cloned().collect(),
        seed: scheduled.seed.to_string(),
        outcome,
        faults: notes.losses.map(|loss| loss.as_ref().map(loss_text)),
        median_ms: [Seat::A, Seat::B].into_iter().map(|seat| notes.median(seat)).collect::<BySeat<_>>(),
        record: record_path(scheduled.id),
        took_ms: begun.elapsed().as_millis() as u64,
        at: now(),
        is_void: false,
    }
}

/// An observer that notes the health of the bots.
struct HealthObserver<'a> {
    host: &'a MatchHost,
    bots: [BotId; 2],
    /// The time limit for an answer.
    limit: Duration,
    /// True if a bot lost because it did not place its fleet in time.
    has_absence: bool,
}

impl Observer<SeaBattle> for HealthObserver<'_> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        use rules::sea_battle::Event;
        let bot = |seat: Seat| self.bots[seat.index().min(1)];
        match event {
            MatchEvent::Answered { replies, .. } => {
                let mut health = self.host.health();
                for (seat, reply) in replies.iter().filter(|(_, reply)| reply.answer.is_ok()) {
                    health.answered(bot(*seat), reply.time.map(|time| time.wall));
                }
            }
            MatchEvent::Advanced { told, turn, .. } => {
                let mut parked = Vec::new();
                let mut health = self.host.health();
                for told in *told {
                    match &told.event {
                        Event::Placed { seat } => health.began(bot(*seat)),
                        Event::Lost { seat, why } => {
                            let fault = loss_text(why);
                            let is_absent = is_absence(why, self.limit);
                            health.failed(bot(*seat), &fault, !is_absent);
                            if is_absent && *turn == 0 {
                                health.absent(bot(*seat), Instant::now());
                                self.has_absence = true;
                            }
                            if *turn == 0 && health.never_began(bot(*seat), &fault, Instant::now()) {
                                parked.push((bot(*seat), fault));
                            }
                        }
                        Event::Fired { .. } | Event::UsedRadar { .. } | Event::Scanned { .. } => {}
                    }
                }
                // The state must not be locked while the health is.
                drop(health);
                for (bot, fault) in parked {
                    self.host.note_bot(bot, &format!("is parked: {fault}"));
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}
