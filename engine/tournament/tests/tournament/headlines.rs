//! The result in words.

use crate::games::{pair, table};
use tournament::{Fixture, Format, GameResult, HeadlinePart, ScoreTable, Standings};

const WON: [GameResult; 2] = [GameResult::Win; 2];
const LOST: [GameResult; 2] = [GameResult::Loss; 2];
const EVEN: [GameResult; 2] = [GameResult::Win, GameResult::Loss];

/// The headline in one line, with the letters of the bots.
fn headline(table: &ScoreTable) -> String {
    let headline = Standings::new(table, None).headline();
    let name = |number: usize| table.entrants()[number].name.clone();
    let names: Vec<String> = headline.bots.iter().map(|number| name(*number)).collect();
    let parts = headline.parts.iter().map(|part| match part {
        HeadlinePart::Text(text) => text.clone(),
        HeadlinePart::Bot(number) => name(*number),
    });
    format!("{}: {}. {}", headline.label, names.join(", "), parts.collect::<String>())
}

fn of(format: Format, bots: u8, games: &[[(Fixture, GameResult); 2]]) -> String {
    headline(&table(format, bots, &games.concat()))
}

#[test]
fn a_round_robin_has_a_winner_and_tells_how_sure_that_is() {
    let games = [pair(0, 1, [GameResult::Win, GameResult::Draw]), pair(0, 2, WON), pair(1, 2, WON)];
    let told = of(Format::RoundRobin, 3, &games);
    let expected = "Winner: a. 87.5 % of the points in 4 games. b is second with 62.5 %. The games do not settle which of the \
                    two is stronger (likelihood ";
    assert!(told.starts_with(expected), "{told}");
    let many: Vec<_> = (0..60).flat_map(|nth| pair(0, 1, WON).map(|(game, won)| (number(game, nth), won))).collect();
    let told = headline(&table(Format::RoundRobin, 2, &many));
    assert!(told.ends_with(" b is second with 0.0 %. The winner is stronger with a likelihood of 100 %."), "{told}");
}

/// The same game as one of pair number `nth`.
fn number(game: Fixture, nth: u32) -> Fixture {
    Fixture { number: game.number + 2 * nth, ..game }
}

#[test]
fn a_first_place_can_be_shared_and_a_lead_is_no_win() {
    let shared = of(Format::RoundRobin, 3, &[pair(0, 1, EVEN), pair(0, 2, WON), pair(1, 2, WON)]);
    assert_eq!(shared, "First place shared: a, b. Each with 75.0 % of the points in 4 games.");
    let half = of(Format::RoundRobin, 3, &[pair(0, 1, LOST), pair(0, 2, WON)]);
    assert!(
        half.starts_with("Leading so far: b. +") && half.ends_with(" Elo, 100.0 % of the points in 2 games."),
        "{half}"
    );
    assert_eq!(of(Format::RoundRobin, 3, &[]), "Not begun: . No game is finished yet.");
    assert_eq!(of(Format::RoundRobin, 0, &[]), "Not begun: . No game is finished yet.");
    let ladder = of(Format::Ladder, 3, &[pair(0, 1, LOST), pair(0, 2, WON)]);
    assert!(
        ladder.starts_with("First: b. +") && ladder.ends_with(" Elo, 100.0 % of the points in 2 games."),
        "{ladder}"
    );
    let gauntlet = of(Format::Gauntlet, 3, &[pair(0, 1, LOST), pair(0, 2, WON)]);
    assert_eq!(gauntlet, "Gauntlet: a. 50.0 % of the points in 4 games against 2 bots.");
}

#[test]
fn a_knockout_is_told_by_its_final() {
    let first = [pair(0, 3, WON), pair(1, 2, WON)];
    let told = |more: &[[(Fixture, GameResult); 2]]| of(Format::Knockout, 4, &[&first, more].concat());
    assert_eq!(of(Format::Knockout, 4, &first[..1]), "Not decided: . The semi-final is being played.");
    assert_eq!(told(&[pair(0, 1, LOST)]), "Winner: b. Won the final against a, 2 : 0.");
    let half = table(Format::Knockout, 4, &[&first.concat()[..], &pair(0, 1, WON)[..1]].concat());
    assert_eq!(headline(&half), "In the final: a, b. The final stands 1 : 0.");
}
