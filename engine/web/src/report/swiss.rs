//! The rounds of a Swiss tournament, drawn: a column of meetings for each round, and the way of each bot through them.

use super::bot::ReportBot;
use super::rounds::{APART, BoxSize, MeetingBox, MeetingSide, RoundsPicture, TOP};
use crate::site::MatchPages;
use std::collections::BTreeMap;
use tournament::{SwissMeeting, SwissRound, SwissTable};

/// The most bots of a picture.
const MOST_BOTS: usize = 64;
/// The distance between two columns, in pixels.
const GAP: u32 = 44;

/// The picture of the rounds; `None` if there are too many bots to see anything. `bots` is in the order of the entrants.
pub(super) fn swiss(table: &SwissTable, bots: &[ReportBot], pages: Option<&MatchPages>) -> Option<RoundsPicture> {
    if bots.len() > MOST_BOTS {
        return None;
    }
    let size = BoxSize::new(bots, pages);
    let x = |column: usize| (column as u32) * (size.width + GAP);
    let (mut boxes, mut lines, mut end) = (Vec::new(), Vec::new(), TOP);
    let mut before: BTreeMap<usize, u32> = BTreeMap::new();
    for (column, round) in table.rounds().iter().enumerate() {
        let mut heights = BTreeMap::new();
        for (nth, (entrants, sides, games)) in meetings(round, column > 0, bots, size, pages).into_iter().enumerate() {
            let y = TOP + nth as u32 * (size.height + APART);
            heights.extend(entrants.iter().enumerate().map(|(row, entrant)| (*entrant, y + BoxSize::row(row))));
            let rows = entrants.len();
            end = end.max(if rows == 1 { y + BoxSize::row(1) } else { y + size.height + APART });
            boxes.push(MeetingBox { x: x(column), y, sides, games });
        }
        for (entrant, from) in &before {
            let Some(to) = heights.get(entrant) else { continue };
            let right = x(column);
            let (begin, middle) = (right - GAP, right - GAP / 2);
            let path = format!("M{begin} {from}C{middle} {from} {middle} {to} {right} {to}");
            lines.push((format!("way {}", bots[*entrant].colour()), path));
        }
        before = heights;
    }
    let rounds = table.rounds().len();
    let links = if pages.is_some() { " A number opens a game that was kept." } else { "" };
    Some(RoundsPicture {
        id: "rounds",
        title: "Rounds",
        hint: format!(
            "Each round pairs bots that have done equally well so far, the best first; {rounds} of {} rounds. A rest counts as \
             won.{links}",
            table.planned()
        ),
        size,
        width: x(rounds - 1) + size.width,
        height: end,
        headings: (0..rounds).map(|column| (format!("Round {}", column + 1), x(column))).collect(),
        lines,
        boxes,
    })
}

type Drawn = (Vec<usize>, Vec<MeetingSide>, Vec<super::rounds::GameLink>);

/// The meetings of a round, and at the end who rests. `is_later` is true behind the first round.
fn meetings(
    round: &SwissRound,
    is_later: bool,
    bots: &[ReportBot],
    size: BoxSize,
    pages: Option<&MatchPages>,
) -> Vec<Drawn> {
    let meeting = |meeting: &SwissMeeting| {
        let [one, other] = meeting.entrants;
        let games = [meeting.games, meeting.games.swapped()];
        let side = |seat: usize| MeetingSide {
            bot: Some(bots[meeting.entrants[seat]].clone()),
            points: if meeting.games.games() > 0 { games[seat].points().to_string() } else { String::new() },
            has_won: meeting.is_over() && games[seat].wins > games[seat].losses,
            is_spoiler: is_later,
        };
        let links = size.links(pages, one, other, meeting.numbers.clone());
        (vec![one, other], [0, 1].map(side).into(), links)
    };
    let rest = |entrant: usize| {
        let bot = Some(bots[entrant].clone());
        let side = MeetingSide { bot, points: "rests".to_owned(), has_won: false, is_spoiler: is_later };
        (vec![entrant], vec![side], Vec::new())
    };
    round.meetings.iter().map(meeting).chain(round.resting.map(rest)).collect()
}
