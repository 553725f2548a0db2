//! The boards that a person sees: its own, and its shots at each of the others.

use super::fleet_entry::FleetEntry;
use rules::salvo::{BOARD, OwnSalvo, OwnShot, PlayerView, ShipKind, View};
use rules::{BoardScene, CellScene, GameKind, Mark, Point, Scene, Seat, ShipScene};

/// The boards of all players who are in the game.
pub(super) fn scene(view: &View) -> Scene {
    let shown = view.players.iter().filter(|(seat, player)| *seat == view.seat || player.is_in);
    let boards = shown.map(|(seat, player)| {
        let mark = |at| if seat == view.seat { own_mark(view, at) } else { shot_mark(view, seat, at) };
        board(seat, player, mark)
    });
    let title = "Your board, and your shots: * a hit, ! a miss, ^ not known".to_owned();
    Scene { title, boards: boards.collect(), ..Scene::default() }
}

/// The own board with the ships that are being placed.
pub(super) fn fleet_scene(view: &View, entry: &FleetEntry) -> Scene {
    let water = board(view.seat, &PlayerView { is_in: true, afloat: Vec::new() }, |_| Mark::Water);
    let boards = vec![BoardScene { facts: Vec::new(), ..water }];
    entry.drawn(Scene { title: "Your board".to_owned(), boards, ..Scene::default() }, view.seat)
}

fn board(seat: Seat, player: &PlayerView, mark: impl Fn(Point) -> Mark) -> BoardScene {
    let cell = |at| CellScene { mark: mark(at), shielded: false, fresh: false, scanned: false };
    let ship = |ship: ShipKind| ShipScene {
        letter: ship.letter(),
        name: ship.name().into(),
        length: ship.length(),
        sunk: !player.afloat.contains(&ship),
    };
    let fleet = ShipKind::ALL.map(ship);
    BoardScene {
        seat,
        first_row: GameKind::Salvo.look().first_row,
        grid: BOARD,
        cells: BOARD.points().map(cell).collect(),
        facts: vec![("ships", ShipScene::letters(&fleet))],
        fleet: fleet.into(),
        measures: Vec::new(),
        deed: String::new(),
    }
}

fn own_mark(view: &View, at: Point) -> Mark {
    let ship = view.fleet.iter().find(|ship| ship.covers(at)).map(|ship| ship.ship.letter());
    match (view.received.iter().any(|shot| shot.at == at), ship) {
        (true, Some(letter)) => Mark::Hit(Some(letter)),
        (true, None) => Mark::Miss,
        (false, Some(letter)) => Mark::Ship(letter),
        (false, None) => Mark::Water,
    }
}

/// The mark of a cell by the own shots at it. Of a salvo, only the number of its hits is told.
fn shot_mark(view: &View, target: Seat, at: Point) -> Mark {
    let is_there = |shot: &&OwnShot| shot.target == target && shot.at == at;
    let of_salvo = |salvo: &OwnSalvo| {
        let shot = salvo.shots.iter().find(is_there)?;
        Some(match usize::from(salvo.hits) {
            _ if shot.sank.is_some() => Mark::Hit(None),
            0 => Mark::Miss,
            hits if hits == salvo.shots.len() => Mark::Hit(None),
            _ => Mark::Shot,
        })
    };
    let current = || view.own_shots.iter().find(is_there).map(|_| Mark::Shot);
    // Of several shots at a cell the first counts: a later one hits nothing there, whatever the first one did.
    view.own_salvos.iter().find_map(of_salvo).or_else(current).unwrap_or(Mark::Water)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rules::Mover;
    use rules::salvo::{Orientation, Placement, ReceivedShot, ShotResult};

    fn seat_c() -> Seat {
        Seat::new(2).unwrap()
    }

    /// The view of player A among three players, in its third salvo.
    pub(in super::super) fn view() -> View {
        let player = PlayerView { is_in: true, afloat: ShipKind::ALL.to_vec() };
        let shot = |target, x, y| OwnShot { target, at: Point::new(x, y), sank: None };
        let carrier = Placement { ship: ShipKind::Carrier, at: Point::new(0, 0), orientation: Orientation::Horizontal };
        let received = |x, found| ReceivedShot { by: Seat::B, at: Point::new(x, 0), found };
        View {
            seat: Seat::A,
            turn: 9,
            round: 3,
            salvo: Some(Mover { seat: Seat::A, shots: 5, left: 4 }),
            last: None,
            players: [player.clone(), player.clone(), player].into_iter().collect(),
            fleet: vec![carrier],
            received: vec![received(1, ShotResult::Hit), received(7, ShotResult::Water)],
            own_salvos: vec![
                OwnSalvo { shots: vec![shot(Seat::B, 1, 1), shot(Seat::B, 2, 1)], hits: 2 },
                OwnSalvo { shots: vec![shot(Seat::B, 3, 1), shot(seat_c(), 1, 1)], hits: 1 },
                OwnSalvo { shots: vec![shot(Seat::B, 3, 1), shot(Seat::B, 1, 1), shot(Seat::B, 9, 9)], hits: 0 },
            ],
            own_shots: vec![shot(seat_c(), 5, 5)],
        }
    }

    #[test]
    fn the_map_has_the_own_board_and_what_shots_at_each_of_the_others_found() {
        let scene = scene(&view());
        let mark = |board: usize, x, y| scene.boards[board].cell(Point::new(x, y)).unwrap().mark;
        assert_eq!([mark(0, 0, 0), mark(0, 1, 0)], [Mark::Ship('C'), Mark::Hit(Some('C'))]);
        assert_eq!([mark(0, 7, 0), mark(0, 9, 9)], [Mark::Miss, Mark::Water]);
        let hit = Mark::Hit(None);
        assert_eq!([mark(1, 1, 1), mark(1, 2, 1), mark(1, 0, 0)], [hit, hit, Mark::Water]);
        assert_eq!(mark(1, 9, 9), Mark::Miss);
        assert_eq!([mark(1, 3, 1), mark(2, 1, 1), mark(2, 5, 5)], [Mark::Shot; 3]);
    }

    #[test]
    fn who_is_out_has_no_board() {
        let mut view = view();
        let [one, other, _] = [0, 1, 2];
        let players = view
            .players
            .iter()
            .map(|(seat, player)| PlayerView { is_in: [one, other].contains(&seat.index()), ..player.clone() });
        view.players = players.collect();
        assert_eq!(scene(&view).boards.len(), 2);
    }
}
