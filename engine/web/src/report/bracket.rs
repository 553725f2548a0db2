//! The bracket of a knockout, drawn.

use super::bot::ReportBot;
use super::rounds::{APART, BoxSize, MeetingBox, MeetingSide, RoundsPicture, TOP};
use crate::site::MatchPages;
use std::collections::BTreeMap;
use tournament::{KnockoutMeeting, KnockoutTree};

/// The most rounds that are drawn: the last ones.
const MOST_ROUNDS: usize = 6;
/// The distance between two columns, in pixels.
const GAP: u32 = 32;

/// The picture of a bracket. `bots` is in the order of the entrants.
pub(super) fn bracket(tree: &KnockoutTree, bots: &[ReportBot], pages: Option<&MatchPages>) -> RoundsPicture {
    let all = tree.rounds().len();
    let first = all.saturating_sub(MOST_ROUNDS);
    let size = BoxSize::new(bots, pages);
    let x = |column: usize| (column as u32) * (size.width + GAP);
    let mut layout = Layout { size, first, tree, heights: BTreeMap::new(), end: TOP };
    layout.place(all - 1, 0);
    let y = |round: usize, node: usize| layout.heights[&(round, node)];
    let (mut boxes, mut lines) = (Vec::new(), Vec::new());
    for (column, round) in tree.rounds()[first..].iter().enumerate() {
        for (node, meeting) in round.iter().enumerate().filter(|(_, meeting)| !is_bye(meeting, first + column)) {
            let came = |seat: usize| {
                let before = (first + column).checked_sub(1).map(|before| &tree.rounds()[before][2 * node + seat]);
                before.is_some_and(|before| before.entrants.iter().all(Option::is_some))
            };
            let (x, from_above) = (x(column), y(first + column, node));
            boxes.push(MeetingBox {
                x,
                y: from_above,
                sides: sides(meeting, bots, came),
                games: games(meeting, size, pages),
            });
            if column + 1 < all - first {
                let class = if meeting.winner.is_some() { "went-on" } else { "" };
                let to = y(first + column + 1, node / 2) + BoxSize::row(node % 2);
                let (from, end) = (x + size.width, x + size.width + GAP);
                let path = format!("M{from} {}H{}V{to}H{end}", from_above + size.height / 2, from + GAP / 2);
                lines.push((class.to_owned(), path));
            }
        }
    }
    let drawn = all - first;
    let headings = (0..drawn).map(|column| (capital(&tree.round(first + column).to_string()), x(column)));
    let cut = if first > 0 { " The rounds before these are not drawn." } else { "" };
    let links = if pages.is_some() { " A number opens a game that was kept." } else { "" };
    let ties = if tree.rounds().iter().flatten().any(is_tied) {
        " A tie was decided by the points in the games, then by the order of the bots."
    } else {
        ""
    };
    RoundsPicture {
        id: "bracket",
        title: "Bracket",
        hint: format!("Points in the games of each meeting.{links}{cut}{ties}"),
        size,
        width: x(drawn - 1) + size.width,
        height: layout.end,
        headings: headings.collect(),
        lines,
        boxes,
    }
}

/// The heights of the boxes.
struct Layout<'a> {
    tree: &'a KnockoutTree,
    /// The first round that is drawn.
    first: usize,
    size: BoxSize,
    /// The upper edge of each box, by the index of its round and its place in it.
    heights: BTreeMap<(usize, usize), u32>,
    /// The end of what has its place.
    end: u32,
}

impl Layout<'_> {
    /// Gives a box and all before it their places, and returns its upper edge: in the middle of those before it, or below all others
    /// if none is drawn before it.
    fn place(&mut self, round: usize, node: usize) -> u32 {
        let mut before = Vec::new();
        if let Some(earlier) = round.checked_sub(1).filter(|earlier| *earlier >= self.first) {
            for child in [2 * node, 2 * node + 1] {
                if !is_bye(&self.tree.rounds()[earlier][child], earlier) {
                    before.push(self.place(earlier, child));
                }
            }
        }
        let y = match before[..] {
            [] => {
                self.end += self.size.height + APART;
                self.end - self.size.height - APART
            }
            _ => before.iter().sum::<u32>() / before.len() as u32,
        };
        self.heights.insert((round, node), y);
        y
    }
}

/// True for a place of the first round in which somebody is missing; the other one is drawn a round later.
fn is_bye(meeting: &KnockoutMeeting, round: usize) -> bool {
    round == 0 && meeting.entrants.contains(&None)
}

/// True if a meeting was decided although it is tied in games.
fn is_tied(meeting: &KnockoutMeeting) -> bool {
    meeting.winner.is_some() && meeting.score().is_some_and(|[own, other]| own == other)
}

/// Both sides. `came` tells whether the one from above or from below has come by winning.
fn sides(meeting: &KnockoutMeeting, bots: &[ReportBot], came: impl Fn(usize) -> bool) -> Vec<MeetingSide> {
    let games = [meeting.games, meeting.games.swapped()];
    let side = |seat: usize| MeetingSide {
        bot: meeting.entrants[seat].map(|entrant| bots[entrant].clone()),
        points: if meeting.games.games() > 0 { games[seat].points().to_string() } else { String::new() },
        has_won: meeting.winner.is_some() && meeting.winner == meeting.entrants[seat],
        is_spoiler: came(seat),
    };
    [0, 1].map(side).into()
}

fn games(meeting: &KnockoutMeeting, size: BoxSize, pages: Option<&MatchPages>) -> Vec<super::rounds::GameLink> {
    let [Some(one), Some(other)] = meeting.entrants else { return Vec::new() };
    size.links(pages, one, other, 0..u32::MAX)
}

/// `text` with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{GameKind, PlayerInfo};
    use tournament::{Entrant, Fixture, Format, ScoreTable, Standings, TournamentHeader};

    fn drawn(bots: usize, pages: &MatchPages) -> RoundsPicture {
        let header = TournamentHeader::new(GameKind::SeaBattle, serde_json::json!({}), Format::Knockout, None, 1);
        let mut table = ScoreTable::new(header);
        for name in (0..bots).map(|nth| format!("bot {nth}")) {
            let details = PlayerInfo::named(&name);
            table.enter(Entrant::new(name.clone(), name, details));
        }
        let bots = super::super::in_order_of_entrants(&Standings::new(&table, None));
        bracket(&KnockoutTree::of(&table).expect("a knockout"), &bots, Some(pages))
    }

    #[test]
    fn every_meeting_has_a_box_and_who_begins_later_has_none_before() {
        let picture = drawn(5, &MatchPages::default());
        let names: Vec<&str> = picture.headings.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Quarter-final", "Semi-final", "Final"]);
        let bots = picture.boxes.iter().map(|meeting| meeting.sides.iter().filter(|side| side.bot.is_some()).count());
        assert_eq!(bots.collect::<Vec<_>>(), [2, 1, 2, 0], "one meeting, two semi-finals, the final");
        assert_eq!(picture.lines.len(), 3, "each meeting but the last leads to another");
        assert!(
            picture.boxes.iter().flat_map(|meeting| &meeting.sides).all(|side| !side.is_spoiler || side.bot.is_none())
        );
        let inside = |meeting: &MeetingBox| {
            meeting.x + picture.size.width <= picture.width && meeting.y + picture.size.height <= picture.height
        };
        assert!(picture.boxes.iter().all(inside));
    }

    #[test]
    fn a_large_bracket_has_its_last_rounds_and_a_meeting_its_last_games() {
        let mut pages = MatchPages::default();
        (0..40).for_each(|number| pages.add(Fixture { first: 0, second: 1, number }));
        let picture = drawn(300, &pages);
        assert_eq!((picture.headings.len(), picture.boxes.len()), (6, 63));
        assert!(picture.hint.contains("The rounds before these are not drawn."));
        let links = picture.size.links(Some(&pages), 1, 0, 0..u32::MAX);
        let numbers: Vec<u32> = links.iter().map(|link| link.number).collect();
        assert!(numbers.len() > 3 && numbers.ends_with(&[39, 40]), "{numbers:?}");
    }
}
