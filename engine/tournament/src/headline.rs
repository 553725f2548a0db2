//! The result of a tournament in words.

use crate::{Format, KnockoutTree, Standing, Standings, SwissTable};
use HeadlinePart::{Bot, Text};

/// The likelihood from which on one bot counts as stronger than another.
const SETTLED: f64 = 0.95;

/// The result of a tournament in words, or who leads.
///
/// A round robin counts as decided if all have met equally often: the journal does not tell how many games are planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    /// The state of the tournament, e.g. `Winner`.
    pub label: &'static str,
    /// The numbers of the bots that the headline is about; several if they share the first place or are in the final.
    pub bots: Vec<usize>,
    /// The sentences behind the names.
    pub parts: Vec<HeadlinePart>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadlinePart {
    /// Words.
    Text(String),
    /// The name of the bot with this number.
    Bot(usize),
}

impl Standings<'_> {
    /// The result of the tournament in words.
    pub fn headline(&self) -> Headline {
        let table = self.table();
        let Some(first) = self.all().first().filter(|_| table.results().games() > 0) else {
            return told("Not begun", [], [Text("No game is finished yet.".to_owned())]);
        };
        let tree = KnockoutTree::of(table);
        let swiss = SwissTable::of(table);
        let is_over = swiss.map_or(!self.is_unequal(), |swiss| swiss.is_complete());
        match (tree, table.event().plan) {
            (Some(tree), _) => of_knockout(&tree),
            (None, Format::Gauntlet) => self.of_gauntlet(first),
            (None, Format::Ladder | Format::Grading) => {
                told("First", [first.number], [Text(format!("{}.", self.rated(first)))])
            }
            (None, _) if !is_over => told("Leading so far", [first.number], [Text(format!("{}.", self.rated(first)))]),
            (None, _) => self.of_points(first),
        }
    }

    /// The headline of a tournament that is decided by the share of points.
    fn of_points(&self, first: &Standing<'_>) -> Headline {
        let is_level = |one: &&Standing<'_>| one.place == first.place;
        let level: Vec<usize> = self.all().iter().take_while(is_level).map(|one| one.number).collect();
        if level.len() > 1 {
            return told("First place shared", level, [Text(format!("Each with {}.", self.score(first)))]);
        }
        let Some(second) = self.all().get(1).filter(|second| second.shots.is_some() || !self.is_by_shots()) else {
            return told("Winner", level, [Text(format!("{}.", self.score(first)))]);
        };
        if let (true, Some(behind)) = (self.is_by_shots(), second.shots_behind) {
            let settled =
                if behind.is_settled() { "." } else { ": the boards do not settle which of the two is better." };
            let text = format!(" is second, {behind} shots behind on the same boards (95 %){settled}");
            return told("Winner", level, [Text(format!("{}. ", self.score(first))), Bot(second.number), Text(text)]);
        }
        let settled = first.superiority.map(|likelihood| match likelihood {
            SETTLED.. => format!(" The winner is stronger with a likelihood of {:.0} %.", likelihood * 100.0),
            _ => format!(
                " The games do not settle which of the two is stronger (likelihood {:.0} %).",
                likelihood * 100.0
            ),
        });
        let second_place = format!(" is second with {}.{}", percents(second), settled.unwrap_or_default());
        told("Winner", level, [Text(format!("{}. ", self.score(first))), Bot(second.number), Text(second_place)])
    }

    /// The headline of a gauntlet, which is about its first entrant.
    fn of_gauntlet(&self, first: &Standing<'_>) -> Headline {
        let challenger = self.all().iter().find(|one| one.number == 0).unwrap_or(first);
        let others = self.all().len().saturating_sub(1);
        let so_far = if self.is_unequal() { " so far" } else { "" };
        let text = format!("{} against {others} bots{so_far}.", self.score(challenger));
        told("Gauntlet", [challenger.number], [Text(text)])
    }

    /// The rating with its error.
    fn rated(&self, one: &Standing<'_>) -> String {
        let rating = one.rating.error.map(|error| format!("{:+.0} ± {error:.0} Elo, ", one.rating.elo.round() + 0.0));
        format!("{}{}", rating.unwrap_or_default(), self.score(one))
    }

    /// The share of the points, or the mean shots, with the number of games.
    fn score(&self, one: &Standing<'_>) -> String {
        let games = one.row.games().games();
        let games = format!("{games} {}", if games == 1 { "game" } else { "games" });
        match one.shots.filter(|_| self.is_by_shots()) {
            Some(shots) => format!("{shots} shots for a board in {games}"),
            None => format!("{} of the points in {games}", percents(one)),
        }
    }
}

fn told<const N: usize>(
    label: &'static str,
    bots: impl IntoIterator<Item = usize>,
    parts: [HeadlinePart; N],
) -> Headline {
    Headline { label, bots: bots.into_iter().collect(), parts: parts.into() }
}

/// The headline of a knockout, which is about its final.
fn of_knockout(tree: &KnockoutTree) -> Headline {
    let last = tree.last();
    let score = last.score().map(|[own, other]| format!("{own} : {other}"));
    match (last.winner, last.entrants) {
        (Some(winner), [Some(one), Some(other)]) => {
            let loser = if winner == one { other } else { one };
            let is_tied = last.games.wins == last.games.losses;
            let by = if is_tied { ", decided by the points in the games, then by the order of the bots" } else { "" };
            let score = format!(", {}{by}.", score.unwrap_or_default());
            told("Winner", [winner], [Text("Won the final against ".to_owned()), Bot(loser), Text(score)])
        }
        (_, [Some(one), Some(other)]) => {
            let text =
                score.map_or("The final has not begun.".to_owned(), |score| format!("The final stands {score}."));
            told("In the final", [one, other], [Text(text)])
        }
        _ => {
            let open = tree.rounds().iter().position(|round| round.iter().any(|meeting| meeting.winner.is_none()));
            let round = open.map(|index| tree.round(index).to_string()).unwrap_or_default();
            told("Not decided", [], [Text(format!("The {round} is being played."))])
        }
    }
}

fn percents(one: &Standing<'_>) -> String {
    format!("{:.1} %", one.row.games().mean_score().unwrap_or_default() * 100.0)
}
