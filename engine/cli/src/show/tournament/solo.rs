//! The shots of bots at the same fleets: table, histogram, and the difference of two on the same boards.

use super::standings::in_table;
use crate::show::{game_title, printable};
use serde_json::{Value, json};
use tournament::{BoardShots, MeanShots, ScoreTable, ShotBins, Standing, Standings, board_name};

/// The most bins of a histogram, and the columns of its longest bar: with their numbers they fit 80 columns.
const BINS: u32 = 16;
const BAR: u64 = 50;

/// The shots of all in the table, of whom those that were named so are the subject: as text, or for programs as `solo` of
/// docs/results.schema.json.
pub(crate) fn solo(table: &ScoreTable, named: &[String], is_json: bool) -> String {
    let standings = Standings::new(table, None);
    let bots = subjects(&standings, named);
    match is_json {
        true => crate::show::written_json(&in_json(&standings, &bots)),
        false => in_text(&standings, &bots),
    }
}

/// The bots that were named so; the built-in players beside them were not.
fn subjects<'a, 'b>(standings: &'b Standings<'a>, named: &[String]) -> Vec<&'b Standing<'a>> {
    let is_named = |one: &&Standing<'_>| {
        !one.entrant.bot.starts_with(players::BuiltIn::PREFIX) || {
            let name = |named: &String| {
                *named == one.entrant.bot || named.split_once('=').is_some_and(|(name, _)| name == one.entrant.name)
            };
            named.iter().any(name)
        }
    };
    let mut bots: Vec<_> = standings.all().iter().filter(is_named).collect();
    bots.sort_by_key(|one| one.number);
    bots
}

/// The first bot, the one that it is compared with, and the shots that it takes more on the same boards: with one bot the best of the
/// built-in players.
fn difference<'a, 'b>(
    standings: &'b Standings<'a>,
    bots: &[&'b Standing<'a>],
) -> Option<(&'b Standing<'a>, &'b Standing<'a>, MeanShots)> {
    let first = *bots.first()?;
    let best = || standings.all().iter().find(|one| one.number != first.number);
    let second = bots.get(1).copied().or_else(best)?;
    Some((first, second, standings.table().shots_between(first.number, second.number)?))
}

fn in_text(standings: &Standings<'_>, bots: &[&Standing<'_>]) -> String {
    let table = standings.table();
    let boards = standings.all().iter().map(|one| one.row.shots.boards()).max().unwrap_or_default();
    let event = table.event();
    let title = printable(&game_title(event.game, &event.settings));
    let first = board_name(event.base_seed());
    let shown = if boards == 1 { first.clone() } else { format!("{boards} boards, from {first} on") };
    let mut text = format!("{title}: {shown}\n{}", in_table(standings));
    if let Some((first, second, more)) = difference(standings, bots) {
        let [first, second] = [first, second].map(|one| printable(&one.entrant.name));
        if let Some(told) = more.in_words(&first, &second) {
            text.push_str(&format!("\n{told}\n"));
            let needed = |boards| format!("  {boards} boards show a difference like this in four cases of five\n");
            text.extend(more.boards_to_settle().map(needed));
        }
    }
    for bot in bots {
        text.push_str(&histogram(&printable(&bot.entrant.name), &bot.row.shots));
    }
    // On one board a line tells all, and can be passed on.
    if standings.all().iter().all(|one| one.row.shots.boards() == 1) {
        let told = |one: &Standing<'_>| match (one.shots, one.row.unsunk) {
            (Some(shots), 0) => format!("{} {:.0} shots", printable(&one.entrant.name), shots.mean),
            _ => format!("{} not sunk", printable(&one.entrant.name)),
        };
        let others = standings.all().iter().filter(|one| bots.iter().all(|bot| bot.number != one.number));
        let told: Vec<String> = bots.iter().copied().chain(others).map(told).collect();
        text.push_str(&format!("\nBroadside, {title}, {first}: {}\n", told.join(", ")));
    }
    text
}

/// The numbers of boards by shots, drawn; nothing for one board.
fn histogram(name: &str, shots: &BoardShots) -> String {
    let Some(bins) = ShotBins::of([shots], BINS).filter(|_| shots.boards() > 1) else { return String::new() };
    let counts = bins.counts(shots);
    let most = counts.iter().copied().max().unwrap_or(1);
    let width = bins.ranges().last().map_or(1, |(_, last)| last.to_string().len());
    let mut text = format!("\nShots of {name}, and on how many boards:\n");
    for ((first, last), count) in bins.ranges().zip(counts) {
        let range =
            if first == last { format!("{first:>width$}") } else { format!("{first:>width$} to {last:>width$}") };
        let bar = "█".repeat((count * BAR).div_ceil(most) as usize);
        text.push_str(&format!("  {range}  {bar}{}{count}\n", if bar.is_empty() { "" } else { " " }));
    }
    text
}

fn in_json(standings: &Standings<'_>, bots: &[&Standing<'_>]) -> Value {
    let event = standings.table().event();
    let all = standings.all().iter().map(|one| {
        let (row, quantile) = (one.row, |share| one.row.shots.quantile(share));
        json!({
            "name": one.entrant.name, "bot": one.entrant.bot, "is_named": bots.iter().any(|bot| bot.number == one.number),
            "shots": one.shots, "median": quantile(0.5), "p95": quantile(0.95), "most": quantile(1.0),
            "not_sunk": row.unsunk, "specials": row.specials, "faults": row.faults,
        })
    });
    let difference = difference(standings, bots).map(|(first, second, more)| {
        json!({
            "first": first.entrant.name, "second": second.entrant.name, "more": more,
            "is_settled": more.is_settled(), "boards_to_settle": more.boards_to_settle(),
        })
    });
    json!({
        "format": "broadside solo", "version": 1, "game": event.game, "settings": event.settings, "seed": event.seed,
        "bots": all.collect::<Vec<_>>(), "difference": difference,
    })
}
