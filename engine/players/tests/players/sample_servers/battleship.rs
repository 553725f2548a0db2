//! The sample bots for Battleship, as programs and as a web service: whole matches by rules drawn at random.

use super::server::{Server, bots};
use super::{http, played};
use arena::{Interrupt, Limits, Player};
use players::http::AnswerPolicy;
use players::process::{Launch, Lines, copy_bot};
use players::{Bot, BuiltIn, Manifest, Tools};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::battleship::{
    Again, Battleship, BoardSize, Choices, Consequence, First, FleetConsequence, FleetEntry, Fleets, Json, Limit,
    Rules, ShotCount, Shots, Special, SpecialKind, Then, ToldHits, ToldResults, ToldSunk, Touching, Turns,
};
use rules::{BySeat, Ending, Random, Seat, random};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A sample that is built in a copy of its folder.
struct Sample {
    launch: Launch,
    folder: TempDir,
}

impl Sample {
    /// `None` where a program is missing that it needs.
    fn new(name: &str, needs: &str, build: &[&str]) -> Option<Sample> {
        test_tools::required(needs)?;
        Some(Sample::built(name, build))
    }

    fn built(name: &str, build: &[&str]) -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("bot");
        copy_bot(&bots().join(name), &bot).unwrap();
        if let [program, arguments @ ..] = build {
            let mut build = Command::new(program);
            build.args(arguments).current_dir(&bot).env_remove("CARGO_TARGET_DIR");
            // A test asks that it plays, not that it is fast.
            build.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
            assert!(build.status().unwrap().success(), "{name}");
        }
        let launch = Launch::of(&Manifest::read(&bot).unwrap(), &Tools::on_path()).unwrap().by_lines().with_seed(7);
        Sample { launch, folder }
    }

    fn player(&self, seats: u8) -> Box<dyn Player<Battleship>> {
        let (minute, temporary) = (Duration::from_secs(60), self.folder.path().to_owned());
        let limits = Some(Limits::exactly(minute, minute));
        let interrupt = Interrupt::new().unwrap();
        let lines = Lines::new(self.launch.clone(), temporary, AnswerPolicy::STRICT, limits, interrupt);
        Box::new(Bot::new(dialect(seats), lines))
    }
}

/// A match of players whose names are a trial for writers of JSON.
fn dialect(seats: u8) -> Json {
    let names = ["Ömega \"\\", "🚢", "B\u{7}", "plain"];
    let names: BySeat<String> = names.iter().cycle().take(seats.into()).map(|name| (*name).to_owned()).collect();
    Json::new("a match", names)
}

fn one_of<T: Clone>(random: &mut Random, all: &[T]) -> T {
    all.choose(random).unwrap().clone()
}

fn rows(random: &mut Random, drawings: &[&str]) -> Vec<String> {
    one_of(random, drawings).split('/').map(str::to_owned).collect()
}

/// Rules at random that can be played.
fn any_rules(random: &mut Random) -> Rules {
    loop {
        let choices = any_choices(random);
        if let Some(rules) = Rules::new(choices).ok().filter(Rules::fits) {
            return rules;
        }
    }
}

fn any_choices(random: &mut Random) -> Choices {
    let consequences = [Consequence::Wasted, Consequence::Refused, Consequence::Loses];
    let mut fleet = Vec::new();
    for nth in 0..random.random_range(1..=5) {
        let size = random.random_bool(0.7).then(|| random.random_range(1..=5));
        let shape = match size {
            Some(_) => Vec::new(),
            None => rows(random, &["#.#/###", "##./.##", "#", "#../###", "##/##", ".#./###/.#.", "####"]),
        };
        let armour = if random.random_bool(0.3) { random.random_range(2..=3) } else { 1 };
        fleet.push(FleetEntry { name: format!("ship {nth}"), count: random.random_range(1..=3), size, shape, armour });
    }
    let mut specials = Vec::new();
    for nth in 0..random.random_range(0..=2) {
        let kind = one_of(random, &[SpecialKind::Radar, SpecialKind::AreaShot, SpecialKind::Sonar]);
        let ship = one_of(random, &fleet).name;
        specials.push(Special {
            name: format!("\"special\" {nth}"),
            uses: random.random_range(1..=3),
            needs: random.random_bool(0.3).then(|| ship.clone()),
            kind,
            area: if kind == SpecialKind::Sonar { Vec::new() } else { rows(random, &["###/###/###", ".#./###/.#."]) },
            misses: if kind == SpecialKind::Radar && random.random_bool(0.3) { vec![ship] } else { Vec::new() },
        });
    }
    let counts = [ShotCount::ShipsAfloat, ShotCount::LongestAfloat, ShotCount::OwnCellsAfloat].map(Shots::Counted);
    let fixed = [1, 1, 2, 7].map(Shots::Fixed);
    let sunk = [ToldSunk::Nothing, ToldSunk::That, ToldSunk::Size, ToldSunk::Name, ToldSunk::Cells, ToldSunk::Around];
    Choices {
        board: BoardSize { width: random.random_range(1..=12), height: random.random_range(2..=12) },
        fleet,
        mirror: random.random(),
        touching: one_of(random, &[Touching::Allowed, Touching::Corners, Touching::None]),
        fleets: one_of(random, &[Fleets::Placed, Fleets::Placed, Fleets::Drawn]),
        turns: one_of(random, &[Turns::Alternate, Turns::Alternate, Turns::Together, Turns::Solo]),
        first: one_of(random, &[First::A, First::Drawn]),
        shots: one_of(random, &[fixed.as_slice(), &counts].concat()),
        again: one_of(random, &[Again::Never, Again::OnHit, Again::OnHitUnlessSunk]),
        told: ToldResults { hit: one_of(random, &[ToldHits::Each, ToldHits::Total]), sunk: one_of(random, &sunk) },
        seen: random.random(),
        repeated: one_of(random, &consequences),
        off_board: one_of(random, &consequences),
        bad_fleet: one_of(random, &[FleetConsequence::Drawn, FleetConsequence::Refused, FleetConsequence::Loses]),
        no_answer: one_of(random, &consequences),
        limit: Some(Limit {
            turns: random.random_range(1..=150),
            then: one_of(random, &[Then::Hits, Then::ShipsSunk, Then::CellsLeft, Then::Draw]),
        }),
        specials,
        seats: random.random_range(2..=4),
        ..Choices::default()
    }
}

/// Plays matches by rules at random, in which no answer is unusable and no order refused, and beats the random player.
fn plays(sample: &Sample) {
    for seed in 0..30 {
        let mut random = random(seed);
        let rules = any_rules(&mut random);
        let seats = random.random_range(rules.seats());
        played::<Battleship>(&rules, (0..seats).map(|_| sample.player(seats)), seed);
    }
    let won = |seed: &u64| {
        let players = [sample.player(2), BuiltIn::Random.player(rules::seat_seed(*seed, Seat::B))];
        let (_, outcome) = played::<Battleship>(&Rules::default(), players, *seed);
        assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{outcome:?}");
        outcome.winner == Some(Seat::A)
    };
    let wins = (0..10).filter(won).count();
    assert!(wins >= 9, "{wins} of 10");
}

#[test]
fn the_sample_of_battleship_in_python_plays_by_any_rules() {
    Sample::new("battleship-python", "python3", &[]).iter().for_each(plays);
}

#[test]
fn the_sample_of_battleship_in_javascript_plays_by_any_rules() {
    Sample::new("battleship-javascript", "node", &[]).iter().for_each(plays);
}

#[test]
fn the_sample_of_battleship_in_rust_plays_by_any_rules() {
    plays(&Sample::built(
        "battleship-rust",
        &[env!("CARGO"), "build", "--release", "--offline", "--quiet", "--locked"],
    ));
}

#[test]
fn the_sample_of_battleship_in_cpp_plays_by_any_rules() {
    Sample::new("battleship-cpp", "g++", &["make", "--quiet"]).iter().for_each(plays);
}

#[test]
fn the_sample_of_battleship_is_a_web_service_too() {
    let Some(server) = Server::python("battleship-python") else { return };
    for seed in 0..10 {
        let rules = any_rules(&mut random(seed));
        let player = || -> Box<dyn Player<Battleship>> { Box::new(Bot::new(dialect(2), http(&server.url))) };
        played::<Battleship>(&rules, [player(), player()], seed);
    }
}
