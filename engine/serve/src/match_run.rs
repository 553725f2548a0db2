//! The run of one match: seats two bots, plays, and enters the result.

use super::app::App;
use super::bot_address::BotAddress;
use super::event_stream::EventScope;
use super::finals::{Screening, shown_at};
use super::journal_line::{BotId, FinalGameLine, FinalMatchLine, MatchLine, ServerJournalLine, now, written};
use super::match_feed::{MatchFeed, MatchNotes, is_absence, loss_text};
use super::name::BotName;
use super::random::fresh_seed;
use super::records::record_path;
use super::request_error::{RequestError, RequestResult};
use super::settings::ServerSettings;
use super::wire::{MatchBegun, MatchOver, MatchView};
use arena::record::{Clock, Header, LimitsLine, RecordBuffer, RecordedSeat, save};
use arena::{ArenaError, Ask, Interrupt, MatchEvent, Observer, Observers, Player, Players, Reply, Sequence, play};
use chrono::Utc;
use players::http::Client;
use rules::sea_battle::{MoveLimit, Order, SeaBattle};
use rules::{BySeat, Fault, Game, Listed, Outcome, PlayerInfo, Seat};
use runner::{Contestant, Context, HttpBot, MatchFactory, Seating, Service, ServiceSetup, Silent};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tournament::Fixture;

/// A match that the scheduler has chosen.
#[derive(Debug, Clone)]
pub(super) struct ScheduledMatch {
    pub(super) id: u64,
    /// The number of its tournament; 0 for a game of a final.
    pub(super) tournament: u32,
    /// The place of the match in its tournament, counted from 1, and the number of matches of the tournament; zeros for a game of
    /// a final.
    pub(super) place: [u32; 2],
    pub(super) final_game: Option<(Fixture, FinalGameLine)>,
    /// The bots by seats.
    pub(super) bots: [BotId; 2],
    pub(super) names: [BotName; 2],
    pub(super) urls: [BotAddress; 2],
    pub(super) seed: u64,
    pub(super) settings: ServerSettings,
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
            screening: self.final_game.as_ref().map(|_| Screening { begun_at: now(), pace: self.settings.pace }),
        }
    }

    fn header(&self, engine: &str) -> Header {
        let limits = Some(LimitsLine { answer_ms: self.settings.limit, kill_ms: self.settings.limit, cpu_ms: None });
        let recorded = self.names.iter().map(|name| PlayerInfo::web_service(name.as_str()));
        let seats = recorded.map(|info| RecordedSeat { limits, ..RecordedSeat::new(info) }).collect();
        let header = Header::new::<SeaBattle>(&self.settings.rules(), self.seed, seats, Sequence::Together);
        Header { engine: engine.to_owned(), ..header }
    }
}

/// The contestant that calls the bot at a URL.
pub(super) fn contestant(name: &str, url: &BotAddress) -> Contestant<SeaBattle, HttpBot> {
    Contestant::service(name, Service { url: url.target.clone(), is_named: true, dialect: None })
}

/// Seats two contestants, whom `client` calls, and plays their match. The seed for the match ids that bots see is new: a match
/// that is played again after a restart is a new match for its bots. The faults of bots contain neither their URLs nor
/// parts of what answered there.
///
/// # Errors
/// The match was interrupted, or as [`MatchFactory::seat`] and [`play`].
pub(super) fn run(
    client: &Arc<Client>,
    settings: ServerSettings,
    contestants: [Contestant<SeaBattle, HttpBot>; 2],
    game: SeaBattle,
    interrupt: &Interrupt,
    observers: &mut [&mut dyn Observer<SeaBattle>],
) -> Result<Outcome, ArenaError> {
    let names = contestants.each_ref().map(|contestant| contestant.info.name().to_owned());
    let urls = contestants.each_ref().map(|contestant| {
        contestant.bot().and_then(HttpBot::as_service).map(|bot| bot.url.to_string().trim_end_matches('/').to_owned())
    });
    let context = Context { interrupt: interrupt.clone(), reporter: Arc::new(Silent) };
    let (rules, limit) = (settings.rules(), Some(Duration::from_millis(settings.limit)));
    let setup = ServiceSetup::<SeaBattle>::new(rules, (), limit, Arc::clone(client), context);
    let matches = setup.matches(contestants.into_iter().collect());
    let seed = fresh_seed();
    let players = matches.seat(&Seating {
        game: "match",
        contestants: &[0, 1],
        names: &names.each_ref().map(String::as_str),
        seed,
        player_seed: seed,
        folder: None,
        hide_files: false,
    })?;
    let hidden = |(player, url): (Box<dyn Player<SeaBattle>>, Option<String>)| match url {
        Some(url) => Box::new(Discreet { bot: player, url }),
        None => player,
    };
    let mut players: Players<SeaBattle> = players.into_iter().zip(urls).map(hidden).collect();
    let mut stop = interrupt.clone();
    let mut watch = Observers::new();
    watch.add(&mut stop);
    observers.iter_mut().for_each(|observer| watch.add(*observer));
    play(game, &mut players, Sequence::Together, &mut watch)
}

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

/// Plays a match and enters its result in the store. An interrupt ends the match without a result.
///
/// # Errors
/// The record cannot be written, or the system gives no pipe or thread.
pub(super) fn play_match(app: &App, scheduled: &ScheduledMatch, interrupt: &Interrupt) -> Result<(), ArenaError> {
    let begun = Instant::now();
    app.events.publish("match-begun", EventScope::MatchBegins(scheduled.id), &scheduled.begun());
    let mut feed = MatchFeed::new(scheduled.id, scheduled.settings.reveal_fleets, |turn| {
        app.events.publish("turn", EventScope::MatchGoesOn(scheduled.id), &turn);
    });
    let contestants = [0, 1].map(|at: usize| contestant(scheduled.names[at].as_str(), &scheduled.urls[at]));
    let mut record = RecordBuffer::begin(&scheduled.header(&app.engine), Clock::Running)?;
    let mut care = HealthObserver { app, bots: scheduled.bots };
    let rules = scheduled.settings.rules();
    let game = SeaBattle::start(&rules, 2, scheduled.seed).expect("settings are within their bounds");
    let observers: &mut [&mut dyn Observer<SeaBattle>] = &mut [&mut record, &mut care, &mut feed];
    let played = run(&app.client, scheduled.settings, contestants, game, interrupt, observers);
    let fleets = [Seat::A, Seat::B].map(|seat| feed.notes.fleets[seat].clone());
    let line = played.and_then(|outcome| {
        let line = line(scheduled, outcome, &feed.notes, begun);
        save(&app.folder.join(&line.record), &record.into_lines())?;
        Ok(line)
    });
    let (result, broken_off, done) = match line.map(|line| enter(app, scheduled, line)) {
        // The result of a game of a final is told when the screens have shown it.
        Ok(Ok(line)) if line.final_game.is_some() => {
            app.matches.lock().on_screen = Some(line.id);
            return Ok(());
        }
        Ok(Ok(line)) => (Some(MatchView::from(&line)), None, Ok(())),
        Ok(Err(error)) => (None, Some(error.to_string()), Ok(())),
        Err(ArenaError::Interrupted) => {
            let called_off = if scheduled.final_game.is_some() { "the final was called off, " } else { "" };
            let why = format!("{called_off}a bot was removed, the history was cleared, or the server ends");
            (None, Some(why), Ok(()))
        }
        Err(error) => (None, Some("the server failed".to_owned()), Err(error)),
    };
    if let Some(why) = &broken_off {
        app.store.activity.add(|| format!("Match {} was broken off: {why}", scheduled.id));
    }
    let over = MatchOver { r#match: scheduled.id, result, broken_off, fleets };
    app.events.publish("match-over", EventScope::MatchEnds(scheduled.id), &over);
    done
}

/// Enters the result, unless a bot or the tournament was removed meanwhile.
fn enter(app: &App, scheduled: &ScheduledMatch, line: MatchLine) -> RequestResult<MatchLine> {
    let entered = line.clone();
    app.store.enter(|state| {
        let gone = || RequestError::conflict("a bot was removed, the history was cleared, or the final was called off");
        if scheduled.bots.iter().any(|bot| state.bot(*bot).is_none()) {
            return Err(gone());
        }
        let Some((fixture, place)) = &scheduled.final_game else {
            state.current(scheduled.tournament).ok_or_else(gone)?;
            return Ok(ServerJournalLine::Match(Box::new(line)));
        };
        let present = state.present_final.as_ref().filter(|present| present.number == place.number);
        present.and_then(|present| present.playing()).ok_or_else(gone)?;
        let ended = Utc::now();
        let begun = ended - Duration::from_millis(line.took_ms);
        let shown = written(shown_at(begun, ended, line.outcome.turns, scheduled.settings.pace));
        Ok(ServerJournalLine::FinalMatch(Box::new(FinalMatchLine { fixture: *fixture, shown, played: line })))
    })?;
    Ok(entered)
}

fn line(scheduled: &ScheduledMatch, outcome: Outcome, notes: &MatchNotes, begun: Instant) -> MatchLine {
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
    }
}

/// An observer that notes the health of the bots.
struct HealthObserver<'a> {
    app: &'a App,
    bots: [BotId; 2],
}

impl Observer<SeaBattle> for HealthObserver<'_> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        use rules::sea_battle::Event;
        let bot = |seat: Seat| self.bots[seat.index().min(1)];
        match event {
            MatchEvent::Answered { replies, .. } => {
                let mut health = self.app.health();
                for (seat, reply) in replies.iter().filter(|(_, reply)| reply.answer.is_ok()) {
                    health.answered(bot(*seat), reply.time.map(|time| time.wall));
                }
            }
            MatchEvent::Advanced { told, turn, .. } => {
                let mut parked = Vec::new();
                let mut health = self.app.health();
                for told in *told {
                    match &told.event {
                        Event::Placed { seat } => health.began(bot(*seat)),
                        Event::Lost { seat, why } => {
                            let fault = loss_text(why);
                            health.failed(bot(*seat), &fault, !is_absence(why));
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
                    self.app.note_bot(bot, &format!("is parked: {fault}"));
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}
