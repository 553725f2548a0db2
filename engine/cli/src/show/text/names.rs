//! The names of players on screens.

use rules::{BySeat, Seat, printable};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The most columns of a name.
const WIDEST: usize = 24;

/// The names of the players for a terminal: printable, of at most 24 columns, and different from each other.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    shown: BySeat<String>,
    whole: BySeat<String>,
}

impl Names {
    /// The names of the players in the first seats, in order.
    pub(crate) fn of_players<'a>(names: impl IntoIterator<Item = &'a str>) -> Names {
        let whole: BySeat<String> = names.into_iter().map(clean).collect();
        let shown = whole.iter().map(|(_, name)| cut(name, WIDEST)).collect();
        Names { shown: with_seats(&shown), whole: with_seats(&whole) }
    }

    /// The name of the player in `seat` for a file: whole, however long it is.
    pub(crate) fn whole(&self, seat: Seat) -> &str {
        &self.whole[seat]
    }

    /// The name of the player in `seat`.
    pub(crate) fn of(&self, seat: Seat) -> &str {
        &self.shown[seat]
    }

    /// The same names for a screen of so many `columns`: the widest with which no line of `text` is wider than the screen, but
    /// at least 24 columns of each. Long names keep their ends.
    pub(crate) fn fitting(&self, columns: usize, text: impl Fn(&Names) -> String) -> Names {
        let fits = |names: &Names| text(names).lines().all(|line| line.width() <= columns);
        let mut tried = (WIDEST..=columns).rev().map(|width| self.within(width));
        tried.find(fits).unwrap_or_else(|| self.within(WIDEST))
    }

    /// The same names, uncut.
    pub(crate) fn uncut(&self) -> Names {
        Names { shown: self.whole.clone(), whole: self.whole.clone() }
    }

    /// The same names in at most so many columns, and the seat behind those that would be equal.
    fn within(&self, columns: usize) -> Names {
        let shown = self.whole.iter().map(|(_, name)| without_middle(name, columns)).collect();
        Names { shown: with_seats(&shown), whole: self.whole.clone() }
    }

    /// The seats that have a name.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.shown.seats()
    }

    /// The columns of the widest name.
    pub(crate) fn width(&self) -> usize {
        self.shown.iter().map(|(_, name)| name.width()).max().unwrap_or_default()
    }
}

fn clean(name: &str) -> String {
    let clean = printable(name.trim());
    if clean.is_empty() { "(no name)".to_owned() } else { clean }
}

/// The names, those that are equal with their seats.
fn with_seats(names: &BySeat<String>) -> BySeat<String> {
    let is_single = |wanted: &String| names.iter().filter(|(_, name)| *name == wanted).count() == 1;
    let with_seat =
        |(seat, name): (Seat, &String)| if is_single(name) { name.clone() } else { format!("{name} ({seat})") };
    names.iter().map(with_seat).collect()
}

/// The beginning of `text` that fits into `columns`; an ellipsis marks a cut.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    // Combining characters take no columns, so their number is limited as well.
    let most = 4 * columns;
    if text.width() <= columns && text.chars().count() <= most {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = text.chars().take(most).take_while(|c| {
        let width = c.width().unwrap_or_default();
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    });
    fits.chain(['…']).collect()
}

/// The names in at most so many columns: long ones without their middle, because names of versions differ at the end. What would
/// look the same gets a number.
pub(crate) fn apart(names: &[String], columns: usize) -> Vec<String> {
    let shown: Vec<String> = names.iter().map(|name| without_middle(name, columns)).collect();
    // Whole names that are equal are not told apart by a number, which nothing else would explain.
    let looks_like_another =
        |at: usize| (0..names.len()).any(|other| names[other] != names[at] && shown[other] == shown[at]);
    let told = |(at, name): (usize, &String)| {
        if !looks_like_another(at) {
            return name.clone();
        }
        let number = format!(" #{}", at + 1);
        format!("{}{number}", cut(&names[at], columns.saturating_sub(number.width())))
    };
    shown.iter().enumerate().map(told).collect()
}

/// `text` in at most so many columns: its beginning and its end if it is longer.
pub(crate) fn without_middle(text: &str, columns: usize) -> String {
    let head = cut(text, columns);
    if head == text {
        return head;
    }
    let room = columns / 2;
    let mut end = String::new();
    for letter in text.chars().rev().take(4 * columns) {
        if end.width() + letter.width().unwrap_or_default() > room {
            break;
        }
        end.insert(0, letter);
    }
    // A combining character needs the one before it.
    let end = end.trim_start_matches(|c: char| c.width().unwrap_or_default() == 0);
    format!("{}{end}", cut(text, columns - end.width()))
}

/// `text`, filled with spaces up to `columns`.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_of_one_name_are_told_apart() {
        let names = Names::of_players(["Hunter"; 2]);
        assert_eq!([names.of(Seat::A), names.of(Seat::B)], ["Hunter (A)", "Hunter (B)"]);
    }

    #[test]
    fn long_names_keep_their_ends_and_look_different() {
        let names =
            ["Macgregor_V3", "Macgregor_V3 (chris, first)", "Macgregor_V3 (chris, other)", "Macgregor_V3 (x, other)"];
        let shown = apart(&names.map(str::to_owned), 16);
        assert_eq!(shown[0], "Macgregor_V3");
        assert!(shown.iter().all(|name| name.width() <= 16), "{shown:?}");
        assert!((0..4).all(|one| (0..one).all(|other| shown[one] != shown[other])), "{shown:?}");
        assert!(shown[1].ends_with(" first)"), "{shown:?}");
        let names = Names::of_players([&*"n".repeat(100), "short"]);
        assert_eq!((names.of(Seat::A).width(), names.whole(Seat::A).len()), (WIDEST, 100));
    }

    #[test]
    fn names_take_the_room_that_a_text_leaves_them() {
        let long = |end: &str| format!("The long name of a bot whose author tries many versions, {end}");
        let names = Names::of_players([&*long("the first"), &long("the other")]);
        let line = |names: &Names| format!("{} beats {}", names.of(Seat::A), names.of(Seat::B));
        let shown = names.fitting(80, line);
        assert_eq!(line(&shown).width(), 79);
        assert!(shown.of(Seat::A).ends_with("the first") && shown.of(Seat::B).ends_with("the other"));
        assert_eq!(line(&names.fitting(300, line)), line(&names.uncut()));
        let equal = Names::of_players([&*long("the first"), &long("the first")]).fitting(80, line);
        assert!(equal.of(Seat::A).ends_with("first (A)") && equal.of(Seat::B).ends_with("first (B)"), "{equal:?}");
        assert_eq!(names.fitting(10, line).of(Seat::A).width(), WIDEST);
    }

    #[test]
    fn a_name_cannot_paint_the_terminal_or_fill_it() {
        let names = Names::of_players(["\u{1b}[31mred\r\n", &"很".repeat(100)]);
        assert_eq!(names.of(Seat::A), "\u{FFFD}[31mred");
        assert!(names.of(Seat::B).width() <= WIDEST);
        let names = Names::of_players(["a\u{202E}b\u{200B}", &format!("Z{}", "\u{301}".repeat(20_000))]);
        assert_eq!(names.of(Seat::A), "a\u{FFFD}b\u{FFFD}");
        assert!(names.of(Seat::B).chars().count() <= 4 * WIDEST + 1);
        assert_eq!(padded("ab", 4), "ab  ");
    }
}
