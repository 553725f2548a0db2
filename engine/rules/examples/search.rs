//! A player of botsArena that looks one move ahead, in worlds that may be the true one.
//!
//! `cargo run --release --example search`, in the folder `engine/rules`; a number behind `--` is that of the matches.
//!
//! A clone of the running match would know the opponent's ships, so the player gets a [`View`] only. From the view it draws
//! fleets that the opponent may have, makes a match of each by playing all strikes again, and keeps those that show its seat
//! the same view. In clones of these worlds it tries every strike, and gives the one that earns most points on average.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that takes a number and prints results")]

use rand::seq::IteratorRandom;
use rules::bots_arena::{BotsArena, Order, Settings, StrikeResult, View, place_at_random};
use rules::{Direction, Game, Point, Random, Seat, SetupError, straight};

/// Ships, each by the cells of its ends.
type Fleet = Vec<(Point, Point)>;

fn main() -> Result<(), SetupError> {
    let matches = std::env::args().nth(1).and_then(|matches| matches.parse().ok()).unwrap_or(20);
    let (mut won, mut strikes) = (0, 0);
    for seed in 0..matches {
        let seat = if seed % 2 == 0 { Seat::A } else { Seat::B };
        let game = play(seat, 40, seed)?;
        won += u64::from(game.outcome().and_then(|outcome| outcome.winner) == Some(seat));
        strikes += game.view(seat).own_strikes.len();
    }
    println!("The search won {won} of {matches} matches against random strikes.");
    println!("It gave {:.1} strikes a match.", strikes as f64 / matches as f64);
    Ok(())
}

/// Plays a match between the search, in `seat`, and random strikes. Gives its last state.
fn play(seat: Seat, worlds: usize, seed: u64) -> Result<BotsArena, SetupError> {
    let settings = Settings::default();
    let mut game = BotsArena::start(&settings, 2, seed)?;
    let mut random = [Seat::A, Seat::B].map(|seat| rules::random(rules::seat_seed(seed, seat)));
    let fleets = random.each_mut().map(|random| place_at_random(&settings, random).unwrap_or_default());
    let placed = fleets.each_ref().map(|fleet| Order::Place(fleet.clone()));
    game.step(|seat| Ok(&placed[seat.index()]));
    while let Some(next) = game.awaited().iter().next() {
        let (view, random) = (game.view(next), &mut random[next.index()]);
        let target = if next == seat { search(&view, &fleets[seat.index()], worlds, random) } else { None };
        // The search has no target if it found no world.
        let target = target.or_else(|| open(&view).choose(random)).unwrap_or_default();
        let order = Order::Strike(target);
        game.step(|_| Ok(&order));
    }
    Ok(game)
}

/// The cells that the player has not struck.
fn open(view: &View) -> impl Iterator<Item = Point> {
    view.settings.grid().points().filter(|point| view.own_strikes.iter().all(|strike| strike.target != *point))
}

/// The strike that earns most points on average over so many worlds; `None` if no world was found.
fn search(view: &View, own: &Fleet, worlds: usize, random: &mut Random) -> Option<Point> {
    let places = places(view);
    // Late in a match, many fleets that are drawn do not fit.
    let drawn = (0..5 * worlds).filter_map(|_| world(view, own, hidden_fleet(view, &places, random)?));
    let worlds: Vec<BotsArena> = drawn.take(worlds).collect();
    let points = |target: Point| -> u32 {
        let order = Order::Strike(target);
        let after = worlds.iter().map(|world| {
            let mut trial = world.clone();
            trial.step(|_| Ok(&order));
            trial.points(view.seat)
        });
        after.sum()
    };
    open(view).max_by_key(|target| points(*target)).filter(|_| !worlds.is_empty())
}

/// The match as it would stand if these were the opponent's ships; `None` if the player would not see what it does see.
fn world(view: &View, own: &Fleet, hidden: Fleet) -> Option<BotsArena> {
    let mut world = BotsArena::start(&view.settings, 2, 0).ok()?;
    let (own, hidden) = (Order::Place(own.clone()), Order::Place(hidden));
    world.step(|seat| Ok(if seat == view.seat { &own } else { &hidden }));
    let (mut own, mut other) = (view.own_strikes.iter(), view.opponent_strikes.iter());
    for _ in 0..own.len() + other.len() {
        let next = world.awaited().iter().next()?;
        let strike = if next == view.seat { own.next() } else { other.next() };
        let order = Order::Strike(strike?.target);
        world.step(|_| Ok(&order));
    }
    (world.view(view.seat) == *view).then_some(world)
}

/// The cells of each ship that can lie on the opponent's board: on the grid, and not where a strike missed.
fn places(view: &View) -> Vec<Vec<Point>> {
    let (grid, mut lengths) = (view.settings.grid(), view.settings.lengths());
    lengths.dedup();
    let is_first = |nth: usize| view.own_strikes[..nth].iter().all(|one| one.target != view.own_strikes[nth].target);
    // A strike at a cell that was hit before may find nothing.
    let missed = view.own_strikes.iter().enumerate().filter(|(_, strike)| strike.result == StrikeResult::Nothing);
    let missed: Vec<Point> = missed.filter(|(nth, _)| is_first(*nth)).map(|(_, strike)| strike.target).collect();
    let starts = grid.points().flat_map(|start| [Direction::East, Direction::North].map(|to| (start, to)));
    let ships = starts.flat_map(|(start, to)| lengths.iter().map(move |length| straight(start, to, *length)));
    let ships = ships.filter_map(|cells| cells.collect::<Option<Vec<Point>>>());
    ships.filter(|cells| cells.iter().all(|cell| grid.contains(*cell) && !missed.contains(cell))).collect()
}

/// A fleet that agrees with the player's own strikes, at random, but not each with the same chance. `None` if a ship found
/// no room beside those that were drawn before it.
fn hidden_fleet(view: &View, places: &[Vec<Point>], random: &mut Random) -> Option<Fleet> {
    let struck = |cell: &Point| view.own_strikes.iter().position(|strike| strike.target == *cell);
    let strikes = |wanted| view.own_strikes.iter().enumerate().filter(move |(_, strike)| strike.result == wanted);
    let mut sea = Sea { places, lengths: view.settings.lengths(), taken: Vec::new(), fleet: Vec::new() };
    // A ship that was sunk lies where all cells were hit by then,
    for (number, strike) in strikes(StrikeResult::HitAndSunk) {
        let is_sunk_by_then = |cell: &Point| struck(cell).is_some_and(|hit| hit <= number);
        sea.put(random, |cells| cells.contains(&strike.target) && cells.iter().all(is_sunk_by_then))?;
    }
    // one that was hit and is afloat lies where a cell is still open,
    for (_, strike) in strikes(StrikeResult::Hit) {
        if sea.is_free(&strike.target) {
            let is_open = |cell: &Point| struck(cell).is_none();
            sea.put(random, |cells| cells.contains(&strike.target) && cells.iter().any(is_open))?;
        }
    }
    // and the others lie where no strike fell.
    while !sea.lengths.is_empty() {
        sea.put(random, |cells| cells.iter().all(|cell| struck(cell).is_none()))?;
    }
    Some(sea.fleet)
}

/// The opponent's board while its ships are drawn.
struct Sea<'a> {
    places: &'a [Vec<Point>],
    /// The lengths of the ships that are still to be drawn.
    lengths: Vec<u8>,
    taken: Vec<Point>,
    fleet: Fleet,
}

impl Sea<'_> {
    fn is_free(&self, cell: &Point) -> bool {
        !self.taken.contains(cell)
    }

    /// Draws one of the ships that are left, in one of the places that fit.
    fn put(&mut self, random: &mut Random, fits: impl Fn(&[Point]) -> bool) -> Option<()> {
        let is_left = |cells: &[Point]| self.lengths.iter().any(|length| usize::from(*length) == cells.len());
        let places = self.places.iter().filter(|cells| is_left(cells) && fits(cells));
        let cells = places.filter(|cells| cells.iter().all(|cell| self.is_free(cell))).choose(random)?.clone();
        let drawn = self.lengths.iter().position(|length| usize::from(*length) == cells.len())?;
        self.lengths.remove(drawn);
        self.fleet.push((*cells.first()?, *cells.last()?));
        self.taken.extend(cells);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::BySeat;

    #[test]
    fn the_search_beats_random_strikes_in_either_seat() {
        let won = |seat| {
            let outcomes = (0..3).map(|seed| play(seat, 15, seed).unwrap().outcome().unwrap());
            outcomes.filter(|outcome| outcome.winner == Some(seat)).count()
        };
        assert_eq!([won(Seat::A), won(Seat::B)], [3, 3]);
    }

    /// Worlds of a match after each of its turns, drawn for a player that strikes at random.
    #[test]
    fn worlds_show_what_the_player_sees_and_differ_in_what_it_does_not_see() {
        let settings = Settings::default();
        let mut random = rules::random(7);
        let fleets = [(); 2].map(|()| place_at_random(&settings, &mut random).unwrap());
        let placed: BySeat<Order> = fleets.iter().cloned().map(Order::Place).collect();
        let mut game = BotsArena::start(&settings, 2, 7).unwrap();
        game.step(|seat| Ok(&placed[seat]));
        let mut views = 0;
        while let Some(next) = game.awaited().iter().next() {
            let view = game.view(next);
            let places = places(&view);
            let drawn = (0..100).filter_map(|_| hidden_fleet(&view, &places, &mut random));
            let drawn: Vec<Fleet> = drawn.take(20).collect();
            let own = &fleets[next.index()];
            let worlds: Vec<BotsArena> = drawn.iter().filter_map(|fleet| world(&view, own, fleet.clone())).collect();
            assert!(views > 100 || worlds.len() > 5, "{} of {} fleets after {views} turns", worlds.len(), drawn.len());
            assert!(worlds.iter().all(|world| world.view(next) == view && world.awaited() == game.awaited()));
            if views < 60 {
                assert!(worlds.iter().any(|world| *world != worlds[0]));
            }
            let target = open(&view).choose(&mut random).unwrap();
            let order = Order::Strike(target);
            game.step(|_| Ok(&order));
            views += 1;
        }
        assert!(views > 100, "{views} turns");
    }
}
