//! The contract of every game with the arena. A new game gets one [`Suite`] and one call of [`hold`] here.
#![allow(clippy::unwrap_used, reason = "tests")]

mod battleship;
mod bots_arena;
mod entelect_2017;
mod salvo;
mod sea_battle;

use rand::RngExt;
use rules::{
    Answer, Answers, Audience, Eye, Fault, Game, Listed, Mark, Outcome, Part, Random, Seat, Seats, SetupError, Told,
};
use std::fmt::Debug;
use std::time::Duration;

/// A game as the suite has to know it.
pub(crate) struct Suite<G: Game> {
    /// Settings that differ in all that matters.
    pub(crate) settings: Vec<G::Settings>,
    /// Some numbers of seats that the game can be played with.
    pub(crate) seats: &'static [u8],
    /// No match lasts more turns than this.
    pub(crate) most_turns: u32,
    /// An order, sensible or not.
    pub(crate) any_order: fn(&G, Seat, &mut Random) -> G::Order,
    /// An answer that disturbs no other seat's order.
    pub(crate) harmless: fn(&G, Seat) -> Answer<G::Order>,
    /// True if the event says that the order of the seat was not obeyed.
    pub(crate) is_refusal: fn(&G::Event, Seat) -> bool,
    /// True if a fact that the seat cannot know may decide whether this order is obeyed.
    pub(crate) depends_on_secrets: fn(&G::Order) -> bool,
    /// True if the event announces a deed or a failure to all, of which views have the consequences only.
    pub(crate) is_announced: fn(&G::Event) -> bool,
    /// A listener in a seat of a match of so many.
    pub(crate) listener: MakeListener<G>,
}

type MakeListener<G> = fn(&<G as Game>::Settings, Seat, u8) -> Box<dyn Listener<G>>;

/// Somebody who knows nothing of a match but what its seat is told and what it orders itself.
pub(crate) trait Listener<G: Game> {
    /// A turn was played: the seat's own order if it gave one, and the events for it.
    fn turn(&mut self, own: Option<&G::Order>, heard: &[G::Event]);

    /// Compares what was heard with the view of the seat.
    fn compare(&self, view: &G::View);
}

const SEEDS: std::ops::Range<u64> = 0..4;

/// Checks all that every game owes.
pub(crate) fn hold<G: Listed + PartialEq + Debug>(suite: &Suite<G>) {
    faults_have_nothing_that_a_terminal_would_obey::<G>();
    wrong_numbers_of_seats_are_refused(suite);
    settings_survive_the_record(suite);
    for_every_match(suite, |suite, mut game, mut random| {
        let mut turns = 0;
        while game.outcome().is_none() {
            assert!(turns < suite.most_turns, "a match must end");
            scenes_are_complete(&game);
            everyone_sees_no_more_than_each_seat(&game);
            a_clone_is_a_snapshot(suite, &game, &mut random);
            answers_of_others_are_ignored(suite, &game, &mut random);
            check_says_whether_an_order_is_refused(suite, &game, &mut random);
            let answers = some_answers(suite, &game, &mut random);
            let awaited = game.awaited();
            let told = game.advance(answers);
            assert!(!awaited.is_empty() || !told.is_empty(), "a game that moves by itself moves");
            audiences_are_at_the_table(&game, &told);
            turns += 1;
        }
        scenes_are_complete(&game);
        the_end_is_final(suite, game, &mut random);
    });
    for_every_match(suite, faults_never_break_a_match);
    for_every_match(suite, a_seat_is_told_no_more_than_it_may_know);
    for settings in &suite.settings {
        for &seats in suite.seats {
            a_seat_is_told_all_that_it_may_know(suite, settings, seats);
        }
    }
}

fn for_every_match<G: Game>(suite: &Suite<G>, check: impl Fn(&Suite<G>, G, Random)) {
    for settings in &suite.settings {
        for &seats in suite.seats {
            for seed in SEEDS {
                check(suite, G::start(settings, seats, seed).unwrap(), rules::random(seed));
            }
        }
    }
}

fn wrong_numbers_of_seats_are_refused<G: Game + Debug>(suite: &Suite<G>) {
    assert!(suite.seats.iter().all(|seats| G::SEATS.contains(seats)));
    for settings in &suite.settings {
        for seats in (0..=u8::MAX).filter(|seats| !G::SEATS.contains(seats)) {
            let Err(SetupError::WrongSeats { kind, given, .. }) = G::start(settings, seats, 0) else {
                panic!("{seats} seats are too few or too many");
            };
            assert_eq!((kind, given), (G::KIND, seats));
        }
    }
}

/// Whatever a bot writes, the text of the fault is printable as it is.
fn faults_have_nothing_that_a_terminal_would_obey<G: Listed>() {
    let nasty = "3\u{1b}[31m\u{202e}\u{e0041}\u{200b}\u{9b}";
    let quoted = serde_json::to_string(nasty).unwrap();
    let object = ["ships", "type", "x", "boats", "play", "coordinates", nasty].map(|key| format!("{key:?}:{quoted}"));
    let texts = [nasty.to_owned(), quoted.clone(), format!("[{quoted}]"), format!("{{{}}}", object.join(","))];
    for (name, text) in G::ANSWER_PARTS.iter().flat_map(|name| texts.iter().map(move |text| (name, text))) {
        let Err(fault) = crate::started::<G>().read(&[Part { name, bytes: text.clone().into() }]) else {
            panic!("{name}: {text:?}")
        };
        assert_eq!(fault.to_string(), rules::printable(&fault.to_string()), "{name}");
    }
    for fault in [Fault::unreadable(nasty), Fault::unreachable(nasty), Fault::crashed(nasty)] {
        assert!(fault.to_string().ends_with("3\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}"), "{fault}");
    }
}

fn settings_survive_the_record<G: Game>(suite: &Suite<G>) {
    for settings in &suite.settings {
        let json = serde_json::to_string(settings).unwrap();
        assert_eq!(&serde_json::from_str::<G::Settings>(&json).unwrap(), settings);
    }
}

fn seats_of<G: Game>(game: &G) -> Vec<Seat> {
    game.scene(Eye::Referee).boards.iter().map(|board| board.seat).collect()
}

/// Answers of all awaited seats, most of them orders.
fn some_answers<G: Game>(suite: &Suite<G>, game: &G, random: &mut Random) -> Answers<G::Order> {
    let seats: Vec<Seat> = game.awaited().iter().collect();
    let answers = seats.into_iter().map(|seat| (seat, Ok((suite.any_order)(game, seat, random))));
    answers.collect()
}

fn scenes_are_complete<G: Game>(game: &G) {
    let seats = seats_of(game);
    let eyes = seats.iter().map(|&seat| Eye::Seat(seat)).chain([Eye::Referee, Eye::Everyone]);
    for eye in eyes {
        let scene = game.scene(eye);
        assert!(!scene.title.is_empty());
        assert_eq!(
            scene.boards.iter().map(|board| board.seat.index()).collect::<Vec<_>>(),
            (0..seats.len()).collect::<Vec<_>>()
        );
        for board in &scene.boards {
            assert_eq!(board.cells.len(), board.grid.len());
            assert!(board.fleet.iter().all(|ship| !ship.name.is_empty() && ship.length > 0));
            assert!(board.facts.iter().all(|(label, value)| !label.is_empty() && !value.contains('\n')));
            assert!(!board.deed.contains('\n'));
        }
    }
}

/// Checks that each seat, too, sees of the boards all that everyone sees.
fn everyone_sees_no_more_than_each_seat<G: Game>(game: &G) {
    let open = game.scene(Eye::Everyone);
    for seat in seats_of(game) {
        let seen = game.scene(Eye::Seat(seat));
        assert_eq!(open.title, seen.title);
        assert!(open.highlights.iter().all(|highlight| seen.highlights.contains(highlight)));
        for (open, seen) in open.boards.iter().zip(&seen.boards) {
            assert!(open.measures.iter().all(|measure| seen.measures.contains(measure)));
            for (open, seen) in open.cells.iter().zip(&seen.cells) {
                assert!(open.mark == Mark::Water || seen.mark != Mark::Water);
                let both = [(open.fresh, seen.fresh), (open.scanned, seen.scanned), (open.shielded, seen.shielded)];
                assert!(both.iter().all(|(open, seen)| *seen || !open), "{open:?} {seen:?}");
            }
        }
    }
}

/// The original may go on, the copy stays as it was and later goes the same way.
fn a_clone_is_a_snapshot<G: Game + PartialEq + Debug>(suite: &Suite<G>, game: &G, random: &mut Random) {
    let answers = some_answers(suite, game, random);
    let (mut first, mut second) = (game.clone(), game.clone());
    let told = first.advance(answers.clone());
    assert_eq!(&second, game, "playing on with a clone changes nothing here");
    assert_eq!(second.advance(answers), told);
    assert_eq!(first, second);
    for seat in seats_of(game) {
        assert_eq!(first.view(seat), second.view(seat));
        assert_eq!(first.scene(Eye::Seat(seat)), second.scene(Eye::Seat(seat)));
    }
}

/// Neither seats that are not awaited nor seats that are not at the table have a say.
fn answers_of_others_are_ignored<G: Game + PartialEq + Debug>(suite: &Suite<G>, game: &G, random: &mut Random) {
    let awaited = game.awaited();
    let orders: Vec<(Seat, G::Order)> =
        awaited.iter().map(|seat| (seat, (suite.any_order)(game, seat, random))).collect();
    let stray = (suite.any_order)(game, Seat::A, random);
    let others = (0..Seat::MAX).filter_map(Seat::new).filter(|&seat| !awaited.contains(seat));
    let proper: Answers<G::Order> = orders.iter().cloned().map(|(seat, order)| (seat, Ok(order))).collect();
    let strayed = others.map(|seat| (seat, stray.clone())).chain(orders).map(|(seat, order)| (seat, Ok(order)));
    let (mut first, mut second) = (game.clone(), game.clone());
    assert_eq!(first.advance(proper), second.advance(strayed.collect()));
    assert_eq!(first, second);
}

/// Only where that depends on what the seat may not know, an order that passed the check may be refused.
fn check_says_whether_an_order_is_refused<G: Listed>(suite: &Suite<G>, game: &G, random: &mut Random) {
    let awaited = game.awaited();
    for seat in awaited.iter() {
        let order = (suite.any_order)(game, seat, random);
        let verdict = game.check(seat, &order);
        let answers = awaited
            .iter()
            .map(|other| (other, if other == seat { Ok(order.clone()) } else { (suite.harmless)(game, other) }));
        let told = game.clone().advance(answers.collect());
        let refused = told.iter().any(|told| (suite.is_refusal)(&told.event, seat));
        let agree = verdict.is_err() == refused;
        assert!(agree || (refused && (suite.depends_on_secrets)(&order)), "{order:?}: {verdict:?}");
        if verdict.is_ok() {
            assert_eq!(game.read(&G::write(&order)), Ok(order), "an order that is written is read");
        }
        assert!(verdict.is_ok() || verdict.is_err_and(|why| !why.0.is_empty()), "a refusal says why");
    }
}

fn audiences_are_at_the_table<G: Game>(game: &G, told: &[Told<G::Event>]) {
    let table: Seats = seats_of(game).into_iter().collect();
    for told in told {
        if let Audience::Only(seats) = told.to {
            assert!(seats.iter().all(|seat| table.contains(seat)), "{:?}", told.event);
        }
    }
}

/// The events for a seat.
fn heard<G: Game>(told: Vec<Told<G::Event>>, seat: Seat) -> Vec<G::Event> {
    told.into_iter().filter(|told| told.to.includes(seat)).map(|told| told.event).collect()
}

/// In two matches that differ in what others do, a seat whose views are the same is told the same and sees the same boards.
fn a_seat_is_told_no_more_than_it_may_know<G: Listed>(suite: &Suite<G>, mut game: G, mut random: Random) {
    let seats = seats_of(&game);
    let seat = seats[random.random_range(0..seats.len())];
    let mut twin = game.clone();
    loop {
        let mut answers = [Vec::new(), Vec::new()];
        for who in game.awaited().iter() {
            let order = (suite.any_order)(&game, who, &mut random);
            let is_hidden = who != seat && random.random_bool(0.5);
            let other = if is_hidden { (suite.any_order)(&twin, who, &mut random) } else { order.clone() };
            answers[0].push((who, Ok(order)));
            answers[1].push((who, Ok(other)));
        }
        let [one, other] = answers.map(|answers| answers.into_iter().collect());
        let told = [heard::<G>(game.advance(one), seat), heard::<G>(twin.advance(other), seat)];
        if game.outcome().is_some() || twin.outcome().is_some() {
            return;
        }
        if game.view(seat) == twin.view(seat) && game.awaited().iter().eq(twin.awaited().iter()) {
            let [one, other] = told
                .map(|told| told.into_iter().filter(|event| !(suite.is_announced)(event)).collect::<Vec<G::Event>>());
            assert_eq!(one, other, "{seat} is told what its view hides");
            let cells = |game: &G| {
                let boards = game.scene(Eye::Seat(seat)).boards.into_iter();
                let marks = boards.flat_map(|board| board.cells).map(|cell| (cell.mark, cell.shielded, cell.scanned));
                marks.collect::<Vec<_>>()
            };
            assert_eq!(cells(&game), cells(&twin), "{seat} sees what its view hides");
        } else {
            twin = game.clone();
        }
    }
}

/// Of what it is told and of its own orders, a seat can put its view together.
fn a_seat_is_told_all_that_it_may_know<G: Game>(suite: &Suite<G>, settings: &G::Settings, seats: u8) {
    for seed in SEEDS {
        let (mut game, mut random) = (G::start(settings, seats, seed).unwrap(), rules::random(seed));
        let mut listeners: Vec<_> =
            seats_of(&game).into_iter().map(|seat| (seat, (suite.listener)(settings, seat, seats))).collect();
        while game.outcome().is_none() {
            let awaited = game.awaited();
            let orders: Vec<_> =
                awaited.iter().map(|seat| (seat, (suite.any_order)(&game, seat, &mut random))).collect();
            let told = game.advance(orders.iter().cloned().map(|(seat, order)| (seat, Ok(order))).collect());
            for (seat, listener) in listeners.iter_mut().filter(|_| game.outcome().is_none()) {
                let own = orders.iter().find(|(who, _)| who == seat).map(|(_, order)| order);
                listener.turn(own, &heard::<G>(told.clone(), *seat));
                listener.compare(&game.view(*seat));
            }
        }
    }
}

fn the_end_is_final<G: Game + PartialEq + Debug>(suite: &Suite<G>, mut game: G, random: &mut Random) {
    let outcome = game.outcome().unwrap();
    outcome_is_complete(&game, &outcome);
    assert!(game.awaited().is_empty(), "nobody is asked after the end");
    let end = game.clone();
    for seat in seats_of(&game) {
        let order = (suite.any_order)(&game, seat, random);
        assert_eq!(game.advance([(seat, Ok(order))].into_iter().collect()), []);
        assert_eq!(game.advance(Answers::none()), []);
        assert_eq!(game, end);
        assert_eq!(game.outcome().as_ref(), Some(&outcome));
    }
}

fn outcome_is_complete<G: Game>(game: &G, outcome: &Outcome) {
    let seats = seats_of(game);
    let mut ranked = outcome.ranking.clone();
    ranked.sort();
    assert_eq!(ranked, seats, "the ranking has every seat once");
    assert_eq!(outcome.points.len(), seats.len());
    assert!(outcome.winner.is_none_or(|winner| outcome.ranking.first() == Some(&winner)));
    assert!(outcome.turns > 0);
    let json = serde_json::to_string(outcome).unwrap();
    assert_eq!(&serde_json::from_str::<Outcome>(&json).unwrap(), outcome);
}

/// Nobody ever answers, or everybody fails in some way: the match goes to its end all the same.
fn faults_never_break_a_match<G: Game>(suite: &Suite<G>, game: G, _: Random) {
    let second = Duration::from_secs(1);
    for fault in [
        None,
        Some(Fault::NothingWritten),
        Some(Fault::timed_out(second, second)),
        Some(Fault::Crashed { how: "signal 11".to_owned() }),
        Some(Fault::unreadable("no")),
        Some(Fault::GaveUp),
        Some(Fault::Unreachable { why: "refused".to_owned() }),
    ] {
        let mut game = game.clone();
        let mut turns = 0;
        while game.outcome().is_none() {
            assert!(turns < suite.most_turns, "a match must end");
            let awaited: Vec<Seat> = game.awaited().iter().collect();
            game.advance(awaited.into_iter().filter_map(|seat| Some((seat, Err(fault.clone()?)))).collect());
            turns += 1;
        }
    }
}
