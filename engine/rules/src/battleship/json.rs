//! The dialect: one JSON object for each question. Every question stands alone: it has the rules, and all that its player knows.

use super::choices::Choices;
use super::event::{Hits, Shot, Sinking};
use super::order::{Order, Placed, Refusal, Target};
use super::placing::placed;
use super::state::Battleship;
use super::view::{BoardView, View};
use super::{Event, reading};
use crate::{
    Answer, BySeat, ContentType, Dialect, Fault, FirstRow, Grid, HttpRequest, Listed, Look, Part, Point, Reach, Seat,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// The question for the ships, and the name of its answer.
pub const PLACE: &str = "place";
/// The question for a move, and the name of its answer.
pub const FIRE: &str = "fire";

/// The messages of a match between players of these names.
#[derive(Debug, Clone)]
pub struct Json {
    name: String,
    players: BySeat<String>,
}

impl Json {
    /// The messages of the match of this name.
    pub fn new(name: impl Into<String>, players: BySeat<String>) -> Json {
        Json { name: name.into(), players }
    }
}

#[derive(Serialize)]
struct Question<'a> {
    game: &'static str,
    act: &'static str,
    r#match: &'a str,
    seat: Seat,
    turn: u32,
    #[serde(rename = "moves-left")]
    moves_left: u32,
    shots: u32,
    specials: BTreeMap<&'a str, u8>,
    refused: Option<String>,
    ships: Vec<Placed>,
    boards: Vec<WireBoard<'a>>,
    fired: Vec<&'a Shot>,
    seen: Vec<&'a Shot>,
    hits: &'a [Hits],
    found: Vec<WireFinding<'a>>,
    rules: &'a Choices,
}

#[derive(Serialize)]
struct WireBoard<'a> {
    seat: Seat,
    player: &'a str,
    target: bool,
    rows: Vec<String>,
    sunk: Vec<WireSinking<'a>>,
}

#[derive(Serialize)]
struct WireSinking<'a> {
    #[serde(flatten)]
    sinking: &'a Sinking,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<Target>,
}

#[derive(Serialize)]
struct WireFinding<'a> {
    turn: u32,
    special: &'a str,
    at: Seat,
    aim: Target,
    #[serde(skip_serializing_if = "Option::is_none")]
    ships: Option<Vec<Target>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

fn cells(points: &[Point]) -> Vec<Target> {
    points.iter().copied().map(Target::cell).collect()
}

fn rows(grid: Grid, board: &BoardView) -> Vec<String> {
    let sign = |x, y| grid.index(Point { x, y }).map(|index| board.cells[index].sign());
    (0..grid.height()).map(|y| (0..grid.width()).filter_map(|x| sign(x, y)).collect()).collect()
}

impl Dialect<Battleship> for Json {
    type Message = HttpRequest;

    /// A POST of JSON to the bot's URL.
    fn ask(&self, seat: Seat, view: &View) -> HttpRequest {
        let (rules, choices) = (&view.rules, view.rules.choices());
        let act = if view.placing { PLACE } else { FIRE };
        let others = view.fired.iter().filter(|(who, _)| *who != seat);
        let mut seen: Vec<&Shot> = others.flat_map(|(_, fired)| fired.iter()).collect();
        seen.sort_by_key(|shot| shot.turn);
        let name = |kind: usize| &choices.fleet[kind].name[..];
        let named = |sinking| WireSinking { sinking, name: sinking.kind.map(name), cells: cells(&sinking.cells) };
        // In solo the boards of others say nothing.
        let boards = view.boards.iter().filter(|(owner, _)| *owner == seat || !rules.is_solo());
        let boards = boards.map(|(owner, board)| WireBoard {
            seat: owner,
            player: &self.players[owner],
            target: !view.placing && view.targets().any(|target| target == owner),
            rows: rows(rules.grid(), board),
            sunk: view.sunk.iter().filter(|sinking| sinking.at == owner).map(named).collect(),
        });
        let specials = choices.specials.iter().zip(&view.uses).filter(|(_, uses)| **uses > 0 && !view.placing);
        let found = view.found.iter().map(|finding| WireFinding {
            turn: finding.turn,
            special: &choices.specials[finding.special].name,
            at: finding.at,
            aim: Target::cell(finding.aim),
            ships: finding.distance.is_none().then(|| cells(&finding.ships)),
            distance: finding.distance,
        });
        let question = Question {
            game: "battleship",
            act,
            r#match: &self.name,
            seat,
            turn: view.turn,
            moves_left: view.moves_left,
            shots: view.shots,
            specials: specials.map(|(special, uses)| (&*special.name, *uses)).collect(),
            refused: view.refused.as_ref().map(ToString::to_string),
            ships: view.fleet.as_ref().map(|fleet| placed(rules, fleet)).unwrap_or_default(),
            boards: boards.collect(),
            fired: view.fired[seat].iter().collect(),
            seen,
            hits: &view.hits,
            found: found.collect(),
            rules: choices,
        };
        let body = serde_json::to_vec(&question).expect("structs of texts and numbers are JSON");
        HttpRequest { path: None, content: ContentType::Json, body, answer: act }
    }
}

impl Listed for Battleship {
    const REACH: Reach = Reach::Http;
    const ANSWER_PARTS: &'static [&'static str] = &[PLACE, FIRE];

    /// An answer without text counts as none.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        match parts {
            [] => Err(Fault::NothingWritten),
            [part] if part.bytes.trim_ascii().is_empty() => Err(Fault::NothingWritten),
            [part] => reading::order(&part.bytes),
            _ => Err(Fault::unreadable("an answer has one part")),
        }
    }

    fn write(order: &Order) -> Vec<Part> {
        let name = if matches!(order, Order::Place(_)) { PLACE } else { FIRE };
        let bytes = serde_json::to_vec(order).expect("orders are texts and numbers, which are JSON");
        vec![Part { name, bytes }]
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Refused { seat, why, .. } if !matches!(why, Refusal::NoOrder(_)) => Some(*seat),
            _ => None,
        }
    }

    fn fired(event: &Event) -> Option<(Seat, bool)> {
        match event {
            Event::Fired(shot) => Some((shot.by, false)),
            Event::Used { seat, .. } => Some((*seat, true)),
            _ => None,
        }
    }

    /// The kinds of ships are those of each match.
    fn look() -> Look {
        Look { first_row: FirstRow::Top, ships: Vec::new() }
    }
}
