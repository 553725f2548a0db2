//! The bracket of a knockout for a screen, drawn from left to right.

use crate::show::printable;
use crate::show::text::names::{apart, cut, padded};
use tournament::{KnockoutMeeting, KnockoutTree, Standings};
use unicode_width::UnicodeWidthStr;

/// The least columns of a round on the screen.
const LEAST: usize = 14;
/// The columns of a round that are not text: the space and the line before the text, the space and the line behind it.
const LINES: usize = 4;
/// The sign behind a score that did not decide the meeting, and its explanation.
const TIED: (&str, &str) = ("*", "* tied: decided by the points in the games, then by the order of the bots");

/// The bracket in lines of at most `room` columns; `None` if there is none. On a screen that is too narrow for all rounds it has
/// the last ones.
pub(super) fn write(standings: &Standings<'_>, room: usize) -> Option<String> {
    let table = standings.table();
    let tree = KnockoutTree::of(table).filter(|_| table.results().games() > 0)?;
    let names: Vec<String> = table.entrants().iter().map(|entrant| printable(&entrant.name)).collect();
    let rounds = tree.rounds().len();
    let drawn = rounds.min((room / LEAST).saturating_sub(1)).max(1);
    let score = tree.rounds().iter().flatten().map(|meeting| score(meeting).width()).max().unwrap_or_default();
    let longest = names.iter().map(|name| name.width()).max().unwrap_or_default();
    let width = (room / (drawn + 1)).min(longest + score + LINES + 1).max(LEAST);
    let names = apart(&names, width.saturating_sub(score + LINES + 1).max(1));
    let drawing = Drawing { tree: &tree, names: &names, first: rounds - drawn, drawn, width };
    let mut lines: Vec<String> = (0..2_usize << drawn).map(|y| drawing.line(y)).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.insert(0, drawing.headings());
    if drawing.first > 0 {
        lines.push("Rounds before these: broadside standings --format json".to_owned());
    }
    if tree.rounds()[drawing.first..].iter().flatten().any(is_tied) {
        lines.push(TIED.1.to_owned());
    }
    Some(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// The last rounds of a bracket on a screen. Column 0 has those who enter the first of them, each other one the winners of the
/// round before.
struct Drawing<'a> {
    tree: &'a KnockoutTree,
    names: &'a [String],
    /// The first round that is drawn.
    first: usize,
    /// The number of rounds that are drawn.
    drawn: usize,
    /// The columns of the screen for each column.
    width: usize,
}

impl Drawing<'_> {
    fn headings(&self) -> String {
        let heading = |column: usize| match self.first + column {
            last if last == self.tree.rounds().len() => "winner".to_owned(),
            round => self.tree.round(round).to_string(),
        };
        let headings = (0..=self.drawn).map(|column| {
            let lead = if column > 0 { " " } else { "" };
            padded(&format!("{lead}{}", heading(column)), self.width)
        });
        headings.collect::<String>().trim_end().to_owned()
    }

    fn line(&self, y: usize) -> String {
        let parts: String = (0..=self.drawn).map(|column| self.part(column, y)).collect();
        parts.trim_end().to_owned()
    }

    /// The part of line `y` in a column. The nodes of a column are twice as far apart as those of the column before.
    fn part(&self, column: usize, y: usize) -> String {
        let step = 2_usize << column;
        let (node, within) = (y / step, y % step);
        let middle = step / 2 - 1;
        let is_last = column == self.drawn;
        if node >= 1 << (self.drawn - column) || self.is_bye(column, node) {
            return " ".repeat(self.width);
        }
        if within == middle {
            let text = self.text(column, node);
            let corner = match node % 2 {
                _ if is_last => "",
                0 => "┐",
                _ => "┘",
            };
            let dashes = |text: &str| match text {
                _ if is_last => String::new(),
                "" => "─".repeat(self.width - 1),
                text => format!(" {}", "─".repeat(self.width.saturating_sub(text.width() + 2))),
            };
            return padded(&format!("{text}{}{corner}", dashes(&text)), self.width);
        }
        // Between the nodes of a meeting: behind the upper one, before the lower one.
        let is_between = !is_last && if node % 2 == 0 { within > middle } else { within < middle };
        let line = match is_between {
            false => " ",
            true if node % 2 == 0 && within == step - 1 => "├",
            true => "│",
        };
        format!("{}{line}", " ".repeat(self.width - 1))
    }

    /// True for the places of a meeting in which somebody is missing; the other one is drawn a round later.
    fn is_bye(&self, column: usize, node: usize) -> bool {
        column == 0 && self.first == 0 && self.tree.rounds()[0][node / 2].entrants.contains(&None)
    }

    fn text(&self, column: usize, node: usize) -> String {
        let name = |at: Option<usize>| at.map_or("", |at| self.names[at].as_str());
        let Some(round) = column.checked_sub(1) else {
            return name(self.tree.rounds()[self.first][node / 2].entrants[node % 2]).to_owned();
        };
        let meeting = &self.tree.rounds()[self.first + round][node];
        let text = [name(meeting.winner), &score(meeting)].join(" ");
        let text = text.trim();
        if text.is_empty() { String::new() } else { cut(&format!(" {text}"), self.width - 2) }
    }
}

/// The score, winner first; unfinished meetings start with `…`.
fn score(meeting: &KnockoutMeeting) -> String {
    let Some([own, other]) = meeting.score() else { return String::new() };
    let (before, behind) = match meeting.winner {
        None => ("… ", ""),
        Some(_) if is_tied(meeting) => ("", TIED.0),
        Some(_) => ("", ""),
    };
    format!("{before}{own}:{other}{behind}")
}

/// True if a meeting was decided although it is tied in games.
fn is_tied(meeting: &KnockoutMeeting) -> bool {
    meeting.winner.is_some() && meeting.score().is_some_and(|[own, other]| own == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::tournament::table_fixture::{game, table};
    use tournament::{Fixture, Format, ScoreTable};

    /// A knockout of these bots in which the first of each of these pairs wins so many games of all.
    fn knockout(names: &[&str], meetings: &[(usize, usize, u32, u32)]) -> ScoreTable {
        let mut table = table(Format::Knockout, names);
        for &(one, other, won, games) in meetings {
            for number in 0..games {
                let fixture = Fixture { first: one.min(other), second: one.max(other), number };
                let first = fixture.seat_of_first();
                // A meeting is tied only if it is tied after each pair of games that is added.
                let wins = if 2 * won == games { number % 2 == 0 } else { number < won };
                table.add(&game(fixture, if wins == (one < other) { first } else { first.opponent() }));
            }
        }
        table
    }

    fn drawn(table: &ScoreTable, room: usize) -> String {
        write(&Standings::new(table, None), room).unwrap()
    }

    #[test]
    fn a_bracket_is_a_tree_with_names_and_scores() {
        let table =
            knockout(&["Ann", "Bob", "Cyd", "Dee", "Eve"], &[(4, 3, 3, 4), (0, 4, 12, 24), (1, 2, 4, 4), (0, 1, 1, 2)]);
        let expected = "\
quarter-final  semi-final    final         winner

               Ann ────────┐
                           │
                           ├ Ann 12:12* ─┐
Dee ─────────┐             │             │
             ├ Eve 3:1 ────┘             │
Eve ─────────┘                           │
                                         ├ … 1:1
                                         │
               Bob ────────┐             │
                           │             │
                           ├ Bob 4:0 ────┘
                           │
               Cyd ────────┘
* tied: decided by the points in the games, then by the order of the bots
";
        assert_eq!(drawn(&table, 80), expected);
    }

    #[test]
    fn names_are_cut_and_rounds_left_out_until_it_fits() {
        let names: Vec<String> = (0..64).map(|nth| format!("A bot with a long name, version {nth}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let first: Vec<_> = (0..32).map(|nth| (nth, 63 - nth, 10, 10)).collect();
        let table = knockout(&names, &[first, vec![(0, 31, 10, 10)]].concat());
        for room in [30, 80, 81, 200] {
            let shown = drawn(&table, room);
            assert!(
                shown.lines().filter(|line| !line.starts_with("Rounds")).all(|line| line.width() <= room),
                "{shown}"
            );
            assert_eq!(shown.contains("Rounds before these"), room < 100, "{shown}");
        }
        let few = knockout(&names[..3], &[(1, 2, 4, 4), (1, 0, 3, 4)]);
        let shown = drawn(&few, 80);
        assert!(shown.contains("…version 1 3:1") && !shown.contains("tied"), "{shown}");
        assert_eq!(write(&Standings::new(&knockout(&names[..3], &[]), None), 80), None);
    }
}
