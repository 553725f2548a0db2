//! The order of the bots, and what is said of it.

use crate::games::{entrant, game_line, header, pair, table};
use rules::Seat;
use std::time::{Duration, Instant};
use tournament::{Fixture, Format, GameLine, GameResult, KnockoutTree, LeftOutBot, PlayerLine, ScoreTable, Standings};

fn names(standings: &Standings<'_>) -> String {
    standings.all().iter().map(|one| one.entrant.name.as_str()).collect()
}

const WON: [GameResult; 2] = [GameResult::Win; 2];
const LOST: [GameResult; 2] = [GameResult::Loss; 2];

#[test]
fn the_share_of_points_counts_and_not_how_many_games_were_played() {
    let games = [pair(0, 1, WON), pair(1, 2, [GameResult::Win, GameResult::Draw]), pair(1, 3, WON)].concat();
    let table = table(Format::RoundRobin, 4, &games);
    let standings = Standings::new(&table, None);
    assert_eq!(names(&standings), "abcd");
    assert!(standings.all()[0].superiority.unwrap() > 0.5 && standings.all()[3].superiority.is_none());
    assert_eq!(standings.all()[1].place, 2);
}

#[test]
fn a_half_played_round_robin_is_sorted_by_rating_until_all_have_met() {
    // a has beaten only the weakest; b is ahead of c, who has beaten d often.
    let strong = [pair(1, 2, [GameResult::Win, GameResult::Draw]), pair(2, 3, WON), pair(2, 4, WON)].concat();
    let begun = [&strong[..], &pair(0, 3, [GameResult::Win, GameResult::Win]), &pair(1, 4, WON)].concat();
    let half = table(Format::RoundRobin, 6, &begun);
    let standings = Standings::new(&half, None);
    assert!(standings.is_provisional());
    let rated: Vec<f64> = standings.all()[..5].iter().map(|one| one.rating.elo).collect();
    assert!(rated.is_sorted_by(|one, next| one >= next), "{rated:?}");
    assert_eq!((&names(&standings)[..1], &names(&standings)[5..]), ("b", "f"), "by points a would be first");
    // Without games that link them, ratings cannot be compared.
    let apart = table(Format::RoundRobin, 4, &[pair(0, 1, WON), pair(2, 3, WON)].concat());
    assert!(!Standings::new(&apart, None).is_provisional());
    let all = table(Format::RoundRobin, 3, &[pair(0, 1, WON), pair(0, 2, WON), pair(1, 2, WON)].concat());
    assert!(!Standings::new(&all, None).is_provisional());
    assert!(!Standings::new(&table(Format::Swiss, 6, &begun), None).is_provisional());
    let ladder = table(Format::Ladder, 6, &begun);
    let of_ladder = Standings::new(&ladder, None);
    assert_eq!((names(&of_ladder), of_ladder.is_provisional()), (names(&standings), false), "a ladder is always so");
}

#[test]
fn in_a_knockout_they_stand_by_how_far_they_came() {
    // Of five, d and e meet first; c is out in the second round, in which a and b are still in.
    let games = [pair(3, 4, LOST), pair(0, 4, [GameResult::Win, GameResult::Draw]), pair(1, 2, WON)].concat();
    let begun = table(Format::Knockout, 5, &games);
    assert_eq!(names(&Standings::new(&begun, None)), "baecd");
    let games = [games, pair(0, 1, [GameResult::Draw, GameResult::Loss]).to_vec()].concat();
    let done = table(Format::Knockout, 5, &games);
    assert_eq!(names(&Standings::new(&done, None)), "baecd");
    let as_league = table(Format::Swiss, 5, &games);
    assert_eq!(names(&Standings::new(&as_league, None)), "beacd", "e has a larger share than a");
}

#[test]
fn a_final_that_is_over_has_its_places() {
    // d beats a, and c beats b; for the third place b beats a, and in the last meeting d beats c.
    let games = [(0, 3), (1, 2), (0, 1), (2, 3)].map(|(first, second)| Fixture { first, second, number: 0 });
    let standing = |games: &[Fixture]| {
        let mut header = header(Format::Final);
        header.games = Some(1);
        let mut table = ScoreTable::new(header);
        ["a", "b", "c", "d"].into_iter().for_each(|name| table.enter(entrant(name)));
        for game in games {
            table.add(&game_line(*game, Some(game.seat_of_first().opponent())));
        }
        names(&Standings::new(&table, None))
    };
    assert_eq!(standing(&games), "dcba");
    assert_eq!(
        standing(&games[..3]).chars().last(),
        Some('a'),
        "not over: by the share of points, and a has lost both games"
    );
}

#[test]
fn the_order_is_told_where_it_need_not_be_that_of_the_ratings() {
    let told = |format, games: &[(Fixture, GameResult)]| {
        let table = table(format, 3, games);
        let standings = Standings::new(&table, None);
        (standings.needs_order_told(), standings.order())
    };
    let half = [pair(0, 1, WON)].concat();
    let all = [pair(0, 1, WON), pair(0, 2, WON), pair(1, 2, LOST)].concat();
    assert_eq!(told(Format::RoundRobin, &all), (false, "By the share of points."));
    assert!(told(Format::RoundRobin, &half).0 && told(Format::RoundRobin, &half).1.starts_with("Provisional: by Elo"));
    assert!(!told(Format::RoundRobin, &[]).0);
    assert!(told(Format::Gauntlet, &half).0 && !told(Format::Gauntlet, &all).0);
    assert!(told(Format::Swiss, &half).1.contains("Games are unequal, by rests"));
    assert_eq!(told(Format::Ladder, &half), (true, "By Elo, because not all meet equally often."));
    assert!(told(Format::Swiss, &half).0 && !told(Format::Swiss, &all).0);
    assert!(told(Format::Knockout, &all).0 && told(Format::Knockout, &all).1.starts_with("By rounds survived"));
    let lines = [&half, &all].map(|games| [Format::RoundRobin, Format::Knockout].map(|format| told(format, games).1));
    assert!(lines.concat().iter().all(|line| line.len() < 80));
}

#[test]
fn a_bracket_has_the_meetings_of_all_rounds_and_tells_who_went_on() {
    let games = [pair(3, 4, LOST), pair(0, 4, [GameResult::Win, GameResult::Draw]), pair(1, 2, WON)].concat();
    let bracket = |games: &[(Fixture, GameResult)]| KnockoutTree::of(&table(Format::Knockout, 5, games)).unwrap();
    let begun = bracket(&games);
    let winners = |tree: &KnockoutTree| -> Vec<Vec<Option<usize>>> {
        tree.rounds().iter().map(|round| round.iter().map(|meeting| meeting.winner).collect()).collect()
    };
    let byes = vec![Some(0), Some(4), Some(1), Some(2)];
    assert_eq!(winners(&begun), [byes.clone(), vec![Some(0), Some(1)], vec![None]]);
    assert_eq!(begun.rounds()[0][0].entrants, [Some(0), None]);
    assert_eq!(begun.rounds()[1][0].score(), Some([1.5, 0.5]));
    assert_eq!((begun.last().entrants, begun.last().score()), ([Some(0), Some(1)], None));
    let names: Vec<String> = (0..3).map(|index| begun.round(index).to_string()).collect();
    assert_eq!(names, ["quarter-final", "semi-final", "final"]);
    // One game of the final is played, then both.
    let last = pair(0, 1, [GameResult::Draw, GameResult::Loss]);
    let one_game = bracket(&[&games[..], &last[..1]].concat());
    assert_eq!((one_game.last().winner, one_game.last().score()), (None, Some([0.5, 0.5])));
    let done = bracket(&[&games[..], &last].concat());
    assert_eq!((done.last().winner, done.last().score()), (Some(1), Some([1.5, 0.5])));
    // In a first round of which nobody went on it is not known how many games there are.
    assert_eq!(winners(&bracket(&pair(3, 4, LOST)))[0], [Some(0), None, Some(1), Some(2)]);
    assert_eq!(KnockoutTree::of(&table(Format::Swiss, 5, &games)), None);
}

#[test]
fn nobody_has_played_or_nobody_is_there() {
    for bots in [0, 3] {
        let empty = table(Format::Knockout, bots, &[]);
        let standings = Standings::new(&empty, None);
        assert_eq!(standings.all().len(), usize::from(bots));
        assert_eq!(standings.notes(), ["No game is finished yet."]);
    }
}

#[test]
fn groups_that_never_met_are_told_of() {
    let apart = table(Format::RoundRobin, 5, &[pair(0, 1, WON), pair(2, 3, WON)].concat());
    assert!(Standings::new(&apart, None).notes()[0].starts_with("Not all bots are linked"));
    let linked = table(Format::RoundRobin, 5, &[pair(0, 1, WON), pair(1, 2, WON)].concat());
    assert_eq!(Standings::new(&linked, None).notes(), [""; 0]);
}

#[test]
fn machines_on_which_bots_were_late_are_told_of() {
    let mut played = table(Format::RoundRobin, 2, &[]);
    let lines = ["slow", "fast", "fast", "fast"].into_iter().zip(0..).map(|(machine, number)| {
        let line = game_line(Fixture { first: 0, second: 1, number }, None);
        let players = [PlayerLine::default(), PlayerLine::default()].into_iter().collect();
        let line = if number < 2 { line } else { GameLine { players, ..line } };
        GameLine { machine: Some(machine.to_owned()), ..line }
    });
    for (line, told) in lines.zip([None, Some("fast 1 of 1, slow 1 of 1"), None, Some("slow 1 of 1, fast 1 of 3")]) {
        played.add(&line);
        let notes = Standings::new(&played, None).notes();
        assert!(told.is_none_or(|told| notes == [format!("Games with time-outs by machine: {told}.")]), "{notes:?}");
        assert_eq!(notes.is_empty(), played.machines().len() < 2);
    }
}

/// Five rounds of pairings of 1,000 bots with their neighbours.
#[test]
fn a_thousand_bots_have_standings_within_seconds() {
    const BOTS: usize = 1000;
    let mut large = ScoreTable::new(header(Format::Swiss));
    (0..BOTS).for_each(|bot| large.enter(entrant(&format!("bot {bot}"))));
    for (step, bot) in [1, 7, 31, 211, 997].into_iter().flat_map(|step| (0..BOTS).map(move |bot| (step, bot))) {
        let [first, second] = [bot, (bot + step) % BOTS];
        let is_won = (first * 31 + second) % 5 < 3;
        for number in [0, 1] {
            let fixture = Fixture { first, second, number };
            let winner = if is_won { fixture.seat_of_first() } else { fixture.seat_of_first().opponent() };
            let players = [PlayerLine::default(), PlayerLine::default()].into_iter().collect();
            large.add(&GameLine { players, ..game_line(fixture, Some(winner)) });
        }
    }
    let began = Instant::now();
    let standings = Standings::new(&large, None);
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    assert!(standings.all().iter().all(|one| one.rating.error.is_some_and(|error| error > 1.0 && error < 1000.0)));
    assert!(!standings.has_cross_table() && standings.notes()[0].starts_with("The cross table is left out"));
}

#[test]
fn equal_bots_share_a_place() {
    let places = |standings: &Standings<'_>| -> Vec<(usize, usize)> {
        standings.all().iter().map(|one| (one.place, one.index)).collect()
    };
    // a and b have the same results, c lost to both, and d and e have not played.
    let drawn = [GameResult::Draw; 2];
    let games = [pair(0, 1, drawn), pair(0, 2, WON), pair(1, 2, WON)].concat();
    let three = table(Format::RoundRobin, 3, &games);
    assert_eq!(places(&Standings::new(&three, None)), [(1, 0), (1, 1), (3, 2)]);
    let headline = Standings::new(&three, None).headline();
    assert_eq!((headline.label, headline.bots), ("First place shared", vec![0, 1]));
    let five = table(Format::RoundRobin, 5, &games);
    assert_eq!(places(&Standings::new(&five, None)), [(1, 0), (1, 1), (3, 2), (4, 3), (4, 4)]);
    // The same share of points, but against others: the rating decides.
    let other = [pair(0, 2, WON), pair(1, 3, WON), pair(2, 3, WON)].concat();
    let swiss = table(Format::Swiss, 4, &other);
    assert_eq!(places(&Standings::new(&swiss, None))[..2], [(1, 0), (2, 1)]);
    let none = table(Format::RoundRobin, 3, &[]);
    assert_eq!(places(&Standings::new(&none, None)), [(1, 0), (1, 1), (1, 2)]);
}

#[test]
fn a_bot_that_was_left_out_is_named_with_the_reason_until_it_enters() {
    let mut table = table(Format::RoundRobin, 2, &[]);
    let out = |reason: &str| LeftOutBot { bot: "builtin:z".to_owned(), reason: reason.to_owned() };
    assert!(table.leave_out(out("no bot.json")) && !table.leave_out(out("no bot.json")));
    assert!(table.leave_out(out("it does not build")));
    let notes = Standings::new(&table, None).notes();
    assert!(notes.contains(&"Left out: builtin:z: it does not build".to_owned()), "{notes:?}");
    table.enter(entrant("z"));
    assert!(table.left_out().is_empty());
}

#[test]
fn the_main_fault_is_the_most_frequent_one() {
    let mut table = table(Format::RoundRobin, 2, &[]);
    let mut game = game_line(Fixture { first: 0, second: 1, number: 0 }, None);
    let faults = [("crashed", 3), ("refused", 1), ("timed-out", 3)];
    game.players[Seat::A].faults = faults.map(|(kind, count)| (kind.to_owned(), count)).into();
    table.add(&game);
    let main: Vec<Option<String>> =
        Standings::new(&table, None).all().iter().map(|one| one.main_fault().map(str::to_owned)).collect();
    assert_eq!(main, [Some("crashed".to_owned()), None], "the first of equal ones");
}
