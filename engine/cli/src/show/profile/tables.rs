//! The tables of profiles as text.

use crate::show::printable;
use crate::show::text::names::{apart, cut, padded};
use analysis::profile::{Profile, Quartiles};
use unicode_width::UnicodeWidthStr;
use web::ProfiledBot;

/// The most columns of a name.
const WIDEST: usize = 24;

/// The numbers about shots, with a column for each bot.
pub(super) fn shots(bots: &[ProfiledBot]) -> String {
    let names: Vec<String> = bots.iter().map(|bot| printable(&bot.profile.name)).collect();
    let names = apart(&names, WIDEST);
    let width = names.iter().map(|name| name.width()).max().unwrap_or_default().max(14);
    let mut text = format!("\n{}", padded("Shots", 34));
    names.iter().for_each(|name| text.push_str(&format!("  {}{name}", " ".repeat(width - name.width()))));
    text.push('\n');
    for (label, of) in web::PROFILE_ROWS {
        let values: Vec<Option<String>> = bots.iter().map(|bot| of(&bot.profile)).collect();
        if values.iter().all(Option::is_none) {
            continue;
        }
        text.push_str(&format!("  {}", padded(label, 32)));
        for value in values {
            text.push_str(&format!("  {:>width$}", value.unwrap_or_else(|| "-".to_owned())));
        }
        text.push('\n');
    }
    text
}

/// The tables of each bot: weapons, lost games, opponents.
pub(super) fn of_each(bots: &[ProfiledBot]) -> String {
    let mut text = String::new();
    for bot in bots {
        let of = if bots.len() > 1 { format!(" of {}", cut(&printable(&bot.profile.name), 16)) } else { String::new() };
        text.push_str(&weapons(&bot.profile, &of));
        text.push_str(&losses(&bot.profile, &of));
        text.push_str(&opponents(bot, &of));
    }
    text
}

fn weapons(profile: &Profile, of: &str) -> String {
    // A plain shot alone is in the table above.
    if profile.weapons.len() < 2 {
        return String::new();
    }
    let mut text = format!("\n{}  games   uses   hits  expected\n", padded(&format!("Weapons and actions{of}"), 40));
    for weapon in &profile.weapons {
        let expected = weapon.expected.map_or("-".to_owned(), |expected| format!("{expected:.1}"));
        let hits = if weapon.is_action { "-".to_owned() } else { weapon.hits.to_string() };
        let name = padded(&printable(&weapon.name), 38);
        text.push_str(&format!("  {name}  {:>5}  {:>5}  {hits:>5}  {expected:>8}\n", weapon.games, weapon.uses));
    }
    text
}

fn losses(profile: &Profile, of: &str) -> String {
    let Some(Quartiles { games, median, .. }) = profile.losses.cells else { return String::new() };
    let title = format!("Opponents' ships left in {}{of}", rules::counted(games as u32, "lost game"));
    let mut text = format!("\n{}  games  alone  cells\n", padded(&title, 50));
    for left in profile.losses.ships.iter().filter(|left| left.games > 0) {
        let name =
            padded(&printable(&format!("{} ({})", left.ship.name, rules::counted(left.ship.cells as u32, "cell"))), 48);
        let cells = left.cells as f64 / left.games as f64;
        text.push_str(&format!("  {name}  {:>5}  {:>5}  {cells:>5.1}\n", left.games, left.alone));
    }
    text.push_str(&format!("  {}                {median:>5.1}\n", padded("cells left in all, median", 48)));
    text
}

fn opponents(bot: &ProfiledBot, of: &str) -> String {
    if bot.opponents.is_empty() {
        return String::new();
    }
    let names: Vec<String> = bot.opponents.iter().map(|results| printable(&results.name)).collect();
    let names = apart(&names, WIDEST);
    let head = padded(&format!("Opponents{of}"), 28);
    let mut text = format!("\n{head}  games    won  drawn   lost  score  95 %\n");
    for (results, name) in bot.opponents.iter().zip(names) {
        let games = results.games;
        let score = games.mean_score().map_or("-".to_owned(), |score| format!("{:.0} %", 100.0 * score));
        let interval = results.interval().map(|[low, high]| format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high));
        text.push_str(&format!(
            "  {}  {:>5}  {:>5}  {:>5}  {:>5}  {score:>5}  {}\n",
            padded(&name, 26),
            games.games(),
            games.wins,
            games.draws,
            games.losses,
            interval.unwrap_or_default()
        ));
    }
    text
}
