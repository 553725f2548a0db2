//! Boards that are named by their seeds, and those of a day.

/// The number of boards of a day.
pub const BOARDS_OF_DAY: u64 = 1000;

/// The seed of the first board of a day, which is written as `2026-11-28`: its digits, and three zeros. `None` if that is not a date of
/// the years 1000 to 9999.
///
/// ```
/// assert_eq!(tournament::board_of_day("2026-11-28"), Some(20_261_128_000));
/// assert_eq!(tournament::board_of_day("2026-13-28"), None);
/// ```
pub fn board_of_day(date: &str) -> Option<u64> {
    let is_date = date.len() == 10 && date.bytes().enumerate().all(|(at, byte)| (byte == b'-') == matches!(at, 4 | 7));
    let number: u64 = date.replace('-', "").parse().ok().filter(|_| is_date)?;
    date_of(number).map(|_| number * BOARDS_OF_DAY)
}

/// The date and the number, counted from 0, of the board of a day with this seed; `None` for other boards.
pub fn day_of(seed: u64) -> Option<(String, u64)> {
    Some((date_of(seed / BOARDS_OF_DAY)?, seed % BOARDS_OF_DAY))
}

/// The name of the board with this seed.
///
/// ```
/// use tournament::board_name;
/// assert_eq!([41, 20_261_128_000].map(board_name), ["board 41", "the board of 2026-11-28"]);
/// assert_eq!(board_name(20_261_128_002), "board 3 of 2026-11-28");
/// ```
pub fn board_name(seed: u64) -> String {
    match day_of(seed) {
        Some((date, 0)) => format!("the board of {date}"),
        Some((date, later)) => format!("board {} of {date}", later + 1),
        None => format!("board {seed}"),
    }
}

/// The date with these digits.
fn date_of(number: u64) -> Option<String> {
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    let is_date = (1000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then(|| format!("{year}-{month:02}-{day:02}"))
}
