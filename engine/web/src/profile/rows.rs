//! The rows about shots that a profile has as text and on a page.

use analysis::profile::Profile;

/// A row: its label, and its value in words; `None` where a profile has none.
type ProfileRow = (&'static str, fn(&Profile) -> Option<String>);

/// The rows in their order.
pub const PROFILE_ROWS: [ProfileRow; 16] = [
    ("shots to win, median", |of| Some(number(of.shots_to_win?.median))),
    ("shots to win, middle half", |of| {
        Some(format!("{} to {}", number(of.shots_to_win?.lower), number(of.shots_to_win?.upper)))
    }),
    ("shots to win, all", |of| Some(format!("{} to {}", of.shots_to_win?.least, of.shots_to_win?.most))),
    ("hits a shot, while searching", |of| Some(percent(of.phases[0].rate()?))),
    ("hits a shot, a ship wounded", |of| Some(percent(of.phases[1].rate()?))),
    ("accuracy", |of| Some(percent(of.accuracy?))),
    ("accuracy of drawn cells", |of| Some(percent(of.random_accuracy?))),
    ("luck, hits a game", |of| Some(format!("{:+.1}", of.luck?))),
    ("different fleets", |of| (of.fleets.games > 0).then(|| format!("{} of {}", of.fleets.different, of.fleets.games))),
    ("shots a salvo", |of| Some(mean(of.salvos?.shots, of.salvos?.salvos))),
    ("hits a salvo", |of| Some(mean(of.salvos?.hits, of.salvos?.salvos))),
    ("games with a shield", |of| Some(format!("{} of {}", of.shield?.games, of.games))),
    ("shields raised a game", |of| Some(mean(of.shield?.raised, of.games.into()))),
    ("first shield, median turn", |of| Some(number(of.shield?.first_turn?.median))),
    ("cells caught by a shield", |of| {
        let shield = of.shield.filter(|shield| shield.raised > 0)?;
        Some(mean(shield.caught, shield.raised))
    }),
    ("again at a shielded cell", |of| {
        let shield = of.shield.filter(|shield| shield.shots_after_caught > 0)?;
        Some(format!("{} of {}", shield.shots_again, shield.shots_after_caught))
    }),
];

/// A number, with a digit after the point where it is not whole.
fn number(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn mean(sum: u64, of: u64) -> String {
    format!("{:.1}", sum as f64 / of.max(1) as f64)
}
