//! The comparison of two bots in words: result, Elo and the verdict of a sequential test.

use super::printable;
use tournament::{Estimate, Pentanomial, ScoreTable, Sprt, Verdict};

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

/// The comparison of two bots as text, and the verdict of the test.
pub(crate) fn verdict_of(table: &ScoreTable, first: usize, second: usize, sprt: &Sprt) -> (String, Verdict) {
    let names = [first, second].map(|at| printable(&table.entrants()[at].name));
    let (pairs, verdict) = first_verdict(table, first, second, sprt);
    let estimate = Estimate::of_pairs(&pairs);
    let games = table.between(first, second);
    let mut text = format!("{}\n", estimate.in_words(&names[0], &names[1]));
    let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
    text.push_str(&format!(
        "  {} games: {} won, {} drawn, {} lost ({})\n",
        games.games(),
        games.wins,
        games.draws,
        games.losses,
        percent(games.mean_score())
    ));
    let counts = pairs.counts().map(|count| count.to_string()).join(", ");
    text.push_str(&format!("  {} pairs by points of {} in both games, 0 to 2: {counts}\n", pairs.pairs(), names[0]));
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
    let (lower, upper) = sprt.bounds();
    let ratio = sprt.log_likelihood_ratio(&pairs);
    let (elo0, elo1) = sprt.elo();
    let said = match verdict {
        Verdict::AcceptH1 => format!("{} is stronger, by {elo1} Elo rather than {elo0}", names[0]),
        Verdict::AcceptH0 => format!("{} is not stronger by {elo1} Elo; rather by {elo0}", names[0]),
        Verdict::Continue => "no answer yet; more games are needed".to_owned(),
    };
    text.push_str(&format!("  SPRT {sprt}: LLR {ratio:+.2} ({lower:.2} to {upper:.2})\n  {said}\n"));
    (text, verdict)
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn nothing_has_no_minus() {
        assert_eq!([-0.0, -0.04, 0.04, -0.06, 12.34].map(signed), ["+0.0", "+0.0", "+0.0", "-0.1", "+12.3"]);
    }
}
