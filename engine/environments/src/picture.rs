//! Pictures of a match: as text, and as pixels.

use rules::{BoardScene, CellScene, FirstRow, GameKind, Hue, Mark, Point, Scene};
use std::fmt::Write as _;

/// A scene as text. The signs are those of map.txt: letters for ships, small where they are hit, `*` a hit, `!` a miss,
/// `^` a shot whose result is not known, `@` a shot that a shield caught, `%` armour that was hit and holds, `~` water. Row 0 is on the
/// side on which screens have it.
///
/// ```
/// use rules::{Eye, Game, GameKind, sea_battle::SeaBattle};
///
/// let game = SeaBattle::start(&Default::default(), 2, 7)?;
/// let text = environments::text(&game.scene(Eye::Referee), GameKind::SeaBattle);
/// assert!(text.starts_with("Before the ships are placed\nA\n 0 ~ ~ ~ ~"), "{text}");
/// # Ok::<(), rules::SetupError>(())
/// ```
pub fn text(scene: &Scene, game: GameKind) -> String {
    let first_row = game.look().first_row;
    let mut text = format!("{}\n", scene.title);
    for board in &scene.boards {
        let _ = writeln!(text, "{}", board.seat);
        for row in 0..board.grid.height() {
            let y = row_at(first_row, board, row);
            let _ = write!(text, "{y:2}");
            for x in 0..board.grid.width() {
                let _ = write!(text, " {}", board.cell(Point::new(x, y)).map_or(' ', sign));
            }
            text.push('\n');
        }
        let columns: String = (0..board.grid.width()).map(|x| format!(" {}", x % 10)).collect();
        let _ = writeln!(text, "  {columns}");
        for (name, value) in &board.facts {
            let _ = writeln!(text, "   {name}: {value}");
        }
        if !board.deed.is_empty() {
            let _ = writeln!(text, "   {}", board.deed);
        }
    }
    text
}

/// The number of the row that is drawn at this place, counted from the top.
fn row_at(first_row: FirstRow, board: &BoardScene, from_top: i32) -> i32 {
    match first_row {
        FirstRow::Top => from_top,
        FirstRow::Bottom => board.grid.height() - 1 - from_top,
    }
}

fn sign(cell: CellScene) -> char {
    match cell.mark {
        Mark::Water => '~',
        Mark::Ship(letter) => letter,
        Mark::Damaged(_) => '%',
        Mark::Hit(letter) => letter.map_or('*', |letter| letter.to_ascii_lowercase()),
        Mark::Miss => '!',
        Mark::Shot => '^',
        Mark::ShieldHit => '@',
    }
}

/// A picture: rows from the top, three bytes a pixel (red, green, blue).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// The bytes, `height * width * 3`.
    pub bytes: Vec<u8>,
}

/// The side of a cell, in pixels.
const CELL: usize = 16;
/// The space around boards, in pixels.
const SPACE: usize = 8;
const BACKGROUND: Rgb = [24, 28, 34];
const FRESH: Rgb = [255, 214, 64];

type Rgb = [u8; 3];

/// A scene as pixels: the boards side by side, at most four in a row. Cells of the last shots have a yellow frame,
/// shielded cells a green one.
pub fn pixels(scene: &Scene, game: GameKind) -> Pixels {
    let look = game.look();
    let hue =
        |letter: char| look.ships.iter().find(|ship| ship.letter == letter.to_ascii_uppercase()).map(|ship| ship.hue);
    let across = scene.boards.len().clamp(1, 4);
    let down = scene.boards.len().div_ceil(across);
    let most = |side: fn(&BoardScene) -> i32| scene.boards.iter().map(side).max().unwrap_or(1) as usize;
    let (columns, rows) = (most(|board| board.grid.width()), most(|board| board.grid.height()));
    let width = across * (columns * CELL + SPACE) + SPACE;
    let height = down * (rows * CELL + SPACE) + SPACE;
    let mut picture = Pixels { width, height, bytes: BACKGROUND.repeat(width * height) };
    for (nth, board) in scene.boards.iter().enumerate() {
        let left = SPACE + nth % across * (columns * CELL + SPACE);
        let top = SPACE + nth / across * (rows * CELL + SPACE);
        for (point, cell) in board.grid.points().zip(&board.cells) {
            let (x, y) = (point.x as usize, row_at(look.first_row, board, point.y) as usize);
            picture.cell(left + x * CELL, top + y * CELL, cell, &hue);
        }
    }
    picture
}

impl Pixels {
    fn cell(&mut self, left: usize, top: usize, cell: &CellScene, hue: &impl Fn(char) -> Option<Hue>) {
        const WATER: Rgb = [34, 66, 102];
        const MISS: Rgb = [150, 180, 205];
        const HIT: Rgb = [214, 60, 50];
        const SHIELD: Rgb = [80, 200, 120];
        let ship = |letter| hue(letter).map_or([140, 140, 140], colour);
        let (ground, dot) = match cell.mark {
            Mark::Water => (WATER, None),
            Mark::Ship(letter) => (ship(letter), None),
            Mark::Damaged(letter) => (ship(letter), Some(FRESH)),
            Mark::Hit(letter) => (letter.map_or([110, 40, 40], ship), Some(HIT)),
            Mark::Miss => (WATER, Some(MISS)),
            Mark::Shot => (WATER, Some(FRESH)),
            Mark::ShieldHit => (WATER, Some(SHIELD)),
        };
        let frame = if cell.fresh {
            FRESH
        } else if cell.shielded || cell.scanned {
            SHIELD
        } else {
            BACKGROUND
        };
        for (x, y) in (0..CELL).flat_map(|x| (0..CELL).map(move |y| (x, y))) {
            let is_edge = [x, y].into_iter().any(|at| at == 0 || at == CELL - 1);
            let in_dot = [x, y].into_iter().all(|at| (5..CELL - 5).contains(&at));
            let colour = match dot {
                _ if is_edge => frame,
                Some(dot) if in_dot => dot,
                _ => ground,
            };
            let at = ((top + y) * self.width + left + x) * 3;
            self.bytes[at..at + 3].copy_from_slice(&colour);
        }
    }
}

fn colour(hue: Hue) -> Rgb {
    match hue {
        Hue::Plain => [150, 156, 166],
        Hue::Blue => [92, 148, 240],
        Hue::Violet => [170, 120, 230],
        Hue::Yellow => [224, 180, 80],
    }
}
