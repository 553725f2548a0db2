//! Properties that hold by any rules, whatever the players do.

use super::any_rules::any_choices;
use super::players::{any_order, legal_order};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::battleship::{
    Battleship, Event, Fleets, Json, Order, Rules, SpecialKind, Target, Turns, place_at_random, placed,
};
use rules::{
    Answer, Dialect, Eye, Fault, Game, HttpRequest, Outcome, Point, Random, Scene, Seat, SetupError, Told, printable,
};
use serde_json::Value;

/// A match by any rules with any number of players; `None` if the rules cannot be played, for which there are words.
fn any_match(seed: u64, random: &mut Random) -> Option<(Rules, u8, Battleship)> {
    let choices = any_choices(random);
    let json = serde_json::to_string(&choices).unwrap();
    assert_eq!(serde_json::from_str::<rules::battleship::Choices>(&json).unwrap(), choices);
    let rules = match Rules::new(choices) {
        Ok(rules) => rules,
        Err(wrong) => {
            let text = wrong.to_string();
            assert!(!wrong.key.is_empty() && !wrong.why.is_empty() && text == printable(&text), "{text}");
            assert!(serde_json::from_str::<Rules>(&json).unwrap_err().to_string().contains(&text));
            return None;
        }
    };
    assert_eq!(serde_json::from_str::<Rules>(&serde_json::to_string(&rules).unwrap()).unwrap(), rules);
    let seats = random.random_range(Battleship::seats(&rules));
    match Battleship::start(&rules, seats, seed) {
        Ok(game) => Some((rules, seats, game)),
        Err(SetupError::Settings(why)) => {
            assert!(!rules.fits() && why.starts_with("fleet: "), "{why}");
            None
        }
        Err(other) => panic!("{other}"),
    }
}

fn any_answer(game: &Battleship, seat: Seat, random: &mut Random) -> Answer<Order> {
    match random.random_range(0..40) {
        0 => Err(Fault::unreadable_text("not JSON", "{\u{1b}")),
        1 => Err(Fault::NothingWritten),
        2 if random.random_bool(0.2) => Err(Fault::GaveUp),
        _ => Ok(any_order(game, seat, random)),
    }
}

/// Plays a match by any rules to its end, and the same answers once more.
fn play_any(seed: u64) -> Option<Outcome> {
    let random = &mut rules::random(seed);
    let (rules, seats, mut game) = any_match(seed, random)?;
    let bounds = Battleship::bounds(&rules).unwrap();
    let mut copy = Battleship::start(&rules, seats, seed).unwrap();
    let dialect = Json::new("m", (0..seats).map(|seat| format!("player {seat}")).collect());
    let (mut turns, mut hits) = (0, vec![0; seats.into()]);
    while game.outcome().is_none() {
        assert!(turns < bounds.turns, "a match has at most {} turns", bounds.turns);
        let awaited = game.awaited();
        assert!(!awaited.is_empty());
        let answers: Vec<_> = awaited.iter().map(|seat| (seat, any_answer(&game, seat, random))).collect();
        if turns % 8 == 0 {
            is_a_question(&game, answers[0].0, &dialect.ask(answers[0].0, &game.view(answers[0].0)));
        }
        let told = game.advance(answers.iter().cloned().collect());
        assert_eq!(copy.advance(answers.into_iter().collect()), told);
        if turns % 8 == 0 {
            assert_eq!(serde_json::to_string(&game).unwrap(), serde_json::to_string(&copy).unwrap());
        }
        for Told { event, .. } in told {
            if let Event::Hits(hit) = event {
                hits[hit.by.index()] += hit.hits;
            }
        }
        turns += 1;
    }
    assert_eq!(game, copy);
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.turns, Some(&outcome)), (turns, copy.outcome().as_ref()));
    for (seat, points) in outcome.points.iter() {
        assert!(*points <= bounds.points, "{seat} has {points} points of {}", bounds.points);
        let player = game.player(seat);
        assert!(player.hits <= rules.hits_of_fleet() * u32::from(seats.max(2) - 1));
        let fired = game.view(seat).fired[seat].iter().filter(|shot| shot.result.is_hit()).count() as u32;
        let told = if rules.choices().tells_each() { fired } else { hits[seat.index()] };
        assert_eq!(told, player.hits, "{seat}");
    }
    let mut ranking = outcome.ranking.clone();
    ranking.sort();
    assert!(ranking.into_iter().eq((0..seats).filter_map(Seat::new)));
    let why = outcome.ending.told(|seat| seat.to_string());
    assert!(why == printable(&why) && why.chars().count() < 1000, "{why}");
    Some(outcome)
}

/// A question is one line of JSON, and has what its player knows by the rules in it.
fn is_a_question(game: &Battleship, seat: Seat, message: &HttpRequest) {
    let question: Value = serde_json::from_slice(&message.body).unwrap();
    assert!(!message.body.contains(&b'\n'));
    let view = game.view(seat);
    assert_eq!(serde_json::from_value::<Rules>(question["rules"].clone()).unwrap(), view.rules);
    assert_eq!((&question["seat"], &question["shots"]), (&seat.to_string().into(), &view.shots.into()));
    let boards = question["boards"].as_array().unwrap();
    // Alone, a player is shown its own board only.
    let shown: Vec<Seat> = view.boards.seats().filter(|owner| *owner == seat || !view.rules.is_solo()).collect();
    assert_eq!(boards.len(), shown.len());
    for (board, owner) in boards.iter().zip(shown) {
        let known = &view.boards[owner];
        assert_eq!(board["seat"], owner.to_string());
        let is_target = !view.placing && view.targets().any(|target| target == owner);
        assert_eq!(board["target"], is_target);
        let rows = board["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect::<String>();
        let grid = view.rules.grid();
        let row_by_row = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Point::new(x, y)));
        assert!(rows.chars().eq(row_by_row.map(|cell| known.cells[grid.index(cell).unwrap()].sign())));
    }
    assert_eq!(question["fired"].as_array().unwrap().len(), view.fired[seat].len());
}

/// Every file is played to the end or refused in words.
#[test]
fn ten_thousand_files_are_played_or_refused() {
    let outcomes: Vec<Outcome> = (0..10_000).filter_map(play_any).collect();
    let kinds =
        |kind: &str| outcomes.iter().filter(|outcome| format!("{:?}", outcome.ending).starts_with(kind)).count();
    for kind in ["FleetSunk", "KilledOff", "MoveLimit", "Solved"] {
        assert!(kinds(kind) > 200, "{kind}: {} of {}", kinds(kind), outcomes.len());
    }
}

/// All that every seat but one, and everyone, gets to know in a turn.
type Knowledge = Vec<(Scene, Scene, HttpRequest, Vec<Event>)>;

/// Two matches of the same answers, in which only the ships of one player lie differently.
struct Twins {
    games: [Battleship; 2],
    owner: Seat,
    /// The cells in which both fleets have the same ship, or none.
    alike: Vec<Point>,
}

impl Twins {
    fn place(rules: &Rules, seats: u8, seed: u64, random: &mut Random) -> Option<Twins> {
        let owner = Seat::new(random.random_range(0..seats))?;
        let fleets: Vec<_> = (0..=seats).map(|_| place_at_random(rules, random)).collect::<Option<_>>()?;
        let games = [0, 1].map(|nth| {
            let mut game = Battleship::start(rules, seats, seed).unwrap();
            let fleet = |seat: Seat| if nth == 1 && seat == owner { seats.into() } else { seat.index() };
            let order = |seat: Seat| (seat, Ok(Order::Place(placed(rules, &fleets[fleet(seat)]))));
            game.advance((0..seats).filter_map(Seat::new).map(order).collect());
            game
        });
        let boards = games.each_ref().map(|game| game.player(owner).board.clone().unwrap());
        let grid = rules.grid();
        let alike = |cell: &Point| {
            let [one, other] = boards.each_ref().map(|board| board.ship_at(grid.index(*cell).unwrap()));
            one == other
        };
        Some(Twins { alike: grid.points().filter(alike).collect(), games, owner })
    }

    /// The order without what would tell the fleets apart.
    fn harmless(&self, seat: Seat, order: Order, random: &mut Random) -> Option<Order> {
        let rules = self.games[0].rules();
        let is_at_owner = |at: Option<Seat>| at.unwrap_or_else(|| seat.opponent()) == self.owner && seat != self.owner;
        let alike = |target: &Target| !is_at_owner(target.at) || self.alike.contains(&target.cell);
        match order {
            Order::Fire(mut shots) => {
                for shot in &mut shots {
                    if !alike(shot) {
                        shot.cell = *self.alike.choose(random)?;
                    }
                }
                Some(Order::Fire(shots))
            }
            Order::Use { special, aim } if is_at_owner(aim.at) => {
                let specials = &rules.choices().specials;
                let nth = specials.iter().position(|of| of.name == special)?;
                let is_safe = specials[nth].kind != SpecialKind::Sonar
                    && rules.area_at(nth, aim.cell).all(|cell| alike(&Target { cell, ..aim }));
                match is_safe {
                    true => Some(Order::Use { special, aim }),
                    false => Some(Order::Fire(vec![Target { cell: *self.alike.choose(random)?, ..aim }])),
                }
            }
            other => Some(other),
        }
    }

    /// Plays a turn in both and compares all that others than the owner of the ships are told. False at the end.
    fn learn_the_same(&mut self, random: &mut Random) -> Option<bool> {
        let awaited = self.games[0].awaited();
        let mut answers = Vec::new();
        for seat in awaited.iter() {
            let order = legal_order(&self.games[0], seat, random);
            answers.push((seat, Ok(self.harmless(seat, order, random)?)));
        }
        let owner = self.owner;
        let [one, other] = self.games.each_mut().map(|game| {
            let told = game.advance(answers.iter().cloned().collect());
            known_to_others(game, owner, &told)
        });
        if self.games[0].outcome().is_some() {
            return Some(false);
        }
        assert_eq!(one, other);
        Some(true)
    }
}

fn known_to_others(game: &Battleship, owner: Seat, told: &[Told<Event>]) -> Knowledge {
    let seats = game.view(owner).boards.seats().filter(|seat| *seat != owner);
    let dialect = Json::new("m", game.view(owner).boards.seats().map(|seat| seat.to_string()).collect());
    let known = seats.map(|seat| {
        let events = told.iter().filter(|told| told.to.includes(seat)).map(|told| told.event.clone());
        let question = dialect.ask(seat, &game.view(seat));
        (game.scene(Eye::Seat(seat)), game.scene(Eye::Everyone), question, events.collect())
    });
    known.collect()
}

#[test]
fn hidden_ships_do_not_show_by_any_rules() {
    let mut turns = 0;
    for seed in 0..900 {
        let random = &mut rules::random(seed);
        let Some((rules, seats, _)) = any_match(seed, random) else { continue };
        if rules.choices().fleets == Fleets::Drawn || rules.choices().turns == Turns::Solo {
            continue;
        }
        let Some(mut twins) = Twins::place(&rules, seats, seed, random) else { continue };
        turns += (0..60).take_while(|_| twins.learn_the_same(random) == Some(true)).count();
    }
    assert!(turns > 3000, "{turns} turns are too few to tell");
}
