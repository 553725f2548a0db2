//! The bracket of a knockout, drawn.

use super::bot::ReportBot;
use super::rounds::{APART, BoxSize, MeetingBox, MeetingSide, RoundsPicture, TOP};
use crate::site::MatchPages;
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
    let y = |column: usize, node: usize| middle(column, node, size) - size.height / 2;
    let (mut boxes, mut lines) = (Vec::new(), Vec::new());
    for (column, round) in tree.rounds()[first..].iter().enumerate() {
        for (node, meeting) in round.iter().enumerate().filter(|(_, meeting)| !is_bye(meeting, first + column)) {
            let came = |seat: usize| {
                let before = (first + column).checked_sub(1).map(|before| &tree.rounds()[before][2 * node + seat]);
                before.is_some_and(|before| before.entrants.iter().all(Option::is_some))
            };
            let (x, y) = (x(column), y(column, node));
            boxes.push(MeetingBox { x, y, sides: sides(meeting, bots, came), games: games(meeting, size, pages) });
            if column + 1 < all - first {
                let class = if meeting.winner.is_some() { "went-on" } else { "" };
                let to = self::middle(column + 1, node / 2, size) - size.height / 2 + BoxSize::row(node % 2);
                let (from, end) = (x + size.width, x + size.width + GAP);
                let path = format!("M{from} {}H{}V{to}H{end}", y + size.height / 2, from + GAP / 2);
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
        height: TOP + (1 << (drawn - 1)) * (size.height + APART),
        headings: headings.collect(),
        lines,
        boxes,
    }
}

/// The middle of a box, from above. Those of a column are twice as far apart as those of the column before.
fn middle(column: usize, node: usize, size: BoxSize) -> u32 {
    TOP + (2 * node as u32 + 1) * (size.height + APART) * (1 << column) / 2
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
            table.enter(Entrant { bot: name.clone(), name, details, content: None });
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
