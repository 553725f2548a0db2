//! The comparison of two bots in words: result, Elo and the verdict of a sequential test.

use crate::show::printable;
use std::collections::BTreeMap;
use std::fmt::Display;
use tournament::{Estimate, Pentanomial, ScoreTable, Sprt, Verdict, WinDrawLoss};

/// The pairs of games in their order up to the one that decides a sequential test, and the test's verdict. The order in
/// which games were finished, and games after the decision, do not change the verdict.
pub(crate) fn first_verdict(table: &ScoreTable, first: usize, second: usize, sprt: &Sprt) -> (Pentanomial, Verdict) {
    let mut pairs = Pentanomial::default();
    let (low, high) = (first.min(second), first.max(second));
    for [one, other] in table.pairs_in_order(low, high) {
        let (one, other) = if first == low { (one, other) } else { (one.swapped(), other.swapped()) };
        pairs.count(one, other);
        let verdict = sprt.verdict(&pairs);
        if verdict != Verdict::Continue {
            return (pairs, verdict);
        }
    }
    (pairs, Verdict::Continue)
}

/// A number with its sign and one decimal; zero is `+0.0`, never `-0.0`.
fn signed(elo: f64) -> String {
    format!("{:+.1}", (elo * 10.0).round() / 10.0 + 0.0)
}

/// The comparison of two bots as text, and the verdict of the test. All games count for the estimate, also those that were
/// played after the test had its answer.
pub(crate) fn verdict_of(table: &ScoreTable, first: usize, second: usize, sprt: &Sprt) -> (String, Verdict) {
    let names = [first, second].map(|at| printable(&table.entrants()[at].name));
    let (tested, verdict) = first_verdict(table, first, second, sprt);
    let pairs = table.pairs_between(first, second);
    let estimate = Estimate::of_pairs(&pairs);
    let games = table.between(first, second);
    let mut text = String::new();
    // Faults in every game say more about a bot than its results.
    for (name, row) in names.iter().zip([first, second].map(|at| &table.rows()[at])) {
        if row.faulty > 0 && row.faulty == row.games().games() {
            let all = rules::counted(row.faulty as u32, "game");
            text.push_str(&format!(
                "{name} lost turns in each of its {all} ({}): mend that first\n",
                kinds_of(&row.faults)
            ));
        }
    }
    let (lower, upper) = sprt.bounds();
    let ratio = sprt.log_likelihood_ratio(&tested);
    let (elo0, elo1) = sprt.elo();
    let said = match verdict {
        Verdict::AcceptH1 => format!("{} is stronger, by {elo1} Elo rather than {elo0}", names[0]),
        Verdict::AcceptH0 => format!("{} is not stronger by {elo1} Elo; rather by {elo0}", names[0]),
        Verdict::Continue => no_answer(&tested, ratio, if ratio < 0.0 { lower } else { upper }),
    };
    let is_clear = estimate.lower() > 0.0 || estimate.upper() < 0.0;
    // An estimate that is not clear asks for more games, which a test that has its answer does not.
    let sentence = match verdict {
        Verdict::AcceptH0 | Verdict::AcceptH1 if !is_clear => said.clone(),
        _ => estimate.in_words(&names[0], &names[1]),
    };
    text.push_str(&format!("{sentence}\n"));
    let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
    text.push_str(&format!(
        "  {} games: {} won, {} drawn, {} lost ({})\n",
        games.games(),
        games.wins,
        games.draws,
        games.losses,
        percent(games.mean_score())
    ));
    text.push_str(&pairs_told(&pairs));
    if pairs.pairs() > 0 {
        text.push_str(&format!(
            "  Elo {} ± {:.1} (95 %), normalized {} ± {:.1}\n  likelihood of superiority {:.1} %; draws {}\n",
            signed(estimate.elo()),
            estimate.error(),
            signed(estimate.normalized_elo()),
            estimate.normalized_error(),
            estimate.superiority() * 100.0,
            percent(games.draw_ratio())
        ));
    }
    if let Some(shots) = table.shots_between(first, second).and_then(|shots| shots.in_words(&names[0], &names[1])) {
        text.push_str(&format!("  {shots}\n"));
    }
    for (name, at) in names.iter().zip([first, second]) {
        let faults = &table.rows()[at].faults;
        let lost: u64 = faults.values().sum();
        if lost > 0 {
            let turns = if lost == 1 { "1 turn".to_owned() } else { format!("{lost} turns") };
            text.push_str(&format!("  {name}: {turns} lost ({})\n", kinds_of(faults)));
        }
    }
    text.push_str(&format!("  SPRT {sprt}: LLR {ratio:+.2} ({lower:.2} to {upper:.2})\n"));
    if tested.pairs() < pairs.pairs() {
        text.push_str(&format!("  the test stops after {} of {} pairs:\n", tested.pairs(), pairs.pairs()));
    }
    if sentence != said {
        text.push_str(&format!("  {said}\n"));
    }
    if verdict == Verdict::Continue && is_clear {
        text.push_str(
            "  one look at these games shows a clear difference; a test that looks after\n  every pair asks for more\n",
        );
    }
    if let Some(all) = all_alike(&games).filter(|_| is_clear) {
        text.push_str(&format!("  all games were {all}: this tells which bot is stronger, but not by how much\n"));
    }
    (text, verdict)
}

/// The numbers of pairs by their score, best first.
fn pairs_told(pairs: &Pentanomial) -> String {
    const SCORES: [&str; 5] = ["0-2", "0.5-1.5", "1-1", "1.5-0.5", "2-0"];
    let told = pairs.counts().into_iter().zip(SCORES).rev().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, score)| format!("{count} ended {score}")).collect();
    if told.is_empty() {
        return String::new();
    }
    format!("  {} of two games with seats swapped: {}\n", rules::counted(pairs.pairs() as u32, "pair"), told.join(", "))
}

/// The score so far, and how far the test is from the bound to which it is closer: above 0 that for the first bot.
pub(crate) fn test_told(table: &ScoreTable, sprt: &Sprt) -> String {
    let (lower, upper) = sprt.bounds();
    let ratio = sprt.log_likelihood_ratio(&first_verdict(table, 0, 1, sprt).0);
    // No minus before zero.
    let shown = (ratio * 10.0).round() / 10.0 + 0.0;
    format!("{}, test {shown:.1} of {:.2}", score_told(&table.between(0, 1)), if shown < 0.0 { lower } else { upper })
}

/// The score so far, as `19-7`.
pub(crate) fn score_told(games: &WinDrawLoss) -> String {
    let draws = if games.draws > 0 { format!(", {} drawn", games.draws) } else { String::new() };
    format!("{}-{}{draws} so far", games.wins, games.losses)
}

/// The numbers of lost turns by the kind of fault.
pub(super) fn kinds_of<N: Display>(faults: &BTreeMap<String, N>) -> String {
    let kinds: Vec<String> = faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    printable(&kinds.join(", "))
}

/// The reason why the test continues, with the number of games at which it reaches `bound` at the present rate.
fn no_answer(tested: &Pentanomial, ratio: f64, bound: f64) -> String {
    /// Longer forecasts are not shown.
    const FARTHEST: f64 = 1e6;
    let games = (2 * tested.pairs()) as f64 * bound / ratio;
    let forecast = if games.is_finite() && games < FARTHEST {
        format!("\n  ({bound:.2} is reached after about {games:.0} games like these)")
    } else {
        String::new()
    };
    format!("no answer yet, the LLR is within its bounds: more games are needed{forecast}")
}

/// The word for the result of all games, if all were won or all lost.
fn all_alike(games: &WinDrawLoss) -> Option<&'static str> {
    match (games.wins, games.draws, games.losses) {
        (1.., 0, 0) => Some("won"),
        (0, 0, 1..) => Some("lost"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::tournament::table_fixture;
    use tournament::{Fixture, Format, GameLine, GameResult};

    /// A table of the bots Alpha and Bravo with these pairs of games.
    fn table(pairs: &[[GameResult; 2]]) -> ScoreTable {
        let mut table = table_fixture::table(Format::RoundRobin, &["Alpha", "Bravo"]);
        for (number, result) in (0..).zip(pairs.iter().flatten()) {
            table.add(&game(number, *result, 0));
        }
        table
    }

    /// A game of Alpha and Bravo in which Alpha crashed in `crashed` turns.
    fn game(number: u32, result: GameResult, crashed: u32) -> GameLine {
        let fixture = Fixture { first: 0, second: 1, number };
        let first = fixture.seat_of_first();
        let mut game = table_fixture::game(fixture, if result == GameResult::Win { first } else { first.opponent() });
        if crashed > 0 {
            game.players[first].faults = [("crashed".to_owned(), crashed)].into();
        }
        game
    }

    #[test]
    fn all_games_count_for_the_estimate_and_the_end_of_the_test_is_told() {
        use GameResult::{Loss, Win};
        // The test is over after the first pairs, of which both bots won half.
        let pairs: Vec<_> = [[Win, Loss]; 4].into_iter().chain([[Win, Win]; 36]).collect();
        let sprt: Sprt = "0,1000".parse().unwrap();
        let (text, verdict) = verdict_of(&table(&pairs), 0, 1, &sprt);
        assert_eq!(verdict, Verdict::AcceptH0);
        assert!(text.starts_with("Alpha is ") && text.contains(" Elo stronger than Bravo"), "{text}");
        assert!(
            text.contains("80 games: 76 won, 0 drawn, 4 lost")
                && text.contains("  40 pairs of two games with seats swapped: 36 ended 2-0, 4 ended 1-1\n"),
            "{text}"
        );
        assert!(text.contains("  the test stops after 2 of 40 pairs:\n  Alpha is not stronger by 1000 Elo"), "{text}");
        let (turned, _) = verdict_of(&table(&pairs), 1, 0, &sprt);
        assert!(turned.contains(": 4 ended 1-1, 36 ended 0-2\n"), "{turned}");
    }

    #[test]
    fn a_score_is_told_with_its_draws_and_the_way_of_the_test() {
        use GameResult::{Loss, Win};
        let sprt: Sprt = "0,30".parse().unwrap();
        let told = |pairs: &[[GameResult; 2]]| test_told(&table(pairs), &sprt);
        assert_eq!(told(&[]), "0-0 so far, test 0.0 of 2.94");
        let (won, lost) = (told(&[[Win; 2]; 20]), told(&[[Loss; 2]; 20]));
        assert!(won.starts_with("40-0 so far, test ") && won.ends_with(" of 2.94"), "{won}");
        assert!(lost.starts_with("0-40 so far, test -") && lost.ends_with(" of -2.94"), "{lost}");
        assert_eq!(score_told(&WinDrawLoss { wins: 3, draws: 1, losses: 2 }), "3-2, 1 drawn so far");
    }

    #[test]
    fn a_clear_result_without_a_verdict_says_why() {
        use GameResult::{Loss, Win};
        let text = |pairs: &[[GameResult; 2]]| {
            let (text, verdict) = verdict_of(&table(pairs), 0, 1, &"0,30".parse().unwrap());
            assert_eq!(verdict, Verdict::Continue, "{text}");
            text
        };
        let (clear, all) = ("one look at these games shows", "all games were ");
        let swept = text(&[[Win; 2]; 10]);
        assert!(swept.contains("stronger than Bravo") && swept.contains(clear), "{swept}");
        assert!(swept.contains("games like these)\n") && swept.contains("all games were won: "), "{swept}");
        assert!(text(&[[Loss; 2]; 10]).contains("all games were lost: "));
        let one = text(&[[Win; 2]]);
        assert!(one.starts_with("not decided: ") && !one.contains(all), "{one}");
        let even = text(&[[Win, Loss]; 4]);
        assert!(!even.contains(clear) && !even.contains(all), "{even}");
    }

    #[test]
    fn a_test_that_has_its_answer_asks_for_no_more_games() {
        use GameResult::{Loss, Win};
        let pairs: Vec<_> = (0..400).map(|nth| if nth % 2 == 0 { [Win, Win] } else { [Loss, Loss] }).collect();
        let (text, verdict) = verdict_of(&table(&pairs), 0, 1, &"0,200".parse().unwrap());
        assert_eq!(verdict, Verdict::AcceptH0, "{text}");
        assert!(
            text.starts_with("Alpha is not stronger by 200 Elo; rather by 0\n") && !text.contains("more games"),
            "{text}"
        );
    }

    #[test]
    fn a_bot_that_loses_turns_in_every_game_is_told_first() {
        let text = |sound: u32| {
            let mut table = table(&[]);
            (0..10).for_each(|number| table.add(&game(number, GameResult::Loss, if number < sound { 0 } else { 2 })));
            verdict_of(&table, 0, 1, &"0,30".parse().unwrap()).0
        };
        let first = "Alpha lost turns in each of its 10 games (20 crashed): mend that first\nnot decided: ";
        assert!(text(0).starts_with(first), "{}", text(0));
        assert!(text(1).starts_with("not decided: "), "{}", text(1));
    }

    #[test]
    fn a_test_that_uses_all_pairs_says_no_more() {
        let (text, verdict) = verdict_of(&table(&[[GameResult::Win; 2]; 2]), 0, 1, &"0,10".parse().unwrap());
        assert_eq!(verdict, Verdict::Continue);
        assert!(!text.contains("the test stops"), "{text}");
    }

    #[test]
    fn nothing_has_no_minus() {
        assert_eq!([-0.0, -0.04, 0.04, -0.06, 12.34].map(signed), ["+0.0", "+0.0", "+0.0", "-0.1", "+12.3"]);
    }
}
