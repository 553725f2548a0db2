//! Standings for a screen: as many columns side by side as fit, the others below.

use super::bracket;
use crate::show::printable;
use crate::show::text::names::{apart, cut, padded};
use tournament::{Column, ColumnGroup, Standings, WinDrawLoss, columns};
use unicode_width::UnicodeWidthStr;

/// The least columns that a longer name keeps, and the most columns of a name.
const NAME: [usize; 2] = [16, 40];
/// The most columns of a cell.
const CELL: usize = 20;
/// The spaces between two columns.
const GAP: usize = 2;

/// The way in which names are shown that need more columns than there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LongNames {
    /// Without their middle, and different from each other.
    Cut,
    /// Whole, in longer lines.
    Whole,
}

/// The standings, and the points of each bot against each other or the bracket of a knockout, in lines of at most `room` columns, except where whole names
/// need more.
pub(super) fn write(standings: &Standings<'_>, room: usize, long: LongNames) -> String {
    let names: Vec<String> = standings.all().iter().map(|one| printable(&one.entrant.name)).collect();
    let places: Vec<String> = standings.all().iter().map(|one| one.place.to_string()).collect();
    let blocks = |heading: &str, columns: &[Column]| blocks(heading, (&places, &names), columns, room, long);
    let mut parts = blocks("bot", &columns(standings));
    if standings.needs_order_told() {
        parts.insert(0, format!("{}\n", standings.order()));
    }
    if let Some(bracket) = bracket::write(standings, room) {
        parts.push(bracket);
    } else if standings.has_cross_table() {
        let percent = |games: &WinDrawLoss| games.mean_score().map(|share| format!("{:.0}", share * 100.0));
        let figures = blocks("against", &cross(standings, WinDrawLoss::in_figures));
        let shares = || blocks("in % against", &cross(standings, percent));
        let mut found = if figures.len() == 1 { figures } else { shares() };
        if found.len() > 1 {
            found = vec!["The cross table needs a wider screen, or: broadside standings --format html\n".to_owned()];
        }
        parts.append(&mut found);
    }
    parts.extend(standings.notes().into_iter().map(|note| format!("{}\n", printable(&note))));
    parts.join("\n")
}

/// A column for each bot with the results of all bots against it, best first.
pub(super) fn cross(standings: &Standings<'_>, cell: impl Fn(&WinDrawLoss) -> Option<String>) -> Vec<Column> {
    let all = standings.all();
    let against = |opponent: usize| {
        let games = all.iter().map(move |one| standings.table().between(one.number, opponent));
        games.map(|games| cell(&games).unwrap_or_else(|| "·".to_owned())).collect()
    };
    let column = |heading: usize, cells| Column {
        heading: heading.to_string(),
        meaning: "Points out of the games against this bot",
        part: ColumnGroup::Results,
        cells,
    };
    all.iter().map(|other| column(other.place, against(other.number))).collect()
}

/// A column in text: its heading and cells, and its width with the gap before it.
struct TextColumn {
    cells: Vec<String>,
    width: usize,
}

impl TextColumn {
    fn new(column: &Column) -> TextColumn {
        let cells = [&column.heading].into_iter().chain(&column.cells).map(|cell| cut(&printable(cell), CELL));
        let cells: Vec<String> = cells.collect();
        let width = GAP + cells.iter().map(|cell| cell.width()).max().unwrap_or_default();
        TextColumn { cells, width }
    }
}

/// Columns behind places and names, in as many blocks as they need. Columns of one group stay together if they fit.
fn blocks(
    heading: &str,
    (places, names): (&[String], &[String]),
    columns: &[Column],
    room: usize,
    long: LongNames,
) -> Vec<String> {
    let longest = names.iter().map(|name| name.width()).chain([heading.width()]).max().unwrap_or_default();
    let least = longest.min(NAME[0]);
    let digits = names.len().to_string().len();
    let left = room.saturating_sub(digits + GAP + least);
    let used = |columns: &[TextColumn]| columns.iter().map(|column| column.width).sum::<usize>();
    let (mut blocks, mut block) = (Vec::new(), Vec::new());
    for part in columns.chunk_by(|one, next| one.part == next.part) {
        let part: Vec<TextColumn> = part.iter().map(TextColumn::new).collect();
        let mut wanted = used(&part);
        for column in part {
            if !block.is_empty() && used(&block) + wanted.max(column.width) > left {
                blocks.push(std::mem::take(&mut block));
            }
            wanted = 0;
            block.push(column);
        }
    }
    blocks.push(block);
    let spare = left.saturating_sub(blocks.iter().map(|block| used(block)).max().unwrap_or_default());
    let name = if long == LongNames::Whole { longest } else { longest.min((least + spare).min(NAME[1])) };
    let names = apart(names, name);
    let line = |block: &[TextColumn], at: usize| {
        let (place, who) = match at.checked_sub(1) {
            Some(row) => (places[row].as_str(), names[row].as_str()),
            None => ("", heading),
        };
        let mut line = format!("{place:>digits$}{}{}", " ".repeat(GAP), padded(who, name));
        for TextColumn { cells, width } in block {
            line.push_str(&" ".repeat(width - cells[at].width()));
            line.push_str(&cells[at]);
        }
        format!("{}\n", line.trim_end())
    };
    blocks.iter().map(|block| (0..=names.len()).map(|at| line(block, at)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn column(heading: &str, part: ColumnGroup, cell: impl Fn(usize) -> String) -> Column {
        Column { heading: heading.to_owned(), meaning: "", part, cells: (0..30).map(cell).collect() }
    }

    fn places(bots: usize) -> Vec<String> {
        (1..=bots).map(|place| place.to_string()).collect()
    }

    #[test]
    fn no_line_is_longer_than_the_screen() {
        let names: Vec<String> = (0..30).map(|nth| "很長的名字".repeat(nth)).collect();
        let parts = [ColumnGroup::Results, ColumnGroup::Games, ColumnGroup::Times, ColumnGroup::Faults];
        for digits in 0..30 {
            let number = |nth: usize| "9".repeat(if nth == 7 { digits } else { 1 });
            let columns: Vec<Column> =
                (0..20).map(|nth| column(&format!("column {nth}"), parts[nth / 5], number)).collect();
            for room in [50, 80, 100, 200, 600] {
                let blocks = blocks("bot", (&places(30), &names), &columns, room, LongNames::Cut);
                let widest = blocks.iter().flat_map(|block| block.lines()).map(|line| line.width()).max().unwrap();
                assert!(widest <= room, "{widest} of {room}:\n{}", blocks.join("\n"));
                assert!((0..20).all(|nth| blocks.iter().any(|block| block.contains(&format!("column {nth}")))));
                assert_eq!(blocks.len() == 1, room == 600);
            }
        }
    }

    #[test]
    fn long_names_are_told_apart_on_a_screen_and_whole_in_a_file() {
        let names: Vec<String> = ["", " (chrislangenhoven)", " (chrislangenhoven-2)", " (chris, another one)"]
            .iter()
            .map(|rest| format!("Macgregor_V3{rest}"))
            .collect();
        let columns: Vec<Column> = (0..8).map(|_| column("figures", ColumnGroup::Results, |_| "9".repeat(9))).collect();
        let shown = |long| blocks("bot", (&places(4), &names), &columns, 80, long).concat();
        let screen = shown(LongNames::Cut);
        let lines: BTreeSet<&str> = screen.lines().filter_map(|line| line.get(3..19)).collect();
        assert!(names.len() < lines.len() && screen.lines().all(|line| line.width() <= 80), "{screen}");
        let file = shown(LongNames::Whole);
        assert!(names.iter().all(|name| file.contains(name)), "{file}");
    }

    #[test]
    fn columns_of_one_part_stay_together() {
        let names = vec!["a".to_owned(); 30];
        let wide = |nth| {
            column(&format!("{nth}"), if nth < 3 { ColumnGroup::Results } else { ColumnGroup::Games }, |_| {
                "8".repeat(9)
            })
        };
        let columns: Vec<Column> = (0..6).map(wide).collect();
        let found = blocks("bot", (&places(30), &names), &columns, 60, LongNames::Cut);
        assert_eq!(found.len(), 2);
        assert!(
            found[0].starts_with("    bot          0          1          2\n 1  a    888888888  888888888"),
            "{}",
            found[0]
        );
    }
}
