//! One match: two bots, and what is left of it.

use super::course::{Course, Notes, is_absence, plain};
use super::line::{BotId, Line, MatchLine, now};
use super::news::Place;
use super::records::place;
use super::secret::fresh_seed;
use super::wire::{MatchBegun, MatchOver, MatchView};
use super::{BotName, BotUrl, Refusal, Settings, Venue};
use arena::record::{Clock, Header, LimitsLine, Record, RecordBuffer, RecordedSeat, save};
use arena::{ArenaError, Ask, Interrupt, MatchEvent, Observer, Observers, Player, Players, Reply, Sequence, play};
use players::HttpPlayerFactory;
use rules::PlayerInfo;
use rules::sea_battle::{self, Order, SeaBattle};
use rules::{BySeat, Fault, Game, GameKind, Outcome, Seat};
use std::sync::Arc;
use std::time::Instant;

/// A match that is to be played.
#[derive(Debug, Clone)]
pub(super) struct Fixture {
    pub(super) id: u64,
    pub(super) tournament: u32,
    /// By seats.
    pub(super) bots: [BotId; 2],
    pub(super) names: [BotName; 2],
    pub(super) urls: [BotUrl; 2],
    pub(super) seed: u64,
    pub(super) settings: Settings,
}

impl Fixture {
    fn begun(&self) -> MatchBegun {
        MatchBegun {
            r#match: self.id,
            tournament: self.tournament,
            names: self.names.clone().map(String::from),
            bots: self.bots.map(|bot| bot.to_string()),
            max_moves: self.settings.max_moves,
        }
    }

    fn header(&self, engine: &str) -> Header {
        let limit = self.settings.limit;
        let seats = self.names.iter().map(|name| RecordedSeat {
            details: PlayerInfo {
                author: None,
                nick_name: Some(name.to_string()),
                email: None,
                bot_type: "HTTP".to_owned(),
            },
            content: None,
            limits: Some(LimitsLine { answer_ms: limit, kill_ms: limit }),
        });
        Header {
            game: GameKind::SeaBattle,
            settings: serde_json::to_value(self.rules()).expect("settings are JSON"),
            seed: self.seed,
            seats: seats.collect(),
            sequence: Some(Sequence::Together),
            sandbox: None,
            engine: engine.to_owned(),
            started: Clock::Running.stamp(),
        }
    }

    fn rules(&self) -> sea_battle::Settings {
        sea_battle::Settings { max_moves: self.settings.max_moves }
    }
}

/// What was agreed before a recorded match.
pub(super) fn rules_of(record: &Record) -> sea_battle::Settings {
    serde_json::from_value(record.header().settings.clone()).unwrap_or_default()
}

/// How the bots of a match are called.
pub(super) struct Calls {
    caller: HttpPlayerFactory<SeaBattle>,
    /// What bots tell the match apart by is made of it. It is none of the seeds in the journal: a match that is played again,
    /// because the server was ended, is another one for its bots.
    seed: u64,
    names: BySeat<Option<String>>,
}

impl Calls {
    pub(super) fn new(venue: &Venue, settings: Settings, names: [String; 2], interrupt: &Interrupt) -> Calls {
        let limit = Some(settings.time_limit());
        let caller = HttpPlayerFactory::new(Arc::clone(&venue.client), (), limit, interrupt.clone());
        Calls { caller, seed: fresh_seed(), names: names.into_iter().map(Some).collect() }
    }

    /// The bot at a URL as the player in a seat. What is told of its faults is without the URL.
    pub(super) fn player(&self, url: &BotUrl, seat: Seat) -> Box<dyn Player<SeaBattle>> {
        let bot = self.caller.player(&url.target(), seat, self.seed, &self.names);
        Box::new(Discreet { bot, url: url.shown() })
    }
}

/// A bot whose faults do not tell everyone where it is.
struct Discreet {
    bot: Box<dyn Player<SeaBattle>>,
    url: String,
}

impl Player<SeaBattle> for Discreet {
    fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<Order>, ArenaError> {
        let reply = self.bot.decide(ask)?;
        let without = |words: String| words.replace(&self.url, "");
        let answer = reply.answer.map_err(|fault| match fault {
            Fault::Unreachable { why } => Fault::Unreachable { why: without(why) },
            Fault::Unreadable { why } => Fault::Unreadable { why: without(why) },
            Fault::Crashed { how } => Fault::Crashed { how: without(how) },
            fault => fault,
        });
        Ok(Reply { answer, ..reply })
    }
}

/// Plays a match, and leaves its result in the books. An interrupt ends it without a result.
pub(super) fn play_match(venue: &Venue, fixture: &Fixture, interrupt: &Interrupt) -> Result<(), ArenaError> {
    let begun = Instant::now();
    venue.news.publish("match-begun", Place::Begins(fixture.id), &fixture.begun());
    let mut course = Course::new(fixture.id, fixture.settings.reveal_fleets, |turn| {
        venue.news.publish("turn", Place::GoesOn(fixture.id), &turn);
    });
    let calls = Calls::new(venue, fixture.settings, fixture.names.clone().map(String::from), interrupt);
    let seats = [Seat::A, Seat::B].into_iter();
    let mut players: Players<SeaBattle> = seats.zip(&fixture.urls).map(|(seat, url)| calls.player(url, seat)).collect();
    let mut record = RecordBuffer::begin(&fixture.header(&venue.engine), Clock::Running);
    let mut care = Care { venue, bots: fixture.bots };
    let mut stop = interrupt.clone();
    let game = SeaBattle::start(&fixture.rules(), 2, fixture.seed).expect("settings are within their bounds");
    let mut watch = Observers::new();
    watch.add(&mut stop);
    watch.add(&mut record);
    watch.add(&mut care);
    watch.add(&mut course);
    let played = play(game, &mut players, Sequence::Together, &mut watch);
    drop(watch);
    let fleets = [Seat::A, Seat::B].map(|seat| course.notes.fleets[seat].clone());
    let line = played.and_then(|outcome| {
        let line = line(fixture, outcome, &course.notes, begun);
        save(&venue.folder.join(&line.record), &record.into_lines())?;
        Ok(line)
    });
    let (result, broken_off, done) = match line.map(|line| enter(venue, fixture, line)) {
        Ok(Ok(line)) => (Some(MatchView::from(&line)), None, Ok(())),
        Ok(Err(refusal)) => (None, Some(refusal.to_string()), Ok(())),
        Err(ArenaError::Interrupted) => {
            (None, Some("a bot was removed, the history was cleared, or the server ends".to_owned()), Ok(()))
        }
        Err(error) => (None, Some("the server failed".to_owned()), Err(error)),
    };
    let over = MatchOver { r#match: fixture.id, result, broken_off, fleets };
    venue.news.publish("match-over", Place::Ends(fixture.id), &over);
    done
}

/// Enters the result, unless there is nothing any more that it could count for.
fn enter(venue: &Venue, fixture: &Fixture, line: MatchLine) -> Result<MatchLine, Refusal> {
    let line = venue.books.enter(|ledger| {
        let present =
            ledger.tournament().is_some_and(|present| present.number == fixture.tournament && !present.is_over);
        if !present || fixture.bots.iter().any(|bot| ledger.bot(*bot).is_none()) {
            return Err(Refusal::conflict("a bot was removed, or the history was cleared"));
        }
        Ok(Line::Match(Box::new(line)))
    })?;
    match line {
        Line::Match(line) => Ok(*line),
        _ => unreachable!("it was just made"),
    }
}

fn line(fixture: &Fixture, outcome: Outcome, notes: &Notes, begun: Instant) -> MatchLine {
    MatchLine {
        id: fixture.id,
        tournament: fixture.tournament,
        bots: fixture.bots.into_iter().collect(),
        names: fixture.names.iter().cloned().collect(),
        seed: fixture.seed.to_string(),
        outcome,
        faults: notes.losses.map(|loss| loss.as_ref().map(|why| plain(&why.to_string()))),
        median_ms: [Seat::A, Seat::B].into_iter().map(|seat| notes.median(seat)).collect::<BySeat<_>>(),
        record: place(fixture.id),
        took_ms: begun.elapsed().as_millis() as u64,
        at: now(),
    }
}

/// Notes how the bots are doing.
struct Care<'a> {
    venue: &'a Venue,
    bots: [BotId; 2],
}

impl Observer<SeaBattle> for Care<'_> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        use rules::sea_battle::Event;
        let bot = |seat: Seat| self.bots[seat.index().min(1)];
        match event {
            MatchEvent::Answered { replies, .. } => {
                let mut conditions = self.venue.conditions();
                for (seat, reply) in replies.iter().filter(|(_, reply)| reply.answer.is_ok()) {
                    conditions.answered(bot(*seat), reply.time.map(|time| time.wall));
                }
            }
            MatchEvent::Advanced { told, turn, .. } => {
                let mut conditions = self.venue.conditions();
                for told in *told {
                    match &told.event {
                        Event::Placed { seat } => conditions.began(bot(*seat)),
                        Event::Lost { seat, why } => {
                            let words = plain(&why.to_string());
                            conditions.failed(bot(*seat), &words, !is_absence(why));
                            if *turn == 0 {
                                conditions.never_began(bot(*seat), &words, Instant::now());
                            }
                        }
                        Event::Fired { .. } | Event::UsedRadar { .. } | Event::Scanned { .. } => {}
                    }
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}
