//! Copies are found by their answers, and bots that only play well are not.

use grading::{Alike, Answers, LEAST_TURNS, alike, answers_of_record};
use rules::{RngExt, Seat, random};
use std::path::Path;

const GAMES: u32 = 20;
const TURNS: usize = 60;

/// The answers of a bot that shoots by its own random numbers.
fn own(bot: u64) -> Vec<Vec<String>> {
    let mut random = random(bot);
    let mut shot = || format!("{},{}", random.random_range(0..10), random.random_range(0..10));
    (0..GAMES).map(|_| (0..TURNS).map(|_| shot()).collect()).collect()
}

fn answers(games: &[Vec<String>]) -> Answers {
    let mut answers = Answers::default();
    for (game, turns) in games.iter().enumerate() {
        answers.add(0, game as u32, turns);
    }
    answers
}

/// The bots by the names `0`, `1` ….
fn compared(bots: &[Vec<Vec<String>>]) -> Alike {
    let named = bots.iter().enumerate().map(|(name, games)| (name.to_string(), answers(games)));
    alike(&named.collect::<Vec<_>>(), 0.9)
}

#[test]
fn a_copy_is_found_among_bots_of_their_own() {
    let mut bots: Vec<_> = (0..10).map(own).collect();
    bots.push(bots[3].clone());
    let found = compared(&bots);
    assert_eq!(found.groups, [["3", "10"]]);
    let first = &found.pairs[0];
    assert_eq!((first.first.as_str(), first.second.as_str(), first.equal), ("3", "10", 1.0));
    assert_eq!((first.games, first.turns, found.pairs.len()), (20, 1200, 55));
    assert!(found.pairs[1].equal < 0.05 && found.usual.unwrap() < 0.05, "{:?}", &found.pairs[1]);
}

#[test]
fn a_copy_with_one_changed_turn_in_each_game_is_found_and_groups_grow_by_pairs() {
    let first = own(1);
    let changed = |games: &[Vec<String>], turn: usize| {
        let mut games = games.to_vec();
        games.iter_mut().for_each(|game| game[turn] = "0,0 ".to_owned());
        games
    };
    let second = changed(&first, 5);
    let third = changed(&second, 6);
    let found = compared(&[first, own(2), third, second]);
    assert_eq!(found.groups, [["0", "2", "3"]]);
    assert!((found.pairs[0].equal - 59.0 / 60.0).abs() < 1e-9, "{:?}", found.pairs[0]);
}

#[test]
fn turns_that_only_one_game_has_are_unequal_and_turns_without_answers_are_none() {
    let long = own(1);
    let cut: Vec<Vec<String>> = long.iter().map(|game| game[..45].to_vec()).collect();
    assert_eq!(compared(&[long, cut]).pairs[0].equal, 0.75);
    let silent = vec![vec![String::new(); TURNS]; 20];
    assert_eq!(compared(&[silent.clone(), silent.clone()]).pairs, [], "two that crash are not alike");
    assert_eq!(compared(&[silent, own(1)]).pairs[0].equal, 0.0);
}

#[test]
fn bots_without_common_games_or_with_few_turns_make_no_group() {
    let [mut one, mut other] = [Answers::default(), Answers::default()];
    one.add(0, 0, ["1"; LEAST_TURNS]);
    other.add(0, 1, ["1"; LEAST_TURNS]);
    let pair =
        |one: &Answers, other: &Answers| alike(&[("a".to_owned(), one.clone()), ("b".to_owned(), other.clone())], 0.9);
    assert_eq!(pair(&one, &other).pairs, []);
    other.add(0, 0, ["1"; LEAST_TURNS]);
    assert_eq!(pair(&one, &other).groups, [["a", "b"]]);
    one.add(0, 0, ["1"; LEAST_TURNS - 1]);
    other.add(0, 0, ["1"; LEAST_TURNS - 1]);
    let few = pair(&one, &other);
    assert_eq!((few.pairs[0].equal, few.groups.len(), few.usual), (1.0, 0, Some(1.0)));
}

#[test]
fn pairs_are_groups_of_their_own() {
    let bots: Vec<_> = (0..20).flat_map(|bot| [own(bot), own(bot)]).collect();
    let found = compared(&bots);
    assert_eq!((found.pairs.len(), found.groups.len()), (40 * 39 / 2, 20));
    assert!(found.groups.iter().all(|group| group.len() == 2), "{:?}", found.groups);
}

#[test]
fn the_answers_in_records_of_all_games_are_those_of_their_seat() {
    let replays = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays");
    let of = |name: &str, seat| answers_of_record(&replays.join(name), seat).unwrap();
    let entelect = of("entelect-2017.jsonl", Seat::A);
    assert!(entelect[0].starts_with("Submarine 2 4 west\nDestroyer 2 2 east"), "{entelect:?}");
    assert_eq!(entelect[1..4], ["1,3,3", "1,4,2", "1,2,2"]);
    assert_eq!(of("bots-arena.jsonl", Seat::B)[1..4], ["4,4", "5,5", "6,6"]);
    let salvo = of("salvo.jsonl", Seat::new(2).unwrap());
    assert!(salvo[0].contains("battleship: {") && salvo[1] == "fire: {\"x\":5,\"y\":4}\ntarget: A", "{salvo:?}");
    assert_eq!(of("sea-battle.jsonl", Seat::A)[1], "{\"type\": \"shot\", \"x\": 5, \"y\": 3}");
    assert_eq!(of("battleship.jsonl", Seat::B)[1], "{\"shots\":[[4,3,\"A\"]]}");
    assert!(of("salvo.jsonl", Seat::new(9).unwrap()).is_empty());
    assert!(answers_of_record(&replays.join("README.md"), Seat::A).is_err());
}
