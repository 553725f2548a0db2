//! Matches to show: real ones, and scenes of games that do not exist.

use analysis::{MatchAnalysis, MatchAnalyst};
use arena::{ArenaError, Ask, GameHistory, MatchHistory, Observers, Player, Players, Reply, Sequence, TimeUsed, play};
use rand::RngExt;
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Phase, Placement, Settings, Weapon};
use rules::sea_battle::{self, SeaBattle};
use rules::{
    BoardScene, BySeat, CellScene, Eye, Fault, FirstRow, Game, GameKind, Grid, Highlight, HighlightKind, Mark, Mover,
    Outcome, Point, Random, SalvoTotal, Scene, Seat, Seats, ShipScene, Sinking,
};
use std::time::Duration;
use web::About;

/// The way in which a player decides.
#[derive(Clone, Copy)]
pub(crate) enum Brain {
    /// Like the reference bot.
    Hunter,
    /// Any order, legal or not, and faults.
    Wild,
}

struct Seated {
    brain: Brain,
    random: Random,
}

impl Player<Entelect2017> for Seated {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        let view = ask.view();
        let answer = match self.brain {
            Brain::Hunter => {
                let files = Files::new(["Alpha", "Bravo"].into_iter().map(PlayerInfo::named).collect());
                let state = serde_json::from_slice(&files.player_files(&view)[0].bytes).unwrap();
                Ok(hunter::decide(&state, &mut self.random).unwrap())
            }
            Brain::Wild if view.phase == Phase::One => {
                Ok(Placement::at_random(view.size, &mut self.random).unwrap().into())
            }
            Brain::Wild => self.anything(i32::from(view.size.side())),
        };
        let wall = Duration::from_micros(self.random.random_range(300..9000));
        Ok(Reply { answer, given: Vec::new(), time: Some(TimeUsed { wall, cpu: None }), run: None, notes: None })
    }
}

impl Seated {
    fn anything(&mut self, side: i32) -> Result<Order, Fault> {
        let random = &mut self.random;
        let centre = Point::new(random.random_range(0..side), random.random_range(0..side));
        match random.random_range(0..20) {
            0 => Err(Fault::unreadable("command.txt: \u{202e}<b>no</b>")),
            1 => Ok(Order::DoNothing),
            2 | 3 => Ok(Order::Shield { centre }),
            4..8 => Ok(Order::Fire { weapon: Weapon::ALL[random.random_range(0..Weapon::ALL.len())], centre }),
            _ => Ok(Order::Fire { weapon: Weapon::SingleShot, centre }),
        }
    }
}

/// The state before the first round.
pub(crate) fn first(size: MapSize) -> Entelect2017 {
    Entelect2017::start(&Settings { size }, 2, 0).unwrap()
}

/// Players who play the same match for the same seed.
pub(crate) fn players(brains: [Brain; 2], seed: u64) -> Players<Entelect2017> {
    let seats = Seats::first(2);
    let player = |(seat, brain)| -> Box<dyn Player<Entelect2017>> {
        Box::new(Seated { brain, random: rules::random(rules::seat_seed(seed, seat)) })
    };
    seats.iter().zip(brains).map(player).collect()
}

/// A whole match.
pub(crate) fn match_history(size: MapSize, brains: [Brain; 2], seed: u64) -> GameHistory<Entelect2017> {
    let game = first(size);
    let mut match_history = GameHistory::new(game.clone(), 2);
    play(game, &mut players(brains, seed), Sequence::InTurn, &mut match_history).unwrap();
    match_history
}

/// A whole match with its analysis.
pub(crate) fn analysed_match(
    size: MapSize,
    brains: [Brain; 2],
    seed: u64,
) -> (GameHistory<Entelect2017>, MatchAnalysis) {
    let game = first(size);
    let mut match_history = GameHistory::new(game.clone(), 2);
    let mut analyst = MatchAnalyst::new(["one", "two"].into_iter().map(str::to_owned).collect(), true);
    let mut observers = Observers::new();
    observers.add(&mut match_history);
    observers.add(&mut analyst);
    play(game, &mut players(brains, seed), Sequence::InTurn, &mut observers).unwrap();
    drop(observers);
    (match_history, analyst.finish())
}

/// Places its ships, then uses its radar or fires at any cell, now and then at one that it has just hit.
struct Sailor(Random);

impl Player<SeaBattle> for Sailor {
    fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<sea_battle::Order>, ArenaError> {
        let view = ask.view();
        let at = Point::new(self.0.random_range(0..10), self.0.random_range(0..10));
        let order = match view.own_shots.last() {
            _ if view.turn == 0 => sea_battle::Order::Place(sea_battle::random_fleet(&mut self.0)),
            Some(last) if last.result.is_hit() && view.turn.is_multiple_of(3) => sea_battle::Order::Shoot(last.at),
            Some(_) if view.turn > 20 && !view.radar_used => sea_battle::Order::Radar(at),
            _ => sea_battle::Order::Shoot(at),
        };
        Ok(Reply { answer: Ok(order), given: Vec::new(), time: None, run: None, notes: None })
    }
}

/// A whole match of Sea Battle.
pub(crate) fn sea_battle(seed: u64) -> GameHistory<SeaBattle> {
    let game = SeaBattle::start(&sea_battle::Settings::default(), 2, seed).unwrap();
    let sailor = |seat| -> Box<dyn Player<SeaBattle>> { Box::new(Sailor(rules::random(rules::seat_seed(seed, seat)))) };
    let mut players: Players<SeaBattle> = Seats::first(2).iter().map(sailor).collect();
    let mut match_history = GameHistory::new(game.clone(), 2);
    play(game, &mut players, Sequence::InTurn, &mut match_history).unwrap();
    match_history
}

/// Facts about a match between players with these names.
pub(crate) fn about<const N: usize>(names: [&str; N]) -> About {
    About {
        names: names.into_iter().map(str::to_owned).collect::<BySeat<_>>(),
        title: "Entelect Challenge 2017, 10 × 10".to_owned(),
        played: "21 November 2026, 17:12".to_owned(),
        seed: Some(u64::MAX),
        engine: "0.1.0".to_owned(),
        note: None,
        most_turns: None,
    }
}

/// Scenes of no real game: anything that a scene can be.
pub(crate) struct Painted {
    seats: u8,
    /// By moment, then by eye.
    scenes: Vec<Vec<Scene>>,
    times: Vec<(Seat, TimeUsed)>,
}

impl Painted {
    /// This many scenes of boards of this size.
    pub(crate) fn new(seats: u8, grid: Grid, scenes: usize, seed: u64) -> Painted {
        let mut random = rules::random(seed);
        let paint = |at| (0..=seats).map(|_| scene(at, seats, grid, &mut random)).collect::<Vec<_>>();
        let times = vec![(Seat::A, TimeUsed { wall: Duration::from_millis(12), cpu: None })];
        Painted { seats, scenes: (0..scenes).map(paint).collect(), times }
    }
}

fn scene(at: usize, seats: u8, grid: Grid, random: &mut Random) -> Scene {
    let board = |seat| {
        let cells = grid.points().map(|_| cell(random)).collect();
        let count = random.random_range(0..3);
        BoardScene {
            seat,
            first_row: FirstRow::Bottom,
            grid,
            cells,
            fleet: (0..random.random_range(0..3)).map(|_| ship(random)).collect(),
            facts: ["ships", "radar"].into_iter().zip(numbers(random)).take(count).collect(),
            measures: [("hits", random.random_range(-3..50))].into_iter().take(count).collect(),
            deed: ["", "fired", "<i>passed</i>"][random.random_range(0..3)].to_owned(),
        }
    };
    let boards = Seats::first(seats).iter().map(board).collect();
    let kinds = [HighlightKind::Hit, HighlightKind::Sinking, HighlightKind::Special, HighlightKind::Fault];
    let kind = kinds[random.random_range(0..kinds.len())];
    let highlights = if at == 0 { Vec::new() } else { vec![Highlight { seat: Seat::A, kind }] };
    let seat = |random: &mut Random| Seat::new(random.random_range(0..seats)).unwrap();
    let left = random.random_range(0..3);
    Scene {
        title: format!("Move {at}"),
        boards,
        highlights,
        mover: (left > 0).then(|| Mover { seat: seat(random), shots: 3, left }),
        total: (left == 0).then(|| SalvoTotal { seat: seat(random), shots: 3, hits: 1 }),
        // Those of a later scene begin with those of an earlier one.
        sinkings: (0..at / 2).map(|_| Sinking { by: Seat::A, target: Seat::B, letter: 'S' }).collect(),
    }
}

fn ship(random: &mut Random) -> ShipScene {
    let (length, sunk) = (random.random_range(1..6), random.random_range(0..2) == 0);
    ShipScene { letter: 'S', name: "ship".into(), length, sunk }
}

fn numbers(random: &mut Random) -> Vec<String> {
    (0..2).map(|_| random.random_range(0..9).to_string()).collect()
}

fn cell(random: &mut Random) -> CellScene {
    let marks = [
        Mark::Water,
        Mark::Water,
        Mark::Ship('S'),
        Mark::Ship('?'),
        Mark::Damaged('S'),
        Mark::Hit(Some('S')),
        Mark::Hit(None),
        Mark::Miss,
        Mark::Shot,
        Mark::ShieldHit,
    ];
    CellScene {
        mark: marks[random.random_range(0..marks.len())],
        shielded: random.random_range(0..6) == 0,
        fresh: random.random_range(0..9) == 0,
        scanned: random.random_range(0..9) == 0,
    }
}

impl MatchHistory for Painted {
    fn kind(&self) -> GameKind {
        GameKind::Entelect2017
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn scenes(&self) -> usize {
        self.scenes.len()
    }

    fn scene(&self, at: usize, eye: Eye) -> Scene {
        let eye = match eye {
            Eye::Referee => 0,
            Eye::Seat(seat) => seat.index() + 1,
            Eye::Everyone => panic!("nobody asks for what everyone sees"),
        };
        self.scenes[at][eye].clone()
    }

    fn times(&self, _: usize) -> &[(Seat, TimeUsed)] {
        &self.times
    }

    fn outcome(&self) -> Option<&Outcome> {
        None
    }
}
