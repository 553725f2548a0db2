//! Parses the lines that people type.

use rules::{Point, Seat};

/// The words of a line in lower case. Commas separate words, too.
pub(super) fn words(line: &str) -> Vec<String> {
    let line = line.to_lowercase();
    line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The cell with which the words begin, and the words behind it: two numbers, or a letter with a number, such as `d4`. `None`
/// if there are too few words.
pub(super) fn cell<'a, 'b>(words: &'a [&'b str]) -> Option<(Result<Point, String>, &'a [&'b str])> {
    let [one, rest @ ..] = words else { return None };
    if let Some(at) = with_letter(one) {
        return Some((Ok(at), rest));
    }
    let [y, rest @ ..] = rest else { return None };
    Some((point(one, y), rest))
}

/// The cell that a letter for the column and the number of the row name.
fn with_letter(word: &str) -> Option<Point> {
    let mut letters = word.chars();
    let column = letters.next().filter(char::is_ascii_lowercase)?;
    let row = letters.as_str();
    // The number of the row has no sign.
    let row = row.parse().ok().filter(|_| row.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(Point::new(i32::from(column as u8 - b'a'), row))
}

fn point(x: &str, y: &str) -> Result<Point, String> {
    let number =
        |text: &str| text.parse().map_err(|_| format!("'{text}' is not a coordinate; a whole number is needed."));
    Ok(Point { x: number(x)?, y: number(y)? })
}

/// The cell that a person has typed: two numbers with a space or a comma between them, or a letter for the column, counted from
/// A, and the number of the row. `None` if the text is anything else.
pub(super) fn typed_cell(text: &str) -> Option<Point> {
    let words = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match cell(&words)? {
        (at, []) => at.ok(),
        _ => None,
    }
}

/// A cell, and the player whose letter is before it or before an earlier cell.
pub(super) type NamedCell = (Option<Seat>, Point);

/// Words that aim at cells.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Aimed<'a> {
    /// The word before the cells, if there is one.
    pub(super) word: Option<&'a str>,
    /// The cells, one or more, or the mistake in one.
    pub(super) cells: Result<Vec<NamedCell>, String>,
}

/// Reads cells, or a word and cells; `None` if the words are neither. Without `many` there is one cell and no letter of a player.
pub(super) fn aimed<'a>(words: &[&'a str], many: bool) -> Option<Aimed<'a>> {
    if let Some(Ok(cells)) = cells(words, many) {
        return Some(Aimed { word: None, cells: Ok(cells) });
    }
    let [word, rest @ ..] = words else { return None };
    Some(Aimed { word: Some(*word), cells: cells(rest, many)? })
}

fn cells(words: &[&str], many: bool) -> Option<Result<Vec<NamedCell>, String>> {
    let (mut seat, mut found, mut rest) = (None, Vec::new(), words);
    while found.is_empty() || !rest.is_empty() {
        if let (true, [name, others @ ..]) = (many, rest)
            && let [letter] = name.as_bytes()
            && let Ok(named) = Seat::try_from(char::from(letter.to_ascii_uppercase()))
        {
            (seat, rest) = (Some(named), others);
        }
        let (at, others) = cell(rest)?;
        if !many && !others.is_empty() {
            return None;
        }
        match at {
            Ok(at) => found.push((seat, at)),
            Err(why) => return Some(Err(why)),
        }
        rest = others;
    }
    Some(Ok(found))
}

/// The choice that `word` is or begins.
pub(super) fn choice<N: AsRef<str>, T: Clone>(word: &str, choices: &[(N, T)], kind: &str) -> Result<T, String> {
    let found: Vec<&(N, T)> = choices.iter().filter(|(name, _)| name.as_ref().starts_with(word)).collect();
    let names = |list: &[&(N, T)]| list.iter().map(|(name, _)| name.as_ref()).collect::<Vec<_>>().join(", ");
    let exact = found.iter().find(|(name, _)| name.as_ref() == word);
    match (exact, &found[..]) {
        (Some((_, choice)), _) | (None, [(_, choice)]) => Ok(choice.clone()),
        (None, []) => {
            Err(format!("'{word}' is not a {kind}; there are {}.", names(&choices.iter().collect::<Vec<_>>())))
        }
        (None, found) => Err(format!("'{word}' may be {}.", names(found))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<String>, Result<Point, String>)> {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        aimed(&words, false).map(|aimed| (aimed.word.map(str::to_owned), aimed.cells.map(|cells| cells[0].1)))
    }

    #[test]
    fn a_cell_may_be_typed_in_three_ways_with_a_word_before_it_or_without() {
        let at = Ok(Point::new(3, 4));
        for line in ["3 4", "3,4", " D4 ", "d4"] {
            assert_eq!(read(line), Some((None, at.clone())), "{line}");
            assert_eq!(read(&format!("Fire {line}")), Some((Some("fire".to_owned()), at.clone())), "{line}");
        }
        assert_eq!(read("cro 0 -1"), Some((Some("cro".to_owned()), Ok(Point::new(0, -1)))));
        assert_eq!(read("1,3,4"), Some((Some("1".to_owned()), at)));
        assert!(read("fire a 1").unwrap().1.unwrap_err().contains("'a'"));
        for other in ["fire 1", "fire x", "d", "d-1", "d 4", "3 4 5 6", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn several_cells_may_follow_each_other_and_the_letters_of_players() {
        let read = |line: &str| {
            let words = words(line);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let aimed = aimed(&words, true)?;
            let cell = |(seat, at): NamedCell| format!("{}{},{}", seat.map_or('-', Seat::letter), at.x, at.y);
            Some(aimed.cells.map(|cells| cells.into_iter().map(cell).collect::<Vec<_>>().join(" ")))
        };
        let all = |text: &str| Some(Ok(text.to_owned()));
        assert_eq!([read("3 4 5 6"), read("fire d4, F6")], [all("-3,4 -5,6"), all("-3,4 -5,6")]);
        assert!(read("a 1 b 3 4").unwrap().unwrap_err().contains("'b'"), "a letter alone is not a column");
        assert_eq!([read("b 3 4 d5 c 0,1"), read("fire B 3 4")], [all("B3,4 B3,5 C0,1"), all("B3,4")]);
        assert_eq!([read("fire"), read("b")], [None, None]);
        assert!(read("fire 3 4 x 1").unwrap().unwrap_err().contains("'x'"));
    }

    #[test]
    fn a_word_may_be_shortened_to_what_only_one_begins_with() {
        let choices = [("corner", 1), ("cross", 2), ("co", 3)];
        assert_eq!(choice("cr", &choices, "command"), Ok(2));
        assert_eq!(choice("co", &choices, "command"), Ok(3));
        assert_eq!(choice("c", &choices, "command"), Err("'c' may be corner, cross, co.".to_owned()));
        assert!(choice("boom", &choices, "command").unwrap_err().contains("'boom' is not a command"));
    }
}
